//! Provenance of a frame: program, pixel revision, frame number and digest of its input, as text
//! chunks of its PNG.
//!
//! It contains no path, host, time, shard, thread count or SIMD level, so that a frame is the same
//! file on every machine. The caller computes the digest; this module only stores it.

use tintype_model::frame::PIXEL_REVISION;

const SOFTWARE: &str = "Software";
const REVISION: &str = "tintype:pixel-revision";
const FRAME: &str = "tintype:frame";
pub(super) const DIGEST: &str = "tintype:digest";
const VIEW: &str = "tintype:view";
const LEGEND: &str = "tintype:legend";
const BUILD: &str = "tintype:build";
const EMPTY: &str = "tintype:empty";
/// Digests of the compressed pixels and of the pixels, written by
/// [`encode_png`](super::encode_png).
pub const PIXELS: &str = "tintype:pixels";

/// Provenance of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The program and its version.
    pub software: String,
    /// The [`PIXEL_REVISION`] of its code.
    pub pixel_revision: u32,
    /// The number of the frame in its scene.
    pub frame: i64,
    /// The digest of all inputs of the pixels, in lower-case hexadecimal.
    pub digest: String,
    /// Digest of the program if its version does not identify its pixels: a build of uncommitted
    /// sources.
    pub build: Option<String>,
    /// True if no instance covers any pixel.
    pub is_empty: bool,
}

/// Reason why text chunks hold no provenance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProvenanceError {
    /// A chunk is missing: the file is not a frame of this program.
    #[error("no text chunk \"{keyword}\"")]
    Missing {
        /// Its keyword.
        keyword: &'static str,
    },
    /// A chunk contains no number where one is required.
    #[error("text chunk \"{keyword}\" contains \"{found}\"; expected a whole number")]
    NotANumber {
        /// Its keyword.
        keyword: &'static str,
        /// Its text.
        found: String,
    },
}

impl Provenance {
    /// The provenance of a frame of this build.
    #[must_use]
    pub fn of_this_build(frame: i64, digest: impl Into<String>) -> Self {
        Self {
            software: format!("tintype {}", env!("CARGO_PKG_VERSION")),
            pixel_revision: PIXEL_REVISION,
            frame,
            digest: digest.into(),
            build: None,
            is_empty: false,
        }
    }

    /// The text chunks, in the order of writing.
    #[must_use]
    pub fn to_text(&self) -> Vec<(String, String)> {
        let usual = [
            (SOFTWARE.to_owned(), self.software.clone()),
            (REVISION.to_owned(), self.pixel_revision.to_string()),
            (FRAME.to_owned(), self.frame.to_string()),
            (DIGEST.to_owned(), self.digest.clone()),
        ];
        let build = self.build.iter().map(|build| (BUILD.to_owned(), build.clone()));
        let empty = self.is_empty.then(|| (EMPTY.to_owned(), "no pixel is covered".to_owned()));
        usual.into_iter().chain(build).chain(empty).collect()
    }

    /// The text chunks of a view of the frame: those of its picture, the name of the view, and the
    /// meaning of its colours.
    #[must_use]
    pub fn to_text_of_view(&self, view: &str, legend: &str) -> Vec<(String, String)> {
        let own = [(VIEW, view), (LEGEND, legend)];
        let own = own.map(|(key, value)| (key.to_owned(), value.to_owned()));
        self.to_text().into_iter().chain(own).collect()
    }

    /// Name of the view in text chunks; `None` for the picture itself.
    #[must_use]
    pub fn view_of(text: &[(String, String)]) -> Option<&str> {
        text.iter().find(|(key, _)| key == VIEW).map(|(_, view)| view.as_str())
    }

    /// Digests of the compressed pixels and of the pixels; `None` for a file written without them.
    pub fn pixels_of(text: &[(String, String)]) -> Option<(&str, &str)> {
        text.iter().find(|(key, _)| key == PIXELS)?.1.split_once(' ')
    }

    /// Reads the text chunks back; other chunks are ignored.
    ///
    /// # Errors
    /// [`ProvenanceError`] if a chunk is missing or is not a number.
    pub fn from_text(text: &[(String, String)]) -> Result<Self, ProvenanceError> {
        let value = |keyword: &'static str| {
            let found = text.iter().find(|(key, _)| key == keyword);
            found.map(|(_, value)| value.clone()).ok_or(ProvenanceError::Missing { keyword })
        };
        Ok(Self {
            software: value(SOFTWARE)?,
            pixel_revision: number(REVISION, value(REVISION)?)?,
            frame: number(FRAME, value(FRAME)?)?,
            digest: value(DIGEST)?,
            build: value(BUILD).ok(),
            is_empty: value(EMPTY).is_ok(),
        })
    }
}

fn number<T: core::str::FromStr>(
    keyword: &'static str,
    found: String,
) -> Result<T, ProvenanceError> {
    found.parse().map_err(|_| ProvenanceError::NotANumber { keyword, found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_survives_the_round_trip() {
        let provenance = Provenance::of_this_build(47, "00ff");
        assert_eq!(provenance.software, concat!("tintype ", env!("CARGO_PKG_VERSION")));
        let mut text = provenance.to_text();
        text.insert(0, ("Comment".to_owned(), "kept by an editor".to_owned()));
        assert_eq!(Provenance::from_text(&text), Ok(provenance.clone()));
        let odd = Provenance { build: Some("f0".to_owned()), is_empty: true, ..provenance };
        assert_eq!(Provenance::from_text(&odd.to_text()), Ok(odd));
    }

    #[test]
    fn missing_or_wrong_chunks_are_named() {
        let mut text = Provenance::of_this_build(0, "00").to_text();
        text[2].1 = "first".to_owned();
        let message = Provenance::from_text(&text).unwrap_err().to_string();
        assert_eq!(
            message,
            "text chunk \"tintype:frame\" contains \"first\"; expected a whole number"
        );
        text.remove(3);
        text[2].1 = "0".to_owned();
        let message = Provenance::from_text(&text).unwrap_err().to_string();
        assert_eq!(message, "no text chunk \"tintype:digest\"");
    }
}
