//! Worlds that are hard to draw, and comparisons of their pictures between instruction levels.

use std::sync::Arc;
use tintype_model::math::{Vec2, Vec3, Vec4, max};
use tintype_model::simd::Level;
use tintype_model::{
    AlphaMode, Anisotropy, Cone, CullMode, Iridescence, Light, LinearRgb, Material,
    MetallicRoughness, Panorama, ShadingModel, TextureKind, TextureRole, Tone, Transmission,
};
use tintype_raster::Background;
use tintype_raster::environment::EnvironmentMap;
use tintype_raster::shadow::Extent;
use tintype_raster::{Floor, Occlusion, RasterOptions, ShadedFragment, Shadow};

use super::world::{Corner, Random, World, picture, piece, quad, relief, torus};

/// One of everything: textures, relief, a mask, blended layers, each kind of light, clipped and
/// tiny triangles.
pub(super) fn busy_world(samples: u32) -> World {
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
            range: None,
            cone: None,
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

/// The busy world with sheets in one plane, triangulated along different diagonals, where the last
/// bit of depth decides visibility; with vertex colours, specular and emission maps, added and
/// multiplied panes, and a blade thousands of pixels long.
pub(super) fn hard_world(samples: u32) -> World {
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
        emissive_map: Some(0),
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
    let modulated = Material {
        shading: ShadingModel::FixedFunction,
        specular_color: LinearRgb::new(0.9, 0.3, 0.5),
        emissive: LinearRgb::new(0.3, 0.2, 0.5),
        cull: CullMode::None,
        ..shiny.clone()
    };
    let glass = Material { alpha: AlphaMode::Blend, opacity: 0.6, ..modulated.clone() };
    let first = world.materials.len();
    world.materials.extend([shiny, bare, add, multiply, ember, modulated, glass]);
    let [shiny, bare, add, multiply, ember, modulated, glass] =
        [0, 1, 2, 3, 4, 5, 6].map(|number| first + number);
    world.pieces.push(torus(Vec3::new(0.4, 0.9, 0.7), 0.2, 0.1, 33, 19, modulated));
    for (material, x) in [(add, -0.8), (multiply, 0.1), (add, 0.2)] {
        let origin = Vec3::new(x, 0.9, 1.0 - 0.1 * x);
        world.pieces.push(quad(origin, Vec3::new(0.7, 0.1, -0.1), -Vec3::Y * 0.9, 2.0, material));
    }
    world.pieces.push(torus(Vec3::new(-0.2, 0.9, 0.5), 0.25, 0.1, 31, 17, ember));
    for (material, x) in [(shiny, 0.9), (bare, -0.9), (modulated, 0.3), (glass, -0.3)] {
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

/// The hard world with materials of metal and roughness, with every texture and layer, in an
/// environment.
pub(super) fn physical_world(samples: u32) -> World {
    let mut world = hard_world(samples);
    let response = |metallic, roughness| {
        let response = MetallicRoughness {
            metallic,
            roughness,
            normal_scale: 0.7,
            occlusion_strength: 0.8,
            ior: 1.4,
            specular: 0.9,
            specular_color: LinearRgb::new(0.9, 0.8, 0.7),
            ..MetallicRoughness::default()
        };
        Some(Box::new(response))
    };
    let textured = Material {
        color: LinearRgb::new(0.9, 0.8, 0.4),
        diffuse: Some(2),
        normal: Some(1),
        emissive_map: Some(0),
        emissive: LinearRgb::new(0.1, 0.2, 0.0),
        metallic_roughness: Some(0),
        occlusion: Some(2),
        response: response(0.9, 1.0),
        ..Material::new("textured")
    };
    let coat = MetallicRoughness {
        clearcoat: 0.8,
        clearcoat_roughness: 0.2,
        sheen_color: LinearRgb::new(0.5, 0.1, 0.6),
        sheen_roughness: 0.4,
        ..*response(0.0, 0.6).expect("just made")
    };
    let coated = Material {
        normal: Some(1),
        color: LinearRgb::new(0.2, 0.4, 0.9),
        response: Some(Box::new(coat)),
        ..Material::new("coated")
    };
    let mirror = Material { response: response(1.0, 0.0), ..Material::new("mirror") };
    let unlit = MetallicRoughness { is_unlit: true, ..MetallicRoughness::default() };
    let unlit = Material { response: Some(Box::new(unlit)), ..Material::new("unlit") };
    let glass = Material {
        alpha: AlphaMode::Blend,
        opacity: 0.5,
        cull: CullMode::None,
        ..textured.clone()
    };
    let mut layered = Material { name: "layered".to_owned(), ..coated.clone() };
    for (role, texture) in TextureRole::LAYERS.into_iter().zip([2, 0, 1, 2, 2, 2, 0, 2]) {
        *layered.layers.get_mut(role) = Some(texture);
    }
    let first = world.materials.len();
    world.materials.extend([textured, coated, mirror, unlit, glass, layered]);
    for (number, x) in [(0, -1.1), (1, -0.6), (2, -0.1), (3, 0.4), (4, 0.9), (0, 1.2), (5, 0.65)] {
        let place = Vec3::new(x, -0.2 + 0.1 * number as f32, 1.0);
        let mut ring = torus(place, 0.2, 0.1, 37, 21, first + number);
        if x > 1.0 {
            let color = |_| Vec4::new(0.9, 0.5, 0.2, 0.7);
            ring.mesh.colors = (0..ring.mesh.texcoords.len()).map(color).collect();
        }
        world.pieces.push(ring);
    }
    world.environment = Some(Arc::new(tintype_raster::environment::studio()));
    world.tone = Tone { exposure: 0.9, is_neutral: true };
    let origin = Vec3::new(0.2, -0.1, 0.7);
    world.occlusion = Some(Occlusion { strength: 0.9, voxel: 0.06, origin, ground: None });
    world.lights.push(Light::Point {
        position: Vec3::new(0.4, 1.6, 1.9),
        color: LinearRgb::new(0.7, 0.6, 0.2),
        reach: 1.0,
        range: Some(2.6),
        cone: Some(Cone::new(Vec3::new(0.0, 0.6, 0.8), 0.2, 0.5)),
    });
    world
}

/// The physical world with surfaces that let light pass, brushed ones and films, with their
/// textures and without.
#[allow(dead_code, reason = "tests of the crate alone use it")]
pub(super) fn glass_world(samples: u32) -> World {
    let mut world = physical_world(samples);
    let first = world.materials.len();
    let response = MetallicRoughness {
        metallic: 0.0,
        roughness: 0.2,
        ior: 1.45,
        transmission: Transmission {
            share: 0.9,
            thickness: 0.3,
            attenuation_color: LinearRgb::new(0.3, 0.8, 0.6),
            attenuation_distance: 0.4,
        },
        ..MetallicRoughness::default()
    };
    let brushed = MetallicRoughness {
        metallic: 0.8,
        roughness: 0.3,
        anisotropy: Anisotropy { strength: 0.7, rotation_rad: 0.6 },
        iridescence: Iridescence { strength: 0.8, ..Iridescence::default() },
        ..MetallicRoughness::default()
    };
    let of = |response: &MetallicRoughness| Material {
        color: LinearRgb::new(0.8, 0.9, 0.7),
        response: Some(Box::new(response.clone())),
        ..Material::new("glass")
    };
    let (clear, brushed) = (of(&response), of(&brushed));
    let mut textured = [clear.clone(), brushed.clone()];
    for material in &mut textured {
        material.normal = Some(1);
        material.alpha = AlphaMode::Mask { cutoff: 0.3 };
        material.diffuse = Some(2);
        for role in TextureRole::LAYERS.into_iter().rev().take(5) {
            *material.layers.get_mut(role) = Some(0);
        }
    }
    world.materials.extend([clear, brushed]);
    world.materials.extend(textured);
    for number in 0..4 {
        let place = Vec3::new(-0.75 + 0.5 * number as f32, 0.75, 1.3);
        world.pieces.push(torus(place, 0.15, 0.09, 37, 21, first + number));
    }
    world
}

/// A panorama with a sun of some width, a small lamp, and a sky that is bright to one side.
pub(super) fn sky_with_lamps() -> Arc<EnvironmentMap> {
    let texel = |index: u32| match (index % 128, index / 128) {
        (100 | 101, 18 | 19) => [900.0, 800.0, 500.0],
        (40, 28) => [100.0, 300.0, 2000.0],
        (x, y) => [0.01 * x as f32, 0.4, 0.015 * (63 - y) as f32],
    };
    let texels = (0..128 * 64).map(texel).collect();
    let panorama = Panorama { width: 128, height: 64, texels };
    Arc::new(EnvironmentMap::of_panorama(&panorama))
}

/// Every level of this machine but the definition; there must be one.
#[allow(clippy::print_stdout, reason = "a run says what it could not run")]
pub(super) fn levels() -> Vec<Level> {
    let levels: Vec<Level> =
        Level::available().into_iter().filter(|&level| level != Level::Scalar).collect();
    assert!(!levels.is_empty());
    let missing: Vec<_> = Level::ALL.into_iter().filter(|level| !level.is_available()).collect();
    println!("levels: {levels:?}; not run, as this machine has them not: {missing:?}");
    levels
}

pub(super) fn on(level: Level) -> RasterOptions {
    RasterOptions { level, ..RasterOptions::default() }
}

/// The first point that differs to the bit, if any does.
pub(super) fn first_difference(
    left: &[ShadedFragment],
    right: &[ShadedFragment],
) -> Option<String> {
    let bits = |point: &ShadedFragment| point.color.map(f32::to_bits);
    let differs =
        |(a, b): &(&ShadedFragment, &ShadedFragment)| a.seen != b.seen || bits(a) != bits(b);
    if left.len() != right.len() {
        return Some(format!("{} points and {}", left.len(), right.len()));
    }
    left.iter().zip(right).find(differs).map(|(a, b)| format!("{a:?} and {b:?}"))
}

/// Triangles of all sizes, from less than a pixel to a third of the picture, in one plane across
/// the view: all their depths are one number, so their order alone decides.
pub(super) fn equal_depths(samples: u32) -> World {
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
    // The large ones would hide all later ones: from the smallest to the largest, with some out of
    // turn.
    triangles.sort_by_key(|[first, ..]| (first / 3 % 7 < 2, first / 3 % 11 != 0));
    for k in (0..triangles.len() - 40).step_by(17) {
        triangles.swap(k, k + 37);
    }
    world.pieces.push(piece(&corners, triangles, 0));
    world
}

/// Transparent triangles of each mode in random order: most cross others, so that the order of
/// their layers changes within pixels, and some lie in one plane, where submission decides.
pub(super) fn crossing_layers(samples: u32) -> World {
    let mut world = World::empty([83, 71], samples, Vec3::Z * 2.0, Vec3::ZERO);
    for (alpha, opacity) in [
        (AlphaMode::Blend, 0.4),
        (AlphaMode::Add, 0.2),
        (AlphaMode::Multiply, 0.3),
        (AlphaMode::Blend, 0.7),
    ] {
        let color = LinearRgb::new(0.9 - opacity, 0.5, 0.2 + opacity);
        world.materials.push(Material {
            cull: CullMode::None,
            alpha,
            opacity,
            color,
            emissive: color,
            ..Material::new("pane")
        });
    }
    let mut random = Random(23);
    for number in 0..160 {
        let flat = if number % 3 == 0 { 0.0 } else { 0.5 };
        let size = if number % 5 == 0 { 0.12 } else { 1.3 };
        let middle = [random.real(-0.6, 0.6), random.real(-0.5, 0.5)];
        let corners = [(); 3].map(|()| {
            let from = [random.real(-size, size), random.real(-size, size)];
            let (x, y) = (middle[0] + from[0], middle[1] + from[1]);
            let position = Vec3::new(x, y, random.real(-1.0, 1.0) * flat);
            Corner { position, normal: Vec3::Z, tangent: Vec3::X, uv: Vec2::ZERO }
        });
        world.pieces.push(piece(&corners, vec![[0, 1, 2]], number % 4));
    }
    world
}

pub(super) fn sun(to_light: Vec3) -> Light {
    Light::Directional { to_light, color: LinearRgb::new(0.8, 0.8, 0.8) }
}

/// The shadow of light 0, whose map contains the casters of all of the worlds.
pub(super) fn shadow_over(worlds: &[&World], size: u32, spread: f32) -> Shadow {
    let Light::Directional { to_light, .. } = worlds[0].lights[0] else { panic!("a sun") };
    let mut largest = Vec3::ZERO;
    for world in worlds {
        let casters = world.pieces.iter().filter(|piece| piece.casts).map(|piece| &piece.posed);
        let extent = Extent::from_light(to_light, casters).size();
        largest = largest.max(extent);
    }
    let Vec3 { x, y, z } = largest;
    Shadow::new(0, size, spread, Vec3::ZERO, max(max(x, y), z / Shadow::WIDEST))
}

/// The hard world with shadows of a sun and a ground.
/// The hard world in the light of two suns that cast shadows, over a ground.
pub(super) fn shaded_world(samples: u32) -> World {
    let mut world = hard_world(samples);
    world.lights.push(sun(Vec3::new(-0.3, 0.9, 0.2).normalize()));
    let mut second = world.clone();
    second.lights.swap(0, 3);
    // The floor and the long blade catch only.
    for world in [&mut world, &mut second] {
        for piece in &mut world.pieces {
            piece.casts = piece.posed.bounds().diagonal() < 20.0;
        }
    }
    let first = shadow_over(&[&world], 300, 0.04);
    let mut second = shadow_over(&[&second], 128, 0.0);
    second.light = 3;
    world.shadows = vec![first, second];
    // The floor would hide it.
    world.pieces.remove(0);
    world.background = Background::Transparent;
    world.occlusion = world.occlusion.map(|own| Occlusion { ground: Some(-0.6), ..own });
    world.ground = Some(Floor {
        center: Vec3::new(0.0, -0.6, 0.0),
        radius: 3.5,
        color: None,
        edge: 0.05,
        contact: 0.7,
        reach: 0.8,
        width: 4.0,
        height: 2.5,
    });
    world
}

/// The first pixel whose background differs to the bit, if any does.
pub(super) fn first_other(left: &[[f32; 4]], right: &[[f32; 4]]) -> Option<String> {
    let bits = |color: &[f32; 4]| color.map(f32::to_bits);
    assert_eq!(left.len(), right.len());
    let place = (0..left.len()).find(|&place| bits(&left[place]) != bits(&right[place]))?;
    Some(format!("pixel {place}: {:?} and {:?}", left[place], right[place]))
}
