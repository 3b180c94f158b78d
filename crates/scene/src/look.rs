//! `output.look`: light, ground and background of scenes that name no lights.

use super::checked::Scene;
use super::environment::{EnvironmentEntry, EnvironmentSource};
use super::error::Problem;
use super::light::Lights;
use super::named_light::NamedLight;
use super::output::{Look, default_background};
use super::reader::Table;
use thiserror::Error;
use tintype_model::{Background, CastShadow, Ground, LinearRgb};

/// Background of the studio, from top to bottom, sRGB.
const TOP: [u8; 3] = [0xf4, 0xf5, 0xf7];
const BOTTOM: [u8; 3] = [0xd3, 0xd6, 0xdb];
/// Softness of the shadow of the key light, in degrees.
const SOFTNESS_DEG: f32 = 9.0;
/// Strength of ambient occlusion.
const OCCLUSION: f32 = 0.8;

/// Refusal of the studio look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the studio look has lights of its own, and the scene has [[light]] tables")]
pub struct LitScene;

/// Reads `output.look` and fills in what it gives. Without the key, a scene that names its light has none, and every other the studio.
pub(super) fn apply(root: &Table<'_>, scene: &mut Scene) {
    let word = root.item("output").and_then(|output| output.field("look"));
    let look = match word {
        Some(_) => scene.output.look,
        None if root.has("light") || root.has("environment") => Look::Classic,
        None => Look::Studio,
    };
    let result = scene.set_look(look);
    if let (Err(LitScene), Some(word)) = (result, word) {
        let message = "the studio look has lights of its own".to_owned();
        let allowed = "a scene with [[light]] tables has no look".to_owned();
        word.report(Problem::Invalid { message, allowed });
    }
}

impl Scene {
    /// Gives the scene a look in place of its own; what it names itself it keeps.
    ///
    /// # Errors
    /// [`LitScene`] for the studio look of a scene with lights of its own.
    pub fn set_look(&mut self, look: Look) -> Result<(), LitScene> {
        let has_lights = !self.model_lights.is_empty()
            || matches!(&self.named.lights, Lights::Given(lights) if !lights.is_empty());
        if look == Look::Studio && has_lights {
            return Err(LitScene);
        }
        let NamedLight { lights, shadows, environment, ground, background, tone, occlusion } =
            self.named.clone();
        let is_lit_by_environment = matches!(lights, Lights::Given(_)) && !has_lights;
        self.output.look = look;
        match look {
            Look::Classic => {
                (self.lights, self.shadows) = (lights, shadows);
                (self.environment, self.ground) = (environment, ground);
                self.output.background = background.unwrap_or_else(default_background);
                self.output.tone.is_neutral = tone.unwrap_or(is_lit_by_environment);
                self.output.occlusion = occlusion.unwrap_or(0.0);
            }
            Look::Studio => {
                self.lights = Lights::Key;
                self.shadows = if shadows.is_empty() { vec![soft_shadow()] } else { shadows };
                self.environment = Some(environment.unwrap_or(STUDIO));
                // Over a transparent background the shadow on the ground would be part of the alpha: only if asked for.
                let catches = background != Some(Background::Transparent);
                self.ground = ground.or_else(|| catches.then_some(GROUND));
                self.output.background = background.unwrap_or_else(light_background);
                self.output.tone.is_neutral = tone.unwrap_or(true);
                self.output.occlusion = occlusion.unwrap_or(OCCLUSION);
            }
        }
        Ok(())
    }
}

/// Environment of the studio look.
const STUDIO: EnvironmentEntry = EnvironmentEntry {
    source: EnvironmentSource::Studio,
    rotation_deg: 0.0,
    intensity: 1.0,
    is_shown: false,
    turns_with_camera: true,
};

/// Ground of the studio look, which catches shadows.
const GROUND: Ground =
    Ground { height: None, radius: None, color: None, contact: Ground::DEFAULT_CONTACT };

/// Shadow of the key light.
fn soft_shadow() -> CastShadow {
    CastShadow { light: 0, size: None, softness_deg: SOFTNESS_DEG }
}

/// Background of the studio look.
fn light_background() -> Background {
    Background::Gradient { top: LinearRgb::from_codes(TOP), bottom: LinearRgb::from_codes(BOTTOM) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_scene;

    fn of(text: &str) -> Result<Scene, String> {
        let text = format!("{text}\n[[model]]\nfile = \"a.glb\"\n");
        parse_scene(&text, "s.toml").map_err(|errors| errors.to_string())
    }

    #[test]
    fn studio_look_fills_in_what_the_scene_leaves_out() {
        let studio = of("").unwrap();
        assert_eq!((studio.lights.clone(), studio.shadows.len()), (Lights::Key, 1));
        assert!(studio.environment.as_ref().is_some_and(|one| one.turns_with_camera));
        assert!(studio.ground.is_some() && studio.output.tone.is_neutral);
        assert_eq!(studio, of("[output]\nlook = \"studio\"").unwrap(), "the default");
        assert!(studio.output.occlusion > 0.0);
        let own = "[output]\nlook = \"studio\"\nbackground = \"#102030\"\ntone = \"none\"\n\
                   occlusion = 0.25\n\
                   [environment]\nkind = \"neutral\"";
        let own = of(own).unwrap();
        let color = LinearRgb::from_codes([16, 32, 48]);
        assert_eq!(own.output.background, Background::Gradient { top: color, bottom: color });
        assert!(!own.output.tone.is_neutral && own.lights == Lights::Key);
        assert_eq!(own.output.occlusion, 0.25);
        assert_eq!(own.environment.unwrap().source, EnvironmentSource::Neutral);
    }

    #[test]
    fn transparent_background_has_a_ground_only_if_asked() {
        let text = "[output]\nbackground = \"transparent\"";
        assert_eq!(of(text).unwrap().ground, None);
        assert!(of(&format!("{text}\n[ground]")).unwrap().ground.is_some());
    }

    #[test]
    fn scenes_that_name_their_light_keep_it() {
        for light in ["[[light]]", "[[light]]\nkind = \"studio\"\nshadow = true", "[environment]"] {
            let found = of(light).unwrap();
            assert_eq!(found, of(&format!("[output]\nlook = \"classic\"\n{light}")).unwrap());
            assert!(found.ground.is_none() && found.lights != Lights::Key, "{light}");
        }
        let classic = of("[output]\nlook = \"classic\"").unwrap();
        assert_eq!((classic.lights, classic.environment), (Lights::Studio, None));
        assert_eq!(classic.output.background, default_background());
        assert!(!classic.output.tone.is_neutral);
    }

    #[test]
    fn look_set_later_is_that_of_the_text() {
        let words = Look::WORDS.map(|(word, look)| (format!("look = \"{word}\""), look));
        for rest in ["", "background = \"transparent\"\n[ground]", "[environment]"] {
            let [classic, studio] = words
                .each_ref()
                .map(|(key, look)| (of(&format!("[output]\n{key}\n{rest}")).unwrap(), *look));
            let mut changed = classic.0.clone();
            changed.set_look(studio.1).unwrap();
            assert_eq!(changed, studio.0, "{rest}");
            changed.set_look(classic.1).unwrap();
            assert_eq!(changed, classic.0, "{rest}");
        }
        let mut lit = of("[[light]]").unwrap();
        assert_eq!(lit.set_look(Look::Studio), Err(LitScene));
        assert_eq!(lit.set_look(Look::Classic), Ok(()));
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
