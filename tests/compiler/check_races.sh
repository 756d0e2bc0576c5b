#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Translated test kernels under Oclgrind: no access outside of a buffer, no race and no barrier that
# some work-items miss; their sources have none. With QN_LONG: it interprets every work-item.
source "$(dirname "$0")/../shell.sh"
if [ -z "${QN_LONG:-}" ]; then
    echo 'skip: translated kernels under Oclgrind: only in make check-all'
    exit 0
fi
if ! command -v oclgrind >/dev/null; then
    echo 'skip: translated kernels under Oclgrind: oclgrind is not installed'
    exit 0
fi
case ${QN_CONFIG:-release} in
asan | tsan)
    echo "skip: translated kernels under Oclgrind: it loads its library in front of the sanitizer's (config=$QN_CONFIG)"
    exit 0
    ;;
esac

# Every kernel that check_compiler_run runs, on the same inputs: it prints them as words of quern check.
n=0
while IFS=$'\t' read -r name kernel words; do
    IFS=$'\t' read -ra words <<<"$words"
    run "$QUERN" check "$QN_SOURCE/tests/compiler/ok/$name.cu" "$kernel" --no-uninitialized "${words[@]}" </dev/null
    exits "$name, $kernel" 0
    says "$name, $kernel" 'nothing found'
    n=$((n + 1))
done < <("$QN_BUILD/tests/check_compiler_run" --check "$scratch")
[ "$n" -gt 70 ]
verdict 'the kernels of check_compiler_run' $?
echo "$n translated kernels under Oclgrind"
finish
