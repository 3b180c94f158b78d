//! Choice of the clip for a thumbnail, by the usual names of clips and by the size of the model in
//! them.
//!
//! Input: names of clips and of models, or a loaded model. Output: an order of preference, or a
//! clip.
//!
//! # Rule
//! 0. Among clips of one kind, one whose name begins with the word comes first: `Idle` before
//!    `Sword_Idle`.
//! 1. Clips at rest come first (idle, stand, breathe, wait), then calm motion (walk, run, fly,
//!    swim, wave), then clips without a known word in their names. If a name has several words, the
//!    worst counts.
//! 2. A clip whose name suggests harm or a change of state (death, pain, explode, open, attack,
//!    jump, sleep) is only shown on request.
//! 3. A clip that moves parts of the model apart is skipped: its bounding box grows beyond
//!    `MAX_GROWN` times that of the bind pose, after both are scaled to equal bone lengths.
//! 4. Without such a clip the bind pose is shown, unless the weights of most vertices disagree
//!    about their positions in it: then the first fitting clip is shown.

use std::collections::{BTreeMap, BTreeSet};
use tintype_model::math::Aabb;
use tintype_model::pose::{Binding, bind_clip, bind_pose, bone_ratio, sample_clip};
use tintype_model::skin::Extent;
use tintype_model::{Clip, Model, Pose};
use tintype_render::asset::LoadedModel;

/// Words for actions of a character or an object, the best for a picture first.
const WORDS: [(&str, u32); 54] = [
    ("idle", 0),
    ("stand", 1),
    ("still", 2),
    ("rest", 3),
    ("breath", 3),
    ("wait", 4),
    ("loop", 5),
    ("walk", 6),
    ("run", 7),
    ("trot", 7),
    ("gallop", 7),
    ("fly", 7),
    ("swim", 7),
    ("wave", 8),
    ("attack", UNSUITED),
    ("shoot", UNSUITED),
    ("fire", UNSUITED),
    ("reload", UNSUITED),
    ("jump", 11),
    ("start", 12),
    ("end", 12),
    ("turn", 12),
    ("sleep", 20),
    ("sit", 20),
    ("wakeup", 21),
    ("afraid", 20),
    ("tired", 20),
    ("open", 21),
    ("opening", 21),
    ("close", 21),
    ("closing", 21),
    ("closed", 21),
    ("fall", 22),
    ("hit", 22),
    ("hurt", 22),
    ("pain", 22),
    ("damage", 22),
    ("stun", 22),
    ("break", 29),
    ("burst", 29),
    ("shatter", 29),
    ("collapse", 29),
    ("crumble", 29),
    ("destroy", 29),
    ("explode", 29),
    ("explosion", 29),
    ("gib", 29),
    ("die", 30),
    ("dead", 30),
    ("death", 30),
    ("ragdoll", 31),
    ("bind", 32),
    ("tpose", 32),
    ("t-pose", 32),
];
const NO_WORD: u32 = 9;
/// Ranks of clips at rest end here.
const MAX_AT_REST: u32 = 5;
/// Ranks from here on are shown only on demand.
const UNSUITED: u32 = 10;
/// Maximum diagonal of the model in a clip, as a multiple of that in the bind pose.
const MAX_GROWN: f32 = 1.6;
/// Number of times at which a clip is measured.
const MEASURED: u32 = 6;

/// Number of letters that the names of a model and a clip must have in common to claim the clip.
const MIN_CLAIM: usize = 3;
/// Most letters of a name that are compared.
const MAX_CLAIM: usize = 32;

/// Rank of a clip by the action in its name; the smallest is the best.
///
/// Of several words the worst counts: a character that wakes from sleep is not idle.
#[must_use]
pub fn action_rank(name: &str) -> u32 {
    let name = name.to_lowercase();
    // `bite` does not contain the word `it`, but `idle2` contains `idle`: short words count only at
    // a border, long ones anywhere.
    let holds = |word: &str| match word.len() {
        0..=3 => is_apart(&name, word),
        _ => name.contains(word),
    };
    WORDS.iter().filter(|(word, _)| holds(word)).map(|(_, rank)| *rank).max().unwrap_or(NO_WORD)
}

/// True if a clip of that name may be shown without being requested.
#[must_use]
pub fn is_suited(name: &str) -> bool {
    action_rank(name) < UNSUITED
}

/// The reason for showing a clip of that name, or the bind pose.
#[must_use]
pub fn reason(name: Option<&str>) -> &'static str {
    match name.map(action_rank) {
        None => "no clip has an idle or calm name and keeps the model together",
        Some(0..=MAX_AT_REST) => "name suggests an idle pose",
        Some(NO_WORD) => "no word of violence or transition in its name",
        Some(rank) if rank < UNSUITED => "name suggests a calm motion",
        Some(_) => "asked for",
    }
}

/// The clip of a loaded model for a thumbnail, with its joints. None for the bind pose. `check` is
/// called before each clip that is tried.
///
/// # Errors
/// The error of `check`.
pub fn best_clip<E>(
    loaded: &LoadedModel,
    mut check: impl FnMut() -> Result<(), E>,
) -> Result<Option<(usize, Binding)>, E> {
    let model = &loaded.model;
    let names = names_of(loaded);
    let bind = |index: usize| bound(loaded, index);
    let mut measured = None;
    for index in by_action(&names).into_iter().filter(|&index| is_suited(names[index])) {
        check()?;
        let clip = &loaded.clips[index].clip;
        let Some((_, binding)) = bind(index) else { continue };
        let (extents, in_bind_pose) = measured.get_or_insert_with(|| {
            let extents: Vec<Extent<'_>> = model.meshes.iter().map(Extent::new).collect();
            let in_bind_pose = diagonal(&extents, &bind_pose(&model.skeleton));
            (extents, in_bind_pose)
        });
        let driving: Vec<bool> = binding.driving_joints().map(|joint| joint.is_some()).collect();
        let first = pose_at(model, clip, &binding, 0);
        let ratio = bone_ratio(&model.skeleton, &first, |joint| driving[joint]);
        // A clip of another unit shows the same figure.
        let ratio = ratio.map_or(1.0, |(ratio, _)| if ratio > 1.0 { ratio } else { 1.0 });
        let most = MAX_GROWN * ratio * *in_bind_pose;
        let is_together = |k: u32| diagonal(extents, &pose_at(model, clip, &binding, k)) <= most;
        if *in_bind_pose <= 0.0 || (0..MEASURED).all(is_together) {
            return Ok(Some((index, binding)));
        }
    }
    if is_bind_pose_torn(model) {
        check()?;
        return Ok(first_clip(loaded));
    }
    Ok(None)
}

/// The first clip that fits the model, regardless of its name, with its joints.
#[must_use]
pub fn first_clip(loaded: &LoadedModel) -> Option<(usize, Binding)> {
    by_action(&names_of(loaded)).into_iter().find_map(|index| bound(loaded, index))
}

fn names_of(loaded: &LoadedModel) -> Vec<&str> {
    loaded.clips.iter().map(|clip| clip.name.as_str()).collect()
}

/// A clip with its joints, if it fits the model.
fn bound(loaded: &LoadedModel, index: usize) -> Option<(usize, Binding)> {
    let model = &loaded.model;
    let clip: &Clip = &loaded.clips[index].clip;
    bind_clip(&model.skeleton, &model.meshes, clip).ok().map(|(binding, _)| (index, binding))
}

/// Minimum distance between the positions of a vertex by its weights that counts as disagreement,
/// as a fraction of the model's diagonal.
const APART_SHARE: f32 = 1e-2;

/// True if the weights of most vertices disagree about their positions in the bind pose: files with
/// a position for each weight may have been made only for their clips.
fn is_bind_pose_torn(model: &Model) -> bool {
    let bind = bind_pose(&model.skeleton);
    let extents: Vec<Extent<'_>> = model.meshes.iter().map(Extent::new).collect();
    let reach = APART_SHARE * diagonal(&extents, &bind);
    let (mut torn, mut all) = (0_usize, 0_usize);
    for mesh in &model.meshes {
        for vertex in 0..mesh.file_vertex_count() {
            let own = mesh.influences[mesh.influences_of(vertex)].iter();
            let pulling = own.filter(|one| one.weight() > MIN_WEIGHT);
            let places: Aabb = pulling
                .map(|one| bind.matrices[one.joint().index()].transform_point3(one.position()))
                .collect();
            torn += usize::from(!places.is_empty() && places.diagonal() > reach);
            all += 1;
        }
    }
    torn * 2 > all
}

/// Smaller weights have no visible effect.
const MIN_WEIGHT: f32 = 0.01;

/// The diagonal of a posed model.
fn diagonal(extents: &[Extent<'_>], pose: &Pose) -> f32 {
    let mut bounds = Aabb::EMPTY;
    extents.iter().for_each(|extent| extent.grow(pose, &mut bounds));
    bounds.diagonal()
}

/// The pose at one of the measured times of a clip.
fn pose_at(model: &Model, clip: &Clip, binding: &Binding, k: u32) -> Pose {
    let step_s = (clip.end_s - clip.start_s) / f64::from(MEASURED - 1);
    sample_clip(&model.skeleton, clip, binding, clip.start_s + f64::from(k) * step_s)
}

/// True if a name contains a word with no letter before or after it, or at its start or end.
fn is_apart(name: &str, word: &str) -> bool {
    name.match_indices(word).any(|(at, _)| {
        let before = name.get(..at).and_then(|text| text.chars().next_back());
        let behind = name.get(at + word.len()..).and_then(|text| text.chars().next());
        let is_edge = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphabetic());
        is_edge(behind) || is_edge(before)
    })
}

/// Clips in order of preference, as indices.
#[must_use]
pub fn by_action(names: &[&str]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    // Stable: equal clips keep the order of the file.
    order.sort_by_key(|&index| {
        let name = names[index].to_lowercase();
        let begins = WORDS.iter().any(|(word, _)| name.starts_with(word));
        (action_rank(&name), !begins)
    });
    order
}

/// The letters and digits of a name, in lower case.
fn letters(name: &str) -> Vec<char> {
    name.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// Clips of a folder by their models.
///
/// A clip belongs to the models whose names contain the longest prefix of its name: `GuardWalk` to
/// `OreoGuard`, `kingWalk` to `king` before `kingpin`. A clip without such a prefix is for all
/// models.
#[derive(Clone, Debug, Default)]
pub struct ClipIndex {
    /// Clips by the part of a model's name that is their prefix, and the length of the shortest
    /// such name.
    claimed: BTreeMap<Vec<char>, (usize, Vec<usize>)>,
    /// Clips without a model, in order of preference.
    free: Vec<usize>,
    ranks: Vec<u32>,
}

impl ClipIndex {
    /// Assigns clips to the models of their folder; names are without extensions.
    #[must_use]
    pub fn new(models: &[&str], clips: &[&str]) -> Self {
        let mut parts: BTreeMap<Vec<char>, usize> = BTreeMap::new();
        for model in models {
            let name = letters(model);
            for part in parts_of(&name) {
                let shortest = parts.entry(part.to_vec()).or_insert(name.len());
                *shortest = name.len().min(*shortest);
            }
        }
        let mut index = Self::default();
        for (k, clip) in clips.iter().enumerate() {
            index.ranks.push(action_rank(clip));
            let name = letters(clip);
            let claim = (MIN_CLAIM..=name.len().min(MAX_CLAIM))
                .rev()
                .find_map(|length| parts.get_key_value(&name[..length]));
            match claim {
                Some((part, &shortest)) => {
                    index.claimed.entry(part.clone()).or_insert((shortest, Vec::new())).1.push(k);
                }
                None => index.free.push(k),
            }
        }
        let ranks = &index.ranks;
        index.free.sort_by_key(|&k| ranks[k]);
        index
    }

    /// Clips that may belong to a model of the folder, as indices, in order of preference: those
    /// with a part of its name as prefix, then those whose prefix also belongs to a shorter name,
    /// then those for all models.
    #[must_use]
    pub fn of(&self, model: &str) -> Vec<usize> {
        let name = letters(model);
        let own: BTreeSet<&[char]> = parts_of(&name).collect();
        let mut found: Vec<(bool, u32, usize)> = Vec::new();
        for part in own {
            if let Some((shortest, clips)) = self.claimed.get(part) {
                let is_shared = *shortest < name.len();
                found.extend(clips.iter().map(|&clip| (is_shared, self.ranks[clip], clip)));
            }
        }
        found.sort_unstable();
        found.into_iter().map(|(.., clip)| clip).chain(self.free.iter().copied()).collect()
    }
}

/// Every part of a name that can claim clips.
fn parts_of(name: &[char]) -> impl Iterator<Item = &[char]> {
    (MIN_CLAIM..=name.len().min(MAX_CLAIM)).flat_map(|length| name.windows(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best<'n>(model: &str, models: &[&str], clips: &[&'n str]) -> Vec<&'n str> {
        ClipIndex::new(models, clips).of(model).into_iter().map(|index| clips[index]).collect()
    }

    #[test]
    fn action_at_rest_comes_before_motion_and_harm() {
        let names = ["death1", "GuardAttack", "walk", "Still", "scream", "stand", "GuardIdle"];
        let order: Vec<&str> = by_action(&names).into_iter().map(|index| names[index]).collect();
        assert_eq!(
            order,
            ["GuardIdle", "stand", "Still", "walk", "scream", "GuardAttack", "death1"]
        );
        let idles = ["Sword_Idle", "Unarmed_Idle", "Idle", "Walk"];
        assert_eq!(by_action(&idles), [2, 0, 1, 3], "a name that begins with the word");
        assert!(action_rank("GuardIdleSleep") > action_rank("GuardWalk"), "the worst word counts");
        assert_eq!(action_rank("chitter"), NO_WORD, "no hit in it");
        assert_eq!(action_rank("pawnHit"), 22);
        assert_eq!(action_rank("Anim-1"), NO_WORD);
    }

    #[test]
    fn harm_and_change_are_shown_on_demand_alone() {
        for name in
            ["idle1", "Stand", "walk_cycle", "Anim-1", "chitter", "breathe", "ArmatureAction"]
        {
            assert!(is_suited(name), "{name}");
        }
        for name in [
            "death1",
            "door_open",
            "DoorOpening",
            "barrel_explode",
            "pain_left",
            "gib",
            "burst1",
            "attack2",
            "GuardIdleSleep",
            "closed",
            "fall_down",
            "break",
            "die",
        ] {
            assert!(!is_suited(name), "{name}");
        }
    }

    #[test]
    fn clips_go_to_the_model_whose_name_they_begin_with() {
        let models = ["OreoBuilder", "OreoGuard"];
        let clips = ["BuilderDead", "BuilderIdle", "GuardIdle", "GuardWalk", "shake"];
        assert_eq!(best("OreoGuard", &models, &clips), ["GuardIdle", "GuardWalk", "shake"]);
        assert_eq!(best("OreoBuilder", &models, &clips), ["BuilderIdle", "BuilderDead", "shake"]);
        let chess = ["king", "kingpin"];
        assert_eq!(best("king", &chess, &["kingpinIdle", "kingWalk"]), ["kingWalk"]);
        assert_eq!(
            best("kingpin", &chess, &["kingIdle", "kingpinDie"]),
            ["kingpinDie", "kingIdle"]
        );
    }

    #[test]
    fn clips_without_a_model_s_name_are_for_all() {
        assert_eq!(best("imp", &["imp"], &["walk1", "idle1", "pain"]), ["idle1", "walk1", "pain"]);
        assert_eq!(best("imp", &["imp"], &[]), Vec::<&str>::new());
    }
}
