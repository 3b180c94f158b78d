//! Thumbnails for file managers: the entry is started as by a file manager, in an empty
//! environment.

use super::files::{CUBE_X, Outcome};
use crate::support::{needs, needs_programs, only_if, program, trial};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use tintype_output::decode_png;

const ENTRY: &str = include_str!("../../../crates/cli/src/thumbnail/desktop/tintype.thumbnailer");
const KINDS: &str = include_str!("../../../crates/cli/src/thumbnail/desktop/tintype.xml");

/// Maximum address space in KiB, as in a sandbox on a small machine.
const MAX_KIB: u32 = 200_000;

/// The words of the entry's command for a file, with the program that was built.
fn command_line(model: &Path, output: &Path, size: u32) -> Vec<String> {
    let line = ENTRY.lines().find_map(|line| line.strip_prefix("Exec=")).unwrap();
    let mut words: Vec<String> = line
        .split_whitespace()
        .map(|word| match word {
            "%i" => model.display().to_string(),
            "%o" => output.display().to_string(),
            "%s" => size.to_string(),
            other => other.to_owned(),
        })
        .collect();
    assert_eq!(words[0], "tintype");
    words[0] = env!("CARGO_BIN_EXE_tintype").to_owned();
    words
}

/// A model of some size, and an existing output file with an unusual name.
fn folder() -> (TempDir, PathBuf, PathBuf) {
    let folder = TempDir::new().unwrap();
    let model = folder.path().join("a cube's file.x");
    fs::write(&model, CUBE_X).unwrap();
    let output = folder.path().join("tumbler-8FJ2.tmp");
    fs::write(&output, b"").unwrap();
    (folder, model, output)
}

#[trial(needs(cfg!(unix) && Path::new("/bin/sh").exists(), "no /bin/sh"))]
fn desktop_entry_runs_with_an_empty_environment() -> Outcome {
    for size in [128, 256, 512, 1024] {
        let (folder, model, output) = folder();
        let mut held = fs::File::open(&output)?;
        let words = command_line(&model, &output, size);
        let script = format!("ulimit -v {MAX_KIB} && exec \"$@\"");
        let done = Command::new("/bin/sh")
            .args(["-c", &script, "sh"])
            .args(&words)
            .env_clear()
            .current_dir("/")
            .output()?;
        let said = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
        assert!(done.status.success() && said.is_empty(), "{:?} {said}", done.status);
        // Some made the file, and read what was written into that one: not another one of its name.
        let mut bytes = Vec::new();
        held.read_to_end(&mut bytes)?;
        assert!(!bytes.is_empty() && bytes == fs::read(&output)?, "the file that was there");
        let (frame, _) = decode_png(&bytes)?;
        assert_eq!([frame.width, frame.height], [size, size]);
        assert_eq!(frame.pixel(0, 0)[3], 0, "transparent");
        assert_eq!(fs::read_dir(folder.path())?.count(), 2, "nothing else is written");
    }
    Ok(())
}

/// GNOME's sandbox contains only the model: textures are missing, and no warning is shown.
#[trial]
fn desktop_entry_draws_a_model_without_its_textures_grey() -> Outcome {
    let folder = TempDir::new()?;
    let model = folder.path().join("alone.md5mesh");
    fs::copy("scenes/assets/ranger.md5mesh", &model)?;
    let is_magenta = |pixel: &[u8; 4]| {
        let [r, g, b, _] = pixel.map(u32::from);
        r > g + 40 && b > g + 40
    };
    // Without any texture a thumbnail is grey elsewhere too; only its warnings differ.
    for (is_desktop, expected) in [(true, false), (false, false)] {
        let output = folder.path().join("picture.png");
        let mut words = command_line(&model, &output, 128);
        words.retain(|word| is_desktop || word != "--desktop");
        let done = Command::new(&words[0]).args(&words[1..]).arg("--overwrite").output()?;
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let (frame, _) = decode_png(&fs::read(&output)?)?;
        assert_eq!(frame.rgba.iter().any(is_magenta), expected, "desktop: {is_desktop}");
    }
    Ok(())
}

/// Without /home, in separate namespaces, without network; the file systems are read-only except
/// for one folder.
#[trial(only_if(can_unshare()))]
fn desktop_entry_runs_without_home() -> Outcome {
    let (_folder, model, output) = folder();
    let words = command_line(&model, &output, 256);
    let script = "mount -t tmpfs none /home && mount -t tmpfs none /root && \
                  test -z \"$(ls -A /home /root | grep -v :)\" && exec \"$@\"";
    // The program itself may lie below one of these.
    let place = TempDir::new()?;
    let copy = place.path().join("tintype");
    fs::copy(&words[0], &copy)?;
    let done = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "--net", "/bin/sh", "-c", script, "sh"])
        .arg(&copy)
        .args(&words[1..])
        .env_clear()
        .env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin")
        .current_dir("/")
        .output()?;
    let said = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
    assert!(done.status.success() && said.is_empty(), "{:?} {said}", done.status);
    let (frame, _) = decode_png(&fs::read(&output)?)?;
    assert_eq!([frame.width, frame.height], [256, 256]);
    Ok(())
}

/// True if namespaces can be created here.
fn can_unshare() -> bool {
    let words =
        ["--user", "--map-root-user", "--mount", "--net", "mount", "-t", "tmpfs", "none", "/home"];
    program("unshare").is_some()
        && Command::new("unshare").args(words).output().is_ok_and(|done| done.status.success())
}

#[trial]
fn desktop_files_are_those_of_the_repository() -> Outcome {
    let folder = TempDir::new()?;
    let done = crate::support::command::tintype(
        folder.path(),
        &["thumbnail", "--install-desktop", "share"],
    );
    crate::support::command::wanted(&done, 0, "now run `update-mime-database share/mime`")?;
    let read = |name: &str| fs::read_to_string(folder.path().join("share").join(name));
    assert_eq!(read("thumbnailers/tintype.thumbnailer")?, ENTRY);
    assert_eq!(read("mime/packages/tintype.xml")?, KINDS);
    // Every kind of the entry is defined.
    let kinds = roxmltree::Document::parse(KINDS)?;
    let defined: Vec<&str> =
        kinds.descendants().filter_map(|node| node.attribute("type")).collect();
    let wanted = ENTRY.lines().find_map(|line| line.strip_prefix("MimeType=")).unwrap();
    for kind in wanted.split(';').filter(|kind| !kind.is_empty()) {
        assert!(defined.contains(&kind), "{kind}");
    }
    Ok(())
}

/// The database of kinds takes the definitions.
fn database_of_kinds(folder: &Path) -> Outcome {
    let packages = folder.join("mime/packages");
    fs::create_dir_all(&packages)?;
    fs::write(packages.join("tintype.xml"), KINDS)?;
    let done = Command::new("update-mime-database").arg(folder.join("mime")).output()?;
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    Ok(())
}

#[trial(needs_programs(&["update-mime-database"]))]
fn desktop_kinds_are_taken_by_their_database() -> Outcome {
    let folder = TempDir::new()?;
    database_of_kinds(folder.path())?;
    let globs = fs::read_to_string(folder.path().join("mime/globs2"))?;
    assert!(globs.contains("50:model/x-md5mesh:*.md5mesh"), "{globs}");
    assert!(!globs.contains("*.x\n"), "what ends in .x is told by what it begins with: {globs}");
    let magic = fs::read(folder.path().join("mime/magic"))?;
    let magic = String::from_utf8_lossy(&magic).into_owned();
    assert!(
        magic.contains("[60:model/x-directx]") && magic.contains("[60:model/x-md5mesh]"),
        "{magic}"
    );
    Ok(())
}

/// File managers recognize each kind of model, and no other file as one.
#[trial(needs_programs(&["update-mime-database", "gio"]))]
fn desktop_kinds_are_told_as_file_managers_tell_them() -> Outcome {
    let folder = TempDir::new()?;
    database_of_kinds(folder.path())?;
    let corpus = |name: &str| fs::read(format!("tests/corpus/{name}"));
    let files: [(&str, Vec<u8>, Option<&str>); 17] = [
        ("a.md5mesh", b"MD5Version 10\ncommandline \"\"\n".to_vec(), Some("model/x-md5mesh")),
        ("comment.md5mesh", b"// by hand\nMD5Version 10\n".to_vec(), Some("model/x-md5mesh")),
        ("without_a_name", b"MD5Version 10\n".to_vec(), Some("model/x-md5mesh")),
        ("a.md5anim", b"MD5Version 10\n".to_vec(), Some("model/x-md5anim")),
        ("a.md5camera", b"MD5Version 10\n".to_vec(), Some("model/x-md5camera")),
        ("text.x", CUBE_X.into(), Some("model/x-directx")),
        ("TEXT.X", CUBE_X.into(), Some("model/x-directx")),
        (
            "mark.x",
            [b"\xef\xbb\xbf".as_slice(), CUBE_X.as_bytes()].concat(),
            Some("model/x-directx"),
        ),
        ("binary.x", corpus("x/good/bin32.x")?, Some("model/x-directx")),
        ("packed.x", corpus("x/good/bzip64.x")?, Some("model/x-directx")),
        ("old.x", b"xof 0302txt 0064\nFrame f { }\n".to_vec(), Some("model/x-directx")),
        ("lexer.x", b"%{\n#include <stdio.h>\n%}\n%%\n[a-z]+ { return WORD; }\n".to_vec(), None),
        ("calls.x", b"program A { version B { int C(void) = 1; } = 1; } = 9;\n".to_vec(), None),
        ("notes.x", b"xof, a word\n".to_vec(), None),
        ("knight.glb", b"glTF\x02\0\0\0".to_vec(), Some("model/gltf-binary")),
        ("knight", b"glTF\x02\0\0\0".to_vec(), Some("model/gltf-binary")),
        ("knight.gltf", b"{\"asset\": {\"version\": \"2.0\"}}".to_vec(), Some("model/gltf+json")),
    ];
    for (name, bytes, expected) in files {
        let path = folder.path().join(name);
        fs::write(&path, bytes)?;
        let done = Command::new("gio")
            .args(["info", "-a", "standard::content-type"])
            .arg(&path)
            .env("XDG_DATA_HOME", folder.path())
            .env("HOME", folder.path())
            .env("LC_ALL", "C")
            .output()?;
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        let found =
            said.lines().find_map(|line| line.trim().strip_prefix("standard::content-type: "));
        let found = found.ok_or_else(|| format!("{name}: {said}"))?;
        match expected {
            Some(kind) => assert_eq!(found, kind, "{name}"),
            None => assert!(!found.starts_with("model/"), "{name}: {found}"),
        }
    }
    Ok(())
}
