//! Records whether the sources differ from their commit; such a build has a separate identity.
//!
//! A build outside a checkout (a crate, a tarball, a folder without git) counts as the release
//! named by its version. The check runs again whenever a source changes. A build made before a
//! commit stays a build with a separate identity, so it may redraw too much, but never too little.

use std::path::Path;
use std::process::Command;

/// Files that make the program.
const SOURCES: [&str; 4] = ["../../src", "../../crates", "../../Cargo.toml", "../../Cargo.lock"];

fn main() {
    // A published crate has no other crates beside it.
    for path in SOURCES.iter().filter(|path| Path::new(path).exists()) {
        println!("cargo::rerun-if-changed={path}");
    }
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").arg("--no-optional-locks").args(arguments).output().ok()?;
        output.status.success().then_some(output.stdout)
    };
    // An unpacked crate may lie within another project's checkout.
    let is_ours = git(&["ls-files", "--error-unmatch", "../../src/lib.rs"]).is_some();
    let changed = git(&[&["status", "--porcelain", "--"][..], &SOURCES].concat());
    // A variable, not a configuration: one function depends on it, so that a commit does not
    // rebuild the rest.
    let is_uncommitted = is_ours && changed.is_some_and(|changed| !changed.is_empty());
    println!("cargo::rustc-env=TINTYPE_UNCOMMITTED={}", u8::from(is_uncommitted));
    // The commit; empty if the version identifies the sources as well.
    let release = concat!("v", env!("CARGO_PKG_VERSION"));
    let is_release =
        git(&["tag", "--points-at", "HEAD", "--list", release]).is_none_or(|tag| !tag.is_empty());
    let commit = git(&["rev-parse", "HEAD"]).filter(|_| is_ours && !is_uncommitted && !is_release);
    let commit = commit.map(|commit| String::from_utf8_lossy(&commit).trim().to_owned());
    println!("cargo::rustc-env=TINTYPE_REVISION={}", commit.unwrap_or_default());
}
