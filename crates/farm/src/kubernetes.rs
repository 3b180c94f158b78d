//! An Indexed Job of Kubernetes, with one pod per shard, and a job that verifies.
//!
//! Pods run our container image as its user, write only to the volume, and need no privileges.

use super::argv::paths_in;
use super::error::SubmitError;
use super::job::Job;
use super::plan::Plan;
use super::text::{job_name, quoted};
use std::path::PathBuf;
use tintype_base::path::ShowPath;
use tintype_base::printable::one_line;

/// Mount point of the volume; all paths are relative to it.
const MOUNT: &str = "/farm";
/// The user and group of our container image.
const USER: u32 = 65532;
/// Seconds for which an ended job is kept, for its logs.
const KEPT_S: u32 = 7 * 24 * 3600;
/// Maximum duration of a verification in seconds.
const VERIFY_S: u64 = 12 * 3600;
/// Maximum number of pods that run at once, unless the file is edited.
const PARALLELISM: u64 = 16;
/// Maximum number of pods of a job with a retry limit per index; a limit of the API server.
const MAX_TASKS: u64 = 100_000;

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
                "{what}: {}: pods see only the volume, mounted at {MOUNT}; run this in the volume's folder, with relative paths",
                path.shown()
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
    if plan.tasks > MAX_TASKS {
        return Err(SubmitError::invalid(format!(
            "--chunk: {} {}s make {} tasks, but Kubernetes allows {MAX_TASKS}; use --chunk {} or more",
            plan.chunk,
            plan.job.noun(),
            plan.tasks,
            (plan.count as u64).div_ceil(MAX_TASKS)
        )));
    }
    let mut command = plan.task(&format!("k8s/{}", plan.tasks));
    command.extend(["-j".to_owned(), plan.cpus.to_string()]);
    let name = format!("{}-{}", job_name(&plan.name), unique(&plan.id));
    let container = |name: &str, command: &[String], cpus: u32| {
        container(name, &quoted(image), command, (cpus, plan.memory_mib))
    };
    let pod = |deadline_s: u64| pod(deadline_s, &quoted(claim));
    Ok(format!(
        r#"# {described}.
# For Kubernetes 1.29 or newer (per-index limits are stable since 1.33). The claim {claim_told} holds inputs and pictures: its access mode
# is ReadWriteMany if pods run on several nodes; ReadWriteOnce keeps all of them on one.
#   kubectl apply -f FILE
# The second job verifies all pictures. It is suspended until the first has ended, which this waits for:
#   until kubectl get job {name} -o 'jsonpath={{.status.conditions[*].type}}' | grep -Eq 'Complete|Failed'; do sleep 10; done
#   kubectl patch job {name}-verify -p '{{"spec":{{"suspend":false}}}}'
apiVersion: batch/v1
kind: Job
metadata:
  name: {quoted_name}
spec:
  completionMode: Indexed
  completions: {tasks}
  parallelism: {parallelism}
  backoffLimitPerIndex: 5
  maxFailedIndexes: {tasks}
  ttlSecondsAfterFinished: {KEPT_S}
  # never two pods of one index
  podReplacementPolicy: Failed
  podFailurePolicy:
    rules:
      - action: Ignore                # a drained or lost node is not a failure of the task
        onPodConditions:
          - type: DisruptionTarget
      - action: FailIndex             # bad input, or pictures that failed permanently: never retry
        onExitCodes:
          containerName: render
          operator: In
          values: [2, 3]
  template:
    spec:
{pod}{render}---
apiVersion: batch/v1
kind: Job
metadata:
  name: {quoted_verify}
spec:
  suspend: true
  backoffLimit: 5
  ttlSecondsAfterFinished: {KEPT_S}
  podFailurePolicy:
    rules:
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
      - action: FailJob               # its verdict: pictures are missing
        onExitCodes:
          containerName: verify
          operator: In
          values: [1, 2, 3]
  template:
    spec:
{verify_pod}{verify}"#,
        described = one_line(&plan.described()),
        claim_told = one_line(claim),
        quoted_name = quoted(&name),
        quoted_verify = quoted(&format!("{name}-verify")),
        tasks = plan.tasks,
        parallelism = PARALLELISM.min(plan.tasks),
        pod = pod(plan.limit_minutes() * 60),
        render = container("render", &command, plan.cpus),
        verify_pod = pod(VERIFY_S),
        verify = container("verify", &plan.verify(None), 1),
    ))
}

/// A container of a pod, with its CPUs and MiB of memory; `image` is quoted.
fn container(name: &str, image: &str, command: &[String], (cpus, memory): (u32, u64)) -> String {
    let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
    format!(
        r#"        - name: {name}
          image: {image}
          workingDir: {MOUNT}
          command: [{command}]
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: {{ drop: [ALL] }}
          resources:
            requests: {{ cpu: "{cpus}", memory: {memory}Mi }}
            limits: {{ memory: {memory}Mi }}
          volumeMounts:
            - name: farm
              mountPath: {MOUNT}
"#,
        command = words.join(", "),
    )
}

/// A pod up to its containers; `claim` is quoted.
fn pod(deadline_s: u64, claim: &str) -> String {
    format!(
        r#"      restartPolicy: Never
      terminationGracePeriodSeconds: 10
      activeDeadlineSeconds: {deadline_s}
      automountServiceAccountToken: false
      securityContext:                # the user of the image; the volume is made writable for its group
        runAsNonRoot: true
        runAsUser: {USER}
        runAsGroup: {USER}
        fsGroup: {USER}
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile: {{ type: RuntimeDefault }}
      volumes:
        - name: farm
          persistentVolumeClaim:
            claimName: {claim}
      containers:
"#,
    )
}

/// A suffix for names, from the name of a submission: its milliseconds in letters and digits.
fn unique(id: &str) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let first = id.split('-').next().unwrap_or_default();
    let mut number = first.parse::<u64>().unwrap_or_default();
    let mut letters = Vec::new();
    while number > 0 || letters.is_empty() {
        let digit = usize::try_from(number % 36).unwrap_or_default();
        letters.push(char::from(DIGITS[digit]));
        number /= 36;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_jobs_are_unique_and_short() {
        assert_eq!(unique("1763854000000-77-0"), "miax4osg");
        assert_ne!(unique("1763854000000-77-0"), unique("1763854000001-77-0"));
        assert_eq!(unique(""), "0");
    }
}
