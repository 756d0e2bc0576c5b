#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quern model from outside: what it lists, makes and refuses.
source "$(dirname "$0")/../shell.sh"
stories=models/quern-stories-q8_0.gguf
made=$scratch/made.gguf
make_model() { run "$QUERN" model random -o "$made" "$@"; } # OPTION...

# ---- ls ----
run "$QUERN" model ls "$stories"
exits 'ls' 0
silent 'ls'
says 'ls' 'general.architecture                         "llama"'
matches 'ls' '^blk\.0\.attn_q\.weight +q8_0 +[0-9]+ KiB  \(256, 256\)$'
run "$QUERN" model ls "$stories" --json
exits 'ls --json' 0
if command -v python3 >/dev/null; then
    holds 'ls --json parses' python3 -c 'import json, sys; json.load(open(sys.argv[1]))["facts"]["llama.block_count"]' "$out"
fi
run "$QUERN" model ls
exits 'ls of nothing' 2
run "$QUERN" model ls "$stories" --dim 4
exits 'ls with an option of random' 2
complains 'ls with an option of random' '--dim is for random only, not for ls'

# ---- random ----
make_model --dim 64 --layers 1 --vocab-size 300 -t q8_0
exits 'random' 0
silent 'random'
cp "$made" "$scratch/first.gguf"
make_model --dim 64 --layers 1 --vocab-size 300 -t q8_0 --threads 1
holds 'the same options make the same file' cmp "$made" "$scratch/first.gguf"
make_model --dim 64 --layers 1 --vocab-size 300 -t q8_0 -s 1
verdict 'another seed makes another file' "$(cmp -s "$made" "$scratch/first.gguf" && echo 1 || echo 0)"
rm "$made"
for wrong in '--dim 0' '--layers 0' '--vocab-size 0' '--window 0' '--dim 1048577'; do
    # shellcheck disable=SC2086 # two words
    make_model $wrong
    exits "random $wrong" 2
    complains "random $wrong" 'is not between 1 and 1048576'
done
for wrong in '--preset huge' '--family mamba' '-t q9' '--vocab-size 2' '--heads 5 --kv-heads 3' \
    '--family mixtral --experts-used 9' '--family qwen3 --experts 4'; do
    # shellcheck disable=SC2086 # two words
    make_model $wrong
    exits "random $wrong" 1
done
holds 'what is refused writes nothing' test ! -e "$made"
make_model --vocab-size 3
run "$QUERN" run "$made" --plan --ctx 8
holds 'the smallest vocabulary makes a model that opens' test ! -s "$err"
run "$QUERN" model random
exits 'random without a file to write' 2
run "$QUERN" model random "$stories" -o "$made"
exits 'random with a model' 2

# ---- where to ----
run "$QUERN" model random -o "$scratch/none/made.gguf"
exits 'into a folder that is not there' 1
complains 'into a folder that is not there' "$scratch/none/made.gguf: No such file or directory"
mkfifo "$scratch/pipe"
for place in "$scratch/pipe" "$scratch" -; do
    run "$QUERN" model random -o "$place"
    exits "over $place" 1
    complains "over $place" 'not a regular file'
    run "$QUERN" model convert "$scratch/first.gguf" -t q8_0 -o "$place"
    exits "convert over $place" 1
done
holds 'what is no file stays what it is' test -p "$scratch/pipe"
run "$QUERN" model convert "$stories" -t q4_0 -o "$made"
exits 'converting what is quantised' 1
complains 'converting what is quantised' 'quantise the model it was made from'
find "$scratch" -name '*.part' >"$scratch/parts"
holds 'nothing is left behind' test ! -s "$scratch/parts"
finish
