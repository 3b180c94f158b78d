//! Worlds that can be drawn by the renderer and described to the shading oracle.

use std::sync::Arc;
use tintype_base::deadline::Deadline;
use tintype_model::frame::Frame;
use tintype_model::math::{Vec2, Vec3};
use tintype_model::{
    AlphaMode, Camera, CullMode, FovAxis, Image, Light, LinearRgb, Material, Mesh, PosedMesh,
    Texture, TextureFilter, TextureKind, Tone,
};
use tintype_raster::Background;
use tintype_raster::{
    Counts, Draw, Environment, EnvironmentMap, Floor, Memory, Occlusion, RasterOptions,
    ShadedFragment, Shadow, View, VisibleFragment, draw, draw_timed, shade, shade_ground,
    visibility,
};

/// Numbers that look random and are the same on every run.
///
/// # Source
/// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014
/// (SplitMix64).
pub(super) struct Random(pub u64);

impl Random {
    /// Any 64 bits.
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An integer of `low..=high`.
    pub(super) fn whole(&mut self, low: i32, high: i32) -> i32 {
        let count = (i64::from(high) - i64::from(low) + 1) as u64;
        (i64::from(low) + (self.bits() % count) as i64) as i32
    }

    /// A number of `low..high`.
    pub(super) fn real(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.bits() >> 40) as f32 / (1_u64 << 24) as f32)
    }
}

/// One corner: position, normal, tangent, texture coordinate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub position: Vec3,
    pub normal: Vec3,
    pub tangent: Vec3,
    pub uv: Vec2,
}

/// A mesh already in the world, and its material.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub mesh: Mesh,
    pub posed: PosedMesh,
    pub material: usize,
    pub casts: bool,
}

/// Corners and triangles without skinning data.
pub(super) fn piece(corners: &[Corner], triangles: Vec<[u32; 3]>, material: usize) -> Piece {
    let axis = |of: fn(&Corner) -> Vec3| {
        [0, 1, 2].map(|axis| corners.iter().map(|corner| of(corner)[axis]).collect())
    };
    let mesh = Mesh {
        texcoords: corners.iter().map(|corner| corner.uv).collect(),
        bitangent_sign: vec![1.0; corners.len()],
        influence_start: vec![0; corners.len() + 1],
        triangles,
        texcoord_sets: 1,
        ..Mesh::default()
    };
    let posed = PosedMesh {
        position: axis(|corner| corner.position),
        normal: axis(|corner| corner.normal),
        tangent: axis(|corner| corner.tangent),
    };
    Piece { mesh, posed, material, casts: true }
}

/// A parallelogram: `u` runs along `right`, `v` along `down`, and its front looks to
/// `down × right`.
pub(super) fn quad(origin: Vec3, right: Vec3, down: Vec3, turns: f32, material: usize) -> Piece {
    let normal = down.cross(right).normalize();
    let corner = |u: f32, v: f32| Corner {
        position: origin + right * u + down * v,
        normal,
        tangent: right.normalize(),
        uv: Vec2::new(u, v) * turns,
    };
    let corners = [corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)];
    piece(&corners, vec![[0, 3, 2], [0, 2, 1]], material)
}

/// A torus around the y axis; `tube` 0 would be a circle, and `hole` 0 with half a turn a sphere.
pub(super) fn torus(
    centre: Vec3,
    hole: f32,
    tube: f32,
    around: u32,
    along: u32,
    material: usize,
) -> Piece {
    let turn = |index: u32, count: u32| index as f64 / f64::from(count) * core::f64::consts::TAU;
    let mut corners = Vec::new();
    for ring in 0..=around {
        let phi = turn(ring, around);
        let (sin_phi, cos_phi) = (libm::sin(phi) as f32, libm::cos(phi) as f32);
        for side in 0..=along {
            let theta = turn(side, along);
            let (sin, cos) = (libm::sin(theta) as f32, libm::cos(theta) as f32);
            let normal = Vec3::new(cos_phi * cos, sin, sin_phi * cos);
            corners.push(Corner {
                position: centre + Vec3::new(cos_phi, 0.0, sin_phi) * hole + normal * tube,
                normal,
                tangent: Vec3::new(-sin_phi, 0.0, cos_phi),
                uv: Vec2::new(4.0 * ring as f32 / around as f32, side as f32 / along as f32),
            });
        }
    }
    // The last ring and side must meet the first to the bit: a closed surface.
    let stride = along + 1;
    for side in 0..stride {
        let first = corners[side as usize].position;
        corners[(around * stride + side) as usize].position = first;
    }
    for ring in 0..=around {
        let first = corners[(ring * stride) as usize].position;
        corners[(ring * stride + along) as usize].position = first;
    }
    let mut triangles = Vec::new();
    for ring in 0..around {
        for side in 0..along {
            let at = ring * stride + side;
            triangles.push([at, at + 1, at + stride + 1]);
            triangles.push([at, at + stride + 1, at + stride]);
        }
    }
    piece(&corners, triangles, material)
}

/// A picture with soft waves and a little noise: enough detail to notice a wrong level, little
/// enough that a shift by 1/512 pixel stays far below a code.
pub(super) fn picture(width: u32, height: u32, seed: u64, alpha: impl Fn(f64, f64) -> u8) -> Image {
    let mut random = Random(seed);
    let rgba = (0..width * height)
        .map(|index| {
            let (x, y) = (f64::from(index % width), f64::from(index / width));
            let (u, v) = (x / f64::from(width), y / f64::from(height));
            let mut wave = |across: f64, down: f64| {
                let angle = core::f64::consts::TAU * (across * u + down * v);
                (140.0 + 70.0 * libm::sin(angle) + f64::from(random.real(-20.0, 20.0))) as u8
            };
            [wave(1.0, 2.0), wave(3.0, -1.0), wave(0.0, 2.0), alpha(u, v)]
        })
        .collect();
    Image { width, height, rgba }
}

/// A soft relief as a normal map.
pub(super) fn relief(width: u32, height: u32) -> Image {
    let rgba = (0..width * height)
        .map(|index| {
            let (x, y) = (f64::from(index % width), f64::from(index / width));
            let wave = |part: f64| libm::sin(core::f64::consts::TAU * part) * 0.5;
            let (nx, ny) = (wave(2.0 * x / f64::from(width)), wave(y / f64::from(height)));
            let nz = (1.0 - nx * nx - ny * ny).sqrt();
            let [r, g, b] = [nx, ny, nz].map(|n| ((n * 0.5 + 0.5) * 255.0 + 0.5) as u8);
            [r, g, b, 255]
        })
        .collect();
    Image { width, height, rgba }
}

/// Everything that a picture needs, owned.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub camera: Camera,
    pub size: [u32; 2],
    pub samples: u32,
    pub anisotropy: u32,
    pub background: Background,
    pub ambient: LinearRgb,
    pub lights: Vec<Light>,
    pub shadows: Vec<Shadow>,
    pub ground: Option<Floor>,
    pub materials: Vec<Material>,
    pub images: Vec<(Image, TextureKind)>,
    /// Common filter.
    pub filter: TextureFilter,
    pub pieces: Vec<Piece>,
    /// Light from all directions, turned by an eighth and half as bright again.
    pub environment: Option<Arc<EnvironmentMap>>,
    pub tone: Tone,
    pub shows_environment: bool,
    pub occlusion: Option<Occlusion>,
}

impl World {
    /// Nothing in front of a transparent background, seen from `eye`.
    pub(super) fn empty(size: [u32; 2], samples: u32, eye: Vec3, target: Vec3) -> Self {
        let fov = FovAxis::Vertical(0.9);
        Self {
            camera: Camera::looking_at(eye, target, Vec3::Y, fov, 0.05, f32::INFINITY),
            size,
            samples,
            anisotropy: 1,
            background: Background::Transparent,
            ambient: LinearRgb::BLACK,
            lights: Vec::new(),
            shadows: Vec::new(),
            ground: None,
            materials: Vec::new(),
            images: Vec::new(),
            filter: TextureFilter::Linear,
            pieces: Vec::new(),
            environment: None,
            tone: Tone::NONE,
            shows_environment: false,
            occlusion: None,
        }
    }

    /// Draws on a separate thread pool.
    pub(super) fn draw(&self, tile: u32, threads: usize) -> Frame {
        self.with_view(threads, |view| {
            draw(view, RasterOptions { tile, ..RasterOptions::default() })
                .expect("a view in range")
                .0
        })
    }

    /// Draws on a separate thread pool, split as requested.
    pub(super) fn draw_with(&self, options: RasterOptions, threads: usize) -> (Frame, Counts) {
        self.with_view(threads, |view| draw(view, options).expect("a view in range"))
    }

    /// Draws in the memory of former frames, as one of a content.
    pub(super) fn draw_in(&self, memory: &Memory, content: u8, options: RasterOptions) -> Frame {
        self.with_view(1, |view| {
            let view = View { content: Some([content; 16]), ..*view };
            draw_timed(&view, options, memory, None).expect("a view in range").0
        })
    }

    /// The light of every part of a pixel, computed on a separate thread pool.
    pub(super) fn shade(&self, options: RasterOptions, threads: usize) -> Vec<ShadedFragment> {
        self.with_view(threads, |view| shade(view, options).expect("a view in range"))
    }

    /// The colour behind everything in each pixel, computed on a separate thread pool.
    pub(super) fn shade_ground(&self, options: RasterOptions, threads: usize) -> Vec<[f32; 4]> {
        self.with_view(threads, |view| shade_ground(view, options).expect("a view in range"))
    }

    /// The visible fragments of each pixel, computed on a separate thread pool.
    pub(super) fn see(&self, tile: u32, threads: usize) -> Vec<VisibleFragment> {
        self.see_with(RasterOptions { tile, ..RasterOptions::default() }, threads)
    }

    /// The same, cut as requested.
    pub(super) fn see_with(&self, options: RasterOptions, threads: usize) -> Vec<VisibleFragment> {
        self.with_view(threads, |view| visibility(view, options).expect("a view in range"))
    }

    fn with_view<R: Send>(&self, threads: usize, look: impl Fn(&View) -> R + Sync) -> R {
        let textures: Vec<Texture> = self
            .images
            .iter()
            .map(|(image, kind)| Texture::new(image, *kind, &Deadline::NEVER).expect("no deadline"))
            .map(|texture| texture.with_filter(self.filter))
            .collect();
        let draws: Vec<Draw> = self
            .pieces
            .iter()
            .map(|piece| Draw {
                mesh: &piece.mesh,
                triangles: &piece.mesh.triangles,
                posed: &piece.posed,
                material: piece.material,
                casts: piece.casts,
            })
            .collect();
        let view = View {
            content: None,
            camera: self.camera,
            size: self.size,
            samples: self.samples,
            anisotropy: self.anisotropy,
            background: self.background,
            ambient: self.ambient,
            lights: &self.lights,
            environment: self.environment.as_deref().map(|map| Environment {
                map,
                turn: [0.8, 0.6],
                intensity: 1.5,
                is_shown: self.shows_environment,
            }),
            occlusion: self.occlusion,
            tone: self.tone,
            shadows: &self.shadows,
            ground: self.ground,
            materials: &self.materials,
            textures: &textures,
            draws: &draws,
        };
        if threads == 1 {
            // A pool costs more than a small picture, so single-threaded work uses a common pool of
            // one thread.
            return one_thread().install(|| look(&view));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a few threads").install(|| look(&view))
    }
}

fn one_thread() -> &'static rayon::ThreadPool {
    static POOL: std::sync::LazyLock<rayon::ThreadPool> = std::sync::LazyLock::new(|| {
        rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread")
    });
    &POOL
}

/// A world where points of the picture can be addressed exactly, in 1/256 pixel: everything is one
/// unit in front of the eye, and the picture is two units high.
pub(super) fn screen(size: [u32; 2], samples: u32, material: Material) -> World {
    let fov = FovAxis::Vertical(core::f32::consts::FRAC_PI_2);
    let mut world = World::empty(size, samples, Vec3::ZERO, -Vec3::Z);
    world.camera = Camera::looking_at(Vec3::ZERO, -Vec3::Z, Vec3::Y, fov, 0.05, f32::INFINITY);
    assert_eq!(world.camera.half_tangents(1.0), (1.0, 1.0), "or the places are not exact");
    world.materials.push(material);
    world
}

/// Triangles on the screen, in 1/256 pixel, sharing corners by index.
pub(super) fn screen_piece(size: [u32; 2], places: &[[i32; 2]], triangles: Vec<[u32; 3]>) -> Piece {
    screen_piece_in(size, 256, places, triangles)
}

/// The same with other units: a power of two to the pixel.
pub(super) fn screen_piece_in(
    size: [u32; 2],
    units: i32,
    places: &[[i32; 2]],
    triangles: Vec<[u32; 3]>,
) -> Piece {
    let [half_width, half_height] = size.map(|side| side as f32 * 0.5);
    let corners: Vec<Corner> = places
        .iter()
        .map(|&[x, y]| Corner {
            position: Vec3::new(
                (x as f32 / units as f32 - half_width) / half_height,
                (half_height - y as f32 / units as f32) / half_height,
                -1.0,
            ),
            normal: Vec3::Z,
            tangent: Vec3::X,
            uv: Vec2::ZERO,
        })
        .collect();
    piece(&corners, triangles, 0)
}

/// White emission.
pub(super) fn glowing(alpha: AlphaMode, opacity: f32, cull: CullMode) -> Material {
    Material {
        emissive: LinearRgb::WHITE,
        specular_strength: 0.0,
        alpha,
        opacity,
        cull,
        ..Material::new("glowing")
    }
}
