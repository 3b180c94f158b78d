//! `turntable --contact-sheet`: one numbered picture of views, times and clips of a model, and its
//! legend.

use super::subject::{failure, tell, turntable_options};
use crate::args::Turntable;
use crate::console::Console;
use crate::contact_sheet::{OPTION, format_of_sheet, write_sheet};
use crate::failure::Failure;
use crate::load;
use crate::sequence::effort;
use std::path::Path;
use tintype_base::amount::counted;
use tintype_base::path::ShowPath;
use tintype_framing::{ContactSheet, ContactSheetError, ModelPath};

pub(super) fn run(
    options: &Turntable,
    [model, path]: [&Path; 2],
    pool: &rayon::ThreadPool,
    console: &mut Console,
) -> Result<(), Failure> {
    load::refuse_what_is_no_model(model)?;
    format_of_sheet(path)?;
    let load_options = console.load_options().clone();
    let sheet = pool.install(|| {
        let (options, clips) = (turntable_options(options), &options.settings.clips);
        let mut note = |note| tell(&note, console);
        ContactSheet::draw(&options, clips, ModelPath::alone(model), &load_options, &mut note)
    });
    let sheet = sheet.map_err(|error| match &error {
        ContactSheetError::Turntable(error) => failure(error),
        ContactSheetError::NoMesh => Failure::bad_input(format!("{}: {error}", model.shown())),
        ContactSheetError::Render(_) => Failure::bad_input_chain(&error),
        _ => Failure::bad_input(format!("{OPTION}: {error}")),
    })?;
    load::refuse_stand_ins(&sheet.warnings, console)?;
    write_sheet(path, &sheet, effort(options.png))?;
    let warnings = counted(console.warnings().len(), "warning");
    console.info(&format!("contact sheet: {}; {warnings}", path.shown()));
    Ok(())
}
