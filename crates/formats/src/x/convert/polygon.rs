//! Polygons of a mesh: runs of indices.

use super::values::Values;
use crate::x::error::XError;

/// Polygons: runs of indices.
#[derive(Default)]
pub(super) struct Faces {
    /// Start of each polygon; one entry more than polygons.
    pub(super) start: Vec<usize>,
    pub(super) corners: Vec<u32>,
}

impl Faces {
    /// Reads a count, and for each polygon a count and as many indices below `count`.
    pub(super) fn read(values: &mut Values<'_>, count: usize, noun: &str) -> Result<Self, XError> {
        let mut faces = Self { start: vec![0], corners: Vec::new() };
        for _ in 0..values.count("the count of faces", 1)? {
            let corners = values.count("the count of a face's corners", 1)?;
            values.before(corners + 1)?;
            for _ in 0..corners {
                faces.corners.push(values.index("a corner of a face", count, noun)?);
            }
            faces.start.push(faces.corners.len());
        }
        Ok(faces)
    }

    pub(super) fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    pub(super) fn face(&self, face: usize) -> &[u32] {
        match (self.start.get(face), self.start.get(face + 1)) {
            (Some(&from), Some(&to)) => self.corners.get(from..to).unwrap_or_default(),
            _ => &[],
        }
    }
}
