//! `[[golden.known]]`: known changes, each with its reason and an end date.

use super::frame_list::FrameList;
use super::instance::Instance;
use super::model::ModelEntry;
use super::reader::{Item, Table};
use super::setting_type::read_frames;
use core::fmt;
use tintype_base::suggest::nearest_word;

/// A difference from the goldens that is known and passes for now.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// The reason why it may differ.
    pub reason: String,
    /// The last day on which it applies. None if it does not end.
    pub until: Option<Day>,
    /// The frames that it applies to. None for all.
    pub frames: Option<FrameList>,
    /// The pixels that may differ.
    pub area: KnownArea,
}

/// The area of a picture with a known change.
#[derive(Clone, Debug, PartialEq)]
pub enum KnownArea {
    /// A rectangle of the golden picture.
    Rect {
        /// Column and row of its upper left pixel.
        at: [u32; 2],
        /// Its columns and rows.
        size: [u32; 2],
    },
    /// The bounding rectangle of the pixels that show an instance; its joints and vertices may
    /// differ too.
    Instance {
        /// Index of the instance.
        index: usize,
        /// Pixels added to the rectangle on each side.
        margin: u32,
    },
}

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    year: u16,
    month: u8,
    day: u8,
}

impl Day {
    /// Parses `2026-12-31`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_plain = text.len() == 10
            && text
                .char_indices()
                .all(|(at, c)| if at == 4 || at == 7 { c == '-' } else { c.is_ascii_digit() });
        if !is_plain {
            return None;
        }
        let (year, month, day) =
            (text[..4].parse().ok()?, text[5..7].parse().ok()?, text[8..].parse().ok()?);
        let is_leap = |year: u16| {
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
        };
        let days = match month {
            2 if is_leap(year) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        (1..=days).contains(&day).then_some(Self { year, month, day })
    }

    /// The day this number of days after 1970-01-01.
    #[must_use]
    pub fn from_days_since_1970(days: u32) -> Self {
        // Years begin on the first of March, so that the leap day is the last of one; 400 years
        // have 146097 days.
        let days = days + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + u32::from(month <= 2);
        let small = |value: u32| u8::try_from(value).unwrap_or(u8::MAX);
        Self { year: u16::try_from(year).unwrap_or(u16::MAX), month: small(month), day: small(day) }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// Reads the known changes of goldens of this size.
pub(super) fn read(
    table: &Table<'_>,
    size: [u32; 2],
    (instances, models): (&[Instance], &[ModelEntry]),
) -> Vec<Known> {
    let read = |table: &Table<'_>| {
        let reason = table.required_text("reason", ["the reason in words"; 2]);
        let until = table.item("until").map(|item| read_day(&item));
        let frames = table.item("frames").map(|item| read_frames(&item));
        let area = read_area(table, size, (instances, models));
        Some(Known {
            reason: reason?,
            until: until.map_or(Some(None), |day| day.map(Some))?,
            frames: frames.map_or(Some(None), |frames| frames.map(Some))?,
            area: area?,
        })
    };
    table.tables("known").iter().filter_map(read).collect()
}

fn read_day(item: &Item<'_>) -> Option<Day> {
    const ALLOWED: &str = "a date such as \"2026-12-31\"";
    let text = item.text(ALLOWED)?;
    Day::parse(text).or_else(|| item.invalid(format!("{text:?} is not a date"), ALLOWED))
}

fn read_area(
    table: &Table<'_>,
    size: [u32; 2],
    (instances, models): (&[Instance], &[ModelEntry]),
) -> Option<KnownArea> {
    if table.has("rect") {
        for key in ["instance", "margin"] {
            table.refuse(key, "rect", "no rect");
        }
        return read_rect(&table.item("rect")?, size);
    }
    let expected =
        "rect = [column, row, columns, rows], or the name of an instance or of its model";
    let item = table.required("instance", expected)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 4096")]
    let margin = table.number("margin") as u32;
    let name = item.filled_text("the name of an instance or of its model")?;
    let names = || {
        instances.iter().map(|instance| {
            let model = models.get(instance.model).map_or("", |model| model.name.as_str());
            instance.name.as_deref().unwrap_or(model)
        })
    };
    let found: Vec<usize> =
        (0..).zip(names()).filter(|(_, own)| *own == name).map(|(index, _)| index).collect();
    match found.as_slice() {
        [index] => Some(KnownArea::Instance { index: *index, margin }),
        [] => {
            let nearest = nearest_word(name, names());
            item.unknown(["instance", "the scene"], format!("{name:?}"), names(), nearest)
        }
        several => item.invalid(
            format!("{} instances have the name {name:?}", several.len()),
            "expected the name of one instance; name it with [[instance]] name",
        ),
    }
}

fn read_rect(item: &Item<'_>, size: [u32; 2]) -> Option<KnownArea> {
    const EXPECTED: &str = "[column, row, columns, rows] in pixels of the golden";
    let parts = item.array_of::<4>(EXPECTED)?;
    let mut values = [0_u32; 4];
    for (value, part) in values.iter_mut().zip(&parts) {
        *value = part.whole_within(0..=u32::MAX, "a number of pixels", "0 or more")?;
    }
    let [x, y, width, height] = values;
    let fits = |at: u32, length: u32, side: u32| {
        length > 0 && at.checked_add(length).is_some_and(|end| end <= side)
    };
    if !fits(x, width, size[0]) || !fits(y, height, size[1]) {
        let message = "the rectangle is empty, or not inside the golden picture";
        return item.invalid(message, format!("{EXPECTED}, which has {}x{}", size[0], size[1]));
    }
    Some(KnownArea::Rect { at: [x, y], size: [width, height] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_scene;

    fn scene(known: &str) -> Result<Vec<Known>, String> {
        let text = format!(
            "[[model]]\nfile = \"a.x\"\n[[instance]]\nmodel = \"a\"\nname = \"hero\"\n[[instance]]\nmodel = \"a\"\n\
             [golden]\nsize = [40, 30]\n[[golden.known]]\n{known}\n"
        );
        let scene = parse_scene(&text, "s.toml").map_err(|errors| errors.to_string())?;
        Ok(scene.golden.map(|golden| golden.known).unwrap_or_default())
    }

    #[test]
    fn known_changes_are_read() {
        let found =
            scene("reason = \"new hat\"\nuntil = \"2026-12-31\"\nrect = [1, 2, 30, 4]").unwrap();
        let [one] = &found[..] else { panic!("{found:?}") };
        assert_eq!((one.reason.as_str(), one.until), ("new hat", Day::parse("2026-12-31")));
        assert_eq!(one.area, KnownArea::Rect { at: [1, 2], size: [30, 4] });
        let found =
            scene("reason = \"r\"\ninstance = \"hero\"\nmargin = 3\nframes = \"0\"").unwrap();
        assert_eq!(found[0].area, KnownArea::Instance { index: 0, margin: 3 });
    }

    #[test]
    fn mistakes_name_their_place_and_what_is_allowed() {
        for (known, says) in [
            ("rect = [0, 0, 1, 1]", "reason"),
            ("reason = \"\"\nrect = [0, 0, 1, 1]", "reason"),
            ("reason = \"r\"", "instance"),
            ("reason = \"r\"\nrect = [0, 0, 41, 1]", "40x30"),
            ("reason = \"r\"\nrect = [0, 0, 0, 1]", "empty"),
            ("reason = \"r\"\nrect = [-1, 0, 1, 1]", "0 or more"),
            (
                "reason = \"r\"\nrect = [0, 0, 1, 1]\nuntil = \"2026-02-29\"",
                "\"2026-02-29\" is not a date",
            ),
            ("reason = \"r\"\ninstance = \"heor\"", "hero"),
            ("reason = \"r\"\ninstance = \"hero\"\nrect = [0, 0, 1, 1]", "rect"),
            ("reason = \"r\"\nrect = [0, 0, 1, 1]\nuntli = 1", "until"),
        ] {
            let error = scene(known).unwrap_err();
            assert!(error.contains(says), "{known}\n{error}");
        }
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(Day::from_days_since_1970(0).to_string(), "1970-01-01");
        assert_eq!(Day::from_days_since_1970(11_016).to_string(), "2000-02-29");
        assert_eq!(Day::from_days_since_1970(20_779).to_string(), "2026-11-22");
        assert!(Day::parse("2024-02-29") < Day::parse("2024-03-01"));
        for text in
            ["2024-13-01", "2024-00-10", "24-1-1", "2023-02-29", "2024-01-32", "2024/01/01", ""]
        {
            assert_eq!(Day::parse(text), None, "{text}");
        }
    }
}
