//! `[[material]]`: materials for the shader names of models.

use super::bounds::UNIT;
use super::reader::{Names, Table};
use super::value::{Brightness, color, narrow};
use tintype_model::{AlphaMode, CullMode, LinearRgb, MetallicRoughness, TextureFilter};

/// A material of the scene's library; textures are paths relative to the scene.
///
/// It describes the whole surface: a texture that it does not name is absent, even if a file with a matching name exists.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialEntry {
    /// Shader name of the meshes that it applies to; empty in some models.
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
    /// Multiplies the specular texture; by default it depends on whether there is one.
    pub specular_strength: Option<f32>,
    /// The Blinn-Phong exponent, above 0.
    pub shininess: f32,
    /// Emitted light; multiplies the emissive texture. White if only the texture is given.
    pub emissive: LinearRgb,
    /// Meaning of alpha.
    pub alpha: AlphaMode,
    /// Faces that are drawn.
    pub cull: CullMode,
    /// Whether the green channel of the normal map points along `v`.
    pub normal_y_down: bool,
    /// Filter of its textures where they are enlarged.
    pub filter: TextureFilter,
    /// The path of the texture of roughness and metal.
    pub metallic_roughness: Option<String>,
    /// The path of the texture of occlusion.
    pub occlusion: Option<String>,
    /// The metallic-roughness response, if the table asks for it by `metallic`, `roughness`, `metallic_roughness` or `unlit`.
    pub response: Option<Box<MetallicRoughness>>,
}

/// Keys that ask for the metallic-roughness response.
const ASKING: [&str; 4] = ["metallic", "roughness", "metallic_roughness", "unlit"];
/// Further keys of that response alone.
const OF_RESPONSE: [&str; 9] = [
    "occlusion",
    "occlusion_strength",
    "normal_scale",
    "ior",
    "specular_color",
    "clearcoat",
    "clearcoat_roughness",
    "sheen_color",
    "sheen_roughness",
];

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
    let name = table
        .required("name", "the shader name that it stands for")
        .and_then(|item| item.text("a shader name"));
    if let Some(name) = name {
        names.add(name, table, "name");
    }
    let texture = |key: &'static str| {
        let path = table.item(key).and_then(|item| item.filled_text("the path of a texture"));
        path.map(str::to_owned)
    };
    let shade = |key: &'static str, brightness: Brightness, default: LinearRgb| {
        table.item(key).and_then(|item| color(&item, brightness)).unwrap_or(default)
    };
    let strength = table.item("specular_strength");
    let emissive_map = texture("glow");
    let dark = if emissive_map.is_some() { LinearRgb::WHITE } else { LinearRgb::BLACK };
    let entry = MaterialEntry {
        name: name.unwrap_or_default().to_owned(),
        diffuse: texture("diffuse"),
        normal: texture("normal"),
        specular: texture("specular"),
        emissive_map,
        color: shade("color", Brightness::Surface, LinearRgb::WHITE),
        opacity: narrow(table.number("opacity")),
        specular_strength: strength.and_then(|item| item.number()).map(narrow),
        shininess: narrow(table.number("shininess")),
        emissive: shade("emissive", Brightness::Light, dark),
        alpha: read_alpha(table),
        cull: table
            .item("cull")
            .and_then(|item| item.word("cull mode", &CULLS))
            .unwrap_or(CullMode::Auto),
        normal_y_down: table
            .item("normal_y")
            .and_then(|item| item.word("normal_y", &[("up", false), ("down", true)]))
            .unwrap_or(false),
        filter: table
            .item("filter")
            .and_then(|item| item.word("filter", &FILTERS))
            .unwrap_or_default(),
        metallic_roughness: texture("metallic_roughness"),
        occlusion: texture("occlusion"),
        response: read_response(table).map(Box::new),
    };
    name.map(|_| entry)
}

/// Reads the metallic-roughness response; none for a classic material.
///
/// A factor without its texture has the default of a plain dielectric, with it that of the file format: 1.
fn read_response(table: &Table<'_>) -> Option<MetallicRoughness> {
    if !ASKING.iter().any(|key| table.has(key)) {
        for key in &OF_RESPONSE {
            let (with, goes) = ("a classic material", "metallic or roughness");
            table.refuse(key, with, goes);
        }
        return None;
    }
    for key in ["specular", "shininess"] {
        table.refuse(key, "metallic or roughness", "a classic material");
    }
    let has_texture = table.has("metallic_roughness");
    let [metallic, roughness] = if has_texture { [1.0, 1.0] } else { [0.0, 0.5] };
    let share = |key: &'static str| narrow(table.number(key));
    let tint = |key: &'static str, default: LinearRgb| {
        let color = table.item(key).and_then(|item| color(&item, Brightness::Surface));
        color.unwrap_or(default)
    };
    let unlit = table.item("unlit").and_then(|item| item.truth("true or false"));
    Some(MetallicRoughness {
        metallic: narrow(table.number_or("metallic", metallic)),
        roughness: narrow(table.number_or("roughness", roughness)),
        occlusion_strength: share("occlusion_strength"),
        normal_scale: share("normal_scale"),
        ior: share("ior"),
        specular: strength_of_response(table),
        specular_color: tint("specular_color", LinearRgb::WHITE),
        clearcoat: share("clearcoat"),
        clearcoat_roughness: share("clearcoat_roughness"),
        clearcoat_normal_scale: 1.0,
        sheen_color: tint("sheen_color", LinearRgb::BLACK),
        sheen_roughness: share("sheen_roughness"),
        is_unlit: unlit.unwrap_or(false),
        toon: None,
    })
}

/// Strength of the reflection of a dielectric: a share, unlike that of a classic material.
fn strength_of_response(table: &Table<'_>) -> f32 {
    let strength = table.item("specular_strength");
    narrow(strength.and_then(|item| item.number_within(UNIT)).unwrap_or(1.0))
}

fn read_alpha(table: &Table<'_>) -> AlphaMode {
    const WORDS: [(&str, &str); 5] = [
        ("opaque", "opaque"),
        ("mask", "mask"),
        ("blend", "blend"),
        ("add", "add"),
        ("multiply", "multiply"),
    ];
    let cutoff = narrow(table.number("alpha_cutoff"));
    let word = match table.item("alpha") {
        Some(item) => item.word("alpha mode", &WORDS),
        None => Some("opaque"),
    };
    if let Some(word) = word
        && word != "mask"
    {
        table.refuse("alpha_cutoff", &format!("alpha = {word:?}"), "alpha = \"mask\"");
    }
    match word {
        Some("mask") => AlphaMode::Mask { cutoff },
        Some("blend") => AlphaMode::Blend,
        Some("add") => AlphaMode::Add,
        Some("multiply") => AlphaMode::Multiply,
        _ => AlphaMode::Opaque,
    }
}
