//! Diagnosis of stuck tasks: the reasons why they do not start, and the commands that help.
//!
//! Held tasks and drained nodes require action by a person; tasks that wait for their turn do not.
//! The queue gives the reason of each waiting task, and `sinfo` the nodes of a partition that
//! accept tasks.

use super::slurm::client::Slurm;
use super::slurm::queue::{NodeState, QueuedTask};
use serde::Serialize;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use tintype_base::amount::counted;
use tintype_base::shell;

/// Maximum number of tasks that are listed one by one; more are listed by their jobs.
const MAX_NAMED: usize = 12;

/// A problem that requires action, with its remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// The problem.
    pub problem: String,
    /// The command to type, or the action to take.
    pub remedy: String,
}

/// Tasks that do not start without intervention, and the reasons.
#[derive(Debug, Default)]
pub struct Diagnosis {
    /// Tasks that never start without intervention.
    pub tasks: Vec<QueuedTask>,
    /// Problems with their remedies.
    pub advice: Vec<Advice>,
}

impl Diagnosis {
    /// Diagnoses the tasks of a submission; queries Slurm for nodes only if tasks wait for them.
    pub fn of(queue: &[QueuedTask], folder: &str, slurm: Slurm) -> Self {
        let unknown = RefCell::new(Vec::new());
        let nodes = |partition: &str| {
            slurm.nodes(partition).unwrap_or_else(|error| {
                unknown.borrow_mut().push(Advice {
                    problem: format!("cannot list the nodes of partition {partition} ({error})"),
                    remedy: format!("check with sinfo -p {partition} whether any accepts tasks"),
                });
                Vec::new()
            })
        };
        let mut diagnosis = Self::from_nodes(queue, folder, &nodes);
        diagnosis.advice.extend(unknown.into_inner());
        diagnosis
    }

    fn from_nodes(
        queue: &[QueuedTask],
        folder: &str,
        nodes: &dyn Fn(&str) -> Vec<NodeState>,
    ) -> Self {
        let mut diagnosis = Self::default();

        // 1. Nodes: only if no node of a partition accepts tasks; a single node that is down
        //    requires no action.
        let waiting = queue.iter().filter(|task| task.waits_for_nodes());
        let mut by_partition: BTreeMap<&str, Vec<&QueuedTask>> = BTreeMap::new();
        for task in waiting {
            by_partition.entry(&task.partition).or_default().push(task);
        }
        for (partition, tasks) in by_partition {
            let nodes = nodes(partition);
            if nodes.is_empty() || nodes.iter().any(NodeState::accepts_tasks) {
                continue;
            }
            diagnosis.advice.extend(about_nodes(partition, &nodes));
            diagnosis.tasks.extend(tasks.into_iter().cloned());
        }

        // 2. Held tasks: by Slurm after a failed launch, or by a person.
        let mut held: BTreeMap<&str, Vec<&QueuedTask>> = BTreeMap::new();
        for task in queue.iter().filter(|task| task.is_held()) {
            held.entry(&task.reason).or_default().push(task);
            diagnosis.tasks.push(task.clone());
        }
        for (reason, tasks) in held {
            let are = if tasks.len() == 1 { "is" } else { "are" };
            let count = counted(tasks.len(), "task");
            let by_admin = reason.eq_ignore_ascii_case("JobHeldAdmin");
            let who = if by_admin { "ask an administrator to run: " } else { "" };
            diagnosis.advice.push(Advice {
                problem: format!("{count} {are} held ({reason})"),
                remedy: format!("{who}scontrol release {}", named(&tasks)),
            });
        }

        // 3. Tasks whose request can never be met.
        let mut never: BTreeMap<&str, usize> = BTreeMap::new();
        for task in queue.iter().filter(|task| task.can_never_start()) {
            *never.entry(&task.reason).or_default() += 1;
            diagnosis.tasks.push(task.clone());
        }
        for (reason, count) in never {
            let problem = format!("{} will never start ({reason})", counted(count, "task"));
            let remedy = format!(
                "run `tintype farm cancel {}`, then submit with another --partition, --time, --memory or --cpus",
                shell::quoted(folder)
            );
            diagnosis.advice.push(Advice { problem, remedy });
        }
        diagnosis
    }
}

/// The tasks in the form of scontrol.
fn named(tasks: &[&QueuedTask]) -> String {
    let jobs: BTreeSet<&str> = tasks.iter().map(|task| task.job.as_str()).collect();
    let all: Vec<String> = if tasks.len() <= MAX_NAMED {
        tasks.iter().map(|task| task.name()).collect()
    } else {
        jobs.into_iter().map(str::to_owned).collect()
    };
    all.join(",")
}

/// Advice about nodes if none of them accepts tasks, grouped by state and reason.
fn about_nodes(partition: &str, nodes: &[NodeState]) -> Vec<Advice> {
    let mut alike: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for node in nodes {
        alike.entry((node.word(), &node.reason)).or_default().push(&node.name);
    }
    let advice = alike.into_iter().map(|((state, reason), names)| {
        let list = names.join(",");
        let is_drained = state.starts_with("drain");
        let first = if is_drained {
            "ask an administrator to run"
        } else {
            "make sure slurmd runs there, then ask an administrator to run"
        };
        Advice {
            problem: format!(
                "no node of partition {partition} accepts tasks: {list} {state} ({reason})"
            ),
            remedy: format!("{first}: scontrol update nodename={list} state=resume"),
        }
    });
    advice.collect()
}

#[cfg(test)]
mod tests {
    use super::super::slurm::client::Output;
    use super::*;

    fn queued(task: u64, reason: &str) -> QueuedTask {
        QueuedTask {
            job: "12".to_owned(),
            task: Some(task),
            state: "PENDING".to_owned(),
            node: String::new(),
            partition: "render".to_owned(),
            reason: reason.to_owned(),
            comment: None,
            excluded: None,
        }
    }

    fn node(name: &str, state: &str, reason: &str) -> NodeState {
        let [name, state, reason] = [name, state, reason].map(str::to_owned);
        NodeState { name, state, reason }
    }

    const DOWN: &str = "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";

    #[test]
    fn diagnosis_names_commands_after_the_controller_was_killed() {
        let queue = [
            queued(1, "launch failed requeued held"),
            queued(3, "launch failed requeued held"),
            queued(4, DOWN),
        ];
        let drained = |_: &str| {
            vec![
                node("n1", "drained", "Duplicate jobid"),
                node("n2", "drained", "Duplicate jobid"),
                node("n3", "down*", "Not responding"),
            ]
        };
        let diagnosis = Diagnosis::from_nodes(&queue, "/out", &drained);
        let said: Vec<String> =
            diagnosis.advice.iter().map(|one| format!("{}: {}", one.problem, one.remedy)).collect();
        assert_eq!(diagnosis.tasks.len(), 3);
        assert_eq!(
            said,
            [
                "no node of partition render accepts tasks: n3 down (Not responding): make sure slurmd runs there, then ask an administrator to run: scontrol update nodename=n3 state=resume",
                "no node of partition render accepts tasks: n1,n2 drained (Duplicate jobid): ask an administrator to run: scontrol update nodename=n1,n2 state=resume",
                "2 tasks are held (launch failed requeued held): scontrol release 12_1,12_3",
            ]
        );
    }

    #[test]
    fn diagnosis_tells_of_nodes_that_slurm_does_not_list() {
        let run = |_: &str, _: &[&str]| {
            let stderr = "Unable to contact slurm controller".to_owned();
            Ok(Output { stderr, ..Output::default() })
        };
        let diagnosis = Diagnosis::of(&[queued(4, DOWN)], "/out", Slurm(&run));
        assert!(diagnosis.tasks.is_empty());
        let problem = &diagnosis.advice[0].problem;
        assert!(
            problem.contains("nodes of partition render") && problem.contains("Unable"),
            "{problem}"
        );
        assert!(Diagnosis::of(&[queued(4, "Priority")], "/out", Slurm(&run)).advice.is_empty());
    }

    #[test]
    fn diagnosis_ignores_tasks_that_wait_for_their_turn() {
        let one_left = |_: &str| vec![node("n1", "drained", "x"), node("n2", "mixed", "none")];
        for reason in ["Resources", "Priority", "BeginTime", "Dependency", "None", DOWN] {
            let diagnosis = Diagnosis::from_nodes(&[queued(0, reason)], "/out", &one_left);
            assert!(diagnosis.tasks.is_empty() && diagnosis.advice.is_empty(), "{reason}");
        }
        let never = Diagnosis::from_nodes(&[queued(0, "PartitionTimeLimit")], "/out", &one_left);
        assert!(never.advice.iter().any(|one| one.remedy.contains("farm cancel /out")));
        let many: Vec<QueuedTask> = (0..40).map(|task| queued(task, "JobHeldUser")).collect();
        let diagnosis = Diagnosis::from_nodes(&many, "/out", &one_left);
        assert_eq!(diagnosis.advice[0].remedy, "scontrol release 12");
    }
}
