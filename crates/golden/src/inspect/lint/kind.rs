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
    BiasSum: Warning, VERTEX, ["has biases that do not sum to 1", "have biases that do not sum to 1"],
        "the surface shrinks or swells there: normalize the weights before the export";
    NegativeBias: Warning, VERTEX, ["has a negative bias", "have a negative bias"],
        "it moves against its joint: paint these weights again";
    FlippedTriangle: Warning, TRIANGLE, ["faces the other way than its neighbours", "face the other way than their neighbours"],
        "light comes from the wrong side there, and engines that cull show holes: make the faces of the mesh consistent";
    InwardSurface: Warning, ["closed surface", "closed surfaces"], ["shows its front inside", "show their front inside"],
        "right for a room or a sky; anything else is inside out: flip its faces";
    NoTexcoords: Warning, MESH, ["has a texture but one texture coordinate everywhere", "have a texture but one texture coordinate everywhere"],
        "a single texel colours all of it: unwrap it, or check that the exporter writes coordinates";
    ClipMisfit: Warning, CLIP, ["cannot move the model", "cannot move the model"],
        "it belongs to another rig, or joints were renamed: export both from one scene";
    ClipOtherParent: Warning, JOINT, ["hangs on another parent in the clip than in the model", "hang on another parent in the clip than in the model"],
        "drawn by the clip's own hierarchy, as its poses are made for it; engines that go by index refuse or twist it: export both from one rig";
    ClipOtherSize: Warning, CLIP, ["has bones of another length than the model", "have bones of another length than the model"],
        "model and clip were exported at different scales: apply the scale of the armature and use one unit for both";
    ClipStrobe: Warning, CLIP, ["has so many keys a second that it flickers", "have so many keys a second that they flicker"],
        "the time of its keys is wrong: check the ticks a second of the file, or set ticks_per_second in a scene";
    NormalsInward: Warning, TRIANGLE, ["has normals that point away from its front", "have normals that point away from their front"],
        "it is lit from behind: turn the normals with the faces, or compute them anew before the export";
    LodsTogether: Warning, MESH, ["is a level of detail that is drawn inside others", "are levels of detail that are drawn inside each other"],
        "surfaces flicker through each other: hide all but one, or give the others a file of their own";
    EmptyMesh: Warning, MESH, ["has no triangle", "have no triangle"],
        "nothing is drawn for it: check what was selected, and that modifiers left something of it";
    TinyBias: Note, ["influence", "influences"], ["pulls with less than 0.001", "pull with less than 0.001"],
        "nobody sees it and it takes time: prune small weights before the export";
    ManyInfluences: Note, VERTEX, ["has more than 4 influences", "have more than 4 influences"],
        "all of them count here; engines that keep 4 a vertex pose it a little otherwise";
    WeightsApart: Note, VERTEX, ["has weights that disagree where it is in the bind pose", "have weights that disagree where they are in the bind pose"],
        "summed in joint space here, as the engine of the format does; tools that bake one bind position draw the model slightly off";
    UnusedJoint: Note, JOINT, ["pulls nothing, nor do those below it", "pull nothing, nor do those below them"],
        "right for tags and attachment points; else it takes time in every pose and nothing else";
    JointNameTwice: Note, JOINT, ["has the name of an earlier one", "have the name of an earlier one"],
        "clips find the first by the first and the second by the second; other programs mix them up: rename";
    DegenerateTriangle: Note, TRIANGLE, ["has no area", "have no area"],
        "nothing is drawn for it: merge doubled vertices and delete what collapses";
    DuplicateTriangle: Note, TRIANGLE, ["lies on another that faces the same way", "lie on others that face the same way"],
        "only the first is seen: delete the copy";
    UnreferencedVertex: Note, VERTEX, ["belongs to no triangle", "belong to no triangle"],
        "never drawn, and skinned all the same: delete loose vertices";
    NonManifoldEdge: Note, ["edge", "edges"], ["joins three triangles or more", "join three triangles or more"],
        "no closed surface has it, so the mesh is drawn two-sided: look for inner faces";
    ClipMissingJoint: Note, JOINT, ["of the model is not in the clip", "of the model are not in the clip"],
        "it keeps its place on its parent; no vertex hangs on it";
    ClipExtraJoint: Note, JOINT, ["of the clip is not in the model", "of the clip are not in the model"],
        "it is left out; right for a rig that has more than this model";
    ClipStill: Note, CLIP, ["moves no joint", "move no joint"],
        "a pose, not a motion: right for a stance; else check which range was exported";
    ClipBounds: Note, ["frame", "frames"], ["has bounds that do not hold the mesh", "have bounds that do not hold the mesh"],
        "not used here; engines that cull by them drop the model at the edge of the picture: export the clip with this mesh";
    ClipCarries: Note, CLIP, ["carries the model away", "carry the model away"],
        "the camera has to hold all of its way, so the model is small in the picture: --root hold, or root = \"hold\" in a scene, keeps it in place";
    ScaleKeys: Note, JOINT, ["is scaled", "are scaled"],
        "drawn as it is said, normals too; engines that keep only rotation and translation lose it: bake it into the mesh";
    RotationLength: Note, ["rotation key", "rotation keys"], ["is not of length 1", "are not of length 1"],
        "made so when it is read; programs that do not, shear the model: normalize the keys at the export";
}

impl Kind {
    /// Its severity.
    #[must_use]
    pub fn severity(self) -> Severity {
        self.words().severity
    }
}
