//! Tile scheduler: workers take tiles in order from a common queue.
//!
//! A worker takes the next tile as soon as it has finished one, so none is idle while a tile is
//! left, however different the costs of tiles are; and each keeps its scratch memory from its first
//! tile to its last.
//!
//! # Determinism
//! A tile's pixels do not depend on the worker that draws it: see [`crate`].

use crate::context::FrameContext;
use crate::geometry::grid::Grid;
use crate::stats::Clock;
use crate::tile::draw::{TileCounts, draw_tile, draw_tile_scalar};
use crate::tile::scratch::{Scratch, TileWork};
use crate::tile::shade::lanes::Tools;
use rayon::prelude::*;
use std::iter::Enumerate;
use std::sync::{Mutex, PoisonError};
use std::vec;
use tintype_model::simd::{self, Kernel, Level, Simd};

/// Rows of the picture that belong to a tile.
type Rows<'r, 'f> = &'r mut [&'f mut [[u8; 4]]];

/// Remaining tiles, with their indices.
struct Left<'r, 'f>(Mutex<Enumerate<vec::IntoIter<Rows<'r, 'f>>>>);

impl<'r, 'f> Left<'r, 'f> {
    fn next(&self) -> Option<(usize, Rows<'r, 'f>)> {
        // A panicking worker loses only its tile; the others are intact.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next()
    }
}

/// Draws all tiles into the rows of a picture, on the threads of the current rayon pool. Returns
/// their counts in the order of the tiles.
pub(crate) fn draw_tiles(
    level: Level,
    frame: &FrameContext,
    grid: &Grid,
    rows: Vec<Rows>,
    clock: Option<Clock>,
) -> Vec<TileCounts> {
    let count = rows.len();
    let left = Left(Mutex::new(rows.into_iter().enumerate()));
    let finished: Vec<Vec<(usize, TileCounts)>> = (0..rayon::current_num_threads().min(count))
        .into_par_iter()
        .with_max_len(1)
        .map(|_| match left.next() {
            Some(first) => simd::run(level, TileWorker { frame, grid, first, left: &left, clock }),
            None => Vec::new(),
        })
        .collect();
    let mut counts = vec![TileCounts::default(); count];
    for (index, tile) in finished.into_iter().flatten() {
        counts[index] = tile;
    }
    counts
}

/// One worker: draws its first tile, then takes more until the queue is empty.
struct TileWorker<'a, 'r, 'f> {
    frame: &'a FrameContext<'a>,
    grid: &'a Grid,
    first: (usize, Rows<'r, 'f>),
    left: &'a Left<'r, 'f>,
    clock: Option<Clock<'a>>,
}

impl Kernel for TileWorker<'_, '_, '_> {
    type Output = Vec<(usize, TileCounts)>;

    fn scalar(self) -> Self::Output {
        let Self { frame, grid, first, left, clock } = self;
        let (mut counts, scratch) = (Vec::new(), &mut Scratch::default());
        let mut next = Some(first);
        while let Some((index, rows)) = next {
            let work = TileWork { frame, rect: grid.rect(index), index, scratch };
            counts.push((index, draw_tile_scalar(work, rows, clock)));
            next = left.next();
        }
        counts
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) -> Self::Output {
        let Self { frame, grid, first, left, clock } = self;
        let (mut counts, scratch) = (Vec::new(), &mut Scratch::default());
        let tools = &mut Tools::new(simd, frame);
        let mut next = Some(first);
        while let Some((index, rows)) = next {
            let work = TileWork { frame, rect: grid.rect(index), index, scratch };
            counts.push((index, draw_tile(simd, tools, work, rows, clock)));
            next = left.next();
        }
        counts
    }
}
