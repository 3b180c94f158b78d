//! Surfaces with vertex positions in every frame: the first frame is the mesh, the others are its
//! morph targets.

use crate::LimitExceeded;
use crate::{FilePlace, LimitName, LoadOptions, ModelFormatError};
use std::collections::HashMap;
use std::sync::Arc;
use tintype_base::amount::counted_as;
use tintype_model::math::{Affine3, Mat3, Vec2, Vec3};
use tintype_model::{
    BindInfluence, BindSpaceMesh, FileRepair, JointIndex, Mesh, MorphTarget, MorphTargets,
    MorphTransform, Skeleton, Warning,
};

/// Corner of a triangle: a vertex of the file, and its texture coordinate.
pub(super) type Corner = (u32, Vec2);

/// A surface of a file.
pub(super) struct Surface<'b> {
    pub(super) name: String,
    pub(super) material_name: String,
    /// Number of its vertices.
    pub(super) vertices: usize,
    /// In the order of the file: front faces are clockwise.
    pub(super) triangles: Vec<[Corner; 3]>,
    /// Position and normal of a vertex in a frame, by the indices of the frame and the vertex.
    pub(super) place: Box<dyn Fn(usize, usize) -> [Vec3; 2] + 'b>,
}

impl Surface<'_> {
    /// The first frame as a mesh on a joint, with normals to a side ([`side_of_normals`]).
    pub(super) fn mesh(
        &self,
        joint: JointIndex,
        side: f32,
        skeleton: &Skeleton,
        options: &LoadOptions,
    ) -> Result<Mesh, ModelFormatError> {
        let bind = self.bind(joint, side, options);
        Ok(Mesh::from_bind_space(bind, skeleton, &options.deadline)?)
    }

    /// The other frames as morph targets of that mesh, to the same side, with weights from
    /// `first_weight` on.
    pub(super) fn targets(
        &self,
        mesh: &Mesh,
        joint: JointIndex,
        side: f32,
        (frames, first_weight): (usize, usize),
        options: &LoadOptions,
    ) -> Result<Option<Arc<MorphTargets>>, ModelFormatError> {
        if frames <= 1 {
            return Ok(None);
        }
        let base: Vec<[Vec3; 2]> = (0..self.vertices).map(|at| (self.place)(0, at)).collect();
        let file_vertex: Vec<usize> = (0..mesh.vertex_count())
            .map(|at| mesh.file_vertex(u32::try_from(at).unwrap_or(u32::MAX)) as usize)
            .collect();
        let mut targets = Vec::new();
        for frame in 1..frames {
            options.deadline.check("building frames")?;
            targets.push(MorphTarget::new(first_weight + frame - 1, file_vertex.len(), |at| {
                let [position, normal] = (self.place)(frame, file_vertex[at]);
                let [first, first_normal] = base[file_vertex[at]];
                let turns = normal != Vec3::ZERO && first_normal != Vec3::ZERO;
                let turn = if turns { (normal - first_normal) * side } else { Vec3::ZERO };
                [position - first, turn, Vec3::ZERO]
            }));
        }
        let way = MorphTransform { joint, linear: Mat3::IDENTITY, normal: Mat3::IDENTITY };
        let carrier_of = vec![0; mesh.influences.len()];
        Ok(Some(Arc::new(MorphTargets { targets, carriers: vec![way], carrier_of })))
    }

    /// The first frame. The vertices of the file come first, then copies of those with several
    /// texture coordinates.
    fn bind(&self, joint: JointIndex, side: f32, options: &LoadOptions) -> BindSpaceMesh {
        let mut bind = BindSpaceMesh {
            name: self.name.clone(),
            material_name: self.material_name.clone(),
            texcoords: vec![Vec2::ZERO; self.vertices],
            offsets: vec![Affine3::IDENTITY],
            keeps_splits: options.keeps_splits,
            ..BindSpaceMesh::default()
        };
        let mut is_used = vec![false; self.vertices];
        let mut known: HashMap<(u32, [u32; 2]), u32> = HashMap::new();
        for &[a, b, c] in &self.triangles {
            // Clockwise in the file.
            bind.triangles.push([a, c, b].map(|(vertex, texcoord)| {
                let key = (vertex, texcoord.to_array().map(f32::to_bits));
                *known.entry(key).or_insert_with(|| {
                    let at = vertex as usize;
                    if !std::mem::replace(&mut is_used[at], true) {
                        bind.texcoords[at] = texcoord;
                        return vertex;
                    }
                    bind.texcoords.push(texcoord);
                    bind.source_vertex.push(vertex);
                    u32::try_from(bind.texcoords.len() - 1).unwrap_or(u32::MAX)
                })
            }));
        }
        let copies = bind.source_vertex.iter().map(|&vertex| vertex as usize);
        for vertex in (0..self.vertices).chain(copies) {
            let [position, normal] = (self.place)(0, vertex);
            bind.positions.push(position);
            bind.normals.push(normal * side);
        }
        let count = bind.positions.len();
        bind.influences = vec![BindInfluence { joint, weight: 1.0, offset: 0 }; count];
        bind.influence_start =
            (0..=count).map(|at| u32::try_from(at).unwrap_or(u32::MAX)).collect();
        bind
    }

    /// Faces of the first frame whose normals point inwards, and the number of all with normals.
    pub(super) fn inward_faces(&self) -> [usize; 2] {
        let (mut inward, mut all) = (0, 0);
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|(vertex, _)| (self.place)(0, vertex as usize));
            let agreement = (c[0] - a[0]).cross(b[0] - a[0]).dot(a[1] + b[1] + c[1]);
            all += usize::from(agreement != 0.0);
            inward += usize::from(agreement < 0.0);
        }
        [inward, all]
    }
}

/// -1 if the normals of most faces point inwards, otherwise 1.
pub(super) fn side_of_normals([inward, all]: [usize; 2]) -> f32 {
    if inward > all / 2 { -1.0 } else { 1.0 }
}

/// Reports inward normals; each entry counts a surface's faces with such normals, and all its
/// faces.
pub(super) fn tell_inward(faces: &[[usize; 2]], warnings: &mut Vec<Warning>) {
    /// They are reported if they exceed one in this many.
    const MANY: usize = 10;
    let [inward, all] = faces.iter().fold([0, 0], |sum, own| [sum[0] + own[0], sum[1] + own[1]]);
    let turned = faces.iter().filter(|own| side_of_normals(**own) < 0.0).count();
    if turned == 0 && inward <= all / MANY {
        return;
    }
    let points = counted_as(inward, "face points", "faces point");
    let surfaces = counted_as(faces.len(), "surface", "surfaces");
    let message = format!(
        "the normals of {points} of {all} point inwards; the normals of {turned} of {surfaces} are flipped"
    );
    warnings.push(FileRepair::InwardNormals.told(message));
}

/// Refuses surfaces whose frames take more memory than the size of their file justifies: `needed`
/// vertices over all frames.
pub(super) fn check_frames(
    needed: usize,
    bytes: usize,
    options: &LoadOptions,
) -> Result<(), ModelFormatError> {
    /// A vertex of a frame takes 4 bytes of the file, and has at most 6 texture coordinates in
    /// valid ones.
    const VERTICES_PER_BYTE: usize = 2;
    let limits = &options.limits;
    let by_size = limits.expanded_floor.max(bytes.saturating_mul(VERTICES_PER_BYTE));
    let limit = limits.influences.unwrap_or(by_size.min(limits.instanced));
    if needed <= limit {
        return Ok(());
    }
    let at = FilePlace::Byte(0);
    let (what, option) = ("vertices of all frames", Some(LimitName::Influences));
    Err(LimitExceeded::new(at, what, needed, (limit, option)).into())
}
