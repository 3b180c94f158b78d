//! Channels of a frame: what each pixel shows, as numbers.

pub use tintype_render::aov::{Channel, Plane, UnknownChannel};

/// Channels of one frame, row by row from the top: what the ray through the centre of each pixel meets first. Nothing is filtered. Where it
/// meets nothing, all values are 0. Blended surfaces count where they hide at least half of what is behind them.
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

    /// The channels, in the order in which they were asked for.
    pub fn names(&self) -> impl ExactSizeIterator<Item = Channel> {
        self.planes.iter().map(|&(channel, ..)| channel)
    }

    /// The numbers of a channel, [`Channel::width`] of them a pixel; none if it was not asked for, or is of whole numbers.
    #[must_use]
    pub fn numbers(&self, channel: Channel) -> Option<&[f32]> {
        match self.of(channel)? {
            (_, Plane::Numbers(numbers), _) => Some(numbers),
            _ => None,
        }
    }

    /// The whole numbers of a channel, one a pixel: 0 is nothing, 1 the first. None if it was not asked for, or is of other numbers.
    #[must_use]
    pub fn indices(&self, channel: Channel) -> Option<&[u32]> {
        match self.of(channel)? {
            (_, Plane::Indices(indices), _) => Some(indices),
            _ => None,
        }
    }

    /// Meaning of the whole numbers of a channel: the name at index `n - 1` is that of number `n`. Empty for channels that name nothing.
    #[must_use]
    pub fn legend(&self, channel: Channel) -> &[String] {
        self.of(channel).map_or(&[], |(.., names)| names)
    }

    /// Each channel with its values, and with what whole numbers mean.
    pub fn into_planes(self) -> impl ExactSizeIterator<Item = (Channel, Plane, Vec<String>)> {
        self.planes.into_iter()
    }
}
