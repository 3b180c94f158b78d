//! Every level of instructions has the bits of plain code: in the light of each point, and in the
//! bytes of pictures.

use crate::world::{Piece, World};
use crate::worlds::{
    crossing_layers, equal_depths, first_difference, hard_world, levels, on, physical_world,
    sky_with_lamps,
};
use tintype_model::simd::Level;
use tintype_model::{TextureFilter, Tone};
use tintype_raster::RasterOptions;

#[test]
fn light_of_every_level_has_the_bits_of_plain_code() {
    for samples in [1, 4, 16] {
        let world = hard_world(samples);
        let plain = world.shade(on(Level::Scalar), 1);
        assert!(plain.len() > 5_000, "enough to compare: {}", plain.len());
        for level in levels() {
            for tile in [4, 31, 32, 64] {
                let lit = world.shade(RasterOptions { tile, ..on(level) }, 1);
                let difference = first_difference(&plain, &lit);
                assert_eq!(difference, None, "{level:?}, {samples} samples, tile {tile}");
            }
        }
    }
}

#[test]
fn light_of_metal_and_environment_has_the_bits_of_plain_code_on_every_level() {
    for (samples, anisotropy, has_environment) in [(1, 1, true), (4, 8, true), (4, 1, false)] {
        let mut world = World { anisotropy, ..physical_world(samples) };
        if anisotropy > 1 {
            (world.environment, world.shows_environment) = (Some(sky_with_lamps()), true);
        }
        if !has_environment {
            (world.environment, world.tone) = (None, Tone::NONE);
            world.occlusion = None;
        }
        let plain = world.shade(on(Level::Scalar), 1);
        assert!(plain.len() > 5_000, "enough to compare: {}", plain.len());
        let (first, _) = world.draw_with(on(Level::Scalar), 1);
        for level in levels() {
            for (threads, tile) in [(1, 4), (2, 31), (3, 64)] {
                let options = RasterOptions { tile, ..on(level) };
                let difference = first_difference(&plain, &world.shade(options, threads));
                assert_eq!(difference, None, "{level:?}, {samples} samples, tile {tile}");
                let (frame, _) = world.draw_with(options, threads);
                assert!(frame == first, "{level:?}, {samples} samples, tile {tile}");
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
                if samples == 2 || samples == 8 {
                    world.filter = TextureFilter::Nearest;
                }
                if !has_blend {
                    // Without it a tile takes another code path.
                    let blends = |material: usize| world.materials[material].alpha.is_blended();
                    world.pieces.retain(|piece| !blends(piece.material));
                }
                let (first, counts) = world.draw_with(on(Level::Scalar), 1);
                for level in levels() {
                    for (threads, tile) in [(1, 4), (1, 31), (2, 32), (3, 17), (8, 64)] {
                        let (frame, told) =
                            world.draw_with(RasterOptions { tile, ..on(level) }, threads);
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
fn ties_in_depth_go_to_the_earlier_triangle_whatever_its_size() {
    for samples in [1, 2, 4] {
        let world = equal_depths(samples);
        let seen = |level| world.shade(on(level), 1).iter().map(|p| p.seen).collect::<Vec<_>>();
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

#[test]
fn crossing_layers_of_every_level_have_the_bytes_of_plain_code() {
    for samples in [1, 2, 4, 8, 16] {
        let world = crossing_layers(samples);
        let (plain, counts) = world.draw_with(on(Level::Scalar), 1);
        assert!(counts.shaded_points > 10 * counts.covered_pixels, "many layers: {counts:?}");
        for level in levels() {
            for tile in [16, 31, 64] {
                let (frame, _) = world.draw_with(RasterOptions { tile, ..on(level) }, 2);
                assert!(frame == plain, "{level:?}, {samples} samples, tile {tile}");
            }
        }
    }
}

/// The spoilt part of one vertex: a number that skinning, a file or a kernel before the rasterizer
/// would have got wrong.
#[derive(Clone, Copy, Debug)]
enum Spoilt {
    Position,
    Normal,
    Tangent,
    Texcoord,
    Color,
}

/// The world with one number of one vertex wrong by one unit in the last place, for the vertex of
/// the piece that is visible at the most points.
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
        // Plain code may also be the wrong one; then another level reveals it.
        for level in Level::available() {
            let other = if level == Level::Scalar { Level::best() } else { Level::Scalar };
            let (right, wrong) = (world.shade(on(other), 1), spoilt.shade(on(level), 1));
            let difference = first_difference(&right, &wrong);
            assert!(difference.is_some(), "{what:?} on {level:?} alone");
        }
    }
}
