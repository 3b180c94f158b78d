//! The digest of everything that the pixels of a scene depend on.

use crate::asset::Assets;
use crate::frame::PIXEL_REVISION;
use crate::scene::Scene;

/// The digest of a scene with its options applied, as lower-case hexadecimal.
///
/// It covers the checked scene, the bytes of every file that was read under the name that the scene gives it, and
/// [`PIXEL_REVISION`]; no path of this machine, no time, and nothing that only cuts the work differently.
pub(super) fn digest_of(scene: &Scene, assets: &Assets) -> String {
    let text = format!(
        "pixel revision {PIXEL_REVISION}\n{}\n{}",
        scene.digest_text(),
        assets.digest_text()
    );
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
