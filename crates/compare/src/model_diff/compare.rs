//! Poses both sides at all times of their clips and gathers the differences.

use super::difference::ModelDiff;
use super::side::Side;
use super::{course, joint, morph, order, scale, skin, structure, weights};
use crate::finding::{Element, Finding, Kind, Stage, Subject, Unit, Value};
use rayon::prelude::*;
use tintype_model::math::Aabb;
use tintype_model::pose::{BindError, Binding, bind_clip, bind_pose, play_clip};
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_model::{Clip, Model, Pose, PosedMesh};

/// Maximum number of compared times; clips with more keys are sampled in even steps.
const MAX_MOMENTS: usize = 2000;
/// Number of times that are posed before their differences are gathered.
const MOMENTS_AT_ONCE: usize = 16;

/// One side, ready to be posed.
struct Posing<'a> {
    side: Side<'a>,
    binding: Option<Binding>,
}

impl<'a> Posing<'a> {
    fn new(side: Side<'a>) -> Result<Self, BindError> {
        let bind = |clip: &Clip| bind_clip(&side.model.skeleton, &side.model.meshes, clip);
        let binding = side.clip.map(bind).transpose()?.map(|(binding, _)| binding);
        Ok(Self { side, binding })
    }

    /// The pose at a number of seconds after the start of the clip.
    fn pose(&self, time_s: f64) -> Pose {
        match (self.side.clip, &self.binding) {
            (Some(clip), Some(binding)) => {
                let wrap = tintype_model::Wrap::Clamp;
                play_clip(&self.side.model.skeleton, clip, binding, time_s, wrap)
            }
            _ => bind_pose(&self.side.model.skeleton),
        }
    }
}

/// Compares two exports of a model.
///
/// # Errors
/// The side, 0 or 1, whose clip does not fit its model, and the reason.
pub fn compare(old: Side, new: Side) -> Result<ModelDiff, (usize, BindError)> {
    let posing = [
        Posing::new(old).map_err(|error| (0, error))?,
        Posing::new(new).map_err(|error| (1, error))?,
    ];
    let pace = pace([old.clip, new.clip]);
    let (moments_s, has_all) = match (pace, new.clip) {
        (Some(_), Some(clip)) if course::is_straight(clip) => moments_s([old.clip, None]),
        _ => moments_s([old.clip, new.clip]),
    };
    let (is_paced, pace) = (pace.is_some(), pace.unwrap_or(1.0));
    let models = [old.model, new.model];
    let bound = models.map(|model| posed(model, &bind_pose(&model.skeleton)));
    let mut bounds = Aabb::EMPTY;
    bound[0].iter().for_each(|posed| bounds.merge(&posed.bounds()));
    let diagonal = bounds.diagonal();
    let pairs = paired([old, new], &bound, diagonal);
    let factor = scale::factor(bound.each_ref().map(Vec::as_slice));
    let moments = Moments { posing: &posing, pace, pairs: &pairs, diagonal, factor };
    let Seen { morph_weights, joints, meshes, has_one_factor } = moments.seen(&moments_s);
    let (mut joints, rounded_joints) = joints.finish(old.model);
    let mut structure = structure::findings([old, new], &pairs);
    structure.extend(morph::findings(models, &pairs, diagonal));
    structure.extend(morph_weights.findings(old.model));
    let weights::WeightDiff { findings: weights, largest, mut offsets, farthest_offset } =
        weights::differences(models, &pairs, diagonal);
    let mut bind = match old.clip.or(new.clip) {
        Some(_) => joint::moved_in_bind(models, &pairs, diagonal),
        None => Vec::new(),
    };
    let mut notes = structure::notes([old, new], &pairs);
    // A leaf joint took part of its vertices' transform, but all of them stayed: nothing drawn
    // moved.
    let meshes = meshes.finish(old.model, &pairs, diagonal, !joints.is_empty());
    for leaf in still_leaves(models, &bound, &pairs, &meshes, diagonal) {
        let count = joints.len() + offsets.len() + bind.len();
        joints.retain(|joint| joint.name != leaf);
        offsets.retain(|name| *name != leaf);
        bind.retain(|name| *name != leaf);
        if joints.len() + offsets.len() + bind.len() < count {
            let leaf = Subject::named(Element::Node, leaf);
            notes.push(Finding::new(Stage::Structure, Kind::MovedAgainst, leaf));
        }
    }
    let factor = factor.filter(|_| has_one_factor);
    structure.retain(|one| factor.is_none() || one.kind != Kind::MovesOtherwise);
    // This needs every time to be compared; joints are compared with a tolerance separately.
    let clips = [old.clip, new.clip];
    let resampled = if has_all { resampled(clips, &joints, &meshes, diagonal) } else { None };
    let has_moved = |name: &str| joints.iter().any(|joint| joint.name == *name);
    let keys = match (resampled, clips) {
        (Some(resampled), _) => vec![resampled],
        (None, [Some(old), Some(new)]) if !is_paced => course::other_keys([old, new], has_moved),
        _ => Vec::new(),
    };
    Ok(ModelDiff {
        moments: moments_s.len(),
        pace,
        diagonal,
        structure,
        factor,
        keys,
        notes,
        weights,
        largest_weight_change: largest,
        offsets,
        farthest_offset,
        bind,
        joints,
        rounded_joints,
        meshes,
    })
}

/// Paired joints and meshes, with the orders of vertices and their grids.
fn paired(sides: [Side; 2], bound: &[Vec<PosedMesh>; 2], diagonal: f32) -> structure::Pairs {
    let [old, new] = sides;
    let mut pairs = structure::pair(old.model, new.model);
    for &(mesh, other) in &pairs.meshes {
        let meshes = [&old.model.meshes[mesh], &new.model.meshes[other]];
        let posed = [&bound[0][mesh], &bound[1][other]];
        // For a clip, the model was reported before.
        let uses_textures =
            old.clip.is_none() && structure::uses_textures([(old, meshes[0]), (new, meshes[1])]);
        let order = order::order(meshes, posed, &pairs.joints, diagonal, uses_textures);
        pairs.grids.push(order::quantized(meshes, posed, order.as_ref(), diagonal));
        pairs.orders.push(order);
    }
    pairs
}

/// Times at which two sides are compared.
struct Moments<'m> {
    posing: &'m [Posing<'m>; 2],
    /// Seconds of the second clip for each of the first.
    pace: f64,
    pairs: &'m structure::Pairs,
    diagonal: f32,
    /// One factor of all lengths, in the bind pose.
    factor: Option<f32>,
}

/// The largest difference at any time.
struct Seen {
    morph_weights: morph::Worst,
    joints: joint::Worst,
    meshes: skin::Worst,
    /// True if the factor is the same at all times.
    has_one_factor: bool,
}

impl Moments<'_> {
    /// Compares times in parallel, some at once. Results are gathered in order of time, so the
    /// first of equal maxima wins.
    fn seen(&self, moments_s: &[f64]) -> Seen {
        let Self { posing, pace, pairs, diagonal, factor } = *self;
        let models = posing.each_ref().map(|one| one.side.model);
        let look = |&at_s: &f64| {
            let poses = [posing[0].pose(at_s), posing[1].pose(at_s * pace)];
            let joints = joint::differences(models, &poses, pairs, diagonal);
            let meshes = skin::differences(models, &poses, pairs, diagonal);
            let is_scaled = factor.is_some_and(|factor| {
                let posed = [posed(models[0], &poses[0]), posed(models[1], &poses[1])];
                let posed = posed.each_ref().map(Vec::as_slice);
                scale::is_scaled(models, &poses, posed, pairs, (factor, diagonal))
            });
            (at_s, joints, meshes, poses, is_scaled)
        };
        let mut seen = Seen {
            morph_weights: morph::Worst::new(models, pairs),
            joints: joint::Worst::new(models[0]),
            meshes: skin::Worst::new(models[0], pairs),
            has_one_factor: factor.is_some(),
        };
        for some in moments_s.chunks(MOMENTS_AT_ONCE) {
            let looks: Vec<_> = some.par_iter().map(look).collect();
            for (at_s, joint_differences, mesh_differences, poses, is_scaled) in looks {
                seen.has_one_factor &= is_scaled;
                seen.morph_weights.add(at_s, &poses);
                seen.joints.add(at_s, &joint_differences);
                seen.meshes.add(at_s, &mesh_differences);
            }
        }
        seen
    }
}

/// Leaf joints that alone pull vertices, whose meshes moved neither at any time nor in the bind
/// pose.
fn still_leaves(
    models: [&Model; 2],
    bound: &[Vec<PosedMesh>; 2],
    pairs: &structure::Pairs,
    moved: &[skin::MeshDiff],
    diagonal: f32,
) -> Vec<String> {
    let joints = models[0].skeleton.joints();
    let mut is_still: Vec<Option<bool>> = vec![None; joints.len()];
    for (pair, &(mesh, other)) in pairs.meshes.iter().enumerate() {
        let name = structure::name_of(models[0], mesh);
        let near = diagonal * (pairs.grids[pair].unwrap_or(0.0) + STILL);
        let stays = |vertex: usize, partner: Option<usize>| {
            let [before, now] = [&bound[0][mesh], &bound[1][other]];
            partner.is_some_and(|partner| {
                (now.position_at(partner) - before.position_at(vertex)).length() <= near
            })
        };
        let has_moved = moved.iter().any(|one| one.of == name)
            || pairs.vertices(pair, models).is_none_or(|partners| {
                !partners.into_iter().enumerate().all(|(vertex, partner)| stays(vertex, partner))
            });
        let mesh = &models[0].meshes[mesh];
        for vertex in 0..mesh.file_vertex_count() {
            let own = &mesh.influences[mesh.influences_of(vertex)];
            for influence in own {
                let still = &mut is_still[influence.joint().index()];
                *still = Some(still.unwrap_or(true) && !has_moved && own.len() == 1);
            }
        }
    }
    for joint in joints {
        if let Some(parent) = joint.parent {
            is_still[parent.index()] = None;
        }
    }
    let stills = joints.iter().zip(is_still).filter(|(_, still)| *still == Some(true));
    stills.map(|(joint, _)| joint.name.clone()).collect()
}

/// Movement that counts as rounding, as a fraction of the diagonal.
const STILL: f32 = 2e-5;

/// Reports a clip that has other keys of nearly the same motion, as after key reduction.
fn resampled(
    clips: [Option<&Clip>; 2],
    joints: &[joint::JointDiff],
    meshes: &[skin::MeshDiff],
    diagonal: f32,
) -> Option<Finding> {
    /// Degrees, and diagonals, by which the tolerance of such programs moves joints at any time; an
    /// edit of a key moves them more. A rotation by the former moves a point one diagonal away by
    /// the latter.
    const MOST: (f32, f32) = (0.1, 1.75e-3);
    let [old, new] = [clips[0]?, clips[1]?];
    let counts = [old, new].map(keys);
    let is_other = counts[0] != counts[1] && (old.length_s() - new.length_s()).abs() < 1e-6;
    let turned_deg = joints.iter().map(|one| one.turned_deg).fold(0.0, tintype_model::math::max);
    let moved = joints.iter().map(|one| one.moved);
    let moved = moved.chain(meshes.iter().filter_map(|mesh| Some(mesh.worst?.moved)));
    let moved = moved.fold(0.0, tintype_model::math::max) / diagonal;
    let is_told = is_other && !joints.is_empty() && turned_deg <= MOST.0 && moved <= MOST.1;
    let told = Finding::new(Stage::Pose, Kind::Resampled, Subject::all(Element::Clip));
    let [was, is] = counts.map(Value::count);
    let told = told.from_to(was, is).by(turned_deg, Unit::Degrees).by(moved, Unit::Diagonals);
    is_told.then_some(told)
}

/// The keys of all tracks of a clip.
fn keys(clip: &Clip) -> usize {
    let of_joints = clip.joints.iter().map(|tracks| {
        tracks.translation.times_s.len()
            + tracks.rotation.times_s.len()
            + tracks.scale.times_s.len()
    });
    of_joints.sum()
}

/// Seconds of the second clip per second of the first, if the two have the same keys at another
/// rate: then their poses are compared key by key, so that another rate is one difference instead
/// of one for every joint.
fn pace(clips: [Option<&Clip>; 2]) -> Option<f64> {
    let (Some(old), Some(new)) = (clips[0], clips[1]) else { return None };
    let [before, now] = [old, new].map(Clip::length_s);
    let is_other = (before - now).abs() > 1e-6;
    (old.key_count() == new.key_count() && before > 0.0 && now > 0.0 && is_other)
        .then(|| now / before)
}

/// The increasing key times of both clips from their starts, each once, and true if these are all;
/// 0 without clips.
fn moments_s(clips: [Option<&Clip>; 2]) -> (Vec<f64>, bool) {
    let mut times: Vec<f64> = vec![0.0];
    for clip in clips.into_iter().flatten() {
        for track in clip.morphs.iter() {
            times.extend(track.weight.times_s.iter().map(|time| time - clip.start_s));
            if times.len() > 4 * MAX_MOMENTS {
                tidy(&mut times);
            }
        }
        for tracks in clip.joints.iter() {
            let keys =
                [&tracks.translation.times_s, &tracks.scale.times_s, &tracks.rotation.times_s];
            for key_times in keys {
                times.extend(key_times.iter().map(|time| time - clip.start_s));
            }
            // Most tracks have common times; sorting after each keeps the list short.
            if times.len() > 4 * MAX_MOMENTS {
                tidy(&mut times);
            }
        }
    }
    tidy(&mut times);
    let clips: Vec<&Clip> = clips.into_iter().flatten().collect();
    let has_same_keys = clips.windows(2).all(|pair| pair[0].key_times_s == pair[1].key_times_s);
    if !has_same_keys || clips.iter().any(|clip| !course::is_straight(clip)) {
        // Two times between two keys distinguish any two splines that agree at the keys.
        let between: Vec<f64> = times
            .windows(2)
            .flat_map(|pair| [1.0, 2.0].map(|third| pair[0] + (pair[1] - pair[0]) * third / 3.0))
            .collect();
        times.extend(between);
        tidy(&mut times);
    }
    let step = times.len().div_ceil(MAX_MOMENTS);
    (times.into_iter().step_by(step.max(1)).collect(), step <= 1)
}

/// Sorts times; times within a tenth of a millisecond count as one.
fn tidy(times: &mut Vec<f64>) {
    times.retain(|time| *time >= 0.0);
    times.sort_by(f64::total_cmp);
    times.dedup_by(|later, earlier| *later - *earlier < 1e-4);
}

/// The meshes of a model in a pose.
fn posed(model: &Model, pose: &Pose) -> Vec<PosedMesh> {
    let matrices = SkinMatrices::new(pose);
    model.meshes.iter().map(|mesh| skin_mesh(mesh, &matrices)).collect()
}
