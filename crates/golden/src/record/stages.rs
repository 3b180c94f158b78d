//! The records of each stage.

use super::digest::short_digest;
use super::position_sums::{PositionSums, letters};
use std::collections::BTreeSet;
use tintype_compare::Surface;
use tintype_model::math::{Aabb, Affine3, Mat3, Quat, Vec3};
use tintype_model::{Camera, Mesh, Model, MorphWeight, PosedMesh};
use tintype_raster::VisibleFragment;
use tintype_render::asset::Assets;
use tintype_render::{Staged, StagedInstance};
use tintype_scene::{Instance, Parameter, Scene};

/// Maximum number of joints of one frame that are stored one by one.
pub const MAX_JOINTS: usize = 80;
/// Maximum number of instances of one frame that are stored parameter by parameter.
pub const MAX_INSTANCES: usize = 8;

/// A subject of the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Such as `camera` or `light 2`.
    pub name: String,
    /// Its keys and values, in the order of the scene, without omitted ones.
    pub values: Vec<(String, String)>,
}

/// The name is the one that records write.
impl Subject {
    /// The name, in quotes, of a material that the scene leaves to the files of models. None for
    /// other subjects.
    pub(super) fn surface(&self) -> Option<&str> {
        self.name.strip_prefix("surface ")
    }

    /// The number after a word, and the rest: `instance 3 fade 0` is 3 and `fade 0`.
    pub(crate) fn numbered(&self, word: &str) -> Option<(usize, &str)> {
        let rest = self.name.strip_prefix(word)?.strip_prefix(' ')?;
        let (number, part) = rest.split_once(' ').unwrap_or((rest, ""));
        Some((number.parse().ok()?, part))
    }

    /// True if it is a light of the scene or of a model.
    pub(super) fn is_light(&self) -> bool {
        self.name.starts_with("light") || self.name.starts_with("model light")
    }

    /// True if it is a clip of a model: `model "imp" clip 0`.
    pub(crate) fn is_clip_of_model(&self) -> bool {
        let behind = self.name.strip_prefix("model ").and_then(|name| name.rsplit_once('"'));
        behind.is_some_and(|(_, part)| part.starts_with(" clip "))
    }

    /// True if it is a material by that word: of the scene, or a surface.
    pub(super) fn is_of(&self, word: &str) -> bool {
        self.name.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '))
    }
}

/// An instance: its pose and its skin.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceRecord {
    /// The name of its model in the scene.
    pub model: String,
    /// Digest of the joints in model space, to the last bit.
    pub pose: String,
    /// Digest of all recorded facts of its posed meshes, to the last bit.
    pub skin: String,
    /// Two characters per joint, equal as long as the joint is unchanged in model space, to the
    /// last bit.
    pub marks: String,
    /// Its joints; empty beyond the first instances of a crowd.
    pub joints: Vec<JointRecord>,
    /// Its meshes; empty beyond the first instances of a crowd.
    pub meshes: Vec<MeshRecord>,
    /// Names and weights of its morph targets; empty beyond the first instances of a crowd.
    pub morphs: Vec<(String, f32)>,
}

/// A joint in model space.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRecord {
    /// Its name.
    pub name: String,
    /// Its parent's index, or -1.
    pub parent: i32,
    /// Position, rounded to about a millionth of the largest of the model.
    pub translation: Vec3,
    /// Rotation; rounded to 6 digits.
    pub rotation: Quat,
    /// Scale, negative along z where it mirrors.
    pub scale: Vec3,
}

/// A posed mesh in world space.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshRecord {
    /// Its name, or the name of its shader.
    pub name: String,
    /// Number of vertices of its file.
    pub vertices: usize,
    /// The smallest x, y and z.
    pub min: Vec3,
    /// The largest x, y and z.
    pub max: Vec3,
    /// The mean of its vertices.
    pub centroid: Vec3,
    /// Digest of the positions.
    pub positions: String,
    /// Digest of the normals and tangents.
    pub normals: String,
    /// Digest of the triangles' corners, in their order.
    pub triangles: String,
    /// Digest of the texture coordinates and vertex colours.
    pub texcoords: String,
    /// Sums that reveal which vertex moved.
    pub position_sums: PositionSums,
}

/// Visible surfaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibilityRecord {
    /// Digest of the triangles that cover the samples.
    pub digest: String,
    /// Number of covered pixels.
    pub covered: u64,
    /// Number of visible pixels of each mesh of each instance.
    pub pixels: Vec<Vec<u64>>,
}

/// Rounds for the text to `digits` decimals.
fn rounded(value: f32, digits: i32) -> f32 {
    let scale = (0..digits).fold(1.0_f64, |scale, _| scale * 10.0);
    #[expect(clippy::cast_possible_truncation, reason = "it was an f32")]
    let value = ((f64::from(value) * scale).round() / scale) as f32;
    value + 0.0
}

/// Number of decimals that resolve a millionth of `size`; at most 9.
fn digits_for(size: f32) -> i32 {
    let mut digits = 6;
    let mut limit = 1.0;
    while size > limit && digits > 0 {
        limit *= 10.0;
        digits -= 1;
    }
    digits
}

fn round_vector(vector: Vec3, digits: i32) -> Vec3 {
    Vec3::from_array(vector.to_array().map(|value| rounded(value, digits)))
}

/// The subject of instances with digests only, by their indices.
pub(super) const CROWD: &str = "other instances";

/// Default values, by the first word of their subject, which are left out.
const USUAL: [(&str, &str, &str); 13] = [
    ("instance", "start_s", "0.0"),
    ("instance", "speed", "1.0"),
    ("instance", "wrap", "loop"),
    ("instance", "position", "0.0 0.0 0.0"),
    ("instance", "rotation_deg", "0.0 0.0 0.0"),
    ("instance", "scale", "1.0"),
    ("material", "color", "1.0 1.0 1.0"),
    ("material", "opacity", "1.0"),
    ("material", "emissive", "0.0 0.0 0.0"),
    ("material", "alpha", "opaque"),
    ("material", "cull", "auto"),
    ("material", "normal_y", "up"),
    ("scene", "ambient", "0.0 0.0 0.0"),
];

/// True if a value can be omitted: it is the default, or part of the subject's name.
fn is_usual(subject: &str, key: &str, value: &str) -> bool {
    let kind = subject.split(' ').next().unwrap_or_default();
    value == "usual"
        || value == "none"
        || (kind == "material" && key == "name")
        || USUAL.contains(&(kind, key, value))
}

/// The scene's parameters, and the materials that it takes from the files of models, with their
/// textures if `has_textures` is set.
pub(super) fn subjects(scene: &Scene, assets: &Assets, has_textures: bool) -> Vec<Subject> {
    let mut found: Vec<Subject> = Vec::new();
    for Parameter { subject, key, value } in scene.parameters() {
        let value = (!is_usual(&subject, &key, &value)).then_some((key, value));
        match found.iter_mut().rev().find(|known| known.name == subject) {
            Some(known) => known.values.extend(value),
            None => found.push(Subject { name: subject, values: value.into_iter().collect() }),
        }
    }
    // A crowd is kept by digests, in one subject.
    let mut crowd = Subject { name: CROWD.to_owned(), values: Vec::new() };
    found.retain(|subject| {
        let mut words = subject.name.split(' ');
        let number = match (words.next(), words.next()) {
            (Some("instance"), Some(number)) => number,
            _ => return true,
        };
        let is_near = number.parse().is_ok_and(|number: usize| number < MAX_INSTANCES);
        if !is_near {
            // Its fades are separate subjects after it.
            let digest = short_digest(format!("{:?}", subject).as_bytes());
            crowd
                .values
                .push((subject.name["instance ".len()..].to_owned(), digest[..8].to_owned()));
        }
        is_near
    });
    found.extend((!crowd.values.is_empty()).then_some(crowd));
    let told = found.len();
    let surfaces = Surface::of_assets(assets, scene.materials.len(), has_textures);
    found.extend(
        surfaces
            .into_iter()
            .map(|Surface { name, values }| Subject { name: format!("surface {name:?}"), values }),
    );
    // Models from several files may have materials of the same name.
    for index in told..found.len() {
        let same =
            found[told..index].iter().filter(|known| known.name == found[index].name).count();
        if same > 0 {
            let more = (same..).map(|count| format!("{} ({})", found[index].name, count + 1));
            let is_free = |name: &String| found.iter().all(|known| known.name != *name);
            let free = more.into_iter().find(is_free).unwrap_or_default();
            found[index].name = free;
        }
    }
    found
}

/// Eye, direction and vertical field of view.
#[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
pub(super) fn camera(camera: &Camera, [width, height]: [u32; 2]) -> [f32; 7] {
    let (eye, forward) = (camera.eye, -camera.world_from_view.z_axis);
    let (_, up) = camera.half_tangents(width as f32 / height as f32);
    let fov_rad = 2.0 * tintype_model::math::func::atan2(up, 1.0);
    [eye.x, eye.y, eye.z, forward.x, forward.y, forward.z, fov_rad].map(|value| rounded(value, 7))
}

pub(super) fn instances(scene: &Scene, assets: &Assets, staged: &Staged) -> Vec<InstanceRecord> {
    let told = told(scene, assets);
    let record = |(n, (instance, staged)): (usize, (&Instance, &StagedInstance))| {
        let model = &*assets.models[instance.model].model;
        // Members of a crowd have individual names.
        let own = instance.name.as_ref().filter(|_| instance.is_member);
        let name = own.unwrap_or(&scene.models[instance.model].name).clone();
        instance_record(name, model, staged, told.contains(&n))
    };
    scene.instances.iter().zip(&staged.instances).enumerate().map(record).collect()
}

/// The instances recorded in detail: first one of each model, then others, as far as they fit.
fn told(scene: &Scene, assets: &Assets) -> Vec<usize> {
    let model = |n: usize| scene.instances[n].model;
    let all = 0..scene.instances.len();
    let mut known = BTreeSet::new();
    let (firsts, others): (Vec<usize>, Vec<usize>) = all.partition(|&n| known.insert(model(n)));
    let mut joints_left = MAX_JOINTS;
    let mut told = Vec::new();
    for n in firsts.into_iter().chain(others.into_iter().take(MAX_INSTANCES)) {
        let joints = assets.models[model(n)].model.skeleton.len();
        // One is always detailed.
        if told.is_empty() || (told.len() < MAX_INSTANCES && joints <= joints_left) {
            joints_left = joints_left.saturating_sub(joints);
            told.push(n);
        }
    }
    told
}

fn instance_record(
    name: String,
    model: &Model,
    staged: &StagedInstance,
    in_detail: bool,
) -> InstanceRecord {
    let matrices = staged.pose.matrices.iter();
    let bits: Vec<f32> = matrices.flat_map(Affine3::to_cols_array).collect();
    let mut pose = blake3::Hasher::new();
    for joint in model.skeleton.joints() {
        pose.update(joint.name.as_bytes()).update(b"\n");
    }
    pose.update(&little_endian(&bits));
    // Poses of models without morph targets keep their digests.
    pose.update(&little_endian(&staged.pose.morphs));
    let mut diagonal = Aabb::EMPTY;
    staged.meshes.iter().for_each(|posed| diagonal.merge(&posed.bounds()));
    let diagonal = diagonal.diagonal();
    let meshes: Vec<MeshRecord> = (model.meshes.iter().zip(&staged.meshes).enumerate())
        .map(|(index, (mesh, posed))| {
            let name = if mesh.name.is_empty() { &mesh.material_name } else { &mesh.name };
            mesh_record(name, staged.shown(index, mesh), posed, diagonal)
        })
        .collect();
    let skin: String = meshes
        .iter()
        .flat_map(|mesh| [&mesh.positions, &mesh.normals, &mesh.triangles, &mesh.texcoords])
        .map(String::as_str)
        .collect();
    // A shorter digest suffices for many.
    let digits = if in_detail { 16 } else { 8 };
    InstanceRecord {
        model: name,
        pose: pose.finalize().to_hex()[..digits].to_owned(),
        skin: short_digest(skin.as_bytes())[..digits].to_owned(),
        marks: staged.pose.matrices.iter().map(joint_mark).collect(),
        joints: if in_detail { joint_records(model, staged) } else { Vec::new() },
        meshes: if in_detail { meshes } else { Vec::new() },
        morphs: if in_detail { morph_records(model, staged) } else { Vec::new() },
    }
}

/// Morph targets by name; the name of the joint is added if several meshes have them.
fn morph_records(model: &Model, staged: &StagedInstance) -> Vec<(String, f32)> {
    let slots = model.skeleton.morphs();
    let record = |(slot, &weight): (&MorphWeight, &f32)| {
        let is_shared = slots.iter().filter(|other| other.name == slot.name).count() > 1;
        let joint = &model.skeleton.joints()[slot.joint.index()].name;
        let name = if is_shared { format!("{joint}/{}", slot.name) } else { slot.name.clone() };
        (name, rounded(weight, 6))
    };
    slots.iter().zip(&staged.pose.morphs).map(record).collect()
}

fn joint_mark(joint: &Affine3) -> String {
    let hash = blake3::hash(&little_endian(&joint.to_cols_array()));
    letters(hash.as_bytes().first_chunk().map_or(0, |first| u64::from_le_bytes(*first)), 2)
}

fn joint_records(model: &Model, staged: &StagedInstance) -> Vec<JointRecord> {
    let size = staged.pose.matrices.iter().map(|joint| joint.translation.abs().max_element());
    let digits = digits_for(size.fold(0.0, tintype_model::math::max));
    let joints = model.skeleton.joints().iter().zip(&staged.pose.matrices);
    let record = |(joint, matrix): (&tintype_model::Joint, &Affine3)| {
        let (rotation, scale) = turn_and_scale(matrix.matrix3);
        let [x, y, z, w] = rotation.to_array().map(|value| rounded(value, 6));
        JointRecord {
            name: joint.name.clone(),
            parent: joint.parent.map_or(-1, |parent| i32::from(parent.0)),
            translation: round_vector(matrix.translation, digits),
            rotation: Quat::from_xyzw(x, y, z, w),
            scale: round_vector(scale, 5),
        }
    };
    joints.map(record).collect()
}

/// A frame as a rotation and a scale along its axes; a shear is turned along its x and y axes.
fn turn_and_scale(frame: Mat3) -> (Quat, Vec3) {
    let scale = Vec3::new(frame.x_axis.length(), frame.y_axis.length(), frame.z_axis.length());
    let x = tintype_model::math::unit_or(frame.x_axis, Vec3::X);
    let y = tintype_model::math::unit_or(frame.y_axis - x * x.dot(frame.y_axis), Vec3::Y);
    let z = x.cross(y);
    let mirrored = if z.dot(frame.z_axis) < 0.0 { -1.0 } else { 1.0 };
    let mut rotation = Quat::from_mat3(&Mat3::from_cols(x, y, z));
    // One of the two quaternions of a rotation, so that equal rotations have equal records.
    if rotation.w < 0.0 {
        rotation = -rotation;
    }
    (rotation, Vec3::new(scale.x, scale.y, scale.z * mirrored))
}

fn little_endian(values: &[f32]) -> Vec<u8> {
    // The two zeros are one value.
    values.iter().flat_map(|value| (value + 0.0).to_le_bytes()).collect()
}

fn mesh_record(name: &str, mesh: &Mesh, posed: &PosedMesh, diagonal: f32) -> MeshRecord {
    let count = mesh.file_vertex_count();
    let of_axes = |axes: &[&Vec<f32>], vertices: usize| {
        let mut hasher = blake3::Hasher::new();
        axes.iter().for_each(|axis| {
            hasher.update(&little_endian(&axis[..vertices]));
        });
        hasher.finalize().to_hex()[..16].to_owned()
    };
    let [x, y, z] = &posed.position;
    let [[nx, ny, nz], [tx, ty, tz]] = [&posed.normal, &posed.tangent].map(|[x, y, z]| [x, y, z]);
    let bounds = posed.bounds();
    let digits = digits_for(diagonal);
    let mut sum = [0.0_f64; 3];
    for vertex in 0..count {
        let place = posed.position_at(vertex).to_array();
        sum.iter_mut().zip(place).for_each(|(sum, value)| *sum += f64::from(value));
    }
    #[expect(clippy::cast_precision_loss, reason = "a count of vertices")]
    #[expect(clippy::cast_possible_truncation, reason = "a mean of f32")]
    let centroid = sum.map(|sum| (sum / (count.max(1)) as f64) as f32);
    let corners: Vec<u8> = mesh
        .triangles
        .iter()
        .flatten()
        .flat_map(|&vertex| mesh.file_vertex(vertex).to_le_bytes())
        .collect();
    let texcoords = mesh.texcoords[..count].iter().flat_map(|place| place.to_array());
    let colors = mesh.colors.iter().flat_map(|color| color.to_array());
    let second = mesh.second_texcoords.iter().take(count).flat_map(|place| place.to_array());
    let texcoords: Vec<f32> = texcoords.chain(colors).chain(second).collect();
    let (min, max) =
        if bounds.is_empty() { (Vec3::ZERO, Vec3::ZERO) } else { (bounds.min, bounds.max) };
    MeshRecord {
        name: name.to_owned(),
        vertices: count,
        min: round_vector(min, digits),
        max: round_vector(max, digits),
        centroid: round_vector(Vec3::from_array(centroid), digits),
        // Copies have the positions of their vertices; their number depends on normals.
        positions: of_axes(&[x, y, z], count),
        normals: of_axes(&[nx, ny, nz, tx, ty, tz], posed.len()),
        triangles: short_digest(&corners),
        texcoords: short_digest(&little_endian(&texcoords)),
        position_sums: PositionSums::new(
            (0..count).map(|vertex| posed.position_at(vertex)),
            diagonal,
        ),
    }
}

pub(super) fn visibility(
    scene: &Scene,
    assets: &Assets,
    seen: &[VisibleFragment],
) -> VisibilityRecord {
    let mut digest = blake3::Hasher::new();
    let meshes =
        |instance: &tintype_scene::Instance| assets.models[instance.model].model.meshes.len();
    let draws: usize = scene.instances.iter().map(meshes).sum();
    let mut covered = BTreeSet::new();
    let mut pixels = vec![0_u64; draws];
    // A mesh may show several triangles in a pixel, which are then adjacent, because points are in
    // the order of pixels.
    let mut last = vec![None; draws];
    for point in seen {
        let VisibleFragment { pixel, draw, triangle, samples, is_front } = *point;
        for value in [pixel[0], pixel[1], draw, triangle, samples, u32::from(is_front)] {
            digest.update(&value.to_le_bytes());
        }
        covered.insert(pixel);
        let draw = draw as usize;
        if last[draw] != Some(pixel) {
            last[draw] = Some(pixel);
            pixels[draw] += 1;
        }
    }
    let mut rest = pixels.as_slice();
    let mut by_instance = Vec::new();
    for instance in &scene.instances {
        let (own, others) = rest.split_at(meshes(instance));
        by_instance.push(own.to_vec());
        rest = others;
    }
    VisibilityRecord {
        digest: digest.finalize().to_hex()[..16].to_owned(),
        covered: covered.len() as u64,
        pixels: by_instance,
    }
}
