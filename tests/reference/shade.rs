//! Colours of pixels, by rays in `f64`.
//!
//! # Conventions
//! World space, right-handed. All light is linear. `N` is the unit interpolated normal; the normal
//! map's frame is `T` made perpendicular to `N`, and `B = sign · N × T`. The resulting normal is
//! turned to the viewer if the face is seen from behind.
//!
//! ```text
//! colour = base · (ambient + diffuse) + spec · specular + emissive · glow
//! ```
//!
//! Fixed function:
//! `colour = texel · min(1, color · (ambient + diffuse) + emissive) + spec · specular`; an emission
//! map is added after that as above.
//!
//! # Layout
//! A picture is queried pixel by pixel. [`pixel`] answers only where the whole pixel sees the same
//! list of triangles: at edges the answer depends on rules that the coverage oracle checks.

use super::texture::{Texture, encoded};
use crate::held::Held;

/// A vector or a linear colour.
pub(crate) type V3 = [f64; 3];

/// A camera that looks along `-back`.
#[derive(Clone, Debug)]
pub(crate) struct Camera {
    /// The eye.
    pub eye: V3,
    /// To the right of the picture, unit.
    pub right: V3,
    /// Up in the picture, unit.
    pub up: V3,
    /// Against the view, unit.
    pub back: V3,
    /// Tangents of half the field of view, to the right and up; without perspective half the width
    /// and the height.
    pub half_tangents: [f64; 2],
    /// True if all rays are parallel.
    pub is_orthographic: bool,
    /// The near plane along the view axis.
    pub near: f64,
}

/// One light.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Light {
    /// Parallel rays.
    Directional {
        /// Unit vector to the light.
        to_light: V3,
        /// Linear colour.
        color: V3,
    },
    /// Rays from a point.
    Point {
        /// Position.
        position: V3,
        /// Linear colour at `reach`.
        color: V3,
        /// The distance at which `color` applies.
        reach: f64,
    },
    /// Light from above and below.
    Hemisphere {
        /// From straight above.
        sky: V3,
        /// From straight below.
        ground: V3,
    },
}

/// Meaning of the alpha of the diffuse texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Alpha {
    /// Nothing.
    Opaque,
    /// Below this there is a hole.
    Mask(f64),
    /// Coverage.
    Blend,
    /// Added part.
    Add,
    /// Multiplying part.
    Multiply,
}

/// Faces that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cull {
    /// All.
    None,
    /// Those whose corners are counter-clockwise for the viewer.
    Back,
    /// The others.
    Front,
}

/// Reflectance of a surface.
#[derive(Clone, Debug)]
pub(crate) struct Material {
    /// Multiplies the diffuse texture.
    pub color: V3,
    /// Multiplies the texture's alpha.
    pub opacity: f64,
    /// Colour and coverage.
    pub diffuse: Option<Texture>,
    /// Tangent-space normals.
    pub normal: Option<Texture>,
    /// True if green in the normal map points down in the picture.
    pub normal_y_down: bool,
    /// Colour of the highlight.
    pub specular: Option<Texture>,
    /// Multiplies it, or stands alone.
    pub specular_strength: f64,
    /// Multiplies both.
    pub specular_color: V3,
    /// The exponent.
    pub shininess: f64,
    /// Emission.
    pub emissive: V3,
    /// Multiplies it.
    pub glow: Option<Texture>,
    /// Meaning of alpha.
    pub alpha: Alpha,
    /// Faces that are drawn.
    pub cull: Cull,
    /// True if it combines like the fixed-function pipeline of Direct3D 9.
    pub is_fixed_function: bool,
    /// Colour of all vertices: it replaces `color` and `opacity`. For fixed function alone.
    pub vertex_color: Option<[f64; 4]>,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            color: [1.0; 3],
            opacity: 1.0,
            diffuse: None,
            normal: None,
            normal_y_down: false,
            specular: None,
            specular_strength: 0.0,
            specular_color: [1.0; 3],
            shininess: 1.0,
            emissive: [0.0; 3],
            glow: None,
            alpha: Alpha::Opaque,
            cull: Cull::None,
            is_fixed_function: false,
            vertex_color: None,
        }
    }
}

/// A corner of a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex {
    /// In world space.
    pub position: V3,
    /// Unit.
    pub normal: V3,
    /// Unit, along `u`.
    pub tangent: V3,
    /// +1 or -1: the side of the bitangent.
    pub sign: f64,
    /// Texture coordinate.
    pub uv: [f64; 2],
}

/// Triangles of one material.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    /// Counter-clockwise corners for one who sees the front.
    pub triangles: Vec<[Vertex; 3]>,
    /// Material.
    pub material: Material,
}

/// A picture to be.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// Pixels a row and rows.
    pub size: [u32; 2],
    /// Looks at a texture for a point, at most.
    pub anisotropy: u32,
    /// The camera.
    pub camera: Camera,
    /// Light from everywhere, linear.
    pub ambient: V3,
    /// The lights.
    pub lights: Vec<Light>,
    /// Background at the upper and at the lower edge: linear, premultiplied.
    pub background: [[f64; 4]; 2],
    /// All surfaces.
    pub surfaces: Vec<Surface>,
}

/// A point of a triangle on a ray.
#[derive(Clone, Copy)]
struct Hit {
    surface: usize,
    triangle: usize,
    /// Along the view axis.
    distance: f64,
    /// Barycentric coordinates.
    weights: V3,
    is_behind: bool,
}

/// Margin around a pixel within which it must see the same triangles, in pixels: vertices snap to
/// 1/256.
const MARGIN: f64 = 0.02;

/// Distance of a mask's alpha from the cutoff, so that rounding cannot decide.
const MASK_MARGIN: f64 = 0.01;

/// The colour of a pixel in 8-bit codes before rounding, straight alpha; `None` near an edge.
pub(crate) fn pixel(scene: &Scene, x: u32, y: u32) -> Option<[f64; 4]> {
    let centre = [f64::from(x) + 0.5, f64::from(y) + 0.5];
    let hits = hits(scene, centre);
    let reach = 0.5 + MARGIN;
    for [dx, dy] in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]] {
        let corner = self::hits(scene, [centre[0] + dx * reach, centre[1] + dy * reach]);
        let same = corner.len() == hits.len()
            && corner
                .iter()
                .zip(&hits)
                .all(|(a, b)| (a.surface, a.triangle) == (b.surface, b.triangle));
        if !same {
            return None;
        }
    }

    let down = centre[1] / f64::from(scene.size[1]);
    let [top, bottom] = scene.background;
    let mut color = [0, 1, 2, 3].map(|i| top[i] + (bottom[i] - top[i]) * down);
    for hit in hits.iter().rev() {
        let material = &scene.surfaces[hit.surface].material;
        let alpha = match material.alpha {
            Alpha::Opaque => 1.0,
            Alpha::Mask(cutoff) => f64::from(u8::from(is_solid(scene, hit, x, y, cutoff)?)),
            Alpha::Blend | Alpha::Add | Alpha::Multiply => alpha_at(scene, hit, centre),
        };
        let light = shade(scene, hit, centre).map(|value| value.within(0.0, 1.0));
        color = over(material.alpha, light, alpha, color);
    }
    let alpha = color[3];
    let code = |value: f64| {
        255.0 * encoded(if alpha > 0.0 { (value / alpha).within(0.0, 1.0) } else { 0.0 })
    };
    Some([code(color[0]), code(color[1]), code(color[2]), 255.0 * alpha])
}

/// The colour of one triangle at a point of the picture, in 8-bit codes before rounding, whatever
/// is in front of it.
///
/// # Panics
/// If the triangle is seen from its edge.
pub(crate) fn code_at(scene: &Scene, surface: usize, triangle: usize, point: [f64; 2]) -> V3 {
    let corners = &scene.surfaces[surface].triangles[triangle];
    let (weights, distance) = meet(scene, corners, point).expect("a triangle with an area");
    let is_behind = is_behind(scene, corners, point);
    let hit = Hit { surface, triangle, distance, weights, is_behind };
    shade(scene, &hit, point).map(|value| 255.0 * encoded(value.within(0.0, 1.0)))
}

/// A whole picture in 8-bit codes, one ray through the centre of each pixel, rows from the top.
///
/// # Panics
/// If a corner of a triangle is not before the near plane.
pub(crate) fn picture(scene: &Scene) -> Vec<[u8; 4]> {
    let [width, height] = scene.size;
    let mut hits: Vec<Vec<Hit>> = vec![Vec::new(); (width * height) as usize];
    for (surface_index, surface) in scene.surfaces.iter().enumerate() {
        for (index, corners) in surface.triangles.iter().enumerate() {
            // 1. The pixels whose centres may lie in the triangle.
            let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
            for corner in corners {
                let place = project(scene, corner.position);
                for axis in 0..2 {
                    low[axis] = low[axis].at_most(place[axis]);
                    high[axis] = high[axis].at_least(place[axis]);
                }
            }
            let first = |axis: usize| (low[axis] - 0.5).ceil().at_least(0.0) as u32;
            let end = |axis: usize| {
                ((high[axis] + 0.5).floor().at_least(0.0) as u32).min(scene.size[axis])
            };

            // 2. Those that do.
            for y in first(1)..end(1) {
                for x in first(0)..end(0) {
                    let point = [f64::from(x) + 0.5, f64::from(y) + 0.5];
                    let Some((weights, distance)) = meet(scene, corners, point) else { continue };
                    let is_behind = is_behind(scene, corners, point);
                    let is_culled = match surface.material.cull {
                        Cull::None => false,
                        Cull::Back => is_behind,
                        Cull::Front => !is_behind,
                    };
                    if weights.iter().all(|&weight| weight >= 0.0) && !is_culled {
                        let surface = surface_index;
                        let hit = Hit { surface, triangle: index, distance, weights, is_behind };
                        hits[(y * width + x) as usize].push(hit);
                    }
                }
            }
        }
    }
    let color = |(index, mut hits): (u32, Vec<Hit>)| {
        hits.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        code_of(scene, index % width, index / width, &hits)
    };
    (0..).zip(hits).map(color).collect()
}

/// Projects a position into the picture.
fn project(scene: &Scene, place: V3) -> [f64; 2] {
    let Camera { eye, right, up, back, half_tangents, is_orthographic, near } = &scene.camera;
    let way = sub(place, *eye);
    let distance = -dot(way, *back);
    assert!(distance > *near, "everything stands before the camera");
    let [width, height] = scene.size.map(f64::from);
    let divisor = if *is_orthographic { 1.0 } else { distance };
    let across = dot(way, *right) / (divisor * half_tangents[0]);
    let upward = dot(way, *up) / (divisor * half_tangents[1]);
    [(across + 1.0) * 0.5 * width, (1.0 - upward) * 0.5 * height]
}

/// The colour of what a ray hits, nearest first.
fn code_of(scene: &Scene, x: u32, y: u32, hits: &[Hit]) -> [u8; 4] {
    let centre = [f64::from(x) + 0.5, f64::from(y) + 0.5];
    let coverage = |hit: &Hit| match scene.surfaces[hit.surface].material.alpha {
        Alpha::Opaque => 1.0,
        Alpha::Mask(cutoff) => f64::from(u8::from(alpha_at(scene, hit, centre) >= cutoff)),
        Alpha::Blend | Alpha::Add | Alpha::Multiply => alpha_at(scene, hit, centre),
    };
    let down = centre[1] / f64::from(scene.size[1]);
    let [top, bottom] = scene.background;
    let mut color = [0, 1, 2, 3].map(|i| top[i] + (bottom[i] - top[i]) * down);
    let alpha_of = |hit: &Hit| scene.surfaces[hit.surface].material.alpha;
    let solid = |hit: &Hit| matches!(alpha_of(hit), Alpha::Opaque | Alpha::Mask(_));
    let last = hits.iter().position(|hit| solid(hit) && coverage(hit) == 1.0);
    for hit in hits[..last.map_or(hits.len(), |last| last + 1)].iter().rev() {
        let light = shade(scene, hit, centre).map(|value| value.within(0.0, 1.0));
        color = over(alpha_of(hit), light, coverage(hit), color);
    }
    let alpha = color[3];
    let straight = |value: f64| if alpha > 0.0 { (value / alpha).within(0.0, 1.0) } else { 0.0 };
    let code = |value: f64| (255.0 * value + 0.5).floor() as u8;
    [0, 1, 2, 3].map(|i| if i == 3 { code(alpha) } else { code(encoded(straight(color[i]))) })
}

/// Colour behind a surface of a straight colour: `under` and the result are premultiplied.
fn over(mode: Alpha, light: V3, alpha: f64, under: [f64; 4]) -> [f64; 4] {
    let brightest = |color: V3| color.into_iter().fold(0.0, Held::at_least);
    let rgb = [under[0], under[1], under[2]];
    let with = |rgb: V3, alpha: f64| [rgb[0], rgb[1], rgb[2], alpha];
    match mode {
        Alpha::Add => {
            let sum = [0, 1, 2].map(|i| (rgb[i] + alpha * light[i]).within(0.0, 1.0));
            // Over transparency, light covers as much as it is bright.
            with(sum, under[3].at_least(brightest(sum)))
        }
        Alpha::Multiply => {
            // White by as much as alpha lacks to 1.
            let filter = light.map(|part| 1.0 + alpha * (part - 1.0));
            // White behind everything is filtered as the rest; it gets back as much as the result
            // transmits.
            let least = filter.into_iter().fold(1.0, Held::at_most);
            let left = (1.0 - under[3]) * least;
            with([0, 1, 2].map(|i| (rgb[i] + 1.0 - under[3]) * filter[i] - left), 1.0 - left)
        }
        Alpha::Opaque | Alpha::Mask(_) | Alpha::Blend => {
            let part = |i: usize| alpha * light[i] + (1.0 - alpha) * rgb[i];
            with([0, 1, 2].map(part), alpha + (1.0 - alpha) * under[3])
        }
    }
}

/// The origin and the direction of the ray through a point of the picture; its part along the view
/// axis is 1.
fn ray(scene: &Scene, point: [f64; 2]) -> (V3, V3) {
    let camera = &scene.camera;
    let [width, height] = scene.size.map(f64::from);
    let across = (2.0 * point[0] / width - 1.0) * camera.half_tangents[0];
    let upward = (1.0 - 2.0 * point[1] / height) * camera.half_tangents[1];
    let aside = add(scale(camera.right, across), scale(camera.up, upward));
    if camera.is_orthographic {
        return (add(camera.eye, aside), scale(camera.back, -1.0));
    }
    (camera.eye, sub(aside, camera.back))
}

/// Barycentric coordinates, and the distance along the view axis, where a ray meets the plane of a
/// triangle.
fn meet(scene: &Scene, corners: &[Vertex; 3], point: [f64; 2]) -> Option<(V3, f64)> {
    let (start, direction) = ray(scene, point);
    let origin = corners[0].position;
    let (e1, e2) = (sub(corners[1].position, origin), sub(corners[2].position, origin));
    let p = cross(direction, e2);
    let determinant = dot(e1, p);
    if determinant == 0.0 {
        return None;
    }
    let from = sub(start, origin);
    let q = cross(from, e1);
    let (b, c) = (dot(from, p) / determinant, dot(direction, q) / determinant);
    Some(([1.0 - b - c, b, c], dot(e2, q) / determinant))
}

/// True if the ray through a point of the picture meets the back of a triangle.
fn is_behind(scene: &Scene, corners: &[Vertex; 3], point: [f64; 2]) -> bool {
    let [a, b, c] = [0, 1, 2].map(|corner| corners[corner].position);
    dot(cross(sub(b, a), sub(c, a)), ray(scene, point).1) > 0.0
}

/// All triangles on the ray through a point of the picture, nearest first, up to the first that
/// hides the rest.
fn hits(scene: &Scene, point: [f64; 2]) -> Vec<Hit> {
    let mut found = Vec::new();
    for (surface_index, surface) in scene.surfaces.iter().enumerate() {
        for (index, corners) in surface.triangles.iter().enumerate() {
            let Some((weights, distance)) = meet(scene, corners, point) else { continue };
            if weights.iter().any(|&weight| weight < 0.0) || distance < scene.camera.near {
                continue;
            }
            let is_behind = is_behind(scene, corners, point);
            let is_culled = match surface.material.cull {
                Cull::None => false,
                Cull::Back => is_behind,
                Cull::Front => !is_behind,
            };
            if !is_culled {
                let hit =
                    Hit { surface: surface_index, triangle: index, distance, weights, is_behind };
                found.push(hit);
            }
        }
    }
    found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    let hides = |hit: &Hit| scene.surfaces[hit.surface].material.alpha == Alpha::Opaque;
    if let Some(last) = found.iter().position(hides) {
        found.truncate(last + 1);
    }
    found
}

/// A texture's value at the point of a triangle that a point of the picture shows.
fn texel(scene: &Scene, corners: &[Vertex; 3], texture: &Texture, point: [f64; 2]) -> [f64; 4] {
    /// In pixels: far above the rounding of `f64`, far below a texel.
    const STEP: f64 = 1e-4;
    let uv_at = |dx: f64, dy: f64| {
        let moved = meet(scene, corners, [point[0] + dx, point[1] + dy]);
        let (weights, _) = moved.expect("the plane of a triangle that was hit");
        [0, 1].map(|axis| (0..3).map(|k| weights[k] * corners[k].uv[axis]).sum::<f64>())
    };
    let slope = |ahead: [f64; 2], behind: [f64; 2]| {
        [0, 1].map(|axis| (ahead[axis] - behind[axis]) / (2.0 * STEP))
    };
    let along_x = slope(uv_at(STEP, 0.0), uv_at(-STEP, 0.0));
    let along_y = slope(uv_at(0.0, STEP), uv_at(0.0, -STEP));
    texture.sample_along(uv_at(0.0, 0.0), along_x, along_y, scene.anisotropy)
}

/// The coverage of a hit at a point of the picture.
fn alpha_at(scene: &Scene, hit: &Hit, point: [f64; 2]) -> f64 {
    let Surface { triangles, material } = &scene.surfaces[hit.surface];
    let texture = material.diffuse.as_ref();
    let alpha = texture.map_or(1.0, |map| texel(scene, &triangles[hit.triangle], map, point)[3]);
    alpha * material.vertex_color.map_or(material.opacity, |color| color[3])
}

/// True if a masked surface covers the whole pixel; `None` if the border of a hole is near.
fn is_solid(scene: &Scene, hit: &Hit, x: u32, y: u32, cutoff: f64) -> Option<bool> {
    const GRID: u32 = 8;
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for index in 0..=GRID * (GRID + 2) {
        let (column, row) = (index % (GRID + 1), index / (GRID + 1));
        let part = |at: u32| f64::from(at) / f64::from(GRID);
        let alpha = alpha_at(scene, hit, [f64::from(x) + part(column), f64::from(y) + part(row)]);
        (lowest, highest) = (lowest.at_most(alpha), highest.at_least(alpha));
    }
    if lowest >= cutoff + MASK_MARGIN {
        Some(true)
    } else if highest <= cutoff - MASK_MARGIN {
        Some(false)
    } else {
        None
    }
}

/// The light from a hit to the eye, linear, not clamped.
fn shade(scene: &Scene, hit: &Hit, point: [f64; 2]) -> V3 {
    let surface = &scene.surfaces[hit.surface];
    let (material, corners) = (&surface.material, &surface.triangles[hit.triangle]);
    let blend = |of: fn(&Vertex) -> V3| {
        let [a, b, c] = [0, 1, 2].map(|corner| scale(of(&corners[corner]), hit.weights[corner]));
        add(add(a, b), c)
    };
    let texel = |texture: &Texture| texel(scene, corners, texture, point);

    // 1. The normal. A normal map is a sheet: seen from behind, its bumps are dents, so the
    //    finished normal turns as a whole.
    let position = blend(|vertex| vertex.position);
    let mut normal = unit(blend(|vertex| vertex.normal));
    if let Some(texture) = &material.normal {
        let [x, y, z, _] = texel(texture).map(|value| value * 2.0 - 1.0);
        let y = if material.normal_y_down { -y } else { y };
        let tangent = blend(|vertex| vertex.tangent);
        let tangent = unit(sub(tangent, scale(normal, dot(normal, tangent))));
        let bitangent = scale(cross(normal, tangent), corners[0].sign);
        normal = unit(add(add(scale(tangent, x), scale(bitangent, y)), scale(normal, z)));
    }
    if hit.is_behind {
        normal = scale(normal, -1.0);
    }

    // 2. Light.
    let (diffuse, specular) = lit(scene, material, position, normal);
    let texture = material.diffuse.as_ref().map_or([1.0; 4], texel);
    let straight = if texture[3] > 0.0 { 1.0 / texture[3] } else { 0.0 };
    let spec = material.specular.as_ref().map_or([1.0; 4], texel);
    let glow = material.glow.as_ref().map_or([1.0; 4], texel);
    [0, 1, 2].map(|i| {
        let texel = texture[i] * straight;
        let light = scene.ambient[i] + diffuse[i];
        let highlight =
            spec[i] * material.specular_strength * material.specular_color[i] * specular[i];
        if material.is_fixed_function {
            let color = material.vertex_color.map_or(material.color[i], |color| color[i]);
            let (inside, after) = match material.glow {
                None => (material.emissive[i], 0.0),
                Some(_) => (0.0, material.emissive[i] * glow[i]),
            };
            texel * (color * light + inside).at_most(1.0) + highlight + after
        } else {
            texel * material.color[i] * light + highlight + material.emissive[i] * glow[i]
        }
    })
}

/// Diffuse light and highlight that reach a point.
fn lit(scene: &Scene, material: &Material, position: V3, normal: V3) -> (V3, V3) {
    let view = match scene.camera.is_orthographic {
        true => scene.camera.back,
        false => unit(sub(scene.camera.eye, position)),
    };
    let (mut diffuse, mut specular) = ([0.0; 3], [0.0; 3]);
    for light in &scene.lights {
        let (to_light, color) = match *light {
            Light::Hemisphere { sky, ground } => {
                let up = 0.5 + 0.5 * normal[1];
                diffuse = add(diffuse, add(scale(ground, 1.0 - up), scale(sky, up)));
                continue;
            }
            Light::Directional { to_light, color } => (to_light, color),
            Light::Point { position: at, color, reach } => {
                let way = sub(at, position);
                (unit(way), scale(color, reach * reach / dot(way, way)))
            }
        };
        let facing = dot(normal, to_light).at_least(0.0);
        if facing > 0.0 {
            let half = unit(add(to_light, view));
            let shine = libm::pow(dot(normal, half).at_least(0.0), material.shininess);
            diffuse = add(diffuse, scale(color, facing));
            specular = add(specular, scale(color, shine));
        }
    }
    (diffuse, specular)
}

fn add(a: V3, b: V3) -> V3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn sub(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn scale(a: V3, factor: f64) -> V3 {
    a.map(|value| value * factor)
}

fn dot(a: V3, b: V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A vector at length 1.
pub(crate) fn unit(a: V3) -> V3 {
    scale(a, 1.0 / dot(a, a).sqrt())
}
