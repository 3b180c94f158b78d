//! A problem, its sentence and its locations.

use super::kind::{Kind, Severity, Words};
use serde::Serialize;

/// One thing that is wrong, everywhere it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Problem {
    /// Its kind.
    pub kind: Kind,
    /// Its severity.
    pub severity: Severity,
    /// Number of affected vertices, triangles, joints…
    pub count: usize,
    /// The total number.
    pub of: usize,
    /// One sentence with the counts.
    pub message: String,
    /// The first location, in words; empty if the sentence contains it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub first: String,
    /// Advice.
    pub advice: &'static str,
    /// All locations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// True if the reader of the file has warned about it.
    #[serde(skip)]
    pub is_told: bool,
}

impl Problem {
    /// A problem with its sentence; `detail` ends it.
    pub(super) fn new(kind: Kind, count: usize, of: usize, detail: &str) -> Self {
        let Words { severity, things, claim, advice } = kind.words();
        let many = usize::from(count != 1);
        let of_many = usize::from(of != 1);
        let message = if count == of && count == 1 {
            format!("1 {} {}{detail}", things[0], claim[0])
        } else {
            format!("{count} of {of} {} {}{detail}", things[of_many], claim[many])
        };
        let (first, places) = (String::new(), Vec::new());
        Self { kind, severity, count, of, message, first, advice, places, is_told: false }
    }
}

/// Location of a problem: in a mesh, in a clip, or among the joints.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Place {
    /// The index of the mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<usize>,
    /// Vertices of the mesh by their numbers in the file, in ascending order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vertices: Vec<u32>,
    /// Triangles of the mesh, rising.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub triangles: Vec<usize>,
    /// The name of the clip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// Names of joints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<String>,
}
