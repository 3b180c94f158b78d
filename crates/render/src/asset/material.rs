//! Materials of the meshes, by their shader names.
//!
//! Input: the scene's `[[material]]` tables and the shader names of the loaded models. Output: a
//! list of materials with indices into a list of textures, and for each the files found or tried.
//! The material tables come first, in their order, used or not; looked-up materials follow in the
//! order of models and meshes.

mod clay;
mod made;
mod missing;
mod missing_texture;
mod mtr;
mod report;
mod search;

pub use report::{MaterialOrigin, MaterialReport, MtrReport};

use super::cutout::AlphaShares;
use super::error::AssetError;
use super::file::{FileRecord, Source};
use super::folder::Folders;
use super::inputs::Input;
use super::lookup::Found;
use super::material_library::MaterialLibrary;
use super::shared_files::SharedFiles;
use super::texture::{TextureRequest, TextureRequests, TextureUse};
use missing_texture::look_missing;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::{Diagnostic, Kind, Place};
use tintype_base::path::{ShowPath, path_of_text};
use tintype_base::precedence::{Decided, DecidedBy};
use tintype_base::suggest::nearest_word;
use tintype_formats::LoadOptions;
use tintype_model::{
    AlphaMode, CullMode, FileMaterial, LinearRgb, Material, Model, ShadingModel, Texture,
    TextureKind, TextureRole, TextureSampling,
};
use tintype_scene::{MaterialEntry, MissingLook, Scene, Shade};

/// Colour of a mesh without a shader name.
const PLAIN_GREY: [u8; 3] = [0x99; 3];
/// Maximum number of tried names in a warning, without extensions.
const MAX_NAMES: usize = 6;
/// Cutoff of a mask derived from the alpha of its picture.
const CUTOUT_CUTOFF: f32 = 0.5;

/// One material before its textures are loaded.
struct MaterialDraft {
    material: Material,
    report: MaterialReport,
    /// The role that the surface requires.
    surface: TextureRole,
    /// One for each role.
    requests: [Option<TextureRequest>; TextureRole::ALL.len()],
    /// The strength if the scene sets one.
    specular_strength: Option<f32>,
    /// True if its far side is visible through its holes.
    shows_inside: bool,
}

/// The materials of a scene while they are resolved.
pub(super) struct MaterialResolver<'s> {
    pub(super) scene: &'s Scene,
    pub(super) scene_folder: &'s Path,
    folders: Folders,
    drafts: Vec<MaterialDraft>,
    requests: TextureRequests,
    /// Materials that were looked up, by the model's folder and the shader name.
    looked_up: BTreeMap<(PathBuf, String), usize>,
    /// For each material table, true if it is used.
    used: Vec<bool>,
    warnings: Vec<Diagnostic>,
    options: &'s LoadOptions,
    shared: Option<&'s SharedFiles>,
    library: MaterialLibrary,
    /// The material files that define a used material, in the order of their first use.
    mtr_used: Vec<usize>,
    /// Materials whose picture should end at its edges, with the position that requests it.
    clamped: BTreeMap<usize, (PathBuf, u32)>,
    /// Missing textures of the current model.
    missing: Vec<missing_texture::MissingTexture>,
    /// The `.skin` files that gave a texture.
    skins: Vec<FileRecord>,
    /// Warnings already issued about material files.
    told: BTreeSet<(PathBuf, String)>,
}

impl<'s> MaterialResolver<'s> {
    /// A library with the scene's materials in it, and the material files named by the scene.
    ///
    /// # Errors
    /// The first of these files that is missing, cannot be read or is invalid.
    pub(super) fn new(
        scene: &'s Scene,
        scene_folder: &'s Path,
        options: &'s LoadOptions,
        shared: Option<&'s SharedFiles>,
    ) -> Result<Self, AssetError> {
        let mut resolver = Self {
            scene,
            scene_folder,
            folders: Folders::of(options),
            drafts: Vec::new(),
            requests: TextureRequests::new(scene.output.size),
            looked_up: BTreeMap::new(),
            used: vec![false; scene.materials.len()],
            warnings: Vec::new(),
            options,
            shared,
            library: MaterialLibrary::default(),
            mtr_used: Vec::new(),
            clamped: BTreeMap::new(),
            missing: Vec::new(),
            skins: Vec::new(),
            told: BTreeSet::new(),
        };
        resolver.library.read_named(
            &scene.texture_mtr,
            scene_folder,
            &mut resolver.folders,
            options,
            &mut resolver.warnings,
        )?;
        for (index, entry) in scene.materials.iter().enumerate() {
            let draft = resolver.draft_entry(index, entry);
            resolver.drafts.push(draft);
        }
        Ok(resolver)
    }

    /// Makes the textures named by the scene itself.
    pub(super) fn load_early(&mut self) {
        self.requests.load_early(self.options, self.shared);
    }

    fn draft_entry(&mut self, index: usize, entry: &MaterialEntry) -> MaterialDraft {
        let mut report =
            MaterialReport::new(entry.name.clone(), MaterialOrigin::Scene(index), Found::default());
        let requests = TextureRole::ALL.map(|role| {
            let path = match role {
                TextureRole::Diffuse => &entry.diffuse,
                TextureRole::Normal => &entry.normal,
                TextureRole::Specular => &entry.specular,
                TextureRole::Emissive => &entry.emissive_map,
                TextureRole::MetallicRoughness => &entry.metallic_roughness,
                TextureRole::Occlusion => &entry.occlusion,
                _ => return None,
            };
            let key = format!("material[{index}].{}", role.name());
            let source = Source::new(self.scene_folder, path.as_deref()?, key);
            *report.texture_mut(role) = Some(source.path.clone());
            let sampling = TextureSampling { filter: entry.filter, ..Default::default() };
            self.request(source, role, entry.alpha, sampling, false)
        });
        let material = Material {
            color: entry.color,
            opacity: entry.opacity,
            shininess: entry.shininess,
            emissive: entry.emissive,
            alpha: entry.alpha,
            cull: entry.cull,
            normal_y_down: entry.normal_y_down,
            response: entry.response.clone(),
            ..Material::new(entry.name.clone())
        };
        let (surface, specular_strength) = (TextureRole::Diffuse, entry.specular_strength);
        MaterialDraft {
            material,
            report,
            surface,
            requests,
            specular_strength,
            shows_inside: false,
        }
    }

    /// The material of each mesh of a model.
    ///
    /// # Errors
    /// [`AssetError::Read`] if a folder exists and cannot be listed.
    pub(super) fn materials_of(
        &mut self,
        model: &Model,
        source: &Source,
    ) -> Result<Vec<usize>, AssetError> {
        let mut materials = Vec::new();
        for mesh in &model.meshes {
            let name = &mesh.material_name;
            let label = skin_label(&mesh.name, materials.len());
            let decided = self.decide_texture(name, model, source, |own| {
                if mesh.triangles.is_empty() {
                    Ok(own.plain("", MaterialOrigin::EmptyMesh, source))
                } else if name.trim().is_empty() {
                    own.of_unnamed(model, source)
                } else {
                    let index = own.look_up(name, &label, model, source)?;
                    own.warn_clamped(index, mesh);
                    Ok(index)
                }
            })?;
            materials.push(decided.value);
        }
        self.warn_missing();
        for (path, fault, taken) in self.folders.take_passed() {
            let taken = taken.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let message = format!("unusable, so {taken} is used instead: {fault}");
            if self.told.insert((path.clone(), message.clone())) {
                let place = Place::file(&path, 0);
                self.warnings.push(Diagnostic::warning(Kind::Material, place, message));
            }
        }
        let mut drawn = (model.meshes.iter().zip(&materials))
            .filter(|(mesh, _)| !mesh.triangles.is_empty())
            .map(|(_, &index)| self.drafts.get(index).map(|draft| draft.report.origin))
            .peekable();
        let is_undrawn =
            |origin| matches!(origin, Some(MaterialOrigin::MtrUndrawn | MaterialOrigin::Helper));
        let message = if drawn.clone().any(|origin| origin == Some(MaterialOrigin::Helper)) {
            "nothing is drawn: all materials of its meshes are invisible"
        } else {
            "nothing is drawn: all stages of its meshes' materials are off"
        };
        if drawn.peek().is_some() && drawn.all(is_undrawn) {
            self.warnings.push(source.warning(Kind::Material, message));
        }
        Ok(materials)
    }

    /// The material that an instance assigns to a mesh by name: a table of the scene, a material of
    /// the model's file, or one that is looked up like a shader.
    ///
    /// # Errors
    /// [`AssetError::Read`] if a folder exists and cannot be listed.
    pub(super) fn material_named(
        &mut self,
        name: &str,
        model: &Model,
        source: &Source,
    ) -> Result<usize, AssetError> {
        let decided = self.decide_texture(name, model, source, |own| {
            let index = own.look_up(name, "", model, source)?;
            own.warn_missing();
            Ok(index)
        })?;
        Ok(decided.value)
    }

    /// The material of a name with its textures, and the source of the decision: a table of the
    /// scene, otherwise the model's file, otherwise `look_up`, which follows naming conventions and
    /// guesses if they find nothing. Pictures in the folders named by the scene take precedence
    /// among equal names.
    fn decide_texture(
        &mut self,
        name: &str,
        model: &Model,
        source: &Source,
        look_up: impl FnOnce(&mut Self) -> Result<usize, AssetError>,
    ) -> Result<Decided<usize>, AssetError> {
        let value = if let Some(index) = self.entry_of(name) {
            if let Some(used) = self.used.get_mut(index) {
                *used = true;
            }
            index
        } else if let Some(own) = model.materials.iter().find(|own| own.name == name) {
            self.of_file(own, model, source)?
        } else {
            look_up(self)?
        };
        let origin = self.drafts.get(value).map(|draft| draft.report.origin);
        let by = origin.map_or(DecidedBy::Convention, MaterialOrigin::decided_by);
        Ok(Decided { value, by })
    }

    /// The material table of a shader name: spelt the same, otherwise ignoring case and the kind of
    /// slash, otherwise as the end of its path.
    fn entry_of(&self, shader: &str) -> Option<usize> {
        let plain = |name: &str| name.replace('\\', "/").to_lowercase();
        let entries = &self.scene.materials;
        entries.iter().position(|entry| entry.name == shader).or_else(|| {
            let shader = plain(shader);
            let file = shader.rsplit('/').next().filter(|file| !file.is_empty());
            let stem = file.map(|file| file.rsplit_once('.').map_or(file, |(stem, _)| stem));
            let fits = |word: Option<&str>| {
                entries.iter().position(|entry| Some(plain(&entry.name).as_str()) == word)
            };
            fits(Some(&shader)).or_else(|| fits(file)).or_else(|| fits(stem))
        })
    }

    /// The use of a picture in a role. None for a picture that clay leaves out.
    fn kind(&self, role: TextureRole, alpha: AlphaMode) -> Option<TextureKind> {
        match self.scene.output.shade {
            Shade::Textured => Some(role.kind(alpha)),
            Shade::Clay if role != TextureRole::Diffuse => None,
            // Opaque surfaces too: the alpha of the picture may be a cut-out.
            Shade::Clay => Some(TextureKind::Coverage),
        }
    }

    /// The material of a mesh without a shader name: the picture with the model's name, or the only
    /// one beside a model all of whose meshes are unnamed; otherwise plain grey.
    fn of_unnamed(&mut self, model: &Model, source: &Source) -> Result<usize, AssetError> {
        let key = (source.path.join("guess"), String::new());
        if let Some(&index) = self.looked_up.get(&key) {
            return Ok(index);
        }
        let is_bare = model.meshes.iter().all(|mesh| mesh.material_name.trim().is_empty());
        // A mesh without coordinates would show a single texel of it.
        let has_texcoords = model.meshes.iter().any(|mesh| {
            mesh.material_name.trim().is_empty()
                && mesh.texcoords.windows(2).any(|two| two[0] != two[1])
        });
        let guess = if has_texcoords { self.guess("", is_bare, model, source)? } else { None };
        let Some(guess) = guess else {
            return Ok(self.plain("", MaterialOrigin::Unnamed, source));
        };
        let file = guess.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut found = Found::default();
        found.take(&mut self.folders, guess.path).map_err(|source_error| AssetError::Read {
            path: source.path.clone(),
            key: "the texture of a mesh without a shader name".to_owned(),
            source: source_error,
        })?;
        let origin = MaterialOrigin::Guessed;
        let index = self.insert(key, Material::new(""), origin, found, Vec::new());
        self.note(index, format!("no shader name; drawn with {file}, {}", guess.rule));
        Ok(index)
    }

    /// A material without a look-up; one of each kind per model.
    fn plain(&mut self, shader: &str, origin: MaterialOrigin, source: &Source) -> usize {
        // No file has such a path, so these keys never collide with those of a look-up.
        let place = source.path.join(format!("{origin:?}"));
        let key = (place, shader.to_owned());
        if let Some(&index) = self.looked_up.get(&key) {
            return index;
        }
        if origin == MaterialOrigin::Unnamed {
            let message = "a mesh without a shader name is drawn plain grey";
            let help = "add a [[material]] with name = \"\" to set it";
            self.warnings.push(source.warning(Kind::Material, message).with_scene_help(help));
        }
        let color = LinearRgb::from_codes(PLAIN_GREY);
        let material = Material { color, ..Material::new(shader) };
        self.insert(key, material, origin, Found::default(), Vec::new())
    }

    /// A material of a surface that is not drawn.
    fn undrawn(&mut self, key: (PathBuf, String), shader: &str, origin: MaterialOrigin) -> usize {
        let material = Material { alpha: AlphaMode::Blend, opacity: 0.0, ..Material::new(shader) };
        self.insert(key, material, origin, Found::default(), Vec::new())
    }

    /// Requests a picture in a role. None if the scene draws clay and the picture has no holes.
    fn request(
        &mut self,
        source: Source,
        role: TextureRole,
        alpha: AlphaMode,
        sampling: TextureSampling,
        may_be_cutout: bool,
    ) -> Option<TextureRequest> {
        let kind = self.kind(role, alpha)?;
        Some(self.requests.add(source, TextureUse { kind, sampling, may_be_cutout }))
    }

    /// A material described by the model's file, with the textures that it names.
    fn of_file(
        &mut self,
        own: &FileMaterial,
        model: &Model,
        source: &Source,
    ) -> Result<usize, AssetError> {
        // Two files in one folder may use one name for different things.
        let key = (source.path.join("material"), own.name.clone());
        if let Some(&index) = self.looked_up.get(&key) {
            return Ok(index);
        }
        let mut searched = Vec::new();
        let mut found = Found::default();
        let mut origin = MaterialOrigin::File;
        let mut notes = own.notes.clone();
        if let Some(texture) = &own.diffuse {
            (found, searched) = self.picture_of_file(texture, model, source)?;
            if found.diffuse.is_none() {
                if let Some(note) = self.take_guess(texture, model, source, &mut found)? {
                    notes.push(note);
                } else {
                    self.note_missing(texture, &own.name, source, &found.tried, &searched);
                    origin = MaterialOrigin::FileMissing;
                }
            }
        }
        let is_named = own.normal.is_some();
        for role in TextureRole::ALL {
            let Some(texture) = own.texture(role).filter(|_| role != TextureRole::Diffuse) else {
                continue;
            };
            (*found.texture_mut(role), searched) =
                self.further_picture(texture, own, model, source)?;
        }
        let by_opacity = if own.opacity < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque };
        let material = Material {
            color: own.color,
            opacity: own.opacity,
            specular_color: own.specular_color,
            shininess: own.shininess,
            emissive: own.emissive,
            alpha: own.alpha.unwrap_or(by_opacity),
            cull: own.cull,
            normal_y_down: is_named && own.shading == ShadingModel::FixedFunction,
            shading: own.shading,
            response: own.response.clone(),
            coordinates: own.coordinates.clone(),
            ..Material::new(own.name.clone())
        };
        let strength = own.specular_strength;
        let made = self.made_textures(own, found.diffuse.as_deref(), model, source)?;
        let report = MaterialReport {
            searched,
            ..MaterialReport::new(material.name.clone(), origin, found)
        };
        let may_be_cutout = own.alpha.is_none();
        let index = self.insert_sampled(key, material, report, own.sampling, may_be_cutout);
        if let Some(draft) = self.drafts.get_mut(index) {
            draft.specular_strength = Some(strength);
            draft.shows_inside = own.shows_inside;
            draft.report.notes = notes;
            for (role, file, request) in made {
                draft.report.texture_mut(role).get_or_insert(file);
                draft.requests[role as usize] = request;
            }
        }
        Ok(index)
    }

    fn insert(
        &mut self,
        key: (PathBuf, String),
        material: Material,
        origin: MaterialOrigin,
        found: Found,
        searched: Vec<PathBuf>,
    ) -> usize {
        let report = MaterialReport {
            searched,
            ..MaterialReport::new(material.name.clone(), origin, found)
        };
        self.insert_sampled(key, material, report, Default::default(), true)
    }

    /// Inserts a material whose textures are sampled by the rules of each role. `may_be_cutout`
    /// means that no file states the purpose of the alpha of an opaque material.
    fn insert_sampled(
        &mut self,
        key: (PathBuf, String),
        material: Material,
        report: MaterialReport,
        sampling: [TextureSampling; TextureRole::ALL.len()],
        may_be_cutout: bool,
    ) -> usize {
        let requests = TextureRole::ALL.map(|role| {
            let what = role.name();
            let name = format!("{} {what}", material.name);
            let key = format!("the {what} texture of shader {:?}", material.name);
            let source = Source { name, path: report.texture(role)?.clone(), key };
            let may_be_cutout = may_be_cutout
                && role == TextureRole::Diffuse
                && material.alpha == AlphaMode::Opaque;
            let sampling = sampling.get(role as usize).copied().unwrap_or_default();
            self.request(source, role, material.alpha, sampling, may_be_cutout)
        });
        let index = self.drafts.len();
        let (surface, specular_strength) = (TextureRole::Diffuse, None);
        let shows_inside = false;
        self.drafts.push(MaterialDraft {
            material,
            report,
            surface,
            requests,
            specular_strength,
            shows_inside,
        });
        self.looked_up.insert(key, index);
        index
    }

    /// Records which parts of the scene's library lead nowhere.
    fn warn_unused(&mut self, shaders: &[&str]) {
        for (index, entry) in self.scene.materials.iter().enumerate() {
            if self.used.get(index) == Some(&true) {
                continue;
            }
            let hint = nearest_word(&entry.name, shaders.iter().copied())
                .map_or_else(String::new, |name| format!("; there is a shader {name:?}"));
            self.warnings.push(Diagnostic::warning(
                Kind::Material,
                Place::key(format!("material[{index}].name")),
                format!("no mesh has the shader {:?}{hint}", entry.name),
            ));
        }
        for key in self.library.unused_keys(&self.mtr_used) {
            self.warnings.push(Diagnostic::warning(
                Kind::Material,
                Place::key(key.to_owned()),
                "no mesh uses any of its materials".to_owned(),
            ));
        }
        for (index, folder) in self.scene.texture_search.iter().enumerate() {
            let path = self.scene_folder.join(path_of_text(&folder.replace('\\', "/")));
            if !self.folders.has(&path) {
                self.warnings.push(Diagnostic::warning(
                    Kind::Material,
                    Place::key(format!("textures.search[{index}]")),
                    format!("there is no folder {}", path.shown()),
                ));
            }
        }
    }

    /// Reads the bytes of all pictures; returns their files, and their memory when decoded.
    pub(super) fn read_pictures(&mut self) -> (Vec<Input>, u64) {
        self.requests.read(self.options)
    }

    /// The material files that define a used material, and the `.skin` files of used textures.
    pub(super) fn used_files(&self) -> impl Iterator<Item = &FileRecord> {
        let library = self.mtr_used.iter().filter_map(|&file| self.library.file(file));
        library.map(|file| &file.record).chain(&self.skins)
    }

    /// The material files named by the scene that provided no material.
    pub(super) fn unused_files(&self) -> impl Iterator<Item = &FileRecord> {
        self.library.unused_files(&self.mtr_used)
    }

    /// Loads all textures and adds them to the materials. `shaders` are the shaders of all meshes.
    ///
    /// # Errors
    /// The first texture, in the order of the materials, that the scene names and that is missing,
    /// broken or unreadable.
    pub(super) fn finish(
        mut self,
        shaders: &[&str],
        textures: &mut Vec<Texture>,
        records: &mut Vec<FileRecord>,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<(Vec<Material>, Vec<MaterialReport>), AssetError> {
        self.warn_unused(shaders);
        warnings.append(&mut self.warnings);
        records.extend(self.used_files().cloned());
        let (is_clay, look) = (self.scene.output.shade == Shade::Clay, self.scene.missing_look());
        let loaded =
            self.requests.load(self.options, self.shared, textures, records).within_limit()?;
        let (mut materials, mut reports) = (Vec::new(), Vec::new());
        let mut checker_index = None;
        for draft in self.drafts {
            let MaterialDraft {
                mut material,
                mut report,
                surface,
                requests,
                mut specular_strength,
                shows_inside,
            } = draft;
            let explicit = matches!(report.origin, MaterialOrigin::Scene(_));
            for (role, request) in TextureRole::ALL.into_iter().zip(requests) {
                let Some(request) = request else { continue };
                match loaded.texture(request) {
                    Ok((texture, shares)) => {
                        *material.texture_mut(role) = Some(texture);
                        if let Some(shares) = shares {
                            material.alpha = AlphaMode::Mask { cutoff: CUTOUT_CUTOFF };
                            report.notes.push(cutout_note(shares));
                        }
                    }
                    // An unreadable texture is not a missing one.
                    Err(AssetError::Read { source, .. }) if !is_content(source) => {
                        return Err(loaded.into_error(request));
                    }
                    Err(_) if explicit => return Err(loaded.into_error(request)),
                    Err(error) => {
                        let path = report.texture_mut(role).take();
                        warnings.push(broken(error, path.as_deref()));
                    }
                }
            }
            let is_asked = requests.get(surface as usize).is_some_and(Option::is_some);
            if is_clay {
                clay::leave_clay(&mut material);
            } else if let Some(missing) = report.origin.without_surface(is_asked)
                && material.texture(surface).is_none()
            {
                report.origin = missing;
                look_missing(look, &mut material, textures, &mut checker_index);
                // With the strength of a painted surface a grey one would look like chrome.
                if look == MissingLook::Grey {
                    specular_strength = Some(0.0);
                }
            }
            if shows_inside
                && material.alpha != AlphaMode::Opaque
                && material.cull == CullMode::Auto
            {
                material.cull = CullMode::None;
            }
            material.specular_strength = specular_strength.unwrap_or(match material.specular {
                Some(_) => 1.0,
                None => Material::DEFAULT_SPECULAR,
            });
            if is_clay {
                material.specular_strength = clay::SPECULAR;
            }
            material.move_to(0.0);
            materials.push(material);
            reports.push(report);
        }
        Ok((materials, reports))
    }
}

fn cutout_note(AlphaShares([low, between, high]): AlphaShares) -> String {
    format!(
        "its alpha looks like a cut-out and is drawn as a mask: {low} % transparent, {high} % opaque, {between} % between"
    )
}

/// Cache key of the result for a shader name of a model.
fn look_up_key(shader: &str, source: &Source) -> (PathBuf, String) {
    let model_folder = source.path.parent().unwrap_or(Path::new("")).to_path_buf();
    (model_folder, shader.to_owned())
}

/// Names that differ only in their extension, written as one: `skin.{png,tga}`.
fn grouped(names: &[String]) -> Vec<String> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for name in names {
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        match groups.last_mut() {
            Some((last, extensions)) if *last == stem => extensions.push(extension),
            _ => groups.push((stem, vec![extension])),
        }
    }
    groups.iter().map(|(stem, extensions)| format!("{stem}.{{{}}}", extensions.join(","))).collect()
}

/// True if a file was read but has invalid content: a Git LFS pointer, or damaged in its archive.
fn is_content(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::InvalidData
}

/// The warning for a texture that was found by its name but cannot be used.
fn broken(error: &AssetError, path: Option<&Path>) -> Diagnostic {
    let cause = std::error::Error::source(error).map_or(error.to_string(), ToString::to_string);
    Diagnostic::warning(
        Kind::Material,
        path.map_or(Place::None, |path| Place::file(path, 0)),
        format!("found by its name but skipped: {cause}"),
    )
    .as_stand_in()
}

/// The label of a mesh in `.skin` files: its name, and after a line feed its number in the model.
fn skin_label(name: &str, number: usize) -> String {
    format!("{name}\n{number}")
}
