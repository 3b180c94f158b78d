//! 3DS, Blitz3D, STL and PLY files as goldens, in comparisons, and with sizes that lie.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::goldens::{Outcome, run, write};
use crate::support::command::tintype;
use crate::support::trial;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A file with the last equal run of bytes replaced by another.
fn edited(file: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = file.windows(from.len()).rposition(|run| run == from).unwrap();
    [&file[..at], to, &file[at + from.len()..]].concat()
}

fn seed(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("WORKSPACE_ROOT")).join("tests/fuzz/seeds").join(name)).unwrap()
}

/// A file, an edit of it, and the message about it.
struct Case {
    file: &'static str,
    from: &'static [u8],
    to: &'static [u8],
    says: &'static str,
}

const CASES: [Case; 4] = [
    Case { file: "imp.stl", from: b"vertex 1 0 0", to: b"vertex 2 0 0", says: "left foot" },
    Case { file: "imp.ply", from: b"\n2 2 0 0 0 1", to: b"\n2 3 0 0 0 1", says: "mesh" },
    // The second vertex, and the position of the last key.
    Case {
        file: "imp.3ds",
        from: b"\x10\x41\x38\0\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x40",
        to: b"\x10\x41\x38\0\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x40\x40",
        says: "mesh",
    },
    Case {
        file: "imp.b3d",
        from: &[3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0xf3],
        to: &[3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x08, 0x40, 0, 0, 0, 0, 0xf3],
        says: "arm.2",
    },
];

#[trial]
fn edits_of_meshes_are_named_first() -> Outcome {
    let folder = TempDir::new()?;
    let path = folder.path();
    for Case { file, .. } in CASES {
        let scene = format!(
            "[output]\nframes = \"0-3\"\nfps = 60\n[camera]\nazimuth_deg = 30\nelevation_deg = 40\n[[model]]\nfile = \"{file}\"\n\
             [golden]\nframes = \"2\"\nsize = [48, 36]\n"
        );
        write(path, &format!("scenes/{}.toml", file.replace('.', "_")), &scene);
        fs::write(path.join("scenes").join(file), seed(file))?;
    }
    run(path, &["bless", "--all", "--allow-warnings"], 0, "4 goldens written")?;
    for Case { file, from, to, says } in CASES {
        let own = path.join("scenes").join(file);
        fs::create_dir_all(path.join("new"))?;
        let new = edited(&seed(file), from, to);
        fs::write(path.join("new").join(file), &new)?;
        fs::write(&own, new)?;
        let said = run(path, &["test"], 1, says)?;
        let first = said.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
        assert!(first.contains(says), "{file}: {said}");
        fs::write(&own, seed(file))?;
        let [old, new] = ["scenes", "new"].map(|side| format!("{side}/{file}"));
        run(path, &["diff", &old, &old], 0, "the same")?;
        let said = run(path, &["diff", &old, &new], 1, says)?;
        let first = said.lines().find(|line| !line.starts_with("warning")).unwrap_or_default();
        assert!(first.contains(says), "{file}: {said}");
    }
    Ok(())
}

#[trial]
fn sizes_that_lie_are_refused_or_told() -> Outcome {
    let folder = TempDir::new()?;
    let path = folder.path();
    let all = [0xff; 4];
    let mut facets = seed("imp_binary.stl");
    facets[80..84].copy_from_slice(&all);
    let lies = [
        ("stl", facets),
        ("ply", edited(&seed("imp.ply"), b"vertex 5", b"vertex 4294967295")),
        ("ply", edited(&seed("imp.ply"), b"face 2", b"face 4294967295")),
        ("ply", edited(&seed("imp.ply"), b"\n4 0 1 2 3", b"\n4294967295 0 1 2 3")),
        (
            "3ds",
            edited(&seed("imp.3ds"), b"\x10\x41\x38\0\0\0\x04\0", b"\x10\x41\x38\0\0\0\xff\xff"),
        ),
        (
            "3ds",
            edited(
                &seed("imp.3ds"),
                b"\x20\x41\x5d\0\0\0\x03\0",
                b"\x20\x41\xff\xff\xff\xff\xff\xff",
            ),
        ),
        (
            "b3d",
            edited(
                &seed("imp.b3d"),
                b"VRTS\xec\0\0\0\x03\0\0\0\x02",
                b"VRTS\xff\xff\xff\x7f\x03\0\0\0\xff",
            ),
        ),
        (
            "b3d",
            edited(
                &seed("imp.b3d"),
                b"ANIM\x0c\0\0\0\0\0\0\0\x03\0\0\0",
                b"ANIM\x0c\0\0\0\0\0\0\0\xff\xff\xff\xff",
            ),
        ),
    ];
    for (number, (extension, bytes)) in lies.into_iter().enumerate() {
        let name = format!("{number}.{extension}");
        fs::write(path.join(&name), bytes)?;
        let output = tintype(path, &["inspect", &name]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned()
            + &String::from_utf8_lossy(&output.stdout);
        let is_told = output.status.code() == Some(2) || text.contains("warning");
        assert!(is_told && !text.contains("panicked"), "{name}: {text}");
    }
    Ok(())
}
