//! Morph targets named by a user, and weights set by hand.

use super::material_library::{fits, plain};
use std::fmt;
use thiserror::Error;
use tintype_base::printable::one_line;
use tintype_base::suggest::{hint, nearest_word};
use tintype_model::pose::express;
use tintype_model::{MorphWeight, Pose, Skeleton, expression_preset};

/// A morph target, or several, by name or by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MorphName {
    /// The name of a target, `JOINT/NAME`, or a pattern where `*` matches any letters. If no target
    /// has the name, the digits of a number count as [`MorphName::Number`].
    Name(String),
    /// The index of a target among those of its joint, from 0.
    Number(usize),
}

impl MorphName {
    fn is_pattern(&self) -> bool {
        matches!(self, Self::Name(name) if name.contains('*'))
    }
}

impl From<&str> for MorphName {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<String> for MorphName {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}

impl From<usize> for MorphName {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl fmt::Display for MorphName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "{name:?}"),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

/// Error of a weight that is set by hand.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MorphError {
    /// No target has that name or number.
    #[error("unknown morph target {found}; the model has {}{}", listed(has), hint(nearest.as_deref()))]
    Unknown {
        /// The name or number.
        found: MorphName,
        /// The names of the targets, each once.
        has: Vec<String>,
        /// The most similar name among them.
        nearest: Option<String>,
    },
    /// The weight is not finite, or too large.
    #[error("morph target {name}: weight {weight} is out of range; expected -{max} to {max}", max = MAX_WEIGHT)]
    Weight {
        /// The name or number.
        name: MorphName,
        /// The weight.
        weight: f32,
    },
}

/// Maximum weight of a morph target, of either sign.
pub const MAX_WEIGHT: f32 = 1000.0;

fn listed(has: &[String]) -> String {
    if has.is_empty() { "no morph targets".to_owned() } else { one_line(&has.join(", ")) }
}

/// The meaning of a name of morph targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MorphChoice {
    /// Targets, by their indices in the skeleton.
    Targets(Vec<usize>),
    /// An expression of the skeleton, by its index.
    Expression(usize),
    /// A preset that this character lacks, without effect.
    Lacking,
}

/// Sets weights of expressions and morph targets in a pose. Patterns are applied first, so that a
/// name overrides them, and targets after expressions. The messages list presets that the character
/// lacks.
///
/// # Errors
/// [`MorphError`] for the first target that is unknown, or weight out of range.
pub fn set_morphs(
    skeleton: &Skeleton,
    edits: &[(MorphName, f32)],
    pose: &mut Pose,
) -> Result<Vec<String>, MorphError> {
    let patterns = edits.iter().filter(|(name, _)| name.is_pattern());
    let names = edits.iter().filter(|(name, _)| !name.is_pattern());
    let (mut chosen, mut lacking) = (Vec::new(), Vec::new());
    for (name, weight) in patterns.chain(names) {
        if weight.is_nan() || weight.abs() > MAX_WEIGHT {
            return Err(MorphError::Weight { name: name.clone(), weight: *weight });
        }
        let choice = match name {
            MorphName::Name(name) => morphs_named(skeleton, name),
            MorphName::Number(number) => {
                morphs_numbered(skeleton, None, *number).map(MorphChoice::Targets)
            }
        };
        let choice = choice.ok_or_else(|| unknown(skeleton, name))?;
        if choice == MorphChoice::Lacking {
            lacking.push(format!("the character has no expression {name}; ignored"));
        }
        chosen.push((choice, *weight));
    }
    choose_morphs(skeleton, chosen.iter().map(|(choice, weight)| (choice, *weight)), pose);
    Ok(lacking)
}

/// Sets chosen weights in a pose, expressions first.
pub fn choose_morphs<'c>(
    skeleton: &Skeleton,
    chosen: impl Iterator<Item = (&'c MorphChoice, f32)> + Clone,
    pose: &mut Pose,
) {
    let asked = chosen.clone().filter_map(|(choice, weight)| match choice {
        MorphChoice::Expression(index) => Some((*index, weight)),
        _ => None,
    });
    express(skeleton, pose, &asked.collect::<Vec<_>>());
    for (choice, weight) in chosen {
        let MorphChoice::Targets(slots) = choice else { continue };
        for &slot in slots {
            if let Some(own) = pose.morphs.get_mut(slot) {
                *own = weight;
            }
        }
    }
}

fn unknown(skeleton: &Skeleton, found: &MorphName) -> MorphError {
    let mut has: Vec<String> = Vec::new();
    let targets = skeleton.morphs().iter().map(|slot| &slot.name);
    for name in targets.chain(skeleton.expressions().iter().map(|one| &one.name)) {
        if !has.contains(name) {
            has.push(name.clone());
        }
    }
    let nearest = match found {
        MorphName::Name(name) => nearest_word(name, has.iter().map(String::as_str)),
        MorphName::Number(_) => None,
    };
    MorphError::Unknown { found: found.clone(), has, nearest }
}

fn joint_of<'a>(skeleton: &'a Skeleton, slot: &MorphWeight) -> &'a str {
    skeleton.joints().get(slot.joint.index()).map_or("", |joint| joint.name.as_str())
}

/// Indices of the matching targets. None if there are none.
fn slots(skeleton: &Skeleton, is_meant: &dyn Fn(&MorphWeight) -> bool) -> Option<Vec<usize>> {
    let fitting = skeleton.morphs().iter().enumerate().filter(|(_, slot)| is_meant(slot));
    let found: Vec<usize> = fitting.map(|(index, _)| index).collect();
    (!found.is_empty()).then_some(found)
}

/// The targets with an index among those of their joint, for one joint if it is named.
fn morphs_numbered(skeleton: &Skeleton, joint: Option<&str>, number: usize) -> Option<Vec<usize>> {
    slots(skeleton, &|slot| {
        slot.target == number && joint.is_none_or(|joint| joint_of(skeleton, slot) == joint)
    })
}

/// Resolves a name: an expression, the morph targets of that name, or those with that index among
/// the targets of their joint. A joint name and a slash before it select the targets of one joint;
/// `*` matches any letters. None if there is no such target; expression presets are known even if
/// the character lacks them.
#[must_use]
pub(super) fn morphs_named(skeleton: &Skeleton, name: &str) -> Option<MorphChoice> {
    let joint_of = |slot: &MorphWeight| joint_of(skeleton, slot);
    let lower = plain(name);
    let all = skeleton.expressions();
    let expression = |is_meant: &dyn Fn(&str) -> bool| {
        let known = all.iter().position(|one| is_meant(&one.name));
        let known = known
            .or_else(|| all.iter().position(|one| one.aliases.iter().any(|own| is_meant(own))));
        known.map(MorphChoice::Expression)
    };
    let exact = slots(skeleton, &|slot| {
        slot.name == name || format!("{}/{}", joint_of(slot), slot.name) == name
    });
    let alike = || {
        slots(skeleton, &|slot| {
            let own = plain(&slot.name);
            fits(&lower, &own) || fits(&lower, &format!("{}/{own}", plain(joint_of(slot))))
        })
    };
    let numbered = || {
        let (joint, number) = match name.rsplit_once('/') {
            Some((joint, number)) => (Some(joint), number),
            None => (None, name),
        };
        morphs_numbered(skeleton, joint, number.parse().ok()?)
    };
    let known = expression(&|own| own == name);
    let known = known.or_else(|| exact.or_else(alike).map(MorphChoice::Targets));
    let known = known.or_else(|| expression(&|own| plain(own) == lower));
    let known = known.or_else(|| numbered().map(MorphChoice::Targets));
    let is_lacking = || !all.is_empty() && expression_preset(name).is_some();
    known.or_else(|| is_lacking().then_some(MorphChoice::Lacking))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::math::Affine3;
    use tintype_model::{Expression, Joint, JointIndex};

    /// A pose with these weights.
    fn pose_of(morphs: &[f32]) -> Pose {
        Pose { morphs: morphs.to_vec(), ..Pose::default() }
    }

    /// Four targets on two joints; one of them has a number for its name.
    fn face() -> Skeleton {
        let joint = |name: &str| Joint {
            name: name.to_owned(),
            parent: None,
            model_from_joint: Affine3::IDENTITY,
        };
        let slot = |joint: u16, target: usize, name: &str| MorphWeight {
            name: name.to_owned(),
            joint: JointIndex(joint),
            target,
            rest: 0.0,
        };
        let skeleton = Skeleton::try_new(vec![joint("Head"), joint("Teeth")]).unwrap();
        skeleton.with_morphs(vec![
            slot(0, 0, "smile"),
            slot(0, 1, "Blink"),
            slot(1, 0, "smile"),
            slot(1, 1, "0"),
        ])
    }

    #[test]
    fn morph_targets_are_meant_by_name_joint_pattern_or_number() {
        let skeleton = face();
        for (name, expected) in [
            ("smile", Some(vec![0, 2])),
            ("Teeth/smile", Some(vec![2])),
            ("teeth/*", Some(vec![2, 3])),
            ("blink", Some(vec![1])),
            ("0", Some(vec![3])),
            ("1", Some(vec![1, 3])),
            ("Head/1", Some(vec![1])),
            ("*", Some(vec![0, 1, 2, 3])),
            ("frown", None),
            ("7", None),
        ] {
            let expected = expected.map(MorphChoice::Targets);
            assert_eq!(morphs_named(&skeleton, name), expected, "{name}");
        }
    }

    #[test]
    fn weights_of_names_overrule_those_of_patterns() {
        let mut weights = pose_of(&[0.0; 4]);
        let edits = [(1.into(), 0.75), ("smile".into(), 0.5), ("*".into(), 0.25)];
        set_morphs(&face(), &edits, &mut weights).unwrap();
        assert_eq!(weights.morphs, [0.5, 0.75, 0.5, 0.75]);
        // A number is not a name, although a target may be named like it.
        set_morphs(&face(), &[(0.into(), 1.0)], &mut weights).unwrap();
        assert_eq!(weights.morphs, [1.0, 0.75, 1.0, 0.75]);
        set_morphs(&face(), &[("0".into(), 0.0)], &mut weights).unwrap();
        assert_eq!(weights.morphs, [1.0, 0.75, 1.0, 0.0]);
    }

    #[test]
    fn unknown_targets_and_wild_weights_are_refused() {
        let message = |name: MorphName, weight: f32| {
            set_morphs(&face(), &[(name, weight)], &mut pose_of(&[0.0; 4])).unwrap_err().to_string()
        };
        assert_eq!(
            message("smlie".into(), 1.0),
            "unknown morph target \"smlie\"; the model has smile, Blink, 0; did you mean \"smile\"?"
        );
        assert_eq!(message(7.into(), 1.0), "unknown morph target 7; the model has smile, Blink, 0");
        assert_eq!(
            message("smile".into(), f32::NAN),
            "morph target \"smile\": weight NaN is out of range; expected -1000 to 1000"
        );
        let none =
            set_morphs(&Skeleton::default(), &[("a".into(), 1.0)], &mut pose_of(&[])).unwrap_err();
        assert_eq!(none.to_string(), "unknown morph target \"a\"; the model has no morph targets");
    }

    #[test]
    fn an_expression_sets_all_of_its_targets() {
        let weights_of = vec![(0, 1.0), (1, 0.5)];
        let (name, aliases) = ("happy".into(), vec!["joy".into()]);
        let happy = Expression { name, aliases, weights: weights_of, ..Expression::default() };
        let still = Expression { name: "neutral".into(), ..Expression::default() };
        let skeleton = face().with_expressions(vec![happy, still]);
        let mut weights = pose_of(&[0.0; 4]);
        set_morphs(&skeleton, &[("Happy".into(), 0.5)], &mut weights).unwrap();
        assert_eq!(weights.morphs, [0.5, 0.25, 0.0, 0.0]);
        set_morphs(&skeleton, &[("joy".into(), 1.0), ("smile".into(), 0.25)], &mut weights)
            .unwrap();
        assert_eq!(weights.morphs, [0.25, 0.5, 0.25, 0.0], "what is named itself counts");
        // A preset that moves nothing is known; one that this character lacks is reported.
        let told = set_morphs(&skeleton, &[("neutral".into(), 1.0)], &mut weights);
        assert_eq!(told, Ok(Vec::new()));
        let told =
            set_morphs(&skeleton, &[("blink".into(), 1.0), ("Blink_L".into(), 1.0)], &mut weights);
        assert!(told.is_err(), "no target and no preset has the name");
        let told = set_morphs(&skeleton, &[("surprised".into(), 1.0)], &mut weights).unwrap();
        assert_eq!(told, ["the character has no expression \"surprised\"; ignored"]);
        assert!(set_morphs(&face(), &[("surprised".into(), 1.0)], &mut weights).is_err());
    }
}
