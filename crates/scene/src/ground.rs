//! `[ground]`: the plane below the models that catches shadows.

use super::bounds::narrow;
use super::reader::{Item, Table};
use super::value::{Brightness, color};
use tintype_model::Ground;

/// Reads `[ground]`. None if the scene has no such table.
pub(super) fn read(root: &Table<'_>) -> Option<Ground> {
    let table = root.get("ground", |item| item.table("a table"))?;
    let number = |key: &'static str| table.get(key, Item::number).map(narrow);
    Some(Ground {
        height: number("height"),
        radius: number("radius"),
        color: table.get("color", |item| color(item, Brightness::Surface)),
        contact: table.single("contact"),
    })
}
