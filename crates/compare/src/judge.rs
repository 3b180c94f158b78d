//! Judgement of a picture against its golden, by the rule of a scene or of an option.

use super::exact::{Difference, compare};
use super::map::Map;
use super::mask::Mask;
use super::ssim::mean_ssim;
use super::{flip, ssim};
use tintype_model::Rule;
use tintype_model::frame::Frame;

/// A mean over the whole picture, and over the pixels of the model if they are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Over all pixels: the number that the measure's paper defines.
    pub all: f64,
    /// Over the mask.
    pub model: Option<f64>,
}

impl Measured {
    /// The value that a bound applies to: the mean over the model, or over the whole picture
    /// without a mask.
    #[must_use]
    pub fn judged(self) -> f64 {
        self.model.unwrap_or(self.all)
    }

    /// FLIP of a picture, from that of its pixels.
    #[must_use]
    pub fn of_flip(map: &Map, mask: Option<&Mask>) -> Self {
        let model = mask.and_then(|mask| map.mean(Some(mask)));
        Self { all: map.mean(None).unwrap_or(0.0), model }
    }

    /// SSIM of a picture, from that of its pixels.
    #[must_use]
    pub fn of_ssim(map: &Map, mask: Option<&Mask>) -> Self {
        let model = mask.and_then(|mask| map.mean(Some(mask)));
        Self { all: mean_ssim(map).unwrap_or(1.0), model }
    }
}

/// `0.0123 over the model, 0.0021 over the picture`.
impl core::fmt::Display for Measured {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.model {
            Some(model) => write!(f, "{} over the model, ", digits(model))?,
            None => f.write_str("")?,
        }
        write!(f, "{} over the picture", digits(self.all))
    }
}

/// Four significant digits: 0.0123, 0.9994, 1.2e-6; a value below 1 is never rounded to 1.
fn digits(value: f64) -> String {
    let rest = 1.0 - value;
    if value != 0.0 && value.abs() < 0.001 {
        format!("{value:.1e}")
    } else if rest > 0.0 && rest < 0.001 {
        format!("1 - {rest:.1e}")
    } else {
        format!("{value:.4}")
    }
}

/// Judgement of two pictures by a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The rule.
    pub rule: Rule,
    /// True if the second picture is within the bound.
    pub passes: bool,
    /// Exact difference; `None` for equal pictures.
    pub difference: Option<Difference>,
    /// The measured mean, if the rule uses one and pixels differ.
    pub measured: Option<Measured>,
}

impl Judgement {
    /// Judges compared and measured pictures; a mean that the rule does not use may be missing.
    ///
    /// Pictures of different sizes keep no rule.
    #[must_use]
    pub fn of(
        rule: Rule,
        difference: Option<Difference>,
        flip: Option<Measured>,
        ssim: Option<Measured>,
    ) -> Self {
        let measured = match rule {
            Rule::Flip(_) => flip,
            Rule::Ssim(_) => ssim,
            Rule::Exact | Rule::Max(_) => None,
        };
        let mut judgement = Self { rule, passes: false, difference, measured };
        judgement.passes = match (&judgement.difference, rule, judgement.value()) {
            (None, ..) => true,
            (Some(Difference::Size { .. }), ..) | (_, Rule::Exact, _) | (_, _, None) => false,
            (_, Rule::Max(bound), Some(found)) => found <= f64::from(bound),
            (_, Rule::Flip(bound), Some(found)) => found <= bound,
            (_, Rule::Ssim(bound), Some(found)) => found >= bound,
        };
        judgement
    }

    /// The value that the bound applies to, in codes, FLIP or SSIM; `None` for the exact rule and
    /// for pictures that cannot be compared.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        match (self.rule, &self.difference) {
            (Rule::Exact, _) | (_, Some(Difference::Size { .. })) => None,
            (Rule::Max(_), None) => Some(0.0),
            (Rule::Max(_), Some(Difference::Pixels(pixels))) => Some(f64::from(pixels.largest)),
            (Rule::Flip(_), None) => Some(0.0),
            (Rule::Ssim(_), None) => Some(1.0),
            (Rule::Flip(_) | Rule::Ssim(_), _) => self.measured.map(Measured::judged),
        }
    }
}

/// `flip at most 0.01: 0.0834 over the model, 0.0121 over the picture; 12 pixels differ, ...`:
/// always includes the rule.
impl core::fmt::Display for Judgement {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", self.rule)?;
        f.write_str(if self.passes { ", kept: " } else { ", broken: " })?;
        if let Some(measured) = self.measured {
            write!(f, "{measured}; ")?;
        }
        match &self.difference {
            None => f.write_str("the same"),
            Some(difference) => difference.fmt(f),
        }
    }
}

/// Compares a current picture with its golden; means are taken over `mask`, the pixels of the
/// model, if it is known.
///
/// Pictures of different sizes fail every rule. Only the metric of the rule is measured, and only
/// if pixels differ.
///
/// # Panics
/// If the mask has another size than both pictures.
#[must_use]
pub fn judge(rule: Rule, golden: &Frame, live: &Frame, mask: Option<&Mask>) -> Judgement {
    let difference = compare(golden, live);
    if let (Some(mask), Some(Difference::Pixels(_))) = (mask, &difference) {
        assert_eq!([mask.width, mask.height], [live.width, live.height], "a mask of their size");
    }
    let (mut of_flip, mut of_ssim) = (None, None);
    match (&difference, rule) {
        (Some(Difference::Pixels(_)), Rule::Flip(_)) => {
            of_flip = Some(Measured::of_flip(&flip(golden, live), mask));
        }
        (Some(Difference::Pixels(_)), Rule::Ssim(_)) => {
            of_ssim = Some(Measured::of_ssim(&ssim(golden, live), mask));
        }
        _ => {}
    }
    Judgement::of(rule, difference, of_flip, of_ssim)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model of 20 x 20 pixels in a large picture, with some codes added to it.
    fn picture(codes: u8) -> Frame {
        let mut frame = Frame::new(100, 80);
        frame.rgba.fill([30, 30, 30, 255]);
        for y in 30..50 {
            for x in 40..60 {
                let shade = 80 + (x * 5 % 60) as u8 + codes;
                frame.rgba[y * 100 + x] = [shade, 90, 70, 255];
            }
        }
        frame
    }

    fn mask() -> Mask {
        let mut background = Frame::new(100, 80);
        background.rgba.fill([30, 30, 30, 255]);
        Mask::of_picture(&picture(0), Some(&background)).unwrap()
    }

    #[test]
    fn max_passes_up_to_its_bound() {
        for (bound, passes) in [(7, false), (8, true), (9, true)] {
            let found = judge(Rule::Max(bound), &picture(0), &picture(8), None);
            assert_eq!((found.passes, found.value()), (passes, Some(8.0)));
            assert!(found.to_string().starts_with(&format!("max at most {bound}, ")), "{found}");
        }
    }

    #[test]
    fn flip_is_judged_over_the_model_and_not_diluted_by_the_background() {
        let found = judge(Rule::Flip(0.01), &picture(0), &picture(8), Some(&mask()));
        let measured = found.measured.unwrap();
        assert!(measured.all < 0.01 && measured.model.unwrap() > 0.02, "{measured}");
        assert!(!found.passes);
        assert!(judge(Rule::Flip(0.01), &picture(0), &picture(8), None).passes);
        let text = found.to_string();
        assert!(
            text.starts_with("flip at most 0.01, broken: 0.1") && text.contains("over the model"),
            "{text}"
        );
    }

    #[test]
    fn ssim_has_a_lower_bound() {
        let judge = |bound| judge(Rule::Ssim(bound), &picture(0), &picture(60), Some(&mask()));
        let value = judge(0.5).value().unwrap();
        assert!(value > 0.5 && value < 0.999, "{value}");
        assert!(judge(value - 1e-6).passes && !judge(value + 1e-6).passes);
    }

    #[test]
    fn judgement_of_equal_pictures_passes_and_of_sizes_never_does() {
        for rule in [Rule::Exact, Rule::Max(200), Rule::Flip(0.9), Rule::Ssim(0.1)] {
            let same = judge(rule, &picture(3), &picture(3), None);
            assert!(same.passes && same.difference.is_none());
            assert_eq!(same.to_string(), format!("{rule}, kept: the same"));
            let other = judge(rule, &picture(0), &Frame::new(100, 81), None);
            assert!(!other.passes && other.value().is_none());
        }
    }

    #[test]
    fn digits_never_round_a_difference_away() {
        assert_eq!(
            [0.0, 0.01234, 0.000_001_2, 0.999_99, 1.0].map(digits),
            ["0.0000", "0.0123", "1.2e-6", "1 - 1.0e-5", "1.0000"]
        );
    }
}
