//! `[[model]]`: the model files of a scene and their clips.

use super::error::Problem;
use super::reader::{Item, Names, Table};
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
    /// Its name; the file's name without folder and extension unless the scene gives one.
    pub name: String,
    /// Its file, relative to the scene.
    pub file: String,
}

/// A model of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelEntry {
    /// Its name; the file's name without folder and extension unless the scene gives one.
    pub name: String,
    /// Its file, relative to the scene.
    pub file: String,
    /// Its clips in the order of the text; names are unique within the model.
    pub clips: Vec<ClipEntry>,
    /// Which axis of the file points up, where the format's own rule is wrong.
    pub up: Option<FileAxis>,
    /// Which axis of the file the character looks along, where the format's own rule is wrong.
    pub front: Option<FileAxis>,
}

/// Reads all `[[model]]` tables; notes if there is none.
///
/// A table whose file cannot be read still gives an entry, so that the instances of that model are checked too.
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
    table.unsupported(
        "ticks_per_second",
        "model.ticks_per_second",
        "only .x files have ticks, and they are not read",
    );
    let file = table
        .required("file", "the path of a model, relative to the scene")
        .and_then(|item| item.filled_text("the path of a model"));
    let name = read_name(table, file, names);
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
    let clips = table.item("clips").map_or_else(Vec::new, |item| read_clips(&item));
    ModelEntry { name, file: file.unwrap_or_default().to_owned(), clips, up, front }
}

fn read_clips(item: &Item<'_>) -> Vec<ClipEntry> {
    const EXPECTED: &str = "an array of { name, file }";
    let mut names = Names::new("clip");
    let elements = item.array(EXPECTED).unwrap_or_default();
    let tables = elements.iter().filter_map(|item| item.table("{ name, file }", &["name", "file"]));
    tables
        .map(|table| {
            let file = table
                .required("file", "the path of a clip, relative to the scene")
                .and_then(|item| item.filled_text("the path of a clip"));
            let name = read_name(&table, file, &mut names);
            ClipEntry { name, file: file.unwrap_or_default().to_owned() }
        })
        .collect()
}

/// The name of a table that has a `file`, or the file's own name; a name that is taken is noted.
fn read_name(table: &Table<'_>, file: Option<&str>, names: &mut Names) -> String {
    let name = match table.item("name") {
        Some(item) => item.filled_text("a name"),
        None => file.map(file_stem),
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
