//! Fragments of a tile, pixel by pixel: the definition of [`crate::fragments::lanes`] and
//! [`crate::fragments::layers`].

use crate::coverage::depth::DepthPlane;
use crate::coverage::samples::{NO_TRIANGLE, Samples, sample_position};
use crate::coverage::scalar::for_each_covered;
use crate::fragments::fragment::{BlendedFragment, Fragment};
use crate::geometry::chunk::TriangleId;
use crate::geometry::context::GeometryContext;
use crate::geometry::edge::SamplePattern;
use crate::geometry::grid::Rect;
use crate::geometry::morton::Morton;
/// All fragments of a tile.
#[derive(Default)]
pub(crate) struct Fragments {
    /// Pixel by pixel, in the order of their samples.
    pub opaque: Vec<Fragment>,
    /// Blended fragments pixel by pixel, in submission order.
    pub blended: Vec<BlendedFragment>,
}

impl Fragments {
    /// Opaque fragments, then blended ones.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Fragment> {
        self.opaque.iter().chain(self.blended.iter().map(|part| &part.fragment))
    }

    pub(crate) fn len(&self) -> usize {
        self.opaque.len() + self.blended.len()
    }

    /// Lists the opaque fragments of every pixel.
    pub(crate) fn collect_opaque(
        &mut self,
        pattern: SamplePattern,
        rect: &Rect,
        samples: &Samples,
    ) {
        self.opaque.clear();
        match pattern.len() {
            1 => self.collect_pixels::<1>(rect, samples),
            2 => self.collect_pixels::<2>(rect, samples),
            4 => self.collect_pixels::<4>(rect, samples),
            8 => self.collect_pixels::<8>(rect, samples),
            _ => self.collect_pixels::<16>(rect, samples),
        }
    }

    fn collect_pixels<const SAMPLES: usize>(&mut self, rect: &Rect, samples: &Samples) {
        let full = u16::MAX >> (16 - SAMPLES);
        let (pixels, _) = samples.owners().as_chunks::<SAMPLES>();
        for (morton, owners) in (0..).map(Morton::of).zip(pixels) {
            if morton.column() >= rect.width || morton.row() >= rect.height {
                continue;
            }

            // 1. In most pixels all samples show the same triangle, or none.
            let triangle = owners[0];
            if owners.iter().all(|&owner| owner == triangle) {
                if triangle != NO_TRIANGLE {
                    self.opaque.push(Fragment { triangle, morton, samples: full });
                }
                continue;
            }

            // 2. Otherwise one fragment per triangle.
            let first = self.opaque.len();
            for (sample, &triangle) in owners.iter().enumerate() {
                if triangle == NO_TRIANGLE {
                    continue;
                }
                match self.opaque[first..].iter_mut().find(|fragment| fragment.triangle == triangle)
                {
                    Some(fragment) => fragment.samples |= 1 << sample,
                    None => self.opaque.push(Fragment { triangle, morton, samples: 1 << sample }),
                }
            }
        }
    }

    /// Lists the fragments of blended triangles in front of the opaque surface.
    pub(crate) fn collect_blended(
        &mut self,
        geometry: &GeometryContext,
        rect: &Rect,
        triangles: &[TriangleId],
        blended_triangles: &[u32],
        samples: &Samples,
    ) {
        let listed = &mut self.blended;
        listed.clear();
        for (order, &index) in (0_u32..).zip(blended_triangles) {
            let triangle = &geometry.triangle(triangles[index as usize]);
            let plane = DepthPlane::new(triangle);
            for_each_covered(geometry.pattern, rect, triangle, |column, row, sample| {
                let (x, y) = sample_position(geometry.pattern, rect, column, row, sample);
                if plane.at(x, y) > samples.depth_at(column, row, sample) {
                    let morton = Morton::new(column, row);
                    match listed.last_mut() {
                        Some(last) if last.order == order && last.fragment.morton == morton => {
                            last.fragment.samples |= 1 << sample;
                        }
                        _ => {
                            let fragment =
                                Fragment { triangle: index, morton, samples: 1 << sample };
                            listed.push(BlendedFragment { fragment, order });
                        }
                    }
                }
            });
        }
        listed.sort_unstable_by_key(|part| (part.fragment.morton, part.order));
    }
}
