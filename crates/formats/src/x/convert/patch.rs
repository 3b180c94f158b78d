//! Curved patches to triangles.
//!
//! Each side of a patch is divided into eight. Points of the surface are sums of control points:
//! all values of control points (position, texture coordinates, colour) are summed with the same
//! weights, and the joints are those of the control point with the largest weight. Normals are
//! computed from the triangles.
//!
//! # Source
//! Microsoft, DirectX 9 SDK: templates `Patch`, `PatchMesh` and `PatchMesh9`, `D3DXPATCHMESHTYPE`,
//! `D3DDEGREETYPE` and `D3DBASISTYPE`. Control points are listed in a spiral from the outside in;
//! it is assumed to start along the first row.

use super::polygon::Faces;
use super::values::Values;
use crate::x::error::XError;
use core::ops::{Add, Mul};
use std::collections::BTreeMap;
use tintype_base::deadline::{TimedOut, Watch};

/// Pieces of each side of a patch.
const PIECES: u16 = 8;
/// Vertices of a patch without those of its last row and column, which mostly belong to others.
pub(super) const VERTICES_OF_A_PATCH: usize = 64;
/// The highest degree.
const MAX_DEGREE: usize = 5;

/// Functions that weigh control points.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Basis {
    Bezier,
    BSpline,
    CatmullRom,
}

/// Kind of all patches of a mesh.
#[derive(Clone, Copy)]
pub(super) struct PatchKind {
    /// None for meshes whose patches define it by their number of points.
    stated: Option<(bool, usize)>,
    basis: Basis,
}

impl PatchKind {
    /// Kind of the older meshes: cubic or quartic Bézier patches.
    pub(super) const OLDER: Self = Self { stated: None, basis: Basis::Bezier };

    /// Reads kind, degree and basis of a `PatchMesh9`.
    ///
    /// # Errors
    /// [`XError::Range`] for unknown ones.
    pub(super) fn read(values: &mut Values<'_>) -> Result<Self, XError> {
        let start = values.at();
        let [kind, degree, basis] =
            [values.whole("the kind")?, values.whole("the degree")?, values.whole("the basis")?];
        let found = [kind == 2, matches!(kind, 1 | 2)];
        let basis_of = [Basis::Bezier, Basis::BSpline, Basis::CatmullRom].get(basis).copied();
        let is_fit = match basis_of {
            Some(Basis::Bezier) => true,
            Some(Basis::BSpline) => kind == 1,
            Some(Basis::CatmullRom) => kind == 1 && degree == 3,
            None => false,
        };
        let [is_triangle, is_known] = found;
        match basis_of.filter(|_| is_fit && is_known && matches!(degree, 1 | 2 | 3 | 5)) {
            Some(basis) => Ok(Self { stated: Some((is_triangle, degree)), basis }),
            None => {
                values.go_to(start);
                let expected = "1 (rectangles) or 2 (triangles), then a degree of 1, 2, 3 or 5, and a basis of 0 (Bézier) or, for rectangles, 1 (B-spline) or 2 (Catmull-Rom, degree 3)";
                Err(values.wrong("the kind", expected))
            }
        }
    }

    /// True for triangles, and the degree, of patches with this many control points. None if no
    /// patch has so many.
    fn of(self, points: usize) -> Option<(bool, usize)> {
        let is_fit = |(is_triangle, degree): &(bool, usize)| {
            let side = degree + 1;
            points == if *is_triangle { side * (side + 1) / 2 } else { side * side }
        };
        match self.stated {
            Some(stated) => Some(stated).filter(is_fit),
            None => [(true, 3), (true, 4), (false, 3)].into_iter().find(is_fit),
        }
    }
}

/// The surface of patches.
#[derive(Default)]
pub(super) struct Surface {
    /// For each vertex, control points and their weights.
    shares: Vec<Vec<(u32, f32)>>,
    /// Triangles.
    pub(super) faces: Faces,
    /// The patch of each triangle.
    pub(super) patch_of: Vec<usize>,
    /// Patches that no kind fits.
    pub(super) left_out: usize,
}

impl Surface {
    /// Cuts patches into triangles. Patches with a common row of control points use the same
    /// vertices there.
    pub(super) fn of(
        patches: &Faces,
        kind: PatchKind,
        watch: &mut Watch,
    ) -> Result<Self, TimedOut> {
        let mut surface = Self::default();
        surface.faces.start.push(0);
        let mut known: BTreeMap<Vec<(u32, u32)>, u32> = BTreeMap::new();
        for patch in 0..patches.len() {
            let points = patches.face(patch);
            let Some((is_triangle, degree)) = kind.of(points.len()) else {
                surface.left_out += usize::from(!points.is_empty());
                continue;
            };
            let spiral = if is_triangle { triangle_spiral(degree) } else { spiral(degree) };
            let mut vertex = |u: u16, v: u16| {
                let [u, v, w] = [u, v, PIECES.saturating_sub(u + v)]
                    .map(|pieces| f32::from(pieces) / f32::from(PIECES));
                let weight = |place: &[usize; 2]| {
                    if is_triangle {
                        triangle_weight(degree, *place, [u, v, w])
                    } else {
                        let [row, column] = *place;
                        weights(kind.basis, degree, v)[row] * weights(kind.basis, degree, u)[column]
                    }
                };
                let all = points.iter().zip(&spiral).map(|(point, place)| (*point, weight(place)));
                let mut shares: Vec<(u32, f32)> = all.filter(|(_, share)| *share != 0.0).collect();
                shares.sort_by_key(|(point, _)| *point);
                let key = shares.iter().map(|(point, share)| (*point, share.to_bits())).collect();
                *known.entry(key).or_insert_with(|| {
                    surface.shares.push(shares);
                    u32::try_from(surface.shares.len() - 1).unwrap_or(u32::MAX)
                })
            };
            for v in 0..PIECES {
                for u in 0..PIECES {
                    watch.take(points.len() * 4)?;
                    let is_inside = |u: u16, v: u16| !is_triangle || u + v <= PIECES;
                    let corners = [[u, v], [u + 1, v], [u, v + 1], [u + 1, v + 1]];
                    for [a, b, c] in [[0, 1, 2], [1, 3, 2]] {
                        let places: [[u16; 2]; 3] = [corners[a], corners[b], corners[c]];
                        if places.iter().all(|[u, v]| is_inside(*u, *v)) {
                            surface.faces.corners.extend(places.map(|[u, v]| vertex(u, v)));
                            surface.faces.start.push(surface.faces.corners.len());
                            surface.patch_of.push(patch);
                        }
                    }
                }
            }
        }
        Ok(surface)
    }

    /// Values of vertices, from those of control points; empty if those are.
    pub(super) fn mixed<T>(&self, of_points: &[T]) -> Vec<T>
    where
        T: Copy + Default + Add<Output = T> + Mul<f32, Output = T>,
    {
        if of_points.is_empty() {
            return Vec::new();
        }
        let value = |point: u32| of_points.get(point as usize).copied().unwrap_or_default();
        let sum = |shares: &Vec<(u32, f32)>| {
            let parts = shares.iter().map(|&(point, share)| value(point) * share);
            parts.fold(T::default(), Add::add)
        };
        self.shares.iter().map(sum).collect()
    }

    /// The control point with the largest weight for each vertex.
    pub(super) fn nearest(&self) -> Vec<u32> {
        let nearest = |shares: &Vec<(u32, f32)>| {
            let largest = shares.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a });
            largest.map_or(0, |(point, _)| point)
        };
        self.shares.iter().map(nearest).collect()
    }
}

/// The weights of the control points of a curve at a parameter from 0 to 1.
fn weights(basis: Basis, degree: usize, t: f32) -> [f32; MAX_DEGREE + 1] {
    if basis == Basis::CatmullRom {
        let (square, cube) = (t * t, t * t * t);
        let first = -0.5 * t + square - 0.5 * cube;
        let second = 1.0 - 2.5 * square + 1.5 * cube;
        let third = 0.5 * t + 2.0 * square - 1.5 * cube;
        return [first, second, third, 0.5 * cube - 0.5 * square, 0.0, 0.0];
    }
    let mut weights = [0.0; MAX_DEGREE + 1];
    weights[0] = 1.0;
    for order in (1_u8..).take(degree) {
        let before = weights;
        for (number, weight) in (0..=order).zip(&mut weights) {
            let [at, last] = [f32::from(number), f32::from(order)];
            let (rising, falling) = match basis {
                // The recursion of de Boor over even knots.
                Basis::BSpline => ((t + last - at) / last, (1.0 - t + at) / last),
                _ => (t, 1.0 - t),
            };
            let index = usize::from(number);
            let lower = index.checked_sub(1).map_or(0.0, |index| before[index]);
            *weight = rising * lower + falling * before[index];
        }
    }
    weights
}

/// The weight of the control point with the powers (`u`, `v`) in a Bézier triangle.
fn triangle_weight(degree: usize, [i, j]: [usize; 2], [u, v, w]: [f32; 3]) -> f32 {
    let power = |base: f32, count: usize| (0..count).fold(1.0, |power, _| power * base);
    let choose = |of: usize, count: usize| (0..count).fold(1, |all, n| all * (of - n) / (n + 1));
    let ways = u16::try_from(choose(degree, i) * choose(degree - i, j)).unwrap_or(u16::MAX);
    f32::from(ways) * power(u, i) * power(v, j) * power(w, degree - i - j)
}

/// Row and column of each control point of a rectangle.
fn spiral(degree: usize) -> Vec<[usize; 2]> {
    let mut places = Vec::new();
    let (mut low, mut high) = (0, degree);
    while low < high {
        places.extend((low..high).map(|column| [low, column]));
        places.extend((low..high).map(|row| [row, high]));
        places.extend((low + 1..=high).rev().map(|column| [high, column]));
        places.extend((low + 1..=high).rev().map(|row| [row, low]));
        (low, high) = (low + 1, high - 1);
    }
    places.extend((low == high).then_some([low, low]));
    places
}

/// Powers of `u` and `v` of each control point of a triangle.
fn triangle_spiral(degree: usize) -> Vec<[usize; 2]> {
    let mut places = Vec::new();
    let (mut ring, mut side) = (0, degree);
    loop {
        // The third power begins at its maximum.
        places.extend((0..side).map(|step| [ring + step, ring]));
        places.extend((0..side).map(|step| [ring + side - step, ring + step]));
        places.extend((0..side).map(|step| [ring, ring + side - step]));
        places.extend((side == 0).then_some([ring, ring]));
        if side < 3 {
            return places;
        }
        (ring, side) = (ring + 1, side - 3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spiral_goes_around_and_then_inside() {
        let cubic = spiral(3);
        assert_eq!(cubic[..5], [[0, 0], [0, 1], [0, 2], [0, 3], [1, 3]]);
        assert_eq!(cubic[9..], [[3, 0], [2, 0], [1, 0], [1, 1], [1, 2], [2, 2], [2, 1]]);
        assert_eq!(spiral(2).last(), Some(&[1, 1]));
        assert_eq!([1, 2, 3, 5].map(|degree| spiral(degree).len()), [4, 9, 16, 36]);
        let counts = [1, 2, 3, 4, 5].map(|degree| triangle_spiral(degree).len());
        assert_eq!(counts, [3, 6, 10, 15, 21]);
        assert_eq!(triangle_spiral(3).last(), Some(&[1, 1]));
    }

    #[test]
    fn weights_of_each_basis_follow_their_polynomials() {
        let near = |found: [f32; 6], expected: [f32; 4]| {
            let far = found.iter().zip(expected).any(|(a, b)| (a - b).abs() > 1e-6);
            assert!(!far, "{found:?}, {expected:?}");
        };
        near(weights(Basis::Bezier, 3, 0.5), [0.125, 0.375, 0.375, 0.125]);
        near(weights(Basis::Bezier, 1, 0.25), [0.75, 0.25, 0.0, 0.0]);
        near(weights(Basis::BSpline, 3, 0.0), [1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0, 0.0]);
        near(weights(Basis::BSpline, 2, 0.5), [0.125, 0.75, 0.125, 0.0]);
        near(weights(Basis::CatmullRom, 3, 0.0), [0.0, 1.0, 0.0, 0.0]);
        near(weights(Basis::CatmullRom, 3, 0.5), [-0.0625, 0.5625, 0.5625, -0.0625]);
        for place in [[0.25, 0.5, 0.25], [1.0, 0.0, 0.0]] {
            let weight = |own: &[usize; 2]| triangle_weight(4, *own, place);
            let sum: f32 = triangle_spiral(4).iter().map(weight).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{sum}");
        }
    }
}
