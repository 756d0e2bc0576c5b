#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program lies in a folder where everybody may make files, and another user has put a bundle and
# helpers of theirs beside it: they are said and left out, and the program goes on with its own.
source "$(dirname "$0")/../shell.sh"
if [ "$(id -u)" != 0 ]; then
    echo 'skip: what another user put beside a program: only root may give files away'
    exit 0
fi
unset QUERN_RTC QUERN_TRANSLATE
export PATH=$QN_BUILD:$PATH
open=$scratch/open
mkdir "$open" "$scratch/own"
chmod 1777 "$open"
chmod 755 "$scratch"
echo 'extern "C" __global__ void k(int *o) { *o = N; }' >"$scratch/k.cu"
printf '{"version": 1, "kernels": [{"file": "k.cu", "options": ["-DN=1"], "targets": ["opencl:portable"]}]}' >"$scratch/m.json"
cp "$QUERN" "$open/program"
cp "$QUERN" "$scratch/own/program"
run "$QUERN" prewarm "$scratch/m.json" -o "$scratch/made.qnb"
exits 'a bundle is made' 0
plant() { # FILE OWNER MODE: as that user would have made it
    cp "$scratch/made.qnb" "$1"
    chown "$2" "$1"
    chmod "$3" "$1"
}
compile() { # PROGRAM: with a cache of its own, so that only a bundle can answer
    rm -rf "$scratch/cache"
    run env QUERN_CACHE_DIR="$scratch/cache" "$1" compile "$scratch/k.cu" -DN=1 -t opencl:portable -o "$scratch/o"
}

# ---- bundles ----
plant "$scratch/own/program.qnb" 0:0 644
compile "$scratch/own/program"
says 'a bundle of our own' 'from the bundle'
plant "$open/program.qnb" 12345:12345 644
compile "$open/program"
exits 'the bundle of another user' 0
says 'the bundle of another user' ' ms -> '
complains 'the bundle of another user' 'owner 12345, group 12345, mode 644'
complains 'the bundle of another user' 'name it with QUERN_BUNDLE'
plant "$scratch/own/program.qnb" 0:12345 664
compile "$scratch/own/program"
says 'a bundle that another group may write' ' ms -> '
complains 'a bundle that another group may write' 'mode 664'
plant "$open/program.qnb" 0:0 644
compile "$open/program"
says 'any bundle in such a folder' ' ms -> '
complains 'any bundle in such a folder' 'its folder may be written by others'
run env QUERN_BUNDLE="$open/program.qnb" QUERN_CACHE_DIR="$scratch/cache2" "$QUERN" compile "$scratch/k.cu" -DN=1 -t opencl:portable -o "$scratch/o"
says 'one that is named is used' 'from the bundle'
rm "$open/program.qnb"

# ---- helpers ----
for helper in quern-translate quern-rtc; do
    printf '#!/bin/sh\nid >%s/ran-%s\nexit 1\n' "$open" "$helper" >"$open/$helper"
    chown 12345:12345 "$open/$helper"
    chmod 755 "$open/$helper"
done
compile "$open/program"
exits 'the helper of another user' 0
complains 'the helper of another user' "$open/quern-translate: it belongs to another user"
complains 'the helper of another user' 'name it with QUERN_TRANSLATE'
holds 'it was not run' test ! -e "$open/ran-quern-translate"
run env QUERN_CACHE_DIR="$scratch/cache" "$open/program" compile "$scratch/k.cu" -DN=2 -t cuda:compute_80 -o "$scratch/o"
holds 'nor was the other' test ! -e "$open/ran-quern-rtc"

# ---- compilers ----
mkdir -m 777 "$scratch/bin"
printf '#!/bin/sh\nid >%s/ran-clang\nexit 1\n' "$scratch" >"$scratch/bin/clang-19"
chmod 755 "$scratch/bin/clang-19"
PATH=$scratch/bin:$PATH compile "$QUERN"
exits 'a compiler in a folder of everybody' 0
complains 'a compiler in a folder of everybody' "$scratch/bin/clang-19: $scratch/bin may be written by others"
holds 'it was not run' test ! -e "$scratch/ran-clang"
finish
