//! Viewpoint of a thumbnail: the three-quarter view that shows most of a model's shape.
//!
//! Input: a solid, its front, and whether it is a figure. Output: azimuth and elevation of an
//! orbiting camera, as in scenes. Each candidate is drawn as a [`Silhouette`] and scored by the
//! covered area, the variety of normals, the visible edges, and the familiarity of the view.
//!
//! - A **figure** is shown from its front: 25 to 45 degrees to its left, up to 65 if it is longer
//!   than high, so that its face is turned to the key light of both looks; from a higher point if
//!   it is low, such as a beetle or a bat.
//! - A **flat** model is shown from its broad side, slightly turned; a lying one from above, with
//!   its far edge up.
//! - Any other model is shown from the side with the best score.
//! - Without a skin, all of them are shown from at most `MAX_AZIMUTH_DEG` beside the front of their
//!   format.

use super::silhouette::{Reading, Silhouette};
use super::solid::Solid;
use tintype_model::math::{Affine3, Vec3, func, max, min, unit_or};
use tintype_model::pose::bind_pose;
use tintype_model::simd::Level;
use tintype_model::skin::{SkinMatrices, SkinOptions, skin_mesh_with};
use tintype_model::{CullMode, Material};
use tintype_render::asset::LoadedModel;

/// Class of a model's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Has many joints, or a left and a right side.
    Figure,
    /// A plate, a sheet or a blade.
    Flat,
    /// Any other model.
    Thing,
}

impl Shape {
    /// The class as a word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Figure => "figure",
            Self::Flat => "flat",
            Self::Thing => "thing",
        }
    }
}

/// A viewpoint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    /// Azimuth: 0 is before its front, positive is counter-clockwise from above.
    pub azimuth_deg: f64,
    /// Elevation above the horizon.
    pub elevation_deg: f64,
    /// Class of the model's shape.
    pub shape: Shape,
}

/// A thing is flat if its third axis is shorter than this fraction of the second.
const FLAT: f32 = 0.16;
/// Weights of the score.
const FILL: f32 = 0.6;
const VARIETY: f32 = 0.7;
const DETAIL: f32 = 0.5;
/// Fraction of edges above which the score does not grow.
const MAX_DETAIL: f32 = 0.6;

/// A candidate, and its bonus.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    azimuth_deg: f32,
    elevation_deg: f32,
    favour: f32,
}

/// The direction from a model to the eye, and the up direction perpendicular to it; `front` is
/// level.
#[must_use]
pub fn directions(front: Vec3, azimuth_deg: f32, elevation_deg: f32) -> (Vec3, Vec3) {
    let (azimuth, elevation) = (func::radians(azimuth_deg), func::radians(elevation_deg));
    let aside = Vec3::Y.cross(front);
    let level = front * func::cos(azimuth) + aside * func::sin(azimuth);
    let (sin, cos) = (func::sin(elevation), func::cos(elevation));
    (level * cos + Vec3::Y * sin, Vec3::Y * cos - level * sin)
}

/// Degrees about the vertical from one level direction to another, counter-clockwise from above,
/// -180 to 180.
#[must_use]
pub fn turn_deg(from: Vec3, to: Vec3) -> f32 {
    func::degrees(func::atan2(to.dot(Vec3::Y.cross(from)), to.dot(from)))
}

/// Maximum azimuth of the camera for a thing without a skin: its format defines its front.
const MAX_AZIMUTH_DEG: f32 = 35.0;

/// The viewpoint with the best score. Azimuths count from `front`, a horizontal unit vector;
/// without a skin they stay close to it. None if `is_late` becomes true.
#[must_use]
pub fn best_viewpoint(
    solid: &Solid,
    front: Vec3,
    (is_figure, is_skinned): (bool, bool),
    is_late: &dyn Fn() -> bool,
) -> Option<Viewpoint> {
    let (spread, axes) = solid.spread();
    let is_flat = !is_figure && spread[2] < FLAT * spread[1];
    let shape = match (is_figure, is_flat) {
        (true, _) => Shape::Figure,
        (false, true) => Shape::Flat,
        (false, false) => Shape::Thing,
    };
    let mut candidates = match shape {
        Shape::Figure => of_figure(solid, front),
        Shape::Flat => of_plate(axes[2], front),
        Shape::Thing => of_thing(),
    };
    if !is_skinned {
        candidates = before_the_front(&candidates);
    }
    let mut readings = Vec::new();
    for candidate in &candidates {
        if is_late() {
            return None;
        }
        let (back, up) = directions(front, candidate.azimuth_deg, candidate.elevation_deg);
        readings.push(Silhouette::new(solid, back, up).read());
    }
    let most = readings.iter().fold(0.0, |most, reading| max(reading.fill, most));
    let mut best: Option<(f32, Candidate)> = None;
    for (candidate, reading) in candidates.into_iter().zip(readings) {
        let score = score(&reading, most) + candidate.favour;
        // Of equal scores the first.
        if best.is_none_or(|(highest, _)| score > highest + 1e-4) {
            best = Some((score, candidate));
        }
    }
    let (_, best) = best?;
    Some(Viewpoint {
        azimuth_deg: f64::from(best.azimuth_deg),
        elevation_deg: f64::from(best.elevation_deg),
        shape,
    })
}

/// Minimum fraction of a model's area in one plane for it to count as one-sided.
const ONE_SIDED: f32 = 0.9;

/// The direction of the only side from which a model is visible: all of it is flat, and its
/// materials cull one side of its faces.
#[must_use]
pub fn only_side(loaded: &LoadedModel, materials: &[Material]) -> Option<Vec3> {
    let model = &loaded.model;
    let material = |mesh: usize| materials.get(*loaded.mesh_materials.get(mesh)?);
    let drawn = || (0..model.meshes.len()).filter_map(|mesh| Some((mesh, material(mesh)?)));
    let drawn = || drawn().filter(|(_, material)| material.opacity > 0.0);
    if drawn().any(|(_, material)| matches!(material.cull, CullMode::None | CullMode::Auto)) {
        return None;
    }
    let pose = bind_pose(&model.skeleton).placed(&Affine3::from_mat3(loaded.upright));
    let matrices = SkinMatrices::new(&pose);
    let options = SkinOptions { tangents: false, level: Level::best() };
    let (mut sum, mut area) = (Vec3::ZERO, 0.0);
    for (mesh, material) in drawn() {
        let mesh = &model.meshes[mesh];
        let posed = skin_mesh_with(mesh, &matrices, options);
        let side = if material.cull == CullMode::Front { -1.0 } else { 1.0 };
        for corners in &mesh.triangles {
            let [a, b, c] = corners.map(|corner| posed.position_at(corner as usize));
            let normal = (b - a).cross(c - a) * side;
            (sum, area) = (sum + normal, area + normal.length());
        }
    }
    (sum.length() > ONE_SIDED * area).then(|| unit_or(sum, Vec3::Y))
}

/// The angles of a camera that sees a one-sided model: unchanged, or moved to the opposite place,
/// below or behind.
#[must_use]
pub fn before_side([azimuth_deg, elevation_deg]: [f64; 2], front: Vec3, side: Vec3) -> [f64; 2] {
    /// Cosine of the angle to its side beyond which almost nothing is visible.
    const LEAST: f32 = 0.1;
    #[expect(clippy::cast_possible_truncation, reason = "angles of a camera")]
    let seen = |[azimuth, elevation]: [f64; 2]| {
        directions(front, azimuth as f32, elevation as f32).0.dot(side)
    };
    let behind = if azimuth_deg > 0.0 { azimuth_deg - 180.0 } else { azimuth_deg + 180.0 };
    let places = [
        [azimuth_deg, elevation_deg],
        [azimuth_deg, -elevation_deg],
        [behind, elevation_deg],
        [behind, -elevation_deg],
    ];
    if seen(places[0]) > LEAST {
        return places[0];
    }
    places.into_iter().fold(
        places[0],
        |best, place| {
            if seen(place) > seen(best) { place } else { best }
        },
    )
}

fn score(reading: &Reading, most_fill: f32) -> f32 {
    let fill = if most_fill > 0.0 { reading.fill / most_fill } else { 0.0 };
    FILL * fill + VARIETY * reading.variety + DETAIL * min(reading.detail, MAX_DETAIL)
}

/// Candidates for a figure: from the front, so that it looks towards the key light, on the left of
/// the picture; farther around if the body would hide itself.
fn of_figure(solid: &Solid, front: Vec3) -> Vec<Candidate> {
    let extent = |axis: Vec3| {
        let (low, high) = solid.range(axis);
        high - low
    };
    let (height, depth) = (extent(Vec3::Y), extent(front));
    let width = extent(Vec3::Y.cross(front));
    let is_long = depth > 1.2 * height && depth > width;
    let is_low = height < 0.45 * max(depth, width);
    let elevations: &[(f32, f32)] =
        if is_low { &[(28.0, 0.0)] } else { &[(10.0, 0.03), (18.0, 0.0)] };
    let azimuths: &[(f32, f32)] = if is_long {
        &[(35.0, 0.0), (45.0, 0.05), (55.0, 0.05), (65.0, 0.0)]
    } else {
        &[(25.0, 0.03), (35.0, 0.05), (45.0, 0.0)]
    };
    let mut candidates = Vec::new();
    for &(azimuth_deg, favour) in azimuths {
        for &(elevation_deg, more) in elevations {
            candidates.push(Candidate { azimuth_deg, elevation_deg, favour: favour + more });
        }
    }
    candidates
}

/// Candidates for a flat thing: in front of one of its two sides, slightly turned; from above if it
/// lies.
fn of_plate(normal: Vec3, front: Vec3) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    if normal.y.abs() > 0.8 {
        // Its far edge is up.
        for azimuth_deg in [25.0, -25.0, 0.0] {
            for elevation_deg in [40.0, 55.0] {
                candidates.push(Candidate { azimuth_deg, elevation_deg, favour: 0.0 });
            }
        }
        return candidates;
    }
    let level = unit_or(Vec3::new(normal.x, 0.0, normal.z), front);
    for side in [level, -level] {
        let middle = turn_deg(front, side);
        // The side of the front.
        let favour = 0.1 * side.dot(front);
        for turn in [20.0, -20.0] {
            for elevation_deg in [8.0, 20.0] {
                let azimuth_deg = rounded(middle + turn);
                candidates.push(Candidate { azimuth_deg, elevation_deg, favour });
            }
        }
    }
    candidates
}

/// Candidates for other things: from all sides, with a bonus for the front and for low elevations.
fn of_thing() -> Vec<Candidate> {
    const AZIMUTHS: [f32; 12] =
        [30.0, -30.0, 45.0, -45.0, 60.0, -60.0, 120.0, -120.0, 135.0, -135.0, 150.0, -150.0];
    let mut candidates = Vec::new();
    for azimuth_deg in AZIMUTHS {
        for (elevation_deg, more) in [(14.0, -0.06), (28.0, 0.04), (45.0, -0.1)] {
            let favour = 0.12 * func::cos(func::radians(azimuth_deg)) + more;
            candidates.push(Candidate { azimuth_deg, elevation_deg, favour });
        }
    }
    candidates
}

/// The candidates with azimuths near the front, each once.
fn before_the_front(candidates: &[Candidate]) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::new();
    for one in candidates {
        let azimuth_deg = max(min(one.azimuth_deg, MAX_AZIMUTH_DEG), -MAX_AZIMUTH_DEG);
        let is_there = |other: &Candidate| {
            other.azimuth_deg.to_bits() == azimuth_deg.to_bits()
                && other.elevation_deg.to_bits() == one.elevation_deg.to_bits()
        };
        if !kept.iter().any(is_there) {
            kept.push(Candidate { azimuth_deg, ..*one });
        }
    }
    kept
}

/// Rounds to whole degrees within -180 to 180.
fn rounded(degrees: f32) -> f32 {
    let whole = (degrees + 0.5).floor();
    if whole > 180.0 {
        whole - 360.0
    } else if whole < -180.0 {
        whole + 360.0
    } else {
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::tests::cuboid;

    fn angle(solid: &Solid, is_figure: bool) -> Viewpoint {
        best_viewpoint(solid, Vec3::Z, (is_figure, is_figure), &|| false).unwrap()
    }

    #[test]
    fn angle_of_a_box_shows_three_faces() {
        let found = angle(&cuboid(Vec3::splat(-1.0), Vec3::splat(1.0)), false);
        assert_eq!(found.shape, Shape::Thing);
        assert!(
            (30.0..=35.0).contains(&found.azimuth_deg.abs()) && found.elevation_deg > 20.0,
            "{found:?}"
        );
    }

    #[test]
    fn angle_of_a_blade_shows_its_broad_side() {
        // Its edge is at the front.
        let blade = cuboid(Vec3::new(-0.02, 0.0, -0.2), Vec3::new(0.02, 3.0, 0.2));
        let found = best_viewpoint(&blade, Vec3::Z, (false, true), &|| false).unwrap();
        assert_eq!(found.shape, Shape::Flat);
        assert!((found.azimuth_deg.abs() - 90.0).abs() <= 20.0, "{found:?}");
        assert_eq!(angle(&blade, false).azimuth_deg.abs(), 35.0, "without a skin, near the front");
        // A sign that is equally good from its other side.
        let sign = cuboid(Vec3::new(-1.0, 0.0, -0.02), Vec3::new(1.0, 3.0, 0.02));
        assert!(angle(&sign, false).azimuth_deg.abs() <= 20.0);
    }

    #[test]
    fn angle_of_a_rug_looks_down() {
        let found = angle(&cuboid(Vec3::new(-2.0, 0.0, -1.0), Vec3::new(2.0, 0.05, 1.0)), false);
        assert!(found.shape == Shape::Flat && found.elevation_deg >= 40.0, "{found:?}");
        assert!(found.azimuth_deg.abs() <= 25.0, "{found:?}");
        let tall = angle(&cuboid(Vec3::new(-1.0, 0.0, -2.0), Vec3::new(1.0, 0.05, 2.0)), false);
        assert!(tall.azimuth_deg.abs() <= 25.0, "its far edge is up: {tall:?}");
    }

    #[test]
    fn angle_of_a_figure_is_from_its_front() {
        let tall = angle(&cuboid(Vec3::new(-0.4, 0.0, -0.2), Vec3::new(0.4, 1.8, 0.2)), true);
        assert!(tall.azimuth_deg.abs() <= 45.0 && tall.shape == Shape::Figure, "{tall:?}");
        let long = angle(&cuboid(Vec3::new(-0.3, 0.0, -1.5), Vec3::new(0.3, 1.0, 1.5)), true);
        assert!((35.0..=65.0).contains(&long.azimuth_deg.abs()), "{long:?}");
        let wide = angle(&cuboid(Vec3::new(-2.0, 0.0, -0.4), Vec3::new(2.0, 0.2, 0.4)), true);
        assert!(wide.elevation_deg >= 28.0 && wide.azimuth_deg.abs() <= 45.0, "{wide:?}");
    }

    #[test]
    fn angle_is_given_up_when_it_is_late() {
        let solid = cuboid(Vec3::ZERO, Vec3::ONE);
        assert_eq!(best_viewpoint(&solid, Vec3::Z, (false, false), &|| true), None);
    }

    #[test]
    fn turn_is_counted_from_the_front() {
        for azimuth in [0.0, 30.0, -90.0, 135.0, 180.0] {
            let (back, _) = directions(Vec3::X, azimuth, 0.0);
            let found = turn_deg(Vec3::X, back);
            assert!(
                (found - azimuth).abs() < 1e-3 || (found.abs() - 180.0).abs() < 1e-3,
                "{azimuth} {found}"
            );
        }
    }

    #[test]
    fn side_that_is_not_seen_is_shown_from_the_place_opposite() {
        let seen = |side: Vec3| before_side([30.0, 12.0], Vec3::Z, side);
        assert_eq!(seen(Vec3::Z), [30.0, 12.0]);
        assert_eq!(seen(Vec3::Y), [30.0, 12.0]);
        assert_eq!(seen(Vec3::NEG_Y), [30.0, -12.0]);
        assert_eq!(seen(Vec3::NEG_Z)[0], -150.0);
    }
}
