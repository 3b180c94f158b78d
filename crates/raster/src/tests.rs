//! Planted faults: each is one unit in the last place, in one lane of one level, and the comparisons that hold all levels to the bits of
//! the scalar definition must notice it.

use super::{PlantedFault, RasterOptions};
use tintype_model::simd::Level;
use world::World;
use worlds::{equal_depths, first_difference, first_other, hard_world, on, shaded_world};

#[allow(dead_code, reason = "other tests use the rest")]
mod world;
#[allow(dead_code, reason = "other tests use the rest")]
mod worlds;

#[test]
fn light_tells_a_fault_of_one_bit_in_one_lane_of_any_level() {
    let both = [PlantedFault::Depth, PlantedFault::Barycentric];
    // With one sample a pixel, small triangles are covered by another way.
    for (world, faults) in [(hard_world(4), &both[..]), (equal_depths(1), &[PlantedFault::Depth])] {
        // A fault in plain code is told by any other level.
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
    // A fault in plain code is told by any other level.
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
