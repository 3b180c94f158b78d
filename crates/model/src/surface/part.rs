//! A part of a mesh, with the vertices that its triangles use.

use crate::mesh::{BindSource, FileShape, Mesh};
use crate::morph::{MorphTarget, MorphTargets};
use std::sync::Arc;

impl Mesh {
    /// The triangles selected by `keep`, with their vertices, as a mesh of another material.
    ///
    /// Vertices stay in order. A part of a closed mesh counts as closed: its back faces are hidden
    /// by the rest.
    #[must_use]
    pub fn part(&self, material_name: &str, keep: &dyn Fn(usize) -> bool) -> Self {
        const UNUSED: u32 = u32::MAX;
        let kept: Vec<[u32; 3]> = (self.triangles.iter().enumerate())
            .filter_map(|(index, &triangle)| keep(index).then_some(triangle))
            .collect();
        let mut number = vec![UNUSED; self.vertex_count()];
        for &vertex in kept.iter().flatten() {
            number[vertex as usize] = 0;
            number[self.file_vertex(vertex) as usize] = 0; // a copy stands behind its original
        }
        let used: Vec<usize> =
            (0..self.vertex_count()).filter(|&vertex| number[vertex] != UNUSED).collect();
        for (new, &old) in (0_u32..).zip(&used) {
            number[old] = new;
        }
        let mut part = Self {
            name: self.name.clone(),
            material_name: material_name.to_owned(),
            texcoords: used.iter().map(|&old| self.texcoords[old]).collect(),
            second_texcoords: used
                .iter()
                .filter_map(|&old| self.second_texcoords.get(old).copied())
                .collect(),
            colors: used.iter().filter_map(|&old| self.colors.get(old).copied()).collect(),
            bitangent_sign: used.iter().map(|&old| self.bitangent_sign[old]).collect(),
            influence_start: vec![0],
            triangles: kept.iter().map(|face| face.map(|vertex| number[vertex as usize])).collect(),
            closed: self.closed,
            is_faceted: self.is_faceted,
            is_outline_hull: self.is_outline_hull,
            unweighted_vertices: self
                .unweighted_vertices
                .iter()
                .map(|&old| number[old as usize])
                .filter(|&new| new != UNUSED)
                .collect(),
            texcoord_sets: self.texcoord_sets,
            shown_by: self.shown_by.clone(),
            source: self.source.as_deref().map(|source| Arc::new(source.part(&used, keep))),
            ..Self::default()
        };
        part.morph = self.morph.as_deref().map(|morph| Arc::new(morph_part(self, morph, &used)));
        part.dual = self.dual.as_deref().map(|dual| {
            let ways = used.iter().flat_map(|&vertex| &dual.way_of[self.influences_of(vertex)]);
            Arc::new(dual.part(&used, ways.copied().collect()))
        });
        for old in used {
            let range = self.influences_of(old);
            part.influences.extend_from_slice(&self.influences[range.clone()]);
            part.tangent.extend_from_slice(&self.tangent[range]);
            part.influence_start
                .push(u32::try_from(part.influences.len()).expect("no more than the whole"));
            if old >= self.file_vertex_count() {
                let original = self.source_vertex[old - self.file_vertex_count()];
                part.source_vertex.push(number[original as usize]);
            }
        }
        part
    }
}

impl BindSource {
    /// The geometry of some vertices, in that order, and of the triangles selected by `keep`.
    fn part(&self, used: &[usize], keep: &dyn Fn(usize) -> bool) -> Self {
        let known = || used.iter().copied().filter(|&vertex| vertex < self.positions.len());
        let polygons = self.shape.polygons.iter().enumerate();
        let shape = FileShape {
            points: known().filter_map(|vertex| self.shape.points.get(vertex).copied()).collect(),
            polygons: polygons.filter(|(at, _)| keep(*at)).map(|(_, polygon)| *polygon).collect(),
        };
        Self {
            shape,
            positions: known().map(|vertex| self.positions[vertex]).collect(),
            normals: known().filter_map(|vertex| self.normals.get(vertex).copied()).collect(),
            offsets: self.offsets.clone(),
        }
    }
}

/// The morph targets of the vertices `used`.
fn morph_part(mesh: &Mesh, morph: &MorphTargets, used: &[usize]) -> MorphTargets {
    let target = |target: &MorphTarget| {
        MorphTarget::new(target.weight, used.len(), |vertex| target.offsets_of(used[vertex]))
    };
    let ways = used.iter().flat_map(|&vertex| &morph.carrier_of[mesh.influences_of(vertex)]);
    MorphTargets {
        targets: morph.targets.iter().map(target).collect(),
        carriers: morph.carriers.clone(),
        carrier_of: ways.copied().collect(),
    }
}
