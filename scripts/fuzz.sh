#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh FOLDER: run every fuzzer in FOLDER (build/fuzz/tests) for FUZZ_SECONDS, FUZZ_JOBS at once.
# A fuzzer keeps what it learns in NAME.corpus and starts from NAME.seeds as well, where there are
# some. The programs need no clang, so the folder can be copied to a machine with more cores. Prints
# a line for each; a finding is a file NAME.crash-..., and exit status 1.
set -uo pipefail
folder=${1:?usage: fuzz.sh FOLDER}
seconds=${FUZZ_SECONDS:-60}
jobs=${FUZZ_JOBS:-$(nproc)}
[ ! -x "$folder/seeds" ] || "$folder/seeds" "$folder" || exit 1

run_one() {
    local f=$1 seconds=$2 folders inputs status
    mkdir -p "$f.corpus"
    folders=("$f.corpus")
    [ ! -d "$f.seeds" ] || folders+=("$f.seeds")
    "$f" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$f." "${folders[@]}" >"$f.log" 2>&1
    status=$?
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$f.log")
    if [ "$status" = 0 ]; then
        echo "$(basename "$f"): ${inputs:-0} inputs in $seconds s, no finding"
    else
        echo "$(basename "$f"): FINDING after ${inputs:-?} inputs, see $f.log"
        grep -aE 'ERROR: |SUMMARY: |runtime error: |Test unit written' "$f.log" | head -5
    fi
    return "$status"
}
export -f run_one
fuzzers=()
for f in "$folder"/fuzz_*; do
    case $f in *.*) ;; *) [ ! -x "$f" ] || [ -d "$f" ] || fuzzers+=("$f") ;; esac
done
[ "${#fuzzers[@]}" -gt 0 ] || {
    echo "fuzz.sh: no fuzzers in $folder (make config=fuzz fuzzers)"
    exit 1
}
# shellcheck disable=SC2016 # the inner shell expands them
printf '%s\0' "${fuzzers[@]}" | xargs -0 -n1 -P"$jobs" bash -c 'run_one "$0" '"$seconds"' || exit 1'
