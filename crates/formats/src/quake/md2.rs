//! `.md2` files of Quake 2: one surface, whose corners index vertices and texture coordinates
//! separately.

use super::input::Input;
use super::normals;
use super::part::{NAMELESS, Part};
use super::surface::Surface;
use crate::records::{range, text};
use crate::{FilePlace, ModelFormatError};
use tintype_base::amount::counted_as;
use tintype_model::FileRepair;
use tintype_model::math::{Vec2, Vec3};

pub(super) const VERSION: u32 = 8;
/// Bytes of a frame before its vertices: scale, translation and name.
pub(super) const FRAME_HEAD: usize = 40;

/// Positions of words of the header.
const SKIN_SIZE: [usize; 2] = [8, 12];
const FRAME_SIZE: usize = 16;
const SKINS: (usize, usize) = (20, 44);
const VERTICES: usize = 24;
const TEXCOORDS: (usize, usize) = (28, 48);
const TRIANGLES: (usize, usize) = (32, 52);
const FRAMES: (usize, usize) = (40, 56);
const END: usize = 64;

/// Vertices with quantized positions: a byte each for x, y and z, and the number of the normal.
pub(super) fn quantized(scale: Vec3, translation: Vec3, bytes: &[u8], vertex: usize) -> [Vec3; 2] {
    let Some(&[x, y, z, normal]) = bytes.get(4 * vertex..4 * vertex + 4) else {
        return [translation, Vec3::ZERO];
    };
    let place = Vec3::from_array([x, y, z].map(f32::from)) * scale + translation;
    [place, normals::direction(normal)]
}

/// Reads a file.
pub(super) fn read<'b>(input: &mut Input<'b>) -> Result<Part<'b>, ModelFormatError> {
    let bytes = input.bytes;
    let table = |what: &str, (count, offset): (usize, usize), size: usize| {
        let (number, start) = (input.word(what, count)?, input.word(what, offset)?);
        range(bytes, what, [start, number, size], FilePlace::Byte(count))
    };
    let skins = table("the skins", SKINS, 64)?;
    let texcoords = table("the texture coordinates", TEXCOORDS, 4)?;
    let triangles = table("the triangles", TRIANGLES, 12)?;
    let vertices = input.word("the number of vertices", VERTICES)?;
    let frames = read_frames(input, vertices)?;
    let frames_end = frames.last().map_or(0, |frame| frame.end);
    let end = frames_end.max(input.word("the end of the file", END)?);
    let triangles = corners(input, triangles, texcoords)?;
    let triangles = input.known_corners(triangles.into_iter(), vertices, TRIANGLES.0);
    input.finish(end);
    let skins: Vec<String> = skins.chunks_exact(64).map(text).collect();
    let place = {
        let frames: Vec<_> =
            frames.iter().map(|one| (one.scale, one.translation, one.vertices)).collect();
        move |frame: usize, vertex: usize| {
            let (scale, translation, bytes) = frames[frame];
            quantized(scale, translation, bytes, vertex)
        }
    };
    let surface = Surface {
        name: NAMELESS.to_owned(),
        material_name: skins.first().cloned().unwrap_or_default(),
        vertices,
        triangles,
        place: Box::new(place),
    };
    Ok(Part {
        surfaces: vec![surface],
        frames: frames.into_iter().map(|frame| frame.name).collect(),
        skins: if skins.len() > 1 { skins } else { Vec::new() },
        ..Part::default()
    })
}

/// A frame of a file.
struct Frame<'b> {
    name: String,
    scale: Vec3,
    translation: Vec3,
    vertices: &'b [u8],
    /// The byte after it.
    end: usize,
}

/// The complete frames; a file that ends before the first one is refused.
fn read_frames<'b>(
    input: &mut Input<'b>,
    vertices: usize,
) -> Result<Vec<Frame<'b>>, ModelFormatError> {
    let (bytes, count) = (input.bytes, input.frame_count(FRAMES.0)?);
    let start = input.word("the frames", FRAMES.1)?;
    let size = input.word("the size of a frame", FRAME_SIZE)?;
    let least = vertices.saturating_mul(4).saturating_add(FRAME_HEAD);
    if size < least {
        let expected = format!("{least} or more, as it has {vertices} vertices");
        let at = FilePlace::Byte(FRAME_SIZE);
        return Err(ModelFormatError::value(at, "the size of a frame", size, expected));
    }
    range(bytes, "the first frame", [start, 1, size], FilePlace::Byte(FRAMES.1))?;
    let mut frames = Vec::new();
    for number in 0..count {
        let at = number.checked_mul(size).and_then(|before| before.checked_add(start));
        let record = at.and_then(|at| bytes.get(at..at.checked_add(size)?));
        let (Some(at), Some(record)) = (at, record) else {
            let message = format!(
                "the file ends in frame {number} of {count}; the frames before it are read"
            );
            input.tell(FileRepair::Truncated, bytes.len(), message);
            break;
        };
        let [a, b, c, x, y, z] = input.reals(at);
        frames.push(Frame {
            name: text(&record[24..FRAME_HEAD]),
            scale: Vec3::new(a, b, c),
            translation: Vec3::new(x, y, z),
            vertices: &record[FRAME_HEAD..least],
            end: at + size,
        });
    }
    Ok(frames)
}

/// Corners of triangles: their vertices and texture coordinates.
fn corners(
    input: &mut Input,
    triangles: &[u8],
    texcoords: &[u8],
) -> Result<Vec<[(usize, Vec2); 3]>, ModelFormatError> {
    let half = |record: &[u8], place: usize| {
        let two = record.get(2 * place..2 * place + 2).and_then(|two| two.first_chunk());
        two.copied().unwrap_or([0; 2])
    };
    let [width, height] = SKIN_SIZE.map(|byte| input.word("the size of the skin", byte));
    let size = [width?.max(1), height?.max(1)];
    #[expect(clippy::cast_precision_loss, reason = "sides of a picture are small")]
    let size = Vec2::new(size[0] as f32, size[1] as f32);
    let mut lost = 0_usize;
    let mut all = Vec::new();
    for record in triangles.chunks_exact(12) {
        all.push([0, 1, 2].map(|corner| {
            let at = usize::from(u16::from_le_bytes(half(record, corner + 3)));
            let own = texcoords.get(4 * at..4 * at + 4);
            lost += usize::from(own.is_none() && !texcoords.is_empty());
            let own = own.unwrap_or(&[0; 4]);
            let own = [0, 1].map(|axis| f32::from(i16::from_le_bytes(half(own, axis))));
            (usize::from(u16::from_le_bytes(half(record, corner))), Vec2::from_array(own) / size)
        }));
    }
    if lost > 0 {
        let corners = counted_as(lost, "corner has", "corners have");
        let message =
            format!("{corners} a missing texture coordinate; the upper left corner is used");
        input.tell(FileRepair::BadReference, TRIANGLES.0, message);
    }
    Ok(all)
}
