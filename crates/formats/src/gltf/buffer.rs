//! Buffers and their ranges named by views, each checked against its buffer; compressed views are
//! decoded.

use super::container::Container;
use super::document::{Buffer, BufferView, Document, MeshoptView};
use super::error::GltfError;
use super::faults::RepairLog;
use super::meshopt::{self, Filter, Mode};
use super::number::JsonInteger;
use super::path::JsonPath;
use super::uri::{Resolved, resolve};
use crate::LimitExceeded;
use crate::{LimitName, LoadOptions};
use std::borrow::Cow;
use std::collections::BTreeMap;
use tintype_model::FileRepair;

/// Bytes of an external file, or the reason why there are none.
pub(super) type Fetch<'f> = dyn Fn(&str) -> Result<Vec<u8>, String> + 'f;

/// The bytes of all buffers of a document.
pub(super) struct Buffers<'a> {
    /// The bytes of each, or the reason why they are missing.
    data: Vec<Result<Cow<'a, [u8]>, GltfError>>,
    views: &'a [BufferView],
    /// The bytes of compressed views, by their index, or the reason why they are missing.
    decoded: BTreeMap<usize, Result<Vec<u8>, GltfError>>,
    faults: &'a RepairLog,
}

impl<'a> Buffers<'a> {
    /// Loads the bytes of all buffers from their URIs.
    ///
    /// # Errors
    /// [`GltfError::Limit`] and [`GltfError::TimedOut`]. A buffer that cannot be read is an error
    /// of each part that needs it.
    pub(super) fn load(
        document: &'a Document,
        container: &Container<'a>,
        fetch: &Fetch,
        options: &LoadOptions,
        faults: &'a RepairLog,
    ) -> Result<Self, GltfError> {
        let list = JsonPath::root("buffers");
        let mut data = Vec::new();
        for (index, buffer) in document.buffers.iter().enumerate() {
            options.deadline.check("reading buffers")?;
            let chunk = container.binary.filter(|_| index == 0);
            let bytes = load_one(buffer, chunk, fetch, &list.index(index), faults);
            data.push(match bytes {
                Ok(bytes) => Ok(bytes),
                Err(error) => {
                    let error = error.of_part()?;
                    if buffer.uri.is_some() {
                        let message = format!("{error}; its contents are skipped");
                        faults.tell(FileRepair::BadReference, message);
                    }
                    Err(error)
                }
            });
        }
        let (views, decoded) = (&document.buffer_views[..], BTreeMap::default());
        let mut buffers = Self { data, views, decoded, faults };
        buffers.decode_views(options)?;
        Ok(buffers)
    }

    /// The bytes of all buffers outside the document, and of all decoded views.
    pub(super) fn external_bytes(&self) -> usize {
        let lengths = self.data.iter().map(|data| match data {
            Ok(Cow::Owned(bytes)) => bytes.len(),
            _ => 0,
        });
        lengths.chain(self.decoded.values().flatten().map(Vec::len)).fold(0, usize::saturating_add)
    }

    /// Decodes the compressed views.
    fn decode_views(&mut self, options: &LoadOptions) -> Result<(), GltfError> {
        let all =
            self.data.iter().flatten().fold(0_usize, |sum, data| sum.saturating_add(data.len()));
        let limit = options.limits.max_inflated(all);
        let mut total = 0_usize;
        let list = JsonPath::root("bufferViews");
        for (index, view) in self.views.iter().enumerate() {
            let Some(stream) = &view.extensions.meshopt else { continue };
            options.deadline.check("decoding buffer views")?;
            let path = list.index(index);
            let extensions = path.key("extensions");
            let at = extensions.key("EXT_meshopt_compression");
            total = total.saturating_add(stream.count.0.saturating_mul(stream.byte_stride.0));
            if total > limit {
                return Err(LimitExceeded::new(
                    at.to_string(),
                    "bytes of decoded buffer views",
                    total,
                    (limit, Some(LimitName::Inflated)),
                )
                .into());
            }
            let elements = self.decode_view(stream, &at);
            self.decoded.insert(index, elements);
        }
        Ok(())
    }

    fn decode_view(&self, stream: &MeshoptView, at: &JsonPath) -> Result<Vec<u8>, GltfError> {
        let (offset, length) = (stream.byte_offset, stream.byte_length);
        let bytes = self.range(stream.buffer, offset, length, at)?;
        let Some(mode) = Mode::from_word(&stream.mode) else {
            let (found, expected) =
                (format!("{:?}", stream.mode), "ATTRIBUTES, TRIANGLES or INDICES");
            return Err(GltfError::value(&at.key("mode"), "the mode", found, expected));
        };
        let word = stream.filter.as_deref().unwrap_or("NONE");
        let Some(filter) = Filter::from_word(word) else {
            let expected = "NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL or COLOR";
            let found = format!("{word:?}");
            return Err(GltfError::value(&at.key("filter"), "the filter", found, expected));
        };
        meshopt::decode(bytes, mode, filter, stream.count.0, stream.byte_stride.0).map_err(
            |found| GltfError::value(at, "the compressed data", found, "a valid meshopt stream"),
        )
    }

    /// A range of a buffer; `path` is the path of the object that names it.
    fn range(
        &self,
        number: JsonInteger,
        JsonInteger(offset): JsonInteger,
        JsonInteger(length): JsonInteger,
        path: &JsonPath,
    ) -> Result<&[u8], GltfError> {
        let Some(buffer) = self.data.get(number.0) else {
            return Err(missing(&path.key("buffer"), "the buffer", number, self.data.len()));
        };
        let buffer = buffer.as_ref().map_err(Clone::clone)?;
        let end = offset.saturating_add(length);
        if let Some(range) = buffer.get(offset..end) {
            return Ok(range);
        }
        let error = GltfError::value(
            path,
            "the range of the view",
            format!("{length} bytes from byte {offset}"),
            format!("a range within the {} bytes of buffer {}", buffer.len(), number.0),
        );
        match buffer.get(offset..) {
            Some(rest) if !rest.is_empty() => {
                self.faults
                    .tell(FileRepair::Truncated, format!("{error}; the available part is used"));
                Ok(rest)
            }
            _ => Err(error),
        }
    }

    /// True if the bytes of a view come from a compressed stream.
    pub(super) fn is_decoded(&self, view: JsonInteger) -> bool {
        self.decoded.contains_key(&view.0)
    }

    /// The bytes of a view, and the distance of its elements if it sets one.
    ///
    /// # Errors
    /// [`GltfError::Value`] with the path of the view, or `at` if the view does not exist.
    pub(super) fn view(
        &self,
        view: JsonInteger,
        at: &JsonPath,
    ) -> Result<(&[u8], Option<usize>), GltfError> {
        let Some(found) = self.views.get(view.0) else {
            return Err(missing(at, "the buffer view", view, self.views.len()));
        };
        let list = JsonPath::root("bufferViews");
        let path = list.index(view.0);
        let bytes = match self.decoded.get(&view.0) {
            Some(decoded) => decoded.as_ref().map_err(Clone::clone)?,
            None => self.range(found.buffer, found.byte_offset, found.byte_length, &path)?,
        };
        let stride = found.byte_stride.map(|stride| stride.0);
        if let Some(found) = stride.filter(|found| !(4..=252).contains(found) || found % 4 != 0) {
            let (at, expected) = (path.key("byteStride"), "a multiple of 4 from 4 to 252");
            let error = GltfError::value(&at, "the element stride", found, expected);
            let used = if found == 0 { "elements are tightly packed" } else { "used unchanged" };
            self.faults.tell(FileRepair::OutOfRange, format!("{error}; {used}"));
        }
        Ok((bytes, stride.filter(|&stride| stride > 0)))
    }
}

/// The error of an index beyond its list.
pub(super) fn missing(at: &JsonPath, what: &str, found: JsonInteger, count: usize) -> GltfError {
    let expected = match count {
        0 => "none, as the file has no such list".to_owned(),
        1 => "0, the only one".to_owned(),
        _ => format!("an index below {count}"),
    };
    GltfError::value(at, what, found, expected)
}

fn load_one<'a>(
    buffer: &Buffer,
    chunk: Option<&'a [u8]>,
    fetch: &Fetch,
    at: &JsonPath,
    faults: &RepairLog,
) -> Result<Cow<'a, [u8]>, GltfError> {
    let bytes: Cow<'a, [u8]> = match (&buffer.uri, chunk) {
        (Some(uri), _) => match resolve(uri, &at.key("uri"))? {
            Resolved::Data(bytes) => bytes.into(),
            Resolved::File(path) => fetch(&path)
                .map_err(|reason| GltfError::External {
                    path: at.key("uri").to_string(),
                    uri: uri.clone(),
                    reason,
                })?
                .into(),
        },
        (None, Some(chunk)) => chunk.into(),
        (None, None) => {
            let expected = "a URI, or the binary chunk of a .glb file";
            return Err(GltfError::value(at, "the data of the buffer", "none", expected));
        }
    };
    if bytes.len() < buffer.byte_length.0 {
        let (at, expected) = (at.key("byteLength"), format!("the {} available", bytes.len()));
        let error = GltfError::value(&at, "the bytes of the buffer", buffer.byte_length, expected);
        faults.note_cause(error.clone());
        faults.tell(FileRepair::Truncated, format!("{error}; those are used"));
    }
    Ok(bytes)
}
