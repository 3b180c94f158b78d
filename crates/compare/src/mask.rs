//! Mask of the pixels that show the model, so that a large background does not dilute a mean.

use tintype_model::frame::Frame;

/// Some of the pixels of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height` pixels, rows from the top; true for pixels in the mask.
    pub pixels: Vec<bool>,
}

impl Mask {
    /// A pixel this near to the background, in codes of any channel, counts as background: other
    /// programs round their gradients differently.
    pub const BACKGROUND_CODES: u8 = 2;

    /// A mask of the pixels at these columns and rows; positions outside are ignored.
    #[must_use]
    pub fn of_pixels(size: [u32; 2], seen: impl IntoIterator<Item = [u32; 2]>) -> Self {
        let [width, height] = size;
        let mut pixels = vec![false; width as usize * height as usize];
        for [x, y] in seen {
            if x < width && y < height {
                pixels[y as usize * width as usize + x as usize] = true;
            }
        }
        Self { width, height, pixels }
    }

    /// The mask of everything in a picture except its background.
    ///
    /// A picture with a pixel that is not opaque defines the
    /// mask itself: all pixels except those of alpha 0. An opaque picture is compared with
    /// `background`, a picture of the background alone; without one of the same size the mask is
    /// unknown.
    #[must_use]
    pub fn of_picture(picture: &Frame, background: Option<&Frame>) -> Option<Self> {
        let (width, height) = (picture.width, picture.height);
        if picture.rgba.iter().any(|pixel| pixel[3] < 255) {
            let pixels = picture.rgba.iter().map(|pixel| pixel[3] > 0).collect();
            return Some(Self { width, height, pixels });
        }
        let background = background.filter(|one| [one.width, one.height] == [width, height])?;
        let is_near = |a: &[u8; 4], b: &[u8; 4]| {
            a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= Self::BACKGROUND_CODES)
        };
        let pixels = picture.rgba.iter().zip(&background.rgba).map(|(a, b)| !is_near(a, b));
        Some(Self { width, height, pixels: pixels.collect() })
    }

    /// The pixels of either.
    ///
    /// # Panics
    /// If the sizes differ.
    #[must_use]
    pub fn joined(mut self, other: &Self) -> Self {
        assert_eq!([self.width, self.height], [other.width, other.height], "masks of one size");
        self.pixels.iter_mut().zip(&other.pixels).for_each(|(own, other)| *own |= other);
        self
    }

    /// Number of pixels in the mask.
    #[must_use]
    pub fn count(&self) -> usize {
        self.pixels.iter().filter(|&&is_seen| is_seen).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mask_of_a_picture_is_its_alpha_or_what_is_not_the_background() {
        let mut background = Frame::new(3, 1);
        background.rgba.fill([40, 50, 60, 255]);
        let mut picture = background.clone();
        picture.rgba[1] = [42, 48, 60, 255];
        picture.rgba[2] = [43, 50, 60, 255];
        assert_eq!(Mask::of_picture(&picture, None), None);
        assert_eq!(Mask::of_picture(&picture, Some(&Frame::new(4, 1))), None);
        let found = Mask::of_picture(&picture, Some(&background)).unwrap();
        assert_eq!(found.pixels, [false, false, true]);
        picture.rgba[0] = [0, 0, 0, 0];
        let by_alpha = Mask::of_picture(&picture, Some(&background)).unwrap();
        assert_eq!(by_alpha.pixels, [false, true, true]);
    }

    #[test]
    fn masks_join_and_count() {
        let a = Mask::of_pixels([2, 2], [[0, 0], [5, 5]]);
        let b = Mask::of_pixels([2, 2], [[0, 0], [1, 1]]);
        assert_eq!((a.count(), a.joined(&b).pixels), (1, vec![true, false, false, true]));
    }
}
