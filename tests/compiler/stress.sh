#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# stress.sh CHECK_COMPILER FIRST LAST: translate random LLVM IR of these seeds; a crash fails. Needs
# llvm-stress and llvm-as.
set -eu
program=$1 first=$2 last=$3
suffix=''
if command -v llvm-stress-19 >/dev/null; then suffix=-19; fi
if ! command -v "llvm-stress$suffix" >/dev/null; then
    echo 'skip: no llvm-stress'
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
seed=$first
while [ "$seed" -le "$last" ]; do
    "llvm-stress$suffix" -size=$((50 + seed % 250)) -seed="$seed" -o "$folder/a.ll"
    "llvm-as$suffix" "$folder/a.ll" -o "$folder/a.bc"
    if ! timeout 60 "$program" --bitcode "$folder/a.bc" >"$folder/log" 2>&1; then
        echo "seed $seed:"
        cat "$folder/log"
        exit 1
    fi
    seed=$((seed + 1))
done
echo "translated random IR of seeds $first to $last"
