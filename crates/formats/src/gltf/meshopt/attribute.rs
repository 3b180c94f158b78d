//! Elements: blocks of at most 256 elements. Each byte of an element is a separate channel, stored
//! as differences from element to element.
//!
//! Version 0 has differences of bytes. Version 1 chooses for every four bytes between bytes, words
//! of two bytes, and rotated words of four bytes combined by exclusive or.

use super::input::Input;

const GROUP: usize = 16;
const BLOCK_BYTES: usize = 8192;
const BLOCK_ELEMENTS: usize = 256;
/// A group may only begin if this many bytes are left, which the tail guarantees.
const GROUP_LIMIT: usize = 24;
const HEADER: u8 = 0xa0;

/// Decodes `count` elements of `stride` bytes, a multiple of 4 up to 256.
///
/// # Errors
/// The broken rule.
pub(super) fn decode(bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
    let mut input = Input::new(bytes);
    let header = input.byte()?;
    let version = header & 0x0f;
    if header & 0xf0 != HEADER || version > 1 {
        return Err(format!("byte 0: found {header:#04x}; expected 0xa0 or 0xa1"));
    }
    let is_new = version == 1;
    let tail = if is_new { stride + stride / 4 } else { stride };
    let padded = tail.max(if is_new { 24 } else { 32 });
    let data = input.len().checked_sub(padded).ok_or("the stream ends early")?;
    let tail = bytes.get(bytes.len() - tail..).unwrap_or_default();
    let (first, channels) = tail.split_at_checked(stride).unwrap_or_default();
    let mut last = first.to_vec();
    let block = ((BLOCK_BYTES / stride) & !(GROUP - 1)).min(BLOCK_ELEMENTS);
    // Each block has at least one byte per 1024 of its output, which limits the size of the output
    // by that of the stream.
    let least = count.div_ceil(block).saturating_mul(stride / 4);
    if data < least {
        return Err(format!("{count} elements in {} bytes", bytes.len()));
    }
    let mut elements = Vec::with_capacity(count.saturating_mul(stride));
    let mut left = count;
    while left > 0 {
        let now = left.min(block);
        decode_block(&mut input, &mut elements, now, &mut last, channels, is_new)?;
        left -= now;
    }
    if input.len() != padded {
        return Err(format!("{} bytes are left over", input.len().abs_diff(padded)));
    }
    Ok(elements)
}

/// Appends the elements of a block; `last` is the element before them and becomes their last one.
fn decode_block(
    input: &mut Input,
    elements: &mut Vec<u8>,
    count: usize,
    last: &mut [u8],
    channels: &[u8],
    is_new: bool,
) -> Result<(), String> {
    let stride = last.len();
    let controls = input.take(if is_new { stride / 4 } else { 0 })?;
    let start = elements.len();
    elements.resize(start + count * stride, 0);
    let out = elements.get_mut(start..).unwrap_or_default();
    let mut bytes = [[0; BLOCK_ELEMENTS]; 4];
    for (four, last) in last.chunks_exact_mut(4).enumerate() {
        let control = controls.get(four).copied().unwrap_or_default();
        for (place, bytes) in bytes.iter_mut().enumerate() {
            let bytes = bytes.get_mut(..count.next_multiple_of(GROUP)).unwrap_or_default();
            match (is_new, control >> (2 * place) & 3) {
                (false, _) => decode_bytes(input, bytes, [0, 2, 4, 8])?,
                (true, 0) => decode_bytes(input, bytes, [0, 1, 2, 4])?,
                (true, 1) => decode_bytes(input, bytes, [1, 2, 4, 8])?,
                (true, 2) => bytes.fill(0),
                (true, _) => {
                    let literal = input.take(count)?;
                    for (byte, literal) in bytes.iter_mut().zip(literal) {
                        *byte = *literal;
                    }
                }
            }
        }
        let channel = if is_new { channels.get(four).copied().unwrap_or_default() } else { 0 };
        let mut before: [u8; 4] = last.try_into().unwrap_or_default();
        for (index, element) in out.chunks_exact_mut(stride).enumerate() {
            let coded = bytes.each_ref().map(|bytes| bytes.get(index).copied().unwrap_or_default());
            before = combine(channel, before, coded)?;
            if let Some(slot) = element.get_mut(4 * four..4 * four + 4) {
                slot.copy_from_slice(&before);
            }
        }
        last.copy_from_slice(&before);
    }
    Ok(())
}

/// The four bytes after `before`.
fn combine(channel: u8, before: [u8; 4], coded: [u8; 4]) -> Result<[u8; 4], String> {
    let byte =
        |before: u8, coded: u8| before.wrapping_add((coded >> 1) ^ (coded & 1).wrapping_neg());
    let word = |before: [u8; 2], coded: [u8; 2]| {
        let (before, coded) = (u16::from_le_bytes(before), u16::from_le_bytes(coded));
        before.wrapping_add((coded >> 1) ^ (coded & 1).wrapping_neg()).to_le_bytes()
    };
    let ([a, b, c, d], [e, f, g, h]) = (before, coded);
    Ok(match channel & 3 {
        0 => [byte(a, e), byte(b, f), byte(c, g), byte(d, h)],
        1 => {
            let ([a, b], [c, d]) = (word([a, b], [e, f]), word([c, d], [g, h]));
            [a, b, c, d]
        }
        2 => {
            let turned = u32::from_le_bytes(coded).rotate_right(u32::from(channel >> 4));
            (turned ^ u32::from_le_bytes(before)).to_le_bytes()
        }
        _ => return Err(format!("a channel of kind 3 ({channel:#04x})")),
    })
}

/// Fills groups of 16 bytes; `widths` are the bits of a byte by the two bits of the header of its
/// group.
fn decode_bytes(input: &mut Input, bytes: &mut [u8], widths: [u8; 4]) -> Result<(), String> {
    let groups = bytes.len() / GROUP;
    let headers = input.take(groups.div_ceil(4))?;
    for (index, group) in bytes.chunks_exact_mut(GROUP).enumerate() {
        if input.len() < GROUP_LIMIT {
            return Err("the stream ends early".to_owned());
        }
        let header = headers.get(index / 4).copied().unwrap_or_default() >> (2 * (index % 4)) & 3;
        let width = widths.get(usize::from(header)).copied().unwrap_or_default();
        match width {
            0 => group.fill(0),
            8 => group.copy_from_slice(input.take(GROUP)?),
            width => decode_group(input, group, width)?,
        }
    }
    Ok(())
}

/// Values of 1, 2 or 4 bits; if all bits are set, the byte follows after the group.
fn decode_group(input: &mut Input, group: &mut [u8], width: u8) -> Result<(), String> {
    let packed = input.take(GROUP * usize::from(width) / 8)?;
    let (per_byte, most) = (8 / width, u8::MAX >> (8 - width));
    for (&packed, values) in packed.iter().zip(group.chunks_exact_mut(usize::from(per_byte))) {
        for (place, value) in (0_u8..).zip(values) {
            // The first value is in the highest bits, but single bits begin with the lowest.
            let shift = if width == 1 { place } else { 8 - width - place * width };
            let code = packed >> shift & most;
            *value = if code == most { input.byte()? } else { code };
        }
    }
    Ok(())
}
