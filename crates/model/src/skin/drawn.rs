//! Vertices that count: corners of triangles that can be visible in a pose.
//!
//! Files contain others: vertices without a triangle, triangles without an area, meshes that are
//! scaled to 0 and parked somewhere. No picture shows them, so no measurement of a pose (for
//! camera, ground, shadows, occlusion) may depend on them.

use crate::math::area::has_area;
use crate::{Mesh, PosedMesh};

/// For each vertex, true if it is a corner of a triangle with an area in this pose.
#[must_use]
pub fn drawn_vertices(mesh: &Mesh, posed: &PosedMesh) -> Vec<bool> {
    let mut is_drawn = vec![false; posed.len()];
    for corners in &mesh.triangles {
        let corners = corners.map(|vertex| vertex as usize);
        // The corners of most triangles of large meshes are already known.
        if !corners.iter().all(|&at| is_drawn[at])
            && has_area(corners.map(|at| posed.position_at(at)))
        {
            corners.iter().for_each(|&at| is_drawn[at] = true);
        }
    }
    is_drawn
}

/// The triangles of a mesh in a pose without those that have an undrawn corner; `None` if there are
/// no such triangles.
///
/// A triangle that is left out has its first vertex at all corners, so that others keep their
/// index.
#[must_use]
pub fn drawn_triangles(mesh: &Mesh, is_drawn: &[bool]) -> Option<Vec<[u32; 3]>> {
    let is_left_out = |corners: &[u32; 3]| corners.iter().any(|&vertex| !is_drawn[vertex as usize]);
    let without =
        |corners: &[u32; 3]| if is_left_out(corners) { [corners[0]; 3] } else { *corners };
    mesh.triangles.iter().any(is_left_out).then(|| mesh.triangles.iter().map(without).collect())
}

/// Moves undrawn vertices, which belong to no drawn triangle, to a drawn one, so that no
/// measurement of the vertices depends on them. Returns false, without a change, if none is drawn.
pub fn settle_undrawn(posed: &mut PosedMesh, is_drawn: &[bool]) -> bool {
    let Some(home) = is_drawn.iter().position(|&is_drawn| is_drawn) else { return false };
    for axis in &mut posed.position {
        let at = axis[home];
        let vertices = axis.iter_mut().zip(is_drawn);
        vertices.filter(|(_, is_drawn)| !**is_drawn).for_each(|(part, _)| *part = at);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn vertices_that_do_not_count_lie_at_one_that_does_and_their_triangles_are_left_out() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::splat(9.0), Vec3::X * 0.5];
        let mut posed = PosedMesh::default();
        for at in positions {
            (0..3).for_each(|axis| posed.position[axis].push(at[axis]));
        }
        // The last has its third corner on the edge of the two others: with that corner elsewhere
        // it would have an area.
        let triangles = vec![[3, 3, 0], [0, 1, 2], [1, 2, 1], [0, 1, 4]];
        let mesh = Mesh { triangles, ..Mesh::nothing().clone() };
        let is_drawn = drawn_vertices(&mesh, &posed);
        assert_eq!(is_drawn, [true, true, true, false, false]);
        let drawn = drawn_triangles(&mesh, &is_drawn);
        assert_eq!(drawn, Some(vec![[3; 3], [0, 1, 2], [1, 2, 1], [0; 3]]));
        assert!(settle_undrawn(&mut posed, &is_drawn));
        let found: Vec<Vec3> = (0..5).map(|vertex| posed.position_at(vertex)).collect();
        assert_eq!(found, [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ZERO, Vec3::ZERO]);
        assert_eq!(drawn_triangles(&mesh, &[true; 5]), None);
        let before = posed.clone();
        assert!(!settle_undrawn(&mut posed, &[false; 5]));
        assert_eq!(posed.position, before.position);
    }
}
