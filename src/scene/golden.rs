//! `[golden]`: the frames that are kept as references, and the rule of the comparison.

use super::error::Problem;
use super::frame_list::FrameList;
use super::output::{Output, read_frames, read_size};
use super::reader::{Bounds, Table};
use crate::model::{Rule, RuleError};

/// Frames of a scene that are kept as references.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// The frames, all of them among those of the scene.
    pub frames: FrameList,
    /// Width and height in pixels, each 1 to [`Output::MAX_SIDE`].
    pub size: [u32; 2],
    /// Rule that a frame and its golden have to meet.
    pub rule: Rule,
}

/// Reads `[golden]`, whose frames have to be among those of `output`.
pub(super) fn read(root: &Table<'_>, output: &Output) -> Option<Golden> {
    const KEYS: [&str; 4] = ["frames", "size", "metric", "bound"];
    let table = root.item("golden")?.table("a table", &KEYS)?;
    let first = FrameList::single(output.frames.start());
    let mut golden = Golden { frames: first, size: output.size, rule: read_rule(&table) };
    if let Some(item) = table.item("frames")
        && let Some(frames) = read_frames(&item)
    {
        if let Some(stray) = frames.iter().find(|&frame| !output.frames.contains(frame)) {
            item.report(Problem::Invalid {
                message: format!("frame {stray} is not among the scene's frames"),
                allowed: format!("output.frames is {:?}", output.frames.to_string()),
            });
        }
        golden.frames = frames;
    }
    golden.size = table.item("size").and_then(|item| read_size(&item)).unwrap_or(golden.size);
    Some(golden)
}

/// The measure and its bound; without them, or with a mistake in them, the exact rule.
fn read_rule(table: &Table<'_>) -> Rule {
    let words = Rule::METRICS.map(|word| (word, word));
    let metric = match table.item("metric") {
        None => "exact",
        Some(item) => match item.word("metric", &words) {
            Some(word) => word,
            // The metric of the bound is unknown.
            None => return Rule::Exact,
        },
    };
    let item = if metric == "exact" {
        table.item("bound")
    } else {
        table.required("bound", Rule::allowed(metric))
    };
    // Any finite number passes here, so that the message of the rule names the allowed ones.
    let Some(item) = item else { return Rule::Exact };
    let Some(bound) = item.number(Bounds::Within(-1e9, 1e9)) else { return Rule::Exact };
    Rule::new(metric, Some(bound)).unwrap_or_else(|error| {
        item.report(match error {
            RuleError::UnwantedBound { .. } => Problem::MisplacedKey {
                key: "bound".to_owned(),
                with: "metric = \"exact\"".to_owned(),
                goes_with: "metric = \"max\", \"flip\" or \"ssim\"".to_owned(),
            },
            RuleError::OutOfRange { found, allowed, .. } => {
                Problem::OutOfRange { found: found.to_string(), allowed: allowed.to_owned() }
            }
            error => Problem::Invalid {
                message: error.to_string(),
                allowed: Rule::allowed(metric).to_owned(),
            },
        });
        Rule::Exact
    })
}
