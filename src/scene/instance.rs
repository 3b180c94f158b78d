//! `[[instance]]`: the position of a model and the clip that it plays.

use super::clip_word::ClipChoice;
use super::error::{Problem, nearest_word, quoted};
use super::layer::{Layer, read_layers};
use super::model::{ModelEntry, SetChoice};
use super::reader::{Bounds, DEGREES, Item, SECONDS, SPEED, Table};
use super::value::{Ramp, narrow, ramp, vector, wrap};
use crate::math::{Affine3, Mat3, Vec3, func};
use crate::model::Wrap;

/// A clip that an instance names and that only the file of its model has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedClip {
    /// The index of the model.
    pub model: usize,
    /// The clip.
    pub clip: SetChoice,
    /// Path of the key that names it, such as `instance[2].clip`.
    pub key: String,
}

/// A cross-fade to another clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fade {
    /// The clip after the fade.
    pub clip: ClipChoice,
    /// Time of the scene at which the fade starts; rising from fade to fade.
    pub at_s: f64,
    /// Duration; 0 is a cut.
    pub for_s: f64,
}

/// An instance of a model in the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The index of its model.
    pub model: usize,
    /// The clip before all fades.
    pub clip: ClipChoice,
    /// Time of the clip at time 0 of the scene.
    pub start_s: f64,
    /// Seconds of the clip per second of the scene; negative runs backwards.
    pub speed: f64,
    /// Behaviour beyond the ends of a clip; by default that of the clip's file.
    pub wrap: Option<Wrap>,
    /// World position of the model's origin.
    pub position: Vec3,
    /// Angles about x, y and z in degrees, applied about z first, then x, then y; positive is counter-clockwise seen from the
    /// tip of the axis.
    pub rotation_deg: [Ramp; 3],
    /// Scale factor, above 0; applied first.
    pub scale: f64,
    /// Fades to other clips, in the order of their times.
    pub fade: Vec<Fade>,
    /// Layers over the pose of its clip, each over those before it.
    pub layers: Vec<Layer>,
    /// Motion of the joint that carries the model.
    pub root: RootMotion,
    /// Name of the root joint that is held; by default it is found by its motion.
    pub root_joint: Option<String>,
    /// Whether it casts shadows.
    pub casts: bool,
}

/// Treatment of the motion with which a clip carries a model through space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootMotion {
    /// The model moves as its clip says.
    #[default]
    Keep,
    /// The root joint stays where it is at the first moment of the clip.
    Hold,
    /// As [`RootMotion::Hold`] on the level plane; up and down it moves.
    HoldLevel,
}

/// The words for the motion of the root joint.
pub const ROOT_WORDS: [(&str, RootMotion); 3] =
    [("keep", RootMotion::Keep), ("hold", RootMotion::Hold), ("hold-xz", RootMotion::HoldLevel)];

impl RootMotion {
    /// The word that a scene uses for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        ROOT_WORDS.iter().find(|(_, root)| *root == self).map_or("", |(word, _)| word)
    }
}

impl Fade {
    /// Time of its clip at time `time_s` of the scene, before wrapping: the clip starts at its first key when the fade starts, at the
    /// speed of the instance.
    #[must_use]
    pub fn clip_time_s(&self, instance: &Instance, time_s: f64) -> f64 {
        instance.speed * (time_s - self.at_s)
    }
}

impl Instance {
    /// An instance at the origin that plays a clip from its start.
    #[must_use]
    pub fn new(model: usize, clip: ClipChoice) -> Self {
        Self {
            model,
            clip,
            start_s: 0.0,
            speed: 1.0,
            wrap: None,
            position: Vec3::ZERO,
            rotation_deg: [Ramp::Constant(0.0); 3],
            scale: 1.0,
            fade: Vec::new(),
            layers: Vec::new(),
            root: RootMotion::Keep,
            root_joint: None,
            casts: true,
        }
    }

    /// Time of its first clip at time `time_s` of the scene, before wrapping.
    #[must_use]
    pub fn clip_time_s(&self, time_s: f64) -> f64 {
        self.start_s + self.speed * time_s
    }

    /// Transform from model space to world space in the frame at position `k` of the scene's `n` frames.
    #[must_use]
    pub fn world_from_model(&self, k: usize, n: usize) -> Affine3 {
        let [x, y, z] =
            self.rotation_deg.each_ref().map(|angle| func::radians(narrow(angle.at(k, n) % 360.0)));
        let rotation =
            Mat3::from_rotation_y(y) * Mat3::from_rotation_x(x) * Mat3::from_rotation_z(z);
        let scaled = rotation * Mat3::from_diagonal(Vec3::splat(narrow(self.scale)));
        Affine3::from_mat3_translation(scaled, self.position)
    }
}

/// Reads all `[[instance]]` tables, and adds one for each model without any.
pub(super) fn read(
    root: &Table<'_>,
    models: &[ModelEntry],
    wanted: &mut Vec<WantedClip>,
) -> Vec<Instance> {
    const KEYS: [&str; 13] = [
        "model",
        "clip",
        "start_s",
        "speed",
        "wrap",
        "position",
        "rotation_deg",
        "scale",
        "fade",
        "layers",
        "root",
        "root_joint",
        "shadow",
    ];
    let tables = root.tables("instance", &KEYS);
    let mut instances: Vec<Instance> =
        tables.iter().filter_map(|table| read_one(table, models, wanted)).collect();
    for (index, model) in models.iter().enumerate() {
        if !instances.iter().any(|instance| instance.model == index) {
            instances.push(Instance::new(index, first_clip(model)));
        }
    }
    instances
}

fn first_clip(model: &ModelEntry) -> ClipChoice {
    match model.clips.is_empty() {
        true if model.has_own_clips => ClipChoice::First,
        true => ClipChoice::Bind,
        false => ClipChoice::Clip(0),
    }
}

fn read_one(
    table: &Table<'_>,
    models: &[ModelEntry],
    wanted: &mut Vec<WantedClip>,
) -> Option<Instance> {
    let index =
        table.required("model", "the name of a model").and_then(|item| read_model(&item, models));
    let model = index.and_then(|index| Some((index, models.get(index)?)));
    let first = model.map_or(ClipChoice::Bind, |(_, model)| first_clip(model));
    let mut instance = Instance::new(index.unwrap_or(0), first);
    if let (Some(item), Some(model)) = (table.item("clip"), model) {
        instance.clip = read_clip(&item, model, wanted).unwrap_or(instance.clip);
    }
    instance.start_s = table.number("start_s", SECONDS, 0.0);
    instance.speed = table.number("speed", SPEED, 1.0);
    instance.wrap = wrap(table);
    instance.position = table.item("position").and_then(|item| vector(&item)).unwrap_or(Vec3::ZERO);
    if let Some(item) = table.item("rotation_deg") {
        instance.rotation_deg = read_rotation(&item).unwrap_or(instance.rotation_deg);
    }
    instance.scale = table.number("scale", Bounds::Above(0.0, 1e6), 1.0);
    instance.fade =
        table.item("fade").map_or_else(Vec::new, |item| read_fades(&item, model, wanted));
    if let Some(item) = table.item("layers") {
        let mut clip = |item: &Item<'_>| model.and_then(|model| read_clip(item, model, wanted));
        instance.layers = read_layers(&item, &mut clip);
    }
    let root = table.item("root").and_then(|item| item.word("root motion", &ROOT_WORDS));
    instance.root = root.unwrap_or_default();
    let joint = table.item("root_joint");
    instance.root_joint =
        joint.and_then(|item| item.filled_text("the name of a joint")).map(str::to_owned);
    if instance.root == RootMotion::Keep {
        table.refuse("root_joint", "root = \"keep\"", "root = \"hold\" or \"hold-xz\"");
    }
    if let Some(item) = table.item("shadow") {
        instance.casts = item.truth("true or false").unwrap_or(true);
    }
    index.map(|_| instance)
}

fn read_model(item: &Item<'_>, models: &[ModelEntry]) -> Option<usize> {
    let name = item.filled_text("the name of a model")?;
    models.iter().position(|model| model.name == name).or_else(|| {
        let names = models.iter().map(|model| model.name.as_str());
        item.report(Problem::UnknownReference {
            what: "model",
            found: quoted(name),
            owner: "the scene",
            nearest: nearest_word(name, names.clone()),
            has: names.map(str::to_owned).collect(),
        });
        None
    })
}

/// A clip by name or index; `"bind"` is the bind pose unless a clip has that name.
///
/// If the model plays the clips of its file, none is known here, and the clip is noted as wanted.
fn read_clip(
    item: &Item<'_>,
    (place, model): (usize, &ModelEntry),
    wanted: &mut Vec<WantedClip>,
) -> Option<ClipChoice> {
    const EXPECTED: &str = "the name or the index of a clip, or \"bind\"";
    let unknown = |found: String, nearest: Option<String>| {
        item.report(Problem::UnknownReference {
            what: "clip",
            found,
            owner: "the model",
            has: model.clips.iter().map(|clip| clip.name.clone()).collect(),
            nearest,
        });
        None
    };
    let mut want = |clip: SetChoice| {
        wanted.push(WantedClip { model: place, clip, key: item.path.clone() });
        Some(ClipChoice::Wanted(wanted.len() - 1))
    };
    if item.is_whole_number() {
        let number = item.whole_number(EXPECTED)?;
        if let Ok(index) = usize::try_from(number)
            && model.has_own_clips
        {
            return want(SetChoice::Index(index));
        }
        let index = usize::try_from(number).ok().filter(|&index| index < model.clips.len());
        return index.map(ClipChoice::Clip).or_else(|| unknown(number.to_string(), None));
    }
    let name = item.filled_text(EXPECTED)?;
    if let Some(index) = model.clips.iter().position(|clip| clip.name == name) {
        return Some(ClipChoice::Clip(index));
    }
    if model.has_own_clips {
        // A clip of the file that is named "bind" comes before the bind pose.
        return want(SetChoice::Name(name.to_owned()));
    }
    if name == "bind" {
        return Some(ClipChoice::Bind);
    }
    let names = model.clips.iter().map(|clip| clip.name.as_str()).chain(["bind"]);
    unknown(quoted(name), nearest_word(name, names))
}

fn read_rotation(item: &Item<'_>) -> Option<[Ramp; 3]> {
    const EXPECTED: &str = "[x, y, z] in degrees, each a number or { from, to }";
    let [x, y, z] = item.array_of::<3>(EXPECTED)?.map(|angle| ramp(&angle, DEGREES));
    Some([x?, y?, z?])
}

/// Reads the fades; their clips are checked if the model is known.
fn read_fades(
    item: &Item<'_>,
    model: Option<(usize, &ModelEntry)>,
    wanted: &mut Vec<WantedClip>,
) -> Vec<Fade> {
    const KEYS: [&str; 3] = ["clip", "at_s", "for_s"];
    const EXPECTED: &str = "an array of { clip, at_s, for_s }";
    let mut fades: Vec<Fade> = Vec::new();
    let mut previous_s: Option<f64> = None;
    for element in item.array(EXPECTED).unwrap_or_default() {
        let Some(table) = element.table("{ clip, at_s, for_s }", &KEYS) else { continue };
        let clip = table
            .required("clip", "the clip that it changes to")
            .and_then(|item| model.and_then(|model| read_clip(&item, model, wanted)));
        let at = table.required("at_s", "the time in seconds at which the change starts");
        let at_s = at.as_ref().and_then(|item| item.number(SECONDS));
        if let (Some(item), Some(at_s)) = (at, at_s) {
            item.check_rising(previous_s, at_s);
            previous_s = Some(at_s);
        }
        let for_s = table.number("for_s", Bounds::Within(0.0, 1e6), 0.0);
        if let (Some(clip), Some(at_s)) = (clip, at_s) {
            fades.push(Fade { clip, at_s, for_s });
        }
    }
    fades
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instance_turns_about_z_then_x_then_y() {
        let mut instance = Instance::new(0, ClipChoice::Bind);
        instance.rotation_deg = [90.0, 90.0, 90.0].map(Ramp::Constant);
        instance.scale = 2.0;
        instance.position = Vec3::new(10.0, 0.0, 0.0);
        let place = instance.world_from_model(0, 1).transform_point3(Vec3::X);
        // About z: +X to +Y. About x: +Y to +Z. About y: +Z to +X.
        assert!((place - Vec3::new(12.0, 0.0, 0.0)).length() < 1e-5, "{place}");
    }

    #[test]
    fn instance_rotation_follows_its_range() {
        let mut instance = Instance::new(0, ClipChoice::Bind);
        instance.rotation_deg[1] = Ramp::Range { from: 0.0, to: 360.0 };
        let ahead = instance.world_from_model(1, 4).transform_vector3(Vec3::X);
        assert!((ahead - Vec3::NEG_Z).length() < 1e-6, "{ahead}");
        assert_eq!(instance.world_from_model(4, 4), instance.world_from_model(0, 4));
    }

    #[test]
    fn instance_clip_time_has_offset_and_speed() {
        let instance =
            Instance { start_s: 0.25, speed: -2.0, ..Instance::new(0, ClipChoice::Bind) };
        assert_eq!(instance.clip_time_s(1.0), -1.75);
    }
}
