//! Cameras and lights of two files, which are attached to joints: changes of each.

use crate::finding::{Element, Finding, Kind, Stage, Subject, Unit, Value};
use tintype_model::math::{func, larger};
use tintype_model::{FileCamera, FileLight, FileLightKind, Model};

/// Differences of cameras and lights. Their positions are reported with their joints.
pub(super) fn differences([old, new]: [&Model; 2]) -> Vec<Finding> {
    let mut found = Vec::new();
    let joint = |model: &Model, index: usize| model.skeleton.joints()[index].name.clone();
    let of_camera = |model: &Model, camera: &FileCamera| {
        let FileCamera { joint: on, fov_y_rad, height, near, far, .. } = camera;
        vec![
            ("joint", Value::from(joint(model, on.index()))),
            ("vertical field of view", degrees(*fov_y_rad)),
            ("height", number(*height, Unit::Number)),
            ("near plane", number(Some(*near), Unit::Number)),
            ("far plane", number(*far, Unit::Number)),
        ]
    };
    let of_light = |model: &Model, light: &FileLight| {
        let FileLight { joint: on, kind, color, intensity, range, .. } = light;
        let [inner, outer] = match kind {
            FileLightKind::Spot { inner_rad, outer_rad } => [Some(*inner_rad), Some(*outer_rad)],
            _ => [None; 2],
        };
        vec![
            ("joint", Value::from(joint(model, on.index()))),
            ("kind", Value::from(kind.name())),
            ("intensity", number(Some(*intensity), Unit::Number)),
            ("red", number(Some(color[0]), Unit::Number)),
            ("green", number(Some(color[1]), Unit::Number)),
            ("blue", number(Some(color[2]), Unit::Number)),
            ("range", number(*range, Unit::Number)),
            ("inner cone", degrees(inner)),
            ("outer cone", degrees(outer)),
        ]
    };
    let cameras = [old, new].map(|model| {
        let all = model.parts.cameras.iter();
        all.map(|camera| (camera.name.clone(), of_camera(model, camera))).collect::<Vec<_>>()
    });
    let lights = [old, new].map(|model| {
        let all = model.parts.lights.iter();
        all.map(|light| (light.name.clone(), of_light(model, light))).collect::<Vec<_>>()
    });
    for (element, [before, now]) in [(Element::Camera, cameras), (Element::Light, lights)] {
        pair_parts(element, &before, &now, &mut found);
    }
    found
}

/// A camera or a light: its name, and its values.
type Part = (String, Values);

/// Pairs the parts of a kind by name; of the others, one with the same content was renamed.
fn pair_parts(element: Element, before: &[Part], now: &[Part], found: &mut Vec<Finding>) {
    let part = |name: &String| Subject::named(element, name.as_str());
    let mut left: Vec<_> = now.iter().collect();
    let mut unpaired = Vec::new();
    for (name, values) in before {
        match left.iter().position(|(other, _)| other == name) {
            Some(place) => tell(&part(name), values, &left.remove(place).1, found),
            None => unpaired.push((name, values)),
        }
    }
    for (name, values) in unpaired {
        match left.iter().position(|(_, other)| is_same(values, other)) {
            Some(place) => _ = left.remove(place),
            None => found.push(Finding::new(Stage::Scene, Kind::Removed, part(name))),
        }
    }
    let fresh = left.iter().map(|(name, _)| part(name));
    found.extend(fresh.map(|part| Finding::new(Stage::Scene, Kind::Added, part)));
}

/// True if a difference is an added or removed camera, which affects no picture of the model and no
/// pose.
pub(super) fn is_idle(found: &Finding) -> bool {
    found.of.element == Element::Camera && matches!(found.kind, Kind::Added | Kind::Removed)
}

type Values = Vec<(&'static str, Value)>;

fn degrees(angle_rad: Option<f32>) -> Value {
    number(angle_rad.map(func::degrees), Unit::Degrees)
}

fn number(value: Option<f32>, unit: Unit) -> Value {
    value.map_or_else(|| Value::from("none"), |value| Value::amount(value, unit))
}

fn is_same_value(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Amount(a), Value::Amount(b)) => {
            (a.value - b.value).abs() <= 2e-6 * larger(a.value.abs(), b.value.abs())
        }
        _ => old == new,
    }
}

fn is_same(old: &Values, new: &Values) -> bool {
    old.iter().zip(new).all(|((_, before), (_, now))| is_same_value(before, now))
}

fn tell(part: &Subject, old: &Values, new: &Values, found: &mut Vec<Finding>) {
    for ((key, before), (_, now)) in old.iter().zip(new) {
        if !is_same_value(before, now) {
            let told = Finding::new(Stage::Scene, Kind::ValueChanged, part.clone());
            found.push(told.property(*key).from_to(before.clone(), now.clone()));
        }
    }
}
