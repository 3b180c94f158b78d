//! `TINTYPE_ONE_LEVEL=1` compiles kernels for one level of vector instructions (AVX2 or NEON)
//! instead of all, for builds during development: they take a third of the time.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(one_level)");
    println!("cargo::rerun-if-env-changed=TINTYPE_ONE_LEVEL");
    if std::env::var_os("TINTYPE_ONE_LEVEL").is_some_and(|found| found == "1") {
        println!("cargo::rustc-cfg=one_level");
    }
}
