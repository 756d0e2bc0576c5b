#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tests of the public API, which other tests run on the preferred device, on cpu:0: the same
# programs, CUDA sources and expectations. Once with as many threads as there are processors, once
# with more, once with one. Then what C++ has that C lacks.
source "$(dirname "$0")/../shell.sh"
export QUERN_DEVICE=cpu:0
if ! "$QUERN" compile examples/vector_add.cu -t cpu:native >"$out" 2>"$err"; then
    echo "skip: the tests of the API on cpu:0: $(tail -n 1 "$err")"
    case ${QN_REQUIRE:-} in *cpu*) exit 1 ;; esac
    exit 0
fi

api() { # NAME [VARIABLE=VALUE]
    local name=$1
    shift
    run env "$@" timeout 300 "$QN_BUILD/tests/check_$name"
    exits "$name on cpu:0 ${*:-}" 0
    matches "$name on cpu:0 ${*:-}: ran there" '^device: cpu:0'
    matches "$name on cpu:0 ${*:-}: all good" '^100%: Checks: [1-9]'
}

for name in runtime runtime_arguments runtime_queue; do
    api "$name"
    api "$name" QUERN_THREADS=1
    api "$name" QUERN_THREADS=16
done
for name in features recursion wide_integers; do
    api "$name"
done
case ${QN_CONFIG:-release} in
asan | tsan) echo 'skip: runtime_fault on cpu:0: under a sanitizer faults are the sanitizer'"'"'s' ;;
*) api runtime_fault ;;
esac
finish
