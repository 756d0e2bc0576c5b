# SPDX-License-Identifier: Apache-2.0
"""llama.cpp (through llama-cpp-python) on a GGUF file, greedily, on the CPU: the peer beside `quern run` on the same file.

    pip install llama-cpp-python
    python3 bench/engine_llama_cpp.py MODEL.gguf [--threads 1] [--tokens 64] [--prompt-tokens 16]

prints one line of JSON: prompt and text tokens a second, the better of the repeats.
"""

import argparse
import json
import time

import llama_cpp


def main():
    parser = argparse.ArgumentParser(description="llama.cpp decode on the CPU")
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--prompt-tokens", type=int, default=16)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    llm = llama_cpp.Llama(options.model, n_ctx=options.tokens + options.prompt_tokens + 8, n_threads=options.threads,
                          n_threads_batch=options.threads, verbose=False)
    prompt = [1 + 7 * i % 900 for i in range(options.prompt_tokens)]
    prompt_speed, speed = 0.0, 0.0
    for _ in range(options.repeats):
        llm.reset()
        began = time.monotonic()
        llm.eval(prompt)
        prompt_speed = max(prompt_speed, len(prompt) / (time.monotonic() - began))
        token = llm.sample(temp=0.0)
        began = time.monotonic()
        for _ in range(options.tokens):
            llm.eval([token])
            token = llm.sample(temp=0.0)
        speed = max(speed, options.tokens / (time.monotonic() - began))
    print(json.dumps({"engine": "llama-cpp-python " + llama_cpp.__version__, "model": options.model,
                      "threads": options.threads, "prompt_tokens_per_s": round(prompt_speed, 2),
                      "tokens_per_s": round(speed, 2)}))


if __name__ == "__main__":
    main()
