//! [`super::shade`] and [`super::light`] over lanes: a visible point in every lane, of any triangles of one material.
//!
//! The operations and their order are those of [`super::shade::Surface::shade`] and [`super::light::light_point`], which stay
//! the definition; `tests/raster` holds every level of the machine to their bits.

use super::Fault;
use super::cover::Solid;
use super::edge::{UNIT, doubled_area};
use super::setup::SetupTriangle;
use super::shade::Scene;
use super::shadow::ShadowMap;
use super::shadow::receive::{Receivers, round_places, visibilities};
use super::texel::{Footprints, LaneTaps, unmingle};
use crate::math::Vec3;
use crate::math::lanes::{Vec3s, clamp, max, min, pow_unit, splat};
use crate::model::{AlphaMode, Light, LinearRgb, Material, Texture};
use crate::simd::prelude::*;
use crate::simd::{MAX_LANES, Simd};

/// Points to shade together: as many as a vector has lanes, or fewer.
#[derive(Clone, Copy)]
pub(super) struct Packet<S: Simd> {
    /// The triangle of each, as a place among the triangles of the tile.
    pub place: S::u32s,
    /// Where each is shaded, in 1/256 pixel; lanes without a point stand where some lane with one stands.
    pub x: S::i32s,
    pub y: S::i32s,
    /// The lanes that hold a point, one bit each; never none.
    pub active: u64,
}

/// A point that waits to be shaded: the place of its triangle among those of the tile, x and y in 1/256 pixel, and a number
/// that tells its owner where its light goes.
pub(super) type WaitingPoint = [u32; 4];

impl<S: Simd> Packet<S> {
    /// The first points of a list that is not empty, and the numbers of their owners.
    #[inline(always)]
    pub fn of_waiting(simd: S, points: &[WaitingPoint]) -> (Self, S::u32s) {
        let lanes = S::u32s::LEN;
        let count = points.len().min(lanes);
        let [place, x, y, target] = if count == lanes {
            unmingle(simd, &points.as_flattened()[..4 * lanes])
        } else {
            let mut padded = [points[0]; MAX_LANES];
            padded[..count].copy_from_slice(&points[..count]);
            unmingle(simd, &padded.as_flattened()[..4 * lanes])
        };
        (Self { place, x: x.bitcast(), y: y.bitcast(), active: u64::MAX >> (64 - count) }, target)
    }

    /// Nothing yet.
    #[inline(always)]
    pub fn none(simd: S) -> Self {
        let zero = S::i32s::simd_from(simd, 0);
        Self { place: S::u32s::simd_from(simd, 0), x: zero, y: zero, active: 0 }
    }
}

/// What the triangles of a packet look like to all its points.
#[derive(Clone, Copy)]
pub(super) struct Kind<'a> {
    pub material: &'a Material,
    /// Whether their meshes have colours of vertices.
    pub has_color: bool,
}

/// Below this doubled area, edge functions at points of a triangle fit 32 bits.
const AREA_OF_32_BITS: i64 = 1 << 30;

/// Places of numbers in [`Corners::plain`]: what [`super::project::Attributes`] holds of three corners, then the rest.
const TEXCOORD: usize = 0;
const POSITION: usize = 2;
const NORMAL: usize = 5;
/// From corner to corner.
const STEP: usize = 8;
const DEPTH: usize = 3 * STEP;
const FRONT: usize = DEPTH + 3;
const PLAIN: usize = FRONT + 1;
/// Three tangents and the sign of the bitangent.
const TANGENT: usize = 10;
/// Three colours with alpha.
const COLOR: usize = 12;

/// What a packet knows of the corners of its triangles.
struct Corners<S: Simd> {
    /// x of the three corners, then y, in 1/256 pixel.
    place: [S::i32s; 6],
    plain: [S::f32s; PLAIN],
    tangent: [S::f32s; TANGENT],
    color: [S::f32s; COLOR],
    /// Whether all edge functions fit 32 bits.
    is_small: bool,
}

/// Puts the numbers of one triangle into lanes, or into all of them.
#[inline(always)]
fn put<S: Simd>(simd: S, lanes: &mut [S::f32s], values: &[f32], where_to: Option<S::mask32s>) {
    match where_to {
        None => {
            for (lanes, &value) in lanes.iter_mut().zip(values) {
                *lanes = splat(simd, value);
            }
        }
        Some(mask) => {
            for (lanes, &value) in lanes.iter_mut().zip(values) {
                *lanes = mask.select(splat(simd, value), *lanes);
            }
        }
    }
}

impl<S: Simd> Corners<S> {
    #[inline(always)]
    fn new(
        simd: S,
        scene: &Scene,
        triangles: &[SetupTriangle],
        kind: &Kind,
        packet: &Packet<S>,
    ) -> Self {
        let mut corners = Self::empty(simd);
        let mut left = packet.active;
        let mut is_first = true;
        while left != 0 {
            let place = packet.place.as_slice()[left.trailing_zeros() as usize];
            let here = packet.place.simd_eq(place);
            left &= !here.to_bitmask();
            // The first one's numbers also fill the lanes that hold no point.
            let where_to = (!is_first).then_some(here);
            corners.put(simd, scene, kind, &triangles[place as usize], where_to);
            is_first = false;
        }
        corners
    }

    #[inline(always)]
    fn empty(simd: S) -> Self {
        let zero = splat(simd, 0.0);
        Self {
            place: [S::i32s::simd_from(simd, 0); 6],
            plain: [zero; PLAIN],
            tangent: [zero; TANGENT],
            color: [zero; COLOR],
            is_small: true,
        }
    }

    #[inline(always)]
    fn put(
        &mut self,
        simd: S,
        scene: &Scene,
        kind: &Kind,
        triangle: &SetupTriangle,
        where_to: Option<S::mask32s>,
    ) {
        let draw = &scene.view.draws[triangle.draw as usize];
        let source = draw.mesh.triangles[triangle.source as usize];
        let vertices = triangle.order.map(|k| source[usize::from(k)] as usize);

        self.is_small &= doubled_area(triangle.x, triangle.y) < AREA_OF_32_BITS;
        for (k, &place) in triangle.x.iter().chain(&triangle.y).enumerate() {
            let all = S::i32s::simd_from(simd, place);
            self.place[k] = match where_to {
                None => all,
                Some(mask) => mask.select(all, self.place[k]),
            };
        }
        let attributes = &scene.attributes[triangle.draw as usize];
        for (lanes, &vertex) in self.plain.chunks_exact_mut(STEP).zip(&vertices) {
            put(simd, lanes, &attributes[vertex], where_to);
        }
        put(simd, &mut self.plain[DEPTH..FRONT], &triangle.depth, where_to);
        let front = if triangle.is_front { 1.0 } else { -1.0 };
        put(simd, &mut self.plain[FRONT..], &[front], where_to);

        if kind.material.normal.is_some() {
            let mut tangent = [draw.mesh.bitangent_sign[vertices[0]]; TANGENT];
            for (k, &vertex) in vertices.iter().enumerate() {
                for axis in 0..3 {
                    tangent[3 * k + axis] = draw.posed.tangent[axis][vertex];
                }
            }
            put(simd, &mut self.tangent, &tangent, where_to);
        }
        if kind.has_color {
            let mut color = [0.0; COLOR];
            for (color, &vertex) in color.chunks_exact_mut(4).zip(&vertices) {
                color.copy_from_slice(&draw.mesh.colors[vertex].to_array());
            }
            put(simd, &mut self.color, &color, where_to);
        }
    }
}

/// Barycentric coordinates and their slopes over a pixel to the right and a pixel down.
struct Shares<S: Simd> {
    at: Vec3s<S>,
    across: Vec3s<S>,
    down: Vec3s<S>,
}

/// The values at three corners, `step` apart from `first` on, mixed.
#[inline(always)]
fn mix<S: Simd>(values: &[S::f32s], first: usize, step: usize, share: Vec3s<S>) -> S::f32s {
    values[first] * share.x + values[first + step] * share.y + values[first + 2 * step] * share.z
}

/// Three components of the values at three corners, mixed.
#[inline(always)]
fn mix3<S: Simd>(values: &[S::f32s], first: usize, step: usize, share: Vec3s<S>) -> Vec3s<S> {
    Vec3s::new(
        mix(values, first, step, share),
        mix(values, first + 1, step, share),
        mix(values, first + 2, step, share),
    )
}

/// The three components of the value at the first corner.
#[inline(always)]
fn corner3<S: Simd>(values: &[S::f32s], first: usize) -> Vec3s<S> {
    Vec3s::new(values[first], values[first + 1], values[first + 2])
}

/// Growth over a pixel of a function that grows by `to - from` over a unit.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "256")]
fn slope<S: Simd>(from: S::i32s, to: S::i32s) -> S::f32s {
    (to - from).to_float::<S::f32s>() * UNIT as f32
}

#[inline(always)]
fn sum<S: Simd>(values: Vec3s<S>) -> S::f32s {
    values.x + values.y + values.z
}

impl<S: Simd> Corners<S> {
    /// The edge functions at the points, as the nearest floats.
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "the nearest f32 of an exact edge value")]
    fn edge_values(&self, simd: S, at_x: S::i32s, at_y: S::i32s) -> [S::f32s; 3] {
        let lanes = S::i32s::LEN;
        let (x, y) = self.place.split_at(3);
        let mut values = [splat(simd, 0.0); 3];
        if self.is_small {
            for (k, value) in values.iter_mut().enumerate() {
                let (from, to) = ((k + 1) % 3, (k + 2) % 3);
                let exact =
                    (x[to] - x[from]) * (at_y - y[from]) - (y[to] - y[from]) * (at_x - x[from]);
                *value = exact.to_float::<S::f32s>();
            }
        } else {
            for (k, value) in values.iter_mut().enumerate() {
                let (from, to) = ((k + 1) % 3, (k + 2) % 3);
                let mut nearest = [0.0; MAX_LANES];
                for (lane, nearest) in nearest.iter_mut().enumerate().take(lanes) {
                    let (from_x, from_y) =
                        (i64::from(x[from].as_slice()[lane]), i64::from(y[from].as_slice()[lane]));
                    let (to_x, to_y) =
                        (i64::from(x[to].as_slice()[lane]), i64::from(y[to].as_slice()[lane]));
                    let exact = (to_x - from_x) * (i64::from(at_y.as_slice()[lane]) - from_y)
                        - (to_y - from_y) * (i64::from(at_x.as_slice()[lane]) - from_x);
                    *nearest = exact as f32;
                }
                *value = S::f32s::from_slice(simd, &nearest[..lanes]);
            }
        }
        values
    }

    /// See [`super::shade::Surface::shade`].
    #[inline(always)]
    fn shares(&self, simd: S, at_x: S::i32s, at_y: S::i32s) -> Shares<S> {
        let zero = splat(simd, 0.0);
        let depth =
            Vec3s::<S>::new(self.plain[DEPTH], self.plain[DEPTH + 1], self.plain[DEPTH + 2]);
        let (x, y) = self.place.split_at(3);
        let [a, b, c] = self.edge_values(simd, at_x, at_y);
        let values =
            Vec3s::new(max::<S>(a, zero), max::<S>(b, zero), max::<S>(c, zero)).times(depth);
        // Along x an edge function falls by how far its edge goes down.
        let slope_x =
            Vec3s::new(slope::<S>(y[2], y[1]), slope::<S>(y[0], y[2]), slope::<S>(y[1], y[0]))
                .times(depth);
        let slope_y =
            Vec3s::new(slope::<S>(x[1], x[2]), slope::<S>(x[2], x[0]), slope::<S>(x[0], x[1]))
                .times(depth);
        let scale = splat(simd, 1.0) / sum(values);
        let at = values.scaled(scale);
        Shares {
            at,
            across: slope_x.minus(at.scaled(sum(slope_x))).scaled(scale),
            down: slope_y.minus(at.scaled(sum(slope_y))).scaled(scale),
        }
    }

    #[inline(always)]
    fn footprints(&self, share: &Shares<S>) -> Footprints<S> {
        Footprints {
            at: self.texcoord(share.at),
            across: self.texcoord(share.across),
            down: self.texcoord(share.down),
        }
    }

    #[inline(always)]
    fn texcoord(&self, share: Vec3s<S>) -> [S::f32s; 2] {
        [mix(&self.plain, TEXCOORD, STEP, share), mix(&self.plain, TEXCOORD + 1, STEP, share)]
    }
}

#[inline(always)]
fn rgb<S: Simd>(simd: S, color: LinearRgb) -> Vec3s<S> {
    Vec3s::splat(simd, Vec3::new(color.r, color.g, color.b))
}

/// Packets that are shaded step by step together: each step of one has to wait for its step before, those of several do not
/// wait for each other.
pub(super) const BATCH: usize = 4;

/// The points of one packet between the steps of [`shade`].
#[derive(Clone, Copy)]
struct LanePoints<S: Simd> {
    footprints: Footprints<S>,
    position: Vec3s<S>,
    /// The unit normal before the normal map, and after it, turned to the viewer.
    normal: Vec3s<S>,
    front: S::f32s,
    /// Only for normal maps: the tangent, the one of the first corner, and the sign of the bitangent.
    tangent: Vec3s<S>,
    first_tangent: Vec3s<S>,
    bitangent_sign: S::f32s,
    /// Only where vertices have colours.
    color: [S::f32s; 4],
    texel: [S::f32s; 4],
    specular: Vec3s<S>,
    to_eye: Vec3s<S>,
    diffuse: Vec3s<S>,
    highlight: Vec3s<S>,
}

/// What a batch of packets keeps between the steps.
pub(super) struct Bench<S: Simd> {
    points: [LanePoints<S>; BATCH],
    taps: [LaneTaps<S>; BATCH],
    /// Only where lights cast shadows.
    receivers: [Receivers<S>; BATCH],
    /// The light from the points of each packet to the eye: premultiplied linear RGBA, each held to 0..=1. Lanes beyond the
    /// packet's points hold anything.
    pub light: [[S::f32s; 4]; BATCH],
}

impl<S: Simd> Bench<S> {
    #[inline(always)]
    pub fn new(simd: S) -> Self {
        let zero = splat(simd, 0.0);
        let none = Vec3s::new(zero, zero, zero);
        let points = LanePoints {
            footprints: Footprints { at: [zero; 2], across: [zero; 2], down: [zero; 2] },
            position: none,
            normal: none,
            front: zero,
            tangent: none,
            first_tangent: none,
            bitangent_sign: zero,
            color: [zero; 4],
            texel: [zero; 4],
            specular: none,
            to_eye: none,
            diffuse: none,
            highlight: none,
        };
        Self {
            points: [points; BATCH],
            taps: [LaneTaps::none(simd); BATCH],
            receivers: [Receivers::none(simd); BATCH],
            light: [[zero; 4]; BATCH],
        }
    }
}

/// Lights a batch of packets of one kind into [`Bench::light`].
#[inline(always)]
pub(super) fn shade<S: Simd>(
    simd: S,
    scene: &Scene,
    triangles: &[SetupTriangle],
    kind: &Kind,
    packets: &[Packet<S>],
    bench: &mut Bench<S>,
) {
    let material = kind.material;
    let count = packets.len().min(BATCH);
    let Bench { points, taps, receivers, light } = bench;
    let points = &mut points[..count];

    // 1. What is interpolated.
    for ((packet, points), receivers) in packets.iter().zip(points.iter_mut()).zip(&mut *receivers)
    {
        interpolate(simd, scene, triangles, kind, packet, points, receivers);
    }

    // 2. What the textures say; those of one size share the work of finding their texels.
    let texture = |index: Option<usize>| index.map(|index| &scene.view.textures[index]);
    let mut tapped = None;
    if let Some(texture) = texture(material.diffuse) {
        find_texels(simd, texture, points, taps, &mut tapped);
        for (points, taps) in points.iter_mut().zip(taps.iter()) {
            points.texel = if texture.is_opaque {
                let [r, g, b] = taps.sample::<3>(simd, texture);
                // What mixing ones gives.
                [r, g, b, splat(simd, 65535.0 * (1.0 / 65535.0))]
            } else {
                taps.sample::<4>(simd, texture)
            };
        }
    } else {
        for points in points.iter_mut() {
            points.texel = [splat(simd, 1.0); 4];
        }
    }
    let strength = splat(simd, material.specular_strength);
    if let Some(texture) = texture(material.specular) {
        find_texels(simd, texture, points, taps, &mut tapped);
        for (points, taps) in points.iter_mut().zip(taps.iter()) {
            let [r, g, b] = taps.sample::<3>(simd, texture);
            points.specular = Vec3s::<S>::new(r, g, b).scaled(strength);
        }
    } else {
        for points in points.iter_mut() {
            points.specular = Vec3s::new(strength, strength, strength);
        }
    }
    if let Some(texture) = texture(material.normal) {
        find_texels(simd, texture, points, taps, &mut tapped);
        for (points, taps) in points.iter_mut().zip(taps.iter()) {
            let texel = taps.sample::<3>(simd, texture);
            apply_relief(material, points, texel);
        }
    }

    // 3. Light.
    for points in points.iter_mut() {
        // A bump seen from behind is a dent: the whole normal turns, not only its upright part.
        points.normal = points.normal.scaled(points.front);
        let eye = Vec3s::splat(simd, scene.view.camera.eye);
        points.to_eye = eye.minus(points.position).unit_or(points.normal);
        points.diffuse = rgb(simd, scene.view.ambient);
        points.highlight = Vec3s::splat(simd, Vec3::ZERO);
    }
    for (number, light) in scene.view.lights.iter().enumerate() {
        let shadow = scene.shadow_of(number);
        for (points, receivers) in points.iter_mut().zip(&*receivers) {
            add_light(simd, light, material.shininess, points, shadow, receivers);
        }
    }
    for (points, light) in points.iter().zip(light) {
        *light = finish(simd, kind, points);
    }
}

/// Finds the texels of a texture, unless those at hand are of its size.
#[inline(always)]
fn find_texels<S: Simd>(
    simd: S,
    texture: &Texture,
    points: &[LanePoints<S>],
    taps: &mut [LaneTaps<S>; BATCH],
    tapped: &mut Option<[u32; 2]>,
) {
    let size = [texture.levels[0].width, texture.levels[0].height];
    if *tapped != Some(size) {
        *tapped = Some(size);
        for (points, taps) in points.iter().zip(taps) {
            *taps = LaneTaps::new(simd, texture, &points.footprints);
        }
    }
}

/// The first step: attributes from barycentric coordinates.
#[inline(always)]
fn interpolate<S: Simd>(
    simd: S,
    scene: &Scene,
    triangles: &[SetupTriangle],
    kind: &Kind,
    packet: &Packet<S>,
    points: &mut LanePoints<S>,
    receivers: &mut Receivers<S>,
) {
    let corners = Corners::<S>::new(simd, scene, triangles, kind, packet);
    let mut share = corners.shares(simd, packet.x, packet.y);
    if scene.fault == Some(Fault::Share) {
        let bits: S::i32s = share.at.x.bitcast();
        share.at.x = (bits + one_lane(simd)).bitcast();
    }
    points.footprints = corners.footprints(&share);
    points.position = mix3(&corners.plain, POSITION, STEP, share.at);
    points.normal =
        mix3(&corners.plain, NORMAL, STEP, share.at).unit_or(corner3(&corners.plain, NORMAL));
    points.front = corners.plain[FRONT];
    if !scene.shadows.is_empty() {
        let mut places = [points.position; 3];
        let mut normals = [points.normal; 3];
        for (k, (place, normal)) in places.iter_mut().zip(&mut normals).enumerate() {
            *place = corner3(&corners.plain, POSITION + k * STEP);
            *normal = corner3(&corners.plain, NORMAL + k * STEP).scaled(points.front);
        }
        receivers.place = round_places(simd, points.position, share.at, places, normals);
        receivers.normal = points.normal.scaled(points.front);
    }
    if kind.material.normal.is_some() {
        points.tangent = mix3(&corners.tangent, 0, 3, share.at);
        points.first_tangent = corner3(&corners.tangent, 0);
        points.bitangent_sign = corners.tangent[9];
    }
    if kind.has_color {
        for (k, color) in points.color.iter_mut().enumerate() {
            *color = mix(&corners.color, k, 4, share.at);
        }
    }
}

/// 1 in the second lane, else 0: one unit in the last place, for a planted fault.
#[cold]
pub(super) fn one_lane<S: Simd>(simd: S) -> S::i32s {
    let mut lanes = [0; MAX_LANES];
    lanes[1] = 1;
    S::i32s::from_slice(simd, &lanes[..S::i32s::LEN])
}

/// Tilts the normals as a normal map says: see [`super::shade::Surface::shade`].
#[inline(always)]
fn apply_relief<S: Simd>(material: &Material, points: &mut LanePoints<S>, [x, y, z]: [S::f32s; 3]) {
    let (x, y, z) = (x * 2.0 - 1.0, y * 2.0 - 1.0, z * 2.0 - 1.0);
    let (smooth, along) = (points.normal, points.tangent);
    let tangent = along.minus(smooth.scaled(smooth.dot(along))).unit_or(points.first_tangent);
    let bitangent = smooth.cross(tangent).scaled(points.bitangent_sign);
    let up = if material.normal_y_down { -y } else { y };
    points.normal =
        tangent.scaled(x).plus(bitangent.scaled(up)).plus(smooth.scaled(z)).unit_or(smooth);
}

/// Adds what one light does: see [`super::light::light_point`].
#[inline(always)]
fn add_light<S: Simd>(
    simd: S,
    light: &Light,
    shininess: f32,
    points: &mut LanePoints<S>,
    shadow: Option<&ShadowMap>,
    receivers: &Receivers<S>,
) {
    let normal = points.normal;
    let (to_light, color) = match *light {
        Light::Directional { to_light, color } => (Vec3s::splat(simd, to_light), rgb(simd, color)),
        Light::Point { position: place, color, reach } => {
            let offset = Vec3s::splat(simd, place).minus(points.position);
            let nearest = splat(simd, f32::MIN_POSITIVE);
            let falloff = splat(simd, reach * reach) / max::<S>(offset.dot(offset), nearest);
            (offset.unit_or(normal), rgb(simd, color).scaled(falloff))
        }
        Light::Hemisphere { sky, ground } => {
            let (sky, ground) = (rgb(simd, sky), rgb(simd, ground));
            let part = normal.y * 0.5 + 0.5;
            points.diffuse = points.diffuse.plus(ground.plus(sky.minus(ground).scaled(part)));
            return;
        }
    };
    let facing = normal.dot(to_light);
    let is_lit = facing.simd_gt(0.0);
    if is_lit.any_true() {
        let color = match shadow {
            None => color,
            Some(map) => color.scaled(visibilities(simd, map, receivers, is_lit)),
        };
        let diffuse = points.diffuse;
        points.diffuse = diffuse.plus(color.scaled(facing)).where_or(is_lit, diffuse);
        let half = to_light.plus(points.to_eye).unit_or(normal);
        let cosine = max::<S>(normal.dot(half), splat(simd, 0.0));
        let power = pow_unit(simd, min::<S>(cosine, splat(simd, 1.0)), shininess);
        let highlight = points.highlight;
        points.highlight = highlight.plus(color.scaled(power)).where_or(is_lit, highlight);
    }
}

/// The last step: what the surface makes of its light.
#[inline(always)]
fn finish<S: Simd>(simd: S, kind: &Kind, points: &LanePoints<S>) -> [S::f32s; 4] {
    let (material, texel, color) = (kind.material, &points.texel, &points.color);
    let one = splat(simd, 1.0);
    let alpha = match material.alpha {
        AlphaMode::Blend => {
            let opacity = texel[3] * material.opacity;
            if kind.has_color { opacity * color[3] } else { opacity }
        }
        AlphaMode::Opaque | AlphaMode::Mask { .. } => one,
    };
    let straight = texel[3].simd_gt(0.0).select(one / texel[3], splat(simd, 0.0));
    let base = Vec3s::<S>::new(texel[0], texel[1], texel[2])
        .scaled(straight)
        .times(rgb(simd, material.color));
    let base =
        if kind.has_color { base.times(Vec3s::new(color[0], color[1], color[2])) } else { base };
    let color = base
        .times(points.diffuse)
        .plus(points.specular.times(points.highlight))
        .plus(rgb(simd, material.emissive));
    [
        clamp(simd, color.x, 0.0, 1.0) * alpha,
        clamp(simd, color.y, 0.0, 1.0) * alpha,
        clamp(simd, color.z, 0.0, 1.0) * alpha,
        alpha,
    ]
}

/// Where the alpha mask of one triangle, no piece of a clipped one, is solid: [`super::shade::Surface::alpha`].
pub(super) struct MaskProbe<'a, S: Simd> {
    simd: S,
    material: &'a Material,
    texture: Option<&'a Texture>,
    has_color: bool,
    corners: Corners<S>,
    cutoff: f32,
}

impl<'a, S: Simd> MaskProbe<'a, S> {
    #[inline(always)]
    pub fn new(
        simd: S,
        scene: &Scene<'a>,
        kind: &Kind<'a>,
        triangle: &SetupTriangle,
        cutoff: f32,
    ) -> Self {
        let mut corners = Corners::empty(simd);
        corners.put(simd, scene, kind, triangle, None);
        let texture = kind.material.diffuse.map(|index| &scene.view.textures[index]);
        let Kind { material, has_color } = *kind;
        Self { simd, material, texture, has_color, corners, cutoff }
    }
}

impl<S: Simd> Solid<S> for MaskProbe<'_, S> {
    #[inline(always)]
    fn solid(&mut self, x: S::i32s, y: S::i32s, wanted: S::mask32s) -> S::mask32s {
        let simd = self.simd;
        let mut opacity = splat(simd, self.material.opacity);
        if self.texture.is_some() || self.has_color {
            let share = self.corners.shares(simd, x, y);
            let texel = match self.texture {
                Some(texture) => {
                    let footprints = self.corners.footprints(&share);
                    LaneTaps::new(simd, texture, &footprints).sample::<4>(simd, texture)[3]
                }
                None => splat(simd, 1.0),
            };
            opacity = texel * opacity;
            if self.has_color {
                opacity *= mix(&self.corners.color, 3, 4, share.at);
            }
        }
        wanted & opacity.simd_ge(self.cutoff)
    }
}

/// Where something is solid, asked one sample at a time.
pub(super) struct PlainProbe<'a, F: Fn(i32, i32) -> bool>(pub &'a F);

impl<S: Simd, F: Fn(i32, i32) -> bool> Solid<S> for PlainProbe<'_, F> {
    #[inline(always)]
    fn solid(&mut self, x: S::i32s, y: S::i32s, wanted: S::mask32s) -> S::mask32s {
        let mut left = wanted.to_bitmask();
        let mut solid = 0;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            if (self.0)(x.as_slice()[lane], y.as_slice()[lane]) {
                solid |= 1 << lane;
            }
        }
        S::mask32s::from_bitmask(x.token(), solid)
    }
}
