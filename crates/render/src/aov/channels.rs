//! The channels of a frame: numbers of the surface at the ray through the centre of each pixel.
//!
//! A visibility pass of one sample, at the centre, finds the triangle; all values follow from it
//! and from the centre in `f64`. Nothing is filtered or mixed with a neighbour. Blended surfaces
//! count as in [`super::seen`]; the ground, which only catches shadows, does not count.

use super::light::texel;
use super::screen::{Patch, Screen};
use super::seen::{Hit, Patches, Seen, Shape, mix_normal, mix_texcoord, narrow, shapes};
use crate::{RenderError, Renderer, Staged};
use rayon::prelude::*;
use tintype_model::math::{Vec3, unit_or};
use tintype_model::{Camera, LinearRgb, ShadingModel, TextureRole, mesh_names};
use tintype_raster::RasterOptions;
use tintype_scene::{Channel, FrameNumber};

/// Values of one channel, row by row from the top.
#[derive(Clone, Debug, PartialEq)]
pub enum Plane {
    /// [`Channel::width`] numbers per pixel.
    Numbers(Vec<f32>),
    /// One integer per pixel, counting from 1; 0 is no surface.
    Indices(Vec<u32>),
}

/// A row of a plane.
enum PlaneRow<'p> {
    Numbers(&'p mut [f32]),
    Indices(&'p mut [u32]),
}

impl Plane {
    fn new(channel: Channel, pixels: usize) -> Self {
        if channel.is_index() {
            Self::Indices(vec![0; pixels])
        } else {
            Self::Numbers(vec![0.0; pixels * channel.width()])
        }
    }

    /// Its rows of this number of values each.
    fn rows(&mut self, length: usize) -> Vec<PlaneRow<'_>> {
        match self {
            Self::Numbers(all) => all.chunks_exact_mut(length).map(PlaneRow::Numbers).collect(),
            Self::Indices(all) => all.chunks_exact_mut(length).map(PlaneRow::Indices).collect(),
        }
    }
}

/// Numbers of a shape, as in indices.
struct ShapeNumbers {
    instance: u32,
    mesh: u32,
    material: u32,
    /// Number of the first joint of its model.
    joint: u32,
}

/// The next frame, for the motion of points until then.
struct Following<'a> {
    shapes: Vec<Shape<'a>>,
    screen: Screen,
}

/// A point of a surface, seen by the ray through the centre of a pixel.
struct Point<'a> {
    seen: &'a Seen<'a>,
    hit: &'a Hit,
    /// Barycentric coordinates.
    share: [f64; 3],
    patch: &'a Patch,
    numbers: &'a ShapeNumbers,
    following: Option<&'a Following<'a>>,
}

impl<'a> Point<'a> {
    fn shape(&self) -> &'a Shape<'a> {
        &self.seen.shapes[self.hit.shape]
    }

    fn corners(&self) -> [[f64; 3]; 3] {
        let shape = self.shape();
        shape.triangles[self.hit.triangle]
            .map(|vertex| shape.posed.position_at(vertex as usize).to_array().map(f64::from))
    }

    fn position(&self) -> [f64; 3] {
        let [a, b, c] = self.corners();
        let [s, t, u] = self.share;
        core::array::from_fn(|k| a[k] * s + b[k] * t + c[k] * u)
    }

    fn distance(&self, camera: &Camera) -> f64 {
        if camera.is_orthographic() {
            return self.patch.w(self.share);
        }
        let (place, eye) = (self.position(), camera.eye.to_array().map(f64::from));
        (0..3).map(|k| (place[k] - eye[k]) * (place[k] - eye[k])).sum::<f64>().sqrt()
    }

    /// The position of the triangle's point on a picture. None in front of the near plane, and for
    /// a mesh that is not drawn.
    fn place_on(&self, screen: &Screen, shape: &Shape<'_>) -> Option<[f64; 2]> {
        let own = self.shape();
        if !core::ptr::eq(own.mesh, shape.mesh) {
            return None;
        }
        let corners = own.triangles[self.hit.triangle]
            .map(|vertex| screen.project(shape.posed.position_at(vertex as usize)));
        let mixed = |k: usize| (0..3).map(|corner| corners[corner][k] * self.share[corner]).sum();
        let [x, y, w, distance]: [f64; 4] = core::array::from_fn(mixed);
        (distance >= screen.near).then(|| [x / w, y / w])
    }

    fn motion(&self) -> [f32; 2] {
        let now = self.place_on(&self.seen.screen, self.shape());
        let then = self.following.and_then(|Following { shapes, screen }| {
            self.place_on(screen, &shapes[self.hit.shape])
        });
        now.zip(then).map_or([f32::NAN; 2], |(now, then)| {
            [narrow(then[0] - now[0]), narrow(then[1] - now[1])]
        })
    }

    fn normal(&self) -> Vec3 {
        unit_or(mix_normal(self.shape(), self.hit, self.share), Vec3::Z)
    }

    fn face_normal(&self) -> Vec3 {
        let [a, b, c] = self.corners();
        let side = |to: [f64; 3]| -> [f64; 3] { core::array::from_fn(|k| to[k] - a[k]) };
        let ([ux, uy, uz], [vx, vy, vz]) = (side(b), side(c));
        let cross = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
        let length = (cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]).sqrt();
        if length == 0.0 {
            return self.normal();
        }
        let turned = if self.hit.is_front { 1.0 } else { -1.0 };
        Vec3::from_array(cross.map(|value| narrow(value / length * turned)))
    }

    /// The first of the joints that weigh most.
    fn joint(&self) -> usize {
        let shape = self.shape();
        let mut sums: Vec<(usize, f64)> = Vec::new();
        for (vertex, share) in shape.triangles[self.hit.triangle].into_iter().zip(self.share) {
            for influence in &shape.mesh.influences[shape.mesh.influences_of(vertex as usize)] {
                let (joint, weight) = (influence.joint().index(), f64::from(influence.weight()));
                match sums.iter_mut().find(|(known, _)| *known == joint) {
                    Some((_, sum)) => *sum += weight * share,
                    None => sums.push((joint, weight * share)),
                }
            }
        }
        let heavier = |a: (usize, f64), b: (usize, f64)| {
            if b.1 > a.1 || (b.1 == a.1 && b.0 < a.0) { b } else { a }
        };
        sums.into_iter().reduce(heavier).map_or(0, |(joint, _)| joint)
    }

    fn albedo(&self, renderer: &Renderer) -> Vec3 {
        let (shape, assets) = (self.shape(), renderer.assets());
        let material = &assets.materials[shape.material];
        let texel =
            texel(self.seen, assets, (material, TextureRole::Diffuse), self.hit, self.share);
        let straight = if texel.w > 0.0 { 1.0 / texel.w } else { 0.0 };
        let LinearRgb { r, g, b } = material.color;
        let own = Vec3::new(r, g, b);
        let colors = &shape.mesh.colors;
        let factor = if colors.is_empty() {
            own
        } else {
            let corners = shape.triangles[self.hit.triangle].map(|vertex| colors[vertex as usize]);
            let mixed = corners.into_iter().zip(self.share.map(narrow));
            let color = mixed.map(|(color, share)| color.truncate() * share).sum::<Vec3>();
            if material.shading == ShadingModel::FixedFunction { color } else { own * color }
        };
        texel.truncate() * straight * factor
    }

    fn numbers(&self, channel: Channel, renderer: &Renderer, camera: &Camera, into: &mut [f32]) {
        let in_view = |normal: Vec3| camera.world_from_view.transpose() * normal;
        let three = match channel {
            Channel::Depth => return into[0] = narrow(self.patch.w(self.share)),
            Channel::Distance => return into[0] = narrow(self.distance(camera)),
            Channel::Uv => {
                let at = mix_texcoord(self.shape(), self.hit, self.share);
                return into.copy_from_slice(&at.to_array());
            }
            Channel::Motion => return into.copy_from_slice(&self.motion()),
            Channel::Position => self.position().map(narrow),
            Channel::Normal => self.normal().to_array(),
            Channel::NormalView => in_view(self.normal()).to_array(),
            Channel::FaceNormal => self.face_normal().to_array(),
            Channel::FaceNormalView => in_view(self.face_normal()).to_array(),
            Channel::Barycentric => self.share.map(narrow),
            Channel::Albedo => self.albedo(renderer).to_array(),
            _ => return,
        };
        into.copy_from_slice(&three);
    }

    fn index(&self, channel: Channel) -> u32 {
        match channel {
            Channel::Triangle => number(self.hit.triangle),
            Channel::Instance => self.numbers.instance,
            Channel::Mesh => self.numbers.mesh,
            Channel::Material => self.numbers.material,
            Channel::Joint => self.numbers.joint + number(self.joint()) - 1,
            _ => 0,
        }
    }
}

/// The number of an index, which counts from 1.
fn number(index: usize) -> u32 {
    u32::try_from(index + 1).expect("fewer than 2^32")
}

/// Stages the following frame, if a channel shows the motion of points and that frame exists.
///
/// # Errors
/// As [`Renderer::stage_picture`].
pub fn following(
    renderer: &Renderer,
    frame: FrameNumber,
    wanted: &[Channel],
    cut: RasterOptions,
) -> Result<Option<Staged>, RenderError> {
    let frames = &renderer.scene().output.frames;
    let place = frames.position(frame).filter(|_| wanted.contains(&Channel::Motion));
    let next = place.and_then(|place| frames.nth(place + 1));
    next.map(|next| renderer.stage_picture(next, cut.level)).transpose()
}

/// Computes channels of a staged frame; `next` is the frame after it.
///
/// # Errors
/// As [`Renderer::draw_staged`].
pub fn channels(
    renderer: &Renderer,
    staged: &Staged,
    next: Option<&Staged>,
    wanted: &[Channel],
    cut: RasterOptions,
) -> Result<Vec<Plane>, RenderError> {
    let size = renderer.scene().output.size;
    let [width, height] = size.map(|side| side as usize);
    let of_next = next.map(|next| Following {
        shapes: shapes(renderer, next),
        screen: Screen::new(&next.camera, size),
    });
    let following = of_next.as_ref();
    let shapes = shapes(renderer, staged);
    let mut planes: Vec<Plane> =
        wanted.iter().map(|&channel| Plane::new(channel, width * height)).collect();
    if wanted.iter().any(|&channel| channel != Channel::Coverage) {
        let seen = Seen::new(renderer, staged, &shapes, 1, cut)?;
        let numbers = numbers_of(renderer, &shapes);
        let mut rows: Vec<Vec<PlaneRow<'_>>> = (0..height).map(|_| Vec::new()).collect();
        for (plane, channel) in planes.iter_mut().zip(wanted) {
            let of_plane = plane.rows(width * channel.width());
            rows.iter_mut().zip(of_plane).for_each(|(row, part)| row.push(part));
        }
        rows.into_par_iter().enumerate().for_each(|(y, mut row)| {
            let mut patches = Patches::default();
            for x in seen.columns(y) {
                let [hit, ..] = seen.at(x, y) else { continue };
                let patch = seen.patch_of(hit, &mut patches);
                let share = patch.share(seen.place(super::data::pixel(x, y), hit));
                let numbers = &numbers[hit.shape];
                let point = Point { seen: &seen, hit, share, patch, numbers, following };
                for (row, &channel) in row.iter_mut().zip(wanted) {
                    match row {
                        PlaneRow::Indices(row) => row[x] = point.index(channel),
                        PlaneRow::Numbers(row) => {
                            let width = channel.width();
                            let into = &mut row[x * width..(x + 1) * width];
                            point.numbers(channel, renderer, &staged.camera, into);
                        }
                    }
                }
            }
        });
    }
    if wanted.contains(&Channel::Coverage) {
        let seen = Seen::new(renderer, staged, &shapes, renderer.scene().output.samples, cut)?;
        let share = |index: usize| {
            let hits = seen.at(index % width, index / width);
            narrow(hits.iter().map(|hit| seen.part(hit)).sum())
        };
        let covered: Vec<f32> = (0..width * height).into_par_iter().map(share).collect();
        for (plane, _) in
            planes.iter_mut().zip(wanted).filter(|(_, own)| **own == Channel::Coverage)
        {
            *plane = Plane::Numbers(covered.clone());
        }
    }
    Ok(planes)
}

fn numbers_of(renderer: &Renderer, shapes: &[Shape<'_>]) -> Vec<ShapeNumbers> {
    let (scene, models) = (renderer.scene(), &renderer.assets().models);
    let mut found: Vec<ShapeNumbers> = Vec::with_capacity(shapes.len());
    let mut own = 0;
    for (index, shape) in shapes.iter().enumerate() {
        let is_next = index > 0 && shapes[index - 1].instance != shape.instance;
        own = if is_next || index == 0 { 0 } else { own + 1 };
        let model = scene.instances[shape.instance].model;
        let before = models[..model].iter();
        found.push(ShapeNumbers {
            instance: number(shape.instance),
            mesh: number(own + before.clone().map(|one| one.model.meshes.len()).sum::<usize>()),
            material: number(shape.material),
            joint: number(before.map(|one| one.model.skeleton.joints().len()).sum()),
        });
    }
    found
}

/// Names of the items that a channel numbers, from 1. Empty if they have no names.
#[must_use]
pub fn legend(renderer: &Renderer, channel: Channel) -> Vec<String> {
    let (scene, assets) = (renderer.scene(), renderer.assets());
    let models = || assets.models.iter().map(|loaded| &loaded.model);
    match channel {
        Channel::Instance => {
            let name = |one: &tintype_scene::Instance| {
                one.name.clone().unwrap_or_else(|| scene.models[one.model].name.clone())
            };
            scene.instances.iter().map(name).collect()
        }
        Channel::Mesh => models().flat_map(|model| mesh_names(&model.meshes)).collect(),
        Channel::Material => assets.materials.iter().map(|own| own.name.clone()).collect(),
        Channel::Joint => {
            let joints = models().flat_map(|model| model.skeleton.joints());
            joints.map(|joint| joint.name.clone()).collect()
        }
        _ => Vec::new(),
    }
}
