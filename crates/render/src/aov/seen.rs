//! The nearest surface of every sample, from the rasterizer's visibility pass.
//!
//! A blended surface counts where it hides at least half of the colour behind it, and is
//! transparent elsewhere: a pane of glass does not hide the lamp in it, and the transparent parts
//! of a leaf's texture are absent. Added light and multiplied colours are transparent.

use super::screen::{Patch, Screen};
use crate::asset::Assets;
use crate::{RenderError, Renderer, Staged};
use core::ops::Range;
use rayon::prelude::*;
use tintype_model::math::{Vec2, Vec3};
use tintype_model::{Material, Mesh, PosedMesh, Skeleton, TextureRole, mesh_names};
use tintype_raster::geometry::edge::{SamplePattern, UNIT, sample_pattern};
use tintype_raster::texture::footprint::Footprint;
use tintype_raster::texture::trilinear::scalar::sample_trilinear;
use tintype_raster::{RasterOptions, VisibleFragment};

/// Minimum opacity at which a blended surface counts.
const SOLID: f64 = 0.5;

/// One mesh of one instance, in the order of the rasterizer's draws.
#[derive(Clone, Debug)]
pub(super) struct Shape<'a> {
    /// The name of the mesh.
    pub name: String,
    /// Index of the instance in the scene.
    pub instance: usize,
    pub mesh: &'a Mesh,
    /// Its drawn triangles, at their original indices.
    pub triangles: &'a [[u32; 3]],
    pub posed: &'a PosedMesh,
    /// Index of the material.
    pub material: usize,
    pub skeleton: &'a Skeleton,
}

/// All meshes of all instances.
pub(super) fn shapes<'a>(renderer: &'a Renderer, staged: &'a Staged) -> Vec<Shape<'a>> {
    let (scene, assets) = (renderer.scene(), renderer.assets());
    let mut found = Vec::new();
    for (index, (instance, staged)) in scene.instances.iter().zip(&staged.instances).enumerate() {
        let loaded = &assets.models[instance.model];
        let names = mesh_names(&loaded.model.meshes);
        let materials = &assets.instances[index].mesh_materials;
        let meshes = renderer.meshes_of(instance.model, staged).iter();
        let meshes = meshes.zip(&staged.meshes).zip(materials).enumerate();
        found.extend(meshes.zip(names).map(|((at, ((mesh, posed), &material)), name)| {
            let mesh = staged.shown(at, mesh);
            Shape {
                name,
                instance: index,
                mesh,
                triangles: staged.triangles(at, mesh),
                posed,
                material,
                skeleton: &loaded.model.skeleton,
            }
        }));
    }
    found
}

/// Part of a pixel that shows one triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hit {
    pub shape: usize,
    pub triangle: usize,
    /// The samples that show it, one bit each.
    pub samples: u32,
    pub is_front: bool,
}

/// Hits of all pixels.
pub(super) struct Seen<'a> {
    pub shapes: &'a [Shape<'a>],
    pub screen: Screen,
    pattern: SamplePattern,
    rows: Vec<Row>,
}

/// Hits of a row of pixels.
struct Row {
    hits: Vec<Hit>,
    /// The first pixel with a hit.
    first: usize,
    /// Index of the first hit of each pixel from the first to the last with a hit; one entry more
    /// than these pixels.
    start: Vec<u32>,
}

/// Last computed value of a triangle, with its shape and index: adjacent pixels often show the same
/// triangle.
pub(super) struct Memo<T>(Option<([usize; 2], T)>);

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Memo<T> {
    /// The value of the triangle of a hit, computed if the triangle differs from the last one.
    #[inline]
    pub(super) fn get(&mut self, hit: &Hit, make: impl FnOnce() -> T) -> &T {
        let key = [hit.shape, hit.triangle];
        if self.0.as_ref().is_none_or(|(known, _)| *known != key) {
            self.0 = None;
        }
        &self.0.get_or_insert_with(|| (key, make())).1
    }
}

/// The last triangle on the screen.
pub(super) type Patches = Memo<Patch>;

impl<'a> Seen<'a> {
    /// Runs a visibility pass with this number of samples per pixel; a single one is at its centre.
    pub(super) fn new(
        renderer: &Renderer,
        staged: &Staged,
        shapes: &'a [Shape<'a>],
        samples: u32,
        cut: RasterOptions,
    ) -> Result<Self, RenderError> {
        let assets = renderer.assets();
        let size = renderer.scene().output.size;
        let screen = Screen::new(&staged.camera, size);
        let pattern = sample_pattern(samples).expect("the scene was checked");
        let points = renderer.fragments_of_samples(staged, samples, cut)?;
        let mut seen = Self { shapes, screen, pattern, rows: Vec::new() };
        let kinds: Vec<Alpha> =
            shapes.iter().map(|shape| Alpha::of(&assets.materials[shape.material])).collect();
        let rows = (0..size[1]).into_par_iter().map_init(Vec::new, |nearest, y| {
            let [first, end] =
                [y, y + 1].map(|row| points.partition_point(|point| point.pixel[1] < row));
            let mut rest = &points[first..end];
            let column = |fragment: &VisibleFragment| fragment.pixel[0] as usize;
            let ends = rest.first().zip(rest.last());
            let [from, to] = ends.map_or([0; 2], |(a, b)| [column(a), column(b) + 1]);
            let start = Vec::with_capacity(to - from + 1);
            let mut row = Row { hits: Vec::with_capacity(rest.len()), first: from, start };
            let count_of = |hits: &Vec<Hit>| u32::try_from(hits.len()).expect("16 a pixel");
            while let Some(&VisibleFragment { pixel: [x, _], .. }) = rest.first() {
                row.start.resize(x as usize + 1 - from, count_of(&row.hits));
                let count = rest.iter().take_while(|point| point.pixel[0] == x).count();
                let (own, others) = rest.split_at(count);
                rest = others;
                match own {
                    [one] if kinds[one.draw as usize] == Alpha::Solid => row.hits.push(one.into()),
                    _ => seen.add_pixel(assets, &kinds, own, nearest, &mut row.hits),
                }
            }
            row.start.resize(to - from + 1, count_of(&row.hits));
            row
        });
        let rows = rows.collect();
        seen.rows = rows;
        Ok(seen)
    }

    /// Adds the hits of one pixel.
    fn add_pixel(
        &self,
        assets: &Assets,
        kinds: &[Alpha],
        own: &[VisibleFragment],
        nearest: &mut Vec<Option<(usize, f64)>>,
        hits: &mut Vec<Hit>,
    ) {
        // 1. The nearest fragment of each sample. Opaque ones come first in the list, and
        //    blended ones are in front of them.
        nearest.clear();
        nearest.resize(self.pattern.len(), None);
        for (index, point) in own.iter().enumerate() {
            let hit = Hit::from(point);
            let pixel = point.pixel.map(f64::from);
            let patch = match kinds[hit.shape] {
                Alpha::Solid => None,
                Alpha::Blended => {
                    let patch = self.patch(&hit);
                    if self.opacity(assets, &hit, &patch, pixel) < SOLID {
                        continue;
                    }
                    Some(patch)
                }
                Alpha::HidesNothing => continue,
            };
            for (sample, nearest) in nearest.iter_mut().enumerate() {
                if hit.samples & (1 << sample) == 0 {
                    continue;
                }
                let w = patch.as_ref().map_or(f64::INFINITY, |patch| {
                    patch.w(patch.share(self.sample_place(pixel, sample)))
                });
                if nearest.is_none_or(|(_, least)| w < least) {
                    *nearest = Some((index, w));
                }
            }
        }
        // 2. One hit per triangle.
        let first = hits.len();
        for (sample, index) in
            nearest.iter().enumerate().filter_map(|(sample, found)| Some((sample, (*found)?.0)))
        {
            let hit = Hit { samples: 1 << sample, ..Hit::from(&own[index]) };
            let same =
                |known: &&mut Hit| known.shape == hit.shape && known.triangle == hit.triangle;
            match hits[first..].iter_mut().find(same) {
                Some(known) => known.samples |= hit.samples,
                None => hits.push(hit),
            }
        }
    }

    fn opacity(&self, assets: &Assets, hit: &Hit, patch: &Patch, pixel: [f64; 2]) -> f64 {
        let shape = &self.shapes[hit.shape];
        let material = &assets.materials[shape.material];
        let share = patch.share(self.place(pixel, hit));
        let texture = material.diffuse.map_or(1.0, |index| {
            let footprint = footprint_of(shape, material, TextureRole::Diffuse, hit, share);
            sample_trilinear(&assets.textures[index], &footprint).w
        });
        let color = if shape.mesh.colors.is_empty() {
            1.0
        } else {
            let corners = shape.triangles[hit.triangle];
            (0..3).map(|k| share[k] * f64::from(shape.mesh.colors[corners[k] as usize].w)).sum()
        };
        f64::from(texture) * f64::from(material.opacity) * color
    }

    /// The hits of the pixel in column `x` of row `y`.
    #[inline]
    pub(super) fn at(&self, x: usize, y: usize) -> &[Hit] {
        let Row { hits, first, start } = &self.rows[y];
        match x.checked_sub(*first).and_then(|x| start.get(x..x + 2)) {
            Some(&[from, to]) => &hits[from as usize..to as usize],
            _ => &[],
        }
    }

    /// The pixels of a row from the first to the last covered one.
    pub(super) fn columns(&self, y: usize) -> Range<usize> {
        let Row { first, start, .. } = &self.rows[y];
        *first..first + start.len() - 1
    }

    /// Main hit of a pixel: the triangle shown by most of its samples, if at least half of them
    /// show any.
    pub(super) fn main_hit(&self, x: usize, y: usize) -> Option<&Hit> {
        let hits = self.at(x, y);
        if let [hit] = hits {
            return (hit.samples.count_ones() * 2 >= self.count()).then_some(hit);
        }
        let all: u32 = hits.iter().map(|hit| hit.samples.count_ones()).sum();
        if hits.is_empty() || (all as usize) * 2 < self.pattern.len() {
            return None;
        }
        let most = hits.iter().map(|hit| hit.samples.count_ones()).max();
        hits.iter().find(|hit| Some(hit.samples.count_ones()) == most)
    }

    /// The fraction of a pixel that a hit covers.
    pub(super) fn part(&self, hit: &Hit) -> f64 {
        f64::from(hit.samples.count_ones()) / f64::from(self.count())
    }

    /// Samples per pixel.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.pattern.len()).expect("at most 16 samples")
    }

    /// The position of a sample in the picture.
    pub(super) fn sample_place(&self, [x, y]: [f64; 2], sample: usize) -> [f64; 2] {
        let [across, down] = self.pattern[sample].map(|at| f64::from(at) / f64::from(UNIT));
        [x + across, y + down]
    }

    /// The samples of a hit.
    pub(super) fn samples_of(&self, hit: &Hit) -> impl Iterator<Item = usize> + use<> {
        let mask = hit.samples;
        (0..self.pattern.len()).filter(move |sample| mask & (1 << sample) != 0)
    }

    /// The position where a hit is evaluated: the centre of the pixel if it fills it, otherwise the
    /// centre of its samples.
    pub(super) fn place(&self, pixel: [f64; 2], hit: &Hit) -> [f64; 2] {
        let count = hit.samples.count_ones();
        if count == self.count() || count == 0 {
            return [pixel[0] + 0.5, pixel[1] + 0.5];
        }
        let mut sum = [0.0; 2];
        for sample in self.samples_of(hit) {
            let place = self.sample_place(pixel, sample);
            sum = [sum[0] + place[0], sum[1] + place[1]];
        }
        sum.map(|sum| sum / f64::from(count))
    }

    /// The triangle of a hit on the screen, kept for the next hit.
    #[inline]
    pub(super) fn patch_of<'p>(&self, hit: &Hit, patches: &'p mut Patches) -> &'p Patch {
        patches.get(hit, || self.patch(hit))
    }

    /// The triangle of a hit on the screen.
    pub(super) fn patch(&self, hit: &Hit) -> Patch {
        let shape = &self.shapes[hit.shape];
        let corners = shape.triangles[hit.triangle];
        Patch::new(corners.map(|v| self.screen.project(shape.posed.position_at(v as usize))))
    }
}

/// Kind of surface, by how it hides the surfaces behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alpha {
    Solid,
    /// By its opacity at the point.
    Blended,
    HidesNothing,
}

impl Alpha {
    fn of(material: &Material) -> Self {
        match (material.alpha.hides(), material.alpha.is_blended()) {
            (false, _) => Self::HidesNothing,
            (true, true) => Self::Blended,
            (true, false) => Self::Solid,
        }
    }
}

impl From<&VisibleFragment> for Hit {
    fn from(point: &VisibleFragment) -> Self {
        Self {
            shape: point.draw as usize,
            triangle: point.triangle as usize,
            samples: point.samples,
            is_front: point.is_front,
        }
    }
}

/// The texture position of a role at a hit, as a footprint without size.
pub(super) fn footprint_of(
    shape: &Shape,
    material: &Material,
    role: TextureRole,
    hit: &Hit,
    share: [f64; 3],
) -> Footprint {
    let coordinates = material.coordinates_of(role);
    let at = match coordinates {
        Some(own) if own.is_second => mix_of(&shape.mesh.second_texcoords, shape, hit, share),
        _ => mix_texcoord(shape, hit, share),
    };
    let footprint = Footprint { at, across: Vec2::ZERO, down: Vec2::ZERO };
    coordinates.map_or(footprint, |own| footprint.on(own))
}

/// The texture coordinates of a hit.
pub(super) fn mix_texcoord(shape: &Shape, hit: &Hit, share: [f64; 3]) -> Vec2 {
    mix_of(&shape.mesh.texcoords, shape, hit, share)
}

/// Values at the vertices, interpolated at a hit; zero if there are none.
fn mix_of(values: &[Vec2], shape: &Shape, hit: &Hit, share: [f64; 3]) -> Vec2 {
    let corners = shape.triangles[hit.triangle]
        .map(|vertex| values.get(vertex as usize).copied().unwrap_or_default());
    let share = share.map(narrow);
    corners[0] * share[0] + corners[1] * share[1] + corners[2] * share[2]
}

/// The position of a hit in world space.
pub(super) fn mix_position(shape: &Shape, hit: &Hit, share: [f64; 3]) -> Vec3 {
    let corners = shape.triangles[hit.triangle].map(|v| shape.posed.position_at(v as usize));
    let share = share.map(narrow);
    corners[0] * share[0] + corners[1] * share[1] + corners[2] * share[2]
}

/// The interpolated normal of a hit, turned to the viewer; of any length.
pub(super) fn mix_normal(shape: &Shape, hit: &Hit, share: [f64; 3]) -> Vec3 {
    let corners = shape.triangles[hit.triangle].map(|v| shape.posed.normal_at(v as usize));
    let share = share.map(narrow);
    let normal = corners[0] * share[0] + corners[1] * share[1] + corners[2] * share[2];
    if hit.is_front { normal } else { -normal }
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest number")]
pub(super) fn narrow(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_base::deadline::Deadline;
    use tintype_model::WeightSpaceMesh;

    #[test]
    fn meshes_without_names_are_told_apart() {
        let mesh = |name: &str, shader: &str| {
            let weighted = WeightSpaceMesh {
                name: name.to_owned(),
                material_name: shader.to_owned(),
                influence_start: vec![0],
                ..WeightSpaceMesh::default()
            };
            Mesh::new(weighted, &Skeleton::default(), &Deadline::NEVER).expect("no deadline")
        };
        let meshes = [mesh("", "a"), mesh("a", "b"), mesh("", "a"), mesh("", "b"), mesh("a", "c")];
        assert_eq!(mesh_names(&meshes), ["a", "a", "a (2)", "b", "a"]);
    }
}
