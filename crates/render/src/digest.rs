//! Digest of all inputs of the pixels of a scene.

use crate::asset::Assets;
use tintype_model::frame::PIXEL_REVISION;
use tintype_scene::Scene;

/// Digest of a scene with its options applied, as lower-case hexadecimal.
///
/// It covers the checked scene, the bytes of every file under its name in the scene, and
/// [`PIXEL_REVISION`]. It does not cover paths of this machine, times, or settings that only divide
/// the work, such as threads and tile size.
pub(super) fn digest_of(scene: &Scene, assets: &Assets) -> String {
    let text = format!(
        "pixel revision {PIXEL_REVISION}\n{}\n{}",
        scene.digest_text(),
        assets.digest_text()
    );
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
