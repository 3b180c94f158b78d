//! `[environment]` of a builder.

use crate::document::Fields;

/// Light from all directions.
#[derive(Clone, Debug, PartialEq)]
pub struct EnvironmentBuilder(pub(super) Fields);

impl EnvironmentBuilder {
    fn of(key: &'static str, value: &str) -> Self {
        let mut fields = Fields::default();
        fields.set(key, value);
        Self(fields)
    }

    /// The built-in studio.
    #[must_use]
    pub fn studio() -> Self {
        Self::of("kind", "studio")
    }

    /// White from everywhere.
    #[must_use]
    pub fn neutral() -> Self {
        Self::of("kind", "neutral")
    }

    /// A panorama in a Radiance file (`.hdr`), relative to the scene.
    #[must_use]
    pub fn file(path: &str) -> Self {
        Self::of("file", path)
    }

    /// Turn about +Y, counter-clockwise from above.
    #[must_use]
    pub fn rotation_deg(mut self, angle: f64) -> Self {
        self.0.set("rotation_deg", angle);
        self
    }

    /// Factor of its light.
    #[must_use]
    pub fn intensity(mut self, factor: f64) -> Self {
        self.0.set("intensity", factor);
        self
    }

    /// Whether it is seen behind the models, blurred.
    #[must_use]
    pub fn show(mut self, is_shown: bool) -> Self {
        self.0.set("show", is_shown);
        self
    }
}
