#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quern tune through the program, on the processor: what it measures, keeps and takes over, what it refuses, and
# that launches find what it kept.
source "$(dirname "$0")/../shell.sh"
unset QUERN_DEVICE
export QUERN_BACKEND=cpu QUERN_TUNED=$scratch/tuned QUERN_CACHE_DIR=$scratch/cache
cat >"$scratch/k.cu" <<'C'
// quern tune: BLOCK = 8, 64; EACH = 1, 4, 16
// quern tune where: BLOCK * EACH <= 256
// quern tune items: BLOCK * EACH
#ifndef BLOCK
#define BLOCK 64
#define EACH 1
#endif
extern "C" __global__ void copy(int *y, const int *x, int n)
{
    for (int k = 0; k < EACH; k++) {
        int i = (blockIdx.x * EACH + k) * BLOCK + threadIdx.x;
        if (i < n)
            y[i] = x[i] + SHIFT;
    }
}
extern "C" __global__ void which(int *y) { if (threadIdx.x == 0 && blockIdx.x == 0) { y[0] = BLOCK; y[1] = EACH; y[2] = gridDim.x; y[3] = blockDim.x; } }
C
args=(-DSHIFT=3 --arg out:i32:4k --arg in:i32:4k:ramp --arg i32:4096)
tune() { run timeout 300 "$QUERN" tune "$scratch/k.cu:copy" -n 4096 "${args[@]}" "$@"; }

# ---- all of them ----
tune --json --state "$scratch/state"
exits 'tune' 0
holds 'tune as JSON' python3 - "$out" <<'P'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["combinations"] == d["measured"] == len(d["candidates"]) == 5 and d["refused"] == d["resumed"] == 0, d
assert d["strategy"] == "exhaustive" and d["first"]["values"] == "BLOCK=8 EACH=1", d
assert d["best"]["ms"] <= d["first"]["ms"] and abs(d["gain"] - d["first"]["ms"] / d["best"]["ms"]) < 1e-3, d
assert d["best"]["values"] == d["first"]["values"] or (d["p"] < 0.01 and d["gain"] > 1.02), d
assert all(c["ms"] > 0 for c in d["candidates"]), d
P
holds 'the winner is kept' test "$(wc -l <"$QUERN_TUNED")" = 2
holds 'under kernel and class' grep -qP "^[0-9a-f]{64}\tk.cu:copy\t[^\t]+\t[^\t]*\t13\tBLOCK=" "$QUERN_TUNED"
tune --state "$scratch/state" -v
exits 'again' 0
says 'only the first is run again' '1 of 5 combinations measured (all, in order), 4 taken over'
says 'what was taken over is marked' '(before)'
says 'where it is kept' "kept in $QUERN_TUNED"
holds 'one line stays one line' test "$(wc -l <"$QUERN_TUNED")" = 2
tune --state "$scratch/state" -DOTHER=1
complains 'a file of another text is begun anew' 'is about another text'
says 'a file of another text is begun anew' '5 of 5 combinations measured'
echo '{}' >"$scratch/none"
tune --state "$scratch/none"
exits 'a file that is none' 1
complains 'a file that is none' 'not a file of'
holds 'a file that is none stays' test "$(cat "$scratch/none")" = '{}'

# ---- many ----
sed -i 's/EACH = 1, 4, 16/EACH = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16/' "$scratch/k.cu"
tune --exhaustive 4 --budget 2 --json
exits 'a budget' 0
holds 'a budget ends it, and the strategy is named' python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); assert d["strategy"] == "climb" and d["seed"] == 1 and d["combinations"] == 20 and 1 <= d["measured"] < 20' "$out"
run "$QUERN" tune "$scratch/k.cu:copy" --list
holds 'the combinations are listed' test "$(wc -l <"$out")" = 20

# ---- launches find it ----
sed -i 's/EACH = [0-9, ]*$/EACH = 4/; s/BLOCK = 8, 64/BLOCK = 8/' "$scratch/k.cu"
run "$QUERN" tune "$scratch/k.cu:which" -n 4096 -DSHIFT=0 --arg out:i32:4
exits 'one combination' 0
says 'one combination' 'best   the first'
run "$QUERN" launch "$scratch/k.cu" which -DSHIFT=0 --tuned 4096 -a out:i32:4
exits 'launch --tuned' 0
says 'launch --tuned has values, grid and block' '  8 4 128 8'
run "$QUERN" launch "$scratch/k.cu" which -DSHIFT=0 -a out:i32:4
says 'without it the source has its defaults' '  64 1 1 1'
echo '// changed' >>"$scratch/k.cu"
run "$QUERN" launch "$scratch/k.cu" which -DSHIFT=0 --tuned 4096 -a out:i32:4
exits 'stale values' 0
complains 'stale values' 'was tuned when its source was another; its values are left out'
says 'stale values: the defaults' '  64 1 1 1'
echo nonsense >"$QUERN_TUNED"
run "$QUERN" launch "$scratch/k.cu" which -DSHIFT=0 --tuned 4096 -a out:i32:4
exits 'a damaged file' 1
complains 'a damaged file' "$QUERN_TUNED: line 1: not what"
rm "$QUERN_TUNED"

# ---- wrong results ----
cat >"$scratch/wrong.cu" <<'C'
// quern tune: BLOCK = 32, 64; KIND = 0, 1, 2
extern "C" __global__ void w(float *y)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
#if KIND == 2
    this does not compile
#endif
    y[i] = 1.0f + KIND * 1e-6f;
}
C
run "$QUERN" tune "$scratch/wrong.cu:w" -n 1024 --arg out:f32:1024 -v
exits 'some are wrong' 0
says 'another result is refused' "its outputs differ from the first combination's"
says 'what does not compile is refused' 'wrong.cu:6'
says 'they are counted' '4 refused'
holds 'no wrong one wins' grep -q 'KIND=0' "$QUERN_TUNED"
run "$QUERN" tune "$scratch/wrong.cu:w" -n 1024 --arg out:f32:1024 --tolerance 1e-5
says 'a tolerance' '2 refused'
sed -i 's/KIND = 0, 1, 2/KIND = 2, 0/' "$scratch/wrong.cu"
run "$QUERN" tune "$scratch/wrong.cu:w" -n 1024 --arg out:f32:1024
exits 'the first cannot run' 1
complains 'the first cannot run' 'the first combination, BLOCK=32 KIND=2'

# ---- a kernel that ships ----
run "$QUERN" tune softcap --json --state "$scratch/op"
exits 'an op' 0
holds 'an op as JSON' python3 - "$out" <<'P'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["op"] == "softcap" and len(d["results"]) == 1, d
r = d["results"][0]
assert r["kernel"] == "softcap_f32" and r["shape"].startswith("n=") and r["combinations"] == r["measured"] == 7, r
assert r["first"]["values"] == "EACH=0" and r["refused"] == 0, r
P
holds 'an op is kept under file, kernel and class' grep -qP "^[0-9a-f]{64}\tsoftcap.cu:softcap_f32\t.*\tEACH=" "$QUERN_TUNED"
run "$QUERN" tune softcap --state "$scratch/op"
says 'an op goes on from its state' '1 of 7 combinations measured (all, in order), 6 taken over'
run "$QUERN" tune rmsnorm_f32 --list
says 'its combinations are listed' 'rmsnorm_f32 EACH=256 BLOCK=16'
launched() { # the grids and blocks of a bench of softcap
    run "$QUERN" bench softcap --small --json --budget 1
    python3 -c 'import json, sys; print(*sorted({(r["shape"], r["grid"][0], r["block"][0]) for r in json.load(open(sys.argv[1]))["rows"] if r["kind"] == "op"}))' "$out"
}
sed -i 's/\tEACH=[0-9]*\t/\tEACH=100\t/' "$QUERN_TUNED"
launched >"$scratch/grids"
holds 'what was kept is launched' grep -q "('n=1027 offset=0', 11, 1)" "$scratch/grids"
run "$QUERN" selftest softcap
exits 'and is right' 0
sed -i 's/EACH=100/BLOCK=5000000/' "$QUERN_TUNED"
run "$QUERN" selftest softcap
complains 'a value that the device does not take' "$QUERN_TUNED: softcap_f32: BLOCK=5000000: not a multiple of"
sed -i 's/BLOCK=5000000/UNKNOWN=3/' "$QUERN_TUNED"
run "$QUERN" selftest softcap
complains 'a value that is none' 'UNKNOWN=3: no parameter of a shipped kernel'
sed -i 's/UNKNOWN=3/EACH=100/; s/^[0-9a-f]*\tsoftcap/'"$(printf '0%.0s' {1..64})"'\tsoftcap/' "$QUERN_TUNED"
run "$QUERN" selftest softcap
exits 'a stale value' 0
complains 'a stale value' 'softcap.cu:softcap_f32 was tuned when its source was another'

# ---- the engine launches it ----
"$QUERN" model random --dim 64 --layers 1 --heads 2 --ffn 128 --vocab-size 300 -o "$scratch/tiny.gguf" >"$out" 2>"$err" || verdict 'a model is made' 1 "$(details)"
story() { run "$QUERN" run "$scratch/tiny.gguf" -p 'a b c' -n 12 --temp 0 --seed 1; cp "$out" "$scratch/$1"; }
rm "$QUERN_TUNED"
story plain
exits 'a model' 0
run "$QUERN" tune rmsnorm_f32_short --budget 1 --exhaustive 4
exits 'a kernel that the model uses' 0
sed -i 's/\tEACH=[^\t]*\t/\tBLOCK=2 EACH=3\t/' "$QUERN_TUNED"
story tuned
exits 'a model with tuned kernels' 0
holds 'writes the same' cmp "$scratch/plain" "$scratch/tuned"
sed -i 's/BLOCK=2 EACH=3/BLOCK=2 EACH=x/' "$QUERN_TUNED"
story bad
exits 'the engine reads the file' 1
complains 'the engine reads the file' "$QUERN_TUNED"

# ---- what is refused ----
refuses() { # NAME DECLARATION COMPLAINT
    printf '// %s\nextern "C" __global__ void r(int *p) { *p = 1; }\n' "$2" >"$scratch/r.cu"
    run "$QUERN" tune "$scratch/r.cu:r" -n 2 --arg out:i32:1
    exits "$1" 1
    complains "$1" "$3"
}
refuses 'nothing declared' 'a comment' 'declares no parameters'
refuses 'no block size' 'quern tune: A = 1' "no parameter of that name: 'BLOCK'"
refuses 'a malformed line' 'quern tune: A == 1' 'line 1: a whole number is missing'
run "$QUERN" tune rmsnorm -n 100
exits 'an op with a size' 2
complains 'an op with a size' 'are for FILE:KERNEL'
run "$QUERN" tune attention_token_f16
exits 'an op of which nothing may be chosen' 1
complains 'an op of which nothing may be chosen' 'quern bench attention_token_f16'
run "$QUERN" tune rmsnrm
exits 'no op' 2
run "$QUERN" tune "$scratch/none.cu:k" -n 100
exits 'no file' 2
tune --tolerance much
exits 'a tolerance that is none' 2
run "$QUERN" tune "$scratch/k.cu:copy"
exits 'no size' 2
complains 'no size' '--items N'
run "$QUERN" tune "$scratch/k.cu:which" -n 1024 -DSHIFT=0
complains 'arguments are missing' 'which takes 1 arguments, 0 were given'
finish
