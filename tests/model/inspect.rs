//! `inspect` as used by a rigger: each fault is planted and found, with its count and its first
//! position; sound models have none.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::json_schema::with_python;
use crate::support::command::{BOX, tintype};
use crate::support::{files, trial, trials, with_models};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

type Outcome = Result<(), Failed>;

const SCHEMA: &str = include_str!("../../crates/inspect/src/inspect.schema.json");

fn wanted(holds: bool, message: impl Into<String>) -> Outcome {
    if holds { Ok(()) } else { Err(message.into().into()) }
}

/// A folder with these files, and with the picture of the box.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let picture = Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets/textures/globe.png");
    fs::copy(picture, folder.path().join("crate.png")).unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn page(folder: &Path, arguments: &[&str]) -> Result<Value, Failed> {
    let output = tintype(folder, &[&["inspect", "--json"], arguments].concat());
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The kinds of problems of the first model, or of a standalone clip.
fn kinds(page: &Value) -> Vec<&str> {
    let problems = page["models"].get(0).map_or(&page["problems"], |model| &model["problems"]);
    let problems = problems.as_array().map_or(&[][..], Vec::as_slice);
    problems.iter().map(|problem| problem["kind"].as_str().unwrap()).collect()
}

/// A text with pieces replaced; each must be there.
fn edited(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    })
}

/// A planted fault, its place, and the expected message; everything else must be silent.
struct Planted {
    name: &'static str,
    edits: &'static [(&'static str, &'static str)],
    finds: &'static [(&'static str, u64, u64, &'static str)],
}

const BOXES: &[Planted] = &[
    Planted { name: "sound", edits: &[], finds: &[] },
    Planted {
        name: "no_influence",
        edits: &[("vert 7 ( 0 1 ) 7 1", "vert 7 ( 0 1 ) 0 0")],
        finds: &[("no-influence", 1, 8, "vertex 7 of mesh 0")],
    },
    Planted {
        name: "bias_sum",
        edits: &[("weight 5 0 1 (", "weight 5 0 0.5 (")],
        finds: &[("bias-sum", 1, 8, "vertex 5 of mesh 0, on root")],
    },
    Planted {
        name: "negative_bias",
        edits: &[
            ("vert 7 ( 0 1 ) 7 1", "vert 7 ( 0 1 ) 7 2"),
            ("numweights 8", "numweights 9"),
            ("weight 7 0 1 ( -1 1 2 )", "weight 7 0 1.5 ( -1 1 2 )\n weight 8 0 -0.5 ( -1 1 2 )"),
        ],
        finds: &[("negative-bias", 1, 8, "vertex 7 of mesh 0, on root")],
    },
    Planted {
        name: "tiny_bias",
        edits: &[
            ("vert 7 ( 0 1 ) 7 1", "vert 7 ( 0 1 ) 7 2"),
            ("numweights 8", "numweights 9"),
            (
                "weight 7 0 1 ( -1 1 2 )",
                "weight 7 0 0.9999 ( -1 1 2 )\n weight 8 0 0.0001 ( -1 1 2 )",
            ),
        ],
        finds: &[("tiny-bias", 1, 9, "vertex 7 of mesh 0, on root")],
    },
    Planted {
        name: "many_influences",
        edits: &[
            ("vert 7 ( 0 1 ) 7 1", "vert 7 ( 0 1 ) 7 5"),
            ("numweights 8", "numweights 12"),
            (
                "weight 7 0 1 ( -1 1 2 )",
                "weight 7 0 0.2 ( -1 1 2 )\n weight 8 0 0.2 ( -1 1 2 )\n weight 9 0 0.2 ( -1 1 2 )
                 weight 10 0 0.2 ( -1 1 2 )\n weight 11 0 0.2 ( -1 1 2 )",
            ),
        ],
        finds: &[("many-influences", 1, 8, "vertex 7 of mesh 0, on root")],
    },
    Planted {
        name: "weights_apart",
        edits: &[
            ("vert 7 ( 0 1 ) 7 1", "vert 7 ( 0 1 ) 7 2"),
            ("numweights 8", "numweights 9"),
            (
                "weight 7 0 1 ( -1 1 2 )",
                "weight 7 0 0.5 ( -1.1 1 2 )\n weight 8 0 0.5 ( -0.9 1 2 )",
            ),
        ],
        finds: &[("weights-apart", 1, 8, "vertex 7 of mesh 0, on root")],
    },
    Planted {
        name: "unused_joint",
        edits: &[
            ("numJoints 1", "numJoints 3"),
            (
                "\"root\" -1 ( 0 0 0 ) ( 0 0 0 )",
                "\"root\" -1 ( 0 0 0 ) ( 0 0 0 )\n \"tip\" 0 ( 0 0 2 ) ( 0 0 0 )\n \"tag\" 1 ( 0 0 3 ) ( 0 0 0 )",
            ),
        ],
        finds: &[("unused-joint", 2, 3, "")],
    },
    Planted {
        name: "joint_that_carries_a_used_one_is_used",
        edits: &[
            ("numJoints 1", "numJoints 3"),
            (
                "\"root\" -1 ( 0 0 0 ) ( 0 0 0 )",
                "\"root\" -1 ( 0 0 0 ) ( 0 0 0 )\n \"tip\" 0 ( 0 0 0 ) ( 0 0 0 )\n \"tag\" 1 ( 0 0 0 ) ( 0 0 0 )",
            ),
            ("weight 0 0 1", "weight 0 2 1"),
        ],
        finds: &[],
    },
    Planted {
        name: "joint_name_twice",
        edits: &[
            ("numJoints 1", "numJoints 2"),
            (
                "\"root\" -1 ( 0 0 0 ) ( 0 0 0 )",
                "\"root\" -1 ( 0 0 0 ) ( 0 0 0 )\n \"root\" 0 ( 0 0 0 ) ( 0 0 0 )",
            ),
            ("weight 0 0 1", "weight 0 1 1"),
        ],
        finds: &[("joint-name-twice", 1, 2, "")],
    },
    Planted {
        name: "degenerate_triangle",
        edits: &[("numtris 12", "numtris 13"), ("tri 11 3 4 0", "tri 11 3 4 0\n tri 12 0 1 1")],
        finds: &[("degenerate-triangle", 1, 13, "triangle 12 of mesh 0")],
    },
    Planted {
        name: "duplicate_triangle",
        edits: &[("numtris 12", "numtris 13"), ("tri 11 3 4 0", "tri 11 3 4 0\n tri 12 1 2 0")],
        finds: &[("duplicate-triangle", 1, 13, "triangle 12 of mesh 0")],
    },
    Planted {
        name: "flipped_triangle",
        edits: &[("tri 5 0 5 1", "tri 5 0 1 5")],
        finds: &[("flipped-triangle", 1, 12, "triangle 5 of mesh 0 (vertices 0, 5 and 1)")],
    },
    Planted {
        name: "inside_out",
        edits: &[
            ("tri 0 0 1 2", "tri 0 0 2 1"),
            ("tri 1 0 2 3", "tri 1 0 3 2"),
            ("tri 2 4 6 5", "tri 2 4 5 6"),
            ("tri 3 4 7 6", "tri 3 4 6 7"),
            ("tri 4 0 4 5", "tri 4 0 5 4"),
            ("tri 5 0 5 1", "tri 5 0 1 5"),
            ("tri 6 1 5 6", "tri 6 1 6 5"),
            ("tri 7 1 6 2", "tri 7 1 2 6"),
            ("tri 8 2 6 7", "tri 8 2 7 6"),
            ("tri 9 2 7 3", "tri 9 2 3 7"),
            ("tri 10 3 7 4", "tri 10 3 4 7"),
            ("tri 11 3 4 0", "tri 11 3 0 4"),
        ],
        finds: &[("inward-surface", 1, 1, "triangle 0 of mesh 0")],
    },
    Planted {
        name: "unreferenced_vertex",
        edits: &[
            ("numverts 8", "numverts 9"),
            ("vert 7 ( 0 1 ) 7 1", "vert 7 ( 0 1 ) 7 1\n vert 8 ( 0 0 ) 7 1"),
        ],
        finds: &[("unreferenced-vertex", 1, 9, "vertex 8 of mesh 0, on root")],
    },
    Planted {
        name: "non_manifold_edge",
        edits: &[
            ("numverts 8", "numverts 9"),
            ("vert 7 ( 0 1 ) 7 1", "vert 7 ( 0 1 ) 7 1\n vert 8 ( 0 0 ) 8 1"),
            ("numweights 8", "numweights 9"),
            ("weight 7 0 1 ( -1 1 2 )", "weight 7 0 1 ( -1 1 2 )\n weight 8 0 1 ( 0 0 5 )"),
            ("numtris 12", "numtris 13"),
            ("tri 11 3 4 0", "tri 11 3 4 0\n tri 12 4 5 8"),
        ],
        finds: &[("non-manifold-edge", 1, 20, "mesh 0")],
    },
    Planted {
        name: "no_texcoords",
        edits: &[
            ("vert 0 ( 0 0 )", "vert 0 ( 0 0 )"),
            ("vert 1 ( 1 0 )", "vert 1 ( 0 0 )"),
            ("vert 2 ( 1 1 )", "vert 2 ( 0 0 )"),
            ("vert 3 ( 0 1 )", "vert 3 ( 0 0 )"),
            ("vert 5 ( 1 0 )", "vert 5 ( 0 0 )"),
            ("vert 6 ( 1 1 )", "vert 6 ( 0 0 )"),
            ("vert 7 ( 0 1 )", "vert 7 ( 0 0 )"),
        ],
        finds: &[("no-texcoords", 1, 1, "mesh 0")],
    },
];

fn box_fault(planted: &Planted) -> Outcome {
    let folder = folder(&[("box.md5mesh", &edited(BOX, planted.edits))]);
    let page = page(folder.path(), &["box.md5mesh"])?;
    let expected: Vec<&str> = planted.finds.iter().map(|find| find.0).collect();
    wanted(kinds(&page) == expected, format!("{:?}, not {expected:?}", kinds(&page)))?;
    let text = tintype(folder.path(), &["inspect", "box.md5mesh"]).stdout;
    let text = String::from_utf8_lossy(&text).into_owned();
    for (index, (_, count, of, first)) in planted.finds.iter().enumerate() {
        let problem = &page["models"][0]["problems"][index];
        let found = (problem["count"].as_u64(), problem["of"].as_u64());
        wanted(found == (Some(*count), Some(*of)), problem.to_string())?;
        let place = problem["first"].as_str().unwrap_or_default();
        wanted(place.starts_with(first), format!("{place}, not {first}"))?;
        wanted(!problem["places"].as_array().unwrap().is_empty(), problem.to_string())?;
        // The text has the same content, in lines that fit.
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for said in ["message", "advice"] {
            let said = problem[said].as_str().unwrap();
            wanted(flat.contains(said), format!("{said}\n{text}"))?;
        }
    }
    wanted(text.lines().all(|line| line.chars().count() <= 80), text.clone())?;
    wanted(planted.finds.is_empty() == text.contains("problems: none"), text)
}

/// Six joints in a chain, each 1 long, and a clip that turns each a little, with edits.
fn chain(parents: &[(&str, i32)], length: f64, moves: bool) -> (String, String) {
    let mut mesh = format!(
        "MD5Version 10\ncommandline \"\"\nnumJoints {}\nnumMeshes 1\njoints {{\n",
        parents.len()
    );
    let mut anim = format!(
        "MD5Version 10\ncommandline \"\"\nnumFrames 2\nnumJoints {}\nframeRate 24\nnumAnimatedComponents 1\nhierarchy {{\n",
        parents.len()
    );
    for (index, (name, parent)) in parents.iter().enumerate() {
        writeln!(mesh, "\"{name}\" {parent} ( 0 0 {index} ) ( 0 0 0 )").unwrap();
        writeln!(anim, "\"{name}\" {parent} {} 0", u32::from(index == 0) * 8).unwrap();
    }
    mesh += "}\nmesh {\n shader \"crate\"\n numverts 3\n vert 0 ( 0 0 ) 0 1\n vert 1 ( 1 0 ) 1 1\n vert 2 ( 0 1 ) 2 1
 numtris 1\n tri 0 0 1 2\n numweights 3\n weight 0 0 1 ( 0 0 0 )\n weight 1 0 1 ( 1 0 0 )\n";
    writeln!(mesh, " weight 2 {} 1 ( 0 1 0 )\n}}", parents.len() - 1).unwrap();
    anim += "}\nbounds {\n ( -9999 -9999 -9999 ) ( 9999 9999 9999 )\n ( -9999 -9999 -9999 ) ( 9999 9999 9999 )\n}\nbaseframe {\n";
    for index in 0..parents.len() {
        writeln!(anim, "( 0 0 {} ) ( 0 0 0 )", if index == 0 { 0.0 } else { length }).unwrap();
    }
    writeln!(anim, "}}\nframe 0 {{\n0\n}}\nframe 1 {{\n{}\n}}", if moves { 0.5 } else { 0.0 })
        .unwrap();
    (mesh, anim)
}

const NAMES: [(&str, i32); 7] =
    [("root", -1), ("a", 0), ("b", 1), ("c", 2), ("d", 3), ("e", 4), ("f", 5)];

#[trial]
fn planted_in_clips() -> Outcome {
    let (mesh, sound) = chain(&NAMES, 1.0, true);
    let replaced = |from: &str, to: &str| edited(&sound, &[(from, to)]);
    let other_parent = replaced("\"c\" 2", "\"c\" 1");
    let renamed = replaced("\"e\" 4", "\"elbow\" 4");
    let larger = chain(&NAMES, 2.54, true).1;
    let still = chain(&NAMES, 1.0, false).1;
    let extra = chain(&[&NAMES[..], &[("tag", 6)]].concat(), 1.0, true).1;
    let stranger = chain(&NAMES[..5], 1.0, true).1.replace("\"d\"", "\"tail\"");
    for (anim, expected, says) in [
        (&sound, &[][..], ""),
        (&other_parent, &["clip-other-parent"], "c, parent a in the clip, b in the model"),
        // A joint of another name in the same hierarchy is found by its position, and has no
        // vertices.
        (&renamed, &["clip-missing-joint", "clip-extra-joint"], ""),
        (&larger, &["clip-other-size"], ""),
        (&still, &["clip-still"], ""),
        (&extra, &["clip-extra-joint"], ""),
        (&stranger, &["clip-misfit"], "the clip has no joint \"f\""),
    ] {
        let folder = folder(&[("chain.md5mesh", &mesh), ("move.md5anim", anim)]);
        let page = page(folder.path(), &["chain.md5mesh", "-a", "move.md5anim"])?;
        wanted(kinds(&page) == expected, format!("{:?}, not {expected:?}\n{anim}", kinds(&page)))?;
        let first = page["models"][0]["problems"][0]["first"].as_str().unwrap_or_default();
        wanted(first.starts_with(says), format!("{first}, not {says}"))?;
    }
    // A warning fails under --strict, a note does not.
    for (anim, code) in [(&larger, 3), (&still, 0)] {
        let folder = folder(&[("chain.md5mesh", &mesh), ("move.md5anim", anim)]);
        let strict = ["inspect", "chain.md5mesh", "-a", "move.md5anim", "--strict"];
        let output = tintype(folder.path(), &strict);
        wanted(output.status.code() == Some(code), format!("{output:?}"))?;
    }
    Ok(())
}

/// Three joints, two of them moving, with features specific to `.x` files: scale keys, rotations of
/// any length, vertices without a weight.
const X: &str = "xof 0303txt 0032
Frame hip { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1;; }
  Frame leg { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,1,0,1;; } }
  Mesh skin { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;;
    SkinWeights { \"hip\"; 2; 0, 1; 1, 1; 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1;; }
    SkinWeights { \"leg\"; 1; 2; 1; 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,-1,0,1;; } }
}
AnimationSet Walk {
  Animation { { leg }
    AnimationKey { 0; 2; 0;4;1,0,0,0;;, 30;4;0.7071068,0.7071068,0,0;;; }
    AnimationKey { 1; 1; 0;3;1,1,1;;; } }
}
";

#[trial]
fn planted_in_x_files() -> Outcome {
    for (edits, expected) in [
        (&[][..], &[][..]),
        (&[("{ 1; 1; 0;3;1,1,1;;; }", "{ 1; 1; 0;3;1,2,1;;; }")], &["scale-keys"]),
        (&[("30;4;0.7071068,0.7071068,0,0", "30;4;0.8,0.7071068,0,0")], &["rotation-length"]),
        (&[("\"leg\"; 1; 2; 1;", "\"leg\"; 0; ; ;")], &["no-influence", "unused-joint"]),
        (&[("{ leg }\n", "{ arm }\n")], &["clip-misfit"]),
    ] {
        let folder = folder(&[("skin.x", &edited(X, edits))]);
        let page = page(folder.path(), &["skin.x"])?;
        wanted(kinds(&page) == expected, format!("{:?}, not {expected:?}", kinds(&page)))?;
    }
    Ok(())
}

/// Three hundred joints and twenty clips: a list ends with a pointer to the rest; --json has it
/// all.
#[trial]
fn long_lists_end() -> Outcome {
    let mut joints = String::from("\"root\" -1 ( 0 0 0 ) ( 0 0 0 )\n");
    for tag in 0..300 {
        writeln!(joints, "\"tag{tag}\" 0 ( 0 0 0 ) ( 0 0 0 )").unwrap();
    }
    let text = edited(
        BOX,
        &[("numJoints 1", "numJoints 301"), ("\"root\" -1 ( 0 0 0 ) ( 0 0 0 )", &joints)],
    );
    let folder = folder(&[("box.md5mesh", &text)]);
    let output = tintype(folder.path(), &["inspect", "box.md5mesh"]).stdout;
    let text = String::from_utf8_lossy(&output);
    wanted(text.contains("and 294 more (the JSON has"), text.clone())?;
    wanted(text.contains("the tree lists them") && text.lines().count() < 40, text.clone())?;
    let page = page(folder.path(), &["box.md5mesh"])?;
    let places = &page["models"][0]["problems"][0]["places"];
    wanted(places[0]["joints"].as_array().unwrap().len() == 300, places.to_string())
}

#[trial]
fn tree_is_drawn() -> Outcome {
    let (mesh, _) = chain(&[("root", -1), ("hip", 0), ("knee", 1), ("neck", 0)], 1.0, true);
    let folder = folder(&[("chain.md5mesh", &mesh)]);
    let output = tintype(folder.path(), &["inspect", "chain.md5mesh", "--tree"]).stdout;
    let text = String::from_utf8_lossy(&output);
    let tree = "\
  joints: 4, 2 pulling, 1 root
    vertices  #
           2  0  root
           0  1  ├─ hip
           0  2  │  └─ knee
           1  3  └─ neck
";
    wanted(text.contains(tree), text)
}

/// Compares the estimate of a scene's memory with the peak of the program.
#[trial]
fn memory_is_about_what_is_taken() -> Outcome {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let out = TempDir::new()?;
    let pattern = out.path().join("####.png");
    let pattern = pattern.to_str().unwrap();
    let peak = |scene: &str, frames: &str| -> Result<f64, Failed> {
        let render = ["render", scene, "-f", frames, "-j", "2", "-v", "-o", pattern];
        let text = String::from_utf8_lossy(&tintype(root, &render).stderr).into_owned();
        let Some((_, peak)) = text.split_once("peak memory ") else {
            return Err(format!("no peak is said on this system\n{text}").into());
        };
        Ok(peak.split(' ').next().unwrap().parse::<f64>()? * 1024.0)
    };
    // The program itself, with its code, takes more on some systems than a small scene.
    let small = out.path().join("small.toml");
    let model = root.join("scenes/assets/stand.x");
    let text = format!("[output]\nsize = [16, 16]\n[[model]]\nfile = {model:?}\n");
    std::fs::write(&small, text)?;
    let own = peak(small.to_str().unwrap(), "0")?;
    for scene in ["scenes/walk.toml", "scenes/mob.toml", "scenes/material.toml"] {
        let page = page(root, &[scene, "-j", "2"])?;
        let said = page["scene"]["memory"]["total"].as_f64().unwrap();
        let taken = peak(scene, "0-5")?;
        let ratio = (own + said) / taken;
        wanted((0.6..1.6).contains(&ratio), format!("{scene}: {said} said, {taken} taken"))?;
    }
    Ok(())
}

/// No warning on what ships.
#[trial]
fn shipped_models_are_sound() -> Outcome {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let models = files(&root.join("scenes/assets"), &["md5mesh", "x"])?;
    wanted(models.len() >= 10, format!("{models:?}"))?;
    for model in &models {
        let page = page(root, &[model.to_str().unwrap()])?;
        let problems = page["models"][0]["problems"].as_array().unwrap();
        let warnings: Vec<&Value> =
            problems.iter().filter(|problem| problem["severity"] == "warning").collect();
        wanted(warnings.is_empty(), format!("{}: {warnings:?}", model.display()))?;
    }
    Ok(())
}

/// Models of all origins: their pages match the schema, and warnings are rare.
#[trial(with_models)]
fn real_models_have_few_warnings(folder: &Path) -> Outcome {
    let mut texts = Vec::new();
    let (mut looked_at, mut warned) = (0, 0);
    for model in files(folder, &["md5mesh", "x", "md5anim", "md5camera"])? {
        let output = tintype(folder, &["inspect", "--json", model.to_str().unwrap()]);
        if !output.status.success() {
            continue; // a broken file, with its message
        }
        looked_at += 1;
        let text = String::from_utf8(output.stdout)?;
        let page: Value = serde_json::from_str(&text)?;
        let problems = page["models"][0]["problems"].as_array().cloned().unwrap_or_default();
        let is_warned = problems.iter().any(|problem| problem["severity"] == "warning");
        warned += usize::from(is_warned);
        texts.push(text);
        let plain = tintype(folder, &["inspect", model.to_str().unwrap()]).stdout;
        let lines = String::from_utf8_lossy(&plain).lines().count();
        wanted(lines <= 150, format!("{}: {lines} lines are a wall", model.display()))?;
    }
    wanted(looked_at >= 80, format!("{looked_at} files"))?;
    wanted(warned * 10 <= looked_at, format!("{warned} of {looked_at} models are warned of"))?;
    let Some(python) = crate::json_schema::python() else { return Ok(()) };
    let said = crate::json_schema::errors(&python, SCHEMA, &texts)?.concat();
    wanted(said.is_empty(), said)
}

#[trial(with_python)]
fn pages_are_as_the_schema_says(python: &PathBuf) -> Outcome {
    let root = Path::new(env!("WORKSPACE_ROOT"));
    let mut texts = Vec::new();
    let mut add = |folder: &Path, arguments: &[&str]| -> Outcome {
        texts.push(page(folder, arguments)?.to_string());
        Ok(())
    };
    for file in files(&root.join("scenes"), &["md5mesh", "x", "md5anim", "md5camera", "toml"])? {
        add(root, &[file.to_str().unwrap()])?;
    }
    for planted in BOXES {
        let folder = folder(&[("box.md5mesh", &edited(BOX, planted.edits))]);
        add(folder.path(), &["box.md5mesh"])?;
    }
    let said = crate::json_schema::errors(python, SCHEMA, &texts)?.concat();
    wanted(said.is_empty(), said)?;
    // The schema can refuse.
    let wrong = texts[0].replacen("\"kind\":", "\"kid\":", 1).replacen("\"keys\":", "\"kees\":", 1);
    let wrong = wrong.replacen("\"file\":", "\"fill\":", 1);
    let said = crate::json_schema::errors(python, SCHEMA, &[wrong])?.concat();
    wanted(!said.is_empty(), "a wrong page passes")
}

#[trials]
fn planted_is_found() -> Result<Vec<Trial>, String> {
    let trials = BOXES
        .iter()
        .map(|planted| Trial::test(format!("planted_{}", planted.name), || box_fault(planted)));
    Ok(trials.collect())
}
#[trial]
fn every_kind_is_in_the_schema() -> Outcome {
    let schema: Value = serde_json::from_str(SCHEMA)?;
    let known = &schema["$defs"]["problem"]["properties"]["kind"]["enum"];
    let own = serde_json::to_value(tintype::ProblemKind::ALL)?;
    wanted(*known == own, format!("{known}\n{own}"))
}
