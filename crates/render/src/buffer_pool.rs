//! Recycles the posed meshes of finished frames: later frames are skinned into their memory.

use std::sync::{Mutex, PoisonError};
use tintype_model::PosedMesh;

/// Posed meshes by frame, instance and mesh. It never exceeds the number of frames that were staged
/// at the same time.
#[derive(Debug, Default)]
pub(super) struct BufferPool(Mutex<Vec<Vec<Vec<PosedMesh>>>>);

/// A cloned pool is empty: buffers are scratch memory.
impl Clone for BufferPool {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl BufferPool {
    /// Takes the meshes of one frame, last in first out; empty lists if the pool is empty.
    pub(super) fn take(&self, instances: usize) -> Vec<Vec<PosedMesh>> {
        let mut frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut frame = frames.pop().unwrap_or_default();
        frame.resize_with(instances, Vec::new);
        frame
    }

    /// Returns the meshes of one frame.
    pub(super) fn put(&self, frame: Vec<Vec<PosedMesh>>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(frame);
    }
}
