//! Timeline of a turntable that closes: the first frame follows the last, for the camera and for
//! the clip.

/// Default minimum duration of a turn in seconds.
const MIN_S: f64 = 3.0;
/// Frames of a turn around a model without motion.
const STILL_FRAMES: usize = 36;
/// Frames per second of a turn without motion.
const STILL_FPS: f64 = 12.0;
/// Frames per second with motion.
const MOVING_FPS: f64 = 24.0;

/// Frames of a turn and speed of its clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timeline {
    /// Number of frames, at least one.
    pub frames: usize,
    /// Frames per second.
    pub fps: f64,
    /// Speed of the clip: near 1 unless few frames show a long clip.
    pub speed: f64,
    /// Number of repetitions of the clip; 0 without a clip.
    pub rounds: usize,
}

impl Timeline {
    /// Maximum number of frames of a turn, unless the user sets a number.
    pub const MAX_FRAMES: usize = 1440;

    /// Computes the timeline of a turn with a clip of a period in seconds (none or 0 without
    /// motion), and with a number of frames and a frame rate if the user sets them.
    ///
    /// Without a number of frames, the clip plays as often as needed for three seconds, and the
    /// number is rounded. With one, the clip plays the nearest whole number of times, at least
    /// once: few frames of a long clip are spread over all of it. Its speed is adjusted to close
    /// the turn.
    #[must_use]
    pub fn new(period_s: Option<f64>, frames: Option<usize>, fps: Option<f64>) -> Self {
        let Some(period_s) = period_s.filter(|&period_s| period_s > 0.0) else {
            let frames = frames.unwrap_or(STILL_FRAMES).max(1);
            return Self { frames, fps: fps.unwrap_or(STILL_FPS), speed: 1.0, rounds: 0 };
        };
        let fps = fps.unwrap_or(MOVING_FPS);
        let frames = frames.unwrap_or_else(|| {
            let rounds = once_or_more((MIN_S / period_s).ceil());
            whole((rounds * period_s * fps).round()).min(Self::MAX_FRAMES)
        });
        let frames = frames.max(1);
        #[expect(clippy::cast_precision_loss, reason = "a count of frames")]
        let turn_s = frames as f64 / fps;
        let rounds = once_or_more((turn_s / period_s).round());
        let speed = rounds * period_s / turn_s;
        Self { frames, fps, speed, rounds: whole(rounds) }
    }

    /// The timeline of one direction of a sprite: the clip once, or a whole number of times if more
    /// frames are requested; a model without motion has one frame.
    ///
    /// Without a user-set frame rate, these frames play the clip at its original speed.
    #[must_use]
    pub fn of_direction(period_s: Option<f64>, frames: Option<usize>, fps: Option<f64>) -> Self {
        let moving_s = period_s.filter(|&period_s| period_s > 0.0);
        let near_fps = fps.unwrap_or(STILL_FPS);
        let usual = moving_s.map_or(1, |period_s| {
            whole(once_or_more((period_s * near_fps).round())).min(Self::MAX_FRAMES)
        });
        let turn = Self::new(moving_s, Some(frames.unwrap_or(usual)), Some(near_fps));
        match (moving_s, fps) {
            #[expect(clippy::cast_precision_loss, reason = "counts of frames and rounds")]
            (Some(period_s), None) => {
                let fps = turn.frames as f64 / (turn.rounds as f64 * period_s);
                Self { fps, speed: 1.0, ..turn }
            }
            _ => turn,
        }
    }
}

/// A count of rounds that is not below one.
fn once_or_more(rounds: f64) -> f64 {
    if rounds > 1.0 { rounds } else { 1.0 }
}

#[expect(clippy::cast_possible_truncation, reason = "it saturates")]
#[expect(clippy::cast_sign_loss, reason = "not below 0")]
fn whole(value: f64) -> usize {
    value as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds_of_clip(turn: &Timeline) -> f64 {
        turn.frames as f64 / turn.fps * turn.speed
    }

    #[test]
    fn turn_closes_whatever_the_period() {
        for period_s in [0.1, 0.33, 1.0, 1.0417, 2.5, 3.7, 7.3] {
            let turn = Timeline::new(Some(period_s), None, None);
            assert!((turn.speed - 1.0).abs() < 0.01, "{turn:?}");
            assert!(turn.frames as f64 / turn.fps >= 2.95, "{turn:?}");
            let rounds = seconds_of_clip(&turn) / period_s;
            assert!((rounds - turn.rounds as f64).abs() < 1e-9, "{turn:?}");
        }
    }

    #[test]
    fn turn_of_a_wanted_length_stretches_the_clip() {
        let turn = Timeline::new(Some(1.0), Some(36), None);
        assert_eq!((turn.frames, turn.rounds), (36, 2));
        assert!((seconds_of_clip(&turn) - 2.0).abs() < 1e-9);
        let few = Timeline::new(Some(5.8), Some(6), None);
        assert!(
            few.rounds == 1 && (seconds_of_clip(&few) - 5.8).abs() < 1e-9,
            "all of it: {few:?}"
        );
    }

    #[test]
    fn direction_plays_the_clip_as_a_whole_in_few_frames() {
        let walk = Timeline::of_direction(Some(1.0), None, None);
        assert_eq!((walk.frames, walk.rounds), (12, 1));
        let few = Timeline::of_direction(Some(4.0), Some(6), None);
        assert!((seconds_of_clip(&few) - 4.0).abs() < 1e-9, "{few:?}");
        assert_eq!(Timeline::of_direction(None, None, None).frames, 1);
    }

    #[test]
    fn frames_of_a_direction_play_the_clip_at_its_speed() {
        for (period_s, frames) in [(1.0, Some(6)), (5.8, Some(6)), (1.04, None), (0.1, Some(8))] {
            let turn = Timeline::of_direction(Some(period_s), frames, None);
            let plays_s = turn.frames as f64 / turn.fps;
            assert_eq!(turn.speed.to_bits(), 1.0_f64.to_bits());
            assert!((plays_s - period_s * turn.rounds as f64).abs() < 1e-9, "{turn:?}");
        }
        assert_eq!(Timeline::of_direction(Some(1.0), Some(6), None).fps.to_bits(), 6_f64.to_bits());
        // The user's rate is kept, and the clip plays faster.
        let asked = Timeline::of_direction(Some(1.0), Some(6), Some(24.0));
        assert_eq!(
            (asked.fps.to_bits(), asked.speed.to_bits()),
            (24_f64.to_bits(), 4_f64.to_bits())
        );
    }

    #[test]
    fn turn_without_motion_has_a_few_frames() {
        for period_s in [None, Some(0.0)] {
            let turn = Timeline::new(period_s, None, None);
            assert_eq!((turn.frames, turn.rounds), (36, 0));
        }
        assert_eq!(Timeline::new(None, Some(0), None).frames, 1);
    }

    #[test]
    fn turn_of_a_long_clip_is_bounded() {
        let turn = Timeline::new(Some(1e6), None, None);
        assert_eq!((turn.frames, turn.rounds), (Timeline::MAX_FRAMES, 1));
    }
}
