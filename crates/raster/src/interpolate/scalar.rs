//! Interpolation at one point: the definition of [`crate::interpolate::lanes`].
//!
//! Points have the same fixed-point positions as in coverage, so coverage and attributes agree
//! exactly: the edge functions at a point are its barycentric coordinates.
//!
//! # Source
//! Perspective-correct interpolation: Blinn, "Hyperbolic Interpolation", IEEE CG&A 12(4), 1992.
//! With edge function `e_k` and `W_k = e_k / w_k`, the coordinate is `b_k = W_k / ΣW`, and its
//! slope along x is `(W_k' - b_k ΣW') / ΣW`. The three slopes sum to 0, so an attribute grows by
//! `(a_1 - a_0) b_1' + (a_2 - a_0) b_2'`.

use crate::geometry::chunk::TriangleId;
use crate::geometry::context::GeometryContext;
use crate::geometry::edge::{Edge, UNIT, triangle_edges};
use crate::texture::footprint::Footprint;
use crate::texture::sample_filtered;
use crate::view::Draw;
use tintype_model::math::{Vec2, Vec3, Vec4, max};
use tintype_model::{Material, Texture, TextureCoordinates, TextureRole};

/// Barycentric coordinates, and the growth of the second and the third per pixel to the right and
/// per pixel down; the first falls by their sum.
pub(crate) struct Barycentric {
    pub at: Vec3,
    across: Vec2,
    down: Vec2,
}

/// One triangle, ready to be interpolated at any of its points.
pub(crate) struct Interpolants<'a> {
    geometry: &'a GeometryContext<'a>,
    pub draw: &'a Draw<'a>,
    pub material: &'a Material,
    edges: [Edge; 3],
    /// 1/w at the corners; 1 without perspective.
    over_w: [f32; 3],
    /// For a piece of a clipped triangle: barycentric coordinates of its corners in the source
    /// triangle.
    pub piece: Option<[Vec3; 3]>,
    /// Vertices of the source triangle; in the order of the corners unless this is a piece.
    pub vertices: [usize; 3],
    texcoord: [Vec2; 3],
    /// Second texture coordinates; zero unless a texture of the material uses them.
    second_texcoord: [Vec2; 3],
    /// Straight vertex colours, if the mesh has any.
    color: Option<[Vec4; 3]>,
    pub is_front: bool,
}

fn mix2(values: [Vec2; 3], barycentric: Vec3) -> Vec2 {
    values[0] * barycentric.x + values[1] * barycentric.y + values[2] * barycentric.z
}

fn mix4(values: [Vec4; 3], barycentric: Vec3) -> Vec4 {
    values[0] * barycentric.x + values[1] * barycentric.y + values[2] * barycentric.z
}

/// The values at three corners, mixed.
pub(crate) fn mix3(values: [Vec3; 3], barycentric: Vec3) -> Vec3 {
    values[0] * barycentric.x + values[1] * barycentric.y + values[2] * barycentric.z
}

impl<'a> Interpolants<'a> {
    pub(crate) fn new(geometry: &'a GeometryContext<'a>, id: TriangleId) -> Self {
        let triangle = geometry.triangle(id);
        let draw = &geometry.draws[triangle.draw as usize];
        let source = draw.triangles[triangle.source as usize].map(|vertex| vertex as usize);
        let corners = geometry.barycentrics(id, &triangle);
        let piece = corners.map(|corners| corners.map(Vec3::from_array));
        let vertices = match piece {
            Some(_) => source,
            None => triangle.order().map(|k| source[k]),
        };
        Self {
            geometry,
            draw,
            material: &geometry.materials[draw.material],
            edges: triangle_edges(triangle.x, triangle.y),
            over_w: if geometry.is_orthographic { [1.0; 3] } else { triangle.depth },
            piece,
            vertices,
            texcoord: vertices.map(|vertex| draw.mesh.texcoords[vertex]),
            second_texcoord: vertices
                .map(|vertex| draw.mesh.second_texcoords.get(vertex).copied().unwrap_or_default()),
            color: (!draw.mesh.colors.is_empty())
                .then(|| vertices.map(|vertex| draw.mesh.colors[vertex])),
            is_front: triangle.is_front(),
        }
    }

    /// Coordinates at a point inside the triangle, or at most half a unit outside.
    #[expect(clippy::cast_precision_loss, reason = "the nearest f32 of an exact edge value")]
    pub(crate) fn barycentric(&self, x: i32, y: i32) -> Barycentric {
        const PIXEL: f32 = UNIT as f32;
        let over_w = |values: [f32; 3]| {
            Vec3::new(
                values[0] * self.over_w[0],
                values[1] * self.over_w[1],
                values[2] * self.over_w[2],
            )
        };
        // A centroid is rounded to a unit, which may move it slightly outside: clamp it to the
        // edge.
        let values = over_w(self.edges.map(|edge| max(edge.value(x, y) as f32, 0.0)));
        let slope_x = over_w(self.edges.map(|edge| edge.along_x as f32));
        let slope_y = over_w(self.edges.map(|edge| edge.along_y as f32));
        let sum = |values: Vec3| values.x + values.y + values.z;
        let scale = 1.0 / sum(values);
        let at = values * scale;
        #[cfg(test)]
        let at = crate::fault::barycentric(self.geometry.fault, x, at);
        let growth = |slope: Vec3| {
            let sum = sum(slope);
            let scale = scale * PIXEL;
            Vec2::new((slope.y - at.y * sum) * scale, (slope.z - at.z * sum) * scale)
        };
        let local = Barycentric { at, across: growth(slope_x), down: growth(slope_y) };
        match self.piece {
            None => local,
            Some(corners) => {
                let growth = |growth: Vec2| {
                    let [first, second] = [corners[1] - corners[0], corners[2] - corners[0]];
                    let growth = first * growth.x + second * growth.y;
                    Vec2::new(growth.y, growth.z)
                };
                Barycentric {
                    at: mix3(corners, at),
                    across: growth(local.across),
                    down: growth(local.down),
                }
            }
        }
    }

    /// The footprint of a pixel on the texture of a role.
    pub(crate) fn footprint(&self, barycentric: &Barycentric, role: TextureRole) -> Footprint {
        let coordinates = self.material.coordinates_of(role);
        let footprint = self.unmoved(barycentric, coordinates);
        let footprint = match self.material.masked_motion() {
            Some((motion, mask)) if role != TextureRole::MotionMask => {
                let own = self.footprint(barycentric, TextureRole::MotionMask);
                let share = sample_filtered(&self.geometry.textures[mask], &own, 1).z;
                footprint.moved(motion, share)
            }
            _ => footprint,
        };
        coordinates.map_or(footprint, |own| footprint.on(own))
    }

    /// The footprint of a pixel in a set of texture coordinates.
    fn unmoved(
        &self,
        barycentric: &Barycentric,
        coordinates: Option<&TextureCoordinates>,
    ) -> Footprint {
        let texcoord = match coordinates {
            Some(own) if own.is_second => self.second_texcoord,
            _ => self.texcoord,
        };
        let [first, second, third] = texcoord;
        let (to_second, to_third) = (second - first, third - first);
        let growth = |growth: Vec2| to_second * growth.x + to_third * growth.y;
        Footprint {
            at: mix2(texcoord, barycentric.at),
            across: growth(barycentric.across),
            down: growth(barycentric.down),
        }
    }

    /// Growth of the interpolation of three vectors per pixel to the right and per pixel down.
    pub(crate) fn growth3(values: [Vec3; 3], barycentric: &Barycentric) -> [Vec3; 2] {
        let (to_second, to_third) = (values[1] - values[0], values[2] - values[0]);
        [barycentric.across, barycentric.down]
            .map(|growth| to_second * growth.x + to_third * growth.y)
    }

    /// True if the vertices have colours.
    pub(crate) fn has_color(&self) -> bool {
        self.color.is_some()
    }

    /// The straight vertex colour at a point, if the mesh has colours.
    pub(crate) fn color(&self, barycentric: &Barycentric) -> Option<Vec4> {
        self.color.map(|color| mix4(color, barycentric.at))
    }

    /// The texture of an index of the material.
    pub(crate) fn texture(&self, index: Option<usize>) -> Option<&'a Texture> {
        index.map(|index| &self.geometry.textures[index])
    }

    /// Most probes per texture and point.
    pub(crate) fn anisotropy(&self) -> u32 {
        self.geometry.anisotropy
    }
}
