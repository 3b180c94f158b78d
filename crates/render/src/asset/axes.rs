//! Models whose up axis or front differs from their format's: `model.up` and `model.front`.

use super::error::AssetError;
use super::file::Source;
use std::convert::Infallible;
use tintype_base::precedence::{Decided, Precedence};
use tintype_model::math::{Mat3, Vec3};
use tintype_model::{AxisRule, FileParts};
use tintype_scene::{FileAxis, ModelEntry};

/// Rotation of a model before it is placed, and its front after that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ModelAxes {
    /// Turns the model so that its up is +Y.
    pub(super) upright: Mat3,
    /// Its front after the rotation; level.
    pub(super) front: Vec3,
}

/// The axes of a kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileAxes {
    /// Right-handed, +Z up.
    Md5,
    /// Left-handed, +Y up.
    X,
    /// Right-handed, +Y up.
    Gltf,
}

impl FileAxes {
    /// Rotates our axes back to those of the file; for `.x` the file's with z mirrored, as joints
    /// have them.
    pub(super) fn file_from_ours(self) -> Mat3 {
        match self {
            Self::Md5 => Mat3::from_cols(Vec3::X, Vec3::Z, Vec3::NEG_Y),
            Self::X | Self::Gltf => Mat3::IDENTITY,
        }
    }

    /// The axis of the file closest to a direction in our axes.
    #[must_use]
    pub fn nearest(self, direction: Vec3) -> FileAxis {
        let mut best = (f32::NEG_INFINITY, FileAxis::PlusX);
        for &axis in FileAxis::ALL {
            let cosine = self.ours(axis).dot(direction);
            if cosine > best.0 {
                best = (cosine, axis);
            }
        }
        best.1
    }

    /// An axis of the file as a direction in our axes.
    fn ours(self, axis: FileAxis) -> Vec3 {
        let axis = axis.vector();
        match self {
            Self::Md5 => Vec3::new(axis.x, axis.z, -axis.y),
            Self::X => Vec3::new(axis.x, axis.y, -axis.z),
            Self::Gltf => axis,
        }
    }
}

/// The axis of a model that points up, in our axes as set by readers.
pub fn decide_up(
    wish: Option<Vec3>,
    rule: AxisRule,
    guess: impl FnOnce() -> Option<Vec3>,
) -> Decided<Vec3> {
    decide_axis(wish, Vec3::Y, rule, guess)
}

/// The axis that a model faces along; `usual` is that of its file or format.
pub fn decide_front(
    wish: Option<Vec3>,
    usual: Vec3,
    rule: AxisRule,
    guess: impl FnOnce() -> Option<Vec3>,
) -> Decided<Vec3> {
    decide_axis(wish, usual, rule, guess)
}

fn decide_axis(
    wish: Option<Vec3>,
    usual: Vec3,
    rule: AxisRule,
    guess: impl FnOnce() -> Option<Vec3>,
) -> Decided<Vec3> {
    let statement = rule.is_stated.then_some(usual);
    let said = Precedence { wish, statement, convention: usual, guesses: rule.guesses };
    let Ok(decided) = said.decide(|| Ok::<_, Infallible>(guess()));
    decided
}

/// The stance of a model from the scene, its file and its format; `front` is the front from the
/// reader.
///
/// # Errors
/// [`AssetError::Axes`] if the scene sets one of up and front, and it is parallel to the default of
/// the other.
pub(super) fn stance(
    entry: &ModelEntry,
    (front, parts): (Vec3, &FileParts),
    axes: FileAxes,
    source: &Source,
) -> Result<ModelAxes, AssetError> {
    let wish = |axis: Option<FileAxis>| axis.map(|axis| axes.ours(axis));
    let up = decide_up(wish(entry.up), parts.up, || None).value;
    let ahead = decide_front(wish(entry.front), front, parts.front, || None).value;
    if up.cross(ahead).length_squared() < 0.5 {
        let (key, axis, taken) = match (entry.up, entry.front) {
            (Some(axis), _) => ("up", axis.word(), "the front, or its opposite,"),
            (None, axis) => ("front", axis.map_or("", FileAxis::word), "up, or its opposite,"),
        };
        return Err(AssetError::Axes {
            path: source.path.clone(),
            key: source.key.replace("file", key),
            found: axis,
            taken,
        });
    }
    let upright = turn_to_y(up, ahead);
    Ok(ModelAxes { upright, front: upright * ahead })
}

/// The rotation that brings the unit axis `up` to +Y the short way; if upside down, about `ahead`.
/// Exact for axes.
#[must_use]
pub fn turn_to_y(up: Vec3, ahead: Vec3) -> Mat3 {
    let outer = |to: Vec3, from: Vec3| Mat3::from_cols(to * from.x, to * from.y, to * from.z);
    if up == Vec3::Y {
        return Mat3::IDENTITY;
    }
    if up == Vec3::NEG_Y {
        let side = Vec3::Y.cross(ahead);
        return outer(ahead, ahead) + outer(Vec3::NEG_Y, Vec3::Y) + outer(-side, side);
    }
    let axle = up.cross(Vec3::Y);
    outer(Vec3::Y, up) + outer(-up, Vec3::Y) + outer(axle, axle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const ALL: &[FileAxis] = FileAxis::ALL;

    fn stance(up: Option<FileAxis>, front: Option<FileAxis>) -> Result<ModelAxes, String> {
        let (name, file) = ("imp".to_owned(), "imp.md5mesh".to_owned());
        let entry = ModelEntry {
            name,
            file,
            clips: vec![],
            has_own_clips: false,
            ticks_per_second: None,
            palette: None,
            file_scene: None,
            keeps_splits: false,
            up,
            front,
        };
        let source = Source::new(Path::new("scenes"), "imp.md5mesh", "model[2].file".into());
        let parts = FileParts::default();
        super::stance(&entry, (Vec3::X, &parts), FileAxes::Md5, &source)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn nearest_axis_of_a_file_is_that_of_its_format() {
        for axes in [FileAxes::Md5, FileAxes::X] {
            for &axis in ALL {
                assert_eq!(axes.nearest(axes.ours(axis)), axis);
            }
        }
        assert_eq!(FileAxes::X.nearest(Vec3::new(0.3, 0.1, -0.8)), FileAxis::PlusZ);
    }

    #[test]
    fn stance_without_keys_changes_nothing() {
        assert_eq!(stance(None, None), Ok(ModelAxes { upright: Mat3::IDENTITY, front: Vec3::X }));
        assert_eq!(stance(Some(FileAxis::PlusZ), None), stance(None, None));
    }

    #[test]
    fn stance_front_alone_turns_the_camera_and_not_the_model() {
        let expected = ModelAxes { upright: Mat3::IDENTITY, front: Vec3::Z };
        assert_eq!(stance(None, Some(FileAxis::MinusY)), Ok(expected));
    }

    #[test]
    fn stance_is_a_turn_to_up_with_a_level_front() {
        let mut count = 0;
        for &up in ALL {
            for &front in ALL {
                let Ok(ModelAxes { upright, front: ahead }) = stance(Some(up), Some(front)) else {
                    continue;
                };
                count += 1;
                assert_eq!(upright * FileAxes::Md5.ours(up), Vec3::Y);
                assert_eq!(upright.determinant(), 1.0);
                assert_eq!(upright * upright.transpose(), Mat3::IDENTITY);
                assert_eq!((ahead.y, ahead.length()), (0.0, 1.0));
            }
        }
        assert_eq!(count, 24);
    }

    #[test]
    fn stance_refuses_up_along_the_front() {
        assert_eq!(
            stance(None, Some(FileAxis::MinusZ)).unwrap_err(),
            "scenes/imp.md5mesh: model[2].front is \"-z\", but that is up, or its opposite, for this type of file; set both model.up and model.front"
        );
        let message = stance(Some(FileAxis::PlusX), None).unwrap_err();
        assert!(message.contains("model[2].up is \"x\", but that is the front"), "{message}");
    }
}
