//! A camera in the notation of computer vision: a matrix of intrinsics and one of extrinsics.

use super::{CameraRig, ClipPlanes, MatrixCamera};
use crate::bounds::{COORDINATE, narrow};
use crate::reader::{Item, Table};
use crate::words::PROJECTION_WORDS;
use tintype_model::math::{Mat3, Vec3, min};
use tintype_model::{Camera, CameraConvention, FovAxis, Lens};

const MATRIX_3X3: &str = "[[fx, skew, cx], [0, fy, cy], [0, 0, 1]]";
const MATRIX_3X4: &str = "three rows [r, r, r, t], from world space to camera space";

/// A matrix as rows.
fn rows<const R: usize, const C: usize>(item: &Item<'_>, expected: &str) -> Option<[[f64; C]; R]> {
    let mut found = [[0.0; C]; R];
    for (row, into) in item.array_of::<R>(expected)?.iter().zip(&mut found) {
        for (number, into) in row.array_of::<C>(expected)?.iter().zip(into) {
            *into = number.number_within(COORDINATE)?;
        }
    }
    Some(found)
}

fn read_intrinsics(item: &Item<'_>) -> Option<[f64; 5]> {
    let [[fx, skew, cx], [zero, fy, cy], last] = rows(item, MATRIX_3X3)?;
    if fx <= 0.0 || fy <= 0.0 || zero != 0.0 || last != [0.0, 0.0, 1.0] {
        let message = format!("{} is not a matrix of intrinsics", item.describe());
        return item.invalid(message, format!("expected {MATRIX_3X3} with fx and fy above 0"));
    }
    Some([fx, skew, cx, fy, cy])
}

/// Maximum error of a product of two rows of a rotation.
const ROTATION_SLACK: f64 = 1e-3;

fn read_extrinsics(item: &Item<'_>) -> Option<[[f64; 4]; 3]> {
    let found: [[f64; 4]; 3] = rows(item, MATRIX_3X4)?;
    let dot = |a: usize, b: usize| (0..3).map(|k| found[a][k] * found[b][k]).sum::<f64>();
    let is_near = |value: f64, wanted: f64| (value - wanted).abs() <= ROTATION_SLACK;
    let is_square =
        (0..3).all(|row| is_near(dot(row, row), 1.0) && is_near(dot(row, (row + 1) % 3), 0.0));
    let [a, b, c] = found;
    let volume = a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0]);
    if !is_square || volume < 0.0 {
        let message = "the first three columns are not a rotation";
        return item
            .invalid(message, "rows must have length 1 and be at right angles, not mirrored");
    }
    Some(found)
}

/// Reads a camera of the kind `matrix`.
pub(super) fn read(table: &Table<'_>, planes: ClipPlanes) -> Option<MatrixCamera> {
    let intrinsics = table.require("k", MATRIX_3X3, read_intrinsics);
    let extrinsics = table.require("rt", MATRIX_3X4, read_extrinsics);
    let expected = "[width, height] of the picture that k describes";
    let size = table.require("k_size", expected, |item| {
        let sides = item.array_of::<2>(expected)?;
        let [width, height] = sides
            .map(|side| side.whole_within(1..=65_535_u32, "a whole number", "expected 1 to 65535"));
        Some([width?, height?])
    });
    let convention =
        table.get("convention", |item| item.word("convention", CameraConvention::WORDS));
    let projection = table.get("projection", |item| item.word("projection", PROJECTION_WORDS));
    Some(MatrixCamera {
        intrinsics: intrinsics?,
        size: size?,
        extrinsics: extrinsics?,
        convention: convention.unwrap_or(CameraConvention::OpenCv),
        is_orthographic: projection.unwrap_or(false),
        planes,
    })
}

impl MatrixCamera {
    /// The camera in any frame.
    pub(super) fn camera(&self) -> Camera {
        let [width, height] = self.size.map(f64::from);
        let [fx, skew, cx, fy, cy] = self.intrinsics;
        let lens = Lens {
            half: [width / (2.0 * fx), height / (2.0 * fy)].map(narrow),
            skew: narrow(-2.0 * skew / width),
            shift: [2.0 * cx / width - 1.0, 1.0 - 2.0 * cy / height].map(narrow),
            is_orthographic: self.is_orthographic,
        };
        let turn = self.convention.view_signs();
        let row = |row: usize| self.extrinsics[row].map(|value| value * turn[row]);
        let rows = [row(0), row(1), row(2)];
        let axes = rows.map(|[x, y, z, _]| Vec3::new(narrow(x), narrow(y), narrow(z)));
        let eye = [0, 1, 2].map(|k| narrow(-rows.iter().map(|row| row[k] * row[3]).sum::<f64>()));
        let far = self.planes.far.map_or(f32::INFINITY, narrow);
        let near = match self.planes.near {
            None if self.is_orthographic => f32::NEG_INFINITY,
            near => min(narrow(near.unwrap_or(CameraRig::MATRIX_NEAR)), far * 0.5),
        };
        Camera {
            eye: Vec3::from_array(eye),
            world_from_view: Mat3::from_cols(axes[0], axes[1], axes[2]),
            fov: FovAxis::Matrix(lens),
            near,
            far,
        }
    }
}
