//! Meshes that lie on another mesh and whose texture is missing: if drawn, they would cover a
//! surface whose texture exists.

use super::instance::LoadedInstance;
use super::material::MaterialReport;
use std::collections::HashMap;
use std::path::Path;
use tintype_base::diagnostic::{Diagnostic, Kind, Place};
use tintype_model::math::{Aabb, Vec3};
use tintype_model::mesh_names;
use tintype_model::pose::bind_pose;
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_model::{Model, TextureRole};
use tintype_scene::Scene;

/// Distance from the vertices below within which a vertex counts as lying on them, as a fraction of
/// the mesh's diagonal.
const NEAR: f32 = 1e-3;

/// Hides overlay meshes of all instances whose texture is missing while that of the mesh below
/// exists, and reports them once for each model.
pub(super) fn hide_overlays(
    (scene, folder): (&Scene, &Path),
    models: &[&Model],
    reports: &[MaterialReport],
    instances: &mut [LoadedInstance],
    warnings: &mut Vec<Diagnostic>,
) {
    let mut known: HashMap<(usize, usize, usize), bool> = HashMap::new();
    for (loaded, instance) in instances.iter_mut().zip(&scene.instances) {
        let Some(&model) = models.get(instance.model) else { continue };
        let meshes = &model.meshes;
        let report = |mesh: usize| reports.get(*loaded.mesh_materials.get(mesh)?);
        let is_drawn = |mesh: usize| {
            loaded.is_drawn.get(mesh) == Some(&true)
                && meshes.get(mesh).is_some_and(|mesh| !mesh.triangles.is_empty())
        };
        let drawn: Vec<usize> = (0..meshes.len()).filter(|&mesh| is_drawn(mesh)).collect();
        let is_lost = |&mesh: &usize| report(mesh).is_some_and(|one| one.origin.is_missing());
        let (lost, mut there): (Vec<usize>, Vec<usize>) = drawn.into_iter().partition(is_lost);
        there.retain(|&mesh| {
            report(mesh).is_some_and(|one| one.texture(TextureRole::Diffuse).is_some())
        });
        for mesh in lost {
            let below = there.iter().copied().find(|&other| {
                let key = (instance.model, mesh, other);
                if let Some(found) = known.get(&key) {
                    return *found;
                }
                let found = lies_on(model, mesh, other);
                if found {
                    let names = mesh_names(meshes);
                    let file = scene.models.get(instance.model).map(|entry| entry.file.as_str());
                    let message = format!(
                        "mesh {:?} is not drawn: it overlays {:?} and its texture is missing",
                        names[mesh], names[other]
                    );
                    let place = Place::file(folder.join(file.unwrap_or_default()), 0);
                    warnings.push(Diagnostic::warning(Kind::Material, place, message));
                }
                known.insert(key, found);
                found
            });
            if below.is_some() {
                loaded.is_drawn[mesh] = false;
            }
        }
    }
}

/// True if each vertex of a mesh is close to a vertex of another, in the bind pose.
fn lies_on(model: &Model, mesh: usize, other: usize) -> bool {
    let matrices = SkinMatrices::new(&bind_pose(&model.skeleton));
    let [own, below] = [mesh, other].map(|index| {
        let mesh = &model.meshes[index];
        let posed = skin_mesh(mesh, &matrices);
        let corners = mesh.triangles.as_flattened().iter();
        corners.map(|&corner| posed.position_at(corner as usize)).collect::<Vec<Vec3>>()
    });
    let mut bounds = Aabb::EMPTY;
    own.iter().for_each(|&at| bounds.add(at));
    let near = bounds.diagonal() * NEAR;
    if !(near > 0.0 && near.is_finite()) {
        return false;
    }
    let cell = |at: Vec3| (at / near).floor().to_array().map(f32::to_bits);
    let mut cells: HashMap<[u32; 3], Vec<Vec3>> = HashMap::new();
    below.iter().for_each(|&at| cells.entry(cell(at)).or_default().push(at));
    let steps = || [-near, 0.0, near].into_iter();
    let neighbours = || {
        steps()
            .flat_map(move |x| steps().flat_map(move |y| steps().map(move |z| Vec3::new(x, y, z))))
    };
    own.iter().all(|&at| {
        neighbours().any(|step| {
            let found = cells.get(&cell(at + step));
            found.is_some_and(|found| found.iter().any(|other| other.distance(at) <= near))
        })
    })
}
