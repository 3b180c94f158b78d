//! Triangle setup, one triangle at a time: the definition of [`crate::raster::geometry::setup::lanes`].

use crate::raster::geometry::chunk::Chunk;
use crate::raster::geometry::clip::{Corner, clip_triangle};
use crate::raster::geometry::edge::doubled_area;
use crate::raster::geometry::projection::Projection;
use crate::raster::geometry::screen_vertex::outside;
use crate::raster::geometry::setup::run::{DroppedSides, Run};
use crate::raster::geometry::triangle::{SetupTriangle, Source};
use crate::raster::stats::Culled;
impl Run<'_> {
    /// Sets up a range of triangles.
    pub(crate) fn set_up(&self, source: core::ops::Range<usize>, chunk: &mut Chunk) {
        let draw = &self.view.draws[self.draw];
        let number = u32::try_from(self.draw).expect("fewer than 2^32 draws");
        let first = u32::try_from(source.start).expect("fewer than 2^32 triangles");
        for (index, &triangle) in (first..).zip(&draw.mesh.triangles[source]) {
            let [a, b, c] = triangle.map(|vertex| self.vertices[vertex as usize]);

            // 1. All corners beyond one edge of the picture, or before the near plane: not visible.
            if a.outside & b.outside & c.outside & outside::PICTURE != 0 {
                chunk.culled.outside += 1;
                continue;
            }

            // 2. If all corners are in range they are on the screen already; else clip first and snap the pieces.
            let vertices = triangle.map(|vertex| self.first + vertex);
            let source = Source { vertices, draw: number, source: index };
            let place = Place { source, dropped: self.dropped };
            let is_out_of_range = (a.outside | b.outside | c.outside) & outside::RANGE != 0;
            if let (true, Some(projection)) = (is_out_of_range, self.projection) {
                self.set_up_pieces(projection, &place, triangle, chunk);
            } else {
                let (x, y) = ([a.x, b.x, c.x], [a.y, b.y, c.y]);
                let depth = [a.depth, b.depth, c.depth];
                match place.finish(x, y, depth, &mut chunk.culled) {
                    Some(_) if self.gaps.hold(x) || self.gaps.hold(y) => {
                        chunk.culled.between_samples += 1;
                    }
                    triangle => chunk.triangles.extend(triangle),
                }
            }
        }
    }

    /// Clips a triangle and sets up the pieces.
    #[cold]
    fn set_up_pieces(
        &self,
        projection: &Projection,
        place: &Place,
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
            let number = u32::try_from(chunk.barycentrics.len()).expect("a chunk is small");
            if let Some(triangle) = place.finish(x, y, snapped.map(|c| c.2), &mut culled) {
                chunk.barycentrics.push(triangle.order().map(|k| piece[k].barycentric));
                let vertices = place.source.vertices;
                chunk.triangles.push(SetupTriangle { piece: number, vertices, ..triangle });
            }
        }
    }
}

/// Source of a triangle, and the sides of it that are culled.
#[derive(Clone, Copy)]
struct Place {
    source: Source,
    dropped: DroppedSides,
}

impl Place {
    /// Orders the corners so that the area is positive; none if there is no area or the side is dropped.
    #[inline]
    fn finish(
        &self,
        x: [i32; 3],
        y: [i32; 3],
        depth: [f32; 3],
        culled: &mut Culled,
    ) -> Option<SetupTriangle> {
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
        Some(SetupTriangle::whole(x, y, depth, self.source, is_front))
    }
}
