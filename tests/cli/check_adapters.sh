#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quern run with --lora and --lora-scaled: what is said, that the text becomes another one, what is refused.
# covers: tools/adapters
source "$(dirname "$0")/../shell.sh"
stories=models/quern-stories-q8_0.gguf
command -v python3 >/dev/null || {
    echo 'skip: python3 makes the adapters'
    exit 0
}
# An adapter for the bundled model: q and down of layer 2, b times STRENGTH. FOLDER STRENGTH [ROWS]
adapter() {
    mkdir -p "$1"
    python3 - "$@" <<'END'
import json, os, struct, sys
folder, strength = sys.argv[1], float(sys.argv[2])
rows = int(sys.argv[3]) if len(sys.argv) > 3 else 256
header, data = {}, b""
for name, n, out in (("self_attn.q_proj", 256, rows), ("mlp.down_proj", 512, 256)):
    for end, shape, scale in (("A", [4, n], 0.1), ("B", [out, 4], strength)):
        values = [scale * ((i * 7919 % 101) / 50 - 1) for i in range(shape[0] * shape[1])]
        bytes_ = struct.pack(f"<{len(values)}f", *values)
        header[f"base_model.model.model.layers.2.{name}.lora_{end}.weight"] = {
            "dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(bytes_)]}
        data += bytes_
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
open(os.path.join(folder, "adapter_model.safetensors"), "wb").write(struct.pack("<Q", len(text)) + text + data)
json.dump({"peft_type": "LORA", "lora_alpha": 8, "r": 4}, open(os.path.join(folder, "adapter_config.json"), "w"))
END
}
write() { run "$QUERN" run "$stories" -d cpu --exact -p 'Once upon a time' -n 20 --temp 0 "$@"; }
adapter "$scratch/tone" 0.3
adapter "$scratch/other" 0.2
adapter "$scratch/narrow" 0.3 128

run "$QUERN" run --help
says 'help' '--lora FILE'
says 'help' '--lora-scaled FILE:SCALE'
write -q
cp "$out" "$scratch/plain"
write --lora "$scratch/tone"
exits 'an adapter' 0
complains 'an adapter is said' 'tone: adds to 2 matrices in products of their own, up to rank 4, alpha 8, scale 1;'
cp "$out" "$scratch/toned"
holds 'an adapter: another text' test "$(cmp -s "$scratch/plain" "$scratch/toned"; echo $?)" = 1
write -q --lora-scaled "$scratch/tone:0"
silent 'a scale of 0, quietly'
holds 'a scale of 0: the same text' cmp "$out" "$scratch/plain"
write -q --lora-scaled "$scratch/tone:0.5,$scratch/tone:0.5"
holds 'two halves: one whole' cmp "$out" "$scratch/toned"
write --lora "$scratch/tone,$scratch/other" --lora-scaled "$scratch/other:-1"
exits 'several' 0
complains 'several: each is said' 'other: adds to 2 matrices'
complains 'several: each is said' 'scale -1;'
holds 'several: what is added and taken away is nothing' cmp "$out" "$scratch/toned"
write -q --lora "$scratch/tone" --prompt-cache "$scratch/prompt"
holds 'with a prompt cache: the same text' cmp "$out" "$scratch/toned"
write --prompt-cache "$scratch/prompt"
complains 'the prompt cache of an adapter' 'made with another model, type of the cache, adapters, or --exact'
holds 'the prompt cache of an adapter is not used' cmp "$out" "$scratch/plain"
run "$QUERN" run "$stories" -d cpu --plan --lora "$scratch/tone" -q
matches 'a plan' '^  adapters +[0-9.]+ KiB'
run "$QUERN" run "$stories" -d cpu --plan --json --lora "$scratch/tone" -q
holds 'a plan as JSON' python3 -c 'import json, sys
p = json.load(open(sys.argv[1]))
assert p["adapters_bytes"] > 0
assert p["peak_bytes"] == sum(p[k + "_bytes"] for k in ("weights", "cache", "activations", "adapters"))' "$out"
run "$QUERN" run "$stories" -d cpu --plan --json -q
says 'a plan without' '"adapters_bytes": 0,'

write --lora-scaled "$scratch/tone"
exits 'no scale' 2
complains 'no scale' 'FILE:SCALE, such as tone.gguf:0.5'
write --lora-scaled "$scratch/tone:loud"
exits 'a scale that is no number' 2
write --lora ''
exits 'no name' 2
write --lora "$scratch/nothing.gguf"
exits 'no adapter' 1
complains 'no adapter' 'nothing.gguf'
write --lora "$stories"
exits 'a model as an adapter' 1
complains 'a model as an adapter' 'the file is no adapter'
write --lora "$scratch/narrow"
exits 'an adapter of another model' 1
complains 'an adapter of another model' \
    "narrow: tensor 'blk.2.attn_q.weight.lora_b' is (128, 4), not (256, rank): was it made for this model?"
sed -i 's/"r": 4/"use_dora": true/' "$scratch/tone/adapter_config.json"
write --lora "$scratch/tone"
exits 'DoRA' 1
complains 'DoRA' 'adapter_config.json: use_dora (rows are scaled to learned lengths): Quern does not compute it'
finish
