//! Jobs that write files: Ctrl-C ends them between two frames, and every existing file is complete.

use crate::diagnostic::{raised, warn};
use crate::threads::detach;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::path::PathBuf;
use tintype::{Renderer, SaveOptions};

/// Counts of frames drawn into files.
#[pyclass(frozen, get_all, module = "tintype")]
pub(crate) struct Report {
    /// Frames of the job.
    frames: Vec<i64>,
    /// Frames that were drawn and written.
    written: usize,
    /// Frames that were up to date.
    present: usize,
    /// Frames without a covered pixel.
    empty: Vec<i64>,
    /// Files of the frames, then files that contain all of them.
    files: Vec<PathBuf>,
    /// Digest of all inputs of the pixels.
    digest: String,
}

#[pymethods]
impl Report {
    fn __repr__(&self) -> String {
        format!("<tintype.Report {} written, {} up to date>", self.written, self.present)
    }
}

/// Draws frames into files; `progress` is called with the number of finished frames and the number
/// of all.
pub(crate) fn run(
    py: Python<'_>,
    renderer: &Renderer,
    output: &str,
    options: SaveOptions<'_>,
    progress: Option<(Py<PyAny>, usize)>,
) -> PyResult<Report> {
    let mut interrupted = None;
    let result = detach(py, || {
        let told = |py: Python<'_>, done: usize| match &progress {
            Some((progress, all)) => progress.call1(py, (done, *all)).map(drop),
            None => Ok(()),
        };
        let mut last = None;
        let mut observe = |done| match Python::attach(|py| {
            py.check_signals()?;
            if last.replace(done) == Some(done) { Ok(()) } else { told(py, done) }
        }) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                interrupted.get_or_insert(error);
                ControlFlow::Break(())
            }
        };
        renderer.save_with(output, options.progress(&mut observe))
    });
    if let Some(error) = interrupted {
        return Err(error);
    }
    let report = result.map_err(|error| raised(py, &error))?;
    warn(py, &report.warnings)?;
    Ok(Report {
        frames: report.frames,
        written: report.written,
        present: report.present,
        empty: report.empty,
        files: report.files,
        digest: report.digest,
    })
}
