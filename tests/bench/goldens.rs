//! Cost of golden images: `cargo bench --bench goldens`.
//!
//! First `tintype test` over more than a hundred golden frames of 160x120 of the shipped scenes:
//! whole processes, with records of the stages. Then a report of a thousand frames in Chromium, if
//! available: until the first paint, and until the page is complete. Medians are printed.
#![allow(clippy::print_stdout, reason = "it is a program")]
#![allow(clippy::unwrap_used, reason = "it stops at the first surprise")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "numbers of known size"
)]
#![allow(dead_code, reason = "the tests use all of these")]

#[path = "../browser/chromium.rs"]
mod chromium;
#[path = "../browser/report/sample.rs"]
mod sample;
#[path = "../support/mod.rs"]
mod support;

use chromium::Browser;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use tempfile::TempDir;

const ROUNDS: usize = 9;

/// The frames of each shipped scene that become golden here.
const FRAMES: [(&str, &str); 6] = [
    ("walk", "0-47x2"),
    ("crane", "0-95x4"),
    ("quartet", "0-47x2"),
    ("lights", "0-23x2"),
    ("material", "0-11"),
    ("mob", "0-11"),
];

fn main() {
    check();
    open();
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn tintype(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tintype"));
    let output = command.args(arguments).current_dir(folder).env_remove("CI").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

/// `tintype test` over more than a hundred frames.
fn check() {
    let folder = TempDir::new().unwrap();
    let scenes = folder.path().join("scenes");
    fs::create_dir(&scenes).unwrap();
    let shipped = Path::new(env!("WORKSPACE_ROOT")).join("scenes");
    let assets = format!("{}/", shipped.join("assets").display());
    for (name, frames) in FRAMES {
        let text = fs::read_to_string(shipped.join(format!("{name}.toml"))).unwrap();
        let (before, _) = text.split_once("[golden]").unwrap();
        let golden = format!("[golden]\nframes = \"{frames}\"\nsize = [160, 120]\n");
        let text = before.replace("\"assets/", &format!("\"{assets}")) + &golden;
        fs::write(scenes.join(format!("{name}.toml")), text).unwrap();
    }
    tintype(folder.path(), &["bless", "--all", "-q"]);
    let mut seconds = Vec::new();
    let mut said = String::new();
    for _ in 0..ROUNDS {
        let started = Instant::now();
        said = tintype(folder.path(), &["test"]);
        seconds.push(started.elapsed().as_secs_f64());
    }
    println!("test, {}: {:.2} s", said.trim(), median(seconds));
}

/// A report of a thousand frames in a browser.
fn open() {
    let Some(program) = support::program("chromium") else {
        println!("there is no `chromium` on the PATH");
        return;
    };
    let browser = Browser::start(&program).unwrap();
    let folder = TempDir::new().unwrap();
    sample::thousand_frames(folder.path());
    let address = format!("file://{}/index.html", folder.path().display());
    let (mut painted, mut complete) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let mut page = browser.open(1400, 900).unwrap();
        page.open(&address).unwrap();
        let number = |page: &mut chromium::Page, text: &str| page.number(text).unwrap();
        painted.push(number(
            &mut page,
            "performance.getEntriesByName('first-contentful-paint')[0].startTime",
        ));
        complete
            .push(number(&mut page, "performance.getEntriesByType('navigation')[0].domComplete"));
    }
    let (painted, complete) = (median(painted), median(complete));
    println!(
        "report of 1,000 frames: painted after {painted:.0} ms, complete after {complete:.0} ms"
    );
}
