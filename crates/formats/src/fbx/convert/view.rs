//! Cameras and lights of models.

use super::node::Nodes;
use crate::fbx::document::Document;
use crate::names::Names;
use tintype_model::math::{DVec3, clamp, func, min};
use tintype_model::{
    FileCamera, FileLight, FileLightKind, FileRepair, FilmFit, JointIndex, Warning,
};

/// Millimetres per inch, the unit of film sizes.
const INCH_MM: f64 = 25.4;
/// Lux or candela of an intensity of 1: programs show a white surface at 100 in its colour.
const LUX: f64 = core::f64::consts::PI / 100.0;

/// The cameras and the lights of a scene, in the order of its models. Those without size or angle
/// are skipped, with a warning.
pub(super) fn cameras_and_lights(
    document: &Document,
    nodes: &Nodes,
    warnings: &mut Vec<Warning>,
) -> (Vec<FileCamera>, Vec<FileLight>) {
    let (mut cameras, mut lights) = (Vec::new(), Vec::new());
    let (mut camera_names, mut light_names) = (Names::default(), Names::default());
    for &(object, joint) in &nodes.views {
        let Some(own) = document.objects.get(object) else { continue };
        let holder = nodes.skeleton.joints().get(joint.index()).map(|own| own.name.as_str());
        let holder = holder.and_then(|name| name.strip_suffix(" view"));
        let name = Some(own.name.as_str()).filter(|name| !name.is_empty()).or(holder);
        if own.class == "Light" {
            let name = light_names.unique(name, "light", lights.len());
            lights.push(light(document, object, joint, name));
            continue;
        }
        let name = camera_names.unique(name, "camera", cameras.len());
        match camera(document, object, joint, name, nodes.frame.metres) {
            Some(camera) => cameras.push(camera),
            None => {
                let message = "the camera has no valid angle or size; skipped";
                warnings.push(document.fault(FileRepair::Malformed, object, message));
            }
        }
    }
    (cameras, lights)
}

/// Reads a camera; its angle follows from its aperture, or from film and focal length, over the
/// height of the film.
fn camera(
    document: &Document,
    object: usize,
    joint: JointIndex,
    name: String,
    metres: f64,
) -> Option<FileCamera> {
    let real = |name: &str, usual: f64| single(document.real(object, name).unwrap_or(usual));
    let aspect = real("AspectWidth", 320.0) / real("AspectHeight", 200.0);
    let tangent = |name: &str| func::tan(func::radians(real(name, 25.0)) * 0.5);
    let film =
        [real("FilmWidth", 0.816) * real("FilmSqueezeRatio", 1.0), real("FilmHeight", 0.612)];
    let gate = document.int(object, "GateFit").unwrap_or(0);
    let film_aspect = film[0] / film[1];
    let (half, film_aspect) = match document.int(object, "ApertureMode").unwrap_or(2) {
        0 => (tangent("FieldOfViewY"), tangent("FieldOfViewX") / tangent("FieldOfViewY")),
        // The camera's picture is the whole film if no fit is stated.
        1 if gate == 0 => (tangent("FieldOfView") / aspect, film_aspect),
        1 => (tangent("FieldOfView") / film_aspect, film_aspect),
        3 => {
            let half = film[1] * single(INCH_MM) * 0.5 / real("FocalLength", 35.0);
            (half, film_aspect)
        }
        _ => (tangent("FieldOfView"), film_aspect),
    };
    let is_flat = document.int(object, "CameraProjectionType") == Some(1);
    let size = single(metres);
    let is_sound = |number: &f32| *number > 0.0 && number.is_finite();
    let near = Some(real("NearPlane", 10.0) * size).filter(is_sound).unwrap_or(0.01);
    let far = Some(real("FarPlane", 4000.0) * size).filter(|&far| far > near && far.is_finite());
    let height = if is_flat {
        // Zoom 1 shows as many units as the program's picture is high.
        Some(Some(real("OrthoZoom", 1.0) * 30.0 * size).filter(is_sound)?)
    } else {
        None
    };
    let fov_y_rad =
        if is_flat { None } else { Some(2.0 * func::atan2(Some(half).filter(is_sound)?, 1.0)) };
    // The film of a parallel camera is square.
    let film_aspect = if is_flat { 1.0 } else { film_aspect };
    let fit = match gate {
        2 => FilmFit::Width(film_aspect),
        3 => FilmFit::Inside(film_aspect),
        4 => FilmFit::Around(film_aspect),
        _ => FilmFit::Height,
    };
    let fit = if is_sound(&film_aspect) { fit } else { FilmFit::Height };
    Some(FileCamera { name, joint, fov_y_rad, height, fit, near, far })
}

fn light(document: &Document, object: usize, joint: JointIndex, name: String) -> FileLight {
    let real = |name: &str, usual: f64| single(document.real(object, name).unwrap_or(usual));
    let half = |degrees: f32| func::radians(clamp(degrees, 0.0, 179.0)) * 0.5;
    let kind = match document.int(object, "LightType").unwrap_or(0) {
        1 => FileLightKind::Directional,
        2 => {
            let outer = half(real("OuterAngle", 45.0));
            let inner = min(half(real("InnerAngle", 0.0)), outer);
            FileLightKind::Spot { inner_rad: inner, outer_rad: outer }
        }
        _ => FileLightKind::Point,
    };
    let color = document.vector(object, "Color").unwrap_or(DVec3::ONE);
    let color = color.to_array().map(|part| clamp(single(part), 0.0, 1.0e4));
    let intensity = document.real(object, "Intensity").unwrap_or(100.0);
    let intensity = clamp(single(intensity * LUX), 0.0, 1.0e6);
    FileLight { name, joint, kind, color, intensity, range: None }
}

#[expect(clippy::cast_possible_truncation, reason = "numbers of the model have 32 bits")]
fn single(number: f64) -> f32 {
    number as f32
}
