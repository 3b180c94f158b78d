//! Meshes: the faces of one material of an object, on each of its nodes.

use super::file::{ByName, Object, ThreeDsFile};
use super::keyframer::Node;
use crate::LimitExceeded;
use crate::corner_mesh::{Corner, CornerMesh, PLAIN, check_meshes, first_equal};
use crate::names::Names;
use crate::shade::{Shaded, ShadedFace, Smoothing};
use crate::told::Told;
use crate::{FilePlace, LimitName, LoadOptions, ModelFormatError};
use std::collections::BTreeMap;
use tintype_base::deadline::Watch;
use tintype_model::math::{Affine3, Vec2, Vec3};
use tintype_model::{FileMaterial, FileRepair, JointIndex, Mesh, Skeleton};

/// Faces between two checks of the deadline.
const STEPS: u32 = 1 << 14;

/// Builds the meshes; faces without a material use [`PLAIN`].
///
/// # Errors
/// [`ModelFormatError`] for limits.
pub(super) fn build(
    file: &ThreeDsFile,
    skeleton: &Skeleton,
    options: &LoadOptions,
    told: &mut Told,
) -> Result<Vec<Mesh>, ModelFormatError> {
    let mut watch = options.deadline.watch("building meshes", STEPS);
    let mut names = Names::default();
    let (mut meshes, mut corners) = (Vec::new(), 0_usize);
    let nodes = ByName::new(file.nodes.iter().map(|node| node.name.as_str()));
    let objects = ByName::new(file.objects.iter().map(|object| object.name.as_str()));
    let known = ByName::new(file.materials.iter().map(|material| material.name.as_str()));
    let mut ranks: BTreeMap<&str, usize> = BTreeMap::new();
    let at = FilePlace::Byte(0);
    for object in file.objects.iter().filter(|object| !object.faces.is_empty()) {
        if object.is_hidden {
            told.note_with(FileRepair::NotDrawn, at, "hidden in the file; not drawn", || {
                format!("object {:?}", object.name)
            });
            continue;
        }
        let normals = normals(object, options, &mut watch)?;
        let materials = face_materials(object, (&known, &file.materials), told);
        let rank = ranks.entry(&object.name).or_default();
        let twins = objects.find(&object.name).len();
        let places = places(nodes.find(&object.name), *rank, twins);
        *rank += 1;
        for place in places {
            corners = corners.saturating_add(object.faces.len().saturating_mul(3));
            let limit = options.limits.max_instanced().min(options.limits.max_instanced_corners);
            if corners > limit {
                let (what, option) = ("corners of all instances", Some(LimitName::Influences));
                return Err(LimitExceeded::new(at, what, corners, (limit, option)).into());
            }
            let node = place.and_then(|node| Some((node, file.nodes.get(node)?)));
            let (joint, offset) = on_joint(object, node, skeleton, told);
            for (material, faces) in &materials {
                let joint_name =
                    skeleton.joints().get(joint.index()).map(|joint| joint.name.as_str());
                let name = if place.is_some() { joint_name } else { Some(object.name.as_str()) };
                let name = names.unique(name, "mesh", meshes.len());
                let mut mesh = CornerMesh::new(&name, material, joint, offset);
                for &face in faces {
                    watch.step()?;
                    let corners = corners_of(object, face, &normals, told);
                    let number = u32::try_from(face).unwrap_or(u32::MAX);
                    corners.into_iter().for_each(|corners| mesh.triangle(number, corners));
                }
                if !mesh.is_empty() {
                    check_meshes(meshes.len() + 1, at, options)?;
                    meshes.push(mesh.build(skeleton, options)?);
                }
            }
        }
    }
    Ok(meshes)
}

/// The nodes that place an object, from all nodes of its name; one None without any. `rank` is its
/// number among the `twins` objects of its name.
fn places(of_name: Vec<usize>, rank: usize, twins: usize) -> Vec<Option<usize>> {
    let places: Vec<Option<usize>> = of_name.into_iter().map(Some).collect();
    // If there are as many objects of a name as nodes, each object belongs to one node.
    let is_paired = twins > 1 && places.len() == twins;
    match places.get(rank) {
        Some(own) if is_paired => vec![*own],
        _ if places.is_empty() => vec![None],
        _ => places,
    }
}

/// The joint of an object, and the transform of its vertices into joint space.
fn on_joint(
    object: &Object,
    node: Option<(usize, &Node)>,
    skeleton: &Skeleton,
    told: &mut Told,
) -> (JointIndex, Affine3) {
    let Some((number, node)) = node else { return (JointIndex(0), Affine3::IDENTITY) };
    let joint = JointIndex(u16::try_from(number + 1).unwrap_or(u16::MAX));
    let world_from_mesh = object.matrix.unwrap_or(Affine3::IDENTITY);
    let root = skeleton.joints().first().map_or(Affine3::IDENTITY, |joint| joint.model_from_joint);
    let rest = skeleton.joints().get(joint.index()).map_or(root, |joint| joint.model_from_joint);
    let pivot = Affine3::from_translation(-node.pivot);
    let is_mirrored =
        world_from_mesh.matrix3.determinant() < 0.0 && rest.matrix3.determinant() > 0.0;
    let mirror = if is_mirrored { Vec3::new(-1.0, 1.0, 1.0) } else { Vec3::ONE };
    let offset = pivot * Affine3::from_scale(mirror) * world_from_mesh.inverse();
    if offset.is_finite() {
        return (joint, offset);
    }
    let what = "its matrix has no inverse; it stays where it was stored";
    let found = || format!("object {:?}", object.name);
    told.note_with(FileRepair::Malformed, FilePlace::Byte(0), what, found);
    (JointIndex(0), Affine3::IDENTITY)
}

/// Names of materials with their faces, in the order of the file; faces without a material come
/// last.
fn face_materials(
    object: &Object,
    (known, materials): (&ByName, &[FileMaterial]),
    told: &mut Told,
) -> Vec<(String, Vec<usize>)> {
    let mut of_face: Vec<Option<usize>> = vec![None; object.faces.len()];
    let mut lists: Vec<(String, Vec<usize>)> = Vec::new();
    for (name, faces) in &object.materials {
        let own = known.find(name).first().and_then(|own| materials.get(*own));
        if own.is_none() {
            let what = "no material has this name; drawn plain";
            let found = || format!("{name:?}");
            told.note_with(FileRepair::NoMaterial, FilePlace::Byte(0), what, found);
        }
        for &face in faces {
            if let Some(slot) = of_face.get_mut(usize::from(face)) {
                *slot = Some(lists.len());
            }
        }
        lists.push((own.map_or(PLAIN.to_owned(), |material| material.name.clone()), Vec::new()));
    }
    let plain = lists.len();
    lists.push((PLAIN.to_owned(), Vec::new()));
    for (face, list) in of_face.into_iter().enumerate() {
        let list = lists.get_mut(list.unwrap_or(plain));
        list.into_iter().for_each(|(_, faces)| faces.push(face));
    }
    lists.retain(|(_, faces)| !faces.is_empty());
    lists
}

/// The corners of a face. None, with a warning, if it uses missing vertices.
fn corners_of(
    object: &Object,
    face: usize,
    normals: &[Option<Vec3>],
    told: &mut Told,
) -> Option<[Corner; 3]> {
    let vertices = object.faces.get(face)?;
    let mut corners = [Corner::default(); 3];
    for (corner, (own, &vertex)) in corners.iter_mut().zip(vertices).enumerate() {
        let position = object.positions.get(usize::from(vertex)).filter(|own| own.is_finite());
        let Some(&position) = position else {
            let what = "a face refers to a missing or non-finite vertex; skipped";
            let found = || format!("object {:?}", object.name);
            told.note_with(FileRepair::BadReference, FilePlace::Byte(0), what, found);
            return None;
        };
        let texcoord = object.texcoords.get(usize::from(vertex)).copied().unwrap_or(Vec2::Y);
        let normal = normals.get(3 * face + corner).copied().flatten().unwrap_or_default();
        // The file counts from the lower left corner.
        let texcoord = Vec2::new(texcoord.x, 1.0 - texcoord.y);
        *own = Corner { point: u32::from(vertex), position, normal, texcoord, color: None };
    }
    Some(corners)
}

/// The normal of each corner by the smoothing groups of its face; faces without a group are flat.
fn normals(
    object: &Object,
    options: &LoadOptions,
    watch: &mut Watch,
) -> Result<Vec<Option<Vec3>>, ModelFormatError> {
    let smoothing = |face: usize| match object.groups.get(face) {
        None if object.groups.is_empty() => Smoothing::Unsaid,
        None | Some(0) => Smoothing::Off,
        Some(groups) => Smoothing::Groups(*groups),
    };
    let faces: Vec<ShadedFace> = (0_u32..)
        .step_by(3)
        .take(object.faces.len())
        .enumerate()
        .map(|(face, first)| ShadedFace { first, count: 3, smoothing: smoothing(face) })
        .collect();
    let sound: Vec<Vec3> = object
        .positions
        .iter()
        .map(|position| if position.is_finite() { *position } else { Vec3::ZERO })
        .collect();
    let first = first_equal(&sound, options);
    let corner = |place: usize| {
        let vertex = object.faces.get(place / 3).and_then(|face| face.get(place % 3));
        let vertex = vertex.map_or(usize::MAX, |vertex| usize::from(*vertex));
        (first.get(vertex).copied().unwrap_or(u32::MAX), false)
    };
    let corners = 3 * object.faces.len();
    let shaded = Shaded { positions: &sound, faces: &faces, corners, corner: &corner };
    Ok(shaded.missing_normals(watch)?)
}
