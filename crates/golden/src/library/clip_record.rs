//! The record of a model's clips: data about each, in addition to the pictures of a few times.

use crate::newer::newer_version;
use crate::record::{PoseNumber, bits, is_same_motion, letters, motion_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use tintype_base::amount::counted;
use tintype_base::data::plain_message;
use tintype_base::disk::{if_there, read_regular_text};
use tintype_base::git::{MERGE_CONFLICT, merge_conflict_line};
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject, Unit, Value};
use tintype_framing::Character;
use tintype_model::pose::{bind_clip, sample_clip};
use tintype_model::{Clip, Model};

/// The file of the record in the folder of a model.
pub(super) const FILE: &str = "clips.toml";
/// First line of the file.
const HEAD: &str = "# The model and its clips behind the goldens in this folder: compared by tintype test, written by tintype bless.\n";
/// Version of the form.
const VERSION: u32 = 1;
/// Characters of the number of a pose.
const KEY_DIGITS: usize = 6;
/// Fraction of the model's size by which rounding may change a number of a pose.
const ROUNDING: f32 = 2e-5;

/// The record of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ModelRecord {
    version: u32,
    /// Digest of the meshes: influences, triangles, texture coordinates, shaders.
    pub mesh: String,
    /// Its clips, by name.
    #[serde(default, rename = "clip")]
    pub clips: Vec<ClipRecord>,
}

/// The record of a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ClipRecord {
    pub name: String,
    pub keys: usize,
    /// None if the file has no constant rate.
    pub keys_per_s: Option<f64>,
    pub length_s: f64,
    /// A number for the pose at each key, see [`PoseNumber`]. Absent in records of older programs,
    /// which stored other numbers or digests.
    #[serde(default)]
    pub pose_numbers: String,
    /// Its motion over time, regardless of its keys. Absent in records of older programs.
    #[serde(default, rename = "moves", skip_serializing_if = "String::is_empty")]
    pub motion: String,
}

/// Reason why the record of a model cannot be compared.
#[derive(Debug)]
pub(super) enum Unread {
    /// The file does not exist.
    Missing,
    /// It is from a newer program; its version in words.
    Newer(String),
    /// The file exists but is not a record.
    Bad(String),
    /// The file exists but cannot be read.
    Read(std::io::Error),
}

impl ModelRecord {
    /// The record of a model as it is loaded.
    pub(super) fn of(character: &Character) -> Self {
        let loaded = &character.assets.models[0];
        let clips = character.clips.iter().map(|clip| {
            ClipRecord::of(clip.name.clone(), &loaded.model, &loaded.clips[clip.index].clip)
        });
        Self { version: VERSION, mesh: mesh_digest(&loaded.model), clips: clips.collect() }
    }

    /// Reads the record in the folder of a model.
    pub(super) fn read(folder: &Path) -> Result<Self, Unread> {
        let path = folder.join(FILE);
        let bad = Unread::Bad;
        let text = if_there(read_regular_text(&path)).map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => bad(error.to_string()),
            _ => Unread::Read(error),
        })?;
        let text = text.ok_or(Unread::Missing)?;
        if merge_conflict_line(&text).is_some() {
            return Err(bad(MERGE_CONFLICT.to_owned()));
        }
        if let Some(found) = newer_version(&text, VERSION) {
            return Err(Unread::Newer(found));
        }
        let record: Self =
            toml::from_str(&text).map_err(|error| bad(plain_message(error.message())))?;
        if record.version != VERSION {
            let found = record.version;
            return Err(bad(format!("version {found}; this program reads version {VERSION}")));
        }
        match record.clips.iter().find_map(ClipRecord::fault) {
            Some(message) => Err(bad(message)),
            None => Ok(record),
        }
    }

    /// The text of the file.
    pub(super) fn to_text(&self) -> String {
        HEAD.to_owned() + &toml::to_string(self).expect("plain data")
    }

    /// This record for the chosen clips, and the earlier record for the others.
    pub(super) fn only(mut self, chosen: &BTreeSet<&str>, before: Option<&Self>) -> Self {
        self.clips.retain(|clip| chosen.contains(clip.name.as_str()));
        let kept = before.iter().flat_map(|before| &before.clips);
        self.clips.extend(kept.filter(|clip| !chosen.contains(clip.name.as_str())).cloned());
        self.clips.sort_by(|a, b| a.name.cmp(&b.name));
        self
    }

    /// The record of a clip.
    pub(super) fn clip(&self, name: &str) -> Option<&ClipRecord> {
        self.clips.iter().find(|clip| clip.name == name)
    }
}

impl ClipRecord {
    fn of(name: String, model: &Model, clip: &Clip) -> Self {
        let mut pose_numbers = String::new();
        if let Ok((binding, _)) = bind_clip(&model.skeleton, &model.meshes, clip) {
            let number = PoseNumber::new(model, clip);
            for key in 0..clip.key_count() {
                let at_s = clip.start_s + clip.key_time_s(key).unwrap_or(0.0);
                let pose = sample_clip(&model.skeleton, clip, &binding, at_s);
                #[expect(clippy::cast_possible_truncation, reason = "seven digits are kept")]
                let of_pose = number.of(&pose.matrices) as f32;
                pose_numbers += &letters(u64::from(of_pose.to_bits()), KEY_DIGITS);
            }
        }
        let (keys, keys_per_s, length_s) = (clip.key_count(), clip.key_rate_hz, clip.length_s());
        let word = |number: &f32| letters(u64::from(number.to_bits()), KEY_DIGITS);
        let motion = motion_of(model, clip).iter().map(word).collect();
        Self { name, keys, keys_per_s, length_s, pose_numbers, motion }
    }

    /// The message about numbers that this program cannot parse: such a clip would be compared with
    /// nothing, and pass.
    fn fault(&self) -> Option<String> {
        let Self { name, keys, pose_numbers, motion, .. } = self;
        let is_word = |word: &[u8]| {
            word.len() == KEY_DIGITS && bits(word).is_some_and(|bits| u32::try_from(bits).is_ok())
        };
        let are_words = |text: &str| text.as_bytes().chunks(KEY_DIGITS).all(is_word);
        let has_sums =
            pose_numbers.is_empty() || pose_numbers.len() == keys.saturating_mul(KEY_DIGITS);
        if !has_sums || !are_words(pose_numbers) {
            let words = counted(*keys, "word");
            Some(format!(
                "clip {name:?}: pose_numbers: expected {words} of {KEY_DIGITS} characters"
            ))
        } else if !are_words(motion) {
            Some(format!("clip {name:?}: moves: expected words of {KEY_DIGITS} characters"))
        } else {
            None
        }
    }

    /// True if it is known to have the same motion as another record of equal length, whatever keys
    /// the two have.
    fn moves_as(&self, other: &Self) -> bool {
        let numbers = |record: &Self| -> Vec<f32> {
            let words = record.motion.as_bytes().chunks(KEY_DIGITS);
            words.filter_map(|word| u32::try_from(bits(word)?).ok()).map(f32::from_bits).collect()
        };
        (self.length_s - other.length_s).abs() <= 1e-6
            && is_same_motion(&numbers(other), &numbers(self))
    }

    /// The number of a pose. None if it is not stored.
    fn pose_number(&self, key: usize) -> Option<f32> {
        let word = self.pose_numbers.as_bytes().get(key * KEY_DIGITS..(key + 1) * KEY_DIGITS)?;
        u32::try_from(bits(word)?).ok().map(f32::from_bits)
    }

    /// The keys whose poses differ from `before`; empty if either record has no poses.
    fn other_poses(&self, before: &Self) -> Vec<usize> {
        let differs = |key: &usize| match (before.pose_number(*key), self.pose_number(*key)) {
            (Some(old), Some(new)) => {
                let most = ROUNDING * tintype_model::math::max(old.abs(), 1.0);
                (new - old).abs() > most || new.is_nan() != old.is_nan()
            }
            _ => false,
        };
        (0..self.keys).filter(differs).collect()
    }

    /// True if it has the same poses, key by key.
    pub(super) fn has_poses_of(&self, other: &Self) -> bool {
        let is_kept =
            !self.pose_numbers.is_empty() && self.pose_numbers.len() == other.pose_numbers.len();
        is_kept && self.other_poses(other).is_empty()
    }

    /// True if it has the same poses and time base, under any name.
    pub(super) fn is_same_motion(&self, other: &Self) -> bool {
        self.has_poses_of(other) && self.time_change(other).is_empty()
    }

    /// The change of the time base since `before`.
    pub(super) fn time_change(&self, before: &Self) -> Vec<Finding> {
        let mut found = Vec::new();
        // Different keys of the same motion are not a different clip.
        if self.keys != before.keys && self.moves_as(before) {
            return found;
        }
        let clip = || Subject::named(Element::Clip, &self.name);
        let say = |kind, of| Finding::new(Stage::Scene, kind, of);
        if let (Some(old), Some(new)) = (before.keys_per_s, self.keys_per_s)
            && (old - new).abs() > 1e-6 * old.abs()
        {
            let [was, is] = [old, new].map(|rate| Value::amount(rate, Unit::KeysASecond));
            found.push(say(Kind::RateChanged, clip()).from_to(was, is));
        }
        if self.keys != before.keys {
            let keys = say(Kind::CountChanged, Subject::all(Element::Key)).within(clip());
            found.push(keys.from_to(Value::count(before.keys), Value::count(self.keys)));
        }
        if (self.length_s - before.length_s).abs() > 1e-6 {
            let [was, is] = [before, self].map(|own| Value::amount(own.length_s, Unit::Seconds));
            found.push(say(Kind::DurationChanged, clip()).from_to(was, is));
        }
        found
    }

    /// The keys whose poses differ from `before`; the time base must be the same.
    pub(super) fn pose_change(&self, before: &Self, clip: &Clip) -> Option<Finding> {
        // Of other keys the motion was compared.
        let changed = if self.keys == before.keys { self.other_poses(before) } else { Vec::new() };
        let first = *changed.first()?;
        let poses = Finding::new(Stage::Pose, Kind::ElementsChanged, Subject::all(Element::Key))
            .within(Subject::named(Element::Clip, &self.name))
            .count(changed.len(), self.keys)
            .elements([Subject::numbered(Element::Key, first)]);
        Some(poses.at(clip.key_time_s(first).unwrap_or(0.0)))
    }
}

/// Digest of the meshes of a model in weight space.
fn mesh_digest(model: &Model) -> String {
    let mut hasher = blake3::Hasher::new();
    for joint in model.skeleton.joints() {
        hasher.update(joint.name.as_bytes());
        hasher.update(b"\n");
    }
    for mesh in &model.meshes {
        hasher.update(mesh.material_name.as_bytes());
        hasher.update(b"\n");
        for influence in &mesh.influences {
            influence.numbers().iter().for_each(|number| {
                hasher.update(&number.to_le_bytes());
            });
        }
        for corner in mesh.triangles.iter().flatten().chain(&mesh.influence_start) {
            hasher.update(&corner.to_le_bytes());
        }
        for texcoord in &mesh.texcoords {
            hasher.update(&texcoord.x.to_le_bytes());
            hasher.update(&texcoord.y.to_le_bytes());
        }
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_clips_are_read_whole_or_not_at_all() {
        let clip = ClipRecord {
            name: "walk".to_owned(),
            keys: 2,
            keys_per_s: Some(24.0),
            length_s: 0.5,
            pose_numbers: letters(u64::from(1_f32.to_bits()), KEY_DIGITS).repeat(2),
            motion: letters(u64::from(2_f32.to_bits()), KEY_DIGITS),
        };
        let folder = tempfile::tempdir().unwrap();
        let read = |clip: &ClipRecord| {
            let clips = vec![clip.clone()];
            let record = ModelRecord { version: VERSION, mesh: "00".to_owned(), clips };
            std::fs::write(folder.path().join(FILE), record.to_text()).unwrap();
            ModelRecord::read(folder.path()).map(|read| assert_eq!(read, record))
        };
        assert!(read(&clip).is_ok());
        // Records of older programs have neither.
        let older =
            ClipRecord { pose_numbers: String::new(), motion: String::new(), ..clip.clone() };
        assert!(read(&older).is_ok());
        let cut = clip.pose_numbers[..KEY_DIGITS].to_owned();
        let other = clip.pose_numbers.replace(|letter: char| letter.is_ascii(), "*");
        for pose_numbers in [cut, other] {
            let damaged = ClipRecord { pose_numbers, ..clip.clone() };
            let told = format!("{:?}", read(&damaged).unwrap_err());
            assert!(told.contains("pose_numbers: expected 2 words of 6 characters"), "{told}");
        }
        let damaged = ClipRecord { motion: "abc".to_owned(), ..clip.clone() };
        assert!(format!("{:?}", read(&damaged).unwrap_err()).contains("moves: expected words"));
        // A folder in its place exists, but is not a file.
        std::fs::remove_file(folder.path().join(FILE)).unwrap();
        std::fs::create_dir(folder.path().join(FILE)).unwrap();
        assert!(matches!(ModelRecord::read(folder.path()), Err(Unread::Read(_))));
    }
}
