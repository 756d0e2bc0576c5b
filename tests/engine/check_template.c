/* SPDX-License-Identifier: Apache-2.0
 *
 * Chat templates: what each construct writes, which is what Jinja writes with the settings of
 * transformers; what is refused, with line and reason; which bytes of a text count as foreign.
 * covers: engine/template engine/template_evaluate engine/template_execute
 * engine/template_expression engine/template_filters engine/template_format
 * engine/template_functions engine/template_lexer engine/template_methods
 * engine/template_operators engine/template_print engine/template_reader
 * engine/template_sequences engine/template_statement engine/template_tests
 * engine/template_text engine/template_text_methods engine/template_value */
#define _GNU_SOURCE
#include "engine/template.h"
#include "tests/rtc_fixture.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char names[] =
    "{\"messages\": [{\"role\": \"system\", \"content\": \" Be brief. \"}, {\"role\": \"user\", "
    "\"content\": \"Hi <b>\\n\"}, {\"role\": \"assistant\", \"content\": null, \"tool_calls\": "
    "[{\"function\": {\"name\": \"f\", \"arguments\": {\"x\": [1, 2.5, true, null], \"q\": \"it's "
    "\\\"\\u00e9\\\"\"}}}]}], \"tools\": null, \"add_generation_prompt\": true, \"bos_token\": "
    "\"<s>\", \"n\": -7, \"list\": [3, 1, 2], \"words\": [\"b\", \"A\", \"c\", \"a\"], \"empty\": "
    "[], \"text\": \"Gr\\u00f6\\u00dfe 10\\n\\u6771\\u4eac \\ud83e\\udd99\", \"d\": {\"b\": 1, "
    "\"A\": 2, \"items\": 3}}";

static const struct {
    const char *name, *text, *expected;
} cases[] = {
    {"text alone", "a\nb\n", "a\nb"},
    {"one line end is left out, no more", "a\n\n", "a\n"},
    {"a block's line end goes", "{% if true %}\na\n{% endif %}\nb", "a\nb"},
    {"blanks in front of a block go", "  {% if true %}\n  a\n  {% endif %}\nb", "  a\nb"},
    {"blanks after text stay", "x  {% if true %}a{% endif %}  y", "x  a  y"},
    {"plus keeps blanks", "  {%+ if true +%}\n  a{% endif %}", "  \n  a"},
    {"minus takes all white space", "a \n {%- if true -%} \n b {{- 1 -}} \n c{% endif %}", "ab1c"},
    {"blanks in front of an output stay", "a\n  {{ 1 }}\nb", "a\n  1\nb"},
    {"comments", "a{# b\n c #}d\n  {# e #}\nf{#- g -#} h", "ad\nfh"},
    {"raw", "{% raw %}{{ x }} {% if %}{% endraw %}!", "{{ x }} {% if %}!"},
    {"windows' line ends", "a\r\n{% if true %}\r\nb{% endif %}\r\n", "a\nb"},
    {"escapes in strings", "{{ 'a\\n\\t\\\\\\'\\\"\\x41\\u00e9\\U0001F999\\101\\q' }}",
     "a\n\t\\'\"A\303\251\360\237\246\231A\\q"},
    {"strings side by side", "{{ 'a' \"b\" 'c' }}", "abc"},
    {"numbers",
     "{{ [1_000, 0x1F, 0b11, 0o17, 1.5, 2e3, 1.0, 1e16, 1e-5, 0.1 + 0.2, 123456789.125] }}",
     "[1000, 31, 3, 15, 1.5, 2000.0, 1.0, 1e+16, 1e-05, 0.30000000000000004, 123456789.125]"},
    {"braces inside of an output", "{{ {'a': {'b': 1}} }}{{ {} }}", "{'a': {'b': 1}}{}"},
    {"arithmetic",
     "{{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 / 2 }} {{ 2 ** 10 }} {{ 2 ** -1 }} {{ 1 - 2 * 3 "
     "}} {{ -n }} {{ +n }} {{ 7.5 // 2 }} {{ -7.5 % 2 }}",
     "3 -4 2 3.5 1024 0.5 -5 7 -7 3.0 0.5"},
    {"power binds to the left", "{{ 2 ** 3 ** 2 }} {{ -2 ** 2 }}", "64 4"},
    {"concatenation", "{{ 1 ~ 'a' ~ none ~ 2.0 ~ true ~ [1] ~ missing }}", "1aNone2.0True[1]"},
    {"adding",
     "{{ 'a' + 'b' }} {{ [1] + [2] }} {{ (1,) + (2,) }} {{ 'ab' * 3 }} {{ [0] * 2 }} {{ 1 + 2.5 }} "
     "{{ true + 1 }}",
     "ab [1, 2] (1, 2) ababab [0, 0] 3.5 2"},
    {"comparing",
     "{{ 1 < 2 <= 2 < 3 }} {{ 1 == 1.0 }} {{ true == 1 }} {{ 'a' < 'b' }} {{ [1, 2] < [1, 3] }} {{ "
     "'\303\251' > 'z' }} {{ {'a': 1} == {'a': 1.0} }} {{ (1,) == [1] }} {{ none == missing }} {{ "
     "missing == other }}",
     "True True True True True True True False False True"},
    {"in",
     "{{ 'a' in 'bab' }} {{ 'x' not in 'bab' }} {{ 1 in [1.0] }} {{ 'b' in d }} {{ 1 in missing }} "
     "{{ not 1 in list }}",
     "True True True True False False"},
    {"and, or and not give values",
     "{{ 1 and 2 }} {{ 0 or 'x' }} {{ '' and 1 }}| {{ not missing }} {{ none or [] }}",
     "2 x | True []"},
    {"a condition",
     "{{ 'a' if n < 0 else 'b' }}{{ 'c' if n > 0 }}{{ 1 if false else 2 if false else 3 }}", "a3"},
    {"what is printed of lists and dicts",
     "{{ messages[2].tool_calls }} {{ (1,) }} {{ () }} {{ [\"it's\", 'a\"b', 'a\\nb', "
     "'\303\251\342\200\213'] }}",
     "[{'function': {'name': 'f', 'arguments': {'x': [1, 2.5, True, None], 'q': 'it\\'s "
     "\"\303\251\"'}}}] (1,) () [\"it's\", 'a\"b', 'a\\nb', '\303\251\\u200b']"},
    {"elements",
     "{{ list[0] }} {{ list[-1] }} {{ list[9] }}| {{ messages[0]['role'] }} {{ messages.0.role }} "
     "{{ text[0] }} {{ text[3] }} {{ text[-1] }} {{ d['items'] }} {{ d.b }} {{ d['nope'] }}|",
     "3 2 | system system G \303\237 \360\237\246\231 3 1 |"},
    {"slices",
     "{{ list[1:] }} {{ list[:-1] }} {{ list[::-1] }} {{ list[::2] }} {{ text[2:5] }} {{ "
     "text[::-2] }} {{ text[-4:] }} {{ list[5:] }} {{ list[-9:2] }} {{ (1,2,3)[1:] }} {{ "
     "list[none:2] }}",
     "[1, 2] [3, 1] [2, 1, 3] [3, 2] \303\266\303\237e \360\237\246\231\344\272\254\n1e\303\266G "
     "\346\235\261\344\272\254 \360\237\246\231 [] [3, 1] (2, 3) [3, 1]"},
    {"for",
     "{% for x in list %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 "
     "}}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ x }} {% else %}none{% endfor %}",
     "1032TrueFalse33 2121FalseFalse31 3210FalseTrue32 "},
    {"for over nothing",
     "{% for x in empty %}a{% else %}b{% endfor %}{% for x in missing %}a{% else %}c{% endfor %}",
     "bc"},
    {"for with a condition",
     "{% for m in messages if m.role != 'user' %}{{ loop.index }}{{ m.role }}{{ loop.last }} {% "
     "endfor %}",
     "1systemFalse 2assistantTrue "},
    {"neighbours in a loop",
     "{% for x in list %}{{ loop.previtem }}<{{ x }}>{{ loop.nextitem }} {{ loop.previtem is "
     "defined }}{{ loop.cycle('a', 'b') }}{{ loop.changed(x > 2) }}{% endfor %}",
     "<3>1 FalseaTrue3<1>2 TruebTrue1<2> TrueaFalse"},
    {"nested loops",
     "{% for x in [1,2] %}{% for y in 'ab' %}{{ loop.depth }}{{ loop.depth0 }}{{ x }}{{ y }}{{ "
     "loop.index }} {% endfor %}{{ loop.index }}{% endfor %}",
     "101a1 101b2 1102a1 102b2 2"},
    {"break and continue",
     "{% for x in range(9) %}{% if x == 2 %}{% continue %}{% endif %}{% if x > 4 %}{% break %}{% "
     "endif %}{{ x }}{% endfor %}",
     "0134"},
    {"pairs",
     "{% for k, v in d.items() %}{{ k }}={{ v }} {% endfor %}{% for k, v in d|dictsort %}{{ k }} "
     "{% endfor %}{% for a, (b, c) in [(1, (2, 3))] %}{{ a + b + c }}{% endfor %}",
     "b=1 A=2 items=3 A b items 6"},
    {"set stays in its loop",
     "{% set x = 1 %}{% for i in [1, 2] %}{{ x }}{% set x = x + i %}{{ x }} {% endfor %}{{ x }}",
     "12 13 1"},
    {"set goes out of an if", "{% if true %}{% set x = 2 %}{% endif %}{{ x }}", "2"},
    {"a namespace",
     "{% set ns = namespace(a=1, b='x') %}{% for i in list %}{% set ns.a = ns.a + i %}{% endfor "
     "%}{{ ns.a }}{{ ns.b }}{{ ns.c }}{% set ns.c = 5 %}{{ ns['c'] }}",
     "7x5"},
    {"set of several", "{% set a, b = 1, 'x' %}{{ a }}{{ b }}{% set t = 1, 2 %}{{ t }}",
     "1x(1, 2)"},
    {"set of a block",
     "{% set x %}a {{ 1 }}\n b{% endset %}[{{ x }}]{% set y | trim | upper %} a {% endset %}{{ y "
     "}}",
     "[a 1\n b]A"},
    {"elif", "{% if n > 0 %}a{% elif n == -7 %}b{% elif true %}c{% else %}d{% endif %}", "b"},
    {"macros",
     "{% macro f(a, b='x', c=a) %}{{ a }}{{ b }}{{ c }}{% if a > 1 %}{{ f(a - 1) }}{% endif %};{% "
     "endmacro %}{{ f(1) }}{{ f(3, c=0) }}{{ f(a=1, b=2) }}",
     "1x1;3x02x21x1;;;121;"},
    {"a macro sees what is set later",
     "{% macro f() %}{{ x }}{% endmacro %}{% set x = 1 %}{{ f() }}{% set x = 2 %}{{ f() }}", "12"},
    {"call",
     "{% macro f(a) %}<{{ a }}{{ caller(2) }}>{% endmacro %}{% call(x) f('q') %}body{{ x }}{% "
     "endcall %}",
     "<qbody2>"},
    {"filter blocks", "{% filter upper | replace('B', '-') %}abc{% endfilter %}", "A-C"},
    {"with", "{% set a = 1 %}{% with a = 2, b = 3 %}{{ a }}{{ b }}{% endwith %}{{ a }}{{ b }}",
     "231"},
    {"generation",
     "{% for m in messages %}{% generation %}{{ m.role }}{% endgeneration %}{% endfor %}",
     "systemuserassistant"},
    {"methods that cut",
     "{{ ' a '.strip() }}|{{ 'xxaxx'.strip('x') }}|{{ 'xyax'.lstrip('yx') }}|{{ ' a '.rstrip() "
     "}}|{{ 'a.b.c'.split('.') }}{{ ' a  b '.split() }}{{ 'a.b.c'.split('.', 1) }}{{ "
     "'a.b.c'.rsplit('.', 1) }}{{ 'a b c'.split(none, 1) }}{{ 'a\\nb\\r\\nc\\n'.splitlines() }}{{ "
     "'a=b=c'.partition('=') }}{{ 'a=b=c'.rpartition('=') }}{{ 'a'.partition('=') }}",
     "a|a|ax| a|['a', 'b', 'c']['a', 'b']['a', 'b.c']['a.b', 'c']['a', 'b c']['a', 'b', 'c']('a', "
     "'=', 'b=c')('a=b', '=', 'c')('a', '', '')"},
    {"methods that ask",
     "{{ 'abc'.startswith('ab') }}{{ 'abc'.endswith(('x', 'c')) }}{{ 'abcb'.find('b') }}{{ "
     "'abcb'.rfind('b') }}{{ 'abc'.find('x') }}{{ text.find('1') }}{{ 'abab'.count('ab') }}{{ "
     "'a1'.isalnum() }}{{ '12'.isdigit() }}{{ '\303\251'.isalpha() }}{{ ' '.isspace() }}{{ "
     "'A1'.isupper() }}{{ ''.isdigit() }}{{ 'aba'.index('b') }}",
     "TrueTrue13-162TrueTrueTrueTrueTrueFalse1"},
    {"methods that change",
     "{{ 'aXa'.replace('a', 'bb') }}{{ 'aaa'.replace('a', 'b', 2) }}{{ '\303\251a'.upper() }}{{ "
     "'\303\211A'.lower() }}{{ 'hello big-world'.title() }}{{ 'hELLO'.capitalize() }}{{ "
     "'-'.join(words) }}{{ 'ab'.removeprefix('a') }}{{ 'ab'.removesuffix('b') }}{{ 'a'.ljust(3) "
     "}}|{{ 'a'.rjust(3) }}|{{ 'ab'.center(5) }}|{{ '7'.zfill(3) }}{{ '{} {1} {x}'.format(1, x=3) "
     "if false else '{} {x}{{}}'.format(1, x=3) }}{{ 'ab'.replace('', '-') }}",
     "bbXbbbba\303\211A\303\251aHello Big-WorldHellob-A-c-abaa  |  a|  ab |0071 3{}-a-b-"},
    {"methods of dicts and lists",
     "{{ d.get('b') }}{{ d.get('x') }}{{ d.get('x', 5) }}{{ d.keys() | list }}{{ d.values() | list "
     "}}{{ d.items() | list }}{{ list.index(1) }}{{ [1, 2, 1].count(1) }}",
     "1None5['b', 'A', 'items'][1, 2, 3][('b', 1), ('A', 2), ('items', 3)]12"},
    {"filters of texts",
     "{{ ' a ' | trim }}{{ 'a' | upper }}{{ 'A' | lower }}{{ 'aB c' | capitalize }}{{ 'a bc' | "
     "title }}{{ 'aa' | replace('a', 'b', 1) }}{{ 12 | replace(1, 3) }}{{ 'abc' | length }}{{ text "
     "| length }}{{ 5 | string ~ 1 }}{{ 'x-xx' | trim('x') }}",
     "aAaAb cA Bcba3231351-"},
    {"default",
     "{{ missing | default('a') }}{{ none | default('b') }}{{ none | default('c', true) }}{{ '' | "
     "d('d', boolean=true) }}{{ missing.x | default('e') if false }}{{ missing | default }}",
     "aNonecd"},
    {"tojson",
     "{{ messages[2].tool_calls[0] | tojson }}\n{{ [1, 1.0, 1e100, none, true, "
     "'a\"\\\\\\n\\t\303\251/<>&\\u0001'] | tojson }}{{ {} | tojson }}{{ [] | tojson }}{{ {1: "
     "(2,), none: 3} | tojson }}",
     "{\"function\": {\"name\": \"f\", \"arguments\": {\"x\": [1, 2.5, true, null], \"q\": \"it's "
     "\\\"\303\251\\\"\"}}}\n[1, 1.0, 1e+100, null, true, "
     "\"a\\\"\\\\\\n\\t\303\251/<>&\\u0001\"]{}[]{\"1\": [2], \"null\": 3}"},
    {"tojson with an indent",
     "{{ {'a': [1, {'b': []}], 'c': {}} | tojson(indent=2) }}{{ {'b': 1, 'a': 2} | "
     "tojson(sort_keys=true) }}{{ '\303\251\360\237\246\231' | tojson(ensure_ascii=true) }}",
     "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}{\"a\": 2, \"b\": "
     "1}\"\\u00e9\\ud83e\\udd99\""},
    {"indent",
     "{{ 'a\\nb\\n\\nc' | indent }}|{{ 'a\\nb' | indent(2, first=true) }}|{{ 'a\\n\\nb' | "
     "indent(1, blank=true) }}|{{ 'a\\n' | indent(2) }}|{{ 'a\\nb' | indent('> ') }}",
     "a\n    b\n\n    c|  a\n  b|a\n \n b|a\n|a\n> b"},
    {"numbers by filters",
     "{{ '12' | int }}{{ ' 3.7 ' | int }}{{ 'x' | int }}{{ 'x' | int(9) }}{{ 3.9 | int }}{{ '1.5' "
     "| float }}{{ 'x' | float }}{{ -3 | abs }}{{ n | abs }}{{ 2.567 | round(1) }}{{ 2.5 | round "
     "}}{{ 2.1 | round(0, 'ceil') }}{{ 3 | round }}",
     "1230931.50.0372.62.03.03"},
    {"filters of lists",
     "{{ list | first }}{{ list | last }}{{ list | sort }}{{ list | sort(reverse=true) }}{{ words "
     "| sort }}{{ words | sort(case_sensitive=true) }}{{ words | unique | list }}{{ list | reverse "
     "| list }}{{ 'abc' | reverse }}{{ list | sum }}{{ list | min }}{{ words | max }}{{ words | "
     "join('-') }}{{ list | join }}{{ 'ab' | list }}{{ d | list }}{{ [1,2,3] | batch(2) | list "
     "}}{{ empty | first }}|",
     "32[1, 2, 3][3, 2, 1]['A', 'a', 'b', 'c']['A', 'a', 'b', 'c']['b', 'A', 'c'][2, 1, "
     "3]cba61cb-A-c-a312['a', 'b']['b', 'A', 'items'][[1, 2], [3]]|"},
    {"choosing",
     "{{ list | select('gt', 1) | list }}{{ list | reject('odd') | list }}{{ [0, 1, ''] | select | "
     "list }}{{ messages | selectattr('role', 'equalto', 'user') | list | length }}{{ messages | "
     "rejectattr('content') | map(attribute='role') | list }}{{ messages | "
     "selectattr('tool_calls', 'defined') | map(attribute='tool_calls.0.function.name') | join "
     "}}{{ none | selectattr('x') | list }}",
     "[3, 2][2][1]1['assistant']f[]"},
    {"map",
     "{{ words | map('upper') | join(',') }}{{ list | map('string') | map('replace', '1', 'x') | "
     "list }}{{ messages | map(attribute='name', default='?') | list }}",
     "B,A,C,A['3', 'x', '2']['?', '?', '?']"},
    {"a generator is true and read once",
     "{% set g = list | select('gt', 9) %}{{ 'yes' if g }}{% set h = list | map('string') %}{{ h | "
     "join }}{{ h | join }}.",
     "yes312."},
    {"items and dictsort",
     "{{ d | items | list }}{{ d | dictsort }}{{ d | dictsort(by='value', reverse=true) }}{{ "
     "missing | items | list }}",
     "[('b', 1), ('A', 2), ('items', 3)][('A', 2), ('b', 1), ('items', 3)][('items', 3), ('A', 2), "
     "('b', 1)][]"},
    {"tests",
     "{{ missing is defined }}{{ n is defined }}{{ missing is undefined }}{{ none is none }}{{ 'a' "
     "is string }}{{ d is mapping }}{{ list is sequence }}{{ 'a' is sequence }}{{ d is iterable "
     "}}{{ 1 is number }}{{ true is number }}{{ true is integer }}{{ 1 is integer }}{{ 1.0 is "
     "float }}{{ true is boolean }}{{ true is true }}{{ 1 is true }}{{ false is false }}{{ 4 is "
     "even }}{{ 4 is odd }}{{ 9 is divisibleby 3 }}{{ 1 is in [1] }}{{ 1 is not in [1] }}{{ 1 is "
     "eq 1 }}{{ 1 is ne 1 }}{{ 1 is lt(2) }}{{ 'a' is lower }}{{ range is callable }}{{ none is "
     "sameas none }}{{ 'upper' is filter }}{{ 1 is not none and 2 is not string }}",
     "FalseTrueTrueTrueTrueTrueTrueTrueTrueTrueTrueFalseTrueTrueTrueTrueFalseTrueTrueFalseTrueTrueF"
     "alseTrueFalseTrueTrueTrueTrueTrueTrue"},
    {"the functions",
     "{{ range(3) | list }}{{ range(1, 4) | list }}{{ range(5, 0, -2) | list }}{{ dict(a=1) }}{{ "
     "dict({'a': 1}, b=2) }}",
     "[0, 1, 2][1, 2, 3][5, 3, 1]{'a': 1}{'a': 1, 'b': 2}"},
    {"formats",
     "{{ '%s is %d, %5.2f, %-4s|%04d|%x|%%|%r' % ('a', 3, 2.5, 'b', 7, 255, 'q') }}{{ '%s' | "
     "format(1) }}{{ '%(a)s' % {'a': 1} }}{{ 'x%s' % 'y' }}",
     "a is 3,  2.50, b   |0007|ff|%|'q'11xy"},
    {"arguments of a list and a dict",
     "{% macro f(a, b) %}{{ a }}{{ b }}{% endmacro %}{{ f(*[1, 2]) }}{{ f(**{'a': 1, 'b': 3}) }}{{ "
     "f(1, *[4]) }}",
     "121314"},
    {"what is safe is escaped beside it",
     "{{ 'a<'|safe + '<b>&' }}{{ '<' + '>' }}{{ \"'\"|safe ~ '\"' }}", "a<&lt;b&gt;&amp;<>'\""},
    {"an if in a loop's line",
     "{% for m in messages %}\n    {%- if m.content is string %}\n{{ m.content }}\n    {%- endif "
     "%}\n{%- endfor %}\n",
     " Be brief. Hi <b>\n"},
    {"a date", "{{ strftime_now('%d %B %Y') }}", "02 January 1971"},
};

static const struct {
    const char *name, *text, *says;
} refused[] = {
    {"no end of an output", "a\n{{ 1", "line 2: a tag without its end '}}'"},
    {"no end of a block", "{% if true %}a", "line 1: the template ends without endif"},
    {"no end of a comment", "a{# b", "a comment without its end"},
    {"no end of a string", "{{ 'a }}", "a string without its end '"},
    {"an unknown statement", "\n\n{% include 'x' %}", "line 3: the statement 'include'"},
    {"an import", "{% import 'os' as os %}", "the statement 'import'"},
    {"an unknown filter", "a\n{{ 1 | urlize }}", "line 2: the filter 'urlize'"},
    {"an unknown test", "{{ 1 is prime }}", "the test 'prime'"},
    {"an unknown function", "{{ lipsum() }}", "'lipsum' is undefined"},
    {"a method that is none", "{{ 'a'.encode() }}", "'encode' is undefined"},
    {"Python's insides", "{{ ''.__class__.__mro__ }}", "'__class__' is undefined"},
    {"an attribute of what is undefined", "{{ missing.x }}", "'missing' is undefined"},
    {"adding to none", "{{ none + 'a' }}", "'+' between none and a string"},
    {"a text and a number", "{{ 'a' + 1 }}", "'+' between a string and an integer"},
    {"an order that is none", "{{ 'a' < 1 }}", "a string and an integer have no order"},
    {"an element of a number", "{% for x in 5 %}{% endfor %}",
     "an integer cannot be iterated over"},
    {"a length of a number", "{{ 5 | length }}", "an integer has no length"},
    {"division by zero", "{{ 1 // 0 }}", "division by zero"},
    {"a large number", "{{ 9223372036854775807 + 1 }}", "more than 64 bits"},
    {"changing a list", "{{ list.append(1) }}", "may only read its data"},
    {"a field of a dict", "{% set d.x = 1 %}", "only those of a namespace"},
    {"too many names", "{% set a, b = [1] %}", "1 values for 2 names"},
    {"raise_exception", "{{ raise_exception('no ' ~ 1) }}",
     "line 1: it refuses the conversation: no 1"},
    {"break outside of a loop", "{% break %}", "break outside of a loop"},
    {"a wrong argument", "{{ 'a' | trim(x=1) }}", "the argument 'x' of 'trim'"},
    {"too many arguments", "{{ 'a' | upper(1) }}", "'upper' takes at most 0 arguments"},
    {"a macro's arguments", "{% macro f(a) %}{% endmacro %}{{ f(1, 2) }}",
     "'f' takes other arguments"},
    {"a loop without an end", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
     "more than 300 levels deep"},
    {"many steps",
     "{% set t = 'a' * 1000000 %}{% for a in range(99999) %}{% if 'b' in t %}{% endif %}{% endfor "
     "%}",
     "more than 20 million steps"},
    {"much memory",
     "{% set ns = namespace(x='aaaaaaaaaaaaaaaa') %}{% for i in range(99) %}{% set ns.x = ns.x + "
     "ns.x %}{% endfor %}",
     "MiB of memory"},
    {"deep brackets",
     "{{ "
     "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
     "(((((((((((((((((((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))))"
     ")))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))"
     ")))))))))))))))))))))) }}",
     "more than 128 open brackets"},
    {"deep nots",
     "{{ not not not not not not not not not not not not not not not not not not not not not not "
     "not not not not not not not not not not not not not not not not not not not not not not not "
     "not not not not not not not not not not not not not not not not not not not not not not not "
     "not not not not not not not not not not not not not not not not not not not not not not not "
     "not not not not not not not not not not not not not not not not not not not not not not not "
     "not not not not not not not not not not not not not not not not not not not not not not not "
     "not not not not not not not not not not not not not not not not not not not not not not not "
     "not not not not not not not not not not not not not not not not not not not not not not not "
     "not not not not not not not not not not not not not not not not not not not not not not not "
     "not not not not not not not not not not not not not not not not not not not not not not not "
     "not not not not not not not not not not not not not not not not not not not not not not not "
     "not not not not not not not not not not not not not not not not not not not not not not not "
     "not not not not not not not not not not not not not not not not not not not not not not not "
     "not not 1 }}",
     "more than 200 levels deep"},
    {"a wrong bracket", "{{ (1] }}", "']' closes no bracket"},
    {"an operator without its right side", "{{ 1 + }}",
     "the tag ends where an expression is expected"},
    {"two names", "{{ a b }}", "'b' where '}}' is expected"},
    {"a dict of lists", "{{ {[1]: 2} }}", "a list as the key of a dict"},
    {"an unknown date", "{{ strftime_now('%Q') }}", "the date format '%Q'"},
    {"a function is printed", "{{ range }}", "a function is printed"},
};

/* What the template writes, or "" after an error; free() it. */
static qn_status render(char **out, char **foreign, const char *text, size_t n, bool marks)
{
    struct qn__template *t;
    struct qn__template_run run;
    struct qn__template_text written = {0};
    struct qn__value given;
    json_error_t error;
    *out = NULL;
    qn_status s = qn__template_parse(&t, text, n);
    if (s != QN_OK)
        return s;
    json_t *json = json_loads(names, 0, &error);
    ck_assert_ptr_nonnull(json);
    qn__template_run_init(&run);
    run.now = 86400 * 366; /* the 2nd of January, 1971 */
    must(qn__template_json(&given, &run, json, marks));
    s = qn__template_render(&written, &run, t, given.as.dict);
    if (s == QN_OK) {
        *out = calloc(written.n + 1, 1);
        memcpy(*out, written.bytes, written.n);
    }
    if (s == QN_OK && foreign) {
        *foreign = calloc(written.n + 1, 1);
        for (size_t i = 0; i < written.n; i++)
            (*foreign)[i] = written.foreign && written.foreign[i] ? '^' : '.';
    }
    json_decref(json);
    qn__template_run_release(&run);
    qn__template_destroy(t);
    return s;
}

START_TEST(a_template_writes_what_jinja_writes)
{
    char *out;
    const qn_status s = render(&out, NULL, cases[_i].text, strlen(cases[_i].text), false);
    ck_assert_msg(s == QN_OK, "%s: %s", cases[_i].name, qn_message());
    ck_assert_msg(!strcmp(out, cases[_i].expected), "%s:\n%s\nis not\n%s", cases[_i].name, out,
                  cases[_i].expected);
    free(out);
}
END_TEST

START_TEST(what_cannot_be_run_is_refused_with_its_line)
{
    char *out;
    const qn_status s = render(&out, NULL, refused[_i].text, strlen(refused[_i].text), false);
    ck_assert_msg(s != QN_OK, "%s: wrote '%s'", refused[_i].name, out);
    ck_assert_msg(strstr(qn_message(), refused[_i].says) != NULL, "%s: '%s' is not in: %s",
                  refused[_i].name, refused[_i].says, qn_message());
    ck_assert_msg(qn__starts_with(qn_message(), "chat template, line "), "%s", qn_message());
}
END_TEST

static const struct {
    const char *name, *text, *written, *foreign;
} marked[] = {
    {"a message between marks", "<s>{{ messages[1].content | trim }}</s>", "<s>Hi <b></s>",
     "...^^^^^^...."},
    {"a part of it", "{{ 'x' + messages[1].content[3:] | upper }}", "x<B>\n", ".^^^^"},
    {"what is replaced", "{{ messages[1].content.strip().replace('i', '<s>') }}", "H<s> <b>",
     "^...^^^^"},
    {"pieces", "{{ '|'.join(messages[1].content.split()) }}", "Hi|<b>", "^^.^^^"},
    {"JSON", "{{ messages[2].tool_calls[0].function.arguments.q | tojson }}",
     "\"it's \\\"\303\251\\\"\"", ".^^^^^^^^^^^."},
    {"a list", "{{ words }}", "['b', 'A', 'c', 'a']", "..^....^....^....^.."},
    {"a block", "{% set x %}<{{ words[0] }}>{% endset %}{{ x ~ 1 }}", "<b>1", ".^.."},
    {"a format", "{{ '<%s>' % words[0] }}", "<b>", ".^."},
    {"numbers are nobody's", "{{ list }}", "[3, 1, 2]", "........."},
};

START_TEST(bytes_of_a_message_stay_foreign)
{
    char *out, *foreign;
    must(render(&out, &foreign, marked[_i].text, strlen(marked[_i].text), true));
    ck_assert_msg(!strcmp(out, marked[_i].written), "%s: '%s' is not '%s'", marked[_i].name, out,
                  marked[_i].written);
    ck_assert_msg(!strcmp(foreign, marked[_i].foreign), "%s:\n%s\nis not\n%s", marked[_i].name,
                  foreign, marked[_i].foreign);
    free(out);
    free(foreign);
}
END_TEST

START_TEST(bytes_that_are_no_text_are_refused)
{
    char *out;
    must_not(QN_E_INVALID, render(&out, NULL, "a\xff", 2, false));
    says(qn_message(), "not UTF-8");
    must_not(QN_E_INVALID, render(&out, NULL, "a\0b", 3, false));
    says(qn_message(), "zero byte");
}
END_TEST

int main(void)
{
    setenv("TZ", "UTC", 1);
    Suite *suite = suite_create("template");
    TCase *host = tcase_create("host");
    tcase_set_timeout(host, 60);
    tcase_add_loop_test(host, a_template_writes_what_jinja_writes, 0,
                        (int)(sizeof cases / sizeof cases[0]));
    tcase_add_loop_test(host, what_cannot_be_run_is_refused_with_its_line, 0,
                        (int)(sizeof refused / sizeof refused[0]));
    tcase_add_loop_test(host, bytes_of_a_message_stay_foreign, 0,
                        (int)(sizeof marked / sizeof marked[0]));
    tcase_add_test(host, bytes_that_are_no_text_are_refused);
    suite_add_tcase(suite, host);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
