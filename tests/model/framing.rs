//! Fitted cameras: every vertex of the models inside the picture, one axis tight and both centred,
//! by an `f64` projection.

use crate::support::{trial, trials, with_models};
use libtest_mimic::{Failed, Trial};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tintype_base::deadline::Deadline;
use tintype_formats::LoadOptions;
use tintype_raster::RasterOptions;
use tintype_render::Renderer;
use tintype_render::asset::load as load_assets;
use tintype_scene::Scene;
use tintype_scene::SceneBuilder;
use tintype_scene::builder::{CameraBuilder, InstanceBuilder, ModelBuilder};

const MARGIN: f64 = 0.06;
/// Width, height.
const SIZES: [[u32; 2]; 3] = [[180, 320], [256, 256], [320, 180]];
const ELEVATIONS_DEG: [f64; 5] = [-35.0, 0.0, 12.0, 50.0, 85.0];

/// Minimum and maximum positions across and upright, from 0 to 1 in the picture.
type Union = [[f64; 2]; 2];

/// The part of the picture that the triangles of all frames take.
fn union(renderer: &Renderer) -> Result<Union, Failed> {
    let [width, height] = renderer.scene().output.size.map(f64::from);
    let mut union = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    let level = RasterOptions::default().level;
    for number in renderer.scene().output.frames.iter() {
        let staged = renderer.stage_picture(number, level)?;
        let camera = staged.camera;
        let tangents = match camera.fov {
            tintype_model::FovAxis::Vertical(fov) => {
                let upright = (f64::from(fov) * 0.5).tan();
                [upright * width / height, upright]
            }
            tintype_model::FovAxis::Horizontal(_)
            | tintype_model::FovAxis::Parallel(_)
            | tintype_model::FovAxis::Matrix(_) => {
                return Err("a vertical field".into());
            }
        };
        let axes = [camera.world_from_view.x_axis, camera.world_from_view.y_axis];
        let back = camera.world_from_view.z_axis;
        let eye = camera.eye.to_array().map(f64::from);
        let dot = |axis: [f32; 3], from: [f64; 3]| -> f64 {
            (0..3).map(|k| f64::from(axis[k]) * from[k]).sum()
        };
        for (instance, staged) in renderer.scene().instances.iter().zip(&staged.instances) {
            let meshes = &renderer.assets().models[instance.model].model.meshes;
            for (mesh, posed) in meshes.iter().zip(&staged.meshes) {
                for &vertex in mesh.triangles.as_flattened() {
                    let point = posed.position_at(vertex as usize).to_array().map(f64::from);
                    let from_eye: [f64; 3] = std::array::from_fn(|k| point[k] - eye[k]);
                    let depth = -dot(back.to_array(), from_eye);
                    if depth < f64::from(camera.near) {
                        return Err(format!("a vertex at {depth} before the near plane").into());
                    }
                    for axis in 0..2 {
                        let along = dot(axes[axis].to_array(), from_eye);
                        let at = 0.5 + 0.5 * along / depth / tangents[axis];
                        union[axis] = [union[axis][0].min(at), union[axis][1].max(at)];
                    }
                }
            }
        }
    }
    Ok(union)
}

/// The tight axis has the margin, both are centred within a pixel.
fn check([across, upright]: Union, size: [u32; 2], name: &str) -> Result<(), Failed> {
    let pixels = size.map(f64::from);
    let margin = |[low, high]: [f64; 2]| if low < 1.0 - high { low } else { 1.0 - high };
    let tight = margin(across).min(margin(upright));
    let pixel = 1.0 / pixels[0].max(pixels[1]);
    if (tight - MARGIN).abs() > 0.1 * pixel {
        return Err(format!("{name}: margin {tight}: {across:?} {upright:?}").into());
    }
    for ([low, high], pixels) in [across, upright].into_iter().zip(pixels) {
        if (low - (1.0 - high)).abs() * pixels > 1.0 {
            return Err(format!("{name}: not centred: {across:?} {upright:?}").into());
        }
    }
    Ok(())
}

fn scene(
    model: &Path,
    size: [u32; 2],
    camera: CameraBuilder,
    frames: usize,
) -> Result<Scene, Failed> {
    let name = model.file_name().and_then(|name| name.to_str()).ok_or("a name")?;
    let scene = SceneBuilder::new().size(size).frame_count(frames).camera(camera);
    Ok(scene.model(ModelBuilder::new(name)).build("fit")?)
}

/// One picture from each of the directions.
fn check_directions(model: &Path, azimuths: u32, elevations_deg: &[f64]) -> Result<(), Failed> {
    let folder = model.parent().ok_or("a folder")?;
    let first = scene(model, SIZES[0], CameraBuilder::orbit(), 1)?;
    let assets = Arc::new(load_assets(&first, folder, &LoadOptions::default())?);
    for size in SIZES {
        for azimuth in 0..azimuths {
            for &elevation_deg in elevations_deg {
                let azimuth_deg = 360.0 * f64::from(azimuth) / f64::from(azimuths);
                let camera =
                    CameraBuilder::orbit().azimuth_deg(azimuth_deg).elevation_deg(elevation_deg);
                let scene = scene(model, size, camera, 1)?;
                let renderer = Renderer::new(scene, Arc::clone(&assets), &Deadline::NEVER)?;
                let name = format!("{size:?} azimuth {azimuth_deg} elevation {elevation_deg}");
                check(union(&renderer)?, size, &name)?;
            }
        }
    }
    Ok(())
}

/// The union of all frames of a whole turn, and of a part of one.
fn check_turns(model: &Path) -> Result<(), Failed> {
    let folder = model.parent().ok_or("a folder")?;
    for size in SIZES {
        for (to_deg, elevation_deg) in [(360.0, 12.0), (360.0, 50.0), (60.0, 12.0)] {
            let camera = CameraBuilder::orbit().azimuth_range_deg(0.0, to_deg);
            let scene = scene(model, size, camera.elevation_deg(elevation_deg), 36)?;
            let assets = load_assets(&scene, folder, &LoadOptions::default())?;
            let moves = !assets.models[0].clips.is_empty();
            let renderer = Renderer::new(scene, assets, &Deadline::NEVER)?;
            let name = format!("{size:?} turn to {to_deg} elevation {elevation_deg}");
            let [across, upright] = union(&renderer)?;
            if to_deg == 360.0 && !moves {
                check([across, upright], size, &name)?;
            } else if to_deg == 360.0 {
                // A figure that moves while it turns may touch one side alone, in frames that look
                // from everywhere: no target is better.
                for [low, high] in [across, upright] {
                    let is_inside = low > MARGIN - 1e-4 && high < 1.0 - MARGIN + 1e-4;
                    if !is_inside || (low - (1.0 - high)).abs() > 0.1 {
                        return Err(format!("{name}: {across:?} {upright:?}").into());
                    }
                }
            } else {
                // An arc gives up distance for equal margins, but at most 5 %: a rotating plate
                // would need more.
                let is_plate = ["halo", "window"]
                    .iter()
                    .any(|plate| model.ends_with(format!("{plate}.md5mesh")));
                for ([low, high], pixels) in [across, upright].into_iter().zip(size) {
                    let is_inside = low > MARGIN - 1e-4 && high < 1.0 - MARGIN + 1e-4;
                    let off = (low - (1.0 - high)).abs() * f64::from(pixels);
                    if !is_inside || off > 1.0 && !is_plate {
                        return Err(format!("{name}: {across:?} {upright:?}").into());
                    }
                }
            }
        }
    }
    Ok(())
}

/// A travelling walk: the camera shows all of its frames.
#[trial]
fn fit_holds_a_clip_that_travels() -> Result<(), Failed> {
    let folder = assets_folder();
    for size in SIZES {
        let clip = ModelBuilder::new("ranger.md5mesh").clip("ranger_walk.md5anim");
        let camera = CameraBuilder::orbit().azimuth_deg(20.0);
        // Instances in a row along the walk equal one that walks on.
        let mut builder = SceneBuilder::new().size(size).frame_count(12).camera(camera).model(clip);
        for step in 0..4 {
            let position = [f64::from(step) * 1.7, 0.0, 0.0];
            let walker = InstanceBuilder::new("ranger").position(position);
            builder = builder.instance(walker);
        }
        let scene = builder.build("walk")?;
        let assets = load_assets(&scene, &folder, &LoadOptions::default())?;
        let renderer = Renderer::new(scene, assets, &Deadline::NEVER)?;
        check(union(&renderer)?, size, "walk")?;
    }
    Ok(())
}

fn assets_folder() -> PathBuf {
    Path::new(env!("WORKSPACE_ROOT")).join("scenes/assets")
}

#[trials]
fn of_each_shipped_model() -> Result<Vec<Trial>, String> {
    let models = crate::support::files(&assets_folder(), &["md5mesh", "x"])?;
    assert!(models.len() > 5, "shipped models");
    let of_model = |model: PathBuf| {
        let name = model.file_name().unwrap().to_string_lossy().into_owned();
        let copy = model.clone();
        [
            Trial::test(format!("fit_is_tight_and_centred::{name}"), move || {
                check_directions(&copy, 24, &ELEVATIONS_DEG)
            }),
            Trial::test(format!("fit_of_a_turn_is_centred::{name}"), move || check_turns(&model)),
        ]
    };
    Ok(models.into_iter().flat_map(of_model).collect())
}

#[trial(with_models)]
fn fit_of_large_models_is_tight_and_centred(folder: &Path) -> Result<(), Failed> {
    let mut checked = 0;
    for model in crate::support::files(folder, &["md5mesh", "x"])? {
        // The loader refuses files that are not models, and files with only clips.
        let name = model.display().to_string();
        let first = scene(&model, SIZES[0], CameraBuilder::orbit(), 1)?;
        let parent = model.parent().ok_or("a folder")?;
        let has_mesh = load_assets(&first, parent, &LoadOptions::default()).is_ok_and(|assets| {
            assets.models[0].model.meshes.iter().any(|mesh| !mesh.triangles.is_empty())
        });
        if has_mesh {
            check_directions(&model, 5, &[12.0, 50.0])
                .map_err(|error| format!("{name}: {}", error.message().unwrap_or_default()))?;
            checked += 1;
        }
    }
    if checked > 20 { Ok(()) } else { Err(format!("only {checked} models").into()) }
}
