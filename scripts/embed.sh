#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# embed.sh TABLE FOLDER FILE...: a C file with the files' bytes, as a table of struct qn__embedded
# (base/embedded.h). Names in the table are relative to FOLDER. Digests are left to the program where
# there is no b2sum.
set -eu
table=$1 folder=$2
shift 2
digest() {
    command -v b2sum >/dev/null 2>&1 || { echo 0 && return; }
    echo "\"$(b2sum -l 256 <"$1" | cut -c 1-64 | sed 's/../\\x&/g')\""
}
printf '/* made by scripts/embed.sh */\n#include "base/embedded.h"\n\n'
n=0
for f in "$@"; do
    printf 'extern const char %s_%d[], %s_%d_end[];\n' "$table" $n "$table" $n
    printf '__asm__(".pushsection .rodata\\n%s_%d: .incbin \\"%s\\"\\n%s_%d_end: .byte 0\\n.popsection");\n' \
        "$table" $n "$f" "$table" $n
    n=$((n + 1))
done
printf '\nconst struct qn__embedded %s[] = {\n' "$table"
n=0
for f in "$@"; do
    printf '    {"%s", %s_%d, %s_%d_end,\n     %s},\n' "${f#"$folder"/}" "$table" $n "$table" $n "$(digest "$f")"
    n=$((n + 1))
done
printf '    {0, 0, 0, 0},\n};\n'
