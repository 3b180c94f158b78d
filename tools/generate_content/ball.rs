//! A ball of rings and segments, with a texture seam where u goes from 1 to 0.

use crate::bind::Hold;
use crate::md5_text::Mesh;
use crate::scalar::{cos, min, sin};
use glam::{DVec2, DVec3};
use std::f64::consts::{PI, TAU};

/// A ball or ellipsoid. u runs eastwards (seen from outside: to the right), v from the top to the
/// bottom; u = 0.5 is ahead.
pub(crate) fn mesh(
    shader: &str,
    center: DVec3,
    radii: DVec3,
    segments: u32,
    rings: u32,
    hold: &Hold,
) -> Mesh {
    let mut mesh = Mesh { shader: shader.into(), ..Mesh::default() };
    let direction = |ring: u32, segment: u32| {
        let down = PI * f64::from(ring) / f64::from(rings);
        let around = TAU * f64::from(segment % segments) / f64::from(segments) + PI;
        DVec3::new(sin(down) * cos(around), sin(down) * sin(around), cos(down))
    };
    let place = |ring: u32, segment: u32| match ring {
        0 => 0,
        _ if ring == rings => 1 + (rings - 1) * segments,
        _ => 1 + (ring - 1) * segments + segment % segments,
    };
    mesh.places.push(center + DVec3::Z * radii);
    for ring in 1..rings {
        mesh.places.extend((0..segments).map(|segment| center + direction(ring, segment) * radii));
    }
    mesh.places.push(center - DVec3::Z * radii);
    mesh.holds = vec![hold.clone(); mesh.places.len()];
    // At a pole each triangle has a separate vertex, in the middle of its strip of the texture.
    let uv = |ring: u32, segment: f64| {
        DVec2::new(segment / f64::from(segments), f64::from(ring) / f64::from(rings))
    };
    let row = segments + 1;
    for ring in 0..=rings {
        let pole = if ring == 0 || ring == rings { 0.5 } else { 0.0 };
        for segment in 0..=segments {
            let at = min(f64::from(segment) + pole, f64::from(segments));
            mesh.vertices.push((place(ring, segment), uv(ring, at)));
        }
    }
    for ring in 0..rings {
        for segment in 0..segments {
            let (a, b) = (ring * row + segment, (ring + 1) * row + segment);
            if ring > 0 {
                mesh.triangles.push([a, b, a + 1]);
            }
            if ring + 1 < rings {
                mesh.triangles.push([a + 1, b, b + 1]);
            }
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetra::Shell;

    #[test]
    fn ball_is_closed_outward_and_round() {
        let ball = mesh("ball", DVec3::ZERO, DVec3::splat(0.5), 40, 26, &vec![(0, 1.0)]);
        let places = |vertex: u32| ball.vertices[vertex as usize].0;
        let faces = ball.triangles.iter().map(|triangle| triangle.map(places)).collect();
        let shell = Shell { places: ball.places.clone(), faces };
        assert!(shell.is_closed() && (shell.volume() / (PI / 6.0) - 1.0).abs() < 0.02);
        assert!(ball.places.iter().all(|place| (place.length() - 0.5).abs() < 1e-12));
    }
}
