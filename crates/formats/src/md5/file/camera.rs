//! The mirror of an `.md5camera` file.

use super::{Document, Kind, Reader};
use crate::LoadOptions;
use crate::md5::error::Md5Error;
use crate::text::SourcePosition;
use crate::text::TokenKind;

static KIND: Kind = Kind {
    name: "a camera (.md5camera)",
    keywords: &["commandline", "numFrames", "frameRate", "numCuts", "cuts", "camera"],
    skips_unknown: false,
    foreign: &[
        ("joints", "a mesh (.md5mesh)"),
        ("mesh", "a mesh (.md5mesh)"),
        ("numMeshes", "a mesh (.md5mesh)"),
        ("numJoints", "a mesh (.md5mesh) or an animation (.md5anim)"),
        ("hierarchy", "an animation (.md5anim)"),
        ("bounds", "an animation (.md5anim)"),
        ("baseframe", "an animation (.md5anim)"),
        ("frame", "an animation (.md5anim)"),
        ("numAnimatedComponents", "an animation (.md5anim)"),
    ],
};

/// A document of an `.md5camera` file.
pub(in crate::md5) struct CameraFile {
    pub(in crate::md5) rate_hz: f64,
    /// Frame numbers, with their positions.
    pub(in crate::md5) cuts: Vec<(u32, SourcePosition)>,
    /// One per frame; at least one.
    pub(in crate::md5) frames: Vec<CameraLine>,
}

/// `( px py pz ) ( qx qy qz ) fov`
pub(in crate::md5) struct CameraLine {
    pub(in crate::md5) position: [f64; 3],
    pub(in crate::md5) rotation: [f64; 3],
    pub(in crate::md5) fov_deg: f64,
    /// Position of the field of view.
    pub(in crate::md5) fov_at: SourcePosition,
}

/// Reads the first document of a file.
pub(in crate::md5) fn read(
    bytes: &[u8],
    options: &LoadOptions,
) -> Result<Document<CameraFile>, Md5Error> {
    let mut reader = Reader::open(bytes, options, &KIND)?;
    let (mut frame_count, mut cut_count, mut rate_hz) = (None, None, None);
    let (mut cuts, mut frames) = (None, None);
    while let Some(keyword) = reader.top_keyword()? {
        let at = reader.token.position;
        match keyword {
            "numFrames" => reader.header_count(keyword, &mut frame_count)?,
            "numCuts" => reader.header_count(keyword, &mut cut_count)?,
            "frameRate" => reader.frame_rate(&mut rate_hz)?,
            "cuts" => {
                reader.once(keyword, at, cuts.is_none())?;
                cuts = Some(read_cuts(&mut reader)?);
            }
            _ => {
                reader.once(keyword, at, frames.is_none())?;
                frames = Some(read_frames(&mut reader)?);
            }
        }
    }
    let end = reader.token.position;
    let (frames_end, frames) = frames.ok_or_else(|| reader.missing("camera"))?;
    reader.check_count("camera lines", "numFrames", frames.len(), frame_count, frames_end)?;
    if frames.is_empty() {
        return Err(Md5Error::Range {
            position: frames_end,
            what: "camera lines".into(),
            found: "0".into(),
            expected: "1 or more".into(),
        });
    }
    let (cuts_end, cuts) = cuts.unwrap_or((end, Vec::new()));
    if cut_count.is_some() || !cuts.is_empty() {
        reader.check_count("cuts", "numCuts", cuts.len(), cut_count, cuts_end)?;
    }
    let rate_hz = reader.rate_or_default(rate_hz);
    let content = CameraFile { rate_hz, cuts, frames };
    Ok(Document { content, warnings: reader.finish() })
}

type CutLines = (SourcePosition, Vec<(u32, SourcePosition)>);

fn read_cuts(reader: &mut Reader<'_>) -> Result<CutLines, Md5Error> {
    reader.open_brace()?;
    let mut cuts = Vec::new();
    while reader.token.kind != TokenKind::Symbol(b'}') {
        cuts.push(reader.index("the frame of a cut").map_err(Md5Error::or_end)?);
    }
    Ok((reader.advance()?.position, cuts))
}

fn read_frames(reader: &mut Reader<'_>) -> Result<(SourcePosition, Vec<CameraLine>), Md5Error> {
    reader.open_brace()?;
    let mut frames = Vec::new();
    while reader.token.kind != TokenKind::Symbol(b'}') {
        if reader.token.kind != TokenKind::Symbol(b'(') {
            return Err(reader.unexpected("( or }"));
        }
        let position = reader.triple("a coordinate of the camera")?;
        let rotation = reader.triple("a component of the camera's quaternion")?;
        let fov_at = reader.token.position;
        let fov_deg = reader.coordinate("the field of view in degrees")?;
        frames.push(CameraLine { position, rotation, fov_deg, fov_at });
    }
    Ok((reader.advance()?.position, frames))
}
