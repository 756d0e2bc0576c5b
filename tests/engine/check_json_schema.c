/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON schemas as grammars: texts that a schema allows, texts that it does not, and keywords that
 * are refused because they would not be kept.
 *
 * covers: engine/json_schema engine/schema_text engine/schema_fits engine/schema_types
 * engine/schema_combine */
#include "engine/grammar_parse.h"
#include "engine/json_schema.h"
#include "engine/schema_text.h"
#include "tests/engine/grammar_text.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name, *schema, *yes[7], *no[7];
} rows[] = {
    {"anything",
     "{}",
     {"1", "\"a\"", "{\"a\": [1, true, null]}", "[]", " {}", "-0.5e-3"},
     {"a", "01", "{a:1}", "[1,]", "1.", "\"\n\""}},
    {"true", "true", {"1"}, {"x"}},
    {"a string",
     "{\"type\": \"string\"}",
     {"\"\"", "\"a\\n\\u00e9\xc3\xa9\""},
     {"\"a", "1", "\"\\q\"", "\"\t\""}},
    {"lengths",
     "{\"type\": \"string\", \"minLength\": 2, \"maxLength\": 3}",
     {"\"ab\"", "\"\xc3\xa9\xc3\xa9\xc3\xa9\""},
     {"\"a\"", "\"abcd\""}},
    {"an object",
     "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"integer\"}, \"b\": {\"type\": "
     "\"boolean\"}, \"c\": {\"type\": \"null\"}}, \"required\": [\"b\"]}",
     {"{\"b\":true}", "{\"a\": 1, \"b\": false}", "{\"b\":true, \"c\":null}",
      "{\"a\":1,\"b\":true,\"c\":null}"},
     {"{}", "{\"a\":1}", "{\"b\":1}", "{\"b\":true,}", "{\"b\":true,\"a\":1}", "{,\"b\":true}",
      "{\"d\":1,\"b\":true}"}},
    {"all of it may be missing",
     "{\"properties\": {\"a\": {}, \"b\": {}}}",
     {"{}", "{ }", "{\"a\":1}", "{\"b\":1}", "{\"a\":1,\"b\":2}"},
     {"{\"a\":1 \"b\":2}", "{,}", "[]"}},
    {"no members",
     "{\"type\": \"object\", \"additionalProperties\": false}",
     {"{}"},
     {"{\"a\":1}"}},
    {"any members of a kind",
     "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"integer\"}}",
     {"{}", "{\"x\":1}", "{\"x\":1,\"y\":2}"},
     {"{\"x\":true}", "{\"x\":1,}"}},
    {"an array",
     "{\"type\": \"array\", \"items\": {\"type\": \"integer\"}}",
     {"[]", "[1]", "[1, 2,3]", "[ 1 ]"},
     {"[1,]", "[\"a\"]", "[,1]"}},
    {"so many items",
     "{\"type\": \"array\", \"items\": {\"const\": 1}, \"minItems\": 2, \"maxItems\": 3}",
     {"[1,1]", "[1,1,1]"},
     {"[]", "[1]", "[1,1,1,1]"}},
    {"at most two",
     "{\"items\": {\"const\": 1}, \"maxItems\": 2}",
     {"[]", "[1]", "[1,1]"},
     {"[1,1,1]"}},
    {"one at least",
     "{\"items\": {\"const\": 1}, \"minItems\": 1}",
     {"[1]", "[1,1]", "[1,1,1]"},
     {"[]"}},
    {"none", "{\"type\": \"array\", \"maxItems\": 0}", {"[]"}, {"[1]"}},
    {"fixed items",
     "{\"prefixItems\": [{\"const\": 1}, {\"type\": \"string\"}], \"items\": false}",
     {"[1,\"a\"]"},
     {"[1]", "[1,\"a\",2]", "[\"a\",1]"}},
    {"fixed ones and more",
     "{\"items\": [{\"const\": 1}], \"minItems\": 2}",
     {"[1,2]", "[1,2,3]"},
     {"[1]", "[2,1]"}},
    {"one of these",
     "{\"enum\": [\"a\", 1, null, {\"b\": 2}]}",
     {"\"a\"", "1", "null", "{\"b\":2}"},
     {"\"b\"", "2", "{}"}},
    {"a quote and a line end", "{\"const\": \"a\\\"b\\n\"}", {"\"a\\\"b\\n\""}, {"\"a\"b\n\""}},
    {"several types", "{\"type\": [\"integer\", \"null\"]}", {"1", "null"}, {"\"a\"", "1.5"}},
    {"may be null", "{\"type\": \"boolean\", \"nullable\": true}", {"true", "null"}, {"0"}},
    {"any of", "{\"anyOf\": [{\"type\": \"string\"}, {\"const\": 5}]}", {"\"a\"", "5"}, {"6"}},
    {"one of these, of a type",
     "{\"type\": \"string\", \"enum\": [\"a\", 1, null, \"bcd\"], \"maxLength\": 2}",
     {"\"a\""},
     {"1", "null", "\"bcd\""}},
    {"one of these, or null",
     "{\"type\": \"string\", \"nullable\": true, \"enum\": [\"a\", 1, null]}",
     {"\"a\"", "null"},
     {"1"}},
    {"one of these, between bounds",
     "{\"type\": \"integer\", \"enum\": [1, 2, 2.5, 3, 4.0, 5], \"minimum\": 2, "
     "\"exclusiveMaximum\": 5}",
     {"2", "3", "4.0"},
     {"1", "2.5", "5"}},
    {"one of these lists",
     "{\"enum\": [[], [1], [1, 2]], \"minItems\": 1, \"maxItems\": 1}",
     {"[1]"},
     {"[]", "[1,2]"}},
    {"one of these, of one part's type",
     "{\"allOf\": [{\"type\": \"integer\"}, {\"enum\": [\"a\", 1]}]}",
     {"1"},
     {"\"a\""}},
    {"one of several types",
     "{\"oneOf\": [{\"type\": \"string\"}, {\"type\": [\"integer\", \"null\"]}, {\"const\": "
     "true}]}",
     {"\"a\"", "5", "null", "true"},
     {"false", "1.5"}},
    {"one of several values",
     "{\"oneOf\": [{\"enum\": [1, \"a\"]}, {\"const\": 2, \"title\": \"two\"}, {\"type\": "
     "\"string\", \"minLength\": 2}]}",
     {"1", "\"a\"", "2", "\"ab\""},
     {"3", "\"b\""}},
    {"one of several objects, told by a member",
     "{\"oneOf\": [{\"$ref\": \"#/$defs/a\"}, {\"$ref\": \"#/$defs/b\"}], \"$defs\": {\"a\": "
     "{\"properties\": {\"k\": {\"const\": \"a\"}, \"x\": {}}, \"required\": [\"k\"]}, \"b\": "
     "{\"properties\": {\"k\": {\"const\": \"b\"}, \"x\": {}}, \"required\": [\"k\"]}}}",
     {"{\"k\":\"a\"}", "{\"k\":\"b\",\"x\":1}"},
     {"{}", "{\"k\":\"c\"}"}},
    {"one of several objects, told by what they must have",
     "{\"oneOf\": [{\"properties\": {\"a\": {}}, \"required\": [\"a\"]}, {\"properties\": {\"b\": "
     "{}}, \"required\": [\"b\"]}]}",
     {"{\"a\":1}", "{\"b\":1}"},
     {"{}", "{\"a\":1,\"b\":1}"}},
    {"one of a list of one", "{\"oneOf\": [{\"type\": \"null\"}]}", {"null"}, {"1"}},
    {"any of, within a type",
     "{\"type\": [\"string\", \"null\"], \"anyOf\": [{\"type\": \"string\"}, {\"const\": null}]}",
     {"\"a\"", "null"},
     {"1"}},
    {"a tree",
     "{\"$ref\": \"#/$defs/n\", \"$defs\": {\"n\": {\"properties\": {\"v\": {\"type\": "
     "\"integer\"}, \"k\": {\"items\": {\"$ref\": \"#/$defs/n\"}}}, \"required\": [\"v\", "
     "\"k\"]}}}",
     {"{\"v\":1,\"k\":[]}", "{\"v\":1,\"k\":[{\"v\":2,\"k\":[]},{\"v\":3,\"k\":[]}]}"},
     {"{\"v\":1}", "{\"v\":1,\"k\":[1]}"}},
    {"itself", "{\"items\": {\"$ref\": \"#\"}}", {"[]", "[[],[[]]]"}, {"[1]"}},
    {"a name with a slash",
     "{\"$ref\": \"#/$defs/a~1b\", \"$defs\": {\"a/b\": {\"const\": 7}}}",
     {"7"},
     {"8"}},
    {"all of",
     "{\"allOf\": [{\"properties\": {\"a\": {\"const\": 1}}, \"required\": [\"a\"]}, {\"$ref\": "
     "\"#/$defs/b\"}], \"$defs\": {\"b\": {\"properties\": {\"b\": {\"const\": 2}}, \"required\": "
     "[\"b\"]}}}",
     {"{\"a\":1,\"b\":2}"},
     {"{\"a\":1}", "{\"b\":2}"}},
    {"numbers from 7 to 42",
     "{\"type\": \"integer\", \"minimum\": 7, \"maximum\": 42}",
     {"7", "9", "10", "29", "39", "42"},
     {"6", "43", "07", "-7", "100", "1e1"}},
    {"numbers from 0 to 1999",
     "{\"type\": \"integer\", \"minimum\": 0, \"exclusiveMaximum\": 2000}",
     {"0", "9", "99", "100", "999", "1000", "1999"},
     {"2000", "-1", "00", "10000"}},
    {"numbers from -105 to 12",
     "{\"type\": \"integer\", \"exclusiveMinimum\": -106, \"maximum\": 12}",
     {"-105", "-100", "-99", "-1", "0", "9", "12"},
     {"-106", "-110", "-0", "13", "-1000"}},
    {"negative numbers",
     "{\"type\": \"integer\", \"minimum\": -30, \"maximum\": -4}",
     {"-30", "-29", "-10", "-4"},
     {"-31", "-3", "0", "4"}},
    {"numbers of at least 1",
     "{\"type\": \"integer\", \"minimum\": 1}",
     {"1", "10", "9999999999999999"},
     {"0", "-1", "99999999999999999"}},
    {"a date",
     "{\"type\": \"string\", \"format\": \"date\"}",
     {"\"2024-02-29\""},
     {"\"2024-13-01\"", "\"2024-00-01\"", "\"2024-01-32\""}},
    {"a moment",
     "{\"format\": \"date-time\"}",
     {"\"2024-02-29T23:59:59Z\"", "\"2024-02-29T00:00:00.125+02:00\""},
     {"\"2024-02-29\"", "\"2024-02-29T24:00:00Z\""}},
    {"an address",
     "{\"format\": \"ipv4\"}",
     {"\"127.0.0.1\"", "\"255.255.255.255\"", "\"10.99.100.249\""},
     {"\"256.1.1.1\"", "\"1.1.1\"", "\"01.1.1.1\""}},
    {"a pattern",
     "{\"pattern\": \"^[A-Z]{2}-\\\\d+(x|yz)?$\"}",
     {"\"AB-1\"", "\"AB-12x\"", "\"AB-9yz\""},
     {"\"A-1\"", "\"AB-\"", "\"AB-1y\"", "\"ab-1\""}},
    {"a pattern of what JSON escapes",
     "{\"pattern\": \"^a\\\"[\\\"\\\\\\\\x]\\\\n$\"}",
     {"\"a\\\"x\\n\"", "\"a\\\"\\\"\\n\"", "\"a\\\"\\\\\\n\""},
     {"\"a\"x\\n\"", "\"a\\\"y\\n\""}},
    {"a pattern with a range across them",
     "{\"pattern\": \"^[!-~]+.$\"}",
     {"\"a]Z\"", "\"!!\"", "\"\\\"\\\\b\""},
     {"\"a\\\"", "\"a b\"", "\"\"\""}},
    {"a pattern of what is not in brackets",
     "{\"pattern\": \"^[^a-c]*$\"}",
     {"\"\"", "\"xyz\xc3\xa9\""},
     {"\"xb\"", "\"\n\""}},
};

START_TEST(texts_are_allowed_or_not)
{
    struct qn__str text = {0};
    struct qn__grammar g;
    ck_assert_msg(qn__json_schema_grammar(&text, rows[_i].schema, strlen(rows[_i].schema)) == QN_OK,
                  "%s: %s", rows[_i].name, qn_message());
    ck_assert_msg(qn__grammar_parse(&g, text.text, text.len, "root") == QN_OK, "%s: %s\n%s",
                  rows[_i].name, qn_message(), text.text);
    for (int j = 0; j < 7 && rows[_i].yes[j]; j++)
        ck_assert_msg(follows(&g, rows[_i].yes[j]) == 2, "%s: '%s' is not allowed", rows[_i].name,
                      rows[_i].yes[j]);
    for (int j = 0; j < 7 && rows[_i].no[j]; j++)
        ck_assert_msg(follows(&g, rows[_i].no[j]) != 2, "%s: '%s' is allowed", rows[_i].name,
                      rows[_i].no[j]);
    qn__grammar_release(&g);
    qn__str_release(&text);
}
END_TEST

START_TEST(whole_numbers_are_those_between)
{
    static const int ranges[][2] = {{0, 0},     {0, 9},      {3, 3},  {5, 15},   {0, 100},
                                    {99, 101},  {123, 456},  {-5, 5}, {-20, -3}, {-100, 100},
                                    {190, 210}, {-999, 998}, {-1, 0}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        struct qn__str text = {0};
        struct qn__grammar g;
        qn__str_add(&text, "root ::=");
        qn__schema_add_integers(&text, ranges[i][0], ranges[i][1]);
        ck_assert_msg(qn__grammar_parse(&g, text.text, text.len, "root") == QN_OK, "%s: %s",
                      qn_message(), text.text);
        for (int n = -1100; n <= 1100; n++) {
            char number[16];
            snprintf(number, sizeof number, "%d", n);
            const bool is_in = ranges[i][0] <= n && n <= ranges[i][1];
            ck_assert_msg((follows(&g, number) == 2) == is_in, "%s in %d to %d: %s", number,
                          ranges[i][0], ranges[i][1], text.text);
        }
        qn__grammar_release(&g);
        qn__str_release(&text);
    }
}
END_TEST

static const struct {
    const char *name, *schema, *message;
    qn_status status;
} bad[] = {
    {"no JSON", "{", "schema: no JSON: line 1", QN_E_INVALID},
    {"no schema", "[1]", "a schema is an object, true or false", QN_E_INVALID},
    {"false", "false", "allows no text", QN_E_INVALID},
    {"an unknown keyword", "{\"properties\": {\"a\": {\"multipleOf\": 3}}}",
     "schema, at '/a': 'multipleOf' would not be kept", QN_E_UNSUPPORTED},
    {"not", "{\"not\": {}}", "'not' would not", QN_E_UNSUPPORTED},
    {"an unknown type", "{\"type\": \"text\"}", "type 'text' is not one", QN_E_INVALID},
    {"a reference elsewhere", "{\"$ref\": \"https://example.org/s\"}", "is not in this schema",
     QN_E_UNSUPPORTED},
    {"a reference to nothing", "{\"$ref\": \"#/$defs/a\"}", "is not in this schema",
     QN_E_UNSUPPORTED},
    {"required and not described", "{\"properties\": {\"a\": {}}, \"required\": [\"b\"]}",
     "'b' is required", QN_E_UNSUPPORTED},
    {"bounds of a fraction", "{\"type\": \"number\", \"minimum\": 0}", "bounds of a number",
     QN_E_UNSUPPORTED},
    {"no number between", "{\"type\": \"integer\", \"minimum\": 3, \"maximum\": 2}",
     "no number is between", QN_E_INVALID},
    {"a part of a pattern", "{\"pattern\": \"a\"}", "only one for the whole text",
     QN_E_UNSUPPORTED},
    {"looking ahead", "{\"pattern\": \"^(?=a)$\"}", "looks ahead", QN_E_UNSUPPORTED},
    {"an open bracket", "{\"pattern\": \"^[a$\"}", "a ']' is missing", QN_E_INVALID},
    {"a repetition that goes backwards", "{\"pattern\": \"^a{3,2}$\"}", "no repetition: '{3,2}$'",
     QN_E_INVALID},
    {"a repetition with two commas", "{\"pattern\": \"^a{2,,}$\"}", "no repetition: '{2,,}$'",
     QN_E_INVALID},
    {"an unknown format", "{\"format\": \"email\"}", "format 'email'", QN_E_UNSUPPORTED},
    {"two that must both hold", "{\"anyOf\": [{}], \"enum\": [1]}", "side by side",
     QN_E_UNSUPPORTED},
    {"parts that contradict", "{\"allOf\": [{\"type\": \"string\"}, {\"type\": \"integer\"}]}",
     "say different things about 'type'", QN_E_UNSUPPORTED},
    {"parts that contradict about a member",
     "{\"allOf\": [{\"properties\": {\"a\": {\"type\": \"string\"}}}, {\"properties\": {\"a\": "
     "{\"minLength\": 2}}}]}",
     "different things about the property 'a'", QN_E_UNSUPPORTED},
    {"a part that forbids another's members",
     "{\"allOf\": [{\"properties\": {\"a\": {}}, \"additionalProperties\": false}, "
     "{\"properties\": "
     "{\"b\": {}}}]}",
     "forbids the properties of the other parts: use 'unevaluatedProperties'", QN_E_UNSUPPORTED},
    {"a part that refers and says more",
     "{\"allOf\": [{\"$ref\": \"#/$defs/a\", \"minLength\": 2}], \"$defs\": {\"a\": {\"type\": "
     "\"string\"}}}",
     "'$ref' and 'minLength' side by side", QN_E_UNSUPPORTED},
    {"a value of another type", "{\"type\": \"string\", \"const\": 1}",
     "no value of 'const' is allowed by the type", QN_E_INVALID},
    {"values that are too long",
     "{\"properties\": {\"a\": {\"enum\": [\"abc\"], \"maxLength\": 2}}}",
     "schema, at '/a': no value of 'enum' is allowed", QN_E_INVALID},
    {"an unknown type beside values", "{\"type\": \"text\", \"enum\": [1]}",
     "type 'text' is not one", QN_E_INVALID},
    {"a type that a choice leaves", "{\"type\": \"string\", \"anyOf\": [{\"const\": 1}]}",
     "'type' beside 'anyOf', which allows other types", QN_E_UNSUPPORTED},
    {"a length beside a choice", "{\"maxLength\": 2, \"anyOf\": [{\"type\": \"string\"}]}",
     "'anyOf' and 'maxLength' side by side", QN_E_UNSUPPORTED},
    {"no members beside a choice",
     "{\"additionalProperties\": false, \"anyOf\": [{\"type\": \"object\"}]}",
     "'anyOf' and 'additionalProperties' side by side", QN_E_UNSUPPORTED},
    {"one of two that both hold", "{\"oneOf\": [{\"type\": \"integer\"}, {\"type\": \"number\"}]}",
     "'oneOf': parts 1 and 2 do not plainly exclude each other: use 'anyOf'", QN_E_UNSUPPORTED},
    {"one of two with a value of both",
     "{\"oneOf\": [{\"const\": 0}, {\"enum\": [1, 2]}, {\"enum\": [3, 1.0]}]}",
     "'oneOf': parts 2 and 3", QN_E_UNSUPPORTED},
    {"one of two, and a value that the other allows",
     "{\"oneOf\": [{\"type\": \"string\"}, {\"const\": \"a\"}]}", "'oneOf': parts 1 and 2",
     QN_E_UNSUPPORTED},
    {"one of two that say nothing about a type",
     "{\"oneOf\": [{\"minItems\": 2}, {\"minLength\": 2}]}", "'oneOf': parts 1 and 2",
     QN_E_UNSUPPORTED},
    {"one of two objects, told by a member that may be missing",
     "{\"oneOf\": [{\"properties\": {\"k\": {\"const\": 1}}}, {\"properties\": {\"k\": {\"const\": "
     "2}}}]}",
     "'oneOf': parts 1 and 2", QN_E_UNSUPPORTED},
};

START_TEST(what_would_not_be_kept_is_refused)
{
    struct qn__str text = {0};
    const qn_status s = qn__json_schema_grammar(&text, bad[_i].schema, strlen(bad[_i].schema));
    ck_assert_msg(s == bad[_i].status, "%s: status %d: %s", bad[_i].name, s, qn_message());
    ck_assert_msg(strstr(qn_message(), bad[_i].message) != NULL, "%s: %s", bad[_i].name,
                  qn_message());
    qn__str_release(&text);
}
END_TEST

START_TEST(depth_and_references_have_an_end)
{
    struct qn__str deep = {0}, text = {0};
    struct qn__grammar g;
    static const char self[] =
        "{\"$ref\": \"#/$defs/a\", \"$defs\": {\"a\": {\"$ref\": \"#/$defs/a\"}}}";
    for (int i = 0; i < 100; i++)
        qn__str_add(&deep, "{\"items\":");
    qn__str_add(&deep, "{}");
    qn__str_add_repeat(&deep, '}', 100);
    ck_assert(qn__json_schema_grammar(&text, deep.text, deep.len) == QN_E_LIMIT);
    qn__str_clear(&text);
    ck_assert(qn__json_schema_grammar(&text, self, strlen(self)) == QN_OK);
    ck_assert(qn__grammar_parse(&g, text.text, text.len, "root") == QN_E_INVALID);
    ck_assert_ptr_nonnull(strstr(qn_message(), "begins with itself"));
    qn__str_release(&deep);
    qn__str_release(&text);
}
END_TEST

/* Two lists that refer to themselves: each comparison leads to many. */
START_TEST(comparisons_have_an_end)
{
    struct qn__str schema = {0}, text = {0};
    qn__str_add(&schema, "{\"$defs\": {\"a\": {\"anyOf\": [");
    for (int i = 0; i < 100; i++)
        qn__str_printf(&schema,
                       "%s{\"items\": {\"$ref\": \"#/$defs/a\"}}, {\"$ref\": \"#/$defs/a\"}",
                       i ? ", " : "");
    qn__str_add(&schema, "]}}, \"oneOf\": [{\"$ref\": \"#/$defs/a\"}, {\"$ref\": \"#/$defs/a\"}]}");
    ck_assert(qn__json_schema_grammar(&text, schema.text, schema.len) == QN_E_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(qn_message(), "'oneOf'"));
    qn__str_release(&schema);
    qn__str_release(&text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_schema");
    TCase *tc = tcase_create("json_schema");
    tcase_add_loop_test(tc, texts_are_allowed_or_not, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tc, whole_numbers_are_those_between);
    tcase_add_loop_test(tc, what_would_not_be_kept_is_refused, 0, sizeof bad / sizeof *bad);
    tcase_add_test(tc, depth_and_references_have_an_end);
    tcase_add_test(tc, comparisons_have_an_end);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
