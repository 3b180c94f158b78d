//! Errors in the files of a model, as reasons to skip it.

use super::limits::ModelDeadline;
use super::skip_reason::{Skip, SkipCause, SkipReason};
use tintype_base::amount::bytes_text;
use tintype_base::diagnostic::chain;
use tintype_base::extension::models_text;
use tintype_base::path::ShowPath;
use tintype_formats::gltf::{GltfError, INSTANCED_CORNERS};
use tintype_formats::md5::Md5Error;
use tintype_formats::x::XError;
use tintype_formats::{LimitExceeded, ModelFormatError};
use tintype_render::asset::AssetError;

impl Skip {
    /// The skip for an error in a file of the model.
    pub(super) fn of(error: AssetError, model_deadline: &ModelDeadline) -> Self {
        if let Some(late) = error.timed_out() {
            return model_deadline.skip(late);
        }
        if let AssetError::Gltf { source, .. } = &error
            && let GltfError::Limit(LimitExceeded { at, what, found, limit, .. }) = source.as_ref()
            && *what == INSTANCED_CORNERS
        {
            let message = format!("{at}: {found} {what}, but the limit is {limit}");
            return Self::new(SkipReason::Memory, message).by(SkipCause::Memory);
        }
        let (io_kind, is_limit) = (error.io_kind(), is_limit(&error));
        let reason = match &error {
            error if error.is_temporary() => SkipReason::Temporary,
            _ if is_limit => SkipReason::Memory,
            AssetError::TooLarge { .. } => SkipReason::Size,
            _ => SkipReason::Input,
        };
        let cause = match &error {
            error if error.is_temporary() => None,
            AssetError::TooLarge { .. } => Some(SkipCause::Size),
            AssetError::Axes { .. } => Some(SkipCause::Axes),
            error if is_limit => Some(SkipCause::Reader(error.limit())),
            error => error.limit().map(SkipCause::Limit),
        };
        // The user has written no scene, so keys are meaningless; the message is prefixed with the
        // path of the model.
        let of_model = |key: &str| key.ends_with("].file") && !key.contains("clips");
        let message = match &error {
            AssetError::Md5 { key, source, .. } if of_model(key) => chain(source.as_ref()),
            AssetError::X { key, source, .. } if of_model(key) => chain(source.as_ref()),
            AssetError::Gltf { key, source, .. } if of_model(key) => chain(source.as_ref()),
            AssetError::Model { key, source, .. } if of_model(key) => chain(source.as_ref()),
            AssetError::Read { key, source, .. } if of_model(key) => {
                format!("cannot be read: {source}")
            }
            AssetError::NothingLeft { key, cause, .. } if of_model(key) => {
                format!("no triangles remain: {cause}")
            }
            AssetError::UnsupportedModel { found, .. } => {
                format!("{found}; supported model files: {}", models_text("and"))
            }
            AssetError::Axes { key, found, taken, .. } => {
                let option = key.rsplit('.').next().unwrap_or_default();
                format!("{option} is {found}, but that is {taken} for this type of file")
            }
            AssetError::TooLarge { path, found, allowed, .. } => format!(
                "{}: {}, but the limit is {}",
                path.file_name().unwrap_or_default().shown(),
                bytes_text(*found),
                bytes_text(*allowed)
            ),
            _ => chain(&error.without_key()),
        };
        Self { io_kind, cause, ..Self::new(reason, message) }
    }
}

/// True for a model that exceeds a limit of its reader.
fn is_limit(error: &AssetError) -> bool {
    match error {
        AssetError::Md5 { source, .. } => matches!(**source, Md5Error::Limit { .. }),
        AssetError::X { source, .. } => matches!(**source, XError::Limit { .. }),
        AssetError::Gltf { source, .. } => matches!(**source, GltfError::Limit { .. }),
        AssetError::Model { source, .. } => matches!(**source, ModelFormatError::Limit { .. }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thumbnail::limits::ModelLimits;
    use std::time::Duration;
    use tintype_formats::Limits;

    #[test]
    fn instances_beyond_the_memory_are_told_with_their_cause() {
        let limits = ModelLimits::new(Duration::from_secs(1), 1 << 30, 1 << 30, &Limits::default());
        let source = Box::new(GltfError::Limit(LimitExceeded {
            at: "meshes[1]".to_owned(),
            what: INSTANCED_CORNERS.into(),
            found: 9,
            limit: 6,
            option: None,
        }));
        let (path, key) = ("a.gltf".into(), "model[0].file".to_owned());
        let skip = Skip::of(AssetError::Gltf { path, key, source }, &limits.model_deadline());
        assert_eq!((skip.reason, skip.cause), (SkipReason::Memory, Some(SkipCause::Memory)));
        assert_eq!(skip.message, "meshes[1]: 9 corners of all instances, but the limit is 6");
    }
}
