//! `[[model]]`: the model files of a scene and their clips.

use super::error::quoted;
use super::reader::{Item, Names, Table};
use super::words::FileAxis;
use tintype_base::suggest::nearest_word;
use tintype_model::math::Vec3;
use tintype_model::{ClipRange, RangeUnit};

/// A clip of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipEntry {
    /// Name; by default the name of the file without folder and extension, or the name of the clip
    /// in its file.
    pub name: String,
    /// The clip that it is, or that it is a part of.
    pub source: ClipSource,
    /// The part. None for the whole clip.
    pub part: Option<ClipRange>,
}

/// The whole clip of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClipSource {
    /// A clip of a file.
    File {
        /// File, relative to the scene.
        file: String,
        /// Clip of that file; by default the first.
        set: Option<SetChoice>,
    },
    /// A clip of the model file; by default the first.
    Own(Option<SetChoice>),
    /// The clip of the entry at this index, which has a file.
    Entry(usize),
}

/// Choice of a clip in a file.
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
    /// True if the scene names no clips, so that those of the model's file are used.
    pub has_own_clips: bool,
    /// Ticks per second, overriding those of a file with ticks.
    pub ticks_per_second: Option<f64>,
    /// Palette file for skins, relative to the scene, overriding the game's.
    pub palette: Option<String>,
    /// Scene of the file, for files with several.
    pub file_scene: Option<SetChoice>,
    /// True if vertices at one position keep separate normals.
    pub keeps_splits: bool,
    /// Axis of the file that points up, if it differs from the format's.
    pub up: Option<FileAxis>,
    /// Axis of the file that the character faces along, if it differs from the format's.
    pub front: Option<FileAxis>,
}

/// Reads all `[[model]]` tables; reports if there is none.
///
/// A table with a wrong file still makes an entry, so that the instances of that model are checked
/// too.
pub(super) fn read(root: &Table<'_>) -> Vec<ModelEntry> {
    const EXPECTED: &str = "at least one [[model]] table with a file";
    let Some(item) = root.required("model", EXPECTED) else { return Vec::new() };
    if item.is_empty_array() {
        item.wrong_type::<()>(EXPECTED);
    }
    let tables = root.tables("model");
    let mut names = Names::new("model");
    tables.iter().map(|table| read_one(table, &mut names)).collect()
}

fn read_one(table: &Table<'_>, names: &mut Names) -> ModelEntry {
    const FILE: [&str; 2] = ["the path of a model, relative to the scene", "the path of a model"];
    const SPLITS: [(&str, bool); 2] = [("weld", false), ("keep", true)];
    let file = table.required_text("file", FILE);
    let name = read_name(table, file.as_deref().map(file_stem), names);
    let [up, front] =
        ["up", "front"].map(|key| table.get(key, |item| item.word("axis", FileAxis::WORDS)));
    if let (Some(up), Some(front)) = (up, front)
        && up.vector().cross(front.vector()) == Vec3::ZERO
        && let Some(item) = table.item("front")
    {
        let message = format!("front {:?} is parallel to up {:?}", front.word(), up.word());
        item.invalid::<()>(message, "front and up must be at right angles");
    }
    let file = file.unwrap_or_default();
    // An MD5 mesh contains no clips, so the clips of its instances are checked here, with their
    // lines.
    let is_mesh_alone = file.to_ascii_lowercase().ends_with(".md5mesh");
    let clips = table.item("clips");
    ModelEntry {
        name,
        has_own_clips: clips.is_none() && !is_mesh_alone,
        clips: clips.map_or_else(Vec::new, |item| read_clips(&item, is_mesh_alone)),
        ticks_per_second: table.get("ticks_per_second", Item::number),
        palette: table.text("palette", "the path of a palette"),
        file_scene: table
            .get("scene", |item| set_choice(item, "the name or the index of a scene of the file")),
        keeps_splits: table.get("splits", |item| item.word("splits", &SPLITS)) == Some(true),
        file,
        up,
        front,
    }
}

/// Reads the clips of a model; parts may name later clips of the list.
fn read_clips(item: &Item<'_>, is_mesh_alone: bool) -> Vec<ClipEntry> {
    const EXPECTED: [&str; 2] = [
        "an array of { name, file, set } and { name, of, keys }",
        "{ name, file, set } or { name, of, keys }",
    ];
    let mut names = Names::new("clip");
    let tables = item.tables(EXPECTED).unwrap_or_default();
    let mut clips: Vec<ClipEntry> =
        tables.iter().map(|table| read_entry(table, &mut names)).collect();
    // Parts refer to clips by name: first those of other files in this list, then those of the
    // model file.
    let whole: Vec<Option<String>> = clips
        .iter()
        .map(|clip| matches!(clip.source, ClipSource::File { .. }).then(|| clip.name.clone()))
        .collect();
    for (table, clip) in tables.iter().zip(&mut clips) {
        let ClipSource::Own(choice) = &clip.source else { continue };
        let named = match choice {
            Some(SetChoice::Name(name)) => {
                whole.iter().position(|whole| whole.as_ref() == Some(name))
            }
            _ => None,
        };
        if let Some(index) = named {
            clip.source = ClipSource::Entry(index);
        } else if is_mesh_alone {
            report_no_clip(table, choice.as_ref(), &whole);
        }
    }
    clips
}

/// Reports a part of a clip for an MD5 mesh, which has no clips.
fn report_no_clip(table: &Table<'_>, choice: Option<&SetChoice>, whole: &[Option<String>]) {
    let has = whole.iter().flatten().map(String::as_str);
    let Some(item) = table.item("of") else {
        let _ = table.required("of", "the name of a clip with a file, as an MD5 mesh has no clips");
        return;
    };
    let (found, nearest) = match choice {
        Some(SetChoice::Name(name)) => (quoted(name), nearest_word(name, has.clone())),
        _ => (item.describe(), None),
    };
    item.unknown::<()>(["clip", "the model"], found, has, nearest);
}

fn read_entry(table: &Table<'_>, names: &mut Names) -> ClipEntry {
    let part = read_part(table);
    let is_part = table.has("of") || ["keys", "seconds", "ticks"].iter().any(|key| table.has(key));
    if is_part && !table.has("file") {
        table.refuse("set", "of", "file");
        let of = table.get("of", |item| set_choice(item, OF_CLIP));
        let fallback = match &of {
            Some(SetChoice::Name(name)) if part.is_none() => Some(name.as_str()),
            _ => None,
        };
        if fallback.is_none() {
            let _ = table.required("name", "the name of the part");
        }
        let name = read_name(table, fallback, names);
        return ClipEntry { name, source: ClipSource::Own(of), part };
    }
    table.refuse("of", "file", "keys, seconds or ticks of a clip that has a name");
    let expected = ["the path of a clip, relative to the scene", "the path of a clip"];
    let file = table.required_text("file", expected);
    let set = table.get("set", |item| set_choice(item, OF_CLIP));
    let fallback = match &set {
        Some(SetChoice::Name(name)) => Some(name.as_str()),
        _ => file.as_deref().map(file_stem),
    };
    let name = read_name(table, fallback, names);
    let source = ClipSource::File { file: file.unwrap_or_default(), set };
    ClipEntry { name, source, part }
}

/// Reads `keys`, `seconds` or `ticks`; at most one may be present.
fn read_part(table: &Table<'_>) -> Option<ClipRange> {
    let units = [
        ("keys", RangeUnit::Keys, "the keys of the part, such as \"168-187\""),
        ("seconds", RangeUnit::Seconds, "the seconds of the part, such as \"1.5-2.5\""),
        ("ticks", RangeUnit::Ticks, "the ticks of the part, such as \"800-1600\""),
    ];
    let mut found: Option<(&str, Option<ClipRange>)> = None;
    for (key, unit, expected) in units {
        let Some(item) = table.item(key) else { continue };
        if let Some((other, _)) = found {
            table.refuse(key, other, "a part without another range");
            continue;
        }
        let range = item.filled_text(expected).and_then(|text| {
            let range = ClipRange::parse(text, Some(unit));
            range.map_or_else(
                |error| item.invalid(error.to_string(), format!("expected {expected}")),
                Some,
            )
        });
        found = Some((key, range));
    }
    found.and_then(|(_, range)| range)
}

/// Reads the name of a table, or uses the fallback; a duplicate is reported.
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

/// The accepted choices of a clip of a file.
const OF_CLIP: &str = "the name or the index of a clip in the file";

/// Reads the choice of a part of a file: a name, or an index from 0.
pub(super) fn set_choice(item: &Item<'_>, expected: &'static str) -> Option<SetChoice> {
    if !item.is_whole_number() {
        return item.filled_text(expected).map(|name| SetChoice::Name(name.to_owned()));
    }
    let index = item.whole_within(0..=usize::MAX, expected, "an index must be 0 or more");
    index.map(SetChoice::Index)
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
