//! The camera of a scene, and its position in each frame.
//!
//! Input: the checked `[camera]` table, the frame, and facts about the models: their centre, the
//! distance at which they fit into the picture, and their front. Output: a [`Camera`]. `render`
//! computes the fit, because it needs posed models.

mod matrix;
mod read;
mod track;

pub(super) use read::read;
pub use track::CameraPoint;

use super::bounds::narrow;
use super::frame_number::FramePosition;
use super::model::SetChoice;
use super::value::Ramp;
use tintype_model::math::{Vec3, func, max, min, unit_or};
use tintype_model::{Camera, CameraClip, CameraConvention, FovAxis, Wrap};

/// Motion of the camera.
#[derive(Clone, Debug, PartialEq)]
pub enum CameraRig {
    /// Around a target.
    Orbit(Orbit),
    /// From a fixed eye.
    LookAt(LookAt),
    /// Along keys of the scene.
    Keys(KeyedCamera),
    /// Along a recorded camera file.
    Md5(RecordedCamera),
    /// A camera in the file of a model, which moves with its instance.
    Model(ModelCamera),
    /// From matrices of intrinsics and extrinsics.
    Matrix(MatrixCamera),
}

/// Target of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// The centre of all models over all frames of the scene.
    Fit,
    /// A fixed point in world space.
    Point(Vec3),
}

/// Target of an orbiting camera, and distance of its eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OrbitTarget {
    /// The centre of the models, from a distance with all of them in the picture in all frames.
    Fit {
        /// Free fraction of the picture on each side, 0 to 0.45.
        margin: f64,
    },
    /// A fixed point from a fixed distance.
    Point {
        /// The point in world space.
        at: Vec3,
        /// Distance of the eye, above 0.
        distance: f64,
    },
}

/// Distances of the near and the far plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClipPlanes {
    /// Near plane; by default a hundredth of the distance to the target.
    pub near: Option<f64>,
    /// Far plane; by default infinitely far.
    pub far: Option<f64>,
}

/// Projection of a camera.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Projection {
    /// Distant things are smaller.
    #[default]
    Perspective,
    /// All rays are parallel.
    Orthographic {
        /// Height of the picture in world units. None to use the fit.
        height: Option<f64>,
    },
}

/// A camera on a sphere around its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// Target and distance.
    pub target: OrbitTarget,
    /// Azimuth: 0 is before the front of the first model, positive is counter-clockwise from above.
    pub azimuth_deg: Ramp,
    /// Angle above the horizon, -90 to 90.
    pub elevation_deg: Ramp,
    /// Vertical field of view; without effect on an orthographic projection.
    pub fov_deg: f64,
    /// Projection.
    pub projection: Projection,
    /// Distances of the near and the far plane.
    pub planes: ClipPlanes,
}

/// A camera at a fixed position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAt {
    /// Eye in world space.
    pub eye: Vec3,
    /// Target.
    pub target: Target,
    /// The direction that is up in the picture.
    pub up: Vec3,
    /// Vertical field of view; without effect on an orthographic projection.
    pub fov_deg: f64,
    /// Projection.
    pub projection: Projection,
    /// Distances of the near and the far plane.
    pub planes: ClipPlanes,
}

/// A camera that moves from key to key; it is fixed before the first key and after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyedCamera {
    /// The keys in the order of their times; at least one.
    pub keys: Vec<CameraPoint>,
    /// True if it moves on a Catmull-Rom curve; otherwise in straight lines from key to key.
    pub smooth: bool,
    /// The direction that is up in the picture.
    pub up: Vec3,
    /// Projection.
    pub projection: Projection,
    /// Distances of the near and the far plane.
    pub planes: ClipPlanes,
}

/// A recorded camera from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedCamera {
    /// The `.md5camera` file, relative to the scene.
    pub file: String,
    /// Time of the recording at time 0 of the scene.
    pub start_s: f64,
    /// Seconds of the recording per second of the scene.
    pub speed: f64,
    /// Behaviour beyond its ends; clamped by default.
    pub wrap: Wrap,
    /// Distances of the near and the far plane.
    pub planes: ClipPlanes,
}

/// A camera in the file of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelCamera {
    /// The name of the instance of the model; by default the first instance.
    pub instance: Option<String>,
    /// The camera of the file; the first if none is chosen.
    pub camera: Option<SetChoice>,
    /// Distances of the near and far planes, overriding those of the file.
    pub planes: ClipPlanes,
}

/// A still camera given by matrices.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixCamera {
    /// Focal lengths, skew and principal point in pixels, from the upper left corner of the
    /// picture: `[fx, skew, cx, fy, cy]`. Without perspective, `fx` and `fy` are the pixels of a
    /// unit of length.
    pub intrinsics: [f64; 5],
    /// Width and height of the picture of the intrinsics, which scale with the picture.
    pub size: [u32; 2],
    /// World space to camera space: rows of the rotation, each with its part of the translation.
    pub extrinsics: [[f64; 4]; 3],
    /// Axes of camera space.
    pub convention: CameraConvention,
    /// True if all rays are parallel.
    pub is_orthographic: bool,
    /// Distances of the near and the far plane.
    pub planes: ClipPlanes,
}

/// Target and distance of a camera that sees all models; zero for cameras that are not fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fit {
    /// The centre of the models over all frames, in world space.
    pub center: Vec3,
    /// Distance of the eye from it.
    pub distance: f32,
    /// Height of an orthographic picture in world units; 0 for a perspective one.
    pub height: f32,
}

impl Fit {
    /// Its numbers, in the order of its fields.
    #[must_use]
    pub fn to_array(self) -> [f32; 5] {
        let [x, y, z] = self.center.to_array();
        [x, y, z, self.distance, self.height]
    }

    /// The fit with these numbers.
    #[must_use]
    pub fn from_array([x, y, z, distance, height]: [f32; 5]) -> Self {
        Self { center: Vec3::new(x, y, z), distance, height }
    }
}

/// Facts about the models that a camera needs.
#[derive(Clone, Copy, Debug)]
pub struct CameraContext<'a> {
    /// Target and distance; read only if [`CameraRig::needs_fit`].
    pub fit: Fit,
    /// Front of the first model in world space.
    pub front: Vec3,
    /// The recording of [`CameraRig::Md5`].
    pub recording: Option<&'a CameraClip>,
    /// The camera of [`CameraRig::Model`] at the time.
    pub placed: Option<Camera>,
}

impl CameraRig {
    /// Elevation of a scene without `[camera]`: slightly above the horizon.
    pub const DEFAULT_ELEVATION_DEG: f64 = 12.0;
    /// Default vertical field of view.
    pub const DEFAULT_FOV_DEG: f64 = 35.0;
    /// Default free fraction of the picture on each side.
    pub const DEFAULT_MARGIN: f64 = 0.06;
    /// Default near plane as a fraction of the distance to the target.
    pub const NEAR_SHARE: f32 = 0.01;
    /// Default near plane of a recorded camera, which has no target.
    pub const RECORDED_NEAR: f64 = 0.1;
    /// Default near plane of a matrix camera, which has no target either.
    pub const MATRIX_NEAR: f64 = 0.05;

    /// True if the camera depends on the positions of the models.
    #[must_use]
    pub fn needs_fit(&self) -> bool {
        match self {
            Self::Orbit(orbit) => matches!(orbit.target, OrbitTarget::Fit { .. }),
            Self::LookAt(look) => look.target == Target::Fit,
            Self::Keys(_) | Self::Md5(_) | Self::Model(_) | Self::Matrix(_) => false,
        }
    }

    /// True if the camera depends on models or on files.
    #[must_use]
    pub fn needs_models(&self) -> bool {
        // An orbit stands before the front of the first model.
        self.needs_fit() || matches!(self, Self::Orbit(_) | Self::Md5(_) | Self::Model(_))
    }

    /// True if the scene makes the camera orthographic; a camera in a model's file states it
    /// itself.
    #[must_use]
    pub fn is_orthographic(&self) -> bool {
        let projection = match self {
            Self::Orbit(orbit) => orbit.projection,
            Self::LookAt(look) => look.projection,
            Self::Keys(keyed) => keyed.projection,
            Self::Md5(_) | Self::Model(_) => Projection::Perspective,
            Self::Matrix(own) => return own.is_orthographic,
        };
        projection != Projection::Perspective
    }

    /// Azimuths of the directions of an orbit that turns in steps; empty for other cameras.
    #[must_use]
    pub fn directions_deg(&self) -> Vec<f64> {
        let Self::Orbit(Orbit { azimuth_deg, .. }) = self else { return Vec::new() };
        let Ramp::Steps { steps, .. } = *azimuth_deg else { return Vec::new() };
        (0..steps as usize).map(|step| azimuth_deg.at(step, steps as usize)).collect()
    }

    /// The camera in one frame.
    ///
    /// # Panics
    /// If this is [`CameraRig::Md5`] and `context` has no recording: `asset` loads it with the
    /// models. If it is [`CameraRig::Model`] and `context` has no camera.
    #[must_use]
    pub fn camera_at(&self, moment: FramePosition, context: &CameraContext<'_>) -> Camera {
        match self {
            Self::Orbit(orbit) => orbit.camera_at(moment, context),
            Self::LookAt(look) => {
                let target = match look.target {
                    Target::Fit => context.fit.center,
                    Target::Point(at) => at,
                };
                let lens = look.projection.lens(look.fov_deg, context.fit.height);
                looking_at(look.eye, target, look.up, lens, look.planes)
            }
            Self::Keys(keyed) => {
                let point = track::point_at(&keyed.keys, keyed.smooth, moment.time_s);
                let lens = keyed.projection.lens(point.fov_deg, 0.0);
                looking_at(point.eye, point.target, keyed.up, lens, keyed.planes)
            }
            Self::Matrix(own) => own.camera(),
            Self::Model(own) => {
                let camera = context.placed.expect("the camera of a model is placed with it");
                let far = own.planes.far.map_or(camera.far, narrow);
                let near = own.planes.near.map_or(camera.near, narrow);
                let is_orthographic = camera.is_orthographic();
                Camera {
                    near: if is_orthographic { near } else { min(near, far * 0.5) },
                    far,
                    ..camera
                }
            }
            Self::Md5(recorded) => {
                let clip = context.recording.expect("a recorded camera comes with its recording");
                let elapsed_s = recorded.start_s + recorded.speed * moment.time_s;
                let key = track::recorded_at(clip, recorded.wrap, elapsed_s);
                let far = recorded.planes.far.map_or(f32::INFINITY, narrow);
                let near = narrow(recorded.planes.near.unwrap_or(Self::RECORDED_NEAR));
                Camera {
                    eye: key.position,
                    world_from_view: tintype_model::math::Mat3::from_quat(key.rotation),
                    fov: FovAxis::Horizontal(key.fov_x_rad),
                    near: min(near, far * 0.5),
                    far,
                }
            }
        }
    }
}

impl Projection {
    fn lens(self, fov_deg: f64, fit_height: f32) -> FovAxis {
        match self {
            Self::Perspective => FovAxis::Vertical(func::radians(narrow(fov_deg))),
            Self::Orthographic { height } => {
                let height = height.map_or(fit_height, narrow);
                FovAxis::Parallel(max(height, f32::MIN_POSITIVE))
            }
        }
    }
}

impl Orbit {
    /// The direction from the target to the eye, and the perpendicular up direction in the picture.
    #[must_use]
    pub fn directions(&self, moment: FramePosition, front: Vec3) -> (Vec3, Vec3) {
        let FramePosition { k, n, .. } = moment;
        let azimuth = func::radians(narrow(self.azimuth_deg.at(k, n) % 360.0));
        let elevation = func::radians(narrow(self.elevation_deg.at(k, n)));
        // A model that faces straight up or down has no horizontal front.
        let ahead = unit_or(Vec3::new(front.x, 0.0, front.z), Vec3::Z);
        let aside = Vec3::Y.cross(ahead);
        let level = ahead * func::cos(azimuth) + aside * func::sin(azimuth);
        let (sin, cos) = (func::sin(elevation), func::cos(elevation));
        // Directly above the target, the up direction continues that of lower elevations, so that
        // the picture does not jump.
        (level * cos + Vec3::Y * sin, Vec3::Y * cos - level * sin)
    }

    fn camera_at(&self, moment: FramePosition, context: &CameraContext<'_>) -> Camera {
        let (target, distance) = match self.target {
            OrbitTarget::Fit { .. } => (context.fit.center, context.fit.distance),
            OrbitTarget::Point { at, distance } => (at, narrow(distance)),
        };
        let (back, up) = self.directions(moment, context.front);
        let lens = self.projection.lens(self.fov_deg, context.fit.height);
        looking_at(target + back * distance, target, up, lens, self.planes)
    }
}

fn looking_at(eye: Vec3, target: Vec3, up: Vec3, fov: FovAxis, planes: ClipPlanes) -> Camera {
    let far = planes.far.map_or(f32::INFINITY, narrow);
    let distance = min((target - eye).length(), far);
    let usual = max(distance * CameraRig::NEAR_SHARE, f32::MIN_POSITIVE);
    // In an orthographic view nothing is magnified without bounds near the eye, so nothing must be
    // clipped there.
    let is_orthographic = matches!(fov, FovAxis::Parallel(_));
    let near = planes.near.map_or(if is_orthographic { f32::NEG_INFINITY } else { usual }, narrow);
    Camera::looking_at(eye, target, up, fov, near, far)
}

#[cfg(test)]
mod tests;
