//! Writes the content that tintype ships, the same bytes on every machine.
//!
//! ```text
//! cargo run --release --example generate_content -- scenes/assets
//! ```
//!
//! Input: the folder to write to. Output: models, clips, a camera, their textures in `textures/`,
//! and the scene `mob.toml` beside the folder. Bodies pass through
//! `field -> tetra -> decimate -> charts -> bake`, clips through `rig -> md5_text`, `x_file` and
//! `glb`. Nothing here reads a file; all shapes, paints and motions are functions.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "lattice, texel and vertex numbers are small"
)]
#![allow(clippy::print_stderr, reason = "it is a program")]

mod bake;
mod ball;
mod bind;
mod charts;
mod crane;
mod decimate;
mod field;
mod figure;
mod glb;
mod letters;
mod md5_text;
mod mob;
mod noise;
mod picture;
mod props;
mod ranger;
mod rig;
mod scalar;
mod scarab;
mod tetra;
mod x_file;

use bake::Textures;
use md5_text::{Mesh, anim_file, mesh_file};
use props::Asset;
use rig::{Pose, Rig};
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs, io};

/// Frames per second of all clips.
const RATE: u32 = 24;

fn main() -> ExitCode {
    let Some(folder) = env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: generate_content FOLDER");
        return ExitCode::from(2);
    };
    match write_all(&folder) {
        Ok(total) => {
            eprintln!("{}: {} KiB", folder.display(), total / 1024);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

/// Writes every file and returns their bytes.
fn write_all(folder: &std::path::Path) -> io::Result<usize> {
    fs::create_dir_all(folder.join("materials"))?;
    fs::create_dir_all(folder.join("textures"))?;
    let ((ranger, scarab), props) = rayon::join(|| (ranger(), scarab()), props::assets);
    let mut assets = ranger?;
    assets.extend(scarab?);
    assets.extend(props?);
    assets.push(("crane.md5camera".into(), crane::camera().into_bytes()));
    assets.push(("../mob.toml".into(), mob::scene().into_bytes()));
    let mut total = 0;
    for (name, bytes) in assets {
        total += bytes.len();
        fs::write(folder.join(name), bytes)?;
    }
    Ok(total)
}

fn ranger() -> io::Result<Vec<Asset>> {
    let rig = ranger::rig();
    let (meshes, textures) = ranger::build(&rig);
    let clips = ranger::clips(&rig);
    let twins = ranger::twins(&rig, &meshes, &clips);
    let glb = ranger::glb(&rig, &meshes, &textures, &clips)?;
    let mut assets = figure("ranger", &rig, &meshes, &textures, clips)?;
    assets.extend(twins);
    assets.push(("ranger.glb".into(), glb));
    let eye = ranger::eye_texture().encode(false)?;
    assets.push(("textures/ranger_eyes.png".into(), eye));
    Ok(assets)
}

fn scarab() -> io::Result<Vec<Asset>> {
    let rig = scarab::rig();
    let (meshes, textures) = scarab::build(&rig);
    figure("scarab", &rig, &meshes, &textures, scarab::clips(&rig))
}

/// All files of a figure.
fn figure(
    name: &str,
    rig: &Rig,
    meshes: &[Mesh],
    textures: &Textures,
    clips: Vec<(&str, Vec<Pose>)>,
) -> io::Result<Vec<Asset>> {
    let mut assets = vec![(format!("{name}.md5mesh"), mesh_file(rig, meshes).into_bytes())];
    for (clip, poses) in clips {
        assets.push((clip.into(), anim_file(rig, meshes, RATE, &poses).into_bytes()));
    }
    let pictures = [("", &textures.color), ("_local", &textures.normal), ("_s", &textures.shine)];
    for (suffix, picture) in pictures {
        assets.push((format!("textures/{name}{suffix}.png"), picture.encode(false)?));
    }
    Ok(assets)
}
