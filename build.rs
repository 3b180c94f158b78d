//! Tells the program whether its version says what it does: sources that differ from their commit make a build of their own.
//!
//! A build outside of a checkout (a crate, a tarball, a folder without git) counts as the release that its version names. Asked again
//! whenever a source changes; a build that was made before a commit stays one of its own, which draws too much
//! and never too little.

use std::process::Command;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(uncommitted)");
    for path in ["src", "Cargo.toml", "Cargo.lock", "build.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").arg("--no-optional-locks").args(arguments).output().ok()?;
        output.status.success().then_some(output.stdout)
    };
    // Another project's checkout may lie around an unpacked crate.
    let is_ours = git(&["ls-files", "--error-unmatch", "src/lib.rs"]).is_some();
    let changed =
        git(&["status", "--porcelain", "--", "src", "Cargo.toml", "Cargo.lock", "build.rs"]);
    if is_ours && changed.is_some_and(|changed| !changed.is_empty()) {
        println!("cargo::rustc-cfg=uncommitted");
    }
}
