#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernels that ship, as machine code with clang's checks for addresses and undefined behaviour, in the shapes
# of the self-test, large ones too: the translator is given a clang that adds the checks, and the program the runtime that they
# call. A sample; QN_SHAPES=all: every op, all shapes (make check-kernels-sanitized).
source "$(dirname "$0")/../shell.sh"
clang=$(command -v "${QUERN_CLANG:-clang-19}")
runtime=$("${clang:-false}" -print-file-name="libclang_rt.asan-$(uname -m).so")
if [ ! -e "$runtime" ] || [ "${QN_CONFIG:-release}" != release ]; then
    echo 'skip: shipped kernels under sanitizers: no clang-19 with libclang-rt-19-dev, or the program has its own'
    exit 0
fi
mkdir "$scratch/bin"
# What registers an object with the runtime when it is loaded is left out: images run nothing then.
cat >"$scratch/bin/clang-19" <<EOF
#!/bin/sh
unset LD_PRELOAD
case " \$* " in
*' kernel.c '*)
    '$clang' "\$@" -O1 -fsanitize=address,undefined -fno-sanitize=pointer-overflow,function -fno-sanitize-recover=undefined \
        -mllvm -asan-globals=0 || exit
    exec objcopy --remove-section=.init_array* --remove-section=.ctors* --remove-section=asan_globals \
        --remove-section=.rela.init_array* --remove-section=.fini_array* kernel.o
    ;;
esac
exec '$clang' "\$@"
EOF
chmod +x "$scratch/bin/clang-19"
export QUERN_CLANG=$scratch/bin/clang-19 QUERN_CACHE_DIR=$scratch/cache
# the runtime asks for much address space, also in the helper
export QUERN_COMPILE_MEMORY=60000G
export ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:verify_asan_link_order=0
echo 'extern "C" __global__ void past(float *y) { y[threadIdx.x] = 1; }' >"$scratch/past.cu"
run env LD_PRELOAD="$runtime" "$QUERN" launch "$scratch/past.cu" past -d cpu:0 -b 65 -a out:f32:64
complains 'one past the end is found' 'heap-buffer-overflow'
what=(--all-shapes)
[ "${QN_SHAPES:-}" = all ] || what=(softmax)
run env LD_PRELOAD="$runtime" "$QUERN" selftest --device cpu:0 "${what[@]}"
grep -v '^right' "$out"
head -60 "$err"
n=$(sed -n 's/.*: \([0-9]*\) checks, 0 wrong, 0 could not run$/\1/p' "$out")
exits 'nothing is found' 0
verdict 'something was checked' $((${n:-0} < 3))
# the checks are there: an image has the names of their calls
holds 'images have the checks' grep -rqa __asan_ "$scratch/cache"
echo "$n checks of kernels"
finish
