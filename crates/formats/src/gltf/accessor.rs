//! Accessors: numbers of buffers, every offset, count and stride checked before a byte is read.
//!
//! # Source
//! glTF 2.0, 3.6.2: types, alignment, sparse elements, normalised integers.

use super::buffer::{Buffers, missing};
use super::document::{Accessor, Document, Sparse};
use super::error::GltfError;
use super::number::Whole;
use super::path::JsonPath;
use crate::{LimitName, LoadOptions};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use tintype_model::deadline::Watch;

/// Elements between two checks of the deadline.
const STEPS: u32 = 1 << 16;

/// Type of one component of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn from_code(code: usize) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    const fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Appends a number in the bytes of this type.
    ///
    /// # Errors
    /// The range of the type, where it does not hold the number.
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range, or the nearest float")]
    pub(super) fn write(self, value: f64, out: &mut Vec<u8>) -> Result<(), String> {
        let (least, most) = match self {
            Self::I8 => (f64::from(i8::MIN), f64::from(i8::MAX)),
            Self::U8 => (0.0, f64::from(u8::MAX)),
            Self::I16 => (f64::from(i16::MIN), f64::from(i16::MAX)),
            Self::U16 => (0.0, f64::from(u16::MAX)),
            Self::U32 => (0.0, f64::from(u32::MAX)),
            Self::F32 => {
                out.extend((value as f32).to_le_bytes());
                return Ok(());
            }
        };
        if !(least..=most).contains(&value) || value.trunc() != value {
            return Err(format!("a whole number from {least} to {most}"));
        }
        out.extend((value as i64).to_le_bytes().iter().take(self.bytes()));
        Ok(())
    }

    const fn name(self) -> &'static str {
        match self {
            Self::I8 => "BYTE",
            Self::U8 => "UNSIGNED_BYTE",
            Self::I16 => "SHORT",
            Self::U16 => "UNSIGNED_SHORT",
            Self::U32 => "UNSIGNED_INT",
            Self::F32 => "FLOAT",
        }
    }
}

/// Accepted integers in an accessor of real numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integers {
    /// None: numbers are floats.
    Refused,
    /// Normalised ones: the largest stands for 1.
    Normalized,
    /// Any, also by their own value, as quantised meshes have them.
    Any,
}

/// Numbers of an accessor, element by element.
pub(super) struct Numbers<T> {
    /// Components an element.
    pub(super) width: usize,
    pub(super) values: Vec<T>,
}

impl<T> Numbers<T> {
    /// Number of elements.
    pub(super) fn len(&self) -> usize {
        self.values.len() / self.width.max(1)
    }

    /// The elements.
    pub(super) fn elements(&self) -> std::slice::ChunksExact<'_, T> {
        self.values.chunks_exact(self.width.max(1))
    }
}

/// Reader of the accessors of one document.
pub(super) struct Accessors<'a> {
    list: &'a [Accessor],
    buffers: &'a Buffers<'a>,
    /// Decoded elements that take the place of those in buffers, by the index of the accessor.
    decoded: BTreeMap<usize, DecodedElements>,
    /// Values that may still be read: accessors may share bytes, so that the size of the file does not limit their sum.
    left: Cell<usize>,
    limit: usize,
    watch: RefCell<Watch>,
}

/// Elements without gaps, and their number.
struct DecodedElements {
    count: usize,
    bytes: Vec<u8>,
}

/// Place of the elements of an accessor in the bytes of its view.
struct Layout {
    component: Component,
    width: usize,
    count: usize,
}

impl<'a> Accessors<'a> {
    pub(super) fn new(
        document: &'a Document,
        buffers: &'a Buffers<'a>,
        options: &LoadOptions,
    ) -> Self {
        let limit = options.limits.max_values;
        let watch = RefCell::new(options.deadline.watch("reading accessors", STEPS));
        let decoded = BTreeMap::default();
        Self { list: &document.accessors, buffers, decoded, left: Cell::new(limit), limit, watch }
    }

    /// The type of the components of an accessor, and their number.
    ///
    /// # Errors
    /// [`GltfError::Value`] if there is no such accessor, or for a type that does not exist.
    pub(super) fn shape(
        &self,
        index: Whole,
        at: &JsonPath,
    ) -> Result<(Component, usize), GltfError> {
        let accessor = self.get(index, at)?;
        let layout = self.layout(accessor, &[accessor.kind.as_str()], index, at)?;
        Ok((layout.component, layout.width))
    }

    /// Gives an accessor decoded elements in place of those of its buffer view; `bytes` have no gaps.
    pub(super) fn stand_in(&mut self, index: Whole, count: usize, bytes: Vec<u8>) {
        self.decoded.insert(index.0, DecodedElements { count, bytes });
    }

    /// The bytes of all decoded elements.
    pub(super) fn decoded_bytes(&self) -> usize {
        self.decoded.values().map(|one| one.bytes.len()).fold(0, usize::saturating_add)
    }

    /// The number of elements of an accessor.
    ///
    /// # Errors
    /// [`GltfError::Value`] if there is no such accessor.
    pub(super) fn count(&self, index: Whole, at: &JsonPath) -> Result<usize, GltfError> {
        let accessor = self.get(index, at)?;
        Ok(self.decoded.get(&index.0).map_or(accessor.count.0, |decoded| decoded.count))
    }

    /// Real numbers of the types `kinds`, all finite.
    ///
    /// # Errors
    /// [`GltfError`] at `at` for a type that is not accepted there, else at the accessor or view that is wrong.
    pub(super) fn reals(
        &self,
        index: Whole,
        kinds: &[&str],
        integers: Integers,
        at: &JsonPath,
    ) -> Result<Numbers<f32>, GltfError> {
        let accessor = self.get(index, at)?;
        let layout = self.layout(accessor, kinds, index, at)?;
        let is_accepted = match (layout.component, integers) {
            (Component::F32, _) => true,
            (Component::U32, _) | (_, Integers::Refused) => false,
            (_, Integers::Normalized) => accessor.normalized,
            (_, Integers::Any) => true,
        };
        if !is_accepted {
            let expected = match integers {
                Integers::Refused => "FLOAT",
                Integers::Normalized => "FLOAT, or normalized integers of 8 or 16 bits",
                Integers::Any => "FLOAT, or integers of 8 or 16 bits",
            };
            return Err(self.wrong_component(index, accessor, &layout, expected, at));
        }
        let numbers = match layout.component {
            // The usual kind is decoded in place.
            Component::F32 => {
                let real = |bytes: &[u8]| f32::from_le_bytes(fixed(bytes));
                self.read(index, accessor, &layout, real)?
            }
            other => self.read(index, accessor, &layout, decoder(other, accessor.normalized))?,
        };
        if let Some(place) = numbers.values.iter().position(|value| !value.is_finite()) {
            let list = JsonPath::root("accessors");
            let what =
                format!("component {} of element {}", place % numbers.width, place / numbers.width);
            let found = numbers.values.get(place).copied().unwrap_or_default();
            return Err(GltfError::value(&list.index(index.0), what, found, "a finite number"));
        }
        Ok(numbers)
    }

    /// Whole numbers of the types `kinds`, of at most `most` bytes each.
    ///
    /// # Errors
    /// As [`Self::reals`].
    pub(super) fn wholes(
        &self,
        index: Whole,
        kind: &str,
        most: usize,
        at: &JsonPath,
    ) -> Result<Numbers<u32>, GltfError> {
        let accessor = self.get(index, at)?;
        let layout = self.layout(accessor, &[kind], index, at)?;
        let decode = match layout.component {
            Component::U8 => |bytes: &[u8]| u32::from(fixed::<1>(bytes)[0]),
            Component::U16 => |bytes: &[u8]| u32::from(u16::from_le_bytes(fixed(bytes))),
            Component::U32 if most >= 4 => |bytes: &[u8]| u32::from_le_bytes(fixed(bytes)),
            _ => {
                let expected = if most >= 4 {
                    "UNSIGNED_BYTE, UNSIGNED_SHORT or UNSIGNED_INT"
                } else {
                    "UNSIGNED_BYTE or UNSIGNED_SHORT"
                };
                return Err(self.wrong_component(index, accessor, &layout, expected, at));
            }
        };
        self.read(index, accessor, &layout, decode)
    }

    fn get(&self, index: Whole, at: &JsonPath) -> Result<&'a Accessor, GltfError> {
        self.list.get(index.0).ok_or_else(|| missing(at, "the accessor", index, self.list.len()))
    }

    fn layout(
        &self,
        accessor: &Accessor,
        kinds: &[&str],
        index: Whole,
        at: &JsonPath,
    ) -> Result<Layout, GltfError> {
        let list = JsonPath::root("accessors");
        let path = list.index(index.0);
        let code = accessor.component_type.0;
        let Some(component) = Component::from_code(code) else {
            let expected = "5120, 5121, 5122, 5123, 5125 or 5126";
            return Err(GltfError::value(
                &path.key("componentType"),
                "the type of components",
                code,
                expected,
            ));
        };
        let Some(width) = width(&accessor.kind) else {
            let (found, expected) = (
                format!("{:?}", accessor.kind.as_str()),
                "SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4",
            );
            return Err(GltfError::value(
                &path.key("type"),
                "the type of elements",
                found,
                expected,
            ));
        };
        if !kinds.contains(&accessor.kind.as_str()) {
            let found = format!("{} of accessor {}", accessor.kind, index.0);
            return Err(GltfError::value(at, "the type of elements", found, kinds.join(" or ")));
        }
        Ok(Layout { component, width, count: self.count(index, at)? })
    }

    fn wrong_component(
        &self,
        index: Whole,
        accessor: &Accessor,
        layout: &Layout,
        expected: &str,
        at: &JsonPath,
    ) -> GltfError {
        let normalized = if accessor.normalized { ", normalized," } else { "" };
        let found = format!("{}{normalized} of accessor {}", layout.component.name(), index.0);
        GltfError::value(at, "the type of components", found, expected)
    }

    /// Takes values from the budget of the document.
    fn spend(&self, count: usize, path: &JsonPath) -> Result<(), GltfError> {
        let Some(left) = self.left.get().checked_sub(count) else {
            return Err(GltfError::Limit {
                path: path.to_string(),
                what: "numbers of all accessors that are read",
                found: (self.limit - self.left.get()).saturating_add(count),
                limit: self.limit,
                option: Some(LimitName::Values),
            });
        };
        self.left.set(left);
        Ok(self.watch.borrow_mut().take(count)?)
    }

    fn read<T: Copy + Default>(
        &self,
        index: Whole,
        accessor: &Accessor,
        layout: &Layout,
        decode: impl Fn(&[u8]) -> T,
    ) -> Result<Numbers<T>, GltfError> {
        let list = JsonPath::root("accessors");
        let path = list.index(index.0);
        let total = layout.count.saturating_mul(layout.width);
        self.spend(total, &path)?;
        let decoded = self.decoded.get(&index.0);
        let source = match (decoded, accessor.buffer_view) {
            (Some(decoded), _) => Some((&decoded.bytes[..], None, Whole(0))),
            (None, Some(view)) => {
                let (bytes, stride) = self.buffers.view(view, &path.key("bufferView"))?;
                Some((bytes, stride, accessor.byte_offset))
            }
            (None, None) => None,
        };
        let mut values = match source {
            Some((bytes, stride, offset)) => {
                let size = layout.component.bytes() * layout.width;
                let stride = stride.unwrap_or(size);
                let used = range(bytes, offset, stride, size, layout.count, &path)?;
                let component = layout.component.bytes();
                if stride == size {
                    used.chunks_exact(component).map(&decode).collect()
                } else {
                    let mut values = Vec::with_capacity(total);
                    for element in elements(used, stride, size) {
                        values.extend(element.chunks_exact(component).map(&decode));
                    }
                    values
                }
            }
            None => vec![T::default(); total],
        };
        if let Some(sparse) = accessor.sparse.as_ref().filter(|_| decoded.is_none()) {
            self.replace(sparse, layout, &decode, &mut values, &path.key("sparse"))?;
        }
        Ok(Numbers { width: layout.width, values })
    }

    /// Puts the sparse elements of an accessor over those of its view.
    fn replace<T: Copy>(
        &self,
        sparse: &Sparse,
        layout: &Layout,
        decode: &impl Fn(&[u8]) -> T,
        values: &mut [T],
        path: &JsonPath,
    ) -> Result<(), GltfError> {
        let count = sparse.count.0;
        if count > layout.count {
            let expected = format!("at most the {} elements of the accessor", layout.count);
            return Err(GltfError::value(
                &path.key("count"),
                "the count of sparse elements",
                count,
                expected,
            ));
        }
        let at = path.key("indices");
        let code = sparse.indices.component_type.0;
        let component = Component::from_code(code).filter(|component| {
            matches!(component, Component::U8 | Component::U16 | Component::U32)
        });
        let Some(component) = component else {
            let expected = "5121, 5123 or 5125";
            return Err(GltfError::value(
                &at.key("componentType"),
                "the type of indices",
                code,
                expected,
            ));
        };
        let (bytes, _) = self.buffers.view(sparse.indices.buffer_view, &at.key("bufferView"))?;
        let size = component.bytes();
        let indices = range(bytes, sparse.indices.byte_offset, size, size, count, &at)?;
        let indices = elements(indices, size, size);
        let from = path.key("values");
        let (bytes, _) = self.buffers.view(sparse.values.buffer_view, &from.key("bufferView"))?;
        let size = layout.component.bytes() * layout.width;
        let changed = range(bytes, sparse.values.byte_offset, size, size, count, &from)?;
        let mut last = None;
        for (index, element) in indices.zip(elements(changed, size, size)) {
            let index = index.iter().rev().fold(0_usize, |sum, &byte| sum << 8 | usize::from(byte));
            let is_rising = last.is_none_or(|last| index > last);
            let slot = values.chunks_exact_mut(layout.width).nth(index).filter(|_| is_rising);
            let Some(slot) = slot else {
                let expected = format!("rising indices below {}", layout.count);
                return Err(GltfError::value(
                    &at,
                    "the index of a sparse element",
                    index,
                    expected,
                ));
            };
            for (value, bytes) in
                slot.iter_mut().zip(element.chunks_exact(layout.component.bytes()))
            {
                *value = decode(bytes);
            }
            last = Some(index);
        }
        Ok(())
    }
}

/// Components of an element of a type. Columns of small matrices are padded, which no accessor that is read has.
fn width(kind: &str) -> Option<usize> {
    Some(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

/// The bytes of elements in a view: `count` of `size` bytes, `stride` apart.
fn range<'b>(
    bytes: &'b [u8],
    offset: Whole,
    stride: usize,
    size: usize,
    count: usize,
    path: &JsonPath,
) -> Result<&'b [u8], GltfError> {
    if stride < size {
        let expected = format!("at least the {size} bytes of an element");
        return Err(GltfError::value(
            path,
            "the distance of elements in its buffer view",
            stride,
            expected,
        ));
    }
    let length = match count.checked_sub(1) {
        None => Some(0),
        Some(gaps) => gaps.checked_mul(stride).and_then(|gaps| gaps.checked_add(size)),
    };
    let end = length.and_then(|length| offset.0.checked_add(length));
    let Some(used) = end.and_then(|end| bytes.get(offset.0..end)) else {
        return Err(GltfError::value(
            path,
            "the range of the elements",
            format!("{count} elements of {size} bytes, {stride} apart, from byte {}", offset.0),
            format!("a range within the {} bytes of the buffer view", bytes.len()),
        ));
    };
    Ok(used)
}

/// The elements of such a range.
fn elements(used: &[u8], stride: usize, size: usize) -> impl Iterator<Item = &[u8]> {
    used.chunks(stride.max(1)).map(move |element| element.get(..size).unwrap_or(element))
}

/// Decoding of one component into a real number.
#[expect(clippy::cast_precision_loss, reason = "integers of 16 bits")]
fn decoder(component: Component, normalized: bool) -> fn(&[u8]) -> f32 {
    fn signed(value: i16, most: f32) -> f32 {
        tintype_model::math::max(f32::from(value) / most, -1.0)
    }
    match (component, normalized) {
        (Component::I8, false) => |bytes| f32::from(i8::from_le_bytes(fixed(bytes))),
        (Component::I8, true) => |bytes| signed(i16::from(i8::from_le_bytes(fixed(bytes))), 127.0),
        (Component::U8, false) => |bytes| f32::from(u8::from_le_bytes(fixed(bytes))),
        (Component::U8, true) => |bytes| f32::from(u8::from_le_bytes(fixed(bytes))) / 255.0,
        (Component::I16, false) => |bytes| f32::from(i16::from_le_bytes(fixed(bytes))),
        (Component::I16, true) => |bytes| signed(i16::from_le_bytes(fixed(bytes)), 32767.0),
        (Component::U16, false) => |bytes| f32::from(u16::from_le_bytes(fixed(bytes))),
        (Component::U16, true) => |bytes| f32::from(u16::from_le_bytes(fixed(bytes))) / 65535.0,
        (Component::U32, _) => |bytes| u32::from_le_bytes(fixed(bytes)) as f32,
        (Component::F32, _) => |bytes| f32::from_le_bytes(fixed(bytes)),
    }
}

/// The bytes of one component; a chunk always has its length.
fn fixed<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().unwrap_or([0; N])
}
