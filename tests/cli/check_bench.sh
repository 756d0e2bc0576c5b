#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quern bench through the program, on the processor: what it prints, in which forms, what it refuses, and what
# --compare says of runs that were made slower and faster by hand.
source "$(dirname "$0")/../shell.sh"
unset QUERN_DEVICE
export QUERN_BACKEND=cpu
bench() { run timeout 300 "$QUERN" bench --budget 5 "$@"; }

# ---- ceilings ----
bench --json
exits ceilings 0
for what in read write copy f32 f64 f16 int8-dot launch 'launch and wait' upload download; do
    says "ceilings: $what" "\"what\": \"$what\""
done
holds 'ceilings: nothing failed' test -z "$(grep '"error"' "$out" | grep -v libnvidia-ml)"
run "$QUERN" bench --describe
exits '--describe' 0
says '--describe' 'launch and wait'

# ---- ops ----
bench softcap --csv
exits 'an op' 0
matches 'an op: the head' '^kind,device,what,shape,caches,unit,median_ms,'
matches 'an op: warm' '^op,cpu:0,softcap_f32,[^,]*,warm,GB/s,[0-9.e-]+,'
matches 'an op: cold, with its share' '^op,cpu:0,softcap_f32,[^,]*,cold,GB/s,([^,]+,){6}[0-9.e-]+,[0-9]+x1x1,[0-9]+x1x1,-,[0-9]+,[0-9]+,-,[0-9]+,$'
holds 'an op: warm rows have no share' test -z "$(grep -E ',warm,GB/s,([^,]+,){6}[0-9]' "$out")"
bench softcap silu_f32 --builds --resources
exits 'builds and resources' 0
matches 'compiled anew' '^cpu:0 +softcap.cu +compiled +[0-9.]+ ms'
matches 'from the cache' '^cpu:0 +softcap.cu +from disk +[0-9.]+ ms'
matches 'from a bundle' '^cpu:0 +silu.cu +from a bundle +[0-9.]+ ms'
matches 'what a launch takes; - is not known' 'grid [0-9]+x1x1 block 1x1x1; registers -, local [0-9]+ B, shared 0 B, occupancy -, binary [0-9.]+ KiB'
holds 'no bundle is left behind' test -z "$(ls "${TMPDIR:-/tmp}"/quern-bench-*.bundle 2>/dev/null)"
bench softcap --json
holds 'what is not known is null' python3 -c 'import json, sys; r = [r for r in json.load(open(sys.argv[1]))["rows"] if r["kind"] == "op"][0]; assert r["registers"] is None and r["occupancy"] is None and r["binary_bytes"] > 0 and len(r["grid"]) == 3, r' "$out"
bench softcap_f32 --md -d cpu -d cpu:0
exits 'one kernel on two devices' 0
holds 'one kernel on two devices: each has its rows' test "$(grep -c '| op | cpu:0 | softcap_f32 ' "$out")" = 4
holds 'one kernel: no other' test -z "$(grep rmsnorm "$out")"
bench sofcap
exits 'a typing error' 2
complains 'a typing error' "did you mean 'softcap'?"
bench softcap --json --csv
exits 'two forms' 2

# ---- a kernel of the user's ----
cat >"$scratch/k.cu" <<'C'
extern "C" __global__ void add(float *y, const float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += x[i]; }
extern "C" __global__ void odd(int *y) { if (threadIdx.x == 0) y[0] = blockDim.x; }
extern "C" __global__ void bad(float *y) { y[(long long)blockDim.x << 40] = 1.0f; }
C
args=(--arg inout:f32:4k:ramp --arg in:f32:4k:const:1 --arg i32:4096)
bench "$scratch/k.cu:add" -n 4096 "${args[@]}" --csv
exits 'a kernel' 0
holds 'a kernel: four block sizes' test "$(grep -c '^kernel,cpu:0,add,' "$out")" = 4
matches 'a kernel: its grid' '^kernel,cpu:0,add,"grid 16,1,1 block 256,1,1 \(256\)",warm,GB/s,'
bench "$scratch/k.cu:add" -n 4096 -b 32 -b 16x4 "${args[@]}" --operations 4096 --csv
exits 'block sizes' 0
matches 'block sizes' '"grid 64,1,1 block 16,4,1 \(64\)",warm,GFLOP/s,'
bench "$scratch/k.cu:odd" -g 1 --arg out:i32:1
exits 'outputs that depend on the block size' 0
says 'outputs that depend on the block size' "differ from the first block size's"
bench "$scratch/k.cu:add" "${args[@]}"
exits 'no size' 2
complains 'no size' '--items N, or --grid'
bench "$scratch/k.cu:add" -n 4096 --arg in:f32:4
exits 'too few arguments' 1
complains 'too few arguments' 'takes 3 arguments, 1 were given'
bench "$scratch/k.cu:none" -n 4096
exits 'no such kernel' 1
case ${QN_CONFIG:-release} in
release | debug)
    bench "$scratch/k.cu:bad" -n 4096 --arg out:f32:4
    says 'a kernel that faults' 'bad'
    ;;
*) echo "skip: a kernel that faults: under a sanitizer faults are the sanitizer's" ;;
esac

# ---- a model ----
model=models/quern-stories-q8_0.gguf
bench model $model -p 16 --tokens 4 --depth 0,8 -r 5 --json --save "$scratch/run.json"
exits 'a model' 0
for field in n_prompt n_gen n_depth avg_ts stddev_ts samples_ns samples_ts avg_ns model_type model_size model_n_params \
    tokens_per_sec avg_latency total_time total_tokens min_tokens_per_sec max_tokens_per_sec; do
    says "a model: $field" "\"$field\":"
done
holds 'a model: four rows' test "$(grep -c '"kind": "model"' "$out")" = 4
holds 'a model: depths' test "$(grep -c '"n_depth": 8' "$out")" = 2
bench model
exits 'no model' 2
bench model $model --depth 1,x
exits 'a depth that is none' 2
bench model "$scratch/none.gguf"
exits 'no such file' 1

# ---- comparing ----
scaled() { # FACTOR: the run with all its times so many times as long
    python3 - "$1" <<P >"$scratch/before.json"
import json, sys
run = json.load(open("$scratch/run.json"))
for row in run["rows"]:
    row["median_ms"] *= float(sys.argv[1])
    row["samples_ms"] = [x * float(sys.argv[1]) for x in row["samples_ms"]]
print(json.dumps(run))
P
}
again=(model "$model" -p 16 --tokens 4 --depth "0,8" -r 5)
scaled 0.01
bench "${again[@]}" --compare "$scratch/before.json"
exits 'it became slower' 1
complains 'it became slower' '4 of 4 became slower'
matches 'it became slower' '^slower cpu:0 +pp16 '
scaled 100
bench "${again[@]}" --compare "$scratch/before.json" --json
exits 'it became faster' 0
holds 'it became faster' test "$(grep -c '"verdict": "faster"' "$out")" = 4
scaled 0.01
bench "${again[@]}" --compare "$scratch/before.json" --threshold 1000000000
exits 'a large threshold' 0
bench softcap_f32 --compare "$scratch/before.json"
exits 'nothing to compare' 1
complains 'nothing to compare' 'has no row of this run'
echo '{}' >"$scratch/before.json"
bench softcap_f32 --compare "$scratch/before.json"
exits 'no run' 1
complains 'no run' 'no run of'
finish
