//! Tasks in the queue and nodes, as written by `squeue` and `sinfo`.

use std::collections::BTreeMap;

/// A task in the queue.
#[derive(Clone, Debug, serde::Serialize)]
pub struct QueuedTask {
    /// Number of the job.
    pub job: String,
    /// Index in the array; `None` for a job that is not an array.
    pub task: Option<u64>,
    /// State, such as `PENDING`.
    pub state: String,
    /// Nodes that it runs on.
    pub node: String,
    /// Partition.
    pub partition: String,
    /// Reason why it waits.
    pub reason: String,
    /// Comment set by the task script if its log may be unreachable.
    pub comment: Option<String>,
    /// Nodes that it must avoid, in Slurm's notation; `None` if unknown.
    #[serde(skip)]
    pub excluded: Option<String>,
}

impl QueuedTask {
    /// True if it waits and may run on the node.
    pub fn may_come_to(&self, node: &str) -> bool {
        let excluded = self.excluded.as_deref().filter(|_| self.state == "PENDING");
        excluded.is_some_and(|list| !names_node(list, node))
    }

    /// True if it has ended.
    pub fn has_ended(&self) -> bool {
        ![
            "PENDING",
            "RUNNING",
            "CONFIGURING",
            "COMPLETING",
            "SUSPENDED",
            "REQUEUED",
            "REQUEUE_HOLD",
            "SPECIAL_EXIT",
            "STAGE_OUT",
            "SIGNALING",
            "RESIZING",
            "STOPPED",
        ]
        .contains(&self.state.as_str())
    }

    /// Its number, in the form of Slurm's programs.
    pub fn name(&self) -> String {
        self.task.map_or_else(|| self.job.clone(), |task| format!("{}_{task}", self.job))
    }

    /// True if it is held until a person releases it.
    pub fn is_held(&self) -> bool {
        let reason = self.reason.to_ascii_lowercase();
        ["REQUEUE_HOLD", "SPECIAL_EXIT"].contains(&self.state.as_str())
            || self.state == "PENDING" && reason.contains("held")
    }

    /// True if it waits for nodes that currently accept no tasks.
    pub fn waits_for_nodes(&self) -> bool {
        self.has_reason(&[
            "down, drained",
            "reqnodenotavail",
            "nodedown",
            "partitiondown",
            "partitioninactive",
        ])
    }

    /// True if its request can never be met.
    pub fn can_never_start(&self) -> bool {
        self.has_reason(&[
            "dependencyneversatisfied",
            "badconstraints",
            "partitionnodelimit",
            "partitiontimelimit",
            "invalid",
        ])
    }

    fn has_reason(&self, words: &[&str]) -> bool {
        let reason = self.reason.to_ascii_lowercase();
        self.state == "PENDING" && words.iter().any(|words| reason.contains(words))
    }
}

/// True if a list of nodes, such as `n1,gpu[2-4,08]`, contains that name.
fn names_node(list: &str, node: &str) -> bool {
    let mut depth = 0;
    let names = list.split(|letter: char| {
        depth += i32::from(letter == '[') - i32::from(letter == ']');
        letter == ',' && depth == 0
    });
    let is_number_of = |range: &str, number: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let read = |text: &str| text.parse::<u64>().ok();
        number.len() == first.len().max(read(number).map_or(0, |own| own.to_string().len()))
            && read(number).is_some_and(|own| read(first) <= Some(own) && Some(own) <= read(last))
    };
    let mut names = names.map(|name| match name.split_once('[') {
        None => name == node,
        Some((start, ranges)) => node.strip_prefix(start).is_some_and(|number| {
            ranges.trim_end_matches(']').split(',').any(|range| is_number_of(range, number))
        }),
    });
    names.any(|is_same| is_same)
}

/// A node, as Slurm reports it.
#[derive(Clone, Debug)]
pub struct NodeState {
    /// Name of the node.
    pub name: String,
    /// State such as `idle` or `drained`, with marks such as `*` appended.
    pub state: String,
    /// Reason why it waits.
    pub reason: String,
}

impl NodeState {
    /// State without marks.
    pub fn word(&self) -> &str {
        self.state.trim_end_matches(|mark: char| !mark.is_ascii_alphabetic())
    }

    /// True if it accepts tasks, now or when others end; `*` marks a node that does not respond.
    pub fn accepts_tasks(&self) -> bool {
        let takes = ["idle", "mixed", "allocated", "completing", "planned", "reserved", "unknown"];
        takes.contains(&self.word()) && !self.state.contains('*')
    }
}

/// The fields that [`parse_nodes`] reads, for `sinfo -o`.
pub(super) const NODE_FORMAT: &str = "%N|%T|%E";

/// Parses lines of [`NODE_FORMAT`]; others are skipped.
pub(super) fn parse_nodes(text: &str) -> Vec<NodeState> {
    let nodes = text.lines().filter_map(|line| {
        let mut parts = line.splitn(3, '|').map(str::to_owned);
        Some(NodeState { name: parts.next()?, state: parts.next()?, reason: parts.next()? })
    });
    nodes.collect()
}

/// Processors and memory of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeSize {
    /// Processors.
    pub cpus: u64,
    /// Memory in MiB.
    pub memory_mib: u64,
}

/// The fields that [`parse_sizes`] reads, for `sinfo -N -o`.
pub(super) const SIZE_FORMAT: &str = "%n %c %m";

/// Parses lines of [`SIZE_FORMAT`], each node once; others are skipped.
pub(super) fn parse_sizes(text: &str) -> Vec<NodeSize> {
    let mut sizes = BTreeMap::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        // A plus means that some nodes of a group have more.
        let number = |word: &str| word.trim_end_matches('+').parse::<u64>().ok();
        if let [name, cpus, memory] = words.as_slice()
            && let (Some(cpus), Some(memory_mib)) = (number(cpus), number(memory))
        {
            sizes.insert(*name, NodeSize { cpus, memory_mib });
        }
    }
    sizes.into_values().collect()
}

/// The fields that [`parse_tasks`] reads, for `squeue -o`.
pub(super) const TASK_FORMAT: &str = "%F|%K|%T|%N|%P|%r|%k|%x";

/// Parses lines of [`TASK_FORMAT`]; others are skipped.
pub(super) fn parse_tasks(text: &str) -> Vec<QueuedTask> {
    let tasks = text.lines().filter_map(|line| {
        let mut parts = line.splitn(7, '|').map(str::to_owned);
        let (job, task) = (parts.next()?, parts.next()?);
        let (state, node, partition) = (parts.next()?, parts.next()?, parts.next()?);
        let (reason, rest) = (parts.next()?, parts.next()?);
        // A comment may contain such bars itself.
        let (comment, excluded) = match rest.rsplit_once('|') {
            Some((comment, excluded)) => (comment.to_owned(), Some(excluded.to_owned())),
            None => (rest, None),
        };
        let comment = Some(comment).filter(|text| !["", "(null)"].contains(&text.as_str()));
        let task = task.parse().ok();
        Some(QueuedTask { job, task, state, node, partition, reason, comment, excluded })
    });
    tasks.collect()
}

/// Parses the maximum size of an array from `scontrol show config`; by default that of Slurm.
pub(super) fn parse_max_array(text: &str) -> u64 {
    const DEFAULT: u64 = 1001;
    let value = text.lines().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "MaxArraySize").then(|| value.trim().parse().ok())?
    });
    value.unwrap_or(DEFAULT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slurm_tasks_that_have_ended_are_known() {
        let queued = |state: &str| QueuedTask {
            job: "1".to_owned(),
            task: Some(0),
            state: state.to_owned(),
            node: String::new(),
            partition: String::new(),
            reason: String::new(),
            comment: None,
            excluded: None,
        };
        assert!(queued("NODE_FAIL").has_ended() && queued("COMPLETED").has_ended());
        assert!(!queued("PENDING").has_ended() && !queued("COMPLETING").has_ended());
        assert_eq!(queued("RUNNING").name(), "1_0");
    }

    #[test]
    fn slurm_queue_is_parsed_from_its_fields() {
        let text = "12|3|RUNNING|n1|render|None|(null)\n12|N/A|PENDING||render|Held|by a|b|gpu[1-3,08]\nshort|x\n";
        let [first, second] = parse_tasks(text).try_into().unwrap();
        assert_eq!((first.name(), first.comment), ("12_3".to_owned(), None));
        assert_eq!((second.name(), second.comment), ("12".to_owned(), Some("by a|b".to_owned())));
        let nodes = ["gpu1", "gpu3", "gpu08", "gpu8", "gpu4", "gpu", "n1"];
        let second = parse_tasks(text).remove(1);
        let may_come: Vec<&str> =
            nodes.into_iter().filter(|node| second.may_come_to(node)).collect();
        assert_eq!(may_come, ["gpu8", "gpu4", "gpu", "n1"]);
        let nodes = parse_nodes("n1|idle|none\nn2|down*|Not responding\n");
        let usable: Vec<bool> = nodes.iter().map(NodeState::accepts_tasks).collect();
        assert_eq!(usable, [true, false]);
        let sizes = parse_sizes("n1 1 900\nn1 1 900\nn2 4+ 2000\nn3|idle|none\n");
        let [one, two] =
            [(1, 900), (4, 2000)].map(|(cpus, memory_mib)| NodeSize { cpus, memory_mib });
        assert_eq!(sizes, [one, two]);
        assert_eq!(parse_max_array("Foo = 1\nMaxArraySize            = 5001\n"), 5001);
        assert_eq!(parse_max_array(""), 1001);
    }
}
