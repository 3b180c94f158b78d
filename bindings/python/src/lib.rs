//! Python module of tintype: models, scenes, frames and turntables as Python objects, with pixels
//! and vertices as numpy arrays.
//!
//! Translates Python values to calls of the `tintype` library, its results to Python objects, and
//! its errors and warnings to Python's. Nothing here affects a picture. The GIL is released while
//! files are read and frames are drawn.
//!
//! | module | subject |
//! |---|---|
//! | `arrays` | arrays of Python as numbers |
//! | `camera` | cameras as matrices |
//! | `diagnostic` | errors and warnings as Python exceptions and warnings |
//! | `dataset` | data sets by recipes |
//! | `diff` | differences of pictures, models and folders, and their causes |
//! | `frame` | pictures |
//! | `golden` | golden images of models and scenes: their tests, reports and acceptance |
//! | `model` | models, joints, meshes, morph targets, clips and poses |
//! | `named` | joints, meshes, clips and morph targets by position or name |
//! | `scene` | scenes, and their frames as files |
//! | `options` | keywords of pictures |
//! | `source` | models by path, by bytes, or open |
//! | `turntable` | pictures of a model without a scene |
//! | `run` | jobs that Ctrl-C ends |
//! | `threads` | threads of a forked process |
//! | `command` | the `tintype` command |

mod arrays;
mod camera;
mod command;
mod dataset;
mod diagnostic;
mod diff;
mod frame;
mod gallery;
mod golden;
mod model;
mod named;
mod options;
mod run;
mod scene;
mod source;
mod threads;
mod turntable;

use pyo3::prelude::*;

/// Renders skinned characters without a GPU or a display.
#[pymodule]
mod _tintype {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::camera::Camera;
    #[pymodule_export]
    use super::command::main;
    #[pymodule_export]
    use super::dataset::{DatasetReport, dataset};
    #[pymodule_export]
    use super::diagnostic::{Diagnostic, Error, Warning};
    #[pymodule_export]
    use super::diff::{Cause, Diff, FileDiff, JointDiff, ModelDiff, PartDiff, PictureDiff, diff};
    #[pymodule_export]
    use super::frame::{_animation, Frame};
    #[pymodule_export]
    use super::gallery::{Gallery, GalleryModel, gallery};
    #[pymodule_export]
    use super::golden::{Acceptance, CauseGroup, Golden, GoldenSession, GoldenSet, TestRun};
    #[pymodule_export]
    use super::model::{Clip, Joint, Mesh, Model, Morph, PosedMesh, PosedModel, inspect};
    #[pymodule_export]
    use super::named::Named;
    #[pymodule_export]
    use super::run::Report;
    #[pymodule_export]
    use super::scene::Scene;
    #[pymodule_export]
    use super::turntable::{thumbnail, turntable};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::threads::imported();
        module.add("_KEYWORDS", super::options::keywords(module.py())?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("PIXEL_REVISION", tintype::PIXEL_REVISION)
    }
}
