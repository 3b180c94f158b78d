//! The parts of a file that building reads.

use crate::gltf::accessor::Accessors;
use crate::gltf::buffer::Buffers;
use crate::gltf::document::Document;
use crate::gltf::faults::RepairLog;

/// A document with the bytes of its buffers.
pub(super) struct Source<'a> {
    pub(super) document: &'a Document,
    pub(super) buffers: &'a Buffers<'a>,
    pub(super) accessors: Accessors<'a>,
    /// Bytes of the document and its buffers; they limit counts.
    pub(super) file_bytes: usize,
    /// True if integers may be used for positions and directions (`KHR_mesh_quantization`).
    pub(super) is_quantized: bool,
    pub(super) faults: &'a RepairLog,
}
