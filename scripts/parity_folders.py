#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""parity_folders.py: folders as transformers saves them today, tokenizer and all, against transformers.

    python3 scripts/parity_folders.py [--quern build/release/quern]     # needs torch, transformers, tokenizers

Small models of random weights. Tokenizers are learned from this project's own pages and saved by the
class of each family; the logits after seven texts can only agree where the tokens do. Configurations
are varied one field at a time: Quern must agree, or refuse those that it does not compute by name. Exit 1
when one is missed."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy
import tokenizers as tk
import torch
import transformers as tf

TEXTS = ["Hello there, kernel", "  two  spaces and\n\n newlines\t tab", "It's 12345 o'clock, don't",
         "Grüße aus Köln — 日本語 🙂", "xxxxx the the the the ", " leading", "trailing "]
TOLERANCE = 1e-3
REFUSED = ["yarn, truncate", "dynamic", "attention_bias", "mlp_bias", "gelu", "use_sliding_window", "other local layers",
           "bidirectional", "another family"]
SHAPE = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 3, "num_attention_heads": 4,
         "num_key_value_heads": 2, "max_position_embeddings": 256}


def pages():
    return [line for name in ("README.md", "docs/tour.md") for line in open(name, encoding="utf-8")]


def learn(model, pre, specials, size, normalizer=None, alphabet=()):
    """Vocabulary and merges, as the constructors of transformers' tokenizers take them."""
    t = tk.Tokenizer(model)
    t.pre_tokenizer = pre
    if normalizer:
        t.normalizer = normalizer
    t.train_from_iterator(pages(), tk.trainers.BpeTrainer(vocab_size=size, special_tokens=specials,
                                                          initial_alphabet=list(alphabet), show_progress=False))
    learned = json.loads(t.to_str())["model"]
    return {"vocab": learned["vocab"],
            "merges": [tuple(m) if isinstance(m, list) else tuple(m.split(" ")) for m in learned["merges"]]}


def byte_level():
    pre = tk.pre_tokenizers.ByteLevel
    return learn(tk.models.BPE(), pre(add_prefix_space=False), [], 600, alphabet=pre.alphabet())


def sentence_piece(*specials):
    return learn(tk.models.BPE(unk_token="<unk>", byte_fallback=True),
                 tk.pre_tokenizers.Split("▁", "merged_with_next"),
                 [*specials, *("<0x%02X>" % i for i in range(256))], 756, tk.normalizers.Replace(" ", "▁"), "▁")


def logits(quern, folder, text):
    r = subprocess.run([quern, "run", folder, "--raw", "-p", text, "--logits", "-q", "-c", "64"],
                       capture_output=True, text=True, check=False)
    return (numpy.array([float(x) for x in r.stdout.split()]), "") if r.returncode == 0 else (None, r.stderr.strip())


def compare(quern, name, tokenizer, model, texts):
    """Print the largest difference of a logit after any of the texts, or Quern's reason; False when it is wrong."""
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save_pretrained(folder)
        model.save_pretrained(folder)
        for text in texts:
            ours, why = logits(quern, folder, text)
            if ours is None:
                print(f"{name:24} refused: {why.split(': ', 3)[-1]}{'' if name in REFUSED else '  WRONG'}")
                return name in REFUSED
            with torch.no_grad():
                theirs = model.float()(torch.tensor([tokenizer(text)["input_ids"]])).logits[0, -1].numpy()
            worst = max(worst, float(abs(theirs - ours[:len(theirs)]).max()))
    good = worst < TOLERANCE and name not in REFUSED
    print(f"{name:24} {worst:.1e}{'' if good else '  WRONG'}")
    return good


def make(name, tokenizer, **fields):
    torch.manual_seed(2)
    config = getattr(tf, name + "Config" if name != "Gemma3" else "Gemma3TextConfig")
    model = getattr(tf, name + "ForCausalLM")(config(**{"vocab_size": len(tokenizer), **SHAPE, **fields}))
    for p in model.parameters():
        if p.dim() == 1:
            p.data += 0.1 * torch.randn_like(p)
    return model.eval()


def rope(kind, **fields):
    return {"rope_parameters": {"rope_type": kind, "rope_theta": 10000.0, **fields}}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quern", default="build/release/quern")
    quern = os.path.abspath(parser.parse_args().quern)
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    tf.logging.set_verbosity_error()
    qwen = tf.Qwen2Tokenizer(**byte_level())
    good = True
    for name, tokenizer in (
            ("Qwen2Tokenizer", qwen), ("GPT2Tokenizer", tf.GPT2Tokenizer(**byte_level())),
            ("LlamaTokenizer", tf.LlamaTokenizer(**sentence_piece("<unk>", "<s>", "</s>"))),
            ("GemmaTokenizer", tf.GemmaTokenizer(**sentence_piece("<pad>", "<eos>", "<bos>", "<unk>")))):
        good &= compare(quern, name, tokenizer, make("Llama", tokenizer), TEXTS)
    far = {"factor": 4.0, "original_max_position_embeddings": 64}
    factors = {"short_factor": [1 + 0.1 * i for i in range(8)], "long_factor": [1.5 + 0.3 * i for i in range(8)]}
    for name, family, fields in (
            ("yarn", "Llama", rope("yarn", **far)),
            ("yarn, attention_factor", "Llama", rope("yarn", **far, attention_factor=1.3)),
            ("yarn, mscale", "Llama", rope("yarn", **far, mscale=0.7, mscale_all_dim=1.0)),
            ("yarn, truncate", "Llama", rope("yarn", **far, truncate=False)),
            ("dynamic", "Llama", rope("dynamic", factor=2.0)),
            ("attention_bias", "Llama", {"attention_bias": True}), ("mlp_bias", "Llama", {"mlp_bias": True}),
            ("gelu", "Llama", {"hidden_act": "gelu"}), ("head_dim", "Llama", {"head_dim": 32}),
            ("use_sliding_window", "Qwen2", {"use_sliding_window": True, "sliding_window": 8, "max_window_layers": 1}),
            ("no soft-caps", "Gemma2", {"head_dim": 16, "attn_logit_softcapping": None, "final_logit_softcapping": None}),
            ("other local layers", "Gemma3", {"head_dim": 16, "sliding_window": 8, "layer_types":
                                              ["full_attention", "sliding_attention", "full_attention"]}),
            ("bidirectional", "Gemma3", {"head_dim": 16, "sliding_window": 8, "use_bidirectional_attention": True}),
            ("partial_rotary_factor", "Phi3", {"pad_token_id": 0, "partial_rotary_factor": 0.5}),
            ("longrope", "Phi3", {"pad_token_id": 0, "original_max_position_embeddings": 64, **rope("longrope", **factors)}),
            ("another family", "Olmo", {})):
        good &= compare(quern, name, qwen, make(family, qwen, **fields), [TEXTS[0] + TEXTS[2]])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
