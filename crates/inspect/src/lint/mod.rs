//! Checks of a model before it is used: problems, their first occurrence, and advice.
//!
//! Input: a loaded model and its clips. Output: a list of [`Problem`]s, each with counts and
//! locations. Nothing is changed, read or printed. Faults that the file reader refuses, or repairs
//! with a warning, are not checked again; the reported ones are marked so that they are counted
//! once.
//!
//! # Warnings and notes
//! A [`Severity::Warning`] is always a mistake: pictures that show it are wrong, here or in an
//! engine. A [`Severity::Note`] has a cost, or is right in one pipeline and a mistake in another;
//! models found in the wild have many. Positions on the surface are in the bind pose.

mod bounds;
mod check;
mod lint_problems;
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
