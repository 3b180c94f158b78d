//! Python arrays as numbers: of any numeric type, strided or read-only. Wrong shapes are reported
//! in numpy's notation.

use crate::diagnostic::{mistyped, refused};
use bytemuck::Pod;
use bytemuck::allocation::try_cast_vec;
use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};

/// An array with the shape that it has.
pub(crate) struct Array<T> {
    pub(crate) values: Vec<T>,
    pub(crate) shape: Vec<usize>,
}

/// Reads an array of a shape; 0 means any length.
fn read<T: numpy::Element + Copy>(
    name: &str,
    value: &Bound<'_, PyAny>,
    wanted: &[usize],
    (kinds, kind, to): (&str, &str, &str),
) -> PyResult<Array<T>> {
    let py = value.py();
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (value,))?;
    let dtype = array.getattr("dtype")?;
    let letter: char = dtype.getattr("kind")?.extract()?;
    if !kinds.contains(letter) {
        return Err(mistyped(format!("{name} of {dtype}: expected {kind}")));
    }
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let fits = |(&own, &wanted): (&usize, &usize)| wanted == 0 || own == wanted;
    if shape.len() != wanted.len() || !shape.iter().zip(wanted).all(fits) {
        return Err(refused(format!(
            "{name} of shape {}: expected {}",
            shown(&shape, false),
            shown(wanted, true)
        )));
    }
    let keywords = PyDict::new(py);
    keywords.set_item("dtype", to)?;
    let array = numpy.call_method("ascontiguousarray", (array,), Some(&keywords))?;
    let array = array.extract::<PyReadonlyArrayDyn<'_, T>>()?;
    debug_assert_eq!(array.shape(), shape);
    Ok(Array { values: array.as_slice()?.to_vec(), shape })
}

/// A shape as numpy writes it.
fn shown(shape: &[usize], has_free: bool) -> String {
    let side = |&side: &usize| match side {
        0 if has_free => "n".to_owned(),
        side => side.to_string(),
    };
    let sides: Vec<String> = shape.iter().map(side).collect();
    let comma = if sides.len() == 1 { "," } else { "" };
    format!("({}{comma})", sides.join(", "))
}

/// An array of numbers.
pub(crate) fn numbers(
    name: &str,
    value: &Bound<'_, PyAny>,
    shape: &[usize],
) -> PyResult<Array<f32>> {
    read(name, value, shape, ("fiu", "numbers", "float32"))
}

/// An array of numbers, in rows of a fixed length.
pub(crate) fn rows<const N: usize>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<[f32; N]>>
where
    [f32; N]: Pod,
{
    let all = numbers(name, value, &[0, N])?.values;
    Ok(try_cast_vec(all).unwrap_or_else(|(_, all)| all.as_chunks().0.to_vec()))
}

/// A matrix of 64-bit numbers.
pub(crate) fn matrix<const R: usize, const C: usize>(
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<[[f64; C]; R]> {
    let array = read::<f64>(name, value, &[R, C], ("fiu", "numbers", "float64"))?;
    let rows = array.values.as_chunks::<C>().0;
    Ok(core::array::from_fn(|row| rows[row]))
}

/// Matrices of 4 by 4.
pub(crate) fn matrices(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<[[f32; 4]; 4]>> {
    let array = numbers(name, value, &[0, 4, 4])?;
    Ok(array.values.as_chunks::<4>().0.as_chunks::<4>().0.to_vec())
}

/// An array of integers from 0.
pub(crate) fn indices<T: TryFrom<i64>>(
    name: &str,
    value: &Bound<'_, PyAny>,
    shape: &[usize],
) -> PyResult<Array<T>> {
    let array = read::<i64>(name, value, shape, ("iu", "whole numbers", "int64"))?;
    let index = |&value: &i64| {
        T::try_from(value).map_err(|_| refused(format!("{name}: {value} is out of range")))
    };
    let values = array.values.iter().map(index).collect::<PyResult<_>>()?;
    Ok(Array { values, shape: array.shape })
}

/// An array of codes from 0 to 255. None for an array of another type.
pub(crate) fn codes(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Array<u8>>> {
    let array = value.py().import("numpy")?.call_method1("asarray", (value,))?;
    if array.getattr("dtype")?.getattr("name")?.extract::<String>()? != "uint8" {
        return Ok(None);
    }
    let wanted = vec![0; array.getattr("ndim")?.extract()?];
    read(name, &array, &wanted, ("u", "codes", "uint8")).map(Some)
}

/// Values of instances, by number or name: a mapping, or a list with one value per instance in
/// order.
pub(crate) fn by_instance<T>(
    argument: &str,
    value: Option<&Bound<'_, PyAny>>,
    names: &[String],
    read: impl Fn(&str, &Bound<'_, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<(usize, T)>> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let Ok(mapping) = value.cast::<PyMapping>() else {
        let each = value.try_iter()?.enumerate();
        return each
            .map(|(index, one)| Ok((index, read(&format!("{argument}[{index}]"), &one?)?)))
            .collect();
    };
    let entry = |item: Bound<'_, PyAny>| {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let index = match (key.extract::<usize>(), key.extract::<String>()) {
            (Ok(index), _) if index < names.len() => Some(index),
            (_, Ok(name)) => names.iter().position(|own| *own == name),
            _ => None,
        };
        let shown = key.repr()?;
        let index = index.ok_or_else(|| {
            refused(format!("{argument}: no instance {shown}; the scene has {}", names.join(", ")))
        })?;
        Ok((index, read(&format!("{argument}[{shown}]"), &value)?))
    };
    mapping.items()?.iter().map(entry).collect()
}
