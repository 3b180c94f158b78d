//! Resources that end: memory, disks, files that others remove while they are written.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, command, tintype, wanted};
use crate::support::{needs_programs, only_if, trial};
use libtest_mimic::Failed;
use std::fmt::Write;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tintype_model::frame::Frame;
use tintype_output::{PngEffort, encode_png};

type Outcome = Result<(), Failed>;

const SCENE: &str = "[output]\nsize = [64, 48]\nframes = \"0-39\"\n[[material]]\nname = \"crate\"\n[[model]]\nfile = \"box.md5mesh\"\n";

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("box.md5mesh"), BOX).unwrap();
    fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    folder
}

/// A mesh of 22 MB whose vertices take fifty times as much while they are read.
fn hungry() -> String {
    const VERTICES: usize = 2_000_000;
    let mut text = format!("xof 0303txt 0032\nMesh m {{\n{VERTICES};\n");
    for vertex in 0..VERTICES {
        let end = if vertex + 1 < VERTICES { "," } else { ";" };
        writeln!(text, "{};{};{};{end}", vertex % 97, vertex % 89, vertex % 83).unwrap();
    }
    text + "1;\n3;0,1,2;;\n}\n"
}

/// Runs a command with this number of KiB of address space.
fn within(kib: u32, folder: &Path, arguments: &[&str]) -> Output {
    let program = command(folder, &[]).get_program().to_owned();
    let line = format!("ulimit -v {kib}; exec \"$@\"");
    let mut shell = Command::new("sh");
    shell.current_dir(folder).args(["-c", &line, "sh"]).arg(program).arg("--no-config");
    shell.args(arguments).env("RUST_BACKTRACE", "1").output().unwrap()
}

/// No words of a program that fell over.
fn ends_in_words(output: &Output) -> Outcome {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let fell = ["panicked", "backtrace", "memory allocation of", "core dumped"];
    match fell.iter().any(|word| text.contains(word)) || output.status.code().is_none() {
        true => Err(format!("{:?}: {text}", output.status).into()),
        false => Ok(()),
    }
}

#[trial(only_if(cfg!(target_os = "linux")))]
fn out_of_memory_ends_in_words() -> Outcome {
    let folder = folder();
    fs::write(folder.path().join("hungry.x"), hungry())?;
    let output = within(
        400_000,
        folder.path(),
        &["-j", "2", "turntable", "hungry.x", "-n", "1", "--size", "16"],
    );
    ends_in_words(&output)?;
    wanted(&output, 75, "error: out of memory: ")?;
    wanted(&output, 75, "out of memory: cannot allocate ")
}

#[trial(only_if(cfg!(target_os = "linux")))]
fn batches_name_the_model_that_takes_all_memory() -> Outcome {
    let folder = folder();
    let models = folder.path().join("m");
    fs::create_dir(&models)?;
    for name in ["a.md5mesh", "b.md5mesh"] {
        fs::write(models.join(name), BOX)?;
    }
    fs::write(models.join("hungry.x"), hungry())?;
    let thumbnails =
        ["-j", "1", "thumbnail", "m", "-o", "t", "-s", "16", "--max-memory", "64G", "--overwrite"];
    let output = within(400_000, folder.path(), &thumbnails);
    ends_in_words(&output)?;
    wanted(&output, 75, "error: out of memory while drawing hungry.x: ")?;
    let mut names: Vec<String> = fs::read_dir(folder.path().join("t"))?
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".png"))
        .collect();
    names.sort();
    assert_eq!(names, ["a.md5mesh.png", "b.md5mesh.png"], "those before it are kept");

    let turn = ["-j", "1", "turntable", "m", "-n", "2", "--size", "16", "-o", "u"];
    let output = within(400_000, folder.path(), &turn);
    ends_in_words(&output)?;
    wanted(&output, 75, "error: out of memory while drawing hungry.x: ")
}

#[trial(only_if(cfg!(target_os = "linux")))]
fn pictures_to_compare_are_refused_by_their_headers() -> Outcome {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::File::create(path("vast.png"))?.set_len(100 << 30)?;
    let small = encode_png(&Frame::new(8, 8), true, PngEffort::Fast, &[]);
    fs::write(path("small.png"), &small)?;
    let long = tintype(folder.path(), &["diff", "vast.png", "small.png"]);
    wanted(&long, 2, "it has 107374182400 bytes; the limit is 536870912; raise the limit `bytes`")?;
    // A header of 16384 x 16384 pixels, without pixels after it.
    let mut wide = small.clone();
    for at in [16, 20] {
        wide[at..at + 4].copy_from_slice(&16_384_u32.to_be_bytes());
    }
    let sum = crc(&wide[12..29]);
    wide[29..33].copy_from_slice(&sum.to_be_bytes());
    fs::write(path("wide.png"), wide)?;
    let output = within(1_000_000, folder.path(), &["-j", "1", "diff", "wide.png", "small.png"]);
    wanted(&output, 2, "comparing pictures of 16384x16384 needs about 10.0 GiB, but only ")?;

    // Files of unknown kinds in folders are not compared, however long; those that are compared are
    // bounded.
    for side in ["a", "b"] {
        fs::create_dir(path(side))?;
        fs::write(path(side).join("small.png"), &small)?;
        fs::File::create(path(side).join("film.mkv"))?.set_len(100 << 30)?;
    }
    wanted(
        &tintype(folder.path(), &["diff", "a", "b"]),
        0,
        "1 file of unsupported types not compared",
    )?;
    fs::File::create(path("a").join("vast.tga"))?.set_len(100 << 30)?;
    wanted(&tintype(folder.path(), &["diff", "a", "b"]), 2, "raise the limit `bytes`")
}

/// The check sum of PNG chunks.
fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(sum & 1))
        })
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[trial(only_if(cfg!(target_os = "linux")))]
fn frames_that_vanish_while_others_are_drawn_are_told() -> Outcome {
    let folder = folder();
    let first = folder.path().join("f/0000.png");
    let mut child = command(
        folder.path(),
        &["render", "scene.toml", "-o", "f/####.png", "--size", "160x120", "-j", "1"],
    )
    .stderr(Stdio::piped())
    .spawn()?;
    let started = Instant::now();
    while !first.exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "no frame");
        std::thread::sleep(Duration::from_millis(1));
    }
    fs::remove_file(&first)?;
    assert!(child.try_wait()?.is_none(), "other frames are still drawn");
    let output = child.wait_with_output()?;
    wanted(&output, 75, "1 frame disappeared: 0; another program removed files")?;
    let again = ["render", "scene.toml", "-o", "f/####.png", "--size", "160x120"];
    wanted(&tintype(folder.path(), &again), 0, "1 frame in")
}

/// A folder in place of a frame cannot be read: the others are still listed.
#[trial(only_if(cfg!(target_os = "linux")))]
fn verify_lists_all_when_a_file_cannot_be_read() -> Outcome {
    let folder = folder();
    wanted(
        &tintype(folder.path(), &["render", "scene.toml", "-f", "0-5", "-o", "f/####.png"]),
        0,
        "6 frames",
    )?;
    fs::remove_file(folder.path().join("f/0001.png"))?;
    fs::create_dir(folder.path().join("f/0001.png"))?;
    fs::remove_file(folder.path().join("f/0004.png"))?;
    let output = tintype(folder.path(), &["verify", "scene.toml", "-f", "0-5", "-o", "f/####.png"]);
    wanted(&output, 1, "f/0001.png: it cannot be read: ")?;
    wanted(&output, 1, "f/0004.png: missing")?;
    wanted(&output, 1, "2 frames of 6 need rendering: 1,4")
}

#[trial(only_if(cfg!(target_os = "linux")))]
fn models_of_one_name_do_not_share_a_folder() -> Outcome {
    let folder = folder();
    let mesh = "xof 0303txt 0032\nMesh m { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; }\n";
    fs::write(folder.path().join("box.x"), mesh)?;
    for model in ["box.x", "box.md5mesh"] {
        let output = tintype(folder.path(), &["turntable", model, "-n", "2", "--size", "16"]);
        wanted(&output, 0, &format!("out/{model}/0000.png to 0001.png"))?;
    }
    wanted(
        &tintype(folder.path(), &["turntable", "box.x", "-n", "2", "--size", "16"]),
        0,
        "up to date",
    )
}

/// Kinds of calls to the system, and the error that each is given once.
const FAULTS: [(&str, &str); 5] = [
    ("write", "ENOSPC"),
    ("fsync,fdatasync", "EIO"),
    ("rename,renameat,renameat2", "EIO"),
    ("read,pread64", "EIO"),
    ("mmap", "ENOMEM"),
];
/// Number of calls of each kind that are made to fail, each in a separate run.
const MAX_CALLS: usize = 40;

/// Runs a command whose `n`-th call of a kind in any thread fails. None if there are fewer. Calls
/// of the loader are not counted.
fn failing(
    folder: &Path,
    fault: (&str, &str),
    n: usize,
    arguments: &[&str],
) -> Result<Option<Output>, Failed> {
    let (calls, error) = fault;
    let log = folder.join("strace.log");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o"]).arg(&log).args(["-e", &format!("trace={calls}")]);
    strace.args(["-e", &format!("inject={calls}:error={error}:when={n}")]);
    let program = command(folder, &[]).get_program().to_owned();
    strace.arg(program).args(["--no-config", "-j", "1"]).args(arguments).current_dir(folder);
    let output = strace.env("NO_COLOR", "1").env_remove("CI").stdin(Stdio::null()).output()?;
    let log = fs::read_to_string(&log)?;
    Ok(log.contains("(INJECTED)").then_some(output))
}

/// Number of calls of a kind before the program itself begins, and in it until it has read its
/// arguments.
fn calls_of_the_loader(folder: &Path, calls: &str) -> Result<usize, Failed> {
    let log = folder.join("strace.log");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o"]).arg(&log).args(["-e", &format!("trace={calls}")]);
    let program = command(folder, &[]).get_program().to_owned();
    strace.arg(program).arg("--version").current_dir(folder).output()?;
    Ok(fs::read_to_string(&log)?.lines().filter(|line| line.contains('(')).count())
}

/// A command that is run with faults.
struct Faulted {
    arguments: &'static [&'static str],
    /// Files and folders that it makes; they are removed before each run.
    makes: &'static [&'static str],
    /// Number of files in them after a run that ended well.
    files: usize,
    /// Files that it reads, made once.
    before: &'static [&'static str],
    /// True if each run uses new file names, so that those of a failed run stay beside them.
    is_named_anew: bool,
}

/// Pictures, goldens, records, reports, meshes, submissions.
const FAULTED: [Faulted; 9] = [
    Faulted {
        arguments: &["render", "scene.toml", "-o", "f/##.png"],
        makes: &["f"],
        files: 2,
        before: &[],
        is_named_anew: false,
    },
    Faulted {
        arguments: &["thumbnail", "box.md5mesh", "-o", "t", "-s", "8"],
        makes: &["t"],
        files: 1,
        before: &[],
        is_named_anew: false,
    },
    Faulted {
        arguments: &["turntable", "box.md5mesh", "-n", "2", "--size", "8", "-o", "u"],
        makes: &["u"],
        files: 2,
        before: &[],
        is_named_anew: false,
    },
    Faulted {
        arguments: &["bless", "--all", "--scenes", "a/scenes"],
        makes: &["a/golden"],
        files: 6,
        before: &[],
        is_named_anew: false,
    },
    Faulted {
        arguments: &["test", "b/scenes", "--report", "r", "--json", "r.json", "--junit", "r.xml"],
        makes: &["r", "r.json", "r.xml"],
        // The page, its mark, two pictures, JSON and JUnit.
        files: 6,
        before: &["bless", "--all", "--scenes", "b/scenes"],
        is_named_anew: false,
    },
    Faulted {
        arguments: &["diff", "g", "g", "--report", "d", "--junit", "d.xml"],
        makes: &["d", "d.xml"],
        // The page, its mark and JUnit.
        files: 3,
        before: &["render", "scene.toml", "-o", "g/##.png"],
        is_named_anew: false,
    },
    Faulted {
        arguments: &["pose", "box.md5mesh", "-o", "p.obj"],
        makes: &["p.obj"],
        files: 1,
        before: &[],
        is_named_anew: false,
    },
    Faulted {
        arguments: &["farm", "submit", "scene.toml", "-o", "s/##.png", "--dry-run"],
        makes: &["s"],
        // The submission, its script, the scripts of the preflight check and of the verification,
        // and the digests of the inputs.
        files: 5,
        before: &[],
        is_named_anew: true,
    },
    Faulted {
        arguments: &["farm", "status", "e", "--report", "page.html"],
        makes: &["page.html"],
        files: 1,
        before: &["render", "scene.toml", "-o", "e/##.png", "--record"],
        is_named_anew: false,
    },
];

/// The files at a path and below, hidden ones too.
fn files_at(path: &Path) -> Vec<PathBuf> {
    match fs::read_dir(path) {
        Ok(entries) => entries.flat_map(|entry| files_at(&entry.unwrap().path())).collect(),
        Err(_) if path.is_file() => vec![path.to_owned()],
        Err(_) => Vec::new(),
    }
}

/// True if a file is complete, by its kind.
fn is_whole(path: &Path) -> bool {
    let bytes = fs::read(path).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    match path.extension().and_then(|own| own.to_str()) {
        _ if name == ".tintype-report" => true,
        _ if name.starts_with('.') => false,
        Some("png") => tintype_output::decode_png(&bytes).is_ok(),
        Some("toml") => toml::from_str::<toml::Table>(&text).is_ok_and(|table| !table.is_empty()),
        Some("json") => serde_json::from_slice::<serde_json::Value>(&bytes).is_ok(),
        Some("sbatch") => {
            text.trim_end().lines().last().is_some_and(|last| last.starts_with("exit"))
        }
        Some("inputs") => {
            let is_json = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok();
            text.ends_with('\n') && text.lines().all(is_json)
        }
        Some("xml") => text.trim_end().ends_with("</testsuites>"),
        Some("html") => text.trim_end().ends_with("</html>"),
        Some("obj") => {
            text.ends_with('\n') && text.lines().last().is_some_and(|last| last.starts_with("f "))
        }
        // Pixels of a frame that failed.
        Some("js") => text.ends_with(");\n"),
        _ => false,
    }
}

/// Every write, sync, rename, read and mapping of memory fails once. Most of the time is spent
/// waiting for the disk, so commands run side by side.
#[trial(needs_programs(&["strace"]))]
fn everything_fails_once() -> Outcome {
    let counts: Result<Vec<usize>, Failed> = thread::scope(|scope| {
        let threads: Vec<_> =
            FAULTED.chunks(3).map(|cases| scope.spawn(|| calls_fail_once(cases))).collect();
        let ended = threads.into_iter().map(|thread| thread.join());
        ended.map(|ended| ended.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    let all: usize = counts?.iter().sum();
    assert!(all > 100, "{all} faults");
    Ok(())
}

/// Lets each call of these commands fail once: the command ends with a documented code, leaves no
/// half-written file, and the next run completes. Returns the number of faults.
fn calls_fail_once(cases: &[Faulted]) -> Result<usize, Failed> {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("scene.toml"), SCENE.replace("[64, 48]", "[8, 8]").replace("0-39", "0-1"))?;
    for scenes in ["a/scenes", "b/scenes"] {
        fs::create_dir_all(path(scenes))?;
        fs::write(path(scenes).join("box.md5mesh"), BOX)?;
        let scene = fs::read_to_string(path("scene.toml"))? + "[golden]\nframes = \"0-1\"\n";
        fs::write(path(scenes).join("scene.toml"), scene)?;
    }
    let mut all = 0;
    for case in cases {
        let Faulted { arguments, makes, files, before, is_named_anew } = *case;
        if !before.is_empty() {
            wanted(&tintype(folder.path(), before), 0, "")?;
        }
        let made =
            || -> Vec<PathBuf> { makes.iter().flat_map(|name| files_at(&path(name))).collect() };
        let mut runs = 0;
        for fault in FAULTS {
            let loader = match fault.0 {
                "mmap" | "read,pread64" => calls_of_the_loader(folder.path(), fault.0)?,
                _ => 0,
            };
            for n in loader + 1..loader + 1 + MAX_CALLS {
                for name in makes {
                    let _ = fs::remove_dir_all(path(name)).or_else(|_| fs::remove_file(path(name)));
                }
                let Some(output) = failing(folder.path(), fault, n, arguments)? else { break };
                runs += 1;
                let told = format!("{arguments:?} {fault:?} {n}: {output:?}");
                ends_in_words(&output).map_err(|_| told.clone())?;
                let code = output.status.code().unwrap_or(-1);
                assert!([0, 1, 2, 3, 75].contains(&code), "{told}");
                let found = made();
                let torn = found.iter().find(|file| !is_whole(file));
                assert!(torn.is_none(), "{told}: {torn:?}");
                assert!(code != 0 || found.len() == files, "{told}: {found:?}");
                wanted(&tintype(folder.path(), arguments), 0, "").map_err(|_| told)?;
                let found = made();
                let is_all = found.len() == files || (is_named_anew && found.len() > files);
                assert!(is_all, "{arguments:?}: {found:?}");
            }
        }
        // A kind of call that never occurs would make this test meaningless.
        assert!(runs > 15, "{arguments:?}: {runs} faults");
        all += runs;
    }
    Ok(all)
}

/// The served page waits if the system has no file handle left for another connection, without
/// polling in a busy loop.
#[trial(only_if(cfg!(target_os = "linux")))]
fn served_page_waits_for_files() -> Outcome {
    const FILES: usize = 24;
    let folder = folder();
    let scene = "[output]\nsize = [16, 12]\nframes = \"0\"\n[[model]]\nfile = \"box.md5mesh\"\n[golden]\nframes = \"0\"\n";
    fs::write(folder.path().join("box.md5mesh"), BOX)?;
    fs::create_dir(folder.path().join("served"))?;
    fs::write(folder.path().join("served/a.toml"), scene.replace("box", "../box"))?;
    let program = command(folder.path(), &["test", "served", "--serve"]);
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit -n {FILES}; exec \"$@\""), "sh"]);
    limited.arg(program.get_program()).args(program.get_args()).current_dir(folder.path());
    limited.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    limited.env_remove("CI").env_remove("GITHUB_ACTIONS");
    let mut child = limited.stderr(Stdio::piped()).stdout(Stdio::null()).spawn()?;
    let stderr = BufReader::new(child.stderr.take().ok_or("no messages")?);
    let mut lines = stderr.lines().map_while(Result::ok);
    let address = lines.find_map(|line| Some(line.split_once("http://")?.1.to_owned()));
    let host = address.as_deref().and_then(|address| address.split('/').next());
    let held: Vec<_> = (0..2 * FILES).map_while(|_| TcpStream::connect(host?).ok()).collect();
    // Hundredths of a second of user and system time, fields 14 and 15.
    let used = || -> Option<u64> {
        let text = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
        let words: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
        Some(words.get(11)?.parse::<u64>().ok()? + words.get(12)?.parse::<u64>().ok()?)
    };
    std::thread::sleep(Duration::from_millis(500));
    let before = used();
    std::thread::sleep(Duration::from_secs(2));
    let after = used();
    child.kill()?;
    child.wait()?;
    let spent = after.zip(before).map(|(after, before)| after - before);
    assert!(held.len() > FILES && spent.is_some_and(|spent| spent < 20), "{spent:?}");
    Ok(())
}
