//! `output.look`: light, ground and background of scenes without lights.

use super::checked::{MissingLook, Scene};
use super::color::{Background, Color};
use super::environment::{EnvironmentEntry, EnvironmentSource};
use super::error::Problem;
use super::light::Lights;
use super::named_light::NamedLight;
use super::output::Output;
use super::reader::Table;
use super::settings::Settings;
use super::words::{Look, ToneCurve};
use thiserror::Error;
use tintype_model::{CastShadow, Ground};

/// Backgrounds of the studio and of the classic look, from top to bottom.
const STUDIO_LIGHT: [&str; 2] = ["#fefefe", "#fafafb"];
const CLASSIC: [&str; 2] = ["#2b3038", "#14161a"];
/// Softness of the shadow of the key light, in degrees.
const SOFTNESS_DEG: f32 = 9.0;
/// Strength of ambient occlusion.
const OCCLUSION: f64 = 0.8;

/// Refusal of the studio look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the studio look brings its own lights, but the scene has [[light]] tables")]
pub struct LitScene;

impl Look {
    /// Settings of the look for a scene that does not set them; `is_lit_around` if an environment
    /// replaces the lights.
    pub(super) fn usual(self, is_lit_around: bool) -> Settings {
        let (colors, is_neutral, occlusion) = match self {
            Self::Classic => (CLASSIC, is_lit_around, 0.0),
            Self::Studio => (STUDIO_LIGHT, true, OCCLUSION),
        };
        let [top, bottom] = colors.map(|code| Color::Code(code.to_owned()));
        let mut usual = Settings::default();
        usual.say("look", self);
        usual.say("background", Background::Gradient { top, bottom });
        usual.say("tone", if is_neutral { ToneCurve::Neutral } else { ToneCurve::None });
        usual.say("occlusion", occlusion);
        usual
    }
}

impl Output {
    /// True if nothing is behind the models, so that alpha is their coverage.
    #[must_use]
    pub fn is_transparent(&self) -> bool {
        self.background.is_none()
    }

    /// Removes everything behind the models.
    pub fn clear(&mut self) {
        self.background = None;
    }
}

impl Settings {
    /// Nothing behind the models.
    #[must_use]
    pub fn clear() -> Self {
        let mut settings = Self::default();
        settings.say("background", Background::Transparent);
        settings
    }
}

/// Fills in the settings of the look of a scene; a look that its lights exclude is reported.
pub(super) fn apply(root: &Table<'_>, scene: &mut Scene) {
    if let Err(LitScene) = scene.settle()
        && let Some(word) = root.item("output").and_then(|output| output.field("look"))
    {
        let message = "the studio look brings its own lights".to_owned();
        let allowed = "remove look or the [[light]] tables".to_owned();
        word.report(Problem::Invalid { message, allowed });
    }
}

impl Scene {
    /// Replaces the scene's settings of its pictures, as the options of a command do; unset ones
    /// stay.
    ///
    /// # Errors
    /// [`LitScene`] for the studio look of a scene that defines lights.
    pub fn apply(&mut self, settings: &Settings) -> Result<(), LitScene> {
        self.said = settings.or(&self.said);
        self.settle()
    }

    /// The look of surfaces with missing textures: the studio look shows no checkerboards.
    #[must_use]
    pub fn missing_look(&self) -> MissingLook {
        self.missing.unwrap_or(match self.output.look {
            Look::Studio => MissingLook::Grey,
            Look::Classic => MissingLook::Checker,
        })
    }

    /// Settings made by the scene, or in its place.
    #[must_use]
    pub fn said(&self) -> &Settings {
        &self.said
    }

    /// Changes the look of the scene; settings made by the scene stay.
    ///
    /// # Errors
    /// As [`Scene::apply`].
    pub fn set_look(&mut self, look: Look) -> Result<(), LitScene> {
        let mut settings = Settings::default();
        settings.say("look", look);
        self.apply(&settings)
    }

    /// Light, ground and output from the scene, then from its look, then from the defaults. A scene
    /// that defines lights defaults to the classic look, every other scene to the studio look.
    fn settle(&mut self) -> Result<(), LitScene> {
        let NamedLight { lights, shadows, environment, ground, is_lit } = self.named.clone();
        let is_given = matches!(&lights, Lights::Given(_));
        let has_lights = !self.model_lights.is_empty()
            || matches!(&lights, Lights::Given(lights) if !lights.is_empty());
        let look = self.said.look();
        let look = look.unwrap_or(if is_lit { Look::Classic } else { Look::Studio });
        self.output = Output::settle(&self.said, &look.usual(is_given && !has_lights));
        match look {
            Look::Classic => {
                (self.lights, self.shadows) = (lights, shadows);
                (self.environment, self.ground) = (environment, ground);
            }
            Look::Studio if has_lights => return Err(LitScene),
            Look::Studio => {
                self.lights = Lights::Key;
                self.shadows = if shadows.is_empty() { vec![soft_shadow()] } else { shadows };
                self.environment = Some(environment.unwrap_or(STUDIO));
                // Over a transparent background the shadow on the ground would be part of the
                // alpha: only if requested.
                let catches = !self.output.is_transparent();
                self.ground = ground.or_else(|| catches.then_some(GROUND));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_scene;
    use tintype_model::LinearRgb;

    fn of(text: &str) -> Result<Scene, String> {
        let text = format!("{text}\n[[model]]\nfile = \"a.glb\"\n");
        parse_scene(&text, "s.toml").map_err(|errors| errors.to_string())
    }

    #[test]
    fn studio_look_fills_in_what_the_scene_leaves_out() {
        let studio = of("").unwrap();
        assert_eq!((studio.lights.clone(), studio.shadows.len()), (Lights::Key, 1));
        assert!(studio.environment.as_ref().is_some_and(|one| one.turns_with_camera));
        assert!(studio.ground.is_some() && studio.output.tone().is_neutral);
        let said = of("[output]\nlook = \"studio\"").unwrap();
        assert_eq!(studio.digest_text(), said.digest_text(), "the default");
        assert!(studio.output.occlusion > 0.0);
        let own = "[output]\nlook = \"studio\"\nbackground = \"#102030\"\ntone = \"none\"\n\
                   occlusion = 0.25\n\
                   [environment]\nkind = \"neutral\"";
        let own = of(own).unwrap();
        let color = LinearRgb::from_codes([16, 32, 48]);
        assert_eq!(own.output.background, Some([color; 2]));
        assert!(!own.output.tone().is_neutral && own.lights == Lights::Key);
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
            let said = of(&format!("[output]\nlook = \"classic\"\n{light}")).unwrap();
            assert_eq!(found.digest_text(), said.digest_text());
            assert!(found.ground.is_none() && found.lights != Lights::Key, "{light}");
        }
        let classic = of("[output]\nlook = \"classic\"").unwrap();
        assert_eq!((classic.lights, classic.environment), (Lights::Studio, None));
        let [top, bottom] = [[0x2b, 0x30, 0x38], [0x14, 0x16, 0x1a]].map(LinearRgb::from_codes);
        assert_eq!(classic.output.background, Some([top, bottom]));
        assert!(!classic.output.tone().is_neutral);
    }

    #[test]
    fn look_set_later_is_that_of_the_text() {
        let words = [Look::Classic, Look::Studio];
        let words = words.map(|look| (format!("look = \"{}\"", look.word()), look));
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
        assert!(message.contains("the studio look brings its own lights"), "{message}");
        assert!(message.contains("at `output.look`"), "{message}");
        let message = of("[output]\nlook = \"stduio\"").unwrap_err();
        assert!(message.contains("did you mean \"studio\"?"), "{message}");
    }
}
