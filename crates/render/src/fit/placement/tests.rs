use super::*;
use crate::fit::sample::Numbers;

const TANGENT: f64 = 0.315;
const MARGIN: f64 = 0.06;

/// An orbit of `count` frames from `azimuth` over `turn` radians.
struct Turn {
    count: u32,
    azimuth: f64,
    turn: f64,
    elevation: f64,
}

impl Turn {
    fn outlines(&self, points: &[[f64; 3]]) -> Vec<Outline> {
        let of_frame = |frame: u32| {
            let azimuth = self.azimuth + self.turn * f64::from(frame) / f64::from(self.count);
            let (sin, cos) = azimuth.sin_cos();
            let (rise, level) = self.elevation.sin_cos();
            let back = [sin * level, rise, cos * level];
            let up = [-sin * rise, level, -cos * rise];
            let axes = [crate::fit::cross(up, back), up];
            let mut hulls = [ViewHull::default(), ViewHull::default()];
            for point in points {
                for (hull, axis) in hulls.iter_mut().zip(axes) {
                    hull.add(Corner { along: dot(axis, *point), nearness: dot(back, *point) });
                }
            }
            Outline { axes, back, hulls }
        };
        (0..self.count).map(of_frame).collect()
    }
}

struct Found {
    /// Smallest and largest position on each axis as fractions of half the picture.
    union: [[f64; 2]; 2],
}

impl Found {
    fn largest(&self) -> f64 {
        self.union.as_flattened().iter().fold(0.0, |most, part| part.abs().max(most))
    }

    fn off_centre(&self) -> [f64; 2] {
        self.union.map(|[low, high]| (low + high).abs())
    }
}

fn view<'a>(
    points: &[[f64; 3]],
    outlines: &'a [Outline],
    aspect: f64,
    shape: ViewShape,
) -> Shown<'a> {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for point in points {
        for k in 0..3 {
            low[k] = low[k].min(point[k]);
            high[k] = high[k].max(point[k]);
        }
    }
    let half = if shape == ViewShape::Pyramid { TANGENT } else { 1.0 };
    let upright = half * (1.0 - 2.0 * MARGIN);
    let pixel = 2.0 * half / 512.0;
    Shown { outlines, disc: None, low, high, shape, halves: [upright * aspect, upright], pixel }
}

fn project(
    points: &[[f64; 3]],
    outlines: &[Outline],
    placed: Placement,
    shown: &Shown<'_>,
) -> Found {
    let mut union = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for one in outlines {
        for point in points {
            let from_target: [f64; 3] = std::array::from_fn(|k| point[k] - placed.target[k]);
            let depth = match shown.shape {
                ViewShape::Pyramid => placed.size - dot(from_target, one.back),
                ViewShape::Prism => placed.size,
            };
            assert!(depth > 0.0, "behind the eye");
            for axis in 0..2 {
                let half = shown.halves[axis] / (1.0 - 2.0 * MARGIN);
                let at = dot(from_target, one.axes[axis]) / depth / half;
                union[axis] = [union[axis][0].min(at), union[axis][1].max(at)];
            }
        }
    }
    Found { union }
}

fn placed(points: &[[f64; 3]], turn: &Turn, aspect: f64, shape: ViewShape) -> Found {
    let outlines = turn.outlines(points);
    let shown = view(points, &outlines, aspect, shape);
    project(points, &outlines, shown.place(), &shown)
}

fn cloud(numbers: &mut Numbers, count: usize) -> Vec<[f64; 3]> {
    let sides = [0; 3].map(|_| 1.0 + numbers.signed());
    let offset = [0; 3].map(|_| 5.0 * numbers.signed());
    let point = |_| std::array::from_fn(|k| offset[k] + sides[k] * numbers.signed());
    (0..count).map(point).collect()
}

const TIGHT: f64 = 1.0 - 2.0 * MARGIN;
const SHAPES: [ViewShape; 2] = [ViewShape::Pyramid, ViewShape::Prism];

#[test]
fn placement_of_one_frame_is_tight_and_centred() {
    let mut numbers = Numbers::new(12345);
    for case in 0..200 {
        let points = cloud(&mut numbers, 40);
        let elevation = 1.5 * numbers.signed();
        let turn = Turn { count: 1, azimuth: 3.0 * numbers.signed(), turn: 0.0, elevation };
        let found = placed(&points, &turn, [0.5, 1.0, 1.78][case % 3], SHAPES[case % 2]);
        assert!((found.largest() - TIGHT).abs() < 1e-6, "{case}: {:?}", found.union);
        assert!(found.off_centre().iter().all(|&off| off < 1e-5), "{case}: {:?}", found.union);
    }
}

#[test]
fn placement_of_a_turn_is_tight_and_its_union_centred() {
    let mut numbers = Numbers::new(99);
    for case in 0..60 {
        let points = cloud(&mut numbers, 40);
        let elevation = 1.5 * numbers.signed();
        let turn = Turn { count: 36, azimuth: 0.3, turn: std::f64::consts::TAU, elevation };
        let found = placed(&points, &turn, [0.5, 1.0, 1.78][case % 3], SHAPES[case % 2]);
        assert!((found.largest() - TIGHT).abs() < 1e-6, "{case}: {:?}", found.union);
        let pixel = 2.0 / 512.0;
        assert!(found.off_centre().iter().all(|&off| off < pixel), "{case}: {:?}", found.union);
    }
}

/// Along an arc one target may have to serve frames that want different ones.
#[test]
fn placement_of_an_arc_gives_up_little_distance_for_equal_margins() {
    let mut numbers = Numbers::new(5);
    for case in 0..60 {
        let points = cloud(&mut numbers, 40);
        let elevation = 1.2 * numbers.signed();
        let span = [0.4, 1.0, 3.0][case % 3];
        let turn = Turn { count: 7, azimuth: 3.0 * numbers.signed(), turn: span, elevation };
        let outlines = turn.outlines(&points);
        let shown = view(&points, &outlines, 1.0, ViewShape::Pyramid);
        let problem = Problem::new(&shown);
        let tight = problem.solve(shown.halves);
        let placed = shown.place_around_center();
        let longer = (problem.value(&placed) - problem.value(&tight)) / tight.size;
        assert!((-1e-6..MAX_LONGER + 1e-6).contains(&longer), "{case}: {longer}");
        let found = project(&points, &outlines, shown.place(), &shown);
        assert!(found.largest() < TIGHT + 1e-6, "{case}: {:?}", found.union);
        let pixel = 2.0 / 512.0;
        assert!(found.off_centre().iter().all(|&off| off < pixel), "{case}: {:?}", found.union);
    }
}

#[test]
fn placement_of_degenerate_points_is_finite_and_centred() {
    let clouds: [&[[f64; 3]]; 5] = [
        &[[3.0, 2.0, 1.0]],
        &[[0.0, 0.0, 0.0], [0.0, 2.0, 0.0]],
        &[[0.0, 0.0, 0.0], [0.0, 0.0, 5.0]],
        &[[1.0, 0.0, 0.0], [-1.0, 0.0, 2.0], [3.0, 0.0, 5.0]],
        &[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [4.0, 4.0, 4.0]],
    ];
    for points in clouds {
        for elevation in [0.0, 0.6, std::f64::consts::FRAC_PI_2] {
            for count in [1, 12] {
                for shape in SHAPES {
                    let full = std::f64::consts::TAU;
                    let turn = Turn { count, azimuth: 0.0, turn: full, elevation };
                    let outlines = turn.outlines(points);
                    let shown = view(points, &outlines, 1.0, shape);
                    let Placement { target, size } = shown.place();
                    assert!(size.is_finite() && size >= 0.0, "{points:?} {elevation} {size}");
                    assert!(target.iter().all(|part| part.is_finite()), "{points:?}");
                    if points.len() > 1 && size > 1e-9 {
                        let placed = Placement { target, size };
                        let found = project(points, &outlines, placed, &shown);
                        let off = found.off_centre();
                        assert!(
                            off.iter().all(|&off| off < 4e-3),
                            "{points:?} {elevation} {count} {shape:?} {off:?} {placed:?}"
                        );
                        assert!(found.largest() < TIGHT + 1e-6, "{points:?} {elevation}");
                    }
                }
            }
        }
    }
}

#[test]
fn placement_is_the_same_at_every_scale_and_far_from_the_origin() {
    let mut numbers = Numbers::new(3);
    let points = cloud(&mut numbers, 30);
    let turn = Turn { count: 1, azimuth: 0.7, turn: 0.0, elevation: 0.3 };
    for scale in [1e-9, 1e-3, 1e6, 1e12] {
        for offset in [0.0, 1e4] {
            let points: Vec<[f64; 3]> =
                points.iter().map(|point| point.map(|part| (part + offset) * scale)).collect();
            let found = placed(&points, &turn, 1.3, ViewShape::Pyramid);
            assert!((found.largest() - TIGHT).abs() < 1e-6, "{scale}: {:?}", found.union);
            assert!(found.off_centre().iter().all(|&off| off < 1e-5), "{scale}: {:?}", found.union);
        }
    }
}

#[test]
fn placement_holds_a_disc_around_the_points() {
    let points = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let turn = Turn { count: 1, azimuth: 0.4, turn: 0.0, elevation: 0.4 };
    let outlines = turn.outlines(&points);
    let mut shown = view(&points, &outlines, 1.0, ViewShape::Pyramid);
    shown.disc = Some(Disc { center: [0.2, 0.0, 0.1], radius: 3.0 });
    let placed = shown.place();
    let rim: Vec<[f64; 3]> = (0..3600)
        .map(|step| {
            let (sin, cos) = (f64::from(step) * std::f64::consts::TAU / 3600.0).sin_cos();
            [0.2 + 3.0 * sin, 0.0, 0.1 + 3.0 * cos]
        })
        .collect();
    let found = project(&rim, &outlines, placed, &shown);
    assert!((found.largest() - TIGHT).abs() < 1e-5, "{:?}", found.union);
    assert!(found.off_centre()[0] < 1e-4, "{:?}", found.union);
}

#[test]
fn placement_of_a_line_along_the_view_keeps_it_before_the_eye() {
    let points = [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]];
    let turn = Turn { count: 1, azimuth: 0.0, turn: 0.0, elevation: 0.0 };
    let outlines = turn.outlines(&points);
    let shown = view(&points, &outlines, 1.0, ViewShape::Pyramid);
    assert!(shown.place().size >= 1.0 + MIN_GAP * 2.0 - 1e-9);
    let parallel = view(&points, &outlines, 1.0, ViewShape::Prism);
    assert!(parallel.clear_distance([0.0; 3]) >= 1.0 + MIN_GAP * 2.0 - 1e-9);
}
