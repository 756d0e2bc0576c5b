#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lint.sh: include directions, circles, forbidden calls, the error constructor, file names, formatting.
# Prints each finding as file:line: reason; exit 1 when there is one.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
findings=$(mktemp)
trap 'rm -f "$findings"' EXIT
report() { # REASON, lines of file:line:text on stdin
    local lines
    lines=$(cat)
    [ -z "$lines" ] || printf '%s\n' "$lines" | sed "s|^|lint: $1: |" | tee -a "$findings"
}
sources() { git ls-files -co --exclude-standard -- "$@" | grep -E '\.(c|h)$'; }

# Who may include whom: FOLDER ALLOWED-PREFIXES (extended regular expression)
allow() {
    local folder=$1 allowed=$2
    sources "$folder" | xargs -r grep -nE '^#include "' /dev/null | grep -vE "#include \"($allowed)" |
        report "$folder may not include this"
}
allow include 'x^'
allow base 'base/'
# compiler's floors: core, model, then lower and frontend beside lang, expr, stmt, quirks, out. passes.h declares the
# entry of every pass and nothing else, so every file with a pass includes it; pipeline.c and translate.c may use all.
floor() {
    local folder=$1 below=$2
    allow "compiler/$folder" "base/|compiler/(passes|translator)\.h|compiler/($below|$folder)/"
}
allow ':(glob)compiler/*' 'base/|compiler/'
floor core 'x^'
floor model core
floor lower 'core|model'
floor frontend core
floor lang 'core|model'
floor expr 'core|model|lang'
floor stmt 'core|model|lang|expr'
floor quirks 'core|model|lang|expr|stmt'
floor out 'core|model|lang|expr|stmt'
allow ':(glob)runtime/*' 'base/|runtime/[a-z_]*\.'
for b in cuda hip opencl cpu; do # a backend knows the generic layer and itself
    allow "runtime/$b" "base/|runtime/[a-z_]*\.h|runtime/$b/"
done
# rtc's floors, the lowest first; the helper programs stand on job alone, beside the library, and on runtime, whose
# drivers one of them tries out
allow rtc/job 'base/|rtc/job/'
allow rtc/source 'base/|rtc/source/'
allow rtc/cache 'base/|runtime/|rtc/cache/'
allow rtc/client 'base/|rtc/(job|cache|client)/'
allow rtc/key 'base/|runtime/|rtc/(job|source|cache|client|key)/'
allow ':(glob)rtc/*' 'base/|runtime/|rtc/(job|source|cache|client|key)/|rtc/[a-z_]*\.h'
allow rtc/helper 'base/|compiler/translator\.h|runtime/[a-z_]*\.h|rtc/(job|helper)/'
allow ':(glob)kernels/*' 'base/|kernels/'
allow kernels/ref 'kernels/ref/'
# no backend, nor the inside of rtc
allow engine 'base/|kernels/|engine/|(rtc|runtime)/[a-z_]*\.h'
allow cudart 'base/(arena|embedded|environment|file|hash|name_expression|str|symbol_expression|wire)\.h|rtc/cache/entry\.h|cudart/'
allow doctor 'base/(configuration|environment|file|options|settings|str)\.h|doctor/'
allow tools 'base/(arena|configuration|device_buffers|dwarf_lines|embedded|environment|file|hash|options|settings|str|symbol_expression|translate_options|wire)\.h|base/(compilers|profiles)\.def|cudart/carried_program\.h|doctor/[a-z_]*\.h|tools/'
allow examples 'x^'
allow bench 'base/|bench/|kernels/|rtc/|engine/(model_open|template|tokenizer)\.h'
allow ':(glob)scripts/*' 'base/|(compiler|cudart|doctor|engine)/[a-z_/]*\.def'
git ls-files -co --exclude-standard -- 'kernels/*.cu' 'kernels/*.cuh' | xargs -r grep -nE '^#include' /dev/null |
    grep -vE '#include "quern_[a-z0-9_]*\.cuh"' | report 'kernels include kernels only'
if command -v python3 >/dev/null; then
    python3 scripts/lint_structure.py | report 'structure'
else
    echo 'lint: python3 not found, structure not checked'
fi

# Library code never exits, aborts or prints; allocations are checked; no VLAs or alloca.
library=(base compiler runtime rtc kernels engine ':!rtc/helper/serve.c' ':!compiler/frontend/include' ':!base/log.c' ':!base/options.c')
sources "${library[@]}" | xargs -r grep -nE '(^|[^a-z_A-Z>.])(exit|abort|printf|puts|perror|system|popen|alloca|sprintf|strcpy|strcat|gets)\(' /dev/null |
    report 'forbidden call in library code'
sources "${library[@]}" ':!base/environment.c' | xargs -r grep -nE '(^|[^_a-zA-Z])(secure_)?getenv\(' /dev/null |
    report 'the environment is read by qn__getenv alone'
sources "${library[@]}" | xargs -r grep -nE '(^|[;{)])[ \t]+return QN_E_' /dev/null | grep -v '^base/error.c' |
    report 'failure without a message (use qn__fail)'

# No decision by spelling: what an expression is stands in its node, and text is made in compiler/lang/ and
# compiler/out/. These folders look into names of LLVM's and of the table of builtins, and into printf's format.
named='\((name|symbol|callee|format|p|ptx|b->name|[a-z]->name|qn__callee\(|LLVMGet[A-Za-z]*Name)'
sources compiler/expr compiler/stmt compiler/quirks compiler/model/node.c |
    xargs -r grep -nE '\b(str[a-z]*(cmp|str|chr|spn|brk|len|to[a-z]+)|qn__(starts_with|ends_with|equal))\(' /dev/null |
    grep -vE "(str[a-z]*|qn__[a-z_]*)$named" |
    report 'a decision by spelling'
sources compiler/expr compiler/quirks compiler/stmt compiler/model ':!compiler/model/type_lookup.c' |
    xargs -r grep -nE '\bqn__(spelled|spell_[a-z]+|type_text|type_declare)\(' /dev/null |
    report 'text is spelled in compiler/lang/'
# stand-ins are named after the headers they stand for, as are files that other people's programs miss;
# examples are a user's files
git ls-files -co --exclude-standard -- '*.c' '*.h' ':!compiler/frontend/include' ':!examples' ':!scripts/coverage' | xargs -r -n1 basename | grep -v '^main\.c$' | sort | uniq -d |
    sed 's/$/: more than one file has this name/' | report 'file names are unique'
for f in $(git ls-files -co --exclude-standard -- '*.c' '*.h' '*.cu' '*.cuh' '*.def' '*.sym' '*.sh' '*.mk' ':!tests/compiler/ok' ':!tests/compiler/err' ':!tests/compiler/headers' ':!tests/compiler/third_party'); do
    if [ -s "$f" ]; then head -4 "$f" | grep -q 'SPDX-License-Identifier: Apache-2.0' || echo "$f:1:"; fi
done | report 'no SPDX line'
clang_format=$(command -v clang-format-19 || command -v clang-format || true)
if [ -n "$clang_format" ]; then
    for f in $(sources .); do
        "$clang_format" --dry-run -Werror "$f" >/dev/null 2>&1 || echo "$f:1:"
    done | report 'not formatted (make format)'
else
    echo 'lint: clang-format not found, formatting not checked'
fi
if command -v shellcheck >/dev/null; then
    git ls-files -co --exclude-standard -- '*.sh' .ci/run | xargs -r shellcheck -f gcc | report 'shellcheck'
fi
echo 'longest files:'
git ls-files -co --exclude-standard -- '*.c' '*.h' '*.cu' '*.cuh' | xargs -r wc -l | sort -rn | sed -n '2,11p'
echo 'longest functions:'
# shellcheck disable=SC2016
sources . | xargs -r awk 'FNR==1{start=0} /^{/{start=FNR; name=prev} /^}/{if(start) print FNR-start, FILENAME ":" start ": " name; start=0} {if($0 !~ /^[ \t]/ && $0 != "") prev=$0}' |
    sort -rn | head -10
[ -s "$findings" ] && exit 1
echo 'lint: clean'
