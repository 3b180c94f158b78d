//! Inputs of the benches: the largest MD5 model below `scenes/` with a clip that moves it, or,
//! without any, a tube with tentacles, written as MD5 text here.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use tintype_base::deadline::Deadline;

use tintype_formats::{LoadOptions, md5};
use tintype_model::math::{Aabb, Affine3, Vec2, Vec3};
use tintype_model::pose::{self, Binding};
use tintype_model::skin::{self, SkinMatrices};
use tintype_model::{
    Camera, Clip, FovAxis, Image, Joint, JointIndex, Light, LinearRgb, Material, Mesh, Model, Pose,
    PosedMesh, Skeleton, Texture, TextureKind, Tone, VertexInfluence, WeightSpaceMesh,
};
use tintype_raster::Background;
use tintype_raster::{Draw, View};

/// The bytes of a model and of a clip for it.
pub(crate) struct Files {
    pub mesh: Vec<u8>,
    pub anim: Vec<u8>,
}

/// The files used by all benches.
pub(crate) fn files() -> Files {
    let scenes = Path::new(env!("WORKSPACE_ROOT")).join("scenes");
    let mut found = Vec::new();
    collect(&scenes, &mut found);
    let with = |extension: &str| -> Vec<(PathBuf, Vec<u8>)> {
        found
            .iter()
            .filter(|path| path.extension().is_some_and(|own| own == extension))
            .map(|path| (path.clone(), std::fs::read(path).expect("a file that was just listed")))
            .collect()
    };
    let mut meshes = with("md5mesh");
    meshes.sort_by_key(|(_, bytes)| std::cmp::Reverse(bytes.len()));
    let clips = with("md5anim");
    for (mesh_path, mesh) in meshes {
        for (anim_path, anim) in &clips {
            let files = Files { mesh: mesh.clone(), anim: anim.clone() };
            if anim_path.parent() == mesh_path.parent() && parse(&files).is_some() {
                return files;
            }
        }
    }
    tube(64, 48, 120)
}

/// All files below a folder, sorted; empty if the folder does not exist.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// A model with its clip, if the clip moves it.
pub(crate) fn parse(files: &Files) -> Option<(Model, Clip, Binding)> {
    let model = md5::parse_mesh(&files.mesh, &LoadOptions::default()).ok()?.value;
    let clip = md5::parse_anim(&files.anim, &LoadOptions::default()).ok()?.value;
    let (binding, _) = pose::bind_clip(&model.skeleton, &model.meshes, &clip).ok()?;
    Some((model, clip, binding))
}

/// A chain of joints along +Z with rings of vertices around it, two influences a vertex, and a clip
/// of its wave.
fn tube(joints: usize, around: usize, frames: usize) -> Files {
    const RINGS_PER_JOINT: usize = 4;
    let rings = joints * RINGS_PER_JOINT;
    let mut mesh = String::from("MD5Version 10\ncommandline \"\"\n");
    let mut anim = mesh.clone();
    let mut put = |text: String| mesh.push_str(&text);
    put(format!("numJoints {joints}\nnumMeshes 1\njoints {{\n"));
    for joint in 0..joints {
        put(format!("\"j{joint}\" {} ( 0 0 {joint} ) ( 0 0 0 )\n", joint as i64 - 1));
    }
    put(format!("}}\nmesh {{\nshader \"tube\"\nnumverts {}\n", rings * around));
    for vertex in 0..rings * around {
        let (u, v) = ((vertex % around) as f64 / around as f64, (vertex / around) as f64 * 0.1);
        put(format!("vert {vertex} ( {u} {v} ) {} 2\n", 2 * vertex));
    }
    put(format!("numtris {}\n", 2 * (rings - 1) * around));
    let mut number = 0;
    for ring in 0..rings - 1 {
        for side in 0..around {
            let at = |ring: usize, side: usize| ring * around + side % around;
            let [a, b, c, d] =
                [at(ring, side), at(ring, side + 1), at(ring + 1, side), at(ring + 1, side + 1)];
            put(format!("tri {number} {a} {c} {b}\ntri {} {b} {c} {d}\n", number + 1));
            number += 2;
        }
    }
    put(format!("numweights {}\n", 2 * rings * around));
    for vertex in 0..rings * around {
        let turn = (vertex % around) as f64 / around as f64 * core::f64::consts::TAU;
        let height = (vertex / around) as f64 / RINGS_PER_JOINT as f64;
        let first = (height as usize).min(joints - 2);
        let radius = 3.0 + libm::sin(height);
        for (slot, joint) in [first, first + 1].into_iter().enumerate() {
            let bias = if slot == 0 { 0.6 } else { 0.4 };
            let (x, y) = (radius * libm::cos(turn), radius * libm::sin(turn));
            let z = height - joint as f64;
            put(format!("weight {} {joint} {bias} ( {x} {y} {z} )\n", 2 * vertex + slot));
        }
    }
    put(String::from("}\n"));

    let _ = write!(anim, "numFrames {frames}\nnumJoints {joints}\nframeRate 24\n");
    let _ = write!(anim, "numAnimatedComponents {joints}\nhierarchy {{\n");
    for joint in 0..joints {
        // Bit 3 is the x part of the rotation.
        let _ = writeln!(anim, "\"j{joint}\" {} 8 {joint}", joint as i64 - 1);
    }
    anim.push_str("}\nbounds {\n");
    anim.push_str(&"( -9 -9 -9 ) ( 9 9 99 )\n".repeat(frames));
    anim.push_str("}\nbaseframe {\n");
    for joint in 0..joints {
        let _ = writeln!(anim, "( 0 0 {} ) ( 0 0 0 )", usize::from(joint > 0));
    }
    anim.push_str("}\n");
    for frame in 0..frames {
        let _ = writeln!(anim, "frame {frame} {{");
        for joint in 0..joints {
            let turn =
                (frame as f64 / frames as f64 + joint as f64 * 0.05) * core::f64::consts::TAU;
            let _ = writeln!(anim, "{}", 0.05 * libm::sin(turn));
        }
        anim.push_str("}\n");
    }
    Files { mesh: mesh.into_bytes(), anim: anim.into_bytes() }
}

/// A strip of vertices with four of thirty joints each, and a pose of them.
pub(crate) fn four_influences(count: u32) -> (Mesh, Pose) {
    const JOINTS: u16 = 30;
    let mut state = 1_u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 16_777_216.0 - 0.5
    };
    let mut vector = move || Vec3::new(random(), random(), random());
    let joints = (0..JOINTS).map(|joint| Joint {
        name: format!("j{joint}"),
        parent: None,
        model_from_joint: Affine3::from_rotation_x(f32::from(joint) * 0.1),
    });
    let skeleton = Skeleton::try_new(joints.collect()).expect("roots alone");
    let mut weighted = WeightSpaceMesh { influence_start: vec![0], ..WeightSpaceMesh::default() };
    for vertex in 0..count {
        let first = vertex * u32::from(JOINTS) / count;
        for (step, weight) in (0..4).zip([0.5, 0.25, 0.15, 0.1]) {
            let joint = JointIndex(((first + step) % u32::from(JOINTS)) as u16);
            weighted.influences.push(VertexInfluence { joint, weight, position: vector() });
        }
        weighted.influence_start.push(weighted.influences.len() as u32);
        weighted.texcoords.push(Vec2::new(vertex as f32, (vertex % 2) as f32));
    }
    weighted.triangles = (2..count).map(|vertex| [vertex - 2, vertex - 1, vertex]).collect();
    let turn = |joint: u16| {
        Affine3::from_translation(vector()) * Affine3::from_rotation_y(f32::from(joint))
    };
    (
        Mesh::new(weighted, &skeleton, &Deadline::NEVER).expect("no deadline"),
        Pose::new((0..JOINTS).map(turn).collect()),
    )
}

/// A posed model in front of a camera that shows all of it, with everything needed for a picture.
pub(crate) struct Stage {
    model: Model,
    posed: Vec<PosedMesh>,
    camera: Camera,
    lights: Vec<Light>,
    materials: Vec<Material>,
    textures: Vec<Texture>,
}

impl Stage {
    /// The shared model one second into its clip.
    pub(crate) fn new() -> Self {
        let (model, clip, binding) = parse(&files()).expect("the shared files");
        let pose = pose::sample_clip(&model.skeleton, &clip, &binding, 1.0);
        let matrices = SkinMatrices::new(&pose);
        let posed: Vec<_> =
            model.meshes.iter().map(|mesh| skin::skin_mesh(mesh, &matrices)).collect();
        let mut bounds = Aabb::EMPTY;
        for mesh in &posed {
            bounds.merge(&mesh.bounds());
        }
        let target = bounds.center();
        let eye = target + Vec3::new(0.6, 0.3, 0.75) * (bounds.diagonal() * 1.1);
        let fov = FovAxis::Vertical(0.9);
        let camera = Camera::looking_at(eye, target, Vec3::Y, fov, 0.01, f32::INFINITY);
        let light = |x: f32, y: f32, z: f32, strength: f32| Light::Directional {
            to_light: Vec3::new(x, y, z).normalize(),
            color: LinearRgb::WHITE.scaled(strength),
        };
        let rgba: Vec<[u8; 4]> = (0..512_u32 * 512)
            .map(|index| {
                let mixed = index.wrapping_mul(2_654_435_761).to_be_bytes();
                [mixed[0], mixed[1], mixed[2], 255]
            })
            .collect();
        let image = Image { width: 512, height: 512, rgba };
        Self {
            model,
            posed,
            camera,
            lights: vec![
                light(1.0, 1.0, 1.0, 0.8),
                light(-1.0, 0.5, 0.5, 0.4),
                light(0.0, 0.3, -1.0, 0.5),
            ],
            materials: vec![Material { diffuse: Some(0), ..Material::new("skin") }],
            textures: vec![
                Texture::new(&image, TextureKind::OpaqueColor, &Deadline::NEVER)
                    .expect("no deadline"),
            ],
        }
    }

    /// Passes the view of a picture with this number of samples per pixel to `run`.
    pub(crate) fn with_view<R>(&self, samples: u32, run: impl FnOnce(&View) -> R) -> R {
        let draws: Vec<Draw> = self
            .model
            .meshes
            .iter()
            .zip(&self.posed)
            .map(|(mesh, posed)| Draw {
                mesh,
                triangles: &mesh.triangles,
                posed,
                material: 0,
                casts: true,
            })
            .collect();
        run(&View {
            content: None,
            camera: self.camera,
            size: [640, 480],
            samples,
            anisotropy: 1,
            background: Background::Transparent,
            ambient: LinearRgb::WHITE.scaled(0.05),
            lights: &self.lights,
            environment: None,
            occlusion: None,
            tone: Tone::NONE,
            shadows: &[],
            ground: None,
            materials: &self.materials,
            textures: &self.textures,
            draws: &draws,
        })
    }
}
