#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare Quern's logits with adapters with those of transformers and peft.

    python3 scripts/parity_lora.py [--quern build/release/quern] [--device DEVICE] [FAMILY ...]

Needs torch, transformers, tokenizers, peft, gguf and numpy from PyPI; fetches nothing else. The models are those of
parity.py. An adapter with random a and b for every matrix of a family, embedding and head included, is saved by peft
and read by both; per row the largest difference of a logit after a prompt, at once and token by token:

  folder     peft's folder beside the model's folder
  gguf       the adapter as GGUF beside the model's folder: q's and k's rows in GGUF's order
  both gguf  the same beside the model as GGUF
  two        a second adapter as well, with the scale 0.5
  bent       how far the adapter alone moves the logits: without it nothing would be compared

Exit status 1 where a difference is above 1e-3, or an adapter moves logits less than 0.05."""

import argparse
import os
import sys
import tempfile
import warnings

import gguf
import numpy
import parity
import peft
import torch
import transformers
from safetensors.torch import load_file

LIMIT, MOVES = 1e-3, 0.05
ATTENTION = ["q_proj", "k_proj", "v_proj", "o_proj"]
FEED_FORWARD = ["gate_proj", "up_proj", "down_proj"]
ENDS = ["embed_tokens", "lm_head"]
TARGETS = {
    "llama": ATTENTION + FEED_FORWARD + ENDS,
    "llama-tied": ATTENTION + ["embed_tokens"],
    "qwen2-bias": ATTENTION + FEED_FORWARD,
    "qwen3-qk-norm": ATTENTION + FEED_FORWARD + ENDS,
    "gemma2": ATTENTION + FEED_FORWARD + ["embed_tokens"],
    "gemma3": ATTENTION + FEED_FORWARD + ["embed_tokens"],
    "phi3": ["qkv_proj", "o_proj", "gate_up_proj", "down_proj"],
    "granite": ATTENTION + FEED_FORWARD,
    "olmo2": ATTENTION + FEED_FORWARD + ENDS,
    "smollm3": ATTENTION + FEED_FORWARD,
    "qwen2-moe": ATTENTION + ["shared_expert.gate_proj", "shared_expert.up_proj", "shared_expert.down_proj"],
}
NAMES = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
         "self_attn.o_proj": "attn_output", "self_attn.qkv_proj": "attn_qkv", "mlp.gate_proj": "ffn_gate",
         "mlp.up_proj": "ffn_up", "mlp.gate_up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
         "mlp.shared_expert.gate_proj": "ffn_gate_shexp", "mlp.shared_expert.up_proj": "ffn_up_shexp",
         "mlp.shared_expert.down_proj": "ffn_down_shexp"}
INTERLEAVED = {"llama", "granite", "smollm3"}
ARCHITECTURES = {"qwen2_moe": "qwen2moe", "gemma3_text": "gemma3"}


def add_adapter(model, name, rank, seed, more, targets):
    torch.manual_seed(seed)
    config = peft.LoraConfig(r=rank, lora_alpha=rank + 3, target_modules=targets, lora_dropout=0.0, **more)
    if isinstance(model, peft.PeftModel):
        model.add_adapter(name, config)
    else:
        model = peft.get_peft_model(model, config, adapter_name=name)
    with torch.no_grad():
        for key, p in model.named_parameters():
            if f".{name}" in key and "lora_" in key:
                p.normal_(std=0.5 * p.shape[-1] ** -0.5)
    return model.eval()


def ours(theirs):
    parts = theirs.split(".")
    if parts[-1] == "embed_tokens":
        return "token_embd.weight"
    if parts[-1] == "lm_head":
        return "output.weight"
    layer = parts[parts.index("layers") + 1]
    return f"blk.{layer}.{NAMES['.'.join(parts[parts.index('layers') + 2:])]}.weight"


def interleave(b, head_dim):
    """Rows as GGUF has them: the two that are turned together are neighbours."""
    rows, rank = b.shape
    return b.reshape(rows // head_dim, 2, head_dim // 2, rank).swapaxes(1, 2).reshape(rows, rank)


def write_gguf(folder, path, architecture, alpha, head_dim):
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_string("general.type", "adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    for key, value in load_file(os.path.join(folder, "adapter_model.safetensors")).items():
        if ".lora_" not in key:  # peft adds the embedding as it was
            continue
        module, end = key.removeprefix("base_model.model.").split(".lora_")
        name, values = ours(module), value.numpy()
        is_a = end.startswith(("A", "embedding_A"))
        if end == "embedding_A":
            values = values.T
        if not is_a and architecture in INTERLEAVED and (".attn_q." in name or ".attn_k." in name):
            values = interleave(values, head_dim)
        writer.add_tensor(name + (".lora_a" if is_a else ".lora_b"), numpy.ascontiguousarray(values))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def difference(options, path, want, *more):
    got = [parity.quern_logits(options, path, "--batch", batch, *more) for batch in ("0", "1")]
    return max((one - want).abs().max().item() for one in got)


def compare(options, name):
    model_type, changes = parity.FAMILIES[name]
    architecture = ARCHITECTURES.get(model_type, model_type)
    with tempfile.TemporaryDirectory() as top:
        folder, one, two = (os.path.join(top, part) for part in ("model", "one", "two"))
        os.mkdir(folder)
        tokenizer = parity.write_tokenizer(folder)
        model = parity.make_model(model_type, changes, folder, [])
        ids = tokenizer.encode(parity.PROMPT).ids
        plain = parity.reference_logits(model, ids, False)
        model = add_adapter(model, "first", 8, 2, {}, TARGETS[name])
        model.save_pretrained(top, selected_adapters=["first"])
        os.rename(os.path.join(top, "first"), one)
        want = parity.reference_logits(model, ids, False)
        config = model.get_base_model().config
        head_dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        path = os.path.join(top, "one.gguf")
        write_gguf(one, path, architecture, 8 + 3, head_dim)
        whole = parity.convert(options, folder, "f32")
        is_moe = "num_experts_per_tok" in changes
        errors = {"folder": difference(options, whole if is_moe else folder, want, "--lora", one)}
        errors["gguf"] = errors["folder"] if is_moe else difference(options, folder, want, "--lora", path)
        errors["both gguf"] = difference(options, whole, want, "--lora", path)
        model = add_adapter(model, "second", 5, 3, {"use_rslora": True}, TARGETS[name])
        model.save_pretrained(top, selected_adapters=["second"])
        os.rename(os.path.join(top, "second"), two)
        model.base_model.set_adapter(["first", "second"])
        for module in model.modules():
            if isinstance(module, peft.tuners.lora.LoraLayer):
                module.scale_layer(1.0)
                module.set_scale("second", 0.5)
        both = parity.reference_logits(model, ids, False)
        errors["two"] = difference(options, whole, both, "--lora", path, "--lora-scaled", two + ":0.5")
        bent = min((want - plain).abs().max().item(), (both - want).abs().max().item())
        print(f"{name:14}" + "".join(f" {error:10.2e}" for error in errors.values()) + f" {bent:8.3f}", flush=True)
        return max(errors.values()) <= LIMIT and bent >= MOVES


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(TARGETS))
    parser.add_argument("--quern", default="build/release/quern")
    parser.add_argument("--device")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    transformers.utils.logging.disable_progress_bar()
    print(f"{'family':14} {'folder':>10} {'gguf':>10} {'both gguf':>10} {'two':>10} {'bent':>8}")
    failed = []
    for name in options.families or TARGETS:
        try:
            if not compare(options, name):
                failed.append(name)
        except RuntimeError as error:
            print(f"{name}: {error}")
            failed.append(name)
    if failed:
        print("outside the tolerance: " + ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
