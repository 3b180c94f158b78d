//! Errors in the files of a model, as reasons to skip it.

use super::limits::{ModelDeadline, bytes};
use super::skip_reason::{Skip, SkipReason};
use crate::asset::AssetError;
use crate::diagnostic::chain;
use crate::disk::ShowPath;
use crate::formats::SimpleModelError;
use crate::formats::gltf::GltfError;
use crate::formats::md5::Md5Error;
use crate::formats::x::XError;

impl Skip {
    /// The skip that an error in a file of the model causes.
    pub(super) fn of(error: AssetError, model_deadline: &ModelDeadline) -> Self {
        if let Some(late) = error.timed_out() {
            return model_deadline.skip(late);
        }
        let is_limit = match &error {
            AssetError::Md5 { source, .. } => matches!(**source, Md5Error::Limit { .. }),
            AssetError::X { source, .. } => matches!(**source, XError::Limit { .. }),
            AssetError::Gltf { source, .. } => matches!(**source, GltfError::Limit { .. }),
            AssetError::Model { source, .. } => matches!(**source, SimpleModelError::Limit { .. }),
            _ => false,
        };
        let reason = match &error {
            error if error.is_temporary() => SkipReason::Temporary,
            _ if is_limit => SkipReason::Memory,
            AssetError::TooLarge { .. } => SkipReason::Size,
            _ => SkipReason::Input,
        };
        // The user has written no scene, so keys mean nothing; the path of the model comes before the message.
        let of_model = |key: &str| key.ends_with("].file") && !key.contains("clips");
        let message = match &error {
            AssetError::Md5 { key, source, .. } if of_model(key) => chain(source.as_ref()),
            AssetError::X { key, source, .. } if of_model(key) => chain(source.as_ref()),
            AssetError::Gltf { key, source, .. } if of_model(key) => chain(source.as_ref()),
            AssetError::Model { key, source, .. } if of_model(key) => chain(source.as_ref()),
            AssetError::Read { key, source, .. } if of_model(key) => {
                format!("cannot be read: {source}")
            }
            AssetError::UnsupportedModel { found, .. } => {
                format!("{found}; models are .md5mesh, .x, .gltf, .glb, .obj and .iqm files")
            }
            AssetError::Axes { key, found, taken, .. } => {
                let option = key.rsplit('.').next().unwrap_or_default();
                format!(
                    "--{option} is {found}, but that is {taken} of this kind of file; say both --up and --front"
                )
            }
            AssetError::TooLarge { path, found, allowed, .. } => format!(
                "{}: {} are too many, at most {} are read; --max-size raises that",
                path.file_name().unwrap_or_default().shown(),
                bytes(*found),
                bytes(*allowed)
            ),
            _ => chain(&error.without_key()),
        };
        let within = if is_limit { ", within what --max-memory leaves" } else { "" };
        Self::new(reason, message + within)
    }
}
