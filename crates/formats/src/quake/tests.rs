use super::*;
use crate::{LimitName, Limits};
use tintype_model::Wrap;
use tintype_model::clip::Interpolation;
use tintype_model::math::{Vec2, Vec3};
use tintype_model::pose::{bind_clip, sample_clip};

fn words(words: &[i32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn reals(reals: &[f32]) -> Vec<u8> {
    reals.iter().flat_map(|real| real.to_le_bytes()).collect()
}

fn named(name: &str, size: usize) -> Vec<u8> {
    let mut bytes = name.as_bytes().to_vec();
    bytes.resize(size, 0);
    bytes
}

/// Three vertices in a frame that is lifted by `lift`, with normals up.
fn corners(lift: u8) -> Vec<u8> {
    [[0, 0, lift, 5], [8, 0, lift, 5], [0, 4, lift, 5]].concat()
}

/// A `.md2` file of a triangle, clockwise from above, whose first corner has another texture
/// coordinate in a second triangle.
fn md2(names: &[&str]) -> Vec<u8> {
    let skins = named("models/imp/skin.pcx", 64);
    let texcoords: Vec<u8> =
        [0_i16, 0, 32, 0, 0, 16, 16, 8].iter().flat_map(|one| one.to_le_bytes()).collect();
    let triangles: Vec<u8> =
        [0_u16, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1].iter().flat_map(|one| one.to_le_bytes()).collect();
    let frame = |(lift, name): (u8, &&str)| {
        [reals(&[0.5, 0.25, 2.0, 1.0, 2.0, 3.0]), named(name, 16), corners(lift)].concat()
    };
    let frames: Vec<u8> = (0..=255).cycle().zip(names).flat_map(frame).collect();
    let [a, b, c] = [
        68 + skins.len(),
        68 + skins.len() + texcoords.len(),
        68 + skins.len() + texcoords.len() + triangles.len(),
    ];
    let [texcoords_at, triangles_at, frames_at] = [a, b, c].map(|at| i32::try_from(at).unwrap());
    let end = frames_at + i32::try_from(frames.len()).unwrap();
    let count = i32::try_from(names.len()).unwrap();
    let head = words(&[
        8,
        32,
        16,
        52,
        1,
        3,
        4,
        2,
        0,
        count,
        68,
        texcoords_at,
        triangles_at,
        frames_at,
        end,
        end,
    ]);
    [b"IDP2".to_vec(), head, skins, texcoords, triangles, frames].concat()
}

/// A surface of a `.md3` file: a triangle that is lifted by a unit in each frame.
fn surface(name: &str, frames: i16, triangles: i32) -> Vec<u8> {
    let vertices = if triangles == 0 { 0 } else { 3 };
    let place = |frame: i16| {
        [[0, 0, frame * 64], [64, 0, frame * 64], [0, 64, frame * 64]].map(|[x, y, z]| {
            [x, y, z, 0].iter().flat_map(|one: &i16| one.to_le_bytes()).collect::<Vec<u8>>()
        })
    };
    let places: Vec<u8> =
        if vertices == 0 { Vec::new() } else { (0..frames).flat_map(place).flatten().collect() };
    let texcoords = if vertices == 0 { Vec::new() } else { reals(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]) };
    let corners: Vec<u8> = (0..triangles).flat_map(|_| words(&[0, 2, 1])).collect();
    let shader = [named("models/imp/skin", 64), words(&[0])].concat();
    let at = |before: &[&[u8]]| {
        108 + i32::try_from(before.iter().map(|one| one.len()).sum::<usize>()).unwrap()
    };
    let head = words(&[
        0,
        frames.into(),
        1,
        vertices,
        triangles,
        at(&[&shader]),
        108,
        at(&[&shader, &corners]),
        at(&[&shader, &corners, &texcoords]),
        at(&[&shader, &corners, &texcoords, &places]),
    ]);
    [b"IDP3".to_vec(), named(name, 64), head, shader, corners, texcoords, places].concat()
}

/// A `.md3` file with a tag that a frame turns about z and moves along x.
fn md3(frames: i16, surfaces: &[Vec<u8>]) -> Vec<u8> {
    let names: Vec<u8> = (0..frames)
        .flat_map(|frame| [vec![0; 40], named(&format!("walk{frame}"), 16)].concat())
        .collect();
    let turned = |frame: i16| {
        let axes = if frame == 0 {
            [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
        } else {
            [0.0, 1.0, 0.0, -1.0, 0.0, 0.0]
        };
        [
            named("tag_torso", 64),
            reals(&[f32::from(frame), 0.0, 2.0]),
            reals(&axes),
            reals(&[0.0, 0.0, 1.0]),
        ]
        .concat()
    };
    let tags: Vec<u8> = (0..frames).flat_map(turned).collect();
    let tags_at = i32::try_from(108 + names.len()).unwrap();
    let surfaces_at = tags_at + i32::try_from(tags.len()).unwrap();
    let bodies = surfaces.concat();
    let end = surfaces_at + i32::try_from(bodies.len()).unwrap();
    let count = i32::try_from(surfaces.len()).unwrap();
    let head = words(&[0, frames.into(), 1, count, 0, 108, tags_at, surfaces_at, end]);
    [b"IDP3".to_vec(), words(&[15]), named("imp", 64), head, names, tags, bodies].concat()
}

/// A `.mdl` file of two skins, the second a group, a frame and a group of two frames.
fn mdl(times: [f32; 2]) -> Vec<u8> {
    let head = [
        words(&[6]),
        reals(&[0.5, 0.25, 2.0, 1.0, 2.0, 3.0, 9.0, 0.0, 0.0, 0.0]),
        words(&[2, 4, 2, 3, 1, 2, 0, 0]),
        reals(&[1.0]),
    ];
    let skins =
        [words(&[0]), (0..8).collect(), words(&[1, 2]), reals(&[0.1, 0.2]), vec![7; 8], vec![8; 8]];
    let texcoords = words(&[0x20, 0, 0, 0, 2, 0, 0, 0, 1]);
    let frame = |lift: u8, name: &str| [vec![0; 8], named(name, 16), corners(lift)].concat();
    let frames = [
        words(&[0]),
        frame(0, "base"),
        words(&[1, 2]),
        vec![0; 8],
        reals(&times),
        frame(1, "burn1"),
        frame(2, "burn2"),
    ];
    [
        b"IDPO".to_vec(),
        head.concat(),
        skins.concat(),
        texcoords,
        words(&[0, 0, 2, 1]),
        frames.concat(),
    ]
    .concat()
}

fn nothing(name: &str) -> Result<Vec<u8>, String> {
    Err(format!("{name}: no such file"))
}

fn read(bytes: &[u8]) -> Result<Loaded<QuakeModel>, String> {
    parse_model(bytes, &nothing, None, &LoadOptions::default()).map_err(|error| error.to_string())
}

/// Reported faults, except those of normals.
fn told(loaded: &Loaded<QuakeModel>) -> Vec<FileRepair> {
    loaded.warnings.iter().map(|warning| warning.fault).collect()
}

/// Names of clips, and the keys of each.
fn runs(file: &QuakeModel) -> Vec<(&str, usize)> {
    file.clips.iter().map(|named| (named.name.as_str(), named.clip.key_count())).collect()
}

#[test]
fn corners_of_md2_are_vertices_with_texture_coordinates() {
    let loaded = read(&md2(&["stand01", "stand02"])).unwrap();
    assert_eq!(told(&loaded), []);
    let model = &loaded.value.model;
    let mesh = &model.meshes[0];
    assert_eq!((mesh.vertex_count(), mesh.file_vertex_count()), (4, 3));
    assert_eq!(mesh.source_vertex, [0]);
    assert_eq!(mesh.triangles, [[0, 1, 2], [3, 1, 2]]);
    assert_eq!(mesh.material_name, "models/imp/skin.pcx");
    let expected = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.5, 0.5)];
    assert_eq!(mesh.texcoords, expected.map(|(u, v)| Vec2::new(u, v)));
    let influence = mesh.influences[mesh.influences_of(1)][0];
    assert_eq!(influence.position(), Vec3::new(5.0, 2.0, 3.0));
    let ours = model.skeleton.joints()[0].model_from_joint;
    assert_eq!(ours.transform_vector3(influence.normal()), Vec3::Y);
    let morph = mesh.morph.as_ref().unwrap();
    assert_eq!(morph.targets[0].offsets_of(3)[0], Vec3::Z * 2.0);
}

#[test]
fn runs_of_names_are_clips() {
    for (names, expected) in [
        (vec!["stand01", "stand02", "run1", "run2", "run3"], vec![("stand", 2), ("run", 3)]),
        (vec!["a1", "a2", "b", "a3"], vec![("a", 2), ("b", 1), ("a.2", 1)]),
        (vec!["base", "lifted", "gone"], vec![("frames", 3)]),
        (vec!["", "", ""], vec![("frames", 3)]),
        (vec!["1", "2"], vec![("frames", 2)]),
        (vec!["only"], vec![]),
    ] {
        assert_eq!(runs(&read(&md2(&names)).unwrap().value), expected, "{names:?}");
    }
    let loaded = read(&md2(&["stand1", "stand2", "stand3"])).unwrap();
    let clip = &loaded.value.clips[0].clip;
    assert_eq!((clip.key_rate_hz, clip.period_s), (Some(10.0), 0.30000000000000004));
    let keys: Vec<_> = clip.morphs.iter().map(|one| one.weight.values.clone()).collect();
    assert_eq!(keys, [vec![0.0, 1.0, 0.0], vec![0.0, 1.0]]);
    let faster = parse_model(&md2(&["a1", "a2"]), &nothing, Some(20.0), &LoadOptions::default());
    assert_eq!(faster.unwrap().value.clips[0].clip.period_s, 0.1);
}

#[test]
fn damaged_md2_costs_the_part() {
    let good = md2(&["a1", "a2", "a3"]);
    let cut = read(&good[..good.len() - 5]).unwrap();
    assert_eq!((told(&cut), runs(&cut.value)), (vec![FileRepair::Truncated], vec![("a", 2)]));
    let more = read(&[&good[..], b"end"].concat()).unwrap();
    assert_eq!(told(&more), [FileRepair::Leftover]);
    let edited = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        bytes
    };
    let triangles = 68 + 64 + 16;
    let corner = read(&edited(triangles, 3)).unwrap();
    assert_eq!(told(&corner), [FileRepair::BadReference]);
    assert_eq!(corner.value.model.meshes[0].triangles.len(), 1);
    let place = read(&edited(triangles + 6, 9)).unwrap();
    assert_eq!(told(&place), [FileRepair::BadReference]);
    let scale = triangles + 24;
    let mut infinite = good.clone();
    infinite[scale..scale + 4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert_eq!(told(&read(&infinite).unwrap()), [FileRepair::NotFinite]);
    let mut inward = good.clone();
    (0..3).for_each(|vertex| inward[scale + 40 + 4 * vertex + 3] = 84);
    let inward = read(&inward).unwrap();
    assert_eq!(told(&inward), [FileRepair::InwardNormals]);
    let normal = inward.value.model.meshes[0].influences[0].normal();
    assert_eq!(normal, Vec3::Z, "turned over");
    // A file that is truncated before its first frame has nothing to draw.
    for end in 0..scale + 52 {
        assert!(read(&good[..end]).is_err(), "{end}");
    }
}

#[test]
fn counts_are_held_to_the_file_before_memory_is_taken() {
    for (bytes, at) in [
        (md2(&["a1", "a2"]), vec![16, 20, 24, 28, 32, 40]),
        (md3(2, &[surface("a", 2, 1)]), vec![76, 80]),
        (mdl([0.1, 0.2]), vec![48, 52, 60, 64, 68]),
    ] {
        for at in at {
            for count in [i32::MAX, -1, i32::MIN] {
                let mut bomb = bytes.clone();
                bomb[at..at + 4].copy_from_slice(&count.to_le_bytes());
                let message = read(&bomb).map(|_| ()).unwrap_err();
                assert!(message.starts_with("byte "), "{at}: {message}");
            }
        }
    }
    // Many frames of one vertex that many corners use.
    let limits = Limits { expanded_floor: 6, ..Limits::default() };
    let frames = vec!["a"; 500];
    let options = LoadOptions::from(limits).with_limit(LimitName::Influences, 1000);
    let error = parse_model(&md2(&frames), &nothing, None, &options).unwrap_err();
    assert_eq!(error.to_string(), "byte 0: vertices of all frames: found 2000; the limit is 1000");
    // Surfaces that refer to one table.
    let mut surfaces: Vec<u8> = (0..2000)
        .flat_map(|_| {
            let mut head = surface("a", 1, 1)[..108].to_vec();
            head[84..88].copy_from_slice(&4000_i32.to_le_bytes());
            head[88..92].copy_from_slice(&108_i32.to_le_bytes());
            head[104..108].copy_from_slice(&108_i32.to_le_bytes());
            head
        })
        .collect();
    surfaces.extend(vec![0; 60_000]);
    let mut bomb = md3(1, &[surfaces]);
    bomb[84..88].copy_from_slice(&2000_i32.to_le_bytes());
    let message = read(&bomb).map(|_| ()).unwrap_err();
    assert!(message.contains("vertices of all frames"), "{message}");
}

#[test]
fn tags_of_md3_are_joints_that_its_clips_move() {
    let loaded = read(&md3(2, &[surface("body", 2, 1), surface("hat", 2, 0)])).unwrap();
    assert_eq!(told(&loaded), [FileRepair::Empty]);
    let QuakeModel { model, clips, .. } = &loaded.value;
    assert_eq!((model.meshes.len(), model.meshes[0].name.as_str()), (1, "body"));
    assert_eq!(model.meshes[0].material_name, "models/imp/skin");
    let joint = &model.skeleton.joints()[1];
    assert_eq!(joint.name, "tag_torso");
    assert_eq!(joint.model_from_joint.transform_point3(Vec3::ZERO), Vec3::Y * 2.0);
    let track = &clips[0].clip.joints[1];
    assert_eq!(track.translation.values, [Vec3::new(0.0, 0.0, 2.0), Vec3::new(1.0, 0.0, 2.0)]);
    let turned = track.rotation.values[1] * Vec3::X;
    assert!(turned.distance(Vec3::Y) < 1e-6, "{turned}");
    let alone = read(&md3(2, &[])).unwrap();
    assert_eq!(told(&alone), [FileRepair::Empty]);
    assert!(alone.value.model.parts.lacks_meshes && alone.value.clips.len() == 1);
}

#[test]
fn damaged_surfaces_of_md3_are_left_out() {
    let mut bad = surface("bad", 2, 1);
    bad[0] = b'X';
    let loaded = read(&md3(2, &[surface("body", 2, 1), bad, surface("hat", 2, 1)])).unwrap();
    assert_eq!(told(&loaded), [FileRepair::Malformed]);
    assert_eq!(loaded.value.model.meshes.len(), 1);
    let fewer = read(&md3(3, &[surface("body", 2, 1)])).unwrap();
    assert_eq!(told(&fewer), [FileRepair::CountMismatch]);
}

#[test]
fn groups_of_mdl_are_clips_with_their_own_times() {
    let loaded = read(&mdl([0.25, 0.75])).unwrap();
    assert_eq!(told(&loaded), [FileRepair::Effect, FileRepair::Approximated]);
    assert_eq!(runs(&loaded.value), [("base", 1), ("burn", 3)]);
    let clip = &loaded.value.clips[1].clip;
    assert_eq!((&clip.key_times_s[..], clip.period_s), (&[0.0, 0.25, 0.75][..], 0.75));
    let weight = &clip.morphs[0].weight;
    assert_eq!(
        (&weight.times_s[..], &weight.values[..]),
        (&[0.0, 0.25, 0.75][..], &[1.0, 0.0, 1.0][..])
    );
    assert_eq!(weight.interpolation, Interpolation::Step);
    let uneven = read(&mdl([0.25, 0.0])).unwrap();
    assert!(told(&uneven).contains(&FileRepair::KeyTimes));
    assert_eq!(uneven.value.clips[1].clip.period_s, 0.2);
    // On the seam, in the other half of the skin: a face of the back.
    let texcoords = &loaded.value.model.meshes[0].texcoords;
    assert_eq!(texcoords[..2], [Vec2::new(0.625, 0.25), Vec2::new(0.625, 0.25)]);
    let whole = mdl([0.1, 0.2]);
    let cut = read(&whole[..whole.len() - 1]).unwrap();
    assert_eq!(cut.value.clips.len(), 0);
    assert!(told(&cut).contains(&FileRepair::Truncated));
}

#[test]
fn skins_of_mdl_are_pictures_of_the_palette() {
    let palette: Vec<u8> = (0..=255).flat_map(|index: u8| [index, 100, 255 - index]).collect();
    let asked = |name: &str| {
        assert_eq!(name, PALETTE);
        Ok(palette.clone())
    };
    let options = LoadOptions::default();
    let loaded = parse_model(&mdl([0.1, 0.2]), &asked, None, &options).unwrap();
    assert_eq!(told(&loaded), [FileRepair::Effect]);
    let model = &loaded.value.model;
    assert_eq!(model.parts.variants, ["skin_0", "skin_1"]);
    assert_eq!(model.meshes[0].material_name, "skin_0");
    let pixels = |at: usize, palette: &[u8]| {
        let image = crate::image::decode(&model.pictures[at].bytes, "", &options).unwrap();
        assert_eq!((image.width, image.height), (4, 2));
        image
            .rgba
            .iter()
            .map(|pixel| palette.chunks(3).position(|one| one == &pixel[..3]))
            .collect::<Vec<_>>()
    };
    assert_eq!(pixels(0, &palette), (0..8).map(Some).collect::<Vec<_>>());
    assert_eq!(pixels(1, &palette), [Some(7); 8]);
}

#[test]
fn models_of_other_engines_are_refused_by_name() {
    for (start, version, expected) in [
        (b"IDST", 10, "a Half-Life model, version 10"),
        (b"IDST", 48, "a model of the Source engine (Half-Life 2), version 48"),
        (b"IDSQ", 10, "a sequence file of a Half-Life model, version 10"),
        (b"IDPO", 3, "a Quake model, version 3"),
        (b"IDP2", 9, "a Quake 2 model, version 9"),
        (b"RAPO", 50, "a Hexen 2 model, version 50"),
    ] {
        let bytes = [&start[..], &words(&[version]), &[0; 200]].concat();
        assert!(looks_like_quake(&bytes));
        let message = read(&bytes).map(|_| ()).unwrap_err();
        let expected = format!(
            "byte 0: the format: found {expected}; expected a model of Quake (IDPO, version 6)"
        );
        assert!(message.starts_with(&expected), "{message}");
    }
    assert!(!looks_like_quake(b"INTERQUAKEMODEL\0"));
}

#[test]
fn player_is_three_files_with_clips_of_their_own() {
    let lower = md3(4, &[surface("legs", 4, 1)]);
    let mut rows = [vec!["0 1 0 10"; 13], vec!["4 1 0 10"; 12]].concat();
    rows[0] = "1 2 0 20 // both";
    rows[11] = "2 1 1 10 // stand";
    rows[14] = "4 -2 2 5 // walks backwards";
    rows[24] = "90 3 0 10";
    let cfg = format!("sex m\n{}", rows.join("\n"));
    let with_head = |name: &str| {
        let mut bytes = md3(4, &[surface(name, 4, 1)]);
        while let Some(at) = bytes.windows(9).position(|word| word == b"tag_torso") {
            bytes[at..at + 9].copy_from_slice(b"tag_head\0");
        }
        bytes
    };
    let fetch = |name: &str| match name {
        "upper.md3" | "head.md3" => Ok(with_head(name)),
        "animation.cfg" => Ok(cfg.clone().into_bytes()),
        other => nothing(other),
    };
    let options = LoadOptions::default();
    let loaded = parse_player(&lower, &fetch, None, &options).unwrap();
    assert_eq!(told(&loaded), [FileRepair::BadReference]);
    assert!(loaded.warnings[0].message.contains("LEGS_TURN has frames beyond the file"));
    let QuakeModel { model, clips, .. } = &loaded.value;
    assert_eq!((model.meshes.len(), clips.len()), (3, 24));
    let joints = model.skeleton.joints().iter();
    let joints: Vec<_> =
        joints.map(|joint| (joint.name.as_str(), joint.parent.map(|parent| parent.0))).collect();
    assert_eq!(joints, [("root", None), ("tag_torso", Some(0)), ("tag_head", Some(1))]);
    let both = &clips[0].clip;
    assert_eq!((both.key_rate_hz, both.wrap, both.key_count()), (Some(20.0), Wrap::Clamp, 2));
    // The frames of each part that a clip shows at its first key, by the weights of the targets.
    let shown = |name: &str| {
        let clip = &clips.iter().find(|named| named.name == name).unwrap().clip;
        let (binding, _) = bind_clip(&model.skeleton, &model.meshes, clip).unwrap();
        let weights = sample_clip(&model.skeleton, clip, &binding, 0.0).morphs;
        let frame =
            |own: &[f32]| own.iter().position(|weight| *weight == 1.0).map_or(0, |at| at + 1);
        weights.chunks(3).map(frame).collect::<Vec<_>>()
    };
    assert_eq!(shown("BOTH_DEATH1"), [1, 1, 0]);
    assert_eq!(shown("LEGS_WALK"), [1, 2, 0], "backwards, and the torso stands");
    assert_eq!(shown("TORSO_GESTURE"), [0, 0, 0]);
    let alone = parse_player(&lower, &nothing, None, &options).unwrap();
    assert_eq!(told(&alone), [FileRepair::BadReference]);
    assert_eq!(alone.value.model.meshes.len(), 1);
    let torso = |_: &str| Ok(md3(1, &[surface("torso", 1, 1)]));
    let headless = parse_player(&lower, &torso, None, &options).unwrap();
    let message = &headless.warnings[0].message;
    assert!(message.contains("head.md3 is attached to the missing tag \"tag_head\""), "{message}");
    assert!(is_player("Lower.md3") && hangs_on_player("head.MD3") && !hangs_on_player("lower.md3"));
}
