//! Players of Quake 3: lower body, upper body and head in one file each, attached to each other by
//! tags; `animation.cfg` names their clips.
//!
//! # Source
//! id Software, `CG_ParseAnimationFile` and `CG_Player` of Quake III Arena.

use super::input::MAX_FRAMES;
use super::motion::Motion;
use super::part::Part;
use tintype_model::{FileRepair, Warning, Wrap};

/// The files of a player in the order of attachment, each with the tag that it is attached to.
pub(super) const FILES: [(&str, Option<&str>); 3] =
    [("lower.md3", None), ("upper.md3", Some("tag_torso")), ("head.md3", Some("tag_head"))];
/// The file of its clips.
pub(super) const CLIPS: &str = "animation.cfg";

/// Clips in the order of their rows.
const NAMES: [&str; 31] = [
    "BOTH_DEATH1",
    "BOTH_DEAD1",
    "BOTH_DEATH2",
    "BOTH_DEAD2",
    "BOTH_DEATH3",
    "BOTH_DEAD3",
    "TORSO_GESTURE",
    "TORSO_ATTACK",
    "TORSO_ATTACK2",
    "TORSO_DROP",
    "TORSO_RAISE",
    "TORSO_STAND",
    "TORSO_STAND2",
    "LEGS_WALKCR",
    "LEGS_WALK",
    "LEGS_RUN",
    "LEGS_BACK",
    "LEGS_SWIM",
    "LEGS_JUMP",
    "LEGS_LAND",
    "LEGS_JUMPB",
    "LEGS_LANDB",
    "LEGS_IDLE",
    "LEGS_IDLECR",
    "LEGS_TURN",
    "TORSO_GETFLAG",
    "TORSO_GUARDBASE",
    "TORSO_PATROL",
    "TORSO_FOLLOWME",
    "TORSO_AFFIRMATIVE",
    "TORSO_NEGATIVE",
];

/// A row of the file: frames in their order, and true if the clip repeats.
struct Row {
    name: &'static str,
    frames: Vec<usize>,
    repeats: bool,
    rate_hz: f64,
}

/// Clips of a player. The half of the body that a row does not move stands still.
pub(super) fn motions(
    parts: &[Part],
    cfg: Result<Vec<u8>, String>,
    rate_hz: f64,
    warnings: &mut Vec<Warning>,
) -> Vec<Motion> {
    let rows = match cfg {
        Ok(bytes) => rows(&String::from_utf8_lossy(&bytes)),
        Err(why) => {
            let message = format!(
                "{CLIPS}: {why}; the frames of the lower body become one clip, and the upper body stays still"
            );
            warnings.push(FileRepair::MissingValue.told(message));
            Vec::new()
        }
    };
    let lower = parts[0].frames.len();
    if rows.is_empty() {
        let held = parts.iter().skip(1).map(|_| vec![0]);
        let frames = std::iter::once((0..lower).collect()).chain(held).collect();
        return vec![Motion::run("", frames, rate_hz)];
    }
    let stand = |name: &str| {
        let row = rows.iter().find(|row| row.name == name);
        row.and_then(|row| row.frames.first().copied()).unwrap_or(0)
    };
    let stands = [stand("LEGS_IDLE"), stand("TORSO_STAND"), 0];
    let mut motions = Vec::new();
    for row in &rows {
        let moves = [!row.name.starts_with("TORSO"), !row.name.starts_with("LEGS"), false];
        let frames: Vec<Vec<usize>> = (0..parts.len())
            .map(|part| if moves[part] { row.frames.clone() } else { vec![stands[part]] })
            .collect();
        let is_there = |(frames, part): (&Vec<usize>, &Part)| {
            frames.iter().all(|frame| *frame < part.frames.len())
        };
        if row.frames.is_empty() || !frames.iter().zip(parts).all(is_there) {
            let message = format!("{CLIPS}: {} has frames beyond the file's; skipped", row.name);
            warnings.push(FileRepair::BadReference.told(message));
            continue;
        }
        let mut motion = Motion::run(row.name, frames, row.rate_hz);
        motion.wrap = if row.repeats { Wrap::Loop } else { Wrap::Clamp };
        motions.push(motion);
    }
    motions
}

/// The rows of the file: first frame, number of frames (negative for backwards), repeating frames,
/// frames per second. First frames of legs count as if those of the torso came before them.
fn rows(text: &str) -> Vec<Row> {
    /// The limit of whole files.
    #[expect(clippy::cast_precision_loss, reason = "a power of two")]
    const MAX_FRAME: f64 = MAX_FRAMES as f64;
    let numbers = |line: &str| {
        let line = line.split("//").next().unwrap_or_default();
        let words: Option<Vec<f64>> =
            line.split_whitespace().take(4).map(|word| word.parse().ok()).collect();
        words.filter(|words| words.len() == 4 && words.iter().all(|one| one.abs() <= MAX_FRAME))
    };
    let all: Vec<Vec<f64>> = text.lines().filter_map(numbers).collect();
    let first = |name: &str| {
        let place = NAMES.iter().position(|known| *known == name);
        place.and_then(|place| all.get(place)).map_or(0.0, |row| row[0])
    };
    let before_legs = first("LEGS_WALKCR") - first("TORSO_GESTURE");
    let row = |(name, row): (&&'static str, &Vec<f64>)| {
        let start = if name.starts_with("LEGS") { row[0] - before_legs } else { row[0] };
        let mut frames: Vec<usize> = (0_u32..)
            .map(|at| start + f64::from(at))
            .take_while(|frame| *frame < start + row[1].abs())
            .filter_map(frame)
            .collect();
        if row[1] < 0.0 {
            frames.reverse();
        }
        let rate_hz = if row[3] > 0.0 { row[3] } else { 1.0 };
        Row { name, frames, repeats: row[2] > 0.0, rate_hz }
    };
    NAMES.iter().zip(&all).map(row).collect()
}

/// The number of a frame. None for negative numbers.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "held to 0 and above")]
fn frame(number: f64) -> Option<usize> {
    (number >= 0.0).then_some(number as usize)
}
