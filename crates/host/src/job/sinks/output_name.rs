//! Meaning of the name of an output: a folder, a file for each frame, or one file of all frames, in
//! the format of its extension.

use super::{AnimationFiles, FrameOutput, Outputs};
use crate::is_stream;
use std::path::Path;
use thiserror::Error;
use tintype_base::path::path_of_text;
use tintype_output::FileFormat;
use tintype_scene::{FramePattern, PatternError};

/// Extensions of formats often requested for pictures or models, and not supported for pictures.
const FOREIGN: [&str; 41] = [
    "3ds", "avi", "avif", "blend", "bmp", "dae", "dds", "exr", "fbx", "flv", "glb", "gltf", "hdr",
    "heic", "ico", "jp2", "jxl", "ktx2", "m4v", "md5anim", "md5mesh", "mkv", "mpeg", "mpg", "obj",
    "ogv", "pdf", "pgm", "ply", "ppm", "psd", "qoi", "stl", "svg", "tga", "tif", "tiff", "toml",
    "wmv", "x", "zip",
];
/// Those of them that contain videos.
const FOREIGN_VIDEO: [&str; 8] = ["avi", "flv", "m4v", "mkv", "mpeg", "mpg", "ogv", "wmv"];
/// Names of the frames in a folder.
const IN_FOLDER: &str = "####.png";

/// Reason why a name cannot hold the requested frames.
#[derive(Debug, Error)]
pub enum OutputNameError {
    /// Not a pattern of file names.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A single-picture format without a frame number, for several frames.
    #[error(
        "{name} is one picture{}; select one frame, or name a folder, a pattern with ####, or one file for all frames: {}",
        asked(*.frames),
        FileFormat::listed(FileFormat::holds_all)
    )]
    OnePicture {
        /// The name.
        name: String,
        /// Number of frames. None for several.
        frames: Option<usize>,
    },
    /// A frame number in the name of a file of all frames.
    #[error(
        "{name}: a file for all frames takes no ####; for one file per frame, use {}",
        FileFormat::listed(FileFormat::holds_one)
    )]
    Numbered {
        /// The name.
        name: String,
    },
    /// The extension of an unsupported format.
    #[error("{name}: pictures are written as {}; {advice}", FileFormat::listed(|_| true))]
    Foreign {
        /// The name.
        name: String,
        /// Advice for it.
        advice: String,
    },
}

/// True if a name is that of a folder: it exists as one, ends with a separator, or has neither a
/// file extension nor a frame number.
#[must_use]
pub fn is_folder_name(name: &str) -> bool {
    let path = path_of_text(name);
    let is_file = || {
        let has_number = name.rsplit(std::path::is_separator).next().is_some_and(has_marks);
        has_number || FileFormat::of_path(&path).is_some() || foreign_extension(name).is_some()
    };
    name.ends_with(std::path::is_separator)
        || path.is_dir()
        || !(name.is_empty() || is_file() || is_stream(&path))
}

fn has_marks(file: &str) -> bool {
    file.contains(['#', '%'])
}

/// The extension of a name if its format is known and not supported.
#[must_use]
pub fn foreign_extension(name: &str) -> Option<String> {
    let extension = Path::new(name).extension()?.to_str()?.to_lowercase();
    FOREIGN.contains(&extension.as_str()).then_some(extension)
}

/// Refuses a name with the extension of an unsupported format.
///
/// # Errors
/// [`OutputNameError::Foreign`].
pub fn refuse_foreign(name: &str) -> Result<(), OutputNameError> {
    let Some(extension) = foreign_extension(name) else { return Ok(()) };
    let wanted = if FOREIGN_VIDEO.contains(&extension.as_str()) { "mp4" } else { "png" };
    let advice = format!("write {}{wanted}", &name[..name.len() - extension.len()]);
    Err(OutputNameError::Foreign { name: name.to_owned(), advice })
}

fn asked(frames: Option<usize>) -> String {
    frames.map_or_else(String::new, |frames| format!(", but {frames} frames are selected"))
}

impl Outputs<'static> {
    /// The outputs that a name specifies: in a folder `####.png`, with a frame number a file for
    /// each frame, otherwise one file of all frames, or of the single requested one. `frames` is
    /// none for several of unknown number.
    ///
    /// # Errors
    /// [`OutputNameError`] if the format cannot hold them or is not one of pictures.
    pub fn named(name: &str, frames: Option<usize>) -> Result<Self, OutputNameError> {
        if is_folder_name(name) {
            let folder = name.trim_end_matches(std::path::is_separator);
            return Ok(Self::files(FramePattern::parse(&format!("{folder}/{IN_FOLDER}"))?));
        }
        refuse_foreign(name)?;
        let path = path_of_text(name);
        let format = FileFormat::of_path(&path).unwrap_or(FileFormat::Png);
        let pattern = FramePattern::parse(name);
        let is_numbered = pattern.as_ref().is_ok_and(FramePattern::has_number);
        let is_one = frames == Some(1) || is_numbered;
        if format.holds_one() && (is_one || pattern.is_err() && !format.holds_all()) {
            return Ok(Self::files(pattern?));
        }
        let name = name.to_owned();
        match (is_numbered, format.holds_all()) {
            (true, _) => Err(OutputNameError::Numbered { name }),
            (false, false) => Err(OutputNameError::OnePicture { name, frames }),
            (false, true) => Ok(Self {
                frames: FrameOutput::None,
                animations: AnimationFiles::of_format(format, path),
            }),
        }
    }
}

/// The format of the files of a pattern, by extension; PNG for an unknown one.
pub(in crate::job) fn format_of_files(pattern: Option<&FramePattern>) -> FileFormat {
    let format = pattern.and_then(|pattern| FileFormat::of_path(&path_of_text(&pattern.text())));
    format.filter(|format| format.holds_one()).unwrap_or(FileFormat::Png)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_says_one_file_or_many() {
        let said = |name: &str, frames| match Outputs::named(name, frames) {
            Err(error) => error.to_string(),
            Ok(outputs) => match outputs.pattern() {
                Some(pattern) => format!("files {}", pattern.text()),
                None => outputs.animations.iter().map(|(format, _)| format.to_string()).collect(),
            },
        };
        for (name, frames, wanted) in [
            ("a.####.JPG", None, "files a.####.JPG"),
            ("a/%02d.webp", Some(3), "files a/##.webp"),
            ("a.webp", Some(1), "files a.webp"),
            ("a.webp", None, "the animated WebP"),
            ("a.GIF", Some(1), "the GIF"),
            ("100%.apng", None, "the animated PNG"),
            ("a.mov", Some(9), "the video"),
            ("turns", None, "files turns/####.png"),
            ("turns", Some(1), "files turns/####.png"),
            ("turns/", Some(3), "files turns/####.png"),
            ("a.gif/", Some(3), "files a.gif/####.png"),
            ("C#/v1.2", None, "files C#/v1.2/####.png"),
            ("src", Some(3), "files src/####.png"),
            ("..", None, "files ../####.png"),
            ("/", None, "files /####.png"),
            ("a.b/####", None, "files a.b/####"),
        ] {
            assert_eq!(said(name, frames), wanted, "{name}");
        }
        assert!(said("a.jpg", Some(3)).starts_with("a.jpg is one picture, but 3 frames"));
        assert!(said("a/##/b.png", Some(3)).contains("in a folder name"));
        assert!(said("", Some(3)).contains("no file name"));
        assert!(said("100%", Some(3)).contains("is not understood"));
        let formats = "pictures are written as .png, .jpg, .webp, .gif, .apng, .mp4, .webm, .mov";
        for (name, advice) in [("a.####.EXR", "write a.####.png"), ("out/a.avi", "write out/a.mp4")]
        {
            assert_eq!(said(name, None), format!("{name}: {formats}; {advice}"));
        }
        assert!(FOREIGN.is_sorted() && FOREIGN_VIDEO.iter().all(|video| FOREIGN.contains(video)));
        assert!(!FOREIGN.iter().any(|own| FileFormat::of_extension(own).is_some()));
        assert!(
            said("a.##.mp4", Some(1)).contains("for one file per frame, use .png, .jpg, .webp")
        );
    }
}
