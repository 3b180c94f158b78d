//! Quake models against an independent reader: positions in every frame and between two, clips,
//! boxes of `EXPECT-QUAKE.tsv`, and a player by its tags.

use crate::support::{trial, with_models};
use libtest_mimic::Failed;
use std::collections::BTreeMap;
use std::path::Path;
use tintype_formats::quake::{PALETTE, QuakeModel, parse_model, parse_player};
use tintype_formats::{LoadOptions, Loaded};
use tintype_model::math::{Affine3, Vec3};
use tintype_model::pose::{bind_clip, sample_clip, wrap_time};
use tintype_model::skin::{SkinMatrices, skin_mesh};
use tintype_model::{Clip, Mesh, Model, Pose};

/// A number of a file.
fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn real(bytes: &[u8], at: usize) -> f32 {
    f32::from_bits(word(bytes, at) as u32)
}

/// Three bytes as a position.
fn quantized(bytes: &[u8], at: usize, head: usize) -> Vec3 {
    let axis = |axis: usize| {
        f32::from(bytes[at + axis]) * real(bytes, head + 4 * axis)
            + real(bytes, head + 12 + 4 * axis)
    };
    Vec3::new(axis(0), axis(1), axis(2))
}

/// Positions of all vertices in each frame; frames of groups one after the other.
fn frames(bytes: &[u8]) -> Vec<Vec<Vec3>> {
    match &bytes[..4] {
        b"IDP2" => {
            let [size, vertices, count, start] = [16, 24, 40, 56].map(|at| word(bytes, at));
            let frame = |frame: usize| {
                let head = start + frame * size;
                (0..vertices).map(|v| quantized(bytes, head + 40 + 4 * v, head)).collect()
            };
            (0..count).map(frame).collect()
        }
        b"IDP3" => {
            let [count, surfaces, start] = [76, 84, 100].map(|at| word(bytes, at));
            let mut all = vec![Vec::new(); count];
            let mut at = start;
            for _ in 0..surfaces {
                let [vertices, places, end] = [80, 100, 104].map(|own| word(bytes, at + own));
                for (frame, all) in all.iter_mut().enumerate() {
                    all.extend((0..vertices).map(|vertex| {
                        let place = at + places + 8 * (frame * vertices + vertex);
                        let axis = |axis: usize| {
                            let two = [bytes[place + 2 * axis], bytes[place + 2 * axis + 1]];
                            f32::from(i16::from_le_bytes(two)) / 64.0
                        };
                        Vec3::new(axis(0), axis(1), axis(2))
                    }));
                }
                at += end;
            }
            all
        }
        _ => {
            let [skins, width, height, vertices, triangles, count] =
                [48, 52, 56, 60, 64, 68].map(|at| word(bytes, at));
            let mut at = 84;
            for _ in 0..skins {
                let own = if word(bytes, at) == 0 { 1 } else { word(bytes, at + 4) };
                at += if word(bytes, at) == 0 { 4 } else { 8 + 4 * own };
                at += own * width * height;
            }
            at += 12 * vertices + 16 * triangles;
            let mut all = Vec::new();
            for _ in 0..count {
                let own = if word(bytes, at) == 0 { 1 } else { word(bytes, at + 4) };
                at += if word(bytes, at) == 0 { 4 } else { 16 + 4 * own };
                for _ in 0..own {
                    at += 24;
                    all.push((0..vertices).map(|v| quantized(bytes, at + 4 * v, 8)).collect());
                    at += 4 * vertices;
                }
            }
            all
        }
    }
}

/// Positions of the vertices of some meshes in a pose, in the axes of the file.
fn places(meshes: &[Mesh], pose: &Pose) -> Vec<Vec3> {
    let matrices = SkinMatrices::new(pose);
    let of_mesh = |mesh: &Mesh| {
        let posed = skin_mesh(mesh, &matrices);
        let place = |vertex| {
            let place = posed.position_at(vertex);
            Vec3::new(place.x, -place.z, place.y)
        };
        (0..mesh.file_vertex_count()).map(place).collect::<Vec<_>>()
    };
    meshes.iter().flat_map(of_mesh).collect()
}

fn pose(model: &Model, clip: &Clip, time_s: f64) -> Pose {
    let (binding, _) = bind_clip(&model.skeleton, &model.meshes, clip).unwrap();
    sample_clip(&model.skeleton, clip, &binding, wrap_time(clip, time_s, clip.wrap))
}

/// Positions may be off by the rounding of this number of units.
const ROUNDING: f32 = 1.0 / 1024.0;

fn farthest(found: &[Vec3], expected: &[Vec3]) -> f32 {
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

fn read(path: &Path) -> Result<Loaded<QuakeModel>, String> {
    let bytes = crate::support::read(path)?;
    let palette = |name: &str| Err(format!("{name}: not asked for here"));
    parse_model(&bytes, &palette, None, &LoadOptions::default()).map_err(|error| error.to_string())
}

/// Frames of the file that the keys of a clip show, by the weights of the targets.
fn shown(model: &Model, clip: &Clip, key: usize) -> usize {
    let weights = pose(model, clip, clip.key_times_s[key]).morphs;
    weights.iter().position(|&weight| weight == 1.0).map_or(0, |target| target + 1)
}

#[trial(with_models)]
fn frames_of_quake_models_are_where_the_file_has_them(folder: &Path) -> Result<(), Failed> {
    let folder = folder.join("quake");
    let mut poses = 0;
    for path in crate::support::files(&folder, &["mdl", "md2", "md3"])? {
        let name = path.display();
        if name.to_string().contains("malformed") {
            continue;
        }
        let expected = frames(&crate::support::read(&path)?);
        let Loaded { value: QuakeModel { model, clips, .. }, .. } = read(&path)?;
        let rest = places(&model.meshes, &tintype_model::pose::bind_pose(&model.skeleton));
        assert!(farthest(&rest, &expected[0]) < ROUNDING, "{name}");
        assert_eq!(clips.is_empty(), expected.len() == 1, "{name}");
        let mut seen = vec![false; expected.len()];
        for named in &clips {
            let clip = &named.clip;
            let is_group = clip.key_rate_hz.is_none() && clip.key_count() > 1;
            // The last key of a group is its first frame again.
            let keys = clip.key_count() - usize::from(is_group);
            for key in 0..keys {
                let frame = shown(&model, clip, key);
                let time_s = clip.key_times_s[key];
                let found = places(&model.meshes, &pose(&model, clip, time_s));
                let far = farthest(&found, &expected[frame]);
                assert!(far < ROUNDING, "{name}: {} key {key}: {far}", named.name);
                seen[frame] = true;
                poses += 1;
                if is_group || keys == 1 {
                    continue;
                }
                let next = &expected[shown(&model, clip, (key + 1) % keys)];
                let between = expected[frame].iter().zip(next).map(|(a, b)| a.lerp(*b, 0.25));
                let found = places(&model.meshes, &pose(&model, clip, time_s + 0.025));
                let far = farthest(&found, &between.collect::<Vec<_>>());
                assert!(far < ROUNDING, "{name}: {} behind key {key}: {far}", named.name);
            }
        }
        assert!(clips.is_empty() || seen.iter().all(|seen| *seen), "{name}: a frame in no clip");
    }
    if poses > 2000 { Ok(()) } else { Err(format!("only {poses} poses").into()) }
}

#[trial(with_models)]
fn quake_models_have_the_runs_tags_and_boxes_that_are_expected(
    folder: &Path,
) -> Result<(), Failed> {
    let folder = folder.join("quake");
    let table = crate::support::read(&folder.join("EXPECT-QUAKE.tsv"))?;
    let table = String::from_utf8(table).unwrap();
    let mut checked = 0;
    for line in table.lines().skip(1).filter(|line| !line.contains("\tBAD ")) {
        let columns: Vec<&str> = line.split('\t').collect();
        let Loaded { value: QuakeModel { model, clips, .. }, .. } = read(&folder.join(columns[0]))?;
        let name = columns[0];
        let count = |column: usize| columns[column].parse::<usize>().unwrap();
        let vertices: usize = model.meshes.iter().map(Mesh::file_vertex_count).sum();
        let triangles: usize = model.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        assert_eq!((vertices, triangles), (count(3), count(4)), "{name}");
        let tags: Vec<&str> =
            model.skeleton.joints()[1..].iter().map(|joint| joint.name.as_str()).collect();
        assert_eq!(tags.join(","), columns[6], "{name}");
        // Clip names are unique, so repeated runs have a number.
        let runs: Vec<&str> = columns[7].split(", ").collect();
        let has_groups = columns[10].contains("groups [");
        if !has_groups && count(2) > 1 {
            let stem = |run: &str| run.rsplit_once('[').unwrap().0.trim().to_owned();
            let found: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
            // The table has the first 40 of them.
            assert_eq!(found.len().min(40), runs.len(), "{name}: {found:?}");
            for (found, run) in found.iter().zip(&runs) {
                assert!(found.starts_with(&stem(run)), "{name}: {found} of {run}");
            }
        }
        let pose_of_end = |clip: &Clip| {
            // Groups begin with the frame that the table shows.
            let time_s = if has_groups { 0.0 } else { clip.end_s };
            pose(&model, clip, time_s)
        };
        let rest = tintype_model::pose::bind_pose(&model.skeleton);
        let end = clips.last().map_or(rest.clone(), |named| pose_of_end(&named.clip));
        for (column, pose) in [(8, &rest), (9, &end)] {
            if columns[column] == "-" {
                continue;
            }
            let numbers: Vec<f32> =
                columns[column].split(' ').map(|number| number.parse().unwrap()).collect();
            let places = places(&model.meshes, pose);
            let least = places.iter().copied().reduce(Vec3::min).unwrap();
            let most = places.iter().copied().reduce(Vec3::max).unwrap();
            for (found, expected) in least.to_array().iter().chain(&most.to_array()).zip(&numbers) {
                let gap = (found - expected).abs();
                assert!(gap < 1e-4 * expected.abs() + ROUNDING, "{name}: {found} {expected}");
            }
        }
        checked += 1;
    }
    if checked == 44 { Ok(()) } else { Err(format!("{checked} models").into()) }
}

/// The transform of a tag in a frame.
fn tag(bytes: &[u8], number: usize, frame: usize) -> Affine3 {
    let [tags, start] = [80, 96].map(|at| word(bytes, at));
    let at = start + 112 * (frame * tags + number) + 64;
    let vector =
        |place: usize| Vec3::from_array([0, 4, 8].map(|axis| real(bytes, at + place + axis)));
    let matrix3 = tintype_model::math::Mat3::from_cols(vector(12), vector(24), vector(36));
    Affine3 { matrix3, translation: vector(0) }
}

#[trial(with_models)]
fn player_hangs_together_by_its_tags(folder: &Path) -> Result<(), Failed> {
    let folder = folder.join("quake/openarena/models/players/tony");
    let fetch = |name: &str| crate::support::read(&folder.join(name));
    let [lower, upper, head] = ["lower.md3", "upper.md3", "head.md3"].map(fetch);
    let (lower, upper, head) = (lower?, upper?, head?);
    let read = parse_player(&lower, &fetch, None, &LoadOptions::default());
    let QuakeModel { model, clips, .. } = read.map_err(|error| error.to_string())?.value;
    let clips: BTreeMap<&str, &Clip> =
        clips.iter().map(|named| (named.name.as_str(), &named.clip)).collect();
    // The first frame of legs is (96 - 95) before that of its row.
    for (name, key, legs, torso) in [
        ("LEGS_RUN", 3, 119, 165),
        ("LEGS_IDLE", 0, 185, 165),
        ("TORSO_ATTACK", 2, 185, 132),
        ("BOTH_DEATH1", 7, 7, 7),
    ] {
        let clip = clips[name];
        let found = places(&model.meshes, &pose(&model, clip, clip.key_times_s[key]));
        let on = tag(&lower, 0, legs);
        let of_tag = |bytes: &[u8], name: &[u8]| {
            let start = word(bytes, 96);
            let is_own = |number: &usize| bytes[start + 112 * number..].starts_with(name);
            (0..word(bytes, 80)).find(is_own).unwrap()
        };
        let above = on * tag(&upper, of_tag(&upper, b"tag_head\0"), torso);
        let parts = [(&lower, legs, Affine3::IDENTITY), (&upper, torso, on), (&head, 0, above)];
        let expected = parts.into_iter().flat_map(|(bytes, frame, on)| {
            let places = frames(bytes).swap_remove(frame);
            places.into_iter().map(move |place| on.transform_point3(place))
        });
        let far = farthest(&found, &expected.collect::<Vec<_>>());
        assert!(far < 0.01, "{name}: {far}");
    }
    assert_eq!(clips.len(), 25, "{:?}", clips.keys());
    Ok(())
}

#[trial(with_models)]
fn skins_have_the_colours_of_the_palette_of_the_game(folder: &Path) -> Result<(), Failed> {
    let folder = folder.join("quake/librequake");
    let bytes = crate::support::read(&folder.join("progs/ogre.mdl"))?;
    let palette = crate::support::read(&folder.join(PALETTE))?;
    let fetch = |_: &str| Ok(palette.clone());
    let read = parse_model(&bytes, &fetch, None, &LoadOptions::default());
    let model = read.map_err(|error| error.to_string())?.value.model;
    assert_eq!(model.parts.variants, ["skin_0", "skin_1"]);
    let options = LoadOptions::default();
    for (number, picture) in model.pictures.iter().enumerate() {
        let image = tintype_formats::image::decode(&picture.bytes, "", &options);
        let image = image.map_err(|error| error.to_string())?;
        let start = 84 + 4 + number * (4 + 256 * 256);
        for (pixel, index) in image.rgba.iter().zip(&bytes[start..]) {
            let at = 3 * usize::from(*index);
            assert_eq!(pixel[..3], palette[at..at + 3]);
        }
        assert_eq!(image.rgba.len(), 256 * 256);
    }
    Ok(())
}
