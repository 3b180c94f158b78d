//! MSZIP: the size of the whole plain file, then blocks of 32 KiB, each a deflate stream that
//! refers to the previous block.

use miniz_oxide::MZFlush;
use miniz_oxide::deflate::core::{CompressorOxide, create_comp_flags_from_zip_params};
use miniz_oxide::deflate::stream::deflate;

/// Plain bytes of a block.
const BLOCK: usize = 32_768;
/// Size of the header of a file, which the total size includes.
const HEADER: usize = 16;
/// An empty last block of fixed codes: it ends a stream at the border of a byte.
const END: [u8; 2] = [0x03, 0x00];
/// The hardest that the encoder tries.
const LEVEL: i32 = 10;

/// All bytes after the header.
pub(super) fn pack(plain: &[u8]) -> Vec<u8> {
    let mut packed = ((plain.len() + HEADER) as u32).to_le_bytes().to_vec();
    // One encoder for all blocks keeps the window; a flush ends each block at the border of a byte.
    let mut encoder = CompressorOxide::new(create_comp_flags_from_zip_params(LEVEL, -15, 0));
    let mut stream = vec![0; 2 * BLOCK];
    for block in plain.chunks(BLOCK) {
        let result = deflate(&mut encoder, block, &mut stream, MZFlush::Sync);
        assert_eq!(result.bytes_consumed, block.len(), "twice the room is enough");
        let record = [b"CK", &stream[..result.bytes_written], &END].concat();
        for size in [block.len(), record.len()] {
            let size = u16::try_from(size).expect("a block packs to less than 64 KiB");
            packed.extend(size.to_le_bytes());
        }
        packed.extend(record);
    }
    packed
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

    #[test]
    fn blocks_are_whole_streams_that_use_what_stands_before_them() {
        // Noise that comes again after 20,000 bytes: only a shared window makes it small.
        let noise: Vec<u8> = (0..20_000).map(|at| crate::noise::hash(at, 0, 0, 1) as u8).collect();
        let plain = noise.repeat(6);
        let packed = pack(&plain);
        assert!(packed.len() < 22_000, "{}", packed.len());
        let word = |at: usize| usize::from(u16::from_le_bytes([packed[at], packed[at + 1]]));
        let (mut at, mut written) = (4, 0);
        let mut back = vec![0; plain.len()];
        while at < packed.len() {
            let (size, stream) = (word(at), &packed[at + 6..at + 4 + word(at + 2)]);
            let end = written + size;
            let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
            let mut state = DecompressorOxide::new();
            let (status, read, count) =
                decompress(&mut state, stream, &mut back[..end], written, flags);
            assert_eq!(status, miniz_oxide::inflate::TINFLStatus::Done);
            assert_eq!((read, count), (stream.len(), size));
            (written, at) = (end, at + 4 + word(at + 2));
        }
        assert!(back == plain && written == plain.len());
    }
}
