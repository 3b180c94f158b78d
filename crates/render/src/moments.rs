//! Times of a scene at which its models have different poses.
//!
//! A repeating clip gives the same poses again and again, and fitting to all frames needs each of
//! them once. The joints of a frame are far cheaper than its vertices, so joints reveal equal
//! frames before any vertex is computed.

use super::staging::Staging;
use rayon::prelude::*;
use std::collections::HashSet;
use tintype_scene::FramePosition;

/// Scenes with at most this number of vertices in all frames are fitted frame by frame: the saving
/// would be small.
const FEW: u64 = 50_000;

/// The first 16 bytes of the BLAKE3 digest of joints, weights and visibility of all instances.
pub(super) type PoseKey = [u8; 16];

/// The frames of a scene, and a key of the pose of each.
pub(super) struct Moments {
    all: Vec<FramePosition>,
    /// One for each frame. Empty in a scene of few vertices.
    keys: Vec<PoseKey>,
}

/// A time, and the key of its pose. None if keys are not computed.
pub(super) type Keyed = (FramePosition, Option<PoseKey>);

impl Moments {
    /// Poses all frames, in parallel, unless they are few.
    pub(super) fn of(staging: &Staging) -> Self {
        let all = staging.moments();
        let keys = if staging.bound.vertices_to_fit() > FEW {
            all.par_iter().map(|&moment| staging.pose_key(moment)).collect()
        } else {
            Vec::new()
        };
        Self { all, keys }
    }

    /// The frames in order, without those that have the same pose and the same `also` (anything
    /// else that affects the measurement) as an earlier one.
    pub(super) fn distinct<K: Eq + core::hash::Hash + Send>(
        &self,
        also: impl Fn(FramePosition) -> K + Sync,
    ) -> Vec<Keyed> {
        if self.keys.is_empty() {
            return self.all.iter().map(|&moment| (moment, None)).collect();
        }
        let others: Vec<K> = self.all.par_iter().map(|&moment| also(moment)).collect();
        let mut seen = HashSet::new();
        let frames = self.all.iter().zip(&self.keys).zip(others);
        let new = frames.filter_map(|((&moment, &key), other)| {
            seen.insert((key, other)).then_some((moment, Some(key)))
        });
        new.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoundScene;
    use std::path::Path;
    use tintype_base::deadline::Deadline;
    use tintype_formats::LoadOptions;
    use tintype_scene::parse_scene;

    fn staging(frames: &str) -> Staging {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        let text = std::fs::read_to_string(folder.join("walk.toml")).unwrap();
        let text = text.replace("frames = \"0-47\"", &format!("frames = \"{frames}\""));
        let scene = parse_scene(&text, "walk.toml").unwrap();
        let assets = crate::asset::load(&scene, &folder, &LoadOptions::default()).unwrap();
        Staging::new(BoundScene::new(scene, assets, &Deadline::NEVER).unwrap())
    }

    #[test]
    fn poses_of_a_clip_that_repeats_count_once() {
        let moments = Moments::of(&staging("0-9599"));
        let poses = moments.distinct(|_| ());
        assert!(poses.len() < 1000, "{} poses of 24 keys", poses.len());
        assert_eq!(poses[0].0.k, 0);
        assert!(poses.windows(2).all(|pair| pair[0].0.k < pair[1].0.k), "in the order of frames");
        let with_number = moments.distinct(|moment| moment.k);
        assert_eq!(with_number.len(), 9600);
    }

    #[test]
    fn frames_of_few_vertices_have_no_keys() {
        let few = Moments::of(&staging("0,9,18,27,36"));
        assert!(few.keys.is_empty());
        assert_eq!(few.distinct(|_| ()).len(), 5);
        // The second cycle of the clip repeats poses of the first, though not all to the bit.
        assert!(Moments::of(&staging("0-47")).distinct(|_| ()).len() < 48);
    }
}
