//! Mistakes in glTF files that keep their structure: values of the JSON document by path, lengths
//! of chunks, bytes of buffers.
//!
//! Mistakes in bytes mostly end in the JSON reader. These reach the code after it: indices of other
//! objects, counts, strides, types, repeated or missing keys, cut lists.

use serde_json::{Map, Number, Value, json};

/// A fixed sequence of bits (xorshift64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Below `count`, which is above 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() >> 11).unwrap_or(0) % count
    }

    fn one<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// A file in parts.
struct File {
    document: Value,
    /// The binary chunk, of a file that has one.
    binary: Option<Vec<u8>>,
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(four)).ok()
}

fn read(bytes: &[u8]) -> Option<File> {
    if !bytes.starts_with(b"glTF") {
        return Some(File { document: serde_json::from_slice(bytes).ok()?, binary: None });
    }
    let end = 20 + word(bytes, 12)?;
    let document = serde_json::from_slice(bytes.get(20..end)?).ok()?;
    let binary = bytes.get(end + 8..).map(<[u8]>::to_vec);
    Some(File { document, binary: Some(binary.unwrap_or_default()) })
}

/// A file with one to four mistakes. None for bytes that are not glTF.
pub(crate) fn mistaken(bytes: &[u8], dice: &mut Dice) -> Option<Vec<u8>> {
    let mut file = read(bytes)?;
    for _ in 0..=dice.below(4) {
        match (dice.below(8), &mut file.binary) {
            (0, Some(binary)) if !binary.is_empty() => change_bytes(binary, dice),
            _ => change_value(&mut file.document, dice),
        }
    }
    let mut text = file.document.to_string();
    if dice.below(16) == 0 {
        change_text(&mut text, dice);
    }
    Some(match &file.binary {
        None => text.into_bytes(),
        Some(binary) => written(text.as_bytes(), binary, dice),
    })
}

/// A binary file, one in eight with a mistake in its lengths and marks.
fn written(json: &[u8], binary: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut json = json.to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut file = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (mark, data) in [(b"JSON", json.as_slice()), (b"BIN\0", binary)] {
        file.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_le_bytes());
        file.extend(mark);
        file.extend(data);
    }
    let length = u32::try_from(file.len()).unwrap_or(u32::MAX);
    file[8..12].copy_from_slice(&length.to_le_bytes());
    if dice.below(8) != 0 {
        return file;
    }
    let second = 20 + json.len();
    let places = [4, 8, 12, 16, second, second + 4];
    let at = places[dice.below(places.len())];
    let values = [0, 1, 3, 4, 12, 20, length - 1, length + 1, 0x7fff_ffff, 0xffff_fffc, u32::MAX];
    match dice.below(4) {
        0 => file.truncate(at + dice.below(6)),
        1 => file.extend(vec![0; dice.below(40)]),
        _ => {
            let value = values[dice.below(values.len())];
            if let Some(place) = file.get_mut(at..at + 4) {
                place.copy_from_slice(&value.to_le_bytes());
            }
        }
    }
    file
}

/// Bytes of a buffer: numbers at the ends of their range, another length.
fn change_bytes(binary: &mut Vec<u8>, dice: &mut Dice) {
    const WORDS: [u32; 10] = [
        0,
        1,
        0xff,
        0xffff,
        0x7fff_ffff,
        u32::MAX,
        0x7fc0_0000, // NaN
        0x7f80_0000, // infinity
        0x7f7f_ffff, // the largest number
        0x8000_0001, // the smallest below 0
    ];
    let at = dice.below(binary.len());
    match dice.below(6) {
        0 => binary.truncate(at),
        1 => binary[at] ^= 1 << dice.below(8),
        2 => {
            let end = (at + 4 * (1 + dice.below(64))).min(binary.len());
            binary[at..end].fill(0xff);
        }
        _ => {
            let word = WORDS[dice.below(WORDS.len())].to_le_bytes();
            let at = at & !3;
            if let Some(place) = binary.get_mut(at..at + 4) {
                place.copy_from_slice(&word);
            }
        }
    }
}

/// The pointers of all values of a document except the whole.
fn pointers(value: &Value, path: &str, found: &mut Vec<String>) {
    let mut add = |key: &str, value: &Value| {
        let path = format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
        found.push(path.clone());
        pointers(value, &path, found);
    };
    match value {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, value)| add(&index.to_string(), value));
        }
        Value::Object(map) => map.iter().for_each(|(key, value)| add(key, value)),
        _ => {}
    }
}

/// Changes a value of the document, of any depth.
fn change_value(document: &mut Value, dice: &mut Dice) {
    let mut all = Vec::new();
    pointers(document, "", &mut all);
    if all.is_empty() {
        return;
    }
    let path = all[dice.below(all.len())].clone();
    let other = document.pointer(&all[dice.below(all.len())]).cloned().unwrap_or_default();
    let (parent, key) = path.rsplit_once('/').unwrap_or(("", ""));
    match dice.below(8) {
        // A key or an element that is missing, or that repeats.
        0 => match document.pointer_mut(parent) {
            Some(Value::Object(map)) => {
                drop(map.remove(&key.replace("~1", "/").replace("~0", "~")))
            }
            Some(Value::Array(list)) => {
                let index = key.parse().unwrap_or(0).min(list.len() - 1);
                list.remove(index);
            }
            _ => {}
        },
        1 => match document.pointer_mut(parent) {
            Some(Value::Array(list)) => match dice.below(3) {
                0 => list.truncate(dice.below(list.len() + 1)),
                1 => list.reverse(),
                _ => {
                    let index = dice.below(list.len());
                    list.push(list[index].clone());
                }
            },
            Some(Value::Object(map)) => add_key(map, dice),
            _ => {}
        },
        2 => {
            if let Some(place) = document.pointer_mut(&path) {
                *place = other;
            }
        }
        3 => {
            if let Some(Value::Object(map)) = document.pointer_mut(&path) {
                add_key(map, dice);
            }
        }
        _ => {
            if let Some(place) = document.pointer_mut(&path) {
                *place = changed(place, dice);
            }
        }
    }
}

/// A value instead of another one, mostly of the same type.
fn changed(value: &Value, dice: &mut Dice) -> Value {
    if dice.below(6) == 0 {
        let values = [
            Value::Null,
            json!(true),
            json!(0),
            json!(-1),
            json!(1.5),
            json!("0"),
            json!([]),
            json!({}),
            json!([value]),
            json!({"index": value}),
        ];
        return values[dice.below(values.len())].clone();
    }
    match value {
        Value::Number(number) => changed_number(number, dice),
        Value::Bool(truth) => json!(!truth),
        Value::String(text) => changed_text(text, dice),
        Value::Array(list) if !list.is_empty() => {
            let mut list = list.clone();
            let index = dice.below(list.len());
            list[index] = changed(&list[index], dice);
            Value::Array(list)
        }
        other => other.clone(),
    }
}

fn changed_number(number: &Number, dice: &mut Dice) -> Value {
    const WHOLE: [i64; 22] = [
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        12,
        252,
        255,
        256,
        5120,
        5121,
        5123,
        5125,
        5126,
        65_535,
        65_536,
        2_147_483_647,
        4_294_967_295,
        9_007_199_254_740_993,
    ];
    const REAL: [f64; 12] =
        [0.0, -0.0, 0.5, -1.0, 1e-30, 1e-320, 1e10, 3.4e38, 1e39, -1e300, 1e308, 6.5];
    match (dice.below(5), number.as_i64()) {
        (0, Some(whole)) => json!(whole + 1),
        (1, Some(whole)) => json!(whole - 1),
        (2, Some(whole)) => json!(whole.saturating_mul(2)),
        (_, Some(_)) if dice.below(4) != 0 => json!(WHOLE[dice.below(WHOLE.len())]),
        (0, None) => json!(-number.as_f64().unwrap_or(0.0)),
        _ => json!(REAL[dice.below(REAL.len())]),
    }
}

/// Valid words for texts with a fixed choice, and invalid ones.
const WORDS: [&str; 34] = [
    "",
    "SCALAR",
    "VEC2",
    "VEC3",
    "VEC4",
    "MAT3",
    "MAT4",
    "OPAQUE",
    "MASK",
    "BLEND",
    "STEP",
    "LINEAR",
    "CUBICSPLINE",
    "translation",
    "rotation",
    "scale",
    "weights",
    "pointer",
    "/nodes/0/translation",
    "/nodes/1/weights/0",
    "/nodes/0/extensions/KHR_node_visibility/visible",
    "ATTRIBUTES",
    "TRIANGLES",
    "INDICES",
    "OCTAHEDRAL",
    "QUATERNION",
    "EXPONENTIAL",
    "perspective",
    "directional",
    "spot",
    "1.0",
    "2.0",
    "data:application/octet-stream;base64,AAAA",
    "../../../../etc/passwd",
];

fn changed_text(text: &str, dice: &mut Dice) -> Value {
    let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    json!(match dice.below(6) {
        0 => text[..middle].to_owned(),
        1 => format!("{text}{text}"),
        2 => text.to_lowercase(),
        3 => format!("{}\u{0}\u{202e}\u{1f480}", &text[..middle]),
        _ => dice.one(&WORDS).to_owned(),
    })
}

/// Adds a key of the format with a value that it may have.
fn add_key(map: &mut Map<String, Value>, dice: &mut Dice) {
    let number = dice.below(4);
    let entries = [
        ("byteStride", json!([0, 1, 4, 252, 4_294_967_295_u32][dice.below(5)])),
        ("byteOffset", json!([0, 1, 4, 100, 4_294_967_295_u32][dice.below(5)])),
        ("bufferView", json!(number)),
        ("normalized", json!(true)),
        ("componentType", json!(5120 + number)),
        (
            "sparse",
            json!({"count": number, "indices": {"bufferView": number, "componentType": 5121},
                "values": {"bufferView": number}}),
        ),
        ("mode", json!(dice.below(8))),
        ("indices", json!(number)),
        ("targets", json!([{"POSITION": number}, {"NORMAL": number, "TANGENT": number}])),
        ("weights", json!([0.5, -1e30])),
        ("JOINTS_0", json!(number)),
        ("WEIGHTS_0", json!(number)),
        ("JOINTS_1", json!(number)),
        ("WEIGHTS_1", json!(number)),
        ("COLOR_0", json!(number)),
        ("TEXCOORD_1", json!(number)),
        ("TANGENT", json!(number)),
        ("NORMAL", json!(number)),
        ("skin", json!(0)),
        ("mesh", json!(number)),
        ("camera", json!(0)),
        ("children", json!([number])),
        ("joints", json!([number, 0])),
        ("inverseBindMatrices", json!(number)),
        ("matrix", json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])),
        ("scale", json!([0, 0, 0])),
        ("rotation", json!([0, 0, 0, 0])),
        ("interpolation", json!(WORDS[10 + dice.below(3)])),
        ("path", json!(WORDS[13 + dice.below(5)])),
        ("uri", json!(WORDS[32 + dice.below(2)])),
        ("texCoord", json!(number)),
        ("alphaMode", json!(WORDS[7 + dice.below(3)])),
        ("minVersion", json!("2.0")),
        ("extensionsRequired", json!(["KHR_draco_mesh_compression", "KHR_unknown"])),
        ("extensions", extension(number, dice)),
        ("bananas", json!({"a": [1, 2, 3]})),
    ];
    let (key, value) = entries[dice.below(entries.len())].clone();
    map.insert(key.to_owned(), value);
}

fn extension(number: usize, dice: &mut Dice) -> Value {
    let all = [
        json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": number, "SCALE": number}}}),
        json!({"EXT_meshopt_compression": {"buffer": 0, "byteLength": 40, "byteStride": 4, "count": 9,
            "mode": WORDS[21 + dice.below(3)]}}),
        json!({"KHR_draco_mesh_compression": {"bufferView": number, "attributes": {"POSITION": 0}}}),
        json!({"KHR_texture_transform": {"offset": [1e30, 0], "rotation": 2, "scale": [0, -3], "texCoord": number}}),
        json!({"KHR_materials_unlit": {}}),
        json!({"KHR_materials_ior": {"ior": 0}}),
        json!({"KHR_materials_specular": {"specularFactor": 2, "specularColorFactor": [1e9, 0, 0]}}),
        json!({"KHR_materials_clearcoat": {"clearcoatFactor": 1, "clearcoatRoughnessFactor": -1}}),
        json!({"KHR_materials_sheen": {"sheenColorFactor": [9, 9, 9], "sheenRoughnessFactor": 0}}),
        json!({"KHR_materials_transmission": {"transmissionFactor": 2}}),
        json!({"KHR_materials_volume": {"thicknessFactor": 1e300, "attenuationDistance": 1e-300, "attenuationColor": [0, 1, 1e9]}}),
        json!({"KHR_materials_anisotropy": {"anisotropyStrength": 1e30, "anisotropyRotation": -1e30}}),
        json!({"KHR_materials_iridescence": {"iridescenceFactor": 1, "iridescenceIor": 1e30, "iridescenceThicknessMaximum": 1e30}}),
        json!({"KHR_materials_emissive_strength": {"emissiveStrength": 1e30}}),
        json!({"KHR_materials_pbrSpecularGlossiness": {"glossinessFactor": 3, "diffuseTexture": {"index": number}}}),
        json!({"KHR_materials_variants": {"mappings": [{"material": number, "variants": [number, 0]}]}}),
        json!({"KHR_node_visibility": {"visible": false}}),
        json!({"KHR_lights_punctual": {"light": number}}),
        json!({"KHR_texture_basisu": {"source": number}}),
        json!({"EXT_texture_webp": {"source": number}}),
        json!({"KHR_animation_pointer": {"pointer": WORDS[18 + dice.below(3)]}}),
        json!({"VRM": {"materialProperties": [{"shader": "VRM/MToon"}]}}),
        json!({"VRMC_materials_mtoon": {"shadeColorFactor": [1, 1]}}),
        json!({"VRMC_node_constraint": {"constraint": {"aim": {"source": number, "aimAxis": "PositiveX", "weight": -1}}}}),
        json!({"VRMC_node_constraint": {"constraint": {"rotation": {"source": number}}}}),
        json!({"VRMC_springBone": {
            "colliders": [{"node": number, "shape": {"sphere": {"radius": 1e30}}}], "colliderGroups": [{"colliders": [0, number]}],
            "springs": [{"colliderGroups": [0], "center": number, "joints": [{"node": 0, "gravityPower": -1e30}, {"node": number}]}],
        }}),
        json!({"VRM": {"secondaryAnimation": {"boneGroups": [{"bones": [0, number], "stiffiness": 1e30, "hitRadius": -1}]}}}),
    ];
    all[dice.below(all.len())].clone()
}

/// Faults outside values: duplicate keys, deep nesting, numbers out of range, bytes after the end.
fn change_text(text: &mut String, dice: &mut Dice) {
    let colons: Vec<usize> = text.match_indices("\":").map(|(at, _)| at).collect();
    if colons.is_empty() {
        return;
    }
    let colon = colons[dice.below(colons.len())];
    match dice.below(4) {
        0 => {
            let start = text[..colon].rfind('"').unwrap_or(0);
            let key = text[start..=colon].to_owned();
            text.insert_str(start, &format!("{key}:0,"));
        }
        1 => {
            let depth = [100, 127, 128, 20_000][dice.below(4)];
            let nested = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            text.insert_str(colon + 2, &format!("{nested},\"x\":"));
        }
        2 => {
            let number = dice.one(&["1e999", "-1e999", "NaN", "Infinity", "01", "1.", "0x10"]);
            text.insert_str(colon + 2, &format!("{number},\"x\":"));
        }
        _ => text.push_str(dice.one(&["{}", ",", "\u{0}", "}"])),
    }
}
