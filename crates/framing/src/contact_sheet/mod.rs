//! A contact sheet: numbered pictures of a model with a legend as data. Views are side by side, and
//! times of its clips below each other.
//!
//! Input: a model file, [`TurntableOptions`], and words that name clips. Output: [`ContactSheet`].
//! Directions of the turntable are the views, and the frames of a direction are the times. All
//! cells have the same scale.

mod painter;

pub use painter::{MARK, MAX_SIDE, Painter};

use crate::{ModelPath, TurntableError, TurntableNote, TurntableOptions, TurntableScene};
use painter::WIDTH_OF_DOT;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tintype_base::diagnostic::Diagnostic;
use tintype_formats::LoadOptions;
use tintype_model::Camera;
use tintype_model::frame::Frame;
use tintype_model::math::{Vec3, func::atan2_f64, larger};
use tintype_raster::RasterOptions;
use tintype_render::aov::locate;
use tintype_render::asset::LoadedClip;
use tintype_render::{RenderError, Renderer, Staged};
use tintype_scene::{Fit, FrameNumber, Settings};

/// Default side of a cell.
const SIDE: u32 = 256;
/// Default number of views.
const VIEWS: u32 = 4;
/// Default number of times of a clip.
const MOMENTS: usize = 3;
/// The word for all clips.
const ALL: &str = "all";
/// Sine of the angle up to which a direction counts as lying in a plane.
const LEVEL: f32 = 0.09;

/// A contact sheet.
#[derive(Clone, Debug)]
pub struct ContactSheet {
    /// The picture.
    pub frame: Frame,
    /// Its legend as JSON.
    pub legend: String,
    /// Warnings about files and clips.
    pub warnings: Vec<Diagnostic>,
}

/// The reason why there is no contact sheet.
#[derive(Debug, thiserror::Error)]
pub enum ContactSheetError {
    /// There is no scene.
    #[error(transparent)]
    Turntable(#[from] TurntableError),
    /// A cell cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The model has no triangles.
    #[error("the model has no mesh")]
    NoMesh,
    /// The sheet would be too large: columns and rows, and the size of a cell.
    #[error(
        "{} x {} cells of {}x{} pixels exceed the sheet's limit of {MAX_SIDE} pixels per side; ask for fewer views, times or clips, or smaller cells",
        .0[0], .0[1], .1[0], .1[1]
    )]
    TooLarge([usize; 2], [u32; 2]),
    /// Captions would not be legible.
    #[error("cells of {0} pixels are too narrow for a caption; the minimum is {WIDTH_OF_DOT}")]
    TooNarrow(u32),
}

impl ContactSheet {
    /// A sheet with a legend of these entries, the program and the size of the sheet.
    ///
    /// # Panics
    /// Never: all of it can be written as JSON.
    #[must_use]
    pub fn new(painter: &Painter, mut legend: Value, warnings: Vec<Diagnostic>) -> Self {
        let frame = painter.frame().clone();
        legend["version"] = json!(1);
        legend["program"] = json!(format!("tintype {}", env!("CARGO_PKG_VERSION")));
        legend["size"] = json!([frame.width, frame.height]);
        let legend = serde_json::to_string_pretty(&legend).expect("plain data") + "\n";
        Self { frame, legend, warnings }
    }

    /// Draws the sheet of a model: the named clips, all clips for `all`, or without any name the
    /// clip that suits the model.
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
        let mut options = with_usual(options);
        let mut told = BTreeSet::new();
        let mut note = |one: TurntableNote| {
            if told.insert(format!("{one:?}")) {
                note(one);
            }
        };
        let words = words(&mut options, clips, model, load_options, &mut note)?;
        let size = options.settings.size().unwrap_or([SIDE; 2]);
        let views = options.settings.directions().unwrap_or(VIEWS) as usize;
        if size[0] < WIDTH_OF_DOT {
            return Err(ContactSheetError::TooNarrow(size[0]));
        }
        let painter = |rows: usize| {
            let cells = [views, rows];
            Painter::new(cells, size, 2).ok_or(ContactSheetError::TooLarge(cells, size))
        };
        // Before all of them are loaded.
        painter(words.len())?;
        let mut renderers = Vec::new();
        for word in words {
            if let Some(word) = word {
                options.settings.say("clip", word);
            }
            let mut scene = TurntableScene::load(&options, model, load_options, &mut note)?;
            if !scene.has_mesh() {
                return Err(ContactSheetError::NoMesh);
            }
            if scene.clip_name().is_none() {
                scene = scene.turned(&TurntableOptions { frames: Some(1), ..options.clone() })?;
            }
            let renderer = Renderer::new(scene.scene, scene.assets, &load_options.deadline)?;
            for warning in renderer.warnings() {
                note(TurntableNote::Warning(warning.to_string()));
            }
            renderers.push(renderer);
        }
        let rows = renderers.iter().map(|one| one.scene().output.frames.len() / views).sum();
        let name = model.file().file_name().unwrap_or_default().to_string_lossy().into_owned();
        draw_rows(&renderers, views, painter(rows)?, &name)
    }
}

/// The options of a turntable with the defaults of a sheet filled in.
fn with_usual(options: &TurntableOptions) -> TurntableOptions {
    let mut usual = Settings::default();
    usual.say("size", [SIDE; 2]);
    usual.say("directions", VIEWS);
    // Front, right, back, left.
    usual.say("turn_deg", -360.0);
    if options.settings.view().is_none() {
        usual.say("elevation_deg", 0.0);
    }
    let frames = Some(options.frames.unwrap_or(MOMENTS));
    TurntableOptions { settings: options.settings.or(&usual), frames, ..options.clone() }
}

/// Names of the clips to show, in order; empty if none is set. Options for all clips name their
/// files.
fn words(
    options: &mut TurntableOptions,
    clips: &[String],
    model: ModelPath<'_>,
    load_options: &LoadOptions,
    note: &mut dyn FnMut(TurntableNote),
) -> Result<Vec<Option<String>>, ContactSheetError> {
    match clips {
        [] => return Ok(vec![None]),
        [word] if word == ALL => {}
        _ => return Ok(clips.iter().cloned().map(Some).collect()),
    }
    options.settings.say("clip", ALL.to_owned());
    if let Some(beside) = options.with_clips_beside(&model.file(), load_options)? {
        *options = beside;
    }
    options.settings.unsay("clip");
    let scene = TurntableScene::load(options, model, load_options, note)?;
    let clips = &scene.assets.models[0].clips;
    let is_name = |word: &str| clips.iter().any(|clip| clip.name == word);
    // Several clips may have the same name, and a name may be a number.
    let word = |(index, clip): (usize, &LoadedClip)| {
        Some(index.to_string()).filter(|index| !is_name(index)).or(Some(clip.name.clone()))
    };
    Ok(match clips.len() {
        0 => vec![None],
        _ if is_name(ALL) => vec![Some(ALL.to_owned())],
        _ => clips.iter().enumerate().map(word).collect(),
    })
}

/// Draws the clips of a model, each with a renderer.
fn draw_rows(
    renderers: &[Renderer],
    views: usize,
    mut painter: Painter,
    name: &str,
) -> Result<ContactSheet, ContactSheetError> {
    // One scale: the widest view and the farthest eye of all clips.
    let fits = || renderers.iter().filter_map(Renderer::fit);
    let most = |value: fn(Fit) -> f32| fits().map(value).fold(0.0, tintype_model::math::max);
    let (height, distance) = (most(|fit| fit.height), most(|fit| fit.distance));
    let (mut cells, mut warnings) = (Vec::new(), Vec::new());
    let (mut unit_px, mut front) = (0.0, Vec3::Z);
    for renderer in renderers {
        for warning in renderer.assets().warnings.iter().chain(renderer.warnings()) {
            if !warnings.contains(warning) {
                warnings.push(warning.clone());
            }
        }
        front = renderer.assets().models[0].front;
        let frames: Vec<FrameNumber> = renderer.scene().output.frames.iter().collect();
        let moments = frames.len() / views;
        for (moment, view) in (0..moments).flat_map(|one| (0..views).map(move |view| (one, view))) {
            let mut staged = renderer.stage(frames[view * moments + moment])?;
            if let Some(fit) = renderer.fit().map(|fit| Fit { distance, height, ..fit }) {
                staged = renderer.refit(staged, fit)?;
                unit_px = unit_of(&staged.camera, fit.center, renderer.scene().output.size);
            }
            // All views of a column of frames show the same time, despite rounding of the frame
            // sums.
            let clip = renderer.clip_moment(frames[moment]);
            cells.push(draw_cell((renderer, &staged), clip, front, cells.len(), &mut painter)?);
        }
    }
    let legend = json!({
        "model": name,
        "up": wide(Vec3::Y),
        "front": wide(front),
        "scale_bar": painter.foot(unit_px, name),
        "cells": cells,
    });
    Ok(ContactSheet::new(&painter, legend, warnings))
}

/// Draws a cell, and returns its entry of the legend.
fn draw_cell(
    (renderer, staged): (&Renderer, &Staged),
    played: Option<(&str, f64)>,
    front: Vec3,
    index: usize,
    painter: &mut Painter,
) -> Result<Value, ContactSheetError> {
    let picture = renderer.draw_staged(staged, RasterOptions::default())?.frame;
    let camera = &staged.camera;
    let view = view_of(camera, front);
    let (clip, time_s) = played.unzip();
    let line = time_s.map(|time_s| format!("{time_s:.2} s {view}"));
    let lines = [clip.unwrap_or("bind pose"), line.as_ref().unwrap_or(&view)];
    let mut cell = painter.cell(index, &picture, lines);
    let in_view = camera.world_from_view.transpose();
    painter.axes(index, [Vec3::Y, front].map(|axis| wide(in_view * axis)));
    let corner = painter.picture_corner(index).map(f64::from);
    let (joints, parts) = locate(renderer, staged, corner)?;
    let center = staged.fit.map_or(Vec3::ZERO, |fit| fit.center);
    cell["clip"] = json!(clip);
    cell["time_s"] = json!(time_s);
    cell["view"] = json!(view);
    cell["camera"] = camera_entry(camera, center, [picture.width, picture.height]);
    cell["joints"] = json!(joints);
    cell["parts"] = json!(parts);
    Ok(cell)
}

fn wide(vector: Vec3) -> [f64; 3] {
    vector.to_array().map(f64::from)
}

/// The camera of a picture of a size in world space: right-handed, +Y up, looking at the point of
/// its axis at the depth of `center`.
fn camera_entry(camera: &Camera, center: Vec3, [width, height]: [u32; 2]) -> Value {
    let axes = camera.world_from_view;
    let depth = (camera.eye - center).dot(axes.z_axis);
    #[expect(clippy::cast_possible_truncation, reason = "a ratio of sides")]
    let (_, tangent) = camera.half_tangents((f64::from(width) / f64::from(height)) as f32);
    let half = f64::from(tangent);
    let (projection, key, value) = if camera.is_orthographic() {
        ("orthographic", "height", 2.0 * half)
    } else {
        ("perspective", "fov_deg", atan2_f64(half, 1.0) * 360.0 / core::f64::consts::PI)
    };
    json!({
        "eye": wide(camera.eye),
        "target": wide(camera.eye - axes.z_axis * depth),
        "up": wide(axes.y_axis),
        "projection": projection,
        (key): value,
    })
}

/// The side of the model that a camera sees: `left` is the model's left.
fn view_of(camera: &Camera, front: Vec3) -> String {
    let back = camera.world_from_view.z_axis;
    let sides = [
        (back.y, ["top", "bottom"]),
        (back.dot(front), ["front", "back"]),
        (back.dot(Vec3::Y.cross(front)), ["left", "right"]),
    ];
    let seen = sides.into_iter().filter(|(part, _)| part.abs() > LEVEL);
    let words: Vec<&str> = seen.map(|(part, words)| words[usize::from(part < 0.0)]).collect();
    words.join(" ")
}

/// Pixels of a length of 1 across the view at a point.
fn unit_of(camera: &Camera, at: Vec3, size: [u32; 2]) -> f64 {
    let [from, to] =
        [at, at + camera.world_from_view.x_axis].map(|point| camera.pixel_of(point, size)[0]);
    larger(to - from, 0.0)
}
