//! Writes the maps that are stored in the program's source, with the same bytes on every machine:
//! the light of the studio, uniform white, and the table of reflectances.
//!
//! ```text
//! cargo run --release --example bake_environment
//! ```

use std::path::Path;
use tintype_raster::environment::baked_files;

fn main() -> std::io::Result<()> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/raster/src");
    for (name, bytes) in baked_files() {
        std::fs::write(source.join(name), bytes)?;
    }
    Ok(())
}
