#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare Quern's logits with those of transformers, on small random models of every family.

    python3 scripts/parity.py [--quern build/release/quern] [--device DEVICE] [FAMILY ...]

Needs torch, transformers and tokenizers from PyPI; fetches nothing else. Each model is made here
(random weights, a byte-level vocabulary), saved as safetensors, and read by both. Per family:

  f32    greatest difference of a logit after a prompt of 120 tokens, and the logits' spread;
         the prompt at once (kernels of prompts) and token by token (kernels of one token). Quern's
         cache is f16, so the reference rounds its keys and values as well; with --f32-cache it
         does not, and the difference is mostly that rounding
  q8_0, q4_k_m   Kullback-Leibler divergence of the next token's distribution from the f32 model's,
         and whether the likeliest token is the same

The tolerances are in docs/parity.md; exit status 1 when one is missed."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

PROMPT = "In a quiet valley, 12 owls sat on an old tree and counted 345 stars; nobody knew why, but they never stopped. Then it rained."
VOCABULARY = 320
LIMIT_F32 = 1e-3
SHAPE = {"vocab_size": VOCABULARY, "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 4,
         "num_attention_heads": 8, "num_key_value_heads": 4, "max_position_embeddings": 512,
         "bos_token_id": None, "eos_token_id": 0, "pad_token_id": 0, "tie_word_embeddings": False}
ROPE3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
         "original_max_position_embeddings": 128, "rope_theta": 10000.0}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128, "rope_theta": 10000.0}
LINEAR = {"rope_type": "linear", "factor": 2.0, "rope_theta": 10000.0}
LINEAR8 = {"rope_type": "linear", "factor": 8.0}
LONGROPE = {"rope_type": "longrope", "short_factor": [1 + 0.05 * i for i in range(16)], "long_factor": [1 + 0.5 * i for i in range(16)]}
LONGROPE24 = {"rope_type": "longrope", "short_factor": [1 + 0.05 * i for i in range(12)], "long_factor": [1 + 0.5 * i for i in range(12)]}
MSCALE = {**YARN, "beta_fast": 32, "beta_slow": 1, "mscale": 0.707, "mscale_all_dim": 0.707}
DEEPSEEK = {"num_key_value_heads": None, "q_lora_rank": None, "kv_lora_rank": 64, "qk_nope_head_dim": 32, "qk_rope_head_dim": 16,
            "v_head_dim": 32, "first_k_dense_replace": 1, "n_routed_experts": 8, "n_shared_experts": 2, "num_experts_per_tok": 3,
            "moe_intermediate_size": 96, "routed_scaling_factor": 1.0, "topk_method": "greedy", "n_group": 1, "topk_group": 1}
FAMILIES = {
    "llama": ("llama", {}),
    "llama-tied": ("llama", {"tie_word_embeddings": True}),
    "llama-rope-llama3": ("llama", {"rope_scaling": ROPE3}),
    "llama-rope-linear": ("llama", {"rope_scaling": LINEAR}),
    "llama-rope-yarn": ("llama", {"rope_scaling": YARN}),
    "llama-yarn-parts": ("llama", {"rope_scaling": {**YARN, "truncate": False}}),
    "mistral-window": ("mistral", {"sliding_window": 16}),
    "mixtral": ("mixtral", {"num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": None}),
    "qwen2-bias": ("qwen2", {}),
    "qwen3-qk-norm": ("qwen3", {"head_dim": 64}),
    "gemma2": ("gemma2", {"head_dim": 32, "query_pre_attn_scalar": 48, "sliding_window": 16, "attn_logit_softcapping": 5.0,
                          "final_logit_softcapping": 3.0, "tie_word_embeddings": True, "bos_token_id": 2}),
    "gemma3": ("gemma3_text", {"head_dim": 32, "query_pre_attn_scalar": 48, "sliding_window": 16, "num_hidden_layers": 7,
                               "tie_word_embeddings": True, "bos_token_id": 2}),
    "gemma3-sparse": ("gemma3_text", {"head_dim": 32, "query_pre_attn_scalar": 48, "sliding_window": 16, "num_hidden_layers": 7,
                                      "tie_word_embeddings": True, "bos_token_id": 2, "rope_scaling": LINEAR8}),
    "gemma3-pattern": ("gemma3_text", {"head_dim": 32, "sliding_window": 16, "num_hidden_layers": 5, "bos_token_id": 2,
                                       "layer_types": ["full_attention", "sliding_attention"] * 2 + ["full_attention"]}),
    "qwen2-windows": ("qwen2", {"use_sliding_window": True, "sliding_window": 16, "max_window_layers": 2}),
    "phi3": ("phi3", {}),
    # the context is 256: above the first's original length, within the second's and the third's
    "phi3-longrope": ("phi3", {"original_max_position_embeddings": 64, "rope_scaling": LONGROPE}),
    "phi3-short": ("phi3", {"original_max_position_embeddings": 256, "rope_scaling": LONGROPE}),
    "phi4-mini": ("phi3", {"original_max_position_embeddings": 256, "num_key_value_heads": 2,
                           "partial_rotary_factor": 0.75, "tie_word_embeddings": True, "rope_scaling": LONGROPE24}),
    "gemma": ("gemma", {"head_dim": 64, "num_key_value_heads": 1, "tie_word_embeddings": True, "bos_token_id": 2}),
    "falcon3": ("llama", {"head_dim": 64, "num_attention_heads": 4, "num_key_value_heads": 2, "rope_theta": 1000042.0}),
    "granite": ("granite", {"embedding_multiplier": 12.0, "residual_multiplier": 0.22, "attention_multiplier": 0.015625,
                            "logits_scaling": 2.0, "rope_theta": 1e7, "tie_word_embeddings": True}),
    "olmo2": ("olmo2", {"rope_theta": 500000.0}),
    "olmo3": ("olmo3", {"sliding_window": 16, "rope_scaling": YARN}),
    "smollm3": ("smollm3", {"num_hidden_layers": 6, "tie_word_embeddings": True}),
    "qwen2-moe": ("qwen2_moe", {"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 96,
                                "shared_expert_intermediate_size": 160, "num_key_value_heads": 8}),
    "qwen3-moe": ("qwen3_moe", {"num_experts": 8, "num_experts_per_tok": 3, "moe_intermediate_size": 96, "head_dim": 64,
                                "norm_topk_prob": True}),
    "deepseek-v2-lite": ("deepseek_v2", {**DEEPSEEK, "num_hidden_layers": 4, "rope_scaling": MSCALE}),
    "deepseek-v2-q-rank": ("deepseek_v2", {**DEEPSEEK, "q_lora_rank": 96, "first_k_dense_replace": 2, "routed_scaling_factor": 4.0,
                                           "rope_scaling": {**MSCALE, "mscale": 1.0}}),
    "deepseek-v2-plain": ("deepseek_v2", {**DEEPSEEK, "n_shared_experts": 1, "num_attention_heads": 4, "v_head_dim": 48}),
}
# Keys that the published files leave out: what they mean is what transformers takes.
LEFT_OUT = {"gemma3-sparse": ["rms_norm_eps", "rope_theta", "rope_local_base_freq", "rope_parameters", "num_key_value_heads",
                              "layer_types", "_sliding_window_pattern", "tie_word_embeddings"]}


def write_tokenizer(folder):
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {"<end>": 0}
    for letter in alphabet:
        vocabulary[letter] = len(vocabulary)
    merges = [("t", "h"), ("th", "e"), ("\u0120", "a"), ("i", "n"), ("e", "r")]
    for a, b in merges:
        vocabulary[a + b] = len(vocabulary)
    while len(vocabulary) < VOCABULARY:
        vocabulary[f"<unused{len(vocabulary)}>"] = len(vocabulary)
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<end>"])
    tokenizer.save(os.path.join(folder, "tokenizer.json"))
    with open(os.path.join(folder, "tokenizer_config.json"), "w") as file:
        json.dump({"add_bos_token": False, "eos_token": "<end>"}, file)
    return tokenizer


def leave_out(folder, keys, changes):
    """Write config.json as it was published: without what transformers adds."""
    path = os.path.join(folder, "config.json")
    with open(path) as file:
        config = {key: value for key, value in json.load(file).items() if key not in keys}
    if keys and "rope_scaling" in changes:
        config["rope_scaling"] = changes["rope_scaling"]
    with open(path, "w") as file:
        json.dump(config, file)


def make_model(model_type, changes, folder, left_out):
    torch.manual_seed(1)
    config = transformers.AutoConfig.for_model(model_type, **{**SHAPE, **changes})
    model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager").float().eval()
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.dim() >= 2:
                p.normal_(std=p.shape[-1] ** -0.5)
            else:  # norms and biases: anything but the value they begin with
                p.add_(torch.randn_like(p) * 0.2)
    model.save_pretrained(folder)
    leave_out(folder, left_out, changes)
    return model


class HalfCache(transformers.DynamicCache):
    """Keys and values rounded as Quern keeps them."""

    def update(self, keys, values, *rest, **more):
        return super().update(keys.half().float(), values.half().float(), *rest, **more)


def round_expanded(model):
    """Of latent attention Quern keeps the keys and values that are made of the short vector: these are rounded."""
    for layer in model.model.layers:
        attention = layer.self_attn
        if hasattr(attention, "expand_kv"):
            expand = type(attention).expand_kv
            attention.expand_kv = lambda *args, a=attention: tuple(x.half().float() for x in expand(a, *args))
    return any(hasattr(layer.self_attn, "expand_kv") for layer in model.model.layers)


@torch.no_grad()
def reference_logits(model, ids, f32_cache):
    f32_cache = f32_cache or round_expanded(model)
    cache = None if f32_cache else HalfCache()
    return model(torch.tensor([ids]), past_key_values=cache, use_cache=cache is not None).logits[0, -1].double()


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(" ".join(command) + "\n" + done.stderr)
    return done


def convert(options, folder, kind):
    path = os.path.join(folder, kind + ".gguf")
    run([options.quern, "model", "convert", folder, "-t", kind, "-o", path])
    return path


def quern_logits(options, path, *more):
    device = ["--device", options.device] if options.device else []
    done = run([options.quern, "run", path, "-p", PROMPT, "--raw", "--logits", "-q", "--ctx", "256", *device, *more])
    return torch.tensor([float(line) for line in done.stdout.split()], dtype=torch.float64)


def divergence(want, got):
    p, q = want.log_softmax(0), got.log_softmax(0)
    return (p.exp() * (p - q)).sum().item()


def compare(options, name):
    model_type, changes = FAMILIES[name]
    with tempfile.TemporaryDirectory() as folder:
        tokenizer = write_tokenizer(folder)
        model = make_model(model_type, changes, folder, LEFT_OUT.get(name, []))
        ids = tokenizer.encode(PROMPT).ids
        want = reference_logits(model, ids, options.f32_cache)
        path = folder
        if "num_experts_per_tok" in changes:  # its experts are tensors of their own: only convert joins them
            path = convert(options, folder, "f32")
        full, single = (quern_logits(options, path, "--batch", batch) for batch in ("0", "1"))
        if len(full) != len(want):
            raise RuntimeError(f"{name}: {len(full)} logits, want {len(want)}")
        errors = [(got - want).abs().max().item() for got in (full, single)]
        row = f"{name:18} {len(ids):4} {want.std().item():7.3f} {errors[0]:10.2e} {errors[1]:10.2e}"
        for kind in () if options.fast else ("q8_0", "q4_k_m"):
            got = quern_logits(options, convert(options, folder, kind))
            row += f"   {divergence(full, got):9.2e} {'same' if full.argmax() == got.argmax() else 'other'}"
        print(row, flush=True)
        return max(errors) <= LIMIT_F32


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES))
    parser.add_argument("--quern", default="build/release/quern")
    parser.add_argument("--device")
    parser.add_argument("--fast", action="store_true", help="f32 only, no quantised files")
    parser.add_argument("--f32-cache", action="store_true", help="the reference keeps keys and values in f32")
    options = parser.parse_args()
    warnings.simplefilter("ignore", FutureWarning)
    transformers.utils.logging.disable_progress_bar()
    print(f"{'family':18} {'ids':>4} {'spread':>7} {'at once':>10} {'one by one':>10}   {'q8_0 KL':>9} top    {'q4_k_m KL':>9} top")
    failed = []
    for name in options.families or FAMILIES:
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
