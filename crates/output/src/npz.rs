//! Arrays of numbers as an NPZ file: an archive of uncompressed NPY files, which `numpy.load`
//! reads.
//!
//! The comment of the archive is the text of the chunks of a PNG, sealed as in
//! [`note`](super::note). Times and modes are the same in every file, so that equal arrays are
//! equal bytes.

use super::note::{NPZ_END, NPZ_START, sealed};

/// The extension of the files.
pub const EXTENSION: &str = "npz";
/// The first date that an archive can store: 1 January 1980.
const DAY: u16 = (1 << 5) | 1;
const CENTRAL: &[u8; 4] = b"PK\x01\x02";
/// Values of an array, row by row.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// `float32`.
    Numbers(&'a [f32]),
    /// `uint32`.
    Indices(&'a [u32]),
    /// Texts in one dimension.
    Names(&'a [String]),
}

/// An array with its name.
#[derive(Clone, Debug)]
pub struct Array<'a> {
    /// The name that programs find it by.
    pub name: String,
    /// Lengths of its dimensions.
    pub shape: Vec<usize>,
    /// Its values.
    pub values: Values<'a>,
}

impl Array<'_> {
    /// The array as an NPY file.
    fn npy(&self) -> Vec<u8> {
        let letters = match self.values {
            Values::Names(names) => {
                names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(1)
            }
            _ => 1,
        };
        let kind = match self.values {
            Values::Numbers(_) => "<f4".to_owned(),
            Values::Indices(_) => "<u4".to_owned(),
            Values::Names(_) => format!("<U{letters}"),
        };
        let sides: Vec<String> = self.shape.iter().map(ToString::to_string).collect();
        let comma = if sides.len() == 1 { "," } else { "" };
        let head = format!(
            "{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}{comma}), }}",
            sides.join(", ")
        );
        // Ten bytes precede it and a line feed follows: values begin at a multiple of 64.
        let length = (10 + head.len() + 1).next_multiple_of(64) - 10;
        let mut npy = b"\x93NUMPY\x01\0".to_vec();
        npy.extend(u16::try_from(length).expect("a short head").to_le_bytes());
        npy.extend(format!("{head:<width$}\n", width = length - 1).into_bytes());
        match self.values {
            Values::Numbers(all) => npy.extend(all.iter().flat_map(|one| one.to_le_bytes())),
            Values::Indices(all) => npy.extend(all.iter().flat_map(|one| one.to_le_bytes())),
            Values::Names(names) => {
                for name in names {
                    let own = name.chars().map(u32::from).chain(core::iter::repeat(0));
                    npy.extend(own.take(letters).flat_map(u32::to_le_bytes));
                }
            }
        }
        npy
    }
}

/// Arrays as an archive with a text, given as pairs; `None` for more than 4 GiB.
#[must_use]
pub fn encode_npz(arrays: &[Array<'_>], text: &[(String, String)]) -> Option<Vec<u8>> {
    let (mut file, mut central) = (Vec::new(), Vec::new());
    for array in arrays {
        let (name, npy) = (format!("{}.npy", array.name), array.npy());
        let place = u32::try_from(file.len()).ok()?;
        let length = u32::try_from(npy.len()).ok()?.to_le_bytes();
        // Version 2.0, no flags, stored, at midnight.
        let mut head = [20, 0, 0, 0, 0, 0, 0, 0].to_vec();
        head.extend(DAY.to_le_bytes());
        head.extend(crc32fast::hash(&npy).to_le_bytes());
        head.extend([length, length].concat());
        head.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
        head.extend([0; 2]);
        for part in [&NPZ_START[..], &head, name.as_bytes(), &npy] {
            file.extend_from_slice(part);
        }
        central.extend([&CENTRAL[..], &[20, 0], &head, &[0; 10]].concat());
        central.extend([&place.to_le_bytes(), name.as_bytes()].concat());
    }
    let (place, length) = (file.len(), central.len());
    let count = u16::try_from(arrays.len()).ok()?.to_le_bytes();
    file.extend(central);
    file.extend([&NPZ_END[..], &[0; 4], &count, &count].concat());
    file.extend(u32::try_from(length).ok()?.to_le_bytes());
    file.extend(u32::try_from(place).ok()?.to_le_bytes());
    let note = sealed(text, &[&file]);
    file.extend(u16::try_from(note.len()).ok()?.to_le_bytes());
    file.extend(note.into_bytes());
    u32::try_from(file.len()).is_ok().then_some(file)
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
        let arrays = [
            array("depth", &[2, 1], Values::Numbers(&[1.5, -2.0])),
            array("mesh", &[2, 1], Values::Indices(&[0, 7])),
            array("mesh_names", &[2], Values::Names(&names)),
        ];
        encode_npz(&arrays, text).expect("it is small")
    }

    #[test]
    fn arrays_lie_at_multiples_of_64_in_their_files() {
        let file = file(&[]);
        let whole = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        let (length, from) = (whole(18), 30 + "depth.npy".len());
        let npy = &file[from..from + length];
        assert_eq!(npy.len(), 128 + 8);
        let head = core::str::from_utf8(&npy[10..128]).unwrap();
        assert!(head.starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }"));
        assert!(head.ends_with(" \n"));
        assert_eq!(npy[128..], [1.5_f32.to_le_bytes(), (-2.0_f32).to_le_bytes()].concat());
        assert_eq!(whole(14), crc32fast::hash(npy) as usize);
    }

    #[test]
    fn text_is_read_back_and_knows_other_bytes() {
        let text = vec![("Software".to_owned(), "é".repeat(300))];
        let own = file(&text);
        let note = Note { size: [1, 2], text, is_sealed: true };
        assert_eq!(read_note(&own), Some(note.clone()));
        for end in [0, 1, 40, 300, own.len() / 2, own.len() - 1] {
            assert_eq!(read_note(&own[..end]), None, "{end}");
        }
        for at in [20, 170, own.len() / 3] {
            let mut other = own.clone();
            other[at] ^= 1;
            assert_ne!(read_note(&other), Some(note.clone()), "{at}");
        }
    }
}
