//! Textures in `f64`: decoding, mip chain, filter.
//!
//! # Conventions
//! Coordinates have their origin in the upper left corner and wrap; texel centres lie at
//! `(i + 0.5) / size`.

use crate::held::Held;

/// Meaning of the bytes of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// sRGB; alpha is taken as 1.
    Opaque,
    /// sRGB with coverage in alpha; filtered premultiplied.
    Alpha,
    /// Linear values; alpha is taken as 1.
    Data,
}

/// One level of a mip chain: linear, premultiplied.
#[derive(Clone, Debug)]
struct Level {
    width: usize,
    height: usize,
    texels: Vec<[f64; 4]>,
}

/// A texture with its chain.
#[derive(Clone, Debug)]
pub(crate) struct Texture {
    levels: Vec<Level>,
}

impl Texture {
    /// Builds the chain: each texel is the mean of the part of the level above that it covers.
    pub(crate) fn new(width: u32, height: u32, codes: &[[u8; 4]], kind: Kind) -> Self {
        let texels: Vec<[f64; 4]> = codes.iter().map(|&code| decode(code, kind)).collect();
        let base = Level { width: width as usize, height: height as usize, texels };
        let (mut width, mut height) = (base.width, base.height);
        let mut levels = vec![base];
        while width > 1 || height > 1 {
            (width, height) = ((width / 2).max(1), (height / 2).max(1));
            let level = shrunk(&levels[levels.len() - 1], width, height);
            levels.push(level);
        }
        Self { levels }
    }

    /// The filtered texel at `uv`, given the motion of `uv` for one pixel to the right and one
    /// pixel down.
    pub(crate) fn sample(&self, uv: [f64; 2], along_x: [f64; 2], along_y: [f64; 2]) -> [f64; 4] {
        let texels = |step: [f64; 2]| {
            let [x, y] = self.in_texels(step);
            libm::hypot(x, y)
        };
        self.trilinear(uv, texels(along_x).at_least(texels(along_y)))
    }

    /// The same with up to `most` probes along the longest direction of the pixel's footprint on
    /// the texture.
    ///
    /// A round pixel of diameter 1 is an ellipse there. Each probe averages a disc as wide as the
    /// ellipse is narrow, but at least a texel and at least the ellipse's length over `most`. There
    /// are as many probes in a row as discs are needed to fill its length, spaced so that the row
    /// is spread like the ellipse: the variances of their positions and of a disc add up to that of
    /// the length. With one probe this is [`Texture::sample`].
    pub(crate) fn sample_along(
        &self,
        uv: [f64; 2],
        along_x: [f64; 2],
        along_y: [f64; 2],
        most: u32,
    ) -> [f64; 4] {
        let (looks, width, apart) = self.looks(along_x, along_y, most);
        if looks == 1 {
            return self.sample(uv, along_x, along_y);
        }
        let mut sum = [0.0; 4];
        for number in 0..looks {
            let away = f64::from(number) - (f64::from(looks) - 1.0) / 2.0;
            let place = [uv[0] + apart[0] * away, uv[1] + apart[1] * away];
            for (sum, value) in sum.iter_mut().zip(self.trilinear(place, width)) {
                *sum += value / f64::from(looks);
            }
        }
        sum
    }

    /// Number of probes, width of each in texels, and step between them in texture coordinates.
    pub(crate) fn looks(
        &self,
        along_x: [f64; 2],
        along_y: [f64; 2],
        most: u32,
    ) -> (u32, f64, [f64; 2]) {
        let (ratio, width, long) = self.ellipse(along_x, along_y, most);
        // Nearly round footprints, by a part in 64, count as round.
        let looks = (ratio - 1.0 / 64.0).ceil().within(1.0, f64::from(most)) as u32;
        let places = f64::from(looks * looks - 1);
        let apart = if looks > 1 { width * ((ratio * ratio - 1.0) / places).sqrt() } else { 0.0 };
        let [width_0, height_0] = self.in_texels([1.0, 1.0]);
        (looks, width, [long[0] * apart / width_0, long[1] * apart / height_0])
    }

    /// Length of the ellipse over the width of a probe, that width in texels, and the unit vector
    /// along it.
    pub(crate) fn ellipse(
        &self,
        along_x: [f64; 2],
        along_y: [f64; 2],
        most: u32,
    ) -> (f64, f64, [f64; 2]) {
        let (p, q) = (self.in_texels(along_x), self.in_texels(along_y));
        let inner = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        // Rotating the pixel until its axes match those of the ellipse: Jacobi's rotation.
        let turn = 0.5 * libm::atan2(2.0 * inner(p, q), inner(p, p) - inner(q, q));
        let (sin, cos) = (libm::sin(turn), libm::cos(turn));
        let long = [0, 1].map(|axis| cos * p[axis] + sin * q[axis]);
        let short = [0, 1].map(|axis| cos * q[axis] - sin * p[axis]);
        let (length, breadth) = (inner(long, long).sqrt(), inner(short, short).sqrt());
        let width = breadth.at_least(1.0).at_least(length / f64::from(most));
        (length / width, width, long.map(|part| if length > 0.0 { part / length } else { 0.0 }))
    }

    fn in_texels(&self, step: [f64; 2]) -> [f64; 2] {
        [step[0] * self.levels[0].width as f64, step[1] * self.levels[0].height as f64]
    }

    /// The texel at `uv` for a look that is `rate` texels of the first level wide.
    fn trilinear(&self, uv: [f64; 2], rate: f64) -> [f64; 4] {
        let last = self.levels.len() - 1;
        let lod =
            if rate > 0.0 { libm::log2(rate).at_least(0.0).at_most(last as f64) } else { 0.0 };
        let fine = lod.floor() as usize;
        let coarse = (fine + 1).min(last);
        mix4(self.levels[fine].bilinear(uv), self.levels[coarse].bilinear(uv), lod - fine as f64)
    }
}

impl Level {
    fn bilinear(&self, uv: [f64; 2]) -> [f64; 4] {
        let (x, y) = (uv[0] * self.width as f64 - 0.5, uv[1] * self.height as f64 - 0.5);
        let (column, row) = (x.floor(), y.floor());
        let texel = |right: i64, down: i64| {
            let wrap = |at: i64, size: usize| {
                let size = i64::try_from(size).expect("a small texture");
                usize::try_from(((at % size) + size) % size).expect("from 0")
            };
            let x = wrap(column as i64 + right, self.width);
            self.texels[wrap(row as i64 + down, self.height) * self.width + x]
        };
        let top = mix4(texel(0, 0), texel(1, 0), x - column);
        let bottom = mix4(texel(0, 1), texel(1, 1), x - column);
        mix4(top, bottom, y - row)
    }
}

fn decode(code: [u8; 4], kind: Kind) -> [f64; 4] {
    let [r, g, b, a] = code.map(|code| f64::from(code) / 255.0);
    match kind {
        Kind::Data => [r, g, b, 1.0],
        Kind::Opaque => [linear(r), linear(g), linear(b), 1.0],
        Kind::Alpha => [linear(r) * a, linear(g) * a, linear(b) * a, a],
    }
}

/// The means of a picture over a grid of `width` by `height` equal fields.
fn shrunk(base: &Level, width: usize, height: usize) -> Level {
    // The part of source texel `at` covered by field `index`, in fields.
    let share = |at: usize, from: usize, index: usize, to: usize| {
        let (low, high) = (index * from, (index + 1) * from);
        let overlap = high.min((at + 1) * to).saturating_sub(low.max(at * to));
        overlap as f64 / from as f64
    };
    let mut texels = Vec::with_capacity(width * height);
    for row in 0..height {
        for column in 0..width {
            let mut sum = [0.0; 4];
            for y in row * base.height / height..((row + 1) * base.height).div_ceil(height) {
                for x in column * base.width / width..((column + 1) * base.width).div_ceil(width) {
                    let weight =
                        share(x, base.width, column, width) * share(y, base.height, row, height);
                    for (sum, value) in sum.iter_mut().zip(base.texels[y * base.width + x]) {
                        *sum += weight * value;
                    }
                }
            }
            texels.push(sum);
        }
    }
    Level { width, height, texels }
}

/// The linear value of an sRGB-encoded one.
pub(crate) fn linear(encoded: f64) -> f64 {
    if encoded <= 0.040_45 { encoded / 12.92 } else { libm::pow((encoded + 0.055) / 1.055, 2.4) }
}

/// The sRGB-encoded value of a linear one.
pub(crate) fn encoded(linear: f64) -> f64 {
    if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055
    }
}

fn mix4(a: [f64; 4], b: [f64; 4], share: f64) -> [f64; 4] {
    [0, 1, 2, 3].map(|i| a[i] + (b[i] - a[i]) * share)
}
