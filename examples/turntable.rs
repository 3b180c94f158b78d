//! Draws a turntable of a walking model as PNG files; frames that are up to date are not drawn
//! again: `cargo run --release --example turntable`.

#![expect(clippy::print_stdout, reason = "examples report on the terminal")]

use std::ops::ControlFlow;
use tintype::{Error, Model, SaveOptions};

fn main() -> Result<(), Error> {
    let scarab = Model::open("scenes/assets/scarab.md5mesh")?;
    let renderer = scarab.turntable().size([256, 256]).frames(36).renderer()?;
    let mut show = |done: usize| {
        println!("{done} frames");
        ControlFlow::Continue(())
    };
    let options = SaveOptions::new().progress(&mut show);
    let report = renderer.save_with("out/scarab/####.png", options)?;
    println!("{} drawn, {} up to date", report.written, report.present);
    Ok(())
}
