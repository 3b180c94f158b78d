//! Joints and their hierarchy in the bind pose.

use crate::math::{Affine3, Quat, Vec3};
use crate::{Expression, Rig};
use std::borrow::Cow;
use std::sync::Arc;
use thiserror::Error;

/// The index of a joint in its [`Skeleton`]; names may repeat, indices never do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointIndex(pub u16);

impl JointIndex {
    /// The index as a position in a slice.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// One joint in the bind pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The name as written in the file, blanks and dots included.
    pub name: String,
    /// The parent joint. None for a root. There may be several roots.
    pub parent: Option<JointIndex>,
    /// Joint space to model space in the bind pose.
    pub model_from_joint: Affine3,
}

/// Transform of a joint relative to its parent in the bind pose, in parts: parts left open by a
/// clip are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalTransform {
    /// Scale along the axes of the joint, applied first.
    pub scale: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Position on the parent.
    pub translation: Vec3,
}

impl LocalTransform {
    /// The parts of a matrix; a sheared one loses its shear.
    #[must_use]
    pub fn of(parent_from_joint: Affine3) -> Self {
        let (scale, rotation, translation) = parent_from_joint.to_scale_rotation_translation();
        // A joint flattened to a plane has no direction across it.
        let rotation = if rotation.is_finite() { rotation } else { Quat::IDENTITY };
        Self { scale, rotation, translation }
    }

    /// The matrix that it is made of.
    #[must_use]
    pub fn matrix(&self) -> Affine3 {
        Affine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// A weight that clips and scenes animate, for one target of the meshes of one joint.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphWeight {
    /// The name of the target in its file, or a name made from its number.
    pub name: String,
    /// The joint of the meshes that it deforms.
    pub joint: JointIndex,
    /// Index of the target within its meshes.
    pub target: usize,
    /// Its weight where no clip moves it; finite.
    pub rest: f32,
}

/// The joints of a model, parents before children, and the weights of its morph targets: everything
/// moved by a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    parent_from_joint: Vec<Affine3>,
    /// Parts of `parent_from_joint` in the file; empty if it has matrices.
    rest: Vec<LocalTransform>,
    morphs: Vec<MorphWeight>,
    expressions: Vec<Expression>,
    /// Joint space to model space where the vertices are bound, if that differs from the pose of
    /// the file; otherwise empty.
    bind: Vec<Affine3>,
    is_of_a_moment: bool,
    rig: Arc<Rig>,
}

/// Error of a list of joints.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkeletonError {
    /// A parent that does not precede its child: a cycle, a later joint or no joint at all.
    #[error(
        "joint {joint} \"{name}\" has parent {parent}; parents must come before their children"
    )]
    ParentOrder {
        /// The child.
        joint: usize,
        /// Its name.
        name: String,
        /// The parent that the file names.
        parent: usize,
    },
    /// More joints than an index can name.
    #[error("{count} joints; the limit is {limit}")]
    TooMany {
        /// The count.
        count: usize,
        /// The maximum accepted count.
        limit: usize,
    },
    /// A joint with a transform that is not finite.
    #[error("joint {joint} \"{name}\" has a bind pose that is not finite")]
    NotFinite {
        /// The joint.
        joint: usize,
        /// Its name.
        name: String,
    },
}

impl Skeleton {
    /// The maximum number of joints.
    pub const MAX_JOINTS: usize = 1 << 16;

    /// Takes joints whose parents precede them.
    ///
    /// # Errors
    /// [`SkeletonError`] names the first joint that breaks the order, is not finite, or is one too
    /// many.
    pub fn try_new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        if joints.len() > Self::MAX_JOINTS {
            return Err(SkeletonError::TooMany { count: joints.len(), limit: Self::MAX_JOINTS });
        }
        for (index, joint) in joints.iter().enumerate() {
            if let Some(parent) = joint.parent
                && parent.index() >= index
            {
                return Err(SkeletonError::ParentOrder {
                    joint: index,
                    name: joint.name.clone(),
                    parent: parent.index(),
                });
            }
            if !joint.model_from_joint.is_finite() {
                return Err(SkeletonError::NotFinite { joint: index, name: joint.name.clone() });
            }
        }
        let parent_from_joint = joints.iter().map(|joint| match joint.parent {
            Some(parent) => {
                joints[parent.index()].model_from_joint.inverse() * joint.model_from_joint
            }
            None => joint.model_from_joint,
        });
        let parent_from_joint = parent_from_joint.collect();
        Ok(Self { joints, parent_from_joint, rest: Vec::new(), ..Self::default() })
    }

    /// Takes joints placed relative to their parents by the format, with the resulting
    /// `model_from_joint`, so that a joint keeps its transform even below a parent that is scaled
    /// to zero.
    ///
    /// # Errors
    /// As [`Skeleton::try_new`]; and [`SkeletonError::NotFinite`] if a transform on a parent is
    /// missing or not finite.
    pub fn try_with_local(
        joints: Vec<Joint>,
        parent_from_joint: Vec<Affine3>,
    ) -> Result<Self, SkeletonError> {
        let skeleton = Self::try_new(joints)?;
        for (index, joint) in skeleton.joints.iter().enumerate() {
            if !parent_from_joint.get(index).is_some_and(|local| local.is_finite()) {
                return Err(SkeletonError::NotFinite { joint: index, name: joint.name.clone() });
            }
        }
        Ok(Self { parent_from_joint, ..skeleton })
    }

    /// As [`Skeleton::try_with_local`], with the parts of each transform as in the file: a matrix
    /// does not show which axis a mirroring flips.
    ///
    /// # Errors
    /// As [`Skeleton::try_with_local`].
    pub fn try_with_parts(
        joints: Vec<Joint>,
        parent_from_joint: Vec<Affine3>,
        rest: Vec<LocalTransform>,
    ) -> Result<Self, SkeletonError> {
        Ok(Self { rest, ..Self::try_with_local(joints, parent_from_joint)? })
    }

    /// The same joints with weights of morph targets.
    #[must_use]
    pub fn with_morphs(self, morphs: Vec<MorphWeight>) -> Self {
        Self { morphs, ..self }
    }

    /// The same joints with the pose in which the file binds its vertices, from each joint to model
    /// space.
    #[must_use]
    pub fn with_bind(self, bind: Vec<Affine3>) -> Self {
        Self { bind, ..self }
    }

    /// The same joints, marked as a pose of one time: for files of clips, the time when the file
    /// was written.
    #[must_use]
    pub fn of_a_moment(self) -> Self {
        Self { is_of_a_moment: true, ..self }
    }

    /// True if its pose is only that of one time.
    #[must_use]
    pub fn is_of_a_moment(&self) -> bool {
        self.is_of_a_moment
    }

    /// From each joint to model space where the vertices are bound. None if that is the pose of the
    /// joints.
    #[must_use]
    pub fn bind(&self) -> Option<&[Affine3]> {
        Some(self.bind.as_slice()).filter(|bind| bind.len() == self.joints.len())
    }

    /// The skeleton in the bind pose of its vertices.
    #[must_use]
    pub fn bound(&self) -> Cow<'_, Self> {
        let Some(bind) = self.bind() else { return Cow::Borrowed(self) };
        let joints = self.joints.iter().zip(bind);
        let joints =
            joints.map(|(joint, &model_from_joint)| Joint { model_from_joint, ..joint.clone() });
        match Self::try_new(joints.collect()) {
            Ok(bound) => Cow::Owned(bound.with_morphs(self.morphs.clone())),
            Err(_) => Cow::Borrowed(self),
        }
    }

    /// The same joints with expressions of their weights.
    #[must_use]
    pub fn with_expressions(self, expressions: Vec<Expression>) -> Self {
        Self { expressions, ..self }
    }

    /// The same joints with the rig data of the file. Its indices must be those of joints and
    /// colliders.
    #[must_use]
    pub fn with_rig(self, rig: Rig) -> Self {
        Self { rig: Arc::new(rig), ..self }
    }

    /// Names of bones, and joints that follow others.
    #[must_use]
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// Named sets of the weights.
    #[must_use]
    pub fn expressions(&self) -> &[Expression] {
        &self.expressions
    }

    /// Weights of the morph targets of all meshes on these joints: in the order of the joints, then
    /// of the targets, followed by the numbers of [animated properties](crate::AnimatedProperty).
    #[must_use]
    pub fn morphs(&self) -> &[MorphWeight] {
        &self.morphs
    }

    /// The parts of the transform of a joint on its parent.
    #[must_use]
    pub fn rest(&self, joint: usize) -> LocalTransform {
        let given = self.rest.get(joint).copied();
        given.unwrap_or_else(|| LocalTransform::of(self.parent_from_joint[joint]))
    }

    /// Transform of each joint relative to its parent in the bind pose; in model space for a root.
    #[must_use]
    pub fn parent_from_joint(&self) -> &[Affine3] {
        &self.parent_from_joint
    }

    /// The joints, parents before children.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// For each joint, true if it is one of `roots` or a descendant of one.
    #[must_use]
    pub fn descendants(&self, roots: &[usize]) -> Vec<bool> {
        let mut below = vec![false; self.len()];
        for (index, joint) in self.joints().iter().enumerate() {
            let follows = joint.parent.is_some_and(|parent| below[parent.index()]);
            below[index] = follows || roots.contains(&index);
        }
        below
    }

    /// Number of joints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// True if there is no joint.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }
}
