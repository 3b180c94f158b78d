//! Expressions: named sets of weights and colours in a file, such as a smile.

/// The part of a face that an expression affects, which others may suppress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FacePart {
    /// The lids: `blink`, `blinkLeft`, `blinkRight`.
    Blink,
    /// The eyes: `lookUp`, `lookDown`, `lookLeft`, `lookRight`.
    LookAt,
    /// The mouth: `aa`, `ih`, `ou`, `ee`, `oh`.
    Mouth,
}

/// Ways for an expression to suppress those of another part of the face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Override {
    /// Not at all.
    #[default]
    None,
    /// Wholly as soon as its weight is above 0.
    Block,
    /// By its weight.
    Blend,
}

/// The colour of a material that an expression changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorRole {
    /// The colour in the light, and its alpha.
    Base,
    /// The emitted light.
    Emission,
    /// The colour in the shade.
    Shade,
    /// The factor of the picture of reflections.
    Matcap,
    /// The light at the rim.
    Rim,
    /// The outline.
    Outline,
}

/// A colour of a material at the full expression.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorBind {
    /// The name of the material in the model.
    pub material: String,
    /// The colour to change.
    pub role: ColorRole,
    /// Red, green and blue, linear, and alpha; finite.
    pub value: [f32; 4],
}

/// The scale and the offset of all texture coordinates of a material at the full expression.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureBind {
    /// The name of the material in the model.
    pub material: String,
    /// Factor of each coordinate; finite.
    pub scale: [f32; 2],
    /// Added to each coordinate after the factor; finite.
    pub offset: [f32; 2],
}

/// A named set of weights and colours in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expression {
    /// Its name, unique in the file.
    pub name: String,
    /// Its other names: those of its preset in the versions of the format.
    pub aliases: Vec<String>,
    /// Indices among the weights of the skeleton, and the weight of each at the full expression;
    /// repeated indices add up.
    pub weights: Vec<(usize, f32)>,
    /// Colours of materials. The result is the material's colour plus the sum over all expressions
    /// of weight times (bind - material).
    pub colors: Vec<ColorBind>,
    /// Texture coordinates of materials, which add up like colours.
    pub textures: Vec<TextureBind>,
    /// True if a weight above 0.5 counts as 1 and any other as 0.
    pub is_binary: bool,
    /// The part of the face that it affects. None for the others.
    pub part: Option<FacePart>,
    /// Its suppression of parts of the face: [`FacePart::Blink`], [`FacePart::LookAt`],
    /// [`FacePart::Mouth`].
    pub overrides: [Override; 3],
}

/// Presets of VRM 1.0, and their names in VRM 0.x.
const PRESETS: [[&str; 2]; 18] = [
    ["happy", "joy"],
    ["angry", "angry"],
    ["sad", "sorrow"],
    ["relaxed", "fun"],
    ["surprised", "surprised"],
    ["neutral", "neutral"],
    ["aa", "a"],
    ["ih", "i"],
    ["ou", "u"],
    ["ee", "e"],
    ["oh", "o"],
    ["blink", "blink"],
    ["blinkLeft", "blink_l"],
    ["blinkRight", "blink_r"],
    ["lookUp", "lookup"],
    ["lookDown", "lookdown"],
    ["lookLeft", "lookleft"],
    ["lookRight", "lookright"],
];

/// The names of a preset in VRM 1.0 and 0.x, given either. None for other expressions.
#[must_use]
pub fn expression_preset(name: &str) -> Option<[&'static str; 2]> {
    PRESETS.into_iter().find(|names| names.contains(&name))
}

impl Expression {
    /// The part of the face of a preset of VRM 1.0.
    #[must_use]
    pub fn part_of(preset: &str) -> Option<FacePart> {
        match preset {
            "blink" | "blinkLeft" | "blinkRight" => Some(FacePart::Blink),
            "lookUp" | "lookDown" | "lookLeft" | "lookRight" => Some(FacePart::LookAt),
            "aa" | "ih" | "ou" | "ee" | "oh" => Some(FacePart::Mouth),
            _ => None,
        }
    }
}
