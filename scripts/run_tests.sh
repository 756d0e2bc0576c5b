#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_tests.sh TEST...: run test programs and scripts, several at a time, and count.
#
# A test prints Check's result line ("100%: Checks: 12, Failures: 0, Errors: 0"), or "skip: reason"
# for what cannot run here, or both. One that fails without saying so (a crash, the time limit, a
# failing status) or says nothing at all counts as one failure. What a test printed appears in one
# piece when it has ended. What failed is said once more at the end, before the last line, "N passed,
# N failed, N skipped"; the exit status is 1 when something failed or nothing passed.
#
# Where nothing else is asked for they run on an OpenCL device, which here is PoCL: a driver that we did
# not write, and one that miscompiles. `make check-cpu` runs them on cpu:0.
#
# Every test has a cache folder of its own, QUERN_CACHE_DIR/NAME. PoCL's own cache is theirs together:
# it names its files by the hash of what they are made of and renames them into place. The longest
# test of the last run, as TEST_TIMES has it, begins first.
#   RUN_JOBS      tests at a time (default: as many as there are processors)
#   TEST_TIMEOUT  seconds for each test (default 1800: check_ops takes 600 to 900 s of a processor)
#   TEST_TIMES    file of "seconds name" lines, read and written anew
set -uo pipefail
jobs=${RUN_JOBS:-$(nproc)} limit=${TEST_TIMEOUT:-1800} times=${TEST_TIMES:-}
cache=${QUERN_CACHE_DIR:-}
if [ -z "${QUERN_DEVICE:-}${QUERN_BACKEND:-}" ]; then export QUERN_DEVICE=opencl; fi
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-60} # Check's 4 s is little where all run at once
passed=0 failed=0 skipped=0 n_reported=0
work=$(mktemp -d) || exit 1
# what this user tuned, and which drivers were there before, are none of a test's business
export QUERN_TUNED=${QUERN_TUNED:-$work/tuned} XDG_STATE_HOME=$work/state
mkdir "$work/ended"
failures=$work/failures
touch "$failures"
stop() {
    local pids
    pids=$(jobs -p)
    # shellcheck disable=SC2086 # a list of words
    [ -z "$pids" ] || kill $pids 2>/dev/null
    wait
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 130' INT TERM

# These come last, because they find in PoCL's cache what another has built: check_ops.
late() { [ "$1" = check_selftest.sh ]; }
# First guesses of the long ones, for a tree where nothing has run yet.
cat >"$work/times" <<'TIMES'
750 check_ops
300 check_ops_compile
240 check_compiler_run
150 check_tensor_cores
150 check_cub
120 check_engine_fused
90 check_cccl
25 check_differential
25 check_compiler
15 check_compiler_quirks
20 check_warp
20 check_helper
20 check_rtc_compile
15 check_engine
TIMES
[ -z "$times" ] || [ ! -f "$times" ] || cat "$times" >>"$work/times"

# In the background; a shell's background commands ignore SIGINT, which a test may want to send.
run_one() { # TEST NAME
    local how=(env --default-signal=INT --default-signal=QUIT) child
    case $1 in *.sh) how+=(bash) ;; esac
    [ -z "$cache" ] || export QUERN_CACHE_DIR=$cache/$2
    timeout -k 10 "$limit" "${how[@]}" "$1" >"$work/$2.out" 2>&1 &
    child=$!
    trap 'kill "$child"' TERM
    TIMEFORMAT=%R
    {
        time wait "$child"
        echo $? >"$work/$2.status"
    } 2>"$work/$2.time"
    : >"$work/ended/$2"
}

report() { # NAME: print what it said, and count
    local name=$1 out=$work/$1.out status seconds checks bad skips why=''
    status=$(cat "$work/$name.status")
    seconds=$(tail -n 1 "$work/$name.time" | tr , .) # some languages write 1,5
    rm "$work/ended/$name"
    n_reported=$((n_reported + 1))
    echo "== $name"
    cat "$out"
    read -r checks bad skips < <(awk '
        match($0, /Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+/) {
            split(substr($0, RSTART, RLENGTH), part, /[^0-9]+/)
            checks += part[2]; bad += part[3] + part[4]
        }
        /^skip: / { skips++ }
        END { print checks + 0, bad + 0, skips + 0 }' "$out")
    if [ "$status" = 124 ]; then
        why="stopped after $limit s"
    elif [ "$status" != 0 ] && [ "$bad" = 0 ]; then
        why="ended with status $status"
    elif [ $((checks + skips)) = 0 ]; then
        why='reported nothing'
    fi
    # Check's own lines have the form FILE:LINE:F:... (E: it crashed or took too long)
    grep -aE '^[^ ]+:[0-9]+:[FE]:|^FAILED: ' "$out" | head -20 | sed "s|^|$name: |" >>"$failures"
    if [ -n "$why" ]; then
        echo "$name: FAILED: $why" | tee -a "$failures"
        failed=$((failed + 1))
    fi
    [ "${seconds%.*}" -lt 5 ] || echo "$name: ${seconds%.*} s"
    echo "$seconds $name" >>"$work/times"
    passed=$((passed + checks - bad))
    failed=$((failed + bad))
    skipped=$((skipped + skips))
    rm "$out"
}

reap() { # wait for one or more to end
    local ended
    wait -n
    for ended in "$work"/ended/*; do
        [ ! -e "$ended" ] || report "$(basename "$ended")"
    done
}

mapfile -t sorted < <(for test in "$@"; do
    name=$(basename "$test")
    if late "$name"; then
        printf -- '-1\t%s\n' "$test"
    else
        awk -v name="$name" -v test="$test" '$2 == name { s = $1 } END { printf "%.1f\t%s\n", s, test }' "$work/times"
    fi
done | sort -rn -s -k1,1 | cut -f2)
for test in "${sorted[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do reap; done
    run_one "$test" "$(basename "$test")" &
done
while [ -n "$(jobs -rp)" ] || [ -n "$(ls "$work/ended")" ]; do reap; done

if [ "$n_reported" != $# ]; then
    echo "FAILED: of $# tests $n_reported told how they ended" | tee -a "$failures"
    failed=$((failed + 1))
fi

# the last time of each, also of those that did not run now
[ -z "$times" ] || awk '{ last[$2] = $1 } END { for (n in last) print last[n], n }' "$work/times" | sort -rn >"$times"
if [ "$failed" != 0 ]; then
    printf '\nwhat failed:\n'
    cut -c 1-400 "$failures"
    echo
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
