//! A mirrored `.md5camera` file becomes a [`CameraClip`].

use super::{LongRotations, Rotation, nearest_vec3, turned};
use crate::Loaded;
use crate::md5::error::Md5Error;
use crate::md5::file::Document;
use crate::md5::file::camera::{CameraFile, CameraLine};
use crate::text::SourcePosition;
use tintype_model::math::Quat;
use tintype_model::{CameraClip, CameraKey, FileRepair, Warning, align_hemispheres};

/// Our view axes in the file's camera axes: the file's camera looks along +X with +Y to its left
/// and +Z up, ours looks along -Z with +X to its right and +Y up.
const CAMERA_FROM_VIEW: Rotation = Rotation { x: 0.5, y: -0.5, z: -0.5, w: 0.5 };

/// A straight angle: no perspective picture spans it.
const MAX_FOV_DEG: f64 = 180.0;

/// Checks a document and turns it into our axes.
///
/// A cut of the file names the last frame of a shot: the engine steps over it and continues with
/// the next frame. The cuts of a [`CameraClip`] name the first frame of the next shot, so each is
/// one more than the file's.
pub(in crate::md5) fn build_camera(
    document: Document<CameraFile>,
) -> Result<Loaded<CameraClip>, Md5Error> {
    let Document { content: file, mut warnings } = document;
    let mut long = LongRotations::default();
    let mut rotations: Vec<Quat> = Vec::new();
    for (index, line) in file.frames.iter().enumerate() {
        check_fov(index, line)?;
        let (rotation, length) = Rotation::restored(line.rotation);
        long.note(length, line.fov_at, || format!("frame {index}"));
        let ours = Rotation::OURS_FROM_FILE.after(rotation).after(CAMERA_FROM_VIEW);
        rotations.push(ours.nearest_quat().normalize());
    }
    align_hemispheres(&mut rotations);
    let keys = file.frames.iter().zip(rotations).map(|(line, rotation)| {
        #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of 0..PI")]
        let fov_x_rad = (line.fov_deg * (core::f64::consts::PI / 180.0)) as f32;
        CameraKey { position: nearest_vec3(turned(line.position)), rotation, fov_x_rad }
    });
    let keys = keys.collect();
    warnings.extend(long.warning());
    let cuts = build_cuts(&file, &mut warnings)?;
    warnings.sort_by_key(|warning| warning.line);
    let value = CameraClip { keys, key_rate_hz: file.rate_hz, cuts };
    Ok(Loaded { value, warnings })
}

fn check_fov(index: usize, line: &CameraLine) -> Result<(), Md5Error> {
    if line.fov_deg > 0.0 && line.fov_deg < MAX_FOV_DEG {
        return Ok(());
    }
    Err(Md5Error::Range {
        position: line.fov_at,
        what: format!("frame {index} of the camera"),
        found: format!("a field of view of {} degrees", line.fov_deg),
        expected: format!("more than 0 and less than {MAX_FOV_DEG}"),
    })
}

fn build_cuts(file: &CameraFile, warnings: &mut Vec<Warning>) -> Result<Vec<usize>, Md5Error> {
    let frames = file.frames.len();
    let mut cuts = Vec::new();
    for (index, &(frame, at)) in file.cuts.iter().enumerate() {
        let frame = frame as usize;
        if frame >= frames {
            return Err(cut_error(index, frame, at, frames));
        }
        cuts.push(frame + 1);
    }
    if let (Some(&(_, at)), false) = (file.cuts.first(), cuts.is_sorted_by(|a, b| a < b)) {
        warnings.push(
            FileRepair::UnsortedCuts
                .at(at.line as usize, "the cuts are not in order; they are sorted"),
        );
        cuts.sort_unstable();
        cuts.dedup();
    }
    // A cut at the last frame has no shot after it.
    cuts.retain(|&cut| cut < frames);
    Ok(cuts)
}

fn cut_error(index: usize, frame: usize, at: SourcePosition, frames: usize) -> Md5Error {
    Md5Error::Range {
        position: at,
        what: format!("cut {index}"),
        found: format!("frame {frame}"),
        expected: format!("a frame of the camera, 0 to {}", frames - 1),
    }
}
