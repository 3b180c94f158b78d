//! The picture behind surfaces that transmit light, drawn before that of the frame.
//!
//! Input: a frame that is ready for its tiles. Output: everything but these surfaces, in linear
//! light without tone, with its mip levels.

use crate::background::Background;
use crate::context::FrameContext;
use crate::environment::texel::MOST;
use crate::geometry::context::GeometryContext;
use crate::options::RasterOptions;
use crate::prepare::Prepared;
use crate::shading::context::LightContext;
use crate::shading::glass::Behind;
use crate::tile::inspect::ListLinear;
use crate::tile::scratch::{Scratch, TileWork};
use crate::view::View;
use rayon::prelude::*;
use tintype_model::Tone;
use tintype_model::simd;

/// Draws the picture behind surfaces that transmit light. None if the view has no such surfaces.
///
/// Tiles are the same as in the frame, and all are finished before the frame begins, because a
/// refracted ray may end in any of them.
pub(crate) fn draw_behind(
    prepared: &Prepared,
    view: &View,
    options: RasterOptions,
) -> Option<Behind> {
    let is_clear = |draw: &crate::Draw| view.materials[draw.material].transmission().is_some();
    if !view.draws.iter().any(is_clear) {
        return None;
    }
    let geometry = GeometryContext { leaves_clear: true, ..prepared.geometry(view) };
    let light = prepared.light(view);
    let light = &LightContext { tone: Tone::NONE, brightest: MOST, ..light };
    let frame = prepared.frame(view, &geometry, light);
    // Without a background, the surroundings are shown instead.
    let is_bare = view.background == Background::Transparent;
    let frame = &FrameContext {
        background: backdrop(view),
        sky: frame.sky.or(light.environment.filter(|_| is_bare)),
        ..frame
    };
    let grid = &prepared.grid;
    let tiles: Vec<Vec<[u16; 4]>> = (0..grid.tile_count())
        .into_par_iter()
        .map_init(Scratch::default, |scratch, index| {
            let work = TileWork { frame, rect: grid.rect(index), index, scratch };
            simd::run(options.level, ListLinear(work))
        })
        .collect();
    Some(Behind::new(prepared.projection, view.size, |x, y| {
        let (index, rect) = grid.tile_of(x, y);
        tiles[index][((y - rect.y) * rect.width + (x - rect.x)) as usize]
    }))
}

/// The background as light: the stated colours after the frame's exposure; without any, the ambient
/// light.
fn backdrop(view: &View) -> Background {
    let scale = if view.tone.exposure > 0.0 { 1.0 / view.tone.exposure } else { 1.0 };
    match view.background {
        Background::Gradient { top, bottom } => {
            Background::Gradient { top: top.scaled(scale), bottom: bottom.scaled(scale) }
        }
        Background::Transparent => Background::Gradient { top: view.ambient, bottom: view.ambient },
    }
}
