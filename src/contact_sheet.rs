//! A contact sheet of a model, with its legend.

use super::{Error, ErrorKind, Frame, Model, Turntable};
use tintype_base::diagnostic::Diagnostic;
use tintype_base::path::ShowPath;
use tintype_framing::{ContactSheet as Drawn, ContactSheetError, ModelPath, TurntableNote};

pub use tintype_framing::contact_sheet::{
    Area, Cell, Joint as CellJoint, Legend, Part as CellPart, Projection, RecordedCamera, ScaleBar,
};

/// Numbered pictures of a model in one: views beside each other, moments of its clips below each other.
///
/// ```
/// use tintype::Model;
///
/// let model = Model::open("scenes/assets/ranger.x")?;
/// let sheet = model.turntable().directions(2_u32).frames(1).size([128, 128]).contact_sheet(&["walk"])?;
/// assert_eq!(sheet.legend.cells.len(), 2);
/// assert!(sheet.legend.to_json().contains("\"view\": \"front\""));
/// sheet.frame.save("out/review.png")?;
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ContactSheet {
    /// The picture.
    pub frame: Frame,
    /// Its legend.
    pub legend: Legend,
    /// Missing textures and the like.
    pub warnings: Vec<Diagnostic>,
}

impl Turntable {
    /// Draws a contact sheet: directions are the views, by default 4, and frames the moments of each clip, by default 3; the size is that of
    /// a cell. Without clips it shows the one that suits the model, for `all` every one.
    ///
    /// # Errors
    /// As [`Turntable::renderer`]; [`ErrorKind::Scene`] if the cells are too many or too narrow.
    pub fn contact_sheet(&self, clips: &[&str]) -> Result<ContactSheet, Error> {
        let clips: Vec<String> = clips.iter().map(|&clip| clip.to_owned()).collect();
        let mut ignore = |_: TurntableNote| {};
        let model = ModelPath::alone(&self.path);
        let drawn = Drawn::draw(&self.options, &clips, model, &self.load_options, &mut ignore);
        let Drawn { frame, legend, warnings } = drawn.map_err(|error| match &error {
            ContactSheetError::Turntable(error) => Error::of_turntable(error),
            ContactSheetError::NoMesh => {
                Error::new(ErrorKind::Draw, format!("{}: {error}", self.path.shown()))
            }
            ContactSheetError::Grid(error) => Error::of(ErrorKind::Scene, error),
            ContactSheetError::Render(error) => Error::of(ErrorKind::Draw, error),
        })?;
        Ok(ContactSheet { frame: Frame::plain(frame), legend, warnings })
    }
}

impl Model {
    /// A contact sheet of the clip that suits the model; see [`Turntable::contact_sheet`].
    ///
    /// # Errors
    /// As [`Turntable::contact_sheet`].
    pub fn contact_sheet(&self) -> Result<ContactSheet, Error> {
        self.turntable().contact_sheet(&[])
    }
}
