#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_reports.sh: docs/reliability.md and docs/embedding.md name tests that exist, each in a table row.
set -uo pipefail
tree=${QN_SOURCE:-.}
document=$tree/docs/reliability.md
checks=0 failures=0

promises=$tree/docs/embedding.md
rows=$(sed -n '/^## Reports/,$p' "$document" | grep -c '^| [A-Za-z]*[-A-Za-z0-9]*#')
# shellcheck disable=SC2016 # backquotes as they stand in the document
for name in $({ sed -n '/^## Reports/,$p' "$document"; cat "$promises"; } | grep '^| ' | grep -o '`[a-z_0-9]*`' | tr -d '\140' | sort -u); do
    case $name in *_*_*) ;; *) continue ;; esac
    checks=$((checks + 1))
    if ! grep -qE "START_TEST\($name\)" "$tree"/tests/*/check_*.c; then
        echo "check_reports.sh: no test is called $name"
        failures=$((failures + 1))
    elif [ "$(grep -hw "$name" "$tree"/tests/*/check_*.c | grep -cv START_TEST)" = 0 ]; then
        echo "check_reports.sh: $name is in no suite, so it never runs"
        failures=$((failures + 1))
    fi
done
# shellcheck disable=SC2016
while read -r row; do # every promise has a test
    checks=$((checks + 1))
    if ! grep -qE '`([a-z_0-9]+_[a-z_0-9]+_[a-z_0-9]+|check_[a-z]+\.sh)`' <<<"$row"; then
        echo "check_reports.sh: a promise without a test: ${row:0:70}"
        failures=$((failures + 1))
    fi
done < <(grep '^| ' "$promises" | grep -vE '^\| (promise|---)')
checks=$((checks + 1))
if [ "$rows" -lt 41 ]; then
    echo "check_reports.sh: only $rows rows of reports"
    failures=$((failures + 1))
fi
if [ "$checks" -gt 0 ]; then
    echo "$(((checks - failures) * 100 / checks))%: Checks: $checks, Failures: $failures, Errors: 0"
fi
[ "$failures" = 0 ]
