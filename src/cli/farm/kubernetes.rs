//! An Indexed Job of Kubernetes: one pod for each shard.

use super::plan::Plan;
use super::{Failure, job_name, quoted};
use std::path::Path;

/// Where the volume is mounted; paths of the scene and the frames are relative to it.
const MOUNT: &str = "/farm";
/// How many pods run at once, unless somebody edits the file.
const PARALLELISM: u64 = 16;
/// What the API server takes: pods of a job, and of one with a limit for each index.
const MOST_TASKS: u64 = 100_000;

/// The manifest as YAML.
///
/// # Errors
/// A [`super::Failure`] if a path lies outside of the volume, or there are too many tasks.
pub(super) fn job(plan: &Plan, image: &str, claim: &str) -> Result<String, Failure> {
    for (what, path) in [("the scene", plan.scene.as_path()), ("--output", Path::new(&plan.output))]
    {
        let goes_up = path.components().any(|part| part == std::path::Component::ParentDir);
        if path.is_absolute() || goes_up {
            return Err(Failure::bad_input(format!(
                "{what}: {}: pods see the volume alone, as {MOUNT}; run this where its files lie, and name them from there",
                path.display()
            )));
        }
    }
    if plan.tasks > MOST_TASKS {
        return Err(Failure::bad_input(format!(
            "--chunk: {} frames make {} tasks; Kubernetes takes {MOST_TASKS}, so say --chunk {} or more",
            plan.chunk,
            plan.tasks,
            (plan.frames.len() as u64).div_ceil(MOST_TASKS)
        )));
    }
    let command = [
        plan.program.as_str(),
        "render",
        &plan.scene.to_string_lossy(),
        "-f",
        &plan.frames.to_string(),
        "--shard",
        &format!("k8s/{}", plan.tasks),
        "-o",
        &plan.output,
        "-j",
        &plan.cpus.to_string(),
        "--retries",
        "3",
        "--keep-going",
        "--record",
    ]
    .map(str::to_owned);
    let words: Vec<String> = command.iter().chain(&plan.options).map(|word| quoted(word)).collect();
    Ok(format!(
        r#"# {described}.
# The volume claim holds scene, assets and frames; when the job is done, run in a pod of it:
#   {verify}
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}
spec:
  completionMode: Indexed
  completions: {tasks}
  parallelism: {parallelism}
  backoffLimitPerIndex: 5
  maxFailedIndexes: {tasks}
  # never two pods of one index
  podReplacementPolicy: Failed
  podFailurePolicy:
    rules:
      - action: Ignore                # a node that was drained or lost is no failure of the frame
        onPodConditions:
          - type: DisruptionTarget
      - action: FailIndex             # bad input, or frames that failed for good: never worth a retry
        onExitCodes:
          containerName: render
          operator: In
          values: [2, 3]
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 10
      containers:
        - name: render
          image: {image}
          workingDir: {MOUNT}
          command: [{command}]
          resources:
            requests: {{ cpu: "{cpus}", memory: {memory}Mi }}
            limits: {{ memory: {memory}Mi }}
          volumeMounts:
            - name: farm
              mountPath: {MOUNT}
      volumes:
        - name: farm
          persistentVolumeClaim:
            claimName: {claim}
"#,
        described = plan.described(),
        verify = super::stop::command_of(
            &[
                &[plan.program.clone(), "verify".to_owned()][..],
                &[plan.scene.display().to_string(), "-f".to_owned(), plan.frames.to_string()],
                &["-o".to_owned(), plan.output.clone(), "--tidy".to_owned()],
                &plan.options[..],
            ]
            .concat()
        ),
        name = quoted(&job_name(&plan.name)),
        tasks = plan.tasks,
        parallelism = PARALLELISM.min(plan.tasks),
        image = quoted(image),
        command = words.join(", "),
        cpus = plan.cpus,
        memory = plan.memory_mib,
        claim = quoted(claim),
    ))
}
