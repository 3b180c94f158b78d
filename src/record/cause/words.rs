//! Names of instances and meshes, and amounts, as a cause writes them.

use crate::record::frame_record::FrameRecord;
use crate::record::stages::MeshRecord;

/// Degrees in a radian.
pub(super) const DEGREES: f64 = 180.0 / core::f64::consts::PI;

/// Name of the instance, where there are several.
pub(super) fn instance_name(print: &FrameRecord, n: usize) -> String {
    match print.instances.get(n) {
        Some(instance) if print.instances.len() > 1 => {
            format!("instance {n} ({}): ", instance.model)
        }
        _ => String::new(),
    }
}

pub(super) fn mesh_name(print: &FrameRecord, instance: usize, mesh: usize) -> String {
    let record: Option<&MeshRecord> =
        print.instances.get(instance).and_then(|instance| instance.meshes.get(mesh));
    let of = instance_name(print, instance);
    match record {
        Some(record) if !record.name.is_empty() => format!("{of}mesh {}", record.name),
        _ => format!("{of}mesh {mesh}"),
    }
}

/// A distance with three digits that count.
pub(super) fn distance(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        value if value.abs() < 1e-3 => format!("{value:.1e}"),
        value if value.abs() < 1.0 => format!("{value:.4}").trim_end_matches('0').to_owned(),
        value => format!("{value:.2}"),
    }
}

/// An angle in degrees.
pub(super) fn degrees(value: f64) -> String {
    match value {
        value if value < 0.01 => format!("{value:.1e}°"),
        value if value < 1.0 => format!("{value:.2}°"),
        value => format!("{value:.1}°"),
    }
}
