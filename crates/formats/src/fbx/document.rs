//! The mirror of a file: objects, their properties and connections, without judgement.
//!
//! Objects are identified by numbers from version 7000 on, before that by their full names; here
//! all have numbers. Files before 6000 have their objects at the top level, with materials, skins
//! and shapes inside models.

use super::tree::{Node, Value};
use crate::FilePlace;
use std::borrow::Cow;
use std::collections::HashMap;
use tintype_base::amount::counted;
use tintype_model::math::DVec3;
use tintype_model::{FileRepair, Warning};

/// Ticks of the clock per second, and those of files that use the newer clock.
const TICKS: f64 = 46_186_158_000.0;
const NEW_TICKS: f64 = 141_120_000.0;

/// An object of the file.
pub(super) struct Object<'d> {
    /// Kind: `Model`, `Geometry`, `Material`.
    pub(super) kind: &'d str,
    /// Name without its kind; may be empty or repeated.
    pub(super) name: String,
    /// Class within its kind: `LimbNode`, `Mesh`, `Cluster`.
    pub(super) class: Cow<'d, str>,
    pub(super) node: &'d Node<'d>,
}

/// A connection: the source is a part of the target, or drives its property.
pub(super) struct Connection {
    pub(super) source: usize,
    pub(super) target: Target,
    /// Property of the target that it refers to; empty for the target itself.
    pub(super) property: String,
}

/// Target of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The scene.
    Root,
    Object(usize),
}

/// The file.
pub(super) struct Document<'d> {
    pub(super) version: u32,
    pub(super) root: &'d Node<'d>,
    pub(super) objects: Vec<Object<'d>>,
    pub(super) connections: Vec<Connection>,
    /// For each object, indices of the connections into it, and of those out of it.
    into: Vec<Vec<usize>>,
    out: Vec<Vec<usize>>,
    /// Default properties by kind of object, each with its class, such as `FbxSurfacePhong`.
    templates: HashMap<&'d str, Vec<(Cow<'d, str>, &'d Node<'d>)>>,
    settings: Option<&'d Node<'d>>,
    keys: Keys<'d>,
    pub(super) ticks_per_second: f64,
    /// True if Blender's exporter wrote it, which encodes roughness in the shininess.
    pub(super) is_of_blender: bool,
}

/// Numbers of objects by their identifiers in connections.
#[derive(Default)]
struct Keys<'d> {
    ids: HashMap<i64, usize>,
    names: HashMap<&'d [u8], usize>,
}

impl Keys<'_> {
    fn find(&self, value: &Value) -> Option<Target> {
        match value {
            Value::Text(name) if name.as_ref() == b"Model::Scene" => Some(Target::Root),
            Value::Text(name) if name.as_ref() == b"Scene\0\x01Model" => Some(Target::Root),
            Value::Text(name) => self.names.get(name.as_ref()).copied().map(Target::Object),
            other => match other.int()? {
                0 => Some(Target::Root),
                id => self.ids.get(&id).copied().map(Target::Object),
            },
        }
    }
}

/// Splits the full name of an object: `Model::hip` in texts, `hip\0\x01Model` in binary files.
pub(super) fn short_name(value: &Value) -> String {
    let text = value.text().unwrap_or_default();
    match (text.split_once("\0\u{1}"), text.split_once("::")) {
        (Some((name, _)), _) => name.to_owned(),
        (None, Some((_, name))) => name.to_owned(),
        (None, None) => text.into_owned(),
    }
}

impl<'d> Document<'d> {
    pub(super) fn new(root: &'d Node<'d>, version: u32, warnings: &mut Vec<Warning>) -> Self {
        let header = root.child("FBXHeaderExtension");
        let mut document = Self {
            version,
            root,
            objects: Vec::new(),
            connections: Vec::new(),
            into: Vec::new(),
            out: Vec::new(),
            templates: HashMap::new(),
            settings: None,
            keys: Keys::default(),
            ticks_per_second: ticks(header),
            is_of_blender: is_of_blender(root),
        };
        let mut keys = Keys::default();
        let objects = root.all("Objects").flat_map(|list| &list.children);
        let of_top = root.children.iter().filter(|node| version < 6000 && node.name == "Model");
        for node in objects.chain(of_top) {
            document.object(node, &mut keys);
        }
        document.read_templates();
        document.settings = root
            .child("GlobalSettings")
            .or_else(|| root.child("Objects")?.child("GlobalSettings"))
            .and_then(properties_of);
        let mut lost = 0;
        let connect = ["C", "Connect"];
        let listed = root.all("Connections").flat_map(|list| &list.children);
        for node in listed.filter(|node| connect.contains(&node.name.as_ref())) {
            lost += usize::from(document.connection(node, &keys).is_none());
        }
        if version < 6000 {
            document.connect_children(&keys);
        }
        if lost > 0 {
            let message = format!("{} with missing objects", counted(lost, "connection"));
            warnings.push(FileRepair::BadReference.told(message));
        }
        document.keys = keys;
        document.list_connections();
        document
    }

    /// Reads the properties that objects of a class share.
    fn read_templates(&mut self) {
        for kind in self.root.all("Definitions").flat_map(|list| list.all("ObjectType")) {
            let Some(Value::Text(name)) = kind.values.first() else { continue };
            let Ok(name) = std::str::from_utf8(name) else { continue };
            let listed = kind.all("PropertyTemplate");
            let of_class =
                |one: &'d Node<'d>| Some((one.text(0).unwrap_or_default(), properties_of(one)?));
            self.templates.entry(name).or_default().extend(listed.filter_map(of_class));
        }
    }

    /// Lists the connections of each object, by both of their ends.
    fn list_connections(&mut self) {
        self.into = vec![Vec::new(); self.objects.len() + 1];
        self.out = vec![Vec::new(); self.objects.len()];
        for (index, connection) in self.connections.iter().enumerate() {
            let target = match connection.target {
                Target::Root => self.objects.len(),
                Target::Object(object) => object,
            };
            if let Some(list) = self.into.get_mut(target) {
                list.push(index);
            }
            if let Some(list) = self.out.get_mut(connection.source) {
                list.push(index);
            }
        }
    }

    fn object(&mut self, node: &'d Node<'d>, keys: &mut Keys<'d>) {
        let index = self.objects.len();
        let (name, class) = match node.values.as_slice() {
            [Value::Text(name), rest @ ..] => {
                keys.names.entry(name.as_ref()).or_insert(index);
                (node.values.first(), rest.first())
            }
            [id, rest @ ..] => {
                if let Some(id) = id.int() {
                    keys.ids.entry(id).or_insert(index);
                }
                (rest.first(), rest.get(1))
            }
            [] => (None, None),
        };
        self.objects.push(Object {
            kind: node.name.as_ref(),
            name: name.map(short_name).unwrap_or_default(),
            class: class.and_then(Value::text).unwrap_or_default(),
            node,
        });
    }

    /// Reads a connection. None if it names a missing object.
    fn connection(&mut self, node: &Node, keys: &Keys) -> Option<()> {
        let kind = node.text(0)?;
        let (source, target, property) = match (kind.as_ref(), node.values.as_slice()) {
            ("OO", [_, source, target, ..]) => (source, target, None),
            ("OP", [_, source, target, property, ..]) => (source, target, Some(property)),
            // A property that drives another: constraints and expressions, which are not evaluated
            // here.
            _ => return Some(()),
        };
        let Target::Object(source) = keys.find(source)? else { return Some(()) };
        let target = keys.find(target)?;
        let property = property.and_then(Value::text).unwrap_or_default().into_owned();
        self.connections.push(Connection { source, target, property });
        Some(())
    }

    /// Connects the models that models of old files list as their children; all others are roots.
    fn connect_children(&mut self, keys: &Keys) {
        for index in 0..self.objects.len() {
            let Some(children) = self.objects.get(index).and_then(|own| own.node.child("Children"))
            else {
                continue;
            };
            for child in &children.values {
                if let Some(Target::Object(source)) = keys.find(child) {
                    let (target, property) = (Target::Object(index), String::new());
                    self.connections.push(Connection { source, target, property });
                }
            }
        }
    }

    /// The object of a number or, before version 7000, of a full name.
    pub(super) fn find(&self, key: &Value) -> Option<usize> {
        match self.keys.find(key)? {
            Target::Object(object) => Some(object),
            Target::Root => None,
        }
    }

    /// Objects connected to another one, in file order, with the property that they are connected
    /// to.
    pub(super) fn sources(&self, target: usize) -> impl Iterator<Item = (usize, &str)> {
        let list = self.into.get(target).map_or(&[][..], Vec::as_slice);
        list.iter()
            .filter_map(|&index| self.connections.get(index))
            .map(|connection| (connection.source, connection.property.as_str()))
    }

    /// Objects of a kind that are connected to another object itself, in file order.
    pub(super) fn parts(&self, target: usize, kind: &str) -> impl Iterator<Item = usize> {
        let is_of_kind =
            move |object: usize| self.objects.get(object).map(|own| own.kind) == Some(kind);
        self.sources(target)
            .filter(|(_, property)| property.is_empty())
            .map(|(object, _)| object)
            .filter(move |&object| is_of_kind(object))
    }

    /// Targets that an object is connected to, with their properties.
    pub(super) fn targets(&self, source: usize) -> impl Iterator<Item = (Target, &str)> {
        let list = self.out.get(source).map_or(&[][..], Vec::as_slice);
        list.iter()
            .filter_map(|&index| self.connections.get(index))
            .map(|connection| (connection.target, connection.property.as_str()))
    }

    /// The record of a property of an object, from the object or the template of its kind, and the
    /// index of its first value.
    fn property(&self, object: usize, name: &str) -> Option<(&'d Node<'d>, usize)> {
        let own = properties_of(self.objects.get(object)?.node).and_then(|list| find(list, name));
        own.or_else(|| find(self.template(object)?, name))
    }

    /// The default properties of an object. If its kind has several templates, that of its class:
    /// `FbxLight` for a light and `FbxSurfacePhong` for a material with that shading.
    fn template(&self, object: usize) -> Option<&'d Node<'d>> {
        let object = self.objects.get(object)?;
        let all = self.templates.get(object.kind)?;
        let shading = object.node.text_of("ShadingModel").or_else(|| {
            let (node, first) = find(properties_of(object.node)?, "ShadingModel")?;
            node.text(first)
        });
        let class = shading.unwrap_or(Cow::Borrowed(&object.class)).to_lowercase();
        let is_own =
            |(name, _): &&(Cow<str>, _)| !class.is_empty() && name.to_lowercase().ends_with(&class);
        let own = all.iter().find(is_own);
        // Of the others each class has different properties: a light has none of those of a camera.
        let is_shared =
            !matches!(object.kind, "NodeAttribute" | "Deformer" | "Geometry" | "Constraint");
        own.or_else(|| all.first().filter(|_| is_shared)).map(|(_, list)| *list)
    }

    /// The numbers of a property; missing ones are 0.
    pub(super) fn vector(&self, object: usize, name: &str) -> Option<DVec3> {
        let (node, first) = self.property(object, name)?;
        vector(node, first)
    }

    pub(super) fn real(&self, object: usize, name: &str) -> Option<f64> {
        let (node, first) = self.property(object, name)?;
        node.values.get(first)?.real()
    }

    pub(super) fn int(&self, object: usize, name: &str) -> Option<i64> {
        let (node, first) = self.property(object, name)?;
        node.values.get(first)?.int()
    }

    pub(super) fn text(&self, object: usize, name: &str) -> Option<Cow<'d, str>> {
        let (node, first) = self.property(object, name)?;
        node.text(first)
    }

    /// The properties of an object, then those of its template: names with the record, and the
    /// index of the first value.
    pub(super) fn properties(
        &self,
        object: usize,
    ) -> [Vec<(Cow<'_, str>, &'d Node<'d>, usize)>; 2] {
        let own = self.objects.get(object).and_then(|object| properties_of(object.node));
        [own, self.template(object)].map(|list| {
            let named = |list: &'d Node<'d>| {
                let first = first_value(list);
                list.children.iter().filter_map(move |own| Some((own.text(0)?, own, first)))
            };
            list.into_iter().flat_map(named).collect()
        })
    }

    /// A number of the settings of the file.
    pub(super) fn setting(&self, name: &str) -> Option<f64> {
        let defaults = self.templates.get("GlobalSettings").and_then(|all| all.first());
        let lists = [self.settings, defaults.map(|(_, list)| *list)];
        let (node, first) = lists.into_iter().flatten().find_map(|list| find(list, name))?;
        node.values.get(first)?.real()
    }

    /// Position and name of an object, for messages.
    pub(super) fn label(&self, object: usize) -> String {
        let Some(object) = self.objects.get(object) else { return String::new() };
        format!("{}: {} {:?}", object.node.at, object.kind, object.name)
    }

    /// A warning of a kind about an object.
    pub(super) fn fault(&self, fault: FileRepair, object: usize, message: &str) -> Warning {
        let line = match self.objects.get(object).map(|own| own.node.at) {
            Some(FilePlace::Line(line)) => line,
            _ => 0,
        };
        let name = self.objects.get(object);
        let name = name.map_or_else(String::new, |own| format!("{} {:?}", own.kind, own.name));
        match line {
            0 => fault.told(format!("{}: {message}", self.label(object))),
            line => fault.at(line, format!("{name}: {message}")),
        }
    }
}

fn properties_of<'d>(node: &'d Node<'d>) -> Option<&'d Node<'d>> {
    node.child("Properties70").or_else(|| node.child("Properties60"))
}

/// Index of the first value of a property, after name, type, label and flags; old files lack one of
/// these.
fn first_value(list: &Node) -> usize {
    if list.name == "Properties60" { 3 } else { 4 }
}

fn find<'d>(list: &'d Node<'d>, name: &str) -> Option<(&'d Node<'d>, usize)> {
    let is_named = |own: &&Node| matches!(own.values.first(), Some(Value::Text(text)) if text.as_ref() == name.as_bytes());
    // Of two with one name the last one counts.
    let found = list.children.iter().rev().find(is_named)?;
    Some((found, first_value(list)))
}

pub(super) fn vector(node: &Node, first: usize) -> Option<DVec3> {
    let number = |index: usize| node.values.get(first + index).and_then(Value::real);
    let x = number(0)?;
    Some(DVec3::new(x, number(1).unwrap_or(0.0), number(2).unwrap_or(0.0)))
}

fn ticks(header: Option<&Node>) -> f64 {
    let version = header.and_then(|header| header.int_of("FBXHeaderVersion")).unwrap_or(0);
    let clock = header
        .and_then(|header| header.child("OtherFlags"))
        .and_then(|flags| flags.int_of("TCDefinition"));
    match clock {
        Some(clock) if version >= 1004 && clock != 127 => NEW_TICKS,
        _ => TICKS,
    }
}

fn is_of_blender(root: &Node) -> bool {
    let header = root.child("FBXHeaderExtension").and_then(|header| header.text_of("Creator"));
    let top = root.text_of("Creator");
    header.iter().chain(&top).any(|text| text.contains("Blender"))
}
