//! Pictures as numpy arrays, PNG files and previews of notebooks.

use crate::diagnostic::raised;
use crate::threads::detach;
use numpy::{PyArray1, PyArray3, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;

/// A picture.
///
/// `pixels` is a numpy array of `uint8[height, width, 4]`: red, green, blue and straight alpha in sRGB, rows from the top. It is the
/// memory that the picture was drawn into; numpy reads it without a copy.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct Frame {
    /// `uint8[height, width, 4]` in sRGB with straight alpha, rows from the top.
    #[pyo3(get)]
    pixels: Py<PyArray3<u8>>,
}

impl Frame {
    /// Moves the pixels of a frame into an array.
    pub(crate) fn new(py: Python<'_>, frame: tintype::Frame) -> PyResult<Self> {
        let (width, height) = (frame.width() as usize, frame.height() as usize);
        let bytes: Vec<u8> = bytemuck::allocation::cast_vec(frame.into_pixels());
        let pixels = PyArray1::from_vec(py, bytes).reshape([height, width, 4])?;
        Ok(Self { pixels: pixels.unbind() })
    }

    /// The picture as a PNG file.
    fn png(&self, py: Python<'_>) -> Vec<u8> {
        let frame = self.copy(py);
        detach(py, || frame.to_png())
    }

    /// The frame of the library, with pixels of its own.
    pub(crate) fn copy(&self, py: Python<'_>) -> tintype::Frame {
        let pixels = self.pixels.bind(py);
        let side = |axis: usize| u32::try_from(pixels.shape()[axis]).unwrap_or(u32::MAX);
        let view = pixels.readonly();
        let rgba = view.as_array().iter().copied().collect::<Vec<u8>>();
        let (rgba, _) = rgba.as_chunks::<4>();
        tintype::Frame::from_pixels(side(1), side(0), rgba.to_vec()).unwrap_or_default()
    }
}

#[pymethods]
impl Frame {
    /// Width in pixels.
    #[getter]
    fn width(&self, py: Python<'_>) -> usize {
        self.pixels.bind(py).shape()[1]
    }

    /// Height in pixels.
    #[getter]
    fn height(&self, py: Python<'_>) -> usize {
        self.pixels.bind(py).shape()[0]
    }

    /// Writes a PNG file, complete or not at all. Alpha is kept where a pixel is not opaque.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let frame = self.copy(py);
        detach(py, || frame.save(path)).map_err(|error| raised(py, &error))
    }

    /// The bytes of a PNG file.
    fn to_png<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.png(py))
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.to_png(py)
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pixels = self.pixels.bind(py).as_any();
        let Some(dtype) = dtype else {
            return match copy {
                Some(true) => pixels.call_method0("copy"),
                _ => Ok(pixels.clone()),
            };
        };
        let keywords = PyDict::new(py);
        keywords.set_item("copy", copy.unwrap_or(false))?;
        pixels.call_method("astype", (dtype,), Some(&keywords))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.copy(py) == other.get().copy(py))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<tintype.Frame {}x{}>", self.width(py), self.height(py))
    }
}
