//! Layer elements: attributes by corner, vertex or polygon, direct or by index.

use crate::fbx::tree::{Node, Value};

/// Part of the mesh that each value belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LayerMapping {
    Corner,
    Vertex,
    Polygon,
    All,
}

/// An attribute of a mesh.
pub(super) struct Layer {
    by: LayerMapping,
    width: usize,
    values: Vec<f64>,
    indices: Option<Vec<i64>>,
}

/// The layer elements of a kind in the order of their numbers, which may differ from the order in
/// the file.
pub(super) fn elements<'n, 'd>(geometry: &'n Node<'d>, kind: &str) -> Vec<&'n Node<'d>> {
    let of_kind = geometry.children.iter().filter(|child| child.name == kind);
    let mut elements: Vec<_> = of_kind.collect();
    elements.sort_by_key(|element| element.values.first().and_then(Value::int));
    elements
}

impl Layer {
    /// Reads the attribute of a record, with the names of its values and of their indices.
    ///
    /// # Errors
    /// The reason why it cannot be used.
    pub(super) fn read(
        record: &Node,
        values: &str,
        index: &str,
        width: usize,
    ) -> Result<Self, String> {
        let mapping = record.text_of("MappingInformationType");
        let mapping = mapping.or_else(|| record.text_of("MaterialAssignation"));
        let by = match mapping.as_deref() {
            Some("ByPolygonVertex") => LayerMapping::Corner,
            Some("ByVertice" | "ByVertex") => LayerMapping::Vertex,
            Some("ByPolygon") => LayerMapping::Polygon,
            Some("AllSame") => LayerMapping::All,
            Some(other) => return Err(format!("its values are {other:?}, which is not supported")),
            None => return Err("it does not say what its values belong to".to_owned()),
        };
        let found = record.reals_of(values)?;
        let values = found.ok_or_else(|| format!("it has no {values}"))?;
        // An attribute that is declared direct uses indices anyway if there are any, except in
        // files that are really direct.
        let is_direct = record.text_of("ReferenceInformationType").as_deref() == Some("Direct");
        let indices = if is_direct { None } else { record.ints_of(index)? };
        Ok(Self { by, width, values, indices })
    }

    /// Texture coordinates of files before 6000, where "by polygon" means by corners of polygons.
    ///
    /// # Errors
    /// The reason why they cannot be used.
    pub(super) fn of_old_texcoords(record: &Node) -> Result<Self, String> {
        let mut layer = Self::read(record, "TextureUV", "TextureUVVerticeIndex", 2)?;
        if layer.by == LayerMapping::Polygon {
            layer.by = LayerMapping::Corner;
        }
        Ok(layer)
    }

    /// Normals of old files, whose mapping follows from their count alone.
    ///
    /// # Errors
    /// The reason why they cannot be used.
    pub(super) fn of_old_normals(
        record: &Node,
        [vertices, corners]: [usize; 2],
        prefers_vertices: bool,
    ) -> Result<Self, String> {
        let (width, values) = (3, record.reals_of("Normals")?.unwrap_or_default());
        let count = values.len() / width;
        let by = match (count == vertices, count == corners) {
            (true, false) => LayerMapping::Vertex,
            (true, true) if prefers_vertices => LayerMapping::Vertex,
            (_, true) => LayerMapping::Corner,
            (false, false) => {
                return Err("its normal count matches neither its vertices nor its corners".into());
            }
        };
        Ok(Self { by, width, values, indices: None })
    }

    /// True if any of its colours is not black.
    pub(super) fn has_color(&self) -> bool {
        let mut colors = self.values.chunks(self.width);
        colors.any(|color| color.iter().take(3).any(|&part| part > 0.0))
    }

    /// The numbers of a corner, given its vertex and polygon. None if the file has none.
    pub(super) fn at(&self, corner: usize, vertex: usize, polygon: usize) -> Option<&[f64]> {
        let place = match self.by {
            LayerMapping::Corner => corner,
            LayerMapping::Vertex => vertex,
            LayerMapping::Polygon => polygon,
            LayerMapping::All => 0,
        };
        let place = match &self.indices {
            Some(indices) => usize::try_from(*indices.get(place)?).ok()?,
            None => place,
        };
        let first = place.checked_mul(self.width)?;
        self.values.get(first..first.checked_add(self.width)?)
    }
}

/// A number of a list; 0 beyond its end.
pub(super) fn number_at(list: &[f64], index: usize) -> f64 {
    list.get(index).copied().unwrap_or(0.0)
}
