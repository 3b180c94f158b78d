//! Wrong clocks: a preloaded library makes the program's clock differ from the disk's.

use super::{RENDER, files, folder};
use crate::support::command::{command, tintype, wanted};
use crate::support::{only_if, trial};
use libtest_mimic::Failed;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// Every time of day is some seconds later.
const LIBRARY: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    const char *ahead = getenv("CLOCK_AHEAD_S");
    if (clock == CLOCK_REALTIME && ahead) now->tv_sec += atol(ahead);
    return result;
}
"#;

/// The library, built by the compiler that links Rust's programs too.
fn library(folder: &Path) -> Result<PathBuf, Failed> {
    let (source, library) = (folder.join("clock.c"), folder.join("clock.so"));
    fs::write(&source, LIBRARY)?;
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl");
    if compiler.status()?.success() { Ok(library) } else { Err("cc".into()) }
}

const AHEAD_S: f64 = 7200.0;

fn now_s() -> f64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs_f64()
}

#[trial(only_if(cfg!(target_os = "linux")))]
fn clock_of_a_node_may_be_off() -> Result<(), Failed> {
    let here = folder();
    let library = library(here.path())?;
    for (node, ahead_s) in [("fast", AHEAD_S), ("slow", -AHEAD_S), ("right", 0.0)] {
        let options = [RENDER, &["--record", "--overwrite"]].concat();
        let mut off = command(here.path(), &options);
        off.env("LD_PRELOAD", &library).env("CLOCK_AHEAD_S", format!("{ahead_s:.0}"));
        off.env("SLURMD_NODENAME", node);
        wanted(&off.output()?, 0, "12 frames in")?;
    }
    // In order of arrival, by the disk's clock, which is that of this machine.
    let records = files(&here.path().join("f/.tintype/tasks"));
    let mut nodes = Vec::new();
    for (name, text) in &records {
        let text = String::from_utf8(text.clone())?;
        let lines: Vec<serde_json::Value> =
            text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        for line in &lines {
            let at = line["at"].as_f64().ok_or("no time")?;
            assert!((now_s() - at).abs() < 600.0, "{name}: {line}");
        }
        let found = lines[0]["clock_ahead_s"].as_f64();
        nodes.push((lines[0]["node"].as_str().unwrap_or_default().to_owned(), found));
    }
    let names: Vec<&str> = nodes.iter().map(|(node, _)| node.as_str()).collect();
    assert_eq!(names, ["fast", "slow", "right"]);
    let off: Vec<Option<f64>> = nodes.iter().map(|(_, ahead)| *ahead).collect();
    assert!(off[0].is_some_and(|ahead| (ahead - AHEAD_S).abs() < 5.0), "{off:?}");
    assert!(off[1].is_some_and(|ahead| (ahead + AHEAD_S).abs() < 5.0), "{off:?}");
    assert_eq!(off[2], None);
    Ok(())
}

/// Recent files of another machine are kept, however late a clock is; old ones are removed, however
/// early it is.
#[trial(only_if(cfg!(target_os = "linux")))]
fn clock_of_a_node_removes_no_living_file() -> Result<(), Failed> {
    let here = folder();
    let library = library(here.path())?;
    wanted(&tintype(here.path(), RENDER), 0, "12 frames in")?;
    let frames = here.path().join("f");
    let (young, old) = (".0001.png.other-1.77.aaaa.partial", ".0002.png.other-1.78.bbbb.partial");
    for (ahead_s, stays) in [(AHEAD_S, true), (-AHEAD_S, true)] {
        fs::write(frames.join(young), b"half")?;
        fs::write(frames.join(old), b"half")?;
        let file = fs::File::options().write(true).open(frames.join(old))?;
        file.set_modified(SystemTime::now() - std::time::Duration::from_secs(3700))?;
        let mut off = command(here.path(), RENDER);
        off.env("LD_PRELOAD", &library).env("CLOCK_AHEAD_S", format!("{ahead_s:.0}"));
        wanted(&off.output()?, 0, "12 frames are up to date")?;
        assert_eq!(frames.join(young).exists(), stays, "{ahead_s}");
        assert!(!frames.join(old).exists(), "{ahead_s}");
    }
    Ok(())
}
