//! Amounts with units, and values.

use serde::{Deserialize, Deserializer, Serialize};

/// The unit of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A distance in units of the model.
    Distance,
    /// A distance in diagonals of the model.
    Diagonals,
    /// An angle.
    Degrees,
    /// A factor: one, or one for each axis.
    Factor,
    /// The difference of two numbers without a unit.
    Number,
    /// Percent more; negative for less.
    Percent,
    /// Seconds.
    Seconds,
    /// A number of things.
    Count,
    /// Keys a second.
    KeysASecond,
    /// Ticks a second.
    TicksASecond,
    /// Codes of a channel of a pixel, 0 to 255.
    Codes,
}

/// A number with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Amount {
    /// The number; NaN is null in JSON.
    #[serde(deserialize_with = "number")]
    pub value: f64,
    /// Its unit.
    pub unit: Unit,
}

fn number<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(source)?.unwrap_or(f64::NAN))
}

/// A value before or now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A number with its unit.
    Amount(Amount),
    /// A name, or the value of a setting as written in its file.
    Text(String),
    /// Names or numbers.
    List(Vec<String>),
}

impl Value {
    /// An amount.
    #[must_use]
    pub fn amount(value: impl Into<f64>, unit: Unit) -> Self {
        Self::Amount(Amount { value: value.into(), unit })
    }

    /// A number of things.
    #[must_use]
    pub fn count(count: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a number of elements")]
        Self::amount(count as f64, Unit::Count)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}
