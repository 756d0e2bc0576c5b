#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Messages in other languages: the catalogues have every message of the sources, translated, with the formats of
# the original; the program speaks the user's language from where it was built and from where it is installed; what
# programs read stays as it is.
#
# covers: doctor/user_language
source "$(dirname "$0")/../shell.sh"
if ! command -v msgfmt >/dev/null || ! command -v xgettext >/dev/null; then
    echo 'skip: gettext is not installed'
    exit 0
fi
unset LANG LANGUAGE LC_ALL LC_MESSAGES QUERN_DEVICE

# ---- the catalogues ----
make -s config="$QN_CONFIG" B="$QN_BUILD" "$QN_BUILD/gen/quern.pot" >"$scratch/make" 2>&1 || verdict 'the messages are drawn' 1 "$(cat "$scratch/make")"
holds 'po/quern.pot is what the sources have (make pot)' diff po/quern.pot "$QN_BUILD/gen/quern.pot"
for language in de zh_CN; do
    run msgfmt --check-format --statistics -o /dev/null "po/$language.po"
    exits "$language: formats agree" 0
    holds "$language: all is translated" grep -qE '^[0-9]+ translated messages\.$' "$err"
    holds "$language: all messages are there" msgcmp "po/$language.po" po/quern.pot
done
holds 'titles and reasons are translated in truth' python3 - <<'P'
import ast, re
def catalogue(path):
    found, texts = {}, [None, None]
    for line in open(path, encoding="utf-8").read().split("\n") + [""]:
        if line.startswith("msgid "): texts, at, line = ["", ""], 0, line[6:]
        elif line.startswith("msgstr "): at, line = 1, line[7:]
        if line.startswith('"'): texts[at] += ast.literal_eval(line)
        elif not line and texts[0]: found[texts[0]] = texts[1]
    return found
def text(pieces): return "".join(ast.literal_eval(p) for p in re.findall(r'"(?:[^"\\]|\\.)*"', pieces))
S = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
source = open("doctor/findings.def").read().split("*/", 1)[1]
rows = re.findall(r"QN_FINDING\(\w+, " + S + r", \w+, " + S + ", " + S + r",\s*" + S + r"\)", source)
assert len(rows) > 70, len(rows)
for language in "de", "zh_CN":
    c = catalogue(f"po/{language}.po")
    for row in rows:
        for t in text(row[2]), text(row[3]):
            assert c.get(t) and c[t] != t, (language, t)
    for english, other in c.items(): # as many lines begin and end
        assert english.startswith("\n") == other.startswith("\n") and english.endswith("\n") == other.endswith("\n"), other
P

# ---- doctor ----
cat >"$scratch/facts.json" <<'J'
{"facts": {"environment": {"CUDA_LAUNCH_BLOCKING": "1"}, "system": {"family": "debian"}, "gpus": [{"maker": "amd", "slot": "01:00", "driver": "amdgpu"}]}}
J
doctor() { run env "$@" "$QUERN" doctor --from "$scratch/facts.json"; }
german() {
    says "$1" 'Fehler kfd-missing: /dev/kfd fehlt'
    says "$1" 'gesehen amdgpu ist geladen, /dev/kfd ist nicht da'
    says "$1" 'CUDA_LAUNCH_BLOCKING=1 (jeder Start wartet auf sein Ende)'
    matches "$1" 'Fehler: 1, Warnungen: [0-9]+, Hinweise: [0-9]+\.$'
}
doctor LANGUAGE=de
exits 'the exit status is the same in all languages' 1
german 'LANGUAGE alone'
doctor LANG=de_DE.UTF-8
german 'a locale that is not installed'
doctor LANG=fr_FR.UTF-8 LANGUAGE=fr:de
german 'the second choice'
doctor LANG=zh_CN.UTF-8
says 'Chinese' '错误 kfd-missing: 缺少 /dev/kfd'
matches 'Chinese' '^问题：1，警告：[0-9]+，提示：[0-9]+。$'
holds 'Chinese lines end where the window does' python3 -c '
import sys, unicodedata
for line in open(sys.argv[1], encoding="utf-8"):
    width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line.rstrip())
    assert width <= 102 or " " not in line.strip()[4:], (width, line)' "$out"
for english in A=1 'LC_ALL=C LANGUAGE=de' 'LANGUAGE=xx' 'LANG=C.UTF-8'; do
    # shellcheck disable=SC2086
    doctor $english
    says "English with $english" 'bad kfd-missing: /dev/kfd is missing'
    matches "English with $english" '^Problems: 1, warnings: [0-9]+, notes: [0-9]+\.$'
done
run env LANGUAGE=de "$QUERN" doctor --from "$scratch/facts.json" --json
says 'JSON stays' '"title": "/dev/kfd is missing"'
says 'JSON stays' '"mark": "bad"'
holds 'JSON stays' test -z "$(grep -E 'Fehler|fehlt|geladen' "$out")"

# ---- bench ----
run env LANGUAGE=de QUERN_BACKEND=cpu "$QUERN" bench softcap --budget 1 --csv --html "$scratch/b.html"
matches 'names of columns stay' '^kind,device,what,shape,'
holds 'a report has the language' grep -q '<html lang="de">' "$scratch/b.html"
holds 'its headings' grep -q '<h2 id="rows">Alle Zeilen</h2>' "$scratch/b.html"
holds 'its tables' grep -q '<th scope="col" class="n">Median ms</th>' "$scratch/b.html"
holds 'its pictures' grep -q '>Streuung der Messwerte</title>' "$scratch/b.html"

# ---- installed: the program in bin, catalogues in share ----
mkdir -p "$scratch/bin" "$scratch/share"
cp "$QUERN" "$scratch/bin/quern"
cp -r "$QN_BUILD/locale" "$scratch/share/"
run env LANGUAGE=de "$scratch/bin/quern" doctor --from "$scratch/facts.json"
german 'installed'
rm -r "$scratch/share"
run env LANGUAGE=de "$scratch/bin/quern" doctor --from "$scratch/facts.json"
says 'without catalogues' 'bad kfd-missing'
finish
