//! The nearest surface of every sample, from the rasterizer's visibility pass.
//!
//! A blended surface counts where it hides at least half of the colour behind it, and is
//! transparent elsewhere: a pane of glass does not hide the lamp in it, and the transparent parts
//! of a leaf's texture are absent. Added light and multiplied colours are transparent.

use super::screen::{Patch, Screen};
use crate::asset::Assets;
use crate::{RenderError, Renderer, Staged};
use tintype_model::math::{Vec2, Vec3};
use tintype_model::{Material, Mesh, PosedMesh, Skeleton, TextureRole, mesh_names};
use tintype_raster::geometry::edge::{SamplePattern, UNIT, sample_pattern};
use tintype_raster::texture::footprint::Footprint;
use tintype_raster::texture::trilinear::scalar::sample_trilinear;
use tintype_raster::{RasterOptions, VisibleFragment, VisibleTile};

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
    /// Side of a tile in pixels.
    side: usize,
    /// Tiles row by row; none while they are looked at one by one.
    tiles: Vec<TileHits>,
}

/// Hits of the pixels of a tile.
#[derive(Default)]
pub(super) struct TileHits {
    /// Column and row of the upper left pixel.
    pub corner: [usize; 2],
    /// Columns and rows; none where nothing is seen.
    pub size: [usize; 2],
    hits: Vec<Hit>,
    /// Index of the first hit of each pixel, row by row, and the end of the last.
    start: Vec<u32>,
}

impl TileHits {
    /// The hits of the pixel in a column and row of the tile.
    #[inline]
    pub(super) fn at(&self, column: usize, row: usize) -> &[Hit] {
        let place = row * self.size[0] + column;
        match self.start.get(place..place + 2) {
            Some(&[from, to]) => &self.hits[from as usize..to as usize],
            _ => &[],
        }
    }
}

/// Values that were computed of triangles, by shape and index: pixels beside each other often show one triangle.
pub(super) struct Memo<T>(Vec<Option<([usize; 2], T)>>);

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Memo<T> {
    /// Places for triangles; neighbours in a mesh often have consecutive indices.
    const PLACES: usize = 64;

    /// The value of the triangle of a hit, made if it is not kept.
    #[inline]
    pub(super) fn get(&mut self, hit: &Hit, make: impl FnOnce() -> T) -> &T {
        if self.0.is_empty() {
            self.0.resize_with(Self::PLACES, || None);
        }
        let key = [hit.shape, hit.triangle];
        let place = &mut self.0[hit.triangle % Self::PLACES];
        if place.as_ref().is_none_or(|(known, _)| *known != key) {
            *place = None;
        }
        &place.get_or_insert_with(|| (key, make())).1
    }
}

/// Triangles on the screen.
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
        let mut seen = Self::without_hits(renderer, staged, shapes, samples, cut);
        seen.tiles = seen.each_tile(renderer, staged, cut, |_, hits| core::mem::take(hits))?;
        Ok(seen)
    }

    /// The surfaces and the screen, before a pass.
    pub(super) fn without_hits(
        renderer: &Renderer,
        staged: &Staged,
        shapes: &'a [Shape<'a>],
        samples: u32,
        cut: RasterOptions,
    ) -> Self {
        let size = renderer.scene().output.size;
        let pattern = sample_pattern(samples).expect("the scene was checked");
        let side = cut.tile_for(size, samples) as usize;
        Self { shapes, screen: Screen::new(&staged.camera, size), pattern, side, tiles: Vec::new() }
    }

    /// Runs the visibility pass and calls `visit` with the index and the hits of each tile; results are in the order of the tiles.
    pub(super) fn each_tile<R: Send>(
        &self,
        renderer: &Renderer,
        staged: &Staged,
        cut: RasterOptions,
        visit: impl Fn(usize, &mut TileHits) -> R + Sync,
    ) -> Result<Vec<R>, RenderError> {
        let assets = renderer.assets();
        let kinds: Vec<Alpha> =
            self.shapes.iter().map(|shape| Alpha::of(&assets.materials[shape.material])).collect();
        renderer.fragments_by_tile(staged, self.count(), cut, |tile| {
            let hits = &mut TileHits {
                corner: tile.corner().map(|side| side as usize),
                ..TileHits::default()
            };
            if !tile.is_empty() {
                self.list(assets, &kinds, &tile, hits);
            }
            visit(tile.index(), hits)
        })
    }

    /// Lists the hits of a tile.
    fn list(&self, assets: &Assets, kinds: &[Alpha], tile: &VisibleTile, into: &mut TileHits) {
        let [columns, rows] = tile.size();
        into.size = [columns, rows].map(|side| side as usize);
        into.start.reserve(into.size[0] * into.size[1] + 1);
        let (mut own, mut nearest) = (Vec::new(), Vec::new());
        let count_of = |hits: &Vec<Hit>| u32::try_from(hits.len()).expect("16 a pixel");
        for row in 0..rows {
            for column in 0..columns {
                into.start.push(count_of(&into.hits));
                if tile.is_plain() {
                    into.hits.extend(tile.nearest([column, row]).as_ref().map(Hit::from));
                    continue;
                }
                own.clear();
                own.extend(tile.at([column, row]));
                match own.as_slice() {
                    [] => {}
                    [one] if kinds[one.draw as usize] == Alpha::Solid => into.hits.push(one.into()),
                    _ => self.add_pixel(assets, kinds, &own, &mut nearest, &mut into.hits),
                }
            }
        }
        into.start.push(count_of(&into.hits));
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
        let columns = (self.screen.size[0] as usize).div_ceil(self.side);
        let tile = &self.tiles[y / self.side * columns + x / self.side];
        tile.at(x % self.side, y % self.side)
    }

    /// Side of a tile in pixels.
    pub(super) fn side(&self) -> usize {
        self.side
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

    /// The position at which a hit is evaluated: the middle of the pixel if it fills it, else the middle of its samples.
    #[inline]
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
    #[inline]
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

/// Values at the vertices, interpolated at a hit; zero where there are none.
#[inline]
fn mix_of(values: &[Vec2], shape: &Shape, hit: &Hit, share: [f64; 3]) -> Vec2 {
    let corners = shape.triangles[hit.triangle]
        .map(|vertex| values.get(vertex as usize).copied().unwrap_or_default());
    let share = share.map(narrow);
    corners[0] * share[0] + corners[1] * share[1] + corners[2] * share[2]
}

/// The position of a hit in world space.
#[inline]
pub(super) fn mix_position(shape: &Shape, hit: &Hit, share: [f64; 3]) -> Vec3 {
    let corners = shape.triangles[hit.triangle].map(|v| shape.posed.position_at(v as usize));
    let share = share.map(narrow);
    corners[0] * share[0] + corners[1] * share[1] + corners[2] * share[2]
}

/// The interpolated normal of a hit, turned to the viewer; of any length.
#[inline]
pub(super) fn mix_normal(shape: &Shape, hit: &Hit, share: [f64; 3]) -> Vec3 {
    let corners = shape.triangles[hit.triangle].map(|v| shape.posed.normal_at(v as usize));
    let share = share.map(narrow);
    let normal = corners[0] * share[0] + corners[1] * share[1] + corners[2] * share[2];
    if hit.is_front { normal } else { -normal }
}

#[inline]
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
