//! Tells the program whether its version says what it does: sources that differ from their commit make a build of their own.
//!
//! A build outside of a checkout (a crate, a tarball, a folder without git) counts as the release that its version names. Asked again
//! whenever a source changes; a build that was made before a commit stays one of its own, which draws too much
//! and never too little.
//!
//! `TINTYPE_ONE_LEVEL=1` compiles kernels for one level of vector instructions (AVX2 or NEON) in place of all, for builds while
//! one works on the source: they then take a third of the time.

use std::process::Command;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(one_level)");
    println!("cargo::rerun-if-env-changed=TINTYPE_ONE_LEVEL");
    let is = |name: &str, value: &str| std::env::var_os(name).is_some_and(|found| found == value);
    if is("TINTYPE_ONE_LEVEL", "1") {
        println!("cargo::rustc-cfg=one_level");
    }
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
    // A variable, not a configuration: one function depends on it, so that a commit does not rebuild the rest.
    let is_uncommitted = is_ours && changed.is_some_and(|changed| !changed.is_empty());
    println!("cargo::rustc-env=TINTYPE_UNCOMMITTED={}", u8::from(is_uncommitted));
}
