//! Kinds of problems with their severity and their fixed words.

use serde::Serialize;

/// Severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Wrong for every use.
    Warning,
    /// Worth knowing; may be intended.
    Note,
}

/// The fixed words of a kind.
pub(super) struct Words {
    pub severity: Severity,
    /// Singular and plural of the counted parts.
    pub things: [&'static str; 2],
    /// Verb phrase for one occurrence, and for several.
    pub claim: [&'static str; 2],
    pub advice: &'static str,
}

const VERTEX: [&str; 2] = ["vertex", "vertices"];
const TRIANGLE: [&str; 2] = ["triangle", "triangles"];
const JOINT: [&str; 2] = ["joint", "joints"];
const CLIP: [&str; 2] = ["clip", "clips"];
const MESH: [&str; 2] = ["mesh", "meshes"];

/// Declares each kind with its words.
macro_rules! kinds {
    ($($kind:ident: $severity:ident, $things:expr, $claim:expr, $advice:literal;)*) => {
        /// Kind of a problem; the words are for machines, and stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
        #[serde(rename_all = "kebab-case")]
        #[expect(missing_docs, reason = "`Kind::words` says what each is")]
        pub enum Kind {
            $($kind,)*
        }

        impl Kind {
            /// All kinds, warnings first.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            pub(super) fn words(self) -> Words {
                let (severity, things, claim, advice) = match self {
                    $(Self::$kind => (Severity::$severity, $things, $claim, $advice),)*
                };
                Words { severity, things, claim, advice }
            }
        }
    };
}

kinds! {
    NoInfluence: Warning, VERTEX, ["has no influence", "have no influence"],
        "it stays behind when the model moves: weight it to a joint, or delete it";
    BiasSum: Warning, VERTEX, ["has weights that do not sum to 1", "have weights that do not sum to 1"],
        "the surface shrinks or swells there: normalize the weights before the export";
    NegativeBias: Warning, VERTEX, ["has a negative weight", "have a negative weight"],
        "it moves against its joint: repaint these weights";
    FlippedTriangle: Warning, TRIANGLE, ["faces the opposite way to its neighbours", "face the opposite way to their neighbours"],
        "it is lit from the wrong side, and engines that cull show holes: make the face orientation consistent";
    InwardSurface: Warning, ["closed surface", "closed surfaces"], ["faces inwards", "face inwards"],
        "correct for a room or a sky; anything else is inside out: flip its faces";
    NoTexcoords: Warning, MESH, ["has a texture but the same texture coordinate everywhere", "have a texture but the same texture coordinate everywhere"],
        "one texel colours the whole mesh: unwrap it, or check that the exporter writes coordinates";
    ClipMisfit: Warning, CLIP, ["cannot move the model", "cannot move the model"],
        "it belongs to another rig, or joints were renamed: export both from the same scene";
    ClipOtherParent: Warning, JOINT, ["has a different parent in the clip and in the model", "have different parents in the clip and in the model"],
        "drawn with the clip's hierarchy, which its poses are made for; engines that match by index reject or twist it: export both from one rig";
    ClipOtherSize: Warning, CLIP, ["has other bone lengths than the model", "have other bone lengths than the model"],
        "model and clip were exported at different scales: apply the armature's scale and use one unit for both";
    ClipStrobe: Warning, CLIP, ["has so many keys per second that it flickers", "have so many keys per second that they flicker"],
        "its key times are wrong: check the file's ticks per second, or set ticks_per_second in a scene";
    NormalsInward: Warning, TRIANGLE, ["has normals that point away from its front", "have normals that point away from their front"],
        "it is lit from behind: flip the normals with the faces, or recompute them before export";
    LodsTogether: Warning, MESH, ["is a level of detail drawn inside others", "are levels of detail drawn inside each other"],
        "surfaces flicker through each other: hide all but one, or move the others to separate files";
    EmptyMesh: Warning, MESH, ["has no triangle", "have no triangle"],
        "it is not drawn: check the export selection and the modifiers";
    TinyBias: Note, ["influence", "influences"], ["has a weight below 0.001", "have a weight below 0.001"],
        "it costs time without a visible effect: prune small weights before export";
    ManyInfluences: Note, VERTEX, ["has more than 4 influences", "have more than 4 influences"],
        "all of them count here; engines that keep 4 per vertex pose it slightly differently";
    WeightsApart: Note, VERTEX, ["has weights that disagree about its position in the bind pose", "have weights that disagree about their position in the bind pose"],
        "summed in joint space here, as the format's engine does; tools that bake one bind position draw it slightly off";
    UnusedJoint: Note, JOINT, ["moves no vertex, nor do its descendants", "move no vertex, nor do their descendants"],
        "correct for tags and attachment points; otherwise it only costs time in every pose";
    JointNameTwice: Note, JOINT, ["has the same name as an earlier one", "have the same name as an earlier one"],
        "clips match them in order here, but other programs mix them up: rename one";
    DegenerateTriangle: Note, TRIANGLE, ["has no area", "have no area"],
        "it is not drawn: merge duplicate vertices and delete collapsed faces";
    DuplicateTriangle: Note, TRIANGLE, ["duplicates another that faces the same way", "duplicate others that face the same way"],
        "only the first is visible: delete the copy";
    UnreferencedVertex: Note, VERTEX, ["belongs to no triangle", "belong to no triangle"],
        "never drawn but still skinned: delete loose vertices";
    NonManifoldEdge: Note, ["edge", "edges"], ["joins three triangles or more", "join three triangles or more"],
        "a closed surface has none, so the mesh is drawn two-sided: look for inner faces";
    ClipMissingJoint: Note, JOINT, ["of the model is not in the clip", "of the model are not in the clip"],
        "it stays fixed to its parent; no vertex is weighted to it";
    ClipExtraJoint: Note, JOINT, ["of the clip is not in the model", "of the clip are not in the model"],
        "it is ignored; correct if the rig has more joints than this model";
    ClipStill: Note, CLIP, ["moves no joint", "move no joint"],
        "it is a pose, not a motion: correct for a stance; otherwise check the exported range";
    ClipBounds: Note, ["frame", "frames"], ["has bounds that do not contain the mesh", "have bounds that do not contain the mesh"],
        "not used here; engines that cull by them drop the model at the edge of the screen: export the clip with this mesh";
    ClipCarries: Note, CLIP, ["moves the model away", "move the model away"],
        "the camera has to fit the whole path, so the model is small in the picture: keep it in place with the setting root = \"hold\"";
    ScaleKeys: Note, JOINT, ["is scaled", "are scaled"],
        "drawn as stored, including normals; engines that keep only rotation and translation lose it: bake it into the mesh";
    RotationLength: Note, ["rotation key", "rotation keys"], ["is not of length 1", "are not of length 1"],
        "normalized on reading; programs that do not do this shear the model: normalize the keys on export";
}

impl Kind {
    /// Its severity.
    #[must_use]
    pub fn severity(self) -> Severity {
        self.words().severity
    }
}
