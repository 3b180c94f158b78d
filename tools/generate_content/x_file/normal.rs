//! The normals of a mesh: smooth over texture seams, but not over folds.
//!
//! A normal is the sum of the normals of its faces, each weighted by its angle at the corner.
//! Vertices at one position share a normal if those of their faces meet under 90°; faces that then
//! point to the other side are left out of the sum.

use crate::md5_text::Mesh;
use crate::scalar::acos;
use glam::DVec3;

/// Directions whose cosine exceeds this meet under 90°, minus half a degree.
const FOLD: f64 = 0.008_7;

/// Normals, and for each vertex of a triangle which one it has.
pub(crate) struct Normals {
    pub(crate) list: Vec<DVec3>,
    pub(crate) of_vertex: Vec<u32>,
}

/// Normals that are weighted with an angle each.
type Fan = Vec<(DVec3, f64)>;

fn sum<'a>(fan: impl IntoIterator<Item = &'a (DVec3, f64)>) -> DVec3 {
    fan.into_iter().map(|&(normal, angle)| normal * angle).sum()
}

/// The normals of a mesh, in the order of positions.
pub(crate) fn normals(mesh: &Mesh) -> Normals {
    let mut fans: Vec<Fan> = vec![Vec::new(); mesh.vertices.len()];
    for triangle in &mesh.triangles {
        let [a, b, c] =
            triangle.map(|vertex| mesh.places[mesh.vertices[vertex as usize].0 as usize]);
        let normal = (b - a).cross(c - a).normalize();
        for (vertex, [here, left, right]) in triangle.iter().zip([[a, b, c], [b, c, a], [c, a, b]])
        {
            let cosine = (left - here).normalize().dot((right - here).normalize());
            fans[*vertex as usize].push((normal, acos(cosine)));
        }
    }
    let mut of_place: Vec<Vec<usize>> = vec![Vec::new(); mesh.places.len()];
    for (vertex, &(place, _)) in mesh.vertices.iter().enumerate() {
        if !fans[vertex].is_empty() {
            of_place[place as usize].push(vertex);
        }
    }
    let own: Vec<DVec3> = fans.iter().map(|fan| sum(fan).normalize_or_zero()).collect();
    let mut normals = Normals { list: Vec::new(), of_vertex: vec![0; mesh.vertices.len()] };
    for mut left in of_place {
        while !left.is_empty() {
            // A group grows by all that meet one of its members under 90°.
            let mut group = vec![left.remove(0)];
            let mut next = 0;
            while next < group.len() {
                let direction = own[group[next]];
                let (near, far) =
                    left.into_iter().partition(|&vertex| own[vertex].dot(direction) > FOLD);
                left = far;
                group.extend::<Vec<usize>>(near);
                next += 1;
            }
            let ahead: DVec3 = group.iter().map(|&vertex| own[vertex]).sum();
            let fan = group.iter().flat_map(|&vertex| &fans[vertex]);
            let normal = sum(fan.filter(|(normal, _)| normal.dot(ahead) > 0.0)).normalize();
            for vertex in group {
                normals.of_vertex[vertex] = normals.list.len() as u32;
            }
            normals.list.push(normal);
        }
    }
    normals
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;

    /// Two squares with a common edge, the second one folded up by an angle; with or without a
    /// texture seam between them.
    fn folded(angle_deg: f64, is_seam: bool) -> Mesh {
        let angle = crate::scalar::radians(angle_deg);
        let (x, z) = (crate::scalar::cos(angle), crate::scalar::sin(angle));
        let at = DVec3::new;
        let places = vec![
            at(-1.0, 0.0, 0.0),
            at(0.0, 0.0, 0.0),
            at(0.0, 1.0, 0.0),
            at(-1.0, 1.0, 0.0),
            at(x, 0.0, z),
            at(x, 1.0, z),
        ];
        let seam = if is_seam { [6, 7] } else { [1, 2] };
        let vertices = [0, 1, 2, 3, 4, 5, 1, 2].map(|place| (place, DVec2::ZERO)).to_vec();
        let [a, b] = seam;
        let triangles = vec![[0, 1, 2], [0, 2, 3], [a, 4, 5], [a, 5, b]];
        Mesh { places, vertices, triangles, ..Mesh::default() }
    }

    #[test]
    fn normals_are_smooth_over_seams_and_not_over_folds() {
        let of = |mesh: &Mesh, vertex: usize| {
            let normals = normals(mesh);
            normals.list[normals.of_vertex[vertex] as usize]
        };
        let smooth = folded(40.0, true);
        assert_eq!(of(&smooth, 1), of(&smooth, 6));
        assert!(of(&smooth, 1).x < -0.3 && of(&smooth, 0).z > 0.999);
        let sharp = folded(100.0, true);
        assert!(of(&sharp, 1).z > 0.999 && of(&sharp, 6).x < -0.98);
    }
}
