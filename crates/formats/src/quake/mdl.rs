//! `.mdl` files of Quake: one surface with embedded 256-colour skins, and frames, single or in
//! groups with separate times.

use super::input::Input;
use super::md2::quantized;
use super::motion::{Motion, runs, stem};
use super::part::{NAMELESS, Part};
use super::skin::{self, SKINS};
use super::surface::{Corner, Surface};
use crate::records::{range, text, whole};
use crate::{FilePlace, ModelFormatError};
use std::ops::Range;
use tintype_model::math::{Vec2, Vec3};
use tintype_model::{EmbeddedPicture, FileMaterial, FileRepair};

pub(super) const VERSION: u32 = 6;

/// Positions of words of the header.
const SCALE: usize = 8;
const SKIN_SIZE: [usize; 2] = [52, 56];
const VERTICES: usize = 60;
const TRIANGLES: usize = 64;
const FRAMES: usize = 68;
const HEADER: usize = 84;
/// Bytes of a frame before its vertices: two corners of a box and its name.
const FRAME_HEAD: usize = 24;

/// A reading position in the file.
struct Reader<'b, 'i> {
    input: &'i mut Input<'b>,
    at: usize,
}

impl<'b> Reader<'b, '_> {
    fn take(
        &mut self,
        what: &str,
        count: usize,
        size: usize,
    ) -> Result<&'b [u8], ModelFormatError> {
        let at = FilePlace::Byte(self.at);
        let taken = range(self.input.bytes, what, [self.at, count, size], at)?;
        self.at += taken.len();
        Ok(taken)
    }

    fn word(&mut self, what: &str) -> Result<usize, ModelFormatError> {
        let word = self.input.word(what, self.at)?;
        self.at += 4;
        Ok(word)
    }
}

/// Contents of a file: the surface, its clips, and pictures of its skins.
pub(super) struct Mdl<'b> {
    pub(super) part: Part<'b>,
    pub(super) motions: Vec<Motion>,
    pub(super) pictures: Vec<EmbeddedPicture>,
}

/// Reads a file; `palette` provides the colours of its skins.
pub(super) fn read<'b>(
    input: &mut Input<'b>,
    rate_hz: f64,
    palette: &dyn Fn() -> Result<Vec<u8>, String>,
) -> Result<Mdl<'b>, ModelFormatError> {
    let [vertices, triangles] = [VERTICES, TRIANGLES].map(|byte| input.word("the counts", byte));
    let (vertices, triangles) = (vertices?, triangles?);
    let [width, height] = SKIN_SIZE.map(|byte| input.word("the size of the skins", byte));
    let size = [width?, height?];
    let frames = input.frame_count(FRAMES)?;
    let skins = input.word("the number of skins", SKINS)?;
    let numbers: [f32; 6] = input.reals(SCALE);
    let mut reader = Reader { input, at: HEADER };
    let skins = read_skins(&mut reader, skins, size)?;
    let texcoords = reader.take("the texture coordinates", vertices, 12)?;
    let triangles = reader.take("the triangles", triangles, 16)?;
    let frames = read_frames(&mut reader, frames, vertices)?;
    let end = reader.at;
    input.finish(end);
    let triangles = corners(triangles, texcoords, size);
    let triangles: Vec<[Corner; 3]> = input.known_corners(triangles, vertices, TRIANGLES);
    let pictures = skin::pictures(input, &skins, size, palette);
    let names: Vec<String> = pictures.iter().map(|picture| picture.name.clone()).collect();
    let motions = motions(input, &frames, rate_hz);
    let places: Vec<&[u8]> = frames.poses.iter().map(|(_, places)| *places).collect();
    let [scale, translation] = [0, 3].map(|at| Vec3::from_slice(&numbers[at..at + 3]));
    let surface = Surface {
        name: NAMELESS.to_owned(),
        material_name: names.first().cloned().unwrap_or_default(),
        vertices,
        triangles,
        place: Box::new(move |frame, vertex| quantized(scale, translation, places[frame], vertex)),
    };
    let material = |name: &String| FileMaterial {
        diffuse: Some(name.clone()),
        ..FileMaterial::plain(name.as_str())
    };
    let part = Part {
        surfaces: vec![surface],
        frames: frames.poses.into_iter().map(|(name, _)| name).collect(),
        materials: names.iter().map(material).collect(),
        skins: if names.len() > 1 { names } else { Vec::new() },
        ..Part::default()
    };
    Ok(Mdl { part, motions, pictures })
}

/// The indices of colours of each skin; for a group those of its first.
fn read_skins<'b>(
    reader: &mut Reader<'b, '_>,
    count: usize,
    [width, height]: [usize; 2],
) -> Result<Vec<&'b [u8]>, ModelFormatError> {
    let size = width.saturating_mul(height);
    let mut skins = Vec::new();
    for number in 0..count {
        let mut own = 1;
        if reader.word("the kind of a skin")? != 0 {
            own = reader.word("the number of skins of a group")?;
            reader.take("the times of a group of skins", own, 4)?;
            let message =
                format!("skin {number} is an animated group of {own}; the first is shown");
            reader.input.tell(FileRepair::Effect, reader.at, message);
        }
        let pixels = reader.take("the pixels of a skin", own, size)?;
        skins.extend(pixels.get(..size).filter(|pixels| !pixels.is_empty()));
        if pixels.is_empty() {
            reader.input.tell(
                FileRepair::Empty,
                reader.at,
                format!("skin {number} has no pixels; skipped"),
            );
        }
    }
    Ok(skins)
}

/// Frames of a file, with groups flattened.
struct Frames<'b> {
    /// Name and vertices of each.
    poses: Vec<(String, &'b [u8])>,
    /// The groups in the order of the file, with the end times of their frames; single frames have
    /// none.
    groups: Vec<(Range<usize>, Option<Vec<f32>>)>,
}

/// The complete frames; a file that ends before the first one is refused.
fn read_frames<'b>(
    reader: &mut Reader<'b, '_>,
    count: usize,
    vertices: usize,
) -> Result<Frames<'b>, ModelFormatError> {
    let mut frames = Frames { poses: Vec::new(), groups: Vec::new() };
    for number in 0..count {
        let (start, before) = (reader.at, frames.poses.len());
        match read_frame(reader, vertices, &mut frames.poses) {
            Ok(times) => frames.groups.push((before..frames.poses.len(), times)),
            Err(error) if before == 0 => return Err(error),
            Err(_) => {
                frames.poses.truncate(before);
                reader.at = start;
                let message = format!(
                    "the file ends in frame {number} of {count}; the frames before it are read"
                );
                reader.input.tell(FileRepair::Truncated, start, message);
                // The rest belongs to that frame.
                reader.at = reader.input.bytes.len();
                break;
            }
        }
    }
    Ok(frames)
}

/// Reads one frame, or those of a group with their times.
fn read_frame<'b>(
    reader: &mut Reader<'b, '_>,
    vertices: usize,
    poses: &mut Vec<(String, &'b [u8])>,
) -> Result<Option<Vec<f32>>, ModelFormatError> {
    let (mut count, mut times) = (1, None);
    if reader.word("the kind of a frame")? != 0 {
        count = reader.input.frame_count(reader.at)?;
        reader.take("the box of a group", 3, 4)?;
        let own = reader.take("the times of a group", count, 4)?;
        times = Some((0..count).map(|at| f32::from_bits(whole(own, at))).collect());
    }
    for _ in 0..count {
        let head = reader.take("a frame", 1, FRAME_HEAD)?;
        let places = reader.take("the vertices of a frame", vertices, 4)?;
        poses.push((text(&head[8..]), places));
    }
    Ok(times)
}

/// Clips: one for each group, and for runs of single frames between them.
fn motions(input: &mut Input, frames: &Frames, rate_hz: f64) -> Vec<Motion> {
    let mut motions = Vec::new();
    let mut alone: Range<usize> = 0..0;
    let flush = |alone: &mut Range<usize>, motions: &mut Vec<Motion>| {
        let names: Vec<String> =
            frames.poses[alone.clone()].iter().map(|(name, _)| name.clone()).collect();
        let first = alone.start;
        let run = |(name, own): (&str, Range<usize>)| {
            let own = own.map(|frame| first + frame).collect();
            Motion::run(name, vec![own], rate_hz)
        };
        if frames.poses.len() > 1 {
            motions.extend(runs(&names).into_iter().map(run));
        }
        *alone = alone.end..alone.end;
    };
    for (range, times) in &frames.groups {
        let Some(times) = times else {
            alone = if alone.is_empty() { range.clone() } else { alone.start..range.end };
            continue;
        };
        flush(&mut alone, &mut motions);
        let is_rising = times.windows(2).all(|two| two[0] < two[1])
            && times.iter().all(|time| time.is_finite() && *time > 0.0);
        let mut run =
            Motion::run(stem(&frames.poses[range.start].0), vec![range.clone().collect()], rate_hz);
        if is_rising {
            run.times_s =
                [0.0].into_iter().chain(times.iter().map(|&time| f64::from(time))).collect();
            run.frames[0].push(range.start);
            run.is_stepped = true;
        } else {
            let message = format!(
                "the times of clip {:?} do not increase; it is played at {rate_hz} frames per second",
                run.name
            );
            input.tell(FileRepair::KeyTimes, FRAMES, message);
        }
        motions.push(run);
    }
    flush(&mut alone, &mut motions);
    motions
}

/// Corners of triangles. Vertices on the seam of the skin lie in its other half for faces of the
/// back.
#[expect(clippy::cast_precision_loss, reason = "sides and places of a picture are small")]
fn corners(
    triangles: &[u8],
    texcoords: &[u8],
    [width, height]: [usize; 2],
) -> impl Iterator<Item = [(usize, Vec2); 3]> {
    let size = Vec2::new(width.max(1) as f32, height.max(1) as f32);
    triangles.chunks_exact(16).map(move |record| {
        let is_back = whole(record, 0) == 0;
        [1, 2, 3].map(|corner| {
            let vertex = usize::try_from(whole(record, corner)).unwrap_or(usize::MAX);
            let own = vertex.checked_mul(12).and_then(|at| texcoords.get(at..at + 12));
            let [seam, s, t] =
                [0, 1, 2].map(|word| own.map_or(0, |own| whole(own, word).cast_signed()));
            let across = if seam != 0 && is_back { size.x / 2.0 } else { 0.0 };
            (vertex, Vec2::new(s as f32 + across + 0.5, t as f32 + 0.5) / size)
        })
    })
}
