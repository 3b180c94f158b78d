//! The mirror of an `.md5mesh` file.

use super::slots::Slots;
use super::value::plain_coordinate;
use super::{Count, Document, Kind, Reader};
use crate::md5::error::Md5Error;
use crate::text::{PlainLine, SourcePosition, TokenKind};
use crate::{LimitName, LoadOptions};

static KIND: Kind = Kind {
    name: "a mesh (.md5mesh)",
    keywords: &["commandline", "numJoints", "numMeshes", "joints", "mesh"],
    skips_unknown: true,
    foreign: &[
        ("hierarchy", "an animation (.md5anim)"),
        ("bounds", "an animation (.md5anim)"),
        ("baseframe", "an animation (.md5anim)"),
        ("frame", "an animation (.md5anim)"),
        ("numAnimatedComponents", "an animation (.md5anim)"),
        ("numFrames", "an animation (.md5anim) or a camera (.md5camera)"),
        ("frameRate", "an animation (.md5anim) or a camera (.md5camera)"),
        ("numCuts", "a camera (.md5camera)"),
        ("cuts", "a camera (.md5camera)"),
        ("camera", "a camera (.md5camera)"),
    ],
};

/// The words of a mesh block, and for messages the brace that ends it, which is never a word.
const BLOCK: [&str; 9] =
    ["name", "shader", "numverts", "vert", "numtris", "tri", "numweights", "weight", "}"];

/// A document of an `.md5mesh` file.
pub(in crate::md5) struct MeshFile<'a> {
    /// The brace that opens the joints.
    pub(in crate::md5) joints_at: SourcePosition,
    /// The joints in file order.
    pub(in crate::md5) joints: Vec<JointLine<'a>>,
    /// The meshes in file order.
    pub(in crate::md5) meshes: Vec<MeshBlock<'a>>,
}

/// `"name" parent ( px py pz ) ( qx qy qz )`
pub(in crate::md5) struct JointLine<'a> {
    pub(in crate::md5) at: SourcePosition,
    pub(in crate::md5) name: &'a [u8],
    pub(in crate::md5) parent: i64,
    pub(in crate::md5) parent_at: SourcePosition,
    pub(in crate::md5) position: [f64; 3],
    pub(in crate::md5) rotation: [f64; 3],
}

/// `mesh { ... }`
pub(in crate::md5) struct MeshBlock<'a> {
    pub(in crate::md5) at: SourcePosition,
    pub(in crate::md5) name: &'a [u8],
    pub(in crate::md5) shader: &'a [u8],
    pub(in crate::md5) vertices: Vec<VertexLine>,
    pub(in crate::md5) triangles: Vec<TriangleLine>,
    pub(in crate::md5) weights: Vec<WeightLine>,
}

/// `vert index ( u v ) first count`
pub(in crate::md5) struct VertexLine {
    /// Position of the run of weights.
    pub(in crate::md5) at: SourcePosition,
    pub(in crate::md5) texcoord: [f32; 2],
    pub(in crate::md5) first_weight: u32,
    pub(in crate::md5) weight_count: u32,
}

/// `tri index a b c`
pub(in crate::md5) struct TriangleLine {
    /// Position of the first corner.
    pub(in crate::md5) at: SourcePosition,
    pub(in crate::md5) corners: [u32; 3],
}

/// `weight index joint bias ( x y z )`
pub(in crate::md5) struct WeightLine {
    /// Position of the joint index.
    pub(in crate::md5) at: SourcePosition,
    pub(in crate::md5) joint: u32,
    pub(in crate::md5) bias: f32,
    pub(in crate::md5) position: [f32; 3],
}

/// Reads the first document of a file.
pub(in crate::md5) fn read<'a>(
    bytes: &'a [u8],
    options: &LoadOptions,
) -> Result<Document<MeshFile<'a>>, Md5Error> {
    let mut reader = Reader::open(bytes, options, &KIND)?;
    let (mut joint_count, mut mesh_count) = (None, None);
    let mut joints: Option<(SourcePosition, Vec<JointLine<'a>>)> = None;
    let mut meshes = Vec::new();
    while let Some(keyword) = reader.top_keyword()? {
        match keyword {
            "numJoints" => reader.header_count(keyword, &mut joint_count)?,
            "numMeshes" => reader.header_count(keyword, &mut mesh_count)?,
            "joints" => {
                reader.once(keyword, reader.token.position, joints.is_none())?;
                joints = Some(read_joints(&mut reader, joint_count)?);
            }
            _ => {
                reader.check_room("meshes", "numMeshes", meshes.len(), mesh_count)?;
                if meshes.len() >= options.limits.max_meshes {
                    return Err(Md5Error::Limit {
                        position: reader.token.position,
                        what: "meshes".into(),
                        found: meshes.len() + 1,
                        limit: options.limits.max_meshes,
                        option: Some(LimitName::Meshes),
                    });
                }
                meshes.push(read_mesh(&mut reader)?);
            }
        }
    }
    let end = reader.token.position;
    let (joints_at, joints) = joints.ok_or_else(|| reader.missing("joints"))?;
    reader.check_count("joints", "numJoints", joints.len(), joint_count, end)?;
    reader.check_count("meshes", "numMeshes", meshes.len(), mesh_count, end)?;
    let content = MeshFile { joints_at, joints, meshes };
    Ok(Document { content, warnings: reader.finish() })
}

fn read_joints<'a>(
    reader: &mut Reader<'a>,
    declared: Option<Count>,
) -> Result<(SourcePosition, Vec<JointLine<'a>>), Md5Error> {
    let opened = reader.open_brace()?;
    let mut joints = Vec::new();
    while reader.token.kind != TokenKind::Symbol(b'}') {
        let at = reader.token.position;
        reader.check_room("joints", "numJoints", joints.len(), declared)?;
        let name = reader.text("a joint name or }")?;
        let (parent, parent_at) = reader.whole("the index of the parent joint, or -1")?;
        let position = reader.triple("a coordinate of the joint")?;
        let rotation = reader.triple("a component of the joint's quaternion")?;
        joints.push(JointLine { at, name, parent, parent_at, position, rotation });
    }
    let closed = reader.advance()?.position;
    if declared.is_some() {
        reader.check_count("joints", "numJoints", joints.len(), declared, closed)?;
    }
    Ok((opened, joints))
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of a number below 1e9")]
fn read_mesh<'a>(reader: &mut Reader<'a>) -> Result<MeshBlock<'a>, Md5Error> {
    let at = reader.open_brace()?;
    let (mut name, mut shader): (&[u8], &[u8]) = (reader.comment_after(at, b"meshes:"), &[]);
    let mut vertices: Option<Slots<VertexLine>> = None;
    let mut triangles: Option<Slots<TriangleLine>> = None;
    let mut weights: Option<Slots<WeightLine>> = None;
    while reader.token.kind != TokenKind::Symbol(b'}') {
        if take_plain(reader, "vert", &mut vertices, plain_vertex)?
            || take_plain(reader, "weight", &mut weights, plain_weight)?
            || take_plain(reader, "tri", &mut triangles, plain_triangle)?
        {
            continue;
        }
        let keyword_at = reader.token.position;
        if reader.skip_unknown(&BLOCK)? {
            continue;
        }
        match reader.keyword(&BLOCK)? {
            "name" => name = reader.text("the name of the mesh")?,
            "shader" => shader = reader.text("the name of the shader")?,
            header @ "numverts" => {
                reader.once(header, keyword_at, vertices.is_none())?;
                vertices = Some(Slots::declare(reader, "vert", header, 12)?);
            }
            header @ "numtris" => {
                reader.once(header, keyword_at, triangles.is_none())?;
                triangles = Some(Slots::declare(reader, "tri", header, 10)?);
            }
            header @ "numweights" => {
                reader.once(header, keyword_at, weights.is_none())?;
                weights = Some(Slots::declare(reader, "weight", header, 16)?);
            }
            "vert" => {
                let slots = declared(&mut vertices, keyword_at, "vert", "numverts")?;
                let (index, _) = slots.index(reader)?;
                reader.expect(TokenKind::Symbol(b'('), "(")?;
                let u = reader.coordinate("a texture coordinate")? as f32;
                let v = reader.coordinate("a texture coordinate")? as f32;
                reader.expect(TokenKind::Symbol(b')'), ")")?;
                let (first_weight, at) = reader.index("the first weight of the vertex")?;
                let (weight_count, _) = reader.index("the number of weights of the vertex")?;
                let line = VertexLine { at, texcoord: [u, v], first_weight, weight_count };
                slots.put(index, line);
            }
            "tri" => {
                let slots = declared(&mut triangles, keyword_at, "tri", "numtris")?;
                let (index, _) = slots.index(reader)?;
                let (a, at) = reader.index("the first corner of the triangle")?;
                let (b, _) = reader.index("the second corner of the triangle")?;
                let (c, _) = reader.index("the third corner of the triangle")?;
                slots.put(index, TriangleLine { at, corners: [a, b, c] });
            }
            _ => {
                let slots = declared(&mut weights, keyword_at, "weight", "numweights")?;
                let (index, _) = slots.index(reader)?;
                let (joint, at) = reader.index("the joint of the weight")?;
                let bias = reader.coordinate("the bias of the weight")? as f32;
                let position = reader.triple("a coordinate of the weight")?;
                let position = position.map(|coordinate| coordinate as f32);
                slots.put(index, WeightLine { at, joint, bias, position });
            }
        }
    }
    let end = reader.advance()?.position;
    Ok(MeshBlock {
        at,
        name,
        shader,
        vertices: vertices.map_or_else(|| Ok(Vec::new()), |slots| slots.finish(end))?,
        triangles: triangles.map_or_else(|| Ok(Vec::new()), |slots| slots.finish(end))?,
        weights: weights.map_or_else(|| Ok(Vec::new()), |slots| slots.finish(end))?,
    })
}

/// Takes a line of a block in one pass, if it is written plainly and nothing about it is wrong.
#[inline]
fn take_plain<'a, T>(
    reader: &mut Reader<'a>,
    keyword: &str,
    slots: &mut Option<Slots<T>>,
    values: impl FnOnce(&mut PlainLine<'a>) -> Option<T>,
) -> Result<bool, Md5Error> {
    let Some(slots) = slots else { return Ok(false) };
    let found = reader.plain_line(keyword, |line| {
        let index = slots.free(line.index()?)?;
        Some((index, values(line)?))
    })?;
    let Some((index, line)) = found else { return Ok(false) };
    slots.put(index, line);
    Ok(true)
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of a number below 1e9")]
fn plain_vertex(line: &mut PlainLine<'_>) -> Option<VertexLine> {
    line.symbol(b'(')?;
    let texcoord = [plain_coordinate(line)? as f32, plain_coordinate(line)? as f32];
    line.symbol(b')')?;
    let at = line.position();
    Some(VertexLine { at, texcoord, first_weight: line.index()?, weight_count: line.index()? })
}

fn plain_triangle(line: &mut PlainLine<'_>) -> Option<TriangleLine> {
    let at = line.position();
    Some(TriangleLine { at, corners: [line.index()?, line.index()?, line.index()?] })
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of a number below 1e9")]
fn plain_weight(line: &mut PlainLine<'_>) -> Option<WeightLine> {
    let at = line.position();
    let (joint, bias) = (line.index()?, plain_coordinate(line)? as f32);
    line.symbol(b'(')?;
    let mut position = [0.0; 3];
    for coordinate in &mut position {
        *coordinate = plain_coordinate(line)? as f32;
    }
    line.symbol(b')')?;
    Some(WeightLine { at, joint, bias, position })
}

fn declared<'s, T>(
    slots: &'s mut Option<Slots<T>>,
    at: SourcePosition,
    keyword: &str,
    header: &str,
) -> Result<&'s mut Slots<T>, Md5Error> {
    slots.as_mut().ok_or_else(|| Md5Error::Syntax {
        position: at,
        found: format!("{keyword} without a count"),
        expected: format!("{header} before it"),
        nearest: None,
    })
}
