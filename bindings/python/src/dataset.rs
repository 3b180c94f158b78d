//! Data sets: pictures with labels, drawn from a recipe.

use crate::diagnostic::{raised, warn_text};
use crate::threads::detach;
use pyo3::prelude::*;
use std::path::PathBuf;
use tintype::Dataset;

/// Counts of samples.
#[pyclass(frozen, get_all, module = "tintype")]
pub(crate) struct DatasetReport {
    /// Samples that were drawn.
    drawn: usize,
    /// Samples that were up to date.
    present: usize,
    /// Missing samples of other shards; the files of the whole set are written once none are
    /// missing.
    missing: Vec<i64>,
}

#[pymethods]
impl DatasetReport {
    fn __repr__(&self) -> String {
        let Self { drawn, present, missing } = self;
        format!(
            "<tintype.DatasetReport {drawn} drawn, {present} up to date, {} missing>",
            missing.len()
        )
    }
}

/// Draws a data set from a recipe into a folder: pictures of models in seeded poses, cameras and
/// lights, with joints, boxes and masks in COCO format, cameras in nerfstudio format, and channels.
///
/// - `shard`: draws only one shard, given as its index from 0 and the number of shards, such as
///   `(0, 12)`
/// - `overwrite`: redraw samples that are up to date
#[pyfunction]
#[pyo3(signature = (recipe, output, *, shard=None, overwrite=false))]
pub(crate) fn dataset(
    py: Python<'_>,
    recipe: PathBuf,
    output: PathBuf,
    shard: Option<(u64, u64)>,
    overwrite: bool,
) -> PyResult<DatasetReport> {
    let report = detach(py, || {
        let set = Dataset::open(&recipe)?.overwrite(overwrite);
        let set = match shard {
            Some((index, of)) => set.shard(index, of)?,
            None => set,
        };
        set.save(&output)
    });
    let report = report.map_err(|error| raised(py, &error))?;
    report.warnings.iter().try_for_each(|warning| warn_text(py, warning))?;
    let missing = report.missing.iter().flat_map(|list| list.iter().map(i64::from)).collect();
    Ok(DatasetReport { drawn: report.drawn, present: report.present, missing })
}
