//! Words of settings for the camera of a picture without a scene.

use tintype_scene::{Settings, VIEWS};

/// Elevation of the camera where neither it nor a usual direction is said, and an azimuth alone is.
pub(crate) const ELEVATION_DEG: f64 = 12.0;

/// Azimuth and elevation, in degrees, of the usual direction that settings say.
pub(crate) fn angles_of_view(settings: &Settings) -> Option<[f64; 2]> {
    let view = settings.view()?;
    VIEWS.iter().find(|(word, _)| *word == view).map(|(_, angles)| *angles)
}

/// Whether the camera is orthographic: as the settings say, else with a usual direction and with directions of a sprite.
pub(crate) fn is_orthographic(settings: &Settings) -> bool {
    match settings.projection() {
        Some(word) => word == "orthographic",
        None => settings.view().is_some() || settings.directions().is_some(),
    }
}
