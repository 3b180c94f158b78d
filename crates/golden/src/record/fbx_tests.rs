//! Edits of FBX files and the sentences about them: of the keys, points, polygons and joints that
//! the file has.

use super::FrameRecord;
use super::content::{Rank, findings};
use super::tests::shoot_in;
use std::fmt::Write;
use tintype_compare::finding::Finding;

/// A joint: name, parent, transform relative to it, scale, and whether it ignores the scale of its
/// parent.
#[derive(Clone)]
struct Bone {
    name: &'static str,
    parent: Option<usize>,
    place: [f64; 3],
    scale: f64,
    ignores: bool,
}

/// A curve of a joint: property, axis, seconds, values, flags of the keys, slopes.
#[derive(Clone)]
struct Curve {
    joint: usize,
    property: &'static str,
    axis: &'static str,
    times: Vec<f64>,
    values: Vec<f64>,
    flags: i64,
    slopes: Vec<f64>,
}

/// A file: a sleeve of three rings of four points around three bones.
#[derive(Clone)]
struct Rig {
    unit: f64,
    mesh: &'static str,
    bones: Vec<Bone>,
    points: Vec<[f64; 3]>,
    polygons: Vec<Vec<usize>>,
    /// A texture coordinate for each corner of each polygon.
    uv: Vec<[f64; 2]>,
    /// Of each point: joints and weights.
    weights: Vec<Vec<(usize, f64)>>,
    curves: Vec<Curve>,
    switch: bool,
}

const CUBIC: i64 = 0x8 | 0x400;
const STEP: i64 = 0x2;
const SIDES: usize = 4;

fn rig() -> Rig {
    let bone = |name, parent, height| Bone {
        name,
        parent,
        place: [0.0, height, 0.0],
        scale: 1.0,
        ignores: false,
    };
    let ring = |ring: usize| {
        (0..SIDES).map(move |side| {
            let (x, z) = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][side];
            [20.0 * x, 50.0 * ring as f64, 20.0 * z]
        })
    };
    let polygon = |row: usize, side: usize| {
        let (next, below) = ((side + 1) % SIDES, row * SIDES);
        vec![below + side, below + next, below + SIDES + next, below + SIDES + side]
    };
    let polygons: Vec<Vec<usize>> =
        (0..2).flat_map(|row| (0..SIDES).map(move |side| polygon(row, side))).collect();
    let curve = |joint, property, values: [f64; 4]| Curve {
        joint,
        property,
        axis: "X",
        times: vec![0.0, 0.25, 0.5, 1.0],
        values: values.to_vec(),
        flags: CUBIC,
        slopes: vec![0.0; 4],
    };
    Rig {
        unit: 1.0,
        mesh: "sleeve",
        bones: vec![
            bone("hip", None, 0.0),
            bone("knee", Some(0), 50.0),
            bone("foot", Some(1), 50.0),
        ],
        points: (0..3).flat_map(ring).collect(),
        uv: polygons.iter().flatten().map(|&point| [point as f64 * 0.0625, 0.25]).collect(),
        polygons,
        weights: (0..3 * SIDES).map(|point| vec![(point / SIDES, 0.75), (0, 0.25)]).collect(),
        curves: vec![
            curve(1, "Lcl Rotation", [0.0, 20.0, -10.0, 5.0]),
            curve(2, "Lcl Rotation", [0.0, 12.0, 30.0, 3.0]),
            curve(1, "Lcl Translation", [0.0, 1.0, 2.0, 0.5]),
        ],
        switch: false,
    }
}

/// A list of numbers of a file.
fn array<T: ToString>(name: &str, numbers: impl IntoIterator<Item = T>) -> String {
    let all: Vec<String> = numbers.into_iter().map(|one| one.to_string()).collect();
    format!("{name}: *{} {{\na: {}\n}}\n", all.len(), all.join(","))
}

fn ticks(seconds: f64) -> i64 {
    (seconds * 46_186_158_000.0).round() as i64
}

impl Rig {
    fn edited(edit: impl FnOnce(&mut Self)) -> Self {
        let mut own = rig();
        edit(&mut own);
        own
    }

    fn text(&self) -> String {
        let mut objects = self.geometry();
        let mut links = "C: \"OO\",10,20\nC: \"OO\",20,0\nC: \"OO\",40,10\n".to_owned();
        let mut heights: Vec<f64> = Vec::new();
        for (index, bone) in self.bones.iter().enumerate() {
            let above = bone.parent.map_or(0.0, |parent| heights[parent]);
            heights.push(above + bone.place[1]);
            let Bone { name, place: [x, y, z], scale, ignores, .. } = bone;
            let inherit = if *ignores { 2 } else { 1 };
            let _ = write!(
                objects,
                "Model: {}, \"Model::{name}\", \"LimbNode\" {{\nProperties70: {{\nP: \"InheritType\", \"enum\", \"\", \"\",{inherit}\n\
                 P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",{x},{y},{z}\n\
                 P: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",{scale},1,1\n}}\n}}\n",
                100 + index
            );
            let parent = bone.parent.map_or(0, |parent| 100 + parent);
            let _ = writeln!(links, "C: \"OO\",{},{parent}", 100 + index);
            let own = self.weights.iter().enumerate().flat_map(|(point, all)| {
                all.iter()
                    .filter(|(joint, _)| *joint == index)
                    .map(move |(_, weight)| (point, *weight))
            });
            let (indices, weights): (Vec<usize>, Vec<f64>) = own.unzip();
            let matrix = |height: f64| {
                [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, height, 0.0, 1.0]
            };
            let _ = write!(
                objects,
                "Deformer: {}, \"SubDeformer::{name}\", \"Cluster\" {{\n{}{}{}{}}}\n",
                200 + index,
                array("Indexes", indices),
                array("Weights", weights),
                array("Transform", matrix(-50.0 * index as f64)),
                array("TransformLink", matrix(50.0 * index as f64))
            );
            let _ = write!(
                links,
                "C: \"OO\",{},40\nC: \"OO\",{},{}\n",
                200 + index,
                100 + index,
                200 + index
            );
        }
        objects += &format!(
            "AnimationStack: 50, \"AnimStack::sway\", \"\" {{\nProperties70: {{\nP: \"LocalStart\", \"KTime\", \"Time\", \"\",0\n\
             P: \"LocalStop\", \"KTime\", \"Time\", \"\",{}\n}}\n}}\nAnimationLayer: 51, \"AnimLayer::base\", \"\" {{\n}}\n",
            ticks(1.0)
        );
        links += "C: \"OO\",51,50\n";
        for (index, curve) in self.curves.iter().enumerate() {
            write_curve(300 + 2 * index, curve, &mut objects, &mut links);
        }
        if self.switch {
            let on = Curve {
                property: "Visibility",
                axis: "Visibility",
                values: vec![1.0, 1.0, 0.0, 1.0],
                flags: STEP,
                ..self.curves[0].clone()
            };
            write_curve(400, &on, &mut objects, &mut links);
        }
        let settings = format!(
            "FBXHeaderExtension: {{\nFBXVersion: 7400\n}}\nGlobalSettings: {{\nProperties70: {{\nP: \"UpAxis\", \"int\", \"Integer\", \"\",1\n\
             P: \"FrontAxis\", \"int\", \"Integer\", \"\",2\nP: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n\
             P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{}\nP: \"TimeMode\", \"enum\", \"\", \"\",11\n}}\n}}\n",
            self.unit
        );
        format!(
            "; FBX 7.4.0 project file\n{settings}Objects: {{\n{objects}}}\nConnections: {{\n{links}}}\n"
        )
    }

    /// The mesh with flat normals, its model and its skin.
    fn geometry(&self) -> String {
        let mut corners = Vec::new();
        for polygon in &self.polygons {
            let (last, others) = polygon.split_last().unwrap();
            corners.extend(others.iter().map(|&point| point as i64));
            corners.push(-(*last as i64) - 1);
        }
        let normals = self.polygons.iter().flat_map(|polygon| {
            let [a, b, c] = [0, 1, 2].map(|corner| self.points[polygon[corner]]);
            let [u, v] = [b, c].map(|to| [0, 1, 2].map(|axis: usize| to[axis] - a[axis]));
            let normal =
                [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            std::iter::repeat_n(normal, polygon.len()).flatten()
        });
        let layer =
            "MappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: \"Direct\"\n";
        format!(
            "Geometry: 10, \"Geometry::shape\", \"Mesh\" {{\n{}{}LayerElementNormal: 0 {{\n{layer}{}}}\nLayerElementUV: 0 {{\n{layer}{}}}\n}}\n\
             Model: 20, \"Model::{}\", \"Mesh\" {{\n}}\nDeformer: 40, \"Deformer::skin\", \"Skin\" {{\n}}\n",
            array("Vertices", self.points.iter().flatten()),
            array("PolygonVertexIndex", corners),
            array("Normals", normals),
            array("UV", self.uv.iter().flatten()),
            self.mesh
        )
    }
}

fn write_curve(id: usize, curve: &Curve, objects: &mut String, links: &mut String) {
    let Curve { joint, property, axis, times, values, flags, slopes } = curve;
    let mut data = Vec::new();
    for key in 0..times.len() {
        let next = slopes.get(key + 1).copied().unwrap_or(0.0);
        data.extend([slopes[key], next, 0.0, 0.0]);
    }
    let _ = write!(
        objects,
        "AnimationCurveNode: {id}, \"AnimCurveNode::C\", \"\" {{\n}}\nAnimationCurve: {}, \"AnimCurve::\", \"\" {{\n{}{}{}{}{}}}\n",
        id + 1,
        array("KeyTime", times.iter().map(|time| ticks(*time))),
        array("KeyValueFloat", values),
        array("KeyAttrFlags", times.iter().map(|_| flags)),
        array("KeyAttrDataFloat", data),
        array("KeyAttrRefCount", times.iter().map(|_| 1))
    );
    let _ = write!(
        links,
        "C: \"OO\",{id},51\nC: \"OP\",{id},{}, \"{property}\"\nC: \"OP\",{},{id}, \"d|{axis}\"\n",
        100 + joint,
        id + 1
    );
}

const SCENE: &str = "[output]\nsize = [16, 12]\nframes = \"0\"\nfps = 4\n[camera]\nkind = \"look-at\"\neye = [0, 0.5, 4]\ntarget = [0, 0.5, 0]\n\
    [[light]]\nkind = \"directional\"\ndirection = [-1, -1, 0]\n[[model]]\nfile = \"m.fbx\"\n\
    [[instance]]\nmodel = \"m\"\nclip = \"sway\"\n";

fn record(rig: &Rig) -> FrameRecord {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.fbx"), rig.text()).unwrap();
    let record = shoot_in(folder.path(), SCENE).0;
    FrameRecord::parse(&record.to_text()).expect("what was just written")
}

/// The sentences about an edit, for everything that it changes.
fn told_between(old: &Rig, new: &Rig) -> Vec<String> {
    let all = findings(&record(old).contents, &record(new).contents, &|_| true).unwrap();
    let real = all.iter().filter(|finding| Rank::of(finding) <= Rank::Edit);
    real.map(Finding::sentence).collect()
}

fn told(edit: impl FnOnce(&mut Rig)) -> Vec<String> {
    told_between(&rig(), &Rig::edited(edit))
}

#[test]
fn keys_are_those_of_the_file() {
    assert_eq!(told(|_| {}), [""; 0]);
    assert_eq!(
        told(|rig| rig.curves[1].values[2] += 15.0),
        ["joint foot turned 15.0° in key 2 of clip sway"]
    );
    assert_eq!(
        told(|rig| rig.curves[2].values[1] += 6.0),
        ["joint knee moved 0.06 in key 1 of clip sway"]
    );
    assert_eq!(
        told(|rig| rig.curves[0].values.iter_mut().for_each(|value| *value += 5.0)),
        ["joint knee turned 5.0° in all 4 keys of clip sway"]
    );
    let without = |rig: &mut Rig| {
        let curve = &mut rig.curves[0];
        curve.times.remove(2);
        curve.values.remove(2);
        curve.slopes.remove(2);
    };
    assert_eq!(
        told(without),
        ["joint knee has 3 rotation keys, had 4 in clip sway, the key at 0.500 s is gone"]
    );
    assert_eq!(
        told_between(&Rig::edited(without), &rig()),
        ["joint knee has 4 rotation keys, had 3 in clip sway, the key at 0.500 s is new"]
    );
    assert_eq!(
        told(|rig| rig.curves[0].times[1] += 0.125),
        ["joint knee has a key 0.125 s later in key 1 of clip sway"]
    );
}

#[test]
fn courses_and_tangents_are_those_of_the_file() {
    assert_eq!(
        told(|rig| rig.curves[1].flags = STEP),
        ["clip sway: interpolation of the rotation of joint foot is STEP, was CUBICSPLINE"]
    );
    assert_eq!(
        told(|rig| rig.curves[0].slopes[1] = 40.5),
        ["tangents of the rotation of joint knee changed in key 1 of clip sway"]
    );
}

#[test]
fn another_unit_is_one_change_and_hides_no_other() {
    let all = "all lengths are 2.54 times as large, as if the unit changed";
    assert_eq!(told(|rig| rig.unit = 2.54), [all]);
    let both = told(|rig| {
        rig.unit = 2.54;
        rig.curves[1].values[2] += 15.0;
    });
    assert_eq!(both, [all, "joint foot turned 15.0° in key 2 of clip sway"]);
    // A single longer joint is not a change of unit.
    let one = told(|rig| rig.bones[2].place[1] = 60.0);
    assert!(one[0].starts_with("joint foot moved 0.1"), "{one:?}");
}

#[test]
fn joints_that_the_reader_made_are_those_of_their_owners() {
    let scaled = |rig: &mut Rig| {
        rig.bones[1].scale = 1.5;
        rig.bones[2].ignores = true;
    };
    let found = told_between(
        &Rig::edited(scaled),
        &Rig::edited(|rig| {
            scaled(rig);
            rig.bones[2].parent = Some(0);
            rig.bones[2].place = [0.0, 100.0, 0.0];
        }),
    );
    assert_eq!(found, ["joint foot has parent hip, was knee"]);
    let found = told_between(
        &Rig::edited(scaled),
        &Rig::edited(|rig| {
            scaled(rig);
            rig.bones[1].scale = 2.0;
        }),
    );
    assert!(found[0].starts_with("joint knee scaled by 1.3333 1 1"), "{found:?}");
    let found = told_between(&Rig::edited(|rig| rig.bones[1].scale = 1.5), &Rig::edited(scaled));
    assert_eq!(found[0], "joint knee scale inherited by all below -> not inherited by all below");
    assert!(found.iter().all(|line| !line.contains("knee scale is")), "{found:?}");
}

#[test]
fn other_names_move_no_target() {
    let switched = |edit: fn(&mut Rig)| {
        Rig::edited(|rig| {
            rig.switch = true;
            edit(rig);
        })
    };
    let plain = switched(|_| {});
    for edit in [|rig: &mut Rig| rig.bones[1].name = "shin", |rig: &mut Rig| rig.mesh = "tube"] {
        assert_eq!(told_between(&plain, &switched(edit)), [""; 0]);
    }
}

#[test]
fn points_and_polygons_are_those_of_the_file() {
    let moved = told(|rig| rig.points[6][0] -= 10.0);
    assert!(moved[0].starts_with("mesh sleeve moved, worst vertex 6 by 0.1"), "{moved:?}");
    assert!(moved.iter().all(|line| !line.contains("vertices, had")), "{moved:?}");
    let turned = told(|rig| {
        rig.polygons[3].reverse();
        rig.uv[12..16].reverse();
    });
    assert_eq!(turned[0], "mesh sleeve: polygon 3 is flipped");
    let both = told(|rig| {
        rig.polygons[3].reverse();
        rig.polygons[5].reverse();
    });
    assert_eq!(both[0], "mesh sleeve: 2 of 8 polygons are flipped");
    let gone = told(|rig| {
        rig.polygons.remove(3);
        rig.uv.drain(12..16);
    });
    assert_eq!(gone, ["mesh sleeve has 7 polygons, had 8"]);
    let corner = told(|rig| rig.uv[9][0] += 0.25);
    assert_eq!(corner, ["mesh sleeve: texture coordinate of vertex 3 changed by 0.25"]);
    let all = told(|rig| rig.uv.iter_mut().for_each(|place| place[0] += 0.25));
    assert_eq!(
        all,
        [
            "mesh sleeve: all 32 texture coordinates changed by 0.25 each, as a texture transform does"
        ]
    );
    // Another first corner of a polygon is the same polygon.
    let begun = told(|rig| {
        rig.polygons[3].rotate_left(1);
        rig.uv[12..16].rotate_left(1);
    });
    assert_eq!(begun, [""; 0]);
}

#[test]
fn largest_change_of_weights_leads() {
    let shares = |own: f64| {
        Rig::edited(|rig| {
            for (point, all) in rig.weights.iter_mut().enumerate().skip(2 * SIDES) {
                let most = own - 0.01 * point as f64;
                *all = vec![(0, (1.0 - most) * 0.1), (1, (1.0 - most) * 0.9), (2, most)];
            }
        })
    };
    let found = told_between(&shares(0.9), &shares(0.5));
    let place = |name: &str| found[0].find(name).unwrap_or(usize::MAX);
    assert!(found[0].contains("foot"), "{found:?}");
    assert!(place("foot") < place("knee") && place("knee") < place("hip"), "{found:?}");
}
