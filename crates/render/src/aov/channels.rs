//! The channels of a frame: numbers of the surface at the ray through the centre of each pixel.
//!
//! A visibility pass of one sample, at the centre, finds the triangle; all values follow from it
//! and from the centre in `f64`. Nothing is filtered or mixed with a neighbour. Blended surfaces
//! count as in [`super::seen`]; the ground, which only catches shadows, does not count.

use super::light::texel;
use super::screen::{Patch, Screen};
use super::seen::{Hit, Memo, Seen, Shape, TileHits, narrow, shapes};
use crate::{RenderError, Renderer, Staged};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};
use tintype_model::math::{Vec2, Vec3, unit_or};
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

/// Rows of a plane within a tile.
enum TileRows<'p> {
    Numbers(Vec<&'p mut [f32]>),
    Indices(Vec<&'p mut [u32]>),
}

impl Plane {
    fn new(channel: Channel, pixels: usize) -> Self {
        if channel.is_index() {
            Self::Indices(vec![0; pixels])
        } else {
            Self::Numbers(vec![0.0; pixels * channel.width()])
        }
    }

    /// Its rows in each tile of a side in pixels, tiles row by row.
    fn by_tile(&mut self, channel: Channel, width: usize, side: usize) -> Vec<TileRows<'_>> {
        let [row, piece] = [width, side].map(|pixels| pixels * channel.width());
        match self {
            Self::Numbers(all) => {
                cut_rows(all, row, piece, side).into_iter().map(TileRows::Numbers).collect()
            }
            Self::Indices(all) => {
                cut_rows(all, row, piece, side).into_iter().map(TileRows::Indices).collect()
            }
        }
    }
}

/// Cuts rows into pieces, and groups the pieces by tile.
fn cut_rows<T>(all: &mut [T], row: usize, piece: usize, side: usize) -> Vec<Vec<&mut [T]>> {
    let mut tiles = Vec::new();
    let mut rows = all.chunks_exact_mut(row).map(|row| row.chunks_mut(piece)).peekable();
    while rows.peek().is_some() {
        let first = tiles.len();
        tiles.resize_with(first + row.div_ceil(piece), || Vec::with_capacity(side));
        for row in rows.by_ref().take(side) {
            tiles[first..].iter_mut().zip(row).for_each(|(tile, piece)| tile.push(piece));
        }
    }
    tiles
}

/// Numbers of a shape as indices have them.
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

/// A triangle that several pixels show.
struct Face {
    patch: Patch,
    /// Positions in the world, normals and texture coordinates of the corners.
    positions: [[f64; 3]; 3],
    normals: [Vec3; 3],
    texcoords: [Vec2; 3],
}

impl Face {
    fn new(seen: &Seen, hit: &Hit) -> Self {
        let shape = &seen.shapes[hit.shape];
        let corners = shape.triangles[hit.triangle].map(|vertex| vertex as usize);
        let at = |vertex: usize| shape.posed.position_at(vertex).to_array().map(f64::from);
        let texcoord = |vertex| shape.mesh.texcoords.get(vertex).copied().unwrap_or_default();
        Self {
            patch: seen.patch(hit),
            positions: corners.map(at),
            normals: corners.map(|vertex| shape.posed.normal_at(vertex)),
            texcoords: corners.map(texcoord),
        }
    }
}

/// All that the points of a tile have in common.
struct TileFaces<'a> {
    renderer: &'a Renderer,
    camera: &'a Camera,
    seen: &'a Seen<'a>,
    numbers: &'a [ShapeNumbers],
    following: Option<&'a Following<'a>>,
    faces: Vec<Face>,
    /// Index of the face of a triangle.
    indices: Memo<usize>,
}

/// A point of a surface, seen by the ray through the centre of a pixel.
struct Point<'h> {
    /// Column in the tile.
    column: usize,
    hit: &'h Hit,
    /// Barycentric coordinates.
    share: [f64; 3],
    /// Index of the face in the tile.
    face: usize,
}

impl<'a> TileFaces<'a> {
    /// Finds the points of a row of a tile, and their faces.
    fn find<'h>(&mut self, hits: &'h TileHits, row: usize, points: &mut Vec<Point<'h>>) {
        let [left, top] = hits.corner;
        points.clear();
        for column in 0..hits.size[0] {
            let [hit, ..] = hits.at(column, row) else { continue };
            let face = *self.indices.get(hit, || {
                self.faces.push(Face::new(self.seen, hit));
                self.faces.len() - 1
            });
            let place = self.seen.place(super::data::pixel(left + column, top + row), hit);
            let share = self.faces[face].patch.share(place);
            points.push(Point { column, hit, share, face });
        }
    }

    /// Writes a channel of the points of a row.
    fn write(&self, channel: Channel, points: &[Point], row: usize, rows: &mut TileRows) {
        match rows {
            TileRows::Indices(rows) => {
                for point in points {
                    rows[row][point.column] = self.index(channel, point);
                }
            }
            TileRows::Numbers(rows) => self.write_numbers(channel, points, rows[row]),
        }
    }

    fn write_numbers(&self, channel: Channel, points: &[Point], row: &mut [f32]) {
        let to_view = self.camera.world_from_view.transpose();
        let in_view = |normal: Vec3| (to_view * normal).to_array();
        match channel {
            Channel::Depth => write(points, row, |point| [narrow(self.depth(point))]),
            Channel::Distance => write(points, row, |point| [narrow(self.distance(point))]),
            Channel::Uv => write(points, row, |point| self.texcoord(point)),
            Channel::Motion => write(points, row, |point| self.motion(point)),
            Channel::Position => write(points, row, |point| self.position(point).map(narrow)),
            Channel::Normal => write(points, row, |point| self.normal(point).to_array()),
            Channel::NormalView => write(points, row, |point| in_view(self.normal(point))),
            Channel::FaceNormal => write(points, row, |point| self.face_normal(point).to_array()),
            Channel::FaceNormalView => {
                write(points, row, |point| in_view(self.face_normal(point)));
            }
            Channel::Barycentric => write(points, row, |point| point.share.map(narrow)),
            Channel::Albedo => write(points, row, |point| self.albedo(point).to_array()),
            _ => {}
        }
    }

    fn shape(&self, point: &Point) -> &'a Shape<'a> {
        &self.seen.shapes[point.hit.shape]
    }

    #[inline]
    fn depth(&self, point: &Point) -> f64 {
        self.faces[point.face].patch.w(point.share)
    }

    fn position(&self, point: &Point) -> [f64; 3] {
        let [a, b, c] = self.faces[point.face].positions;
        let [s, t, u] = point.share;
        core::array::from_fn(|k| a[k] * s + b[k] * t + c[k] * u)
    }

    fn distance(&self, point: &Point) -> f64 {
        if self.camera.is_orthographic() {
            return self.depth(point);
        }
        let (place, eye) = (self.position(point), self.camera.eye.to_array().map(f64::from));
        (0..3).map(|k| (place[k] - eye[k]) * (place[k] - eye[k])).sum::<f64>().sqrt()
    }

    /// The place of the point of the triangle on a picture; none in front of the near plane, and of a mesh that is not drawn.
    fn place_on(&self, screen: &Screen, shape: &Shape<'_>, point: &Point) -> Option<[f64; 2]> {
        let own = self.shape(point);
        if !core::ptr::eq(own.mesh, shape.mesh) {
            return None;
        }
        let corners = own.triangles[point.hit.triangle]
            .map(|vertex| screen.project(shape.posed.position_at(vertex as usize)));
        let mixed = |k: usize| (0..3).map(|corner| corners[corner][k] * point.share[corner]).sum();
        let [x, y, w, distance]: [f64; 4] = core::array::from_fn(mixed);
        (distance >= screen.near).then(|| [x / w, y / w])
    }

    fn motion(&self, point: &Point) -> [f32; 2] {
        let now = self.place_on(&self.seen.screen, self.shape(point), point);
        let then = self.following.and_then(|Following { shapes, screen }| {
            self.place_on(screen, &shapes[point.hit.shape], point)
        });
        now.zip(then).map_or([f32::NAN; 2], |(now, then)| {
            [narrow(then[0] - now[0]), narrow(then[1] - now[1])]
        })
    }

    #[inline]
    fn texcoord(&self, point: &Point) -> [f32; 2] {
        let ([a, b, c], [s, t, u]) = (self.faces[point.face].texcoords, point.share.map(narrow));
        (a * s + b * t + c * u).to_array()
    }

    #[inline]
    fn normal(&self, point: &Point) -> Vec3 {
        let ([a, b, c], [s, t, u]) = (self.faces[point.face].normals, point.share.map(narrow));
        let mixed = a * s + b * t + c * u;
        unit_or(if point.hit.is_front { mixed } else { -mixed }, Vec3::Z)
    }

    fn face_normal(&self, point: &Point) -> Vec3 {
        let [a, b, c] = self.faces[point.face].positions;
        let side = |to: [f64; 3]| -> [f64; 3] { core::array::from_fn(|k| to[k] - a[k]) };
        let ([ux, uy, uz], [vx, vy, vz]) = (side(b), side(c));
        let cross = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
        let length = (cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]).sqrt();
        if length == 0.0 {
            return self.normal(point);
        }
        let turned = if point.hit.is_front { 1.0 } else { -1.0 };
        Vec3::from_array(cross.map(|value| narrow(value / length * turned)))
    }

    /// The first of the joints that weigh most.
    fn joint(&self, point: &Point) -> usize {
        let shape = self.shape(point);
        let mut sums: Vec<(usize, f64)> = Vec::new();
        for (vertex, share) in shape.triangles[point.hit.triangle].into_iter().zip(point.share) {
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

    fn albedo(&self, point: &Point) -> Vec3 {
        let (shape, assets) = (self.shape(point), self.renderer.assets());
        let material = &assets.materials[shape.material];
        let texel =
            texel(self.seen, assets, (material, TextureRole::Diffuse), point.hit, point.share);
        let straight = if texel.w > 0.0 { 1.0 / texel.w } else { 0.0 };
        let LinearRgb { r, g, b } = material.color;
        let own = Vec3::new(r, g, b);
        let colors = &shape.mesh.colors;
        let factor = if colors.is_empty() {
            own
        } else {
            let corners = shape.triangles[point.hit.triangle].map(|vertex| colors[vertex as usize]);
            let mixed = corners.into_iter().zip(point.share.map(narrow));
            let color = mixed.map(|(color, share)| color.truncate() * share).sum::<Vec3>();
            if material.shading == ShadingModel::FixedFunction { color } else { own * color }
        };
        texel.truncate() * straight * factor
    }

    fn index(&self, channel: Channel, point: &Point) -> u32 {
        let numbers = &self.numbers[point.hit.shape];
        match channel {
            Channel::Triangle => number(point.hit.triangle),
            Channel::Instance => numbers.instance,
            Channel::Mesh => numbers.mesh,
            Channel::Material => numbers.material,
            Channel::Joint => numbers.joint + number(self.joint(point)) - 1,
            _ => 0,
        }
    }
}

/// Writes `N` numbers of each point.
fn write<const N: usize>(points: &[Point], row: &mut [f32], value: impl Fn(&Point) -> [f32; N]) {
    let (row, _) = row.as_chunks_mut::<N>();
    points.iter().for_each(|point| row[point.column] = value(point));
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
        let seen = &Seen::without_hits(renderer, staged, &shapes, 1, cut);
        let numbers = numbers_of(renderer, &shapes);
        let mut tiles: Vec<Vec<TileRows<'_>>> = Vec::new();
        for (plane, &channel) in planes.iter_mut().zip(wanted) {
            let rows = plane.by_tile(channel, width, seen.side());
            tiles.resize_with(rows.len(), Vec::new);
            tiles.iter_mut().zip(rows).for_each(|(tile, rows)| tile.push(rows));
        }
        let tiles: Vec<_> = tiles.into_iter().map(Mutex::new).collect();
        seen.each_tile(renderer, staged, cut, |index, hits| {
            let mut tile = tiles[index].lock().unwrap_or_else(PoisonError::into_inner);
            let (camera, numbers) = (&staged.camera, &numbers);
            let (faces, indices) = (Vec::new(), Memo::default());
            let mut faces =
                TileFaces { renderer, camera, seen, numbers, following, faces, indices };
            let mut points = Vec::new();
            for row in 0..hits.size[1] {
                faces.find(hits, row, &mut points);
                for (rows, &channel) in tile.iter_mut().zip(wanted) {
                    faces.write(channel, &points, row, rows);
                }
            }
        })?;
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
