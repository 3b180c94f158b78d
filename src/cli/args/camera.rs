//! Words for cameras that several commands share.

use clap::ValueEnum;
use tintype_scene::camera::VIEWS;

/// A usual direction of a camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// Azimuth 45, elevation 30 (the arc sine of 1/2): two pixels across are one up
    Dimetric,
    /// Azimuth 45, elevation 35.264: three axes look equally long
    Isometric,
    /// Azimuth 0, elevation 0
    Front,
    /// Azimuth 180, elevation 0
    Back,
    /// Azimuth 90, elevation 0
    Side,
    /// Elevation 90
    Top,
}

impl View {
    /// The word of a scene, azimuth and elevation.
    pub(crate) fn parts(self) -> (&'static str, f64, f64) {
        let index = match self {
            Self::Dimetric => 0,
            Self::Isometric => 1,
            Self::Front => 2,
            Self::Back => 3,
            Self::Side => 4,
            Self::Top => 5,
        };
        let (word, [azimuth, elevation]) = VIEWS[index];
        (word, azimuth, elevation)
    }
}

/// A projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProjectionWord {
    /// Distant things are smaller
    Perspective,
    /// All rays are parallel
    Orthographic,
}

impl ProjectionWord {
    /// The word of a scene.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Perspective => "perspective",
            Self::Orthographic => "orthographic",
        }
    }
}
