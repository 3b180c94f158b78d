//! Vertices and faces of a mesh as numbered by its file: control points and polygons, if it has
//! these.

use std::collections::{BTreeMap, BTreeSet};
use tintype_model::{FileShape, Mesh};

/// The numbers of a mesh.
pub(super) struct Numbering {
    /// A vertex of the file for each number. None for points that no face uses.
    pub first: Vec<Option<usize>>,
    /// Corners and outlines of polygons, if the file has them.
    pub polygons: Option<Polygons>,
}

/// The polygons of a mesh.
pub(super) struct Polygons {
    /// Each corner of each polygon, by its control points: the point and its vertex.
    pub corners: Vec<(u32, usize)>,
    /// Each polygon.
    pub outlines: Vec<Outline>,
}

/// A polygon by its corners.
#[derive(Default)]
pub(super) struct Outline {
    /// Its number in the file.
    pub polygon: u32,
    /// The control points of its corners.
    points: BTreeSet<u32>,
    /// Its outer edges, each in its direction of traversal.
    edges: BTreeSet<(u32, u32)>,
}

impl Numbering {
    pub(super) fn of(mesh: &Mesh) -> Self {
        let count = mesh.file_vertex_count();
        let shape = mesh.source.as_deref().map(|source| &source.shape).filter(|shape| {
            !shape.points.is_empty()
                && shape.points.len() >= count
                && shape.polygons.len() == mesh.triangles.len()
        });
        let Some(shape) = shape else {
            return Self { first: (0..count).map(Some).collect(), polygons: None };
        };
        let all = shape.points.iter().take(count);
        let points = all.clone().max().map_or(0, |most| *most as usize + 1);
        let mut first = vec![None; points];
        for (vertex, &point) in all.enumerate() {
            first[point as usize].get_or_insert(vertex);
        }
        Self { first, polygons: Some(Polygons::of(mesh, shape)) }
    }

    /// The used numbers, each with a vertex of the file.
    pub(super) fn used(&self) -> impl Iterator<Item = (i64, usize)> {
        (0..).zip(&self.first).filter_map(|(number, vertex)| Some((number, (*vertex)?)))
    }

    /// The number of elements that have a mark.
    pub(super) fn len(&self, mesh: &Mesh) -> usize {
        let faces = self.polygons.as_ref().map_or(mesh.triangles.len(), |all| all.outlines.len());
        self.first.len() + faces
    }
}

impl Polygons {
    fn of(mesh: &Mesh, shape: &FileShape) -> Self {
        let mut found = Self { corners: Vec::new(), outlines: Vec::new() };
        let mut corners_of: BTreeMap<u32, BTreeSet<(u32, usize)>> = BTreeMap::new();
        for (triangle, &polygon) in mesh.triangles.iter().zip(&shape.polygons) {
            if found.outlines.last().is_none_or(|last| last.polygon != polygon) {
                found.outlines.push(Outline { polygon, ..Outline::default() });
            }
            let corners = triangle.map(|vertex| mesh.file_vertex(vertex) as usize);
            let points = corners.map(|vertex| shape.points[vertex]);
            corners_of.entry(polygon).or_default().extend(points.into_iter().zip(corners));
            let Some(outline) = found.outlines.last_mut() else { continue };
            outline.points.extend(points);
            let [a, b, c] = points;
            for (from, to) in [(a, b), (b, c), (c, a)] {
                // An edge used by two triangles is inside the polygon.
                if !outline.edges.remove(&(to, from)) {
                    outline.edges.insert((from, to));
                }
            }
        }
        found.corners = corners_of.into_values().flatten().collect();
        found
    }
}

impl Outline {
    /// Order-independent sum and digest of its points, and a digest of its edges.
    #[expect(clippy::cast_precision_loss, reason = "exact below 2^24, and else a digest alike")]
    pub(super) fn numbers(&self) -> [f32; 3] {
        let digest = |bytes: &[u8]| {
            let hash = blake3::hash(bytes);
            u32::from(hash.as_bytes()[0]) | u32::from(hash.as_bytes()[1]) << 8
        };
        let of_points = self.points.iter().map(|point| digest(&point.to_le_bytes()));
        [
            self.points.iter().map(|point| *point as f32).sum(),
            of_points.map(|digest| digest as f32).sum(),
            digest(&self.edge_bytes()) as f32,
        ]
    }

    /// Its edges as bytes.
    pub(super) fn edge_bytes(&self) -> Vec<u8> {
        let ends = self.edges.iter().flat_map(|(from, to)| [from, to]);
        ends.flat_map(|point| point.to_le_bytes()).collect()
    }
}
