//! Neither seam nor crack: triangles with common edges cover each sample once, alone and together,
//! on every level.
//!
//! Each triangle is drawn alone, opaque, and the samples that show it are counted; then all of them
//! are drawn together, and the covered samples must equal the counted ones. Surfaces that are
//! counted by blending, as in `coverage`, are covered by plain code on every level; these are not.

use tintype_model::math::{Mat3, Vec3};
use tintype_model::simd::Level;
use tintype_model::{AlphaMode, CullMode};
use tintype_raster::{RasterOptions, VisibleFragment};

use crate::coverage::ball;
use crate::world::{Piece, Random, World, glowing, screen, screen_piece, torus};

const ALL_SAMPLES: [u32; 5] = [1, 2, 4, 8, 16];

/// Number of times that each sample of each pixel is covered.
fn count(counts: &mut [[u8; 16]], width: u32, seen: &[VisibleFragment]) {
    for point in seen {
        let [x, y] = point.pixel;
        for (sample, count) in counts[(y * width + x) as usize].iter_mut().enumerate() {
            *count += u8::from(point.samples >> sample & 1 == 1);
        }
    }
}

/// For all triangles, each drawn alone and all drawn together.
fn counts(world: &World, level: Level, tile: u32) -> [Vec<[u8; 16]>; 2] {
    let [width, height] = world.size;
    let cut = RasterOptions { tile, level };
    let nothing = vec![[0; 16]; (width * height) as usize];
    let (mut alone, mut together) = (nothing.clone(), nothing);
    count(&mut together, width, &world.see_with(cut, 1));
    let mut one = world.clone();
    for piece in &world.pieces {
        for &triangle in &piece.mesh.triangles {
            one.pieces = vec![piece.clone()];
            one.pieces[0].mesh.triangles = vec![triangle];
            count(&mut alone, width, &one.see_with(cut, 1));
        }
    }
    [alone, together]
}

/// Every sample of the picture lies on the surface.
fn assert_filled(piece: &Piece, size: [u32; 2], what: &str) {
    for samples in ALL_SAMPLES {
        let mut world = screen(size, samples, glowing(AlphaMode::Opaque, 1.0, CullMode::None));
        world.pieces = vec![piece.clone()];
        for level in Level::available() {
            for (how, counts) in ["alone", "together"].into_iter().zip(counts(&world, level, 8)) {
                let wrong = counts.iter().enumerate().find_map(|(pixel, counts)| {
                    let sample = counts[..samples as usize].iter().position(|&n| n != 1)?;
                    Some((pixel, sample, counts[sample]))
                });
                assert_eq!(
                    wrong, None,
                    "pixel, sample and times of {what}, drawn {how}, {samples} samples, {level:?}"
                );
            }
        }
    }
}

/// A grid of columns and rows that ends beyond the picture, with diagonals in either direction.
fn field(random: &mut Random, size: [u32; 2], columns: &[i32], rows: &[i32]) -> Piece {
    let at = |column: usize, row: usize| (row * columns.len() + column) as u32;
    let places: Vec<[i32; 2]> =
        rows.iter().flat_map(|&y| columns.iter().map(move |&x| [x, y])).collect();
    let mut triangles = Vec::new();
    for row in 1..rows.len() {
        for column in 1..columns.len() {
            let [a, b] = [at(column - 1, row - 1), at(column, row - 1)];
            let [c, d] = [at(column, row), at(column - 1, row)];
            match random.whole(0, 1) {
                0 => triangles.extend([[a, d, c], [a, c, b]]),
                _ => triangles.extend([[a, d, b], [b, d, c]]),
            }
        }
    }
    screen_piece(size, &places, triangles)
}

/// Positions in 1/256 pixel from before 0 to beyond `end`, with steps of `low..=high`.
fn steps(random: &mut Random, end: i32, low: i32, high: i32) -> Vec<i32> {
    let mut places = vec![-256];
    while places[places.len() - 1] <= end + 256 {
        places.push(places[places.len() - 1] + random.whole(low, high));
    }
    places
}

#[test]
fn seams_of_fields_smaller_than_a_pixel_are_covered_once() {
    let mut random = Random(21);
    for (number, (low, high)) in [(40, 90), (64, 64), (100, 400)].into_iter().enumerate() {
        let columns = steps(&mut random, 5 * 256, low, high);
        let rows = steps(&mut random, 4 * 256, low, high);
        assert_filled(&field(&mut random, [5, 4], &columns, &rows), [5, 4], &format!("{number}"));
    }
}

#[test]
fn seams_of_slivers_are_covered_once() {
    let mut random = Random(22);
    // Columns from 1/256 of a pixel on, whose edges lean because the rows are shifted sideways.
    for (low, high) in [(1, 3), (1, 40)] {
        let size = [4, 12];
        let columns = steps(&mut random, 4 * 256, low, high);
        let mut piece = field(&mut random, size, &columns, &[-256, 13 * 256]);
        let count = piece.posed.position[0].len() / 2;
        for x in &mut piece.posed.position[0][count..] {
            // A pixel is 1/6 of a unit.
            *x += 1.0 / 6.0;
        }
        assert_filled(&piece, size, &format!("columns of {low} to {high} units"));
    }
}

#[test]
fn seams_of_fans_are_covered_once() {
    let mut random = Random(23);
    let size = [7, 6];
    for number in 0..9 {
        // Edges of each length use a different stepping method.
        let radius_px = [10.0, 300.0, 6_000.0][number / 3];
        // The spokes meet within a pixel, far closer than samples; on the lattice of samples some
        // pass through many of them.
        let lattice = [1, 16, 128][number % 3];
        let hub = [random.whole(2 * 256, 5 * 256), random.whole(2 * 256, 4 * 256)]
            .map(|at| at / lattice * lattice);
        let spokes = [12, 64, 176][number % 3];
        let mut places = vec![hub];
        places.extend((0..spokes).map(|spoke| {
            let turn = f64::from(spoke) / f64::from(spokes) * core::f64::consts::TAU;
            [(hub[0], libm::cos(turn)), (hub[1], libm::sin(turn))]
                .map(|(hub, part)| hub + (part * radius_px * 256.0) as i32)
        }));
        let count = spokes as u32;
        let triangles = (0..count).map(|spoke| [0, 1 + spoke, 1 + (spoke + 1) % count]).collect();
        assert_filled(&screen_piece(size, &places, triangles), size, &format!("fan {number}"));
    }
}

#[test]
fn seams_of_the_longest_edges_are_covered_once() {
    let mut random = Random(24);
    let size = [12, 9];
    for number in 0..30 {
        // A square from one end of the guard band to the other, whose diagonal crosses the picture.
        let moved = if number % 2 == 0 { 900 } else { 0 };
        let mut near =
            |x: i32, y: i32| [x, y].map(|side| side * 8_100 * 256 + random.whole(-moved, moved));
        let places = [near(-1, -1), near(-1, 1), near(1, 1), near(1, -1)];
        let triangles = vec![[0, 1, 2], [0, 2, 3]];
        assert_filled(&screen_piece(size, &places, triangles), size, &format!("square {number}"));
    }
}

fn turned(piece: &Piece, by: Mat3) -> Piece {
    let mut piece = piece.clone();
    let [x, y, z] = &mut piece.posed.position;
    for ((x, y), z) in x.iter_mut().zip(y).zip(z) {
        [*x, *y, *z] = (by * Vec3::new(*x, *y, *z)).to_array();
    }
    piece
}

#[test]
fn seams_of_closed_bodies_that_turn_show_nothing_behind_them() {
    const SIZE: [u32; 2] = [30, 24];
    let bodies = [(ball(2), true), (ball(9), true), (torus(Vec3::ZERO, 0.5, 0.25, 9, 7, 0), false)];
    let mut inside = 0_u64;
    for step in 0..10_u8 {
        let (samples, angle) = (ALL_SAMPLES[usize::from(step % 5)], f32::from(step) * 0.61);
        let by = Mat3::from_rotation_y(angle) * Mat3::from_rotation_x(0.7 * angle);
        for (number, (body, is_convex)) in bodies.iter().enumerate() {
            let picture = |cull: CullMode, level: Level| {
                let mut world = World::empty(SIZE, samples, Vec3::Z * 2.4, Vec3::ZERO);
                world.materials.push(glowing(AlphaMode::Opaque, 1.0, cull));
                world.pieces.push(turned(body, by));
                counts(&world, level, [8, 32][number % 2])
            };
            for level in Level::available() {
                let what = format!("body {number}, step {step}, {samples} samples, {level:?}");
                let [front, shown] = picture(CullMode::Back, level);
                let [back, _] = picture(CullMode::Front, level);
                assert!(front == back, "entered as often as left: {what}");
                let is_same = |(&front, &shown): (&u8, &u8)| shown == u8::from(front > 0);
                let all = front.as_flattened().iter().zip(shown.as_flattened());
                assert!(all.clone().all(is_same), "what is covered shows: {what}");
                inside += all.filter(|&(&front, _)| front > 0).count() as u64;
                if !is_convex {
                    continue;
                }
                // Convex: each sample sees it once or not at all, and no row of samples has a hole.
                for row in front.chunks_exact(SIZE[0] as usize) {
                    for sample in 0..samples as usize {
                        let line: Vec<u8> = row.iter().map(|pixel| pixel[sample]).collect();
                        assert!(line.iter().all(|&count| count <= 1), "twice: {what}");
                        let edges = line.windows(2).filter(|pair| pair[0] != pair[1]).count();
                        assert!(edges <= 2, "a hole: {what}");
                    }
                }
            }
        }
    }
    let levels = Level::available().len() as u64;
    assert!(inside > 25_000 * levels, "{inside} samples are inside");
}
