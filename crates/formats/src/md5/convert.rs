//! Checks the mirrored files and turns them into [`tintype_model`] values in our axes.
//!
//! Axes, winding and the restored `w` are handled here only; the table is in [`super`].

pub(super) mod camera;
pub(super) mod clip;
pub(super) mod mesh;

use super::error::{Md5Error, indices};
use crate::text::SourcePosition;
use crate::text::quoted;
use tintype_base::amount::counted_as;
use tintype_model::math::{Quat, Vec3};

/// Excess of the length of a quaternion's `x, y, z` over 1 that causes a warning; less is rounding.
const LENGTH_TOLERANCE: f64 = 1.0e-3;

/// The file's coordinates in our axes.
fn turned(point: [f64; 3]) -> [f64; 3] {
    let [x, y, z] = point;
    [x, z, -y]
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of a number below 1e9")]
fn nearest_vec3(point: [f64; 3]) -> Vec3 {
    let [x, y, z] = point;
    Vec3::new(x as f32, y as f32, z as f32)
}

/// A unit quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rotation {
    x: f64,
    y: f64,
    z: f64,
    w: f64,
}

impl Rotation {
    /// From the file's axes to ours: -90° about X, from `(x, y, z)` to `(x, z, -y)`.
    const OURS_FROM_FILE: Self = Self {
        x: -core::f64::consts::FRAC_1_SQRT_2,
        y: 0.0,
        z: 0.0,
        w: core::f64::consts::FRAC_1_SQRT_2,
    };

    /// The rotation restored from a file's `x, y, z`, and the length of those three.
    fn restored(xyz: [f64; 3]) -> (Self, f64) {
        let [x, y, z] = xyz;
        let length_squared = x * x + y * y + z * z;
        let rest = 1.0 - length_squared;
        if rest > 0.0 {
            return (Self { x, y, z, w: -rest.sqrt() }, length_squared.sqrt());
        }
        let length = length_squared.sqrt();
        (Self { x: x / length, y: y / length, z: z / length, w: 0.0 }, length)
    }

    /// `self` after `first`.
    fn after(self, first: Self) -> Self {
        let (a, b) = (self, first);
        Self {
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        }
    }

    fn rotate(self, point: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = point;
        // Twice the cross product of the axis part with the point, and that crossed once more.
        let cross = [
            2.0 * (self.y * z - self.z * y),
            2.0 * (self.z * x - self.x * z),
            2.0 * (self.x * y - self.y * x),
        ];
        [
            x + self.w * cross[0] + self.y * cross[2] - self.z * cross[1],
            y + self.w * cross[1] + self.z * cross[0] - self.x * cross[2],
            z + self.w * cross[2] + self.x * cross[1] - self.y * cross[0],
        ]
    }

    fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z + self.w * other.w
    }

    #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of -1..=1")]
    fn nearest_quat(self) -> Quat {
        Quat::from_xyzw(self.x as f32, self.y as f32, self.z as f32, self.w as f32)
    }
}

/// Counts quaternions that are too long, for one warning about all of them.
#[derive(Default)]
struct LongRotations {
    count: usize,
    worst: f64,
    first: Option<(SourcePosition, String)>,
}

impl LongRotations {
    /// Notes a length; `name` returns the owner of the rotation.
    fn note(&mut self, length: f64, at: SourcePosition, name: impl FnOnce() -> String) {
        if length > 1.0 + LENGTH_TOLERANCE {
            self.count += 1;
            self.worst = if length > self.worst { length } else { self.worst };
            if self.first.is_none() {
                self.first = Some((at, name()));
            }
        }
    }

    fn warning(self) -> Option<tintype_model::Warning> {
        let (at, name) = self.first?;
        let message = format!(
            "{} with a quaternion longer than 1, up to {:.4}; normalized (first: {name})",
            counted_as(self.count, "rotation", "rotations"),
            self.worst
        );
        Some(tintype_model::FileRepair::NotUnit.at(at.line as usize, message))
    }
}

/// The parent of joint `child` of `names.len()` joints: before it in the list, or none for -1.
fn checked_parent(
    parent: i64,
    at: SourcePosition,
    child: usize,
    names: &[String],
) -> Result<Option<usize>, Md5Error> {
    if parent == -1 {
        return Ok(None);
    }
    let name = |joint: usize| quoted(names.get(joint).map_or("", String::as_str).as_bytes());
    let what = format!("joint {child} {}", name(child));
    let parent =
        usize::try_from(parent).ok().filter(|parent| *parent < names.len()).ok_or_else(|| {
            Md5Error::Range {
                position: at,
                what: what.clone(),
                found: format!("parent {parent}"),
                expected: format!("-1 or {}", indices(names.len(), "joints")),
            }
        })?;
    if parent < child {
        return Ok(Some(parent));
    }
    let found = if parent == child {
        "itself as its parent".into()
    } else {
        format!("parent {parent} {}, which comes after it", name(parent))
    };
    Err(Md5Error::Range { position: at, what, found, expected: "a joint before it".into() })
}
