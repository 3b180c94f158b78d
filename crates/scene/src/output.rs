//! `[output]`: size, frames, light and file names, with every default filled in.

use super::FrameNumber;
use super::error::Problem;
use super::reader::Table;
use super::setting::{Door, Shape, setting};
use super::setting_type::{MAX_SIDE, ReadSetting};
use super::settings::Settings;
use super::words::ToneCurve;
use tintype_model::Tone;

/// The type of a key, its value and its digest: required, or optional.
macro_rules! settled {
    (always, $type:ty) => { $type };
    (perhaps, $type:ty) => { Option<$type> };
    (always of $value:expr) => { $value.expect("set by a default or the look") };
    (perhaps of $value:expr) => { $value };
    (always from $all:ident, $key:expr, $value:expr) => { $all.extend($value.parts($key)) };
    (perhaps from $all:ident, $key:expr, $value:expr) => {
        $all.extend($value.iter().flat_map(|value| value.parts($key)))
    };
}

/// The checked keys, by the declared settings of `[output]`.
macro_rules! output {
    (
        Turn { $($of_turn:tt)* }
        Sequence { $(#[doc = $doc:literal] $key:ident: $type:ty, $presence:ident, $shape:expr, $doors:expr, $usual:expr;)* }
        Picture { $(#[doc = $of_picture:literal] $own:ident: $own_type:ty, $own_presence:ident, $own_shape:expr, $own_doors:expr, $own_usual:expr;)* }
        $($others:tt)*
    ) => {
        /// The pictures of a scene.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Output {
            $(#[doc = $doc] pub $key: settled!($presence, $type),)*
            $(#[doc = $of_picture] pub $own: settled!($own_presence, $own_type),)*
        }

        impl Output {
            /// The output of settings with all defaults filled in.
            fn of(settings: &Settings) -> Self {
                Self {
                    $($key: settled!($presence of settings.$key()),)*
                    $($own: settled!($own_presence of settings.$own()),)*
                }
            }

            /// Its keys with their values as in a digest.
            fn parts(&self) -> Vec<(String, String)> {
                let mut all = Vec::new();
                $(settled!($presence from all, stringify!($key), &self.$key);)*
                $(settled!($own_presence from all, stringify!($own), &self.$own);)*
                all
            }
        }
    };
}
crate::settings!(output);

/// Keys that change no pixel directly: files beside the picture, and the look, whose values are
/// written where they take effect.
const WITHOUT_PIXELS: [&str; 5] = ["file", "aov", "channels", "channels_as", "look"];

impl Output {
    /// The maximum width and height, as allowed by the rasterizer.
    pub const MAX_SIDE: u32 = MAX_SIDE;

    /// The effective output: stated settings take precedence over those of the look, and these over
    /// the defaults.
    pub(super) fn settle(said: &Settings, by_look: &Settings) -> Self {
        let mut output = Self::of(&said.or(by_look).or(Settings::usual(Door::Scene)));
        output.label = output.label.filter(|label| !label.is_empty());
        output
    }

    /// Its keys with their values for the digest, for those that affect a picture. Values equal to
    /// `usual` are left out, except those that every picture records: a setting that a scene does
    /// not make changes nothing.
    pub(super) fn digest(&self, usual: &Self) -> Vec<(String, String)> {
        const FIRST: [&str; 4] = ["size", "samples", "frames", "fps"];
        let place = |key: &str| FIRST.iter().position(|own| *own == key).unwrap_or(FIRST.len());
        let usual = usual.parts();
        let is_told = |part: &(String, String)| {
            let key = part.0.split('.').next().unwrap_or_default();
            let is_blend = setting(key).is_some_and(|own| own.shape == Shape::Blend);
            let is_always = FIRST.contains(&key) || is_blend;
            !WITHOUT_PIXELS.contains(&key) && (is_always || !usual.contains(part))
        };
        let mut own: Vec<_> = self.parts().into_iter().filter(is_told).collect();
        own.sort_by_key(|(key, _)| place(key));
        own
    }

    /// From the light of the models to the picture.
    #[must_use]
    pub fn tone(&self) -> Tone {
        let is_neutral = self.tone == ToneCurve::Neutral;
        Tone { exposure: self.exposure, is_neutral }
    }

    /// The time of a frame in seconds.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "frame numbers stay far below 2^53")]
    pub fn time_s(&self, frame: FrameNumber) -> f64 {
        frame.0 as f64 / self.fps
    }
}

/// Reads `[output]`.
pub(super) fn read(root: &Table<'_>) -> Settings {
    let Some(table) = root.item("output").and_then(|item| item.table("a table")) else {
        return Settings::default();
    };
    let said = Settings::of_table(&table, "output");
    let are_frames_known = said.has("frames") || !table.has("frames");
    let count = said.frames().map_or(1, |frames| frames.len());
    if let (Some(pattern), Some(item)) = (said.file(), table.item("file"))
        && are_frames_known
        && !pattern.has_number()
        && count > 1
    {
        let text = item.as_text().unwrap_or_default();
        item.report(Problem::Invalid {
            message: format!("{text:?} names one file for {count} frames"),
            allowed: "use #### or %04d for the frame number".to_owned(),
        });
    }
    said
}
