//! Vertex normals of visible surfaces as needles over the dimmed picture.
//!
//! A vertex is visible if one of its triangles is visible within [`REACH_PX`] of it. Needles have
//! the same length on the screen, before foreshortening, so those of near and far instances can be
//! compared.

use super::canvas::{Canvas, Color};
use super::data::pixel;
use super::screen::larger;
use super::seen::{Hit, Memo, Seen};
use super::shown::Shown;
use std::collections::BTreeMap;
use tintype_model::frame::Frame;
use tintype_model::math::{Vec3, unit_or};
use tintype_scene::Aov;

const NEEDLE: Color = [120, 228, 220];
/// Colour of a normal behind its triangles.
const BEHIND: Color = [255, 84, 72];
const BASE: Color = [245, 250, 250];
/// Length of a needle across the view, as a fraction of the picture's height, and its minimum.
const LENGTH_SHARE: f64 = 1.0 / 24.0;
const MIN_LENGTH_PX: f64 = 9.0;
/// Distance from a vertex to the centre of a pixel that sees one of its triangles.
const REACH_PX: f64 = 1.5;
/// Needles with similar directions and roots in one cell of this side are drawn once.
const CELL_PX: f64 = 6.0;
/// Cosine above which two directions are similar.
const SAME_DIRECTION: f32 = 0.97;

/// Visible vertices, by mesh and index: true if a visible triangle agrees with the normal.
type Visible = BTreeMap<(usize, usize), bool>;

/// Draws the normals used for lighting: the posed vertex normals, before any normal map.
pub(super) fn needles(seen: &Seen, picture: &Frame) -> Shown {
    let mut canvas = Canvas::dimmed(picture);
    let length_px = larger(f64::from(seen.screen.size[1]) * LENGTH_SHARE, MIN_LENGTH_PX);
    let visible = visible_vertices(seen);
    let mut cells: BTreeMap<[i64; 2], Vec<Vec3>> = BTreeMap::new();
    let (mut behind, mut left_out) = (0, 0);
    let mut roots = Vec::new();
    for (&(shape, vertex), &agrees) in &visible {
        let posed = seen.shapes[shape].posed;
        let (root, normal) =
            (posed.position_at(vertex), unit_or(posed.normal_at(vertex), Vec3::ZERO));
        behind += usize::from(!agrees);
        let Some(place) = seen.screen.place(root) else { continue };
        let drawn = cells.entry(place.map(cell)).or_default();
        if drawn.iter().any(|other| other.dot(normal) > SAME_DIRECTION) {
            left_out += 1;
            continue;
        }
        drawn.push(normal);
        #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 is meant")]
        let length = (length_px * seen.screen.project(root)[2] / seen.screen.unit_px) as f32;
        if let Some(line) = seen.screen.segment(root, root + normal * length) {
            canvas.line(line, 1.0, if agrees { NEEDLE } else { BEHIND }, 0.9);
        }
        roots.push(place);
    }
    // Last, so that needles do not cover roots.
    roots.into_iter().for_each(|place| canvas.dot(place, 0.6, BASE));
    let close = match left_out {
        0 => String::new(),
        count => format!("; {count} are skipped, as a similar one is within {CELL_PX} pixels"),
    };
    let legend = format!(
        "normals of the {} visible vertices, without normal maps: needles with a white root; red ones ({behind}) point behind the front of their triangles{close}",
        visible.len()
    );
    Shown { aov: Aov::Needles, frame: canvas.frame, legend }
}

/// The cell of a coordinate in pixels.
#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn cell(at: f64) -> i64 {
    (at / CELL_PX).floor() as i64
}

fn visible_vertices(seen: &Seen) -> Visible {
    let mut visible = Visible::new();
    let mut corners = Memo::<[Corner; 3]>::default();
    let [width, height] = seen.screen.size;
    for y in 0..height as usize {
        for x in 0..width as usize {
            let [left, top] = pixel(x, y);
            let middle = [left + 0.5, top + 0.5];
            for hit in seen.at(x, y) {
                let corners = corners.get(hit, || corners_of(seen, hit));
                for corner in corners.iter().filter(|corner| corner.is_near(middle)) {
                    *visible.entry((hit.shape, corner.vertex)).or_default() |= corner.agrees;
                }
            }
        }
    }
    visible
}

/// A corner of a triangle that is seen.
struct Corner {
    vertex: usize,
    /// None in front of the near plane.
    place: Option<[f64; 2]>,
    /// True if its normal points to the front of the triangle.
    agrees: bool,
}

impl Corner {
    /// True within [`REACH_PX`] of the centre of a pixel that shows the triangle.
    fn is_near(&self, middle: [f64; 2]) -> bool {
        self.place.is_some_and(|place| {
            let (dx, dy) = (place[0] - middle[0], place[1] - middle[1]);
            dx * dx + dy * dy <= REACH_PX * REACH_PX
        })
    }
}

fn corners_of(seen: &Seen, hit: &Hit) -> [Corner; 3] {
    let shape = &seen.shapes[hit.shape];
    let corners = shape.triangles[hit.triangle].map(|vertex| vertex as usize);
    let [a, b, c] = corners.map(|vertex| shape.posed.position_at(vertex));
    let front = (b - a).cross(c - a);
    corners.map(|vertex| Corner {
        vertex,
        place: seen.screen.place(shape.posed.position_at(vertex)),
        agrees: shape.posed.normal_at(vertex).dot(front) >= 0.0,
    })
}
