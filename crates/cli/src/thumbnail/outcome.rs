//! Reports the results of models: a line for each without a picture, and the last line of the
//! command.

use crate::args::Thumbnail;
use crate::console::Console;
use crate::exit;
use crate::failure::{Failure, raised};
use crate::load::other_than_a_model;
use crate::models::Found;
use crate::report::INDEX;
use tintype_base::amount::{counted, rate_text};
use tintype_base::path::ShowPath;
use tintype_framing::clip_choice;
use tintype_framing::thumbnail::{
    Skip, SkipCause, SkipReason, Thumbnail as Picture, ThumbnailOptions,
};
use tintype_golden::report::gallery::{Thumb, Totals};
use tintype_host::job::journal::Model as RecordedModel;
use tintype_host::job::memory::peak_memory;
use tintype_host::job::thumbnail::Target;

/// The journal entry of a model.
pub(super) fn recorded(
    found: &Found,
    result: &Result<Picture, Skip>,
    seconds: f64,
) -> RecordedModel {
    let (status, digest, message) = match result {
        Ok(Picture { png: Some(_), digest, .. }) => ("drawn", Some(digest.clone()), None),
        Ok(Picture { png: None, digest, .. }) => ("unchanged", Some(digest.clone()), None),
        Err(skip) if skip.is_no_model(found) => ("no-mesh", None, None),
        Err(skip) => ("failed", None, Some(skip.message.clone())),
    };
    RecordedModel {
        model: found.name.clone(),
        status: status.to_owned(),
        digest,
        frames: None,
        seconds,
        peak_bytes: peak_memory(),
        message,
    }
}

/// The same with the options that decide it in its message.
pub(super) fn with_options(mut skip: Skip) -> Skip {
    let message = std::mem::take(&mut skip.message);
    let lowers = "; --max-memory lowers this limit";
    skip.message = match skip.cause {
        None => message,
        Some(SkipCause::Size) => message + "; raise it with --max-size",
        Some(SkipCause::Memory) => message + "; raise it with --max-memory",
        Some(SkipCause::Time) => message + "; raise the limit with --timeout",
        Some(SkipCause::Limit(limit)) => message + &raised(Some(limit)),
        Some(SkipCause::Reader(limit)) => message + &raised(limit) + lowers,
        Some(SkipCause::Axes) => format!("--{message}; set both --up and --front"),
        Some(SkipCause::Clip) => format!("--clip: {message}"),
        Some(SkipCause::StandIn) => format!("--no-stand-ins: {message}"),
    };
    skip
}

/// The exit code of a command for a single model without a picture.
pub(super) fn code_of(reason: SkipReason) -> u8 {
    match reason {
        SkipReason::Missing => exit::DIFFERENT,
        SkipReason::Input
        | SkipReason::Clip
        | SkipReason::NoMesh
        | SkipReason::ClipsAlone
        | SkipReason::Output => exit::BAD_INPUT,
        SkipReason::Size
        | SkipReason::Memory
        | SkipReason::Timeout
        | SkipReason::Empty
        | SkipReason::FileRepair => exit::INCOMPLETE,
        SkipReason::Temporary => exit::TRY_AGAIN,
    }
}

/// Reports a model on the console; its gallery entry gets the same message.
pub(super) fn report(
    found: &Found,
    thumb: &mut Thumb,
    result: Result<Picture, Skip>,
    asked: &ThumbnailOptions,
    console: &mut Console,
) {
    let shown = found.path.shown();
    match result {
        Ok(Picture { facts, view, warnings, png, .. }) => {
            if !facts.clips.is_empty() {
                let clip = view.clip.as_deref();
                let (name, reason) = (clip.unwrap_or("the bind pose"), clip_choice::reason(clip));
                console.detail(&format!("{shown}: shows {name}: {reason}"));
            }
            for warning in &warnings {
                let told = format!("{shown}: {}", console.diagnostic_text(warning));
                // Warnings of thousands of up-to-date pictures would hide the others.
                if asked.verify {
                    console.count_warning(&told);
                    console.detail(&told);
                } else {
                    console.warning(&told);
                }
            }
            let clip = view.clip.as_deref().map_or_else(
                || "bind pose".to_owned(),
                |clip| format!("{clip:?} at {:.2} s", view.moment_s.unwrap_or_default()),
            );
            console.detail(&format!(
                "{shown}: {}, a {} seen from azimuth {} elevation {}, {clip}",
                if png.is_some() { "drawn" } else { "unchanged" },
                view.shape,
                view.azimuth_deg,
                view.elevation_deg
            ));
        }
        Err(skip) if skip.is_no_model(found) => {
            let Skip { reason, message, .. } = skip;
            let told = format!("{shown}: {message}");
            match reason {
                SkipReason::ClipsAlone => console.detail(&told),
                _ => console.warning(&told),
            }
        }
        Err(Skip { reason, message, .. }) => {
            let other = found.is_named.then(|| other_than_a_model(&found.path)).flatten();
            let message = other.unwrap_or(message);
            let option = if reason == SkipReason::Clip { "--clip: " } else { "" };
            console.error(&format!("{shown}: {option}{message}"));
            thumb.message = Some(message);
        }
    }
}

/// The last line, and the code.
pub(super) fn conclude(
    totals: &Totals,
    worst: Option<SkipReason>,
    seconds: f64,
    options: &Thumbnail,
    target: &Target,
    console: &Console,
) -> Result<(), Failure> {
    let Totals { models, drawn, unchanged, failed, no_mesh, .. } = *totals;
    let passed_over = match no_mesh {
        0 => String::new(),
        files => format!("{} without a mesh skipped", counted(files, "file")),
    };
    let and_passed_over = if no_mesh > 0 { format!(", {passed_over}") } else { String::new() };
    let is_deferred =
        |reason: &SkipReason| options.attempt.defer_failures && *reason != SkipReason::Temporary;
    if worst.as_ref().is_some_and(is_deferred) {
        let of = counted(models, "model");
        console.info(&format!(
            "{failed} of {of} have no thumbnail; {drawn} drawn, {unchanged} up to date{and_passed_over}; list them with --verify"
        ));
        return Ok(());
    }
    if let Some(reason) = worst {
        // The line of the only model has the reason.
        if models == 1 {
            return Err(Failure::new(code_of(reason), String::new()));
        }
        let code = match reason {
            _ if options.attempt.verify => exit::DIFFERENT,
            SkipReason::Temporary => exit::TRY_AGAIN,
            _ => exit::INCOMPLETE,
        };
        if options.attempt.verify {
            let of = counted(models, "model");
            let message = format!(
                "{failed} of {of} lack an up-to-date thumbnail; {unchanged} up to date{and_passed_over}"
            );
            return Err(Failure::new(code, message));
        }
        let message = format!(
            "{failed} of {} have no thumbnail; {drawn} drawn, {unchanged} up to date{and_passed_over}, {}",
            counted(models, "model"),
            counted(console.warnings().len(), "warning")
        );
        return Err(Failure::new(code, message));
    }
    let mut parts = Vec::new();
    if options.attempt.verify {
        parts.push(format!("{} up to date", counted(unchanged, "thumbnail")));
    } else {
        parts.push(rate_text(drawn, "thumbnail", seconds));
        if unchanged > 0 {
            parts.push(format!("{unchanged} up to date"));
        }
    }
    if no_mesh > 0 {
        parts.push(passed_over);
    }
    match target {
        Target::Folder(folder) if options.attempt.verify && parts.len() == 1 => {
            parts[0] += &format!(" in {}", folder.shown());
        }
        Target::Folder(folder) if options.gallery => {
            parts.push(folder.join(INDEX).shown());
        }
        Target::Folder(path) | Target::File(path) => parts.push(path.shown()),
        Target::Stdout => {}
    }
    console.info(&format!(
        "{}; {}",
        parts.join(", "),
        counted(console.warnings().len(), "warning")
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_reason_is_the_one_to_try_again() {
        assert!(
            Some(SkipReason::Temporary) > Some(SkipReason::Input) && Some(SkipReason::Input) > None
        );
    }
}
