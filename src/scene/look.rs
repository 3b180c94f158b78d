//! `output.look`: light, ground and background of scenes that name no lights.

use super::checked::Scene;
use super::environment::{EnvironmentEntry, EnvironmentSource};
use super::error::Problem;
use super::light::Lights;
use super::output::Look;
use super::reader::Table;
use crate::model::{Background, CastShadow, Ground, LinearRgb};

/// Background of the studio, from top to bottom, sRGB.
const TOP: [u8; 3] = [0xf4, 0xf5, 0xf7];
const BOTTOM: [u8; 3] = [0xd3, 0xd6, 0xdb];
/// Softness of the shadow of the key light, in degrees.
const SOFTNESS_DEG: f32 = 9.0;
/// Strength of ambient occlusion.
const OCCLUSION: f32 = 0.8;

/// Fills in what the look of a scene gives, where the scene does not name it.
pub(super) fn apply(root: &Table<'_>, scene: &mut Scene) {
    if scene.output.look == Look::Classic {
        return;
    }
    if let (Lights::Given(_), true) = (&scene.lights, root.has("light")) {
        let look = root.item("output").and_then(|output| output.field("look"));
        if let Some(look) = look {
            let message = "the studio look has lights of its own".to_owned();
            let allowed = "a scene with [[light]] tables has no look".to_owned();
            look.report(Problem::Invalid { message, allowed });
        }
        return;
    }
    scene.lights = Lights::Key;
    if scene.shadows.is_empty() {
        scene.shadows.push(CastShadow {
            light: 0,
            size: CastShadow::DEFAULT_SIZE,
            softness_deg: SOFTNESS_DEG,
        });
    }
    scene.environment.get_or_insert(EnvironmentEntry {
        source: EnvironmentSource::Studio,
        rotation_deg: 0.0,
        intensity: 1.0,
        is_shown: false,
        turns_with_camera: true,
    });
    scene.ground.get_or_insert(Ground {
        height: None,
        radius: None,
        color: None,
        contact: Ground::DEFAULT_CONTACT,
    });
    let output = root.item("output");
    let names = |key: &'static str| output.as_ref().is_some_and(|one| one.field(key).is_some());
    if !names("background") {
        scene.output.background = Background::Gradient {
            top: LinearRgb::from_codes(TOP),
            bottom: LinearRgb::from_codes(BOTTOM),
        };
    }
    if !names("tone") {
        scene.output.tone.is_neutral = true;
    }
    if !names("occlusion") {
        scene.output.occlusion = OCCLUSION;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::parse_scene;

    fn of(text: &str) -> Result<Scene, String> {
        let text = format!("{text}\n[[model]]\nfile = \"a.glb\"\n");
        parse_scene(&text, "s.toml").map_err(|errors| errors.to_string())
    }

    #[test]
    fn studio_look_fills_in_what_the_scene_leaves_out() {
        let studio = of("[output]\nlook = \"studio\"").unwrap();
        assert_eq!((studio.lights.clone(), studio.shadows.len()), (Lights::Key, 1));
        assert!(studio.environment.as_ref().is_some_and(|one| one.turns_with_camera));
        assert!(studio.ground.is_some() && studio.output.tone.is_neutral);
        assert!(studio.output.occlusion > 0.0);
        let own = "[output]\nlook = \"studio\"\nbackground = \"transparent\"\ntone = \"none\"\n\
                   occlusion = 0.25\n\
                   [environment]\nkind = \"neutral\"";
        let own = of(own).unwrap();
        assert_eq!(own.output.background, Background::Transparent);
        assert!(!own.output.tone.is_neutral);
        assert_eq!(own.output.occlusion, 0.25);
        assert_eq!(own.environment.unwrap().source, EnvironmentSource::Neutral);
        let classic = of("[output]\nlook = \"classic\"").unwrap();
        assert_eq!(classic, of("").unwrap(), "the default");
    }

    #[test]
    fn studio_look_with_other_lights_or_misspelt_is_refused() {
        let message = of("[output]\nlook = \"studio\"\n[[light]]").unwrap_err();
        assert!(message.contains("the studio look has lights of its own"), "{message}");
        assert!(message.contains("at `output.look`"), "{message}");
        let message = of("[output]\nlook = \"stduio\"").unwrap_err();
        assert!(message.contains("did you mean \"studio\"?"), "{message}");
    }
}
