//! The pictures that materials ask for: each file is read and decoded once, all of them at the same time.
//!
//! Input: paths and what each picture is to become. Output: textures in the order in which they were first asked for, or the
//! reason why not, which `material` makes an error or a warning of.

use super::error::AssetError;
use super::file::{FileRecord, Source};
use crate::formats::image::{ImageLimits, decode};
use crate::formats::mtr::{ImageProgram, builtin_image, evaluate};
use crate::model::{Image, Texture, TextureKind};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A texture that a material asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    file: usize,
    kind: usize,
}

/// One picture and the textures to make from it.
#[derive(Debug)]
struct Wanted {
    picture: Picture,
    kinds: Vec<TextureKind>,
}

/// Where a picture comes from.
#[derive(Debug)]
enum Picture {
    File(Source),
    /// It is made from several files, each with the path by which the program means it.
    Made {
        program: ImageProgram,
        sources: Vec<(String, Source)>,
    },
}

/// The textures asked for so far.
#[derive(Debug, Default)]
pub(super) struct Wishes {
    wanted: Vec<Wanted>,
    by_path: BTreeMap<PathBuf, usize>,
    by_program: BTreeMap<String, usize>,
}

/// What became of the wishes.
pub(super) struct Granted {
    files: Vec<Result<Vec<usize>, AssetError>>,
}

impl Wishes {
    /// Asks for a texture; the same file as the same kind is one texture.
    pub(super) fn add(&mut self, source: Source, kind: TextureKind) -> Wish {
        let file = *self.by_path.entry(source.path.clone()).or_insert(self.wanted.len());
        if file == self.wanted.len() {
            self.wanted.push(Wanted { picture: Picture::File(source), kinds: Vec::new() });
        }
        self.wish(file, kind)
    }

    /// Asks for a texture that is made from several files; `sources` has one for each path of the program but the engine's own.
    pub(super) fn add_program(
        &mut self,
        program: ImageProgram,
        sources: Vec<(String, Source)>,
        kind: TextureKind,
    ) -> Wish {
        let files: Vec<&PathBuf> = sources.iter().map(|(_, source)| &source.path).collect();
        let key = format!("{program:?} of {files:?}");
        let file = *self.by_program.entry(key).or_insert(self.wanted.len());
        if file == self.wanted.len() {
            let picture = Picture::Made { program, sources };
            self.wanted.push(Wanted { picture, kinds: Vec::new() });
        }
        self.wish(file, kind)
    }

    fn wish(&mut self, file: usize, kind: TextureKind) -> Wish {
        let kinds = self.wanted.get_mut(file).map(|wanted| &mut wanted.kinds);
        let kind = kinds.map_or(0, |kinds| {
            kinds.iter().position(|&known| known == kind).unwrap_or_else(|| {
                kinds.push(kind);
                kinds.len() - 1
            })
        });
        Wish { file, kind }
    }

    /// Reads and decodes all files; textures and records are appended in the order of the wishes.
    pub(super) fn grant(
        self,
        most_bytes: u64,
        textures: &mut Vec<Texture>,
        records: &mut Vec<FileRecord>,
    ) -> Granted {
        let load = |wanted: Wanted| -> Result<(Vec<FileRecord>, Vec<Texture>), AssetError> {
            let (image, made_from) = match &wanted.picture {
                Picture::File(source) => {
                    let (image, record) = load_image(source, most_bytes)?;
                    (image, vec![record])
                }
                Picture::Made { program, sources } => make(program, sources, most_bytes)?,
            };
            Ok((made_from, wanted.kinds.iter().map(|&kind| Texture::new(&image, kind)).collect()))
        };
        let loaded: Vec<_> = self.wanted.into_par_iter().map(load).collect();
        let mut keep = |(made_from, made): (Vec<FileRecord>, Vec<Texture>)| {
            for record in made_from {
                // A file may stand alone and also be a part of another picture.
                if !records.iter().any(|known| known.path == record.path) {
                    records.push(record);
                }
            }
            let first = textures.len();
            textures.extend(made);
            (first..textures.len()).collect()
        };
        Granted { files: loaded.into_iter().map(|file| file.map(&mut keep)).collect() }
    }
}

impl Granted {
    /// The index of a texture, or why its file could not be read.
    pub(super) fn texture(&self, wish: Wish) -> Result<usize, &AssetError> {
        let file = self.files.get(wish.file).expect("a wish comes from the same list");
        let textures = file.as_ref()?;
        Ok(*textures.get(wish.kind).expect("every kind asked for was made"))
    }

    /// Why the file of a wish could not be read.
    ///
    /// # Panics
    /// If it could.
    pub(super) fn into_error(mut self, wish: Wish) -> AssetError {
        self.files.swap_remove(wish.file).expect_err("asked only for what failed")
    }
}

fn load_image(source: &Source, most_bytes: u64) -> Result<(Image, FileRecord), AssetError> {
    let (bytes, record) = source.read(most_bytes)?;
    let name = source.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let image = decode(&bytes, name, &ImageLimits::default()).map_err(|error| {
        let (path, key) = (source.path.clone(), source.key.clone());
        AssetError::Image { path, key, source: Box::new(error) }
    })?;
    Ok((image, record))
}

/// The picture of an image program, and the files that it was made from.
fn make(
    program: &ImageProgram,
    sources: &[(String, Source)],
    most_bytes: u64,
) -> Result<(Image, Vec<FileRecord>), AssetError> {
    let mut records: Vec<FileRecord> = Vec::new();
    let mut picture = |path: &str| {
        let source = sources.iter().find(|(known, _)| known == path);
        let Some((_, source)) = source else {
            // Only what has a source or is the engine's own is asked for.
            return Ok(builtin_image(path).unwrap_or_else(missing_image));
        };
        let (image, record) = load_image(source, most_bytes)?;
        if !records.iter().any(|known| known.path == record.path) {
            records.push(record);
        }
        Ok(image)
    };
    let image = evaluate(program, &mut picture)?;
    Ok((image, records))
}

/// The texture that says that a texture is missing: magenta and black squares.
pub(super) fn checker() -> Texture {
    Texture::new(&missing_image(), TextureKind::OpaqueColor)
}

fn missing_image() -> Image {
    const SIDE: u32 = 64;
    const SQUARE: u32 = 8;
    let texel = |index: u32| {
        let (x, y) = (index % SIDE / SQUARE, index / SIDE / SQUARE);
        if (x + y).is_multiple_of(2) { [255, 0, 255, 255] } else { [0, 0, 0, 255] }
    };
    let rgba = (0..SIDE * SIDE).map(texel).collect();
    Image { width: SIDE, height: SIDE, rgba }
}
