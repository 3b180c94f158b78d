//! Draws the picture of a scene with the model in its centre and a margin around it.
//!
//! The camera is first fitted to all vertices. The visible part may be smaller: hidden faces, holes
//! of a texture, unused vertices. So the drawn picture is measured, the camera is moved, and the
//! picture is drawn again until the margin is right.

use super::limits::ModelDeadline;
use super::skip_reason::{Skip, SkipReason};
use crate::ThumbnailSpec;
use std::sync::Arc;
use tintype_base::diagnostic::chain;
use tintype_model::Camera;
use tintype_model::frame::Frame;
use tintype_model::math::Vec3;
use tintype_raster::RasterOptions;
use tintype_render::asset::Assets;
use tintype_render::{Drawn, RenderError, Renderer, why_nothing_is_seen};
use tintype_scene::{CameraRig, FrameNumber, Look, OrbitTarget, Projection, Scene};

/// The one frame of the scene.
const FRAME: FrameNumber = FrameNumber(0);
/// Most times that the camera is moved.
const MAX_MOVES: usize = 4;
/// Tolerance of the margin and of the centre, as a fraction of the picture.
const TOLERANCE: f64 = 0.012;

/// Draws the one frame of a scene.
pub(super) fn draw(
    scene: &Scene,
    assets: &Arc<Assets>,
    model_deadline: &ModelDeadline,
) -> Result<Frame, Skip> {
    let mut measured = scene.clone();
    // The ground and text of a look do not count for the size of the model, and measuring it
    // requires no light.
    let output = &scene.output;
    let is_final =
        output.look == Look::Classic && output.is_transparent() && output.label.is_none();
    if scene.output.look != Look::Classic {
        measured
            .set_look(Look::Classic)
            .map_err(|error| Skip::new(SkipReason::Input, chain(&error)))?;
    }
    measured.output.clear();
    measured.output.label = None;
    for moves in 0..=MAX_MOVES {
        let renderer = prepare(&measured, assets, model_deadline)?;
        let staged = renderer.stage(FRAME).map_err(|error| unfit(&error))?;
        model_deadline.enter("drawing it")?;
        let drawn = renderer.draw_staged(&staged, RasterOptions::default());
        let Drawn { frame, counts, .. } = drawn.map_err(|error| unfit(&error))?;
        let Some(seen) = VisibleBounds::of(&frame) else {
            let why = why_nothing_is_seen(&staged, &counts);
            let why = why.as_deref().unwrap_or("everything drawn is fully transparent");
            let message = format!("the picture would be empty: {why}");
            return Err(Skip::new(SkipReason::Empty, message));
        };
        if moves < MAX_MOVES && !seen.is_framed() {
            let positions = staged.instances.iter().flat_map(|instance| &instance.meshes);
            let middle = positions.map(tintype_model::PosedMesh::bounds).reduce(|mut all, own| {
                all.merge(&own);
                all
            });
            let middle = middle.map_or(Vec3::ZERO, |bounds| bounds.center());
            if let Some((target, projection)) = seen.better(&staged.camera, middle)
                && let CameraRig::Orbit(orbit) = &mut measured.camera
            {
                (orbit.target, orbit.projection) = (target, projection);
                continue;
            }
        }
        if is_final {
            return Ok(frame);
        }
        let mut lit = scene.clone();
        lit.camera = measured.camera;
        let renderer = prepare(&lit, assets, model_deadline)?;
        let drawn = renderer.draw(FRAME, RasterOptions::default());
        return Ok(drawn.map_err(|error| unfit(&error))?.frame);
    }
    unreachable!("the last move returns")
}

/// The renderer of a scene, within the deadline of its model.
pub(super) fn prepare(
    scene: &Scene,
    assets: &Arc<Assets>,
    model_deadline: &ModelDeadline,
) -> Result<Renderer, Skip> {
    model_deadline.enter("preparing the picture")?;
    let deadline = model_deadline.deadline();
    let renderer = Renderer::new(scene.clone(), Arc::clone(assets), deadline);
    let renderer = renderer.map_err(|error| match error {
        RenderError::TimedOut(late) => model_deadline.skip(late),
        error => unfit(&error),
    })?;
    model_deadline.enter("drawing it")?;
    Ok(renderer)
}

fn unfit(error: &RenderError) -> Skip {
    Skip::new(SkipReason::Input, chain(error))
}

/// Bounds of the visible pixels, as fractions of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
struct VisibleBounds {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    /// One pixel, of the shorter side.
    pixel: f64,
    /// Width of the picture over its height.
    aspect: f64,
}

impl VisibleBounds {
    fn of(frame: &Frame) -> Option<Self> {
        let width = frame.width as usize;
        let rows = || frame.rgba.chunks_exact(width);
        let is_seen = |pixel: &[u8; 4]| pixel[3] > 0;
        let top = rows().position(|row| row.iter().any(is_seen))?;
        let bottom = rows().rposition(|row| row.iter().any(is_seen))?;
        let left = rows().filter_map(|row| row.iter().position(is_seen)).min()?;
        let right = rows().filter_map(|row| row.iter().rposition(is_seen)).max()?;
        #[expect(clippy::cast_precision_loss, reason = "counts of pixels")]
        let share = |count: usize, side: u32| count as f64 / f64::from(side);
        let [across, down] = [frame.width, frame.height];
        Some(Self {
            left: share(left, across),
            top: share(top, down),
            right: share(right + 1, across),
            bottom: share(bottom + 1, down),
            pixel: share(1, across.min(down)),
            aspect: f64::from(across) / f64::from(down),
        })
    }

    fn size(&self) -> f64 {
        let (width, height) = (self.right - self.left, self.bottom - self.top);
        if width > height { width } else { height }
    }

    /// Offset of their centre from the centre of the picture, to the right and down.
    fn offset(&self) -> [f64; 2] {
        [(self.left + self.right) * 0.5 - 0.5, (self.top + self.bottom) * 0.5 - 0.5]
    }

    fn is_framed(&self) -> bool {
        let allowed = TOLERANCE + self.pixel;
        let [x, y] = self.offset();
        let margin = (1.0 - self.size()) * 0.5;
        (margin - ThumbnailSpec::MARGIN).abs() <= allowed
            && x.abs() <= allowed
            && y.abs() <= allowed
    }

    /// Target and projection of a camera that makes the visible part fill the picture up to the
    /// margin.
    #[expect(clippy::cast_possible_truncation, reason = "places and distances are f32")]
    fn better(&self, camera: &Camera, middle: Vec3) -> Option<(OrbitTarget, Projection)> {
        let axes = camera.world_from_view;
        let (right, up, back) = (axes.x_axis, axes.y_axis, axes.z_axis);
        let away = f64::from((camera.eye - middle).dot(back));
        // Half the height of the picture at this distance.
        let tangent = f64::from(camera.half_tangents(1.0).1);
        let half = if camera.is_orthographic() { tangent } else { tangent * away };
        let [x, y] = self.offset();
        let nearer = self.size() / (1.0 - 2.0 * ThumbnailSpec::MARGIN);
        let (distance, projection) = if camera.is_orthographic() {
            (away, Projection::Orthographic { height: Some(2.0 * half * nearer) })
        } else {
            (away * nearer, Projection::Perspective)
        };
        let is_sound = away > 0.0 && distance > 0.0 && distance < f64::from(f32::MAX);
        let on_axis = camera.eye - back * away as f32;
        let across = half * self.aspect;
        let at = on_axis + right * (2.0 * x * across) as f32 - up * (2.0 * y * half) as f32;
        let target = OrbitTarget::Point { at, distance };
        (is_sound && at.is_finite()).then_some((target, projection))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(left: u32, top: u32, right: u32, bottom: u32) -> VisibleBounds {
        let mut frame = Frame::new(100, 100);
        for (x, y) in (left..right).flat_map(|x| (top..bottom).map(move |y| (x, y))) {
            frame.rgba[(y * 100 + x) as usize] = [1, 2, 3, 1];
        }
        VisibleBounds::of(&frame).unwrap()
    }

    #[test]
    fn frame_is_right_with_its_margin_around_the_widest_side() {
        assert!(seen(6, 30, 94, 70).is_framed());
        assert!(seen(30, 6, 70, 94).is_framed());
        assert!(!seen(16, 30, 84, 70).is_framed(), "too small");
        assert!(!seen(1, 30, 99, 70).is_framed(), "too large");
        assert!(!seen(6, 20, 94, 60).is_framed(), "too high up");
        assert_eq!(VisibleBounds::of(&Frame::new(4, 4)), None);
    }
}
