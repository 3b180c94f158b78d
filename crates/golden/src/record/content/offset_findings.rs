//! Differences of the spaces of meshes: offset matrices of joints, and positions on a grid.

use super::mesh_finding::{Partner, joint_before, norm, say, subject, within};
use super::model_content::MeshContent;
use super::skeleton_findings::{movement, scaled};
use super::sums::Sums;
use crate::record::rigid::turn_deg;
use tintype_compare::finding::{Element, Finding, Kind, Subject, Unit};
use tintype_model::math::{Affine3, Mat3, Quat, larger};

/// Changed offset matrices of joints, and those changed by rounding.
pub(super) fn offsets(
    old: &MeshContent,
    new: &MeshContent,
    partner: &Partner,
    size: f64,
) -> (Vec<Finding>, Option<Finding>) {
    let mut found: Vec<(f64, Finding)> = Vec::new();
    let mut rounded = Vec::new();
    for joint in &new.joints {
        let before = joint_before(old, partner, &joint.name);
        let (Some(from), Some(to)) = (before.and_then(|before| before.offset), joint.offset) else {
            continue;
        };
        let [(from_turn, from_scale, from_place), (to_turn, to_scale, to_place)] =
            [from, to].map(|offset| parts(&Affine3::from_cols_array(&offset)));
        let turned_deg = turn_deg(from_turn, to_turn);
        let moved = norm(&[0, 1, 2].map(|k| to_place[k] - from_place[k]));
        let matrix = Subject::named(Element::OffsetMatrix, &joint.name);
        let mut one = say(Kind::Moved, matrix).within(subject(new));
        let size = larger(size, norm(&to_place));
        if moved > 1e-6 * size {
            one = one.by(moved, Unit::Distance);
        }
        if turned_deg > 1e-3 {
            one = one.by(turned_deg, Unit::Degrees);
        }
        if (0..3).any(|k| (to_scale[k] - from_scale[k]).abs() > 1e-5 * from_scale[k].abs()) {
            let ratio: Vec<f64> = (0..3).map(|k| to_scale[k] / from_scale[k]).collect();
            one = scaled(one, &ratio);
        }
        if one.by.is_empty() && from != to {
            rounded.push(Subject::joint(&joint.name));
        }
        if !one.by.is_empty() {
            one.kind = movement(&one);
            let weight = larger(turned_deg / 90.0, moved / larger(size, f64::MIN_POSITIVE));
            found.push((weight, one));
        }
    }
    // The largest comes first.
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let of_rounded = within(new, Kind::Rounded, Element::OffsetMatrix);
    let rounded = (!rounded.is_empty()).then(|| of_rounded.elements(rounded));
    (found.into_iter().map(|(_, one)| one).collect(), rounded)
}

/// Rotation, scale and translation of a matrix.
fn parts(matrix: &Affine3) -> ([f64; 4], [f64; 3], [f64; 3]) {
    let Mat3 { x_axis, y_axis, z_axis } = matrix.matrix3;
    let mirror = if matrix.matrix3.determinant() < 0.0 { -1.0 } else { 1.0 };
    let scale = [x_axis, y_axis, z_axis].map(|axis| f64::from(axis.length()) * mirror);
    let unit = |axis: tintype_model::math::Vec3, fallback| {
        tintype_model::math::unit_or(axis * f32_of(mirror), fallback)
    };
    let axes = Mat3::from_cols(
        unit(x_axis, tintype_model::math::Vec3::X),
        unit(y_axis, tintype_model::math::Vec3::Y),
        unit(z_axis, tintype_model::math::Vec3::Z),
    );
    let Quat { x, y, z, w } = Quat::from_mat3(&axes);
    let place = matrix.translation.to_array().map(f64::from);
    ([x, y, z, w].map(f64::from), scale, place)
}

#[expect(clippy::cast_possible_truncation, reason = "1 or -1")]
fn f32_of(sign: f64) -> f32 {
    sign as f32
}

/// Positions that now lie on a grid but otherwise equal the old ones, with the largest error of
/// such a grid.
///
/// A quantized mesh has a separate space: the offset matrices take all of its joints there by one
/// transform.
pub(super) fn quantized(
    old: &MeshContent,
    new: &MeshContent,
    partner: &Partner,
    size: f64,
) -> Option<Finding> {
    let step = new.grid.filter(|_| old.grid.is_none() && size > 0.0)?;
    let (from, to) = (&old.lists.positions, &new.lists.positions);
    let offsets = new.joints.iter().find_map(|joint| {
        let before = joint_before(old, partner, &joint.name)?.offset?;
        Some([before, joint.offset?].map(|offset| Affine3::from_cols_array(&offset)))
    });
    let [before, now] = offsets?;
    let old_from_new = before.inverse() * now;
    let mean = |sums: &Sums| -> Option<[f64; 3]> {
        let sums: [f64; 3] = sums.total(0).try_into().ok()?;
        Some(sums.map(|sum| sum / f64::from(from.count.max(1))))
    };
    if from.count != to.count || from.count == 0 {
        return None;
    }
    let Mat3 { x_axis, y_axis, z_axis } = old_from_new.matrix3;
    let axes = [x_axis, y_axis, z_axis].map(|axis| axis.to_array().map(f64::from));
    let place = old_from_new.translation.to_array().map(f64::from);
    let center = mean(to)?;
    let placed: [f64; 3] = core::array::from_fn(|k| {
        place[k] + (0..3).map(|axis| axes[axis][k] * center[axis]).sum::<f64>()
    });
    let grown = axes.iter().map(|axis| norm(axis)).fold(0.0, larger);
    let error = 0.5 * f64::from(step) * grown * 3.0_f64.sqrt();
    let gap: Vec<f64> = placed.iter().zip(mean(from)?).map(|(a, b)| a - b).collect();
    let quantized = say(Kind::Quantized, subject(new)).by(error / size, Unit::Diagonals);
    (norm(&gap) <= error).then_some(quantized)
}
