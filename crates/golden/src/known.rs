//! Known changes of a scene compared with the difference of one frame.

use super::scene::GoldenScene;
use crate::record::FrameRecord;
use tintype_model::frame::Frame;
use tintype_raster::{RasterOptions, VisibleFragment};
use tintype_render::{RenderError, Renderer, Staged};
use tintype_scene::{FrameNumber, Known, KnownArea};

/// A difference that known changes explain.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownChange {
    /// The known changes that were needed.
    pub reasons: Vec<KnownReason>,
    /// Number of differing pixels; 0 if only joints or vertices differ.
    pub pixels: usize,
}

/// The reason why a difference is known.
#[derive(Clone, Debug, PartialEq)]
pub enum KnownReason {
    /// The scene declares it.
    Stated(Known),
    /// Files changed only in their last digits or their order.
    Rounding,
}

/// `"new hat", until 2026-12-31`.
impl core::fmt::Display for KnownReason {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Stated(Known { reason, until: Some(until), .. }) => {
                write!(f, "{reason:?}, until {until}")
            }
            Self::Stated(known) => write!(f, "{:?}", known.reason),
            Self::Rounding => f.write_str("files changed only in rounding or order"),
        }
    }
}

/// The known changes that apply to a frame, and the rectangles of pixels that they allow.
pub(super) struct Allowed<'a> {
    list: Vec<(&'a Known, Option<[[u32; 2]; 2]>)>,
}

impl GoldenScene {
    /// The known changes of this scene that apply today to a frame. Without a date none does.
    pub(super) fn allowed(
        &self,
        renderer: &Renderer,
        staged: &Staged,
        frame: FrameNumber,
    ) -> Result<Allowed<'_>, RenderError> {
        let known = self.scene.golden.iter().flat_map(|golden| &golden.known);
        let mut seen: Option<Vec<VisibleFragment>> = None;
        let mut list = Vec::new();
        for known in known.filter(|known| self.holds(known)) {
            if known.frames.as_ref().is_some_and(|frames| !frames.contains(frame)) {
                continue;
            }
            let rect = match known.area {
                KnownArea::Rect { at: [x, y], size: [width, height] } => {
                    Some([[x, y], [x + width - 1, y + height - 1]])
                }
                KnownArea::Instance { index, margin } => {
                    if seen.is_none() {
                        let options = RasterOptions::default();
                        seen = Some(renderer.visible_fragments(staged, options)?);
                    }
                    around(renderer, seen.as_deref().unwrap_or_default(), index, margin)
                }
            };
            list.push((known, rect));
        }
        Ok(Allowed { list })
    }

    /// True if a known change has not ended.
    pub(super) fn holds(&self, known: &Known) -> bool {
        self.today.is_some_and(|today| known.until.is_none_or(|until| today <= until))
    }
}

/// The bounding rectangle of the pixels that show an instance. None if it is not visible.
fn around(
    renderer: &Renderer,
    seen: &[VisibleFragment],
    instance: usize,
    margin: u32,
) -> Option<[[u32; 2]; 2]> {
    let (scene, assets) = (renderer.scene(), renderer.assets());
    let meshes = |at: usize| assets.models[scene.instances[at].model].model.meshes.len();
    let first: usize = (0..instance).map(meshes).sum();
    let own = first..first + meshes(instance);
    let mut found: Option<[[u32; 2]; 2]> = None;
    for VisibleFragment { pixel: [x, y], draw, .. } in seen {
        if own.contains(&(*draw as usize)) {
            let [low, high] = found.get_or_insert([[*x, *y], [*x, *y]]);
            *low = [low[0].min(*x), low[1].min(*y)];
            *high = [high[0].max(*x), high[1].max(*y)];
        }
    }
    found.map(|[low, high]| {
        [low.map(|at| at.saturating_sub(margin)), high.map(|at| at.saturating_add(margin))]
    })
}

impl Allowed<'_> {
    /// The known changes that are needed if all pixels that differ are inside their rectangles.
    pub(super) fn explains(&self, golden: &Frame, live: &Frame) -> Option<KnownChange> {
        if [golden.width, golden.height] != [live.width, live.height] || self.list.is_empty() {
            return None;
        }
        let mut needed = vec![false; self.list.len()];
        let mut pixels = 0;
        let rows =
            golden.rgba.chunks(golden.width as usize).zip(live.rgba.chunks(live.width as usize));
        for (y, (before, now)) in (0_u32..).zip(rows) {
            for (x, (before, now)) in (0_u32..).zip(before.iter().zip(now)) {
                if before == now {
                    continue;
                }
                pixels += 1;
                let has = |rect: &Option<[[u32; 2]; 2]>| {
                    rect.is_some_and(|[low, high]| {
                        (low[0]..=high[0]).contains(&x) && (low[1]..=high[1]).contains(&y)
                    })
                };
                let at = self.list.iter().position(|(_, rect)| has(rect))?;
                needed[at] = true;
            }
        }
        Some(self.change(&needed, pixels))
    }

    fn change(&self, needed: &[bool], pixels: usize) -> KnownChange {
        let reasons = self.list.iter().zip(needed).filter(|(_, needed)| **needed);
        let stated = |((known, _), _): (&(&Known, _), _)| KnownReason::Stated((*known).clone());
        KnownChange { reasons: reasons.map(stated).collect(), pixels }
    }

    /// Replaces joints and vertices of a record by the current ones, for instances with a known
    /// change. Returns the known changes with differing instances.
    pub(super) fn lay_over(&self, old: &mut FrameRecord, new: &FrameRecord) -> KnownChange {
        let mut needed = vec![false; self.list.len()];
        if old.instances.len() == new.instances.len() {
            for ((known, _), needed) in self.list.iter().zip(&mut needed) {
                let KnownArea::Instance { index, .. } = known.area else { continue };
                if let (Some(before), Some(now)) =
                    (old.instances.get_mut(index), new.instances.get(index))
                    && before != now
                {
                    *needed = before.pose != now.pose || before.skin != now.skin;
                    before.clone_from(now);
                }
            }
        }
        self.change(&needed, 0)
    }
}
