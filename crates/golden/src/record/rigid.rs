//! Rigid transforms in `f64`, and angles between them.

/// Degrees in a radian.
pub(super) const DEGREES: f64 = 180.0 / core::f64::consts::PI;

/// A rotation (x, y, z, w), then a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rigid {
    pub translation: [f64; 3],
    pub rotation: [f64; 4],
}

impl Rigid {
    /// From a translation and a rotation, in that order; further parts are ignored.
    pub(super) fn of(parts: &[f32; 10]) -> Self {
        let [x, y, z, i, j, k, w, ..] = parts.map(f64::from);
        Self { translation: [x, y, z], rotation: unit([i, j, k, w]) }
    }

    /// A transform on this one, in the space of this one's parent.
    pub(super) fn then(self, local: Self) -> Self {
        let moved = rotate(self.rotation, local.translation);
        Self {
            translation: core::array::from_fn(|k| self.translation[k] + moved[k]),
            rotation: product(self.rotation, local.rotation),
        }
    }

    /// A transform of this one's parent in the space of this one.
    pub(super) fn back(self, other: Self) -> Self {
        let back = conjugate(self.rotation);
        let offset = core::array::from_fn(|k| other.translation[k] - self.translation[k]);
        Self { translation: rotate(back, offset), rotation: product(back, other.rotation) }
    }
}

pub(super) fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|value| value * value).sum::<f64>().sqrt()
}

pub(super) fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|value| value * value).sum::<f64>().sqrt();
    if length > 0.0 { q.map(|value| value / length) } else { [0.0, 0.0, 0.0, 1.0] }
}

pub(super) fn conjugate([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [-x, -y, -z, w]
}

pub(super) fn product([x, y, z, w]: [f64; 4], [i, j, k, v]: [f64; 4]) -> [f64; 4] {
    [
        w * i + x * v + y * k - z * j,
        w * j - x * k + y * v + z * i,
        w * k + x * j - y * i + z * v,
        w * v - x * i - y * j - z * k,
    ]
}

fn rotate(q: [f64; 4], [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [x, y, z, _] = product(product(q, [x, y, z, 0.0]), conjugate(q));
    [x, y, z]
}

/// The angle of the rotation from one to the other, in degrees.
pub(super) fn turn_deg(before: [f64; 4], now: [f64; 4]) -> f64 {
    let [x, y, z, w] = product(conjugate(before), now);
    2.0 * libm::atan2(length([x, y, z]), w.abs()) * DEGREES
}
