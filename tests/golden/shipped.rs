//! Shipped scenes: the same bytes for every division of the work, in bounded memory, and content
//! that the generator writes.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::held::Held;
use crate::support::{trial, trials};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;
use tintype_base::deadline::Deadline;
use tintype_formats::{LoadOptions, md5};
use tintype_model::frame::Frame;
use tintype_model::pose::bind_pose;
use tintype_model::simd::Level;
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_raster::RasterOptions;
use tintype_render::asset::{self, Assets};
use tintype_render::{Drawn, Renderer};
use tintype_scene::FrameNumber;
use tintype_scene::{Scene, parse_scene};

pub(crate) fn root() -> &'static Path {
    Path::new(env!("WORKSPACE_ROOT"))
}

fn scenes() -> Vec<PathBuf> {
    crate::support::files(&root().join("scenes"), &["toml"]).unwrap()
}

/// A shipped scene at the size of its golden images, with its assets.
fn load(path: &Path) -> Result<(Scene, Assets), Failed> {
    let mut scene = parse_scene(&fs::read_to_string(path)?, "scene")?;
    let golden = scene.golden.as_ref().ok_or("a shipped scene lists its golden frames")?;
    scene.output.size = golden.size;
    let assets = asset::load(&scene, path.parent().unwrap(), &LoadOptions::default())?;
    Ok((scene, assets))
}

pub(crate) fn draw(renderer: &Renderer, number: FrameNumber, threads: usize, tile: u32) -> Frame {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let options = RasterOptions { tile, ..RasterOptions::default() };
    pool.install(|| renderer.draw(number, options)).expect("a frame of the scene").frame
}

/// One thread against several, one tile size against others: the fit, the poses and the pixels.
fn same_bytes(path: &Path) -> Result<(), Failed> {
    let (scene, assets) = load(path)?;
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (scene, assets) = (Arc::new(scene), Arc::new(assets));
    let first = alone
        .install(|| Renderer::new(Arc::clone(&scene), Arc::clone(&assets), &Deadline::NEVER))?;
    let again = Renderer::new(Arc::clone(&scene), assets, &Deadline::NEVER)?;
    let golden = &scene.golden.as_ref().unwrap().frames;
    for number in golden.iter() {
        let expected = draw(&first, number, 1, 32);
        for (threads, tile) in [(1, 8), (2, 17), (3, 64), (8, 4)] {
            let mut drawn = draw(&again, number, threads, tile);
            if drawn != expected {
                return Err(format!("frame {number}: {threads} threads, tiles of {tile}").into());
            }
            // Reused memory shows nothing of a previous frame.
            drawn.rgba.fill([201, 7, 99, 3]);
            again.recycle_frame(drawn);
        }
    }
    Ok(())
}

/// Every level of this machine, with plain code as the definition: skinning, coverage and light.
fn same_bytes_on_every_level(path: &Path) -> Result<(), Failed> {
    let (scene, assets) = load(path)?;
    let renderer = Renderer::new(scene, assets, &Deadline::NEVER)?;
    for number in renderer.scene().golden.as_ref().unwrap().frames.iter() {
        let cut = |level| RasterOptions { level, ..RasterOptions::default() };
        let expected = renderer.draw(number, cut(Level::Scalar))?.frame;
        for level in Level::available() {
            let Drawn { frame, counts, .. } = renderer.draw(number, cut(level))?;
            if counts.level != level || frame != expected {
                return Err(format!("frame {number}: {} differs", level.name()).into());
            }
        }
    }
    Ok(())
}

/// A shipped scene gives no warning, and no frame is empty.
fn says_nothing_and_shows_something(path: &Path) -> Result<(), Failed> {
    let (scene, assets) = load(path)?;
    let renderer = Renderer::new(scene, assets, &Deadline::NEVER)?;
    if let Some(warning) = renderer.assets().warnings.first() {
        return Err(warning.to_string().into());
    }
    if let Some(warning) = renderer.warnings().first() {
        return Err(warning.to_string().into());
    }
    for number in renderer.scene().output.frames.iter() {
        if renderer.draw(number, RasterOptions::default())?.counts.covered_pixels == 0 {
            return Err(format!("frame {number} shows nothing").into());
        }
    }
    Ok(())
}

/// A cross-fade equals the first clip before it, the second one after it, from its start, and
/// neither in between.
#[trial]
fn fade_runs_from_one_clip_to_the_other() -> Result<(), Failed> {
    let scene = |clip: &str, rest: &str| {
        let text = format!(
            "[output]\nlook = \"classic\"\nsize = [48, 48]\nframes = \"0-30\"\n\
             [camera]\nkind = \"look-at\"\neye = [6, 2, 0]\ntarget = [0, 1, 0]\n\
             [[model]]\nname = \"ranger\"\nfile = \"assets/ranger.md5mesh\"\n\
             clips = [{{ name = \"walk\", file = \"assets/ranger_walk.md5anim\" }}, \
                      {{ name = \"wave\", file = \"assets/ranger_wave.md5anim\" }}]\n\
             [[instance]]\nmodel = \"ranger\"\nclip = \"{clip}\"\nspeed = 1.5\n{rest}\n"
        );
        parse_scene(&text, "fade")
    };
    let fading = scene("walk", "fade = [{ clip = \"wave\", at_s = 0.5, for_s = 0.5 }]")?;
    let walking = scene("walk", "")?;
    let waving = scene("wave", "start_s = -0.75")?; // its first key at 0.5 s, at one and a half the speed
    let assets = asset::load(&fading, &root().join("scenes"), &LoadOptions::default())?;
    let assets = Arc::new(assets);
    let draw = |scene: &Scene, number: i64| -> Result<Frame, Failed> {
        let renderer = Renderer::new(scene.clone(), Arc::clone(&assets), &Deadline::NEVER)?;
        Ok(renderer.draw(FrameNumber(number), RasterOptions::default())?.frame)
    };
    for (k, like_walk, like_wave) in [
        (0, true, false),
        (12, true, false),
        (18, false, false),
        (24, false, true),
        (30, false, true),
    ] {
        let frame = draw(&fading, k)?;
        let found = (frame == draw(&walking, k)?, frame == draw(&waving, k)?);
        if found != (like_walk, like_wave) {
            return Err(format!("frame {k}: walk, wave: {found:?}").into());
        }
    }
    Ok(())
}

/// The globe is a true sphere: its normals must point away from its centre, across the seam and at
/// the poles too.
#[trial]
fn globe_normals_point_outward() -> Result<(), Failed> {
    let bytes = fs::read(root().join("scenes/assets/globe.md5mesh"))?;
    let model = md5::parse_mesh(&bytes, &LoadOptions::default())?.value;
    let posed = skin_mesh(&model.meshes[0], &SkinMatrices::new(&bind_pose(&model.skeleton)));
    let center = posed.bounds().center();
    let mut worst_deg = 0.0_f64;
    for vertex in 0..posed.len() {
        let outward = (posed.position_at(vertex) - center).normalize();
        let cosine = f64::from(outward.dot(posed.normal_at(vertex)));
        worst_deg =
            worst_deg.at_least(libm::acos(cosine.at_most(1.0)) * 180.0 / core::f64::consts::PI);
    }
    if posed.len() > 1000 && worst_deg < 2.0 {
        return Ok(());
    }
    Err(format!("{worst_deg}° off among {} vertices", posed.len()).into())
}

fn tintype(folder: &Path, arguments: &[&str]) -> Result<String, Failed> {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tintype")).args(arguments).current_dir(folder).output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(text) } else { Err(text.into()) }
}

/// The peak memory reported by `render -v`, in KiB.
fn peak_kib(folder: &Path, scene: &str) -> Result<u64, Failed> {
    fs::write(folder.join("scene.toml"), scene)?;
    let arguments = ["render", "scene.toml", "--overwrite", "-v", "-j", "2", "-o", "f/####.png"];
    let text = tintype(folder, &arguments)?;
    let told = text.lines().find_map(|line| line.strip_prefix("peak memory ")?.split(' ').next());
    Ok(told.ok_or("no peak memory was told")?.parse()?)
}

fn ranger_scene(frames: usize, instances: usize) -> String {
    let assets = root().join("scenes/assets");
    let assets = assets.display();
    let mut scene = format!(
        "[output]\nlook = \"classic\"\nsize = [160, 120]\nframes = \"0-{}\"\n\
         [camera]\nkind = \"look-at\"\neye = [6, 2, 0]\ntarget = [0, 1, 0]\n\
         [[model]]\nname = \"ranger\"\nfile = \"{assets}/ranger.md5mesh\"\n\
         clips = [{{ file = \"{assets}/ranger_walk.md5anim\" }}]\n",
        frames - 1
    );
    for instance in 0..instances {
        let (x, z) = (instance / 10, instance % 10);
        scene += &format!("[[instance]]\nmodel = \"ranger\"\nposition = [-{x}, 0, {z}]\n");
    }
    scene
}

/// Two thousand frames take the memory of two hundred, among which the largest have met and
/// everything common is made.
#[trial]
fn memory_does_not_grow_with_frames() -> Result<(), Failed> {
    let folder = TempDir::new()?;
    let (mut few, mut many) = (u64::MAX, u64::MAX);
    // The minimum of a few runs: the overlap of frames in flight differs between runs, and with it
    // the peak by a few percent.
    for _ in 0..3 {
        few = few.min(peak_kib(folder.path(), &ranger_scene(200, 1))?);
        many = many.min(peak_kib(folder.path(), &ranger_scene(2000, 1))?);
    }
    // 10 %, and what an allocator may keep.
    if many <= few + few / 10 { Ok(()) } else { Err(format!("{few} KiB, then {many} KiB").into()) }
}

/// A hundred instances use one model: each adds its posed vertices and its triangles on the screen,
/// in each frame in flight.
#[trial]
fn memory_of_instances_is_their_posed_copies() -> Result<(), Failed> {
    let bytes = fs::read(root().join("scenes/assets/ranger.md5mesh"))?;
    let model = md5::parse_mesh(&bytes, &LoadOptions::default())?.value;
    let vertices: usize = model.meshes.iter().map(|mesh| mesh.vertex_count()).sum();
    let triangles: usize = model.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
    // Position, normal and tangent, and the three screen coordinates; a set-up triangle, and its
    // bins.
    let copy = vertices * 12 * 4 + triangles * (80 + 24);
    let in_flight = 2;
    let folder = TempDir::new()?;
    let (one, hundred) = (
        peak_kib(folder.path(), &ranger_scene(4, 1))?,
        peak_kib(folder.path(), &ranger_scene(4, 100))?,
    );
    let most = one + (99 * copy * in_flight / 1024) as u64;
    if hundred <= most {
        return Ok(());
    }
    Err(format!("{one} KiB for one, {hundred} KiB for a hundred; at most {most}").into())
}

/// The same scene in another folder makes the same files, without any path of this machine.
#[trial]
fn frames_do_not_know_where_they_were_made() -> Result<(), Failed> {
    let (here, there) = (TempDir::new()?, TempDir::new()?);
    let mut files = Vec::new();
    for folder in [here.path(), there.path()] {
        fs::create_dir_all(folder.join("assets/textures"))?;
        for name in ["globe.md5mesh", "textures/globe.png"] {
            fs::copy(root().join("scenes/assets").join(name), folder.join("assets").join(name))?;
        }
        let text = "[output]\nsize = [40, 30]\n\
                    [[model]]\nfile = \"assets/globe.md5mesh\"\n\
                    [textures]\nsearch = [\"assets/textures\"]\n";
        fs::write(folder.join("scene.toml"), text)?;
        tintype(folder, &["render", "scene.toml", "-o", "a.png"])?;
        files.push(fs::read(folder.join("a.png"))?);
    }
    let (_, text) = tintype_output::decode_png(&files[0])?;
    let leaks = text.iter().any(|(_, value)| value.contains('/'));
    let digest = text.iter().any(|(key, value)| key == "tintype:digest" && value.len() == 64);
    if files[0] == files[1] && digest && !leaks { Ok(()) } else { Err(format!("{text:?}").into()) }
}

/// The generator writes the shipped content again, byte for byte.
#[trial(with_generator)]
fn generator_writes_the_same_content(generator: &Path) -> Result<(), Failed> {
    let folder = TempDir::new()?;
    let assets = folder.path().join("assets");
    fs::create_dir(&assets)?;
    let output = Command::new(generator).arg(&assets).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let shipped = root().join("scenes/assets");
    let extensions = ["md5mesh", "md5anim", "md5camera", "mtr", "x", "png"];
    let names = |folder: &Path| -> Result<Vec<PathBuf>, Failed> {
        let files = crate::support::files(folder, &extensions)?;
        Ok(files.iter().map(|file| file.strip_prefix(folder).unwrap().to_path_buf()).collect())
    };
    if names(&assets)? != names(&shipped)? || names(&shipped)?.len() < 20 {
        return Err("other files than are shipped".into());
    }
    for name in names(&shipped)? {
        if fs::read(assets.join(&name))? != fs::read(shipped.join(&name))? {
            return Err(format!("{} differs", name.display()).into());
        }
    }
    let mob =
        fs::read(folder.path().join("mob.toml"))? == fs::read(root().join("scenes/mob.toml"))?;
    if mob { Ok(()) } else { Err("mob.toml differs".into()) }
}

/// `cargo test` builds the examples beside the test programs.
fn with_generator(name: &str, run: fn(&Path) -> Result<(), Failed>) -> Trial {
    let built = std::env::current_exe().unwrap();
    let program = built.parent().unwrap().parent().unwrap().join("examples/generate_content");
    if program.is_file() {
        Trial::test(name, move || run(&program))
    } else {
        crate::support::cannot_run(name, "the example generate_content is not built")
    }
}

#[trials]
fn of_each_scene() -> Result<Vec<Trial>, String> {
    let scenes = scenes();
    assert!(scenes.len() >= 5, "only {} scenes are shipped", scenes.len());
    let of_scene = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let of = |claim: &str, check: fn(&Path) -> Result<(), Failed>| {
            let path = path.clone();
            Trial::test(format!("scene_{name}_{claim}"), move || check(&path))
        };
        [
            of("same_bytes", same_bytes),
            of("same_bytes_on_every_level", same_bytes_on_every_level),
            of("says_nothing_and_shows_something", says_nothing_and_shows_something),
        ]
    };
    Ok(scenes.into_iter().flat_map(of_scene).collect())
}
