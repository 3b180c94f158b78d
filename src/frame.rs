//! A finished picture.

use super::{Error, ErrorKind};
use image::RgbaImage;
use std::path::Path;
use tintype_base::disk::read_regular;
use tintype_base::path::ShowPath;
use tintype_output::{FileFormat, PngEffort, Sheet, decode_png, encode_png, encode_still};

/// A picture of 8-bit sRGB pixels with straight alpha, rows from the top.
///
/// ```
/// use tintype::Frame;
///
/// let frame = Frame::from_pixels(2, 1, vec![[255, 0, 0, 255], [0, 0, 255, 255]]).unwrap();
/// assert_eq!(frame.pixel(1, 0), [0, 0, 255, 255]);
/// let same = Frame::from_png(&frame.to_png())?;
/// assert_eq!(frame, same);
///
/// // To and from the crate `image`.
/// let image = image::RgbaImage::from(frame.clone());
/// assert_eq!(Frame::from(image), frame);
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Frame {
    pub(crate) picture: tintype_model::frame::Frame,
    provenance: Vec<(String, String)>,
}

/// Frames are equal if their pixels are; provenance does not count.
impl PartialEq for Frame {
    fn eq(&self, other: &Self) -> bool {
        self.picture == other.picture
    }
}

impl Eq for Frame {}

impl Frame {
    /// Makes a picture without provenance.
    pub(crate) fn plain(picture: tintype_model::frame::Frame) -> Self {
        Self { picture, provenance: Vec::new() }
    }

    /// Makes a picture with the provenance that is written to its files.
    pub(crate) fn drawn(
        picture: tintype_model::frame::Frame,
        provenance: Vec<(String, String)>,
    ) -> Self {
        Self { picture, provenance }
    }

    /// Replaces the provenance of the same pixels; an empty list suits pixels that were edited.
    #[must_use]
    pub fn with_provenance(self, provenance: Vec<(String, String)>) -> Self {
        Self { provenance, ..self }
    }

    /// Provenance as keys and texts of a PNG file: program, pixel revision, frame number and digest
    /// of the drawn scene. Empty for pixels of another origin.
    #[must_use]
    pub fn provenance(&self) -> &[(String, String)] {
        &self.provenance
    }

    /// Makes a picture of `width * height` pixels, row by row from the top: red, green, blue,
    /// alpha. None if the number of pixels does not match, or a side is longer than 16,384.
    #[must_use]
    pub fn from_pixels(width: u32, height: u32, pixels: Vec<[u8; 4]>) -> Option<Self> {
        let most = tintype_model::frame::Frame::MAX_SIDE;
        let is_whole = width <= most
            && height <= most
            && u64::from(width) * u64::from(height) == u64::try_from(pixels.len()).ok()?;
        is_whole.then(|| Self::plain(tintype_model::frame::Frame { width, height, rgba: pixels }))
    }

    /// Decodes the bytes of a PNG file.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if they are not an 8-bit PNG file, or are truncated.
    pub fn from_png(bytes: &[u8]) -> Result<Self, Error> {
        let decoded = decode_png(bytes).map_err(|error| Error::of(ErrorKind::File, &error));
        let (picture, provenance) = decoded?;
        Ok(Self { picture, provenance })
    }

    /// Opens a PNG file.
    ///
    /// # Errors
    /// [`ErrorKind::File`] if it cannot be read, or is not a PNG file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = read_regular(path).map_err(|error| Error::of_io(path, &error))?;
        Self::from_png(&bytes)
            .map_err(|error| Error::new(ErrorKind::File, format!("{}: {error}", path.shown())))
    }

    /// Arranges frames of one size in rows, as nearly square as possible: a contact sheet of
    /// thumbnails or of a turntable.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if there are no frames or too many, or their sizes differ.
    pub fn sheet(frames: &[Self]) -> Result<Self, Error> {
        let refused = |message: &str| Error::new(ErrorKind::Write, message.to_owned());
        let first = frames.first().ok_or_else(|| refused("there is no frame"))?;
        let size = [first.width(), first.height()];
        if frames.iter().any(|frame| [frame.width(), frame.height()] != size) {
            return Err(refused("the frames have different sizes"));
        }
        let sheet = Sheet::new(frames.len(), size);
        let mut sheet = sheet.ok_or_else(|| refused("too many frames for one picture"))?;
        frames.iter().enumerate().for_each(|(k, frame)| sheet.put(k, &frame.picture));
        Ok(Self::plain(sheet.picture))
    }

    /// Width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.picture.width
    }

    /// Height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.picture.height
    }

    /// Pixels, row by row from the top: red, green, blue, alpha.
    #[must_use]
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.picture.rgba
    }

    /// Returns the pixels without copying.
    #[must_use]
    pub fn into_pixels(self) -> Vec<[u8; 4]> {
        self.picture.rgba
    }

    /// The pixel in column `x` of row `y`.
    ///
    /// # Panics
    /// If `x` or `y` is out of range.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        assert!(x < self.width() && y < self.height(), "pixel ({x}, {y}) is outside the picture");
        self.picture.pixel(x, y)
    }

    /// Encodes the picture as a PNG file; the bytes are the same on every machine. Alpha is stored
    /// only if a pixel is not opaque.
    #[must_use]
    pub fn to_png(&self) -> Vec<u8> {
        encode_png(&self.picture, self.has_alpha(), PngEffort::Fast, &self.provenance)
    }

    /// Encodes the picture as `png`, `jpg` or lossless `webp`. JPEG has no alpha: transparent
    /// pixels become white.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] for another format, and for a picture without pixels.
    pub fn to_bytes(&self, format: &str) -> Result<Vec<u8>, Error> {
        let format = super::extension::format_of(format, FileFormat::holds_one)?;
        if self.picture.rgba.is_empty() {
            return Err(Error::new(ErrorKind::Write, "the picture has no pixels".to_owned()));
        }
        let (alpha, effort) = (self.has_alpha(), PngEffort::Fast);
        Ok(encode_still(&self.picture, format, alpha, effort, &self.provenance))
    }

    /// Warns if a format cannot store part of this picture, which is the alpha of a picture that is
    /// not opaque.
    ///
    /// # Errors
    /// As [`Frame::to_bytes`].
    pub fn lost_in(&self, format: &str) -> Result<Option<String>, Error> {
        let format = super::extension::format_of(format, FileFormat::holds_one)?;
        Ok(format.lost_alpha().filter(|_| self.has_alpha()))
    }

    /// True if a pixel is not opaque.
    #[must_use]
    pub fn has_alpha(&self) -> bool {
        self.picture.rgba.iter().any(|pixel| pixel[3] != u8::MAX)
    }

    /// Writes a file in the format of its extension, `.png`, `.jpg` or `.webp`; see
    /// [`Frame::to_bytes`]. The file is complete or absent. Missing folders are created.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if the name has another extension, or the file cannot be written.
    #[cfg(feature = "host")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        super::extension::refuse_other_extension(path, FileFormat::holds_one)?;
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let bytes = self.to_bytes(&extension)?;
        tintype_host::write_atomic(path, &bytes).map_err(|error| Error::of_output(&error))
    }
}

/// An empty picture.
impl Default for Frame {
    fn default() -> Self {
        Self::plain(tintype_model::frame::Frame::new(0, 0))
    }
}

impl From<Frame> for RgbaImage {
    fn from(frame: Frame) -> Self {
        let (width, height) = (frame.width(), frame.height());
        let bytes = frame.into_pixels().into_flattened();
        Self::from_raw(width, height, bytes).expect("four bytes a pixel")
    }
}

/// Converts an image with its pixels unchanged. A side longer than 16,384 is kept, although no
/// frame of that size can be drawn.
impl From<RgbaImage> for Frame {
    fn from(image: RgbaImage) -> Self {
        let (width, height) = image.dimensions();
        let (rgba, _) = image.as_raw().as_chunks::<4>();
        let picture = tintype_model::frame::Frame { width, height, rgba: rgba.to_vec() };
        Self::plain(picture)
    }
}
