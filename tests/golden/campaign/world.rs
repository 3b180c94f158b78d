//! Small scenes made from the shipped content: as files for the program, and as `f64` pictures by
//! the reference.

use crate::reference::md5::{self, Clip, Model, Vector, conjugate, rotate, y_up};
use crate::reference::shade::{self, Alpha, Camera, Cull, Light, Material, Surface, Vertex};
use crate::reference::surface::Groups;
use crate::reference::texture::{Kind, Texture, linear};
use std::fs;
use std::path::Path;
use tintype_formats::{LoadOptions, image::decode};
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, encode_png};

/// Texels on each side.
pub(super) const SIDE: u32 = 24;

/// The content of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    /// The ranger, who walks.
    Walk,
    /// The lantern, which has one joint and a pane of glass.
    Still,
    /// The globe as a `.x` file with explicit normals.
    Globe,
}

pub(super) const SHAPES: [Shape; 3] = [Shape::Walk, Shape::Still, Shape::Globe];

/// A mesh with explicit normals, in the axes of the program.
#[derive(Clone)]
pub(super) struct Ball {
    pub positions: Vec<Vector>,
    pub normals: Vec<Vector>,
    pub texcoords: Vec<[f64; 2]>,
    /// Counter-clockwise fronts.
    pub triangles: Vec<[usize; 3]>,
}

/// A scene, limited to what edits need.
#[derive(Clone)]
pub(super) struct World {
    pub shape: Shape,
    /// The text of the `.md5mesh` file.
    pub mesh: String,
    /// Names and texts of the `.md5anim` files.
    pub clips: Vec<(String, String)>,
    /// Index of the clip.
    pub clip: usize,
    pub ball: Option<Ball>,
    pub texels: Vec<[u8; 4]>,
    /// A joint's name in quotes, and its new one: joints of equal hierarchies still find each
    /// other.
    pub renamed: Option<(String, String)>,
    /// Direction of the sun's rays, and position of the lamp.
    pub sun: Vector,
    pub lamp: Vector,
    pub azimuth_deg: f64,
    pub elevation_deg: f64,
}

const SUN: f64 = 1.6;
const LAMP: f64 = 0.5;
const SKY: f64 = 0.3;
const SPECULAR: f64 = 0.3;
const SHININESS: f64 = 20.0;
const FOV_DEG: f64 = 32.0;
const BACKGROUND: [u8; 3] = [0x20, 0x30, 0x40];
const ALPHA: u8 = 150;

fn asset(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets");
    fs::read(folder.join(name)).unwrap()
}

fn asset_text(name: &str) -> String {
    String::from_utf8(asset(name)).unwrap()
}

impl World {
    pub(super) fn new(shape: Shape) -> Self {
        let (mesh, texture) = match shape {
            Shape::Walk => ("ranger", "ranger"),
            Shape::Still => ("lantern", "lantern"),
            Shape::Globe => ("globe", "globe"),
        };
        let mesh = asset_text(&format!("{mesh}.md5mesh"));
        let clips = match shape {
            Shape::Walk => ["walk", "idle", "wave"]
                .map(|name| (name.to_owned(), asset_text(&format!("ranger_{name}.md5anim"))))
                .to_vec(),
            _ => Vec::new(),
        };
        let png = asset(&format!("textures/{texture}.png"));
        let image = decode(&png, "texture.png", &LoadOptions::default()).unwrap();
        let texel = |index: u32| {
            let at = |place: u32, size: u32| (place * 2 + 1) * size / (SIDE * 2);
            let (x, y) = (at(index % SIDE, image.width), at(index / SIDE, image.height));
            let [r, g, b, _] = image.rgba[(y * image.width + x) as usize];
            [r, g, b, ALPHA]
        };
        let ball = (shape == Shape::Globe).then(|| ball(&mesh));
        Self {
            shape,
            mesh,
            clips,
            clip: 0,
            ball,
            texels: (0..SIDE * SIDE).map(texel).collect(),
            renamed: None,
            sun: [-1.0, -1.3, 0.7],
            lamp: match shape {
                Shape::Walk => [1.5, 1.6, 0.8],
                _ => [0.7, 0.7, 0.9],
            },
            azimuth_deg: 25.0,
            elevation_deg: 9.0,
        }
    }

    /// Width, height and number of frames.
    pub(super) fn size(&self) -> ([u32; 2], u32) {
        match self.shape {
            Shape::Walk => ([40, 56], 6),
            Shape::Still => ([36, 44], 1),
            Shape::Globe => ([40, 40], 1),
        }
    }

    fn target(&self) -> (Vector, f64) {
        match self.shape {
            Shape::Walk => ([0.0, 0.9, 0.0], 4.0),
            Shape::Still => ([0.0, 0.26, 0.0], 1.2),
            Shape::Globe => ([0.0, 0.5, 0.0], 2.2),
        }
    }

    /// The names of the meshes, which are those of their shaders.
    pub(super) fn shaders(&self) -> Vec<String> {
        if self.ball.is_some() {
            return vec!["globe".to_owned()];
        }
        let lines = self.mesh.lines().filter_map(|line| line.trim().strip_prefix("shader "));
        lines.map(|name| name.trim().trim_matches('"').to_owned()).collect()
    }

    /// The scene and the files that it names, into a folder.
    pub(super) fn write(&self, folder: &Path) {
        let ([width, height], frames) = self.size();
        let ([x, y, z], distance) = self.target();
        let ([a, b, c], [d, e, f]) = (self.sun, self.lamp);
        let [red, green, blue] = BACKGROUND;
        let mut text = format!(
            "[output]\nsize = [{width}, {height}]\nsamples = 1\nframes = \"0-{}\"\nfps = 6\n\
             background = \"#{red:02x}{green:02x}{blue:02x}\"\n\
             [camera]\ntarget = [{x}, {y}, {z}]\ndistance = {distance}\nfov_deg = {FOV_DEG}\n\
             azimuth_deg = {}\nelevation_deg = {}\n\
             [[light]]\ndirection = [{a}, {b}, {c}]\nintensity = {SUN}\n\
             [[light]]\nkind = \"point\"\nposition = [{d}, {e}, {f}]\nreach = 1.0\nintensity = {LAMP}\n\
             [[light]]\nkind = \"hemisphere\"\nintensity = {SKY}\n",
            frames - 1,
            self.azimuth_deg,
            self.elevation_deg,
        );
        for shader in self.shaders() {
            let alpha = if is_glass(&shader) { "blend" } else { "opaque" };
            text += &format!(
                "[[material]]\nname = \"{shader}\"\ndiffuse = \"skin.png\"\nspecular_strength = {SPECULAR}\n\
                 shininess = {SHININESS}\nalpha = \"{alpha}\"\ncull = \"back\"\n"
            );
        }
        match &self.ball {
            Some(ball) => {
                fs::write(folder.join("model.x"), x_text(ball)).unwrap();
                text += "[[model]]\nname = \"model\"\nfile = \"model.x\"\n";
            }
            None => {
                fs::write(folder.join("model.md5mesh"), &self.mesh).unwrap();
                text += "[[model]]\nname = \"model\"\nfile = \"model.md5mesh\"\n";
            }
        }
        if !self.clips.is_empty() {
            let clip = |(name, clip): &(String, String)| {
                fs::write(folder.join(format!("{name}.md5anim")), clip).unwrap();
                format!("{{ name = \"{name}\", file = \"{name}.md5anim\" }}")
            };
            let clips: Vec<String> = self.clips.iter().map(clip).collect();
            let name = &self.clips[self.clip].0;
            text += &format!("clips = [{}]\n", clips.join(", "));
            text += &format!("[[instance]]\nmodel = \"model\"\nclip = \"{name}\"\n");
        }
        text += &format!("[golden]\nframes = \"0-{}\"\n", frames - 1);
        fs::write(folder.join("scene.toml"), text).unwrap();
        let mut frame = Frame::new(SIDE, SIDE);
        frame.rgba.clone_from(&self.texels);
        fs::write(folder.join("skin.png"), encode_png(&frame, true, PngEffort::Fast, &[])).unwrap();
    }

    /// All frames by the reference. None if the clip lacks a joint of the model.
    pub(super) fn pictures(&self) -> Option<Vec<Vec<[u8; 4]>>> {
        let (size, frames) = self.size();
        let shaders = self.shaders();
        let texture = |kind| Texture::new(SIDE, SIDE, &self.texels, kind);
        let (opaque, glass) = (texture(Kind::Opaque), texture(Kind::Alpha));
        let material = |shader: &str| Material {
            diffuse: Some(if is_glass(shader) { glass.clone() } else { opaque.clone() }),
            specular_strength: SPECULAR,
            shininess: SHININESS,
            alpha: if is_glass(shader) { Alpha::Blend } else { Alpha::Opaque },
            cull: Cull::Back,
            ..Material::default()
        };
        let background = BACKGROUND.map(|code| linear(f64::from(code) / 255.0));
        let [r, g, b] = background;
        let to_light = shade::unit(self.sun.map(|value| -value));
        let lights = vec![
            Light::Directional { to_light, color: [SUN; 3] },
            Light::Point { position: self.lamp, color: [LAMP; 3], reach: 1.0 },
            Light::Hemisphere { sky: [SKY; 3], ground: [0.0; 3] },
        ];
        let draw = |meshes: Vec<Vec<[Vertex; 3]>>| {
            let surfaces = meshes.into_iter().zip(&shaders);
            shade::picture(&shade::Scene {
                size,
                anisotropy: 1,
                camera: self.camera(),
                ambient: [0.0; 3],
                lights: lights.clone(),
                background: [[r, g, b, 1.0]; 2],
                surfaces: surfaces
                    .map(|(triangles, shader)| Surface { triangles, material: material(shader) })
                    .collect(),
            })
        };
        if let Some(ball) = &self.ball {
            let Ball { positions, normals, texcoords, triangles } = ball;
            return Some(vec![draw(vec![corners(triangles, positions, normals, texcoords)])]);
        }
        let known = |text: &str| match &self.renamed {
            Some((from, to)) => text.replacen(to, from, 1),
            None => text.to_owned(),
        };
        let model = Model::read(known(&self.mesh).as_bytes());
        let clip = self.clips.get(self.clip).map(|(_, text)| Clip::read(known(text).as_bytes()));
        let carried: Vec<Carried> =
            model.meshes.iter().map(|mesh| Carried::new(&model, mesh)).collect();
        (0..frames)
            .map(|frame| {
                let pose = match &clip {
                    Some(clip) => model.pose(clip, f64::from(frame) / 6.0)?,
                    None => model.bind_pose(),
                };
                let pairs = model.meshes.iter().zip(&carried);
                Some(draw(pairs.map(|(mesh, carried)| carried.posed(mesh, &pose)).collect()))
            })
            .collect()
    }

    fn camera(&self) -> Camera {
        let (target, distance) = self.target();
        let radians = |angle_deg: f64| angle_deg * core::f64::consts::PI / 180.0;
        let front = if self.ball.is_some() { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
        let (sin, cos) =
            (libm::sin(radians(self.azimuth_deg)), libm::cos(radians(self.azimuth_deg)));
        let ahead = [front[0] * cos + front[2] * sin, 0.0, front[2] * cos - front[0] * sin];
        let (sin, cos) =
            (libm::sin(radians(self.elevation_deg)), libm::cos(radians(self.elevation_deg)));
        let back = [ahead[0] * cos, sin, ahead[2] * cos];
        let right = shade::unit(md5::cross([0.0, 1.0, 0.0], back));
        let ([width, height], _) = self.size();
        let tangent = libm::tan(radians(FOV_DEG) * 0.5);
        Camera {
            eye: md5::add(target, md5::scale(back, distance)),
            right,
            up: md5::cross(back, right),
            back,
            is_orthographic: false,
            half_tangents: [tangent * f64::from(width) / f64::from(height), tangent],
            near: distance * 0.01,
        }
    }
}

fn is_glass(shader: &str) -> bool {
    shader.ends_with("glass")
}

/// The mesh of a model in its bind pose.
fn ball(mesh: &str) -> Ball {
    let model = Model::read(mesh.as_bytes());
    let mesh = &model.meshes[0];
    let positions = mesh.positions(&model.bind_pose());
    let triangles = turned(&mesh.triangles);
    let normals = bind_normals(&triangles, &positions);
    Ball { positions, normals, texcoords: mesh.texcoords.clone(), triangles }
}

/// Fronts are clockwise in the file.
fn turned(triangles: &[[usize; 3]]) -> Vec<[usize; 3]> {
    triangles.iter().map(|&[a, b, c]| [a, c, b]).collect()
}

fn bind_normals(triangles: &[[usize; 3]], positions: &[Vector]) -> Vec<Vector> {
    let groups = Groups::new(triangles, positions);
    let mut normals = vec![[0.0, 1.0, 0.0]; positions.len()];
    for group in &groups.groups {
        if let Some(normal) = groups.normal(group, positions) {
            group.vertices.iter().for_each(|&vertex| normals[vertex] = normal);
        }
    }
    normals
}

fn corners(
    triangles: &[[usize; 3]],
    positions: &[Vector],
    normals: &[Vector],
    texcoords: &[[f64; 2]],
) -> Vec<[Vertex; 3]> {
    let corner = |vertex: usize| Vertex {
        position: positions[vertex],
        normal: normals[vertex],
        tangent: [1.0, 0.0, 0.0],
        sign: 1.0,
        uv: texcoords[vertex],
    };
    triangles.iter().map(|triangle| triangle.map(corner)).collect()
}

/// The normals of a mesh in the spaces of its joints.
struct Carried {
    triangles: Vec<[usize; 3]>,
    /// One for each weight of each vertex: vertices may have the same weights.
    normals: Vec<Vec<Vector>>,
}

impl Carried {
    fn new(model: &Model, mesh: &md5::Mesh) -> Self {
        let triangles = turned(&mesh.triangles);
        let bind = model.bind_pose();
        let of_vertices = bind_normals(&triangles, &mesh.positions(&bind));
        let carried = |(&(first, count), [x, y, z]): (&(usize, usize), Vector)| {
            // Back to the axes of the file.
            let in_file = [x, -z, y];
            let weights = mesh.weights[first..first + count].iter();
            weights.map(|weight| rotate(conjugate(bind[weight.0].rotation), in_file)).collect()
        };
        let normals = mesh.runs.iter().zip(of_vertices).map(carried).collect();
        Self { triangles, normals }
    }

    fn posed(&self, mesh: &md5::Mesh, pose: &[md5::Placed]) -> Vec<[Vertex; 3]> {
        let normal = |(&(first, count), carried): (&(usize, usize), &Vec<Vector>)| {
            let mut sum = [0.0; 3];
            for (&(joint, bias, _), &normal) in
                mesh.weights[first..first + count].iter().zip(carried)
            {
                sum = md5::add(sum, md5::scale(rotate(pose[joint].rotation, normal), bias));
            }
            if md5::length(sum) > 1e-15 { shade::unit(y_up(sum)) } else { [0.0, 1.0, 0.0] }
        };
        let normals: Vec<Vector> = mesh.runs.iter().zip(&self.normals).map(normal).collect();
        corners(&self.triangles, &mesh.positions(pose), &normals, &mesh.texcoords)
    }
}

/// A `.x` file: left-handed, fronts clockwise.
fn x_text(ball: &Ball) -> String {
    let vectors = |list: &[Vector]| {
        let lines: Vec<String> =
            list.iter().map(|[x, y, z]| format!("{x};{y};{};", -z + 0.0)).collect();
        lines.join(",\n")
    };
    let faces: Vec<String> =
        ball.triangles.iter().map(|[a, b, c]| format!("3;{a},{c},{b};")).collect();
    let faces = format!("{};\n{};", faces.len(), faces.join(",\n"));
    let count = ball.positions.len();
    let uv: Vec<String> = ball.texcoords.iter().map(|[u, v]| format!("{u};{v};")).collect();
    let zeros = vec!["0"; ball.triangles.len()].join(",");
    format!(
        "xof 0303txt 0032\nMesh globe {{\n{count};\n{};\n{faces}\n\
         MeshNormals {{\n{count};\n{};\n{faces}\n}}\n\
         MeshTextureCoords {{\n{count};\n{};\n}}\n\
         MeshMaterialList {{ 1; {}; {zeros};; Material globe {{ 1;1;1;1;; 8; 0;0;0;; 0;0;0;; }} }}\n}}\n",
        vectors(&ball.positions),
        vectors(&ball.normals),
        uv.join(",\n"),
        ball.triangles.len(),
    )
}
