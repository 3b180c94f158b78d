//! An Indexed Job of Kubernetes: one pod for each shard.

use super::argv::paths_in;
use super::error::SubmitError;
use super::job::Job;
use super::plan::Plan;
use super::shell::command_line;
use super::text::{job_name, quoted};
use crate::diagnostic::one_line;
use std::path::PathBuf;

/// Mount point of the volume; all paths are relative to it.
const MOUNT: &str = "/farm";
/// Largest number of pods that run at once, unless the file is edited.
const PARALLELISM: u64 = 16;
/// Largest number of pods of a job that has a retry limit for each index; a limit of the API server.
const MOST_TASKS: u64 = 100_000;

/// Refuses paths outside of the volume.
fn refuse_what_pods_do_not_see(plan: &Plan) -> Result<(), SubmitError> {
    let mut paths = plan.job.inputs(&plan.part);
    paths.push(("--output", plan.folder.clone()));
    if let Job::Models(models) = &plan.job {
        paths.extend(paths_in(&models.argv).map(|path| ("an option", PathBuf::from(path))));
    }
    for (what, path) in paths {
        let goes_up = path.components().any(|part| part == std::path::Component::ParentDir);
        if path.is_absolute() || goes_up {
            return Err(SubmitError::invalid(format!(
                "{what}: {}: pods see only the volume, mounted at {MOUNT}; run this in the folder of the volume, with relative paths",
                path.display()
            )));
        }
    }
    Ok(())
}

/// The manifest as YAML.
///
/// # Errors
/// A [`super::SubmitError`] if a path is outside of the volume, or there are too many tasks.
pub fn job(plan: &Plan, image: &str, claim: &str) -> Result<String, SubmitError> {
    refuse_what_pods_do_not_see(plan)?;
    if plan.tasks > MOST_TASKS {
        return Err(SubmitError::invalid(format!(
            "--chunk: {} {}s make {} tasks; Kubernetes allows {MOST_TASKS}: use --chunk {} or more",
            plan.chunk,
            plan.job.noun(),
            plan.tasks,
            (plan.count as u64).div_ceil(MOST_TASKS)
        )));
    }
    let mut command = plan.task(&format!("k8s/{}", plan.tasks));
    command.extend(["-j".to_owned(), plan.cpus.to_string()]);
    let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
    Ok(format!(
        r#"# {described}.
# The volume claim holds inputs and pictures; when the job is done, run in a pod with this claim:
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
      - action: Ignore                # a node that was drained or lost is no failure of the task
        onPodConditions:
          - type: DisruptionTarget
      - action: FailIndex             # bad input, or pictures that failed for good: never worth a retry
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
        described = one_line(&plan.described()),
        verify = one_line(&command_line(&plan.verify(None))),
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
