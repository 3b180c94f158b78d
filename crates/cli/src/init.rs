//! `tintype init`: a first golden project: scenes of the existing models, their goldens, and the
//! files that a team needs.

use super::args::{Bless, Init, Service};
use super::console::Console;
use super::environment::is_on;
use super::failure::Failure;
use super::git::Git;
use super::{bless, exit, load, pin};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tintype::Deadline;
use tintype::builder::FrameNumber;
use tintype_base::diagnostic::chain;
use tintype_base::extension::{MODELS, MOTIONS, OTHER_TEXTURES, PANORAMAS, PARTS};
use tintype_base::path::{ShowPath, path_of_text, without_detours};
use tintype_framing::{
    ModelFile, ModelPath, Timeline, TurntableNote, TurntableOptions, TurntableScene,
};
use tintype_golden::discover::read_scenes;
use tintype_golden::selection::plain;
use tintype_golden::{Discovery, telling_frames};
use tintype_host::job::discover::{ModelSources, discover};
use tintype_host::write_new;
use tintype_render::{RenderError, Renderer};
use tintype_scene::PROJECT_FILE;

/// Width and height of the goldens.
const SIZE: [u32; 2] = [192, 192];
/// Maximum number of goldens of a model with a clip, and the number of times among which they are
/// chosen.
const GOLDENS: usize = 3;
const MOMENTS: usize = 12;
/// Sides of a model without a clip.
const SIDES: usize = 4;
/// Folders that contain files of other projects.
const OTHERS: [&str; 2] = ["node_modules", "target"];

const ATTRIBUTES: &str = "\
# Goldens: every byte is kept, and a merge takes one side of a file whole.
{{golden}}/**/*.png binary
{{golden}}/**/*.toml -text -merge diff=tintype
";

/// The folder of reports, which are regenerated.
const IGNORED: &str = "/out/\n";

const HOOK: &str = "\
#!/bin/sh
# Tests the goldens. To commit without: git commit --no-verify
exec tintype test
";

/// The URL of the program's source, or a placeholder.
const ADDRESS: &str =
    if env!("CARGO_PKG_REPOSITORY").is_empty() { "ADDRESS" } else { env!("CARGO_PKG_REPOSITORY") };

const GITHUB: &str = "\
on: [push, pull_request]
env:
  TINTYPE: {{address}} # repository of tintype
jobs:
  goldens:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@11d5960a326750d5838078e36cf38b85af677262 # v4.4.0
{{lfs}}      - run: |
{{install}}      - run: tintype test --report out/report --junit out/junit.xml --patch out/accept.patch --summary \"$GITHUB_STEP_SUMMARY\"
      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        if: always()
        with:
          name: goldens # to accept the new pictures: git apply accept.patch
          path: out/
";

const GITLAB: &str = "\
goldens:
  image: rust:1
  variables:
    TINTYPE: {{address}} # repository of tintype
{{lfs}}  script:
    - |
{{install}}    - tintype test --report out/report --junit out/junit.xml --patch out/accept.patch
  artifacts: # to accept the new pictures: git apply accept.patch
    when: always
    paths: [out/]
    reports:
      junit: out/junit.xml
";

/// Shell lines that install the pinned version: a release, or the source if there is none.
const INSTALL: &str = r#"pinned() { sed -nE "s/^$1 *= *\"([^\"]*)\".*/\1/p" tintype.toml; }
version=$(pinned version) revision=$(pinned revision) bin=${CARGO_HOME:-$HOME/.cargo}/bin
archive=$TINTYPE/releases/download/v$version/tintype-$version-x86_64-unknown-linux-musl.tar.gz
mkdir -p "$bin"
if [ -z "$version" ] || ! curl -fsSL -o tintype.tar.gz "$archive"; then
  set -- --tag "v$version"; [ -z "$revision" ] || set -- --rev "$revision"
  cargo install --locked --git "$TINTYPE" "$@" tintype-cli
else
  tar -xzf tintype.tar.gz -C "$bin" --strip-components=1 --wildcards '*/tintype'; rm tintype.tar.gz
fi
"#;

const GITHUB_LFS: &str = "        with:\n          lfs: true\n";
const GITLAB_LFS: &str = "    GIT_LFS_SKIP_SMUDGE: \"0\" # fetch files in Git LFS\n";

pub(super) fn run(options: &Init, console: &mut Console) -> Result<(), Failure> {
    let models = find(options)?;
    let (scenes, kept) = write_scenes(&models, console)?;
    let golden = golden_folder(options);
    let of_project = PathBuf::from(".gitattributes");
    let of_golden = golden.with_file_name(".gitattributes");
    if of_golden == of_project {
        write(&of_project, &(attributes(&golden) + &model_attributes()), console)?;
    } else {
        write(&of_golden, &attributes(&golden), console)?;
        write(&of_project, &model_attributes(), console)?;
    }
    write(Path::new(".gitignore"), IGNORED, console)?;
    if let Some(service) = options.ci {
        let (path, text, lfs, indent) = match service {
            Service::Github => (".github/workflows/tintype.yml", GITHUB, GITHUB_LFS, 10),
            Service::Gitlab => (".gitlab-ci.yml", GITLAB, GITLAB_LFS, 6),
        };
        let install =
            INSTALL.lines().map(|line| format!("{:indent$}{line}\n", "")).collect::<String>();
        write(Path::new(PROJECT_FILE), &pin::text(), console)?;
        let lfs = if has_lfs() { lfs } else { "" };
        let text = text.replace("{{address}}", ADDRESS).replace("{{lfs}}", lfs);
        let text = text.replace("{{install}}", &install);
        let is_new = write(Path::new(path), &text, console)?;
        if is_new && ADDRESS == "ADDRESS" {
            console.info(&format!(
                "  in {path}, replace ADDRESS with the URL of tintype's repository"
            ));
        }
    }
    if options.hook {
        write_hook(console)?;
    }
    if is_on(std::env::var_os("CI")) {
        console.info("CI is set, so no goldens are drawn; run `tintype bless --all` elsewhere");
        return Ok(());
    }
    if scenes + kept > 0 {
        let (scenes, golden) = (PathBuf::from("scenes"), options.golden.clone());
        bless::run(&Bless { all: true, scenes, golden, ..Bless::default() }, console)?;
    }
    let golden = golden.shown();
    console.info(&format!(
        "review {golden}/, then commit everything; from now on, compare with `tintype test`"
    ));
    Ok(())
}

/// The golden folder in the project's settings, relative to the working folder if it is inside it.
fn golden_folder(options: &Init) -> PathBuf {
    let own = options.golden.as_deref().unwrap_or(Path::new("golden"));
    let here = std::env::current_dir().unwrap_or_default();
    without_detours(own.strip_prefix(here).unwrap_or(own))
}

/// The attributes of goldens, for the folder above them.
fn attributes(golden: &Path) -> String {
    let name = golden.file_name().unwrap_or_default().shown();
    // Characters with a meaning in patterns are escaped, and a pattern with spaces is quoted.
    let special = |letter: char| "[]*?!#".contains(letter);
    let name: String =
        name.chars().map(|c| if special(c) { format!("\\{c}") } else { c.to_string() }).collect();
    let text = ATTRIBUTES.replace("{{golden}}", &name);
    let quoted = |line: &str| match line.split_once(&format!("{name}/**/")) {
        Some((_, rest)) if name.contains([' ', '\t', '"', '\\']) => {
            let (kind, words) = rest.split_once(' ').unwrap_or((rest, ""));
            let escaped = name.replace('\\', "\\\\").replace('"', "\\\"");
            format!("\"{escaped}/**/{kind}\" {words}\n")
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(quoted).collect()
}

/// The attributes of models and their parts: git must not convert line ends of a file whose digest
/// is in a record.
fn model_attributes() -> String {
    let kinds = [&MODELS[..], &MOTIONS, &PARTS, &OTHER_TEXTURES, &PANORAMAS].concat();
    let lines = kinds.into_iter().map(|kind| format!("*.{kind} -text\n"));
    "# Models: keep line endings, as goldens record digests of their bytes.\n".to_owned()
        + &lines.collect::<String>()
}

/// True if an attributes file in the repository stores files in Git LFS.
fn has_lfs() -> bool {
    let files = ":(top,glob)**/.gitattributes";
    Git::default().answer(&["grep", "--untracked", "-lE", "^[^#].*filter=lfs", "--", files]).is_ok()
}

/// The models of the paths, without those in hidden folders.
fn find(options: &Init) -> Result<Vec<ModelFile>, Failure> {
    let paths = options.paths.clone();
    let sources = ModelSources { paths, list: None, base: None };
    let advice = "give a folder with models: tintype init DIR";
    let found = discover(&sources)
        .map_err(|error| Failure::bad_input(format!("{}; {advice}", chain(&error))))?;
    let is_other = |part: &str| part.starts_with('.') || OTHERS.contains(&part);
    let is_ours = |model: &ModelFile| model.is_named || !model.name.split('/').any(is_other);
    let shown = |model: ModelFile| ModelFile { path: plain(&model.path), ..model };
    let models: Vec<ModelFile> = found.models.into_iter().filter(is_ours).map(shown).collect();
    if models.is_empty() {
        Err(Failure::bad_input(format!("no models here; {advice}")))
    } else {
        Ok(models)
    }
}

/// Writes the scene of each model; returns the numbers of written and of existing scenes.
fn write_scenes(models: &[ModelFile], console: &mut Console) -> Result<(usize, usize), Failure> {
    let (mut written, mut kept) = (0, 0);
    let (shown, mut names) = scenes_of_models(console);
    for model in models {
        if let Some(scene) = model.path.canonicalize().ok().and_then(|model| shown.get(&model)) {
            console.info(&format!("kept {}", scene.shown()));
            kept += 1;
            continue;
        }
        let own = path_of_text(&model.name);
        let own = own.strip_prefix("scenes").unwrap_or(&own).to_owned();
        // Models of the same name in several formats get the format in their names, and those that
        // differ only by case get a number.
        let numbered = (2..).map(|count| path_of_text(&format!("{}-{count}", own.shown())));
        let mut wanted = [own.with_extension(""), own.clone()].into_iter().chain(numbered);
        let Some(name) = wanted.find(|name| names.insert(folded(name))) else { continue };
        let path = Path::new("scenes").join(name).with_added_extension("toml");
        // One that cannot be read, or has no goldens.
        if path.exists() {
            console.info(&format!("kept {}", path.shown()));
            kept += 1;
            continue;
        }
        match scene_of(model, path.parent().unwrap_or(Path::new("")), console) {
            Ok(Some(text)) => match write_new(&path, text.as_bytes()) {
                Ok(_) => {
                    console.info(&format!("wrote {}", path.shown()));
                    written += 1;
                }
                // The other models have theirs.
                Err(error) if error.is_of_name() => console.warning(&chain(&error)),
                Err(error) => return Err(Failure::output(&error)),
            },
            Ok(None) => {
                console.detail(&format!("{}: no mesh to draw", model.path.shown()));
            }
            Err(failure) if failure.code == exit::TRY_AGAIN => return Err(failure),
            Err(failure) => console.warning(&failure.message),
        }
    }
    match written + kept {
        0 => Err(Failure::bad_input("no model can be drawn: see the warnings above")),
        _ => Ok((written, kept)),
    }
}

/// A name of a scene on disks that ignore the case of letters.
fn folded(name: &Path) -> String {
    name.shown().to_uppercase().to_lowercase()
}

/// The existing scenes: the first with goldens of each model, and the names of those with goldens.
fn scenes_of_models(console: &Console) -> (BTreeMap<PathBuf, PathBuf>, BTreeSet<String>) {
    let folder = Path::new("scenes");
    // Without a folder that can be listed, the scene of every model is to be written.
    let found = read_scenes(&[folder.to_owned()], None, console.load_options());
    let found = found.unwrap_or_else(|_| Discovery::default());
    let (mut shown, mut names) = (BTreeMap::new(), BTreeSet::new());
    for scene in &found.scenes {
        let below = scene.path.strip_prefix(folder).unwrap_or(&scene.path);
        names.insert(folded(&below.with_extension("")));
        let beside = scene.path.parent().unwrap_or(folder);
        for model in &scene.scene().models {
            if let Ok(model) = beside.join(path_of_text(&model.file)).canonicalize() {
                shown.entry(model).or_insert_with(|| scene.path.clone());
            }
        }
    }
    (shown, names)
}

/// The text of a scene with goldens. None for a file with only clips.
fn scene_of(
    model: &ModelFile,
    folder: &Path,
    console: &mut Console,
) -> Result<Option<String>, Failure> {
    let of_model = |text: String| match model.path.shown() {
        path if text.contains(&path) => text,
        path => format!("{path}: {text}"),
    };
    let told = |error: &dyn std::error::Error| Failure::bad_input(of_model(chain(error)));
    let mut options = TurntableOptions::default();
    options.settings.say("turn_deg", 0.0);
    options.settings.say("size", SIZE);
    let load_options = console.load_options().clone();
    let mut note = |note: TurntableNote| {
        if let TurntableNote::Warning(warning) = note {
            console.warning(&of_model(warning));
        }
    };
    let path = ModelPath::Plain(&model.path);
    let mut scene = TurntableScene::load(&options, path, &load_options, &mut note)
        .map_err(|error| told(&error))?;
    if !scene.has_mesh() {
        return Ok(None);
    }
    let moves = scene.timeline.rounds > 0;
    if !moves {
        options.settings.say("turn_deg", 360.0);
        options.frames = Some(SIDES);
        scene = scene.turned(&options).map_err(|error| told(&error))?;
    }
    std::fs::create_dir_all(folder).map_err(|error| load::unreadable(folder, &error))?;
    let text = scene
        .to_toml(&options, &model.path, &load_options, folder)
        .map_err(|error| told(&error))?;
    let frames = frames_of(&scene, moves).map_err(|error| told(&error))?;
    let frames: Vec<String> = frames.iter().map(ToString::to_string).collect();
    let [width, height] = SIZE;
    Ok(Some(format!(
        "{}\n[golden]\nframes = \"{}\"\nsize = [{width}, {height}]\npose = true\n",
        text.trim_end().to_owned() + "\n",
        frames.join(",")
    )))
}

/// The frames with goldens: different times of the clip, or sides of a model without one.
fn frames_of(scene: &TurntableScene, moves: bool) -> Result<Vec<FrameNumber>, RenderError> {
    let Timeline { frames, rounds, .. } = scene.timeline;
    let (once, most) = if moves { (frames / rounds.max(1), GOLDENS) } else { (frames, SIDES) };
    let parts = if moves { MOMENTS } else { SIDES };
    let numbers: BTreeSet<usize> = (0..parts).map(|part| part * once / parts).collect();
    let all = &scene.scene.output.frames;
    let numbers: Vec<FrameNumber> =
        numbers.into_iter().filter_map(|number| all.iter().nth(number)).collect();
    let renderer = Renderer::new(scene.scene.clone(), scene.assets.clone(), &Deadline::NEVER)?;
    let found = telling_frames(&renderer, &numbers, most)?;
    // If all are empty, bless reports why.
    Ok(if found.is_empty() { numbers.into_iter().take(1).collect() } else { found })
}

/// True if the text contains the line: a line with the same first word and all other words.
fn is_among(line: &str, own: &str) -> bool {
    let has = |known: &str, word: &str| {
        let mut words = known.split_whitespace();
        words.any(|own| own == word || (word == "-text" && own == "binary"))
    };
    let first =
        |line: &str| line.split_whitespace().next().map(|word| word.trim_matches('/').to_owned());
    own.lines().any(|known| {
        first(known) == first(line) && line.split_whitespace().skip(1).all(|word| has(known, word))
    })
}

/// Writes a file unless it exists; in that case, reports parts that it may lack. Returns true if
/// the file was written.
fn write(path: &Path, text: &str, console: &Console) -> Result<bool, Failure> {
    let is_new = write_new(path, text.as_bytes()).map_err(|error| Failure::output(&error))?;
    if is_new {
        console.info(&format!("wrote {}", path.shown()));
        return Ok(true);
    }
    let own = match tintype_base::disk::read_regular_text(path) {
        Ok(own) => own,
        Err(error) => {
            console.info(&format!("kept {}, which cannot be read: {error}", path.shown()));
            return Ok(false);
        }
    };
    let lacks = text.lines().filter(|line| !line.starts_with('#'));
    let lacks: Vec<&str> = lacks.filter(|line| !is_among(line, &own)).collect();
    match lacks.as_slice() {
        [] => console.info(&format!("kept {}", path.shown())),
        lacks => {
            console.info(&format!("kept {}; it lacks these lines:", path.shown()));
            lacks.iter().for_each(|line| console.info(&format!("  {line}")));
        }
    }
    Ok(false)
}

/// Writes the hook where git expects it.
fn write_hook(console: &Console) -> Result<(), Failure> {
    let path = Git::default()
        .answer(&["rev-parse", "--git-path", "hooks/pre-commit"])
        .map_err(|reason| Failure::bad_input(format!("--hook: {reason}")))?;
    let path = PathBuf::from(path);
    if write(&path, HOOK, console)? {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&path, mode)
                .map_err(|error| load::unreadable(&path, &error))?;
        }
    }
    Ok(())
}
