//! Options of a picture: size, sampling, views and compression.

use super::value::Checked;
use clap::{Args, ValueEnum};
use tintype_model::frame::Frame;
use tintype_raster::{anisotropy, edge};
use tintype_scene::{Aov, Look, Output, OutputOverrides, Shade, nearest_word};

/// Options that replace values of a scene.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SceneOverrides {
    /// Width and height in pixels, instead of the scene's
    #[arg(short, long, value_name = "WxH", value_parser = Checked(parse_size))]
    pub size: Option<[u32; 2]>,
    /// Samples per pixel, instead of the scene's: 1, 2, 4, 8 or 16
    #[arg(long, value_name = "N", value_parser = Checked(parse_samples))]
    pub samples: Option<u32>,
    /// Maximum anisotropy of texture filtering, instead of the scene's: 1, 2, 4, 8 or 16; higher values keep textures of slanted
    /// surfaces sharp
    #[arg(long, value_name = "N", value_parser = Checked(parse_anisotropy))]
    pub anisotropy: Option<u32>,
    /// Surfaces of the models, instead of the scene's: textured, or clay, a plain grey without textures that shows shape alone
    #[arg(long, value_name = "HOW", value_parser = Checked(parse_shade))]
    pub shade: Option<Shade>,
    /// Look of a scene without lights, instead of the scene's: studio, an environment and a soft shadow on a ground before a light
    /// background; or classic, three lights before a dark background
    #[arg(long, value_name = "LOOK", value_parser = Checked(parse_look))]
    pub look: Option<Look>,
    /// Text burnt into the lower left corner of each picture, instead of the scene's, or "" for none; {frame}, {time}, {clip} and {file}
    /// stand for those of the frame
    #[arg(long, value_name = "TEXT", value_parser = Checked(parse_label))]
    pub label: Option<String>,
    /// Views to draw beside each picture, instead of the scene's: depth, normal, uv, mesh, material, joint:NAME, skeleton,
    /// wireframe, needles, bounds, overdraw, metallic, roughness, occlusion, environment; or none
    #[arg(long, value_name = "LIST", value_parser = Checked(parse_views))]
    pub aov: Option<Views>,
}

impl SceneOverrides {
    /// The values in the form that a scene takes.
    pub(crate) fn to_output(&self) -> OutputOverrides {
        let Self { size, samples, anisotropy, shade, look, label, aov } = self.clone();
        let aov = aov.map(|Views(views)| views);
        OutputOverrides { size, samples, anisotropy, shade, look, label, aov }
    }
}

/// Sampling of a picture without a scene.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Sampling {
    /// Samples per pixel: 1, 2, 4, 8 or 16
    #[arg(long, value_name = "N", default_value = "4", value_parser = Checked(parse_samples))]
    pub samples: u32,
    /// Maximum anisotropy of texture filtering: 1, 2, 4, 8 or 16; higher values keep textures of slanted surfaces sharp
    #[arg(long, value_name = "N", default_value = "1", value_parser = Checked(parse_anisotropy))]
    pub anisotropy: u32,
    /// Surfaces of the models: textured, or clay, a plain grey without textures that shows shape alone
    #[arg(long, value_name = "HOW", default_value = "textured", value_parser = Checked(parse_shade))]
    pub shade: Shade,
    /// Light, ground and background: studio, an environment and a soft shadow on a ground before a light background; or classic,
    /// three lights before a dark background
    #[arg(long, value_name = "LOOK", default_value = "studio", value_parser = Checked(parse_look))]
    pub look: Look,
}

/// A list of views.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Views(pub Vec<Aov>);

/// Compression effort of PNG files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Png {
    /// Fast, for sequences
    Fast,
    /// Slow: views become a third smaller or more, pictures a few percent at most
    Small,
}

/// Parses `640x480`: width and height, each 1 to [`Frame::MAX_SIDE`].
pub(super) fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.trim().parse::<u32>().ok();
    let sides = match text.split_once(['x', 'X', '×']) {
        Some((width, height)) => {
            side(width).zip(side(height)).map(|(width, height)| [width, height])
        }
        None => side(text).map(|side| [side; 2]),
    };
    match sides {
        Some(size) if size.iter().all(|side| (1..=Frame::MAX_SIDE).contains(side)) => Ok(size),
        _ => Err(format!(
            "\"{text}\"; expected WIDTHxHEIGHT, each 1 to {}, such as 640x480, or one number for a square",
            Frame::MAX_SIDE
        )),
    }
}

/// Parses the side of a square picture: `256`, or `256x256`.
pub(super) fn parse_side(text: &str) -> Result<u32, String> {
    const MOST: u32 = 4096;
    match parse_size(text) {
        Ok([width, height]) if width == height && width <= MOST => Ok(width),
        Ok([width, height]) if width != height => Err(format!(
            "\"{text}\"; expected the longer side alone: say {}, with --aspect {width}:{height}",
            width.max(height)
        )),
        _ => Err(format!("\"{text}\"; expected one number of 1 to {MOST}, such as 256 or 256x256")),
    }
}

/// Parses the shape of a picture: `4:5`, width to height.
pub(super) fn parse_aspect(text: &str) -> Result<[u32; 2], String> {
    /// One side is at most so many times as long as the other.
    const MOST: u32 = 8;
    let side =
        |text: &str| text.trim().parse::<u32>().ok().filter(|side| (1..=4096).contains(side));
    let sides = text.split_once(':').and_then(|(across, down)| Some([side(across)?, side(down)?]));
    let sides = sides.filter(|&[across, down]| across <= MOST * down && down <= MOST * across);
    sides.ok_or_else(|| format!("\"{text}\"; expected W:H, such as 4:5, of 1:{MOST} to {MOST}:1"))
}

/// Parses a number of samples for which there is a pattern.
fn parse_samples(text: &str) -> Result<u32, String> {
    counted_in_powers(text, |samples| edge::sample_pattern(samples).is_some())
}

/// Parses the maximum anisotropy.
fn parse_anisotropy(text: &str) -> Result<u32, String> {
    counted_in_powers(text, anisotropy::is_allowed)
}

/// Parses the word of a shade.
fn parse_shade(text: &str) -> Result<Shade, String> {
    let found = Shade::WORDS.iter().find(|(word, _)| *word == text);
    found.map(|&(_, shade)| shade).ok_or_else(|| {
        let words = Shade::WORDS.map(|(word, _)| word);
        let nearest = nearest_word(text, words);
        let hint = nearest.map_or_else(String::new, |word| format!("; did you mean {word:?}?"));
        format!("{text:?}; allowed are {}{hint}", words.join(" and "))
    })
}

/// Parses the word of a look.
fn parse_look(text: &str) -> Result<Look, String> {
    let found = Look::WORDS.iter().find(|(word, _)| *word == text);
    found.map(|&(_, look)| look).ok_or_else(|| {
        let words = Look::WORDS.map(|(word, _)| word);
        let nearest = nearest_word(text, words);
        let hint = nearest.map_or_else(String::new, |word| format!("; did you mean {word:?}?"));
        format!("{text:?}; allowed are {}{hint}", words.join(" and "))
    })
}

fn counted_in_powers(text: &str, is_allowed: impl Fn(u32) -> bool) -> Result<u32, String> {
    let number = text.parse().ok().filter(|&number| is_allowed(number));
    number.ok_or_else(|| format!("{text}; allowed are 1, 2, 4, 8 and 16"))
}

/// Parses a text in which each name in braces is known.
pub(super) fn parse_label(text: &str) -> Result<String, String> {
    let Some(name) = Output::unknown_in_label(text) else { return Ok(text.to_owned()) };
    let nearest = nearest_word(name, Output::LABEL_NAMES);
    let hint = nearest.map_or_else(String::new, |name| format!("; did you mean {{{name}}}?"));
    let names = Output::LABEL_NAMES.map(|name| format!("{{{name}}}")).join(", ");
    Err(format!("{text:?}; unknown name {{{name}}}; the names are {names}{hint}"))
}

/// Parses a list of views with commas, or `none`.
pub(super) fn parse_views(list: &str) -> Result<Views, String> {
    Aov::parse_list(list).map(Views).map_err(|error| error.to_string())
}
