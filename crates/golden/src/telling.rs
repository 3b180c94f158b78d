//! Frames worth a golden: those that differ most from each other.

use tintype_compare::{Difference, compare};
use tintype_model::frame::Frame;
use tintype_model::math::smaller;
use tintype_raster::RasterOptions;
use tintype_render::{RenderError, Renderer};
use tintype_scene::FrameNumber;

/// Up to this many of the frames that show a model, sorted: the first, then repeatedly the one that
/// differs most from those before it. No two are equal.
///
/// # Errors
/// [`RenderError`] if a frame cannot be drawn.
pub fn telling_frames(
    renderer: &Renderer,
    frames: &[FrameNumber],
    most: usize,
) -> Result<Vec<FrameNumber>, RenderError> {
    let mut drawn: Vec<(FrameNumber, Frame)> = Vec::new();
    for &number in frames {
        let staged = renderer.stage(number)?;
        let frame = renderer.draw_staged(&staged, RasterOptions::default())?.frame;
        if frame != renderer.draw_without_models(&staged)? {
            drawn.push((number, frame));
        }
    }
    let mut chosen: Vec<usize> = drawn.first().map(|_| 0).into_iter().collect();
    while chosen.len() < most {
        let least = |(index, (_, frame)): (usize, &(FrameNumber, Frame))| {
            let to_chosen = chosen.iter().map(|&known| difference(&drawn[known].1, frame));
            (index, to_chosen.fold(f64::INFINITY, smaller))
        };
        let all = drawn.iter().enumerate().map(least);
        // The first of those with equal differences.
        let best = all.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((index, _)) = best.filter(|(_, least)| *least > 0.0) else { break };
        chosen.push(index);
    }
    chosen.sort_unstable();
    Ok(chosen.into_iter().map(|index| drawn[index].0).collect())
}

/// The mean difference of all codes of two frames of equal size.
fn difference(one: &Frame, other: &Frame) -> f64 {
    match compare(one, other) {
        Some(Difference::Pixels(pixels)) => pixels.mean,
        Some(Difference::Size { .. }) | None => 0.0,
    }
}
