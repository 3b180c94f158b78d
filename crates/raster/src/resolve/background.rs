//! Background of a tile: gradient or none, with the ground blended over it.
//!
//! Input: the view's background and ground, and the depth buffer, which shows the pixels without a
//! model. Output: encoded pixels, and for partly covered pixels the linear colour, which the
//! resolve needs.

use crate::Background;
use crate::context::FrameContext;
use crate::coverage::samples::{NO_TRIANGLE, Samples};
use crate::environment::Environment;
use crate::fragments::fragment::MixedFragments;
use crate::geometry::edge::UNIT;
use crate::geometry::grid::Rect;
use crate::geometry::morton::{BLOCK, Morton, Run, Runs};
use crate::ground::lanes::to_float;
use crate::resolve::background_codes::{code_at, row_of};
use crate::resolve::dither::{dithered, threshold, thresholds};
use crate::resolve::encode::{Encoding, encode_pixel};
use crate::resolve::pixels::{BLOCK_PIXELS, PixelWriter, Pixels};
use crate::shading::tone::{DIELECTRIC, toned};
use tintype_model::math::lanes::{self, splat};
use tintype_model::math::number::{Lanes, Triple};
use tintype_model::math::srgb::LaneEncoder;
use tintype_model::math::{Vec3, Vec4, clamp};
use tintype_model::simd::prelude::*;
use tintype_model::simd::{MAX_LANES, Simd};
use tintype_model::simd::{deinterleave4, interleave4};

/// Background of a row of the picture, premultiplied.
pub(crate) fn background_of_row(frame: &FrameContext, y: u32) -> Vec4 {
    row_of(frame.background, frame.size[1], y)
}

/// Radiance of an environment behind a pixel, as shown in the picture.
fn sky_of_pixel(frame: &FrameContext, sky: &Environment, x: u32, y: u32) -> Vec4 {
    let middle = |at: u32| (at * UNIT.cast_unsigned() + UNIT.cast_unsigned() / 2).cast_signed();
    let away = -frame.light.rays.back(middle(x), middle(y));
    let light = sky.backdrop(away.into());
    let light: Vec3 = toned(frame.light.tone, light, Some(DIELECTRIC)).into();
    Vec3::from_array(light.to_array().map(|value| clamp(value, 0.0, 1.0))).extend(1.0)
}

/// [`sky_of_pixel`] in every lane.
#[inline(always)]
fn skies<S: Simd>(
    simd: S,
    frame: &FrameContext,
    sky: &Environment,
    [x, y]: [S::u32s; 2],
) -> [S::f32s; 4] {
    let (unit, half) = (UNIT.cast_unsigned(), UNIT.cast_unsigned() / 2);
    let (x, y): (S::i32s, S::i32s) = ((x * unit + half).bitcast(), (y * unit + half).bitcast());
    let back = Triple::from(frame.light.rays.back_lanes(simd, x, y));
    let away = back.map(|part| -part);
    let dielectric = Some(Lanes::<S>(splat(simd, DIELECTRIC)));
    let light = toned(frame.light.tone, sky.backdrop(away), dielectric);
    let held = |value: Lanes<S>| lanes::clamp(simd, value.0, 0.0, 1.0);
    [held(light.x), held(light.y), held(light.z), splat(simd, 1.0)]
}

/// Background of a pixel with the ground over it.
pub(crate) fn background_of_pixel(frame: &FrameContext, x: u32, y: u32) -> Vec4 {
    let background = match &frame.sky {
        Some(sky) => sky_of_pixel(frame, sky, x, y),
        None => background_of_row(frame, y),
    };
    match frame.ground {
        None => background,
        Some(ground) => ground.over(frame.light, x, y, background),
    }
}

/// [`background_of_pixel`], read from the tile's list if that is filled.
#[inline(always)]
pub(crate) fn background_at(
    frame: &FrameContext,
    rect: &Rect,
    tile_background: &TileBackground,
    morton: Morton,
) -> Vec4 {
    match tile_background.at(morton) {
        Some(color) => Vec4::from_array(color),
        None => background_of_pixel(frame, rect.x + morton.column(), rect.y + morton.row()),
    }
}

/// Sets the background fragments of mixed pixels to the colour of the background.
pub(crate) fn keep_backgrounds(
    frame: &FrameContext,
    rect: &Rect,
    tile_background: &TileBackground,
    mixed: &mut MixedFragments,
) {
    let MixedFragments { backgrounds, colors, .. } = mixed;
    let is_by_row = frame.sky.is_none() && frame.ground.is_none();
    if is_by_row && backgrounds.len() > rect.height as usize {
        let row = |row| background_of_row(frame, rect.y + row).to_array();
        let rows: Vec<[f32; 4]> = (0..rect.height).map(row).collect();
        for &(index, morton) in &*backgrounds {
            colors[index as usize] = rows[morton.row() as usize];
        }
        return;
    }
    for &(index, morton) in &*backgrounds {
        let background = background_at(frame, rect, tile_background, morton);
        colors[index as usize] = background.to_array();
    }
}

impl Pixels {
    /// Fills all pixels with the background.
    pub(crate) fn clear(&mut self, frame: &FrameContext, rect: &Rect) {
        let end = Morton::end(rect);
        self.0.clear();
        self.0.resize(end, code_at(frame.background_codes.row(rect.y), rect.x));
        if frame.dithers_background() {
            let last = frame.size[1] - 1;
            let (blocks, _) = self.0.as_chunks_mut::<BLOCK_PIXELS>();
            for (number, block) in blocks.iter_mut().enumerate() {
                let first = Morton::of(BLOCK_PIXELS * number);
                let (x, y) = (rect.x + first.column(), rect.y + first.row());
                for row in 0..BLOCK {
                    // Nothing is read beyond the last row.
                    let codes = frame.background_codes.row((y + row).min(last));
                    // In a block, a row of pixels is two pairs of codes.
                    let left = usize::from(Morton::new(0, row).0);
                    block[left] = code_at(codes, x);
                    block[left + 1] = code_at(codes, x + 1);
                    block[left + 4] = code_at(codes, x + 2);
                    block[left + 5] = code_at(codes, x + 3);
                }
            }
        }
    }

    /// Blends the ground over the background: the definition of [`draw_ground`].
    pub(crate) fn draw_ground(&mut self, frame: &FrameContext, rect: &Rect) {
        if frame.ground.is_some() || frame.sky.is_some() {
            for row in 0..rect.height {
                for column in 0..rect.width {
                    let (x, y) = (rect.x + column, rect.y + row);
                    let mut seen = background_of_pixel(frame, x, y).to_array();
                    let is_bare = seen == background_of_row(frame, y).to_array();
                    if frame.dithers_background() || !is_bare {
                        seen = dithered(seen, threshold(x, y));
                    }
                    let code = u32::from_le_bytes(encode_pixel(seen));
                    self.0[usize::from(Morton::new(column, row).0)] = code;
                }
            }
        }
    }

    /// Fills the rows of a picture with the background, without ground.
    pub(crate) fn leave_empty(frame: &FrameContext, rect: &Rect, rows: &mut [&mut [[u8; 4]]]) {
        for (y, row) in (rect.y..).zip(rows) {
            let codes = frame.background_codes.row(y);
            if !frame.dithers_background() {
                row.fill(code_at(codes, rect.x).to_le_bytes());
                continue;
            }
            for (x, pixel) in (rect.x..).zip(row.iter_mut()) {
                *pixel = code_at(codes, x).to_le_bytes();
            }
        }
    }
}

/// Background with the ground over it, pixel by pixel in Morton order, premultiplied. Empty without
/// a ground; pixels that models hide entirely may hold the background alone.
#[derive(Default)]
pub(crate) struct TileBackground(Vec<[f32; 4]>);

impl TileBackground {
    /// From all pixels of a tile, in the order of [`list_pixels`].
    pub(crate) fn of(rect: &Rect, listed: &[([u32; 2], [f32; 4])]) -> Self {
        let mut found = Self(vec![[0.0; 4]; Morton::end(rect)]);
        for &([x, y], color) in listed {
            found.0[usize::from(Morton::new(x - rect.x, y - rect.y).0)] = color;
        }
        found
    }

    /// Empties the list.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The background of a pixel, if the list is filled.
    #[inline(always)]
    pub(crate) fn at(&self, morton: Morton) -> Option<[f32; 4]> {
        self.0.get(usize::from(morton.0)).copied()
    }
}

/// Blends the ground over the background of a tile wherever a sample shows it, and keeps the linear
/// colour for pixels partly hidden by models.
///
/// Not `#[inline(always)]`, unlike most functions over lanes: it is compiled once for each level,
/// and not again in every kernel that calls it.
pub(crate) fn draw_ground<S: Simd>(
    simd: S,
    frame: &FrameContext,
    rect: &Rect,
    samples: Option<&Samples>,
    writer: &mut PixelWriter<S>,
    tile_background: &mut TileBackground,
) {
    simd.vectorize(
        #[inline(always)]
        || draw_ground_inlined(simd, frame, rect, samples, writer, tile_background),
    );
}

#[inline(always)]
fn draw_ground_inlined<S: Simd>(
    simd: S,
    frame: &FrameContext,
    rect: &Rect,
    samples: Option<&Samples>,
    writer: &mut PixelWriter<S>,
    tile_background: &mut TileBackground,
) {
    tile_background.clear();
    if frame.ground.is_none() && frame.sky.is_none() {
        return;
    }
    if samples.is_some() {
        tile_background.0.resize(Morton::end(rect).next_multiple_of(MAX_LANES), [0.0; 4]);
    }
    let PixelWriter { encoder, encoding, pixels } = writer;
    let mut runs = Runs::new(simd, rect);
    while let Some(run) = runs.next() {
        // 1. Pixels with a sample that shows the background.
        let open = match samples {
            Some(samples) => run.within & open_pixels(simd, samples, &run),
            None => run.within,
        };
        if open == 0 {
            continue;
        }
        let (x, y) = (run.columns + rect.x, run.rows + rect.y);
        let wanted = S::mask32s::from_bitmask(simd, open);
        let background = match &frame.sky {
            Some(sky) => skies(simd, frame, sky, [x, y]),
            None => backgrounds(simd, frame, y),
        };
        let (mut shown, color) = match frame.ground {
            Some(ground) => ground.over_lanes(simd, frame.light, [x, y], background, wanted),
            None => (wanted, background),
        };
        if frame.sky.is_some() {
            shown = wanted;
        }

        // 2. Encode.
        if shown.any_true() {
            let threshold = Lanes::<S>(thresholds(simd, x, y));
            let mut encoded = dithered(color.map(Lanes), threshold);
            if !frame.dithers_background() {
                // The ground changes some pixels of a uniform background.
                let mut is_bare = color[0].simd_eq(background[0]);
                for (color, background) in color.iter().zip(&background).skip(1) {
                    is_bare &= color.simd_eq(*background);
                }
                for (encoded, color) in encoded.iter_mut().zip(color) {
                    *encoded = Lanes(is_bare.select(color, encoded.0));
                }
            }
            encoding.encode::<false>(simd, *encoder, &[encoded.map(|channel| channel.0)]);
            pixels.put_run(simd, encoding.codes[0], shown.to_bitmask(), run.first);
        }
        if samples.is_some() {
            let [r, g, b, a] = color;
            let words = interleave4(simd, [r.bitcast(), g.bitcast(), b.bitcast(), a.bitcast()]);
            let lanes = S::f32s::LEN;
            let to = &mut tile_background.0[run.first..run.first + lanes];
            to.copy_from_slice(bytemuck::cast_slice(&words[..lanes]));
        }
    }
}

/// Lists the background of each pixel of a tile, as left by [`draw_ground`] where no model is.
#[inline(always)]
pub(crate) fn list_ground<S: Simd>(
    simd: S,
    frame: &FrameContext,
    rect: &Rect,
) -> Vec<([u32; 2], [f32; 4])> {
    let (mut samples, mut pixels) = (Samples::default(), Pixels::default());
    let mut tile_background = TileBackground::default();
    samples.clear(rect, 1, frame.far_depth);
    pixels.clear(frame, rect);
    let (encoder, encoding) = (LaneEncoder::new(), &mut Encoding::new(simd));
    let writer = &mut PixelWriter { encoder, encoding, pixels: &mut pixels };
    draw_ground(simd, frame, rect, Some(&samples), writer, &mut tile_background);
    list_pixels(rect, |x, y| {
        let morton = Morton::new(x - rect.x, y - rect.y);
        background_at(frame, rect, &tile_background, morton).to_array()
    })
}

/// Lists the colours of the pixels of a tile, row by row.
pub(crate) fn list_pixels(
    rect: &Rect,
    color: impl Fn(u32, u32) -> [f32; 4],
) -> Vec<([u32; 2], [f32; 4])> {
    let rows = rect.y..rect.y + rect.height;
    let pixels = rows.flat_map(|y| (rect.x..rect.x + rect.width).map(move |x| [x, y]));
    pixels.map(|[x, y]| ([x, y], color(x, y))).collect()
}

/// Lanes of a run with a sample without a surface.
#[inline(always)]
fn open_pixels<S: Simd>(simd: S, samples: &Samples, run: &Run<S>) -> u64 {
    let (count, lanes) = (samples.count(), S::u32s::LEN);
    let owners = &samples.owners()[run.first * count..];
    let owners = &owners[..(lanes * count).min(owners.len())];
    if count == 4 && owners.len() == 4 * lanes {
        let [a, b, c, d] = deinterleave4(simd, owners);
        let open = a.simd_eq(NO_TRIANGLE)
            | b.simd_eq(NO_TRIANGLE)
            | c.simd_eq(NO_TRIANGLE)
            | d.simd_eq(NO_TRIANGLE);
        return open.to_bitmask();
    }
    let mut open = 0;
    for (lane, owners) in owners.chunks_exact(count).enumerate() {
        open |= u64::from(owners.contains(&NO_TRIANGLE)) << lane;
    }
    open
}

/// [`background_of_row`] in every lane.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
fn backgrounds<S: Simd>(simd: S, frame: &FrameContext, y: S::u32s) -> [S::f32s; 4] {
    match frame.background {
        Background::Transparent => [splat(simd, 0.0); 4],
        Background::Gradient { top, bottom } => {
            let part = (to_float::<S>(y) + 0.5) / splat(simd, frame.size[1] as f32);
            [
                part * (bottom.r - top.r) + top.r,
                part * (bottom.g - top.g) + top.g,
                part * (bottom.b - top.b) + top.b,
                splat(simd, 1.0),
            ]
        }
    }
}
