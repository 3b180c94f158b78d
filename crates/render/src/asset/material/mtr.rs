//! Materials from Doom 3 material files: resolves their pictures.
//!
//! Input: a material of the library and the model that uses it. Output: a draft with requests for
//! its pictures, whose paths are first relative to the game's folder and are then searched like
//! shader names. A missing picture is left out of its image program. If none is left for the
//! surface, the shader name itself is searched, then the picture for level editors is used, and
//! finally the checkerboard. Each of these causes a warning. A surface that is not lit uses its
//! picture as emission.

use super::{MaterialDraft, MaterialOrigin, MaterialReport, MaterialResolver, MtrReport};
use crate::asset::archive;
use crate::asset::error::AssetError;
use crate::asset::file::Source;
use crate::asset::lookup::{self, Found};
use crate::asset::material_library::{self, LibraryFile};
use crate::asset::texture::{TextureRequest, TextureUse};
use std::path::{Path, PathBuf};
use tintype_base::diagnostic::{Diagnostic, Kind, Place};
use tintype_base::path::ShowPath;
use tintype_formats::mtr::{ImageProgram, MtrCover, MtrLook, MtrMaterial, builtin_image};
use tintype_model::{AlphaMode, CullMode, LinearRgb, Material, Mesh, TextureRole};

/// The pages of a material file for a material that is not drafted yet.
struct Pages {
    file: usize,
    path: PathBuf,
    base: PathBuf,
    material: MtrMaterial,
}

/// A picture that a material is made of, found.
struct Picture {
    program: ImageProgram,
    sources: Vec<(String, Source)>,
}

/// The surface of a material without a diffuse texture.
struct Bare {
    origin: MaterialOrigin,
    /// The textures of the material's name, and the searched folders.
    found: Found,
    searched: Vec<PathBuf>,
    /// The picture for level editors.
    picture: Option<Picture>,
    is_black: bool,
}

impl Bare {
    fn new(origin: MaterialOrigin) -> Self {
        let (found, searched) = (Found::default(), Vec::new());
        Self { origin, found, searched, picture: None, is_black: false }
    }
}

impl MaterialResolver<'_> {
    /// The material of a shader name if a material file has one.
    pub(super) fn of_mtr(
        &mut self,
        shader: &str,
        source: &Source,
    ) -> Result<Option<usize>, AssetError> {
        let mut searched = self.given_folders();
        // The folder of a game precedes each of its archives.
        let above = source.path.ancestors().skip(1);
        let games = above.filter(|folder| archive::game_folder(folder) != *folder);
        searched.extend(games.map(|folder| archive::game_folder(folder).to_path_buf()));
        let bases = material_library::bases(searched, &source.path, self.scene_folder);
        let hit = self.library.find(
            shader,
            &bases,
            &mut self.folders,
            self.options,
            &mut self.warnings,
        )?;
        let Some(hit) = hit else { return Ok(None) };
        let (file, material) = (hit.file, hit.material.clone());
        let (look, tables, again) = (hit.look, hit.tables, hit.again);
        let Some(LibraryFile { source: of, base, .. }) = self.library.file(file) else {
            return Ok(None);
        };
        let pages = Pages { file, path: of.path.clone(), base: base.clone(), material };
        let name = &pages.material.name;
        for (path, line) in again {
            let first = format!("{}:{}", pages.path.shown(), pages.material.position.line);
            let message = format!("material {name:?} is also in {first}, which is used");
            self.warn_once(&path, line, message);
        }
        let look = match look {
            Ok(look) => look,
            Err(error) => {
                let message = format!("material {name:?} is skipped: {error}");
                self.warn_once(&pages.path, 0, message);
                self.note_used(pages.file);
                return Ok(None);
            }
        };
        self.tell_notes(&pages, &look);
        tables.into_iter().for_each(|file| self.note_used(file));
        self.draft_mtr(shader, source, &pages, look).map(Some)
    }

    fn note_used(&mut self, file: usize) {
        if !self.mtr_used.contains(&file) {
            self.mtr_used.push(file);
        }
    }

    /// Warns if a mesh exceeds the edges of a picture that should end there.
    pub(super) fn warn_clamped(&mut self, material: usize, mesh: &Mesh) {
        /// Half a texel of a large picture.
        const NEAR: f32 = 1.0 / 4096.0;
        let is_inside = |value: f32| (-NEAR..=1.0 + NEAR).contains(&value);
        if mesh.texcoords.iter().all(|at| is_inside(at.x) && is_inside(at.y)) {
            return;
        }
        if let Some((path, line)) = self.clamped.remove(&material) {
            let message = "the picture should clamp at its edges, but repeats because the mesh extends beyond them";
            self.warn_once(&path, line, message.to_owned());
        }
    }

    fn tell_notes(&mut self, pages: &Pages, look: &MtrLook) {
        for note in look.notes.iter().filter(|note| note.is_warning) {
            let message = format!("column {}: {}", note.position.column, note.message);
            // One warning per keyword and file, whatever the column.
            if self.told.insert((pages.path.clone(), note.message.clone())) {
                self.warnings.push(Diagnostic::warning(
                    Kind::Material,
                    Place::file(&pages.path, note.position.line as usize),
                    message,
                ));
            }
        }
    }

    fn warn_once(&mut self, path: &Path, line: u32, message: String) {
        if self.told.insert((path.to_path_buf(), message.clone())) {
            self.warnings.push(Diagnostic::warning(
                Kind::Material,
                Place::file(path, line as usize),
                message,
            ));
        }
    }

    fn draft_mtr(
        &mut self,
        shader: &str,
        source: &Source,
        pages: &Pages,
        look: MtrLook,
    ) -> Result<usize, AssetError> {
        let mut alpha = match look.cover {
            MtrCover::Opaque => AlphaMode::Opaque,
            MtrCover::Mask(cutoff) => AlphaMode::Mask { cutoff },
            MtrCover::Blend => AlphaMode::Blend,
            MtrCover::Add => AlphaMode::Add,
            MtrCover::Multiply => AlphaMode::Multiply,
        };
        let (mut color, mut opacity) = (look.color, look.opacity);
        let mut pictures: [Option<Picture>; TextureRole::ALL.len()] = Default::default();
        let layers = [&look.diffuse, &look.normal, &look.specular, &look.emissive_map];
        for (slot, layer) in pictures.iter_mut().zip(layers) {
            if let Some(layer) = layer {
                let line = layer.position.line;
                *slot = self.picture(&layer.image, line, source, pages)?;
            }
        }
        let [diffuse, normal, specular, glow, ..] = &mut pictures;
        let surface = if look.is_unlit && glow.is_some() {
            TextureRole::Emissive
        } else {
            TextureRole::Diffuse
        };
        let mut bare = Bare::new(MaterialOrigin::Mtr);
        if look.is_undrawn {
            bare.origin = MaterialOrigin::MtrUndrawn;
            (alpha, opacity) = (AlphaMode::Blend, 0.0);
        } else if surface == TextureRole::Emissive {
            color = LinearRgb::BLACK;
        } else if diffuse.is_none() {
            // If the picture of the surface is missing, so is its coverage.
            if look.is_unlit {
                (alpha, opacity) = (AlphaMode::Opaque, 1.0);
            }
            let has_maps = [&normal, &specular, &glow].iter().any(|map| map.is_some());
            bare = self.without_diffuse(shader, source, pages, &look, has_maps)?;
            *diffuse = bare.picture.take();
            if bare.is_black {
                color = LinearRgb::BLACK;
            }
        }
        let emissive = if glow.is_some() { LinearRgb::WHITE } else { LinearRgb::BLACK };
        let material = Material {
            color,
            opacity,
            emissive,
            alpha,
            cull: look.cull.unwrap_or(CullMode::Auto),
            stages: look.stages,
            ..Material::new(shader)
        };
        let key = super::look_up_key(shader, source);
        let notes = look.notes.iter().map(|note| (note.position.line, note.message.clone()));
        let index = self.draft_pictures(
            key,
            material,
            MaterialReport {
                searched: bare.searched,
                mtr: Some(MtrReport {
                    path: pages.path.clone(),
                    line: pages.material.position.line,
                    programs: Vec::new(),
                    notes: notes.collect(),
                }),
                ..MaterialReport::new(shader.to_owned(), bare.origin, bare.found)
            },
            pictures,
            surface,
        );
        self.note_used(pages.file);
        let clamped =
            look.diffuse.as_ref().or(look.emissive_map.as_ref()).filter(|layer| layer.is_clamped);
        if let Some(layer) = clamped {
            self.clamped.insert(index, (pages.path.clone(), layer.position.line));
        }
        Ok(index)
    }

    /// The surface of a material that has no diffuse texture, or whose texture is missing: the
    /// picture of its name, else that for level editors, else black if it `has_maps`. Each causes a
    /// warning.
    fn without_diffuse(
        &mut self,
        shader: &str,
        source: &Source,
        pages: &Pages,
        look: &MtrLook,
        has_maps: bool,
    ) -> Result<Bare, AssetError> {
        let mut bare = Bare::new(MaterialOrigin::Mtr);
        (bare.found, bare.searched) = self.search(shader, source)?;
        let line = pages.material.position.line;
        if let Some(path) = &bare.found.diffuse {
            let message = format!(
                "material {shader:?} has no diffuse texture; drawn with {}, which has its name",
                path.shown()
            );
            self.warn_once(&pages.path, line, message);
        } else if let Some(editor) = &look.editor_image
            && let Some(picture) = self.picture(editor, line, source, pages)?
        {
            let message = format!(
                "material {shader:?} has no diffuse texture; drawn with its qer_editorimage {editor}"
            );
            self.warn_once(&pages.path, line, message);
            bare.picture = Some(picture);
        } else if look.diffuse.is_none() && has_maps {
            let message = format!(
                "material {shader:?} has no diffuse map: black except for highlights and emission, as in the engine"
            );
            self.warn_once(&pages.path, line, message);
            bare.is_black = true;
        } else {
            self.note_missing(shader, shader, source, &bare.found.tried, &bare.searched);
            bare.origin = MaterialOrigin::MtrMissing;
        }
        Ok(bare)
    }

    /// The existing files of a picture.
    fn picture(
        &mut self,
        image: &ImageProgram,
        line: u32,
        source: &Source,
        pages: &Pages,
    ) -> Result<Option<Picture>, AssetError> {
        let mut sources: Vec<(String, Source)> = Vec::new();
        for path in image.paths() {
            let is_known = sources.iter().any(|(known, _)| known == path);
            if is_known || builtin_image(path).is_some() {
                continue;
            }
            let failed = |source_error| AssetError::Read {
                path: pages.path.clone(),
                key: format!("the pictures of material {:?}", pages.material.name),
                source: source_error,
            };
            let model_folder = source.path.parent().unwrap_or(Path::new("")).to_path_buf();
            // Precompressed pictures for graphics cards are in a separate tree.
            let ready = self.folders.subfolders(&pages.base, "dds").map_err(failed)?;
            let given: Vec<PathBuf> = std::iter::once(pages.base.clone())
                .chain(ready)
                .chain(self.given_folders())
                .chain([model_folder, self.scene_folder.to_path_buf()])
                .collect();
            let given = given.iter().map(PathBuf::as_path);
            let searched = lookup::search_folders(&mut self.folders, given).map_err(failed)?;
            let found = lookup::find_picture(&mut self.folders, &searched, path).map_err(failed)?;
            match found {
                Some(file) => {
                    let name = path.to_owned();
                    let key = format!("material {:?}", pages.material.name);
                    sources.push((path.to_owned(), Source { name, path: file, key }));
                }
                None => {
                    let folders: Vec<String> =
                        searched.iter().map(|folder| folder.shown()).collect();
                    let message = format!(
                        "no picture {path:?} for material {:?}; drawn without it; looked in {}",
                        pages.material.name,
                        folders.join(", ")
                    );
                    self.warn_once(&pages.path, line, message);
                }
            }
        }
        let mut is_there = |path: &str| {
            builtin_image(path).is_some() || sources.iter().any(|(known, _)| known == path)
        };
        let program = image.without(&mut is_there);
        Ok(program.map(|program| Picture { program, sources }))
    }

    /// Drafts a material whose pictures are found; those already set in the report replace missing
    /// pictures.
    fn draft_pictures(
        &mut self,
        key: (PathBuf, String),
        material: Material,
        mut report: MaterialReport,
        pictures: [Option<Picture>; TextureRole::ALL.len()],
        surface: TextureRole,
    ) -> usize {
        let shader = &material.name;
        let mut requests: [Option<TextureRequest>; TextureRole::ALL.len()] = Default::default();
        for ((request, picture), role) in requests.iter_mut().zip(pictures).zip(TextureRole::ALL) {
            let kind = self.kind(role, material.alpha);
            let word = role.name();
            let Some(Picture { program, mut sources }) = picture else {
                *request = report.texture(role).cloned().zip(kind).map(|(path, kind)| {
                    let name = format!("{shader} {word}");
                    let key = format!("the {word} texture of shader {shader:?}");
                    self.requests.add(Source { name, path, key }, TextureUse::of(kind))
                });
                continue;
            };
            for (n, (_, source)) in (1..).zip(&mut sources) {
                let nth = if n == 1 { String::new() } else { format!(" {n}") };
                source.name = format!("{shader} {word}{nth}");
            }
            *report.texture_mut(role) = sources.first().map(|(_, source)| source.path.clone());
            if program.as_path().is_none() || sources.is_empty() {
                if let Some(mtr) = &mut report.mtr {
                    mtr.programs.push((word, program.to_string()));
                }
                *request = kind
                    .map(|kind| self.requests.add_program(program, sources, TextureUse::of(kind)));
            } else if let Some((_, source)) = sources.into_iter().next() {
                *request = kind.map(|kind| self.requests.add(source, TextureUse::of(kind)));
            }
        }
        let index = self.drafts.len();
        // A surface with only emission has no highlight.
        let specular_strength = (surface == TextureRole::Emissive).then_some(0.0);
        self.drafts.push(MaterialDraft {
            material,
            report,
            surface,
            requests,
            specular_strength,
            shows_inside: false,
        });
        self.looked_up.insert(key, index);
        index
    }
}
