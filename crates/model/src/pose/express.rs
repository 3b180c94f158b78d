//! Expressions of a pose: their effective weights, and the morph targets that they move.

use crate::math::max;
use crate::{Expression, Override, Pose, Skeleton};

/// The weight of an expression, in steps if it is binary.
fn steps_of(expression: &Expression, weight: f32) -> f32 {
    if !expression.is_binary {
        weight
    } else if weight > 0.5 {
        1.0
    } else {
        0.0
    }
}

/// The effective weight of each requested expression: binary ones are rounded, and those that
/// others suppress are scaled down.
///
/// # Source
/// VRM Consortium, `VRMC_vrm-1.0/expressions.md`, "Procedural override".
#[must_use]
pub fn shown_expressions(expressions: &[Expression], asked: &[f32]) -> Vec<f32> {
    let stepped = || expressions.iter().zip(asked).map(|(one, weight)| steps_of(one, *weight));
    let mut free = [1.0_f32; 3];
    for (one, weight) in expressions.iter().zip(stepped()) {
        for (share, way) in free.iter_mut().zip(one.overrides) {
            *share -= match way {
                Override::None => 0.0,
                Override::Block if weight > 0.0 => 1.0,
                Override::Block => 0.0,
                Override::Blend => weight,
            };
        }
    }
    let shown = |(one, weight): (&Expression, f32)| {
        let share = one.part.map_or(1.0, |part| max(free[part as usize], 0.0));
        let weight = weight * share;
        if one.is_binary && weight < 1.0 { 0.0 } else { weight }
    };
    expressions.iter().zip(stepped()).map(shown).collect()
}

/// Requests weights of expressions, by their indices, beside those of the pose, and sets the morph
/// targets of all active ones: each to the sum of the requests.
pub fn express(skeleton: &Skeleton, pose: &mut Pose, asked: &[(usize, f32)]) {
    let all = skeleton.expressions();
    if asked.is_empty() && pose.expressions.iter().all(|weight| *weight == 0.0) {
        return;
    }
    pose.expressions.resize(all.len(), 0.0);
    let mut is_named = vec![false; all.len()];
    for &(index, weight) in asked {
        if let (Some(own), Some(is_named)) =
            (pose.expressions.get_mut(index), is_named.get_mut(index))
        {
            // A property that a clip moved and that is now 0 also leaves its targets.
            *is_named = true;
            *own = weight;
        }
    }
    let shown = shown_expressions(all, &pose.expressions);
    let Pose { morphs, expressions, .. } = pose;
    let counts = expressions.iter().zip(&is_named).map(|(weight, named)| *named || *weight != 0.0);
    let in_play = all.iter().zip(shown).zip(counts).filter(|(_, counts)| *counts);
    let in_play: Vec<(&Expression, f32)> = in_play.map(|(one, _)| one).collect();
    for &(slot, _) in in_play.iter().flat_map(|(one, _)| &one.weights) {
        morphs[slot] = 0.0;
    }
    for (one, weight) in in_play {
        one.weights.iter().for_each(|&(slot, share)| morphs[slot] += weight * share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, overrides: [Override; 3], weights: &[(usize, f32)]) -> Expression {
        let (name, weights) = (name.to_owned(), weights.to_vec());
        let part = Expression::part_of(&name);
        Expression { name, part, overrides, weights, ..Expression::default() }
    }

    #[test]
    fn expressions_hold_others_back_and_steps_are_whole() {
        let way = |way: Override| [way, Override::None, way];
        let mut all = vec![
            named("blocks", way(Override::Block), &[]),
            named("blends", way(Override::Blend), &[]),
            named("blink", [Override::None; 3], &[]),
            named("aa", [Override::None; 3], &[]),
            named("lookUp", [Override::None; 3], &[]),
        ];
        assert_eq!(shown_expressions(&all, &[0.1, 0.0, 1.0, 0.5, 1.0]), [0.1, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(
            shown_expressions(&all, &[0.0, 0.25, 1.0, 0.5, 1.0]),
            [0.0, 0.25, 0.75, 0.375, 1.0]
        );
        // Binary expressions are on or off.
        (all[2].is_binary, all[3].is_binary) = (true, true);
        assert_eq!(
            shown_expressions(&all, &[0.0, 0.25, 1.0, 0.5, 0.0]),
            [0.0, 0.25, 0.0, 0.0, 0.0]
        );
        assert_eq!(shown_expressions(&all, &[0.0, 0.0, 0.75, 0.5, 0.0]), [0.0, 0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn expressions_of_one_target_add_up() {
        let skeleton = Skeleton::default().with_expressions(vec![
            named("happy", [Override::None; 3], &[(0, 1.0), (0, 0.5)]),
            named("blink", [Override::None; 3], &[(0, 0.25), (1, 1.0)]),
        ]);
        let mut pose = Pose { morphs: vec![9.0, 9.0, 9.0], ..Pose::default() };
        express(&skeleton, &mut pose, &[]);
        assert_eq!(pose.morphs, [9.0, 9.0, 9.0]);
        express(&skeleton, &mut pose, &[(0, 0.5)]);
        assert_eq!(pose.morphs, [0.75, 9.0, 9.0]);
        express(&skeleton, &mut pose, &[(1, 1.0)]);
        assert_eq!(pose.morphs, [1.0, 1.0, 9.0]);
        express(&skeleton, &mut pose, &[(0, 0.0), (1, 0.0)]);
        assert_eq!((pose.morphs, pose.expressions), (vec![0.0, 0.0, 9.0], vec![0.0, 0.0]));
    }
}
