//! Normals of corners without normals in the file, from the smoothing groups of their faces.

use std::collections::BTreeMap;
use tintype_base::deadline::{TimedOut, Watch};
use tintype_model::math::{Vec3, unit_or};

/// Cosine of the angle between faces from which their edge is sharp if the file does not state it:
/// 60 degrees.
const SHARP: f32 = 0.5;
/// Maximum number of faces compared with each other at one vertex; where more meet, all are smooth.
const MAX_COMPARED: usize = 64;

/// Smoothing of faces without corner normals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Smoothing {
    /// No statement: blunt edges are smooth, sharp ones are edges.
    Unsaid,
    /// Every face is flat.
    Off,
    /// Faces of the same group meet smoothly.
    Group(u32),
    /// One bit per group: faces with a common group meet smoothly.
    Groups(u32),
}

/// A face: a run of corners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShadedFace {
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) smoothing: Smoothing,
}

/// Faces whose normals are computed.
pub(crate) struct Shaded<'s> {
    pub(crate) positions: &'s [Vec3],
    pub(crate) faces: &'s [ShadedFace],
    /// Number of corners.
    pub(crate) corners: usize,
    /// Returns the position of a corner, and true if it has a normal.
    pub(crate) corner: &'s dyn Fn(usize) -> (u32, bool),
}

impl Shaded<'_> {
    /// The normal of each corner without one, by the index of the corner. None for corners that
    /// have one.
    ///
    /// A face counts by its area. Faces of one group meet smoothly; without any statement, faces
    /// that meet at less than 60 degrees do.
    ///
    /// # Errors
    /// [`TimedOut`] if the deadline is over.
    pub(crate) fn missing_normals(&self, watch: &mut Watch) -> Result<Vec<Option<Vec3>>, TimedOut> {
        let mut normals = vec![None; self.corners];
        if (0..self.corners).all(|corner| (self.corner)(corner).1) {
            return Ok(normals);
        }
        let areas: Vec<Vec3> = self.faces.iter().map(|face| self.area(face)).collect();
        // Faces around each position, and sums of the groups.
        let mut around: Vec<Vec<u32>> = vec![Vec::new(); self.positions.len()];
        let mut sums: BTreeMap<(u32, Smoothing), Vec3> = BTreeMap::new();
        for ((number, face), area) in (0_u32..).zip(self.faces).zip(&areas) {
            watch.take(face.count as usize)?;
            for place in self.corners_of(face) {
                let (position, _) = (self.corner)(place);
                match face.smoothing {
                    Smoothing::Off => {}
                    // A face without area has no influence and displaces no other.
                    Smoothing::Unsaid | Smoothing::Groups(_) if *area == Vec3::ZERO => {}
                    Smoothing::Unsaid | Smoothing::Groups(_) => {
                        if let Some(faces) = around.get_mut(position as usize) {
                            faces.push(number);
                        }
                    }
                    group => *sums.entry((position, group)).or_default() += *area,
                }
            }
        }
        for (face, own) in self.faces.iter().zip(&areas) {
            let flat = unit_or(*own, Vec3::ZERO);
            for place in self.corners_of(face) {
                let (position, has_normal) = (self.corner)(place);
                let Some(slot) = normals.get_mut(place).filter(|_| !has_normal) else { continue };
                let sum = match face.smoothing {
                    Smoothing::Off => *own,
                    Smoothing::Unsaid | Smoothing::Groups(_) => {
                        let faces = around.get(position as usize).map_or(&[][..], Vec::as_slice);
                        watch.take(faces.len().min(MAX_COMPARED))?;
                        self.smooth_sum(faces, &areas, (face.smoothing, flat))
                    }
                    group => sums.get(&(position, group)).copied().unwrap_or_default(),
                };
                *slot = Some(unit_or(sum, flat));
            }
        }
        Ok(normals)
    }

    /// The sum of the faces around a position that have a common group with a face, or meet its
    /// normal `flat` at a blunt edge.
    fn smooth_sum(
        &self,
        faces: &[u32],
        areas: &[Vec3],
        (smoothing, flat): (Smoothing, Vec3),
    ) -> Vec3 {
        let is_busy = faces.len() > MAX_COMPARED;
        let all = faces.iter().take(MAX_COMPARED);
        let all = all.filter_map(|&face| {
            Some((self.faces.get(face as usize)?.smoothing, areas.get(face as usize)?))
        });
        let is_smooth = |(other, area): &(Smoothing, &Vec3)| match (smoothing, *other) {
            (Smoothing::Groups(own), Smoothing::Groups(other)) => own & other != 0,
            _ => is_busy || unit_or(**area, Vec3::ZERO).dot(flat) > SHARP,
        };
        all.filter(is_smooth).map(|(_, area)| *area).sum()
    }

    fn corners_of(&self, face: &ShadedFace) -> std::ops::Range<usize> {
        let first = face.first as usize;
        first..self.corners.min(first.saturating_add(face.count as usize))
    }

    /// Twice the area of a polygon, along its normal.
    fn area(&self, face: &ShadedFace) -> Vec3 {
        let point = |place: usize| {
            self.positions.get((self.corner)(place).0 as usize).copied().unwrap_or_default()
        };
        let points: Vec<Vec3> = self.corners_of(face).map(point).collect();
        let origin = points.first().copied().unwrap_or_default();
        let pairs = points.iter().zip(points.iter().skip(1));
        pairs.map(|(a, b)| (*a - origin).cross(*b - origin)).sum()
    }
}
