//! One staged frame and its picture -> views that tell why it looks as it does.
//!
//! Input: what [`crate::render`] staged and drew. Output: for each [`Aov`] that is asked for a frame of the same size, opaque, with a
//! legend in words. All views of a frame share one visibility pass, the rasterizer's own. This module computes no light, reads no
//! file, writes none and names none.
//!
//! ```text
//! screen     where points and triangles fall, in f64
//! seen       what each sample sees, from the visibility pass
//! data       depth, normal, uv, mesh, material: codes are values
//! heat       joint and overdraw, with their scale; overdraw counts
//! overlay    skeleton, wireframe and bounds over the dimmed picture; canvas draws lines and letters, label finds room
//! ```
//!
//! # Determinism
//! Every pixel is computed alone, in `f64` with `+ - * / sqrt`; neither threads nor tiles can change a byte.

mod canvas;
mod data;
mod heat;
mod label;
mod overdraw;
mod overlay;
mod screen;
mod seen;

pub use data::color_of;

use crate::asset::Assets;
use crate::frame::Frame;
use crate::raster::RasterOptions;
use crate::render::{RenderError, Renderer, Staged};
use crate::scene::{Aov, FrameNumber, nearest_word};
use seen::{Seen, shapes};
use std::collections::BTreeSet;
use thiserror::Error;

/// Error of drawing an AOV.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AovError {
    /// No model has a joint of that name.
    #[error("joint:{name}: no model of the scene has a joint {name:?}{}; the joints are {}", meant(.nearest.as_deref()), list(.allowed))]
    UnknownJoint {
        /// The name.
        name: String,
        /// The joint with the most similar name.
        nearest: Option<String>,
        /// All names of joints, sorted.
        allowed: Vec<String>,
    },
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |word| format!(", did you mean {word:?}?"))
}

/// The first names of a list.
fn list(names: &[String]) -> String {
    const MOST: usize = 80;
    let mut text = names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        text += &format!(" and {} more", names.len() - MOST);
    }
    text
}

/// An AOV of one frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The kind of AOV.
    pub aov: Aov,
    /// The picture, opaque.
    pub frame: Frame,
    /// Meaning of its colours, with the scale.
    pub legend: String,
}

/// Draws the AOVs of a scene's frames.
#[derive(Clone, Debug)]
pub struct Viewer<'a> {
    aovs: &'a [Aov],
    depth: Option<data::Range>,
}

impl Shown {
    /// Which view it is and what its colours mean, for people.
    #[must_use]
    pub fn described(&self) -> String {
        format!("{}: {}", self.aov.word(), self.legend)
    }
}

impl<'a> Viewer<'a> {
    /// Checks what is asked for, and measures the scene where a view needs one scale for all frames.
    ///
    /// # Errors
    /// [`AovError`] if a joint is asked for that no model has.
    pub fn new(renderer: &Renderer, aovs: &'a [Aov]) -> Result<Self, AovError> {
        check(renderer.assets(), aovs)?;
        let wants_depth = aovs.contains(&Aov::Depth);
        let depth = wants_depth.then(|| data::depth_range(renderer)).flatten();
        Ok(Self { aovs, depth })
    }

    /// Stages a frame with the attributes that its picture and its views need.
    ///
    /// # Errors
    /// [`RenderError::NoSuchFrame`].
    pub fn stage(
        &self,
        renderer: &Renderer,
        frame: FrameNumber,
        cut: RasterOptions,
    ) -> Result<Staged, RenderError> {
        match self.aovs.is_empty() {
            true => renderer.stage_picture(frame, cut.level),
            false => renderer.stage(frame),
        }
    }

    /// The views of a frame with that picture, in the order in which they are asked for.
    #[must_use]
    pub fn draw(
        &self,
        renderer: &Renderer,
        staged: &Staged,
        picture: &Frame,
        cut: RasterOptions,
    ) -> Vec<Shown> {
        if self.aovs.is_empty() {
            return Vec::new();
        }
        let (scene, assets) = (renderer.scene(), renderer.assets());
        let shapes = shapes(scene, assets, staged);
        let seen = Seen::new(renderer, staged, &shapes, cut);
        let background = renderer.draw_background(staged);
        let draw = |aov: &Aov| match aov {
            Aov::Depth => data::depth(&seen, self.depth),
            Aov::Normal => data::normal(&seen),
            Aov::Uv => data::uv(&seen),
            Aov::Mesh => data::mesh(&seen),
            Aov::Material => data::material(&seen, assets),
            Aov::Joint(name) => heat::joint(&seen, staged, name, &background),
            Aov::Skeleton => overlay::skeleton(&seen, (scene, assets), staged, picture),
            Aov::Wireframe => overlay::wireframe(&seen, picture),
            Aov::Bounds => overlay::bounds(&seen, scene, picture),
            Aov::Overdraw => heat::overdraw(&seen, &overdraw::count(&seen.screen, &shapes, assets)),
        };
        self.aovs.iter().map(draw).collect()
    }
}

/// Looks whether views can be drawn, before anything is.
///
/// # Errors
/// [`AovError`] if a joint is asked for that no model has.
pub fn check(assets: &Assets, aovs: &[Aov]) -> Result<(), AovError> {
    for aov in aovs {
        if let Aov::Joint(name) = aov {
            check_joint(assets, name)?;
        }
    }
    Ok(())
}

fn check_joint(assets: &Assets, name: &str) -> Result<(), AovError> {
    let models = assets.models.iter().flat_map(|loaded| loaded.model.skeleton.joints());
    let names: BTreeSet<&str> = models.map(|joint| joint.name.as_str()).collect();
    if names.contains(name) {
        return Ok(());
    }
    Err(AovError::UnknownJoint {
        name: name.to_owned(),
        nearest: nearest_word(name, names.iter().copied()),
        allowed: names.into_iter().map(str::to_owned).collect(),
    })
}
