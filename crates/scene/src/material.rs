//! `[[material]]`: materials for the shader names of models.

use super::bounds::{UNIT, narrow};
use super::reader::{Item, Names, Table};
use super::value::{Brightness, color};
use tintype_model::{AlphaMode, CullMode, LinearRgb, MetallicRoughness, TextureFilter};

/// A material of the scene's library; textures are paths relative to the scene.
///
/// It describes the whole surface: a texture that it does not name is absent, even if a file with a
/// matching name exists.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialEntry {
    /// Shader name of its meshes; empty in some models.
    pub name: String,
    /// The path of the diffuse texture.
    pub diffuse: Option<String>,
    /// The path of the normal map.
    pub normal: Option<String>,
    /// The path of the specular texture.
    pub specular: Option<String>,
    /// The path of the emissive texture.
    pub emissive_map: Option<String>,
    /// Multiplies the diffuse texture.
    pub color: LinearRgb,
    /// Multiplies the texture's alpha, 0 to 1.
    pub opacity: f32,
    /// Multiplies the specular texture; the default depends on whether there is one.
    pub specular_strength: Option<f32>,
    /// The Blinn-Phong exponent, above 0.
    pub shininess: f32,
    /// Emitted light; multiplies the emissive texture. White if only the texture is set.
    pub emissive: LinearRgb,
    /// Meaning of alpha.
    pub alpha: AlphaMode,
    /// Faces that are drawn.
    pub cull: CullMode,
    /// True if the green channel of the normal map points along `v`.
    pub normal_y_down: bool,
    /// Filter of its textures where they are enlarged.
    pub filter: TextureFilter,
    /// The path of the texture of roughness and metalness.
    pub metallic_roughness: Option<String>,
    /// The path of the texture of occlusion.
    pub occlusion: Option<String>,
    /// The metallic-roughness response, if the table requests it by `metallic`, `roughness`,
    /// `metallic_roughness` or `unlit`.
    pub response: Option<Box<MetallicRoughness>>,
}

/// Reads all `[[material]]` tables.
pub(super) fn read(root: &Table<'_>) -> Vec<MaterialEntry> {
    let mut names = Names::new("material");
    root.tables("material").iter().filter_map(|table| read_one(table, &mut names)).collect()
}

fn read_one(table: &Table<'_>, names: &mut Names) -> Option<MaterialEntry> {
    const CULLS: [(&str, CullMode); 4] = [
        ("auto", CullMode::Auto),
        ("back", CullMode::Back),
        ("front", CullMode::Front),
        ("none", CullMode::None),
    ];
    const FILTERS: [(&str, TextureFilter); 2] =
        [("linear", TextureFilter::Linear), ("nearest", TextureFilter::Nearest)];
    const NORMALS: [(&str, bool); 2] = [("up", false), ("down", true)];
    let name = table.require("name", "the name of the shader that it replaces", |item| {
        item.text("a shader name")
    });
    if let Some(name) = name {
        names.add(name, table, "name");
    }
    let texture = |key: &'static str| table.text(key, "the path of a texture");
    let emissive_map = texture("glow");
    let dark = if emissive_map.is_some() { LinearRgb::WHITE } else { LinearRgb::BLACK };
    let entry = MaterialEntry {
        name: name.unwrap_or_default().to_owned(),
        diffuse: texture("diffuse"),
        normal: texture("normal"),
        specular: texture("specular"),
        emissive_map,
        color: tint(table, "color", LinearRgb::WHITE),
        opacity: table.single("opacity"),
        specular_strength: table.get("specular_strength", Item::number).map(narrow),
        shininess: table.single("shininess"),
        emissive: table.get("emissive", |item| color(item, Brightness::Light)).unwrap_or(dark),
        alpha: read_alpha(table),
        cull: table.get("cull", |item| item.word("cull mode", &CULLS)).unwrap_or(CullMode::Auto),
        normal_y_down: table.get("normal_y", |item| item.word("normal_y", &NORMALS)) == Some(true),
        filter: table.get("filter", |item| item.word("filter", &FILTERS)).unwrap_or_default(),
        metallic_roughness: texture("metallic_roughness"),
        occlusion: texture("occlusion"),
        response: read_response(table).map(Box::new),
    };
    name.map(|_| entry)
}

/// Reads the colour of a surface.
fn tint(table: &Table<'_>, key: &'static str, default: LinearRgb) -> LinearRgb {
    table.get(key, |item| color(item, Brightness::Surface)).unwrap_or(default)
}

/// Reads the metallic-roughness response. None for a classic material.
///
/// A factor without its texture has the default of a plain dielectric; with its texture, that of
/// the file format: 1.
fn read_response(table: &Table<'_>) -> Option<MetallicRoughness> {
    if !table.asks(["metallic or roughness", "a classic material"]) {
        return None;
    }
    let has_texture = table.has("metallic_roughness");
    let [metallic, roughness] = if has_texture { [1.0, 1.0] } else { [0.0, 0.5] };
    // A fraction, unlike that of a classic material.
    let specular = table.get("specular_strength", |item| item.number_within(UNIT));
    Some(MetallicRoughness {
        metallic: narrow(table.get("metallic", Item::number).unwrap_or(metallic)),
        roughness: narrow(table.get("roughness", Item::number).unwrap_or(roughness)),
        occlusion_strength: table.single("occlusion_strength"),
        normal_scale: table.single("normal_scale"),
        ior: table.single("ior"),
        specular: narrow(specular.unwrap_or(1.0)),
        specular_color: tint(table, "specular_color", LinearRgb::WHITE),
        clearcoat: table.single("clearcoat"),
        clearcoat_roughness: table.single("clearcoat_roughness"),
        sheen_color: tint(table, "sheen_color", LinearRgb::BLACK),
        sheen_roughness: table.single("sheen_roughness"),
        is_unlit: table.truth("unlit"),
        ..MetallicRoughness::default()
    })
}

fn read_alpha(table: &Table<'_>) -> AlphaMode {
    let cutoff = table.single("alpha_cutoff");
    let words = [
        AlphaMode::Opaque,
        AlphaMode::Mask { cutoff },
        AlphaMode::Blend,
        AlphaMode::Add,
        AlphaMode::Multiply,
    ];
    let words = words.map(|alpha| (alpha.name(), alpha));
    let read = |item: Item<'_>| item.word("alpha mode", &words);
    let Some(alpha) = table.item("alpha").map_or(Some(AlphaMode::Opaque), read) else {
        return AlphaMode::Opaque;
    };
    if !matches!(alpha, AlphaMode::Mask { .. }) {
        let with = format!("alpha = {:?}", alpha.name());
        table.refuse("alpha_cutoff", &with, "alpha = \"mask\"");
    }
    // Every alpha reaches a cutoff of 0.
    if alpha == (AlphaMode::Mask { cutoff: 0.0 }) { AlphaMode::Opaque } else { alpha }
}
