//! What a triangle looks like at one point: attributes from barycentric coordinates, textures, light.
//!
//! A [`Surface`] is the shading side of one set-up triangle. Its points are given in the same fixed-point places as coverage, so
//! coverage and attributes agree exactly: the edge functions at a point are its barycentric coordinates.
//!
//! # Source
//! Perspective-correct interpolation: Blinn, "Hyperbolic Interpolation", IEEE CG&A 12(4), 1992. With edge function `e_k`
//! and `W_k = e_k / w_k`, the coordinate is `b_k = W_k / ΣW`, and its slope along x is `(W_k' - b_k ΣW') / ΣW`. The three slopes
//! sum to 0, so an attribute grows by `(a_1 - a_0) b_1' + (a_2 - a_0) b_2'`.

use crate::math::func::UnitPower;
use crate::math::{Vec2, Vec3, Vec4, clamp, max, unit_or};
use crate::model::{AlphaMode, Material, Texture};
use crate::raster::fault::Fault;
use crate::raster::fragments::centroid::Centroids;
use crate::raster::geometry::chunk::{Chunk, TriangleId};
use crate::raster::geometry::edge::{Edge, SamplePattern, UNIT, triangle_edges};
use crate::raster::geometry::rays::Rays;
use crate::raster::geometry::triangle::SetupTriangle;
use crate::raster::geometry::vertex_table::VertexTable;
use crate::raster::ground::scalar::Ground;
use crate::raster::shading::light::{Lit, light_point_in_shadow, rgb};
use crate::raster::shadow::map::ShadowMap;
use crate::raster::shadow::receiver::round_place;
use crate::raster::texture::anisotropic::scalar::Row;
use crate::raster::texture::footprint::Footprint;
use crate::raster::texture::sample_filtered;
use crate::raster::texture::trilinear::scalar::Taps;
use crate::raster::view::View;

/// What all tiles of a picture share.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub view: &'a View<'a>,
    pub chunks: &'a [Chunk],
    pub pattern: SamplePattern,
    pub centroids: &'a Centroids,
    pub table: &'a VertexTable,
    pub rays: &'a Rays,
    /// Per material: half the exponent of its highlight.
    pub powers: &'a [UnitPower],
    /// Whether light depends on where points are, beyond their rays.
    pub has_places: bool,
    /// What is computed wrong on purpose.
    pub fault: Option<Fault>,
    /// Per light; empty where none casts a shadow.
    pub shadows: &'a [Option<ShadowMap>],
    pub ground: Option<&'a Ground>,
}

/// What [`Scene::powers`] needs.
pub(crate) fn powers_of(view: &View) -> Vec<UnitPower> {
    view.materials.iter().map(|material| UnitPower::new(0.5 * material.shininess)).collect()
}

impl<'a> Scene<'a> {
    /// The shadow of a light.
    #[inline(always)]
    pub fn shadow_of(&self, light: usize) -> Option<&'a ShadowMap> {
        self.shadows.get(light).and_then(Option::as_ref)
    }

    /// What alpha means to a set-up triangle.
    #[inline(always)]
    pub fn alpha(&self, triangle: &SetupTriangle) -> AlphaMode {
        self.view.materials[self.view.draws[triangle.draw as usize].material].alpha
    }

    /// The material of a set-up triangle.
    pub fn material(&self, id: TriangleId) -> &'a Material {
        let (_, triangle) = id.of(self.chunks);
        let draw = &self.view.draws[triangle.draw as usize];
        &self.view.materials[draw.material]
    }
}

/// One triangle, ready to be shaded at any of its points.
pub(crate) struct Surface<'a> {
    scene: Scene<'a>,
    material: &'a Material,
    edges: [Edge; 3],
    depth: [f32; 3],
    /// For a piece of a clipped triangle: its corners' barycentric coordinates in the source.
    shares: Option<[Vec3; 3]>,
    /// The source's vertices; in the order of the corners unless `shares` is used.
    texcoord: [Vec2; 3],
    position: [Vec3; 3],
    normal: [Vec3; 3],
    tangent: [Vec3; 3],
    /// Straight colours of the vertices, if the mesh has any.
    color: Option<[Vec4; 3]>,
    bitangent_sign: f32,
    is_front: bool,
    half_shininess: UnitPower,
}

/// Barycentric coordinates, and how the second and the third grow over a pixel to the right and a pixel down; the first falls by
/// as much.
struct Barycentric {
    at: Vec3,
    across: Vec2,
    down: Vec2,
}

/// Samples the textures of one point; those of one size share the work of finding their texels.
struct Sampler {
    footprint: Footprint,
    /// Probes a texture; with 1 the taps are used.
    most: u32,
    taps: Option<Taps>,
}

impl Sampler {
    fn sample(&mut self, texture: &Texture) -> Vec4 {
        if self.most > 1 {
            return Row::new(texture, &self.footprint, self.most).sample(texture);
        }
        let taps = match &mut self.taps {
            Some(taps) if taps.fit(texture) => taps,
            other => other.insert(Taps::new(texture, &self.footprint)),
        };
        taps.sample(texture)
    }
}

fn mix2(values: [Vec2; 3], share: Vec3) -> Vec2 {
    values[0] * share.x + values[1] * share.y + values[2] * share.z
}

fn mix4(values: [Vec4; 3], share: Vec3) -> Vec4 {
    values[0] * share.x + values[1] * share.y + values[2] * share.z
}

fn mix3(values: [Vec3; 3], share: Vec3) -> Vec3 {
    values[0] * share.x + values[1] * share.y + values[2] * share.z
}

impl<'a> Surface<'a> {
    pub fn new(scene: Scene<'a>, id: TriangleId) -> Self {
        let (chunk, triangle) = id.of(scene.chunks);
        let draw = &scene.view.draws[triangle.draw as usize];
        let source = draw.mesh.triangles[triangle.source as usize].map(|vertex| vertex as usize);
        let shares =
            triangle.piece().map(|piece| chunk.shares[piece as usize].map(Vec3::from_array));
        let vertices = match shares {
            Some(_) => source,
            None => triangle.order().map(|k| source[k]),
        };
        let material = &scene.view.materials[draw.material];
        Self {
            scene,
            material,
            edges: triangle_edges(triangle.x, triangle.y),
            depth: triangle.depth,
            shares,
            texcoord: vertices.map(|vertex| draw.mesh.texcoords[vertex]),
            position: vertices.map(|vertex| draw.posed.position_at(vertex)),
            normal: vertices.map(|vertex| draw.posed.normal_at(vertex)),
            tangent: match material.normal {
                Some(_) => vertices.map(|vertex| draw.posed.tangent_at(vertex)),
                None => [Vec3::ZERO; 3],
            },
            color: (!draw.mesh.colors.is_empty())
                .then(|| vertices.map(|vertex| draw.mesh.colors[vertex])),
            bitangent_sign: draw.mesh.bitangent_sign[vertices[0]],
            is_front: triangle.is_front(),
            half_shininess: scene.powers[draw.material],
        }
    }

    /// The same seen without perspective, as a light sees it.
    pub fn without_perspective(self) -> Self {
        Self { depth: [1.0; 3], ..self }
    }

    /// Coordinates at a point inside the triangle, or at most half a unit outside.
    #[expect(clippy::cast_precision_loss, reason = "the nearest f32 of an exact edge value")]
    fn barycentric(&self, x: i32, y: i32) -> Barycentric {
        const PIXEL: f32 = UNIT as f32;
        let over_w = |values: [f32; 3]| {
            Vec3::new(
                values[0] * self.depth[0],
                values[1] * self.depth[1],
                values[2] * self.depth[2],
            )
        };
        // A centroid is rounded to a unit, which may put it a hair outside: hold it to the edge.
        let values = over_w(self.edges.map(|edge| max(edge.value(x, y) as f32, 0.0)));
        let slope_x = over_w(self.edges.map(|edge| edge.along_x as f32));
        let slope_y = over_w(self.edges.map(|edge| edge.along_y as f32));
        let sum = |values: Vec3| values.x + values.y + values.z;
        let scale = 1.0 / sum(values);
        let mut at = values * scale;
        if self.scene.fault == Some(Fault::Share) && (x / UNIT) & 1 == 1 {
            at.x = f32::from_bits(at.x.to_bits() + 1);
        }
        let growth = |slope: Vec3| {
            let sum = sum(slope);
            let scale = scale * PIXEL;
            Vec2::new((slope.y - at.y * sum) * scale, (slope.z - at.z * sum) * scale)
        };
        let local = Barycentric { at, across: growth(slope_x), down: growth(slope_y) };
        match self.shares {
            None => local,
            Some(shares) => {
                let growth = |growth: Vec2| {
                    let [first, second] = [shares[1] - shares[0], shares[2] - shares[0]];
                    let growth = first * growth.x + second * growth.y;
                    Vec2::new(growth.y, growth.z)
                };
                Barycentric {
                    at: mix3(shares, at),
                    across: growth(local.across),
                    down: growth(local.down),
                }
            }
        }
    }

    fn footprint(&self, share: &Barycentric) -> Footprint {
        let [first, second, third] = self.texcoord;
        let (to_second, to_third) = (second - first, third - first);
        let growth = |growth: Vec2| to_second * growth.x + to_third * growth.y;
        Footprint {
            at: mix2(self.texcoord, share.at),
            across: growth(share.across),
            down: growth(share.down),
        }
    }

    fn texture(&self, index: Option<usize>) -> Option<&'a Texture> {
        index.map(|index| &self.scene.view.textures[index])
    }

    /// The alpha of the diffuse texture and of the vertex colours at a point, times the material's opacity.
    pub fn alpha(&self, x: i32, y: i32) -> f32 {
        let texture = self.texture(self.material.diffuse);
        if texture.is_none() && self.color.is_none() {
            return self.material.opacity;
        }
        let share = self.barycentric(x, y);
        let most = self.scene.view.anisotropy;
        let texel =
            texture.map_or(1.0, |map| sample_filtered(map, &self.footprint(&share), most).w);
        let opacity = texel * self.material.opacity;
        self.color.map_or(opacity, |color| opacity * mix4(color, share.at).w)
    }

    /// The light from a point to the eye: premultiplied linear RGBA, each held to 0..=1.
    pub fn shade(&self, x: i32, y: i32) -> Vec4 {
        let (view, material) = (self.scene.view, self.material);
        let share = self.barycentric(x, y);
        let (footprint, most) = (self.footprint(&share), view.anisotropy);
        let mut sampler = Sampler { footprint, most, taps: None };

        // 1. What the surface is made of.
        let texel = match self.texture(material.diffuse) {
            Some(texture) => sampler.sample(texture),
            None => Vec4::ONE,
        };
        let color = self.color.map(|color| mix4(color, share.at));
        let alpha = match material.alpha {
            AlphaMode::Blend | AlphaMode::Add | AlphaMode::Multiply => {
                let opacity = texel.w * material.opacity;
                color.map_or(opacity, |color| opacity * color.w)
            }
            AlphaMode::Opaque | AlphaMode::Mask { .. } => 1.0,
        };
        let straight = if texel.w > 0.0 { 1.0 / texel.w } else { 0.0 };
        let base = texel.truncate() * straight * rgb(material.color);
        let base = color.map_or(base, |color| base * color.truncate());
        let specular = match self.texture(material.specular) {
            Some(texture) => sampler.sample(texture).truncate(),
            None => Vec3::ONE,
        } * material.specular_strength;

        let glow = match self.texture(material.glow) {
            Some(texture) => rgb(material.emissive) * sampler.sample(texture).truncate(),
            None => rgb(material.emissive),
        };

        // 2. Which way it faces.
        let position = mix3(self.position, share.at);
        let normal = self.facing(&share, &mut sampler);

        // 3. Light.
        let lit = Lit {
            position,
            normal,
            to_eye: self.scene.rays.back(x, y),
            base,
            specular,
            half_shininess: self.half_shininess,
            emissive: glow,
        };
        let receiver = self.receiver(&share, position);
        let visible = |light: usize| match (self.scene.shadow_of(light), receiver) {
            (Some(map), Some((place, normal))) => map.visibility(place, normal),
            _ => 1.0,
        };
        let color = light_point_in_shadow(&lit, view.ambient, view.lights, visible);
        let held = [color.x, color.y, color.z].map(|value| clamp(value, 0.0, 1.0) * alpha);
        Vec4::new(held[0], held[1], held[2], alpha)
    }

    /// Where a point stands for its shadow, and its normal without the normal map; none where no light casts one.
    fn receiver(&self, share: &Barycentric, position: Vec3) -> Option<(Vec3, Vec3)> {
        if self.scene.shadows.is_empty() {
            return None;
        }
        let front = if self.is_front { 1.0 } else { -1.0 };
        let normals = self.normal.map(|normal| normal * front);
        let place = round_place(position, share.at, self.position, normals);
        let smooth = unit_or(mix3(self.normal, share.at), self.normal[0]) * front;
        Some((place, smooth))
    }

    /// The unit normal at a point, with the normal map applied, turned to the viewer.
    fn facing(&self, share: &Barycentric, sampler: &mut Sampler) -> Vec3 {
        let smooth = unit_or(mix3(self.normal, share.at), self.normal[0]);
        let normal = match self.texture(self.material.normal) {
            None => smooth,
            Some(texture) => {
                let texel = sampler.sample(texture).truncate();
                let map = texel * 2.0 - Vec3::ONE;
                let along = mix3(self.tangent, share.at);
                let tangent = unit_or(along - smooth * smooth.dot(along), self.tangent[0]);
                let bitangent = smooth.cross(tangent) * self.bitangent_sign;
                let up = if self.material.normal_y_down { -map.y } else { map.y };
                unit_or(tangent * map.x + bitangent * up + smooth * map.z, smooth)
            }
        };
        // A bump seen from behind is a dent: the whole normal turns, not only its upright part.
        if self.is_front { normal } else { -normal }
    }
}
