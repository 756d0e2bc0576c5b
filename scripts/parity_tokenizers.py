#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""parity_tokenizers.py [--tokenize PROGRAM] [--texts N] [--only NAME]: pre-tokenisers as Quern and `tokenizers` run them.

For each way to cut a text that tokenizer.ggml.pre can name: a tokenizer.json with the expressions that published
models of that kind have, over a small byte-level BPE vocabulary learned here from this project's pages; then N odd
texts (default 10,000: words, numbers, white space of every kind, short forms, Chinese, Thai, accents, emoji, code)
through bench/tokenize_texts and the `tokenizers` package (PyPI). Every token must be the same. Nothing is fetched.
Prints a line for each and exits 1 when a text differs."""
import argparse
import glob
import json
import os
import random
import subprocess
import sys
import tempfile

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

GPT2 = "gpt2"
SHORT = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
ENDS = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
SLASH_ENDS = r" ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
UPPER, LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
FRONT = r"[^\r\n\p{L}\p{N}]?"


def llama3(number):
    return SHORT + r"|[^\r\n\p{L}\p{N}]?\p{L}+|" + number + "|" + ENDS


def cases(ending, upper=f"[{UPPER}]", lower=f"[{LOWER}]"):
    return f"{FRONT}{upper}*{lower}+{ending}|{FRONT}{upper}+{lower}*{ending}"


GPT4O = cases(SHORT + "?") + r"|\p{N}{1,3}|" + SLASH_ENDS
CJK = "[一-龥\u3040-\u309f\u30a0-\u30ff]+"
SIGN = r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"""
DEEPSEEK3 = SIGN + r"|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
BLOOM = " ?[^(\\s|[.,!?…。，、।۔،])]+"
NO_HAN = r"&&[^\p{Han}]"
KIMI = (r"[\p{Han}]+|" + cases(SHORT + "?", f"[{UPPER}{NO_HAN}]", f"[{LOWER}{NO_HAN}]") +
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")

# name: (expressions, whole words are taken)
WAYS = {
    "gpt-2": ([GPT2], False),
    "llama-bpe": ([llama3(r"\p{N}{1,3}")], True),
    "dbrx": ([llama3(r"\p{N}{1,3}")], False),
    "qwen2": ([llama3(r"\p{N}")], False),
    "qwen35": ([SHORT + r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"], False),
    "smollm": ([r"\p{N}", GPT2], False),
    "gpt-4o": ([GPT4O], False),
    "granite-embed-multi-97m": ([GPT4O], True),
    "tiny_aya": ([r"\d{1,3}(?=(?:\d{3})*\b)", GPT4O], False),
    "tekken": ([cases("") + r"|\p{N}|" + SLASH_ENDS], True),
    "deepseek-v3": ([r"\p{N}{1,3}", CJK, DEEPSEEK3], False),
    "spark2_5": ([r"\p{N}{1,3}", CJK, SIGN + r"|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+|[\r\n]|\s+(?!\S)|\s+",
                  r"\p{N}"], False),
    "deepseek-coder": ([r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[一-龥ࠀ-一가-\ud7ff]+", r"\p{N}"], False),
    "youtu": (["[가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|" + CJK, cases(SHORT + "?") + r"|\p{N}|" + SLASH_ENDS], True),
    "afmoe": ([r"\p{N}{1,3}(?=(?:\p{N}{3})*+(?!\p{N}))",
               "[一-鿿㐀-䶿\uf900-\ufaff\u3040-\u309f\u30a0-\u30ff\uff65-\uff9f\u2f00-\u2fdf\u0e40-\u0e7f\u0e80-\u0eff"
               "\u1780-\u17ff\u1000-\u109f\uaa60-\uaa7f\ua9e0-\ua9ff\uac00-\ud7af\u1100-\u11ff]+", DEEPSEEK3], False),
    "poro-chat": ([BLOOM], False),
    "viking": ([BLOOM, r"\p{N}"], False),
    "chameleon": (["<sentinel:[0-9]+>", "(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z", r"([\t\n]|    |  )", r"\p{N}",
                   r"[\p{P}!-/:-@\[-`{-~]", GPT2], False),
    "jais-2": ([SHORT + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|" +
                "|".join(r"\s{%s}(?!\S)" % n for n in "512 256 128 64 32 16 8 4 1,2".split()) + r"|\s{1}"], False),
    "kimi-k2": ([KIMI], False),
    "superbpe": ([r"\p{N}+", r"(?=(\d{3})+(?!\d))"], False),
    "bailingmoe": ([r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"], False),
    "seed-coder": ([SHORT + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+"], False),
    "ufakzeka": ([r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|" + ENDS], False),
    "laguna": ([r"[^\n]+|[\n]+", llama3(r"\p{N}")], False),
    "exaone-moe": ([SHORT + r"|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+"],
                   False),
    "minicpm5": ([r"\p{N}{1,3}", llama3(r"\p{N}+")], True),
}

WORDS = ("the The THE don't I'LL we've O'Neil it'S y'all hello World iPhone McDonald éte naïve Straße ΑΒΓ αβγ Привет "
         "мир שלום مرحبا हिन्दी বাংলা ไทยแลนด์ 日本語 カタカナ ひらがな 中文字符 한국어 ㄅㄆ ﬀ ǅ ʰ 12 345 6789 1234567 ½ Ⅷ ٣٤ 1,234.5 "
         "x=y+1; foo_bar(baz) #include <a> /* c */ // https://a.b/c?d=e {}[]() ... !!! ??? —– “q” ‘s’ «» 🦙 👩‍👩‍👧 🇩🇪 "
         "e\u0301 a\u0323\u0307 \u200b \ufeff <sentinel:12> IMGIMGABZ $5 €7 ^~|` \\n").split(" ")
SPACES = [" ", " ", " ", "  ", "    ", "\n", "\n\n", "\r\n", "\t", " \n", "\n ", "\u00a0", "\u3000", "\u2028", "       ", "", "", ""]


def odd_text(rng):
    parts = []
    for _ in range(rng.randint(1, 12)):
        kind = rng.random()
        if kind < 0.75:
            parts.append(rng.choice(WORDS))
        elif kind < 0.85:
            parts.append(str(rng.randrange(10 ** rng.randint(1, 12))))
        elif kind < 0.93:
            parts.append("".join(chr(rng.choice((rng.randrange(0x20, 0x7f), rng.randrange(0xa1, 0x600), rng.randrange(0x900, 0xe80),
                                                 rng.randrange(0x3041, 0x30ff), rng.randrange(0x4e00, 0x9fa5),
                                                 rng.randrange(0xac00, 0xd7a3)))) for _ in range(rng.randint(1, 6))))
        else:
            parts.append("".join(rng.choice("'\"!?.,:;-/\\()[]{}<>=+*&^%$#@~`|_") for _ in range(rng.randint(1, 5))))
        parts.append("".join(rng.choice(SPACES) for _ in range(rng.randint(1, 3))))
    return "".join(parts)


def make(expressions, takes_words, corpus):
    steps = []
    for e in expressions:
        steps.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True) if e == GPT2 and e == expressions[-1]
                     else pre_tokenizers.Split(Regex(e), behavior="isolated"))
    if GPT2 not in expressions:
        steps.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False))
    t = Tokenizer(models.BPE(ignore_merges=takes_words))
    t.pre_tokenizer = pre_tokenizers.Sequence(steps) if len(steps) > 1 else steps[0]
    t.decoder = decoders.ByteLevel()
    t.train_from_iterator(corpus, trainers.BpeTrainer(
        vocab_size=1500, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    return t


def save(t, folder):
    t.save(os.path.join(folder, "tokenizer.json"))
    config = {"model_type": "llama", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
              "num_key_value_heads": 1, "intermediate_size": 16, "max_position_embeddings": 64, "rms_norm_eps": 1e-5,
              "rope_theta": 1e4, "vocab_size": t.get_vocab_size(), "hidden_act": "silu"}
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as f:
        json.dump(config, f)
    with open(os.path.join(folder, "model.safetensors"), "wb") as f:
        f.write((2).to_bytes(8, "little") + b"{}")


def make_marked(corpus):
    """As Gemma 4's: characters, spaces marked, bytes for what is no token. No merge crosses the end of a line."""
    t = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>", fuse_unk=True))
    t.normalizer = normalizers.Replace(" ", "\u2581")
    t.pre_tokenizer = pre_tokenizers.Split(Regex(r"[^\n]+|[\n]+"), behavior="isolated")
    t.train_from_iterator(corpus, trainers.BpeTrainer(
        vocab_size=3000, limit_alphabet=400, show_progress=False,
        special_tokens=["<unk>"] + [f"<0x{byte:02X}>" for byte in range(256)]))
    return t


def save_marked(t, folder):
    import gguf  # for this one alone

    path = os.path.join(folder, "model.gguf")
    model = json.loads(t.to_str())["model"]
    tokens = sorted(model["vocab"], key=model["vocab"].get)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model("gemma4")
    writer.add_token_list([token.encode() for token in tokens])
    writer.add_token_types([2 if i == 0 else 6 if i <= 256 else 1 for i in range(len(tokens))])
    writer.add_token_merges([" ".join(pair) for pair in model["merges"]])
    writer.add_unk_token_id(0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tokenize", default="build/release/bench/tokenize_texts")
    parser.add_argument("--texts", type=int, default=10000)
    parser.add_argument("--only")
    args = parser.parse_args()
    rng = random.Random(18)
    texts = [odd_text(rng) for _ in range(args.texts)]
    corpus = [open(p, encoding="utf-8").read() for p in sorted(glob.glob("docs/*.md"))] + texts[:500]
    bad = 0
    for name, (expressions, takes_words) in {**WAYS, "gemma4": (None, False)}.items():
        if args.only and name != args.only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            model = folder
            if expressions:
                t = make(expressions, takes_words, corpus)
                save(t, folder)
            else:
                t = make_marked(corpus)
                model = save_marked(t, folder)
            path = os.path.join(folder, "texts")
            with open(path, "wb") as f:
                f.write(b"\0".join(x.encode() for x in texts))
            out = subprocess.run([args.tokenize, model, path], capture_output=True, text=True, check=False)
        if out.returncode:
            print(f"{name}: {out.stderr.strip()}")
            bad += 1
            continue
        ours = [[int(x) for x in line.split()] for line in out.stdout.split("\n")[:-1]]
        wrong = [i for i, x in enumerate(texts) if i >= len(ours) or t.encode(x).ids != ours[i]]
        print(f"{name}: {len(texts) - len(wrong)} of {len(texts)} texts the same", flush=True)
        for i in wrong[:3]:
            theirs = t.encode(texts[i])
            print(f"    {texts[i]!r}\n    theirs {theirs.tokens}\n    ours   {[t.id_to_token(k) for k in ours[i]]}")
        bad += bool(wrong)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
