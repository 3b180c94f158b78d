//! `[[instance]]`: the placement of a model and the clip that it plays.
//!
//! `placement` reads position, rotation and scale, `attach` the joint that an instance is attached
//! to, `edit` the changes to a model's meshes, materials and joints, `crowd` makes many instances
//! from one table.

mod attach;
mod crowd;
mod edit;
mod placement;

pub use attach::Attachment;
pub use edit::{JointEdit, MaterialChoice, MorphEdit};
pub use placement::Placement;

use crowd::{Crowd, Member};

use super::clip_word::{ClipChoice, ClipWord, ClipWordError, decide_said_clip, read_clip_word};
use super::error::quoted;
use super::frame_number::FramePosition;
use super::layer::{Layer, read_layers};
use super::model::{ModelEntry, SetChoice, set_choice};
use super::motion::{Switch, switch};
use super::reader::{Item, Table};
use super::value::wrap;
use super::words::RootMotion;
use tintype_base::suggest::nearest_word;
use tintype_model::Wrap;
use tintype_model::math::Affine3;

/// A clip named by an instance that only the file of its model has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedClip {
    /// The index of the model.
    pub model: usize,
    /// The clip.
    pub clip: SetChoice,
    /// Path of its key, such as `instance[2].clip`.
    pub key: String,
}

/// A cross-fade to another clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fade {
    /// The clip after the fade.
    pub clip: ClipChoice,
    /// Time of the scene when the fade starts; increasing from fade to fade.
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
    /// Its name, which others are attached to it by; by default that of its model, if that has no
    /// other instance.
    pub name: Option<String>,
    /// Position, rotation and scale: in the world, or in the space of the joint that it is attached
    /// to.
    pub placement: Placement,
    /// The joint that it is attached to.
    pub attach: Option<Attachment>,
    /// Visibility over time.
    pub visible: Switch,
    /// Patterns of the drawn meshes; by default all.
    pub show: Vec<String>,
    /// Patterns of meshes that are not drawn.
    pub hide: Vec<String>,
    /// Variant of the materials of its file, by name or index; by default the materials of the
    /// model.
    pub variant: Option<SetChoice>,
    /// Materials that replace those of its model.
    pub materials: Vec<MaterialChoice>,
    /// Joints that are moved after its clips.
    pub joints: Vec<JointEdit>,
    /// Weights of morph targets that override those of its clips; if two name the same target, the
    /// later one counts.
    pub morphs: Vec<MorphEdit>,
    /// Fades to other clips, in the order of their times.
    pub fade: Vec<Fade>,
    /// Layers over the pose of its clip, each over those before it.
    pub layers: Vec<Layer>,
    /// Motion of the joint that carries the model.
    pub root: RootMotion,
    /// Name of the held root joint; by default it is found by its motion.
    pub root_joint: Option<String>,
    /// True if it casts shadows.
    pub casts: bool,
    /// The index of its `[[instance]]`.
    pub table: usize,
    /// True if it is a member of a crowd, which is described by one table.
    pub is_member: bool,
}

impl Fade {
    /// Time of its clip at time `time_s` of the scene, before wrapping: the clip starts at its
    /// first key when the fade starts, at the speed of the instance.
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
            name: None,
            placement: Placement::default(),
            attach: None,
            visible: Switch::Constant(true),
            show: Vec::new(),
            hide: Vec::new(),
            variant: None,
            materials: Vec::new(),
            joints: Vec::new(),
            morphs: Vec::new(),
            fade: Vec::new(),
            layers: Vec::new(),
            root: RootMotion::Keep,
            root_joint: None,
            casts: true,
            table: 0,
            is_member: false,
        }
    }

    /// The path of one of its keys, such as `instance[2].clip`; for a member of a crowd followed by
    /// its name.
    #[must_use]
    pub fn path_of(&self, key: &str) -> String {
        let Self { table, name, .. } = self;
        match name {
            Some(name) if self.is_member => format!("instance[{table}].{key} of {}", quoted(name)),
            _ => format!("instance[{table}].{key}"),
        }
    }

    /// Time of its first clip at time `time_s` of the scene, before wrapping.
    #[must_use]
    pub fn clip_time_s(&self, time_s: f64) -> f64 {
        self.start_s + self.speed * time_s
    }

    /// Transform of its position, rotation and scale in one frame.
    #[must_use]
    pub fn transform(&self, frame: FramePosition) -> Affine3 {
        self.placement.at(frame)
    }
}

/// Reads all `[[instance]]` tables, and adds one for each model without any.
pub(super) fn read(
    root: &Table<'_>,
    models: &[ModelEntry],
    wanted: &mut Vec<WantedClip>,
) -> Vec<Instance> {
    let tables = root.tables("instance");
    let mut instances: Vec<Instance> = Vec::new();
    let mut attached = Vec::new();
    // The table of each crowd member, whose name is not in the text.
    let mut crowds: Vec<(usize, &Table<'_>)> = Vec::new();
    for (number, table) in tables.iter().enumerate() {
        let crowd = Crowd::read(table);
        let Some(mut instance) = read_one(table, models, wanted) else { continue };
        instance.table = number;
        let members = match crowd {
            Some(crowd) => {
                let model = models.get(instance.model).map_or("", |model| model.name.as_str());
                members_of(crowd, &instance, instance.name.as_deref().unwrap_or(model))
            }
            None => vec![instance],
        };
        if crowd.is_some() {
            crowds.extend((instances.len()..).take(members.len()).map(|index| (index, table)));
        }
        attached.extend(members.iter().map(|_| table.item("attach")));
        instances.extend(members);
    }
    for (index, model) in models.iter().enumerate() {
        if !instances.iter().any(|instance| instance.model == index) {
            let table = instances.len();
            instances.push(Instance { table, ..Instance::new(index, first_clip(model)) });
        }
    }
    let of_model: Vec<usize> = instances.iter().map(|instance| instance.model).collect();
    let mut names: Vec<Option<String>> =
        instances.iter_mut().map(|instance| instance.name.take()).collect();
    attach::check_names(&tables, &crowds, &mut names, &of_model, models);
    let attached = attach::read(&attached, &names);
    for (instance, (attach, name)) in instances.iter_mut().zip(attached.into_iter().zip(names)) {
        (instance.attach, instance.name) = (attach, name);
    }
    instances
}

/// The instances of a crowd. The table's position is their centre; each is named after the table or
/// its model, with a dot and a number.
fn members_of(crowd: Crowd, instance: &Instance, name: &str) -> Vec<Instance> {
    let member = |member: Member| {
        let mut own = instance.clone();
        own.name = Some(format!("{name}.{}", member.number));
        own.placement.move_by(member.offset);
        own.start_s = member.start_s(own.start_s);
        own.is_member = true;
        own
    };
    crowd.members().map(member).collect()
}

fn first_clip(model: &ModelEntry) -> ClipChoice {
    if !model.clips.is_empty() {
        ClipChoice::Clip(0)
    } else if model.has_own_clips {
        ClipChoice::First
    } else {
        ClipChoice::Bind
    }
}

fn read_one(
    table: &Table<'_>,
    models: &[ModelEntry],
    wanted: &mut Vec<WantedClip>,
) -> Option<Instance> {
    let index = table.require("model", "the name of a model", |item| read_model(item, models));
    let model = index.and_then(|index| Some((index, models.get(index)?)));
    let first = model.map_or(ClipChoice::Bind, |(_, model)| first_clip(model));
    let clip = table.item("clip").zip(model);
    let clip = clip.and_then(|(item, model)| read_clip(&item, model, wanted));
    let mut instance = Instance::new(index.unwrap_or(0), decide_said_clip(clip, first));
    instance.name = table.text("name", "a name");
    instance.start_s = table.number("start_s");
    instance.speed = table.number("speed");
    instance.wrap = wrap(table);
    instance.placement = placement::read(table);
    instance.visible = table.get("visible", switch).unwrap_or(instance.visible);
    [instance.show, instance.hide] = ["show", "hide"].map(|key| {
        let expected = "an array of mesh names, where * matches any text";
        table.texts(key, expected, "the name of a mesh")
    });
    let variant = "the name or the index of a variant";
    instance.variant = table.get("variant", |item| set_choice(item, variant));
    instance.materials = edit::read_materials(table);
    instance.joints = edit::read_joints(table);
    instance.morphs = edit::read_morphs(table);
    let mut clip = |item: &Item<'_>| model.and_then(|model| read_clip(item, model, wanted));
    instance.fade = table.item("fade").map_or_else(Vec::new, |item| read_fades(&item, &mut clip));
    instance.layers =
        table.item("layers").map_or_else(Vec::new, |item| read_layers(&item, &mut clip));
    let root = table.get("root", |item| item.word("root motion", RootMotion::WORDS));
    instance.root = root.unwrap_or_default();
    instance.root_joint = table.text("root_joint", "the name of a joint");
    if instance.root == RootMotion::Keep {
        table.refuse("root_joint", "root = \"keep\"", "root = \"hold\" or \"hold-xz\"");
    }
    instance.casts = table.truth("shadow");
    index.map(|_| instance)
}

fn read_model(item: &Item<'_>, models: &[ModelEntry]) -> Option<usize> {
    let name = item.filled_text("the name of a model")?;
    let names = models.iter().map(|model| model.name.as_str());
    names.clone().position(|own| own == name).or_else(|| {
        let nearest = nearest_word(name, names.clone());
        item.unknown(["model", "the scene"], quoted(name), names, nearest)
    })
}

/// A clip in the form of [`read_clip_word`], or its index as a number.
///
/// If the model plays the clips of its file, none is known here, and the clip is noted as wanted.
fn read_clip(
    item: &Item<'_>,
    (place, model): (usize, &ModelEntry),
    wanted: &mut Vec<WantedClip>,
) -> Option<ClipChoice> {
    const EXPECTED: &str = "the name or the index of a clip, or \"bind\"";
    let names = model.clips.iter().map(|clip| clip.name.as_str());
    let unknown = |found: String, nearest: Option<String>| {
        item.unknown(["clip", "the model"], found, names.clone(), nearest)
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
    let word = item.filled_text(EXPECTED)?;
    let known: Vec<&str> = names.clone().collect();
    match read_clip_word(word, &known) {
        // The file may have a clip of this name, and a part is cut when its clip is read.
        _ if model.has_own_clips => want(SetChoice::Name(word.to_owned())),
        Ok(ClipWord::Clip { part: Some(_), .. }) => want(SetChoice::Name(word.to_owned())),
        Ok(ClipWord::Clip { index, part: None }) => Some(ClipChoice::Clip(index)),
        Ok(ClipWord::Bind) => Some(ClipChoice::Bind),
        // One may lie beside the model.
        Err(ClipWordError::Unknown { .. }) if known.is_empty() => {
            want(SetChoice::Name(word.to_owned()))
        }
        Err(ClipWordError::Unknown { name, nearest }) => unknown(quoted(&name), nearest),
        Err(error) => item.invalid(error.to_string(), "a clip, or a range of it such as walk:6-18"),
    }
}

/// Reads the fades; their clips are checked if the model is known.
fn read_fades(
    item: &Item<'_>,
    read_clip: &mut dyn FnMut(&Item<'_>) -> Option<ClipChoice>,
) -> Vec<Fade> {
    const EXPECTED: [&str; 3] = [
        "an array of { clip, at_s, for_s }",
        "{ clip, at_s, for_s }",
        "the time in seconds at which the change starts",
    ];
    let read = |table: &Table<'_>| {
        let clip = table.require("clip", "the clip that it changes to", &mut *read_clip);
        let for_s = table.number("for_s");
        Some((clip?, for_s))
    };
    let fades = item.timed(EXPECTED, read).unwrap_or_default();
    fades.into_iter().map(|(at_s, (clip, for_s))| Fade { clip, at_s, for_s }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(instances: &str) -> Result<Vec<Instance>, String> {
        let text =
            format!("[[model]]\nfile = \"imp.md5mesh\"\n[[model]]\nfile = \"axe.x\"\n{instances}");
        let scene = crate::parse_scene(&text, "scene").map_err(|errors| errors.to_string())?;
        Ok(scene.instances)
    }

    #[test]
    fn attached_instances_name_their_owner_by_its_model() {
        let axe = "[[instance]]\nmodel = \"axe\"\nattach = { to = \"imp\", joint = \"hand\" }\n";
        let found = parse(axe).unwrap();
        let attachment = found[0].attach.as_ref().unwrap();
        assert_eq!((attachment.to, attachment.joint.as_deref()), (1, Some("hand")));
        let two =
            "[[instance]]\nmodel = \"imp\"\n[[instance]]\nmodel = \"imp\"\nname = \"second\"\n";
        let error = parse(&format!("{two}{axe}")).unwrap_err();
        assert!(error.contains("unknown instance \"imp\"") && error.contains("second"), "{error}");
        let named = axe.replace("to = \"imp\"", "to = \"second\"");
        assert_eq!(parse(&format!("{two}{named}")).unwrap()[2].attach.as_ref().unwrap().to, 1);
    }

    #[test]
    fn morphs_are_weights_by_the_names_of_targets() {
        let imp = |morphs: &str| parse(&format!("[[instance]]\nmodel = \"imp\"\n{morphs}\n"));
        let found =
            imp("morphs = { smile = 0.5, \"eyes/*\" = { from = 0, to = 1 }, \"2\" = -1 }").unwrap();
        let weights: Vec<_> = (found[0].morphs.iter())
            .map(|morph| (morph.name.as_str(), morph.weight.at(1, 2, 0.0)))
            .collect();
        assert_eq!(weights, [("eyes/*", 0.5), ("2", -1.0), ("smile", 0.5)]);
        let error = imp("morphs = { smile = \"half\" }").unwrap_err();
        assert!(error.contains("a number, { from, to }"), "{error}");
        let error = imp("morphs = { smile = 1e9 }").unwrap_err();
        assert!(error.contains("1000"), "{error}");
    }

    #[test]
    fn circles_and_long_chains_of_attached_instances_are_refused() {
        let link = |name: &str, to: &str| {
            format!(
                "[[instance]]\nmodel = \"imp\"\nname = \"{name}\"\nattach = {{ to = \"{to}\" }}\n"
            )
        };
        let circle = [link("a", "b"), link("b", "c"), link("c", "a")].concat();
        let error = parse(&circle).unwrap_err();
        assert!(error.contains("\"a\" on \"b\" on \"c\" on \"a\""), "{error}");
        assert!(parse(&link("a", "a")).unwrap_err().contains("\"a\" on \"a\""));
        let root = "[[instance]]\nmodel = \"imp\"\nname = \"0\"\n".to_owned();
        let chain = |count: usize| -> String {
            let links = (1..=count).map(|n| link(&n.to_string(), &(n - 1).to_string()));
            core::iter::once(root.clone()).chain(links).collect()
        };
        assert!(parse(&chain(64)).is_ok());
        assert!(parse(&chain(66)).unwrap_err().contains("more than 64 attached instances"));
    }

    #[test]
    fn instance_mistakes_are_answered_at_their_keys() {
        for (text, message) in [
            ("scale = 0", "a scale factor is 0"),
            ("scale = [1, 0, 1]", "a scale factor is 0"),
            ("scale = { from = -1, to = 1 }", "passes through 0"),
            (
                "scale = { keys = [{ at_s = 0, value = 1 }, { at_s = 1, value = -1 }] }",
                "passes through 0",
            ),
            ("position = { keys = [] }", "there are no keys"),
            (
                "position = { keys = [{ at_s = 1, value = [0, 0, 0] }, { at_s = 1, value = [0, 0, 0] }] }",
                "1 s is not after",
            ),
            ("position = { from = [0, 0, 0] }", "missing key \"to\""),
            ("rotation = [0, 0, 0, 0]", "the quaternion has no length"),
            ("rotation = [[1, 0, 0], [0, 1, 0], [0, 0, -1]]", "the matrix is not a rotation"),
            (
                "rotation = [0, 0, 0, 1]\nrotation_deg = [0, 0, 0]",
                "\"rotation\" has no effect with rotation_deg",
            ),
            (
                "matrix = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]",
                "the matrix flattens the model",
            ),
            ("matrix = [[1, 0, 0, 0], [0, 1, 0, 0]]", "three or four rows"),
            ("matrix = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 1]]", "the fourth row"),
            (
                "matrix = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]\nscale = 2",
                "\"scale\" has no effect with matrix",
            ),
            ("visible = 1", "true, false or { keys"),
            ("visibel = true", "\"visible\""),
            ("hide = \"head\"", "an array of mesh names"),
            ("materials = { skin = 1 }", "the name of a material"),
            ("joints = [{ rotation_deg = [0, 0, 0] }]", "missing key \"name\""),
            ("joints = [{ name = \"a\", mode = \"put\" }]", "\"add\", \"set\""),
            ("joints = [{ name = \"a\", scale = -1 }]", "a joint would be mirrored"),
            ("attach = { joint = \"a\" }", "missing key \"to\""),
            (
                "attach = { to = \"rangr\" }\n[[instance]]\nmodel = \"axe\"\nname = \"ranger\"",
                "did you mean \"ranger\"",
            ),
        ] {
            let text = format!("[[instance]]\nmodel = \"axe\"\n{text}\n");
            let error = parse(&text).unwrap_err();
            assert!(error.contains(message), "{text}{error}");
        }
    }

    #[test]
    fn rotation_matrix_and_quaternion_are_one_rotation() {
        let of = |text: &str| {
            let found = parse(&format!("[[instance]]\nmodel = \"axe\"\n{text}\n")).unwrap();
            found[0].transform(FramePosition { k: 0, n: 1, time_s: 0.0 })
        };
        let turned = of("rotation_deg = [0, 90, 0]");
        let others = [
            "rotation = [0, 3, 0, 3]",
            "rotation = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]",
            "matrix = [[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]]",
        ];
        for text in others {
            assert!(of(text).abs_diff_eq(turned, 1e-6), "{text}");
        }
    }

    #[test]
    fn instance_clip_time_has_offset_and_speed() {
        let instance =
            Instance { start_s: 0.25, speed: -2.0, ..Instance::new(0, ClipChoice::Bind) };
        assert_eq!(instance.clip_time_s(1.0), -1.75);
    }
}
