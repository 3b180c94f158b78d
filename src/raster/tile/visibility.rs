//! Which triangle each sample of a tile sees.
//!
//! Depth and triangle ids live in a thread's scratch memory that stays in its cache; nothing per sample is kept for the
//! whole picture.

use crate::model::AlphaMode;
use crate::raster::alpha_test::lanes::cover_mask;
use crate::raster::coverage::lanes::{
    Everywhere, Lattice, Samples, cover_lanes, cover_scalar, walk_lanes,
};
use crate::raster::coverage::triangle_lanes::Group;
use crate::raster::fragments::{MixedPoints, Point, Points, Queues, number_of};
use crate::raster::geometry::bin::Rect;
use crate::raster::geometry::setup::{SetupTriangle, TriangleId};
use crate::raster::ground::lanes::Behind;
use crate::raster::resolve::Pixels;
use crate::raster::resolve::blend::Layer;
use crate::raster::shading::scalar::{Scene, Surface};
use crate::raster::{Fault, SeenPoint};
use crate::simd::prelude::*;
use crate::simd::{Simd, prefetch_one};

/// Memory that a thread keeps from tile to tile.
#[derive(Default)]
pub(crate) struct Scratch {
    pub samples: Samples,
    /// What was binned to the tile, in submission order.
    pub triangles: Vec<TriangleId>,
    /// The same as they were set up, for lanes: read in one go, which waits for memory less often.
    pub setups: Vec<SetupTriangle>,
    /// The blended ones of them, as places in `triangles`.
    pub blended: Vec<u32>,
    pub points: Points,
    pub queues: Queues,
    pub mixed: MixedPoints,
    /// The light of each point, premultiplied linear RGBA.
    pub colors: Vec<[f32; 4]>,
    pub layers: Vec<Layer>,
    pub behind: Behind,
    pub pixels: Pixels,
}

/// The work on one tile, on any level.
pub(crate) struct TileWork<'a> {
    pub scene: &'a Scene<'a>,
    /// The pixels.
    pub rect: Rect,
    /// The number of the tile.
    pub index: usize,
    pub scratch: &'a mut Scratch,
}

impl Scratch {
    /// Lists the triangles binned to a tile; false if there is none.
    fn start(&mut self, scene: &Scene, index: usize) -> bool {
        self.triangles.clear();
        self.blended.clear();
        for (number, chunk) in scene.chunks.iter().enumerate() {
            self.triangles.extend(chunk.bins.of_tile(index).iter().map(|&local| {
                prefetch_one(&chunk.triangles, usize::from(local));
                TriangleId::new(number, local)
            }));
        }
        !self.triangles.is_empty()
    }

    pub fn collect(&mut self, scene: &Scene, rect: &Rect) {
        self.points.collect_opaque(scene, rect, &self.samples);
        let Self { points, triangles, blended, samples, .. } = self;
        points.collect_fragments(scene, rect, triangles, blended, samples);
    }

    pub fn seen_point(&self, scene: &Scene, rect: &Rect, point: &Point) -> SeenPoint {
        let (_, triangle) = self.triangles[point.triangle as usize].of(scene.chunks);
        SeenPoint {
            pixel: [rect.x + point.spot.column(), rect.y + point.spot.row()],
            draw: triangle.draw,
            triangle: triangle.source,
            samples: u32::from(point.samples),
            is_front: triangle.is_front(),
        }
    }
}

/// Finds what each pixel shows: points and fragments, without light. False if the tile is empty.
pub(crate) fn find_visible(work: &mut TileWork) -> bool {
    let TileWork { scene, rect, index, scratch } = work;
    scratch.samples.clear(rect, scene.pattern.len(), 1.0 / scene.view.camera.far);
    let is_empty = !scratch.start(scene, *index);
    let Scratch { triangles, blended, samples, .. } = &mut **scratch;
    let (pattern, is_faulty) = (scene.pattern, scene.fault == Some(Fault::Depth));
    for (place, &id) in (0_u32..).zip(triangles.iter()) {
        let (_, triangle) = id.of(scene.chunks);
        match scene.material(id).alpha {
            AlphaMode::Blend | AlphaMode::Add | AlphaMode::Multiply => blended.push(place),
            AlphaMode::Opaque => {
                cover_scalar(pattern, rect, triangle, place, is_faulty, samples, |_, _| true);
            }
            AlphaMode::Mask { cutoff } => {
                let surface = Surface::new(**scene, id);
                cover_scalar(pattern, rect, triangle, place, is_faulty, samples, |x, y| {
                    surface.alpha(x, y) >= cutoff
                });
            }
        }
    }
    scratch.collect(scene, rect);
    !is_empty
}

impl Scratch {
    /// Copies the triangles of the tile together.
    fn copy_setups(&mut self, scene: &Scene) {
        self.setups.clear();
        self.setups.extend(self.triangles.iter().map(|id| *id.of(scene.chunks).1));
    }
}

/// The same over lanes, up to the nearest opaque surface of every sample and the kinds of the triangles.
#[inline(always)]
pub(crate) fn find_visible_lanes<S: Simd>(lattice: &Lattice<S>, work: &mut TileWork) -> bool {
    // One copy of the code for all kernels.
    lattice.simd.vectorize(
        #[inline(always)]
        || find_visible_in_lanes(lattice, work),
    )
}

#[inline(always)]
fn find_visible_in_lanes<S: Simd>(lattice: &Lattice<S>, work: &mut TileWork) -> bool {
    let simd = lattice.simd;
    let TileWork { scene, rect, index, scratch } = work;
    scratch.samples.clear(rect, scene.pattern.len(), 1.0 / scene.view.camera.far);
    let is_empty = !scratch.start(scene, *index);
    scratch.copy_setups(scene);
    let Scratch { triangles, setups, blended, samples, queues, .. } = &mut **scratch;
    queues.clear();
    let mut first = 0;
    for together in setups.chunks(S::u32s::LEN) {
        let group = Group::new(lattice, rect, together);
        if group.is_alike() && matches!(scene.alpha(&together[0]), AlphaMode::Opaque) {
            // Mostly.
            queues.note_kinds(scene, &together[0], together.len());
            let mut left = group.alone();
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                let triangle = &together[lane as usize];
                cover_alone(lattice, rect, &group, lane, triangle, first + lane, samples);
            }
            group.cover_small(lattice, rect, group.small(), first, samples);
            first += number_of(together.len());
            continue;
        }
        let mut small = 0;
        for (lane, (place, triangle)) in (0..).zip((first..).zip(together)) {
            queues.note_kind(scene, triangle);
            match scene.alpha(triangle) {
                AlphaMode::Blend | AlphaMode::Add | AlphaMode::Multiply => blended.push(place),
                AlphaMode::Opaque if group.small() >> lane & 1 != 0 => small |= 1 << lane,
                AlphaMode::Opaque => simd.vectorize(
                    #[inline(always)]
                    || cover_alone(lattice, rect, &group, lane, triangle, place, samples),
                ),
                AlphaMode::Mask { cutoff } => {
                    let surface = Surface::new(**scene, triangles[place as usize]);
                    let plain = |x: i32, y: i32| surface.alpha(x, y) >= cutoff;
                    cover_mask(
                        lattice, scene, rect, triangle, triangle, place, cutoff, samples, plain,
                    );
                }
            }
        }
        group.cover_small(lattice, rect, small, first, samples);
        first += number_of(together.len());
    }
    !is_empty
}

/// Shows an opaque triangle of a group wherever it is nearest.
#[inline(always)]
fn cover_alone<S: Simd>(
    lattice: &Lattice<S>,
    rect: &Rect,
    group: &Group<S>,
    lane: u32,
    triangle: &SetupTriangle,
    place: u32,
    samples: &mut Samples,
) {
    let (solid, lane) = (&mut Everywhere, lane as usize);
    if !group.knows(lane) {
        cover_lanes(lattice, rect, triangle, place, samples, solid, |_, _| true);
    } else if let Some(walk) = group.walk(lane) {
        walk_lanes(lattice, rect, &walk, place, samples, solid);
    }
}
