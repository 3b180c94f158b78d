//! The mirror of an `.md5mesh` file.

use super::slots::{Hole, Slots};
use super::value::plain_coordinate;
use super::{Document, Kind, Reader};
use crate::LimitExceeded;
use crate::md5::error::Md5Error;
use crate::text::{PlainLine, SourcePosition, TokenKind, quoted};
use crate::{LimitName, LoadOptions};
use tintype_model::FileRepair;

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

/// The words of a mesh block, and for messages its closing brace, which is never a word.
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
    /// True if its numbers are invalid.
    pub(in crate::md5) is_lost: bool,
}

/// `mesh { ... }`
pub(in crate::md5) struct MeshBlock<'a> {
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
    let mut lost: Option<Md5Error> = None;
    while let Some(keyword) = reader.top_keyword()? {
        match keyword {
            "numJoints" => reader.header_count(keyword, &mut joint_count)?,
            "numMeshes" => reader.header_count(keyword, &mut mesh_count)?,
            "joints" => {
                let at = reader.token.position;
                let found = read_joints(&mut reader)?;
                match joints {
                    None => joints = Some(found),
                    Some(_) => {
                        let message = "found joints a second time; the first ones are used";
                        reader.fault(FileRepair::Duplicate, at, message);
                    }
                }
            }
            _ => {
                let start = reader.token.position;
                let limit = (options.limits.max_meshes, Some(LimitName::Meshes));
                LimitExceeded::check(start, "meshes", meshes.len() + 1, limit)?;
                match read_mesh(&mut reader) {
                    Ok(mesh) => meshes.push(mesh),
                    Err(error) => {
                        lost.get_or_insert_with(|| error.clone());
                        reader.lose(error, &format!("mesh {} is skipped", meshes.len()))?;
                        reader.skip_block(start)?;
                    }
                }
            }
        }
    }
    if let (Some(error), true) = (lost, meshes.is_empty()) {
        return Err(error);
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
) -> Result<(SourcePosition, Vec<JointLine<'a>>), Md5Error> {
    let opened = reader.open_brace()?;
    let mut joints = Vec::new();
    while reader.token.kind != TokenKind::Symbol(b'}') {
        let at = reader.token.position;
        let name = reader.text("a joint name or }")?;
        let mut joint = JointLine {
            at,
            name,
            parent: -1,
            parent_at: at,
            position: [0.0; 3],
            rotation: [0.0; 3],
            is_lost: false,
        };
        if let Err(error) = read_joint(reader, &mut joint) {
            let name = quoted(name);
            let cost = format!("joint {name} is placed at the origin and moves no vertex");
            reader.lose(error, &cost)?;
            reader.skip_line_of(at)?;
            joint.is_lost = true;
        }
        joints.push(joint);
    }
    reader.advance()?;
    Ok((opened, joints))
}

fn read_joint<'a>(reader: &mut Reader<'a>, joint: &mut JointLine<'a>) -> Result<(), Md5Error> {
    (joint.parent, joint.parent_at) = reader.whole("the index of the parent joint, or -1")?;
    let position = reader.triple("a coordinate of the joint")?;
    joint.rotation = reader.triple("a component of the joint's quaternion")?;
    joint.position = position;
    Ok(())
}

/// The lines of a mesh block so far.
#[derive(Default)]
struct BlockLines {
    vertices: Option<Slots<VertexLine>>,
    triangles: Option<Slots<TriangleLine>>,
    weights: Option<Slots<WeightLine>>,
}

fn read_mesh<'a>(reader: &mut Reader<'a>) -> Result<MeshBlock<'a>, Md5Error> {
    let at = reader.open_brace()?;
    let (mut name, mut shader): (&[u8], &[u8]) = (reader.comment_after(at, b"meshes:"), &[]);
    let mut lines = BlockLines::default();
    while reader.token.kind != TokenKind::Symbol(b'}') {
        if take_plain(reader, "vert", &mut lines.vertices, plain_vertex)?
            || take_plain(reader, "weight", &mut lines.weights, plain_weight)?
            || take_plain(reader, "tri", &mut lines.triangles, plain_triangle)?
        {
            continue;
        }
        let start = reader.token;
        if start.kind == TokenKind::End {
            let message = "found the end of the file; expected } after the lines of the mesh";
            reader.fault(FileRepair::Truncated, start.position, message);
            break;
        }
        if reader.skip_unknown(&BLOCK)? {
            continue;
        }
        if let Err(error) = read_line(reader, &mut lines, &mut name, &mut shader) {
            reader.lose(error, "the line is skipped")?;
            if reader.token.position == start.position {
                reader.advance()?;
            }
            reader.skip_line_of(start.position)?;
        }
    }
    let end = match reader.token.kind {
        TokenKind::End => reader.token.position,
        _ => reader.advance()?.position,
    };
    let BlockLines { vertices, triangles, weights } = lines;
    let cost = "triangles that use the others are skipped";
    let vertices = vertices.map(|slots| slots.finish(reader, end, cost));
    let triangles = triangles.map(|slots| slots.finish(reader, end, "the others are skipped"));
    let cost = "vertices use the remaining weights";
    let weights = weights.map(|slots| slots.finish(reader, end, cost));
    Ok(MeshBlock {
        name,
        shader,
        vertices: vertices.unwrap_or_default(),
        triangles: triangles.unwrap_or_default(),
        weights: weights.unwrap_or_default(),
    })
}

/// Reads a line that has an unusual format, or is not a vertex, a triangle or a weight.
#[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of a number below 1e9")]
fn read_line<'a>(
    reader: &mut Reader<'a>,
    lines: &mut BlockLines,
    name: &mut &'a [u8],
    shader: &mut &'a [u8],
) -> Result<(), Md5Error> {
    let keyword_at = reader.token.position;
    let BlockLines { vertices, triangles, weights } = lines;
    match reader.keyword(&BLOCK)? {
        "name" => *name = reader.text("the name of the mesh")?,
        "shader" => *shader = reader.text("the name of the shader")?,
        header @ "numverts" => {
            reader.once(header, keyword_at, vertices.is_none())?;
            *vertices = Some(Slots::declare(reader, "vert", header, 12)?);
        }
        header @ "numtris" => {
            reader.once(header, keyword_at, triangles.is_none())?;
            *triangles = Some(Slots::declare(reader, "tri", header, 10)?);
        }
        header @ "numweights" => {
            reader.once(header, keyword_at, weights.is_none())?;
            *weights = Some(Slots::declare(reader, "weight", header, 16)?);
        }
        "vert" => {
            let slots =
                vertices.get_or_insert_with(|| Slots::undeclared(reader, "vert", "numverts", 12));
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
            let slots =
                triangles.get_or_insert_with(|| Slots::undeclared(reader, "tri", "numtris", 10));
            let (index, _) = slots.index(reader)?;
            let (a, at) = reader.index("the first corner of the triangle")?;
            let (b, _) = reader.index("the second corner of the triangle")?;
            let (c, _) = reader.index("the third corner of the triangle")?;
            slots.put(index, TriangleLine { at, corners: [a, b, c] });
        }
        "weight" => {
            let slots = weights
                .get_or_insert_with(|| Slots::undeclared(reader, "weight", "numweights", 16));
            let (index, _) = slots.index(reader)?;
            let (joint, at) = reader.index("the joint of the weight")?;
            let bias = reader.coordinate("the bias of the weight")? as f32;
            let position = reader.triple("a coordinate of the weight")?;
            let position = position.map(|coordinate| coordinate as f32);
            slots.put(index, WeightLine { at, joint, bias, position });
        }
        // The closing brace ends the loop that calls this.
        _ => {}
    }
    Ok(())
}

impl VertexLine {
    /// True if the vertex has no position.
    pub(in crate::md5) fn is_lost(&self) -> bool {
        self.first_weight == u32::MAX
    }
}

impl Hole for VertexLine {
    fn hole(at: SourcePosition) -> Self {
        Self { at, texcoord: [0.0; 2], first_weight: u32::MAX, weight_count: 0 }
    }
}

impl Hole for TriangleLine {
    fn hole(at: SourcePosition) -> Self {
        Self { at, corners: [u32::MAX; 3] }
    }
}

impl Hole for WeightLine {
    fn hole(at: SourcePosition) -> Self {
        Self { at, joint: u32::MAX, bias: 0.0, position: [0.0; 3] }
    }
}

/// Takes a line of a block in one pass, if it is written plainly and has no fault.
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
