//! Finds cut-outs by the alpha of a picture: leaves, hair and fences on cards, if files do not
//! state the meaning of alpha.
//!
//! # Rule
//! Of all pixels, at least [`MIN_SHARE`] are nearly transparent (alpha up to [`LOW`]), at least as
//! many nearly solid (from [`HIGH`] on), and at most [`MAX_BETWEEN`] lie between: the smooth edge
//! of a stencil is thin, while highlights, gradients and glass fill the range between.

use tintype_model::Image;

/// Alpha up to this is nearly transparent.
const LOW: u8 = 31;
/// Alpha from this on is nearly solid.
const HIGH: u8 = 224;
/// Minimum fraction of the pixels at either end: 1 in 50.
const MIN_SHARE: u64 = 50;
/// Maximum of pixels between: 1 in 5.
const MAX_BETWEEN: u64 = 5;

/// Distribution of the alpha of a picture, in rounded percent: nearly transparent, between, nearly
/// solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AlphaShares(pub(super) [u64; 3]);

/// The distribution for a picture whose alpha is a cut-out. None for any other.
pub(super) fn cutout(image: &Image) -> Option<AlphaShares> {
    let mut counts = [0_u64; 3];
    let [low, between, high] = &mut counts;
    for [_, _, _, alpha] in &image.rgba {
        match *alpha {
            ..=LOW => *low += 1,
            HIGH.. => *high += 1,
            _ => *between += 1,
        }
    }
    let [low, between, high] = counts;
    let all = low + between + high;
    let is_cutout =
        low * MIN_SHARE >= all && high * MIN_SHARE >= all && between * MAX_BETWEEN <= all;
    (is_cutout && all > 0).then(|| AlphaShares(counts.map(|count| (count * 100 + all / 2) / all)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(alphas: &[(u8, usize)]) -> Image {
        let rgba: Vec<[u8; 4]> =
            alphas.iter().flat_map(|&(alpha, count)| vec![[9, 9, 9, alpha]; count]).collect();
        Image { width: u32::try_from(rgba.len()).unwrap(), height: 1, rgba }
    }

    #[test]
    fn cutout_has_both_ends_and_little_between() {
        let shares = |alphas: &[(u8, usize)]| cutout(&image(alphas)).map(|AlphaShares(all)| all);
        assert_eq!(shares(&[(0, 60), (128, 10), (255, 30)]), Some([60, 10, 30]));
        assert_eq!(shares(&[(31, 2), (224, 98)]), Some([2, 0, 98]));
        assert_eq!(shares(&[(0, 1), (255, 99)]), None, "a stray pixel is no hole");
        assert_eq!(shares(&[(255, 100)]), None, "solid");
        assert_eq!(shares(&[(0, 100)]), None, "an exporter that knows no alpha");
        assert_eq!(shares(&[(0, 40), (120, 21), (255, 39)]), None, "smoke");
        assert_eq!(shares(&[(80, 100)]), None, "glass");
        assert_eq!(shares(&[(0, 99), (255, 1)]), None, "nearly nothing would be left");
    }
}
