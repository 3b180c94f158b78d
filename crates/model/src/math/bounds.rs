//! Axis-aligned boxes.

use super::Vec3;

/// Axis-aligned box; starts as [`Aabb::EMPTY`] and grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Minimum coordinates.
    pub min: Vec3,
    /// Maximum coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// The box without points.
    pub const EMPTY: Self =
        Self { min: Vec3::splat(f32::INFINITY), max: Vec3::splat(f32::NEG_INFINITY) };

    /// True if no point was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// Grows to include `point`.
    pub fn add(&mut self, point: Vec3) {
        self.min = self.min.min(point);
        self.max = self.max.max(point);
    }

    /// True if `point` lies in it or on its border.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        self.min.cmple(point).all() && self.max.cmpge(point).all()
    }

    /// Grows to include `other`.
    pub fn merge(&mut self, other: &Self) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// The centre; the origin for an empty box.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { (self.min + self.max) * 0.5 }
    }

    /// The length from corner to corner; 0 for an empty box.
    #[must_use]
    pub fn diagonal(&self) -> f32 {
        if self.is_empty() { 0.0 } else { (self.max - self.min).length() }
    }

    /// The box around points in structure of arrays: their x, y and z. Both zeros are equal, and
    /// NaN is left out.
    #[must_use]
    pub fn of_streams(streams: &[Vec<f32>; 3]) -> Self {
        let [x, y, z] = streams.each_ref().map(|stream| ends(stream));
        let [min, max] = [0, 1].map(|end| Vec3::new(x[end], y[end], z[end]) + Vec3::ZERO);
        Self { min, max }
    }
}

/// The minimum and the maximum; infinite, with the minimum above the maximum, without any number.
fn ends(numbers: &[f32]) -> [f32; 2] {
    /// As many as the compiler keeps in vectors.
    const AT_ONCE: usize = 16;
    // Not `min` and `max`: their protection from constants prevents vectorization of the loop on
    // AArch64.
    let less = |least: f32, number: f32| if number < least { number } else { least };
    let more = |most: f32, number: f32| if number > most { number } else { most };
    let (mut low, mut high) = ([f32::INFINITY; AT_ONCE], [f32::NEG_INFINITY; AT_ONCE]);
    let (runs, rest) = numbers.as_chunks::<AT_ONCE>();
    for run in runs {
        for ((low, high), &number) in low.iter_mut().zip(&mut high).zip(run) {
            (*low, *high) = (less(*low, number), more(*high, number));
        }
    }
    let low = low.iter().chain(rest).copied().fold(f32::INFINITY, less);
    let high = high.iter().chain(rest).copied().fold(f32::NEG_INFINITY, more);
    [low, high]
}

impl FromIterator<Vec3> for Aabb {
    fn from_iter<T: IntoIterator<Item = Vec3>>(points: T) -> Self {
        let mut bounds = Self::EMPTY;
        for point in points {
            bounds.add(point);
        }
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn box_of_streams_is_that_of_their_points() {
        for count in [0, 1, 2, 15, 16, 17, 50] {
            let number = |k: usize, axis: usize| ((k * 37 + axis * 11) % 23) as f32 - 11.0;
            let mut streams = [0, 1, 2].map(|axis| (0..count).map(|k| number(k, axis)).collect());
            let points = |streams: &[Vec<f32>; 3]| -> Aabb {
                let [x, y, z] = streams;
                (0..x.len()).map(|k| Vec3::new(x[k], y[k], z[k])).collect()
            };
            assert_eq!(Aabb::of_streams(&streams), points(&streams), "{count}");
            let Some(last) = count.checked_sub(1) else { continue };
            streams[1][last] = f32::INFINITY;
            streams[2][0] = f32::NAN;
            let found = Aabb::of_streams(&streams);
            assert_eq!(found.max.y, f32::INFINITY);
            assert!(found.max.z < 12.0 || count == 1);
        }
        let zeros = Aabb::of_streams(&[vec![-0.0], vec![-0.0, 0.0], vec![0.0, -0.0]]);
        assert!(
            [zeros.min, zeros.max].iter().all(|end| end.to_array().map(f32::to_bits) == [0; 3])
        );
    }
}
