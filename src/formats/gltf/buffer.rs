//! Buffers and the ranges of them that views name, each checked against its buffer.

use super::container::Container;
use super::document::{Buffer, BufferView, Document};
use super::error::GltfError;
use super::number::Whole;
use super::path::JsonPath;
use super::uri::{Resolved, resolve};
use crate::formats::LoadOptions;
use std::borrow::Cow;

/// Bytes of a file beside the document, or the reason why there are none.
pub(super) type Fetch<'f> = dyn Fn(&str) -> Result<Vec<u8>, String> + 'f;

/// The bytes of all buffers of a document.
pub(super) struct Buffers<'a> {
    /// Without bytes where neither a URI nor the binary chunk gives any.
    data: Vec<Option<Cow<'a, [u8]>>>,
    views: &'a [BufferView],
}

impl<'a> Buffers<'a> {
    /// Takes the bytes of all buffers from where their URIs say.
    ///
    /// # Errors
    /// [`GltfError`] for a URI that cannot be read, or a buffer with fewer bytes than it declares.
    pub(super) fn load(
        document: &'a Document,
        container: &Container<'a>,
        fetch: &Fetch,
        options: &LoadOptions,
    ) -> Result<Self, GltfError> {
        let list = JsonPath::root("buffers");
        let mut data = Vec::new();
        for (index, buffer) in document.buffers.iter().enumerate() {
            options.deadline.check("reading buffers")?;
            let chunk = container.binary.filter(|_| index == 0);
            data.push(load_one(buffer, chunk, fetch, &list.index(index))?);
        }
        Ok(Self { data, views: &document.buffer_views })
    }

    /// The bytes of all buffers that are not in the document itself.
    pub(super) fn external_bytes(&self) -> usize {
        let lengths = self.data.iter().map(|data| match data {
            Some(Cow::Owned(bytes)) => bytes.len(),
            _ => 0,
        });
        lengths.fold(0, usize::saturating_add)
    }

    /// The bytes of a view, and the distance of its elements if it sets one.
    ///
    /// # Errors
    /// [`GltfError::Value`] with the path of the view, or `at` where there is no such view.
    pub(super) fn view(
        &self,
        view: Whole,
        at: &JsonPath,
    ) -> Result<(&[u8], Option<usize>), GltfError> {
        let Some(found) = self.views.get(view.0) else {
            return Err(missing(at, "the buffer view", view, self.views.len()));
        };
        let list = JsonPath::root("bufferViews");
        let path = list.index(view.0);
        let Some(buffer) = self.data.get(found.buffer.0) else {
            return Err(missing(&path.key("buffer"), "the buffer", found.buffer, self.data.len()));
        };
        let Some(buffer) = buffer else {
            let (found, expected) = (
                format!("buffer {} without data", found.buffer.0),
                "a buffer with a URI, or the binary chunk of a .glb file",
            );
            return Err(GltfError::value(&path.key("buffer"), "the buffer", found, expected));
        };
        let (offset, length) = (found.byte_offset.0, found.byte_length.0);
        let range = offset.checked_add(length).and_then(|end| buffer.get(offset..end));
        let Some(bytes) = range else {
            return Err(GltfError::value(
                &path,
                "the range of the view",
                format!("{length} bytes from byte {offset}"),
                format!("a range within the {} bytes of buffer {}", buffer.len(), found.buffer.0),
            ));
        };
        match found.byte_stride {
            Some(Whole(stride)) if !(4..=252).contains(&stride) || stride % 4 != 0 => {
                Err(GltfError::value(
                    &path.key("byteStride"),
                    "the distance of elements",
                    stride,
                    "a multiple of 4 from 4 to 252",
                ))
            }
            stride => Ok((bytes, stride.map(|stride| stride.0))),
        }
    }
}

/// The error of an index beyond its list.
pub(super) fn missing(at: &JsonPath, what: &str, found: Whole, count: usize) -> GltfError {
    let expected = match count {
        0 => "none: the file has no such list".to_owned(),
        1 => "0, the only one".to_owned(),
        _ => format!("an index below {count}"),
    };
    GltfError::value(at, what, found.0, expected)
}

fn load_one<'a>(
    buffer: &Buffer,
    chunk: Option<&'a [u8]>,
    fetch: &Fetch,
    at: &JsonPath,
) -> Result<Option<Cow<'a, [u8]>>, GltfError> {
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
        (None, None) => return Ok(None),
    };
    if bytes.len() < buffer.byte_length.0 {
        return Err(GltfError::value(
            &at.key("byteLength"),
            "the length of the buffer",
            buffer.byte_length.0,
            format!("at most the {} bytes that it has", bytes.len()),
        ));
    }
    Ok(Some(bytes))
}
