#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quern tokenize: tokens of a text in every form, back to the text, and what it refuses. No device.
source "$(dirname "$0")/../shell.sh"
stories=models/quern-stories-q8_0.gguf
tokens() { run "$QUERN" tokenize "$stories" "$@"; }

tokens --ids 'Once <s> upon'
exits 'numbers' 0
silent 'numbers'
ids=$(cat "$out")
holds 'numbers are a list that begins with the start token' grep -q '^\[1, [0-9, ]*\]$' "$out"
holds 'a special token in the text is one' test "$(grep -o '\b1,' "$out" | wc -l)" = 2
tokens --decode "$ids"
exits 'back again' 0
holds 'back again: the text with its start' grep -q '^<s>Once <s>' "$out"
tokens --ids --no-bos --no-parse-special 'Once <s> upon'
exits 'as text' 0
holds 'as text: no special token' test "$(grep -Eo '(\[|, )1(,|\])' "$out" | wc -l)" = 0
text="  Two  spaces, Größe,	a tab and 🦙."
tokens --ids --no-bos "$text"
tokens --decode "$(cat "$out")"
holds 'any text comes back' test "$(cat "$out")" = "$text"
printf 'a\nb\n' >"$scratch/text"
tokens -f "$scratch/text"
exits 'lines' 0
holds 'lines: a line end is shown' grep -q "13 -> '\\\\n'" "$out"
lines=$(wc -l <"$out")
run "$QUERN" tokenize "$stories" --count <"$scratch/text"
exits 'standard input' 0
holds 'standard input: as many' test "$(cat "$out")" = "$lines"
tokens --json $'a\xff'
exits 'JSON' 0
holds 'JSON: bytes that are no text as digits' grep -q '"bytes": "ff"' "$out"
holds 'JSON: the text of the others' grep -q '"text": "<s>"' "$out"
tokens --ids ''
holds 'nothing: the start token' test "$(cat "$out")" = '[1]'
tokens --ids --no-bos ''
holds 'nothing at all' test "$(cat "$out")" = '[]'
tokens --decode '1, 99999999'
exits 'a token that is not there' 1
complains 'a token that is not there' 'the vocabulary has'
tokens --decode '1 x'
exits 'no number' 1
complains 'no number' "'x' is no token"
tokens --ids --json a
exits 'two forms' 2
tokens a -f "$scratch/text"
exits 'two texts' 2
complains 'two texts' 'either TEXT or --file'
run "$QUERN" tokenize "$scratch/nothing.gguf" a
exits 'no model' 1
finish
