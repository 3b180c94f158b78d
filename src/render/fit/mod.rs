//! Fits an orbiting camera, so that all models are inside the picture in every frame of a scene, as large as they can be and centred.
//!
//! All frames are posed once. Each gives its outline in the camera's axes ([`hull`]); the outlines give the planes of a linear
//! programme ([`program`]), whose solution is centred ([`placement`]). The fit is exact: it uses the visible vertices instead of a
//! bounding sphere or box. With a ground, the part of it around the models is fitted too.

mod hull;
mod placement;
mod program;
#[cfg(test)]
mod sample;

use super::shadow::FittedGround;
use super::staging::{Needs, Staging};
use crate::asset::{Assets, LoadedModel};
use crate::math::{Vec3, func};
use crate::model::Mesh;
use crate::scene::{CameraRig, Fit, FramePosition, OrbitTarget};
use crate::simd::Level;
use hull::{Corner, ViewHull};
use placement::{Disc, Outline, Shown, ViewShape};
use program::{dot, larger};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Frames that are posed before their outlines are merged.
const CHUNK: usize = 256;

/// The smallest and largest coordinates of points.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    low: [f64; 3],
    high: [f64; 3],
}

impl Bounds {
    const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    fn add(&mut self, point: [f64; 3]) {
        for ((low, high), part) in self.low.iter_mut().zip(&mut self.high).zip(point) {
            *low = if part < *low { part } else { *low };
            *high = larger(*high, part);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.add(other.low);
        self.add(other.high);
    }

    fn is_empty(&self) -> bool {
        self.low[0] > self.high[0]
    }
}

/// Poses all frames of the scene once and fits the camera to them; frames run in parallel, and only an outline and a box of each
/// are kept.
pub(super) fn fit_camera(staging: &Staging, ground: Option<&FittedGround>) -> Fit {
    let lens = Lens::of(staging);
    let used = used_vertices(staging);
    let mut outlines = Outlines::default();
    let mut bounds = Bounds::EMPTY;
    // Frames are merged in their order, whichever thread is done first.
    for moments in staging.moments().chunks(CHUNK) {
        let posed: Vec<(Option<Outline>, Bounds)> =
            moments.par_iter().map(|&moment| outline_of(staging, &used, &lens, moment)).collect();
        for (outline, around) in posed {
            if !around.is_empty() {
                bounds.merge(&around);
            }
            outlines.add(outline);
        }
    }
    let disc = ground.map(|FittedGround { floor, visible_radius }| Disc {
        center: wide(floor.center),
        radius: f64::from(*visible_radius),
    });
    if bounds.is_empty() {
        // A picture without models shows its background.
        return Fit { center: Vec3::ZERO, distance: 1.0, height: 0.0 };
    }
    let shown = Shown {
        outlines: &outlines.found,
        disc,
        low: bounds.low,
        high: bounds.high,
        shape: ViewShape::Pyramid,
        halves: lens.halves,
        pixel: lens.pixel,
    };
    shown.fit()
}

impl Shown<'_> {
    /// The position of a fitted camera, in the numbers of a camera.
    fn fit(&self) -> Fit {
        let middle: [f64; 3] = std::array::from_fn(|k| 0.5 * (self.low[k] + self.high[k]));
        if self.outlines.is_empty() {
            // A camera that only looks at the models.
            return Fit { center: narrow(middle), distance: 1.0, height: 0.0 };
        }
        let placed = self.place();
        // Single precision tells the eye from the target only at such a distance.
        let largest = placed.target.iter().fold(0.0_f64, |most, part| larger(most, part.abs()));
        let least =
            if self.diagonal() > 0.0 { 1e-5 * largest } else { 1e-3 * larger(largest, 1.0) };
        #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 is meant")]
        let distance = larger(placed.size, least) as f32;
        Fit { center: narrow(placed.target), distance, height: 0.0 }
    }
}

/// Half the picture that models may take, and a pixel, both at distance 1.
struct Lens {
    halves: [f64; 2],
    pixel: f64,
    /// Whether the distance is wanted, and not only the middle.
    is_orbit: bool,
}

impl Lens {
    fn of(staging: &Staging) -> Self {
        let [width, height] = staging.scene().output.size.map(f64::from);
        let CameraRig::Orbit(orbit) = &staging.scene().camera else {
            return Self { halves: [1.0; 2], pixel: 1.0, is_orbit: false };
        };
        let margin = match orbit.target {
            OrbitTarget::Fit { margin } => margin,
            OrbitTarget::Point { .. } => 0.0,
        };
        #[expect(clippy::cast_possible_truncation, reason = "1..=170")]
        let tangent = f64::from(func::tan(func::radians(orbit.fov_deg as f32) * 0.5));
        let upright = tangent * (1.0 - 2.0 * margin);
        let halves = [upright * (width / height), upright];
        Self { halves, pixel: 2.0 * tangent / height, is_orbit: true }
    }
}

/// Outlines of all orientations of the camera, in the order in which they come first.
#[derive(Default)]
struct Outlines {
    found: Vec<Outline>,
    by_orientation: BTreeMap<[[u64; 3]; 2], usize>,
}

impl Outlines {
    fn add(&mut self, outline: Option<Outline>) {
        let Some(outline) = outline else { return };
        let orientation = [outline.back, outline.axes[1]].map(|axis| axis.map(f64::to_bits));
        match self.by_orientation.get(&orientation) {
            Some(&at) => {
                for (hull, other) in self.found[at].hulls.iter_mut().zip(&outline.hulls) {
                    hull.merge(other);
                }
            }
            None => {
                self.by_orientation.insert(orientation, self.found.len());
                self.found.push(outline);
            }
        }
    }
}

/// Vertices of triangles, for each mesh of each model.
pub(super) type UsedVertices = Vec<Vec<Vec<u32>>>;

/// The vertices of triangles: others are in files too, and no picture shows them. Meshes of invisible materials have none, unless
/// nothing is visible.
pub(super) fn used_vertices(staging: &Staging) -> UsedVertices {
    let Assets { models, materials, .. } = staging.assets();
    let of_mesh = |mesh: &Mesh| {
        let mut vertices: Vec<u32> = mesh.triangles.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    };
    let is_visible = |material: usize| materials[material].opacity > 0.0;
    let visible = |loaded: &LoadedModel| -> Vec<Vec<u32>> {
        let meshes = loaded.model.meshes.iter().zip(&loaded.mesh_materials);
        let shown = |(mesh, &material)| match is_visible(material) {
            true => of_mesh(mesh),
            false => Vec::new(),
        };
        meshes.map(shown).collect()
    };
    let used: UsedVertices = models.iter().map(visible).collect();
    if used.iter().flatten().any(|vertices| !vertices.is_empty()) {
        return used;
    }
    models.iter().map(|loaded| loaded.model.meshes.iter().map(of_mesh).collect()).collect()
}

/// The outline and the box of one frame; no outline if it shows no vertex, or if only the box is wanted.
fn outline_of(
    staging: &Staging,
    used: &UsedVertices,
    lens: &Lens,
    moment: FramePosition,
) -> (Option<Outline>, Bounds) {
    let (back, up) = match &staging.scene().camera {
        CameraRig::Orbit(orbit) => orbit.directions(moment, staging.camera_context().front),
        CameraRig::LookAt(_) | CameraRig::Keys(_) | CameraRig::Md5(_) | CameraRig::Model(_) => {
            (Vec3::Z, Vec3::Y)
        }
    };
    // Square in double precision: what is left of single precision would be tiny multipliers, on which no search may pivot.
    let back = unit(wide(back));
    let right = unit(cross(wide(up), back));
    let axes = [right, cross(back, right)];
    let mut hulls = [ViewHull::default(), ViewHull::default()];
    let mut bounds = Bounds::EMPTY;
    for (index, instance) in staging.scene().instances.iter().enumerate() {
        let staged =
            staging.stage_instance(index, moment, Level::best(), Needs::Picture, Vec::new());
        let meshes = staged.meshes.iter().zip(&used[instance.model]);
        for (posed, used) in meshes.filter(|(posed, _)| !posed.is_empty()) {
            for &vertex in used {
                let point = wide(posed.position_at(vertex as usize));
                bounds.add(point);
                if lens.is_orbit {
                    let nearness = dot(back, point);
                    for (hull, axis) in hulls.iter_mut().zip(axes) {
                        hull.add(Corner { along: dot(axis, point), nearness });
                    }
                }
            }
        }
    }
    if bounds.is_empty() || !lens.is_orbit {
        return (None, bounds);
    }
    for (hull, half) in hulls.iter_mut().zip(lens.halves) {
        // A little less, as the corners that decide are told by another sum.
        hull.prune(0.999 / half);
    }
    (Some(Outline { axes, back, hulls }), bounds)
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = dot(vector, vector).sqrt();
    if length > 0.0 { vector.map(|part| part / length) } else { vector }
}

fn wide(point: Vec3) -> [f64; 3] {
    point.to_array().map(f64::from)
}

fn narrow(point: [f64; 3]) -> Vec3 {
    #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 is meant")]
    let parts = point.map(|part| part as f32);
    Vec3::from_array(parts)
}
