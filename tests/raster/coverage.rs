//! Coverage through the whole rasterizer: an emissive triangle on nothing has its fraction of
//! covered samples as alpha.

use tintype_model::frame::Frame;
use tintype_model::math::Vec3;
use tintype_model::{AlphaMode, CullMode};

use crate::reference::coverage::{self, Triangle};
use crate::world::{Piece, Random, World, glowing, screen, screen_piece, screen_piece_in, torus};

const SIZE: [u32; 2] = [32, 32];
/// Of the picture, in 1/256 pixel.
const SIDE: i32 = 32 * 256;

fn solid() -> tintype_model::Material {
    glowing(AlphaMode::Opaque, 1.0, CullMode::None)
}

/// A surface that is counted: alpha is `1 - 1/2^n` where it is seen `n` times.
fn counting(cull: CullMode) -> tintype_model::Material {
    glowing(AlphaMode::Blend, 0.5, cull)
}

/// The code of an alpha of `part / whole`.
fn code(part: u32, whole: u32) -> u8 {
    ((510 * part + whole) / (2 * whole)) as u8
}

fn alphas(frame: &Frame) -> Vec<u8> {
    frame.rgba.iter().map(|pixel| pixel[3]).collect()
}

/// A triangle of one of the kinds that rasterizers get wrong.
fn some_triangle(random: &mut Random) -> Triangle {
    let place = |random: &mut Random, low: i32, high: i32| {
        [random.whole(low, high), random.whole(low, high)]
    };
    let near = |random: &mut Random, [x, y]: [i32; 2], reach: i32| {
        [x + random.whole(-reach, reach), y + random.whole(-reach, reach)]
    };
    let a = place(random, -256, SIDE + 256);
    match random.whole(0, 6) {
        // Within one or two pixels.
        0 => [a, near(random, a, 200), near(random, a, 200)],
        1 => [a, near(random, a, 700), near(random, a, 700)],
        // A sliver: the third corner is within two units of the line, often on it.
        2 => {
            let b = near(random, a, SIDE);
            let part = random.whole(-64, 128);
            let [x, y] = [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * part / 64);
            [a, b, near(random, [x, y], 2)]
        }
        // Corners on the lattice of samples, so that edges pass through many of them.
        3 => [0; 3].map(|_| place(random, -16, SIDE / 16 + 16).map(|at| at * 16)),
        4 => [0; 3].map(|_| place(random, -2, SIDE / 128 + 2).map(|at| at * 128)),
        // As large as the picture.
        5 => [0; 3].map(|_| place(random, -SIDE, 2 * SIDE)),
        // Almost as large as the guard band.
        _ => [0; 3].map(|_| place(random, -8191 * 256, 8191 * 256 + SIDE)),
    }
}

#[test]
fn coverage_of_random_triangles_equals_the_oracle() {
    const TRIANGLES: u32 = 2_000;
    for samples in [1, 2, 4, 8, 16] {
        let mut random = Random(u64::from(samples));
        let (mut seen, mut partly) = (0, 0);
        for number in 0..TRIANGLES {
            let triangle = some_triangle(&mut random);
            let mut world = screen(SIZE, samples, solid());
            world.pieces = vec![screen_piece(SIZE, &triangle, vec![[0, 1, 2]])];
            let tile = [4, 8, 13, 32, 64][random.whole(0, 4) as usize];
            let found = alphas(&world.draw(tile, 1));
            let masks = coverage::coverage(&triangle, SIZE[0], SIZE[1], samples);
            let expected: Vec<u8> =
                masks.iter().map(|mask| code(mask.count_ones(), samples)).collect();
            let differs = found.iter().zip(&expected).position(|(a, b)| a != b);
            assert_eq!(
                differs, None,
                "pixel of triangle {number} {triangle:?}, {samples} samples, tile {tile}"
            );
            seen += u32::from(masks.iter().any(|&mask| mask != 0));
            partly += masks.iter().filter(|mask| (1..samples).contains(&mask.count_ones())).count();
        }
        assert!(seen > TRIANGLES / 2, "{seen} triangles cover a sample");
        assert!(samples == 1 || partly > 10_000, "{partly} pixels are covered in part");
    }
}

/// The longest possible edges: from one end of the guard band around the widest and the tallest
/// picture to the other.
#[test]
fn coverage_in_the_largest_pictures_equals_the_oracle() {
    const LONG: u32 = Frame::MAX_SIDE;
    let mut random = Random(31);
    let mut partly = 0;
    for number in 0..48 {
        let size = if number % 2 == 0 { [LONG, 16] } else { [16, LONG] };
        let samples = [1, 16][number / 2 % 2];
        let place = |random: &mut Random, side: u32, over_px: i32| {
            random.whole(-over_px * 256, (side as i32 + over_px) * 256)
        };
        // One corner near the picture, the others anywhere in the guard band.
        let triangle: Triangle =
            [0, 8_191, 8_191].map(|over_px| size.map(|side| place(&mut random, side, over_px)));
        let mut world = screen(size, samples, solid());
        world.pieces = vec![screen_piece(size, &triangle, vec![[0, 1, 2]])];
        let found = alphas(&world.draw([64, 16][number / 4 % 2], 1));
        let masks = coverage::coverage(&triangle, size[0], size[1], samples);
        let differs = found
            .iter()
            .zip(&masks)
            .position(|(&alpha, mask)| alpha != code(mask.count_ones(), samples));
        assert_eq!(differs, None, "pixel of triangle {number} {triangle:?}, {size:?}");
        partly += masks.iter().filter(|mask| (1..samples).contains(&mask.count_ones())).count();
    }
    assert!(partly > 1_000, "{partly} pixels are covered in part");
}

#[test]
fn coverage_of_corners_between_the_units_is_that_of_the_nearest_unit() {
    // Positions in 1/2048 pixel; halves go down the picture and to the right.
    const FINE: i32 = 8;
    let mut random = Random(17);
    for number in 0..1_000 {
        let mut place = || random.whole(-64 * FINE, SIDE * FINE);
        let fine: Triangle = [0; 3].map(|_| [place(), place()]);
        let snapped = fine.map(|corner| corner.map(|at| (at + FINE / 2).div_euclid(FINE)));
        let mut world = screen(SIZE, 16, solid());
        world.pieces = vec![screen_piece_in(SIZE, 256 * FINE, &fine, vec![[0, 1, 2]])];
        let expected: Vec<u8> = coverage::coverage(&snapped, SIZE[0], SIZE[1], 16)
            .iter()
            .map(|mask| code(mask.count_ones(), 16))
            .collect();
        let found = alphas(&world.draw(32, 1));
        let differs = found.iter().zip(&expected).position(|(a, b)| a != b);
        assert_eq!(differs, None, "pixel of triangle {number} {fine:?}");
    }
}

#[test]
fn coverage_beyond_the_guard_band_is_off_by_rounding_at_most() {
    // Corners up to 40,000 pixels away are cut at the guard band, and the cut is rounded.
    const NEAR_EDGE_PX: f64 = 0.05;
    let mut random = Random(99);
    let (mut compared, mut skipped) = (0, 0);
    for number in 0..2_000 {
        let reach = 40_000 * 256;
        let triangle: Triangle = if number % 2 == 0 {
            [0; 3].map(|_| [random.whole(-reach, reach), random.whole(-reach, reach)])
        } else {
            let inside = [random.whole(0, SIDE), random.whole(0, SIDE)];
            [inside, [random.whole(-reach, reach), random.whole(-reach, reach)], [reach, -reach]]
        };
        let mut world = screen(SIZE, 1, solid());
        world.pieces = vec![screen_piece(SIZE, &triangle, vec![[0, 1, 2]])];
        let found = alphas(&world.draw(32, 1));
        let expected = coverage::coverage(&triangle, SIZE[0], SIZE[1], 1);
        for (index, (&alpha, &mask)) in (0_u32..).zip(found.iter().zip(&expected)) {
            let centre = coverage::sample_position(index % SIZE[0], index / SIZE[0], [0, 0]);
            if (0..3)
                .any(|k| distance_px(triangle[k], triangle[(k + 1) % 3], centre) < NEAR_EDGE_PX)
            {
                skipped += 1;
                continue;
            }
            compared += 1;
            assert_eq!(alpha, code(mask.into(), 1), "pixel {index} of {number}: {triangle:?}");
        }
    }
    assert!(compared > 100 * skipped, "{compared} compared, {skipped} near an edge");
}

/// From a point to the line through two others.
fn distance_px(a: [i32; 2], b: [i32; 2], p: [i32; 2]) -> f64 {
    let to = |from: [i32; 2], to: [i32; 2]| {
        [f64::from(to[0]) - f64::from(from[0]), f64::from(to[1]) - f64::from(from[1])]
    };
    let (along, offset) = (to(a, b), to(a, p));
    let area = along[0] * offset[1] - along[1] * offset[0];
    (area / libm::hypot(along[0], along[1])).abs() / 256.0
}

/// Every sample of the picture is inside the surface: each must be covered once.
fn assert_filled_once(piece: Piece, samples: u32, tile: u32, what: &str) {
    let mut world = screen(SIZE, samples, counting(CullMode::None));
    world.pieces = vec![piece];
    let found = alphas(&world.draw(tile, 1));
    let wrong = found.iter().position(|&alpha| alpha != code(1, 2));
    assert_eq!(
        wrong.map(|at| (at, found[at])),
        None,
        "pixel and alpha of {what}, {samples} samples"
    );
}

#[test]
fn coverage_of_fans_is_once() {
    let mut random = Random(7);
    for number in 0..600 {
        // Around the picture, from just outside it to far beyond the guard band.
        let radius_px = [24.0, 60.0, 1_000.0, 8_000.0, 9_000.0, 30_000.0][number % 6];
        let spokes = random.whole(4, 40);
        let on_lattice = number % 4 == 0;
        let hub = [0; 2].map(|_| match on_lattice {
            true => random.whole(8, 24) * 256 + random.whole(0, 15) * 16,
            false => random.whole(SIDE / 4, 3 * SIDE / 4),
        });
        let mut places = vec![hub];
        for spoke in 0..spokes {
            let turn = f64::from(spoke) / f64::from(spokes) * core::f64::consts::TAU + 0.1;
            // The chord between two spokes must not come nearer than the picture's corners.
            let stretch = if spokes < 8 { 2.0 } else { 1.1 };
            let place = [libm::cos(turn), libm::sin(turn)]
                .map(|part| 16.0 * 256.0 + part * radius_px * stretch * 256.0);
            places.push(place.map(|at| at as i32));
        }
        let count = spokes as u32;
        let triangles = (0..count).map(|spoke| [0, 1 + spoke, 1 + (spoke + 1) % count]).collect();
        let samples = [1, 4, 8, 16][random.whole(0, 3) as usize];
        let tile = [4, 32, 64][random.whole(0, 2) as usize];
        let what = format!("fan {number} with {spokes} spokes of {radius_px} pixels");
        assert_filled_once(screen_piece(SIZE, &places, triangles), samples, tile, &what);
    }
}

#[test]
fn coverage_of_grids_is_once() {
    let mut random = Random(8);
    for number in 0..300 {
        let cells = random.whole(2, 40);
        // From fields smaller than a pixel to ones beyond the guard band.
        let overhang_px = [2, 50, 5_000, 20_000][number % 4];
        let width = SIDE + 2 * overhang_px * 256;
        let mut places = Vec::new();
        for row in 0..=cells {
            for column in 0..=cells {
                // A corner may move by less than half of a field: no field turns over.
                let step = width / cells;
                let inner = |at: i32| (1..cells).contains(&at);
                let moved = if inner(row) && inner(column) { step / 5 } else { 0 };
                let at = [column, row]
                    .map(|at| at * step - overhang_px * 256 + random.whole(-moved, moved));
                let snapped = if number % 3 == 0 { 16 } else { 1 };
                places.push(at.map(|at| at / snapped * snapped));
            }
        }
        // The last row and column must lie beyond the picture, though `step` was rounded down.
        let stride = cells + 1;
        for at in 0..stride {
            places[(at * stride + cells) as usize][0] = SIDE + overhang_px * 256;
            places[(cells * stride + at) as usize][1] = SIDE + overhang_px * 256;
        }
        let mut triangles = Vec::new();
        for row in 0..cells {
            for column in 0..cells {
                let at = (row * stride + column) as u32;
                let [a, b, c, d] = [at, at + 1, at + stride as u32 + 1, at + stride as u32];
                // Fields may be dented: only a short diagonal is surely inside, either winding is
                // as good.
                if random.whole(0, 1) == 0 {
                    triangles.extend([[a, b, c], [c, d, a]]);
                } else {
                    triangles.extend([[b, c, d], [b, d, a]]);
                }
            }
        }
        let samples = [1, 4, 8, 16][random.whole(0, 3) as usize];
        let tile = [8, 32, 64][random.whole(0, 2) as usize];
        let what = format!("grid {number} of {cells} cells, {overhang_px} pixels over");
        assert_filled_once(screen_piece(SIZE, &places, triangles), samples, tile, &what);
    }
}

/// A closed surface is entered as often as it is left: front and back faces cover the same samples.
#[test]
fn coverage_of_closed_meshes_has_no_crack_and_no_double_hit() {
    let mut random = Random(5);
    let mut covered = 0;
    for number in 0..60 {
        let eye = Vec3::new(random.real(-3.0, 3.0), random.real(-3.0, 3.0), random.real(2.5, 5.0));
        let samples = [1, 4, 8, 16][number % 4];
        // A ball would be a torus without a hole whose outer half is used twice: use a thick and a
        // thin ring instead.
        let (hole, tube) = [(1.0, 0.9), (1.5, 0.2)][number / 4 % 2];
        let (around, along) = (random.whole(3, 60) as u32, random.whole(3, 40) as u32);
        let picture = |cull: CullMode| {
            let mut world = World::empty([64, 48], samples, eye, Vec3::ZERO);
            world.materials.push(counting(cull));
            world.pieces.push(torus(Vec3::ZERO, hole, tube, around, along, 0));
            alphas(&world.draw(16, 1))
        };
        let (front, back) = (picture(CullMode::Back), picture(CullMode::Front));
        let differs = front.iter().zip(&back).position(|(a, b)| a != b);
        assert_eq!(differs, None, "ring {number}, {around} x {along}, {samples} samples");
        covered += front.iter().filter(|&&alpha| alpha > 0).count();
        if samples == 1 {
            // Seen once, twice, ...: never a part of a time.
            let steps = [code(0, 1), code(1, 2), code(3, 4), code(7, 8)];
            assert!(front.iter().all(|alpha| steps.contains(alpha)));
        }
    }
    assert!(covered > 30_000, "{covered} pixels show a ring");
}

/// A convex body is a filled outline: no row of it has a hole.
#[test]
fn coverage_of_convex_bodies_has_no_hole() {
    let mut random = Random(6);
    for number in 0..60 {
        let eye = Vec3::new(random.real(-2.0, 2.0), random.real(-2.0, 2.0), random.real(2.0, 4.0));
        let mut world = World::empty([64, 48], 1, eye, Vec3::ZERO);
        world.materials.push(counting(CullMode::Back));
        world.pieces.push(ball(random.whole(1, 24) as u32));
        let found = alphas(&world.draw(16, 1));
        assert!(found.iter().all(|&alpha| alpha == 0 || alpha == code(1, 2)), "ball {number}");
        assert!(found.iter().filter(|&&alpha| alpha > 0).count() > 100);
        for row in found.chunks_exact(64) {
            let edges = row.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert!(edges <= 2, "ball {number} has a hole");
        }
    }
}

/// An octahedron subdivided `cuts` times, with its corners pushed out to a ball of radius 0.8.
pub(crate) fn ball(cuts: u32) -> Piece {
    let mut places = Vec::new();
    let mut triangles = Vec::new();
    for face in 0..8_u32 {
        let sign = |bit: u32| if face >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let first = places.len() as u32;
        for row in 0..=cuts {
            for column in 0..=row {
                // Integers, so that faces with a common edge agree on its corners to the bit.
                let parts = [cuts - row, row - column, column].map(|part| part as f32);
                let place = Vec3::new(parts[0] * sign(0), parts[1] * sign(1), parts[2] * sign(2));
                places.push(place.normalize() * 0.8);
            }
        }
        let at = |row: u32, column: u32| first + row * (row + 1) / 2 + column;
        let mirrored = sign(0) * sign(1) * sign(2) < 0.0;
        let mut push = |a, b, c| triangles.push(if mirrored { [a, c, b] } else { [a, b, c] });
        for row in 0..cuts {
            for column in 0..=row {
                push(at(row, column), at(row + 1, column), at(row + 1, column + 1));
                if column < row {
                    push(at(row, column), at(row + 1, column + 1), at(row, column + 1));
                }
            }
        }
    }
    let corners: Vec<_> = places
        .iter()
        .map(|&position| crate::world::Corner {
            position,
            normal: position.normalize(),
            tangent: Vec3::X,
            uv: tintype_model::math::Vec2::ZERO,
        })
        .collect();
    crate::world::piece(&corners, triangles, 0)
}

/// A floor under and behind the eye is cut by the near plane, and still each sample is covered
/// once.
#[test]
fn coverage_across_the_near_plane_is_once() {
    let mut random = Random(4);
    for number in 0..100 {
        let samples = [1, 4, 8, 16][number % 4];
        let eye = Vec3::new(0.0, random.real(0.3, 2.0), 0.0);
        let target = Vec3::new(random.real(-0.3, 0.3), -1.2, -2.0);
        let mut world = World::empty(SIZE, samples, eye, target);
        world.materials.push(counting(CullMode::None));
        let cells = random.whole(1, 12) as u32;
        let (mut corners, mut triangles) = (Vec::new(), Vec::new());
        for row in 0..=cells {
            for column in 0..=cells {
                let inner = |at: u32| (1..cells).contains(&at);
                let moved = if inner(row) && inner(column) { 0.2 } else { 0.0 };
                let mut part = |at: u32| {
                    (at as f32 + random.real(-moved, moved)) / cells as f32 * 100.0 - 50.0
                };
                corners.push(crate::world::Corner {
                    position: Vec3::new(part(column), 0.0, part(row)),
                    normal: Vec3::Y,
                    tangent: Vec3::X,
                    uv: tintype_model::math::Vec2::ZERO,
                });
            }
        }
        for row in 0..cells {
            for column in 0..cells {
                let at = row * (cells + 1) + column;
                triangles.extend([[at, at + cells + 1, at + 1]]);
                triangles.extend([[at + 1, at + cells + 1, at + cells + 2]]);
            }
        }
        world.pieces.push(crate::world::piece(&corners, triangles, 0));
        let found = alphas(&world.draw(16, 1));
        let wrong = found.iter().position(|&alpha| alpha != code(1, 2));
        assert_eq!(wrong.map(|at| (at, found[at])), None, "floor {number} of {cells} cells");
    }
}

/// Spokes toward the eye are all cut by the near plane, within the picture. Two neighbours have
/// each cut spoke in common: if they cut it in different points, a crack opens.
#[test]
fn coverage_of_spokes_cut_by_the_near_plane_is_once() {
    const SIZE: [u32; 2] = [64, 64];
    const SPOKES: u32 = 120;
    let mut random = Random(12);
    let mut filled = 0;
    for number in 0..150 {
        let mut world = screen(SIZE, 16, counting(CullMode::None));
        world.camera.near = 1.0;
        // The farther the hub, the coarser the arithmetic of the cut.
        let hub_w = if number % 2 == 0 { 1.5 } else { 400.0 } * random.real(1.0, 2.0);
        let middle = Vec3::new(random.real(-0.2, 0.2), random.real(-0.2, 0.2), -1.0);
        let hub = middle * hub_w;
        let mut places = vec![hub];
        let mut nearest = f32::INFINITY;
        for spoke in 0..SPOKES {
            // The spoke crosses the plane at `cut`, then continues toward the eye plane.
            let turn = f64::from(spoke) / f64::from(SPOKES) * core::f64::consts::TAU;
            let radius = random.real(0.5, 1.2);
            let [x, y] = [libm::cos(turn), libm::sin(turn)].map(|part| part as f32 * radius);
            let cut = middle + Vec3::new(x, y, 0.0);
            nearest = if radius < nearest { radius } else { nearest };
            let beyond = random.real(0.2, 0.9);
            places.push(hub + (cut - hub) * (1.0 + beyond / (hub_w - 1.0)));
        }
        let corners: Vec<_> = places
            .iter()
            .map(|&position| crate::world::Corner {
                position,
                normal: Vec3::Z,
                tangent: Vec3::X,
                uv: tintype_model::math::Vec2::ZERO,
            })
            .collect();
        let triangles = (0..SPOKES).map(|spoke| [0, 1 + spoke, 1 + (spoke + 1) % SPOKES]).collect();
        world.pieces = vec![crate::world::piece(&corners, triangles, 0)];
        let found = alphas(&world.draw(32, 1));
        for (index, &alpha) in (0_u32..).zip(&found) {
            let [x, y] = [index % SIZE[0], index / SIZE[0]].map(|at| at as f32 + 0.5 - 32.0);
            let (x, y) = (x - middle.x * 32.0, y + middle.y * 32.0);
            // Two pixels inside of the chord between the two nearest cuts.
            let is_inside = (x * x + y * y).sqrt() < nearest * 32.0 * 0.95 - 2.0;
            assert!(alpha <= code(1, 2), "fan {number}: pixel {index} is covered twice");
            assert!(!is_inside || alpha == code(1, 2), "fan {number}: a crack at pixel {index}");
            filled += u32::from(is_inside);
        }
    }
    assert!(filled > 50_000, "{filled} pixels are inside of fans");
}
