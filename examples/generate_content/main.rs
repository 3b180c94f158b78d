//! Writes the content that tintype ships: `cargo run --release --example generate_content -- scenes/assets`.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "lattice, texel and vertex numbers are small"
)]

mod bake;
mod ball;
mod bind;
mod charts;
mod decimate;
mod field;
mod figure;
mod md5_text;
mod noise;
mod picture;
mod ranger;
mod rig;
mod scalar;
mod tetra;

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = env::args().nth(1).expect("the folder to write to");
    let folder = Path::new(&folder);
    fs::create_dir_all(folder.join("textures"))?;
    let start = std::time::Instant::now();
    let rig = ranger::rig();
    let (meshes, textures) = ranger::build(&rig);
    eprintln!("{:?} {:?}", start.elapsed(), meshes.iter().map(|m| (m.places.len(), m.vertices.len(), m.triangles.len())).collect::<Vec<_>>());
    fs::write(folder.join("ranger.md5mesh"), md5_text::mesh_file(&rig, &meshes))?;
    for (name, picture) in [("", &textures.color), ("_local", &textures.normal), ("_s", &textures.shine)] {
        fs::write(folder.join(format!("textures/ranger{name}.png")), picture.encode(false)?)?;
    }
    for (name, poses) in ranger::clips(&rig) {
        fs::write(folder.join(name), md5_text::anim_file(&rig, &meshes, 24, &poses))?;
    }
    Ok(())
}
