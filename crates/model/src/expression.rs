//! Expressions: sets of weights and of colours that a file gives a name, such as a smile.

use crate::math::max;
use crate::{Pose, Skeleton};

/// The part of a face that an expression is of, which others may hold back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FacePart {
    /// The lids: `blink`, `blinkLeft`, `blinkRight`.
    Blink,
    /// The eyes: `lookUp`, `lookDown`, `lookLeft`, `lookRight`.
    LookAt,
    /// The mouth: `aa`, `ih`, `ou`, `ee`, `oh`.
    Mouth,
}

/// The way in which an expression holds back those of a part of the face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Override {
    /// Not at all.
    #[default]
    None,
    /// Wholly as soon as its weight is above 0.
    Block,
    /// By its weight.
    Blend,
}

/// The colour of a material that an expression changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorRole {
    /// The colour in the light, and its alpha.
    Base,
    /// The light that it gives off.
    Emission,
    /// The colour in the shade.
    Shade,
    /// The factor of the picture of reflections.
    Matcap,
    /// The light at the rim.
    Rim,
    /// The outline.
    Outline,
}

/// A colour of a material at the full expression.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorBind {
    /// The name of the material in the model.
    pub material: String,
    /// The colour that is meant.
    pub role: ColorRole,
    /// Red, green and blue, linear, and alpha; finite.
    pub value: [f32; 4],
}

/// The scale and the offset of all texture coordinates of a material at the full expression.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureBind {
    /// The name of the material in the model.
    pub material: String,
    /// Factor of each coordinate; finite.
    pub scale: [f32; 2],
    /// Added to each coordinate behind the factor; finite.
    pub offset: [f32; 2],
}

/// A set of weights and colours that a file gives a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expression {
    /// Its name, unique in the file.
    pub name: String,
    /// Other names of it: those of its preset in the versions of the format.
    pub aliases: Vec<String>,
    /// Indices among the weights of the skeleton, and the weight of each at the full expression; what names one twice adds up.
    pub weights: Vec<(usize, f32)>,
    /// Colours of materials. A colour is that of the material plus the sum over all expressions of weight times (bind - material).
    pub colors: Vec<ColorBind>,
    /// Texture coordinates of materials, which add up as colours do.
    pub textures: Vec<TextureBind>,
    /// Whether a weight above 0.5 counts as 1 and any other as 0.
    pub is_binary: bool,
    /// The part of the face that it is of; none for the others.
    pub part: Option<FacePart>,
    /// Parts of the face that it holds back: [`FacePart::Blink`], [`FacePart::LookAt`], [`FacePart::Mouth`].
    pub overrides: [Override; 3],
}

/// Presets of VRM 1.0, and their names in VRM 0.x.
const PRESETS: [[&str; 2]; 18] = [
    ["happy", "joy"],
    ["angry", "angry"],
    ["sad", "sorrow"],
    ["relaxed", "fun"],
    ["surprised", "surprised"],
    ["neutral", "neutral"],
    ["aa", "a"],
    ["ih", "i"],
    ["ou", "u"],
    ["ee", "e"],
    ["oh", "o"],
    ["blink", "blink"],
    ["blinkLeft", "blink_l"],
    ["blinkRight", "blink_r"],
    ["lookUp", "lookup"],
    ["lookDown", "lookdown"],
    ["lookLeft", "lookleft"],
    ["lookRight", "lookright"],
];

/// The names of a preset in VRM 1.0 and 0.x, by either; none for other expressions.
#[must_use]
pub fn expression_preset(name: &str) -> Option<[&'static str; 2]> {
    PRESETS.into_iter().find(|names| names.contains(&name))
}

impl Expression {
    /// The part of the face that a preset of VRM 1.0 is of.
    #[must_use]
    pub fn part_of(preset: &str) -> Option<FacePart> {
        match preset {
            "blink" | "blinkLeft" | "blinkRight" => Some(FacePart::Blink),
            "lookUp" | "lookDown" | "lookLeft" | "lookRight" => Some(FacePart::LookAt),
            "aa" | "ih" | "ou" | "ee" | "oh" => Some(FacePart::Mouth),
            _ => None,
        }
    }

    fn stepped(&self, weight: f32) -> f32 {
        match self.is_binary {
            true if weight > 0.5 => 1.0,
            true => 0.0,
            false => weight,
        }
    }
}

/// The weights with which expressions show, one each, of those that are asked for: steps of binary ones, and shares of those that others
/// hold back.
///
/// # Source
/// VRM Consortium, `VRMC_vrm-1.0/expressions.md`, "Procedural override".
#[must_use]
pub fn shown_expressions(expressions: &[Expression], asked: &[f32]) -> Vec<f32> {
    let stepped = || expressions.iter().zip(asked).map(|(one, weight)| one.stepped(*weight));
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

/// Asks for weights of expressions, by their indices, beside those that the pose has, and sets the morph targets of all that are in play:
/// each to the sum of what they ask.
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
            // One that a clip moved and that is now 0 leaves its targets, too.
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
        // What is wholly there or not at all is not there in part.
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
