//! Rows of probes: against the `f64` oracle, the same bits on every level, and a floor that is
//! sharper for them without shimmer.

use crate::held::Held;
use tintype_base::deadline::Deadline;
use tintype_model::frame::Frame;
use tintype_model::math::{Vec2, Vec3, srgb};
use tintype_model::simd::Level;
use tintype_model::{
    AlphaMode, Camera, CullMode, FovAxis, Image, LinearRgb, Material, Texture, TextureKind,
};
use tintype_raster::RasterOptions;
use tintype_raster::texture::anisotropic::scalar::Row;
use tintype_raster::texture::footprint::Footprint;
use tintype_raster::texture::sample_filtered;
use tintype_raster::texture::trilinear::scalar::sample_trilinear;

use crate::reference::texture;
use crate::shading::{assert_matches, sun, wall, wall_world};
use crate::world::{Random, World, picture, quad, relief};
use crate::worlds::busy_world;
use crate::worlds::{first_difference, hard_world, levels, on};

const SIZES: [[u32; 2]; 3] = [[64, 64], [37, 53], [1, 16]];

/// Footprints of all shapes: steps from a hundredth of a texel to four thousand, in any directions,
/// near and far from square.
fn footprints(random: &mut Random, [width, height]: [u32; 2]) -> Footprint {
    let size = Vec2::new(width as f32, height as f32);
    let mut step = |of: f32| {
        let length = of * libm::exp2f(random.real(-4.0, 4.0));
        let angle = random.real(0.0, core::f32::consts::TAU);
        Vec2::new(libm::cosf(angle), libm::sinf(angle)) * length / size
    };
    let base = [0.16, 1.0, 6.0, 40.0, 250.0][(step(1.0).x.to_bits() % 5) as usize];
    let (across, down) = (step(base), step(base));
    Footprint { at: Vec2::new(random.real(-2.0, 2.0), random.real(-2.0, 2.0)), across, down }
}

#[test]
fn rows_of_probes_are_those_of_the_oracle() {
    // A whole row may differ by one probe where rounding decides, so nothing is compared close to a
    // step.
    const NEAR: f64 = 1e-4;
    // In texels of the first level, whose values are 0..=1: positions are rounded to 2^-24 of a
    // coordinate, texels to 2^-16.
    const ALLOWED: f64 = 2e-4;
    let mut counts = [0_u32; 17];
    let (mut worst, mut skipped) = (0.0, 0_u32);
    let mut random = Random(31);
    for size in SIZES {
        let image = picture(size[0], size[1], 4, |u, v| (200.0 * u + 40.0 * v) as u8);
        let ours =
            Texture::new(&image, TextureKind::AlphaColor, &Deadline::NEVER).expect("no deadline");
        let theirs = texture::Texture::new(size[0], size[1], &image.rgba, texture::Kind::Alpha);
        for most in [1, 2, 4, 8, 16] {
            for _ in 0..4_000 {
                let footprint = footprints(&mut random, size);
                let two = |vector: Vec2| vector.to_array().map(f64::from);
                let (x, y) = (two(footprint.across), two(footprint.down));
                let (ratio, width, _) = theirs.ellipse(x, y, most);
                let step = ratio - 1.0 / 64.0;
                if (step - step.round()).abs() < NEAR && ratio < f64::from(most) - NEAR {
                    skipped += 1;
                    continue;
                }
                let (looks, _, _) = theirs.looks(x, y, most);
                if most > 1 {
                    let row = Row::new(&ours, &footprint, most);
                    assert_eq!(row.count, looks, "{footprint:?} on {size:?}, {most}: {ratio}");
                    let detail =
                        libm::log2(width).within(0.0, f64::from(ours.levels.len() as u32 - 1));
                    if looks > 1 {
                        let texels = row.step * Vec2::new(size[0] as f32, size[1] as f32);
                        assert!(texels.length() < width as f32 * 1.02, "{row:?}, {width}");
                        assert!((f64::from(row.detail) - detail).abs() < 1e-4, "{footprint:?}");
                    }
                }
                counts[looks as usize] += 1;
                let found = sample_filtered(&ours, &footprint, most).to_array().map(f64::from);
                let expected = theirs.sample_along(two(footprint.at), x, y, most);
                for (found, expected) in found.into_iter().zip(expected) {
                    worst = (found - expected).abs().at_least(worst);
                    assert!(
                        (found - expected).abs() < ALLOWED,
                        "{footprint:?} on {size:?}, {most}: {found} found, {expected} expected"
                    );
                }
            }
        }
    }
    assert!(worst > 0.0 && counts[1..].iter().all(|&count| count > 150), "{counts:?}");
    assert!(skipped < 200, "{skipped} of 60000 are near a step");
}

#[test]
fn probe_alone_has_the_bits_of_the_trilinear_filter() {
    let mut random = Random(5);
    let image = picture(64, 48, 4, |_, _| 255);
    let texture =
        Texture::new(&image, TextureKind::OpaqueColor, &Deadline::NEVER).expect("no deadline");
    let mut alone = 0;
    for _ in 0..20_000 {
        let footprint = footprints(&mut random, [64, 48]);
        let row = Row::new(&texture, &footprint, 16);
        let [found, plain] = [row.sample(&texture), sample_trilinear(&texture, &footprint)]
            .map(|texel| texel.to_array().map(f32::to_bits));
        if row.count == 1 {
            alone += 1;
            assert_eq!(found, plain, "{footprint:?}");
        }
    }
    assert!(alone > 2_000, "{alone}");
    // Round footprints of any size, and empty ones.
    for step in [0.0, 0.001, 0.02, 0.3, 5.0, 1e20, f32::MAX] {
        let across = Vec2::new(step / 64.0, 0.0);
        let footprint =
            Footprint { at: Vec2::splat(0.3), across, down: Vec2::new(0.0, step / 48.0) };
        let found = sample_filtered(&texture, &footprint, 16);
        assert_eq!(found, sample_trilinear(&texture, &footprint), "{step}");
    }
}

#[test]
fn mean_of_many_probes_of_one_colour_is_that_colour() {
    let rgba = vec![[255, 180, 7, 255]; 32 * 32];
    let texture = Texture::new(
        &Image { width: 32, height: 32, rgba },
        TextureKind::OpaqueColor,
        &Deadline::NEVER,
    )
    .expect("no deadline");
    let at = Vec2::new(0.21, 0.83);
    let plain = sample_trilinear(&texture, &Footprint { at, across: Vec2::ZERO, down: Vec2::ZERO });
    for most in [2, 4, 8, 16] {
        for slant in 1..200_u8 {
            let across = Vec2::new(f32::from(slant) * 0.01, f32::from(slant) * 0.004);
            let footprint = Footprint { at, across, down: Vec2::new(0.0, 0.01) };
            assert_eq!(sample_filtered(&texture, &footprint, most), plain, "{most}, {slant}");
        }
    }
}

/// A wall at so flat an angle that rows of every length are needed, and so textured that all
/// channels take part.
fn slanted(anisotropy: u32) -> World {
    // With more samples, pixels between pieces of a clipped triangle would not match the oracle's
    // model.
    let mut world = wall_world(1);
    world.anisotropy = anisotropy;
    world.lights = vec![sun(0.9)];
    let holes = |u: f64, v: f64| (127.0 + 120.0 * libm::sin(13.0 * u) * libm::cos(11.0 * v)) as u8;
    world.images = vec![
        (picture(64, 64, 9, |_, _| 255), TextureKind::OpaqueColor),
        (relief(64, 64), TextureKind::Data),
        (picture(32, 32, 6, |_, _| 255), TextureKind::OpaqueColor),
        (picture(64, 64, 8, holes), TextureKind::AlphaColor),
    ];
    world.materials = vec![Material {
        diffuse: Some(0),
        normal: Some(1),
        specular: Some(2),
        specular_strength: 0.5,
        shininess: 12.0,
        ..Material::new("floor")
    }];
    // It passes under the eye, and is rotated by an angle that does not align with pixels.
    world.camera.eye = Vec3::new(0.1, 0.5, 1.0);
    let (right, down) = (Vec3::new(64.0, 0.0, 48.0), Vec3::new(-48.0, 0.0, 64.0));
    world.pieces = vec![quad(-(right + down) * 0.5 - Vec3::Y * 0.6, right, down, 24.0, 0)];
    world
}

#[test]
fn shading_of_a_slanted_floor_with_all_its_maps() {
    for anisotropy in [1, 2, 4, 8, 16] {
        let world = slanted(anisotropy);
        assert_matches(&world, 0.8, &format!("anisotropy {anisotropy}"));
        let off = mean_difference(&codes(&world.draw(32, 1)), &codes(&slanted(1).draw(32, 1)));
        assert!(off > 1.0 || anisotropy == 1, "the oracle could tell: {off}");
    }
}

#[test]
fn shading_of_slanted_masks_and_glass() {
    for alpha in [AlphaMode::Mask { cutoff: 0.5 }, AlphaMode::Blend] {
        let mut world = slanted(8);
        let behind = Material { color: LinearRgb::new(0.5, 0.1, 0.1), ..Material::new("behind") };
        let sheet =
            Material { diffuse: Some(3), alpha, cull: CullMode::None, ..Material::new("sheet") };
        world.materials = vec![sheet, behind];
        let far = quad(Vec3::new(-90.0, 90.0, -80.0), Vec3::X * 180.0, -Vec3::Y * 180.0, 1.0, 1);
        let mut near = wall(1.0, 0);
        near.posed.position[2].iter_mut().for_each(|z| *z -= 0.4);
        world.pieces[0].mesh.texcoords.iter_mut().for_each(|at| *at *= 0.5);
        world.pieces.extend([far, near]);
        assert_matches(&world, 0.3, &format!("{alpha:?}"));
    }
}

#[test]
fn rows_of_every_level_have_the_bits_of_plain_code() {
    for (samples, anisotropy) in [(1, 2), (4, 16), (16, 8)] {
        let world = World { anisotropy, ..hard_world(samples) };
        let plain = world.shade(on(Level::Scalar), 1);
        let off = World { anisotropy: 1, ..world.clone() }.shade(on(Level::Scalar), 1);
        let changed = plain.iter().zip(&off).filter(|(a, b)| a.color != b.color).count();
        assert!(changed * 3 > plain.len(), "{changed} of {} points have rows", plain.len());
        for level in levels() {
            for tile in [4, 31, 64] {
                let lit = world.shade(RasterOptions { tile, ..on(level) }, 1);
                let difference = first_difference(&plain, &lit);
                assert_eq!(difference, None, "{level:?}, {samples} samples, tile {tile}");
            }
        }
    }
}

#[test]
fn bytes_with_rows_do_not_depend_on_tiles_threads_or_level() {
    for (samples, anisotropy) in [(1, 16), (4, 4)] {
        let world = World { anisotropy, ..busy_world(samples) };
        let first = world.draw_with(on(Level::Scalar), 1).0;
        for level in Level::available() {
            for (threads, tile) in [(1, 8), (2, 32), (3, 17), (8, 64)] {
                let frame = world.draw_with(RasterOptions { tile, ..on(level) }, threads).0;
                assert!(frame == first, "{level:?}, {threads} threads, tile {tile}");
            }
        }
    }
}

#[test]
fn picture_without_slanted_or_shrunk_textures_is_the_same_with_rows() {
    let mut world = wall_world(4);
    world.ambient = LinearRgb::WHITE;
    world.images = vec![(picture(16, 16, 5, |_, _| 255), TextureKind::OpaqueColor)];
    world.materials = vec![Material { diffuse: Some(0), ..Material::new("wall") }];
    world.pieces = vec![wall(1.0, 0)];
    let rows = World { anisotropy: 16, ..world.clone() };
    assert!(rows.draw(32, 1) == world.draw(32, 1));
}

/// A chequered floor up to the horizon, seen by an eye that has moved `forward`; `roll` rotates the
/// picture.
fn floor(forward: f32, roll: f32, anisotropy: u32) -> World {
    let eye = Vec3::new(0.17, 0.9, 30.0 - forward);
    let mut world = World::empty([96, 54], 16, eye, Vec3::ZERO);
    let up = Vec3::new(roll, 1.0, 0.0);
    let target = eye - Vec3::Z * 4.0 - Vec3::Y * 0.6;
    world.camera = Camera::looking_at(eye, target, up, FovAxis::Vertical(0.8), 0.05, f32::INFINITY);
    world.anisotropy = anisotropy;
    world.ambient = LinearRgb::WHITE;
    let squares = |index: u32| {
        let (x, y) = (index % 64, index / 64);
        if (x / 16 + y / 16) % 2 == 0 { [230, 220, 200, 255] } else { [40, 50, 80, 255] }
    };
    let image = Image { width: 64, height: 64, rgba: (0..64 * 64).map(squares).collect() };
    world.images = vec![(image, TextureKind::OpaqueColor)];
    world.materials =
        vec![Material { diffuse: Some(0), specular_strength: 0.0, ..Material::new("floor") }];
    let corner = Vec3::new(-60.0, 0.0, -60.0);
    world.pieces = vec![quad(corner, Vec3::X * 120.0, Vec3::Z * 120.0, 60.0, 0)];
    world
}

/// A picture in `f64` codes that are not rounded: each channel of each pixel.
type Codes = Vec<f64>;

fn codes(frame: &Frame) -> Codes {
    frame.rgba.iter().flat_map(|pixel| pixel[..3].iter().map(|&code| f64::from(code))).collect()
}

/// The same picture as the mean of 16 x 16 pixels for each one, in linear light.
fn supersampled(world: &World) -> Codes {
    const GRID: u32 = 16;
    let [width, height] = world.size;
    let fine =
        World { size: [width * GRID, height * GRID], samples: 1, anisotropy: 1, ..world.clone() };
    let frame = fine.draw(64, 2);
    let mut sums = vec![0.0; (width * height * 3) as usize];
    for (index, pixel) in (0_u32..).zip(&frame.rgba) {
        let (x, y) = (index % fine.size[0] / GRID, index / fine.size[0] / GRID);
        for (channel, &code) in pixel[..3].iter().enumerate() {
            sums[(y * width + x) as usize * 3 + channel] += srgb::linear_from_code(code);
        }
    }
    let mean = |sum: &f64| 255.0 * texture::encoded(sum / f64::from(GRID * GRID));
    sums.iter().map(mean).collect()
}

fn mean_difference(a: &Codes, b: &Codes) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / a.len() as f64
}

#[test]
fn floor_comes_nearer_to_the_supersampled_one_with_anisotropy() {
    // The part of the difference that 16 probes may leave, most of it near the eye, where texels
    // are as large as pixels and a filter of four texels is not the mean over a pixel. An ellipse
    // is not a square either; this matters less the more the floor is rotated.
    for (roll, left) in [(0.0, 0.3), (0.6, 0.55), (1.4, 0.65)] {
        let best = supersampled(&floor(0.0, roll, 1));
        let off = [1, 2, 4, 8, 16]
            .map(|most| mean_difference(&codes(&floor(0.0, roll, most).draw(32, 1)), &best));
        println!("roll {roll}: {off:?}");
        assert!(off[0] > 2.0, "trilinear filtering blurs: {off:?}");
        assert!(off[1] < off[0] && off[2] < off[1] && off[3] < off[2], "roll {roll}: {off:?}");
        assert!(off[4] < off[3] * 1.02 && off[4] < off[0] * left, "roll {roll}: {off:?}");
    }

    // Toward the horizon, which is in row 17.
    let band = |codes: Codes| codes[18 * 96 * 3..27 * 96 * 3].to_vec();
    let best = band(supersampled(&floor(0.0, 0.0, 1)));
    let off = [1, 16]
        .map(|most| mean_difference(&band(codes(&floor(0.0, 0.0, most).draw(32, 1))), &best));
    println!("toward the horizon: {off:?}");
    assert!(off[1] < off[0] * 0.4, "{off:?}");
}

#[test]
fn floor_does_not_shimmer_for_its_sharpness() {
    const STEPS: [f32; 6] = [0.0, 0.07, 0.14, 0.21, 0.28, 0.35];
    for roll in [0.0, 0.6] {
        let changes = |pictures: &[Codes]| -> Codes {
            let pairs = pictures.windows(2);
            pairs.flat_map(|two| two[1].iter().zip(&two[0]).map(|(a, b)| a - b)).collect()
        };
        let asked = changes(&STEPS.map(|forward| supersampled(&floor(forward, roll, 1))));
        let still = vec![0.0; asked.len()];
        let [plain, rows] = [1, 16].map(|most| {
            changes(&STEPS.map(|forward| codes(&floor(forward, roll, most).draw(32, 1))))
        });
        // Changes from picture to picture that the scene does not call for.
        let shimmer = [&plain, &rows].map(|drawn| mean_difference(drawn, &asked));
        // Every change is at most that of the supersampled pictures, which cannot alias.
        let motion = [&plain, &rows, &asked].map(|drawn| mean_difference(drawn, &still));
        println!("roll {roll}: shimmer {shimmer:?}, motion {motion:?}");
        assert!(shimmer[1] < shimmer[0] * 0.65, "roll {roll}: {shimmer:?}");
        assert!(motion[1] < motion[2] * 1.03, "roll {roll}: {motion:?}");
        assert!(motion[1] > motion[0], "roll {roll}: {motion:?}");
    }
}
