//! The declared settings of a picture: common to scenes, command-line options, Python keywords and
//! JavaScript options.
//!
//! `declared` has a row for each setting; [`SETTINGS`] is the table of them; `describe` derives
//! from a row the schema node, the Python and JavaScript types, and the default in words.
//! [`Settings`](super::Settings) holds given values.

mod declared;
mod describe;
mod shape;
mod synonyms;

pub(super) use shape::POWERS;
pub use shape::{Door, Group, Setting, Shape, Usual};
pub use synonyms::meant;
#[doc(hidden)]
pub use tintype_model::Wrap;

use super::bounds::Bounds;
use super::words::WRAP_NAMES;

const EVERYWHERE: &[Door] = &[Door::Scene, Door::Turntable, Door::Thumbnail];
const OF_FRAMES: &[Door] = &[Door::Scene, Door::Turntable];
const OF_MODELS: &[Door] = &[Door::Turntable, Door::Thumbnail];
const OF_TURNTABLES: &[Door] = &[Door::Turntable];
const NOWHERE: &[Door] = &[];

/// A thousand rounds.
pub(super) const TURN: Bounds = Bounds::Within(-360_000.0, 360_000.0);
const SIZE: Usual = Usual::Each(&[
    (Door::Scene, Usual::Value("[640, 480]")),
    (Door::Turntable, Usual::Value("[512, 512]")),
]);
const FPS: Usual = Usual::Each(&[
    (Door::Scene, Usual::Value("24")),
    (Door::Turntable, Usual::Words("24 with a clip, otherwise 12")),
]);
const OF_LOOK: Usual = Usual::Each(&[
    (Door::Scene, Usual::Words("from the look")),
    (Door::Turntable, Usual::Words("from the look")),
    (Door::Thumbnail, Usual::Words("from the look; transparent with look classic")),
]);
const TONE: Usual = Usual::Words("neutral if an environment replaces the lights, otherwise none");
const AZIMUTH: Usual = Usual::Each(&[
    (Door::Turntable, Usual::Words("30; 0 with directions; from the view")),
    (Door::Thumbnail, Usual::Words("chosen for each model")),
]);
const ELEVATION: Usual = Usual::Each(&[
    (Door::Turntable, Usual::Words("12; from the view")),
    (Door::Thumbnail, Usual::Words("chosen for each model; 12 with an azimuth")),
]);
const FIELD_OF_VIEW: Usual =
    Usual::Each(&[(Door::Turntable, Usual::Value("30")), (Door::Thumbnail, Usual::Value("26"))]);
const PROJECTION: Usual = Usual::Each(&[
    (Door::Turntable, Usual::Words("perspective; orthographic with a view or directions")),
    (Door::Thumbnail, Usual::Words("perspective; orthographic with a view")),
]);
const WRAP: Usual = Usual::Each(&[
    (Door::Turntable, Usual::Words("from the clip's file")),
    (Door::Thumbnail, Usual::Words("between the first and last key")),
]);
const TIME: Usual = Usual::Each(&[
    (Door::Turntable, Usual::Value("0")),
    (Door::Thumbnail, Usual::Words("chosen automatically")),
]);

/// The table of the rows.
macro_rules! table {
    ($($group:ident { $(#[doc = $doc:literal] $key:ident: $type:ty, $presence:ident, $shape:expr, $doors:expr, $usual:expr;)* })*) => {
        /// All settings, each as it is declared.
        pub static SETTINGS: &[Setting] = &[$($(Setting {
            key: stringify!($key),
            group: Group::$group,
            doc: $doc.trim_ascii_start(),
            shape: $shape,
            doors: $doors,
            usual: $usual,
        },)*)*];
    };
}
crate::settings!(table);

/// The settings that a command has as options.
pub fn settings_of(door: Door) -> impl Iterator<Item = &'static Setting> {
    SETTINGS.iter().filter(move |setting| setting.is_of(door))
}

/// The setting of a key.
#[must_use]
pub fn setting(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}
