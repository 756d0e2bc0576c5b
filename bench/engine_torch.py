# SPDX-License-Identifier: Apache-2.0
"""PyTorch's decode of the 7.24 B Mistral shape in f16, one token at a time, as one CUDA graph: the baseline beside
`quern run` on the same card. Random weights; what is measured is speed.

    python3 bench/engine_torch.py [--tokens 128] [--context 512]

prints one line of JSON: tokens a second, GB a second read, and the read bandwidth torch measures by summing the weights.
"""

import argparse
import json
import time

import torch
import torch.nn.functional as F

DIM, LAYERS, HEADS, KV_HEADS, HEAD_DIM, FFN, VOCABULARY = 4096, 32, 32, 8, 128, 14336, 32000


def matrix(rows, columns):
    return torch.randn(rows, columns, device="cuda", dtype=torch.float16) / columns**0.5


class Decoder:
    def __init__(self, context):
        self.embedding, self.head = matrix(VOCABULARY, DIM), matrix(VOCABULARY, DIM)
        kv = KV_HEADS * HEAD_DIM
        self.layers = [
            {
                "qkv": matrix(DIM + 2 * kv, DIM), "o": matrix(DIM, DIM), "gate_up": matrix(2 * FFN, DIM),
                "down": matrix(DIM, FFN), "norm": torch.ones(2, DIM, device="cuda", dtype=torch.float16),
                "k": torch.zeros(1, KV_HEADS, context, HEAD_DIM, device="cuda", dtype=torch.float16),
                "v": torch.zeros(1, KV_HEADS, context, HEAD_DIM, device="cuda", dtype=torch.float16),
            }
            for _ in range(LAYERS)
        ]
        self.id = torch.zeros(1, device="cuda", dtype=torch.long)
        self.position = torch.zeros(1, device="cuda", dtype=torch.long)
        self.places = torch.arange(context, device="cuda")
        speeds = 10000.0 ** (-torch.arange(0, HEAD_DIM, 2, device="cuda") / HEAD_DIM)
        angles = self.places[:, None] * speeds[None, :]
        self.cos, self.sin = angles.cos().half(), angles.sin().half()

    def weight_bytes(self):
        per_layer = sum(self.layers[0][name].numel() * 2 for name in ("qkv", "o", "gate_up", "down"))
        return LAYERS * per_layer + self.head.numel() * 2

    def rotate(self, x):
        a, b = x.chunk(2, dim=-1)
        cos, sin = self.cos[self.position], self.sin[self.position]
        return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)

    def step(self):
        x = self.embedding[self.id]
        mask = (self.places <= self.position)[None, None, None, :]
        for layer in self.layers:
            h = F.rms_norm(x, (DIM,), layer["norm"][0], 1e-5)
            q, k, v = (h @ layer["qkv"].T).split((DIM, KV_HEADS * HEAD_DIM, KV_HEADS * HEAD_DIM), dim=-1)
            q = self.rotate(q.view(HEADS, HEAD_DIM)).view(1, HEADS, 1, HEAD_DIM)
            layer["k"].index_copy_(2, self.position, self.rotate(k.view(KV_HEADS, HEAD_DIM)).view(1, KV_HEADS, 1, HEAD_DIM))
            layer["v"].index_copy_(2, self.position, v.view(1, KV_HEADS, 1, HEAD_DIM))
            a = F.scaled_dot_product_attention(q, layer["k"], layer["v"], attn_mask=mask, enable_gqa=True)
            x = x + a.view(1, DIM) @ layer["o"].T
            h = F.rms_norm(x, (DIM,), layer["norm"][1], 1e-5)
            gate, up = (h @ layer["gate_up"].T).chunk(2, dim=-1)
            x = x + (F.silu(gate) * up) @ layer["down"].T
        self.id.copy_((F.rms_norm(x, (DIM,), None, 1e-5) @ self.head.T).argmax(-1))
        self.position += 1


def read_bandwidth(decoder):
    """GB/s of summing all matrices of the layers."""
    tensors = [layer[name] for layer in decoder.layers for name in ("qkv", "gate_up", "down")]
    best = 0.0
    for _ in range(4):
        torch.cuda.synchronize()
        began = time.monotonic()
        for t in tensors:
            t.view(torch.int32).sum()
        torch.cuda.synchronize()
        best = max(best, sum(t.numel() * 2 for t in tensors) / (time.monotonic() - began) / 1e9)
    return best


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(description="PyTorch decode, CUDA graph, 7.24 B shape")
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--context", type=int, default=512)
    options = parser.parse_args()
    torch.manual_seed(1)
    decoder = Decoder(options.context)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            decoder.step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        decoder.step()
    decoder.position.zero_()
    for _ in range(8):
        graph.replay()
    torch.cuda.synchronize()
    began = time.monotonic()
    for _ in range(options.tokens):
        graph.replay()
    torch.cuda.synchronize()
    seconds = (time.monotonic() - began) / options.tokens
    print(json.dumps({
        "engine": "torch " + torch.__version__ + ", CUDA graph", "device": torch.cuda.get_device_name(),
        "weights": "f16", "weight_bytes": decoder.weight_bytes(), "tokens_per_s": round(1 / seconds, 2),
        "gb_per_s": round(decoder.weight_bytes() / seconds / 1e9, 1), "read_gb_per_s": round(read_bandwidth(decoder), 1),
    }))


if __name__ == "__main__":
    main()
