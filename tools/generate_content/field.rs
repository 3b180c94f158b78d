//! A body as a distance field: limbs, plates and straps, joined one after the other with soft
//! seams.
//!
//! Input: a list of [`Part`]s. Output: the distance of a position from the surface (negative
//! inside), its direction, and the region - the paint - of the nearest part. Distances of
//! ellipsoids and stretched parts are estimates that are exact in sign; [`Field::project`] corrects
//! for that with a few steps.

use crate::scalar::{hold, max, min};
use glam::{DQuat, DVec3};

/// A solid.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// A cone with round ends.
    Limb { a: DVec3, b: DVec3, radius_a: f64, radius_b: f64 },
    /// An ellipsoid.
    Egg { radii: DVec3 },
    /// A box with round edges; `half` includes them.
    Block { half: DVec3, round: f64 },
    /// A cone along z with flat ends and round edges.
    Drum { half_height: f64, low: f64, high: f64, round: f64 },
}

/// Operation that joins a part to the body before it.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Join {
    /// It is added.
    Add,
    /// It is taken away.
    RasterOptions,
}

/// One solid, placed, with its paint.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    /// The solid.
    pub shape: Shape,
    /// Position of its origin.
    pub center: DVec3,
    /// Rotation.
    pub turn: DQuat,
    /// Scale along its axes, before the rotation.
    pub stretch: DVec3,
    /// The paint.
    pub region: u8,
    /// The width of the soft seam to the parts before.
    pub seam: f64,
    /// Added or cut.
    pub join: Join,
    reach: f64,
    middle: DVec3,
}

impl Part {
    fn new(shape: Shape, center: DVec3, region: u8, seam: f64) -> Self {
        let (middle, reach) = match shape {
            Shape::Limb { a, b, radius_a, radius_b } => {
                ((a + b) * 0.5, (b - a).length() * 0.5 + max(radius_a, radius_b))
            }
            Shape::Egg { radii } => (center, radii.max_element()),
            Shape::Block { half, .. } => (center, half.length()),
            Shape::Drum { half_height, low, high, .. } => {
                let wide = max(low, high);
                (center, (wide * wide + half_height * half_height).sqrt())
            }
        };
        Self {
            shape,
            center,
            turn: DQuat::IDENTITY,
            stretch: DVec3::ONE,
            region,
            seam,
            join: Join::Add,
            reach,
            middle,
        }
    }

    /// A limb from `a` to `b`.
    pub(crate) fn limb(
        a: DVec3,
        b: DVec3,
        radius_a: f64,
        radius_b: f64,
        region: u8,
        seam: f64,
    ) -> Self {
        Self::new(Shape::Limb { a, b, radius_a, radius_b }, DVec3::ZERO, region, seam)
    }

    /// An ellipsoid.
    pub(crate) fn egg(center: DVec3, radii: DVec3, region: u8, seam: f64) -> Self {
        Self::new(Shape::Egg { radii }, center, region, seam)
    }

    /// A box with round edges.
    pub(crate) fn block(center: DVec3, half: DVec3, round: f64, region: u8, seam: f64) -> Self {
        Self::new(Shape::Block { half, round }, center, region, seam)
    }

    /// A flat-ended cone along z: radius `low` below, `high` above.
    pub(crate) fn drum(
        center: DVec3,
        half_height: f64,
        low: f64,
        high: f64,
        region: u8,
        seam: f64,
    ) -> Self {
        let round = min(0.008, half_height * 0.5);
        Self::new(Shape::Drum { half_height, low, high, round }, center, region, seam)
    }

    /// The same part turned about its centre.
    pub(crate) fn turned(mut self, turn: DQuat) -> Self {
        self.turn = turn;
        self
    }

    /// The same part stretched along its axes.
    pub(crate) fn stretched(mut self, stretch: DVec3) -> Self {
        self.stretch = stretch;
        self.reach *= stretch.max_element();
        self
    }

    /// The same part as a hole.
    pub(crate) fn cut(mut self) -> Self {
        self.join = Join::RasterOptions;
        self
    }

    /// The part on the other side of the plane y = 0.
    pub(crate) fn mirrored(mut self) -> Self {
        let flip = |v: DVec3| DVec3::new(v.x, -v.y, v.z);
        if let Shape::Limb { a, b, .. } = &mut self.shape {
            (*a, *b) = (flip(*a), flip(*b));
        }
        (self.center, self.middle) = (flip(self.center), flip(self.middle));
        self.turn = DQuat::from_xyzw(-self.turn.x, self.turn.y, -self.turn.z, self.turn.w);
        self
    }

    fn distance(&self, place: DVec3) -> f64 {
        match self.shape {
            Shape::Limb { a, b, radius_a, radius_b } => {
                let along = b - a;
                let share = hold((place - a).dot(along) / along.length_squared(), 0.0, 1.0);
                (place - a - along * share).length() - (radius_a + (radius_b - radius_a) * share)
            }
            _ => {
                let local = self.turn.inverse() * (place - self.center) / self.stretch;
                self.local_distance(local) * self.stretch.min_element()
            }
        }
    }

    fn local_distance(&self, at: DVec3) -> f64 {
        match self.shape {
            Shape::Limb { .. } => 0.0,
            Shape::Egg { radii } => {
                let (scaled, twice) = (at / radii, at / (radii * radii));
                let (near, slope) = (scaled.length(), twice.length());
                if slope < 1e-9 { -radii.min_element() } else { near * (near - 1.0) / slope }
            }
            Shape::Block { half, round } => {
                let over = at.abs() - (half - DVec3::splat(round));
                let outside = DVec3::new(max(over.x, 0.0), max(over.y, 0.0), max(over.z, 0.0));
                outside.length() + min(max(over.x, max(over.y, over.z)), 0.0) - round
            }
            Shape::Drum { half_height, low, high, round } => {
                let around = (at.x * at.x + at.y * at.y).sqrt();
                let share = hold((at.z / half_height + 1.0) * 0.5, 0.0, 1.0);
                let side = around - (low + (high - low) * share) + round;
                let end = at.z.abs() - half_height + round;
                let (over_side, over_end) = (max(side, 0.0), max(end, 0.0));
                (over_side * over_side + over_end * over_end).sqrt() + min(max(side, end), 0.0)
                    - round
            }
        }
    }
}

/// A whole body.
pub(crate) struct Field {
    parts: Vec<Part>,
}

/// The minimum of two distances with a round seam of this width; below both within the seam.
fn soft_min(a: f64, b: f64, seam: f64) -> f64 {
    if seam <= 0.0 {
        return min(a, b);
    }
    let overlap = max(seam - (a - b).abs(), 0.0) / seam;
    min(a, b) - overlap * overlap * seam * 0.25
}

impl Field {
    /// A body of these parts, joined in this order.
    pub(crate) fn new(parts: Vec<Part>) -> Self {
        Self { parts }
    }

    /// The distance from the surface, negative inside.
    pub(crate) fn distance(&self, place: DVec3) -> f64 {
        self.distance_and_region(place).0
    }

    /// The paint at a position on the surface.
    pub(crate) fn region(&self, place: DVec3) -> u8 {
        self.distance_and_region(place).1
    }

    fn distance_and_region(&self, place: DVec3) -> (f64, u8) {
        let (mut distance, mut region) = (10.0, 0);
        for part in &self.parts {
            let least = (place - part.middle).length() - part.reach;
            match part.join {
                Join::Add => {
                    if least > distance + part.seam {
                        continue; // too far to matter, even through the seam
                    }
                    let own = part.distance(place);
                    if own < distance {
                        region = part.region;
                    }
                    distance = soft_min(distance, own, part.seam);
                }
                Join::RasterOptions => {
                    if -least < distance - part.seam {
                        continue;
                    }
                    let own = -part.distance(place);
                    if own > distance {
                        region = part.region;
                    }
                    distance = -soft_min(-distance, -own, part.seam);
                }
            }
        }
        (distance, region)
    }

    /// The unit direction of increasing distance: the outward normal on the surface.
    pub(crate) fn normal(&self, place: DVec3) -> DVec3 {
        const STEP: f64 = 0.000_4;
        let corners = [
            DVec3::new(1.0, -1.0, -1.0),
            DVec3::new(-1.0, -1.0, 1.0),
            DVec3::new(-1.0, 1.0, -1.0),
            DVec3::new(1.0, 1.0, 1.0),
        ];
        let sum: DVec3 = corners.iter().map(|&c| c * self.distance(place + c * STEP)).sum();
        sum.normalize_or(DVec3::Z)
    }

    /// The position on the surface near `place`, at most `limit` away.
    pub(crate) fn project(&self, place: DVec3, limit: f64) -> DVec3 {
        let mut at = place;
        for _ in 0..3 {
            let distance = self.distance(at);
            if distance.abs() < 1e-6 {
                break;
            }
            at -= self.normal(at) * hold(distance, -limit, limit);
        }
        if (at - place).length() <= limit { at } else { place }
    }

    /// Corners of a box that contains the body with some margin.
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        let (mut low, mut high) = (DVec3::splat(f64::MAX), DVec3::splat(f64::MIN));
        for part in self.parts.iter().filter(|part| part.join == Join::Add) {
            let around = DVec3::splat(part.reach + 0.03);
            (low, high) = (low.min(part.middle - around), high.max(part.middle + around));
        }
        (low, high)
    }
}

/// Openness of the surface of several bodies to the sky around it: 1 in the open, towards 0 in a
/// fold.
pub(crate) fn openness(fields: &[&Field], place: DVec3, normal: DVec3) -> f64 {
    let (mut hidden, mut strength) = (0.0, 1.0);
    for step in 1..=5 {
        let reach = 0.007 * f64::from(step * step);
        let at = place + normal * reach;
        let distance = fields.iter().fold(reach, |least, field| min(least, field.distance(at)));
        hidden += strength * (reach - distance) / reach;
        strength *= 0.8;
    }
    max(1.0 - hidden * 0.36, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projection_ends_on_the_surface_of_a_soft_union() {
        let a = Part::egg(DVec3::ZERO, DVec3::new(0.3, 0.2, 0.25), 1, 0.0);
        let b = Part::limb(DVec3::ZERO, DVec3::new(0.5, 0.1, 0.0), 0.1, 0.05, 2, 0.06);
        let field = Field::new(vec![a, b]);
        for step in 0..200 {
            let angle = f64::from(step) * 0.1;
            let start =
                DVec3::new(crate::scalar::cos(angle) * 0.3, 0.1, crate::scalar::sin(angle) * 0.25);
            let end = field.project(start, 0.5);
            assert!(field.distance(end).abs() < 2e-3, "{step}: {}", field.distance(end));
        }
    }
}
