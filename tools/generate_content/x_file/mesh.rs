//! A mesh with its normals, texture coordinates and material.
//!
//! Faces are clockwise from outside. The first vertices of the file are one for each position;
//! vertices added by a texture seam follow, and `VertexDuplicationIndices` names the originals of
//! these copies.

use super::axes::{COARSE, FINE, fine, vector, wholes};
use super::normal::normals;
use super::{Object, Value, counted};
use crate::md5_text::{Mesh, check};

/// Material of a mesh.
pub(crate) struct Look {
    /// The name of its material.
    pub name: &'static str,
    /// The picture, below the folder of the file.
    pub texture: String,
    /// Red, green, blue, as encoded for the screen.
    pub color: [f64; 3],
    /// The exponent of the highlight.
    pub power: f64,
    /// The colour of the highlight.
    pub specular: [f64; 3],
    /// Emitted light.
    pub emissive: [f64; 3],
}

/// The object of a mesh, named after its material, and the positions of its vertices in it.
pub(crate) fn mesh_object(mesh: &Mesh, look: &Look) -> (Object, Vec<u32>) {
    check(mesh);
    let Split { order, place_in_file } = Split::new(mesh);
    let vertex = |&at: &u32| &mesh.vertices[at as usize];
    let faces = |of: &dyn Fn(u32) -> u32| -> Vec<Value> {
        let face = |&[a, b, c]: &[u32; 3]| {
            Value::Struct(vec![Value::Whole(3), wholes([of(a), of(c), of(b)])])
        };
        counted(mesh.triangles.iter().map(face).collect())
    };
    let places = order.iter().map(|at| vector(mesh.places[vertex(at).0 as usize], FINE));
    let uvs = order.iter().map(|at| {
        let uv = vertex(at).1;
        Value::Struct(vec![Value::Real(uv.x, COARSE), Value::Real(uv.y, COARSE)])
    });
    let normals = normals(mesh);
    let directions = normals.list.iter().map(|&normal| vector(normal, COARSE));

    let mut values = counted(places.collect());
    values.extend(faces(&|vertex| place_in_file[vertex as usize]));
    let mut object = Object::new("Mesh", values).named(&format!("{}_mesh", look.name));
    let mut values = counted(directions.collect());
    values.extend(faces(&|vertex| normals.of_vertex[vertex as usize]));
    object.push(Object::new("MeshNormals", values));
    object.push(Object::new("MeshTextureCoords", counted(uvs.collect())));
    object.push(materials(mesh, look));
    let values = vec![
        Value::Whole(order.len() as u32),
        Value::Whole(mesh.places.len() as u32),
        wholes(order.iter().map(|at| vertex(at).0)),
    ];
    object.push(Object::new("VertexDuplicationIndices", values));
    (object, order)
}

/// The order of a mesh's vertices in the file: one of each position, in the order of positions,
/// then the others.
struct Split {
    order: Vec<u32>,
    place_in_file: Vec<u32>,
}

impl Split {
    fn new(mesh: &Mesh) -> Self {
        let mut first = vec![None; mesh.places.len()];
        let mut others = Vec::new();
        for (vertex, &(place, _)) in (0_u32..).zip(&mesh.vertices) {
            match &mut first[place as usize] {
                slot @ None => *slot = Some(vertex),
                Some(_) => others.push(vertex),
            }
        }
        let mut order: Vec<u32> =
            first.into_iter().map(|vertex| vertex.expect("each place has a vertex")).collect();
        order.extend(others);
        let mut place_in_file = vec![0; order.len()];
        for (at, &vertex) in (0_u32..).zip(&order) {
            place_in_file[vertex as usize] = at;
        }
        Self { order, place_in_file }
    }
}

fn materials(mesh: &Mesh, look: &Look) -> Object {
    let color = |[r, g, b]: [f64; 3], alpha: Option<f64>| {
        Value::Struct([r, g, b].into_iter().chain(alpha).map(fine).collect())
    };
    let mut material = Object::new(
        "Material",
        vec![
            color(look.color, Some(1.0)),
            fine(look.power),
            color(look.specular, None),
            color(look.emissive, None),
        ],
    )
    .named(look.name);
    material.push(Object::new("TextureFilename", vec![Value::Text(look.texture.clone())]));
    let of_faces = wholes(mesh.triangles.iter().map(|_| 0));
    let count = Value::Whole(mesh.triangles.len() as u32);
    let mut list = Object::new("MeshMaterialList", vec![Value::Whole(1), count, of_faces]);
    list.push(material);
    list
}
