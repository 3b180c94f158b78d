//! `.x` files read, posed and skinned in `f64`, in the axes and with the row vectors of the file until the last step.
//!
//! For sound files only: anything unexpected is a panic, and with it a failed test. It knows no template: what follows a word up
//! to a brace is an object, numbers are numbers.

use std::collections::HashMap;

/// A point or a vector.
pub type Point = [f64; 3];
/// Four rows.
pub type Matrix = [[f64; 4]; 4];

const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// How a file is read where readers differ.
#[derive(Clone, Copy)]
pub struct Reading {
    /// Whether keys of rotation are brought to the length of 1; else they become a matrix by the formula for that length, and the
    /// matrix a quaternion.
    pub normalizes_turns: bool,
    /// Whether what hangs on a bone that no frame has stays on the frame of its mesh; else it is left out.
    pub keeps_lost_bones: bool,
    /// Whether a frame without a name, in a frame that is animated, keeps its matrix while that is; else it has none.
    pub keeps_unnamed: bool,
}

impl Reading {
    /// As the program reads.
    pub const OURS: Self =
        Self { normalizes_turns: true, keeps_lost_bones: true, keeps_unnamed: true };
}

enum Word {
    Word(String),
    Text(String),
    Number(f64, String),
    Open,
    Close,
}

fn words_of_text(bytes: &[u8]) -> Vec<Word> {
    let text: Vec<char> = bytes.iter().map(|&byte| char::from(byte)).collect();
    let (mut words, mut at) = (Vec::new(), 0);
    let find = |from: usize, end: &dyn Fn(char) -> bool| {
        (from..text.len()).find(|&at| end(text[at])).unwrap_or(text.len())
    };
    while at < text.len() {
        let c = text[at];
        match c {
            '{' => words.push(Word::Open),
            '}' => words.push(Word::Close),
            '"' => {
                let end = find(at + 1, &|c| c == '"');
                words.push(Word::Text(text[at + 1..end].iter().collect()));
                at = end;
            }
            '<' => at = find(at, &|c| c == '>'),
            '#' => at = find(at, &|c| c == '\n'),
            '/' if text.get(at + 1) == Some(&'/') => at = find(at, &|c| c == '\n'),
            ';' | ',' => {}
            _ if c.is_whitespace() || c == '\0' => {}
            _ => {
                let end = find(at, &|c| c.is_whitespace() || ";,{}\"<".contains(c));
                let word: String = text[at..end].iter().collect();
                let is_numeric =
                    word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
                words.push(match word.parse() {
                    Ok(number) if is_numeric => Word::Number(number, word),
                    _ => Word::Word(word),
                });
                at = end - 1;
            }
        }
        at += 1;
    }
    words
}

fn words_of_binary(bytes: &[u8], float_bytes: usize) -> Vec<Word> {
    let (mut words, mut at) = (Vec::new(), 0);
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
    let text = |at: usize| {
        let end = at + 4 + u32_at(at) as usize;
        let text: String = bytes[at + 4..end].iter().map(|&byte| char::from(byte)).collect();
        (text.trim_end_matches('\0').to_owned(), end)
    };
    while at + 1 < bytes.len() {
        let token = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        at += 2;
        match token {
            0 => break,
            1 | 2 => {
                let (text, end) = text(at);
                words.push(if token == 1 { Word::Word(text) } else { Word::Text(text) });
                at = end;
            }
            3 => {
                words.push(Word::Number(f64::from(u32_at(at)), String::new()));
                at += 4;
            }
            5 => at += 16,
            6 => {
                let count = u32_at(at) as usize;
                words.extend(
                    (0..count)
                        .map(|n| Word::Number(f64::from(u32_at(at + 4 + 4 * n)), String::new())),
                );
                at += 4 + 4 * count;
            }
            7 => {
                let count = u32_at(at) as usize;
                for n in 0..count {
                    let from = at + 4 + float_bytes * n;
                    let number = match float_bytes {
                        8 => f64::from_le_bytes(bytes[from..from + 8].try_into().expect("8")),
                        _ => f64::from(f32::from_le_bytes(
                            bytes[from..from + 4].try_into().expect("4"),
                        )),
                    };
                    words.push(Word::Number(number, String::new()));
                }
                at += 4 + float_bytes * count;
            }
            0x0a => words.push(Word::Open),
            0x0b => words.push(Word::Close),
            0x1f => words.push(Word::Word("template".into())),
            0x0c..=0x14 => {}
            0x28..=0x34 => words.push(Word::Word("kind".into())),
            _ => panic!("token {token} before byte {at}"),
        }
    }
    words
}

/// The plain bytes behind the header of a compressed file.
fn inflated(bytes: &[u8]) -> Vec<u8> {
    let mut at = 20;
    // All blocks are one deflate stream to a reader that sees the bytes before.
    let mut plain: Vec<u8> = Vec::new();
    while at + 6 < bytes.len() {
        let size = usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let packed = usize::from(u16::from_le_bytes([bytes[at + 2], bytes[at + 3]]));
        assert_eq!(&bytes[at + 4..at + 6], b"CK");
        let from = plain.len();
        plain.resize(from + size, 0);
        let mut state = miniz_oxide::inflate::core::DecompressorOxide::new();
        let flags =
            miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let block = &bytes[at + 6..at + 4 + packed];
        let (status, _, written) =
            miniz_oxide::inflate::core::decompress(&mut state, block, &mut plain, from, flags);
        assert!(status == miniz_oxide::inflate::TINFLStatus::Done && written == size);
        at += 4 + packed;
    }
    plain
}

#[derive(Default)]
struct Object {
    template: String,
    name: String,
    numbers: Vec<f64>,
    texts: Vec<String>,
    objects: Vec<Object>,
    references: Vec<String>,
}

impl Object {
    fn of<'a>(&'a self, template: &'a str) -> impl Iterator<Item = &'a Object> {
        self.objects.iter().filter(move |object| object.template.eq_ignore_ascii_case(template))
    }
}

/// Reads up to the brace that closes the object, or to the end.
fn read_into(object: &mut Object, words: &[Word], at: &mut usize) {
    while let Some(word) = words.get(*at) {
        *at += 1;
        match word {
            Word::Close => return,
            Word::Number(number, _) => object.numbers.push(*number),
            Word::Text(text) => object.texts.push(text.clone()),
            Word::Open => {
                let mut name = String::new();
                while let Some(Word::Word(part) | Word::Number(_, part)) = words.get(*at) {
                    name.push_str(part);
                    *at += 1;
                }
                *at += 1; // the closing brace
                object.references.push(name);
            }
            Word::Word(template) if template.eq_ignore_ascii_case("template") => {
                while !matches!(words[*at], Word::Close) {
                    *at += 1;
                }
                *at += 1;
            }
            Word::Word(template) => {
                let mut inner = Object { template: template.clone(), ..Object::default() };
                while let Some(Word::Word(part) | Word::Number(_, part)) = words.get(*at) {
                    inner.name.push_str(part);
                    *at += 1;
                }
                assert!(matches!(words[*at], Word::Open), "{template:?} begins no object");
                *at += 1;
                read_into(&mut inner, words, at);
                object.objects.push(inner);
            }
        }
    }
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

/// A mesh as it stands in the file.
pub struct Mesh {
    frame: Option<usize>,
    vertices: Vec<Point>,
    /// Whether a face has the vertex, one a vertex.
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
pub struct Set {
    animations: Vec<Animation>,
    /// The time of the first key.
    pub first_tick: f64,
    /// The time of the last key.
    pub last_tick: f64,
}

/// A whole file.
pub struct File {
    frames: Vec<Frame>,
    /// In file order.
    pub meshes: Vec<Mesh>,
    /// In file order.
    pub sets: Vec<Set>,
}

impl File {
    /// Reads a sound file of any encoding.
    pub fn read(bytes: &[u8]) -> Self {
        let float_bytes = if &bytes[12..16] == b"0064" { 8 } else { 4 };
        let words = match &bytes[8..12] {
            b"txt " => words_of_text(&bytes[16..]),
            b"bin " => words_of_binary(&bytes[16..], float_bytes),
            b"tzip" => words_of_text(&inflated(bytes)),
            b"bzip" => words_of_binary(&inflated(bytes), float_bytes),
            other => panic!("{other:?}"),
        };
        let mut root = Object::default();
        let mut at = 0;
        while at < words.len() {
            read_into(&mut root, &words, &mut at);
        }
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

    /// Every vertex of every mesh, in file order, with z turned round: at rest, or at a tick of a set.
    pub fn posed(&self, motion: Option<(usize, f64)>, reading: Reading) -> Vec<Vec<Point>> {
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
        first_tick: times.iter().copied().fold(f64::MAX, f64::min),
        last_tick: times.iter().copied().fold(f64::MIN, f64::max),
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

/// By time; of two keys at one time the one behind holds.
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

/// The keys around a tick, and how far it is from the first to the second.
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
    let angle = libm::acos(cosine.abs().min(1.0));
    let (mut first, mut second) = (1.0 - share, share);
    if angle > 1e-7 {
        first = libm::sin((1.0 - share) * angle) / libm::sin(angle);
        second = libm::sin(share * angle) / libm::sin(angle);
    }
    second = if cosine < 0.0 { -second } else { second };
    unit(core::array::from_fn(|part| from[part] * first + to[part] * second))
}

/// The matrix whose columns turn as `w, x, y, z` does, which are the rows that a file writes.
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
    /// The frame on its parent at a tick; what no key says is as at rest.
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
