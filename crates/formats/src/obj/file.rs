//! Mirror of an OBJ file: vertices, and faces with their current names.

use super::statement::{Statement, Statements};
use crate::corner_mesh::check_meshes;
use crate::recognize::describe_foreign;
use crate::shade::Smoothing;
use crate::text::quoted;
use crate::{FilePlace, LoadOptions, ModelFormatError};
use std::collections::BTreeMap;
use tintype_model::math::{Vec2, Vec3};
use tintype_model::{FileRepair, Warning};

/// The name that requests the material file named after the model.
pub const OWN_LIBRARY: &str = "";

/// A corner of a face: indices into the lists of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Corner {
    pub(super) position: u32,
    pub(super) texcoord: Option<u32>,
    pub(super) normal: Option<u32>,
}

/// A face: a run of corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub(super) first: u32,
    pub(super) count: u32,
    /// Index into the parts.
    pub(super) part: u32,
    pub(super) smoothing: Smoothing,
}

/// A future mesh: the faces of one object or group with the same material.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub(super) name: String,
    /// None before the first `usemtl`.
    pub(super) material: Option<String>,
}

/// Contents of a file.
#[derive(Default)]
pub(super) struct ObjFile {
    pub(super) positions: Vec<Vec3>,
    /// Red, green and blue as written, one per position; empty if vertices have none.
    pub(super) colors: Vec<Vec3>,
    pub(super) texcoords: Vec<Vec2>,
    pub(super) normals: Vec<Vec3>,
    pub(super) corners: Vec<Corner>,
    pub(super) faces: Vec<Face>,
    pub(super) parts: Vec<Part>,
    /// Names of material files, with their lines.
    pub(super) libraries: Vec<(usize, String)>,
}

const KEYWORDS: [&str; 36] = [
    "v",
    "vt",
    "vn",
    "vp",
    "f",
    "fo",
    "l",
    "p",
    "o",
    "g",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "cstype",
    "deg",
    "bmat",
    "step",
    "curv",
    "curv2",
    "surf",
    "parm",
    "trim",
    "hole",
    "scrv",
    "sp",
    "end",
    "con",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
];

/// True if a word begins statements of the format.
pub(super) fn is_keyword(word: &[u8]) -> bool {
    KEYWORDS.iter().any(|known| known.as_bytes() == word)
}

/// Statements between two checks of the deadline.
const STEPS: u32 = 1 << 14;

/// Reads a file.
///
/// # Errors
/// [`ModelFormatError`] for a text that is not OBJ, and for exceeded limits.
pub(super) fn read(
    bytes: &[u8],
    options: &LoadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<ObjFile, ModelFormatError> {
    if let Some(found) = describe_foreign(bytes, "obj") {
        return Err(ModelFormatError::value(FilePlace::Line(1), "the file", found, "an OBJ file"));
    }
    let mut watch = options.deadline.watch("reading statements", STEPS);
    let mut reader = Reader::new(options);
    for statement in Statements::new(bytes) {
        watch.take(1)?;
        reader.statement(&statement)?;
    }
    reader.warn(warnings);
    Ok(reader.file)
}

/// State between statements.
struct Reader<'o> {
    file: ObjFile,
    options: &'o LoadOptions,
    by_name: BTreeMap<Part, u32>,
    object: String,
    group: String,
    material: Option<String>,
    smoothing: Smoothing,
    /// The part of the current names. None since one of them changed.
    part: Option<u32>,
    /// First line of each kind of statement that is not drawn, and of words outside the format.
    undrawn: BTreeMap<&'static str, (usize, usize)>,
    unknown: Option<(usize, String)>,
    /// Faults of each kind: their number, and the line and the message of the first.
    faults: BTreeMap<&'static str, (usize, Warning)>,
}

impl<'o> Reader<'o> {
    fn new(options: &'o LoadOptions) -> Self {
        Self {
            file: ObjFile::default(),
            options,
            by_name: BTreeMap::new(),
            object: String::new(),
            group: String::new(),
            material: None,
            smoothing: Smoothing::Unsaid,
            part: None,
            undrawn: BTreeMap::new(),
            unknown: None,
            faults: BTreeMap::new(),
        }
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), ModelFormatError> {
        match statement.word {
            b"v" => self.vertex(statement),
            b"vt" => {
                let cost = "0 is used";
                let numbers = self.reals(statement, 1, "a texture coordinate", cost);
                let numbers = numbers.unwrap_or_default();
                let [u, v] = [0, 1].map(|axis| numbers.get(axis).copied().unwrap_or_default());
                self.file.texcoords.push(Vec2::new(u, v));
            }
            b"vn" => {
                let numbers = self.reals(statement, 3, "a normal", "it is computed");
                let normal = numbers.map_or(Vec3::ZERO, |numbers| Vec3::from_slice(&numbers));
                self.file.normals.push(normal);
            }
            b"f" | b"fo" => self.face(statement)?,
            b"o" => {
                (self.object, self.part) = (statement.text(), None);
                self.group.clear();
            }
            b"g" => (self.group, self.part) = (statement.text(), None),
            b"usemtl" => (self.material, self.part) = (Some(statement.text()), None),
            b"mtllib" => {
                let name = statement.text().trim_matches('"').to_owned();
                self.file.libraries.push((statement.line, name));
            }
            b"s" => match smoothing(statement) {
                Ok(smoothing) => self.smoothing = smoothing,
                Err(error) => self.fault(FileRepair::WrongType, "smoothing", error, "skipped"),
            },
            b"l" | b"p" => {
                self.note(if statement.word == b"l" { "lines" } else { "points" }, statement)
            }
            b"curv" | b"curv2" | b"surf" => self.note("curves and surfaces", statement),
            word if is_keyword(word) => {}
            word => {
                let first = || (statement.line, quoted(word));
                self.unknown.get_or_insert_with(first);
            }
        }
        Ok(())
    }

    fn note(&mut self, what: &'static str, statement: &Statement) {
        self.undrawn.entry(what).or_insert((statement.line, 0)).1 += 1;
    }

    /// Notes a fault; faults of the same `kind` are counted together.
    fn fault(
        &mut self,
        fault: FileRepair,
        kind: &'static str,
        error: ModelFormatError,
        cost: &str,
    ) {
        let told = || {
            let ModelFormatError::Value { at, what, found, expected } = error else {
                return fault.told(error.to_string());
            };
            let line = match at {
                FilePlace::Line(line) => line,
                FilePlace::Byte(_) => 0,
            };
            fault.at(line, format!("{what}: found {found}; expected {expected}; {cost}"))
        };
        self.faults.entry(kind).or_insert_with(|| (0, told())).0 += 1;
    }

    /// The numbers of all arguments. None, with a warning, if there are fewer than `least` or they
    /// are invalid; only the first ones if later ones are invalid.
    fn reals(
        &mut self,
        statement: &Statement,
        least: usize,
        what: &'static str,
        cost: &str,
    ) -> Option<Vec<f32>> {
        let error = match statement.reals(least, what) {
            Ok(numbers) => return Some(numbers),
            Err(error) => error,
        };
        // Faults after x, y and z, or u and v, cost only those values.
        let needed = least.max(2);
        let words = statement.words().take(needed);
        let kept: Option<Vec<f32>> = words.map(|word| statement.real(word, what).ok()).collect();
        let kept = kept.filter(|kept| kept.len() == needed);
        match kept {
            Some(_) => {
                self.fault(FileRepair::NotFinite, "further", error, "the extra numbers are ignored")
            }
            None => self.fault(FileRepair::NotFinite, what, error, cost),
        }
        kept
    }

    fn vertex(&mut self, statement: &Statement) {
        let numbers = self.reals(statement, 3, "a vertex", "faces that use it are skipped");
        // The indices of the following vertices stay.
        let numbers = numbers.unwrap_or_else(|| vec![f32::NAN; 3]);
        self.file.positions.push(Vec3::from_slice(&numbers));
        // x y z r g b, or x y z w r g b; a fourth number alone is a weight of curves.
        let color = match numbers.len() {
            6 => numbers.get(3..6),
            7.. => numbers.get(4..7),
            _ => None,
        };
        if color.is_some() || !self.file.colors.is_empty() {
            let before = self.file.positions.len() - 1;
            self.file.colors.resize(before, Vec3::ONE);
            self.file.colors.push(color.map_or(Vec3::ONE, Vec3::from_slice));
        }
    }

    fn face(&mut self, statement: &Statement) -> Result<(), ModelFormatError> {
        let first = self.file.corners.len();
        for word in statement.words() {
            match self.corner(statement, word) {
                Ok(corner) => self.file.corners.push(corner),
                Err(error) => {
                    self.file.corners.truncate(first);
                    self.fault(FileRepair::BadReference, "corner", error, "the face is skipped");
                    return Ok(());
                }
            }
        }
        let count = self.file.corners.len() - first;
        if count < 3 {
            self.file.corners.truncate(first);
            let found = format!("{count} corners");
            let error = ModelFormatError::value(statement.at(), "a face", found, "at least 3");
            self.fault(FileRepair::FewCorners, "face", error, "skipped");
            return Ok(());
        }
        let part = self.part(statement)?;
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        self.file.faces.push(Face {
            first: number(first),
            count: number(count),
            part,
            smoothing: self.smoothing,
        });
        Ok(())
    }

    /// The part of the names in force.
    fn part(&mut self, statement: &Statement) -> Result<u32, ModelFormatError> {
        if let Some(part) = self.part {
            return Ok(part);
        }
        let name = if self.group.is_empty() { &self.object } else { &self.group };
        let part = Part { name: name.clone(), material: self.material.clone() };
        let next = u32::try_from(self.file.parts.len()).unwrap_or(u32::MAX);
        let number = *self.by_name.entry(part.clone()).or_insert(next);
        if number == next {
            check_meshes(self.file.parts.len() + 1, statement.at(), self.options)?;
            self.file.parts.push(part);
        }
        self.part = Some(number);
        Ok(number)
    }

    fn corner(&mut self, statement: &Statement, word: &[u8]) -> Result<Corner, ModelFormatError> {
        let mut fields = word.split(|&byte| byte == b'/');
        let mut index = |what: &str, count: usize| {
            let field = fields.next().unwrap_or_default();
            if field.is_empty() {
                return Ok(None);
            }
            resolve(field, count).map(Some).ok_or_else(|| {
                let expected = match count {
                    0 => format!("none, as there is no {what} before this line"),
                    _ => format!("1 to {count}, or -{count} to -1"),
                };
                ModelFormatError::value(
                    statement.at(),
                    format!("the {what} of a corner"),
                    quoted(word),
                    expected,
                )
            })
        };
        let position = index("vertex", self.file.positions.len())?;
        let texcoord = index("texture coordinate", self.file.texcoords.len());
        let normal = index("normal", self.file.normals.len());
        let texcoord = texcoord.unwrap_or_else(|error| {
            self.fault(FileRepair::BadReference, "texcoord", error, "the corner has none");
            None
        });
        let normal = normal.unwrap_or_else(|error| {
            self.fault(FileRepair::BadReference, "normal", error, "it is computed");
            None
        });
        let is_given = |normal: &u32| {
            self.file.normals.get(*normal as usize).is_some_and(|normal| *normal != Vec3::ZERO)
        };
        let normal = normal.filter(is_given);
        let is_lost = |position: u32| {
            self.file.positions.get(position as usize).is_some_and(|position| position.is_nan())
        };
        if position.is_some_and(is_lost) {
            let found = format!("{}, which has no numbers", quoted(word));
            return Err(ModelFormatError::value(
                statement.at(),
                "the vertex of a corner",
                found,
                "a vertex",
            ));
        }
        let Some(position) = position else {
            let found = quoted(word);
            return Err(ModelFormatError::value(statement.at(), "a corner", found, "a vertex"));
        };
        Ok(Corner { position, texcoord, normal })
    }

    fn warn(&self, warnings: &mut Vec<Warning>) {
        for (what, (line, count)) in &self.undrawn {
            let statements = tintype_base::amount::counted(*count, "statement");
            let message = format!("{what} are not drawn ({statements})");
            warnings.push(FileRepair::NotDrawn.at(*line, message));
        }
        if let Some((line, word)) = &self.unknown {
            let message = format!("{word} is not an OBJ statement; skipped");
            warnings.push(FileRepair::UnknownPart.at(*line, message));
        }
        for (count, first) in self.faults.values() {
            let mut warning = first.clone();
            if *count > 1 {
                warning.message.push_str(&format!(" ({count} times; this is the first)"));
            }
            warnings.push(warning);
        }
        warnings.sort_by_key(|warning| warning.line);
    }
}

/// An index from 1, or from the end below 0, as an index from 0 below `count`.
fn resolve(field: &[u8], count: usize) -> Option<u32> {
    let number: i64 = std::str::from_utf8(field).ok()?.parse().ok()?;
    let count = i64::try_from(count).ok()?;
    let index = if number < 0 { count.checked_add(number)? } else { number - 1 };
    u32::try_from(index).ok().filter(|_| index < count)
}

fn smoothing(statement: &Statement) -> Result<Smoothing, ModelFormatError> {
    let word = statement.words().next().unwrap_or(b"off");
    if word.eq_ignore_ascii_case(b"off") || word == b"0" {
        return Ok(Smoothing::Off);
    }
    if word.eq_ignore_ascii_case(b"on") {
        return Ok(Smoothing::Group(1));
    }
    let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<i64>().ok());
    let number = number.and_then(|number| u32::try_from(number).ok());
    number.map(Smoothing::Group).ok_or_else(|| {
        let expected = "off, or the number of a group";
        ModelFormatError::value(statement.at(), "a smoothing group", quoted(word), expected)
    })
}
