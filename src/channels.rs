//! Channels of a frame: per-pixel data as numbers.

pub use tintype_render::aov::{Channel, Plane, UnknownChannel};

/// Channels of one frame, row by row from the top: data of the surface that the ray through the
/// centre of each pixel meets first. Nothing is filtered. Pixels without a surface are 0. Blended
/// surfaces count where they hide at least half of the light behind them.
///
/// ```
/// use tintype::builder::{ModelBuilder, SceneBuilder};
/// use tintype::{Channel, Given, Renderer};
///
/// let scene = SceneBuilder::new().size([64, 48]).model(ModelBuilder::new("ranger.glb"));
/// let renderer = Renderer::build(&scene, "scenes/assets")?;
/// let channels = renderer.channels(0, &Given::new(), &[Channel::Depth, Channel::Joint])?;
/// let middle = 24 * 64 + 32;
/// let depth = channels.numbers(Channel::Depth).unwrap()[middle];
/// let joint = channels.indices(Channel::Joint).unwrap()[middle] as usize;
/// assert!(depth > 0.0);
/// assert!(!channels.legend(Channel::Joint)[joint - 1].is_empty());
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Channels {
    pub(crate) planes: Vec<(Channel, Plane, Vec<String>)>,
}

impl Channels {
    fn of(&self, channel: Channel) -> Option<&(Channel, Plane, Vec<String>)> {
        self.planes.iter().find(|(own, ..)| *own == channel)
    }

    /// The channels, in the requested order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = Channel> {
        self.planes.iter().map(|&(channel, ..)| channel)
    }

    /// The numbers of a channel, [`Channel::width`] per pixel, row by row. None if the channel was
    /// not requested or contains integers.
    #[must_use]
    pub fn numbers(&self, channel: Channel) -> Option<&[f32]> {
        match self.of(channel)? {
            (_, Plane::Numbers(numbers), _) => Some(numbers),
            _ => None,
        }
    }

    /// The integers of a channel, one per pixel: 0 for no surface, counting from 1. None if the
    /// channel was not requested or contains other numbers.
    #[must_use]
    pub fn indices(&self, channel: Channel) -> Option<&[u32]> {
        match self.of(channel)? {
            (_, Plane::Indices(indices), _) => Some(indices),
            _ => None,
        }
    }

    /// Names of the integers of a channel: index `n - 1` has the name of number `n`. Empty for
    /// channels without names.
    #[must_use]
    pub fn legend(&self, channel: Channel) -> &[String] {
        self.of(channel).map_or(&[], |(.., names)| names)
    }

    /// The values and the legend of each channel.
    pub fn into_planes(self) -> impl ExactSizeIterator<Item = (Channel, Plane, Vec<String>)> {
        self.planes.into_iter()
    }
}
