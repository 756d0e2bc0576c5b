#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/lint_structure.py on a small tree: what it must find, and what only looks like a finding.
source "$(dirname "$0")/../shell.sh"

if ! command -v python3 >/dev/null || ! command -v git >/dev/null; then
    echo 'skip: lint_structure.py needs python3 and git'
    exit 0
fi
tree=$scratch/tree
mkdir -p "$tree"/{scripts,base,compiler/expr,tools,include/quern}
git init -q "$tree"
cp scripts/lint_structure.py "$tree/scripts"
file() { cat >"$tree/$1"; } # NAME, text on stdin
lint() { run python3 "$tree/scripts/lint_structure.py"; }
quiet_about() { # NAME TEXT
    ! grep -qF -e "$2" "$out"
    verdict "$1: says nothing of '$2'" $? "$(details)"
}

# one direction; struct, comment and text of the other's names are no uses
file base/low.h <<<'int qn__low(int x);'
file base/low.c <<'END'
#include "base/low.h"
/* qn__high() calls this. */
int qn__low(int x)
{
    struct qn__high *p = 0;
    return x + (p != 0) + (int)sizeof "qn__high()";
}
END
file base/high.h <<<'int qn__high(int x);'
file base/high.c <<'END'
#include "base/high.h"
int qn__high(int x)
{
    return qn__low(x);
}
END
lint
quiet_about 'one direction' 'circle of'
quiet_about 'declared where it is defined' 'declared'

# back by a call
file base/low.c <<'END'
static int helper(int x)
{
    return qn__high(x);
}
int qn__low(int x)
{
    return helper(x);
}
END
lint
exits 'a call back' 1
says 'a call back' 'base/high.c:1: circle of 2 files: base/high.c base/low.c'
says 'a call back' 'base/low.c needs base/high.c: qn__high'

# back by a table of one, through the macro of a header
file base/high.c <<'END'
const int qn__high_table[2] = {1, 2};
int qn__high(int x)
{
    return qn__low(x);
}
END
file base/table.h <<<'#define FIRST_OF_TABLE(x) (qn__high_table[0] + (x))'
file base/low.c <<'END'
int qn__low(int x)
{
    return FIRST_OF_TABLE(x);
}
END
lint
says 'a macro' 'base/low.c needs base/high.c: qn__high_table'

# back by the rows of a list, as the including file spells them; other columns do not count
file base/list.def <<'END'
QN_ROW(high, qn__unused)
END
file base/low.c <<'END'
int qn__low(int x)
{
#define QN_ROW(name, other) x += qn__##name(x);
#include "base/list.def"
    return x;
}
END
lint
says 'a list' 'base/low.c needs base/high.c: qn__high'
quiet_about 'a list' 'qn__unused'

# allowed in compiler/expr/, found elsewhere; a circle of three is one finding
file base/low.c <<'END'
int qn__low(int x)
{
    return x;
}
END
for f in a b c; do
    next=$(tr abc bca <<<$f)
    printf 'void qn__%s(void)\n{\n    qn__%s();\n}\n' $f "$next" >"$tree/compiler/expr/$f.c"
    printf 'void qn__%s(void)\n{\n    qn__%s();\n}\n' "x$f" "x$next" >"$tree/base/x$f.c"
done
lint
says 'three files' 'base/xa.c:1: circle of 3 files: base/xa.c base/xb.c base/xc.c'
quiet_about 'an allowed circle' 'files: compiler/expr/'
rm "$tree"/base/x?.c "$tree"/compiler/expr/?.c
lint
says 'a row without a circle' 'lint_structure.py:1: no circle is compiler/expr/*.c any more: take the row out'

# headers
file base/other.h <<<'int qn__stray(int x);'
file include/quern/any.h <<<'int qn_public(int x);'
file base/stray.c <<'END'
int qn_public(int x)
{
    return x;
}
int qn__stray(int x)
{
    return x;
}
int qn__nowhere(
    int x)
{
    return x;
}
END
lint
says 'another header' 'base/stray.c:5: qn__stray is declared in base/other.h, not in stray.h'
says 'no header' 'base/stray.c:9: qn__nowhere is declared in no header, not in stray.h'
quiet_about 'a public header' 'qn_public'

# names of files
file base/low.h <<'END'
/* See gone.c, high.c, base/high.h and away/high.h; not <gone.h>, *.c, x.count or low.c.o */
const char *text = "gone_too.c";
END
lint
says 'a file that is gone' 'base/low.h:1: the comment names gone.c'
says 'a path that is gone' 'base/low.h:1: the comment names away/high.h'
for fine in high.c base/high.h gone.h low.c gone_too.c; do
    quiet_about 'other names' "the comment names $fine,"
done

# files that no test names
mkdir -p "$tree"/tests/{base,compiler/ok}
for name in base/{named,more,alone,far} compiler/expr/{ours,alone}; do
    file "$name.c" <<<'static int x;'
done
file tests/base/check_any.c <<'END'
/* Any.
 *
 * covers: base/named
 * base/more base/gone */
END
{ yes '' | head -30 && echo '// covers: base/far'; } | file tests/base/check_late.c
file tests/base/check_other.sh <<<'# says nothing, but has the name of other.c'
file base/other.c <<<'static int x;'
file tests/compiler/check_other.sh <<<'# covers: tools/none'
file tools/none.c <<<'static int x;'
echo '// exercises: expr/ours expr/gone' >"$tree/tests/compiler/ok/a.cu"
echo '// nothing' >"$tree/tests/compiler/ok/b.cu"
lint
exits 'untested files' 1
for untested in base/alone base/far compiler/expr/alone; do
    says 'untested files' "$untested.c:1: no test names this file"
done
for tested in base/named base/more base/other compiler/expr/ours tools/none; do
    quiet_about 'tested files' "$tested.c:1: no test"
done
says 'a test of a file that is gone' 'tests/base/check_any.c:4: the line names base/gone.c'
says 'a golden of a file that is gone' 'ok/a.cu:1: the line names compiler/expr/gone.c'
says 'a golden of nothing' 'ok/b.cu:1: no line'
quiet_about 'a golden of something' 'ok/a.cu:1: no line'
finish
