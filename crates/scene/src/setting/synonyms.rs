//! Terms of other programs and libraries for settings.

use super::shape::Setting;

/// Words that are synonyms of a setting's key.
const SYNONYMS: [(&str, &str); 13] = [
    ("resolution width height w h res dimensions dim side", "size"),
    ("framerate frame_rate rate f_ps", "fps"),
    ("aa antialias antialiasing msaa spp samples_per_pixel quality", "samples"),
    ("bg bgcolor bg_color background_color backdrop transparent alpha", "background"),
    ("tonemap tone_map tonemapping tone_mapping", "tone"),
    ("brightness ev gain", "exposure"),
    ("ao ambient_occlusion ssao", "occlusion"),
    ("caption text watermark", "label"),
    ("angle angles rotation rotate yaw heading start_angle", "azimuth_deg"),
    ("pitch tilt inclination", "elevation_deg"),
    ("ortho orthographic perspective", "projection"),
    ("anim animation animations action motion take", "clip"),
    ("time t at second seconds start moment start_time", "time_s"),
];

/// The known setting that a word of another program refers to.
#[must_use]
pub fn meant<'s>(word: &str, known: impl IntoIterator<Item = &'s Setting>) -> Option<&'s Setting> {
    let is_meant = |(words, _): &&(&str, &str)| words.split(' ').any(|own| own == word);
    let (_, key) = SYNONYMS.iter().find(is_meant)?;
    known.into_iter().find(|setting| setting.key == *key)
}
