//! The part of a picture that differs from the previous one.

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub left: usize,
    pub top: usize,
    pub width: usize,
    pub height: usize,
}

impl Part {
    /// The smallest rectangle with an even corner that contains all differing pixels; one pixel at
    /// the corner if none differ. The whole picture if there was none before.
    pub(super) fn changed<T: PartialEq>(before: Option<&[T]>, now: &[T], width: usize) -> Self {
        let Some(before) = before else {
            return Self { left: 0, top: 0, width, height: now.len() / width };
        };
        let (mut left, mut right, mut top, mut bottom) = (width, 1, 0, 1);
        for (y, (before, now)) in before.chunks(width).zip(now.chunks(width)).enumerate() {
            let differs = |x: &usize| before[*x] != now[*x];
            if let Some(first) = (0..width).find(differs) {
                let last = (0..width).rfind(differs).unwrap_or(first);
                top = if left == width { y } else { top };
                (left, right, bottom) = (left.min(first), right.max(last + 1), y + 1);
            }
        }
        let (left, top) = (if left == width { 0 } else { left & !1 }, top & !1);
        Self { left, top, width: right - left, height: bottom - top }
    }

    /// Its pixels, from a picture with rows of `width` pixels.
    pub(super) fn of<T: Clone>(self, pixels: &[T], width: usize) -> Vec<T> {
        let rows = pixels.chunks(width).skip(self.top).take(self.height);
        rows.flat_map(|row| row[self.left..self.left + self.width].to_vec()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_part_holds_all_that_differs() {
        let picture = |pixels: &[usize]| (0..35).map(|at| pixels.contains(&at)).collect::<Vec<_>>();
        let part = |now: &[usize]| Part::changed(Some(&picture(&[])), &picture(now), 7);
        let of = |left, top, width, height| Part { left, top, width, height };
        assert_eq!(part(&[]), of(0, 0, 1, 1));
        assert_eq!(part(&[0]), of(0, 0, 1, 1));
        assert_eq!(part(&[6]), of(6, 0, 1, 1));
        assert_eq!(part(&[34]), of(6, 4, 1, 1));
        assert_eq!(part(&[10, 19]), of(2, 0, 4, 3), "(3, 1) and (5, 2)");
        assert_eq!(Part::changed(None, &picture(&[]), 7), of(0, 0, 7, 5));
        assert_eq!(of(2, 3, 2, 2).of(&(0..35).collect::<Vec<_>>(), 7), [23, 24, 30, 31]);
    }
}
