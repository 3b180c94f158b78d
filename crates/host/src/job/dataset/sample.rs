//! Labels of a sample: its facts, its camera, and the positions of its figure and its joints in the
//! picture.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tintype_model::math::{Vec3, larger, smaller};
use tintype_model::{Camera, Skeleton};
use tintype_render::aov::{Channel, Plane};
use tintype_render::{Renderer, Staged};

/// Depth below a surface up to which a joint counts as visible, as a fraction of the figure's
/// diagonal.
const UNDER_SKIN: f64 = 0.03;

/// The file of a sample, `000012.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Sample {
    #[serde(flatten)]
    pub facts: Facts,
    pub camera: View,
    pub category: Category,
    pub annotation: Annotation,
}

/// A line of `index.jsonl`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Facts {
    pub number: u32,
    /// Number of empty pictures before this one.
    pub attempt: u32,
    /// The model, from the folder of the recipe.
    pub model: String,
    /// Its clip. None for the bind pose.
    pub clip: Option<String>,
    /// Time of the clip from its start, in seconds.
    pub time_s: f64,
    /// Drawn values, by their positions in the recipe.
    pub drawn: BTreeMap<String, String>,
    /// BLAKE3 of the picture and of the file of its channels.
    pub files: BTreeMap<String, String>,
    /// BLAKE3 of the input files of the model and its surroundings, by their names in the scene.
    pub inputs: BTreeMap<String, String>,
    /// Digest of all that the sample depends on.
    pub digest: String,
    /// Digest of the recipe, its models and the program.
    pub recipe: String,
}

/// A camera in the format of `transforms.json`: focal lengths and principal point in pixels from
/// the upper left corner, and the pose, which maps camera space (x to the right, y up, z backwards)
/// to the world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct View {
    pub file_path: String,
    pub fl_x: f64,
    pub fl_y: f64,
    pub cx: f64,
    pub cy: f64,
    pub w: u32,
    pub h: u32,
    pub transform_matrix: [[f64; 4]; 4],
}

impl View {
    pub(super) fn of(camera: &Camera, [w, h]: [u32; 2], file_path: String) -> Self {
        let [half_w, half_h] = [w, h].map(|side| f64::from(side) * 0.5);
        #[expect(clippy::cast_possible_truncation, reason = "a ratio of sides")]
        let (half_x, half_y) = camera.half_tangents((half_w / half_h) as f32);
        let [right, up] = camera.lens().map_or([0.0; 2], |lens| lens.shift.map(f64::from));
        let axes = camera.world_from_view;
        let columns = [axes.x_axis, axes.y_axis, axes.z_axis, camera.eye];
        let columns = columns.map(|column| column.to_array().map(f64::from));
        let row = |row: usize| columns.map(|column| column[row]);
        Self {
            file_path,
            fl_x: half_w / f64::from(half_x),
            fl_y: half_h / f64::from(half_y),
            cx: (1.0 + right) * half_w,
            cy: (1.0 - up) * half_h,
            w,
            h,
            transform_matrix: [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]],
        }
    }
}

/// A COCO category: a model with its joints as keypoints; edges count from 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Category {
    pub id: u32,
    pub name: String,
    pub supercategory: String,
    pub keypoints: Vec<String>,
    pub skeleton: Vec<[usize; 2]>,
}

impl Category {
    pub(super) fn of(id: u32, name: String, skeleton: &Skeleton) -> Self {
        let joints = skeleton.joints().iter().enumerate();
        let edge =
            |(at, joint): (usize, &tintype_model::Joint)| Some([joint.parent?.index() + 1, at + 1]);
        Self {
            id,
            name,
            supercategory: "model".to_owned(),
            keypoints: joints.clone().map(|(_, joint)| joint.name.clone()).collect(),
            skeleton: joints.filter_map(edge).collect(),
        }
    }
}

/// An annotation of COCO.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Annotation {
    pub id: u32,
    pub image_id: u32,
    pub category_id: u32,
    /// `x`, `y` in pixels and `v` of each joint: 2 if visible, 1 if hidden, and 0 outside the
    /// picture, with `x` and `y` of 0.
    pub keypoints: Vec<f64>,
    pub num_keypoints: usize,
    /// Left, top, width and height of the mask.
    pub bbox: [u32; 4],
    /// Pixels of the mask.
    pub area: usize,
    pub iscrowd: u8,
    pub segmentation: Mask,
}

/// A mask as run lengths, column by column; the first run is outside it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Mask {
    pub counts: Vec<usize>,
    pub size: [u32; 2],
}

/// Channels that annotations are made of.
pub(super) const SEEN: [Channel; 3] = [Channel::Depth, Channel::Instance, Channel::Joint];

impl Annotation {
    /// Finds the figure in the planes of [`SEEN`]. None if no pixel shows it.
    pub(super) fn of(
        renderer: &Renderer,
        staged: &Staged,
        [number, category_id]: [u32; 2],
        planes: &[Plane],
    ) -> Option<Self> {
        let size = renderer.scene().output.size;
        let [width, height] = size.map(|side| side as usize);
        let [Plane::Numbers(depth), Plane::Indices(instance), Plane::Indices(surface)] = planes
        else {
            return None;
        };
        let is_inside = |x: usize, y: usize| instance[y * width + x] != 0;
        let (mut counts, mut inside) = (vec![0], false);
        let (mut left, mut top, mut right, mut bottom) = (width, height, 0, 0);
        for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
            if is_inside(x, y) != inside {
                inside = !inside;
                counts.push(0);
            }
            *counts.last_mut().expect("it begins with a run") += 1;
            if inside {
                (left, top) = (left.min(x), top.min(y));
                (right, bottom) = (right.max(x + 1), bottom.max(y + 1));
            }
        }
        let area = counts.iter().skip(1).step_by(2).sum();
        if area == 0 {
            return None;
        }
        let side =
            |pixels: usize| u32::try_from(pixels).expect("a picture has at most 2^14 a side");
        let figure = Figure { renderer, staged, depth, surface };
        let keypoints = figure.keypoints();
        Some(Self {
            id: number + 1,
            image_id: number,
            category_id,
            num_keypoints: keypoints.iter().filter(|[.., seen]| *seen > 0.0).count(),
            keypoints: keypoints.concat(),
            bbox: [left, top, right - left, bottom - top].map(side),
            area,
            iscrowd: 0,
            segmentation: Mask { counts, size: [size[1], size[0]] },
        })
    }
}

/// The joints of a staged figure and the content of each pixel.
struct Figure<'a> {
    renderer: &'a Renderer,
    staged: &'a Staged,
    depth: &'a [f32],
    /// The joint with the largest weight at the surface, from 1.
    surface: &'a [u32],
}

impl Figure<'_> {
    fn keypoints(&self) -> Vec<[f64; 3]> {
        let Self { renderer, staged, .. } = self;
        let skeleton = &renderer.assets().models[0].model.skeleton;
        let [posed, ..] = &staged.instances[..] else { return Vec::new() };
        let (low, high) = box_of(staged);
        let under_skin = f64::from((high - low).length()) * UNDER_SKIN;
        let joints = posed.pose.matrices.iter().take(skeleton.len()).enumerate();
        let keypoint = |(at, matrix): (usize, &tintype_model::math::Affine3)| {
            let place = posed.world_from_model.transform_point3(matrix.translation);
            self.keypoint(skeleton, at, place, under_skin).unwrap_or_default()
        };
        joints.map(keypoint).collect()
    }

    /// A joint in the picture. It is visible if nothing is in front of it, if the surface in front
    /// of it is that of the joint, its parent or a child, or if it lies no deeper than `under_skin`
    /// below another surface.
    fn keypoint(
        &self,
        skeleton: &Skeleton,
        at: usize,
        place: Vec3,
        under_skin: f64,
    ) -> Option<[f64; 3]> {
        let (camera, size) = (&self.staged.camera, self.renderer.scene().output.size);
        let depth = depth_of(camera, place);
        let [x, y] = camera.pixel_of(place, size);
        let is_inside = |at: f64, side: u32| at >= 0.0 && at < f64::from(side);
        if depth < f64::from(camera.near) || !is_inside(x, size[0]) || !is_inside(y, size[1]) {
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "in the picture"
        )]
        let pixel = y as usize * size[0] as usize + x as usize;
        let parent = |joint: usize| Some(skeleton.joints().get(joint)?.parent?.index());
        let surface = f64::from(self.depth[pixel]);
        let own = self.surface[pixel].checked_sub(1).map(|joint| joint as usize);
        let is_of_joint =
            |own: usize| own == at || parent(own) == Some(at) || parent(at) == Some(own);
        let is_seen =
            surface == 0.0 || depth - surface <= under_skin || own.is_some_and(is_of_joint);
        Some([x, y, if is_seen { 2.0 } else { 1.0 }])
    }
}

/// Distance of a point along the view axis.
fn depth_of(camera: &Camera, point: Vec3) -> f64 {
    let from_eye = (point - camera.eye).to_array().map(f64::from);
    let back = camera.world_from_view.z_axis.to_array().map(f64::from);
    -from_eye.iter().zip(back).map(|(a, b)| a * b).sum::<f64>()
}

fn vertices(staged: &Staged) -> impl Iterator<Item = Vec3> {
    let meshes = staged.instances.iter().flat_map(|one| &one.meshes);
    meshes.flat_map(|mesh| (0..mesh.len()).map(|vertex| mesh.position_at(vertex)))
}

/// Corners of the box around the vertices in the world.
fn box_of(staged: &Staged) -> (Vec3, Vec3) {
    let first = vertices(staged).next().unwrap_or(Vec3::ZERO);
    vertices(staged).fold((first, first), |(low, high), at| (low.min(at), high.max(at)))
}

/// The camera movement in the world, to the right and up, that moves the figure by fractions of the
/// free space beside it: -1 for fully left or down, 1 for fully right or up. The nearest vertex
/// moves by that much, and no other by more.
pub(super) fn shift_of(staged: &Staged, size: [u32; 2], shares: [f64; 2]) -> Vec3 {
    let camera = &staged.camera;
    let mut bounds = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    let mut nearest = f64::INFINITY;
    for at in vertices(staged) {
        let [x, y] = camera.pixel_of(at, size);
        let [left, top, right, bottom] = bounds;
        bounds = [smaller(left, x), smaller(top, y), larger(right, x), larger(bottom, y)];
        nearest = smaller(nearest, depth_of(camera, at));
    }
    let [left, top, right, bottom] = bounds;
    let [width, height] = size.map(f64::from);
    let free = |share: f64, before: f64, behind: f64| {
        larger(if share < 0.0 { before } else { behind }, 0.0) * share
    };
    let view = View::of(camera, size, String::new());
    // Moving the camera to the left moves the figure to the right.
    let right = -free(shares[0], left, width - right) * nearest / view.fl_x;
    let up = -free(shares[1], height - bottom, top) * nearest / view.fl_y;
    #[expect(clippy::cast_possible_truncation, reason = "a way of the camera")]
    let [right, up] = [right, up].map(|way| if way.is_finite() { way as f32 } else { 0.0 });
    camera.world_from_view.x_axis * right + camera.world_from_view.y_axis * up
}
