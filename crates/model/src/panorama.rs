//! Panorama: the radiance of all directions, as a picture.

use crate::math::{Vec3, func};

/// A picture of all directions, linear: u runs around the vertical and v from straight up to
/// straight down (equirectangular).
///
/// # Conventions
/// Direction `d` is at `u = 0.5 + atan2(d.z, d.x) / 2π` and `v = 0.5 - asin(d.y) / π`, v from the
/// top.
#[derive(Clone, Debug, PartialEq)]
pub struct Panorama {
    /// Texels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height` texels, rows from the top.
    pub texels: Vec<[f32; 3]>,
}

impl Panorama {
    /// True if it emits no light.
    #[must_use]
    pub fn is_dark(&self) -> bool {
        self.texels.iter().all(|texel| texel.iter().all(|&value| value <= 0.0))
    }

    /// The panorama with means of two by two texels, until no row is longer than `most` texels.
    #[must_use]
    pub fn reduced(mut self, most: u32) -> Self {
        while self.width > most && self.width.is_multiple_of(2) && self.height.is_multiple_of(2) {
            let (width, height) = (self.width / 2, self.height / 2);
            let at = |x: u32, y: u32| self.texels[(y * self.width + x) as usize];
            let texel = |index: u32| {
                let (x, y) = (2 * (index % width), 2 * (index / width));
                let four = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
                [0, 1, 2].map(|k| (four[0][k] + four[1][k] + (four[2][k] + four[3][k])) * 0.25)
            };
            let texels = (0..width * height).map(texel).collect();
            self = Self { width, height, texels };
        }
        self
    }

    /// Radiance of a unit direction, interpolated from the four texels around it.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    #[expect(clippy::cast_possible_truncation, reason = "within the picture")]
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        use core::f32::consts::{PI, TAU};
        let u = 0.5 + func::atan2(direction.z, direction.x) / TAU;
        let v = func::acos(direction.y) / PI;
        let (x, y) = (u * self.width as f32 - 0.5, v * self.height as f32 - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let (part_x, part_y) = (x - left, y - top);
        let (width, height) = (i64::from(self.width), i64::from(self.height));
        let texel = |dx: i64, dy: i64| {
            let column = match left as i64 + dx {
                column if column < 0 => column + width,
                column if column >= width => column - width,
                column => column,
            };
            let row = (top as i64 + dy).clamp(0, height - 1);
            let index = usize::try_from(row * width + column).unwrap_or(0);
            Vec3::from_array(self.texels[index])
        };
        let upper = texel(0, 0) + (texel(1, 0) - texel(0, 0)) * part_x;
        let lower = texel(0, 1) + (texel(1, 1) - texel(0, 1)) * part_x;
        upper + (lower - upper) * part_y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panorama_is_read_by_direction() {
        let texels = (0..32).map(|k| [(k % 8) as f32, (k / 8) as f32, 1.0]).collect();
        let panorama = Panorama { width: 8, height: 4, texels };
        // The middle of the picture looks along +X, a quarter to the right along +Z; rows go from
        // up to down.
        for (direction, expected) in [(Vec3::X, 3.5), (Vec3::Z, 5.5), (-Vec3::Z, 1.5)] {
            let error = panorama.radiance(direction) - Vec3::new(expected, 1.5, 1.0);
            assert!(error.length() < 1e-5, "{direction}: {error}");
        }
        assert_eq!(panorama.radiance(Vec3::Y).y, 0.0);
        assert_eq!(panorama.radiance(-Vec3::Y).y, 3.0);
        let small = panorama.reduced(4);
        assert_eq!((small.width, small.height), (4, 2));
        assert_eq!(small.texels[5], [2.5, 2.5, 1.0]);
        assert!(!small.is_dark());
    }
}
