#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the binaries show and need: only qn_ symbols leave the shared libraries, nothing but ours is
# global in the static ones, and none of them, nor the program, needs LLVM or a vendor's library.
source "$(dirname "$0")/../shell.sh"

grep -ohE '\bqn_[a-z0-9_]+\(' include/quern/*.h | tr -d '(' | sort -u >"$scratch/named"
for library in libquern libquern-engine; do
    nm -D --defined-only "$QN_BUILD/$library.so" | awk '$2 ~ /[A-Z]/ {print $3}' >"$scratch/exported"
    holds "$library exports something" grep -q '^qn_device_open$' "$scratch/exported"
    holds "$library exports nothing but qn_ names" test -z "$(grep -v '^qn_[a-z]' "$scratch/exported")"
    while read -r name; do
        holds "$name is declared in a public header" grep -qx "$name" "$scratch/named"
    done <"$scratch/exported"

    nm -g --defined-only "$QN_BUILD/$library.a" 2>/dev/null | awk 'NF == 3 {print $3}' | sort -u >"$scratch/global"
    holds "$library.a defines nothing but qn_ names" \
        test -z "$(grep -vE '^(qn_|__asan|__odr_asan|__sanitizer)' "$scratch/global")"
done
{
    sed -n 's/^QN_CALL("[^"]*", .*[ *]\([A-Za-z_0-9]*\), (.*/\1/p' cudart/calls.def
    sed -n 's/^QN_BLAS("[^"]*", [^,]*, \([A-Za-z_0-9]*\), (.*/\1/p' compiler/frontend/include/quern_cublas.def
    sed -n 's/^QN_RAND(\([A-Za-z_0-9]*\), (.*/\1/p' compiler/frontend/include/quern_curand.def
    sed -n 's/^QN_DRIVER("[^"]*", \([A-Za-z_0-9]*\), (.*/\1/p' compiler/frontend/include/quern_driver.def
    sed -n 's/^QN_NVRTC([^,]*, \([A-Za-z_0-9]*\), (.*/\1/p' compiler/frontend/include/quern_nvrtc.def
} | sort -u >"$scratch/served"
nm -D --defined-only "$QN_BUILD/libquern-cudart.so" | awk '$2 ~ /[A-Z]/ {print $3}' | grep -v '^qn_' | sort -u >"$scratch/calls"
holds 'libquern-cudart exports what its tables list' diff "$scratch/served" "$scratch/calls"
holds 'the engine exports its calls' grep -q '^qn_model_file_open$' "$scratch/exported"

plain='libc|libm|libdl|libpthread|libsodium|libxxhash|libzstd|ld-linux.*|libasan|libubsan|libtsan|libgcc_s|libgcov'
needs_only() { # BINARY LIBRARIES: a regular expression
    readelf -d "$QN_BUILD/$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' >"$scratch/needed"
    holds "$1 needs only $2" test -z "$(grep -vE "^($2)\." "$scratch/needed")"
}
needs_only libquern.so "$plain"
needs_only libquern-engine.so "$plain|libjansson|libpcre2-8"
needs_only quern "$plain|libjansson|libpcre2-8"
finish
