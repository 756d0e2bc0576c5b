#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `quern translate --to c` prints compiles alone, as C11 and without a header, and docs/tour.md shows it as it is.
# The kernel of others in tests/compiler/third_party is one of them.
source "$(dirname "$0")/../shell.sh"
clang=${QUERN_CLANG:-clang-19}
if ! command -v "$clang" >/dev/null; then
    echo "skip: C that compiles alone: no $clang"
    exit 0
fi
alone() { # NAME FILE...: translated in an empty folder
    local name=$1
    shift
    run "$QUERN" translate "$@" --to c -o "$scratch/alone/$name.c"
    exits "$name is translated" 0
    (cd "$scratch/alone" && "$clang" -std=c11 -nostdinc -Wall -Werror -Wno-psabi -Wno-unused-variable \
        -Wno-unused-but-set-variable -O1 -c "$name.c") >"$out" 2>&1
    status=$?
    exits "$name compiles alone" 0
}
mkdir "$scratch/alone"
alone softmax_forward tests/compiler/third_party/softmax_forward.cu
for kernel in rmsnorm softmax attention_decode_f16 rope argmax sample moe_route silu_mul; do
    alone $kernel kernels/$kernel.cu
done
alone vector_add examples/vector_add.cu
# each line of what the tour shows stands in what is printed, in that order
text=$scratch/alone/softmax_forward.c
sed -n '/<!-- C of softmax_forward -->/,/<!-- end -->/s/^    //p' docs/tour.md | grep -v '^ *\.\.\.$' >"$scratch/shown"
diff "$scratch/shown" "$text" | grep '^<' >"$scratch/other"
n_shown=$(wc -l <"$scratch/shown")
verdict "docs/tour.md shows it as it is printed ($n_shown lines)" "$(wc -l <"$scratch/other")" "$(cat "$scratch/other")"
verdict 'docs/tour.md shows much of it' $((n_shown < 40))
finish
