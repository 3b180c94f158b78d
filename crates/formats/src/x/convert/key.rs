//! Lists of keys: times in ticks, and values in our axes.

use super::notes::Notes;
use super::values::Values;
use crate::x::error::XError;
use tintype_base::deadline::{Deadline, TimedOut};
use tintype_model::math::{Mat3, Quat, Vec3, unit_or};

/// Axes of a matrix key are not perpendicular if their cosine is beyond this.
const SHEAR_COSINE: f32 = 1.0e-3;
/// Larger times are invalid.
const MAX_TICKS: f64 = 1.0e12;

/// Values at times in ticks, in file order, then sorted.
pub(super) type Keys<T> = Vec<(f64, T)>;

/// Keys of `N` numbers: a count, then for each its time, `N`, and the numbers.
///
/// Values between keys that belong to no key are skipped: a key starts with a count of `N`. If a
/// stray number precedes a key at tick `N`, both look like keys; the right one has the later time
/// and is followed by another key or the end.
pub(super) fn read_keys<const N: usize>(
    values: &mut Values<'_>,
    notes: &mut Notes,
) -> Result<Keys<[f64; N]>, XError> {
    let position = values.position();
    let declared = values.whole("the count of keys").unwrap_or(0);
    let mut keys: Keys<[f64; N]> = Vec::new();
    let mut strays = 0_usize;
    while values.left() >= N + 2 {
        values.before(N + 2)?;
        #[expect(clippy::cast_precision_loss, reason = "a small count")]
        let fits = |at: usize| values.peek(at + 1) == Some(N as f64);
        let goes_on = |at: usize| {
            let next = at + N + 2;
            values.left() == next || (values.left() > next + 1 && fits(next))
        };
        let last = keys.last().map_or(f64::NEG_INFINITY, |&(time, _)| time);
        let is_later = |at: usize| values.peek(at).is_some_and(|time| time > last);
        let score = |at: usize| u8::from(goes_on(at)) + u8::from(is_later(at));
        let is_stray = !fits(0) || (fits(1) && score(1) > score(0));
        if is_stray {
            strays += 1;
            values.skip(1);
            continue;
        }
        let time = values.peek(0);
        let mut key = [0.0; N];
        let mut is_good = time.is_some_and(|time| time.abs() <= MAX_TICKS);
        for (number, part) in key.iter_mut().enumerate() {
            match values.peek(2 + number).filter(|value| value.abs() <= 1e9) {
                Some(value) => *part = value,
                None => is_good = false,
            }
        }
        values.skip(2 + N);
        match time {
            Some(time) if is_good => keys.push((time, key)),
            _ => notes.not_numbers.note(position),
        }
    }
    if keys.windows(2).any(|pair| matches!(pair, [(a, _), (b, _)] if a >= b)) {
        notes.unsorted.note(position);
    }
    if strays + values.left() > 0 {
        notes.strays.note(position);
    }
    if declared != keys.len() {
        notes.miscounted.note(position);
    }
    Ok(keys)
}

/// By time; of equal times the last in the file.
pub(super) fn sorted<T: Copy>(mut keys: Keys<T>, deadline: &Deadline) -> Result<Keys<T>, TimedOut> {
    let by_time = |a: &(f64, T), b: &(f64, T)| a.0.total_cmp(&b.0);
    deadline.sort(&mut keys, "sorting keys", |part| part.sort_by(by_time), by_time)?; // stable
    let mut kept: Keys<T> = Vec::with_capacity(keys.len());
    for key in keys {
        match kept.last_mut() {
            #[expect(clippy::float_cmp, reason = "the same number is meant")]
            Some(last) if last.0 == key.0 => *last = key,
            _ => kept.push(key),
        }
    }
    Ok(kept)
}

/// Scale, rotation, and true if the axes are so far from perpendicular that these two are only
/// approximate.
///
/// Mirroring always negates the scale along x, so that neighbouring keys agree.
pub(super) fn taken_apart(linear: Mat3) -> (Vec3, Quat, bool) {
    let mirrored = linear.determinant() < 0.0;
    let axes = Mat3::from_cols(
        if mirrored { -linear.x_axis } else { linear.x_axis },
        linear.y_axis,
        linear.z_axis,
    );
    let lengths = Vec3::new(axes.x_axis.length(), axes.y_axis.length(), axes.z_axis.length());
    // The directions of zero-length axes follow from the others.
    let mut x = unit_or(axes.x_axis, Vec3::ZERO);
    let mut y = unit_or(axes.y_axis, Vec3::ZERO);
    let mut z = unit_or(axes.z_axis, Vec3::ZERO);
    if x == Vec3::ZERO {
        x = unit_or(
            y.cross(z),
            if y == Vec3::ZERO { Vec3::X } else { tintype_model::math::any_perpendicular(y) },
        );
    }
    if y == Vec3::ZERO {
        y = unit_or(z.cross(x), tintype_model::math::any_perpendicular(x));
    }
    if z == Vec3::ZERO {
        z = unit_or(x.cross(y), tintype_model::math::any_perpendicular(x));
    }
    let mut rotation = Mat3::from_cols(x, y, z);
    let cosines = [x.dot(y).abs(), y.dot(z).abs(), z.dot(x).abs()];
    let is_sheared = cosines.iter().any(|&cosine| cosine > SHEAR_COSINE);
    if is_sheared {
        // Converges to the nearest rotation: repeatedly the mean of the matrix and its inverse
        // transpose (Higham, 1986).
        for _ in 0..24 {
            let next = (rotation + rotation.inverse().transpose()) * 0.5;
            if !next.is_finite() {
                break;
            }
            rotation = next;
        }
    }
    let quat = Quat::from_mat3(&rotation).normalize();
    let quat = if quat.is_finite() { quat } else { Quat::IDENTITY };
    let scale = if is_sheared {
        Vec3::new(
            rotation.x_axis.dot(axes.x_axis),
            rotation.y_axis.dot(axes.y_axis),
            rotation.z_axis.dot(axes.z_axis),
        )
    } else {
        lengths
    };
    (if mirrored { Vec3::new(-scale.x, scale.y, scale.z) } else { scale }, quat, is_sheared)
}
