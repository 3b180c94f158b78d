//! `[golden]`: the reference frames, and the rule of the comparison.

use super::bounds::Bounds;
use super::error::Problem;
use super::frame_list::FrameList;
use super::instance::Instance;
use super::known::{self, Known};
use super::model::ModelEntry;
use super::output::Output;
use super::reader::{Item, Table};
use super::setting_type::{read_frames, read_size};
use tintype_model::{Rule, RuleError};

/// Reference frames of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// The golden frames, a subset of those of the scene.
    pub frames: FrameList,
    /// Width and height in pixels, each 1 to [`Output::MAX_SIDE`].
    pub size: [u32; 2],
    /// Rule for the comparison of a frame with its golden.
    pub rule: Rule,
    /// Bound for the joints and vertices behind the picture, which must then match the golden too;
    /// `None` if only pixels count.
    pub pose: Option<PoseRule>,
    /// Changes that are known and pass for now.
    pub known: Vec<Known>,
    /// True if pictures are stored; otherwise only the records of joints and vertices are.
    pub pictures: bool,
}

/// Largest movement of joints and vertices relative to the record of a golden; 0 and 0 for none at
/// all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoseRule {
    /// Angle of a joint in model space, in degrees.
    pub turn_deg: f64,
    /// Distance of a joint or a vertex, as a fraction of the diagonal of the model's box.
    pub distance: f64,
}

impl PoseRule {
    /// True if joints and vertices must be the same to the last bit.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self == Self::default()
    }
}

/// Reads `[golden]`; its frames must be among those of `output`.
pub(super) fn read(
    root: &Table<'_>,
    output: &Output,
    named: (&[Instance], &[ModelEntry]),
) -> Option<Golden> {
    let table = root.item("golden")?.table("a table")?;
    let first = FrameList::single(output.frames.start());
    let (size, rule) = (output.size, read_rule(&table));
    let mut pose = table.get("pose", read_pose);
    let pictures = read_pictures(&table);
    if !pictures {
        // Nothing would be compared.
        pose = pose.or(Some(PoseRule::default()));
    }
    let mut golden = Golden { frames: first, size, rule, pose, pictures, known: Vec::new() };
    if let Some(item) = table.item("frames")
        && let Some(frames) = read_frames(&item)
    {
        if let Some(stray) = frames.iter().find(|&frame| !output.frames.contains(frame)) {
            let message = format!("frame {stray} is not among the scene's frames");
            let allowed = format!("output.frames is {:?}", output.frames.to_string());
            item.invalid::<()>(message, allowed);
        }
        golden.frames = frames;
    }
    golden.size = table.get("size", read_size).unwrap_or(golden.size);
    golden.known = known::read(&table, golden.size, named);
    Some(golden)
}

/// Reads whether pictures are stored; reports keys that apply only to pictures, or leave nothing to
/// compare.
fn read_pictures(table: &Table<'_>) -> bool {
    if table.truth("pictures") {
        return true;
    }
    let is_false = |item: &Item<'_>| !item.is_table() && item.truth("true or false") == Some(false);
    if let Some(item) = table.item("pose").filter(is_false) {
        let message = "without pictures or poses, nothing is compared";
        item.invalid::<()>(message, "pictures = true, or pose = true");
    }
    table.refuse("metric", "pictures = false", "pictures = true");
    false
}

/// `true`, `false`, or a table with bounds.
fn read_pose(item: &Item<'_>) -> Option<PoseRule> {
    const EXPECTED: &str = "true, false or { turn_deg, distance }";
    if !item.is_table() {
        return item.truth(EXPECTED)?.then(PoseRule::default);
    }
    let table = item.table(EXPECTED)?;
    Some(PoseRule { turn_deg: table.number("turn_deg"), distance: table.number("distance") })
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
    // Any finite number is accepted here, so that the message of the rule names the allowed ones.
    let Some(item) = item else { return Rule::Exact };
    let Some(bound) = item.number_within(Bounds::Within(-1e9, 1e9)) else { return Rule::Exact };
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
