//! Anisotropic filtering over lanes: a row of probes per lane, each with its length and mip levels.
//! [`crate::texture::anisotropic::scalar::Row`] is the definition; tests check that every level has
//! the same bits.
//!
//! Lanes whose row has ended keep their sum while others continue.

use crate::texture::anisotropic::scalar::{LONGEST, SLACK};
use crate::texture::trilinear::lanes::{Footprints, LaneLevels, length_squared, wrapped};
use tintype_model::math::lanes::{clamp, log2_coarse, max, splat, to_int_in_range};
use tintype_model::simd::Simd;
use tintype_model::simd::prelude::*;
use tintype_model::{Texture, TextureCoordinates};

/// Rows of probes on a texture, and on all others of its size.
#[derive(Clone, Copy)]
pub(crate) struct LaneRows<S: Simd> {
    at: [S::f32s; 2],
    step: [S::f32s; 2],
    /// Probes of each lane, at least 1.
    count: S::f32s,
    /// Finer level, next level, and the weight of the next level.
    finer: LaneLevels<S>,
    coarser: LaneLevels<S>,
    part: S::f32s,
    has_coarser: bool,
    /// Probes of the lane with most.
    longest: u32,
}

impl<S: Simd> LaneRows<S> {
    /// At most `most` probes for the footprints on a texture.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "at most 16 probes")]
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    #[expect(clippy::cast_sign_loss, reason = "at least one probe")]
    pub(crate) fn new(simd: S, texture: &Texture, footprint: &Footprints<S>, most: u32) -> Self {
        let size = [texture.levels[0].width, texture.levels[0].height];
        let last = (texture.levels.len() - 1) as f32;
        let most = most as f32;
        let (zero, one) = (splat(simd, 0.0), splat(simd, 1.0));

        // 1. Axes of the ellipse.
        let [width, height] = size.map(|side| side as f32);
        let across = [footprint.across[0] * width, footprint.across[1] * height];
        let down = [footprint.down[0] * width, footprint.down[1] * height];
        let along_x = across[0] * across[0] + down[0] * down[0];
        let along_y = across[1] * across[1] + down[1] * down[1];
        let mixed = across[0] * across[1] + down[0] * down[1];
        let half = (along_x - along_y) * 0.5;
        let root = (half * half + mixed * mixed).sqrt();
        let major_squared = (along_x + along_y) * 0.5 + root;
        let major = major_squared.sqrt();
        let area = across[0] * down[1] - across[1] * down[0];
        let minor = max::<S>(area, -area) / major;

        // 2. Number and width of probes.
        let width = max::<S>(major / most, max::<S>(minor, one));
        let wanted = clamp(simd, major / width - SLACK, 1.0, most);
        let whole = to_int_in_range::<S>(wanted).to_float::<S::f32s>();
        let count = whole.simd_lt(wanted).select(whole + 1.0, whole);
        let is_row = count.simd_gt(1.0) & major_squared.simd_lt(LONGEST * LONGEST);
        let count = is_row.select(count, one);
        let plain = max::<S>(
            length_squared::<S>(footprint.across, size),
            length_squared::<S>(footprint.down, size),
        );
        let seen = is_row.select(width * width, plain);
        let detail = clamp(simd, log2_coarse(simd, seen) * 0.5, 0.0, last);
        let level = to_int_in_range::<S>(detail);
        let part = detail - level.to_float::<S::f32s>();

        // 3. Positions.
        let long = root + max::<S>(half, -half);
        let is_upright = half.simd_lt(0.0);
        let (x, y) = (is_upright.select(mixed, long), is_upright.select(long, mixed));
        let spread = (major_squared - width * width) / (count * count - 1.0);
        let scale = spread.sqrt() / (x * x + y * y).sqrt();
        let step = [x * scale / size[0] as f32, y * scale / size[1] as f32];
        let step = [is_row.select(step[0], zero), is_row.select(step[1], zero)];

        let mut longest = 1.0;
        for &count in count.as_slice() {
            longest = if count > longest { count } else { longest };
        }
        let [finer, coarser] = LaneLevels::with_next(simd, texture, level);
        Self {
            at: footprint.at,
            step,
            count,
            finer,
            coarser,
            part,
            has_coarser: part.simd_gt(0.0).any_true(),
            longest: longest as u32,
        }
    }

    /// First channels of the means of the probes, premultiplied linear in 0..=1.
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "at most 16 probes")]
    pub(crate) fn sample<const CHANNELS: usize>(
        &self,
        simd: S,
        texture: &Texture,
    ) -> [S::f32s; CHANNELS] {
        let middle = (self.count - 1.0) * 0.5;
        let mut sum = [splat(simd, 0.0); CHANNELS];
        for probe in 0..self.longest {
            let number = splat(simd, probe as f32);
            let is_there = number.simd_lt(self.count);
            let away = number - middle;
            let at = [self.at[0] + self.step[0] * away, self.at[1] + self.step[1] * away];
            let at = wrapped(simd, texture, at);
            let mut codes = self.finer.cells(simd, texture, at).mix::<CHANNELS>(simd, texture);
            if self.has_coarser {
                let far = self.coarser.cells(simd, texture, at).mix::<CHANNELS>(simd, texture);
                for (near, far) in codes.iter_mut().zip(far) {
                    *near = *near + (far - *near) * self.part;
                }
            }
            for (sum, code) in sum.iter_mut().zip(codes) {
                *sum = is_there.select(*sum + code, *sum);
            }
        }
        for value in &mut sum {
            *value = *value / self.count * (1.0 / 65535.0);
        }
        sum
    }
}

/// Rows of the last texture, which can be reused for others of its size with the same texture
/// coordinates.
pub(crate) struct CachedRows<S: Simd>(Option<(RowsKey, LaneRows<S>)>);

/// Size and texture coordinates of a texture.
type RowsKey = ([u32; 2], Option<TextureCoordinates>);

impl<S: Simd> CachedRows<S> {
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self(None)
    }

    /// The rows for a texture with these coordinates; `footprint` is that in their set.
    #[inline(always)]
    pub(crate) fn on(
        &mut self,
        simd: S,
        texture: &Texture,
        coordinates: Option<&TextureCoordinates>,
        footprint: &Footprints<S>,
        most: u32,
    ) -> LaneRows<S> {
        let key = ([texture.levels[0].width, texture.levels[0].height], coordinates.copied());
        match self.0 {
            Some((known, rows)) if known == key => rows,
            _ => {
                let rows = match coordinates {
                    None => LaneRows::new(simd, texture, footprint, most),
                    Some(own) => LaneRows::new(simd, texture, &footprint.on(own), most),
                };
                self.0 = Some((key, rows));
                rows
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::anisotropic::scalar::Row;
    use crate::texture::footprint::Footprint;
    use tintype_base::deadline::Deadline;
    use tintype_model::math::Vec2;
    use tintype_model::simd::{Kernel, Level, run};
    use tintype_model::{Image, TextureFilter, TextureKind, TextureSampling, TextureWrap};

    /// Consecutive footprints that require rows of every length, including invalid footprints.
    fn footprints() -> Vec<Footprint> {
        let odd = [
            0.0,
            -0.0,
            1e-40,
            1e-20,
            3e7,
            2e8,
            1e19,
            3e38,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ];
        let mut state = 0x2545_f491_u32;
        let mut part = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 16_777_216.0 - 0.5
        };
        let mut footprints = Vec::new();
        for number in 0..9_600 {
            let long = [0.01, 0.1, 0.4, 2.0, 40.0][number % 5];
            let slim = [1.0, 0.6, 0.3, 0.1, 0.07, 0.001, 0.0][number % 7];
            let along = Vec2::new(part(), part()) * long;
            let mut footprint = Footprint {
                at: Vec2::new(part(), part()) * 6.0,
                across: along,
                down: Vec2::new(-along.y, along.x) * slim + along * part(),
            };
            if number % 13 == 0 {
                footprint.down.x = odd[number / 13 % odd.len()];
            }
            if number % 101 == 0 {
                footprint.across = Vec2::splat(odd[number / 101 % odd.len()]);
            }
            footprints.push(footprint);
        }
        footprints
    }

    struct All<'a>(&'a Texture, &'a [Footprint], u32);

    impl Kernel for All<'_> {
        type Output = Vec<[f32; 4]>;

        fn scalar(self) -> Vec<[f32; 4]> {
            let Self(texture, footprints, most) = self;
            let sample = |footprint| Row::new(texture, footprint, most).sample(texture).to_array();
            footprints.iter().map(sample).collect()
        }

        #[inline(always)]
        fn lanes<S: Simd>(self, simd: S) -> Vec<[f32; 4]> {
            let Self(texture, footprints, most) = self;
            let mut all = Vec::new();
            for some in footprints.chunks_exact(S::f32s::LEN) {
                let two = |of: fn(&Footprint) -> Vec2| {
                    [0, 1].map(|axis| S::f32s::from_fn(simd, |lane| of(&some[lane])[axis]))
                };
                let footprints = Footprints::<S> {
                    at: two(|footprint| footprint.at),
                    across: two(|footprint| footprint.across),
                    down: two(|footprint| footprint.down),
                };
                let rows = LaneRows::new(simd, texture, &footprints, most);
                let texels: [S::f32s; 4] = rows.sample(simd, texture);
                for lane in 0..S::f32s::LEN {
                    all.push(texels.map(|channel| channel.as_slice()[lane]));
                }
            }
            all
        }
    }

    #[test]
    fn lanes_with_rows_of_different_lengths_have_the_bits_of_the_plain_rows() {
        let footprints = footprints();
        use TextureWrap::{Clamp, Mirror, Repeat};
        for (width, height, wrap) in [
            (64, 64, [Repeat; 2]),
            (37, 21, [Repeat; 2]),
            (1, 16, [Repeat; 2]),
            (21, 37, [Clamp, Mirror]),
            (16, 8, [Mirror, Clamp]),
        ] {
            let code = |index: u32| (index.wrapping_mul(2_654_435_761) >> 8).to_be_bytes();
            let rgba = (0..width * height).map(code).collect();
            let image = Image { width, height, rgba };
            let texture = Texture::new(&image, TextureKind::AlphaColor, &Deadline::NEVER)
                .expect("no deadline");
            let filter = match width {
                37 => TextureFilter::Nearest,
                21 => TextureFilter::Texels,
                _ => TextureFilter::Linear,
            };
            let texture = texture.with_sampling(TextureSampling { filter, wrap });
            for most in [2, 4, 8, 16] {
                let plain = run(Level::Scalar, All(&texture, &footprints, most));
                let mut lengths = [0; 17];
                for footprint in &footprints {
                    lengths[Row::new(&texture, footprint, most).count as usize] += 1;
                }
                let used = lengths[1..=most as usize].iter().filter(|&&count| count > 20).count();
                assert!(used == most as usize || width == 1, "{most}: {lengths:?}");
                for level in Level::available() {
                    let lanes = run(level, All(&texture, &footprints, most));
                    assert_eq!(plain.len(), lanes.len());
                    for (index, (a, b)) in plain.iter().zip(&lanes).enumerate() {
                        let same = a
                            .iter()
                            .zip(b)
                            .all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()));
                        let footprint = footprints[index];
                        assert!(same, "{level:?}, {most}, {footprint:?}: {a:?} and {b:?}");
                    }
                }
            }
        }
    }
}
