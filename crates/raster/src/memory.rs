//! Memory that a frame leaves to the next ones.
//!
//! The tables of a large shadow map and the pixels of a picture take tens of megabytes, which the
//! system provides page by page and takes back at the end of a frame. Frames of one scene have maps
//! of about the same size and pictures of the same size, so they pass on their tables, and written
//! pictures their pixels.

use crate::options::RasterOptions;
use crate::shadow::tables::Tables;
use crate::still::{Done, Former, Still};
use crate::view::View;
use std::sync::{Arc, Mutex, PoisonError};
use tintype_model::frame::Frame;
use tintype_model::simd::Level;

/// Memory of finished frames. Threads may use it together; it never exceeds the memory of the
/// frames that were drawn at the same time.
#[derive(Default)]
pub struct Memory {
    tables: Mutex<Vec<Tables>>,
    former: Mutex<Option<Former>>,
    frames: Mutex<Vec<Frame>>,
}

impl core::fmt::Debug for Memory {
    fn fmt(&self, to: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        to.debug_struct("Memory").finish_non_exhaustive()
    }
}

/// A clone is empty: this is scratch memory.
impl Clone for Memory {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Memory {
    /// Takes the tables of a previous map, about as large as `size`, if there are any.
    pub(super) fn tables(&self, size: [u32; 2]) -> Option<Tables> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = tables.iter().position(|tables| tables.has_room_of(size));
        fitting.map(|at| tables.swap_remove(at)).or_else(|| tables.pop())
    }

    /// A frame of this size with arbitrary pixels: a reused or a new one.
    pub(super) fn frame(&self, [width, height]: [u32; 2]) -> Frame {
        let former = self.frames.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let count = width as usize * height as usize;
        let fits = |frame: &Frame| {
            [frame.width, frame.height] == [width, height] && frame.rgba.len() == count
        };
        former.filter(fits).unwrap_or_else(|| Frame::new(width, height))
    }

    /// Keeps a frame buffer for reuse.
    pub fn keep_frame(&self, frame: Frame) {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner).push(frame);
    }

    /// Parts common to frames of this content.
    pub(super) fn still(&self, view: &View, level: Level) -> Option<Arc<Still>> {
        let former = self.former.lock().unwrap_or_else(PoisonError::into_inner);
        Former::still(former.as_ref(), view, level)
    }

    /// Keeps the tables of the maps of a finished frame, and the parts reusable by the next frames.
    pub(super) fn keep(&self, view: &View, options: RasterOptions, done: Done) {
        {
            let mut former = self.former.lock().unwrap_or_else(PoisonError::into_inner);
            *former = Former::of(former.as_ref(), view, options, &done);
        }
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let maps = done.shadows.into_iter().flatten();
        tables.extend(maps.filter_map(|map| Arc::into_inner(map.tables)));
    }
}
