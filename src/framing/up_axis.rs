//! Up axis of a model whose file does not name one, estimated from its shape.

use crate::asset::LoadedModel;
use crate::inspect::summary::{BoxSummary, ModelSummary};
use crate::math::{Mat3, Vec3};
use crate::pose::bind_pose;
use crate::scene::FileAxis;
use crate::skin::{SkinMatrices, skin_mesh};

/// The axes of a file that point up and ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UprightAxes {
    /// Up.
    pub up: FileAxis,
    /// Ahead.
    pub front: FileAxis,
}

/// The axis of its file along which a `.x` figure is upright, if it would lie on its back or its face with +Y up; none for others.
///
/// A figure with many joints that is at least twice as long along z of its file as it is high and wide, begins at z = 0, and has
/// the z axis through its middle, is upright along z. Animals and vehicles are long too, but have z = 0 in their middle.
#[must_use]
pub fn lying_along(facts: &ModelSummary, loaded: &LoadedModel) -> Option<FileAxis> {
    const FEWEST_JOINTS: usize = 8;
    const LONGER: f32 = 2.0;
    /// Largest distance of its start from 0, as a share of its length.
    const NEAR_ZERO: f32 = 0.1;
    let pulling = facts.joints.iter().filter(|joint| joint.vertices > 0).count();
    if loaded.ticks.is_none() || loaded.upright != Mat3::IDENTITY || pulling < FEWEST_JOINTS {
        return None;
    }
    let BoxSummary { min, max } = facts.bounds?;
    let [width, height, length] = [0, 1, 2].map(|axis| max[axis] - min[axis]);
    let is_around = |axis: usize| {
        let size = max[axis] - min[axis];
        min[axis] < -0.2 * size && max[axis] > 0.2 * size
    };
    if length < LONGER * height || length < LONGER * width || !is_around(0) || !is_around(1) {
        return None;
    }
    // Model space has the opposite z of the file.
    match (max[2].abs() <= NEAR_ZERO * length, min[2].abs() <= NEAR_ZERO * length) {
        (true, false) => Some(FileAxis::PlusZ),
        (false, true) => Some(FileAxis::MinusZ),
        _ => None,
    }
}

/// Axes of such a figure: up by [`lying_along`], front by the direction of its toes.
#[must_use]
pub fn upright_axes(facts: &ModelSummary, loaded: &LoadedModel) -> Option<UprightAxes> {
    let up = lying_along(facts, loaded)?;
    let model = &loaded.model;
    let matrices = SkinMatrices::new(&bind_pose(&model.skeleton));
    // In model space: y is the y of the file, z its opposite.
    let up_axis = if up == FileAxis::PlusZ { Vec3::NEG_Z } else { Vec3::Z };
    let mut heights: Vec<(f32, f32)> = Vec::new();
    for mesh in &model.meshes {
        let posed = skin_mesh(mesh, &matrices);
        let points = (0..posed.len()).map(|vertex| posed.position_at(vertex));
        heights.extend(points.map(|point| (point.dot(up_axis), point.y)));
    }
    let (low, high) = heights.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), at| {
        (if at.0 < low { at.0 } else { low }, if at.0 > high { at.0 } else { high })
    });
    // The middle of a slice of its height, along y.
    let middle = |from: f32, to: f32| -> Option<f32> {
        let (from, to) = (low + (high - low) * from, low + (high - low) * to);
        let slice = heights.iter().filter(|at| (from..=to).contains(&at.0)).map(|at| at.1);
        let (least, most) = slice.fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), y| {
            (if y < least { y } else { least }, if y > most { y } else { most })
        });
        (most >= least).then_some((least + most) * 0.5)
    };
    let toes = middle(0.0, 0.05).zip(middle(0.12, 0.3)).map(|(feet, shins)| feet - shins);
    let front =
        if toes.is_some_and(|toes| toes > 0.0) { FileAxis::PlusY } else { FileAxis::MinusY };
    Some(UprightAxes { up, front })
}
