//! A flat atlas for a closed shell: charts of nearly flat pieces, packed into a square.
//!
//! Input: shells with a common texture, and the desired texel density of each position. Output:
//! texture coordinates per face corner, without overlaps, with free texels between the charts.
//!
//! A chart grows from a seed over faces with similar directions and is projected along that
//! direction. A texel therefore covers about the same area everywhere; seams do not show because
//! paint is a function of space, not of the chart.

use crate::tetra::Shell;
use glam::{DVec2, DVec3};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Faces turn at most this far from their chart's direction: about 57 degrees.
const MIN_COSINE: f64 = 0.54;
/// Cells of the packing grid along one side of the atlas.
const GRID: usize = 128;

/// A piece of a shell, laid flat; `faces[i]` has its corners at `flat[i]`, in model units.
struct Chart {
    faces: Vec<u32>,
    flat: Vec<[DVec2; 3]>,
}

/// Per face, the chart and the texture coordinates of its corners.
pub(crate) struct Atlas {
    /// The number of the chart that a face belongs to.
    pub chart: Vec<u32>,
    /// Texture coordinates by face corner, 0..=1, v down.
    pub texcoords: Vec<[DVec2; 3]>,
    /// Texture widths per model unit at density 1.
    pub scale: f64,
}

/// Neighbouring faces over each edge of a closed shell.
pub(crate) fn neighbours(shell: &Shell) -> Vec<[u32; 3]> {
    let mut edges = Vec::with_capacity(shell.faces.len() * 3);
    for (index, &[a, b, c]) in (0_u32..).zip(&shell.faces) {
        edges.extend([(a, b, index), (b, c, index), (c, a, index)]);
    }
    edges.sort_unstable();
    let across = |a: u32, b: u32| {
        let slot = edges.partition_point(|&(from, to, _)| (from, to) < (b, a));
        edges[slot].2
    };
    shell.faces.iter().map(|&[a, b, c]| [across(a, b), across(b, c), across(c, a)]).collect()
}

/// True if two triangles of the plane overlap by more than a touch.
fn overlap(a: &[DVec2; 3], b: &[DVec2; 3]) -> bool {
    let shrink = |t: &[DVec2; 3]| {
        let middle = (t[0] + t[1] + t[2]) / 3.0;
        t.map(|corner| corner.lerp(middle, 0.01))
    };
    let (a, b) = (shrink(a), shrink(b));
    let apart = |one: &[DVec2; 3], other: &[DVec2; 3]| {
        (0..3).any(|i| {
            let along = one[(i + 1) % 3] - one[i];
            other.iter().all(|&corner| along.perp_dot(corner - one[i]) < 0.0)
        })
    };
    !apart(&a, &b) && !apart(&b, &a)
}

/// Cuts a shell into charts.
fn grow(shell: &Shell) -> Vec<Chart> {
    let next = neighbours(shell);
    let corner = |face: u32| shell.faces[face as usize].map(|vertex| shell.places[vertex as usize]);
    let cross = |face: u32| {
        let [a, b, c] = corner(face);
        (b - a).cross(c - a)
    };
    let count = shell.faces.len() as u32;
    let mut taken = vec![false; count as usize];
    let mut charts: Vec<Chart> = Vec::new();
    // Seeds in the order of the flatness of their surroundings, so that large flat charts come
    // first.
    let around = |face: u32| {
        let near = next[face as usize];
        let wide = near.iter().flat_map(|&other| next[other as usize]);
        near.into_iter().chain(wide).map(&cross).sum::<DVec3>() + cross(face)
    };
    let mut seeds: Vec<(u64, u32)> = (0..count)
        .map(|face| {
            let straight = around(face).normalize_or_zero().dot(cross(face).normalize_or_zero());
            (((1.0 - straight).abs() * 1e6) as u64, face)
        })
        .collect();
    seeds.sort_unstable();
    for (_, seed) in seeds {
        if taken[seed as usize] {
            continue;
        }
        let mut forward = around(seed).normalize_or(DVec3::Z);
        if cross(seed).normalize_or_zero().dot(forward) < 0.6 {
            forward = cross(seed).normalize_or(DVec3::Z);
        }
        let right = forward.any_orthonormal_vector();
        let up = forward.cross(right);
        let lay = |face: u32| corner(face).map(|place| DVec2::new(place.dot(right), place.dot(up)));
        let mut chart = Chart { faces: Vec::new(), flat: Vec::new() };
        let mut front = BinaryHeap::from([Reverse((0_u64, seed))]);
        while let Some(Reverse((_, face))) = front.pop() {
            let facing = cross(face).normalize_or_zero().dot(forward);
            if taken[face as usize] || facing < MIN_COSINE {
                continue;
            }
            let flat = lay(face);
            if chart.flat.iter().any(|other| overlap(&flat, other)) {
                continue;
            }
            taken[face as usize] = true;
            chart.faces.push(face);
            chart.flat.push(flat);
            for other in next[face as usize] {
                let far = (corner(other)[0] - corner(seed)[0]).length();
                let turn = 1.0 - cross(other).normalize_or_zero().dot(forward);
                front.push(Reverse((((turn + far) * 1e6) as u64, other)));
            }
        }
        charts.push(chart);
    }
    charts
}

impl Chart {
    /// Turns the chart so that its bounding box is smallest, and moves the box to the origin;
    /// returns its size.
    fn settle(&mut self) -> DVec2 {
        let bounds = |turn: DVec2| {
            let points = self.flat.iter().flatten().map(|&point| turn.rotate(point));
            points.fold((DVec2::MAX, DVec2::MIN), |(low, high), at| (low.min(at), high.max(at)))
        };
        let mut best = (f64::MAX, DVec2::X);
        for step in 0..30 {
            let angle = f64::from(step) * std::f64::consts::PI / 30.0;
            let turn = DVec2::new(crate::scalar::cos(angle), crate::scalar::sin(angle));
            let (low, high) = bounds(turn);
            let size = high - low;
            let upright = if size.y > size.x { 1.0 } else { 1.000_1 };
            if size.x * size.y * upright < best.0 {
                best = (size.x * size.y * upright, turn);
            }
        }
        let (low, high) = bounds(best.1);
        for corners in &mut self.flat {
            // v grows down: the chart's up becomes the picture's up, and no chart is mirrored.
            *corners = corners.map(|point| {
                let turned = best.1.rotate(point);
                DVec2::new(turned.x - low.x, high.y - turned.y)
            });
        }
        high - low
    }

    /// The grid cells that the chart touches at `cells_per_unit`, as one bit row per line, with one
    /// free cell around.
    fn stamp(&self, cells_per_unit: f64, size: DVec2) -> Option<Vec<u128>> {
        let (width, height) =
            ((size.x * cells_per_unit) as usize + 3, (size.y * cells_per_unit) as usize + 3);
        if width > GRID || height > GRID {
            return None;
        }
        let mut rows = vec![0_u128; height];
        for corners in &self.flat {
            let at = corners.map(|point| point * cells_per_unit + DVec2::ONE);
            let low = at[0].min(at[1]).min(at[2]);
            let high = at[0].max(at[1]).max(at[2]);
            let (first, last) = (low.y as usize, high.y as usize);
            for (y, row) in rows.iter_mut().enumerate().take(last + 1).skip(first) {
                for x in low.x as usize..=high.x as usize {
                    let middle = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
                    let near = (0..3).all(|i| {
                        let edge = at[(i + 1) % 3] - at[i];
                        let reach = 0.71 * edge.length();
                        edge.perp_dot(middle - at[i]) < reach
                    });
                    if near {
                        *row |= 1_u128 << x;
                    }
                }
            }
        }
        let wide: Vec<u128> = rows.iter().map(|row| row | row << 1 | row >> 1).collect();
        Some(
            (0..height)
                .map(|y| {
                    wide[y] | if y > 0 { wide[y - 1] } else { 0 } | wide.get(y + 1).unwrap_or(&0)
                })
                .collect(),
        )
    }
}

/// Places the stamps one after the other, each at the first free spot. None if they do not fit.
fn pack(stamps: &[Vec<u128>]) -> Option<Vec<(usize, usize)>> {
    let mut used = [0_u128; GRID];
    let mut spots = Vec::with_capacity(stamps.len());
    for stamp in stamps {
        let width = stamp.iter().map(|row| 128 - row.leading_zeros()).max().unwrap_or(0) as usize;
        let spot =
            (0..=GRID - stamp.len()).flat_map(|y| (0..=GRID - width).map(move |x| (x, y))).find(
                |&(x, y)| stamp.iter().zip(&used[y..]).all(|(row, taken)| row << x & taken == 0),
            )?;
        for (row, taken) in stamp.iter().zip(&mut used[spot.1..]) {
            *taken |= row << spot.0;
        }
        spots.push(spot);
    }
    Some(spots)
}

/// Lays all faces of `shell` into one texture. `density` is the factor by which a chart at a
/// position is finer than plain.
pub(crate) fn unwrap(shell: &Shell, density: &dyn Fn(DVec3) -> f64) -> Atlas {
    let mut charts = grow(shell);
    for chart in &mut charts {
        let places = chart.faces.iter().flat_map(|&face| shell.faces[face as usize]);
        let middle = places.map(|vertex| shell.places[vertex as usize]).sum::<DVec3>()
            / (chart.faces.len() as f64 * 3.0);
        let finer = density(middle);
        for corners in &mut chart.flat {
            *corners = corners.map(|point| point * finer);
        }
    }
    let sizes: Vec<DVec2> = charts.iter_mut().map(Chart::settle).collect();
    let mut order: Vec<usize> = (0..charts.len()).collect();
    order.sort_by_key(|&chart| Reverse(((sizes[chart].max_element() * 1e6) as u64, chart)));
    let (mut low, mut high) = (0.0_f64, 400.0_f64);
    let mut found = None;
    for _ in 0..11 {
        let cells = (low + high) * 0.5;
        let stamps: Option<Vec<_>> =
            order.iter().map(|&chart| charts[chart].stamp(cells, sizes[chart])).collect();
        if let Some(spots) = stamps.as_deref().and_then(pack) {
            (low, found) = (cells, Some(spots));
        } else {
            high = cells;
        }
    }
    let spots = found.expect("an atlas of very small charts fits");
    let count = shell.faces.len();
    let mut atlas = Atlas {
        chart: vec![0; count],
        texcoords: vec![[DVec2::ZERO; 3]; count],
        scale: low / GRID as f64,
    };
    for (&chart, &(x, y)) in order.iter().zip(&spots) {
        let corner = DVec2::new(x as f64 + 1.0, y as f64 + 1.0);
        for (&face, flat) in charts[chart].faces.iter().zip(&charts[chart].flat) {
            atlas.chart[face as usize] = chart as u32;
            atlas.texcoords[face as usize] = flat.map(|point| (point * low + corner) / GRID as f64);
        }
    }
    atlas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Field, Part};
    use crate::tetra::surface;

    /// A ball with an arm that bends over it: charts with the same direction overlap.
    fn hooked() -> Shell {
        let at = DVec3::new;
        let field = Field::new(vec![
            Part::egg(DVec3::ZERO, DVec3::splat(0.3), 1, 0.0),
            Part::limb(at(0.25, 0.0, 0.0), at(0.45, 0.0, 0.4), 0.08, 0.08, 1, 0.05),
            Part::limb(at(0.45, 0.0, 0.4), at(-0.2, 0.0, 0.45), 0.08, 0.05, 1, 0.02),
        ]);
        surface(&field, 0.05)
    }

    #[test]
    fn charts_do_not_overlap_and_stay_in_the_atlas() {
        const SIZE: usize = 512;
        let shell = hooked();
        let atlas = unwrap(&shell, &|_| 1.0);
        let mut owner = vec![u32::MAX; SIZE * SIZE];
        for (face, texcoords) in (0_u32..).zip(&atlas.texcoords) {
            let middle = (texcoords[0] + texcoords[1] + texcoords[2]) / 3.0;
            assert!(middle.cmpge(DVec2::ZERO).all() && middle.cmple(DVec2::ONE).all());
            for (texel, shares) in crate::bake::texels_of(texcoords, SIZE) {
                if shares.iter().all(|&share| share > 0.02) {
                    assert_eq!(owner[texel], u32::MAX, "faces {face} and {}", owner[texel]);
                    owner[texel] = face;
                }
            }
        }
        assert!(owner.iter().filter(|&&face| face != u32::MAX).count() > SIZE * SIZE / 4);
    }

    #[test]
    fn charts_keep_eight_texels_between_each_other() {
        const SIZE: i64 = 512;
        let shell = hooked();
        let atlas = unwrap(&shell, &|_| 1.0);
        let mut owner = vec![u32::MAX; (SIZE * SIZE) as usize];
        for (face, texcoords) in atlas.texcoords.iter().enumerate() {
            for (texel, _) in crate::bake::texels_of(texcoords, SIZE as usize) {
                owner[texel] = atlas.chart[face];
            }
        }
        for at in 0..SIZE * SIZE {
            for (dx, dy) in [(4, 0), (0, 4), (7, 0), (0, 7), (4, 4), (4, -4)] {
                let (x, y) = (at % SIZE + dx, at / SIZE + dy);
                if x < SIZE && (0..SIZE).contains(&y) {
                    let (a, b) = (owner[at as usize], owner[(y * SIZE + x) as usize]);
                    assert!(a == b || a == u32::MAX || b == u32::MAX, "charts {a} and {b} touch");
                }
            }
        }
    }
}
