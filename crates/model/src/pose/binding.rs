//! Binding of the joints of a clip to the joints of a skeleton.

use super::carry::carry;
use super::human::carry_human;
use crate::math::Affine3;
use crate::{
    Clip, FileRepair, JointIndex, LocalTransform, Mesh, MorphTrack, MorphWeight, Skeleton, Tracks,
    Warning,
};
use std::collections::HashMap;
use std::sync::Arc;
use thiserror::Error;

/// Error of binding a clip to a skeleton.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum BindError {
    /// A joint with vertices is missing from the clip.
    #[error(
        "the clip has no joint \"{name}\" (joint {joint} of the model, which moves vertices); {missing} of the model's {joints} joints are missing from the clip's {clip_joints}"
    )]
    MissingJoint {
        /// The first such joint.
        joint: usize,
        /// Its name.
        name: String,
        /// Number of joints of the skeleton missing from the clip.
        missing: usize,
        /// Number of joints of the skeleton.
        joints: usize,
        /// Number of joints of the clip.
        clip_joints: usize,
    },
    /// A clip without a hierarchy moves only joints missing from the skeleton.
    #[error(
        "none of the clip's {clip_joints} joints, such as \"{name}\", is among the model's {joints} joints"
    )]
    NoJoint {
        /// The first joint of the clip.
        name: String,
        /// Number of joints of the skeleton.
        joints: usize,
        /// Number of joints of the clip.
        clip_joints: usize,
    },
}

/// Per joint of a skeleton: the source of its matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    pub(super) drivers: Vec<Driver>,
    /// Per morph target of the skeleton: the track of the clip that moves its weight.
    pub(super) morphs: Vec<Option<usize>>,
    /// Expressions of the skeleton that the clip animates, with their tracks among those of the
    /// morph targets.
    pub(super) expressions: Vec<(usize, usize)>,
    /// The tracks of the clip converted for the skeleton, if it differs from that of the clip's
    /// file.
    carried: Option<Arc<[Tracks]>>,
}

impl Binding {
    /// The joints of the bound clip, as they move the skeleton.
    pub(super) fn joints<'a>(&'a self, clip: &'a Clip) -> &'a [Tracks] {
        self.carried.as_deref().unwrap_or(&clip.joints)
    }

    /// Leaves a skeleton unchanged, whatever the clip moves; only for a clip that [is
    /// local](Clip::is_local).
    #[must_use]
    pub fn at_rest(skeleton: &Skeleton) -> Self {
        binding(skeleton, &vec![None; skeleton.len()], vec![None; skeleton.morphs().len()], true)
    }

    /// For each joint of the skeleton, the joint of the clip that moves it.
    pub fn driving_joints(&self) -> impl Iterator<Item = Option<JointIndex>> {
        self.drivers.iter().map(|driver| match driver {
            Driver::Clip(index) | Driver::Local(index, _) => Some(*index),
            Driver::Parent(_) => None,
        })
    }
}

/// Source of the matrix of one joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Driver {
    /// From this joint of the clip.
    Clip(JointIndex),
    /// From this joint of a clip without a hierarchy; parts that it does not set are the joint's.
    Local(JointIndex, LocalTransform),
    /// The joint is missing from the clip, and no vertex needs it: it keeps its bind pose relative
    /// to its parent.
    Parent(Affine3),
}

/// Finds the joint of `clip` for each joint of `skeleton`.
///
/// Joints match by name; repeated names match in order. Namespaces are ignored if full names do not
/// match. A joint without influence on `meshes` may be missing. If one with vertices is missing but
/// both hierarchies have the same count and the same parents, joints match by index, with a
/// warning. A clip that [is local](Clip::is_local) may move any of the joints; names that the
/// skeleton does not have cause a warning. If its file has [another skeleton](Clip::rest), the clip
/// is carried over from one rest pose to the other, with a warning.
///
/// # Errors
/// [`BindError::MissingJoint`] if a joint with vertices is missing and the hierarchies differ;
/// [`BindError::NoJoint`] if the skeleton has none of the joints of a local clip.
pub fn bind_clip(
    skeleton: &Skeleton,
    meshes: &[Mesh],
    clip: &Clip,
) -> Result<(Binding, Vec<Warning>), BindError> {
    if clip.is_local {
        return bind_local(skeleton, clip);
    }
    let by_name = match_names(skeleton, clip);
    let used = joints_with_vertices(skeleton, meshes);
    let missing = |joint: &usize| by_name[*joint].is_none();
    let Some(first) = (0..skeleton.len()).find(|joint| used[*joint] && missing(joint)) else {
        return Ok((binding(skeleton, &by_name, Vec::new(), false), Vec::new()));
    };
    let count = (0..skeleton.len()).filter(missing).count();
    let name = &skeleton.joints()[first].name;
    if same_hierarchy(skeleton, clip) {
        let by_index: Vec<_> =
            (0..skeleton.len()).map(|joint| u16::try_from(joint).ok().map(JointIndex)).collect();
        let warning = FileRepair::ByIndex.told(
            format!(
                "{count} joints of the model (first \"{name}\") have no namesake in the clip; the hierarchies are equal, so joints are matched by index"
            ),
        );
        let found = binding(skeleton, &by_index, Vec::new(), false);
        return Ok((found, vec![warning]));
    }
    Err(BindError::MissingJoint {
        joint: first,
        name: name.clone(),
        missing: count,
        joints: skeleton.len(),
        clip_joints: clip.joints.len(),
    })
}

/// Per joint of the skeleton: the joint of the clip with the same name, the n-th of a name with the
/// n-th.
fn match_names(skeleton: &Skeleton, clip: &Clip) -> Vec<Option<JointIndex>> {
    let mut by_name: HashMap<(&str, u32), JointIndex> = HashMap::new();
    let mut seen: HashMap<&str, u32> = HashMap::new();
    for (joint, tracks) in (0_u16..=u16::MAX).zip(clip.joints.iter()) {
        let occurrence = seen.entry(&tracks.name).or_insert(0);
        by_name.insert((&tracks.name, *occurrence), JointIndex(joint));
        *occurrence += 1;
    }
    let mut seen: HashMap<&str, u32> = HashMap::new();
    let mut found: Vec<Option<JointIndex>> = skeleton
        .joints()
        .iter()
        .map(|joint| {
            let occurrence = seen.entry(&joint.name).or_insert(0);
            let found = by_name.get(&(joint.name.as_str(), *occurrence)).copied();
            *occurrence += 1;
            found
        })
        .collect();
    if found.contains(&None) {
        let plain = by_plain_name(clip.joints.iter().map(|tracks| tracks.name.as_str()));
        for (joint, slot) in skeleton.joints().iter().zip(&mut found) {
            let same = || plain.get(plain_name(&joint.name)).copied().flatten();
            *slot = slot.or_else(|| u16::try_from(same()?).ok().map(JointIndex));
        }
    }
    found
}

fn joints_with_vertices(skeleton: &Skeleton, meshes: &[Mesh]) -> Vec<bool> {
    let mut used = vec![false; skeleton.len()];
    for mesh in meshes {
        for influence in &mesh.influences {
            used[influence.joint().index()] |= influence.weight() != 0.0;
        }
    }
    used
}

fn same_hierarchy(skeleton: &Skeleton, clip: &Clip) -> bool {
    skeleton.len() == clip.joints.len()
        && skeleton
            .joints()
            .iter()
            .zip(clip.joints.iter())
            .all(|(joint, tracks)| joint.parent == tracks.parent)
}

fn binding(
    skeleton: &Skeleton,
    found: &[Option<JointIndex>],
    morphs: Vec<Option<usize>>,
    is_local: bool,
) -> Binding {
    let drivers = found
        .iter()
        .zip(skeleton.parent_from_joint())
        .enumerate()
        .map(|(joint, (driver, &parent_from_joint))| match driver {
            Some(index) if is_local => Driver::Local(*index, skeleton.rest(joint)),
            Some(index) => Driver::Clip(*index),
            None => Driver::Parent(parent_from_joint),
        })
        .collect();
    Binding { drivers, morphs, expressions: Vec::new(), carried: None }
}

/// The name of a joint without the namespace prefix of programs: `mixamorig:Hips`,
/// `mixamorig1:Hips` and `mixamorigHips` are `Hips`.
fn plain_name(name: &str) -> &str {
    let name = name.rsplit(':').next().filter(|last| !last.is_empty()).unwrap_or(name);
    let is_number = |letter: char| letter.is_ascii_digit() || letter == '_';
    let rest = name.strip_prefix("mixamorig").map(|rest| rest.trim_start_matches(is_number));
    rest.filter(|rest| !rest.is_empty()).unwrap_or(name)
}

/// Indices of names without namespaces. None for an ambiguous name.
fn by_plain_name<'n>(names: impl Iterator<Item = &'n str>) -> HashMap<&'n str, Option<usize>> {
    let mut found = HashMap::new();
    for (index, name) in names.enumerate() {
        let slot = found.entry(plain_name(name)).or_insert(Some(index));
        *slot = slot.filter(|&own| own == index);
    }
    found
}

/// For each name, the first joint of that name; if the skeleton has no such joint, namespaces are
/// ignored. Each joint is found once.
fn joints_named<'n>(
    skeleton: &Skeleton,
    names: impl Iterator<Item = &'n str> + Clone,
) -> Vec<Option<usize>> {
    let own = || skeleton.joints().iter().map(|joint| joint.name.as_str());
    let mut first: HashMap<&str, usize> = HashMap::new();
    for (index, name) in own().enumerate() {
        first.entry(name).or_insert(index);
    }
    let mut found: Vec<Option<usize>> =
        names.clone().map(|name| first.get(name).copied()).collect();
    if found.contains(&None) {
        let plain = by_plain_name(own());
        let mut is_taken = vec![false; skeleton.len()];
        found.iter().flatten().for_each(|&index| is_taken[index] = true);
        for (name, slot) in names.zip(&mut found).filter(|(_, slot)| slot.is_none()) {
            let same = plain.get(plain_name(name)).copied().flatten();
            *slot = same.filter(|&index| !core::mem::replace(&mut is_taken[index], true));
        }
    }
    found
}

/// Binds a clip without a hierarchy: each of its joints moves the first joint of that name.
fn bind_local(skeleton: &Skeleton, clip: &Clip) -> Result<(Binding, Vec<Warning>), BindError> {
    if clip.rest.as_deref() != Some(skeleton)
        && let Some((found, carried)) = carry_human(skeleton, clip)
    {
        return bind_human(skeleton, clip, &found, carried);
    }
    // A clip without any name has its joints in the order of the model.
    let is_nameless = clip.joints.len() == skeleton.len()
        && !clip.joints.is_empty()
        && clip.joints.iter().all(|tracks| tracks.name.is_empty());
    let named = if is_nameless {
        (0..skeleton.len()).map(Some).collect()
    } else {
        joints_named(skeleton, clip.joints.iter().map(|tracks| tracks.name.as_str()))
    };
    let mut found = vec![None; skeleton.len()];
    let mut lost: Vec<&str> = Vec::new();
    for ((joint, tracks), index) in (0_u16..=u16::MAX).zip(clip.joints.iter()).zip(named) {
        match index {
            Some(index) => found[index] = Some(JointIndex(joint)),
            None => lost.push(&tracks.name),
        }
    }
    let (morphs, expressions, mut warnings) = match_weights(skeleton, clip);
    let found_morphs = morphs.iter().flatten().count() + expressions.len();
    if let Some(&name) = lost.first() {
        if lost.len() == clip.joints.len() && found_morphs == 0 {
            return Err(BindError::NoJoint {
                name: name.to_owned(),
                joints: skeleton.len(),
                clip_joints: clip.joints.len(),
            });
        }
        let message = format!(
            "{} of the clip's {} joints (first \"{name}\") are not in the model and are ignored",
            lost.len(),
            clip.joints.len()
        );
        warnings.push(FileRepair::NoTarget.told(message));
    }
    if is_nameless && skeleton.joints().iter().any(|joint| !joint.name.is_empty()) {
        let message = "the clip does not name its joints but has as many as the model, so they are matched by index";
        warnings.push(FileRepair::ByIndex.told(message));
    }
    let rest = clip.rest.as_deref().filter(|&rest| rest != skeleton && !is_nameless);
    let Some(rest) = rest else {
        let found = binding(skeleton, &found, morphs, true);
        return Ok((Binding { expressions, ..found }, warnings));
    };
    // Clips of other files move the bound pose, not a pose of one time.
    let skeleton = &*skeleton.bound();
    let rest = rest.bound();
    let mut bound = binding(skeleton, &found, morphs, true);
    let names = rest.joints().iter().map(|joint| joint.name.as_str());
    let named = joints_named(skeleton, names);
    let (carried, warning) = carry(skeleton, clip, &rest, &found, &named);
    (bound.carried, bound.expressions) = (carried, expressions);
    warnings.extend(warning);
    Ok((bound, warnings))
}

/// Binds the clip of another human: it moves the bones of both, and expressions.
fn bind_human(
    skeleton: &Skeleton,
    clip: &Clip,
    found: &[Option<JointIndex>],
    carried: Arc<[Tracks]>,
) -> Result<(Binding, Vec<Warning>), BindError> {
    let (morphs, expressions, mut warnings) = match_weights(skeleton, clip);
    let is_found = |index: usize| found.iter().flatten().any(|joint| joint.index() == index);
    let lost: Vec<&str> = (clip.joints.iter().enumerate())
        .filter(|(index, _)| !is_found(*index))
        .map(|(_, tracks)| tracks.name.as_str())
        .collect();
    if let [name, ..] = lost[..] {
        if lost.len() == clip.joints.len() && expressions.is_empty() {
            let (clip_joints, joints) = (clip.joints.len(), skeleton.len());
            return Err(BindError::NoJoint { name: name.to_owned(), joints, clip_joints });
        }
        warnings.push(FileRepair::NoTarget.told(format!(
            "{} of the clip's {} joints (first \"{name}\") are not human bones of both skeletons and are ignored",
            lost.len(),
            clip.joints.len()
        )));
    }
    let bound = binding(skeleton, found, morphs, true);
    Ok((Binding { expressions, carried: Some(carried), ..bound }, warnings))
}

/// The tracks of morph targets and of expressions, and a warning about those that the model lacks.
#[expect(clippy::type_complexity, reason = "three lists")]
fn match_weights(
    skeleton: &Skeleton,
    clip: &Clip,
) -> (Vec<Option<usize>>, Vec<(usize, usize)>, Vec<Warning>) {
    let morphs = match_morphs(skeleton, clip);
    let all = skeleton.expressions();
    let find = |(track, own): (usize, &MorphTrack)| {
        let named = all.iter().position(|one| one.name == own.name);
        let named = named.or_else(|| all.iter().position(|one| one.aliases.contains(&own.name)));
        named.filter(|_| own.is_expression()).map(|index| (index, track))
    };
    let expressions: Vec<_> = clip.morphs.iter().enumerate().filter_map(find).collect();
    let lost =
        clip.morphs.len().saturating_sub(morphs.iter().flatten().count() + expressions.len());
    let mut warnings = Vec::new();
    if lost > 0 {
        warnings.push(FileRepair::NoTarget.told(format!(
            "{lost} of the clip's {} morph targets are not in the model and are ignored",
            clip.morphs.len()
        )));
    }
    (morphs, expressions, warnings)
}

/// For each morph target of the skeleton, the first track of the same joint and name, or of the
/// same number if it has no name.
fn match_morphs(skeleton: &Skeleton, clip: &Clip) -> Vec<Option<usize>> {
    let joints = skeleton.joints();
    let (mut named, mut numbered) = (HashMap::new(), HashMap::new());
    for (index, track) in clip.morphs.iter().enumerate() {
        let joint = track.joint.as_str();
        named.entry((joint, track.name.as_str())).or_insert(index);
        if track.name.is_empty() {
            numbered.entry((joint, track.target)).or_insert(index);
        }
    }
    let find = |slot: &MorphWeight| {
        let joint = joints[slot.joint.index()].name.as_str();
        let found = named.get(&(joint, slot.name.as_str()));
        found.or_else(|| numbered.get(&(joint, slot.target))).copied()
    };
    skeleton.morphs().iter().map(find).collect()
}
