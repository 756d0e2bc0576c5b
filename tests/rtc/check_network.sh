#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A cache on a network file system: used without locks, and said once. FUSE stands for them, because
# bindfs mounts it without a server.
source "$(dirname "$0")/../shell.sh"
mkdir "$scratch/there" "$scratch/mount"
if ! command -v bindfs >/dev/null || ! bindfs "$scratch/there" "$scratch/mount" 2>"$scratch/why"; then
    echo "skip: a cache on a network file system: bindfs is not installed or may not mount: $(head -c 200 "$scratch/why" 2>/dev/null)"
    exit 0
fi
trap 'fusermount -u "$scratch/mount"; rm -rf "$scratch"' EXIT
mkdir -m 700 "$scratch/mount/cache"
export QUERN_CACHE_DIR=$scratch/mount/cache
echo 'extern "C" __global__ void k(float *p) { *p = N; }' >"$scratch/k.cu"
for n in 1 2; do
    run "$QUERN" compile "$scratch/k.cu" -t opencl:portable -DN=$n -o "$scratch/images"
    exits "a compile into it ($n)" 0
    cp "$err" "$scratch/err$n"
done
holds 'the first process that stores says it' grep -q 'network file system (fuse).*QUERN_CACHE_DIR' "$scratch/err1"
holds 'the second does not' test ! -s "$scratch/err2"
holds 'no lock was made' test ! -e "$QUERN_CACHE_DIR/locks"
run "$QUERN" compile "$scratch/k.cu" -t opencl:portable -DN=2 -o "$scratch/images"
says 'what was stored is found' 'from the disk cache'
run "$QUERN" cache stat
says 'stat names it' '(on a network file system: fuse)'
run "$QUERN" cache stat --json
says 'as JSON too' '"network": "fuse"'
finish
