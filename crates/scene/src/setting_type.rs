//! Types of settings: how each is read from a scene value, and the form in which a program passes
//! it.

use super::aov::{Aov, AovError, check_apart};
use super::bounds::{COORDINATE, narrow};
use super::canonical::{number, quoted, single};
use super::channel::{Channel, UnknownChannel};
use super::document::{Value, conversions};
use super::error::Problem;
use super::frame_list::FrameList;
use super::pattern::FramePattern;
use super::reader::Item;
use super::setting::{POWERS, Shape};
use super::words::{
    ChannelFormat, Look, RootMotion, Shade, Springs, ToneCurve, WRAP_WORDS, wrap_word,
};
use tintype_base::suggest::nearest_word;
use tintype_model::Wrap;

/// The maximum width and height, as allowed by the rasterizer.
pub(super) const MAX_SIDE: u32 = 16_384;
/// Names in a label that are replaced by values of the frame, of the first instance and of the
/// first model.
const LABEL_NAMES: [&str; 4] = ["frame", "time", "clip", "file"];

/// A value of a setting, as a scene has it.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingValue(pub(super) Value);

/// An integer from a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole(i64);

conversions! { Whole:
    u32: |number| Self(number.into());
    /// The default type of numbers in a program.
    i32: |number| Self(number.into());
}

/// Frame numbers, as given by a program: a list, or a text such as `0-47`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames(String);

conversions! { Frames:
    &FrameList: |frames| Self(frames.to_string());
    &str: |text| Self(text.to_owned());
    String: |text| Self(text);
}

/// A type that settings have.
pub trait SettingType: Sized {
    /// The form in which a program passes it.
    type Given: Into<SettingValue>;
}

/// A type read from a value of a scene; mistakes are reported there.
pub(super) trait ReadSetting: SettingType {
    /// Reads it.
    fn read(item: &Item<'_>, shape: Shape) -> Option<Self>;
    /// Its parts as in a digest, each with the suffix of its key; numbers read back to the same
    /// bits.
    fn digest(&self) -> Vec<(&'static str, String)>;

    /// The same parts, each with its full key.
    fn parts(&self, key: &str) -> Vec<(String, String)> {
        self.digest().into_iter().map(|(part, value)| (format!("{key}{part}"), value)).collect()
    }
}

/// Types of settings with their program form, their reading, and their form in a digest.
macro_rules! types {
    ($($type:ty, given as $given:ty, |$item:ident, $shape:pat_param| $read:expr, |$value:ident| $digest:expr;)*) => {$(
        impl SettingType for $type {
            type Given = $given;
        }

        impl ReadSetting for $type {
            fn read($item: &Item<'_>, $shape: Shape) -> Option<Self> {
                $read
            }

            fn digest(&self) -> Vec<(&'static str, String)> {
                let $value = self;
                vec![("", $digest)]
            }
        }
    )*};
}

types! {
    bool, given as bool, |item, _| item.truth("true or false"), |value| value.to_string();
    u32, given as Whole, |item, shape| match shape {
        Shape::Whole(least, most) => whole(item, &format!("a whole number from {least} to {most}"), |number| {
            (least..=most).contains(&number)
        }),
        _ => whole(item, "1, 2, 4, 8 or 16", |number| POWERS.contains(&number)),
    }, |value| value.to_string();
    f64, given as f64, |item, shape| item.number_within(match shape {
        Shape::Number(bounds) => bounds,
        _ => COORDINATE,
    }), |value| number(*value);
    f32, given as f64, |item, shape| <f64 as ReadSetting>::read(item, shape).map(narrow), |value| single(*value);
    String, given as String, |item, shape| read_text(item, shape), |value| quoted(value);
    [u32; 2], given as [u32; 2], |item, _| read_size(item), |value| format!("{}x{}", value[0], value[1]);
    FrameList, given as Frames, |item, _| read_frames(item), |value| value.to_string();
    FramePattern, given as String, |item, _| {
        let text = item.filled_text("a file name such as \"walk.####.png\"")?;
        FramePattern::parse(text).map_err(|error| item.report(Problem::Pattern(error))).ok()
    }, |value| format!("{value:?}");
    Vec<Aov>, given as Vec<Aov>, |item, _| read_views(item), |value| {
        value.iter().map(Aov::word).collect::<Vec<_>>().join(" ")
    };
    Vec<Channel>, given as Vec<Channel>, |item, _| read_channels(item), |value| Channel::listed(value);
    Shade, given as Self, |item, _| item.word("shade", Self::WORDS), |value| value.word().to_owned();
    Look, given as Self, |item, _| item.word("look", Self::WORDS), |value| value.word().to_owned();
    ToneCurve, given as Self, |item, _| item.word("tone", Self::WORDS), |value| value.word().to_owned();
    ChannelFormat, given as Self, |item, _| item.word("format of channels", Self::WORDS), |value| value.word().to_owned();
    Springs, given as Self, |item, _| item.word("springs", Self::WORDS), |value| value.word().to_owned();
    RootMotion, given as Self, |item, _| item.word("root motion", Self::WORDS), |value| value.word().to_owned();
    Wrap, given as Self, |item, _| item.word("wrap", WRAP_WORDS), |value| wrap_word(*value).to_owned();
}

conversions! { SettingValue:
    bool: |value| Self(value.into());
    u32: |number| Self(number.into());
    i64: |number| Self(number.into());
    f64: |number| Self(number.into());
    &str: |text| Self(text.into());
    String: |text| Self(text.into());
    Whole: |number| number.0.into();
    Frames: |frames| frames.0.into();
    [u32; 2]: |sides| Self(sides.into());
    Vec<Channel>: |channels| Self(Value::array(channels.into_iter().map(|own| own.word().to_owned())));
    Vec<Aov>: |views| Self(Value::array(views.iter().map(Aov::word)));
    Shade: |shade| shade.word().into();
    Look: |look| look.word().into();
    ToneCurve: |tone| tone.word().into();
    ChannelFormat: |format| format.word().into();
    Springs: |springs| springs.word().into();
    RootMotion: |root| root.word().into();
    Wrap: |wrap| wrap_word(wrap).into();
}

/// A value of another language, as JSON has it.
impl From<serde_json::Value> for SettingValue {
    fn from(json: serde_json::Value) -> Self {
        use serde_json::Value as Json;
        match json {
            Json::Bool(value) => value.into(),
            Json::Number(number) => match number.as_i64() {
                Some(whole) => whole.into(),
                None => number.as_f64().unwrap_or(f64::NAN).into(),
            },
            Json::String(text) => text.into(),
            Json::Array(elements) => elements.into_iter().map(Self::from).collect(),
            // A text accepted by no setting, so that the message shows it.
            other @ (Json::Null | Json::Object(_)) => other.to_string().into(),
        }
    }
}

/// Values of a list, such as an array of another language.
impl FromIterator<SettingValue> for SettingValue {
    fn from_iter<I: IntoIterator<Item = Self>>(values: I) -> Self {
        Self(Value::array(values.into_iter().map(|Self(value)| value)))
    }
}

/// Reads an allowed integer.
fn whole(item: &Item<'_>, allowed: &str, is_allowed: impl Fn(u32) -> bool) -> Option<u32> {
    let number = item.whole_number(allowed)?;
    let found = u32::try_from(number).ok().filter(|&number| is_allowed(number));
    found.or_else(|| item.out_of_range(number, format!("it is {allowed}")))
}

/// Reads a text, a word, or a text whose names in braces are all known.
fn read_text(item: &Item<'_>, shape: Shape) -> Option<String> {
    match shape {
        Shape::Word(words) => {
            let words: Vec<(&str, &str)> = words.iter().map(|word| (*word, *word)).collect();
            let what = if words.iter().any(|(word, _)| *word == "-x") { "axis" } else { "word" };
            item.word(what, &words).map(str::to_owned)
        }
        Shape::Label => {
            let text = item.text("text, with {frame}, {time}, {clip} or {file}")?;
            let names = text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap_or(rest));
            if let Some(name) = names.into_iter().find(|name| !LABEL_NAMES.contains(name)) {
                item.report(Problem::UnknownWord {
                    what: "name in the label",
                    found: name.to_owned(),
                    allowed: LABEL_NAMES.iter().map(|name| format!("{{{name}}}")).collect(),
                    nearest: nearest_word(name, LABEL_NAMES),
                });
                return None;
            }
            Some(text.to_owned())
        }
        _ => item.filled_text("a name").map(str::to_owned),
    }
}

/// Reads width and height.
pub(super) fn read_size(item: &Item<'_>) -> Option<[u32; 2]> {
    let sides = item.array_of::<2>("[width, height] in pixels")?;
    let [width, height] = sides.map(|side| {
        let allowed = format!("a whole number of pixels from 1 to {MAX_SIDE}");
        let in_range = format!("a picture has 1 to {MAX_SIDE} pixels per side");
        side.whole_within(1..=MAX_SIDE, &allowed, in_range)
    });
    Some([width?, height?])
}

/// Reads a list of frames, or one frame as a number.
pub(super) fn read_frames(item: &Item<'_>) -> Option<FrameList> {
    const EXPECTED: &str = "frames such as \"0-47\", \"1-100x5\" or 12";
    let text = if item.is_whole_number() {
        item.whole_number(EXPECTED)?.to_string()
    } else {
        item.text(EXPECTED)?.to_owned()
    };
    FrameList::parse(&text).map_err(|error| item.report(Problem::Frames(error))).ok()
}

fn read_views(item: &Item<'_>) -> Option<Vec<Aov>> {
    let mut views = Vec::new();
    for entry in item.array("views such as [\"depth\", \"skeleton\"]")? {
        let Some(text) = entry.text("the name of a view") else { continue };
        let allowed = || {
            let plain = Aov::PLAIN.iter().map(|(word, _)| format!("{word:?}"));
            plain.chain(["\"joint:NAME\"".into(), "\"target:NAME\"".into()])
        };
        match Aov::parse(text) {
            Ok(view) => {
                views.push(view);
                if let Err(error) = check_apart(&views) {
                    entry.invalid::<()>(error.to_string(), "list each view once");
                    views.pop();
                }
            }
            Err(AovError::Unknown { found, nearest }) => {
                let allowed = allowed().collect();
                entry.report(Problem::UnknownWord { what: "view", found, allowed, nearest });
            }
            Err(error) => entry.report(Problem::Invalid {
                message: error.to_string(),
                allowed: "use the name of a joint or morph target as written in the model's file"
                    .to_owned(),
            }),
        }
    }
    Some(views)
}

fn read_channels(item: &Item<'_>) -> Option<Vec<Channel>> {
    let mut channels = Vec::new();
    for entry in item.array("channels such as [\"depth\", \"normal\"]")? {
        let Some(text) = entry.text("the name of a channel") else { continue };
        match Channel::parse(text) {
            Ok(channel) if channels.contains(&channel) => {
                let twice = format!("the channel {text:?} appears twice");
                entry.invalid::<()>(twice, "list each channel once");
            }
            Ok(channel) => channels.push(channel),
            Err(UnknownChannel { found, nearest }) => {
                let allowed = Channel::WORDS.map(|(word, _)| format!("{word:?}")).to_vec();
                entry.report(Problem::UnknownWord { what: "channel", found, allowed, nearest });
            }
        }
    }
    Some(channels)
}
