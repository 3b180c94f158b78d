//! Pictures of both sides at the same time, seen by one camera.

use std::sync::Arc;
use tintype_base::deadline::Deadline;
use tintype_framing::Character;
use tintype_model::Wrap;
use tintype_model::frame::Frame;
use tintype_raster::RasterOptions;
use tintype_render::{RenderError, Renderer};
use tintype_scene::{CameraRig, ClipChoice, FrameList, FrameNumber, LookAt, Scene, Target};

/// Width and height of the pictures.
const SIZE: [u32; 2] = [320, 320];
/// The one frame.
const FRAME: FrameNumber = FrameNumber(0);

/// Draws both sides, with clips at seconds from their starts or in their bind poses, through the
/// camera fitted to the first.
pub(super) fn draw(
    sides: [&Character; 2],
    clips: Option<[usize; 2]>,
    at_s: [f64; 2],
) -> Result<[Frame; 2], RenderError> {
    let mut scenes = [0, 1].map(|k| scene(sides[k], clips.map(|clips| clips[k]), at_s[k]));
    let renderer = renderer(&scenes[0], sides[0])?;
    let staged = renderer.stage(FRAME)?;
    let old = renderer.draw_staged(&staged, RasterOptions::default())?.frame;
    if let CameraRig::Orbit(orbit) = scenes[0].camera {
        let axes = staged.camera.world_from_view;
        scenes[1].camera = CameraRig::LookAt(LookAt {
            eye: staged.camera.eye,
            target: Target::Point(staged.camera.eye - axes.z_axis),
            up: axes.y_axis,
            fov_deg: orbit.fov_deg,
            projection: orbit.projection,
            planes: orbit.planes,
        });
    }
    let renderer = self::renderer(&scenes[1], sides[1])?;
    let new = renderer.draw(FRAME, RasterOptions::default())?.frame;
    Ok([old, new])
}

fn renderer(scene: &Scene, side: &Character) -> Result<Renderer, RenderError> {
    Renderer::new(scene.clone(), Arc::clone(&side.assets), &Deadline::NEVER)
}

fn scene(side: &Character, clip: Option<usize>, at_s: f64) -> Scene {
    let mut scene = side.scene.clone();
    scene.output.size = SIZE;
    scene.output.frames = FrameList::single(FRAME);
    for instance in &mut scene.instances {
        instance.clip = clip.map_or(ClipChoice::Rest, ClipChoice::Clip);
        instance.start_s = at_s;
        instance.wrap = Some(Wrap::Clamp);
    }
    scene
}
