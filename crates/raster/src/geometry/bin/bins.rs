//! Triangles of a chunk by tile.

/// Triangles of one chunk by tile, in submission order within each tile.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bins {
    /// The lowest number of a tile that a triangle may touch.
    first: usize,
    /// Per tile from there on: the start of its triangles; one more entry marks the end of the
    /// last.
    start: Vec<u32>,
    /// Indices of triangles in the chunk.
    triangles: Vec<u16>,
}

impl Bins {
    /// Sorts pairs of tile and triangle, which are in submission order, by tile; the tiles are
    /// `first..=last`.
    pub(crate) fn new(entries: &[(u32, u16)], first: u32, last: u32) -> Self {
        if entries.is_empty() {
            return Self::default();
        }
        let first = first as usize;
        let mut start = vec![0; last as usize - first + 2];
        for &(tile, _) in entries {
            start[tile as usize - first + 1] += 1;
        }
        let mut total = 0;
        for start in &mut start {
            total += *start;
            *start = total;
        }
        let mut sorted = vec![0; entries.len()];
        for &(tile, index) in entries.iter().rev() {
            // Filled from the end of each tile, which leaves each number one tile too early.
            let end = &mut start[tile as usize - first + 1];
            *end -= 1;
            sorted[*end as usize] = index;
        }
        start.remove(0);
        start.push(total);
        Self { first, start, triangles: sorted }
    }

    /// The triangles that may touch a tile, in submission order.
    #[inline]
    pub(crate) fn of_tile(&self, tile: usize) -> &[u16] {
        match tile.checked_sub(self.first) {
            Some(local) if local + 1 < self.start.len() => {
                &self.triangles[self.start[local] as usize..self.start[local + 1] as usize]
            }
            _ => &[],
        }
    }
}
