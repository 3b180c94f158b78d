//! Indices: triangles by recently used edges and vertices, and sequences by differences.

use super::input::{Input, unzigzag};

const TRIANGLE_HEADER: u8 = 0xe0;
const SEQUENCE_HEADER: u8 = 0xd0;

/// The last 16 values, newest first at distance 1.
struct Recent<T> {
    values: [T; 16],
    next: usize,
}

impl<T: Copy> Recent<T> {
    fn new(value: T) -> Self {
        Self { values: [value; 16], next: 0 }
    }

    /// The value pushed `distance` steps ago.
    fn get(&self, distance: u8) -> T {
        self.values[self.next.wrapping_sub(usize::from(distance)) & 15]
    }

    /// Keeps a value; if it was present before, the next one overwrites it.
    fn push(&mut self, value: T, is_new: bool) {
        self.values[self.next] = value;
        self.next = (self.next + usize::from(is_new)) & 15;
    }
}

/// State of the decoder of triangles.
struct Triangles<'b> {
    input: Input<'b>,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    /// The first vertex that no triangle has yet.
    next: u32,
    /// The last vertex written by its difference.
    last: u32,
    /// Codes of a third vertex below this one are of a previously used vertex.
    known: u8,
}

/// Decodes the corners of triangles into indices of `size` bytes, 2 or 4.
///
/// # Errors
/// The broken rule.
pub(super) fn decode_triangles(bytes: &[u8], count: usize, size: usize) -> Result<Vec<u8>, String> {
    const TABLE: usize = 16;
    if !count.is_multiple_of(3) {
        return Err(format!("{count} corners, not a multiple of 3"));
    }
    let version = version(bytes, TRIANGLE_HEADER)?;
    let body = bytes.get(1..).unwrap_or_default();
    let split = body.len().checked_sub(TABLE).and_then(|end| body.split_at_checked(end));
    let (body, table) = split.ok_or("the stream ends early")?;
    let (codes, data) = body.split_at_checked(count / 3).ok_or("the stream ends early")?;
    let mut state = Triangles {
        input: Input::new(data),
        edges: Recent::new([u32::MAX; 2]),
        vertices: Recent::new(u32::MAX),
        next: 0,
        last: 0,
        known: if version >= 1 { 13 } else { 15 },
    };
    let mut indices = Vec::with_capacity(count * size);
    for &code in codes {
        for corner in state.triangle(code, table)? {
            write(corner, size, &mut indices);
        }
    }
    match state.input.len() {
        0 => Ok(indices),
        left => Err(format!("{left} bytes are left over")),
    }
}

impl Triangles<'_> {
    fn triangle(&mut self, code: u8, table: &[u8]) -> Result<[u32; 3], String> {
        let (high, low) = (code >> 4, code & 15);
        if high < 15 {
            let [a, b] = self.edges.get(high + 1);
            let c = self.third(low)?;
            self.edges.push([c, b], true);
            self.edges.push([a, c], true);
            return Ok([a, b, c]);
        }
        let [a, b, c] = if low < 14 {
            let codes = table.get(usize::from(low)).copied().unwrap_or_default();
            let a = self.fresh();
            let (second, third) = (codes >> 4, codes & 15);
            let b = if second == 0 { self.fresh() } else { self.vertices.get(second) };
            let c = if third == 0 { self.fresh() } else { self.vertices.get(third) };
            self.vertices.push(a, true);
            self.vertices.push(b, second == 0);
            self.vertices.push(c, third == 0);
            [a, b, c]
        } else {
            self.free_triangle(low == 14)?
        };
        for edge in [[b, a], [c, b], [a, c]] {
            self.edges.push(edge, true);
        }
        Ok([a, b, c])
    }

    /// The third vertex of a triangle on a known edge.
    fn third(&mut self, code: u8) -> Result<u32, String> {
        let (vertex, is_new) = match code {
            0 => (self.fresh(), true),
            code if code < self.known => (self.vertices.get(code + 1), false),
            15 => (self.difference()?, true),
            code => {
                self.last =
                    if code == 13 { self.last.wrapping_sub(1) } else { self.last.wrapping_add(1) };
                (self.last, true)
            }
        };
        self.vertices.push(vertex, is_new);
        Ok(vertex)
    }

    /// A triangle whose code takes a separate byte.
    fn free_triangle(&mut self, is_first_fresh: bool) -> Result<[u32; 3], String> {
        let codes = self.input.byte()?;
        let (second, third) = (codes >> 4, codes & 15);
        if codes == 0 {
            self.next = 0;
        }
        let mut known = |code: u8| match code {
            0 => self.fresh(),
            code => self.vertices.get(code),
        };
        let first = if is_first_fresh { known(0) } else { 0 };
        let mut corners = [first, known(second), known(third)];
        let first = if is_first_fresh { 0 } else { 15 };
        for (corner, code) in corners.iter_mut().zip([first, second, third]) {
            if code == 15 {
                *corner = self.difference()?;
            }
        }
        for (corner, code) in corners.into_iter().zip([0, second, third]) {
            self.vertices.push(corner, code == 0 || code == 15);
        }
        Ok(corners)
    }

    fn fresh(&mut self) -> u32 {
        let vertex = self.next;
        self.next = vertex.wrapping_add(1);
        vertex
    }

    fn difference(&mut self) -> Result<u32, String> {
        self.last = self.last.wrapping_add(unzigzag(self.input.number()?));
        Ok(self.last)
    }
}

/// Decodes a sequence into indices of `size` bytes, 2 or 4: each is a difference to the last one of
/// two series.
///
/// # Errors
/// The broken rule.
pub(super) fn decode_sequence(bytes: &[u8], count: usize, size: usize) -> Result<Vec<u8>, String> {
    const TAIL: usize = 4;
    version(bytes, SEQUENCE_HEADER)?;
    let end = bytes.len().checked_sub(TAIL).filter(|&end| end > count);
    let data = end.and_then(|end| bytes.get(1..end)).ok_or("the stream ends early")?;
    let mut input = Input::new(data);
    let mut last = [0_u32; 2];
    let mut indices = Vec::with_capacity(count * size);
    for _ in 0..count {
        let code = input.number()?;
        let index = last[(code & 1) as usize].wrapping_add(unzigzag(code >> 1));
        last[(code & 1) as usize] = index;
        write(index, size, &mut indices);
    }
    match input.len() {
        0 => Ok(indices),
        left => Err(format!("{left} bytes are left over")),
    }
}

/// The version of a stream of that kind.
fn version(bytes: &[u8], header: u8) -> Result<u8, String> {
    match bytes.first() {
        Some(&first) if first & 0xf0 == header && first & 0x0f <= 1 => Ok(first & 0x0f),
        Some(first) => Err(format!(
            "byte 0: found {first:#04x}; expected {header:#04x} or {:#04x}",
            header + 1
        )),
        None => Err("the stream is empty".to_owned()),
    }
}

fn write(index: u32, size: usize, out: &mut Vec<u8>) {
    out.extend(index.to_le_bytes().iter().take(size));
}
