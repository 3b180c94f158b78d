//! MSZIP: the compressed forms `tzip` and `bzip` become the plain file, header included.
//!
//! The header is followed by the size of the plain file as 32 bits, then by blocks: the plain and
//! the packed size as 16 bits each, the letters `CK` and one raw deflate stream, which can refer to
//! the preceding 32 KiB. The size includes the header.

use super::encoding::Encoding;
use super::error::XError;
use super::header::{self, Header};
use crate::LimitExceeded;
use crate::text::SourcePosition;
use crate::text::quoted;
use crate::{LimitName, LoadOptions};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use tintype_model::{FileRepair, Warning};

/// The letters before each deflate stream; the packed size counts them.
const SIGNATURE: &[u8] = b"CK";
/// The size of the decompressed file.
const SIZE: usize = 4;
/// Two sizes of 16 bits before each block.
const BLOCK_SIZES: usize = 4;

/// The decompressed file: 16 bytes instead of the header, then the content of the blocks.
pub(super) struct Inflated {
    pub(super) bytes: Vec<u8>,
    pub(super) warnings: Vec<Warning>,
}

/// Inflates all blocks.
///
/// # Errors
/// [`XError::Limit`] if the stated size exceeds `limits`; [`XError::Packed`] if the blocks contain
/// more or less than stated.
pub(super) fn inflate(
    bytes: &[u8],
    header: &Header,
    options: &LoadOptions,
) -> Result<Inflated, XError> {
    let file = File { bytes, encoding: header.encoding };
    let total = file.total(header.end, options)?;
    let mut at = header.end + SIZE;
    let mut inflated = Inflated { bytes: vec![0; header::LENGTH], warnings: Vec::new() };
    if let Err(error) = file.inflate_blocks(&mut at, total, &mut inflated, options) {
        match error {
            XError::Packed { offset, what, found, expected, .. }
                if inflated.bytes.len() > header::LENGTH =>
            {
                let message =
                    format!("{what}: found {found}; expected {expected}; the rest is not read");
                inflated
                    .warnings
                    .push(SourcePosition::byte(offset).fault(FileRepair::Truncated, &message));
                return Ok(inflated);
            }
            error => return Err(error),
        }
    }
    let behind = bytes.get(at..).unwrap_or_default();
    if behind.iter().any(|byte| *byte != 0) {
        let message = format!("{} bytes after the last block are ignored", behind.len());
        inflated.warnings.push(SourcePosition::byte(at).fault(FileRepair::Leftover, &message));
    }
    Ok(inflated)
}

/// The file on disk.
struct File<'a> {
    bytes: &'a [u8],
    encoding: Encoding,
}

/// One block.
struct Block<'a> {
    number: usize,
    /// Its deflate stream.
    deflated: &'a [u8],
    /// Size of the inflated bytes.
    plain_size: usize,
    /// The byte of the file after its two sizes.
    start: usize,
    /// The byte of the file after it.
    end: usize,
}

impl<'a> File<'a> {
    fn error(&self, offset: usize, what: String, found: String, expected: String) -> XError {
        XError::Packed { offset, encoding: self.encoding, what, found, expected }
    }

    /// The size of the decompressed file, read at `at`.
    fn total(&self, at: usize, options: &LoadOptions) -> Result<usize, XError> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let Some((size, _)) = rest.split_first_chunk::<SIZE>() else {
            let what = "size of the decompressed file".into();
            return Err(self.error(at, what, "the end of the file".into(), "4 bytes".into()));
        };
        let found = u32::from_le_bytes(*size) as usize;
        let limit = options.limits.max_inflated(self.bytes.len());
        let limit = (limit, Some(LimitName::Inflated));
        let what = "bytes of the decompressed file, from the header";
        LimitExceeded::check(SourcePosition::byte(at), what, found, limit)?;
        Ok(found)
    }

    /// The block that begins at `at`.
    fn block(&self, at: usize, number: usize) -> Result<Block<'a>, XError> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let Some(([plain_0, plain_1, packed_0, packed_1], rest)) = rest.split_first_chunk() else {
            let found = format!("{} bytes", rest.len());
            return Err(self.error(
                at,
                format!("sizes of block {number}"),
                found,
                "4 bytes".into(),
            ));
        };
        let plain_size = usize::from(u16::from_le_bytes([*plain_0, *plain_1]));
        let packed_size = usize::from(u16::from_le_bytes([*packed_0, *packed_1]));
        let start = at + BLOCK_SIZES;
        let Some(packed) = rest.get(..packed_size) else {
            let found = format!("{} up to the end of the file", rest.len());
            let what = format!("bytes of block {number}");
            return Err(self.error(start, what, found, packed_size.to_string()));
        };
        let Some(deflated) = packed.strip_prefix(SIGNATURE) else {
            let found = quoted(packed.get(..SIGNATURE.len()).unwrap_or(packed));
            let what = format!("first letters of block {number}");
            return Err(self.error(start, what, found, quoted(SIGNATURE)));
        };
        Ok(Block { number, deflated, plain_size, start, end: start + packed_size })
    }

    /// Inflates all blocks from `at` on, which is moved to the end of the last.
    fn inflate_blocks(
        &self,
        at: &mut usize,
        total: usize,
        inflated: &mut Inflated,
        options: &LoadOptions,
    ) -> Result<(), XError> {
        let mut state = Box::new(DecompressorOxide::new());
        let mut number = 0;
        while inflated.bytes.len() < total && *at < self.bytes.len() {
            number += 1;
            options.deadline.check("inflating it")?;
            let block = self.block(*at, number)?;
            let size = inflated.bytes.len() + block.plain_size;
            if size > total {
                let what = format!("size of the decompressed file with block {number}");
                let expected = format!("at most {total}, from the header");
                return Err(self.error(*at, what, size.to_string(), expected));
            }
            self.inflate_block(&block, &mut state, inflated)?;
            *at = block.end;
        }
        if inflated.bytes.len() < total {
            let found = format!("{} up to the end of the file", inflated.bytes.len());
            let expected = format!("{total}, from the header");
            return Err(self.error(*at, "bytes of the decompressed file".into(), found, expected));
        }
        Ok(())
    }

    /// Appends the content of a block to that of the previous blocks.
    fn inflate_block(
        &self,
        block: &Block,
        state: &mut DecompressorOxide,
        inflated: &mut Inflated,
    ) -> Result<(), XError> {
        let at = inflated.bytes.len() - header::LENGTH;
        inflated.bytes.resize(inflated.bytes.len() + block.plain_size, 0);
        // No block sees the header.
        let plain = inflated.bytes.get_mut(header::LENGTH..).unwrap_or_default();
        let Err(Unpacked { written, problem }) = unpack(state, block.deflated, plain, at) else {
            return Ok(());
        };
        let stored = block.plain_size.saturating_sub(written);
        if let Some(repaired) = with_complement(block.deflated, stored)
            && unpack(state, &repaired, plain, at).is_ok()
        {
            inflated.warnings.push(SourcePosition::byte(block.start).fault(FileRepair::DamagedBlock, &format!(
                "block {} ends with {stored} stored bytes without the complement of their length; they are read anyway",
                block.number
            )));
            return Ok(());
        }
        inflated.bytes.truncate(header::LENGTH + at + written);
        Err(self.error(
            block.start,
            format!("block {}", block.number),
            format!("{problem} after {written} bytes"),
            format!("a deflate stream of {} bytes", block.plain_size),
        ))
    }
}

/// Error of a block that inflates to another size than it declares.
struct Unpacked {
    /// Number of bytes inflated before the error.
    written: usize,
    problem: &'static str,
}

/// Inflates one block to the end of `plain`, from `at` on.
fn unpack(
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
        TINFLStatus::NeedsMoreInput | TINFLStatus::FailedCannotMakeProgress => "a truncated stream",
        _ => "an error in the stream",
    };
    Err(Unpacked { written, problem })
}

/// A stream that ends with `stored` plain bytes preceded by their length, with the missing
/// complement of the length inserted. None if it does not end like this.
///
/// Some writers omit the complement. That a stream ends with a fitting length does not prove such a
/// file; that it inflates to the right size with the complement does.
fn with_complement(deflated: &[u8], stored: usize) -> Option<Vec<u8>> {
    let length = u16::try_from(stored).ok()?;
    let split = deflated.len().checked_sub(stored)?;
    let (head, tail) = deflated.split_at_checked(split)?;
    if stored == 0 || !head.ends_with(&length.to_le_bytes()) {
        return None;
    }
    Some([head, &(!length).to_le_bytes(), tail].concat())
}
