//! Limits of the models of a library: those of a game, checked by its test.

use crate::checked::Checked;
use crate::record::Cause;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::PathBuf;
use tintype_base::path::ShowPath;
use tintype_compare::finding::{Element, Finding, Kind, Stage, Subject, Value};
use tintype_framing::Character;

/// Upper limits on the numbers of a model; unlimited where not set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibraryLimits {
    /// Triangles of all meshes together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triangles: Option<u32>,
    /// Joints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joints: Option<u32>,
    /// Texels of the longer side of each texture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture_size: Option<u32>,
}

impl LibraryLimits {
    /// True if nothing is limited.
    pub(super) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Counts and sizes of a model above a limit.
    fn broken(&self, character: &Character) -> Vec<Finding> {
        let model = &character.assets.models[0].model;
        let triangles = model.meshes.iter().map(|mesh| mesh.triangles.len()).sum::<usize>();
        let counts = [
            (Stage::Mesh, Element::Triangle, triangles, self.triangles),
            (Stage::Structure, Element::Joint, model.skeleton.joints().len(), self.joints),
        ];
        let above = |most: u32| Value::count(most as usize);
        let mut found: Vec<Finding> = Vec::new();
        for (stage, of, count, most) in counts {
            if let Some(most) = most.filter(|most| count > *most as usize) {
                let finding = Finding::new(stage, Kind::AboveLimit, Subject::all(of));
                found.push(finding.from_to(above(most), Value::count(count)));
            }
        }
        let assets = &character.assets;
        for file in assets.files.iter().chain(&assets.pictures) {
            let level = |&index: &usize| assets.textures.get(index)?.levels.first();
            // The size of a picture used twice counts once.
            let size = file.textures.iter().find_map(level).map(|one| [one.width, one.height]);
            let is_above =
                |most: &u32| size.is_some_and(|[width, height]| width.max(height) > *most);
            if let (Some([width, height]), Some(most)) = (size, self.texture_size.filter(is_above))
            {
                // An MD5 shader does not name a file, and an embedded picture has no file name.
                let own = file.path.file_name().filter(|_| !file.is_embedded);
                let name = own.map_or_else(|| file.name.clone(), OsStr::shown);
                let of = Subject::named(Element::Texture, &name);
                let size = Value::from(format!("{width}x{height}"));
                let finding = Finding::new(Stage::Texture, Kind::AboveLimit, of);
                found.push(finding.from_to(above(most), size));
            }
        }
        found
    }

    /// The failure of a model above a limit; `folder` is the folder of its goldens.
    pub(super) fn check(&self, character: &Character, folder: PathBuf) -> Option<Checked> {
        let broken = if self.is_none() { Vec::new() } else { self.broken(character) };
        let verdict = Verdict::AboveLimit;
        let cause = (!broken.is_empty()).then(|| Cause::whole_of(broken))?;
        Some(Checked { cause: Some(cause), ..Checked::new(folder, verdict) })
    }
}
