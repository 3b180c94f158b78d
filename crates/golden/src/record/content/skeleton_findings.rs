//! Differences of the bind pose: joints that were renamed, moved or attached to others.

use super::model_content::{JointContent, ModelContent};
use super::pairs::Pairs;
use crate::record::rigid::turn_deg;
use crate::record::rigid::{Rigid, length};
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject, Unit, Value};
use tintype_model::math::larger;

/// Below these, an angle in degrees and a fraction of the model's size are rounding.
const ROUNDING_DEG: f64 = 1e-3;
const ROUNDING: f64 = 1e-6;

/// The differences, and the pairs of the joints.
pub(super) fn findings(old: &ModelContent, new: &ModelContent, size: f64) -> (Vec<Finding>, Pairs) {
    let (before, now) = (&old.joints, &new.joints);
    let name = |index: Option<usize>, joints: &[JointContent]| {
        index.and_then(|index| joints.get(index)).map(|joint| joint.name.clone())
    };
    let is_new_name = |name: &str| before.iter().all(|joint| joint.name != *name);
    let is_old_name = |name: &str| now.iter().all(|joint| joint.name != *name);
    // A name in only one list may be another name of a joint of the other.
    let is_free = |a: usize, b: usize| is_old_name(&before[a].name) && is_new_name(&now[b].name);
    let by_name = |a: usize, b: usize| before[a].name == now[b].name;
    let by_content = |a: usize, b: usize| {
        let same_parent = name(old.parent(a), before) == name(new.parent(b), now);
        is_free(a, b) && before[a].marks[1] == now[b].marks[1] && same_parent
    };
    let by_place = |a: usize, b: usize| {
        is_free(a, b) && (before[a].marks == now[b].marks || a == b && before.len() == now.len())
    };
    let pairs = Pairs::new([before.len(), now.len()], &[&by_name, &by_content, &by_place]);

    // 1. Names, parents and order.
    let mut found = Vec::new();
    let say = |kind, of| Finding::new(Stage::Pose, kind, of);
    let gone = pairs.gone.iter().map(|&gone| (old, gone, Kind::Removed));
    let alone = gone.chain(pairs.fresh().map(|fresh| (new, fresh, Kind::Added)));
    let of_file = |joints: &[JointContent]| joints.iter().filter(|joint| !joint.is_made).count();
    for (model, joint, kind) in alone.filter(|(model, joint, _)| !model.joints[*joint].is_made) {
        let name = &model.joints[joint].name;
        let one = if matters(model, joint) {
            say(kind, Subject::joint(name))
        } else {
            say(kind, Subject::named(Element::Node, name))
        };
        let [was, is] = [before, now].map(|joints| of_file(joints));
        let [was, is] = [was, is].map(|count| (was != is).then(|| Value::count(count)));
        found.push(one.from_to(was, is));
    }
    let (mut hung, mut leading) = (vec![false; now.len()], 0);
    for (a, b) in pairs.iter() {
        if before[a].name != now[b].name {
            let joint = say(Kind::Renamed, Subject::joint(&before[a].name));
            found.push(joint.from_to(None, Value::from(now[b].name.as_str())));
        }
        let parents = [old.parent(a), new.parent(b)];
        if parents[1] != parents[0].and_then(|parent| pairs.of_old(parent)) && !now[b].is_made {
            hung[b] = true;
            let [was, is] =
                [name(parents[0], before), name(parents[1], now)].map(|name| name.map(Value::from));
            let hung_on = say(Kind::Reparented, Subject::joint(&now[b].name)).from_to(was, is);
            // Between joints that stay it is a separate edit and comes first; otherwise it follows
            // from added or removed joints.
            let stays = parents[0].is_none_or(|parent| pairs.of_old(parent).is_some())
                && parents[1].is_none_or(|parent| pairs.of_new[parent].is_some());
            let place = if stays { leading } else { found.len() };
            leading += usize::from(stays);
            found.insert(place, hung_on);
        }
    }
    if leading == 0 && found.is_empty() {
        found.extend(inherited(old, new, &pairs));
    }
    if pairs.is_reordered() {
        found.push(say(Kind::Reordered, Subject::all(Element::Joint)));
    }
    // 2. Those that moved.
    found.extend(moved(old, new, &pairs, &hung, size));
    (found, pairs)
}

/// Joints whose scale is on a separate joint on one side only: their children inherit it
/// differently.
fn inherited(old: &ModelContent, new: &ModelContent, pairs: &Pairs) -> Vec<Finding> {
    const BELOW: [&str; 2] = ["inherited by all below", "not inherited by all below"];
    let of_model = |model: &ModelContent, joint: usize, [was, is]: [&str; 2]| {
        let own = model.joints[joint].is_made.then(|| model.joint_of_file(joint))?;
        let of = Subject::joint(&model.joints[own].name);
        let inherited = Finding::new(Stage::Pose, Kind::ValueChanged, of).property("scale");
        Some(inherited.from_to(Value::from(was), Value::from(is)))
    };
    let [few, all] = [[BELOW[1], BELOW[0]], BELOW];
    let gone = pairs.gone.iter().filter_map(|&joint| of_model(old, joint, few));
    gone.chain(pairs.fresh().filter_map(|joint| of_model(new, joint, all))).collect()
}

fn has_made(model: &ModelContent, joint: usize) -> bool {
    model.joints.iter().any(|one| one.is_made && usize::try_from(one.parent) == Ok(joint))
}

/// The scale of a joint relative to its parent, including that of the joint that the reader made
/// for it.
fn own_scale(model: &ModelContent, joint: usize) -> [f32; 3] {
    let index = i32::try_from(joint).unwrap_or(-1);
    let made = model.joints.iter().filter(|one| one.is_made && one.parent == index);
    let scale = |joint: &JointContent| [7, 8, 9].map(|part| joint.local[part]);
    made.map(scale).fold(scale(&model.joints[joint]), |all, one| {
        core::array::from_fn(|axis| all[axis] * one[axis])
    })
}

/// True if a joint or one of its descendants pulls vertices, or a clip animates it.
pub(super) fn matters(model: &ModelContent, joint: usize) -> bool {
    let parent = |index: usize| usize::try_from(model.joints[index].parent).ok();
    let is_below = |mut index: usize| loop {
        match parent(index) {
            _ if index == joint => return true,
            Some(parent) if parent < index => index = parent,
            _ => return false,
        }
    };
    let is_used = |name: &str| {
        let mut pulled = model.meshes.iter().flat_map(|mesh| &mesh.joints);
        let mut moved = model.clips.iter().flat_map(|clip| &clip.tracks);
        pulled.any(|one| one.name == *name)
            || moved.any(|one| {
                one.name == *name && one.channels.iter().any(|channel| channel.count > 1)
            })
    };
    (joint..model.joints.len()).any(|index| is_below(index) && is_used(&model.joints[index].name))
}

/// The joints that were edited. A file that places joints in model space changes only those; one
/// that places them relative to their parents moves the descendants too: the smaller explanation is
/// the edit.
fn moved(
    old: &ModelContent,
    new: &ModelContent,
    pairs: &Pairs,
    hung: &[bool],
    size: f64,
) -> Vec<Finding> {
    let (before, now) = (&old.joints, &new.joints);
    let differ = |kind: usize| -> Vec<(usize, usize)> {
        pairs.iter().filter(|&(a, b)| before[a].marks[kind] != now[b].marks[kind]).collect()
    };
    let in_model = differ(0);
    let mut on_parents: Vec<(usize, usize)> =
        differ(1).into_iter().filter(|&(_, b)| !hung[b] && !now[b].is_made).collect();
    // A joint made by the reader has the scale of its owner.
    for (a, b) in differ(1).into_iter().filter(|&(_, b)| now[b].is_made) {
        let owners = (old.joint_of_file(a), new.joint_of_file(b));
        if !on_parents.contains(&owners) {
            on_parents.push(owners);
        }
    }
    let is_local = on_parents.len() <= in_model.len();
    let edited = if is_local { on_parents } else { in_model.clone() };
    let [placed_before, placed_now] = [before, now].map(|joints| placed(joints));
    let size = placed_now.iter().map(|joint| length(joint.translation)).fold(size, larger);
    let carried = |joint: usize| {
        let is_below = |&(_, b): &(usize, usize)| {
            let mut above = usize::try_from(now[b].parent).ok();
            while let Some(parent) = above.filter(|&parent| parent != joint) {
                above = usize::try_from(now[parent].parent).ok();
            }
            above.is_some()
        };
        in_model.iter().filter(|pair| is_below(pair)).count()
    };
    let mut found: Vec<(f64, Finding)> = Vec::new();
    let mut rounded = Vec::new();
    for (a, b) in edited {
        let (from, to) = if is_local {
            (Rigid::of(&before[a].local), Rigid::of(&now[b].local))
        } else {
            (placed_before[a], placed_now[b])
        };
        let turned_deg = turn_deg(from.rotation, to.rotation);
        let slid = length(core::array::from_fn(|k| to.translation[k] - from.translation[k]));
        let scales = own_scale(old, a).into_iter().zip(own_scale(new, b));
        let ratio: Vec<f64> = scales.map(|(a, b)| f64::from(b) / f64::from(a)).collect();
        let mut one = Finding::new(Stage::Pose, Kind::Moved, Subject::joint(&now[b].name));
        if turned_deg > ROUNDING_DEG {
            one = one.by(turned_deg, Unit::Degrees);
        }
        if slid > ROUNDING * size {
            one = one.by(slid, Unit::Distance);
        }
        if ratio.iter().any(|ratio| (ratio - 1.0).abs() > 2e-5) {
            one = scaled(one, &ratio);
        }
        if one.by.is_empty() && has_made(old, a) != has_made(new, b) {
            continue;
        }
        if one.by.is_empty() {
            rounded.push(Subject::joint(&now[b].name));
            continue;
        }
        one.kind = movement(&one);
        one.more = if is_local { carried(b) } else { 0 };
        one.property = (!new.clips.is_empty()).then(|| BIND.to_owned());
        // The largest comes first.
        let stretched = ratio.iter().map(|ratio| (ratio - 1.0).abs()).fold(0.0, larger);
        let weight = larger(turned_deg / 90.0, larger(slid / size, stretched));
        found.push((weight, one));
    }
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let mut found: Vec<Finding> = found.into_iter().map(|(_, finding)| finding).collect();
    if !rounded.is_empty() {
        let of = Finding::new(Stage::Pose, Kind::Rounded, Subject::all(Element::Joint));
        found.push(of.property(BIND).elements(rounded));
    }
    found
}

/// The property for parts outside of clips.
const BIND: &str = "bind pose";

/// The kind of a movement, by the first of its amounts.
pub(super) fn movement(finding: &Finding) -> Kind {
    let has = |unit| finding.amount(unit).is_some();
    match (has(Unit::Degrees), has(Unit::Distance)) {
        (true, _) => Kind::Turned,
        (_, true) => Kind::Moved,
        _ => Kind::Scaled,
    }
}

/// Adds one factor, or three where they differ.
pub(super) fn scaled(finding: Finding, ratio: &[f64]) -> Finding {
    match ratio {
        [x, rest @ ..] if rest.iter().all(|y| (y - x).abs() < 1e-5) => finding.by(*x, Unit::Factor),
        all => all.iter().fold(finding, |finding, factor| finding.by(*factor, Unit::Factor)),
    }
}

/// The joints in model space, without their scales.
fn placed(joints: &[JointContent]) -> Vec<Rigid> {
    let mut found: Vec<Rigid> = Vec::with_capacity(joints.len());
    for joint in joints {
        let local = Rigid::of(&joint.local);
        let parent = usize::try_from(joint.parent).ok().and_then(|parent| found.get(parent));
        let place = parent.map_or(local, |parent| parent.then(local));
        found.push(place);
    }
    found
}
