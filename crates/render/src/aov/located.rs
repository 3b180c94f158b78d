//! Joints and meshes of a staged frame in pixels, and whether the picture shows them.

use super::screen::{larger, smaller};
use super::seen::{Patches, Seen, shapes};
use super::{canvas::whole, screen::Screen};
use crate::{RenderError, Renderer, Staged};
use tintype_raster::RasterOptions;

/// Depth behind a surface, as a share of the height of the view, up to which a joint lies on it.
const ON_SURFACE: f64 = 1e-3;

/// Joints and meshes of a frame.
#[derive(Clone, Debug)]
pub struct Located {
    /// Joints of all instances that are drawn.
    pub joints: Vec<LocatedJoint>,
    /// Meshes of all instances.
    pub parts: Vec<LocatedPart>,
}

/// A joint in a picture.
#[derive(Clone, Debug)]
pub struct LocatedJoint {
    /// Its name.
    pub name: String,
    /// Its position in pixels from the upper left corner; none before the near plane.
    pub pixel: Option<[f64; 2]>,
    /// Distance along the view axis by which it lies behind the surface that its pixel shows; 0 if it lies before it, none without a
    /// surface, and outside the picture.
    pub behind: Option<f64>,
    /// Whether it is in the picture and no surface hides it.
    pub is_visible: bool,
}

/// A mesh in a picture.
#[derive(Clone, Debug)]
pub struct LocatedPart {
    /// Its name.
    pub name: String,
    /// Left, top, right and bottom of its vertices in pixels, as far as they lie in the picture; none if nothing of it does.
    pub bounds: Option<[f64; 4]>,
    /// Number of pixels that show it.
    pub pixels: usize,
}

/// Finds joints and meshes in the picture of a staged frame.
///
/// # Errors
/// As [`Renderer::draw_staged`].
pub fn locate(renderer: &Renderer, staged: &Staged) -> Result<Located, RenderError> {
    let (scene, assets) = (renderer.scene(), renderer.assets());
    let shapes = shapes(renderer, staged);
    let seen = Seen::new(renderer, staged, &shapes, 1, RasterOptions::default())?;
    let screen = &seen.screen;
    let mut joints = Vec::new();
    let shown = scene.instances.iter().zip(&staged.instances);
    for (instance, posed) in shown.filter(|(_, posed)| posed.is_visible) {
        let skeleton = assets.models[instance.model].model.skeleton.joints();
        joints.extend(skeleton.iter().zip(&posed.pose.matrices).map(|(joint, matrix)| {
            let at = posed.world_from_model.transform_point3(matrix.translation);
            located(&seen, joint.name.clone(), screen.place(at), screen.project(at))
        }));
    }
    let mut pixels = vec![0; shapes.len()];
    for (x, y) in
        (0..screen.size[1] as usize).flat_map(|y| (0..screen.size[0] as usize).map(move |x| (x, y)))
    {
        seen.main_hit(x, y).into_iter().for_each(|hit| pixels[hit.shape] += 1);
    }
    let parts = shapes.iter().zip(pixels).map(|(shape, pixels)| {
        let corners = shape.triangles.iter().flatten();
        let places = corners.filter_map(|&v| screen.place(shape.posed.position_at(v as usize)));
        LocatedPart { name: shape.name.clone(), bounds: bounds(screen, places), pixels }
    });
    let parts = parts.collect();
    Ok(Located { joints, parts })
}

fn located(
    seen: &Seen,
    name: String,
    pixel: Option<[f64; 2]>,
    [.., w, distance]: [f64; 4],
) -> LocatedJoint {
    let screen = &seen.screen;
    let is_inside = |at: &[f64; 2]| {
        (0..2).all(|axis| at[axis] >= 0.0 && at[axis] < f64::from(screen.size[axis]))
    };
    let Some(at) = pixel.filter(is_inside) else {
        return LocatedJoint { name, pixel, behind: None, is_visible: false };
    };
    let [x, y] = at.map(|at| usize::try_from(whole(at)).unwrap_or(0));
    let behind = seen.main_hit(x, y).map(|hit| {
        let patch = *seen.patch_of(hit, &mut Patches::default());
        larger(distance - patch.w(patch.share(at)), 0.0)
    });
    // The height of the view at the joint: `w` is the distance in perspective, and 1 without.
    let height = f64::from(screen.size[1]) / screen.unit_px * w;
    let is_visible = behind.is_none_or(|behind| behind <= ON_SURFACE * height);
    LocatedJoint { name, pixel, behind, is_visible }
}

/// The box of some places as far as they lie in the picture.
fn bounds(screen: &Screen, places: impl Iterator<Item = [f64; 2]>) -> Option<[f64; 4]> {
    let none = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    let [left, top, right, bottom] = places.fold(none, |[left, top, right, bottom], [x, y]| {
        [smaller(left, x), smaller(top, y), larger(right, x), larger(bottom, y)]
    });
    let [width, height] = screen.size.map(f64::from);
    let (left, top) = (larger(left, 0.0), larger(top, 0.0));
    let (right, bottom) = (smaller(right, width), smaller(bottom, height));
    (left < right && top < bottom).then_some([left, top, right, bottom])
}
