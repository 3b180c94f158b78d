//! Patterns of picture file names with a frame number in them: `walk.####.png`, `%04d.png`.
//!
//! Input: the text of `output.file` or `-o`. Output: the file name of a frame, and the frame of a
//! file name. This module does not touch the disk; `-` for standard output belongs to the command
//! line.

use super::FrameNumber;
use thiserror::Error;

/// Error of a text that is not a pattern of file names.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternError {
    /// There is no file name.
    #[error("{pattern:?} has no file name; write a name such as \"walk.####.png\"")]
    NoName {
        /// The text.
        pattern: String,
    },
    /// The pattern has two numbers.
    #[error("{pattern:?} has two places for the frame number; keep one run of # or one %d")]
    TwoNumbers {
        /// The text.
        pattern: String,
    },
    /// A percent sign is not followed by `d`, `0Nd` or another percent sign.
    #[error("{found:?} in {pattern:?} is not understood; write %d, %04d, or %% for a percent sign")]
    Percent {
        /// The percent sign and what follows.
        found: String,
        /// The text.
        pattern: String,
    },
    /// The number would have more digits than [`FramePattern::MAX_WIDTH`].
    #[error("the frame number in {pattern:?} has {width} digits; the limit is {limit}", limit = FramePattern::MAX_WIDTH)]
    TooWide {
        /// The text.
        pattern: String,
        /// Number of digits.
        width: usize,
    },
    /// The number is in the name of a folder.
    #[error("{pattern:?} has the frame number in a folder name; move it to the file name")]
    InFolder {
        /// The text.
        pattern: String,
    },
}

/// Pattern of the file names of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FramePattern {
    /// Everything up to and including the last separator; may be empty.
    folder: String,
    before: String,
    /// Minimum width of the number, including its sign. None for a name without number.
    width: Option<usize>,
    after: String,
    /// Folders below `folder`, each with this many frames. None for one folder with all.
    parts: Option<(Vec<String>, i64)>,
}

impl FramePattern {
    /// Most digits of a pattern.
    pub const MAX_WIDTH: usize = 20;

    /// Splits `DIR` or `DIR/NAMES` into the folder of several sequences, and the file names in the
    /// folder of each.
    ///
    /// A text without a frame number is a folder, with `####.png` in each.
    #[must_use]
    pub fn split_folder(output: &str) -> (&str, &str) {
        let (folder, file) = output.rsplit_once('/').unwrap_or((".", output));
        if file.contains(['#', '%']) { (folder, file) } else { (output, "####.png") }
    }

    /// Reads a pattern: one run of `#`, one for each digit, or one `%d` or `%04d`; `%%` is a
    /// percent sign.
    ///
    /// A name without a number is a pattern for one frame: see [`FramePattern::has_number`]. `#`
    /// and `%` in the names of folders have no meaning if the file name has a number.
    ///
    /// # Errors
    /// [`PatternError`].
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let pattern = || text.chars().take(200).collect::<String>();
        let name_start = text.rfind(['/', std::path::MAIN_SEPARATOR]).map_or(0, |at| at + 1);
        let (folder, name) = text.split_at(name_start);
        if name.is_empty() || name == "." || name == ".." {
            return Err(PatternError::NoName { pattern: pattern() });
        }
        let mut parsed = Self {
            folder: folder.to_owned(),
            before: String::new(),
            width: None,
            after: String::new(),
            parts: None,
        };
        let mut rest = name;
        while let Some(letter) = rest.chars().next() {
            let number_width = match letter {
                '#' => {
                    let after = rest.trim_start_matches('#');
                    let width = rest.len() - after.len();
                    rest = after;
                    Some(width)
                }
                '%' if rest.starts_with("%%") => {
                    rest = rest.get(2..).unwrap_or_default();
                    parsed.push('%');
                    None
                }
                '%' => {
                    let (width, after) = percent(rest).ok_or_else(|| PatternError::Percent {
                        found: rest.chars().take(4).collect(),
                        pattern: pattern(),
                    })?;
                    rest = after;
                    Some(width)
                }
                letter => {
                    rest = rest.get(letter.len_utf8()..).unwrap_or_default();
                    parsed.push(letter);
                    None
                }
            };
            let Some(width) = number_width else { continue };
            if parsed.width.is_some() {
                return Err(PatternError::TwoNumbers { pattern: pattern() });
            }
            if width > Self::MAX_WIDTH {
                return Err(PatternError::TooWide { pattern: pattern(), width });
            }
            parsed.width = Some(width);
        }
        if parsed.width.is_none() && (folder.contains('#') || folder.contains('%')) {
            return Err(PatternError::InFolder { pattern: pattern() });
        }
        Ok(parsed)
    }

    fn push(&mut self, letter: char) {
        if self.width.is_none() { &mut self.before } else { &mut self.after }.push(letter);
    }

    /// A text that [`FramePattern::parse`] parses to this pattern.
    #[must_use]
    pub fn text(&self) -> String {
        let plain = |text: &str| text.replace('%', "%%");
        let number = self.width.map_or_else(String::new, |width| "#".repeat(width));
        format!("{}{}{number}{}", self.folder, plain(&self.before), plain(&self.after))
    }

    /// The pattern of AOV files beside these files: `walk.####.png` becomes `walk.####.depth.png`.
    #[must_use]
    pub fn beside(&self, word: &str) -> Self {
        let mut pattern = self.clone();
        let tail = if self.width.is_some() { &mut pattern.after } else { &mut pattern.before };
        let end = tail.rfind('.').unwrap_or(tail.len());
        tail.insert_str(end, &format!(".{word}"));
        pattern
    }

    /// The pattern of files of another format beside these files: `walk.####.png` becomes
    /// `walk.####.npz`.
    #[must_use]
    pub fn with_extension(&self, extension: &str) -> Self {
        let mut pattern = self.clone();
        let tail = if self.width.is_some() { &mut pattern.after } else { &mut pattern.before };
        tail.truncate(tail.rfind('.').unwrap_or(tail.len()));
        tail.push('.');
        tail.push_str(extension);
        pattern
    }

    /// The same names in a folder for each part of a sequence, such as the directions of a sprite:
    /// `walk/####.png` becomes `walk/045/0000.png` and so on. Frames count from 0 in each part,
    /// which has `frames_each` of them.
    #[must_use]
    pub fn in_parts(mut self, folders: Vec<String>, frames_each: usize) -> Self {
        let frames_each = i64::try_from(frames_each).unwrap_or(i64::MAX).max(1);
        self.parts = (!folders.is_empty()).then_some((folders, frames_each));
        self
    }

    /// All folders of the files, each with a trailing separator; a single empty text if the pattern
    /// has no folder.
    #[must_use]
    pub fn folders(&self) -> Vec<String> {
        match &self.parts {
            None => vec![self.folder.clone()],
            Some((parts, _)) => {
                parts.iter().map(|part| format!("{}{part}/", self.folder)).collect()
            }
        }
    }

    /// True if each frame has a different name.
    #[must_use]
    pub fn has_number(&self) -> bool {
        self.width.is_some()
    }

    /// The folder as written, with a trailing separator; empty if the pattern has none.
    #[must_use]
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// The name of a frame's file, without the output folder but with the subfolder of its part.
    /// The sign of a negative number counts as a digit: `-003`.
    #[must_use]
    pub fn file_name(&self, frame: impl Into<FrameNumber>) -> String {
        let FrameNumber(frame) = frame.into();
        let Some((parts, each)) = &self.parts else { return self.name_of(frame) };
        // Frames beyond the last part would be in its folder too; sequences have none.
        let part = usize::try_from(frame.div_euclid(*each)).unwrap_or(0).min(parts.len() - 1);
        format!("{}/{}", parts[part], self.name_of(frame.rem_euclid(*each)))
    }

    fn name_of(&self, frame: i64) -> String {
        let (before, after) = (&self.before, &self.after);
        match self.width {
            Some(width) => format!("{before}{frame:0width$}{after}"),
            None => before.clone(),
        }
    }

    /// The folder and the name of a frame's file.
    #[must_use]
    pub fn path(&self, frame: impl Into<FrameNumber>) -> String {
        format!("{}{}", self.folder, self.file_name(frame))
    }

    /// The frame whose file has this name (without a folder). None if no frame has it, or all of
    /// them.
    #[must_use]
    pub fn frame_of(&self, name: &str) -> Option<FrameNumber> {
        let digits = name.strip_prefix(self.before.as_str())?.strip_suffix(self.after.as_str())?;
        let frame = FrameNumber(digits.parse().ok()?);
        (self.width.is_some() && self.file_name(frame) == name).then_some(frame)
    }
}

/// The width of `%d` or `%0Nd` at the start of a text, and the rest.
fn percent(text: &str) -> Option<(usize, &str)> {
    let spec = text.strip_prefix('%')?;
    if let Some(after) = spec.strip_prefix('d') {
        return Some((1, after));
    }
    let digits = spec.strip_prefix('0')?;
    let after = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let width = digits.get(..digits.len() - after.len())?;
    // A width that does not fit a usize is too wide as well.
    let width = if width.is_empty() { return None } else { width.parse().unwrap_or(usize::MAX) };
    Some((width.max(1), after.strip_prefix('d')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> FramePattern {
        FramePattern::parse(text).unwrap()
    }

    #[test]
    fn pattern_is_split_from_the_folder_of_several() {
        for (output, split) in [
            ("turns", ("turns", "####.png")),
            ("C#/turns", ("C#/turns", "####.png")),
            ("C#/a.##.jpg", ("C#", "a.##.jpg")),
            ("%04d.png", (".", "%04d.png")),
        ] {
            assert_eq!(FramePattern::split_folder(output), split);
        }
    }

    #[test]
    fn pattern_beside_names_the_view_before_the_extension() {
        for (text, name) in [
            ("out/walk.####.png", "out/walk.0007.depth.png"),
            ("####.png", "0007.depth.png"),
            ("one.png", "one.depth.png"),
            ("a.b/%04d", "a.b/0007.depth"),
        ] {
            assert_eq!(pattern(text).beside("depth").path(7), name);
            let other = name.replace(".depth", "").replace(".png", "") + ".npz";
            assert_eq!(pattern(text).with_extension("npz").path(7), other);
        }
    }

    #[test]
    fn pattern_in_parts_counts_from_0_in_each_folder() {
        let folders = || vec!["000".to_owned(), "180".to_owned()];
        let walk = pattern("out/walk.####.png").in_parts(folders(), 3);
        assert_eq!(walk.path(2), "out/000/walk.0002.png");
        assert_eq!(walk.path(3), "out/180/walk.0000.png");
        assert_eq!(walk.beside("depth").path(5), "out/180/walk.0002.depth.png");
        assert_eq!(walk.folders(), ["out/000/", "out/180/"]);
        assert_eq!(pattern("##.png").in_parts(folders(), 1).path(1), "180/00.png");
        assert_eq!(pattern("##.png").in_parts(Vec::new(), 1), pattern("##.png"));
        assert_eq!(pattern("a/##.png").folders(), ["a/"]);
    }

    #[test]
    fn pattern_pads_to_its_width_and_grows_beyond_it() {
        for text in ["out/walk.####.png", "out/walk.%04d.png"] {
            let pattern = pattern(text);
            assert_eq!(pattern.folder(), "out/");
            assert_eq!(pattern.file_name(7), "walk.0007.png");
            assert_eq!(pattern.file_name(-3), "walk.-003.png");
            assert_eq!(pattern.path(123_456), "out/walk.123456.png");
            assert!(pattern.has_number());
        }
        assert_eq!(pattern("%d.png").file_name(12), "12.png");
        assert_eq!(pattern("#.png").file_name(12), "12.png");
        assert_eq!(pattern("100%%_%02d").file_name(5), "100%_05");
    }

    #[test]
    fn pattern_finds_the_frame_of_its_own_names_only() {
        let walk = pattern("walk.####.png");
        for frame in [0, 7, 9_999, 10_000, -3, -9_999, i64::MAX, i64::MIN] {
            assert_eq!(walk.frame_of(&walk.file_name(frame)), Some(FrameNumber(frame)));
        }
        for name in ["walk.07.png", "walk.00007.png", "walk.+007.png", "walk.png", "run.0007.png"] {
            assert_eq!(walk.frame_of(name), None, "{name}");
        }
        assert_eq!(pattern("%d0.png").frame_of("120.png"), Some(FrameNumber(12)));
        assert_eq!(pattern("12").frame_of("12"), None);
    }

    #[test]
    fn pattern_as_text_is_read_as_the_same() {
        for text in
            ["a/walk.####.png", "%d.png", "100%%_%02d", "C#/v%/a.##.png", "still.png", "5%%.png"]
        {
            let one = pattern(text);
            assert_eq!(pattern(&one.text()), one, "{text}");
        }
    }

    #[test]
    fn pattern_without_a_number_names_one_file() {
        let still = pattern("out/still.png");
        assert!(!still.has_number());
        assert_eq!(still.path(5), "out/still.png");
        assert_eq!(pattern("C#/v%/a.##.png").path(1), "C#/v%/a.01.png");
    }

    #[test]
    fn pattern_refusals_say_what_to_write() {
        let message = |text: &str| FramePattern::parse(text).unwrap_err().to_string();
        assert_eq!(
            message("out/"),
            r#""out/" has no file name; write a name such as "walk.####.png""#
        );
        assert!(message("").contains("no file name"));
        assert!(message("..").contains("no file name"));
        assert_eq!(
            message("a##b##"),
            r#""a##b##" has two places for the frame number; keep one run of # or one %d"#
        );
        assert_eq!(
            message("a%4d.png"),
            r#""%4d." in "a%4d.png" is not understood; write %d, %04d, or %% for a percent sign"#
        );
        assert!(message("a%0d").contains("not understood"));
        assert!(message("a%").contains("not understood"));
        assert!(message("a%099999999999999999999999d").contains("digits; the limit is 20"));
        assert!(message("shot.##/frame.png").contains("in a folder name"));
    }
}
