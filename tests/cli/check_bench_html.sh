#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quern bench --html: one well-formed page that needs no network and can be read without seeing its pictures.
source "$(dirname "$0")/../shell.sh"
unset QUERN_DEVICE
export QUERN_BACKEND=cpu
page=$scratch/page.html
cat >"$scratch/look.py" <<'P'
# Reads a page and prints what is wrong with it.
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "line", "rect", "circle", "br"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.refs, self.wrong = [], [], [], []
        self.counts, self.headings, self.svgs, self.labels, self.text = {}, [], [], [], []

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if len(a) != len(attrs):
            self.wrong.append(f"{tag}: an attribute twice")
        for name, value in attrs:
            if name in ("src", "srcset", "action", "data", "poster", "xlink:href", "background") or name.startswith("on"):
                self.wrong.append(f"{tag} {name}: loads or runs something")
            if name == "href" and not value.startswith("#"):
                self.wrong.append(f"{tag} href: leads out of the page")
        if tag in ("script", "link", "iframe", "object", "embed", "img", "base"):
            self.wrong.append(f"<{tag}> in the page")
        if "id" in a:
            self.ids.append(a["id"])
        if a.get("href", "").startswith("#"):
            self.refs.append(a["href"][1:])
        self.refs += a.get("aria-labelledby", "").split()
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "th" and a.get("scope") not in ("row", "col"):
            self.wrong.append("a th without scope")
        if tag == "svg":
            self.svgs.append([a.get("role"), a.get("aria-labelledby"), "viewBox" in a or "viewbox" in a, 0, 0])
        if tag in ("title", "desc") and "svg" in self.open:
            self.svgs[-1][3 if tag == "title" else 4] += 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()} closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        self.text.append(data)


source = open(sys.argv[1], encoding="utf-8").read()
p = Page()
p.feed(source)
p.close()
wrong = p.wrong
if p.open:
    wrong.append(f"not closed: {p.open}")
if len(set(p.ids)) != len(p.ids):
    wrong.append("an id twice")
wrong += [f"#{r}: no such id" for r in set(p.refs) - set(p.ids)]
if p.headings[:1] != [1] or p.headings.count(1) != 1 or any(b - a > 1 for a, b in zip(p.headings, p.headings[1:])):
    wrong.append(f"headings {p.headings}")
for role, label, box, title, desc in p.svgs:
    if role != "img" or not label or len(label.split()) != 2 or not box or title != 1 or desc != 1:
        wrong.append("a picture without role, title, description or viewBox")
if p.counts.get("caption") != p.counts.get("table"):
    wrong.append("a table without a caption")
if re.search(r"(https?:)?//|@import|url\(", source):
    wrong.append("an address in the page")
if "prefers-color-scheme:dark" not in source or "@media print" not in source or 'lang="en"' not in source:
    wrong.append("no dark or print style, or no language")
if re.search(r"\b(nan|inf)\b", source):
    wrong.append("a number that is none")
for need in sys.argv[2:]:
    if need not in "".join(p.text):
        wrong.append(f"'{need}' is not said")
print("pictures", len(p.svgs), "tables", p.counts.get("table"))
print(*wrong, sep="\n")
sys.exit(bool(wrong))
P
good_page() { # NAME PICTURES WORD...
    local name=$1 pictures=$2
    shift 2
    python3 "$scratch/look.py" "$page" "$@" >"$scratch/look"
    verdict "$name: a page" $? "$(cat "$scratch/look")"
    holds "$name: pictures" grep -q "^pictures $pictures " "$scratch/look"
}
bench() { run timeout 300 "$QUERN" bench --budget 5 --html "$page" "$@"; }

cat >"$scratch/k.cu" <<'C'
template <typename T> __global__ void add(T *y, const T *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += x[i]; }
C
kernel=("$scratch/k.cu:add<float>" -n 4096 -b 64 -b 128 --arg inout:f32:4k:ramp --arg in:f32:4k:const:1 --arg i32:4096 --operations 4096)
bench "${kernel[@]}" --save "$scratch/run.json"
exits 'a report' 0
good_page 'a report' 4 'Roofline of cpu:0' 'add<float>' 'operations for each byte' 'All rows' 'No earlier run'
holds 'names are text' grep -qF 'add&lt;float&gt;' "$page"
bench "${kernel[@]}" --history "$scratch/run.json" --history "$scratch/run.json" --compare "$scratch/run.json" --threshold 1000000
exits 'with earlier runs' 0
good_page 'with earlier runs' 5 'History of the medians' 'Median milliseconds of each run' 'Changes'

# what a driver may call itself, and rows without times
python3 - "$scratch/run.json" "$scratch/odd.json" <<'P'
import json, sys
run = json.load(open(sys.argv[1]))
run["devices"][0]["name"] = "<script>alert('x')</script> & \"quotes\" \u00e9\u4e2d"
for row in run["rows"]:
    row["shape"] = "<b>\u4e2d\u6587" * 30
    row["samples_ms"] = []
json.dump(run, open(sys.argv[2], "w"))
P
bench softcap_f32 --history "$scratch/odd.json"
exits 'rows that an earlier run lacks' 0
good_page 'rows that an earlier run lacks' 4 'The earlier runs have none of these rows' 'softcap_f32'
bench "${kernel[@]}" --history "$scratch/none.json"
exits 'a history that is not there' 1
run "$QUERN" bench --history "$scratch/run.json"
exits '--history alone' 2
bench "${kernel[@]}" --html "$scratch/none/page.html"
exits 'a page that cannot be written' 1
complains 'a page that cannot be written' "$scratch/none/page.html"
finish
