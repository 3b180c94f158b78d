//! Speed of parsing `.x` files to object trees: `cargo bench --bench x`. Bytes are those of the
//! file on disk.
//!
//! The input is made here, the same on every run: one mesh and the matrix keys of a few dozen
//! frames, as exporters write them, in each encoding.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "benches make numbers of known size"
)]

use divan::Bencher;
use divan::counter::BytesCount;
use std::fmt::Write;
use tintype_formats::{LoadOptions, x};

fn main() {
    divan::main();
}

const VERTICES: usize = 20_000;
const FRAMES: usize = 48;
const KEYS: usize = 200;

#[divan::bench(args = ["txt ", "bin ", "tzip", "bzip"])]
fn x_read_document(bencher: Bencher, encoding: &str) {
    let bytes = file(encoding);
    let read =
        |bytes| x::read_document(bytes, &LoadOptions::default()).expect("the writer is right");
    let objects = read(&bytes).objects;
    let numbers: usize = objects.iter().map(|object| object.values.len()).sum();
    assert_eq!(numbers, 2 + 3 * VERTICES + 4 * VERTICES + FRAMES * (2 + 18 * KEYS));
    bencher.counter(BytesCount::new(bytes.len())).bench(|| read(divan::black_box(&bytes)));
}

/// A number of a fixed sequence, within -1 to 1, with six decimals.
fn number(index: usize) -> f64 {
    (((index as u64).wrapping_mul(2_654_435_761) % 2_000_000) as f64 - 1e6) / 1e6
}

/// A writer for one encoding.
enum Writer {
    Text(String),
    Binary(Vec<u8>),
}

impl Writer {
    fn begin(&mut self, template: &str, name: &str) {
        match self {
            Self::Text(text) => {
                let _ = writeln!(text, "{template} {name} {{");
            }
            Self::Binary(bytes) => {
                for word in [template, name] {
                    if !word.is_empty() {
                        bytes.extend([1, 0]);
                        bytes.extend((word.len() as u32).to_le_bytes());
                        bytes.extend(word.as_bytes());
                    }
                }
                bytes.extend([0x0a, 0]);
            }
        }
    }

    fn end(&mut self) {
        match self {
            Self::Text(text) => text.push_str("}\n"),
            Self::Binary(bytes) => bytes.extend([0x0b, 0]),
        }
    }

    fn whole(&mut self, numbers: &[u32]) {
        match self {
            Self::Text(text) => {
                for number in numbers {
                    let _ = write!(text, "{number};");
                }
                text.push_str(",\n");
            }
            Self::Binary(bytes) => {
                bytes.extend([6, 0]);
                bytes.extend((numbers.len() as u32).to_le_bytes());
                bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
    }

    fn real(&mut self, numbers: &[f64]) {
        match self {
            Self::Text(text) => {
                for number in numbers {
                    let _ = write!(text, "{number:.6};");
                }
                text.push_str(",\n");
            }
            Self::Binary(bytes) => {
                bytes.extend([7, 0]);
                bytes.extend((numbers.len() as u32).to_le_bytes());
                bytes.extend(numbers.iter().flat_map(|number| (*number as f32).to_le_bytes()));
            }
        }
    }
}

fn file(encoding: &str) -> Vec<u8> {
    let mut writer = match encoding {
        "txt " | "tzip" => Writer::Text(String::from("\n")),
        _ => Writer::Binary(Vec::new()),
    };
    writer.begin("Mesh", "m");
    writer.whole(&[VERTICES as u32]);
    for vertex in 0..VERTICES {
        writer.real(&[number(3 * vertex), number(3 * vertex + 1), number(3 * vertex + 2)]);
    }
    writer.whole(&[VERTICES as u32]);
    for face in 0..VERTICES as u32 {
        writer.whole(&[3, face, (face + 1) % VERTICES as u32, (face + 2) % VERTICES as u32]);
    }
    writer.end();
    for frame in 0..FRAMES {
        writer.begin("AnimationKey", "");
        writer.whole(&[4, KEYS as u32]);
        for key in 0..KEYS {
            writer.whole(&[key as u32 * 160, 16]);
            let matrix: Vec<f64> = (0..16).map(|cell| number(frame * KEYS + key + cell)).collect();
            writer.real(&matrix);
        }
        writer.end();
    }
    let plain = match writer {
        Writer::Text(text) => text.into_bytes(),
        Writer::Binary(bytes) => bytes,
    };
    let mut file = format!("xof 0303{encoding}0032").into_bytes();
    if !encoding.ends_with("zip") {
        file.extend(plain);
        return file;
    }
    file.extend((plain.len() as u32 + 16).to_le_bytes());
    // Each block separately: a reader sees the bytes before it, a writer need not use them.
    for block in plain.chunks(32_768) {
        let packed = miniz_oxide::deflate::compress_to_vec(block, 6);
        file.extend((block.len() as u16).to_le_bytes());
        file.extend((packed.len() as u16 + 2).to_le_bytes());
        file.extend(b"CK");
        file.extend(packed);
    }
    file
}
