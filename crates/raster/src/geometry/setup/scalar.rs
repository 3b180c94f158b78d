//! Triangle setup, one triangle at a time: the definition of [`crate::geometry::setup::lanes`].

use crate::geometry::chunk::{Chunk, Piece};
use crate::geometry::clip::{Corner, clip_triangle};
use crate::geometry::edge::doubled_area;
use crate::geometry::projection::Projection;
use crate::geometry::screen_vertex::outside;
use crate::geometry::setup::run::Run;
use crate::geometry::triangle::{ChunkTriangle, order};
use crate::stats::Culled;
impl Run<'_> {
    /// Sets up a range of triangles.
    pub(crate) fn set_up(&self, source: core::ops::Range<usize>, chunk: &mut Chunk) {
        let draw = &self.view.draws[self.draw];
        let first = u32::try_from(source.start).expect("fewer than 2^32 triangles");
        for (index, &triangle) in (first..).zip(&draw.triangles[source]) {
            let [a, b, c] = triangle.map(|vertex| self.vertices[vertex as usize]);

            // 1. All corners beyond one edge of the picture, or before the near plane: invisible.
            if a.outside & b.outside & c.outside & outside::PICTURE != 0 {
                chunk.culled.outside += 1;
                continue;
            }

            // 2. If all corners are in range they are on the screen already; otherwise clip
            //    first and snap the pieces.
            let is_out_of_range = (a.outside | b.outside | c.outside) & outside::RANGE != 0;
            if let (true, Some(projection)) = (is_out_of_range, self.projection) {
                self.set_up_pieces(projection, index, triangle, chunk);
                continue;
            }
            let (x, y) = ([a.x, b.x, c.x], [a.y, b.y, c.y]);
            match self.shown_side(x, y, &mut chunk.culled) {
                Some(_) if self.gaps.hold(x) || self.gaps.hold(y) => {
                    chunk.culled.between_samples += 1;
                }
                Some(is_front) => {
                    let vertices = triangle.map(|vertex| self.first + vertex);
                    chunk.triangles.push(ChunkTriangle::whole(vertices, index, is_front));
                }
                None => {}
            }
        }
    }

    /// Clips a triangle and sets up the pieces.
    #[cold]
    fn set_up_pieces(
        &self,
        projection: &Projection,
        source: u32,
        triangle: [u32; 3],
        chunk: &mut Chunk,
    ) {
        chunk.clipped += 1;
        // Statistics count source triangles, not pieces.
        let mut culled = Culled::default();
        let [x, y, z] = &self.view.draws[self.draw].posed.position;
        let polygon = clip_triangle(
            projection,
            [0, 1, 2].map(|k| {
                let vertex = triangle[k] as usize;
                let position = [x[vertex], y[vertex], z[vertex]];
                let [x, y, w] = projection.clip_coordinates(position);
                let mut barycentric = [0.0; 3];
                barycentric[k] = 1.0;
                Corner { x, y, w, barycentric }
            }),
        );
        let corners = polygon.corners();
        for next in 2..corners.len() {
            let piece = [corners[0], corners[next - 1], corners[next]];
            let snapped = piece.map(|corner| projection.snap(corner.x, corner.y, corner.w));
            let [x, y] = [snapped.map(|c| c.0), snapped.map(|c| c.1)];
            if let Some(is_front) = self.shown_side(x, y, &mut culled) {
                let order = order(is_front);
                chunk.pieces.push(Piece {
                    triangle: chunk.triangles.len(),
                    x: order.map(|k| x[k]),
                    y: order.map(|k| y[k]),
                    depth: order.map(|k| snapped[k].2),
                    barycentrics: order.map(|k| piece[k].barycentric),
                });
                let vertices = triangle.map(|vertex| self.first + vertex);
                chunk.triangles.push(ChunkTriangle::piece(vertices, source, is_front));
            }
        }
    }

    /// The visible side of a triangle, true for the front. None if there is no area or the side is
    /// culled.
    #[inline]
    fn shown_side(&self, x: [i32; 3], y: [i32; 3], culled: &mut Culled) -> Option<bool> {
        let area = doubled_area(x, y);
        let is_front = area < 0;
        if area == 0 {
            culled.without_area += 1;
            return None;
        }
        if (is_front && self.dropped.front) || (!is_front && self.dropped.back) {
            culled.facing_away += 1;
            return None;
        }
        Some(is_front)
    }
}
