//! Layers of clips against an independent mixer in `f64`, written from the formulas in
//! `docs/scene.md`; parts of clips and held roots of the same model.

use crate::support::trial;
use libtest_mimic::Failed;
use std::fmt::Write;
use tempfile::TempDir;
use tintype::Model;
use tintype_formats::LoadOptions;
use tintype_model::{Clip, Track};
use tintype_render::Renderer;
use tintype_scene::{FrameNumber, parse_scene};

type Outcome = Result<(), Failed>;
type V = [f64; 3];
/// x, y, z, w.
type Q = [f64; 4];

/// Frames, each on the one at that index, with its position on it. Every frame holds one triangle.
const FRAMES: [(&str, Option<usize>, V); 5] = [
    ("Root", None, [0.0, 0.0, 0.0]),
    ("Hip", Some(0), [0.1, 1.0, 0.0]),
    ("Arm", Some(1), [0.4, 0.6, 0.1]),
    ("Hand", Some(2), [0.5, 0.0, -0.1]),
    ("Leg", Some(1), [0.1, -0.5, 0.2]),
];
/// Vertices of each triangle in the space of its frame, in the axes of the file.
const TRIANGLE: [V; 3] = [[0.2, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.4]];
/// Most that a vertex may be away from the reference: a few roundings of numbers of size 3.
const TOLERANCE: f64 = 5e-6;

/// A file with three sets: Walk moves all frames but the hand, Wave only arm and hand, Run root,
/// hip and leg, some of them without translations.
fn file() -> String {
    let mut text = "xof 0303txt 0032\nAnimTicksPerSecond { 10; }\n".to_owned();
    fn frame(text: &mut String, index: usize) {
        let (name, _, [x, y, z]) = FRAMES[index];
        let _ = write!(
            text,
            "Frame {name} {{ FrameTransformMatrix {{ 1,0,0,0, 0,1,0,0, 0,0,1,0, {x},{y},{z},1;; }}\n\
             Mesh {{ 3; 0.2;0;0;, 0;0.3;0;, 0;0;0.4;; 1; 3;0,1,2;; }}\n"
        );
        for child in (0..FRAMES.len()).filter(|&child| FRAMES[child].1 == Some(index)) {
            frame(text, child);
        }
        *text += "}\n";
    }
    frame(&mut text, 0);
    let turn = |axis: V, degrees: f64| -> String {
        let (s, c) = (degrees.to_radians() * 0.5).sin_cos();
        format!("{},{},{},{}", c, axis[0] * s, axis[1] * s, axis[2] * s)
    };
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let rotations = |keys: &[(u32, V, f64)]| -> String {
        let keys: Vec<String> = keys
            .iter()
            .map(|(tick, axis, degrees)| format!("{tick};4;{};;", turn(*axis, *degrees)))
            .collect();
        format!("AnimationKey {{ 0; {}; {}; }}", keys.len(), keys.join(","))
    };
    let vectors = |kind: u32, keys: &[(u32, V)]| -> String {
        let keys: Vec<String> =
            keys.iter().map(|(tick, [x, y, z])| format!("{tick};3;{x},{y},{z};;")).collect();
        format!("AnimationKey {{ {kind}; {}; {}; }}", keys.len(), keys.join(","))
    };
    let mut set = |name: &str, animations: &[(&str, String)]| {
        let _ = writeln!(text, "AnimationSet {name} {{");
        for (frame, keys) in animations {
            let _ = writeln!(text, "Animation {{ {{ {frame} }} {keys} }}");
        }
        text += "}\n";
    };
    set(
        "Walk",
        &[
            ("Root", vectors(2, &[(0, [0.0; 3]), (20, [0.0, 0.2, 2.0])])),
            ("Hip", rotations(&[(0, y, 10.0), (7, y, -40.0), (20, z, 30.0)])),
            ("Arm", rotations(&[(0, x, -30.0), (10, x, 60.0), (20, x, -30.0)])),
            (
                "Leg",
                rotations(&[(0, z, 0.0), (20, z, 170.0)])
                    + &vectors(1, &[(0, [1.0; 3]), (20, [1.5, 0.5, 1.0])]),
            ),
        ],
    );
    set(
        "Wave",
        &[
            ("Arm", rotations(&[(0, z, 80.0), (5, z, 140.0), (10, z, 80.0)])),
            (
                "Hand",
                rotations(&[(0, y, 0.0), (10, y, 300.0)])
                    + &vectors(2, &[(0, [0.5, 0.0, 0.0]), (10, [0.5, 0.3, 0.0])]),
            ),
        ],
    );
    set(
        "Run",
        &[
            ("Root", vectors(2, &[(0, [1.0, 0.0, 0.0]), (10, [1.0, 0.0, 5.0])])),
            ("Hip", rotations(&[(0, x, 20.0), (10, x, 200.0)])),
            ("Leg", rotations(&[(0, x, -90.0), (10, x, 90.0)])),
        ],
    );
    text
}

// The mixer.

#[derive(Clone, Copy)]
struct Local {
    scale: V,
    rotation: Q,
    translation: V,
}

fn lerp<const N: usize>(a: [f64; N], b: [f64; N], t: f64) -> [f64; N] {
    core::array::from_fn(|k| a[k] * (1.0 - t) + b[k] * t)
}

fn slerp(a: Q, b: Q, t: f64) -> Q {
    let mut cosine: f64 = (0..4).map(|k| a[k] * b[k]).sum();
    let mut b = b;
    if cosine < 0.0 {
        (cosine, b) = (-cosine, b.map(|part| -part));
    }
    let angle = cosine.min(1.0).acos();
    let mixed: Q = if angle < 1e-7 {
        lerp(a, b, t)
    } else {
        core::array::from_fn(|k| {
            (((1.0 - t) * angle).sin() * a[k] + (t * angle).sin() * b[k]) / angle.sin()
        })
    };
    let length = mixed.iter().map(|part| part * part).sum::<f64>().sqrt();
    mixed.map(|part| part / length)
}

fn rotate([x, y, z, w]: Q, v: V) -> V {
    let cross = |a: V, b: V| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let u = [x, y, z];
    let inner = cross(u, v);
    let inner = core::array::from_fn(|k| inner[k] + w * v[k]);
    let outer = cross(u, inner);
    core::array::from_fn(|k| v[k] + 2.0 * outer[k])
}

impl Local {
    fn mixed(&self, other: &Self, t: f64) -> Self {
        Self {
            scale: lerp(self.scale, other.scale, t),
            rotation: slerp(self.rotation, other.rotation, t),
            translation: lerp(self.translation, other.translation, t),
        }
    }

    fn apply(&self, v: V) -> V {
        let turned = rotate(self.rotation, core::array::from_fn(|k| v[k] * self.scale[k]));
        core::array::from_fn(|k| turned[k] + self.translation[k])
    }
}

/// The bind pose of a frame, in our axes.
fn bind(index: usize) -> Local {
    let [x, y, z] = FRAMES[index].2;
    Local { scale: [1.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], translation: [x, y, -z] }
}

fn sampled<T: Copy, const N: usize>(
    track: &Track<T>,
    time_s: f64,
    wide: fn(T) -> [f64; N],
    mix: fn([f64; N], [f64; N], f64) -> [f64; N],
    rest: [f64; N],
) -> [f64; N] {
    let (times, values) = (&track.times_s, &track.values);
    match values.len() {
        0 => return rest,
        1 => return wide(values[0]),
        _ => {}
    }
    for k in 1..times.len() {
        if time_s < times[k] {
            let t = ((time_s - times[k - 1]) / (times[k] - times[k - 1])).max(0.0);
            return mix(wide(values[k - 1]), wide(values[k]), t);
        }
    }
    wide(values[values.len() - 1])
}

/// A clip's transform of a frame at a time since its start; it repeats at its last key.
fn of_clip(clip: &Clip, frame: usize, elapsed_s: f64) -> Option<Local> {
    let tracks = clip.joints.iter().find(|tracks| tracks.name == FRAMES[frame].0)?;
    let length_s = clip.end_s - clip.start_s;
    let time_s = clip.start_s + elapsed_s.rem_euclid(length_s);
    let rest = bind(frame);
    let vector = |v: tintype_model::math::Vec3| v.to_array().map(f64::from);
    Some(Local {
        scale: sampled(&tracks.scale, time_s, vector, lerp, rest.scale),
        rotation: sampled(
            &tracks.rotation,
            time_s,
            |q| q.to_array().map(f64::from),
            slerp,
            rest.rotation,
        ),
        translation: sampled(&tracks.translation, time_s, vector, lerp, rest.translation),
    })
}

/// A clip in the reference: its index (none for the bind pose), its time and its weight, as
/// functions of the scene's time.
struct Mixed(Option<usize>, fn(f64) -> f64, fn(f64) -> f64);

/// A layer in the reference: its weight, the frame whose descendants it affects, its clips.
struct Over(fn(f64) -> f64, Option<usize>, Vec<Mixed>);

fn is_below(mut frame: usize, root: usize) -> bool {
    while frame != root {
        match FRAMES[frame].1 {
            Some(parent) => frame = parent,
            None => return false,
        }
    }
    true
}

fn vertices(clips: &[Clip], base: (usize, f64), layers: &[Over], time_s: f64) -> Vec<V> {
    let mut locals: Vec<Local> = (0..FRAMES.len())
        .map(|frame| of_clip(&clips[base.0], frame, base.1).unwrap_or_else(|| bind(frame)))
        .collect();
    for Over(weight, root, mix) in layers {
        for (frame, local) in locals.iter_mut().enumerate() {
            if root.is_some_and(|root| !is_below(frame, root)) {
                continue;
            }
            let taking_part: Vec<(Local, f64)> = mix
                .iter()
                .filter_map(|Mixed(clip, clip_time, weight)| {
                    let pose = match clip {
                        Some(clip) => of_clip(&clips[*clip], frame, clip_time(time_s))?,
                        None => bind(frame),
                    };
                    let weight = weight(time_s);
                    (weight > 0.0).then_some((pose, weight))
                })
                .collect();
            let Some(((first, weight_of_first), others)) = taking_part.split_first() else {
                continue;
            };
            let (mut mean, mut total) = (*first, *weight_of_first);
            for (pose, weight) in others {
                total += weight;
                mean = mean.mixed(pose, weight / total);
            }
            *local = local.mixed(&mean, weight(time_s));
        }
    }
    let mut found = Vec::new();
    for frame in 0..FRAMES.len() {
        for [x, y, z] in TRIANGLE {
            let mut v = [x, y, -z];
            let mut joint = Some(frame);
            while let Some(index) = joint {
                v = locals[index].apply(v);
                joint = FRAMES[index].1;
            }
            found.push(v);
        }
    }
    found
}

// The scenes.

fn write_model() -> Result<TempDir, Failed> {
    let folder = TempDir::new()?;
    std::fs::write(folder.path().join("doll.x"), file())?;
    Ok(folder)
}

/// An error with its causes, as the command prints it.
fn chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", chain(source)),
        None => error.to_string(),
    }
}

/// Posed vertices of the first instance in one frame of a scene, in the order of frames and
/// triangles.
fn drawn(folder: &TempDir, scene: &str, frame: i64) -> Result<Vec<V>, Failed> {
    let scene = parse_scene(scene, "scene").map_err(|errors| errors.to_string())?;
    let renderer = Renderer::load(scene, folder.path(), &LoadOptions::default())
        .map_err(|error| chain(&error))?;
    let staged = renderer.stage(FrameNumber(frame))?;
    let instance = &staged.instances[0];
    let mut found = Vec::new();
    for mesh in &instance.meshes {
        for vertex in 0..3 {
            found.push(mesh.position_at(vertex).to_array().map(f64::from));
        }
    }
    Ok(found)
}

fn clips(folder: &TempDir) -> Result<Vec<Clip>, Failed> {
    let bytes = std::fs::read(folder.path().join("doll.x"))?;
    let read = tintype_formats::x::parse_model(&bytes, None, &LoadOptions::default())?;
    Ok(read.value.clips.into_iter().map(|named| named.clip).collect())
}

const HEAD: &str = "[[model]]\nfile = \"doll.x\"\n[output]\nfps = 10\nframes = \"0-30\"\n\
                    [camera]\nkind = \"look-at\"\neye = [0, 1, 9]\ntarget = [0, 1, 0]\n[[instance]]\nmodel = \"doll\"\n";

fn farthest(found: &[V], expected: &[V]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let apart =
        |(a, b): (&V, &V)| (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>().sqrt();
    found.iter().zip(expected).map(apart).fold(0.0, f64::max)
}

/// One arrangement of layers in the words of a scene and for the reference, over Walk.
fn agrees(layers: &str, reference: &[Over]) -> Outcome {
    let folder = write_model()?;
    let clips = clips(&folder)?;
    let scene = format!("{HEAD}clip = \"Walk\"\nspeed = 1.5\nstart_s = 0.1\nlayers = [{layers}]\n");
    let mut least = f64::INFINITY;
    for frame in [0, 3, 7, 12, 25] {
        let time_s = f64::from(frame) / 10.0;
        let found = drawn(&folder, &scene, frame.into())?;
        let base = (0, 0.1 + 1.5 * time_s);
        let expected = vertices(&clips, base, reference, time_s);
        let worst = farthest(&found, &expected);
        if worst > TOLERANCE {
            return Err(format!("{worst:.2e} in frame {frame} of {layers}").into());
        }
        least = least.min(farthest(&found, &vertices(&clips, base, &[], time_s)));
    }
    // The layers have an effect, except where they have no weight.
    let is_empty =
        reference.iter().all(|Over(weight, ..)| weight(0.0) == 0.0 && weight(1.0) == 0.0);
    if is_empty != (least < TOLERANCE) && !reference.is_empty() && !layers.contains("keys") {
        return Err(format!("{least:.2e} from the clip alone: {layers}").into());
    }
    Ok(())
}

fn one(_: f64) -> f64 {
    1.0
}

#[trial]
fn layer_of_one_clip() -> Outcome {
    agrees(
        "{ clip = \"Wave\", weight = 0.7 }",
        &[Over(|_| 0.7, None, vec![Mixed(Some(1), |t| t, one)])],
    )?;
    agrees("{ clip = \"Run\" }", &[Over(one, None, vec![Mixed(Some(2), |t| t, one)])])?;
    agrees(
        "{ clip = \"bind\", weight = 0.4, joint = \"Arm\" }",
        &[Over(|_| 0.4, Some(2), vec![Mixed(None, |t| t, one)])],
    )
}

#[trial]
fn layer_on_some_joints() -> Outcome {
    agrees(
        "{ clip = \"Run\", joint = \"Leg\", speed = -0.5, start_s = 0.3, weight = 0.9 }",
        &[Over(|_| 0.9, Some(4), vec![Mixed(Some(2), |t| 0.3 - 0.5 * t, one)])],
    )
}

#[trial]
fn mix_of_three_clips() -> Outcome {
    agrees(
        "{ mix = [{ clip = \"Walk\", weight = 2 }, { clip = \"Run\", weight = 1, speed = 0.5 }, { clip = \"bind\", weight = 0.5 }], weight = 0.8 }",
        &[Over(
            |_| 0.8,
            None,
            vec![
                Mixed(Some(0), |t| t, |_| 2.0),
                Mixed(Some(2), |t| 0.5 * t, one),
                Mixed(None, |t| t, |_| 0.5),
            ],
        )],
    )
}

#[trial]
fn three_layers() -> Outcome {
    agrees(
        "{ clip = \"Run\", weight = 0.35 }, { clip = \"Wave\", joint = \"Arm\" }, \
         { mix = [{ clip = \"Wave\", weight = 0 }, { clip = \"Walk\", start_s = 0.4 }], joint = \"Hand\", weight = 0.5 }, \
         { clip = \"bind\", weight = 0.25, joint = \"Leg\" }",
        &[
            Over(|_| 0.35, None, vec![Mixed(Some(2), |t| t, one)]),
            Over(one, Some(2), vec![Mixed(Some(1), |t| t, one)]),
            Over(
                |_| 0.5,
                Some(3),
                vec![Mixed(Some(1), |t| t, |_| 0.0), Mixed(Some(0), |t| t + 0.4, one)],
            ),
            Over(|_| 0.25, Some(4), vec![Mixed(None, |t| t, one)]),
        ],
    )
}

#[trial]
fn weights_and_speeds_over_time() -> Outcome {
    fn ease(t: f64) -> f64 {
        t * t * (3.0 - 2.0 * t)
    }
    // Weights reach 0 and stay there for a while; in the first frames no clip of the mix takes
    // part.
    agrees(
        "{ mix = [{ clip = \"Walk\", weight = { keys = [{ at_s = 0.5, value = 0 }, { at_s = 1.5, value = 2 }] } }, \
          { clip = \"Run\", speed = { keys = [{ at_s = 0, value = 1 }, { at_s = 1, value = 3 }] }, \
            weight = { keys = [{ at_s = 0.2, value = 0 }, { at_s = 1.2, value = 1 }], interpolation = \"ease\" } }], \
          weight = { keys = [{ at_s = 0, value = 0.25 }, { at_s = 0.7, value = 0.75 }], interpolation = \"step\" } }",
        &[Over(
            |t| if t < 0.7 { 0.25 } else { 0.75 },
            None,
            vec![
                Mixed(Some(0), |t| t, |t| (2.0 * (t - 0.5)).clamp(0.0, 2.0)),
                Mixed(
                    Some(2),
                    |t| if t < 1.0 { t + t * t } else { 2.0 + 3.0 * (t - 1.0) },
                    |t| ease((t - 0.2).clamp(0.0, 1.0)),
                ),
            ],
        )],
    )?;
    agrees(
        "{ clip = \"Run\", weight = { from = 0.1, to = 1 } }",
        &[Over(|t| 0.1 + 0.9 * t * 10.0 / 31.0, None, vec![Mixed(Some(2), |t| t, one)])],
    )
}

#[trial]
fn weights_of_zero() -> Outcome {
    agrees(
        "{ clip = \"Run\", weight = 0 }",
        &[Over(|_| 0.0, None, vec![Mixed(Some(2), |t| t, one)])],
    )?;
    let scene = format!(
        "{HEAD}layers = [{{ mix = [{{ clip = \"Run\", weight = 0 }}, {{ clip = \"Walk\", weight = 0 }}] }}]\n"
    );
    let errors = parse_scene(&scene, "scene").err().ok_or("no mistake")?.to_string();
    assert!(errors.contains("all weights of the mix are always 0"), "{errors}");
    Ok(())
}

#[trial]
fn mistakes_name_their_places() -> Outcome {
    let folder = write_model()?;
    for (keys, expected) in [
        ("layers = [{ clip = \"Wvae\" }]", "did you mean \"Wave\"?"),
        (
            "layers = [{ clip = \"Wave\", joint = \"Armm\" }]",
            "instance[0].layers[0].joint: model \"doll\" has no joint \"Armm\" among its 5; did you mean \"Arm\"?",
        ),
        ("layers = [{ weight = 1 }]", "missing key \"clip\""),
        ("layers = [{ clip = \"Wave\", weight = 2 }]", "expected 0 to 1"),
        (
            "layers = [{ clip = \"Wave\", mix = [{ clip = \"Run\" }] }]",
            "a layer with one clip; in a mix, each clip has its own",
        ),
        ("layers = [{ clip = \"Wave\", wieght = 1 }]", "did you mean \"weight\"?"),
        ("layers = [{ mix = [] }]", "the mix has no clips"),
        (
            "layers = [{ clip = \"Wave\", speed = { from = 0, to = 1 } }]",
            "a number or { keys = [{ at_s, value }] }",
        ),
        ("layers = [{ clip = \"Wave\", weight = { keys = [] } }]", "there are no keys"),
        ("root = \"held\"", "did you mean \"hold\"?"),
        ("root_joint = \"Hip\"", "root = \"hold\" or \"hold-xz\""),
        ("root = \"hold\"\nroot_joint = \"Hipp\"", "did you mean \"Hip\"?"),
    ] {
        let error = drawn(&folder, &format!("{HEAD}{keys}\n"), 0).err().ok_or("no mistake")?;
        let error = error.message().unwrap_or_default().to_owned();
        assert!(error.contains(expected), "{keys}: {error}");
    }
    Ok(())
}

/// A part plays as the whole clip does between its ends, and repeats at its last key.
#[trial]
fn part_of_a_clip() -> Outcome {
    let folder = write_model()?;
    let whole = format!("{HEAD}clip = \"Walk\"\n");
    for part in ["keys = \"1-2\"", "seconds = \"0.7-1\"", "ticks = \"7-10\""] {
        let head = HEAD.replace(
            "file = \"doll.x\"\n",
            &format!("file = \"doll.x\"\nclips = [{{ name = \"part\", of = \"Walk\", {part} }}]\n"),
        );
        for (frame, same) in [(0, 7), (1, 8), (2, 9), (4, 8), (5, 9)] {
            let found = drawn(&folder, &format!("{head}clip = \"part\"\n"), frame)?;
            let expected = drawn(&folder, &whole, same)?;
            let apart = farthest(&found, &expected);
            assert!(apart < TOLERANCE, "{part}: {apart:.2e} in frame {frame}");
        }
    }
    for (entry, expected) in [
        (
            "{ name = \"p\", of = \"Walk\", keys = \"2-9\" }",
            "model[0].clips[0].keys: keys 2-9 are outside the clip, which has keys 0-3",
        ),
        (
            "{ name = \"p\", of = \"Walk\", seconds = \"1-2.1\" }",
            "seconds 1-2.1 are outside the clip, which has seconds 0-2.000",
        ),
        (
            "{ name = \"p\", of = \"Walk\", ticks = \"0-21\" }",
            "ticks 0-21 are outside the clip, which has ticks 0-20",
        ),
        ("{ name = \"p\", of = \"Wlak\", keys = \"0-1\" }", "did you mean \"Walk\"?"),
        ("{ name = \"p\", of = \"Walk\", keys = \"3-1\" }", "write \"1-3\""),
        ("{ name = \"p\", of = \"Walk\", keys = \"\" }", "the text is empty"),
        ("{ of = \"Walk\", keys = \"0-1\" }", "missing key \"name\""),
        ("{ name = \"p\", keys = \"0-1\", ticks = \"0-1\" }", "a part without another range"),
        (
            "{ name = \"p\", keys = \"0-1\" }, { name = \"p\", keys = \"1-2\" }",
            "two clips are named \"p\"",
        ),
        ("{ name = \"p\", file = \"doll.x\", of = \"Walk\" }", "it needs"),
    ] {
        let head = HEAD.replace("doll.x\"\n", &format!("doll.x\"\nclips = [{entry}]\n"));
        let error = drawn(&folder, &head, 0).err().ok_or_else(|| format!("no mistake: {entry}"))?;
        let error = error.message().unwrap_or_default().to_owned();
        assert!(error.contains(expected), "{entry}: {error}");
    }
    // Without a scene the same poses.
    let model = Model::open(folder.path().join("doll.x"))?;
    let names: Vec<&str> = model.clips().map(|clip| clip.name()).collect();
    assert_eq!(names, ["Walk", "Wave", "Run"]);
    Ok(())
}

/// A held root stays at the first key of its clip; on the level plane alone it still rises.
#[trial]
fn held_root() -> Outcome {
    let folder = write_model()?;
    let root = |keys: &str, frame| -> Result<V, Failed> {
        let found = drawn(&folder, &format!("{HEAD}clip = \"Walk\"\n{keys}\n"), frame)?;
        // The frame named Root does not turn, so its triangle moves as it does.
        Ok(core::array::from_fn(|k| found[0][k] - [0.2, 0.0, 0.0][k]))
    };
    let is_near = |a: V, b: V| (0..3).all(|k| (a[k] - b[k]).abs() < TOLERANCE);
    let wave = "layers = [{ clip = \"Run\", weight = 0.5 }]";
    for (keys, expected) in [
        (String::new(), [0.0, 0.1, -1.0]),
        ("root = \"keep\"".to_owned(), [0.0, 0.1, -1.0]),
        ("root = \"hold\"".to_owned(), [0.0; 3]),
        ("root = \"hold-xz\"".to_owned(), [0.0, 0.1, 0.0]),
        (format!("root = \"hold\"\n{wave}"), [0.0; 3]),
    ] {
        let found = root(&keys, 10)?;
        assert!(is_near(found, expected), "{keys}: {found:?}");
    }
    // If another joint is held, the root moves to where that joint leaves it; the joint itself
    // stays.
    let hip = |frame| {
        drawn(
            &folder,
            &format!("{HEAD}clip = \"Walk\"\nroot = \"hold\"\nroot_joint = \"Hip\"\n"),
            frame,
        )
    };
    assert!(!is_near(hip(0)?[0], hip(10)?[0]));
    Ok(())
}
