//! A job template of Open Job Description (2023-09, with task chunking): one step that renders, one that verifies.

use super::plan::Plan;
use super::{Failure, quoted};
use std::fmt::Write;
use std::path::{Component, Path};

/// Seconds between the request to end and the end: `render` needs two.
const NOTIFY_S: u32 = 10;

/// The template as YAML. Its paths are parameters; those that are named from here are their own defaults, as the standard has it
/// from the folder of the template.
///
/// # Errors
/// A [`super::Failure`] if a path is no Unicode.
pub(super) fn template(plan: &Plan) -> Result<String, Failure> {
    let default = |path: &Path| -> Result<String, Failure> {
        let text = path
            .to_str()
            .ok_or_else(|| Failure::bad_input(format!("{}: not Unicode", path.display())))?;
        let goes_up = path.components().any(|part| part == Component::ParentDir);
        Ok(match path.is_absolute() || goes_up {
            true => "# no default: the standard has none that is whole or leads upwards".to_owned(),
            false => format!("default: {}", quoted(text)),
        })
    };
    let scene = default(&plan.scene)?;
    let folder = default(&plan.folder)?;
    let file = plan.output.rsplit('/').next().unwrap_or_default();
    // In this language the step of a range follows a colon.
    let frames = plan.frames.to_string().replace('x', ":");
    let title: String =
        plan.name.chars().filter(|c| !c.is_control() && !"{}".contains(*c)).take(40).collect();
    let mut shared = String::new();
    for word in &plan.options {
        let _ = write!(shared, ", {}", quoted(word));
    }
    Ok(format!(
        r##"# {described}.
# Save it where this was written from: its paths count from its own folder. openjd check FILE, openjd run FILE.
specificationVersion: jobtemplate-2023-09
extensions: [TASK_CHUNKING]
name: {title}
parameterDefinitions:
  - name: SceneFile
    type: PATH
    objectType: FILE
    dataFlow: IN
    {scene}
    description: The scene; the files that it names are found beside it.
  - name: Frames
    type: STRING
    default: {frames}
    description: "Which frames: 0-47, 1-100:5, 0,7,20-30"
  - name: OutputDir
    type: PATH
    objectType: DIRECTORY
    dataFlow: OUT
    {folder}
  - name: FileName
    type: STRING
    default: {file}
    description: "The name of a picture; #### is the frame."
  - name: ChunkSize
    type: INT
    default: {chunk}
    minValue: 1
    description: Frames in a task.
  - name: Threads
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
        - name: Frame
          type: CHUNK[INT]
          range: "{{{{Param.Frames}}}}"
          chunks:
            defaultTaskCount: "{{{{Param.ChunkSize}}}}"
            targetRuntimeSeconds: 0
            rangeConstraint: NONCONTIGUOUS
    script:
      actions:
        onRun:
          command: "{{{{Param.Tintype}}}}"
          args: ["render", "{{{{Param.SceneFile}}}}", "-f", "{{{{Task.Param.Frame}}}}", "-o", "{{{{Param.OutputDir}}}}/{{{{Param.FileName}}}}", "-j", "{{{{Param.Threads}}}}", "--progress", "openjd", "--retries", "3", "--keep-going", "--allow-empty", "--record"{shared}]
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
          args: ["verify", "{{{{Param.SceneFile}}}}", "-f", "{{{{Param.Frames}}}}", "-o", "{{{{Param.OutputDir}}}}/{{{{Param.FileName}}}}", "--tidy"{shared}]
"##,
        described = plan.described(),
        title = quoted(&format!("tintype {title}")),
        scene = scene,
        frames = quoted(&frames),
        folder = folder,
        file = quoted(file),
        chunk = plan.chunk,
        cpus = plan.cpus,
        memory = plan.memory_mib,
        program = quoted(&plan.program),
    ))
}
