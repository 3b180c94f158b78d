//! Parts of the document beside the model: extensions, variants of materials, cameras and lights.

use super::node::{Nodes, scene_names, to_f32};
use crate::gltf::buffer::missing;
use crate::gltf::document::{Camera, Document, Extensions};
use crate::gltf::error::GltfError;
use crate::gltf::extension::lost;
use crate::gltf::faults::RepairLog;
use crate::gltf::number::JsonInteger;
use crate::gltf::object::{mismatch, objects};
use crate::gltf::parse::{MAX_REPAIRS, leave_out};
use crate::gltf::path::JsonPath;
use crate::gltf::vrm;
use crate::names::Names;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use tintype_base::precedence::Guesses;
use tintype_model::{
    AxisRule, FileCamera, FileExtension, FileLight, FileLightKind, FileParts, FileRepair, FilmFit,
    JointIndex,
};

/// Reads an extension of an object, if present; `path` is the path of its list of extensions.
/// Values of another form than specified are skipped.
pub(super) fn extension<T: DeserializeOwned>(
    extensions: &Extensions,
    name: &str,
    path: &JsonPath,
    faults: &RepairLog,
) -> Option<T> {
    let value = extensions.get(name)?;
    let mut error = match serde_path_to_error::deserialize::<_, T>(value) {
        Ok(found) => return Some(found),
        Err(error) => error,
    };
    let mut rest = value.clone();
    for _ in 0..MAX_REPAIRS {
        let wrong = mismatch(&path.key(name).to_string(), &rest, &error);
        faults.tell(FileRepair::Malformed, format!("{wrong}; skipped"));
        if !leave_out(&mut rest, error.path()) {
            return None;
        }
        error = match serde_path_to_error::deserialize(&rest) {
            Ok(found) => return Some(found),
            Err(error) => error,
        };
    }
    None
}

/// The name of the extension of lights.
const LIGHTS: &str = "KHR_lights_punctual";

objects!(Variants, Named, Lights, Light, Spot, LightOfNode);

/// `KHR_materials_variants` of the document.
#[derive(Default, Deserialize)]
#[serde(remote = "Self")]
#[serde(default)]
struct Variants {
    variants: Vec<Named>,
}

#[derive(Default, Deserialize)]
#[serde(remote = "Self")]
#[serde(default)]
struct Named {
    name: Option<String>,
}

/// `KHR_lights_punctual` of the document.
#[derive(Default, Deserialize)]
#[serde(remote = "Self")]
#[serde(default)]
struct Lights {
    lights: Vec<Light>,
}

#[derive(Default, Deserialize)]
#[serde(remote = "Self")]
#[serde(default)]
struct Light {
    name: Option<String>,
    #[serde(rename = "type")]
    kind: String,
    color: Option<[f64; 3]>,
    intensity: Option<f64>,
    range: Option<f64>,
    spot: Option<Spot>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(remote = "Self")]
#[serde(default, rename_all = "camelCase")]
struct Spot {
    inner_cone_angle: Option<f64>,
    outer_cone_angle: Option<f64>,
}

/// `KHR_lights_punctual` of a node.
#[derive(Deserialize)]
#[serde(remote = "Self")]
struct LightOfNode {
    light: JsonInteger,
}

/// By their indices in the document: lights and cameras of [`FileParts`], one for each node that
/// has it.
#[derive(Default)]
pub(super) struct PartSources {
    pub(super) lights: BTreeMap<usize, Vec<usize>>,
    pub(super) cameras: BTreeMap<usize, Vec<usize>>,
}

/// Reads the parts of a document. Cameras and lights that break a rule are skipped.
///
/// # Errors
/// Only those of the parts: [`GltfError::Limit`] and [`GltfError::TimedOut`].
pub(super) fn read_parts(
    document: &Document,
    nodes: &Nodes,
    faults: &RepairLog,
) -> Result<(FileParts, PartSources), GltfError> {
    let root = JsonPath::root("extensions");
    let mut parts = document_parts(document, &root, faults);
    let lights: Option<Lights> = extension(&document.extensions, LIGHTS, &root, faults);
    let Lights { lights } = lights.unwrap_or_default();
    let own = root.key(LIGHTS);
    let list = own.key("lights");
    let node_list = JsonPath::root("nodes");
    let mut sources = PartSources::default();
    let (mut light_names, mut camera_names) = (Names::default(), Names::default());
    for &index in &nodes.nodes {
        let (Some(node), Some(joint)) = (document.nodes.get(index), nodes.joint(index)) else {
            continue;
        };
        let path = node_list.index(index);
        if node.mesh.is_some() && node.skin.is_some() {
            parts.holders.push(joint);
        }
        if let Some(camera) = node.camera {
            let list = JsonPath::root("cameras");
            let found = document.cameras.get(camera.0);
            let read = found
                .ok_or_else(|| {
                    missing(&path.key("camera"), "the camera", camera, document.cameras.len())
                })
                .and_then(|found| camera_of(found, joint, &list.index(camera.0)));
            if let Some(read) = faults.part(FileRepair::Malformed, read, "the camera is skipped")? {
                let name = found.and_then(|found| found.name.as_deref()).or(node.name.as_deref());
                let name = camera_names.unique(name, "camera", camera.0);
                sources.cameras.entry(camera.0).or_default().push(parts.cameras.len());
                parts.cameras.push(FileCamera { name, ..read });
            }
        }
        let own = path.key("extensions");
        if let Some(LightOfNode { light }) = extension(&node.extensions, LIGHTS, &own, faults) {
            let at = own.key(LIGHTS);
            let found = lights.get(light.0);
            let read = found
                .ok_or_else(|| missing(&at.key("light"), "the light", light, lights.len()))
                .and_then(|found| light_of(found, joint, &list.index(light.0)));
            if let Some(read) = faults.part(FileRepair::Malformed, read, "the light is skipped")? {
                let name = found.and_then(|found| found.name.as_deref()).or(node.name.as_deref());
                let name = light_names.unique(name, "light", light.0);
                sources.lights.entry(light.0).or_default().push(parts.lights.len());
                parts.lights.push(FileLight { name, ..read });
            }
        }
    }
    Ok((parts, sources))
}

/// The parts that belong to the document as a whole: axes, scenes, extensions and variants. `root`
/// is the path of its extensions.
fn document_parts(document: &Document, root: &JsonPath, faults: &RepairLog) -> FileParts {
    let mut parts = FileParts {
        lacks_meshes: document.meshes.is_empty(),
        skins: document.skins.len(),
        // The format has +Y up; only VRM states the front of a character.
        up: AxisRule { is_stated: false, guesses: Guesses::Never },
        front: AxisRule { is_stated: vrm::is_vrm(document), guesses: Guesses::OverConvention },
        ..FileParts::default()
    };
    if document.scenes.len() > 1 {
        parts.scenes = scene_names(document);
    }
    for name in &document.extensions_used {
        let is_required = document.extensions_required.contains(name);
        parts.extensions.push(FileExtension { name: name.clone(), is_required, lost: lost(name) });
    }
    let variants: Option<Variants> =
        extension(&document.extensions, "KHR_materials_variants", root, faults);
    if let Some(Variants { variants }) = variants {
        let mut unique = Names::default();
        let names = variants.iter().enumerate();
        parts.variants = names
            .map(|(index, one)| unique.unique(one.name.as_deref(), "variant", index))
            .collect();
    }
    parts
}

fn camera_of(camera: &Camera, joint: JointIndex, path: &JsonPath) -> Result<FileCamera, GltfError> {
    let (name, fit) = (String::new(), FilmFit::Height);
    let is_positive = |value: f64| value > 0.0 && value.is_finite();
    let found = |value: f64, key: &str, at: &JsonPath| {
        if is_positive(value) {
            return Ok(to_f32(value));
        }
        Err(GltfError::value(&at.key(key), "the camera", value, "a number above 0"))
    };
    match (&camera.perspective, &camera.orthographic) {
        (Some(lens), _) => {
            let at = path.key("perspective");
            let (fov, near) = (found(lens.yfov, "yfov", &at)?, found(lens.znear, "znear", &at)?);
            let far = lens.zfar.map(|far| found(far, "zfar", &at)).transpose()?;
            Ok(FileCamera { name, joint, fov_y_rad: Some(fov), height: None, fit, near, far })
        }
        (None, Some(lens)) => {
            let at = path.key("orthographic");
            let height = found(lens.ymag.abs(), "ymag", &at)? * 2.0;
            let far = Some(found(lens.zfar, "zfar", &at)?);
            let near = to_f32(lens.znear);
            Ok(FileCamera { name, joint, fov_y_rad: None, height: Some(height), fit, near, far })
        }
        (None, None) => {
            let expected = "perspective or orthographic";
            Err(GltfError::value(path, "the camera", "neither kind", expected))
        }
    }
}

fn light_of(light: &Light, joint: JointIndex, path: &JsonPath) -> Result<FileLight, GltfError> {
    let spot = light.spot.unwrap_or_default();
    let kind = match light.kind.as_str() {
        "directional" => FileLightKind::Directional,
        "point" => FileLightKind::Point,
        "spot" => FileLightKind::Spot {
            inner_rad: to_f32(spot.inner_cone_angle.unwrap_or(0.0)),
            outer_rad: to_f32(spot.outer_cone_angle.unwrap_or(core::f64::consts::FRAC_PI_4)),
        },
        other => {
            let (found, expected) = (format!("{other:?}"), "directional, point or spot");
            return Err(GltfError::value(&path.key("type"), "the kind of light", found, expected));
        }
    };
    Ok(FileLight {
        name: String::new(),
        joint,
        kind,
        color: light.color.unwrap_or([1.0; 3]).map(to_f32),
        intensity: to_f32(light.intensity.unwrap_or(1.0)),
        range: light.range.map(to_f32),
    })
}
