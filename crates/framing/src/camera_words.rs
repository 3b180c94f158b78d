//! Words of settings for the camera of a picture without a scene.

use tintype_scene::{Settings, VIEWS};

/// Elevation of the camera if only an azimuth is set.
pub(crate) const ELEVATION_DEG: f64 = 12.0;

/// Azimuth and elevation, in degrees, of the usual direction in the settings.
pub(crate) fn angles_of_view(settings: &Settings) -> Option<[f64; 2]> {
    let view = settings.view()?;
    VIEWS.iter().find(|(word, _)| *word == view).map(|(_, angles)| *angles)
}

/// True if the camera is orthographic: as set, otherwise if a usual direction or directions of a
/// sprite are used.
pub(crate) fn is_orthographic(settings: &Settings) -> bool {
    match settings.projection() {
        Some(word) => word == "orthographic",
        None => settings.view().is_some() || settings.directions().is_some(),
    }
}
