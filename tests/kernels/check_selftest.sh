#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every shipped kernel against its reference on one device, through the program: the device of
# QN_REQUIRE, else OpenCL. QN_SHAPES=all adds the large shapes. A kernel and shape is one check.
source "$(dirname "$0")/../shell.sh"
backend=${QN_REQUIRE:-opencl}
if ! "$QUERN" devices --no-probe --json | grep -q "\"id\": \"$backend:"; then
    if [ -n "${QN_REQUIRE:-}" ]; then
        verdict "there is a $backend device" 1 "$("$QUERN" devices --no-probe)"
        finish
    fi
    echo "skip: shipped kernels on $backend: no such device"
    exit 0
fi
shapes=()
[ "${QN_SHAPES:-}" = all ] && shapes=(--all-shapes)
run "$QUERN" selftest --device "$backend" "${shapes[@]}"
cat "$err"
grep -v '^right' "$out"
[ "$status" -lt 128 ] || echo "killed by signal $((status - 128)) behind: $(tail -n 1 "$out")"
read -r n_checks wrong broken < <(sed -n 's/.*: \([0-9]*\) checks, \([0-9]*\) wrong, \([0-9]*\) could not run$/\1 \2 \3/p' "$out")
n_checks=${n_checks:-0}
n_failures=$((${wrong:-0} + ${broken:-0}))
exits 'the status tells whether all is right' $((n_failures > 0))
verdict 'something was checked' $((n_checks < 10))
finish
