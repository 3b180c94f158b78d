//! Parts of a scene given by a program for one time: transforms, joints and vertices of instances.

use super::arrays::affine;
use super::{Error, ErrorKind};
use tintype_model::math::Vec3;
use tintype_render::Given as Parts;
use tintype_render::asset::Assets;
use tintype_scene::Scene;

/// Replacements for parts of instances at one time, used instead of the values of the scene and its
/// files; see [`Renderer::draw_given`](super::Renderer::draw_given). Instances are given by their
/// index in the scene, from 0.
#[derive(Clone, Debug, Default)]
pub struct Given {
    parts: Vec<Parts>,
    next: Option<Box<Self>>,
}

impl Given {
    /// Makes an empty set of replacements.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    fn part(&mut self, instance: usize) -> &mut Parts {
        if self.parts.len() <= instance {
            self.parts.resize_with(instance + 1, Parts::default);
        }
        &mut self.parts[instance]
    }

    /// Sets the matrix of an instance to world space, as rows; its last row is ignored.
    #[must_use]
    pub fn transform(mut self, instance: usize, matrix: &[[f32; 4]; 4]) -> Self {
        self.part(instance).transform = Some(affine(matrix));
        self
    }

    /// Sets matrices from joint space to model space, as rows, in the order of
    /// [`Model::joints`](super::Model::joints). Joints beyond the last matrix keep their poses. For
    /// a model of arrays without bind matrices, each matrix maps positions of the arrays to model
    /// space.
    #[must_use]
    pub fn joints(mut self, instance: usize, matrices: &[[[f32; 4]; 4]]) -> Self {
        self.part(instance).joints = matrices.iter().map(affine).collect();
        self
    }

    /// Sets vertices in model space, mesh by mesh, in the order of the model file. Normals are
    /// computed from the triangles.
    #[must_use]
    pub fn vertices(mut self, instance: usize, vertices: &[[f32; 3]]) -> Self {
        self.part(instance).vertices = vertices.iter().copied().map(Vec3::from).collect();
        self
    }

    /// Sets the parts at the end of the frame's motion: [`Channel::Motion`](super::Channel::Motion)
    /// is the movement from these parts to `next`. The rest of the scene is that of the following
    /// frame, or of the same frame if it is the last.
    #[must_use]
    pub fn next(self, next: Self) -> Self {
        Self { next: Some(Box::new(next)), ..self }
    }

    pub(crate) fn at_next(&self) -> Option<&Self> {
        self.next.as_deref()
    }

    /// Checks the parts against the instances, joints and vertices of a scene.
    pub(crate) fn checked(&self, scene: &Scene, assets: &Assets) -> Result<&[Parts], Error> {
        let refused = |message: String| Err(Error::new(ErrorKind::Draw, message));
        if self.parts.len() > scene.instances.len() {
            let (last, count) = (self.parts.len() - 1, scene.instances.len());
            return refused(format!("instance {last} of {count}"));
        }
        for (index, (part, instance)) in self.parts.iter().zip(&scene.instances).enumerate() {
            let model = &assets.models[instance.model].model;
            let count = model.skeleton.joints().len();
            if part.joints.len() > count {
                let given = part.joints.len();
                return refused(format!(
                    "instance {index}: {given} joints, but its model has {count}"
                ));
            }
            let count: usize = model.meshes.iter().map(|mesh| mesh.file_vertex_count()).sum();
            if !part.vertices.is_empty() && part.vertices.len() != count {
                let given = part.vertices.len();
                return refused(format!(
                    "instance {index}: {given} vertices, but its model has {count}"
                ));
            }
            let matrices = part.transform.iter().chain(&part.joints);
            if !matrices.clone().all(|own| own.is_finite())
                || !part.vertices.iter().all(|own| own.is_finite())
            {
                return refused(format!("instance {index}: a number is not finite"));
            }
        }
        Ok(&self.parts)
    }
}
