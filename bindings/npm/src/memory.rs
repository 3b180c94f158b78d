//! Buffers shared with the JavaScript side of the module; the only unsafe code.
#![expect(unsafe_code, reason = "addresses cross the border of the module")]

use std::sync::{Mutex, PoisonError};

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Reads a file by its path, in UTF-8. The result holds the address (upper half) and length
    /// (lower half) of a buffer of [`tintype_alloc`]; all bits are set if the file does not exist.
    fn tintype_file(path: *const u8, length: usize) -> u64;
}

/// A buffer for incoming bytes.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn tintype_alloc(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// The content of a buffer of [`tintype_alloc`]; empty if the address is null.
pub(crate) fn taken(start: *mut u8, length: usize) -> Vec<u8> {
    if start.is_null() {
        return Vec::new();
    }
    // SAFETY: the caller passes a block that `tintype_alloc` leaked with this length, once.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, length)) }.into_vec()
}

/// The bytes of a file. None if it does not exist.
pub(crate) fn file(path: &str) -> Option<Vec<u8>> {
    // SAFETY: the text is alive during the call, and only read.
    let found = unsafe { tintype_file(path.as_ptr(), path.len()) };
    let (start, length) = ((found >> 32) as usize, (found & 0xffff_ffff) as usize);
    (found != u64::MAX).then(|| taken(std::ptr::with_exposed_provenance_mut(start), length))
}

/// The answer of the last call.
static GIVEN: Mutex<([u32; 4], Vec<u8>, Vec<u8>)> = Mutex::new(([0; 4], Vec::new(), Vec::new()));

/// Keeps an answer and its bytes until the next one, and returns the address of their addresses and lengths.
pub(crate) fn given(text: Vec<u8>, bytes: Vec<u8>) -> *const u32 {
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    // Addresses of a 32-bit module fit.
    let word = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let words = [text.as_ptr().addr(), text.len(), bytes.as_ptr().addr(), bytes.len()].map(word);
    *given = (words, text, bytes);
    given.0.as_ptr()
}
