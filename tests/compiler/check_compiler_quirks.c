/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts with the workarounds for drivers: they are there for a profile with the quirk, and only
 * where they help. Nothing is run: that is check_quirks' part.
 *
 * covers: compiler/quirks/quirk_pad_array base/profiles */
#include "base/profiles.h"
#include "tests/compiler/translate_one.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name, *array, *access, *text;
} apart[] = {
    {"ints", "int mine[2]", "mine[tid & 1]", "int mine[2] __attribute__((aligned(64)));"},
    {"doubles", "double mine[3]", "mine[n & 1]", "double mine[3] __attribute__((aligned(128)));"},
    {"a struct", "struct { short a, mine[3]; } s", "s.mine[tid & 1]",
     " s __attribute__((aligned(32)));"},
    {"through a pointer", "int mine[4], *p = &mine[n]", "*p",
     "int mine[4] __attribute__((aligned(64)));"},
    {"two dimensions", "float mine[2][4]", "mine[tid & 1][1]",
     "float mine[2][4] __attribute__((aligned(64)));"},
    {"bytes of a union", "union { int a; unsigned char mine[4]; } s", "s.a += s.mine[tid & 3], s.a",
     " s_1 __attribute__((aligned(64)));"},
    {"nine ints are apart", "int mine[9]", "mine[tid & 1]", "int mine[9];"},
    {"without an index", "struct { int a; volatile int mine[2]; } s", "s.mine[1]", " s;"},
};

START_TEST(small_arrays_of_a_work_item_lie_apart_in_kernels_with_barriers)
{
    char source[512];
    snprintf(source, sizeof source,
             "extern \"C\" __global__ void run(int *out, int n)\n"
             "{ __shared__ int box[32]; int tid = threadIdx.x; %s;\n"
             "  box[tid] = tid; %s = n; __syncthreads();\n"
             "  %s += box[31 - tid]; out[tid] = %s; }\n",
             apart[_i].array, apart[_i].access, apart[_i].access, apart[_i].access);
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    translate_text(&r, &arena, source);
    ck_assert_msg(strstr(r.text, apart[_i].text) != NULL, "%s: %s", apart[_i].name, r.text);
    qn__arena_release(&arena);
}
END_TEST

/* What Intel's driver loses at a barrier, and where its vectoriser guesses an index. */
static const struct {
    const char *name, *body, *text; /* text: NULL for a text without volatile */
} lost[] = {
    {"a negation", "float v = -x; __syncthreads(); o[i] = v;", "volatile float v = -x;"},
    {"of the sign bit",
     "float v = __int_as_float(__float_as_int(x) ^ 0x80000000); __syncthreads(); o[i] = v;",
     "volatile float v"},
    {"in a call", "float v = expf(-x); __syncthreads(); o[i] = v;", "volatile float v = exp(-x);"},
    {"as an integer", "int v = (int)-x; __syncthreads(); o[i] = v;", "volatile int v ="},
    {"on a path around a loop",
     "float v = -x; for (int k = 0; k < n; k++) { o[k] = v; __syncthreads(); }",
     "volatile float v"},
    {"kept in an array", "float v[4] = {x, -x, 1, 2}; v[n & 3] += 1; __syncthreads(); o[i] = v[1];",
     "volatile float t = -x;"},
    {"taken by a function with a barrier", "o[i] = __shfl_down_sync(~0u, -x, 3);",
     "volatile float t = -x;"},
    {"kept in a parameter", "s.m = -x; s.a[n & 1] += 1; __syncthreads(); o[i] = s.m + s.a[1];",
     "volatile float t = -x;"},
    {"used before the barrier", "o[i] = -x; __syncthreads(); o[i + n] = x;", NULL},
    {"computed after the barrier", "__syncthreads(); o[i] = -x;", NULL},
    {"anew in each iteration",
     "for (int k = 0; k < n; k++) { float v = -in[k]; o[k] = v * v + v; "
     "__syncthreads(); }",
     NULL},
    {"no negation", "float v = expf(x); __syncthreads(); o[i] = v;", NULL},
    {"an element from memory", "float a[3] = {x, 1, 2}; if (i > n) a[k[0]] += 1; o[i] = a[1];",
     "*(volatile float *)&a[*k] += 1.0f;"},
    {"an element by a division", "float a[3] = {x, 1, 2}; if (i > n) o[i] = a[3 / n]; o[n] = a[1];",
     "*(volatile float *)&a[qn_div_i32(3, n)]"},
    {"of an argument", "float a[3] = {x, 1, 2}; if (i > n) o[i] = a[n % 3]; o[n] = a[1];", NULL},
    {"of the work-item", "float a[3] = {x, 1, 2}; if (i > n) o[i] = a[k[i]]; o[n] = a[1];", NULL},
    {"of one work-item", "float a[3] = {x, 1, 2}; if (i == 5) o[i] = a[k[i]]; o[n] = a[1];",
     "*(volatile float *)&a[k[i]]"},
    {"before any branch", "float a[3] = {x, 1, 2}; a[k[0]] += 1; o[i] = a[1];", NULL},
};

START_TEST(what_intels_driver_would_lose_is_volatile_and_nothing_else)
{
    char source[512];
    snprintf(source, sizeof source,
             "struct pair { float m, a[2]; };\n"
             "extern \"C\" __global__ void run(float *o, const float *in, const int *k, int n, "
             "pair s)\n"
             "{ int i = threadIdx.x; float x = in[i]; %s }\n",
             lost[_i].body);
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    translate_text(&r, &arena, source);
    const char *const wanted = lost[_i].text;
    ck_assert_msg(!strstr(r.text, wanted ? wanted : "volatile") == !wanted, "%s: %s", lost[_i].name,
                  r.text);
    qn__arena_release(&arena);
}
END_TEST

static const char *const profiles[] = {
#define QN_PROFILE(name, ...) #name,
#include "base/profiles.def"
};
enum { N_PROFILES = sizeof profiles / sizeof *profiles };

/* The buffer is all work-items', whatever the driver does with arguments. */
START_TEST(a_struct_in_a_buffer_that_is_written_to_is_copied_first)
{
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    translate_file(&r, &arena, "tests/compiler/ok/buffer_arguments.cu", profiles[_i]);
    const bool in_buffer = strstr(r.text, "struct list *restrict a") != NULL,
               is_copied = strstr(r.text, "struct list a_1 = *a;") != NULL;
    const bool takes_many = qn__equal(profiles[_i], "nvidia") || qn__equal(profiles[_i], "cpu");
    ck_assert_msg(in_buffer == is_copied && (in_buffer || takes_many), "%s: %s", profiles[_i],
                  r.text);
    qn__arena_release(&arena);
}
END_TEST

/* What only a text with the workaround holds, or where it is `!`, only one without. The sources are
 * what check_quirks runs. */
static const struct {
    const char *quirk, *says;
} marks[] = {
    {"switch", "!switch ("},
    {"flag_paths", "collective flattening"},
    {"join_barrier", "a barrier where paths join or part"},
    {"guard_loop", "/* always */"},
    {"pad_array", "double own[4] __attribute__((aligned(128)))"},
    {"volatile_store", "*(__global volatile double *)"},
    {"masked_index", "qn_opaque_int("},
    {"round_constant", "qn_rint_f32("},
    {"nan_to_unsigned", "convert_uint_sat(fmax("},
    {"copy_byval", "struct setup a_1 = a;"},
    {"volatile_negation", "volatile float v = -(float)in[i];"},
    {"volatile_element", "*(volatile int *)&a["},
    {"wrapped_float", "convert_float(2560763344u * "},
    {"lanes_not_in_step", "keep the lanes of a warp in step"},
};
enum { N_MARKS = sizeof marks / sizeof *marks };

/* Does the profile, with "-" or "+" of the quirk's switch behind its name or without, have quirk i?
 */
static bool has_quirk(char name[96], int i, const char *profile, const char *change)
{
    struct qn__profile p;
    bool has = false, known = false;
    snprintf(name, 96, "%s%s%s%s", profile, *change ? ":" : "", *change ? marks[i].quirk : "",
             change);
    ck_assert_msg(qn__profile_parse(&p, name), "%s", name);
    for (unsigned q = 0; q < QN__N_QUIRKS; q++)
        if (qn__equal(qn__quirk_name((enum qn__quirk)q), marks[i].quirk)) {
            has = qn__profile_has(&p, (enum qn__quirk)q);
            known = true;
        }
    ck_assert_msg(known && (!*change || has == (*change == '+')), "%s", name);
    return has;
}

static void check_mark(int i, const char *name, bool has)
{
    struct qn__arena arena = {0};
    struct qn__translate_result r;
    char path[128];
    snprintf(path, sizeof path, "tests/compiler/quirks/%s.cu", marks[i].quirk);
    translate_file(&r, &arena, path, name);
    const bool negated = marks[i].says[0] == '!';
    const char *const mark = marks[i].says + negated;
    const bool is_there = strstr(r.text, mark) || strstr(r.explain_json, mark);
    ck_assert_msg(is_there == (has != negated), "%s for %s: '%s' is %s in %s\n%s", path, name, mark,
                  is_there ? "" : "not", r.text, r.explain_json);
    qn__arena_release(&arena);
}

/* As the profile is, and with the switch that changes it; the other one changes nothing. */
START_TEST(a_text_has_the_workarounds_of_its_profiles_quirks_and_no_others)
{
    char plain[96], off[96], on[96];
    ck_assert_int_eq(N_MARKS, QN__N_QUIRKS);
    for (const char *const *p = qn__profile_names(); *p; p++) {
        struct qn__profile profile;
        const bool has = has_quirk(plain, _i, *p, "");
        ck_assert(!has_quirk(off, _i, *p, "-"));
        ck_assert(has_quirk(on, _i, *p, "+"));
        check_mark(_i, plain, has);
        ck_assert(qn__profile_parse(&profile, *p));
        if (has)
            check_mark(_i, off, false);
        else if (!qn__profile_can(&profile, QN__CAN_ptx) && /* whose barriers take no flags */
                 !qn__profile_can(&profile, QN__CAN_loops)) /* C is nobody's to work around */
            check_mark(_i, on, true);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *const s = suite_create("quirks in texts");
    TCase *const t = tcase_create("translate");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, small_arrays_of_a_work_item_lie_apart_in_kernels_with_barriers, 0,
                        (int)(sizeof apart / sizeof *apart));
    tcase_add_loop_test(t, what_intels_driver_would_lose_is_volatile_and_nothing_else, 0,
                        (int)(sizeof lost / sizeof *lost));
    tcase_add_loop_test(t, a_struct_in_a_buffer_that_is_written_to_is_copied_first, 0, N_PROFILES);
    tcase_add_loop_test(t, a_text_has_the_workarounds_of_its_profiles_quirks_and_no_others, 0,
                        N_MARKS);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    SRunner *const runner = srunner_create(suite());
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
