//! `docs/faults.md` lists the declared faults, with the formats whose readers repair each and a
//! test.

use crate::support::{files, trial};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use tintype_model::FileRepair;

/// Folders of readers, and the names of their formats.
const FORMATS: &[(&str, &str)] = &[
    ("formats/src/md5", "MD5"),
    ("formats/src/x/", "`.x`"),
    ("formats/src/gltf", "glTF"),
    ("formats/src/fbx", "FBX"),
    ("formats/src/obj", "OBJ"),
    ("formats/src/iqm", "IQM"),
    ("formats/src/quake", "Quake"),
    ("formats/src/three_ds", "3DS"),
    ("formats/src/b3d", "B3D"),
    ("formats/src/node_model", "3DS, B3D"),
    ("formats/src/stl", "STL"),
    ("formats/src/ply", "PLY"),
    ("formats/src/mtr", "`.mtr`"),
    ("model/src/pose", "clips"),
];

/// Formats whose readers report a fault, and the tests that name it.
#[derive(Default)]
struct Uses {
    formats: BTreeSet<usize>,
    tests: BTreeSet<String>,
}

/// The uses of each fault, by the name of its variant. Text from `mod tests {` on belongs to tests.
fn uses() -> BTreeMap<String, Uses> {
    let root = Path::new(env!("WORKSPACE_ROOT")).join("crates");
    let mut found = BTreeMap::<String, Uses>::new();
    for path in files(&root, &["rs"]).unwrap() {
        let name = path.to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&path).unwrap();
        let format = FORMATS.iter().position(|(folder, _)| name.contains(folder));
        let (mut is_test, mut function) = (name.contains("/tests"), "");
        for line in text.lines() {
            is_test |= line == "mod tests {";
            if let Some(rest) = line.trim_start().strip_prefix("fn ") {
                function = rest.split(['(', '<']).next().unwrap_or_default();
            }
            for behind in line.split("FileRepair::").skip(1) {
                let end = behind.find(|c: char| !c.is_alphanumeric()).unwrap_or(behind.len());
                let uses = found.entry(behind[..end].to_owned()).or_default();
                if is_test {
                    uses.tests.insert(function.to_owned());
                } else {
                    uses.formats.extend(format);
                }
            }
        }
    }
    found
}

fn page() -> Result<String, String> {
    let uses = uses();
    let mut table =
        String::from("| fault | formats | class | used instead | test |\n|---|---|---|---|---|\n");
    let none = Uses::default();
    for fault in FileRepair::ALL {
        let own = uses.get(fault.variant()).unwrap_or(&none);
        if own.formats.is_empty() {
            return Err(format!("no reader mends {fault:?}"));
        }
        let test = own.tests.first().ok_or(format!("no test names {fault:?}"))?;
        let formats: BTreeSet<&str> = own.formats.iter().map(|&index| FORMATS[index].1).collect();
        let formats = formats.into_iter().collect::<Vec<_>>().join(", ");
        let (what, class, used) = (fault.what(), fault.class().words(), fault.used());
        let slug = fault.slug();
        writeln!(table, "| {what} (`{slug}`) | {formats} | {class} | {used} | `{test}` |").unwrap();
    }
    Ok(table)
}

#[trial]
fn page_is_the_declaration() {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let text = fs::read_to_string(root.join("docs/faults.md")).unwrap();
    let wanted = page().unwrap();
    assert!(text.ends_with(&wanted), "docs/faults.md should end with this table:\n{wanted}");
}
