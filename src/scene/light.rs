//! `[[light]]`: the lights of a scene.

use super::reader::{Bounds, LENGTH, Table};
use super::value::{Brightness, color, direction, narrow, vector};
use crate::math::{Vec3, unit_or};
use crate::model::{Light, LinearRgb};

/// The lights of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Lights {
    /// None are given: the built-in studio, which stands around the models.
    Studio,
    /// Those of the scene, in the order of the text; at least one.
    Given(Vec<Light>),
}

/// Which kinds have which key.
const OWNERS: [(&str, &[&str]); 6] = [
    ("direction", &["directional"]),
    ("position", &["point"]),
    ("reach", &["point"]),
    ("color", &["directional", "point"]),
    ("sky", &["hemisphere"]),
    ("ground", &["hemisphere"]),
];

/// Reads all `[[light]]` tables.
pub(super) fn read(root: &Table<'_>) -> Lights {
    const KEYS: [&str; 9] =
        ["kind", "intensity", "shadow", "direction", "position", "reach", "color", "sky", "ground"];
    let lights: Vec<Light> = root.tables("light", &KEYS).iter().filter_map(read_light).collect();
    if lights.is_empty() { Lights::Studio } else { Lights::Given(lights) }
}

fn read_light(table: &Table<'_>) -> Option<Light> {
    const KINDS: [(&str, &str); 3] =
        [("directional", "directional"), ("point", "point"), ("hemisphere", "hemisphere")];
    table.unsupported("shadow", "light.shadow", "lights cast no shadows");
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
