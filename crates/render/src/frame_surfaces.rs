//! Parts of surfaces beside their posed meshes: outlines, texture coordinates and colours that move
//! by themselves, properties of materials moved by clips and expressions, and the thickness of
//! volumes.
//!
//! Input: the posed meshes of a frame, its camera and its time. Output: the materials of the frame,
//! and the hulls that are drawn as outlines: the meshes moved outward along their normals and
//! turned inside out, so that only the part behind the surface is visible.

use super::staged_instance::StagedInstance;
use crate::asset::{Assets, MaterialOrigin};
use core::f64::consts::TAU;
use rayon::prelude::*;
use std::collections::BTreeMap;
use tintype_model::math::{Vec2, Vec3, clamp, func, max};
use tintype_model::pose::shown_expressions;
use tintype_model::{
    Camera, ColorRole, CullMode, Expression, LinearRgb, Material, MaterialProperty, Mesh, Model,
    Outline, Pose, PosedMesh, PropertyOwner, TexcoordMotion, Texture, TextureBind,
    TextureCoordinates, TextureRole,
};
use tintype_raster::texture::footprint::Footprint;
use tintype_raster::texture::sample_filtered;
use tintype_scene::{FramePosition, Scene, Shade};

/// Hulls are moved back by this fraction of the distance to the eye, so that surfaces without width
/// hide their hull.
const SET_BACK: f32 = 1e-5;

/// Materials and outlines of one frame.
#[derive(Clone, Debug)]
pub(super) struct FrameSurfaces {
    /// Materials of the frame: those of the scene, then copies animated to the time, and those of
    /// outlines.
    pub materials: Vec<Material>,
    /// Per instance and mesh.
    instances: Vec<Vec<ToonMesh>>,
}

/// A mesh of an instance.
#[derive(Clone, Debug)]
pub(super) struct ToonMesh {
    /// Its material.
    pub material: usize,
    /// Its outline.
    pub hull: Option<Hull>,
}

/// The outline of a mesh.
#[derive(Clone, Debug)]
pub(super) struct Hull {
    pub posed: PosedMesh,
    pub triangles: Vec<[u32; 3]>,
    pub material: usize,
}

impl FrameSurfaces {
    /// The parts of a frame. None if no material has any.
    pub(super) fn of(
        (scene, assets): (&Scene, &Assets),
        staged: &[StagedInstance],
        camera: &Camera,
        moment: FramePosition,
    ) -> Option<Self> {
        let has_parts = |material: &Material| {
            material.is_moving()
                || material.transmission().is_some_and(|own| own.thickness > 0.0)
                || material
                    .toon()
                    .is_some_and(|toon| toon.outline.is_some() || !toon.speed.is_none())
        };
        let expressed: Vec<Option<Expressed>> = (scene.instances.iter().zip(staged))
            .map(|(own, staged)| Expressed::of(&assets.models[own.model].model, &staged.pose))
            .collect();
        let is_own = |material: usize| {
            scene.output.shade == Shade::Textured
                && assets.material_reports[material].origin == MaterialOrigin::File
        };
        if !assets.materials.iter().any(has_parts) && expressed.iter().all(Option::is_none) {
            return None;
        }
        // 1. Materials animated to the time, each followed by the material of its outline.
        let mut looks = Looks { materials: assets.materials.clone(), time_s: moment.time_s };
        let plain: Vec<Look> =
            (0..assets.materials.len()).map(|index| looks.add(index, None)).collect();
        let mut of_mesh: Vec<Vec<Look>> = Vec::new();
        for (chosen, expressed) in assets.instances.iter().zip(&expressed) {
            let mut own = BTreeMap::new();
            let mut look = |&material: &usize| match expressed {
                Some(expressed) => *own.entry(material).or_insert_with(|| {
                    let rest = &assets.materials[material];
                    looks.add(material, expressed.material(rest, is_own(material)))
                }),
                None => plain[material],
            };
            of_mesh.push(chosen.mesh_materials.iter().map(&mut look).collect());
        }

        // 2. Volumes, which are scaled with their meshes.
        for ((own, staged), of_mesh) in scene.instances.iter().zip(staged).zip(&mut of_mesh) {
            for (mesh, look) in assets.models[own.model].model.meshes.iter().zip(of_mesh) {
                if let Some(thick) = thickened(&looks.materials[look.surface], mesh, staged) {
                    look.surface = looks.push(thick);
                }
            }
        }

        // 3. Hulls.
        let materials = looks.materials;
        let half_height = half_height(camera, scene.output.size);
        let of_instance = |(index, staged): (usize, &StagedInstance)| {
            let model = &assets.models[scene.instances[index].model].model;
            let scale = staged.world_from_model.matrix3.y_axis.length();
            let width = Width { scale, half_height, camera, textures: &assets.textures };
            let meshes = model.meshes.iter().zip(&of_mesh[index]).enumerate();
            let of_mesh = |(number, (mesh, look)): (usize, (&Mesh, &Look))| {
                let hull = look.outline.and_then(|material| {
                    let posed = width.hull(mesh, &staged.meshes[number], &materials[material])?;
                    Some(Hull { posed, triangles: staged.inside_out(number, mesh), material })
                });
                ToonMesh { material: look.surface, hull }
            };
            meshes.map(of_mesh).collect()
        };
        let instances = staged.par_iter().enumerate().map(of_instance).collect();
        Some(Self { materials, instances })
    }

    /// A mesh of an instance.
    pub(super) fn mesh(&self, instance: usize, mesh: usize) -> &ToonMesh {
        &self.instances[instance][mesh]
    }
}

/// Indices of the material of a surface and of its outline.
#[derive(Clone, Copy)]
struct Look {
    surface: usize,
    outline: Option<usize>,
}

/// Materials of a frame while they are listed.
struct Looks {
    materials: Vec<Material>,
    time_s: f64,
}

impl Looks {
    /// Lists a material animated to the time, and that of its outline; `own` replaces the material
    /// at the index.
    fn add(&mut self, index: usize, own: Option<Material>) -> Look {
        let now = at_moment(own.as_ref().unwrap_or(&self.materials[index]), self.time_s).or(own);
        let outline = outline_of(now.as_ref().unwrap_or(&self.materials[index]));
        let surface = now.map_or(index, |now| self.push(now));
        Look { surface, outline: outline.map(|outline| self.push(outline)) }
    }

    fn push(&mut self, material: Material) -> usize {
        self.materials.push(material);
        self.materials.len() - 1
    }
}

/// Changes of the materials of a model in a pose.
struct Expressed<'m> {
    /// Expressions that change them, with their visible weights.
    expressions: Vec<(&'m Expression, f32)>,
    /// Properties by the names of their materials, with their numbers.
    moved: BTreeMap<&'m str, Vec<(MaterialProperty, &'m [f32])>>,
}

impl<'m> Expressed<'m> {
    /// Changes of a pose. None if there are none.
    fn of(model: &'m Model, pose: &'m Pose) -> Option<Self> {
        let mut moved: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for (owner, numbers) in model.parts.moved(&model.skeleton, pose) {
            if let PropertyOwner::Material(name, property) = owner {
                moved.entry(name).or_default().push((*property, numbers));
            }
        }
        let all = model.skeleton.expressions();
        let has_binds = |one: &Expression| !(one.colors.is_empty() && one.textures.is_empty());
        let expressions: Vec<_> = if pose.expressions.iter().any(|weight| *weight != 0.0) {
            (all.iter().zip(shown_expressions(all, &pose.expressions)))
                .filter(|(one, weight)| *weight != 0.0 && has_binds(one))
                .collect()
        } else {
            Vec::new()
        };
        (!(expressions.is_empty() && moved.is_empty())).then_some(Self { expressions, moved })
    }

    /// A material after their changes. None if they leave it unchanged. Properties are animated
    /// only in materials of the model's file.
    fn material(&self, rest: &Material, is_own: bool) -> Option<Material> {
        let mut own = None;
        let moved = self.moved.get(rest.name.as_str()).filter(|_| is_own);
        for (property, numbers) in moved.into_iter().flatten() {
            property.set(own.get_or_insert_with(|| rest.clone()), numbers);
        }
        let moved = own.clone();
        let rest = moved.as_ref().unwrap_or(rest);
        for &(one, weight) in &self.expressions {
            for bind in one.colors.iter().filter(|bind| bind.material == rest.name) {
                let own = own.get_or_insert_with(|| rest.clone());
                if bind.role == ColorRole::Base {
                    own.opacity += (bind.value[3] - rest.opacity) * weight;
                }
                let (Some(from), [r, g, b, _]) =
                    (color_of(&mut rest.clone(), bind.role).copied(), bind.value)
                else {
                    continue;
                };
                if let Some(own) = color_of(own, bind.role) {
                    own.r += (r - from.r) * weight;
                    own.g += (g - from.g) * weight;
                    own.b += (b - from.b) * weight;
                }
            }
            for bind in one.textures.iter().filter(|bind| bind.material == rest.name) {
                let own = own.get_or_insert_with(|| rest.clone());
                let mut all = TextureRole::ALL.map(|role| own.coordinates_of(role).copied());
                for (role, slot) in TextureRole::ALL.into_iter().zip(&mut all) {
                    if role != TextureRole::Matcap && rest.texture(role).is_some() {
                        let plain = TextureCoordinates::plain(false);
                        let from = rest.coordinates_of(role).copied().unwrap_or(plain);
                        transform(slot.get_or_insert(plain), &from, bind, weight);
                    }
                }
                own.coordinates = Some(Box::new(all));
            }
        }
        let mut own = own?;
        own.opacity = clamp(own.opacity, 0.0, 1.0);
        for role in COLORS {
            if let Some(color) = color_of(&mut own, role) {
                let LinearRgb { r, g, b } = *color;
                *color = LinearRgb::new(max(r, 0.0), max(g, 0.0), max(b, 0.0));
            }
        }
        Some(own)
    }
}

/// All colours that expressions change.
const COLORS: [ColorRole; 6] = [
    ColorRole::Base,
    ColorRole::Emission,
    ColorRole::Shade,
    ColorRole::Matcap,
    ColorRole::Rim,
    ColorRole::Outline,
];

/// A colour of a material, if it has one in this role.
fn color_of(material: &mut Material, role: ColorRole) -> Option<&mut LinearRgb> {
    match role {
        ColorRole::Base => return Some(&mut material.color),
        ColorRole::Emission => return Some(&mut material.emissive),
        _ => {}
    }
    let toon = material.response.as_mut()?.toon.as_mut()?;
    match role {
        ColorRole::Shade => Some(&mut toon.shade),
        ColorRole::Matcap => Some(&mut toon.matcap),
        ColorRole::Rim => Some(&mut toon.rim.color),
        _ => toon.outline.as_mut().map(|outline| &mut outline.color),
    }
}

/// Adds a fraction of the difference between the rest coordinates and those of a bind.
fn transform(
    own: &mut TextureCoordinates,
    from: &TextureCoordinates,
    bind: &TextureBind,
    weight: f32,
) {
    own.offset += (Vec2::from_array(bind.offset) - from.offset) * weight;
    let axes = [Vec2::X, Vec2::Y];
    for (((own, from), axis), scale) in
        own.steps.iter_mut().zip(from.steps).zip(axes).zip(bind.scale)
    {
        let length = from.length();
        let along = if length > 0.0 { from / length } else { axis };
        *own += along * ((scale - length) * weight);
    }
}

/// Half the height of the picture at a distance of 1; the same at all distances without
/// perspective.
#[expect(clippy::cast_precision_loss, reason = "sides of pictures are far below 2^24")]
fn half_height(camera: &Camera, size: [u32; 2]) -> f32 {
    let [width, height] = size.map(|side| side as f32);
    camera.half_tangents(width / height).1
}

/// The material of an outline, if the surface has one. The hull is turned inside out, so that its
/// back is not drawn.
fn outline_of(material: &Material) -> Option<Material> {
    material.toon()?.outline?;
    let mut own = Material { cull: CullMode::Back, ..material.clone() };
    own.response.as_mut()?.toon.as_mut()?.is_outline = true;
    Some(own)
}

/// An animated material at a time.
fn at_moment(material: &Material, time_s: f64) -> Option<Material> {
    if material.is_moving() {
        let mut own = material.clone();
        own.move_to(time_s);
        return Some(own);
    }
    let speed = material.toon()?.speed;
    if speed.is_none() {
        return None;
    }
    let motion = motion_at(speed, time_s);
    let mut own = material.clone();
    if own.texture(TextureRole::MotionMask).is_some() {
        own.response.as_mut()?.toon.as_mut()?.moved = motion;
        return Some(own);
    }
    let (cosine, sine) = (func::cos(motion.turn_rad), func::sin(motion.turn_rad));
    let middle = Vec2::splat(0.5);
    let mut moved = TextureCoordinates {
        is_second: false,
        steps: [Vec2::new(cosine, -sine), Vec2::new(sine, cosine)],
        offset: Vec2::ZERO,
    };
    moved.offset = middle - moved.direction(middle) + motion.way;
    let mut all = TextureRole::ALL.map(|role| own.coordinates_of(role).copied());
    for (role, slot) in TextureRole::ALL.into_iter().zip(&mut all) {
        if role != TextureRole::Matcap && own.texture(role).is_some() {
            *slot = Some(slot.unwrap_or(TextureCoordinates::plain(false)).after(&moved));
        }
    }
    own.coordinates = Some(Box::new(all));
    Some(own)
}

/// The motion up to a time; the rotation is at most half a turn.
#[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
fn motion_at(speed: TexcoordMotion, time_s: f64) -> TexcoordMotion {
    let way = |speed: f32| (f64::from(speed) * time_s) as f32;
    let turns = f64::from(speed.turn_rad) * time_s / TAU;
    let rest = turns - turns.round();
    let way = Vec2::new(way(speed.way.x), way(speed.way.y));
    let way = if way.is_finite() { way } else { Vec2::ZERO };
    TexcoordMotion { turn_rad: (rest * TAU) as f32, way }
}

/// A material with a volume, scaled for a mesh of an instance. None if a unit of the mesh is one of
/// the scene. For a stretched volume, the thickness is that of a cube of equal volume.
fn thickened(material: &Material, mesh: &Mesh, staged: &StagedInstance) -> Option<Material> {
    let thickness = material.transmission()?.thickness;
    if thickness == 0.0 {
        return None;
    }
    let joint = mesh.influences.first()?.joint();
    let offsets = mesh.source.as_ref().map_or(&[][..], |source| &source.offsets);
    let offset = offsets
        .iter()
        .find(|(of, _)| *of == joint)
        .map_or(1.0, |(_, offset)| offset.matrix3.determinant());
    let moved = staged.pose.matrices.get(joint.index())?.matrix3.determinant();
    let content = f64::from(staged.world_from_model.matrix3.determinant() * moved * offset);
    #[expect(clippy::cast_possible_truncation, reason = "a factor")]
    let scale = func::cbrt_f64(content.abs()) as f32;
    // A rotation within rounding counts as none.
    if (scale - 1.0).abs() < 1e-5 {
        return None;
    }
    let mut own = material.clone();
    own.response.as_mut()?.transmission.thickness = thickness * scale;
    Some(own)
}

/// Widths of the outlines of an instance.
struct Width<'c> {
    /// Length of a unit of the model in the scene.
    scale: f32,
    /// Half the height of the picture: at a distance of 1, or at any distance without perspective.
    half_height: f32,
    camera: &'c Camera,
    textures: &'c [Texture],
}

impl Width<'_> {
    /// A posed mesh, moved outward. None if it is hidden.
    fn hull(&self, mesh: &Mesh, posed: &PosedMesh, material: &Material) -> Option<PosedMesh> {
        let outline = material.toon()?.outline.filter(|_| !posed.is_empty())?;
        let role = TextureRole::OutlineWidth;
        let texture = material.texture(role).and_then(|index| self.textures.get(index));
        let coordinates = material.coordinates_of(role);
        let mut hull = posed.clone();
        let (eye, back) = (self.camera.eye, self.camera.world_from_view.z_axis);
        for vertex in 0..posed.len() {
            let share = texture.map_or(1.0, |texture| {
                let is_second = coordinates.is_some_and(|own| own.is_second);
                let set = if is_second { &mesh.second_texcoords } else { &mesh.texcoords };
                let at = set.get(vertex).copied().unwrap_or_default();
                let at = coordinates.map_or(at, |own| own.point(at));
                let footprint = Footprint { at, across: Vec2::ZERO, down: Vec2::ZERO };
                sample_filtered(texture, &footprint, 1).y
            });
            let position = posed.position_at(vertex);
            let moved = position + posed.normal_at(vertex) * (self.at(&outline, position) * share);
            let away = if self.camera.is_orthographic() {
                back * (moved - eye).dot(back)
            } else {
                moved - eye
            };
            let moved = moved + away * SET_BACK;
            for (axis, value) in hull.position.iter_mut().zip(moved.to_array()) {
                axis[vertex] = value;
            }
        }
        Some(hull)
    }

    /// The width at a position, in units of the scene.
    fn at(&self, outline: &Outline, position: Vec3) -> f32 {
        let Self { scale, half_height, camera, .. } = self;
        if !outline.is_on_screen {
            return outline.width * scale;
        }
        let depth = (camera.eye - position).dot(camera.world_from_view.z_axis);
        let depth = if camera.is_orthographic() { 1.0 } else { depth };
        outline.width * half_height * depth
    }
}
