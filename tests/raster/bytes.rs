//! The bytes of a picture depend on the view alone.

use tintype::math::Vec3;
use tintype::model::{AlphaMode, Background, CullMode, Light, LinearRgb, Material, TextureKind};
use tintype::raster::RasterOptions;

use crate::world::{Random, World, picture, quad, relief, torus};

/// One of everything: textures, relief, a mask, blended layers, each kind of light, clipped and tiny triangles.
pub fn busy_world(samples: u32) -> World {
    let mut world =
        World::empty([131, 77], samples, Vec3::new(0.3, 1.4, 3.0), Vec3::new(0.0, 0.2, 0.0));
    world.background = Background::Gradient {
        top: LinearRgb::new(0.1, 0.2, 0.4),
        bottom: LinearRgb::new(0.02, 0.02, 0.03),
    };
    world.ambient = LinearRgb::new(0.05, 0.05, 0.06);
    world.lights = vec![
        Light::Directional {
            to_light: Vec3::new(0.48, 0.6, 0.64),
            color: LinearRgb::new(0.9, 0.8, 0.7),
        },
        Light::Point {
            position: Vec3::new(-1.0, 1.5, 1.0),
            color: LinearRgb::new(0.2, 0.5, 0.9),
            reach: 1.5,
        },
        Light::Hemisphere {
            sky: LinearRgb::new(0.1, 0.1, 0.2),
            ground: LinearRgb::new(0.1, 0.05, 0.0),
        },
    ];
    let holes = |u: f64, v: f64| (127.0 + 120.0 * libm::sin(19.0 * u) * libm::cos(23.0 * v)) as u8;
    world.images = vec![
        (picture(64, 64, 1, |_, _| 255), TextureKind::OpaqueColor),
        (relief(32, 32), TextureKind::Data),
        (picture(37, 53, 2, holes), TextureKind::AlphaColor),
    ];
    let plain = Material { diffuse: Some(0), normal: Some(1), ..Material::new("plain") };
    let mask = Material {
        diffuse: Some(2),
        alpha: AlphaMode::Mask { cutoff: 0.5 },
        cull: CullMode::None,
        ..Material::new("mask")
    };
    let blend = Material {
        diffuse: Some(2),
        alpha: AlphaMode::Blend,
        opacity: 0.8,
        cull: CullMode::None,
        ..Material::new("blend")
    };
    world.materials = vec![plain, mask, blend];
    let floor = Vec3::new(-20.0, -0.6, -20.0);
    world.pieces.push(quad(floor, Vec3::X * 40.0, Vec3::Z * 40.0, 30.0, 0));
    world.pieces.push(torus(Vec3::ZERO, 0.7, 0.3, 97, 61, 0));
    let mut random = Random(3);
    for layer in 0..6 {
        let mut near = |low, high| random.real(low, high);
        let origin = Vec3::new(near(-1.5, 0.0), near(0.0, 1.4), near(-1.0, 1.0));
        let (right, down) = (Vec3::new(1.0, near(-0.3, 0.3), near(-0.5, 0.5)), -Vec3::Y);
        world.pieces.push(quad(origin, right, down, 1.0, 1 + layer % 2));
    }
    world
}

#[test]
fn bytes_do_not_depend_on_tiles_or_threads() {
    for samples in [1, 4, 16] {
        let world = busy_world(samples);
        let first = world.draw(32, 1);
        let colors: std::collections::BTreeSet<_> = first.rgba.iter().collect();
        assert!(colors.len() > 2_000, "a picture with much to compare: {} colours", colors.len());
        for tile in [RasterOptions::MIN_TILE, 8, 16, 24, 48, RasterOptions::MAX_TILE] {
            assert!(world.draw(tile, 1) == first, "tile {tile}, {samples} samples");
        }
        for threads in [2, 3, 8] {
            for tile in [8, 32, 64] {
                let same = world.draw(tile, threads) == first;
                assert!(same, "{threads} threads, tile {tile}, {samples} samples");
            }
        }
    }
}

#[test]
fn visibility_does_not_depend_on_tiles_or_threads() {
    for samples in [1, 4] {
        let world = busy_world(samples);
        let first = world.see(32, 1);
        let draws: std::collections::BTreeSet<_> = first.iter().map(|point| point.draw).collect();
        assert_eq!(draws.len(), world.pieces.len(), "every piece is seen somewhere");
        for (tile, threads) in [(RasterOptions::MIN_TILE, 1), (24, 2), (RasterOptions::MAX_TILE, 3)]
        {
            assert!(world.see(tile, threads) == first, "tile {tile}, {samples} samples");
        }
        // Opaque surfaces share a pixel's samples; what is blended lies over them.
        let mut opaque = std::collections::BTreeMap::new();
        for point in first.iter().filter(|point| {
            world.materials[world.pieces[point.draw as usize].material].alpha != AlphaMode::Blend
        }) {
            let seen = opaque.entry(point.pixel).or_insert(0);
            assert_eq!(*seen & point.samples, 0, "two surfaces in one sample of {:?}", point.pixel);
            *seen |= point.samples;
        }
    }
}

#[test]
fn bytes_of_a_part_do_not_depend_on_the_size_of_the_whole_tile_grid() {
    // Sides that leave every kind of rest in the last tile.
    for size in [[1, 1], [7, 3], [64, 65], [33, 127]] {
        let world = World { size, ..busy_world(4) };
        let first = world.draw(64, 1);
        for tile in [4, 5, 31, 33] {
            assert!(world.draw(tile, 2) == first, "tile {tile}, {size:?}");
        }
    }
}

#[test]
fn bytes_follow_submission_order_only_where_depth_ties() {
    let mut world = busy_world(4);
    let first = world.draw(32, 1);
    // No two of these surfaces lie in one plane, so the order in which they are handed in is nobody's business.
    world.pieces.reverse();
    assert!(world.draw(32, 2) == first);
}
