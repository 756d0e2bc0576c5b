#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pages that are printed from tables are what `make docs` prints now.
source "$(dirname "$0")/../shell.sh"

config=${QN_CONFIG:-release}
is_current() { # PAGE COMMAND...: which prints it
    local page=$1
    shift
    run "$@"
    exits "$page is printed" 0
    holds "$page is what make docs prints" diff -u "$page" "$out"
}
for page in builtins passes keys; do
    holds "scripts/${page}_doc.c builds" make -s "config=$config" "build/$config/scripts/${page}_doc"
    is_current "docs/$page.md" "build/$config/scripts/${page}_doc"
done
holds 'scripts/doctor_doc.c builds' make -s "config=$config" "build/$config/scripts/doctor_doc"
for page in troubleshooting compatibility rocm; do
    is_current "docs/$page.md" "build/$config/scripts/doctor_doc" "$page"
done
holds 'scripts/runtime_api_doc.c builds' make -s "config=$config" "build/$config/scripts/runtime_api_doc"
is_current docs/runtime-api.md "build/$config/scripts/runtime_api_doc"
is_current docs/environment.md "$QUERN" help environment --markdown
finish
