//! Scenes: from TOML text or a [`SceneBuilder`] to a checked [`Scene`].
//!
//! Input: the text of a scene or the values of a builder, and a name for messages. Output: the
//! [`Scene`] with every default filled in, every reference resolved to an index, and every colour
//! linear; or [`SceneErrors`] with all mistakes at once. `asset` loads the files that a scene
//! names; this crate does not touch the disk.
//!
//! # Layout
//! `document` is the tree of values that `parse` makes from text and [`builder`] from typed values;
//! `syntax` finds syntax errors. `reader` reads values from the tree and notes mistakes; `output`,
//! `aov`, `channel`, `golden`, `camera`, `environment`, `light`, `ground`, `material`, `model` and
//! `instance` each read one table; `frame_list` and `pattern` parse two small languages used in
//! them; `look` fills in what a scene leaves out; `digest` writes a checked scene as text for the
//! digest; `clip_word` parses the name of a clip in options.
//!
//! An internal crate of `tintype`. Its interface may change in any version; depend on `tintype`,
//! which re-exports the stable parts.

#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "tests make numbers of known size"
    )
)]

mod aov;
mod channel;
pub mod camera;
pub mod builder;
mod bounds;
mod checked;
mod clip_word;
mod color_word;
mod curve;
mod declared;
mod digest;
mod document;
mod environment;
pub mod error;
pub mod frame_list;
mod frame_number;
mod golden;
mod ground;
mod instance;
mod known;
mod layer;
mod light;
mod look;
mod named_light;
mod material;
mod model;
mod motion;
mod output;
mod color;
mod canonical;
mod setting_type;
pub mod setting;
mod words;
mod parse;
pub mod recipe;
mod preferences;
pub mod pattern;
mod reader;
mod settings;
pub mod shard;
mod syntax;
mod value;

pub use aov::{Aov, AovError};
pub use builder::SceneBuilder;
pub use camera::{
    CameraContext, CameraRig, Fit, LookAt, MatrixCamera, OrbitTarget, Projection, Target,
};
pub use channel::{Channel, UnknownChannel};
pub use checked::{MissingLook, Scene};
pub use clip_word::{
    ClipChoice, ClipWord, ClipWordError, decide_clip, decide_said_clip, find_clip_name,
    read_clip_word,
};
pub use color::Blend;
pub use declared::{RECIPE_SCHEMA, SCHEMA, keys_of};
pub use digest::Parameter;
pub use environment::{EnvironmentEntry, EnvironmentSource};
pub use error::{Problem, SceneError, SceneErrors};
pub use frame_list::{FrameList, FrameListError};
pub use frame_number::{FrameNumber, FramePosition};
pub use golden::{Golden, PoseRule};
pub use instance::{
    Attachment, Fade, Instance, JointEdit, MaterialChoice, MorphEdit, Placement, WantedClip,
};
pub use known::{Day, Known, KnownArea};
pub use layer::{AnimatedNumber, Easing, Layer, LayerTrack};
pub use light::{Lights, ModelLight};
pub use look::LitScene;
pub use material::MaterialEntry;
pub use model::{ClipEntry, ClipSource, ModelEntry, SetChoice};
pub use motion::{Motion, Rotation, Switch, VectorKeys};
pub use output::Output;
pub use parse::{parse_scene, scene_text};
pub use pattern::{FramePattern, PatternError};
pub use preferences::{PROJECT_FILE, Preferences, parse_preferences, parse_project_preferences};
pub use recipe::{Draws, Moments, Recipe, parse_recipe};
pub use setting::{Door, SETTINGS, Setting};
pub use setting_type::{Frames, SettingType, SettingValue, Whole};
pub use settings::{SettingError, Settings};
pub use shard::{Shard, ShardError, ShardText};
pub use value::Ramp;
pub use words::{
    ChannelFormat, FileAxis, Look, PROJECTION_NAMES, RootMotion, Shade, Springs, ToneCurve,
    VIEW_NAMES, VIEWS, WRAP_WORDS,
};
