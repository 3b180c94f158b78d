//! Surfaces: materials key by key, in the terms of their lighting model, and differences between
//! two.
//!
//! Input: materials and their textures. Output: [`Surface`]s, and findings. Records beside goldens
//! use the same keys and values, so that comparisons of records and of files describe a change in
//! the same words.

use crate::finding::{Element, Finding, Kind, Stage, Subject, Value};
use tintype_model::{
    AlphaMode, FileMaterial, LinearRgb, Material, MetallicRoughness, Outline, Rim, StageColor,
    TexcoordMotion, TextureCoordinates, TextureRole, TextureSampling, TextureWrap, Toon,
};
use tintype_render::asset::{Assets, FileRecord};

/// A material by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surface {
    /// Its name.
    pub name: String,
    /// Keys and values, without layers that have their defaults.
    pub values: Vec<(String, String)>,
}

/// The key that marks textures as listed; values of older records have none.
const TEXTURES: &str = "textures";
/// The end of the key of a texture.
const TEXTURE: &str = " texture";
/// Parts of the value of a texture: its name, the digest of its texels, and its use if it is not
/// the default.
const PARTS: &str = " | ";

impl Surface {
    /// True if it has a texture, or if that is unknown.
    #[must_use]
    pub fn has_textures(&self) -> bool {
        let keys = || self.values.iter().map(|(key, _)| key.as_str());
        keys().any(|key| key.ends_with(TEXTURE)) || !keys().any(|key| key == TEXTURES)
    }

    /// The materials of a scene from this index, with their textures if `has_textures`.
    #[must_use]
    pub fn of_assets(assets: &Assets, first: usize, has_textures: bool) -> Vec<Self> {
        let of_material = |material: &Material| {
            let mut values = values(material);
            if has_textures {
                values.push((TEXTURES.to_owned(), "listed".to_owned()));
                values.extend(textures(material, assets));
            }
            Self { name: material.name.clone(), values }
        };
        assets.materials.iter().skip(first).map(of_material).collect()
    }

    /// A material described by the file of a model; textures by name.
    #[must_use]
    pub fn of_file(file: &FileMaterial) -> Self {
        let material = Material {
            name: file.name.clone(),
            color: file.color,
            opacity: file.opacity,
            diffuse: None,
            normal: None,
            specular: None,
            specular_strength: file.specular_strength,
            specular_color: file.specular_color,
            shininess: file.shininess,
            emissive: file.emissive,
            emissive_map: None,
            shading: file.shading,
            alpha: file.alpha.unwrap_or(AlphaMode::Opaque),
            cull: file.cull,
            normal_y_down: false,
            metallic_roughness: None,
            occlusion: None,
            layers: tintype_model::LayerTextures::NONE,
            response: file.response.clone(),
            coordinates: None,
            stages: Vec::new(),
        };
        let mut values = values(&material);
        values.push((TEXTURES.to_owned(), "listed".to_owned()));
        let mut pictures = vec![("opacity", &file.opacity_picture)];
        if let Some(made) = &file.factors {
            let gloss = if made.is_glossiness { "glossiness" } else { "roughness" };
            pictures.extend([(gloss, &made.roughness), ("metal", &made.metal)]);
        }
        let named = pictures.into_iter().filter_map(|(of, name)| Some((of, name.as_ref()?)));
        values.extend(named.map(|(of, name)| (format!("picture of {of}"), name.clone())));
        for role in TextureRole::ALL {
            let Some(name) = file.texture(role) else { continue };
            let coordinates = file.coordinates.as_ref().and_then(|all| all[role as usize]);
            let used = use_of(file.sampling[role as usize], coordinates.as_ref());
            values.push(texture_value(role, &material, [name, name, &used]));
        }
        Self { name: file.name.clone(), values }
    }
}

/// Digest of the texels of all textures made from a file. None for a file without textures.
#[must_use]
pub fn texel_digest(assets: &Assets, file: &FileRecord) -> Option<String> {
    let mut hasher = blake3::Hasher::new();
    for texture in file.textures.iter().filter_map(|&index| assets.textures.get(index)) {
        for texels in texture.first_and_smaller() {
            hasher.update(bytemuck::cast_slice(texels));
        }
    }
    (!file.textures.is_empty()).then(|| hasher.finalize().to_hex()[..16].to_owned())
}

/// The values of a material except its textures.
fn values(material: &Material) -> Vec<(String, String)> {
    let alpha = match material.alpha {
        AlphaMode::Mask { cutoff } => format!("mask {cutoff}"),
        other => other.name().to_owned(),
    };
    let value = |key: &str, value: String| (key.to_owned(), value);
    let mut values = vec![
        value("color", triple(material.color)),
        value("opacity", material.opacity.to_string()),
        value("emissive", triple(material.emissive)),
        value("alpha", alpha),
        value("cull", format!("{:?}", material.cull).to_lowercase()),
    ];
    match &material.response {
        Some(response) => values.extend(response_values(response)),
        None => values.extend([
            value("specular_strength", material.specular_strength.to_string()),
            value("specular_color", triple(material.specular_color)),
            value("shininess", material.shininess.to_string()),
            value("shading", material.shading.name().to_owned()),
        ]),
    }
    for stage in &material.stages {
        // For a stage, formulas replace constant values.
        let own = stage.colors.map(|part| match part {
            StageColor::Surface => "color",
            StageColor::Highlight => "specular_color",
            StageColor::Light | StageColor::LightOnTop => "emissive",
        });
        values.retain(|(key, _)| Some(key.as_str()) != own);
        values.extend(stage.values());
    }
    values
}

fn triple(color: LinearRgb) -> String {
    format!("{} {} {}", color.r, color.g, color.b)
}

/// Metalness and roughness of a surface, and the other values of its response that are not the
/// default.
fn response_values(response: &MetallicRoughness) -> Vec<(String, String)> {
    let usual = MetallicRoughness::default();
    let MetallicRoughness {
        metallic,
        roughness,
        occlusion_strength,
        normal_scale,
        ior,
        specular,
        specular_color,
        clearcoat,
        clearcoat_roughness,
        clearcoat_normal_scale,
        sheen_color,
        sheen_roughness,
        transmission,
        anisotropy,
        iridescence,
        is_unlit,
        toon,
        stacking,
    } = response;
    let mut values = vec![("metallic", metallic.to_string()), ("roughness", roughness.to_string())];
    let numbers = [
        ("occlusion_strength", *occlusion_strength, usual.occlusion_strength),
        ("normal_scale", *normal_scale, usual.normal_scale),
        ("ior", *ior, usual.ior),
        ("specular", *specular, usual.specular),
        ("clearcoat", *clearcoat, usual.clearcoat),
        ("clearcoat_roughness", *clearcoat_roughness, usual.clearcoat_roughness),
        ("clearcoat_normal_scale", *clearcoat_normal_scale, usual.clearcoat_normal_scale),
        ("sheen_roughness", *sheen_roughness, usual.sheen_roughness),
        ("transmission", transmission.share, 0.0),
        ("thickness", transmission.thickness, 0.0),
        ("attenuation_distance", transmission.attenuation_distance, f32::INFINITY),
        ("anisotropy", anisotropy.strength, 0.0),
        ("anisotropy_rotation", anisotropy.rotation_rad, 0.0),
        ("iridescence", iridescence.strength, 0.0),
        ("iridescence_ior", iridescence.ior, usual.iridescence.ior),
        ("iridescence_least", iridescence.thickness_nm[0], usual.iridescence.thickness_nm[0]),
        ("iridescence_most", iridescence.thickness_nm[1], usual.iridescence.thickness_nm[1]),
    ];
    let told = numbers.into_iter().filter(|(_, own, usual)| own != usual);
    values.extend(told.map(|(key, own, _)| (key, own.to_string())));
    let colors = [
        ("specular_color", *specular_color, usual.specular_color),
        ("sheen_color", *sheen_color, usual.sheen_color),
        ("attenuation_color", transmission.attenuation_color, LinearRgb::WHITE),
    ];
    let told = colors.into_iter().filter(|(_, own, usual)| own != usual);
    values.extend(told.map(|(key, own, _)| (key, triple(own))));
    values.extend(is_unlit.then(|| ("unlit", "true".to_owned())));
    values.extend(toon.iter().flat_map(toon_values));
    if *stacking != usual.stacking {
        let behind = if stacking.hides { ", hides what is behind it" } else { "" };
        values.push(("stacking", format!("rank {}{behind}", stacking.rank)));
    }
    values.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The two tones, and the related values of such a surface.
fn toon_values(toon: &Toon) -> Vec<(&'static str, String)> {
    let Toon {
        shade, toony, shift, shift_scale, equalization, rim, matcap, outline, speed, ..
    } = *toon;
    let usual = Toon::default();
    let mut values =
        vec![("toon", format!("shade {}, toony {toony}, shift {shift}", triple(shade)))];
    let numbers = [
        ("shift_scale", shift_scale, usual.shift_scale),
        ("equalization", equalization, usual.equalization),
    ];
    let told = numbers.into_iter().filter(|(_, own, usual)| own != usual);
    values.extend(told.map(|(key, own, _)| (key, own.to_string())));
    if rim != usual.rim {
        let Rim { color, power, lift, lit } = rim;
        values.push(("rim", format!("{}, power {power}, lift {lift}, lit {lit}", triple(color))));
    }
    if matcap != usual.matcap {
        values.push(("matcap", triple(matcap)));
    }
    if let Some(Outline { width, is_on_screen, color, lit }) = outline {
        let of = if is_on_screen { "of half the height" } else { "of length" };
        values.push(("outline", format!("{width} {of}, {}, lit {lit}", triple(color))));
    }
    if speed != usual.speed {
        let TexcoordMotion { turn_rad, way } = speed;
        values.push(("motion", format!("{} {} and {turn_rad} rad a second", way.x, way.y)));
    }
    values
}

/// The textures of a material, a value each.
fn textures(material: &Material, assets: &Assets) -> Vec<(String, String)> {
    let of_role = |role: TextureRole| {
        let index = material.texture(role)?;
        let texture = assets.textures.get(index)?;
        let mut files = assets.files.iter().chain(&assets.pictures);
        let file = files.find(|file| file.textures.contains(&index));
        let name = file.map_or("a texture", |file| file.name.as_str());
        let digest = file.and_then(|file| texel_digest(assets, file)).unwrap_or_default();
        let sampling = TextureSampling { filter: texture.filter, wrap: texture.wrap };
        let is_placed = material.stages.iter().any(|stage| stage.roles.contains(&role));
        let coordinates = material.coordinates_of(role).filter(|_| !is_placed);
        let used = use_of(sampling, coordinates);
        Some(texture_value(role, material, [name, &digest, &used]))
    };
    TextureRole::ALL.into_iter().filter_map(of_role).collect()
}

fn texture_value(role: TextureRole, material: &Material, parts: [&str; 3]) -> (String, String) {
    let name = match role {
        TextureRole::Diffuse if material.response.is_some() => "base color".to_owned(),
        TextureRole::Emissive => "emissive".to_owned(),
        other => other.name().replace('_', " "),
    };
    (name + TEXTURE, parts.join(PARTS))
}

/// Filter, edges and coordinates of a texture, if they are not the defaults.
fn use_of(sampling: TextureSampling, coordinates: Option<&TextureCoordinates>) -> String {
    let mut words = Vec::new();
    if sampling.filter != TextureSampling::default().filter {
        words.push(format!("filter {}", sampling.filter.name()));
    }
    if sampling.wrap != [TextureWrap::Repeat; 2] {
        let [u, v] = sampling.wrap.map(|wrap| format!("{wrap:?}").to_lowercase());
        words.push(format!("wrap {u} {v}"));
    }
    if let Some(TextureCoordinates { is_second, steps: [u, v], offset }) = coordinates {
        let set = if *is_second { "second" } else { "first" };
        words.push(format!(
            "transform {} {} {} {}, offset {} {}, of the {set} coordinates",
            u.x, u.y, v.x, v.y, offset.x, offset.y
        ));
    }
    if words.is_empty() { "plain".to_owned() } else { words.join(", ") }
}

/// True if two lists of values are the same except for rounding.
#[must_use]
pub fn is_alike(old: &[(String, String)], new: &[(String, String)]) -> bool {
    changes(&Subject::all(Element::Material), old, new, true).is_empty()
}

/// Differences between the values of a surface. Textures of one name with different texels are
/// reported only if `tells_texels` is set.
#[must_use]
pub fn changes(
    of: &Subject,
    old: &[(String, String)],
    new: &[(String, String)],
    tells_texels: bool,
) -> Vec<Finding> {
    let value = |list: &'_ [(String, String)], key: &str| {
        list.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone())
    };
    let text = |value: &str| Some(Value::from(value));
    let told = |kind, key: &str| Finding::new(Stage::Material, kind, of.clone()).property(key);
    let [had, has] = [old, new].map(|list| value(list, TEXTURES).is_some());
    let is_metallic = value(new, "metallic").is_some();
    let mut found = Vec::new();
    for (key, now) in new.iter().filter(|(key, _)| key != TEXTURES) {
        let before = value(old, key);
        let shown = match key.as_str() {
            "color" if is_metallic => "base color",
            key => key,
        };
        match (key.ends_with(TEXTURE), before) {
            (true, Some(before)) => {
                found.extend(texture_change(told(Kind::Replaced, key), &before, now, tells_texels));
            }
            (true, None) if had => {
                found.push(told(Kind::Replaced, key).from_to(None, text(name_of(now))));
            }
            (true, None) => {}
            (false, Some(before)) if is_same(&before, now) => {}
            (false, before) => {
                let before = before.map(Value::from);
                found.push(told(Kind::ValueChanged, shown).from_to(before, text(now)));
            }
        }
    }
    let gone = old.iter().filter(|(key, _)| key != TEXTURES && value(new, key).is_none());
    for (key, before) in gone {
        if !key.ends_with(TEXTURE) {
            found.push(told(Kind::ValueChanged, key).from_to(text(before), None));
        } else if has {
            // It comes first, because some of its values may be removed with it.
            found.insert(0, told(Kind::Replaced, key).from_to(text(name_of(before)), None));
        }
    }
    found
}

/// Name, digest and use of the value of a texture.
fn parts(value: &str) -> [&str; 3] {
    let mut parts = value.rsplitn(3, PARTS);
    let [used, digest, name] = [parts.next(), parts.next(), parts.next()];
    [name.unwrap_or(value), digest.unwrap_or_default(), used.unwrap_or_default()]
}

fn name_of(value: &str) -> &str {
    parts(value)[0]
}

/// The change of a texture; `told` is a finding that already names its subject.
fn texture_change(told: Finding, before: &str, now: &str, tells_texels: bool) -> Option<Finding> {
    let [[from, from_digest, from_use], [to, to_digest, to_use]] = [parts(before), parts(now)];
    let values = |was: &str, is: &str| told.clone().from_to(Value::from(was), Value::from(is));
    if !is_same(from_use, to_use) {
        Some(Finding { kind: Kind::UseChanged, ..values(from_use, to_use) })
    } else if from_digest != to_digest && from != to {
        Some(values(from, to))
    } else if from_digest != to_digest && tells_texels {
        Some(Finding { kind: Kind::TexelsChanged, ..values(from, to) })
    } else {
        None
    }
}

/// True if two values are the same except for rounding.
fn is_same(before: &str, now: &str) -> bool {
    let alike = |(a, b): (&str, &str)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= 2e-6 * tintype_model::math::larger(a.abs(), b.abs()),
        _ => a == b,
    };
    before == now
        || before.split(' ').count() == now.split(' ').count()
            && before.split(' ').zip(now.split(' ')).all(alike)
}

/// Differences of two lists of surfaces. A surface whose values equal those of another, as after
/// merging equal ones, is neither added nor removed.
#[must_use]
pub fn differences(old: &[Surface], new: &[Surface]) -> Vec<Finding> {
    let has_values = |list: &[Surface], one: &Surface| {
        list.iter().any(|other| is_alike(&one.values, &other.values))
    };
    let material = |one: &Surface| Subject::named(Element::Material, one.name.as_str());
    let told = |kind, one| Finding::new(Stage::Material, kind, material(one));
    let mut found = Vec::new();
    for before in old {
        match new.iter().find(|now| now.name == before.name) {
            Some(now) => {
                found.extend(changes(&material(before), &before.values, &now.values, true));
            }
            None if has_values(new, before) => {}
            None => found.push(told(Kind::Removed, before)),
        }
    }
    let is_new = |now: &&Surface| old.iter().all(|before| before.name != now.name);
    let is_other = |now: &&Surface| !has_values(old, now);
    found.extend(new.iter().filter(is_new).filter(is_other).map(|now| told(Kind::Added, now)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface(edit: impl Fn(&mut FileMaterial)) -> Surface {
        let mut material = FileMaterial::plain("cloth");
        material.response = Some(Box::default());
        material.diffuse = Some("a.png".to_owned());
        edit(&mut material);
        Surface::of_file(&material)
    }

    #[test]
    fn a_surface_is_told_in_the_words_of_its_model() {
        let told = |edit: &dyn Fn(&mut FileMaterial)| {
            let found = differences(&[surface(|_| ())], &[surface(edit)]);
            found.iter().map(Finding::sentence).collect::<Vec<_>>().join("; ")
        };
        let response = |edit: fn(&mut MetallicRoughness)| {
            move |material: &mut FileMaterial| {
                material.response.as_deref_mut().into_iter().for_each(edit)
            }
        };
        assert_eq!(told(&|_| ()), "");
        assert_eq!(
            told(&response(|own| own.metallic = 0.25)),
            "material \"cloth\" metallic 1 -> 0.25"
        );
        assert_eq!(told(&response(|own| own.roughness = 1.0 - 1e-7)), "");
        assert_eq!(
            told(&response(|own| own.clearcoat = 0.5)),
            "material \"cloth\" clearcoat 0.5, was the default"
        );
        assert_eq!(
            told(&|own| own.color.g = 0.5),
            "material \"cloth\" base color 1 1 1 -> 1 0.5 1"
        );
        assert_eq!(
            told(&|own| own.alpha = Some(AlphaMode::Mask { cutoff: 0.25 })),
            "material \"cloth\" alpha opaque -> mask 0.25"
        );
        assert_eq!(
            told(&|own| own.diffuse = None),
            "material \"cloth\" no longer has base color texture, had a.png"
        );
        assert_eq!(
            told(&|own| own.normal = Some("n.png".to_owned())),
            "material \"cloth\" has normal texture n.png, had none"
        );
        assert_eq!(
            told(&|own| own.sampling[0].wrap[1] = TextureWrap::Clamp),
            "material \"cloth\" base color texture: wrap repeat clamp, was plain"
        );
        assert_eq!(told(&|own| own.name = "merged".to_owned()), "");
    }
}
