//! The oracles themselves: what they must answer where the answer is known without them.

use crate::reference::coverage::{UNITS_PER_PIXEL, coverage, sample_offsets};
use crate::reference::shade::{self, Camera, Light, Material, Scene, Surface, Vertex};
use crate::reference::texture::{Kind, Texture, encoded, linear};

const PX: i32 = UNITS_PER_PIXEL;

#[test]
fn oracle_of_coverage_fills_a_square_once() {
    // Borders through sample positions: each belongs to one side only.
    for samples in [1, 2, 4, 8, 16] {
        let [low, high] = [PX / 2, 3 * PX + PX / 2];
        let upper = coverage(&[[low, low], [high, low], [low, high]], 4, 4, samples);
        let lower = coverage(&[[high, high], [high, low], [low, high]], 4, 4, samples);
        assert!(upper.iter().zip(&lower).all(|(a, b)| a & b == 0));
        let count: u32 = upper.iter().chain(&lower).map(|mask| mask.count_ones()).sum();
        assert_eq!(count, 9 * samples, "a square of 3 x 3 pixels");
    }
}

#[test]
fn oracle_of_coverage_owns_top_and_left_edges_only() {
    // A square around pixel centres (0.5, 0.5) to (1.5, 1.5): of the four centres on its corners it
    // owns one.
    let [low, high] = [PX / 2, PX + PX / 2];
    let square = [[[low, low], [high, low], [high, high]], [[low, low], [high, high], [low, high]]];
    let mut owned = [0; 4];
    for triangle in square {
        for (owned, mask) in owned.iter_mut().zip(coverage(&triangle, 2, 2, 1)) {
            *owned += mask;
        }
    }
    assert_eq!(owned, [1, 0, 0, 0]);
}

#[test]
fn oracle_of_coverage_has_standard_patterns() {
    for samples in [1, 2, 4, 8, 16] {
        let offsets = sample_offsets(samples);
        assert_eq!(offsets.len(), samples as usize);
        // Samples differ in rows and columns, so near-vertical and near-horizontal edges get every
        // step.
        for axis in 0..2 {
            let mut places: Vec<i32> = offsets.iter().map(|offset| offset[axis]).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), samples as usize);
        }
    }
}

/// A wall of 2 x 2 units at z = 0, seen from (0, 0, 1) so that it fills the picture; `u` to the
/// right, `v` down.
fn wall(material: Material, lights: Vec<Light>) -> Scene {
    let vertex = |x: f64, y: f64| Vertex {
        position: [x, y, 0.0],
        normal: [0.0, 0.0, 1.0],
        tangent: [1.0, 0.0, 0.0],
        sign: 1.0,
        uv: [(x + 1.0) * 0.5, (1.0 - y) * 0.5],
    };
    let [a, b, c, d] = [vertex(-1.0, 1.0), vertex(-1.0, -1.0), vertex(1.0, -1.0), vertex(1.0, 1.0)];
    Scene {
        anisotropy: 1,
        size: [9, 9],
        camera: Camera {
            eye: [0.0, 0.0, 1.0],
            right: [1.0, 0.0, 0.0],
            up: [0.0, 1.0, 0.0],
            back: [0.0, 0.0, 1.0],
            half_tangents: [0.9, 0.9],
            is_orthographic: false,
            near: 0.01,
        },
        ambient: [0.0; 3],
        lights,
        background: [[0.0; 4]; 2],
        surfaces: vec![Surface { triangles: vec![[a, b, c], [a, c, d]], material }],
    }
}

#[test]
fn oracle_of_shading_knows_lambert_and_distance() {
    let lamp = Light::Point { position: [0.0, 0.0, 2.0], color: [0.5; 3], reach: 1.0 };
    let scene = wall(Material::default(), vec![lamp]);
    // Two pixels left of the middle: x = -0.4 of the wall, two units below the lamp.
    let [red, ..] = shade::pixel(&scene, 2, 4).expect("inside a triangle");
    let squared = 4.0 + 0.16;
    let light = 0.5 / squared * 2.0 / f64::sqrt(squared);
    assert!((red - 255.0 * encoded(light)).abs() < 1e-9, "{red}");
    assert_eq!(shade::pixel(&scene, 4, 4), None, "the diagonal runs through the middle");
}

#[test]
fn oracle_of_shading_takes_green_upwards() {
    // A map that leans every normal up the picture: light from above gains, light from below loses.
    let map = Texture::new(1, 1, &[[128, 200, 210, 255]], Kind::Data);
    let from = |height: f64, normal_y_down: bool| {
        let to_light = shade::unit([0.0, height, 1.0]);
        let material = Material { normal: Some(map.clone()), normal_y_down, ..Material::default() };
        let light = Light::Directional { to_light, color: [0.8; 3] };
        shade::pixel(&wall(material, vec![light]), 2, 4).expect("inside a triangle")[0]
    };
    assert!(from(1.0, false) > from(-1.0, false) + 50.0);
    assert!(from(1.0, true) < from(-1.0, true) - 50.0);
}

#[test]
fn oracle_of_texture_keeps_the_mean_in_linear_light() {
    let codes: Vec<[u8; 4]> = (0..35).map(|i: u8| [i * 7, 255 - i, 0, 255]).collect();
    let texture = Texture::new(7, 5, &codes, Kind::Opaque);
    let mean = codes.iter().map(|code| linear(f64::from(code[0]) / 255.0)).sum::<f64>() / 35.0;
    let far = texture.sample([0.3, 0.9], [50.0, 0.0], [0.0, 50.0]);
    assert!((far[0] - mean).abs() < 1e-12, "{far:?}");
    let texel = texture.sample([2.5 / 7.0, 3.5 / 5.0], [0.0; 2], [0.0; 2]);
    assert!((texel[0] - linear(f64::from(codes[23][0]) / 255.0)).abs() < 1e-12);
    for code in 0..=255 {
        let value = f64::from(code) / 255.0;
        assert!((encoded(linear(value)) - value).abs() < 1e-7);
    }
}
