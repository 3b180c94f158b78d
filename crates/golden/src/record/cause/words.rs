//! Names of instances and meshes, as a cause writes them.

use crate::record::frame_record::FrameRecord;
use crate::record::stages::MeshRecord;

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
