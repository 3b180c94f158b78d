//! Turntable options that name its outputs: files of one frame, files of all frames, standard
//! output.

use crate::args::{Raw, Turntable};
use crate::failure::Failure;
use crate::output_name::outputs_named;
use crate::sequence::view_for_stdout;
use crate::standard_input::STREAM;
use crate::stdout::stream_to_stdout;
use std::path::{Path, PathBuf};
use tintype_base::path::ShowPath;
use tintype_host::job::{
    AnimationFiles, AnimationFormat, FrameOutput, JobError, Outputs, Stream, StreamFormat,
};
use tintype_scene::FramePattern;

/// Default names of frames.
const FRAMES: &str = "####.png";

/// Destination of the frames of a single model, and the files of all of them.
pub(super) fn outputs_of_one(
    options: &Turntable,
    model: &Path,
) -> Result<Outputs<'static>, Failure> {
    let animations = animations(options);
    let format = match options.raw {
        Some(Raw::Y4m) => Some(StreamFormat::Y4m),
        Some(Raw::Rgba) => Some(StreamFormat::Rgba),
        None => None,
    };
    let frames = match (options.output.as_deref(), format) {
        (Some(STREAM), None) => {
            let message = "-o - needs --raw y4m or --raw rgba for the format of the frames; for one animation, use --gif -";
            return Err(Failure::bad_input(message));
        }
        (Some(STREAM), Some(format)) => {
            view_for_stdout(&options.settings.said.aov().unwrap_or_default(), "sequence")?;
            let (name, write) = ("standard output", &stream_to_stdout);
            FrameOutput::Stream(Stream { name, format, write })
        }
        (_, Some(_)) => {
            return Err(Failure::bad_input("--raw writes to standard output: add -o -"));
        }
        (None, None) if !animations.is_empty() => FrameOutput::None,
        (None, None) => {
            // Includes the extension, as for several models, so that `a.md5mesh` and `a.x` get
            // separate folders.
            let name = model.file_name().unwrap_or_default().shown();
            files(&format!("{}/{FRAMES}", folder_of_model(Path::new("out"), &name)))?
        }
        (Some(name), None) => {
            let Outputs { frames, animations: named } = outputs_named(name, options.frames, hint)?;
            let animations = animations.with(named).map_err(|error| failure(&error))?;
            return Ok(Outputs { frames, animations });
        }
    };
    Ok(Outputs { frames, animations })
}

/// The option for an extension.
fn hint(extension: &str) -> Option<String> {
    (extension == "toml").then(|| "write the scene with --save-scene FILE".to_owned())
}

/// Refuses an output that names a single file.
pub(super) fn refuse_one_file(options: &Turntable) -> Result<(), Failure> {
    let Some(name) = options.output.as_deref() else { return Ok(()) };
    let outputs = outputs_named(name, Some(1), hint)?;
    if outputs.pattern().is_some_and(FramePattern::has_number) {
        Ok(())
    } else {
        Err(Failure::bad_input(format!(
            "--output: {name} is one file for several models; name a folder, and use --gif, --apng or --webp for a file in each model's folder"
        )))
    }
}

/// Destination of the frames of one of several models: a folder named after it in the common
/// folder.
pub(super) fn frames_of_several(
    options: &Turntable,
    root: &Path,
    name: &str,
) -> Result<FrameOutput<'static>, Failure> {
    match options.output.as_deref() {
        None if !animations(options).is_empty() => Ok(FrameOutput::None),
        output => {
            let file = output.map_or(FRAMES, |output| FramePattern::split_folder(output).1);
            outputs_named(file, None, hint)?;
            files(&format!("{}/{file}", folder_of_model(root, name)))
        }
    }
}

/// The folder of a model's frames in the common folder: its name, with a suffix if the model itself
/// has that path.
fn folder_of_model(root: &Path, name: &str) -> String {
    let folder = root.join(name).shown();
    if root.join(name).is_file() { format!("{folder}.turntable") } else { folder }
}

fn files(pattern: &str) -> Result<FrameOutput<'static>, Failure> {
    FramePattern::parse(pattern)
        .map(FrameOutput::Files)
        .map_err(|error| Failure::bad_input(format!("--output: {error}")))
}

/// The files of all frames.
pub(super) fn animations(options: &Turntable) -> AnimationFiles {
    let Turntable { apng, gif, webp, sheet, .. } = options;
    let [apng, gif, webp, sheet] = [apng, gif, webp, sheet].map(|path| match path {
        Some(path) if path.as_os_str() == STREAM => Some(PathBuf::from("/dev/stdout")),
        path => path.clone(),
    });
    AnimationFiles { apng, gif, webp, sheet, video: None }
}

/// The option that names a file of all frames.
pub(super) fn option_of(format: AnimationFormat) -> &'static str {
    match format {
        AnimationFormat::Apng => "--apng",
        AnimationFormat::Gif => "--gif",
        AnimationFormat::WebP => "--webp",
        AnimationFormat::Video => "--output",
        AnimationFormat::Sheet => "--sheet",
    }
}

/// The failure of a turntable job, in the words of its options.
pub(super) fn failure(error: &JobError) -> Failure {
    let failure = Failure::job(error);
    let message = match error {
        JobError::StreamAlpha => {
            "--raw y4m has no alpha; use --raw rgba, or an opaque picture".to_owned()
        }
        JobError::SheetSize { .. } => format!("--sheet: {error}"),
        JobError::Extension { format, .. } => format!("{} {error}", option_of(*format)),
        JobError::SameFile { format, path, other } => {
            let [option, other] = [*format, *other].map(option_of);
            format!("{option} {}: {other} writes the same file", path.shown())
        }
        _ => return failure,
    };
    Failure { message, ..failure }
}
