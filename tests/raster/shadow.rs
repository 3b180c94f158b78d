//! Shadows against rays in `f64`, and what they must not do: speckle, leak, crawl, or depend on the
//! machine.

use crate::held::Held;
use crate::world::{Corner, Piece, Random, World, piece, quad};
use crate::worlds::{levels, shaded_world, shadow_over, sun};
use tintype_model::frame::Frame;
use tintype_model::math::Vec3;
use tintype_model::simd::Level;
use tintype_model::{Camera, CullMode, FovAxis, LinearRgb, Material, Orientation};
use tintype_raster::Background;
use tintype_raster::{Floor, RasterOptions, ShadedFragment};

/// The light of the tests: from above, from the side.
fn to_light() -> Vec3 {
    Vec3::new(0.45, 0.8, 0.3).normalize()
}

fn matt() -> Material {
    Material { specular_strength: 0.0, cull: CullMode::None, ..Material::new("matt") }
}

/// A white sheet at height 0 that casts no shadow.
fn sheet(half: f32) -> Piece {
    let corner = Vec3::new(-half, 0.0, -half);
    let sheet = quad(corner, Vec3::X * (2.0 * half), Vec3::Z * (2.0 * half), 1.0, 0);
    Piece { casts: false, ..sheet }
}

/// A sphere of facets with the normals of a round one.
fn sphere(centre: Vec3, radius: f32, around: u32, along: u32) -> Piece {
    let mut corners = Vec::new();
    for ring in 0..=along {
        let theta = f64::from(ring) / f64::from(along) * core::f64::consts::PI;
        for side in 0..=around {
            let phi = f64::from(side % around) / f64::from(around) * core::f64::consts::TAU;
            let normal = Vec3::new(
                (libm::sin(theta) * libm::cos(phi)) as f32,
                libm::cos(theta) as f32,
                (libm::sin(theta) * libm::sin(phi)) as f32,
            );
            corners.push(Corner {
                position: centre + normal * radius,
                normal,
                tangent: Vec3::X,
                uv: Default::default(),
            });
        }
    }
    let mut triangles = Vec::new();
    for ring in 0..along {
        for side in 0..around {
            let at = ring * (around + 1) + side;
            let below = at + around + 1;
            triangles.push([at, at + 1, below + 1]);
            triangles.push([at, below + 1, below]);
        }
    }
    piece(&corners, triangles, 0)
}

fn lit_world(size: [u32; 2], eye: Vec3, target: Vec3) -> World {
    let mut world = World::empty(size, 1, eye, target);
    world.lights = vec![sun(to_light())];
    world.materials = vec![matt()];
    world
}

fn triangle_of(piece: &Piece, index: usize) -> [[f64; 3]; 3] {
    piece.mesh.triangles[index]
        .map(|vertex| piece.posed.position_at(vertex as usize).to_array().map(f64::from))
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Distance at which a ray meets a triangle, in lengths of its direction (Möller and Trumbore
/// 1997).
fn meet(from: [f64; 3], along: [f64; 3], [a, b, c]: [[f64; 3]; 3]) -> Option<f64> {
    let (ab, ac) = (sub(b, a), sub(c, a));
    let p = cross(along, ac);
    let determinant = dot(ab, p);
    if determinant.abs() < 1e-12 {
        return None;
    }
    let offset = sub(from, a);
    let u = dot(offset, p) / determinant;
    let q = cross(offset, ab);
    let v = dot(along, q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0).then(|| dot(ac, q) / determinant)
}

/// The position in the triangle of a pixel, at the centre of the pixel.
fn place_of(world: &World, lit: &ShadedFragment) -> [f64; 3] {
    let camera: &Camera = &world.camera;
    let FovAxis::Vertical(angle) = camera.fov else { panic!("a vertical field of view") };
    let [width, height] = world.size.map(f64::from);
    let up = libm::tan(f64::from(angle) * 0.5);
    let x = (f64::from(lit.seen.pixel[0]) + 0.5) / width * 2.0 - 1.0;
    let y = 1.0 - (f64::from(lit.seen.pixel[1]) + 0.5) / height * 2.0;
    let axes = camera.world_from_view;
    let [right, above, back] =
        [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| axis.to_array().map(f64::from));
    let ray: [f64; 3] =
        core::array::from_fn(|k| right[k] * x * up * width / height + above[k] * y * up - back[k]);
    let eye = camera.eye.to_array().map(f64::from);
    let triangle = triangle_of(&world.pieces[lit.seen.draw as usize], lit.seen.triangle as usize);
    let far = meet_plane(eye, ray, triangle);
    core::array::from_fn(|k| eye[k] + ray[k] * far)
}

fn meet_plane(from: [f64; 3], along: [f64; 3], [a, b, c]: [[f64; 3]; 3]) -> f64 {
    let normal = cross(sub(b, a), sub(c, a));
    dot(sub(a, from), normal) / dot(along, normal)
}

/// The minimum half width of an edge of a shadow around a point, beside that of the map: a pixel
/// and a quarter, more on a slant and in the corners of the square window.
fn edge_of_pixel(world: &World, place: [f64; 3], normal: [f64; 3]) -> f64 {
    let eye = world.camera.eye.to_array().map(f64::from);
    let offset = sub(eye, place);
    let distance = dot(offset, offset).sqrt();
    let cosine = (dot(offset, normal) / distance / dot(normal, normal).sqrt()).abs();
    let FovAxis::Vertical(angle) = world.camera.fov else { return 0.0 };
    let pixel = 2.0 * libm::tan(f64::from(angle) * 0.5) / f64::from(world.size[1]);
    distance * pixel * 1.25 * core::f64::consts::SQRT_2 / cosine.at_least(0.08).sqrt()
}

#[test]
fn hard_shadows_are_where_rays_say() {
    // 1. Three hundred triangles over a sheet, all of which cast and receive shadows.
    let mut world = lit_world([440, 360], Vec3::new(-1.5, 4.5, 4.0), Vec3::new(0.0, 0.3, 0.0));
    world.pieces.push(sheet(4.0));
    let mut random = Random(20);
    for _ in 0..300 {
        let mut near = |half: f32| random.real(-half, half);
        let middle = Vec3::new(near(1.6), 1.0 + near(0.9), near(1.6));
        let [a, b, c] = [0, 1, 2].map(|_| middle + Vec3::new(near(0.4), near(0.4), near(0.4)));
        let normal = (b - a).cross(c - a).normalize();
        let corner =
            |position| Corner { position, normal, tangent: Vec3::X, uv: Default::default() };
        world.pieces.push(piece(&[corner(a), corner(b), corner(c)], vec![[0, 1, 2]], 0));
    }
    let shadow = shadow_over(&[&world], 2048, 0.0);
    world.shadows = vec![shadow];
    let light = to_light().to_array().map(f64::from);
    let triangles: Vec<[[f64; 3]; 3]> =
        world.pieces.iter().skip(1).map(|piece| triangle_of(piece, 0)).collect();

    // 2. Points whose surroundings, six texels and two edges wide, are all lit or all dark.
    let (mut bright, mut dark, mut wrong) = (0, 0, Vec::new());
    for lit in world.shade(RasterOptions::default(), 1) {
        let place = place_of(&world, &lit);
        let own = lit.seen.draw as usize;
        let corners = triangle_of(&world.pieces[own], lit.seen.triangle as usize);
        let normal = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]));
        let mut facing = dot(normal, light) / dot(normal, normal).sqrt();
        let eye = world.camera.eye.to_array().map(f64::from);
        if dot(normal, sub(eye, place)) < 0.0 {
            facing = -facing;
        }
        // Turned away is dark without any shadow; grazing light is a matter of bias.
        if facing < 0.25 {
            continue;
        }
        // The window itself is wide, and shifted by about as much so that surfaces do not shade
        // themselves.
        let wide = f64::from(shadow.texel) * 6.0 + 2.0 * edge_of_pixel(&world, place, normal);
        let is_hidden = |dx: f64, dz: f64| {
            // Beside the point, on its plane.
            let near = [place[0] + dx * wide / facing, place[1], place[2] + dz * wide / facing];
            let from =
                core::array::from_fn(|k| near[k] + light[k] * meet_plane(near, light, corners));
            let others = triangles.iter().enumerate().filter(|(index, _)| index + 1 != own);
            others.filter_map(|(_, &triangle)| meet(from, light, triangle)).fold(0, |hits, far| {
                // A triangle that passes through the point, or nearly, is undecided.
                if far.abs() < wide * 3.0 {
                    2
                } else if far > 0.0 {
                    hits.max(1)
                } else {
                    hits
                }
            })
        };
        // Checks that all probes agree, and on which side.
        let probed = |angles: u32, radii: u32| {
            let mut seen = [false; 3];
            for step in 0..angles {
                let angle = f64::from(step) / f64::from(angles) * core::f64::consts::TAU;
                for radius in (1..=radii).map(|ring| f64::from(ring) / f64::from(radii)) {
                    let hidden = is_hidden(libm::cos(angle) * radius, libm::sin(angle) * radius);
                    seen[hidden] = true;
                }
            }
            match seen {
                [true, false, false] => Some(facing * f64::from(0.8_f32)),
                [false, true, false] => Some(0.0),
                _ => None,
            }
        };
        let Some(expected) = probed(16, 4) else { continue };
        if expected > 0.0 {
            bright += 1
        } else {
            dark += 1
        }
        // Slivers and slits between the probes are looked for where something is wrong.
        if (f64::from(lit.color[0]) - expected).abs() > 2e-3 && probed(64, 16).is_some() {
            wrong.push((lit.seen, lit.color[0], expected));
        }
    }
    assert!(bright > 5_000 && dark > 1_500, "{bright} bright, {dark} dark");
    // Slivers between all probes are left: one point of twenty thousand, by a step or two of the
    // weights of the window.
    let worst = wrong.iter().map(|(_, found, expected)| (f64::from(*found) - expected).abs());
    let worst = worst.fold(0.0, f64::at_least);
    assert!(
        wrong.len() * 20_000 <= bright + dark && worst < 0.01,
        "{} of {}: {:?}",
        wrong.len(),
        bright + dark,
        &wrong[..wrong.len().min(5)]
    );
}

#[test]
fn convex_things_alone_are_lit_as_without_shadows() {
    for (around, along, spread) in
        [(96, 48, 0.0), (96, 48, 0.05), (14, 8, 0.0), (14, 8, 0.05), (14, 8, 0.25)]
    {
        let mut world = lit_world([160, 160], Vec3::new(1.0, 1.6, 2.6), Vec3::ZERO);
        world.pieces.push(sphere(Vec3::ZERO, 1.0, around, along));
        let plain = world.shade(RasterOptions::default(), 1);
        world.shadows = vec![shadow_over(&[&world], 1024, spread)];
        let shaded = world.shade(RasterOptions::default(), 1);
        let (mut compared, mut total) = (0, 0);
        for (plain, shaded) in plain.iter().zip(&shaded) {
            let facing = plain.color[0] / 0.8;
            total += 1;
            // Near the terminator facets turn away before the round surface does.
            if facing > 0.2 {
                compared += 1;
                assert_eq!(plain.color, shaded.color, "{around}, {spread}: facing {facing}");
            } else {
                assert!(shaded.color[0] <= plain.color[0]);
            }
        }
        assert!(compared * 3 > total, "{compared} of {total}");
    }
}

#[test]
fn planes_have_no_speckles_however_slanted() {
    for degrees in [0, 20, 45, 60, 70, 78] {
        for (spread, size) in [(0.0, 256), (0.03, 1024), (0.2, 512)] {
            let slant = f64::from(degrees) / 180.0 * core::f64::consts::PI;
            let light = Vec3::new(libm::sin(slant) as f32, libm::cos(slant) as f32, 0.0);
            let mut world = lit_world([120, 90], Vec3::new(0.5, 3.0, 2.0), Vec3::ZERO);
            world.lights = vec![sun(light)];
            world.pieces.push(Piece { casts: true, ..sheet(1.5) });
            // Something to look for over the plane, far from it.
            world.pieces.push(quad(Vec3::new(20.0, 3.0, 9.0), Vec3::X, Vec3::Z, 1.0, 0));
            let plain = world.draw(32, 1);
            world.shadows = vec![shadow_over(&[&world], size, spread)];
            assert!(world.draw(32, 1) == plain, "{degrees}°, spread {spread}, size {size}");
        }
    }
}

#[test]
fn shadows_reach_the_foot_of_what_casts_them() {
    // A thin wall across the light, and the surfaces behind it.
    let mut world = lit_world([240, 160], Vec3::new(0.0, 3.6, 1.4), Vec3::new(0.0, 0.0, 0.0));
    world.lights = vec![sun(Vec3::new(0.8, 0.6, 0.0))];
    world.pieces.push(sheet(3.0));
    let foot = Vec3::new(0.0, 0.0, -1.5);
    world.pieces.push(quad(foot, Vec3::Z * 3.0, Vec3::Y, 1.0, 0));
    for (spread, size) in [(0.0, 512), (0.026, 1024), (0.08, 1024)] {
        let shadow = shadow_over(&[&world], size, spread);
        world.shadows = vec![shadow];
        let (mut dark, mut lit_before) = (0, 0);
        for lit in world.shade(RasterOptions::default(), 1) {
            let [x, _, z] = place_of(&world, &lit);
            if lit.seen.draw != 0 || z.abs() > 1.0 {
                continue;
            }
            // No light inside the shadow from three texels and an edge behind the wall on; none is
            // lost from the same distance in front of it on.
            let edge = edge_of_pixel(&world, [x, 0.0, z], [0.0, 1.0, 0.0]) / 0.6;
            let near = 3.0 * f64::from(shadow.texel) + edge;
            if x < -near && x > -0.9 {
                dark += 1;
                assert_eq!(lit.color[0], 0.0, "{spread}: {x} behind the wall");
            } else if x > near {
                lit_before += 1;
                let whole = 0.8 * 0.6;
                assert!((lit.color[0] - whole).abs() < 1e-6, "{spread}: {x} before the wall");
            }
        }
        assert!(dark > 500 && lit_before > 300, "{dark}, {lit_before}");
    }
}

/// The fraction of differing pixels in a region, and the mean difference in codes.
fn difference(a: &Frame, b: &Frame) -> f64 {
    let pairs = a.rgba.iter().flatten().zip(b.rgba.iter().flatten());
    pairs.map(|(&a, &b)| f64::from(a.abs_diff(b))).sum::<f64>() / a.rgba.len() as f64 / 3.0
}

fn turned(piece: &Piece, angle_deg: f64, offset: Vec3) -> Piece {
    let angle = angle_deg / 180.0 * core::f64::consts::PI;
    let (sin, cos) = (libm::sin(angle) as f32, libm::cos(angle) as f32);
    let mut turned = piece.clone();
    for axes in [&mut turned.posed.position, &mut turned.posed.normal] {
        let [x, _, z] = axes;
        for (x, z) in x.iter_mut().zip(z) {
            (*x, *z) = (*x * cos + *z * sin, *z * cos - *x * sin);
        }
    }
    for (axis, offset) in turned.posed.position.iter_mut().zip(offset.to_array()) {
        axis.iter_mut().for_each(|value| *value += offset);
    }
    turned
}

#[test]
fn shadow_of_what_stands_still_has_the_same_bytes_whoever_walks_by() {
    let still = sphere(Vec3::new(0.0, 0.5, 0.0), 0.4, 40, 20);
    let walker = sphere(Vec3::ZERO, 0.2, 20, 10);
    let world_at = |x: f32| {
        let mut world = lit_world([140, 100], Vec3::new(0.0, 2.2, 2.2), Vec3::ZERO);
        world.pieces.push(sheet(2.0));
        world.pieces.push(still.clone());
        let far = Vec3::new(x, 0.9, -8.0);
        world.pieces.push(turned(&walker, 0.0, far));
        world
    };
    let worlds: Vec<World> = (0..24).map(|step| world_at(-3.0 + 0.237 * step as f32)).collect();
    let shadow = shadow_over(&worlds.iter().collect::<Vec<_>>(), 1024, 0.03);
    let frames: Vec<Frame> = worlds
        .into_iter()
        .map(|mut world| {
            world.shadows = vec![shadow];
            world.draw(32, 1)
        })
        .collect();
    for frame in &frames {
        assert!(*frame == frames[0]);
    }
}

#[test]
fn shadow_of_what_turns_changes_evenly() {
    // A bar that turns, as a figure on a turntable: no frame differs from its neighbour by much
    // more than others do.
    let bar = quad(Vec3::new(-0.7, 0.2, 0.0), Vec3::X * 1.4, Vec3::Y * 1.1, 1.0, 0);
    let world_at = |angle_deg: f64| {
        let mut world = lit_world([160, 120], Vec3::new(0.0, 3.4, 1.6), Vec3::ZERO);
        world.pieces.push(sheet(2.5));
        world.pieces.push(turned(&bar, angle_deg, Vec3::ZERO));
        world
    };
    let worlds: Vec<World> = (0..40).map(|step| world_at(f64::from(step) * 0.5)).collect();
    let shadow = shadow_over(&worlds.iter().collect::<Vec<_>>(), 1024, 0.05);
    let of_frame = |mut world: World| {
        world.pieces.iter_mut().for_each(|piece| piece.casts &= piece.mesh.triangles.len() == 2);
        world.shadows = vec![shadow];
        // The bar itself is not compared: only its shadow.
        let lit = world.shade(RasterOptions::default(), 1);
        let mut frame = Frame::new(160, 120);
        for point in lit.iter().filter(|point| point.seen.draw == 0) {
            let [x, y] = point.seen.pixel;
            let code = (point.color[0] * 255.0) as u8;
            frame.rgba[(y * 160 + x) as usize] = [code; 4];
        }
        frame
    };
    let frames: Vec<Frame> = worlds.into_iter().map(of_frame).collect();
    let steps: Vec<f64> = frames.windows(2).map(|pair| difference(&pair[0], &pair[1])).collect();
    let mean = steps.iter().sum::<f64>() / steps.len() as f64;
    let most = steps.iter().copied().fold(0.0, Held::at_least);
    assert!(mean > 0.05 && mean < 1.5, "{mean}");
    assert!(most < 1.6 * mean, "{most} of {mean}: {steps:?}");
}

#[test]
fn shadows_of_every_level_have_the_bits_of_plain_code() {
    let on = |level: Level| RasterOptions { level, ..RasterOptions::default() };
    for samples in [1, 4] {
        let world = shaded_world(samples);
        let plain = world.shade(on(Level::Scalar), 1);
        let unshaded = World { shadows: Vec::new(), ..world.clone() }.shade(on(Level::Scalar), 1);
        let changed = plain.iter().zip(&unshaded).filter(|(a, b)| a.color != b.color).count();
        assert!(changed > 500, "something is in shadow: {changed} of {}", plain.len());
        for level in levels() {
            for tile in [4, 31, 64] {
                let lit = world.shade(RasterOptions { tile, ..on(level) }, 1);
                let bits = |point: &ShadedFragment| (point.seen, point.color.map(f32::to_bits));
                let differing = plain.iter().zip(&lit).find(|(a, b)| bits(a) != bits(b));
                assert!(
                    plain.len() == lit.len() && differing.is_none(),
                    "{level:?}: {differing:?}"
                );
            }
        }
    }
}

#[test]
fn bytes_with_shadows_depend_on_the_view_alone() {
    for samples in [1, 4, 16] {
        for color in [None, Some(LinearRgb::new(0.5, 0.4, 0.3))] {
            let mut world = shaded_world(samples);
            world.ground = world.ground.map(|floor| Floor { color, ..floor });
            let plain = RasterOptions { level: Level::Scalar, ..RasterOptions::default() };
            let (first, counts) = world.draw_with(plain, 1);
            for level in levels().into_iter().chain([Level::Scalar]) {
                for (threads, tile) in [(1, 4), (2, 32), (3, 17), (8, 64)] {
                    let cut = RasterOptions { tile, level };
                    let (frame, told) = world.draw_with(cut, threads);
                    assert_eq!(told.covered_pixels, counts.covered_pixels);
                    assert!(frame == first, "{level:?}, {samples} samples, {threads}, {tile}");
                }
            }
        }
    }
}

/// A ball over a ground that is seen alone.
fn over_ground(color: Option<LinearRgb>, eye: Vec3) -> World {
    let mut world = lit_world([160, 120], eye, Vec3::new(0.0, 0.4, 0.0));
    world.pieces.push(sphere(Vec3::new(0.0, 0.42, 0.0), 0.4, 40, 20));
    world.shadows = vec![shadow_over(&[&world], 512, 0.05)];
    world.ground = Some(Floor {
        center: Vec3::ZERO,
        radius: 1.4,
        color,
        edge: 0.0,
        contact: 0.8,
        reach: 0.5,
        width: 0.8,
        height: 0.82,
    });
    world
}

#[test]
fn ground_is_a_shadow_that_fades_and_hides_nothing() {
    let eye = Vec3::new(0.0, 1.5, 4.5);
    let world = over_ground(None, eye);
    let (frame, counts) = world.draw_with(RasterOptions::default(), 1);
    let (bare, bare_counts) =
        World { ground: None, ..world.clone() }.draw_with(RasterOptions::default(), 1);
    assert_eq!(counts.covered_pixels, bare_counts.covered_pixels);
    let mut shades = std::collections::BTreeSet::new();
    for (with, without) in frame.rgba.iter().zip(&bare.rgba) {
        if without[3] == 255 {
            assert_eq!(with, without, "the ground is behind everything");
        } else {
            assert_eq!(with[..3], [0, 0, 0], "black, whatever its alpha");
            shades.insert(with[3]);
        }
    }
    assert!(shades.len() > 60 && shades.contains(&0), "soft: {} shades", shades.len());
    assert!(shades.iter().any(|&shade| shade > 150), "dark where the ball stands: {shades:?}");
    let [width, height] = world.size;
    let border = (0..width).flat_map(|x| [(x, 0), (x, height - 1)]);
    let border = border.chain((0..height).flat_map(|y| [(0, y), (width - 1, y)]));
    for (x, y) in border {
        assert_eq!(frame.pixel(x, y)[3], 0, "nothing is cut at the edge: {x} {y}");
    }
}

#[test]
fn closed_meshes_cast_by_their_outer_side_alone() {
    let world = over_ground(None, Vec3::new(0.0, 1.5, 4.5));
    let outer = world.draw(32, 1);
    let closed = |turns_inside_out: bool| {
        let mut world = world.clone();
        for piece in &mut world.pieces {
            piece.mesh.closed = Some(Orientation::Outward);
            if turns_inside_out {
                piece.mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
            }
        }
        world
    };
    // Both depth maps of the contact shadow and that of the light; no level may mix up the sides.
    let on_ground = |frame: &Frame| -> Vec<[u8; 4]> {
        let pixels = frame.rgba.iter().zip(&outer.rgba);
        pixels.filter(|(_, outer)| outer[3] != 255).map(|(pixel, _)| *pixel).collect()
    };
    for level in Level::available() {
        let options = RasterOptions { level, ..Default::default() };
        let draw = |turns_inside_out| closed(turns_inside_out).draw_with(options, 1).0;
        assert!(draw(false) == outer, "{level:?}: the outer side is what the light meets first");
        assert!(on_ground(&draw(true)) != on_ground(&outer), "{level:?}: the inner side is not");
    }
}

#[test]
fn ground_is_seen_from_above_only() {
    let world = over_ground(None, Vec3::new(0.0, -1.0, 4.0));
    let bare = World { ground: None, ..world.clone() };
    assert!(world.draw(32, 1) == bare.draw(32, 1));
}

#[test]
fn ground_with_a_colour_is_lit_and_fades_into_the_background() {
    let sky = LinearRgb::new(0.1, 0.2, 0.3);
    let mut world = over_ground(Some(LinearRgb::WHITE), Vec3::new(0.0, 2.5, 3.5));
    world.background = Background::Gradient { top: sky, bottom: sky };
    let frame = world.draw(32, 1);
    let bare = World { ground: None, shadows: Vec::new(), ..world.clone() }.draw(32, 1);
    assert_eq!(frame.pixel(0, 0), bare.pixel(0, 0));
    // Before the ball, on the side of the sun.
    let (before, behind) = (frame.pixel(100, 90), bare.pixel(100, 90));
    assert!(before[0] > behind[0].saturating_add(40), "the sun is on it: {before:?} {behind:?}");
    assert!(frame.rgba.iter().all(|pixel| pixel[3] == 255));
}

#[test]
fn holes_of_a_mask_let_the_light_through() {
    use tintype_model::{AlphaMode, Image, TextureKind};
    let mut world = lit_world([160, 120], Vec3::new(0.0, 3.0, 2.0), Vec3::ZERO);
    world.lights = vec![sun(Vec3::Y)];
    // Left half solid, right half a hole.
    let rgba: Vec<[u8; 4]> =
        (0..64).map(|index| [255, 255, 255, if index % 8 < 4 { 255 } else { 0 }]).collect();
    world.images = vec![(Image { width: 8, height: 8, rgba }, TextureKind::AlphaColor)];
    let shown = |alpha| Material { diffuse: Some(0), alpha, ..matt() };
    let modes = [AlphaMode::Mask { cutoff: 0.5 }, AlphaMode::Blend, AlphaMode::Opaque];
    for (mode, expected) in modes.into_iter().zip([[0.0, 0.8], [0.0, 0.8], [0.0, 0.0]]) {
        let mut world = world.clone();
        world.materials.push(shown(mode));
        world.pieces.push(sheet(2.0));
        let leaf = quad(Vec3::new(-1.0, 0.8, -0.5), Vec3::X * 2.0, Vec3::Z, 1.0, 1);
        world.pieces.push(leaf);
        world.shadows = vec![shadow_over(&[&world], 512, 0.0)];
        let mut counted = [0; 2];
        for lit in world.shade(RasterOptions::default(), 1) {
            let [x, _, z] = place_of(&world, &lit);
            // The middles of the two halves, away from their edges.
            if lit.seen.draw != 0 || z.abs() > 0.3 || !(0.25..0.75).contains(&x.abs()) {
                continue;
            }
            let side = usize::from(x > 0.0);
            counted[side] += 1;
            assert!(
                (lit.color[0] - expected[side]).abs() < 1e-6,
                "{mode:?} at {x}: {:?}",
                lit.color
            );
        }
        assert!(counted[0].min(counted[1]) > 20, "{mode:?}: {counted:?}");
    }
}
