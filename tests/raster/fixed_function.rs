//! Materials of `.x` files against the fixed-function equation of Direct3D 9 in `f64`: as worlds
//! for the oracle, and as files.
//!
//! ```text
//! diffuse  = min(1, emissive + M · (ambient + Σ C max(N·L, 0)))        M: colour of the vertex, else of the material
//! specular = S · Σ C max(N·H, 0)^power where N·L > 0                   H = normalize(L + V)
//! colour   = min(1, texture · diffuse + specular)
//! ```

use crate::reference::texture::{encoded, linear};
use crate::shading::{assert_matches, sun, wall, wall_world};
use crate::world::{World, picture, torus};
use std::fmt::Write;
use tintype_formats::LoadOptions;
use tintype_model::math::Vec3;
use tintype_model::math::Vec4;
use tintype_model::{AlphaMode, CullMode, LinearRgb, Material, ShadingModel, TextureKind};
use tintype_raster::RasterOptions;
use tintype_render::Renderer;
use tintype_scene::{FrameNumber, parse_scene};

fn modulated() -> Material {
    Material {
        shading: ShadingModel::FixedFunction,
        diffuse: Some(0),
        specular_strength: 0.0,
        color: LinearRgb::new(0.7, 0.5, 0.6),
        cull: CullMode::None,
        ..Material::new("modulated")
    }
}

fn textured_wall(light: f32) -> World {
    let mut world = wall_world(1);
    world.lights = vec![sun(light)];
    world.images = vec![
        (picture(64, 64, 7, |_, _| 255), TextureKind::OpaqueColor),
        (picture(32, 16, 3, |_, _| 255), TextureKind::OpaqueColor),
    ];
    world.pieces = vec![wall(1.0, 0)];
    world
}

#[test]
fn fixed_function_terms_combine_as_in_the_oracle() {
    let shiny = |specular| Material {
        specular_strength: 1.0,
        specular_color: LinearRgb::new(0.9, 0.2, 0.4),
        shininess: 12.0,
        specular,
        ..modulated()
    };
    let own_light = LinearRgb::new(0.2, 0.4, 0.1);
    let cases = [
        ("diffuse", 0.6, modulated()),
        ("emissive", 0.4, Material { emissive: own_light, ..modulated() }),
        (
            "emissive alone",
            0.0,
            Material { color: LinearRgb::BLACK, emissive: own_light, ..modulated() },
        ),
        ("the sum is held to 1", 3.0, Material { emissive: own_light, ..modulated() }),
        ("specular after the texture", 0.8, shiny(None)),
        ("specular map", 0.8, shiny(Some(1))),
        (
            "map of own light",
            0.5,
            Material { emissive_map: Some(1), emissive: own_light, ..shiny(None) },
        ),
        ("no texture", 0.8, Material { diffuse: None, emissive: own_light, ..shiny(None) }),
    ];
    for (name, light, material) in cases {
        for anisotropy in [1, 8] {
            let mut world = textured_wall(light);
            world.anisotropy = anisotropy;
            world.materials = vec![material.clone()];
            if material.diffuse.is_none() {
                world.pieces = vec![torus(Vec3::new(0.0, 0.0, -0.3), 1.0, 0.7, 60, 40, 0)];
            }
            let share = if material.diffuse.is_none() { 0.02 } else { 0.6 };
            assert_matches(&world, share, &format!("{name}, {anisotropy} probes"));
        }
    }
}

#[test]
fn fixed_function_takes_colour_and_alpha_of_vertices() {
    for alpha in [AlphaMode::Opaque, AlphaMode::Blend] {
        let mut world = textured_wall(0.7);
        world.materials = vec![Material { alpha, opacity: 0.3, ..modulated() }];
        let mesh = &mut world.pieces[0].mesh;
        mesh.colors = vec![Vec4::new(0.9, 0.3, 0.8, 0.75); mesh.texcoords.len()];
        assert_matches(&world, 0.6, &format!("vertex colours, {alpha:?}"));
    }
}

/// One hand-made file: the numbers of its material, as written.
#[derive(Clone)]
struct Case {
    face: [f64; 4],
    power: f64,
    specular: [f64; 3],
    emissive: [f64; 3],
    /// Codes of the texture, if there is one.
    texture: Option<[u8; 3]>,
    /// Colour of all vertices.
    vertex: Option<[f64; 4]>,
    ambient: f64,
    sun: f64,
}

const PLAIN: Case = Case {
    face: [0.8, 0.6, 0.7, 1.0],
    power: 0.0,
    specular: [0.0; 3],
    emissive: [0.0; 3],
    texture: Some([200, 120, 60]),
    vertex: None,
    ambient: 0.1,
    sun: 0.5,
};

/// Side of the picture, and the pixel that is compared: off the diagonal of the square.
const SIDE: u32 = 9;
const PIXEL: [u32; 2] = [3, 4];
const DISTANCE: f64 = 3.0;
const TO_LIGHT: [f64; 3] = [0.6, 0.0, 0.8];

impl Case {
    /// A square of 4 units that looks to -Z of the file, with this material.
    fn file(&self) -> String {
        let list =
            |parts: &[f64]| parts.iter().map(|part| format!("{part:.6};")).collect::<String>();
        let mut text = String::from(
            "xof 0303txt 0032\nMesh square { 4; -2;-2;0;, -2;2;0;, 2;2;0;, 2;-2;0;; 2; 3;0,1,2;, 3;0,2,3;;\n",
        );
        text += "MeshNormals { 1; 0;0;-1;; 2; 3;0,0,0;, 3;0,0,0;; }\n";
        text += "MeshTextureCoords { 4; 0;1;, 0;0;, 1;0;, 1;1;; }\n";
        if let Some(color) = self.vertex {
            let colors: Vec<String> = (0..4).map(|n| format!("{n};{};", list(&color))).collect();
            let _ = writeln!(text, "MeshVertexColors {{ 4; {}; }}", colors.join(", "));
        }
        let name = self.texture.map_or("", |_| "TextureFilename { \"paint.tga\"; }");
        let _ = writeln!(
            text,
            "MeshMaterialList {{ 1; 2; 0,0;; Material paint {{ {}; {:.6}; {}; {}; {name} }} }} }}",
            list(&self.face),
            self.power,
            list(&self.specular),
            list(&self.emissive)
        );
        text
    }

    /// The pixel by the equation, in codes.
    fn expected(&self) -> [f64; 3] {
        let middle = f64::from(SIDE) * 0.5;
        let tangent = (15.0_f64).to_radians().tan();
        let ray = |pixel: u32| (f64::from(pixel) + 0.5 - middle) / middle * tangent * DISTANCE;
        let at = [ray(PIXEL[0]), -ray(PIXEL[1]), 0.0];
        let unit = |v: [f64; 3]| {
            let length = v.iter().map(|part| part * part).sum::<f64>().sqrt();
            v.map(|part| part / length)
        };
        let view = unit([-at[0], -at[1], DISTANCE]);
        let half = unit([0, 1, 2].map(|i| TO_LIGHT[i] + view[i]));
        let facing = TO_LIGHT[2];
        let shine = if self.power >= 1.0 { half[2].powf(self.power) } else { 0.0 };
        [0, 1, 2].map(|i| {
            let face = linear(self.vertex.map_or(self.face[i], |color| color[i]));
            let texture = self.texture.map_or(1.0, |codes| linear(f64::from(codes[i]) / 255.0));
            let light = self.ambient + self.sun * facing;
            let diffuse = (linear(self.emissive[i]) + face * light).min(1.0);
            let specular = linear(self.specular[i]) * self.sun * shine;
            255.0 * encoded((texture * diffuse + specular).min(1.0))
        })
    }

    /// The pixel as it is drawn from the file.
    fn drawn(&self) -> [u8; 4] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("square.x"), self.file()).unwrap();
        if let Some([r, g, b]) = self.texture {
            // True colour, 1 x 1, 24 bits.
            let bytes = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, b, g, r];
            std::fs::write(folder.path().join("paint.tga"), bytes).unwrap();
        }
        let Case { ambient, sun, .. } = self;
        let scene = format!(
            "[output]\nsize = [{SIDE}, {SIDE}]\nsamples = 1\nbackground = \"#000\"\n\
             [camera]\nkind = \"look-at\"\neye = [0, 0, {DISTANCE}]\ntarget = [0, 0, 0]\nfov_deg = 30\n\
             [[light]]\nkind = \"directional\"\ndirection = [-0.6, 0, -0.8]\ncolor = [{sun}, {sun}, {sun}]\n\
             [[light]]\nkind = \"hemisphere\"\nsky = [{ambient}, {ambient}, {ambient}]\nground = [{ambient}, {ambient}, {ambient}]\n\
             [[model]]\nfile = \"square.x\"\n"
        );
        let scene = parse_scene(&scene, "scene.toml").unwrap();
        let renderer = Renderer::load(scene, folder.path(), &LoadOptions::default()).unwrap();
        let drawn = renderer.draw(FrameNumber(0), RasterOptions::default()).unwrap();
        drawn.frame.pixel(PIXEL[0], PIXEL[1])
    }
}

#[test]
fn fixed_function_of_files_is_that_of_the_equation() {
    let shiny = Case { power: 8.0, specular: [0.6, 0.3, 0.9], ..PLAIN };
    let cases = [
        ("diffuse", PLAIN),
        ("without a texture", Case { texture: None, ..PLAIN }),
        ("ambient", Case { ambient: 0.7, sun: 0.0, ..PLAIN }),
        ("emissive times texture", Case { emissive: [0.5, 0.2, 0.3], ..PLAIN }),
        ("emissive alone", Case { emissive: [0.5, 0.2, 0.3], ambient: 0.0, sun: 0.0, ..PLAIN }),
        ("emissive of 1 is the texture", Case { emissive: [1.0; 3], sun: 2.0, ..PLAIN }),
        ("the sum is held to 1", Case { sun: 4.0, ..PLAIN }),
        ("specular", shiny.clone()),
        ("specular on black", Case { face: [0.0, 0.0, 0.0, 1.0], ..shiny.clone() }),
        ("specular held to 1", Case { sun: 6.0, ..shiny.clone() }),
        ("power 0.1", Case { power: 0.1, ..shiny.clone() }),
        ("power 0", Case { power: 0.0, ..shiny.clone() }),
        ("vertex colour", Case { vertex: Some([0.3, 0.9, 0.5, 1.0]), ..PLAIN }),
        ("all", Case { emissive: [0.3; 3], vertex: Some([0.4, 0.5, 0.6, 1.0]), ..shiny }),
    ];
    for (name, case) in cases {
        let (found, expected) = (case.drawn(), case.expected());
        for (channel, value) in expected.into_iter().enumerate() {
            let off = (f64::from(found[channel]) - value).abs();
            assert!(off <= 1.0, "{name}: {found:?}, expected {expected:?}");
        }
        assert!(expected.iter().any(|&value| value > 20.0), "{name}: too dark to tell");
    }
}
