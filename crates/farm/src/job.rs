//! Jobs: frames of a scene, or pictures of many models, and the commands that draw and verify them.
//!
//! Every task is a plain `tintype render`, `thumbnail` or `turntable` of its shard, and every last
//! job a plain `verify`, or the same command with `--verify`. Engines differ only in how a task
//! receives its shard.

use super::error::SubmitError;
use super::text::path_text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;
use tintype_base::path::{ShowPath, path_of_text};
use tintype_base::shell::operand;
use tintype_framing::ModelFile;
use tintype_host::job::discover::{ModelSources, discover};
use tintype_scene::{Aov, Channel, ChannelFormat, FrameList, FrameNumber, FramePattern, Settings};

/// The pictures of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Job {
    /// Frames of a scene.
    Frames(Frames),
    /// Pictures of models.
    Models(Models),
}

/// Frames of a scene.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Frames {
    /// Path of the scene, as given.
    #[serde(with = "path_text")]
    pub scene: PathBuf,
    /// File names, as `render -o` takes them.
    pub output: String,
    /// Digest of all inputs of the pixels.
    pub digest: String,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Views beside each picture, in the form of `--aov`.
    pub views: Vec<String>,
    /// Channels in a file beside each picture.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub channels: Vec<Channel>,
    /// Format of those files.
    #[serde(default)]
    pub channels_as: ChannelFormat,
    /// All frames of the job, in the form of `render -f`.
    pub all: String,
    /// The options as given.
    pub pictures: Pictures,
}

/// Pictures of models.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Models {
    /// The command of each task.
    pub command: JobKind,
    /// Folder that names of models are relative to.
    #[serde(with = "path_text")]
    pub base: PathBuf,
    /// File with the names of all models, one per line.
    #[serde(with = "path_text")]
    pub all: PathBuf,
    /// Further lists of the same kind, from other attempts or submissions to the folder, which are
    /// merged.
    #[serde(skip)]
    pub also: Vec<PathBuf>,
    /// Folder of the pictures; for turntables followed by the file names of frames.
    pub output: String,
    /// Further options of the command.
    #[serde(rename = "words")]
    pub argv: Vec<String>,
    /// True if the last job writes the page of `--gallery`.
    pub gallery: bool,
}

/// A command that draws models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobKind {
    /// `tintype turntable`
    Turntable,
    /// `tintype thumbnail`
    Thumbnail,
}

impl JobKind {
    /// The word of the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Turntable => "turntable",
            Self::Thumbnail => "thumbnail",
        }
    }
}

/// Owned strings.
fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}

/// The options that give these settings.
pub(crate) fn options_of(settings: &Settings) -> Vec<String> {
    settings.texts().flat_map(|(setting, text)| [format!("--{}", setting.option()), text]).collect()
}

impl Job {
    /// Arguments of a task, without the program.
    pub fn task(&self, part: &str, share: &str) -> Vec<String> {
        let mut command = match self {
            Self::Frames(Frames { scene, output, pictures, .. }) => {
                let scene = operand(scene).shown();
                [
                    words(["render", &scene, "-f", part, "--shard", share, "-o", output]),
                    options_of(&pictures.settings),
                ]
                .concat()
            }
            Self::Models(models) => [models.argv(part), words(["--shard", share])].concat(),
        };
        command.extend(words(["--keep-going", "--retries", "3", "--record"]));
        command
    }

    /// Arguments of the last job, without the program.
    pub fn verify(&self, tidy: Option<&str>) -> Vec<String> {
        match self {
            Self::Frames(Frames { scene, output, all, pictures, .. }) => {
                let scene = operand(scene).shown();
                let mut command = words(["verify", &scene, "-f", all, "-o", output, "--tidy"]);
                command.extend(tidy.map(str::to_owned));
                command.extend(options_of(&pictures.settings));
                command
            }
            Self::Models(models) => {
                let mut command = models.argv(&models.all.shown());
                command.retain(|word| word != "--overwrite");
                command.push("--verify".to_owned());
                if models.gallery {
                    command.push("--gallery".to_owned());
                }
                command
            }
        }
    }

    /// Files and folders that all nodes need, each with its description.
    pub fn inputs(&self, part: &str) -> Vec<(&'static str, PathBuf)> {
        match self {
            Self::Frames(frames) => vec![("the scene and its assets", frames.scene.clone())],
            Self::Models(models) => vec![
                ("the list of models", path_of_text(part)),
                ("the folder of the models", models.base.clone()),
            ],
        }
    }

    /// Adds the frames or models of another job, if its pictures are of the same kind: the same
    /// scene, or the same command and folders.
    ///
    /// # Errors
    /// [`SubmitError`] if a list of frames cannot be read.
    pub fn join(&mut self, other: Self) -> Result<(), SubmitError> {
        match (self, other) {
            (Self::Frames(own), Self::Frames(other))
                if (&own.output, &own.digest) == (&other.output, &other.digest) =>
            {
                let mut all: BTreeSet<FrameNumber> = own.all()?.iter().collect();
                all.extend(other.all()?.iter());
                own.all = FrameList::from_rising(all).map_or(String::new(), |all| all.to_string());
            }
            (Self::Models(own), Self::Models(other)) if own.is_alike(&other) => {
                let lists = std::iter::once(other.all).chain(other.also);
                for list in lists {
                    if list != own.all && !own.also.contains(&list) {
                        own.also.push(list);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Title of the job.
    pub fn title(&self) -> String {
        match self {
            Self::Frames(frames) => frames.scene.shown(),
            Self::Models(models) => {
                format!("{}s of {}", models.command.word(), models.base.shown())
            }
        }
    }

    /// Word for one item.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Frames(_) => "frame",
            Self::Models(_) => "model",
        }
    }
}

impl Frames {
    /// File names of the frames.
    ///
    /// # Errors
    /// [`SubmitError`] if the submission was edited into something else.
    pub fn pattern(&self) -> Result<FramePattern, SubmitError> {
        FramePattern::parse(&self.output).map_err(|error| SubmitError::invalid(error.to_string()))
    }

    /// Views beside each picture.
    pub fn views(&self) -> Result<Vec<Aov>, SubmitError> {
        let views = self.views.iter().map(|word| Aov::parse(word));
        views.collect::<Result<_, _>>().map_err(|error| SubmitError::invalid(error.to_string()))
    }

    /// All frames of the sequence.
    pub fn all(&self) -> Result<FrameList, SubmitError> {
        FrameList::parse(&self.all).map_err(|error| SubmitError::invalid(error.to_string()))
    }
}

/// Given options of `render` and `verify`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Pictures {
    /// File names.
    pub output: Option<String>,
    /// Frames, as `render -f` takes them.
    pub frames: Option<String>,
    /// Settings that override those of the scene.
    pub settings: Settings,
}

impl Models {
    fn argv(&self, list: &str) -> Vec<String> {
        let base = self.base.shown();
        let command = self.command.word();
        let own = words([command, "--list", list, "--base", &base, "-o", &self.output]);
        [own, self.argv.clone()].concat()
    }

    /// The folder of the pictures.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        match self.command {
            JobKind::Turntable => path_of_text(self.split_output().0),
            JobKind::Thumbnail => path_of_text(&self.output),
        }
    }

    /// True if the pictures of another job are of the same kind, in the same folder.
    #[must_use]
    pub fn is_alike(&self, other: &Self) -> bool {
        (self.command, &self.base, &self.output) == (other.command, &other.base, &other.output)
    }

    /// All models of the job.
    ///
    /// # Errors
    /// [`SubmitError`] if the list cannot be read.
    pub fn models(&self) -> Result<Vec<ModelFile>, SubmitError> {
        let mut models = Vec::new();
        for list in std::iter::once(&self.all).chain(&self.also) {
            let (list, base) = (Some(list.clone()), Some(self.base.clone()));
            match discover(&ModelSources { paths: Vec::new(), list, base }) {
                Ok(discovered) => models.extend(discovered.models),
                Err(error) if error.is_temporary() => {
                    return Err(SubmitError::temporary(error.to_string()));
                }
                Err(error) => return Err(SubmitError::invalid(error.to_string())),
            }
        }
        if !self.also.is_empty() {
            models.sort_by(|a, b| a.name.cmp(&b.name));
            models.dedup_by(|a, b| a.name == b.name);
        }
        Ok(models)
    }

    /// The folder of all turntables, and the file names of frames within the folder of each.
    #[must_use]
    pub fn split_output(&self) -> (&str, &str) {
        FramePattern::split_folder(&self.output)
    }
}
