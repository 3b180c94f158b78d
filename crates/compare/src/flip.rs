//! FLIP: the visible difference of two pictures that alternate in place, 0 to 1 at each pixel.
//!
//! # Source
//! Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström, Fairchild: "FLIP: A Difference Evaluator
//! for Alternating Images", Proc. ACM Comput. Graph. Interact. Tech. 3(2), 2020; the
//! low-dynamic-range form with the viewing distance of its authors' program: 0.7 m from a screen
//! that is 0.7 m and 3840 pixels wide, edges repeated.
//!
//! # Steps
//! sRGB -> linear -> opponent colours -> blurred by the contrast sensitivity of the eye -> back,
//! clamped to the gamut of a screen -> `L*a*b*` with weaker colours in the dark -> distance,
//! stretched to 0..1: the colour difference. Edges and points are detected in the brightness before
//! the blur; where only one picture has them, the colour difference is amplified.

use super::map::{Beyond, Map, Plane, Window, by_tiles, laid_over};
use core::f64::consts::{FRAC_1_SQRT_2, PI};
use std::sync::LazyLock;
use tintype_model::frame::Frame;
use tintype_model::math::func::{cbrt_f64, exp_f64, pow_f64};
use tintype_model::math::srgb::{linear_from_code, linear_from_encoded};

/// Pixels per degree of the field of view: at 0.7 m, 3840 pixels over 0.7 m.
const PIXELS_PER_DEGREE: f64 = 0.7 * (3840.0 / 0.7) * (PI / 180.0);
/// Spread of the contrast sensitivity filters, for brightness, red-green, and the two parts of
/// blue-yellow.
const BLUR: [f64; 4] = [0.0047, 0.0053, 0.04, 0.025];
/// Weights of the two parts of blue-yellow.
const BLUE_PARTS: [f64; 2] = [34.1, 13.5];
/// Width of an edge or a point in degrees.
const FEATURE_DEGREES: f64 = 0.082;
/// The exponents of the colour difference and of the feature difference.
const EXPONENTS: [f64; 2] = [0.7, 0.5];
/// Colour differences below this fraction of the largest one fill this fraction of the scale.
const KNEE: [f64; 2] = [0.4, 0.95];

/// Linear sRGB to XYZ.
const XYZ_FROM_RGB: [[f64; 3]; 3] = [
    [10_135_552.0 / 24_577_794.0, 8_788_810.0 / 24_577_794.0, 4_435_075.0 / 24_577_794.0],
    [2_613_072.0 / 12_288_897.0, 8_788_810.0 / 12_288_897.0, 887_015.0 / 12_288_897.0],
    [1_425_312.0 / 73_733_382.0, 8_788_810.0 / 73_733_382.0, 70_074_185.0 / 73_733_382.0],
];
/// XYZ to linear sRGB.
const RGB_FROM_XYZ: [[f64; 3]; 3] = [
    [3.241_003_275, -1.537_398_934, -0.498_615_861],
    [-0.969_224_334, 1.875_930_071, 0.041_554_224],
    [0.055_639_423, -0.204_011_202, 1.057_148_933],
];

/// Everything that is the same for all pictures.
struct Tables {
    /// The linear value of each code.
    linear: [f64; 256],
    /// XYZ of white.
    white: [f64; 3],
    /// Radii of the filters in pixels.
    reach: usize,
    /// Brightness, red-green, and the two parts of blue-yellow.
    blur: [Vec<f64>; 4],
    /// A Gaussian, its first and its second derivative.
    feature: [Vec<f64>; 3],
    /// The maximum colour difference of a screen.
    largest: f64,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let white = XYZ_FROM_RGB.map(|[r, g, b]| r + g + b);
    let codes: [u8; 256] = core::array::from_fn(|code| u8::try_from(code).unwrap_or(u8::MAX));
    let ends = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|rgb| perceived(&white, rgb));
    let reach = reach_of((BLUR[2] / (2.0 * PI * PI)).sqrt() * PIXELS_PER_DEGREE);
    let [yellow, blue] = [0, 1].map(|part| {
        // A term of a sum of Gaussians is not a product of two normalized filters: its weight is
        // split between both.
        let weight = (BLUE_PARTS[part] * (PI / BLUR[2 + part]).sqrt()).sqrt();
        gaussian(BLUR[2 + part], reach).map(|value| value * weight).collect::<Vec<f64>>()
    });
    let sum = |values: &[f64]| values.iter().sum::<f64>();
    let whole = (sum(&yellow) * sum(&yellow) + sum(&blue) * sum(&blue)).sqrt();
    let scaled = |values: Vec<f64>, by: f64| values.into_iter().map(|value| value / by).collect();
    let [bright, red] = [0, 1].map(|part| {
        let values: Vec<f64> = gaussian(BLUR[part], reach).collect();
        let by = sum(&values);
        scaled(values, by)
    });
    Tables {
        linear: codes.map(linear_from_code),
        white,
        reach,
        blur: [bright, red, scaled(yellow, whole), scaled(blue, whole)],
        feature: features(),
        largest: pow_f64(distance(ends[0], ends[1]), EXPONENTS[0]),
    }
});

/// Three standard deviations, rounded to whole pixels.
fn reach_of(deviation: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "some pixels")]
    #[expect(clippy::cast_sign_loss, reason = "above 0")]
    let reach = (3.0 * deviation).ceil() as usize;
    reach
}

/// Offsets of the taps of a filter from its centre.
fn places(reach: usize) -> impl Iterator<Item = f64> {
    #[expect(clippy::cast_precision_loss, reason = "some pixels")]
    (0..=2 * reach).map(move |place| place as f64 - reach as f64)
}

/// A Gaussian from the eye's transfer function, over degrees.
fn gaussian(spread: f64, reach: usize) -> impl Iterator<Item = f64> {
    places(reach).map(move |place| {
        let degrees = place / PIXELS_PER_DEGREE;
        exp_f64(-PI * PI * degrees * degrees / spread)
    })
}

/// A Gaussian of sum 1, and its derivatives with positive parts of sum 1 and negative parts of sum
/// -1.
fn features() -> [Vec<f64>; 3] {
    let deviation = 0.5 * FEATURE_DEGREES * PIXELS_PER_DEGREE;
    let balanced = |value: fn(f64, f64) -> f64| -> Vec<f64> {
        let values = places(reach_of(deviation)).map(|place| {
            let share = place / deviation;
            value(place, share * share) * exp_f64(-share * share / 2.0)
        });
        let values: Vec<f64> = values.collect();
        let [above, below] = [1.0, -1.0].map(|sign: f64| {
            values.iter().map(|value| value * sign).filter(|&value| value > 0.0).sum::<f64>()
        });
        let side = |value: f64| if value > 0.0 { above } else { below };
        values
            .into_iter()
            .map(|value| if value == 0.0 { 0.0 } else { value / side(value) })
            .collect()
    };
    [balanced(|_, _| 1.0), balanced(|place, _| -place), balanced(|_, square| square - 1.0)]
}

/// FLIP of each pixel; its [`Map::mean`] is the FLIP of the two pictures.
///
/// # Panics
/// If the frames have different sizes.
#[must_use]
pub fn flip(expected: &Frame, found: &Frame) -> Map {
    let tables: &Tables = &TABLES;
    let pictures = [expected, found];
    let worse = |a: f32, b: f32| a > b;
    by_tiles(pictures, tables.reach, Beyond::Edge, 0.0, worse, |window, backdrop, values| {
        let [a, b] = pictures.map(|picture| Seen::new(tables, window, picture, backdrop));
        for (index, value) in values.iter_mut().enumerate() {
            let colors = [a.color(index), b.color(index)];
            if colors[0] == colors[1] {
                *value = 0.0;
                continue;
            }
            let [from, to] = colors.map(|color| perceived(&tables.white, on_screen(tables, color)));
            let color = stretched(distance(from, to), tables.largest);
            let edge = (length(&a.edge, index) - length(&b.edge, index)).abs();
            let point = (length(&a.point, index) - length(&b.point, index)).abs();
            let feature = FRAC_1_SQRT_2 * if edge > point { edge } else { point };
            let amplified = pow_f64(color, 1.0 - pow_f64(feature, EXPONENTS[1]));
            #[expect(clippy::cast_possible_truncation, reason = "a value of 0..=1")]
            let rounded = amplified as f32;
            *value = rounded;
        }
    })
}

/// Filtered colours and features of one picture in one window.
struct Seen {
    /// Brightness, red-green and blue-yellow, blurred.
    color: [Plane; 3],
    /// The change of brightness along the rows and along the columns.
    edge: [Plane; 2],
    /// The change of that.
    point: [Plane; 2],
}

impl Seen {
    fn new(tables: &Tables, window: &Window, picture: &Frame, backdrop: f64) -> Self {
        let width = window.columns.len();
        let mut planes: [Plane; 3] = core::array::from_fn(|_| Plane {
            width,
            values: Vec::with_capacity(width * window.rows.len()),
        });
        for pixel in window.pixels(picture) {
            let [y, cx, cz] = opponents(tables, pixel, backdrop);
            planes[0].values.push(y);
            planes[1].values.push(cx);
            planes[2].values.push(cz);
        }
        let [bright, red, yellow, blue] = &tables.blur;
        let margin = tables.reach;
        let both = |plane: &Plane, rows: &[f64], columns: &[f64]| {
            plane.along_rows(rows, margin).along_columns(columns, margin)
        };
        let mut cz = both(&planes[2], yellow, yellow);
        let part = both(&planes[2], blue, blue);
        cz.values.iter_mut().zip(&part.values).for_each(|(sum, part)| *sum += part);
        let [flat, first, second] = &tables.feature;
        let smooth = planes[0].along_rows(flat, margin);
        Self {
            color: [both(&planes[0], bright, bright), both(&planes[1], red, red), cz],
            edge: [both(&planes[0], first, flat), smooth.along_columns(first, margin)],
            point: [both(&planes[0], second, flat), smooth.along_columns(second, margin)],
        }
    }

    fn color(&self, index: usize) -> [f64; 3] {
        [0, 1, 2].map(|channel| self.color[channel].values[index])
    }
}

fn length(planes: &[Plane; 2], index: usize) -> f64 {
    let [x, y] = [planes[0].values[index], planes[1].values[index]];
    (x * x + y * y).sqrt()
}

fn times(matrix: &[[f64; 3]; 3], [a, b, c]: [f64; 3]) -> [f64; 3] {
    matrix.map(|[x, y, z]| x * a + y * b + z * c)
}

/// Brightness, red-green and blue-yellow of a pixel, with white as (1, 0, 0): the paper's `Y Cx Cz`
/// without its factors, which cancel out.
fn opponents(tables: &Tables, pixel: [u8; 4], backdrop: f64) -> [f64; 3] {
    let rgb = if pixel[3] == 255 {
        [0, 1, 2].map(|channel| tables.linear[usize::from(pixel[channel])])
    } else {
        laid_over(pixel, backdrop).map(|code| linear_from_encoded(code / 255.0))
    };
    let xyz = times(&XYZ_FROM_RGB, rgb);
    let [x, y, z] = [0, 1, 2].map(|axis| xyz[axis] / tables.white[axis]);
    [y, x - y, y - z]
}

/// Opponent colours as linear sRGB, clamped to the gamut of a screen.
#[expect(
    clippy::manual_clamp,
    reason = "f64::clamp is refused: it panics on bounds that are no number"
)]
fn on_screen(tables: &Tables, [y, cx, cz]: [f64; 3]) -> [f64; 3] {
    let shares = [y + cx, y, y - cz];
    let rgb = times(&RGB_FROM_XYZ, [0, 1, 2].map(|axis| shares[axis] * tables.white[axis]));
    rgb.map(|value| match value {
        below if below < 0.0 => 0.0,
        above if above > 1.0 => 1.0,
        held => held,
    })
}

/// Linear sRGB as `L*a*b*`, with the colour axes weaker in the dark.
fn perceived(white: &[f64; 3], rgb: [f64; 3]) -> [f64; 3] {
    const KNEE: f64 = 6.0 / 29.0;
    let xyz = times(&XYZ_FROM_RGB, rgb);
    let [x, y, z] = [0, 1, 2].map(|axis| {
        let share = xyz[axis] / white[axis];
        if share > KNEE * KNEE * KNEE {
            cbrt_f64(share)
        } else {
            share / (3.0 * KNEE * KNEE) + 4.0 / 29.0
        }
    });
    let lightness = 116.0 * y - 16.0;
    let weight = 0.01 * lightness;
    [lightness, weight * 500.0 * (x - y), weight * 200.0 * (y - z)]
}

/// HyAB distance, with lightness separate from colour, which is closer to human judgement for large
/// differences.
fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let [lightness, red, blue] = [0, 1, 2].map(|axis| a[axis] - b[axis]);
    lightness.abs() + (red * red + blue * blue).sqrt()
}

/// A colour distance on the scale 0 to 1.
fn stretched(distance: f64, largest: f64) -> f64 {
    let difference = pow_f64(distance, EXPONENTS[0]);
    let [knee, low_part] = [KNEE[0] * largest, KNEE[1]];
    if difference < knee {
        difference * low_part / knee
    } else {
        low_part + (difference - knee) / (largest - knee) * (1.0 - low_part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(color: [u8; 4]) -> Frame {
        let mut frame = Frame::new(40, 30);
        frame.rgba.fill(color);
        frame
    }

    #[test]
    fn flip_is_nothing_for_equal_pictures_and_1_for_blue_against_green() {
        let green = plain([0, 255, 0, 255]);
        assert_eq!(flip(&green, &green).largest(), 0.0);
        let found = flip(&green, &plain([0, 0, 255, 255])).mean(None).unwrap();
        assert!((found - 1.0).abs() < 1e-6, "{found}");
    }

    #[test]
    fn flip_is_the_same_both_ways_and_falls_off_around_a_change() {
        let a = plain([120, 90, 60, 255]);
        let mut b = a.clone();
        b.rgba[15 * 40 + 20] = [255, 255, 255, 255];
        let (there, back) = (flip(&a, &b), flip(&b, &a));
        assert_eq!(there, back);
        let at = |x: usize, y: usize| there.values[y * 40 + x];
        assert!(
            at(20, 15) > at(22, 15) && at(22, 15) > at(25, 15),
            "{} {}",
            at(20, 15),
            at(22, 15)
        );
        assert_eq!(at(0, 0), 0.0);
    }

    #[test]
    fn flip_sees_what_is_invisible_over_black() {
        let clear = plain([0, 0, 0, 0]);
        assert!(flip(&clear, &plain([0, 0, 0, 255])).mean(None).unwrap() > 0.9);
        assert_eq!(flip(&clear, &plain([200, 0, 90, 0])).largest(), 0.0);
    }
}
