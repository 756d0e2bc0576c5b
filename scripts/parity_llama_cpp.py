#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare Quern's logits with those of llama.cpp, both reading the same GGUF files.

    python3 scripts/parity_llama_cpp.py [--quern build/release/quern] [--device DEVICE]
                                        [--base F32.gguf] [--greedy N [--text FILE]] [MODEL.gguf ...]

Needs llama-cpp-python, gguf and numpy from PyPI; fetches nothing else. Without MODEL, random models
of every family are made in every format of FORMATS. Per file, after one prompt:

  exact      greatest difference from llama.cpp computing in f32: it is given the weights of the
             file as f32 (put into the f32 file that --base names), and its f32 cache is rounded to
             f16, as Quern's is. Exit status 1 above 1e-3
  as it is   greatest difference from llama.cpp with the file itself, and the Kullback-Leibler
             divergence of Quern's next-token distribution from llama.cpp's, which rounds
             activations to 16 or 8 bits for weights other than f32

With --greedy N the same comparisons are made of the N likeliest tokens after the first token, and
with that text of --text: after how many tokens they part."""

import argparse
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile

import gguf
import llama_cpp
import numpy

PROMPT = "Once upon a time there was a little fox who lived in the wood. One day the fox saw a big red ball."
FORMATS = ["f32", "f16", "q8_0", "q4_0", "q4_k_m", "q6_k"]
SHAPE = {"dim": 256, "layers": 4, "heads": 8, "kv-heads": 4, "head-dim": 64, "ffn": 512}
# mistral differs from llama only in a window, which llama.cpp does not read in this architecture
FAMILIES = {"llama": {}, "mixtral": {}, "qwen2": {"head-dim": 32}, "qwen3": {}, "gemma2": {"window": 16},
            "gemma3": {"window": 16, "layers": 7}, "phi3": {"head-dim": 32}, "gemma": {}, "granite": {}, "olmo2": {"head-dim": 32},
            "smollm3": {"layers": 5}, "qwen2moe": {"head-dim": 32, "experts": 6, "ffn": 1024},
            "qwen3moe": {"experts": 6, "ffn": 1024},
            # llama.cpp knows a model without q_lora_rank by its layers
            "deepseek2": {"head-dim": 48, "experts": 6, "ffn": 1024, "layers": 27}}
# Keys as published files have them, or do not: what is written (None: left out) behind the family, and
# tensors. The context here is above the original length, so the long factors count.
FACTORS = [1 + 0.5 * i for i in range(16)]
KEYS = {
    "phi3 without a type of rope": ("phi3", {"rope.scaling.original_context_length": 64, "rope.scaling.attn_factor": 1.19},
                                    {"rope_factors_long.weight": FACTORS, "rope_factors_short.weight": [1.0] * 16}),
    "gemma2 without soft-caps": ("gemma2", {"attn_logit_softcapping": None, "final_logit_softcapping": None}, {}),
    "gemma3, every third layer": ("gemma3", {"attention.sliding_window_pattern": 3}, {}),
    "llama, rope.scale_linear": ("llama", {"rope.scale_linear": 4.0}, {}),
    "llama, a factor and no type": ("llama", {"rope.scaling.factor": 4.0}, {}),
    "llama, no scaling, a factor": ("llama", {"rope.scaling.factor": 4.0, "rope.scaling.type": "none"}, {}),
    "llama, yarn": ("llama", {"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.attn_factor": 1.1,
                              "rope.scaling.original_context_length": 128}, {}),
    "qwen3, linear, attn_factor": ("qwen3", {"rope.scaling.factor": 2.0, "rope.scaling.attn_factor": 0.8}, {}),
    "granite without a scale": ("granite", {"attention.scale": None, "residual_scale": None}, {}),
}
# Positions other than the file's: family, Quern's options, and the same for llama.cpp. Its command line
# and its contexts ignore yarn_attn_factor where there is yarn.
YARN = {"rope_scaling_type": 2, "rope_freq_scale": 0.25, "yarn_orig_ctx": 128}
ROPE = {
    "--rope-freq-base 50000": ("llama", {"rope_freq_base": 50000.0}),
    "--rope-freq-scale 0.25": ("llama", {"rope_freq_scale": 0.25}),
    "--rope-scale 4 --rope-scaling linear": ("qwen3", {"rope_freq_scale": 0.25, "rope_scaling_type": 1}),
    "--rope-scaling yarn --rope-scale 4 --yarn-orig-ctx 128": ("llama", YARN),
    "--rope-scaling yarn --rope-scale 4 --yarn-orig-ctx 128 --yarn-ext-factor 0.5":
        ("llama", {**YARN, "yarn_ext_factor": 0.5}),
    "--rope-scaling yarn --rope-scale 4 --yarn-orig-ctx 128 --yarn-beta-fast 20 --yarn-beta-slow 2":
        ("qwen2", {**YARN, "yarn_beta_fast": 20.0, "yarn_beta_slow": 2.0}),
    "--rope-freq-base 500000 --rope-freq-scale 0.5": ("gemma3", {"rope_freq_base": 500000.0, "rope_freq_scale": 0.5}),
}
LIMIT = 1e-3
CONTEXT = 512
SAME = "same text"
F32 = 0  # ggml's number


class Tensor(ctypes.Structure):
    """The beginning of a ggml_tensor, up to its data."""
    _fields_ = [("type", ctypes.c_int), ("buffer", ctypes.c_void_p), ("n", ctypes.c_int64 * 4),
                ("strides", ctypes.c_size_t * 4), ("op", ctypes.c_int), ("op_params", ctypes.c_int32 * 16),
                ("flags", ctypes.c_int32), ("sources", ctypes.c_void_p * 10), ("whole", ctypes.c_void_p),
                ("offset", ctypes.c_size_t), ("data", ctypes.c_void_p), ("name", ctypes.c_char * 64)]


def values_of(address):
    tensor = ctypes.cast(address, ctypes.POINTER(Tensor)).contents
    return numpy.ctypeslib.as_array(ctypes.cast(tensor.data, ctypes.POINTER(ctypes.c_float)), tuple(tensor.n))


@llama_cpp.ggml_backend_sched_eval_callback
def adjust(address, ask, _):
    """Called before (ask) and after every operation: round what was written to the f32 cache to f16, and
    compute GEGLU again, for which llama.cpp has a table of GELU in f16."""
    tensor = ctypes.cast(address, ctypes.POINTER(Tensor)).contents
    if ask:
        return tensor.type == F32 and tensor.name.startswith((b"cache_", b"ffn_geglu"))
    values = values_of(address)
    if tensor.name.startswith(b"cache_"):
        values[:] = values.astype(numpy.float16)
    else:
        gate, up = (values_of(tensor.sources[i]).astype(numpy.float64) for i in range(2))
        values[:] = gate / (1 + numpy.exp(-2 * (2 / numpy.pi) ** 0.5 * (gate + 0.044715 * gate**3))) * up
    return True


class Reference:
    """A model in llama.cpp. adjusted: its cache is f32, rounded to f16, and enters the products as f32,
    as Quern's does, and GELU is computed; otherwise llama.cpp as it is, which for the products with the
    cache rounds queries and shares of values to f16 too."""

    def __init__(self, path, adjusted, how=None):
        self.model = llama_cpp.Llama(path, n_ctx=CONTEXT, n_batch=CONTEXT, n_threads=1, n_threads_batch=1,
                                     flash_attn=False, verbose=False, **(how or {}))
        self.context = self.model.ctx
        if adjusted:
            params = self.model.context_params
            params.type_k = params.type_v = F32
            params.cb_eval = adjust
            self.context = llama_cpp.llama_init_from_model(self.model.model, params)

    def close(self):
        if self.context != self.model.ctx:
            llama_cpp.llama_free(self.context)
        self.model.close()

    def logits(self, ids):
        """After these tokens, which follow those of the calls before."""
        tokens = (llama_cpp.llama_token * len(ids))(*ids)  # the batch only points to them
        if llama_cpp.llama_decode(self.context, llama_cpp.llama_batch_get_one(tokens, len(ids))) != 0:
            raise RuntimeError("llama.cpp cannot decode")
        n = self.model.n_vocab()
        return numpy.ctypeslib.as_array(llama_cpp.llama_get_logits_ith(self.context, -1), (n,)).astype(numpy.float64)


def run(command):
    done = subprocess.run(command, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(" ".join(command) + "\n" + done.stderr.decode(errors="replace"))
    return done.stdout


def make_model(options, folder, family, kind):
    path = os.path.join(folder, f"{family}-{kind}.gguf")
    shape = [word for name, n in {**SHAPE, **FAMILIES[family]}.items() for word in ("--" + name, str(n))]
    run([options.quern, "model", "random", "--family", family, "-t", kind, "--seed", "1", "--vocab", options.vocab,
         "-o", path, *shape])
    return path


def change_keys(path, changes, tensors, out):
    """The model at path with other keys and more tensors."""
    reader = gguf.GGUFReader(path)
    family = reader.fields["general.architecture"].contents()
    writer = gguf.GGUFWriter(out, family)
    changes = {f"{family}.{key}": value for key, value in changes.items()}
    for key, field in reader.fields.items():
        if key.startswith("GGUF.") or key in changes or key == "general.architecture":
            continue
        is_array = field.types[0] == gguf.GGUFValueType.ARRAY
        writer.add_key_value(key, field.contents(), field.types[0], field.types[-1] if is_array else None)
    for key, value in changes.items():
        if value is not None:
            kind = {int: "UINT32", float: "FLOAT32", str: "STRING"}[type(value)]
            writer.add_key_value(key, value, gguf.GGUFValueType[kind])
    for tensor in reader.tensors:
        writer.add_tensor(tensor.name, numpy.asarray(tensor.data).copy(), raw_dtype=tensor.tensor_type)
    for name, values in tensors.items():
        writer.add_tensor(name, numpy.array(values, numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def unpack(path, base, folder):
    """The model with its weights as f32: a copy of base, an f32 file of the same shape, with other values."""
    out = os.path.join(folder, "exact.gguf")
    shutil.copyfile(base, out)
    packed = {tensor.name: tensor for tensor in gguf.GGUFReader(path).tensors}
    data = numpy.memmap(out, numpy.uint8, "r+")
    for tensor in gguf.GGUFReader(out).tensors:
        source = packed[tensor.name]
        values = gguf.quants.dequantize(source.data, source.tensor_type).astype(numpy.float32).reshape(-1)
        data[tensor.data_offset:tensor.data_offset + tensor.n_bytes] = values.view(numpy.uint8)
    data.flush()
    return out


def quern_run(options, path, *more):
    device = ["--device", options.device] if options.device else []
    return run([options.quern, "run", path, "--raw", "-q", "--ctx", str(CONTEXT), *device, *more])


def log_softmax(x):
    x = x - x.max()
    return x - numpy.log(numpy.exp(x).sum())


def reference_logits(path, adjusted, how):
    reference = Reference(path, adjusted, how)
    ids = reference.model.tokenize(PROMPT.encode(), special=False)
    logits = reference.logits(ids)
    reference.close()
    return ids, logits


def compare(options, name, path, base, folder):
    """Print a row; whether it is within the tolerance."""
    how = ROPE[name][1] if name in ROPE else {}
    words = name.split() if name in ROPE else []
    got = numpy.array([float(line) for line in quern_run(options, path, "-p", PROMPT, "--logits", *words).split()])
    ids, usual = reference_logits(path, False, how)
    if len(got) != len(usual):
        raise RuntimeError(f"{len(got)} logits, llama.cpp has {len(usual)}")
    worst = None
    if base:
        worst = numpy.abs(got - reference_logits(unpack(path, base, folder), True, how)[1]).max()
    p, q = log_softmax(usual), log_softmax(got)
    print(f"{name:30} {len(ids):4} {usual.std():7.3f} {'' if worst is None else format(worst, '.1e'):>8}"
          f" {numpy.abs(got - usual).max():9.1e} {(numpy.exp(p) * (p - q)).sum():9.1e}"
          f" {'same' if usual.argmax() == got.argmax() else 'other'}", flush=True)
    return worst is None or worst <= LIMIT


def part(model, a, b):
    if a.startswith(b) or b.startswith(a):
        return SAME
    same = os.path.commonprefix([a, b])
    return f"part after {len(model.tokenize(same, add_bos=False))} tokens"


def reference_text(path, adjusted, n):
    reference = Reference(path, adjusted)
    ids = [reference.model.token_bos()]
    while len(ids) <= n:
        ids.append(int(reference.logits(ids[-1:]).argmax()))
    text = reference.model.detokenize(ids[1:], prev_tokens=ids[:1]).strip()
    reference.close()
    return text


def compare_texts(options, name, path, base, folder):
    """Print a row; whether Quern's text is that of exact arithmetic."""
    texts = {"as it is": reference_text(path, False, options.greedy)}
    if base:
        texts["exact"] = reference_text(unpack(path, base, folder), True, options.greedy)
    if options.text:
        with open(options.text, "rb") as file:
            texts["text"] = file.read().strip()
    texts["Quern"] = quern_run(options, path, "-p", "", "--temp", "0", "-n", str(options.greedy)).strip()
    model = llama_cpp.Llama(path, vocab_only=True, verbose=False)
    pairs = [("Quern", "exact"), ("as it is", "exact"), ("Quern", "text"), ("as it is", "text")]
    row = [f"{a}, {b}: {part(model, texts[a], texts[b])}" for a, b in pairs if b in texts]
    print(f"{name:30} " + "; ".join(row), flush=True)
    return "exact" not in texts or part(model, texts["Quern"], texts["exact"]) == SAME


def tasks(options, folder):
    """Name, file and f32 file of everything to compare; random models stay in the folder."""
    for path in options.models:
        yield os.path.basename(path), path, options.base
    for name, (family, _) in ROPE.items() if options.rope else []:
        path = make_model(options, folder, family, "f32")
        yield name, path, path
    if options.rope:
        return
    for name, (family, changes, tensors) in {} if options.models or options.families else KEYS.items():
        path = os.path.join(folder, "keys.gguf")
        change_keys(make_model(options, folder, family, "f32"), changes, tensors, path)
        yield name, path, path
    for family in [] if options.models or options.keys else options.families or FAMILIES:
        base = make_model(options, folder, family, "f32")
        for kind in options.types or FORMATS:
            yield f"{family} {kind}", make_model(options, folder, family, kind), base


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL.gguf")
    parser.add_argument("--quern", default="build/release/quern")
    parser.add_argument("--device")
    parser.add_argument("--keys", action="store_true", help="only the models with keys as published files have them")
    parser.add_argument("--rope", action="store_true", help="only the options about positions")
    parser.add_argument("--family", action="append", dest="families", help="of these random models only (more than once)")
    parser.add_argument("--vocab", default="models/quern-stories-q8_0.gguf", help="file whose vocabulary random models take")
    parser.add_argument("--type", action="append", dest="types", help="of random models in this format only (more than once)")
    parser.add_argument("--base", metavar="F32.gguf", help="what the models were converted from, as f32")
    parser.add_argument("--greedy", type=int, metavar="N")
    parser.add_argument("--text", metavar="FILE")
    options = parser.parse_args()
    if not options.greedy:
        print(f"{'model':30} {'ids':>4} {'spread':>7} {'exact':>8} {'as it is':>9} {'KL':>9} top")
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for name, path, base in tasks(options, folder):
            try:
                good = (compare_texts if options.greedy else compare)(options, name, path, base, folder)
            except (RuntimeError, ValueError) as error:
                print(f"{name}: {error}", flush=True)
                good = False
            if not good:
                failed.append(name)
    if failed:
        print("differ, or refused: " + ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
