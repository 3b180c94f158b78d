//! Ambient occlusion: open surfaces keep their light, corners and feet lose some of it.

use crate::world::{World, quad, torus};
use tintype_model::math::{Vec3, max, min};
use tintype_model::{LinearRgb, Material};
use tintype_raster::{Occlusion, RasterOptions};

/// Pieces in white light from all around, seen from above the front.
fn world(pieces: Vec<crate::world::Piece>, samples: u32) -> World {
    let mut world =
        World::empty([96, 64], samples, Vec3::new(0.0, 1.5, 3.0), Vec3::new(0.0, 0.3, 0.0));
    world.ambient = LinearRgb::WHITE;
    world.materials = vec![Material { specular_strength: 0.0, ..Material::new("white") }];
    world.pieces = pieces;
    let origin = Vec3::ZERO;
    world.occlusion = Some(Occlusion { strength: 1.0, voxel: 0.04, origin, ground: None });
    world
}

/// The minimum and the maximum light of all points, and that nearest to a pixel.
fn light(world: &World, pixel: [u32; 2]) -> (f32, f32, f32) {
    let lit = world.shade(RasterOptions::default(), 1);
    let of = |point: &tintype_raster::ShadedFragment| point.color[0];
    let least = lit.iter().map(of).fold(f32::INFINITY, min);
    let most = lit.iter().map(of).fold(0.0, max);
    let at = lit.iter().find(|point| point.seen.pixel == pixel).map(of);
    (least, most, at.unwrap_or(-1.0))
}

#[test]
fn open_surfaces_keep_all_of_their_light() {
    // Planes of many slopes, and one side of a ring without reachable interior.
    for (number, up) in [
        Vec3::Y,
        Vec3::new(0.3, 1.0, 0.0),
        Vec3::new(0.31, 0.83, -0.27),
        Vec3::new(-0.2, 0.6, -0.5),
    ]
    .into_iter()
    .enumerate()
    {
        let back = Vec3::new(0.0, 1.0, -0.2);
        let across = up.cross(back).normalize() * 2.0;
        let along = across.cross(up).normalize() * 2.0;
        let plane = quad((across + along) * -0.5, across, along, 1.0, 0);
        let (least, most, _) = light(&world(vec![plane], 1), [48, 40]);
        assert!(least > 0.985 && most <= 1.0, "slant {number}: {least} to {most}");
    }
}

#[test]
fn corners_are_dark_and_fade_smoothly() {
    let ground = quad(Vec3::new(-1.5, 0.0, -0.3), Vec3::X * 3.0, Vec3::Z * 1.8, 1.0, 0);
    let wall = quad(Vec3::new(-1.5, 1.2, -0.3), Vec3::X * 3.0, Vec3::Y * -1.2, 1.0, 0);
    let corner = world(vec![ground, wall], 1);
    let lit = corner.shade(RasterOptions::default(), 1);
    // Down the middle of the picture, over the wall and along the ground.
    let column: Vec<f32> =
        lit.iter().filter(|point| point.seen.pixel[0] == 48).map(|point| point.color[0]).collect();
    let darkest = column.iter().copied().fold(1.0, min);
    assert!((0.3..0.72).contains(&darkest), "half of the hemisphere is blocked: {darkest}");
    assert!(column[0] > 0.97 && column[column.len() - 1] > 0.97, "far from it both are open");
    // Light falls to the edge and rises from it, without waves.
    let edge = column.iter().position(|&light| light == darkest).expect("it is among them");
    for (number, pair) in column.windows(2).enumerate() {
        let step = if number < edge { pair[0] - pair[1] } else { pair[1] - pair[0] };
        assert!(step > -0.02 && step < 0.25, "row {number} of {}: {pair:?}", column.len());
    }
}

#[test]
fn ground_darkens_what_stands_on_it() {
    let ring = || vec![torus(Vec3::Y * 0.35, 0.2, 0.15, 60, 40, 0)];
    let mut standing = world(ring(), 1);
    standing.occlusion = standing.occlusion.map(|own| Occlusion { ground: Some(0.2), ..own });
    let [alone, on_ground] = [world(ring(), 1), standing].map(|world| light(&world, [48, 40]));
    assert!(on_ground.0 < alone.0 - 0.1, "{on_ground:?} and {alone:?}");
}

#[test]
fn strange_models_are_survived() {
    let far = quad(Vec3::new(-1e7, -1e7, -5.0), Vec3::X * 2e7, Vec3::Y * 2e7, 1.0, 0);
    let point = quad(Vec3::ZERO, Vec3::X * 1e-20, Vec3::Y * 1e-20, 1.0, 0);
    for pieces in [vec![], vec![far.clone()], vec![point.clone()], vec![far, point]] {
        world(pieces, 4).shade(RasterOptions::default(), 1);
    }
}

#[test]
fn models_far_from_the_origin_of_the_lattice_are_survived() {
    for far in [1e5, 1e7, 1e9, 1e20] {
        let ring = torus(Vec3::new(far, 0.3, far), 0.2, 0.15, 20, 12, 0);
        let mut world = world(vec![ring], 1);
        world.occlusion =
            world.occlusion.map(|own| Occlusion { voxel: 1e-3, ground: Some(0.0), ..own });
        world.shade(RasterOptions::default(), 1);
    }
}
