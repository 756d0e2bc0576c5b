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
# A row of 32 work-items becomes vectors: clang notes the least number for which it takes the loop with vectors, and
# would say 40 here if QN_ROW did not tell it that the loop is worth its look at overlapping arrays.
cat >"$scratch/stencil.cu" <<'SOURCE'
__global__ void stencil(int n, float *a, float *b)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        b[y * 512 + x] = 0.2f * a[(y - 1) * 512 + x - 1] + 0.5f * a[(y - 1) * 512 + x] - 0.8f * a[(y - 1) * 512 + x + 1] -
                         0.3f * a[y * 512 + x - 1] + 0.6f * a[y * 512 + x] - 0.9f * a[y * 512 + x + 1] +
                         0.4f * a[(y + 1) * 512 + x - 1] + 0.7f * a[(y + 1) * 512 + x] + 0.1f * a[(y + 1) * 512 + x + 1];
}
SOURCE
run "$QUERN" translate "$scratch/stencil.cu" --to c -o "$scratch/stencil.c"
exits 'a stencil is translated' 0
"$clang" --target=x86_64-linux-gnu -march=x86-64-v4 -std=c11 -O3 -fwrapv -fno-strict-aliasing -fno-discard-value-names \
    -S -emit-llvm -o "$scratch/stencil.ll" "$scratch/stencil.c" >"$out" 2>&1
status=$?
exits 'it compiles to LLVM IR' 0
least=$(sed -n 's/.*%min\.iters\.check.* = icmp ul[te] i[0-9]* .*, \([0-9]*\)$/\1/p' "$scratch/stencil.ll" | sort -n | tail -1)
verdict "32 work-items in a row are enough for vectors (${least:-none})" \
    "$([ -n "$least" ] && [ "$least" -le 32 ]; echo $?)" "$(grep -n 'iters.check' "$scratch/stencil.ll")"
# each line of what the tour shows stands in what is printed, in that order
text=$scratch/alone/softmax_forward.c
sed -n '/<!-- C of softmax_forward -->/,/<!-- end -->/s/^    //p' docs/tour.md | grep -v '^ *\.\.\.$' >"$scratch/shown"
diff "$scratch/shown" "$text" | grep '^<' >"$scratch/other"
n_shown=$(wc -l <"$scratch/shown")
verdict "docs/tour.md shows it as it is printed ($n_shown lines)" "$(wc -l <"$scratch/other")" "$(cat "$scratch/other")"
verdict 'docs/tour.md shows much of it' $((n_shown < 40))
finish
