//! Paints the textures of a figure: colour, normal map and highlight, texel by texel.
//!
//! Input: shells with texture coordinates, their fields, and a paint. Output: three pictures. A
//! texel is mapped to its position on the true surface of the field and painted there; neighbouring
//! charts therefore agree, and the normal map stores details that the triangles are too coarse for:
//! the field's exact direction, and the paint's relief.

use crate::charts::Atlas;
use crate::field::{Field, openness};
use crate::picture::{Picture, normal_texel, solid};
use crate::scalar::{Rgb, acos, hold, max, mix, scale_rgb};
use crate::tetra::Shell;
use glam::{DVec2, DVec3};
use rayon::prelude::*;

/// A position to paint.
pub(crate) struct Spot {
    /// On the surface, in model space.
    pub place: DVec3,
    /// Outwards.
    pub normal: DVec3,
    /// The part's paint number.
    pub region: u8,
    /// Openness of the surface, 0..=1.
    pub open: f64,
}

/// Paint.
#[derive(Clone, Copy)]
pub(crate) struct Coat {
    /// Before the shade of folds.
    pub color: Rgb,
    /// Colour of the highlight.
    pub shine: Rgb,
    /// Relief above the surface, in model units.
    pub height: f64,
}

/// A shell with its field.
pub(crate) struct Piece {
    /// The triangles.
    pub shell: Shell,
    /// The body.
    pub field: Field,
}

/// The three textures of a figure.
pub(crate) struct Textures {
    /// Colour, sRGB.
    pub color: Picture,
    /// Tangent space, linear, green against v.
    pub normal: Picture,
    /// Highlight, sRGB.
    pub shine: Picture,
}

/// All shells as one, and for each face the number of its piece.
pub(crate) fn merged(pieces: &[Piece]) -> (Shell, Vec<usize>) {
    let (mut whole, mut owner) = (Shell::default(), Vec::new());
    for (index, piece) in pieces.iter().enumerate() {
        let first = whole.places.len() as u32;
        whole.places.extend(&piece.shell.places);
        whole.faces.extend(piece.shell.faces.iter().map(|face| face.map(|vertex| vertex + first)));
        owner.resize(whole.faces.len(), index);
    }
    (whole, owner)
}

/// Smooth normals of a shell, each face weighted with its angle.
pub(crate) fn normals(shell: &Shell) -> Vec<DVec3> {
    let mut sum = vec![DVec3::ZERO; shell.places.len()];
    for face in &shell.faces {
        let corner = face.map(|vertex| shell.places[vertex as usize]);
        for i in 0..3 {
            let (left, right) = (corner[(i + 1) % 3] - corner[i], corner[(i + 2) % 3] - corner[i]);
            let cosine = left.normalize_or_zero().dot(right.normalize_or_zero());
            let angle = acos(cosine);
            sum[face[i] as usize] += left.cross(right).normalize_or_zero() * angle;
        }
    }
    sum.into_iter().map(|normal| normal.normalize_or(DVec3::Z)).collect()
}

/// Directions of growing u, per face corner, averaged within each chart.
fn tangents(shell: &Shell, atlas: &Atlas, normals: &[DVec3]) -> Vec<[DVec3; 3]> {
    let along_u = |face: usize| {
        let [a, b, c] = shell.faces[face].map(|vertex| shell.places[vertex as usize]);
        let [ua, ub, uc] = atlas.texcoords[face];
        let (du, dv) = (ub - ua, uc - ua);
        let area = du.perp_dot(dv);
        (((b - a) * dv.y - (c - a) * du.y) * area.signum()).normalize_or(DVec3::X)
    };
    // (vertex, chart) sorted, so that the sum runs in one order.
    let mut corners: Vec<(u32, u32, usize)> = Vec::new();
    for (face, vertices) in shell.faces.iter().enumerate() {
        corners.extend(vertices.iter().map(|&vertex| (vertex, atlas.chart[face], face)));
    }
    corners.sort_unstable();
    let mut result = vec![[DVec3::X; 3]; shell.faces.len()];
    for group in corners.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let sum: DVec3 = group.iter().map(|&(_, _, face)| along_u(face)).sum();
        let normal = normals[group[0].0 as usize];
        let tangent =
            (sum - normal * normal.dot(sum)).normalize_or(normal.any_orthonormal_vector());
        for &(vertex, _, face) in group {
            let slot = shell.faces[face].iter().position(|&other| other == vertex);
            result[face][slot.expect("the face has this corner")] = tangent;
        }
    }
    result
}

/// Samples along a side of a texel; their mean softens the borders of paints.
const FINER: usize = 2;

/// Paints a figure of `size` by `size` texels; folds are darker.
pub(crate) fn bake(
    pieces: &[Piece],
    shell: &Shell,
    owner: &[usize],
    atlas: &Atlas,
    size: usize,
    paint: &(dyn Fn(&Spot) -> Coat + Sync),
) -> Textures {
    let normals = normals(shell);
    let tangents = tangents(shell, atlas, &normals);
    let fields: Vec<&Field> = pieces.iter().map(|piece| &piece.field).collect();
    let painted: Vec<Vec<(usize, [[f64; 4]; 3])>> = (0..shell.faces.len())
        .into_par_iter()
        .map(|face| {
            let frame = FaceFrame {
                corner: shell.faces[face].map(|vertex| shell.places[vertex as usize]),
                normal: shell.faces[face].map(|vertex| normals[vertex as usize]),
                tangent: tangents[face],
            };
            let own = fields[owner[face]];
            texels_of(&atlas.texcoords[face], size * FINER)
                .into_iter()
                .map(|(index, shares)| (index, frame.paint(shares, own, &fields, paint)))
                .collect()
        })
        .collect();
    let mut sums = vec![([[0.0; 4]; 3], 0.0); size * size];
    for (index, coats) in painted.into_iter().flatten() {
        let (x, y) = (index % (size * FINER) / FINER, index / (size * FINER) / FINER);
        let (sum, count) = &mut sums[y * size + x];
        for (sum, coat) in sum.iter_mut().zip(coats) {
            *sum = std::array::from_fn(|part| sum[part] + coat[part]);
        }
        *count += 1.0;
    }
    let mut textures = Textures {
        color: Picture::new(size, size),
        normal: Picture::new(size, size),
        shine: Picture::new(size, size),
    };
    let done: Vec<bool> = sums.iter().map(|&(_, count)| count > 0.0).collect();
    for (index, (sum, count)) in sums.into_iter().enumerate().filter(|(_, (_, count))| *count > 0.0)
    {
        let [color, normal, shine] = sum.map(|coat| coat.map(|part| part / count));
        textures.color.texels[index] = color;
        textures.normal.texels[index] = normal;
        textures.shine.texels[index] = shine;
    }
    for picture in [&mut textures.color, &mut textures.normal, &mut textures.shine] {
        spread(picture, &done);
    }
    textures
}

/// Texels whose centres lie in a triangle of the atlas, with their barycentric coordinates.
pub(crate) fn texels_of(texcoords: &[DVec2; 3], size: usize) -> Vec<(usize, [f64; 3])> {
    let at = texcoords.map(|uv| uv * size as f64);
    let (low, high) = (at[0].min(at[1]).min(at[2]), at[0].max(at[1]).max(at[2]));
    let whole = (at[1] - at[0]).perp_dot(at[2] - at[0]);
    let mut found = Vec::new();
    for y in low.y as usize..=(high.y as usize).min(size - 1) {
        for x in low.x as usize..=(high.x as usize).min(size - 1) {
            let center = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            let part = |a: DVec2, b: DVec2| (b - a).perp_dot(center - a) / whole;
            let shares = [part(at[1], at[2]), part(at[2], at[0]), part(at[0], at[1])];
            if shares.iter().all(|&share| share >= 0.0) {
                found.push((y * size + x, shares));
            }
        }
    }
    found
}

/// A triangle with what its corners know.
struct FaceFrame {
    corner: [DVec3; 3],
    normal: [DVec3; 3],
    tangent: [DVec3; 3],
}

impl FaceFrame {
    fn paint(
        &self,
        shares: [f64; 3],
        own: &Field,
        fields: &[&Field],
        paint: &(dyn Fn(&Spot) -> Coat + Sync),
    ) -> [[f64; 4]; 3] {
        const STEP: f64 = 0.001_5;
        const SHADE: f64 = 0.62;
        let blend = |values: &[DVec3; 3]| -> DVec3 {
            values.iter().zip(shares).map(|(&value, share)| value * share).sum()
        };
        let normal = blend(&self.normal).normalize_or(DVec3::Z);
        let tangent = blend(&self.tangent);
        let tangent = (tangent - normal * normal.dot(tangent)).normalize_or(DVec3::X);
        let bitangent = normal.cross(tangent);
        let place = own.project(blend(&self.corner), 0.02);
        let outward = own.normal(place);
        // A fold that the triangles bridge has a different normal, which must not turn away from
        // the face.
        let outward = if outward.dot(normal) > 0.15 { outward } else { normal };
        let open = openness(fields, place, outward);
        let coat_at =
            |place: DVec3| paint(&Spot { place, normal: outward, region: own.region(place), open });
        let coat = coat_at(place);
        let side = (tangent - outward * outward.dot(tangent)).normalize_or(DVec3::X);
        let up = outward.cross(side);
        let slope = |along: DVec3| {
            let (ahead, behind) = (place + along * STEP, place - along * STEP);
            hold((coat_at(ahead).height - coat_at(behind).height) / (2.0 * STEP), -1.2, 1.2)
        };
        let relief = (outward - side * slope(side) - up * slope(up)).normalize_or(outward);
        let local = DVec3::new(relief.dot(tangent), relief.dot(bitangent), relief.dot(normal));
        let local = DVec3::new(local.x, local.y, max(local.z, 0.12)).normalize_or(DVec3::Z);
        let shade = mix(1.0 - SHADE, 1.0, open);
        [
            solid(scale_rgb(coat.color, shade)),
            normal_texel(local.to_array()),
            solid(scale_rgb(coat.shine, shade)),
        ]
    }
}

/// Fills the space between charts from their edges, so that filtering finds no foreign colour.
fn spread(picture: &mut Picture, done: &[bool]) {
    const ROUNDS: usize = 20;
    let (width, height) = (picture.width, picture.height);
    let mut known = done.to_vec();
    for _ in 0..ROUNDS {
        let before = known.clone();
        for y in 0..height {
            for x in 0..width {
                if before[y * width + x] {
                    continue;
                }
                let (mut sum, mut count) = ([0.0; 4], 0.0);
                for ny in y.saturating_sub(1)..=(y + 1).min(height - 1) {
                    for nx in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                        let near = ny * width + nx;
                        if before[near] {
                            let texel = picture.texels[near];
                            sum = std::array::from_fn(|part| sum[part] + texel[part]);
                            count += 1.0;
                        }
                    }
                }
                if count > 0.0 {
                    picture.texels[y * width + x] = sum.map(|part| part / count);
                    known[y * width + x] = true;
                }
            }
        }
    }
    // The remaining area is flat and compresses well.
    let used: Vec<[f64; 4]> =
        picture.texels.iter().zip(done).filter(|&(_, &is)| is).map(|(&texel, _)| texel).collect();
    let mut mean = [0.0; 4];
    for texel in &used {
        mean = std::array::from_fn(|part| mean[part] + texel[part] / used.len() as f64);
    }
    for (texel, is) in picture.texels.iter_mut().zip(known) {
        if !is {
            *texel = mean;
        }
    }
}
