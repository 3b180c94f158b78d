//! Instances, meshes and other parts of a scene, as subjects of findings.

use crate::record::frame_record::FrameRecord;
use crate::record::stages::Subject as Record;
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject};

/// The subject of a thing of a scene.
pub(super) fn subject(record: &Record) -> Subject {
    match record.surface() {
        Some(name) => Subject::named(Element::Surface, name),
        None => Subject::named(Element::Setting, &record.name),
    }
}

/// Findings of an instance, which is named if there are several.
pub(super) fn in_instance(record: &FrameRecord, n: usize, mut found: Finding) -> Finding {
    if let Some(instance) = record.instances.get(n).filter(|_| record.instances.len() > 1) {
        let name = Some(instance.model.clone());
        found.within.push(Subject { index: Some(n), name, element: Element::Instance });
    }
    found
}

/// A finding about a mesh of an instance that moved in a frame.
pub(super) fn mesh_of(record: &FrameRecord, instance: usize, mesh: usize) -> Finding {
    let named = record.instances.get(instance).and_then(|own| own.meshes.get(mesh));
    let subject = match named {
        Some(own) if !own.name.is_empty() => Subject::named(Element::Mesh, &own.name),
        _ => Subject::numbered(Element::Mesh, mesh),
    };
    let found = Finding::new(Stage::Skin, Kind::Deformed, subject).measured();
    in_instance(record, instance, found)
}

/// The number of further items with the same change as the reported one. None if there are none.
pub(super) fn others(stage: Stage, of: Element, count: usize) -> Option<Finding> {
    let more = Finding::new(stage, Kind::More, Subject::all(of)).more(count).measured();
    (count > 0).then_some(more)
}

/// Files that changed.
pub(super) fn files<T: AsRef<str>>(stage: Stage, names: &[T]) -> Finding {
    let of = if stage == Stage::Texture { Element::Texture } else { Element::File };
    let names = names.iter().map(|name| Subject::named(Element::File, name.as_ref()));
    Finding::new(stage, Kind::FileChanged, Subject::all(of)).elements(names)
}
