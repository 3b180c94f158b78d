//! Problems of many vertices, triangles or joints, gathered into one.

use super::kind::Kind;
use super::location::{triangle_text, vertex_text};
use super::problem::{Place, Problem};
use tintype_model::Model;

/// A problem of single vertices or triangles, gathered mesh by mesh.
pub(super) struct LintProblems {
    kind: Kind,
    pub count: usize,
    pub of: usize,
    pub first: String,
    pub places: Vec<Place>,
}

impl LintProblems {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, count: 0, of: 0, first: String::new(), places: Vec::new() }
    }

    /// Adds the vertices of a mesh that have the problem, out of a total.
    pub(super) fn vertices(&mut self, model: &Model, index: usize, vertices: Vec<u32>, of: usize) {
        self.of += of;
        self.count += vertices.len();
        if let Some(&first) = vertices.first() {
            if self.places.is_empty() {
                self.first = vertex_text(model, index, first);
            }
            self.places.push(Place { mesh: Some(index), vertices, ..Place::default() });
        }
    }

    /// Adds the triangles of a mesh that have the problem, out of a total.
    pub(super) fn triangles(
        &mut self,
        model: &Model,
        index: usize,
        triangles: Vec<usize>,
        of: usize,
    ) {
        self.of += of;
        self.count += triangles.len();
        if let Some(&first) = triangles.first() {
            if self.places.is_empty() {
                self.first = triangle_text(model, index, first);
            }
            self.places.push(Place { mesh: Some(index), triangles, ..Place::default() });
        }
    }

    pub(super) fn into_problem(self, detail: &str) -> Option<Problem> {
        (self.count > 0).then(|| Problem {
            first: self.first,
            places: self.places,
            ..Problem::new(self.kind, self.count, self.of, detail)
        })
    }
}

/// A problem of joints. None without any.
pub(super) fn of_joints(
    kind: Kind,
    joints: Vec<String>,
    of: usize,
    clip: Option<&str>,
) -> Option<Problem> {
    let clip = clip.map(str::to_owned);
    (!joints.is_empty()).then(|| Problem {
        places: vec![Place { clip, joints: joints.clone(), ..Place::default() }],
        ..Problem::new(kind, joints.len(), of, "")
    })
}
