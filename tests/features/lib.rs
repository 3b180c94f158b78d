//! Features of the crates only; see the manifest.
