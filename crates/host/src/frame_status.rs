//! Status of a file against the frame that would be written under its name: up to date, stale,
//! broken or missing.
//!
//! A frame is identified by its size and the provenance in its file; pixels are neither drawn nor
//! compared. A file of many frames is identified by the provenance of the first
//! ([`matches_provenance`]).

use crate::is_stream;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use tintype_base::disk::{open_regular, read_regular};
use tintype_base::extension::has_extension;
use tintype_output::gif::read_comment;
use tintype_output::note::{pairs, read_note};
use tintype_output::png::digest_of_pixels;
use tintype_output::png_check::{END, check_animated_head, check_head};
use tintype_output::{FileFormat, PngError, PngHead, Provenance, check_png, decode_png};

/// The frame that is expected under a name.
#[derive(Clone, Copy, Debug)]
pub struct ExpectedFile<'a> {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Its provenance; whether it is empty is not compared.
    pub provenance: &'a Provenance,
    /// The view of the frame; `None` for its picture.
    pub view: Option<&'a str>,
}

/// Thoroughness of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckLevel {
    /// Chunks before the pixels, and the end of the file: quick enough for a hundred thousand
    /// files.
    Ends,
    /// Every chunk and its check sum; see [`check_png`].
    Chunks,
    /// Every chunk, and the pixels decoded; see [`decode_png`].
    Pixels,
}

/// Status of a file against the expected frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameStatus {
    /// It is the expected frame.
    Current {
        /// True if no instance covers any of its pixels.
        is_empty: bool,
    },
    /// The file does not exist.
    Missing,
    /// A complete picture of something else; the reason.
    Stale(String),
    /// It is not a complete picture; the reason.
    Broken(String),
}

impl ExpectedFile<'_> {
    /// Checks a file.
    ///
    /// # Errors
    /// The error of the system, if the file exists and cannot be read.
    pub fn check(&self, path: &Path, level: CheckLevel) -> io::Result<FrameStatus> {
        if is_stream(path) {
            return Ok(FrameStatus::Missing);
        }
        let format = FileFormat::of_path(path)
            .filter(|format| matches!(format, FileFormat::Jpeg | FileFormat::WebP));
        let is_noted = format.is_some() || has_extension(path, &["npz", "exr"]);
        let bytes = match level {
            CheckLevel::Ends if !is_noted => ends(path),
            _ => read_regular(path),
        };
        match bytes {
            Ok(bytes) if is_noted => Ok(self.check_noted(&bytes, format)),
            Ok(bytes) => Ok(self.check_bytes(&bytes, level)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(FrameStatus::Missing),
            Err(error) => Err(error),
        }
    }

    /// Checks all bytes of a JPEG, a WebP, an NPZ or an OpenEXR file, whose digest is in its text.
    fn check_noted(&self, bytes: &[u8], format: Option<FileFormat>) -> FrameStatus {
        if format.is_some_and(|format| !format.is_format_of(bytes)) {
            return FrameStatus::Stale("its content does not match its extension".to_owned());
        }
        let Some(note) = read_note(bytes) else {
            return FrameStatus::Broken("it is truncated or damaged".to_owned());
        };
        match self.compared(note.size, &note.text) {
            FrameStatus::Current { .. } if !note.is_sealed => {
                let why = "another program changed it: its bytes do not match its checksum";
                FrameStatus::Stale(why.to_owned())
            }
            status => status,
        }
    }

    /// Compares size and provenance.
    fn compared(&self, size: [u32; 2], text: &[(String, String)]) -> FrameStatus {
        if size != self.size {
            let ([x, y], [width, height]) = (size, self.size);
            return FrameStatus::Stale(format!("{x}x{y} pixels; the scene sets {width}x{height}"));
        }
        match Provenance::from_text(text) {
            Err(error) => FrameStatus::Stale(error.to_string()),
            Ok(found) => match self.difference(&found, Provenance::view_of(text)) {
                Some(why) => FrameStatus::Stale(why),
                None => FrameStatus::Current { is_empty: found.is_empty },
            },
        }
    }

    /// Checks the bytes of a file.
    #[must_use]
    pub fn check_bytes(&self, bytes: &[u8], level: CheckLevel) -> FrameStatus {
        let head = match level {
            CheckLevel::Ends if !bytes.ends_with(END) => {
                Err(PngError::Truncated { length: bytes.len() })
            }
            CheckLevel::Ends => check_head(bytes),
            CheckLevel::Chunks => check_png(bytes),
            CheckLevel::Pixels => check_png(bytes),
        };
        let PngHead { size, text, compressed } = match head {
            Ok(head) => head,
            Err(error @ PngError::Layout { .. }) => return FrameStatus::Stale(error.to_string()),
            Err(error) => return FrameStatus::Broken(error.to_string()),
        };
        match self.compared(size, &text) {
            current @ FrameStatus::Current { .. } => {
                check_pixels(bytes, &text, &compressed, level).unwrap_or(current)
            }
            other => other,
        }
    }

    fn difference(&self, found: &Provenance, view: Option<&str>) -> Option<String> {
        let expected = self.provenance;
        if found.pixel_revision != expected.pixel_revision {
            let (old, new) = (found.pixel_revision, expected.pixel_revision);
            Some(format!("out of date: pixel revision {old}, this program has {new}"))
        } else if found.frame != expected.frame {
            Some(format!("it is frame {}, not {}", found.frame, expected.frame))
        } else if view != self.view {
            let named = |view: Option<&str>| {
                view.map_or("the picture".to_owned(), |view| format!("the view {view}"))
            };
            Some(format!("it is {}, not {}", named(view), named(self.view)))
        } else if found.digest != expected.digest {
            Some("out of date: the scene, its assets or its options changed".to_owned())
        } else if found.software != expected.software {
            Some(format!(
                "out of date: written by {}, this is {}",
                found.software, expected.software
            ))
        } else if found.build != expected.build {
            Some("out of date: written by another build of tintype".to_owned())
        } else {
            None
        }
    }
}

/// Status of a file whose pixels differ from those that its text chunks were written with. None if
/// they are equal.
fn check_pixels(
    bytes: &[u8],
    text: &[(String, String)],
    compressed: &str,
    level: CheckLevel,
) -> Option<FrameStatus> {
    if level == CheckLevel::Ends {
        return None;
    }
    let Some((known_compressed, known)) = Provenance::pixels_of(text) else {
        return Some(FrameStatus::Stale("out of date: no digest of its pixels".to_owned()));
    };
    if level == CheckLevel::Chunks && compressed == known_compressed {
        return None;
    }
    match decode_png(bytes) {
        // A 16-bit file is not a frame; its data equals the written data.
        Err(PngError::Layout { .. }) if compressed == known_compressed => None,
        Err(error @ PngError::Layout { .. }) => Some(FrameStatus::Stale(error.to_string())),
        Err(error) => Some(FrameStatus::Broken(error.to_string())),
        // Another program may compress the same pixels differently.
        Ok((frame, _)) => (digest_of_pixels(&frame, true) != known).then(|| {
            let why = "another program changed it: its pixels do not match its digest";
            FrameStatus::Stale(why.to_owned())
        }),
    }
}

/// True if a file of many frames (APNG, GIF, WebP or JPEG) is complete and has this provenance, of
/// the pictures or of a view.
#[must_use]
pub fn matches_provenance(bytes: &[u8], provenance: &Provenance, view: Option<&str>) -> bool {
    let text = match read_comment(bytes) {
        Some(comment) if bytes.ends_with(GIF_END) => pairs(&comment),
        _ if bytes.ends_with(END) => {
            check_animated_head(bytes).map_or(Vec::new(), |head| head.text)
        }
        _ => match read_note(bytes) {
            Some(note) => note.text,
            None => return false,
        },
    };
    let wanted = ExpectedFile { size: [0; 2], provenance, view };
    let found = Provenance::from_text(&text);
    found.is_ok_and(|found| wanted.difference(&found, Provenance::view_of(&text)).is_none())
}

/// The last byte of a GIF.
const GIF_END: &[u8] = b"\x3b";

/// Provenance in the first bytes of a file; `None` if it is not a complete picture of this program.
#[must_use]
pub fn read_provenance(path: &Path) -> Option<Provenance> {
    let bytes = ends(path).ok()?;
    let text = if FileFormat::Png.is_format_of(&bytes) {
        bytes.ends_with(END).then(|| check_head(&bytes).ok())??.text
    } else {
        read_note(&read_regular(path).ok()?)?.text
    };
    Provenance::from_text(&text).ok()
}

/// Start of a file followed by its last bytes; the whole of a short file.
fn ends(path: &Path) -> io::Result<Vec<u8>> {
    const START: u64 = 4096;
    let mut file = open_regular(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(START).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == START {
        file.seek(SeekFrom::End(-12))?;
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_model::frame::Frame;
    use tintype_output::{
        ApngFormat, ApngWriter, GifWriter, PngEffort, Rate, WebPWriter, encode_png, encode_still,
        note,
    };

    fn picture(text: &[(String, String)]) -> Vec<u8> {
        let frame = Frame { width: 2, height: 1, rgba: vec![[1, 2, 3, 255]; 2] };
        encode_png(&frame, false, PngEffort::Fast, text)
    }

    fn checked(wanted: &Provenance, bytes: &[u8]) -> FrameStatus {
        let file = ExpectedFile { size: [2, 1], provenance: wanted, view: None };
        let status = file.check_bytes(bytes, CheckLevel::Chunks);
        assert_eq!(status, file.check_bytes(bytes, CheckLevel::Pixels));
        assert_eq!(status, file.check_bytes(bytes, CheckLevel::Ends));
        status
    }

    #[test]
    fn status_of_the_expected_frame_is_current() {
        let wanted = Provenance::of_this_build(3, "aa");
        assert_eq!(
            checked(&wanted, &picture(&wanted.to_text())),
            FrameStatus::Current { is_empty: false }
        );
        let empty = Provenance { is_empty: true, ..wanted.clone() };
        assert_eq!(
            checked(&wanted, &picture(&empty.to_text())),
            FrameStatus::Current { is_empty: true }
        );
    }

    #[test]
    fn status_says_why_a_picture_is_stale() {
        let wanted = Provenance::of_this_build(3, "aa");
        let stale = |found: &Provenance, says: &str| {
            let status = checked(&wanted, &picture(&found.to_text()));
            assert!(matches!(&status, FrameStatus::Stale(why) if why.contains(says)), "{status:?}");
        };
        stale(&Provenance { frame: 4, ..wanted.clone() }, "it is frame 4, not 3");
        stale(&Provenance { digest: "ab".to_owned(), ..wanted.clone() }, "options changed");
        stale(&Provenance { pixel_revision: 0, ..wanted.clone() }, "pixel revision 0");
        stale(&Provenance { software: "tintype 0".to_owned(), ..wanted.clone() }, "tintype 0");
        stale(&Provenance { build: Some("ff".to_owned()), ..wanted.clone() }, "another build");
        let of_view = checked(&wanted, &picture(&wanted.to_text_of_view("depth", "near to far")));
        assert_eq!(of_view, FrameStatus::Stale("it is the view depth, not the picture".to_owned()));
        let foreign = checked(&wanted, &picture(&[]));
        assert_eq!(foreign, FrameStatus::Stale("no text chunk \"Software\"".to_owned()));
        let other = ExpectedFile { size: [1, 2], provenance: &wanted, view: None };
        let status = other.check_bytes(&picture(&wanted.to_text()), CheckLevel::Chunks);
        assert_eq!(status, FrameStatus::Stale("2x1 pixels; the scene sets 1x2".to_owned()));
    }

    #[test]
    fn status_knows_text_chunks_on_other_pixels() {
        let wanted = Provenance::of_this_build(3, "aa");
        let file = ExpectedFile { size: [2, 1], provenance: &wanted, view: None };
        let (frame, text) = decode_png(&picture(&wanted.to_text())).unwrap();
        // All text chunks with the pixel digest, on a picture that differs by one code.
        let is_signed = |(key, _): &(String, String)| key == tintype_output::provenance::PIXELS;
        assert!(text.iter().any(is_signed), "{text:?}");
        let with = |frame: &Frame, text: &[(String, String)], effort| {
            // Without one keyword, so that nothing is signed again, and then restored by hand.
            let plain: Vec<_> = text
                .iter()
                .map(|(key, value)| {
                    (key.replace("tintype:digest", "tintype:dig_st"), value.clone())
                })
                .collect();
            let mut bytes = encode_png(frame, false, effort, &plain);
            let at = bytes.windows(14).position(|word| word == b"tintype:dig_st").unwrap();
            bytes[at..at + 14].copy_from_slice(b"tintype:digest");
            let length = u32::from_be_bytes(bytes[at - 8..at - 4].try_into().unwrap()) as usize;
            let sum = crc32fast::hash(&bytes[at - 4..at + length]).to_be_bytes();
            bytes[at + length..at + length + 4].copy_from_slice(&sum);
            bytes
        };
        let levels = [CheckLevel::Chunks, CheckLevel::Pixels];
        let mut other = frame.clone();
        other.rgba[0][1] ^= 1;
        for level in levels {
            let status = file.check_bytes(&with(&other, &text, PngEffort::Fast), level);
            let is_foreign = |why: &String| why.contains("another program changed it");
            assert!(matches!(&status, FrameStatus::Stale(why) if is_foreign(why)), "{status:?}");
            // The same pixels, compressed otherwise.
            let status = file.check_bytes(&with(&frame, &text, PngEffort::Small), level);
            assert_eq!(status, FrameStatus::Current { is_empty: false });
            let unsigned: Vec<_> = text.iter().filter(|pair| !is_signed(pair)).cloned().collect();
            let status = file.check_bytes(&with(&frame, &unsigned, PngEffort::Fast), level);
            assert_eq!(
                status,
                FrameStatus::Stale("out of date: no digest of its pixels".to_owned())
            );
        }
    }

    #[test]
    fn status_of_jpeg_and_webp_is_that_of_png() {
        let wanted = Provenance::of_this_build(3, "aa");
        let file = ExpectedFile { size: [20, 9], provenance: &wanted, view: None };
        let frame = Frame { width: 20, height: 9, rgba: vec![[1, 2, 3, 255]; 180] };
        let folder = tempfile::tempdir().unwrap();
        for (name, format) in [("a.JPG", FileFormat::Jpeg), ("a.webp", FileFormat::WebP)] {
            let path = folder.path().join(name);
            let check = |bytes: &[u8], level| {
                std::fs::write(&path, bytes).unwrap();
                file.check(&path, level).unwrap()
            };
            let of = |wanted: &Provenance| {
                encode_still(&frame, format, true, PngEffort::Fast, &wanted.to_text())
            };
            let whole = of(&wanted);
            for level in [CheckLevel::Ends, CheckLevel::Chunks, CheckLevel::Pixels] {
                assert_eq!(check(&whole, level), FrameStatus::Current { is_empty: false });
                let broken = check(&whole[..whole.len() - 1], level);
                assert!(matches!(broken, FrameStatus::Broken(_)), "{broken:?}");
                let mut changed = whole.clone();
                changed[whole.len() / 4] ^= 1;
                let is_current = matches!(check(&changed, level), FrameStatus::Current { .. });
                assert!(!is_current, "{name}");
                // A PNG under this name, as written by programs that ignore the extension.
                let png = encode_png(&frame, true, PngEffort::Fast, &wanted.to_text());
                assert!(matches!(check(&png, level), FrameStatus::Stale(_)));
            }
            let older = check(&of(&Provenance { frame: 4, ..wanted.clone() }), CheckLevel::Chunks);
            assert_eq!(older, FrameStatus::Stale("it is frame 4, not 3".to_owned()));
        }
    }

    #[test]
    fn status_of_half_a_file_and_of_none() {
        let wanted = Provenance::of_this_build(3, "aa");
        let whole = picture(&wanted.to_text());
        for length in [0, 1, whole.len() / 2, whole.len() - 1] {
            assert!(
                matches!(checked(&wanted, &whole[..length]), FrameStatus::Broken(_)),
                "{length}"
            );
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.png");
        assert_eq!(read_provenance(&path), None);
        std::fs::write(&path, &whole).unwrap();
        assert_eq!(read_provenance(&path), Some(wanted.clone()));
        std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert_eq!(read_provenance(&path), None);
        let file = ExpectedFile { size: [2, 1], provenance: &wanted, view: None };
        let nowhere = file.check(Path::new("nowhere/0001.png"), CheckLevel::Chunks);
        assert_eq!(nowhere.unwrap(), FrameStatus::Missing);
    }

    #[test]
    fn file_of_many_frames_is_identified_by_its_provenance() {
        let wanted =
            Provenance { build: Some("f".repeat(64)), ..Provenance::of_this_build(0, "a") };
        let frame = Frame { width: 2, height: 1, rgba: vec![[1, 2, 3, 255]; 2] };
        let (name, legend) = ("joint:骨 and more", "a legend ".repeat(40));
        let texts = [(None, wanted.to_text()), (Some(name), wanted.to_text_of_view(name, &legend))];
        for (view, text) in texts {
            let mut animated = Vec::new();
            let rate = Rate::new(24.0);
            let format = ApngFormat { size: [2, 1], frames: 2, rate, keep_alpha: true };
            let mut writer =
                ApngWriter::new(&mut animated, format, PngEffort::Fast, &text).unwrap();
            (0..2).for_each(|_| writer.add(&frame).unwrap());
            writer.finish().unwrap();
            let mut gif = Vec::new();
            let mut writer = GifWriter::new(&mut gif, [2, 1], rate, true, &note::lines(&text));
            writer.add(&frame).unwrap();
            writer.finish().unwrap();
            let mut webp = io::Cursor::new(Vec::new());
            let mut writer = WebPWriter::new(&mut webp, [2, 1], rate, true).unwrap();
            writer.add(&frame).unwrap();
            writer.finish(&text).unwrap();
            for bytes in
                [animated, gif, webp.into_inner(), encode_png(&frame, true, PngEffort::Fast, &text)]
            {
                assert!(matches_provenance(&bytes, &wanted, view));
                let other = if view.is_some() { None } else { Some(name) };
                assert!(!matches_provenance(&bytes, &wanted, other));
                assert!(!matches_provenance(&bytes, &wanted, Some("joint:骨")));
                let newer = Provenance { digest: "b".to_owned(), ..wanted.clone() };
                assert!(!matches_provenance(&bytes, &newer, view));
                for end in [0, 1, 20, bytes.len() / 2, bytes.len() - 1] {
                    assert!(!matches_provenance(&bytes[..end], &wanted, view), "{end}");
                }
            }
        }
    }
}
