#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The program runs with the rights of another user (set-user-ID root, started by somebody else): no variable of
# whoever started it is believed, nothing is stored for it, and no helper runs but an installed one.
source "$(dirname "$0")/../shell.sh"
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
    echo 'skip: a set-user-ID program: needs root and setpriv'
    exit 0
fi
chmod 755 "$scratch"
cp "$QUERN" "$scratch/program"
chmod 4755 "$scratch/program"
mkdir -m 777 "$scratch/theirs"
for name in quern-translate quern-rtc clang-19; do
    printf '#!/bin/sh\nid -u >>%s/theirs/ran\nexit 1\n' "$scratch" >"$scratch/theirs/$name"
    chmod 755 "$scratch/theirs/$name"
done
as_other() { setpriv --reuid=12345 --regid=12345 --clear-groups "$@"; }
if [ "$(as_other "$scratch/program" --version >/dev/null 2>&1 && findmnt -no OPTIONS -T "$scratch" | grep -c nosuid)" != 0 ]; then
    echo 'skip: a set-user-ID program: the temporary folder is mounted nosuid'
    exit 0
fi
echo 'extern "C" __global__ void k(int *o) { *o = 1; }' >"$scratch/k.cu"
theirs=(HOME="$scratch/theirs" QUERN_CACHE_DIR="$scratch/theirs/cache" PATH="$scratch/theirs:$PATH"
    QUERN_TRANSLATE="$scratch/theirs/quern-translate" QUERN_RTC="$scratch/theirs/quern-rtc"
    QUERN_CLANG="$scratch/theirs/clang-19" QUERN_RECORD="$scratch/theirs/record" TMPDIR="$scratch/theirs")
compile() { run as_other env "${theirs[@]}" "$1" compile "$scratch/k.cu" -t opencl:portable -o "$scratch/theirs/o"; }
cp "$QUERN" "$scratch/plain"
compile "$scratch/plain"
holds 'without such rights the variables are believed' test -s "$scratch/theirs/ran"
rm -f "$scratch/theirs/ran" "$scratch/theirs/record"
compile "$scratch/program"
complains 'the cache' 'runs with the rights of another user'
if ! [ -e /usr/local/libexec/quern/quern-translate ]; then
    complains 'the helper' 'a program that runs with the rights of another user starts no other'
fi
holds 'no helper of theirs ran' test ! -e "$scratch/theirs/ran"
holds 'nothing was recorded' test ! -e "$scratch/theirs/record"
holds 'nothing was stored' test ! -e "$scratch/theirs/cache/images"
finish
