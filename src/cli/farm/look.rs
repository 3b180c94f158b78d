//! `tintype farm look`: whether this machine sees what was submitted: scene, assets, program, and a folder to write to.
//!
//! Every task asks before it begins, so that a node that lacks a file draws nothing rather than something else. Files are told by
//! the digests of the submission; pictures are read and not decoded, and nothing is drawn. Of many models, the list of them is looked
//! at and the folder that they are in; each is read when its turn comes.

use super::args::Look;
use super::console::Console;
use super::job::{Frames, Job, Models};
use super::sequence::apply;
use super::ticket::Ticket;
use super::words::paths_in;
use super::{Failure, chain, exit, load};
use crate::asset;
use crate::cli::build_digest::build_digest;
use crate::output::{Operation, OutputError, disk_now};
use crate::scene::Scene;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::SystemTime;

/// Clocks that are further apart are told of, in seconds.
const CLOCKS_APART_S: i64 = 30;

/// What the pictures of a submission depend on, as it was where it was submitted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sources {
    /// Of the scene with its options.
    scene: String,
    /// A line for each file: its name and the digest of its bytes.
    files: Vec<String>,
    /// Of the program, if its version does not say what it draws.
    build: Option<String>,
}

impl Sources {
    /// Of a scene with its options, as this machine sees it.
    pub fn of(scene: &Scene, path: &Path, console: &Console) -> Result<Self, Failure> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let opened = asset::open(scene, folder, console.load_options()).map_err(|error| {
            let code = if error.is_temporary() { exit::TRY_AGAIN } else { exit::BAD_INPUT };
            Failure::new(code, chain(&error))
        });
        let text = opened?.read_pictures().digest_text;
        Ok(Self {
            scene: blake3::hash(scene.digest_text().as_bytes()).to_hex().to_string(),
            files: text.lines().map(str::to_owned).collect(),
            build: build_digest().map(str::to_owned),
        })
    }

    /// Of many models: the list of them.
    pub fn of_list(text: &str) -> Self {
        let digest = blake3::hash(text.as_bytes()).to_hex();
        let files = vec![format!("file \"the list of models\" {digest}")];
        Self { scene: String::new(), files, build: build_digest().map(str::to_owned) }
    }

    /// The first thing that is otherwise here, in words; none if nothing is.
    fn difference(&self, here: &Self, scene: &Path) -> Option<String> {
        if self.build != here.build {
            return Some(
                "this is another build of the program than the one that submitted the job: install the same file everywhere".to_owned(),
            );
        }
        let again = "if you have changed it, submit again";
        if self.scene != here.scene {
            return Some(format!(
                "{} is not the scene that was submitted: {again}; else make all nodes see the same file",
                scene.display()
            ));
        }
        let name = |line: &str| {
            let text = line.strip_prefix("file ").unwrap_or(line);
            text.rsplit_once(' ').map_or(text, |(name, _)| name).to_owned()
        };
        let is_in = |lines: &[String], wanted: &str| lines.iter().any(|line| name(line) == wanted);
        if let Some(line) = self.files.iter().find(|line| !here.files.contains(line)) {
            let name = name(line);
            return Some(match is_in(&here.files, &name) {
                true => format!(
                    "{name} is not the file that was submitted: {again}; else make all nodes see the same file"
                ),
                false => format!(
                    "{name} is not found here: all nodes must see the scene and its assets as the machine does that submits"
                ),
            });
        }
        let more = here.files.iter().find(|line| !self.files.contains(line))?;
        Some(format!("{} is found here, and was not where the job was submitted", name(more)))
    }
}

pub(super) fn look(options: &Look, console: &mut Console) -> Result<(), Failure> {
    // 1. What was submitted, and by which program.
    let path = std::path::absolute(&options.ticket)
        .map_err(|error| load::unreadable(&options.ticket, &error))?;
    let ticket = Ticket::read(&path)?;
    let own = concat!("tintype ", env!("CARGO_PKG_VERSION"));
    if ticket.program != own {
        return Err(Failure::bad_input(format!(
            "this is {own}, and the job was submitted by {}: install the same everywhere",
            ticket.program
        )));
    }

    // 2. What is read.
    ticket.enter(console)?;
    let (here, what) = match &ticket.job {
        Job::Frames(frames) => (sources_of_frames(frames, console)?, frames.scene.clone()),
        Job::Models(models) => {
            (sources_of_models(models, Path::new(&ticket.part))?, models.base.clone())
        }
    };
    if let Some(what) = ticket.sources.difference(&here, &what) {
        return Err(Failure::bad_input(what));
    }

    // 3. The folder of the pictures: the ticket lies two folders below it.
    let folder = path.ancestors().nth(3).unwrap_or(Path::new("/"));
    let now = disk_now(folder).map_err(|source| {
        let error =
            OutputError { path: folder.join("frame"), operation: Operation::Create, source };
        Failure::output(&error)
    })?;
    let skew_s = seconds_between(SystemTime::now(), now);
    if skew_s.abs() >= CLOCKS_APART_S {
        let side = if skew_s > 0 { "ahead of" } else { "behind" };
        console.info(&format!(
            "the clock here is {} s {side} that of the disk; records go by the disk's",
            skew_s.abs()
        ));
    }
    Ok(())
}

fn sources_of_frames(frames: &Frames, console: &Console) -> Result<Sources, Failure> {
    let not_here = |failure: Failure| {
        let hint = "all nodes must see the scene and its assets as the machine does that submits";
        Failure::new(failure.code, format!("{}: {hint}", failure.message))
    };
    let mut scene = load::scene(&frames.scene).map_err(not_here)?;
    apply(&mut scene, &frames.pictures)?;
    Sources::of(&scene, &frames.scene, console).map_err(not_here)
}

fn sources_of_models(models: &Models, list: &Path) -> Result<Sources, Failure> {
    let hint =
        "all nodes must see the models, and the list of them, as the machine does that submits";
    let not_here = |path: &Path| {
        let path = path.to_owned();
        move |error: std::io::Error| {
            let Failure { code, message, .. } = load::unreadable(&path, &error);
            Failure::new(code, format!("{message}: {hint}"))
        }
    };
    std::fs::read_dir(&models.base).map_err(not_here(&models.base))?;
    for path in paths_in(&models.words).map(Path::new) {
        std::fs::metadata(path).map_err(not_here(path))?;
    }
    let text = std::fs::read_to_string(list).map_err(not_here(list))?;
    // An empty folder where others mount the models.
    if !text.lines().any(|name| models.base.join(name).exists()) {
        return Err(Failure::bad_input(format!(
            "{}: none of the models is here: {hint}",
            models.base.display()
        )));
    }
    Ok(Sources::of_list(&text))
}

/// Whole seconds from `b` to `a`; negative if `a` is before.
fn seconds_between(a: SystemTime, b: SystemTime) -> i64 {
    let whole = |seconds: u64| i64::try_from(seconds).unwrap_or(i64::MAX);
    match a.duration_since(b) {
        Ok(ahead) => whole(ahead.as_secs()),
        Err(error) => -whole(error.duration().as_secs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(scene: &str, files: &[&str]) -> Sources {
        let files = files.iter().map(|file| (*file).to_owned()).collect();
        Sources { scene: scene.to_owned(), files, build: None }
    }

    #[test]
    fn look_names_what_differs() {
        let submitted = sources("s", &["file \"a b.md5mesh\" 01", "file \"c.png\" 02"]);
        let found =
            |here: &Sources| submitted.difference(here, Path::new("walk.toml")).unwrap_or_default();
        assert_eq!(submitted.difference(&submitted.clone(), Path::new("walk.toml")), None);
        assert!(found(&sources("t", &[])).starts_with("walk.toml is not the scene"));
        let other = sources("s", &["file \"a b.md5mesh\" 09", "file \"c.png\" 02"]);
        assert!(found(&other).starts_with("\"a b.md5mesh\" is not the file that"), "{other:?}");
        let fewer = sources("s", &["file \"a b.md5mesh\" 01"]);
        assert!(found(&fewer).starts_with("\"c.png\" is not found here"));
        let mut more = submitted.clone();
        more.files.push("file \"d.png\" 03".to_owned());
        assert!(found(&more).starts_with("\"d.png\" is found here, and was not"));
        let built = Sources { build: Some("ff".to_owned()), ..submitted.clone() };
        assert!(found(&built).contains("another build"));
    }
}
