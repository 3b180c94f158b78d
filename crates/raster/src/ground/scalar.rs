//! The ground, one pixel at a time: the definition of [`crate::ground::lanes`].

use crate::geometry::rays::Rays;
use crate::geometry::vertex_table::VertexTable;
use crate::ground::contact::Contact;
use crate::memory::Memory;
use crate::options::RasterOptions;
use crate::shading::context::LightContext;
use crate::shading::punctual::limited;
use crate::shadow::map::ShadowMap;
use crate::shadow::maps;
use crate::view::View;
use crate::view::floor::Floor;
use tintype_model::math::{Vec3, Vec4, clamp, max, min};
use tintype_model::{Light, LinearRgb};

/// Share of the radius up to which the ground is opaque.
pub(crate) const WHOLE: f32 = 0.5;

/// The ground of one frame.
pub(crate) struct Ground {
    pub floor: Floor,
    pub eye: Vec3,
    pub rays: Rays,
    /// Origin of the rays of an orthographic camera.
    pub origins: Option<Rays>,
    pub contact: Option<Contact>,
    /// Ends of x and z between which the ground may show anything; none if it may everywhere.
    pub ends: Option<[[f32; 2]; 2]>,
    /// Width and height of the frame in pixels.
    pub size: [u32; 2],
    /// A value that a test spoils.
    #[cfg(test)]
    pub fault: Option<crate::fault::Fault>,
}

impl Ground {
    /// Computes the shadow maps of the lights, and the ground; no ground where the camera is not above it.
    pub(crate) fn with_shadows(
        view: &View,
        options: RasterOptions,
        table: &VertexTable,
        memory: &Memory,
    ) -> (Vec<Option<ShadowMap>>, Option<Self>) {
        let camera = &view.camera;
        let is_above = |floor: &Floor| match camera.is_parallel() {
            true => camera.world_from_view.z_axis.y > 0.0,
            false => camera.eye.y > floor.center.y,
        };
        let floor = view.ground.filter(is_above);
        let (maps, contact) = rayon::join(
            || maps(view, options, table, memory),
            || {
                let floor = floor.filter(|floor| floor.contact > 0.0)?;
                Contact::new(view, options.level, table, &floor)
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
        contact: Option<Contact>,
    ) -> Self {
        let camera = &view.camera;
        let ends = match floor.color {
            Some(_) => None,
            None => shadow_ends(floor.center.y, maps, contact.as_ref()),
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
        match self.seen(light, x, y) {
            Some(seen) => seen + background * (1.0 - seen.w),
            None => background,
        }
    }

    /// Colour of the ground at the middle of a pixel, premultiplied; none if the ray misses it.
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    fn seen(&self, light: &LightContext, x: u32, y: u32) -> Option<Vec4> {
        // 1. Where the ray meets the disc.
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
        let part = clamp((1.0 - share) * (1.0 / (1.0 - WHOLE)), 0.0, 1.0);
        let fade = smooth(part);

        // 2. Light on the ground.
        let (whole, left) = light_on(position, light);
        let kept = self.contact.as_ref().map_or(0.0, |contact| contact.at(position));
        let open = 1.0 - self.floor.contact * kept;
        Some(match self.floor.color {
            None => {
                let whole = luminance(whole);
                let lit = if whole > 0.0 { min(luminance(left) / whole, 1.0) } else { 1.0 };
                let inside = self.inside([x, y]);
                Vec4::new(0.0, 0.0, 0.0, (1.0 - lit * open) * fade * inside)
            }
            Some(LinearRgb { r, g, b }) => {
                let color = Vec3::new(r, g, b) * left * open;
                let [r, g, b] = color.to_array().map(|value| clamp(value, 0.0, 1.0) * fade);
                Vec4::new(r, g, b, fade)
            }
        })
    }
}

impl Ground {
    /// Weight of shadows by the distance of a pixel from the edges of the picture: 0 there, 1 beyond the band.
    #[expect(clippy::cast_precision_loss, reason = "a side has at most 15 bits")]
    fn inside(&self, [x, y]: [u32; 2]) -> f32 {
        let [width, height] = self.size;
        let band = self.floor.edge * width.min(height) as f32;
        if band <= 0.0 {
            return 1.0;
        }
        let pixels = x.min(width - 1 - x).min(y).min(height - 1 - y) as f32;
        smooth(min(pixels / band, 1.0))
    }
}

/// Area on which a ground without colour may show anything: ends of x and z; none if it is not bounded.
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

/// Smoothstep of a value in 0..=1.
fn smooth(part: f32) -> f32 {
    part * part * (3.0 - 2.0 * part)
}

/// Light on the ground without shadows, and with them.
fn light_on(position: Vec3, light: &LightContext) -> (Vec3, Vec3) {
    let rgb = crate::shading::light::rgb;
    let mut whole = rgb(light.ambient);
    if light.environment.is_some() {
        whole += light.environment_up;
    }
    let mut lost = Vec3::ZERO;
    for (index, one) in light.lights.iter().enumerate() {
        match *one {
            Light::Directional { to_light, color } => {
                let falls = rgb(color) * max(to_light.y, 0.0);
                whole += falls;
                if to_light.y > 0.0
                    && let Some(map) = light.shadow_of(index)
                {
                    lost += falls * (1.0 - map.visibility(position, Vec3::Y));
                }
            }
            Light::Point { position: lamp, color, reach, range, cone } => {
                let offset = lamp - position;
                let squared = max(offset.dot(offset), f32::MIN_POSITIVE);
                let distance = squared.sqrt();
                let cosine = max(offset.y, 0.0) / distance;
                let falls = reach * reach / squared * cosine;
                let falls = limited(falls, squared, (offset / distance).into(), range, cone);
                whole += rgb(color) * falls;
            }
            Light::Hemisphere { sky, .. } => whole += rgb(sky),
        }
    }
    (whole, whole - lost)
}

/// Luminance of a linear colour (ITU-R BT.709).
fn luminance(color: Vec3) -> f32 {
    color.dot(LUMINANCE)
}

/// Weights of red, green and blue.
pub(crate) const LUMINANCE: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);
