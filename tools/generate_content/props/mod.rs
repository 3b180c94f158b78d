//! Still objects: a globe, a row of beads, a fern, a lantern, a window, a halo, a meadow, a row of
//! stands, balls of glass and metal, a bear cub in two tones.
//!
//! Output: one `.md5mesh` each, with one joint, or one `.x` or glTF file, and their textures; and a
//! `.mtr` file of their materials. Each shows one feature of a renderer: true normals, highlights,
//! emission, stencils, blending, repeated textures, nested frames.

mod cub;
mod fern;
mod globe;
mod lantern;
mod library;
mod light;
mod meadow;
mod stand;
mod vitrine;

use crate::md5_text::{Mesh, mesh_file};
use crate::picture::Picture;
use crate::rig::Rig;
use glam::DVec3;
use std::io;

/// A file of the content: its name below the assets folder, and its bytes.
pub(crate) type Asset = (String, Vec<u8>);

/// All files of all props.
pub(crate) fn assets() -> io::Result<Vec<Asset>> {
    let mut assets = globe::assets()?;
    assets.extend(fern::assets()?);
    assets.extend(lantern::assets()?);
    assets.extend(light::assets()?);
    assets.extend(meadow::assets()?);
    assets.extend(stand::assets()?);
    assets.push(vitrine::asset()?);
    assets.push(cub::asset()?);
    assets.push(library::asset());
    Ok(assets)
}

/// The mesh file of a thing with a single joint.
fn thing(name: &str, joint: DVec3, meshes: &[Mesh]) -> Asset {
    let mut rig = Rig::default();
    rig.add(name, "", joint, DVec3::X);
    (format!("{name}.md5mesh"), mesh_file(&rig, meshes).into_bytes())
}

fn texture(name: &str, picture: &Picture, with_alpha: bool) -> io::Result<Asset> {
    Ok((format!("textures/{name}.png"), picture.encode(with_alpha)?))
}
