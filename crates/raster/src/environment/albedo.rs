//! Fraction of the light from all directions that a rough surface reflects to the eye: scale and
//! offset of its reflectance at normal incidence.
//!
//! # Source
//! Karis, "Real Shading in Unreal Engine 4", SIGGRAPH 2013; visibility of GGX with heights
//! correlated: Heitz, "Understanding the Masking-Shadowing Function in Microfacet-Based BRDFs",
//! JCGT 3(2), 2014.

use std::sync::LazyLock;
use tintype_model::math::func;

/// Entries along the cosine to the eye, and along the roughness.
pub(crate) const SIDE: usize = 32;
/// Directions of an entry.
const SAMPLES: u32 = 256;

/// Scale and offset at a cosine and a roughness, and at the next cosine: rows by roughness.
pub(crate) type Table = [[u32; 4]; SIDE * SIDE];

/// The fractions of all entries as a file of [`super::generated`].
pub(super) const BAKED: &[u8] = include_bytes!("albedo.table");

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| Box::new(of_shares(BAKED)));

/// The table, read on first use.
pub(crate) fn table() -> &'static Table {
    &TABLE
}

/// The table of all entries: two little-endian 32-bit numbers each.
fn of_shares(bytes: &[u8]) -> Table {
    let word = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
    let (pairs, _) = bytes.as_chunks::<4>().0.as_chunks::<2>();
    let shares: Vec<[u32; 2]> = pairs.iter().map(|pair| pair.each_ref().map(word)).collect();
    let mut table = [[0; 4]; SIDE * SIDE];
    for (entries, shares) in table.chunks_exact_mut(SIDE).zip(shares.chunks_exact(SIDE)) {
        for (column, entry) in entries.iter_mut().enumerate() {
            let ([a, b], [c, d]) = (shares[column], shares[(column + 1).min(SIDE - 1)]);
            *entry = [a, b, c, d];
        }
    }
    table
}

/// Scale and offset of each entry from their definition, as the bits of `f32`: the content of
/// [`BAKED`].
#[expect(clippy::cast_possible_truncation, reason = "shares")]
#[expect(clippy::cast_precision_loss, reason = "few entries")]
pub(super) fn computed() -> Vec<[u32; 2]> {
    let turns: Vec<f64> = (0..SAMPLES)
        .map(|index| {
            let angle = f64::from(index.reverse_bits()) / 4_294_967_296.0 * core::f64::consts::TAU;
            f64::from(func::cos(angle as f32))
        })
        .collect();
    let last = (SIDE - 1) as f64;
    let row = |row: usize| {
        let halves = Halves::new(row as f64 / last, &turns);
        (0..SIDE).map(move |column| {
            let found = shares(column as f64 / last, &halves);
            found.map(|share| (share as f32).to_bits())
        })
    };
    (0..SIDE).flat_map(row).collect()
}

/// Half vectors of one roughness, the same for every cosine.
struct Halves {
    /// Squared width of their distribution.
    squared: f64,
    /// Their components toward the eye and along the normal.
    vectors: Vec<[f64; 2]>,
}

impl Halves {
    /// `turns` are cosines of the angles around the normal.
    fn new(roughness: f64, turns: &[f64]) -> Self {
        let alpha = if roughness < 0.01 { 1e-4 } else { roughness * roughness };
        let squared = alpha * alpha;
        let vector = |(index, across): (u32, &f64)| {
            let part = (f64::from(index) + 0.5) / f64::from(SAMPLES);
            let z_squared = (1.0 - part) / (1.0 + (squared - 1.0) * part);
            [(1.0 - z_squared).sqrt() * across, z_squared.sqrt()]
        };
        Self { squared, vectors: (0..SAMPLES).zip(turns).map(vector).collect() }
    }
}

/// Scale and offset for a cosine to the eye and a roughness.
fn shares(cosine: f64, Halves { squared, vectors }: &Halves) -> [f64; 2] {
    let to_eye_z = if cosine < 1e-3 { 1e-3 } else { cosine };
    let to_eye_x = (1.0 - to_eye_z * to_eye_z).sqrt();
    let eye_root = (to_eye_z * to_eye_z * (1.0 - squared) + squared).sqrt();
    let (mut scale, mut offset) = (0.0, 0.0);
    for [half_x, half_z] in vectors {
        let between = to_eye_x * half_x + to_eye_z * half_z;
        let to_light_z = 2.0 * between * half_z - to_eye_z;
        if to_light_z <= 0.0 || between <= 0.0 {
            continue;
        }
        let of_eye = to_light_z * eye_root;
        let of_light = to_eye_z * (to_light_z * to_light_z * (1.0 - squared) + squared).sqrt();
        let seen = 2.0 * to_light_z * between / (half_z * (of_eye + of_light));
        let (left, left_squared) = (1.0 - between, (1.0 - between) * (1.0 - between));
        let grazing = left_squared * left_squared * left;
        scale += (1.0 - grazing) * seen;
        offset += grazing * seen;
    }
    [scale / f64::from(SAMPLES), offset / f64::from(SAMPLES)]
}
