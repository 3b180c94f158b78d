//! Memory that a worker keeps from tile to tile.

use crate::raster::context::FrameContext;
use crate::raster::coverage::samples::Samples;
use crate::raster::fragments::fragment::{MixedPoints, Point};
use crate::raster::fragments::lanes::ShaderQueues;
use crate::raster::fragments::scalar::Points;
use crate::raster::geometry::chunk::TriangleId;
use crate::raster::geometry::grid::Rect;
use crate::raster::geometry::triangle::SetupTriangle;
use crate::raster::resolve::background::TileBackground;
use crate::raster::resolve::blend::Layer;
use crate::raster::resolve::pixels::Pixels;
use crate::raster::shown::SeenPoint;
use crate::simd::prefetch_one;

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
    pub queues: ShaderQueues,
    pub mixed: MixedPoints,
    /// The light of each point, premultiplied linear RGBA.
    pub colors: Vec<[f32; 4]>,
    pub layers: Vec<Layer>,
    pub tile_background: TileBackground,
    pub pixels: Pixels,
}

/// The work on one tile, on any level.
pub(crate) struct TileWork<'a> {
    pub frame: &'a FrameContext<'a>,
    /// The pixels.
    pub rect: Rect,
    /// The number of the tile.
    pub index: usize,
    pub scratch: &'a mut Scratch,
}

impl Scratch {
    /// Lists the triangles binned to a tile; false if there is none.
    pub fn start(&mut self, frame: &FrameContext, index: usize) -> bool {
        self.triangles.clear();
        self.blended.clear();
        for (number, chunk) in frame.geometry.chunks.iter().enumerate() {
            self.triangles.extend(chunk.bins.of_tile(index).iter().map(|&local| {
                prefetch_one(&chunk.triangles, usize::from(local));
                TriangleId::new(number, local)
            }));
        }
        !self.triangles.is_empty()
    }

    pub fn collect(&mut self, frame: &FrameContext, rect: &Rect) {
        self.points.collect_opaque(frame.geometry.pattern, rect, &self.samples);
        let Self { points, triangles, blended, samples, .. } = self;
        points.collect_fragments(frame.geometry, rect, triangles, blended, samples);
    }

    pub fn seen_point(&self, frame: &FrameContext, rect: &Rect, point: &Point) -> SeenPoint {
        let (_, triangle) = self.triangles[point.triangle as usize].of(frame.geometry.chunks);
        SeenPoint {
            pixel: [rect.x + point.morton.column(), rect.y + point.morton.row()],
            draw: triangle.draw,
            triangle: triangle.source,
            samples: u32::from(point.samples),
            is_front: triangle.is_front(),
        }
    }
}
