//! FLIP and SSIM against the numbers of other programs: the table that
//! `tests/reference/perceptual.py` wrote.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::trial;
use tintype_compare::{flip, mean_ssim, ssim};
use tintype_model::frame::Frame;

type Pixel = [u8; 4];

/// The same numbers as `Noise` of the script.
struct Noise(u32);

impl Noise {
    fn byte(&mut self) -> u8 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0.to_be_bytes()[0]
    }
}

fn code(value: u32) -> u8 {
    u8::try_from(value).unwrap()
}

fn picture(width: u32, height: u32, mut pixel: impl FnMut(u32, u32) -> Pixel) -> Frame {
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    Frame { width, height, rgba: places.map(|(x, y)| pixel(x, y)).collect() }
}

fn noise(width: u32, height: u32, seed: u32) -> Frame {
    let mut source = Noise(seed);
    picture(width, height, |_, _| [source.byte(), source.byte(), source.byte(), 255])
}

fn ramps(width: u32, height: u32) -> Frame {
    picture(width, height, |x, y| {
        let (across, down) = (x * 255 / (width - 1), y * 255 / (height - 1));
        [code(across), code(down), code((x * 3 + y * 5) % 256), 255]
    })
}

fn lines(width: u32, height: u32, seed: u32) -> Frame {
    picture(width, height, |x, y| match (x + 2 * y + seed) % 9 {
        0 => [240, 230, 220, 255],
        _ => [20, 30, 60, 255],
    })
}

fn changed(frame: &Frame, mut change: impl FnMut(u32, u32, Pixel) -> Pixel) -> Frame {
    picture(frame.width, frame.height, |x, y| change(x, y, frame.pixel(x, y)))
}

fn swapped(frame: &Frame) -> Frame {
    changed(frame, |_, _, [r, g, b, a]| [b, r, g, a])
}

fn clear(frame: &Frame, seed: u32) -> Frame {
    let mut source = Noise(seed);
    changed(frame, |_, _, [r, g, b, _]| {
        [r, g, b, if source.byte() < 90 { 0 } else { source.byte() }]
    })
}

fn pair(name: &str) -> [Frame; 2] {
    match name {
        "noise" => [noise(37, 29, 1), noise(37, 29, 2)],
        "ramps_one_code" => {
            let a = ramps(70, 50);
            [a.clone(), changed(&a, |_, _, [r, g, b, a]| [r, g, b ^ 1, a])]
        }
        "ramps_swapped" => [ramps(70, 50), swapped(&ramps(70, 50))],
        "plain_dot" => {
            let a = picture(40, 40, |_, _| [110, 120, 90, 255]);
            [a.clone(), changed(&a, |x, y, old| if (x, y) == (13, 20) { [255; 4] } else { old })]
        }
        "ramps_block" => {
            let a = ramps(130, 70);
            let block = |x: u32, y: u32, [r, g, b, a]: Pixel| {
                let is_inside = (10..24).contains(&y) && (40..90).contains(&x);
                [if is_inside { r.saturating_add(25) } else { r }, g, b, a]
            };
            [a.clone(), changed(&a, block)]
        }
        "lines_moved" => [lines(80, 66, 0), lines(80, 66, 1)],
        "noise_darker" => {
            let a = noise(65, 12, 3);
            let darker = |value: u8| code(u32::from(value) * 7 / 8);
            [a.clone(), changed(&a, |_, _, [r, g, b, a]| [darker(r), darker(g), darker(b), a])]
        }
        "smallest" => [ramps(11, 11), swapped(&ramps(11, 11))],
        "ramps_clear" => [clear(&ramps(50, 40), 5), clear(&ramps(50, 40), 6)],
        other => panic!("the table has a pair {other}"),
    }
}

/// A checksum proving that the script and this file use the same pictures.
fn sum([a, b]: &[Frame; 2]) -> u64 {
    let bytes = a.rgba.as_flattened().iter().zip(b.rgba.as_flattened());
    (1_u64..).zip(bytes).map(|(k, (&a, &b))| u64::from(a) * k + u64::from(b) * (3 * k + 1)).sum()
}

#[trial]
fn flip_and_ssim_are_those_of_other_programs() {
    let table = include_str!("../reference/perceptual.txt");
    let (mut pairs, mut pixels) = (0, 0);
    let mut maps = None;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |index: usize| words[index].parse::<f64>().unwrap();
        if !line.starts_with(' ') {
            let name = words[0];
            let pictures = pair(name);
            let size = [pictures[0].width.to_string(), pictures[0].height.to_string()];
            assert_eq!([&size[0], &size[1]], [words[1], words[2]], "{name}");
            assert_eq!(sum(&pictures).to_string(), words[3], "{name}: other pictures");
            let (flips, ssims) =
                (flip(&pictures[0], &pictures[1]), ssim(&pictures[0], &pictures[1]));
            // The program of FLIP's authors computes in single precision.
            let found = [flips.mean(None).unwrap(), mean_ssim(&ssims).unwrap()];
            assert!(
                (found[0] - number(4)).abs() < 2e-6,
                "{name}: FLIP {}, not {}",
                found[0],
                words[4]
            );
            assert!(
                (found[1] - number(5)).abs() < 1e-7,
                "{name}: SSIM {}, not {}",
                found[1],
                words[5]
            );
            maps = Some((name, flips, ssims));
            pairs += 1;
            continue;
        }
        let (name, flips, ssims) = maps.as_ref().unwrap();
        let [x, y] = [0, 1].map(|index| words[index].parse::<usize>().unwrap());
        let at = y * flips.width as usize + x;
        let found = [flips.values[at], ssims.values[at]].map(f64::from);
        assert!((found[0] - number(2)).abs() < 5e-5, "{name} ({x}, {y}): FLIP {}", found[0]);
        assert!((found[1] - number(3)).abs() < 1e-6, "{name} ({x}, {y}): SSIM {}", found[1]);
        pixels += 1;
    }
    assert_eq!((pairs, pixels), (9, 72), "the table is whole");
}

#[trial]
fn flip_and_ssim_are_the_same_bits_on_any_number_of_threads() {
    let [a, b] = [ramps(200, 300), swapped(&ramps(200, 300))];
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (flips, ssims) = (flip(&a, &b), ssim(&a, &b));
            let means = [flips.mean(None), mean_ssim(&ssims)].map(|mean| mean.unwrap().to_bits());
            (flips, ssims, means)
        })
    };
    let one = with(1);
    for threads in [2, 5] {
        assert!(one == with(threads), "{threads} threads");
    }
}
