//! Limits of one model: time, memory, bytes of its file.
//!
//! Parsers, builders and decoders check the [`Deadline`] of the model every few milliseconds. The
//! rasterizer and the JPEG decoder do not: the caller stops waiting for them when the time is over,
//! skips the model, and their threads take no other model before they finish. Memory is
//! overestimated before it is allocated.

use super::skip_reason::{Skip, SkipCause, SkipReason};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tintype_base::amount::bytes_text;
use tintype_base::deadline::{Deadline, TimedOut};
use tintype_formats::{LimitName, Limits};
use tintype_model::MorphTarget;
use tintype_render::asset::LoadedModel;

/// Memory for reading a file, as a multiple of its bytes: its numbers, then the model.
const READ_SHARE: u64 = 12;
/// Bytes of each value of a `.x` file, and of each object, during reading.
const BYTES_PER_VALUE: u64 = 41;
const BYTES_PER_OBJECT: u64 = 200;
/// Bytes per vertex: texture coordinates, colour, sign, one posed copy in the picture and one while
/// a view is chosen, and the rasterizer's data.
const BYTES_PER_VERTEX: u64 = 200;
/// Bytes per influence, and per triangle including the rasterizer's data.
const BYTES_PER_INFLUENCE: u64 = 48;
const BYTES_PER_TRIANGLE: u64 = 220;
/// Bytes of a key of a track.
const BYTES_PER_KEY: u64 = 28;
/// Bytes of a pixel: the picture, and its file.
const BYTES_PER_PIXEL: u64 = 16;
/// Bytes of the tiles in work.
const SCRATCH: u64 = 4 << 20;

/// Limits of each model.
#[derive(Clone, Debug)]
pub struct ModelLimits {
    /// Time from the start of the work.
    pub time: Duration,
    /// Estimated bytes of memory.
    pub memory: u64,
    /// Bytes of the model file.
    pub file: u64,
    /// Limits of the parsers, lowered so that reading keeps within the memory.
    pub limits: Limits,
}

impl ModelLimits {
    /// Limits; the parser limits in `limits` are lowered so that reading stays within the memory.
    #[must_use]
    pub fn new(time: Duration, memory: u64, file: u64, limits: &Limits) -> Self {
        let mut limits = limits.clone();
        let whole = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
        let lowered = |known: usize, by_memory: u64| known.min(whole(by_memory));
        limits.max_bytes = limits.max_bytes.min(whole(file));
        limits.max_values = lowered(limits.max_values, memory / BYTES_PER_VALUE);
        limits.max_objects = lowered(limits.max_objects, memory / BYTES_PER_OBJECT);
        limits.max_inflated_bytes = lowered(limits.max_inflated_bytes, memory / READ_SHARE);
        let corners = memory.saturating_mul(3) / BYTES_PER_TRIANGLE;
        limits.max_instanced_corners = lowered(limits.max_instanced_corners, corners);
        if let Some(inflated) = limits.inflated {
            limits.set(LimitName::Inflated, lowered(inflated, memory / READ_SHARE));
        }
        Self { time, memory, file, limits }
    }

    /// Refuses a file by its length, before it is read.
    pub(super) fn check_file(&self, length: u64) -> Result<(), Skip> {
        if length > self.file {
            let message =
                format!("{}, but the limit is {}", bytes_text(length), bytes_text(self.file));
            return Err(Skip::new(SkipReason::Size, message).by(SkipCause::Size));
        }
        self.check_memory(length.saturating_mul(READ_SHARE), "reading it")
    }

    /// Refuses a model by the memory of its meshes, clips and textures.
    pub(super) fn check_model(
        &self,
        loaded: &LoadedModel,
        decoded: u64,
        [width, height]: [u32; 2],
    ) -> Result<(), Skip> {
        let count = |value: usize| u64::try_from(value).unwrap_or(u64::MAX);
        let mut total = decoded
            .saturating_add(u64::from(width) * u64::from(height) * BYTES_PER_PIXEL)
            .saturating_add(SCRATCH);
        let mut add = |number: usize, each: u64| {
            total = total.saturating_add(count(number).saturating_mul(each));
        };
        for mesh in &loaded.model.meshes {
            add(mesh.vertex_count(), BYTES_PER_VERTEX);
            add(mesh.influences.len(), BYTES_PER_INFLUENCE);
            add(mesh.triangles.len(), BYTES_PER_TRIANGLE);
            let targets = mesh.morph.iter().flat_map(|morph| &morph.targets);
            add(targets.map(MorphTarget::byte_size).sum(), 1);
            add(mesh.dual.as_ref().map_or(0, |dual| dual.byte_size()), 1);
        }
        for clip in &loaded.clips {
            for tracks in clip.clip.joints.iter() {
                let keys = tracks.translation.values.len()
                    + tracks.rotation.values.len()
                    + tracks.scale.values.len();
                add(keys, BYTES_PER_KEY);
            }
            let morphs = clip.clip.morphs.iter();
            add(morphs.map(|track| track.weight.values.len()).sum(), BYTES_PER_KEY);
        }
        self.check_memory(total, "drawing it")
    }

    fn check_memory(&self, needed: u64, what: &str) -> Result<(), Skip> {
        if needed <= self.memory {
            return Ok(());
        }
        let message = format!(
            "{what} may take {}, but the limit is {}",
            bytes_text(needed),
            bytes_text(self.memory)
        );
        Err(Skip::new(SkipReason::Memory, message).by(SkipCause::Memory))
    }

    /// Starts the deadline of a model.
    #[must_use]
    pub fn model_deadline(&self) -> ModelDeadline {
        self.with_deadline(Deadline::after(self.time))
    }

    /// A deadline that is running already.
    #[must_use]
    pub fn with_deadline(&self, deadline: Deadline) -> ModelDeadline {
        ModelDeadline { time: self.time, deadline, stage: Arc::default() }
    }
}

/// Deadline of a model, and its current stage.
#[derive(Clone, Debug)]
pub struct ModelDeadline {
    time: Duration,
    deadline: Deadline,
    stage: Arc<Mutex<&'static str>>,
}

impl ModelDeadline {
    /// The deadline itself, for parsers and decoders.
    #[must_use]
    pub fn deadline(&self) -> &Deadline {
        &self.deadline
    }

    /// Enters a stage, unless the deadline has passed.
    pub(super) fn enter(&self, stage: &'static str) -> Result<(), Skip> {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
        self.deadline.check(stage).map_err(|late| self.skip(late))
    }

    /// Longest wait for work that does not check the deadline. None if unlimited.
    #[must_use]
    pub fn wait(&self) -> Option<Duration> {
        Some(self.deadline.remaining()? + GRACE)
    }

    /// The skip of a model whose deadline has passed in its current stage.
    #[must_use]
    pub fn missed(&self) -> Skip {
        let stage = *self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        self.skip(TimedOut { stage })
    }

    pub(super) fn skip(&self, TimedOut { stage }: TimedOut) -> Skip {
        let message = format!("took longer than {} s (while {stage})", self.time.as_secs_f64());
        Skip::new(SkipReason::Timeout, message).by(SkipCause::Time)
    }
}

/// Time after the deadline for work that checks it.
const GRACE: Duration = Duration::from_millis(40);

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(memory: u64, file: u64) -> ModelLimits {
        ModelLimits::new(Duration::from_secs(1), memory, file, &Limits::default())
    }

    #[test]
    fn limit_of_a_file_says_how_it_is_raised() {
        let skip = limits(1 << 30, 1000).check_file(2048).unwrap_err();
        assert_eq!(skip.reason, SkipReason::Size);
        assert_eq!(skip.message, "2.0 KiB, but the limit is 1000 bytes");
        let skip = limits(1 << 20, 1 << 30).check_file(1 << 20).unwrap_err();
        assert_eq!(skip.reason, SkipReason::Memory);
        assert!(skip.message.contains("12.0 MiB, but the limit is 1.0 MiB"), "{}", skip.message);
        assert!(limits(1 << 30, 1 << 20).check_file(1 << 20).is_ok());
    }

    #[test]
    fn limit_of_memory_lowers_what_files_may_ask_for() {
        let limits = limits(1 << 24, 1 << 20).limits;
        assert_eq!(limits.max_bytes, 1 << 20);
        assert!(limits.max_inflated(1 << 20) <= (1 << 24) / 12);
        assert!(limits.max_values <= (1 << 24) / 41 && limits.max_objects <= (1 << 24) / 200);
        assert_eq!(limits.max_instanced_corners, (3 << 24) / 220);
    }
}
