//! Names of meshes, materials and joints selected by an instance, found in the file of its model.

use super::error::AssetError;
use super::file::Source;
use super::material::MaterialResolver;
use super::material_library::{fits, plain};
use super::morph::{MorphChoice, morphs_named};
use std::path::Path;
use tintype_base::diagnostic::{Diagnostic, Kind, Place};
use tintype_base::suggest::nearest_word;
use tintype_model::{CastShadow, FileLightKind, Mesh, Model, Skeleton, mesh_names};
use tintype_scene::{CameraRig, Instance, Lights, Scene, SetChoice, Switch};

/// An instance of the scene with its choices among the parts of its model.
#[derive(Clone, Debug, Default)]
pub struct LoadedInstance {
    /// For each mesh of its model, the index of its material.
    pub mesh_materials: Vec<usize>,
    /// For each mesh of its model, true if it is drawn with the instance.
    pub is_drawn: Vec<bool>,
    /// The joint that it is attached to, in the skeleton of the other instance.
    pub attached_joint: Option<usize>,
    /// For each of [`Instance::joints`], the joint.
    pub joints: Vec<usize>,
    /// For each of [`Instance::morphs`], its morph targets or its expression.
    pub morphs: Vec<MorphChoice>,
}

/// Resolves the choices of a scene's instances among models and mesh materials; warns about
/// instances that never draw anything.
///
/// # Errors
/// [`AssetError::UnknownName`] for the first name without a mesh, material or joint.
pub(super) fn load(
    scene: &Scene,
    scene_folder: &Path,
    models: &[(&Model, &[usize])],
    resolver: &mut MaterialResolver<'_>,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<LoadedInstance>, AssetError> {
    let mut found = Vec::new();
    for (index, instance) in scene.instances.iter().enumerate() {
        let mut loaded = LoadedInstance::default();
        if let (Some(&(model, materials)), Some(entry)) =
            (models.get(instance.model), scene.models.get(instance.model))
        {
            let source = |key: &str| Source::new(scene_folder, &entry.file, instance.path_of(key));
            loaded.mesh_materials = materials.to_vec();
            choose_materials(instance, model, &source, resolver, &mut loaded.mesh_materials)?;
            loaded.is_drawn = drawn_meshes(instance, &model.meshes, &source)?;
            for (n, joint) in instance.joints.iter().enumerate() {
                let at = source(&format!("joints[{n}].name"));
                loaded.joints.push(joint_of(&model.skeleton, &joint.name, &at)?);
            }
            for morph in &instance.morphs {
                let skeleton = &model.skeleton;
                let choice = morphs_named(skeleton, &morph.name).ok_or_else(|| {
                    let names = skeleton.morphs().iter().map(|slot| slot.name.as_str());
                    let own = skeleton.expressions().iter().map(|one| one.name.as_str());
                    unknown(&source("morphs"), "morph target", &morph.name, names.chain(own))
                })?;
                if choice == MorphChoice::Lacking {
                    let at = source("morphs");
                    let missing = format!("the character has no expression {:?}", morph.name);
                    let message = format!("{}: {missing}; ignored", at.key);
                    warnings.push(at.warning(Kind::Model, message));
                }
                loaded.morphs.push(choice);
            }
            let before = index.checked_sub(1).and_then(|before| scene.instances.get(before));
            // Reported once for a crowd.
            if before.is_none_or(|before| before.table != instance.table) {
                warn_hidden(scene, instance, &loaded, &entry.name, warnings);
            }
        }
        if let Some(attachment) = &instance.attach
            && let Some(joint) = &attachment.joint
            && let Some(owner) = scene.instances.get(attachment.to)
            && let (Some(&(model, _)), Some(entry)) =
                (models.get(owner.model), scene.models.get(owner.model))
        {
            let key = instance.path_of("attach.joint");
            let at = Source::new(scene_folder, &entry.file, key);
            loaded.attached_joint = Some(joint_of(&model.skeleton, joint, &at)?);
        }
        found.push(loaded);
    }
    Ok(found)
}

/// Replaces the materials of meshes by those of the variant and of the choices of an instance.
fn choose_materials(
    instance: &Instance,
    model: &Model,
    source: &dyn Fn(&str) -> Source,
    resolver: &mut MaterialResolver<'_>,
    mesh_materials: &mut [usize],
) -> Result<(), AssetError> {
    if let Some(variant) = &instance.variant {
        let at = source("variant");
        let worn = variant_of(model, variant, &at)?;
        for (mesh, slot) in model.meshes.iter().zip(&mut *mesh_materials) {
            let other = mesh.variants.iter().find(|(index, _)| *index == worn);
            if let Some((_, material)) = other {
                *slot = resolver.material_named(material, model, &at)?;
            }
        }
    }
    for choice in &instance.materials {
        let at = source("materials");
        let shaders = || model.meshes.iter().map(|mesh| mesh.material_name.as_str());
        if !shaders().any(|shader| is_same(shader, &choice.shader)) {
            return Err(unknown(&at, "shader", &choice.shader, shaders()));
        }
        let material = resolver.material_named(&choice.material, model, &at)?;
        for (mesh, slot) in model.meshes.iter().zip(&mut *mesh_materials) {
            if is_same(&mesh.material_name, &choice.shader) {
                *slot = material;
            }
        }
    }
    Ok(())
}

/// The index of a variant of the materials of a file.
fn variant_of(model: &Model, choice: &SetChoice, at: &Source) -> Result<usize, AssetError> {
    part_of(&model.parts.variants, choice, "variant", at)
}

/// The index of a part of a file among all of its kind.
fn part_of(
    all: &[String],
    choice: &SetChoice,
    what: &'static str,
    at: &Source,
) -> Result<usize, AssetError> {
    let (found, written) = match choice {
        SetChoice::Index(index) => {
            (Some(*index).filter(|&index| index < all.len()), index.to_string())
        }
        SetChoice::Name(name) => (all.iter().position(|known| known == name), name.clone()),
    };
    found.ok_or_else(|| unknown(at, what, &written, all.iter().map(String::as_str)))
}

/// The instance and the file camera that the scene looks through. None if the scene defines the
/// camera.
///
/// # Errors
/// [`AssetError::UnknownName`] if the instance does not exist, or the file has no such camera.
pub(super) fn camera_of(
    scene: &Scene,
    scene_folder: &Path,
    models: &[(&Model, &[usize])],
) -> Result<Option<[usize; 2]>, AssetError> {
    let CameraRig::Model(own) = &scene.camera else { return Ok(None) };
    let source = |index: usize, key: &str| {
        let model = scene.instances.get(index).map_or(0, |instance| instance.model);
        let file = scene.models.get(model).map_or("", |entry| entry.file.as_str());
        Source::new(scene_folder, file, format!("camera.{key}"))
    };
    let index = match &own.instance {
        None => 0,
        Some(name) => instance_named(scene, name, &source(0, "instance"))?,
    };
    let model = scene.instances.get(index).and_then(|instance| models.get(instance.model));
    let cameras = model.map_or(&[][..], |(model, _)| &model.parts.cameras);
    let names: Vec<String> = cameras.iter().map(|camera| camera.name.clone()).collect();
    let choice = own.camera.clone().unwrap_or(SetChoice::Index(0));
    let camera = part_of(&names, &choice, "camera", &source(index, "camera"))?;
    Ok(Some([index, camera]))
}

/// A light in the file of a model, and its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadedLight {
    /// Index of the instance that it moves with.
    pub instance: usize,
    /// Index among the lights of the file.
    pub light: usize,
    /// Factor of its strength.
    pub intensity: f32,
    /// Its shadow, indexed among all lights of the scene: those in files follow the others.
    pub shadow: Option<CastShadow>,
}

/// The file lights used by the scene; warns about shadows that none of them casts.
///
/// # Errors
/// [`AssetError::UnknownName`] if the instance does not exist, or the file has no such light.
pub(super) fn lights_of(
    scene: &Scene,
    scene_folder: &Path,
    models: &[(&Model, &[usize])],
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<LoadedLight>, AssetError> {
    let mut found = Vec::new();
    let before = match &scene.lights {
        Lights::Given(lights) => lights.len(),
        Lights::Studio | Lights::Key => 0,
    };
    for own in &scene.model_lights {
        let source = |index: usize, key: &str| {
            let model = scene.instances.get(index).map_or(0, |instance| instance.model);
            let file = scene.models.get(model).map_or("", |entry| entry.file.as_str());
            Source::new(scene_folder, file, format!("light.{key}"))
        };
        let instance = match &own.instance {
            None => 0,
            Some(name) => instance_named(scene, name, &source(0, "instance"))?,
        };
        let model = scene.instances.get(instance).and_then(|one| models.get(one.model));
        let lights = model.map_or(&[][..], |(model, _)| &model.parts.lights);
        let casts = |light: usize| {
            lights.get(light).is_some_and(|light| light.kind == FileLightKind::Directional)
        };
        let names: Vec<String> = lights.iter().map(|light| light.name.clone()).collect();
        let at = source(instance, "light");
        let chosen = match &own.light {
            Some(choice) => vec![part_of(&names, choice, "light", &at)?],
            // A file without lights would leave the scene dark without a warning.
            None if names.is_empty() => {
                vec![part_of(&names, &SetChoice::Index(0), "light", &at)?]
            }
            None => (0..names.len()).collect(),
        };
        if own.shadow.is_some() && !chosen.iter().any(|&light| casts(light)) {
            let kinds: Vec<String> = (chosen.iter().filter_map(|&light| lights.get(light)))
                .map(|light| format!("{:?} is a {} light", light.name, light.kind.name()))
                .collect();
            let message = format!(
                "{}: only directional lights cast shadows: {}",
                at.key.replace("light.light", "light.shadow"),
                kinds.join(", ")
            );
            warnings.push(at.warning(Kind::Model, message));
        }
        for light in chosen {
            let index = before + found.len();
            let shadow = own.shadow.filter(|_| casts(light));
            let shadow = shadow.map(|shadow| CastShadow { light: index, ..shadow });
            found.push(LoadedLight { instance, light, intensity: own.intensity, shadow });
        }
    }
    Ok(found)
}

/// The index of the instance of a name.
fn instance_named(scene: &Scene, name: &str, at: &Source) -> Result<usize, AssetError> {
    let names = || scene.instances.iter().filter_map(|instance| instance.name.as_deref());
    let is_meant = |instance: &Instance| instance.name.as_deref() == Some(name);
    let found = scene.instances.iter().position(is_meant);
    found.ok_or_else(|| unknown(at, "instance", name, names()))
}

/// True if two names of shaders or meshes are the same, ignoring case and the kind of slash.
fn is_same(a: &str, b: &str) -> bool {
    plain(a) == plain(b)
}

/// Meshes left by `show` and `hide`. A pattern is compared with the name of each mesh and with its
/// shader.
fn drawn_meshes(
    instance: &Instance,
    meshes: &[Mesh],
    source: &dyn Fn(&str) -> Source,
) -> Result<Vec<bool>, AssetError> {
    let names = mesh_names(meshes);
    let matches = |key: &str, patterns: &[String]| -> Result<Vec<bool>, AssetError> {
        let mut matched = vec![false; meshes.len()];
        for (n, pattern) in patterns.iter().enumerate() {
            let lower = plain(pattern);
            let mut is_known = false;
            for ((mesh, name), matched) in meshes.iter().zip(&names).zip(&mut matched) {
                if fits(&lower, &plain(name)) || fits(&lower, &plain(&mesh.material_name)) {
                    (is_known, *matched) = (true, true);
                }
            }
            if !is_known {
                let at = source(&format!("{key}[{n}]"));
                return Err(unknown(&at, "mesh", pattern, names.iter().map(String::as_str)));
            }
        }
        Ok(matched)
    };
    let shown = matches("show", &instance.show)?;
    let hidden = matches("hide", &instance.hide)?;
    let is_drawn = |(shown, hidden): (bool, bool)| (shown || instance.show.is_empty()) && !hidden;
    Ok(shown.into_iter().zip(hidden).map(is_drawn).collect())
}

/// The first joint of a name.
fn joint_of(skeleton: &Skeleton, name: &str, at: &Source) -> Result<usize, AssetError> {
    let names = || skeleton.joints().iter().map(|joint| joint.name.as_str());
    names().position(|known| known == name).ok_or_else(|| unknown(at, "joint", name, names()))
}

fn unknown<'a>(
    at: &Source,
    what: &'static str,
    found: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> AssetError {
    let mut has: Vec<String> = Vec::new();
    for name in names.clone() {
        if !has.iter().any(|known| known == name) {
            has.push(name.to_owned());
        }
    }
    AssetError::UnknownName {
        path: at.path.clone(),
        key: at.key.clone(),
        what,
        found: Box::from(found),
        has: has.into_boxed_slice(),
        nearest: nearest_word(found, names).map(String::into_boxed_str),
    }
}

/// Warns of an instance that is never seen: by its patterns, or by steps that are false in all
/// frames.
fn warn_hidden(
    scene: &Scene,
    instance: &Instance,
    loaded: &LoadedInstance,
    model: &str,
    warnings: &mut Vec<Diagnostic>,
) {
    let mut times = scene.output.frames.iter().map(|frame| scene.output.time_s(frame));
    let has_steps = matches!(instance.visible, Switch::Steps(_));
    let message = if !loaded.is_drawn.is_empty() && !loaded.is_drawn.contains(&true) {
        "hide and show leave none of its meshes to draw"
    } else if has_steps && !times.any(|time_s| instance.visible.at(time_s)) {
        "visible is false in all frames of the scene"
    } else {
        return;
    };
    let place = Place::Model { name: model.to_owned(), clip: None };
    let message = format!("instance[{}]: {message}", instance.table);
    warnings.push(Diagnostic::warning(Kind::Model, place, message));
}
