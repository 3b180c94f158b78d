//! Texture, light, mask and blend against the `f64` oracle, wherever the whole pixel sees one
//! surface.

use crate::held::Held;
use tintype_model::math::{Vec2, Vec3};
use tintype_model::{
    AlphaMode, Camera, CullMode, FovAxis, Light, LinearRgb, Material, TextureKind,
};
use tintype_raster::Background;

use crate::reference::{coverage, shade};
use crate::world::{Random, World, picture, quad, relief, screen, screen_piece, torus};

/// Compares every pixel that the oracle answers; at least the fraction `share` of the picture must
/// be among them.
///
/// A code may differ by 1 from the unrounded value: half for its rounding, the rest for 1/256-pixel
/// corners, 16-bit texels and `f32`. That rest is relative to the pixel's coverage: in straight
/// colours of faint pixels it appears larger.
pub(crate) fn assert_matches(world: &World, share: f64, what: &str) {
    const ROUNDING: f64 = 0.5;
    const ALLOWED: f64 = 1.0 - ROUNDING;
    let frame = world.draw(32, 1);
    let scene = world.reference();
    let [width, height] = world.size;
    let (mut compared, mut worst, mut place) = (0_u32, 0.0, [0; 3]);
    let mut range = [255_u8, 0];
    for index in 0..width * height {
        let (x, y) = (index % width, index / width);
        let Some(expected) = shade::pixel(&scene, x, y) else { continue };
        compared += 1;
        let found = frame.pixel(x, y);
        range = [range[0].min(found[1]), range[1].max(found[1])];
        for (channel, (code, value)) in (0..).zip(found.into_iter().zip(expected)) {
            let share = if channel == 3 { 1.0 } else { expected[3] / 255.0 };
            let off = ((f64::from(code) - value).abs() - ROUNDING) * share;
            if off > worst {
                (worst, place) = (off, [x, y, channel]);
            }
        }
    }
    let [x, y, channel] = place;
    assert!(
        worst <= ALLOWED,
        "{what}: {worst} codes off beyond rounding at ({x}, {y}) channel {channel}: {:?} found, {:?} expected",
        frame.pixel(x, y),
        shade::pixel(&scene, x, y)
    );
    let enough = share * f64::from(width * height);
    assert!(f64::from(compared) >= enough, "{what}: only {compared} pixels compared");
    assert!(range[1] - range[0] > 24, "{what}: a flat picture shows nothing: {range:?}");
}

pub(crate) fn sun(color: f32) -> Light {
    Light::Directional {
        to_light: Vec3::new(0.48, 0.6, 0.64),
        color: LinearRgb::new(color, color * 0.9, color * 0.8),
    }
}

pub(crate) fn wall_world(samples: u32) -> World {
    let mut world =
        World::empty([96, 64], samples, Vec3::new(0.4, 0.3, 2.2), Vec3::new(0.0, -0.05, 0.0));
    world.ambient = LinearRgb::new(0.1, 0.12, 0.14);
    world
}

/// A wall that fills most of the picture, leaning.
pub(crate) fn wall(turns: f32, material: usize) -> crate::world::Piece {
    quad(
        Vec3::new(-1.4, 1.1, -0.3),
        Vec3::new(2.8, 0.2, 0.4),
        Vec3::new(0.1, -2.2, 0.3),
        turns,
        material,
    )
}

#[test]
fn shading_of_textures_from_magnified_to_the_last_level() {
    for (width, height) in [(64, 64), (37, 53), (1, 16)] {
        for turns in [0.3, 1.0, 3.7, 20.0, 300.0] {
            let mut world = wall_world(4);
            world.ambient = LinearRgb::WHITE;
            world.images = vec![(picture(width, height, 5, |_, _| 255), TextureKind::OpaqueColor)];
            world.materials = vec![Material {
                diffuse: Some(0),
                specular_strength: 0.0,
                color: LinearRgb::new(0.9, 0.8, 0.7),
                ..Material::new("wall")
            }];
            world.pieces = vec![wall(turns, 0)];
            world.background = Background::Gradient {
                top: LinearRgb::new(0.0, 0.9, 0.1),
                bottom: LinearRgb::new(0.9, 0.1, 0.1),
            };
            assert_matches(&world, 0.8, &format!("texture {width} x {height}, {turns} turns"));
        }
    }
}

#[test]
fn shading_of_a_floor_that_passes_under_the_eye() {
    let mut world = wall_world(1);
    world.camera.eye = Vec3::new(0.1, 0.5, 1.0);
    world.ambient = LinearRgb::WHITE;
    world.images = vec![(picture(64, 64, 9, |_, _| 255), TextureKind::OpaqueColor)];
    world.materials =
        vec![Material { diffuse: Some(0), specular_strength: 0.0, ..Material::new("floor") }];
    let corner = Vec3::new(-40.0, -0.6, -40.0);
    world.pieces = vec![quad(corner, Vec3::X * 80.0, Vec3::Z * 80.0, 40.0, 0)];
    assert_matches(&world, 0.8, "floor");
}

#[test]
fn shading_of_each_light() {
    let lights = [
        ("sun", vec![sun(0.9)]),
        (
            "lamp",
            vec![Light::Point {
                position: Vec3::new(0.5, 0.6, 0.8),
                color: LinearRgb::new(0.3, 0.5, 0.2),
                reach: 1.2,
                range: None,
                cone: None,
            }],
        ),
        (
            "sky",
            vec![Light::Hemisphere {
                sky: LinearRgb::new(0.5, 0.6, 0.9),
                ground: LinearRgb::new(0.3, 0.1, 0.0),
            }],
        ),
        ("overdriven", vec![sun(3.0), sun(2.0)]),
    ];
    for (name, lights) in lights {
        for (strength, shininess) in [(0.0, 1.0), (0.4, 8.0), (0.7, 120.0)] {
            let mut world = wall_world(4);
            world.lights = lights.clone();
            world.materials = vec![Material {
                color: LinearRgb::new(0.7, 0.6, 0.5),
                specular_strength: strength,
                shininess,
                emissive: LinearRgb::new(0.01, 0.0, 0.05),
                ..Material::new("ring")
            }];
            world.pieces = vec![torus(Vec3::ZERO, 0.7, 0.35, 40, 24, 0)];
            assert_matches(&world, 0.4, &format!("{name}, {strength} at {shininess}"));
        }
    }
}

/// Orthographic cameras, the 2:1 dimetric one of sprites among them: texture, relief, highlight and
/// lamp.
#[test]
fn shading_without_perspective() {
    let front = Vec3::new(0.4, 0.3, 2.2);
    let dimetric = Vec3::new(0.612_372_4, 0.5, 0.612_372_4) * 5.0;
    for (name, eye, up, height) in [
        ("front", front, Vec3::Y, 1.9),
        ("dimetric", dimetric, Vec3::Y, 2.4),
        ("above", Vec3::Y * 3.0, -Vec3::Z, 2.2),
        // The eye is inside the ring: an orthographic camera has no near plane.
        ("within", Vec3::new(0.05, 0.02, 0.1), Vec3::Y, 2.0),
    ] {
        let mut world = wall_world(4);
        let lens = FovAxis::Parallel(height);
        world.camera =
            Camera::looking_at(eye, Vec3::ZERO, up, lens, f32::NEG_INFINITY, f32::INFINITY);
        let lamp = Light::Point {
            position: Vec3::new(0.5, 1.2, 1.4),
            color: LinearRgb::new(0.3, 0.5, 0.2),
            reach: 2.0,
            range: None,
            cone: None,
        };
        world.lights = vec![sun(0.8), lamp];
        world.images = vec![
            (picture(64, 64, 5, |_, _| 255), TextureKind::OpaqueColor),
            (relief(64, 64), TextureKind::Data),
        ];
        world.materials = vec![Material {
            diffuse: Some(0),
            normal: Some(1),
            specular_strength: 0.4,
            shininess: 12.0,
            ..Material::new("ring")
        }];
        world.pieces = vec![torus(Vec3::ZERO, 0.7, 0.35, 40, 24, 0)];
        assert_matches(&world, 0.25, name);
    }
}

#[test]
fn shading_of_relief_from_both_sides() {
    for normal_y_down in [false, true] {
        for from_behind in [false, true] {
            for sign in [1.0, -1.0] {
                let mut world = wall_world(4);
                world.lights = vec![sun(0.8)];
                world.images = vec![
                    (relief(64, 64), TextureKind::Data),
                    (picture(32, 32, 6, |_, _| 255), TextureKind::OpaqueColor),
                ];
                world.materials = vec![Material {
                    normal: Some(0),
                    specular: Some(1),
                    normal_y_down,
                    specular_strength: 0.5,
                    shininess: 16.0,
                    cull: CullMode::None,
                    ..Material::new("relief")
                }];
                let mut piece = wall(1.5, 0);
                piece.mesh.bitangent_sign.fill(sign);
                if from_behind {
                    for triangle in &mut piece.mesh.triangles {
                        triangle.swap(1, 2);
                    }
                }
                world.pieces = vec![piece];
                let what = format!("relief, down {normal_y_down}, behind {from_behind}, {sign}");
                assert_matches(&world, 0.8, &what);
            }
        }
    }
}

#[test]
fn shading_of_masks() {
    let holes = |u: f64, v: f64| (127.0 + 120.0 * libm::sin(13.0 * u) * libm::cos(11.0 * v)) as u8;
    for samples in [1, 16] {
        let mut world = wall_world(samples);
        world.lights = vec![sun(0.8)];
        world.images = vec![(picture(64, 64, 8, holes), TextureKind::AlphaColor)];
        world.materials = vec![
            Material {
                diffuse: Some(0),
                alpha: AlphaMode::Mask { cutoff: 0.5 },
                ..Material::new("leaves")
            },
            Material { color: LinearRgb::new(0.5, 0.1, 0.1), ..Material::new("behind") },
        ];
        let behind = quad(Vec3::new(-2.0, 2.0, -2.0), Vec3::X * 4.0, -Vec3::Y * 4.0, 1.0, 1);
        world.pieces = vec![wall(1.0, 0), behind];
        assert_matches(&world, 0.5, &format!("mask, {samples} samples"));
    }
}

/// None, and a sky.
const BACKGROUNDS: [Background; 2] = [
    Background::Transparent,
    Background::Gradient {
        top: LinearRgb::new(0.0, 0.2, 0.9),
        bottom: LinearRgb::new(0.7, 0.5, 0.1),
    },
];

/// Alpha that is nowhere 0 or 255.
fn soft(u: f64, v: f64) -> u8 {
    (150.0 + 80.0 * libm::sin(5.0 * u + 3.0 * v)) as u8
}

/// A pane that crosses the wall.
fn across(material: usize) -> crate::world::Piece {
    quad(
        Vec3::new(-1.2, 0.9, 0.5),
        Vec3::new(2.4, 0.0, -1.4),
        Vec3::new(0.0, -1.7, 0.1),
        1.3,
        material,
    )
}

#[test]
fn shading_of_blended_layers() {
    for background in BACKGROUNDS {
        for samples in [1, 8] {
            let mut world = wall_world(samples);
            world.background = background;
            world.lights = vec![sun(1.1)];
            world.images = vec![(picture(64, 64, 8, soft), TextureKind::AlphaColor)];
            let glass = |opacity, color| Material {
                diffuse: Some(0),
                alpha: AlphaMode::Blend,
                opacity,
                color,
                cull: CullMode::None,
                ..Material::new("glass")
            };
            world.materials = vec![
                glass(0.9, LinearRgb::new(1.0, 0.6, 0.5)),
                glass(0.5, LinearRgb::new(0.4, 0.9, 0.7)),
                Material::new("ring"),
            ];
            // Submitted from front to back, and the two panes cross: the nearer one changes within
            // the picture. One ring is visible through both, the other hides them.
            let behind = torus(Vec3::new(0.0, 0.0, -1.5), 0.6, 0.2, 30, 20, 2);
            let before = torus(Vec3::new(0.5, 0.4, 1.1), 0.15, 0.13, 16, 10, 2);
            world.pieces = vec![across(1), wall(1.0, 0), behind, before];
            assert_matches(&world, 0.5, &format!("glass, {samples} samples, {background:?}"));
        }
    }
}

#[test]
fn shading_of_layers_that_add_and_multiply() {
    let modes = [AlphaMode::Add, AlphaMode::Multiply, AlphaMode::Blend];
    for (number, background) in BACKGROUNDS.into_iter().cycle().take(12).enumerate() {
        // Every pair of modes before each other, and the two panes cross.
        let (near, far) = (modes[number / 2 % 3], modes[(number / 2 + 1 + number / 6) % 3]);
        let samples = if number % 3 == 0 { 8 } else { 1 };
        let mut world = wall_world(samples);
        world.background = background;
        world.lights = vec![sun(1.1)];
        world.images = vec![
            (picture(64, 64, 8, soft), TextureKind::AlphaColor),
            (picture(32, 32, 5, |_, _| 255), TextureKind::OpaqueColor),
        ];
        let pane = |alpha, opacity, color, glow| Material {
            diffuse: Some(0),
            alpha,
            opacity,
            color,
            emissive_map: glow,
            emissive: LinearRgb::new(0.3, 0.5, 0.2),
            cull: CullMode::None,
            ..Material::new("pane")
        };
        world.materials = vec![
            pane(near, 0.9, LinearRgb::new(0.6, 0.4, 0.5), Some(1)),
            pane(far, 0.7, LinearRgb::new(0.4, 0.9, 0.7), None),
            Material::new("ring"),
        ];
        let behind = torus(Vec3::new(0.0, 0.0, -1.5), 0.6, 0.2, 30, 20, 2);
        world.pieces = vec![across(1), wall(1.0, 0), behind];
        let what = format!("{near:?} and {far:?}, {samples} samples, {background:?}");
        assert_matches(&world, 0.6, &what);
    }
}

#[test]
fn shading_of_own_light() {
    for anisotropy in [1, 8] {
        let mut world = wall_world(1);
        world.anisotropy = anisotropy;
        world.lights = vec![sun(0.4)];
        world.images = vec![
            (picture(64, 64, 7, |_, _| 255), TextureKind::OpaqueColor),
            (picture(32, 16, 3, |_, _| 255), TextureKind::OpaqueColor),
        ];
        let embers = |diffuse, glow, emissive| Material {
            diffuse,
            emissive_map: glow,
            emissive,
            specular_strength: 0.0,
            color: LinearRgb::new(0.5, 0.3, 0.3),
            cull: CullMode::None,
            ..Material::new("embers")
        };
        for material in [
            embers(Some(0), Some(1), LinearRgb::WHITE),
            embers(Some(0), Some(0), LinearRgb::new(0.2, 0.6, 1.5)),
            embers(None, Some(1), LinearRgb::new(0.7, 0.1, 0.2)),
        ] {
            world.materials = vec![material];
            world.pieces = vec![wall(1.0, 0)];
            assert_matches(&world, 0.6, &format!("own light, {anisotropy} probes"));
        }
    }
}

#[test]
fn shading_of_partly_covered_pixels_is_at_the_centroid() {
    const SIZE: [u32; 2] = [32, 32];
    let mut random = Random(21);
    let mut compared = 0;
    for number in 0..60 {
        let samples = [4, 8, 16][number % 3];
        let triangle = [0; 3].map(|_| [random.whole(0, 8192), random.whole(0, 8192)]);
        let material = Material {
            diffuse: Some(0),
            specular_strength: 0.0,
            cull: CullMode::None,
            ..Material::new("patch")
        };
        let mut world = screen(SIZE, samples, material);
        world.ambient = LinearRgb::WHITE;
        world.images = vec![(picture(16, 16, 3, |_, _| 255), TextureKind::OpaqueColor)];
        let mut piece = screen_piece(SIZE, &triangle, vec![[0, 1, 2]]);
        piece.mesh.texcoords =
            triangle.map(|at| Vec2::new(at[0] as f32, at[1] as f32) / 8192.0).to_vec();
        world.pieces = vec![piece];
        let (frame, scene) = (world.draw(32, 1), world.reference());
        let masks = coverage::coverage(&triangle, SIZE[0], SIZE[1], samples);
        for (index, &mask) in (0_u32..).zip(&masks) {
            if !(1..samples).contains(&mask.count_ones()) {
                continue;
            }
            let (x, y) = (index % SIZE[0], index / SIZE[0]);
            let covered: Vec<[i32; 2]> = (0..)
                .zip(coverage::sample_offsets(samples))
                .filter(|&(bit, _)| mask >> bit & 1 == 1)
                .map(|(_, &offset)| coverage::sample_position(x, y, offset))
                .collect();
            let centroid = [0, 1].map(|axis| {
                let sum: i32 = covered.iter().map(|place| place[axis]).sum();
                f64::from(sum) / covered.len() as f64 / 256.0
            });
            let expected = shade::code_at(&scene, 0, 0, centroid);
            let found = frame.pixel(x, y);
            let off = (0..3).map(|k| (f64::from(found[k]) - expected[k]).abs());
            let worst = off.fold(0.0, Held::at_least);
            assert!(worst <= 1.0, "{number}, ({x}, {y}): {found:?} found, {expected:?} expected");
            compared += 1;
        }
    }
    assert!(compared > 1_000, "{compared} pixels compared");
}
