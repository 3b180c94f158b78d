//! SSIM: similarity of the structure of brightness, 1 for equal structure.
//!
//! # Source
//! Wang, Bovik, Sheikh, Simoncelli: "Image Quality Assessment: From Error Visibility to Structural
//! Similarity", IEEE Trans. Image Process. 13(4), 2004, over a Gaussian window of 11 x 11 pixels
//! and 1.5 deviation, with population moments. The numbers match scikit-image's
//! `structural_similarity` with
//! `gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255`: edges are
//! mirrored for the map, and its mean leaves out 5 pixels at each edge.
//!
//! The brightness is `0.2126 R + 0.7152 G + 0.0722 B` of the codes. A change of hue alone is
//! therefore not measured; FLIP measures it.

use super::map::{Beyond, Map, Plane, by_tiles, laid_over};
use super::mask::Mask;
use std::sync::LazyLock;
use tintype_model::frame::Frame;
use tintype_model::math::func::exp_f64;

/// The window's reach from its middle, in pixels.
const REACH: u32 = 5;
const HALO: usize = REACH as usize;
/// Deviation of the window, in pixels.
const DEVIATION: f64 = 1.5;
/// Brightness from sRGB codes: Rec. 709.
const LUMA: [f64; 3] = [0.2126, 0.7152, 0.0722];
/// Constants that avoid division by zero in flat and dark windows: (0.01 · 255)² and (0.03 · 255)².
const STEADY: [f64; 2] = [0.01 * 255.0 * 0.01 * 255.0, 0.03 * 255.0 * 0.03 * 255.0];

static WINDOW: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let weights: Vec<f64> = (0..=2 * REACH)
        .map(|place| {
            let share = (f64::from(place) - f64::from(REACH)) / DEVIATION;
            exp_f64(-0.5 * share * share)
        })
        .collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
});

/// The SSIM of each pixel.
///
/// # Panics
/// If the frames have different sizes.
#[must_use]
pub fn ssim(expected: &Frame, found: &Frame) -> Map {
    let kernel: &[f64] = &WINDOW;
    let pictures = [expected, found];
    let worse = |a: f32, b: f32| a < b;
    by_tiles(pictures, HALO, Beyond::Mirror, 1.0, worse, |window, backdrop, values| {
        let width = window.columns.len();
        let luma = |pixel| {
            let [r, g, b] = laid_over(pixel, backdrop);
            LUMA[0] * r + LUMA[1] * g + LUMA[2] * b
        };
        let [a, b] = pictures.map(|picture| -> Plane {
            Plane { width, values: window.pixels(picture).map(luma).collect() }
        });
        let product = |a: &Plane, b: &Plane| Plane {
            width,
            values: a.values.iter().zip(&b.values).map(|(a, b)| a * b).collect(),
        };
        let mean =
            |plane: &Plane| plane.along_rows(kernel, HALO).along_columns(kernel, HALO).values;
        let (mean_a, mean_b) = (mean(&a), mean(&b));
        let (square_a, square_b) = (mean(&product(&a, &a)), mean(&product(&b, &b)));
        let mixed = mean(&product(&a, &b));
        for (index, value) in values.iter_mut().enumerate() {
            let (a, b) = (mean_a[index], mean_b[index]);
            let variances = (square_a[index] - a * a) + (square_b[index] - b * b);
            let covariance = mixed[index] - a * b;
            let brightness = (2.0 * a * b + STEADY[0]) / (a * a + b * b + STEADY[0]);
            let structure = (2.0 * covariance + STEADY[1]) / (variances + STEADY[1]);
            #[expect(clippy::cast_possible_truncation, reason = "a value of -1..=1")]
            let rounded = (brightness * structure) as f32;
            *value = rounded;
        }
    })
}

/// The SSIM of two pictures from the SSIM of their pixels: the mean without 5 pixels at each edge,
/// or of all pixels if the picture is smaller.
#[must_use]
pub fn mean_ssim(map: &Map) -> Option<f64> {
    let (width, height) = (map.width, map.height);
    if width.min(height) <= 2 * REACH {
        return map.mean(None);
    }
    let inner = |at: u32, side: u32| (REACH..side - REACH).contains(&at);
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| [x, y]));
    let pixels = pixels.map(|[x, y]| inner(x, width) && inner(y, height)).collect();
    map.mean(Some(&Mask { width, height, pixels }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(seed: u32) -> Frame {
        let mut frame = Frame::new(30, 20);
        let mut state = seed;
        for pixel in &mut frame.rgba {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [r, g, b, _] = state.to_be_bytes();
            *pixel = [r, g, b, 255];
        }
        frame
    }

    #[test]
    fn ssim_is_1_for_equal_pictures_and_near_0_for_noise() {
        let a = noise(1);
        assert_eq!(mean_ssim(&ssim(&a, &a)), Some(1.0));
        let found = mean_ssim(&ssim(&a, &noise(2))).unwrap();
        assert!(found.abs() < 0.2, "{found}");
    }

    #[test]
    fn ssim_of_a_change_is_1_where_its_window_does_not_reach() {
        let a = noise(1);
        let mut b = a.clone();
        b.rgba[10 * 30 + 15] = [0, 0, 0, 255];
        let map = ssim(&a, &b);
        for (index, &value) in map.values.iter().enumerate() {
            let (x, y) = (index % 30, index / 30);
            let reached = x.abs_diff(15) <= 5 && y.abs_diff(10) <= 5;
            assert!(reached == ((value - 1.0).abs() > 1e-7), "({x}, {y}): {value}");
        }
    }

    #[test]
    fn ssim_of_a_picture_smaller_than_its_window_is_that_of_all_its_pixels() {
        let (mut a, mut b) = (Frame::new(3, 2), Frame::new(3, 2));
        a.rgba.fill([0, 0, 0, 255]);
        b.rgba.fill([255, 255, 255, 255]);
        let found = mean_ssim(&ssim(&a, &b)).unwrap();
        assert!((0.0..0.001).contains(&found), "{found}");
    }
}
