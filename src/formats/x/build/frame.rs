//! Frames become joints.

use super::values::{Values, label};
use crate::formats::place::Place;
use crate::formats::x::error::XError;
use crate::formats::x::tree::{Child, Document, ObjectIndex};
use crate::math::Affine3;
use crate::model::{Joint, JointIndex, Skeleton};
use std::collections::HashMap;

/// The skeleton, and which object is which joint.
pub(super) struct Frames {
    /// One joint a frame in file order; behind them one at the origin if a mesh stands outside of all frames.
    pub(super) skeleton: Skeleton,
    by_object: Vec<Option<JointIndex>>,
    by_name: HashMap<String, JointIndex>,
    top: Option<JointIndex>,
}

impl Frames {
    /// The joint of a frame.
    pub(super) fn joint(&self, frame: ObjectIndex) -> Option<JointIndex> {
        self.by_object.get(frame.index()).copied().flatten()
    }

    /// The first frame of that name.
    pub(super) fn named(&self, name: &str) -> Option<JointIndex> {
        self.by_name.get(name).copied()
    }

    /// The joint that an object rides on: that of the innermost frame around it.
    pub(super) fn around(&self, document: &Document, object: ObjectIndex) -> Option<JointIndex> {
        let mut at = document.object(object).parent;
        while let Some(parent) = at {
            if let Some(joint) = self.joint(parent) {
                return Some(joint);
            }
            at = document.object(parent).parent;
        }
        self.top
    }
}

/// The objects of a document with their indices: parents first, in file order.
pub(super) fn all(document: &Document) -> impl Iterator<Item = ObjectIndex> + '_ {
    let mut open: Vec<ObjectIndex> = document.roots.iter().rev().copied().collect();
    std::iter::from_fn(move || {
        let next = open.pop()?;
        open.extend(objects_in(document, next).rev());
        Some(next)
    })
}

/// The objects that stand directly in another.
pub(super) fn objects_in(
    document: &Document,
    parent: ObjectIndex,
) -> impl DoubleEndedIterator<Item = ObjectIndex> + '_ {
    document.object(parent).children.iter().filter_map(|child| match child {
        Child::Object(index) => Some(*index),
        Child::Reference(_) => None,
    })
}

/// The first object of a template that stands directly in another.
pub(super) fn object_in(
    document: &Document,
    parent: ObjectIndex,
    template: &str,
) -> Option<ObjectIndex> {
    objects_in(document, parent).find(|&index| document.object(index).is(template))
}

/// Makes the skeleton.
///
/// # Errors
/// [`XError`] if a matrix is cut short or not finite, or there are too many frames.
pub(super) fn build_frames(document: &Document) -> Result<Frames, XError> {
    let mut by_object = vec![None; document.objects.len()];
    let mut by_name = HashMap::new();
    let mut joints: Vec<Joint> = Vec::new();
    let mut local = Vec::new();
    for index in all(document) {
        let object = document.object(index);
        if !object.is("Frame") {
            continue;
        }
        let mut parent = None;
        let mut at = object.parent;
        while let Some(outer) = at
            && parent.is_none()
        {
            parent = by_object.get(outer.index()).copied().flatten();
            at = document.object(outer).parent;
        }
        let joint = next_joint(&joints, object.place)?;
        let parent_from_joint = match object_in(document, index, "FrameTransformMatrix") {
            Some(matrix) => {
                Values::new(document, document.object(matrix)).matrix(&label(object))?
            }
            None => Affine3::IDENTITY,
        };
        let model_from_parent = parent
            .and_then(|parent: JointIndex| joints.get(parent.index()))
            .map_or(Affine3::IDENTITY, |parent| parent.model_from_joint);
        joints.push(Joint {
            name: object.name.clone(),
            parent,
            model_from_joint: model_from_parent * parent_from_joint,
        });
        local.push(parent_from_joint);
        if let Some(slot) = by_object.get_mut(index.index()) {
            *slot = Some(joint);
        }
        if !object.name.is_empty() {
            by_name.entry(object.name.clone()).or_insert(joint);
        }
    }
    let mut frames = Frames { skeleton: Skeleton::default(), by_object, by_name, top: None };
    let outside = all(document).find(|&index| {
        document.object(index).is("Mesh") && frames.around(document, index).is_none()
    });
    if let Some(mesh) = outside {
        frames.top = Some(next_joint(&joints, document.object(mesh).place)?);
        joints.push(Joint {
            name: String::new(),
            parent: None,
            model_from_joint: Affine3::IDENTITY,
        });
        local.push(Affine3::IDENTITY);
    }
    frames.skeleton = Skeleton::try_with_local(joints, local).map_err(|error| XError::Range {
        place: Place::START,
        what: "the frames".into(),
        found: error.to_string(),
        expected: "frames that are somewhere".into(),
    })?;
    Ok(frames)
}

fn next_joint(joints: &[Joint], place: Place) -> Result<JointIndex, XError> {
    u16::try_from(joints.len()).map(JointIndex).map_err(|_| XError::Limit {
        place,
        what: "frames".into(),
        found: joints.len() + 1,
        limit: Skeleton::MAX_JOINTS,
    })
}
