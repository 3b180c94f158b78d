//! The record of the clips of a model: what is kept of each beside the pictures of a few moments.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use tintype_framing::Character;
use tintype_model::diagnostic::{MERGE_CONFLICT, merge_conflict_line};
use tintype_model::pose::{bind_clip, sample_clip};
use tintype_model::{Clip, Model};
use tintype_render::asset::regular::read_regular_text;

/// The file of the record in the folder of a model.
pub(super) const FILE: &str = "clips.toml";
/// First line of the file.
const HEAD: &str = "# The model and its clips behind the goldens in this folder: compared by tintype test --models, written by tintype bless --models.\n";
/// Version of the form.
const VERSION: u32 = 1;
/// Characters that are kept of the digest of the pose at a key.
const KEY_DIGITS: usize = 6;

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
    /// None where the file has no even rate.
    pub keys_per_s: Option<f64>,
    pub length_s: f64,
    /// Some digits of the digest of the pose at each key.
    pub poses: String,
}

/// Reason why the record of a model cannot be compared.
#[derive(Debug)]
pub(super) enum Unread {
    /// There is none.
    Missing,
    /// It is there and is no record, or cannot be read.
    Bad(String),
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
        let text = match read_regular_text(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Unread::Missing);
            }
            Err(error) => return Err(bad(error.to_string())),
        };
        if merge_conflict_line(&text).is_some() {
            return Err(bad(MERGE_CONFLICT.to_owned()));
        }
        let record: Self =
            toml::from_str(&text).map_err(|error| bad(error.message().to_owned()))?;
        match record.version {
            VERSION => Ok(record),
            other => Err(bad(format!("version {other}; this program reads version {VERSION}"))),
        }
    }

    /// The text of the file.
    pub(super) fn to_text(&self) -> String {
        // Strings and numbers: encoding them cannot fail.
        HEAD.to_owned() + &toml::to_string(self).unwrap_or_default()
    }

    /// This record for the chosen clips, and that of before for the others.
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
        let mut poses = String::new();
        if let Ok((binding, _)) = bind_clip(&model.skeleton, &model.meshes, clip) {
            for key in 0..clip.key_count() {
                let at_s = clip.start_s + clip.key_time_s(key).unwrap_or(0.0);
                let pose = sample_clip(&model.skeleton, clip, &binding, at_s);
                let mut hasher = blake3::Hasher::new();
                for matrix in &pose.matrices {
                    for value in matrix.to_cols_array() {
                        // -0 and 0 are one.
                        hasher.update(&(value + 0.0).to_le_bytes());
                    }
                }
                poses += &hasher.finalize().to_hex()[..KEY_DIGITS];
            }
        }
        let (keys, keys_per_s, length_s) = (clip.key_count(), clip.key_rate_hz, clip.length_s());
        Self { name, keys, keys_per_s, length_s, poses }
    }

    /// Whether it has the same poses and time base, under whichever name.
    pub(super) fn is_same_motion(&self, other: &Self) -> bool {
        self.poses == other.poses && self.time_change(other).is_none()
    }

    /// The change of the time base since `before`.
    pub(super) fn time_change(&self, before: &Self) -> Option<String> {
        let mut found = Vec::new();
        if let (Some(old), Some(new)) = (before.keys_per_s, self.keys_per_s)
            && (old - new).abs() > 1e-9 * old.abs()
        {
            found.push(format!("{new} keys a second, had {old}"));
        }
        if self.keys != before.keys {
            found.push(format!("{} keys, had {}", self.keys, before.keys));
        }
        if (self.length_s - before.length_s).abs() > 1e-6 {
            found.push(format!("{:.4} s, had {:.4} s", self.length_s, before.length_s));
        }
        (!found.is_empty()).then(|| format!("clip {:?} has {}", self.name, found.join(", and ")))
    }

    /// The keys with other poses than `before`; the time base has to be the same.
    pub(super) fn pose_change(&self, before: &Self, clip: &Clip) -> Option<String> {
        let digits = |text: &'_ str, key: usize| -> Option<String> {
            text.get(key * KEY_DIGITS..(key + 1) * KEY_DIGITS).map(str::to_owned)
        };
        let differs = |key: &usize| digits(&self.poses, *key) != digits(&before.poses, *key);
        let changed: Vec<usize> = (0..self.keys).filter(differs).collect();
        let first = *changed.first()?;
        let at_s = clip.key_time_s(first).unwrap_or(0.0);
        let poses = if changed.len() == 1 { "pose" } else { "poses" };
        Some(format!(
            "clip {:?}: {} {poses} of {} keys changed, first that of key {first} at {at_s:.3} s",
            self.name,
            changed.len(),
            self.keys
        ))
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
        hasher.update(mesh.shader.as_bytes());
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
