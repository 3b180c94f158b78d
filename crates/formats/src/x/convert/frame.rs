//! Frames become joints.

use super::part::{meant, part};
use super::values::{Values, or_warn};
use crate::LimitExceeded;
use crate::text::SourcePosition;
use crate::x::error::XError;
use crate::x::tree::{Child, Document, ObjectIndex, label};
use crate::{LimitName, LoadOptions};
use std::collections::{BTreeSet, HashMap};
use tintype_model::math::Affine3;
use tintype_model::{FileRepair, Joint, JointIndex, Skeleton, Warning};

/// The skeleton, and the meshes on each joint.
pub(super) struct Frames {
    /// One joint per frame, parents first and in file order; a frame that others refer to makes a
    /// joint in each of them. One at the origin follows if a mesh is outside of all frames.
    pub(super) skeleton: Skeleton,
    /// Each mesh with the joint of its frame, once for each frame that contains it; in file order
    /// of the meshes.
    pub(super) meshes: Vec<(ObjectIndex, JointIndex)>,
    by_name: HashMap<String, JointIndex>,
}

impl Frames {
    /// The first frame of that name.
    pub(super) fn named(&self, name: &str) -> Option<JointIndex> {
        self.by_name.get(name).copied()
    }
}

/// Builds the skeleton and finds the joint of each mesh.
///
/// A frame or a mesh outside of all frames that a frame refers to belongs only to that frame; one
/// inside a frame belongs to both.
///
/// # Errors
/// [`XError`] if there are too many frames.
pub(super) fn build_frames(
    document: &Document,
    options: &LoadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Frames, XError> {
    let referred = referred(document);
    let mut build = Build {
        document,
        joints: Vec::new(),
        local: Vec::new(),
        marks: vec![Mark::Unseen; document.objects.len()],
        meshes: Vec::new(),
    };
    let is_standing = |index: &&ObjectIndex| !referred.contains(*index);
    build.add_frames(document.roots.iter().filter(is_standing).copied(), options, warnings)?;
    // The remaining frames are only referred to by themselves, possibly through others: one of them
    // is in a cycle.
    let is_lost = |build: &Build<'_>, frame: ObjectIndex| {
        document.object(frame).is("Frame") && build.marks.get(frame.index()) == Some(&Mark::Unseen)
    };
    for &frame in &referred {
        if is_lost(&build, frame) {
            build.add_frames([frame].into_iter(), options, warnings)?;
        }
    }
    build.finish()
}

/// The templates of a frame's contents.
const PLACED: [&str; 4] = ["Frame", "Mesh", "PatchMesh", "PatchMesh9"];

/// The top-level frames and meshes that frames refer to.
fn referred(document: &Document) -> BTreeSet<ObjectIndex> {
    let frames = document.objects.iter().filter(|object| object.is("Frame"));
    let references = frames
        .flat_map(|frame| &frame.children)
        .filter(|child| matches!(child, Child::Reference(_)));
    references
        .filter_map(|child| meant(document, child, &PLACED))
        .filter(|&index| document.object(index).parent.is_none())
        .collect()
}

/// State of the walk at a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Unseen,
    /// The walk is in it.
    Open,
    Done,
}

/// A skeleton under construction.
struct Build<'d> {
    document: &'d Document,
    joints: Vec<Joint>,
    local: Vec<Affine3>,
    /// One an object.
    marks: Vec<Mark>,
    meshes: Vec<(ObjectIndex, Option<JointIndex>)>,
}

/// Steps of the walk between two checks of the deadline.
const STEPS: u32 = 1 << 10;

/// A step of the walk over the contents of frames.
enum Step {
    /// To an object on a joint; with the position of the reference to it.
    Enter(ObjectIndex, Option<JointIndex>, Option<SourcePosition>),
    /// Out of a frame.
    Leave(ObjectIndex),
}

impl Build<'_> {
    /// Adds objects of the top level with their contents.
    fn add_frames(
        &mut self,
        roots: impl DoubleEndedIterator<Item = ObjectIndex>,
        options: &LoadOptions,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), XError> {
        let document = self.document;
        let mut steps: Vec<Step> = roots.rev().map(|root| Step::Enter(root, None, None)).collect();
        let mut left = options.limits.max_objects;
        let mut watch = options.deadline.watch("building frames", STEPS);
        while let Some(step) = steps.pop() {
            watch.step()?;
            let (index, parent, reference) = match step {
                Step::Enter(index, parent, reference) => (index, parent, reference),
                Step::Leave(frame) => {
                    self.mark(frame, Mark::Done);
                    continue;
                }
            };
            let object = document.object(index);
            let mut around = parent;
            if PLACED[1..].iter().any(|kind| object.is(kind)) {
                self.meshes.push((index, parent));
            } else if object.is("Frame") {
                if self.marks.get(index.index()) == Some(&Mark::Open) {
                    let circular = self.circular(index, reference.unwrap_or(object.position));
                    or_warn(Err::<(), _>(circular), "the reference is skipped", warnings)?;
                    continue;
                }
                around = Some(self.joint(index, parent, warnings)?);
                self.mark(index, Mark::Open);
                steps.push(Step::Leave(index));
            }
            let (what, limit) =
                ("objects, counted at each reference to them", options.limits.max_objects);
            let (found, limit) = (limit.saturating_add(1), (limit, Some(LimitName::Objects)));
            let too_many = || LimitExceeded::new(object.position, what, found, limit);
            left = left.checked_sub(object.children.len()).ok_or_else(too_many)?;
            for child in object.children.iter().rev() {
                match child {
                    Child::Object(inner) => steps.push(Step::Enter(*inner, around, None)),
                    Child::Reference(reference) if object.is("Frame") => {
                        let inner = meant(document, child, &PLACED);
                        let position = Some(reference.position);
                        steps.extend(inner.map(|inner| Step::Enter(inner, around, position)));
                    }
                    Child::Reference(_) => {}
                }
            }
        }
        Ok(())
    }

    fn mark(&mut self, frame: ObjectIndex, mark: Mark) {
        if let Some(known) = self.marks.get_mut(frame.index()) {
            *known = mark;
        }
    }

    /// The joint of a frame.
    fn joint(
        &mut self,
        index: ObjectIndex,
        parent: Option<JointIndex>,
        warnings: &mut Vec<Warning>,
    ) -> Result<JointIndex, XError> {
        let document = self.document;
        let object = document.object(index);
        let joint = next_joint(&self.joints, object.position)?;
        let parent_from_joint = match part(document, index, "FrameTransformMatrix") {
            Some(matrix) => {
                let mut values = Values::new(document, document.object(matrix));
                let found = values.matrix("a number").map(Some);
                if found.is_ok() && values.left() > 0 {
                    let (left, position) = (values.left(), values.position());
                    let message =
                        format!("a matrix has {} numbers; the first 16 are used", 16 + left);
                    warnings.push(position.fault(FileRepair::CountMismatch, &message));
                }
                or_warn(found, "the frame is placed at its parent", warnings)?
                    .unwrap_or(Affine3::IDENTITY)
            }
            None => Affine3::IDENTITY,
        };
        let model_from_parent = parent
            .and_then(|parent| self.joints.get(parent.index()))
            .map_or(Affine3::IDENTITY, |parent| parent.model_from_joint);
        self.joints.push(Joint {
            name: object.name.clone(),
            parent,
            model_from_joint: model_from_parent * parent_from_joint,
        });
        self.local.push(parent_from_joint);
        Ok(joint)
    }

    fn circular(&self, frame: ObjectIndex, position: SourcePosition) -> XError {
        XError::Range {
            position,
            what: format!("a reference to {}", label(self.document.object(frame))),
            found: "a frame that contains itself".into(),
            expected: "a frame that does not contain it".into(),
        }
    }

    fn finish(mut self) -> Result<Frames, XError> {
        let mut top = None;
        if let Some(&(mesh, _)) = self.meshes.iter().find(|(_, joint)| joint.is_none()) {
            top = Some(next_joint(&self.joints, self.document.object(mesh).position)?);
            self.joints.push(Joint {
                name: String::new(),
                parent: None,
                model_from_joint: Affine3::IDENTITY,
            });
            self.local.push(Affine3::IDENTITY);
        }
        // Objects without a name in the file are never referred to by name.
        let mut by_name = HashMap::new();
        for (joint, index) in self.joints.iter().zip(0_u16..) {
            if !joint.name.is_empty() {
                by_name.entry(joint.name.clone()).or_insert(JointIndex(index));
            }
        }
        name_joints(&mut self.joints);
        let mut meshes: Vec<(ObjectIndex, JointIndex)> = self
            .meshes
            .into_iter()
            .filter_map(|(mesh, joint)| Some((mesh, joint.or(top)?)))
            .collect();
        meshes.sort_by_key(|&(mesh, _)| mesh); // stable: the frames of one mesh stay in file order
        let skeleton =
            Skeleton::try_with_local(self.joints, self.local).map_err(|error| XError::Range {
                position: SourcePosition::START,
                what: "the frames".into(),
                found: error.to_string(),
                expected: "frames that are somewhere".into(),
            })?;
        Ok(Frames { skeleton, meshes, by_name })
    }
}

/// Names frames without a name after their parent frame, `frame`, and their number among its
/// unnamed frames, so that a name does not depend on other parts of the file.
fn name_joints(joints: &mut [Joint]) {
    let mut taken: BTreeSet<String> = joints.iter().map(|joint| joint.name.clone()).collect();
    let mut counts: HashMap<Option<JointIndex>, usize> = HashMap::new();
    for index in 0..joints.len() {
        let Some(joint) = joints.get(index).filter(|joint| joint.name.is_empty()) else { continue };
        let around = joint.parent.and_then(|parent| joints.get(parent.index()));
        let around = around.map(|around| around.name.clone()).unwrap_or_default();
        let name = free_name(&around, "frame", counts.entry(joint.parent).or_default(), &taken);
        taken.insert(name.clone());
        if let Some(joint) = joints.get_mut(index) {
            joint.name = name;
        }
    }
}

/// A name for a part without one: `frame_0` at the top, `hip_frame_0` in the frame `hip`.
pub(super) fn free_name(
    around: &str,
    kind: &str,
    count: &mut usize,
    taken: &BTreeSet<String>,
) -> String {
    loop {
        let between = if around.is_empty() { "" } else { "_" };
        let name = format!("{around}{between}{kind}_{count}");
        *count += 1;
        if !taken.contains(&name) {
            return name;
        }
    }
}

fn next_joint(joints: &[Joint], position: SourcePosition) -> Result<JointIndex, XError> {
    let limit = (Skeleton::MAX_JOINTS, None);
    let too_many = |_| LimitExceeded::new(position, "frames", joints.len() + 1, limit);
    Ok(u16::try_from(joints.len()).map(JointIndex).map_err(too_many)?)
}
