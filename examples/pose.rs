//! Poses a model and writes the mesh as OBJ:
//! `cargo run --release --example pose -- MODEL [SECONDS]`.

#![expect(clippy::print_stdout, reason = "examples report on the terminal")]

use tintype::{Error, Model};

fn main() -> Result<(), Error> {
    let mut words = std::env::args().skip(1);
    let path = words.next().unwrap_or_else(|| "scenes/assets/ranger.x".to_owned());
    let time_s = words.next().and_then(|word| word.parse().ok()).unwrap_or(0.25);

    let model = Model::open(path)?;
    for clip in model.clips() {
        println!("{}: {} s", clip.name(), clip.period_s());
    }
    let clip = model.clips().next().map(|clip| clip.name());
    let posed = model.pose(clip, time_s)?;
    for (joint, [x, y, z]) in model.joints().zip(posed.matrices()) {
        println!("{}: at {}, {}, {}", joint.name(), x[3], y[3], z[3]);
    }
    posed.save_obj("out/posed.obj")
}
