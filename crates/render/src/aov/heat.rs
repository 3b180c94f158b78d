//! Heat maps with their scale: the weight of a joint, and the number of triangles that cover a
//! pixel.

use super::canvas::{Canvas, Color, mix};
use super::data::{code, fill, pixel};
use super::screen::{held, smaller};
use super::seen::{Patches, Seen, Shape, mix_normal};
use super::shown::Shown;
use crate::Staged;
use crate::font::{LETTER_HEIGHT, text_width};
use tintype_model::frame::Frame;
use tintype_model::math::{MAGMA, func, unit_or};
use tintype_scene::Aov;

/// Counts on the scale of overdraw; the last and all above are brightest.
const COUNTS: [u32; 6] = [1, 2, 4, 8, 16, 32];
/// Colour of text on a scale.
const WORDS: Color = [236, 240, 245];

fn magma(share: f64) -> Color {
    MAGMA[usize::from(code(share))]
}

/// Weight of the joints with a name at each vertex. None if the skeleton has no such joint.
fn pulls(shape: &Shape, name: &str) -> Option<Vec<f64>> {
    let is_named: Vec<bool> =
        shape.skeleton.joints().iter().map(|joint| joint.name == name).collect();
    is_named.contains(&true).then(|| {
        let of_vertex = |vertex: usize| {
            let own = shape.mesh.influences_of(vertex);
            let own = own.filter(|&one| is_named[shape.mesh.influences[one].joint().index()]);
            own.map(|one| f64::from(shape.mesh.influences[one].weight())).sum()
        };
        (0..shape.mesh.vertex_count()).map(of_vertex).collect()
    })
}

/// The influence of a joint.
pub(super) fn joint(seen: &Seen, staged: &Staged, name: &str, background: &Frame) -> Shown {
    let pulls: Vec<Option<Vec<f64>>> = seen.shapes.iter().map(|shape| pulls(shape, name)).collect();
    let has_it = pulls.iter().filter(|pulls| pulls.is_some()).count();
    let legend = format!(
        "weights of joint {name:?}, from 0 (black) to 1 (light yellow); {has_it} of {} meshes have it, the others are grey",
        pulls.len()
    );
    let frame = heat(seen, staged, &pulls, (name, "1"), background);
    Shown { aov: Aov::Joint(name.to_owned()), frame, legend }
}

/// Distances by which the morph targets of a name move each vertex at weight 1, in bind space. None
/// if the mesh has no such target.
fn moves(shape: &Shape, name: &str) -> Option<Vec<f64>> {
    let morph = shape.mesh.morph.as_deref()?;
    let slots = shape.skeleton.morphs();
    let is_named = |weight: usize| slots.get(weight).is_some_and(|slot| slot.name == name);
    let targets: Vec<_> = morph.targets.iter().filter(|target| is_named(target.weight)).collect();
    (!targets.is_empty()).then(|| {
        let of_vertex = |vertex: usize| {
            let lengths = targets.iter().map(|target| target.offsets_of(vertex)[0].length());
            lengths.map(f64::from).sum()
        };
        (0..shape.mesh.vertex_count()).map(of_vertex).collect()
    })
}

/// The reach of a morph target: the distance that it moves the surface, as a fraction of the
/// farthest vertex.
pub(super) fn target(seen: &Seen, staged: &Staged, name: &str, background: &Frame) -> Shown {
    let mut moves: Vec<Option<Vec<f64>>> =
        seen.shapes.iter().map(|shape| moves(shape, name)).collect();
    let all = moves.iter().flatten().flatten();
    let farthest = all.fold(0.0_f64, |most, &length| if length > most { length } else { most });
    if farthest > 0.0 {
        moves.iter_mut().flatten().flatten().for_each(|length| *length /= farthest);
    }
    let has_it = moves.iter().filter(|moves| moves.is_some()).count();
    let legend = format!(
        "how far target {name:?} moves the surface at weight 1, before skinning, from 0 (black) to {farthest:.4} (light yellow); {has_it} of {} meshes have it, the others are grey",
        moves.len()
    );
    let frame = heat(seen, staged, &moves, (name, &format!("{farthest:.3}")), background);
    Shown { aov: Aov::Target(name.to_owned()), frame, legend }
}

/// Values of vertices from 0 to 1 as colours of the scale, slightly darker where the surface turns
/// away from the eye; meshes without values are grey. The scale has a title and a word for 1.
fn heat(
    seen: &Seen,
    staged: &Staged,
    pulls: &[Option<Vec<f64>>],
    (title, most): (&str, &str),
    background: &Frame,
) -> Frame {
    let base = Canvas::dimmed(background).frame;
    let frame = fill(seen.screen.size, |patches: &mut Patches, x, y| {
        let below = base.rgba[y * base.width as usize + x];
        let (mut sum, mut covered) = ([0.0; 3], 0.0);
        for hit in seen.at(x, y) {
            let shape = &seen.shapes[hit.shape];
            let corners = shape.triangles[hit.triangle].map(|vertex| vertex as usize);
            let share = seen.patch_of(hit, patches).share(seen.place(pixel(x, y), hit));
            let position = shape.posed.position_at(corners[0]);
            let to_eye = staged.camera.toward_eye(position);
            let normal = unit_or(mix_normal(shape, hit, share), to_eye);
            let facing = held(f64::from(normal.dot(to_eye)));
            let color = match &pulls[hit.shape] {
                Some(pulls) => {
                    let pull: f64 = (0..3).map(|k| share[k] * pulls[corners[k]]).sum();
                    // The dark end would hide the shape, so it is lifted by up to a tenth, to
                    // colours that occur nowhere else in the scale.
                    let lift = 34.0 * facing * (1.0 - held(pull));
                    magma(pull).map(|code| f64::from(code) * (0.78 + 0.22 * facing) + lift)
                }
                None => [40.0 + 50.0 * facing; 3],
            };
            let part = seen.part(hit);
            covered += part;
            sum = core::array::from_fn(|k| sum[k] + color[k] * part);
        }
        if covered <= 0.0 {
            return below;
        }
        mix(below, sum.map(|sum| code(sum / covered / 255.0)), covered)
    });
    let mut canvas = Canvas { frame };
    let steps: Vec<Color> = (0..64).map(|step| magma(f64::from(step) / 63.0)).collect();
    scale(&mut canvas, title, &steps, 1, &[(0, "0"), (63, most)]);
    canvas.frame
}

/// Draws one colour for each count, with the scale.
pub(super) fn overdraw(size: [u32; 2], counts: &[u32]) -> Shown {
    let width = size[0] as usize;
    let frame = fill(size, |(), x, y| {
        let [r, g, b] = count_color(counts[y * width + x]);
        [r, g, b, 255]
    });
    let most = counts.iter().copied().max().unwrap_or(0);
    let covered: Vec<u32> = counts.iter().copied().filter(|&count| count > 0).collect();
    let sum: u64 = covered.iter().map(|&count| u64::from(count)).sum();
    #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
    let mean = sum as f64 / covered.len().max(1) as f64;
    let mut canvas = Canvas { frame };
    let steps = COUNTS.map(count_color);
    let words = COUNTS.map(|count| count.to_string());
    let words: Vec<(usize, &str)> = words.iter().map(String::as_str).enumerate().collect();
    scale(&mut canvas, "triangles", &steps, 17, &words);
    let legend = format!(
        "triangles that cover a pixel's centre and are not culled, including hidden ones: black is 0, then one step for each doubling up to 32; maximum {most}, mean {mean:.2} where there are any"
    );
    Shown { aov: Aov::Overdraw, frame: canvas.frame, legend }
}

fn count_color(count: u32) -> Color {
    if count == 0 {
        return [0; 3];
    }
    #[expect(clippy::cast_precision_loss, reason = "32 at most")]
    let count = count.min(32) as f32;
    // 1 is a sixth of the way up, 32 the top.
    magma(smaller((1.0 + f64::from(func::log2(count))) / 6.0, 1.0))
}

/// A bar of colours in the lower left corner, with a title and labels below steps. Omitted if it
/// does not fit.
fn scale(
    canvas: &mut Canvas,
    title: &str,
    steps: &[Color],
    step_width: i32,
    words: &[(usize, &str)],
) {
    const MARGIN: i32 = 4;
    const BAR: i32 = 7;
    let count = i32::try_from(steps.len()).unwrap_or(i32::MAX / 1024);
    let width = (count * step_width).max(text_width(title)) + 2 * MARGIN;
    let height = 2 * (LETTER_HEIGHT + 2) + BAR + MARGIN;
    let size = canvas.size();
    if size[0] < width + MARGIN || size[1] < 2 * height {
        return;
    }
    let (left, top) = (MARGIN, size[1] - height - MARGIN);
    canvas.fill([left, top], [width, height], [12, 13, 16], 0.8);
    canvas.text([left + MARGIN, top + 2], title, WORDS);
    let bar = top + LETTER_HEIGHT + 4;
    for (step, color) in (0_i32..).zip(steps) {
        canvas.fill([left + MARGIN + step * step_width, bar], [step_width, BAR], *color, 1.0);
    }
    for (step, word) in words {
        let step = i32::try_from(*step).unwrap_or(0);
        let middle = left + MARGIN + step * step_width + step_width / 2;
        let at = (middle - text_width(word) / 2).max(left + 2);
        canvas.text([at, bar + BAR + 2], word, WORDS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overdraw_colors_rise_with_the_count() {
        let light = |count| count_color(count).into_iter().map(u32::from).sum::<u32>();
        for pair in [0, 1, 2, 3, 4, 5, 8, 16, 32].windows(2) {
            assert!(light(pair[0]) < light(pair[1]), "{pair:?}");
        }
        assert_eq!(count_color(32), count_color(1000));
    }
}
