//! Nothing but features of crates of crates: see the manifest.
