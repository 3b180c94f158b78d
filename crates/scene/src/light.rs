//! `[[light]]`: the lights of a scene.

use super::bounds::narrow;
use super::model::{SetChoice, set_choice};
use super::reader::{Item, Table};
use super::value::{Brightness, color, direction, vector};
use tintype_model::math::{Vec3, func, unit_or};
use tintype_model::{CastShadow, Cone, Light, LinearRgb};

/// The lights of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Lights {
    /// The default lights, which turn with the camera. The first is the key light.
    Studio,
    /// Only the key light of the studio look, which turns with the camera.
    Key,
    /// The lights of the scene, in the order of the text; empty if an environment is the only
    /// light.
    Given(Vec<Light>),
}

/// Lights in the file of a model, which move with its instance.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelLight {
    /// The name of the instance of the model; by default the first instance.
    pub instance: Option<String>,
    /// The light of the file; all of them if none is chosen.
    pub light: Option<SetChoice>,
    /// Factor of their strengths.
    pub intensity: f32,
    /// Shadow of the directional ones; its light index has no meaning.
    pub shadow: Option<CastShadow>,
}

/// Lights of a scene as its text has them.
pub(super) struct SceneLights {
    pub(super) lights: Lights,
    pub(super) model_lights: Vec<ModelLight>,
    /// Shadows of the lights that cast one.
    pub(super) shadows: Vec<CastShadow>,
}

/// Reads all `[[light]]` tables.
pub(super) fn read(root: &Table<'_>) -> SceneLights {
    let tables = root.tables("light");
    let (mut lights, mut shadows, mut model_lights) = (Vec::new(), Vec::new(), Vec::new());
    for table in &tables {
        if table.item("kind").is_some_and(|kind| kind.as_text() == Some("model")) {
            model_lights.push(read_model_light(table));
            continue;
        }
        let is_studio = table.item("kind").filter(|kind| kind.as_text() == Some("studio"));
        if let Some(kind) = &is_studio
            && tables.len() > 1
        {
            let allowed = "it must be the only [[light]] of the scene";
            kind.invalid::<()>("studio excludes other lights", allowed);
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
    table.kind("light kind");
    let expected = "the name or the index of a light of the file";
    ModelLight {
        instance: table.text("instance", "the name of an instance"),
        light: table.get("light", |item| set_choice(item, expected)),
        intensity: table.single("intensity"),
        shadow: read_shadow(table, 0),
    }
}

/// Reads the light of a table. None for the default lights.
fn read_light(table: &Table<'_>) -> Option<Light> {
    let kind = table.kind("light kind")?;
    let intensity = strength(table);
    let shade = |key: &'static str, default: LinearRgb| {
        let color = table.get(key, |item| color(item, Brightness::Light));
        color.unwrap_or(default).scaled(intensity)
    };
    Some(match kind {
        "studio" => return None,
        "hemisphere" => Light::Hemisphere {
            sky: shade("sky", LinearRgb::WHITE),
            ground: shade("ground", LinearRgb::BLACK),
        },
        "point" | "spot" => Light::Point {
            position: table.require("position", "[x, y, z]", vector)?,
            color: shade("color", LinearRgb::WHITE),
            reach: table.single("reach"),
            range: table.get("range", Item::number).map(narrow),
            cone: (kind == "spot").then(|| read_cone(table)),
        },
        _ => Light::Directional {
            to_light: -along(table, Vec3::new(-1.0, -2.0, -1.0)),
            color: shade("color", LinearRgb::WHITE),
        },
    })
}

/// Unit direction of a light.
fn along(table: &Table<'_>, usual: Vec3) -> Vec3 {
    -unit_or(-table.get("direction", direction).unwrap_or(usual), Vec3::Y)
}

/// Factor of the colour of a light: `intensity`, or a physical unit instead.
fn strength(table: &Table<'_>) -> f32 {
    for key in ["lux", "candela"] {
        if let Some(item) = table.item(key) {
            table.refuse("intensity", key, &format!("a light without {key}"));
            table.refuse("reach", key, &format!("a light without {key}"));
            let found = item.number().map(narrow);
            return Light::of_lux(LinearRgb::WHITE, found.unwrap_or(0.0)).r;
        }
    }
    table.single("intensity")
}

/// Reads the cone of a spot light.
fn read_cone(table: &Table<'_>) -> Cone {
    let outer = table.number("outer_deg");
    let inner = table.number("inner_deg");
    if let Some(item) = table.item("inner_deg")
        && inner > outer
    {
        let allowed = format!("the inner angle must be at most the outer angle, {outer}");
        item.out_of_range::<()>(inner, allowed);
    }
    let radians = |angle: f64| func::radians(narrow(angle));
    Cone::new(-along(table, Vec3::NEG_Y), radians(inner), radians(outer))
}

/// Reads the shadow of a light, if it casts one.
fn read_shadow(table: &Table<'_>, light: usize) -> Option<CastShadow> {
    let is_on = table.truth("shadow");
    let size = table.get("shadow_size", read_size).unwrap_or(CastShadow::DEFAULT_SIZE);
    let softness_deg = table.single("shadow_softness_deg");
    if !is_on {
        for key in ["shadow_size", "shadow_softness_deg"] {
            table.refuse(key, "a light that casts no shadow", "shadow = true");
        }
        return None;
    }
    Some(CastShadow { light, size: Some(size), softness_deg })
}

/// Reads the texels per side of a shadow map.
fn read_size(item: &Item<'_>) -> Option<u32> {
    let (least, most) = (CastShadow::MIN_SIZE, CastShadow::MAX_SIZE);
    let what = format!("a whole number of texels from {least} to {most}");
    let allowed = format!("a shadow map has {least} to {most} texels per side");
    item.whole_within(least..=most, &what, allowed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_scene;

    fn of(text: &str) -> Result<Lights, String> {
        let text = format!("[[light]]\n{text}\n[[model]]\nfile = \"a.glb\"\n");
        let scene = parse_scene(&text, "s.toml").map_err(|errors| errors.to_string())?;
        Ok(scene.lights)
    }

    #[test]
    fn spot_light_is_read_with_its_limits() {
        let text = "kind = \"spot\"\nposition = [1, 2, 3]\ncandela = 3.14159265\nrange = 4\n\
                    inner_deg = 10\nouter_deg = 20\ndirection = [0, -2, 0]";
        let Ok(Lights::Given(lights)) = of(text) else { panic!("{:?}", of(text)) };
        let [Light::Point { color, reach, range, cone: Some(cone), .. }] = lights[..] else {
            panic!("{lights:?}")
        };
        assert!((color.r - 1.0).abs() < 1e-6 && reach == 1.0 && range == Some(4.0));
        assert_eq!(cone, Cone::new(Vec3::Y, func::radians(10.0), func::radians(20.0)));
    }

    #[test]
    fn lux_stands_in_for_intensity() {
        let Ok(Lights::Given(lights)) = of("lux = 31.4159265") else { panic!() };
        let [Light::Directional { color, .. }] = lights[..] else { panic!("{lights:?}") };
        assert!((color.g - 10.0).abs() < 1e-4);
    }

    #[test]
    fn lights_in_files_cast_shadows_where_the_scene_asks() {
        let of = |text: &str| {
            let text =
                format!("[[light]]\nkind = \"model\"\n{text}\n[[model]]\nfile = \"a.glb\"\n");
            parse_scene(&text, "s.toml").map_err(|errors| errors.to_string())
        };
        let scene = of("shadow = true\nshadow_size = 512").unwrap();
        let shadow = scene.model_lights[0].shadow.expect("a shadow");
        assert_eq!(
            (shadow.size, shadow.softness_deg),
            (Some(512), CastShadow::DEFAULT_SOFTNESS_DEG)
        );
        let plain = of("").unwrap();
        assert_eq!(plain.model_lights[0].shadow, None);
        assert_ne!(scene.digest_text(), plain.digest_text());
        assert!(of("shadow_size = 512").unwrap_err().contains("shadow = true"));
        assert!(of("shadow = true\nshadow_size = 5").unwrap_err().contains("64 to 4096"));
    }

    #[test]
    fn lights_with_mistakes_are_refused() {
        for (text, expected) in [
            ("lux = 3\nintensity = 2", "intensity"),
            ("candela = 3", "it needs kind = \"point\" or \"spot\""),
            ("lux = -1", "expected 0 to 1000000"),
            ("lux = nan", "expected 0 to 1000000"),
            ("kind = \"point\"\nposition = [0, 0, 0]\ncandela = 3\nreach = 2", "reach"),
            ("kind = \"point\"\nposition = [0, 0, 0]\nrange = 0", "range"),
            ("kind = \"point\"\nposition = [0, 0, 0]\nouter_deg = 3", "\"spot\""),
            ("kind = \"spot\"\nposition = [0, 0, 0]\nouter_deg = 91", "0 to 90"),
            (
                "kind = \"spot\"\nposition = [0, 0, 0]\ninner_deg = 46",
                "at most the outer angle, 45",
            ),
            ("kind = \"spot\"", "position"),
            ("kind = \"spit\"", "did you mean \"spot\"?"),
            ("candella = 3", "did you mean \"candela\"?"),
        ] {
            let message = of(text).expect_err(text);
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
