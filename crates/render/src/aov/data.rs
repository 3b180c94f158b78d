//! Views whose codes are values: depth, normals, texture coordinates, meshes and materials.
//!
//! Nothing is mixed: a pixel has the value of the surface that most of its samples show, and is
//! black if fewer than half of them show any. An edge is therefore never a third colour. Codes are
//! linear in the value, without the sRGB curve.

use super::screen::held;
use super::seen::{Hit, Patches, Seen, mix_normal, mix_texcoord};
use super::shown::Shown;
use crate::asset::Assets;
use crate::{Renderer, Staged};
use rayon::prelude::*;
use std::collections::BTreeMap;
use tintype_model::frame::Frame;
use tintype_model::math::{Vec3, unit_or};
use tintype_scene::Aov;
use tintype_scene::FrameNumber;

/// Colour without a surface.
const NOTHING: [u8; 4] = [0, 0, 0, 255];
/// Code of the farthest surface; 0 is no surface.
const FAR_CODE: f64 = 32.0;
/// Squares of the checker along a side of the texture.
const CHECKS: f32 = 8.0;
/// The blue of every other square of the checker.
const CHECK_BLUE: u8 = 150;
/// Most names in a legend.
const MAX_NAMES: usize = 64;

/// Computes each pixel of a picture separately. Values reused from pixel to pixel of a row save
/// time and change no pixel.
pub(super) fn fill<K: Default>(
    [width, height]: [u32; 2],
    color: impl Fn(&mut K, usize, usize) -> [u8; 4] + Sync,
) -> Frame {
    let mut frame = Frame::new(width, height);
    let rows = frame.rgba.par_chunks_mut(width as usize).enumerate();
    rows.for_each(|(y, row)| {
        let mut kept = K::default();
        for (x, pixel) in row.iter_mut().enumerate() {
            *pixel = color(&mut kept, x, y);
        }
    });
    frame
}

/// Converts a fraction of 0..=1 to a code.
#[expect(clippy::cast_possible_truncation, reason = "at most 255.5")]
#[expect(clippy::cast_sign_loss, reason = "held to 0")]
pub(super) fn code(share: f64) -> u8 {
    (held(share) * 255.0 + 0.5) as u8
}

/// The colour of each pixel's main hit, by the barycentric coordinates in its triangle.
pub(super) fn each(seen: &Seen, color: impl Fn(&Hit, [f64; 3], f64) -> [u8; 3] + Sync) -> Frame {
    fill(seen.screen.size, |patches: &mut Patches, x, y| {
        let Some(hit) = seen.main_hit(x, y) else { return NOTHING };
        let patch = seen.patch_of(hit, patches);
        let share = patch.share(seen.place(pixel(x, y), hit));
        let [r, g, b] = color(hit, share, patch.w(share));
        [r, g, b, 255]
    })
}

/// The upper left corner of a pixel.
#[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
pub(super) fn pixel(x: usize, y: usize) -> [f64; 2] {
    [x as f64, y as f64]
}

/// Minimum and maximum distance along the view axis of everything in the picture, hidden or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub near: f64,
    pub far: f64,
}

/// The range over all frames of the scene: one scale for all, whichever are drawn.
pub(super) fn depth_range(renderer: &Renderer) -> Option<Range> {
    let of_frame = |frame: FrameNumber| {
        let staged = renderer.stage(frame).ok()?;
        range_of(renderer, &staged)
    };
    let frames: Vec<FrameNumber> = renderer.scene().output.frames.iter().collect();
    let ranges = frames.into_par_iter().filter_map(of_frame);
    let ranges: Vec<Range> = ranges.collect();
    ranges.into_iter().reduce(|a, b| Range {
        near: super::screen::smaller(a.near, b.near),
        far: super::screen::larger(a.far, b.far),
    })
}

fn range_of(renderer: &Renderer, staged: &Staged) -> Option<Range> {
    let screen = super::screen::Screen::new(&staged.camera, renderer.scene().output.size);
    let far = f64::from(staged.camera.far);
    let mut range: Option<Range> = None;
    for shape in super::seen::shapes(renderer, staged) {
        let points: Vec<_> =
            (0..shape.posed.len()).map(|v| screen.project(shape.posed.position_at(v))).collect();
        for triangle in shape.triangles {
            let corners = triangle.map(|v| points[v as usize]);
            screen.clip(corners, |w| {
                let w = super::screen::smaller(w, far);
                let old = range.unwrap_or(Range { near: w, far: w });
                range = Some(Range {
                    near: super::screen::smaller(old.near, w),
                    far: super::screen::larger(old.far, w),
                });
            });
        }
    }
    range
}

pub(super) fn depth(seen: &Seen, range: Option<Range>) -> Shown {
    let range = range.unwrap_or(Range { near: 1.0, far: 1.0 });
    // Linear in 1/w, as depth is everywhere in the renderer: a far ground would leave no shades for
    // the figures on it.
    let span = 1.0 / range.near - 1.0 / range.far;
    let frame = each(seen, |_, _, w| {
        let share = if span > 0.0 { held((1.0 / w - 1.0 / range.far) / span) } else { 1.0 };
        [code((FAR_CODE + (255.0 - FAR_CODE) * share) / 255.0); 3]
    });
    let legend = format!(
        "1 / distance along the view axis, linear: code 255 is at distance {:.6}, code {FAR_CODE} at {:.6}, code 0 is background",
        range.near, range.far
    );
    Shown { aov: Aov::Depth, frame, legend }
}

pub(super) fn normal(seen: &Seen) -> Shown {
    let frame = each(seen, |hit, share, _| {
        let normal = unit_or(mix_normal(&seen.shapes[hit.shape], hit, share), Vec3::Z);
        normal.to_array().map(|value| code(f64::from(value) * 0.5 + 0.5))
    });
    let legend = "normals in world space, without normal maps, facing the viewer: red, green and blue are x, y and z, code 0 is -1, code 255 is 1; black is background";
    Shown { aov: Aov::Normal, frame, legend: legend.to_owned() }
}

pub(super) fn uv(seen: &Seen) -> Shown {
    let frame = each(seen, |hit, share, _| {
        let at = mix_texcoord(&seen.shapes[hit.shape], hit, share);
        let (u, v) = (at.x - at.x.floor(), at.y - at.y.floor());
        let is_odd = ((u * CHECKS).floor() + (v * CHECKS).floor()) % 2.0 >= 1.0;
        [code(f64::from(u)), code(f64::from(v)), if is_odd { CHECK_BLUE } else { 0 }]
    });
    let legend = format!(
        "texture coordinates: red is u, green is v (down), code 255 is 1, both wrapped; blue is a checker of {CHECKS} squares per side"
    );
    Shown { aov: Aov::Uv, frame, legend }
}

pub(super) fn mesh(seen: &Seen) -> Shown {
    named(seen, Aov::Mesh, "mesh", |shape| &seen.shapes[shape].name)
}

pub(super) fn material(seen: &Seen, assets: &Assets) -> Shown {
    named(seen, Aov::Material, "material", |shape| {
        &assets.materials[seen.shapes[shape].material].name
    })
}

/// A colour for each name.
fn named<'n>(seen: &Seen, aov: Aov, what: &str, name: impl Fn(usize) -> &'n str) -> Shown {
    let colors: Vec<[u8; 3]> = (0..seen.shapes.len()).map(|shape| color_of(name(shape))).collect();
    let frame = fill(seen.screen.size, |(), x, y| {
        seen.main_hit(x, y).map_or(NOTHING, |hit| {
            let [r, g, b] = colors[hit.shape];
            [r, g, b, 255]
        })
    });
    let mut names: BTreeMap<&str, [u8; 3]> = BTreeMap::new();
    names.extend(colors.iter().enumerate().map(|(shape, &color)| (name(shape), color)));
    let mut list: Vec<String> = names
        .iter()
        .take(MAX_NAMES)
        .map(|(name, [r, g, b])| format!("#{r:02x}{g:02x}{b:02x} {name:?}"))
        .collect();
    if names.len() > MAX_NAMES {
        list.push(format!("and {} more", names.len() - MAX_NAMES));
    }
    Shown { aov, frame, legend: format!("colour of each {what}: {}", list.join(", ")) }
}

/// The colour of a name, the same in every frame and scene: any hue, in one of four strengths.
#[must_use]
pub fn color_of(name: &str) -> [u8; 3] {
    /// Saturation and value.
    const STRENGTHS: [(f64, f64); 4] = [(0.85, 1.0), (0.45, 1.0), (0.9, 0.62), (0.55, 0.75)];
    let digest = *blake3::hash(name.as_bytes()).as_bytes();
    let (saturation, value) = STRENGTHS[usize::from(digest[2] % 4)];
    let hue = f64::from(u16::from_le_bytes([digest[0], digest[1]])) / 65536.0 * 6.0;
    // Red, green and blue are the same curve, a third of the range apart.
    [0.0, 4.0, 2.0].map(|shift| {
        let at = (hue + shift) % 6.0;
        let hat = held((at - 3.0).abs() - 1.0);
        code(value * (1.0 - saturation + saturation * hat))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_colors_are_stable_and_apart() {
        assert_eq!(color_of("body"), color_of("body"));
        let names = ["body", "eyes", "models/ranger", "models/gear/ranger", "lantern", "glass"];
        for (index, a) in names.iter().enumerate() {
            assert!(color_of(a).into_iter().max() > Some(100), "{a} is not dark");
            for b in &names[..index] {
                let (a, b) = (color_of(a), color_of(b));
                let apart: u32 = (0..3).map(|k| u32::from(a[k].abs_diff(b[k]))).sum();
                assert!(apart > 24, "{a:?} {b:?}");
            }
        }
    }
}
