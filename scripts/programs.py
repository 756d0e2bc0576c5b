#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""programs.py FOLDER: do whole CUDA programs compute the right answer once Quern translates them?

FOLDER holds the checkouts that scripts/coverage.ini lists. Each program is built unmodified by
`quern cc`, run on QUERN_DEVICE with the small sizes of scripts/programs.ini, and judged by its own
check: most programs compare with a plain C computation of the same.

One line for each program:
    passed      its check says so, and says otherwise when the launches do nothing
    hollow      its check says so, but says the same when the launches do nothing
    unchecked   ran to its end, and says nothing about its results
    FAILED      its own check says so, or it crashed or ran out of time
    refused     a kernel that it launches is not among the translated ones, or the runtime does not
                serve what it asks for; the reason is in the line
    not built   it does not compile or link: the first error is in the line
"""
import argparse
import collections
import concurrent.futures
import configparser
import glob
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

import coverage

HERE = os.path.dirname(os.path.abspath(__file__))
# How the runtime library says that it did not do something.
REFUSED = re.compile(r"^quern: .*\(cudaError\w+\)$", re.M)
STACK_BYTES = 256 << 20  # of a thread: PoCL keeps a group's private arrays there
VERDICTS = "passed hollow unchecked FAILED refused".split() + ["not built"]
Program = collections.namedtuple("Program", "list name checkout sources settings")
Verdict = collections.namedtuple("Verdict", "list program verdict why")


class Stop(Exception):
    """The verdict and the reason of a program that cannot be run to its end."""


# ---- what is run ----

def programs_of(config, settings, arguments):
    for name in config.sections():
        if arguments.list and not any(part in name for part in arguments.list):
            continue
        groups = collections.OrderedDict()
        for source in coverage.sources_of(name, config[name], arguments.folder):
            groups.setdefault(source.program, []).append(source)
        for program, sources in groups.items():
            if arguments.program and program not in arguments.program:
                continue
            own = dict(settings[name]) if name in settings else {}
            key = config[name]["folder"] + " " + program
            own.update(settings[key] if key in settings else {})
            checkout = os.path.join(arguments.folder, config[name]["folder"])
            yield Program(name, program, checkout, sources, own)


def folder_of(program):
    own = [os.path.dirname(s.path) for s in program.sources if s.path.startswith(program.checkout)]
    return os.path.commonpath(own) if own else os.path.join(program.checkout, "src",
                                                            program.name + "-cuda")


def shadow(program, into):
    """The program in a tree of links like the checkout: programs write files where they run, and
    read those of their neighbours. Files whose sizes are to be others are copies."""
    folder = folder_of(program)
    shutil.rmtree(into, ignore_errors=True)
    here, there = program.checkout, into
    for part in os.path.relpath(folder, program.checkout).split(os.sep) + [None]:
        os.makedirs(there, exist_ok=True)
        for entry in os.listdir(here):
            if entry != part and not os.path.lexists(os.path.join(there, entry)):
                os.symlink(os.path.join(here, entry), os.path.join(there, entry))
        if part:
            here, there = os.path.join(here, part), os.path.join(there, part)
    change_sizes(there, program.settings.get("sizes", "").split())
    for name, words in program.settings.items():
        if name.startswith("file "):
            write_numbers(os.path.join(there, name[5:]), *map(int, words.split()))
    sources = [s._replace(path=s.path.replace(folder, there),
                          options=[o.replace(folder, there) for o in s.options])
               for s in program.sources]
    return program._replace(sources=sources), there


def change_sizes(folder, sizes):
    """NAME=NUMBER changes "#define NAME 1" and "int NAME = 1" in the files of the folder."""
    for name in os.listdir(folder) if sizes else []:
        path = os.path.join(folder, name)
        if not os.path.islink(path) or not re.search(r"\.(cu|cuh|h|hpp|c|cpp)$", name):
            continue
        old = new = coverage.read_text(path)
        for size in sizes:
            word, number = size.split("=")
            new = re.sub(r"(#\s*define\s+%s\s+)[\d(][^/\n]*" % word, r"\g<1>%s " % number, new)
            new = re.sub(r"(\b(?:int|long|uint32_t|size_t|index_t)\s+%s\s*=\s*)\d[^;,\n]*" % word,
                         r"\g<1>" + number, new)
        if new != old:
            os.unlink(path)
            with open(path, "w", encoding="utf-8") as f:
                f.write(new)


def write_numbers(path, count, low, high):
    numbers = random.Random(count)
    with open(path, "w", encoding="ascii") as f:
        f.writelines("%.6f\n" % numbers.uniform(low, high) for _ in range(count))


def host_sources(program):
    """The .cu files, and the C and C++ files beside them that no other file includes."""
    paths = [s.path for s in program.sources]
    if "host" in program.settings:
        return paths + [os.path.join(program.checkout, p) for p in program.settings["host"].split()]
    for folder in sorted({os.path.dirname(p) for p in paths if not p.startswith(HERE)}):
        included = coverage.included_names(folder)
        paths += [p for p in sorted(glob.glob(os.path.join(folder, "*.c*")))
                  if re.search(r"\.(c|cc|cpp)$", p) and os.path.basename(p) not in included]
    return paths


# ---- build ----

def run(command, limit_s, until=None, **more):
    """Standard output and error together, and the exit status; 124 when time ran out. A line with
    `until` in it ends the program as if it had left with 0."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", start_new_session=True, **more)
    out, ends = [], []

    def end(status):
        ends.append(status)
        os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(limit_s, end, [124])
    timer.start()
    for line in process.stdout:
        out.append(line[:1000])
        if until and not ends and re.search(until, line):
            end(0)
    status = process.wait()
    timer.cancel()
    return "".join(out), ends[0] if ends else status


def first_error(text):
    for pattern in (r"error\s*:\s*(.*)", r"(undefined reference to .*)", r"quern: (.*)"):
        found = re.search(pattern, text)
        if found:
            return found.group(1)[:160]
    return (text.strip().splitlines() or ["no message"])[-1][:160]


def compile_program(program, options, arguments, folder):
    binary = os.path.join(folder, "program")
    include = sorted({o for s in program.sources for o in joined(s.options)})
    command = [arguments.quern, "cc", "-O2", "-w", "-std=c++17", "-Xcompiler", "-fopenmp",
               "-o", binary]
    command += options + shlex.split(program.settings.get("kernel options", ""))
    command += shlex.split(program.settings.get("host options", "")) + include
    command += host_sources(program) + shlex.split(program.settings.get("libraries", ""))
    text, status = run(command, 300)
    if status != 0:
        raise Stop("not built", first_error(text))
    return binary


def joined(words):
    """-I DIR as one word."""
    words = list(words)
    while words:
        word = words.pop(0)
        yield word + words.pop(0) if word == "-I" else word


# ---- run and judge ----

def verdict_of(program, text, status):
    """passed, FAILED, refused or unchecked; and the line that says so."""
    passes = program.settings.get("passes", r"\bPASS\b|(?i:\b(passed|success)\b)")
    fails = program.settings.get("fails", r"(?i)\b(fail|failed|failure|mismatch|incorrect)\b")
    lines = text.strip().splitlines()
    refused = REFUSED.search(text)
    if refused:
        return "refused", refused.group()
    if status == 124:
        return "FAILED", "out of time"
    if status < 0:
        return "FAILED", "%s; %s" % (signal.Signals(-status).name, lines[-1] if lines else "")
    wrong = next((l for l in lines if re.search(fails, l)), None)
    if wrong or status != 0:
        return "FAILED", wrong or "exit status %d; %s" % (status, lines[-1] if lines else "")
    right = next((l for l in lines if re.search(passes, l)), None)
    return ("passed", right) if right else ("unchecked", lines[-1] if lines else "")


def judge(program, words, binary, where, arguments):
    environment = dict(os.environ)
    command = ["stdbuf", "-oL", binary] + words
    until = program.settings.get("until")
    text, status = run(command, arguments.limit, until, cwd=where, env=environment)
    with open("-".join([binary] + words[:1]) + ".out", "w", encoding="utf-8") as f:
        f.write(text)
    verdict, why = verdict_of(program, text, status)
    if verdict == "passed":
        environment["LD_PRELOAD"] = arguments.no_launches
        if verdict_of(program, *run(command, arguments.limit, until, cwd=where,
                                    env=environment))[0] == "passed":
            verdict = "hollow"
    return verdict, why


def measure(job):
    program, arguments, folder = job
    options = shlex.split(program.settings.get("options", ""))
    try:
        os.makedirs(folder, exist_ok=True)
        program, where = shadow(program, os.path.join(folder, "tree"))
        binary = os.path.join(folder, "program")
        if not (arguments.keep_built and os.path.isfile(binary)):
            binary = compile_program(program, options, arguments, folder)
        return [say(program, number, "built", "") if arguments.no_run else
                say(program, number, *judge(program, words, binary, where, arguments))
                for number, words in runs_of(program)]
    except Stop as stop:
        return [say(program, number, *stop.args) for number, _ in runs_of(program)]


def runs_of(program):
    """A number, or "", and the program's arguments for each run."""
    words = shlex.split(program.settings.get("arguments", ""))
    return [(n, [n] + words) for n in program.settings.get("numbers", "").split()] or [("", words)]


def say(program, number, verdict, why):
    name = (program.name + " " + number).strip()
    print("%-10s %s: %s" % (verdict, name, why.strip()), file=sys.stderr, flush=True)
    return Verdict(program.list, name, verdict, why.strip())


# ---- report ----

def print_table(results):
    print("| list | programs | " + " | ".join(VERDICTS) + " |")
    print("| --- |" + " --: |" * (len(VERDICTS) + 1))
    groups = collections.OrderedDict()
    for r in results:
        groups.setdefault(r.list, []).append(r)
    for name, group in list(groups.items()) + [("all", results)]:
        counts = collections.Counter(r.verdict for r in group)
        print("| %s | %d | %s |" % (name, len(group),
                                    " | ".join(str(counts[v]) for v in VERDICTS)))


def main():
    resource.setrlimit(resource.RLIMIT_STACK, (STACK_BYTES, resource.RLIM_INFINITY))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--quern", default="build/release/quern")
    parser.add_argument("--no-launches", default="build/release/no_launches.so")
    parser.add_argument("--list", action="append", help="only lists whose name contains this")
    parser.add_argument("--program", action="append", help="only these programs")
    parser.add_argument("--limit", type=int, default=60, help="seconds for one run")
    parser.add_argument("--save", metavar="DIR", help="keep programs and outputs there")
    parser.add_argument("--keep-built", action="store_true", help="do not build again what is there")
    parser.add_argument("--no-run", action="store_true", help="build only")
    parser.add_argument("--json", action="store_true", help="print JSON, not a table")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    arguments.folder = os.path.abspath(arguments.folder)
    arguments.quern = os.path.abspath(arguments.quern)
    arguments.no_launches = os.path.abspath(arguments.no_launches)
    config, settings = (configparser.ConfigParser(interpolation=None) for _ in range(2))
    config.read(os.path.join(HERE, "coverage.ini"))
    settings.read(os.path.join(HERE, "programs.ini"))
    programs = list(programs_of(config, settings, arguments))
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.abspath(arguments.save or temporary)
        jobs = [(p, arguments, os.path.join(folder, re.sub(r"\W+", "-", p.list), p.name))
                for p in programs]
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            results = [r for runs in pool.map(measure, jobs) for r in runs]
    if arguments.json:
        print(json.dumps([r._asdict() for r in results], indent=2))
    else:
        print_table(results)


if __name__ == "__main__":
    main()
