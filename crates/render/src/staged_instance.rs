//! One instance, posed and skinned for one frame.

use tintype_model::math::{Aabb, Affine3};
use tintype_model::{Mesh, Pose, PosedMesh};

/// One instance in one frame.
#[derive(Clone, Debug)]
pub struct StagedInstance {
    /// Joints in model space.
    pub pose: Pose,
    /// From model space, in the axes of the file, to world space.
    pub world_from_model: Affine3,
    /// Meshes in world space, in file order; hidden ones have no vertices, and undrawn vertices are
    /// moved to drawn ones.
    pub meshes: Vec<PosedMesh>,
    /// For each mesh its triangles, if some are left out because they cover nothing.
    pub(super) triangles: Vec<Option<Vec<[u32; 3]>>>,
    /// True if the instance is drawn.
    pub is_visible: bool,
    /// The box in model space stated by the file of its clip for the frame; without layers and
    /// cross-fades in progress.
    pub stated_box: Option<Aabb>,
}

impl StagedInstance {
    /// The box around all meshes in world space.
    pub(super) fn bounds(&self) -> Aabb {
        let mut bounds = Aabb::EMPTY;
        self.meshes.iter().for_each(|posed| bounds.merge(&posed.bounds()));
        bounds
    }

    /// The drawn mesh at an index: `mesh` of the model, or one without vertices if it is hidden.
    #[must_use]
    pub fn shown<'m>(&self, index: usize, mesh: &'m Mesh) -> &'m Mesh {
        let is_hidden = self.meshes[index].len() != mesh.vertex_count();
        if is_hidden { Mesh::nothing() } else { mesh }
    }

    /// True if its transform mirrors, so that the winding of front faces is reversed.
    #[must_use]
    pub fn is_mirrored(&self) -> bool {
        self.world_from_model.matrix3.determinant() < 0.0
    }

    /// The drawn triangles of the mesh at an index: all of `shown`, unless some are left out.
    #[must_use]
    pub fn triangles<'m>(&'m self, index: usize, shown: &'m Mesh) -> &'m [[u32; 3]] {
        let left = self.triangles[index].as_deref();
        left.filter(|_| !shown.triangles.is_empty()).unwrap_or(&shown.triangles)
    }

    /// The drawn triangles of the mesh at an index with reversed winding; `mesh` is the model's
    /// mesh.
    pub(super) fn inside_out(&self, index: usize, mesh: &Mesh) -> Vec<[u32; 3]> {
        let turned = |&[a, b, c]: &[u32; 3]| [a, c, b];
        match &self.triangles[index] {
            Some(left) => left.iter().map(turned).collect(),
            // As in `Mesh::mirrored`, turned once more.
            None if self.is_mirrored() => mesh.triangles.clone(),
            None => mesh.triangles.iter().map(turned).collect(),
        }
    }
}
