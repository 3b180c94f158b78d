//! Accessors: numbers of buffers, every offset, count and stride checked before a byte is read.
//!
//! # Source
//! glTF 2.0, 3.6.2: types, alignment, sparse elements, normalised integers.

use super::buffer::{Buffers, missing};
use super::document::{Accessor, Document, Sparse};
use super::error::GltfError;
use super::faults::RepairLog;
use super::number::JsonInteger;
use super::path::JsonPath;
use crate::LimitExceeded;
use crate::{LimitName, LoadOptions};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use tintype_base::deadline::Watch;
use tintype_model::FileRepair;

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
    /// The range of the type, if the number is out of it.
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

/// Integers in an accessor of real numbers. Where the format requires others, they are accepted
/// with a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IntegerPolicy {
    /// None: numbers are floats. Integers count by their value, normalized ones as such.
    Unusual,
    /// Normalized integers: the largest means 1, even if the accessor does not declare it.
    Normalized,
    /// Any, including plain integers, as in quantized meshes.
    Any,
}

/// The replacement for a number that is not finite, and its description.
#[derive(Clone, Copy, Debug)]
pub(super) struct NonFiniteFallback(pub(super) f32, pub(super) &'static str);

impl NonFiniteFallback {
    /// For numbers that are neutral at 0.
    pub(super) const ZERO: Self = Self(0.0, "taken as 0");
}

/// Numbers of an accessor, element by element.
pub(super) struct Numbers<T> {
    /// Components an element.
    pub(super) width: usize,
    pub(super) values: Vec<T>,
    /// Elements with a number that is not finite, in ascending order.
    pub(super) bad: Vec<usize>,
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

    /// Keeps the first components of each element.
    fn narrow(&mut self, width: usize) -> &mut Self
    where
        T: Copy,
    {
        if width < self.width {
            let first = self.elements().filter_map(|element| element.get(..width));
            self.values = first.flatten().copied().collect();
            self.width = width;
        }
        self
    }
}

impl<T: Copy> Numbers<T> {
    /// Keeps some elements, in that order; information about bad elements is lost.
    pub(super) fn keep(&mut self, used: &[usize]) {
        let elements = used.iter().filter_map(|&old| self.elements().nth(old));
        self.values = elements.flatten().copied().collect();
        self.bad.clear();
    }

    /// Adjusts the numbers to `count` vertices: extra ones are dropped, missing ones are `usual`.
    pub(super) fn fit(&mut self, count: usize, usual: T, at: &JsonPath, faults: &RepairLog) {
        if self.len() != count {
            let found = self.len();
            let message = format!(
                "{at}: element count: found {found}; expected {count}, as in POSITION; {}",
                if found > count { "the others are skipped" } else { "the default is used" }
            );
            faults.tell(FileRepair::CountMismatch, message);
            self.values.resize(count.saturating_mul(self.width), usual);
        }
    }
}

/// Reader of the accessors of one document.
pub(super) struct Accessors<'a> {
    list: &'a [Accessor],
    buffers: &'a Buffers<'a>,
    faults: &'a RepairLog,
    /// Decoded elements that replace those in buffers, by the index of the accessor, or the reason
    /// why there are none.
    decoded: BTreeMap<usize, Result<DecodedElements, GltfError>>,
    /// Number of values that may still be read: accessors may use common bytes, so the size of the
    /// file does not limit their sum.
    left: Cell<usize>,
    limit: usize,
    watch: RefCell<Watch>,
}

/// Elements without gaps, and their number.
struct DecodedElements {
    count: usize,
    bytes: Vec<u8>,
}

/// Position of the elements of an accessor in the bytes of its view.
struct Layout {
    component: Component,
    width: usize,
    /// Number of first components taken from each element.
    wanted: usize,
    count: usize,
}

/// Relative tolerance of the bounds of an accessor, because writers round them.
const BOUNDS_TOLERANCE: f64 = 1.0e-3;

impl Accessor {
    /// True if its elements come from a stream that may have rounded them.
    fn is_lossy(&self, buffers: &Buffers) -> bool {
        self.buffer_view.is_some_and(|view| buffers.is_decoded(view))
    }
}

impl<'a> Accessors<'a> {
    pub(super) fn new(
        document: &'a Document,
        buffers: &'a Buffers<'a>,
        options: &LoadOptions,
        faults: &'a RepairLog,
    ) -> Self {
        let limit = options.limits.max_values;
        let watch = RefCell::new(options.deadline.watch("reading accessors", STEPS));
        let decoded = BTreeMap::default();
        let (list, left) = (&document.accessors[..], Cell::new(limit));
        Self { list, buffers, faults, decoded, left, limit, watch }
    }

    /// The type of the components of an accessor, and their number.
    ///
    /// # Errors
    /// [`GltfError::Value`] if the accessor does not exist, or for an unknown type.
    pub(super) fn shape(
        &self,
        index: JsonInteger,
        at: &JsonPath,
    ) -> Result<(Component, usize), GltfError> {
        let accessor = self.get(index, at)?;
        let layout = self.layout(accessor, &[accessor.kind.as_str()], index, at)?;
        Ok((layout.component, layout.width))
    }

    /// Replaces the elements of an accessor's buffer view by decoded ones; `bytes` has no gaps.
    pub(super) fn stand_in(&mut self, index: JsonInteger, count: usize, bytes: Vec<u8>) {
        self.decoded.insert(index.0, Ok(DecodedElements { count, bytes }));
    }

    /// Marks an accessor whose elements could not be decoded, if it has no others.
    pub(super) fn lose(&mut self, index: JsonInteger, error: &GltfError) {
        if self.list.get(index.0).is_some_and(|accessor| accessor.buffer_view.is_none()) {
            self.decoded.insert(index.0, Err(error.clone()));
        }
    }

    /// True if the elements of an accessor were decoded from a stream.
    pub(super) fn is_decoded(&self, index: JsonInteger) -> bool {
        self.decoded.get(&index.0).is_some_and(Result::is_ok)
    }

    /// The bytes of all decoded elements.
    pub(super) fn decoded_bytes(&self) -> usize {
        self.decoded.values().flatten().map(|one| one.bytes.len()).fold(0, usize::saturating_add)
    }

    /// The number of elements of an accessor.
    ///
    /// # Errors
    /// [`GltfError::Value`] if the accessor does not exist.
    pub(super) fn count(&self, index: JsonInteger, at: &JsonPath) -> Result<usize, GltfError> {
        let accessor = self.get(index, at)?;
        match (self.decoded.get(&index.0), accessor.count) {
            (Some(Ok(decoded)), _) => Ok(decoded.count),
            (_, found @ JsonInteger::MISSING) => {
                let list = JsonPath::root("accessors");
                let at = list.index(index.0);
                Err(GltfError::value(&at.key("count"), "the count of elements", found, "a number"))
            }
            (_, JsonInteger(count)) => Ok(count),
        }
    }

    /// Real numbers of the types `kinds`, or of a wider one, using its first components. All are
    /// finite: others are replaced by `instead`.
    ///
    /// # Errors
    /// [`GltfError`] at `at` for a type that is not accepted there, otherwise at the faulty
    /// accessor or view.
    pub(super) fn reals(
        &self,
        index: JsonInteger,
        kinds: &[&str],
        integers: IntegerPolicy,
        at: &JsonPath,
        instead: NonFiniteFallback,
    ) -> Result<Numbers<f32>, GltfError> {
        let accessor = self.get(index, at)?;
        let layout = self.layout(accessor, kinds, index, at)?;
        let is_accepted = match (layout.component, integers) {
            (Component::F32, _) => true,
            (Component::U32, _) | (_, IntegerPolicy::Unusual) => false,
            (_, IntegerPolicy::Normalized) => accessor.normalized,
            (_, IntegerPolicy::Any) => true,
        };
        if !is_accepted {
            let expected = match integers {
                IntegerPolicy::Unusual => "FLOAT",
                IntegerPolicy::Normalized => "FLOAT, or normalized integers of 8 or 16 bits",
                IntegerPolicy::Any => "FLOAT, or integers of 8 or 16 bits",
            };
            self.tell_component(index, accessor, &layout, expected, at);
        }
        let is_normalized = accessor.normalized || integers == IntegerPolicy::Normalized;
        let mut numbers = match layout.component {
            // The most common kind is decoded in place.
            Component::F32 => {
                let real = |bytes: &[u8]| f32::from_le_bytes(fixed(bytes));
                self.read(index, accessor, &layout, real)?
            }
            other => self.read(index, accessor, &layout, decoder(other, is_normalized))?,
        };
        let width = numbers.width.max(1);
        let first = numbers.values.iter().position(|value| !value.is_finite());
        if let Some(place) = first {
            let found = numbers.values.get(place).copied().unwrap_or_default();
            let is_bad = |(_, element): &(usize, &[f32])| !element.iter().all(|x| x.is_finite());
            numbers.bad =
                numbers.elements().enumerate().filter(is_bad).map(|(index, _)| index).collect();
            numbers.values.iter_mut().filter(|value| !value.is_finite()).for_each(|value| {
                *value = instead.0;
            });
            let message = format!(
                "accessors[{}]: component {} of element {}: found {found}; expected a finite number; {} of {} elements: {}",
                index.0,
                place % width,
                place / width,
                numbers.bad.len(),
                numbers.len(),
                instead.1
            );
            self.faults.tell(FileRepair::NotFinite, message);
        }
        if layout.component == Component::F32 && numbers.bad.is_empty() {
            self.check_bounds(index, accessor, &numbers, f64::from);
        }
        numbers.narrow(layout.wanted);
        Ok(numbers)
    }

    /// Integers of the types `kinds`, usually of at most `most` bytes each.
    ///
    /// # Errors
    /// As [`Self::reals`].
    pub(super) fn wholes(
        &self,
        index: JsonInteger,
        kinds: &[&str],
        most: usize,
        at: &JsonPath,
    ) -> Result<Numbers<u32>, GltfError> {
        let accessor = self.get(index, at)?;
        let layout = self.layout(accessor, kinds, index, at)?;
        let is_usual = match layout.component {
            Component::U8 | Component::U16 => true,
            Component::U32 => most >= 4,
            _ => false,
        };
        if !is_usual {
            let expected = if most >= 4 {
                "UNSIGNED_BYTE, UNSIGNED_SHORT or UNSIGNED_INT"
            } else {
                "UNSIGNED_BYTE or UNSIGNED_SHORT"
            };
            self.tell_component(index, accessor, &layout, expected, at);
        }
        let numbers = self.read(index, accessor, &layout, whole_decoder(layout.component))?;
        self.check_bounds(index, accessor, &numbers, f64::from);
        Ok(numbers)
    }

    /// Reports numbers outside of the bounds declared by their accessor, or bounds that they do not
    /// reach, which are signs of a damaged file.
    fn check_bounds<T: Copy>(
        &self,
        index: JsonInteger,
        accessor: &Accessor,
        numbers: &Numbers<T>,
        real: impl Fn(T) -> f64,
    ) {
        let (Some(least), Some(most)) = (&accessor.min, &accessor.max) else { return };
        if numbers.values.is_empty()
            || accessor.buffer_view.is_none()
            || self.decoded.contains_key(&index.0)
            || accessor.is_lossy(self.buffers)
        {
            return;
        }
        for (part, (&least, &most)) in least.iter().zip(most).enumerate().take(numbers.width) {
            let own = numbers.elements().filter_map(|element| element.get(part));
            let [low, high] =
                own.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &value| {
                    let value = real(value);
                    [if value < low { value } else { low }, if value > high { value } else { high }]
                });
            let tolerance = BOUNDS_TOLERANCE * ((most - least).abs() + least.abs() + most.abs())
                + f64::from(f32::EPSILON);
            if (low - least).abs() > tolerance || (high - most).abs() > tolerance {
                let message = format!(
                    "accessors[{}]: component {part}: found {low} to {high}; expected {least} to {most}, from min and max; used unchanged",
                    index.0
                );
                self.faults.tell(FileRepair::OutOfBounds, message);
                return;
            }
        }
    }

    fn get(&self, index: JsonInteger, at: &JsonPath) -> Result<&'a Accessor, GltfError> {
        self.list.get(index.0).ok_or_else(|| missing(at, "the accessor", index, self.list.len()))
    }

    fn layout(
        &self,
        accessor: &Accessor,
        kinds: &[&str],
        index: JsonInteger,
        at: &JsonPath,
    ) -> Result<Layout, GltfError> {
        let list = JsonPath::root("accessors");
        let path = list.index(index.0);
        let code = accessor.component_type;
        let Some(component) = Component::from_code(code.0) else {
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
        let mut wanted = width;
        if !kinds.contains(&accessor.kind.as_str()) {
            let found = format!("{} of accessor {}", accessor.kind, index.0);
            let error = GltfError::value(at, "the type of elements", found, kinds.join(" or "));
            let usual = kinds.first().and_then(|kind| self::width(kind));
            let is_vector = |kind: &str| kind.starts_with("VEC");
            wanted = usual.filter(|&usual| usual < width).unwrap_or(width);
            if !kinds.iter().any(|kind| is_vector(kind))
                || !is_vector(&accessor.kind)
                || wanted == width
            {
                return Err(error);
            }
            self.faults
                .tell(FileRepair::WrongType, format!("{error}; the first {wanted} are used"));
        }
        Ok(Layout { component, width, wanted, count: self.count(index, at)? })
    }

    fn tell_component(
        &self,
        index: JsonInteger,
        accessor: &Accessor,
        layout: &Layout,
        expected: &str,
        at: &JsonPath,
    ) {
        let normalized = if accessor.normalized { ", normalized," } else { "" };
        let found = format!("{}{normalized} of accessor {}", layout.component.name(), index.0);
        let error = GltfError::value(at, "the type of components", found, expected);
        self.faults.tell(FileRepair::WrongType, format!("{error}; its numbers are used"));
    }

    /// Takes values from the budget of the document.
    fn spend(&self, count: usize, path: &JsonPath) -> Result<(), GltfError> {
        let Some(left) = self.left.get().checked_sub(count) else {
            return Err(LimitExceeded::new(
                path.to_string(),
                "numbers of all accessors that are read",
                (self.limit - self.left.get()).saturating_add(count),
                (self.limit, Some(LimitName::Values)),
            )
            .into());
        };
        self.left.set(left);
        Ok(self.watch.borrow_mut().take(count)?)
    }

    fn read<T: Copy + Default>(
        &self,
        index: JsonInteger,
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
            (Some(Err(error)), _) => return Err(error.clone()),
            (Some(Ok(decoded)), _) => Some((&decoded.bytes[..], None, JsonInteger(0))),
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
        if decoded.is_none()
            && let Some(sparse) = &accessor.sparse
        {
            self.replace(sparse, layout, &decode, &mut values, &path.key("sparse"))?;
        }
        Ok(Numbers { width: layout.width, values, bad: Vec::new() })
    }

    /// Replaces elements of an accessor by its sparse elements.
    fn replace<T: Copy>(
        &self,
        sparse: &Sparse,
        layout: &Layout,
        decode: &impl Fn(&[u8]) -> T,
        values: &mut [T],
        path: &JsonPath,
    ) -> Result<(), GltfError> {
        let count = sparse.count.0;
        let at = path.key("indices");
        let (Some(indices), Some(changed)) = (&sparse.indices, &sparse.values) else {
            let expected = "indices and values";
            return Err(GltfError::value(path, "the sparse elements", "one of both", expected));
        };
        let code = indices.component_type;
        let component = Component::from_code(code.0).filter(|component| {
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
        let (bytes, _) = self.buffers.view(indices.buffer_view, &at.key("bufferView"))?;
        let size = component.bytes();
        let indices = range(bytes, indices.byte_offset, size, size, count, &at)?;
        let indices = elements(indices, size, size);
        let from = path.key("values");
        let (bytes, _) = self.buffers.view(changed.buffer_view, &from.key("bufferView"))?;
        let size = layout.component.bytes() * layout.width;
        let changed = range(bytes, changed.byte_offset, size, size, count, &from)?;
        for (index, element) in indices.zip(elements(changed, size, size)) {
            let index = index.iter().rev().fold(0_usize, |sum, &byte| sum << 8 | usize::from(byte));
            let Some(slot) = values.chunks_exact_mut(layout.width).nth(index) else {
                let expected = format!("an index below {}", layout.count);
                let error = GltfError::value(&at, "a sparse element", index, expected);
                self.faults.tell(FileRepair::BadReference, format!("{error}; skipped"));
                continue;
            };
            for (value, bytes) in
                slot.iter_mut().zip(element.chunks_exact(layout.component.bytes()))
            {
                *value = decode(bytes);
            }
        }
        Ok(())
    }
}

/// Number of components of an element. Columns of small matrices are padded, which no supported
/// accessor uses.
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

/// The bytes of elements in a view: `count` elements of `size` bytes, `stride` apart.
fn range<'b>(
    bytes: &'b [u8],
    offset: JsonInteger,
    stride: usize,
    size: usize,
    count: usize,
    path: &JsonPath,
) -> Result<&'b [u8], GltfError> {
    if stride < size {
        let expected = format!("at least the {size} bytes of an element");
        return Err(GltfError::value(path, "the stride in its buffer view", stride, expected));
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

/// Decoder of one component to a real number.
#[expect(clippy::cast_precision_loss, reason = "the nearest float")]
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
        (Component::U32, false) => |bytes| u32::from_le_bytes(fixed(bytes)) as f32,
        (Component::U32, true) => |bytes| u32::from_le_bytes(fixed(bytes)) as f32 / u32::MAX as f32,
        (Component::F32, _) => |bytes| f32::from_le_bytes(fixed(bytes)),
    }
}

/// Decoder of one component to an integer; negative ones become numbers beyond every list.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn whole_decoder(component: Component) -> fn(&[u8]) -> u32 {
    fn whole(value: i16) -> u32 {
        u32::try_from(value).unwrap_or(u32::MAX)
    }
    match component {
        Component::I8 => |bytes| whole(i16::from(i8::from_le_bytes(fixed(bytes)))),
        Component::U8 => |bytes| u32::from(fixed::<1>(bytes)[0]),
        Component::I16 => |bytes| whole(i16::from_le_bytes(fixed(bytes))),
        Component::U16 => |bytes| u32::from(u16::from_le_bytes(fixed(bytes))),
        Component::U32 => |bytes| u32::from_le_bytes(fixed(bytes)),
        Component::F32 => |bytes| f32::from_le_bytes(fixed(bytes)) as u32,
    }
}

/// The bytes of one component; a chunk always has its length.
fn fixed<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().unwrap_or([0; N])
}
