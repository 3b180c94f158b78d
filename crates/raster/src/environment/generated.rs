//! The files of this folder, which hold data common to all processes, generated from their
//! definitions.

use super::albedo;
use super::baked::encoded;
use super::studio;

/// Computes the files anew, with their paths in the source; the example `bake_environment` writes
/// them.
#[must_use]
pub fn baked_files() -> [(&'static str, Vec<u8>); 3] {
    let shares = albedo::computed().into_iter().flatten();
    [
        ("environment/studio.map", encoded(&studio::computed())),
        ("environment/neutral.map", encoded(&studio::computed_neutral())),
        ("environment/albedo.table", shares.flat_map(u32::to_le_bytes).collect()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_hold_what_is_computed() {
        let [(_, map), (_, neutral), (_, table)] = baked_files();
        let advice = "write it anew: cargo run --release --example bake_environment";
        assert!(studio::BAKED == map, "studio.map differs from the studio; {advice}");
        assert!(studio::BAKED_NEUTRAL == neutral, "neutral.map differs from white; {advice}");
        assert!(albedo::BAKED == table, "albedo.table differs from the shares; {advice}");
        assert_eq!(studio::studio(), studio::computed());
        assert_eq!(studio::neutral(), studio::computed_neutral());
    }
}
