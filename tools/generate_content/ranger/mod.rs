//! The ranger: a hooded scout with a painted mask, 1.8 units tall.
//!
//! Output: `ranger.md5mesh`, its textures, three clips, everything except the textures as `.x`
//! files, and everything as `ranger.glb`. The ranger stands on z = 0 and faces +X, with his left
//! arm towards +Y.

mod body;
mod clips;
mod gear;
mod paint;

use crate::RATE;
use crate::bake::Textures;
use crate::ball;
use crate::bind::{Bone, rigid, weigh};
use crate::figure::{Detail, Dress, assemble, shape};
use crate::glb::{Figure as Glb, Surface, Target, halved, rough};
use crate::md5_text::Mesh;
use crate::picture::Picture;
use crate::props::Asset;
use crate::rig::{Pose, Rig};
use crate::scalar::max;
use crate::x_file::{Figure, Look, binary, compressed, text};
use glam::DVec3;
use std::io;

pub(crate) use clips::clips;

/// Joints and bones of one arm or leg: name, parent, position; the left side, mirrored for the
/// right.
const LIMBS: [(&str, &str, [f64; 3]); 14] = [
    ("clavicle", "chest", [-0.015, 0.045, 1.425]),
    ("upper_arm", "clavicle", [-0.015, 0.185, 1.405]),
    ("forearm", "upper_arm", [-0.02, 0.362, 1.222]),
    ("hand", "forearm", [0.012, 0.528, 1.043]),
    ("thumb1", "hand", [0.040, 0.545, 1.022]),
    ("thumb2", "thumb1", [0.070, 0.570, 0.985]),
    ("index1", "hand", [0.030, 0.590, 0.968]),
    ("index2", "index1", [0.036, 0.618, 0.925]),
    ("fingers1", "hand", [-0.004, 0.590, 0.962]),
    ("fingers2", "fingers1", [-0.006, 0.617, 0.918]),
    ("thigh", "hips", [0.0, 0.095, 0.900]),
    ("shin", "thigh", [0.014, 0.108, 0.500]),
    ("foot", "shin", [-0.018, 0.114, 0.105]),
    ("toe", "foot", [0.112, 0.124, 0.030]),
];
/// Ends of the last bones, by their joint.
const ENDS: [(&str, [f64; 3]); 4] = [
    ("thumb2", [0.085, 0.588, 0.950]),
    ("index2", [0.038, 0.640, 0.885]),
    ("fingers2", [-0.008, 0.640, 0.878]),
    ("toe", [0.190, 0.128, 0.026]),
];
const SIDES: [(&str, f64); 2] = [("_l", 1.0), ("_r", -1.0)];

fn on_side([x, y, z]: [f64; 3], side: f64) -> DVec3 {
    DVec3::new(x, y * side, z)
}

/// End of the bone of a left limb joint.
fn limb_end(name: &str) -> [f64; 3] {
    let end = ENDS.iter().find(|end| end.0 == name).map(|end| end.1);
    let child = LIMBS.iter().find(|limb| limb.1 == name).map(|limb| limb.2);
    end.or(child).expect("each limb joint has an end or a child")
}

/// The skeleton: 37 joints.
pub(crate) fn rig() -> Rig {
    let mut rig = Rig::default();
    let up = DVec3::Z;
    rig.add("hips", "", DVec3::new(0.0, 0.0, 0.93), DVec3::X);
    rig.add("spine1", "hips", DVec3::new(-0.004, 0.0, 1.02), up);
    rig.add("spine2", "spine1", DVec3::new(-0.010, 0.0, 1.13), up);
    rig.add("chest", "spine2", DVec3::new(-0.016, 0.0, 1.25), up);
    rig.add("neck", "chest", DVec3::new(-0.022, 0.0, 1.46), DVec3::new(0.2, 0.0, 1.0));
    rig.add("head", "neck", DVec3::new(-0.004, 0.0, 1.54), up);
    rig.add("hood", "head", DVec3::new(-0.10, 0.0, 1.70), DVec3::new(-1.0, 0.0, 0.15));
    rig.add("quiver", "chest", DVec3::new(-0.15, -0.02, 1.30), DVec3::new(0.05, -0.35, 1.0));
    for (suffix, side) in SIDES {
        for (name, parent, place) in LIMBS {
            let middle = ["chest", "hips"].contains(&parent);
            let parent = if middle { parent.into() } else { format!("{parent}{suffix}") };
            let (from, to) = (on_side(place, side), on_side(limb_end(name), side));
            rig.add(&format!("{name}{suffix}"), &parent, from, to - from);
        }
    }
    rig
}

/// The segments that pull on the body's surface.
fn bones(rig: &Rig) -> Vec<Bone> {
    let at = DVec3::new;
    let mut bones = vec![
        Bone::new(rig, "hips", at(0.0, -0.05, 0.93), at(0.0, 0.05, 0.93), 0.11),
        Bone::new(rig, "spine1", at(0.0, 0.0, 1.04), at(0.0, 0.0, 1.10), 0.11),
        Bone::new(rig, "spine2", at(0.0, 0.0, 1.15), at(-0.01, 0.0, 1.22), 0.11),
        Bone::new(rig, "chest", at(-0.01, -0.08, 1.30), at(-0.01, 0.08, 1.30), 0.11),
        Bone::new(rig, "chest", at(-0.01, 0.0, 1.30), at(-0.02, 0.0, 1.40), 0.12),
        Bone::new(rig, "neck", at(-0.02, 0.0, 1.46), at(-0.01, 0.0, 1.50), 0.06),
        Bone::new(rig, "head", at(0.0, 0.0, 1.56), at(0.0, 0.0, 1.70), 0.12),
        Bone::new(rig, "hood", at(-0.13, 0.0, 1.70), at(-0.21, 0.0, 1.69), 0.05),
    ];
    for (suffix, side) in SIDES {
        for (name, _, place) in LIMBS {
            let radius = match name {
                "clavicle" => 0.06,
                "upper_arm" | "forearm" => 0.05,
                "thigh" => 0.085,
                "shin" | "foot" => 0.06,
                "hand" | "toe" => 0.035,
                _ => 0.014,
            };
            let (mut from, mut to) = (on_side(place, side), on_side(limb_end(name), side));
            if name == "thigh" {
                from = from.lerp(to, 0.18); // the hips keep the waist
            }
            if name == "hand" {
                to = on_side([0.008, 0.568, 0.998], side);
            }
            bones.push(Bone::new(rig, &format!("{name}{suffix}"), from, to, radius));
            if name == "foot" {
                let heel = on_side([-0.05, 0.114, 0.04], side);
                bones.push(Bone::new(rig, &format!("foot{suffix}"), from, heel, 0.05));
                from = on_side([0.075, 0.12, 0.03], side);
                bones.push(Bone::new(rig, &format!("foot{suffix}"), heel, from, 0.03));
            }
        }
    }
    bones
}

/// More triangles and texels are kept in the regions that attract most attention.
fn importance(place: DVec3) -> f64 {
    let face = place.z > 1.54 && place.x > 0.02;
    let hand = place.y.abs() > 0.53;
    if face {
        14.0
    } else if hand {
        12.0
    } else {
        1.0
    }
}

fn density(place: DVec3) -> f64 {
    if place.z > 1.53 && place.x > 0.05 && place.y.abs() < 0.1 { 1.5 } else { 1.0 }
}

/// The meshes and their textures.
pub(crate) fn build(rig: &Rig) -> (Vec<Mesh>, Textures) {
    let detail = Detail { cell: 0.0085, triangles: 5000, longest: 0.085, importance: &importance };
    let body = shape(body::parts(), &detail);
    let detail = Detail { cell: 0.007, triangles: 900, longest: 0.12, importance: &|_| 1.0 };
    let gear: Vec<_> = gear::items()
        .into_iter()
        .map(|item| (shape(item.parts, &Detail { triangles: item.triangles, ..detail }), item.hold))
        .collect();
    let body_dress =
        Dress { shader: "models/ranger", holds: weigh(&body.shell, &bones(rig), 7, 4) };
    let mut dresses = vec![body_dress];
    let mut pieces = vec![body];
    for (piece, hold) in gear {
        let hold: Vec<_> = hold.iter().map(|&(name, weight)| (rig.find(name), weight)).collect();
        dresses.push(Dress { shader: "models/gear/ranger", holds: rigid(&piece.shell, &hold) });
        pieces.push(piece);
    }
    let (mut meshes, textures) = assemble(&pieces, dresses, 512, &density, &paint::coat);
    let gear = meshes.split_off(1).into_iter().reduce(Mesh::joined).expect("he carries something");
    meshes.push(gear);
    meshes.push(eyes(rig));
    (meshes, textures)
}

/// The same figure as DirectX `.x` files: text, binary and compressed, with the clips as animation
/// sets.
pub(crate) fn twins(rig: &Rig, meshes: &[Mesh], clips: &[(&str, Vec<Pose>)]) -> Vec<Asset> {
    let look = |name, texture: &str, power| Look {
        name,
        texture: format!("textures/{texture}.png"),
        color: [1.0; 3],
        power,
        specular: [1.0; 3],
        emissive: [0.0; 3],
    };
    let eyes = Look {
        specular: [0.8; 3],
        emissive: [0.05, 0.29, 0.27],
        ..look("ranger_eyes", "ranger_eyes", 90.0)
    };
    let looks = [look("ranger_body", "ranger", 26.0), look("ranger_gear", "ranger", 40.0), eyes];
    let clips = named(clips);
    let figure = Figure { name: "ranger", rig, meshes, looks: &looks, rate: RATE, clips: &clips };
    let objects = figure.objects();
    vec![
        ("ranger.x".into(), text(&objects)),
        ("ranger_bin.x".into(), binary(&objects)),
        ("ranger_bzip.x".into(), compressed(&objects)),
    ]
}

/// Clips by their names in one file.
fn named<'c>(clips: &'c [(&'c str, Vec<Pose>)]) -> Vec<(&'c str, &'c [Pose])> {
    (clips.iter())
        .map(|(file, poses)| (file.trim_start_matches("ranger_"), poses.as_slice()))
        .map(|(file, poses)| (file.trim_end_matches(".md5anim"), poses))
        .collect()
}

/// The same figure as one glTF file, with pictures of half the size and two morph targets: a deep
/// breath, and a raised hood.
pub(crate) fn glb(
    rig: &Rig,
    meshes: &[Mesh],
    textures: &Textures,
    clips: &[(&str, Vec<Pose>)],
) -> io::Result<Vec<u8>> {
    let surface = |name, roughness| Surface {
        name,
        color: 0,
        normal: Some(1),
        rough: Some(2),
        roughness,
        emissive: [0.0; 3],
        own: serde_json::Value::Null,
    };
    let surfaces = [
        surface("ranger_body", 1.0),
        surface("ranger_gear", 0.8),
        Surface {
            color: 3,
            normal: None,
            rough: None,
            // The colour of the other formats in linear light.
            emissive: [0.004, 0.069, 0.058],
            ..surface("ranger_eyes", 0.15)
        },
    ];
    let pictures = [
        halved(&textures.color),
        halved(&textures.normal),
        halved(&rough(&textures.shine)),
        eye_texture(),
    ];
    let targets =
        [Target { name: "breath", offset: &breath }, Target { name: "hood_up", offset: &hood_up }];
    let clips = named(clips);
    Glb {
        rig,
        meshes,
        surfaces: &surfaces,
        pictures: &pictures,
        targets: &targets,
        rate: RATE,
        clips: &clips,
        is_rigid: false,
    }
    .file()
}

/// The chest, and not the arms, away from its axis: three centimetres where it is widest.
fn breath(place: DVec3) -> DVec3 {
    let height = max(1.0 - (place.z - 1.33).abs() / 0.14, 0.0);
    let side = max(1.0 - max(place.y.abs() - 0.12, 0.0) / 0.04, 0.0);
    DVec3::new(place.x + 0.01, place.y, 0.0).normalize_or_zero() * (0.03 * height * side)
}

/// The tip of the hood, up and back.
fn hood_up(place: DVec3) -> DVec3 {
    let share = max(place.z - 1.66, 0.0) / 0.14 * max(0.06 - place.x, 0.0) / 0.2;
    DVec3::new(-0.02, 0.0, 0.07) * share
}

/// The picture of a lens.
pub(crate) fn eye_texture() -> Picture {
    Picture::painted(64, 64, paint::lens)
}

/// Two lenses behind the mask.
fn eyes(rig: &Rig) -> Mesh {
    let hold = vec![(rig.find("head"), 1.0)];
    let eye = |side: f64| {
        let center = DVec3::new(body::EYE.x, body::EYE.y * side, body::EYE.z);
        ball::mesh("models/ranger_eyes", center, DVec3::new(0.021, 0.0255, 0.021), 12, 8, &hold)
    };
    eye(1.0).joined(eye(-1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::md5_text::{anim_file, bounds, skinned};

    #[test]
    fn ranger_keeps_his_budget_and_his_height() {
        let rig = rig();
        let (meshes, _) = build(&rig);
        let triangles: usize = meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        assert!((4000..=8000).contains(&triangles), "{triangles}");
        assert!(rig.joints.len() >= 25);
        assert!(
            meshes.iter().flat_map(|mesh| &mesh.holds).all(|hold| (1..=4).contains(&hold.len()))
        );
        let (low, high) = bounds(&rig, &meshes, &crate::rig::Pose::bind(&rig).posed(&rig));
        assert!(low.z.abs() < 0.002 && (high.z - 1.8).abs() < 0.02, "{low} {high}");
    }

    #[test]
    fn ranger_clips_stay_above_the_ground_and_move_few_components() {
        let rig = rig();
        let (meshes, _) = build(&rig);
        for (name, poses) in clips(&rig) {
            for pose in &poses {
                let posed = pose.posed(&rig);
                let lowest = skinned(&rig, &meshes[0], &posed)
                    .iter()
                    .fold(1.0, |low: f64, at| low.min(at.z));
                assert!((-0.006..0.012).contains(&lowest), "{name}: {lowest}");
            }
            let text = anim_file(&rig, &meshes, 24, &poses);
            let flags: Vec<&str> = text
                .lines()
                .filter(|line| line.starts_with("\t\""))
                .filter_map(|line| line.split_whitespace().nth(2))
                .collect();
            assert_eq!(flags.len(), rig.joints.len());
            assert!(
                flags.contains(&"0")
                    && flags.iter().any(|&bits| !["0", "56", "63"].contains(&bits)),
                "{flags:?}"
            );
        }
    }
}
