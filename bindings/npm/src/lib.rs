//! The WebAssembly module of tintype: requests as JSON, pictures as bytes. `index.js` is its only caller.
//!
//! Each instance serves one session on one thread. [`tintype_call`] answers a request; files are
//! read by path through `tintype_file`, a function that the instance imports. The module uses no
//! disk, clock or thread of the machine.
#![cfg(target_family = "wasm")]

mod arrays;
mod memory;
mod options;
mod session;

use session::Session;
use std::sync::{Mutex, PoisonError};

static SESSION: Mutex<Option<Session>> = Mutex::new(None);

/// Answers a request. Both buffers come from [`memory::tintype_alloc`] and are consumed; the second
/// contains pixels, or is empty. Returns the address of four words: address and length of the JSON
/// answer, and of its bytes. They stay valid until the next call.
#[expect(unsafe_code, reason = "the name of an export")]
#[unsafe(no_mangle)]
pub extern "C" fn tintype_call(
    text: *mut u8,
    text_length: usize,
    bytes: *mut u8,
    bytes_length: usize,
) -> *const u32 {
    let text = memory::taken(text, text_length);
    let bytes = memory::taken(bytes, bytes_length);
    let mut session = SESSION.lock().unwrap_or_else(PoisonError::into_inner);
    let session = session.get_or_insert_default();
    let (answer, bytes) = session.answer(&text, &bytes);
    memory::given(answer.into_bytes(), bytes)
}
