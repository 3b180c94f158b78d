//! Cameras as numpy arrays.

use crate::frame::array_of;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// `float64[4, 4]`.
type Matrix = Py<PyArray2<f64>>;

/// The camera of one frame.
///
/// Matrices are `float64[4, 4]`, for column vectors. View space is right-handed with +Y up, and the camera looks down its -Z. In clip
/// space a point is in the picture where x and y are within -w to w, y up, and z from 0 at the near plane to w at the far one: its pixel is
/// at `(1 + x/w) / 2` of the width and `(1 - y/w) / 2` of the height. `numpy.asarray(camera)` is `clip_from_view @ view_from_world`.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct Camera {
    /// World space to view space.
    #[pyo3(get)]
    view_from_world: Matrix,
    /// View space to clip space.
    #[pyo3(get)]
    clip_from_view: Matrix,
}

impl Camera {
    pub(crate) fn new(py: Python<'_>, camera: &tintype::Camera) -> PyResult<Self> {
        let array = |rows: [[f64; 4]; 4]| -> PyResult<_> {
            Ok(PyArray1::from_vec(py, rows.concat()).reshape([4, 4])?.unbind())
        };
        let [view_from_world, clip_from_view] = [camera.view_from_world, camera.clip_from_view];
        Ok(Self {
            view_from_world: array(view_from_world)?,
            clip_from_view: array(clip_from_view)?,
        })
    }
}

#[pymethods]
impl Camera {
    /// A camera of these matrices.
    #[new]
    fn of_matrices(view_from_world: Matrix, clip_from_view: Matrix) -> Self {
        Self { view_from_world, clip_from_view }
    }

    /// World space to clip space.
    #[getter]
    fn clip_from_world<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.clip_from_view.bind(py).call_method1("dot", (self.view_from_world.bind(py),))
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // The product is new each time, so that a copy of it is never needed.
        let _ = copy;
        array_of(&self.clip_from_world(py)?, dtype, Some(false))
    }

    /// For `pickle` and `copy`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Matrix, Matrix)) {
        let matrices = [&self.view_from_world, &self.clip_from_view].map(|own| own.clone_ref(py));
        (py.get_type::<Self>(), matrices.into())
    }
}
