//! Joints and meshes of a staged frame in pixels, with their visibility.

use super::canvas::whole;
use super::screen::{Screen, larger, smaller};
use super::seen::{Patches, Seen, shapes};
use crate::{RenderError, Renderer, Staged};
use serde::Serialize;
use tintype_model::math::Vec3;
use tintype_raster::RasterOptions;

/// Depth behind a surface within which a joint counts as lying on it, as a fraction of the view's
/// height.
const ON_SURFACE: f64 = 1e-3;

/// A joint in a picture.
#[derive(Clone, Debug, Serialize)]
pub struct LocatedJoint {
    /// Its name.
    pub name: String,
    /// Its position in pixels. None in front of the near plane.
    pub pixel: Option<[f64; 2]>,
    /// True if it is in the picture and not hidden by a surface.
    pub visible: bool,
    /// Distance along the view axis behind the surface in its pixel; 0 if it is in front of it.
    /// None without a surface, and outside the picture.
    pub behind: Option<f64>,
}

/// A mesh in a picture.
#[derive(Clone, Debug, Serialize)]
pub struct LocatedMesh {
    /// Its name.
    pub name: String,
    /// Left, top, width and height of its vertices in pixels, clipped to the picture. None if it is
    /// entirely outside.
    #[serde(rename = "box")]
    pub bounds: Option<[f64; 4]>,
    /// Number of pixels whose centre shows it.
    pub visible_pixels: usize,
}

/// Finds joints and meshes of all instances in the picture of a staged frame, which lies at a
/// corner of a larger one.
///
/// # Errors
/// As [`Renderer::draw_staged`].
pub fn locate(
    renderer: &Renderer,
    staged: &Staged,
    corner: [f64; 2],
) -> Result<(Vec<LocatedJoint>, Vec<LocatedMesh>), RenderError> {
    let shapes = shapes(renderer, staged);
    let seen = Seen::new(renderer, staged, &shapes, 1, RasterOptions::default())?;
    let mut joints = Vec::new();
    let shown = renderer.scene().instances.iter().zip(&staged.instances);
    for (instance, posed) in shown.filter(|(_, posed)| posed.is_visible) {
        let skeleton = &renderer.assets().models[instance.model].model.skeleton;
        for (joint, matrix) in skeleton.joints().iter().zip(&posed.pose.matrices) {
            let at = posed.world_from_model.transform_point3(matrix.translation);
            let (pixel, (visible, behind)) = (seen.screen.place(at), sight(&seen, at));
            let pixel = pixel.map(|[x, y]| [x + corner[0], y + corner[1]]);
            joints.push(LocatedJoint { name: joint.name.clone(), pixel, visible, behind });
        }
    }
    let mut pixels = vec![0; shapes.len()];
    let [width, height] = seen.screen.size.map(|side| side as usize);
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        seen.at(x, y).iter().for_each(|hit| pixels[hit.shape] += 1);
    }
    let meshes = shapes.iter().zip(pixels).map(|(shape, visible_pixels)| {
        let corners = shape.triangles.iter().flatten();
        let places =
            corners.filter_map(|&v| seen.screen.place(shape.posed.position_at(v as usize)));
        let bounds = bounds(&seen.screen, places)
            .map(|[x, y, width, height]| [x + corner[0], y + corner[1], width, height]);
        LocatedMesh { name: shape.name.clone(), bounds, visible_pixels }
    });
    let meshes = meshes.collect();
    Ok((joints, meshes))
}

/// Visibility of a point in the picture, and its depth behind the surface there.
fn sight(seen: &Seen, at: Vec3) -> (bool, Option<f64>) {
    let screen = &seen.screen;
    let is_inside = |at: &[f64; 2]| {
        (0..2).all(|axis| at[axis] >= 0.0 && at[axis] < f64::from(screen.size[axis]))
    };
    let Some(place) = screen.place(at).filter(is_inside) else { return (false, None) };
    let [.., w, distance] = screen.project(at);
    let [x, y] = place.map(|at| usize::try_from(whole(at)).unwrap_or(0));
    let behind = seen.at(x, y).first().map(|hit| {
        let patch = *seen.patch_of(hit, &mut Patches::default());
        larger(distance - patch.w(patch.share(place)), 0.0)
    });
    // The height of the view at the point: `w` is the distance in perspective, and 1 without.
    let height = f64::from(screen.size[1]) / screen.unit_px * w;
    (behind.is_none_or(|behind| behind <= ON_SURFACE * height), behind)
}

/// The box of some positions, clipped to the picture.
fn bounds(screen: &Screen, places: impl Iterator<Item = [f64; 2]>) -> Option<[f64; 4]> {
    let none = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    let [left, top, right, bottom] = places.fold(none, |[left, top, right, bottom], [x, y]| {
        [smaller(left, x), smaller(top, y), larger(right, x), larger(bottom, y)]
    });
    let [width, height] = screen.size.map(f64::from);
    let (left, top) = (larger(left, 0.0), larger(top, 0.0));
    let (wide, high) = (smaller(right, width) - left, smaller(bottom, height) - top);
    (wide > 0.0 && high > 0.0).then_some([left, top, wide, high])
}
