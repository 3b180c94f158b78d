//! Shell code around each task on a Slurm node: its log, its preflight check, and the handling of
//! failures.
//!
//! A node that cannot access the shared folder cannot open a log there, and Slurm would fail every
//! task that it starts on that node, one after the other. Therefore the shell opens the log itself.
//! A node that lacks something is excluded from the array, and its task is requeued on another one;
//! the reason is written to the comment of the task, which the controller keeps, because files
//! written by such a node may be invisible elsewhere.

use crate::plan::Plan;
use crate::submission::Submission;
use std::path::Path;
use tintype_base::shell::{path_word, quoted as shell};

/// The first lines: variables, and the log, whose file name may contain shell variables.
pub(super) fn start(logs: &Path, log: &str) -> String {
    format!(
        r#"set -u
array=${{SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}}; me=$array${{SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}}
node=${{SLURMD_NODENAME:-?}}; restarts=${{SLURM_RESTART_COUNT:-0}}
logs={}
seen="$logs is not here: all nodes must see the output folder under the same path as the submitting machine, and write to it"
# Here and not by --output: a node that does not see the folder would fail every task that it is given.
here() {{ [ -d "$logs" ] && {{ : >>"$logs/{log}"; }} 2>/dev/null && exec >>"$logs/{log}" 2>&1; }}
first_line() {{ head -n 1 <<<"$*" | cut -c -300; }}
"#,
        path_word(logs)
    )
}

/// Failure of a job of one task: the reason is also written to the comment of the job.
pub(super) const FAIL: &str = r#"fail() {
    echo "error: node $node: $1"
    scontrol update JobId="$me" Comment="node $node: $(first_line "$1")" >/dev/null 2>&1
    exit 2
}
temporary() { fail "$1"; }
"#;

/// Words before and after the name of a node in the comment of a task that a node cannot draw; the
/// reason follows. The controller keeps the comment, so later tasks and the status read the node
/// from it.
pub(crate) const LEFT_OUT: [&str; 2] = ["node ", " is left out: "];

/// Failure of a task of an array: it is requeued on another node.
pub(super) fn requeue(restarts: u32) -> String {
    let [before, after] = LEFT_OUT;
    format!(
        r#"limit=0; child=
trap 'limit=1; [ -z "$child" ] || kill -USR1 "$child" 2>/dev/null' USR1   # the time limit is near: stop after the current frame
terminated=0
trap 'terminated=1' TERM                      # cancelled or pre-empted: the program hears it too, and ends by itself
# Always by $me: the number of the last task of an array is that of the array, and means all its tasks.
state() {{                                     # the controller may be away for a while
    local try found
    for try in 1 2 3 4 5 6; do found=$(squeue -h -j "$me" -o %T 2>/dev/null) && break; sleep 5; done
    echo "$found"
}}
left_out() {{                                  # the nodes that a task must not come to, one a line
    local list
    list=$(squeue -h -r -j "$1" -t PD,R -o %x | grep . | sort -u | paste -sd,)
    [ -z "$list" ] || scontrol show hostnames "$list"
}}
lacking() {{                                   # the nodes that lack something, by what tasks say; others are left out of one task for a while
    squeue -h -r -j "$array" -t all -o %k | sed -n 's/^{before}\([^ ]*\){after}.*/\1/p' | sort -u
}}
again() {{                                     # starts this task again, on none of the nodes $1; the rest says why
    local out=$1; shift
    trap '' TERM USR1                         # Slurm ends this shell now, and what it says to Slurm must be heard
    scontrol requeue "$me" || {{ echo "error: Slurm does not start the task again"; exit 1; }}
    for try in 1 2 3 4 5; do
        scontrol update JobId="$me" ExcNodeList="$out" Comment="$(first_line "$*")" && break; sleep 0.3
    done >/dev/null 2>&1
    exit 1
}}
may_again() {{
    if [ "$restarts" -ge {restarts} ]; then
        echo "error: gave up after $restarts restarts; continue with tintype farm retry, or allow more with --restarts"; return 1
    fi
    [ "$(state)" = RUNNING ] || {{ echo "error: Slurm does not list task $me as running"; return 1; }}
}}
fail() {{                                      # this node lacks something: no task of this job shall come here any more
    local out all mine
    echo "error: node $node: $1"
    out=$({{ lacking; echo "$node"; }} | sort -u)
    all=$(sinfo -h -N -p "${{SLURM_JOB_PARTITION:-}}" -o %N | sort -u)
    if [ -n "$all" ] && [ -z "$(comm -13 <(echo "$out") <(echo "$all"))" ]; then
        echo "error: no other node is left for this task"
    elif may_again; then
        mine=$({{ left_out "$me"; echo "$out"; }} | sort -u)
        [ -n "$(comm -13 <(echo "$mine") <(echo "$all"))" ] || mine=$out
        scontrol update JobId="$array" ExcNodeList="$(paste -sd, <<<"$out")" >/dev/null 2>&1   # of those that wait
        echo "== node $node is left out; task $me starts again elsewhere"
        again "$(paste -sd, <<<"$mine")" "{before}$node{after}$1"
    fi
    scontrol update JobId="$me" Comment="node $node: $(first_line "$1")" >/dev/null 2>&1
    exit 2
}}
temporary() {{                                 # it may do better elsewhere, or later
    local out usable
    echo "error: node $node: $1"
    sleep "$((1 + restarts))"                 # a bad node must not eat the queue
    [ "$terminated" = 0 ] && may_again || exit 1
    usable=$(sinfo -h -r -N -p "${{SLURM_JOB_PARTITION:-}}" -t idle,mix,alloc,comp -o %N | sort -u)
    out=$({{ left_out "$me"; echo "$node"; }} | sort -u)
    # All have been tried: only not this one at once, if there is another.
    [ -n "$(comm -13 <(echo "$out") <(echo "$usable"))" ] || out=$node
    [ -n "$(comm -13 <(echo "$out") <(echo "$usable"))" ] || out=
    again "$(paste -sd, <<<"$out")" "node $node: $1"
}}
"#
    )
}

/// Checks the node: log, submission and program; then the program checks the rest.
pub(super) fn preflight(plan: &Plan, submission: &Submission, folder: &Path) -> String {
    let mark = submission.path(folder);
    format!(
        r#"here || fail "$seen"
[ -f {mark} ] || fail {mark}" is not here: all nodes must see the output folder under the same path as the submitting machine"
echo "== $(date -u +%FT%TZ) task $me, restart $restarts, on $node"
command -v {program} >/dev/null || fail {program}" is not here: install it there on all nodes, or set its path with --program"
found=$({program} --version 2>&1); code=$?
[ "$code" -le 128 ] || temporary {program}" --version was killed by signal $((code - 128))"
[ "$code" = 0 ] || fail {program}" does not run here: ${{found##*slurm_script: }}"
[ "$found" = {version} ] || fail {program}" is $found here, but the job was submitted by "{version}": install the same version everywhere"
found=$({program} farm look {mark} 2>&1); code=$?
[ "$code" -le 128 ] || temporary "the preflight check was killed by signal $((code - 128))"
[ "$code" != 75 ] || temporary "${{found#error: }}"
[ "$code" = 0 ] || fail "${{found#error: }}"
[ -z "$found" ] || echo "$found"
"#,
        mark = path_word(&mark),
        program = shell(&plan.program),
        version = shell(&submission.program),
    )
}

/// Runs the program, forwards signals of Slurm, and handles its exit code.
pub(super) fn run(command: &str) -> String {
    format!(
        r#"{command} -j "${{SLURM_CPUS_PER_TASK:-1}}" &
child=$!
[ "$limit" = 0 ] || kill -USR1 "$child"
while :; do
    wait "$child"; code=$?
    kill -0 "$child" 2>/dev/null && continue  # a signal woke the shell, not the end
    if [ "$code" -gt 128 ]; then wait "$child" 2>/dev/null; last=$?; [ "$last" = 127 ] || code=$last; fi
    break
done
echo "== $(date -u +%FT%TZ) exit $code"
# What Slurm itself ended is Slurm's to start again.
if [ "$terminated" = 1 ]; then echo "== ended by Slurm: cancelled, pre-empted, or past its time limit"; exit 1; fi
# 75 is a temporary failure, and codes above 128 mean a signal: try again. 2 and 3 are permanent.
if [ "$code" = 75 ] && [ "$limit" = 1 ]; then
    echo "== the time limit is near: the task is requeued"
    may_again || exit 1
    again "$(left_out "$me" | paste -sd,)" "requeued at its time limit"
fi
if [ "$code" = 75 ]; then                     # in few words, the same for all frames: the reason at the end of the first one
    why=$(tac "$logs/$me.log" | sed '/^== .*, restart /q' | grep -a 'error: frame' | tail -n 1)
    why=${{why##*: }}
    temporary "temporary trouble: ${{why:-exit 75}}"
fi
[ "$code" -le 128 ] || temporary "killed by signal $((code - 128))"
exit "$code"
"#
    )
}
