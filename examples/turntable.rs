//! Draws a turntable of a walking model as PNG files; frames that are up to date are not drawn again:
//! `cargo run --release --example turntable`.

#![expect(clippy::print_stdout, reason = "examples report on the terminal")]

use tintype::builder::{CameraBuilder, ModelBuilder};
use tintype::{Error, FrameList, FramePattern, LoadOptions, SceneBuilder};
use tintype_host::job::{Event, JobContext, Outputs, SequenceJob};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scarab = ModelBuilder::new("scarab.md5mesh").clip("scarab_walk.md5anim");
    let scene = SceneBuilder::new()
        .size([256, 256])
        .frames(&FrameList::parse("0-35")?)
        .camera(CameraBuilder::orbit().azimuth_range_deg(0.0, 360.0))
        .model(scarab)
        .build("scarab")?;
    let assets = tintype::load_assets(&scene, "scenes/assets", &LoadOptions::default())?;

    let pool = rayon::ThreadPoolBuilder::new().build()?;
    let outputs = Outputs::files(FramePattern::parse("out/scarab/####.png")?);
    let mut show = |event: &Event<'_>| {
        if let Event::Drawn(drawn) = event {
            println!("frame {}", drawn.number);
        }
    };
    let job = SequenceJob::new(scene, assets, outputs);
    let report = job.run(&JobContext::new(&pool), &mut show)?.into_result().map_err(Error::from)?;
    println!("{} drawn, {} up to date", report.written, report.present);
    Ok(())
}
