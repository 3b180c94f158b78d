//! Kinds of changes of a part of a model or a scene.

use serde::{Deserialize, Serialize};

/// A kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    // 1. Presence, names and order.
    /// It was removed. `was` may contain its values, or `was` and `is` the numbers of its kind.
    Removed,
    /// It was added.
    Added,
    /// A joint no longer belongs to the clip; a clip is no longer played.
    Left,
    /// A joint was added to the clip; a clip is now played.
    Joined,
    /// `was` (the subject itself if none) was renamed to `is`, as were `more` others.
    Renamed,
    /// The same elements in another order: `elements` are the first two that changed places. For a
    /// mesh, also with merged duplicates.
    Reordered,
    /// The same surface with other vertices: in another order, or merged.
    SameSurface,
    /// Its parent changed from `was` to `is`. None for no parent.
    Reparented,
    /// Their number changed from `was` to `is`.
    CountChanged,
    /// Their number, or size, is `is`; the limit is `was`.
    AboveLimit,

    // 2. Movement: `by` in degrees, distances and factors.
    /// It moved, and perhaps turned: a joint at a time, in a key, in the bind pose, or its offset
    /// matrix. `more` descendants follow.
    Moved,
    /// It turned, and perhaps moved.
    Turned,
    /// It is scaled otherwise.
    Scaled,
    /// A joint and its vertices moved relative to each other, but the mesh did not.
    MovedAgainst,
    /// Vertices of a mesh moved with its joints: no cause.
    Carried,
    /// Vertices of a mesh moved by themselves, as weights or positions changed (the property).
    /// `elements` are the farthest one, and the farthest without the joints if different.
    Deformed,
    /// All moved to a grid, within an amount.
    Quantized,
    /// It changed below the shown digits.
    Rounded,
    /// It moved or changed, but only digests are kept for so many, or the element cannot be
    /// identified.
    Unkept,

    // 3. Clips.
    /// The clip has keys (or ticks) at another rate.
    RateChanged,
    /// The clip lasts longer or shorter.
    DurationChanged,
    /// The clip repeats after another time.
    PeriodChanged,
    /// The keys are at other times.
    KeysMoved,
    /// The course between keys is another one.
    InterpolationChanged,
    /// Tangents of splines changed.
    TangentsChanged,
    /// Other keys of the same motion; with a property or amounts, of nearly the same.
    Resampled,
    /// A clip cannot move its model; `is` is the reason.
    Misfit,

    // 4. Meshes and weights.
    /// The corners of triangles, or their order, changed.
    CornersChanged,
    /// Elements of the subject changed: vertex colours, texture coordinates, normals; weights of a
    /// joint.
    ElementsChanged,
    /// All elements changed by one amount or one factor.
    AllChanged,
    /// The elements changed, but nothing uses them.
    UnusedChanged,
    /// Vertices are bound to other joints: `is` and `was` name them.
    PulledOtherwise,
    /// A morph target moves vertices otherwise.
    MovesOtherwise,
    /// A morph target turns normals or tangents differently.
    TurnsOtherwise,

    // 5. Values and files.
    /// The property (or the subject, such as the weight of a target) changed from `was` to `is`.
    /// None for the default.
    ValueChanged,
    /// It has `is` as its property, and had `was`: another material or texture.
    Replaced,
    /// A texture is used differently: filter, edges, coordinates.
    UseChanged,
    /// A texture of the same name has other pixels.
    TexelsChanged,
    /// The contents of the files changed.
    FileChanged,
    /// Files differ in spelling but not in content.
    Respelled,

    // 6. Pictures.
    /// A mesh covers another number of pixels.
    Covers,
    /// Other triangles are visible, because of their order or culled side.
    SeenOtherwise,
    /// The pixels differ, but no earlier stage does.
    PixelsChanged,
    /// Another program drew it: `was` and `is` are pixel revisions.
    Redrawn,
    /// No picture could be drawn; `is` is the reason.
    NotDrawn,
    /// The picture has another size.
    Resized,

    /// `more` further findings of the same kind, which are not listed.
    More,
}
