//! Views over the dimmed picture: the skeleton, the edges of triangles, and boxes.

use super::canvas::{Canvas, Color, mix, whole};
use super::data::{color_of, fill, pixel};
use super::label::Labels;
use super::screen::{Outline, Screen, held, larger, smaller};
use super::seen::{Memo, Seen, Shape};
use super::shown::Shown;
use crate::Staged;
use crate::asset::Assets;
use crate::font::{LETTER_WIDTH, text_width};
use tintype_model::frame::Frame;
use tintype_model::math::{Aabb, Vec3};
use tintype_scene::{Aov, Scene};

const BONE: Color = [255, 190, 92];
const JOINT: Color = [255, 245, 214];
const NAME: Color = [226, 232, 240];
const WIRE: Color = [150, 214, 255];
const BOX: Color = [255, 226, 120];
const STATED_BOX: Color = [255, 120, 196];
/// Joints closer than this have one dot.
const APART_PX: f64 = 2.5;
/// Distance from the centre of a pixel to a line, above which none of the pixel's samples is within
/// one pixel of the line.
const LINE_REACH_PX: f64 = 1.75;
/// Triangles lower than this in pixels have fainter edges, so that a fine mesh stays legible.
const FULL_HEIGHT_PX: f64 = 5.0;

/// A box is labelled if its label is at most this multiple of its width: in a crowd labels would
/// hide the boxes.
const MAX_LABEL: f64 = 1.6;

/// A position in the picture in whole pixels.
fn whole_place(at: [f64; 2]) -> [i32; 2] {
    at.map(whole)
}

/// Number of labels that did not fit, for a legend.
fn left_out(count: usize, what: &str) -> String {
    match count {
        0 => String::new(),
        1 => format!("; 1 {what} does not fit"),
        count => format!("; {count} {what}s do not fit"),
    }
}

pub(super) fn skeleton(
    screen: &Screen,
    (scene, assets): (&Scene, &Assets),
    staged: &Staged,
    picture: &Frame,
) -> Shown {
    let mut canvas = Canvas::dimmed(picture);
    let mut labels = Labels::default();
    let mut names: Vec<Vec<([f64; 2], &str)>> = Vec::new();
    // 1. All bones, then all joints, so that bones do not cover joints.
    let mut dots = Vec::new();
    let shown = scene.instances.iter().zip(&staged.instances);
    for (instance, posed) in shown.filter(|(_, posed)| posed.is_visible) {
        let joints = assets.models[instance.model].model.skeleton.joints();
        let at: Vec<Vec3> = posed
            .pose
            .matrices
            .iter()
            .map(|joint| posed.world_from_model.transform_point3(joint.translation))
            .collect();
        let mut own = Vec::new();
        for (index, joint) in joints.iter().enumerate() {
            if let Some(parent) = joint.parent
                && let Some(line) = screen.segment(at[parent.index()], at[index])
            {
                canvas.line(line, 2.0, BONE, 0.9);
            }
            if let Some(place) = screen.place(at[index]) {
                own.push((place, joint.name.as_str()));
            }
        }
        dots.extend(own.iter().map(|(place, _)| *place));
        names.push(own);
    }
    for &place in &dots {
        canvas.dot(place, 1.75, JOINT);
        labels.avoid(whole_place(place), 2);
    }
    // 2. Names of the figures that have space for theirs.
    for own in &names {
        if !has_room(own) {
            labels.left_out += own.len();
            continue;
        }
        for &(place, name) in own {
            let is_inside = (0..2).all(|k| place[k] >= 0.0 && place[k] < f64::from(screen.size[k]));
            if !is_inside {
                continue;
            }
            labels.place(&mut canvas, whole_place(place), name, NAME);
        }
    }
    let legend = format!("joints and bones of every instance{}", left_out(labels.left_out, "name"));
    Shown { aov: Aov::Skeleton, frame: canvas.frame, legend }
}

/// True if the names of a figure fit around it: they may take twice the area of the figure.
fn has_room(joints: &[([f64; 2], &str)]) -> bool {
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    let mut letters = 0;
    for (place, name) in joints {
        for k in 0..2 {
            (low[k], high[k]) = (smaller(low[k], place[k]), larger(high[k], place[k]));
        }
        letters += name.chars().count() + 1;
    }
    let letters = f64::from(u32::try_from(letters).unwrap_or(u32::MAX));
    let needed = letters * f64::from(LETTER_WIDTH) * 11.0;
    joints.is_empty()
        || (high[0] - low[0] + APART_PX) * (high[1] - low[1] + APART_PX) * 2.0 > needed
}

pub(super) fn wireframe(seen: &Seen, picture: &Frame) -> Shown {
    let base = Canvas::dimmed(picture).frame;
    let frame = fill(seen.screen.size, |outlines: &mut Memo<(Outline, f64)>, x, y| {
        let [left, top] = pixel(x, y);
        let mut cover = 0.0;
        for hit in seen.at(x, y) {
            let (outline, strength) = outlines.get(hit, || {
                let patch = seen.patch(hit);
                let strength = held(larger(patch.least_height() / FULL_HEIGHT_PX, 0.22));
                (patch.outline(), strength)
            });
            if outline.is_beyond(LINE_REACH_PX, [left + 0.5, top + 0.5]) {
                continue;
            }
            // Both triangles of an edge draw half of its line.
            let line: f64 = seen
                .samples_of(hit)
                .map(|sample| held(1.0 - outline.distance(seen.sample_place([left, top], sample))))
                .sum();
            cover += line * strength / f64::from(seen.count());
        }
        mix(base.rgba[y * base.width as usize + x], WIRE, cover)
    });
    let legend = "edges of the visible triangles; edges of small triangles are fainter";
    Shown { aov: Aov::Wireframe, frame, legend: legend.to_owned() }
}

pub(super) fn bounds(
    screen: &Screen,
    shapes: &[Shape],
    scene: &Scene,
    staged: &Staged,
    picture: &Frame,
) -> Shown {
    let mut canvas = Canvas::dimmed(picture);
    let mut labels = Labels::default();
    let mut boxes: Vec<(usize, Aabb)> = Vec::new();
    for instance in 0..scene.instances.len() {
        let own: Vec<&Shape> = shapes.iter().filter(|shape| shape.instance == instance).collect();
        let mut all = Aabb::EMPTY;
        for shape in &own {
            let bounds = shape.posed.bounds();
            all.merge(&bounds);
            if own.len() > 1 {
                draw_box(screen, &mut canvas, corners(&bounds), 1.0, color_of(&shape.name), 0.55);
            }
        }
        if !all.is_empty() {
            boxes.push((instance, all));
        }
    }
    // Wider and below, so that both are visible where they agree.
    let stated = staged.instances.iter().filter(|instance| instance.is_visible);
    let stated: Vec<[Vec3; 8]> = stated
        .filter_map(|instance| {
            let place = |corner| instance.world_from_model.transform_point3(corner);
            instance.stated_box.map(|bounds| corners(&bounds).map(place))
        })
        .collect();
    for &corners in &stated {
        draw_box(screen, &mut canvas, corners, 3.0, STATED_BOX, 0.7);
    }
    for (_, bounds) in &boxes {
        draw_box(screen, &mut canvas, corners(bounds), 1.0, BOX, 0.95);
    }
    for (instance, bounds) in &boxes {
        let size = bounds.max - bounds.min;
        let name = &scene.models[scene.instances[*instance].model].name;
        let text = format!("{name} {:.2} x {:.2} x {:.2}", size.x, size.y, size.z);
        let places: Vec<[f64; 2]> =
            corners(bounds).into_iter().filter_map(|corner| screen.place(corner)).collect();
        let left = places.iter().fold(f64::INFINITY, |least, at| smaller(at[0], least));
        let right = places.iter().fold(f64::NEG_INFINITY, |most, at| larger(at[0], most));
        if f64::from(text_width(&text)) > (right - left) * MAX_LABEL {
            labels.left_out += 1;
            continue;
        }
        if let Some(top) = places.into_iter().reduce(|a, b| if b[1] < a[1] { b } else { a }) {
            let held = [0, 1].map(|k| smaller(larger(top[k], 0.0), f64::from(screen.size[k])));
            labels.place(&mut canvas, whole_place(held), &text, BOX);
        }
    }
    let sizes = sizes_text(scene, &boxes);
    let of_clips = match stated.len() {
        0 => "",
        _ => "; the bounds stored in the clip for this frame are pink",
    };
    let legend = format!(
        "bounding boxes in world space of instances (yellow) and, if they have several meshes, of each mesh (in the colours of the mesh view): {sizes}{of_clips}{}",
        left_out(labels.left_out, "label")
    );
    Shown { aov: Aov::Bounds, frame: canvas.frame, legend }
}

/// The first boxes of instances, for a legend.
fn sizes_text(scene: &Scene, boxes: &[(usize, Aabb)]) -> String {
    const MAX_LISTED: usize = 8;
    let size = |(instance, Aabb { min, max }): &(usize, Aabb)| {
        let name = &scene.models[scene.instances[*instance].model].name;
        format!("instance {instance} {name:?} from {min} to {max}")
    };
    let sizes: Vec<String> = boxes.iter().take(MAX_LISTED).map(size).collect();
    match boxes.len().saturating_sub(MAX_LISTED) {
        0 => sizes.join(", "),
        more => format!("{}, and {more} more", sizes.join(", ")),
    }
}

/// Corner k has the larger x, y and z for bits 0, 1 and 2.
fn corners(bounds: &Aabb) -> [Vec3; 8] {
    core::array::from_fn(|k| {
        let pick = |bit: usize, min: f32, max: f32| if k >> bit & 1 == 1 { max } else { min };
        let (min, max) = (bounds.min, bounds.max);
        Vec3::new(pick(0, min.x, max.x), pick(1, min.y, max.y), pick(2, min.z, max.z))
    })
}

fn draw_box(
    screen: &Screen,
    canvas: &mut Canvas,
    corners: [Vec3; 8],
    width: f64,
    color: Color,
    opacity: f64,
) {
    for from in 0..8_usize {
        for bit in [1, 2, 4] {
            if from & bit == 0
                && let Some(line) = screen.segment(corners[from], corners[from | bit])
            {
                canvas.line(line, width, color, opacity);
            }
        }
    }
}
