//! Differences as data: stage, kind, subjects, and amounts with their units.
//!
//! [`Finding::sentence`] makes the text; do not parse it.
//!
//! ```
//! use tintype::finding::{Finding, Kind, Stage, Subject, Unit};
//!
//! let told = Finding::new(Stage::Pose, Kind::Turned, Subject::joint("wrist"));
//! assert_eq!(told.by(3.0, Unit::Degrees).to_string(), "pose: joint wrist turned 3.0°");
//! ```

pub use tintype_compare::finding::{Amount, Element, Finding, Kind, Stage, Subject, Unit, Value};
