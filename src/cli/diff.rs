//! `tintype diff`: what differs between two pictures; two models are handed on.

use super::args::Diff;
use super::console::Console;
use super::{Failure, chain, exit, load};
use crate::compare::{Difference, compare, difference_picture};
use crate::frame::Frame;
use crate::output::{PngEffort, decode_png, encode_png, write_atomic};
use std::path::Path;

pub(super) fn run(options: &Diff, console: &mut Console) -> Result<(), Failure> {
    if load::is_model_or_clip(&options.expected) || load::is_model_or_clip(&options.found) {
        return super::drift::run(options, console);
    }
    let read = |path: &Path| -> Result<Frame, Failure> {
        let bytes = std::fs::read(path).map_err(|error| load::unreadable(path, &error))?;
        let decoded = decode_png(&bytes).map_err(|error| {
            Failure::bad_input(format!("{}: {}", path.display(), chain(&error)))
        })?;
        Ok(decoded.0)
    };
    let (expected, found) = (read(&options.expected)?, read(&options.found)?);
    let Some(difference) = compare(&expected, &found) else {
        console.info("the same");
        return Ok(());
    };
    if let (Some(path), Difference::Pixels(_)) = (&options.output, &difference) {
        let picture = difference_picture(&expected, &found);
        let png = encode_png(&picture, false, PngEffort::Small, &[]);
        write_atomic(path, &png).map_err(|error| Failure::output(&error))?;
    }
    Err(Failure::new(exit::DIFFERENT, difference.to_string()))
}
