//! `.md3` files of Quake 3: surfaces with one material each, and tags to which other models are
//! attached.

use super::input::Input;
use super::part::{Part, Tag};
use super::surface::{Surface, check_frames};
use crate::names::Names;
use crate::records::{range, text, whole};
use crate::{FilePlace, LoadOptions, ModelFormatError};
use std::sync::LazyLock;
use tintype_model::FileRepair;
use tintype_model::math::{Affine3, Mat3, Vec2, Vec3, func};

pub(super) const VERSION: u32 = 15;

/// Positions of words of the header.
const FRAMES: (usize, usize) = (76, 92);
const TAGS: (usize, usize) = (80, 96);
const SURFACES: (usize, usize) = (84, 100);
const END: usize = 104;

/// Bytes of records.
const FRAME_BYTES: usize = 56;
const TAG_BYTES: usize = 112;
const SURFACE_BYTES: usize = 108;
const NAME_BYTES: usize = 64;
/// Quantization units per unit of the file.
const PLACES_PER_UNIT: f32 = 64.0;

/// Reads a file.
pub(super) fn read<'b>(
    input: &mut Input<'b>,
    options: &LoadOptions,
) -> Result<Part<'b>, ModelFormatError> {
    let bytes = input.bytes;
    let count = input.frame_count(FRAMES.0)?;
    let start = input.word("the frames", FRAMES.1)?;
    let at = FilePlace::Byte(FRAMES.0);
    let frames = range(bytes, "the frames", [start, count, FRAME_BYTES], at)?;
    let name = |frame: &[u8]| text(&frame[40..FRAME_BYTES]);
    let frames: Vec<String> = frames.chunks_exact(FRAME_BYTES).map(name).collect();
    let tags = read_tags(input, count)?;
    let (mut surfaces, mut needed) = (Vec::new(), 0_usize);
    let mut at = input.word("the surfaces", SURFACES.1)?;
    let all = input.word("the number of surfaces", SURFACES.0)?;
    for number in 0..all {
        options.deadline.check("reading surfaces")?;
        match read_surface(input, (at, number), count, (&mut needed, options)) {
            Ok((surface, end)) => {
                surfaces.extend(surface);
                at += end;
            }
            Err(error @ ModelFormatError::Value { .. }) => {
                let left = format!("surface {number} of {all} and later ones are skipped");
                input.tell(FileRepair::Malformed, at, format!("{error}; {left}"));
                input.finish(bytes.len());
                return Ok(Part { surfaces, frames, tags, ..Part::default() });
            }
            Err(error) => return Err(error),
        }
    }
    input.finish(at.max(input.word("the end of the file", END)?));
    Ok(Part { surfaces, frames, tags, ..Part::default() })
}

/// The tags, each with its transforms in all frames.
fn read_tags(input: &mut Input, frames: usize) -> Result<Vec<Tag>, ModelFormatError> {
    let count = input.word("the number of tags", TAGS.0)?;
    let start = input.word("the tags", TAGS.1)?;
    let (bytes, at) = (input.bytes, FilePlace::Byte(TAGS.0));
    let records = range(bytes, "the tags", [start, count.saturating_mul(frames), TAG_BYTES], at)?;
    let mut names = Names::default();
    let mut tags = Vec::new();
    for (number, first) in records.chunks_exact(TAG_BYTES).take(count).enumerate() {
        let name = names.unique(Some(&text(&first[..NAME_BYTES])), "tag", number);
        let mut poses = Vec::new();
        for frame in 0..frames {
            let record = start + TAG_BYTES * (frame * count + number);
            let numbers = input.reals::<12>(record + NAME_BYTES);
            let [place, x, y, z] =
                [0, 3, 6, 9].map(|at| Vec3::new(numbers[at], numbers[at + 1], numbers[at + 2]));
            poses.push(Affine3 { matrix3: Mat3::from_cols(x, y, z), translation: place });
        }
        tags.push(Tag { name, poses });
    }
    Ok(tags)
}

/// The surface at a byte, none if nothing of it is drawn, and its length. `needed` counts corners
/// and vertices of all frames so far.
fn read_surface<'b>(
    input: &mut Input<'b>,
    (start, number): (usize, usize),
    frames: usize,
    (needed, options): (&mut usize, &LoadOptions),
) -> Result<(Option<Surface<'b>>, usize), ModelFormatError> {
    let (bytes, at) = (input.bytes, FilePlace::Byte(start));
    let head = range(bytes, "a surface", [start, 1, SURFACE_BYTES], at)?;
    let word = |what: &str, byte: usize| input.word(what, start + byte);
    let table = |what: &str, [count, offset, size]: [usize; 3]| {
        let first = start.saturating_add(word(what, offset)?);
        range(bytes, what, [first, count, size], at)
    };
    let end = word("the length of a surface", 104)?;
    if !head.starts_with(b"IDP3") || end < SURFACE_BYTES {
        let mark = format!("{:?}, {end} bytes", text(&head[..4]));
        return Err(ModelFormatError::value(at, "a surface", mark, "IDP3, of 108 bytes or more"));
    }
    let name = text(&head[4..4 + NAME_BYTES]);
    let own_frames = word("the number of frames of a surface", 72)?;
    let vertices = word("the number of vertices of a surface", 80)?;
    let corners = word("the number of triangles of a surface", 84)?;
    let places = table("the vertices", [own_frames.saturating_mul(vertices), 100, 8])?;
    table("the texture coordinates", [vertices, 96, 8])?;
    let texcoords_at = start + word("the texture coordinates", 96)?;
    let triangles = table("the triangles", [corners, 88, 12])?;
    let shaders = table("the shaders", [word("the number of shaders", 76)?, 92, 68])?;
    if places.is_empty() || triangles.is_empty() {
        input.tell(
            FileRepair::Empty,
            start,
            format!("surface {number} {name:?} is empty; skipped"),
        );
        return Ok((None, end));
    }
    *needed = needed.saturating_add(vertices.saturating_mul(frames)).saturating_add(3 * corners);
    check_frames(*needed, bytes.len(), options)?;
    if own_frames != frames {
        let message = format!(
            "surface {number} {name:?} has {own_frames} frames, the file {frames}; its last frame is repeated"
        );
        input.tell(FileRepair::CountMismatch, start, message);
    }
    let texcoords: Vec<Vec2> =
        (0..vertices).map(|vertex| input.reals(texcoords_at + 8 * vertex).into()).collect();
    let corner = |record: &[u8], corner: usize| {
        let vertex = usize::try_from(whole(record, corner)).unwrap_or(usize::MAX);
        (vertex, texcoords.get(vertex).copied().unwrap_or(Vec2::ZERO))
    };
    let triangles = triangles.chunks_exact(12).map(|record| [0, 1, 2].map(|at| corner(record, at)));
    let triangles = input.known_corners(triangles, vertices, start);
    let place = move |frame: usize, vertex: usize| {
        placed(places, frame.min(own_frames - 1) * vertices + vertex)
    };
    let material_name = shaders.get(..NAME_BYTES).map(text).unwrap_or_default();
    let place = Box::new(place);
    Ok((Some(Surface { name, material_name, vertices, triangles, place }), end))
}

/// Position and normal of a vertex: three numbers of 16 bits, and two angles of 8.
fn placed(places: &[u8], at: usize) -> [Vec3; 2] {
    let Some(&[a, b, c, d, e, f, polar, around]) =
        places.get(8 * at..8 * at + 8).and_then(|eight| eight.first_chunk())
    else {
        return [Vec3::ZERO; 2];
    };
    let place = [[a, b], [c, d], [e, f]].map(|two| f32::from(i16::from_le_bytes(two)));
    let [polar, around] = [polar, around].map(|angle| ANGLES[usize::from(angle)]);
    let normal = Vec3::new(around[1] * polar[0], around[0] * polar[0], polar[1]);
    [Vec3::from_array(place) / PLACES_PER_UNIT, normal]
}

/// Sine and cosine of 256ths of a turn.
static ANGLES: LazyLock<[[f32; 2]; 256]> = LazyLock::new(|| {
    std::array::from_fn(|angle| {
        #[expect(clippy::cast_precision_loss, reason = "below 256")]
        let angle = angle as f32 * (core::f32::consts::TAU / 256.0);
        [func::sin(angle), func::cos(angle)]
    })
});
