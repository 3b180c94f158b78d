//! MD5 files read, posed and skinned in `f64`, in the axes of the file until the last step.
//!
//! For valid files only: anything unexpected is a panic, and with it a failed test.

use crate::held::Held;

/// A point or a vector.
pub(crate) type Vector = [f64; 3];
/// `x, y, z, w`.
pub(crate) type Quaternion = [f64; 4];

/// Words, parentheses, braces and quoted texts of the first document in a file; comments are
/// removed.
struct Words {
    words: Vec<String>,
    next: usize,
}

impl Words {
    fn of(bytes: &[u8]) -> Self {
        let text: Vec<char> = bytes.iter().map(|&byte| char::from(byte)).collect();
        let (mut words, mut word) = (Vec::new(), String::new());
        let mut at = 0;
        while at < text.len() {
            let c = text[at];
            if c == '"' {
                let end = (at + 1..text.len()).find(|&end| text[end] == '"').expect("a quote");
                words.push(format!("\"{}", text[at + 1..end].iter().collect::<String>()));
                at = end;
            } else if c == '/' && text.get(at + 1) == Some(&'/') {
                while at + 1 < text.len() && text[at + 1] != '\n' {
                    at += 1;
                }
            } else if "(){}".contains(c) || c.is_whitespace() || c == '\0' {
                if !word.is_empty() {
                    words.push(core::mem::take(&mut word));
                }
                if "(){}".contains(c) {
                    words.push(c.to_string());
                }
            } else {
                word.push(c);
            }
            at += 1;
        }
        if !word.is_empty() {
            words.push(word);
        }
        // An exporter that appends starts again with the version.
        let starts: Vec<usize> =
            (0..words.len()).filter(|&index| words[index] == "MD5Version").collect();
        words.truncate(starts.get(1).copied().unwrap_or(words.len()));
        Self { words, next: 0 }
    }

    fn is_done(&self) -> bool {
        self.next >= self.words.len()
    }

    fn word(&mut self) -> &str {
        self.next += 1;
        &self.words[self.next - 1]
    }

    fn peek(&self) -> &str {
        &self.words[self.next]
    }

    fn skip(&mut self, expected: &str) {
        let word = self.word();
        assert_eq!(word, expected);
    }

    fn name(&mut self) -> String {
        self.word().strip_prefix('"').expect("a quoted text").to_owned()
    }

    fn float(&mut self) -> f64 {
        self.word().parse().expect("a number")
    }

    fn index(&mut self) -> usize {
        self.word().parse().expect("an index")
    }

    fn parent(&mut self) -> Option<usize> {
        let parent: i64 = self.word().parse().expect("a parent");
        usize::try_from(parent).ok()
    }

    fn vector(&mut self) -> Vector {
        self.skip("(");
        let vector = [self.float(), self.float(), self.float()];
        self.skip(")");
        vector
    }
}

/// A position and a turn, from one space to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub position: Vector,
    pub rotation: Quaternion,
}

/// A joint of the bind pose, in model space.
pub(crate) struct Joint {
    pub name: String,
    pub bind: Placed,
}

/// One mesh of an `.md5mesh` file.
#[derive(Default)]
pub(crate) struct Mesh {
    pub texcoords: Vec<[f64; 2]>,
    /// First weight and number of weights, a vertex.
    pub runs: Vec<(usize, usize)>,
    pub triangles: Vec<[usize; 3]>,
    /// Joint, bias and position, a weight.
    pub weights: Vec<(usize, f64, Vector)>,
}

/// The first document of an `.md5mesh` file.
pub(crate) struct Model {
    pub joints: Vec<Joint>,
    pub meshes: Vec<Mesh>,
}

impl Model {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let mut words = Words::of(bytes);
        let mut model = Self { joints: Vec::new(), meshes: Vec::new() };
        while !words.is_done() {
            match words.word() {
                "joints" => {
                    words.skip("{");
                    while words.peek() != "}" {
                        let name = words.name();
                        words.parent();
                        let (position, xyz) = (words.vector(), words.vector());
                        let bind = Placed { position, rotation: with_w(xyz) };
                        model.joints.push(Joint { name, bind });
                    }
                }
                "mesh" => model.meshes.push(Self::read_mesh(&mut words)),
                _ => {}
            }
        }
        model
    }

    fn read_mesh(words: &mut Words) -> Mesh {
        let mut mesh = Mesh::default();
        words.skip("{");
        loop {
            match words.word() {
                "}" => return mesh,
                "vert" => {
                    assert_eq!(words.index(), mesh.runs.len());
                    words.skip("(");
                    mesh.texcoords.push([words.float(), words.float()]);
                    words.skip(")");
                    mesh.runs.push((words.index(), words.index()));
                }
                "tri" => {
                    assert_eq!(words.index(), mesh.triangles.len());
                    mesh.triangles.push([words.index(), words.index(), words.index()]);
                }
                "weight" => {
                    assert_eq!(words.index(), mesh.weights.len());
                    mesh.weights.push((words.index(), words.float(), words.vector()));
                }
                _ => {}
            }
        }
    }

    /// The joints in the pose of the file.
    pub(crate) fn bind_pose(&self) -> Vec<Placed> {
        self.joints.iter().map(|joint| joint.bind).collect()
    }

    /// The joints of `clip` at `time_s` after its start, by name. None if it lacks one of them.
    pub(crate) fn pose(&self, clip: &Clip, time_s: f64) -> Option<Vec<Placed>> {
        let placed = clip.sample(time_s);
        self.joints
            .iter()
            .enumerate()
            .map(|(index, joint)| {
                // The n-th joint of a name is the n-th of that name in the clip.
                let nth = self.joints[..index].iter().filter(|j| j.name == joint.name).count();
                let mut same =
                    (0..clip.joints.len()).filter(|&j| clip.joints[j].name == joint.name);
                same.nth(nth).map(|found| placed[found])
            })
            .collect()
    }
}

impl Mesh {
    /// All vertices in a pose, with +Y up.
    pub(crate) fn positions(&self, pose: &[Placed]) -> Vec<Vector> {
        let vertex = |&(first, count): &(usize, usize)| {
            let mut sum = [0.0; 3];
            for &(joint, bias, position) in &self.weights[first..first + count] {
                let place = add(pose[joint].position, rotate(pose[joint].rotation, position));
                sum = add(sum, scale(place, bias));
            }
            y_up(sum)
        };
        self.runs.iter().map(vertex).collect()
    }

    /// The joint that alone holds a vertex, with weight 1.
    pub(crate) fn only_joint(&self, vertex: usize) -> Option<usize> {
        let (first, count) = self.runs[vertex];
        let mut pulling =
            self.weights[first..first + count].iter().filter(|(_, bias, _)| *bias != 0.0);
        match (pulling.next(), pulling.next()) {
            (Some(&(joint, 1.0, _)), None) => Some(joint),
            _ => None,
        }
    }
}

struct ClipJoint {
    name: String,
    parent: Option<usize>,
    flags: usize,
    start: usize,
    base: (Vector, Vector),
}

/// The first document of an `.md5anim` file.
pub(crate) struct Clip {
    joints: Vec<ClipJoint>,
    frames: Vec<Vec<f64>>,
    pub rate_hz: f64,
}

impl Clip {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let mut words = Words::of(bytes);
        let mut clip = Self { joints: Vec::new(), frames: Vec::new(), rate_hz: 24.0 };
        while !words.is_done() {
            match words.word() {
                "frameRate" => clip.rate_hz = words.float(),
                "hierarchy" => {
                    words.skip("{");
                    while words.peek() != "}" {
                        clip.joints.push(ClipJoint {
                            name: words.name(),
                            parent: words.parent(),
                            flags: words.index(),
                            start: words.index(),
                            base: ([0.0; 3], [0.0; 3]),
                        });
                    }
                }
                "baseframe" => {
                    words.skip("{");
                    for joint in &mut clip.joints {
                        joint.base = (words.vector(), words.vector());
                    }
                }
                "frame" => {
                    assert_eq!(words.index(), clip.frames.len());
                    words.skip("{");
                    let mut frame = Vec::new();
                    while words.peek() != "}" {
                        frame.push(words.float());
                    }
                    clip.frames.push(frame);
                }
                _ => {}
            }
        }
        clip
    }

    pub(crate) fn frame_count(&self) -> usize {
        self.frames.len()
    }

    fn local(&self, joint: usize, frame: usize) -> Placed {
        let ClipJoint { flags, start, base, .. } = &self.joints[joint];
        let mut values = [base.0[0], base.0[1], base.0[2], base.1[0], base.1[1], base.1[2]];
        let mut next = *start;
        for (bit, value) in values.iter_mut().enumerate() {
            if flags & (1 << bit) != 0 {
                *value = self.frames[frame][next];
                next += 1;
            }
        }
        let [tx, ty, tz, x, y, z] = values;
        Placed { position: [tx, ty, tz], rotation: with_w([x, y, z]) }
    }

    /// Model space from the local transforms of all joints.
    fn combine(&self, local: impl Fn(usize) -> Placed) -> Vec<Placed> {
        let mut placed: Vec<Placed> = Vec::new();
        for (index, joint) in self.joints.iter().enumerate() {
            let own = local(index);
            placed.push(match joint.parent {
                None => own,
                Some(parent) => Placed {
                    position: add(
                        placed[parent].position,
                        rotate(placed[parent].rotation, own.position),
                    ),
                    rotation: multiply(placed[parent].rotation, own.rotation),
                },
            });
        }
        placed
    }

    /// Seconds after which the clip repeats: the last frame counts as a step unless it repeats the
    /// first pose.
    pub(crate) fn period_s(&self) -> f64 {
        let last = self.frames.len() - 1;
        if last == 0 {
            return 0.0;
        }
        let (a, b) = (
            self.combine(|joint| self.local(joint, 0)),
            self.combine(|joint| self.local(joint, last)),
        );
        let positions: Vec<Vector> = a.iter().map(|joint| joint.position).collect();
        let reach = diagonal(&positions) * 1e-4;
        let closes = a.iter().zip(&b).all(|(a, b)| {
            let turn = multiply(conjugate(a.rotation), b.rotation);
            let axis = length([turn[0], turn[1], turn[2]]);
            let angle_deg = 2.0 * libm::atan2(axis, turn[3].abs()) * 180.0 / core::f64::consts::PI;
            length(subtract(a.position, b.position)) <= reach && angle_deg <= 0.05
        });
        (if closes { last } else { last + 1 }) as f64 / self.rate_hz
    }

    /// Model space of all joints at a time of the looping clip.
    fn sample(&self, time_s: f64) -> Vec<Placed> {
        let period_s = self.period_s();
        if period_s == 0.0 {
            return self.combine(|joint| self.local(joint, 0));
        }
        let frame = (time_s - (time_s / period_s).floor() * period_s) * self.rate_hz;
        let before = (frame.floor() as usize).min(self.frames.len() - 1);
        let after = (before + 1) % self.frames.len();
        let share = frame - before as f64;
        self.combine(|joint| {
            let (a, b) = (self.local(joint, before), self.local(joint, after));
            Placed {
                position: add(scale(a.position, 1.0 - share), scale(b.position, share)),
                rotation: slerp(a.rotation, b.rotation, share),
            }
        })
    }
}

fn with_w([x, y, z]: Vector) -> Quaternion {
    let w = -(1.0 - x * x - y * y - z * z).at_least(0.0).sqrt();
    unit([x, y, z, w])
}

fn unit(q: Quaternion) -> Quaternion {
    let size = dot4(q, q).sqrt();
    q.map(|component| component / size)
}

fn dot4(a: Quaternion, b: Quaternion) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn conjugate([x, y, z, w]: Quaternion) -> Quaternion {
    [-x, -y, -z, w]
}

fn multiply([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion) -> Quaternion {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// `q v q*`, written out as products of quaternions.
pub(crate) fn rotate(q: Quaternion, [x, y, z]: Vector) -> Vector {
    let [x, y, z, _] = multiply(multiply(q, [x, y, z, 0.0]), conjugate(q));
    [x, y, z]
}

/// Constant speed along the shorter arc: the angle is computed from the tangent, which is exact for
/// small and large ones.
fn slerp(a: Quaternion, b: Quaternion, share: f64) -> Quaternion {
    let b = if dot4(a, b) < 0.0 { b.map(|component| -component) } else { b };
    let difference = core::array::from_fn(|i| b[i] - a[i]);
    let sum = core::array::from_fn(|i| b[i] + a[i]);
    let angle = 2.0 * libm::atan2(dot4(difference, difference).sqrt(), dot4(sum, sum).sqrt());
    if angle < 1e-9 {
        return a;
    }
    let (from, to) = (libm::sin(angle * (1.0 - share)), libm::sin(angle * share));
    unit(core::array::from_fn(|i| a[i] * from + b[i] * to))
}

/// From +Z up to +Y up.
pub(crate) fn y_up([x, y, z]: Vector) -> Vector {
    [x, z, -y]
}

pub(crate) fn add(a: Vector, b: Vector) -> Vector {
    core::array::from_fn(|axis| a[axis] + b[axis])
}

pub(crate) fn subtract(a: Vector, b: Vector) -> Vector {
    core::array::from_fn(|axis| a[axis] - b[axis])
}

pub(crate) fn scale(a: Vector, by: f64) -> Vector {
    a.map(|component| component * by)
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The diagonal of the box around points.
pub(crate) fn diagonal(points: &[Vector]) -> f64 {
    let side = |axis: usize| {
        let along = || points.iter().map(|point| point[axis]);
        along().fold(f64::MIN, Held::at_least) - along().fold(f64::MAX, Held::at_most)
    };
    if points.is_empty() { 0.0 } else { length([side(0), side(1), side(2)]) }
}
