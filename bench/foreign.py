#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""foreign.py CORPORA: how fast other people's kernels run when translated.

For each case of bench/foreign.list the kernel's lines are taken from the checkout and launched by
`quern launch` on each device: with CUDA, NVRTC compiles them; with OpenCL the same source is
translated first. Arguments and launch are the same; the outputs are compared, and so are the medians
of the launch times that the devices' own events give. Times of two devices are taken in turn, so a
card that changes its clock does so for both.

    bench/foreign.py ../corpora                            CUDA and NVIDIA's OpenCL on one card
    bench/foreign.py ../corpora --device opencl            OpenCL alone: does everything run?
    bench/foreign.py ../corpora --compile cuda:sm_80       compile only; needs no device
"""
import argparse
import array
import configparser
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

CODES = {"f32": "f", "f64": "d", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "i8": "b", "u8": "B"}


class Failed(Exception):
    """A case that cannot go on; the text says why."""


def pieces(corpora, source):
    """The lines that "FILE:1-3,7-9 FILE:..." names."""
    text = []
    for word in source.split():
        name, ranges = word.rsplit(":", 1)
        with open(os.path.join(corpora, name), encoding="utf-8", errors="replace") as f:
            lines = f.read().splitlines()
        for part in ranges.split(","):
            first, last = (int(n) for n in part.split("-"))
            text += lines[first - 1:last]
    return "\n".join(text) + "\n"


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        error = re.search(r"error: .*", done.stderr)
        lines = done.stderr.strip().splitlines() or ["exit status %d" % done.returncode]
        raise Failed(error.group(0) if error else lines[-1])
    return done.stdout


def launch(arguments, case, file, device, times, save=None):
    command = [arguments.quern, "launch", file, case["kernel"], "--device", device, "--json",
               "--grid", case["grid"], "--block", case["block"], "--time", str(times)]
    if "shared" in case:
        command += ["--shared", case["shared"]]
    for argument in case["args"].split():
        command += ["--arg", argument]
    if save:
        os.makedirs(save, exist_ok=True)
        command += ["--save", save]
    return json.loads(run(command))


def read_output(path):
    kind = path.rsplit(".", 1)[1]
    values = array.array(CODES[kind])
    with open(path, "rb") as f:
        values.frombytes(f.read())
    return values


def worst_difference(a, b):
    """Of the outputs in two folders, relative to the largest value of each."""
    worst = 0.0
    for name in sorted(os.listdir(a)):
        x, y = read_output(os.path.join(a, name)), read_output(os.path.join(b, name))
        if x == y:
            continue
        finite = [abs(v) for v in x if math.isfinite(v)]
        scale = max(finite, default=0) or 1
        for v, w in zip(x, y):
            if v != w and not (v != v and w != w):
                worst = max(worst, abs(v - w) / scale if math.isfinite(v - w) else math.inf)
    return worst


def measure(arguments, name, case, folder):
    file = os.path.join(folder, name + ".cu")
    with open(file, "w", encoding="utf-8") as f:
        f.write(re.sub(r"^\s+", "", case.get("before", ""), flags=re.M) + "\n")
        f.write(pieces(arguments.corpora, case["source"]))
    if arguments.compile:
        run([arguments.quern, "compile", file, "--target", arguments.compile, "--name", case["kernel"],
             "-o", os.path.join(folder, name + ".bin"), "--no-cache"])
        return "compiles", None
    saved = [os.path.join(folder, name + "-" + re.sub(r"\W", "_", d)) for d in arguments.device]
    for device, save in zip(arguments.device, saved):
        launch(arguments, case, file, device, 1, save)
    difference = max((worst_difference(saved[0], s) for s in saved[1:]), default=0)
    if difference > arguments.tolerance:
        return "outputs differ by %.2g" % difference, None
    medians = [[] for _ in arguments.device]
    for _ in range(arguments.rounds):
        for device, of_device in zip(arguments.device, medians):
            times = launch(arguments, case, file, device, arguments.launches)["times_ms"]
            of_device.append(statistics.median(times))
    return "%.1e" % difference, [statistics.median(m) for m in medians]


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora")
    parser.add_argument("--quern", default="build/release/quern")
    parser.add_argument("--device", action="append", help="twice; default: cuda and opencl")
    parser.add_argument("--compile", metavar="TARGET", help="only compile for this target")
    parser.add_argument("--case", action="append", help="only cases whose name contains this")
    parser.add_argument("--launches", type=int, default=50, help="in a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tolerance", type=float, default=1e-4, help="of the largest output")
    arguments = parser.parse_args()
    arguments.device = arguments.device or ["cuda", "opencl"]
    cases = configparser.ConfigParser(comment_prefixes=(";",), inline_comment_prefixes=None,
                                      interpolation=None)
    cases.optionxform = str
    cases.read(os.path.join(here, "foreign.list"))
    ratios, n_failed = [], 0
    print("| kernel | " + " | ".join(d + ", ms" for d in arguments.device) + " | ratio | differ by |")
    print("| --- | " + "--: | " * (len(arguments.device) + 2))
    with tempfile.TemporaryDirectory() as folder:
        for name in cases.sections():
            if arguments.case and not any(part in name for part in arguments.case):
                continue
            try:
                answer, medians = measure(arguments, name, cases[name], folder)
            except (Failed, OSError, ValueError) as e:
                answer, medians = str(e), None
                n_failed += 1
            columns = ["%.4f" % m for m in medians] if medians else ["-"] * len(arguments.device)
            ratio = medians[0] / medians[1] if medians and len(medians) > 1 else None
            if ratio:
                ratios.append(ratio)
            print("| %s | %s | %s | %s |" % (name, " | ".join(columns),
                                            "%.3f" % ratio if ratio else "-", answer), flush=True)
    if ratios:
        print("\n%d kernels: the first device's time over the second's, geometric mean %.3f, "
              "worst %.3f" % (len(ratios), statistics.geometric_mean(ratios), min(ratios)))
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
