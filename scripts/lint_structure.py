#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint_structure.py [--all]: who needs whom, which header declares what, which files comments and tests name.

All of it is read from the sources, so no build is needed. A file x.c needs y.c when it names a function
or variable qn_... that y.c defines. What macros and inline functions of headers name counts for the files
that name these; rows of a .def file count as the macros of the including file spell them.

    circle       files that need one another, but for those of ALLOWED_CIRCLES
    header       x.c defines a function that neither x.h nor a public header declares
    stale name   a comment names a file that is not in the tree
    untested     no test names a file of compiler/, base/, rtc/, runtime/, engine/ or kernels/

A test names base/x.c by `covers: base/x` in its head, or by being tests/base/check_x or fuzz_x. For
compiler/ a golden test does so by `// exercises: stmt/x`, a line that each of them has.

Prints each finding as file:line: text; exit 1 when there is one. --all also prints the circles that are
allowed, and for every folder how many functions the rule about headers does not hold for.
"""
import collections
import fnmatch
import os
import re
import subprocess
import sys

FOLDERS = ("base", "compiler", "doctor", "engine", "kernels", "rtc", "runtime", "tools")

# Circles that stay: (pattern that all files of the circle match, reason).
ALLOWED_CIRCLES = [
    ("compiler/expr/*.c", "an expression is printed by printing its operands"),
    ("engine/template*.c", "an expression may call a macro, whose body is statements, and a filter by its name"),
    ("engine/*schema*.c", "a schema is converted by converting those within it"),
    ("compiler/lower/int_*.c", "a value's range follows from those of others, on a path and in a loop"),
]
# Circles that are to go; take a row out as soon as its circle is gone (lint says so).
CIRCLES_TO_BREAK = [
]

# Folders in which x.c defines only what x.h or a public header declares.
CHECKED_HEADERS = tuple(f + "/" for f in FOLDERS)
# Another header that declares a file's functions on purpose: (file pattern, header, reason).
ALLOWED_HEADERS = [
    ("compiler/*/*.c", "compiler/passes.h", "the entry of a pass"),
    ("compiler/translate.c", "compiler/translator.h", "the translator as others see it"),
    ("compiler/expr/*.c", "compiler/expr/operators.h", "what the files of the one recursion share"),
    ("compiler/expr/*.c", "compiler/expr/expr.h", "the entries of that recursion"),
    ("compiler/lower/int_*.c", "compiler/lower/int_range.h", "the entries of that recursion"),
    ("compiler/lang/spell*.c", "compiler/lang/language.h", "the speller and what a language may use of it"),
    ("doctor/*_facts.c", "doctor/facts.h", "the parts of the tree of facts"),
    ("doctor/*_findings.c", "doctor/findings.h", "the areas of findings"),
    ("engine/template_*.c", "engine/template_run.h", "what the files of the one recursion share"),
    ("engine/template_*.c", "engine/template_node.h", "what the files of the reader share"),
    ("engine/*schema*.c", "engine/schema_conversion.h", "what the files of the one recursion share"),
    ("kernels/codebook_unpack.c", "kernels/format_unpack.h", "a line for each format"),
    ("kernels/ref/*.c", "kernels/ref/ref.h", "plain references: a line for each op"),
    ("runtime/device.c", "runtime/backend.h", "the inner side; include/quern/device.h has the name"),
    ("runtime/module.c", "runtime/backend.h", "the inner side; include/quern/module.h has the name"),
    *((f"runtime/{b}/{b}_*.c", f"runtime/{b}/{b}_backend.h", "the callbacks of a backend")
      for b in ("cuda", "hip", "opencl", "cpu")),
]

# What comments call files that belong to others, and files of examples. A user's own: *.cu, and a.h, x.h.
FOREIGN_FILES = {"cublas_api.h", "library_types.h", "curl/curl.h", "CL/cl.h", "CL/cl_ext.h", "CL/cl_icd.h", "stdint.h", "a.h", "b.h", "x.h",
                 "util/a.h", "util/b.h", "util/reduce.h", "reduce.cuh", "TRANSLATION.cl"}
USERS_FILES = {"FILE.cu", "file.cu", "main.cu", "a.cu", "saxpy.cu"}

NAME = r"qn__?[a-z0-9]\w*"


def tracked(*patterns):
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "--", *patterns],
                         capture_output=True, text=True, check=True).stdout
    return [f for f in out.split("\n") if f and os.path.isfile(f)]


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def stem(path):
    return os.path.basename(path).rsplit(".", 1)[0]


# -- C, as far as it is needed --

COMMENT_OR_LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
START = r"^(?!static|extern|typedef|return|else)[A-Za-z]"  # of a definition other files can see
FUNCTION = re.compile(rf"{START}[^\n;{{}}#=]*?\b({NAME})\([^;{{}}]*?\)\s*\{{", re.M)
VARIABLE = re.compile(rf"{START}[\w \*]*?\b({NAME})(?:\[[^\n]*\])*(?: =|;)", re.M)
INLINE = re.compile(r"^static [^\n;{}#=]*?\b(\w+)\([^;{}]*?\)\s*\{(.*?)^\}", re.M | re.S)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)]*)\))?((?:[^\n]*\\\n)*[^\n]*)", re.M)
INCLUDED_ROWS = re.compile(r"#[ \t]*include <([^>]*\.(?:def|sym))>")
# struct qn_x is no use of a function qn_x
WORD = re.compile(r"(?<![\w#])(?<!struct )(?<!enum )(?<!union )([A-Za-z_]\w*)")


def code(text):
    """Without comments and literals, but with its lines, and files of #include in <>."""
    text = re.sub(r'^(#include )"([^"\n]*)"', r"\1<\2>", text, flags=re.M)
    return COMMENT_OR_LITERAL.sub(
        lambda m: '""' if m.group()[0] == '"' else re.sub(r"[^\n]", " ", m.group()), text)


def words(text):
    return set(WORD.findall(text))


def macros_of(text):
    """name -> (parameters, body)"""
    return {name: ([p.strip() for p in parameters.split(",")], body.replace("\\\n", "\n"))
            for name, parameters, body in MACRO.findall(text)}


def expand(macros, text, pattern):
    """The calls of these macros in the text that stand where `pattern` says, each expanded once."""
    for m in re.finditer(rf"{pattern}\b(\w+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)", text, re.M):
        if m.group(1) in macros:
            parameters, body = macros[m.group(1)]
            for p, value in zip(parameters, m.group(2).split(",")):
                if p:
                    body = re.sub(rf"(?:\s*##\s*|(?<![\w#])){p}\b(?:\s*##\s*)?", lambda _, v=value: v.strip(), body)
            yield m.start(), "\n".join(line.strip() for line in body.split("\n"))


def rows_of(text):
    """What the tables that a file includes come to with the file's own macros."""
    macros = macros_of(text)
    once = "\n".join(spelled for rows in INCLUDED_ROWS.findall(text) if os.path.isfile(rows)
                     for _, spelled in expand(macros, code(read(rows)), r"^[ \t]*"))
    return "\n".join([once, *(spelled for _, spelled in expand(macros, once, ""))])


class Headers:
    """What headers declare, and what their macros and inline functions stand for."""

    def __init__(self, paths):
        self.declared = collections.defaultdict(set)  # function -> headers
        self.macros = {}
        self.stands_for = collections.defaultdict(set)
        for path in paths:
            text = code(read(path))
            self.macros.update(macros_of(text))
            for name in re.findall(rf"\b({NAME})\(", text + rows_of(text)):
                self.declared[name].add(path)
            for name, (_, body) in macros_of(text).items():
                self.stands_for[name] |= words(body)
            for name, body in INLINE.findall(text):
                self.stands_for[name] |= words(body)


class Source:
    """A .c file: the functions and variables it defines (name -> line) and the words of its code."""

    def __init__(self, path, headers):
        self.path = path
        text = code(read(path))
        self.functions, self.variables = {}, {}
        macros = {**headers.macros, **macros_of(text)}
        spelled = [(0, text), *((at, s + "\n") for at, s in expand(macros, text, "^"))]
        for at, part in spelled:
            for pattern, kept in ((FUNCTION, self.functions), (VARIABLE, self.variables)):
                for m in pattern.finditer(part):
                    kept.setdefault(m.group(1), text.count("\n", 0, at or m.start()) + 1)
        self.uses = set()
        todo = list(words(text) | words(rows_of(text)))
        while todo:
            w = todo.pop()
            if w not in self.uses:
                self.uses.add(w)
                todo.extend(headers.stands_for.get(w, ()))


# -- circles --


def graph_of(sources):
    """path -> {path needed: names}. A name that two programs define means the nearer one."""
    homes = collections.defaultdict(list)
    for s in sources:
        for name in (*s.functions, *s.variables):
            homes[name].append(s.path)
    graph = {s.path: collections.defaultdict(set) for s in sources}
    for s in sources:
        for w in s.uses:
            where = homes.get(w, ())
            if where and s.path not in where:
                nearest = max(where, key=lambda p: len(os.path.commonprefix([p, s.path])))
                graph[s.path][nearest].add(w)
    return graph


def reached(graph, start):
    seen, todo = set(), [start]
    while todo:
        for target in graph[todo.pop()]:
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return seen


def circles_of(graph):
    """Sets of files each of which reaches all others, largest possible."""
    reach = {path: reached(graph, path) for path in graph}
    found = {tuple(sorted(q for q in reach[p] if p in reach[q])) for p in graph if p in reach[p]}
    return sorted(found)


def check_circles(graph, show_all):
    findings, needed = [], set()
    for members in circles_of(graph):
        lines = [f"{members[0]}:1: circle of {len(members)} files: {' '.join(members)}"]
        for m in members:
            lines += [f"    {m} needs {t}: {' '.join(sorted(graph[m][t]))}" for t in members if t in graph[m]]
        # the narrowest row first
        rows = [r for r in sorted(ALLOWED_CIRCLES + CIRCLES_TO_BREAK, key=lambda r: -len(r[0]))
                if all(fnmatch.fnmatch(m, r[0]) for m in members)]
        if not rows:
            findings += lines
            continue
        needed.add(rows[0])
        if show_all:
            kind = "allowed" if rows[0] in ALLOWED_CIRCLES else "to break"
            print("\n".join([f"{kind} ({rows[0][1]}): {lines[0]}", *lines[1:]]))
    findings += [f"scripts/lint_structure.py:1: no circle is {row[0]} any more: take the row out"
                 for row in ALLOWED_CIRCLES + CIRCLES_TO_BREAK if row not in needed]
    return findings


# -- headers --


def check_headers(sources, headers, show_all):
    findings, others = [], collections.Counter()
    for s in sources:
        for name, line in s.functions.items():
            where = headers.declared.get(name, set())
            if (any(stem(h) == stem(s.path) or h.startswith("include/quern/") for h in where)
                    or any(fnmatch.fnmatch(s.path, p) and h in where for p, h, _ in ALLOWED_HEADERS)):
                continue
            others[os.path.dirname(s.path)] += 1
            if s.path.startswith(CHECKED_HEADERS):
                findings.append(f"{s.path}:{line}: {name} is declared in "
                                f"{' '.join(sorted(where)) or 'no header'}, not in {stem(s.path)}.h")
    if show_all:
        for folder, n in sorted(others.items()):
            print(f"{folder}: {n} functions are declared in another file's header")
    return findings


# -- names of files in comments --

FILE_NAME = re.compile(r"(?<![\w.<>*$/-])((?:[\w-]+/)*[\w-]+\.(?:cuh|cu|cl|def|sym|c|h))(?![\w(]|\.\w)")


def check_file_names(paths):
    files = tracked()
    known = {"/".join(f.split("/")[i:]) for f in files for i in range(f.count("/") + 1)}
    findings = []
    for path in paths:
        text = read(path)
        for comment in COMMENT_OR_LITERAL.finditer(text):
            if comment.group()[0] != "/":
                continue
            for m in FILE_NAME.finditer(comment.group()):
                if m.group(1) not in known | FOREIGN_FILES | USERS_FILES:
                    line = text.count("\n", 0, comment.start() + m.start()) + 1
                    findings.append(f"{path}:{line}: the comment names {m.group(1)}, which is not in the tree")
    return findings


# -- files that no test names --

TESTED_FOLDERS = ("base", "compiler", "doctor", "engine", "kernels", "rtc", "runtime")
HEAD_LINES = 25
# The names may go on on the next lines of the comment.
COVERS = re.compile(r"\bcovers:((?:[ \t]+[\w./-]+|[ \t]*\n[ \t]*[*#][ \t]+[\w./-]+)+)")
EXERCISES = re.compile(r"^// exercises: (.*)$", re.M)


def check_tests(sources):
    findings, named = [], set()

    def names(test, text, m, folder):
        for word in re.finditer(r"[\w./-]+", m.group(1)):
            path = f"{folder}{word.group()}.c"
            named.add(path)
            if path not in sources:
                line = text.count("\n", 0, m.start(1) + word.start()) + 1
                findings.append(f"{test}:{line}: the line names {path}, which is not in the tree")

    for test in tracked("tests/*/check_*.c", "tests/*/check_*.sh", "tests/*/fuzz_*.c"):
        head = "\n".join(read(test).split("\n")[:HEAD_LINES])
        for m in COVERS.finditer(head):
            names(test, head, m, "")
        folder, subject = test.split("/")[1], stem(test).split("_", 1)[1]
        named |= {s for s in sources if s.startswith(f"{folder}/") and stem(s) == subject}
    for golden in tracked("tests/compiler/ok/*.cu"):
        text = read(golden)
        lines = list(EXERCISES.finditer(text))
        if not lines:
            findings.append(f"{golden}:1: no line '// exercises: FILE...' says what this is a test of")
        for m in lines:
            names(golden, text, m, "compiler/")
    return findings + [f"{s}:1: no test names this file (covers:, exercises:)" for s in sorted(sources)
                       if s.startswith(tuple(f"{d}/" for d in TESTED_FOLDERS)) and s not in named]


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    show_all = "--all" in sys.argv[1:]
    headers = Headers(f for f in tracked(*(f"{d}/*.h" for d in FOLDERS), "include/*.h")
                      if not f.startswith("compiler/frontend/include/"))
    sources = [Source(f, headers) for f in tracked(*(f"{d}/*.c" for d in FOLDERS))
               if not f.startswith("compiler/frontend/include/")]
    commented = [f for f in tracked("*.c", "*.h", "*.def", "*.sym", "*.cl", "*.cu", "*.cuh")
                 if not f.startswith(("tests/compiler/ok/", "tests/compiler/err/"))]
    findings = (check_circles(graph_of(sources), show_all) + check_headers(sources, headers, show_all)
                + check_file_names(commented) + check_tests({s.path for s in sources}))
    for f in findings:
        print(f)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
