//! Given values of settings: the keys of `[output]`, options of a command, keywords of a library.

use super::bounds::Bounds;
use super::document::{Document, Fields, Node, Value};
use super::error::Problem;
use super::reader::{Item, Problems, Table};
use super::setting::{Door, SETTINGS, Setting, Shape, TURN, Usual, setting};
use super::setting_type::{ReadSetting, SettingValue};
use super::words::WRAP_NAMES;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use thiserror::Error;
use tintype_base::diagnostic::{Diagnostic, Place};
use tintype_base::suggest::nearest_word;

/// Values of settings by their keys; missing ones are unset. Files keep them as the texts of
/// options.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, String>", into = "BTreeMap<String, String>")]
pub struct Settings(Fields);

/// An invalid value of a setting, or an unknown key.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{0}")]
pub struct SettingError(Box<Diagnostic>);

impl SettingError {
    /// The mistake.
    #[must_use]
    pub fn diagnostic(&self) -> &Diagnostic {
        &self.0
    }

    /// Reports the mistake under the name that the setting was given by, such as `--samples`.
    #[must_use]
    pub fn at(self, name: &str) -> Self {
        let mut own = self.0;
        own.place = Place::option(name);
        Self(own)
    }
}

impl From<Problem> for SettingError {
    fn from(problem: Problem) -> Self {
        Self(Box::new(problem.diagnostic(Place::None)))
    }
}

impl Settings {
    /// The defaults of a door that are values.
    #[must_use]
    pub fn usual(door: Door) -> &'static Self {
        static SCENE: LazyLock<Settings> = LazyLock::new(|| defaults(Door::Scene));
        static TURNTABLE: LazyLock<Settings> = LazyLock::new(|| defaults(Door::Turntable));
        static THUMBNAIL: LazyLock<Settings> = LazyLock::new(|| defaults(Door::Thumbnail));
        match door {
            Door::Scene => &SCENE,
            Door::Turntable => &TURNTABLE,
            Door::Thumbnail => &THUMBNAIL,
        }
    }

    /// Combines these values with others; these take precedence.
    #[must_use]
    pub fn or(&self, others: &Self) -> Self {
        let mut all = self.clone();
        for field in others.0.iter().filter(|field| self.0.get(&field.key).is_none()) {
            all.0.set(&field.key, field.node.value.clone());
        }
        all
    }

    /// True if a setting is made.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.0.get(key).is_some()
    }

    /// Makes a setting, unchecked: a mistake is found when a scene is made from it.
    pub fn say(&mut self, key: &'static str, value: impl Into<SettingValue>) {
        self.0.set(key, value.into().0);
    }

    /// Unsets a setting.
    pub fn unsay(&mut self, key: &str) {
        self.0.remove(key);
    }

    /// Sets a setting.
    ///
    /// # Errors
    /// [`SettingError`] for an invalid value.
    pub fn set(&mut self, setting: &Setting, value: SettingValue) -> Result<(), SettingError> {
        let SettingValue(value) = setting.checked(value)?;
        self.0.set(setting.key, value);
        Ok(())
    }

    /// Checks values that were [said](Self::say).
    ///
    /// # Errors
    /// [`SettingError`] for the first invalid value, at its key.
    pub fn check(&self) -> Result<(), SettingError> {
        for (setting, value) in self.iter() {
            setting.checked(value).map_err(|error| error.at(setting.key))?;
        }
        Ok(())
    }

    /// The values with their settings, in the order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Setting, SettingValue)> {
        let value = |setting: &'static Setting| {
            let field = self.0.get(setting.key)?;
            Some((setting, SettingValue(field.node.value.clone())))
        };
        SETTINGS.iter().filter_map(value)
    }

    /// The settings with their values as texts, in the order of declaration.
    pub fn texts(&self) -> impl Iterator<Item = (&'static Setting, String)> {
        self.iter().map(|(setting, value)| (setting, setting.shape.text(&value.0)))
    }

    /// The settings given by these texts.
    ///
    /// # Errors
    /// [`SettingError`] for the first invalid one.
    pub fn of_texts<'a>(
        texts: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, SettingError> {
        let mut settings = Self::default();
        for (key, text) in texts {
            let own = setting(key).ok_or_else(|| {
                let keys = || SETTINGS.iter().map(|setting| setting.key);
                SettingError::from(Problem::UnknownKey {
                    key: key.to_owned(),
                    home: None,
                    allowed: keys().map(str::to_owned).collect(),
                    nearest: nearest_word(key, keys()),
                })
            })?;
            settings.set(own, own.parse(text)?)?;
        }
        Ok(settings)
    }

    /// One line for each value that differs from its default, for digests; numbers read back to the
    /// same bits.
    #[must_use]
    pub fn digest_text(&self, door: Door) -> String {
        let usual = Self::usual(door).parts();
        let own = self.parts().into_iter().filter(|part| !usual.contains(part));
        own.map(|(key, value)| format!("{key} {value}\n")).collect()
    }

    /// Reads the settings among the keys of a table; mistaken values are not set.
    pub(super) fn of_table(table: &Table<'_>, name: &str) -> Self {
        let mut settings = Self::default();
        for setting in SETTINGS.iter().filter(|setting| setting.group.table() == Some(name)) {
            if let Some(item) = table.item(setting.key).filter(|item| setting.accepts(item)) {
                settings.0.set(setting.key, item.to_value());
            }
        }
        settings
    }

    /// The values that are keys of a table.
    pub(super) fn keys_of(&self, name: &str) -> impl Iterator<Item = (&'static str, Value)> {
        let own = |setting: &&'static Setting| setting.group.table() == Some(name);
        SETTINGS
            .iter()
            .filter(own)
            .filter_map(|setting| Some((setting.key, self.0.get(setting.key)?.node.value.clone())))
    }

    /// The value of a setting. None if it is not made, or unchecked and wrong.
    fn get<T: ReadSetting>(&self, key: &str, shape: Shape) -> Option<T> {
        let Node { value, .. } = &self.0.get(key)?.node;
        let problems = Problems::without_text();
        T::read(&Item::alone(value, key, &problems), shape)
    }
}

/// The defaults of an interface, as declared: the values of one TOML text.
fn defaults(door: Door) -> Settings {
    let line = |setting: &Setting| match setting.usual.at(door) {
        Usual::Value(text) => Some(format!("{} = {text}\n", setting.key)),
        _ => None,
    };
    let text: String = SETTINGS.iter().filter_map(line).collect();
    let mut settings = Settings::default();
    for field in Document::parse(&text).0.root.iter() {
        settings.0.set(&field.key, field.node.value.plain());
    }
    settings
}

impl From<Settings> for BTreeMap<String, String> {
    fn from(settings: Settings) -> Self {
        settings.texts().map(|(setting, text)| (setting.key.to_owned(), text)).collect()
    }
}

impl TryFrom<BTreeMap<String, String>> for Settings {
    type Error = SettingError;

    fn try_from(texts: BTreeMap<String, String>) -> Result<Self, SettingError> {
        Self::of_texts(texts.iter().map(|(key, text)| (key.as_str(), text.as_str())))
    }
}

impl Setting {
    /// Parses the text of an option.
    ///
    /// # Errors
    /// [`SettingError`] for an invalid text.
    pub fn parse(&self, text: &str) -> Result<SettingValue, SettingError> {
        match (self.shape, self.shape.parse(text)) {
            // The reader would request it in the notation of scenes.
            (Shape::Size, value @ Value::Text(_)) => {
                let expected = "WIDTHxHEIGHT, such as 640x480, or one number for a square";
                let (found, expected) = (value.describe(), expected.to_owned());
                Err(Problem::WrongType { found, expected }.into())
            }
            (_, value) => self.checked(SettingValue(value)),
        }
    }

    /// A value from another language, with texts in the form of options.
    ///
    /// # Errors
    /// [`SettingError`] for an invalid value.
    pub fn checked(&self, value: SettingValue) -> Result<SettingValue, SettingError> {
        let value = self.shape.adapted(value.0);
        let problems = Problems::without_text();
        self.accepts(&Item::alone(&value, self.key, &problems));
        match problems.into_found().into_iter().next() {
            Some((_, _, problem)) => Err(problem.into()),
            None => Ok(SettingValue(value)),
        }
    }
}

/// Typed access to each setting: the check of a value, and the value of [`Settings`].
macro_rules! typed {
    ($($group:ident { $(#[doc = $doc:literal] $key:ident: $type:ty, $presence:ident, $shape:expr, $doors:expr, $usual:expr;)* })*) => {
        impl Setting {
            /// True if a value is read without a mistake; mistakes are reported there.
            fn accepts(&self, item: &Item<'_>) -> bool {
                match self.key {
                    $($(stringify!($key) => <$type as ReadSetting>::read(item, self.shape).is_some(),)*)*
                    _ => false,
                }
            }
        }

        impl Settings {
            /// The values as a digest has them.
            fn parts(&self) -> Vec<(String, String)> {
                let mut all = Vec::new();
                $($(all.extend(self.$key().iter().flat_map(|value| value.parts(stringify!($key))));)*)*
                all
            }

            $($(
                #[doc = $doc]
                #[must_use]
                pub fn $key(&self) -> Option<$type> {
                    self.get(stringify!($key), $shape)
                }
            )*)*
        }
    };
}
crate::settings!(typed);
