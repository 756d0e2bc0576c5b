# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What the test scripts share: `source tests/shell.sh`, state expectations, end with `finish`.
#
# make check sets QUERN (the program), QUERN_RTC, QUERN_TRANSLATE, QN_BUILD, QN_SOURCE, QN_CONFIG and private caches.
set -uo pipefail
: "${QUERN:?run the tests with make check}" "${QN_BUILD:?}" "${QN_SOURCE:?}"
cd "$QN_SOURCE" || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
n_checks=0 n_failures=0
out=$scratch/out err=$scratch/err status=0

# run COMMAND...: keeps its outputs in $out and $err and its status in $status.
run() {
    "$@" >"$out" 2>"$err"
    status=$?
}
verdict() { # NAME GOOD [DETAIL...]
    n_checks=$((n_checks + 1))
    if [ "$2" != 0 ]; then
        n_failures=$((n_failures + 1))
        echo "FAILED: $1"
        shift 2
        [ $# = 0 ] || printf '    %s\n' "$@"
    fi
}
details() { echo "status $status; stdout: $(head -c 600 "$out"); stderr: $(head -c 600 "$err")"; }

# Of the last run:
exits() { # NAME STATUS
    [ "$status" = "$2" ]
    verdict "$1: exit status $2" $? "$(details)"
}
says() { # NAME TEXT: on stdout
    grep -qF -e "$2" "$out"
    verdict "$1: says '$2'" $? "$(details)"
}
matches() { # NAME PATTERN: a line of stdout
    grep -qE -e "$2" "$out"
    verdict "$1: matches /$2/" $? "$(details)"
}
complains() { # NAME TEXT: on stderr
    grep -qF -e "$2" "$err"
    verdict "$1: complains '$2'" $? "$(details)"
}
silent() { # NAME: nothing on stderr
    [ ! -s "$err" ]
    verdict "$1: nothing on stderr" $? "$(details)"
}
holds() { # NAME COMMAND...: any command that must succeed
    local name=$1
    shift
    "$@" >"$scratch/holds" 2>&1
    verdict "$name" $? "$(head -c 1000 "$scratch/holds")"
}
finish() {
    local good=$((n_checks - n_failures))
    echo "$((n_checks ? 100 * good / n_checks : 0))%: Checks: $n_checks, Failures: $n_failures, Errors: 0"
    [ "$n_failures" = 0 ]
    exit
}
