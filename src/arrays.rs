//! Models made of arrays: vertices, triangles and joints that a program has in memory.

use super::{Error, ErrorKind, Frame, Model};
use std::fmt::Write as _;
use tintype_model::LinearRgb;
use tintype_model::math::Affine3;

/// A mesh of arrays, with an optional texture and skin. [`MeshArrays::model`] makes a model of it,
/// which is drawn like a model file.
///
/// Axes are right-handed with +Y up. The model keeps the order of vertices and triangles. The mesh
/// is blended if the vertex colours, the surface colour or the texture have an alpha below 1
/// anywhere.
///
/// ```
/// use tintype::MeshArrays;
///
/// let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let model = MeshArrays::new(positions, vec![[0, 1, 2]]).model()?;
/// assert_eq!(model.thumbnail(64)?.width(), 64);
/// # Ok::<(), tintype::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeshArrays {
    positions: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    normals: Vec<[f32; 3]>,
    texcoords: Vec<[f32; 2]>,
    colors: Vec<[f32; 4]>,
    color: [f32; 4],
    texture: Option<Frame>,
    skin: Option<Skin>,
}

#[derive(Clone, Debug)]
struct Skin {
    joints: Vec<Vec<u16>>,
    weights: Vec<Vec<f32>>,
    /// Matrices from joint space to model space in the pose of the positions.
    bind: Vec<[[f32; 4]; 4]>,
}

/// File name of a model of arrays.
const FILE: &str = "arrays.glb";

impl MeshArrays {
    /// Makes a mesh of positions and triangles. Triangles are indices of vertices,
    /// counter-clockwise seen from the front; both sides are drawn.
    #[must_use]
    pub fn new(positions: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Self {
        Self {
            positions,
            triangles,
            normals: Vec::new(),
            texcoords: Vec::new(),
            colors: Vec::new(),
            color: [1.0; 4],
            texture: None,
            skin: None,
        }
    }

    /// Sets the normals of the vertices. Without them, normals are averages of the adjacent
    /// triangles, weighted by area.
    #[must_use]
    pub fn normals(self, normals: Vec<[f32; 3]>) -> Self {
        Self { normals, ..self }
    }

    /// Sets the texture coordinates of the vertices: origin upper left, `v` down.
    #[must_use]
    pub fn texcoords(self, texcoords: Vec<[f32; 2]>) -> Self {
        Self { texcoords, ..self }
    }

    /// Sets the colours of the vertices, which multiply the texture: linear red, green and blue,
    /// and alpha.
    #[must_use]
    pub fn colors(self, colors: Vec<[f32; 4]>) -> Self {
        Self { colors, ..self }
    }

    /// Converts sRGB codes with alpha to linear colours for [`MeshArrays::colors`].
    pub fn linear(codes: impl Iterator<Item = [u8; 4]>) -> Vec<[f32; 4]> {
        let linear = |[r, g, b, alpha]: [u8; 4]| {
            let LinearRgb { r, g, b } = LinearRgb::from_codes([r, g, b]);
            [r, g, b, f32::from(alpha) / 255.0]
        };
        codes.map(linear).collect()
    }

    /// Sets the colour of the surface, which multiplies the others: linear red, green and blue, and
    /// alpha.
    #[must_use]
    pub fn color(self, color: [f32; 4]) -> Self {
        Self { color, ..self }
    }

    /// Sets the texture.
    #[must_use]
    pub fn texture(self, picture: Frame) -> Self {
        Self { texture: Some(picture), ..self }
    }

    /// Adds a skin: for each vertex the indices of its joints and their weights, and for each joint
    /// the matrix from joint space to model space in the pose of the positions. With identity
    /// matrices, the matrices of a pose map positions directly to posed positions; see
    /// [`Given::joints`](crate::Given::joints).
    #[must_use]
    pub fn skin(
        self,
        joints: Vec<Vec<u16>>,
        weights: Vec<Vec<f32>>,
        bind: Vec<[[f32; 4]; 4]>,
    ) -> Self {
        Self { skin: Some(Skin { joints, weights, bind }), ..self }
    }

    /// Makes the model.
    ///
    /// # Errors
    /// [`ErrorKind::Draw`] if the lengths of the arrays differ, a number is not finite, or a
    /// triangle uses a missing vertex.
    pub fn model(&self) -> Result<Model, Error> {
        Model::from_bytes(FILE, self.to_glb()?, |_| None)
    }

    fn check(&self) -> Result<(), Error> {
        let refused = |message: String| Err(Error::new(ErrorKind::Draw, message));
        let count = self.positions.len();
        let mut lengths = vec![
            ("normals", self.normals.len()),
            ("texcoords", self.texcoords.len()),
            ("colors", self.colors.len()),
        ];
        let numbers: [(&str, &[f32], usize); 5] = [
            ("positions", self.positions.as_flattened(), 3),
            ("normals", self.normals.as_flattened(), 3),
            ("texcoords", self.texcoords.as_flattened(), 2),
            ("colors", self.colors.as_flattened(), 4),
            ("color", &self.color, 4),
        ];
        for (name, all, width) in numbers {
            if let Some(at) = all.iter().position(|number| !number.is_finite()) {
                return refused(format!("{name}[{}] is not finite", at / width));
            }
        }
        if let Some(Skin { joints, weights, bind }) = &self.skin {
            lengths.extend([("joints", joints.len()), ("weights", weights.len())]);
            if !joints.iter().zip(weights).all(|(joints, weights)| joints.len() == weights.len()) {
                return refused("each vertex needs as many joints as weights".to_owned());
            }
            let most = joints.iter().flatten().max().map_or(0, |&joint| usize::from(joint) + 1);
            if most > bind.len() {
                return refused(format!("joint {} of {}", most - 1, bind.len()));
            }
            let is_bad = |number: &&f32| !number.is_finite();
            if weights.iter().flatten().any(|weight| is_bad(&weight))
                || bind.as_flattened().as_flattened().iter().any(|number| is_bad(&number))
            {
                return refused("weights or joint matrices are not finite".to_owned());
            }
        }
        for (name, length) in lengths {
            if length != count && (length > 0 || matches!(name, "joints" | "weights")) {
                return refused(format!("{name} has {length} vertices, but positions has {count}"));
            }
        }
        let outside = |corners: &[u32; 3]| corners.iter().any(|&one| one as usize >= count);
        match self.triangles.iter().position(outside) {
            Some(at) => refused(format!(
                "triangles[{at}] = {:?} refers to a vertex beyond the {count} given",
                self.triangles[at]
            )),
            None => Ok(()),
        }
    }

    /// Writes the model as the bytes of a glTF file, for
    /// [`MemoryFiles::with`](crate::MemoryFiles::with).
    ///
    /// # Errors
    /// As [`MeshArrays::model`].
    pub fn to_glb(&self) -> Result<Vec<u8>, Error> {
        self.check()?;
        let mut file = Glb::default();
        let normals = if self.normals.is_empty() { self.smooth() } else { self.normals.clone() };
        let mut attributes = format!(
            "\"POSITION\":{},\"NORMAL\":{}",
            file.floats("VEC3", self.positions.as_flattened(), 3),
            file.floats("VEC3", normals.as_flattened(), 3)
        );
        if !self.texcoords.is_empty() {
            let number = file.floats("VEC2", self.texcoords.as_flattened(), 2);
            let _ = write!(attributes, ",\"TEXCOORD_0\":{number}");
        }
        if !self.colors.is_empty() {
            let number = file.floats("VEC4", self.colors.as_flattened(), 4);
            let _ = write!(attributes, ",\"COLOR_0\":{number}");
        }
        let (mut nodes, mut skins) = (Vec::new(), String::new());
        if let Some(skin) = &self.skin {
            attributes += &file.influences(skin);
            let matrices: Vec<Affine3> = skin.bind.iter().map(affine).collect();
            let inverses: Vec<[[f32; 4]; 4]> =
                matrices.iter().map(|own| columns(&own.inverse())).collect();
            let number = file.floats("MAT4", inverses.as_flattened().as_flattened(), 16);
            for (index, own) in matrices.iter().enumerate() {
                let matrix = columns(own).concat();
                nodes.push(format!("{{\"name\":\"joint_{index}\",\"matrix\":{matrix:?}}}"));
            }
            let joints: Vec<usize> = (0..matrices.len()).collect();
            skins =
                format!(",\"skins\":[{{\"joints\":{joints:?},\"inverseBindMatrices\":{number}}}]");
        }
        let of_skin = if self.skin.is_some() { ",\"skin\":0" } else { "" };
        nodes.push(format!("{{\"name\":\"mesh\",\"mesh\":0{of_skin}}}"));
        let indices = file.accessor("SCALAR", 5125, self.triangles.len() * 3, |out| {
            out.extend(self.triangles.as_flattened().iter().flat_map(|one| one.to_le_bytes()));
        });
        let [of_material, pictures] = match &self.texture {
            Some(picture) => {
                let view = file.view(|out| out.extend(picture.to_png()));
                let picture = format!("{{\"bufferView\":{view},\"mimeType\":\"image/png\"}}");
                [
                    ",\"baseColorTexture\":{\"index\":0}".to_owned(),
                    format!(",\"images\":[{picture}],\"textures\":[{{\"source\":0}}]"),
                ]
            }
            None => [String::new(), String::new()],
        };
        let is_blended = self.color[3] < 1.0
            || self.colors.iter().any(|color| color[3] < 1.0)
            || self.texture.as_ref().is_some_and(Frame::has_alpha);
        let alpha = if is_blended { ",\"alphaMode\":\"BLEND\"" } else { "" };
        let material = format!(
            "{{\"name\":\"surface\",\"doubleSided\":true{alpha},\"pbrMetallicRoughness\":{{\"metallicFactor\":0,\
             \"roughnessFactor\":0.8,\"baseColorFactor\":{:?}{of_material}}}}}",
            self.color
        );
        let roots: Vec<usize> = (0..nodes.len()).collect();
        let json = format!(
            "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":{roots:?}}}],\"nodes\":[{}],\
             \"meshes\":[{{\"name\":\"mesh\",\"primitives\":[{{\"attributes\":{{{attributes}}},\"indices\":{indices},\"material\":0}}]}}],\
             \"materials\":[{material}]{pictures}{skins}",
            nodes.join(",")
        );
        file.finish(json)
    }

    /// Computes normals from the triangles around each vertex, weighted by area.
    fn smooth(&self) -> Vec<[f32; 3]> {
        let mut sums = vec![[0.0_f64; 3]; self.positions.len()];
        for corners in &self.triangles {
            let [a, b, c] = corners.map(|one| self.positions[one as usize].map(f64::from));
            let side = |to: [f64; 3]| -> [f64; 3] { core::array::from_fn(|k| to[k] - a[k]) };
            let (u, v) = (side(b), side(c));
            let normal: [f64; 3] = core::array::from_fn(|k| {
                let (l, m) = ((k + 1) % 3, (k + 2) % 3);
                u[l] * v[m] - u[m] * v[l]
            });
            for corner in corners {
                let sum = sums[*corner as usize].iter_mut();
                sum.zip(normal).for_each(|(sum, part)| *sum += part);
            }
        }
        let unit = |sum: [f64; 3]| {
            let length = sum.iter().map(|part| part * part).sum::<f64>().sqrt();
            #[expect(clippy::cast_possible_truncation, reason = "the nearest number")]
            let unit = sum.map(|part| (part / length) as f32);
            if length > 0.0 { unit } else { [0.0, 1.0, 0.0] }
        };
        sums.into_iter().map(unit).collect()
    }
}

/// The columns of a matrix.
fn columns(transform: &Affine3) -> [[f32; 4]; 4] {
    let [[a, b, c], [d, e, f], [g, h, i], [x, y, z]] = transform.to_cols_array_2d();
    [[a, b, c, 0.0], [d, e, f, 0.0], [g, h, i, 0.0], [x, y, z, 1.0]]
}

/// Converts a matrix of rows to an affine one.
pub(crate) fn affine([x, y, z, _]: &[[f32; 4]; 4]) -> Affine3 {
    Affine3::from_cols_array_2d(&[0, 1, 2, 3].map(|k| [x[k], y[k], z[k]]))
}

/// Parts of a binary glTF file.
#[derive(Default)]
struct Glb {
    bytes: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
}

impl Glb {
    fn view(&mut self, fill: impl FnOnce(&mut Vec<u8>)) -> usize {
        let start = self.bytes.len();
        fill(&mut self.bytes);
        let length = self.bytes.len() - start;
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(format!("{{\"buffer\":0,\"byteOffset\":{start},\"byteLength\":{length}}}"));
        self.views.len() - 1
    }

    fn accessor(
        &mut self,
        kind: &str,
        component: u32,
        count: usize,
        fill: impl FnOnce(&mut Vec<u8>),
    ) -> usize {
        let view = self.view(fill);
        self.accessors.push(format!(
            "{{\"bufferView\":{view},\"componentType\":{component},\"count\":{count},\"type\":\"{kind}\"}}"
        ));
        self.accessors.len() - 1
    }

    fn floats(&mut self, kind: &str, numbers: &[f32], width: usize) -> usize {
        self.accessor(kind, 5126, numbers.len() / width, |out| {
            out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        })
    }

    /// Adds joints and weights in groups of four.
    fn influences(&mut self, skin: &Skin) -> String {
        let count = skin.joints.len();
        let width = skin.joints.iter().map(Vec::len).max().unwrap_or(0);
        let mut attributes = String::new();
        for set in 0..width.div_ceil(4) {
            let columns = || set * 4..set * 4 + 4;
            let joints = self.accessor("VEC4", 5123, count, |out| {
                for row in &skin.joints {
                    let four = columns().map(|at| row.get(at).copied().unwrap_or(0));
                    out.extend(four.flat_map(u16::to_le_bytes));
                }
            });
            let weights = self.accessor("VEC4", 5126, count, |out| {
                for row in &skin.weights {
                    let four = columns().map(|at| row.get(at).copied().unwrap_or(0.0));
                    out.extend(four.flat_map(f32::to_le_bytes));
                }
            });
            let _ = write!(attributes, ",\"JOINTS_{set}\":{joints},\"WEIGHTS_{set}\":{weights}");
        }
        attributes
    }

    /// Finishes the file; `json` is the document without its end.
    fn finish(self, mut json: String) -> Result<Vec<u8>, Error> {
        let _ = write!(
            json,
            ",\"accessors\":[{}],\"bufferViews\":[{}],\"buffers\":[{{\"byteLength\":{}}}]}}",
            self.accessors.join(","),
            self.views.join(","),
            self.bytes.len()
        );
        while !json.len().is_multiple_of(4) {
            json.push(' ');
        }
        let too_long =
            |_| Error::new(ErrorKind::Draw, "the arrays are larger than 4 GiB".to_owned());
        let length = |bytes: usize| u32::try_from(bytes).map_err(too_long);
        let mut file = b"glTF\x02\0\0\0".to_vec();
        file.extend(length(28 + json.len() + self.bytes.len())?.to_le_bytes());
        for (kind, chunk) in [(b"JSON", json.as_bytes()), (b"BIN\0", &self.bytes)] {
            file.extend(length(chunk.len())?.to_le_bytes());
            file.extend(kind);
            file.extend(chunk);
        }
        Ok(file)
    }
}
