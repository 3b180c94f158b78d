//! Colours and backgrounds as written by people.

use super::canonical::rgb;
use super::color_word::meant_color;
use super::document::{Value, conversions};
use super::error::Problem;
use super::reader::Item;
use super::setting::{Shape, setting};
use super::setting_type::{ReadSetting, SettingType, SettingValue};
use super::value::{Brightness, color};
use std::str::FromStr;
use tintype_base::suggest::nearest_word;
use tintype_model::LinearRgb;

/// Colours behind the models, at the top and at the bottom edge of the picture. None for alpha 0.
pub type Blend = Option<[LinearRgb; 2]>;

/// A colour.
#[derive(Clone, Debug, PartialEq)]
pub enum Color {
    /// `#rgb` or `#rrggbb` in sRGB.
    Code(String),
    /// Red, green and blue in linear light.
    Linear([f64; 3]),
}

/// The background of the pictures.
#[derive(Clone, Debug, PartialEq)]
pub enum Background {
    /// Alpha 0.
    Transparent,
    /// One colour.
    Plain(Color),
    /// From the top edge to the bottom edge.
    Gradient {
        /// Colour of the top edge.
        top: Color,
        /// Colour of the bottom edge.
        bottom: Color,
    },
}

impl FromStr for Background {
    type Err = String;

    /// The background of an option: `transparent`, a colour, or the colours of the top and the
    /// bottom edge with a comma between them. The error lists the allowed values.
    fn from_str(text: &str) -> Result<Self, String> {
        let setting = setting("background").ok_or("there is no such setting")?;
        setting.parse(text).map_err(|error| error.to_string())?;
        let code = |code: &str| Color::Code(code.trim().to_owned());
        Ok(match text.split_once(',') {
            Some((top, bottom)) => Self::Gradient { top: code(top), bottom: code(bottom) },
            None if text.trim() == "transparent" => Self::Transparent,
            None => Self::Plain(code(text)),
        })
    }
}

conversions! { Value:
    Color: |color| match color {
        Color::Code(code) => code.into(),
        Color::Linear(parts) => parts.into(),
    };
    Background: |background| match background {
        Background::Transparent => "transparent".into(),
        Background::Plain(color) => color.into(),
        Background::Gradient { top, bottom } => {
            Self::table([("top", top.into()), ("bottom", bottom.into())])
        }
    };
}

conversions! { SettingValue:
    Background: |background| Self(background.into());
}

impl SettingType for Blend {
    type Given = Background;
}

impl ReadSetting for Blend {
    fn read(item: &Item<'_>, _: Shape) -> Option<Self> {
        read_background(item)
    }

    fn digest(&self) -> Vec<(&'static str, String)> {
        match self {
            None => vec![("", "transparent".to_owned())],
            Some([top, bottom]) => vec![(".top", rgb(*top)), (".bottom", rgb(*bottom))],
        }
    }
}

fn read_background(item: &Item<'_>) -> Option<Blend> {
    const EXPECTED: &str = "{ top, bottom }, a colour, or \"transparent\"";
    if item.is_table() {
        let table = item.table(EXPECTED)?;
        let ends = ["top", "bottom"].map(|end| {
            let item = table.required(end, "a colour")?;
            color(&item, Brightness::Surface)
        });
        let [top, bottom] = ends;
        return Some(Some([top?, bottom?]));
    }
    match item.as_text() {
        Some("transparent") => return Some(None),
        Some(text) if !text.starts_with('#') => {
            item.report(Problem::UnknownWord {
                what: "background",
                found: text.to_owned(),
                allowed: vec![
                    "\"transparent\"".into(),
                    "\"#rrggbb\"".into(),
                    "{ top, bottom }".into(),
                ],
                nearest: nearest_word(text, ["transparent"]).or_else(|| meant_color(text)),
            });
            return None;
        }
        Some(_) => {}
        None if item.is_array() => {}
        None => return item.wrong_type(EXPECTED),
    }
    color(item, Brightness::Surface).map(|plain| Some([plain; 2]))
}
