//! `[environment]`: light from all directions.

use super::reader::Table;

/// Light from all directions.
#[derive(Clone, Debug, PartialEq)]
pub struct EnvironmentEntry {
    /// Its origin.
    pub source: EnvironmentSource,
    /// Rotation about +Y in degrees, counter-clockwise seen from above.
    pub rotation_deg: f32,
    /// Factor of its light.
    pub intensity: f32,
    /// True if it is visible behind the models, blurred.
    pub is_shown: bool,
    /// True if it turns about the vertical with the camera, like default lights.
    pub turns_with_camera: bool,
}

/// Origin of an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnvironmentSource {
    /// A light room with soft boxes.
    Studio,
    /// White from everywhere.
    Neutral,
    /// A panorama: a path relative to the scene.
    File(String),
}

/// Reads `[environment]`. None if the scene has no such table.
pub(super) fn read(root: &Table<'_>) -> Option<EnvironmentEntry> {
    const KINDS: [(&str, bool); 2] = [("studio", true), ("neutral", false)];
    let table = root.get("environment", |item| item.table("a table"))?;
    let file = table.text("file", "the path of a .hdr file");
    if table.has("file") {
        table.refuse("kind", "file", "an environment without a file");
    }
    let kind = table.get("kind", |item| item.word("environment", &KINDS));
    let source = match (file, kind) {
        (Some(file), _) => EnvironmentSource::File(file),
        (None, Some(false)) => EnvironmentSource::Neutral,
        (None, _) => EnvironmentSource::Studio,
    };
    Some(EnvironmentEntry {
        source,
        rotation_deg: table.single("rotation_deg"),
        intensity: table.single("intensity"),
        is_shown: table.truth("show"),
        turns_with_camera: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_scene;

    fn of(text: &str) -> Result<Option<EnvironmentEntry>, String> {
        let text = format!("{text}\n[[model]]\nfile = \"a.glb\"\n");
        let scene = parse_scene(&text, "s.toml").map_err(|errors| errors.to_string())?;
        Ok(scene.environment)
    }

    #[test]
    fn environment_is_read_with_its_defaults() {
        assert_eq!(of("[output]\nlook = \"classic\""), Ok(None));
        let studio = EnvironmentEntry {
            source: EnvironmentSource::Studio,
            rotation_deg: 0.0,
            intensity: 1.0,
            is_shown: false,
            turns_with_camera: false,
        };
        assert_eq!(of("[environment]"), Ok(Some(studio.clone())));
        let file = EnvironmentSource::File("sky.hdr".to_owned());
        let text =
            "[environment]\nfile = \"sky.hdr\"\nrotation_deg = 90\nintensity = 2\nshow = true";
        let all = EnvironmentEntry {
            source: file,
            rotation_deg: 90.0,
            intensity: 2.0,
            is_shown: true,
            turns_with_camera: false,
        };
        assert_eq!(of(text), Ok(Some(all)));
        let neutral = EnvironmentEntry { source: EnvironmentSource::Neutral, ..studio };
        assert_eq!(of("[environment]\nkind = \"neutral\""), Ok(Some(neutral)));
    }

    #[test]
    fn environment_with_mistakes_is_refused() {
        for (line, expected) in [
            ("kind = \"studo\"", "did you mean \"studio\"?"),
            ("kind = \"studio\"\nfile = \"a.hdr\"", "kind"),
            ("intensity = -1", "expected 0 to 1000"),
            ("intensity = inf", "expected 0 to 1000"),
            ("intensity = nan", "expected 0 to 1000"),
            ("rotation = 3", "did you mean \"rotation_deg\"?"),
            ("file = \"\"", "the text is empty"),
            ("show = 1", "true or false"),
        ] {
            let message = of(&format!("[environment]\n{line}")).expect_err(line);
            assert!(message.contains(expected), "{message}");
        }
    }
}
