//! Values as written in digests: numbers read back to the same bits.

use tintype_model::LinearRgb;

/// Shortest digits that read back to the same number; 0 without sign.
pub(super) fn number(value: f64) -> String {
    format!("{:?}", value + 0.0)
}

/// As [`number`], for `f32`.
pub(super) fn single(value: f32) -> String {
    format!("{:?}", value + 0.0)
}

/// Red, green and blue.
pub(super) fn rgb(color: LinearRgb) -> String {
    let LinearRgb { r, g, b } = color;
    [r, g, b].map(single).join(" ")
}

/// A text, whole and in quotes.
pub(super) fn quoted(text: &str) -> String {
    format!("{text:?}")
}
