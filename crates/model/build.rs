//! `TINTYPE_ONE_LEVEL=1` compiles kernels for one level of vector instructions (AVX2 or NEON) in place of all, for builds while
//! one works on the source: they then take a third of the time.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(one_level)");
    println!("cargo::rerun-if-env-changed=TINTYPE_ONE_LEVEL");
    if std::env::var_os("TINTYPE_ONE_LEVEL").is_some_and(|found| found == "1") {
        println!("cargo::rustc-cfg=one_level");
    }
}
