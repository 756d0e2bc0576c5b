#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Real models answer sensibly on the device of QN_REQUIRE, else through OpenCL. Those that make
# model-smollm2 and make model-gemma3 have fetched; no model, no check. Part of check-all.
source "$(dirname "$0")/../shell.sh"
models=${XDG_CACHE_HOME:-$HOME/.cache}/quern/models
export QUERN_DEVICE=${QN_REQUIRE:-opencl}
if [ "${QN_LONG:-}" != 1 ]; then
    echo 'skip: real models: make check-all runs them'
    exit 0
fi
if ! "$QUERN" devices --no-probe --json | grep -q "\"id\": \"$QUERN_DEVICE:"; then
    if [ -n "${QN_REQUIRE:-}" ]; then
        verdict "there is a $QUERN_DEVICE device" 1 "$("$QUERN" devices --no-probe)"
        finish
    fi
    echo "skip: real models: no $QUERN_DEVICE device"
    exit 0
fi
# Greedy texts of such small models turn on hundredths, and 8-bit activations move those (docs/parity.md).
exact=()
[ "$QUERN_DEVICE" != cpu ] || exact=(--exact)
# fetched TARGET FILE: is it there? It must then be found without a network.
fetched() {
    if [ ! -e "$models/$2" ]; then
        echo "skip: $2: not fetched (make $1)"
        return 1
    fi
    run env PIP_NO_INDEX=1 bash scripts/fetch_model.sh "${1#model-}"
    exits "$1 finds what it has fetched" 0
    says "$1 finds what it has fetched" "it is $models/$2"
}

if fetched model-smollm2 SmolLM2-135M-Instruct-Q4_1.gguf; then
    model=$models/SmolLM2-135M-Instruct-Q4_1.gguf
    run "$QUERN" run "$model" -p 'What is the capital of France?' --temp 0 "${exact[@]}" -n 40
    exits 'SmolLM2' 0
    says 'SmolLM2 answers' 'Paris'
    complains 'SmolLM2 ends its answer' 'ended by end'
    run "$QUERN" run "$model" --raw -p 'The capital of Germany is' --temp 0 "${exact[@]}" -n 8 --cache q8_0 -q
    says 'SmolLM2 writes on from a cache in q8_0' 'The capital of Germany is Berlin'
    run "$QUERN" run "$model" --raw -p 'The capital of Germany is' --temp 0 "${exact[@]}" -n 8 -q
    says 'SmolLM2 writes on' 'The capital of Germany is Berlin'
    # without the system message that its own template writes, with which it tells of itself
    run "$QUERN" chat "$model" --chat-template chatml --temp 0 "${exact[@]}" -n 40 < <(printf 'My name is Anna. What is 2+2?\nWhat is my name?\n')
    exits 'SmolLM2 chats' 0
    holds 'SmolLM2 remembers what was said' grep -q Anna <(sed -n '2,$p' "$out")
fi
if fetched model-gemma3 gemma-3-270m-q4_k_m.gguf; then
    model=$models/gemma-3-270m-q4_k_m.gguf
    run "$QUERN" run "$model" -p 'What is the capital of France?' --temp 0 "${exact[@]}" -n 12
    exits 'Gemma 3' 0
    says 'Gemma 3 writes on' 'The capital of France is Paris.'
    run "$QUERN" run "$model" -p 'def fibonacci(n):' --temp 0 "${exact[@]}" -n 20 -q
    says 'Gemma 3 writes a program' 'return'
fi
[ "$n_checks" = 0 ] || finish
