//! Linear programme in four variables: the target of an orbiting camera and the size of its view.
//!
//! Every frame of an orbit requires that its points lie between the four planes of the view. With
//! the eye at `target + back * distance` that is linear: `direction · target + size >= support`,
//! one [`Plane`] for each side of each frame, where the size is the distance of the eye, or half
//! the height of a parallel view. The programme finds the target and size that satisfy all planes
//! with the smallest `objective · target + size`.
//!
//! # Source
//! The revised dual simplex method: four planes hold the current corner, the most violated plane
//! enters, and the ratio test decides which one leaves. Each pivot solves two systems of four
//! equations, whatever the number of planes.

/// A half-space of targets and sizes: `direction · target + size >= support`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plane {
    /// The normal of a side of the view, scaled so that it moves by 1 as the size does.
    pub direction: [f64; 3],
    /// The maximum `direction · point` of all points of the frame.
    pub support: f64,
}

/// The range of the target along one of three perpendicular axes of length 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    /// The axis.
    pub axis: [f64; 3],
    /// The smallest `axis · target`.
    pub low: f64,
    /// The maximum; the same as `low` if the target is held.
    pub high: f64,
}

/// Target of an orbiting camera, and the size of its view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    /// The target.
    pub target: [f64; 3],
    /// The distance of the eye from it, or half the height of a parallel view.
    pub size: f64,
}

/// Coefficients of a constraint, and its right side.
type Row = ([f64; 4], f64);

/// Maximum number of pivots of one search; a programme of 400,000 planes takes about 20.
const MAX_PIVOTS: usize = 500;
/// From this pivot on the first violated constraint enters, not the most violated one: slower, but
/// it never cycles where several corners are one point (Bland, "New Finite Pivoting Rules for the
/// Simplex Method", 1977).
const CAREFUL_PIVOTS: usize = 60;
/// Ratios that differ by less than this are equal.
const SAME_RATIO: f64 = 1e-12;

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Finds the placement with the smallest `objective · target + size`.
///
/// All planes hold for the result: the size follows from them for the found target, so a search
/// that ends early is only less tight. Without planes the target is the middle of the spans, with
/// size 0.
pub(super) fn solve(planes: &[Plane], spans: &[Span; 3], objective: [f64; 3]) -> Placement {
    let middle = |k: usize| 0.5 * (spans[k].low + spans[k].high);
    if planes.is_empty() {
        let target = std::array::from_fn(|axis| {
            (0..3).map(|k| spans[k].axis[axis] * middle(k)).sum::<f64>()
        });
        return Placement { target, size: 0.0 };
    }
    let row = |index: usize| -> Row {
        match planes.get(index) {
            Some(Plane { direction: [x, y, z], support }) => ([*x, *y, *z, 1.0], *support),
            None => span_row(spans, index - planes.len()),
        }
    };
    // Any plane and one end of each span form a corner with non-negative multipliers.
    let rest: [f64; 3] = std::array::from_fn(|k| objective[k] - planes[0].direction[k]);
    let mut basis = [0; 4];
    for (k, span) in spans.iter().enumerate() {
        let is_high = dot(rest, span.axis) < 0.0;
        basis[k + 1] = planes.len() + 2 * k + usize::from(is_high);
    }
    let goal = [objective[0], objective[1], objective[2], 1.0];
    let mut found = [0.0; 4];
    for pivot in 0..MAX_PIVOTS {
        let rows: [Row; 4] = basis.map(row);
        let Some(corner) = solve_rows(rows.map(|(row, _)| row), rows.map(|(_, right)| right))
        else {
            break;
        };
        found = corner;
        let is_careful = pivot >= CAREFUL_PIVOTS;
        let Some(entering) = violated(planes, spans, &found, is_careful) else { break };
        let columns = transposed(rows.map(|(row, _)| row));
        let multipliers = solve_rows(columns, goal);
        let shares = solve_rows(columns, row(entering).0);
        let (Some(multipliers), Some(shares)) = (multipliers, shares) else { break };
        let mut leaving: Option<(f64, usize)> = None;
        for k in 0..4 {
            if shares[k] > 1e-9 {
                let ratio = larger(multipliers[k], 0.0) / shares[k];
                if leaving.is_none_or(|(least, other)| {
                    ratio < least - SAME_RATIO
                        || ratio <= least + SAME_RATIO && basis[k] < basis[other]
                }) {
                    leaving = Some((ratio, k));
                }
            }
        }
        let Some((_, leaving)) = leaving else { break };
        basis[leaving] = entering;
    }
    let target = [found[0], found[1], found[2]];
    Placement { target, size: size_for(planes, target) }
}

/// The larger of two numbers; the first if they are equal or one is NaN.
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The smallest size for which all planes are satisfied with a target.
pub(super) fn size_for(planes: &[Plane], target: [f64; 3]) -> f64 {
    planes.iter().fold(f64::NEG_INFINITY, |largest, plane| {
        let needed = plane.support - dot(plane.direction, target);
        if needed > largest { needed } else { largest }
    })
}

fn span_row(spans: &[Span; 3], index: usize) -> Row {
    let Span { axis: [x, y, z], low, high } = spans[index / 2];
    if index.is_multiple_of(2) { ([x, y, z, 0.0], low) } else { ([-x, -y, -z, 0.0], -high) }
}

/// The constraint that a corner violates most, or the first of all, beyond the rounding of its
/// terms.
fn violated(
    planes: &[Plane],
    spans: &[Span; 3],
    found: &[f64; 4],
    is_first: bool,
) -> Option<usize> {
    let target = [found[0], found[1], found[2]];
    let scale = found.iter().fold(1e-30_f64, |largest, part| larger(largest, part.abs()));
    let mut worst = (scale * 1e-11, None);
    for (index, plane) in planes.iter().enumerate() {
        let missing = plane.support - dot(plane.direction, target) - found[3];
        if missing > worst.0 {
            worst = (missing, Some(index));
            if is_first {
                return worst.1;
            }
        }
    }
    for index in 0..6 {
        let ([x, y, z, _], right) = span_row(spans, index);
        let missing = right - dot([x, y, z], target);
        if missing > worst.0 {
            worst = (missing, Some(planes.len() + index));
        }
    }
    worst.1
}

fn transposed(rows: [[f64; 4]; 4]) -> [[f64; 4]; 4] {
    std::array::from_fn(|i| std::array::from_fn(|k| rows[k][i]))
}

/// Solves `rows · x = right` by elimination with the largest pivot of each column. None if the rows
/// are linearly dependent.
fn solve_rows(mut rows: [[f64; 4]; 4], mut right: [f64; 4]) -> Option<[f64; 4]> {
    for column in 0..4 {
        let mut pivot = column;
        for other in column + 1..4 {
            if rows[other][column].abs() > rows[pivot][column].abs() {
                pivot = other;
            }
        }
        if rows[pivot][column].abs() < 1e-13 {
            return None;
        }
        rows.swap(column, pivot);
        right.swap(column, pivot);
        for other in column + 1..4 {
            let factor = rows[other][column] / rows[column][column];
            let upper = rows[column];
            for (value, above) in rows[other].iter_mut().zip(upper).skip(column) {
                *value -= factor * above;
            }
            right[other] -= factor * right[column];
        }
    }
    let mut solution = [0.0; 4];
    for column in (0..4).rev() {
        let mut sum = right[column];
        for k in column + 1..4 {
            sum -= rows[column][k] * solution[k];
        }
        solution[column] = sum / rows[column][column];
    }
    solution.iter().all(|part| part.is_finite()).then_some(solution)
}
