//! Text files: `solid`, and facets with a loop of corners each. Words are case-insensitive, and
//! comments begin with `#`.

use super::binary::is_sound;
use super::facet::{Facet, LOST_CORNER, STEPS, Solid};
use crate::corner_mesh::check_meshes;
use crate::polygon::Cutter;
use crate::text::{as_utf8, decode_text, quoted, real_of_any_language};
use crate::told::Told;
use crate::{FilePlace, LoadOptions, ModelFormatError};
use tintype_model::FileRepair;
use tintype_model::math::Vec3;

/// Reads all solids.
pub(super) fn read(
    bytes: &[u8],
    told: &mut Told,
    options: &LoadOptions,
) -> Result<Vec<Solid>, ModelFormatError> {
    let bytes = as_utf8(bytes);
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let mut watch = options.deadline.watch("reading facets", STEPS);
    let mut reader = Reader {
        told,
        solids: Vec::new(),
        corners: Vec::new(),
        normal: Vec3::ZERO,
        is_lost: false,
        line: 0,
        cutter: Cutter::new(&options.deadline),
    };
    for (number, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        watch.step()?;
        reader.line = number + 1;
        let line = line.split(|&byte| byte == b'#').next().unwrap_or_default().trim_ascii();
        reader.line(line)?;
        check_meshes(reader.solids.len(), reader.at(), options)?;
    }
    if !reader.corners.is_empty() {
        let at = reader.at();
        reader.told.note(
            FileRepair::Truncated,
            at,
            "the file ends inside a facet, which is skipped",
        );
    }
    Ok(reader.solids)
}

/// State between words.
struct Reader<'t> {
    told: &'t mut Told,
    solids: Vec<Solid>,
    /// Of the facet in work.
    corners: Vec<Vec3>,
    normal: Vec3,
    /// True if one of its corners has invalid numbers.
    is_lost: bool,
    line: usize,
    cutter: Cutter,
}

impl Reader<'_> {
    fn at(&self) -> FilePlace {
        FilePlace::Line(self.line)
    }

    /// The words of a line; some programs write many statements in one line.
    fn line(&mut self, line: &[u8]) -> Result<(), ModelFormatError> {
        let mut words =
            line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            match word.to_ascii_lowercase().as_slice() {
                b"solid" => {
                    self.finish_facet()?;
                    let mut name = Vec::new();
                    let is_name = |word: &&[u8]| !word.eq_ignore_ascii_case(b"facet");
                    while let Some(word) = words.next_if(is_name) {
                        name.push(decode_text(word));
                    }
                    self.solids.push(Solid { name: name.join(" "), ..Solid::default() });
                }
                // Its name.
                b"endsolid" => {
                    self.finish_facet()?;
                    let is_name = |word: &&[u8]| !word.eq_ignore_ascii_case(b"solid");
                    while words.next_if(is_name).is_some() {}
                }
                b"facet" => {
                    self.finish_facet()?;
                    self.normal = Vec3::ZERO;
                }
                b"endfacet" | b"endloop" => self.finish_facet()?,
                b"outer" | b"loop" => {}
                b"normal" => self.normal = self.point(&mut words).unwrap_or(Vec3::ZERO),
                b"vertex" => match self.point(&mut words) {
                    Some(corner) => self.corners.push(corner),
                    None => self.is_lost = true,
                },
                _ => {
                    let what = "it is not an STL keyword; skipped";
                    self.told.note_with(FileRepair::UnknownPart, self.at(), what, || quoted(word));
                }
            }
        }
        Ok(())
    }

    /// Three numbers. None if one of them is missing or invalid.
    fn point<'w>(
        &mut self,
        words: &mut std::iter::Peekable<impl Iterator<Item = &'w [u8]>>,
    ) -> Option<Vec3> {
        let mut numbers = [None; 3];
        for number in &mut numbers {
            let word =
                words.next_if(|word| !word.first().is_some_and(|byte| b"vVeEoO".contains(byte)))?;
            *number = real_of_any_language(word).map(|(number, has_comma)| {
                if has_comma {
                    let what = "a number contains a comma; it is read as a decimal point";
                    self.told.note_with(FileRepair::WrongType, self.at(), what, || quoted(word));
                }
                number
            });
        }
        let [Some(x), Some(y), Some(z)] = numbers else { return None };
        Some(Vec3::new(x, y, z)).filter(|point| is_sound(*point))
    }

    /// Takes the corners of a facet, if there are any.
    fn finish_facet(&mut self) -> Result<(), ModelFormatError> {
        let at = self.at();
        let corners = std::mem::take(&mut self.corners);
        if std::mem::take(&mut self.is_lost) {
            self.told.note(FileRepair::NotFinite, at, LOST_CORNER);
            return Ok(());
        }
        if corners.is_empty() {
            return Ok(());
        }
        if corners.len() < 3 {
            self.told.note(FileRepair::FewCorners, at, "a facet has fewer than 3 corners; skipped");
            return Ok(());
        }
        if self.solids.is_empty() {
            self.solids.push(Solid::default());
        }
        let (normal, Some(solid)) = (self.normal, self.solids.last_mut()) else { return Ok(()) };
        let point = |corner: usize| corners.get(corner).copied().unwrap_or_default();
        self.cutter.cut(&corners, |cut| {
            solid.facets.push(Facet { corners: cut.map(point), normal, color: None });
        })?;
        Ok(())
    }
}
