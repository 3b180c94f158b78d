//! A job template of Open Job Description (2023-09): one step that draws, one that verifies.
//!
//! The engine divides frames into chunks, with the task chunking of that standard, and models into
//! numbered shards of their list.

use super::argv::with_paths;
use super::error::SubmitError;
use super::job::{Frames, Job, JobKind, Models, options_of};
use super::plan::Plan;
use super::text::quoted;
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};
use tintype_base::path::{ShowPath, path_of_text};
use tintype_base::printable::one_line;

/// Seconds between the request to end and the end: tasks need two.
const NOTIFY_S: u32 = 10;

/// The template as YAML. Paths are parameters; a relative path is the default of its parameter,
/// relative to the folder of the template, as the standard specifies. Absolute paths of options are
/// in the command, except in a bundle, whose paths may differ on a worker.
///
/// # Errors
/// A [`super::SubmitError`] if a path is not Unicode.
pub fn template(plan: &Plan, is_bundle: bool) -> Result<String, SubmitError> {
    let mut parts = match &plan.job {
        Job::Frames(frames) => of_frames(frames, plan)?,
        Job::Models(models) => of_models(models, plan, is_bundle)?,
    };
    parts.task.extend(plan.limits.clone());
    parts.verify.extend(plan.limits.clone());
    let title: String =
        plan.name.chars().filter(|c| !c.is_control() && !"{}".contains(*c)).take(40).collect();
    let words = |words: &[String]| -> String {
        words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", ")
    };
    Ok(format!(
        r##"# {described}.
# Save it in the folder where this was run: paths are relative to the template. openjd check FILE, openjd run FILE.
specificationVersion: jobtemplate-2023-09
{extensions}name: {title}
parameterDefinitions:
{inputs}  - name: Threads
    type: INT
    default: {cpus}
    minValue: 1
  - name: Tintype
    type: STRING
    default: {program}
    description: Path of tintype on the workers.
steps:
  - name: Render
    hostRequirements:
      amounts:
        - name: amount.worker.vcpu
          min: {cpus}
        - name: amount.worker.memory
          min: {memory}
    parameterSpace:
      taskParameterDefinitions:
{task_parameter}    script:
{record}      actions:
        onRun:
          command: "{{{{Param.Tintype}}}}"
          args: [{task}, "-j", "{{{{Param.Threads}}}}", "--progress", "openjd"]
          cancelation:
            mode: NOTIFY_THEN_TERMINATE
            notifyPeriodInSeconds: {NOTIFY_S}
  - name: Verify
    dependencies:
      - dependsOn: Render
    script:
{record}      actions:
        onRun:
          command: "{{{{Param.Tintype}}}}"
          args: [{verify}]
"##,
        described = one_line(&plan.described()),
        extensions = parts.extensions,
        title = quoted(&format!("tintype {title}")),
        inputs = parts.inputs,
        cpus = plan.cpus,
        program = quoted(&plan.program),
        memory = plan.memory_mib,
        task_parameter = parts.task_parameter,
        record = parts.record,
        task = words(&parts.task),
        verify = words(&parts.verify),
    ))
}

/// Name and text of each file of a job bundle, as accepted by `deadline bundle submit`.
pub type Bundle = [(&'static str, String); 3];

/// A job bundle of AWS Deadline Cloud: the template, the absolute values of its paths, and
/// references to exactly the files that the pictures are made from, so that the service copies what
/// a worker needs from any location.
///
/// # Errors
/// A [`super::SubmitError`] if a path is not Unicode, or there is no working folder.
pub fn bundle(plan: &Plan) -> Result<Bundle, SubmitError> {
    let folder = whole(&plan.folder)?;
    let (mut values, mut files, mut folders) = (Vec::new(), Vec::new(), Vec::new());
    let mut value = |name: &str, path: &Path| -> Result<(), SubmitError> {
        values.push((name.to_owned(), whole(path)?));
        Ok(())
    };
    match &plan.job {
        Job::Frames(frames) => value("SceneFile", &frames.scene)?,
        Job::Models(models) => {
            let (list, record) = (path_of_text(&plan.part), plan.record_path());
            value("ModelsDir", &models.base)?;
            value("List", &list)?;
            value("Inputs", &record)?;
            files.extend([whole(&list)?, whole(&record)?]);
            for OptionPath { name, path } in option_paths(models, true).1 {
                value(&name, &path)?;
                // Texture folders named by the user are copied whole; files of clips are among the
                // inputs.
                if path.is_dir() {
                    folders.push(whole(&path)?);
                }
            }
        }
    }
    value("OutputDir", &plan.folder)?;
    for path in &plan.files {
        files.push(whole(path)?);
    }
    files.sort();
    files.dedup();
    let list = |paths: &[String]| -> String {
        paths.iter().map(|path| format!("\n    - {}", quoted(path))).collect()
    };
    let values: String = values
        .iter()
        .map(|(name, value)| format!("  - name: {name}\n    value: {}\n", quoted(value)))
        .collect();
    let none = |text: String| if text.is_empty() { " []".to_owned() } else { text };
    let references = format!(
        "assetReferences:\n  inputs:\n    filenames:{}\n    directories:{}\n  outputs:\n    directories:{}\n  referencedPaths: []\n",
        none(list(&files)),
        none(list(&folders)),
        list(&[folder]),
    );
    Ok([
        ("template.yaml", template(plan, true)?),
        ("parameter_values.yaml", format!("parameterValues:\n{values}")),
        ("asset_references.yaml", references),
    ])
}

/// An absolute path as text, without `.` and `..`.
fn whole(path: &Path) -> Result<String, SubmitError> {
    let whole = path
        .canonicalize()
        .or_else(|_| std::path::absolute(path))
        .map_err(|error| SubmitError::unreadable(path, &error))?;
    let text = whole.to_str().map(str::to_owned);
    text.ok_or_else(|| SubmitError::invalid(format!("{}: not Unicode", path.shown())))
}

/// Parts of a template that differ between frames and models.
struct Parts {
    extensions: &'static str,
    /// Parameters of the job, as YAML.
    inputs: String,
    /// Parameter of a task, as YAML.
    task_parameter: String,
    /// The record of the inputs as a file of each step, as YAML; empty if it is a parameter.
    record: String,
    task: Vec<String>,
    verify: Vec<String>,
}

/// True if a path cannot be the default of a parameter.
fn has_no_default(path: &Path) -> bool {
    path.is_absolute() || path.components().any(|part| part == Component::ParentDir)
}

/// Default of a path parameter, as YAML.
fn default_path(path: &Path) -> Result<String, SubmitError> {
    let text = path
        .to_str()
        .ok_or_else(|| SubmitError::invalid(format!("{}: not Unicode", path.shown())))?;
    Ok(if has_no_default(path) {
        "# no default: the standard forbids absolute paths and paths with ..".to_owned()
    } else {
        format!("default: {}", quoted(text))
    })
}

/// Parameter of the folder of the pictures.
fn output_dir(plan: &Plan) -> Result<String, SubmitError> {
    Ok(format!(
        "  - name: OutputDir\n    type: PATH\n    objectType: DIRECTORY\n    dataFlow: OUT\n    {}\n",
        default_path(&plan.folder)?
    ))
}

fn of_frames(frames: &Frames, plan: &Plan) -> Result<Parts, SubmitError> {
    let file = frames.output.rsplit('/').next().unwrap_or_default();
    let inputs = format!(
        r##"  - name: SceneFile
    type: PATH
    objectType: FILE
    dataFlow: IN
    {scene}
    description: The scene; files that it names are found relative to it.
  - name: Frames
    type: STRING
    default: {list}
    description: "Frames to draw: 0-47, 1-100:5, 0,7,20-30"
{folder}  - name: FileName
    type: STRING
    default: {file}
    description: "File name of the pictures; #### is the frame number."
  - name: ChunkSize
    type: INT
    default: {chunk}
    minValue: 1
    description: Frames per task.
"##,
        scene = default_path(&frames.scene)?,
        // In Open Job Description the step of a range follows a colon.
        list = quoted(&plan.part.replace('x', ":")),
        folder = output_dir(plan)?,
        file = quoted(file),
        chunk = plan.chunk,
    );
    let task_parameter = r#"        - name: Frame
          type: CHUNK[INT]
          range: "{{Param.Frames}}"
          chunks:
            defaultTaskCount: "{{Param.ChunkSize}}"
            targetRuntimeSeconds: 0
            rangeConstraint: NONCONTIGUOUS
"#;
    let with = |frames: &str, rest: &[&str]| -> Vec<String> {
        let output = "{{Param.OutputDir}}/{{Param.FileName}}";
        let words = ["{{Param.SceneFile}}", "-f", frames, "-o", output];
        words.iter().chain(rest).map(|&word| word.to_owned()).collect()
    };
    let options = options_of(&frames.pictures.settings);
    let inputs_file = ["--inputs", "{{Task.File.Inputs}}"];
    let rest = ["--retries", "3", "--keep-going", "--allow-empty", "--record"];
    let task = with("{{Task.Param.Frame}}", &[&rest[..], &inputs_file].concat());
    let verify = with("{{Param.Frames}}", &[&["--tidy"][..], &inputs_file].concat());
    Ok(Parts {
        extensions: "extensions: [TASK_CHUNKING]\n",
        inputs,
        task_parameter: task_parameter.to_owned(),
        record: embedded(&plan.record.text()),
        task: [vec!["render".to_owned()], task, options.clone()].concat(),
        verify: [vec!["verify".to_owned()], verify, options].concat(),
    })
}

/// A file in a script, as YAML.
fn embedded(text: &str) -> String {
    let mut yaml =
        "      embeddedFiles:\n        - name: Inputs\n          type: TEXT\n          data: |\n"
            .to_owned();
    for line in text.lines() {
        // Writing to a string cannot fail.
        let _ = writeln!(yaml, "            {line}");
    }
    yaml
}

/// A path of an option that is a parameter of the job.
struct OptionPath {
    name: String,
    path: PathBuf,
}

/// The options of a job of models with parameters instead of paths, and these parameters. Tasks run
/// in a folder that the engine chooses.
fn option_paths(models: &Models, is_bundle: bool) -> (Vec<String>, Vec<OptionPath>) {
    let mut paths = Vec::new();
    let argv = with_paths(&models.argv, |option, path| {
        if !is_bundle && has_no_default(path) {
            return std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).shown();
        }
        let word = if option == "--anim" { "Anim" } else { "Textures" };
        let name = format!("{word}{}", paths.len() + 1);
        let used = format!("{{{{Param.{name}}}}}");
        paths.push(OptionPath { name, path: path.to_owned() });
        used
    });
    (argv, paths)
}

fn of_models(models: &Models, plan: &Plan, is_bundle: bool) -> Result<Parts, SubmitError> {
    let (argv, paths) = option_paths(models, is_bundle);
    let mut named = String::new();
    for OptionPath { name, path } in &paths {
        let kind = if path.is_dir() { "DIRECTORY" } else { "FILE" };
        let _ = write!(
            named,
            "  - name: {name}\n    type: PATH\n    objectType: {kind}\n    dataFlow: IN\n    {}\n",
            default_path(path)?
        );
    }
    let inputs = format!(
        r##"  - name: ModelsDir
    type: PATH
    objectType: DIRECTORY
    dataFlow: NONE
    {base}
    description: The folder of the models; a bundle lists the files in it that the job needs.
  - name: List
    type: PATH
    objectType: FILE
    dataFlow: IN
    {list}
    description: The models, one path relative to that folder per line.
  - name: Inputs
    type: PATH
    objectType: FILE
    dataFlow: IN
    {record}
    description: The digests of all input files; a task that finds other files draws nothing.
{named}{folder}  - name: Shards
    type: INT
    default: {tasks}
    minValue: 1
    description: Number of tasks that the models are split into.
"##,
        base = default_path(&models.base)?,
        list = default_path(Path::new(&plan.part))?,
        record = default_path(&plan.record_path())?,
        folder = output_dir(plan)?,
        tasks = plan.tasks,
    );
    let task_parameter =
        "        - name: Shard\n          type: INT\n          range: \"1-{{Param.Shards}}\"\n";
    let output = match models.command {
        JobKind::Thumbnail => "{{Param.OutputDir}}".to_owned(),
        JobKind::Turntable => {
            format!("{{{{Param.OutputDir}}}}/{}", models.split_output().1)
        }
    };
    let list = "{{Param.List}}";
    let job = Job::Models(Models {
        base: PathBuf::from("{{Param.ModelsDir}}"),
        all: PathBuf::from(list),
        output,
        argv,
        ..models.clone()
    });
    // A failing task ends the session: no other model would be drawn or verified.
    let mut task = job.task(list, "{{Task.Param.Shard}}/{{Param.Shards}}");
    task.push("--defer-failures".to_owned());
    let inputs_file = ["--inputs", "{{Param.Inputs}}"].map(str::to_owned);
    task.extend(inputs_file.clone());
    Ok(Parts {
        extensions: "",
        inputs,
        task_parameter: task_parameter.to_owned(),
        record: String::new(),
        task,
        verify: [job.verify(None), inputs_file.to_vec()].concat(),
    })
}
