//! Texture coordinates of single textures: a second set, and a transform for each texture.

use crate::world::{Random, World};
use crate::worlds::{first_difference, levels, on, physical_world};
use tintype_model::math::Vec2;
use tintype_model::simd::Level;
use tintype_model::{
    AlphaMode, LinearRgb, Outline, Rim, Stacking, TexcoordMotion, TextureCoordinates, TextureRole,
    Toon,
};
use tintype_raster::RasterOptions;

/// Turned by a right angle and mirrored, by integers, so that roundings do not differ.
const TURNED: TextureCoordinates = TextureCoordinates {
    is_second: false,
    steps: [Vec2::new(0.0, 1.0), Vec2::new(-2.0, 0.0)],
    offset: Vec2::new(0.5, 0.25),
};

/// A world whose metallic-roughness materials have coordinates for each texture, and whose meshes
/// have a second set.
fn set_world(samples: u32, anisotropy: u32) -> World {
    let mut world = World { anisotropy, ..physical_world(samples) };
    let mut random = Random(5);
    let mut part = || random.real(-2.0, 2.0);
    for (number, material) in world.materials.iter_mut().enumerate() {
        if material.response.is_none() && number % 2 == 0 {
            continue;
        }
        let mut own = || {
            let steps = [Vec2::new(part(), part()), Vec2::new(part(), part())];
            let is_second = part() > 0.0;
            Some(TextureCoordinates { is_second, steps, offset: Vec2::new(part(), part()) })
        };
        let mut all = TextureRole::ALL.map(|_| own());
        all[TextureRole::Normal as usize] = None;
        all[TextureRole::Occlusion as usize] = Some(TextureCoordinates::plain(true));
        material.coordinates = Some(Box::new(all));
    }
    // Some of them two-toned, with all features of such surfaces.
    let pictures = world.images.len();
    for (number, material) in world.materials.iter_mut().enumerate() {
        let Some(response) = material.response.as_deref_mut().filter(|_| number % 2 == 1) else {
            continue;
        };
        let mut share = || 0.5 + 0.25 * part();
        let mut color = || LinearRgb::new(share(), share(), share());
        let (shade, rim, matcap, line) = (color(), color(), color(), color());
        response.toon = Some(Toon {
            shade,
            toony: 0.7 + 0.3 * share(),
            shift: 0.1 * share(),
            shift_scale: -0.5,
            equalization: share(),
            rim: Rim { color: rim, power: 1.0 + 4.0 * share(), lift: 0.1, lit: share() },
            matcap,
            outline: Some(Outline { width: 0.1, is_on_screen: false, color: line, lit: share() }),
            is_outline: number % 4 == 3,
            speed: TexcoordMotion::default(),
            moved: TexcoordMotion { turn_rad: 3.0 * share(), way: Vec2::new(share(), -share()) },
        });
        response.stacking = Stacking { rank: i8::from(number % 3 == 0), hides: number % 4 == 1 };
        let own = [
            TextureRole::Shade,
            TextureRole::ShadingShift,
            TextureRole::Rim,
            TextureRole::Matcap,
            TextureRole::MotionMask,
        ];
        for (offset, role) in own.into_iter().enumerate() {
            *material.texture_mut(role) = Some((number + offset) % pictures);
        }
    }
    for (number, piece) in world.pieces.iter_mut().enumerate() {
        if number % 5 != 0 {
            let other = |at: &Vec2| Vec2::new(at.y * 3.0 - 0.3, at.x * 0.7 + at.y);
            piece.mesh.second_texcoords = piece.mesh.texcoords.iter().map(other).collect();
        }
    }
    world
}

#[test]
fn sets_of_single_textures_have_the_bits_of_plain_code_on_every_level() {
    for (samples, anisotropy) in [(1, 1), (4, 8)] {
        let world = set_world(samples, anisotropy);
        assert!(world.materials.iter().any(|one| matches!(one.alpha, AlphaMode::Mask { .. })
            && one.coordinates.is_some()));
        let plain = world.shade(on(Level::Scalar), 1);
        let same = physical_world(samples).shade(on(Level::Scalar), 1);
        assert!(first_difference(&plain, &same).is_some(), "coordinates are seen");
        for level in levels() {
            let options = RasterOptions { tile: 31, ..on(level) };
            let difference = first_difference(&plain, &world.shade(options, 2));
            assert_eq!(difference, None, "{level:?}, {samples} samples");
        }
    }
}

/// A transform of the texture equals the transform of the mesh's coordinates, and a second set
/// replaces the first.
#[test]
fn sets_and_transforms_stand_for_those_of_the_mesh() {
    let plain = physical_world(4);
    let lit = |world: &World| world.shade(on(Level::Scalar), 1);
    let with = |own: TextureCoordinates| {
        let mut world = plain.clone();
        for material in &mut world.materials {
            material.coordinates = Some(Box::new(TextureRole::ALL.map(|_| Some(own))));
        }
        world
    };
    let mut turned = plain.clone();
    for piece in &mut turned.pieces {
        piece.mesh.texcoords.iter_mut().for_each(|at| *at = TURNED.point(*at));
    }
    // Alpha, colour and normal map follow within rounding: the two interpolate and transform in
    // another order.
    let close = |left: &World, right: &World| {
        let (left, right) = (lit(left), lit(right));
        let (mut near, mut all) = (0, 0);
        for (a, b) in left.iter().zip(&right) {
            all += 1;
            near += usize::from(a.color.iter().zip(b.color).all(|(a, b)| (a - b).abs() < 0.01));
        }
        // Weights of texels are rounded to 256ths, which occasionally moves alpha across its limit.
        assert!(left.len().abs_diff(right.len()) * 200 <= all, "{} {}", left.len(), right.len());
        near * 100 >= all * 97
    };
    assert!(close(&turned, &with(TURNED)));
    assert!(!close(&plain, &turned), "the transform is seen");
    let mut second = with(TextureCoordinates::plain(true));
    for piece in &mut second.pieces {
        piece.mesh.second_texcoords = piece.mesh.texcoords.clone();
        piece.mesh.texcoords.iter_mut().for_each(|at| *at = Vec2::ZERO);
    }
    assert_eq!(first_difference(&lit(&plain), &lit(&second)), None);
}
