//! Our pictures compared with those of OpenGL on Mesa's llvmpipe: same content, same light model,
//! same frames of a turn.
//!
//! The folder in `TINTYPE_BENCH` contains the content, the program that draws it there, and the
//! description of both. Edges are left out, because each program may draw them differently; away
//! from them codes differ by rounding and by the 8-bit filter of a texture unit. Another test
//! checks that the measure detects a truly different picture.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "tests make numbers of known size"
)]

use crate::support::command::{tintype, wanted};
use crate::support::{cannot_run, outside, program, trials};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use tempfile::TempDir;
use tintype_model::frame::Frame;
use tintype_output::decode_png;

/// Number of frames of the turn; the clip advances by one of its frames with each.
const TURN: usize = 6;

/// Writes the content of two sizes and their common texture.
const CONTENT: &str = r#"
import os, struct, sys
bench, out = sys.argv[1:]
sys.path.insert(0, bench)
import mkmesh, numpy
from PIL import Image
texture = mkmesh.texture()
Image.fromarray(texture).save(os.path.join(out, "skin.png"))
texels = numpy.full(texture.shape[:2] + (4,), 255, numpy.uint8)
texels[..., :3] = texture
height, width = texture.shape[:2]
with open(os.path.join(out, "skin.rgba"), "wb") as file:
    file.write(struct.pack("<II", width, height) + texels.tobytes())
bind, world, skin = mkmesh.joints()
for name, around, along in (("m5k", 160, 16), ("m70k", 700, 50)):
    place, normal, uv, joint, weight, index = mkmesh.build(around, along)
    stem = os.path.join(out, name)
    mkmesh.write_nmesh(stem + ".nmesh", place, normal, uv, joint, weight, index, skin)
    mkmesh.write_md5(stem, place, uv, joint, weight, index, bind, world, "skin.png")
"#;

/// A pair of pictures to compare.
#[derive(Clone, Copy, Debug)]
struct Case {
    mesh: &'static str,
    size: [u32; 2],
    samples: u32,
    /// Maximum fraction of the compared pixels that may be off by more than two codes.
    off: f64,
}

const CASES: [Case; 4] = [
    Case { mesh: "m5k", size: [512, 512], samples: 1, off: 0.02 },
    Case { mesh: "m5k", size: [512, 512], samples: 4, off: 0.04 },
    Case { mesh: "m70k", size: [1280, 720], samples: 1, off: 0.02 },
    Case { mesh: "m70k", size: [1280, 720], samples: 4, off: 0.04 },
];

/// The content and the other program, made once.
static MADE: LazyLock<Result<TempDir, String>> =
    LazyLock::new(|| make().map_err(|e| e.to_string()));

fn bench() -> Option<PathBuf> {
    std::env::var_os("TINTYPE_BENCH").map(PathBuf::from)
}

/// A Python that has what the content is made with.
fn python() -> Option<&'static str> {
    ["/usr/bin/python3", "python3"].into_iter().find(|python| {
        let imports = Command::new(python).args(["-c", "import numpy, PIL"]).output();
        imports.is_ok_and(|output| output.status.success())
    })
}

/// The first requirement of the comparison that this machine lacks.
fn missing() -> Option<&'static str> {
    let has = |file: &str| Path::new(file).is_file();
    if bench().is_none() {
        return Some("TINTYPE_BENCH is not set");
    }
    if program("gcc").is_none() {
        return Some("gcc is not on the PATH");
    }
    let headers = ["EGL/egl.h", "GL/glcorearb.h", "png.h"];
    if !headers.iter().all(|name| has(&format!("/usr/include/{name}"))) {
        return Some("headers of EGL, OpenGL or libpng are not installed");
    }
    if !has("/usr/share/glvnd/egl_vendor.d/50_mesa.json") {
        return Some("EGL of Mesa is not installed");
    }
    if python().is_none() {
        return Some("no python3 has numpy and PIL");
    }
    None
}

fn done(output: std::io::Result<Output>) -> Result<Output, String> {
    let output = output.map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(output) } else { Err(format!("{}\n{text}", output.status)) }
}

fn make() -> Result<TempDir, String> {
    let bench = bench().ok_or("TINTYPE_BENCH is not set")?;
    let folder = TempDir::new().map_err(|e| e.to_string())?;
    let python = python().ok_or("no python3 has numpy and PIL")?;
    let python = Command::new(python)
        .args(["-c", CONTENT])
        .args([&bench, folder.path()])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output();
    done(python)?;
    let compiler = Command::new("gcc")
        .arg("-O1")
        .arg(bench.join("glpeer.c"))
        .arg("-o")
        .arg(folder.path().join("glpeer"))
        .args(["-lpng", "-lz", "-ldl", "-lm"])
        .output();
    done(compiler)?;
    Ok(folder)
}

/// The content as a scene of ours. The files have z up: `(x, y, z)` is our `(x, z, -y)`.
fn scene_of(mesh: &str, folder: &Path) -> String {
    let head = fs::read(folder.join(format!("{mesh}.nmesh"))).unwrap();
    let numbers: Vec<f32> =
        head[24..72].as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    let [ex, ey, ez, tx, ty, tz, _, _, _, fov, near, far] = numbers[..] else {
        unreachable!("twelve numbers")
    };
    format!(
        r#"ambient = [0.06, 0.06, 0.07]
[output]
frames = "0-{}"
fps = 24
background = "transparent"
[camera]
kind = "look-at"
eye = [{ex:?}, {ez:?}, {:?}]
target = [{tx:?}, {tz:?}, {:?}]
fov_deg = {fov:?}
near = {near:?}
far = {far:?}
[[light]]
kind = "directional"
direction = [0.5, -0.9, -0.8]
color = [0.9, 0.85, 0.75]
intensity = 1.0
[[light]]
kind = "directional"
direction = [-0.9, -0.2, -0.3]
color = [0.25, 0.3, 0.4]
intensity = 1.0
[[material]]
name = "skin.png"
diffuse = "skin.png"
cull = "back"
specular_strength = 0.25
shininess = 40
[[model]]
name = "knot"
file = "{mesh}.md5mesh"
clips = [{{ name = "wave", file = "{mesh}.md5anim" }}]
[[instance]]
model = "knot"
clip = "wave"
rotation_deg = [0, {{ from = 0, to = 360 }}, 0]
"#,
        TURN - 1,
        -ey,
        -ty,
    )
}

fn picture(path: &Path) -> Result<Frame, Failed> {
    let bytes = crate::support::read(path)?;
    Ok(decode_png(&bytes).map_err(|e| format!("{}: {e}", path.display()))?.0)
}

/// Frames of both programs, and the depth of what ours show.
struct Pictures {
    ours: Vec<Frame>,
    depth: Vec<Frame>,
    theirs: Vec<Frame>,
}

fn draw(case: Case) -> Result<Pictures, Failed> {
    let Case { mesh, size: [width, height], samples, .. } = case;
    let folder = MADE.as_ref()?.path();
    let name = format!("{mesh}-{samples}");
    let (scene, out) = (format!("{name}.toml"), folder.join(&name));
    fs::create_dir(&out)?;
    fs::write(folder.join(&scene), scene_of(mesh, folder))?;

    // 1. Ours.
    let (size, count) = (format!("{width}x{height}"), samples.to_string());
    let pattern = format!("{name}/ours.####.png");
    let arguments = ["render", &scene, "--size", &size, "--samples", &count];
    let rest = ["-o", &pattern, "--aov", "depth"];
    wanted(&tintype(folder, &[&arguments[..], &rest].concat()), 0, "0 warnings")?;

    // 2. Theirs.
    let samples = if samples == 1 { 0 } else { samples };
    let peer = Command::new(folder.join("glpeer"))
        .current_dir(folder)
        .args(["--mesh", &format!("{mesh}.nmesh"), "--tex", "skin.rgba", "--out", &name])
        .args(["--w", &width.to_string(), "--h", &height.to_string(), "--png", "libpng"])
        .args(["--msaa", &samples.to_string(), "--frames", &TURN.to_string()])
        .args(["--warm", "0", "--nocount", "--quiet"])
        .env("GALLIUM_DRIVER", "llvmpipe")
        .output();
    let told = done(peer)?.stdout;
    let told = String::from_utf8_lossy(&told);
    if !told.contains("llvmpipe") {
        return Err(format!("another renderer than llvmpipe: {told}").into());
    }

    let list = |file: &dyn Fn(usize) -> String| -> Result<Vec<Frame>, Failed> {
        (0..TURN).map(|frame| picture(&out.join(file(frame)))).collect()
    };
    Ok(Pictures {
        ours: list(&|frame| format!("ours.{frame:04}.png"))?,
        depth: list(&|frame| format!("ours.{frame:04}.depth.png"))?,
        theirs: list(&|frame| format!("f{frame:04}.png"))?,
    })
}

/// The pixels covered wholly by the model in both pictures, with all their neighbours, and without
/// a step in depth among these. Also the number of pixels covered at all.
fn plain_pixels(ours: &Frame, depth: &Frame, theirs: &Frame) -> (Vec<[u32; 2]>, usize) {
    /// Between neighbours on a surface that is not seen from its edge, in codes of the depth view.
    const STEP: u8 = 6;
    let solid = |x: u32, y: u32| ours.pixel(x, y)[3] == 255 && theirs.pixel(x, y)[3] == 255;
    let (mut plain, mut covered) = (Vec::new(), 0);
    for y in 1..ours.height - 1 {
        for x in 1..ours.width - 1 {
            covered += usize::from(solid(x, y));
            let around = (0..9).map(|k| (x + k % 3 - 1, y + k / 3 - 1));
            let depths = around.clone().map(|(x, y)| depth.pixel(x, y)[0]);
            let step = depths.clone().max().unwrap() - depths.min().unwrap();
            if step <= STEP && around.clone().all(|(x, y)| solid(x, y)) {
                plain.push([x, y]);
            }
        }
    }
    (plain, covered)
}

/// Differences of two pictures over some pixels.
#[derive(Clone, Copy, Debug)]
struct Apart {
    /// Mean absolute difference of red, green and blue, in codes.
    mean: f64,
    /// The fraction of pixels with a channel off by more than two codes.
    off: f64,
}

fn apart(pixels: &[[u32; 2]], ours: &dyn Fn(u32, u32) -> [u8; 4], theirs: &Frame) -> Apart {
    let (mut sum, mut off) = (0, 0);
    for &[x, y] in pixels {
        let (a, b) = (ours(x, y), theirs.pixel(x, y));
        let differences = [0, 1, 2].map(|k| a[k].abs_diff(b[k]));
        let most = differences.into_iter().max().unwrap();
        sum += differences.map(u64::from).iter().sum::<u64>();
        off += usize::from(most > 2);
    }
    let count = pixels.len() as f64;
    Apart { mean: sum as f64 / (3.0 * count), off: off as f64 / count }
}

#[expect(clippy::print_stdout, reason = "the figures are what the trial is for")]
fn pictures_are_alike(case: Case) -> Result<(), Failed> {
    let Pictures { ours, depth, theirs } = draw(case)?;
    for frame in 0..TURN {
        let (ours, theirs) = (&ours[frame], &theirs[frame]);
        let (pixels, covered) = plain_pixels(ours, &depth[frame], theirs);
        let share = pixels.len() as f64 / covered as f64;
        let found = apart(&pixels, &|x, y| ours.pixel(x, y), theirs);
        println!("{case:?}, frame {frame}: {covered} pixels, {share:.3} compared, {found:?}");
        if covered < 20_000 || share < 0.85 {
            return Err(format!("frame {frame}: {covered} pixels, {share} of them plain").into());
        }
        if found.mean >= 1.0 || found.off > case.off {
            return Err(format!("frame {frame} of {case:?}: {found:?}").into());
        }

        // The same measure must detect a different picture: moved by half a pixel, or darker by 2
        // %.
        let half = |x, y| {
            let (a, b): ([u8; 4], [u8; 4]) = (ours.pixel(x, y), ours.pixel(x + 1, y));
            [0, 1, 2, 3].map(|k| u8::midpoint(a[k], b[k]))
        };
        let dark = |x, y| ours.pixel(x, y).map(|code: u8| (f64::from(code) * 0.98).round() as u8);
        for (what, told) in [
            ("half a pixel", apart(&pixels, &half, theirs)),
            ("2 %", apart(&pixels, &dark, theirs)),
        ] {
            println!("{what}: {told:?}");
            if told.mean < 1.5 {
                return Err(
                    format!("frame {frame} of {case:?}: {what} is not told: {told:?}").into()
                );
            }
        }
    }
    Ok(())
}

#[trials]
fn of_each_case() -> Result<Vec<Trial>, String> {
    let trials = CASES.map(|case| {
        let [width, height] = case.size;
        let name = format!("peer_{}_{width}x{height}_{}_samples", case.mesh, case.samples);
        outside(match missing() {
            Some(missing) => cannot_run(name, missing),
            None => Trial::test(name, move || pictures_are_alike(case)),
        })
    });
    Ok(trials.into())
}
