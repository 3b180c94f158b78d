//! Arrays of numbers as an OpenEXR file: 32-bit channels, losslessly compressed.
//!
//! The attribute `comments` is the text of the chunks of a PNG, sealed as in [`note`](super::note).
//! The attribute `names` is a JSON object of lists, with the names behind integer indices.

use super::note::{SEAL_DIGITS, seal};
use super::npz::{Array, Values};
use exr::meta::attribute::{AttributeValue, Text};
use exr::prelude::{
    AnyChannel, AnyChannels, Encoding, FlatSamples, Image, Layer, LayerAttributes, WritableImage,
};

/// Arrays of `[height, width]` or `[height, width, numbers]` as a file with a text, as pairs.
/// Arrays of names belong to an earlier array.
///
/// # Errors
/// A sentence, if the library refuses them.
///
/// # Panics
/// If an array has fewer than two dimensions and no names.
pub fn encode_exr(arrays: &[Array<'_>], text: &[(String, String)]) -> Result<Vec<u8>, String> {
    let (mut channels, mut names, mut size) = (Vec::new(), serde_json::Map::new(), (0, 0));
    for Array { name, shape, values } in arrays {
        if let Values::Names(all) = values {
            names.insert(name.clone(), (*all).into());
            continue;
        }
        let (&[height, width], numbers) = shape.split_first_chunk().expect("rows and columns");
        size = (width, height);
        let numbers = numbers.first().copied().unwrap_or(1);
        for (at, part) in parts(name, numbers).iter().enumerate() {
            let samples = match values {
                Values::Numbers(all) => {
                    FlatSamples::F32(all.iter().skip(at).step_by(numbers).copied().collect())
                }
                Values::Indices(all) => FlatSamples::U32(all.to_vec()),
                Values::Names(_) => continue,
            };
            channels.push(AnyChannel::new(&*format!("{name}.{part}"), samples));
        }
    }
    let comments = Some(text_of(&seal(text, &"0".repeat(SEAL_DIGITS))));
    let mut attributes = LayerAttributes { comments, ..LayerAttributes::default() };
    if !names.is_empty() {
        let json = serde_json::Value::from(names).to_string();
        attributes.other.insert(Text::from("names"), AttributeValue::Text(text_of(&json)));
    }
    let channels = AnyChannels::sort(channels.into());
    let layer = Layer::new(size, attributes, Encoding::SMALL_LOSSLESS, channels);
    let mut file = std::io::Cursor::new(Vec::new());
    let written = Image::from_layer(layer).write().non_parallel().to_buffered(&mut file);
    written.map_err(|error| error.to_string())?;
    let mut bytes = file.into_inner();
    super::note::seal_exr(&mut bytes, text).ok_or("the text is not found again")?;
    Ok(bytes)
}

/// Names of the numbers of a channel, as shown by other programs.
fn parts(name: &str, numbers: usize) -> &'static [&'static str] {
    match (name, numbers) {
        ("uv", _) => &["U", "V"],
        ("albedo", _) => &["R", "G", "B"],
        ("depth" | "distance", _) => &["Z"],
        (_, 1) => &["X"],
        (_, 2) => &["X", "Y"],
        _ => &["X", "Y", "Z"],
    }
}

/// A text as its bytes of UTF-8.
fn text_of(text: &str) -> Text {
    Text::from_bytes_unchecked(text.bytes().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::note::{Note, read_note};

    fn file(text: &[(String, String)]) -> Vec<u8> {
        let names = ["", "é"].map(str::to_owned);
        let array = |name: &str, shape: &[usize], values| Array {
            name: name.to_owned(),
            shape: shape.to_vec(),
            values,
        };
        let normals: Vec<f32> = (0_u8..18).map(f32::from).collect();
        let arrays = [
            array("normal", &[2, 3, 3], Values::Numbers(&normals)),
            array("mesh", &[2, 3], Values::Indices(&[0, 7, 1, 2, 3, u32::MAX])),
            array("mesh_names", &[2], Values::Names(&names)),
        ];
        encode_exr(&arrays, text).unwrap()
    }

    #[test]
    fn channels_are_read_back_with_their_names() {
        let image = exr::prelude::read_all_flat_layers_from_file;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.exr");
        std::fs::write(&path, file(&[])).unwrap();
        let layer = image(&path).unwrap().layer_data.remove(0);
        let found: Vec<_> = layer
            .channel_data
            .list
            .iter()
            .map(|own| (own.name.to_string(), own.sample_data.values_as_f32().collect::<Vec<_>>()))
            .collect();
        let of = |at: u8| (0..6).map(|pixel| f32::from(pixel * 3 + at)).collect::<Vec<_>>();
        assert_eq!(found[0].0, "mesh.X");
        assert_eq!(found[0].1[..5], [0.0, 7.0, 1.0, 2.0, 3.0]);
        let normals = ["X", "Y", "Z"].map(|axis| format!("normal.{axis}"));
        for (at, name) in (0_u8..).zip(normals) {
            assert_eq!(found[1 + usize::from(at)], (name, of(at)));
        }
        let names = layer.attributes.other.get(&Text::from("names")).cloned();
        assert_eq!(names, Some(AttributeValue::Text(text_of(r#"{"mesh_names":["","é"]}"#))));
        assert_eq!(file(&[]), file(&[]));
    }

    #[test]
    fn text_is_read_back_and_knows_other_bytes() {
        let text = vec![("Software".to_owned(), "é".repeat(300))];
        let own = file(&text);
        let note = Note { size: [3, 2], text, is_sealed: true };
        assert_eq!(read_note(&own), Some(note.clone()));
        for end in [0, 1, 40, 300, own.len() / 2, own.len() - 1] {
            assert_ne!(read_note(&own[..end]), Some(note.clone()), "{end}");
        }
        for at in [20, own.len() / 3, own.len() - 3] {
            let mut other = own.clone();
            other[at] ^= 1;
            assert_ne!(read_note(&other), Some(note.clone()), "{at}");
        }
    }
}
