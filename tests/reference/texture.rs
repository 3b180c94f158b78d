//! Textures in `f64`: decoding, mip chain, filter.
//!
//! # Conventions
//! Coordinates have their origin in the upper left corner and wrap; texel centres lie at `(i + 0.5) / size`.

use crate::held::Held;

/// What the bytes of a texture mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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
pub struct Texture {
    levels: Vec<Level>,
}

impl Texture {
    /// Builds the chain: each texel is the mean of the part of the level above that it covers.
    pub fn new(width: u32, height: u32, codes: &[[u8; 4]], kind: Kind) -> Self {
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

    /// The filtered texel at `uv`, given how far `uv` moves for one pixel to the right and one pixel down.
    pub fn sample(&self, uv: [f64; 2], along_x: [f64; 2], along_y: [f64; 2]) -> [f64; 4] {
        let size = [self.levels[0].width as f64, self.levels[0].height as f64];
        let texels = |step: [f64; 2]| libm::hypot(step[0] * size[0], step[1] * size[1]);
        let rate = texels(along_x).at_least(texels(along_y));
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
    // How much of source texel `at` field `index` covers, in fields.
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
pub fn linear(encoded: f64) -> f64 {
    if encoded <= 0.040_45 { encoded / 12.92 } else { libm::pow((encoded + 0.055) / 1.055, 2.4) }
}

/// The sRGB-encoded value of a linear one.
pub fn encoded(linear: f64) -> f64 {
    if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055
    }
}

fn mix4(a: [f64; 4], b: [f64; 4], share: f64) -> [f64; 4] {
    [0, 1, 2, 3].map(|i| a[i] + (b[i] - a[i]) * share)
}
