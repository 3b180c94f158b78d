//! Weights of joints on the corners of a shell.
//!
//! Input: a shell and the bones' segments. Output: per corner, a few joints with weights that sum
//! to 1. Each corner starts with the nearest bone; the weights then flow along the surface, so that
//! they are smooth and never jump a gap of air.

use crate::rig::Rig;
use crate::scalar::hold;
use crate::tetra::Shell;
use glam::DVec3;

/// A segment that moves with a joint.
pub(crate) struct Bone {
    joint: usize,
    from: DVec3,
    to: DVec3,
    radius: f64,
}

impl Bone {
    /// The bone of a named joint between two positions of the bind pose, as thick as its limb.
    pub(crate) fn new(rig: &Rig, joint: &str, from: DVec3, to: DVec3, radius: f64) -> Self {
        Self { joint: rig.find(joint), from, to, radius }
    }

    fn distance(&self, place: DVec3) -> f64 {
        let along = self.to - self.from;
        let share =
            hold((place - self.from).dot(along) / (along.length_squared() + 1e-12), 0.0, 1.0);
        (place - self.from - along * share).length() - self.radius
    }
}

/// Joints and weights of one corner, strongest first.
pub(crate) type Hold = Vec<(usize, f64)>;

/// Minimum weight that is kept.
const LEAST: f64 = 0.012;

/// Weights of all corners: `passes` rounds of smoothing, `most` influences at the end.
pub(crate) fn weigh(shell: &Shell, bones: &[Bone], passes: u32, most: usize) -> Vec<Hold> {
    let joints = bones.iter().map(|bone| bone.joint + 1).max().unwrap_or(0);
    let count = shell.places.len();
    let mut weights = vec![0.0; count * joints];
    for (vertex, &place) in shell.places.iter().enumerate() {
        let mut nearest = (f64::MAX, 0);
        for bone in bones {
            let distance = bone.distance(place);
            if distance < nearest.0 {
                nearest = (distance, bone.joint);
            }
        }
        weights[vertex * joints + nearest.1] = 1.0;
    }
    let mut edges: Vec<(usize, usize)> = shell
        .faces
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .map(|(a, b)| (a as usize, b as usize))
        .collect();
    edges.sort_unstable();
    for _ in 0..passes {
        let mut sum = vec![0.0; count * joints];
        let mut whole = vec![0.0; count];
        for &(from, to) in &edges {
            let pull = 1.0 / ((shell.places[from] - shell.places[to]).length() + 0.005);
            whole[from] += pull;
            for joint in 0..joints {
                sum[from * joints + joint] += weights[to * joints + joint] * pull;
            }
        }
        for (slot, weight) in weights.iter_mut().enumerate() {
            *weight = 0.5 * *weight + 0.5 * sum[slot] / whole[slot / joints];
        }
    }
    weights.chunks(joints).map(|row| prune(row, most)).collect()
}

/// Keeps the strongest weights, in whole millionths that sum to 1.
fn prune(row: &[f64], most: usize) -> Hold {
    let mut kept: Hold = row.iter().copied().enumerate().filter(|&(_, w)| w > LEAST).collect();
    kept.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    kept.truncate(most);
    let whole: f64 = kept.iter().map(|&(_, weight)| weight).sum();
    for (_, weight) in &mut kept {
        *weight = (*weight / whole * 1e6).round() / 1e6;
    }
    let rest: f64 = kept.iter().skip(1).map(|&(_, weight)| weight).sum();
    kept[0].1 = ((1.0 - rest) * 1e6).round() / 1e6;
    kept
}

/// All corners of a shell bound to the same joints.
pub(crate) fn rigid(shell: &Shell, hold: &[(usize, f64)]) -> Vec<Hold> {
    vec![hold.to_vec(); shell.places.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pruned_weights_sum_to_one_and_keep_the_strongest() {
        let kept = prune(&[0.1, 0.0, 0.333, 0.2, 0.001, 0.366], 3);
        assert_eq!(kept.iter().map(|&(joint, _)| joint).collect::<Vec<_>>(), [5, 2, 3]);
        assert!((kept.iter().map(|&(_, weight)| weight).sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
