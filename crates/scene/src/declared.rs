//! Keys of scenes as declared in the schema, once: the keys of a table, its kinds and those with a
//! key, the allowed numbers of a key, and its default.
//!
//! `tables.schema.json` has the tables of scenes, except the keys of `[output]`, which are
//! [settings](super::setting). The reader uses the same schema as editors, so a default cannot
//! differ from the published one. Keys whose default depends on others have none there, and their
//! descriptions explain it. Two marks are not published: `@of` names the kinds of a table that have
//! a key, and `@of, required` those that require it, too; the conditions of the schema on the keys
//! of each kind are derived from them.

use super::bounds::Bounds;
use super::setting::SETTINGS;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value, json};
use std::fmt;
use std::sync::LazyLock;

/// The declared tables, with the keys of `[output]`.
static DECLARED: LazyLock<String> = LazyLock::new(|| {
    let keys = SETTINGS.iter().filter(|setting| setting.group.table() == Some("output"));
    let keys = keys.map(|setting| format!("    {:?}: {}", setting.key, setting.schema()));
    let keys = format!("{{\n{}\n   }}", keys.collect::<Vec<_>>().join(",\n"));
    include_str!("tables.schema.json").replace("\"@output\"", &keys)
});

/// The JSON schema of scenes, for editors; the reader checks more.
pub static SCHEMA: LazyLock<String> = LazyLock::new(|| {
    let is_plain = |line: &&str| !line.trim_start().starts_with("\"@of");
    let text: String = DECLARED.split_inclusive('\n').filter(is_plain).collect();
    ROOT.properties.0.iter().fold(text, |text, (name, table)| {
        text.replace(&format!("\"@kinds of {name}\""), &table.conditions_of_kinds())
    })
});

static ROOT: LazyLock<Node> =
    LazyLock::new(|| serde_json::from_str(&DECLARED).expect("the schema is JSON, as a test finds"));

/// The JSON schema of recipes of data sets, for editors.
pub const RECIPE_SCHEMA: &str = include_str!("recipe.schema.json");

static RECIPE: LazyLock<Node> = LazyLock::new(|| {
    serde_json::from_str(RECIPE_SCHEMA).expect("the schema is JSON, as a test finds")
});

/// A value of a scene: a node of the schema.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Node {
    #[serde(rename = "$ref")]
    reference: Option<String>,
    #[serde(rename = "$defs", default)]
    definitions: Named,
    #[serde(default)]
    properties: Named,
    #[serde(rename = "patternProperties", default)]
    patterns: Named,
    items: Option<Box<Node>>,
    #[serde(rename = "oneOf", default)]
    one_of: Vec<Node>,
    #[serde(rename = "enum", default)]
    words: Vec<Value>,
    /// The kinds of its table that have a key, if not all have it.
    #[serde(rename = "@of", default)]
    owners: Vec<String>,
    /// The kinds that have a key and need it.
    #[serde(rename = "@of, required", default)]
    needed_by: Vec<String>,
    /// Conditions on several keys.
    #[serde(rename = "allOf", default)]
    conditions: Vec<Value>,
    #[serde(rename = "anyOf", default)]
    any_of: Vec<Node>,
    minimum: Option<f64>,
    #[serde(rename = "exclusiveMinimum")]
    above: Option<f64>,
    maximum: Option<f64>,
    default: Option<Value>,
}

/// Nodes by their names, in the order of the schema.
#[derive(Debug, Default)]
struct Named(Vec<(String, Node)>);

impl Named {
    fn get(&self, name: &str) -> Option<&Node> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, node)| node)
    }
}

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Named;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("nodes by their names")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named, A::Error> {
                let mut all = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    all.push((name, map.next_value::<Node>()?));
                }
                Ok(Named(all))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

impl Node {
    /// The whole scene.
    pub(super) fn root() -> &'static Self {
        &ROOT
    }

    /// A whole recipe.
    pub(super) fn recipe() -> &'static Self {
        &RECIPE
    }

    /// The node itself, or the definition that it refers to.
    fn resolved(&self) -> &Self {
        let name = self.reference.as_deref().and_then(|path| path.strip_prefix("#/$defs/"));
        name.and_then(|name| ROOT.definitions.get(name)).unwrap_or(self)
    }

    /// The node, or the first matching one of its alternatives.
    fn find(&'static self, fits: fn(&Self) -> bool) -> Option<&'static Self> {
        if fits(self) {
            return Some(self);
        }
        let resolved = self.resolved();
        let own = (!std::ptr::eq(self, resolved)).then(|| resolved.find(fits)).flatten();
        own.or_else(|| {
            self.one_of.iter().chain(&self.any_of).find_map(|alternative| alternative.find(fits))
        })
    }

    /// The keys of a table, in the order of the schema; empty if it is not a table.
    pub(super) fn keys(&'static self) -> Vec<&'static str> {
        let table = self.find(|node| !node.properties.0.is_empty());
        let keys = table.into_iter().flat_map(|table| &table.properties.0);
        keys.map(|(name, _)| name.as_str()).collect()
    }

    /// The value of a key of a table.
    pub(super) fn key(&'static self, name: &str) -> Option<&'static Self> {
        self.find(|node| !node.properties.0.is_empty())?.properties.get(name)
    }

    /// The values of a table whose keys are arbitrary names.
    pub(super) fn entry(&'static self) -> Option<&'static Self> {
        let table = self.find(|node| !node.patterns.0.is_empty())?;
        table.patterns.0.first().map(|(_, node)| node)
    }

    /// The elements of an array.
    pub(super) fn element(&'static self) -> Option<&'static Self> {
        self.find(|node| node.items.is_some())?.items.as_deref()
    }

    /// The numbers that a value allows.
    pub(super) fn bounds(&'static self) -> Option<Bounds> {
        let number = self.find(|node| node.maximum.is_some())?;
        let high = number.maximum?;
        match (number.above, number.minimum) {
            (Some(low), _) => Some(Bounds::Above(low, high)),
            (None, low) => Some(Bounds::Within(low?, high)),
        }
    }

    /// The default of a value.
    fn usual(&'static self) -> Option<&'static Value> {
        self.find(|node| node.default.is_some())?.default.as_ref()
    }

    /// The default of a number.
    pub(super) fn number(&'static self) -> Option<f64> {
        self.usual()?.as_f64()
    }

    /// The default of what is true or false.
    pub(super) fn truth(&'static self) -> Option<bool> {
        self.usual()?.as_bool()
    }

    /// The kinds of a table, and its default kind.
    pub(super) fn kinds(&'static self) -> Option<(Vec<&'static str>, &'static str)> {
        let kind = self.key("kind")?;
        Some((kind.words.iter().filter_map(Value::as_str).collect(), kind.usual()?.as_str()?))
    }

    /// True if a kind of its table has a key.
    fn is_of(&self, kind: &str) -> bool {
        let mut owners = self.owners.iter().chain(&self.needed_by).peekable();
        owners.peek().is_none() || owners.any(|own| own == kind)
    }

    /// The keys of a table that fulfil a condition.
    fn keys_that(&'static self, fits: impl Fn(&Self) -> bool) -> Vec<&'static str> {
        let is_fit = |key: &&str| self.key(key).is_some_and(&fits);
        self.keys().into_iter().filter(is_fit).collect()
    }

    /// The keys of a table missing from one of its kinds.
    pub(super) fn refused_of(&'static self, kind: &str) -> Vec<&'static str> {
        self.keys_that(|key| !key.is_of(kind))
    }

    /// The conditions on the keys that only some kinds of a table have, in schema form.
    fn conditions_of_kinds(&'static self) -> String {
        let table = self.element().unwrap_or(self);
        let (kinds, usual) = table.kinds().unwrap_or_default();
        let condition = |kind: &&str| {
            let refused = table.refused_of(kind).into_iter();
            let refused: Map<_, _> = refused.map(|key| (key.to_owned(), false.into())).collect();
            let needed = table.keys_that(|key| key.needed_by.iter().any(|own| own == kind));
            let mut one = json!({
                "if": { "properties": { "kind": { "const": kind } } },
                "then": { "properties": refused },
            });
            if *kind != usual {
                one["if"]["required"] = json!(["kind"]);
            }
            if !needed.is_empty() {
                one["then"]["required"] = json!(needed);
            }
            one.to_string()
        };
        kinds.iter().map(condition).collect::<Vec<_>>().join(",\n")
    }

    /// Keys that select between two sets of keys; the keys that a table cannot have with them, and
    /// those that it cannot have without them.
    pub(super) fn choice(&'static self) -> Option<[Vec<&'static str>; 3]> {
        self.conditions().iter().find_map(|one| {
            let asking = one.pointer("/if/anyOf")?.as_array()?.iter();
            let asking = asking.filter_map(|one| one.pointer("/required/0")?.as_str()).collect();
            Some([asking, refused(one, "then"), refused(one, "else")])
        })
    }

    fn conditions(&'static self) -> &'static [Value] {
        self.find(|node| !node.conditions.is_empty()).map_or(&[], |node| &node.conditions)
    }
}

/// The keys excluded from a table by an outcome of a condition.
fn refused(condition: &'static Value, outcome: &str) -> Vec<&'static str> {
    let keys = condition[outcome]["properties"].as_object().into_iter().flatten();
    keys.filter(|(_, node)| **node == Value::Bool(false)).map(|(key, _)| key.as_str()).collect()
}

/// The headers of the tables with a key, such as `[camera]` and `[[instance]]`.
pub(super) fn homes_of(key: &str) -> Vec<String> {
    let tables = ROOT.properties.0.iter().filter_map(|(name, node)| {
        let (table, is_list) = match node.element() {
            Some(element) => (element, true),
            None => (node, false),
        };
        table.key(key).map(|_| if is_list { format!("[[{name}]]") } else { format!("[{name}]") })
    });
    tables.collect()
}

/// The keys of a table of scenes, such as `output`, in the order of the schema.
#[must_use]
pub fn keys_of(table: &str) -> Vec<&'static str> {
    Node::root().key(table).map_or_else(Vec::new, |node| node.element().unwrap_or(node).keys())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of tables without a default: their value without the key depends on others.
    const DEPENDENT: [&str; 20] = [
        "at_s",
        "bound",
        "candela",
        "count",
        "distance",
        "far",
        "fov_deg",
        "from",
        "height",
        "lux",
        "metallic",
        "near",
        "occlusion",
        "radius",
        "range",
        "roughness",
        "specular_strength",
        "steps",
        "ticks_per_second",
        "to",
    ];

    fn visit(node: &'static Node, path: &str, seen: &mut dyn FnMut(&str, &'static Node)) {
        for (name, own) in &node.properties.0 {
            seen(name, own);
            visit(own, &format!("{path}.{name}"), seen);
        }
        let inner = node.items.iter().map(|own| &**own);
        let inner = inner.chain(&node.one_of).chain(&node.any_of);
        inner.chain(node.definitions.0.iter().map(|(_, own)| own)).for_each(|own| {
            visit(own, path, seen);
        });
    }

    #[test]
    fn schema_declares_bounds_and_defaults_of_all_numbers() {
        assert!(Node::root().keys().len() > 9, "the schema can be read");
        assert!(!SCHEMA.contains("\"@"), "marks of the declaration are not published");
        assert!(serde_json::from_str::<Value>(&SCHEMA).is_ok());
        let mut without = std::collections::BTreeSet::new();
        visit(Node::root(), "", &mut |name, node| {
            let is_number = node.maximum.is_some() && node.items.is_none();
            if is_number && node.number().is_none() {
                without.insert(name.to_owned());
            }
            if is_number {
                assert!(node.bounds().is_some(), "{name}");
            }
        });
        let known: std::collections::BTreeSet<String> =
            DEPENDENT.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(without, known);
    }

    /// Constants of types made without a scene.
    #[test]
    fn constants_are_the_defaults_of_the_schema() {
        use crate::camera::CameraRig;
        use tintype_model::{CastShadow, Ground, Material};
        let number = |table: &str, key: &str| {
            let table = Node::root().key(table).unwrap();
            table.element().unwrap_or(table).key(key).unwrap().number().unwrap()
        };
        assert_eq!(number("camera", "fov_deg"), CameraRig::DEFAULT_FOV_DEG);
        assert_eq!(number("camera", "margin"), CameraRig::DEFAULT_MARGIN);
        assert_eq!(number("camera", "elevation_deg"), CameraRig::DEFAULT_ELEVATION_DEG);
        assert_eq!(number("ground", "contact"), f64::from(Ground::DEFAULT_CONTACT));
        assert_eq!(number("material", "shininess"), f64::from(Material::DEFAULT_SHININESS));
        let softness = f64::from(CastShadow::DEFAULT_SOFTNESS_DEG);
        assert_eq!(number("light", "shadow_softness_deg"), softness);
    }

    #[test]
    fn kinds_and_sets_of_keys_are_those_of_the_schema() {
        let table = |name: &str| {
            let table = Node::root().key(name).unwrap();
            table.element().unwrap_or(table)
        };
        let kinds = vec!["orbit", "look-at", "keys", "md5camera", "model", "matrix"];
        assert_eq!(table("camera").kinds(), Some((kinds, "orbit")));
        assert_eq!(table("ground").kinds(), None);
        assert!(table("light").refused_of("point").contains(&"lux"));
        assert!(!table("light").refused_of("point").contains(&"candela"));
        let [asking, with, without] = table("material").choice().unwrap();
        assert_eq!(asking, ["metallic", "roughness", "metallic_roughness", "unlit"]);
        assert_eq!((with, without.len()), (vec!["shininess", "specular"], 9));
    }

    /// Tables where each of their keys is valid; a key is tried in each until one accepts it.
    const TABLES: [(&str, &[&str]); 8] = [
        (
            "camera",
            &[
                "kind = \"orbit\"",
                "kind = \"keys\"\nkeys = [{ at_s = 0, eye = [1, 2, 3], target = [0, 0, 0] }]",
                "kind = \"md5camera\"\nfile = \"a.md5camera\"",
                "kind = \"matrix\"\nk = [[9, 0, 5], [0, 9, 5], [0, 0, 1]]\nk_size = [9, 9]\n\
                 rt = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]",
                "",
            ],
        ),
        ("environment", &["", "kind = \"studio\""]),
        ("ground", &[""]),
        (
            "light",
            &[
                "shadow = true",
                "kind = \"spot\"\nposition = [1, 2, 3]",
                "kind = \"directional\"",
                "",
            ],
        ),
        (
            "material",
            // A key of the other response is not a default of a classic material.
            &["name = \"m\"\nroughness = 0.3", "name = \"m\"", "name = \"m\"\nalpha = \"mask\""],
        ),
        ("model", &["file = \"b.x\""]),
        ("instance", &["model = \"a\""]),
        ("golden", &["", "metric = \"exact\""]),
    ];

    #[test]
    fn defaults_that_are_said_change_nothing() {
        for (name, bases) in TABLES {
            let node = Node::root().key(name).unwrap();
            let header =
                if node.element().is_some() { format!("[[{name}]]") } else { format!("[{name}]") };
            let table = node.element().unwrap_or(node);
            let scene = |text: String| {
                let text = format!("[[model]]\nfile = \"a.x\"\n{header}\n{text}\n");
                crate::parse_scene(&text, "s.toml").ok()
            };
            for key in table.keys() {
                let Some(usual) = table.key(key).and_then(Node::usual) else { continue };
                let is_same = bases.iter().find_map(|base| {
                    let said = scene(format!("{base}\n{key} = {usual}"))?;
                    Some(scene((*base).to_owned())? == said)
                });
                assert_eq!(is_same, Some(true), "{name}.{key}");
            }
        }
    }

    #[test]
    fn keys_have_homes() {
        for (key, home) in [
            ("samples", &["[output]"][..]),
            ("elevation_deg", &["[camera]"]),
            ("specular_strength", &["[[material]]"]),
            ("layers", &["[[instance]]"]),
            ("position", &["[[light]]", "[[instance]]"]),
            ("zzz", &[]),
        ] {
            assert_eq!(homes_of(key), home, "{key}");
        }
    }
}
