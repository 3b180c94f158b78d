//! Image programs to pictures.
//!
//! Input: a program and the pictures of its paths. Output: one picture. Everything is computed on
//! 8-bit codes, as in the engine, with sums and square roots in `f64`.
//!
//! # Conventions
//! Normal maps have green up, as in the crate's conventions, including those made from height maps,
//! where bright is high. Pictures repeat beyond their edges. If the two pictures of a function
//! differ in size, the second is resized to the first by nearest pixels. Stages on top of each
//! other are resized to the larger of both sizes along each axis, by linear interpolation.

use super::program::{Change, ImageProgram};
use tintype_model::Image;

/// Red, green, blue and alpha.
type Pixel = [u8; 4];

/// Evaluates a program to a picture; `picture` loads the picture of a path.
///
/// # Errors
/// The first failure of `picture`.
pub fn evaluate<E>(
    program: &ImageProgram,
    picture: &mut dyn FnMut(&str) -> Result<Image, E>,
) -> Result<Image, E> {
    Ok(match program {
        ImageProgram::Path(path) => picture(path)?,
        ImageProgram::AddNormals(both) => {
            let [a, b] = both.as_ref();
            combine(evaluate(a, picture)?, &evaluate(b, picture)?, add_normals)
        }
        ImageProgram::Add(both) => {
            let [a, b] = both.as_ref();
            combine(evaluate(a, picture)?, &evaluate(b, picture)?, add)
        }
        ImageProgram::Sum(both) => {
            let [a, b] = both.as_ref();
            let [a, b] = of_one_size(evaluate(a, picture)?, evaluate(b, picture)?);
            combine(a, &b, add)
        }
        ImageProgram::Product(both) => {
            let [a, b] = both.as_ref();
            let [a, b] = of_one_size(evaluate(a, picture)?, evaluate(b, picture)?);
            combine(a, &b, |a, b| {
                let product = |channel: usize| times(a[channel], b[channel]);
                [product(0), product(1), product(2), a[3]]
            })
        }
        ImageProgram::Changed(inner, change) => apply(*change, evaluate(inner, picture)?),
    })
}

fn apply(change: Change, mut image: Image) -> Image {
    let each: fn(Pixel) -> Pixel = match change {
        Change::HeightMap(scale) => return height_map(&image, scale),
        Change::SmoothNormals => return smooth_normals(&image),
        Change::Downsize => return image,
        Change::Scale(factors) => {
            for pixel in &mut image.rgba {
                *pixel = [0, 1, 2, 3]
                    .map(|channel: usize| code(f64::from(pixel[channel]) * factors[channel]));
            }
            return image;
        }
        Change::InvertAlpha => |[r, g, b, a]| [r, g, b, 255 - a],
        Change::InvertColor => |[r, g, b, a]| [255 - r, 255 - g, 255 - b, a],
        Change::MakeIntensity => |[r, ..]| [r; 4],
        Change::MakeAlpha => |pixel| [255, 255, 255, code(height(pixel))],
        Change::Weigh => |[r, g, b, a]| [times(r, a), times(g, a), times(b, a), 255],
        Change::Through => |[.., a]| [255 - a; 4],
    };
    image.rgba.iter_mut().for_each(|pixel| *pixel = each(*pixel));
    image
}

/// The nearest code, clamped to 0..=255.
#[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
#[expect(clippy::cast_sign_loss, reason = "the conversion saturates")]
fn code(value: f64) -> u8 {
    (value + 0.5) as u8
}

/// The product of two codes, with 255 as 1.
fn times(a: u8, b: u8) -> u8 {
    code(f64::from(a) * f64::from(b) / 255.0)
}

/// The mean of the colours, 0 to 255.
fn height([r, g, b, _]: Pixel) -> f64 {
    (f64::from(r) + f64::from(g) + f64::from(b)) / 3.0
}

/// The direction that a pixel of a normal map encodes: 128 is 0, so that a flat map is not tilted.
fn normal([r, g, b, _]: Pixel) -> [f64; 3] {
    [r, g, b].map(|code| (f64::from(code) - 128.0) / 127.0)
}

/// The pixel of a direction of any length; upright for length 0.
fn normal_pixel([x, y, z]: [f64; 3], alpha: u8) -> Pixel {
    let length = (x * x + y * y + z * z).sqrt();
    let unit = if length > 1e-9 { [x, y, z].map(|part| part / length) } else { [0.0, 0.0, 1.0] };
    let [r, g, b] = unit.map(|part| code(part * 127.0 + 128.0));
    [r, g, b, alpha]
}

/// The first normal, tilted further by the second. Black in either counts as upright: maps have
/// black edges.
fn add_normals(a: Pixel, b: Pixel) -> Pixel {
    let lean = |pixel: Pixel| if pixel[..3] == [0; 3] { [0.0, 0.0, 1.0] } else { normal(pixel) };
    let ([x, y, z], [more_x, more_y, _]) = (lean(a), lean(b));
    normal_pixel([x + more_x, y + more_y, z], a[3])
}

fn add(a: Pixel, b: Pixel) -> Pixel {
    [0, 1, 2, 3].map(|channel: usize| a[channel].saturating_add(b[channel]))
}

/// Both pictures in the finer size of both.
fn of_one_size(a: Image, b: Image) -> [Image; 2] {
    let size = [a.width.max(b.width), a.height.max(b.height)];
    [a, b].map(|image| enlarged(image, size))
}

/// The picture with more pixels, each a mean of the four around its centre.
fn enlarged(image: Image, [width, height]: [u32; 2]) -> Image {
    if [image.width, image.height] == [width, height] {
        return image;
    }
    // The pixels before and after the centre of a new one, and its fractional position between
    // them.
    let around = |at: u32, old: u32, new: u32| {
        let position =
            (f64::from(at) + 0.5) * f64::from(old) / f64::from(new) + f64::from(old) - 0.5;
        #[expect(clippy::cast_possible_truncation, reason = "below twice a side")]
        #[expect(clippy::cast_sign_loss, reason = "above 0")]
        let first = position as u32;
        [(first % old, 1.0 - position.fract()), ((first + 1) % old, position.fract())]
    };
    let pixel = |x: u32, y: u32| {
        let at = y as usize * image.width as usize + x as usize;
        image.rgba.get(at).copied().unwrap_or_default()
    };
    let columns: Vec<_> = (0..width).map(|x| around(x, image.width.max(1), width)).collect();
    let mut rgba = Vec::new();
    for y in 0..height {
        let rows = around(y, image.height.max(1), height);
        for columns in &columns {
            let mut sum = [0.0; 4];
            for (row, down) in rows {
                for (column, across) in *columns {
                    for (sum, part) in sum.iter_mut().zip(pixel(column, row)) {
                        *sum += f64::from(part) * across * down;
                    }
                }
            }
            rgba.push(sum.map(code));
        }
    }
    Image { width, height, rgba }
}

fn combine(mut a: Image, b: &Image, mix: impl Fn(Pixel, Pixel) -> Pixel) -> Image {
    let nearest = |at: usize, side: u32, other: u32| at * other as usize / (side as usize).max(1);
    let width = a.width as usize;
    for (y, row) in a.rgba.chunks_mut(width.max(1)).enumerate() {
        let start = nearest(y, a.height, b.height) * b.width as usize;
        for (x, pixel) in row.iter_mut().enumerate() {
            if let Some(&other) = b.rgba.get(start + nearest(x, a.width, b.width)) {
                *pixel = mix(*pixel, other);
            }
        }
    }
    a
}

/// Makes each pixel from itself and its eight neighbours, row by row from the upper left.
fn from_neighbours(image: &Image, make: impl Fn([Pixel; 9]) -> Pixel) -> Image {
    let (width, height) = (image.width as usize, image.height as usize);
    let around = |at: usize, side: usize| [(at + side - 1) % side, at, (at + 1) % side];
    let mut rgba = Vec::new();
    for y in 0..height {
        let rows = around(y, height);
        for x in 0..width {
            let columns = around(x, width);
            let pixel = |position: usize| {
                let at = rows[position / 3] * width + columns[position % 3];
                image.rgba.get(at).copied().unwrap_or_default()
            };
            rgba.push(make([0, 1, 2, 3, 4, 5, 6, 7, 8].map(pixel)));
        }
    }
    Image { width: image.width, height: image.height, rgba }
}

/// Slopes from the previous pixel to the next, along both axes.
fn height_map(image: &Image, scale: f64) -> Image {
    let slope = |from: Pixel, to: Pixel| (height(to) - height(from)) / 2.0 * scale / 256.0;
    from_neighbours(image, |[_, above, _, left, own, right, _, below, _]| {
        // Uphill to the right leans to the left; uphill downwards leans up.
        normal_pixel([-slope(left, right), slope(above, below), 1.0], own[3])
    })
}

fn smooth_normals(image: &Image) -> Image {
    from_neighbours(image, |pixels| {
        let mut sum = [0.0; 3];
        for pixel in pixels {
            for (sum, part) in sum.iter_mut().zip(normal(pixel)) {
                *sum += part;
            }
        }
        normal_pixel(sum, pixels[4][3])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mtr::builtin_image;

    fn grey(width: u32, values: &[u8]) -> Image {
        let rgba: Vec<Pixel> = values.iter().map(|&value| [value, value, value, 200]).collect();
        Image { width, height: rgba.len() as u32 / width, rgba }
    }

    fn made(program: ImageProgram, picture: &Image) -> Image {
        evaluate(&program, &mut |path| -> Result<Image, ()> {
            Ok(builtin_image(path).unwrap_or_else(|| picture.clone()))
        })
        .unwrap()
    }

    fn path(path: &str) -> ImageProgram {
        ImageProgram::Path(path.to_owned())
    }

    fn one(pixel: Pixel) -> Image {
        Image { width: 1, height: 1, rgba: vec![pixel] }
    }

    #[test]
    fn heights_lean_away_from_uphill_with_green_up() {
        // A hill one pixel wide and high in the middle of 5 x 5.
        let mut values = [0; 25];
        values[12] = 128;
        let map = made(path("h").changed(Change::HeightMap(4.0)), &grey(5, &values));
        let at = |x: usize, y: usize| map.rgba[y * 5 + x];
        let flat = [128, 128, 255, 200];
        assert_eq!((at(0, 0), at(2, 2)), (flat, flat));
        // A slope of 128 / 2 * 4 / 256 = 1 is 45 degrees: 0.7071 is code 218, and -0.7071 is code
        // 38.
        assert_eq!(at(1, 2), [38, 128, 218, 200], "left of the hill leans left");
        assert_eq!(at(3, 2), [218, 128, 218, 200]);
        assert_eq!(at(2, 1), [128, 218, 218, 200], "above the hill leans up");
        assert_eq!(at(2, 3), [128, 38, 218, 200]);
    }

    #[test]
    fn heights_repeat_beyond_the_edge() {
        let map = made(path("h").changed(Change::HeightMap(4.0)), &grey(4, &[128, 0, 0, 0]));
        assert_eq!(map.rgba[3], [38, 128, 218, 200], "the hill at the left edge is to its right");
    }

    #[test]
    fn normals_add_their_slopes() {
        let lean = one([218, 128, 218, 77]);
        let both = ImageProgram::AddNormals(Box::new([path("a"), path("_flat")]));
        assert_eq!(made(both, &lean).rgba, [[218, 128, 218, 77]], "a flat map changes nothing");
        let both = ImageProgram::AddNormals(Box::new([path("a"), path("_black")]));
        assert_eq!(made(both, &lean).rgba, [[218, 128, 218, 77]], "nor does a black one");
        let twice = ImageProgram::AddNormals(Box::new([path("a"), path("a")]));
        let [x, y, z, _] = made(twice, &lean).rgba[0];
        // (1.414, 0, 0.707) to unit length.
        assert_eq!(([x, y], z.abs_diff(185) <= 1), ([242, 128], true), "{x} {y} {z}");
    }

    #[test]
    fn second_picture_takes_the_size_of_the_first() {
        let sum = ImageProgram::Add(Box::new([path("a"), path("_white")]));
        let image = made(sum, &grey(2, &[10, 20, 30, 40]));
        assert_eq!((image.width, image.height, image.rgba), (2, 2, vec![[255; 4]; 4]));
        let sum = ImageProgram::Add(Box::new([path("_black"), path("a")]));
        assert_eq!(made(sum, &grey(2, &[10, 20, 30, 40])).rgba, [[10, 10, 10, 255]]);
    }

    #[test]
    fn stages_on_each_other_have_the_finer_size_of_both() {
        let fine = grey(2, &[0, 255, 255, 0]);
        for (program, expected) in [
            (path("_white").times(path("a")), [0, 255, 255, 0]),
            (path("a").times(path("_white")), [0, 255, 255, 0]),
            (path("_black").plus(path("a")), [0, 255, 255, 0]),
        ] {
            let image = made(program.clone(), &fine);
            let found: Vec<u8> = image.rgba.iter().map(|pixel| pixel[0]).collect();
            assert_eq!((image.width, found), (2, expected.to_vec()), "{program}");
        }
        // Twice as many columns, at a quarter before and after the centres; beyond the edges the
        // picture repeats.
        let wide = enlarged(grey(2, &[0, 100]), [4, 1]);
        let found: Vec<u8> = wide.rgba.iter().map(|pixel| pixel[0]).collect();
        assert_eq!(found, [25, 25, 75, 75]);
        let tall = enlarged(grey(1, &[0, 100, 200]), [1, 6]);
        let found: Vec<u8> = tall.rgba.iter().map(|pixel| pixel[0]).collect();
        assert_eq!(found, [50, 25, 75, 125, 175, 150]);
    }

    #[test]
    fn smooth_normals_are_means() {
        let mut bumpy = one([128, 128, 255, 9]);
        bumpy = Image { width: 2, rgba: vec![bumpy.rgba[0], [255, 128, 128, 9]], ..bumpy };
        let smooth = made(path("a").changed(Change::SmoothNormals), &bumpy);
        // Each has itself three times and the other six times around it.
        assert!(smooth.rgba[0][0] > smooth.rgba[1][0], "{:?}", smooth.rgba);
        let flat = builtin_image("_FLAT").unwrap();
        assert_eq!(made(path("a").changed(Change::SmoothNormals), &flat), flat);
    }

    #[test]
    fn channels_are_changed_one_by_one() {
        let picture = one([10, 100, 200, 50]);
        for (change, pixel) in [
            (Change::Scale([2.0, 0.5, 2.0, 1.0]), [20, 50, 255, 50]),
            (Change::InvertAlpha, [10, 100, 200, 205]),
            (Change::InvertColor, [245, 155, 55, 50]),
            (Change::MakeIntensity, [10, 10, 10, 10]),
            (Change::MakeAlpha, [255, 255, 255, 103]),
            (Change::Weigh, [2, 20, 39, 255]),
            (Change::Through, [205; 4]),
            (Change::Downsize, [10, 100, 200, 50]),
        ] {
            assert_eq!(made(path("a").changed(change), &picture).rgba, [pixel], "{change:?}");
        }
        let product = path("a").times(path("a"));
        assert_eq!(made(product, &picture).rgba, [[0, 39, 157, 50]], "alpha is the first's");
    }
}
