//! Fits an orbiting camera so that all models are inside the picture in every frame of a scene, as
//! large as possible and centred.
//!
//! An orthographic camera that turns is fitted around the point where the models stand
//! ([`ground`]); all others are centred.
//!
//! All frames are posed for the fit. The rim vertices of each ([`rim`]) give its outline in the
//! camera's axes ([`hull`]); the outlines give the planes of a linear programme ([`program`]), and
//! the solution is centred ([`placement`]). The fit is exact: it uses the visible vertices instead
//! of a bounding sphere or box. If there is a ground, the part of it around the models is fitted
//! too.

mod ground;
mod hull;
mod placement;
mod program;
mod rim;
#[cfg(test)]
mod sample;

use super::staged_instance::StagedInstance;
use super::staging::Staging;
use crate::asset::{Assets, LoadedModel};
use core::ops::Range;
use core::slice::from_ref;
pub(super) use ground::standing_point;
use hull::{Corner, ViewHull};
use placement::{Disc, Outline, Shown, ViewShape};
use program::{dot, larger};
use rayon::prelude::*;
use rim::{Aim, Part, rim_of};
use std::collections::BTreeMap;
use tintype_model::Mesh;
use tintype_model::math::{Aabb, Vec3, func};
use tintype_scene::{CameraRig, Fit, FramePosition, OrbitTarget};

/// Vertices of a large mesh processed by one thread at once.
const VERTICES_AT_ONCE: usize = 1 << 15;

/// The minimum and maximum coordinates of points.
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

    fn narrow(&self) -> Aabb {
        Aabb { min: narrow(self.low), max: narrow(self.high) }
    }
}

/// A fitted camera, and the box around the models over all frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fitted {
    pub fit: Fit,
    /// The box around the vertices of all drawn triangles.
    pub bounds: Aabb,
}

/// Fits the camera to the outlines of all frames, and to a part of the ground by its centre and
/// radius.
pub(super) fn fit_camera(
    staging: &Staging,
    outlines: &Outlines,
    ground: Option<(Vec3, f32)>,
) -> Fitted {
    let lens = Lens::of(staging);
    let bounds = &outlines.bounds;
    let around = bounds.narrow();
    if bounds.is_empty() {
        // A picture without models shows its background.
        let height = if lens.shape == ViewShape::Prism { 1.0 } else { 0.0 };
        return Fitted { fit: Fit { center: Vec3::ZERO, distance: 1.0, height }, bounds: around };
    }
    let disc =
        ground.map(|(center, radius)| Disc { center: wide(center), radius: f64::from(radius) });
    let shown = Shown {
        outlines: &outlines.found,
        disc,
        low: bounds.low,
        high: bounds.high,
        shape: lens.shape,
        halves: lens.halves,
        pixel: lens.pixel,
    };
    let foot = || wide(ground::standing_point(staging, &around));
    Fitted { fit: shown.fit(foot), bounds: around }
}

impl Shown<'_> {
    /// The position of a fitted camera, as camera parameters; `foot` is the point where the models
    /// stand.
    fn fit(&self, foot: impl FnOnce() -> [f64; 3]) -> Fit {
        let middle: [f64; 3] = std::array::from_fn(|k| 0.5 * (self.low[k] + self.high[k]));
        if self.outlines.is_empty() {
            // A camera that only looks at the models.
            return Fit { center: narrow(middle), distance: 1.0, height: 0.0 };
        }
        match self.shape {
            ViewShape::Pyramid => self.fit_pyramid(),
            ViewShape::Prism => self.fit_prism(foot),
        }
    }

    fn fit_pyramid(&self) -> Fit {
        let placed = self.place();
        // Only at such a distance can single precision separate the eye from the target.
        let largest = placed.target.iter().fold(0.0_f64, |most, part| larger(most, part.abs()));
        let least =
            if self.diagonal() > 0.0 { 1e-5 * largest } else { 1e-3 * larger(largest, 1.0) };
        #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 is meant")]
        let distance = larger(placed.size, least) as f32;
        Fit { center: narrow(placed.target), distance, height: 0.0 }
    }

    /// A camera with one direction is centred on the models; one that turns keeps its target above
    /// their foot.
    #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 is meant")]
    fn fit_prism(&self, foot: impl FnOnce() -> [f64; 3]) -> Fit {
        let placed = if self.turns() { self.place_on_axis(foot()) } else { self.place() };
        let size = larger(self.diagonal(), 1e-3);
        // A single point fits into any picture; a small one is kept.
        let height = larger(2.0 * placed.size, size * 1e-3) as f32;
        let distance = larger(self.clear_distance(placed.target), size) as f32;
        Fit { center: narrow(placed.target), distance, height }
    }
}

/// Half the part of the picture for models, and a pixel, both in a view of size 1.
struct Lens {
    shape: ViewShape,
    halves: [f64; 2],
    pixel: f64,
    /// True to find the distance, not only the centre.
    finds_distance: bool,
}

impl Lens {
    fn of(staging: &Staging) -> Self {
        let camera = &staging.scene().camera;
        let shape = if camera.is_orthographic() { ViewShape::Prism } else { ViewShape::Pyramid };
        let [width, height] = staging.scene().output.size.map(f64::from);
        let middle_alone = Self { shape, halves: [1.0; 2], pixel: 1.0, finds_distance: false };
        let CameraRig::Orbit(orbit) = camera else { return middle_alone };
        let OrbitTarget::Fit { margin } = orbit.target else { return middle_alone };
        let half = match shape {
            ViewShape::Prism => 1.0,
            #[expect(clippy::cast_possible_truncation, reason = "1..=170")]
            ViewShape::Pyramid => f64::from(func::tan(func::radians(orbit.fov_deg as f32) * 0.5)),
        };
        let upright = half * (1.0 - 2.0 * margin);
        let halves = [upright * (width / height), upright];
        Self { shape, halves, pixel: 2.0 * half / height, finds_distance: true }
    }
}

/// Outlines for all orientations of the camera, in order of first occurrence, and the bounding box
/// of the models over all frames.
#[derive(Debug)]
pub(super) struct Outlines {
    found: Vec<Outline>,
    by_orientation: BTreeMap<[[u64; 3]; 2], usize>,
    bounds: Bounds,
}

impl Default for Outlines {
    fn default() -> Self {
        Self { found: Vec::new(), by_orientation: BTreeMap::new(), bounds: Bounds::EMPTY }
    }
}

impl Outlines {
    /// Adds the outlines of a frame.
    pub(super) fn add(&mut self, Outlined { outline, bounds }: Outlined) {
        if !bounds.is_empty() {
            self.bounds.merge(&bounds);
        }
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

    /// The box around the models over all frames: around the vertices of all drawn triangles.
    pub(super) fn bounds(&self) -> Aabb {
        self.bounds.narrow()
    }
}

/// Vertices of each mesh of each model, in parts of at most [`VERTICES_AT_ONCE`].
type UsedVertices = Vec<Vec<Vec<Range<usize>>>>;

/// The vertices of all meshes with triangles. Meshes with invisible materials have none, unless
/// nothing is visible.
fn used_vertices(staging: &Staging) -> UsedVertices {
    let Assets { models, materials, .. } = staging.assets();
    let of_mesh = |mesh: &Mesh| {
        let count = if mesh.triangles.is_empty() { 0 } else { mesh.vertex_count() };
        let starts = (0..count).step_by(VERTICES_AT_ONCE);
        starts.map(|start| start..(start + VERTICES_AT_ONCE).min(count)).collect()
    };
    let is_visible = |material: usize| materials[material].opacity > 0.0;
    let visible = |loaded: &LoadedModel| {
        let meshes = loaded.model.meshes.iter().zip(&loaded.mesh_materials);
        let shown =
            |(mesh, &material)| if is_visible(material) { of_mesh(mesh) } else { Vec::new() };
        meshes.map(shown).collect()
    };
    let used: UsedVertices = models.iter().map(visible).collect();
    if used.iter().flatten().any(|parts| !parts.is_empty()) {
        return used;
    }
    models.iter().map(|loaded| loaded.model.meshes.iter().map(of_mesh).collect()).collect()
}

/// Hulls of vertices along both axes of the picture, and the box around them.
type FitSamples = ([ViewHull; 2], Bounds);

/// The outline and the box of one frame; no outline if it shows no vertex, or if only the box is
/// requested.
#[derive(Debug)]
pub(super) struct Outlined {
    outline: Option<Outline>,
    bounds: Bounds,
}

/// Axes of a camera, in double precision.
struct Orientation {
    back: [f64; 3],
    axes: [[f64; 3]; 2],
}

impl Orientation {
    /// Orthogonal in double precision: remainders of single precision would be tiny multipliers,
    /// which no search may pivot on.
    fn new((back, up): (Vec3, Vec3)) -> Self {
        let back = unit(wide(back));
        let right = unit(cross(wide(up), back));
        Self { back, axes: [right, cross(back, right)] }
    }
}

/// The direction from the target to the eye, and up in the picture; arbitrary for a camera without
/// a target to fit.
fn directions_of(staging: &Staging, moment: FramePosition) -> (Vec3, Vec3) {
    match &staging.scene().camera {
        CameraRig::Orbit(orbit) => orbit.directions(moment, staging.camera_context().front),
        CameraRig::LookAt(_)
        | CameraRig::Keys(_)
        | CameraRig::Md5(_)
        | CameraRig::Model(_)
        | CameraRig::Matrix(_) => (Vec3::Z, Vec3::Y),
    }
}

/// The orientation of the camera in a frame, to the bit.
pub(super) fn orientation_of(staging: &Staging, moment: FramePosition) -> [[u32; 3]; 2] {
    let (back, up) = directions_of(staging, moment);
    [back, up].map(|axis| axis.to_array().map(f32::to_bits))
}

/// Maker of outlines of staged frames.
pub(super) struct Outliner<'a> {
    staging: &'a Staging,
    used: UsedVertices,
    lens: Lens,
}

impl<'a> Outliner<'a> {
    pub(super) fn new(staging: &'a Staging) -> Self {
        Self { staging, used: used_vertices(staging), lens: Lens::of(staging) }
    }

    /// The outline of all staged instances before the camera of a frame.
    pub(super) fn outline(&self, staged: &[StagedInstance], moment: FramePosition) -> Outlined {
        let Self { staging, used, lens } = self;
        let seen = Orientation::new(directions_of(staging, moment));
        let mut found: FitSamples = (Default::default(), Bounds::EMPTY);
        let slopes = lens.halves.map(deciding_slope);
        let aim = lens.finds_distance.then(|| Aim {
            axes: seen.axes.map(narrow),
            back: narrow(seen.back),
            #[expect(clippy::cast_possible_truncation, reason = "the nearest slope")]
            slopes: slopes.map(|slope| slope as f32),
        });
        let add = |part: Part, (hulls, bounds): &mut FitSamples| {
            let ([low, high], rim) = rim_of(part, aim);
            if low.cmple(high).all() {
                bounds.merge(&Bounds { low: wide(low), high: wide(high) });
            }
            for point in rim.into_iter().map(|vertex| wide(part.posed.position_at(vertex))) {
                for (hull, axis) in hulls.iter_mut().zip(seen.axes) {
                    hull.add(Corner { along: dot(axis, point), nearness: dot(seen.back, point) });
                }
            }
        };
        for (instance, staged) in staging.scene().instances.iter().zip(staged) {
            let meshes = staged.meshes.iter().zip(&used[instance.model]);
            for (posed, used) in meshes.filter(|(posed, _)| !posed.is_empty()) {
                if let [run] = &used[..] {
                    add(Part { posed, runs: from_ref(run) }, &mut found);
                    continue;
                }
                // Parts of equal length, merged in order, whatever the number of threads.
                let parts = used.par_iter().map(|run| {
                    let mut part: FitSamples = (Default::default(), Bounds::EMPTY);
                    add(Part { posed, runs: from_ref(run) }, &mut part);
                    part
                });
                for (hulls, bounds) in parts.collect::<Vec<FitSamples>>() {
                    found.1.merge(&bounds);
                    found.0.iter_mut().zip(&hulls).for_each(|(hull, part)| hull.merge(part));
                }
            }
        }
        let (mut hulls, bounds) = found;
        if bounds.is_empty() || !lens.finds_distance {
            return Outlined { outline: None, bounds };
        }
        hulls.iter_mut().zip(slopes).for_each(|(hull, slope)| hull.prune(slope));
        let outline = Some(Outline { axes: seen.axes, back: seen.back, hulls });
        Outlined { outline, bounds }
    }
}

/// The minimum slope of a line from the eye to the side of a picture with that half size: slightly
/// reduced, because the deciding corners are computed by a different sum.
fn deciding_slope(half: f64) -> f64 {
    0.999 / half
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
