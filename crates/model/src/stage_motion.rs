//! Stages of a material at a time: their colours, and the positions of their textures.

use crate::formula::Formula;
use crate::material::{AlphaMode, LinearRgb, Material, StageColor, StageMotion};
use crate::math::clamp;
use crate::texture_coordinates::TextureCoordinates;

#[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
fn share(formula: &Formula, time_s: f64) -> f32 {
    clamp(formula.at(time_s) as f32, 0.0, 1.0)
}

impl Material {
    /// True if any of its stages changes over time.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        self.stages.iter().any(StageMotion::is_moving)
    }

    /// Evaluates its stages at a time, in seconds since the scene began.
    pub fn move_to(&mut self, time_s: f64) {
        let stages = core::mem::take(&mut self.stages);
        stages.iter().for_each(|stage| stage.apply(self, time_s));
        self.stages = stages;
    }
}

impl StageMotion {
    /// True if it changes over time.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        let places = self.coordinates.iter().flat_map(|(_, numbers)| numbers);
        let test = self.alpha_test.iter().chain([&self.condition]);
        self.color.iter().chain(places).chain(test).any(Formula::is_moving)
    }

    /// The texture coordinates at a time. None if they are those of the mesh.
    #[must_use]
    pub fn coordinates_at(&self, time_s: f64) -> Option<TextureCoordinates> {
        let plain = TextureCoordinates::plain(false);
        let changes = self.coordinates.iter().map(|(change, numbers)| {
            change.coordinates([numbers[0].at(time_s), numbers[1].at(time_s)])
        });
        let all = changes.fold(plain, |all, change| all.after(&change));
        (!self.coordinates.is_empty()).then_some(all)
    }

    /// Applies the stage to a material at a time, in seconds since the scene began.
    pub fn apply(&self, material: &mut Material, time_s: f64) {
        if let Some(own) = self.coordinates_at(time_s) {
            let all = material.coordinates.get_or_insert_default();
            for &role in &self.roles {
                all[role as usize] = Some(own);
            }
        }
        if let (AlphaMode::Mask { cutoff }, Some(test)) = (&mut material.alpha, &self.alpha_test) {
            *cutoff = share(test, time_s);
        }
        let Some(part) = self.colors else { return };
        let [r, g, b, alpha] =
            [0, 1, 2, 3].map(|channel: usize| share(&self.color[channel], time_s));
        let is_on = self.condition.at(time_s) != 0.0;
        let color = if is_on { srgb([r, g, b]) } else { LinearRgb::BLACK };
        match part {
            StageColor::Surface => {
                material.color = color;
                if material.alpha == AlphaMode::Blend {
                    material.opacity = if is_on { alpha } else { 0.0 };
                }
            }
            StageColor::Highlight => material.specular_color = color,
            StageColor::Light => {
                if material.emissive_map.is_some() {
                    material.emissive = color;
                }
                // It has a picture of alpha if its alpha counts.
                let is_covering = matches!(material.alpha, AlphaMode::Blend | AlphaMode::Add);
                if material.diffuse.is_some() && is_covering {
                    material.opacity = alpha;
                }
                if !is_on {
                    (material.alpha, material.opacity) = (AlphaMode::Blend, 0.0);
                }
            }
            StageColor::LightOnTop if is_on => {
                material.emissive = srgb([r * alpha, g * alpha, b * alpha]);
            }
            StageColor::LightOnTop => material.emissive = LinearRgb::BLACK,
        }
    }

    /// Its formulas by the words of files.
    #[must_use]
    pub fn values(&self) -> Vec<(String, String)> {
        let mut values = Vec::new();
        let mut tell = |word: &str, value: String| {
            values.push((format!("stage {} {word}", self.number), value));
        };
        if self.colors.is_some() && self.condition != Formula::Number(1.0) {
            tell("condition", self.condition.to_string());
        }
        if self.colors.is_some() {
            let [r, g, b, a] = &self.color;
            tell("color", format!("{r}, {g}, {b}, {a}"));
        }
        if let Some(test) = self.alpha_test.as_ref().filter(|test| test.is_moving()) {
            tell("alpha test", test.to_string());
        }
        for (change, [a, b]) in &self.coordinates {
            tell(change.name(), if change.has_one() { a.to_string() } else { format!("{a}, {b}") });
        }
        values
    }
}

/// The colour of fractional sRGB codes, in steps of a code.
#[expect(clippy::cast_possible_truncation, reason = "0..=1 becomes 0..=255")]
#[expect(clippy::cast_sign_loss, reason = "0..=1 becomes 0..=255")]
fn srgb(shares: [f32; 3]) -> LinearRgb {
    LinearRgb::from_codes(shares.map(|share| (share * 255.0 + 0.5) as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::{CoordinateChange, TextureRole};

    /// A point moved by the changes.
    fn placed(changes: &[(CoordinateChange, [f64; 2])], [u, v]: [f32; 2]) -> [f32; 2] {
        let numbers = |of: [f64; 2]| of.map(Formula::Number);
        let coordinates = changes.iter().map(|&(change, of)| (change, numbers(of))).collect();
        let at = stage(coordinates).coordinates_at(0.0).unwrap().point(Vec2::new(u, v));
        [at.x, at.y].map(|value| (value * 1e5).round() / 1e5)
    }

    fn stage(coordinates: Vec<(CoordinateChange, [Formula; 2])>) -> StageMotion {
        StageMotion {
            number: 2,
            roles: vec![TextureRole::Diffuse],
            colors: None,
            color: [1.0; 4].map(Formula::Number),
            condition: Formula::Number(1.0),
            alpha_test: None,
            coordinates,
        }
    }

    #[test]
    fn each_change_of_coordinates_follows_its_formula() {
        use CoordinateChange::{CenterScale, Rotate, Scale, Shear, Translate};
        for (change, numbers, expected) in [
            (Translate, [0.25, -0.5], [1.0, -0.25]),
            (Translate, [1000.25, -3.5], [1.0, -0.25]),
            (Scale, [2.0, 3.0], [1.5, 0.75]),
            (CenterScale, [2.0, 4.0], [1.0, -0.5]),
            (Shear, [1.0, 2.0], [0.5, 0.75]),
            (Rotate, [0.25, 0.0], [0.75, 0.75]),
            (Rotate, [-100.5, 0.0], [0.25, 0.75]),
        ] {
            assert_eq!(placed(&[(change, numbers)], [0.75, 0.25]), expected, "{change:?}");
        }
        // The last one is next to the mesh.
        let both = [(Scale, [2.0, 2.0]), (Translate, [0.5, 0.0])];
        assert_eq!(placed(&both, [0.25, 0.25]), [1.5, 0.5]);
    }

    #[test]
    fn stage_changes_colours_with_time() {
        let time = || Formula::Time;
        let mut own = StageMotion { colors: Some(StageColor::Light), ..stage(Vec::new()) };
        assert!(!own.is_moving());
        own.color = [time(), Formula::Number(1.0), time(), Formula::Number(0.5)];
        own.condition = Formula::Operation("<", Box::new([time(), Formula::Number(2.0)]));
        assert!(own.is_moving());
        let at = |time_s: f64| {
            let mut material = Material { emissive_map: Some(0), ..Material::new("m") };
            own.apply(&mut material, time_s);
            (material.emissive, material.alpha, material.opacity)
        };
        assert_eq!(at(0.2), (LinearRgb::from_codes([51, 255, 51]), AlphaMode::Opaque, 1.0));
        assert_eq!(at(1.5), (LinearRgb::WHITE, AlphaMode::Opaque, 1.0));
        assert_eq!(at(2.0), (LinearRgb::BLACK, AlphaMode::Blend, 0.0));
        let told: Vec<String> =
            own.values().into_iter().map(|(key, value)| format!("{key}: {value}")).collect();
        assert_eq!(told, ["stage 2 condition: time < 2", "stage 2 color: time, 1, time, 0.5"]);
    }
}
