//! Options that are declared as settings: those of pictures, cameras, clips and turntables.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use std::ffi::OsStr;
use std::marker::PhantomData;
use tintype::setting::{Door, Group, Setting, SettingValue, Settings, Shape, settings_of};

/// The options of a command that are declared settings; options not given are unset.
#[derive(Clone, Debug)]
pub(crate) struct SettingArgs<D> {
    /// The settings given.
    pub said: Settings,
    /// All clips named; the settings have only the last.
    pub clips: Vec<String>,
    door: PhantomData<D>,
}

/// A command that asks for settings.
pub(crate) trait Asks {
    /// The settings that it has.
    const DOOR: Door;
}

/// `render`, `verify` and `farm`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfScene;
/// `turntable`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfTurntable;
/// `thumbnail`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfThumbnail;

impl Asks for OfScene {
    const DOOR: Door = Door::Scene;
}

impl Asks for OfTurntable {
    const DOOR: Door = Door::Turntable;
}

impl Asks for OfThumbnail {
    const DOOR: Door = Door::Thumbnail;
}

impl<D: Asks> Default for SettingArgs<D> {
    fn default() -> Self {
        Self { said: Settings::default(), clips: Vec::new(), door: PhantomData }
    }
}

impl<D: Asks> FromArgMatches for SettingArgs<D> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let (mut said, mut clips) = (Settings::default(), Vec::new());
        for setting in settings_of(D::DOOR) {
            let values: Vec<SettingValue> = match setting.shape {
                Shape::Truth => {
                    matches.get_flag(setting.key).then(|| true.into()).into_iter().collect()
                }
                _ => matches.get_many(setting.key).into_iter().flatten().cloned().collect(),
            };
            for value in values {
                // Parsers have checked it.
                said.say(setting.key, value);
                clips.extend(said.clip().filter(|_| setting.key == "clip"));
            }
        }
        Ok(Self { said, clips, door: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<D: Asks> Args for SettingArgs<D> {
    fn augment_args(command: Command) -> Command {
        settings_of(D::DOOR)
            .fold(command, |command, setting| command.arg(argument(setting, D::DOOR)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The option of a setting.
fn argument(setting: &'static Setting, door: Door) -> Arg {
    let argument = Arg::new(setting.key).long(setting.option()).help(setting.help(door));
    let argument = match setting.key {
        "size" => argument.short('s'),
        "directions" => argument.alias("views"),
        "clip" if door == Door::Turntable => argument.action(ArgAction::Append),
        _ => argument,
    };
    match setting.shape {
        Shape::Truth => argument.action(ArgAction::SetTrue),
        shape => {
            let may_begin_with_a_hyphen = match shape {
                Shape::Number(_) => true,
                Shape::Word(words) => words.iter().any(|word| word.starts_with('-')),
                _ => false,
            };
            argument
                .value_name(setting.metavar())
                .value_parser(SettingParser(setting))
                .hide_possible_values(true)
                .allow_hyphen_values(may_begin_with_a_hyphen)
        }
    }
}

/// The heading of a setting on long help pages; none for a main option.
pub(super) fn heading_of(id: &str) -> Option<&'static str> {
    const MAIN: [&str; 3] = ["clip", "size", "fps"];
    let setting = tintype::setting::setting(id)?;
    if setting.doors.is_empty() || MAIN.contains(&setting.key) {
        return None;
    }
    Some(match (setting.group, setting.shape) {
        (Group::Model | Group::Play, _) => "Model and clip",
        (Group::Picture | Group::Sequence, _) | (Group::Turn, Shape::Truth) => "Look",
        (Group::Camera | Group::Turn, _) => "Camera",
    })
}

/// Reads the value of a setting and reports a mistake at the option.
#[derive(Clone, Copy)]
struct SettingParser(&'static Setting);

impl TypedValueParser for SettingParser {
    type Value = SettingValue;

    fn parse_ref(
        &self,
        command: &Command,
        _: Option<&Arg>,
        value: &OsStr,
    ) -> Result<SettingValue, Error> {
        let Self(setting) = self;
        let text =
            value.to_str().ok_or_else(|| Error::new(ErrorKind::InvalidUtf8).with_cmd(command))?;
        setting.parse(text).map_err(|error| {
            let message = error.at(&format!("--{}", setting.option()));
            Error::raw(ErrorKind::ValueValidation, format!("{message}\n")).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let words = self.0.shape.words();
        (!words.is_empty()).then(|| -> Box<dyn Iterator<Item = PossibleValue>> {
            Box::new(words.iter().map(PossibleValue::new))
        })
    }
}
