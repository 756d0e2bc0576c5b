#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests of translated kernels, which other tests run on the preferred device, on cpu:0: the same
# programs, CUDA sources and expectations.
source "$(dirname "$0")/../shell.sh"
export QUERN_DEVICE=cpu:0
if ! "$QUERN" compile examples/vector_add.cu -t cpu:native >"$out" 2>"$err"; then
    echo "skip: translated kernels on cpu:0: $(tail -n 1 "$err")"
    case ${QN_REQUIRE:-} in *cpu*) exit 1 ;; esac
    exit 0
fi

for name in assert cooperative print features device_functions masked_index std; do
    run timeout 300 "$QN_BUILD/tests/check_$name"
    exits "$name on cpu:0" 0
    matches "$name on cpu:0: ran there" '^device: cpu:0'
    matches "$name on cpu:0: all good" '^100%: Checks: [1-9]'
done
finish
