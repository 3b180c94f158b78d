//! Options of `tintype diff` of models, and its JSON report.

use super::args::Diff;
use super::failure::Failure;
use super::stdout::write_json;
use tintype_compare::character::ModelPair;
use tintype_compare::model_diff::ModelDiff;
use tintype_golden::exports::encode_json;
use tintype_golden::picture_diff::Sides;

/// Number of joints that are listed without `-v`.
pub(super) const MAX_JOINTS: usize = 12;

/// Writes the JSON report to standard output.
pub(super) fn write_document(
    options: &Diff,
    same: bool,
    model: Option<&ModelDiff>,
    models: Option<&[ModelPair]>,
) -> Result<(), Failure> {
    let sides = Sides { expected: &options.expected, found: &options.found };
    write_json(&encode_json(sides, same, tolerance(options)?, model, models))
}

/// The tolerance of the options.
pub(super) fn tolerance(options: &Diff) -> Result<f32, Failure> {
    let tolerance = options.tolerance.unwrap_or(0.0);
    if tolerance.is_finite() && tolerance >= 0.0 {
        return Ok(tolerance);
    }
    let message =
        format!("--tolerance: {tolerance}; expected a fraction of the diagonal, 0 or more");
    Err(Failure::bad_input(message))
}
