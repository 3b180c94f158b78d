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
    /// A part of unknown kind
    UnknownPart "unknown-part" LeftOut "nothing; reading continues after it";
    /// Bytes or documents after the end of the data
    Leftover "leftover" LeftOut "the data before them";
    /// A truncated file or list
    Truncated "truncated" LeftOut costs_triangles "the available part";
    /// A list with fewer or more entries than it declares
    CountMismatch "count-mismatch" Replaced costs_triangles "the available entries";
    /// A value that is missing
    MissingValue "missing-value" Replaced costs_triangles "the default value";
    /// A value of the wrong type, or a word unknown to the format
    WrongType "wrong-type" Replaced costs_triangles "the word in another case, otherwise the format's default";
    /// A number out of range
    OutOfRange "out-of-range" Replaced costs_triangles "the nearest number in the range, otherwise the format's default";
    /// A number that is NaN or infinite
    NotFinite "not-finite" Replaced costs_triangles "computed normals and tangents; 1 for colours, 0 for other values";
    /// Numbers of an accessor outside its declared bounds
    OutOfBounds "out-of-bounds" Kept "the numbers unchanged";
    /// An index or name without a target
    BadReference "bad-reference" LeftOut costs_triangles "everything except the triangle, influence or part with the reference";
    /// A part or property that appears twice
    Duplicate "duplicate" LeftOut "one of them, named in the message";
    /// Vertex or face values of the wrong count or type
    WrongShape "wrong-shape" LeftOut costs_triangles "the defaults of vertices without such values";
    /// A malformed part: a list, table or object of the wrong form
    Malformed "malformed" LeftOut costs_triangles "everything except the part";
    /// A face with fewer than 3 corners, or corners that do not form whole triangles
    FewCorners "few-corners" LeftOut costs_triangles "the other faces";
    /// A polygon too large for exact triangulation
    LargePolygon "large-polygon" Replaced "a fan of triangles";
    /// A mesh or part without anything to draw
    Empty "empty" LeftOut "the other meshes";
    /// A vertex without a weight
    NoWeight "no-weight" Replaced "the first joint of the mesh, the mesh's frame, or in MD5 the origin";
    /// Weights that do not sum to 1
    WeightSum "weight-sum" Replaced "normalized weights; in MD5 and `.x` the file's weights";
    /// A rotation or direction not of length 1
    NotUnit "not-unit" Replaced "the same direction, normalized";
    /// A rotation of length 0
    ZeroRotation "zero-rotation" Replaced "no rotation; in a clip the other keys";
    /// Normals that point into the mesh
    InwardNormals "inward-normals" Replaced "flipped normals, if most faces are affected";
    /// A matrix with skewed axes
    Skewed "skewed" Replaced "the nearest scale and rotation";
    /// Key times that are equal, negative, not finite or not in order
    KeyTimes "key-times" Replaced "keys sorted by time; equal times are a jump, and negative times lie before the clip";
    /// Cuts of a recorded camera out of order
    UnsortedCuts "unsorted-cuts" Replaced "sorted cuts";
    /// A channel of a clip that cannot be read
    BadChannel "bad-channel" LeftOut "the other channels; the joint keeps its pose";
    /// Clip tracks for joints or morph targets missing from the model
    NoTarget "no-target" LeftOut "the other tracks";
    /// Joints not named in the clip, in an equal hierarchy
    ByIndex "by-index" StandIn "the clip's joints by index";
    /// A clip whose file has another rest pose than the model
    OtherRest "other-rest" Replaced "rotations transferred between the rest poses, and hip motion scaled by leg length; if the skeletons differ only in pose, the clip unchanged";
    /// Clips of one file that disagree about their options
    MixedOptions "mixed-options" Replaced "one option for all, named in the message";
    /// A node with two parents, or below itself
    Hierarchy "hierarchy" LeftOut "the first listed parent";
    /// A scene that lists a child node
    SceneChild "scene-child" Replaced "the node once, below its parent, placed by all of its ancestors";
    /// A skin joint outside the scene
    JointOutside "joint-outside" Kept "the joint, posed like joints in the scene";
    /// A skin that cannot be used
    BadSkin "bad-skin" LeftOut costs_triangles "the mesh on its node";
    /// A damaged block of a compressed file
    DamagedBlock "damaged-block" Replaced "the recovered bytes";
    /// Points, lines, curves and other parts that are not drawn
    NotDrawn "not-drawn" LeftOut "the triangles";
    /// An effect drawn only in part, or an extension not drawn
    Effect "effect" LeftOut "the surface without the effect";
    /// A required extension or palette replaced by an approximation
    Approximated "approximated" StandIn "the substitute named in the message";
    /// A texture without a readable picture
    NoPicture "no-picture" StandIn "the material without the texture";
    /// A missing material or material file
    NoMaterial "no-material" StandIn "a plain material";
    /// More warnings than are listed for one file
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
