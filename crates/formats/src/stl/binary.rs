//! Binary files: a header of 80 bytes, a count, and facets of 50 bytes.

use super::facet::{FACET, Facet, HEAD, LOST_CORNER, STEPS, Solid};
use crate::corner_mesh::linear;
use crate::records::whole;
use crate::told::Told;
use crate::{FilePlace, LoadOptions, ModelFormatError};
use tintype_model::FileRepair;
use tintype_model::math::{Vec3, Vec4};

/// The declared count of facets; 0 for a shorter file.
pub(super) fn count(bytes: &[u8]) -> usize {
    usize::try_from(whole(bytes, HEAD / 4 - 1)).unwrap_or(usize::MAX)
}

/// Reads the available facets, whatever the stated count.
pub(super) fn read(
    bytes: &[u8],
    told: &mut Told,
    options: &LoadOptions,
) -> Result<Solid, ModelFormatError> {
    let declared = count(bytes);
    let records = bytes.get(HEAD..).unwrap_or_default();
    let there = records.len() / FACET;
    let at = FilePlace::Byte(HEAD - 4);
    // Streaming writers leave 0 or the largest number.
    let is_unknown = matches!(declared, 0 | 0xffff_ffff);
    let used = if is_unknown { there } else { declared.min(there) };
    let found = || format!("{declared} facets are declared, {there} are present");
    if is_unknown && there > 0 {
        let what = "the available ones are read";
        told.note_with(FileRepair::CountMismatch, at, what, found);
    } else if declared > there && !is_unknown {
        told.note_with(FileRepair::Truncated, at, "the file ends before its last facet", found);
    } else if records.len() > used * FACET {
        let end = FilePlace::Byte(HEAD + used * FACET);
        told.note(FileRepair::Leftover, end, "bytes after the last facet are ignored");
    }
    let mut watch = options.deadline.watch("reading facets", STEPS);
    let usual = color_of_part(bytes);
    let mut solid = Solid::default();
    for (number, record) in records.chunks_exact(FACET).take(used).enumerate() {
        watch.step()?;
        let point = |word: usize| {
            Vec3::from_array([0, 1, 2].map(|axis| f32::from_bits(whole(record, word + axis))))
        };
        let corners = [point(3), point(6), point(9)];
        if corners.iter().any(|corner| !is_sound(*corner)) {
            let at = FilePlace::Byte(HEAD + number * FACET);
            told.note(FileRepair::NotFinite, at, LOST_CORNER);
            continue;
        }
        let bits = record
            .get(48..50)
            .and_then(|two| two.first_chunk())
            .map_or(0, |two| u16::from_le_bytes(*two));
        let normal = Some(point(0)).filter(|normal| normal.is_finite()).unwrap_or(Vec3::ZERO);
        solid.facets.push(Facet { corners, normal, color: color(bits, usual) });
    }
    Ok(solid)
}

/// True if numbers are finite and within the supported size.
pub(super) fn is_sound(point: Vec3) -> bool {
    const LARGEST: f32 = 1.0e18;
    point.to_array().iter().all(|number| number.abs() <= LARGEST)
}

/// The colour of all facets without one, in files by Magics: sRGB and alpha.
fn color_of_part(bytes: &[u8]) -> Option<[u8; 4]> {
    const MARK: &[u8] = b"COLOR=";
    let head = bytes.get(..HEAD - 4)?;
    let at = head.windows(MARK.len()).position(|word| word == MARK)? + MARK.len();
    head.get(at..)?.first_chunk().copied()
}

/// The colour of a facet in its last 16 bits: if bit 15 is set, 5 bits each of blue, green and red
/// from the lowest. In files by Magics red comes first, and a set bit 15 means the colour of the
/// part.
fn color(bits: u16, usual: Option<[u8; 4]>) -> Option<Vec4> {
    let share = |shift: u16| f32::from(bits >> shift & 31) / 31.0;
    let is_set = bits >> 15 == 1;
    match usual {
        Some(part) if is_set => Some(linear(part.map(|code| f32::from(code) / 255.0))),
        Some(_) => Some(linear([share(0), share(5), share(10), 1.0])),
        None => is_set.then(|| linear([share(10), share(5), share(0), 1.0])),
    }
}
