#!/bin/bash
# A Grid Engine on this machine alone: gridengine-up.sh FOLDER PORT SLOTS. Clients source FOLDER/env; the numbers of its daemons are in FOLDER/run.
set -euo pipefail
folder=$1 port=$2 slots=$3
lib=/usr/lib/gridengine host=localhost
export SGE_ROOT=$folder/root SGE_CELL=default SGE_QMASTER_PORT=$port SGE_EXECD_PORT=$((port + 1))
common=$SGE_ROOT/default/common
mkdir -p "$common" "$folder"/{db,qmaster/job_scripts,execd,run}
for part in util utilbin lib bin; do ln -s "/var/lib/gridengine/$part" "$SGE_ROOT/$part"; done
sed -e "s|^admin_user .*|admin_user none|; s|^spooling_params .*|spooling_params $folder/db|; s|^qmaster_spool_dir .*|qmaster_spool_dir $folder/qmaster|" \
    /usr/share/gridengine/default-bootstrap >"$common/bootstrap"
echo "$host" >"$common/act_qmaster"
printf "localhost %s\n" "$(hostname)" >"$common/host_aliases"
/usr/share/gridengine/scripts/init_cluster "$SGE_ROOT" default "$folder/db" root >"$folder/init.log" 2>&1
printf 'export SGE_ROOT=%q SGE_CELL=default SGE_QMASTER_PORT=%s SGE_EXECD_PORT=%s\n' "$SGE_ROOT" "$port" "$((port + 1))" >"$folder/env"
wait_for() { local try; for try in $(seq 100); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done; echo "no answer: $*" >&2; return 1; }
export SGE_ND=true   # stays in the foreground
"$lib/sge_qmaster" >"$folder/qmaster.log" 2>&1 </dev/null & echo $! >"$folder/run/qmaster.pid"
unset SGE_ND
wait_for qconf -sh
qconf -ah "$host" >/dev/null 2>&1 || true
qconf -as "$host" >/dev/null 2>&1
qconf -sconf >"$folder/conf"
sed -i -e "s|^execd_spool_dir .*|execd_spool_dir $folder/execd|; s|^loglevel .*|loglevel log_warning|; s|^min_uid .*|min_uid 0|; s|^min_gid .*|min_gid 0|" "$folder/conf"
cp "$folder/conf" "$folder/global"
qconf -Mconf "$folder/global" >/dev/null
qconf -ssconf | sed -e 's|^schedule_interval .*|schedule_interval 0:0:1|; s|^flush_submit_sec .*|flush_submit_sec 1|; s|^flush_finish_sec .*|flush_finish_sec 1|' >"$folder/sched"
qconf -Msconf "$folder/sched" >/dev/null
SGE_ND=true "$lib/sge_execd" >"$folder/execd.log" 2>&1 </dev/null & echo $! >"$folder/run/execd.pid"
printf 'group_name @allhosts\nhostlist %s\n' "$host" >"$folder/hosts"
qconf -Ahgrp "$folder/hosts" >/dev/null
qconf -sq | sed -e "s|^qname .*|qname all.q|; s|^hostlist .*|hostlist @allhosts|; s|^slots .*|slots $slots|; s|^pe_list .*|pe_list NONE|; s|^load_thresholds .*|load_thresholds NONE|; s|^shell .*|shell /bin/bash|; s|^shell_start_mode .*|shell_start_mode unix_behavior|; s|^rerun .*|rerun TRUE|" >"$folder/queue"
qconf -Aq "$folder/queue" >/dev/null
has_host() { qstat -f | grep -q 'all.q@'; }
wait_for has_host
