//! Cameras and lights of two files, which hang on joints: what changed in each.

use tintype_model::math::{func, larger};
use tintype_model::{FileCamera, FileLight, FileLightKind, Model};

/// Differences of cameras and lights, a sentence each. Where they stand is told with their joints.
pub(super) fn differences([old, new]: [&Model; 2]) -> Vec<String> {
    let mut found = Vec::new();
    let joint = |model: &Model, index: usize| model.skeleton.joints()[index].name.clone();
    let of_camera = |model: &Model, camera: &FileCamera| {
        let FileCamera { joint: on, fov_y_rad, height, near, far, .. } = camera;
        vec![
            ("joint", Value::Word(joint(model, on.index()))),
            ("vertical field of view", degrees(*fov_y_rad)),
            ("height", Value::Number(*height, "")),
            ("near plane", Value::Number(Some(*near), "")),
            ("far plane", Value::Number(*far, "")),
        ]
    };
    let of_light = |model: &Model, light: &FileLight| {
        let FileLight { joint: on, kind, color, intensity, range, .. } = light;
        let [inner, outer] = match kind {
            FileLightKind::Spot { inner_rad, outer_rad } => [Some(*inner_rad), Some(*outer_rad)],
            _ => [None; 2],
        };
        vec![
            ("joint", Value::Word(joint(model, on.index()))),
            ("kind", Value::Word(kind.name().to_owned())),
            ("intensity", Value::Number(Some(*intensity), "")),
            ("red", Value::Number(Some(color[0]), "")),
            ("green", Value::Number(Some(color[1]), "")),
            ("blue", Value::Number(Some(color[2]), "")),
            ("range", Value::Number(*range, "")),
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
    for (what, [before, now]) in [("camera", cameras), ("light", lights)] {
        let mut left: Vec<_> = now.iter().collect();
        let mut unpaired = Vec::new();
        for (name, values) in &before {
            match left.iter().position(|(other, _)| other == name) {
                Some(place) => tell(what, name, values, &left.remove(place).1, &mut found),
                None => unpaired.push((name, values)),
            }
        }
        for (name, values) in unpaired {
            // One that holds the same has another name.
            match left.iter().position(|(_, other)| is_same(values, other)) {
                Some(place) => _ = left.remove(place),
                None => found.push(format!("{what} {name:?} is gone")),
            }
        }
        found.extend(left.iter().map(|(name, _)| format!("{what} {name:?} is new")));
    }
    found
}

/// A value of a part; a number may be absent, and has a unit.
enum Value {
    Word(String),
    Number(Option<f32>, &'static str),
}

type Values = Vec<(&'static str, Value)>;

fn degrees(angle_rad: Option<f32>) -> Value {
    Value::Number(angle_rad.map(func::degrees), "°")
}

impl Value {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(Some(a), _), Self::Number(Some(b), _)) => {
                let [a, b] = [a, b].map(|value| f64::from(*value));
                (a - b).abs() <= 2e-6 * larger(a.abs(), b.abs())
            }
            (Self::Number(a, _), Self::Number(b, _)) => a == b,
            (Self::Word(a), Self::Word(b)) => a == b,
            _ => false,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Word(word) => format!("{word:?}"),
            Self::Number(Some(value), unit) => {
                let text = format!("{value:.4}");
                text.trim_end_matches('0').trim_end_matches('.').to_owned() + unit
            }
            Self::Number(None, _) => "none".to_owned(),
        }
    }
}

fn is_same(old: &Values, new: &Values) -> bool {
    old.iter().zip(new).all(|((_, before), (_, now))| before.is_same(now))
}

fn tell(what: &str, name: &str, old: &Values, new: &Values, found: &mut Vec<String>) {
    let pairs = old.iter().zip(new).filter(|((_, before), (_, now))| !before.is_same(now));
    let words: Vec<String> = pairs
        .map(|((key, before), (_, now))| format!("{key} {}, was {}", now.text(), before.text()))
        .collect();
    if !words.is_empty() {
        found.push(format!("{what} {name:?}: {}", words.join("; ")));
    }
}
