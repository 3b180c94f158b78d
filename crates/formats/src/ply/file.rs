//! Mirror of a file: vertices and faces, whatever their encoding.

use super::data::Data;
use super::header::{self, Element};
use crate::corner_mesh::{check_corners, linear};
use crate::told::Told;
use crate::{FilePlace, LoadOptions, ModelFormatError};
use tintype_base::deadline::Watch;
use tintype_model::FileRepair;
use tintype_model::math::{Vec2, Vec3, Vec4};

/// Records between two checks of the deadline.
const STEPS: u32 = 1 << 14;

/// A face: a run of corners.
pub(super) struct Face {
    pub(super) first: usize,
    pub(super) count: usize,
    /// Linear.
    pub(super) color: Option<Vec4>,
    /// The number of its texture.
    pub(super) texture: usize,
    /// True if its corners have separate texture coordinates.
    pub(super) has_wedges: bool,
}

/// Contents of a file; lists of vertices are empty, or have an entry for each.
#[derive(Default)]
pub(super) struct PlyFile {
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) texcoords: Vec<Vec2>,
    pub(super) colors: Vec<Vec4>,
    /// Vertices of the corners of all faces.
    pub(super) corners: Vec<u32>,
    /// Texture coordinates of corners; shorter than `corners` if the last ones have none.
    pub(super) wedges: Vec<Vec2>,
    pub(super) faces: Vec<Face>,
    pub(super) textures: Vec<String>,
}

/// Names of the properties of a vertex, in the order of its numbers: position, normal, texture
/// coordinates, colour.
const OF_VERTEX: [&[&str]; 12] = [
    &["x"],
    &["y"],
    &["z"],
    &["nx", "normal_x"],
    &["ny", "normal_y"],
    &["nz", "normal_z"],
    &["s", "u", "texture_u", "tx"],
    &["t", "v", "texture_v", "ty"],
    RED,
    GREEN,
    BLUE,
    ALPHA,
];
/// Names of the properties of a face: vertices, texture coordinates of its corners, texture.
const OF_FACE: [&[&str]; 3] =
    [&["vertex_indices", "vertex_index", "vertexindex"], &["texcoord"], &["texnumber", "texture"]];
const RED: &[&str] = &["red", "r", "diffuse_red"];
const GREEN: &[&str] = &["green", "g", "diffuse_green"];
const BLUE: &[&str] = &["blue", "b", "diffuse_blue"];
const ALPHA: &[&str] = &["alpha", "a", "diffuse_alpha"];

/// Reads a file.
///
/// # Errors
/// [`ModelFormatError`] for an invalid header, for a file without faces, and for limits.
pub(super) fn read(
    bytes: &[u8],
    told: &mut Told,
    options: &LoadOptions,
) -> Result<PlyFile, ModelFormatError> {
    let header = header::read(bytes)?;
    let declared = |names: &[&str]| {
        let own = header.elements.iter().filter(|element| names.contains(&element.name.as_str()));
        own.map(|element| element.count).fold(0, usize::saturating_add)
    };
    let points = declared(&["vertex"]);
    let nothing = |found: String, cloud: &str| {
        let expected = format!("faces or strips of triangles{cloud}");
        let at = FilePlace::Line(header.line - 1);
        Err(ModelFormatError::value(at, "the surface", found, expected))
    };
    if declared(&["face", "tristrips"]) == 0 {
        let cloud = if points > 0 { "; a point cloud has no surface to draw" } else { "" };
        return nothing(format!("{points} vertices and no faces"), cloud);
    }
    let mut reader = Reader {
        file: PlyFile { textures: header.textures.clone(), ..PlyFile::default() },
        data: Data::new(bytes, &header),
        told,
        watch: options.deadline.watch("reading records", STEPS),
    };
    for element in header.elements.iter().filter(|element| !element.properties.is_empty()) {
        let is_whole = match element.name.as_str() {
            "vertex" => reader.vertices(element)?,
            "face" => reader.faces(element, false)?,
            "tristrips" => reader.faces(element, true)?,
            name => {
                let (at, found) = (reader.data.place(), || format!("element {name:?}"));
                reader.told.note_with(FileRepair::NotDrawn, at, "such parts are not drawn", found);
                reader.records(element, &(), |(), _, _| {}, |_, (), _| {})?
            }
        };
        check_corners(reader.file.corners.len(), reader.data.place(), options)?;
        if !is_whole {
            break;
        }
    }
    let Reader { file, mut data, told, .. } = reader;
    if data.has_more() {
        told.note(FileRepair::Leftover, data.place(), "data after the last record is ignored");
    }
    if file.faces.is_empty() {
        let found = format!("{} vertices and no face that can be drawn", file.positions.len());
        return nothing(found, "");
    }
    Ok(file)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the nearest f32; too large a number is infinite"
)]
fn real(number: f64) -> f32 {
    number as f32
}

/// Converts to the nearest integer; 0 for NaN.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
fn whole(number: f64) -> u32 {
    number as u32
}

/// Properties with one of these names, and for each the number that means full intensity of a
/// colour.
fn properties<const N: usize>(
    element: &Element,
    names: [&[&str]; N],
) -> ([Option<usize>; N], [f32; N]) {
    let found = names.map(|names| element.find(names));
    let all = found.map(|property| {
        let property = property.and_then(|property| element.properties.get(property));
        property.map_or(1.0, |property| real(property.kind.whole()))
    });
    (found, all)
}

/// The numbers of a face.
#[derive(Clone, Default)]
struct Record {
    corners: Vec<f64>,
    wedges: Vec<f32>,
    color: [f32; 4],
    texture: f64,
}

/// Reader of the records of elements.
struct Reader<'r, 'b> {
    file: PlyFile,
    data: Data<'b>,
    told: &'r mut Told,
    watch: Watch,
}

impl Reader<'_, '_> {
    /// Reads the records of an element, each starting from `empty`: `take` gets the numbers of a
    /// property, and `finish` is called after each record. False if the file ends before the last
    /// one.
    fn records<S: Clone>(
        &mut self,
        element: &Element,
        empty: &S,
        take: impl Fn(&mut S, usize, f64),
        finish: impl Fn(&mut Self, S, FilePlace),
    ) -> Result<bool, ModelFormatError> {
        for number in 0..element.count {
            self.watch.step()?;
            let (at, mut record) = (self.data.place(), empty.clone());
            let mut own = |property: usize, value: f64| take(&mut record, property, value);
            if self.data.record(element, self.told, &mut own).is_none() {
                let what = "the file ends here; the data before it is read";
                let found = || format!("{} {number} of {}", element.name, element.count);
                self.told.note_with(FileRepair::Truncated, at, what, found);
                return Ok(false);
            }
            finish(self, record, at);
        }
        Ok(true)
    }

    fn vertices(&mut self, element: &Element) -> Result<bool, ModelFormatError> {
        let (slots, all) = properties(element, OF_VERTEX);
        let has = |slot: usize| slots.get(slot).copied().flatten().is_some();
        let [has_normals, has_texcoords, has_colors] = [has(3), has(6), has(8)];
        let mut usual = [0.0; 12];
        usual[8..].copy_from_slice(&all[8..]);
        let take = |numbers: &mut [f32; 12], property: usize, value: f64| {
            if let Some(slot) = slots.iter().position(|own| *own == Some(property)) {
                numbers[slot] = real(value);
            }
        };
        self.records(element, &usual, take, |reader, mut numbers, at| {
            let file = &mut reader.file;
            // Numbers of the following vertices stay.
            let position = Vec3::from_slice(&numbers);
            file.positions.push(if position.is_finite() { position } else { Vec3::NAN });
            if !position.is_finite() {
                reader.told.note(
                    FileRepair::NotFinite,
                    at,
                    "a vertex is not finite; its faces are skipped",
                );
            }
            for (number, usual) in numbers.iter_mut().zip(&usual).skip(3) {
                if !number.is_finite() {
                    *number = *usual;
                    let what =
                        "a normal, texture coordinate or colour is not finite; the default is used";
                    reader.told.note(FileRepair::NotFinite, at, what);
                }
            }
            let [_, _, _, x, y, z, u, v, r, g, b, a] = numbers;
            file.normals.extend(has_normals.then(|| Vec3::new(x, y, z)));
            file.texcoords.extend(has_texcoords.then(|| Vec2::new(u, v)));
            let color = [r / all[8], g / all[9], b / all[10], a / all[11]];
            file.colors.extend(has_colors.then(|| linear(color)));
        })
    }

    /// Faces, or strips of triangles.
    fn faces(&mut self, element: &Element, is_strip: bool) -> Result<bool, ModelFormatError> {
        let ([indices, wedges, texture], _) = properties(element, OF_FACE);
        let (colors, all) = properties(element, [RED, GREEN, BLUE, ALPHA]);
        let has_colors = colors[..3].iter().all(Option::is_some);
        let take = |record: &mut Record, property: usize, value: f64| {
            let property = Some(property);
            if property == indices {
                record.corners.push(value);
            } else if property == wedges {
                record.wedges.push(real(value));
            } else if property == texture {
                record.texture = value;
            } else if let Some(channel) = colors.iter().position(|own| *own == property) {
                record.color[channel] = real(value);
            }
        };
        let empty = Record { color: all, ..Record::default() };
        self.records(element, &empty, take, |reader, record, at| {
            let [r, g, b, a] = record.color;
            let color = [r / all[0], g / all[1], b / all[2], a / all[3]];
            let color = has_colors.then(|| linear(color));
            if is_strip {
                reader.strips(&record, color, at);
            } else {
                reader.face(&record, color, at);
            }
        })
    }

    /// Triangle strips: every second one is reversed, and -1 begins another strip.
    fn strips(&mut self, record: &Record, color: Option<Vec4>, at: FilePlace) {
        for strip in record.corners.split(|corner| *corner < 0.0) {
            for (number, triangle) in strip.windows(3).enumerate() {
                let &[a, b, c] = triangle else { continue };
                let corners = if number % 2 == 0 { vec![a, b, c] } else { vec![b, a, c] };
                // Strips are joined by triangles without an area.
                if a != b && b != c && c != a {
                    self.face(&Record { corners, ..Record::default() }, color, at);
                }
            }
        }
    }

    /// Adds a face; one with missing vertices is skipped.
    fn face(&mut self, record: &Record, color: Option<Vec4>, at: FilePlace) {
        let Self { file, told, .. } = self;
        let known = |corner: &f64| {
            let vertex = whole(*corner);
            let position = file.positions.get(vertex as usize).filter(|_| *corner >= 0.0);
            position.filter(|position| position.is_finite()).map(|_| vertex)
        };
        let Some(corners) = record.corners.iter().map(known).collect::<Option<Vec<u32>>>() else {
            let what = "a face refers to a missing vertex; skipped";
            let found = || format!("vertices {:?}", record.corners);
            return told.note_with(FileRepair::BadReference, at, what, found);
        };
        let (first, count) = (file.corners.len(), corners.len());
        if count < 3 {
            let what = "a face has fewer than 3 corners; skipped";
            return told.note(FileRepair::FewCorners, at, what);
        }
        file.corners.extend(corners);
        let has_wedges = record.wedges.len() == 2 * count
            && record.wedges.iter().all(|number| number.is_finite());
        if has_wedges {
            file.wedges.resize(first, Vec2::ZERO);
            file.wedges.extend(record.wedges.chunks_exact(2).map(Vec2::from_slice));
        } else if !record.wedges.is_empty() {
            let what =
                "texture coordinates of a face do not match its corners; the vertices' are used";
            told.note(FileRepair::WrongShape, at, what);
        }
        let texture = whole(record.texture) as usize;
        file.faces.push(Face { first, count, color, texture, has_wedges });
    }
}
