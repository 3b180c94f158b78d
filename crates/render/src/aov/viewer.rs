//! Draws the views of a scene's frames: checks the request, then calls the file of each kind.

use super::error::AovError;
use super::screen::Screen;
use super::seen::{Seen, shapes};
use super::shown::Shown;
use super::{data, heat, light, needles, overdraw, overlay};
use crate::asset::Assets;
use crate::{RenderError, Renderer, Staged};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use tintype_base::suggest::nearest_word;
use tintype_model::frame::Frame;
use tintype_raster::RasterOptions;
use tintype_scene::{Aov, FrameNumber};

/// Draws the AOVs of a scene's frames.
#[derive(Clone, Debug)]
pub struct Viewer<'a> {
    aovs: &'a [Aov],
    depth: Option<data::Range>,
}

impl<'a> Viewer<'a> {
    /// Checks the request, and measures the scene for views with one scale for all frames.
    ///
    /// # Errors
    /// [`AovError`] if a requested joint or morph target is in no model.
    pub fn new(renderer: &Renderer, aovs: &'a [Aov]) -> Result<Self, AovError> {
        check(renderer.assets(), aovs)?;
        let wants_depth = aovs.contains(&Aov::Depth);
        let depth = wants_depth.then(|| data::depth_range(renderer)).flatten();
        Ok(Self { aovs, depth })
    }

    /// Nearest and farthest distance of the depth scale, common to all frames. None if no depth is
    /// requested.
    #[must_use]
    pub fn depth_range(&self) -> Option<[f64; 2]> {
        self.depth.map(|data::Range { near, far }| [near, far])
    }

    /// The same views by another scale of depth.
    #[must_use]
    pub fn with_depth_range(&self, [near, far]: [f64; 2]) -> Self {
        Self { depth: self.depth.map(|_| data::Range { near, far }), ..self.clone() }
    }

    /// Stages a frame with the attributes needed by its picture and its views.
    ///
    /// # Errors
    /// [`RenderError::NoSuchFrame`].
    pub fn stage(
        &self,
        renderer: &Renderer,
        frame: FrameNumber,
        cut: RasterOptions,
    ) -> Result<Staged, RenderError> {
        if self.aovs.is_empty() {
            renderer.stage_picture(frame, cut.level)
        } else {
            renderer.stage(frame)
        }
    }

    /// The views of a frame with that picture, in the requested order.
    ///
    /// # Errors
    /// As [`Renderer::draw_staged`].
    pub fn draw(
        &self,
        renderer: &Renderer,
        staged: &Staged,
        picture: &Frame,
        cut: RasterOptions,
    ) -> Result<Vec<Shown>, RenderError> {
        if self.aovs.is_empty() {
            return Ok(Vec::new());
        }
        let (scene, assets) = (renderer.scene(), renderer.assets());
        let shapes = shapes(renderer, staged);
        let screen = Screen::new(&staged.camera, scene.output.size);
        // Made for the first view that needs them.
        let (hits, behind) = (OnceCell::new(), OnceCell::new());
        let seen =
            || made(&hits, || Seen::new(renderer, staged, &shapes, scene.output.samples, cut));
        let background = || made(&behind, || renderer.draw_background(staged));
        let wants_occlusion = self.aovs.contains(&Aov::Occlusion);
        let occlusion = wants_occlusion.then(|| renderer.occlusion_map(staged)).flatten();
        let draw = |aov: &Aov| {
            Ok(match aov {
                Aov::Depth => data::depth(seen()?, self.depth),
                Aov::Normal => data::normal(seen()?),
                Aov::Uv => data::uv(seen()?),
                Aov::Mesh => data::mesh(seen()?),
                Aov::Material => data::material(seen()?, assets),
                Aov::Joint(name) => heat::joint(seen()?, staged, name, background()?),
                Aov::Target(name) => heat::target(seen()?, staged, name, background()?),
                Aov::Skeleton => overlay::skeleton(&screen, (scene, assets), staged, picture),
                Aov::Wireframe => overlay::wireframe(seen()?, picture),
                Aov::Needles => needles::needles(seen()?, picture),
                Aov::Bounds => overlay::bounds(&screen, &shapes, scene, staged, picture),
                Aov::Overdraw => {
                    heat::overdraw(screen.size, &overdraw::count(&screen, &shapes, assets))
                }
                Aov::Metallic => light::metallic(seen()?, assets),
                Aov::Roughness => light::roughness(seen()?, assets),
                Aov::Occlusion => light::occlusion(seen()?, assets, occlusion.as_ref()),
                Aov::Environment => light::environment(renderer, staged, cut)?,
            })
        };
        self.aovs.iter().map(draw).collect()
    }
}

/// Value of a cell, made if the cell is empty.
fn made<T, E>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
    if let Some(held) = cell.get() {
        return Ok(held);
    }
    let new = make()?;
    Ok(cell.get_or_init(|| new))
}

/// Checks that views can be drawn, before drawing.
///
/// # Errors
/// [`AovError`] if a requested joint or morph target is in no model.
pub fn check(assets: &Assets, aovs: &[Aov]) -> Result<(), AovError> {
    for aov in aovs {
        match aov {
            Aov::Joint(name) => check_joint(assets, name)?,
            Aov::Target(name) => check_target(assets, name)?,
            _ => {}
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

fn check_target(assets: &Assets, name: &str) -> Result<(), AovError> {
    let slots = assets.models.iter().flat_map(|loaded| loaded.model.skeleton.morphs());
    let names: BTreeSet<&str> = slots.map(|slot| slot.name.as_str()).collect();
    if names.contains(name) {
        return Ok(());
    }
    Err(AovError::UnknownTarget {
        name: name.to_owned(),
        nearest: nearest_word(name, names.iter().copied()),
        allowed: names.into_iter().map(str::to_owned).collect(),
    })
}
