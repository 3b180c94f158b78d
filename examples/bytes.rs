//! Draws a model that is in memory: `cargo run --release --example bytes`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read("scenes/assets/ranger.glb")?;
    let textures = |name: &str| std::fs::read(format!("scenes/assets/{name}")).ok();
    let model = tintype::Model::from_bytes("ranger.glb", bytes, textures)?;
    model.thumbnail(256)?.save("out/ranger.png")?;
    Ok(())
}
