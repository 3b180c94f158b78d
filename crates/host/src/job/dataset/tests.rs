use super::*;
use std::fs;
use tintype_scene::parse_recipe;

const RECIPE: &str = r#"
[dataset]
count = 8
seed = 3
models = ["ranger.glb", "scarab.md5mesh"]
jitter = 0.8

[output]
size = [96, 80]
samples = 1
channels = ["instance", "depth"]
background = { any = ["transparent", [0, 0.1, 0.4]] }

[camera]
fov_deg = { from = 20, to = 70 }
margin = { from = 0.02, to = 0.3 }
"#;

fn dataset(text: &str, folder: &Path) -> Dataset {
    Dataset {
        recipe: parse_recipe(text, "recipe.toml").expect("a sound recipe"),
        base: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/assets"),
        folder: folder.to_owned(),
        shard: None,
        overwrite: false,
        refuses_stand_ins: false,
        load_options: LoadOptions::default(),
        build: None,
    }
}

fn part(index: u64, of: u64, folder: &Path) -> DatasetReport {
    let set = Dataset { shard: Shard::new(index, of), ..dataset(RECIPE, folder) };
    set.run(&|_| {}).expect("a part")
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    entries
        .map(|one| (one.file_name().into_string().unwrap(), fs::read(one.path()).unwrap()))
        .collect()
}

#[test]
fn parts_are_the_whole_and_a_sample_alone_is_its_own() {
    let [whole, parts, one] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let report = dataset(RECIPE, whole.path()).run(&|_| {}).unwrap();
    assert_eq!((report.drawn, report.present, report.missing), (8, 0, None));
    let expected = files(whole.path());
    assert_eq!(expected.len(), 8 * 3 + 3);
    for index in [2, 0, 1] {
        let report = part(index, 3, parts.path());
        assert_eq!(report.missing.is_none(), index == 1, "{report:?}");
        let has_whole = parts.path().join("annotations.json").exists();
        assert_eq!(has_whole, index == 1);
    }
    assert!(files(parts.path()) == expected);
    let report = part(5, 8, one.path());
    assert_eq!(report.missing.unwrap().to_string(), "0-4,6,7");
    let alone = files(one.path());
    assert_eq!(alone.len(), 3);
    assert!(alone.iter().all(|(name, bytes)| expected[name] == *bytes));
}

#[test]
fn run_again_draws_nothing_but_what_is_not_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let run = |text: &str| {
        let report = dataset(text, folder.path()).run(&|_| {}).unwrap();
        (report.drawn, report.present)
    };
    assert_eq!(run(RECIPE), (8, 0));
    let before = files(folder.path());
    assert_eq!(run(RECIPE), (0, 8));
    fs::remove_file(folder.path().join("000001.npz")).unwrap();
    fs::write(folder.path().join("000002.png"), "no picture").unwrap();
    fs::write(folder.path().join("000003.json"), "{").unwrap();
    assert_eq!(run(RECIPE), (3, 5));
    assert!(files(folder.path()) == before);
    // A set that grows keeps its drawn samples; another seed or size keeps nothing.
    assert_eq!(run(&RECIPE.replace("count = 8", "count = 10")), (2, 8));
    assert_eq!(run(&RECIPE.replace("seed = 3", "seed = 4")), (8, 0));
    assert_eq!(run(&RECIPE.replace("96, 80", "80, 96")), (8, 0));
}

/// Joints, box, area and runs against the pose, projected in double precision, and the channel in
/// the file.
#[test]
fn labels_are_those_of_pose_and_mask() {
    let folder = tempfile::tempdir().unwrap();
    let set = dataset(RECIPE, folder.path());
    set.run(&|_| {}).unwrap();
    let models = set.models().unwrap();
    for number in 0..8 {
        let sample = set.labels(number).unwrap();
        let [width, height] = [96, 80];
        let at = models.iter().position(|(name, _)| *name == sample.facts.model).unwrap();
        let subject = set.subject(&models[at], at, &mut DatasetReport::default()).unwrap();
        let planned = set.plan(&subject, number, sample.facts.attempt).unwrap();
        let options = &LoadOptions::default();
        let assets = asset::load(&planned.scene, &set.base, options).unwrap();
        let renderer = Renderer::new(planned.scene, assets, &Deadline::NEVER).unwrap();
        let level = RasterOptions::default().level;
        let staged = renderer.stage_picture(FRAME, level).unwrap();
        let posed = &staged.instances[0];
        let skeleton = &renderer.assets().models[0].model.skeleton;
        assert_eq!(sample.category.keypoints.len(), skeleton.len());
        let View { fl_x, fl_y, cx, cy, transform_matrix: pose, .. } = sample.camera;
        let mut counted = 0;
        for (joint, point) in sample.annotation.keypoints.chunks(3).enumerate() {
            let place = posed.pose.matrices[joint].translation;
            let place = posed.world_from_model.transform_point3(place).to_array().map(f64::from);
            let along = |axis: usize| -> f64 {
                (0..3).map(|row| pose[row][axis] * (place[row] - pose[row][3])).sum()
            };
            let depth = -along(2);
            let pixel = [cx + fl_x * along(0) / depth, cy - fl_y * along(1) / depth];
            let is_inside = (0.0..96.0).contains(&pixel[0]) && (0.0..80.0).contains(&pixel[1]);
            assert_eq!(point[2] > 0.0, is_inside, "{number} {joint} {pixel:?} {point:?}");
            counted += usize::from(is_inside);
            let is_near = |axis: usize| (point[axis] - pixel[axis]).abs() < 0.01;
            assert!(!is_inside || is_near(0) && is_near(1), "{joint} {pixel:?} {point:?}");
        }
        assert_eq!(sample.annotation.num_keypoints, counted);
        // The first array of the file, after its name, in rows of 96 integers.
        let bytes = fs::read(folder.path().join(format!("{number:06}.npz"))).unwrap();
        let start = bytes.windows(6).position(|word| word == b"\x93NUMPY").unwrap();
        let head = usize::from(u16::from_le_bytes([bytes[start + 8], bytes[start + 9]]));
        let values = &bytes[start + 10 + head..][..width * height * 4];
        let mask: Vec<bool> =
            values.chunks(4).map(|one| one.iter().any(|byte| *byte != 0)).collect();
        let inside: Vec<[usize; 2]> =
            (0..width * height).filter(|&at| mask[at]).map(|at| [at % width, at / width]).collect();
        let ends = |axis: usize| {
            let all = || inside.iter().map(|place| place[axis]);
            [all().min().unwrap(), all().max().unwrap() + 1]
        };
        let ([left, right], [top, bottom]) = (ends(0), ends(1));
        let label = &sample.annotation;
        assert_eq!(label.bbox.map(|n| n as usize), [left, top, right - left, bottom - top]);
        assert!(left > 0 && top > 0 && right < width && bottom < height, "the figure is whole");
        assert_eq!(label.area, inside.len());
        let mut from_runs = vec![false; mask.len()];
        let mut place = 0;
        for (run, &length) in label.segmentation.counts.iter().enumerate() {
            for at in place..place + length {
                from_runs[at % height * width + at / height] = run % 2 == 1;
            }
            place += length;
        }
        assert!(place == mask.len() && from_runs == mask);
    }
}

#[test]
fn empty_pictures_are_drawn_again_and_end_in_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let camera = |eyes: &str| {
        let at = RECIPE.find("[camera]").unwrap();
        format!(
            "{}[camera]\nkind = \"look-at\"\ntarget = [0, 3, 20]\neye = {eyes}\n",
            &RECIPE[..at]
        )
    };
    let away = dataset(&camera("[0, 3, 9]"), folder.path()).run(&|_| {}).unwrap_err();
    assert!(away.to_string().contains("is not visible in any of"), "{away}");
    assert!(matches!(away, DatasetError::Empty { attempts: ATTEMPTS, .. }));
    let some = camera("{ any = [[0, 3, 9], [0, 3, 30], [0, 3, 32]] }");
    dataset(&some, folder.path()).run(&|_| {}).unwrap();
    let set = dataset(&some, folder.path());
    let attempts: Vec<u32> = (0..8).map(|n| set.labels(n).unwrap().facts.attempt).collect();
    assert!(attempts.iter().any(|own| *own > 0), "{attempts:?}");
    let again = set.run(&|_| {}).unwrap();
    assert_eq!((again.drawn, again.present), (0, 8));
}

#[test]
fn clips_that_are_not_there_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let with = |clips: &str| {
        let text = RECIPE.replace("jitter = 0.8", &format!("clips = {clips}"));
        dataset(&text, folder.path()).run(&|_| {}).unwrap_err().to_string()
    };
    let message = with("[\"walk\", \"scarab_walk\", \"walkk\"]");
    assert!(message.starts_with("dataset.clips: no model has a clip \"walkk\"; "), "{message}");
    assert!(message.contains("walk"), "{message}");
    assert!(
        with("[\"wave\"]")
            .contains("scarab.md5mesh: none of its clips is in dataset.clips: wave; ")
    );
    let none = dataset(&RECIPE.replace("ranger.glb", "*.nothing"), folder.path());
    let message = none.run(&|_| {}).unwrap_err().to_string();
    assert!(message.contains("no file matches this pattern"), "{message}");
    assert!(files(folder.path()).is_empty());
}
