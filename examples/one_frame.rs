//! Draws one frame of a model with its clip and saves it: `cargo run --release --example one_frame`.

#![expect(clippy::print_stderr, reason = "examples report on the terminal")]

use tintype::builder::ModelBuilder;
use tintype::{Error, FrameNumber, LoadOptions, RasterOptions, Renderer, SceneBuilder, save_png};

fn main() -> Result<(), Error> {
    let ranger = ModelBuilder::new("ranger.md5mesh").clip("ranger_walk.md5anim");
    let scene = SceneBuilder::new().size([640, 480]).model(ranger).build("ranger")?;
    let renderer = Renderer::load(scene, "scenes/assets", &LoadOptions::default())?;
    for warning in renderer.warnings() {
        eprintln!("{warning}");
    }
    let drawn = renderer.draw(FrameNumber(12), RasterOptions::default())?;
    save_png(&drawn.frame, "out/ranger.png")
}
