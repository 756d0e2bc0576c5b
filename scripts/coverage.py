#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""coverage.py FOLDER: how much of other people's CUDA the translator translates.

FOLDER holds checkouts of the corpora that scripts/coverage.ini lists. Every source of every program
listed is translated with --keep-going, so that one kernel that is refused does not hide the others;
what was made is built by the device's OpenCL compiler, C by clang. Prints a Markdown report on stdout.

A kernel is what the device compile of the file emits: templates count once for each instance that
host code launches. A file is seen through where the translator got as far as its kernels, whatever
became of them; else its kernels are counted by their __global__.

scripts/coverage/NAME (a program's or a checkout's name) holds what is missing in a checkout: files
that its build generates or fetches. A program.cu there includes the sources that the program is
linked from, where kernels of one call functions of another, and is translated in their place.

    coverage.py CORPORA                     translate for pocl3, build on the preferred OpenCL device
    coverage.py CORPORA --profile cpu       translate to C, compile that
    coverage.py CORPORA --save DIR --profile nvidia --no-build
                                            keep the texts as DIR/LIST/PROGRAM-FILE.cl; there,
                                            "build_cl DIR" is all that is needed to build them; what
                                            the translator said is beside each, in a .log
"""
import argparse
import collections
import concurrent.futures
import configparser
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

os.environ["QUERN_CCCL"] = "none"  # what is translated is the same anywhere
ADDED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "coverage")
SECONDS = 900  # of one translation: PyTorch's headers take clang a while
Source = collections.namedtuple("Source", "list program path options")


class Result:
    """The outcome for one source."""

    def __init__(self, source):
        self.source = source
        self.kernels = []  # translated
        self.refused = {}  # kernel -> reason
        self.unparsed = 0  # kernels of a file that is no C++ to clang
        self.why_unparsed = ""
        self.loses_host_code = False  # some of it is left out: are instances lost with it?
        self.built = False
        self.why_not_built = ""

    def found(self):
        return len(self.kernels) + len(self.refused) + self.unparsed

    def seen_through(self):
        return not self.why_unparsed


# ---- what to translate, and how ----

def read_text(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def included_names(folder):
    """Base names of all files that some file of the program includes."""
    names = set()
    for path in glob.glob(os.path.join(folder, "**", "*"), recursive=True):
        if re.search(r"\.(cu|cuh|h|hpp|cpp|cc|c)$", path) and os.path.isfile(path):
            names.update(os.path.basename(n)
                         for n in re.findall(r'#\s*include\s*["<]([^">]+)[">]', read_text(path)))
    return names


def makefile_options(folder):
    """-I and -D words of the program's Makefile, its own simple variables filled in."""
    for name in ("Makefile", "makefile", "GNUmakefile"):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            break
    else:
        return []
    text = read_text(path).replace("\\\n", " ")
    variables = dict(re.findall(r"^\s*(\w+)\s*[:?]?=\s*([^\n#]*)", text, re.M))

    def fill(match, depth=[0]):
        return variables.get(match.group(1), "").strip()

    for _ in range(4):
        text = re.sub(r"\$[({](\w+)[)}]", fill, text)
    options = []
    for word in re.findall(r"(?<!\S)-[ID]\s*\S+", text):
        value = word[2:].strip()
        if "$" in value or "`" in value or "=\\" in value:
            continue
        if word[1] == "I":
            value = os.path.join(folder, value)
            if not os.path.isdir(value):
                continue
        elif not re.fullmatch(r"\w+(=[\w.+-]+)?", value):
            continue
        option = "-" + word[1] + value
        if option not in options:
            options.append(option)
    return options


def programs_of(section, checkout):
    """Those listed; else each file is a program."""
    if "programs" in section:
        return section["programs"].split()
    before, after = os.path.join(checkout, section["files"]).split("NAME")
    return sorted(path[len(before):len(path) - len(after)]
                  for path in glob.glob(before + "*" + after))


def sources_of(name, section, root):
    checkout = os.path.join(root, section["folder"])
    extra = shlex.split(section.get("options", ""))
    for i, word in enumerate(extra):
        if i and extra[i - 1] == "-I":
            extra[i] = os.path.join(checkout, word)
    for program in programs_of(section, checkout):
        pattern = os.path.join(checkout, section["files"].replace("NAME", program))
        paths = sorted(glob.glob(pattern, recursive=True))
        if not paths:
            print("no source: " + pattern, file=sys.stderr)
            continue
        folder = os.path.commonpath([os.path.dirname(p) for p in paths])
        included = included_names(folder)
        added = [os.path.join(ADDED, n) for n in (program, section["folder"])]
        linked = os.path.join(ADDED, program, "program.cu")
        for path in [linked] if os.path.isfile(linked) else paths:
            if len(paths) == 1 or os.path.basename(path) not in included:
                own = os.path.dirname(path)
                folders = [folder] + [own] * (own != folder)
                options = [o for f in folders if section.get("makefile") != "no"
                           for o in makefile_options(f)]
                if path == linked:
                    options += ["-I", folder]
                for a in filter(os.path.isdir, added):
                    options += ["-I", a]
                yield Source(name, program, path, options + extra)


# ---- translate and build ----

def count_kernels(path):
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", read_text(path), flags=re.S)
    return len(re.findall(r"__global__[^;{]*\{", text)) or 1


def reason_of(message):
    """An error message with what differs between programs taken out."""
    message = re.sub(r"^translate: \S+( for .*?\)\))?: ", "", message)
    message = re.sub(r"'[^']*'", "'...'", message)
    message = re.sub(r"\b\d+\b", "N", message).replace("[translation]", "")
    return message.strip()


def read_refusals(result, diagnostics):
    for kernel, reason in re.findall(
            r": warning: kernel (\S+) is left out of the translation: \S+:\d+:\d+: (.*)",
            diagnostics):
        result.refused[kernel] = reason_of(reason)
    result.loses_host_code = ": warning: host code is left out" in diagnostics


def translate(source, quern, profile, out):
    result = Result(source)
    command = [quern, "translate", source.path, "--profile", profile, "--no-cache", "--verbose",
               "--option=--keep-going", "--reflect", "json", "-o", out]
    command += source.options
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=SECONDS,
                              env={"QUERN_COMPILE_TIMEOUT": str(SECONDS), **os.environ})
        status, stdout, stderr = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        status, stdout, stderr = 1, "", "error: took more than %d s" % SECONDS
    with open(os.path.splitext(out)[0] + ".log", "w", encoding="utf-8") as log:
        log.write(stderr)
    read_refusals(result, stderr)
    if status == 0:
        result.kernels = [k["name"] for k in json.loads(stdout)["kernels"]]
    elif not result.refused:
        first = re.search(r"error: (.*)", stderr) or re.search(r"quern: (.*)", stderr)
        result.unparsed = count_kernels(source.path)
        result.why_unparsed = reason_of(first.group(1) if first else "no message")
    return result


def compile_c(result, clang, out):
    """As the text's own first lines say."""
    done = subprocess.run([clang, "-std=gnu11", "-O3", "-march=native", "-fwrapv",
                           "-fno-strict-aliasing", "-ffp-contract=on", "-fsigned-char", "-w",
                           "-fPIC", "-c", out, "-o", out + ".o"],
                          capture_output=True, text=True, errors="replace")
    result.built = done.returncode == 0
    if not result.built:
        first = re.search(r"error: (.*)", done.stderr)
        result.why_not_built = reason_of(first.group(1) if first else done.stderr.strip()[-200:])
    else:
        os.unlink(out + ".o")


def build(result, build_cl, out):
    done = subprocess.run([build_cl, out], capture_output=True, text=True, errors="replace")
    lines = [line for line in done.stdout.splitlines() if line.startswith(("ok ", "no "))]
    result.built = bool(lines) and lines[-1].startswith("ok ")
    if not result.built:
        message = lines[-1].split(": ", 1)[1] if lines else done.stderr.strip() or "no answer"
        result.why_not_built = reason_of(re.sub(r"\S*\.cl:\d+:\d+:?", "", message))


def measure(job):
    source, arguments, out = job
    result = translate(source, arguments.quern, arguments.profile, out)
    if result.kernels and not arguments.no_build:
        if arguments.profile == "cpu":
            compile_c(result, arguments.clang, out)
        else:
            build(result, arguments.build_cl, out)
    print("%s: %s: %d kernels, %d translated%s%s" % (
        source.program, os.path.basename(source.path), result.found(), len(result.kernels),
        ", host code left out" if result.loses_host_code else "",
        ", NOT BUILT: " + result.why_not_built if result.why_not_built else ""), file=sys.stderr)
    return result


def text_path(folder, source, profile):
    """LIST/PROGRAM-FILE.cl, or .c, in letters that need no quotes."""
    words = (source.list, source.program + "-" + os.path.basename(source.path)[:-3])
    return os.path.join(folder, *(re.sub(r"[^\w.+-]+", "-", w) for w in words)) + (
        ".c" if profile == "cpu" else ".cl")


# ---- report ----

def share(part, whole):
    return "%d (%.1f %%)" % (part, 100.0 * part / whole) if whole else "-"


def print_table(results, with_built):
    print("| list | programs | sources | seen through | kernels found | translated |" +
          " built |" * with_built)
    print("| --- | --: | --: | --: | --: | --: |" + " --: |" * with_built)
    groups = collections.OrderedDict()
    for r in results:
        groups.setdefault(r.source.list, []).append(r)
    for name, group in list(groups.items()) + [("all", results)]:
        found = sum(r.found() for r in group)
        row = "| %s | %d | %d | %d | %d | %s |" % (
            name, len({r.source.program for r in group}), len(group),
            sum(r.seen_through() for r in group), found,
            share(sum(len(r.kernels) for r in group), found))
        if with_built:
            row += " %s |" % share(sum(len(r.kernels) for r in group if r.built), found)
        print(row)


# ---- whole sources by a vendor's compiler ----

def compile_whole(job):
    source, arguments = job
    command = [arguments.quern, "compile", source.path, "--target", arguments.target, "--no-cache"]
    done = subprocess.run(command + source.options, capture_output=True, text=True, errors="replace")
    first = re.search(r"\S+:\d+:\d+: error: .*", done.stdout + done.stderr)
    return done.returncode == 0, first.group(0) if first else done.stderr.strip()[-200:]


def measure_whole(sources, arguments):
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(compile_whole, [(s, arguments) for s in sources]))
    groups = collections.OrderedDict()
    for source, (good, why) in zip(sources, results):
        groups.setdefault(source.list, []).append(good)
        if not good:
            print("%s: %s: %s" % (source.program, os.path.basename(source.path), why),
                  file=sys.stderr)
    print("| list | sources | compile for %s |\n| --- | --: | --: |" % arguments.target)
    for name, goods in groups.items():
        print("| %s | %d | %d |" % (name, len(goods), sum(goods)))


def print_reasons(results):
    reasons = collections.Counter()
    where = collections.defaultdict(set)

    def count(reason, n, program):
        reasons[reason] += n
        where[reason].add(program)

    for r in results:
        for reason in r.refused.values():
            count("refused: " + reason, 1, r.source.program)
        if r.unparsed:
            count("does not parse: " + r.why_unparsed, r.unparsed, r.source.program)
        if r.why_not_built:
            count("not built: " + r.why_not_built, len(r.kernels), r.source.program)
    print("\n| kernels | reason | programs |\n| --: | --- | --- |")
    for reason, n in reasons.most_common():
        programs = sorted(where[reason])
        print("| %d | %s | %s |" % (n, reason.replace("|", "\\|"), ", ".join(programs[:6]) +
                                    (" ..." if len(programs) > 6 else "")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--quern", default="build/release/quern")
    parser.add_argument("--build-cl", default="build/release/build_cl")
    parser.add_argument("--clang", default=os.environ.get("QUERN_CLANG", "clang-19"))
    parser.add_argument("--profile", default="pocl3")
    parser.add_argument("--list", action="append", help="only lists whose name contains this")
    parser.add_argument("--program", action="append", help="only these programs")
    parser.add_argument("--save", metavar="DIR", help="keep the texts there, a folder per list")
    parser.add_argument("--no-build", action="store_true", help="translate only")
    parser.add_argument("--target", help="compile the sources whole for this instead, as cuda:sm_80")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    config = configparser.ConfigParser()
    config.read(ADDED + ".ini")
    sources = [s for name in config.sections()
               if not arguments.list or any(part in name for part in arguments.list)
               for s in sources_of(name, config[name], arguments.folder)
               if not arguments.program or s.program in arguments.program]
    if arguments.target:
        measure_whole(sources, arguments)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.save or temporary
        jobs = [(s, arguments, text_path(folder, s, arguments.profile)) for s in sources]
        for _, _, out in jobs:
            os.makedirs(os.path.dirname(out), exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            results = list(pool.map(measure, jobs))
    print_table(results, not arguments.no_build)
    print_reasons(results)


if __name__ == "__main__":
    main()
