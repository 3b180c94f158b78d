//! Everything that is done once a frame, before the tiles.

use crate::frame::Frame;
use crate::math::func::UnitPower;
use crate::model::Light;
use crate::raster::fragments::centroid::Centroids;
use crate::raster::geometry::chunk::Chunk;
use crate::raster::geometry::edge::{SamplePattern, sample_pattern};
use crate::raster::geometry::grid::Grid;
use crate::raster::geometry::project::project_vertices;
use crate::raster::geometry::projection::Projection;
use crate::raster::geometry::rays::Rays;
use crate::raster::geometry::screen_vertex::ScreenVertex;
use crate::raster::geometry::setup::set_up;
use crate::raster::geometry::vertex_table::VertexTable;
use crate::raster::ground::scalar::Ground;
use crate::raster::options::RasterOptions;
use crate::raster::shading::scalar::{Scene, powers_of};
use crate::raster::shadow::map::ShadowMap;
use crate::raster::stats::{Lap, Times};
use crate::raster::texture::anisotropic::scalar::is_allowed;
use crate::raster::view::View;
use crate::simd::Level;
use rayon::prelude::*;

/// Triangles that are ready for the tiles of a picture.
pub(crate) struct Prepared {
    pub grid: Grid,
    pub chunks: Vec<Chunk>,
    pub pattern: SamplePattern,
    pub centroids: Centroids,
    pub table: VertexTable,
    pub rays: Rays,
    pub powers: Vec<UnitPower>,
    /// Per light; empty where none casts a shadow.
    pub shadows: Vec<Option<ShadowMap>>,
    pub ground: Option<Ground>,
    /// Of the steps so far.
    pub times: Times,
}

impl Prepared {
    /// What all tiles of the picture share.
    pub fn scene<'a>(&'a self, view: &'a View, cut: RasterOptions) -> Scene<'a> {
        let Self { chunks, pattern, centroids, table, rays, powers, shadows, .. } = self;
        let (pattern, ground) = (*pattern, self.ground.as_ref());
        let fault = cut.planted();
        let has_places = !shadows.is_empty()
            || view.lights.iter().any(|light| matches!(light, Light::Point { .. }));
        Scene {
            view,
            chunks,
            pattern,
            centroids,
            table,
            rays,
            powers,
            has_places,
            fault,
            shadows,
            ground,
        }
    }
}

/// Every vertex once, every triangle once.
pub(crate) fn prepare(
    view: &View,
    cut: RasterOptions,
    with_light: bool,
    lap: &mut Lap,
) -> Prepared {
    let [width, height] = view.size;
    assert!((1..=Frame::MAX_SIDE).contains(&width) && (1..=Frame::MAX_SIDE).contains(&height));
    let tile = cut.tile_for(view.size, view.samples);
    assert!((RasterOptions::MIN_TILE..=RasterOptions::MAX_TILE).contains(&tile));
    let pattern = sample_pattern(view.samples).expect("1, 2, 4, 8 or 16 samples");
    assert!(is_allowed(view.anisotropy), "1, 2, 4, 8 or 16 probes");
    let projection = Projection::new(&view.camera, view.size);
    let projected: Vec<Vec<ScreenVertex>> = view
        .draws
        .par_iter()
        .map(|draw| project_vertices(cut.level, &projection, draw.posed))
        .collect();
    let mut times = Times { project_s: lap.lap(), ..Times::default() };
    let grid = Grid::new(view.size, tile);
    let table = match cut.level {
        Level::Scalar => VertexTable::of_places(view),
        _ => VertexTable::new(view, cut.level),
    };
    let chunks = set_up(view, cut.level, &projection, &projected, &table, &grid);
    let centroids = Centroids::new(pattern);
    times.set_up_s = lap.lap();
    let (mut shadows, mut ground) = (Vec::new(), None);
    if with_light {
        (shadows, ground) = Ground::with_shadows(view, cut, &table);
    }
    times.shadow_s = lap.lap();
    let rays = Rays::new(&view.camera, view.size);
    let powers = powers_of(view);
    Prepared { grid, chunks, pattern, centroids, table, rays, powers, shadows, ground, times }
}
