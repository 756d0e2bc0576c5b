#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_tests.sh TEST...: run test programs and scripts one after the other and count.
#
# A test prints Check's result line ("100%: Checks: 12, Failures: 0, Errors: 0"), or "skip: reason"
# for what cannot run here, or both. One that fails without saying so (a crash, the time limit, a
# failing status) or says nothing at all counts as one failure. What failed is said once more at the
# end, before the last line, "N passed, N failed, N skipped"; the exit status is 1 when something
# failed or nothing passed.
#   TEST_TIMEOUT  seconds for each test (default 900: check_ops takes 200 s on two cores)
set -uo pipefail
limit=${TEST_TIMEOUT:-900}
passed=0 failed=0 skipped=0
output=$(mktemp) failures=$(mktemp)
trap 'rm -f "$output" "$failures"' EXIT

for test in "$@"; do
    name=$(basename "$test") start=$SECONDS
    echo "== $name"
    case $test in
    *.sh) timeout -k 10 "$limit" bash "$test" 2>&1 | tee "$output" ;;
    *) timeout -k 10 "$limit" "$test" 2>&1 | tee "$output" ;;
    esac
    status=${PIPESTATUS[0]}
    read -r checks bad skips < <(awk '
        match($0, /Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+/) {
            split(substr($0, RSTART, RLENGTH), part, /[^0-9]+/)
            checks += part[2]; bad += part[3] + part[4]
        }
        /^skip: / { skips++ }
        END { print checks + 0, bad + 0, skips + 0 }' "$output")
    why=''
    if [ "$status" = 124 ]; then
        why="stopped after $limit s"
    elif [ "$status" != 0 ] && [ "$bad" = 0 ]; then
        why="ended with status $status"
    elif [ $((checks + skips)) = 0 ]; then
        why='reported nothing'
    fi
    # Check's own lines have the form FILE:LINE:F:... (E: it crashed or took too long)
    grep -aE '^[^ ]+:[0-9]+:[FE]:|^FAILED: ' "$output" | head -20 | sed "s|^|$name: |" >>"$failures"
    if [ -n "$why" ]; then
        echo "$name: FAILED: $why" | tee -a "$failures"
        failed=$((failed + 1))
    fi
    [ $((SECONDS - start)) -lt 5 ] || echo "$name: $((SECONDS - start)) s"
    passed=$((passed + checks - bad))
    failed=$((failed + bad))
    skipped=$((skipped + skips))
done
if [ "$failed" != 0 ]; then
    printf '\nwhat failed:\n'
    cut -c 1-400 "$failures"
    echo
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
