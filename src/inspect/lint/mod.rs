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

mod motion;
mod surface;
mod weights;

pub use motion::check_clip;

use crate::math::{Affine3, Vec3};
use crate::model::{Mesh, Model};
use serde::Serialize;

/// Severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nobody can want it.
    Warning,
    /// Worth knowing; may be meant.
    Note,
}

/// Kind of a problem; the words are for machines, and stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "`Kind::words` says what each is")]
pub enum Kind {
    NoInfluence,
    BiasSum,
    NegativeBias,
    FlippedTriangle,
    InwardSurface,
    NoTexcoords,
    ClipMisfit,
    ClipOtherParent,
    ClipOtherSize,
    TinyBias,
    ManyInfluences,
    WeightsApart,
    UnusedJoint,
    JointNameTwice,
    DegenerateTriangle,
    DuplicateTriangle,
    UnreferencedVertex,
    NonManifoldEdge,
    ClipMissingJoint,
    ClipExtraJoint,
    ClipStill,
    ScaleKeys,
    RotationLength,
}

/// The fixed words of a kind.
struct Words {
    severity: Severity,
    /// One of what is counted, and several.
    things: [&'static str; 2],
    /// Verb phrase for one occurrence, and for several.
    claim: [&'static str; 2],
    advice: &'static str,
}

impl Kind {
    /// All kinds, warnings first.
    pub const ALL: [Self; 23] = [
        Self::NoInfluence,
        Self::BiasSum,
        Self::NegativeBias,
        Self::FlippedTriangle,
        Self::InwardSurface,
        Self::NoTexcoords,
        Self::ClipMisfit,
        Self::ClipOtherParent,
        Self::ClipOtherSize,
        Self::TinyBias,
        Self::ManyInfluences,
        Self::WeightsApart,
        Self::UnusedJoint,
        Self::JointNameTwice,
        Self::DegenerateTriangle,
        Self::DuplicateTriangle,
        Self::UnreferencedVertex,
        Self::NonManifoldEdge,
        Self::ClipMissingJoint,
        Self::ClipExtraJoint,
        Self::ClipStill,
        Self::ScaleKeys,
        Self::RotationLength,
    ];

    fn words(self) -> Words {
        use Severity::{Note, Warning};
        const VERTEX: [&str; 2] = ["vertex", "vertices"];
        const TRIANGLE: [&str; 2] = ["triangle", "triangles"];
        const JOINT: [&str; 2] = ["joint", "joints"];
        const CLIP: [&str; 2] = ["clip", "clips"];
        let (severity, things, claim, advice) = match self {
            Self::NoInfluence => (
                Warning,
                VERTEX,
                ["has no influence", "have no influence"],
                "it stays behind when the model moves: weight it to a joint, or delete it",
            ),
            Self::BiasSum => (
                Warning,
                VERTEX,
                ["has biases that do not sum to 1", "have biases that do not sum to 1"],
                "the surface shrinks or swells there: normalize the weights before the export",
            ),
            Self::NegativeBias => (
                Warning,
                VERTEX,
                ["has a negative bias", "have a negative bias"],
                "it moves against its joint: paint these weights again",
            ),
            Self::FlippedTriangle => (
                Warning,
                TRIANGLE,
                [
                    "faces the other way than its neighbours",
                    "face the other way than their neighbours",
                ],
                "light comes from the wrong side there, and engines that cull show holes: make the faces of the mesh consistent",
            ),
            Self::InwardSurface => (
                Warning,
                ["closed surface", "closed surfaces"],
                ["shows its front inside", "show their front inside"],
                "right for a room or a sky; anything else is inside out: flip its faces",
            ),
            Self::NoTexcoords => (
                Warning,
                ["mesh", "meshes"],
                [
                    "has a texture but one texture coordinate everywhere",
                    "have a texture but one texture coordinate everywhere",
                ],
                "a single texel colours all of it: unwrap it, or check that the exporter writes coordinates",
            ),
            Self::ClipMisfit => (
                Warning,
                CLIP,
                ["cannot move the model", "cannot move the model"],
                "it belongs to another rig, or joints were renamed: export both from one scene",
            ),
            Self::ClipOtherParent => (
                Warning,
                JOINT,
                [
                    "hangs on another parent in the clip than in the model",
                    "hang on another parent in the clip than in the model",
                ],
                "drawn by the clip's own hierarchy, as its poses are made for it; engines that go by index refuse or twist it: export both from one rig",
            ),
            Self::ClipOtherSize => (
                Warning,
                CLIP,
                [
                    "has bones of another length than the model",
                    "have bones of another length than the model",
                ],
                "model and clip were exported at different scales: use one unit for both",
            ),
            Self::TinyBias => (
                Note,
                ["influence", "influences"],
                ["pulls with less than 0.001", "pull with less than 0.001"],
                "nobody sees it and it takes time: prune small weights before the export",
            ),
            Self::ManyInfluences => (
                Note,
                VERTEX,
                ["has more than 4 influences", "have more than 4 influences"],
                "all of them count here; engines that keep 4 a vertex pose it a little otherwise",
            ),
            Self::WeightsApart => (
                Note,
                VERTEX,
                [
                    "has weights that disagree where it is in the bind pose",
                    "have weights that disagree where they are in the bind pose",
                ],
                "summed in joint space here, as the engine of the format does; tools that bake one bind position draw the model slightly off",
            ),
            Self::UnusedJoint => (
                Note,
                JOINT,
                ["pulls nothing, nor do those below it", "pull nothing, nor do those below them"],
                "right for tags and attachment points; else leave it out of the export",
            ),
            Self::JointNameTwice => (
                Note,
                JOINT,
                ["has the name of an earlier one", "have the name of an earlier one"],
                "clips find the first by the first and the second by the second; other programs mix them up: rename",
            ),
            Self::DegenerateTriangle => (
                Note,
                TRIANGLE,
                ["has no area", "have no area"],
                "nothing is drawn for it: merge doubled vertices and delete what collapses",
            ),
            Self::DuplicateTriangle => (
                Note,
                TRIANGLE,
                ["lies on another that faces the same way", "lie on others that face the same way"],
                "only the first is seen: delete the copy",
            ),
            Self::UnreferencedVertex => (
                Note,
                VERTEX,
                ["belongs to no triangle", "belong to no triangle"],
                "never drawn, and skinned all the same: delete loose vertices",
            ),
            Self::NonManifoldEdge => (
                Note,
                ["edge", "edges"],
                ["joins three triangles or more", "join three triangles or more"],
                "no closed surface has it, so the mesh is drawn two-sided: look for inner faces",
            ),
            Self::ClipMissingJoint => (
                Note,
                JOINT,
                ["of the model is not in the clip", "of the model are not in the clip"],
                "it keeps its place on its parent; no vertex hangs on it",
            ),
            Self::ClipExtraJoint => (
                Note,
                JOINT,
                ["of the clip is not in the model", "of the clip are not in the model"],
                "it is left out; right for a rig that has more than this model",
            ),
            Self::ClipStill => (
                Note,
                CLIP,
                ["moves no joint", "move no joint"],
                "a pose, not a motion: right for a stance; else check which range was exported",
            ),
            Self::ScaleKeys => (
                Note,
                JOINT,
                ["is scaled", "are scaled"],
                "drawn as it is said, normals too; engines that keep only rotation and translation lose it: bake it into the mesh",
            ),
            Self::RotationLength => (
                Note,
                ["rotation key", "rotation keys"],
                ["is not of length 1", "are not of length 1"],
                "made so when it is read; programs that do not, shear the model: normalize the keys at the export",
            ),
        };
        Words { severity, things, claim, advice }
    }

    /// Its severity.
    #[must_use]
    pub fn severity(self) -> Severity {
        self.words().severity
    }
}

/// One thing that is wrong, everywhere it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Problem {
    /// What.
    pub kind: Kind,
    /// Its severity.
    pub severity: Severity,
    /// Number of vertices, triangles, joints… that have it.
    pub count: usize,
    /// Of how many.
    pub of: usize,
    /// One sentence with the counts.
    pub message: String,
    /// The first location, in words; empty where the sentence says it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub first: String,
    /// Advice.
    pub advice: &'static str,
    /// Where: all of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// The reader of the file has warned of it.
    #[serde(skip)]
    pub is_told: bool,
}

impl Problem {
    /// A problem with its sentence; `detail` ends it.
    fn new(kind: Kind, count: usize, of: usize, detail: &str) -> Self {
        let Words { severity, things, claim, advice } = kind.words();
        let many = usize::from(count != 1);
        let of_many = usize::from(of != 1);
        let message = match count == of && count == 1 {
            true => format!("1 {} {}{detail}", things[0], claim[0]),
            false => format!("{count} of {of} {} {}{detail}", things[of_many], claim[many]),
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
    /// Vertices of the mesh as its file counts them, rising.
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

/// A problem of single vertices or triangles, gathered mesh by mesh.
struct Gathered {
    kind: Kind,
    count: usize,
    of: usize,
    first: String,
    places: Vec<Place>,
}

impl Gathered {
    fn new(kind: Kind) -> Self {
        Self { kind, count: 0, of: 0, first: String::new(), places: Vec::new() }
    }

    /// Adds the vertices of a mesh that have the problem, of so many.
    fn vertices(&mut self, model: &Model, index: usize, vertices: Vec<u32>, of: usize) {
        self.of += of;
        self.count += vertices.len();
        if let Some(&first) = vertices.first() {
            if self.places.is_empty() {
                self.first = vertex_text(model, index, first);
            }
            self.places.push(Place { mesh: Some(index), vertices, ..Place::default() });
        }
    }

    /// Adds the triangles of a mesh that have the problem, of so many.
    fn triangles(&mut self, model: &Model, index: usize, triangles: Vec<usize>, of: usize) {
        self.of += of;
        self.count += triangles.len();
        if let Some(&first) = triangles.first() {
            if self.places.is_empty() {
                self.first = triangle_text(model, index, first);
            }
            self.places.push(Place { mesh: Some(index), triangles, ..Place::default() });
        }
    }

    fn into_problem(self, detail: &str) -> Option<Problem> {
        (self.count > 0).then(|| Problem {
            first: self.first,
            places: self.places,
            ..Problem::new(self.kind, self.count, self.of, detail)
        })
    }
}

/// A problem of joints; none without any.
fn of_joints(kind: Kind, joints: Vec<String>, of: usize, clip: Option<&str>) -> Option<Problem> {
    let clip = clip.map(str::to_owned);
    (!joints.is_empty()).then(|| Problem {
        places: vec![Place { clip, joints: joints.clone(), ..Place::default() }],
        ..Problem::new(kind, joints.len(), of, "")
    })
}

/// `mesh 0 "body"`
fn mesh_text(model: &Model, index: usize) -> String {
    match model.meshes.get(index).map(|mesh| mesh.name.as_str()) {
        Some("") | None => format!("mesh {index}"),
        Some(name) => format!("mesh {index} {name:?}"),
    }
}

/// `vertex 3 of mesh 0 "body", on spine and neck`
fn vertex_text(model: &Model, index: usize, vertex: u32) -> String {
    let place = format!("vertex {vertex} of {}", mesh_text(model, index));
    let Some(mesh) = model.meshes.get(index) else { return place };
    let influences = mesh.influences.get(mesh.influences_of(vertex as usize)).unwrap_or_default();
    let mut names: Vec<&str> = Vec::new();
    for influence in influences {
        let name =
            model.skeleton.joints().get(influence.joint().index()).map_or("", |joint| &joint.name);
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    match names.len() {
        0 => place,
        1..=4 => format!("{place}, on {}", names.join(", ")),
        more => format!("{place}, on {} and {} more joints", names[..3].join(", "), more - 3),
    }
}

/// `triangle 5 of mesh 0 "body" (vertices 1, 2 and 3)`
fn triangle_text(model: &Model, index: usize, triangle: usize) -> String {
    let place = format!("triangle {triangle} of {}", mesh_text(model, index));
    let Some(mesh) = model.meshes.get(index) else { return place };
    match mesh.triangles.get(triangle).map(|corners| corners.map(|vertex| mesh.file_vertex(vertex)))
    {
        Some([a, b, c]) => format!("{place} (vertices {a}, {b} and {c})"),
        None => place,
    }
}

/// Position of each vertex of a mesh in the bind pose, copies included.
fn bind_positions(mesh: &Mesh, bind: &[Affine3]) -> Vec<Vec3> {
    (0..mesh.vertex_count())
        .map(|vertex| {
            let mut sum = Vec3::ZERO;
            for influence in mesh.influences_of(vertex) {
                let place = bind[mesh.influences[influence].joint().index()]
                    .transform_point3(mesh.influences[influence].position());
                sum += place * mesh.influences[influence].bias();
            }
            sum
        })
        .collect()
}

/// Looks a model over; `is_textured` says of each mesh whether it is drawn with a picture, and `in_joint_space` whether its file keeps
/// a position for each weight (MD5), which may disagree.
///
/// Problems come in the order of [`Kind::ALL`], each kind once.
#[must_use]
pub fn check_model(model: &Model, is_textured: &[bool], in_joint_space: bool) -> Vec<Problem> {
    let bind: Vec<Affine3> =
        model.skeleton.joints().iter().map(|joint| joint.model_from_joint).collect();
    let positions: Vec<Vec<Vec3>> =
        model.meshes.iter().map(|mesh| bind_positions(mesh, &bind)).collect();
    let mut problems = weights::check(model, &bind, &positions, in_joint_space);
    problems.extend(surface::check(model, &positions, is_textured));
    problems.sort_by_key(|problem| problem.kind);
    problems
}
