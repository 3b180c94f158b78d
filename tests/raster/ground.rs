//! The ground on every level: the bits of plain code, in everything behind the models and in the
//! bytes of pictures.

use crate::world::{Piece, World};
use crate::worlds::{first_other, levels, on, shaded_world};
use tintype_model::math::Vec3;
use tintype_model::simd::Level;
use tintype_model::{AlphaMode, Camera, FovAxis, Light, LinearRgb};
use tintype_raster::Background;
use tintype_raster::{Floor, RasterOptions};

/// The shaded world with its ground in all its looks: with and without colour, shadows and their
/// sources, over backdrops of both kinds, from above, along the ground so that rays miss it, and
/// from so near that models stand beside the picture.
fn grounds() -> Vec<(String, World)> {
    let sky = LinearRgb::new(0.1, 0.2, 0.35);
    let gradient = Background::Gradient { top: sky, bottom: LinearRgb::new(0.7, 0.3, 0.02) };
    let lamp = Light::Point {
        position: Vec3::new(0.7, 0.9, -0.3),
        color: LinearRgb::new(0.5, 0.6, 0.2),
        reach: 1.1,
        range: None,
        cone: None,
    };
    let dome = Light::Hemisphere { sky, ground: LinearRgb::new(0.2, 0.1, 0.05) };
    let mut worlds = Vec::new();
    for (eye, target) in [
        (Vec3::new(0.3, 1.1, 3.4), Vec3::new(0.0, 0.1, 0.0)),
        (Vec3::new(0.9, -0.45, 2.9), Vec3::new(0.0, -0.2, 0.0)),
        (Vec3::new(0.2, 0.4, 0.9), Vec3::new(-0.4, -0.6, -0.2)),
    ] {
        for color in [None, Some(LinearRgb::new(0.5, 0.4, 0.3))] {
            for background in [Background::Transparent, gradient] {
                for look in 0..4 {
                    let mut world = World { size: [131, 77], background, ..shaded_world(4) };
                    let fov = FovAxis::Vertical(0.8);
                    world.camera = Camera::looking_at(eye, target, Vec3::Y, fov, 0.05, 100.0);
                    let floor = world.ground.expect("a ground");
                    let edge = if look == 1 { 0.0 } else { 0.17 };
                    let contact = if look == 2 { 0.0 } else { floor.contact };
                    world.ground = Some(Floor { color, edge, contact, ..floor });
                    match look {
                        1 => world.lights.extend([lamp, dome]),
                        2 => world.shadows.truncate(1),
                        3 => world.shadows.clear(),
                        _ => {}
                    }
                    let name = format!("from {eye}, {color:?}, {background:?}, look {look}");
                    worlds.push((name, world));
                }
            }
        }
    }
    worlds
}

#[test]
fn ground_of_every_level_has_the_bits_of_plain_code() {
    let mut shades = 0;
    for (name, world) in grounds() {
        let plain = world.shade_ground(on(Level::Scalar), 1);
        let bare = World { ground: None, ..world.clone() }.shade_ground(on(Level::Scalar), 1);
        let shown = plain.iter().zip(&bare).filter(|(a, b)| a != b).count();
        assert!(shown > 50, "{name}: a ground is seen in {shown} pixels");
        shades += shown;
        for level in levels() {
            for tile in [4, 31, 64] {
                let laid = world.shade_ground(RasterOptions { tile, ..on(level) }, 1);
                assert_eq!(first_other(&plain, &laid), None, "{name}, {level:?}, tile {tile}");
            }
        }
    }
    assert!(shades > 60_000, "enough to compare: {shades}");
}

#[test]
fn bytes_over_a_ground_are_those_of_plain_code() {
    for samples in [1, 2, 4, 16] {
        for size in [[131, 77], [1, 1], [9, 64], [64, 65]] {
            for has_blend in [true, false] {
                let mut world = World { size, ..shaded_world(samples) };
                if !has_blend {
                    // Without it a tile takes another code path.
                    let alpha = |piece: &Piece| world.materials[piece.material].alpha;
                    let is_solid =
                        |alpha| matches!(alpha, AlphaMode::Opaque | AlphaMode::Mask { .. });
                    world.pieces.retain(|piece| is_solid(alpha(piece)));
                }
                let first = world.draw_with(on(Level::Scalar), 1).0;
                for level in levels() {
                    for (threads, tile) in [(1, 4), (2, 32), (3, 17), (8, 64)] {
                        let frame = world.draw_with(RasterOptions { tile, ..on(level) }, threads).0;
                        let which = format!("{level:?}, {samples} samples, {size:?}, tile {tile}");
                        assert!(frame == first, "{which}, blend {has_blend}");
                    }
                }
            }
        }
    }
}
