//! Pictures as numpy arrays, files and notebook previews.

use crate::camera::Camera;
use crate::diagnostic::{mistyped, raised, refused, warn_text};
use crate::threads::detach;
use numpy::{PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use tintype::Plane;

/// A picture.
///
/// `pixels` is a numpy array of `uint8[height, width, 4]`: red, green, blue and straight alpha in
/// sRGB, rows from the top. It is the memory of the picture itself; numpy reads it without a copy.
#[pyclass(frozen, module = "tintype")]
pub(crate) struct Frame {
    /// `uint8[height, width, 4]` in sRGB with straight alpha, rows from the top.
    #[pyo3(get)]
    pixels: Py<PyArray3<u8>>,
    provenance: Vec<(String, String)>,
    /// A digest of the pixels that have this provenance.
    mark: u64,
    /// Channels by name, each an array of `[height, width]` or `[height, width, numbers]`, also
    /// available as attributes: `frame.depth`.
    #[pyo3(get)]
    channels: Py<PyDict>,
    /// For each channel of integers with names, the names:
    /// `frame.legend["mesh"][frame.mesh[y, x]]`; the first means no surface. For a contact sheet,
    /// its cells and their content.
    #[pyo3(get)]
    legend: Py<PyDict>,
    /// The camera. None for a picture that was not drawn from a scene.
    #[pyo3(get)]
    camera: Option<Py<Camera>>,
}

/// A number that other pixels do not have.
fn mark_of(frame: &tintype::Frame) -> u64 {
    let mut hasher = DefaultHasher::new();
    frame.pixels().as_flattened().hash(&mut hasher);
    hasher.finish()
}

impl Frame {
    /// Moves the pixels of a frame into an array.
    pub(crate) fn new(py: Python<'_>, frame: tintype::Frame) -> PyResult<Self> {
        let (width, height) = (frame.width() as usize, frame.height() as usize);
        let provenance = frame.provenance().to_vec();
        // Without provenance there is nothing to protect.
        let mark = if provenance.is_empty() { 0 } else { mark_of(&frame) };
        let bytes: Vec<u8> = bytemuck::allocation::cast_vec(frame.into_pixels());
        let pixels = PyArray1::from_vec(py, bytes).reshape([height, width, 4])?;
        let (channels, legend) = (PyDict::new(py).unbind(), PyDict::new(py).unbind());
        Ok(Self { pixels: pixels.unbind(), provenance, mark, channels, legend, camera: None })
    }

    /// A contact sheet with its legend.
    pub(crate) fn of_sheet(py: Python<'_>, sheet: tintype::ContactSheet) -> PyResult<Self> {
        let legend = py.import("json")?.call_method1("loads", (sheet.legend,))?;
        let legend = legend.cast_into::<PyDict>()?.unbind();
        Ok(Self { legend, ..Self::new(py, sheet.frame)? })
    }

    /// Adds channels, whose numbers are moved into arrays, and the camera.
    pub(crate) fn with_channels(
        mut self,
        py: Python<'_>,
        channels: tintype::Channels,
        camera: &tintype::Camera,
    ) -> PyResult<Self> {
        self.camera = Some(Py::new(py, Camera::new(py, camera)?)?);
        let (width, height) = (self.width(py), self.height(py));
        for (channel, plane, names) in channels.into_planes() {
            let array = match plane {
                Plane::Indices(values) => PyArray1::from_vec(py, values).into_any(),
                Plane::Numbers(values) => PyArray1::from_vec(py, values).into_any(),
            };
            let shape = match channel.width() {
                1 => vec![height, width],
                numbers => vec![height, width, numbers],
            };
            let array = array.call_method1("reshape", (shape,))?;
            self.channels.bind(py).set_item(channel.word(), array)?;
            if !names.is_empty() {
                let names: Vec<String> = core::iter::once(String::new()).chain(names).collect();
                self.legend.bind(py).set_item(channel.word(), names)?;
            }
        }
        Ok(self)
    }

    /// A frame of the library with a copy of the pixels, and with provenance unless they were
    /// changed.
    fn copy(&self, py: Python<'_>) -> PyResult<tintype::Frame> {
        let frame = self.picture(py)?;
        Ok(if !self.provenance.is_empty() && mark_of(&frame) == self.mark {
            frame.with_provenance(self.provenance.clone())
        } else {
            frame
        })
    }

    /// The pixels as a frame of the library; an error if the array has another shape.
    pub(crate) fn picture(&self, py: Python<'_>) -> PyResult<tintype::Frame> {
        let pixels = self.pixels.bind(py);
        let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
        let frame = match *pixels.shape() {
            [height, width, 4] => {
                let view = pixels.readonly();
                let rgba = view.as_array().iter().copied().collect::<Vec<u8>>();
                let (rgba, _) = rgba.as_chunks::<4>();
                tintype::Frame::from_pixels(side(width), side(height), rgba.to_vec())
            }
            _ => None,
        };
        frame.ok_or_else(|| {
            let sides: Vec<String> = pixels.shape().iter().map(ToString::to_string).collect();
            refused(format!(
                "pixels of shape ({}): expected (height, width, 4) with sides of at most 16384",
                sides.join(", ")
            ))
        })
    }
}

#[pymethods]
impl Frame {
    /// Makes a picture from a copy of pixels: `uint8[height, width, 4]`, red, green, blue and
    /// straight alpha.
    #[new]
    #[pyo3(signature = (pixels, *, provenance=None, channels=None, legend=None, camera=None))]
    fn of_pixels(
        py: Python<'_>,
        pixels: &Bound<'_, PyAny>,
        provenance: Option<&Bound<'_, PyDict>>,
        channels: Option<Py<PyDict>>,
        legend: Option<Py<PyDict>>,
        camera: Option<Py<Camera>>,
    ) -> PyResult<Self> {
        let pixels = pixels
            .extract::<PyReadonlyArray3<'_, u8>>()
            .map_err(|_| mistyped("pixels: expected a numpy array of uint8[height, width, 4]"))?;
        let (height, width, codes) = pixels.as_array().dim();
        let rgba: Vec<u8> = pixels.as_array().iter().copied().collect();
        let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
        let frame = (codes == 4)
            .then(|| {
                tintype::Frame::from_pixels(side(width), side(height), rgba.as_chunks().0.to_vec())
            })
            .flatten();
        let frame = frame.ok_or_else(|| {
            refused(format!(
                "pixels of shape ({height}, {width}, {codes}): expected (height, width, 4) with sides of at most 16384"
            ))
        })?;
        let provenance = provenance.into_iter().flatten();
        let provenance = provenance.map(|(key, text)| Ok((key.extract()?, text.extract()?)));
        let made = Self::new(py, frame.with_provenance(provenance.collect::<PyResult<_>>()?))?;
        let channels = channels.unwrap_or_else(|| made.channels.clone_ref(py));
        let legend = legend.unwrap_or_else(|| made.legend.clone_ref(py));
        Ok(Self { channels, legend, camera, ..made })
    }

    /// A channel by its name.
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        if let Some(array) = self.channels.bind(py).get_item(name)? {
            return Ok(array);
        }
        let hint = match tintype::Channel::parse(name) {
            Ok(_) => format!("ask for it: scene.frame(number, channels=['{name}'])"),
            Err(_) => "it has pixels, channels, legend, camera and save".to_owned(),
        };
        Err(PyAttributeError::new_err(format!("'Frame' has no attribute '{name}'; {hint}")))
    }

    /// Program, pixel revision, frame number and digest of the drawn scene, as stored in its files;
    /// empty for custom pixels, and after they were changed.
    #[getter]
    fn provenance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let told = PyDict::new(py);
        let frame = self.copy(py)?;
        frame.provenance().iter().try_for_each(|(key, text)| told.set_item(key, text))?;
        Ok(told)
    }

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

    /// Writes a file in the format of its extension, .png, .jpg or .webp (lossless). The file is
    /// complete or absent. Alpha is kept if a pixel is not opaque; in a JPEG, transparent pixels
    /// become white, with a warning.
    pub(crate) fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let frame = self.copy(py)?;
        detach(py, || frame.save(&path)).map_err(|error| raised(py, &error))?;
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        match frame.lost_in(&extension) {
            Ok(Some(lost)) => warn_text(py, &format!("{}: {lost}", path.display())),
            _ => Ok(()),
        }
    }

    /// The bytes of a PNG file.
    fn to_png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.to_bytes(py, "png")
    }

    /// The bytes of a file in a format: "png", "jpg" or "webp".
    #[pyo3(signature = (format="png"))]
    fn to_bytes<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let frame = self.copy(py)?;
        let bytes = detach(py, || frame.to_bytes(format)).map_err(|error| raised(py, &error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// For `PIL.Image.fromarray` and other readers of arrays.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pixels = self.pixels.bind(py);
        let described = pixels.getattr("__array_interface__")?.call_method0("copy")?;
        // With strides Pillow calls `tobytes`; without them it requests a buffer, which the stable
        // ABI of Python 3.10 does not provide.
        described.set_item("strides", pixels.getattr("strides")?)?;
        Ok(described)
    }

    /// Red, green, blue and alpha of each pixel, rows from the top.
    fn tobytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.pixels.bind(py).call_method0("tobytes")
    }

    /// For `pickle` and `copy`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let made = py.import("tintype._pickled")?.getattr("frame")?;
        let fields = (
            self.pixels.bind(py).clone(),
            self.provenance(py)?,
            self.channels.bind(py).clone(),
            self.legend.bind(py).clone(),
            self.camera.as_ref().map(|camera| camera.bind(py).clone()),
        );
        (made, fields).into_pyobject(py)
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.to_png(py)
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        array_of(self.pixels.bind(py).as_any(), dtype, copy)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Self>() {
            Ok(other) => Ok(self.picture(py)? == other.get().picture(py)?),
            Err(_) => Ok(false),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<tintype.Frame {}x{}>", self.width(py), self.height(py))
    }
}

/// Encodes frames of equal size as the bytes of one file.
#[pyfunction]
pub(crate) fn _animation<'py>(
    py: Python<'py>,
    frames: Vec<Py<Frame>>,
    fps: f64,
    format: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let frames: PyResult<Vec<tintype::Frame>> =
        frames.iter().map(|frame| frame.get().picture(py)).collect();
    let frames = frames?;
    let bytes = detach(py, || tintype::animation(frames, fps, format));
    Ok(PyBytes::new(py, &bytes.map_err(|error| raised(py, &error))?))
}

/// Implements NumPy's array protocol: returns the array, converted or copied as requested.
pub(crate) fn array_of<'py>(
    array: &Bound<'py, PyAny>,
    dtype: Option<Bound<'py, PyAny>>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(dtype) = dtype else {
        return match copy {
            Some(true) => array.call_method0("copy"),
            _ => Ok(array.clone()),
        };
    };
    let keywords = PyDict::new(array.py());
    keywords.set_item("copy", copy.unwrap_or(false))?;
    array.call_method("astype", (dtype,), Some(&keywords))
}
