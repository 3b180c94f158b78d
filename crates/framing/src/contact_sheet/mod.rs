//! A contact sheet: numbered pictures of a model, views beside each other and moments of its clips below each other, with a legend as data.
//!
//! Input: a model file, [`TurntableOptions`], and words for clips. Output: [`ContactSheet`]. Directions of the turntable are the views,
//! and frames of a direction the moments. All cells have one scale.

mod legend;
mod painter;

pub use legend::{Area, Cell, Joint, Legend, Part, Projection, RecordedCamera, ScaleBar};
pub use painter::{Grid, GridError, MARK, Painter};

use crate::{ModelPath, TurntableError, TurntableNote, TurntableOptions, TurntableScene};
use std::collections::BTreeSet;
use tintype_base::diagnostic::Diagnostic;
use tintype_formats::LoadOptions;
use tintype_model::Camera;
use tintype_model::frame::Frame;
use tintype_model::math::{Vec3, larger, unit_or};
use tintype_raster::RasterOptions;
use tintype_render::aov::locate;
use tintype_render::asset::LoadedClip;
use tintype_render::{RenderError, Renderer, Staged};
use tintype_scene::{Fit, FrameNumber};

/// Side of a cell where no size is said.
const SIDE: u32 = 256;
/// Views where no directions are said.
const VIEWS: u32 = 4;
/// Moments of a clip where no number of frames is said.
const MOMENTS: usize = 3;
/// The word for all clips.
const ALL: &str = "all";
/// Cosine of the angle between directions up to which one is the other.
const SAME_WAY: f32 = 0.996;

/// A contact sheet.
#[derive(Clone, Debug)]
pub struct ContactSheet {
    /// The picture.
    pub frame: Frame,
    /// Its legend.
    pub legend: Legend,
    /// Warnings about files and clips.
    pub warnings: Vec<Diagnostic>,
}

/// Reason why there is no contact sheet.
#[derive(Debug, thiserror::Error)]
pub enum ContactSheetError {
    /// There is no scene.
    #[error(transparent)]
    Turntable(#[from] TurntableError),
    /// A cell cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The cells do not fit.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The model has no triangle.
    #[error("the model has no mesh")]
    NoMesh,
}

/// The clips of a sheet, each drawn by a renderer.
struct Rows {
    renderers: Vec<Renderer>,
    front: Vec3,
    views: usize,
    warnings: Vec<Diagnostic>,
}

impl ContactSheet {
    /// Draws the sheet of a model: the clips that some words name, all clips for `all`, or the one that suits the model if there is no word.
    ///
    /// # Errors
    /// [`ContactSheetError`].
    pub fn draw(
        options: &TurntableOptions,
        clips: &[String],
        model: ModelPath<'_>,
        load_options: &LoadOptions,
        note: &mut dyn FnMut(TurntableNote),
    ) -> Result<Self, ContactSheetError> {
        let rows = Rows::load(options, clips, model, load_options, note)?;
        let name = model.file().file_name().unwrap_or_default().to_string_lossy().into_owned();
        rows.draw(name)
    }
}

/// The options of a turntable with those of a sheet where nothing is said.
fn with_usual(options: &TurntableOptions) -> TurntableOptions {
    let mut options = options.clone();
    let said = &mut options.settings;
    if said.size().is_none() {
        said.say("size", [SIDE; 2]);
    }
    if said.directions().is_none() {
        said.say("directions", VIEWS);
    }
    if said.turn_deg().is_none() {
        // Front, right, back, left.
        said.say("turn_deg", -360.0);
    }
    if said.elevation_deg().is_none() && said.view().is_none() {
        said.say("elevation_deg", 0.0);
    }
    options.frames = Some(options.frames.unwrap_or(MOMENTS));
    options
}

impl Rows {
    fn load(
        options: &TurntableOptions,
        clips: &[String],
        model: ModelPath<'_>,
        load_options: &LoadOptions,
        note: &mut dyn FnMut(TurntableNote),
    ) -> Result<Self, ContactSheetError> {
        let mut options = with_usual(options);
        let size = options.settings.size().unwrap_or([SIDE; 2]);
        let views = options.settings.directions().unwrap_or(VIEWS) as usize;
        let mut told = BTreeSet::new();
        let mut note = |one: TurntableNote| {
            if told.insert(format!("{one:?}")) {
                note(one);
            }
        };
        let load = |options: &TurntableOptions, word: Option<&str>, note: &mut dyn FnMut(_)| {
            let mut options = options.clone();
            word.into_iter().for_each(|word| options.settings.say("clip", word.to_owned()));
            TurntableScene::load(&options, model, load_options, note)
        };
        if !clips.is_empty() {
            options.settings.unsay("clip");
        }
        let mut words: Vec<Option<String>> = clips.iter().cloned().map(Some).collect();
        if words.is_empty() {
            words.push(None);
        }
        if clips == [ALL] {
            options = options.with_all_clips(&model.file(), load_options)?;
            let scene = load(&options, None, &mut note)?;
            let clips = &scene.assets.models[0].clips;
            let is_name = |word: &str| clips.iter().any(|clip| clip.name == word);
            // Several clips may have one name, and a name may be a number.
            let word = |(index, clip): (usize, &LoadedClip)| {
                Some(index.to_string()).filter(|index| !is_name(index)).or(Some(clip.name.clone()))
            };
            words = match clips.len() {
                0 => vec![None],
                _ if is_name(ALL) => vec![Some(ALL.to_owned())],
                _ => clips.iter().enumerate().map(word).collect(),
            };
        }
        // Before all of them are loaded.
        Grid::new([views, words.len()], size)?;
        let (mut renderers, mut warnings) = (Vec::new(), Vec::<Diagnostic>::new());
        let mut front = Vec3::Z;
        for word in &words {
            let mut scene = load(&options, word.as_deref(), &mut note)?;
            if !scene.has_mesh() {
                return Err(ContactSheetError::NoMesh);
            }
            if scene.clip_name().is_none() {
                let still = TurntableOptions { frames: Some(1), ..options.clone() };
                scene = scene.turned(&still)?;
            }
            front = scene.assets.models[0].front;
            warnings.extend(scene.assets.warnings.iter().cloned());
            let renderer = Renderer::new(scene.scene, scene.assets, &load_options.deadline)?;
            for warning in renderer.warnings() {
                note(TurntableNote::Warning(warning.to_string()));
            }
            warnings.extend(renderer.warnings().iter().cloned());
            renderers.push(renderer);
        }
        Ok(Self { renderers, front, views, warnings })
    }

    fn draw(&self, model: String) -> Result<ContactSheet, ContactSheetError> {
        let of_row = |renderer: &Renderer| renderer.scene().output.frames.len() / self.views;
        let count = self.renderers.iter().map(of_row).sum();
        let size = self.renderers.first().map_or([0; 2], |one| one.scene().output.size);
        let mut painter = Painter::new(Grid::new([self.views, count], size)?);
        // One scale: the widest view and the farthest eye of all clips.
        let fits = || self.renderers.iter().filter_map(Renderer::fit);
        let most = |value: fn(Fit) -> f32| fits().map(value).fold(0.0, tintype_model::math::max);
        let (height, distance) = (most(|fit| fit.height), most(|fit| fit.distance));
        let mut cells = Vec::new();
        let mut unit_px = 0.0;
        for renderer in &self.renderers {
            let moments = of_row(renderer);
            for (moment, view) in
                (0..moments).flat_map(|moment| (0..self.views).map(move |view| (moment, view)))
            {
                let frame = renderer.scene().output.frames.iter().nth(view * moments + moment);
                let frame = frame.unwrap_or(FrameNumber(0));
                let mut staged = renderer.stage(frame)?;
                // All views of a moment show one time, however the sum of frames before it is rounded.
                let first = renderer.scene().output.frames.iter().nth(moment).unwrap_or(frame);
                let clip = renderer.clip_moment(first);
                let fit = renderer.fit().map(|fit| Fit { distance, height, ..fit });
                if let Some(fit) = fit {
                    staged = renderer.refit(staged, fit)?;
                    unit_px = unit_of(&staged.camera, fit.center, size);
                }
                cells.push(self.cell((renderer, clip), &staged, cells.len(), &mut painter)?);
            }
        }
        let scale_bar = painter.footer(unit_px, cells.len());
        let legend = Legend::new(model, painter.size(), scale_bar, self.front, cells);
        Ok(ContactSheet { frame: painter.into_frame(), legend, warnings: self.warnings.clone() })
    }

    /// Draws a cell.
    fn cell(
        &self,
        (renderer, played): (&Renderer, Option<(&str, f64)>),
        staged: &Staged,
        index: usize,
        painter: &mut Painter,
    ) -> Result<Cell, ContactSheetError> {
        let picture = renderer.draw_staged(staged, RasterOptions::default())?.frame;
        let found = locate(renderer, staged)?;
        let camera = &staged.camera;
        let view = self.view_of(camera);
        let (clip, time_s) = played.unzip();
        let line = match time_s {
            Some(time_s) => format!("{time_s:.2} s {view}"),
            None => view.clone(),
        };
        let axes = [Vec3::Y, self.front].map(|axis| {
            let in_view = camera.world_from_view.transpose() * axis;
            [in_view.x, in_view.y, in_view.z].map(f64::from)
        });
        painter.cell(index, &picture, [clip.unwrap_or("bind pose"), &line], axes);
        let [width, height] = [picture.width, picture.height].map(f64::from);
        #[expect(clippy::cast_possible_truncation, reason = "a ratio of sides")]
        let aspect = (width / height) as f32;
        let center = staged.fit.map_or(Vec3::ZERO, |fit| fit.center);
        Ok(Cell {
            number: index + 1,
            area: painter.area(index),
            picture: painter.picture(index),
            clip: clip.map(str::to_owned),
            time_s,
            view,
            camera: RecordedCamera::new(camera, center, aspect),
            joints: found.joints.into_iter().map(|joint| painter.joint(index, joint)).collect(),
            parts: found.parts.into_iter().map(|part| painter.part(index, part)).collect(),
        })
    }

    /// The side of the model that a camera sees: `left` is its own left.
    fn view_of(&self, camera: &Camera) -> String {
        let back = camera.world_from_view.z_axis;
        let front = unit_or(self.front, Vec3::Z);
        let level = unit_or(Vec3::new(back.x, 0.0, back.z), Vec3::Y);
        let (ahead, aside) = (level.dot(front), level.dot(Vec3::Y.cross(front)));
        let across = if aside > 0.0 { "left" } else { "right" };
        match (back.y, ahead) {
            (up, _) if up > SAME_WAY => "top".to_owned(),
            (up, _) if up < -SAME_WAY => "bottom".to_owned(),
            (_, ahead) if ahead > SAME_WAY => "front".to_owned(),
            (_, ahead) if ahead < -SAME_WAY => "back".to_owned(),
            _ if aside.abs() > SAME_WAY => across.to_owned(),
            (_, ahead) if ahead > 0.0 => format!("front {across}"),
            _ => format!("back {across}"),
        }
    }
}

/// Pixels of a length of 1 across the view at a point.
fn unit_of(camera: &Camera, at: Vec3, size: [u32; 2]) -> f64 {
    let [from, to] =
        [at, at + camera.world_from_view.x_axis].map(|point| camera.pixel_of(point, size)[0]);
    larger(to - from, 0.0)
}
