//! Kinds of evidence for the orientation of a model, and their votes.

use tintype_model::math::Vec3;

/// Evidence of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cue {
    /// The axis that files of the format have up.
    UpConvention,
    /// A head over feet.
    HeadOverFeet,
    /// Legs that hang from their first joints.
    LegsHang,
    /// A box that begins at 0 along one axis alone.
    StandsOnZero,
    /// A figure that would otherwise lie flat.
    Tall,
    /// The axis that files of the format have ahead.
    FrontConvention,
    /// Toes before feet.
    Toes,
    /// Parts of a face before the head.
    Face,
    /// A head before a tail.
    HeadAndTail,
    /// Forelegs before hind legs.
    LegPairs,
    /// Names of left and right joints.
    Sides,
    /// A head far from the middle.
    HeadAhead,
    /// Things worn on the back, and hair, behind the trunk.
    WornOnBack,
    /// Soles before shins, in the mesh.
    MeshFeet,
    /// The mirror plane of the mesh.
    Symmetry,
    /// The broader side at the height of the chest.
    Breadth,
}

impl Cue {
    /// The cue in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::UpConvention | Self::FrontConvention => "convention of the format",
            Self::HeadOverFeet => "head over feet",
            Self::LegsHang => "legs hang from their joints",
            Self::StandsOnZero => "stands on 0",
            Self::Tall => "would otherwise lie flat",
            Self::Toes => "toes before feet",
            Self::Face => "face before head",
            Self::HeadAndTail => "head before tail",
            Self::LegPairs => "forelegs before hind legs",
            Self::Sides => "left and right joints",
            Self::HeadAhead => "head far from the middle",
            Self::WornOnBack => "hair or a load behind the torso",
            Self::MeshFeet => "soles before shins",
            Self::Symmetry => "plane of symmetry",
            Self::Breadth => "breadth of the chest",
        }
    }

    /// True if it reads names of joints.
    #[must_use]
    pub fn reads_names(self) -> bool {
        !matches!(
            self,
            Self::UpConvention
                | Self::FrontConvention
                | Self::StandsOnZero
                | Self::Tall
                | Self::MeshFeet
                | Self::Symmetry
                | Self::Breadth
        )
    }
}

/// Vote of a cue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vote {
    /// The evidence.
    pub cue: Cue,
    /// The supported direction, of length 1.
    pub direction: Vec3,
    /// True if it equally supports the opposite direction.
    pub is_line: bool,
    /// Its weight.
    pub weight: f32,
}

impl Vote {
    pub(super) fn new(cue: Cue, direction: Vec3, weight: f32) -> Self {
        Self { cue, direction, is_line: false, weight }
    }

    pub(super) fn of_line(cue: Cue, direction: Vec3, weight: f32) -> Self {
        Self { cue, direction, is_line: true, weight }
    }

    /// Agreement with a direction of length 1: from -1 to 1.
    #[must_use]
    pub fn agreement(&self, direction: Vec3) -> f32 {
        let cosine = self.direction.dot(direction);
        if self.is_line { 2.0 * cosine * cosine - 1.0 } else { cosine }
    }
}
