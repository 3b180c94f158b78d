//! Texels of a mip chain.
//!
//! The first level takes three quarters of the memory and most of the time. A small picture of a
//! large texture never uses it, so it is made on first use; until then the picture is kept, which
//! takes half as much.

use super::decoder::Decoder;
use super::image::{Image, TextureKind};
use super::mip_level::MipLevel;
use super::sampling::TextureWrap;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tintype_base::deadline::{Deadline, TimedOut, Watch};

/// Texels between two checks of the deadline.
const STEPS: u32 = 1 << 18;

/// Texels of all levels with their borders, rows from the top, the first level last.
#[derive(Debug)]
pub(super) struct Texels {
    /// All levels but the first; empty if the whole chain was made at once.
    smaller: Vec<[u16; 4]>,
    whole: OnceLock<Vec<[u16; 4]>>,
    /// The picture, until the first level is made from it.
    picture: Mutex<Option<Arc<Image>>>,
    kind: TextureKind,
    first_level: MipLevel,
    wrap: [TextureWrap; 2],
}

impl Texels {
    /// Builds all levels.
    pub(super) fn whole(
        levels: &[MipLevel],
        picture: &Image,
        kind: TextureKind,
        wrap: [TextureWrap; 2],
        deadline: &Deadline,
    ) -> Result<Self, TimedOut> {
        let mut watch = deadline.watch("building mip levels", STEPS);
        let first = levels[0];
        let mut texels = Vec::with_capacity(first.first + first.padded_len());
        append_unfilled(first.first, &mut texels);
        append_first(&first, picture, kind, wrap, &mut texels, &mut watch)?;
        let (smaller, above) = texels.split_at_mut(first.first);
        fill_smaller(levels, Above::Texels(above), wrap, smaller, &mut watch)?;
        let (whole, picture) = (OnceLock::from(texels), Mutex::default());
        Ok(Self { smaller: Vec::new(), whole, picture, kind, first_level: first, wrap })
    }

    /// Builds the levels below the first.
    pub(super) fn without_first(
        levels: &[MipLevel],
        picture: &Arc<Image>,
        kind: TextureKind,
        wrap: [TextureWrap; 2],
        deadline: &Deadline,
    ) -> Result<Self, TimedOut> {
        let mut watch = deadline.watch("building mip levels", STEPS);
        let above = Above::Picture(Box::new(PictureRows::new(picture, kind)));
        let mut smaller = vec![UNFILLED; levels[0].first];
        fill_smaller(levels, above, wrap, &mut smaller, &mut watch)?;
        let (whole, picture) = (OnceLock::new(), Mutex::new(Some(Arc::clone(picture))));
        Ok(Self { smaller, whole, picture, kind, first_level: levels[0], wrap })
    }

    /// All levels; the first is made now if missing.
    #[inline]
    pub(super) fn all(&self) -> &[[u16; 4]] {
        self.whole.get_or_init(|| self.make_first())
    }

    #[cold]
    fn make_first(&self) -> Vec<[u16; 4]> {
        let picture = self.picture.lock().unwrap_or_else(PoisonError::into_inner).take();
        let picture = picture.expect("kept until the first level is made");
        let mut watch = Deadline::NEVER.watch("building mip levels", STEPS);
        let level = &self.first_level;
        let mut texels = Vec::with_capacity(level.first + level.padded_len());
        texels.extend_from_slice(&self.smaller);
        append_first(level, &picture, self.kind, self.wrap, &mut texels, &mut watch)
            .expect("no deadline");
        texels
    }

    /// All levels, or all but the first if that is not made yet.
    #[inline]
    pub(super) fn smaller(&self) -> &[[u16; 4]] {
        self.whole.get().unwrap_or(&self.smaller)
    }

    /// Fills all borders for other edges.
    pub(super) fn wrap(&mut self, levels: &[MipLevel], wrap: [TextureWrap; 2]) {
        self.wrap = wrap;
        let (first, smaller) = (&levels[..1], &levels[1..]);
        if let Some(whole) = self.whole.get_mut() {
            first.iter().chain(smaller).for_each(|level| fill_borders(level, wrap, whole));
        }
        if !self.smaller.is_empty() {
            smaller.iter().for_each(|level| fill_borders(level, wrap, &mut self.smaller));
        }
    }
}

impl Clone for Texels {
    fn clone(&self) -> Self {
        let picture = self.picture.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if picture.is_none() {
            // Another thread may be making it.
            self.all();
        }
        let Self { kind, first_level, wrap, .. } = *self;
        let (smaller, whole) = (self.smaller.clone(), self.whole.clone());
        Self { smaller, whole, picture: Mutex::new(picture), kind, first_level, wrap }
    }
}

impl PartialEq for Texels {
    fn eq(&self, other: &Self) -> bool {
        self.all() == other.all()
    }
}

impl Eq for Texels {}

/// A texel of a border that is filled later.
const UNFILLED: [u16; 4] = [0; 4];

fn append_unfilled(count: usize, texels: &mut Vec<[u16; 4]>) {
    texels.extend((0..count).map(|_| UNFILLED));
}

/// Fills the border of a level from its texels.
fn fill_borders(level: &MipLevel, wrap: [TextureWrap; 2], texels: &mut [[u16; 4]]) {
    let (stride, height) = (level.stride(), level.height as usize);
    let rows = &mut texels[level.first..level.first + level.padded_len()];
    let [does_repeat_x, does_repeat_y] = wrap.map(|wrap| wrap == TextureWrap::Repeat);
    for row in rows.chunks_exact_mut(stride) {
        let (first, last) = (row[1], row[stride - 2]);
        (row[0], row[stride - 1]) = if does_repeat_x { (last, first) } else { (first, last) };
    }
    let (first, last) = (stride..2 * stride, height * stride..(height + 1) * stride);
    let (above, below) = if does_repeat_y { (last, first) } else { (first, last) };
    rows.copy_within(above, 0);
    rows.copy_within(below, (height + 1) * stride);
}

/// Appends the first level.
fn append_first(
    level: &MipLevel,
    picture: &Image,
    kind: TextureKind,
    wrap: [TextureWrap; 2],
    texels: &mut Vec<[u16; 4]>,
    watch: &mut Watch,
) -> Result<(), TimedOut> {
    let decoder = Decoder::new(kind);
    append_unfilled(level.stride(), texels);
    for pixels in picture.rgba.chunks_exact(level.width as usize) {
        watch.take(pixels.len())?;
        texels.push(UNFILLED);
        decoder.append(pixels, texels);
        texels.push(UNFILLED);
    }
    append_unfilled(level.stride(), texels);
    fill_borders(level, wrap, texels);
    Ok(())
}

/// Fills all levels below the first, which is `above`.
fn fill_smaller(
    levels: &[MipLevel],
    above: Above<'_>,
    wrap: [TextureWrap; 2],
    texels: &mut [[u16; 4]],
    watch: &mut Watch,
) -> Result<(), TimedOut> {
    let mut first = Some(above);
    for pair in levels.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let (before, own) = texels.split_at_mut(to.first);
        let above = match first.take() {
            Some(above) => above,
            None => Above::Texels(&before[from.first..]),
        };
        fill_half(&from, &to, above, &mut own[..to.padded_len()], watch)?;
        fill_borders(&to, wrap, texels);
    }
    Ok(())
}

/// The level above one that is made.
enum Above<'a> {
    /// With its border.
    Texels(&'a [[u16; 4]]),
    Picture(Box<PictureRows<'a>>),
}

/// A first level as a picture, with some rows decoded at a time.
struct PictureRows<'a> {
    picture: &'a Image,
    decoder: Decoder,
    /// The texels of the last decoded rows.
    rows: [Vec<[u16; 4]>; MAX_ROWS],
}

impl<'a> PictureRows<'a> {
    fn new(picture: &'a Image, kind: TextureKind) -> Self {
        Self { picture, decoder: Decoder::new(kind), rows: Default::default() }
    }

    /// Decodes rows.
    fn decode(&mut self, rows: Range<usize>) -> [&[[u16; 4]]; MAX_ROWS] {
        let width = self.picture.width as usize;
        for (row, texels) in rows.zip(&mut self.rows) {
            texels.clear();
            self.decoder.append(&self.picture.rgba[row * width..][..width], texels);
        }
        self.rows.each_ref().map(Vec::as_slice)
    }
}

/// Rows of a level, without its border.
fn rows_of<'t>(
    level: &MipLevel,
    texels: &'t [[u16; 4]],
    rows: Range<usize>,
) -> [&'t [[u16; 4]]; MAX_ROWS] {
    let mut found: [&[[u16; 4]]; MAX_ROWS] = Default::default();
    for (found, row) in found.iter_mut().zip(rows) {
        *found = &texels[(row + 1) * level.stride() + 1..][..level.width as usize];
    }
    found
}

/// Most rows or columns that a texel covers.
const MAX_ROWS: usize = 3;

/// A run of source texels covered by a texel below, along one axis, with integer weights.
struct Cover {
    first: usize,
    weights: [u32; MAX_ROWS],
    count: usize,
}

/// The range of `above` texels that each of `below` texels covers: `above / below` of them,
/// fractional at the borders.
fn covers(above: usize, below: usize) -> Vec<Cover> {
    (0..below)
        .map(|index| {
            // In units of 1/below of a source texel, this texel spans index*above ..
            // (index+1)*above.
            let (start, end) = (index * above, (index + 1) * above);
            let first = start / below;
            let last = (end - 1) / below;
            let mut weights = [0; MAX_ROWS];
            for (slot, source) in (first..=last).enumerate() {
                let from = start.max(source * below);
                let to = end.min((source + 1) * below);
                weights[slot] = u32::try_from(to - from).expect("a part of one texel");
            }
            Cover { first, weights, count: last - first + 1 }
        })
        .collect()
}

/// Fills the texels of a level without its border: means of the level above.
fn fill_half(
    from: &MipLevel,
    to: &MipLevel,
    mut above: Above<'_>,
    texels: &mut [[u16; 4]],
    watch: &mut Watch,
) -> Result<(), TimedOut> {
    let is_even = from.width == 2 * to.width && from.height == 2 * to.height;
    let columns = if is_even { Vec::new() } else { covers(from.width as usize, to.width as usize) };
    let rows = if is_even { Vec::new() } else { covers(from.height as usize, to.height as usize) };
    let lines = texels.chunks_exact_mut(to.stride()).skip(1).take(to.height as usize);
    for (y, line) in lines.enumerate() {
        watch.take(line.len())?;
        let covered = rows.get(y).map_or(2 * y..2 * y + 2, |row| row.first..row.first + row.count);
        let above = match &mut above {
            Above::Picture(picture) => picture.decode(covered),
            Above::Texels(texels) => rows_of(from, texels, covered),
        };
        let means = &mut line[1..=to.width as usize];
        match rows.get(y) {
            Some(row) => mean_row(from, above, row, &columns, means),
            None => mean_even_row(above, means),
        }
    }
    Ok(())
}

/// Means of the texels covered by those of a row; `above` contains the rows that it covers.
fn mean_row(
    from: &MipLevel,
    above: [&[[u16; 4]]; MAX_ROWS],
    row: &Cover,
    columns: &[Cover],
    means: &mut [[u16; 4]],
) {
    let total = u64::from(from.width) * u64::from(from.height); // the weights of one texel sum to this
    for (column, mean) in columns.iter().zip(means) {
        let mut sum = [0_u64; 4];
        for (above, &weight_y) in above.iter().zip(&row.weights[..row.count]) {
            let covered = &above[column.first..][..column.count];
            for (texel, &weight_x) in covered.iter().zip(&column.weights) {
                let weight = u64::from(weight_x) * u64::from(weight_y);
                for (sum, &texel) in sum.iter_mut().zip(texel) {
                    *sum += weight * u64::from(texel);
                }
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "a mean of 16-bit values")]
        let rounded = sum.map(|sum| ((sum + total / 2) / total) as u16);
        *mean = rounded;
    }
}

/// [`mean_row`] for even sides: the mean of two by two texels, with the same rounding, as all
/// weights are equal.
fn mean_even_row([upper, lower, _]: [&[[u16; 4]]; MAX_ROWS], means: &mut [[u16; 4]]) {
    let (upper, lower) = (upper.as_chunks::<2>().0, lower.as_chunks::<2>().0);
    for ((&[a, b], &[c, d]), mean) in upper.iter().zip(lower).zip(means) {
        *mean = core::array::from_fn(|k| {
            let sum = [a, b, c, d].iter().map(|texel| u32::from(texel[k])).sum::<u32>();
            #[expect(clippy::cast_possible_truncation, reason = "a mean of 16-bit values")]
            let rounded = ((sum + 2) / 4) as u16;
            rounded
        });
    }
}
