//! The pictures requested by materials: each file is read and decoded once, all at the same time.
//!
//! Input: paths and the role of each picture. Output: textures in the order of their first request,
//! or the reason for a failure, which `material` turns into an error or a warning.

use super::cutout::{AlphaShares, cutout};
use super::error::AssetError;
use super::file::{FileRecord, Source};
use super::inputs::Input;
use super::shared_files::{MadeTexture, SharedFiles};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tintype_base::deadline::Deadline;
use tintype_formats::LoadOptions;
use tintype_formats::image::{decode_as, decoded_bytes};
use tintype_formats::mtr::{ImageProgram, builtin_image, evaluate};
use tintype_model::{Image, Texture, TextureKind, TextureSampling};

/// A texture with more texels than this per pixel of the output is likely to be seen in its smaller
/// levels alone. All others get their first level at once, on all threads.
const LARGE_TEXELS_PER_PIXEL: u64 = 8;

/// True if a texture probably shows only its smaller levels.
fn is_large(texels: u64, output_pixels: u64) -> bool {
    texels > output_pixels.saturating_mul(LARGE_TEXELS_PER_PIXEL)
}

/// Memory of a picture with its textures.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// Number of its textures.
    kinds: u64,
    output_pixels: u64,
}

impl Cost {
    /// Memory in bytes, from the size of the decoded picture. Texels take twice the bytes of a
    /// pixel, and smaller levels a third of the first; a large picture is stored instead of the
    /// first level.
    fn of(self, decoded: u64) -> u64 {
        let thirds = if is_large(decoded / 4, self.output_pixels) {
            self.kinds.saturating_mul(2).saturating_add(3)
        } else {
            self.kinds.saturating_mul(8)
        };
        decoded.saturating_mul(thirds) / 3
    }
}

/// Use of a picture by a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextureUse {
    pub(super) kind: TextureKind,
    pub(super) sampling: TextureSampling,
    /// True if alpha counts for cut-outs, whatever the kind.
    pub(super) may_be_cutout: bool,
}

impl TextureUse {
    /// A use with the default filter, repeated beyond the edges.
    pub(super) fn of(kind: TextureKind) -> Self {
        Self { kind, sampling: TextureSampling::default(), may_be_cutout: false }
    }

    /// The texture of a picture, with its alpha distribution if that is a cut-out and counts.
    fn texture(
        self,
        image: &Arc<Image>,
        is_large: bool,
        deadline: &Deadline,
    ) -> Result<(Texture, Option<AlphaShares>), tintype_base::deadline::TimedOut> {
        let shares = if self.may_be_cutout { cutout(image) } else { None };
        let kind = match (shares, self.kind) {
            (Some(_), TextureKind::OpaqueColor) => TextureKind::AlphaColor,
            (_, kind) => kind,
        };
        let texture = if is_large {
            Texture::without_first_level(image, kind, deadline)?
        } else {
            Texture::new(image, kind, deadline)?
        };
        Ok((texture.with_sampling(self.sampling), shares))
    }
}

/// A texture requested by a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextureRequest {
    file: usize,
    kind: usize,
}

/// One picture and the textures to make from it.
#[derive(Debug)]
struct Wanted {
    picture: Picture,
    kinds: Vec<TextureUse>,
}

/// Source of a picture.
#[derive(Debug)]
enum Picture {
    File(Source),
    /// It is made from several files, each with its path in the image program.
    Made {
        program: ImageProgram,
        sources: Vec<(String, Source)>,
    },
}

impl Picture {
    /// The path of its first file, and the key that names it.
    fn place(&self) -> (PathBuf, String) {
        let source = match self {
            Self::File(source) => Some(source),
            Self::Made { sources, .. } => sources.first().map(|(_, source)| source),
        };
        source.map_or_else(Default::default, |one| (one.path.clone(), one.key.clone()))
    }
}

/// The textures requested so far.
#[derive(Debug, Default)]
pub(super) struct TextureRequests {
    /// Pixels of the output.
    output_pixels: u64,
    wanted: Vec<Wanted>,
    by_path: BTreeMap<PathBuf, usize>,
    by_program: BTreeMap<String, usize>,
    /// Files whose bytes were read ahead, by path.
    held: BTreeMap<PathBuf, CachedFile>,
    /// Pictures in the bytes of model files, by a path without a file.
    embedded: BTreeMap<PathBuf, Arc<[u8]>>,
    /// Pictures that were loaded before all requests were made, in the order of `wanted`.
    early: Vec<Option<LoadedPicture>>,
}

/// A picture file with its textures.
#[derive(Debug)]
struct LoadedPicture {
    record: FileRecord,
    /// Bytes of memory of the decoded picture.
    decoded: u64,
    /// One for each use.
    textures: Vec<MadeTexture>,
}

/// The bytes of a file, and the data stored for the digest.
#[derive(Debug)]
struct CachedFile {
    bytes: Vec<u8>,
    record: FileRecord,
}

/// The index of a texture, and its alpha distribution if requested.
type LoadedTexture = (usize, Option<AlphaShares>);

/// Results of the requests.
pub(super) struct LoadedTextures {
    files: Vec<Result<Vec<LoadedTexture>, AssetError>>,
    /// The error if they take too much memory together; then some are missing.
    refusal: Option<AssetError>,
}

impl TextureRequests {
    /// No textures yet, for an output of that size.
    pub(super) fn new(output: [u32; 2]) -> Self {
        let output_pixels = output.map(u64::from).iter().product();
        Self { output_pixels, ..Self::default() }
    }

    /// Requests a texture; the same file for the same use is one texture.
    pub(super) fn add(&mut self, source: Source, kind: TextureUse) -> TextureRequest {
        let file = *self.by_path.entry(source.path.clone()).or_insert(self.wanted.len());
        if file == self.wanted.len() {
            self.wanted.push(Wanted { picture: Picture::File(source), kinds: Vec::new() });
        }
        self.request(file, kind)
    }

    /// Stores the bytes of an embedded picture; [`Self::add`] finds them by `path`, which no file
    /// has.
    pub(super) fn embed(&mut self, path: PathBuf, bytes: Arc<[u8]>) {
        self.embedded.insert(path, bytes);
    }

    /// Requests a texture made from several files; `sources` has one for each path of the program
    /// except built-in pictures.
    pub(super) fn add_program(
        &mut self,
        program: ImageProgram,
        sources: Vec<(String, Source)>,
        kind: TextureUse,
    ) -> TextureRequest {
        let files: Vec<&PathBuf> = sources.iter().map(|(_, source)| &source.path).collect();
        let key = format!("{program:?} of {files:?}");
        let file = *self.by_program.entry(key).or_insert(self.wanted.len());
        if file == self.wanted.len() {
            let picture = Picture::Made { program, sources };
            self.wanted.push(Wanted { picture, kinds: Vec::new() });
        }
        self.request(file, kind)
    }

    fn request(&mut self, file: usize, kind: TextureUse) -> TextureRequest {
        let kinds = self.wanted.get_mut(file).map(|wanted| &mut wanted.kinds);
        let kind = kinds.map_or(0, |kinds| {
            kinds.iter().position(|&known| known == kind).unwrap_or_else(|| {
                kinds.push(kind);
                kinds.len() - 1
            })
        });
        TextureRequest { file, kind }
    }

    /// Reads all files ahead. Returns them, and the memory of all decoded textures plus one picture
    /// during decoding, in bytes.
    pub(super) fn read(&mut self, options: &LoadOptions) -> (Vec<Input>, u64) {
        let (mut inputs, mut total, mut largest) = (Vec::new(), 0_u64, 0_u64);
        for wanted in &self.wanted {
            let sources = match &wanted.picture {
                Picture::File(source) => vec![source],
                Picture::Made { sources, .. } => sources.iter().map(|(_, source)| source).collect(),
            };
            let mut picture = 0_u64;
            for source in sources {
                if let Some(bytes) = self.embedded.get(&source.path) {
                    // The digest of the model file covers it.
                    let decoded =
                        decoded_bytes(bytes, file_name(source), &options.limits).unwrap_or(0);
                    picture = picture.saturating_add(decoded);
                    continue;
                }
                if !self.held.contains_key(&source.path) {
                    match source.read(options) {
                        Ok((bytes, record)) => {
                            self.held.insert(source.path.clone(), CachedFile { bytes, record });
                        }
                        // The error is reported when the picture is decoded.
                        Err(_) => {
                            inputs.push(Input::unread(&source.name, &source.path));
                            continue;
                        }
                    }
                }
                let Some(CachedFile { bytes, record }) = self.held.get(&source.path) else {
                    continue;
                };
                inputs.push(Input::named(&source.name, record));
                let decoded = decoded_bytes(bytes, file_name(source), &options.limits).unwrap_or(0);
                picture = picture.saturating_add(decoded);
            }
            largest = largest.max(picture);
            total = total.saturating_add(wanted.cost(self.output_pixels).of(picture));
        }
        (inputs, total.saturating_add(largest))
    }

    /// Makes the textures of the picture files requested so far, which belong to the scene,
    /// whatever its models request. Failures are left to [`Self::load`], which reports them.
    pub(super) fn load_early(&mut self, options: &LoadOptions, shared: Option<&SharedFiles>) {
        let reading = Reading {
            held: BTreeMap::new(),
            embedded: BTreeMap::new(),
            options,
            budget: Budget::new(options.limits.max_texture_bytes),
            output_pixels: self.output_pixels,
        };
        let load = |wanted: &Wanted| match &wanted.picture {
            Picture::File(source) => wanted.load(source, &reading, shared).ok(),
            Picture::Made { .. } => None,
        };
        self.early = self.wanted.par_iter().map(load).collect();
    }

    /// Reads and decodes all files; textures and records are appended in the order of the requests.
    pub(super) fn load(
        mut self,
        options: &LoadOptions,
        shared: Option<&SharedFiles>,
        textures: &mut Vec<Texture>,
        records: &mut Vec<FileRecord>,
    ) -> LoadedTextures {
        let held = std::mem::take(&mut self.held);
        let embedded = std::mem::take(&mut self.embedded);
        let budget = Budget::new(options.limits.max_texture_bytes);
        let output_pixels = self.output_pixels;
        let reading = Reading { held, embedded, options, budget, output_pixels };
        let costs: Vec<(Vec<Source>, Cost)> = (self.wanted.iter())
            .map(|wanted| (wanted.sources(), wanted.cost(output_pixels)))
            .collect();
        let mut early = std::mem::take(&mut self.early);
        early.resize_with(self.wanted.len(), || None);
        let load = |(wanted, early): (Wanted, Option<LoadedPicture>)| -> Result<_, AssetError> {
            let cost = wanted.cost(output_pixels);
            match &wanted.picture {
                Picture::File(source) => {
                    let early = early.filter(|early| early.textures.len() == wanted.kinds.len());
                    let loaded = match early {
                        Some(early) => {
                            reading.budget.take(cost.of(early.decoded));
                            early
                        }
                        None => wanted.load(source, &reading, shared)?,
                    };
                    Ok((vec![loaded.record], loaded.textures))
                }
                Picture::Made { program, sources } => {
                    let (image, made_from) = make(program, sources, &reading, cost)?;
                    Ok((made_from, wanted.textures(&Arc::new(image), &reading)?))
                }
            }
        };
        let loaded: Vec<_> = self.wanted.into_par_iter().zip(early).map(load).collect();
        let refusal = reading.budget.is_over().then(|| reading.measured(&costs));
        let mut keep = |(made_from, made): (Vec<FileRecord>, Vec<MadeTexture>)| {
            for record in made_from {
                // A file may be a picture and also a part of another one.
                let known = records.iter().position(|known| known.path == record.path);
                let place = known.unwrap_or(records.len());
                if known.is_none() {
                    records.push(record);
                }
                records[place].textures.extend(textures.len()..textures.len() + made.len());
            }
            let mut indices = Vec::new();
            for (texture, shares) in made {
                indices.push((textures.len(), shares));
                textures.push(texture);
            }
            indices
        };
        let files = loaded.into_iter().map(|file| file.map(&mut keep)).collect();
        LoadedTextures { files, refusal }
    }
}

impl Wanted {
    /// The textures of each use of the picture.
    fn textures(
        &self,
        image: &Arc<Image>,
        reading: &Reading<'_>,
    ) -> Result<Vec<MadeTexture>, AssetError> {
        let texels = u64::from(image.width) * u64::from(image.height);
        let is_large = is_large(texels, reading.output_pixels);
        let texture = |kind: &TextureUse| {
            kind.texture(image, is_large, &reading.options.deadline).map_err(|source| {
                let (path, key) = self.picture.place();
                AssetError::TimedOut { path, key, source }
            })
        };
        self.kinds.iter().map(texture).collect()
    }

    /// The textures of a picture file.
    fn load(
        &self,
        source: &Source,
        reading: &Reading<'_>,
        shared: Option<&SharedFiles>,
    ) -> Result<LoadedPicture, AssetError> {
        let options = reading.options;
        let found = reading.find(source, self.cost(reading.output_pixels))?;
        let key = |&kind: &TextureUse| texture_key(file_name(source), &found.record, kind, options);
        let known = shared
            .and_then(|shared| self.kinds.iter().map(|kind| shared.texture(&key(kind))).collect());
        let textures = match known {
            Some(known) => known,
            None => {
                let is_color = |one: &TextureUse| {
                    matches!(one.kind, TextureKind::OpaqueColor | TextureKind::AlphaColor)
                };
                let image = found.decode(source, self.kinds.iter().any(is_color), options)?;
                let made = self.textures(&Arc::new(image), reading)?;
                for (kind, texture) in self.kinds.iter().zip(&made) {
                    if let Some(shared) = shared {
                        shared.keep_texture(key(kind), texture);
                    }
                }
                made
            }
        };
        Ok(LoadedPicture { decoded: found.decoded, record: found.record, textures })
    }

    /// The files of a picture.
    fn sources(&self) -> Vec<Source> {
        match &self.picture {
            Picture::File(source) => vec![source.clone()],
            Picture::Made { sources, .. } => {
                sources.iter().map(|(_, source)| source.clone()).collect()
            }
        }
    }

    fn cost(&self, output_pixels: u64) -> Cost {
        Cost { kinds: u64::try_from(self.kinds.len()).unwrap_or(u64::MAX), output_pixels }
    }
}

/// Memory budget for textures, used by all decoding threads. Memory is never returned to it, so
/// whether it suffices does not depend on the order of requests.
struct Budget {
    allowed: u64,
    taken: AtomicU64,
}

impl Budget {
    fn new(allowed: u64) -> Self {
        Self { allowed, taken: AtomicU64::new(0) }
    }

    fn take(&self, bytes: u64) {
        let add = |taken: u64| Some(taken.saturating_add(bytes));
        let _ = self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    fn is_over(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > self.allowed
    }

    fn refusal(&self, path: PathBuf, largest: u64, found: u64) -> AssetError {
        AssetError::Textures { path, largest, found, allowed: self.allowed }
    }
}

impl LoadedTextures {
    /// These textures, unless they take too much memory.
    ///
    /// # Errors
    /// [`AssetError::Textures`].
    pub(super) fn within_limit(mut self) -> Result<Self, AssetError> {
        match self.refusal.take() {
            Some(refusal) => Err(refusal),
            None => Ok(self),
        }
    }

    /// The index of a texture, or the reason why its file could not be read, with its alpha
    /// distribution if that is a cut-out and counts.
    pub(super) fn texture(
        &self,
        request: TextureRequest,
    ) -> Result<(usize, Option<AlphaShares>), &AssetError> {
        let file = self.files.get(request.file).expect("a request comes from the same list");
        let textures = file.as_ref()?;
        Ok(*textures.get(request.kind).expect("every kind asked for was made"))
    }

    /// Error of the file of a request.
    ///
    /// # Panics
    /// If it could.
    pub(super) fn into_error(mut self, request: TextureRequest) -> AssetError {
        self.files.swap_remove(request.file).expect_err("asked only for what failed")
    }
}

fn file_name(source: &Source) -> &str {
    source.path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Options and prefetched files, for reading pictures.
struct Reading<'o> {
    held: BTreeMap<PathBuf, CachedFile>,
    embedded: BTreeMap<PathBuf, Arc<[u8]>>,
    options: &'o LoadOptions,
    budget: Budget,
    output_pixels: u64,
}

/// All that a texture of a picture depends on.
fn texture_key(
    file_name: &str,
    record: &FileRecord,
    made_for: TextureUse,
    options: &LoadOptions,
) -> String {
    format!("texture {} {file_name:?} {made_for:?} {:?}", record.digest, options.limits)
}

/// The bytes of a picture, and its record.
struct FoundPicture<'r> {
    bytes: Cow<'r, [u8]>,
    record: FileRecord,
    /// Bytes of memory when decoded, by its header.
    decoded: u64,
}

impl FoundPicture<'_> {
    fn decode(
        &self,
        source: &Source,
        is_color: bool,
        options: &LoadOptions,
    ) -> Result<Image, AssetError> {
        decode_as(&self.bytes, file_name(source), is_color, options).map_err(|error| {
            let (path, key) = (source.path.clone(), source.key.clone());
            AssetError::Image { path, key, source: Box::new(error) }
        })
    }
}

impl Reading<'_> {
    /// The picture of a file or embedded in a model file. `cost` is its memory including its
    /// textures.
    fn find(&self, source: &Source, cost: Cost) -> Result<FoundPicture<'_>, AssetError> {
        let (held, embedded) = (self.held.get(&source.path), self.embedded.get(&source.path));
        let (bytes, record) = match (held, embedded) {
            (_, Some(bytes)) => (Cow::Borrowed(&**bytes), FileRecord::embedded(source, bytes)),
            (Some(CachedFile { bytes, record }), None) => {
                let record = FileRecord { name: source.name.clone(), ..record.clone() };
                (Cow::Borrowed(bytes.as_slice()), record)
            }
            (None, None) => {
                let (bytes, record) = source.read(self.options)?;
                (Cow::Owned(bytes), record)
            }
        };
        // From its header, before any of it is decoded.
        let limits = &self.options.limits;
        let decoded = decoded_bytes(&bytes, file_name(source), limits).unwrap_or(0);
        self.budget.take(cost.of(decoded));
        if self.budget.is_over() {
            return Err(self.budget.refusal(source.path.clone(), 0, 0));
        }
        Ok(FoundPicture { bytes, record, decoded })
    }

    /// The error of textures that take too much memory, with the largest; their headers are read
    /// again for it, one after the other.
    fn measured(&self, costs: &[(Vec<Source>, Cost)]) -> AssetError {
        let limits = &self.options.limits;
        let (mut found, mut largest, mut path) = (0_u64, 0_u64, PathBuf::new());
        for (sources, cost) in costs {
            for source in sources {
                let held = self.held.get(&source.path).map(|file| file.bytes.as_slice());
                let embedded = self.embedded.get(&source.path).map(AsRef::as_ref);
                let decoded = match held.or(embedded) {
                    Some(bytes) => decoded_bytes(bytes, file_name(source), limits),
                    None => match source.read(self.options) {
                        Ok((bytes, _)) => decoded_bytes(&bytes, file_name(source), limits),
                        Err(_) => continue,
                    },
                };
                let takes = cost.of(decoded.unwrap_or(0));
                found = found.saturating_add(takes);
                if takes > largest {
                    (largest, path) = (takes, source.path.clone());
                }
            }
        }
        self.budget.refusal(path, largest, found)
    }
}

/// The picture of an image program, and its files.
fn make(
    program: &ImageProgram,
    sources: &[(String, Source)],
    reading: &Reading<'_>,
    cost: Cost,
) -> Result<(Image, Vec<FileRecord>), AssetError> {
    let mut records: Vec<FileRecord> = Vec::new();
    let mut picture = |path: &str| {
        let source = sources.iter().find(|(known, _)| known == path);
        let Some((_, source)) = source else {
            // Only paths with a source and built-in pictures are requested.
            return Ok(builtin_image(path).unwrap_or_else(missing_image));
        };
        let found = reading.find(source, cost)?;
        let image = found.decode(source, true, reading.options)?;
        let record = found.record;
        if !records.iter().any(|known| known.path == record.path) {
            records.push(record);
        }
        Ok(image)
    };
    let image = evaluate(program, &mut picture)?;
    Ok((image, records))
}

/// The texture for a missing texture: squares of two magentas, neither so dark nor so pure that
/// light and shape are lost.
pub(super) fn checker() -> Texture {
    Texture::new(&missing_image(), TextureKind::OpaqueColor, &Deadline::NEVER).expect("no deadline")
}

fn missing_image() -> Image {
    const SIDE: u32 = 64;
    const SQUARE: u32 = 8;
    let texel = |index: u32| {
        let (x, y) = (index % SIDE / SQUARE, index / SIDE / SQUARE);
        if (x + y).is_multiple_of(2) { [255, 60, 255, 255] } else { [140, 20, 140, 255] }
    };
    let rgba = (0..SIDE * SIDE).map(texel).collect();
    Image { width: SIDE, height: SIDE, rgba }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textures_of_a_thumbnail_take_less_than_those_that_are_seen_whole() {
        let decoded = 4096 * 4096 * 4;
        let of = |kinds, output_pixels| Cost { kinds, output_pixels }.of(decoded);
        // The picture, and levels of 8 bytes per texel from the second on; or all of them.
        assert_eq!(of(1, 256 * 256), decoded + decoded * 2 / 3);
        assert_eq!(of(1, 4096 * 4096), decoded * 8 / 3);
        assert_eq!(of(2, 256 * 256), decoded + 2 * (decoded * 2) / 3);
    }
}
