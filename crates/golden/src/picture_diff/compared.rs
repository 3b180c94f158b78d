//! Comparison of one pair of pictures: exact and perceptual difference, and provenance.

use super::error::PictureDiffError;
use super::limits::PictureLimits;
use super::pairs::Pair;
use serde::Serialize;
use std::path::Path;
use tintype_base::diagnostic::chain;
use tintype_base::path::ShowPath;
use tintype_compare::Mask;
use tintype_compare::{Difference, compare};
use tintype_compare::{Heat, Judgement, Measured, difference_picture, flip, heat_picture, ssim};
use tintype_host::write_atomic;
use tintype_model::Rule;
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, Provenance, decode_png, encode_png};

/// Result of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Equal to the byte.
    Same,
    /// Different, and within the bound.
    Within,
    /// Different.
    Different,
    /// Of different sizes.
    Size,
    /// Missing on the second side.
    OnlyA,
    /// Missing on the first side.
    OnlyB,
    /// One of them cannot be read.
    Unreadable,
}

impl State {
    /// The word in JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Within => "within",
            Self::Different => "different",
            Self::Size => "size",
            Self::OnlyA => "only-a",
            Self::OnlyB => "only-b",
            Self::Unreadable => "unreadable",
        }
    }
}

impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

/// A pair with its result.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The name of the frame.
    pub name: String,
    /// The result.
    pub state: State,
    /// In words.
    pub message: String,
    /// The difference of the pixels. None for equal pictures.
    pub difference: Option<Difference>,
    /// The mean FLIP.
    pub flip: Option<Measured>,
    /// The mean SSIM.
    pub ssim: Option<Measured>,
    /// The largest FLIP of a pixel.
    pub largest_flip: f32,
    /// Difference of provenance, if any.
    pub provenance: Option<Origin>,
    /// The written picture of the difference.
    pub picture: Option<String>,
    /// True if a picture could not be read for a temporary reason.
    pub is_temporary: bool,
}

/// Difference of the provenance of two pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Both have provenance, and these parts differ.
    Differs(Vec<&'static str>),
    /// Only the first has provenance; the reason why the second has none.
    OnlyA(String),
    /// Only the second has provenance; the reason why the first has none.
    OnlyB(String),
}

impl Origin {
    fn of(a: &[(String, String)], b: &[(String, String)]) -> Option<Self> {
        let (a, b) = match (Provenance::from_text(a), Provenance::from_text(b)) {
            (Ok(a), Ok(b)) => (a, b),
            (Ok(_), Err(error)) => return Some(Self::OnlyA(error.to_string())),
            (Err(error), Ok(_)) => return Some(Self::OnlyB(error.to_string())),
            (Err(_), Err(_)) => return None,
        };
        let things = [
            ("program version", a.software != b.software),
            ("pixel revision", a.pixel_revision != b.pixel_revision),
            ("frame number", a.frame != b.frame),
            ("scene digest", a.digest != b.digest),
        ];
        let differ: Vec<_> =
            things.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect();
        (!differ.is_empty()).then_some(Self::Differs(differ))
    }
}

/// `these differ in scene digest, pixel revision`.
impl core::fmt::Display for Origin {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Differs(things) => write!(f, "these differ in {}", things.join(", ")),
            Self::OnlyA(why) => write!(f, "only A has provenance; B has {why}"),
            Self::OnlyB(why) => write!(f, "only B has provenance; A has {why}"),
        }
    }
}

type Decoded = (Frame, Vec<(String, String)>);

fn read(path: &Path, limits: &PictureLimits) -> Result<Decoded, PictureDiffError> {
    let bytes = limits.read(path)?;
    decode_png(&bytes)
        .map_err(|error| PictureDiffError::invalid(format!("{}: {}", path.shown(), chain(&error))))
}

/// Reads both pictures; a missing one is `None`.
fn read_both(
    pair: &Pair,
    limits: &PictureLimits,
) -> Result<[Option<Decoded>; 2], PictureDiffError> {
    let [a, b] =
        [&pair.a, &pair.b].map(|path| path.as_deref().map(|path| read(path, limits)).transpose());
    match (a, b) {
        (Err(a), Err(b)) => {
            let message = format!("{a}\n  {b}");
            Err(PictureDiffError { message, is_temporary: a.is_temporary || b.is_temporary })
        }
        (a, b) => Ok([a?, b?]),
    }
}

impl Compared {
    /// A pair that is the same so far.
    fn same(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            state: State::Same,
            message: String::new(),
            difference: None,
            flip: None,
            ssim: None,
            largest_flip: 0.0,
            provenance: None,
            picture: None,
            is_temporary: false,
        }
    }

    /// Compares two pictures in memory.
    #[must_use]
    pub fn of_frames(name: &str, [a, b]: [&Frame; 2], rule: Rule) -> Self {
        let mut found = Self::same(name);
        found.look(a, b, rule);
        found
    }

    /// Reads and compares a pair.
    #[must_use]
    pub fn new(pair: &Pair, rule: Rule, limits: &PictureLimits) -> Self {
        let mut found = Self::same(&pair.name);
        let missing = |path: &Option<std::path::PathBuf>| {
            let path = path.as_deref().map(ShowPath::shown);
            format!("only {} exists", path.unwrap_or_default())
        };
        match read_both(pair, limits) {
            Err(error) => {
                found.state = State::Unreadable;
                (found.message, found.is_temporary) = (error.to_string(), error.is_temporary);
            }
            Ok([Some((a, text_a)), Some((b, text_b))]) => {
                found.provenance = Origin::of(&text_a, &text_b);
                found.look(&a, &b, rule);
            }
            Ok([_, None]) => (found.state, found.message) = (State::OnlyA, missing(&pair.a)),
            Ok([None, _]) => (found.state, found.message) = (State::OnlyB, missing(&pair.b)),
        }
        found
    }

    /// Compares two pictures.
    fn look(&mut self, a: &Frame, b: &Frame, rule: Rule) {
        self.difference = compare(a, b);
        match self.difference {
            None => {
                let whole = |value| Some(Measured { all: value, model: None });
                (self.flip, self.ssim) = (whole(0.0), whole(1.0));
                return;
            }
            Some(Difference::Size { .. }) => {
                self.state = State::Size;
                let sizes = [a, b].map(|frame| format!("{}x{}", frame.width, frame.height));
                self.message = format!("A has {} pixels, B has {}", sizes[0], sizes[1]);
                return;
            }
            Some(Difference::Pixels(_)) => {}
        }
        // The model is only known from alpha, and only if both pictures have it.
        let mask = Mask::of_picture(a, None).zip(Mask::of_picture(b, None));
        let mask = mask.map(|(a, b)| a.joined(&b));
        let map = flip(a, b);
        self.largest_flip = map.largest();
        let (flip, ssim) =
            (Measured::of_flip(&map, mask.as_ref()), Measured::of_ssim(&ssim(a, b), mask.as_ref()));
        (self.flip, self.ssim) = (Some(flip), Some(ssim));
        let judgement = Judgement::of(rule, self.difference, self.flip, self.ssim);
        self.state = if judgement.passes { State::Within } else { State::Different };
        let ruled = match (rule, judgement.passes) {
            (Rule::Exact, _) => String::new(),
            (rule, true) => format!("{rule}, kept: "),
            (rule, false) => format!("{rule}, broken: "),
        };
        let difference = judgement.difference.map(|one| one.to_string()).unwrap_or_default();
        self.message = format!("{ruled}{difference}; FLIP {flip}; SSIM {ssim}");
    }

    /// True if the pictures are the same, or different within the bound.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self.state, State::Same | State::Within)
    }

    /// Writes the picture of the difference if pixels differ, on the FLIP scale or multiplied by
    /// 16.
    ///
    /// The pictures are read again, so that they can leave memory.
    ///
    /// # Errors
    /// [`PictureDiffError`] if the picture cannot be written, or the compared pictures have
    /// changed.
    pub fn write_picture(
        &mut self,
        pair: &Pair,
        heat: Option<Heat>,
        target: &Path,
        limits: &PictureLimits,
    ) -> Result<(), PictureDiffError> {
        if !matches!(self.difference, Some(Difference::Pixels(_))) {
            return Ok(());
        }
        let [Some((a, _)), Some((b, _))] = read_both(pair, limits)? else { return Ok(()) };
        if [a.width, a.height] != [b.width, b.height] {
            let message = format!("{}: the pictures changed during the comparison", self.name);
            return Err(PictureDiffError::temporary(message));
        }
        let (picture, scale) = match heat {
            Some(heat) => (heat_picture(&a, &b, &flip(&a, &b), heat), heat.to_string()),
            None => (difference_picture(&a, &b), "difference times 16".to_owned()),
        };
        let text = [("Comment".to_owned(), scale)];
        let png = encode_png(&picture, false, PngEffort::Small, &text);
        write_atomic(target, &png).map_err(|error| PictureDiffError::from(&error))?;
        self.picture = Some(target.shown());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_in_memory_are_compared_by_their_rule() {
        let frame = |red| Frame { width: 2, height: 1, rgba: vec![[red, 0, 0, 255]; 2] };
        let [a, b] = [frame(10), frame(12)];
        let of = |b: &Frame, rule| Compared::of_frames("a", [&a, b], rule);
        assert_eq!(of(&a, Rule::Exact).state, State::Same);
        let found = of(&b, Rule::Exact);
        assert_eq!((found.state, found.state.word()), (State::Different, "different"));
        assert!(found.message.starts_with("2 pixels differ"), "{}", found.message);
        assert_eq!(of(&b, Rule::new("max", Some(2.0)).unwrap()).state, State::Within);
        assert_eq!(of(&Frame { width: 1, height: 2, ..frame(10) }, Rule::Exact).state, State::Size);
    }

    #[test]
    fn origin_tells_what_differs_and_who_is_silent() {
        let text = |frame, digest: &str| Provenance::of_this_build(frame, digest).to_text();
        let of = |a: &[_], b: &[_]| Origin::of(a, b).map(|origin| origin.to_string());
        assert_eq!(of(&text(1, "00"), &text(1, "00")), None);
        let two = of(&text(1, "00"), &text(2, "11")).unwrap();
        assert_eq!(two, "these differ in frame number, scene digest");
        assert_eq!(of(&[], &[]), None);
        let one = of(&[], &text(1, "00")).unwrap();
        assert_eq!(one, "only B has provenance; A has no text chunk \"Software\"");
    }
}
