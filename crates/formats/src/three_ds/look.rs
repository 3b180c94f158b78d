//! Materials: colours, percentages of both kinds, and maps.

use super::chunk::{Chunk, next, sound};
use crate::FilePlace;
use crate::corner_mesh::linear;
use crate::names::is_normal_map;
use crate::records::Records;
use crate::told::Told;
use tintype_model::math::{Vec2, clamp, func};
use tintype_model::{
    AlphaMode, CullMode, FileMaterial, FileRepair, LinearRgb, TextureCoordinates, TextureRole,
    TextureWrap,
};

/// Bits of the tiling of a map.
const DECAL: u16 = 1;
const MIRROR: u16 = 2;
const NO_TILES: u16 = 16;
/// Slope of a height map at full strength that goes from black to white within a texel.
const SLOPE: f32 = 4.0;

/// A map: a picture, its strength, and its placement.
struct Map {
    file: String,
    share: f32,
    tiling: u16,
    scale: Vec2,
    offset: Vec2,
    angle_rad: f32,
}

/// Reads a material.
pub(super) fn material(part: &mut Records, told: &mut Told) -> FileMaterial {
    let mut material = FileMaterial::plain("");
    let (mut shininess, mut strength, mut glow, mut share, mut shading) = (0.1, 0.0, 0.0, 1.0, 2);
    let mut lost: Vec<&str> = Vec::new();
    while let Some(mut chunk) = next(part, told) {
        let own = &mut chunk.records;
        match chunk.id {
            0xa000 => material.name = own.text(),
            0xa020 => material.color = color(own, told).unwrap_or(LinearRgb::WHITE),
            0xa030 => material.specular_color = color(own, told).unwrap_or(LinearRgb::WHITE),
            0xa040 => shininess = percent(own, told).unwrap_or(shininess),
            0xa041 => strength = percent(own, told).unwrap_or(0.0),
            0xa050 => material.opacity = 1.0 - clamp(percent(own, told).unwrap_or(0.0), 0.0, 1.0),
            0xa080 => glow = 1.0,
            0xa084 => glow = percent(own, told).unwrap_or(0.0),
            0xa081 => material.cull = CullMode::None,
            0xa083 => material.alpha = Some(AlphaMode::Add),
            0xa085 => lost.push("wires"),
            0xa100 => shading = own.short().unwrap_or(shading),
            0xa200 => {
                let own = map(own, told);
                share = own.share;
                material.diffuse = lay(own, &mut material, TextureRole::Diffuse);
            }
            0xa204 => material.specular = lay(map(own, told), &mut material, TextureRole::Specular),
            0xa33d => {
                material.emissive_map = lay(map(own, told), &mut material, TextureRole::Emissive);
            }
            0xa210 => lay_opacity(map(own, told), &mut material),
            0xa230 => lay_relief(map(own, told), &mut material),
            0xa33a => lost.push("a second colour map"),
            0xa220 | 0xa310 => lost.extend(has_file(own, told).then_some("a reflection map")),
            0xa33c => lost.push("a shininess map"),
            0xa205..=0xa250 | 0xa33e..=0xa34c if has_file(own, told) => lost.push("a mask"),
            _ => {}
        }
    }
    // Phong and metal have highlights, with the exponent of 2 to the power of 10 times the
    // shininess.
    if shading >= 3 {
        material.specular_strength = clamp(strength, 0.0, 1.0);
        material.shininess = clamp(func::exp2(10.0 * clamp(shininess, 0.0, 1.0)), 1.0, 1000.0);
    }
    if material.diffuse.is_some() {
        // The picture replaces this much of the colour.
        let mix = |own: f32| own + (1.0 - own) * clamp(share, 0.0, 1.0);
        let LinearRgb { r, g, b } = material.color;
        material.color = LinearRgb::new(mix(r), mix(g), mix(b));
    }
    light_itself(&mut material, clamp(glow, 0.0, 1.0));
    if let Some(first) = lost.first() {
        let what = "this part of the material is not drawn";
        let found = || format!("material {:?} has {first}", material.name);
        told.note_with(FileRepair::Effect, FilePlace::Byte(part.at), what, found);
        material.notes.extend(lost.iter().map(|lost| format!("{lost} is not drawn")));
    }
    material
}

/// Makes a fraction of the surface show its colour regardless of the light, unless it has a map of
/// emission.
fn light_itself(material: &mut FileMaterial, glow: f32) {
    if material.emissive_map.is_some() {
        material.emissive = LinearRgb::WHITE;
    } else if glow > 0.0 {
        material.emissive = material.color.scaled(glow);
        material.emissive_map = material.diffuse.clone();
        let [from, to] = [TextureRole::Diffuse, TextureRole::Emissive].map(|role| role as usize);
        material.sampling[to] = material.sampling[from];
        material.coordinates.iter_mut().for_each(|all| all[to] = all[from]);
        material.color = material.color.scaled(1.0 - glow);
    }
}

/// Applies a map of opacity.
fn lay_opacity(map: Map, material: &mut FileMaterial) {
    material.alpha = Some(AlphaMode::Blend);
    if material.diffuse.is_none() {
        material.opacity_picture = lay(map, material, TextureRole::Diffuse);
    } else if material.diffuse.as_ref() != Some(&map.file) {
        material.opacity_picture = Some(map.file).filter(|file| !file.is_empty());
    }
}

/// Applies a map of normals or heights, which its name distinguishes.
fn lay_relief(map: Map, material: &mut FileMaterial) {
    let slope = SLOPE * map.share;
    let file = lay(map, material, TextureRole::Normal);
    if file.as_ref().is_some_and(|file| is_normal_map(file)) {
        material.normal = file;
    } else {
        material.heights = file.map(|file| (file, slope));
    }
}

/// The colour of a chunk: floats or bytes.
fn color(part: &mut Records, told: &mut Told) -> Option<LinearRgb> {
    let mut found = None;
    while let Some(mut chunk) = next(part, told) {
        let at = chunk.place();
        let encoded = match chunk.id {
            0x0010 => chunk.records.reals().map(|own: [f32; 3]| sound(own, 1.0, at, told)),
            0x0011 => chunk
                .records
                .take(3)
                .and_then(|own| own.first_chunk())
                .map(|own: &[u8; 3]| own.map(|code| f32::from(code) / 255.0)),
            // Those for gamma tables follow the ones above.
            _ => None,
        };
        if let Some([r, g, b]) = encoded {
            let color = linear([r, g, b, 1.0]);
            found.get_or_insert(LinearRgb::new(color.x, color.y, color.z));
        }
    }
    found
}

/// The percentage of a chunk as a fraction, stored as integer or float.
fn percent(part: &mut Records, told: &mut Told) -> Option<f32> {
    let mut found = None;
    while let Some(mut chunk) = next(part, told) {
        let at = chunk.place();
        found = own_percent(&mut chunk, at, told).or(found);
    }
    found
}

fn own_percent(chunk: &mut Chunk, at: FilePlace, told: &mut Told) -> Option<f32> {
    match chunk.id {
        0x0030 => chunk.records.short().map(|own| f32::from(own.cast_signed()) / 100.0),
        0x0031 => chunk.records.reals().map(|own| sound::<1>(own, 0.0, at, told)[0]),
        _ => None,
    }
}

/// True if a chunk of a map names a picture.
fn has_file(part: &mut Records, told: &mut Told) -> bool {
    !map(part, told).file.is_empty()
}

fn map(part: &mut Records, told: &mut Told) -> Map {
    let mut map = Map {
        file: String::new(),
        share: 1.0,
        tiling: 0,
        scale: Vec2::ONE,
        offset: Vec2::ZERO,
        angle_rad: 0.0,
    };
    while let Some(mut chunk) = next(part, told) {
        let at = chunk.place();
        if let Some(share) = own_percent(&mut chunk, at, told) {
            map.share = share;
            continue;
        }
        let mut real = |usual: f32| {
            let own = chunk.records.reals().map(|own| sound::<1>(own, usual, at, told)[0]);
            own.unwrap_or(usual)
        };
        match chunk.id {
            0xa300 => map.file = chunk.records.text(),
            0xa351 => map.tiling = chunk.records.short().unwrap_or(0),
            0xa354 => map.scale.x = real(1.0),
            0xa356 => map.scale.y = real(1.0),
            0xa358 => map.offset.x = real(0.0),
            0xa35a => map.offset.y = real(0.0),
            0xa35c => map.angle_rad = func::radians(real(0.0)),
            _ => {}
        }
    }
    map
}

/// The picture of a map, if there is one; the texture of the role gets the placement of the map.
fn lay(map: Map, material: &mut FileMaterial, role: TextureRole) -> Option<String> {
    let wrap = match map.tiling {
        tiling if tiling & (NO_TILES | DECAL) != 0 => TextureWrap::Clamp,
        tiling if tiling & MIRROR != 0 => TextureWrap::Mirror,
        _ => TextureWrap::Repeat,
    };
    material.sampling[role as usize].wrap = [wrap; 2];
    let coordinates = coordinates(&map);
    if coordinates != TextureCoordinates::plain(false) {
        let all = material.coordinates.get_or_insert_with(|| Box::new([None; _]));
        all[role as usize] = Some(coordinates);
    }
    Some(map.file).filter(|file| !file.is_empty())
}

/// Coordinates of a picture that is moved, rotated about its centre and scaled, from the upper left
/// corner; those of the file are from the lower left one.
fn coordinates(map: &Map) -> TextureCoordinates {
    let (sin, cos) = (func::sin(map.angle_rad), func::cos(map.angle_rad));
    let middle = Vec2::splat(0.5);
    // Of a point of the file's coordinates.
    let turned = |at: Vec2| {
        let at = at - middle - map.offset;
        let at = Vec2::new(cos * at.x - sin * at.y, sin * at.x + cos * at.y);
        at * map.scale + middle
    };
    let flipped = |at: Vec2| {
        let own = turned(Vec2::new(at.x, 1.0 - at.y));
        Vec2::new(own.x, 1.0 - own.y)
    };
    if map.scale == Vec2::ONE && map.offset == Vec2::ZERO && map.angle_rad == 0.0 {
        return TextureCoordinates::plain(false);
    }
    let offset = flipped(Vec2::ZERO);
    let steps = [flipped(Vec2::X) - offset, flipped(Vec2::Y) - offset];
    TextureCoordinates { is_second: false, steps, offset }
}
