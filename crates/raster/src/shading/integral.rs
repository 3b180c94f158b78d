//! Light of an environment against an integral over the hemisphere in `f64`: metallic x roughness, seen from several angles.
//!
//! The integral is that of appendix B of glTF 2.0, without importance sampling and without tables; to it is added the light that bounces between the
//! facets, which the appendix leaves out.

use crate::environment::{EnvironmentMap, neutral};
use crate::shading::physical::tests::{expected, lit, point, response};
use tintype_model::math::srgb::code_from_linear;
use tintype_model::math::{Vec3, func};

/// Steps of the quadrature in height and around.
const STEPS: [u32; 2] = [160, 320];

/// A sky that gets brighter upwards and to one side.
fn sky(direction: [f64; 3]) -> f64 {
    0.45 + 0.2 * direction[0] + 0.25 * direction[1]
}

/// Sums a function over the directions of the hemisphere around +Y.
fn over_hemisphere(of: impl Fn([f64; 3]) -> f64) -> f64 {
    let [heights, turns] = STEPS;
    let solid = core::f64::consts::TAU / f64::from(heights) / f64::from(turns);
    let mut sum = 0.0;
    for i in 0..heights {
        let height = (f64::from(i) + 0.5) / f64::from(heights);
        let level = (1.0 - height * height).sqrt();
        for j in 0..turns {
            let turn = (f64::from(j) + 0.5) / f64::from(turns) * core::f64::consts::TAU;
            sum += of([level * libm::cos(turn), height, level * libm::sin(turn)]);
        }
    }
    sum * solid
}

/// Light toward the eye in that sky, and in a white one: by the appendix.
fn integrals(metallic: f64, roughness: f64, base: f64, eye: [f64; 3]) -> [f64; 2] {
    let of = |radiance: &dyn Fn([f64; 3]) -> f64| {
        over_hemisphere(|light| {
            let reflected = expected(metallic, roughness, base, eye, light);
            reflected * core::f64::consts::FRAC_1_PI * radiance(light)
        })
    };
    [of(&sky), of(&|_| 1.0)]
}

#[test]
fn light_of_an_environment_is_the_integral_within_two_codes() {
    let map = EnvironmentMap::new(64, |direction| {
        Vec3::splat(sky(direction.to_array().map(f64::from)) as f32)
    });
    let room = neutral();
    let mean = over_hemisphere(|direction| sky(direction) * direction[1]) / core::f64::consts::PI;
    let mut worst = 0;
    for metallic in [0.0_f32, 0.5, 1.0] {
        for roughness in [0.3_f32, 0.5, 0.7, 1.0] {
            for (number, height) in [1.0_f32, 0.9, 0.75, 0.6].into_iter().enumerate() {
                let turn = number as f32 * 1.3;
                let level = (1.0 - height * height).sqrt();
                let eye = Vec3::new(level * func::cos(turn), height, level * func::sin(turn));
                let of = response(metallic, roughness);
                let wide = eye.normalize().to_array().map(f64::from);
                let base = 0.7;
                let (m, r) = (f64::from(metallic), f64::from(roughness));
                let [in_sky, in_white] = integrals(m, r, f64::from(base), wide);
                let at = |map| lit(&of, point(&of, Vec3::splat(base), eye), 0.0, &[], Some(map)).x;
                // Light between facets is what a white room has more than the appendix; it comes from all around.
                let bounced = f64::from(at(&room)) - in_white;
                assert!(bounced > -0.02, "{metallic}, {roughness}, {height}: {bounced}");
                let wanted = code_from_linear((in_sky + bounced * mean) as f32);
                let found = code_from_linear(at(&map));
                let off = found.abs_diff(wanted);
                worst = worst.max(off);
                assert!(off <= 2, "{metallic}, {roughness}, {height}: {found} for {wanted}");
            }
        }
    }
    assert!(worst <= 2);
}
