/* SPDX-License-Identifier: Apache-2.0
 *
 * The argument language of `quern launch`, and the numbers below it. */
#include "tools/launch_args.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- numbers ---- */

static const struct {
    const char *name, *text;
    enum qn__number_type type;
    uint64_t bits;
} numbers[] = {
    {"a half of one", "1", QN__NUMBER_F16, 0x3c00},
    {"the largest half", "65504", QN__NUMBER_F16, 0x7bff},
    {"a tie below the next half goes to infinity", "65520", QN__NUMBER_F16, 0x7c00},
    {"just below that tie stays finite", "65519", QN__NUMBER_F16, 0x7bff},
    {"the smallest subnormal half", "5.9604644775390625e-8", QN__NUMBER_F16, 0x0001},
    {"half of it is a tie to zero", "2.98023223876953125e-8", QN__NUMBER_F16, 0x0000},
    {"more than half of it rounds up", "2.99e-8", QN__NUMBER_F16, 0x0001},
    {"the largest subnormal half", "6.097555160522461e-5", QN__NUMBER_F16, 0x03ff},
    {"rounding carries into the exponent", "6.1033e-5", QN__NUMBER_F16, 0x0400},
    {"ties go to even", "2049", QN__NUMBER_F16, 0x6800},
    {"and to even upwards", "2051", QN__NUMBER_F16, 0x6802},
    {"a negative half", "-2", QN__NUMBER_F16, 0xc000},
    {"minus zero", "-0.0", QN__NUMBER_F16, 0x8000},
    {"an infinite half", "-inf", QN__NUMBER_F16, 0xfc00},
    {"a bf16 of one", "1", QN__NUMBER_BF16, 0x3f80},
    {"bf16 rounds once, not through float", "1.00390625000001", QN__NUMBER_BF16, 0x3f81},
    {"a bf16 tie goes to even", "1.00390625", QN__NUMBER_BF16, 0x3f80},
    {"the smallest bf16", "9.183549615799121e-41", QN__NUMBER_BF16, 0x0001},
    {"a float", "0.5", QN__NUMBER_F32, 0x3f000000},
    {"a double", "-2", QN__NUMBER_F64, 0xc000000000000000},
    {"a hexadecimal integer", "0x10", QN__NUMBER_U16, 0x10},
    {"the lowest byte", "-128", QN__NUMBER_I8, 0x80},
    {"the highest byte", "127", QN__NUMBER_I8, 0x7f},
    {"the lowest 64-bit integer", "-9223372036854775808", QN__NUMBER_I64, 0x8000000000000000},
    {"the highest 64-bit number", "18446744073709551615", QN__NUMBER_U64, UINT64_MAX},
};

START_TEST(numbers_become_the_right_bits)
{
    uint64_t got = 0;
    ck_assert_msg(qn__number_parse(&got, numbers[_i].type, numbers[_i].text) == QN_OK, "%s: %s",
                  numbers[_i].name, qn_message());
    ck_assert_msg(got == numbers[_i].bits, "%s: %llx", numbers[_i].name, (unsigned long long)got);
}
END_TEST

static const struct {
    const char *name, *text;
    enum qn__number_type type;
} bad_numbers[] = {
    {"an empty integer", "", QN__NUMBER_I32},
    {"letters", "abc", QN__NUMBER_I32},
    {"letters behind", "12ab", QN__NUMBER_I32},
    {"a fraction for an integer", "0.5", QN__NUMBER_I32},
    {"a byte too large", "128", QN__NUMBER_I8},
    {"a byte too small", "-129", QN__NUMBER_I8},
    {"a negative unsigned", "-1", QN__NUMBER_U64},
    {"past 64 bits", "18446744073709551616", QN__NUMBER_U64},
    {"an empty float", "", QN__NUMBER_F32},
    {"two floats", "1 2", QN__NUMBER_F32},
};

START_TEST(what_is_no_number_is_refused)
{
    uint64_t got = 0;
    ck_assert_msg(qn__number_parse(&got, bad_numbers[_i].type, bad_numbers[_i].text) ==
                      QN_E_INVALID,
                  "%s: accepted", bad_numbers[_i].name);
}
END_TEST

START_TEST(every_half_and_bf16_survives_the_way_through_double)
{
    for (unsigned bits = 0; bits < 0x10000; bits++)
        for (int t = QN__NUMBER_F16; t <= QN__NUMBER_BF16; t++) {
            const uint16_t in = (uint16_t)bits;
            uint16_t out;
            const double value = qn__number_load(&in, (enum qn__number_type)t);
            qn__number_store(&out, (enum qn__number_type)t, value);
            if (isnan(value))
                ck_assert(isnan(qn__number_load(&out, (enum qn__number_type)t)));
            else
                ck_assert_msg(in == out, "type %d: %04x became %04x", t, in, out);
        }
}
END_TEST

START_TEST(numbers_print_as_they_are)
{
    static const struct {
        enum qn__number_type type;
        const char *text;
    } rows[] = {
        {QN__NUMBER_I8, "-128"},    {QN__NUMBER_U64, "18446744073709551615"},
        {QN__NUMBER_F16, "0.5"},    {QN__NUMBER_F32, "-inf"},
        {QN__NUMBER_F64, "1e-300"}, {QN__NUMBER_I32, "-7"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t bytes = 0;
        struct qn__str text = {0};
        ck_assert(qn__number_parse(&bytes, rows[i].type, rows[i].text) == QN_OK);
        qn__number_print(&text, &bytes, rows[i].type);
        ck_assert_str_eq(text.text, rows[i].text);
        qn__str_release(&text);
    }
}
END_TEST

START_TEST(a_summary_leaves_out_what_is_not_finite)
{
    const float x[] = {3, NAN, -1, INFINITY, 4, -INFINITY};
    struct qn__number_summary s;
    qn__number_summarize(&s, x, QN__NUMBER_F32, 6);
    ck_assert(s.n_finite == 3 && s.n_nan == 1 && s.n_infinite == 2);
    ck_assert(s.min == -1 && s.max == 4 && s.mean == 2);
    qn__number_summarize(&s, x + 1, QN__NUMBER_F32, 1);
    ck_assert(s.n_finite == 0 && s.n_nan == 1 && s.mean == 0);
}
END_TEST

/* ---- arguments ---- */

static const struct {
    const char *name, *text;
    enum qn__arg_form form;
    enum qn__number_type type;
    bool is_input, is_output;
    uint64_t n_elems;
    enum qn__arg_fill fill;
} good[] = {
    {"a number", "f32:0.5", QN__ARG_NUMBER, QN__NUMBER_F32, false, false, 0, QN__FILL_ZERO},
    {"a null pointer", "null", QN__ARG_NULL, QN__NUMBER_I8, false, false, 0, QN__FILL_ZERO},
    {"bytes", "hex:00fF", QN__ARG_BYTES, QN__NUMBER_I8, false, false, 0, QN__FILL_ZERO},
    {"an input is zero", "in:f16:8", QN__ARG_BUFFER, QN__NUMBER_F16, true, false, 8, QN__FILL_ZERO},
    {"an output is poisoned", "out:i64:8", QN__ARG_BUFFER, QN__NUMBER_I64, false, true, 8,
     QN__FILL_POISON},
    {"both", "inout:u8:8:ramp", QN__ARG_BUFFER, QN__NUMBER_U8, true, true, 8, QN__FILL_RAMP},
    {"a product", "in:f32:16x4x2:rand", QN__ARG_BUFFER, QN__NUMBER_F32, true, false, 128,
     QN__FILL_RAND},
    {"a unit", "in:f32:4k", QN__ARG_BUFFER, QN__NUMBER_F32, true, false, 4096, QN__FILL_ZERO},
    {"units in a product", "in:f32:2Kx3m", QN__ARG_BUFFER, QN__NUMBER_F32, true, false,
     UINT64_C(6) << 30, QN__FILL_ZERO},
    {"a constant", "in:f32:1:const:1e3", QN__ARG_BUFFER, QN__NUMBER_F32, true, false, 1,
     QN__FILL_CONST},
    {"a path may hold colons", "in:f32:1:file:/a:b", QN__ARG_BUFFER, QN__NUMBER_F32, true, false, 1,
     QN__FILL_FILE},
};

START_TEST(good_arguments_are_understood)
{
    struct qn__launch_arg arg;
    ck_assert_msg(qn__launch_arg_parse(&arg, good[_i].text) == QN_OK, "%s: %s", good[_i].name,
                  qn_message());
    ck_assert_msg(arg.form == good[_i].form, "%s: form", good[_i].name);
    ck_assert_msg(arg.type == good[_i].type, "%s: type", good[_i].name);
    ck_assert_msg(arg.is_input == good[_i].is_input, "%s: input", good[_i].name);
    ck_assert_msg(arg.is_output == good[_i].is_output, "%s: output", good[_i].name);
    ck_assert_msg(arg.n_elems == good[_i].n_elems, "%s: count", good[_i].name);
    ck_assert_msg(arg.fill == good[_i].fill, "%s: fill", good[_i].name);
}
END_TEST

static const struct {
    const char *name, *text, *message; /* a part of the message */
} bad[] = {
    {"nothing", "", "no beginning of an argument"},
    {"an unknown type", "f8:1", "'f8' is no beginning"},
    {"a type without a value", "f32", "no beginning"},
    {"an empty value", "f32:", "'' is not a number"},
    {"an unknown type of a buffer", "in:float:8", "'float' is not a type (i8 u8"},
    {"no count", "in:f32", "count '': not of the form"},
    {"a count of nothing", "in:f32:0", "count '0': zero"},
    {"a negative count", "in:f32:-1", "not of the form"},
    {"an unknown unit", "in:f32:8q", "count '8q': not of the form"},
    {"a product without end", "in:f32:8x", "count '8x': not of the form"},
    {"a count past memory", "in:f32:99999999999999999999", "not of the form"},
    {"a product past memory", "in:f32:1048576gx1048576", "too large"},
    {"an unknown fill", "in:f32:8:rmap", "'rmap' fills no buffer (zero, poison"},
    {"a constant without value", "in:f32:8:const", "'' is not a number"},
    {"too much behind zero", "in:f32:8:zero:1", "zero: '1' is too much"},
    {"too much behind a ramp", "in:f32:8:ramp:1:2:3", "ramp: '3' is too much"},
    {"a ramp of another type", "in:i32:8:ramp:0.5", "'0.5' is not a whole number"},
    {"a file without path", "in:f32:8:file:", "file: no path"},
    {"half a byte", "hex:123", "hex: 3 digits"},
    {"no byte", "hex:", "hex: 0 digits"},
    {"no hexadecimal digit", "hex:0g", "hex: '0g' is not a byte"},
};

START_TEST(bad_arguments_are_refused_with_the_reason)
{
    struct qn__launch_arg arg;
    ck_assert_msg(qn__launch_arg_parse(&arg, bad[_i].text) == QN_E_INVALID, "%s: accepted",
                  bad[_i].name);
    ck_assert_msg(strstr(qn_message(), bad[_i].message) != NULL, "%s: '%s'", bad[_i].name,
                  qn_message());
}
END_TEST

/* ---- contents ---- */

/* The first four elements of a buffer as text. */
static void fill_as_text(struct qn__str *out, const char *text)
{
    unsigned char bytes[64];
    struct qn__launch_arg arg;
    ck_assert_msg(qn__launch_arg_parse(&arg, text) == QN_OK, "%s: %s", text, qn_message());
    ck_assert(qn__launch_arg_bytes(&arg) <= sizeof bytes);
    ck_assert_msg(qn__launch_arg_fill(bytes, &arg) == QN_OK, "%s: %s", text, qn_message());
    for (uint64_t i = 0; i < arg.n_elems; i++) {
        qn__str_add(out, i ? " " : "");
        qn__number_print(out, bytes + i * qn__number_bytes(arg.type), arg.type);
    }
}

static const struct {
    const char *text, *want;
} fills[] = {
    {"in:f32:4", "0 0 0 0"},
    {"out:f32:2", "nan nan"},
    {"out:i32:2", "-1 -1"},
    {"in:f32:3:const:-1.5", "-1.5 -1.5 -1.5"},
    {"in:f32:4:ramp", "0 1 2 3"},
    {"in:f16:4:ramp:1:0.25", "1 1.25 1.5 1.75"},
    {"in:i8:4:ramp:126", "126 127 -128 -127"},
    {"in:u32:4:ramp:3:4294967295", "3 2 1 0"},
    {"in:i64:2:ramp:9007199254740993", "9007199254740993 9007199254740994"},
};

START_TEST(buffers_hold_what_the_word_says)
{
    struct qn__str got = {0};
    fill_as_text(&got, fills[_i].text);
    ck_assert_msg(qn__equal(got.text, fills[_i].want), "%s: %s", fills[_i].text, got.text);
    qn__str_release(&got);
}
END_TEST

START_TEST(random_buffers_repeat_spread_and_stay_in_range)
{
    enum { N = 4096 };
    static float a[N], b[N];
    static int32_t c[N];
    struct qn__launch_arg arg;
    ck_assert(qn__launch_arg_parse(&arg, "in:f32:4k:rand:7") == QN_OK);
    ck_assert(qn__launch_arg_fill(a, &arg) == QN_OK && qn__launch_arg_fill(b, &arg) == QN_OK);
    ck_assert(memcmp(a, b, sizeof a) == 0);
    ck_assert(qn__launch_arg_parse(&arg, "in:f32:4k:rand:8") == QN_OK);
    ck_assert(qn__launch_arg_fill(b, &arg) == QN_OK);
    ck_assert(qn__launch_arg_parse(&arg, "in:i32:4k:rand") == QN_OK);
    ck_assert(qn__launch_arg_fill(c, &arg) == QN_OK);
    double sum = 0;
    int n_same = 0, counts[100] = {0};
    for (int i = 0; i < N; i++) {
        ck_assert(a[i] >= -1 && a[i] < 1);
        ck_assert(c[i] >= 0 && c[i] < 100);
        sum += (double)a[i];
        n_same += a[i] == b[i];
        counts[c[i]]++;
    }
    ck_assert_msg(fabs(sum / N) < 0.05, "mean %g", sum / N); /* 0.05: over five deviations */
    ck_assert_msg(n_same < 8, "%d elements of two seeds are equal", n_same);
    for (int i = 0; i < 100; i++)
        ck_assert_msg(counts[i] > 5, "%d appears %d times in %d", i, counts[i], N);
}
END_TEST

START_TEST(files_must_have_exactly_the_size)
{
    char path[] = "/tmp/quern-check-XXXXXX", word[80];
    const int fd = mkstemp(path);
    const float content[3] = {1, 2, 3};
    ck_assert(fd >= 0 && write(fd, content, sizeof content) == sizeof content);
    close(fd);
    struct qn__str got = {0};
    snprintf(word, sizeof word, "in:f32:3:file:%s", path);
    fill_as_text(&got, word);
    ck_assert_str_eq(got.text, "1 2 3");
    qn__str_release(&got);

    float bytes[4];
    struct qn__launch_arg arg;
    snprintf(word, sizeof word, "in:f32:4:file:%s", path);
    ck_assert(qn__launch_arg_parse(&arg, word) == QN_OK);
    ck_assert(qn__launch_arg_fill(bytes, &arg) == QN_E_INVALID);
    ck_assert_msg(strstr(qn_message(), "less than the 16 bytes") != NULL, "%s", qn_message());
    snprintf(word, sizeof word, "in:f32:2:file:%s", path);
    ck_assert(qn__launch_arg_parse(&arg, word) == QN_OK);
    ck_assert(qn__launch_arg_fill(bytes, &arg) == QN_E_INVALID);
    ck_assert_msg(strstr(qn_message(), "more than the 8 bytes") != NULL, "%s", qn_message());
    unlink(path);
    ck_assert(qn__launch_arg_fill(bytes, &arg) == QN_E_IO);
}
END_TEST

/* ---- against parameters ---- */

static const qn_arg_info pointer = {"y", "float *", QN_ARG_POINTER, 8, 8, false};
static const qn_arg_info const_pointer = {"x", "const float *", QN_ARG_POINTER, 8, 8, false};
static const qn_arg_info short_pointer = {"h", "unsigned short *", QN_ARG_POINTER, 8, 8, false};
static const qn_arg_info struct_pointer = {"s", "pair *", QN_ARG_POINTER, 8, 8, false};
static const qn_arg_info table_pointer = {"t", "float **", QN_ARG_POINTER, 8, 8, false};
static const qn_arg_info float_value = {"a", "float", QN_ARG_VALUE, 4, 4, false};
static const qn_arg_info int_value = {"n", "int", QN_ARG_VALUE, 4, 4, false};
static const qn_arg_info struct_value = {"s", "pair", QN_ARG_VALUE, 16, 8, false};
/* as a driver that tells sizes alone describes them */
static const qn_arg_info untyped_8 = {"", "", QN_ARG_VALUE, 8, 8, false},
                         untyped_4 = {"", "", QN_ARG_VALUE, 4, 4, false};

static const struct {
    const char *text;
    const qn_arg_info *parameter;
    const char *message; /* a part of it; NULL: accepted */
} checks[] = {
    {"out:f32:4", &pointer, NULL},
    {"null", &pointer, NULL},
    {"out:f64:4", &pointer, "argument 2 (float * y) has elements of 4 bytes, floating point: f64"},
    {"in:f64:4", &const_pointer, "argument 2 (const float * x) has elements of 4 bytes"},
    {"in:i32:4", &const_pointer, "i32 is another type"},
    {"in:f16:4", &pointer, "f16 is another type"},
    {"in:u8:16", &pointer, NULL},
    {"in:f16:4", &short_pointer, NULL},
    {"in:bf16:4", &short_pointer, NULL},
    {"in:u32:4", &short_pointer, "has elements of 2 bytes, integers: u32"},
    {"in:f64:4", &struct_pointer, NULL},
    {"in:u64:4", &table_pointer, NULL},
    {"f32:1", &float_value, NULL},
    {"i32:1", &int_value, NULL},
    {"u32:1", &int_value, NULL},
    {"hex:00000000", &float_value, NULL},
    {"hex:00112233445566778899aabbccddeeff", &struct_value, NULL},
    {"u64:1", &pointer, "argument 2 (float * y) is a pointer: give a buffer"},
    {"out:f32:4", &int_value, "argument 2 (int n) is a value: give TYPE:VALUE"},
    {"null", &struct_value, "give TYPE:VALUE or hex:BYTES"},
    {"out:f32:4", &untyped_8, NULL},
    {"out:f32:4", &untyped_4, "is a value: give TYPE:VALUE"},
    {"f64:1", &float_value, "argument 2 (float a) has 4 bytes, the one given has 8"},
    {"i32:1", &float_value, "argument 2 (float a) is floating point, i32 is not"},
    {"f32:1", &int_value, "argument 2 (int n) is an integer, f32 is not"},
};

START_TEST(arguments_are_compared_with_parameters)
{
    struct qn__launch_arg arg;
    ck_assert(qn__launch_arg_parse(&arg, checks[_i].text) == QN_OK);
    const qn_status s = qn__launch_arg_check(&arg, checks[_i].parameter, 2);
    if (!checks[_i].message) {
        ck_assert_msg(s == QN_OK, "%s: %s", checks[_i].text, qn_message());
        return;
    }
    ck_assert_msg(s == QN_E_INVALID, "%s: accepted", checks[_i].text);
    ck_assert_msg(strstr(qn_message(), checks[_i].message) != NULL, "%s: '%s'", checks[_i].text,
                  qn_message());
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

int main(void)
{
    Suite *suite = suite_create("launch_args");
    TCase *number = tcase_create("numbers");
    tcase_add_loop_test(number, numbers_become_the_right_bits, 0, COUNT(numbers));
    tcase_add_loop_test(number, what_is_no_number_is_refused, 0, COUNT(bad_numbers));
    tcase_add_test(number, every_half_and_bf16_survives_the_way_through_double);
    tcase_add_test(number, numbers_print_as_they_are);
    tcase_add_test(number, a_summary_leaves_out_what_is_not_finite);
    suite_add_tcase(suite, number);
    TCase *argument = tcase_create("arguments");
    tcase_add_loop_test(argument, good_arguments_are_understood, 0, COUNT(good));
    tcase_add_loop_test(argument, bad_arguments_are_refused_with_the_reason, 0, COUNT(bad));
    tcase_add_loop_test(argument, buffers_hold_what_the_word_says, 0, COUNT(fills));
    tcase_add_test(argument, random_buffers_repeat_spread_and_stay_in_range);
    tcase_add_test(argument, files_must_have_exactly_the_size);
    tcase_add_loop_test(argument, arguments_are_compared_with_parameters, 0, COUNT(checks));
    suite_add_tcase(suite, argument);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed != 0;
}
