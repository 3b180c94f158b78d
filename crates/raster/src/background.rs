//! The background of a picture.

use tintype_model::LinearRgb;

/// Background, visible where nothing is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Background {
    /// No colour: alpha is the coverage.
    Transparent,
    /// A vertical blend, mixed in linear light; a plain colour has two equal ends.
    Gradient {
        /// The colour at the upper edge.
        top: LinearRgb,
        /// The colour at the lower edge.
        bottom: LinearRgb,
    },
}
