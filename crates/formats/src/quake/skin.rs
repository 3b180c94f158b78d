//! Skins of `.mdl` files: palette indices; the palette lies beside the models of a game.

use super::input::Input;
use tintype_model::{EmbeddedPicture, FileRepair};

/// The palette of a game, from its folder.
pub const PALETTE: &str = "gfx/palette.lmp";
/// Position of the number of skins in the header.
pub(super) const SKINS: usize = 48;
/// Colours of a palette.
const COLORS: usize = 256;
/// Maximum number of pixels per row and of rows, as for pictures.
const MAX_SIDE: usize = u16::MAX as usize;

/// The skins as pictures with a palette: TGA files without compression. Without a palette they are
/// grey by their indices.
pub(super) fn pictures(
    input: &mut Input,
    skins: &[&[u8]],
    [width, height]: [usize; 2],
    palette: &dyn Fn() -> Result<Vec<u8>, String>,
) -> Vec<EmbeddedPicture> {
    if skins.is_empty() {
        return Vec::new();
    }
    let ([Ok(columns), Ok(rows)], true) =
        ([width, height].map(u16::try_from), width.max(height) <= MAX_SIDE)
    else {
        let message =
            format!("its skins have {width} x {height} pixels; the limit is {MAX_SIDE} per side");
        input.tell(FileRepair::NoPicture, SKINS, message);
        return Vec::new();
    };
    let grey = (0..=u8::MAX).flat_map(|index| [index; 3]);
    let colors = match palette() {
        Ok(colors) if colors.len() >= 3 * COLORS => colors,
        other => {
            let why = match other {
                Ok(short) => {
                    format!("{PALETTE} has {} bytes; expected {}", short.len(), 3 * COLORS)
                }
                Err(why) => why,
            };
            let message = format!("{why}; its skins are drawn in grey, by colour index");
            input.tell(FileRepair::Approximated, SKINS, message);
            grey.collect()
        }
    };
    let [columns, rows] = [columns, rows].map(u16::to_le_bytes);
    let head: Vec<u8> =
        [&[0, 1, 1, 0, 0, 0, 1, 24, 0, 0, 0, 0][..], &columns, &rows, &[8, 0x20]].concat();
    let map: Vec<u8> =
        colors.chunks_exact(3).take(COLORS).flat_map(|rgb| [rgb[2], rgb[1], rgb[0]]).collect();
    let picture = |(number, pixels): (usize, &&[u8])| EmbeddedPicture {
        name: format!("skin_{number}"),
        bytes: [&head[..], &map, pixels].concat().into(),
    };
    skins.iter().enumerate().map(picture).collect()
}
