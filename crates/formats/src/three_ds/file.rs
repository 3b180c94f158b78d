//! Mirror of a file: meshes, materials and nodes.

use super::chunk::{self, Chunk, is_sound, list, next};
use super::keyframer::{self, Node};
use super::look;
use crate::corner_mesh::check_meshes;
use crate::names::Names;
use crate::records::Records;
use crate::told::Told;
use crate::{FilePlace, LoadOptions, ModelFormatError};
use std::collections::BTreeMap;
use tintype_base::amount::counted;
use tintype_base::deadline::Watch;
use tintype_model::math::{Affine3, Mat3, Vec2, Vec3};
use tintype_model::{FileMaterial, FileRepair};

const MATERIAL: u16 = 0xafff;
const OBJECT: u16 = 0x4000;
const MESH: u16 = 0x4100;
const LIGHT: u16 = 0x4600;
const CAMERA: u16 = 0x4700;
const HIDDEN: u16 = 0x4010;
const POINTS: u16 = 0x4110;
const FACES: u16 = 0x4120;
const FACE_MATERIAL: u16 = 0x4130;
const TEXCOORDS: u16 = 0x4140;
const SMOOTHING: u16 = 0x4150;
const MATRIX: u16 = 0x4160;
/// Chunks between two checks of the deadline.
const STEPS: u32 = 1 << 10;

/// A mesh of the file.
#[derive(Default)]
pub(super) struct Object {
    pub(super) name: String,
    pub(super) is_hidden: bool,
    /// NaN for vertices with invalid numbers.
    pub(super) positions: Vec<Vec3>,
    pub(super) texcoords: Vec<Vec2>,
    pub(super) faces: Vec<[u16; 3]>,
    /// One bit per smoothing group of a face; empty without any.
    pub(super) groups: Vec<u32>,
    /// Names of materials, and their faces.
    pub(super) materials: Vec<(String, Vec<u16>)>,
    /// From mesh space to the world.
    pub(super) matrix: Option<Affine3>,
}

/// Contents of a file.
#[derive(Default)]
pub(super) struct ThreeDsFile {
    pub(super) objects: Vec<Object>,
    pub(super) materials: Vec<FileMaterial>,
    /// Parents before children.
    pub(super) nodes: Vec<Node>,
    /// First and last frame of the active segment.
    pub(super) segment: Option<[i32; 2]>,
}

/// Numbers of objects by their names. Programs truncate names of nodes and of materials of faces,
/// so two names of ten letters or more are equal if one begins with the other.
pub(super) struct ByName<'n>(BTreeMap<&'n [u8], Vec<(&'n str, usize)>>);

impl<'n> ByName<'n> {
    pub(super) fn new(names: impl Iterator<Item = &'n str>) -> Self {
        let mut all: BTreeMap<&[u8], Vec<(&str, usize)>> = BTreeMap::new();
        for (number, name) in names.enumerate() {
            all.entry(Self::start(name)).or_default().push((name, number));
        }
        Self(all)
    }

    fn start(name: &str) -> &[u8] {
        const LEAST: usize = 10;
        name.as_bytes().get(..LEAST).unwrap_or(name.as_bytes())
    }

    /// Numbers of all with exactly this name; if there are none, of those with truncated names.
    pub(super) fn find(&self, name: &str) -> Vec<usize> {
        let Some(near) = self.0.get(Self::start(name)) else { return Vec::new() };
        let all = |is_meant: &dyn Fn(&str) -> bool| -> Vec<usize> {
            near.iter().filter(|(own, _)| is_meant(own)).map(|(_, number)| *number).collect()
        };
        let same = all(&|own| own == name);
        if same.is_empty() {
            all(&|own| own.starts_with(name) || name.starts_with(own))
        } else {
            same
        }
    }
}

/// Reads a file that begins as one.
///
/// # Errors
/// [`ModelFormatError`] for limits.
pub(super) fn read(
    bytes: &[u8],
    told: &mut Told,
    options: &LoadOptions,
) -> Result<ThreeDsFile, ModelFormatError> {
    let mut watch = options.deadline.watch("reading chunks", STEPS);
    let mut file = ThreeDsFile::default();
    let mut names = Names::default();
    let mut whole = Records::new(bytes, 0, bytes.len());
    let Some(Chunk { mut records, .. }) = next(&mut whole, told) else { return Ok(file) };
    if records.left() == 0 {
        // A total length without meaning.
        records.end = bytes.len();
    } else if whole.left() > 0 {
        let what = "bytes after the end of the model are ignored";
        told.note(FileRepair::Leftover, FilePlace::Byte(whole.at), what);
    }
    let mut unseen = [0, 0];
    while let Some(mut part) = next(&mut records, told) {
        match part.id {
            chunk::EDITOR => {
                while let Some(mut own) = next(&mut part.records, told) {
                    watch.step()?;
                    match own.id {
                        MATERIAL => {
                            let number = file.materials.len();
                            let material = look::material(&mut own.records, told);
                            let name = names.unique(Some(&material.name), "material", number);
                            file.materials.push(FileMaterial { name, ..material });
                        }
                        OBJECT => {
                            let kinds = object(&mut own, &mut file, told, &mut watch)?;
                            unseen = [unseen[0] + kinds[0], unseen[1] + kinds[1]];
                            check_meshes(file.objects.len(), own.place(), options)?;
                        }
                        _ => {}
                    }
                }
            }
            chunk::KEYFRAMER => {
                let (nodes, segment) = keyframer::read(&mut part.records, told, &mut watch)?;
                (file.nodes, file.segment) = (nodes, segment);
            }
            _ => {}
        }
    }
    file.fix_nodes();
    let [lights, cameras] = unseen;
    for (count, noun, what) in [
        (lights, "light", "lights in 3DS files are ignored"),
        (cameras, "camera", "cameras in 3DS files are ignored"),
    ] {
        if count > 0 {
            told.note_with(FileRepair::NotDrawn, FilePlace::Byte(0), what, || counted(count, noun));
        }
    }
    Ok(file)
}

impl ThreeDsFile {
    /// Gives each node without keys the place of its object.
    fn fix_nodes(&mut self) {
        let Self { objects, nodes, .. } = self;
        let by_name = ByName::new(objects.iter().map(|object| object.name.as_str()));
        for node in nodes.iter_mut().filter(|node| node.is_fixed) {
            let own = by_name.find(&node.name).first().and_then(|object| objects.get(*object));
            node.fix(own.and_then(|object| object.matrix).unwrap_or(Affine3::IDENTITY));
        }
    }
}

/// Reads a named object: a mesh, or otherwise counts its lights and cameras.
fn object(
    chunk: &mut Chunk,
    file: &mut ThreeDsFile,
    told: &mut Told,
    watch: &mut Watch,
) -> Result<[usize; 2], ModelFormatError> {
    let name = chunk.records.text();
    let (mut is_hidden, mut kinds, mut meshes) = (false, [0, 0], Vec::new());
    while let Some(mut part) = next(&mut chunk.records, told) {
        watch.step()?;
        match part.id {
            MESH => meshes.push(mesh(&mut part, told, watch)?),
            LIGHT => kinds[0] += 1,
            CAMERA => kinds[1] += 1,
            HIDDEN => is_hidden = true,
            _ => {}
        }
    }
    let named = |mesh| Object { name: name.clone(), is_hidden, ..mesh };
    file.objects.extend(meshes.into_iter().map(named));
    Ok(kinds)
}

fn mesh(chunk: &mut Chunk, told: &mut Told, watch: &mut Watch) -> Result<Object, ModelFormatError> {
    let mut object = Object::default();
    while let Some(Chunk { id, at, mut records }) = next(&mut chunk.records, told) {
        watch.step()?;
        let at = FilePlace::Byte(at);
        match id {
            POINTS => {
                object.positions = list(&mut records, told, |records| {
                    records.reals().map(|point: [f32; 3]| {
                        let is_whole = point.iter().all(|number| is_sound(*number));
                        if is_whole { Vec3::from_array(point) } else { Vec3::NAN }
                    })
                })
            }
            TEXCOORDS => {
                let all = list(&mut records, told, Records::reals);
                let sound = |own| Vec2::from_array(chunk::sound(own, 0.0, at, told));
                object.texcoords = all.into_iter().map(sound).collect();
            }
            MATRIX => {
                if let Some(numbers) = records.reals::<12>() {
                    let [a, b, c, d, e, f, g, h, i, x, y, z] = numbers;
                    let [x_axis, y_axis, z_axis, translation] =
                        [[a, b, c], [d, e, f], [g, h, i], [x, y, z]].map(Vec3::from_array);
                    let matrix =
                        Affine3 { matrix3: Mat3::from_cols(x_axis, y_axis, z_axis), translation };
                    object.matrix =
                        Some(matrix).filter(|_| numbers.iter().all(|own| is_sound(*own)));
                }
            }
            FACES => {
                object.faces = list(&mut records, told, |records| {
                    let face = [records.short()?, records.short()?, records.short()?];
                    // Flags of its edges.
                    records.short().map(|_| face)
                });
                while let Some(Chunk { id, mut records, .. }) = next(&mut records, told) {
                    match id {
                        FACE_MATERIAL => {
                            let name = records.text();
                            object.materials.push((name, list(&mut records, told, Records::short)));
                        }
                        SMOOTHING => {
                            let groups = object.faces.iter().map_while(|_| records.whole());
                            object.groups = groups.collect();
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    Ok(object)
}
