//! Differences of vertices whose joints are unchanged.

use super::subjects::{in_instance, mesh_of, others};
use crate::record::frame_record::FrameRecord;
use crate::record::position_sums::Moved;
use crate::record::stages::{InstanceRecord, MeshRecord};
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject, Unit, Value};

/// Distances below this are rounding, as a fraction of a mesh's diagonal.
const ROUNDING: f64 = 2e-6;

/// True if a mesh differs by more than rounding; if its file changed only in rounding or order,
/// digests have no meaning.
fn differs(old: &MeshRecord, new: &MeshRecord, is_harmless: bool) -> bool {
    let least = ROUNDING * f64::from((old.max - old.min).length());
    let is_moved = |moved: &Moved| match *moved {
        Moved::TooLittle => false,
        Moved::One { distance, .. } => distance > least,
        Moved::Several { least: moved, .. } => moved > least,
    };
    if is_harmless {
        false
    } else if old.positions == new.positions {
        old != new
    } else {
        let moved = new.position_sums.moved_since(&old.position_sums, old.vertices);
        old.vertices != new.vertices || moved.as_ref().is_none_or(is_moved)
    }
}

/// The first mesh that differs, and the number of others. None if all are unchanged.
pub(in crate::record) fn differences(
    old: &FrameRecord,
    new: &FrameRecord,
    is_harmless: bool,
) -> Option<Vec<Finding>> {
    if old.instances.len() != new.instances.len() {
        let [was, is] = [old, new].map(|print| Value::count(print.instances.len()));
        let counts = say(Kind::CountChanged, Subject::all(Element::Instance)).from_to(was, is);
        return Some(vec![Finding { stage: Stage::Skin, ..counts }]);
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
    // Moved joints explain moved vertices.
    let why = (before.pose == now.pose).then_some("weights");
    let mut found = of_instance(new, *n, before, now, why);
    found.extend(others(Stage::Skin, Element::Instance, moved.len() - 1));
    Some(found)
}

fn say(kind: Kind, of: Subject) -> Finding {
    Finding::new(Stage::Skin, kind, of).measured()
}

fn of_instance(
    new: &FrameRecord,
    n: usize,
    before: &InstanceRecord,
    now: &InstanceRecord,
    why: Option<&str>,
) -> Vec<Finding> {
    let alone = |found: Finding| vec![in_instance(new, n, found)];
    let meshes = || Subject::all(Element::Mesh);
    if before.meshes.is_empty() || now.meshes.is_empty() {
        return alone(say(Kind::Unkept, meshes()));
    }
    if before.meshes.len() != now.meshes.len() {
        let lone = |own: &InstanceRecord, other: &InstanceRecord| {
            let is_lone = |mesh: &&MeshRecord| other.meshes.iter().all(|own| own.name != mesh.name);
            let lone = own.meshes.iter().find(is_lone);
            lone.map(|mesh| Subject::named(Element::Mesh, &mesh.name))
        };
        let found = match (lone(before, now), lone(now, before)) {
            (Some(gone), _) => say(Kind::Removed, gone),
            (None, Some(fresh)) => say(Kind::Added, fresh),
            (None, None) => say(Kind::CountChanged, meshes()),
        };
        let [was, is] = [before, now].map(|own| Value::count(own.meshes.len()));
        return alone(found.from_to(was, is));
    }
    // A mesh that moved is more informative than one that only shades differently.
    let pairs: Vec<(&MeshRecord, &MeshRecord)> = before.meshes.iter().zip(&now.meshes).collect();
    let differs = |other: fn(&MeshRecord, &MeshRecord) -> bool| {
        pairs.iter().position(|(old, new)| other(old, new))
    };
    let place = differs(|old, new| old.vertices != new.vertices)
        .or_else(|| differs(|old, new| old.positions != new.positions))
        .or_else(|| differs(|old, new| old != new));
    let Some(place) = place else { return alone(say(Kind::Rounded, meshes())) };
    let count = pairs.iter().filter(|(old, new)| old != new).count();
    let mut found = of_mesh(mesh_of(new, n, place), pairs[place].0, pairs[place].1, why);
    found.extend(others(Stage::Skin, Element::Mesh, count - 1));
    found
}

/// The change of a mesh; `mesh` is a finding that already names its subject.
fn of_mesh(mesh: Finding, old: &MeshRecord, new: &MeshRecord, why: Option<&str>) -> Vec<Finding> {
    let within = |kind, of| {
        let mut one = say(kind, Subject::all(of)).within(mesh.of.clone());
        one.within.extend(mesh.within.iter().cloned());
        one
    };
    if old.vertices != new.vertices {
        let [was, is] = [old, new].map(|mesh| Value::count(mesh.vertices));
        return vec![within(Kind::CountChanged, Element::Vertex).from_to(was, is)];
    }
    if old.positions != new.positions {
        let moved = Finding { property: why.map(str::to_owned), ..mesh };
        let sums = new.position_sums.moved_since(&old.position_sums, old.vertices);
        return vec![match sums {
            Some(Moved::One { vertex, distance }) => {
                moved.elements([Subject::vertex(vertex)]).by(distance, Unit::Distance)
            }
            Some(Moved::TooLittle) => Finding { kind: Kind::Rounded, property: None, ..moved },
            Some(Moved::Several { blocks, first, least, .. }) => moved
                .count(if blocks > 1 { blocks } else { 2 }, old.vertices)
                .elements([Subject::vertex(first)])
                .by(least, Unit::Distance),
            None => moved,
        }];
    }
    let mut found = Vec::new();
    if old.triangles != new.triangles {
        found.push(within(Kind::CornersChanged, Element::Triangle));
    }
    if old.texcoords != new.texcoords {
        found.push(within(Kind::ElementsChanged, Element::TextureCoordinate));
    }
    if old.normals != new.normals {
        found.push(within(Kind::ElementsChanged, Element::Normal));
    }
    if found.is_empty() {
        found.push(Finding { kind: Kind::Rounded, ..mesh });
    }
    found
}
