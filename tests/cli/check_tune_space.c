/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations of what may be tuned, and the order in which a search looks at combinations. */
#include "tools/tune_search.h"
#include "tools/tune_space.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char usual[] = "// a kernel\n"
                            "// quern tune: BLOCK = 64, 128; UNROLL = 1, 2, 4;\n"
                            "  //quern tune where: BLOCK * UNROLL <= 256\n"
                            "int x; // quern tune: not a line of its own\n"
                            "// quern tune items: BLOCK * UNROLL\n";

START_TEST(declarations_are_read)
{
    struct qn__tune_space s;
    struct qn__str error = {0}, text = {0};
    uint32_t n, block[3];
    uint64_t items;
    ck_assert_msg(qn__tune_parse(&s, &error, usual), "%s", error.text);
    ck_assert_uint_eq(s.n_parameters, 2);
    ck_assert_uint_eq(s.parameters[1].n, 3);
    struct qn__tune_point *points = qn__tune_points(&n, &error, &s);
    ck_assert_ptr_nonnull(points);
    ck_assert_uint_eq(n, 5); /* all but 128 * 4 */
    qn__tune_point_text(&text, &s, &points[4]);
    ck_assert_str_eq(text.text, "BLOCK=128 UNROLL=2");
    ck_assert(qn__tune_shape(block, &items, &error, &s, &points[4]));
    ck_assert_uint_eq(block[0], 128);
    ck_assert_uint_eq(block[1] * block[2], 1);
    ck_assert_uint_eq(items, 256);
    free(points);
    qn__str_release(&text);
    qn__str_release(&error);
    ck_assert(qn__tune_parse(&s, &error, "int x;\n"));
    ck_assert_uint_eq(s.n_parameters, 0);
}
END_TEST

static const struct {
    const char *name, *text, *error;
} bad[] = {
    {"another word", "\n// quern tune size: 3", "line 2: expected `quern tune:`"},
    {"no name", "// quern tune: = 3", "line 1: a name is missing"},
    {"no value", "// quern tune: A =", "a whole number is missing"},
    {"text as a value", "// quern tune: A = 1, b", "a whole number is missing: 'b'"},
    {"something behind", "// quern tune: A = 1 2", "what is this?: '2'"},
    {"no =", "// quern tune: A 1", "a = is missing after the name: 'A'"},
    {"declared twice", "// quern tune: A = 1; A = 2", "declared twice: 'A'"},
    {"a value twice", "// quern tune: A = 1, 1", "a value twice"},
    {"no expression", "// quern tune where:", "an expression is missing"},
    {"two items", "// quern tune items: 1; 2", "one number only"},
    {"four sides", "// quern tune block: 1; 2; 3; 4", "three sides at most"},
};

START_TEST(what_is_no_declaration_is_named_with_its_line)
{
    struct qn__tune_space s;
    struct qn__str error = {0};
    ck_assert_msg(!qn__tune_parse(&s, &error, bad[_i].text), "%s", bad[_i].name);
    ck_assert_msg(strstr(error.text, bad[_i].error) != NULL, "%s: %s", bad[_i].name, error.text);
    qn__str_release(&error);
}
END_TEST

static const struct {
    const char *text;
    int64_t value;
    const char *error; /* NULL: it has that value; A is 6, B is -4 */
} expressions[] = {
    {"1 + 2 * 3", 7, NULL},
    {"(1 + 2) * 3", 9, NULL},
    {"A - B - 1", 9, NULL},
    {"A % 4 == 2 && !(B > 0)", 1, NULL},
    {"A < 6 || A != 6", 0, NULL},
    {"-A / 4", -1, NULL},
    {"A >= 6", 1, NULL},
    {"A <= B", 0, NULL},
    {"C", 0, "no parameter of that name: 'C'"},
    {"A / (B + 4)", 0, "a division by 0"},
    {"A +", 0, "a number, a parameter or ( is missing"},
    {"(A", 0, "a ) is missing"},
    {"A B", 0, "what is this?: 'B'"},
    {"1000000000000000000 * 100", 0, "no number that fits"},
    {"100000000000000000 * 1000", 0, "overflow"},
    {"((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1", 0,
     "nested too deeply"},
};

START_TEST(expressions_have_the_value_they_have_in_c)
{
    struct qn__tune_space s;
    struct qn__tune_point p = {{0}};
    struct qn__str error = {0};
    int64_t value;
    ck_assert(qn__tune_parse(&s, &error, "// quern tune: A = 6; B = -4"));
    const bool good = qn__tune_evaluate(&value, &error, &s, &p, expressions[_i].text);
    if (expressions[_i].error)
        ck_assert_msg(!good && strstr(error.text, expressions[_i].error), "%s: %s",
                      expressions[_i].text, error.text ? error.text : "no error");
    else
        ck_assert_msg(good && value == expressions[_i].value, "%s: %lld", expressions[_i].text,
                      (long long)value);
    qn__str_release(&error);
}
END_TEST

static struct qn__tune_point *points_of(uint32_t *n, struct qn__tune_space *s, const char *text)
{
    struct qn__str error = {0};
    ck_assert(qn__tune_parse(s, &error, text));
    struct qn__tune_point *points = qn__tune_points(n, &error, s);
    ck_assert_msg(points != NULL, "%s", error.text);
    return points;
}

START_TEST(too_many_and_none_are_errors)
{
    struct qn__tune_space s;
    struct qn__str error = {0};
    uint32_t n;
    ck_assert(qn__tune_parse(&s, &error, "// quern tune: A = 1\n// quern tune where: A > 1\n"));
    ck_assert_ptr_null(qn__tune_points(&n, &error, &s));
    ck_assert_str_eq(error.text, "no combination is left by: 'A > 1'");
    qn__str_clear(&error);
    struct qn__str text = {0};
    qn__str_add(&text, "// quern tune: ");
    for (int p = 0; p < 8; p++) {
        qn__str_printf(&text, "P%d = 0", p);
        for (int i = 1; i < 8; i++)
            qn__str_printf(&text, ", %d", i);
        qn__str_add(&text, "; ");
    }
    ck_assert(qn__tune_parse(&s, &error, text.text));
    ck_assert_ptr_null(qn__tune_points(&n, &error, &s));
    ck_assert_ptr_nonnull(strstr(error.text, "more than"));
    qn__str_release(&text);
    qn__str_release(&error);
}
END_TEST

START_TEST(few_combinations_are_all_measured_in_order)
{
    struct qn__tune_space space;
    struct qn__tune_search s;
    uint32_t n;
    struct qn__tune_point *points = points_of(&n, &space, usual);
    ck_assert(qn__tune_search_open(&s, &space, points, n, 64, 1));
    ck_assert(qn__tune_is_exhaustive(&s));
    ck_assert_uint_eq(qn__tune_best(&s), n);
    for (uint32_t i = 0; i < n; i++) {
        ck_assert_uint_eq(qn__tune_next(&s), i);
        qn__tune_tell(&s, i, i == 3 ? 1 : i == 1 ? INFINITY : 2);
    }
    ck_assert_uint_eq(qn__tune_next(&s), n);
    ck_assert_uint_eq(qn__tune_best(&s), 3);
    qn__tune_search_close(&s);
    free(points);
}
END_TEST

static const char many[] = "// quern tune: A = 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16; "
                           "B = 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16; C = 1,2,3,4,5,6,7,8\n";

/* A bowl with its least value at one point: how many are measured until it is found? */
static uint32_t search_bowl(uint32_t order[4096], uint64_t seed)
{
    struct qn__tune_space space;
    struct qn__tune_search s;
    uint32_t n, taken = 0, last = 0;
    struct qn__tune_point *points = points_of(&n, &space, many);
    ck_assert(qn__tune_search_open(&s, &space, points, n, 64, seed));
    ck_assert(!qn__tune_is_exhaustive(&s));
    for (uint32_t i; (i = qn__tune_next(&s)) < n && last != 1;) {
        const int a = points[i].at[0] - 11, b = points[i].at[1] - 4, c = points[i].at[2] - 6;
        ck_assert(s.ms[i] < 0);
        order[taken++] = i;
        last = a == 0 && b == 0 && c == 0;
        qn__tune_tell(&s, i, 1 + a * a + b * b + c * c);
    }
    ck_assert_uint_eq(last, 1);
    qn__tune_search_close(&s);
    free(points);
    return taken;
}

START_TEST(a_climb_finds_the_bottom_of_a_bowl_and_can_be_repeated)
{
    static uint32_t first[4096], again[4096], other[4096];
    const uint32_t n = search_bowl(first, 1);
    ck_assert_uint_eq(first[0], 0);
    ck_assert_msg(n < 2048 / 8, "%u of 2048 were measured", n);
    ck_assert_uint_eq(search_bowl(again, 1), n);
    ck_assert_mem_eq(first, again, n * sizeof *first);
    ck_assert(search_bowl(other, 2) != n || memcmp(first, other, n * sizeof *first) != 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("tune space");
    TCase *t = tcase_create("space");
    tcase_add_test(t, declarations_are_read);
    tcase_add_loop_test(t, what_is_no_declaration_is_named_with_its_line, 0,
                        sizeof bad / sizeof *bad);
    tcase_add_loop_test(t, expressions_have_the_value_they_have_in_c, 0,
                        sizeof expressions / sizeof *expressions);
    tcase_add_test(t, too_many_and_none_are_errors);
    tcase_add_test(t, few_combinations_are_all_measured_in_order);
    tcase_add_test(t, a_climb_finds_the_bottom_of_a_bowl_and_can_be_repeated);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? 1 : 0;
}
