//! Up and front of real models: a table of answers that were read off their pictures.

use crate::support::{trial, with_models};
use libtest_mimic::Failed;
use std::path::Path;
use tintype_formats::LoadOptions;
use tintype_framing::ModelAxes;
use tintype_render::asset::load as load_assets;
use tintype_scene::SceneBuilder;
use tintype_scene::builder::ModelBuilder;

/// Files below the folder of models, with the axes of each file that point up and ahead.
const ANSWERS: &[(&str, &str, &str)] = &[
    ("md5/chess/dominog.md5mesh", "z", "-y"),
    ("md5/chess/fool.md5mesh", "z", "-y"),
    ("md5/chess/king.md5mesh", "z", "-y"),
    ("md5/chess/pawn.md5mesh", "z", "-y"),
    ("md5/oreon/OreoBuilder.md5mesh", "z", "-y"),
    ("md5/oreon/OreoGuard.md5mesh", "z", "-y"),
    ("md5/pulserifle/pulserifle.md5mesh", "z", "x"),
    ("md5/robot/Robot.md5mesh", "z", "x"),
    ("md5/simplecube/SimpleCube.md5mesh", "z", "x"),
    ("md5/wiggle/Quad.md5mesh", "z", "x"),
    ("md5/wiggle/Wiggle.md5mesh", "z", "x"),
    ("x/assimp/BCN_Epileptic.X", "y", "-z"),
    ("x/assimp/Testwuson.X", "y", "-z"),
    ("x/assimp/anim_test.x", "y", "-z"),
    ("x/dbp/alien.X", "y", "-z"),
    ("x/dbp/extraanim.X", "y", "-z"),
    ("x/dbp/model.X", "y", "-z"),
    ("x/minetest/character.x", "y", "z"),
    ("x/minetest/mobs_oerkki.x", "y", "z"),
    ("x/minetest/mobs_sand_monster.x", "y", "z"),
    ("x/minetest/mobs_sheep.x", "y", "z"),
    ("x/ms/bat/bat.x", "y", "-z"),
    ("x/ms/dwarf/Dwarf.x", "y", "-z"),
    ("x/ms/evildrone/EvilDrone-low.x", "y", "-z"),
    ("x/ms/misc/Cube.x", "y", "-z"),
    ("x/ms/misc/heli.x", "y", "-z"),
    ("x/ms/misc/tiger.x", "y", "-z"),
    ("x/ms/multianim/tiny_4anim.x", "z", "-y"),
    ("x/ms/prt/wall_with_pillars.x", "y", "-z"),
    ("x/ms/statemanager/rock.x", "y", "-z"),
    ("x/ms/tiny/tiny.x", "y", "-z"),
    ("x/synthetic/wuson_bzip32.x", "y", "-z"),
];

/// Shipped models: the `.x` files are written with the axes of their MD5 twin, and face +X.
const SHIPPED: &[(&str, &str, &str)] = &[
    ("ranger.md5mesh", "z", "x"),
    ("scarab.md5mesh", "z", "x"),
    ("globe.md5mesh", "z", "x"),
    ("lantern.md5mesh", "z", "x"),
    ("fern.md5mesh", "z", "x"),
    ("ranger.x", "y", "x"),
    ("ranger_bzip.x", "y", "x"),
];

/// The axes that are found for a file.
fn axes_of(path: &Path) -> Result<[&'static str; 2], Failed> {
    let name = path.file_name().and_then(|name| name.to_str()).ok_or("a name")?;
    let scene = SceneBuilder::new().model(ModelBuilder::new(name)).build("axes")?;
    let folder = path.parent().ok_or("a folder")?;
    let assets = load_assets(&scene, folder, &LoadOptions::default())?;
    let found = ModelAxes::of(&assets.models[0], None).ok_or("axes that the scene names")?;
    Ok([found.up.word(), found.front.word()])
}

fn check(folder: &Path, answers: &[(&str, &str, &str)]) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for (file, up, front) in answers {
        let found = axes_of(&folder.join(file))?;
        if found != [*up, *front] {
            wrong.push(format!("{file}: {found:?}, expected {:?}", [up, front]));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

#[trial]
fn axes_of_shipped_models_are_found() -> Result<(), Failed> {
    check(&Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets"), SHIPPED)
}

#[trial(with_models)]
fn axes_of_real_models_are_found(folder: &Path) -> Result<(), Failed> {
    check(folder, ANSWERS)
}
