#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare the perplexity that Quern gives a text with llama.cpp's.

    python3 scripts/parity_perplexity.py [--quern build/release/quern] [--ctx 512] [--option WORD ...] MODEL.gguf TEXT

Needs llama-cpp-python and numpy. The text is cut into pieces of --ctx tokens as both perplexity programs
do; the tokens of each piece's second half count. llama.cpp's distributions are written in the format of its
--save-all-logits, for Quern to compare its own with (quern perplexity --kl-divergence). Exit status 1
where the perplexities differ by more than 2 %: llama.cpp rounds activations to 8 bits."""

import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile

import llama_cpp
import numpy

LIMIT = 0.02
KEPT = 16.0  # nats of a row that the file keeps


def reference_rows(path, text, context):
    """The text's tokens in pieces, and for each scored one the logits that llama.cpp expects it with."""
    model = llama_cpp.Llama(path, n_ctx=context, n_batch=context, n_threads=1, n_threads_batch=1, logits_all=True,
                            verbose=False)
    ids = model.tokenize(text, add_bos=True, special=False)
    pieces = [ids[at:at + context] for at in range(0, len(ids) - context + 1, context)]
    rows = []
    for piece in pieces:
        model.reset()
        model.eval([model.token_bos()] + piece[1:])
        rows.append(numpy.array(model.scores[context // 2:context - 1], numpy.float64))
    return pieces, rows


def log_softmax(rows):
    rows = rows - rows.max(axis=1, keepdims=True)
    return rows - numpy.log(numpy.exp(rows).sum(axis=1, keepdims=True))


def write_logits(path, pieces, rows, context):
    with open(path, "wb") as file:
        n_vocab = rows[0].shape[1]
        file.write(b"_logits_" + struct.pack("<3I", context, n_vocab, len(pieces)))
        file.write(numpy.array(pieces, "<i4").tobytes())
        for row in numpy.concatenate([log_softmax(piece) for piece in rows]):
            least = max(row.min(), row.max() - KEPT)
            step = (row.max() - least) / 65535
            codes = numpy.rint(numpy.maximum(row - least, 0) / step).astype("<u2")
            file.write(struct.pack("<2f", step, least) + codes.tobytes() + bytes(2 * (n_vocab % 2)))


def quern(options, *words):
    command = [options.quern, "perplexity", options.model, "--json", "-q", *options.option, *words]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", metavar="MODEL.gguf")
    parser.add_argument("text", metavar="TEXT")
    parser.add_argument("--quern", default="build/release/quern")
    parser.add_argument("--ctx", type=int, default=512)
    parser.add_argument("--option", action="append", default=[], help="a word of Quern's command line (more than once)")
    options = parser.parse_args()
    with open(options.text, "rb") as file:
        text = file.read()
    pieces, rows = reference_rows(options.model, text, options.ctx)
    half = options.ctx // 2
    losses = numpy.concatenate([-log_softmax(row)[numpy.arange(len(row)), piece[half + 1:]]
                                for piece, row in zip(pieces, rows)])
    want = float(numpy.exp(losses.mean()))
    got = quern(options, "-f", options.text, "-c", str(options.ctx))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "llama.logits")
        write_logits(path, pieces, rows, options.ctx)
        kl = quern(options, "--kl-divergence-base", path, "--kl-divergence")["kl"]
    if got["tokens"] != len(losses):
        raise RuntimeError(f"{got['tokens']} tokens count, with llama.cpp {len(losses)}")
    away = abs(got["perplexity"] / want - 1)
    print(f"{os.path.basename(options.model):28} {len(losses):6} tokens  llama.cpp {want:9.4f}  Quern "
          f"{got['perplexity']:9.4f} ({100 * away:.3f} %)  KL {kl['mean']:.2e}, largest {kl['max']:.2e}, "
          f"same {100 * kl['same_top']:.2f} %")
    return 0 if away <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
