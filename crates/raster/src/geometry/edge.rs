//! Exact coverage: edge functions over fixed-point vertices, the fill rule, and sample positions.
//!
//! # Conventions
//! - **Space**: the picture, x to the right, y **down**, in units of 1/256 pixel ([`UNIT`]). The
//!   centre of pixel `(x, y)` is at `(256 x + 128, 256 y + 128)`.
//! - **Order**: corners are ordered so that the doubled area is positive, which is clockwise on the
//!   screen.
//! - **Inside**: a point is inside if every edge function is above 0, or 0 on a top or left edge.
//!   Two triangles with a common edge therefore cover each point on it exactly once.
//!
//! # Source
//! Pineda, "A Parallel Algorithm for Polygon Rasterization", SIGGRAPH 1988.

/// Fixed-point units in a pixel.
pub const UNIT: i32 = 256;
/// Binary digits of [`UNIT`].
pub const UNIT_BITS: u32 = 8;

/// Sample positions within a pixel, in 1/256 pixel from its upper left corner.
pub type SamplePattern = &'static [[i32; 2]];

/// Offsets from the pixel centre in 1/16 pixel become offsets from its corner in 1/256.
const fn from_sixteenths<const N: usize>(offsets: [[i32; 2]; N]) -> [[i32; 2]; N] {
    let mut places = offsets;
    let mut index = 0;
    while index < N {
        places[index] = [(offsets[index][0] + 8) * 16, (offsets[index][1] + 8) * 16];
        index += 1;
    }
    places
}

static SAMPLES_1: [[i32; 2]; 1] = from_sixteenths([[0, 0]]);
static SAMPLES_2: [[i32; 2]; 2] = from_sixteenths([[4, 4], [-4, -4]]);
static SAMPLES_4: [[i32; 2]; 4] = from_sixteenths([[-2, -6], [6, -2], [-6, 2], [2, 6]]);
static SAMPLES_8: [[i32; 2]; 8] =
    from_sixteenths([[1, -3], [-1, 3], [5, 1], [-3, -5], [-5, 5], [-7, -1], [3, 7], [7, -7]]);
static SAMPLES_16: [[i32; 2]; 16] = from_sixteenths([
    [1, 1],
    [-1, -3],
    [-3, 2],
    [4, -1],
    [-5, -2],
    [2, 5],
    [5, 3],
    [3, -5],
    [-2, 6],
    [0, -7],
    [-4, -6],
    [-6, 4],
    [-8, 0],
    [7, -4],
    [6, 7],
    [-7, -8],
]);

/// The standard multisample positions of Direct3D 11 for a number of samples. None for unsupported
/// numbers.
#[must_use]
pub fn sample_pattern(samples: u32) -> Option<SamplePattern> {
    match samples {
        1 => Some(&SAMPLES_1),
        2 => Some(&SAMPLES_2),
        4 => Some(&SAMPLES_4),
        8 => Some(&SAMPLES_8),
        16 => Some(&SAMPLES_16),
        _ => None,
    }
}

/// Twice the signed area of a triangle in units of 1/65536 square pixel; positive if it runs
/// clockwise on the screen.
#[inline]
#[must_use]
pub fn doubled_area(x: [i32; 3], y: [i32; 3]) -> i64 {
    let (x10, x20) = (i64::from(x[1] - x[0]), i64::from(x[2] - x[0]));
    let (y10, y20) = (i64::from(y[1] - y[0]), i64::from(y[2] - y[0]));
    x10 * y20 - x20 * y10
}

/// The edge function of one directed edge: `value(p) = along_x · p.x + along_y · p.y + constant`,
/// exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Slope per unit of x.
    pub along_x: i32,
    /// Slope per unit of y.
    pub along_y: i32,
    constant: i64,
    /// 0 on a top or left edge, otherwise -1: after adding it, inside means at least 0.
    bias: i64,
}

impl Edge {
    /// The edge from one corner to the next.
    #[inline]
    #[must_use]
    pub fn new(from: [i32; 2], to: [i32; 2]) -> Self {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let constant = i64::from(dy) * i64::from(from[0]) - i64::from(dx) * i64::from(from[1]);
        let top_left = dy < 0 || (dy == 0 && dx > 0);
        Self { along_x: -dy, along_y: dx, constant, bias: if top_left { 0 } else { -1 } }
    }

    /// The exact value at a point; 0 on the edge.
    #[inline]
    #[must_use]
    pub fn value(&self, x: i32, y: i32) -> i64 {
        i64::from(self.along_x) * i64::from(x)
            + i64::from(self.along_y) * i64::from(y)
            + self.constant
    }

    /// 0 on a top or left edge, otherwise -1: after adding it to a value, inside means at least 0.
    #[inline]
    #[must_use]
    pub fn bias(&self) -> i64 {
        self.bias
    }

    /// True if a point is on the inner side of the edge, by the fill rule.
    #[inline]
    #[must_use]
    pub fn covers(&self, x: i32, y: i32) -> bool {
        self.value(x, y) + self.bias >= 0
    }

    /// Compares the edge with a square with its lowest corner at `(x, y)`, all borders included.
    #[inline]
    #[must_use]
    pub fn against_square(&self, x: i32, y: i32, side: i32) -> Against {
        let corner = self.value(x, y) + self.bias;
        let (over_x, over_y) =
            (i64::from(self.along_x) * i64::from(side), i64::from(self.along_y) * i64::from(side));
        if corner + over_x.max(0) + over_y.max(0) < 0 {
            Against::Outside
        } else if corner + over_x.min(0) + over_y.min(0) >= 0 {
            Against::Inside
        } else {
            Against::Crosses
        }
    }

    /// The value at a point, in whole pixels: the start of a walk over the lattice of pixels.
    ///
    /// Points that are whole pixels apart differ by multiples of [`UNIT`], so the sign of
    /// `floor(value / UNIT) + along_x · columns + along_y · rows` is the sign of the exact value.
    /// If the edge crosses a square of [`crate::RasterOptions::MAX_TILE`] pixels, all of these
    /// fit 32 bits.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the edge crosses the tile: see above")]
    pub fn lattice_start(&self, x: i32, y: i32) -> i32 {
        ((self.value(x, y) + self.bias) >> UNIT_BITS) as i32
    }
}

/// Position of a square relative to an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// No point of the square is inside.
    Outside,
    /// Every point of the square is inside.
    Inside,
    /// Some points of the square are inside, others are not.
    Crosses,
}

/// The three edges of a triangle with a positive doubled area; edge `k` is opposite to corner `k`.
#[inline]
#[must_use]
pub fn triangle_edges(x: [i32; 3], y: [i32; 3]) -> [Edge; 3] {
    let corner = |k: usize| [x[k], y[k]];
    [
        Edge::new(corner(1), corner(2)),
        Edge::new(corner(2), corner(0)),
        Edge::new(corner(0), corner(1)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edge_of_a_shared_side_covers_each_point_once() {
        // Directed edges both ways: a point on the line belongs to exactly one of the two sides.
        let ends = [[0, 0], [512, 256], [0, 512], [-256, 768], [256, 0], [700, -33]];
        for from in ends {
            for to in ends {
                if from == to {
                    continue;
                }
                let (there, back) = (Edge::new(from, to), Edge::new(to, from));
                for x in (-300..800).step_by(7) {
                    for y in (-300..800).step_by(7) {
                        assert!(there.covers(x, y) != back.covers(x, y));
                    }
                }
                assert!(there.covers(from[0], from[1]) != back.covers(from[0], from[1]));
            }
        }
    }

    #[test]
    fn lattice_start_keeps_the_sign_of_the_exact_value() {
        let edge = Edge::new([1003, -77], [-411, 999]);
        for (x, y) in [(128, 128), (96, 32), (7, 249)] {
            let start = edge.lattice_start(x, y);
            for column in 0..8 {
                for row in 0..8 {
                    let lattice = start + edge.along_x * column + edge.along_y * row;
                    assert_eq!(lattice >= 0, edge.covers(x + column * UNIT, y + row * UNIT));
                }
            }
        }
    }

    #[test]
    fn sample_pattern_lies_inside_the_pixel_around_its_centre() {
        for samples in [1, 2, 4, 8, 16] {
            let pattern = sample_pattern(samples).unwrap();
            assert_eq!(pattern.len(), samples as usize);
            assert!(pattern.iter().flatten().all(|&place| (0..UNIT).contains(&place)));
        }
        assert_eq!(sample_pattern(3), None);
    }
}
