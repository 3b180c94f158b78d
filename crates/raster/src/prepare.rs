//! Stages that run once per frame, before the tiles.

use crate::check::{ViewError, check};
use crate::context::{FrameContext, is_dithered};
use crate::environment::lamps::Lamp;
use crate::fragments::centroid::Centroids;
use crate::geometry::chunk::Chunk;
use crate::geometry::context::GeometryContext;
use crate::geometry::edge::{SamplePattern, sample_pattern};
use crate::geometry::grid::Grid;
use crate::geometry::project::project_vertices;
use crate::geometry::projection::Projection;
use crate::geometry::rays::Rays;
use crate::geometry::screen_vertex::ScreenVertex;
use crate::geometry::setup::{Screen, set_up};
use crate::geometry::vertex_table::VertexTable;
use crate::ground::scalar::Ground;
use crate::memory::Memory;
use crate::occlusion::OcclusionMap;
use crate::options::RasterOptions;
use crate::resolve::background_codes::BackgroundCodes;
use crate::shading::context::{LightContext, needs_positions, powers_of};
use crate::shading::glass::Behind;
use crate::shadow::map::ShadowMap;
use crate::stats::{StageTimer, Times};
use crate::still::Done;
use crate::view::View;
use std::sync::Arc;
use tintype_model::Stacking;
use tintype_model::math::Vec3;
use tintype_model::math::func::UnitPower;
use tintype_model::simd::Level;

/// A frame that is ready for its tiles.
pub(crate) struct Prepared {
    pub grid: Grid,
    pub screen: Vec<ScreenVertex>,
    pub chunks: Vec<Chunk>,
    pub pattern: SamplePattern,
    pub centroids: Centroids,
    pub table: Arc<VertexTable>,
    pub rays: Rays,
    pub powers: Vec<UnitPower>,
    /// One for each light; empty if none casts a shadow.
    pub shadows: Vec<Option<ShadowMap>>,
    pub ground: Option<Ground>,
    pub occlusion: Option<Arc<OcclusionMap>>,
    /// Lamps of the environment.
    pub lamps: Vec<Lamp>,
    pub background_codes: BackgroundCodes,
    pub projection: Projection,
    /// The picture behind transmissive surfaces, if there are any.
    pub behind: Option<Behind>,
    /// Seconds of the stages so far.
    pub times: Times,
    /// A value that a test spoils.
    #[cfg(test)]
    pub fault: Option<crate::fault::PlantedFault>,
}

impl Prepared {
    /// The parts that the next frames may reuse, or whose memory they take.
    pub(super) fn done(self) -> Done {
        let Self { table, occlusion, ground, shadows, .. } = self;
        let contact = ground.and_then(|ground| Some((ground.floor, ground.contact?)));
        Done { table, occlusion, contact, shadows }
    }

    /// The geometry that the tiles see.
    pub(super) fn geometry<'a>(&'a self, view: &View<'a>) -> GeometryContext<'a> {
        GeometryContext {
            draws: view.draws,
            materials: view.materials,
            textures: view.textures,
            is_stacked: view.materials.iter().any(|one| one.stacking() != Stacking::default()),
            anisotropy: view.anisotropy,
            screen: &self.screen,
            chunks: &self.chunks,
            table: &self.table,
            is_orthographic: view.camera.is_orthographic(),
            pattern: self.pattern,
            leaves_clear: false,
            #[cfg(test)]
            fault: self.fault,
        }
    }

    /// The light that the tiles see.
    pub(super) fn light<'a>(&'a self, view: &View<'a>) -> LightContext<'a> {
        LightContext {
            ambient: view.ambient,
            lights: view.lights,
            shadows: &self.shadows,
            rays: &self.rays,
            view_axes: {
                let axes = view.camera.world_from_view;
                [axes.x_axis, axes.y_axis, axes.z_axis]
            },
            powers: &self.powers,
            occlusion: self.occlusion.as_deref(),
            needs_positions: self.occlusion.is_some()
                || self.behind.is_some()
                || needs_positions(view.lights, &self.shadows),
            environment: view.environment,
            lamps: &self.lamps,
            environment_up: match &view.environment {
                Some(environment) => environment.diffuse(Vec3::Y.into()).into(),
                None => Vec3::ZERO,
            },
            tone: view.tone,
            brightest: 1.0,
            behind: self.behind.as_ref(),
        }
    }

    /// Everything that the tiles use in common.
    pub(super) fn frame<'a>(
        &'a self,
        view: &View,
        geometry: &'a GeometryContext<'a>,
        light: &'a LightContext<'a>,
    ) -> FrameContext<'a> {
        FrameContext {
            geometry,
            light,
            centroids: &self.centroids,
            background: view.background,
            background_codes: &self.background_codes,
            sky: light.environment.filter(|environment| environment.is_shown),
            ground: self.ground.as_ref(),
            dithers_models: view.tone.is_neutral,
            size: view.size,
            far_depth: if view.camera.is_orthographic() {
                -view.camera.far
            } else {
                1.0 / view.camera.far
            },
        }
    }
}

/// Runs the stages over the whole frame: project, set up, bin, and with light the shadow maps and
/// the ground.
///
/// # Errors
/// [`ViewError`] if something in the view or the options is out of range.
pub(crate) fn prepare(
    view: &View,
    options: RasterOptions,
    with_light: bool,
    memory: &Memory,
    lap: &mut StageTimer,
) -> Result<Prepared, ViewError> {
    check(view, options)?;
    let pattern = sample_pattern(view.samples).expect("checked above");
    let projection = Projection::new(&view.camera, view.size);
    let screen = project_vertices(options.level, &projection, view.draws);
    let mut times = Times { project_s: lap.lap(), ..Times::default() };
    let grid = Grid::new(view.size, options.tile_for(view.size, view.samples));
    let still = memory.still(view, options.level).unwrap_or_default();
    let table = still.table.clone().unwrap_or_else(|| {
        Arc::new(match options.level {
            Level::Scalar => VertexTable::of_indices(view),
            _ => VertexTable::new(view, options.level),
        })
    });
    let camera = Some(&projection);
    let onto =
        Screen { camera, is_upward: false, vertices: &screen, grid: &grid, samples: view.samples };
    let chunks = set_up(view, options.level, &table, onto);
    let centroids = Centroids::new(pattern);
    times.set_up_s = lap.lap();
    let ((mut shadows, mut ground), mut occlusion) = ((Vec::new(), None), None);
    if with_light {
        ((shadows, ground), occlusion) = rayon::join(
            || Ground::with_shadows(view, options, &table, (memory, &still)),
            || {
                still
                    .occlusion
                    .clone()
                    .or_else(|| OcclusionMap::of(view, options.level).map(Arc::new))
            },
        );
    }
    times.shadow_s = lap.lap();
    let shows_sky = view.environment.is_some_and(|environment| environment.is_shown);
    let is_dithered = is_dithered(view.background, shows_sky);
    let background_codes = BackgroundCodes::new(view.background, view.size[1], is_dithered);
    let rays = Rays::new(&view.camera, view.size);
    let powers = powers_of(view.materials);
    Ok(Prepared {
        grid,
        screen,
        chunks,
        pattern,
        centroids,
        table,
        rays,
        powers,
        shadows,
        ground,
        occlusion,
        lamps: view.environment.map_or(Vec::new(), |environment| environment.lamps()),
        background_codes,
        projection,
        behind: None,
        times,
        #[cfg(test)]
        fault: options.planted(),
    })
}
