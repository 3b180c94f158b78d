//! Draws one frame of a model with its clip and saves it:
//! `cargo run --release --example one_frame`.

#![expect(clippy::print_stderr, reason = "examples report on the terminal")]

use tintype::builder::{ModelBuilder, SceneBuilder};
use tintype::{Error, Renderer};

fn main() -> Result<(), Error> {
    let ranger = ModelBuilder::new("ranger.md5mesh").clip("ranger_walk.md5anim");
    let scene = SceneBuilder::new().size([640, 480]).frame_count(24).model(ranger);
    let renderer = Renderer::build(&scene, "scenes/assets")?;
    for warning in renderer.warnings() {
        eprintln!("{warning}");
    }
    renderer.draw(12)?.save("out/ranger.png")
}
