#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""parity_templates.py [--render PROGRAM] [--show] FOLDER...: chat templates as Quern and as Jinja run them.

Every *.jinja file of the folders is run with a dozen conversations (system messages, several turns, tools and
their answers, thinking on and off, a date, parts instead of a text), by Quern's bench/template_render and by
jinja2 set up as transformers sets it up. Both must write the same text, or both must refuse. Needs jinja2
(PyPI) and nothing else; the templates are the models' own and not part of this project. Prints a line for each
template and exits 1 when one differs; --show prints the first difference."""
import argparse
import datetime
import difflib
import glob
import json
import os
import subprocess
import sys
import tempfile
import time

import jinja2
import jinja2.ext
import jinja2.sandbox

NOW = 1785412345


class Generation(jinja2.ext.Extension):
    """{% generation %}, which transformers has for training: its body is written."""
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        call = self.call_method("_body", [])
        return jinja2.nodes.CallBlock(call, [], [], body).set_lineno(line)

    def _body(self, caller):
        return caller()


def environment():
    def raise_exception(message):
        raise jinja2.exceptions.TemplateError(message)

    def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    env = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = lambda form: datetime.datetime.fromtimestamp(NOW).strftime(form)
    return env


TOOL = {"type": "function", "function": {
    "name": "get_weather", "description": "Weather of a place.\nIn °C.",
    "parameters": {"type": "object", "required": ["place"], "properties": {
        "place": {"type": "string", "description": "a town's \"name\""},
        "unit": {"type": "string", "enum": ["c", "f"], "default": "c"},
        "days": {"type": "array", "items": {"type": "integer"}, "description": "which days"}}},
    "return": {"type": "object", "properties": {"text": {"type": "string"}}}}}
SYSTEM = {"role": "system", "content": " You are brief. "}
ASK = {"role": "user", "content": "  What's <b>new</b>?\n"}
ANSWER = {"role": "assistant", "content": "Not \"much\".\n"}
AGAIN = {"role": "user", "content": "Größe in 東京 🦙?"}
THOUGHT = {"role": "assistant", "content": "<think>\nHm.\n</think>\n\nSeven."}
REASON = {"role": "assistant", "content": "Seven.", "reasoning_content": "Hm, 7."}
CALL = {"role": "assistant", "content": "", "tool_calls": [
    {"id": "call00001", "type": "function",
     "function": {"name": "get_weather", "arguments": {"place": "Köln", "days": [1, 2], "unit": None}}}]}
CALL_TEXT = {"role": "assistant", "content": None, "tool_calls": [
    {"id": "call00001", "type": "function",
     "function": {"name": "get_weather", "arguments": "{\"place\": \"Köln\"}"}}]}
RESULT = {"role": "tool", "tool_call_id": "call00001", "name": "get_weather", "content": "{\"t\": 21.5}"}
PARTS = {"role": "user", "content": [{"type": "text", "text": "One."}, {"type": "text", "text": " Two."}]}

CONVERSATIONS = [
    ("one question", [ASK], {}),
    ("system", [SYSTEM, ASK], {}),
    ("no prompt", [SYSTEM, ASK, ANSWER], {"add_generation_prompt": False}),
    ("turns", [SYSTEM, ASK, ANSWER, AGAIN], {}),
    ("turns without system", [ASK, ANSWER, AGAIN, ANSWER, ASK], {}),
    ("wrong turns", [ASK, ASK], {}),
    ("assistant first", [ANSWER, ASK], {}),
    ("tools", [SYSTEM, ASK], {"tools": [TOOL]}),
    ("a call", [ASK, CALL, RESULT, ANSWER, AGAIN], {"tools": [TOOL]}),
    ("a call as text", [ASK, CALL_TEXT, RESULT], {"tools": [TOOL, TOOL]}),
    ("thinking on", [ASK, THOUGHT, AGAIN], {"enable_thinking": True, "thinking": True}),
    ("thinking off", [ASK, THOUGHT, AGAIN], {"enable_thinking": False, "thinking": False}),
    ("reasoning", [SYSTEM, ASK, REASON, AGAIN, REASON], {"reasoning_effort": "high"}),
    ("a date", [SYSTEM, ASK], {"date_string": "26 Jul 2024"}),
    ("parts", [SYSTEM, PARTS, ANSWER, PARTS], {}),
    ("nothing", [], {}),
    ("unknown role", [{"role": "narrator", "content": "Once."}], {}),
    ("documents", [ASK], {"documents": [{"title": "A", "text": "b c"}]}),
]


def names(messages, more):
    return {"messages": messages, "tools": None, "documents": None, "add_generation_prompt": True,
            "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>", **more}


def by_jinja(text, conversations):
    try:
        template = environment().from_string(text)
    except jinja2.exceptions.TemplateError as e:
        return [{"error": str(e)} for _ in conversations]
    results = []
    for _, messages, more in conversations:
        try:
            results.append({"text": template.render(**names(messages, more))})
        except Exception as e:  # a template may fail in any way Python has
            results.append({"error": f"{type(e).__name__}: {e}"})
    return results


def by_quern(render, path, conversations):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
        json.dump([{**names(m, more), "now": NOW} for _, m, more in conversations], f)
        f.flush()
        out = subprocess.run([render, path, f.name], capture_output=True, check=True, timeout=60)
    return json.loads(out.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--render", default="build/release/bench/template_render")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("folders", nargs="+")
    args = parser.parse_args()
    time.tzset()
    good = bad = 0
    for path in sorted(p for f in args.folders for p in glob.glob(os.path.join(f, "*.jinja"))):
        with open(path, encoding="utf-8", newline="") as f:
            text = f.read()
        want, got = by_jinja(text, CONVERSATIONS), by_quern(args.render, path, CONVERSATIONS)
        different = [(c[0], w, g) for c, w, g in zip(CONVERSATIONS, want, got)
                     if w.get("text") != g.get("text")]
        refused = sum("error" in w for w in want)
        print(f"{'different' if different else 'same':9} {os.path.basename(path)}: {len(want) - refused} texts, "
              f"{refused} refused{'; ' + ', '.join(d[0] for d in different) if different else ''}")
        good, bad = good + (not different), bad + bool(different)
        if different and args.show:
            name, w, g = different[0]
            print(f"  {name}: jinja {w.get('error', 'text')}; quern {g.get('error', 'text')}")
            if "text" in w and "text" in g:
                for line in list(difflib.unified_diff(w["text"].split("\n"), g["text"].split("\n"), lineterm="", n=1))[:12]:
                    print("    " + repr(line))
    print(f"{good + bad} templates, {good} the same, {bad} different")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
