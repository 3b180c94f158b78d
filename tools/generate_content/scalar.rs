//! Small scalar functions of the generator: blends and the transcendental functions it may use.
//!
//! Every function returns the same bits on every CPU: only `+ - * /`, comparison, and `libm`.

/// The smaller of two numbers.
pub(crate) fn min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The larger of two numbers.
pub(crate) fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// `value` clamped to `low` and `high`.
pub(crate) fn hold(value: f64, low: f64, high: f64) -> f64 {
    min(max(value, low), high)
}

/// `value` clamped to 0 and 1.
pub(crate) fn unit(value: f64) -> f64 {
    hold(value, 0.0, 1.0)
}

/// From `a` at 0 to `b` at 1.
pub(crate) fn mix(a: f64, b: f64, share: f64) -> f64 {
    a + (b - a) * share
}

/// 0 at `from`, 1 at `to`, smooth at both ends; `from` may be the larger.
pub(crate) fn ramp(value: f64, from: f64, to: f64) -> f64 {
    let t = unit((value - from) / (to - from));
    t * t * (3.0 - 2.0 * t)
}

/// 1 within `half_width` of 0, falling to 0 over `soft` beyond it.
pub(crate) fn band(value: f64, half_width: f64, soft: f64) -> f64 {
    ramp(value.abs(), half_width + soft, half_width)
}

/// Degrees as radians.
pub(crate) fn radians(degrees: f64) -> f64 {
    degrees * (std::f64::consts::PI / 180.0)
}

/// The sine of an angle in radians.
pub(crate) fn sin(angle_rad: f64) -> f64 {
    libm::sin(angle_rad)
}

/// The cosine of an angle in radians.
pub(crate) fn cos(angle_rad: f64) -> f64 {
    libm::cos(angle_rad)
}

/// The angle in radians with cosine `value`, which is clamped to -1..=1 first.
pub(crate) fn acos(value: f64) -> f64 {
    libm::acos(hold(value, -1.0, 1.0))
}

/// The sine of a fraction of a full turn.
pub(crate) fn wave(turns: f64) -> f64 {
    libm::sin(turns * std::f64::consts::TAU)
}

/// A colour in sRGB code space, 0..=1: paints are mixed as a painter sees them.
pub(crate) type Rgb = [f64; 3];

/// From one colour to another.
pub(crate) fn mix_rgb(a: Rgb, b: Rgb, share: f64) -> Rgb {
    [mix(a[0], b[0], share), mix(a[1], b[1], share), mix(a[2], b[2], share)]
}

/// A colour times a factor.
pub(crate) fn scale_rgb(color: Rgb, factor: f64) -> Rgb {
    color.map(|part| part * factor)
}
