//! Commands that accept goldens, as data.

use crate::report::CauseId;
use std::path::{Path, PathBuf};

/// A command that accepts goldens, as data: the program that has it spells it.
#[derive(Clone, Copy, Debug)]
pub struct AcceptCommand<'a> {
    /// The goldens that it accepts.
    pub accepts: Accepts<'a>,
    /// The models of a library, instead of scenes.
    pub models: &'a [PathBuf],
    /// The folder of scenes, if it is not the default one.
    pub scenes: Option<&'a Path>,
    /// The folder of goldens, if it is not the default one.
    pub golden: Option<&'a Path>,
    /// Further options of the program.
    pub words: &'a [String],
    /// True if it has to accept pictures with stand-ins.
    pub stand_ins: bool,
}

/// The goldens that a command accepts.
#[derive(Clone, Copy, Debug)]
pub enum Accepts<'a> {
    /// All.
    All,
    /// These goldens, and all goldens of these scenes.
    Paths(&'a [&'a Path]),
    /// Those with a text in their path or in the path of their scene.
    Filter(&'a str),
    /// Those that fail for a cause.
    Cause(&'a CauseId),
    /// Those of scenes that moved, at their new place.
    Moves,
    /// Those whose camera fit moved, with the current fit.
    Fits,
    /// Those without a scene, which it deletes.
    Strays,
}
