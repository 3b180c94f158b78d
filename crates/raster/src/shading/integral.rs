//! Light of an environment against an integral over the hemisphere in `f64`: metallic x roughness,
//! seen from several angles.
//!
//! The integral is that of appendix B of glTF 2.0, without importance sampling and tables, plus the
//! light that bounces between the facets, which the appendix leaves out. Panoramas are summed texel
//! by texel, over the visible hemisphere.

use crate::environment::{Environment, EnvironmentMap, neutral};
use crate::shading::physical::Point;
use crate::shading::physical::tests::{expected, lit, point, response};
use core::f64::consts::{FRAC_1_PI, PI, TAU};
use tintype_model::Panorama;
use tintype_model::math::srgb::code_from_linear;
use tintype_model::math::{Vec3, any_perpendicular, func};

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
                // Light between facets is the surplus of a white room over the appendix; it comes
                // from all around.
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

/// Size of the panoramas.
const SIZE: [u32; 2] = [256, 128];

/// A panorama of grey texels, by their column, row and direction.
fn panorama(radiance: impl Fn(u32, u32, [f64; 3]) -> f64) -> Panorama {
    let [width, height] = SIZE;
    let texel = |index: u32| {
        let (x, y) = (index % width, index / width);
        [radiance(x, y, middle_of([x, y]).0) as f32; 3]
    };
    Panorama { width, height, texels: (0..width * height).map(texel).collect() }
}

/// Direction and solid angle of a texel.
fn middle_of([x, y]: [u32; 2]) -> ([f64; 3], f64) {
    let [width, height] = SIZE.map(f64::from);
    let turn = ((f64::from(x) + 0.5) / width - 0.5) * TAU;
    let edge = |row: u32| f64::from(row) / height * PI;
    let height = (f64::from(y) + 0.5) / height * PI;
    let level = libm::sin(height);
    let angle = TAU / width * (libm::cos(edge(y)) - libm::cos(edge(y + 1)));
    ([level * libm::cos(turn), libm::cos(height), level * libm::sin(turn)], angle)
}

/// Lamps of single texels with their radiance, in an evenly bright sky.
fn lamps(sky: f64, lamps: &'static [(u32, u32, f64)]) -> Panorama {
    panorama(move |x, y, _| {
        let lamp = lamps.iter().find(|(column, row, _)| [*column, *row] == [x, y]);
        lamp.map_or(sky, |(_, _, radiance)| *radiance)
    })
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Skies that differ much from nine coefficients, or from maps alone.
fn skies() -> Vec<(&'static str, Panorama)> {
    let sun = [0.48, 0.6, 0.64];
    let near = move |d: [f64; 3], cosine: f64| dot(d, sun) > cosine;
    let many: &[_] = &[
        (3, 20, 2e4),
        (17, 64, 1e4),
        (30, 90, 3e4),
        (44, 33, 4e4),
        (58, 71, 1e4),
        (71, 12, 6e4),
        (85, 55, 2e4),
        (99, 101, 3e4),
        (112, 40, 1e4),
        (126, 80, 2e4),
        (139, 25, 1e4),
        (153, 60, 4e4),
        (166, 95, 1e4),
        (180, 48, 2e4),
        (193, 75, 1e4),
        (207, 30, 3e4),
        (220, 66, 1e4),
        (234, 85, 2e4),
        (247, 50, 1e4),
        (250, 110, 6e4),
    ];
    vec![
        (
            "sun in a sky",
            panorama(move |_, _, d| match d[1] < 0.0 {
                true => 0.12,
                false if near(d, 0.9995) => 9000.0,
                false if near(d, 0.98) => 4.0,
                false => 0.3 + 0.4 * d[1],
            }),
        ),
        ("tiny sun in the dark", lamps(0.0, &[(170, 40, 5000.0)])),
        ("glaring sun behind", lamps(0.02, &[(50, 50, 6e4)])),
        (
            "lamps in the dark",
            lamps(0.0, &[(40, 30, 1e4), (90, 64, 2e3), (185, 50, 4e3), (250, 100, 2e4)]),
        ),
        ("many lamps", lamps(0.0, many)),
        (
            "window",
            panorama(
                |x, y, _| if (150..170).contains(&x) && (40..70).contains(&y) { 8.0 } else { 0.05 },
            ),
        ),
    ]
}

/// Root mean square of the difference in codes over the visible half of a sphere, of light by that
/// direction and the normal.
fn difference(
    found: impl Fn(Vec3, Vec3) -> f32,
    wanted: impl Fn([f64; 3], [f64; 3]) -> f64,
) -> f64 {
    const STEPS: u32 = 13;
    let eye = Vec3::new(0.36, 0.48, 0.8);
    let right = any_perpendicular(eye);
    let up = eye.cross(right);
    let (mut sum, mut count) = (0.0, 0.0);
    for at in 0..STEPS * STEPS {
        let [x, y] = [at % STEPS, at / STEPS].map(|k| (k as f32 + 0.5) / STEPS as f32 * 2.0 - 1.0);
        let squared = x * x + y * y;
        if squared >= 1.0 {
            continue;
        }
        let normal = (right * x + up * y + eye * (1.0 - squared).sqrt()).normalize();
        let wide = |vector: Vec3| vector.to_array().map(f64::from);
        let code = |light: f32| f64::from(code_from_linear(light));
        let off = code(found(eye, normal)) - code(wanted(wide(eye), wide(normal)) as f32);
        (sum, count) = (sum + off * off, count + 1.0);
    }
    f64::sqrt(sum / count)
}

/// The sum of a function of the direction over all texels by their light.
fn over_texels(panorama: &Panorama, of: impl Fn([f64; 3]) -> f64) -> f64 {
    let [width, height] = SIZE;
    let mut sum = 0.0;
    for (index, texel) in (0..width * height).zip(&panorama.texels) {
        if texel[0] > 0.0 {
            let (direction, angle) = middle_of([index % width, index / width]);
            sum += f64::from(texel[0]) * angle * of(direction);
        }
    }
    sum
}

#[test]
fn diffuse_light_of_a_panorama_is_the_integral_on_a_sphere() {
    for (name, sky) in skies() {
        let map = EnvironmentMap::of_panorama(&sky);
        let environment =
            Environment { map: &map, turn: [1.0, 0.0], intensity: 1.0, is_shown: false };
        let found = |_: Vec3, normal: Vec3| {
            let light = Vec3::from(environment.diffuse(normal.into()));
            assert!(light.x >= 0.0, "{name}: {light}");
            light.x
        };
        let mean = |_: [f64; 3], normal: [f64; 3]| {
            over_texels(&sky, |d| if dot(d, normal) > 0.0 { dot(d, normal) } else { 0.0 })
                * FRAC_1_PI
        };
        let off = difference(found, mean);
        assert!(off < 2.0, "{name}: {off}");
    }
}

/// The light reflected by a white surface in a white room without the light between its facets, for
/// a cosine to the eye.
fn without_bounces([metallic, roughness]: [f64; 2], height: f64) -> f64 {
    let eye = [(1.0 - height * height).sqrt(), height, 0.0];
    over_hemisphere(|light| expected(metallic, roughness, 1.0, eye, light)) * FRAC_1_PI
}

#[test]
fn light_of_a_panorama_is_the_integral_of_the_standard_on_a_sphere() {
    for (metallic, roughness) in
        [(0.0_f32, 0.4_f32), (0.0, 0.7), (0.0, 1.0), (1.0, 0.4), (1.0, 0.7), (1.0, 1.0)]
    {
        let of = response(metallic, roughness);
        let wide = [metallic, roughness].map(f64::from);
        // Between the cosines that have been summed.
        let table: Vec<f64> =
            (0..=32).map(|k| 1.0 - without_bounces(wide, f64::from(k.max(1)) / 32.0)).collect();
        let bounced = |height: f64| {
            let at = if height < 1.0 { height * 32.0 } else { 32.0 };
            let k = (at as usize).min(31);
            table[k] + (table[k + 1] - table[k]) * (at - k as f64)
        };
        for (name, sky) in skies() {
            let map = EnvironmentMap::of_panorama(&sky);
            let found = |eye: Vec3, normal: Vec3| {
                let (normal, smooth) = (normal.into(), normal.into());
                let point = Point { normal, smooth, ..point(&of, Vec3::ONE, eye) };
                lit(&of, point, 0.0, &[], Some(&map)).x
            };
            let wanted = |eye: [f64; 3], normal: [f64; 3]| {
                // In axes with the normal as the second.
                let along = normal.map(|part| part as f32);
                let along = any_perpendicular(Vec3::from_array(along)).to_array().map(f64::from);
                let across = [
                    normal[1] * along[2] - normal[2] * along[1],
                    normal[2] * along[0] - normal[0] * along[2],
                    normal[0] * along[1] - normal[1] * along[0],
                ];
                let local = |d| [dot(d, along), dot(d, normal), dot(d, across)];
                let eye = local(eye);
                // Light between facets is the rest of all light that reaches them.
                let rest = if metallic > 0.0 { bounced(eye[1]) } else { 0.0 };
                let light = over_texels(&sky, |d| {
                    let light = local(d);
                    if light[1] <= 0.0 {
                        return 0.0;
                    }
                    expected(wide[0], wide[1], 1.0, eye, light) + rest * light[1]
                });
                light * FRAC_1_PI
            };
            let off = difference(found, wanted);
            // Two spots are not the lobe, where metal mirrors something wide and bright with sharp edges.
            let allowed = match (metallic > 0.0, name) {
                (true, "window") => 12.0,
                (true, _) => 5.0,
                (false, _) => 4.0,
            };
            assert!(off < allowed, "{name}, {metallic}, {roughness}: {off}");
        }
    }
}
