//! Materials: the response of surfaces to light.

use super::formula::Formula;
use super::texture::{TextureKind, TextureSampling};
use super::texture_coordinates::{CoordinateChange, TextureCoordinates};
use crate::math::{Vec2, clamp, max, srgb};

/// A linear colour, not premultiplied; components are at least 0, and above 1 for lights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearRgb {
    /// Red.
    pub r: f32,
    /// Green.
    pub g: f32,
    /// Blue.
    pub b: f32,
}

impl LinearRgb {
    /// No light.
    pub const BLACK: Self = Self::new(0.0, 0.0, 0.0);
    /// White.
    pub const WHITE: Self = Self::new(1.0, 1.0, 1.0);

    /// A colour from linear components.
    #[must_use]
    pub const fn new(r: f32, g: f32, b: f32) -> Self {
        Self { r, g, b }
    }

    /// A colour from 8-bit sRGB codes.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a value of 0..=1 rounds to the nearest f32"
    )]
    pub fn from_codes(codes: [u8; 3]) -> Self {
        let [r, g, b] = codes.map(|code| srgb::linear_from_code(code) as f32);
        Self { r, g, b }
    }

    /// Each component times a factor.
    #[must_use]
    pub fn scaled(self, factor: f32) -> Self {
        Self { r: self.r * factor, g: self.g * factor, b: self.b * factor }
    }
}

/// Meaning of the alpha of the diffuse texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMode {
    /// Nothing is visible behind it: the surface is solid.
    Opaque,
    /// A stencil: texels below the cutoff are holes.
    Mask {
        /// Coverage starts here, 0..=1.
        cutoff: f32,
    },
    /// Coverage, blended back to front.
    Blend,
    /// Factor of the surface's light that is added to the colours behind it, back to front.
    Add,
    /// Factor of the surface's colour that multiplies the colours behind it, back to front.
    Multiply,
}

impl AlphaMode {
    /// True if the surface is blended with the colours behind it.
    #[must_use]
    pub const fn is_blended(self) -> bool {
        matches!(self, Self::Blend | Self::Add | Self::Multiply)
    }

    /// True if the surface hides others behind it where its alpha is high, and therefore casts a
    /// shadow.
    #[must_use]
    pub const fn hides(self) -> bool {
        !matches!(self, Self::Add | Self::Multiply)
    }

    /// Its word in scenes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opaque => "opaque",
            Self::Mask { .. } => "mask",
            Self::Blend => "blend",
            Self::Add => "add",
            Self::Multiply => "multiply",
        }
    }
}

/// Role of a texture in a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureRole {
    /// The colour of the surface.
    Diffuse,
    /// Its relief.
    Normal,
    /// The colour of its highlights.
    Specular,
    /// The colour of its emission.
    Emissive,
    /// Its roughness in green and its metal in blue.
    MetallicRoughness,
    /// The light from all around that reaches the surface, in red.
    Occlusion,
    /// Strength of the clear coat, in red.
    Clearcoat,
    /// The roughness of that coat, in green.
    ClearcoatRoughness,
    /// The relief of that coat.
    ClearcoatNormal,
    /// The colour of its sheen.
    SheenColor,
    /// The roughness of that sheen, in alpha.
    SheenRoughness,
    /// The strength of its reflection as a dielectric, in alpha.
    SpecularStrength,
    /// The colour of that reflection.
    SpecularColor,
    /// Its glossiness, which is one minus roughness, in alpha.
    Glossiness,
    /// The colour of the shade of a two-tone surface.
    Shade,
    /// The shift of the edge between its tones, in red.
    ShadingShift,
    /// The colour of the light at its rim.
    Rim,
    /// A picture of reflections, looked up by the normal in view space.
    Matcap,
    /// The width of its outline, in green.
    OutlineWidth,
    /// The fraction of the motion of its texture coordinates, in blue.
    MotionMask,
    /// The fraction of light that passes through it, in red.
    Transmission,
    /// The path length of light through it, in green.
    Thickness,
    /// The direction of the brushing, in red and green, and its strength, in blue.
    Anisotropy,
    /// The strength of its iridescent film, in red.
    Iridescence,
    /// The thickness of that film, in green.
    IridescenceThickness,
}

impl TextureRole {
    /// All roles, each at the index of its number.
    pub const ALL: [Self; 25] = [
        Self::Diffuse,
        Self::Normal,
        Self::Specular,
        Self::Emissive,
        Self::MetallicRoughness,
        Self::Occlusion,
        Self::Clearcoat,
        Self::ClearcoatRoughness,
        Self::ClearcoatNormal,
        Self::SheenColor,
        Self::SheenRoughness,
        Self::SpecularStrength,
        Self::SpecularColor,
        Self::Glossiness,
        Self::Shade,
        Self::ShadingShift,
        Self::Rim,
        Self::Matcap,
        Self::OutlineWidth,
        Self::MotionMask,
        Self::Transmission,
        Self::Thickness,
        Self::Anisotropy,
        Self::Iridescence,
        Self::IridescenceThickness,
    ];

    /// Roles that few materials use, which are the last in [`Self::ALL`]: [`LayerTextures`].
    pub const LAYERS: [Self; 19] = match Self::ALL.last_chunk() {
        Some(last) => *last,
        None => panic!("there are more roles than layers"),
    };

    /// Its word in scenes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Diffuse => "diffuse",
            Self::Normal => "normal",
            Self::Specular => "specular",
            Self::Emissive => "glow",
            Self::MetallicRoughness => "metallic_roughness",
            Self::Occlusion => "occlusion",
            Self::Clearcoat => "clearcoat",
            Self::ClearcoatRoughness => "clearcoat_roughness",
            Self::ClearcoatNormal => "clearcoat_normal",
            Self::SheenColor => "sheen_color",
            Self::SheenRoughness => "sheen_roughness",
            Self::SpecularStrength => "specular_strength",
            Self::SpecularColor => "specular_color",
            Self::Glossiness => "glossiness",
            Self::Shade => "shade",
            Self::ShadingShift => "shading_shift",
            Self::Rim => "rim",
            Self::Matcap => "matcap",
            Self::OutlineWidth => "outline_width",
            Self::MotionMask => "motion_mask",
            Self::Transmission => "transmission",
            Self::Thickness => "thickness",
            Self::Anisotropy => "anisotropy",
            Self::Iridescence => "iridescence",
            Self::IridescenceThickness => "iridescence_thickness",
        }
    }

    /// Conversion of the texels of such a texture, on a surface of this alpha mode.
    #[must_use]
    pub const fn kind(self, alpha: AlphaMode) -> TextureKind {
        match (self, alpha) {
            (Self::Diffuse, AlphaMode::Opaque) => TextureKind::OpaqueColor,
            (Self::Diffuse, _) => TextureKind::AlphaColor,
            (Self::Specular | Self::Emissive | Self::SheenColor | Self::SpecularColor, _)
            | (Self::Shade | Self::Rim | Self::Matcap, _) => TextureKind::OpaqueColor,
            (Self::SheenRoughness | Self::SpecularStrength | Self::Glossiness, _) => {
                TextureKind::Coverage
            }
            _ => TextureKind::Data,
        }
    }
}

/// A value for each texture of [`TextureRole::LAYERS`]; memory is only used if there is one, as few
/// materials have any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerTextures<T>(Option<Box<[Option<T>; TextureRole::LAYERS.len()]>>);

impl<T> LayerTextures<T> {
    /// No textures.
    pub const NONE: Self = Self(None);

    /// True if no memory is allocated.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The value of a role. None for roles of other kinds.
    #[inline]
    #[must_use]
    pub fn get(&self, role: TextureRole) -> Option<&T> {
        let textures = self.0.as_ref()?;
        let layer = TextureRole::LAYERS.iter().position(|&layer| layer == role)?;
        textures.get(layer)?.as_ref()
    }

    /// A mutable reference to the value of one of these roles.
    ///
    /// # Panics
    /// For a role of another kind.
    pub fn get_mut(&mut self, role: TextureRole) -> &mut Option<T> {
        let layer = TextureRole::LAYERS.iter().position(|&layer| layer == role);
        let layer = layer.expect("a role of a layer");
        &mut self.0.get_or_insert_with(|| Box::new([const { None }; _]))[layer]
    }
}

impl<T> Default for LayerTextures<T> {
    fn default() -> Self {
        Self::NONE
    }
}

/// Equation that combines light, the colours of a material and its textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShadingModel {
    /// `texture · color · light + highlight + emissive`.
    Standard,
    /// The equation of Direct3D 9: `texture · min(1, color · light + emissive) + highlight`. A
    /// vertex colour replaces the diffuse colour.
    FixedFunction,
}

impl ShadingModel {
    /// Its word in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::FixedFunction => "fixed function",
        }
    }
}

/// Culling of faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CullMode {
    /// Back faces of closed meshes with outward volume are dropped; all others are two-sided.
    Auto,
    /// Back faces are dropped.
    Back,
    /// Front faces are dropped.
    Front,
    /// Both sides are drawn, the normal turned to the viewer.
    None,
}

/// Texture coordinates of the textures of a material, each at the index of its role in
/// [`TextureRole::ALL`]. None if all textures use the mesh's first coordinates unchanged, as in
/// most materials.
pub type RoleCoordinates = Option<Box<[Option<TextureCoordinates>; TextureRole::ALL.len()]>>;

/// A material described by a model's file; a scene may replace it, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct FileMaterial {
    /// The name used by meshes, unique in the model.
    pub name: String,
    /// Multiplies the diffuse texture.
    pub color: LinearRgb,
    /// 0 is glass, 1 is solid.
    pub opacity: f32,
    /// The brightness of the highlight, 0 to 1.
    pub specular_strength: f32,
    /// The colour of the highlight; black for none.
    pub specular_color: LinearRgb,
    /// The exponent of the highlight, above 0.
    pub shininess: f32,
    /// Light that the surface emits.
    pub emissive: LinearRgb,
    /// The name of the diffuse texture as written.
    pub diffuse: Option<String>,
    /// The name of the picture of opacity as written, if it is not the alpha of the diffuse
    /// texture: white is solid.
    pub opacity_picture: Option<String>,
    /// The name of the normal map as written.
    pub normal: Option<String>,
    /// The name of a height map as written, if there is no normal map, and its slope from black to
    /// white within a texel.
    pub heights: Option<(String, f32)>,
    /// The name of the specular texture as written.
    pub specular: Option<String>,
    /// The name of the emission texture as written.
    pub emissive_map: Option<String>,
    /// Values of the file that are drawn differently, each with the reason.
    pub notes: Vec<String>,
    /// Equation that combines its values.
    pub shading: ShadingModel,
    /// Meaning of alpha, if the file states it.
    pub alpha: Option<AlphaMode>,
    /// Culling of faces.
    pub cull: CullMode,
    /// True if the far side of a closed surface is visible through its transparent parts.
    pub shows_inside: bool,
    /// Sampling of the texture of each role, at its index in [`TextureRole::ALL`].
    pub sampling: [TextureSampling; TextureRole::ALL.len()],
    /// Texture coordinates of the texture of each role, unless they are the unchanged first ones of
    /// the mesh.
    pub coordinates: RoleCoordinates,
    /// The name of the texture of roughness and metal as written.
    pub metallic_roughness: Option<String>,
    /// Pictures combined into the texture of roughness and metalness, if the file has separate
    /// ones.
    pub factors: Option<FactorPictures>,
    /// The name of the texture of occlusion as written.
    pub occlusion: Option<String>,
    /// The names of the textures of its layers as written.
    pub layers: LayerTextures<String>,
    /// Its response in the metallic-roughness model, if any; the highlight is not drawn then.
    pub response: Option<Box<MetallicRoughness>>,
}

/// Greyscale pictures of roughness and of metalness, by their names in the file. Without one, only
/// the value of the response counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactorPictures {
    /// Picture of roughness, or of glossiness.
    pub roughness: Option<String>,
    /// True if that picture stores glossiness, the inverse of roughness: white is a mirror.
    pub is_glossiness: bool,
    /// Picture of metalness.
    pub metal: Option<String>,
}

impl FileMaterial {
    /// A plain white, solid material without a highlight.
    #[must_use]
    pub fn plain(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            color: LinearRgb::WHITE,
            opacity: 1.0,
            specular_strength: 0.0,
            specular_color: LinearRgb::WHITE,
            shininess: Material::DEFAULT_SHININESS,
            emissive: LinearRgb::BLACK,
            diffuse: None,
            opacity_picture: None,
            normal: None,
            heights: None,
            specular: None,
            emissive_map: None,
            notes: Vec::new(),
            shading: ShadingModel::Standard,
            alpha: None,
            cull: CullMode::Auto,
            shows_inside: false,
            sampling: [TextureSampling::default(); TextureRole::ALL.len()],
            coordinates: None,
            metallic_roughness: None,
            factors: None,
            occlusion: None,
            layers: LayerTextures::NONE,
            response: None,
        }
    }

    /// Takes pictures of roughness and metalness. One picture of both is used unchanged, with
    /// roughness in green and metalness in blue; so is one of roughness alone if there is no
    /// metalness. Otherwise they are stored in [`Self::factors`].
    pub fn take_factors(&mut self, pictures: FactorPictures) {
        let is_metal = self.response.as_ref().is_some_and(|response| response.metallic > 0.0);
        let serves_both = match &pictures.metal {
            None => !is_metal,
            metal => *metal == pictures.roughness,
        };
        if serves_both && !pictures.is_glossiness {
            self.metallic_roughness = pictures.roughness;
        } else if pictures.roughness.is_some() || pictures.metal.is_some() {
            self.factors = Some(pictures);
        }
    }

    /// The name of the texture of a role.
    #[must_use]
    pub fn texture(&self, role: TextureRole) -> Option<&String> {
        match role {
            TextureRole::Diffuse => self.diffuse.as_ref(),
            TextureRole::Normal => self.normal.as_ref(),
            TextureRole::Specular => self.specular.as_ref(),
            TextureRole::Emissive => self.emissive_map.as_ref(),
            TextureRole::MetallicRoughness => self.metallic_roughness.as_ref(),
            TextureRole::Occlusion => self.occlusion.as_ref(),
            layer => self.layers.get(layer),
        }
    }
}

/// Response to light of the metallic-roughness model, as defined by glTF 2.0.
#[derive(Clone, Debug, PartialEq)]
pub struct MetallicRoughness {
    /// 0 is a dielectric, 1 a metal; multiplies the blue channel of the texture.
    pub metallic: f32,
    /// 0 is a mirror, 1 is dull; multiplies the green channel of the texture.
    pub roughness: f32,
    /// Strength of the occlusion texture, 0 to 1.
    pub occlusion_strength: f32,
    /// Factor of the normal map's slopes.
    pub normal_scale: f32,
    /// Index of refraction.
    pub ior: f32,
    /// Strength of the reflection of a dielectric at its normal, 0 to 1.
    pub specular: f32,
    /// Colour of that reflection.
    pub specular_color: LinearRgb,
    /// Strength of a clear coat over the surface, 0 to 1.
    pub clearcoat: f32,
    /// Roughness of the coat, 0 to 1.
    pub clearcoat_roughness: f32,
    /// Factor of the slopes of the coat's normal map.
    pub clearcoat_normal_scale: f32,
    /// Colour of a sheen of fibres over the surface; black for none.
    pub sheen_color: LinearRgb,
    /// Roughness of the sheen, 0 to 1.
    pub sheen_roughness: f32,
    /// Light that passes through it.
    pub transmission: Transmission,
    /// Direction in which it is brushed.
    pub anisotropy: Anisotropy,
    /// Thin film on it.
    pub iridescence: Iridescence,
    /// True if the surface shows its colour without lighting.
    pub is_unlit: bool,
    /// Two tones that replace the rest of the response.
    pub toon: Option<Toon>,
    /// Position among blended surfaces.
    pub stacking: Stacking,
}

/// Light transmitted through a surface, instead of the light it would scatter.
///
/// # Source
/// KHR_materials_transmission, KHR_materials_volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transmission {
    /// Fraction of light that passes, 0 to 1; multiplies the red channel of its texture.
    pub share: f32,
    /// Path length of light through the volume below the surface, in units of the scene; 0 for a
    /// thin wall, which does not refract light. Multiplies the green channel of its texture.
    pub thickness: f32,
    /// Colour of white light after [`Self::attenuation_distance`].
    pub attenuation_color: LinearRgb,
    /// Distance in units of the scene, above 0; infinite if nothing is absorbed.
    pub attenuation_distance: f32,
}

impl Default for Transmission {
    fn default() -> Self {
        let (attenuation_color, attenuation_distance) = (LinearRgb::WHITE, f32::INFINITY);
        Self { share: 0.0, thickness: 0.0, attenuation_color, attenuation_distance }
    }
}

impl Transmission {
    /// Maximum thickness: anything above looks the same, and numbers stay in range.
    pub const MAX_THICKNESS: f32 = 1e6;
    /// Minimum distance.
    const MIN_DISTANCE: f32 = 1e-6;

    /// Clamps the numbers to their ranges. A distance that is not above 0 absorbs nothing.
    #[must_use]
    pub fn bounded(self) -> Self {
        let LinearRgb { r, g, b } = self.attenuation_color;
        let [r, g, b] = [r, g, b].map(|channel| clamp(channel, 0.0, 1.0));
        let distance = self.attenuation_distance;
        Self {
            share: clamp(self.share, 0.0, 1.0),
            thickness: clamp(self.thickness, 0.0, Self::MAX_THICKNESS),
            attenuation_color: LinearRgb::new(r, g, b),
            attenuation_distance: if distance > 0.0 {
                max(distance, Self::MIN_DISTANCE)
            } else {
                f32::INFINITY
            },
        }
    }
}

/// Direction along which a reflection is stretched, as on brushed metal.
///
/// # Source
/// KHR_materials_anisotropy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Anisotropy {
    /// 0 is the same in all directions, 1 is stretched most; multiplies the blue channel of the
    /// texture.
    pub strength: f32,
    /// Angle of the direction from the tangent toward the bitangent, in radians; added to that of
    /// the texture.
    pub rotation_rad: f32,
}

impl Anisotropy {
    /// Largest rotation angle of a direction, in radians.
    pub const MAX_TURN_RAD: f32 = 1e4;

    /// The same with numbers in their ranges.
    #[must_use]
    pub fn bounded(self) -> Self {
        Self {
            strength: clamp(self.strength, 0.0, 1.0),
            rotation_rad: clamp(self.rotation_rad, -Self::MAX_TURN_RAD, Self::MAX_TURN_RAD),
        }
    }
}

/// Thin film on a surface, whose colour changes with the angle.
///
/// # Source
/// KHR_materials_iridescence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iridescence {
    /// Strength, 0 to 1; multiplies the red channel of the texture.
    pub strength: f32,
    /// Index of refraction of the film, from 1.
    pub ior: f32,
    /// Minimum and maximum thickness in nanometres, for 0 and 1 in the green channel of the
    /// texture; without a texture it is the maximum.
    pub thickness_nm: [f32; 2],
}

impl Default for Iridescence {
    fn default() -> Self {
        Self { strength: 0.0, ior: 1.3, thickness_nm: [100.0, 400.0] }
    }
}

impl Iridescence {
    /// Maximum index: anything above looks the same.
    pub const MAX_IOR: f32 = 10.0;
    /// Maximum thickness in nanometres, likewise.
    pub const MAX_THICKNESS_NM: f32 = 1e5;

    /// Clamps the numbers to their ranges. A film of thickness 0 has no effect.
    #[must_use]
    pub fn bounded(self, has_texture: bool) -> Self {
        let [least, most] =
            self.thickness_nm.map(|thickness| clamp(thickness, 0.0, Self::MAX_THICKNESS_NM));
        let is_there = most > 0.0 || has_texture && least > 0.0;
        Self {
            strength: if is_there { clamp(self.strength, 0.0, 1.0) } else { 0.0 },
            ior: clamp(self.ior, 1.0, Self::MAX_IOR),
            thickness_nm: [least, most],
        }
    }
}

/// Order of a blended surface among others at one sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stacking {
    /// Surfaces of a lower rank are blended first, whatever their depth; surfaces of equal rank are
    /// blended farthest first.
    pub rank: i8,
    /// True if it hides later blended surfaces behind it, by rank and then in the order of their
    /// submission.
    pub hides: bool,
}

/// Two-tone surface, as in drawn figures: one colour in the light, another one in the shade.
///
/// # Source
/// VRM Consortium, "VRMC_materials_mtoon-1.0".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Toon {
    /// Colour of the shaded side; multiplies the texture of [`TextureRole::Shade`], not that of the
    /// lit colour.
    pub shade: LinearRgb,
    /// Sharpness of the edge between the tones: 0 is softest, 1 is a step.
    pub toony: f32,
    /// Shift of that edge, -1 to 1; above 0 more of the surface is lit.
    pub shift: f32,
    /// Factor of the texture of [`TextureRole::ShadingShift`], which is added to the shift.
    pub shift_scale: f32,
    /// Weight of the mean in the ambient light, 0 to 1: at 1 it is the same on all sides.
    pub equalization: f32,
    /// Light at the rim.
    pub rim: Rim,
    /// Factor of the texture of [`TextureRole::Matcap`].
    pub matcap: LinearRgb,
    /// Line around the surface.
    pub outline: Option<Outline>,
    /// True if the surface is itself that line.
    pub is_outline: bool,
    /// Motion of the texture coordinates per second.
    pub speed: TexcoordMotion,
    /// The motion up to the drawn frame; [`TextureRole::MotionMask`] scales it at each point.
    /// Without a mask it is included in the texture coordinates.
    pub moved: TexcoordMotion,
}

/// Light at the rim of a two-tone surface: `color · clamp(1 - N·V + lift, 0, 1)^power`, with the
/// matcap times the texture of [`TextureRole::Rim`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rim {
    /// Its colour.
    pub color: LinearRgb,
    /// Narrowness of the rim, above 0.
    pub power: f32,
    /// Width of the rim: 1 covers the whole surface.
    pub lift: f32,
    /// Influence of the scene's light, 0 to 1: at 0 it is fully emissive.
    pub lit: f32,
}

/// Line around a surface: the back faces of the same surface, moved outward along its normals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    /// Distance: a length of the model, or a fraction of half the height of the picture; multiplied
    /// by the texture of [`TextureRole::OutlineWidth`].
    pub width: f32,
    /// True if the distance is on the screen.
    pub is_on_screen: bool,
    /// Its colour.
    pub color: LinearRgb,
    /// Influence of the surface's shading, 0 to 1.
    pub lit: f32,
}

/// Motion of texture coordinates: a rotation about (0.5, 0.5), counter-clockwise with `v` pointing
/// down, then a translation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TexcoordMotion {
    /// The angle in radians.
    pub turn_rad: f32,
    /// The translation along `u` and `v`.
    pub way: Vec2,
}

impl TexcoordMotion {
    /// True if nothing moves.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Toon {
    fn default() -> Self {
        Self {
            shade: LinearRgb::BLACK,
            toony: 0.9,
            shift: 0.0,
            shift_scale: 1.0,
            equalization: 0.9,
            rim: Rim { color: LinearRgb::BLACK, power: 5.0, lift: 0.0, lit: 1.0 },
            matcap: LinearRgb::WHITE,
            outline: None,
            is_outline: false,
            speed: TexcoordMotion::default(),
            moved: TexcoordMotion::default(),
        }
    }
}

impl Default for MetallicRoughness {
    fn default() -> Self {
        Self {
            metallic: 1.0,
            roughness: 1.0,
            occlusion_strength: 1.0,
            normal_scale: 1.0,
            ior: 1.5,
            specular: 1.0,
            specular_color: LinearRgb::WHITE,
            clearcoat: 0.0,
            clearcoat_roughness: 0.0,
            clearcoat_normal_scale: 1.0,
            sheen_color: LinearRgb::BLACK,
            sheen_roughness: 0.0,
            transmission: Transmission::default(),
            anisotropy: Anisotropy::default(),
            iridescence: Iridescence::default(),
            is_unlit: false,
            toon: None,
            stacking: Stacking::default(),
        }
    }
}

/// A stage whose formulas are evaluated at the time of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct StageMotion {
    /// Number of the stage in its material, from 1.
    pub number: usize,
    /// Textures affected by it.
    pub roles: Vec<TextureRole>,
    /// The colour of the material that the stage sets.
    pub colors: Option<StageColor>,
    /// Red, green, blue and alpha, 0 to 1, as sRGB codes.
    pub color: [Formula; 4],
    /// The stage is drawn where this is not 0.
    pub condition: Formula,
    /// Alpha up to this is a hole.
    pub alpha_test: Option<Formula>,
    /// Changes of the texture coordinates, the last one first.
    pub coordinates: Vec<(CoordinateChange, [Formula; 2])>,
}

/// Source of the colour of a material from a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageColor {
    /// The colour of the surface, and its opacity if it is blended; without the stage it is black.
    Surface,
    /// The colour of highlights.
    Highlight,
    /// The emission colour, and the opacity; without the stage nothing is drawn.
    Light,
    /// The emission colour, weighted by its alpha; without the stage the rest is drawn.
    LightOnTop,
}

/// Response of a surface to light. Textures are indices into the scene's texture list.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The shader name that it defines.
    pub name: String,
    /// Multiplies the diffuse texture.
    pub color: LinearRgb,
    /// Multiplies the texture's alpha.
    pub opacity: f32,
    /// The diffuse texture, sRGB.
    pub diffuse: Option<usize>,
    /// The tangent-space normal map, linear, green against `v`.
    pub normal: Option<usize>,
    /// The colour of the highlight, sRGB.
    pub specular: Option<usize>,
    /// Multiplies the specular texture, or is used alone if there is none.
    pub specular_strength: f32,
    /// Multiplies both.
    pub specular_color: LinearRgb,
    /// The Blinn-Phong exponent.
    pub shininess: f32,
    /// Light that the surface emits.
    pub emissive: LinearRgb,
    /// The colour of that light, sRGB, multiplied with `emissive`.
    pub emissive_map: Option<usize>,
    /// Equation that combines these.
    pub shading: ShadingModel,
    /// Meaning of alpha.
    pub alpha: AlphaMode,
    /// Culling of faces.
    pub cull: CullMode,
    /// True if the normal map has green along `v`, as written by Direct3D tools.
    pub normal_y_down: bool,
    /// The texture of roughness (green) and metal (blue), linear.
    pub metallic_roughness: Option<usize>,
    /// The texture of occlusion (red), linear.
    pub occlusion: Option<usize>,
    /// The textures of its layers.
    pub layers: LayerTextures<usize>,
    /// Response of the metallic-roughness model, instead of the highlight.
    pub response: Option<Box<MetallicRoughness>>,
    /// Texture coordinates of its textures.
    pub coordinates: RoleCoordinates,
    /// Stages that change it with time.
    pub stages: Vec<StageMotion>,
}

impl Material {
    /// The texture of a role.
    #[inline]
    #[must_use]
    pub fn texture(&self, role: TextureRole) -> Option<usize> {
        match role {
            TextureRole::Diffuse => self.diffuse,
            TextureRole::Normal => self.normal,
            TextureRole::Specular => self.specular,
            TextureRole::Emissive => self.emissive_map,
            TextureRole::MetallicRoughness => self.metallic_roughness,
            TextureRole::Occlusion => self.occlusion,
            layer => self.layers.get(layer).copied(),
        }
    }

    /// The texture of a role, to set it.
    pub fn texture_mut(&mut self, role: TextureRole) -> &mut Option<usize> {
        match role {
            TextureRole::Diffuse => &mut self.diffuse,
            TextureRole::Normal => &mut self.normal,
            TextureRole::Specular => &mut self.specular,
            TextureRole::Emissive => &mut self.emissive_map,
            TextureRole::MetallicRoughness => &mut self.metallic_roughness,
            TextureRole::Occlusion => &mut self.occlusion,
            layer => self.layers.get_mut(layer),
        }
    }

    /// Its two tones, if it has them.
    #[inline]
    #[must_use]
    pub fn toon(&self) -> Option<&Toon> {
        self.response.as_ref()?.toon.as_ref()
    }

    /// The motion of its texture coordinates that is scaled by a mask, and the texture of the mask.
    #[inline]
    #[must_use]
    pub fn masked_motion(&self) -> Option<(&TexcoordMotion, usize)> {
        let motion = &self.toon()?.moved;
        let mask = self.texture(TextureRole::MotionMask)?;
        (!motion.is_none()).then_some((motion, mask))
    }

    /// Its position among blended surfaces.
    #[inline]
    #[must_use]
    pub fn stacking(&self) -> Stacking {
        self.response.as_ref().map_or(Stacking::default(), |response| response.stacking)
    }

    /// True if light does not affect it, so that its colours are those of its textures in any
    /// light.
    #[inline]
    #[must_use]
    pub fn is_unlit(&self) -> bool {
        let LinearRgb { r, g, b } = self.emissive;
        match (&self.response, self.shading) {
            (Some(response), _) => response.is_unlit,
            (None, _) if self.specular_strength != 0.0 => false,
            (None, ShadingModel::Standard) => self.color == LinearRgb::BLACK,
            // The equation only lets its emission through.
            (None, ShadingModel::FixedFunction) => {
                r >= 1.0 && g >= 1.0 && b >= 1.0 && self.emissive_map.is_none()
            }
        }
    }

    /// True if tangents are needed: for a normal map, of the surface or of its coat, or for a
    /// brushed surface.
    #[inline]
    #[must_use]
    pub fn needs_tangents(&self) -> bool {
        let response = self.response.as_ref();
        self.normal.is_some()
            || self.layers.get(TextureRole::ClearcoatNormal).is_some()
            || response.is_some_and(|own| own.anisotropy.strength > 0.0)
    }

    /// Light that passes through it and shows the surfaces behind it, refracted and tinted. None if
    /// it is opaque.
    #[inline]
    #[must_use]
    pub fn transmission(&self) -> Option<&Transmission> {
        let response = self.response.as_ref().filter(|own| own.toon.is_none() && !own.is_unlit)?;
        Some(&response.transmission).filter(|own| own.share > 0.0)
    }

    /// True if it casts a shadow: it hides surfaces behind it, and transmits less than half of the
    /// light.
    #[must_use]
    pub fn casts(&self) -> bool {
        let has_texture = self.layers.get(TextureRole::Transmission).is_some();
        let is_clear = self.transmission().is_some_and(|own| own.share > 0.5 && !has_texture);
        self.alpha.hides() && !is_clear
    }

    /// Texture coordinates of the texture of a role. None for the mesh's first coordinates
    /// unchanged.
    #[inline]
    #[must_use]
    pub fn coordinates_of(&self, role: TextureRole) -> Option<&TextureCoordinates> {
        self.coordinates.as_ref()?[role as usize].as_ref()
    }

    /// True if a texture uses the second texture coordinates of the mesh.
    #[must_use]
    pub fn has_second_texcoords(&self) -> bool {
        let is_second = |own: &Option<TextureCoordinates>| own.is_some_and(|own| own.is_second);
        self.coordinates.as_ref().is_some_and(|all| all.iter().any(is_second))
    }

    /// Default specular strength without a texture or a value in the scene.
    pub const DEFAULT_SPECULAR: f32 = 0.0;
    /// The default exponent.
    pub const DEFAULT_SHININESS: f32 = 24.0;

    /// A plain white, solid material.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            color: LinearRgb::WHITE,
            opacity: 1.0,
            diffuse: None,
            normal: None,
            specular: None,
            specular_strength: Self::DEFAULT_SPECULAR,
            specular_color: LinearRgb::WHITE,
            shininess: Self::DEFAULT_SHININESS,
            emissive: LinearRgb::BLACK,
            emissive_map: None,
            shading: ShadingModel::Standard,
            alpha: AlphaMode::Opaque,
            cull: CullMode::Auto,
            normal_y_down: false,
            metallic_roughness: None,
            occlusion: None,
            layers: LayerTextures::NONE,
            response: None,
            coordinates: None,
            stages: Vec::new(),
        }
    }
}
