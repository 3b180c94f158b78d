//! Checks of a model before it is used: problems, their first occurrence, and advice.
//!
//! Input: a loaded model, and its clips. Output: a list of [`Problem`]s, each with counts and locations. Nothing is changed, and
//! nothing is read or printed. What a file's reader refuses, or repairs with a warning of its own, is its business; what the reader
//! has told already is marked, so that it is counted once.
//!
//! # Warnings and notes
//! A [`Severity::Warning`] is what an author cannot want: a picture that shows it is wrong, here or in an engine. A
//! [`Severity::Note`] costs something, or is right in one pipeline and a slip in another; models as they are found in the wild have
//! many. Places on the surface are those of the bind pose.

mod check;
mod gathered;
mod kind;
mod location;
mod motion;
mod problem;
mod surface;
mod weights;

pub use check::check_model;
pub use kind::{Kind, Severity};
pub use motion::check_clip;
pub use problem::{Place, Problem};
