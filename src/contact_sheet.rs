//! A contact sheet of one model or of two, with its legend.

use super::{Error, ErrorKind, Frame, Model, Turntable};
use tintype_base::diagnostic::Diagnostic;
use tintype_base::path::ShowPath;
use tintype_framing::{ContactSheet as Drawn, ContactSheetError, ModelPath, TurntableNote};
#[cfg(feature = "host")]
use tintype_output::{FileFormat, PngEffort, encode_still};

/// Several numbered pictures in one. For one model: views side by side, times of its clips below
/// each other. For two models: their differences, before and after.
///
/// ```
/// use tintype::Model;
///
/// let model = Model::open("scenes/assets/ranger.x")?;
/// let sheet = model.turntable().directions(2_u32).frames(1).size([128, 128]).contact_sheet(&["walk"])?;
/// assert!(sheet.legend.contains("\"view\": \"front\""));
/// sheet.frame.save("out/review.png")?;
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ContactSheet {
    /// The picture.
    pub frame: Frame,
    /// The legend as JSON, described by `contact-sheet.schema.json` for one model and by
    /// `diff-sheet.schema.json` for two.
    pub legend: String,
    /// Warnings, such as missing textures.
    pub warnings: Vec<Diagnostic>,
}

impl From<Drawn> for ContactSheet {
    fn from(Drawn { frame, legend, warnings }: Drawn) -> Self {
        Self { frame: Frame::plain(frame), legend, warnings }
    }
}

#[cfg(feature = "host")]
impl ContactSheet {
    /// Writes the picture in the format of the extension, `.png`, `.jpg` or `.webp`, and the legend
    /// as a `.json` file beside it.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if the name has another extension, or a file cannot be written.
    pub fn save(&self, path: impl AsRef<std::path::Path>) -> Result<(), Error> {
        let path = path.as_ref();
        super::extension::refuse_other_extension(path, FileFormat::holds_one)?;
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let format = super::extension::format_of(&extension, FileFormat::holds_one)?;
        let bytes = encode_still(&self.frame.picture, format, true, PngEffort::Fast, &[]);
        tintype_host::write_atomic(path, &bytes)
            .and_then(|()| {
                tintype_host::write_atomic(&path.with_extension("json"), self.legend.as_bytes())
            })
            .map_err(|error| Error::of_output(&error))
    }
}

impl Turntable {
    /// Draws a contact sheet. The views are the directions of the turntable, by default 4; its
    /// frames are the times of each clip, by default 3; its size is that of a cell. An empty
    /// `clips` chooses the clip that suits the model; `all` shows every clip.
    ///
    /// # Errors
    /// As [`Turntable::renderer`]; [`ErrorKind::Scene`] if there are too many cells or they are too
    /// narrow.
    pub fn contact_sheet(&self, clips: &[&str]) -> Result<ContactSheet, Error> {
        let clips: Vec<String> = clips.iter().map(|&clip| clip.to_owned()).collect();
        let mut ignore = |_: TurntableNote| {};
        let model = ModelPath::alone(&self.path);
        let drawn = Drawn::draw(&self.options, &clips, model, &self.load_options, &mut ignore);
        drawn.map(ContactSheet::from).map_err(|error| match &error {
            ContactSheetError::Turntable(error) => Error::of_turntable(error),
            ContactSheetError::NoMesh => {
                Error::new(ErrorKind::Draw, format!("{}: {error}", self.path.shown()))
            }
            ContactSheetError::Render(error) => Error::of(ErrorKind::Draw, error),
            _ => Error::of(ErrorKind::Scene, &error),
        })
    }
}

impl Model {
    /// Draws a contact sheet of the clip that suits the model; see [`Turntable::contact_sheet`].
    ///
    /// # Errors
    /// As [`Turntable::contact_sheet`].
    pub fn contact_sheet(&self) -> Result<ContactSheet, Error> {
        self.turntable().contact_sheet(&[])
    }
}
