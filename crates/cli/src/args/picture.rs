//! Options of a picture: size and compression.

use clap::ValueEnum;
use tintype_model::frame::Frame;

/// Compression effort of PNG files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Png {
    /// For sequences
    Fast,
    /// Slower; views become at least a third smaller, pictures at most a few percent
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
            "\"{text}\"; expected only the longer side: use {} with --aspect {width}:{height}",
            width.max(height)
        )),
        _ => {
            Err(format!("\"{text}\"; expected one number from 1 to {MOST}, such as 256 or 256x256"))
        }
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
    sides.ok_or_else(|| format!("\"{text}\"; expected W:H from 1:{MOST} to {MOST}:1, such as 4:5"))
}
