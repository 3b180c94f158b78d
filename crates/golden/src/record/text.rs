//! A frame record as TOML: one item per line, so that a review shows the changes.

use super::asset_record::AssetRecord;
use super::content::{ModelContent, content_texts, parse_contents};
use super::digest::short_digest;
use super::frame_record::{Extents, FrameRecord};
use super::position_sums::PositionSums;
use super::stages::{InstanceRecord, JointRecord, MeshRecord, Subject, VisibilityRecord};
use super::values::{
    TextError, VERSION, count, float, floats, list, quoted, shape, string, table, text_by, whole,
};
use std::fmt::Write;
use std::sync::Arc;
use tintype_base::git::{is_lfs_pointer, merge_conflict_line};
use tintype_model::math::{Quat, Vec3};
use tintype_scene::Fit;
use toml::{Table, Value};

/// The first line of the text.
pub const FIRST_LINE: &str = "# What stood behind the golden picture beside this file when it was accepted: written by bless, read by test.";

/// The first line of a part.
pub(crate) const PART_LINE: &str =
    "# A part of the records that name it by its digest: written by bless, read by test.";

/// The start of the line with the version of the program. It records the writer, not the state of
/// the scene, so that a record without other changes stays.
const PROGRAM: &str = "program = ";

/// True if two texts of a record are equivalent for the picture.
pub(crate) fn says_the_same(one: &[u8], other: &[u8]) -> bool {
    fn said(text: &[u8]) -> impl Iterator<Item = &[u8]> {
        let lines = text.split(|byte| *byte == b'\n');
        lines.filter(|line| !line.starts_with(PROGRAM.as_bytes()))
    }
    one == other || said(one).eq(said(other))
}

/// The key of the list of parts.
const PARTS: &str = "parts";

/// Data of parts: the content of models, and instances of frames with views.
pub(crate) type Shared = (Arc<Vec<ModelContent>>, Vec<InstanceRecord>);

/// A key, with quotes only where it needs them.
fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { quoted(name) }
}

/// Numbers in brackets; integers keep their point, because TOML distinguishes the two.
fn numbers(values: impl IntoIterator<Item = f32>) -> String {
    let texts: Vec<String> = values.into_iter().map(|value| format!("{value:?}")).collect();
    texts.join(", ")
}

impl FrameRecord {
    /// The whole text, for [`FrameRecord::parse`].
    #[must_use]
    pub fn to_text(&self) -> String {
        text_by(|out| self.write(&[], out))
            + &text_by(|out| self.write_instances(out))
            + &content_texts(&self.contents).concat()
    }

    /// The text of the record file, and the names and texts of its parts, which are files that
    /// several records use: the content of models, and the instances of a frame that `has_views`,
    /// whose records are the same in this respect.
    pub(crate) fn to_files(&self, has_views: bool) -> (String, Vec<(String, String)>) {
        let part = |text: String| {
            let text = format!("{PART_LINE}\n{text}");
            (short_digest(text.as_bytes()), text)
        };
        let instances = text_by(|out| self.write_instances(out));
        let (own, shared) =
            if has_views { (None, Some(instances)) } else { (Some(instances), None) };
        let texts = content_texts(&self.contents).into_iter().chain(shared);
        let parts: Vec<(String, String)> = texts.map(part).collect();
        (text_by(|out| self.write(&parts, out)) + &own.unwrap_or_default(), parts)
    }

    fn write(&self, parts: &[(String, String)], out: &mut String) -> std::fmt::Result {
        writeln!(out, "{FIRST_LINE}\nversion = {VERSION}")?;
        writeln!(out, "{PROGRAM}{}", quoted(env!("CARGO_PKG_VERSION")))?;
        writeln!(out, "pixel_revision = {}", self.pixel_revision)?;
        writeln!(out, "image = {}", quoted(&self.image))?;
        writeln!(out, "camera = [{}]", numbers(self.camera))?;
        if let Some(fit) = self.extents.fit {
            writeln!(out, "# middle, distance and height that the camera is fitted to")?;
            writeln!(out, "fit = [{}]", numbers(fit.to_array()))?;
        }
        if let Some(depth) = self.extents.depth {
            writeln!(out, "depth = {depth:?}")?;
        }
        writeln!(
            out,
            "# files of the folder {CONTENT}: joints, meshes and clips of each model\n{PARTS} = ["
        )?;
        parts.iter().try_for_each(|(name, _)| writeln!(out, "  {},", quoted(name)))?;
        writeln!(out, "]")?;
        for (table, is_texture) in [("files", false), ("textures", true)] {
            writeln!(out, "\n[{table}]")?;
            for asset in self.assets.iter().filter(|asset| asset.is_texture == is_texture) {
                writeln!(out, "{} = {}", quoted(&asset.name), quoted(&asset.digest))?;
            }
        }
        let of_texels = |asset: &AssetRecord| Some((asset.name.clone(), asset.texels.clone()?));
        let texels: Vec<(String, String)> = self.assets.iter().filter_map(of_texels).collect();
        if !texels.is_empty() {
            writeln!(out, "\n[texels]")?;
        }
        for (name, digest) in texels {
            writeln!(out, "{} = {}", quoted(&name), quoted(&digest))?;
        }
        writeln!(out, "\n[scene]")?;
        for Subject { name, values } in &self.scene {
            let values: Vec<String> = values
                .iter()
                .map(|(name, value)| format!("{} = {}", key(name), quoted(value)))
                .collect();
            writeln!(out, "{} = {{ {} }}", key(name), values.join(", "))?;
        }
        let VisibilityRecord { digest, covered, pixels } = &self.visibility;
        writeln!(out, "\n[visibility]\ndigest = {}\ncovered = {covered}", quoted(digest))?;
        let pixels: Vec<String> = pixels.iter().map(|meshes| format!("{meshes:?}")).collect();
        writeln!(out, "pixels = [{}]", pixels.join(", "))
    }

    fn write_instances(&self, out: &mut String) -> std::fmt::Result {
        let is_told = |instance: &InstanceRecord| !instance.meshes.is_empty();
        if !self.instances.iter().all(is_told) {
            writeln!(
                out,
                "\n# model, pose, skin and two characters a joint of the other instances\n[crowd]\nrest = ["
            )?;
            let rest = self.instances.iter().filter(|instance| !is_told(instance));
            for InstanceRecord { model, pose, skin, marks, .. } in rest {
                let words = [model, pose, skin, marks].map(|word| quoted(word));
                writeln!(out, "  [{}],", words.join(", "))?;
            }
            writeln!(out, "]")?;
        }
        let told = (0..).zip(&self.instances).filter(|(_, instance)| is_told(instance));
        for (number, instance) in told {
            write_instance(number, instance, out)?;
        }
        Ok(())
    }

    /// Reads a whole text.
    ///
    /// # Errors
    /// [`TextError`] if it is not a record, or of another version.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let root = read_root(text)?;
        Self::of_root(&root, (Arc::new(parse_contents(&root)?), Vec::new()))
    }

    /// Parses the text of the record file; `read` returns parts by name.
    ///
    /// # Errors
    /// As [`Self::parse`], and errors of `read`.
    pub(crate) fn parse_file(
        text: &str,
        read: impl FnOnce(Vec<String>) -> Result<Shared, TextError>,
    ) -> Result<Self, TextError> {
        let root = read_root(text)?;
        let names = list(&root, PARTS)?.iter().map(|name| name.as_str().map(str::to_owned));
        let names: Option<Vec<String>> = names.collect();
        let shared = read(names.ok_or_else(|| shape(PARTS, "names in quotes"))?)?;
        Self::of_root(&root, shared)
    }

    fn of_root(root: &Table, (contents, shared): Shared) -> Result<Self, TextError> {
        let own = parse_instances(root)?;
        let mut assets = Vec::new();
        for (key, is_texture) in [("files", false), ("textures", true)] {
            for (name, digest) in table(root, key)? {
                let digest = digest.as_str().ok_or_else(|| shape(name, "a digest"))?.to_owned();
                let texels = root.get("texels").and_then(|texels| texels.get(name.as_str()));
                let texels = texels.and_then(Value::as_str).map(str::to_owned);
                let name = name.clone();
                assets.push(AssetRecord { name, digest, is_texture, texels, place: None });
            }
        }
        let mut scene = Vec::new();
        for (name, values) in table(root, "scene")? {
            let values = values.as_table().ok_or_else(|| shape(name, "a table of values"))?;
            let value = |(key, value): (&String, &Value)| {
                let value = value.as_str().ok_or_else(|| shape(key, "a value in quotes"))?;
                Ok((key.clone(), value.to_owned()))
            };
            let values = values.iter().map(value).collect::<Result<_, TextError>>()?;
            scene.push(Subject { name: name.clone(), values });
        }
        let seen = table(root, "visibility")?;
        let pixels = list(seen, "pixels")?.iter().map(|meshes| {
            let meshes = meshes.as_array().ok_or_else(|| shape("pixels", "lists of counts"))?;
            let count = |count: &Value| {
                let count = count.as_integer().and_then(|count| u64::try_from(count).ok());
                count.ok_or_else(|| shape("pixels", "a count"))
            };
            meshes.iter().map(count).collect::<Result<Vec<u64>, TextError>>()
        });
        let camera = floats(root, "camera")?;
        Ok(Self {
            pixel_revision: count(root, "pixel_revision")?,
            image: string(root, "image")?,
            assets,
            scene,
            camera: camera.try_into().map_err(|_| shape("camera", "7 numbers"))?,
            extents: Extents {
                fit: root.contains_key("fit").then(|| parse_fit(root)).transpose()?,
                depth: root.contains_key("depth").then(|| parse_depth(root)).transpose()?,
            },
            instances: if own.is_empty() { shared } else { own },
            visibility: VisibilityRecord {
                digest: string(seen, "digest")?,
                covered: count(seen, "covered")?,
                pixels: pixels.collect::<Result<_, _>>()?,
            },
            contents,
        })
    }
}

fn parse_fit(root: &Table) -> Result<Fit, TextError> {
    let numbers = floats(root, "fit")?;
    let numbers = <[f32; 5]>::try_from(numbers).ok();
    let numbers = numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()));
    numbers.map(Fit::from_array).ok_or_else(|| shape("fit", "5 finite numbers"))
}

fn parse_depth(root: &Table) -> Result<[f64; 2], TextError> {
    let numbers: Option<Vec<f64>> = list(root, "depth")?.iter().map(Value::as_float).collect();
    let numbers = numbers.and_then(|numbers| <[f64; 2]>::try_from(numbers).ok());
    let numbers = numbers.filter(|[near, far]| 0.0 < *near && near <= far && far.is_finite());
    numbers.ok_or_else(|| shape("depth", "2 distances in ascending order"))
}

/// The folder of parts, in the golden folder.
pub(crate) const CONTENT: &str = "content";

/// Reads the text of all parts of a record, one after the other.
pub(crate) fn parse_parts(text: &str) -> Result<Shared, TextError> {
    let root = read_table(text)?;
    Ok((Arc::new(parse_contents(&root)?), parse_instances(&root)?))
}

fn read_table(text: &str) -> Result<Table, TextError> {
    text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().map_or("", |span| text.get(..span.start).unwrap_or(text));
        let line = 1 + before.matches('\n').count();
        TextError::Syntax { line, message: error.message().to_owned() }
    })
}

/// Reads the text of a record of this version.
fn read_root(text: &str) -> Result<Table, TextError> {
    if is_lfs_pointer(text.as_bytes()) {
        return Err(TextError::LfsPointer);
    }
    if let Some(line) = merge_conflict_line(text) {
        return Err(TextError::Conflict { line });
    }
    let root = read_table(text)?;
    let version = whole(&root, "version")?;
    if version != i64::from(VERSION) {
        return Err(TextError::Version { found: version });
    }
    Ok(root)
}

fn write_instance(number: usize, instance: &InstanceRecord, out: &mut String) -> std::fmt::Result {
    let InstanceRecord { model, pose, skin, marks, joints, meshes, morphs } = instance;
    writeln!(out, "\n[[instance]]\nnumber = {number}\nmodel = {}", quoted(model))?;
    writeln!(out, "pose = {}\nskin = {}", quoted(pose), quoted(skin))?;
    writeln!(out, "marks = {}", quoted(marks))?;
    if !joints.is_empty() {
        writeln!(out, "# name, parent, translation, rotation (x, y, z, w), scale unless it is 1")?;
        writeln!(out, "joints = [")?;
        for JointRecord { name, parent, translation, rotation, scale } in joints {
            let place = translation.to_array().into_iter().chain(rotation.to_array());
            let scale = if *scale == Vec3::ONE { Vec::new() } else { scale.to_array().to_vec() };
            let place = numbers(place.chain(scale));
            writeln!(out, "  [{}, {parent}, {place}],", quoted(name))?;
        }
        writeln!(out, "]")?;
    }
    if !morphs.is_empty() {
        writeln!(out, "# weights of morph targets\nmorphs = [")?;
        for (name, weight) in morphs {
            writeln!(out, "  [{}, {}],", quoted(name), numbers([*weight]))?;
        }
        writeln!(out, "]")?;
    }
    for mesh in meshes {
        writeln!(out, "[[instance.mesh]]")?;
        writeln!(out, "name = {}\nvertices = {}", quoted(&mesh.name), mesh.vertices)?;
        for (key, vector) in [("min", mesh.min), ("max", mesh.max), ("centroid", mesh.centroid)] {
            writeln!(out, "{key} = [{}]", numbers(vector.to_array()))?;
        }
        let digests = [
            ("positions", &mesh.positions),
            ("normals", &mesh.normals),
            ("triangles", &mesh.triangles),
            ("texcoords", &mesh.texcoords),
        ];
        for (key, digest) in digests {
            writeln!(out, "{key} = {}", quoted(digest))?;
        }
        let PositionSums { unit_log2, sums, blocks } = &mesh.position_sums;
        writeln!(out, "unit_log2 = {unit_log2}\nsums = {sums:?}\nblocks = {}", quoted(blocks))?;
    }
    Ok(())
}

/// The detailed instances at their indices, with those of the crowd between them.
fn parse_instances(root: &Table) -> Result<Vec<InstanceRecord>, TextError> {
    let empty = Vec::new();
    let told = if root.contains_key("instance") { list(root, "instance")? } else { &empty };
    let rest =
        if root.contains_key("crowd") { list(table(root, "crowd")?, "rest")? } else { &empty };
    let mut places: Vec<Option<InstanceRecord>> = vec![None; told.len() + rest.len()];
    for value in told {
        let own = value.as_table().ok_or_else(|| shape("instance", "a table"))?;
        let number: usize = count(own, "number")?;
        let place = places.get_mut(number).filter(|place| place.is_none());
        *place.ok_or_else(|| shape("number", "another instance of the scene each"))? =
            Some(parse_instance(own)?);
    }
    let mut rest = rest.iter();
    let fill = |place: Option<InstanceRecord>| match place {
        Some(instance) => Ok(instance),
        None => rest.next().map_or_else(|| Err(shape("rest", "the other instances")), parse_crowd),
    };
    places.into_iter().map(fill).collect()
}

fn parse_instance(own: &Table) -> Result<InstanceRecord, TextError> {
    let joints = match own.get("joints") {
        None => Vec::new(),
        Some(_) => list(own, "joints")?.iter().map(parse_joint).collect::<Result<_, _>>()?,
    };
    let meshes = match own.get("mesh") {
        None => Vec::new(),
        Some(_) => list(own, "mesh")?.iter().map(parse_mesh).collect::<Result<_, _>>()?,
    };
    Ok(InstanceRecord {
        model: string(own, "model")?,
        pose: string(own, "pose")?,
        skin: string(own, "skin")?,
        marks: string(own, "marks")?,
        joints,
        meshes,
        morphs: match own.get("morphs") {
            None => Vec::new(),
            Some(_) => list(own, "morphs")?.iter().map(parse_morph).collect::<Result<_, _>>()?,
        },
    })
}

/// An instance with digests only.
fn parse_crowd(value: &Value) -> Result<InstanceRecord, TextError> {
    let wrong = || shape("rest", "a model, two digests and the marks of its joints");
    let words: Option<Vec<&str>> =
        value.as_array().ok_or_else(wrong)?.iter().map(Value::as_str).collect();
    let [model, pose, skin, marks] = words.ok_or_else(wrong)?[..] else { return Err(wrong()) };
    let [model, pose, skin, marks] = [model, pose, skin, marks].map(str::to_owned);
    let (joints, meshes, morphs) = (Vec::new(), Vec::new(), Vec::new());
    Ok(InstanceRecord { model, pose, skin, marks, joints, meshes, morphs })
}

fn parse_morph(value: &Value) -> Result<(String, f32), TextError> {
    let wrong = || shape("morphs", "a name and a weight");
    let [name, weight] = value.as_array().ok_or_else(wrong)?.as_slice() else {
        return Err(wrong());
    };
    let name = name.as_str().ok_or_else(wrong)?.to_owned();
    Ok((name, float(weight).ok_or_else(wrong)?))
}

fn parse_joint(value: &Value) -> Result<JointRecord, TextError> {
    const EXPECTED: &str = "a name, a parent and 7 or 10 numbers";
    let wrong = || shape("joints", EXPECTED);
    let [name, parent, place @ ..] = value.as_array().ok_or_else(wrong)?.as_slice() else {
        return Err(wrong());
    };
    let place: Vec<f32> = place.iter().map(float).collect::<Option<_>>().ok_or_else(wrong)?;
    let ([x, y, z, i, j, k, w] | [x, y, z, i, j, k, w, _, _, _]) = place[..] else {
        return Err(wrong());
    };
    Ok(JointRecord {
        name: name.as_str().ok_or_else(wrong)?.to_owned(),
        parent: parent.as_integer().and_then(|parent| parent.try_into().ok()).ok_or_else(wrong)?,
        translation: Vec3::new(x, y, z),
        rotation: Quat::from_xyzw(i, j, k, w),
        scale: place.get(7..).filter(|scale| !scale.is_empty()).map_or(Vec3::ONE, Vec3::from_slice),
    })
}

fn parse_mesh(value: &Value) -> Result<MeshRecord, TextError> {
    let own = value.as_table().ok_or_else(|| shape("mesh", "a table"))?;
    let vector = |key: &str| -> Result<Vec3, TextError> {
        let values: [f32; 3] =
            floats(own, key)?.try_into().map_err(|_| shape(key, "three numbers"))?;
        Ok(Vec3::from_array(values))
    };
    let sums = list(own, "sums")?.iter().map(|sum| {
        let sum: Option<Vec<i64>> = sum.as_array()?.iter().map(Value::as_integer).collect();
        sum?.try_into().ok()
    });
    let sums: Option<Vec<[i64; 3]>> = sums.collect();
    let sums = sums.and_then(|sums| sums.try_into().ok());
    Ok(MeshRecord {
        name: string(own, "name")?,
        vertices: count(own, "vertices")?,
        min: vector("min")?,
        max: vector("max")?,
        centroid: vector("centroid")?,
        positions: string(own, "positions")?,
        normals: string(own, "normals")?,
        triangles: string(own, "triangles")?,
        texcoords: string(own, "texcoords")?,
        position_sums: PositionSums {
            unit_log2: count(own, "unit_log2")?,
            sums: sums.ok_or_else(|| shape("sums", "two lists of three whole numbers"))?,
            blocks: string(own, "blocks")?,
        },
    })
}
