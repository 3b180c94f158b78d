//! Survey of a scene: each pose is skinned once, and everything fitted to it is measured then.
//!
//! A camera is fitted to all frames. Its needs for a pose depend on the fit: an outline for each
//! orientation of the camera, or a box, which does not turn at all. Each frame therefore names the
//! measures that it is the first to need, and frames with the same pose are measured together.

use super::fit::{Outlined, Outliner, Outlines, orientation_of};
use super::moments::{Keyed, Moments, PoseKey};
use super::staged_instance::StagedInstance;
use super::staging::Staging;
use rayon::prelude::*;
use std::collections::BTreeMap;
use tintype_model::math::Aabb;
use tintype_scene::FramePosition;

/// Frames that are measured before they are merged.
const CHUNK: usize = 1024;

/// Requested measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    /// The box around the casters of shadows.
    pub casters: bool,
    /// Outlines before the camera, and the box around everything visible.
    pub outlines: bool,
}

/// Measures of all frames; those not requested are empty.
#[derive(Debug)]
pub(super) struct Survey {
    /// Bounding box of all casters in all frames.
    pub casters: Aabb,
    /// Outlines of all orientations of the camera.
    pub outlines: Outlines,
}

/// A frame, and what it is the first to need.
#[derive(Clone, Copy, Debug)]
struct Task {
    moment: FramePosition,
    key: Option<PoseKey>,
    wanted: Wanted,
}

/// Measures of one frame.
struct Measures {
    casters: Aabb,
    outline: Option<Outlined>,
}

impl Survey {
    /// Poses all frames of the scene, in parallel.
    pub(super) fn of(staging: &Staging, moments: &Moments, wanted: Wanted) -> Self {
        let outliner = wanted.outlines.then(|| Outliner::new(staging));
        let mut survey = Self { casters: Aabb::EMPTY, outlines: Outlines::default() };
        // Frames are merged in their order, whichever thread finishes first.
        for tasks in tasks_of(staging, moments, wanted).chunks(CHUNK) {
            let of_pose = |places: &Vec<usize>| {
                let tasks: Vec<Task> = places.iter().map(|&place| tasks[place]).collect();
                let measured = measure(staging, outliner.as_ref(), &tasks);
                places.iter().copied().zip(measured).collect::<Vec<_>>()
            };
            let mut measured: Vec<(usize, Measures)> =
                by_pose(tasks).par_iter().flat_map_iter(of_pose).collect();
            measured.sort_by_key(|(place, _)| *place);
            measured.into_iter().for_each(|(_, measures)| survey.merge(measures));
        }
        survey
    }

    /// The box around the models over all frames.
    pub(super) fn bounds(staging: &Staging) -> Aabb {
        let wanted = Wanted { outlines: true, ..Wanted::default() };
        Self::of(staging, &Moments::of(staging), wanted).outlines.bounds()
    }

    fn merge(&mut self, Measures { casters, outline }: Measures) {
        self.casters.merge(&casters);
        if let Some(outline) = outline {
            self.outlines.add(outline);
        }
    }
}

/// The first frames that need each measurement, in their order.
fn tasks_of(staging: &Staging, moments: &Moments, wanted: Wanted) -> Vec<Task> {
    let mut tasks = BTreeMap::new();
    let mut add = |frames: Vec<Keyed>, need: fn(&mut Wanted)| {
        for (moment, key) in frames {
            let new = Task { moment, key, wanted: Wanted::default() };
            need(&mut tasks.entry(moment.k).or_insert(new).wanted);
        }
    };
    if wanted.casters {
        add(moments.distinct(|_| ()), |one| one.casters = true);
    }
    if wanted.outlines {
        let frames = moments.distinct(|moment| orientation_of(staging, moment));
        add(frames, |one| one.outlines = true);
    }
    tasks.into_values().collect()
}

/// Positions of tasks with the same pose: a turning camera sees it from several sides. A task
/// without a key stands alone.
fn by_pose(tasks: &[Task]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut places = BTreeMap::new();
    for (place, task) in tasks.iter().enumerate() {
        let next = groups.len();
        let group = task.key.map_or(next, |key| *places.entry(key).or_insert(next));
        if group == next {
            groups.push(Vec::new());
        }
        groups[group].push(place);
    }
    groups
}

/// Measures tasks with the same pose, which is that of the first.
fn measure(staging: &Staging, outliner: Option<&Outliner>, tasks: &[Task]) -> Vec<Measures> {
    let Some(first) = tasks.first() else { return Vec::new() };
    let shows_all = tasks.iter().any(|task| task.wanted.outlines);
    let instances = &staging.scene().instances;
    let staged = staging.stage_chosen(first.moment, |instance| shows_all || instance.casts);
    let casters: Vec<&StagedInstance> = if shows_all {
        instances.iter().zip(&staged).filter(|(one, _)| one.casts).map(|(_, s)| s).collect()
    } else {
        staged.iter().collect()
    };
    let box_around = || {
        let mut bounds = Aabb::EMPTY;
        casters.iter().for_each(|instance| bounds.merge(&instance.bounds()));
        bounds
    };
    let of_task = |&Task { moment, wanted, .. }: &Task| Measures {
        casters: if wanted.casters { box_around() } else { Aabb::EMPTY },
        outline: outliner.filter(|_| wanted.outlines).map(|one| one.outline(&staged, moment)),
    };
    let measures = tasks.iter().map(of_task).collect();
    staging.recycle_instances(staged);
    measures
}
