#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernels that ship, each work-item a thread, under clang's thread sanitizer: each in a small shape, divided as
# cpu:0 divides its work and as a GPU with warps of 32 does. In make check a sample of it; in make check-cpu all kernels;
# QN_SHAPES=all: in every small shape.
source "$(dirname "$0")/../shell.sh"
clang=$(command -v "${QUERN_CLANG:-clang-19}")
runtime=$("${clang:-false}" -print-file-name="libclang_rt.tsan-$(uname -m).a")
if [ ! -e "$runtime" ] || [ "${QN_CONFIG:-release}" != release ]; then
    echo 'skip: shipped kernels under the thread sanitizer: no clang-19 with libclang-rt-19-dev, or the program has its own'
    exit 0
fi
mkdir "$scratch/in" "$scratch/said"
export QUERN_WATCHDOG=${QUERN_WATCHDOG:-120} QUERN scratch

# NUMBER, then words: name, file, kernel, options. What is found stays in a file.
# shellcheck disable=SC2317
check_line() {
    local words status
    IFS=$'\t' read -ra words <<<"$1"
    "$QUERN" check "kernels/${words[2]##*/}" "${words[@]:3}" --sanitize thread >"$scratch/said/${words[0]}" 2>&1
    status=$?
    if [ "$status" = 0 ] && grep -q ': nothing found$' "$scratch/said/${words[0]}"; then
        echo "good"
    else
        echo "FAILED: ${words[1]}: status $status: $(head -c 700 "$scratch/said/${words[0]}")"
    fi
}
export -f check_line

# One that races is found, in both divisions.
cat >"$scratch/same.cu" <<'EOF'
#include "quern_kernel.cuh"
extern "C" __global__ void same(qk_u32 *y, qk_u32 n)
{
    const qk_span mine = qk_grid_share(n);
    for (qk_u64 i = mine.begin; i < mine.end; i += mine.step)
        y[i / 2] = 1;
}
EOF
for options in '' '-D QK_WAVE_WIDTH=32 -D QK_COALESCE=1'; do
    # shellcheck disable=SC2086
    run "$QUERN" check "$scratch/same.cu" same $options -I kernels -b 3 -g 2 -a out:u32:16 -a u32:26 --sanitize thread
    exits "a race ($options)" 1
    says "a race ($options)" 'same.cu:6: data race: write of 4 bytes by work-item'
done

"$QN_BUILD/tests/check_ops" --check "$scratch/in" >"$scratch/words"
verdict 'the kernels of kernels.def' $?
all=$(wc -l <"$scratch/words")
if [ "${QN_REQUIRE:-}${QN_SHAPES:-}" = '' ]; then
    awk 'NR % 20 < 2' "$scratch/words" >"$scratch/sample" && mv "$scratch/sample" "$scratch/words"
fi
n=$(wc -l <"$scratch/words")
# shellcheck disable=SC2016
awk '{ printf "%d\t%s\n", NR, $0 }' "$scratch/words" |
    xargs -d '\n' -P "$(nproc)" -n 1 bash -c 'check_line "$1"' _ >"$scratch/verdicts"
good=$(grep -c '^good$' "$scratch/verdicts")
grep -v '^good$' "$scratch/verdicts"
n_checks=$((n_checks + n)) n_failures=$((n_failures + n - good))
verdict 'every kernel has two divisions' $((all < 200 || n < 20))
echo "$n of $all checks of kernels"
finish
