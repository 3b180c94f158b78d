//! A contact sheet of two models: their differences, before and after, with outlined regions, and a
//! legend as data.

use super::{ModelPair, Part};
use crate::exact::looks_same;
use crate::finding::{Finding, told};
use serde::Serialize;
use serde_json::{Value, json};
use tintype_base::amount::counted;
use tintype_framing::ContactSheet;
use tintype_framing::contact_sheet::{MARK, Painter};
use tintype_model::frame::Frame;

/// Most rows that are drawn.
const MAX_ROWS: usize = 10;
/// Distance in pixels below which regions are outlined as one.
const APART: i32 = 12;
/// Channel difference from which a pixel is outlined; if all differences are smaller, every
/// differing pixel is outlined.
const CLEAR: u8 = 8;
/// Pixels before the words of the foot.
const MARGIN: i32 = 8;

/// The model in its bind pose or one clip, before and after.
#[derive(Serialize)]
struct Row<'a> {
    clip: Option<&'a str>,
    at_s: f64,
    #[serde(serialize_with = "told")]
    findings: &'a [Finding],
    /// Before and after. None where one side lacks the clip, and below the last row.
    cells: Vec<Value>,
}

impl ModelPair {
    /// The sheet of a pair compared with pictures, with the names of its sides: a row for the bind
    /// pose and for each clip, if they differ and fit. None if no picture shows a difference.
    #[must_use]
    pub fn contact_sheet(&self, [before, after]: [&str; 2]) -> Option<ContactSheet> {
        let differing = || self.parts.iter().filter(|part| !part.state.passes());
        let pictures: Vec<_> = differing().filter_map(|part| part.pictures.as_ref()).collect();
        let size = pictures.first().map(|[old, _]| [old.width, old.height])?;
        let mut painter = Painter::new([2, pictures.len().min(MAX_ROWS)], size, 3)?;
        let mut count = 0;
        let rows = differing().map(|part| {
            let drawn = part.pictures.as_ref().filter(|_| count < 2 * MAX_ROWS);
            let cells = drawn.map(|pictures| draw(&mut painter, count, part, pictures));
            let cells = cells.unwrap_or_default();
            count += cells.len();
            Row { clip: part.clip.as_deref(), at_s: part.at_s, findings: &part.findings, cells }
        });
        let rows: Vec<Row<'_>> = rows.collect();
        let mut words = "differences are outlined".to_owned();
        if let Some(more) = pictures.len().checked_sub(MAX_ROWS + 1) {
            words += &format!("; {} more", counted(more + 1, "clip"));
        }
        painter.key(MARGIN, &[(&words, MARK)]);
        let legend = json!({ "before": before, "after": after, "rows": rows });
        Some(ContactSheet::new(&painter, legend, Vec::new()))
    }
}

/// Draws both sides of a part from a cell onwards, and returns their entries of the legend.
fn draw(painter: &mut Painter, index: usize, part: &Part, pictures: &[Frame; 2]) -> Vec<Value> {
    let regions = regions(pictures);
    let when = part.clip.as_ref().map(|clip| format!("{clip} {:.2} s", part.at_s));
    let when = when.as_deref().unwrap_or("bind pose");
    let sides = ["before", "after"].into_iter().zip(pictures).zip(index..);
    let cells = sides.map(|((side, picture), index)| {
        let mut cell = painter.cell(index, picture, [side, when]);
        let [x, y] = painter.picture_corner(index);
        let area =
            |[left, top, right, bottom]: &[i32; 4]| [x + left, y + top, right - left, bottom - top];
        let areas: Vec<[i32; 4]> = regions.iter().map(area).collect();
        areas.iter().for_each(|area| painter.outline(*area));
        cell["regions"] = json!(areas);
        cell["side"] = json!(side);
        cell
    });
    let cells = cells.collect();
    if let Some(finding) = part.findings.first() {
        painter.note(index, &finding.sentence());
    }
    cells
}

/// Boxes of the regions where two pictures of one size differ, ordered from the top: left, top,
/// right and bottom, the last two exclusive.
fn regions([a, b]: &[Frame; 2]) -> Vec<[i32; 4]> {
    let far = |(a, b): (&[u8; 4], &[u8; 4])| {
        if looks_same(*a, *b) { 0 } else { (0..4).map(|k| a[k].abs_diff(b[k])).max().unwrap_or(0) }
    };
    let least = a.rgba.iter().zip(&b.rgba).map(far).max().unwrap_or(0).clamp(1, CLEAR);
    let rows = a.rgba.chunks(a.width as usize).zip(b.rgba.chunks(a.width as usize));
    let mut found: Vec<[i32; 4]> = Vec::new();
    for (y, (a, b)) in (0..).zip(rows) {
        for (x, _) in (0..).zip(a.iter().zip(b)).filter(|(_, pair)| far(*pair) >= least) {
            let mut own = [x, y, x + 1, y + 1];
            while let Some(near) = found.iter().position(|other| is_near(*other, own)) {
                let other = found.swap_remove(near);
                let [left, top] = [0, 1].map(|k| own[k].min(other[k]));
                let [right, bottom] = [2, 3].map(|k| own[k].max(other[k]));
                own = [left, top, right, bottom];
            }
            found.push(own);
        }
    }
    found.sort_unstable_by_key(|[left, top, ..]| [*top, *left]);
    found
}

fn is_near(a: [i32; 4], b: [i32; 4]) -> bool {
    (0..2).all(|k| a[k] < b[k + 2] + APART && b[k] < a[k + 2] + APART)
}
