# SPDX-License-Identifier: Apache-2.0
"""`quern run` on the processor beside llama.cpp's llama-bench on the same GGUF files, turn by turn.

    python3 bench/engine_llama_bench.py --llama-bench PATH MODEL.gguf ... [--threads 1 2] [--repeats 3]

PATH is llama-bench built for this machine (cmake -DGGML_NATIVE=ON). For each model and number of threads: tokens a
second of a prompt of about 512 tokens and of 64 written ones after a short prompt, the median of the repeats of each,
and Quern's share of llama.cpp's.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile

PROMPT, WRITTEN = 512, 64


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    return json.loads(done.stdout)


def llama(options, model, threads):
    rows = run([options.llama_bench, "-m", model, "-t", str(threads), "-p", str(PROMPT), "-n", str(WRITTEN), "-r", "1", "-o",
                "json"])
    speed = {row["n_prompt"]: row["avg_ts"] for row in rows}
    return speed[PROMPT], speed[0]


def quern_run(options, model, threads, *more):
    return run([options.quern, "run", model, "-d", options.device, "-t", str(threads), "--raw", "--temp", "0", "-c", "2048",
                "--json", *more])


def quern(options, model, threads, prompt):
    read = quern_run(options, model, threads, "-f", prompt, "-n", "1")
    written = quern_run(options, model, threads, "-p", "a", "-n", str(WRITTEN))
    return read["speed"]["prompt_tokens_per_s"], written["speed"]["tokens_per_s"]


def write_prompt(options, model, path):
    """A text of about 512 tokens of the model's vocabulary."""
    n = PROMPT
    for _ in range(2):
        with open(path, "w", encoding="utf-8") as f:
            f.write("a " * n)
        n = n * PROMPT // quern_run(options, model, 1, "-f", path, "-n", "1")["prompt_tokens"]


def main():
    parser = argparse.ArgumentParser(description="quern run beside llama-bench on the processor")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--llama-bench", required=True)
    parser.add_argument("--quern", default="build/release/quern")
    parser.add_argument("--device", default="cpu:0")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print("| model | threads | prompt: Quern | llama.cpp | ratio | text: Quern | llama.cpp | ratio |")
    print("| --- | --: | --: | --: | --: | --: | --: | --: |")
    with tempfile.TemporaryDirectory() as folder:
        prompt = os.path.join(folder, "prompt.txt")
        for model in options.models:
            write_prompt(options, model, prompt)
            for threads in options.threads:
                ours, theirs = [], []
                for _ in range(options.repeats):
                    theirs.append(llama(options, model, threads))
                    ours.append(quern(options, model, threads, prompt))
                cells = []
                for i in range(2):
                    a, b = (statistics.median(x[i] for x in side) for side in (ours, theirs))
                    cells += [f"{a:.1f}", f"{b:.1f}", f"{a / b:.2f}"]
                print(f"| {os.path.basename(model)} | {threads} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
