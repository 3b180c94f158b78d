//! `[ground]`: the plane below the models that catches shadows.

use super::reader::{COORDINATE, LENGTH, Table, UNIT};
use super::value::{Brightness, color, narrow};
use tintype_model::Ground;

/// Reads `[ground]`; a scene without it has none.
pub(super) fn read(root: &Table<'_>) -> Option<Ground> {
    const KEYS: [&str; 4] = ["height", "radius", "color", "contact"];
    let table = root.item("ground").and_then(|item| item.table("a table", &KEYS))?;
    let number = |key: &'static str, bounds| {
        table.item(key).and_then(|item| item.number(bounds)).map(narrow)
    };
    Some(Ground {
        height: number("height", COORDINATE),
        radius: number("radius", LENGTH),
        color: table.item("color").and_then(|item| color(&item, Brightness::Surface)),
        contact: number("contact", UNIT).unwrap_or(Ground::DEFAULT_CONTACT),
    })
}
