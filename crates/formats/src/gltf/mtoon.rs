//! MToon: two-tone materials of VRM 1.0 (`VRMC_materials_mtoon`), and of VRM 0.x
//! (`materialProperties`), which are first converted to the terms of 1.0.
//!
//! Values of another type than specified count as missing, because applications use them for
//! themselves.
//!
//! # Source
//! VRM Consortium, "VRM 0.x" and "VRMC_materials_mtoon-1.0"; values of 0.x are converted to 1.0 as
//! by UniVRM (`MigrationMToonMaterial`) and three-vrm, with the sRGB curve for colours.
//! Screen-space outline widths are fractions of half the screen height, as in three-vrm.

use super::document::{Document, Material};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tintype_model::math::srgb::linear_from_encoded;
use tintype_model::math::{Vec2, clamp};
use tintype_model::{LinearRgb, Outline, Rim, Stacking, TexcoordMotion, TextureRole, Toon};

/// The extension of two-tone materials in files of version 1.0.
pub(super) const MTOON: &str = "VRMC_materials_mtoon";
/// The extension of files of version 0.x.
const OLD: &str = "VRM";
/// The rank of blended surfaces that hide surfaces behind them, at an offset of 0; it is below all
/// other ranks.
const HIDING_RANK: i8 = -20;
/// Unit of outline widths in files of version 0.x, in metres; on the screen, a fraction of half its
/// height.
const OLD_WIDTH: f64 = 0.01;
/// Exponent of a nearly constant rim: the specification leaves 0 undefined.
const MIN_POWER: f32 = 1e-5;

/// Maximum width and colour component: larger ones would overflow after a product or two.
const MOST: f32 = 1e6;

/// The two tones of a material of such a kind, without values of its textures.
pub(super) fn toon_of(material: &Material) -> Option<Toon> {
    let own = material.extensions.get(MTOON)?;
    let usual = Toon::default();
    let share = |key: &str, usual| clamp(number(&own[key], usual), 0.0, 1.0);
    let width = clamp(number(&own["outlineWidthFactor"], 0.0), 0.0, MOST);
    let mode = own["outlineWidthMode"].as_str().unwrap_or("none");
    let outline = (mode != "none" && width > 0.0).then(|| Outline {
        width,
        is_on_screen: mode == "screenCoordinates",
        color: color(&own["outlineColorFactor"], LinearRgb::BLACK),
        lit: share("outlineLightingMixFactor", 1.0),
    });
    Some(Toon {
        shade: color(&own["shadeColorFactor"], usual.shade),
        toony: share("shadingToonyFactor", usual.toony),
        shift: clamp(number(&own["shadingShiftFactor"], usual.shift), -1.0, 1.0),
        equalization: share("giEqualizationFactor", usual.equalization),
        rim: Rim {
            color: color(&own["parametricRimColorFactor"], usual.rim.color),
            power: tintype_model::math::max(
                number(&own["parametricRimFresnelPowerFactor"], usual.rim.power),
                MIN_POWER,
            ),
            lift: number(&own["parametricRimLiftFactor"], usual.rim.lift),
            lit: share("rimLightingMixFactor", usual.rim.lit),
        },
        matcap: color(&own["matcapFactor"], usual.matcap),
        outline,
        speed: TexcoordMotion {
            turn_rad: number(&own["uvAnimationRotationSpeedFactor"], 0.0),
            way: Vec2::new(
                number(&own["uvAnimationScrollXSpeedFactor"], 0.0),
                number(&own["uvAnimationScrollYSpeedFactor"], 0.0),
            ),
        },
        ..usual
    })
}

/// The textures that only two-tone surfaces have, with their keys: those with a visible effect.
pub(super) fn textures_of(
    material: &Material,
    toon: &Toon,
) -> impl Iterator<Item = (&'static str, TextureRole)> + use<> {
    let own = material.extensions.get(MTOON);
    let has_matcap =
        toon.matcap != LinearRgb::BLACK && own.is_some_and(|own| own["matcapTexture"].is_object());
    let has_rim = has_matcap || toon.rim.color != LinearRgb::BLACK;
    [
        (true, "shadeMultiplyTexture", TextureRole::Shade),
        (true, "shadingShiftTexture", TextureRole::ShadingShift),
        (has_matcap, "matcapTexture", TextureRole::Matcap),
        (has_rim, "rimMultiplyTexture", TextureRole::Rim),
        (toon.outline.is_some(), "outlineWidthMultiplyTexture", TextureRole::OutlineWidth),
        (!toon.speed.is_none(), "uvAnimationMaskTexture", TextureRole::MotionMask),
    ]
    .into_iter()
    .filter_map(|(is_seen, key, role)| is_seen.then_some((key, role)))
}

/// The order of a blended surface among others.
pub(super) fn stacking_of(material: &Material) -> Stacking {
    let extensions = &material.extensions;
    let Some(own) = extensions.get(MTOON).or_else(|| extensions.get(OLD)) else {
        return Stacking::default();
    };
    let offset = own["renderQueueOffsetNumber"].as_i64().unwrap_or(0).clamp(-9, 9);
    let offset = i8::try_from(offset).unwrap_or_default();
    match own["transparentWithZWrite"].as_bool() {
        Some(true) => Stacking { rank: HIDING_RANK + offset.max(0), hides: true },
        _ => Stacking { rank: offset.min(0), hides: false },
    }
}

/// Materials of VRM 0.x in terms of 1.0, and material data in other parts of a document of either
/// version.
pub(super) struct VrmMaterials {
    /// Materials with texture coordinates changed by expressions.
    pub(super) moved: BTreeSet<usize>,
    /// Render queue numbers of blended surfaces and of those that hide surfaces behind them, from
    /// the first.
    queues: [Vec<i64>; 2],
}

impl VrmMaterials {
    pub(super) fn of(document: &Document) -> Self {
        let list = document.extensions.get(OLD).map(|old| &old["materialProperties"]);
        let mut queues = [Vec::new(), Vec::new()];
        for own in list.and_then(Value::as_array).into_iter().flatten() {
            let old = OldMaterial(own);
            if let (Some(queue), ("BLEND", hides)) = (own["renderQueue"].as_i64(), old.mode()) {
                queues[usize::from(hides)].push(queue);
            }
        }
        for queue in &mut queues {
            queue.sort_unstable();
            queue.dedup();
        }
        Self { queues, moved: moved_by_expressions(document) }
    }

    /// The material at an index, if the file describes it in version 0.x.
    pub(super) fn get(
        &self,
        document: &Document,
        index: usize,
        written: &Material,
    ) -> Option<Material> {
        let own = &document.extensions.get(OLD)?["materialProperties"][index];
        let (shader, old) = (own["shader"].as_str()?, OldMaterial(own));
        let (mode, hides) = old.mode();
        let [blended, hiding] = &self.queues;
        let queue = own["renderQueue"].as_i64().filter(|_| mode == "BLEND");
        let place = |list: &[i64]| list.iter().position(|own| Some(*own) == queue);
        let offset = if hides {
            place(hiding).map_or(0, |place| place.min(9).cast_signed())
        } else {
            place(blended)
                .map_or(0, |place| (place.cast_signed() + 1 - blended.len().cast_signed()).max(-9))
        };
        let stacking = json!({"transparentWithZWrite": hides, "renderQueueOffsetNumber": offset});
        let mut material = match shader {
            "VRM/MToon" => old.toon(stacking),
            _ if shader.starts_with("VRM/Unlit") => json!({
                "doubleSided": written.double_sided,
                "extensions": {"KHR_materials_unlit": {}, OLD: stacking},
            }),
            _ => return None,
        };
        let [r, g, b] = old.encoded("_Color", [1.0; 3]);
        let opacity = old.0["vectorProperties"]["_Color"][3].as_f64().unwrap_or(1.0);
        material["pbrMetallicRoughness"] = json!({
            "baseColorFactor": [r, g, b, opacity], "baseColorTexture": old.texture("_MainTex"),
        });
        material["alphaMode"] = json!(mode);
        material["alphaCutoff"] = json!(old.float("_Cutoff", 0.5));
        serde_json::from_value(material).ok()
    }
}

/// Materials with texture coordinates changed by expressions.
fn moved_by_expressions(document: &Document) -> BTreeSet<usize> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut moved = BTreeSet::new();
    if let Some(new) = document.extensions.get("VRMC_vrm") {
        let kinds = ["preset", "custom"].map(|kind| new["expressions"][kind].as_object());
        let all = kinds.into_iter().flatten().flat_map(|kind| kind.values());
        let binds = all.flat_map(|one| list(&one["textureTransformBinds"]));
        moved.extend(binds.filter_map(|bind| usize::try_from(bind["material"].as_u64()?).ok()));
    }
    let Some(old) = document.extensions.get(OLD) else { return moved };
    let groups = list(&old["blendShapeMaster"]["blendShapeGroups"]);
    let names: BTreeSet<String> = (groups.iter())
        .flat_map(|group| list(&group["materialValues"]))
        .filter(|one| {
            one["propertyName"].as_str().is_some_and(|key| key.starts_with("_MainTex_ST"))
        })
        .filter_map(|one| one["materialName"].as_str().map(str::to_owned))
        .collect();
    let is_named =
        |material: &Material| material.name.as_ref().is_some_and(|name| names.contains(name));
    let materials = document.materials.iter().enumerate();
    moved.extend(materials.filter(|(_, one)| is_named(one)).map(|(index, _)| index));
    moved
}

/// A material of VRM 0.x.
#[derive(Clone, Copy)]
struct OldMaterial<'d>(&'d Value);

impl OldMaterial<'_> {
    fn float(&self, key: &str, usual: f64) -> f64 {
        self.0["floatProperties"][key].as_f64().unwrap_or(usual)
    }

    /// An encoded colour, linear.
    fn encoded(&self, key: &str, usual: [f64; 3]) -> [f64; 3] {
        let found = triple(&self.0["vectorProperties"][key]).unwrap_or(usual);
        let held =
            |value: f64| if value > 0.0 { if value < 1.0 { value } else { 1.0 } } else { 0.0 };
        found.map(|value| linear_from_encoded(held(value)))
    }

    /// A texture with the transform common to all of them.
    fn texture(&self, key: &str) -> Value {
        let Some(index) = self.0["textureProperties"][key].as_u64() else { return Value::Null };
        let place = self.0["vectorProperties"]["_MainTex"].as_array().map(Vec::as_slice);
        let place: Vec<f64> = place.unwrap_or_default().iter().filter_map(Value::as_f64).collect();
        match place[..] {
            [x, y, wide, high] if [x, y, wide, high] != [0.0, 0.0, 1.0, 1.0] => {
                // The origin is at the lower left corner.
                let transform = json!({"offset": [x, 1.0 - high - y], "scale": [wide, high]});
                json!({"index": index, "extensions": {"KHR_texture_transform": transform}})
            }
            _ => json!({"index": index}),
        }
    }

    /// The alpha mode, and true if a blended surface hides surfaces behind it.
    fn mode(&self) -> (&'static str, bool) {
        let shader = self.0["shader"].as_str().unwrap_or_default();
        if let Some(kind) = shader.strip_prefix("VRM/Unlit") {
            return match kind {
                "TransparentZWrite" => ("BLEND", true),
                "Transparent" => ("BLEND", false),
                "Cutout" => ("MASK", false),
                _ => ("OPAQUE", false),
            };
        }
        let has = |key: &str| self.0["keywordMap"][key].as_bool() == Some(true);
        let blend = self.float("_BlendMode", 0.0);
        if has("_ALPHABLEND_ON") || blend >= 2.0 {
            ("BLEND", self.float("_ZWrite", 0.0) == 1.0 || blend == 3.0)
        } else if has("_ALPHATEST_ON") || blend == 1.0 {
            ("MASK", false)
        } else {
            ("OPAQUE", false)
        }
    }

    /// A two-tone surface without its base.
    fn toon(&self, mut own: Value) -> Value {
        let (sharp, start) = (self.float("_ShadeToony", 0.9), self.float("_ShadeShift", 0.0));
        // The edge runs from the shift to a point between it and 1.
        let (low, high) = (start, 1.0 + (start - 1.0) * sharp);
        let mode = self.float("_OutlineWidthMode", 0.0);
        let is_mixed = self.float("_OutlineColorMode", 0.0) == 1.0;
        let parts = json!({
            "shadeColorFactor": self.encoded("_ShadeColor", [0.97, 0.81, 0.86]),
            "shadeMultiplyTexture": self.texture("_ShadeTexture"),
            "shadingToonyFactor": (2.0 - (high - low)) * 0.5,
            "shadingShiftFactor": -(high + low) * 0.5,
            "giEqualizationFactor": 1.0 - self.float("_IndirectLightIntensity", 0.1),
            "matcapTexture": self.0["textureProperties"]["_SphereAdd"].as_u64().map(|index| json!({"index": index})),
            "parametricRimColorFactor": self.encoded("_RimColor", [0.0; 3]),
            "parametricRimFresnelPowerFactor": self.float("_RimFresnelPower", 1.0),
            "parametricRimLiftFactor": self.float("_RimLift", 0.0),
            "rimMultiplyTexture": self.texture("_RimTexture"),
            "rimLightingMixFactor": self.float("_RimLightingMix", 0.0),
            "outlineWidthMode": if mode == 1.0 { "worldCoordinates" } else if mode == 2.0 { "screenCoordinates" } else { "none" },
            "outlineWidthFactor": OLD_WIDTH * self.float("_OutlineWidth", 0.0),
            "outlineWidthMultiplyTexture": self.texture("_OutlineWidthTexture"),
            "outlineColorFactor": self.encoded("_OutlineColor", [0.0; 3]),
            "outlineLightingMixFactor": if is_mixed { self.float("_OutlineLightingMix", 1.0) } else { 0.0 },
            "uvAnimationMaskTexture": self.texture("_UvAnimMaskTexture"),
            "uvAnimationScrollXSpeedFactor": self.float("_UvAnimScrollX", 0.0),
            "uvAnimationScrollYSpeedFactor": -self.float("_UvAnimScrollY", 0.0),
            "uvAnimationRotationSpeedFactor": self.float("_UvAnimRotation", 0.0),
        });
        if let (Value::Object(own), Value::Object(parts)) = (&mut own, parts) {
            own.extend(parts);
        }
        let mut normal = self.texture("_BumpMap");
        if !normal.is_null() {
            normal["scale"] = json!(self.float("_BumpScale", 1.0));
        }
        // Emission may be brighter than white, and is written as linear colour.
        let emission = triple(&self.0["vectorProperties"]["_EmissionColor"]).unwrap_or_default();
        json!({
            "normalTexture": normal,
            "emissiveFactor": emission,
            "emissiveTexture": self.texture("_EmissionMap"),
            "doubleSided": self.float("_CullMode", 2.0) == 0.0,
            "extensions": {MTOON: own},
        })
    }
}

/// The first three numbers of a list.
fn triple(list: &Value) -> Option<[f64; 3]> {
    let part = |index: usize| list[index].as_f64();
    Some([part(0)?, part(1)?, part(2)?])
}

fn color(list: &Value, usual: LinearRgb) -> LinearRgb {
    let Some(found) = triple(list) else { return usual };
    let [r, g, b] = found.map(|value| clamp(nearest(value), 0.0, MOST));
    LinearRgb::new(r, g, b)
}

/// A number, if it is one that can be drawn.
fn number(value: &Value, usual: f32) -> f32 {
    value.as_f64().map(nearest).filter(|value| value.is_finite()).unwrap_or(usual)
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest f32")]
fn nearest(value: f64) -> f32 {
    value as f32
}
