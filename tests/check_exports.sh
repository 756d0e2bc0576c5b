#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the binaries show and need: only qn_ symbols leave the shared library, nothing but ours is
# global in the static one, and neither library nor program needs LLVM or a vendor's library.
source "$(dirname "$0")/shell.sh"

nm -D --defined-only "$QN_BUILD/libquern.so" | awk '$2 ~ /[A-Z]/ {print $3}' >"$scratch/exported"
holds 'the library exports something' grep -q '^qn_device_open$' "$scratch/exported"
holds 'the library exports nothing but qn_ names' test -z "$(grep -v '^qn_[a-z]' "$scratch/exported")"

grep -ohE '\bqn_[a-z0-9_]+\(' include/quern/*.h | tr -d '(' | sort -u >"$scratch/named"
while read -r name; do
    holds "$name is declared in a public header" grep -qx "$name" "$scratch/named"
done <"$scratch/exported"

nm -g --defined-only "$QN_BUILD/libquern.a" 2>/dev/null | awk 'NF == 3 {print $3}' | sort -u >"$scratch/global"
holds 'the static library defines nothing but qn_ names' \
    test -z "$(grep -vE '^(qn_|__asan|__odr_asan|__sanitizer)' "$scratch/global")"

for binary in libquern.so quern; do
    readelf -d "$QN_BUILD/$binary" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' >"$scratch/needed"
    holds "$binary needs only libc, libsodium, libzstd and jansson" \
        test -z "$(grep -vE '^(libc|libm|libdl|libpthread|libsodium|libzstd|libjansson|ld-linux.*|libasan|libubsan|libtsan|libgcc_s|libgcov)\.' "$scratch/needed")"
done
finish
