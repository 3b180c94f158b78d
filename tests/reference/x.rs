//! `.x` files read, posed and skinned in `f64`, in the axes and with the row vectors of the file
//! until the last step.
//!
//! For valid files only: anything unexpected is a panic, and with it a failed test.

use super::x_tree::Object;
use crate::held::Held;
use std::collections::HashMap;

/// A point or a vector.
pub(crate) type Point = [f64; 3];
/// Four rows.
pub(crate) type Matrix = [[f64; 4]; 4];

const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Choices of a reader where readers of the format differ.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    /// True if rotation keys are normalized; otherwise they become a matrix by the formula for unit
    /// length, and the matrix becomes a quaternion.
    pub normalizes_turns: bool,
    /// True if weights of a bone without a frame stay on the frame of their mesh; otherwise they
    /// are dropped.
    pub keeps_lost_bones: bool,
    /// True if a frame without a name, in an animated frame, keeps its matrix during animation;
    /// otherwise it has none.
    pub keeps_unnamed: bool,
}

impl Reading {
    /// As the program reads.
    pub(crate) const OURS: Self =
        Self { normalizes_turns: true, keeps_lost_bones: true, keeps_unnamed: true };
}

struct Frame {
    name: String,
    parent: Option<usize>,
    rest: Matrix,
}

struct Skin {
    bone: String,
    weights: Vec<(usize, f64)>,
    offset: Matrix,
}

/// A mesh as in the file.
pub(crate) struct Mesh {
    frame: Option<usize>,
    vertices: Vec<Point>,
    /// For each vertex, true if a face uses it.
    pub is_used: Vec<bool>,
    skins: Vec<Skin>,
}

type Keys<const N: usize> = Vec<(f64, [f64; N])>;

#[derive(Default)]
struct Animation {
    frame: String,
    rotation: Keys<4>,
    scale: Keys<3>,
    position: Keys<3>,
    matrix: Keys<16>,
}

/// A set of animations.
pub(crate) struct Set {
    animations: Vec<Animation>,
    /// The time of the first key.
    pub first_tick: f64,
    /// The time of the last key.
    pub last_tick: f64,
}

/// A whole file.
pub(crate) struct File {
    frames: Vec<Frame>,
    /// In file order.
    pub meshes: Vec<Mesh>,
    /// In file order.
    pub sets: Vec<Set>,
}

impl File {
    /// Reads a sound file of any encoding.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let root = Object::root(bytes);
        let mut file = Self { frames: Vec::new(), meshes: Vec::new(), sets: Vec::new() };
        file.walk(&root, None);
        file
    }

    fn walk(&mut self, object: &Object, frame: Option<usize>) {
        for inner in &object.objects {
            let mut around = frame;
            match inner.template.to_ascii_lowercase().as_str() {
                "frame" => {
                    let rest = inner.of("FrameTransformMatrix").next();
                    let rest = rest.map_or(IDENTITY, |matrix| matrix_of(&matrix.numbers));
                    self.frames.push(Frame { name: inner.name.clone(), parent: frame, rest });
                    around = Some(self.frames.len() - 1);
                }
                "mesh" => self.meshes.push(mesh(inner, frame)),
                "animationset" => self.sets.push(set(inner)),
                _ => {}
            }
            self.walk(inner, around);
        }
    }

    /// Every vertex of every mesh, in file order, with z turned round: at rest, or at a tick of a
    /// set.
    pub(crate) fn posed(&self, motion: Option<(usize, f64)>, reading: Reading) -> Vec<Vec<Point>> {
        let mut by_name: HashMap<&str, usize> = HashMap::new();
        for (index, frame) in self.frames.iter().enumerate().rev() {
            by_name.insert(&frame.name, index);
        }
        let mut locals: Vec<Matrix> = self.frames.iter().map(|frame| frame.rest).collect();
        let mut is_animated = vec![false; self.frames.len()];
        if let Some((set, tick)) = motion {
            for animation in &self.sets[set].animations {
                if let Some(&frame) = by_name.get(animation.frame.as_str()) {
                    locals[frame] = animation.local(&self.frames[frame].rest, tick, reading);
                    is_animated[frame] = true;
                }
            }
        }
        for (frame, local) in self.frames.iter().zip(&mut locals) {
            let in_animated = frame.parent.is_some_and(|parent| is_animated[parent]);
            if frame.name.is_empty() && in_animated && !reading.keeps_unnamed {
                *local = IDENTITY;
            }
        }
        let mut worlds: Vec<Matrix> = Vec::new();
        for (frame, local) in self.frames.iter().zip(&locals) {
            worlds.push(frame.parent.map_or(*local, |parent| times(local, &worlds[parent])));
        }
        let own = |mesh: &Mesh| mesh.frame.map_or(IDENTITY, |frame| worlds[frame]);
        self.meshes
            .iter()
            .map(|mesh| {
                let mut sums = vec![[0.0; 3]; mesh.vertices.len()];
                let mut is_held = vec![false; mesh.vertices.len()];
                for skin in &mesh.skins {
                    let whole = match by_name.get(skin.bone.as_str()) {
                        Some(&bone) => times(&skin.offset, &worlds[bone]),
                        None if reading.keeps_lost_bones => own(mesh),
                        None => continue,
                    };
                    for &(vertex, weight) in
                        skin.weights.iter().filter(|(_, weight)| *weight != 0.0)
                    {
                        let place = applied(&mesh.vertices[vertex], &whole);
                        is_held[vertex] = true;
                        for axis in 0..3 {
                            sums[vertex][axis] += place[axis] * weight;
                        }
                    }
                }
                let place = |vertex: usize| match is_held[vertex] {
                    true => sums[vertex],
                    false => applied(&mesh.vertices[vertex], &own(mesh)),
                };
                (0..sums.len()).map(place).map(|[x, y, z]| [x, y, -z]).collect()
            })
            .collect()
    }
}

fn matrix_of(numbers: &[f64]) -> Matrix {
    [0, 1, 2, 3].map(|row| [0, 1, 2, 3].map(|column| numbers[row * 4 + column]))
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    [0, 1, 2, 3]
        .map(|row| [0, 1, 2, 3].map(|column| (0..4).map(|k| a[row][k] * b[k][column]).sum()))
}

/// A row vector through a matrix.
fn applied([x, y, z]: &Point, m: &Matrix) -> Point {
    [0, 1, 2].map(|column| x * m[0][column] + y * m[1][column] + z * m[2][column] + m[3][column])
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts and indices")]
fn whole(numbers: &mut impl Iterator<Item = f64>) -> usize {
    let number = numbers.next().expect("a count or an index");
    assert!(number >= 0.0 && number.fract() == 0.0, "{number}");
    number as usize
}

fn mesh(object: &Object, frame: Option<usize>) -> Mesh {
    let mut numbers = object.numbers.iter().copied();
    let mut next = || numbers.next().expect("a coordinate");
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    let count = if object.numbers.is_empty() { 0 } else { next() as usize };
    let vertices: Vec<Point> = (0..count).map(|_| [next(), next(), next()]).collect();
    let mut is_used = vec![false; count];
    if !object.numbers.is_empty() {
        for _ in 0..whole(&mut numbers) {
            for _ in 0..whole(&mut numbers) {
                is_used[whole(&mut numbers)] = true;
            }
        }
    }
    let skins = object.of("SkinWeights").map(|skin| {
        let mut numbers = skin.numbers.iter().copied();
        let count = whole(&mut numbers);
        let vertices: Vec<usize> = (0..count).map(|_| whole(&mut numbers)).collect();
        let mut next = || numbers.next().expect("a weight or an offset");
        let weights = vertices.into_iter().map(|vertex| (vertex, next())).collect();
        let offset: Vec<f64> = (0..16).map(|_| next()).collect();
        Skin { bone: skin.texts[0].clone(), weights, offset: matrix_of(&offset) }
    });
    Mesh { frame, vertices, is_used, skins: skins.collect() }
}

fn set(object: &Object) -> Set {
    let animations: Vec<Animation> =
        object.of("Animation").filter(|one| !one.references.is_empty()).map(animation).collect();
    let times = animations.iter().flat_map(|one| {
        let rotation = one.rotation.iter().map(|key| key.0);
        let vectors = one.scale.iter().chain(&one.position).map(|key| key.0);
        rotation.chain(vectors).chain(one.matrix.iter().map(|key| key.0)).collect::<Vec<f64>>()
    });
    let times: Vec<f64> = times.collect();
    Set {
        animations,
        first_tick: times.iter().copied().fold(f64::MAX, Held::at_most),
        last_tick: times.iter().copied().fold(f64::MIN, Held::at_least),
    }
}

fn animation(object: &Object) -> Animation {
    let mut animation = Animation { frame: object.references[0].clone(), ..Animation::default() };
    for list in object.of("AnimationKey") {
        match list.numbers[0] {
            0.0 => animation.rotation = keys(&list.numbers[1..]),
            1.0 => animation.scale = keys(&list.numbers[1..]),
            2.0 => animation.position = keys(&list.numbers[1..]),
            3.0 | 4.0 => animation.matrix = keys(&list.numbers[1..]),
            other => panic!("keys of type {other}"),
        }
    }
    animation
}

/// By time; of two keys at one time the later one counts.
fn keys<const N: usize>(numbers: &[f64]) -> Keys<N> {
    let mut all: Keys<N> = numbers[1..]
        .chunks_exact(N + 2)
        .map(|key| (key[0], key[2..].try_into().expect("as many numbers")))
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut kept: Keys<N> = Vec::new();
    for key in all {
        if kept.last().is_some_and(|last| last.0 == key.0) {
            kept.pop();
        }
        kept.push(key);
    }
    kept
}

/// The keys around a tick, and its fraction from the first to the second.
fn around<const N: usize>(keys: &Keys<N>, tick: f64) -> ([f64; N], [f64; N], f64) {
    let after = keys.iter().position(|key| key.0 > tick);
    match after {
        Some(0) => (keys[0].1, keys[0].1, 0.0),
        None => (keys[keys.len() - 1].1, keys[keys.len() - 1].1, 0.0),
        Some(after) => {
            let (from, to) = (&keys[after - 1], &keys[after]);
            (from.1, to.1, (tick - from.0) / (to.0 - from.0))
        }
    }
}

fn straight<const N: usize>(keys: &Keys<N>, tick: f64) -> [f64; N] {
    let (from, to, share) = around(keys, tick);
    core::array::from_fn(|part| from[part] + (to[part] - from[part]) * share)
}

fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|part| part * part).sum::<f64>().sqrt();
    q.map(|part| part / length)
}

/// Along the shorter arc; `w` first.
fn turned(from: [f64; 4], to: [f64; 4], share: f64) -> [f64; 4] {
    let (from, to) = (unit(from), unit(to));
    let cosine: f64 = from.iter().zip(&to).map(|(a, b)| a * b).sum();
    let angle = libm::acos(cosine.abs().at_most(1.0));
    let (mut first, mut second) = (1.0 - share, share);
    if angle > 1e-7 {
        first = libm::sin((1.0 - share) * angle) / libm::sin(angle);
        second = libm::sin(share * angle) / libm::sin(angle);
    }
    second = if cosine < 0.0 { -second } else { second };
    unit(core::array::from_fn(|part| from[part] * first + to[part] * second))
}

/// The matrix whose columns rotate like `w, x, y, z`, which are the rows in a file.
fn rotation([w, x, y, z]: [f64; 4]) -> [Point; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// The quaternion of a matrix, by the largest of its four parts.
fn quaternion(m: [Point; 3]) -> [f64; 4] {
    let trace = m[0][0] + m[1][1] + m[2][2];
    if trace > 0.0 {
        let s = 2.0 * (1.0 + trace).sqrt();
        return [
            s / 4.0,
            (m[2][1] - m[1][2]) / s,
            (m[0][2] - m[2][0]) / s,
            (m[1][0] - m[0][1]) / s,
        ];
    }
    let (a, b, c) = if m[0][0] > m[1][1] && m[0][0] > m[2][2] {
        (0, 1, 2)
    } else if m[1][1] > m[2][2] {
        (1, 2, 0)
    } else {
        (2, 0, 1)
    };
    let s = 2.0 * (1.0 + m[a][a] - m[b][b] - m[c][c]).sqrt();
    let mut q = [(m[c][b] - m[b][c]) / s, 0.0, 0.0, 0.0];
    q[1 + a] = s / 4.0;
    q[1 + b] = (m[a][b] + m[b][a]) / s;
    q[1 + c] = (m[a][c] + m[c][a]) / s;
    q
}

/// Scale, rotation and position of a matrix without shear; a mirror is one along x.
fn apart(m: &Matrix) -> (Point, [f64; 4], Point) {
    let rows = [0, 1, 2].map(|row| [m[row][0], m[row][1], m[row][2]]);
    let [a, b, c] = rows;
    let determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0]);
    let mut scale = rows.map(|row| row.iter().map(|part| part * part).sum::<f64>().sqrt());
    if determinant < 0.0 {
        scale[0] = -scale[0];
    }
    let turn = [0, 1, 2].map(|row| rows[row].map(|part| part / scale[row]));
    (scale, quaternion(turn), [m[3][0], m[3][1], m[3][2]])
}

fn together(scale: Point, turn: [f64; 4], place: Point) -> Matrix {
    let rows = rotation(turn);
    let row = |n: usize| [rows[n][0] * scale[n], rows[n][1] * scale[n], rows[n][2] * scale[n], 0.0];
    [row(0), row(1), row(2), [place[0], place[1], place[2], 1.0]]
}

impl Animation {
    /// The frame on its parent at a tick; parts without keys are at rest.
    fn local(&self, rest: &Matrix, tick: f64, reading: Reading) -> Matrix {
        if !self.matrix.is_empty() {
            let (from, to, share) = around(&self.matrix, tick);
            if share == 0.0 {
                return matrix_of(&from);
            }
            let (a, b) = (apart(&matrix_of(&from)), apart(&matrix_of(&to)));
            let mix = |a: Point, b: Point| [0, 1, 2].map(|n| a[n] + (b[n] - a[n]) * share);
            return together(mix(a.0, b.0), turned(a.1, b.1, share), mix(a.2, b.2));
        }
        let (mut scale, mut turn, mut place) = apart(rest);
        if !self.rotation.is_empty() {
            let (from, to, share) = around(&self.rotation, tick);
            let read = |key: [f64; 4]| match reading.normalizes_turns {
                true => key,
                false => quaternion(rotation(key)),
            };
            turn = turned(read(from), read(to), share);
        }
        if !self.scale.is_empty() {
            scale = straight(&self.scale, tick);
        }
        if !self.position.is_empty() {
            place = straight(&self.position, tick);
        }
        together(scale, turn, place)
    }
}
