//! Planted faults: each is one unit in the last place, in one lane of one level, and the
//! comparisons of all levels with the scalar definition must notice it.

use super::{PlantedFault, RasterOptions};
use tintype_model::simd::Level;
use world::World;
use worlds::{
    equal_depths, first_difference, first_other, glass_world, hard_world, on, shaded_world,
};

#[allow(dead_code, reason = "other tests use the rest")]
mod world;
#[allow(dead_code, reason = "other tests use the rest")]
mod worlds;

#[test]
fn light_tells_a_fault_of_one_bit_in_one_lane_of_any_level() {
    let both = [PlantedFault::Depth, PlantedFault::Barycentric];
    // With one sample per pixel, small triangles are covered by another algorithm.
    for (world, faults) in [(hard_world(4), &both[..]), (equal_depths(1), &[PlantedFault::Depth])] {
        // A fault in plain code is revealed by any other level.
        let right = world.shade(on(Level::best()), 1);
        for level in Level::available() {
            for &fault in faults {
                let faulty = RasterOptions { fault: Some((level, fault)), ..on(level) };
                let difference = first_difference(&right, &world.shade(faulty, 1));
                assert!(difference.is_some(), "{faulty:?}, {} samples", world.samples);
                for other in Level::available().into_iter().filter(|&other| other != level) {
                    let elsewhere = RasterOptions { fault: Some((level, fault)), ..on(other) };
                    let difference = first_difference(&right, &world.shade(elsewhere, 1));
                    assert_eq!(difference, None, "{elsewhere:?}");
                }
            }
        }
    }
}

#[test]
fn ground_tells_a_fault_of_one_unit_in_one_lane_of_any_level() {
    let world = World { size: [97, 83], ..shaded_world(4) };
    // A fault in plain code is revealed by any other level.
    let right = world.shade_ground(on(Level::best()), 1);
    for level in Level::available() {
        for fault in [PlantedFault::Ground, PlantedFault::Shadow] {
            let faulty = RasterOptions { fault: Some((level, fault)), ..on(level) };
            let difference = first_other(&right, &world.shade_ground(faulty, 1));
            assert!(difference.is_some(), "{faulty:?}");
            for other in Level::available().into_iter().filter(|&other| other != level) {
                let elsewhere = RasterOptions { fault: Some((level, fault)), ..on(other) };
                let difference = first_other(&right, &world.shade_ground(elsewhere, 1));
                assert_eq!(difference, None, "{elsewhere:?}");
            }
        }
    }
}

#[test]
fn light_tells_a_wrong_weight_of_a_shadow_on_any_level() {
    let world = shaded_world(4);
    let right = world.shade(on(Level::best()), 1);
    for level in Level::available() {
        let faulty = RasterOptions { fault: Some((level, PlantedFault::Shadow)), ..on(level) };
        let difference = first_difference(&right, &world.shade(faulty, 1));
        assert!(difference.is_some(), "{faulty:?}");
    }
}

#[test]
fn glass_brushed_surfaces_and_films_are_the_same_on_every_level_thread_and_tile() {
    for samples in [1, 4] {
        let mut world = glass_world(samples);
        if samples == 4 {
            // The picture behind glass has the ground with its shadows.
            let shaded = shaded_world(samples);
            (world.lights, world.shadows) = (shaded.lights, shaded.shadows);
            world.ground = shaded.ground;
            world.pieces.remove(0);
        }
        let right = world.shade(on(Level::Scalar), 1);
        let (picture, _) = world.draw_with(on(Level::Scalar), 1);
        for level in Level::available() {
            assert_eq!(first_difference(&right, &world.shade(on(level), 3)), None, "{level:?}");
            for tile in [16, 64] {
                let (found, _) = world.draw_with(RasterOptions { tile, ..on(level) }, 2);
                assert!(found.rgba == picture.rgba, "{level:?}, tiles of {tile}");
            }
        }
    }
}

#[test]
fn glass_shows_what_is_behind_it_and_not_other_glass() {
    let mut world = glass_world(1);
    let with_glass = world.draw_with(on(Level::best()), 1).0;
    // Glass is not among the surfaces behind: the same is seen through it, whatever else is clear.
    let far = tintype_model::math::Vec3::new(0.0, 0.0, -4.0);
    let first = world.materials.len() - 4;
    let ring = world::torus(far, 3.0, 0.5, 37, 21, first);
    world.pieces.push(world::Piece { casts: false, ..ring });
    let more = world.draw_with(on(Level::best()), 1).0;
    let seen = world.see_with(on(Level::best()), 1);
    let number = world.pieces.len() as u32 - 1;
    for point in seen.iter().filter(|point| point.draw + 5 > number && point.draw < number) {
        let at = (point.pixel[1] * with_glass.width + point.pixel[0]) as usize;
        assert_eq!(with_glass.rgba[at], more.rgba[at], "{point:?}");
    }
    let mut solid = glass_world(1);
    for material in &mut solid.materials {
        if let Some(response) = &mut material.response {
            response.transmission.share = 0.0;
        }
    }
    assert!(solid.draw_with(on(Level::best()), 1).0.rgba != with_glass.rgba);
}
