//! Draws a contact sheet: cells in a grid, each with a caption above a picture, and a foot.
//!
//! Letters scale with the width of a cell, so that captions stay legible.

use serde_json::{Value, json};
use tintype_model::frame::Frame;
use tintype_render::aov::{Canvas, Color};
use tintype_render::font::{LETTER_HEIGHT, LETTER_WIDTH, text_width};

/// Maximum side of a sheet in pixels.
pub const MAX_SIDE: u32 = 4096;
/// Pixels of a cell's width for each pixel of a dot of a letter.
pub(super) const WIDTH_OF_DOT: u32 = 128;
/// Height of a caption of two lines and of the foot, and width of a number and of the axes, in
/// dots.
const STRIP: i32 = 22;
/// Distance between the lines of a caption, in dots.
const LINE: i32 = 10;
/// Length of the arrow of an axis, in dots.
const ARROW: f64 = 5.0;
const PAPER: Color = [24, 26, 31];
const INK: Color = [236, 239, 244];
const NUMBER: Color = [255, 214, 92];
const UP: Color = [122, 214, 112];
const FRONT: Color = [255, 142, 66];
/// Colour of frames around parts of pictures.
pub const MARK: Color = [230, 40, 190];

/// A sheet with cells of one size.
#[derive(Clone, Debug)]
pub struct Painter {
    canvas: Canvas,
    columns: i32,
    /// Width and height of the picture of a cell.
    picture: [i32; 2],
    /// Pixels of a dot.
    dot: i32,
    /// Height of a caption.
    strip: i32,
}

impl Painter {
    /// An empty sheet for columns and rows of pictures of a size, with captions of two lines or
    /// more. None if it would exceed [`MAX_SIDE`].
    #[must_use]
    pub fn new([columns, rows]: [usize; 2], picture: [u32; 2], lines: i32) -> Option<Self> {
        let picture = picture.map(|side| i32::try_from(side.min(MAX_SIDE + 1)).unwrap_or(0));
        let dot = i32::try_from(WIDTH_OF_DOT).map_or(1, |width| (picture[0] / width).max(1));
        let strip = (STRIP + (lines - 2) * LINE) * dot;
        let side = |count: usize, pitch: i32, more: i32| {
            let side = i32::try_from(count).ok()?.checked_mul(pitch)?.checked_add(more)?;
            u32::try_from(side).ok().filter(|&side| side <= MAX_SIDE)
        };
        let width = side(columns, picture[0] + dot, -dot)?;
        let mut frame = Frame::new(width, side(rows, picture[1] + strip, STRIP * dot)?);
        let [r, g, b] = PAPER;
        frame.rgba.fill([r, g, b, 255]);
        let columns = i32::try_from(columns).ok()?;
        Some(Self { canvas: Canvas { frame }, columns, picture, dot, strip })
    }

    /// The sheet.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        &self.canvas.frame
    }

    /// Upper left corner of a cell.
    fn corner(&self, index: usize) -> [i32; 2] {
        let index = i32::try_from(index).unwrap_or(i32::MAX);
        let [width, height] = [self.picture[0] + self.dot, self.picture[1] + self.strip];
        [index % self.columns * width, index / self.columns * height]
    }

    /// Upper left corner of the picture of a cell.
    #[must_use]
    pub fn picture_corner(&self, index: usize) -> [i32; 2] {
        let [left, top] = self.corner(index);
        [left, top + self.strip]
    }

    /// Draws a cell with its number and a caption of two lines, and returns the common legend
    /// entries: number, box with the caption, and box of the picture, each as left, top, width and
    /// height.
    ///
    /// # Panics
    /// If the picture has an unexpected size.
    pub fn cell(&mut self, index: usize, picture: &Frame, lines: [&str; 2]) -> Value {
        let [width, height] = self.picture;
        let same = [picture.width, picture.height].map(i32::try_from) == [Ok(width), Ok(height)];
        assert!(same, "pictures of one size");
        let ([left, top], [_, below]) = (self.corner(index), self.picture_corner(index));
        for (y, row) in (below..).zip(picture.rgba.chunks(picture.width as usize)) {
            let start = usize::try_from(y).unwrap_or(0) * self.canvas.frame.width as usize;
            let start = start + usize::try_from(left).unwrap_or(0);
            self.canvas.frame.rgba[start..start + row.len()].copy_from_slice(row);
        }
        let (dot, number) = (self.dot, (index + 1).to_string());
        let strip = STRIP * dot;
        self.canvas.fill([left, top], [strip; 2], NUMBER, 1.0);
        let at = [left + (strip - text_width(&number) * dot) / 2, top + (STRIP - 7) / 2 * dot];
        self.canvas.large_text(at, &number, PAPER, dot);
        for (line, text) in (0..).zip(lines) {
            let at = [left + strip + 2 * dot, top + (2 + line * LINE) * dot];
            self.line(at, text, width - 2 * strip - 4 * dot);
        }
        json!({
            "number": index + 1,
            "box": [left, top, width, height + self.strip],
            "picture": [left, below, width, height],
        })
    }

    /// Writes the third line of the caption of a cell, as wide as the rest of its row.
    pub fn note(&mut self, index: usize, text: &str) {
        let ([left, top], dot) = (self.corner(index), self.dot);
        let room = self.canvas.size()[0] - left - 4 * dot;
        self.line([left + 2 * dot, top + (2 + 2 * LINE) * dot], text, room);
    }

    /// Draws a line of text in this many pixels: in large letters if it fits, otherwise in smaller
    /// ones, otherwise truncated.
    fn line(&mut self, [left, top]: [i32; 2], text: &str, room: i32) {
        // The font has the letters of ASCII.
        let mut text = text.replace('°', " deg");
        let fitting = (1..=self.dot).rev().find(|dot| text_width(&text) * dot <= room);
        let letter = fitting.unwrap_or(1);
        if fitting.is_none() {
            let most = usize::try_from(room / LETTER_WIDTH - 2).unwrap_or(0);
            text = text.chars().take(most).chain("..".chars()).collect();
        }
        // Smaller letters are centred in their line.
        let lower = (self.dot - letter) * LETTER_HEIGHT / 2;
        self.canvas.large_text([left, top + lower], &text, INK, letter);
    }

    /// Draws a frame around a part of the picture of a cell: left, top, width and height on the
    /// sheet.
    pub fn outline(&mut self, [left, top, width, height]: [i32; 4]) {
        let thick = self.dot.min(width).min(height);
        for [across, down, wide, high] in [
            [0, 0, width, thick],
            [0, height - thick, width, thick],
            [0, 0, thick, height],
            [width - thick, 0, thick, height],
        ] {
            self.canvas.fill([left + across, top + down], [wide, high], MARK, 1.0);
        }
    }

    /// Draws the up and front axes into the caption of a cell; each is given in view space: right,
    /// up and to the viewer.
    pub fn axes(&mut self, index: usize, [up, front]: [[f64; 3]; 2]) {
        let ([left, top], strip) = (self.corner(index), STRIP * self.dot);
        let middle = [left + self.picture[0] - strip / 2, top + strip * 5 / 8].map(f64::from);
        self.axis(middle, up, UP, "U");
        self.axis(middle, front, FRONT, "F");
    }

    /// An arrow from the centre of the axes with its letter after the end; a dot for an axis
    /// towards the viewer, a ring for one away.
    fn axis(&mut self, middle: [f64; 2], [x, y, z]: [f64; 3], color: Color, name: &str) {
        let dot = f64::from(self.dot);
        let thick = 1.0 + dot * 0.5;
        let length = (x * x + y * y).sqrt();
        let is_arrow = length > 0.3;
        let (end, [across, down], reach) = if is_arrow {
            let end = [middle[0] + x * ARROW * dot, middle[1] - y * ARROW * dot];
            (end, [x / length, -y / length], dot + 5.0)
        } else {
            (middle, [0.8, 0.6], dot + 7.0)
        };
        self.canvas.line([middle, end], thick, color, 1.0);
        self.canvas.dot(end, thick * if is_arrow { 0.9 } else { 1.6 }, color);
        if !is_arrow && z < 0.0 {
            self.canvas.dot(end, thick * 0.8, PAPER);
        }
        let at = [end[0] + across * reach - 2.5, end[1] + down * reach - 3.5];
        #[expect(clippy::cast_possible_truncation, reason = "within the sheet")]
        let at = at.map(|at| at.round() as i32);
        self.canvas.large_text(at, name, color, 1);
    }

    /// Draws the foot of a model: a scale bar of a round length, if a unit has pixels, the key of
    /// the axes, and a name. Returns the bar.
    pub fn foot(&mut self, unit_px: f64, name: &str) -> Value {
        let lengths =
            (-30..=30).flat_map(|power| [1, 2, 5].map(|digit| format!("{digit}e{power}")));
        let most = f64::from(self.picture[0]) * 0.4;
        let lengths = lengths.filter_map(|text| text.parse::<f64>().ok());
        let length = lengths.take_while(|length| length * unit_px <= most).last();
        let Some(length) = length.filter(|length| length * unit_px >= 1.0) else {
            self.key(4 * self.dot, &[("U up", UP), ("F front", FRONT), (name, INK)]);
            return Value::Null;
        };
        let (pixels, dot) = (length * unit_px, f64::from(self.dot));
        let [x, half] = [4.0 * dot, 3.0 * dot];
        let y = f64::from(self.canvas.size()[1] - STRIP * self.dot / 2);
        for [from, to] in [
            [[x, y], [x + pixels, y]],
            [[x, y - half], [x, y + half]],
            [[x + pixels, y - half], [x + pixels, y + half]],
        ] {
            self.canvas.line([from, to], dot, INK, 1.0);
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most the width of a cell")]
        let end = (x + pixels).ceil() as i32 + 4 * self.dot;
        let unit = if length == 1.0 { "unit" } else { "units" };
        let text = format!("{length} {unit}");
        self.key(end, &[(&text, INK), ("U up", UP), ("F front", FRONT), (name, INK)]);
        json!({ "length": length, "pixels": pixels, "box": [x, y - half, pixels, 2.0 * half] })
    }

    /// Writes words in the footer, each in its colour, as far as they fit.
    pub fn key(&mut self, mut left: i32, words: &[(&str, Color)]) {
        let (dot, [width, height]) = (self.dot, self.canvas.size());
        for (text, color) in words {
            if left + text_width(text) * dot <= width {
                let top = height - (STRIP + LETTER_HEIGHT) * dot / 2;
                self.canvas.large_text([left, top], text, *color, dot);
            }
            left += (text_width(text) + 2 * LETTER_WIDTH) * dot;
        }
    }
}
