#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kernels made beforehand: prewarm, bundle, cache and why from outside, and a program that finds
# everything in a bundle without a compiler.
# covers: rtc/record
source "$(dirname "$0")/../shell.sh"
export QUERN_CACHE_DIR=$scratch/cache
mkdir -p "$scratch/src"
cat >"$scratch/src/scale.h" <<'END_H'
#define SCALE 2
END_H
cat >"$scratch/src/scale.cu" <<'END_CU'
#include "scale.h"
template <typename T> __global__ void scale(T *y, T a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = SCALE * a * y[i];
}
END_CU
cat >"$scratch/src/kernels.json" <<'END_JSON'
{
  "version": 1,
  "kernels": [
    {"file": "scale.cu", "names": ["scale<float>"], "targets": ["opencl:portable", "opencl:pocl3"],
     "launch": [{"kernel": "scale<float>", "block": 4, "grid": [1]}]},
    {"path": "one.cu", "text": "extern \"C\" __global__ void one(int *p) { *p = 1; }",
     "targets": ["opencl:portable"], "options": ["-O1"], "defines": ["UNUSED=1"]}
  ]
}
END_JSON
manifest=$scratch/src/kernels.json bundle=$scratch/app.qnb
compiles() { grep -c '"origin": "compiled"' "$scratch/report"; }

# ---- prewarm ----
run "$QUERN" prewarm "$manifest" -o "$bundle" -j 2 --report "$scratch/report" -v
exits 'prewarm' 0
says 'prewarm' "$bundle: 3 entries"
complains 'prewarm' '3 images: 3 compiled, 0 were there'
holds 'the report has a row per image' test "$(grep -c '"ok": true' "$scratch/report")" = 3
holds 'no escape sequences where stderr is no terminal' test -z "$(tr -dc '\033' <"$err")"
cp "$bundle" "$scratch/first.qnb"
run "$QUERN" prewarm "$manifest" -o "$bundle" --report "$scratch/report"
complains 'a second prewarm compiles nothing' '0 compiled, 3 were there'
holds 'equal images make equal bundles' cmp "$bundle" "$scratch/first.qnb"
QUERN_CACHE_DIR=$scratch/cache2 run "$QUERN" prewarm "$manifest" -o "$bundle"
complains 'it goes on from the bundle alone' '0 compiled, 3 were there'
QUERN_CACHE_DIR=$scratch/cache2 run "$QUERN" prewarm "$manifest" -o "$scratch/elsewhere.qnb" -j 1
complains 'another cache compiles again' '3 compiled'
holds 'compiled elsewhere, the bytes are the same' cmp "$bundle" "$scratch/elsewhere.qnb"
run "$QUERN" prewarm "$manifest" -o "$bundle" --report - -v
holds 'a report on stdout stands alone there' test "$(head -n 1 "$out")$(tail -n 1 "$out")" = "{}"
complains 'a report on stdout: lines for people go to stderr' "$bundle: 3 entries"

run "$QUERN" prewarm "$manifest" --json
holds 'prewarm --json is one document' python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); assert d["good"] == 3 and len(d["images"]) == 3' "$out"
complains 'prewarm --json: lines for people go to stderr' '3 were there'

# ---- what would be done ----
export QUERN_CACHE_DIR=$scratch/dry
run "$QUERN" prewarm "$manifest" -t opencl:portable --dry-run
exits 'a dry run' 0
matches 'a dry run says what would be compiled' '^one.cu +opencl:portable +compile '
complains 'a dry run counts' '2 images: 2 to compile, 0 there, 0 to launch on the OpenCL drivers here, 0 known to fail'
run "$QUERN" prewarm "$manifest" -t opencl:portable --dry-run -o "$scratch/dry.qnb" --json
holds 'a dry run as JSON' python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); assert d["dry_run"] and [i["action"] for i in d["images"]] == ["compile"] * 2 and all(len(i["key"]) == 64 for i in d["images"])' "$out"
holds 'a dry run writes no bundle' test ! -e "$scratch/dry.qnb"
holds 'a dry run makes no image' test -z "$(find "$scratch/dry/images" -type f 2>/dev/null)"
run "$QUERN" prewarm "$manifest" -t opencl:portable
complains 'what a dry run announced is then done' '2 compiled'
run "$QUERN" prewarm "$manifest" -t opencl:portable -t opencl:native --dry-run
complains 'a dry run sees what is there' '0 to compile, 2 there, 1 to launch'
matches 'it names the file that has it' "^one.cu +opencl:portable +there +$scratch/dry/images/"
matches 'it says what native leaves out' '^one.cu +opencl:native +skip +it has no "launch"'
run "$QUERN" prewarm "$manifest" -t opencl:portable --dry-run --refresh
complains '--refresh compiles what is there' '2 to compile, 0 there'
run "$QUERN" prewarm "$manifest" -t opencl:portable -t cuda:sm_1 --dry-run
exits 'a dry run that knows of a failure' 1
matches 'it says which and why' '^one.cu +cuda:sm_1 +fail +.*sm_1'
run "$QUERN" prewarm "$manifest" -t opnecl:portable --dry-run
says 'a target is misspelt' "did you mean 'opencl'?"
run "$QUERN" prewarm --from-run "$scratch/none" --write-manifest - --dry-run
exits 'a dry run that shall write' 2
export QUERN_CACHE_DIR=$scratch/cache

# ---- headers of this machine ----
cat >"$scratch/src/host.cu" <<'END_CU'
#include <regex>
__global__ void one(int *p) { *p = 1; }
int main() { std::regex r("a"); }
END_CU
run "$QUERN" compile "$scratch/src/host.cu" -t opencl:portable -o "$scratch/host"
if grep -q "read with the machine's own C++ headers" "$err"; then
    run "$QUERN" why "$scratch/src/host.cu" -t opencl:portable
    says 'why lists the headers' '  machine header: /'
    says 'why counts them' 'headers of this machine are part of the key'
    holds 'why counts right' grep -q "^$(grep -c 'machine header: ' "$out") headers of this machine" "$out"
    echo '{"version": 1, "kernels": [{"file": "host.cu"}]}' >"$scratch/src/host.json"
    run "$QUERN" prewarm "$scratch/src/host.json" -t opencl:portable -o "$scratch/host.qnb" --report "$scratch/report"
    complains 'prewarm counts images that depend on headers' "images that depend on this machine's C++ headers: 1 "
    complains 'what depends on headers is found' '0 compiled, 1 were there'
    holds 'the report counts headers' grep -q '"machine_headers": [1-9]' "$scratch/report"
else
    echo 'skip: clang finds no C++ headers of this machine'
fi
echo '{"version": 1, "kernels": []}' >"$scratch/none.json"
run "$QUERN" prewarm "$scratch/none.json" -t opencl:portable -o "$scratch/none.qnb"
exits 'a manifest without kernels' 1
complains 'a manifest without kernels' 'there are no kernels in it'
run "$QUERN" prewarm "$manifest" --refresh -t opencl:portable --report "$scratch/report"
holds '--refresh compiles again' test "$(compiles)" = 2
if command -v script >/dev/null; then
    TERM=xterm script -qec "'$QUERN' prewarm '$manifest' --refresh" /dev/null >"$scratch/terminal"
    holds 'a progress bar on a terminal' grep -q '\[#*\.*\] 2/3' "$scratch/terminal"
fi
cat >"$scratch/src/bad.json" <<'END_JSON'
{"kernels": [
    {"path": "bad.cu", "text": "__global__ void k() { oops; }", "targets": ["opencl:portable"]},
    {"path": "good.cu", "text": "extern \"C\" __global__ void good(int *p) { *p = 2; }",
     "targets": ["opencl:portable", "cuda:sm_1"]}]}
END_JSON
run "$QUERN" prewarm "$scratch/src/bad.json" -o "$scratch/bad.qnb" --report "$scratch/report"
exits 'a source that does not compile' 1
complains 'a source that does not compile' 'bad.cu:1:'
complains 'a target that is none' 'sm_1'
complains 'failures stop nothing' '3 images: 1 compiled, 0 were there, 0 by drivers here, 2 failed'
says 'what is good is in the bundle' 'bad.qnb: 1 entries'
holds 'the report names the status' grep -q '"status": "QN_E_COMPILE"' "$scratch/report"

# each of these is refused with its place
refuses() { # NAME MANIFEST COMPLAINT
    printf '%s' "$2" >"$scratch/src/refused.json"
    run "$QUERN" prewarm "$scratch/src/refused.json"
    exits "$1" 1
    complains "$1" "$3"
}
refuses 'no JSON' '{"kernels": [' 'line 1'
refuses 'an unknown field' '{"kernels": [{"file": "a.cu", "optoins": []}]}' '"optoins": no such field'
refuses 'a near miss' '{"kernels": [{"file": "a.cu", "optoins": []}]}' "did you mean 'options'?"
refuses 'an unknown field of the document' '{"kernel": []}' '"kernel": no such field'
refuses 'another version' '{"version": 2, "kernels": []}' 'version'
refuses 'a wrong type' '{"kernels": [{"file": "a.cu", "names": "x"}]}' 'kernel 1: "names": expected a list'
refuses 'no source' '{"kernels": [{"names": []}]}' '"file": missing'
refuses 'both file and text' '{"kernels": [{"file": "a.cu", "text": ""}]}' 'either a file'
refuses 'a block of nothing' \
    '{"kernels": [{"file": "a.cu", "launch": [{"kernel": "k", "block": 0}]}]}' '"block": expected'
refuses 'no target' '{"kernels": [{"file": "a.cu"}]}' 'no target for a.cu'
refuses 'an unknown backend' '{"kernels": [{"file": "a.cu", "targets": ["vulkan:all"]}]}' 'vulkan'
run "$QUERN" prewarm "$scratch/nothing.json"
exits 'a manifest that is not there' 1
run "$QUERN" prewarm
exits 'prewarm without a list' 2
cp "$manifest" "$scratch/precious"
run "$QUERN" prewarm "$manifest" -o "$scratch/precious"
exits 'an output that is no bundle' 1
holds 'it is not written over' cmp "$manifest" "$scratch/precious"

# ---- bundle ----
run "$QUERN" bundle ls "$bundle"
exits 'bundle ls' 0
says 'bundle ls' 'scale.cu'
matches 'bundle ls' 'opencl:pocl3 '
run "$QUERN" bundle ls "$bundle" --json
says 'bundle ls --json' '"target": "opencl:portable"'
run "$QUERN" bundle extract "$bundle" -o "$bundle/images"
exits 'extract into a folder that cannot be' 1
run "$QUERN" bundle extract "$bundle" -o "$scratch/new/images"
exits 'bundle extract' 0
run "$QUERN" bundle create -o "$scratch/again.qnb" "$scratch"/new/images/*.qni
exits 'bundle create' 0
holds 'extracted and made again, the bytes are the same' cmp "$bundle" "$scratch/again.qnb"
run "$QUERN" bundle create -o "$scratch/part.qnb" --from-cache -t opencl:pocl3
says 'bundle create --from-cache' 'part.qnb: 1 entries'
run "$QUERN" bundle create -o "$scratch/none.qnb" --from-cache -t opencl:pocl3 -t cuda:sm_1
exits 'bundle create of what is not there' 1
complains 'bundle create of what is not there' 'the cache holds nothing for cuda:sm_1'
run env QUERN_CACHE_DIR="$scratch/empty" "$QUERN" bundle create -o "$scratch/none.qnb" --from-cache
exits 'bundle create of an empty cache' 1
holds 'bundle create of nothing writes nothing' test ! -e "$scratch/none.qnb"
run "$QUERN" bundle create -o "$scratch/none.qnb" "$scratch"/new/images/*.qni -t opencl:pocl3
exits 'bundle create of images with --target' 2
run "$QUERN" bundle extract "$bundle" -t cuda:sm_1 -o "$scratch/none"
exits 'bundle extract of what is not there' 1
run "$QUERN" bundle merge -o "$scratch/merged.qnb" "$scratch/part.qnb" "$bundle"
says 'bundle merge' 'merged.qnb: 3 entries'
holds 'merging a part adds nothing' cmp "$bundle" "$scratch/merged.qnb"
run "$QUERN" bundle verify "$bundle"
says 'bundle verify' 'not signed: whole'
run "$QUERN" bundle keygen -o "$scratch/secret"
exits 'bundle keygen' 0
public=$(cat "$out")
holds 'the secret key is private' test "$(stat -c %a "$scratch/secret")" = 600
run "$QUERN" bundle keygen -o "$scratch/secret"
exits 'keygen keeps an older key' 1
cp "$bundle" "$scratch/signed.qnb"
run "$QUERN" bundle sign "$scratch/signed.qnb" --key "$scratch/secret"
says 'bundle sign' "signed by $public"
run "$QUERN" bundle verify "$scratch/signed.qnb"
says 'bundle verify of a signed one' "signed by $public: whole"
run env QUERN_BUNDLE_KEYS="$public" "$QUERN" bundle verify "$scratch/signed.qnb"
exits 'bundle verify of a trusted one' 0
run env QUERN_BUNDLE_KEYS="$public" "$QUERN" bundle verify "$bundle"
exits 'bundle verify where another signer is asked for' 1
complains 'bundle verify where another signer is asked for' 'not signed, and QUERN_BUNDLE_KEYS asks for another signer'
run env QUERN_BUNDLE_KEYS="keys.txt $(tr 0-9a-f 1-9a-f0 <<<"$public")" "$QUERN" bundle verify "$scratch/signed.qnb"
exits 'bundle verify with what is no key' 1
complains 'bundle verify with what is no key' "signed by $public; QUERN_BUNDLE_KEYS does not name that key, but 'keys.txt', which is no key"
size=$(stat -c %s "$scratch/signed.qnb")
head -c $((size - 20)) "$scratch/signed.qnb" >"$scratch/short.qnb"
run "$QUERN" bundle verify "$scratch/short.qnb"
exits 'a bundle cut short' 1
complains 'a bundle cut short' 'short.qnb'
run "$QUERN" bundle merge "$bundle"
exits 'merge to nowhere' 2

# ---- must-hit, without a compiler ----
# shellcheck disable=SC2317 # called through run
must_hit() {
    env QUERN_CACHE_MODE=must-hit QUERN_RTC=/nowhere QUERN_TRANSLATE=/nowhere QUERN_CACHE_DIR="$scratch/empty" "$@"
}
compile=(compile "$scratch/src/scale.cu" --name 'scale<float>' -t opencl:portable)
run must_hit QUERN_BUNDLE="$bundle" "$QUERN" "${compile[@]}"
exits 'a bundle serves without a compiler' 0
says 'a bundle serves without a compiler' 'from the bundle'
run must_hit QUERN_BUNDLE="$bundle" "$QUERN" "${compile[@]}" -DX=1
exits 'must-hit' 1
complains 'a miss names the difference' 'option: -DX=1 here'
run must_hit QUERN_BUNDLE="$scratch/signed.qnb" QUERN_BUNDLE_KEYS="$public" "$QUERN" "${compile[@]}"
exits 'a bundle of a trusted signer' 0
run must_hit QUERN_BUNDLE="$bundle" QUERN_BUNDLE_KEYS="$public" "$QUERN" "${compile[@]}"
exits 'a bundle that is not signed' 1
complains 'a bundle that is not signed' 'not signed'
cp "$QUERN" "$scratch/program"
cp "$bundle" "$scratch/program.qnb"
run must_hit "$scratch/program" "${compile[@]}"
exits 'a bundle beside the program' 0
chmod o+w "$scratch/program.qnb"
run must_hit "$scratch/program" "${compile[@]}"
exits 'one that anybody may write is left out' 1
complains 'one that anybody may write is left out' 'chmod go-w'

# ---- nothing could be made ----
echo 'not CUDA' >"$scratch/bad.cu"
printf '{"version": 1, "kernels": [{"file": "bad.cu", "targets": ["opencl:portable"]}]}' >"$scratch/bad.json"
run "$QUERN" prewarm "$scratch/bad.json" -o "$scratch/nothing.qnb"
exits 'prewarm of what does not compile' 1
complains 'prewarm of what does not compile' 'is not written'
holds 'no empty bundle is left' test ! -e "$scratch/nothing.qnb"

# ---- why ----
why=(why "$scratch/src/scale.cu" --name 'scale<float>' -t opencl:portable)
run "$QUERN" "${why[@]}"
exits 'why' 0
says 'why' '  source: scale.h '
says 'why' '  name expression: scale<float>'
matches 'why' "^cached +$QUERN_CACHE_DIR/images/"
cp "$out" "$scratch/why.txt"
key=$(sed -n 's/^key  *//p' "$out")
run "$QUERN" "${why[@]}" -DX=1
says 'why of a miss' 'cached    no'
says 'why of a miss' '  + option: -DX=1'
run "$QUERN" "${why[@]}" -DX=1 --diff "$scratch/why.txt"
holds 'why --diff FILE' test "$(cat "$out")" = '+ option: -DX=1'
run "$QUERN" "${why[@]}" --diff "${key:0:10}"
says 'why --diff KEY' 'no difference'
run "$QUERN" "${why[@]}" --json
cp "$out" "$scratch/why.json"
run "$QUERN" "${why[@]}" -O --diff "$scratch/why.json"
exits 'an unknown option' 2
run "$QUERN" "${why[@]}" --option=-O1 --diff "$scratch/why.json"
says 'why --diff with JSON' '- option: -O3'
run "$QUERN" "${why[@]}" --diff "$scratch/nothing"
exits 'why --diff without the file' 1

# ---- a recorded run ----
export QUERN_RECORD=$scratch/record
if "$QUERN" devices --no-probe --json | grep -q '"id": "opencl:'; then
    launch=(launch "$scratch/src/scale.cu" 'scale<float>' -d opencl -g 1 -b 8
        -a inout:f32:8:ramp -a f32:3 -a i32:8)
    run "$QUERN" "${launch[@]}"
    exits 'a recorded launch' 0
    unset QUERN_RECORD
    holds 'launches are recorded' grep -q '"block": \[8, 1, 1\]' "$scratch/record"
    mv "$scratch/src/scale.h" "$scratch/src/moved.h"
    run "$QUERN" prewarm --from-run "$scratch/record" -o "$scratch/native.qnb" -t opencl:native
    exits 'prewarm --from-run for the driver that is here' 0
    says 'prewarm --from-run for the driver that is here' 'native.qnb: 1 entries'
    mv "$scratch/src/moved.h" "$scratch/src/scale.h"
    run must_hit QUERN_BUNDLE="$scratch/native.qnb" "$QUERN" "${launch[@]}"
    exits 'the same program finds its kernel' 0
    says 'the same program finds its kernel' '0 6 12 18 24 30 36 42'
    run "$QUERN" prewarm "$manifest" -t opencl:native
    complains 'what has no launches is not run' 'one.cu on opencl:0: left out'
    cat >"$scratch/src/hang.json" <<'END_JSON'
{"kernels": [
    {"path": "hang.cu", "text": "extern \"C\" __global__ void hang(volatile int *p) { while (*p == 0); }",
     "targets": ["opencl:native"], "launch": [{"kernel": "hang"}]}]}
END_JSON
    run "$QUERN" prewarm "$scratch/src/hang.json" --time-limit 2
    exits 'a kernel that does not end' 1
    complains 'a kernel that does not end' 'hang.cu on opencl:0: it did not finish in 2 s and was stopped'
    cat >"$scratch/src/crash.json" <<'END_JSON'
{"kernels": [
    {"path": "crash.cu", "text": "extern \"C\" __global__ void crash(int *p) { p[1000000000] = 1; }",
     "targets": ["opencl:native"], "launch": [{"kernel": "crash"}]},
    {"path": "after.cu", "text": "extern \"C\" __global__ void after(int *p) { *p = 1; }",
     "targets": ["opencl:native"], "launch": [{"kernel": "after", "block": 4}]}]}
END_JSON
    run "$QUERN" prewarm "$scratch/src/crash.json" -o "$scratch/after.qnb" --report "$scratch/report"
    exits 'a kernel that crashes' 1
    complains 'a kernel that crashes' 'crash.cu on opencl:0: '
    says 'the next one is made' 'after.qnb: 1 entries'
    holds 'the report has both' test "$(grep -c '"status": "' "$scratch/report")" = 2
    holds 'rows of drivers are as others' test "$(grep -c '"size_bytes": ' "$scratch/report")" = 2
    holds 'the one that is good names its origin' test "$(grep -c '"origin": "driver"' "$scratch/report")" = 1
    holds 'failures come last, and then the count' test "$(tail -n 2 "$err" | grep -c 'crash.cu on')" = 1
    run "$QUERN" prewarm "$scratch/src/crash.json" --native-step 2
    exits 'a step without its device' 2
else
    run "$QUERN" "${compile[@]}"
    unset QUERN_RECORD
    echo 'skip: prewarm for opencl:native: no OpenCL device'
fi
run "$QUERN" prewarm --from-run "$scratch/record" --write-manifest "$scratch/made.json"
exits 'a manifest from a run' 0
holds 'a manifest from a run' grep -q '"scale.h"' "$scratch/made.json"
run "$QUERN" prewarm "$scratch/made.json" -t opencl:portable
exits 'the manifest made of it is one' 0
echo '{"source": 1}}' >>"$scratch/record"
run "$QUERN" prewarm --from-run "$scratch/record"
exits 'a damaged record' 1

# ---- cache ----
run "$QUERN" cache ls
says 'cache ls' 'scale.cu'
run "$QUERN" cache ls --json
says 'cache ls --json' '"size_bytes"'
run "$QUERN" cache stat --json
says 'cache stat --json' '"opencl"'
says 'cache stat --json has the counters of all processes' '"disk_hits": '
run "$QUERN" cache stat
matches 'cache stat counts over processes' '^since .* ago, [1-9][0-9]* processes$'
matches 'cache stat counts hits' '^  hits on disk +[1-9]'
matches 'cache stat says how much was found' '^  found +[0-9.]+ %$'
matches 'cache stat counts milliseconds' '^  compiling took +[0-9]+ ms, [0-9]+ ms each$'
run env QUERN_CACHE_MAX_BYTES=7G "$QUERN" cache stat --json
says 'cache stat --json has the limit' '"max_bytes": 7516192768'
matches 'cache stat --json has the rate' '"hit_rate": 0\.[0-9]+'
run "$QUERN" cache zero
exits 'cache zero' 0
run "$QUERN" cache stat --json
says 'cache zero: nothing was asked for since' '"hit_rate": null'
says 'cache zero: the entries are there' '"opencl": {'
matches 'cache zero: the entries are there' '"entries": [1-9]'
run "$QUERN" cache verify
says 'cache verify' '0 damaged'
first=$(find "$QUERN_CACHE_DIR/images" -type f | head -1)
truncate -s 100 "$first"
run "$QUERN" cache verify
exits 'cache verify finds damage' 1
says 'cache verify finds damage' '1 damaged and set aside'
run "$QUERN" cache verify --json
exits 'cache verify of what is whole again' 0
run "$QUERN" cache gc --max-entries 1 --json
exits 'cache gc' 0
holds 'cache gc removes' test "$(find "$QUERN_CACHE_DIR/images" -type f | wc -l)" -le 1
run "$QUERN" cache gc --max-bytes much
exits 'cache gc of no size' 2
run "$QUERN" cache clear
exits 'cache clear' 0
holds 'cache clear removes all' test -z "$(find "$QUERN_CACHE_DIR" -type f)"
finish
