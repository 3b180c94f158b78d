//! Material files (`.mtl`): colours, textures, and the metallic-roughness values of newer
//! exporters.

use super::file::{OWN_LIBRARY, ObjFile};
use super::statement::{Statement, Statements};
use crate::ModelFormatError;
use crate::names::is_normal_map;
use crate::text::{as_utf8, quoted};
use std::collections::BTreeMap;
use tintype_model::math::srgb::linear_from_encoded;
use tintype_model::math::{Vec2, Vec3, clamp};
use tintype_model::{
    AlphaMode, FactorPictures, FileMaterial, FileRepair, LinearRgb, Material, MetallicRoughness,
    TextureCoordinates, TextureRole, TextureSampling, TextureWrap, Warning,
};

/// Reads all material files named by a file; the first material of a name counts.
///
/// A file that cannot be read causes a warning, and the model is drawn without its materials. If
/// none can be read, the file with the name of the model is read instead.
///
/// # Errors
/// Currently none: mistakes in material files are warnings.
pub(super) fn read_all(
    file: &ObjFile,
    fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    warnings: &mut Vec<Warning>,
) -> Result<BTreeMap<String, FileMaterial>, ModelFormatError> {
    let (mut materials, mut all) = (BTreeMap::new(), Vec::new());
    for (line, text) in &file.libraries {
        // A name may have spaces, and a statement may have several names.
        let bytes = match fetch(text) {
            Ok(bytes) => vec![(text.clone(), bytes)],
            Err(reason) => {
                let names: Vec<&str> = text.split_ascii_whitespace().collect();
                let several = if names.len() > 1 { names } else { Vec::new() };
                let (mut found, mut lost) = (Vec::new(), Vec::new());
                for name in several {
                    match fetch(name) {
                        Ok(bytes) => found.push((name.to_owned(), bytes)),
                        // Another one may be a part of a name with spaces.
                        Err(why) if name.to_ascii_lowercase().ends_with(".mtl") => {
                            lost.push((name, why));
                        }
                        Err(_) => {}
                    }
                }
                if found.is_empty() {
                    lost = vec![(text.as_str(), reason)];
                }
                for (name, why) in lost {
                    let message =
                        format!("material file {name:?}: {why}; its materials are drawn plain");
                    warnings.push(FileRepair::NoMaterial.at(*line, message));
                }
                found
            }
        };
        all.extend(bytes.into_iter().map(|(name, bytes)| (*line, name, bytes)));
    }
    if all.is_empty()
        && file.parts.iter().any(|part| part.material.is_some())
        && let Ok(bytes) = fetch(OWN_LIBRARY)
    {
        let why = if file.libraries.is_empty() { "no mtllib" } else { "no file of mtllib" };
        let message = format!("{why}: the material file named like the model is read");
        warnings.push(FileRepair::NoMaterial.told(message));
        all.push((1, "the name of the model".to_owned(), bytes));
    }
    for (line, name, bytes) in all {
        let mut reader = Reader { name: &name, library: line, warnings, told: false };
        for mut material in reader.read(&as_utf8(&bytes)) {
            place_textures(&mut material, &name);
            materials.entry(material.name.clone()).or_insert(material);
        }
    }
    Ok(materials)
}

/// Converts the texture paths of a material, relative to the folder of its file, to paths relative
/// to the model's folder.
fn place_textures(material: &mut FileMaterial, library: &str) {
    let library = library.replace('\\', "/");
    let Some((folder, _)) = library.rsplit_once('/') else { return };
    let is_whole = |path: &str| path.starts_with(['/', '\\']) || path.contains(':');
    let slots = [
        &mut material.diffuse,
        &mut material.opacity_picture,
        &mut material.normal,
        &mut material.specular,
        &mut material.emissive_map,
        &mut material.metallic_roughness,
    ];
    let factors = material.factors.iter_mut();
    let factors = factors.flat_map(|pictures| [&mut pictures.roughness, &mut pictures.metal]);
    for name in slots.into_iter().chain(factors).flatten().filter(|name| !is_whole(name)) {
        *name = format!("{folder}/{name}");
    }
}

/// Reader of one material file.
struct Reader<'w> {
    name: &'w str,
    /// The line of the OBJ file that names it.
    library: usize,
    warnings: &'w mut Vec<Warning>,
    /// True if a mistake was reported.
    told: bool,
}

/// A material in work.
struct Draft {
    material: FileMaterial,
    has_highlight: bool,
    /// `d`, and `Tr`.
    opacity: Option<f32>,
    transparency: Option<f32>,
    physical: Option<MetallicRoughness>,
    /// True if the file has a roughness, or a roughness map.
    has_roughness: bool,
    alpha_map: Option<MapStatement>,
    /// Pictures of roughness and of metal.
    roughness_map: Option<MapStatement>,
    metal_map: Option<MapStatement>,
    /// The multiplier of bumps.
    bump: Option<f32>,
    /// Statements that are not drawn.
    lost: Vec<&'static str>,
}

impl Draft {
    fn new(name: String) -> Self {
        Self {
            material: FileMaterial::plain(name),
            has_highlight: true,
            opacity: None,
            transparency: None,
            physical: None,
            has_roughness: false,
            alpha_map: None,
            roughness_map: None,
            metal_map: None,
            bump: None,
            lost: Vec::new(),
        }
    }

    /// Maps a texture to the surface as its statement specifies; for two pictures that form one
    /// texture, as the first one specifies.
    fn place(&mut self, role: TextureRole, map: &MapStatement, is_second: bool) {
        let plain = TextureCoordinates::plain(false);
        let (index, material) = (role as usize, &mut self.material);
        let known = material.coordinates.as_ref().and_then(|all| all.get(index).copied().flatten());
        let sampling = material.sampling.get_mut(index);
        if is_second {
            let is_same = sampling.is_some_and(|own| *own == map.sampling);
            if !is_same || known.unwrap_or(plain) != map.coordinates {
                self.lost.push("maps that share a texture but have different options");
            }
            return;
        }
        if let Some(own) = sampling {
            *own = map.sampling;
        }
        if known.is_some() || map.coordinates != plain {
            let all = material.coordinates.get_or_insert_with(|| Box::new([None; _]));
            if let Some(own) = all.get_mut(index) {
                *own = Some(map.coordinates).filter(|own| *own != plain);
            }
        }
    }

    fn physical(&mut self) -> &mut MetallicRoughness {
        self.physical.get_or_insert_with(|| MetallicRoughness {
            metallic: 0.0,
            ..MetallicRoughness::default()
        })
    }
}

impl Reader<'_> {
    fn read(&mut self, bytes: &[u8]) -> Vec<FileMaterial> {
        let mut drafts: Vec<Draft> = Vec::new();
        for statement in Statements::new(bytes) {
            if statement.word == b"newmtl" {
                drafts.push(Draft::new(statement.text()));
                continue;
            }
            let Some(draft) = drafts.last_mut() else { continue };
            if let Err(error) = property(&statement, draft) {
                self.tell(FileRepair::Malformed, &error.to_string());
            }
        }
        drafts.into_iter().map(|draft| self.finish(draft)).collect()
    }

    /// Reports the first mistake.
    fn tell(&mut self, fault: FileRepair, message: &str) {
        if !self.told {
            self.told = true;
            let message = format!("material file {:?}: {message}; skipped", self.name);
            self.warnings.push(fault.at(self.library, message));
        }
    }

    fn finish(&mut self, mut draft: Draft) -> FileMaterial {
        let alpha_map = draft.alpha_map.take();
        if let Some(map) = &alpha_map {
            draft.place(TextureRole::Diffuse, map, draft.material.diffuse.is_some());
        }
        let both = [draft.roughness_map.take(), draft.metal_map.take()];
        for (index, map) in both.iter().flatten().enumerate() {
            draft.place(TextureRole::MetallicRoughness, map, index > 0);
        }
        let [roughness_map, metal_map] = both.map(|map| map.map(|map| map.name));
        let alpha_map = alpha_map.map(|map| map.name);
        if let Some(bump) = draft.bump.filter(|bump| *bump != 1.0) {
            match &mut draft.physical {
                Some(physical) => physical.normal_scale = bump,
                None => draft.lost.push("the option -bm"),
            }
        }
        let Draft { mut material, has_highlight, mut physical, opacity, transparency, .. } = draft;
        // `Tr` is used for transparency and for opacity: for a surface that would vanish, it is the
        // opacity. `d` is unambiguous.
        material.opacity = opacity.unwrap_or(match transparency {
            Some(transparency) if transparency < 1.0 => 1.0 - transparency,
            _ => 1.0,
        });
        let Draft { has_roughness, mut lost, .. } = draft;
        if !has_highlight {
            material.specular_strength = 0.0;
        }
        if alpha_map.is_some() && material.diffuse != alpha_map {
            (material.opacity_picture, material.alpha) = (alpha_map, Some(AlphaMode::Blend));
        }
        if let Some(physical) = &mut physical {
            if !has_roughness && material.shininess > Material::DEFAULT_SHININESS {
                // The roughness with an equally wide highlight (Karis, "Specular BRDF Reference",
                // 2013).
                physical.roughness = (2.0 / (material.shininess + 2.0)).sqrt().sqrt();
            }
            if metal_map.is_some() && physical.metallic == 0.0 {
                // Exporters omit the value if there is a picture.
                physical.metallic = 1.0;
            }
        }
        if !lost.is_empty() {
            lost.sort_unstable();
            lost.dedup();
            let name = &material.name;
            self.tell(FileRepair::Effect, &format!("material {name:?} has {}", lost.join(", ")));
        }
        material.response = physical.map(Box::new);
        let (roughness, metal) = (roughness_map, metal_map);
        material.take_factors(FactorPictures { roughness, is_glossiness: false, metal });
        material
    }
}

/// One property of a material.
fn property(statement: &Statement, draft: &mut Draft) -> Result<(), ModelFormatError> {
    let word = String::from_utf8_lossy(statement.word).to_ascii_lowercase();
    let one = |what: &str| {
        Ok::<f32, ModelFormatError>(statement.reals(1, what)?.first().copied().unwrap_or_default())
    };
    match word.as_str() {
        "kd" => draft.material.color = color(statement)?,
        "ke" => draft.material.emissive = color(statement)?,
        "ks" => {
            draft.material.specular_color = color(statement)?;
            draft.material.specular_strength = 1.0;
        }
        "ns" => {
            let exponent = one("the exponent of the highlight")?;
            draft.material.shininess = clamp(exponent, 1.0, 1000.0);
        }
        "d" => {
            let last = statement.words().last().unwrap_or_default();
            draft.opacity = Some(clamp(statement.real(last, "the opacity")?, 0.0, 1.0));
        }
        "tr" => draft.transparency = Some(clamp(one("the transparency")?, 0.0, 1.0)),
        // 0 and 1 are only colour and only diffuse light.
        "illum" => draft.has_highlight = one("the illumination model")? >= 2.0,
        "pr" => {
            draft.physical().roughness = clamp(one("the roughness")?, 0.0, 1.0);
            draft.has_roughness = true;
        }
        "pc" => draft.physical().clearcoat = clamp(one("the clear coat")?, 0.0, 1.0),
        "pcr" => {
            let roughness = one("the roughness of the clear coat")?;
            draft.physical().clearcoat_roughness = clamp(roughness, 0.0, 1.0);
        }
        "ps" => {
            let sheen = clamp(one("the sheen")?, 0.0, 1.0);
            draft.physical().sheen_color = LinearRgb::WHITE.scaled(sheen);
        }
        "pm" => draft.physical().metallic = clamp(one("the metallic value")?, 0.0, 1.0),
        "ni" => {
            let index = one("the index of refraction")?;
            if let Some(physical) = &mut draft.physical {
                physical.ior = clamp(index, 1.0, 3.0);
            }
        }
        "map_kd" => map(statement, draft, TextureRole::Diffuse, |own| &mut own.diffuse)?,
        "map_ke" => {
            map(statement, draft, TextureRole::Emissive, |own| &mut own.emissive_map)?;
        }
        "map_ks" => map(statement, draft, TextureRole::Specular, |own| &mut own.specular)?,
        "norm" | "map_kn" => map(statement, draft, TextureRole::Normal, |own| &mut own.normal)?,
        "map_bump" | "bump" => {
            if is_normal_map(&picture(statement, &mut Vec::new())?.name) {
                map(statement, draft, TextureRole::Normal, |own| &mut own.normal)?;
            } else {
                draft.lost.push("a map of heights, map_Bump");
            }
        }
        "map_pr" => {
            draft.roughness_map = Some(picture(statement, &mut draft.lost)?);
            draft.physical();
            draft.has_roughness = true;
        }
        "map_pm" => {
            draft.metal_map = Some(picture(statement, &mut draft.lost)?);
            draft.physical();
        }
        "disp" => draft.lost.push("a map of displacements, disp"),
        "decal" => draft.lost.push("decal"),
        "refl" => draft.lost.push("a map of reflections, refl"),
        "map_d" => {
            draft.alpha_map = Some(picture(statement, &mut draft.lost)?);
        }
        _ => {}
    }
    // An emission map requires an emission colour.
    if draft.material.emissive_map.is_some() && draft.material.emissive == LinearRgb::BLACK {
        draft.material.emissive = LinearRgb::WHITE;
    }
    Ok(())
}

/// A texture of a role.
fn map(
    statement: &Statement,
    draft: &mut Draft,
    role: TextureRole,
    slot: fn(&mut FileMaterial) -> &mut Option<String>,
) -> Result<(), ModelFormatError> {
    let map = picture(statement, &mut draft.lost)?;
    draft.place(role, &map, false);
    if role == TextureRole::Normal {
        draft.bump = map.bump;
    }
    *slot(&mut draft.material) = Some(map.name);
    Ok(())
}

/// A colour: one number, or three, sRGB-encoded, as exporters write picked colours.
fn color(statement: &Statement) -> Result<LinearRgb, ModelFormatError> {
    let numbers = statement.reals(1, "a colour")?;
    let first = numbers.first().copied().unwrap_or_default();
    let [r, g, b] = [0, 1, 2].map(|channel| numbers.get(channel).copied().unwrap_or(first));
    Ok(linear(Vec3::new(r, g, b)))
}

/// The linear colour of sRGB components in 0..=1.
#[expect(clippy::cast_possible_truncation, reason = "a component of 0..=1 has a nearest f32")]
pub(super) fn linear(encoded: Vec3) -> LinearRgb {
    let channel = |value: f32| linear_from_encoded(f64::from(clamp(value, 0.0, 1.0))) as f32;
    LinearRgb::new(channel(encoded.x), channel(encoded.y), channel(encoded.z))
}

/// A picture and its options.
struct MapStatement {
    name: String,
    sampling: TextureSampling,
    coordinates: TextureCoordinates,
    /// The multiplier of bumps.
    bump: Option<f32>,
}

/// The name of a picture after its options; unsupported ones are added to `lost`.
fn picture(
    statement: &Statement,
    lost: &mut Vec<&'static str>,
) -> Result<MapStatement, ModelFormatError> {
    let words: Vec<&[u8]> = statement.words().collect();
    let (mut sampling, mut bump) = (TextureSampling::default(), None);
    let (mut scale, mut offset) = (Vec2::ONE, Vec2::ZERO);
    let mut at = 0;
    while let Some(option) = words.get(at).filter(|word| word.starts_with(b"-")) {
        let option = option.to_ascii_lowercase();
        let most = match option.as_slice() {
            b"-o" | b"-s" | b"-t" => 3,
            b"-mm" => 2,
            b"-blendu" | b"-blendv" | b"-boost" | b"-bm" | b"-imfchan" | b"-type" | b"-texres"
            | b"-cc" | b"-clamp" => 1,
            _ => break,
        };
        let word = words.get(at + 1).copied().unwrap_or_default();
        // The last of several numbers may be omitted.
        let numbers = words.iter().skip(at + 1).take(most);
        let numbers: Vec<f32> = numbers.map_while(|word| statement.real(word, "").ok()).collect();
        let pair = |instead: f32| {
            let [u, v] = [0, 1].map(|axis| numbers.get(axis).copied().unwrap_or(instead));
            Vec2::new(u, v)
        };
        match option.as_slice() {
            b"-s" => scale = pair(1.0),
            b"-o" => offset = pair(0.0),
            b"-clamp" if word.eq_ignore_ascii_case(b"on") => {
                sampling.wrap = [TextureWrap::Clamp; 2];
            }
            b"-bm" => bump = numbers.first().copied(),
            b"-t" if numbers.iter().any(|number| *number != 0.0) => lost.push("the option -t"),
            b"-mm" if pair(1.0) != Vec2::Y => lost.push("the option -mm"),
            b"-imfchan" => lost.push("the option -imfchan"),
            b"-cc" if word.eq_ignore_ascii_case(b"on") => lost.push("the option -cc"),
            _ => {}
        }
        at += 1 + if most == 1 { 1 } else { numbers.len().max(1) };
    }
    let name = statement.text_after(at);
    let name = name.trim_matches('"').to_owned();
    if name.is_empty() {
        let found = quoted(statement.word);
        return Err(ModelFormatError::value(statement.at(), "a texture", found, "a file name"));
    }
    // The file counts from the lower left corner.
    let coordinates = TextureCoordinates {
        is_second: false,
        steps: [Vec2::new(scale.x, 0.0), Vec2::new(0.0, scale.y)],
        offset: Vec2::new(offset.x, 1.0 - scale.y - offset.y),
    };
    Ok(MapStatement { name, sampling, coordinates, bump })
}

/// The material of a name that is in no material file.
pub(super) fn plain(name: &str) -> FileMaterial {
    FileMaterial { shininess: Material::DEFAULT_SHININESS, ..FileMaterial::plain(name) }
}
