# SPDX-License-Identifier: Apache-2.0
"""Train the bundled model from nothing: stories, vocabulary, weights, GGUF files, samples, log.

    python3 models/train.py --minutes 5 --out OUT

writes OUT/quern-stories-f32.gguf, OUT/quern-stories-q8_0.gguf and OUT/quern-stories.json. Needs
PyTorch and numpy; one GPU makes the stories coherent within the five minutes, a CPU tries it out.

The model is a Llama: RMS norm, rotary positions over neighbouring pairs (as GGUF llama files hold
them, so nothing is permuted), grouped-query attention, SwiGLU, and a head tied to the embedding.
A row of training begins with the begin token and holds whole stories one after the other.
"""

import argparse
import collections
import json
import math
import multiprocessing
import os
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import gguf_file
import spm
import stories

VOCABULARY = 2048
DIM, LAYERS, HEADS, KV_HEADS, FFN = 256, 5, 8, 4, 512
HEAD_DIM = DIM // HEADS
CONTEXT = 512
ROPE_BASE, EPSILON = 10000.0, 1e-5
CHUNK = 2000           # stories a task of the pool makes
HELD_OUT = 1 << 40     # seeds from here on are never trained on
HELD_OUT_ROWS = 128
PROMPTS = ["Once upon a time", "One day, a little girl named Lily", "There once was a brave mouse",
           "In a small cottage near the woods lived a fox"]


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(DIM))

    def forward(self, x):
        return F.rms_norm(x, (DIM,), self.weight, EPSILON)


def rotate(x, cos, sin):
    """x (batch, heads, tokens, HEAD_DIM): turn each pair (2i, 2i + 1) by its position's angle."""
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn_norm, self.ffn_norm = Norm(), Norm()
        self.attn_q = nn.Linear(DIM, HEADS * HEAD_DIM, bias=False)
        self.attn_k = nn.Linear(DIM, KV_HEADS * HEAD_DIM, bias=False)
        self.attn_v = nn.Linear(DIM, KV_HEADS * HEAD_DIM, bias=False)
        self.attn_output = nn.Linear(HEADS * HEAD_DIM, DIM, bias=False)
        self.ffn_gate = nn.Linear(DIM, FFN, bias=False)
        self.ffn_up = nn.Linear(DIM, FFN, bias=False)
        self.ffn_down = nn.Linear(FFN, DIM, bias=False)

    def forward(self, x, cos, sin):
        batch, tokens, _ = x.shape
        h = self.attn_norm(x)
        q = self.attn_q(h).view(batch, tokens, HEADS, HEAD_DIM).transpose(1, 2)
        k = self.attn_k(h).view(batch, tokens, KV_HEADS, HEAD_DIM).transpose(1, 2)
        v = self.attn_v(h).view(batch, tokens, KV_HEADS, HEAD_DIM).transpose(1, 2)
        q, k = rotate(q, cos, sin).type_as(v), rotate(k, cos, sin).type_as(v)
        k, v = (y.repeat_interleave(HEADS // KV_HEADS, dim=1) for y in (k, v))
        h = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.attn_output(h.transpose(1, 2).reshape(batch, tokens, -1))
        h = self.ffn_norm(x)
        return x + self.ffn_down(F.silu(self.ffn_gate(h)) * self.ffn_up(h))


class Llama(nn.Module):
    def __init__(self):
        super().__init__()
        self.token_embd = nn.Embedding(VOCABULARY, DIM)
        self.blk = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.output_norm = Norm()
        for name, p in self.named_parameters():
            if p.dim() == 2:
                last = name.endswith(("attn_output.weight", "ffn_down.weight"))
                nn.init.normal_(p, std=0.02 / math.sqrt(2 * LAYERS) if last else 0.02)
        angles = torch.arange(CONTEXT)[:, None] * ROPE_BASE ** (-torch.arange(0, HEAD_DIM, 2) / HEAD_DIM)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, ids):
        tokens = ids.shape[1]
        x = self.token_embd(ids)
        cos, sin = self.cos[:tokens].to(x.dtype), self.sin[:tokens].to(x.dtype)
        for layer in self.blk:
            x = layer(x, cos, sin)
        return F.linear(self.output_norm(x), self.token_embd.weight)


# Data: every core tells stories and encodes them.

_tokenizer = None


def _set_tokenizer(pieces):
    global _tokenizer
    _tokenizer = spm.Tokenizer(pieces)


def _count_runs(first):
    counts = collections.Counter()
    for seed in range(first, first + CHUNK):
        counts.update(spm.runs(stories.story(seed)))
    return counts


def _encode_chunk(first):
    ids = []
    for seed in range(first, first + CHUNK):
        ids += [spm.BOS, *_tokenizer.encode(stories.story(seed)), spm.EOS]
    return np.array(ids, np.int16)


def learn_vocabulary(story_count):
    with multiprocessing.Pool() as pool:
        counts = sum(pool.map(_count_runs, range(0, story_count, CHUNK)), collections.Counter())
    return spm.learn(dict(sorted(counts.items())), VOCABULARY)


def make_data(pieces, first, story_count):
    with multiprocessing.Pool(initializer=_set_tokenizer, initargs=(pieces,)) as pool:
        return np.concatenate(pool.map(_encode_chunk, range(first, first + story_count, CHUNK)))


class Rows:
    """Batches of rows of CONTEXT + 1 ids, each from the beginning of a story."""

    def __init__(self, ids, device):
        starts = np.flatnonzero(ids == spm.BOS)
        self.starts = torch.from_numpy(starts[starts + CONTEXT + 1 <= len(ids)]).to(device)
        self.ids = torch.from_numpy(ids).to(device)
        self.span = torch.arange(CONTEXT + 1, device=device)

    def at(self, which):
        return self.ids[self.starts[which][:, None] + self.span].long()

    def draw(self, batch, generator):
        return self.at(torch.randint(len(self.starts), (batch,), generator=generator, device=self.ids.device))


def loss_of(model, rows):
    logits = model(rows[:, :-1])
    return F.cross_entropy(logits.float().flatten(0, 1), rows[:, 1:].flatten())


@torch.no_grad()
def evaluate(model, rows, autocast):
    """Mean loss per token over HELD_OUT_ROWS rows."""
    losses = []
    for which in torch.linspace(0, len(rows.starts) - 1, HELD_OUT_ROWS, device=rows.ids.device).long().split(32):
        with autocast():
            losses.append(loss_of(model, rows.at(which)).item())
    return sum(losses) / len(losses)


def train(model, data, held_out, options, device):
    def autocast():
        return torch.autocast(device, torch.bfloat16, enabled=device == "cuda")

    matrices = [p for p in model.parameters() if p.dim() == 2]
    vectors = [p for p in model.parameters() if p.dim() == 1]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}],
                                  lr=options.rate, betas=(0.9, 0.95), fused=device == "cuda")
    generator = torch.Generator(device).manual_seed(options.seed)
    log, step, budget_s = [], 0, options.minutes * 60
    began = time.monotonic()
    while (spent := time.monotonic() - began) < budget_s:
        # The rate follows the clock: a hundred steps up, then a cosine to a hundredth at the end of the budget.
        rate = options.rate * min(1, (step + 1) / 100) * (0.505 + 0.495 * math.cos(math.pi * spent / budget_s))
        for group in optimizer.param_groups:
            group["lr"] = rate
        with autocast():
            loss = loss_of(model, data.draw(options.batch, generator))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % options.every == 0:
            held = evaluate(model, held_out, autocast)
            log.append({"step": step, "seconds": round(spent, 1), "loss": round(loss.item(), 4), "held_out": round(held, 4)})
            print(f"step {step}  {spent:.0f} s  rate {rate:.2e}  loss {loss.item():.4f}  held out {held:.4f}", flush=True)
    return {"steps": step, "tokens": step * options.batch * CONTEXT, "held_out_loss": evaluate(model, held_out, autocast),
            "curve": log}


@torch.no_grad()
def continue_text(model, tokenizer, prompt, count, temperature=0.0, generator=None):
    """The text after a prompt: greedy at temperature 0. Whole rows are computed again: it is a check."""
    ids = [spm.BOS, *tokenizer.encode(prompt)]
    given = len(ids)
    device = model.token_embd.weight.device
    while len(ids) - given < count and len(ids) < CONTEXT:
        logits = model(torch.tensor([ids], device=device))[0, -1].float().cpu()
        if temperature > 0:
            choice = torch.multinomial((logits / temperature).softmax(0), 1, generator=generator).item()
        else:
            choice = logits.argmax().item()
        if choice == spm.EOS:
            break
        ids.append(choice)
    return tokenizer.decode(ids)


def metadata_of(tokenizer):
    rows = tokenizer.table()
    return {
        "general.architecture": "llama", "general.name": "Quern Stories", "general.license": "Apache-2.0",
        "general.description": "Short stories for children; trained on text made by rule (models/stories.py of Quern)",
        "llama.context_length": CONTEXT, "llama.embedding_length": DIM, "llama.block_count": LAYERS,
        "llama.feed_forward_length": FFN, "llama.attention.head_count": HEADS, "llama.attention.head_count_kv": KV_HEADS,
        "llama.attention.layer_norm_rms_epsilon": EPSILON, "llama.rope.dimension_count": HEAD_DIM,
        "llama.rope.freq_base": ROPE_BASE, "llama.vocab_size": tokenizer.size,
        "tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": [r[0] for r in rows],
        "tokenizer.ggml.scores": np.array([r[1] for r in rows], np.float32),
        "tokenizer.ggml.token_type": np.array([r[2] for r in rows], np.int32),
        "tokenizer.ggml.unknown_token_id": spm.UNKNOWN, "tokenizer.ggml.bos_token_id": spm.BOS,
        "tokenizer.ggml.eos_token_id": spm.EOS, "tokenizer.ggml.add_bos_token": True,
        "tokenizer.ggml.add_eos_token": False, "tokenizer.ggml.add_space_prefix": True,
    }


def export(model, tokenizer, out):
    """Both files; leaves in the model the weights that the Q8_0 file holds."""
    tensors = {name: p.detach().float().cpu().numpy() for name, p in model.named_parameters()}
    for quantized, kind in ((False, "f32"), (True, "q8_0")):
        path = os.path.join(out, f"quern-stories-{kind}.gguf")
        gguf_file.write(path, {**metadata_of(tokenizer), "general.file_type": 7 if quantized else 0}, tensors, quantized)
        print(f"{path}: {os.path.getsize(path)} bytes")
    with torch.no_grad():
        for p in model.parameters():
            if p.dim() == 2:
                array = p.float().cpu().numpy()
                p.copy_(torch.from_numpy(gguf_file.dequantize_q8_0(gguf_file.quantize_q8_0(array), array.shape)))


def main():
    parser = argparse.ArgumentParser(description="train the bundled model")
    parser.add_argument("--minutes", type=float, default=5, help="of training, without making the stories")
    parser.add_argument("--out", default="build/models")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stories", type=int, default=1_000_000)
    parser.add_argument("--batch", type=int, default=96, help="rows of 512 tokens a step")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--sample", type=int, default=250, help="tokens of each sample")
    parser.add_argument("--every", type=int, default=500, help="steps between two evaluations")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)

    began = time.monotonic()
    pieces = learn_vocabulary(min(options.stories, 40_000))
    tokenizer = spm.Tokenizer(pieces)
    data = make_data(pieces, 0, options.stories)
    held_out = Rows(make_data(pieces, HELD_OUT, CHUNK), device)
    print(f"{options.stories} stories, {len(data)} tokens in {time.monotonic() - began:.0f} s", flush=True)

    model = Llama().to(device)
    parameters = sum(p.numel() for p in model.parameters())
    print(f"{parameters} parameters on {torch.cuda.get_device_name() if device == 'cuda' else 'the CPU'}", flush=True)
    result = train(model, Rows(data, device), held_out, options, device)

    torch.backends.cuda.matmul.allow_tf32 = False
    generator = torch.Generator().manual_seed(options.seed)
    greedy = {"f32": {p: continue_text(model, tokenizer, p, options.sample) for p in PROMPTS}}
    samples = [continue_text(model, tokenizer, p, options.sample, 0.8, generator) for p in PROMPTS * 2]
    export(model, tokenizer, options.out)
    greedy["q8_0"] = {p: continue_text(model, tokenizer, p, options.sample) for p in PROMPTS}
    report = {"parameters": parameters, "stories": options.stories, "training_tokens": len(data), "options": vars(options),
              "torch": torch.__version__, "device": torch.cuda.get_device_name() if device == "cuda" else "CPU",
              **result, "greedy": greedy, "samples_at_0.8": samples}
    with open(os.path.join(options.out, "quern-stories.json"), "w") as file:
        json.dump(report, file, indent=1)
    print("\n\n".join(samples + ["greedy, q8_0: " + text for text in greedy["q8_0"].values()]))
    print(f"held-out loss {result['held_out_loss']:.4f} after {result['steps']} steps, {result['tokens']} tokens")


if __name__ == "__main__":
    main()
