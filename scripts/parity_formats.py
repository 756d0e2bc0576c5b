#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""parity_formats.py: our codecs of weight formats against the gguf package (pip install gguf).

Unpackers must agree bit for bit on random blocks: every code, scales over many powers of two,
subnormal ones included. Packers that have a counterpart there must reproduce its blocks except
where rounding ties or another order of operations move a code by one; their share is printed.
Run from the project's root: python3 scripts/parity_formats.py [BLOCKS]"""

import ctypes
import subprocess
import sys
import tempfile

import numpy
from gguf import GGMLQuantizationType as Type
from gguf import GGML_QUANT_SIZES, quants

FORMATS = ["F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K",
           "Q5_K", "Q6_K", "IQ4_NL", "IQ4_XS", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S",
           "IQ1_S", "IQ1_M", "TQ1_0", "TQ2_0", "MXFP4", "NVFP4"]
PACKERS = ["F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0"]
# byte offsets of a block's 16-bit scales
SCALES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82],
          "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208], "IQ4_NL": [0], "IQ4_XS": [0], "TQ1_0": [52],
          "TQ2_0": [64], "MXFP4": [], "NVFP4": [], "IQ2_XXS": [0], "IQ2_XS": [0], "IQ2_S": [0],
          "IQ3_XXS": [0], "IQ3_S": [0], "IQ1_S": [0], "IQ1_M": [],
          "F16": [0], "BF16": []}


def load_codecs(folder):
    library = folder + "/codecs.so"
    sources = ["kernels/format_unpack.c", "kernels/codebook_unpack.c", "kernels/format_pack.c", "kernels/ref/half_bits.c"]
    subprocess.check_call(["cc", "-std=c11", "-O2", "-fPIC", "-shared", "-I.", "-Iinclude", "-o",
                           library, *sources, "-lm"])
    return ctypes.CDLL(library)


def call(codecs, function, out, source, n):
    getattr(codecs, function)(out.ctypes.data_as(ctypes.c_void_p),
                              source.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(n))


def random_blocks(rng, name, count):
    _, size = GGML_QUANT_SIZES[Type[name]]
    blocks = rng.integers(0, 256, (count, size), dtype=numpy.uint8)
    if name == "F32":
        return rng.standard_normal((count, 1)).astype(numpy.float32).view(numpy.uint8)
    for at in SCALES[name]:
        scale = rng.standard_normal(count) * 2.0 ** rng.integers(-26, 12, count)
        blocks[:, at:at + 2] = scale.astype(numpy.float16).view(numpy.uint8).reshape(count, 2)
    if name == "IQ1_M":  # no infinity in the four parts of its scale
        blocks[:, 55] &= 0xbf
    if name == "BF16":
        blocks[:, 1] = numpy.where(blocks[:, 1] & 0x7f == 0x7f, 0x3f, blocks[:, 1])
    return blocks


def check_unpack(codecs, rng, name, count):
    elems, size = GGML_QUANT_SIZES[Type[name]]
    blocks = random_blocks(rng, name, count)
    want = quants.dequantize(blocks.reshape(1, -1), Type[name]).astype(numpy.float32).reshape(-1)
    got = numpy.empty(count * elems, numpy.float32)
    call(codecs, "qn__unpack_" + name.lower(), got, blocks, count * elems)
    return int((got.view(numpy.uint32) != want.view(numpy.uint32)).sum())


def check_pack(codecs, rng, name, count):
    elems, size = GGML_QUANT_SIZES[Type[name]]
    values = rng.standard_normal((1, count * elems)).astype(numpy.float32)
    want = quants.quantize(values, Type[name]).view(numpy.uint8).reshape(-1)
    got = numpy.empty(count * size, numpy.uint8)
    call(codecs, "qn__pack_" + name.lower(), got, values, count * elems)
    return int((got != want).sum()), got.size


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    rng = numpy.random.default_rng(1)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        codecs = load_codecs(folder)
        for name in FORMATS:
            different = check_unpack(codecs, rng, name, count)
            bad += different
            line = f"{name:7} {count} blocks unpacked, {different} elements differ"
            if name in PACKERS:
                moved, total = check_pack(codecs, rng, name, count)
                bad += moved * 1000 > total
                line += f"; packed, {moved} of {total} bytes differ"
            print(line)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
