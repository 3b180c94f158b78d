//! Templates that a file declares for its objects: name, GUID and members.

use super::Object;
use super::binary::{CLOSE, GUID, INTEGER, NAME, OPEN, SEMICOLON, push_counted, push_mark};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The standard templates that are used, each before those that contain it.
const STANDARD: [(&str, &str, &str); 23] = [
    ("Vector", "3D82AB5E-62DA-11cf-AB39-0020AF71E433", "FLOAT x; FLOAT y; FLOAT z;"),
    ("Coords2d", "F6F23F44-7686-11cf-8F52-0040333594A3", "FLOAT u; FLOAT v;"),
    ("Matrix4x4", "F6F23F45-7686-11cf-8F52-0040333594A3", "array FLOAT matrix[16];"),
    (
        "ColorRGBA",
        "35FF44E0-6C7C-11cf-8F52-0040333594A3",
        "FLOAT red; FLOAT green; FLOAT blue; FLOAT alpha;",
    ),
    ("ColorRGB", "D3E16E81-7835-11cf-8F52-0040333594A3", "FLOAT red; FLOAT green; FLOAT blue;"),
    ("TextureFilename", "A42790E1-7810-11cf-8F52-0040333594A3", "STRING filename;"),
    (
        "Material",
        "3D82AB4D-62DA-11cf-AB39-0020AF71E433",
        "ColorRGBA faceColor; FLOAT power; ColorRGB specularColor; ColorRGB emissiveColor; [...]",
    ),
    (
        "MeshFace",
        "3D82AB5F-62DA-11cf-AB39-0020AF71E433",
        "DWORD nFaceVertexIndices; array DWORD faceVertexIndices[nFaceVertexIndices];",
    ),
    (
        "MeshNormals",
        "F6F23F43-7686-11cf-8F52-0040333594A3",
        "DWORD nNormals; array Vector normals[nNormals]; DWORD nFaceNormals; \
         array MeshFace faceNormals[nFaceNormals];",
    ),
    (
        "MeshTextureCoords",
        "F6F23F40-7686-11cf-8F52-0040333594A3",
        "DWORD nTextureCoords; array Coords2d textureCoords[nTextureCoords];",
    ),
    (
        "MeshMaterialList",
        "F6F23F42-7686-11cf-8F52-0040333594A3",
        "DWORD nMaterials; DWORD nFaceIndexes; array DWORD faceIndexes[nFaceIndexes]; [Material]",
    ),
    (
        "VertexDuplicationIndices",
        "B8D65549-D7C9-4995-89CF-53A9A8B031E3",
        "DWORD nIndices; DWORD nOriginalVertices; array DWORD indices[nIndices];",
    ),
    (
        "XSkinMeshHeader",
        "3CF169CE-FF7C-44ab-93C0-F78F62D172E2",
        "WORD nMaxSkinWeightsPerVertex; WORD nMaxSkinWeightsPerFace; WORD nBones;",
    ),
    (
        "SkinWeights",
        "6F0D123B-BAD2-4167-A0D0-80224F25FABB",
        "STRING transformNodeName; DWORD nWeights; array DWORD vertexIndices[nWeights]; \
         array FLOAT weights[nWeights]; Matrix4x4 matrixOffset;",
    ),
    (
        "Mesh",
        "3D82AB44-62DA-11cf-AB39-0020AF71E433",
        "DWORD nVertices; array Vector vertices[nVertices]; DWORD nFaces; \
         array MeshFace faces[nFaces]; [...]",
    ),
    ("FrameTransformMatrix", "F6F23F41-7686-11cf-8F52-0040333594A3", "Matrix4x4 frameMatrix;"),
    ("Frame", "3D82AB46-62DA-11cf-AB39-0020AF71E433", "[...]"),
    (
        "FloatKeys",
        "10DD46A9-775B-11cf-8F52-0040333594A3",
        "DWORD nValues; array FLOAT values[nValues];",
    ),
    ("TimedFloatKeys", "F406B180-7B3B-11cf-8F52-0040333594A3", "DWORD time; FloatKeys tfkeys;"),
    (
        "AnimationKey",
        "10DD46A8-775B-11cf-8F52-0040333594A3",
        "DWORD keyType; DWORD nKeys; array TimedFloatKeys keys[nKeys];",
    ),
    ("Animation", "3D82AB4F-62DA-11cf-AB39-0020AF71E433", "[...]"),
    ("AnimationSet", "3D82AB50-62DA-11cf-AB39-0020AF71E433", "[Animation]"),
    ("AnimTicksPerSecond", "9E415A43-7BA6-4a73-8743-B73D47E88476", "DWORD AnimTicksPerSecond;"),
];

/// Marks of the words and signs of a declaration.
const MARKS: [(&str, u16); 10] = [
    ("[", 0x0e),
    ("]", 0x0f),
    (".", 0x12),
    (";", SEMICOLON),
    ("template", 0x1f),
    ("WORD", 0x28),
    ("DWORD", 0x29),
    ("FLOAT", 0x2a),
    ("STRING", 0x31),
    ("array", 0x34),
];

/// The templates of all objects and of their members, in the order of the table.
fn used(objects: &[Object]) -> Vec<(&'static str, &'static str, &'static str)> {
    let mut names = BTreeSet::new();
    for object in objects {
        object.visit(&mut |object| {
            assert!(STANDARD.iter().any(|known| known.0 == object.template), "{}", object.template);
            names.insert(object.template);
        });
    }
    for &(name, _, members) in STANDARD.iter().rev() {
        if names.contains(name) {
            names.extend(words(members));
        }
    }
    STANDARD.into_iter().filter(|known| names.contains(known.0)).collect()
}

/// The declarations of the templates of all objects, as text.
pub(super) fn text(objects: &[Object]) -> String {
    let mut text = String::new();
    for (name, guid, members) in used(objects) {
        let _ = writeln!(text, "template {name} {{\n <{guid}>");
        for member in members.split_inclusive(';') {
            let _ = writeln!(text, " {}", member.trim());
        }
        text.push_str("}\n");
    }
    text
}

/// The declarations of the templates of all objects, as tokens.
pub(super) fn binary(objects: &[Object]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, guid, members) in used(objects) {
        push_word(&mut bytes, "template");
        push_counted(&mut bytes, NAME, name.as_bytes());
        push_mark(&mut bytes, OPEN);
        push_mark(&mut bytes, GUID);
        bytes.extend(guid_bytes(guid));
        words(members).for_each(|word| push_word(&mut bytes, word));
        push_mark(&mut bytes, CLOSE);
    }
    bytes
}

/// Words, with each symbol as a separate word.
fn words(members: &'static str) -> impl Iterator<Item = &'static str> {
    members
        .split_inclusive(|c: char| !c.is_ascii_alphanumeric())
        .flat_map(|piece| {
            let end = piece.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()).len();
            [&piece[..end], piece[end..].trim()]
        })
        .filter(|word| !word.is_empty())
}

fn push_word(bytes: &mut Vec<u8>, word: &str) {
    if let Some((_, mark)) = MARKS.iter().find(|(known, _)| *known == word) {
        push_mark(bytes, *mark);
    } else if let Ok(number) = word.parse::<u32>() {
        push_mark(bytes, INTEGER);
        bytes.extend(number.to_le_bytes());
    } else {
        push_counted(bytes, NAME, word.as_bytes());
    }
}

/// The first three groups are little-endian numbers.
fn guid_bytes(guid: &str) -> [u8; 16] {
    let digits: String = guid.chars().filter(|c| *c != '-').collect();
    let mut bytes = u128::from_str_radix(&digits, 16).expect("hexadecimal digits").to_be_bytes();
    for group in [0..4, 4..6, 6..8] {
        bytes[group].reverse();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_those_of_the_objects_and_of_their_members() {
        let frame = Object::new("FrameTransformMatrix", Vec::new());
        let names: Vec<&str> = used(&[frame]).iter().map(|known| known.0).collect();
        assert_eq!(names, ["Matrix4x4", "FrameTransformMatrix"]);
    }

    #[test]
    fn members_are_cut_into_words_and_signs() {
        let found: Vec<&str> = words("array FLOAT matrix[16]; [...]").collect();
        let expected = ["array", "FLOAT", "matrix", "[", "16", "]", ";", "[", ".", ".", ".", "]"];
        assert_eq!(found, expected);
    }
}
