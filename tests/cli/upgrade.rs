//! The program pinned by a project: compatible versions, the report of an upgrade, and the version
//! that CI installs.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::command::{BOX, command, tintype, wanted};
use crate::support::disk::on_a_disk;
use crate::support::markdown::root;
use crate::support::{only_if, trial};
use libtest_mimic::Failed;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const SCENE: &str = "[output]\nsize = [64, 48]\nframes = \"0-1\"\n[camera]\nazimuth_deg = 30\n\
    [[model]]\nfile = \"box.md5mesh\"\n[golden]\nframes = \"0-1\"\n";

fn project() -> TempDir {
    let folder = TempDir::new().unwrap();
    let scenes = folder.path().join("scenes");
    fs::create_dir(&scenes).unwrap();
    fs::write(scenes.join("box.md5mesh"), BOX).unwrap();
    fs::write(scenes.join("box.toml"), SCENE).unwrap();
    let blessed = tintype(folder.path(), &["bless", "--all", "--allow-warnings"]);
    assert_eq!(blessed.status.code(), Some(0), "{blessed:?}");
    folder
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[trial]
fn pinned_program_is_held() -> Result<(), Failed> {
    let folder = project();
    let path = folder.path();
    let settings = path.join("tintype.toml");
    let version = env!("CARGO_PKG_VERSION");
    fs::write(&settings, format!("version = \"{version}\"\n"))?;
    wanted(&tintype(path, &["test"]), 0, "2 goldens the same")?;
    for (pin, says) in [
        ("version = \"99.0.0\"", "tintype.toml pins version 99.0.0, but this program has "),
        ("pixel_revision = 99", "tintype.toml pins pixel_revision 99, but this program has "),
        (
            "revision = \"0123456789\"",
            "tintype.toml pins revision 0123456789, but this program has ",
        ),
    ] {
        fs::write(&settings, format!("{pin}\n"))?;
        wanted(&tintype(path, &["test"]), 2, says)?;
        wanted(&tintype(path, &["test"]), 2, "this program draws all 2 goldens identically")?;
        wanted(&tintype(path, &["bless", "--all"]), 2, says)?;
        wanted(&tintype(path, &["review"]), 2, says)?;
        wanted(&tintype(path, &["test", "--serve"]), 2, says)?;
        wanted(&tintype(path, &["test", "--no-config"]), 0, "2 goldens the same")?;
    }
    fs::write(&settings, "pixel_revision = \"nine\"\n")?;
    wanted(&tintype(path, &["test"]), 2, "found the string \"nine\"")
}

#[trial]
fn upgrade_tells_the_worst_and_is_one_command() -> Result<(), Failed> {
    let folder = project();
    let path = folder.path();
    let settings = path.join("tintype.toml");
    fs::write(
        &settings,
        "# ours\nversion = \"0.0.1\"\ncolor = \"never\" # plain\npixel_revision = 1\n",
    )?;
    // As if the older program had drawn one of them differently.
    let other = project();
    fs::write(other.path().join("scenes/box.toml"), SCENE.replace("= 30", "= 31"))?;
    wanted(&tintype(other.path(), &["bless", "--all", "--allow-warnings"]), 0, "2 goldens")?;
    for name in ["golden/box/0001.png", "golden/box/0001.toml"] {
        fs::copy(other.path().join(name), path.join(name))?;
    }
    let first = fs::read(path.join("golden/box/0000.png"))?;
    let tested = tintype(path, &["test"]);
    wanted(
        &tested,
        2,
        "this program draws 1 of 2 goldens differently; the worst is golden/box/0001.png: ",
    )?;
    assert!(!said(&tested).contains("tintype bless scenes"), "{}", said(&tested));
    let bless = ["bless", "--upgrade", "--allow-warnings"];
    wanted(&tintype(path, &[&bless[..], &["--dry-run"]].concat()), 0, "1 golden would be written")?;
    assert!(fs::read_to_string(&settings)?.contains("0.0.1"));
    wanted(&tintype(path, &bless), 0, "tintype.toml: this program is now pinned")?;
    let text = fs::read_to_string(&settings)?;
    assert!(
        text.starts_with("# ours\n") && text.ends_with("color = \"never\" # plain\n"),
        "{text}"
    );
    assert!(!text.contains("0.0.1") && text.matches("pixel_revision = ").count() == 1, "{text}");
    wanted(&tintype(path, &["test"]), 0, "2 goldens the same")?;
    assert_eq!(fs::read(path.join("golden/box/0000.png"))?, first);
    Ok(())
}

#[trial]
fn records_name_the_program_and_stay_for_it_alone() -> Result<(), Failed> {
    let folder = project();
    let path = folder.path();
    let record = path.join("golden/box/0000.toml");
    let text = fs::read_to_string(&record)?;
    let line = format!("program = \"{}\"\n", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(&line), "{text}");
    // From an older version, and from one that wrote no such line.
    for older in [text.replace(&line, "program = \"0.0.1\"\n"), text.replace(&line, "")] {
        fs::write(&record, &older)?;
        wanted(&tintype(path, &["test"]), 0, "2 goldens the same")?;
        let bless = ["bless", "--all", "--allow-warnings"];
        wanted(&tintype(path, &bless), 0, "0 goldens written")?;
        assert_eq!(fs::read_to_string(&record)?, older);
    }
    Ok(())
}

#[trial(only_if(cfg!(target_os = "linux")))]
fn init_pins_the_program_that_servers_install() -> Result<(), Failed> {
    for (service, file) in
        [("github", ".github/workflows/tintype.yml"), ("gitlab", ".gitlab-ci.yml")]
    {
        let folder = TempDir::new()?;
        let path = folder.path();
        fs::write(path.join("box.md5mesh"), BOX)?;
        let output = command(path, &["init", ".", "--ci", service]).env("CI", "1").output()?;
        wanted(&output, 0, "wrote tintype.toml")?;
        wanted(&tintype(path, &["test", "--list"]), 0, "")?;
        let text = fs::read_to_string(path.join(file))?;
        let lines = text.lines().skip_while(|line| !line.contains("pinned()"));
        let script: String = lines
            .take_while(|line| line.trim() != "fi")
            .map(|line| format!("{}\n", line.trim_start()))
            .collect();
        // A release, and a stand-in for cargo if there is none.
        fs::write(path.join("cargo"), "#!/bin/sh\necho \"cargo $*\"\n")?;
        let install = |pin: &str| -> Result<String, Failed> {
            fs::write(path.join("tintype.toml"), pin)?;
            let mut shell = Command::new("sh");
            let here = path.display();
            shell.args(["-ec", &format!("chmod +x cargo; PATH={here}:$PATH; {script}fi")]);
            shell.env("TINTYPE", format!("file://{here}")).env("CARGO_HOME", path.join("home"));
            let output = shell.current_dir(path).output()?;
            assert!(output.status.success(), "{output:?}\n{script}");
            Ok(String::from_utf8(output.stdout)?)
        };
        release(path, "1.2.3")?;
        assert_eq!(install("version = \"1.2.3\"\n")?, "", "no compiler");
        assert!(path.join("home/bin/tintype").exists());
        let source = format!("cargo install --locked --git file://{} ", path.display());
        assert_eq!(
            install("version = \"1.2.4\"\n")?,
            format!("{source}--tag v1.2.4 tintype-cli\n")
        );
        assert_eq!(install("revision = \"abc\"\n")?, format!("{source}--rev abc tintype-cli\n"));
    }
    Ok(())
}

/// The archive of a release, below a folder that represents the server.
fn release(server: &Path, version: &str) -> Result<(), Failed> {
    let name = format!("tintype-{version}-x86_64-unknown-linux-musl");
    let folder = server.join(format!("releases/download/v{version}"));
    fs::create_dir_all(folder.join(&name))?;
    fs::write(folder.join(&name).join("tintype"), "#!/bin/sh\necho tintype\n")?;
    let line = format!(
        "chmod +x {name}/tintype; tar -czf {name}.tar.gz {name}; sha256sum *.gz >SHA256SUMS"
    );
    assert!(Command::new("sh").args(["-ec", &line]).current_dir(folder).status()?.success());
    Ok(())
}

#[trial(only_if(cfg!(target_os = "linux")))]
fn action_installs_what_the_project_pins() -> Result<(), Failed> {
    let folder = TempDir::new()?;
    let path = folder.path();
    release(&path.join("owner/tintype"), "1.2.3")?;
    fs::write(path.join("tintype.toml"), "version = \"1.2.3\"\n")?;
    let mut shell = Command::new("bash");
    shell.arg(root().join(".github/actions/tintype/install.sh")).current_dir(path);
    shell.env("TINTYPE_SERVER", format!("file://{}", path.display()));
    shell.env("TINTYPE_REPOSITORY", "owner/tintype").env("TINTYPE_INTO", path.join("into"));
    shell.env("TINTYPE_REF", "v9.9.9").env_remove("GITHUB_PATH");
    wanted(&shell.output()?, 0, "")?;
    assert!(path.join("into/tintype").exists());
    Ok(())
}

/// Whatever is written, and wherever: the same command may succeed later.
#[trial(on_a_disk("size=64k"))]
fn full_disk_asks_for_another_run(disk: &Path) -> Result<(), Failed> {
    let folder = project();
    let path = folder.path();
    for words in [&["test", "--summary", "/dev/full"][..], &["test", "--junit", "/dev/full"]] {
        wanted(&tintype(path, words), 75, "No space left on device")?;
    }
    let git = ["git init -q", "git add -A", "git -c user.name=a -c user.email=a@b commit -qm 1"];
    assert!(
        Command::new("sh").args(["-ec", &git.join("&&")]).current_dir(path).status()?.success()
    );
    fs::write(disk.join("filler"), vec![0; 60 << 10])?;
    let of = |words: &[&str]| command(path, words).env("TMPDIR", disk).output();
    wanted(&of(&["test", "--against", "HEAD"])?, 75, "")?;
    let left = fs::read_dir(disk)?.count();
    assert_eq!(left, 1, "the filler alone");
    Ok(())
}
