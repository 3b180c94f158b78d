//! Findings: differences as data, and the sentences that describe them.
//!
//! A comparison makes [`Finding`]s. Each has a stage, a kind of change, a subject with the affected
//! elements, amounts with units, and the values before and after. Grouping, accepting and JSON use
//! this data. [`Finding::sentence`] makes the text for a terminal, a page or a test report last,
//! and nothing parses that text.

mod kind;
mod stage;
#[cfg(test)]
mod tests;
mod subject;
mod value;
mod words;

pub use kind::Kind;
pub use stage::Stage;
pub use subject::{Element, Subject};
pub use value::{Amount, Unit, Value};
pub use words::short;

use serde::{Deserialize, Serialize, Serializer};

/// The property of a light that casts a shadow.
pub const CAST_SHADOW: &str = "cast shadow";

/// A difference between two models, or between a golden's record and the current one.
///
/// # Identity of a cause
/// An edit is identified by its values: rotating a light by 4° and by 9° are two causes. The
/// movement that an edit causes in a frame, and the pixels that differ, vary between frames with
/// the same cause: such a finding [is measured](Self::measured). [`key`](Self::key) is the finding
/// without amounts if these are measured, otherwise unchanged. Two findings have the same cause if
/// their keys are equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The stage that it enters.
    pub stage: Stage,
    /// The kind of change.
    pub kind: Kind,
    /// The changed part; without a name or an index, all or several of its kind.
    pub of: Subject,
    /// Owners of the subject, the nearest first: the key and then the clip of a movement, the mesh
    /// of a vertex, the instance of a joint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<Subject>,
    /// The property that changed, by its name in files and scenes: `roughness`, `near plane`,
    /// `rotation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// The affected elements, as far as known: vertices that moved, listed joints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<Subject>,
    /// The number of changed elements, and of all of them. 0 of some means several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<[usize; 2]>,
    /// Number of further ones that it represents: joints that only follow, other names, other
    /// instances.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: usize,
    /// Amounts: for one movement one per unit; for `elements` one for each of them or one for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<Amount>,
    /// Time of the difference, in seconds from the start of the clip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_s: Option<f64>,
    /// The value before. None if there was none, or the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Value>,
    /// The value now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is: Option<Value>,
    /// True if its amounts were measured in a single frame.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub is_measured: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Finding {
    /// A finding without amounts.
    #[must_use]
    pub fn new(stage: Stage, kind: Kind, of: Subject) -> Self {
        Self {
            stage,
            kind,
            of,
            within: Vec::new(),
            property: None,
            elements: Vec::new(),
            count: None,
            more: 0,
            by: Vec::new(),
            at_s: None,
            was: None,
            is: None,
            is_measured: false,
        }
    }

    /// Adds an owner; the nearest comes first.
    #[must_use]
    pub fn within(mut self, owner: Subject) -> Self {
        self.within.push(owner);
        self
    }

    /// Sets the property.
    #[must_use]
    pub fn property(mut self, name: impl Into<String>) -> Self {
        self.property = Some(name.into());
        self
    }

    /// Sets the elements.
    #[must_use]
    pub fn elements(mut self, elements: impl IntoIterator<Item = Subject>) -> Self {
        self.elements = elements.into_iter().collect();
        self
    }

    /// Sets the number of changed elements, and of all.
    #[must_use]
    pub fn count(mut self, changed: usize, all: usize) -> Self {
        self.count = Some([changed, all]);
        self
    }

    /// Sets the number of further ones.
    #[must_use]
    pub fn more(mut self, more: usize) -> Self {
        self.more = more;
        self
    }

    /// Adds an amount.
    #[must_use]
    pub fn by(mut self, value: impl Into<f64>, unit: Unit) -> Self {
        self.by.push(Amount { value: value.into(), unit });
        self
    }

    /// Sets the time.
    #[must_use]
    pub fn at(mut self, seconds: f64) -> Self {
        self.at_s = Some(seconds);
        self
    }

    /// Sets the value before and the one now.
    #[must_use]
    pub fn from_to(mut self, was: impl Into<Option<Value>>, is: impl Into<Option<Value>>) -> Self {
        (self.was, self.is) = (was.into(), is.into());
        self
    }

    /// Marks its amounts as measured in one frame.
    #[must_use]
    pub fn measured(mut self) -> Self {
        self.is_measured = true;
        self
    }

    /// The part common to two findings of one cause: the finding itself, without its amounts if
    /// they are measured.
    #[must_use]
    pub fn key(&self) -> Self {
        let mut key = self.clone();
        if !key.is_measured {
            return key;
        }
        if matches!(key.kind, Kind::Turned | Kind::Scaled | Kind::Deformed) {
            key.kind = Kind::Moved;
        }
        key.property = None;
        key.by.clear();
        key.elements.clear();
        (key.count, key.at_s, key.more) = (None, None, 0);
        let is_amount = |value: &Value| matches!(value, Value::Amount(_));
        key.was = key.was.filter(|value| !is_amount(value));
        key.is = key.is.filter(|value| !is_amount(value));
        key
    }

    /// The amount in a unit.
    #[must_use]
    pub fn amount(&self, unit: Unit) -> Option<f64> {
        self.by.iter().find(|amount| amount.unit == unit).map(|amount| amount.value)
    }
}

/// A one-line sentence after its stage; the sentence itself names scenes and drawing code.
impl core::fmt::Display for Finding {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.stage {
            Stage::Scene | Stage::Drawing => f.write_str(&self.sentence()),
            // The sentence names the stage.
            Stage::Shading if self.kind == Kind::PixelsChanged => f.write_str(&self.sentence()),
            stage => write!(f, "{stage}: {}", self.sentence()),
        }
    }
}

/// A finding for JSON: its data, its sentence, and its clip.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    clip: Option<&'a str>,
    #[serde(flatten)]
    finding: &'a Finding,
    text: String,
}

/// Serializes findings with their sentences: `#[serde(serialize_with = "told")]`.
///
/// # Errors
/// Errors of the serializer.
pub fn told<S: Serializer>(findings: &[Finding], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(findings.iter().map(|finding| Told {
        clip: None,
        finding,
        text: finding.sentence(),
    }))
}

/// As [`told`], for findings with an optional clip each.
///
/// # Errors
/// Errors of the serializer.
pub fn told_of_clips<S: Serializer>(
    findings: &[(Option<String>, Finding)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(findings.iter().map(|(clip, finding)| Told {
        clip: clip.as_deref(),
        finding,
        text: finding.sentence(),
    }))
}
