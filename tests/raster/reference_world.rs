//! Worlds described to the shading oracle.

use tintype_model::math::{Mat3, Vec3};
use tintype_model::{
    AlphaMode, CullMode, FovAxis, Light, LinearRgb, Material, ShadingModel, TextureKind,
};
use tintype_raster::Background;

use crate::reference::{shade, texture};
use crate::world::{Piece, World};

impl World {
    /// The same for the oracle.
    pub(crate) fn reference(&self) -> shade::Scene {
        let textures: Vec<texture::Texture> = self
            .images
            .iter()
            .map(|(image, kind)| {
                let kind = match kind {
                    TextureKind::OpaqueColor => texture::Kind::Opaque,
                    TextureKind::AlphaColor | TextureKind::Coverage => texture::Kind::Alpha,
                    TextureKind::Data => texture::Kind::Data,
                };
                texture::Texture::new(image.width, image.height, &image.rgba, kind)
            })
            .collect();
        let surfaces = self
            .pieces
            .iter()
            .map(|piece| shade::Surface {
                triangles: triangles_of(piece),
                material: material_of(&self.materials[piece.material], piece, &textures),
            })
            .collect();
        let Mat3 { x_axis, y_axis, z_axis } = self.camera.world_from_view;
        let aspect = f64::from(self.size[0]) / f64::from(self.size[1]);
        let half_tangents = match self.camera.fov {
            FovAxis::Vertical(angle) => {
                let upward = libm::tan(f64::from(angle) * 0.5);
                [upward * aspect, upward]
            }
            FovAxis::Horizontal(angle) => {
                let across = libm::tan(f64::from(angle) * 0.5);
                [across, across / aspect]
            }
            FovAxis::Parallel(height) => {
                let upward = f64::from(height) * 0.5;
                [upward * aspect, upward]
            }
            FovAxis::Matrix(_) => panic!("the reference has no matrices"),
        };
        shade::Scene {
            size: self.size,
            anisotropy: self.anisotropy,
            camera: shade::Camera {
                eye: v3(self.camera.eye),
                right: v3(x_axis),
                up: v3(y_axis),
                back: v3(z_axis),
                half_tangents,
                is_orthographic: self.camera.is_orthographic(),
                near: f64::from(self.camera.near),
            },
            ambient: rgb(self.ambient),
            lights: self.lights.iter().map(light_of).collect(),
            background: match self.background {
                Background::Transparent => [[0.0; 4]; 2],
                Background::Gradient { top, bottom } => [top, bottom].map(|color| {
                    let [r, g, b] = rgb(color);
                    [r, g, b, 1.0]
                }),
            },
            surfaces,
        }
    }
}

fn v3(vector: Vec3) -> shade::V3 {
    vector.to_array().map(f64::from)
}

fn rgb(color: LinearRgb) -> shade::V3 {
    [color.r, color.g, color.b].map(f64::from)
}

fn triangles_of(piece: &Piece) -> Vec<[shade::Vertex; 3]> {
    let vertex = |index: u32| {
        let at = index as usize;
        shade::Vertex {
            position: v3(piece.posed.position_at(at)),
            normal: v3(piece.posed.normal_at(at)),
            tangent: v3(piece.posed.tangent_at(at)),
            sign: f64::from(piece.mesh.bitangent_sign[at]),
            uv: piece.mesh.texcoords[at].to_array().map(f64::from),
        }
    };
    piece.mesh.triangles.iter().map(|corners| corners.map(vertex)).collect()
}

fn material_of(
    material: &Material,
    piece: &Piece,
    textures: &[texture::Texture],
) -> shade::Material {
    let texture = |index: Option<usize>| index.map(|index| textures[index].clone());
    shade::Material {
        color: rgb(material.color),
        opacity: f64::from(material.opacity),
        diffuse: texture(material.diffuse),
        normal: texture(material.normal),
        normal_y_down: material.normal_y_down,
        specular: texture(material.specular),
        specular_strength: f64::from(material.specular_strength),
        specular_color: rgb(material.specular_color),
        shininess: f64::from(material.shininess),
        emissive: rgb(material.emissive),
        glow: texture(material.emissive_map),
        alpha: match material.alpha {
            AlphaMode::Opaque => shade::Alpha::Opaque,
            AlphaMode::Mask { cutoff } => shade::Alpha::Mask(f64::from(cutoff)),
            AlphaMode::Blend => shade::Alpha::Blend,
            AlphaMode::Add => shade::Alpha::Add,
            AlphaMode::Multiply => shade::Alpha::Multiply,
        },
        cull: match material.cull {
            CullMode::None | CullMode::Auto => shade::Cull::None,
            CullMode::Back => shade::Cull::Back,
            CullMode::Front => shade::Cull::Front,
        },
        is_fixed_function: material.shading == ShadingModel::FixedFunction,
        // All vertices of a piece have one colour in the oracle.
        vertex_color: piece.mesh.colors.first().map(|color| color.to_array().map(f64::from)),
    }
}

fn light_of(light: &Light) -> shade::Light {
    match *light {
        Light::Directional { to_light, color } => {
            shade::Light::Directional { to_light: v3(to_light), color: rgb(color) }
        }
        Light::Point { position, color, reach, .. } => shade::Light::Point {
            position: v3(position),
            color: rgb(color),
            reach: f64::from(reach),
        },
        Light::Hemisphere { sky, ground } => {
            shade::Light::Hemisphere { sky: rgb(sky), ground: rgb(ground) }
        }
    }
}
