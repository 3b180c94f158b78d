//! Parts of a frame that depend on its posed meshes but not on its camera. Frames with the same
//! content reuse them, so that they are computed once for a camera that turns around a still scene.
//!
//! They are kept from the second frame with the same content on: a moving scene keeps none.

use crate::geometry::vertex_table::VertexTable;
use crate::ground::contact::Contact;
use crate::occlusion::OcclusionMap;
use crate::options::RasterOptions;
use crate::shadow::map::ShadowMap;
use crate::shadow::space::Space;
use crate::shadow::tables::Tables;
use crate::view::View;
use crate::view::floor::Floor;
use crate::view::shadow::Shadow;
use std::sync::Arc;
use tintype_model::Light;
use tintype_model::math::Vec3;
use tintype_model::simd::Level;

/// Content of a frame: [`View::content`] and the level of its tables.
type Key = ([u8; 16], Level);

/// The shadow map of an unmoved light.
#[derive(Clone, Debug)]
pub(crate) struct StillMap {
    to_light: Vec3,
    shadow: Shadow,
    pub space: Space,
    pub tables: Arc<Tables>,
}

/// Parts common to frames with the same content.
#[derive(Clone, Default)]
pub(crate) struct Still {
    pub table: Option<Arc<VertexTable>>,
    pub occlusion: Option<Arc<OcclusionMap>>,
    contact: Option<(Floor, Arc<Contact>)>,
    maps: Vec<StillMap>,
}

impl Still {
    /// The contact shadow of a floor, which may have a different reach.
    pub(crate) fn contact(&self, floor: &Floor) -> Option<Arc<Contact>> {
        let is_of = |of: &Floor| Floor { radius: floor.radius, ..*of } == *floor;
        self.contact.as_ref().filter(|(of, _)| is_of(of)).map(|(_, contact)| Arc::clone(contact))
    }

    /// The map of a shadow of a light in this direction.
    pub(crate) fn map(&self, to_light: Vec3, shadow: &Shadow) -> Option<&StillMap> {
        self.maps.iter().find(|map| map.to_light == to_light && map.shadow == *shadow)
    }
}

/// Parts of a frame that is done.
pub(crate) struct Done {
    pub table: Arc<VertexTable>,
    pub occlusion: Option<Arc<OcclusionMap>>,
    pub contact: Option<(Floor, Arc<Contact>)>,
    /// One for each light; empty if none casts a shadow.
    pub shadows: Vec<Option<ShadowMap>>,
}

/// The previous frame: its content, its lights, and its kept parts.
pub(crate) struct Former {
    key: Key,
    lights: Vec<Light>,
    still: Option<Arc<Still>>,
}

impl Former {
    /// The parts common to frames with the same content. None in the first of them.
    pub(crate) fn still(former: Option<&Self>, view: &View, level: Level) -> Option<Arc<Still>> {
        former.filter(|one| Some(one.key) == key_of(view, level))?.still.clone()
    }

    /// The finished frame, for the next one.
    pub(crate) fn of(
        former: Option<&Self>,
        view: &View,
        options: RasterOptions,
        done: &Done,
    ) -> Option<Self> {
        let key = key_of(view, options.level)?;
        let same = former.filter(|one| one.key == key);
        let still =
            same.map(|one| one.still.clone().unwrap_or_else(|| Arc::new(one.kept(view, done))));
        Some(Self { key, lights: view.lights.to_vec(), still })
    }

    /// The parts of a frame that the next ones may reuse; shadow maps of unmoved lights.
    fn kept(&self, view: &View, done: &Done) -> Still {
        let stood = |index: usize| self.lights.get(index) == view.lights.get(index);
        let maps = done.shadows.iter().enumerate().filter(|(index, _)| stood(*index));
        let maps = maps.filter_map(|(index, map)| {
            let shadow = *view.shadows.iter().find(|shadow| shadow.light == index)?;
            let Light::Directional { to_light, .. } = view.lights[index] else { return None };
            let map = map.as_ref()?;
            Some(StillMap { to_light, shadow, space: map.space, tables: Arc::clone(&map.tables) })
        });
        Still {
            table: Some(Arc::clone(&done.table)),
            occlusion: done.occlusion.clone(),
            contact: done.contact.clone(),
            maps: maps.collect(),
        }
    }
}

fn key_of(view: &View, level: Level) -> Option<Key> {
    Some((view.content?, level))
}
