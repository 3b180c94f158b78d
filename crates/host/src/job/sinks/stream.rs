//! Frames as a stream of bytes for another program.

use std::fmt;
use std::io;
use tintype_model::frame::Frame;
use tintype_output::{Rate, y4m_frame, y4m_header};
use tintype_render::aov::Shown;
use tintype_scene::Scene;

/// Format of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamFormat {
    /// A PNG file for each frame.
    Png,
    /// YUV4MPEG2 with its header; no alpha.
    Y4m,
    /// Red, green, blue and alpha of each pixel, without any header.
    Rgba,
}

/// A stream and its format. It contains the first view of each frame if the scene has views,
/// otherwise the picture.
#[derive(Clone, Copy)]
pub struct Stream<'a> {
    /// Its name in messages, such as `standard output`.
    pub name: &'a str,
    /// Format.
    pub format: StreamFormat,
    /// Writes the bytes of one frame.
    pub write: &'a (dyn Fn(&[u8]) -> io::Result<()> + Sync),
}

impl fmt::Debug for Stream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("name", &self.name)
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}

/// Bytes of the frame at position `k` of a scene, in a format without compression; for the first
/// frame with the header.
pub(in crate::job) fn raw_bytes(
    format: StreamFormat,
    scene: &Scene,
    k: usize,
    frame: &Frame,
    shown: &[Shown],
) -> Vec<u8> {
    let frame = shown.first().map_or(frame, |shown| &shown.frame);
    match format {
        StreamFormat::Y4m => {
            let header = y4m_header(scene.output.size, Rate::new(scene.output.fps));
            let start = if k == 0 { header } else { Vec::new() };
            [start, y4m_frame(frame)].concat()
        }
        StreamFormat::Rgba | StreamFormat::Png => frame.rgba.as_flattened().to_vec(),
    }
}
