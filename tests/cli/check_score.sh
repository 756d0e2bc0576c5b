#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quern perplexity and quern embed from outside, with the bundled model: texts that it expects and
# texts that it does not, a coarser form of it, vectors that are as long and as alike as they must be.
source "$(dirname "$0")/../shell.sh"
stories=models/quern-stories-q8_0.gguf
export QUERN_DEVICE=cpu

# ---- what is wrong with the command line ----
run "$QUERN" perplexity "$stories"
exits 'perplexity of no text' 2
run "$QUERN" perplexity "$stories" -f "$scratch/nothing.txt"
exits 'perplexity of no file' 1
run "$QUERN" embed "$stories"
exits 'embed nothing' 2
run "$QUERN" embed "$stories" -p a -f LICENSE
exits 'embed two things' 2
: >"$scratch/empty.txt"
run "$QUERN" embed "$stories" -f "$scratch/empty.txt"
exits 'embed an empty file' 1
complains 'embed an empty file' 'no text in it'

# ---- perplexity ----
for seed in 1 2; do
    "$QUERN" run "$stories" -p 'Once upon a time' -s "$seed" --ignore-eos -n 300 -q >>"$scratch/story.txt"
done
"$QUERN" devices --no-probe | grep -q '^cpu:0' || {
    echo 'skip: perplexity and embed: no cpu:0'
    finish
}
tr abcdefghijklmnopqrstuvwxyz bcdefghijklmnopqrstuvwxyza <"$scratch/story.txt" >"$scratch/odd.txt"
run "$QUERN" perplexity "$stories" -f "$scratch/story.txt" -c 64 --json -q
exits 'perplexity' 0
silent 'perplexity'
value() { sed -n "s/.*\"$1\": \([-0-9.e]*\),*/\1/p" "$out" | head -1; } # NAME
# shellcheck disable=SC2317 # called by holds
less() { [ -n "$1" ] && [ -n "$2" ] && awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 < b + 0) }'; }
expected=$(value perplexity)
holds 'a text of its own is expected' less "$expected" 6
holds 'all tokens of the second halves count' test "$(value tokens)" = $(($(value pieces) * 31))
run "$QUERN" perplexity "$stories" -f "$scratch/odd.txt" -c 64 --json -q
holds 'another one is not' less 50 "$(value perplexity)"
run "$QUERN" perplexity "$stories" -f - -c 64 --json -q --batch 7 <"$scratch/story.txt"
other=$(value perplexity)
holds 'small batches give the same' less "$(awk -v a="$expected" -v b="$other" 'BEGIN { print (a > b ? a - b : b - a) }')" 0.02
run "$QUERN" perplexity "$stories" -f "$scratch/story.txt" -c 64 --chunks 2 --json -q
holds '--chunks' test "$(value pieces)" = 2
"$QUERN" model random --preset small --vocab "$stories" -t f16 -s 5 -o "$scratch/f16.gguf"
"$QUERN" model convert "$scratch/f16.gguf" -t q4_0 -o "$scratch/q4_0.gguf"
run "$QUERN" perplexity -m "$scratch/q4_0.gguf" -f "$scratch/story.txt" -c 64 --kl "$scratch/f16.gguf" --json -q
exits 'divergence' 0
holds 'a coarser form is away from the original' less 0.0001 "$(value mean)"
holds 'but not far' less "$(value mean)" 0.5
holds 'and mostly expects the same token' less 0.3 "$(value same_top)"
kl=$(value mean) top=$(value same_top)
run "$QUERN" perplexity -m "$scratch/f16.gguf" -f "$scratch/story.txt" -c 64 --save-all-logits "$scratch/f16.logits" -q
exits 'saved distributions' 0
size=$(sed -n 's/.*, \([0-9]*\) tokens in \([0-9]*\) pieces of 64/\1 \2/p' "$out" | awk '{ print 20 + $2 * 64 * 4 + $1 * (8 + 2048 * 2) }')
holds 'saved distributions: as large as llama.cpp has them' test "$(stat -c %s "$scratch/f16.logits")" = "$size"
holds 'saved distributions: nothing else is left' test ! -e "$scratch/f16.logits.part"
run "$QUERN" perplexity -m "$scratch/q4_0.gguf" --kl-divergence-base "$scratch/f16.logits" --kl-divergence --json -q
exits 'divergence from saved distributions' 0
holds 'divergence from saved distributions: the same' less "$(awk -v a="$kl" -v b="$(value mean)" 'BEGIN { print (a > b ? a - b : b - a) }')" 0.0005
holds 'divergence from saved distributions: the same tokens' less "$(awk -v a="$top" -v b="$(value same_top)" 'BEGIN { print (a > b ? a - b : b - a) }')" 0.01
run "$QUERN" perplexity -m "$scratch/f16.gguf" --save-all-logits "$scratch/f16.logits" --kl-divergence --chunks 2 -q
matches 'no divergence from itself, saved' '^divergence 0\.0000.*; the same likeliest token (99|100)\.'
for wrong in --kl-divergence "--kl-divergence --save-all-logits $scratch/f16.logits -f LICENSE" \
    "--save-all-logits x -f LICENSE --kl $stories"; do
    # shellcheck disable=SC2086 # several words
    run "$QUERN" perplexity "$stories" $wrong
    exits "perplexity $wrong" 2
done
head -c 5000 "$scratch/f16.logits" >"$scratch/cut.logits"
run "$QUERN" perplexity "$stories" --save-all-logits "$scratch/cut.logits" --kl-divergence
exits 'distributions that were cut short' 1
complains 'distributions that were cut short' '5000 bytes, which are not'
run "$QUERN" perplexity "$stories" --save-all-logits LICENSE --kl-divergence
complains 'no file of distributions' 'no file of --save-all-logits'
run "$QUERN" perplexity "$stories" --save-all-logits "$scratch/f16.logits" --kl-divergence -c 128
complains 'pieces of another size' 'are 64 tokens'
run "$QUERN" perplexity "$stories" -f "$scratch/story.txt" -c 64 --save-all-logits "$scratch/no/where" -q
exits 'distributions to nowhere' 1
complains 'distributions to nowhere' "$scratch/no/where.part: No such file"
run "$QUERN" perplexity "$stories" -f "$scratch/story.txt" -c 64 --kl "$stories" --chunks 1 -q
matches 'no divergence from itself' '^divergence 0\.000000 .*; the same likeliest token 100\.00 %$'
run "$QUERN" perplexity "$stories" -f "$scratch/story.txt" -c 5000 -q
exits 'less than a piece' 1
complains 'less than a piece' 'give a longer one, or a smaller --ctx'
"$QUERN" model random --preset small --vocab-size 512 -t q8_0 -o "$scratch/other.gguf"
run "$QUERN" perplexity "$stories" -f "$scratch/story.txt" -c 64 --kl "$scratch/other.gguf" -q
exits 'another vocabulary' 1
complains 'another vocabulary' 'the vocabularies differ: '

# ---- embed ----
run "$QUERN" embed "$stories" -p 'A small dog ran home.' -p 'A small dog ran home.' -p 'The wind was cold.' --json -q
exits 'embed' 0
silent 'embed'
if command -v python3 >/dev/null; then
    holds 'embed: length 1, the same text the same vector' python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
v = [e["embedding"] for e in d["data"]]
assert len(v) == 3 and all(len(x) == d["dim"] for x in v)
assert all(abs(sum(a * a for a in x) - 1) < 1e-4 for x in v)
assert v[0] == v[1] and abs(d["cosine"][0][1] - 1) < 1e-6 and d["cosine"][0][2] < 0.999
assert abs(d["cosine"][0][2] - sum(a * b for a, b in zip(v[0], v[2]))) < 1e-4' "$out"
fi
printf 'A small dog ran home.\r\n\nThe wind was cold.\n' >"$scratch/lines.txt"
run "$QUERN" embed "$stories" -f "$scratch/lines.txt" -q
holds 'a vector for each line that is not empty' test "$(wc -l <"$out")" = 2
cp "$out" "$scratch/mean"
run "$QUERN" embed "$stories" -f "$scratch/lines.txt" -q --pooling last
verdict 'the last state is another vector' "$(cmp -s "$out" "$scratch/mean" && echo 1 || echo 0)" "$(details)"
run "$QUERN" embed "$stories" -p "$(printf 'one day %.0s' {1..40})" -q
exits 'a text of more than one piece' 0
run "$QUERN" embed "$stories" -p "$(printf 'one day %.0s' {1..40})" -q -c 32
exits 'a text longer than the context' 1
complains 'a text longer than the context' '--ctx sets it'
finish
