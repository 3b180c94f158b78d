//! Parts of the declaration of a setting: its form, its commands, and its default.

use crate::bounds::Bounds;
use crate::document::Value;

/// A setting, as it is declared.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Key of a scene and keyword of Python; its unit is the suffix, as in `azimuth_deg`.
    pub key: &'static str,
    /// The settings among which it is listed.
    pub group: Group,
    /// One line about it for people.
    pub doc: &'static str,
    /// The form of its values.
    pub shape: Shape,
    /// The commands that have it as an option.
    pub doors: &'static [Door],
    /// Its default.
    pub usual: Usual,
}

/// Settings of one subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The look of a picture: keys of `[output]`.
    Picture,
    /// Size, time and files of all pictures: keys of `[output]`.
    Sequence,
    /// The camera of a picture without a scene.
    Camera,
    /// The reading of a model's file.
    Model,
    /// The clip that plays, and its time.
    Play,
    /// The rotation of a turntable.
    Turn,
}

/// Commands that ask for the same settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// `render`, `verify` and `farm`: instead of the scene's.
    Scene,
    /// `turntable`.
    Turntable,
    /// `thumbnail`.
    Thumbnail,
}

/// The default of a setting.
#[derive(Clone, Copy, Debug)]
pub enum Usual {
    /// No unit.
    Nothing,
    /// A value, as a scene writes it.
    Value(&'static str),
    /// A choice that depends on others, in words.
    Words(&'static str),
    /// Another one for each door.
    Each(&'static [(Door, Usual)]),
}

/// Valid numbers of samples per pixel and per texture.
pub(crate) const POWERS: [u32; 5] = [1, 2, 4, 8, 16];

/// Form of the values of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// True or false.
    Truth,
    /// 1, 2, 4, 8 or 16.
    Power,
    /// An integer from the first to the second.
    Whole(u32, u32),
    /// A number.
    Number(Bounds),
    /// One of a few words.
    Word(&'static [&'static str]),
    /// A text.
    Text,
    /// Path of a file.
    File,
    /// A text with `{frame}`, `{time}`, `{clip}` or `{file}`; empty for none.
    Label,
    /// Width and height in pixels.
    Size,
    /// Numbers of frames.
    Frames,
    /// A pattern of file names.
    FileNames,
    /// `transparent`, a colour, or two.
    Blend,
    /// Names of views.
    Views,
    /// Names of channels.
    Channels,
}

impl Setting {
    /// True for settings of files beside the pictures, which a browser does not have.
    #[must_use]
    pub fn is_beside(&self) -> bool {
        matches!(self.key, "aov" | "channels" | "channels_as")
    }

    /// Its option on a command line, without dashes and unit: `azimuth`.
    #[must_use]
    pub fn option(&self) -> String {
        let plain = self.key.trim_end_matches("_deg").trim_end_matches("_s");
        plain.replace('_', "-")
    }

    /// Its name in JavaScript: `azimuthDeg`.
    #[must_use]
    pub fn camel(&self) -> String {
        let mut parts = self.key.split('_');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |name, part| {
            let (head, rest) = part.split_at(1.min(part.len()));
            name + &head.to_uppercase() + rest
        })
    }

    /// Its unit in words. None for a setting without one.
    #[must_use]
    pub fn unit(&self) -> Option<&'static str> {
        match self.key.rsplit_once('_')?.1 {
            "deg" => Some("degrees"),
            "s" => Some("seconds"),
            _ => None,
        }
    }

    /// True if a command has it as an option.
    #[must_use]
    pub fn is_of(&self, door: Door) -> bool {
        self.doors.contains(&door)
    }
}

impl Usual {
    /// The default at a door.
    #[must_use]
    pub fn at(&self, door: Door) -> Self {
        match self {
            Self::Each(usual) => {
                let own = usual.iter().find(|(own, _)| *own == door);
                own.map_or(Self::Nothing, |(_, usual)| *usual)
            }
            usual => *usual,
        }
    }
}

impl Shape {
    /// The allowed words of a value. Empty if any value is allowed.
    #[must_use]
    pub fn words(&self) -> &'static [&'static str] {
        match self {
            Self::Word(words) => words,
            Self::Power => &["1", "2", "4", "8", "16"],
            _ => &[],
        }
    }

    /// True if its values are lists of files beside each picture, or of their contents.
    #[must_use]
    pub fn is_list(self) -> bool {
        matches!(self, Self::Views | Self::Channels)
    }

    /// The value of an option's text; an impossible one stays a text, which the reader refuses.
    pub(crate) fn parse(self, text: &str) -> Value {
        let plain = || Value::Text(text.to_owned());
        let number = || match text.trim().parse::<i64>() {
            Ok(whole) => Value::Integer(Some(whole), text.trim().to_owned()),
            Err(_) => match text.trim().parse::<f64>() {
                Ok(number) => Value::Float(Some(number), text.trim().to_owned()),
                Err(_) => plain(),
            },
        };
        match self {
            Self::Power | Self::Whole(..) | Self::Number(_) => number(),
            Self::Truth => text.parse().map_or_else(|_| plain(), Value::Truth),
            Self::Size => match text.split_once(['x', 'X', '×']) {
                Some((width, height)) => {
                    let side = |text: &str| text.trim().parse::<i64>().ok().map(Value::from);
                    let sides = side(width).zip(side(height));
                    sides.map_or_else(plain, |(width, height)| Value::array([width, height]))
                }
                None => number(),
            },
            Self::Blend => match text.split_once(',') {
                // Three numbers with commas are one colour in another notation.
                Some((top, bottom)) if !bottom.contains(',') => {
                    Value::table([("top", top.trim().into()), ("bottom", bottom.trim().into())])
                }
                _ => Value::Text(text.trim().to_owned()),
            },
            shape if shape.is_list() && text.trim() == "none" => Value::Array(Vec::new()),
            Self::Views | Self::Channels => {
                Value::array(text.split(',').map(|view| view.trim().to_owned()))
            }
            Self::Word(_)
            | Self::Text
            | Self::File
            | Self::Label
            | Self::Frames
            | Self::FileNames => plain(),
        }
    }

    /// A value from another language: a text in the form of an option, a side for a square.
    pub(crate) fn adapted(self, value: Value) -> Value {
        let value = match (self, value) {
            (Self::Blend | Self::Views | Self::Channels | Self::Size, Value::Text(text)) => {
                self.parse(&text)
            }
            (_, value) => value,
        };
        match (self, value) {
            (Self::Size, side @ Value::Integer(..)) => Value::array([side.clone(), side]),
            (_, value) => value,
        }
    }

    /// The option text for a value, which [`Shape::parse`] reads back.
    pub(crate) fn text(self, value: &Value) -> String {
        let parts = |separator: &str| match value {
            Value::Array(elements) => {
                let texts = elements.iter().map(|element| Self::Text.text(&element.value));
                texts.collect::<Vec<_>>().join(separator)
            }
            value => Self::Text.text(value),
        };
        match (self, value) {
            (Self::Size, _) => parts("x"),
            (shape, Value::Array(words)) if shape.is_list() && words.is_empty() => {
                "none".to_owned()
            }
            (Self::Views | Self::Channels, _) => parts(","),
            (Self::Blend, Value::Table(ends)) => {
                let end = |key: &str| {
                    ends.get(key).map_or_else(String::new, |end| Self::Text.text(&end.node.value))
                };
                format!("{},{}", end("top"), end("bottom"))
            }
            (_, Value::Text(text)) => text.clone(),
            (_, value) => value.to_inline(),
        }
    }
}
