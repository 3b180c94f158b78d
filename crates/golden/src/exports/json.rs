//! The JSON report of two models: the fields of the first or only part, and all parts if there are
//! several.

use crate::picture_diff::Sides;
use serde::Serialize;
use tintype_base::path::ShowPath;
use tintype_compare::character::ModelPair;
use tintype_compare::model_diff::ModelDiff;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    kind: &'static str,
    expected: String,
    found: String,
    same: bool,
    /// In diagonals of the first model.
    tolerance: f32,
    #[serde(flatten)]
    model: Option<&'a ModelDiff>,
    #[serde(skip_serializing_if = "Option::is_none")]
    models: Option<&'a [ModelPair]>,
}

/// Encodes the report of a model, and of its clips if they were compared too.
#[must_use]
pub fn encode_json(
    sides: Sides,
    same: bool,
    tolerance: f32,
    model: Option<&ModelDiff>,
    models: Option<&[ModelPair]>,
) -> String {
    let document = Document {
        version: 1,
        kind: "models",
        expected: sides.expected.shown(),
        found: sides.found.shown(),
        same,
        tolerance,
        model,
        models,
    };
    serde_json::to_string_pretty(&document).expect("plain data") + "\n"
}
