//! One figure in five files: MD5, `.x` as text, binary and compressed, and glTF. All give the same
//! pose, and all `.x` files the same picture.

#![allow(clippy::print_stdout, reason = "what was measured is told")]

use crate::held::Held;
use crate::shipped::{draw, root};
use crate::support::{trial, trials};
use libtest_mimic::{Failed, Trial};
use std::fs;
use tintype_base::deadline::Deadline;
use tintype_formats::{LoadOptions, Loaded, gltf, md5, x};
use tintype_model::frame::Frame;
use tintype_model::math::{Aabb, Vec3};
use tintype_model::pose::{bind_clip, bind_pose, sample_clip, wrap_time};
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_model::{Clip, Model, NamedClip, Wrap};
use tintype_render::Renderer;
use tintype_render::asset;
use tintype_scene::parse_scene;

const TWINS: [&str; 3] = ["ranger.x", "ranger_bin.x", "ranger_bzip.x"];
const GLB: &str = "ranger.glb";
const CLIPS: [&str; 3] = ["walk", "idle", "wave"];
/// Number of times of each clip at which poses are compared, on keys and between them.
const MOMENTS: u32 = 11;
/// Maximum distance of a corner from its counterpart, as a fraction of the diagonal.
const POSE_SHARE: f64 = 1.0e-4;
/// Maximum angle of a corner's normal to its twin's.
const NORMAL_DEG: f64 = 0.5;

#[trials]
fn twin_has_the_same_pose() -> Result<Vec<Trial>, String> {
    let mut trials: Vec<Trial> = TWINS
        .map(|name| Trial::test(format!("twin_{name}_has_the_same_pose"), move || same_pose(name)))
        .into();
    trials.push(Trial::test("twin_ranger.glb_has_the_same_pose", || same_pose(GLB)));
    Ok(trials)
}
fn bytes(name: &str) -> Result<Vec<u8>, Failed> {
    Ok(fs::read(root().join("scenes/assets").join(name))?)
}

/// Position and normal of each corner of each triangle, mesh by mesh.
fn corners(model: &Model, motion: Option<(&Clip, f64)>) -> Result<Vec<Vec<(Vec3, Vec3)>>, Failed> {
    let skeleton = &model.skeleton;
    let pose = match motion {
        None => bind_pose(skeleton),
        Some((clip, elapsed_s)) => {
            let (binding, _) = bind_clip(skeleton, &model.meshes, clip)?;
            sample_clip(skeleton, clip, &binding, wrap_time(clip, elapsed_s, Wrap::Loop))
        }
    };
    let matrices = SkinMatrices::new(&pose);
    let of_mesh = |mesh| {
        let posed = skin_mesh(mesh, &matrices);
        let corner =
            |&vertex: &u32| (posed.position_at(vertex as usize), posed.normal_at(vertex as usize));
        mesh.triangles.iter().flatten().map(corner).collect()
    };
    Ok(model.meshes.iter().map(of_mesh).collect())
}

/// The model and the clips of a file other than MD5.
fn twin(name: &str) -> Result<(Model, Vec<NamedClip>), Failed> {
    let (bytes, options) = (bytes(name)?, LoadOptions::default());
    let (model, clips, warnings) = if name == GLB {
        let nothing = |uri: &str| Err(format!("{uri}: it should hold everything"));
        let Loaded { value, warnings } = gltf::parse_model(&bytes, &nothing, &options)?;
        (value.model, value.clips, warnings)
    } else {
        let Loaded { value, warnings } = x::parse_model(&bytes, None, &options)?;
        (value.model, value.clips, warnings)
    };
    match warnings.first() {
        Some(warning) => Err(warning.message.clone().into()),
        None => Ok((model, clips)),
    }
}

fn same_pose(name: &str) -> Result<(), Failed> {
    let first = md5::parse_mesh(&bytes("ranger.md5mesh")?, &LoadOptions::default())?.value;
    let (other, clips) = twin(name)?;
    let theirs = |motion| -> Result<Vec<Vec<(Vec3, Vec3)>>, Failed> {
        let mut meshes = corners(&other, motion)?;
        if name == GLB {
            // It looks along +Z, where the others look along +X.
            let turned = |at: Vec3| Vec3::new(at.z, at.y, -at.x);
            for corner in meshes.iter_mut().flatten() {
                *corner = (turned(corner.0), turned(corner.1));
            }
        }
        Ok(meshes)
    };
    let mut pairs = vec![(corners(&first, None)?, theirs(None)?)];
    for clip in CLIPS {
        let ours =
            md5::parse_anim(&bytes(&format!("ranger_{clip}.md5anim"))?, &LoadOptions::default())?;
        let named = clips.iter().find(|named| named.name == clip).ok_or(clip)?;
        let period_s = ours.value.period_s;
        // Times of glTF are floats.
        let most_s = if name == GLB { 1e-7 } else { 1e-9 };
        if (named.clip.period_s - period_s).abs() > most_s {
            return Err(format!("{clip}: {} s, not {period_s} s", named.clip.period_s).into());
        }
        for moment in 0..MOMENTS {
            // The last ones are in the second round.
            let elapsed_s = period_s * f64::from(moment) * 1.3 / f64::from(MOMENTS);
            pairs.push((
                corners(&first, Some((&ours.value, elapsed_s)))?,
                theirs(Some((&named.clip, elapsed_s)))?,
            ));
        }
    }
    let (mut farthest, mut widest_deg) = (0.0, 0.0);
    for (ours, theirs) in &pairs {
        let counts = |meshes: &[Vec<_>]| meshes.iter().map(Vec::len).collect::<Vec<_>>();
        if counts(ours) != counts(theirs) || ours.iter().flatten().count() < 10_000 {
            return Err(format!("corners: {:?}, {:?}", counts(ours), counts(theirs)).into());
        }
        let bounds: Aabb = ours.iter().flatten().map(|corner| corner.0).collect();
        for (a, b) in ours.iter().flatten().zip(theirs.iter().flatten()) {
            let share = f64::from((a.0 - b.0).length() / bounds.diagonal());
            let cosine = f64::from(a.1.dot(b.1)).at_most(1.0);
            let angle_deg = libm::acos(cosine) * 180.0 / core::f64::consts::PI;
            if !(share <= POSE_SHARE && angle_deg <= NORMAL_DEG) {
                return Err(format!(
                    "{:?} is {:?}, {share} of the diagonal and {angle_deg}° off",
                    a, b
                )
                .into());
            }
            farthest = Held::at_least(farthest, share);
            widest_deg = Held::at_least(widest_deg, angle_deg);
        }
    }
    println!(
        "{name}: corners within {farthest:.1e} of the diagonal, normals within {widest_deg:.2}°"
    );
    Ok(())
}

/// Frames of a walk, drawn from one file.
fn frames(name: &str) -> Result<Vec<Frame>, Failed> {
    let text = format!(
        "[output]\nsize = [160, 120]\nframes = \"0-47x7\"\n\
         [camera]\nkind = \"orbit\"\nazimuth_deg = {{ from = 0, to = 360 }}\n\
         [[model]]\nfile = \"assets/{name}\"\nfront = \"x\"\n\
         [[instance]]\nmodel = \"{}\"\nclip = \"walk\"\nspeed = 0.9\n",
        name.trim_end_matches(".x")
    );
    let scene = parse_scene(&text, "twin")?;
    let assets = asset::load(&scene, &root().join("scenes"), &LoadOptions::default())?;
    if let Some(warning) = assets.warnings.first() {
        return Err(warning.to_string().into());
    }
    let renderer = Renderer::new(scene, assets, &Deadline::NEVER)?;
    let frames = renderer.scene().output.frames.iter();
    Ok(frames.map(|number| draw(&renderer, number, 1, 32)).collect())
}

#[trial]
fn twins_of_all_encodings_draw_the_same_bytes() -> Result<(), Failed> {
    let first = frames(TWINS[0])?;
    if first.len() != 7 || first.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err("seven different frames are wanted".into());
    }
    for name in &TWINS[1..] {
        if let Some(k) = frames(name)?.iter().zip(&first).position(|(a, b)| a != b) {
            return Err(format!("{name}: frame {k} differs from {}", TWINS[0]).into());
        }
    }
    Ok(())
}
