//! Heap: memory that a frame frees serves the next one.
//!
//! The C library of GNU takes a block above a threshold from the system, page by page as it is written, and gives it back when it is
//! freed; a frame of a hundred figures spends a tenth of its time so. The threshold follows the largest block of that kind that was
//! freed, up to 32 MiB on a machine of 64 bits, so it is at its most once such a block was.

/// The largest size that the threshold follows, less what the library adds.
const BYTES: usize = (32 << 20) - (64 << 10);

/// Keeps memory that is freed for later frames, where the C library is GNU's; elsewhere it changes nothing. The block is never written,
/// so it takes no memory, and that there is none for it is no error.
pub(super) fn keep_freed() {
    let mut block = Vec::<u8>::new();
    let _ = block.try_reserve_exact(BYTES);
    drop(std::hint::black_box(block));
}
