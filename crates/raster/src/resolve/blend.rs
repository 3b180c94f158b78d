//! Blending of a surface over the colour behind it, at one sample.
//!
//! All colours are linear and premultiplied, each channel 0 to 1.
//!
//! ```text
//! blend:     C + D (1 - A)                         alpha: A + E (1 - A)
//! add:       min(C + D, 1)                         alpha: the larger of E and what that light needs, max(r, g, b)
//! multiply:  D f + (1 - E) (f - min(f))            alpha: 1 - (1 - E) min(f)        f = C + (1 - A)
//! ```
//!
//! C and A are the light and the alpha of the surface, D and E those of the colour behind it. Over
//! a backdrop added later, `add` is exact if that is black, `multiply` if it is white: no single
//! alpha suits every backdrop.
//!
//! # Source
//! Porter and Duff, "Compositing Digital Images", SIGGRAPH 1984: over. Sum and product of the
//! colours are as in fixed-function blending.

use tintype_model::math::{Vec3, Vec4, max, min};
use tintype_model::{AlphaMode, Stacking};

/// A blended triangle at one sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    /// 1 / distance along the view axis.
    pub depth: f32,
    /// Premultiplied linear RGBA.
    pub light: Vec4,
    pub mode: AlphaMode,
    pub stacking: Stacking,
    /// Order of submission among the blended triangles of the tile.
    pub order: u32,
}

impl Layer {
    /// Blends the layer over the colour behind it.
    #[inline(always)]
    pub(crate) fn over(&self, seen: Vec4) -> Vec4 {
        let Self { light, mode, .. } = *self;
        match mode {
            AlphaMode::Add => {
                let [r, g, b] = [light.x + seen.x, light.y + seen.y, light.z + seen.z];
                let sum = Vec3::new(min(r, 1.0), min(g, 1.0), min(b, 1.0));
                sum.extend(max(seen.w, max(max(sum.x, sum.y), sum.z)))
            }
            AlphaMode::Multiply => {
                let through = light.truncate() + Vec3::ONE * (1.0 - light.w);
                let least = min(min(through.x, through.y), through.z);
                let clear = 1.0 - seen.w;
                let own = (through - Vec3::ONE * least) * clear;
                (seen.truncate() * through + own).extend(1.0 - clear * least)
            }
            AlphaMode::Blend | AlphaMode::Opaque | AlphaMode::Mask { .. } => {
                light + seen * (1.0 - light.w)
            }
        }
    }
}

/// Blends layers over the colour behind them, by rank and then farthest first; ties keep submission
/// order. Earlier layers behind a hiding layer are left out.
#[inline(always)]
pub(crate) fn blend_farthest_first(layers: &mut Vec<Layer>, seen: Vec4) -> Vec4 {
    let place = |layer: &Layer| (layer.stacking.rank, layer.order);
    layers.sort_unstable_by_key(place);
    let mut nearest = f32::NEG_INFINITY;
    layers.retain(|layer| {
        let is_seen = layer.depth >= nearest;
        if is_seen && layer.stacking.hides {
            nearest = layer.depth;
        }
        is_seen
    });
    layers.sort_by(|left, right| {
        let by_rank = left.stacking.rank.cmp(&right.stacking.rank);
        by_rank.then(left.depth.total_cmp(&right.depth))
    });
    layers.iter().fold(seen, |seen, layer| layer.over(seen))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn over(mode: AlphaMode, light: [f32; 4], seen: [f32; 4]) -> [f32; 4] {
        let layer = layer(1.0, light, mode);
        layer.over(Vec4::from_array(seen)).to_array()
    }

    fn layer(depth: f32, light: [f32; 4], mode: AlphaMode) -> Layer {
        let light = Vec4::from_array(light);
        Layer { depth, light, mode, stacking: Stacking::default(), order: 0 }
    }

    #[test]
    fn ranks_go_before_depths_and_layers_that_hide_hide_what_comes_later() {
        let red = Layer { order: 1, ..layer(0.5, [0.5, 0.0, 0.0, 0.5], AlphaMode::Blend) };
        let green = Layer { order: 0, ..layer(1.0, [0.0, 0.5, 0.0, 0.5], AlphaMode::Blend) };
        let of = |layers: [Layer; 2]| {
            blend_farthest_first(&mut layers.to_vec(), Vec4::from_array([0.0, 0.0, 0.0, 1.0]))
        };
        let both = [0.25, 0.5, 0.0, 1.0];
        assert_eq!(of([red, green]).to_array(), both);
        let hides = Stacking { rank: 0, hides: true };
        let front = Layer { stacking: hides, ..green };
        assert_eq!(of([red, front]).to_array(), [0.0, 0.5, 0.0, 1.0]);
        let later = Layer { order: 2, ..front };
        assert_eq!(of([red, later]).to_array(), both, "what came before is behind it");
        let first = Layer { stacking: Stacking { rank: -1, hides: false }, ..green };
        assert_eq!(of([red, first]).to_array(), [0.5, 0.25, 0.0, 1.0], "whatever its depth");
    }

    const SOLID: [f32; 4] = [0.5, 0.25, 0.0, 1.0];
    const NOTHING: [f32; 4] = [0.0; 4];

    #[test]
    fn blend_covers() {
        let half = [0.25, 0.25, 0.5, 0.5];
        assert_eq!(over(AlphaMode::Blend, half, SOLID), [0.5, 0.375, 0.5, 1.0]);
        assert_eq!(over(AlphaMode::Blend, half, NOTHING), half);
    }

    #[test]
    fn added_light_is_a_sum_that_ends_at_1() {
        let light = [0.75, 0.25, 0.125, 1.0];
        assert_eq!(over(AlphaMode::Add, light, SOLID), [1.0, 0.5, 0.125, 1.0]);
        assert_eq!(over(AlphaMode::Add, [0.0, 0.0, 0.0, 1.0], SOLID), SOLID, "black adds nothing");
    }

    #[test]
    fn added_light_covers_nothing_more_than_it_is_bright() {
        assert_eq!(over(AlphaMode::Add, [0.25, 0.5, 0.0, 1.0], NOTHING), [0.25, 0.5, 0.0, 0.5]);
        assert_eq!(over(AlphaMode::Add, [0.0, 0.0, 0.0, 1.0], NOTHING), NOTHING);
        let half = [0.5, 0.5, 0.5, 0.5];
        assert_eq!(over(AlphaMode::Add, [0.25; 4], half), [0.75; 4], "no channel is above alpha");
    }

    #[test]
    fn multiplied_colours_are_a_product() {
        let red = [1.0, 0.5, 0.25, 1.0];
        assert_eq!(over(AlphaMode::Multiply, red, SOLID), [0.5, 0.125, 0.0, 1.0]);
        // Half as much of it: halfway to white.
        assert_eq!(over(AlphaMode::Multiply, [0.5, 0.25, 0.125, 0.5], SOLID)[1], 0.1875);
        assert_eq!(over(AlphaMode::Multiply, [1.0; 4], SOLID), SOLID, "white changes nothing");
    }

    #[test]
    fn multiplied_colours_take_what_is_not_there_for_white() {
        let glass = [0.25, 0.75, 0.5, 1.0];
        assert_eq!(over(AlphaMode::Multiply, glass, NOTHING), [0.0, 0.5, 0.25, 0.75]);
        assert_eq!(over(AlphaMode::Multiply, [1.0; 4], NOTHING), NOTHING);
        for seen in [NOTHING, [0.25, 0.5, 0.0, 0.5], SOLID] {
            let found = over(AlphaMode::Multiply, glass, seen);
            for channel in 0..3 {
                let white = |layer: [f32; 4]| layer[channel] + (1.0 - layer[3]);
                assert_eq!(white(found), white(seen) * glass[channel], "{seen:?}");
                assert!(found[channel] <= found[3], "{seen:?}: premultiplied");
            }
        }
    }
}
