#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quern chat at a terminal (by script(1)): editing, history, several lines, and the words that begin
# with a slash; and the same words from a pipe.
source "$(dirname "$0")/../shell.sh"
stories=models/quern-stories-q8_0.gguf
export QUERN_DEVICE=cpu XDG_STATE_HOME=$scratch/state TERM=xterm
chat=("$QUERN" chat "$stories" --template chatml --temp 0 -n 8)
"$QUERN" devices --no-probe | grep -q '^cpu:0' || {
    echo 'skip: chat: no cpu:0'
    finish
}

# ---- from a pipe ----
talk() { run "${chat[@]}" "$@"; } # OPTION..., lines on stdin
talk < <(printf 'Hello\n/save %s/one.json\n/undo\n/save %s/none.json\n' "$scratch" "$scratch")
exits 'words from a pipe' 0
head -1 "$out" >"$scratch/first"
if command -v python3 >/dev/null; then
    holds '/save: the conversation' python3 -c '
import json, sys
m = json.load(open(sys.argv[1]))["messages"]
assert [x["role"] for x in m] == ["user", "assistant"] and m[0]["content"] == "Hello"
assert m[1]["content"] == open(sys.argv[3]).read().split("\n")[0]
assert json.load(open(sys.argv[2]))["messages"] == []' "$scratch/one.json" "$scratch/none.json" "$out"
fi
talk --load "$scratch/one.json" -q < <(printf 'And you?\n/regen\n')
exits '--load' 0
cp "$out" "$scratch/loaded"
talk -q < <(printf 'Hello\nAnd you?\n')
holds '--load: as if it had been said now' cmp <(sed -n 1p "$scratch/loaded") <(sed -n 2p "$out")
holds '/regen: another answer to the same message' cmp <(sed -n 1p "$scratch/loaded") <(sed -n 2p "$scratch/loaded")
talk -q < <(printf '/load %s/one.json\n/new\nHello\n' "$scratch")
holds '/new: the first answer again' cmp "$out" "$scratch/first"
talk -q < <(printf 'one \\\nday\n/save %s/two.json\n"""a\n\nb"""\n/save %s/three.json\n' "$scratch" "$scratch")
holds 'a backslash goes on in the next line' grep -qF '"content": "one \nday"' "$scratch/two.json"
holds 'quotes hold several lines' grep -qF '"content": "a\n\nb"' "$scratch/three.json"
talk -q < <(printf '/system Be brief.\n/system\n//x\n/usr/bin is a folder\n/save %s/four.json\n' "$scratch")
says '/system says it' 'Be brief.'
for text in '"role": "system"' '"content": "/x"' '"content": "/usr/bin is a folder"'; do
    holds "a message: $text" grep -qF "$text" "$scratch/four.json"
done
talk < <(printf '/frobnicate\n/halp\n/save\n/regen\n/undo\n/stats\n/load %s/nothing.json\n/load LICENSE\nHello\n' "$scratch")
exits 'words that are wrong' 0
for text in '/frobnicate: no such word' 'did you mean /help?' '/save: which file?' 'there is no message yet' \
    'there is no answer yet' 'nothing.json: No such file' 'LICENSE: no JSON'; do
    complains 'words that are wrong' "$text"
done
holds 'words that are wrong: the message after them is answered' test "$(grep -c . "$out")" = 1
printf '{"messages": [{"role": "tool", "content": "x"}]}' >"$scratch/tool.json"
talk --load "$scratch/tool.json" </dev/null
exits 'a conversation of others' 1
complains 'a conversation of others' 'message 1 is not'
talk -c 96 --context-shift -q < <(for i in {1..12}; do echo "Tell me more of the little dog, part $i"; done)
exits 'a conversation longer than the context' 0
silent 'a conversation longer than the context'
holds 'a conversation longer than the context: every message is answered' test "$(grep -c . "$out")" = 12
talk -c 96 -q < <(for i in {1..12}; do echo "Tell me more of the little dog, part $i"; done)
complains 'the same without --context-shift' '--context-shift forgets its beginning'
holds 'a pipe leaves no history' test ! -e "$scratch/state"

# ---- at a terminal ----
command -v script >/dev/null || {
    echo 'skip: chat at a terminal: no script(1)'
    finish
}
# say TEXT: type it when what came before was answered.
say() {
    local before=-1 now
    for _ in {1..300}; do
        now=$(stat -c %s "$scratch/typescript")
        [ "$now" -gt 0 ] && [ "$now" = "$before" ] && tail -c 20 "$scratch/typescript" | grep -q '[>.]' && break
        before=$now
        sleep 0.3
    done
    # shellcheck disable=SC2059 # keys are written as escapes
    printf "$1"
}
terminal() { # OPTION..., keys by the function `keys`
    : >"$scratch/typescript"
    keys | timeout 120 script -qefc "${chat[*]} $*" "$scratch/typescript" >/dev/null 2>&1
    status=$?
    tr -d '\r' <"$scratch/typescript" >"$out"
}
keys() {
    say 'Hello\n'
    say 'one \\\n'
    say 'day\n'
    say '/undo\n'
    say '\033[A\033[A\033[A\033[A again\n' # four lines up is the first one
    say "/save $scratch/typed.json\n"
    say '/exit\n'
    sleep 0.5
}
terminal
if ! grep -q 'no libedit here' "$out"; then
    exits 'a terminal' 0
    says 'a terminal: what there is is said' '/help lists what there is'
    says 'a terminal: a message goes on' '. day'
    says 'a terminal: /undo' 'forgotten: 2 messages are left'
    holds 'the arrow goes back in what was typed' grep -qF '"content": "Hello again"' "$scratch/typed.json"
    holds 'the history is kept' grep -q 'Hello' "$scratch/state/quern/chat_history"
    holds 'for nobody else' test "$(stat -c %a "$scratch/state/quern/chat_history")" = 600
    rm -r "$scratch/state"
    keys() { say 'Hello\n/exit\n'; sleep 0.5; }
    terminal --no-history
    holds '--no-history keeps nothing' test ! -e "$scratch/state"
else
    echo 'skip: lines that are edited: no libedit'
fi
keys() { say 'Hello\n'; say '/exit\n'; sleep 0.5; }
TERM=dumb terminal
exits 'a dumb terminal' 0
holds 'a dumb terminal: no escape sequences' test -z "$(tr -dc '\033' <"$out")"
says 'a dumb terminal' 'no libedit here'
finish
