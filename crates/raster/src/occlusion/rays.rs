//! Directions of rays from a voxel, the voxels on their way, and the amounts that a blocked one
//! adds to a texel.

/// Directions of rays, without sign and order: the 26 neighbours of a voxel.
pub(super) const DIRECTIONS: usize = 26;
/// Distances in voxels up to which an obstacle blocks all of a ray, three quarters, a half and a
/// quarter.
pub(super) const REACH: [f32; 4] = [3.0, 6.0, 9.0, 12.0];
/// The value of 1 in a texel.
pub(super) const ONE: f32 = 32_768.0;
/// The value of a direction without length.
const MIDDLE: u16 = 32_768;
/// A texel with nothing around it: the values that represent 0.
pub(super) const OPEN: [u16; 4] = [0, MIDDLE, MIDDLE, MIDDLE];

/// Classes of directions, by the number of axes that they lie between, minus one.
pub(super) const CLASSES: usize = 3;

/// One direction.
pub(super) struct Ray {
    /// Offsets of the voxels on its way up to each distance of [`REACH`] and beyond the previous
    /// one.
    pub steps: [Vec<[isize; 3]>; REACH.len()],
    pub class: usize,
    /// Sign along each axis, or 0.
    pub signs: [i32; 3],
}

/// All directions.
pub(super) struct Rays {
    pub rays: Vec<Ray>,
    /// Amounts that a quarter of a blocked ray adds to a texel, by its class: to the blocked
    /// fraction, and along each of its axes.
    pub shares: [[i32; 2]; CLASSES],
}

/// Extra bits of sums of texels.
const FRACTION: u32 = 12;

/// The rays of all directions.
#[expect(clippy::cast_possible_truncation, reason = "a few voxels")]
#[expect(clippy::cast_precision_loss, reason = "a few voxels")]
pub(super) fn rays() -> Rays {
    let mut rays = Vec::with_capacity(DIRECTIONS);
    for index in 0..27_i16 {
        let signs = [index % 3 - 1, index / 3 % 3 - 1, index / 9 - 1];
        let count = signs.iter().filter(|&&sign| sign != 0).count();
        let Some(class) = count.checked_sub(1) else { continue };
        let unit = signs.map(|sign| f32::from(sign) / (count as f32).sqrt());
        let mut steps: [Vec<[isize; 3]>; REACH.len()] = Default::default();
        let mut last = [0; 3];
        for step in 1..=REACH[3] as i16 {
            let at = unit.map(|part| (part * f32::from(step) + 0.5).floor() as isize);
            let distance = at.iter().map(|&part| (part * part) as f32).sum::<f32>().sqrt();
            let level = REACH.iter().position(|&reach| distance <= reach);
            if let Some(level) = level
                && at != last
            {
                steps[level].push(at);
                last = at;
            }
        }
        rays.push(Ray { steps, class, signs: signs.map(i32::from) });
    }
    let share = |class: usize| {
        let weight = [1.0 / 21.0, 4.0 / 105.0, 9.0 / 280.0][class];
        let unit = 1.0 / ((class + 1) as f32).sqrt();
        // Twice the mean of direction times blocked fraction, times a normal, is its part in the
        // cosine-weighted hemisphere.
        let scale = ONE * 0.25 * (1_u32 << FRACTION) as f32 * weight;
        [1.0, 2.0 * unit].map(|part: f32| (part * scale + 0.5).floor() as i32)
    };
    Rays { rays, shares: core::array::from_fn(share) }
}

/// Packs the sums of a voxel.
pub(super) fn pack(sums: [i32; 4]) -> [u16; 4] {
    core::array::from_fn(|axis| pack_axis(sums[axis], axis))
}

/// Packs the sum of one axis, or of the blocked fraction at index 0.
#[inline(always)]
#[expect(clippy::cast_sign_loss, reason = "held to 0")]
pub(super) fn pack_axis(sum: i32, axis: usize) -> u16 {
    ((sum >> FRACTION) + i32::from(OPEN[axis])).clamp(0, 0xffff) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_all_directions_are_the_whole_sphere() {
        let Rays { rays, shares } = rays();
        assert_eq!(rays.len(), DIRECTIONS);
        let all: i32 = rays.iter().map(|ray| 4 * shares[ray.class][0]).sum();
        let whole = f64::from(ONE) * f64::from(1 << FRACTION);
        assert!((f64::from(all) / whole - 1.0).abs() < 1e-6, "{all}");
    }
}
