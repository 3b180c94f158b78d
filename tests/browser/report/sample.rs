//! Reports to look at: every status, odd names, known pixels; and one of a thousand frames.

use std::fs;
use std::path::Path;
use tintype_compare::{Heat, compare, difference_picture, flip, heat_picture};
use tintype_golden::report::{
    Cause, Change, Entry, Metric, Report, SceneReport, Status, encode_page, encode_pixels,
    group_failures, picture_names,
};
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, encode_png};

/// Text that a page must show as text and never take for markup or script.
pub(crate) const HOSTILE: &str = "</script><script>window.broken = 1</script><img src=x onerror=\"window.broken = 2\">&amp; {{report}} '\"\u{2028}\u{2029}";

/// The colours of frame 3 of `walk`, golden and new.
pub(crate) const RED: [u8; 4] = [200, 30, 30, 255];
pub(crate) const BLUE: [u8; 4] = [30, 60, 200, 255];

pub(crate) const WALK_SIZE: [u32; 2] = [40, 30];
pub(crate) const ODD_SIZE: [u32; 2] = [33, 17];

pub(crate) fn paint(size: [u32; 2], pixel: impl Fn(u32, u32) -> [u8; 4]) -> Frame {
    let [width, height] = size;
    let rgba = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| pixel(x, y));
    Frame { width, height, rgba: rgba.collect() }
}

/// Noise, the same every time; transparent pixels keep their colour.
pub(crate) fn noise(size: [u32; 2], seed: u32) -> Frame {
    paint(size, |x, y| {
        let mut bits = (x + size[0] * y).wrapping_add(seed).wrapping_mul(0x9e37_79b9);
        bits ^= bits >> 15;
        bits = bits.wrapping_mul(0x85eb_ca6b);
        bits ^= bits >> 13;
        let [r, g, b, a] = bits.to_le_bytes();
        // Smooth parts too, so that every filter of the format is used.
        if y % 3 == 0 { [r, g, b, a] } else { [x as u8 * 3, y as u8 * 5, r >> 5, 250 - x as u8] }
    })
}

/// Golden and new picture of the frame with noise pixels.
pub(crate) fn odd_pair() -> (Frame, Frame) {
    let golden = noise(ODD_SIZE, 1);
    let mut new = golden.clone();
    new.rgba[7 + 33 * 5] = [1, 2, 3, 0];
    new.rgba[20 + 33 * 11] = [255, 0, 128, 3];
    (golden, new)
}

/// Golden and new of a frame of `walk`: a bar that moves; in two frames the new one differs.
pub(crate) fn walk_pair(frame: i64) -> (Frame, Frame) {
    if frame == 3 {
        return (paint(WALK_SIZE, |_, _| RED), paint(WALK_SIZE, |_, _| BLUE));
    }
    let place = frame as u32 * 3;
    let golden = paint(WALK_SIZE, |x, y| {
        if (place..place + 4).contains(&x) {
            [240, 200, 60, 255]
        } else {
            [20, 40 + 4 * y as u8, 90, 255]
        }
    });
    let mut new = golden.clone();
    if frame == 4 {
        new.rgba[10 + 40 * 20] = [255, 255, 255, 255];
        new.rgba[11 + 40 * 21] = [21, 125, 90, 255];
    }
    (golden, new)
}

/// Writes the pictures of an entry below `folder`, and names them in it.
fn add_pictures(
    folder: &Path,
    scene: &str,
    entry: &mut Entry,
    golden: Option<&Frame>,
    new: Option<&Frame>,
) {
    let names = picture_names(scene, entry.frame.unwrap_or(0));
    let png = |frame: &Frame| encode_png(frame, true, PngEffort::Fast, &[]);
    let write = |name: &Option<String>, bytes: &[u8]| {
        let path = folder.join(name.as_ref().unwrap());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    let (golden_png, new_png) = (golden.map(png), new.map(png));
    if let Some(bytes) = &golden_png {
        write(&names.golden, bytes);
        entry.pictures.golden.clone_from(&names.golden);
    }
    if entry.status == Status::Same {
        return;
    }
    if let Some(bytes) = &new_png {
        write(&names.new, bytes);
        entry.pictures.new.clone_from(&names.new);
    }
    if let (Some(golden), Some(new)) = (golden, new) {
        entry.change = compare(golden, new).as_ref().map(Change::from);
        if [golden.width, golden.height] == [new.width, new.height] {
            write(&names.diff, &png(&difference_picture(golden, new)));
            entry.pictures.diff.clone_from(&names.diff);
            if golden != new {
                let map = flip(golden, new);
                let heat = Heat::that_holds(map.largest());
                write(&names.heat, &png(&heat_picture(golden, new, &map, heat)));
                entry.pictures.heat.clone_from(&names.heat);
                entry.heat_top = Some(heat.top);
            }
        }
    }
    entry.size = new.map(|new| [new.width, new.height]);
    let script = names.pixels.clone().unwrap();
    write(
        &names.pixels,
        encode_pixels(&script, golden_png.as_deref(), new_png.as_deref()).as_bytes(),
    );
    entry.pictures.pixels = names.pixels;
}

fn scene(name: &str, path: Option<&str>, fps: f64, frames: Vec<Entry>) -> SceneReport {
    SceneReport {
        name: name.to_owned(),
        path: path.map(str::to_owned),
        line: Some(7),
        fps,
        accept: path.map(|path| format!("tintype bless {path}")),
        seconds: Some(0.25),
        frames,
    }
}

fn entry(frame: i64, status: Status, message: &str, golden: &str) -> Entry {
    Entry {
        golden: Some(golden.to_owned()),
        accept: status.fails().then(|| format!("tintype bless {golden}")),
        ..Entry::new(Some(frame), status, message)
    }
}

/// A report with every status, its page and its pictures below `folder`.
pub(crate) fn every_status(folder: &Path) -> Report {
    let mut walk = Vec::new();
    for frame in 0..12 {
        let (golden, new) = walk_pair(frame);
        let status = if golden == new { Status::Same } else { Status::Different };
        let mut one = entry(frame, status, "they differ", &format!("golden/walk/{frame:04}.png"));
        add_pictures(folder, "walk", &mut one, Some(&golden), Some(&new));
        if status == Status::Different {
            one.cause = Some(Cause {
                stage: "pose".to_owned(),
                text:
                    "pose: joint lowerarm.L turned 3.1° and moved 0.42 (9 joints below it follow)"
                        .to_owned(),
                evidence: vec!["walk.md5anim has changed".to_owned(), "skin follows".to_owned()],
                what: "joint lowerarm.L turned 3.1° and moved 0.42 (9 joints below it follow)"
                    .to_owned(),
                whole: None,
                findings: Vec::new(),
            });
        }
        if frame == 7 {
            one.notes = vec!["textures/imp.png changed, and no pixel did".to_owned()];
        }
        walk.push(one);
    }

    let name = "odd/a b#c?d%25";
    let mut odd = Vec::new();
    let (golden, new) = odd_pair();
    let mut one = entry(0, Status::Different, HOSTILE, HOSTILE);
    one.notes = vec![HOSTILE.to_owned()];
    one.cause = Some(Cause {
        stage: "shading".to_owned(),
        text: HOSTILE.to_owned(),
        evidence: vec![HOSTILE.to_owned()],
        what: HOSTILE.to_owned(),
        whole: None,
        findings: Vec::new(),
    });
    add_pictures(folder, name, &mut one, Some(&golden), Some(&new));
    odd.push(one);
    let mut one =
        entry(1, Status::Different, "33x18 pixels where 33x17 are expected", "golden/odd/0001.png");
    add_pictures(folder, name, &mut one, Some(&golden), Some(&noise([33, 18], 2)));
    odd.push(one);
    let mut one = entry(2, Status::Missing, "the golden is missing", "golden/odd/0002.png");
    add_pictures(folder, name, &mut one, None, Some(&new));
    odd.push(one);
    let mut one = entry(
        -3,
        Status::Unreadable,
        "the golden is unreadable: bell \u{7} and null \0",
        "golden/odd/-003.png",
    );
    add_pictures(folder, name, &mut one, None, Some(&new));
    odd.push(one);
    let mut one = entry(
        4,
        Status::OtherRevision,
        "the golden has pixel revision 0, this program has 1",
        "golden/odd/0004.png",
    );
    add_pictures(folder, name, &mut one, Some(&golden), Some(&golden));
    odd.push(one);
    let mut one = entry(5, Status::Within, "flip 0.01 of 0.02", "golden/odd/0005.png");
    one.rule = "flip <= 0.02".to_owned();
    one.metrics = vec![
        Metric { name: "flip".to_owned(), value: 0.0123, bound: Some(0.02) },
        Metric { name: "ssim".to_owned(), value: f64::NAN, bound: None },
    ];
    add_pictures(folder, name, &mut one, Some(&golden), Some(&new));
    odd.push(one);
    odd.push(Entry {
        accept: None,
        ..entry(6, Status::Skipped, "the run ended first", "golden/odd/0006.png")
    });

    let broken = Entry::new(
        None,
        Status::NotDrawn,
        "mistakes in scenes/broken.toml\n --> scenes/broken.toml:3:1",
    );
    let empty = Entry {
        golden: Some("golden/odd/0007.png".to_owned()),
        accept: None,
        ..Entry::new(Some(7), Status::Empty, "nothing is seen in the picture")
    };
    odd.push(empty);
    let dangling = Entry {
        golden: Some("golden/gone/0000.png".to_owned()),
        accept: Some("tintype bless --prune".to_owned()),
        ..Entry::new(None, Status::Dangling, "no scene uses this golden")
    };
    let mut report = Report {
        program_version: "0.1.0".to_owned(),
        pixel_revision: 1,
        folder: Some("out/report".to_owned()),
        groups: Vec::new(),
        scenes: vec![
            scene("walk", Some("scenes/walk.toml"), 10.0, walk),
            scene(name, Some("scenes/odd/a b#c?d%25.toml"), 29.97, odd),
            SceneReport {
                accept: None,
                ..scene("broken", Some("scenes/broken.toml"), 24.0, vec![broken])
            },
            scene("goldens without a scene", None, 24.0, vec![dangling]),
        ],
    };
    report.groups =
        group_failures(&report.scenes, |_, _| Some("tintype bless --cause x".to_owned()));
    fs::write(folder.join("index.html"), encode_page(&report)).unwrap();
    report
}

/// Ten scenes of a hundred frames of 160x120 each; every twentieth frame differs.
pub(crate) fn thousand_frames(folder: &Path) {
    let scenes = (0..10).map(|number| {
        let name = format!("crowd/scene{number}");
        let frames = (0..100).map(|frame| {
            let golden = paint([160, 120], |x, y| {
                [
                    (x * 3 + number * 20) as u8,
                    (y * 2 + frame as u32) as u8,
                    ((x * y) >> 5) as u8,
                    255,
                ]
            });
            let mut new = golden.clone();
            let status = if frame % 20 == 7 { Status::Different } else { Status::Same };
            if status == Status::Different {
                new.rgba[500..600].fill([255; 4]);
            }
            let mut one =
                entry(frame, status, "they differ", &format!("golden/{name}/{frame:04}.png"));
            add_pictures(folder, &name, &mut one, Some(&golden), Some(&new));
            one
        });
        scene(&name, Some(&format!("scenes/{name}.toml")), 24.0, frames.collect())
    });
    let mut report = Report {
        program_version: "0.1.0".to_owned(),
        pixel_revision: 1,
        folder: None,
        groups: Vec::new(),
        scenes: scenes.collect(),
    };
    report.groups =
        group_failures(&report.scenes, |_, _| Some("tintype bless --cause x".to_owned()));
    fs::write(folder.join("index.html"), encode_page(&report)).unwrap();
}

/// A report without failures.
pub(crate) fn all_passed(folder: &Path) {
    let frames = (0..3).map(|frame| {
        let mut one = entry(frame, Status::Same, "same", "golden/a.png");
        add_pictures(folder, "calm", &mut one, Some(&walk_pair(frame).0), None);
        one
    });
    let mut report = Report {
        program_version: "0.1.0".to_owned(),
        pixel_revision: 1,
        folder: None,
        groups: Vec::new(),
        scenes: vec![scene("calm", Some("scenes/calm.toml"), 24.0, frames.collect())],
    };
    report.groups =
        group_failures(&report.scenes, |_, _| Some("tintype bless --cause x".to_owned()));
    fs::write(folder.join("index.html"), encode_page(&report)).unwrap();
}
