//! Values that replace those of `[output]`, such as options of a command line.

use super::aov::Aov;
use super::checked::Scene;
use super::look::LitScene;
use super::output::{Look, Shade};

/// Replacements for values of [`Output`](super::Output); an absent one keeps the scene's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutputOverrides {
    /// Width and height in pixels, each 1 to [`Output::MAX_SIDE`](super::Output::MAX_SIDE).
    pub size: Option<[u32; 2]>,
    /// Samples per pixel: 1, 2, 4, 8 or 16.
    pub samples: Option<u32>,
    /// Most probes of a texture lookup: 1, 2, 4, 8 or 16.
    pub anisotropy: Option<u32>,
    /// Surfaces of the models.
    pub shade: Option<Shade>,
    /// Light, ground and background that the scene does not name.
    pub look: Option<Look>,
    /// Text in each picture, with names of [`Output::LABEL_NAMES`](super::Output::LABEL_NAMES) in braces; an empty one for none.
    pub label: Option<String>,
    /// AOVs beside each picture; an empty list for none.
    pub aov: Option<Vec<Aov>>,
}

impl OutputOverrides {
    /// Replaces the values of a scene.
    ///
    /// # Errors
    /// [`LitScene`] for the studio look of a scene with lights of its own.
    pub fn apply(&self, scene: &mut Scene) -> Result<(), LitScene> {
        let Self { size, samples, anisotropy, shade, look, label, aov } = self;
        if let Some(look) = *look {
            scene.set_look(look)?;
        }
        let output = &mut scene.output;
        output.size = size.unwrap_or(output.size);
        output.samples = samples.unwrap_or(output.samples);
        output.anisotropy = anisotropy.unwrap_or(output.anisotropy);
        output.shade = shade.unwrap_or(output.shade);
        if let Some(label) = label {
            output.label = Some(label.clone()).filter(|label| !label.is_empty());
        }
        if let Some(views) = aov {
            output.aov.clone_from(views);
        }
        Ok(())
    }

    /// The options of `render` and `verify` that give these values.
    #[must_use]
    pub fn argv(&self) -> Vec<String> {
        let options = [
            ("--size", self.size_text()),
            ("--samples", self.samples.map(|count| count.to_string())),
            ("--anisotropy", self.anisotropy.map(|count| count.to_string())),
            ("--shade", self.shade.map(|shade| shade.word().to_owned())),
            ("--look", self.look.map(|look| look.word().to_owned())),
            ("--label", self.label.clone()),
            ("--aov", self.aov_text()),
        ];
        let given = options.into_iter().filter_map(|(name, value)| Some((name, value?)));
        given.flat_map(|(name, value)| [name.to_owned(), value]).collect()
    }

    /// The size as `640x480`.
    #[must_use]
    pub fn size_text(&self) -> Option<String> {
        self.size.map(|[width, height]| format!("{width}x{height}"))
    }

    /// The AOVs as a list with commas, or `none`.
    #[must_use]
    pub fn aov_text(&self) -> Option<String> {
        self.aov.as_ref().map(|views| match views.is_empty() {
            true => "none".to_owned(),
            false => views.iter().map(Aov::word).collect::<Vec<_>>().join(","),
        })
    }
}
