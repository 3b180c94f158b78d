//! Error of drawing an AOV.

use thiserror::Error;

/// Error of drawing an AOV.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AovError {
    /// No model has a joint of that name.
    #[error("joint:{name}: no model of the scene has a joint {name:?}{}; the joints are {}", meant(.nearest.as_deref()), list(.allowed))]
    UnknownJoint {
        /// The name.
        name: String,
        /// The joint with the most similar name.
        nearest: Option<String>,
        /// All names of joints, sorted.
        allowed: Vec<String>,
    },
    /// No model has a morph target of that name.
    #[error("target:{name}: no model of the scene has a morph target {name:?}{}; the targets are {}", meant(.nearest.as_deref()), list(.allowed))]
    UnknownTarget {
        /// The name.
        name: String,
        /// The target with the most similar name.
        nearest: Option<String>,
        /// All names of targets, sorted.
        allowed: Vec<String>,
    },
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |word| format!(", did you mean {word:?}?"))
}

/// The first names of a list.
fn list(names: &[String]) -> String {
    const MOST: usize = 80;
    if names.is_empty() {
        return "none".to_owned();
    }
    let mut text = names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        text += &format!(" and {} more", names.len() - MOST);
    }
    text
}
