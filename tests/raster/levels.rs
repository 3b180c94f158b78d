//! Every level of instructions gives the bits of plain code: in the light of each point, and in the bytes of pictures.

use tintype::math::{Vec2, Vec3, Vec4};
use tintype::model::{AlphaMode, CullMode, LinearRgb, Material};
use tintype::raster::{Fault, LitPoint, RasterOptions};
use tintype::simd::Level;

use crate::bytes::busy_world;
use crate::world::{Corner, Piece, Random, World, piece, quad, torus};

/// The busy world with sheets that lie in one plane, cut along different diagonals, where the last bit of depth decides who is
/// seen; with vertex colours, maps of highlights and of own light, panes that add and that multiply, and a blade that is thousands of pixels long.
pub fn hard_world(samples: u32) -> World {
    let mut world = busy_world(samples);
    let (right, down) = (Vec3::new(1.7, 0.3, -0.9), Vec3::new(0.2, -1.3, 0.45));
    for (offset, turns) in [(0.0, 1.0), (0.013, 3.0), (0.029, 7.0)] {
        let origin = Vec3::new(-0.9, 1.2, 0.9) + (right + down) * offset;
        world.pieces.push(quad(origin, right, down, turns, 0));
    }
    let shiny = Material {
        diffuse: Some(2),
        specular: Some(0),
        normal: Some(1),
        normal_y_down: true,
        specular_strength: 1.3,
        shininess: 7.5,
        cull: CullMode::None,
        alpha: AlphaMode::Mask { cutoff: 0.4 },
        ..Material::new("shiny")
    };
    let bare = Material { specular_strength: 0.8, ..Material::new("bare") };
    let pane = |alpha, color| Material {
        diffuse: Some(2),
        glow: Some(0),
        emissive: LinearRgb::new(0.4, 0.1, 0.7),
        color,
        alpha,
        opacity: 0.9,
        cull: CullMode::None,
        ..Material::new("pane")
    };
    let add = pane(AlphaMode::Add, LinearRgb::new(0.3, 0.2, 0.1));
    let multiply = pane(AlphaMode::Multiply, LinearRgb::WHITE);
    let ember = Material {
        alpha: AlphaMode::Opaque,
        specular_strength: 0.0,
        ..pane(AlphaMode::Opaque, LinearRgb::new(0.1, 0.2, 0.1))
    };
    let first = world.materials.len();
    world.materials.extend([shiny, bare, add, multiply, ember]);
    let [shiny, bare, add, multiply, ember] = [0, 1, 2, 3, 4].map(|number| first + number);
    for (material, x) in [(add, -0.8), (multiply, 0.1), (add, 0.2)] {
        let origin = Vec3::new(x, 0.9, 1.0 - 0.1 * x);
        world.pieces.push(quad(origin, Vec3::new(0.7, 0.1, -0.1), -Vec3::Y * 0.9, 2.0, material));
    }
    world.pieces.push(torus(Vec3::new(-0.2, 0.9, 0.5), 0.25, 0.1, 31, 17, ember));
    for (material, x) in [(shiny, 0.9), (bare, -0.9)] {
        let mut ring = torus(Vec3::new(x, 0.5, 0.6), 0.2, 0.1, 41, 23, material);
        let mut random = Random(7);
        let mut part = || random.real(0.2, 1.0);
        ring.mesh.colors = (0..ring.mesh.texcoords.len())
            .map(|_| Vec4::new(part(), part(), part(), part()))
            .collect();
        world.pieces.push(ring);
    }
    let blade = quad(Vec3::new(-90.0, 0.3, 0.4), Vec3::X * 180.0, Vec3::Y * 0.02, 1.0, bare);
    world.pieces.push(blade);
    world
}

/// Every level of this machine but the definition; there must be one.
#[expect(clippy::print_stdout, reason = "a run says what it could not run")]
pub fn levels() -> Vec<Level> {
    let levels: Vec<Level> =
        Level::available().into_iter().filter(|&level| level != Level::Scalar).collect();
    assert!(!levels.is_empty());
    let missing: Vec<_> = Level::ALL.into_iter().filter(|level| !level.is_available()).collect();
    println!("levels: {levels:?}; not run, as this machine has them not: {missing:?}");
    levels
}

pub fn on(level: Level) -> RasterOptions {
    RasterOptions { level, ..RasterOptions::default() }
}

/// The first point that differs to the bit, if any does.
pub fn first_difference(left: &[LitPoint], right: &[LitPoint]) -> Option<String> {
    let bits = |point: &LitPoint| point.color.map(f32::to_bits);
    let differs = |(a, b): &(&LitPoint, &LitPoint)| a.seen != b.seen || bits(a) != bits(b);
    if left.len() != right.len() {
        return Some(format!("{} points and {}", left.len(), right.len()));
    }
    left.iter().zip(right).find(differs).map(|(a, b)| format!("{a:?} and {b:?}"))
}

#[test]
fn light_of_every_level_has_the_bits_of_plain_code() {
    for samples in [1, 4, 16] {
        let world = hard_world(samples);
        let plain = world.light_up(on(Level::Scalar), 1);
        assert!(plain.len() > 5_000, "enough to compare: {}", plain.len());
        for level in levels() {
            for tile in [4, 31, 32, 64] {
                let lit = world.light_up(RasterOptions { tile, ..on(level) }, 1);
                let difference = first_difference(&plain, &lit);
                assert_eq!(difference, None, "{level:?}, {samples} samples, tile {tile}");
            }
        }
    }
}

#[test]
fn bytes_of_every_level_are_the_bytes_of_plain_code() {
    for samples in [1, 2, 4, 8, 16] {
        for size in [[131, 77], [1, 1], [9, 64], [64, 65]] {
            for has_blend in [true, false] {
                let mut world = World { size, ..hard_world(samples) };
                if !has_blend {
                    // Without it a tile is done by another way.
                    let blends = |material: usize| world.materials[material].alpha.is_blended();
                    world.pieces.retain(|piece| !blends(piece.material));
                }
                let (first, counts) = world.draw_cut(on(Level::Scalar), 1);
                for level in levels() {
                    for (threads, tile) in [(1, 4), (1, 31), (2, 32), (3, 17), (8, 64)] {
                        let (frame, told) =
                            world.draw_cut(RasterOptions { tile, ..on(level) }, threads);
                        assert_eq!(told.level, level, "what was asked for is what ran");
                        let side = tile.min(size[0].max(size[1]));
                        assert_eq!((told.threads, told.tile), (threads, side));
                        let seen = (told.covered_pixels, told.shaded_points);
                        assert_eq!(seen, (counts.covered_pixels, counts.shaded_points));
                        let which = format!("{level:?}, {samples} samples, {size:?}, tile {tile}");
                        assert!(frame == first, "{which}, blend {has_blend}");
                    }
                }
            }
        }
    }
}

#[test]
fn light_tells_a_fault_of_one_bit_in_one_lane_of_any_level() {
    let both = [Fault::Depth, Fault::Share];
    // With one sample a pixel, small triangles are covered by another way.
    for (world, faults) in [(hard_world(4), &both[..]), (equal_depths(1), &[Fault::Depth])] {
        // A fault in plain code is told by any other level.
        let right = world.light_up(on(Level::best()), 1);
        for level in Level::available() {
            for &fault in faults {
                let faulty = RasterOptions { fault: Some((level, fault)), ..on(level) };
                let difference = first_difference(&right, &world.light_up(faulty, 1));
                assert!(difference.is_some(), "{faulty:?}, {} samples", world.samples);
                for other in Level::available().into_iter().filter(|&other| other != level) {
                    let elsewhere = RasterOptions { fault: Some((level, fault)), ..on(other) };
                    let difference = first_difference(&right, &world.light_up(elsewhere, 1));
                    assert_eq!(difference, None, "{elsewhere:?}");
                }
            }
        }
    }
}

/// Triangles of all sizes, from less than a pixel to a third of the picture, in one plane across the view: all their depths are
/// one number, so their order alone decides.
fn equal_depths(samples: u32) -> World {
    let mut world = World::empty([97, 83], samples, Vec3::Z * 2.0, Vec3::ZERO);
    world.materials.push(Material { cull: CullMode::None, ..Material::new("flat") });
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    let mut random = Random(11);
    for number in 0..3_000_u32 {
        let size = match number % 7 {
            0 => 0.6,
            1 => 0.15,
            _ => 0.04,
        };
        let middle = Vec3::new(random.real(-0.9, 0.9), random.real(-0.8, 0.8), 0.0);
        for _ in 0..3 {
            let from = Vec3::new(random.real(-size, size), random.real(-size, size), 0.0);
            let position = middle + from;
            corners.push(Corner { position, normal: Vec3::Z, tangent: Vec3::X, uv: Vec2::ZERO });
        }
        triangles.push([3 * number, 3 * number + 1, 3 * number + 2]);
    }
    // The large ones would hide all that follow: from the smallest to the largest, with some out of turn.
    triangles.sort_by_key(|[first, ..]| (first / 3 % 7 < 2, first / 3 % 11 != 0));
    for k in (0..triangles.len() - 40).step_by(17) {
        triangles.swap(k, k + 37);
    }
    world.pieces.push(piece(&corners, triangles, 0));
    world
}

#[test]
fn ties_in_depth_go_to_the_earlier_triangle_whatever_its_size() {
    for samples in [1, 2, 4] {
        let world = equal_depths(samples);
        let seen = |level| world.light_up(on(level), 1).iter().map(|p| p.seen).collect::<Vec<_>>();
        let plain = seen(Level::Scalar);
        let mut shown: Vec<u32> = plain.iter().map(|point| point.triangle).collect();
        shown.sort_unstable();
        shown.dedup();
        assert!(shown.len() > 500, "many are seen, others lie below: {}", shown.len());
        for level in levels() {
            assert!(seen(level) == plain, "{level:?}, {samples} samples");
        }
    }
}

/// What is spoilt in one vertex: the number that skinning, a file or a kernel before the rasterizer would have got wrong.
#[derive(Clone, Copy, Debug)]
enum Spoilt {
    Position,
    Normal,
    Tangent,
    Texcoord,
    Color,
}

/// The world with one number of one vertex wrong by one unit in the last place: that vertex of the piece that is seen in the most
/// points.
fn spoil(world: &World, piece: usize, what: Spoilt) -> World {
    let mut times = vec![0; world.pieces[piece].posed.len()];
    for point in world.see(32, 1).iter().filter(|point| point.draw as usize == piece) {
        for vertex in world.pieces[piece].mesh.triangles[point.triangle as usize] {
            times[vertex as usize] += 1;
        }
    }
    let vertex = (0..times.len()).max_by_key(|&vertex| times[vertex]).unwrap_or_default();
    assert!(times[vertex] > 3, "piece {piece} is seen");
    let mut world = world.clone();
    let Piece { mesh, posed, .. } = &mut world.pieces[piece];
    let number = match what {
        Spoilt::Position => &mut posed.position[2][vertex],
        Spoilt::Normal => &mut posed.normal[1][vertex],
        Spoilt::Tangent => &mut posed.tangent[0][vertex],
        Spoilt::Texcoord => &mut mesh.texcoords[vertex].x,
        Spoilt::Color => &mut mesh.colors[vertex].y,
    };
    *number = f32::from_bits(number.to_bits() + 1);
    world
}

#[test]
fn light_tells_one_unit_in_one_vertex_on_any_level() {
    let world = hard_world(4);
    let colored = world.pieces.iter().position(|piece| !piece.mesh.colors.is_empty());
    let colored = colored.expect("a ring with colours");
    let cases = [
        (0, Spoilt::Position),
        (1, Spoilt::Normal),
        (1, Spoilt::Tangent),
        (0, Spoilt::Texcoord),
        (colored, Spoilt::Color),
    ];
    for (piece, what) in cases {
        let spoilt = spoil(&world, piece, what);
        // Plain code too may be the one that is wrong; then another level tells.
        for level in Level::available() {
            let other = if level == Level::Scalar { Level::best() } else { Level::Scalar };
            let (right, wrong) = (world.light_up(on(other), 1), spoilt.light_up(on(level), 1));
            let difference = first_difference(&right, &wrong);
            assert!(difference.is_some(), "{what:?} on {level:?} alone");
        }
    }
}
