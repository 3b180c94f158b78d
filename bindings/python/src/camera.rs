//! Cameras as numpy arrays.

use crate::arrays::matrix;
use crate::diagnostic::{raised, refused};
use crate::frame::array_of;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyType;
use tintype::CameraConvention;
use tintype::builder::CameraBuilder;

/// `float64[n, n]`.
type Matrix = Py<PyArray2<f64>>;

/// The camera of one frame.
///
/// Matrices are `float64[4, 4]`, for column vectors. View space is right-handed with +Y up, and the
/// camera looks down its -Z. In clip space, a point is inside the picture if x and y are within -w
/// to w, with y up, and z is from 0 at the near plane to w at the far plane. Its pixel is at
/// `(1 + x/w) / 2` of the width and `(1 - y/w) / 2` of the height. `numpy.asarray(camera)` is
/// `clip_from_view @ view_from_world`.
///
/// `K`, `extrinsics` and `pose` describe the same camera in the notation of computer vision, in the
/// axes of "opencv" (y down, z ahead) or "opengl" (y up, z backwards). Pixels count from the upper
/// left corner of the picture: the centre of the first pixel is at 0.5.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct Camera {
    /// World space to view space.
    #[pyo3(get)]
    view_from_world: Matrix,
    /// View space to clip space.
    #[pyo3(get)]
    clip_from_view: Matrix,
    /// Width and height of the picture.
    #[pyo3(get)]
    size: (u32, u32),
}

fn array<const N: usize>(py: Python<'_>, rows: [[f64; N]; N]) -> PyResult<Matrix> {
    Ok(PyArray1::from_vec(py, rows.concat()).reshape([N, N])?.unbind())
}

fn convention_of(word: &str) -> PyResult<CameraConvention> {
    let found = CameraConvention::WORDS.iter().find(|(own, _)| *own == word);
    found
        .map(|(_, convention)| *convention)
        .ok_or_else(|| refused(format!("convention='{word}': expected 'opencv' or 'opengl'")))
}

impl Camera {
    pub(crate) fn new(py: Python<'_>, camera: &tintype::Camera) -> PyResult<Self> {
        Ok(Self {
            view_from_world: array(py, camera.view_from_world)?,
            clip_from_view: array(py, camera.clip_from_view)?,
            size: camera.size.into(),
        })
    }

    /// The camera of the library, from the current matrices.
    pub(crate) fn own(&self, py: Python<'_>) -> PyResult<tintype::Camera> {
        Ok(tintype::Camera {
            view_from_world: matrix("view_from_world", self.view_from_world.bind(py).as_any())?,
            clip_from_view: matrix("clip_from_view", self.clip_from_view.bind(py).as_any())?,
            size: self.size.into(),
        })
    }
}

#[pymethods]
impl Camera {
    /// A camera of these matrices, in a picture of this size.
    #[new]
    fn of_matrices(view_from_world: Matrix, clip_from_view: Matrix, size: (u32, u32)) -> Self {
        Self { view_from_world, clip_from_view, size }
    }

    /// Makes a camera from computer-vision matrices: `K` is
    /// `[[fx, skew, cx], [0, fy, cy], [0, 0, 1]]` in pixels of a picture of `size`, width and
    /// height, and `Rt` of 3 or 4 rows maps world space to camera space, in the axes of
    /// `convention`: "opencv" or "opengl". For an orthographic camera (`orthographic`), `fx` and
    /// `fy` are pixels per unit. Lenses have no distortion: undistort pictures first.
    #[staticmethod]
    #[pyo3(signature = (K, Rt, size, *, convention="opencv", near=None, far=None, orthographic=false))]
    #[expect(clippy::too_many_arguments, non_snake_case, reason = "as computer vision calls them")]
    fn from_k(
        py: Python<'_>,
        K: &Bound<'_, PyAny>,
        Rt: &Bound<'_, PyAny>,
        size: (u32, u32),
        convention: &str,
        near: Option<f64>,
        far: Option<f64>,
        orthographic: bool,
    ) -> PyResult<Self> {
        convention_of(convention)?;
        let rt = matrix::<3, 4>("Rt", Rt).or_else(|error| match matrix::<4, 4>("Rt", Rt) {
            Ok([x, y, z, [0.0, 0.0, 0.0, 1.0]]) => Ok([x, y, z]),
            Ok(_) => Err(refused("Rt: the last row is not 0, 0, 0, 1")),
            Err(_) => Err(error),
        })?;
        let word = if orthographic { "orthographic" } else { "perspective" };
        let builder = CameraBuilder::matrix(matrix("K", K)?, rt, size.into());
        let builder = builder.convention(convention).projection(word);
        let builder = near.into_iter().fold(builder, CameraBuilder::near);
        let builder = far.into_iter().fold(builder, CameraBuilder::far);
        let camera = tintype::Camera::of_builder(&builder, size.into());
        Self::new(py, &camera.map_err(|error| raised(py, &error))?)
    }

    /// `float64[3, 3]`: `[[fx, skew, cx], [0, fy, cy], [0, 0, 1]]` in pixels, which maps camera
    /// space of "opencv" to the picture.
    #[getter(K)]
    fn intrinsics(&self, py: Python<'_>) -> PyResult<Matrix> {
        array(py, self.own(py)?.intrinsics())
    }

    /// `float64[4, 4]`: world space to camera space, in the axes of "opencv" or "opengl".
    #[pyo3(signature = (convention="opencv"))]
    fn extrinsics(&self, py: Python<'_>, convention: &str) -> PyResult<Matrix> {
        array(py, self.own(py)?.extrinsics(convention_of(convention)?))
    }

    /// `float64[4, 4]`: camera space to world space, in the axes of "opencv" or "opengl".
    #[pyo3(signature = (convention="opencv"))]
    fn pose(&self, py: Python<'_>, convention: &str) -> PyResult<Matrix> {
        array(py, self.own(py)?.pose(convention_of(convention)?))
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
        // The product is new each time, so a copy of it is never needed.
        let _ = copy;
        array_of(&self.clip_from_world(py)?, dtype, Some(false))
    }

    /// For `pickle` and `copy`.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyType>, (Matrix, Matrix, (u32, u32))) {
        let [view, clip] =
            [&self.view_from_world, &self.clip_from_view].map(|own| own.clone_ref(py));
        (py.get_type::<Self>(), (view, clip, self.size))
    }
}
