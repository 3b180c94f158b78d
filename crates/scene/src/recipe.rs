//! Recipes of data sets: a scene without models whose values may be drawn at random, and the table
//! `[dataset]`.
//!
//! Input: the text of a recipe. Output: a [`Recipe`], which returns the scene of each sample. In
//! the tables of the scene, `{ any = [...] }` means one of its values, and `{ from, to }` a number
//! between two: [`Draws`] draws each from the seed, the sample number and the position of the value
//! alone. The caller finds models and chooses clips.

use super::builder::SceneBuilder;
use super::camera::CameraRig;
use super::channel::Channel;
use super::checked::Scene;
use super::document::{Document, Field, Fields, Node, Value};
use super::error::{Problem, SceneErrors};
use super::parse::read_scene;
use super::reader::{Item, Problems, Table};
use std::collections::BTreeMap;
use std::ops::Range;
use tintype_model::math::func::{atan2_f64, sin_cos_f64};

/// Radians of a degree.
const RADIANS: f64 = core::f64::consts::PI / 180.0;
/// Most samples of a set.
const MAX_COUNT: i64 = 1_000_000;
/// Maximum seed: integers up to it are exact in every reader of JSON.
const MAX_SEED: i64 = (1 << 53) - 1;
/// Maximum number of alternatives of a list checked before the first sample is drawn.
const MAX_CHECKED: usize = 256;

/// The times of a clip that are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moments {
    /// Any.
    Any,
    /// This number, evenly spaced.
    Count(u32),
    /// This number per second.
    Rate(f64),
}

/// A checked recipe.
#[derive(Clone, Debug)]
pub struct Recipe {
    name: String,
    text: String,
    /// The tables of the scene.
    tables: Document,
    /// Number of samples.
    pub count: u32,
    /// Seed of all that is drawn.
    pub seed: u64,
    /// Model files, folders or patterns, relative to the recipe.
    pub models: Vec<String>,
    /// Names of clips; empty for all clips of each model.
    pub clips: Vec<String>,
    /// Times of each clip.
    pub moments: Moments,
    /// Fraction of the free space around the figure by which a fitted camera may shift it.
    pub jitter: f64,
}

/// Drawn values, by their positions in the recipe.
pub type Drawn = BTreeMap<String, String>;

/// Random numbers of one attempt at one sample, each for a purpose: they do not depend on how many
/// others are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Draws(u64);

impl Draws {
    /// Random numbers of a sample; another attempt at it draws others.
    #[must_use]
    pub fn new(seed: u64, number: u32, attempt: u32) -> Self {
        let counter = u64::from(attempt) << 32 | u64::from(number);
        Self(mixed(mixed(seed) ^ counter))
    }

    /// 64 bits for a purpose: its letters by FNV-1a, mixed with the key.
    fn bits(self, purpose: &str) -> u64 {
        let letter = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        mixed(self.0 ^ purpose.bytes().fold(0xcbf2_9ce4_8422_2325, letter))
    }

    /// A number from 0 to 1, without 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "53 bits")]
    pub fn share(self, purpose: &str) -> f64 {
        (self.bits(purpose) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// An integer below a bound; 0 for a bound of 0.
    #[must_use]
    pub fn below(self, purpose: &str, bound: usize) -> usize {
        let product = u128::from(self.bits(purpose)) * bound as u128;
        usize::try_from(product >> 64).unwrap_or_default()
    }
}

/// One step of SplitMix64.
fn mixed(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Source of the values of a scene.
#[derive(Clone, Copy)]
enum Source {
    Drawn(Draws),
    /// The alternatives of this index, and one end of each range: checked before anything is drawn.
    Checked(usize),
}

impl Source {
    fn index(self, place: &str, count: usize) -> usize {
        match self {
            Self::Drawn(draws) => draws.below(place, count),
            Self::Checked(index) => index % count,
        }
    }

    /// A number of a range. Elevations of the camera are uniform on the sphere.
    fn number(self, place: &str, [from, to]: [f64; 2]) -> f64 {
        let share = match self {
            Self::Drawn(draws) => draws.share(place),
            Self::Checked(index) => return if index % 2 == 0 { from } else { to },
        };
        if place != "camera.elevation_deg" {
            return from + (to - from) * share;
        }
        let [low, high] = [from, to].map(|angle| sin_cos_f64(angle * RADIANS).0);
        let sine = low + (high - low) * share;
        atan2_f64(sine, (1.0 - sine * sine).sqrt()) / RADIANS
    }
}

/// Reads a recipe; `name` is used in messages, like a path.
///
/// # Errors
/// [`SceneErrors`] with every mistake, including those of the scene, of all alternatives and of
/// both ends of all ranges.
pub fn parse_recipe(text: &str, name: &str) -> Result<Recipe, SceneErrors> {
    let (document, syntax_errors) = Document::parse(text);
    let problems = Problems::new(text);
    let root = Item::root(&document, &problems);
    if let Some(model) = root.item("model")
        && !root.has("dataset")
    {
        let message = "this is a scene, not a data set recipe".to_owned();
        let allowed = "draw it with `tintype render`".to_owned();
        model.report(Problem::Invalid { message, allowed });
        return Err(SceneErrors::new(name, text, problems.into_found()));
    }
    let mut recipe = Recipe::read(&document, &problems);
    (recipe.name, recipe.text) = (name.to_owned(), text.to_owned());
    // Placeholders for the models that are found.
    let stand_in = SceneBuilder::new().model(super::builder::ModelBuilder::new("model.glb"));
    let mut index = 0;
    let mut longest = 2;
    let found = problems;
    while index < longest {
        let more = Problems::new(text);
        let mut counts = Vec::new();
        recipe.scene_from(Source::Checked(index), &stand_in, &more, &mut counts);
        let counts = counts.iter().map(|&(_, _, count)| count);
        longest = longest.max(counts.max().unwrap_or(0)).min(MAX_CHECKED);
        index += 1;
        found.add_new(more);
    }
    if let Some(errors) = syntax_errors {
        found.add_syntax_errors(errors);
    }
    match found.into_found() {
        found if found.is_empty() => Ok(recipe),
        found => Err(SceneErrors::new(name, text, found)),
    }
}

/// Values of alternatives and ranges, with their positions and the number of alternatives.
type Chosen = Vec<(String, String, usize)>;

impl Recipe {
    fn read(document: &Document, problems: &Problems) -> Self {
        let root = Item::of_recipe(document, problems);
        let expected = "the table [dataset] with count and models";
        let table = root.require("dataset", expected, |item| item.table("a table"));
        let table = table.as_ref();
        let whole = |key: &'static str, from: i64, to: i64| {
            let item = table?.item(key)?;
            let allowed = format!("expected {from} to {to}");
            item.whole_within(from..=to, "a whole number", allowed)
        };
        let named = |key: &'static str, each: &str| {
            let item = table.and_then(|table| table.item(key))?;
            let all = item.array("an array of texts")?;
            if all.is_empty() {
                return item.invalid("the array is empty", format!("expected {each}"));
            }
            let all = all.iter().filter_map(|one| one.filled_text(each));
            Some(all.map(str::to_owned).collect::<Vec<_>>())
        };
        let patterns = "a model file, a folder or a pattern such as \"models/*.glb\"";
        if let Some(table) = table {
            table.required("count", "the number of samples");
            table.required("models", &format!("an array: {patterns}"));
            if table.has("fps") {
                table.refuse("moments", "fps", "any time, or times alone");
            }
        }
        let rate = table.and_then(|table| table.get("fps", Item::number));
        let moments = match (whole("moments", 1, MAX_COUNT), rate) {
            (Some(count), _) => Moments::Count(u32::try_from(count).unwrap_or(1)),
            (None, Some(rate)) => Moments::Rate(rate),
            (None, None) => Moments::Any,
        };
        let mut tables = document.clone();
        tables.root.remove("dataset");
        Self {
            name: String::new(),
            text: String::new(),
            tables,
            count: whole("count", 1, MAX_COUNT).map_or(0, |n| u32::try_from(n).unwrap_or(0)),
            seed: whole("seed", 0, MAX_SEED).map_or(0, i64::unsigned_abs),
            models: named("models", patterns).unwrap_or_default(),
            clips: named("clips", "the name of a clip, or \"bind\"").unwrap_or_default(),
            moments,
            jitter: table.map_or(0.0, |table| table.number("jitter")),
        }
    }

    /// All inputs of samples except their models and their number, as text.
    #[must_use]
    pub fn digest_text(&self) -> String {
        let Self { seed, models, clips, moments, jitter, .. } = self;
        let own = format!("{seed} {models:?} {clips:?} {moments:?} {jitter}");
        format!("{own}\n{}", self.tables.to_toml())
    }

    /// The scene of an attempt at a sample, with one frame and the models of a builder, and the
    /// values that were drawn for it.
    ///
    /// # Errors
    /// [`SceneErrors`] if they make no scene.
    pub fn scene(
        &self,
        draws: Draws,
        models: &SceneBuilder,
    ) -> Result<(Scene, Drawn), SceneErrors> {
        let problems = Problems::new(&self.text);
        let mut chosen = Vec::new();
        let scene = self.scene_from(Source::Drawn(draws), models, &problems, &mut chosen);
        let found = problems.into_found();
        match scene {
            Some(scene) if found.is_empty() => {
                let drawn = chosen.into_iter().map(|(place, value, _)| (place, value));
                Ok((scene, drawn.collect()))
            }
            _ => Err(SceneErrors::new(&self.name, &self.text, found)),
        }
    }

    fn scene_from(
        &self,
        source: Source,
        models: &SceneBuilder,
        problems: &Problems,
        chosen: &mut Chosen,
    ) -> Option<Scene> {
        let mut tables = self.tables.root.clone();
        look_from_all_around(&mut tables);
        let mut vary = Vary { source, problems, chosen };
        let mut root = vary.fields(&tables, "");
        let given = Document { root: root.clone() };
        let refused = Item::root(&given, problems);
        for key in ["model", "instance", "golden"] {
            refused.refuse(key, "[dataset]", "a scene; in a recipe, set models under [dataset]");
            root.remove(key);
        }
        if let Some(output) = refused.get("output", |item| item.as_table()) {
            for key in ["frames", "fps", "file", "aov"] {
                output.refuse(key, "[dataset]", "a scene; each sample is one picture");
            }
        }
        root.set("model", models.models()?.clone());
        let document = Document { root };
        let root = Item::root(&document, problems);
        let scene = read_scene(&root)?;
        refuse_unfit(&root, &scene);
        Some(scene)
    }
}

/// Refuses keys that data of a sample cannot hold.
fn refuse_unfit(root: &Table<'_>, scene: &Scene) {
    let report = |table: &'static str, key: &'static str, message: &str, allowed: &str| {
        let table = root.item(table);
        let item = table.as_ref().and_then(|table| table.field(key)).or(table);
        if let Some(item) = item {
            item.invalid::<()>(message, allowed);
        }
    };
    if scene.output.channels.contains(&Channel::Motion) {
        report(
            "output",
            "channels",
            "a sample has no next frame, so there is no motion",
            "omit motion",
        );
    }
    if scene.camera.is_orthographic() {
        let message = "data set cameras need a focal length";
        report("camera", "projection", message, "omit it, or write \"perspective\"");
    }
    match &scene.camera {
        CameraRig::Matrix(matrix) if matrix.intrinsics[1] != 0.0 => {
            report("camera", "k", "the picture's axes are skewed", "a slant of 0");
        }
        CameraRig::Orbit(_) | CameraRig::LookAt(_) | CameraRig::Matrix(_) => {}
        _ => {
            let allowed = "\"orbit\", \"look-at\" or \"matrix\"";
            report("camera", "kind", "the camera moves with time", allowed);
        }
    }
}

/// Gives an orbit without direction or view directions from all around.
fn look_from_all_around(root: &mut Fields) {
    let is_other = |camera: &Fields| {
        let kind = camera.get("kind").map(|field| &field.node.value);
        camera.get("any").is_some() || kind.is_some_and(|kind| *kind != Value::from("orbit"))
    };
    let given = root.get("camera").map(|field| &field.node.value);
    match given {
        Some(Value::Table(camera)) if is_other(camera) || camera.get("view").is_some() => return,
        Some(Value::Table(_)) | None => {}
        Some(_) => return,
    }
    let camera = root.table("camera");
    for (key, from, to) in [("azimuth_deg", 0.0, 360.0), ("elevation_deg", -15.0, 45.0)] {
        if camera.get(key).is_none() {
            camera.set(key, Value::table([("from", from.into()), ("to", to.into())]));
        }
    }
}

/// One pass over the tables of a recipe, which replaces alternatives and ranges by values.
struct Vary<'a> {
    source: Source,
    problems: &'a Problems,
    chosen: &'a mut Chosen,
}

impl Vary<'_> {
    fn fields(&mut self, fields: &Fields, place: &str) -> Fields {
        fields.map(|Field { key, node, .. }| {
            let below = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
            self.node(node, &below)
        })
    }

    fn node(&mut self, node: &Node, place: &str) -> Node {
        let Node { value, span } = node;
        let value = match value {
            Value::Table(fields) if fields.get("any").is_some() => {
                let Some(all) = self.alternatives(fields, span.clone(), place) else {
                    return node.clone();
                };
                let one = &all[self.source.index(place, all.len())];
                self.chosen.push((place.to_owned(), one.value.to_inline(), all.len()));
                return self.node(one, &format!("{place}.any"));
            }
            Value::Table(fields) => match ends(fields) {
                Some(ends) => {
                    let number = Value::from(self.source.number(place, ends));
                    self.chosen.push((place.to_owned(), number.to_inline(), 0));
                    number
                }
                None => Value::Table(self.fields(fields, place)),
            },
            Value::Array(all) => {
                let each = all.iter().enumerate();
                let node = |(k, one): (usize, &Node)| self.node(one, &format!("{place}[{k}]"));
                Value::Array(each.map(node).collect())
            }
            other => other.clone(),
        };
        Node { value, span: span.clone() }
    }

    fn alternatives<'f>(
        &self,
        fields: &'f Fields,
        span: Range<usize>,
        place: &str,
    ) -> Option<&'f [Node]> {
        match fields.get("any").map(|field| &field.node.value) {
            Some(Value::Array(all)) if !all.is_empty() && fields.iter().count() == 1 => Some(all),
            _ => {
                let message = "any is not a list of alternatives alone".to_owned();
                let allowed = "{ any = [...] } with a value or more and no other key".to_owned();
                self.problems.add(span, place, Problem::Invalid { message, allowed });
                None
            }
        }
    }
}

/// The ends of a range of numbers.
fn ends(fields: &Fields) -> Option<[f64; 2]> {
    let number = |key: &str| match fields.get(key)?.node.value {
        #[expect(clippy::cast_precision_loss, reason = "bounds of keys lie far below 2^53")]
        Value::Integer(number, _) => number.map(|whole| whole as f64),
        Value::Float(number, _) => number,
        _ => None,
    };
    (fields.iter().count() == 2).then(|| Some([number("from")?, number("to")?])).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistakes(text: &str) -> Vec<String> {
        let errors = parse_recipe(text, "r.toml").unwrap_err();
        errors.diagnostics().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn recipe_mistakes_are_told_at_once_with_their_places() {
        let text = "[dataset]\ncont = 4\nmodels = []\nmoments = 2\nfps = 3\njitter = 2\n\n[output]\nsize = { any = [[8, 8], [0, 8]] }\nframes = 3\nsampels = 4\nexposure = { from = 1, to = -1 }\nchannels = [\"motion\"]\nbackground = { any = [] }\n\n[[model]]\nfile = \"a.glb\"\n";
        let found = mistakes(text);
        for says in [
            "r.toml:2:1: dataset.cont: unknown key \"cont\"",
            "did you mean \"count\"",
            "missing key \"count\"",
            "r.toml:3:10: dataset.models: the array is empty",
            "dataset.moments: key \"moments\" has no effect with fps",
            "r.toml:6:10: dataset.jitter: 2 is out of range",
            "r.toml:9:26: output.size[0]",
            "output.frames: key \"frames\" has no effect with [dataset]",
            "did you mean \"samples\"",
            "r.toml:12:12: output.exposure",
            "output.channels: a sample has no next frame",
            "output.background: any is not a list of alternatives",
            "model: key \"model\" has no effect with [dataset]",
        ] {
            assert!(found.iter().any(|own| own.contains(says)), "{says}: {found:#?}");
        }
        assert!(mistakes("[output]\n")[0].contains("missing key \"dataset\""));
        let camera = |camera: &str| {
            mistakes(&format!("[dataset]\ncount = 1\nmodels = [\"a\"]\n[camera]\n{camera}"))
        };
        assert!(camera("projection = \"orthographic\"")[0].contains("focal length"));
        assert!(camera("kind = \"md5camera\"\nfile = \"a\"")[0].contains("moves with time"));
    }

    #[test]
    fn draws_are_these_numbers_everywhere() {
        let draws = Draws::new(7, 12, 0);
        assert_eq!(mixed(0), 0xe220_a839_7b1d_cdaf, "SplitMix64 from 0");
        let shares: Vec<f64> = (0..2000).map(|n| Draws::new(7, n, 0).share("a")).collect();
        let mean = shares.iter().sum::<f64>() / 2000.0;
        assert!((mean - 0.5).abs() < 0.02 && shares.iter().all(|own| (0.0..1.0).contains(own)));
        assert_ne!(draws.share("a"), draws.share("b"));
        assert_ne!(draws.share("a"), Draws::new(7, 12, 1).share("a"));
        assert_ne!(draws.share("a"), Draws::new(8, 12, 0).share("a"));
        let counts = (0..3000).fold([0; 3], |mut counts, n| {
            counts[Draws::new(1, n, 0).below("x", 3)] += 1;
            counts
        });
        assert!(counts.iter().all(|own| (900..1100).contains(own)), "{counts:?}");
        // Uniform on the sphere: half of the directions of a half sphere are below 30 degrees.
        let low = (0..2000).filter(|&n| {
            let source = Source::Drawn(Draws::new(1, n, 0));
            source.number("camera.elevation_deg", [0.0, 90.0]) < 30.0
        });
        assert!((900..1100).contains(&low.count()));
    }
}
