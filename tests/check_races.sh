#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Translated test kernels under Oclgrind: no access outside of a buffer, no race and no barrier that
# some work-items miss; their sources have none. With QN_LONG: it interprets every work-item.
source "$(dirname "$0")/shell.sh"
if [ -z "${QN_LONG:-}" ]; then
    echo 'skip: translated kernels under Oclgrind: only in make check-long'
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

# name, elements per buffer, their type, n, block; two groups. control.cu is not here: clang makes a
# 40-bit lookup table of its switch, which Oclgrind does not know.
kernels='
barrier_in_switch 64 i32 60 32
byval 64 i32 60 32
cases 64 i32 60 32
divergent_branch 64 i32 60 32
divergent_loop 64 i32 60 32
early_return 128 f32 100 64
indices 64 i32 60 32
integers 64 i32 60 32
leavers 64 i32 5 32
reduce 128 f32 100 64
undefined 64 i32 60 32
warps 128 i32 120 64
warps_divergent 128 i32 120 64
'
setup=hex:010000000200000003000000040000000000000000000000 # a struct setup of byval.cu
n=0
while read -r name count type size block; do
    [ -n "$name" ] || continue
    extra=()
    [ "$name" = byval ] && extra=(-a "$setup" -a "$setup" -a "$setup")
    run "$QUERN" check "$QN_SOURCE/tests/compiler/ok/$name.cu" run -g 2 -b "$block" --no-uninitialized \
        -a "out:$type:$count" -a "in:$type:$count:rand" -a "i32:$size" "${extra[@]}"
    exits "$name" 0
    says "$name" 'nothing found'
    n=$((n + 1))
done <<<"$kernels"
echo "$n translated kernels under Oclgrind"
finish
