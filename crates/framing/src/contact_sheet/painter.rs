//! Draws a contact sheet: cells in a grid, each a caption above a picture, and a foot with the scale bar.
//!
//! All of it is as large as a cell is wide, so that captions stay legible.

use super::legend::{Area, Joint, Part, ScaleBar};
use tintype_model::frame::Frame;
use tintype_render::aov::{Canvas, Color, LocatedJoint, LocatedPart};
use tintype_render::font::{LETTER_HEIGHT, LETTER_WIDTH, text_width};

/// Pixels of a cell's width for each pixel of a dot of a letter.
const WIDTH_OF_DOT: u32 = 128;
/// Height of a caption, and width of its number and of its axes, in dots.
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

/// Rows and columns of cells of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    columns: usize,
    rows: usize,
    /// Width and height of the picture of a cell.
    picture: [u32; 2],
    /// Lines of a caption, at least two.
    lines: i32,
}

/// Reason why cells fit on no sheet.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GridError {
    /// The sheet would be too large.
    #[error(
        "{columns} x {rows} cells take {width}x{height} pixels, and a sheet has at most {most} a side: ask for fewer views, moments or clips, or smaller cells",
        most = Grid::MAX_SIDE
    )]
    TooLarge {
        /// Cells of a row.
        columns: usize,
        /// Rows.
        rows: usize,
        /// Width of the sheet.
        width: u64,
        /// Height of the sheet.
        height: u64,
    },
    /// Captions would not be legible.
    #[error("cells of {width} pixels are too narrow for a caption: at least {WIDTH_OF_DOT}")]
    TooNarrow {
        /// Width of a cell.
        width: u32,
    },
}

impl Grid {
    /// Largest side of a sheet in pixels.
    pub const MAX_SIDE: u64 = 4096;

    /// A grid of columns and rows, for pictures of a size with captions of two lines.
    ///
    /// # Errors
    /// [`GridError`].
    pub fn new([columns, rows]: [usize; 2], picture: [u32; 2]) -> Result<Self, GridError> {
        if picture[0] < WIDTH_OF_DOT {
            return Err(GridError::TooNarrow { width: picture[0] });
        }
        Self { columns, rows, picture, lines: 2 }.checked()
    }

    /// The same with a third line below each row's captions.
    ///
    /// # Errors
    /// [`GridError`].
    pub fn with_notes(self) -> Result<Self, GridError> {
        Self { lines: 3, ..self }.checked()
    }

    fn checked(self) -> Result<Self, GridError> {
        let Self { columns, rows, .. } = self;
        let [width, height] = self.size();
        if width > Self::MAX_SIDE || height > Self::MAX_SIDE {
            return Err(GridError::TooLarge { columns, rows, width, height });
        }
        Ok(self)
    }

    /// Pixels of a dot.
    fn dot(self) -> i32 {
        i32::try_from(self.picture[0] / WIDTH_OF_DOT).unwrap_or(1)
    }

    fn strip(self) -> u32 {
        u32::try_from((STRIP + (self.lines - 2) * LINE) * self.dot()).unwrap_or(0)
    }

    /// Height of the foot.
    fn foot(self) -> u32 {
        u32::try_from(STRIP * self.dot()).unwrap_or(0)
    }

    /// Pixels between cells.
    fn gap(self) -> u32 {
        u32::try_from(self.dot()).unwrap_or(1)
    }

    /// Width and height of a cell with its caption and the gap behind it.
    fn pitch(self) -> [u32; 2] {
        let [width, height] = self.picture;
        [width + self.gap(), height + self.strip()]
    }

    fn size(self) -> [u64; 2] {
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let [width, height] = self.pitch().map(u64::from);
        let across = width.saturating_mul(count(self.columns)).saturating_sub(self.gap().into());
        let down = height.saturating_mul(count(self.rows)).saturating_add(self.foot().into());
        [across, down]
    }
}

/// A sheet on which cells are drawn.
#[derive(Clone, Debug)]
pub struct Painter {
    canvas: Canvas,
    grid: Grid,
}

impl Painter {
    /// An empty sheet.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        let [width, height] = grid.size().map(|side| u32::try_from(side).unwrap_or(0));
        let mut frame = Frame::new(width, height);
        let [r, g, b] = PAPER;
        frame.rgba.fill([r, g, b, 255]);
        Self { canvas: Canvas { frame }, grid }
    }

    /// Width and height of the sheet.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        [self.canvas.frame.width, self.canvas.frame.height]
    }

    /// The finished sheet.
    #[must_use]
    pub fn into_frame(self) -> Frame {
        self.canvas.frame
    }

    /// Upper left corner of a cell.
    fn corner(&self, index: usize) -> [u32; 2] {
        let [width, height] = self.grid.pitch();
        let place = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let (column, row) = (index % self.grid.columns, index / self.grid.columns);
        [place(column) * width, place(row) * height]
    }

    /// A cell with its caption.
    #[must_use]
    pub fn area(&self, index: usize) -> Area {
        let [x, y] = self.corner(index).map(f64::from);
        let [width, height] = self.grid.picture.map(f64::from);
        Area { x, y, width, height: height + f64::from(self.grid.strip()) }
    }

    /// The picture of a cell.
    #[must_use]
    pub fn picture(&self, index: usize) -> Area {
        let strip = f64::from(self.grid.strip());
        let Area { x, y, width, height } = self.area(index);
        Area { x, y: y + strip, width, height: height - strip }
    }

    /// Draws a cell with its number, two lines of caption, and the axes up and front in the view: right, up and to the viewer.
    ///
    /// # Panics
    /// If the picture has another size than the grid says.
    pub fn cell(
        &mut self,
        index: usize,
        picture: &Frame,
        lines: [&str; 2],
        [up, front]: [[f64; 3]; 2],
    ) {
        self.put(index, picture);
        let [dot, strip] = [1, STRIP].map(|dots| dots * self.grid.dot());
        let width = i32::try_from(picture.width).unwrap_or(i32::MAX);
        self.caption(index, lines);
        let [left, top] = self.corner(index).map(|at| i32::try_from(at).unwrap_or(i32::MAX));
        let middle = [left + width - strip / 2, top + strip * 5 / 8].map(f64::from);
        self.axis(middle, up, UP, "U", dot);
        self.axis(middle, front, FRONT, "F", dot);
    }

    /// Copies a picture into its cell, and writes the number of the cell.
    ///
    /// # Panics
    /// If the picture has another size than the grid says.
    pub fn put(&mut self, index: usize, picture: &Frame) {
        assert_eq!([picture.width, picture.height], self.grid.picture, "pictures of one size");
        let [left, top] = self.corner(index);
        let (width, all) = (picture.width as usize, self.canvas.frame.width as usize);
        for (row, pixels) in picture.rgba.chunks(width).enumerate() {
            let start = ((top + self.grid.strip()) as usize + row) * all + left as usize;
            self.canvas.frame.rgba[start..start + width].copy_from_slice(pixels);
        }
        let [left, top] = [left, top].map(|at| i32::try_from(at).unwrap_or(i32::MAX));
        let [dot, strip] = [1, STRIP].map(|dots| dots * self.grid.dot());
        let number = (index + 1).to_string();
        self.canvas.fill([left, top], [strip, strip], NUMBER, 1.0);
        let at = left + (strip - text_width(&number) * dot) / 2;
        self.canvas.large_text([at, top + (STRIP - 7) / 2 * dot], &number, PAPER, dot);
    }

    /// Writes two lines between the number of a cell and its axes.
    pub fn caption(&mut self, index: usize, lines: [&str; 2]) {
        let [left, top] = self.corner(index).map(|at| i32::try_from(at).unwrap_or(i32::MAX));
        let (dot, width) = (self.grid.dot(), self.grid.picture[0]);
        let room = i32::try_from(width).unwrap_or(i32::MAX) - 2 * STRIP * dot;
        for (line, text) in (0..).zip(lines) {
            let at = [left + (STRIP + 2) * dot, top + (2 + line * LINE) * dot];
            self.line(at, text, room - 4 * dot);
        }
    }

    /// Writes the third line of the caption of a cell, as wide as the rest of its row.
    pub fn note(&mut self, index: usize, text: &str) {
        let [left, top] = self.corner(index).map(|at| i32::try_from(at).unwrap_or(i32::MAX));
        let (dot, [width, _]) = (self.grid.dot(), self.size());
        let room = i32::try_from(width).unwrap_or(i32::MAX) - left - 4 * dot;
        self.line([left + 2 * dot, top + (2 + 2 * LINE) * dot], text, room);
    }

    /// Writes a line in so many pixels: in large letters if it fits, else in smaller ones, else cut.
    fn line(&mut self, [left, top]: [i32; 2], text: &str, room: i32) {
        let dot = self.grid.dot();
        // The font has the letters of ASCII.
        let text = text.replace('°', " deg");
        let fitting = (1..=dot).rev().find(|dot| text_width(&text) * dot <= room);
        let most = usize::try_from(room / LETTER_WIDTH).unwrap_or(0);
        let text = match fitting {
            Some(_) => text,
            None => text.chars().take(most.saturating_sub(2)).chain("..".chars()).collect(),
        };
        let letter = fitting.unwrap_or(1);
        // Smaller letters stand in the middle of their line.
        let lower = (dot - letter) * LETTER_HEIGHT / 2;
        self.canvas.large_text([left, top + lower], &text, INK, letter);
    }

    /// Draws a frame around a part of the picture of a cell, and returns its place on the sheet.
    pub fn outline(&mut self, index: usize, [x, y]: [u32; 2], [width, height]: [u32; 2]) -> Area {
        let area = self.picture(index);
        let whole = |at: u32| i32::try_from(at).unwrap_or(i32::MAX);
        let [left, top] = self.corner(index);
        let at = [whole(left + x), whole(top + self.grid.strip() + y)];
        let [wide, high] = [whole(width), whole(height)];
        let thick = self.grid.dot().min(wide).min(high);
        for (across, down, size) in [
            (0, 0, [wide, thick]),
            (0, high - thick, [wide, thick]),
            (0, 0, [thick, high]),
            (wide - thick, 0, [thick, high]),
        ] {
            self.canvas.fill([at[0] + across, at[1] + down], size, MARK, 1.0);
        }
        let [x, y, width, height] = [x, y, width, height].map(f64::from);
        Area { x: area.x + x, y: area.y + y, width, height }
    }

    /// An arrow from the middle of the axes with its letter behind the end; a dot for an axis to the viewer, a ring for one away.
    fn axis(&mut self, middle: [f64; 2], [x, y, z]: [f64; 3], color: Color, name: &str, dot: i32) {
        let scale = ARROW * f64::from(dot);
        let end = [middle[0] + x * scale, middle[1] - y * scale];
        let thick = 1.0 + f64::from(dot) * 0.5;
        let length = (x * x + y * y).sqrt();
        let (across, down) = if length > 0.3 {
            self.canvas.line([middle, end], thick, color, 1.0);
            self.canvas.dot(end, thick * 0.9, color);
            (x / length, -y / length)
        } else {
            self.canvas.dot(middle, thick * 1.6, color);
            if z < 0.0 {
                self.canvas.dot(middle, thick * 0.8, PAPER);
            }
            (0.8, 0.6)
        };
        let (from, more) = if length > 0.3 { (end, 0.0) } else { (middle, 2.0) };
        let reach = f64::from(dot) + 5.0 + more;
        let at = [from[0] + across * reach - 2.5, from[1] + down * reach - 3.5];
        #[expect(clippy::cast_possible_truncation, reason = "within the sheet")]
        let at = at.map(|at| at.round() as i32);
        self.canvas.large_text(at, name, color, 1);
    }

    /// Draws the foot: a scale bar of a round length, if a unit has pixels, and the key of the axes.
    pub fn footer(&mut self, unit_px: f64, cells: usize) -> Option<ScaleBar> {
        let [dot, strip] = [1, STRIP].map(|dots| dots * self.grid.dot());
        let height = i32::try_from(self.size()[1]).unwrap_or(i32::MAX);
        let most = f64::from(self.grid.picture[0]) * 0.4;
        let lengths =
            (-30..=30).flat_map(|power| [1, 2, 5].map(|digit| format!("{digit}e{power}")));
        let lengths = lengths.filter_map(|text| text.parse::<f64>().ok());
        let length = lengths.take_while(|length| length * unit_px <= most).last();
        let length = length.filter(|length| length * unit_px >= 1.0);
        let [left, middle] = [4 * dot, height - strip / 2];
        let text_top = middle - LETTER_HEIGHT * dot / 2;
        let mut right = left;
        let bar = length.map(|length| {
            let pixels = length * unit_px;
            let [x, y] = [left, middle].map(f64::from);
            let half = 3.0 * f64::from(dot);
            let mut stroke = |from, to| self.canvas.line([from, to], f64::from(dot), INK, 1.0);
            stroke([x, y], [x + pixels, y]);
            stroke([x, y - half], [x, y + half]);
            stroke([x + pixels, y - half], [x + pixels, y + half]);
            #[expect(clippy::cast_possible_truncation, reason = "at most the width of a cell")]
            let end = (x + pixels).ceil() as i32 + 4 * dot;
            let text = if length == 1.0 { "1 unit".to_owned() } else { format!("{length} units") };
            self.canvas.large_text([end, text_top], &text, INK, dot);
            right = end + text_width(&text) * dot;
            let area = Area { x, y: y - half, width: pixels, height: 2.0 * half };
            ScaleBar { length, pixels, area }
        });
        let count = tintype_base::amount::counted(cells, "cell");
        self.key(right + 10 * dot, &[("U up", UP), ("F front", FRONT), (&count, INK)]);
        bar
    }

    /// Writes words into the foot, each in its colour, as far as they find room.
    pub fn key(&mut self, left: i32, words: &[(&str, Color)]) {
        let dot = self.grid.dot();
        let [width, height] = self.size().map(|side| i32::try_from(side).unwrap_or(i32::MAX));
        let top = height - (STRIP + LETTER_HEIGHT) * dot / 2;
        let mut at = left;
        for (text, color) in words {
            if at + text_width(text) * dot <= width {
                self.canvas.large_text([at, top], text, *color, dot);
            }
            at += (text_width(text) + 2 * LETTER_WIDTH) * dot;
        }
    }

    /// A joint of a cell, with its position on the sheet.
    pub(super) fn joint(&self, index: usize, found: LocatedJoint) -> Joint {
        let Area { x, y, .. } = self.picture(index);
        let LocatedJoint { name, pixel, behind, is_visible: visible } = found;
        let pixel = pixel.map(|[across, down]| [across + x, down + y]);
        Joint { name, pixel, visible, behind }
    }

    /// A mesh of a cell, with its box on the sheet.
    pub(super) fn part(&self, index: usize, found: LocatedPart) -> Part {
        let Area { x, y, .. } = self.picture(index);
        let area = found.bounds.map(|[left, top, right, bottom]| Area {
            x: left + x,
            y: top + y,
            width: right - left,
            height: bottom - top,
        });
        Part { name: found.name, area, visible_pixels: found.pixels }
    }
}
