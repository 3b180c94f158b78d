//! Rule for two pictures to count as the same: exactly, or within a bound.

use thiserror::Error;

/// Measure for comparing two pictures, and its bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rule {
    /// Every channel of every pixel is equal.
    #[default]
    Exact,
    /// No channel of any pixel differs by more codes than this, 0..=254.
    Max(u8),
    /// The mean FLIP is at most this, from 0 to below 1.
    Flip(f64),
    /// The mean SSIM is at least this, above 0 and at most 1.
    Ssim(f64),
}

/// Error of a measure and its bound.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum RuleError {
    /// Unknown measure.
    #[error("unknown metric \"{found}\"; expected one of: exact, max, flip, ssim")]
    UnknownMetric {
        /// The word.
        found: String,
    },
    /// A required bound is missing.
    #[error("metric \"{metric}\" needs a bound: {allowed}")]
    MissingBound {
        /// The measure.
        metric: &'static str,
        /// The accepted bounds.
        allowed: &'static str,
    },
    /// The measure takes no bound.
    #[error("the metric \"exact\" takes no bound, found {found}")]
    UnwantedBound {
        /// The bound.
        found: f64,
    },
    /// A bound that is out of the measure's range, or makes every comparison pass.
    #[error("bound {found} is out of range for the metric \"{metric}\": expected {allowed}")]
    OutOfRange {
        /// The measure.
        metric: &'static str,
        /// The bound.
        found: f64,
        /// The accepted bounds.
        allowed: &'static str,
    },
}

impl Rule {
    /// The words for the measures.
    pub const METRICS: [&'static str; 4] = ["exact", "max", "flip", "ssim"];

    /// The rule that a word and a bound make.
    ///
    /// # Errors
    /// [`RuleError`]: an unknown word, a bound that is missing, not wanted, or under which nothing could fail.
    pub fn new(metric: &str, bound: Option<f64>) -> Result<Self, RuleError> {
        let known = Self::METRICS.into_iter().find(|&word| word == metric);
        let Some(metric) = known else {
            return Err(RuleError::UnknownMetric { found: metric.to_owned() });
        };
        let allowed = Self::allowed(metric);
        let Some(found) = bound else {
            return match metric {
                "exact" => Ok(Self::Exact),
                metric => Err(RuleError::MissingBound { metric, allowed }),
            };
        };
        #[expect(clippy::cast_possible_truncation, reason = "a whole number within 0..=254")]
        #[expect(clippy::cast_sign_loss, reason = "a whole number within 0..=254")]
        match metric {
            "exact" => Err(RuleError::UnwantedBound { found }),
            "max" if (0.0..=254.0).contains(&found) && found.fract() == 0.0 => {
                Ok(Self::Max(found as u8))
            }
            "flip" if (0.0..1.0).contains(&found) => Ok(Self::Flip(found)),
            "ssim" if found > 0.0 && found <= 1.0 => Ok(Self::Ssim(found)),
            metric => Err(RuleError::OutOfRange { metric, found, allowed }),
        }
    }

    /// The accepted bounds of a measure, in words.
    #[must_use]
    pub fn allowed(metric: &str) -> &'static str {
        match metric {
            "max" => "the largest difference of a channel, a whole number of codes from 0 to 254",
            "flip" => "the largest mean, from 0 to below 1",
            "ssim" => "the smallest mean, above 0 and at most 1",
            _ => "none",
        }
    }

    /// The word for the measure.
    #[must_use]
    pub fn metric(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Max(_) => "max",
            Self::Flip(_) => "flip",
            Self::Ssim(_) => "ssim",
        }
    }

    /// The bound. None for the exact rule.
    #[must_use]
    pub fn bound(self) -> Option<f64> {
        match self {
            Self::Exact => None,
            Self::Max(codes) => Some(f64::from(codes)),
            Self::Flip(bound) | Self::Ssim(bound) => Some(bound),
        }
    }
}

/// `exact`, `max at most 3`, `flip at most 0.01`, `ssim at least 0.99`.
impl core::fmt::Display for Rule {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
            Self::Max(codes) => write!(f, "max at most {codes}"),
            Self::Flip(bound) => write!(f, "flip at most {bound}"),
            Self::Ssim(bound) => write!(f, "ssim at least {bound}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_is_made_of_a_word_and_a_bound_and_says_them() {
        for (word, bound, text) in [
            ("exact", None, "exact"),
            ("max", Some(3.0), "max at most 3"),
            ("flip", Some(0.01), "flip at most 0.01"),
            ("ssim", Some(1.0), "ssim at least 1"),
        ] {
            let rule = Rule::new(word, bound).unwrap();
            assert_eq!(
                (rule.metric(), rule.bound(), rule.to_string().as_str()),
                (word, bound, text)
            );
        }
    }

    #[test]
    fn rule_that_could_not_fail_or_means_nothing_is_refused() {
        for (word, bound, says) in [
            ("psnr", Some(30.0), "unknown metric \"psnr\""),
            ("exact", Some(0.0), "takes no bound"),
            ("flip", None, "needs a bound"),
            ("flip", Some(1.0), "from 0 to below 1"),
            ("flip", Some(f64::NAN), "NaN is out of range"),
            ("max", Some(255.0), "0 to 254"),
            ("max", Some(1.5), "whole number"),
            ("ssim", Some(0.0), "above 0"),
        ] {
            let message = Rule::new(word, bound).unwrap_err().to_string();
            assert!(message.contains(says), "{message}");
        }
    }
}
