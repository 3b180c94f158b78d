//! Differences of vertices whose joints are unchanged.

use super::words::{instance_name, mesh_name};
use crate::record::amounts::distance;
use crate::record::frame_record::FrameRecord;
use crate::record::position_sums::Moved;
use crate::record::stages::{InstanceRecord, MeshRecord};

/// Distances below this are the rounding of numbers, as a share of the diagonal of a mesh.
const ROUNDING: f64 = 2e-6;

/// Whether a mesh differs by more than rounding; if only that or an order changed in its file, digests say nothing.
fn differs(old: &MeshRecord, new: &MeshRecord, is_harmless: bool) -> bool {
    let least = ROUNDING * f64::from((old.max - old.min).length());
    let is_moved = |moved: &Moved| match *moved {
        Moved::TooLittle => false,
        Moved::One { distance, .. } => distance > least,
        Moved::Several { least: moved, .. } => moved > least,
    };
    match is_harmless {
        true => false,
        false if old.positions == new.positions => old != new,
        false => {
            let moved = new.position_sums.moved_since(&old.position_sums, old.vertices);
            old.vertices != new.vertices || moved.as_ref().is_none_or(is_moved)
        }
    }
}

/// The first mesh that differs; none if all are as before.
pub(in crate::record) fn differences(
    old: &FrameRecord,
    new: &FrameRecord,
    is_harmless: bool,
) -> Option<String> {
    if old.instances.len() != new.instances.len() {
        let [before, now] = [old, new].map(|print| print.instances.len());
        return Some(format!("{now} instances, were {before}"));
    }
    let pairs = old.instances.iter().zip(&new.instances).enumerate();
    let has_moved = |(old, new): (&InstanceRecord, &InstanceRecord)| {
        let is_told = !old.meshes.is_empty() && old.meshes.len() == new.meshes.len();
        let meshes = || old.meshes.iter().zip(&new.meshes);
        old.skin != new.skin
            && (is_told || !is_harmless)
            && (!is_told || meshes().any(|(old, new)| differs(old, new, is_harmless)))
    };
    let moved: Vec<(usize, (&InstanceRecord, &InstanceRecord))> =
        pairs.filter(|(_, pair)| has_moved(*pair)).collect();
    let told =
        moved.iter().find(|(_, (old, new))| !old.meshes.is_empty() && !new.meshes.is_empty());
    let (n, (before, now)) = told.or(moved.first())?;
    let others = match moved.len() - 1 {
        0 => String::new(),
        1 => "; 1 other instance differs too".to_owned(),
        more => format!("; {more} other instances differ too"),
    };
    // Joints that moved explain vertices that moved.
    let why = if before.pose == now.pose { ", joints equal: weights changed" } else { "" };
    Some(format!("{}{others}", of_instance(new, *n, before, now, why)))
}

fn of_instance(
    new: &FrameRecord,
    n: usize,
    before: &InstanceRecord,
    now: &InstanceRecord,
    why: &str,
) -> String {
    if before.meshes.is_empty() || now.meshes.is_empty() {
        let of = instance_name(new, n);
        return format!("{of}meshes moved{why}; which of them is not kept of so many instances");
    }
    if before.meshes.len() != now.meshes.len() {
        let of = instance_name(new, n);
        let names = |record: &InstanceRecord| -> Vec<String> {
            record.meshes.iter().map(|mesh| mesh.name.clone()).collect()
        };
        let (old_names, new_names) = (names(before), names(now));
        let gone = old_names.iter().find(|name| !new_names.contains(name));
        let fresh = new_names.iter().find(|name| !old_names.contains(name));
        let which = match (gone, fresh) {
            (Some(gone), _) => format!(": {gone} is gone"),
            (None, Some(fresh)) => format!(": {fresh} is new"),
            (None, None) => String::new(),
        };
        return format!("{of}{} meshes, were {}{which}", now.meshes.len(), before.meshes.len());
    }
    // A mesh that moved says more than one that only shades otherwise.
    let pairs: Vec<(&MeshRecord, &MeshRecord)> = before.meshes.iter().zip(&now.meshes).collect();
    let differs = |other: fn(&MeshRecord, &MeshRecord) -> bool| {
        pairs.iter().position(|(old, new)| other(old, new))
    };
    let place = differs(|old, new| old.vertices != new.vertices)
        .or_else(|| differs(|old, new| old.positions != new.positions))
        .or_else(|| differs(|old, new| old != new));
    let Some(place) = place else {
        return format!("{}meshes changed in their last bits", instance_name(new, n));
    };
    let count = pairs.iter().filter(|(old, new)| old != new).count();
    let more = match count - 1 {
        0 => String::new(),
        1 => "; 1 other mesh differs too".to_owned(),
        more => format!("; {more} other meshes differ too"),
    };
    let name = mesh_name(new, n, place);
    format!("{}{more}", of_mesh(&name, pairs[place].0, pairs[place].1, why))
}

fn of_mesh(name: &str, old: &MeshRecord, new: &MeshRecord, why: &str) -> String {
    if old.vertices != new.vertices {
        return format!("{name} has {} vertices, had {}", new.vertices, old.vertices);
    }
    if old.positions != new.positions {
        let box_moved = (new.min - old.min).abs().max((new.max - old.max).abs()).max_element();
        let grown = match box_moved {
            0.0 => String::new(),
            moved => format!(", its box by {}", distance(f64::from(moved))),
        };
        return match new.position_sums.moved_since(&old.position_sums, old.vertices) {
            Some(Moved::One { vertex, distance: moved }) => {
                format!("{name} moved, worst vertex {vertex} by {}{why}", distance(moved))
            }
            Some(Moved::TooLittle) => {
                format!("{name} moved by less than a millionth of the model{why}")
            }
            Some(Moved::Several { blocks, first, last, least }) => {
                let count = if blocks > 1 { blocks } else { 2 };
                let all = old.vertices;
                let least = distance(least);
                format!(
                    "{name} moved, at least {count} of its {all} vertices, one of {first} to {last} by at least {least}{grown}{why}"
                )
            }
            None => format!("{name} moved{grown}{why}"),
        };
    }
    let mut what = Vec::new();
    if old.triangles != new.triangles {
        what.push("triangles have other corners or another order of them");
    }
    if old.texcoords != new.texcoords {
        what.push("texture coordinates or vertex colours changed");
    }
    if old.normals != new.normals {
        what.push("normals changed");
    }
    if what.is_empty() {
        what.push("changed");
    }
    format!("{name}: {}, positions equal", what.join(", "))
}
