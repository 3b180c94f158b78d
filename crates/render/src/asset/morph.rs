//! Morph targets that a user names, and weights that are set by hand.

use super::material_library::{fits, plain};
use std::fmt;
use thiserror::Error;
use tintype_base::printable::one_line;
use tintype_base::suggest::{hint, nearest_word};
use tintype_model::{MorphWeight, Skeleton};

/// A morph target, or several, by name or by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MorphName {
    /// The name of a target, `JOINT/NAME`, or a pattern in which `*` stands for any letters. Where no target has the name, the
    /// digits of a number count as [`MorphName::Number`].
    Name(String),
    /// The number of a target among those of its joint, from 0.
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
        /// The one of them that is spelt most alike.
        nearest: Option<String>,
    },
    /// The weight is not finite, or too large.
    #[error("morph target {name}: the weight {weight} is not from -{max} to {max}", max = MAX_WEIGHT)]
    Weight {
        /// The name or number.
        name: MorphName,
        /// The weight.
        weight: f32,
    },
}

/// Largest weight of a morph target, either sign.
pub const MAX_WEIGHT: f32 = 1000.0;

fn listed(has: &[String]) -> String {
    if has.is_empty() { "no morph targets".to_owned() } else { one_line(&has.join(", ")) }
}

/// Sets weights of the morph targets of a skeleton; those of patterns first, so that a name overrules them.
///
/// # Errors
/// [`MorphError`] for the first target that is unknown, or weight out of range.
pub fn set_morphs(
    skeleton: &Skeleton,
    edits: &[(MorphName, f32)],
    weights: &mut [f32],
) -> Result<(), MorphError> {
    let patterns = edits.iter().filter(|(name, _)| name.is_pattern());
    let names = edits.iter().filter(|(name, _)| !name.is_pattern());
    for (name, weight) in patterns.chain(names) {
        if weight.is_nan() || weight.abs() > MAX_WEIGHT {
            return Err(MorphError::Weight { name: name.clone(), weight: *weight });
        }
        let slots = match name {
            MorphName::Name(name) => morphs_named(skeleton, name),
            MorphName::Number(number) => whole(morphs_numbered(skeleton, None, *number)),
        };
        for (slot, share) in slots.ok_or_else(|| unknown(skeleton, name))? {
            if let Some(own) = weights.get_mut(slot) {
                *own = *weight * share;
            }
        }
    }
    Ok(())
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

/// Indices of the targets that fit; none if there is no such target.
fn slots(skeleton: &Skeleton, is_meant: &dyn Fn(&MorphWeight) -> bool) -> Option<Vec<usize>> {
    let fitting = skeleton.morphs().iter().enumerate().filter(|(_, slot)| is_meant(slot));
    let found: Vec<usize> = fitting.map(|(index, _)| index).collect();
    (!found.is_empty()).then_some(found)
}

/// The targets of a number among those of their joint; of one joint if it is named.
fn morphs_numbered(skeleton: &Skeleton, joint: Option<&str>, number: usize) -> Option<Vec<usize>> {
    slots(skeleton, &|slot| {
        slot.target == number && joint.is_none_or(|joint| joint_of(skeleton, slot) == joint)
    })
}

/// Targets that take the whole of a weight.
fn whole(slots: Option<Vec<usize>>) -> Option<Vec<(usize, f32)>> {
    Some(slots?.into_iter().map(|slot| (slot, 1.0)).collect())
}

/// The morph targets that a name means, and the share of the weight of each: those of an expression of that name, those of that name,
/// or of that number among the targets of their joint. The name of a joint and a slash before it picks those of one joint, `*` stands
/// for any letters. None if there is no such target.
#[must_use]
pub(super) fn morphs_named(skeleton: &Skeleton, name: &str) -> Option<Vec<(usize, f32)>> {
    let joint_of = |slot: &MorphWeight| joint_of(skeleton, slot);
    let lower = plain(name);
    let expression = |is_meant: &dyn Fn(&str) -> bool| {
        let found = skeleton.expressions().iter().find(|one| is_meant(&one.name))?;
        Some(found.weights.clone())
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
    let known = expression(&|own| own == name).or_else(|| whole(exact));
    let known = known.or_else(|| whole(alike()));
    known.or_else(|| expression(&|own| plain(own) == lower)).or_else(|| {
        let (joint, number) = match name.rsplit_once('/') {
            Some((joint, number)) => (Some(joint), number),
            None => (None, name),
        };
        whole(morphs_numbered(skeleton, joint, number.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::math::Affine3;
    use tintype_model::{Joint, JointIndex};

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
            assert_eq!(morphs_named(&skeleton, name), whole(expected), "{name}");
        }
    }

    #[test]
    fn weights_of_names_overrule_those_of_patterns() {
        let mut weights = [0.0; 4];
        let edits = [(1.into(), 0.75), ("smile".into(), 0.5), ("*".into(), 0.25)];
        set_morphs(&face(), &edits, &mut weights).unwrap();
        assert_eq!(weights, [0.5, 0.75, 0.5, 0.75]);
        // A number is no name, though a target may have it for one.
        set_morphs(&face(), &[(0.into(), 1.0)], &mut weights).unwrap();
        assert_eq!(weights, [1.0, 0.75, 1.0, 0.75]);
        set_morphs(&face(), &[("0".into(), 0.0)], &mut weights).unwrap();
        assert_eq!(weights, [1.0, 0.75, 1.0, 0.0]);
    }

    #[test]
    fn unknown_targets_and_wild_weights_are_refused() {
        let message = |name: MorphName, weight: f32| {
            set_morphs(&face(), &[(name, weight)], &mut [0.0; 4]).unwrap_err().to_string()
        };
        assert_eq!(
            message("smlie".into(), 1.0),
            "unknown morph target \"smlie\"; the model has smile, Blink, 0; did you mean \"smile\"?"
        );
        assert_eq!(message(7.into(), 1.0), "unknown morph target 7; the model has smile, Blink, 0");
        assert_eq!(
            message("smile".into(), f32::NAN),
            "morph target \"smile\": the weight NaN is not from -1000 to 1000"
        );
        let none = set_morphs(&Skeleton::default(), &[("a".into(), 1.0)], &mut []).unwrap_err();
        assert_eq!(none.to_string(), "unknown morph target \"a\"; the model has no morph targets");
    }

    #[test]
    fn an_expression_sets_all_of_its_targets() {
        let weights_of = vec![(0, 1.0), (1, 0.5)];
        let happy = tintype_model::Expression { name: "happy".into(), weights: weights_of };
        let skeleton = face().with_expressions(vec![happy]);
        let mut weights = [0.0; 4];
        set_morphs(&skeleton, &[("Happy".into(), 0.5)], &mut weights).unwrap();
        assert_eq!(weights, [0.5, 0.25, 0.0, 0.0]);
    }
}
