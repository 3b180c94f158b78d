//! A contact sheet of two models: what differs, before and after, with the places that differ outlined, and a legend as data.

use super::{ModelPair, Part};
use crate::exact::looks_same;
use crate::finding::{Finding, told};
use serde::Serialize;
use tintype_framing::contact_sheet::{Area, Grid, GridError, MARK, Painter};
use tintype_model::frame::Frame;

/// Side of the squares by whose neighbourhood pixels that differ are one region.
const SQUARE: u32 = 16;
/// Difference of a channel from which a pixel is outlined; where all differ less, each that differs is.
const CLEAR: u8 = 8;

/// Pixels before the words of the foot.
const MARGIN: i32 = 8;

/// A contact sheet of two models.
#[derive(Clone, Debug)]
pub struct DiffSheet {
    /// The picture.
    pub frame: Frame,
    /// Its legend.
    pub legend: DiffLegend,
}

/// The legend of a sheet of two models; `diff-sheet.schema.json` describes it. Fields may be added while `version` stays.
#[derive(Clone, Debug, Serialize)]
pub struct DiffLegend {
    /// Version of its form.
    pub version: u32,
    /// The program and its version.
    pub program: String,
    /// The model before.
    pub before: String,
    /// The model after.
    pub after: String,
    /// Width and height of the sheet in pixels.
    pub size: [u32; 2],
    /// The model in its bind pose and each clip, as far as they differ.
    pub rows: Vec<DiffRow>,
}

/// The model in its bind pose or one clip, before and after.
#[derive(Clone, Debug, Serialize)]
pub struct DiffRow {
    /// Name of the clip; none for the bind pose.
    pub clip: Option<String>,
    /// Seconds from the start of the clip at which it differs most.
    pub at_s: f64,
    /// The differences.
    #[serde(serialize_with = "told")]
    pub findings: Vec<Finding>,
    /// Before and after; none where one side lacks the clip.
    pub cells: Vec<DiffCell>,
}

/// One side of a row.
#[derive(Clone, Debug, Serialize)]
pub struct DiffCell {
    /// Its number, from 1.
    pub number: usize,
    /// `before` or `after`.
    pub side: &'static str,
    /// The cell with its caption.
    #[serde(rename = "box")]
    pub area: Area,
    /// The picture in it.
    pub picture: Area,
    /// The places that are outlined.
    pub regions: Vec<Area>,
}

impl DiffSheet {
    /// The sheet of a pair that was compared with pictures, whose sides have these names; none if no picture shows a difference.
    ///
    /// # Errors
    /// [`GridError`] if more differs than a sheet holds.
    pub fn new(pair: &ModelPair, [before, after]: [String; 2]) -> Result<Option<Self>, GridError> {
        let differs = |part: &&Part| !part.state.passes();
        let pictures =
            || pair.parts.iter().filter(differs).filter_map(|part| part.pictures.as_ref());
        let Some([first, _]) = pictures().next() else { return Ok(None) };
        let grid = Grid::new([2, pictures().count()], [first.width, first.height])?;
        let mut painter = Painter::new(grid.with_notes()?);
        let mut rows: Vec<DiffRow> = Vec::new();
        let mut number = 0;
        for part in pair.parts.iter().filter(differs) {
            let cells = match &part.pictures {
                Some(pictures) => draw(&mut painter, number, part, pictures),
                None => Vec::new(),
            };
            number += cells.len();
            let (clip, findings) = (part.clip.clone(), part.findings.clone());
            rows.push(DiffRow { clip, at_s: part.at_s, findings, cells });
        }
        painter.key(MARGIN, &[("outlined: what differs", MARK)]);
        let program = format!("tintype {}", env!("CARGO_PKG_VERSION"));
        let size = painter.size();
        let legend = DiffLegend { version: 1, program, before, after, size, rows };
        Ok(Some(Self { frame: painter.into_frame(), legend }))
    }
}

/// Draws both sides of a part from a cell on.
fn draw(painter: &mut Painter, index: usize, part: &Part, pictures: &[Frame; 2]) -> Vec<DiffCell> {
    let regions = regions(pictures);
    let when = match &part.clip {
        Some(clip) => format!("{clip} {:.2} s", part.at_s),
        None => "bind pose".to_owned(),
    };
    let sides = ["before", "after"].into_iter().zip(pictures).zip(index..);
    let cells = sides.map(|((side, picture), index)| {
        painter.put(index, picture);
        painter.caption(index, [side, &when]);
        let outlined = regions.iter().map(|&[at, size]| painter.outline(index, at, size)).collect();
        let (area, picture) = (painter.area(index), painter.picture(index));
        DiffCell { number: index + 1, side, area, picture, regions: outlined }
    });
    let cells = cells.collect();
    if let Some(finding) = part.findings.first() {
        painter.note(index, &finding.sentence());
    }
    cells
}

/// The places in which two pictures of one size differ, each with its upper left corner and its size, from the top.
fn regions([a, b]: &[Frame; 2]) -> Vec<[[u32; 2]; 2]> {
    let far = |a: [u8; 4], b: [u8; 4]| (0..4).map(|k| a[k].abs_diff(b[k])).max().unwrap_or(0);
    let pixels = || a.rgba.iter().zip(&b.rgba);
    let is_clear = pixels().any(|(a, b)| !looks_same(*a, *b) && far(*a, *b) >= CLEAR);
    let least = if is_clear { CLEAR } else { 1 };
    let columns = a.width.div_ceil(SQUARE);
    // The box of the pixels of each square that differ: left, top, right and bottom, the last two beyond it.
    let mut squares = vec![None::<[u32; 4]>; (columns * a.height.div_ceil(SQUARE)) as usize];
    let places = (0..a.height).flat_map(|y| (0..a.width).map(move |x| [x, y]));
    for ([x, y], (a, b)) in places.zip(pixels()) {
        if !looks_same(*a, *b) && far(*a, *b) >= least {
            let square = &mut squares[(y / SQUARE * columns + x / SQUARE) as usize];
            *square = Some(around(square.unwrap_or([x, y, x + 1, y + 1]), [x, y, x + 1, y + 1]));
        }
    }
    let mut found = Vec::new();
    for start in 0..squares.len() {
        let Some(mut all) = squares[start].take() else { continue };
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            for beside in neighbours(at, columns as usize) {
                if let Some(own) = squares.get_mut(beside).and_then(Option::take) {
                    all = around(all, own);
                    open.push(beside);
                }
            }
        }
        let [left, top, right, bottom] = all;
        found.push([[left, top], [right - left, bottom - top]]);
    }
    found
}

fn around(a: [u32; 4], b: [u32; 4]) -> [u32; 4] {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

/// Indices of the squares beside one, in rows of so many; some lie beyond the last.
fn neighbours(at: usize, columns: usize) -> impl Iterator<Item = usize> {
    let (column, row) = (at % columns, at / columns);
    let rows = row.saturating_sub(1)..=row + 1;
    let across = move || column.saturating_sub(1)..=(column + 1).min(columns - 1);
    rows.flat_map(move |row| across().map(move |column| row * columns + column))
}
