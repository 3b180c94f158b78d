//! Jobs without a process: a square of two triangles in a temporary folder.

use super::journal::{self, Journal, Origin, Subject};
use super::*;
use crate::{CheckLevel, FrameStatus};
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;
use tempfile::TempDir;
use tintype_formats::LoadOptions;
use tintype_framing::{ModelPath, TurntableError, TurntableOptions, TurntableScene};
use tintype_output::decode_png;
use tintype_render::asset::{self, Assets};
use tintype_scene::{FrameList, FrameNumber, FramePattern, Scene, Settings, parse_scene};

const SQUARE: &str = "MD5Version 10\ncommandline \"\"\nnumJoints 1\nnumMeshes 1\njoints {\n\"root\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\n\
    mesh {\nshader \"crate\"\nnumverts 4\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\nvert 2 ( 1 1 ) 2 1\nvert 3 ( 0 1 ) 3 1\n\
    numtris 2\ntri 0 0 1 2\ntri 1 0 2 3\nnumweights 4\nweight 0 0 1 ( 0 -1 -1 )\nweight 1 0 1 ( 0 1 -1 )\n\
    weight 2 0 1 ( 0 1 1 )\nweight 3 0 1 ( 0 -1 1 )\n}\n";

const FRAMES: [FrameNumber; 5] =
    [FrameNumber(3), FrameNumber(4), FrameNumber(5), FrameNumber(6), FrameNumber(7)];

struct Fixture {
    folder: TempDir,
    scene: Arc<Scene>,
    assets: Arc<Assets>,
    pool: rayon::ThreadPool,
}

/// Five frames of 16 by 12 pixels around the square.
fn fixture(output: &str, camera: &str) -> Fixture {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("square.md5mesh"), SQUARE).unwrap();
    let text = format!(
        "[output]\nsize = [16, 12]\nsamples = 1\nframes = \"3-7\"\n{output}\n[camera]\n{camera}\n\
         [[material]]\nname = \"crate\"\n[[model]]\nfile = \"square.md5mesh\"\n"
    );
    let scene = parse_scene(&text, "scene").unwrap_or_else(|errors| panic!("{errors}"));
    let assets = asset::load(&scene, folder.path(), &LoadOptions::default()).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    Fixture { folder, scene: Arc::new(scene), assets: Arc::new(assets), pool }
}

fn around() -> Fixture {
    fixture("", "azimuth_deg = { from = 0, to = 360 }")
}

impl Fixture {
    fn pattern(&self) -> FramePattern {
        FramePattern::parse(&format!("{}/out/####.png", self.folder.path().display())).unwrap()
    }

    fn job(&self) -> SequenceJob<'static> {
        SequenceJob::new(
            Arc::clone(&self.scene),
            Arc::clone(&self.assets),
            Outputs::files(self.pattern()),
        )
    }

    fn run(&self, job: SequenceJob<'_>) -> (JobReport, Vec<String>) {
        self.run_in(job, &JobContext::new(&self.pool))
    }

    /// Runs a job; its report and its events, each in a word.
    fn run_in(&self, job: SequenceJob<'_>, context: &JobContext<'_>) -> (JobReport, Vec<String>) {
        let mut events = Vec::new();
        let report = job.prepare().unwrap().run(context, &mut |event| {
            events.push(match event {
                Event::Outdated { reason, .. } => format!("outdated: {reason}"),
                Event::Replaced { reason, count } => format!("replaced {count}: {reason}"),
                Event::Present(list) => format!("present {list}"),
                Event::Started { frames, .. } => format!("started {frames}"),
                Event::Drawn(drawn) => format!("drawn {}", drawn.number),
                Event::FoundLate(number) => format!("found {number}"),
                Event::Failed { number, goes_on, .. } => format!("failed {number} {goes_on}"),
            });
        });
        (report.unwrap(), events)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path().join(folder)).into_iter().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn error_of(report: JobReport) -> JobError {
    report.into_result().err().unwrap()
}

#[test]
fn job_draws_frames_once_and_resumes() {
    let fixture = around();
    let (report, events) = fixture.run(fixture.job());
    assert_eq!((report.written, report.present, report.frames.as_slice()), (5, 0, &FRAMES[..]));
    assert_eq!(events[0], "started 5");
    assert_eq!(fixture.names("out"), ["0003.png", "0004.png", "0005.png", "0006.png", "0007.png"]);
    report.into_result().unwrap();

    // Nothing to do.
    let (report, events) = fixture.run(fixture.job());
    assert_eq!((report.written, report.present, report.in_flight), (0, 5, 0));
    assert_eq!(events, ["present 3-7"]);
    report.into_result().unwrap();

    // One is missing, one is cut off, one is of another size.
    let file = |name: &str| fixture.folder.path().join("out").join(name);
    let whole = std::fs::read(file("0005.png")).unwrap();
    std::fs::remove_file(file("0003.png")).unwrap();
    std::fs::write(file("0005.png"), &whole[..whole.len() / 2]).unwrap();
    std::fs::copy(file("0004.png"), file("0006.png")).unwrap();
    let mut job = fixture.job();
    job.settings.in_order = true;
    let (report, events) = fixture.run(job);
    assert_eq!((report.written, report.present), (3, 2));
    assert_eq!(events[1], "outdated: it is frame 4, not 6");
    assert_eq!(
        events[2..4],
        ["replaced 1: it is frame 4, not 6", "replaced 1: not a whole picture"]
    );
    assert_eq!(events[4..], ["present 4,7", "started 3", "drawn 3", "drawn 5", "drawn 6"]);
    assert_eq!(std::fs::read(file("0005.png")).unwrap(), whole);

    // All, on request.
    let mut job = fixture.job();
    job.settings.overwrite = true;
    let (report, _) = fixture.run(job);
    assert_eq!((report.written, report.present), (5, 0));
    assert_eq!(std::fs::read(file("0005.png")).unwrap(), whole);
}

#[test]
fn job_of_another_build_or_digest_is_drawn_again() {
    let fixture = around();
    fixture.run(fixture.job());
    let mut job = fixture.job();
    job.settings.build = Some("f".repeat(64));
    let (report, events) = fixture.run(job);
    assert_eq!(report.written, 5);
    assert!(
        events.contains(&"replaced 5: out of date: written by another build of tintype".into())
    );
}

#[test]
fn job_finds_what_another_process_has_written_meanwhile() {
    let fixture = around();
    let job = fixture.job().prepare().unwrap();
    let other = || fixture.run(fixture.job());
    let mut found = 0;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let report = job.run(&JobContext::new(&pool), &mut |event| match event {
        Event::Started { .. } => drop(other()),
        Event::FoundLate(_) => found += 1,
        _ => {}
    });
    let report = report.unwrap();
    assert_eq!((report.written, report.present, found), (0, 5, 5));
    report.into_result().unwrap();
}

#[test]
fn job_verifies_without_drawing() {
    let fixture = around();
    let verify = || fixture.job().prepare().unwrap().verify();
    assert_eq!(verify().missing(), FrameList::parse("3-7").ok());
    assert!(fixture.names("out").is_empty());
    fixture.run(fixture.job());
    let report = verify();
    assert!(report.outdated.is_empty() && report.files.is_empty() && !report.is_empty);
    std::fs::remove_file(fixture.pattern().path(4)).unwrap();
    let report = verify();
    assert_eq!(
        (report.outdated[0].number, report.outdated[0].reason.as_str()),
        (FrameNumber(4), "missing")
    );
}

#[test]
fn job_writes_views_before_pictures_and_misses_each() {
    let fixture = fixture("aov = [\"depth\", \"normal\"]", "azimuth_deg = 30");
    let (report, _) = fixture.run(fixture.job());
    assert_eq!(report.written, 5);
    let names = fixture.names("out");
    assert_eq!(names.len(), 15);
    assert_eq!(names[..3], ["0003.depth.png", "0003.normal.png", "0003.png"]);
    std::fs::remove_file(fixture.folder.path().join("out/0005.normal.png")).unwrap();
    let (report, _) = fixture.run(fixture.job());
    assert_eq!((report.written, report.present), (1, 4));
    let digest = fixture.job().prepare().unwrap().digest().to_owned();
    let pattern = fixture.pattern();
    let check = resume::ResumeCheck {
        pattern: &pattern,
        beside: resume::Beside::of(&fixture.scene.output),
        size: [16, 12],
        digest: &digest,
        build: None,
    };
    let current = FrameStatus::Current { is_empty: false };
    assert_eq!(check.check_at(FrameNumber(5), CheckLevel::Pixels).0, current);
}

#[test]
fn job_that_is_stopped_goes_on_from_there() {
    let fixture = around();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let context = JobContext::new(&pool);
    let stop = context.stop.clone();
    let report = fixture.job().prepare().unwrap().run(&context, &mut |event| {
        if let Event::Drawn(_) = event {
            stop.request();
        }
    });
    let report = report.unwrap();
    let written = report.written;
    assert!((1..5).contains(&written), "{written}");
    assert_eq!(fixture.names("out").len(), written, "complete files only");
    let missing = report.missing.clone().unwrap();
    assert_eq!(missing.len(), 5 - written);
    let error = error_of(report);
    assert_eq!(error.kind(), JobErrorKind::Stopped);
    assert!(matches!(error, JobError::Stopped { wanted: 5, .. }));
    let (report, _) = fixture.run(fixture.job());
    assert_eq!((report.written, report.present), (5 - written, written));
}

#[test]
fn job_ends_at_the_first_failure_or_keeps_going() {
    let fixture = around();
    // A folder in place of a file fails permanently.
    std::fs::create_dir_all(fixture.folder.path().join("out/0004.png/inside")).unwrap();
    let (report, events) = fixture.run(fixture.job());
    assert!(events.contains(&"failed 4 false".to_owned()));
    let error = error_of(report);
    assert_eq!(error.kind(), JobErrorKind::BadInput);
    assert!(error.message().contains("0004.png: ") && error.message().ends_with("of 5 written)"));

    let mut job = fixture.job();
    job.settings.keep_going = true;
    let (report, events) = fixture.run(job);
    assert!(events.contains(&"failed 4 true".to_owned()));
    assert_eq!((report.written + report.present, report.failed.len()), (4, 1));
    assert_eq!(report.failed[0].0, FrameNumber(4));
    let error = error_of(report);
    assert_eq!(error.kind(), JobErrorKind::Incomplete);
    assert_eq!(error.to_string(), "1 frame of 5 could not be written: 4");
}

#[cfg(target_os = "linux")]
#[test]
fn job_tries_again_and_says_that_the_trouble_is_temporary() {
    let fixture = around();
    let mut job = fixture.job();
    // A full disk, for each name.
    let out = fixture.folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    for FrameNumber(number) in FRAMES {
        std::os::unix::fs::symlink("/dev/full", out.join(format!("{number:04}.png"))).unwrap();
    }
    job.outputs = Outputs::files(fixture.pattern());
    job.settings.keep_going = true;
    let pause = std::time::Duration::ZERO;
    job.settings.retry = Retry { count: 2, first_pause: pause, longest_pause: pause };
    let (report, _) = fixture.run(job);
    assert_eq!(report.failed.len(), 5);
    let error = error_of(report);
    assert_eq!(error.kind(), JobErrorKind::Temporary);
    assert!(matches!(error, JobError::Failed { wanted: 5, is_temporary: true, .. }));
}

#[test]
fn job_of_empty_pictures_is_an_error_unless_allowed() {
    let away = "kind = \"look-at\"\neye = [0, 0, 9]\ntarget = [0, 0, 90]";
    let fixture = fixture("", away);
    let (report, _) = fixture.run(fixture.job());
    assert_eq!(report.empty, FRAMES);
    assert!(matches!(error_of(report), JobError::Empty { .. }));
    // Frames that are up to date are known to be empty.
    let (report, _) = fixture.run(fixture.job());
    assert_eq!((report.written, report.present), (0, 5));
    assert_eq!(error_of(report).kind(), JobErrorKind::Incomplete);
    let mut job = fixture.job();
    job.settings.allow_empty = true;
    fixture.run(job).0.into_result().unwrap();
    assert!(fixture.job().prepare().unwrap().verify().is_empty);
}

#[test]
fn job_refuses_what_a_scene_does_not_have() {
    let fixture = around();
    let mut job = fixture.job();
    job.frames = vec![FrameNumber(3), FrameNumber(8)];
    let error = job.prepare().unwrap_err();
    assert_eq!(error.to_string(), "the scene has no frame 8; it has 3-7");
    let mut job = fixture.job();
    job.frames = vec![FrameNumber(3)];
    job.outputs.animations.gif = Some("a.gif".into());
    assert!(matches!(job.prepare(), Err(JobError::PartOfAnimation)));
    let joint = self::fixture("aov = [\"joint:tail\"]", "azimuth_deg = 30");
    let error = joint.job().prepare().unwrap_err();
    assert_eq!(error.kind(), JobErrorKind::BadInput);
    assert!(error.message().contains("no model of the scene has a joint \"tail\""));
}

#[test]
fn animation_names_are_checked() {
    let files = |apng: &str, gif: &str, sheet: &str| {
        let path = |name: &str| (!name.is_empty()).then(|| PathBuf::from(name));
        let (apng, gif, sheet) = (path(apng), path(gif), path(sheet));
        AnimationFiles { apng, gif, sheet, ..AnimationFiles::default() }
    };
    files("a.png", "a.gif", "b.PNG").check().unwrap();
    let error = files("a.gif", "", "").check().unwrap_err();
    let says = "a.gif: the name must end in .png or .apng, the format that is written";
    assert_eq!(error.to_string(), says);
    let error = files("a.png", "", "a.png").check().unwrap_err();
    assert_eq!(error.to_string(), "a.png: the animated PNG has that name");
    let paths = files("x/a.png", "a.gif", "").below(Path::new("y"));
    let view = tintype_scene::Aov::parse_list("depth").unwrap();
    let names: Vec<String> =
        paths.with_views(&view).iter().map(|path| path.display().to_string()).collect();
    assert_eq!(names, ["y/x/a.png", "y/a.gif", "y/x/a.depth.png", "y/a.depth.gif"]);
}

#[test]
fn animations_hold_all_frames_and_are_made_once() {
    let fixture = fixture("aov = [\"mesh\"]", "azimuth_deg = { from = 0, to = 360 }");
    let root = fixture.folder.path();
    let path = |name: &str| Some(root.join("films").join(name));
    let animations = AnimationFiles {
        apng: path("a.png"),
        gif: path("a.gif"),
        webp: path("a.webp"),
        sheet: path("s.png"),
        video: None,
    };
    let outputs = Outputs { animations, ..Outputs::default() };
    let job = || {
        SequenceJob::new(Arc::clone(&fixture.scene), Arc::clone(&fixture.assets), outputs.clone())
    };
    let (report, _) = fixture.run(job());
    assert_eq!((report.written, report.files.len()), (5, 10));
    let names = [
        "a.gif",
        "a.mesh.gif",
        "a.mesh.png",
        "a.mesh.webp",
        "a.png",
        "a.webp",
        "s.json",
        "s.mesh.json",
        "s.mesh.png",
        "s.png",
    ];
    assert_eq!(fixture.names("films"), names);
    let bytes = |name: &str| std::fs::read(root.join("films").join(name)).unwrap();
    let mut gif = gif::DecodeOptions::new().read_info(io::Cursor::new(bytes("a.gif"))).unwrap();
    assert_eq!((0..).map_while(|_| gif.read_next_frame().unwrap().map(|_| ())).count(), 5);
    let png = png::Decoder::new(io::Cursor::new(bytes("a.png"))).read_info().unwrap();
    assert_eq!(png.info().animation_control.unwrap().num_frames, 5);
    // Each frame is at its position in the atlas, equal to its separate file.
    fixture.run(fixture.job());
    let (sheet, _) = decode_png(&bytes("s.png")).unwrap();
    let atlas: serde_json::Value = serde_json::from_slice(&bytes("s.json")).unwrap();
    for (k, number) in FRAMES.into_iter().enumerate() {
        let (frame, _) =
            decode_png(&std::fs::read(fixture.pattern().path(number)).unwrap()).unwrap();
        let [x, y] = ["x", "y"].map(|key| atlas["frames"][k][key].as_u64().unwrap() as u32);
        let is_same = (0..12).all(|row| {
            (0..16).all(|column| sheet.pixel(x + column, y + row) == frame.pixel(column, row))
        });
        assert!(is_same, "frame {number}");
    }

    // An existing film is not made again; a torn one is, with all others.
    let (report, events) = fixture.run(job());
    assert_eq!((report.written, report.in_flight, report.files.len(), events.len()), (0, 0, 8, 0));
    let whole = bytes("a.gif");
    std::fs::write(root.join("films/a.gif"), &whole[..whole.len() / 2]).unwrap();
    let verified = job().prepare().unwrap().verify();
    assert_eq!(verified.files, [root.join("films/a.gif")]);
    let (report, _) = fixture.run(job());
    assert_eq!(report.written, 5);
    assert_eq!(bytes("a.gif"), whole);
}

#[test]
fn animations_are_not_written_when_the_job_is_stopped() {
    let fixture = around();
    let mut outputs = Outputs::files(fixture.pattern());
    outputs.animations.gif = Some(fixture.folder.path().join("films/a.gif"));
    let job = SequenceJob::new(Arc::clone(&fixture.scene), Arc::clone(&fixture.assets), outputs);
    let context = JobContext::new(&fixture.pool);
    context.stop.request();
    let (report, _) = fixture.run_in(job, &context);
    assert!(report.missing.is_some() && report.files.is_empty());
    assert!(fixture.names("films").is_empty(), "the unfinished file is gone");
}

#[test]
fn sheet_that_is_too_large_is_refused() {
    let fixture = around();
    let mut scene = Scene::clone(&fixture.scene);
    scene.output.size = [16_000, 12_000];
    let mut outputs = Outputs::default();
    outputs.animations.sheet = Some(fixture.folder.path().join("s.png"));
    let job = SequenceJob::new(scene, Arc::clone(&fixture.assets), outputs);
    let error = job.run(&JobContext::new(&fixture.pool), &mut |_| {}).unwrap_err();
    assert!(matches!(error, JobError::SheetSize { frames: 5, .. }));
}

#[test]
fn stream_takes_frames_in_order_and_its_failure_is_temporary() {
    let fixture = around();
    let taken = Mutex::new(Vec::new());
    let write = |bytes: &[u8]| {
        taken.lock().unwrap().push(bytes.to_vec());
        Ok(())
    };
    let run = |format: StreamFormat, write: &(dyn Fn(&[u8]) -> io::Result<()> + Sync)| {
        let stream = Stream { name: "the pipe", format, write };
        let outputs = Outputs { frames: FrameOutput::Stream(stream), ..Outputs::default() };
        fixture.run(SequenceJob::new(
            Arc::clone(&fixture.scene),
            Arc::clone(&fixture.assets),
            outputs,
        ))
    };
    run(StreamFormat::Rgba, &write).0.into_result().unwrap();
    let raw = std::mem::take(&mut *taken.lock().unwrap());
    run(StreamFormat::Png, &write).0.into_result().unwrap();
    let png = std::mem::take(&mut *taken.lock().unwrap());
    for (raw, png) in raw.iter().zip(&png) {
        assert_eq!(*raw, decode_png(png).unwrap().0.rgba.as_flattened());
    }
    assert_eq!((raw.len(), png.len()), (5, 5));
    run(StreamFormat::Y4m, &write).0.into_result().unwrap();
    let y4m = taken.lock().unwrap().concat();
    assert!(y4m.starts_with(b"YUV4MPEG2 W16 H12 F24:1 "));
    assert_eq!(y4m.windows(6).filter(|part| part == b"FRAME\n").count(), 5);

    let (report, _) = run(StreamFormat::Png, &|_| Err(io::Error::other("gone")));
    let error = error_of(report);
    assert_eq!(error.message(), "cannot write to the pipe: gone (0 frames of 5 written)");
    assert_eq!(error.kind(), JobErrorKind::Temporary);
}

#[test]
fn job_measures_with_the_clock_that_it_is_given() {
    let fixture = around();
    let ticks = std::sync::atomic::AtomicU32::new(0);
    let clock = || f64::from(ticks.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
    let mut job = fixture.job();
    job.settings.measure = true;
    let context = JobContext { clock: Some(&clock), ..JobContext::new(&fixture.pool) };
    let mut sum = stats::FrameStats::default();
    let report = job.prepare().unwrap().run(&context, &mut |event| {
        if let Event::Drawn(drawn) = event {
            sum.add(&drawn.stats);
        }
    });
    assert!(report.unwrap().seconds > 0.0);
    assert!(sum.stages.tiles > 0.0 && sum.stages.write > 0.0 && sum.png_bytes > 0);
    assert_eq!(sum.triangles.given, 10);
}

#[test]
fn journal_keeps_what_an_attempt_did() {
    let folder = TempDir::new().unwrap();
    let origin =
        Origin { node: Some("n 1".to_owned()), job: Some("7".to_owned()), ..Origin::default() };
    let subject = Subject::scene(Path::new("a.toml"), &FRAMES);
    let begin = |origin| {
        Journal::create(folder.path(), subject.clone(), Some("1/2"), origin, SystemTime::now)
    };
    let journal = begin(origin).unwrap();
    journal.present(&FrameList::single(FrameNumber(3)));
    journal.frame(4, "aa", 0.5);
    journal.failed(5, "disk full");
    journal.model(journal::Model {
        model: "imp".to_owned(),
        message: Some("torn".to_owned()),
        ..journal::Model::default()
    });
    journal.end(75, "terminated");
    journal.end(0, "dropped");
    assert!(journal.take_error().is_none());
    let attempts = attempts_in(folder.path());
    let lines: Vec<String> =
        attempts[0].iter().map(|line| serde_json::to_string(&line.event).unwrap()).collect();
    assert_eq!(lines.len(), 6);
    let start: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!((&start["event"], &start["frames"]), (&"start".into(), &"3-7".into()));
    assert_eq!(
        (&start["node"], &start["job"], &start["shard"]),
        (&"n 1".into(), &"7".into(), &"1/2".into())
    );
    assert_eq!(lines[1], r#"{"event":"present","frames":"3"}"#);
    assert!(lines[2].starts_with(r#"{"event":"frame","frame":4,"digest":"aa","seconds":0.5"#));
    assert_eq!(lines[3], r#"{"event":"failed","frame":5,"message":"disk full"}"#);
    assert_eq!(lines[5], r#"{"event":"end","code":75,"message":"terminated"}"#);
    assert_eq!(journal::last_words(folder.path())["imp"], "torn");

    // A crashed machine truncates its last line; the next attempt has a separate file.
    begin(Origin::default()).unwrap();
    let tasks = journal::tasks_in(folder.path());
    std::fs::write(tasks.join("0-dead.jsonl"), "{\"at\":1,\"event\":\"present\",\"fra").unwrap();
    let lengths =
        |attempts: Vec<Vec<journal::Line>>| attempts.iter().map(Vec::len).collect::<Vec<usize>>();
    assert_eq!(lengths(attempts_in(folder.path())), [0, 6, 1]);
    assert_eq!(lengths(journal::beginnings(folder.path())), [0, 1, 1]);
    // An unreadable journal is reported, and the others are read.
    std::fs::create_dir(tasks.join("0-folder.jsonl")).unwrap();
    let mut attempts = 0;
    let unread = journal::each_attempt(folder.path(), |_| attempts += 1);
    assert_eq!((attempts, unread.len()), (3, 1));
    assert!(unread[0].0.ends_with("0-folder.jsonl"), "{unread:?}");
    Journal::none().frame(1, "", 0.0);
}

fn attempts_in(folder: &Path) -> Vec<Vec<journal::Line>> {
    let mut attempts = Vec::new();
    let unread = journal::each_attempt(folder, |lines| attempts.push(lines));
    assert!(unread.is_empty(), "{unread:?}");
    attempts
}

fn turntable_options() -> TurntableOptions {
    turntable_of(&[("size", "16x12"), ("samples", "1")])
}

fn turntable_of(texts: &[(&str, &str)]) -> TurntableOptions {
    let settings = Settings::of_texts(texts.iter().copied()).unwrap();
    TurntableOptions { settings, frames: Some(6), ..TurntableOptions::default() }
}

fn load_turntable(
    options: &TurntableOptions,
    model: ModelPath<'_>,
) -> Result<TurntableScene, TurntableError> {
    TurntableScene::load(options, model, &LoadOptions::default(), &mut |_| {})
}

#[test]
fn turntable_is_drawn_into_a_folder_and_resumed() {
    let fixture = around();
    let root = fixture.folder.path();
    let model = root.join("square.md5mesh");
    let turntable = load_turntable(&turntable_options(), ModelPath::Plain(&model)).unwrap();
    assert!(turntable.has_mesh());
    assert_eq!((turntable.timeline.frames, turntable.scene.output.frames.len()), (6, 6));
    let mut outputs = Outputs::files(fixture.pattern());
    outputs.animations.gif = Some(root.join("turn.gif"));
    let mut numbers = Vec::new();
    let mut run = |outputs: &Outputs<'static>| {
        let job = SequenceJob::of_turntable(&turntable, outputs.clone());
        let report = job.run(&JobContext::new(&fixture.pool), &mut |event| {
            if let Event::Drawn(drawn) = event {
                numbers.push(drawn.number.0);
            }
        });
        report.unwrap()
    };
    let report = run(&outputs);
    assert_eq!((report.written, report.present), (6, 0));
    assert_eq!(report.files, [root.join("turn.gif")]);
    assert_eq!(run(&outputs).in_flight, 0);
    // One PNG is missing: the GIF stays.
    std::fs::remove_file(fixture.pattern().path(2)).unwrap();
    let report = run(&outputs);
    assert_eq!((report.written, report.present), (1, 5));
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 2], "frames are reported in their order");
    // Its scene as a text draws the same.
    let (options, load_options) = (turntable_options(), LoadOptions::default());
    let text = turntable.to_toml(&options, &model, &load_options, root).unwrap();
    let scene = parse_scene(&text, "turntable").unwrap_or_else(|errors| panic!("{errors}"));
    let assets = asset::load(&scene, root, &load_options).unwrap();
    let same = SequenceJob::new(scene, assets, Outputs::default()).prepare().unwrap();
    let outputs = Outputs::files(FramePattern::parse("unused/####.png").unwrap());
    let ours = SequenceJob::of_turntable(&turntable, outputs).prepare().unwrap();
    assert_eq!(same.job.scene.output.frames, ours.job.scene.output.frames);
}

#[test]
fn turntable_of_a_name_below_a_base_has_the_same_digest_in_any_folder() {
    let [one, other] = [around(), around()];
    let digest = |fixture: &Fixture| {
        let model = ModelPath::Below { base: fixture.folder.path(), name: "square.md5mesh" };
        let turntable = load_turntable(&turntable_options(), model).unwrap();
        SequenceJob::of_turntable(&turntable, Outputs::default())
            .prepare()
            .unwrap()
            .digest()
            .to_owned()
    };
    assert_eq!(digest(&one), digest(&other));
}

#[test]
fn turntable_refuses_clips_and_rates_that_there_are_not() {
    let fixture = around();
    let model = fixture.folder.path().join("square.md5mesh");
    let error = |options: TurntableOptions| {
        load_turntable(&options, ModelPath::Plain(&model)).unwrap_err().to_string()
    };
    let options = turntable_of(&[("clip", "walk")]);
    assert_eq!(error(options), "no clip \"walk\": the model has no clips");
    let mut options = turntable_options();
    options.settings.say("fps", 0.0);
    assert_eq!(error(options), "fps: 0.0 is out of range; expected above 0, at most 1000");
    let names: &[(&str, &str)] = &[("model[0].front", "--front")];
    let options = turntable_of(&[("up", "x"), ("front", "x")]);
    let error = error(TurntableOptions { key_names: names, ..options });
    assert!(error.starts_with("--front: "), "{error}");
    let missing = load_turntable(&turntable_options(), ModelPath::Plain(Path::new("none.md5mesh")));
    assert!(matches!(missing, Err(TurntableError::Asset(_))));
}
