//! Pictures of glTF models compared with those of three.js: the same camera, environment and tone
//! mapping.

use crate::gltf::three;
use crate::held::Held;
use crate::support::{cannot_run, outside, trials};
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tintype_formats::LoadOptions;
use tintype_model::frame::Frame;
use tintype_output::decode_png;
use tintype_raster::RasterOptions;
use tintype_render::Renderer;
use tintype_render::asset::load_gltf;
use tintype_scene::FrameNumber;
use tintype_scene::parse_scene;

/// Pixels per side as drawn; pictures are compared at half of it.
const SIDE: usize = 512;
/// Azimuth and elevation of the cameras, one for each environment, in degrees; azimuth 0 looks from
/// +Z.
const CAMERAS: [[f64; 2]; 2] = [[35.0, 12.0], [205.0, 35.0]];
const FOV_DEG: f64 = 35.0;
/// Maximum difference of interiors, as root mean square of codes, and minimum overlap of
/// silhouettes.
const MAX_CODES: f64 = 6.0;
const MIN_OVERLAP: f64 = 0.995;
/// Models that three.js draws otherwise, by the start of their path, and the reason.
const DRAWN_OTHERWISE: [(&str, &str); 18] = [
    ("asset-generator/Animation_Skin", POSED_NORMALS),
    ("asset-generator/Instancing/Instancing_08", POSED_NORMALS),
    ("synthetic/SkinMorph", POSED_NORMALS),
    ("asset-generator/Texture_Sampler", NO_MIPS),
    ("assimp/MorphPrimitivesTest", NO_MIPS),
    ("assimp/TextureTransformTest", NO_MIPS),
    ("ozz-animation/cesium_man", NO_MIPS),
    ("assimp/BoxBadNormals", "normals of no length: three.js gives no number"),
    ("glTF-Blender-IO/01_unlit", "three.js blends codes, and here light is blended"),
    (
        "glTF-Blender-IO/01_color_attribute",
        "the table of reflectances of three.js ends at a roughness of 0.97: coloured metal of roughness 1 is 5 % brighter",
    ),
    ("glTF-Blender-IO/09_texture_transform", FROM_THE_SIDE),
    (
        "glTF-Blender-IO/15_transmission",
        "behind a transparent background glass is solid here and shows the environment, and three.js leaves it half clear before white",
    ),
    ("glTF-Blender-IO/24_gpu_instancing", "three.js draws no instances of a mesh"),
    ("ozz-animation/interpolation_test", "its texture is not there"),
    ("assimp/ClearCoatTest", "mirrors with fine relief differ along its edges: up to 6.2 codes"),
    ("glTF-Blender-IO/01_metallic_sphere", MIRROR),
    ("glTF-Blender-IO/10_custom_normals", MIRROR),
    ("glTF-Blender-IO/22_vertex_color", "its lines and points are drawn by three.js alone"),
];
const POSED_NORMALS: &str = "without normals three.js takes those of the posed triangles, and here those of the bind pose are posed";
const MIRROR: &str = "three.js blurs what a surface of roughness 0 mirrors as if it were 0.0525";
const FROM_THE_SIDE: &str = "metal of roughness 0.5 that is seen at 12 degrees is 22 to 30 codes darker in three.js than the sum over all texels, and here within 1";
const NO_MIPS: &str = "its sampler has no mip levels, which are always used here";
/// Models with a texture outside their folder, which is not read.
const OUTSIDE: &str = "synthetic/BoxQuantized";

/// The browser with three.js.
struct Browser {
    child: Child,
    /// None once it should end.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Browser {
    fn start(node: &Path, reference: &Path, chromium: &Path) -> Result<Self, Failed> {
        let script = Path::new(env!("WORKSPACE_ROOT")).join("tests/reference/gltf_pictures.mjs");
        let mut child = Command::new(node)
            .arg(script)
            .args([reference, chromium])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Self { child, input, output })
    }

    fn ask(&mut self, request: &Value) -> Result<Value, Failed> {
        writeln!(self.input.as_ref().ok_or("no input")?, "{request}")?;
        let mut answer = String::new();
        self.output.read_line(&mut answer)?;
        let answer: Value = serde_json::from_str(&answer)?;
        match answer["error"].as_str() {
            Some(error) => Err(format!("three.js: {error}").into()),
            None => Ok(answer),
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        /// Time within which it must end.
        const PATIENCE: Duration = Duration::from_secs(20);
        // It closes the browser when its input ends; killed at once, it would leave the browser
        // running.
        self.input = None;
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Inputs used by all trials.
struct Bench {
    browser: Mutex<Option<Browser>>,
    node: PathBuf,
    reference: PathBuf,
    chromium: PathBuf,
    environments: [PathBuf; 2],
    folder: tempfile::TempDir,
}

/// A picture at half its size: the code of each colour, averaged in linear light, the coverage, and
/// whether it is covered in full.
struct Halved {
    codes: Vec<[f64; 3]>,
    coverage: Vec<f64>,
    is_full: Vec<bool>,
}

fn halved(frame: &Frame) -> Halved {
    let linear = |code: u8| {
        let value = f64::from(code) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let code = |value: f64| {
        255.0
            * if value <= 0.003_130_8 {
                value * 12.92
            } else {
                1.055 * value.powf(1.0 / 2.4) - 0.055
            }
    };
    let half = SIDE / 2;
    let mut found = Halved { codes: Vec::new(), coverage: Vec::new(), is_full: Vec::new() };
    for at in 0..half * half {
        let corner = (at / half) * 2 * SIDE + (at % half) * 2;
        let four = [0, 1, SIDE, SIDE + 1].map(|step| frame.rgba[corner + step]);
        let mean = |of: &dyn Fn([u8; 4]) -> f64| four.map(of).iter().sum::<f64>() / 4.0;
        found.codes.push([0, 1, 2].map(|channel| code(mean(&|pixel| linear(pixel[channel])))));
        found.coverage.push(mean(&|pixel| f64::from(pixel[3]) / 255.0));
        found.is_full.push(four.iter().all(|pixel| pixel[3] == 255));
    }
    found
}

/// Root mean square difference of interiors, and the overlap of the silhouettes; 0 and 1 for two
/// empty pictures. A pixel is in one silhouette alone if more than half of it is covered by that
/// one alone: samples of edges differ between programs.
fn compared(ours: &Halved, theirs: &Halved) -> [f64; 2] {
    let half = SIDE / 2;
    let is_inside = |at: usize| {
        let (x, y) = (at % half, at / half);
        let inner = 1..half - 1;
        let around =
            [-1_isize, 0, 1].map(|dy| [-1_isize, 0, 1].map(|dx| dy * half.cast_signed() + dx));
        inner.contains(&x)
            && inner.contains(&y)
            && around.into_iter().flatten().all(|step| {
                let at = at.wrapping_add_signed(step);
                ours.is_full[at] && theirs.is_full[at]
            })
    };
    let (mut squares, mut count, mut shared, mut all) = (0.0, 0.0, 0.0, 0.0);
    for at in 0..half * half {
        let (a, b) = (ours.coverage[at], theirs.coverage[at]);
        if a.at_least(b) >= 0.5 {
            all += 1.0;
            shared += f64::from(u8::from((a - b).abs() <= 0.5));
        }
        if is_inside(at) {
            for channel in 0..3 {
                let off = ours.codes[at][channel] - theirs.codes[at][channel];
                squares += off * off;
                count += 1.0;
            }
        }
    }
    let codes = if count > 0.0 { (squares / count).sqrt() } else { 0.0 };
    [codes, if all > 0.0 { shared / all } else { 1.0 }]
}

impl Bench {
    /// The picture of three.js, and where its camera is.
    fn theirs(&self, request: &Value, out: &Path) -> Result<(Frame, Value), Failed> {
        let mut browser = self.browser.lock().unwrap_or_else(PoisonError::into_inner);
        if browser.is_none() {
            *browser = Some(Browser::start(&self.node, &self.reference, &self.chromium)?);
        }
        let camera = browser.as_mut().ok_or("no browser")?.ask(request)?;
        Ok((decode_png(&std::fs::read(out)?)?.0, camera))
    }

    /// The comparison of one camera in one environment.
    fn compare(
        &self,
        model: &Path,
        environment: &Path,
        camera: [f64; 2],
    ) -> Result<[f64; 2], Failed> {
        let name = format!("{:x}.png", crc32fast::hash(model.display().to_string().as_bytes()));
        let out = self.folder.path().join(name);
        let [azimuth, elevation] = camera;
        let request = json!({
            "model": model, "hdr": environment, "out": out, "size": SIDE,
            "azimuth": azimuth, "elevation": elevation, "fov": FOV_DEG,
        });
        let (theirs, camera) = self.theirs(&request, &out)?;
        let text = format!(
            "[output]\nsize = [{SIDE}, {SIDE}]\nbackground = \"transparent\"\n\
             [camera]\nkind = \"look-at\"\neye = {}\ntarget = {}\nnear = {:.9}\nfov_deg = {FOV_DEG}\n\
             [environment]\nfile = {}\n[[model]]\nname = \"m\"\nfile = {}\n\
             [[instance]]\nmodel = \"m\"\nclip = \"bind\"\n",
            camera["eye"],
            camera["target"],
            camera["near"].as_f64().ok_or("no near")?,
            json!(environment),
            json!(model)
        );
        let scene = parse_scene(&text, "scene")?;
        let renderer = Renderer::load(scene, "", &LoadOptions::default())?;
        let ours = renderer.draw(FrameNumber(0), RasterOptions::default())?.frame;
        Ok(compared(&halved(&ours), &halved(&theirs)))
    }

    fn agrees(&self, model: &Path) -> Result<(), Failed> {
        let mut table = String::new();
        let mut is_close = true;
        for (environment, camera) in self.environments.iter().zip(CAMERAS) {
            let [codes, overlap] = self.compare(model, environment, camera)?;
            is_close &= codes < MAX_CODES && overlap >= MIN_OVERLAP;
            let name = environment.file_stem().unwrap_or_default().display();
            writeln!(table, "{name} {camera:?}: {codes:.2} codes, overlap {overlap:.4}")?;
        }
        if is_close { Ok(()) } else { Err(table.into()) }
    }
}

/// A dim room with four coloured lamps, as a Radiance picture without run lengths.
fn lamps() -> Vec<u8> {
    const LAMPS: [([f64; 3], [f64; 3], f64); 4] = [
        ([0.788, 0.473, 0.394], [6.0, 4.5, 3.0], 0.90),
        ([-0.766, 0.287, 0.575], [1.2, 2.0, 4.0], 0.85),
        ([0.098, 0.195, -0.976], [3.0, 3.0, 2.5], 0.92),
        ([0.0, 1.0, 0.0], [1.5, 1.5, 1.5], 0.80),
    ];
    use std::f64::consts::{PI, TAU};
    let (width, height) = (1024_u32, 512_u32);
    let mut bytes =
        format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n").into_bytes();
    for at in 0..width * height {
        let u = (f64::from(at % width) + 0.5) / f64::from(width);
        let v = (f64::from(at / width) + 0.5) / f64::from(height);
        let (level, turn) = ((0.5 - v) * PI, (u - 0.5) * TAU);
        let direction = [level.cos() * turn.cos(), level.sin(), level.cos() * turn.sin()];
        let mut light = [0.25, 0.27, 0.32].map(|base| base * (0.6 + 0.4 * direction[1]));
        for (toward, color, edge) in LAMPS {
            let along: f64 = direction.iter().zip(toward).map(|(a, b)| a * b).sum();
            let share = ((along - edge) / (1.0 - edge) * 3.0).within(0.0, 1.0);
            light = [0, 1, 2].map(|channel| light[channel] + share * color[channel]);
        }
        let most = light.into_iter().fold(1e-9, Held::at_least);
        let exponent = most.log2().floor() + 1.0;
        bytes.extend(light.map(|value| (value * (8.0 - exponent).exp2()) as u8));
        bytes.push((exponent + 128.0) as u8);
    }
    bytes
}

/// True if three.js draws all materials of a file by the metallic-roughness model.
fn is_comparable(path: &Path) -> bool {
    let Ok(bytes) = std::fs::read(path) else { return false };
    let glossy = b"KHR_materials_pbrSpecularGlossiness";
    if bytes.windows(glossy.len()).any(|part| part == glossy) {
        return false;
    }
    let loaded = load_gltf(&bytes, path, "", &LoadOptions::default());
    loaded.is_ok_and(|file| !file.loaded.value.model.meshes.is_empty())
}

#[trials]
fn of_each_file() -> Result<Vec<Trial>, String> {
    let chromium = ["chromium", "chromium-browser"].into_iter().find_map(crate::support::program);
    let (Some(models), Ok((node, reference)), Some(chromium)) =
        (crate::support::models_dir(), three(), chromium)
    else {
        let missing =
            three().err().unwrap_or("there is no `chromium`, or TINTYPE_MODELS is not set");
        return Ok(vec![outside(cannot_run("gltf_pictures_agree_with_three", missing))]);
    };
    let temporary = tempfile::tempdir().map_err(|error| error.to_string())?;
    let generated = temporary.path().join("lamps.hdr");
    std::fs::write(&generated, lamps()).map_err(|error| error.to_string())?;
    let bench = Arc::new(Bench {
        browser: Mutex::new(None),
        node,
        reference,
        chromium,
        environments: [models.join("env/dresden_square_1k.hdr"), generated],
        folder: temporary,
    });
    let folder = models.join("gltf");
    let mut trials = Vec::new();
    for path in crate::support::files(&folder, &["gltf", "glb"])? {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        let is_damaged = name.contains("invalid/") || name.contains("validator");
        if is_damaged
            || name.starts_with(OUTSIDE)
            || DRAWN_OTHERWISE.iter().any(|(known, _)| name.starts_with(known))
        {
            continue;
        }
        if is_comparable(&path) {
            let bench = Arc::clone(&bench);
            let name = format!("{name} pictures_agree_with_three");
            trials.push(outside(Trial::test(name, move || bench.agrees(&path))));
        }
    }
    Ok(trials)
}
