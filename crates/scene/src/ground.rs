//! `[ground]`: the plane below the models that catches shadows.

use super::reader::Table;
use super::value::{Brightness, color, narrow};
use tintype_model::Ground;

/// Reads `[ground]`; a scene without it has none.
pub(super) fn read(root: &Table<'_>) -> Option<Ground> {
    let table = root.item("ground").and_then(|item| item.table("a table"))?;
    let number = |key: &'static str| table.item(key).and_then(|item| item.number()).map(narrow);
    Some(Ground {
        height: number("height"),
        radius: number("radius"),
        color: table.item("color").and_then(|item| color(&item, Brightness::Surface)),
        contact: narrow(table.number("contact")),
    })
}
