//! `[output]`: size, frames, background and file names.

use super::FrameNumber;
use super::aov::{self, Aov};
use super::color_word::meant_color;
use super::error::{Problem, nearest_word};
use super::frame_list::FrameList;
use super::pattern::FramePattern;
use super::reader::{Item, Table};
use super::value::{Brightness, color, narrow};
use tintype_model::{Background, LinearRgb, Tone};

/// The pictures of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Width and height in pixels, each 1 to [`Output::MAX_SIDE`].
    pub size: [u32; 2],
    /// Samples per pixel: 1, 2, 4, 8 or 16.
    pub samples: u32,
    /// Most texture probes per point, against blur on slanted surfaces: 1 for trilinear filtering, 2, 4, 8 or 16.
    pub anisotropy: u32,
    /// Surfaces of the models.
    pub shade: Shade,
    /// Look of the light, the ground and the background that the scene does not name; classic where it names its light.
    pub look: Look,
    /// All frames of the scene. Ranges and `fit` refer to all of them, whichever are drawn.
    pub frames: FrameList,
    /// Frames per second.
    pub fps: f64,
    /// The names of the files, relative to the working folder; none for `out/<scene>/####.png`.
    pub file: Option<FramePattern>,
    /// The background behind the models.
    pub background: Background,
    /// From the light of the models to the picture.
    pub tone: Tone,
    /// Strength of ambient occlusion, 0..=1: light from all around that models keep from each other and from themselves.
    pub occlusion: f32,
    /// Text in the lower left corner, with names from [`Output::LABEL_NAMES`] in braces.
    pub label: Option<String>,
    /// AOVs beside each picture; no two of them have the same file name.
    pub aov: Vec<Aov>,
}

/// Surfaces of all models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shade {
    /// Their materials and textures.
    #[default]
    Textured,
    /// One plain grey without textures, to see shape alone.
    Clay,
}

impl Shade {
    /// All, each with its word in scenes.
    pub const WORDS: [(&'static str, Self); 2] =
        [("textured", Self::Textured), ("clay", Self::Clay)];

    /// Its word in scenes.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Textured => "textured",
            Self::Clay => "clay",
        }
    }
}

/// Look of a scene that names no lights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// Three lights and a dome before a dark background.
    Classic,
    /// The studio environment and one key light with a soft shadow on a ground, before a light background.
    #[default]
    Studio,
}

impl Look {
    /// All, each with its word in scenes.
    pub const WORDS: [(&'static str, Self); 2] =
        [("classic", Self::Classic), ("studio", Self::Studio)];

    /// Its word in scenes.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Studio => "studio",
        }
    }
}

impl Output {
    /// The largest width and height, as the rasterizer allows.
    pub const MAX_SIDE: u32 = 16_384;
    /// Numbers of samples and of probes that there are.
    pub const COUNTS: [u32; 5] = [1, 2, 4, 8, 16];
    /// Names in a label that stand for values of the frame, of the first instance and of the first model.
    pub const LABEL_NAMES: [&str; 4] = ["frame", "time", "clip", "file"];

    /// A name in braces that is none of [`Output::LABEL_NAMES`].
    #[must_use]
    pub fn unknown_in_label(text: &str) -> Option<&str> {
        let names = text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap_or_default());
        names.into_iter().find(|name| !Self::LABEL_NAMES.contains(name))
    }

    /// The time of a frame in seconds.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "frame numbers stay far below 2^53")]
    pub fn time_s(&self, frame: FrameNumber) -> f64 {
        frame.0 as f64 / self.fps
    }
}

const DEFAULT_SIZE: [u32; 2] = [640, 480];
const DEFAULT_TOP: [u8; 3] = [0x2b, 0x30, 0x38];
const DEFAULT_BOTTOM: [u8; 3] = [0x14, 0x16, 0x1a];

/// Reads `[output]`.
pub(super) fn read(root: &Table<'_>) -> Output {
    let mut output = Output {
        size: DEFAULT_SIZE,
        samples: 4,
        anisotropy: 1,
        shade: Shade::Textured,
        look: Look::Classic,
        frames: FrameList::single(FrameNumber(0)),
        fps: 24.0,
        file: None,
        background: default_background(),
        tone: Tone::NONE,
        occlusion: 0.0,
        label: None,
        aov: Vec::new(),
    };
    let Some(table) = root.item("output").and_then(|item| item.table("a table")) else {
        return output;
    };
    output.aov = table.item("aov").map_or_else(Vec::new, |item| aov::read(&item));
    output.size = table.item("size").and_then(|item| read_size(&item)).unwrap_or(output.size);
    output.samples =
        table.item("samples").and_then(|item| read_count(&item)).unwrap_or(output.samples);
    output.anisotropy =
        table.item("anisotropy").and_then(|item| read_count(&item)).unwrap_or(output.anisotropy);
    output.shade = table
        .item("shade")
        .and_then(|item| item.word("shade", &Shade::WORDS))
        .unwrap_or(output.shade);
    output.look =
        table.item("look").and_then(|item| item.word("look", &Look::WORDS)).unwrap_or_default();
    let frames = table.item("frames").and_then(|item| read_frames(&item));
    let frames_are_known = frames.is_some() || !table.has("frames");
    output.frames = frames.unwrap_or(output.frames);
    output.tone.exposure = narrow(table.number("exposure"));
    output.occlusion = narrow(table.number("occlusion"));
    output.fps = table.number("fps");
    if let Some(item) = table.item("file") {
        output.file = read_file(&item, frames_are_known.then_some(&output.frames));
    }
    output.label = table.item("label").and_then(|item| read_label(&item));
    output.background = table
        .item("background")
        .and_then(|item| read_background(&item))
        .unwrap_or(output.background);
    output
}

/// Reads a text in which each name in braces is known.
fn read_label(item: &Item<'_>) -> Option<String> {
    let text = item.filled_text("text, with {frame}, {time}, {clip} or {file}")?;
    if let Some(name) = Output::unknown_in_label(text) {
        item.report(Problem::UnknownWord {
            what: "name in the label",
            found: name.to_owned(),
            allowed: Output::LABEL_NAMES.iter().map(|name| format!("{{{name}}}")).collect(),
            nearest: nearest_word(name, Output::LABEL_NAMES),
        });
        return None;
    }
    Some(text.to_owned())
}

/// Background of the classic look.
pub(super) fn default_background() -> Background {
    Background::Gradient {
        top: LinearRgb::from_codes(DEFAULT_TOP),
        bottom: LinearRgb::from_codes(DEFAULT_BOTTOM),
    }
}

/// Reads `output.tone`: whether it is neutral; none where the scene does not say.
pub(super) fn read_tone(root: &Table<'_>) -> Option<bool> {
    const TONES: [(&str, bool); 2] = [("neutral", true), ("none", false)];
    let tone = root.item("output")?.field("tone")?;
    tone.word("tone", &TONES)
}

/// Reads width and height.
pub(super) fn read_size(item: &Item<'_>) -> Option<[u32; 2]> {
    let sides = item.array_of::<2>("[width, height] in pixels")?;
    let [width, height] = sides.map(|side| {
        let allowed = format!("a whole number of pixels from 1 to {}", Output::MAX_SIDE);
        let number = side.whole_number(&allowed)?;
        let in_range = u32::try_from(number).ok().filter(|n| (1..=Output::MAX_SIDE).contains(n));
        in_range.or_else(|| {
            let allowed = format!("a picture has 1 to {} pixels a side", Output::MAX_SIDE);
            side.report(Problem::OutOfRange { found: number.to_string(), allowed });
            None
        })
    });
    Some([width?, height?])
}

/// Reads a number of samples or probes.
fn read_count(item: &Item<'_>) -> Option<u32> {
    const ALLOWED: &str = "1, 2, 4, 8 or 16";
    let number = item.whole_number(ALLOWED)?;
    let found = u32::try_from(number).ok().filter(|number| Output::COUNTS.contains(number));
    found.or_else(|| {
        let allowed = format!("it is {ALLOWED}");
        item.report(Problem::OutOfRange { found: number.to_string(), allowed });
        None
    })
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

/// Reads the pattern; `frames` are those of the scene, if they could be read.
fn read_file(item: &Item<'_>, frames: Option<&FrameList>) -> Option<FramePattern> {
    let text = item.filled_text("a file name such as \"walk.####.png\"")?;
    match FramePattern::parse(text) {
        Ok(pattern) => {
            let count = frames.map_or(1, FrameList::len);
            if !pattern.has_number() && count > 1 {
                item.report(Problem::Invalid {
                    message: format!("{text:?} names one file for {count} frames"),
                    allowed: "write #### or %04d where the frame's number goes".to_owned(),
                });
            }
            Some(pattern)
        }
        Err(error) => {
            item.report(Problem::Pattern(error));
            None
        }
    }
}

fn read_background(item: &Item<'_>) -> Option<Background> {
    const EXPECTED: &str = "{ top, bottom }, a colour, or \"transparent\"";
    if item.is_table() {
        let table = item.table(EXPECTED)?;
        let ends = ["top", "bottom"].map(|end| {
            let item = table.required(end, "a colour")?;
            color(&item, Brightness::Surface)
        });
        let [top, bottom] = ends;
        return Some(Background::Gradient { top: top?, bottom: bottom? });
    }
    match item.as_text() {
        Some("transparent") => return Some(Background::Transparent),
        Some(text) if !text.starts_with('#') => {
            item.report(Problem::UnknownWord {
                what: "background",
                found: text.to_owned(),
                allowed: vec![
                    "\"transparent\"".into(),
                    "\"#rrggbb\"".into(),
                    "{ top, bottom }".into(),
                ],
                nearest: super::error::nearest_word(text, ["transparent"])
                    .or_else(|| meant_color(text)),
            });
            return None;
        }
        Some(_) => {}
        None if item.is_array() => {}
        None => return item.wrong_type(EXPECTED),
    }
    color(item, Brightness::Surface).map(|plain| Background::Gradient { top: plain, bottom: plain })
}
