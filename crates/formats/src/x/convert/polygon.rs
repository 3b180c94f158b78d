//! Polygons of a mesh: runs of indices.

use super::values::{Values, or_warn};
use crate::x::error::XError;
use tintype_base::amount::counted_as;
use tintype_model::Warning;

/// Polygons: runs of indices.
#[derive(Default)]
pub(super) struct Faces {
    /// Start of each polygon; one entry more than polygons.
    pub(super) start: Vec<usize>,
    pub(super) corners: Vec<u32>,
    /// Polygons emptied because of a missing corner.
    pub(super) left_out: usize,
}

impl Faces {
    /// Reads a count, and for each polygon a count and as many indices below `count`; `cost`
    /// describes the fate of a polygon with missing corners.
    pub(super) fn read(
        values: &mut Values<'_>,
        count: usize,
        noun: &str,
        cost: &str,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, XError> {
        let mut faces = Self { start: vec![0], corners: Vec::new(), left_out: 0 };
        let mut first: Option<XError> = None;
        let declared =
            or_warn(values.count("the count of faces", 1), "they are skipped", warnings)?;
        for face in 0..declared {
            let corners = match values.count("the count of a face's corners", 1) {
                Ok(corners) => corners,
                wrong => {
                    let cost =
                        format!("it and the {} faces after it are skipped", declared - face - 1);
                    or_warn(wrong, &cost, warnings)?;
                    break;
                }
            };
            values.before(corners + 1)?;
            let (begin, next) = (faces.corners.len(), values.at() + corners);
            for _ in 0..corners {
                match values.index("a corner of a face", count, noun) {
                    Ok(corner) => faces.corners.push(corner),
                    Err(error) => {
                        first.get_or_insert(error);
                        faces.corners.truncate(begin);
                        faces.left_out += 1;
                        break;
                    }
                }
            }
            values.go_to(next);
            faces.start.push(faces.corners.len());
        }
        if let Some(error) = first {
            let cost = format!("{} {cost}", counted_as(faces.left_out, "face is", "faces are"));
            or_warn(Err::<(), _>(error), &cost, warnings)?;
        }
        Ok(faces)
    }

    /// Empties polygons with such a corner.
    pub(super) fn leave_out(&mut self, is_lost: impl Fn(u32) -> bool) {
        let old = std::mem::replace(self, Self { start: vec![0], ..Self::default() });
        for face in 0..old.len() {
            let corners = old.face(face);
            if !corners.iter().any(|corner| is_lost(*corner)) {
                self.corners.extend_from_slice(corners);
            }
            self.start.push(self.corners.len());
        }
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
