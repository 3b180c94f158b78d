//! A job template of Open Job Description (2023-09): one step that draws, one that verifies.
//!
//! The engine divides frames into chunks, with the task chunking of that standard, and models into numbered shards of their list.

use super::argv::{paths_in, with_whole_paths};
use super::error::SubmitError;
use super::job::{Frames, Job, Maker, Models};
use super::plan::Plan;
use super::text::quoted;
use std::path::{Component, Path, PathBuf};
use tintype_model::diagnostic::one_line;
use tintype_model::disk::ShowPath;

/// Seconds between the request to end and the end: tasks need two.
const NOTIFY_S: u32 = 10;

/// The template as YAML. Paths are parameters; a relative path is the default of its parameter, relative to the folder of the
/// template, as the standard specifies.
///
/// # Errors
/// A [`super::SubmitError`] if a path is not Unicode.
pub fn template(plan: &Plan) -> Result<String, SubmitError> {
    let mut parts = match &plan.job {
        Job::Frames(frames) => of_frames(frames, plan)?,
        Job::Models(models) => of_models(models, plan)?,
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
    description: The program on the workers.
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
      actions:
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
      actions:
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
        task = words(&parts.task),
        verify = words(&parts.verify),
    ))
}

/// Name and text of each file of a job bundle, as `deadline bundle submit` takes it.
pub type Bundle = [(&'static str, String); 3];

/// A job bundle of AWS Deadline Cloud: the template, the values of its paths, which are absolute, and references to all files that the
/// pictures are made from, so that the service takes textures along.
///
/// # Errors
/// A [`super::SubmitError`] if a path is not Unicode, or there is no working folder.
pub fn bundle(plan: &Plan) -> Result<Bundle, SubmitError> {
    let folder = whole(&plan.folder)?;
    let (mut values, mut files, mut folders) = (Vec::new(), Vec::new(), Vec::new());
    match &plan.job {
        Job::Frames(frames) => values.push(("SceneFile", whole(&frames.scene)?)),
        Job::Models(models) => {
            values.push(("ModelsDir", whole(&models.base)?));
            values.push(("List", whole(Path::new(&plan.part))?));
            files.push(whole(Path::new(&plan.part))?);
            folders.push(whole(&models.base)?);
            for path in paths_in(&models.argv).map(Path::new) {
                let list = if path.is_dir() { &mut folders } else { &mut files };
                list.push(whole(path)?);
            }
        }
    }
    values.push(("OutputDir", folder.clone()));
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
        ("template.yaml", template(plan)?),
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
    task: Vec<String>,
    verify: Vec<String>,
}

/// Default of a path parameter, as YAML.
fn default_path(path: &Path) -> Result<String, SubmitError> {
    let text = path
        .to_str()
        .ok_or_else(|| SubmitError::invalid(format!("{}: not Unicode", path.shown())))?;
    let goes_up = path.components().any(|part| part == Component::ParentDir);
    Ok(match path.is_absolute() || goes_up {
        true => "# no default: the standard allows no absolute path and none with ..".to_owned(),
        false => format!("default: {}", quoted(text)),
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
    description: The scene; the files that it names are found beside it.
  - name: Frames
    type: STRING
    default: {list}
    description: "Which frames: 0-47, 1-100:5, 0,7,20-30"
{folder}  - name: FileName
    type: STRING
    default: {file}
    description: "The name of a picture; #### is the frame."
  - name: ChunkSize
    type: INT
    default: {chunk}
    minValue: 1
    description: Frames in a task.
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
    let options = frames.pictures.overrides.argv();
    let rest = ["--retries", "3", "--keep-going", "--allow-empty", "--record"];
    let task = with("{{Task.Param.Frame}}", &rest);
    let verify = with("{{Param.Frames}}", &["--tidy"]);
    Ok(Parts {
        extensions: "extensions: [TASK_CHUNKING]\n",
        inputs,
        task_parameter: task_parameter.to_owned(),
        task: [vec!["render".to_owned()], task, options.clone()].concat(),
        verify: [vec!["verify".to_owned()], verify, options].concat(),
    })
}

fn of_models(models: &Models, plan: &Plan) -> Result<Parts, SubmitError> {
    let inputs = format!(
        r##"  - name: ModelsDir
    type: PATH
    objectType: DIRECTORY
    dataFlow: IN
    {base}
    description: The folder of the models.
  - name: List
    type: PATH
    objectType: FILE
    dataFlow: IN
    {list}
    description: The models, a path from that folder in each line.
{folder}  - name: Shards
    type: INT
    default: {tasks}
    minValue: 1
    description: How many tasks share the models.
"##,
        base = default_path(&models.base)?,
        list = default_path(Path::new(&plan.part))?,
        folder = output_dir(plan)?,
        tasks = plan.tasks,
    );
    let task_parameter =
        "        - name: Shard\n          type: INT\n          range: \"1-{{Param.Shards}}\"\n";
    let output = match models.command {
        Maker::Thumbnail => "{{Param.OutputDir}}".to_owned(),
        Maker::Turntable => {
            format!("{{{{Param.OutputDir}}}}/{}", models.split_output().1)
        }
    };
    // Tasks run in a folder that the engine chooses.
    let argv = with_whole_paths(&models.argv)
        .map_err(|error| SubmitError::unreadable(Path::new("."), &error))?;
    let list = "{{Param.List}}";
    let job = Job::Models(Models {
        base: PathBuf::from("{{Param.ModelsDir}}"),
        all: PathBuf::from(list),
        output,
        argv,
        ..models.clone()
    });
    // A task that fails ends the session: no other model would be drawn, and nothing verified.
    let mut task = job.task(list, "{{Task.Param.Shard}}/{{Param.Shards}}");
    task.push("--defer-failures".to_owned());
    Ok(Parts {
        extensions: "",
        inputs,
        task_parameter: task_parameter.to_owned(),
        task,
        verify: job.verify(None),
    })
}
