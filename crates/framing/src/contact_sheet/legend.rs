//! The legend of a contact sheet: what each cell shows, as JSON. `contact-sheet.schema.json` describes it.

use serde::Serialize;
use tintype_model::math::Vec3;
use tintype_model::math::func::atan2_f64;
use tintype_model::{Camera, FovAxis};

/// The legend of a contact sheet; `contact-sheet.schema.json` describes it. Fields may be added while `version` stays.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Legend {
    /// Version of its form.
    pub version: u32,
    /// The program and its version.
    pub program: String,
    /// File name of the model.
    pub model: String,
    /// Width and height of the sheet in pixels.
    pub size: [u32; 2],
    /// Direction in world space that points up.
    pub up: [f64; 3],
    /// Direction in world space that the model faces.
    pub front: [f64; 3],
    /// The scale bar; none where the model has no extent.
    pub scale_bar: Option<ScaleBar>,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
}

/// A rectangle of the sheet in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Area {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// A bar of known length. Without perspective it holds everywhere, else at the middle of the model.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ScaleBar {
    /// Its length in units of the model as it stands in the world.
    pub length: f64,
    /// Its length in pixels.
    pub pixels: f64,
    /// Its position.
    #[serde(rename = "box")]
    pub area: Area,
}

/// One numbered picture.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Cell {
    /// Its number, from 1.
    pub number: usize,
    /// The cell with its caption.
    #[serde(rename = "box")]
    pub area: Area,
    /// The picture in it.
    pub picture: Area,
    /// Name of the clip; none for the bind pose.
    pub clip: Option<String>,
    /// Seconds from the start of the clip.
    pub time_s: Option<f64>,
    /// The side of the model that is seen: `left` is its own left.
    pub view: String,
    /// The camera.
    pub camera: RecordedCamera,
    /// The joints.
    pub joints: Vec<Joint>,
    /// The meshes.
    pub parts: Vec<Part>,
}

/// The camera of a cell, in world space: right-handed, +Y up.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RecordedCamera {
    /// The eye.
    pub eye: [f64; 3],
    /// A point at which it looks.
    pub target: [f64; 3],
    /// Direction that is up in the picture.
    pub up: [f64; 3],
    /// Its projection.
    #[serde(flatten)]
    pub projection: Projection,
}

/// Projection of a camera.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "projection")]
#[non_exhaustive]
pub enum Projection {
    /// Without perspective.
    Orthographic {
        /// Height of the picture in world units.
        height: f64,
    },
    /// With perspective.
    Perspective {
        /// Vertical field of view in degrees.
        fov_deg: f64,
    },
}

/// A joint of a cell.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Its position on the sheet; none behind the camera.
    pub pixel: Option<[f64; 2]>,
    /// Whether it lies in the picture of its cell and no surface hides it.
    pub visible: bool,
    /// World units along the view by which it lies behind the surface that is seen there; none where nothing is seen.
    pub behind: Option<f64>,
}

/// A mesh of a cell.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Part {
    /// Its name.
    pub name: String,
    /// The box around its vertices, hidden or not, within the picture of its cell; none outside.
    #[serde(rename = "box")]
    pub area: Option<Area>,
    /// Number of pixels that show it.
    pub visible_pixels: usize,
}

fn wide(vector: Vec3) -> [f64; 3] {
    vector.to_array().map(f64::from)
}

impl Legend {
    pub(super) fn new(
        model: String,
        size: [u32; 2],
        scale_bar: Option<ScaleBar>,
        front: Vec3,
        cells: Vec<Cell>,
    ) -> Self {
        let program = format!("tintype {}", env!("CARGO_PKG_VERSION"));
        let (up, front) = (wide(Vec3::Y), wide(front));
        Self { version: 1, program, model, size, up, front, scale_bar, cells }
    }

    /// The legend as JSON.
    ///
    /// # Panics
    /// Never: all of it has a form in JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data") + "\n"
    }
}

impl RecordedCamera {
    /// The camera of a picture of that width over height; `center` is a point before it.
    pub(super) fn new(camera: &Camera, center: Vec3, aspect: f32) -> Self {
        let axes = camera.world_from_view;
        let depth = (camera.eye - center).dot(axes.z_axis);
        let (_, tangent) = camera.half_tangents(aspect);
        let projection = match camera.fov {
            FovAxis::Parallel(height) => Projection::Orthographic { height: f64::from(height) },
            _ => {
                let half_rad = atan2_f64(f64::from(tangent), 1.0);
                Projection::Perspective { fov_deg: half_rad * 360.0 / core::f64::consts::PI }
            }
        };
        Self {
            eye: wide(camera.eye),
            target: wide(camera.eye - axes.z_axis * depth),
            up: wide(axes.y_axis),
            projection,
        }
    }
}
