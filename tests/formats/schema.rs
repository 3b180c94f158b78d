//! The schema of scenes: it knows the keys that the reader knows, passes the scenes that the reader
//! passes, and catches what a schema can catch.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::json_schema::with_python;
use crate::support::trial;
use libtest_mimic::Failed;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tintype_scene::{Problem, SCHEMA, parse_scene};

type Outcome = Result<(), Failed>;

/// Each table of a scene: its path in the schema, and a scene where it has the key `zzz`.
const TABLES: [(&str, &str); 36] = [
    ("/properties", "zzz = 1"),
    ("/properties/output/properties", "[output]\nzzz = 1"),
    (
        "/properties/output/properties/background/oneOf/2/properties",
        "[output]\nbackground = { zzz = 1 }",
    ),
    ("/properties/camera/properties", "[camera]\nzzz = 1"),
    (
        "/properties/camera/properties/keys/items/properties",
        "[camera]\nkind = \"keys\"\nkeys = [{ zzz = 1 }]",
    ),
    ("/$defs/ramp/oneOf/1/properties", "[camera]\nazimuth_deg = { zzz = 1 }"),
    ("/$defs/elevation/oneOf/1/properties", "[camera]\nelevation_deg = { zzz = 1 }"),
    ("/properties/light/items/properties", "[[light]]\nzzz = 1"),
    ("/properties/environment/properties", "[environment]\nzzz = 1"),
    ("/properties/ground/properties", "[ground]\nzzz = 1"),
    ("/properties/material/items/properties", "[[material]]\nzzz = 1"),
    ("/properties/model/items/properties", "[[model]]\nzzz = 1"),
    (
        "/properties/model/items/properties/clips/items/properties",
        "[[model]]\nfile = \"n.x\"\nclips = [{ zzz = 1 }]",
    ),
    ("/properties/instance/items/properties", "[[instance]]\nzzz = 1"),
    (
        "/properties/instance/items/properties/fade/items/properties",
        "[[instance]]\nmodel = \"m\"\nfade = [{ zzz = 1 }]",
    ),
    ("/$defs/motion/oneOf/1/properties", "[[instance]]\nmodel = \"m\"\nposition = { zzz = 1 }"),
    (
        "/$defs/motion/oneOf/1/properties/keys/items/properties",
        "[[instance]]\nmodel = \"m\"\nposition = { keys = [{ zzz = 1 }] }",
    ),
    ("/$defs/factors/oneOf/2/properties", "[[instance]]\nmodel = \"m\"\nscale = { zzz = 1 }"),
    (
        "/$defs/factors/oneOf/2/properties/keys/items/properties",
        "[[instance]]\nmodel = \"m\"\nscale = { keys = [{ zzz = 1 }] }",
    ),
    ("/$defs/turn/oneOf/2/properties", "[[instance]]\nmodel = \"m\"\nrotation = { zzz = 1 }"),
    (
        "/$defs/turn/oneOf/2/properties/keys/items/properties",
        "[[instance]]\nmodel = \"m\"\nrotation = { keys = [{ zzz = 1 }] }",
    ),
    ("/$defs/switch/oneOf/1/properties", "[[instance]]\nmodel = \"m\"\nvisible = { zzz = 1 }"),
    (
        "/$defs/switch/oneOf/1/properties/keys/items/properties",
        "[[instance]]\nmodel = \"m\"\nvisible = { keys = [{ zzz = 1 }] }",
    ),
    (
        "/properties/instance/items/properties/crowd/properties",
        "[[instance]]\nmodel = \"m\"\ncrowd = { zzz = 1 }",
    ),
    (
        "/$defs/joint_factors/oneOf/2/properties",
        "[[instance]]\nmodel = \"m\"\njoints = [{ name = \"j\", scale = { zzz = 1 } }]",
    ),
    (
        "/$defs/joint_factors/oneOf/2/properties/keys/items/properties",
        "[[instance]]\nmodel = \"m\"\njoints = [{ name = \"j\", scale = { keys = [{ zzz = 1 }] } }]",
    ),
    (
        "/properties/instance/items/properties/attach/properties",
        "[[instance]]\nmodel = \"m\"\nattach = { zzz = 1 }",
    ),
    (
        "/properties/instance/items/properties/joints/items/properties",
        "[[instance]]\nmodel = \"m\"\njoints = [{ zzz = 1 }]",
    ),
    (
        "/properties/instance/items/properties/layers/items/properties",
        "[[instance]]\nmodel = \"m\"\nlayers = [{ zzz = 1 }]",
    ),
    (
        "/properties/instance/items/properties/layers/items/properties/mix/items/properties",
        "[[instance]]\nmodel = \"m\"\nlayers = [{ mix = [{ zzz = 1 }] }]",
    ),
    (
        "/$defs/level/oneOf/1/properties",
        "[[instance]]\nmodel = \"m\"\nlayers = [{ clip = \"bind\", weight = { zzz = 1 } }]",
    ),
    (
        "/$defs/level/oneOf/1/properties/keys/items/properties",
        "[[instance]]\nmodel = \"m\"\nlayers = [{ clip = \"bind\", weight = { keys = [{ zzz = 1 }] } }]",
    ),
    ("/properties/golden/properties", "[golden]\nzzz = 1"),
    ("/properties/golden/properties/known/items/properties", "[[golden.known]]\nzzz = 1"),
    ("/properties/golden/properties/pose/anyOf/1/properties", "[golden]\npose = { zzz = 1 }"),
    ("/properties/textures/properties", "[textures]\nzzz = 1"),
];

#[trial]
fn schema_has_the_keys_of_the_reader() -> Outcome {
    let schema: Value = serde_json::from_str(&SCHEMA)?;
    let mut complaints = String::new();
    for (way, text) in TABLES {
        let wanted: BTreeSet<&str> = schema
            .pointer(way)
            .and_then(Value::as_object)
            .ok_or_else(|| format!("nothing at {way}"))?
            .keys()
            .map(String::as_str)
            .collect();
        // Keys of no table precede all tables.
        let model = "[[model]]\nfile = \"m.md5mesh\"\n";
        let scene = if way == "/properties" {
            format!("{text}\n{model}")
        } else {
            format!("{model}{text}")
        };
        let errors = parse_scene(&scene, "scene").err().ok_or("no error")?;
        let allowed = errors.errors().iter().find_map(|error| match &error.problem {
            Problem::UnknownKey { key, allowed, .. } if key == "zzz" => Some(allowed),
            _ => None,
        });
        let allowed = allowed.ok_or_else(|| format!("{way}: {errors}"))?;
        let known: BTreeSet<&str> = allowed.iter().map(String::as_str).collect();
        if known != wanted {
            complaints += &format!("{way}: the reader has {known:?}, the schema {wanted:?}\n");
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.into()) }
}

/// Checks that every object of the schema with properties, except those of conditions, is in the
/// table above.
#[trial]
fn every_table_of_the_schema_is_compared() -> Outcome {
    fn count(value: &Value) -> usize {
        let own = usize::from(value.get("additionalProperties").is_some());
        let parts: Vec<&Value> = match value {
            Value::Object(map) => map.values().collect(),
            Value::Array(list) => list.iter().collect(),
            _ => Vec::new(),
        };
        own + parts.into_iter().map(count).sum::<usize>()
    }
    assert_eq!(count(&serde_json::from_str(&SCHEMA)?), TABLES.len());
    Ok(())
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("WORKSPACE_ROOT")).join(name)
}

/// A scene as JSON. None if it is not TOML.
fn as_json(path: &Path) -> Option<String> {
    let table: toml::Table = fs::read_to_string(path).ok()?.parse().ok()?;
    serde_json::to_string(&table).ok()
}

#[trial(with_python)]
fn schema_passes_what_the_reader_passes(python: &PathBuf) -> Outcome {
    let mut files = crate::support::files(&folder("tests/corpus/scene/good"), &["toml"])?;
    files.extend(crate::support::files(&folder("scenes"), &["toml"])?);
    assert!(files.len() > 10);
    let texts: Vec<String> = files.iter().map(|path| as_json(path).unwrap()).collect();
    let errors = crate::json_schema::errors(python, &SCHEMA, &texts)?;
    for (file, said) in files.iter().zip(errors) {
        if !said.is_empty() {
            return Err(format!("{}: {said}", file.display()).into());
        }
    }
    Ok(())
}

/// Mistakes of these kinds are shown by an editor from the schema alone.
const CAUGHT: [&str; 14] = [
    "colors",
    "empty",
    "empty_models",
    "empty_texts",
    "golden_bound_range",
    "golden_exact_bound",
    "golden_no_bound",
    "misplaced_keys",
    "missing_keys",
    "no_model",
    "shadows",
    "unknown_keys",
    "unknown_words",
    "wrong_types",
];

/// Tables with one number out of its range each.
const OUT_OF_RANGE: [&str; 23] = [
    "[output]\nsamples = 3",
    "[output]\nanisotropy = 32",
    "[output]\nexposure = 0",
    "[environment]\nintensity = -1",
    "[[material]]\nname = \"m\"\nmetallic = 2",
    "[[material]]\nname = \"m\"\nclearcoat = 0.5",
    "[output]\nfps = 0",
    "[output]\nsize = [0, 10]",
    "[output]\nsize = [16385, 10]",
    "[camera]\nfov_deg = 171",
    "[camera]\nelevation_deg = 91",
    "[camera]\nelevation_deg = { from = 0, to = -91 }",
    "[camera]\nmargin = 0.5",
    "[camera]\nnear = 0",
    "[[light]]\nintensity = -1",
    "[[light]]\nshadow = true\nshadow_size = 63",
    "[[light]]\nshadow = true\nshadow_softness_deg = 31",
    "[ground]\nradius = 0",
    "[ground]\ncontact = 1.1",
    "[[material]]\nname = \"m\"\nshininess = 0",
    "[[material]]\nname = \"m\"\ncolor = [0, 0, 1.5]",
    "[[instance]]\nmodel = \"m\"\nscale = 0",
    "[[instance]]\nmodel = \"m\"\nspeed = 1001",
];

#[trial(with_python)]
fn schema_catches_what_a_schema_can(python: &PathBuf) -> Outcome {
    let mut texts = Vec::new();
    for text in OUT_OF_RANGE {
        let text = format!("[[model]]\nfile = \"m.md5mesh\"\n{text}\n");
        assert!(parse_scene(&text, "scene").is_err(), "{text}");
        texts.push(serde_json::to_string(&text.parse::<toml::Table>()?)?);
    }
    for name in CAUGHT {
        let path = folder(&format!("tests/corpus/scene/bad/{name}.toml"));
        texts.push(as_json(&path).ok_or_else(|| format!("{name} is no TOML"))?);
    }
    let errors = crate::json_schema::errors(python, &SCHEMA, &texts)?;
    for (name, said) in OUT_OF_RANGE.iter().chain(&CAUGHT).zip(errors) {
        if said.is_empty() {
            return Err(format!("passes: {name}").into());
        }
    }
    Ok(())
}
