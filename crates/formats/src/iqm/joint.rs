//! Joints: transforms relative to their parents in the bind pose.

use super::table::{Field, File};
use crate::records::{reals, whole};
use crate::{FilePlace, ModelFormatError};
use tintype_model::math::{Affine3, Mat3, Quat, Vec3};
use tintype_model::{Joint, JointIndex, Skeleton};

/// The joints of a file.
pub(super) struct Joints {
    /// In our axes.
    pub(super) skeleton: Skeleton,
    /// The transforms of the bind pose in the axes of the file.
    pub(super) file_from_joint: Vec<Affine3>,
}

/// Name of the joint of a file without any.
const ROOT: &str = "root";

/// Rotation from the file's axes to ours.
pub(crate) fn ours_from_file() -> Affine3 {
    Affine3::from_mat3(Mat3::from_cols(Vec3::X, Vec3::NEG_Z, Vec3::Y))
}

/// Reads the joints; a file without any gets one.
pub(super) fn read_joints(file: &File) -> Result<Joints, ModelFormatError> {
    const BYTES: usize = 48;
    let (table, offset) = file.table("the joints", Field::Joints, BYTES)?;
    let (mut joints, mut local, mut file_from_joint) = (Vec::new(), Vec::new(), Vec::new());
    for (index, record) in table.chunks_exact(BYTES).enumerate() {
        let at = FilePlace::Byte(offset + index * BYTES);
        let name = file.text(whole(record, 0), at)?;
        let parent = parent_of(whole(record, 1), index, at)?;
        let transform = transform(reals(record, 2, "the transform of a joint", at)?);
        let above: Option<Affine3> =
            parent.and_then(|parent: JointIndex| file_from_joint.get(parent.index()).copied());
        let own = above.map_or(transform, |above: Affine3| above * transform);
        let model_from_joint = ours_from_file() * own;
        if !model_from_joint.is_finite() {
            let expected = "a finite bind pose";
            return Err(ModelFormatError::value(
                at,
                "the transform of a joint",
                "overflow",
                expected,
            ));
        }
        local.push(if parent.is_some() { transform } else { ours_from_file() * transform });
        file_from_joint.push(own);
        joints.push(Joint { name, parent, model_from_joint });
    }
    if joints.is_empty() {
        let model_from_joint = ours_from_file();
        joints.push(Joint { name: ROOT.to_owned(), parent: None, model_from_joint });
        local.push(model_from_joint);
        file_from_joint.push(Affine3::IDENTITY);
    }
    let skeleton = Skeleton::try_with_local(joints, local).map_err(|error| {
        ModelFormatError::value(
            file.count(Field::Joints).1,
            "the joints",
            error,
            "a sound skeleton",
        )
    })?;
    Ok(Joints { skeleton, file_from_joint })
}

/// The parent of a joint or a pose, which must precede it.
pub(super) fn parent_of(
    word: u32,
    index: usize,
    at: FilePlace,
) -> Result<Option<JointIndex>, ModelFormatError> {
    if word.cast_signed() < 0 {
        return Ok(None);
    }
    let parent = u16::try_from(word).ok().filter(|&parent| usize::from(parent) < index);
    parent.map(|parent| Some(JointIndex(parent))).ok_or_else(|| {
        let expected = format!("-1, or a joint before joint {index}");
        ModelFormatError::value(at, format!("the parent of joint {index}"), word, expected)
    })
}

/// The transform of ten numbers: translation, rotation, scale.
fn transform([x, y, z, a, b, c, d, i, j, k]: [f32; 10]) -> Affine3 {
    let rotation = unit(Quat::from_xyzw(a, b, c, d));
    Affine3::from_scale_rotation_translation(Vec3::new(i, j, k), rotation, Vec3::new(x, y, z))
}

/// Normalizes a rotation; identity for length 0.
pub(super) fn unit(rotation: Quat) -> Quat {
    let length = rotation.length();
    if length > 0.0 && length.is_finite() { rotation / length } else { Quat::IDENTITY }
}
