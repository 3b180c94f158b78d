//! Fewer, better triangles: edges of a closed shell are collapsed, cheapest first.
//!
//! Input: the fine [`Shell`] of `tetra`, the field that it came from, and the importance of each
//! position. Output: a shell of at most the wanted number of triangles, still closed, with its
//! vertices back on the field's surface and evened out along it.
//!
//! # Source
//! Garland and Heckbert, "Surface Simplification Using Quadric Error Metrics", SIGGRAPH 1997. Ties
//! are broken by vertex number, so that the result does not depend on the heap.

use crate::field::Field;
use crate::scalar::min;
use crate::tetra::Shell;
use glam::{DMat3, DVec3};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Penalty of long edges, against the error of the surface.
const LENGTH_COST: f64 = 2.5e-3;

/// The sum of squared distances from planes: `x·A·x + 2 b·x + c`.
#[derive(Clone, Copy)]
struct Quadric {
    a: DMat3,
    b: DVec3,
    c: f64,
    weight: f64,
}

impl Quadric {
    const ZERO: Self = Self { a: DMat3::ZERO, b: DVec3::ZERO, c: 0.0, weight: 0.0 };

    fn plane(normal: DVec3, place: DVec3, weight: f64) -> Self {
        let offset = -normal.dot(place);
        let a = DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
        Self { a: a * weight, b: normal * offset * weight, c: offset * offset * weight, weight }
    }

    fn plus(&self, other: &Self) -> Self {
        Self {
            a: self.a + other.a,
            b: self.b + other.b,
            c: self.c + other.c,
            weight: self.weight + other.weight,
        }
    }

    fn error(&self, at: DVec3) -> f64 {
        at.dot(self.a * at) + 2.0 * self.b.dot(at) + self.c
    }

    /// The position of minimum error, near `middle`.
    fn best(&self, middle: DVec3) -> DVec3 {
        let hold = self.weight * 0.02 + 1e-12;
        let system = self.a + DMat3::from_diagonal(DVec3::splat(hold));
        system.inverse() * (middle * hold - self.b)
    }
}

type Entry = Reverse<(u64, u32, u32, u32, u32)>;

struct Collapser {
    places: Vec<DVec3>,
    quadrics: Vec<Quadric>,
    faces: Vec<Option<[u32; 3]>>,
    around: Vec<Vec<u32>>,
    version: Vec<u32>,
    heap: BinaryHeap<Entry>,
    longest: f64,
}

/// Collapses edges until at most `wanted` triangles are left. `importance` is 1 for an ordinary
/// position and higher where more triangles should stay; no edge grows beyond `longest`.
pub(crate) fn decimate(
    shell: &Shell,
    field: &Field,
    wanted: usize,
    longest: f64,
    importance: &dyn Fn(DVec3) -> f64,
) -> Shell {
    let mut work = Collapser::new(shell, longest, importance);
    let mut left = shell.faces.len();
    let mut left_before = left + 1;
    while left > wanted {
        let Some(Reverse((_, a, b, version_a, version_b))) = work.heap.pop() else {
            // Refused edges may be possible after their surroundings have changed.
            if left == left_before {
                break;
            }
            left_before = left;
            work.refill();
            continue;
        };
        let current =
            work.version[a as usize] == version_a && work.version[b as usize] == version_b;
        if current && work.try_collapse(a, b) {
            left -= 2;
        }
    }
    let mut result = work.into_shell();
    even_out(&mut result, field);
    result
}

impl Collapser {
    fn new(shell: &Shell, longest: f64, importance: &dyn Fn(DVec3) -> f64) -> Self {
        let count = shell.places.len();
        let mut quadrics = vec![Quadric::ZERO; count];
        let mut around = vec![Vec::new(); count];
        for (index, face) in (0_u32..).zip(&shell.faces) {
            let [a, b, c] = face.map(|vertex| shell.places[vertex as usize]);
            let cross = (b - a).cross(c - a);
            let area = cross.length() * 0.5;
            let weight = area * importance((a + b + c) / 3.0);
            let quadric = Quadric::plane(cross.normalize_or_zero(), a, weight);
            for &vertex in face {
                quadrics[vertex as usize] = quadrics[vertex as usize].plus(&quadric);
                around[vertex as usize].push(index);
            }
        }
        let mut work = Self {
            places: shell.places.clone(),
            quadrics,
            faces: shell.faces.iter().copied().map(Some).collect(),
            around,
            version: vec![0; count],
            heap: BinaryHeap::new(),
            longest,
        };
        work.refill();
        work
    }

    /// Offers every edge.
    fn refill(&mut self) {
        for index in 0..self.faces.len() {
            let Some([a, b, c]) = self.faces[index] else { continue };
            for (from, to) in [(a, b), (b, c), (c, a)] {
                if from < to {
                    self.push(from, to);
                }
            }
        }
    }

    fn target(&self, a: u32, b: u32) -> (Quadric, DVec3) {
        let (a, b) = (a as usize, b as usize);
        let quadric = self.quadrics[a].plus(&self.quadrics[b]);
        (quadric, quadric.best((self.places[a] + self.places[b]) * 0.5))
    }

    fn push(&mut self, a: u32, b: u32) {
        let (a, b) = (a.min(b), a.max(b));
        let length = (self.places[a as usize] - self.places[b as usize]).length();
        if length > self.longest {
            return;
        }
        let (quadric, at) = self.target(a, b);
        let error = quadric.error(at).abs();
        let cost = error + LENGTH_COST * quadric.weight * length * length;
        let versions = (self.version[a as usize], self.version[b as usize]);
        self.heap.push(Reverse((cost.to_bits(), a, b, versions.0, versions.1)));
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        let mut found: Vec<u32> = self.around[vertex as usize]
            .iter()
            .filter_map(|&face| self.faces[face as usize])
            .flatten()
            .filter(|&other| other != vertex)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Replaces the edge by one vertex unless that folds, pinches or spoils the surface.
    fn try_collapse(&mut self, a: u32, b: u32) -> bool {
        let (near_a, near_b) = (self.neighbours(a), self.neighbours(b));
        let shared = near_a.iter().filter(|vertex| near_b.binary_search(vertex).is_ok()).count();
        if shared != 2 || near_a.len() + near_b.len() > 18 {
            return false;
        }
        let (quadric, at) = self.target(a, b);
        let touched = self.around[a as usize].iter().chain(&self.around[b as usize]);
        for &face in touched {
            let Some(corners) = self.faces[face as usize] else { continue };
            if corners.contains(&a) && corners.contains(&b) {
                continue;
            }
            let before = corners.map(|vertex| self.places[vertex as usize]);
            let after = corners.map(|vertex| {
                if vertex == a || vertex == b { at } else { self.places[vertex as usize] }
            });
            let (was, is) = (cross_of(before), cross_of(after));
            let (quality_was, quality_is) = (quality(before), quality(after));
            let steady = is.dot(was) > 0.4 * is.length() * was.length();
            if (!steady && quality_was > 0.05) || quality_is < min(0.2, quality_was * 0.7) {
                return false;
            }
        }
        let moved = std::mem::take(&mut self.around[b as usize]);
        for face in moved {
            if let Some(corners) = &mut self.faces[face as usize] {
                if corners.contains(&a) {
                    self.faces[face as usize] = None;
                } else {
                    *corners = corners.map(|vertex| if vertex == b { a } else { vertex });
                    self.around[a as usize].push(face);
                }
            }
        }
        let faces = &self.faces;
        self.around[a as usize].retain(|&face| faces[face as usize].is_some());
        self.places[a as usize] = at;
        self.quadrics[a as usize] = quadric;
        self.version[a as usize] += 1;
        self.version[b as usize] += 1;
        for other in self.neighbours(a) {
            self.push(a, other);
        }
        true
    }

    fn into_shell(self) -> Shell {
        let mut name = vec![u32::MAX; self.places.len()];
        let mut result = Shell::default();
        for face in self.faces.into_iter().flatten() {
            result.faces.push(face.map(|vertex| {
                let slot = &mut name[vertex as usize];
                if *slot == u32::MAX {
                    *slot = result.places.len() as u32;
                    result.places.push(self.places[vertex as usize]);
                }
                *slot
            }));
        }
        result
    }
}

fn cross_of([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

/// 1 for an equilateral triangle, 0 for a line.
pub(crate) fn quality(corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let sides = (b - a).length_squared() + (c - b).length_squared() + (a - c).length_squared();
    2.0 * 3.0_f64.sqrt() * cross_of(corners).length() / (sides + 1e-30)
}

/// Moves corners towards the centre of their neighbours, along the surface, in small steps.
fn even_out(shell: &mut Shell, field: &Field) {
    for round in 0..6 {
        let count = shell.places.len();
        let (mut sum, mut number) = (vec![DVec3::ZERO; count], vec![0.0; count]);
        for &[a, b, c] in &shell.faces {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                sum[from as usize] += shell.places[to as usize];
                number[from as usize] += 1.0;
            }
        }
        for vertex in 0..count {
            let here = shell.places[vertex];
            let pull = (sum[vertex] / number[vertex] - here) * if round < 4 { 0.25 } else { 0.0 };
            let normal = field.normal(here);
            shell.places[vertex] = field.project(here + pull - normal * normal.dot(pull), 0.02);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Part;
    use crate::tetra::surface;

    #[test]
    fn decimating_keeps_a_shell_closed_and_its_triangles_round() {
        let parts = vec![
            Part::egg(DVec3::ZERO, DVec3::splat(0.3), 1, 0.0),
            Part::limb(DVec3::ZERO, DVec3::new(0.6, 0.0, 0.1), 0.1, 0.05, 1, 0.05),
        ];
        let field = Field::new(parts);
        let fine = surface(&field, 0.02);
        let coarse = decimate(&fine, &field, 600, 0.2, &|_| 1.0);
        assert!(coarse.is_closed() && coarse.faces.len() <= 600);
        assert!((coarse.volume() / fine.volume() - 1.0).abs() < 0.03);
        for face in &coarse.faces {
            let shape = quality(face.map(|vertex| coarse.places[vertex as usize]));
            assert!(shape > 0.1, "{shape}");
        }
    }
}
