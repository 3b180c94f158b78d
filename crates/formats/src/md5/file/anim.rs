//! The mirror of an `.md5anim` file.

use super::slots::{Hole, Slots};
use super::{Count, Document, Kind, Reader};
use crate::LoadOptions;
use crate::md5::error::Md5Error;
use crate::text::SourcePosition;
use crate::text::TokenKind;
use tintype_model::FileRepair;

static KIND: Kind = Kind {
    name: "an animation (.md5anim)",
    keywords: &[
        "commandline",
        "numFrames",
        "numJoints",
        "frameRate",
        "numAnimatedComponents",
        "hierarchy",
        "bounds",
        "baseframe",
        "frame",
    ],
    skips_unknown: true,
    foreign: &[
        ("joints", "a mesh (.md5mesh)"),
        ("mesh", "a mesh (.md5mesh)"),
        ("numMeshes", "a mesh (.md5mesh)"),
        ("numCuts", "a camera (.md5camera)"),
        ("cuts", "a camera (.md5camera)"),
        ("camera", "a camera (.md5camera)"),
    ],
};

/// A document of an `.md5anim` file.
pub(in crate::md5) struct AnimFile<'a> {
    /// The brace that opens the hierarchy.
    pub(in crate::md5) hierarchy_at: SourcePosition,
    pub(in crate::md5) joints: Vec<HierarchyLine<'a>>,
    /// One per joint.
    pub(in crate::md5) base_frame: Vec<BaseLine>,
    pub(in crate::md5) rate_hz: f64,
    /// Number of values per frame.
    pub(in crate::md5) component_count: usize,
    /// In the order of their indices; at least one.
    pub(in crate::md5) frames: Vec<FrameBlock>,
    /// The numbers of all frames, `component_count` each.
    pub(in crate::md5) components: Vec<f64>,
    /// Lower and upper corner of the box of each frame; empty if the file does not have one for
    /// each frame.
    pub(in crate::md5) bounds: Vec<[[f64; 3]; 2]>,
}

/// `"name" parent flags startIndex`
pub(in crate::md5) struct HierarchyLine<'a> {
    pub(in crate::md5) name: &'a [u8],
    pub(in crate::md5) parent: i64,
    pub(in crate::md5) parent_at: SourcePosition,
    pub(in crate::md5) flags: u32,
    pub(in crate::md5) flags_at: SourcePosition,
    pub(in crate::md5) start: u32,
    pub(in crate::md5) start_at: SourcePosition,
}

/// Position of a frame that is lost.
const LOST: usize = usize::MAX;

impl Hole for FrameBlock {
    fn hole(at: SourcePosition) -> Self {
        Self { at, first: LOST }
    }
}

/// `( px py pz ) ( qx qy qz )`
#[derive(Default)]
pub(in crate::md5) struct BaseLine {
    pub(in crate::md5) position: [f64; 3],
    pub(in crate::md5) rotation: [f64; 3],
}

/// `frame index { numbers }`
pub(in crate::md5) struct FrameBlock {
    /// Position of its index.
    pub(in crate::md5) at: SourcePosition,
    /// Its first number in [`AnimFile::components`].
    pub(in crate::md5) first: usize,
}

/// The blocks of a file that are read so far.
#[derive(Default)]
struct Blocks<'a> {
    joint_count: Option<Count>,
    component_count: Option<Count>,
    rate_hz: Option<f64>,
    hierarchy: Option<(SourcePosition, Vec<HierarchyLine<'a>>)>,
    base_frame: Option<Vec<BaseLine>>,
    bounds: Option<(SourcePosition, Vec<[[f64; 3]; 2]>)>,
    frames: Option<Slots<FrameBlock>>,
    /// The numbers of all frames.
    components: Vec<f64>,
}

/// Reads the first document of a file.
pub(in crate::md5) fn read<'a>(
    bytes: &'a [u8],
    options: &LoadOptions,
) -> Result<Document<AnimFile<'a>>, Md5Error> {
    let mut reader = Reader::open(bytes, options, &KIND)?;
    let mut blocks = Blocks::default();
    while let Some(keyword) = reader.top_keyword()? {
        blocks.read(&mut reader, keyword)?;
    }
    let content = blocks.finish(&mut reader)?;
    Ok(Document { content, warnings: reader.finish() })
}

impl<'a> Blocks<'a> {
    /// Reads the block of a keyword, which is the current token.
    fn read(&mut self, reader: &mut Reader<'a>, keyword: &'static str) -> Result<(), Md5Error> {
        let at = reader.token.position;
        match keyword {
            "numFrames" => {
                reader.once(keyword, at, self.frames.is_none())?;
                let slots = Slots::declare(reader, "frame", keyword, 8)?;
                if slots.declares_none() {
                    return Err(Md5Error::Range {
                        position: at,
                        what: keyword.into(),
                        found: "0".into(),
                        expected: "1 or more".into(),
                    });
                }
                self.frames = Some(slots);
            }
            "numJoints" => reader.header_count(keyword, &mut self.joint_count)?,
            "numAnimatedComponents" => reader.header_count(keyword, &mut self.component_count)?,
            "frameRate" => reader.frame_rate(&mut self.rate_hz)?,
            "hierarchy" => {
                reader.once(keyword, at, self.hierarchy.is_none())?;
                self.hierarchy = Some(read_hierarchy(reader)?);
            }
            "bounds" => {
                reader.once(keyword, at, self.bounds.is_none())?;
                self.bounds = read_bounds(reader)?;
            }
            "baseframe" => {
                reader.once(keyword, at, self.base_frame.is_none())?;
                self.base_frame = Some(read_base_frame(reader)?);
            }
            _ => self.read_frame(reader, at)?,
        }
        Ok(())
    }

    /// Reads one frame; a lost one costs only itself.
    fn read_frame(&mut self, reader: &mut Reader<'a>, at: SourcePosition) -> Result<(), Md5Error> {
        let (Some(slots), Some(per_frame)) = (&mut self.frames, self.component_count) else {
            return Err(Md5Error::Syntax {
                position: at,
                found: "frame before its counts".into(),
                expected: "numFrames and numAnimatedComponents before it".into(),
                nearest: None,
            });
        };
        let first = self.components.len();
        let read = slots.index(reader).and_then(|(index, position)| {
            read_frame(reader, index, per_frame, &mut self.components)?;
            Ok((index, position))
        });
        match read {
            Ok((index, at)) => slots.put(index, FrameBlock { at, first }),
            Err(error) => {
                self.components.truncate(first);
                reader.lose(error, "the previous frame is used instead")?;
                reader.skip_block(at)?;
            }
        }
        Ok(())
    }

    /// The whole file, with its counts checked against each other.
    fn finish(self, reader: &mut Reader<'a>) -> Result<AnimFile<'a>, Md5Error> {
        let end = reader.token.position;
        let (hierarchy_at, joints) = self.hierarchy.ok_or_else(|| reader.missing("hierarchy"))?;
        let (found, declared) = (joints.len(), self.joint_count);
        reader.check_count("joints of the hierarchy", "numJoints", found, declared, end)?;
        let mut base_frame = self.base_frame.ok_or_else(|| reader.missing("baseframe"))?;
        if base_frame.len() != joints.len() {
            let message = format!(
                "joints of the baseframe: found {}; expected {}, as in the hierarchy; the others are placed at their parents",
                base_frame.len(),
                joints.len()
            );
            reader.fault(FileRepair::CountMismatch, end, message);
            base_frame.resize_with(joints.len(), BaseLine::default);
        }
        let frames = self.frames.ok_or_else(|| reader.missing("numFrames"))?;
        let mut frames = frames.finish(reader, end, "the previous frame is used for each");
        fill_lost(&mut frames).ok_or_else(|| reader.missing("a frame"))?;
        let bounds = match self.bounds {
            Some((_, found)) if found.len() == frames.len() => found,
            Some((at, found)) => {
                let (count, frames) = (found.len(), frames.len());
                let message = format!("{count} bounds for {frames} frames; bounds are ignored");
                reader.warn(at.line, message);
                Vec::new()
            }
            None => Vec::new(),
        };
        Ok(AnimFile {
            hierarchy_at,
            joints,
            base_frame,
            rate_hz: reader.rate_or_default(self.rate_hz),
            component_count: self.component_count.map_or(0, |count| count.value),
            frames,
            components: self.components,
            bounds,
        })
    }
}

/// Fills each lost frame with the numbers of the previous one, or of the first valid one. None if
/// all are lost.
fn fill_lost(frames: &mut [FrameBlock]) -> Option<()> {
    let mut last = frames.iter().map(|frame| frame.first).find(|&first| first != LOST)?;
    for frame in frames {
        match frame.first {
            LOST => frame.first = last,
            first => last = first,
        }
    }
    Some(())
}

fn read_hierarchy<'a>(
    reader: &mut Reader<'a>,
) -> Result<(SourcePosition, Vec<HierarchyLine<'a>>), Md5Error> {
    let opened = reader.open_brace()?;
    let mut joints = Vec::new();
    while reader.token.kind != TokenKind::Symbol(b'}') {
        let name = reader.text("a joint name or }")?;
        let (parent, parent_at) = reader.whole("the index of the parent joint, or -1")?;
        let (flags, flags_at) = reader.index("the flags of the animated components")?;
        let (start, start_at) = reader.index("the first component in a frame")?;
        joints.push(HierarchyLine { name, parent, parent_at, flags, flags_at, start, start_at });
    }
    reader.advance()?;
    Ok((opened, joints))
}

/// The position of a list of boxes, and their lower and upper corners.
type Boxes = (SourcePosition, Vec<[[f64; 3]; 2]>);

/// Reads the box of each frame: `( x y z ) ( x y z )`. None if one is lost.
fn read_bounds(reader: &mut Reader<'_>) -> Result<Option<Boxes>, Md5Error> {
    let at = reader.open_brace()?;
    let (mut boxes, mut is_whole) = (Vec::new(), true);
    while reader.token.kind != TokenKind::Symbol(b'}') {
        let mut corners = [[0.0; 3]; 2];
        let names = ["the lower corner of the bounds", "the upper corner of the bounds"];
        for (corner, name) in corners.iter_mut().zip(names) {
            reader.expect(TokenKind::Symbol(b'('), "( or }")?;
            for part in corner {
                match reader.number(name) {
                    Ok(number) => *part = number,
                    Err(error) if reader.token.kind == TokenKind::Word => {
                        reader.lose(error, "bounds are ignored")?;
                        reader.advance()?;
                        is_whole = false;
                    }
                    Err(error) => return Err(error),
                }
            }
            reader.expect(TokenKind::Symbol(b')'), ")")?;
        }
        boxes.push(corners);
    }
    reader.advance()?;
    Ok(is_whole.then_some((at, boxes)))
}

fn read_base_frame(reader: &mut Reader<'_>) -> Result<Vec<BaseLine>, Md5Error> {
    reader.open_brace()?;
    let mut lines = Vec::new();
    while reader.token.kind != TokenKind::Symbol(b'}') {
        if reader.token.kind != TokenKind::Symbol(b'(') {
            return Err(reader.unexpected("( or }"));
        }
        let position = reader.triple("a coordinate of the joint")?;
        let rotation = reader.triple("a component of the joint's quaternion")?;
        lines.push(BaseLine { position, rotation });
    }
    reader.advance()?;
    Ok(lines)
}

fn read_frame(
    reader: &mut Reader<'_>,
    frame: usize,
    per_frame: Count,
    components: &mut Vec<f64>,
) -> Result<(), Md5Error> {
    const HEADER: &str = "numAnimatedComponents";
    reader.open_brace()?;
    let first = components.len();
    while reader.token.kind != TokenKind::Symbol(b'}') {
        if reader.token.kind == TokenKind::End || reader.at_keyword("frame") {
            break;
        }
        let present = components.len() - first;
        if let Some(room) = per_frame.value.checked_sub(present + 1) {
            reader.plain_coordinates(room, components)?;
        }
        match reader.coordinate("a component of a joint").map_err(Md5Error::or_end) {
            Ok(component) => components.push(component),
            Err(error) => {
                reader.lose(error, "taken from the previous frame")?;
                reader.advance()?;
                let before = components.len().checked_sub(per_frame.value);
                let before = before.and_then(|at| components.get(at).copied());
                components.push(before.unwrap_or(0.0));
            }
        }
    }
    let closed = match reader.token.kind {
        TokenKind::Symbol(b'}') => reader.advance()?.position,
        _ => reader.token.position,
    };
    let present = components.len() - first;
    // Half of the numbers must be present: a count alone must not fill memory.
    if present < per_frame.value.div_ceil(2) {
        return Err(Md5Error::Range {
            position: closed,
            what: format!("numbers of frame {frame}"),
            found: present.to_string(),
            expected: format!("{}, from {HEADER} on line {}", per_frame.value, per_frame.at.line),
        });
    }
    if present != per_frame.value {
        let things = format!("numbers of frame {frame}");
        reader.check_count(&things, HEADER, present, Some(per_frame), closed)?;
    }
    components.truncate(first + per_frame.value);
    while components.len() < first + per_frame.value {
        let before = components.len().checked_sub(per_frame.value);
        let before = before.and_then(|at| components.get(at).copied());
        components.push(before.unwrap_or(0.0));
    }
    Ok(())
}
