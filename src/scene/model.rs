//! `[[model]]`: the model files of a scene and their clips.

use super::error::Problem;
use super::reader::{Bounds, Item, Names, Table};
use crate::math::Vec3;

/// A direction along an axis of a model's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileAxis {
    /// Towards larger x.
    PlusX,
    /// Towards smaller x.
    MinusX,
    /// Towards larger y.
    PlusY,
    /// Towards smaller y.
    MinusY,
    /// Towards larger z.
    PlusZ,
    /// Towards smaller z.
    MinusZ,
}

impl FileAxis {
    /// All axes.
    pub const ALL: [Self; 6] =
        [Self::PlusX, Self::MinusX, Self::PlusY, Self::MinusY, Self::PlusZ, Self::MinusZ];

    const WORDS: [(&'static str, Self); 6] = [
        ("x", Self::PlusX),
        ("-x", Self::MinusX),
        ("y", Self::PlusY),
        ("-y", Self::MinusY),
        ("z", Self::PlusZ),
        ("-z", Self::MinusZ),
    ];

    /// The unit vector, in the axes of the file.
    #[must_use]
    pub fn vector(self) -> Vec3 {
        match self {
            Self::PlusX => Vec3::X,
            Self::MinusX => Vec3::NEG_X,
            Self::PlusY => Vec3::Y,
            Self::MinusY => Vec3::NEG_Y,
            Self::PlusZ => Vec3::Z,
            Self::MinusZ => Vec3::NEG_Z,
        }
    }

    /// The word that a scene uses for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, axis)| *axis == self).map_or("", |(word, _)| word)
    }
}

/// A clip of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClipEntry {
    /// Name; by default the name of the file without folder and extension.
    pub name: String,
    /// File, relative to the scene.
    pub file: String,
    /// Clip of that file; by default the first.
    pub set: Option<SetChoice>,
}

/// Choice of a clip among those of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetChoice {
    /// The clip of that name.
    Name(String),
    /// The clip at that index, from 0.
    Index(usize),
}

/// A model of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelEntry {
    /// Name; by default the name of the file without folder and extension.
    pub name: String,
    /// File, relative to the scene.
    pub file: String,
    /// Clips in the order of the text; names are unique within the model.
    pub clips: Vec<ClipEntry>,
    /// Whether the scene names no clips, so that those of the model's file are used.
    pub has_own_clips: bool,
    /// Ticks per second in place of those of the file, for files with ticks.
    pub ticks_per_second: Option<f64>,
    /// Axis of the file that points up, if it is not that of the format.
    pub up: Option<FileAxis>,
    /// Axis of the file that the character faces along, if it is not that of the format.
    pub front: Option<FileAxis>,
}

/// Ticks per second.
const TICKS: Bounds = Bounds::Above(0.0, 1e9);

/// Reads all `[[model]]` tables; reports if there is none.
///
/// A table with a wrong file still gives an entry, so that the instances of that model are checked too.
pub(super) fn read(root: &Table<'_>) -> Vec<ModelEntry> {
    const KEYS: [&str; 6] = ["name", "file", "clips", "up", "front", "ticks_per_second"];
    const EXPECTED: &str = "at least one [[model]] table with a file";
    let Some(item) = root.required("model", EXPECTED) else { return Vec::new() };
    if item.is_empty_array() {
        item.wrong_type::<()>(EXPECTED);
    }
    let tables = root.tables("model", &KEYS);
    let mut names = Names::new("model");
    tables.iter().map(|table| read_one(table, &mut names)).collect()
}

fn read_one(table: &Table<'_>, names: &mut Names) -> ModelEntry {
    let file = table
        .required("file", "the path of a model, relative to the scene")
        .and_then(|item| item.filled_text("the path of a model"));
    let name = read_name(table, file.map(file_stem), names);
    let axis =
        |key: &'static str| table.item(key).and_then(|item| item.word("axis", &FileAxis::WORDS));
    let (up, front) = (axis("up"), axis("front"));
    if let (Some(up), Some(front)) = (up, front)
        && up.vector().cross(front.vector()) == Vec3::ZERO
        && let Some(item) = table.item("front")
    {
        item.report(Problem::Invalid {
            message: format!("front {:?} lies along up {:?}", front.word(), up.word()),
            allowed: "they are at right angles".to_owned(),
        });
    }
    let ticks = table.item("ticks_per_second");
    let file = file.unwrap_or_default().to_owned();
    // An MD5 mesh has no clips: the clips of its instances are checked here, with their lines.
    let is_mesh_alone = file.to_ascii_lowercase().ends_with(".md5mesh");
    let clips = table.item("clips");
    ModelEntry {
        name,
        has_own_clips: clips.is_none() && !is_mesh_alone,
        clips: clips.map_or_else(Vec::new, |item| read_clips(&item)),
        ticks_per_second: ticks.and_then(|item| item.number(TICKS)),
        file,
        up,
        front,
    }
}

fn read_clips(item: &Item<'_>) -> Vec<ClipEntry> {
    const EXPECTED: &str = "an array of { name, file, set }";
    let mut names = Names::new("clip");
    let elements = item.array(EXPECTED).unwrap_or_default();
    let tables = elements
        .iter()
        .filter_map(|item| item.table("{ name, file, set }", &["name", "file", "set"]));
    tables
        .map(|table| {
            let file = table
                .required("file", "the path of a clip, relative to the scene")
                .and_then(|item| item.filled_text("the path of a clip"));
            let set = table.item("set").and_then(|item| read_set(&item));
            let fallback = match &set {
                Some(SetChoice::Name(name)) => Some(name.as_str()),
                _ => file.map(file_stem),
            };
            let name = read_name(&table, fallback, &mut names);
            ClipEntry { name, file: file.unwrap_or_default().to_owned(), set }
        })
        .collect()
}

/// Reads the choice of a clip of a file: a name, or an index from 0.
fn read_set(item: &Item<'_>) -> Option<SetChoice> {
    const EXPECTED: &str = "the name or the index of a clip in the file";
    if !item.is_whole_number() {
        return item.filled_text(EXPECTED).map(|name| SetChoice::Name(name.to_owned()));
    }
    let number = item.whole_number(EXPECTED)?;
    let index = usize::try_from(number).ok();
    index.map(SetChoice::Index).or_else(|| {
        let allowed = "an index is 0 or more".to_owned();
        item.report(Problem::OutOfRange { found: number.to_string(), allowed });
        None
    })
}

/// Reads the name of a table, or takes the fallback; a duplicate is reported.
fn read_name(table: &Table<'_>, fallback: Option<&str>, names: &mut Names) -> String {
    let name = match table.item("name") {
        Some(item) => item.filled_text("a name"),
        None => fallback,
    };
    if let Some(name) = name {
        names.add(name, table, "name");
    }
    name.unwrap_or_default().to_owned()
}

/// A path without its folders and its extension.
fn file_stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_stem_drops_folders_and_the_extension() {
        for (path, stem) in [
            ("imp.md5mesh", "imp"),
            ("assets/imp.v2.md5mesh", "imp.v2"),
            (r"D:\models\imp.md5mesh", "imp"),
            ("a.b/imp", "imp"),
            (".hidden", ".hidden"),
        ] {
            assert_eq!(file_stem(path), stem);
        }
    }
}
