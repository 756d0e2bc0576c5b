#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A process in a control group with a quota of one processor has one thread for its grids: in a
# group made here, where that is allowed, and in a mount namespace whose /sys/fs/cgroup is a folder
# of ours, with the file of the unified hierarchy.
source "$(dirname "$0")/../shell.sh"
unset QUERN_THREADS
cpu=$QN_BUILD/tests/check_cpu
group=
trap '[ -z "$group" ] || rmdir "$group"; rm -rf "$scratch"' EXIT

if [ "$(nproc)" -lt 2 ]; then
    echo 'skip: one thread in a group with a quota of one processor: there is one anyway'
    exit 0
fi

# What is run in it prints how many threads a grid may have, then that no grid has more.
in_quota() { # WHAT ENTER...
    local what=$1
    shift
    run "$@" "$cpu" --threads
    exits "$what: one thread" 1
    run "$@" timeout 300 "$cpu" --crowd
    exits "$what: no grid has more" 0
}

tried=0
fake=$scratch/cgroup
mkdir "$fake"
echo '100000 100000' >"$fake/cpu.max"
# shellcheck disable=SC2016 # for the shell inside
in_namespace=(unshare -rm bash -c 'mount --bind "$0" /sys/fs/cgroup && exec "$@"' "$fake")
if "${in_namespace[@]}" true 2>"$err"; then
    in_quota 'cpu.max' "${in_namespace[@]}"
    tried=1
else
    echo "skip: a quota in cpu.max: $(tail -n 1 "$err")"
fi

real=/sys/fs/cgroup/cpu/quern-test-$$
if [ -w /sys/fs/cgroup/cpu ] && mkdir "$real" 2>"$err" && group=$real &&
    echo 100000 2>"$err" >"$real/cpu.cfs_period_us" && echo 100000 2>"$err" >"$real/cpu.cfs_quota_us"; then
    # shellcheck disable=SC2016
    in_quota 'a group of the older kind' bash -c 'echo $$ >"$0/tasks" && exec "$@"' "$real"
    tried=1
else
    echo "skip: a quota in a control group of the older kind: $(tail -n 1 "$err")"
fi

case ${QN_REQUIRE:-} in *quota*) [ "$tried" = 1 ] || exit 1 ;; esac
finish
