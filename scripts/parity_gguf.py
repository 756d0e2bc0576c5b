#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare Quern's logits with those of transformers, for families that transformers stores otherwise than GGUF files.

    python3 scripts/parity_gguf.py [--quern build/release/quern] [--device DEVICE] [FAMILY ...]

Needs torch, transformers, tokenizers, safetensors, gguf and numpy from PyPI; fetches nothing else. The random model is written as
llama.cpp's converter writes it; in the second file experts are mxfp4, and transformers gets the numbers these stand
for; from that model's folder, as published, Quern's logits must be the same. Columns as in parity.py. Exit status 1 where a logit differs by more than 1e-3."""

import argparse
import json
import os
import sys
import tempfile
import warnings

import gguf
import numpy
import parity
import safetensors.torch
import torch
import transformers

FAMILIES = {
    "gpt-oss": ("gpt_oss", {"hidden_size": 256, "intermediate_size": 96, "head_dim": 64, "num_attention_heads": 4,
                            "num_key_value_heads": 2, "num_local_experts": 6, "num_experts_per_tok": 3, "sliding_window": 16,
                            "num_hidden_layers": 4, "swiglu_limit": 7.0,
                            "rope_parameters": {"rope_type": "yarn", "factor": 4.0, "beta_fast": 32.0, "beta_slow": 1.0,
                                                "truncate": False, "original_max_position_embeddings": 128,
                                                "rope_theta": 150000.0}}),
}
MXFP4 = gguf.GGMLQuantizationType.MXFP4


def make_model(model_type, changes):
    torch.manual_seed(1)
    config = transformers.AutoConfig.for_model(model_type, **{**parity.SHAPE, **changes})
    model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager").float().eval()
    with torch.no_grad():
        for name, p in model.named_parameters():
            if name.endswith(("experts.gate_up_proj", "experts.down_proj")):
                p.normal_(std=3 * p.shape[-2] ** -0.5)  # wide enough that the limit bends
            elif p.dim() >= 2 and "bias" not in name:
                p.normal_(std=p.shape[-1] ** -0.5)
            elif "norm" in name:
                p.add_(torch.randn_like(p) * 0.2)
            else:  # biases, sinks
                p.normal_(std=0.5)
    return model


def vocabulary(writer, folder):
    with open(os.path.join(folder, "tokenizer.json")) as file:
        model = json.load(file)["model"]
    tokens = sorted(model["vocab"], key=model["vocab"].get)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([3 if token == "<end>" else 1 for token in tokens])
    writer.add_token_merges([" ".join(pair) for pair in model["merges"]])
    writer.add_eos_token_id(0)


def gpt_oss(writer, config, state, quantised):
    rope = config.rope_parameters
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_expert_feed_forward_length(config.intermediate_size)
    writer.add_expert_count(config.num_local_experts)
    writer.add_expert_used_count(config.num_experts_per_tok)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_key_length(config.head_dim)
    writer.add_value_length(config.head_dim)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_sliding_window(config.sliding_window)
    writer.add_rope_freq_base(rope["rope_theta"])
    writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
    writer.add_rope_scaling_factor(rope["factor"])
    writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
    names = {"input_layernorm.weight": "attn_norm.weight", "post_attention_layernorm.weight": "post_attention_norm.weight",
             "self_attn.sinks": "attn_sinks.weight", "mlp.router.weight": "ffn_gate_inp.weight",
             "mlp.router.bias": "ffn_gate_inp.bias", "mlp.experts.down_proj_bias": "ffn_down_exps.bias"}
    for one, ours in (("q", "attn_q"), ("k", "attn_k"), ("v", "attn_v"), ("o", "attn_output")):
        for end in ("weight", "bias"):
            names[f"self_attn.{one}_proj.{end}"] = f"{ours}.{end}"

    def add(name, value, is_expert=False):
        value = numpy.ascontiguousarray(value.float().numpy())
        if is_expert and quantised:
            writer.add_tensor(name, gguf.quants.quantize(value, MXFP4), raw_dtype=MXFP4)
        else:
            writer.add_tensor(name, value)

    add("token_embd.weight", state["model.embed_tokens.weight"])
    add("output_norm.weight", state["model.norm.weight"])
    add("output.weight", state["lm_head.weight"])
    for key, value in state.items():
        if not key.startswith("model.layers."):
            continue
        layer, rest = key.removeprefix("model.layers.").split(".", 1)
        block = f"blk.{layer}."
        if rest == "mlp.experts.gate_up_proj":  # (experts, in, out), gate and up by turns
            add(block + "ffn_gate_exps.weight", value[..., ::2].transpose(1, 2), True)
            add(block + "ffn_up_exps.weight", value[..., 1::2].transpose(1, 2), True)
        elif rest == "mlp.experts.gate_up_proj_bias":
            add(block + "ffn_gate_exps.bias", value[..., ::2])
            add(block + "ffn_up_exps.bias", value[..., 1::2])
        elif rest == "mlp.experts.down_proj":
            add(block + "ffn_down_exps.weight", value.transpose(1, 2), True)
        else:
            add(block + names[rest], value)


def save_folder(folder, config, state):
    """As gpt-oss was published: experts as blocks, two neighbours in a byte, and scales; rows of gate and up by turns."""
    tensors = {}
    for key, value in state.items():
        if not key.endswith(("experts.gate_up_proj", "experts.down_proj")):
            tensors[key] = value.contiguous()
            continue
        rows = numpy.ascontiguousarray(value.transpose(1, 2).float().numpy())
        packed = gguf.quants.quantize(rows, MXFP4).reshape(*rows.shape[:2], -1, 17)
        codes = numpy.concatenate([packed[..., 1:] & 15, packed[..., 1:] >> 4], axis=-1)
        tensors[key + "_blocks"] = torch.from_numpy(codes[..., ::2] | codes[..., 1::2] << 4)
        tensors[key + "_scales"] = torch.from_numpy(numpy.ascontiguousarray(packed[..., 0]))
    safetensors.torch.save_file(tensors, os.path.join(folder, "model.safetensors"))
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump({**config.to_dict(), "quantization_config": {"quant_method": "mxfp4"}}, file)


def round_experts(model):
    """The numbers that mxfp4 has for them, along the axis that is summed over."""
    with torch.no_grad():
        for name, p in model.named_parameters():
            if name.endswith(("experts.gate_up_proj", "experts.down_proj")):
                rows = numpy.ascontiguousarray(p.transpose(1, 2).numpy())
                rounded = gguf.quants.dequantize(gguf.quants.quantize(rows, MXFP4), MXFP4).reshape(rows.shape)
                p.copy_(torch.from_numpy(rounded).transpose(1, 2))


WRITERS = {"gpt-oss": gpt_oss}


def compare(options, name):
    model_type, changes = FAMILIES[name]
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        ids = parity.write_tokenizer(folder).encode(parity.PROMPT).ids
        model = make_model(model_type, changes)
        for quantised in (False, True):
            path = os.path.join(folder, "model.gguf")
            writer = gguf.GGUFWriter(path, name)
            vocabulary(writer, folder)
            WRITERS[name](writer, model.config, model.state_dict(), quantised)
            writer.write_header_to_file()
            writer.write_kv_data_to_file()
            writer.write_tensors_to_file()
            writer.close()
            if quantised:
                save_folder(folder, model.config, model.state_dict())
                round_experts(model)
            want = parity.reference_logits(model, ids, options.f32_cache)
            errors = [(parity.quern_logits(options, path, "--batch", batch, "--exact") - want).abs().max().item()
                      for batch in ("0", "1")]
            print(f"{name + (' mxfp4' if quantised else ' f32'):18} {len(ids):4} {want.std().item():7.3f} "
                  f"{errors[0]:10.2e} {errors[1]:10.2e}", flush=True)
            worst = max(worst, *errors)
            if quantised:
                same = torch.equal(*(parity.quern_logits(options, where, "--batch", "0", "--exact") for where in (folder, path)))
                print(f"{name + ' folder':18} {'the same logits as from GGUF' if same else 'OTHER LOGITS'}", flush=True)
                worst = worst if same else float("inf")
    return worst <= parity.LIMIT_F32


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES))
    parser.add_argument("--quern", default="build/release/quern")
    parser.add_argument("--device")
    parser.add_argument("--f32-cache", action="store_true", help="the reference keeps keys and values in f32")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'family':18} {'ids':>4} {'spread':>7} {'at once':>10} {'one by one':>10}")
    failed = [name for name in options.families or FAMILIES if not compare(options, name)]
    if failed:
        print("outside the tolerance: " + ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
