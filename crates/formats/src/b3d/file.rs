//! Mirror of a file: nodes, meshes, brushes and textures, in our axes.

use super::axes::{STILL, our_point, our_rotation};
use crate::recognize::describe_foreign;
use crate::records::Records;
use crate::text::quoted;
use crate::told::Told;
use crate::{FilePlace, LoadOptions, ModelFormatError};
use std::collections::BTreeMap;
use tintype_model::math::{Quat, Vec2, Vec3};
use tintype_model::{FileRepair, LocalTransform, Skeleton};

/// The first bytes of a file.
pub(super) const MAGIC: &[u8; 4] = b"BB3D";

/// A picture and its mapping to a surface.
pub(super) struct Texture {
    pub(super) file: String,
    pub(super) flags: u32,
    pub(super) position: Vec2,
    pub(super) scale: Vec2,
    pub(super) rotation_rad: f32,
}

/// The appearance of triangles.
pub(super) struct Brush {
    pub(super) name: String,
    /// Encoded red, green, blue, and alpha.
    pub(super) color: [f32; 4],
    pub(super) shininess: f32,
    pub(super) blend: u32,
    pub(super) effects: u32,
    /// Numbers of textures.
    pub(super) textures: Vec<u32>,
}

/// A node, with its keys by their frames.
pub(super) struct Node {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) pose: LocalTransform,
    pub(super) translations: BTreeMap<i32, Vec3>,
    pub(super) scales: BTreeMap<i32, Vec3>,
    pub(super) rotations: BTreeMap<i32, Quat>,
}

/// Vertices of a mesh, common to all of its triangles; each list is empty, or has an entry for each
/// vertex.
#[derive(Default)]
pub(super) struct Mesh {
    pub(super) node: usize,
    pub(super) brush: Option<usize>,
    /// NaN for vertices with invalid numbers.
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    /// Encoded.
    pub(super) colors: Vec<[f32; 4]>,
    pub(super) texcoords: [Vec<Vec2>; 2],
    /// Runs of triangles, in the order of the file, with their brushes.
    pub(super) runs: Vec<(Option<usize>, Vec<[u32; 3]>)>,
    /// Nodes bound to a vertex, and their weights, in the order of the file.
    pub(super) pulls: BTreeMap<u32, Vec<(usize, f32)>>,
}

/// Contents of a file.
#[derive(Default)]
pub(super) struct B3dFile {
    pub(super) textures: Vec<Texture>,
    pub(super) brushes: Vec<Brush>,
    pub(super) nodes: Vec<Node>,
    pub(super) meshes: Vec<Mesh>,
    /// Number of frames of the clip, and frames per second.
    pub(super) animation: Option<(u32, f32)>,
}

/// A chunk that is open.
struct Open {
    end: usize,
    node: Option<usize>,
    mesh: Option<usize>,
}

/// Larger numbers are invalid.
const LARGEST: f32 = 1.0e18;
/// Chunks and vertices between two checks of the deadline.
const STEPS: u32 = 1 << 12;

/// Reads a file.
///
/// # Errors
/// [`ModelFormatError`] for files of another format, and for more nodes than a skeleton may have.
pub(super) fn read(
    bytes: &[u8],
    told: &mut Told,
    options: &LoadOptions,
) -> Result<B3dFile, ModelFormatError> {
    if !bytes.starts_with(MAGIC) {
        let start = || quoted(bytes.get(..8).unwrap_or(bytes));
        let found = describe_foreign(bytes, "BB3D").unwrap_or_else(start);
        return Err(ModelFormatError::value(FilePlace::Byte(0), "the mark", found, "BB3D"));
    }
    let mut watch = options.deadline.watch("reading chunks", STEPS);
    let mut reader = Reader { file: B3dFile::default(), told };
    let mut at = 0;
    let mut open = vec![Open { end: bytes.len(), node: None, mesh: None }];
    while let Some(own) = open.last() {
        watch.step()?;
        let mut head = Records::new(bytes, at, own.end);
        let (Some(tag), Some(size)) = (head.take(4), head.whole()) else {
            if at < own.end && open.len() > 1 {
                let what = "trailing bytes too short for a chunk are skipped";
                reader.told.note(FileRepair::Leftover, FilePlace::Byte(at), what);
            }
            at = own.end;
            open.pop();
            continue;
        };
        if open.len() == 1 && at > 0 {
            let what = "data after the end of the model is ignored";
            reader.told.note(FileRepair::Leftover, FilePlace::Byte(at), what);
            break;
        }
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        // A total length without meaning.
        let is_unsaid = open.len() == 1 && size < 4;
        let end = if is_unsaid { bytes.len() } else { head.at.saturating_add(size) };
        if end > own.end {
            let what = "a chunk is longer than its parent; the available part is read";
            let found = || format!("{} of {size} bytes", quoted(tag));
            reader.told.note_with(FileRepair::Truncated, FilePlace::Byte(at), what, found);
        }
        let mut chunk = Records::new(bytes, head.at, end.min(own.end));
        let inner = reader.chunk(tag, &mut chunk, (own.node, own.mesh))?;
        at = chunk.end;
        if let Some((node, mesh)) = inner {
            at = chunk.at;
            open.push(Open { end: chunk.end, node, mesh });
        }
    }
    Ok(reader.file)
}

/// Reader of chunks.
struct Reader<'r> {
    file: B3dFile,
    told: &'r mut Told,
}

impl Reader<'_> {
    /// Reads a chunk within a node and a mesh. For a chunk that contains others, returns their
    /// extent, with the reader at the first of them.
    #[expect(clippy::type_complexity, reason = "a node and a mesh")]
    fn chunk(
        &mut self,
        tag: &[u8],
        chunk: &mut Records,
        (node, mesh): (Option<usize>, Option<usize>),
    ) -> Result<Option<(Option<usize>, Option<usize>)>, ModelFormatError> {
        let at = FilePlace::Byte(chunk.at);
        match (tag, node, mesh) {
            (b"BB3D", ..) => {
                chunk.whole();
                return Ok(Some((None, None)));
            }
            (b"TEXS", ..) => self.textures(chunk),
            (b"BRUS", ..) => self.brushes(chunk),
            (b"NODE", ..) => {
                let count = self.file.nodes.len();
                if count >= Skeleton::MAX_JOINTS {
                    let expected = format!("at most {}", Skeleton::MAX_JOINTS);
                    return Err(ModelFormatError::value(at, "the nodes", count + 1, expected));
                }
                self.node(chunk, node);
                return Ok(Some((Some(count), mesh)));
            }
            (b"MESH", Some(node), _) => {
                let brush = chunk.whole().and_then(index);
                self.file.meshes.push(Mesh { node, brush, ..Mesh::default() });
                let mesh = Some(self.file.meshes.len() - 1);
                return Ok(Some((Some(node), mesh)));
            }
            (b"VRTS", _, Some(mesh)) => self.vertices(chunk, mesh),
            (b"TRIS", _, Some(mesh)) => {
                let brush = chunk.whole().and_then(index);
                let count = chunk.left() / 12;
                let triangle = |_| Some([chunk.whole()?, chunk.whole()?, chunk.whole()?]);
                let triangles = (0..count).map_while(triangle).collect();
                if let Some(own) = self.file.meshes.get_mut(mesh) {
                    own.runs.push((brush, triangles));
                }
            }
            (b"BONE", Some(node), mesh) => self.bone(chunk, node, mesh),
            (b"KEYS", Some(node), _) => self.keys(chunk, node),
            (b"ANIM", ..) => {
                chunk.whole();
                if let (Some(frames), Some([rate])) = (chunk.whole(), chunk.reals())
                    && frames > 0
                {
                    self.file.animation.get_or_insert((frames, rate));
                }
            }
            _ => {
                let what = "an unknown or misplaced chunk is skipped";
                self.told.note_with(FileRepair::UnknownPart, at, what, || quoted(tag));
            }
        }
        Ok(None)
    }

    /// Replaces numbers that are not finite, or too large, by `usual`, and reports them.
    fn sound<const N: usize>(&mut self, numbers: [f32; N], usual: f32, at: usize) -> [f32; N] {
        if numbers.iter().any(|number| !is_sound(*number)) {
            let what = "a number is not finite or too large; the default is used";
            self.told.note(FileRepair::NotFinite, FilePlace::Byte(at), what);
        }
        numbers.map(|number| if is_sound(number) { number } else { usual })
    }

    fn textures(&mut self, chunk: &mut Records) {
        while chunk.left() > 0 {
            let (at, file) = (chunk.at, chunk.text());
            let (Some(flags), Some(_), Some(numbers)) =
                (chunk.whole(), chunk.whole(), chunk.reals())
            else {
                return self.cut(at);
            };
            let [x, y, w, h, rotation_rad] = self.sound(numbers, 0.0, at);
            let (position, scale) = (Vec2::new(x, y), Vec2::new(w, h));
            self.file.textures.push(Texture { file, flags, position, scale, rotation_rad });
        }
    }

    fn brushes(&mut self, chunk: &mut Records) {
        let count = chunk.whole().unwrap_or(0);
        while chunk.left() > 0 {
            let (at, name) = (chunk.at, chunk.text());
            let numbers = (chunk.reals(), chunk.whole(), chunk.whole());
            let (Some(numbers), Some(blend), Some(effects)) = numbers else { return self.cut(at) };
            let [r, g, b, a, shininess] = self.sound(numbers, 1.0, at);
            // A count that is too large ends with the chunk.
            let textures = (0..count).map_while(|_| chunk.whole()).collect();
            let color = [r, g, b, a];
            self.file.brushes.push(Brush { name, color, shininess, blend, effects, textures });
        }
    }

    fn cut(&mut self, at: usize) {
        let what = "the truncated last entry of a list is skipped";
        self.told.note(FileRepair::Truncated, FilePlace::Byte(at), what);
    }

    fn node(&mut self, chunk: &mut Records, parent: Option<usize>) {
        let (name, at) = (chunk.text(), chunk.at);
        let mut pose = STILL;
        match (chunk.reals(), chunk.reals(), chunk.reals()) {
            (Some(place), Some(scale), Some(rotation)) => {
                pose.translation = our_point(self.sound(place, 0.0, at));
                pose.scale = Vec3::from_array(self.sound(scale, 1.0, at));
                pose.rotation = our_rotation(rotation).unwrap_or_else(|| {
                    let what = "a rotation has zero length; no rotation is used";
                    self.told.note(FileRepair::ZeroRotation, FilePlace::Byte(at), what);
                    Quat::IDENTITY
                });
            }
            _ => self.cut(at),
        }
        let [translations, scales] = [BTreeMap::new(), BTreeMap::new()];
        let rotations = BTreeMap::new();
        self.file.nodes.push(Node { name, parent, pose, translations, scales, rotations });
    }

    fn vertices(&mut self, chunk: &mut Records, mesh: usize) {
        let head = (chunk.whole(), chunk.whole(), chunk.whole());
        let (Some(flags), Some(sets), Some(size)) = head else { return self.cut(chunk.at) };
        let [sets, size] = [sets, size].map(|word| usize::try_from(word).unwrap_or(usize::MAX));
        let Some(mut own) = self.file.meshes.get_mut(mesh).map(std::mem::take) else { return };
        // Coordinates without components take no bytes, and sets without room for any vertex do not
        // exist.
        let sets = if size == 0 { 0 } else { sets.min(chunk.left() / 4) };
        while chunk.left() > 0 {
            let at = chunk.at;
            let place = chunk.reals();
            let normal = if flags & 1 != 0 { chunk.reals() } else { Some([0.0; 3]) };
            let color = if flags & 2 != 0 { chunk.reals() } else { Some([1.0; 4]) };
            let mut texcoords = [Vec2::ZERO; 2];
            let mut is_whole = place.is_some() && normal.is_some() && color.is_some();
            for set in 0..sets {
                let Some(numbers) = size.checked_mul(4).and_then(|size| chunk.take(size)) else {
                    is_whole = false;
                    break;
                };
                if let Some(slot) = texcoords.get_mut(set) {
                    let mut numbers = Records::new(numbers, 0, numbers.len());
                    let [u] = self.sound(numbers.reals().unwrap_or([0.0]), 0.0, at);
                    let [v] = self.sound(numbers.reals().unwrap_or([0.0]), 0.0, at);
                    *slot = Vec2::new(u, v);
                }
            }
            let (true, Some(place), Some(normal), Some(color)) = (is_whole, place, normal, color)
            else {
                self.cut(at);
                break;
            };
            let is_lost = !place.iter().all(|number| is_sound(*number));
            if is_lost {
                let what = "a vertex is not finite; its triangles are skipped";
                self.told.note(FileRepair::NotFinite, FilePlace::Byte(at), what);
            }
            own.positions.push(if is_lost { Vec3::NAN } else { our_point(place) });
            if flags & 1 != 0 {
                own.normals.push(our_point(self.sound(normal, 0.0, at)));
            }
            if flags & 2 != 0 {
                own.colors.push(self.sound(color, 1.0, at));
            }
            for (list, texcoord) in own.texcoords.iter_mut().zip(texcoords).take(sets) {
                list.push(texcoord);
            }
        }
        if let Some(slot) = self.file.meshes.get_mut(mesh) {
            *slot = own;
        }
    }

    /// Weights of a node on the vertices of its mesh, or of the last mesh before it.
    fn bone(&mut self, chunk: &mut Records, node: usize, mesh: Option<usize>) {
        let at = FilePlace::Byte(chunk.at);
        let last = self.file.meshes.len().checked_sub(1);
        let Some(mesh) = mesh.or(last).and_then(|mesh| self.file.meshes.get_mut(mesh)) else {
            if chunk.left() > 0 {
                let what = "weights of a node outside any mesh are skipped";
                self.told.note(FileRepair::BadReference, at, what);
            }
            return;
        };
        while let (Some(vertex), Some([weight])) = (chunk.whole(), chunk.reals()) {
            if usize::try_from(vertex).is_ok_and(|vertex| vertex < mesh.positions.len()) {
                if weight > 0.0 && weight <= LARGEST {
                    mesh.pulls.entry(vertex).or_default().push((node, weight));
                }
            } else {
                let what = "a weight refers to a missing vertex; skipped";
                self.told.note(FileRepair::BadReference, at, what);
            }
        }
    }

    fn keys(&mut self, chunk: &mut Records, node: usize) {
        let Some(node) = self.file.nodes.get_mut(node) else { return };
        let flags = chunk.whole().unwrap_or(0);
        if flags & 7 == 0 {
            return;
        }
        let told = &mut *self.told;
        while chunk.left() > 0 {
            let at = FilePlace::Byte(chunk.at);
            let Some(frame) = chunk.whole().map(u32::cast_signed) else {
                return self.cut(chunk.at);
            };
            let place = if flags & 1 != 0 { chunk.reals::<3>().map(Some) } else { Some(None) };
            let scale = if flags & 2 != 0 { chunk.reals::<3>().map(Some) } else { Some(None) };
            let turn = if flags & 4 != 0 { chunk.reals::<4>().map(Some) } else { Some(None) };
            let (Some(place), Some(scale), Some(turn)) = (place, scale, turn) else {
                return self.cut(chunk.at);
            };
            let sound = |numbers: &[f32; 3]| numbers.iter().all(|number| is_sound(*number));
            let lost = [place, scale].into_iter().flatten().filter(|own| !sound(own)).count();
            let rotation = turn.and_then(our_rotation);
            if lost > 0 || turn.is_some() && rotation.is_none() {
                let what = "a key has invalid numbers or a zero-length rotation; skipped";
                told.note(FileRepair::BadChannel, at, what);
            }
            let place = place.filter(sound).map(|place| (frame, our_point(place)));
            node.translations.extend(place);
            node.scales.extend(scale.filter(sound).map(|scale| (frame, Vec3::from_array(scale))));
            node.rotations.extend(rotation.map(|rotation| (frame, rotation)));
        }
    }
}

fn is_sound(number: f32) -> bool {
    number.abs() <= LARGEST
}

/// An index into a list. None for -1.
fn index(word: u32) -> Option<usize> {
    usize::try_from(word.cast_signed()).ok()
}
