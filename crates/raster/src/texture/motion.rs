//! Motion of texture coordinates that varies from point to point, for plain floats and for lanes.

use tintype_model::TexcoordMotion;
use tintype_model::math::number::Number;

/// Cosine and sine of a fraction of a motion's rotation, which is at most half a turn.
#[inline(always)]
fn turned<N: Number>(motion: &TexcoordMotion, share: N) -> [N; 2] {
    // Taylor series of half the angle, which is at most a quarter turn.
    let half = share * (0.5 * motion.turn_rad);
    let square = half * half;
    let sine = square * -2.505_210_8e-8 + 2.755_731_9e-6;
    let sine = square * (square * (square * sine - 1.984_127e-4) + 8.333_333e-3) - 0.166_666_67;
    let sine = half * (square * sine + 1.0);
    let cosine = square * 2.087_675_7e-9 - 2.755_732e-7;
    let cosine = square * (square * (square * cosine + 2.480_158_7e-5) - 1.388_888_9e-3);
    let cosine = square * (square * (cosine + 4.166_666_8e-2) - 0.5) + 1.0;
    let double = sine * 2.0;
    [-(double * sine) + 1.0, double * cosine]
}

/// Moves a footprint (the position, a step to the right and one down) by a fraction of a motion.
#[inline(always)]
pub(crate) fn moved<N: Number>(
    motion: &TexcoordMotion,
    share: N,
    [at, across, down]: [[N; 2]; 3],
) -> [[N; 2]; 3] {
    let [cosine, sine] = turned(motion, share);
    let [u, v] = turn([cosine, sine], [at[0] - 0.5, at[1] - 0.5]);
    let (way_u, way_v) = (share * motion.way.x, share * motion.way.y);
    [[u + 0.5 + way_u, v + 0.5 + way_v], turn([cosine, sine], across), turn([cosine, sine], down)]
}

#[inline(always)]
fn turn<N: Number>([cosine, sine]: [N; 2], [u, v]: [N; 2]) -> [N; 2] {
    [cosine * u + sine * v, cosine * v - sine * u]
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::math::{Vec2, func};

    #[test]
    fn motion_turns_around_the_middle_and_then_moves() {
        let way = Vec2::new(0.25, -0.5);
        for turn_rad in [-3.1_f32, -1.0, 0.0, 0.5, 2.0, 3.1] {
            let motion = TexcoordMotion { turn_rad, way };
            for share in [0.0_f32, 0.5, 1.0] {
                let [at, across, _] = moved(&motion, share, [[0.75, 0.5], [1.0, 0.0], [0.0, 1.0]]);
                let (cosine, sine) = (func::cos(turn_rad * share), func::sin(turn_rad * share));
                let expected =
                    [0.5 + 0.25 * cosine + way.x * share, 0.5 - 0.25 * sine + way.y * share];
                for (found, expected) in
                    at.into_iter().chain(across).zip(expected.into_iter().chain([cosine, -sine]))
                {
                    assert!(
                        (found - expected).abs() < 1e-6,
                        "{turn_rad} {share}: {found}, {expected}"
                    );
                }
            }
        }
    }
}
