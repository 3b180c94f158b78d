//! Identity of a cause: equal for all failures of one change.

use serde::{Deserialize, Serialize};
use tintype_compare::finding::{Finding, Kind};

/// Identity of a cause: a digest of its edits with their values, without anything measured in a
/// single frame. It is equal for the failures of one change, in all frames and scenes, and written
/// as ten hex digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CauseId(String);

impl CauseId {
    /// The id made from the data that distinguishes a cause from others.
    #[must_use]
    pub fn of(data: &impl Serialize) -> Self {
        // Plain data has a form in JSON.
        let text = serde_json::to_vec(data).unwrap_or_default();
        Self(blake3::hash(&text).to_hex()[..10].to_owned())
    }

    /// The id of a cause with these findings. Findings that only count others, and the last digits
    /// of amounts, are ignored.
    #[must_use]
    pub fn of_findings(findings: &[Finding]) -> Self {
        let rounded = |mut finding: Finding| {
            finding.by.iter_mut().for_each(|amount| {
                let shown = format!("{:.4e}", amount.value);
                amount.value = shown.parse().unwrap_or(amount.value);
            });
            finding
        };
        let parts = findings.iter().filter(|finding| finding.kind != Kind::More);
        Self::of(&parts.map(|finding| rounded(finding.key())).collect::<Vec<Finding>>())
    }

    /// Parses the text of an id.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |letter: u8| matches!(letter, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 10 && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }
}

impl core::fmt::Display for CauseId {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}
