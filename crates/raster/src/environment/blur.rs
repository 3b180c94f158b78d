//! Blurs the light of all directions as rough surfaces reflect it.
//!
//! Input: a square of directions with the radiance of each. Output: for every direction the mean
//! reflected by a surface of a roughness that faces this direction and is seen from it (GGX).
//!
//! # Method
//! The integral is a sum over patches of the sphere, small near the reflection and large far from
//! it: nodes of a pyramid over the square. A node counts as one light in the direction of the
//! centre of its light, so that a lamp keeps its position, however large its node. Directions are
//! not random: a small bright lamp becomes a smooth spot without a pattern.
//!
//! # Determinism
//! The texels of a block use one list of nodes, in the same order; each sums them in that order,
//! one texel per lane.
//!
//! # Source
//! Reflections seen from straight above: Karis, "Real Shading in Unreal Engine 4", SIGGRAPH 2013.
//! Sums over nodes by their distance: Barnes and Hut, "A Hierarchical O(N log N) Force-Calculation
//! Algorithm", Nature 324, 1986.

use super::octahedral::middle;
use super::square::Square;
use rayon::prelude::*;
use tintype_model::math::lanes::{self, splat};
use tintype_model::math::{Vec3, max, min, unit_or};
use tintype_model::simd::prelude::*;
use tintype_model::simd::{self, Kernel, Level, Simd};

/// Texels per side of a block with a common list of nodes.
const BLOCK: u32 = 8;
/// Texels of a block.
const TEXELS: usize = (BLOCK * BLOCK) as usize;
/// Largest radius of a node as a fraction of its distance from the reflection, including the width
/// of the reflection.
const LARGEST: f32 = 0.35;
/// Maximum radius of all nodes.
const MAX_OF_ALL: f32 = 0.12;
/// Side of the coarsest level of the pyramid.
const COARSEST: u32 = 4;
/// Weight of a dark direction in the centre of the light of a node.
const DARK: f32 = 1e-4;

/// A patch of the sphere.
#[derive(Clone, Copy)]
struct Node {
    /// Mean radiance.
    color: Vec3,
    /// Solid angle.
    angle: f32,
    /// Middle of its light, a unit vector.
    toward: Vec3,
}

/// Place of a node on the sphere.
#[derive(Clone, Copy)]
struct Patch {
    /// Middle, a unit vector.
    middle: Vec3,
    radius: f32,
}

/// Nodes of one size.
struct NodeLevel {
    side: u32,
    nodes: Vec<Node>,
    patches: Vec<Patch>,
}

impl NodeLevel {
    fn new(side: u32, nodes: Vec<Node>) -> Self {
        let patches = Square::rows(side, |x, y| Patch {
            middle: unit_or(middle(x, y, side), Vec3::Y),
            radius: 0.75 * nodes[(y * side + x) as usize].angle.sqrt(),
        });
        Self { side, nodes, patches }
    }
}

/// Levels of nodes, the finest first; each has half the side of the previous one.
pub(super) struct Pyramid {
    levels: Vec<NodeLevel>,
}

impl Pyramid {
    pub(super) fn new(sharp: &Square) -> Self {
        let side = sharp.side;
        let leaves = Square::rows(side, |x, y| {
            let place = middle(x, y, side);
            let toward = unit_or(place, Vec3::Y);
            Node { color: sharp.at(x, y), angle: solid_angle(place, side), toward }
        });
        let mut levels = vec![NodeLevel::new(side, leaves)];
        while let Some(NodeLevel { side: above, nodes, .. }) = levels.last()
            && *above > COARSEST
        {
            let (above, side) = (*above, above / 2);
            let at = |x: u32, y: u32| &nodes[(y * above + x) as usize];
            let next = Square::rows(side, |x, y| {
                let (x, y) = (2 * x, 2 * y);
                joined([at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)])
            });
            levels.push(NodeLevel::new(side, next));
        }
        Self { levels }
    }

    /// The reflection map of one roughness, above 0.
    pub(super) fn blurred(&self, side: u32, roughness: f32) -> Square {
        let blocks = side / BLOCK;
        let rows: Vec<Vec<Vec3>> = (0..blocks * blocks)
            .into_par_iter()
            .map(|block| {
                self.block([block % blocks * BLOCK, block / blocks * BLOCK], side, roughness)
            })
            .collect();
        let texel = |x: u32, y: u32| {
            let block = &rows[(y / BLOCK * blocks + x / BLOCK) as usize];
            block[(y % BLOCK * BLOCK + x % BLOCK) as usize]
        };
        let texels = (0..side * side).map(|at| texel(at % side, at / side)).collect();
        Square { side, texels }
    }

    /// The texels of a block, row by row.
    fn block(&self, [left, top]: [u32; 2], side: u32, roughness: f32) -> Vec<Vec3> {
        let mut directions = [Vec3::Y; TEXELS];
        for (at, direction) in (0..).zip(&mut directions) {
            *direction = unit_or(middle(left + at % BLOCK, top + at / BLOCK, side), Vec3::Y);
        }
        let center = unit_or(directions.iter().copied().sum(), Vec3::Y);
        let radius = directions.iter().fold(0.0, |most, one| max(most, (*one - center).length()));
        let alpha = roughness * roughness;
        let nodes = self.nodes_around(center, radius, 2.0 * alpha);
        // The instructions of the level change no bit.
        simd::run(Level::best(), Reflected { directions: &directions, alpha, nodes: &nodes })
    }

    /// Nodes that together cover the hemispheres of the directions within a distance of one.
    fn nodes_around(&self, center: Vec3, radius: f32, width: f32) -> Vec<Node> {
        // Distances are between points on the sphere, in a straight line; a direction farther than
        // this is below the horizon.
        const HORIZON: f32 = core::f32::consts::SQRT_2;
        let mut found = Vec::new();
        let mut left: Vec<[u32; 2]> =
            (0..COARSEST * COARSEST).map(|at| [at % COARSEST, at / COARSEST]).collect();
        for (number, NodeLevel { side, nodes, patches }) in self.levels.iter().enumerate().rev() {
            let mut finer = Vec::new();
            for [x, y] in left {
                let index = (y * side + x) as usize;
                let Patch { middle, radius: own } = patches[index];
                let gap = max((middle - center).length() - radius - own, 0.0);
                if gap > HORIZON {
                    continue;
                }
                if number == 0 || own <= min(LARGEST * (width + gap), MAX_OF_ALL) {
                    found.push(nodes[index]);
                } else {
                    let (x, y) = (2 * x, 2 * y);
                    finer.extend([[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]]);
                }
            }
            left = finer;
        }
        found
    }
}

/// The solid angle of a texel centred there on the octahedron: it falls with the cube of the
/// distance from the centre of the octahedron.
#[expect(clippy::cast_precision_loss, reason = "a side has few bits")]
fn solid_angle(place: Vec3, side: u32) -> f32 {
    let length = place.length();
    4.0 / ((side * side) as f32 * (length * length * length))
}

/// Four nodes as one.
fn joined(four: [&Node; 4]) -> Node {
    let (mut angle, mut color, mut toward) = (0.0, Vec3::ZERO, Vec3::ZERO);
    for node in four {
        let light = node.color.x + node.color.y + node.color.z;
        angle += node.angle;
        color += node.color * node.angle;
        toward += node.toward * (node.angle * (light + DARK));
    }
    Node { color: color * (1.0 / angle), angle, toward: unit_or(toward, four[0].toward) }
}

/// Sums the light reflected into each of some directions: the mean of the nodes by the density of
/// their half vectors times the cosine to them.
struct Reflected<'a> {
    directions: &'a [Vec3; TEXELS],
    alpha: f32,
    nodes: &'a [Node],
}

impl Reflected<'_> {
    /// Slope and start of the squared cosine of the half vector, (1 + cosine) / 2, in the density.
    fn density(&self) -> [f32; 2] {
        let squared = self.alpha * self.alpha;
        [0.5 * (squared - 1.0), 0.5 * (squared + 1.0)]
    }
}

impl Kernel for Reflected<'_> {
    type Output = Vec<Vec3>;

    fn scalar(self) -> Vec<Vec3> {
        let [slope, start] = self.density();
        let light = |direction: &Vec3| {
            let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
            for Node { color, angle, toward } in self.nodes {
                let cosine = direction.dot(*toward);
                let t = cosine * slope + start;
                let weight = max(cosine, 0.0) * *angle / (t * t);
                sum += *color * weight;
                weights += weight;
            }
            sum * (1.0 / weights)
        };
        self.directions.iter().map(light).collect()
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) -> Vec<Vec3> {
        /// Number of vectors summed at a time, so that sums need not wait for each other.
        const VECTORS: usize = 2;
        let ([slope, start], zero) = (self.density(), splat(simd, 0.0));
        let mut found = vec![Vec3::ZERO; TEXELS];
        let width = S::f32s::LEN;
        for (directions, found) in self
            .directions
            .chunks_exact(VECTORS * width)
            .zip(found.chunks_exact_mut(VECTORS * width))
        {
            let (mut towards, mut sums) = ([[zero; 3]; VECTORS], [[zero; 4]; VECTORS]);
            for (toward, directions) in towards.iter_mut().zip(directions.chunks_exact(width)) {
                for (axis, toward) in toward.iter_mut().enumerate() {
                    let mut values = [0.0; simd::MAX_LANES];
                    for (value, direction) in values.iter_mut().zip(directions) {
                        *value = direction[axis];
                    }
                    *toward = S::f32s::from_slice(simd, &values[..width]);
                }
            }
            for Node { color, angle, toward } in self.nodes {
                for ([x, y, z], sums) in towards.iter().zip(&mut sums) {
                    let cosine = *x * toward.x + *y * toward.y + *z * toward.z;
                    let t = cosine * slope + start;
                    let weight = lanes::max::<S>(cosine, zero) * *angle / (t * t);
                    sums[0] += weight * color.x;
                    sums[1] += weight * color.y;
                    sums[2] += weight * color.z;
                    sums[3] += weight;
                }
            }
            for (sums, found) in sums.iter().zip(found.chunks_exact_mut(width)) {
                for (lane, found) in found.iter_mut().enumerate() {
                    let [r, g, b, weights] = sums.each_ref().map(|sum| sum.as_slice()[lane]);
                    *found = Vec3::new(r, g, b) * (1.0 / weights);
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::math::clamp;

    /// Width and radiance of a small lamp, and radiance around it.
    const WIDTH: f64 = 0.03;
    const LAMP: f64 = 400.0;
    const AROUND: f64 = 0.05;
    const TOWARD: Vec3 = Vec3::new(0.36, -0.48, 0.8);

    /// Radiance of the lamp by the angle to its centre, in radians.
    fn lamp(angle: f64) -> f64 {
        LAMP * libm::exp(-(angle / WIDTH) * (angle / WIDTH))
    }

    /// Weight of a direction with this cosine to the reflection.
    fn weight(cosine: f64, roughness: f64) -> f64 {
        let squared = roughness * roughness * roughness * roughness;
        let t = 0.5 * (1.0 + cosine) * (squared - 1.0) + 1.0;
        if cosine > 0.0 { cosine / (t * t) } else { 0.0 }
    }

    /// The light of the lamp reflected at an angle to it, before the division by the sum of all
    /// weights: the integral, in rings around the lamp.
    fn reflected_lamp(angle: f64, roughness: f64) -> f64 {
        const STEPS: u32 = 40;
        let step = |k: u32, range: f64| (f64::from(k) + 0.5) / f64::from(STEPS) * range;
        let range = 4.0 * WIDTH;
        let mut light = 0.0;
        for k in 0..STEPS {
            let ring = step(k, range);
            for j in 0..STEPS {
                let turn = libm::cos(step(j, core::f64::consts::PI));
                let level = libm::sin(angle) * libm::sin(ring) * turn;
                let cosine = libm::cos(angle) * libm::cos(ring) + level;
                light += weight(cosine, roughness) * lamp(ring) * libm::sin(ring);
            }
        }
        light * range * core::f64::consts::TAU / f64::from(STEPS * STEPS)
    }

    /// The sum of the weights of all directions.
    fn total(roughness: f64) -> f64 {
        const STEPS: u32 = 20_000;
        let mut sum = 0.0;
        for k in 0..STEPS {
            // Steps are short where the weight is large.
            let at = (f64::from(k) + 0.5) / f64::from(STEPS);
            let ring = at * at * at * core::f64::consts::FRAC_PI_2;
            sum += weight(libm::cos(ring), roughness) * libm::sin(ring) * 3.0 * at * at;
        }
        sum * core::f64::consts::FRAC_PI_2 * core::f64::consts::TAU / f64::from(STEPS)
    }

    #[test]
    fn sums_of_every_level_have_the_bits_of_plain_code() {
        let sharp = Square::of(32, |x, y| Vec3::new(x as f32, y as f32, (x * y % 7) as f32));
        let pyramid = Pyramid::new(&sharp);
        let nodes = pyramid.nodes_around(TOWARD, 0.2, 0.3);
        let directions = core::array::from_fn(|at| {
            unit_or(TOWARD + Vec3::new(at as f32 * 0.01, 0.3 - at as f32 * 0.004, 0.0), Vec3::Y)
        });
        let light = |level| {
            let run = Reflected { directions: &directions, alpha: 0.15, nodes: &nodes };
            simd::run(level, run)
                .iter()
                .map(|light| light.to_array().map(f32::to_bits))
                .collect::<Vec<_>>()
        };
        for level in Level::available() {
            assert_eq!(light(level), light(Level::Scalar), "{level:?}");
        }
    }

    /// The light of a small bright lamp is a smooth spot, whatever the roughness.
    #[test]
    fn reflection_of_a_small_lamp_is_the_integral() {
        let angle_of = |direction: Vec3| {
            f64::from(tintype_model::math::func::acos(clamp(direction.dot(TOWARD), -1.0, 1.0)))
        };
        let sharp = Square::of(256, |x, y| {
            let angle = angle_of(unit_or(middle(x, y, 256), Vec3::Y));
            Vec3::splat((AROUND + lamp(angle)) as f32)
        });
        let pyramid = Pyramid::new(&sharp);
        for (roughness, side) in [(0.125, 128), (0.25, 64), (0.375, 32), (0.5, 32), (1.0, 16)] {
            let found = pyramid.blurred(side, roughness);
            let rough = f64::from(roughness);
            let total = total(rough);
            let expected = |angle| AROUND + reflected_lamp(angle, rough) / total;
            let most = expected(0.0);
            for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
                let angle = angle_of(unit_or(middle(x, y, side), Vec3::Y));
                let expected = expected(angle);
                let off = (f64::from(found.at(x, y).x) - expected).abs();
                let allowed = 0.015 * most + 0.03 * expected;
                assert!(off < allowed, "{roughness}, {angle}: {off} off {expected}, most {most}");
            }
        }
    }
}
