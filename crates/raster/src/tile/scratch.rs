//! Memory that a worker keeps from tile to tile.

use crate::context::FrameContext;
use crate::coverage::samples::Samples;
use crate::fragments::fragment::{Fragment, MixedFragments};
use crate::fragments::lanes::ShaderQueues;
use crate::fragments::layers::Layers;
use crate::fragments::scalar::Fragments;
use crate::geometry::chunk::{TriangleId, list_triangles};
use crate::geometry::grid::Rect;
use crate::geometry::triangle::SetupTriangle;
use crate::interpolate::packet::PieceCorner;
use crate::resolve::background::TileBackground;
use crate::resolve::blend::Layer;
use crate::resolve::pixels::Pixels;
use crate::shown::VisibleFragment;

/// Buffers that a worker reuses for every tile.
#[derive(Default)]
pub(crate) struct Scratch {
    pub samples: Samples,
    /// Triangles of the tile in submission order.
    pub triangles: Vec<TriangleId>,
    /// Copies of these triangles, for lanes: contiguous memory is faster to read.
    pub setups: Vec<SetupTriangle>,
    /// Corners of the pieces of clipped triangles among them.
    pub pieces: Vec<[PieceCorner; 3]>,
    /// Indices of the blended ones among `triangles`.
    pub blended: Vec<u32>,
    pub fragments: Fragments,
    pub layers: Layers,
    pub queues: ShaderQueues,
    pub mixed: MixedFragments,
    /// Light of each fragment, premultiplied linear RGBA.
    pub colors: Vec<[f32; 4]>,
    pub blend: Vec<Layer>,
    pub tile_background: TileBackground,
    pub pixels: Pixels,
}

/// Input and scratch memory of the work on one tile.
pub(crate) struct TileWork<'a> {
    pub frame: &'a FrameContext<'a>,
    /// Pixels of the tile.
    pub rect: Rect,
    /// Index of the tile.
    pub index: usize,
    pub scratch: &'a mut Scratch,
}

impl Scratch {
    /// Lists the triangles binned to a tile; false if there are none.
    pub(crate) fn start(&mut self, frame: &FrameContext, index: usize) -> bool {
        self.blended.clear();
        list_triangles(frame.geometry.chunks, index, &mut self.triangles);
        if frame.geometry.leaves_clear {
            self.triangles.retain(|&id| !frame.geometry.is_clear(id));
        }
        !self.triangles.is_empty()
    }

    pub(crate) fn collect(&mut self, frame: &FrameContext, rect: &Rect) {
        self.fragments.collect_opaque(frame.geometry.pattern, rect, &self.samples);
        let Self { fragments, triangles, blended, samples, .. } = self;
        fragments.collect_blended(frame.geometry, rect, triangles, blended, samples);
    }

    pub(crate) fn visible_fragment(
        &self,
        frame: &FrameContext,
        rect: &Rect,
        fragment: &Fragment,
    ) -> VisibleFragment {
        let triangle = frame.geometry.triangle(self.triangles[fragment.triangle as usize]);
        VisibleFragment {
            pixel: [rect.x + fragment.morton.column(), rect.y + fragment.morton.row()],
            draw: triangle.draw,
            triangle: triangle.source,
            samples: u32::from(fragment.samples),
            is_front: triangle.is_front(),
        }
    }
}
