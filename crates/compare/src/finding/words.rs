//! The words of findings, for people only; no code parses them.

mod clips;
mod meshes;
mod motion;
mod pieces;
mod structure;
mod values;

pub use pieces::short;

use super::{Element, Finding, Kind, Subject};
use clips::of_clip;
use meshes::{of_elements, of_mesh};
use motion::{deformed, movement, of_all};
use pieces::named;
use structure::{of_structure, presence};
use tintype_base::printable::one_line;
use values::{of_files, of_picture, of_texture, of_value};

impl Finding {
    /// Describes the difference in one line, whatever names it contains, without its stage.
    #[must_use]
    pub fn sentence(&self) -> String {
        let place = |owner: &Subject| match (owner.element, owner.index, &owner.name) {
            (Element::Instance, Some(index), Some(name)) => format!("instance {index} ({name}): "),
            (Element::Model | Element::Instance, ..) => format!("{}: ", named(owner)),
            _ => String::new(),
        };
        let places: String = self.within.iter().rev().map(place).collect();
        one_line(&(places + &body(self)))
    }

    /// Its owner of a kind.
    fn owner(&self, element: Element) -> Option<&Subject> {
        self.within.iter().find(|owner| owner.element == element)
    }
}

fn body(finding: &Finding) -> String {
    match finding.kind {
        Kind::Removed | Kind::Added | Kind::Left | Kind::Joined => presence(finding),
        Kind::Renamed
        | Kind::Reordered
        | Kind::SameSurface
        | Kind::Reparented
        | Kind::CountChanged
        | Kind::AboveLimit
        | Kind::More => of_structure(finding),
        Kind::Moved | Kind::Turned | Kind::Scaled => movement(finding),
        Kind::MovedAgainst | Kind::Quantized | Kind::Rounded | Kind::Unkept => of_all(finding),
        Kind::Carried | Kind::Deformed => deformed(finding),
        Kind::RateChanged
        | Kind::DurationChanged
        | Kind::PeriodChanged
        | Kind::KeysMoved
        | Kind::InterpolationChanged
        | Kind::TangentsChanged
        | Kind::Resampled
        | Kind::Misfit => of_clip(finding),
        Kind::CornersChanged
        | Kind::UnusedChanged
        | Kind::PulledOtherwise
        | Kind::MovesOtherwise
        | Kind::TurnsOtherwise => of_mesh(finding),
        Kind::ElementsChanged | Kind::AllChanged => of_elements(finding),
        Kind::ValueChanged => of_value(finding),
        Kind::Replaced | Kind::UseChanged | Kind::TexelsChanged => of_texture(finding),
        Kind::FileChanged | Kind::Respelled => of_files(finding),
        Kind::Covers
        | Kind::SeenOtherwise
        | Kind::PixelsChanged
        | Kind::Redrawn
        | Kind::NotDrawn
        | Kind::Resized => of_picture(finding),
    }
}
