//! The scene of a hundred figures, with individual clips, times, speeds and headings.
//!
//! Output: the text of `mob.toml`, beside the assets folder. Positions come from a jittered grid,
//! choices from a hash.

use crate::noise::hash_unit;
use std::fmt::Write;

const ROWS: i64 = 10;
const COLUMNS: i64 = 10;
const SPACING: f64 = 1.75;

const HEAD: &str = r##"# A hundred figures on a meadow, two models, five clips. Written by the example `generate_content`.

[output]
size = [1280, 720]
samples = 4
frames = "0-23"
fps = 24
background = { top = "#8fb2cf", bottom = "#e9e2d2" }

[camera]
kind = "look-at"
eye = [17.0, 5.6, 8.0]
target = [0.3, 1.0, -0.4]
fov_deg = 33

[[light]]
kind = "directional"
direction = [-1.0, -1.6, -0.35]
color = "#fff0d8"
intensity = 2.4
shadow = true
shadow_size = 4096
shadow_softness_deg = 1

[[light]]
kind = "hemisphere"
sky = "#9fb8dc"
ground = "#5c5a3c"
intensity = 0.75

[[material]]
name = "models/ranger"
diffuse = "assets/textures/ranger.png"
normal = "assets/textures/ranger_local.png"
specular = "assets/textures/ranger_s.png"
specular_strength = 1.0
shininess = 26

[[material]]
name = "models/gear/ranger"
diffuse = "assets/textures/ranger.png"
normal = "assets/textures/ranger_local.png"
specular = "assets/textures/ranger_s.png"
specular_strength = 1.2
shininess = 40

[[material]]
name = "models/ranger_eyes"
diffuse = "assets/textures/ranger_eyes.png"
emissive = "#0d4a44"
specular_strength = 0.8
shininess = 90

[[material]]
name = "models/scarab"
diffuse = "assets/textures/scarab.png"
normal = "assets/textures/scarab_local.png"
specular = "assets/textures/scarab_s.png"
specular_strength = 1.0
shininess = 48

[[material]]
name = "models/meadow"
diffuse = "assets/textures/meadow.png"
specular_strength = 0.0
"##;

const TAIL: &str = r#"
[[instance]]
model = "meadow"
shadow = false

[golden]
frames = "0,11"
size = [160, 90]
"#;

/// The text of the scene.
pub(crate) fn scene() -> String {
    let mut text = String::from(HEAD);
    text.push_str(
        r#"
[[model]]
name = "ranger"
file = "assets/ranger.md5mesh"
clips = [
    { name = "walk", file = "assets/ranger_walk.md5anim" },
    { name = "idle", file = "assets/ranger_idle.md5anim" },
    { name = "wave", file = "assets/ranger_wave.md5anim" },
]

[[model]]
name = "scarab"
file = "assets/scarab.md5mesh"
clips = [
    { name = "walk", file = "assets/scarab_walk.md5anim" },
    { name = "idle", file = "assets/scarab_idle.md5anim" },
]

[[model]]
name = "meadow"
file = "assets/meadow.md5mesh"
"#,
    );
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            text.push_str(&instance(row, column));
        }
    }
    text.push_str(TAIL);
    text
}

fn instance(row: i64, column: i64) -> String {
    let random = |salt: u32| hash_unit(row, column, 0, salt);
    let place = |step: i64, count: i64, salt: u32| {
        (step as f64 - (count - 1) as f64 * 0.5 + (random(salt) - 0.5) * 0.5) * SPACING
    };
    let ranger = random(1) < 0.6;
    let choices: &[&str] =
        if ranger { &["walk", "walk", "idle", "wave"] } else { &["walk", "walk", "idle"] };
    let clip = choices[(random(2) * choices.len() as f64) as usize];
    let heading = (random(3) - 0.5) * if clip == "walk" { 100.0 } else { 240.0 };
    let scale = 0.9 + 0.2 * random(4);
    let mut text = String::new();
    let _ =
        writeln!(text, "\n[[instance]]\nmodel = \"{}\"", if ranger { "ranger" } else { "scarab" });
    let _ = writeln!(text, "clip = \"{clip}\"\nstart_s = {:.3}", random(5) * 2.0);
    let _ = writeln!(text, "speed = {:.2}", 0.8 + 0.45 * random(6));
    let (x, z) = (place(column, COLUMNS, 7), place(row, ROWS, 8));
    let _ = writeln!(text, "position = [{x:.3}, 0.0, {z:.3}]");
    let _ = writeln!(text, "rotation_deg = [0.0, {heading:.1}, 0.0]\nscale = {scale:.3}");
    text
}
