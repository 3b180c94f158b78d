//! Faults of files that do not cost the picture: every kind that a reader mends, with its class and the value that is used instead.
//!
//! A reader makes a [`Warning`] from a [`FileRepair`] alone, so that no fault is mended that is not declared here. A fault that makes
//! the wanted picture impossible is an error of its reader. `docs/faults.md` shows this declaration.

use std::path::Path;
use tintype_base::diagnostic::{Diagnostic, Kind, Place};

/// The cost of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultClass {
    /// The part is not drawn.
    LeftOut,
    /// A value is used in place of the one that is written.
    Replaced,
    /// The value is used as it is written.
    Kept,
    /// Something else is shown that a viewer may take for the model's own look or motion.
    StandIn,
}

impl FaultClass {
    /// The words of the page.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::LeftOut => "skipped",
            Self::Replaced => "replaced",
            Self::Kept => "kept",
            Self::StandIn => "stand-in",
        }
    }
}

/// Declares the faults, each with its description (also the text of the page), its class, whether it may cost triangles, and the value
/// that is used.
macro_rules! faults {
    (@) => { false };
    (@costs_triangles) => { true };
    ($(#[doc = $what:literal] $name:ident $slug:literal $class:ident $($costs:ident)? $used:literal;)*) => {
        /// A kind of fault that readers mend.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum FileRepair {
            $(#[doc = $what] $name,)*
        }

        impl FileRepair {
            /// All kinds, in the order of the page.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name of the variant, as source and tests write it.
            #[must_use]
            pub const fn variant(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// Its name for programs.
            #[must_use]
            pub const fn slug(self) -> &'static str {
                match self { $(Self::$name => $slug,)* }
            }

            /// Its description, without a full stop.
            #[must_use]
            pub const fn what(self) -> &'static str {
                match self { $(Self::$name => $what.trim_ascii(),)* }
            }

            /// Its cost.
            #[must_use]
            pub const fn class(self) -> FaultClass {
                match self { $(Self::$name => FaultClass::$class,)* }
            }

            /// Whether it may cost triangles, so that a model without any is a damaged one.
            #[must_use]
            pub const fn may_cost_triangles(self) -> bool {
                match self { $(Self::$name => faults!(@$($costs)?),)* }
            }

            /// The value that is used.
            #[must_use]
            pub const fn used(self) -> &'static str {
                match self { $(Self::$name => $used,)* }
            }
        }
    };
}

faults! {
    /// A part of an unknown kind
    UnknownPart "unknown-part" LeftOut "nothing; reading continues after it";
    /// Bytes or documents after the end of the data
    Leftover "leftover" LeftOut "the data before them";
    /// A file, or a list in it, that ends too early
    Truncated "truncated" LeftOut costs_triangles "the part that exists";
    /// A list with fewer or more entries than it declares
    CountMismatch "count-mismatch" Replaced costs_triangles "the entries that exist";
    /// A missing value
    MissingValue "missing-value" Replaced costs_triangles "the default";
    /// A value of the wrong type, or a word unknown to the format
    WrongType "wrong-type" Replaced costs_triangles "the word in another case, otherwise the format's default";
    /// A number outside its range
    OutOfRange "out-of-range" Replaced costs_triangles "the nearest number in the range, otherwise the format's default";
    /// A number that is NaN or infinite
    NotFinite "not-finite" Replaced costs_triangles "computed normals, tangents perpendicular to them; 1 for colours, 0 for others";
    /// Numbers of an accessor outside the bounds that it declares
    OutOfBounds "out-of-bounds" Kept "the numbers, unchanged";
    /// An index or a name that refers to nothing
    BadReference "bad-reference" LeftOut costs_triangles "everything except the triangle, influence or part that refers to it";
    /// A part, or a property of one, that is given twice
    Duplicate "duplicate" LeftOut "one of the two, which the message names";
    /// Values of vertices or faces with the wrong count or type
    WrongShape "wrong-shape" LeftOut costs_triangles "the defaults of vertices without such values";
    /// A part that cannot be parsed: a list, table or object of another form
    Malformed "malformed" LeftOut costs_triangles "everything except the part";
    /// A face with fewer than 3 corners, or corners that do not form whole triangles
    FewCorners "few-corners" LeftOut costs_triangles "the other faces";
    /// A polygon too large for careful triangulation
    LargePolygon "large-polygon" Replaced "a fan of triangles";
    /// A mesh, or a part of one, without anything to draw
    Empty "empty" LeftOut "the other meshes";
    /// A vertex without a weight
    NoWeight "no-weight" Replaced "glTF: the first joint of the mesh; `.x`: the frame of the mesh; MD5: the origin";
    /// Weights that do not sum to 1
    WeightSum "weight-sum" Replaced "weights scaled to sum to 1; in MD5 and `.x` the weights of the file";
    /// A rotation or a direction whose length is not 1
    NotUnit "not-unit" Replaced "the same rotation or direction with length 1";
    /// A rotation of length 0
    ZeroRotation "zero-rotation" Replaced "no rotation; in a clip, the other keys";
    /// Normals that point into the mesh
    InwardNormals "inward-normals" Replaced "the opposite normals, if those of most faces point inward";
    /// A matrix with skewed axes
    Skewed "skewed" Replaced "the nearest scale and rotation";
    /// Key times that are equal, negative, not finite or out of order
    KeyTimes "key-times" Replaced "keys sorted by time; equal times are a jump, and times below 0 lie before the clip";
    /// Cuts of a recorded camera that are out of order
    UnsortedCuts "unsorted-cuts" Replaced "sorted cuts";
    /// A channel of a clip that cannot be read
    BadChannel "bad-channel" LeftOut "the other channels; the joint keeps its pose";
    /// Tracks of a clip for joints or morph targets that the model lacks
    NoTarget "no-target" LeftOut "the other tracks";
    /// Joints that a clip does not name, in a hierarchy equal to the clip's
    ByIndex "by-index" StandIn "the joints of the clip by their index";
    /// A clip of a file whose rest skeleton differs from the model's
    OtherRest "other-rest" Replaced "rotations retargeted from rest to rest, and the motion of the hips scaled by the length of the legs; if only the pose of the skeleton differs, the clip unchanged";
    /// Clips of one file with contradictory options
    MixedOptions "mixed-options" Replaced "one option for all, which the message names";
    /// A glTF node or joint with two parents, or below itself
    Hierarchy "hierarchy" LeftOut "the first parent in the file";
    /// A scene that lists a glTF node that has a parent
    SceneChild "scene-child" Replaced "the node once, below its parent, placed by all of its ancestors";
    /// A joint of a skin outside the scene
    JointOutside "joint-outside" Kept "the joint, posed like joints of the scene";
    /// A skin that cannot be used
    BadSkin "bad-skin" LeftOut costs_triangles "the mesh on its glTF or FBX node";
    /// A damaged block of a compressed file
    DamagedBlock "damaged-block" Replaced "the bytes that it encodes";
    /// Points, lines, curves and others that are not drawn
    NotDrawn "not-drawn" LeftOut "the triangles";
    /// An effect that is drawn in part, or an extension that is not drawn
    Effect "effect" LeftOut "the surface without the effect";
    /// A required extension or palette, drawn approximately
    Approximated "approximated" StandIn "the approximation that the message names";
    /// A texture without a readable picture
    NoPicture "no-picture" StandIn "the material without the texture";
    /// A missing material, or a missing material file
    NoMaterial "no-material" StandIn "a plain material";
    /// More warnings of one file than are listed
    MoreWarnings "more-warnings" LeftOut "their number";
}

impl FileRepair {
    /// A warning of this kind about a line, from 1; 0 where no single line is meant.
    pub fn at(self, line: usize, message: impl Into<String>) -> Warning {
        Warning { fault: self, line, message: message.into() }
    }

    /// A warning of this kind whose message names its position.
    pub fn told(self, message: impl Into<String>) -> Warning {
        self.at(0, message)
    }
}

/// A fault of a file that can be drawn all the same, with the line where it was seen; made by [`FileRepair::at`] and [`FileRepair::told`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Its kind.
    pub fault: FileRepair,
    /// The line of the file, from 1; 0 where no single line is meant.
    pub line: usize,
    /// The finding, and its consequence.
    pub message: String,
}

impl Warning {
    /// Whether the picture shows something else in place of what is missing.
    #[must_use]
    pub const fn is_stand_in(&self) -> bool {
        matches!(self.fault.class(), FaultClass::StandIn)
    }

    /// The diagnostic of a file that has it.
    #[must_use]
    pub fn in_file(self, kind: Kind, path: impl AsRef<Path>) -> Diagnostic {
        let is_stand_in = self.is_stand_in();
        let told = Diagnostic::warning(kind, Place::file(path, self.line), self.message);
        if is_stand_in { told.as_stand_in() } else { told }
    }
}
