//! Anisotropic texture filtering: a row of trilinear probes along the longer axis of the footprint
//! of a pixel.
//!
//! At a grazing angle, a pixel covers a long, narrow piece of its texture. One trilinear probe must
//! take the mip level of the long side and blurs the narrow one; several probes in a row take the
//! level of the narrow side. If the footprint is round, or smaller than a texel, one probe
//! suffices, with the same bits as [`crate::texture::trilinear::scalar`].
//!
//! This module chooses the probes and averages them; [`crate::texture::trilinear::scalar`] reads
//! the texels of one probe. `lanes` does the same over lanes.
//!
//! # Conventions
//! With the steps of a [`Footprint`] in texels of level 0 as the columns of a matrix, the one-pixel
//! disc becomes an ellipse whose axes are the singular values `major` and `minor` of that matrix.
//! Then
//!
//! ```text
//! width  = max(major / most, minor, 1)                   width of one probe in texels; never less than a texel
//! ratio  = major / width                                 at most `most`
//! count  = ceil(ratio - SLACK), at least 1
//! detail = log2(width)                                   level of detail of all probes; with one probe that of trilinear filtering
//! step   = sqrt((major² - width²) / (count² - 1))        from probe to probe, along the major axis
//! ```
//!
//! and the texel is the mean of the probes at `at + (k - (count - 1) / 2) · step`, `k` from 0, in
//! linear premultiplied light. Apart from the slack, `step` is at most `width`, so that no texel is
//! skipped. The row of probes has the spread of the footprint that one probe does not cover (a box
//! of width `w` has the variance `w² / 12`, and `n` positions `s` apart have
//! `s² (n² - 1) / 12`), so that neither a further probe nor the first departure from a round
//! footprint shows as a border.
//!
//! # Determinism
//! `+ - * /` and `sqrt` in a fixed order, and [`func::log2_coarse`]. Texels are summed as codes:
//! the mean of ones is one.
//!
//! # Source
//! The ellipse of a pixel and sums of variances: Heckbert, "Fundamentals of Texture Mapping and
//! Image Warping", 1989. Probes in a row instead of the ellipse, which is widened where the row
//! would be too long: McCormack, Perry, Farkas and Jouppi, "Feline: Fast Elliptical Lines for
//! Anisotropic Texture Mapping", SIGGRAPH 1999. Number of probes: `EXT_texture_filter_anisotropic`.
//! Level of detail: Vulkan 1.3, "Image Operations", where the longer side is divided by the ratio
//! clamped to `most`; divided by the number of probes, as in the extension, it would jump with each
//! further probe and be finer than the narrow side requires.

use crate::texture::footprint::{Footprint, level_of_detail};
use crate::texture::trilinear::scalar::Cell;
use tintype_model::Texture;
use tintype_model::math::{Vec2, Vec4, clamp, func, max};

/// Most probes per pixel.
pub const MOST: u32 = 16;

/// A footprint longer than wide by less than this factor counts as round.
pub(crate) const SLACK: f32 = 1.0 / 64.0;

/// Footprints longer than this number of texels use only the last level, with one probe; the
/// squares of all others are far from overflow.
pub(crate) const LONGEST: f32 = 1e8;

/// Checks the maximum number of probes per pixel: 1, which is trilinear filtering, 2, 4, 8 or 16.
#[must_use]
pub fn is_allowed(most: u32) -> bool {
    most.is_power_of_two() && most <= MOST
}

/// The probes of a footprint on a texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Texture coordinates of the middle of the row.
    pub at: Vec2,
    /// Step from probe to probe.
    pub step: Vec2,
    /// Number of probes, at least 1.
    pub count: u32,
    /// The level of detail, 0 to the last level.
    pub detail: f32,
}

impl Row {
    /// At most `most` probes for a footprint on a texture.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "held to the number of probes")]
    #[expect(clippy::cast_sign_loss, reason = "held to 0")]
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    pub fn new(texture: &Texture, footprint: &Footprint, most: u32) -> Self {
        let size = Vec2::new(texture.levels[0].width as f32, texture.levels[0].height as f32);
        let last = (texture.levels.len() - 1) as f32;
        let most = most as f32;

        // 1. Axes. The larger eigenvalue of the matrix times its transpose is major²; the smaller
        //    one as a difference would lose its digits where it matters, but the determinant does
        //    not.
        let (across, down) = (footprint.across * size, footprint.down * size);
        let along_x = across.x * across.x + down.x * down.x;
        let along_y = across.y * across.y + down.y * down.y;
        let mixed = across.x * across.y + down.x * down.y;
        let half = (along_x - along_y) * 0.5;
        let root = (half * half + mixed * mixed).sqrt();
        let major_squared = (along_x + along_y) * 0.5 + root;
        let major = major_squared.sqrt();
        let area = across.x * down.y - across.y * down.x;
        let minor = max(area, -area) / major;

        // 2. Number and width of probes. Without a footprint `minor` is NaN, and the width is a
        //    texel; if `major` is NaN, as for infinite steps, there is one probe.
        let width = max(major / most, max(minor, 1.0));
        let wanted = clamp(major / width - SLACK, 1.0, most);
        let whole = wanted as u32;
        let count = if (whole as f32) < wanted { whole + 1 } else { whole };
        if count == 1 || major_squared >= LONGEST * LONGEST {
            let detail =
                level_of_detail(footprint, texture.levels[0].width, texture.levels[0].height);
            let detail = clamp(detail, 0.0, last);
            return Self { at: footprint.at, step: Vec2::ZERO, count: 1, detail };
        }
        let detail = clamp(0.5 * func::log2_coarse(width * width), 0.0, last);

        // 3. Positions: `axis` points along the major axis, in the form without subtraction.
        let long = root + max(half, -half);
        let axis = if half < 0.0 { Vec2::new(mixed, long) } else { Vec2::new(long, mixed) };
        let number = count as f32;
        let spread = (major_squared - width * width) / (number * number - 1.0);
        let scale = spread.sqrt() / (axis.x * axis.x + axis.y * axis.y).sqrt();
        Self { at: footprint.at, step: axis * scale / size, count, detail }
    }

    /// The mean of the probes, premultiplied linear RGBA in 0..=1.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "held to the number of levels")]
    #[expect(clippy::cast_sign_loss, reason = "held to 0")]
    #[expect(clippy::cast_precision_loss, reason = "few levels and probes")]
    pub fn sample(&self, texture: &Texture) -> Vec4 {
        let finer_level = self.detail as usize;
        let part = self.detail - finer_level as f32;
        let coarser =
            Some(finer_level + 1).filter(|&next| part > 0.0 && next < texture.levels.len());
        let number = self.count as f32;
        let middle = (number - 1.0) * 0.5;
        let mut sum = Vec4::ZERO;
        for probe in 0..self.count {
            let at = self.at + self.step * (probe as f32 - middle);
            let near = Cell::new(texture, finer_level, at).mix(texture);
            sum += match coarser {
                Some(level) => near + (Cell::new(texture, level, at).mix(texture) - near) * part,
                None => near,
            };
        }
        sum / number * (1.0 / 65535.0)
    }
}
