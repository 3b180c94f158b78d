//! Channels against rays that are cast in `f64` through the centres of pixels; an analytic sphere;
//! threads, tiles and levels.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a test stops at the first surprise, and makes numbers of known size"
)]

use crate::shipped::root;
use crate::support::trial;
use libtest_mimic::Failed;
use tintype_base::deadline::Deadline;
use tintype_formats::LoadOptions;
use tintype_model::simd::Level;
use tintype_model::{AlphaMode, Camera, CullMode};
use tintype_raster::RasterOptions;
use tintype_render::aov::{Channel, Plane, channels, following, legend};
use tintype_render::{Renderer, Staged, asset};
use tintype_scene::{FrameNumber, parse_scene};

type Point = [f64; 3];

const SIZE: [u32; 2] = [320, 240];

fn sub(a: Point, b: Point) -> Point {
    core::array::from_fn(|k| a[k] - b[k])
}

fn dot(a: Point, b: Point) -> f64 {
    a.into_iter().zip(b).map(|(a, b)| a * b).sum()
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

fn wide(a: tintype_model::math::Vec3) -> Point {
    a.to_array().map(f64::from)
}

/// Degrees between two directions.
fn angle(a: Point, b: Point) -> f64 {
    libm::atan2(length(cross(a, b)), dot(a, b)).to_degrees()
}

/// A triangle in the world, with its numbers from 0.
struct Face {
    corners: [Point; 3],
    normals: [Point; 3],
    instance: usize,
    mesh: usize,
    material: usize,
    triangle: usize,
    is_solid: bool,
    /// Culling of its back and its front.
    culls: [bool; 2],
}

fn faces(renderer: &Renderer, staged: &Staged) -> Vec<Face> {
    let (scene, assets) = (renderer.scene(), renderer.assets());
    let mut found = Vec::new();
    for (number, (instance, own)) in scene.instances.iter().zip(&staged.instances).enumerate() {
        let before = assets.models[..instance.model].iter();
        let before: usize = before.map(|loaded| loaded.model.meshes.len()).sum();
        for (index, mesh) in assets.models[instance.model].model.meshes.iter().enumerate() {
            let material = assets.instances[number].mesh_materials[index];
            let made = &assets.materials[material];
            let culls = match made.cull {
                CullMode::Auto => [mesh.is_closed_outward() || mesh.is_outline_hull, false],
                CullMode::Back => [true, false],
                CullMode::Front => [false, true],
                CullMode::None => [false, false],
            };
            let mesh = own.shown(index, mesh);
            for (triangle, corners) in own.triangles(index, mesh).iter().enumerate() {
                let of = corners.map(|corner| corner as usize);
                let posed = &own.meshes[index];
                found.push(Face {
                    corners: of.map(|vertex| wide(posed.position_at(vertex))),
                    normals: of.map(|vertex| wide(posed.normal_at(vertex))),
                    instance: number,
                    mesh: before + index,
                    material,
                    triangle,
                    is_solid: made.alpha == AlphaMode::Opaque,
                    culls,
                });
            }
        }
    }
    found
}

/// Start and direction of the ray through a point of the picture; its length along the view axis is
/// 1.
fn ray(camera: &Camera, [x, y]: [f64; 2]) -> (Point, Point) {
    let [width, height] = SIZE.map(f64::from);
    let (half_x, half_y) = camera.half_tangents((width / height) as f32);
    let [right, up, back] = [0, 1, 2].map(|axis| wide(camera.world_from_view.col(axis)));
    let across = (2.0 * x / width - 1.0) * f64::from(half_x);
    let upward = (1.0 - 2.0 * y / height) * f64::from(half_y);
    let offset: Point = core::array::from_fn(|k| right[k] * across + up[k] * upward);
    let eye = wide(camera.eye);
    if camera.is_orthographic() {
        return (core::array::from_fn(|k| eye[k] + offset[k]), back.map(|value| -value));
    }
    (eye, core::array::from_fn(|k| offset[k] - back[k]))
}

/// The hit of a ray on a triangle: the distance along the ray, and the barycentric coordinates.
fn meet(face: &Face, (start, way): (Point, Point)) -> Option<(f64, [f64; 3])> {
    let [a, b, c] = face.corners;
    let (u, v) = (sub(b, a), sub(c, a));
    let across = cross(way, v);
    let volume = dot(u, across);
    if volume == 0.0 || face.culls[usize::from(volume > 0.0)] {
        return None;
    }
    let from = sub(start, a);
    let s = dot(from, across) / volume;
    let over = cross(from, u);
    let t = dot(way, over) / volume;
    let along = dot(v, over) / volume;
    (s >= 0.0 && t >= 0.0 && s + t <= 1.0).then_some((along, [1.0 - s - t, s, t]))
}

/// True if a point of the picture is so close to an edge of a triangle that its corners, which snap
/// to 1/256 pixel, may miss it.
fn is_at_edge(camera: &Camera, face: &Face, at: [f64; 2]) -> bool {
    let corners = face.corners.map(|corner| {
        camera.pixel_of(tintype_model::math::Vec3::from_array(corner.map(|v| v as f32)), SIZE)
    });
    (0..3).any(|k| {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        let way = [to[0] - from[0], to[1] - from[1]];
        let off = [at[0] - from[0], at[1] - from[1]];
        let square = way[0] * way[0] + way[1] * way[1];
        let share = ((off[0] * way[0] + off[1] * way[1]) / square.max(1e-12)).clamp(0.0, 1.0);
        let [x, y] = [off[0] - way[0] * share, off[1] - way[1] * share];
        (x * x + y * y).sqrt() < 1.0 / 128.0
    })
}

struct Found {
    planes: Vec<Plane>,
}

const WANTED: [Channel; 10] = [
    Channel::Depth,
    Channel::Distance,
    Channel::Position,
    Channel::Normal,
    Channel::FaceNormal,
    Channel::Barycentric,
    Channel::Triangle,
    Channel::Instance,
    Channel::Mesh,
    Channel::Material,
];

impl Found {
    fn numbers(&self, index: usize, pixel: usize) -> Point {
        let Plane::Numbers(all) = &self.planes[index] else { panic!("numbers") };
        let width = WANTED[index].width();
        core::array::from_fn(|k| if k < width { f64::from(all[pixel * width + k]) } else { 0.0 })
    }

    fn index(&self, index: usize, pixel: usize) -> usize {
        let Plane::Indices(all) = &self.planes[index] else { panic!("whole numbers") };
        all[pixel] as usize
    }
}

fn scene_renderer(text: &str) -> Result<Renderer, Failed> {
    let mut scene = parse_scene(text, "scene")?;
    scene.output.size = SIZE;
    let assets = asset::load(&scene, &root().join("scenes"), &LoadOptions::default())?;
    Ok(Renderer::new(scene, assets, &Deadline::NEVER)?)
}

/// Compares a pixel with the ray through it. True if it was compared in full, false at an edge or
/// behind a surface that is not solid.
fn compare(
    camera: &Camera,
    faces: &[Face],
    found: &Found,
    [x, y]: [u32; 2],
) -> Result<bool, Failed> {
    let at = [f64::from(x) + 0.5, f64::from(y) + 0.5];
    let (start, way) = ray(camera, at);
    let mut nearest: Option<(f64, [f64; 3], &Face)> = None;
    for face in faces {
        let Some((along, shares)) = meet(face, (start, way)) else { continue };
        if along >= f64::from(camera.near) && nearest.is_none_or(|(least, ..)| along < least) {
            nearest = Some((along, shares, face));
        }
    }
    let pixel = (y * SIZE[0] + x) as usize;
    let ids = [6, 7, 8, 9].map(|index| found.index(index, pixel));
    let is_own = |face: &&Face| {
        [face.triangle, face.instance, face.mesh, face.material].map(|id| id + 1) == ids
    };
    let own = faces.iter().find(is_own);
    if ids != [0; 4] && own.is_none() {
        return Err(format!("({x}, {y}): no triangle has the numbers {ids:?}").into());
    }
    let met = nearest.map(|(.., face)| face);
    if own.into_iter().chain(met).any(|face| !face.is_solid) {
        return Ok(false);
    }
    let depth = found.numbers(0, pixel)[0];
    let is_same = match (own, met) {
        (Some(own), Some(met)) => core::ptr::eq(own, met),
        (None, None) => return Ok(true),
        _ => false,
    };
    if !is_same {
        let ties = nearest.is_some_and(|(along, ..)| (along - depth).abs() <= 2e-6 * along);
        let at_edge = own.into_iter().chain(met).any(|face| is_at_edge(camera, face, at));
        let told = format!("({x}, {y}): {ids:?}, not {:?}", met.map(|f| (f.mesh, f.triangle)));
        return if ties || at_edge { Ok(false) } else { Err(told.into()) };
    }
    let (along, shares, face) = nearest.unwrap();
    let place: Point = core::array::from_fn(|k| start[k] + way[k] * along);
    let distance = length(sub(place, start));
    let off = |name: &str, by: f64, most: f64| -> Result<(), Failed> {
        let message = || format!("({x}, {y}): {name} is off by {by} of {distance}");
        (by <= most).then_some(()).ok_or_else(|| message().into())
    };
    off("depth", (depth - along).abs(), 1e-5 * distance)?;
    off("distance", (found.numbers(1, pixel)[0] - distance).abs(), 1e-5 * distance)?;
    off("position", length(sub(found.numbers(2, pixel), place)), 1e-5 * distance)?;
    let mixed = (0..3).fold([0.0; 3], |sum: Point, k| {
        core::array::from_fn(|axis| sum[axis] + face.normals[k][axis] * shares[k])
    });
    let [a, b, c] = face.corners;
    let flat = cross(sub(b, a), sub(c, a));
    // Turned to the viewer by the side that is seen.
    let turn = if dot(flat, way) > 0.0 { -1.0 } else { 1.0 };
    let turned = |normal: Point| normal.map(|value| value * turn);
    off("normal", angle(found.numbers(3, pixel), turned(mixed)), 0.05)?;
    off("face normal", angle(found.numbers(4, pixel), turned(flat)), 0.05)?;
    Ok(true)
}

/// 2,000 pixels of a picture, spread evenly; nearly all are compared in full.
fn against_rays(text: &str) -> Result<(), Failed> {
    let renderer = scene_renderer(text)?;
    let frame = renderer.scene().output.frames.nth(0).unwrap();
    let staged = renderer.stage(frame)?;
    let planes = channels(&renderer, &staged, None, &WANTED, RasterOptions::default())?;
    let (found, faces) = (Found { planes }, faces(&renderer, &staged));
    let (mut seen, mut left) = (0, 0);
    for k in 0..2_000_u32 {
        // A step without a common divisor with the number of pixels visits each once.
        let pixel = k * 48_611 % (SIZE[0] * SIZE[1]);
        let place = [pixel % SIZE[0], pixel / SIZE[0]];
        let is_seen = found.index(6, pixel as usize) > 0;
        let compared = compare(&staged.camera, &faces, &found, place)?;
        seen += u32::from(is_seen && compared);
        left += u32::from(!compared);
    }
    if seen < 150 || left > seen / 10 {
        return Err(format!("{seen} pixels of surfaces were compared, {left} left out").into());
    }
    Ok(())
}

fn scene_of(file: &str, more: &str) -> String {
    format!(
        "[output]\nframes = \"7\"\n[camera]\nkind = \"orbit\"\ntarget = \"fit\"\nazimuth_deg = 35\n\
         elevation_deg = 20\n{more}\n[[model]]\nfile = \"assets/{file}\"\n"
    )
}

#[trial]
fn channels_of_shipped_models_are_those_of_rays() -> Result<(), Failed> {
    for file in ["ranger.md5mesh", "ranger.glb", "ranger.x", "globe.md5mesh", "scarab.md5mesh"] {
        let told = |error: Failed| format!("{file}: {}", error.message().unwrap_or_default());
        against_rays(&scene_of(file, "")).map_err(told)?;
    }
    against_rays(&scene_of("stand.x", "projection = \"orthographic\""))?;
    Ok(())
}

/// A ball of radius 1 about a point, of squares of 1 degree.
fn ball(at: Point) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for row in 0..=180_u32 {
        for column in 0..360_u32 {
            let [polar, turn] = [row, column].map(|angle| f64::from(angle).to_radians());
            let [x, y, z] = [
                libm::sin(polar) * libm::sin(turn),
                libm::cos(polar),
                libm::sin(polar) * libm::cos(turn),
            ];
            writeln!(text, "v {:.9} {:.9} {:.9}", x + at[0], y + at[1], z + at[2]).unwrap();
        }
    }
    for row in 0..180_u32 {
        for column in 0..360_u32 {
            let corner = |down: u32, over: u32| (row + down) * 360 + (column + over) % 360 + 1;
            let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            writeln!(text, "f {a} {b} {c} {d}").unwrap();
        }
    }
    text
}

#[trial]
fn depth_of_a_ball_is_that_of_arithmetic() -> Result<(), Failed> {
    let folder = tempfile::TempDir::new()?;
    let center = [0.3, -0.2, -5.0];
    std::fs::write(folder.path().join("ball.obj"), ball(center))?;
    let text = format!(
        "[camera]\nkind = \"look-at\"\neye = [0, 0, 0]\ntarget = [0, 0, -5]\nfov_deg = 40\n\
         [[model]]\nfile = \"{}/ball.obj\"\n",
        folder.path().display()
    );
    let renderer = scene_renderer(&text)?;
    let staged = renderer.stage(FrameNumber(0))?;
    let wanted = [Channel::Depth, Channel::Distance, Channel::Normal];
    let planes = channels(&renderer, &staged, None, &wanted, RasterOptions::default())?;
    let [Plane::Numbers(depth), Plane::Numbers(distance), Plane::Numbers(normal)] = &planes[..]
    else {
        return Err("numbers".into());
    };
    let mut seen = 0;
    for (pixel, &depth) in depth.iter().enumerate() {
        let at = [pixel % SIZE[0] as usize, pixel / SIZE[0] as usize].map(|at| at as f64 + 0.5);
        let (_, way) = ray(&staged.camera, at);
        // |way t - center| = 1
        let (a, b) = (dot(way, way), dot(way, center));
        let under = b * b - a * (dot(center, center) - 1.0);
        // Beyond, the squares are seen from their edges.
        if under < 0.3 {
            assert!(under > -0.05 || depth == 0.0, "{pixel}: nothing is there");
            continue;
        }
        let along = (b - under.sqrt()) / a;
        let off = (f64::from(depth) - along).abs() / along;
        assert!(off < 1e-4, "pixel {pixel}: {depth}, not {along}: {off}");
        let ray_length = along * a.sqrt();
        assert!((f64::from(distance[pixel]) - ray_length).abs() < 1e-4 * ray_length, "{pixel}");
        let wanted = sub(way.map(|value| value * along), center);
        let found = core::array::from_fn(|k| f64::from(normal[pixel * 3 + k]));
        assert!(angle(found, wanted) < 0.05, "pixel {pixel}: {found:?}, not {wanted:?}");
        seen += 1;
    }
    assert!(seen > 4000, "{seen}");
    Ok(())
}

#[trial]
fn channels_depend_on_neither_threads_nor_tiles_nor_levels() -> Result<(), Failed> {
    let all = Channel::WORDS.map(|(_, channel)| channel);
    let renderer = scene_renderer(&std::fs::read_to_string(root().join("scenes/parts.toml"))?)?;
    let frame = renderer.scene().output.frames.nth(0).unwrap();
    let draw = |threads: usize, tile: u32, level: Level| -> Result<Vec<Vec<u32>>, Failed> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let cut = RasterOptions { tile, level };
        let staged = renderer.stage_picture(frame, level)?;
        let planes = pool.install(|| channels(&renderer, &staged, None, &all, cut))?;
        let bits = |plane: Plane| match plane {
            Plane::Numbers(all) => all.into_iter().map(f32::to_bits).collect(),
            Plane::Indices(all) => all,
        };
        Ok(planes.into_iter().map(bits).collect())
    };
    let expected = draw(1, 32, Level::Scalar)?;
    for (threads, tile, level) in
        [(2, 17, Level::best()), (3, 64, Level::best()), (8, 4, Level::Scalar)]
    {
        assert!(draw(threads, tile, level)? == expected, "{threads} threads, tiles of {tile}");
    }
    let numbers = |word: &str| {
        let index = Channel::WORDS.iter().position(|(own, _)| *own == word).unwrap();
        &expected[index]
    };
    for word in ["instance", "mesh", "material", "joint"] {
        let most = numbers(word).iter().max().copied().unwrap() as usize;
        let names = legend(&renderer, Channel::parse(word)?);
        assert!(most > 0 && most <= names.len(), "{word}: {most} of {names:?}");
    }
    // The surface at the centre is covered at least in part, or lies between the samples.
    let covered = numbers("coverage").iter().map(|&bits| f32::from_bits(bits));
    let bare = covered.zip(numbers("mesh")).filter(|&(share, &mesh)| share == 1.0 && mesh == 0);
    assert!(bare.count() < 20, "pixels that are covered have a mesh at their centre");
    Ok(())
}

#[trial]
fn motion_is_the_way_to_the_place_on_the_next_picture() -> Result<(), Failed> {
    let renderer = scene_renderer(&std::fs::read_to_string(root().join("scenes/walk.toml"))?)?;
    let frames = &renderer.scene().output.frames;
    let [now, then, last] = [3, 4, frames.len() - 1].map(|at| frames.nth(at).unwrap());
    let wanted = [
        Channel::Motion,
        Channel::Barycentric,
        Channel::Instance,
        Channel::Mesh,
        Channel::Triangle,
    ];
    let cut = RasterOptions::default();
    let (staged, next) =
        (renderer.stage(now)?, following(&renderer, now, &wanted, cut)?.ok_or("a next frame")?);
    assert_eq!(next.frame, then);
    let planes = channels(&renderer, &staged, Some(&next), &wanted, cut)?;
    let [
        Plane::Numbers(motion),
        Plane::Numbers(shares),
        Plane::Indices(instance),
        Plane::Indices(mesh),
        Plane::Indices(triangle),
    ] = &planes[..]
    else {
        return Err("numbers and whole numbers".into());
    };
    let faces = faces(&renderer, &next);
    let key = |face: &Face| [face.instance, face.mesh, face.triangle].map(|id| id as u32 + 1);
    let of_ids: std::collections::BTreeMap<[u32; 3], &Face> =
        faces.iter().map(|face| (key(face), face)).collect();
    let (mut seen, mut moved) = (0, 0);
    for pixel in 0..instance.len() {
        let way = &motion[pixel * 2..pixel * 2 + 2];
        if instance[pixel] == 0 {
            assert_eq!(way, [0.0; 2], "nothing moves at {pixel}");
            continue;
        }
        let face = of_ids[&[instance[pixel], mesh[pixel], triangle[pixel]]];
        let place: Point = core::array::from_fn(|axis| {
            (0..3).map(|k| face.corners[k][axis] * f64::from(shares[pixel * 3 + k])).sum()
        });
        let place = tintype_model::math::Vec3::from_array(place.map(|value| value as f32));
        let at = next.camera.pixel_of(place, SIZE);
        let own = [pixel % SIZE[0] as usize, pixel / SIZE[0] as usize].map(|at| at as f64 + 0.5);
        let off = (0..2).map(|axis| (f64::from(way[axis]) - (at[axis] - own[axis])).abs());
        assert!(off.fold(0.0, f64::max) < 0.01, "{own:?}: {way:?}, and it is at {at:?}");
        seen += 1;
        moved += usize::from(way.iter().any(|way| way.abs() > 0.5));
    }
    assert!(seen > 3000 && moved > 1000, "{seen} pixels, {moved} move");
    // A still point does not move at all; after the last frame nothing is known.
    let same = channels(&renderer, &staged, Some(&staged), &[Channel::Motion], cut)?;
    assert_eq!(same, [Plane::Numbers(vec![0.0; instance.len() * 2])]);
    assert!(following(&renderer, last, &wanted, cut)?.is_none());
    let [Plane::Numbers(unknown)] =
        &channels(&renderer, &staged, None, &[Channel::Motion], cut)?[..]
    else {
        return Err("numbers".into());
    };
    let is_known = |pixel: &usize| !unknown[pixel * 2].is_nan();
    let known = (0..instance.len()).filter(is_known).filter(|&pixel| instance[pixel] > 0).count();
    assert_eq!(known, 0, "the way of pixels behind the last frame");
    Ok(())
}

/// A matrix camera with skew and an off-centre principal point, around the ranger.
fn matrix_scene(k: [[f64; 3]; 3], more: &str) -> String {
    // It is at (0, 1, 4) and looks along -z.
    format!(
        "[output]\nbackground = \"#203040\"\nlook = \"studio\"\n[camera]\n{more}\nkind = \"matrix\"\nk = {k:?}\nk_size = {SIZE:?}\n\
         rt = [[1, 0, 0, 0], [0, -1, 0, 1], [0, 0, -1, 4]]\n[[model]]\nfile = \"assets/ranger.glb\"\n"
    )
}

#[trial]
fn positions_of_a_camera_of_matrices_fall_on_their_pixels() -> Result<(), Failed> {
    for (projection, fx, fy) in [("perspective", 410.0, 395.0), ("orthographic", 90.0, 88.0)] {
        let k = [[fx, 12.0, 171.5], [0.0, fy, 108.25], [0.0, 0.0, 1.0]];
        let renderer = scene_renderer(&matrix_scene(k, &format!("projection = {projection:?}")))?;
        let staged = renderer.stage(FrameNumber(0))?;
        let planes = channels(
            &renderer,
            &staged,
            None,
            &[Channel::Position, Channel::Mesh],
            Default::default(),
        )?;
        let [Plane::Numbers(places), Plane::Indices(mesh)] = &planes[..] else {
            return Err("numbers and whole numbers".into());
        };
        let (mut seen, mut at_edges) = (0, 0);
        for pixel in (0..mesh.len()).filter(|&pixel| mesh[pixel] > 0) {
            let [x, y, z] = core::array::from_fn(|axis| f64::from(places[pixel * 3 + axis]));
            let at = [x, 1.0 - y, 4.0 - z];
            let depth = if projection == "perspective" { at[2] } else { 1.0 };
            let found = [
                (k[0][0] * at[0] + k[0][1] * at[1]) / depth + k[0][2],
                k[1][1] * at[1] / depth + k[1][2],
            ];
            let wanted = [pixel % SIZE[0] as usize, pixel / SIZE[0] as usize];
            let off = (0..2).map(|axis| (found[axis] - wanted[axis] as f64 - 0.5).abs());
            let off = off.fold(0.0, f64::max);
            assert!(off < 0.02, "pixel {wanted:?} shows {found:?}");
            seen += 1;
            at_edges += usize::from(off > 0.01);
        }
        assert!(seen > 3000 && at_edges * 200 < seen, "{seen} pixels, {at_edges} at edges");
    }
    Ok(())
}

#[trial]
fn picture_moves_with_the_principal_point() -> Result<(), Failed> {
    let of = |cx: f64, cy: f64| -> Result<Vec<[u8; 4]>, Failed> {
        let k = [[400.0, 0.0, cx], [0.0, 400.0, cy], [0.0, 0.0, 1.0]];
        let renderer = scene_renderer(&matrix_scene(k, ""))?;
        Ok(renderer.draw(FrameNumber(0), RasterOptions::default())?.frame.rgba)
    };
    let usual = scene_renderer(&format!(
        "[output]\nbackground = \"#203040\"\nlook = \"studio\"\n[camera]\nkind = \"look-at\"\neye = [0, 1, 4]\ntarget = [0, 1, 0]\nnear = 0.05\n\
         fov_deg = {}\n[[model]]\nfile = \"assets/ranger.glb\"\n",
        libm::atan(120.0 / 400.0).to_degrees() * 2.0
    ))?;
    let usual = usual.draw(FrameNumber(0), RasterOptions::default())?.frame.rgba;
    let differ = |a: &[[u8; 4]], b: &[[u8; 4]]| {
        let most = |(a, b): (&[u8; 4], &[u8; 4])| (0..4).map(|c| a[c].abs_diff(b[c])).max();
        a.iter().zip(b).filter(|&pair| most(pair) > Some(2)).count()
    };
    let centered = of(160.0, 120.0)?;
    assert!(differ(&centered, &usual) < 40, "{} pixels differ", differ(&centered, &usual));
    let moved = of(190.0, 101.0)?;
    let [width, height] = SIZE.map(|side| side as usize);
    let rows = 0..height - 19;
    let apart: usize = rows
        .map(|y| {
            let (now, before) =
                (&moved[y * width..][..width], &centered[(y + 19) * width..][..width]);
            differ(&now[30..], &before[..width - 30])
        })
        .sum();
    assert!(apart < 40, "{apart} pixels differ");
    assert!(differ(&centered, &moved) > 3000, "the picture does not move");
    Ok(())
}
