//! Skinning: weight-space mesh + joint matrices -> posed mesh.
//!
//! Input: a [`Mesh`] shared by all instances and the [`Pose`] of one. Output: its vertices in the
//! space of that pose. The work is split over threads by ranges of vertices; each vertex is
//! computed independently, with its influences summed in file order, so that neither the split nor
//! the number of threads can change a bit. This module samples no clip and knows no camera.
//!
//! # Lanes
//! A vertex has few influences, each with a different joint, so lanes do not hold eight vertices
//! but the numbers of one vertex: position in the lower half and normal in the upper. The matrix of
//! a joint and its normal matrix lie side by side and are loaded directly. One kernel serves all
//! levels; only the broadcast of a number over a half has two forms, because SSE2 cannot shuffle
//! bytes by a table.
//!
//! # Morph targets
//! A mesh with morph targets of non-zero weight adds, for each vertex, the sum of their offsets;
//! each influence transforms it by a separate matrix. Meshes without them are computed as if there
//! were no targets.
//!
//! # Facets
//! Triangles of a mesh without normals get them last, from their posed corners.
//!
//! # Dual quaternions
//! Vertices of dual-quaternion skins are first computed as those of a linear one; `dual` then moves
//! them to their final positions.

mod drawn;
mod dual;
mod extent;
mod matrices;
mod morph;
mod rows;

pub use drawn::{drawn_triangles, drawn_vertices, settle_undrawn};
pub use extent::Extent;
pub use matrices::SkinMatrices;

use crate::math::lanes::Vec3s;
use crate::math::{Aabb, Affine3, Vec3, unit_or};
use crate::simd::prelude::*;
use crate::simd::{self, Kernel, Level, Simd, f32x4, f32x8};
use crate::{Mesh, Pose, PosedMesh};
use matrices::Columns;
use morph::Morph;
use rows::{ROWS, load_first, spread, store, store_first, turn};

/// Maximum number of vertices per job of the thread pool.
const VERTICES_PER_JOB: usize = 2048;

/// Computes every vertex of `mesh`, copies included.
///
/// Positions are `Σ weight · (matrix · position_in_joint)`, plus `matrix · carrier · offset` where
/// the mesh is morphed. Normals and tangents are summed in the same way and normalized; a vertex
/// whose influences cancel out, or that has none, gets +Y and +X.
#[must_use]
pub fn skin_mesh(mesh: &Mesh, matrices: &SkinMatrices) -> PosedMesh {
    skin_mesh_with(mesh, matrices, SkinOptions { tangents: true, level: Level::best() })
}

/// Options of skinning.
#[derive(Clone, Copy, Debug)]
pub struct SkinOptions {
    /// True to compute tangents; otherwise the posed mesh has none.
    pub tangents: bool,
    /// Instructions to use; the machine must have them. They do not affect the bits.
    pub level: Level,
}

/// As [`skin_mesh`], with options.
#[must_use]
pub fn skin_mesh_with(mesh: &Mesh, matrices: &SkinMatrices, options: SkinOptions) -> PosedMesh {
    let mut posed = PosedMesh::default();
    skin_mesh_into(mesh, matrices, options, &mut posed);
    posed
}

/// As [`skin_mesh_with`], reusing the memory of any posed mesh that is no longer needed; none of
/// its content remains.
///
/// From frame to frame this saves the system from allocating the same memory again, page by page.
pub fn skin_mesh_into(
    mesh: &Mesh,
    matrices: &SkinMatrices,
    options: SkinOptions,
    posed: &mut PosedMesh,
) {
    let count = mesh.vertex_count();
    let tangents = if options.tangents { count } else { 0 };
    for (streams, count) in
        [(&mut posed.position, count), (&mut posed.normal, count), (&mut posed.tangent, tangents)]
    {
        streams.iter_mut().for_each(|stream| stream.resize(count, 0.0));
    }
    let out = Range {
        position: posed.position.each_mut().map(Vec::as_mut_slice),
        normal: posed.normal.each_mut().map(Vec::as_mut_slice),
        tangent: posed.tangent.each_mut().map(Vec::as_mut_slice),
    };
    let shape = SkinInput { mesh, matrices, morph: Morph::of(mesh, matrices) };
    skin_range(&shape, options.level, 0, out);
    dual::settle(mesh, matrices, shape.morph.as_ref(), posed);
    if mesh.is_faceted {
        flatten(mesh, posed);
    }
}

/// Sets the normal of each triangle of a posed mesh to that of its plane, on the side of the
/// skinned normals; a triangle without area keeps these.
fn flatten(mesh: &Mesh, posed: &mut PosedMesh) {
    let normal_of = |posed: &PosedMesh, triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|vertex| posed.position_at(vertex as usize));
        (b - a).cross(c - a)
    };
    let agreement = mesh.triangles.iter().fold(0.0, |sum, triangle| {
        let [x, y, z] = posed.normal.each_ref().map(|axis| axis[triangle[0] as usize]);
        sum + normal_of(posed, triangle).dot(Vec3::new(x, y, z))
    });
    // A mirroring transform turns the winding over.
    let side = if agreement < 0.0 { -1.0 } else { 1.0 };
    for triangle in &mesh.triangles {
        let normal = unit_or(normal_of(posed, triangle), Vec3::ZERO) * side;
        if normal == Vec3::ZERO {
            continue;
        }
        for vertex in triangle {
            for axis in 0..3 {
                posed.normal[axis][*vertex as usize] = normal[axis];
            }
        }
    }
}

/// A mesh in a pose.
struct SkinInput<'a> {
    mesh: &'a Mesh,
    matrices: &'a SkinMatrices,
    morph: Option<Morph<'a>>,
}

/// The part of a posed mesh that one job writes.
struct Range<'a> {
    position: [&'a mut [f32]; 3],
    normal: [&'a mut [f32]; 3],
    tangent: [&'a mut [f32]; 3],
}

impl Range<'_> {
    fn len(&self) -> usize {
        self.position[0].len()
    }

    fn split_at(self, middle: usize) -> (Self, Self) {
        let [p, n, t] = [self.position, self.normal, self.tangent].map(|axes| {
            let [x, y, z] = axes.map(|axis| axis.split_at_mut(middle.min(axis.len())));
            ([x.0, y.0, z.0], [x.1, y.1, z.1])
        });
        (
            Self { position: p.0, normal: n.0, tangent: t.0 },
            Self { position: p.1, normal: n.1, tangent: t.1 },
        )
    }
}

fn skin_range(shape: &SkinInput, level: Level, first: usize, out: Range) {
    if out.len() > VERTICES_PER_JOB {
        // Blocks of targets are not parted.
        let middle = (out.len() / 2).next_multiple_of(ROWS);
        let (left, right) = out.split_at(middle);
        rayon::join(
            || skin_range(shape, level, first, left),
            || skin_range(shape, level, first + middle, right),
        );
        return;
    }
    simd::run(level, SkinRange { shape, first, out });
}

/// A range of vertices, computed by one thread.
struct SkinRange<'a> {
    shape: &'a SkinInput<'a>,
    first: usize,
    out: Range<'a>,
}

impl Kernel for SkinRange<'_> {
    type Output = ();

    fn scalar(self) {
        let Self { shape, first, out: Range { position, normal, tangent } } = self;
        for index in 0..position[0].len() {
            let (p, n, t) = skin_vertex(shape, first + index);
            for axis in 0..3 {
                position[axis][index] = p[axis];
                normal[axis][index] = n[axis];
                if let Some(tangent) = tangent[axis].get_mut(index) {
                    *tangent = t[axis];
                }
            }
        }
    }

    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S) {
        let Self { shape, first, out } = self;
        let Range { mut position, mut normal, mut tangent } = out;
        let streams = (&mut position, &mut normal, &mut tangent);
        match (&shape.morph, streams.2[0].is_empty()) {
            (None, true) => sum_range::<S, false, false>(simd, shape, first, streams),
            (None, false) => sum_range::<S, true, false>(simd, shape, first, streams),
            (Some(_), true) => sum_range::<S, false, true>(simd, shape, first, streams),
            (Some(_), false) => sum_range::<S, true, true>(simd, shape, first, streams),
        }
        bring_to_unit(simd, &mut normal, Vec3::Y);
        bring_to_unit(simd, &mut tangent, Vec3::X);
    }
}

/// Streams of positions, normals and tangents.
type Streams<'s, 'a> =
    (&'s mut [&'a mut [f32]; 3], &'s mut [&'a mut [f32]; 3], &'s mut [&'a mut [f32]; 3]);

/// Fills streams with sums, before normalization.
#[inline(always)]
fn sum_range<S: Simd, const TANGENT: bool, const MORPH: bool>(
    simd: S,
    shape: &SkinInput,
    first: usize,
    (position, normal, tangent): Streams,
) {
    let count = position[0].len();
    let mut start = 0;
    while start < count {
        let vertices = first + start..first + count.min(start + ROWS);
        let (rows, tangents) = sum_rows::<S, TANGENT, MORPH>(simd, shape, vertices);
        if TANGENT {
            store(turn(tangents)[0], tangent, start);
        }
        let [places, ups] = turn(rows);
        store(places, position, start);
        store(ups, normal, start);
        start += ROWS;
    }
}

/// Normalizes vectors in place.
#[inline(always)]
fn bring_to_unit<S: Simd>(simd: S, [x, y, z]: &mut [&mut [f32]; 3], fallback: Vec3) {
    let fallback = Vec3s::<S>::splat(simd, fallback);
    let mut start = 0;
    while start < x.len() {
        let (x, y, z) = (&mut x[start..], &mut y[start..], &mut z[start..]);
        let vector = Vec3s::<S>::new(load_first(simd, x), load_first(simd, y), load_first(simd, z));
        let unit = vector.unit_or(fallback);
        store_first::<S>(unit.x, x);
        store_first::<S>(unit.y, y);
        store_first::<S>(unit.z, z);
        start += S::f32s::LEN;
    }
}

/// Sums of [`skin_vertex`] for up to eight vertices, before normalization: one row of position and
/// normal per vertex, and another with the tangent in its lower half.
#[inline(always)]
fn sum_rows<S: Simd, const TANGENT: bool, const MORPH: bool>(
    simd: S,
    shape: &SkinInput,
    vertices: core::ops::Range<usize>,
) -> ([f32x8<S>; ROWS], [f32x8<S>; ROWS]) {
    let SkinInput { mesh, matrices, morph } = shape;
    let zero = f32x8::splat(simd, 0.0);
    let (mut rows, mut tangents) = ([zero; ROWS], [zero; ROWS]);
    // Sliced to size before the loop, so that indices are not checked for each vertex.
    let count = vertices.len().min(ROWS);
    let starts = &mesh.influence_start[vertices.start..][..=count];
    let (all_influences, all_columns) = (mesh.influences.as_slice(), matrices.columns.as_slice());
    let morph = if MORPH { morph.as_ref() } else { None };
    let offsets = morph.map(|morph| morph.block::<S, TANGENT>(simd, vertices.start / ROWS));
    for row in 0..count {
        let (mut both, mut tangent) = (zero, f32x4::splat(simd, 0.0));
        let range = starts[row] as usize..starts[row + 1] as usize;
        let alongs = if TANGENT { &mesh.tangent[range.clone()] } else { &[] };
        let first = range.start;
        for (index, influence) in all_influences[range].iter().enumerate() {
            let Columns(columns) = &all_columns[influence.joint().index()];
            let numbers = influence.numbers();
            let x = f32x8::from_slice(simd, &columns[0]) * spread::<S, 0>(simd, numbers);
            let y = f32x8::from_slice(simd, &columns[1]) * spread::<S, 1>(simd, numbers);
            let z = f32x8::from_slice(simd, &columns[2]) * spread::<S, 2>(simd, numbers);
            let mut place = x + y + z + f32x8::from_slice(simd, &columns[3]);
            if let (true, Some(morph), Some(offsets)) = (MORPH, morph, &offsets) {
                let Columns(columns) = &morph.carrier(first + index).columns;
                let numbers = &offsets.rows[row];
                let x = f32x8::from_slice(simd, &columns[0]) * spread::<S, 0>(simd, numbers);
                let y = f32x8::from_slice(simd, &columns[1]) * spread::<S, 1>(simd, numbers);
                let z = f32x8::from_slice(simd, &columns[2]) * spread::<S, 2>(simd, numbers);
                place += x + y + z;
            }
            both += place * f32x8::splat(simd, numbers[3]);
            if TANGENT {
                let along = alongs[index];
                let mut carried = carry(simd, columns, along);
                if let (true, Some(morph), Some(offsets)) = (MORPH, morph, &offsets) {
                    let Columns(columns) = &morph.carrier(first + index).columns;
                    carried += carry(simd, columns, offsets.tangents[row]);
                }
                tangent += carried * numbers[3];
            }
        }
        rows[row] = both;
        if TANGENT {
            tangents[row] = tangent.combine(tangent);
        }
    }
    (rows, tangents)
}

/// A direction times the matrix in the lower halves of columns.
#[inline(always)]
fn carry<S: Simd>(simd: S, columns: &[[f32; 8]; 4], along: Vec3) -> f32x4<S> {
    let x = f32x4::from_slice(simd, &columns[0][..4]) * along.x;
    let y = f32x4::from_slice(simd, &columns[1][..4]) * along.y;
    let z = f32x4::from_slice(simd, &columns[2][..4]) * along.z;
    x + y + z
}

/// Skins one vertex, its influences in file order: the definition.
#[inline]
fn skin_vertex(shape: &SkinInput, vertex: usize) -> (Vec3, Vec3, Vec3) {
    let SkinInput { mesh, matrices, morph } = shape;
    let (mut position, mut normal, mut tangent) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    let offsets = morph.as_ref().map(|morph| morph.offsets_of(vertex));
    for place in mesh.influences_of(vertex) {
        let influence = &mesh.influences[place];
        let joint = influence.joint().index();
        let weight = influence.weight();
        let matrix = &matrices.position[joint];
        let mut own = [
            matrix.transform_point3(influence.position()),
            matrices.normal[joint] * influence.normal(),
            matrix.matrix3 * mesh.tangent[place],
        ];
        if let (Some(morph), Some(offsets)) = (morph, offsets) {
            let carried = morph.carrier(place).carry(offsets);
            own.iter_mut().zip(carried).for_each(|(own, carried)| *own += carried);
        }
        position += own[0] * weight;
        normal += own[1] * weight;
        tangent += own[2] * weight;
    }
    (position, unit_or(normal, Vec3::Y), unit_or(tangent, Vec3::X))
}

/// Skins only the position, with the bits of [`skin_vertex`]; for a mesh that is not morphed.
#[inline]
fn skin_position(mesh: &Mesh, matrices: &[Affine3], vertex: usize) -> Vec3 {
    let mut position = Vec3::ZERO;
    for influence in &mesh.influences[mesh.influences_of(vertex)] {
        let matrix = &matrices[influence.joint().index()];
        position += matrix.transform_point3(influence.position()) * influence.weight();
    }
    position
}

/// The bounding box of a mesh whose vertices are not between their positions by their joints.
fn posed_bounds(mesh: &Mesh, pose: &Pose) -> Aabb {
    let options = SkinOptions { tangents: false, level: Level::best() };
    skin_mesh_with(mesh, &SkinMatrices::new(pose), options).bounds()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Quat, Vec2, normal_matrix};
    use crate::{
        Influence, Joint, JointIndex, MorphTarget, MorphTargets, MorphTransform, Skeleton,
        VertexInfluence, WeightSpaceMesh,
    };
    use std::sync::Arc;
    use tintype_base::deadline::Deadline;

    fn two_joints() -> Skeleton {
        let joint = |name: &str, parent, model_from_joint| Joint {
            name: String::from(name),
            parent,
            model_from_joint,
        };
        let lower = Affine3::from_rotation_translation(Quat::from_rotation_z(0.5), Vec3::X);
        let upper =
            lower * Affine3::from_rotation_translation(Quat::from_rotation_y(-1.1), Vec3::Y * 2.0);
        Skeleton::try_new(vec![
            joint("lower", None, lower),
            joint("upper", Some(JointIndex(0)), upper),
        ])
        .unwrap()
    }

    /// A strip of `count` triangles held by both joints with varying weights.
    fn strip(skeleton: &Skeleton, count: u32) -> (Mesh, Vec<Vec3>) {
        let bind =
            Pose::new(skeleton.joints().iter().map(|joint| joint.model_from_joint).collect());
        let places: Vec<Vec3> = (0..count + 2)
            .map(|v| Vec3::new(v as f32 * 0.25, (v % 2) as f32, (v % 5) as f32 * 0.1))
            .collect();
        let mut weighted =
            WeightSpaceMesh { influence_start: vec![0], ..WeightSpaceMesh::default() };
        for (v, &place) in places.iter().enumerate() {
            let share = (v % 7) as f32 / 7.0;
            for (joint, weight) in [(0_u16, share), (1, 1.0 - share)] {
                let position = bind.matrices[usize::from(joint)].inverse().transform_point3(place);
                weighted.influences.push(VertexInfluence {
                    joint: JointIndex(joint),
                    weight,
                    position,
                });
            }
            weighted.influence_start.push(weighted.influences.len() as u32);
            weighted.texcoords.push(Vec2::new(place.x, -place.y));
        }
        weighted.triangles = (0..count)
            .map(|v| if v % 2 == 0 { [v, v + 2, v + 1] } else { [v, v + 1, v + 2] })
            .collect();
        (Mesh::new(weighted, skeleton, &Deadline::NEVER).expect("no deadline"), places)
    }

    #[test]
    fn skin_in_the_bind_pose_gives_the_bind_positions() {
        let skeleton = two_joints();
        let (mesh, places) = strip(&skeleton, 40);
        let bind =
            Pose::new(skeleton.joints().iter().map(|joint| joint.model_from_joint).collect());
        let posed = skin_mesh(&mesh, &SkinMatrices::new(&bind));
        for (vertex, place) in places.iter().enumerate() {
            assert!((posed.position_at(vertex) - *place).length() < 1e-5);
            assert!((posed.normal_at(vertex).length() - 1.0).abs() < 1e-6);
            assert!(posed.normal_at(vertex).dot(posed.tangent_at(vertex)).abs() < 1e-5);
        }
    }

    #[test]
    fn skin_turns_normals_with_a_rigid_pose() {
        let skeleton = two_joints();
        let (mesh, _) = strip(&skeleton, 40);
        let turn = Affine3::from_rotation_translation(
            Quat::from_rotation_x(0.7) * Quat::from_rotation_y(2.0),
            Vec3::new(3.0, -1.0, 0.5),
        );
        let bind =
            Pose::new(skeleton.joints().iter().map(|joint| joint.model_from_joint).collect());
        let still = skin_mesh(&mesh, &SkinMatrices::new(&bind));
        let moved = skin_mesh(&mesh, &SkinMatrices::new(&bind.placed(&turn)));
        for vertex in 0..still.len() {
            let normal = turn.transform_vector3(still.normal_at(vertex));
            assert!((moved.normal_at(vertex) - normal).length() < 1e-5);
            let place = turn.transform_point3(still.position_at(vertex));
            assert!((moved.position_at(vertex) - place).length() < 1e-4);
        }
    }

    #[test]
    fn skin_gives_the_same_bits_on_any_number_of_threads() {
        let skeleton = two_joints();
        let (mesh, _) = strip(&skeleton, 3 * VERTICES_PER_JOB as u32 + 17);
        let pose = Pose::new(vec![Affine3::from_rotation_x(0.3), Affine3::from_rotation_y(1.7)]);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| skin_mesh(&mesh, &SkinMatrices::new(&pose)))
        };
        let alone = run(1);
        for threads in [2, 3, 8] {
            assert_eq!(run(threads), alone, "{threads}");
        }
    }

    /// The numbers of a posed mesh, stream by stream, without tangents if it has none.
    fn bits(posed: &PosedMesh) -> Vec<Vec<u32>> {
        let streams = posed.position.iter().chain(&posed.normal).chain(&posed.tangent);
        let streams = streams.filter(|stream| !stream.is_empty());
        streams.map(|stream| stream.iter().map(|value| value.to_bits()).collect()).collect()
    }

    #[test]
    fn skin_of_every_level_has_the_bits_of_plain_code() {
        let skeleton = two_joints();
        // Every remainder of a vector, and a vertex whose influences cancel out.
        for count in [1, 2, 5, 14, 15, 16, 30, 61] {
            let (mut mesh, _) = strip(&skeleton, count);
            mesh.influences[0] = Influence::new(JointIndex(0), 1.0, Vec3::X, Vec3::ZERO);
            mesh.influences[1] = Influence::new(JointIndex(1), 0.5, Vec3::Y, Vec3::ZERO);
            let stretch = Affine3::from_scale(Vec3::new(1.5, 0.3, -2.0));
            let matrices =
                vec![Affine3::from_rotation_x(0.3), Affine3::from_rotation_y(1.7) * stretch];
            let matrices = SkinMatrices::new(&Pose::new(matrices));
            let skin =
                |level, tangents| skin_mesh_with(&mesh, &matrices, SkinOptions { tangents, level });
            let plain = skin(Level::Scalar, true);
            for level in Level::available() {
                assert_eq!(bits(&skin(level, true)), bits(&plain), "{level:?}, {count}");
                let without = skin(level, false);
                assert_eq!(bits(&without), bits(&plain)[..6], "{level:?}, {count}");
            }
        }
    }

    /// The strip with three targets: of all vertices, of the last block, and also of tangents.
    fn morphed(skeleton: &Skeleton, count: u32) -> Mesh {
        let (mut mesh, _) = strip(skeleton, count);
        let vertices = mesh.vertex_count();
        let at = |vertex: usize, k: f32| Vec3::new(k, vertex as f32 * 0.01, -k * 0.3);
        let targets = vec![
            MorphTarget::new(0, vertices, |v| [at(v, 0.5), at(v, 0.1), Vec3::ZERO]),
            MorphTarget::new(2, vertices, |v| {
                [if v + 3 > vertices { Vec3::Y } else { Vec3::ZERO }; 3]
            }),
            MorphTarget::new(1, vertices, |v| [at(v, -0.2), Vec3::ZERO, at(v, 0.7)]),
        ];
        let carriers = (0..2).map(|joint| {
            let linear = skeleton.joints()[joint].model_from_joint.matrix3.inverse();
            let joint = JointIndex(joint as u16);
            MorphTransform { joint, linear, normal: normal_matrix(linear) }
        });
        let carrier_of = mesh.influences.iter().map(|one| u32::from(one.joint().0)).collect();
        let carriers = carriers.collect();
        mesh.morph = Some(Arc::new(MorphTargets { targets, carriers, carrier_of }));
        mesh
    }

    #[test]
    fn morphs_of_every_level_and_split_have_the_bits_of_plain_code() {
        let skeleton = two_joints();
        for count in [1, 6, 30, 61, 2 * VERTICES_PER_JOB as u32 + 333] {
            let mesh = morphed(&skeleton, count);
            let stretch = Affine3::from_scale(Vec3::new(1.5, 0.3, -2.0));
            let joints =
                vec![Affine3::from_rotation_x(0.3), Affine3::from_rotation_y(1.7) * stretch];
            for morphs in [vec![0.0; 3], vec![0.7, 0.0, -1.5], vec![0.0, 3.0, 0.25], vec![1.0]] {
                let pose = Pose { morphs, ..Pose::new(joints.clone()) };
                let matrices = SkinMatrices::new(&pose);
                let skin = |level, tangents| {
                    skin_mesh_with(&mesh, &matrices, SkinOptions { tangents, level })
                };
                let plain = skin(Level::Scalar, true);
                for level in Level::available() {
                    assert_eq!(bits(&skin(level, true)), bits(&plain), "{level:?}, {count}");
                    assert_eq!(bits(&skin(level, false)), bits(&plain)[..6], "{level:?}, {count}");
                }
                let mut bounds = Aabb::EMPTY;
                Extent::new(&mesh).grow(&pose, &mut bounds);
                assert_eq!(bounds, plain.bounds());
            }
        }
    }

    #[test]
    fn targets_of_weight_0_change_no_bit() {
        let skeleton = two_joints();
        let (plain, _) = strip(&skeleton, 40);
        let matrices = vec![Affine3::from_rotation_x(0.3), Affine3::from_rotation_y(1.7)];
        let pose = Pose { morphs: vec![0.0; 3], ..Pose::new(matrices) };
        let matrices = SkinMatrices::new(&pose);
        let found = skin_mesh(&morphed(&skeleton, 40), &matrices);
        assert_eq!(bits(&found), bits(&skin_mesh(&plain, &matrices)));
    }

    #[test]
    fn morphed_vertex_is_the_bind_vertex_with_its_offset() {
        let skeleton = two_joints();
        let (mesh, places) = (morphed(&skeleton, 40), strip(&skeleton, 40).1);
        let matrices = skeleton.joints().iter().map(|joint| joint.model_from_joint).collect();
        let pose = Pose { morphs: vec![2.0, 0.0, 0.0], ..Pose::new(matrices) };
        let posed = skin_mesh(&mesh, &SkinMatrices::new(&pose));
        for (vertex, place) in places.iter().enumerate() {
            let expected = *place + Vec3::new(0.5, vertex as f32 * 0.01, -0.15) * 2.0;
            assert!((posed.position_at(vertex) - expected).length() < 1e-5, "{vertex}");
        }
    }

    #[test]
    fn skin_into_a_used_mesh_leaves_nothing_of_it() {
        let skeleton = two_joints();
        let pose = Pose::new(vec![Affine3::from_rotation_x(0.3), Affine3::from_rotation_y(1.7)]);
        let matrices = SkinMatrices::new(&pose);
        let mut used = PosedMesh::default();
        for (count, tangents) in [(60, true), (13, false), (31, true), (90, false), (90, true)] {
            let (mesh, _) = strip(&skeleton, count);
            let options = SkinOptions { tangents, level: Level::best() };
            for stream in used.position.iter_mut().chain(&mut used.normal) {
                stream.fill(f32::NAN);
            }
            skin_mesh_into(&mesh, &matrices, options, &mut used);
            assert_eq!(bits(&used), bits(&skin_mesh_with(&mesh, &matrices, options)), "{count}");
        }
    }

    #[test]
    fn extent_is_the_box_around_all_vertices_of_all_poses() {
        let skeleton = two_joints();
        for is_odd in [false, true] {
            let (mut mesh, _) = strip(&skeleton, 200);
            if is_odd {
                // One vertex is thrown far out by its weights, another pulled in.
                let (far, near) = (mesh.influences_of(77), mesh.influences_of(140));
                for (at, weight) in [(far.start, 2.5), (near.start, -1.5)] {
                    let influence = mesh.influences[at];
                    mesh.influences[at] = Influence::new(
                        influence.joint(),
                        weight,
                        influence.position(),
                        influence.normal(),
                    );
                }
            }
            let extent = Extent::new(&mesh);
            let (mut found, mut expected) = (Aabb::EMPTY, Aabb::EMPTY);
            for step in 0..60 {
                let angle = (step * step % 37) as f32 * 0.17;
                let swing = Affine3::from_rotation_translation(
                    Quat::from_rotation_x(angle) * Quat::from_rotation_z(angle * 0.7),
                    Vec3::new(0.0, angle * 0.1, -0.2),
                );
                let pose = Pose::new(vec![swing, swing * Affine3::from_rotation_y(angle)]);
                extent.grow(&pose, &mut found);
                expected.merge(&skin_mesh(&mesh, &SkinMatrices::new(&pose)).bounds());
                assert_eq!(found, expected, "step {step}");
            }
        }
    }

    #[test]
    fn skin_of_a_vertex_without_influence_sits_at_the_origin() {
        let weighted = WeightSpaceMesh {
            texcoords: vec![Vec2::ZERO],
            influence_start: vec![0, 0],
            ..WeightSpaceMesh::default()
        };
        let mesh =
            Mesh::new(weighted, &Skeleton::default(), &Deadline::NEVER).expect("no deadline");
        let posed = skin_mesh(&mesh, &SkinMatrices::new(&Pose::default()));
        assert_eq!(posed.position_at(0), Vec3::ZERO);
        assert_eq!(posed.normal_at(0), Vec3::Y);
    }

    #[test]
    fn facets_are_flat_in_every_pose() {
        let skeleton = two_joints();
        let (mut mesh, _) = strip(&skeleton, 1);
        mesh.is_faceted = true;
        for mirror in [1.0, -1.0] {
            let mut pose =
                Pose::new(skeleton.joints().iter().map(|joint| joint.model_from_joint).collect());
            pose.matrices[1].translation += Vec3::new(0.3, -0.7, 0.9);
            let pose = pose.placed(&Affine3::from_scale(Vec3::new(mirror, 1.0, 1.0)));
            let posed = skin_mesh(&mesh, &SkinMatrices::new(&pose));
            let [a, b, c] = [0, 1, 2].map(|vertex| posed.position_at(vertex));
            let plane = (b - a).cross(c - a).normalize() * mirror;
            for vertex in 0..3 {
                let [x, y, z] = posed.normal.each_ref().map(|axis| axis[vertex]);
                let cosine = Vec3::new(x, y, z).dot(plane);
                assert!(cosine.abs() > 0.9999, "{cosine}");
            }
        }
    }
}
