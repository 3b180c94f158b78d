//! Sprite sheet: frames side by side in one picture, and a JSON atlas with the position of each.

use serde::Serialize;
use tintype_base::amount::format_rate;
use tintype_model::frame::Frame;

/// Frames in rows and columns of one picture.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The picture; cells without a frame are transparent black.
    pub picture: Frame,
    cell: [u32; 2],
    columns: u32,
}

/// The JSON atlas of a sheet. Keys may be added while `version` stays.
///
/// `frames` and `meta` also have the keys of the array forms of Aseprite and TexturePacker, so that
/// their readers can take the file unchanged.
#[derive(Serialize)]
struct Atlas<'a> {
    version: u32,
    image: &'a str,
    size: [u32; 2],
    fps: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    directions: Vec<Direction>,
    /// The pixel where the model stands, the same in all cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    ground: Option<[f64; 2]>,
    frames: Vec<Cell>,
    meta: Meta<'a>,
}

/// A rectangle in pixels.
#[derive(Clone, Copy, Serialize)]
struct Area {
    x: u32,
    y: u32,
    w: u32,
    h: u32,
}

/// Width and height in pixels.
#[derive(Clone, Copy, Serialize)]
struct Size {
    w: u32,
    h: u32,
}

/// The picture, and the kind of its frames.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Meta<'a> {
    app: &'static str,
    image: &'a str,
    format: &'static str,
    size: Size,
    scale: &'static str,
    frame_tags: Vec<Tag>,
}

/// The frames of a row, from the first to the last.
#[derive(Serialize)]
struct Tag {
    name: String,
    from: usize,
    to: usize,
    direction: &'static str,
}

/// The rows of a sheet, and the position of the model in its cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SheetLayout {
    /// Azimuth of the camera of each row in degrees; without any, the sheet is as nearly square as
    /// possible.
    pub rows: Vec<f64>,
    /// The pixel of each frame where the model stands, from the upper left corner of its cell.
    pub ground: Vec<[f64; 2]>,
}

#[derive(Serialize)]
struct Direction {
    row: usize,
    azimuth_deg: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Cell {
    filename: String,
    frame: Area,
    rotated: bool,
    trimmed: bool,
    sprite_source_size: Area,
    source_size: Size,
    /// Milliseconds.
    duration: u32,
    number: i64,
    #[serde(rename = "time_s")]
    time_s: f64,
    x: u32,
    y: u32,
    width: u32,
    height: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ground: Option<[f64; 2]>,
}

impl Sheet {
    /// A sheet for `count` frames of one size in `rows` rows of equal length; `None` if it would
    /// exceed [`Frame::MAX_SIDE`], or the frames do not fill the rows.
    #[must_use]
    pub fn in_rows(count: usize, rows: usize, cell: [u32; 2]) -> Option<Self> {
        let (count, rows) = (u32::try_from(count).ok()?, u32::try_from(rows).ok()?);
        let columns = count.checked_div(rows).filter(|&columns| columns > 0)?;
        let (width, height) = (cell[0].checked_mul(columns)?, cell[1].checked_mul(rows)?);
        let fits = columns * rows == count && width.max(height) <= Frame::MAX_SIDE;
        fits.then(|| Self { picture: Frame::new(width, height), cell, columns })
    }

    /// A sheet for `count` frames of one size, as nearly square as possible; `None` if it would
    /// exceed [`Frame::MAX_SIDE`].
    #[must_use]
    pub fn new(count: usize, cell: [u32; 2]) -> Option<Self> {
        let count = u32::try_from(count).ok().filter(|&count| count > 0)?;
        let side = |columns: u32| {
            let (width, height) =
                (cell[0].checked_mul(columns)?, cell[1].checked_mul(count.div_ceil(columns))?);
            Some(width.max(height)).filter(|&side| side <= Frame::MAX_SIDE)
        };
        let columns = (1..=count)
            .filter(|&columns| side(columns).is_some())
            .min_by_key(|&columns| side(columns))?;
        let picture = Frame::new(cell[0] * columns, cell[1] * count.div_ceil(columns));
        Some(Self { picture, cell, columns })
    }

    /// Upper left corner of the cell at position `k`.
    fn corner(&self, k: usize) -> [u32; 2] {
        let k = u32::try_from(k).unwrap_or(u32::MAX);
        [k % self.columns * self.cell[0], k / self.columns * self.cell[1]]
    }

    /// Copies a frame into the cell at position `k`.
    ///
    /// # Panics
    /// If the frame has another size, or the cell does not exist.
    pub fn put(&mut self, k: usize, frame: &Frame) {
        assert_eq!([frame.width, frame.height], self.cell, "frames of one size");
        let [x, y] = self.corner(k).map(|value| value as usize);
        let (width, all) = (frame.width as usize, self.picture.width as usize);
        for (row, pixels) in frame.rgba.chunks(width).enumerate() {
            let start = (y + row) * all + x;
            self.picture.rgba[start..start + width].copy_from_slice(pixels);
        }
    }

    /// The atlas as JSON: `frames` are the numbers of the frames, `image` is the file name of the
    /// picture; `layout` names the rows.
    ///
    /// # Panics
    /// Never: everything has a form in JSON.
    #[must_use]
    pub fn atlas(&self, image: &str, frames: &[i64], fps: f64, layout: &SheetLayout) -> String {
        let rounded = |at: &[f64; 2]| at.map(|value| (value * 100.0).round() / 100.0);
        let ground: Vec<[f64; 2]> = layout.ground.iter().map(rounded).collect();
        let common = ground.first().filter(|first| ground.iter().all(|at| at == *first)).copied();
        let columns = self.columns as usize;
        let stem = image.rsplit_once('.').map_or(image, |(stem, _)| stem);
        #[expect(clippy::cast_possible_truncation, reason = "it saturates")]
        #[expect(clippy::cast_sign_loss, reason = "rates are above 0")]
        let duration = (1000.0 / fps).round() as u32;
        let cell = |(k, &number): (usize, &i64)| {
            let ([x, y], [width, height]) = (self.corner(k), self.cell);
            #[expect(clippy::cast_precision_loss, reason = "a frame's number")]
            let time_s = (number as f64 / fps * 1e6).round() / 1e6;
            let direction = (!layout.rows.is_empty()).then_some(k / columns);
            let own = ground.get(k).filter(|_| common.is_none()).copied();
            Cell {
                filename: format!("{stem}_{number:04}.png"),
                frame: Area { x, y, w: width, h: height },
                rotated: false,
                trimmed: false,
                sprite_source_size: Area { x: 0, y: 0, w: width, h: height },
                source_size: Size { w: width, h: height },
                duration,
                number,
                time_s,
                x,
                y,
                width,
                height,
                direction,
                ground: own,
            }
        };
        // An angle and the same plus a full turn are one direction.
        let turned =
            |degrees: &f64| (degrees.rem_euclid(360.0) * 1000.0).round() % 360_000.0 / 1000.0;
        let tag =
            |name: String, from: usize, to: usize| Tag { name, from, to, direction: "forward" };
        let frame_tags = match layout.rows.as_slice() {
            [] => vec![tag(stem.to_owned(), 0, frames.len().saturating_sub(1))],
            rows => (rows.iter().enumerate())
                .map(|(row, azimuth)| {
                    tag(turned(azimuth).to_string(), row * columns, (row + 1) * columns - 1)
                })
                .collect(),
        };
        let [width, height] = [self.picture.width, self.picture.height];
        let atlas = Atlas {
            version: 2,
            image,
            size: [width, height],
            fps: format_rate(fps),
            directions: (layout.rows.iter().enumerate())
                .map(|(row, azimuth)| Direction { row, azimuth_deg: turned(azimuth) })
                .collect(),
            ground: common,
            frames: frames.iter().enumerate().map(cell).collect(),
            meta: Meta {
                app: "tintype",
                image,
                format: "RGBA8888",
                size: Size { w: width, h: height },
                scale: "1",
                frame_tags,
            },
        };
        serde_json::to_string_pretty(&atlas).expect("plain data") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheet_holds_every_frame_where_its_atlas_says() {
        let frames: Vec<Frame> = (0..7_u8)
            .map(|k| {
                let mut frame = Frame::new(5, 3);
                frame.rgba.iter_mut().zip(0..).for_each(|(pixel, n)| *pixel = [k, n, 1, 255]);
                frame
            })
            .collect();
        let mut sheet = Sheet::new(7, [5, 3]).unwrap();
        frames.iter().enumerate().for_each(|(k, frame)| sheet.put(k, frame));
        let numbers: Vec<i64> = (10..17).collect();
        let atlas: serde_json::Value =
            serde_json::from_str(&sheet.atlas("s.png", &numbers, 2.0, &SheetLayout::default()))
                .unwrap();
        assert_eq!(atlas["size"], serde_json::json!([sheet.picture.width, sheet.picture.height]));
        for (k, frame) in frames.iter().enumerate() {
            let place = &atlas["frames"][k];
            assert_eq!(
                (&place["number"], &place["time_s"]),
                (&(10 + k).into(), &((10 + k) as f64 / 2.0).into())
            );
            let [left, top] = ["x", "y"].map(|key| place[key].as_u64().unwrap() as u32);
            for (x, y) in (0..5).flat_map(|x| (0..3).map(move |y| (x, y))) {
                assert_eq!(sheet.picture.pixel(left + x, top + y), frame.pixel(x, y));
            }
        }
    }

    #[test]
    fn sheet_of_directions_has_a_row_for_each() {
        let sheet = Sheet::in_rows(6, 2, [5, 3]).unwrap();
        assert_eq!([sheet.picture.width, sheet.picture.height], [15, 6]);
        let layout = SheetLayout { rows: vec![180.0, 360.0], ground: vec![[2.5, 2.001]; 6] };
        let numbers: Vec<i64> = (0..6).collect();
        let atlas: serde_json::Value =
            serde_json::from_str(&sheet.atlas("s.png", &numbers, 2.0, &layout)).unwrap();
        assert_eq!(atlas["directions"][0], serde_json::json!({"row": 0, "azimuth_deg": 180.0}));
        assert_eq!(atlas["directions"][1]["azimuth_deg"], 0.0, "as the folder of that direction");
        let tag = serde_json::json!({"name": "0", "from": 3, "to": 5, "direction": "forward"});
        assert_eq!(atlas["meta"]["frameTags"][1], tag);
        let frame = serde_json::json!({"x": 5, "y": 3, "w": 5, "h": 3});
        assert_eq!(
            (&atlas["frames"][4]["frame"], &atlas["frames"][4]["duration"]),
            (&frame, &500.into())
        );
        assert_eq!(atlas["ground"], serde_json::json!([2.5, 2.0]));
        let cell = &atlas["frames"][4];
        assert_eq!([&cell["x"], &cell["y"], &cell["direction"]], [5, 3, 1]);
        assert!(Sheet::in_rows(7, 2, [5, 3]).is_none(), "rows of one length");
        assert!(Sheet::in_rows(6, 0, [5, 3]).is_none());
        // For a clip whose length was stored in single precision.
        let near = sheet.atlas("s.png", &numbers, 23.999999284744284, &layout);
        assert!(
            near.contains("\"fps\": 24.0,") && near.contains("\"time_s\": 0.083333,"),
            "{near}"
        );
        let uneven = SheetLayout { ground: vec![[1.0, 1.0], [2.0, 1.0]], ..layout };
        let atlas: serde_json::Value =
            serde_json::from_str(&sheet.atlas("s.png", &numbers[..2], 2.0, &uneven)).unwrap();
        assert!(atlas["ground"].is_null() && atlas["frames"][1]["ground"][0] == 2.0);
    }

    #[test]
    fn sheet_is_nearly_square_and_of_a_bounded_size() {
        let size = |count, cell| {
            Sheet::new(count, cell).map(|sheet| [sheet.picture.width, sheet.picture.height])
        };
        assert_eq!(size(36, [512, 512]), Some([3072, 3072]));
        assert_eq!(size(1, [640, 480]), Some([640, 480]));
        assert_eq!(size(10, [16, 9]), Some([32, 45]));
        assert_eq!(size(0, [16, 9]), None);
        assert_eq!(size(100_000, [512, 512]), None);
        assert_eq!(size(33, [16_384, 512]), None);
        assert_eq!(size(32, [16_384, 512]), Some([16_384, 16_384]));
    }
}
