//! Models of the Quake engines: `.mdl`, `.md2` and `.md3`, which store vertex positions for every
//! frame.
//!
//! `md2`, `md3` and `mdl` mirror the files, `surface` makes meshes with frames as morph targets,
//! `motion` makes clips of runs of frames, `player` makes those of a player, and `assembly`
//! combines them. Nothing here reads a disk: the caller provides the files beside a model.
//!
//! # Conventions
//! - **Axes**: right-handed, +X ahead, +Y to the left, +Z up: `(x, y, z)` becomes `(x, z, -y)`,
//!   applied by the single root joint.
//! - **Winding**: front faces are clockwise in the file; the index order is reversed here.
//! - **Texture coordinates** have their origin in the upper left corner.
//!
//! # Source
//! id Software, `modelgen.h` and `gl_mesh.c` of Quake, `qfiles.h` of Quake II and Quake III Arena,
//! `tr_surface.c` of Quake III Arena.

mod assembly;
mod input;
mod md2;
mod md3;
mod mdl;
mod motion;
mod normals;
mod part;
mod player;
mod skin;
mod surface;

#[cfg(test)]
mod tests;

pub use skin::PALETTE;

use crate::records::whole;
use crate::stated::decide_frame_rate;
use crate::{FilePlace, LoadOptions, Loaded, ModelFormatError};
use assembly::{ROOT, assemble};
use input::Input;
use motion::{Motion, USUAL_RATE_HZ};
use part::Part;
use tintype_base::precedence::Decided;
use tintype_model::{FileRepair, Model, NamedClip};

/// First bytes of files that are read or refused by name.
const MARKS: [(&[u8; 4], &str); 11] = [
    (b"IDPO", "a Quake model"),
    (b"IDP2", "a Quake 2 model"),
    (b"IDP3", "a Quake 3 model"),
    (b"IDST", "a Half-Life model"),
    (b"IDSQ", "a sequence file of a Half-Life model"),
    (b"RAPO", "a Hexen 2 model"),
    (b"MD16", "a Quake model of 16 bits"),
    (b"MDL3", "a 3D GameStudio model"),
    (b"MDL4", "a 3D GameStudio model"),
    (b"MDL5", "a 3D GameStudio model"),
    (b"MDL7", "a 3D GameStudio model"),
];

/// Contents of a file.
#[derive(Clone, Debug)]
pub struct QuakeModel {
    /// The model.
    pub model: Model,
    /// Its runs of frames, in file order.
    pub clips: Vec<NamedClip>,
    /// Frames per second if the file states none.
    pub rate_hz: Decided<f64>,
}

/// Reads a file into its model and its clips. `fetch` returns the bytes of a file of the game, such
/// as [`PALETTE`], or the reason for failure; `rate_hz` overrides the rate of the engines.
///
/// # Errors
/// [`ModelFormatError`] with the byte of the first mistake, and for files of other engines.
pub fn parse_model(
    bytes: &[u8],
    fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    rate_hz: Option<f64>,
    options: &LoadOptions,
) -> Result<Loaded<QuakeModel>, ModelFormatError> {
    let rate_hz = decide_frame_rate(rate_hz, None, USUAL_RATE_HZ)?;
    let mut input = Input::new(bytes);
    let mut pictures = Vec::new();
    let (part, motions) = match (bytes.first_chunk(), whole(bytes, 1)) {
        (Some(b"IDP2"), md2::VERSION) => with_runs(md2::read(&mut input)?, rate_hz.value),
        (Some(b"IDP3"), md3::VERSION) => with_runs(md3::read(&mut input, options)?, rate_hz.value),
        (Some(b"IDPO"), mdl::VERSION) => {
            let file = mdl::read(&mut input, rate_hz.value, &|| fetch(PALETTE))?;
            pictures = file.pictures;
            (file.part, file.motions)
        }
        (mark, version) => return Err(refused(mark, version)),
    };
    let mut warnings = input.warnings;
    let (model, clips) =
        assemble((&[part], &[None]), &motions, bytes.len(), options, &mut warnings)?;
    let model = Model { pictures, ..model };
    Ok(Loaded { value: QuakeModel { model, clips, rate_hz }, warnings })
}

/// True if a file name is that of the lower body of a player.
#[must_use]
pub fn is_player(file_name: &str) -> bool {
    file_name.eq_ignore_ascii_case(player::FILES[0].0)
}

/// True if a file name is that of a part attached to the lower body of a player.
#[must_use]
pub fn hangs_on_player(file_name: &str) -> bool {
    player::FILES[1..].iter().any(|(name, _)| file_name.eq_ignore_ascii_case(name))
}

/// Reads a player, given the file of its lower body; `fetch` returns the other files, which lie
/// beside it. If they are missing, that is reported and the lower body is the model.
///
/// # Errors
/// Same as for [`parse_model`], for any of the files.
pub fn parse_player(
    lower: &[u8],
    fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    rate_hz: Option<f64>,
    options: &LoadOptions,
) -> Result<Loaded<QuakeModel>, ModelFormatError> {
    let others = player::FILES[1..].iter().map(|(name, _)| fetch(name));
    let others = match others.collect::<Result<Vec<Vec<u8>>, String>>() {
        Ok(others) if looks_like_quake(lower) => others,
        other => {
            let mut loaded = parse_model(lower, fetch, rate_hz, options)?;
            if let Err(why) = other {
                let message = format!("{why}; only the player's lower body is drawn");
                loaded.warnings.push(FileRepair::BadReference.told(message));
            }
            return Ok(loaded);
        }
    };
    let rate_hz = decide_frame_rate(rate_hz, None, USUAL_RATE_HZ)?;
    let (mut parts, mut warnings, mut size) = (Vec::<Part>::new(), Vec::new(), 0_usize);
    let files = std::iter::once(lower).chain(others.iter().map(Vec::as_slice));
    for (bytes, (name, tag)) in files.zip(player::FILES) {
        let mut input = Input::new(bytes);
        let mut part = match (bytes.first_chunk(), whole(bytes, 1)) {
            (Some(b"IDP3"), md3::VERSION) => md3::read(&mut input, options)?,
            (mark, version) => return Err(refused(mark, version)),
        };
        let is_known =
            |tag: &str| parts.iter().flat_map(|part| &part.tags).any(|known| known.name == tag);
        if let Some(tag) = tag.filter(|tag| !is_known(tag)) {
            let message = format!("{name} is attached to the missing tag {tag:?}; {ROOT} is used");
            warnings.push(FileRepair::BadReference.told(message));
        }
        // Both files contain the tag that attaches a part.
        part.tags.retain(|tag| !is_known(&tag.name));
        parts.push(part);
        size = size.saturating_add(bytes.len());
        warnings.extend(input.warnings.into_iter().map(|mut warning| {
            warning.message = format!("{name}: {}", warning.message);
            warning
        }));
    }
    let motions = player::motions(&parts, fetch(player::CLIPS), rate_hz.value, &mut warnings);
    let tags = player::FILES.map(|(_, tag)| tag);
    let (model, clips) = assemble((&parts, &tags), &motions, size, options, &mut warnings)?;
    Ok(Loaded { value: QuakeModel { model, clips, rate_hz }, warnings })
}

/// A part with clips of its runs of frames.
fn with_runs(part: Part, rate_hz: f64) -> (Part, Vec<Motion>) {
    let run = |(name, range): (&str, std::ops::Range<usize>)| {
        Motion::run(name, vec![range.collect()], rate_hz)
    };
    let runs = if part.frames.len() > 1 { motion::runs(&part.frames) } else { Vec::new() };
    let motions = runs.into_iter().map(run).collect();
    (part, motions)
}

/// True if a file begins like these models, or like other models with their extensions, which are
/// refused by name.
#[must_use]
pub fn looks_like_quake(bytes: &[u8]) -> bool {
    MARKS.iter().any(|(mark, _)| bytes.starts_with(*mark))
}

/// The error of a file of another format.
fn refused(mark: Option<&[u8; 4]>, version: u32) -> ModelFormatError {
    let known = MARKS.iter().find(|(known, _)| Some(*known) == mark);
    let name = known.map_or("another file", |(_, name)| name);
    let name = match (mark, version) {
        (Some(b"IDST"), 44..=49) => "a model of the Source engine (Half-Life 2)",
        _ => name,
    };
    let found = format!("{name}, version {}", version.cast_signed());
    let expected = "a model of Quake (IDPO, version 6), Quake 2 (IDP2, version 8) or Quake 3 (IDP3, version 15)";
    ModelFormatError::value(FilePlace::Byte(0), "the format", found, expected)
}
