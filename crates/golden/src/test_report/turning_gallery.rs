//! Models of a gallery that its page turns: each a script beside the page, with scripts of its
//! files.

use super::carried::{Scripts, bytes_of, carried, engine};
use super::error::ReportError;
use super::folder::{listed, remove_others, write_list, write_picture};
use crate::report::gallery::{Gallery, Thumb, ThumbTurn};
use crate::report::json::escape_for_script;
use crate::report::page::script_text;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tintype_base::extension::has_extension;
use tintype_base::path::slashed;
use tintype_framing::ModelFile;
use tintype_render::asset::Inputs;

/// Scripts that turn the models of a gallery.
#[derive(Debug)]
pub struct GalleryTurning<'a> {
    /// The folder of the JavaScript package, with `tintype.wasm`.
    pub package: &'a Path,
    /// The models, in the gallery's names.
    pub models: &'a [ModelFile],
    /// The files of each model by its name.
    pub inputs: &'a BTreeMap<String, Inputs>,
    /// A clip that moves every model.
    pub anim: Option<&'a Path>,
    /// Attributes of all viewers, such as `look`.
    pub attributes: Vec<(&'static str, String)>,
}

impl GalleryTurning<'_> {
    /// Writes the scripts to the folder of the gallery, names them in it, and returns their size in
    /// bytes without the package. A file used by several models is written once.
    ///
    /// # Errors
    /// [`ReportError`] if a file cannot be read or written.
    pub fn write(&self, folder: &Path, gallery: &mut Gallery) -> Result<u64, ReportError> {
        let mut names = listed(folder)?;
        let mut new = BTreeSet::new();
        let mut bytes = 0;
        let mut write = |scripts: &Scripts| {
            let is_new = |name: &&String| new.insert((*name).clone());
            let fresh: Vec<&String> = scripts.keys().filter(is_new).collect();
            names.extend(fresh.iter().copied().cloned());
            // First writes their names, so that none of our files stays permanently if this is
            // interrupted.
            write_list(folder, &names)?;
            fresh
                .iter()
                .try_for_each(|name| write_picture(&folder.join(name), scripts[*name].as_bytes()))
        };
        write(&engine(self.package)?)?;
        let paths: BTreeMap<&str, &Path> =
            self.models.iter().map(|model| (model.name.as_str(), model.path.as_path())).collect();
        for thumb in gallery.models.iter_mut().filter(|thumb| thumb.picture.is_some()) {
            let (Some(path), Some(inputs)) =
                (paths.get(thumb.model.as_str()), self.inputs.get(&thumb.model))
            else {
                continue;
            };
            let (script, scripts) = self.scripts(thumb, path, inputs)?;
            let own = bytes_of(&scripts);
            write(&scripts)?;
            bytes += own;
            thumb.turn = Some(ThumbTurn { script, bytes: own });
        }
        remove_others(folder, &new)?;
        Ok(bytes)
    }

    /// The scripts of a model and its files, and the name of the model's script.
    fn scripts(
        &self,
        thumb: &Thumb,
        path: &Path,
        inputs: &Inputs,
    ) -> Result<(String, Scripts), ReportError> {
        let (mut scripts, files) = carried(inputs, path.parent().unwrap_or(Path::new("")))?;
        let anim = self.anim.map(slashed);
        let is_clip = |file: &&String| {
            has_extension(file, &["md5anim"])
                || anim.as_ref().is_some_and(|anim| anim.ends_with(file.trim_start_matches("../")))
        };
        let clips: Vec<&String> = files.keys().filter(is_clip).collect();
        let mut attributes: serde_json::Map<_, _> = self
            .attributes
            .iter()
            .map(|(name, word)| ((*name).to_owned(), word.clone().into()))
            .collect();
        if let Some(view) = &thumb.view {
            let clip = view.clip.clone().unwrap_or_else(|| "bind".to_owned());
            attributes.insert("clip".to_owned(), clip.into());
            for (name, degrees) in
                [("azimuth", view.azimuth_deg), ("elevation", view.elevation_deg)]
            {
                attributes.insert(name.to_owned(), degrees.to_string().into());
            }
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let told = serde_json::json!({
            "name": name, "files": files, "clips": clips, "attributes": attributes,
        });
        let told = escape_for_script(&told.to_string());
        let digest = blake3::hash(told.as_bytes()).to_hex();
        let script = format!("pictures/models/{}.js", &digest[..32]);
        let text = format!("takeTurn({}, {told}, null);\n", script_text(&script));
        scripts.insert(script.clone(), text);
        Ok((script, scripts))
    }
}

/// Removes the scripts of an earlier gallery that turned.
///
/// # Errors
/// [`ReportError`] if a file cannot be removed.
pub fn remove_turning(folder: &Path) -> Result<(), ReportError> {
    remove_others(folder, &BTreeSet::new())
}
