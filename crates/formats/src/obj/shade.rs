//! Normals of corners for which the file gives none, by the smoothing groups of their faces.

use super::file::{ObjFile, Smoothing};
use crate::ModelFormatError;
use std::collections::BTreeMap;
use tintype_base::deadline::Watch;
use tintype_model::math::{Vec3, unit_or};

/// Cosine of the angle between faces from which their edge is sharp where the file says nothing: 60 degrees.
const SHARP: f32 = 0.5;
/// Faces at one vertex that are compared with each other; where more meet, all are smooth.
const MAX_COMPARED: usize = 64;

/// The normal of each corner that has none, by the index of the corner; none for corners that have one.
///
/// A face counts by its area. Faces of one group meet smoothly; without any statement those that meet at less than 60 degrees do.
///
/// # Errors
/// [`ModelFormatError::TimedOut`] if the deadline is over.
pub(super) fn missing_normals(
    file: &ObjFile,
    watch: &mut Watch,
) -> Result<Vec<Option<Vec3>>, ModelFormatError> {
    let mut normals = vec![None; file.corners.len()];
    if file.corners.iter().all(|corner| corner.normal.is_some()) {
        return Ok(normals);
    }
    let areas: Vec<Vec3> =
        file.faces.iter().map(|face| area(file, face.first, face.count)).collect();
    // Faces around each position, and sums of the groups.
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); file.positions.len()];
    let mut sums: BTreeMap<(u32, Smoothing), Vec3> = BTreeMap::new();
    for ((number, face), area) in (0_u32..).zip(&file.faces).zip(&areas) {
        watch.take(face.count as usize)?;
        for corner in corners(file, face.first, face.count) {
            match face.smoothing {
                Smoothing::Off => {}
                // A face without an area has no say, and crowds out no other.
                Smoothing::Unsaid if *area == Vec3::ZERO => {}
                Smoothing::Unsaid => {
                    if let Some(faces) = around.get_mut(corner.position as usize) {
                        faces.push(number);
                    }
                }
                group => *sums.entry((corner.position, group)).or_default() += *area,
            }
        }
    }
    for (face, own) in file.faces.iter().zip(&areas) {
        let flat = unit_or(*own, Vec3::ZERO);
        for (place, corner) in (face.first..).zip(corners(file, face.first, face.count)) {
            let Some(slot) = normals.get_mut(place as usize).filter(|_| corner.normal.is_none())
            else {
                continue;
            };
            let sum = match face.smoothing {
                Smoothing::Off => *own,
                Smoothing::Unsaid => {
                    let faces = around.get(corner.position as usize).map_or(&[][..], Vec::as_slice);
                    watch.take(faces.len().min(MAX_COMPARED))?;
                    blunt_sum(faces, &areas, flat)
                }
                group => sums.get(&(corner.position, group)).copied().unwrap_or_default(),
            };
            *slot = Some(unit_or(sum, flat));
        }
    }
    Ok(normals)
}

/// The sum of the faces around a position that meet a face of the normal `flat` at a blunt edge.
fn blunt_sum(faces: &[u32], areas: &[Vec3], flat: Vec3) -> Vec3 {
    let all = faces.iter().take(MAX_COMPARED).filter_map(|&face| areas.get(face as usize));
    let is_busy = faces.len() > MAX_COMPARED;
    all.filter(|area| is_busy || unit_or(**area, Vec3::ZERO).dot(flat) > SHARP).sum()
}

fn corners(file: &ObjFile, first: u32, count: u32) -> impl Iterator<Item = &super::file::Corner> {
    file.corners.iter().skip(first as usize).take(count as usize)
}

/// Twice the area of a polygon, along its normal.
fn area(file: &ObjFile, first: u32, count: u32) -> Vec3 {
    let points: Vec<Vec3> = corners(file, first, count)
        .map(|corner| file.positions.get(corner.position as usize).copied().unwrap_or_default())
        .collect();
    let origin = points.first().copied().unwrap_or_default();
    let pairs = points.iter().zip(points.iter().skip(1));
    pairs.map(|(a, b)| (*a - origin).cross(*b - origin)).sum()
}
