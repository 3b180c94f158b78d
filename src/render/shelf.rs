//! Posed meshes whose frame is done, for the next frames to be staged in their memory.

use crate::model::PosedMesh;
use std::sync::{Mutex, PoisonError};

/// The posed meshes of whole frames, mesh by mesh of each instance. Never more frames than were staged at one time.
#[derive(Debug, Default)]
pub(super) struct Shelf(Mutex<Vec<Vec<Vec<PosedMesh>>>>);

/// A copy of a scene that is ready has nothing on its shelf.
impl Clone for Shelf {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Shelf {
    /// The meshes of one frame, last in first out, for so many instances; without any where none are left.
    pub fn take(&self, instances: usize) -> Vec<Vec<PosedMesh>> {
        let mut frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut frame = frames.pop().unwrap_or_default();
        frame.resize_with(instances, Vec::new);
        frame
    }

    /// Lays the meshes of one frame down.
    pub fn put(&self, frame: Vec<Vec<PosedMesh>>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(frame);
    }
}
