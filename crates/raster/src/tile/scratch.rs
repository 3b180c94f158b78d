//! Memory that a worker keeps from tile to tile.

use crate::context::FrameContext;
use crate::coverage::samples::Samples;
use crate::fragments::fragment::{Fragment, MixedFragments, number_of};
use crate::fragments::lanes::ShaderQueues;
use crate::fragments::layers::Layers;
use crate::fragments::scalar::Fragments;
use crate::geometry::chunk::{TriangleId, list_triangles};
use crate::geometry::grid::Rect;
use crate::geometry::morton::{MORTON_CODES, Morton};
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
    /// For each Morton code the index of the first opaque and the first blended fragment of its pixel, and the end of the last.
    pub starts: [Vec<u32>; 2],
    /// Each triangle as a fragment without a pixel.
    pub sources: Vec<VisibleFragment>,
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

    /// Finds where the fragments of each pixel start.
    pub(crate) fn find_starts(&mut self) {
        let Self { fragments, starts: [opaque, blended], .. } = self;
        list_starts(fragments.opaque.iter().map(|part| part.morton), opaque);
        list_starts(fragments.blended.iter().map(|part| part.fragment.morton), blended);
    }

    /// Lists the sources of the triangles of the tile.
    pub(crate) fn list_sources(&mut self, frame: &FrameContext) {
        self.sources.clear();
        self.sources.extend(self.triangles.iter().map(|&id| {
            let triangle = frame.geometry.triangle(id);
            VisibleFragment {
                pixel: [0; 2],
                draw: triangle.draw,
                triangle: triangle.source,
                samples: 0,
                is_front: triangle.is_front(),
            }
        }));
    }

    /// A fragment as it is listed; [`Self::list_sources`] was called.
    #[inline]
    pub(crate) fn visible_fragment(&self, rect: &Rect, fragment: &Fragment) -> VisibleFragment {
        VisibleFragment {
            pixel: [rect.x + fragment.morton.column(), rect.y + fragment.morton.row()],
            samples: u32::from(fragment.samples),
            ..self.sources[fragment.triangle as usize]
        }
    }
}

/// Lists for each Morton code the index of the first of sorted fragments that has it or a later one.
fn list_starts(codes: impl ExactSizeIterator<Item = Morton>, starts: &mut Vec<u32>) {
    let end = number_of(codes.len());
    starts.clear();
    for (index, code) in (0..).zip(codes) {
        starts.resize(starts.len().max(usize::from(code.0) + 1), index);
    }
    starts.resize(MORTON_CODES + 1, end);
}
