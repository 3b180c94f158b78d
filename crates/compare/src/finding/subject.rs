//! The parts of models and scenes named in findings.

use serde::{Deserialize, Serialize};

/// A kind of part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Element {
    /// The model.
    Model,
    /// An instance of a model in a scene.
    Instance,
    /// A mesh.
    Mesh,
    /// A joint.
    Joint,
    /// A joint without vertices and attached parts.
    Node,
    /// A clip.
    Clip,
    /// The keys of one channel of a joint.
    Track,
    /// A key of a track.
    Key,
    /// A morph target.
    Target,
    /// A material.
    Material,
    /// A material that a scene takes from the files of models, by its name in quotes.
    Surface,
    /// A texture.
    Texture,
    /// A vertex.
    Vertex,
    /// A triangle.
    Triangle,
    /// A polygon of a file.
    Polygon,
    /// A normal of a vertex.
    Normal,
    /// A colour of a vertex.
    VertexColor,
    /// A texture coordinate.
    TextureCoordinate,
    /// A texture coordinate of the second set.
    SecondTextureCoordinate,
    /// A weight of a vertex.
    Weight,
    /// The matrix that transforms vertices into the space of a joint.
    OffsetMatrix,
    /// A camera.
    Camera,
    /// A light.
    Light,
    /// A table of a scene, by its name there: `output`, `light 2`.
    Setting,
    /// A file.
    File,
    /// A pixel.
    Pixel,
}

impl Element {
    /// The words for one and for several.
    #[must_use]
    pub fn words(self) -> [&'static str; 2] {
        match self {
            Self::Model => ["model", "models"],
            Self::Instance => ["instance", "instances"],
            Self::Mesh => ["mesh", "meshes"],
            Self::Joint => ["joint", "joints"],
            Self::Node => ["node", "nodes"],
            Self::Clip => ["clip", "clips"],
            Self::Track => ["track", "tracks"],
            Self::Key => ["key", "keys"],
            Self::Target => ["target", "targets"],
            Self::Material => ["material", "materials"],
            Self::Surface => ["surface", "surfaces"],
            Self::Texture => ["texture", "textures"],
            Self::Vertex => ["vertex", "vertices"],
            Self::Triangle => ["triangle", "triangles"],
            Self::Polygon => ["polygon", "polygons"],
            Self::Normal => ["normal", "normals"],
            Self::VertexColor => ["vertex colour", "vertex colours"],
            Self::TextureCoordinate => ["texture coordinate", "texture coordinates"],
            Self::SecondTextureCoordinate => {
                ["second texture coordinate", "second texture coordinates"]
            }
            Self::Weight => ["weight", "weights"],
            Self::OffsetMatrix => ["offset matrix", "offset matrices"],
            Self::Camera => ["camera", "cameras"],
            Self::Light => ["light", "lights"],
            Self::Setting => ["setting", "settings"],
            Self::File => ["file", "files"],
            Self::Pixel => ["pixel", "pixels"],
        }
    }
}

/// A part: its kind, and its name or number or both.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Subject {
    /// Its kind.
    pub element: Element,
    /// Its name. None if it has none, or for all of its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its index in the list of its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
}

impl Subject {
    /// All or several of a kind, or the only one.
    #[must_use]
    pub fn all(element: Element) -> Self {
        Self { element, name: None, index: None }
    }

    /// One by its name.
    #[must_use]
    pub fn named(element: Element, name: impl Into<String>) -> Self {
        Self { element, name: Some(name.into()), index: None }
    }

    /// One by its number.
    #[must_use]
    pub fn numbered(element: Element, index: usize) -> Self {
        Self { element, name: None, index: Some(index) }
    }

    /// A joint by its name.
    #[must_use]
    pub fn joint(name: impl Into<String>) -> Self {
        Self::named(Element::Joint, name)
    }

    /// A vertex by its number.
    #[must_use]
    pub fn vertex(index: usize) -> Self {
        Self::numbered(Element::Vertex, index)
    }
}
