//! Writes what follows from the declared settings into the files that are committed: types of
//! Python and JavaScript, docs of Python, the list of options of JavaScript, and the tables of the
//! pages.
//!
//! `cargo run --release --example settings` after a change of a row of
//! `crates/scene/src/setting/declared.rs`. A part between two marks of a file is replaced, whole
//! files are rewritten. A test finds files that do not follow the declaration.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};
use tintype_scene::setting::{Group, Shape, Usual, settings_of};
use tintype_scene::{Door, SETTINGS, Setting};

/// Settings that contact sheets do not have, and those with another default, which are described by
/// hand.
const NOT_OF_SHEETS: [&str; 9] = [
    "clip",
    "fps",
    "aov",
    "channels",
    "channels_as",
    "size",
    "directions",
    "turn_deg",
    "elevation_deg",
];
/// Settings that a picture of one time does not have, such as `Model.render` of Python.
const NOT_OF_STILLS: [&str; 8] =
    ["clip", "time_s", "fps", "turn_deg", "directions", "aov", "channels", "channels_as"];

#[allow(dead_code, clippy::print_stdout, reason = "a program, which a test has as a module too")]
fn main() -> io::Result<()> {
    for (path, text) in generated(Path::new("."))? {
        if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            fs::write(&path, text)?;
            println!("{}", path.display());
        }
    }
    Ok(())
}

/// The files with their texts as the declaration wants them.
pub(crate) fn generated(root: &Path) -> io::Result<Vec<(PathBuf, String)>> {
    let parts: [(&str, &str, String); 9] = [
        ("bindings/python/python/tintype/_tintype.pyi", "#", python_types()),
        ("bindings/npm/index.d.ts", "//", typescript()),
        ("bindings/npm/viewer.js", "//", attributes()),
        ("docs/scene.md", "<!--", table_of_keys()),
        ("docs/render.md", "<!--", table_of_options(Door::Scene)),
        ("docs/verify.md", "<!--", table_of_options(Door::Scene)),
        ("docs/farm.md", "<!--", table_of_options(Door::Scene)),
        ("docs/turntable.md", "<!--", table_of_options(Door::Turntable)),
        ("docs/thumbnail.md", "<!--", table_of_options(Door::Thumbnail)),
    ];
    let mut files = vec![
        (root.join("bindings/python/src/doc/turntable.md"), python_doc(Door::Turntable, &[])),
        (
            root.join("bindings/python/src/doc/render.md"),
            python_doc(Door::Turntable, &NOT_OF_STILLS),
        ),
        (root.join("bindings/python/src/doc/thumbnail.md"), python_doc(Door::Thumbnail, &[])),
        (
            root.join("bindings/python/src/doc/contact_sheet.md"),
            python_doc(Door::Turntable, &NOT_OF_SHEETS),
        ),
        (root.join("bindings/npm/settings.js"), javascript()),
    ];
    for (path, mark, part) in &parts {
        let path = root.join(path);
        let text = with_part(&fs::read_to_string(&path)?, mark, part);
        let text = text.ok_or_else(|| {
            io::Error::other(format!(
                "{}: no line with `settings` and `end of settings`",
                path.display()
            ))
        })?;
        files.push((path, text));
    }
    Ok(files)
}

/// A text with another part between its marks.
fn with_part(text: &str, mark: &str, part: &str) -> Option<String> {
    let begin = text.find(&format!("{mark} settings"))?;
    let begin = begin + text[begin..].find('\n')? + 1;
    let end = begin + text[begin..].find(&format!("{mark} end of settings"))?;
    Some(format!("{}{part}{}", &text[..begin], &text[end..]))
}

/// The description of a setting in a library's docs: its line, its unit, its words and its default.
fn line(setting: &Setting, door: Door) -> String {
    let text = setting.sentence();
    match setting.usual_text(door) {
        Some(usual) => format!("{text} Default: {usual}."),
        None => text,
    }
}

fn without<'a>(door: Door, left_out: &'a [&str]) -> impl Iterator<Item = &'static Setting> + 'a {
    settings_of(door).filter(move |setting| !left_out.contains(&setting.key))
}

fn python_doc(door: Door, left_out: &[&str]) -> String {
    let mut text = String::new();
    for setting in without(door, left_out) {
        let _ = writeln!(text, "- `{}`: {}", setting.key, line(setting, door));
    }
    text
}

fn python_types() -> String {
    let mut text = String::new();
    let mut class = |name: &str, doc: &str, door: Door, left_out: &[&str], own: &[&str]| {
        let _ = writeln!(text, "class {name}(TypedDict, total=False):\n    \"\"\"{doc}\"\"\"\n");
        for setting in without(door, left_out) {
            let _ = writeln!(text, "    {}: {} | None", setting.key, setting.python());
        }
        for own in own {
            let _ = writeln!(text, "    {own}");
        }
        text.push('\n');
    };
    let textures = "textures: _Path | Sequence[_Path]";
    class("_Still", "Keywords of `Model.render`.", Door::Turntable, &NOT_OF_STILLS, &[textures]);
    class(
        "_ContactSheet",
        "Keywords of `Model.contact_sheet`.",
        Door::Turntable,
        &NOT_OF_SHEETS[..5],
        &[textures, "frames: int | None"],
    );
    class(
        "_Turn",
        "Keywords of `turntable`.",
        Door::Turntable,
        &[],
        &[
            textures,
            "clips: _Path | Sequence[_Path]",
            "frames: int | None",
            "threads: int",
            "overwrite: bool",
            "progress: _Progress | None",
        ],
    );
    class("_Thumbnail", "Keywords of `thumbnail`.", Door::Thumbnail, &[], &["size: int", textures]);
    text
}

/// Views and channels are requested with each frame in JavaScript, or not at all.
fn of_javascript(door: Door) -> impl Iterator<Item = &'static Setting> {
    settings_of(door).filter(|setting| !setting.is_beside())
}

fn typescript() -> String {
    let mut text = String::new();
    for (name, door, own) in [
        (
            "ThumbnailOptions",
            Door::Thumbnail,
            "/** Side in pixels, 1 to 4096; 256 by default. */\n  size?: number;",
        ),
        (
            "TurntableOptions",
            Door::Turntable,
            "/** Number of frames; by default enough for the clip to end where it began. */\n  frames?: number;",
        ),
    ] {
        let _ = writeln!(text, "export interface {name} {{\n  {own}");
        for setting in of_javascript(door) {
            let (doc, key, own) = (line(setting, door), setting.camel(), setting.typescript());
            let _ = writeln!(text, "  /** {doc} */\n  {key}?: {own};");
        }
        text += "}\n\n";
    }
    text
}

/// Conversion of the text of an option to a value in JavaScript.
fn kind(setting: &Setting) -> &'static str {
    match setting.shape {
        Shape::Truth => "flag",
        Shape::Number(_) | Shape::Power | Shape::Whole(..) => "number",
        _ => "text",
    }
}

/// Settings that the viewer has as attributes; it handles the number of samples and the turning
/// differently.
fn attributes() -> String {
    let is_seen = |setting: &&Setting| match setting.group {
        Group::Picture => setting.key != "samples",
        Group::Model => true,
        _ => matches!(setting.key, "azimuth_deg" | "elevation_deg"),
    };
    let mut text = "const ATTRIBUTES = [\n".to_owned();
    for setting in SETTINGS.iter().filter(is_seen) {
        let (name, option, kind) = (setting.camel(), setting.option(), kind(setting));
        let _ = writeln!(text, "  {{ name: '{name}', option: '{option}', kind: '{kind}' }},");
    }
    text + "];\n"
}

fn javascript() -> String {
    let mut text = "// Options of pictures, written by tools/settings.rs.\n\
                    export const SETTINGS = [\n"
        .to_owned();
    for setting in SETTINGS.iter().filter(|setting| !setting.is_beside()) {
        let kind = kind(setting);
        let doors = [(Door::Thumbnail, "'thumbnail'"), (Door::Turntable, "'turntable'")];
        let doors = doors.into_iter().filter(|(door, _)| setting.is_of(*door));
        let doors: Vec<&str> = doors.map(|(_, word)| word).collect();
        if !doors.is_empty() {
            let _ = writeln!(
                text,
                "  {{ name: '{}', option: '{}', kind: '{kind}', commands: [{}] }},",
                setting.camel(),
                setting.option(),
                doors.join(", ")
            );
        }
    }
    text + "];\n"
}

/// A default as pages have it.
fn cell(usual: Option<String>) -> String {
    usual.unwrap_or_else(|| "none".to_owned())
}

fn table_of_keys() -> String {
    let mut text = "| key | default | |\n|---|---|---|\n".to_owned();
    for setting in SETTINGS.iter().filter(|setting| setting.group.table() == Some("output")) {
        let usual = match setting.usual.at(Door::Scene) {
            Usual::Value(text) => format!("`{text}`"),
            _ => cell(setting.usual_text(Door::Scene)),
        };
        let _ = writeln!(text, "| `{}` | {usual} | {} |", setting.key, setting.sentence());
    }
    text
}

fn table_of_options(door: Door) -> String {
    let mut text = match door {
        Door::Scene => "| in place of what the scene says | |\n|---|---|\n".to_owned(),
        _ => "| setting | default | |\n|---|---|---|\n".to_owned(),
    };
    for setting in settings_of(door) {
        let short = if setting.key == "size" { "`-s`, " } else { "" };
        let option = format!("{short}`--{} {}`", setting.option(), setting.metavar());
        // A flag has no value.
        let option = option.replace(" `", "`").replace(",`", ", `");
        let about = setting.sentence();
        let _ = match door {
            Door::Scene => writeln!(text, "| {option} | {about} |"),
            _ => writeln!(text, "| {option} | {} | {about} |", cell(setting.usual_text(door))),
        };
    }
    text
}
