//! The bytes of a picture depend on the view alone.

use crate::world::World;
use crate::worlds::{busy_world, levels, on, shaded_world, sun};
use tintype_model::AlphaMode;
use tintype_model::math::Vec3;
use tintype_model::simd::Level;
use tintype_raster::{Memory, RasterOptions};

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
        // Opaque surfaces divide a pixel's samples; blended ones lie over them.
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
    // No two of these surfaces are coplanar, so their submission order does not matter.
    world.pieces.reverse();
    assert!(world.draw(32, 2) == first);
}

#[test]
fn bytes_do_not_depend_on_frames_before() {
    for level in levels().into_iter().chain([Level::Scalar]) {
        let mut world = World { size: [97, 83], ..shaded_world(4) };
        let (pieces, memory) = (world.pieces.clone(), Memory::default());
        // The camera always moves; then a light does, then the reach of the ground changes; then
        // half of the pieces are removed, and restored.
        for frame in 0..14_u8 {
            world.camera.eye += Vec3::new(0.05, 0.0, 0.02 * f32::from(frame % 3));
            if frame == 4 {
                world.lights[0] = sun(Vec3::new(0.3, 0.9, 0.2).normalize());
            }
            if let (6, Some(floor)) = (frame, &mut world.ground) {
                (floor.radius, floor.edge) = (floor.radius * 1.5, 0.2);
            }
            let content = u8::from((8..11).contains(&frame));
            world.pieces = pieces[..pieces.len() / (1 + usize::from(content))].to_vec();
            let alone = world.draw_with(on(level), 1).0;
            assert!(world.draw_in(&memory, content, on(level)) == alone, "{frame}, {level:?}");
        }
    }
}
