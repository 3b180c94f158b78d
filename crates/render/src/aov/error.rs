//! Error of drawing an AOV.

use thiserror::Error;
use tintype_base::printable::one_line;
use tintype_base::suggest::hint;

/// Error of drawing an AOV.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AovError {
    /// No model has a joint of that name.
    #[error("joint:{}: no model of the scene has a joint {name:?}{}; the joints are {}", one_line(name), hint(.nearest.as_deref()), list(.allowed))]
    UnknownJoint {
        /// The name.
        name: String,
        /// The joint with the most similar name.
        nearest: Option<String>,
        /// All names of joints, sorted.
        allowed: Vec<String>,
    },
    /// No model has a morph target of that name.
    #[error("target:{}: no model of the scene has a morph target {name:?}{}; the targets are {}", one_line(name), hint(.nearest.as_deref()), list(.allowed))]
    UnknownTarget {
        /// The name.
        name: String,
        /// The target with the most similar name.
        nearest: Option<String>,
        /// All names of targets, sorted.
        allowed: Vec<String>,
    },
}

/// The first names of a list.
fn list(names: &[String]) -> String {
    const MOST: usize = 80;
    if names.is_empty() {
        return "none".to_owned();
    }
    let names_shown: Vec<String> = names.iter().take(MOST).map(|name| one_line(name)).collect();
    let mut text = names_shown.join(", ");
    if names.len() > MOST {
        text += &format!(" and {} more", names.len() - MOST);
    }
    text
}
