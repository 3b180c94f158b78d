//! Points and transforms of the file in our axes.

use tintype_model::math::{Affine3, Mat3, Vec3};

/// A point of the file in our axes.
#[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of a number up to 1e9")]
pub(super) fn our_point(point: [f64; 3]) -> Vec3 {
    let [x, y, z] = point;
    Vec3::new(x as f32, y as f32, -z as f32)
}

/// A transform of the file, as rows for row vectors, in our axes and for column vectors.
pub(super) fn our_transform(rows: &[[f64; 4]; 4]) -> Affine3 {
    let [x, y, z, position] = rows.map(|[x, y, z, _]| our_point([x, y, z]));
    Affine3 { matrix3: Mat3::from_cols(x, y, -z), translation: position }
}
