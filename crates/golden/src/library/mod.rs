//! Goldens of whole model libraries: every model below folders or patterns, with each of its clips,
//! without scenes.
//!
//! Input: model files and a golden folder. Each clip of a model is shown at a few times, spread
//! evenly over it; a model without clips is shown in its bind pose. For each time the folder has a
//! small picture and a record of its stages, as for a scene; poses and vertices must match the
//! record. Each model also has a record of its clips (`clip_record`): their time bases and a digest
//! of the pose at every key, so that changes between the sampled times are found too.
//!
//! ```text
//! <golden>/library.toml                        number of moments, size of the pictures, and limits of the models
//! <golden>/orc/orc.md5mesh/clips.toml          time base and poses of each clip
//! <golden>/orc/orc.md5mesh/walk/0000.png       first moment of a clip, and its record 0000.toml
//! ```

mod bless;
mod clip_record;
mod entry;
mod find;
mod limits;
mod stray;
mod test;

pub use bless::{BlessedModel, LibraryBless};
pub use find::{Library, LibraryError, LibrarySettings};
pub use limits::LibraryLimits;
pub use test::{LibraryEntry, LibraryRun};

#[cfg(test)]
mod tests;
