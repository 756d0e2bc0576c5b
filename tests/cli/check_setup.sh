#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# setup.sh where it cannot install: the packages it names are ones that apt has. Only what is in
# $scratch/bin is there, so every program is missing; libraries are found by their files and may not be.
source "$(dirname "$0")/../shell.sh"
bin=$scratch/bin
mkdir "$bin"
for program in sh sed cat; do ln -s "$(command -v "$program")" "$bin/$program"; done
fake() { # NAME TEXT
    printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}
fake id 'echo 1000'
fake apt-get 'echo "apt-get ran: $*" >&2; exit 1'
packages() { # NAME...: what apt has
    fake apt-cache "for known in $*; do [ \"\$2\" != \"\$known\" ] || exit 0; done; exit 100"
}
names() { # NAME WORD...: as names of packages
    local name=$1 word
    shift
    for word in "$@"; do
        holds "$name: names $word" grep -qE "(^| )$word( |\$)" "$err"
    done
}
setup() { run env -i PATH="$bin" sh scripts/setup.sh "$1"; }

packages libsodium-dev clang-20 llvm-20-dev
setup run
exits 'without sudo' 1
complains 'without sudo' 'please run as root'
names 'without sudo' gcc make clang-20 llvm-20-dev
holds 'no placeholder is a package' test -z "$(grep -oE 'LLVM|DEVICE_LIBS' "$err")"

packages # none: the lists are not there
setup ci
exits 'without lists of packages' 1
names 'without lists of packages' clang-19 llvm-19-dev lld-19
holds 'no placeholder is a package, without lists' test -z "$(grep -oE 'LLVM|DEVICE_LIBS' "$err")"

packages libsodium-dev clang-14 llvm-14-dev
setup run
exits 'where apt has no LLVM that is new enough' 1
complains 'where apt has no LLVM that is new enough' 'apt.llvm.org'

rm "$bin/apt-get"
setup run
exits 'without apt' 1
complains 'without apt' 'On other systems:'
names 'without apt' clang-19 llvm-19-dev
finish
