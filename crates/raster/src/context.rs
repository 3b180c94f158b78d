//! Data common to all tiles of one frame.

use crate::Background;
use crate::environment::Environment;
use crate::fragments::centroid::Centroids;
use crate::geometry::context::GeometryContext;
use crate::ground::scalar::Ground;
use crate::resolve::background_codes::BackgroundCodes;
use crate::shading::context::LightContext;

/// Inputs of the tiles: geometry for coverage, light for shading, and the background for the
/// resolve.
#[derive(Clone, Copy)]
pub(crate) struct FrameContext<'a> {
    pub geometry: &'a GeometryContext<'a>,
    pub light: &'a LightContext<'a>,
    /// Shading positions of partly covered pixels.
    pub centroids: &'a Centroids,
    pub background: Background,
    pub background_codes: &'a BackgroundCodes,
    /// An environment in place of that background.
    pub sky: Option<Environment<'a>>,
    pub ground: Option<&'a Ground>,
    /// True if the models are dithered, because a tone curve creates gradients in their light.
    pub dithers_models: bool,
    /// Width and height of the frame in pixels.
    pub size: [u32; 2],
    /// Depth of the far plane (1/w, or -w without perspective): the depth of a sample without a
    /// surface.
    pub far_depth: f32,
}

impl FrameContext<'_> {
    /// True where the whole background is dithered, see [`is_dithered`].
    pub(crate) fn dithers_background(&self) -> bool {
        is_dithered(self.background, self.sky.is_some())
    }
}

/// True for a background that is dithered everywhere, because it changes from pixel to pixel. In
/// front of a uniform background only pixels changed by the ground are dithered.
pub(crate) fn is_dithered(background: Background, shows_sky: bool) -> bool {
    let is_gradient = match background {
        Background::Gradient { top, bottom } => top != bottom,
        Background::Transparent => false,
    };
    is_gradient || shows_sky
}
