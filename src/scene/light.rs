//! `[[light]]`: the lights of a scene.

use super::error::Problem;
use super::model::{SetChoice, set_choice};
use super::reader::{Bounds, Item, LENGTH, Table};
use super::value::{Brightness, color, direction, narrow, vector};
use crate::math::{Vec3, unit_or};
use crate::model::{CastShadow, Light, LinearRgb};

/// The lights of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Lights {
    /// The default lights, which turn with the camera. The first is the key light.
    Studio,
    /// The key light of the studio look alone, which turns with the camera.
    Key,
    /// The lights of the scene, in the order of the text; none where an environment is the only light.
    Given(Vec<Light>),
}

/// Lights in the file of a model, which move with its instance.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelLight {
    /// The name of the instance of the model; the first instance without one.
    pub instance: Option<String>,
    /// The light among those of the file; all of them without a choice.
    pub light: Option<SetChoice>,
    /// Factor of their strengths.
    pub intensity: f32,
}

/// Lights of a scene as its text has them.
pub(super) struct SceneLights {
    pub(super) lights: Lights,
    pub(super) model_lights: Vec<ModelLight>,
    /// Shadows of the lights that cast one.
    pub(super) shadows: Vec<CastShadow>,
}

/// Keys and the kinds of light that have them.
const OWNERS: [(&str, &[&str]); 12] = [
    ("direction", &["directional"]),
    ("position", &["point"]),
    ("reach", &["point"]),
    ("color", &["directional", "point"]),
    ("sky", &["hemisphere"]),
    ("ground", &["hemisphere"]),
    ("intensity", &["directional", "point", "hemisphere", "model"]),
    ("instance", &["model"]),
    ("light", &["model"]),
    ("shadow", &CASTING),
    ("shadow_size", &CASTING),
    ("shadow_softness_deg", &CASTING),
];
/// Kinds that cast shadows; of the default lights only the key light does.
const CASTING: [&str; 2] = ["directional", "studio"];

/// Reads all `[[light]]` tables.
pub(super) fn read(root: &Table<'_>) -> SceneLights {
    const KEYS: [&str; 13] = [
        "kind",
        "intensity",
        "shadow",
        "shadow_size",
        "shadow_softness_deg",
        "direction",
        "position",
        "reach",
        "color",
        "sky",
        "ground",
        "instance",
        "light",
    ];
    let tables = root.tables("light", &KEYS);
    let (mut lights, mut shadows, mut model_lights) = (Vec::new(), Vec::new(), Vec::new());
    for table in &tables {
        if table.item("kind").is_some_and(|kind| kind.as_text() == Some("model")) {
            model_lights.push(read_model_light(table));
            continue;
        }
        let is_studio = table.item("kind").filter(|kind| kind.as_text() == Some("studio"));
        if let Some(kind) = is_studio.as_ref().filter(|_| tables.len() > 1) {
            let message = "the studio stands alone".to_owned();
            let allowed = "it is the only [[light]] of a scene".to_owned();
            kind.report(Problem::Invalid { message, allowed });
        }
        let number = lights.len();
        let light = read_light(table);
        if light.is_some() || is_studio.is_some() {
            shadows.extend(read_shadow(table, number));
        }
        lights.extend(light);
    }
    let is_studio = lights.is_empty() && model_lights.is_empty();
    let lights = if is_studio { Lights::Studio } else { Lights::Given(lights) };
    SceneLights { lights, model_lights, shadows }
}

/// Reads the table of lights in the file of a model.
fn read_model_light(table: &Table<'_>) -> ModelLight {
    table.refuse_other_kinds("model", &OWNERS);
    ModelLight {
        instance: table
            .item("instance")
            .and_then(|item| item.filled_text("the name of an instance"))
            .map(str::to_owned),
        light: table
            .item("light")
            .and_then(|item| set_choice(&item, "the name or the index of a light of the file")),
        intensity: narrow(table.number("intensity", Bounds::Within(0.0, 1000.0), 1.0)),
    }
}

/// Reads the light of a table; none for the default lights.
fn read_light(table: &Table<'_>) -> Option<Light> {
    const KINDS: [(&str, &str); 5] = [
        ("directional", "directional"),
        ("point", "point"),
        ("hemisphere", "hemisphere"),
        ("studio", "studio"),
        ("model", "model"),
    ];
    let kind = match table.item("kind") {
        Some(item) => item.word("light kind", &KINDS)?,
        None => "directional",
    };
    table.refuse_other_kinds(kind, &OWNERS);
    let intensity = narrow(table.number("intensity", Bounds::Within(0.0, 1000.0), 1.0));
    let shade = |key: &'static str, default: LinearRgb| {
        let color = table.item(key).and_then(|item| color(&item, Brightness::Light));
        color.unwrap_or(default).scaled(intensity)
    };
    Some(match kind {
        "studio" => return None,
        "hemisphere" => Light::Hemisphere {
            sky: shade("sky", LinearRgb::WHITE),
            ground: shade("ground", LinearRgb::BLACK),
        },
        "point" => Light::Point {
            position: table.required("position", "[x, y, z]").and_then(|item| vector(&item))?,
            color: shade("color", LinearRgb::WHITE),
            reach: narrow(table.number("reach", LENGTH, 1.0)),
        },
        _ => {
            let along = table.item("direction").and_then(|item| direction(&item));
            let along = along.unwrap_or(Vec3::new(-1.0, -2.0, -1.0));
            Light::Directional {
                to_light: unit_or(-along, Vec3::Y),
                color: shade("color", LinearRgb::WHITE),
            }
        }
    })
}

/// Reads the shadow of a light, if it casts one.
fn read_shadow(table: &Table<'_>, light: usize) -> Option<CastShadow> {
    let is_on = table.item("shadow").and_then(|item| item.truth("true or false")).unwrap_or(false);
    let size = table.item("shadow_size").and_then(|item| read_size(&item));
    let softness = table
        .item("shadow_softness_deg")
        .and_then(|item| item.number(Bounds::Within(0.0, f64::from(CastShadow::MAX_SOFTNESS_DEG))));
    if !is_on {
        for key in ["shadow_size", "shadow_softness_deg"] {
            table.refuse(key, "a light that casts no shadow", "shadow = true");
        }
        return None;
    }
    Some(CastShadow {
        light,
        size: size.unwrap_or(CastShadow::DEFAULT_SIZE),
        softness_deg: softness.map_or(CastShadow::DEFAULT_SOFTNESS_DEG, narrow),
    })
}

/// Reads the texels per side of a shadow map.
fn read_size(item: &Item<'_>) -> Option<u32> {
    let (least, most) = (CastShadow::MIN_SIZE, CastShadow::MAX_SIZE);
    let number = item.whole_number(&format!("a whole number of texels from {least} to {most}"))?;
    let found = u32::try_from(number).ok().filter(|size| (least..=most).contains(size));
    found.or_else(|| {
        let allowed = format!("a shadow map has {least} to {most} texels a side");
        item.report(Problem::OutOfRange { found: number.to_string(), allowed });
        None
    })
}
