//! Messages and files for all other crates: diagnostics, "did you mean" suggestions, formatting of
//! paths and amounts, regular files, deadlines.
//!
//! Nothing here knows a model, a scene or a format. Only two files touch the machine: [`disk`]
//! opens files, [`deadline`] reads a clock.
//!
//! An internal crate of `tintype`. Its interface may change in any version; depend on `tintype`,
//! which re-exports the stable parts.

pub mod amount;
pub mod data;
pub mod deadline;
pub mod diagnostic;
pub mod disk;
pub mod extension;
pub mod git;
pub mod path;
pub mod precedence;
pub mod printable;
pub mod shell;
pub mod suggest;
