#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every public header alone is strict C11 and C++11, without a warning.
source "$(dirname "$0")/../shell.sh"
warnings=(-Wall -Wextra -Wpedantic -pedantic-errors -Werror -Iinclude -fsyntax-only)

for header in include/quern/*.h; do
    name=quern/$(basename "$header")
    echo "#include <$name>" >"$scratch/alone.c"
    cp "$scratch/alone.c" "$scratch/alone.cc"
    holds "$name is C11" "${CC:-cc}" -std=c11 -Wstrict-prototypes "${warnings[@]}" "$scratch/alone.c"
    if command -v g++ >/dev/null; then
        holds "$name is C++11" g++ -std=c++11 "${warnings[@]}" "$scratch/alone.cc"
    fi
done
command -v g++ >/dev/null || echo 'skip: public headers as C++: g++ is not installed'
finish
