//! Orientation of a model with its evidence, as data for `inspect`.

use serde::Serialize;

/// Axes of a file that point up and ahead, by the shape and the joints of its model.
#[derive(Clone, Debug, Serialize)]
pub struct OrientationRecord {
    /// Up.
    pub up: AxisRecord,
    /// Ahead.
    pub front: AxisRecord,
}

/// An axis and the evidence for it.
#[derive(Clone, Debug, Serialize)]
pub struct AxisRecord {
    /// The axis in scene notation.
    pub axis: &'static str,
    /// False if it is guessed, not from the file or its format.
    pub is_convention: bool,
    /// The side that decided it: `stated` by the file, the `convention` of its format, or
    /// `guessed`.
    pub by: &'static str,
    /// Cues for and against it.
    pub cues: Vec<CueRecord>,
}

/// Evidence of one kind.
#[derive(Clone, Debug, Serialize)]
pub struct CueRecord {
    /// The cue in words.
    pub cue: &'static str,
    /// Its weight.
    pub weight: f32,
    /// Agreement with the axis, -1 to 1.
    pub agreement: f32,
}

impl AxisRecord {
    /// The axis and the cues for and against it.
    #[must_use]
    pub fn text(&self) -> String {
        let cues = |is_for: bool| -> Vec<&str> {
            let matches =
                |cue: &&CueRecord| if is_for { cue.agreement > 0.5 } else { cue.agreement < -0.5 };
            self.cues.iter().filter(matches).map(|cue| cue.cue).collect()
        };
        let by = if self.by == "convention" { String::new() } else { format!(", {}", self.by) };
        let mut text = format!("{} of the file{by}", self.axis);
        let (speaking, against) = (cues(true), cues(false));
        if !speaking.is_empty() {
            text += &format!(": {}", speaking.join(", "));
        }
        if !against.is_empty() {
            text += &format!("; against it: {}", against.join(", "));
        }
        text
    }
}
