//! Position, rotation and scale of an instance or of a joint.

use crate::bounds::{Bounds, COORDINATE, DEGREES, narrow};
use crate::frame_number::FramePosition;
use crate::motion::{Allowed, Factors, Motion, Rotation, motion, rotation, row_of};
use crate::reader::{Item, Table};
use tintype_model::math::{Affine3, Mat3, Vec3};

/// Position, rotation and scale over time: scaled first, then rotated, then moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// Position of the origin.
    pub position: Motion,
    /// Rotation.
    pub rotation: Rotation,
    /// Factors along the axes before the rotation. Those of an instance are not 0, and negative
    /// ones mirror; those of a joint are 0 or more.
    pub scale: Motion,
    /// A transform instead of these three.
    pub matrix: Option<Affine3>,
}

impl Default for Placement {
    fn default() -> Self {
        Self {
            position: Motion::constant([0.0; 3]),
            rotation: Rotation::none(),
            scale: Motion::constant([1.0; 3]),
            matrix: None,
        }
    }
}

impl Placement {
    /// The transform in one frame.
    #[must_use]
    pub fn at(&self, frame: FramePosition) -> Affine3 {
        if let Some(matrix) = self.matrix {
            return matrix;
        }
        let scale = Mat3::from_diagonal(self.scale.vector_at(frame));
        let scaled = self.rotation.at(frame) * scale;
        Affine3::from_mat3_translation(scaled, self.position.vector_at(frame))
    }

    /// Moves it in the space of its position, at all times.
    pub(super) fn move_by(&mut self, offset: [f64; 3]) {
        self.position.move_by(offset);
        if let Some(matrix) = &mut self.matrix {
            matrix.translation += Vec3::from_array(offset.map(narrow));
        }
    }
}

/// Reads `position`, `rotation_deg` or `rotation`, and `scale`; or `matrix` instead of them.
pub(super) fn read(table: &Table<'_>) -> Placement {
    let mut placement = Placement::default();
    if let Some(item) = table.item("matrix") {
        for key in ["position", "rotation_deg", "rotation", "scale"] {
            table.refuse(key, "matrix", "a transform without matrix");
        }
        placement.matrix = matrix(&item);
        return placement;
    }
    read_parts(table, &mut placement, Factors::OfInstance);
    placement
}

/// Reads the present keys into a placement; `scale` has the allowed factors.
pub(super) fn read_parts(table: &Table<'_>, placement: &mut Placement, scale: Factors) {
    const SCALE: Bounds = Bounds::Within(-1e6, 1e6);
    if let Some(item) = table.item("position") {
        let position = motion(&item, Allowed { bounds: COORDINATE, factors: None });
        placement.position = position.unwrap_or_else(|| placement.position.clone());
    }
    if let Some(item) = table.item("rotation_deg") {
        table.refuse("rotation", "rotation_deg", "a rotation without rotation_deg");
        let angles = motion(&item, Allowed { bounds: DEGREES, factors: None });
        placement.rotation = angles.map_or_else(Rotation::none, Rotation::Angles);
    } else if let Some(item) = table.item("rotation") {
        placement.rotation = rotation(&item).unwrap_or_else(Rotation::none);
    }
    if let Some(item) = table.item("scale") {
        let allowed = Allowed { bounds: SCALE, factors: Some(scale) };
        placement.scale = motion(&item, allowed).unwrap_or_else(|| placement.scale.clone());
    }
}

/// Reads three or four rows of four numbers; the last column is the position, a fourth row is
/// `[0, 0, 0, 1]`.
fn matrix(item: &Item<'_>) -> Option<Affine3> {
    const EXPECTED: &str = "three or four rows of four numbers";
    let rows = item.array(EXPECTED)?;
    if rows.len() != 3 && rows.len() != 4 {
        return item.wrong_type(EXPECTED);
    }
    let read: Vec<[f64; 4]> = rows.iter().filter_map(row_of::<4>).collect();
    let (Some([x, y, z]), true) = (read.first_chunk::<3>(), read.len() == rows.len()) else {
        return None;
    };
    let is_last = |row: &[f64; 4]| {
        row.iter().zip([0.0, 0.0, 0.0, 1.0]).all(|(found, wanted)| (found - wanted).abs() < 1e-6)
    };
    if !read.get(3).is_none_or(is_last) {
        return item.invalid(
            "the fourth row of the matrix is not [0, 0, 0, 1]",
            "vectors are columns: the position is the fourth number of each row",
        );
    }
    let row = |[x, y, z, _]: [f64; 4]| Vec3::from_array([x, y, z].map(narrow));
    let linear = Mat3::from_cols(row(*x), row(*y), row(*z)).transpose();
    let [_, _, _, tx] = *x;
    let [_, _, _, ty] = *y;
    let [_, _, _, tz] = *z;
    if linear.determinant() == 0.0 {
        return item.invalid("the matrix flattens the model", "its determinant must not be 0");
    }
    Some(Affine3::from_mat3_translation(linear, Vec3::from_array([tx, ty, tz].map(narrow))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Ramp;

    const FIRST: FramePosition = FramePosition { k: 0, n: 1, time_s: 0.0 };

    #[test]
    fn placement_turns_about_z_then_x_then_y() {
        let placement = Placement {
            position: Motion::constant([10.0, 0.0, 0.0]),
            rotation: Rotation::Angles(Motion::constant([90.0; 3])),
            scale: Motion::constant([2.0; 3]),
            matrix: None,
        };
        let place = placement.at(FIRST).transform_point3(Vec3::X);
        // About z: +X to +Y. About x: +Y to +Z. About y: +Z to +X.
        assert!((place - Vec3::new(12.0, 0.0, 0.0)).length() < 1e-5, "{place}");
    }

    #[test]
    fn placement_follows_its_ranges() {
        let ramp = |from, to| Ramp::Range { from, to };
        let zero = Ramp::Constant(0.0);
        let placement = Placement {
            position: Motion::Ramps([ramp(0.0, 4.0), zero, zero]),
            rotation: Rotation::Angles(Motion::Ramps([zero, ramp(0.0, 360.0), zero])),
            ..Placement::default()
        };
        let at = |k| placement.at(FramePosition { k, n: 4, time_s: 0.0 });
        let ahead = at(1).transform_vector3(Vec3::X);
        assert!((ahead - Vec3::NEG_Z).length() < 1e-6, "{ahead}");
        assert_eq!(at(2).translation, Vec3::X * 2.0);
        assert_eq!(at(4).matrix3, at(0).matrix3);
    }
}
