//! The ground, one pixel at a time: the definition of [`crate::ground::lanes`].

use crate::geometry::rays::Rays;
use crate::geometry::vertex_table::VertexTable;
use crate::ground::contact::Contact;
use crate::memory::Memory;
use crate::options::RasterOptions;
use crate::shading::context::LightContext;
use crate::shadow::map::ShadowMap;
use crate::shadow::maps;
use crate::still::Still;
use crate::view::View;
use crate::view::floor::Floor;
use std::sync::Arc;
use tintype_model::math::{Vec3, Vec4, max, min};

/// The ground of one frame.
pub(crate) struct Ground {
    pub floor: Floor,
    pub eye: Vec3,
    pub rays: Rays,
    /// Origin of the rays of an orthographic camera.
    pub origins: Option<Rays>,
    pub contact: Option<Arc<Contact>>,
    /// Ends of x and z between which the ground may show anything. None if it is unbounded.
    pub ends: Option<[[f32; 2]; 2]>,
    /// Width and height of the frame in pixels.
    pub size: [u32; 2],
    /// A value that a test spoils.
    #[cfg(test)]
    pub fault: Option<crate::fault::PlantedFault>,
}

impl Ground {
    /// Computes the shadow maps of the lights, and the ground; no ground if the camera is not above
    /// it.
    pub(crate) fn with_shadows(
        view: &View,
        options: RasterOptions,
        table: &VertexTable,
        (memory, still): (&Memory, &Still),
    ) -> (Vec<Option<ShadowMap>>, Option<Self>) {
        let camera = &view.camera;
        let is_above = |floor: &Floor| {
            if camera.is_orthographic() {
                camera.world_from_view.z_axis.y > 0.0
            } else {
                camera.eye.y > floor.center.y
            }
        };
        let floor = view.ground.filter(is_above);
        let (maps, contact) = rayon::join(
            || maps(view, options, table, (memory, still)),
            || {
                let floor = floor.filter(|floor| floor.contact > 0.0)?;
                let new = || Contact::new(view, options.level, table, &floor).map(Arc::new);
                still.contact(&floor).or_else(new)
            },
        );
        let ground = floor.map(|floor| Self::new(view, floor, &maps, contact));
        #[cfg(test)]
        let ground = ground.map(|ground| Self { fault: options.planted(), ..ground });
        (maps, ground)
    }

    fn new(
        view: &View,
        floor: Floor,
        maps: &[Option<ShadowMap>],
        contact: Option<Arc<Contact>>,
    ) -> Self {
        let camera = &view.camera;
        let ends = match floor.color {
            Some(_) => None,
            None => shadow_ends(floor.center.y, maps, contact.as_deref()),
        };
        Self {
            floor,
            eye: camera.eye,
            rays: Rays::new(camera, view.size),
            origins: Rays::origins(camera, view.size),
            contact,
            ends,
            size: view.size,
            #[cfg(test)]
            fault: None,
        }
    }

    /// Blends the ground over the background of a pixel; both premultiplied.
    pub(crate) fn over(&self, light: &LightContext, x: u32, y: u32, background: Vec4) -> Vec4 {
        match self.at_pixel(light, x, y) {
            Some(seen) => seen + background * (1.0 - seen.w),
            None => background,
        }
    }

    /// Colour of the ground at the centre of a pixel, premultiplied. None if the ray misses it.
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    fn at_pixel(&self, light: &LightContext, x: u32, y: u32) -> Option<Vec4> {
        // 1. Point where the ray meets the disc.
        let (across, down) = (x as f32 + 0.5, y as f32 + 0.5);
        let ray = self.rays.through(across, down);
        let eye = match &self.origins {
            None => self.eye,
            Some(origins) => self.eye + origins.through(across, down),
        };
        let fall = self.floor.center.y - eye.y;
        let is_down = match self.origins {
            None => ray.y * self.floor.radius < fall * 1e-6,
            Some(_) => ray.y < -1e-6,
        };
        if !is_down {
            return None;
        }
        let position = eye + ray * (fall / ray.y);
        let position = Vec3::new(position.x, self.floor.center.y, position.z);
        #[cfg(test)]
        let position = crate::fault::ground(self.fault, x, position);
        if let Some([[left, right], [back, front]]) = self.ends
            && (position.x < left || position.x > right || position.z < back || position.z > front)
        {
            return None;
        }
        let offset = position - self.floor.center;
        let share = offset.length() / self.floor.radius;
        if share >= 1.0 || share.is_nan() {
            return None;
        }

        // 2. Light on the ground.
        let kept = self.contact.as_ref().map_or(0.0, |contact| contact.at(position));
        let visible = |map: &ShadowMap| map.visibility(position, Vec3::Y);
        let pixel = [x as f32, y as f32];
        Some(self.seen(light, position.into(), share, kept, pixel, visible).into())
    }
}

/// Area where a ground without colour may show anything: ends of x and z. None if it is unbounded.
fn shadow_ends(
    height: f32,
    maps: &[Option<ShadowMap>],
    contact: Option<&Contact>,
) -> Option<[[f32; 2]; 2]> {
    // An empty area, then the union of all footprints.
    let mut all = [[f32::INFINITY, f32::NEG_INFINITY]; 2];
    let footprints = maps.iter().flatten().map(|map| map.footprint(height));
    for footprint in footprints.chain(contact.map(|contact| contact.footprint(height))) {
        for ([low, high], [least, most]) in all.iter_mut().zip(footprint?) {
            (*low, *high) = (min(least, *low), max(most, *high));
        }
    }
    Some(all)
}
