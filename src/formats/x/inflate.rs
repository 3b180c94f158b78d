//! MSZIP: the compressed forms `tzip` and `bzip` become the plain file, header included.
//!
//! Behind the header stands the size of the plain file as 32 bits; then blocks, each with its plain and its packed size as 16
//! bits, the letters `CK` and one raw deflate stream, which sees the last 32 KiB before it. The size counts the header.

use super::error::{Place, XError};
use super::header::{self, Header};
use crate::formats::Limits;
use crate::model::Warning;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

/// The letters before each deflate stream; the packed size counts them.
const SIGNATURE: &[u8] = b"CK";
/// Two sizes of 16 bits.
const BLOCK_HEADER: usize = 4;

/// The plain file: 16 bytes in the place of the header, then what the blocks hold.
pub(super) struct Inflated {
    pub(super) bytes: Vec<u8>,
    pub(super) warnings: Vec<Warning>,
}

/// Inflates all blocks.
///
/// # Errors
/// [`XError::Limit`] if the file says that it is larger than `limits` allow; [`XError::Packed`] where the blocks hold more or
/// less than it says.
pub(super) fn inflate(file: &[u8], header: &Header, limits: &Limits) -> Result<Inflated, XError> {
    let packed_error = |offset: usize, what: &str, found: String, expected: String| {
        let (encoding, what) = (header.encoding, what.into());
        XError::Packed { offset, encoding, what, found, expected }
    };
    let mut at = header.end;
    let Some((size, _)) = file.get(at..).and_then(|rest| rest.split_first_chunk::<4>()) else {
        return Err(packed_error(
            at,
            "size of the plain file",
            "the end of the file".into(),
            "4 bytes".into(),
        ));
    };
    let total = u32::from_le_bytes(*size) as usize;
    let limit = limits.max_inflated(file.len());
    if total > limit {
        return Err(XError::Limit {
            place: Place::byte(at),
            what: "bytes of the plain file, as the header says".into(),
            found: total,
            limit,
        });
    }
    at += size.len();
    let mut warnings = Vec::new();
    let mut state = Box::new(DecompressorOxide::new());
    let mut bytes = vec![0; header::LENGTH];
    let mut block_number = 0_usize;
    while bytes.len() < total && at < file.len() {
        block_number += 1;
        let rest = file.get(at..).unwrap_or_default();
        let Some((sizes, rest)) = rest.split_first_chunk::<BLOCK_HEADER>() else {
            return Err(packed_error(
                at,
                "sizes of a block",
                format!("{} bytes", rest.len()),
                format!("{BLOCK_HEADER} bytes"),
            ));
        };
        let plain_size = usize::from(u16::from_le_bytes([sizes[0], sizes[1]]));
        let packed_size = usize::from(u16::from_le_bytes([sizes[2], sizes[3]]));
        let at_block = at + BLOCK_HEADER;
        let Some(packed) = rest.get(..packed_size) else {
            return Err(packed_error(
                at_block,
                &format!("bytes of block {block_number}"),
                format!("{} up to the end of the file", rest.len()),
                packed_size.to_string(),
            ));
        };
        let Some(deflated) = packed.strip_prefix(SIGNATURE) else {
            return Err(packed_error(
                at_block,
                &format!("block {block_number}"),
                crate::formats::quote::quoted(packed.get(..2).unwrap_or(packed)),
                "\"CK\"".into(),
            ));
        };
        let start = bytes.len();
        if start + plain_size > total {
            return Err(packed_error(
                at,
                &format!("size of the plain file with block {block_number}"),
                (start + plain_size).to_string(),
                format!("at most {total}, as the header says"),
            ));
        }
        bytes.resize(start + plain_size, 0);
        let plain = bytes.get_mut(header::LENGTH..).unwrap_or_default();
        let plain_at = start - header::LENGTH;
        let mut result = inflate_block(&mut state, deflated, plain, plain_at);
        if let Err(Unpacked { written, .. }) = result
            && let Some(repaired) = with_complement(deflated, plain_size - written.min(plain_size))
            && inflate_block(&mut state, &repaired, plain, plain_at).is_ok()
        {
            result = Ok(());
            warnings.push(Place::byte(at).warning(&format!(
                "block {block_number} ends with stored bytes that lack the complement of their length; it is read without"
            )));
        }
        if let Err(Unpacked { written, problem }) = result {
            return Err(packed_error(
                at_block,
                &format!("block {block_number}"),
                format!("{problem} after {written} bytes"),
                format!("a deflate stream of {plain_size} bytes"),
            ));
        }
        at = at_block + packed_size;
    }
    if bytes.len() < total {
        return Err(packed_error(
            at,
            "bytes of the plain file",
            format!("{} up to the end of the file", bytes.len()),
            format!("{total}, as the header says"),
        ));
    }
    let behind = file.get(at..).unwrap_or_default();
    if behind.iter().any(|byte| *byte != 0) {
        let message = format!("{} bytes behind the last block are not read", behind.len());
        warnings.push(Place::byte(at).warning(&message));
    }
    Ok(Inflated { bytes, warnings })
}

/// Why a block did not fill its place.
struct Unpacked {
    /// How many bytes came first.
    written: usize,
    problem: &'static str,
}

/// Inflates one block to the end of `plain`, from `at` on.
fn inflate_block(
    state: &mut DecompressorOxide,
    deflated: &[u8],
    plain: &mut [u8],
    at: usize,
) -> Result<(), Unpacked> {
    state.init();
    let size = plain.len() - at;
    let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, _, written) = decompress(state, deflated, plain, at, flags);
    let problem = match status {
        TINFLStatus::Done if written == size => return Ok(()),
        TINFLStatus::Done => "its end",
        TINFLStatus::HasMoreOutput => "more",
        TINFLStatus::NeedsMoreInput | TINFLStatus::FailedCannotMakeProgress => {
            "a stream that is cut short"
        }
        _ => "a mistake in the stream",
    };
    Err(Unpacked { written, problem })
}

/// A stream that ends with `stored` bytes as they are, and their length before them, with the complement of the length added
/// that belongs between; none if it does not end so.
///
/// There are files whose writer left the complement out. That a stream ends with a fitting length is no proof that it is one of
/// them; that it inflates to the right size with the complement is.
fn with_complement(deflated: &[u8], stored: usize) -> Option<Vec<u8>> {
    let length = u16::try_from(stored).ok()?;
    let split = deflated.len().checked_sub(stored)?;
    let (head, tail) = deflated.split_at_checked(split)?;
    if stored == 0 || !head.ends_with(&length.to_le_bytes()) {
        return None;
    }
    Some([head, &(!length).to_le_bytes(), tail].concat())
}
