//! Tests the goldens of a folder of scenes, accepts what fails for a cause that is named, and
//! writes the page: `cargo run --release --example golden -- [CAUSE]`.

#![expect(clippy::print_stderr, reason = "examples report on the terminal")]

use tintype::{Error, GoldenSet};

fn main() -> Result<(), Error> {
    let asked = std::env::args().nth(1);
    let run = GoldenSet::open(&["scenes"], None)?.test();
    for group in run.groups() {
        eprintln!("{} fail: {}", group.goldens.len(), group.cause);
        if asked.as_ref().is_some_and(|text| group.cause.contains(text)) {
            run.accept(&group)?.iter().for_each(|path| eprintln!("accepted {}", path.display()));
        }
    }
    run.write_report("out/report")?;
    eprintln!("{}", if run.passed() { "passed" } else { "failed" });
    Ok(())
}
