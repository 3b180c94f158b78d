//! From fields to figures: triangles, texture coordinates, textures and MD5 meshes.
//!
//! Input: the parts of each piece of a figure, their joints, and the paint. Output: [`Mesh`]es with
//! a common atlas, and its [`Textures`].

use crate::bake::{Coat, Piece, Spot, Textures, bake, merged};
use crate::bind::Hold;
use crate::charts::{Atlas, unwrap};
use crate::decimate::decimate;
use crate::field::{Field, Part};
use crate::md5_text::Mesh;
use crate::scalar::max;
use crate::tetra::{Shell, surface};
use glam::DVec3;

/// Meshing of a piece.
pub(crate) struct Detail<'a> {
    /// Edge of a sampling cube; details thinner than two of them disappear.
    pub cell: f64,
    /// Target number of triangles.
    pub triangles: usize,
    /// No edge becomes longer.
    pub longest: f64,
    /// 1 for plain positions, more where more triangles should stay.
    pub importance: &'a dyn Fn(DVec3) -> f64,
}

/// Meshes the union of `parts`.
pub(crate) fn shape(parts: Vec<Part>, detail: &Detail) -> Piece {
    let field = Field::new(parts);
    let fine = surface(&field, detail.cell);
    assert!(
        fine.is_closed() && fine.volume() > 0.0,
        "a marched shell is closed and faces outwards"
    );
    let shell = decimate(&fine, &field, detail.triangles, detail.longest, detail.importance);
    assert!(shell.is_closed() && shell.volume() > 0.0, "a decimated shell is still closed");
    Piece { shell, field }
}

/// A piece's looks and what moves it.
pub(crate) struct Dress {
    /// The shader name.
    pub shader: &'static str,
    /// Per position of the piece's shell.
    pub holds: Vec<Hold>,
}

/// Unwraps and paints the pieces into one texture with `size` texels per side, and makes a mesh of
/// each.
pub(crate) fn assemble(
    pieces: &[Piece],
    dresses: Vec<Dress>,
    size: usize,
    density: &dyn Fn(DVec3) -> f64,
    paint: &(dyn Fn(&Spot) -> Coat + Sync),
) -> (Vec<Mesh>, Textures) {
    let (whole, owner) = merged(pieces);
    let atlas = unwrap(&whole, density);
    check_density(&whole, &atlas, density);
    let textures = bake(pieces, &whole, &owner, &atlas, size, paint);
    let mut meshes: Vec<Mesh> = Vec::new();
    let mut first = 0;
    for (index, dress) in dresses.into_iter().enumerate() {
        let places = pieces[index].shell.places.clone();
        let mut mesh = Mesh { shader: dress.shader.into(), holds: dress.holds, ..Mesh::default() };
        let mut corners: Vec<(u32, u32)> = Vec::new();
        let faces: Vec<usize> =
            (0..whole.faces.len()).filter(|&face| owner[face] == index).collect();
        for &face in &faces {
            corners.extend(whole.faces[face].map(|vertex| (vertex - first, atlas.chart[face])));
        }
        corners.sort_unstable();
        corners.dedup();
        mesh.vertices = corners.iter().map(|&(vertex, _)| (vertex, glam::DVec2::ZERO)).collect();
        for &face in &faces {
            let triangle = whole.faces[face].map(|vertex| {
                let key = (vertex - first, atlas.chart[face]);
                corners.binary_search(&key).expect("collected above")
            });
            for (vertex, texcoord) in triangle.into_iter().zip(atlas.texcoords[face]) {
                mesh.vertices[vertex].1 = texcoord;
            }
            mesh.triangles.push(triangle.map(|vertex| vertex as u32));
        }
        first += places.len() as u32;
        mesh.places = places;
        meshes.push(mesh);
    }
    (meshes, textures)
}

/// A texel covers about the same area everywhere: no face has less than half the density of its
/// chart.
fn check_density(shell: &Shell, atlas: &Atlas, density: &dyn Fn(DVec3) -> f64) {
    let most = shell.places.iter().map(|&place| density(place)).fold(0.0, max);
    for (face, texcoords) in shell.faces.iter().zip(&atlas.texcoords) {
        let [a, b, c] = face.map(|vertex| shell.places[vertex as usize]);
        let [ua, ub, uc] = *texcoords;
        let area = (b - a).cross(c - a).length();
        let share = (ub - ua).perp_dot(uc - ua).abs() / (area * atlas.scale * atlas.scale);
        assert!(share > 0.45 && share < most * most * 1.01, "a face has {share} of the texels");
    }
}
