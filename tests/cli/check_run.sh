#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quern run and quern chat from outside: the bundled model, and one of random weights that never
# ends its text. What they write where, what the same seed repeats, refusals, Ctrl-C.
# covers: engine/bandwidth
source "$(dirname "$0")/../shell.sh"
stories=models/quern-stories-q8_0.gguf

# ---- without a device ----
run "$QUERN" run
exits 'run without a model' 2
complains 'run without a model' 'MODEL is missing'
run "$QUERN" run "$stories" --frobnicate
exits 'an unknown option' 2
for wrong in '--temp x' '--temp -1' '--temp nan' '--top-p 3' '--min-p 1' '--repeat-penalty -1' '-n -2' '--cache q9' '-s 2e3' \
    '--typical 2' '--mirostat 3' '--samplers top_k;best' '--xtc-threshold 2' '--dry-base x' '--repeat-last-n -2' \
    '--context-shift --no-context-shift' '--library --no-library' '-e -p a\q' '--rope-scale 0' '--rope-freq-base x' \
    '--rope-scale 2 --rope-freq-scale 2' '--rope-scaling ntk' '--yarn-beta-fast inf' '--probs 2' '-m b.gguf'; do
    # shellcheck disable=SC2086 # two words
    run "$QUERN" run "$stories" -n 1 $wrong
    exits "run $wrong" 2
    holds "run $wrong writes no text" test ! -s "$out"
done
complains 'a model twice' 'either MODEL or --model'
for wrong in 5+inf 5 x 2048+1 'one day+1'; do
    run "$QUERN" run "$stories" -p a -d cpu -q -l "$wrong"
    exits "--logit-bias $wrong" 2
    complains "--logit-bias $wrong" "--logit-bias '$wrong': "
done
run "$QUERN" run "$stories" -p a -f "$stories"
exits 'two prompts' 2
complains 'two prompts' 'either --prompt or --file'
for wrong in '--template chatml' '--system x'; do
    # shellcheck disable=SC2086 # two words
    run "$QUERN" run "$stories" --raw $wrong
    exits "--raw $wrong" 2
done
for wrong in '--chat-template chatml --chat-template-file x' '--chat-template-kwargs [1]' '--chat-template-kwargs {' \
    '--reasoning on --reasoning-budget 0' '--reasoning maybe' '--reasoning-budget 7'; do
    # shellcheck disable=SC2086 # several words
    run "$QUERN" run "$stories" -p a $wrong
    exits "run $wrong" 2
done
run "$QUERN" run "$stories" -p a --chat-template-file "$scratch/nothing.jinja"
exits 'a template from no file' 1
complains 'a template from no file' 'nothing.jinja'
run "$QUERN" run "$stories" -p a --chat-template '{{ messages | urlize }}'
exits 'a template that Quern cannot run' 1
complains 'a template that Quern cannot run' "chat template, line 1: the filter 'urlize'"
complains 'a template that Quern cannot run: what to do' '--chat-template chatml'
run "$QUERN" run "$stories" -p a -d cpu:0 --library
exits 'a library where there is none' 1
complains 'a library where there is none' 'there is no cuBLAS for cpu:0: leave out --library'
run "$QUERN" run "$stories" -f "$scratch/nothing.txt"
exits 'a prompt from no file' 1
complains 'a prompt from no file' 'nothing.txt'
run "$QUERN" run "$scratch/nothing.gguf"
exits 'no model file' 1
complains 'no model file' "quern: model: $scratch/nothing.gguf: No such file or directory"
head -c 100000 "$stories" >"$scratch/cut.gguf"
run "$QUERN" run "$scratch/cut.gguf"
exits 'a model cut short' 1
complains 'a model cut short' "tensor 'token_embd.weight'"
complains 'a model cut short' 'the file was cut short'
run "$QUERN" run LICENSE
exits 'a file that is no model' 1
complains 'a file that is no model' 'not a model file'
run "$QUERN" chat "$stories" </dev/null
exits 'chat without a template' 1
complains 'chat without a template' 'has no chat template: name one with --chat-template'

# ---- on a device ----
export QUERN_DEVICE=opencl
"$QUERN" devices --no-probe --json >"$scratch/devices"
if ! grep -q '"id": "opencl:' "$scratch/devices"; then
    echo 'skip: run and chat on a device: no OpenCL device'
    finish
fi
is_cpu=$(grep -c '"class": "CPU"' "$scratch/devices")

run "$QUERN" run "$stories" --temp 0 -p 'One day' -n 4
cp "$out" "$scratch/plain"
run env QUERN_FORCE_FUSED=1 QUERN_LOG=debug "$QUERN" run "$stories" --temp 0 -p 'One day' -n 4 --stats
exits 'kernels of other devices are forced' 0
complains 'kernels of other devices are forced' 'streamed by fused kernels: the head is the embedding'
holds 'kernels of other devices are forced: the same text' cmp "$out" "$scratch/plain"
[ "$is_cpu" = 0 ] || complains 'and the log says so' 'were not measured here; QUERN_FORCE_FUSED=1 takes them'

run "$QUERN" run "$stories" --plan
exits 'a plan' 0
says 'a plan' 'It fits'
says 'a plan' '512 positions; the model was trained for 512'
silent 'a plan'
run "$QUERN" run "$stories" --plan --json
exits 'a plan as JSON' 0
says 'a plan as JSON' '"context": 512,'
says 'a plan as JSON' '"fits": true'
run "$QUERN" run "$stories" --plan --json --ctx 2000000000
exits 'a plan that does not fit' 1
says 'a plan that does not fit' '"fits": false'
largest=$(sed -n 's/.*"context_max": \([0-9]*\),/\1/p' "$out")
run "$QUERN" run "$stories" --plan --ctx 2000000000
matches 'a plan that does not fit says what would' \
    '^It does not fit: take --ctx [0-9]+ or less, with --cache q8_0 [0-9]+ or less\.$'
# shellcheck disable=SC2317 # called by holds
near() { awk -v a="$1" -v b="$largest" 'BEGIN { exit !(a > b / 2 && a < b * 2) }'; } # others' memory comes and goes
holds 'a plan that does not fit: as in JSON' near "$(sed -n 's/.*take --ctx \([0-9]*\) or less,.*/\1/p' "$out")"
run "$QUERN" run "$stories" --plan --ctx 2000000000 --cache q8_0
matches 'a plan in q8_0 that does not fit' '^It does not fit: take --ctx [0-9]+ or less\.$'
run "$QUERN" run "$stories" --ctx 2000000000 -p a
exits 'a context that does not fit' 1
holds 'a context that does not fit: the largest is named' near "$(sed -n 's/.*at most \([0-9]*\) positions fit.*/\1/p' "$err")"

run "$QUERN" run "$stories" --plan --json -ngl 2
exits 'a plan with layers streamed' 0
says 'a plan with layers streamed' '"streamed_layers": 3,'
run "$QUERN" run "$stories" --plan --vram 1M
exits 'too little memory even for slots' 1
matches 'too little memory even for slots' '^  streamed .* 5 layers, '
run "$QUERN" run "$stories" -p a --vram 1M
exits 'a model that cannot be streamed either' 1
complains 'a model that cannot be streamed either' 'with all layers streamed'
run "$QUERN" run "$stories" -p a --vram much
exits 'a size that is none' 2
complains 'a size that is none' 'a number above 0, or one with K, M or G'

write() { run "$QUERN" run "$stories" -n 30 "$@"; } # OPTION...
write -p 'Once upon a time' --temp 0
exits 'a story' 0
matches 'a story goes on from its prompt' '^Once upon a time, .{40}'
complains 'a story: the report is on stderr' '30 tokens, '
complains 'a story: the report is on stderr' 'ended by length'
cp "$out" "$scratch/greedy"
write -p 'Once upon a time' --temp 0 -q
silent '--quiet'
holds 'the likeliest text is the same twice' cmp "$out" "$scratch/greedy"
write -p 'Once upon a time' --temp 0 --stats
for line in 'memory   weights' 'first token' '3 allocations in all' 'choice   from 8 B ' 'seed '; do
    complains '--stats' "$line"
done
write -p 'Once upon a time' --top-k 0 --stats
verdict '--stats: with --top-k 0 all logits come to the host' \
    "$(grep -q 'choice   from 8 B ' "$err" && echo 1 || echo 0)" "$(details)"
complains '--stats' 'choice   from '
write -p 'Once upon a time' --temp 0 -q --no-graph
holds 'the likeliest text is the same without a graph' cmp "$out" "$scratch/greedy"
if command -v script >/dev/null; then # progress moves over the last line of a terminal
    TERM=xterm script -qec "'$QUERN' run $stories -n 30 -p 'Once upon a time' --temp 0" /dev/null >"$scratch/typescript"
    tr -d '\r' <"$scratch/typescript" | sed 's/.*\x1b\[K//' >"$scratch/seen"
    holds 'on a terminal progress is shown' grep -q 'weights' "$scratch/typescript"
    holds 'on a terminal the prompt stays' grep -q '^Once upon a time, ' "$scratch/seen"
    TERM=dumb script -qec "'$QUERN' run $stories -n 30 -p 'Once upon a time' --temp 0" /dev/null >"$scratch/typescript"
    holds 'no escape sequences on a dumb terminal' test -z "$(tr -dc '\033' <"$scratch/typescript")"
fi
printf 'Once upon a time' | run "$QUERN" run "$stories" -n 30 --temp 0 -q -f -
holds 'a prompt from stdin' cmp "$out" "$scratch/greedy"
printf 'Once upon a time' | run "$QUERN" run -m "$stories" --n-predict 30 --temp 0 -q
holds 'a prompt from a pipe that nobody named; the model as an option' cmp "$out" "$scratch/greedy"
run "$QUERN" run "$stories" -e -p 'Once\x20upon a time' --predict 30 --temp 0 -q
holds 'escapes' cmp "$out" "$scratch/greedy"
write -p 'One day' -q -s 5
cp "$out" "$scratch/seed5"
write -p 'One day' -q -s 5
holds 'the same seed writes the same text' cmp "$out" "$scratch/seed5"
write -p 'One day' -q -s 6
verdict 'another seed writes another text' "$(cmp -s "$out" "$scratch/seed5" && echo 1 || echo 0)" "$(details)"
write -q -s 1 </dev/null
exits 'no prompt' 0
matches 'no prompt: a story nevertheless' '[a-z]{3} [a-z]+ .{20}'
"$QUERN" run "$stories" -p Hi -q >&- 2>"$err"
status=$?
exits 'a closed stdout' 1
complains 'a closed stdout' 'standard output: Bad file descriptor'
if [ -w /dev/full ]; then
    "$QUERN" run "$stories" -p Hi >/dev/full 2>"$err"
    status=$?
    exits 'a full disk' 1
    complains 'a full disk' 'standard output: No space left on device'
    complains 'a full disk: the text ends where nothing more is kept' 'ended by output'
    printf 'Hello\nAnd you?\n' | "$QUERN" chat "$stories" --template chatml -n 8 >/dev/full 2>"$err"
    status=$?
    exits 'chat on a full disk' 1
    complains 'chat on a full disk' 'standard output: No space left on device'
fi
printf 'a\0b' >"$scratch/zero.txt"
run "$QUERN" run "$stories" -f "$scratch/zero.txt"
exits 'a prompt with a zero byte' 1
complains 'a prompt with a zero byte' 'no text: byte 1 is zero'
run "$QUERN" run "$stories" -p Hi --plan --logits
exits 'a plan and logits' 2
run "$QUERN" run "$stories" -p Hi --logits
exits '--logits' 0
holds '--logits: one for each token' test "$(wc -l <"$out")" = 2048
if command -v python3 >/dev/null; then
    run "$QUERN" run "$stories" -p Hi --logits --json
    holds '--logits --json: the same' python3 -c 'import json, sys; assert len(json.load(open(sys.argv[1]))["logits"]) == 2048' "$out"
fi
write -p 'One day' -s 5 --json
exits 'run --json' 0
for field in '"finish": "length"' '"seed": 5' '"prompt_tokens": ' '"tokens": 30' '"device": "opencl:' \
    '"peak_bytes": ' '"built": ' '"first_launches_ms": ' '"first_token": ' '"tokens_per_s": ' '"bandwidth_share": '; do
    says 'run --json' "$field"
done
holds 'run --json: the text is the one written without' grep -qF "\"text\": \"$(sed -n '1s/^One day//p' "$scratch/seed5")" "$out"
if command -v python3 >/dev/null; then
    holds 'run --json parses' python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$out"
fi
write -p 'One day' -c 513
complains 'a context beyond what was trained' 'the model was trained for 512 positions, --ctx asks for 513'
write -p 'One day' -c 512
verdict 'a context as it was trained' "$(grep -q 'trained for' "$err" && echo 1 || echo 0)" "$(details)"
run "$QUERN" run "$stories" --temp 0 -p 'One day' -c 20
exits 'a full context' 0
complains 'a full context' 'the context of 20 positions is full; --ctx sets it'
run "$QUERN" run "$stories" -p "$(printf 'one day %.0s' {1..40})" -c 32
exits 'a prompt longer than the context' 1
complains 'a prompt longer than the context' 'tokens and the context 32 positions: --ctx '
holds 'a prompt longer than the context is not shown' test ! -s "$out"
run "$QUERN" run "$stories" --temp 0 -p 'One day' -c 20 -n 60 --context-shift --keep -1
exits 'a shifted context' 0
complains 'a shifted context' 'the context was shifted '
complains 'a shifted context' 'ended by length'
word=$(cut -d' ' -f8 "$scratch/greedy" | head -1)
run "$QUERN" run "$stories" -n 30 -p 'Once upon a time' --temp 0 --stop "${word%?}" --json
says 'a stop' '"finish": "stop"'
says 'a stop: which one' "\"stop\": \"${word%?}\""
run "$QUERN" run "$stories" -n 30 -p 'Once upon a time' --temp 0 -q -r xyz -r "$(cut -c40-50 "$scratch/greedy" | head -1)"
holds 'a stop ends the text in front of it' test "$(cat "$out")" = "$(cut -c1-39 "$scratch/greedy" | head -1)"
write -p 'Once upon a time' --temp 0 -q -l ' a-inf'
verdict 'a token that never comes' "$(grep -q 'time,* a ' "$out" && echo 1 || echo 0)" "$(details)"
run "$QUERN" run "$stories" -p 'One day' --temp 0 --ignore-eos -c 400 -q
exits 'no end' 0
matches 'no end: the text is as long as the context' '.'
run "$QUERN" run "$stories" -p 'One day' --temp 0 --ignore-eos -c 400 -n 390 --json
says 'no end' '"tokens": 390'
write -p 'One day' -q -s 5 --samplers 'temperature'
cp "$out" "$scratch/all"
write -p 'One day' -q -s 5 --top-k 0 --top-p 1 --min-p 0
holds 'a step that is left out of --samplers is not done' cmp "$out" "$scratch/all"
write -p 'Once upon a time' -q --temp 2 --top-p 0
holds 'a top-p of 0 is the likeliest alone' cmp "$out" "$scratch/greedy"
write -p 'Once upon a time' -q --temp 0 --repeat-penalty 1.5 --repeat-last-n 0
holds 'no token is recent' cmp "$out" "$scratch/greedy"
for steps in '--mirostat 1' '--mirostat 2' '--xtc-probability 1' '--dry-multiplier 1' '--typical 0.5' '--top-n-sigma 1' \
    '--presence-penalty 1 --frequency-penalty 1' '--dynatemp-range 0.5' '--repeat-last-n -1 --repeat-penalty 1.1'; do
    # shellcheck disable=SC2086 # several words
    write -p 'One day' -q -s 5 $steps
    exits "$steps" 0
    matches "$steps: a text" '^One day.{20}'
done
write -p 'One day' -q -s 5 --grammar 'root ::= " the " [a-z]{3,8} "."'
matches 'a grammar' '^One day the [a-z]{3,8}\.$'
printf 'root ::= [0-9]{4}\n' >"$scratch/four.gbnf"
write -p 'One day' -q -s 5 --grammar-file "$scratch/four.gbnf"
matches 'a grammar from a file' '^One day[0-9]{4}$'
write -p 'One day' -q -s 5 --grammar 'root ::= [0-9]{4}' --ignore-eos
matches 'a complete text ends without an end token' '^One day[0-9]{4}$'
schema='{"properties":{"n":{"type":"integer","minimum":3,"maximum":12},"t":{"items":{"enum":["a","b"]},"minItems":1,"maxItems":3}},"required":["n","t"]}'
run "$QUERN" run "$stories" -p 'One day' -j "$schema" --temp 1.5 -s 2 -n 200 --json
exits 'a JSON schema' 0
says 'a JSON schema: the text ends' '"finish": "end"'
if command -v python3 >/dev/null; then
    holds 'a JSON schema: what it allows' python3 -c 'import json, sys
d = json.loads(json.load(open(sys.argv[1]))["text"])
assert 3 <= d["n"] <= 12 and 1 <= len(d["t"]) <= 3 and set(d["t"]) <= {"a", "b"} and set(d) == {"n", "t"}, d' "$out"
fi
write -p 'One day' --grammar 'root ::= [z-a]'
exits 'no grammar' 2
complains 'no grammar' '--grammar: grammar, line 1, column 14: the range before this goes backwards'
write -p 'One day' -j '{"not":{}}'
exits 'a schema that would not be kept' 2
complains 'a schema that would not be kept' "'not' would not be kept"
write -p 'One day' -j '{}' --grammar 'root ::= "a"'
exits 'two forms' 2
write -p 'One day' --grammar-file "$scratch/no.gbnf"
exits 'a grammar from no file' 1
for how in '--temp 0' '--temp 1 -s 4' '--temp 0 --ignore-eos -c 40 --context-shift' '--exact --temp 1 -s 5'; do
    # shellcheck disable=SC2086 # several words
    run "$QUERN" run "$stories" -d cpu -p 'Once upon a time' -n 90 -q $how
    cp "$out" "$scratch/alone"
    for guesses in --lookup '--lookup --draft 2' "--draft-model $stories" "--draft-model $stories --draft 3"; do
        # shellcheck disable=SC2086 # several words
        run "$QUERN" run "$stories" -d cpu -p 'Once upon a time' -n 90 $how $guesses
        exits "$how $guesses" 0
        holds "$how $guesses: the same text" cmp "$out" "$scratch/alone"
        case $guesses in
            --draft*) holds "$how $guesses: guesses are right" grep -qE '; [1-9][0-9]* of [0-9]+ guesses were right' "$err" ;;
        esac
    done
done
prompt='Once upon a time there was a little fox who lived near the river'
cached() { run "$QUERN" run "$stories" -d cpu --exact -p "$prompt" -n 20 --temp 0 "$@"; } # OPTION...
cached -q
cp "$out" "$scratch/alone"
cached -q --prompt-cache "$scratch/prompt"
holds 'a prompt that is saved: the same text' cmp "$out" "$scratch/alone"
holds 'a saved prompt is for its owner' test "$(stat -c %a "$scratch/prompt")" = 600
cached --prompt-cache "$scratch/prompt"
holds 'a prompt that was saved: the same text' cmp "$out" "$scratch/alone"
complains 'a prompt that was saved' "of the prompt's"
complains 'a prompt that was saved' 'prompt   1 tokens'
cached -q --prompt-cache "$scratch/prompt" --cache q8_0
exits 'a prompt saved with another cache' 0
complains 'a prompt saved with another cache' 'made with another model, type of the cache, adapters, or --exact'
complains 'a prompt saved with another cache' 'read from its beginning'
if command -v python3 >/dev/null; then
    for how in '--temp 0' '--temp 1 -s 4' '--temp 1 -s 4 --lookup'; do
        # shellcheck disable=SC2086 # several words
        write -p 'Once upon a time' --json --probs 3 -q -d cpu $how
        exits "--probs $how" 0
        holds "--probs $how: of each token" python3 -c 'import json, math, sys
d = json.load(open(sys.argv[1]))
p = d["probabilities"]
assert len(p) == d["tokens"], (len(p), d["tokens"])
assert d["text"].strip().endswith(b"".join(bytes(t["bytes"]) for t in p).decode().strip().replace("\u2581", " ")), p
for t in p:
    top = t["top_logprobs"]
    assert len(top) == 3 and t["logprob"] <= top[0]["logprob"] <= 0, t
    assert [x["logprob"] for x in top] == sorted((x["logprob"] for x in top), reverse=True), top
    assert sum(math.exp(x["logprob"]) for x in top) < 1.0001, top
    assert t["id"] not in [x["id"] for x in top] or t in [{**x, "top_logprobs": top} for x in top], t
    assert "--temp 0" not in sys.argv[2] or t["id"] == top[0]["id"], t' "$out" "$how"
    done
fi
write -p 'Once upon a time' --temp 0 --rope-freq-base 10000 --rope-freq-scale 1 --rope-scaling linear
holds 'positions as the model has them: the same text' cmp "$out" "$scratch/greedy"
write -p 'Once upon a time' --temp 0 --rope-scaling yarn --rope-scale 4 --yarn-orig-ctx 128 --yarn-attn-factor 1.1
exits 'other positions' 0
holds 'other positions: another text' test "$(cat "$out")" != "$(cat "$scratch/greedy")"
"$QUERN" model random --preset small --vocab-size 512 -t f16 -o "$scratch/f16.gguf"
"$QUERN" model convert "$scratch/f16.gguf" -t q8_0 -o "$scratch/q8_0.gguf"
run "$QUERN" run "$scratch/q8_0.gguf" -q --raw -p a -n 5 --temp 0
cp "$out" "$scratch/converted"
run "$QUERN" run "$scratch/f16.gguf" -q --raw -p a -n 5 --temp 0 --load-as q8_0
exits '--load-as' 0
silent '--load-as'
holds '--load-as: the text of the converted model' cmp "$out" "$scratch/converted"
run "$QUERN" run "$scratch/q8_0.gguf" -q --raw -p a -n 5 --load-as q4_0
exits '--load-as of quantised weights' 1
complains '--load-as of quantised weights' 'is q8_0 already'
write -p 'Once upon a time' --yarn-orig-ctx 128
exits "a number of yarn's alone" 1
complains "a number of yarn's alone" 'rope_scaling yarn is to be said as well'
write -p Hi --lookup --draft-model "$stories"
exits 'two ways to guess' 2
"$QUERN" model random --preset small --vocab-size 512 -t q8_0 -o "$scratch/guesser.gguf"
write -p Hi --draft-model "$scratch/guesser.gguf"
exits 'a guesser with another vocabulary' 1
complains 'a guesser with another vocabulary' 'a vocabulary of 512 tokens'
write -p Hi --template frobnicate
exits 'an unknown template' 1
complains 'an unknown template' 'chatml'
write -p '' --template chatml
exits 'nothing to answer' 1
complains 'nothing to answer' 'answers a prompt'
write -p Hi --system 'Be brief.'
exits 'a system message for no chat model' 1

# ---- templates ----
cat >"$scratch/talk.jinja" <<'END'
{{- bos_token }}
{%- for m in messages %}
<{{ m.role }}>{{ m.content | trim }}
{%- endfor %}
{%- if tools %}[{{ tools[0].name }}]{% endif %}
{%- if enable_thinking is defined %}({{ enable_thinking }}{{ effort }}){% endif %}
END
echo '[{"name": "clock"}]' >"$scratch/tools.json"
given() { run "$QUERN" run "$stories" -p ' Hi <s> ' -n 1 --temp 0 -q --show-prompt --chat-template-file "$scratch/talk.jinja" "$@"; }
given
exits 'a template from a file' 0
holds 'a template from a file: what the model is given' test "$(cat "$err")" = "$(printf '<s><user>Hi <s>')"
given --system 'Be brief.' --tools "$scratch/tools.json" --reasoning off --chat-template-kwargs '{"effort": "low"}'
exits 'names for a template' 0
holds 'names for a template: what the model is given' \
    test "$(cat "$err")" = "$(printf '<s><system>Be brief.<user>Hi <s>[clock](Falselow)')"
text_tokens=$("$QUERN" run "$stories" -p 'Hi <s>' -n 1 --chat-template-file "$scratch/talk.jinja" --json | sed -n 's/.*"prompt_tokens": //p')
special_tokens=$("$QUERN" run "$stories" -p 'Hi <s>' -n 1 --chat-template-file "$scratch/talk.jinja" --json --parse-special |
    sed -n 's/.*"prompt_tokens": //p')
verdict 'a special token in a message is text, or one token where that was asked for' \
    "$([ "${special_tokens%,}" -lt "${text_tokens%,}" ] && echo 0 || echo 1)" "$text_tokens" "$special_tokens"

# ---- chat ----
talk() { run "$QUERN" chat "$stories" --template chatml --temp 0 "$@"; } # OPTION..., lines on stdin
talk -n 8 < <(printf 'Hello\n\nAnd you?\n')
exits 'chat' 0
holds 'chat answers every line that is not empty' test "$(grep -c . "$out")" = 2
silent 'chat'
second_prompt() { # TOKENS: how many the second message takes after an answer of so many
    talk -n "$1" --stats < <(printf 'Hello\nAnd you?\n')
    sed -n 's/^  prompt   \([0-9]*\) tokens, .*/\1/p' "$err" | tail -1
}
short=$(second_prompt 4) long=$(second_prompt 40)
verdict 'chat reads no answer of its own again' "$([ -n "$long" ] && [ "$long" -lt $((short + 10)) ] && echo 0 || echo 1)" \
    "$long tokens after an answer of 40, $short after one of 4"
talk -n 8 < <(printf 'Hello\r\n\r\nze\0ro\nAnd you?\r\n')
exits 'chat with lines of another system' 0
holds 'chat with lines of another system: two answers' test "$(grep -c . "$out")" = 2
complains 'a message with a zero byte' 'a message with a zero byte is left out'
talk <"$scratch"
exits 'chat from a folder' 1
complains 'chat from a folder' 'standard input: Is a directory'
talk <&-
exits 'chat without standard input' 1
complains 'chat without standard input' 'standard input: Bad file descriptor'
talk -n 8 < <(printf 'Hello\n/exit\nAnd you?\n')
exits 'chat ended by /exit' 0
holds 'chat ended by /exit' test "$(grep -c . "$out")" = 1
talk -n 8 -c 64 < <(printf 'one day %.0s' {1..40} && printf '\n/new\nHello\n')
exits 'a message longer than the context' 0
complains 'a message longer than the context' '/new begins a new conversation'
holds 'a message longer than the context: the next one is answered' test "$(grep -c . "$out")" = 1
run "$QUERN" chat "$stories" --template frobnicate <<<'Hello'
exits 'chat with an unknown template' 1

# ---- a text without an end ----
endless=$scratch/endless.gguf
"$QUERN" model random --preset small --vocab-size 32000 --tied -t q8_0 -o "$endless" || verdict 'quern model random' 1
"$QUERN" model random --preset small --vocab-size 512 -t q8_0 -o "$scratch/bytes.gguf"
run "$QUERN" run "$scratch/bytes.gguf" -p a --temp 0 -n 50 -q
exits 'random weights, half of the vocabulary single bytes' 0
holds 'bytes that are no UTF-8 become characters' iconv -f UTF-8 -t UTF-8 "$out"
holds 'bytes that are no UTF-8 become characters' grep -q $'\xef\xbf\xbd' "$out"

# interrupt COMMAND...: Ctrl-C as soon as it has written something; $threads it had by then.
interrupt() {
    : >"$out"
    "$@" >"$out" 2>"$err" &
    local pid=$!
    while kill -0 "$pid" 2>/dev/null && [ ! -s "$out" ]; do sleep 0.05; done
    threads=$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l)
    kill -INT "$pid" 2>/dev/null
    wait "$pid"
    status=$?
}
endless() { interrupt "$QUERN" run "$endless" -p a --temp 0 -c 8000 "$@"; } # OPTION...
endless
exits 'Ctrl-C' 130
complains 'Ctrl-C: the summary all the same' 'ended by cancel'
interrupt "$QUERN" chat "$endless" --template chatml --temp 0 -c 8000 <<<'Hello'
exits 'Ctrl-C in a chat ends the answer, the input ends the chat' 0
if [ "$is_cpu" = 1 ]; then # a GPU reads it too fast to be stopped
    printf 'one day a fox saw a river. %.0s' {1..700} >"$scratch/long"
    interrupt "$QUERN" run "$endless" -f "$scratch/long" --temp 0 -c 20000
    exits 'Ctrl-C in a long prompt' 130
    complains 'Ctrl-C in a long prompt' "of the prompt's"
    complains 'Ctrl-C in a long prompt: the summary all the same' 'text     0 tokens'
    complains 'Ctrl-C in a long prompt' 'ended by cancel'
    mkfifo "$scratch/lines"
    "$QUERN" chat "$endless" --template chatml --temp 0 -c 20000 -n 4 \
        <"$scratch/lines" >"$out" 2>"$err" &
    pid=$!
    exec 7>"$scratch/lines"
    echo 'Hello' >&7
    while kill -0 "$pid" 2>/dev/null && [ "$(wc -l <"$out")" = 0 ]; do sleep 0.05; done
    { cat "$scratch/long" && echo; } >&7
    sleep 0.5
    kill -INT "$pid"
    echo 'And you?' >&7
    exec 7>&-
    wait "$pid"
    status=$?
    exits 'Ctrl-C in a long message' 0
    complains 'Ctrl-C in a long message' 'the message is forgotten'
    holds 'Ctrl-C in a long message: the next one is answered' test "$(grep -c . "$out")" = 2
fi
if [ "$is_cpu" = 0 ]; then
    endless --threads 1
    exits '--threads on what is no CPU' 2
else
    endless --threads 1
    exits '--threads 1' 130
    one=$threads
    endless --threads 2
    holds '--threads 2 has one thread more than --threads 1' test "$threads" = $((one + 1))
fi
finish
