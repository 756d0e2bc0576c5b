/* SPDX-License-Identifier: Apache-2.0
 *
 * Random kernels on a device must leave in memory what their interpretation leaves, bit for bit.
 *
 * The first cases, whose tag is no_driver, need no device: they check the generator and the
 * shrinker themselves. The others run batches of programs, each batch one source; a program that
 * fails is made small and printed with its seed.
 *
 *     check_differential                                  the fixed seeds of make check
 *     QN_LONG=1 check_differential                        thousands
 *     QN_SEEDS=1-2000 [QN_KERNEL_SHAPES=LIST] check_differential
 *                                                         these seeds alone, nothing made small
 *     QN_PROGRAMS=200 check_differential                  so many
 *     check_differential --seed N [--count N] [--tries N] [--device ID] [--without LIST]
 *                        [--shapes LIST] [--drivers]      the same; of what fails, smaller
 * programs; of the driver's mistakes, too check_differential --print --seed N                 the
 * source of one
 *
 * What a program may be made without: warp, vote, return, barrier, atomic. Its shapes (enum
 * gen_shape): gather, division, wrap, shift, cast, bits, narrow, below, volatile, spaces, overlay,
 * small; with a LIST every program has at least one of it; "all" and "none" are lists, too. By
 * themselves, six seeds of ten have some.
 *
 * A text that a second opinion finds right (tests/compiler/generator/judge.h) is the driver's
 * mistake. These are counted separately, never as right, and too many of them fail as well. On
 * CUDA, where nothing is translated, the optimiser may use what C leaves undefined: there a program
 * is compiled again without it, by the NVRTC of $CUDA_PATH or of the loader's path.
 *
 * The device is --device, else what QUERN_DEVICE and QUERN_BACKEND choose: the same programs test
 * CUDA and every OpenCL driver. */
#include "tests/compiler/generator/judge.h"
#include "tests/compiler/generator/on_device.h"

#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 10,
    PROGRAMS_MAX = 24, /* of one run: a batch, or the seeds that failed once */
    LIMIT_S = 120,
    LIMIT_ALONE_S = 30,
    SHORT_BATCHES = 1,
    LONG_BATCHES = 200,
    SHOWN = 2
};

static struct {
    const char *device;
    const char *judge, *options; /* in the process of the second opinion: profile, build options, */
    struct qn__plain_device on;  /* and whose OpenCL, unless it is the only one */
    uint64_t seed;
    uint32_t count, tries;
    bool show_drivers; /* make the driver's mistakes small and print them, too */
    struct gen_choice choice;
} settings = {.seed = 1, .tries = 200, .choice = {.shapes = GEN_SHAPES}};

/* Of all programs that ran. */
static struct {
    uint32_t n, n_failed;
    uint32_t n_differ, n_stop; /* the driver's mistakes: another result; a crash or a hang */
    uint32_t n_unoptimised;    /* right where the device's own compiler does not optimise */
} tally;

/* ---- Without a device ---- */

START_TEST(every_random_program_keeps_the_rules_of_the_generator)
{
    uint32_t n_too_long = 0, n_barriers = 0, n_warp_ops = 0, n_with[32] = {0}, n_old = 0;
    enum { N = 1000 };
    for (uint64_t seed = 1; seed <= N; seed++) {
        struct qn__arena arena = {0};
        const struct gen_program *p = gen_generate(&arena, seed, 0, &settings.choice);
        const char *why;
        if (!gen_accepts(p, &why)) {
            ck_assert_msg(!strcmp(why, "too many steps"), "seed %" PRIu64 ": %s", seed, why);
            n_too_long++;
        }
        n_barriers += p->n_barriers > 0;
        n_warp_ops += p->n_warp_ops > 0;
        n_old += p->shapes == 0;
        for (uint32_t bit = 0; bit < 32; bit++)
            n_with[bit] += p->shapes >> bit & 1;
        qn__arena_release(&arena);
    }
    ck_assert_uint_gt(n_old, N * 3 / 10);
    for (uint32_t bit = 0; 1u << bit < GEN_SHAPES; bit++)
        ck_assert_msg(n_with[bit] > N / 20, "shape %u: %u of %d", bit, n_with[bit], N);
    ck_assert_uint_lt(n_too_long, N / 20);
    ck_assert_uint_gt(n_barriers, N / 2); /* it exercises what it is for */
    ck_assert_uint_gt(n_warp_ops, N / 4);
}
END_TEST

/* Measured on an H200: NVRTC 13 without its optimiser. */
static const struct {
    const char *name;
    enum gen_op op;
    enum gen_scalar type;
    int64_t a, b, result;
} on_a_gpu[] = {
    {"7 / 0", GEN_DIV, GEN_I32, 7, 0, -1},
    {"7 / 0, unsigned", GEN_DIV, GEN_U32, 7, 0, UINT32_MAX},
    {"7 / 0, a byte", GEN_DIV, GEN_U8, 7, 0, 255},
    {"7 / 0, 64 bits", GEN_DIV, GEN_U64, 7, 0, -1},
    {"7 % 0", GEN_REM, GEN_I32, 7, 0, -1},
    {"7 % 0, 16 bits", GEN_REM, GEN_U16, 7, 0, 65535},
    {"7 % 0, 64 bits", GEN_REM, GEN_I64, 7, 0, -1},
    {"smallest / -1", GEN_DIV, GEN_I32, INT32_MIN, -1, INT32_MIN},
    {"smallest / -1, 8 bits", GEN_DIV, GEN_I8, INT8_MIN, -1, INT8_MIN},
    {"smallest / -1, 64 bits", GEN_DIV, GEN_I64, INT64_MIN, -1, INT64_MIN},
    {"smallest % -1", GEN_REM, GEN_I32, INT32_MIN, -1, 0},
    {"smallest % -1, 64 bits", GEN_REM, GEN_I64, INT64_MIN, -1, 0},
    {"-smallest", GEN_NEG, GEN_I32, INT32_MIN, 0, INT32_MIN},
    {"largest + 1", GEN_ADD, GEN_I32, INT32_MAX, 1, INT32_MIN},
    {"1 << 32", GEN_SHL, GEN_I32, 1, 32, 0},
    {"1 << -1", GEN_SHL, GEN_U32, 1, -1, 0},
    {"1 << 64, 64 bits", GEN_SHL, GEN_U64, 1, 64, 0},
    {"-5 >> 33", GEN_SHR, GEN_I32, -5, 33, -1},
    {"-5 >> 64, 64 bits", GEN_SHR, GEN_I64, -5, 64, -1},
    {"200 >> 40, a byte", GEN_SHR, GEN_U8, 200, 40, 0},
};

START_TEST(the_interpretation_of_an_operation_is_a_gpus)
{
    const uint64_t got = gen_apply(on_a_gpu[_i].op, on_a_gpu[_i].type, (uint64_t)on_a_gpu[_i].a,
                                   (uint64_t)on_a_gpu[_i].b);
    ck_assert_msg(got == (uint64_t)on_a_gpu[_i].result, "%s: %" PRId64, on_a_gpu[_i].name,
                  (int64_t)got);
}
END_TEST

static const struct {
    double x;
    enum gen_scalar to;
    int64_t of_float, of_double;
} casts_on_a_gpu[] = {
    {NAN, GEN_I32, 0, INT32_MIN},
    {NAN, GEN_U32, 0, INT64_C(1) << 31},
    {NAN, GEN_I64, INT64_MIN, INT64_MIN},
    {NAN, GEN_U64, INT64_MIN, INT64_MIN},
    {NAN, GEN_U8, 0, 0},
    {INFINITY, GEN_I32, INT32_MAX, INT32_MAX},
    {-INFINITY, GEN_U32, 0, 0},
    {3e9, GEN_I16, -1, -1},
    {3e9, GEN_U16, 24064, 24064},
    {-200.5, GEN_I8, 56, 56},
    {-200.5, GEN_U8, 0, 0},
    {70000.5, GEN_U8, 112, 112},
    {1e30, GEN_U64, -1, -1},
    {-1e19, GEN_I64, INT64_MIN, INT64_MIN},
};

START_TEST(the_interpretation_of_a_cast_is_a_gpus)
{
    const double x = casts_on_a_gpu[_i].x;
    const enum gen_scalar to = casts_on_a_gpu[_i].to;
    ck_assert_int_eq((int64_t)gen_convert(gen_of_float((float)x), GEN_F32, to),
                     casts_on_a_gpu[_i].of_float);
    ck_assert_int_eq((int64_t)gen_convert(gen_of_double(x), GEN_F64, to),
                     casts_on_a_gpu[_i].of_double);
}
END_TEST

static const struct {
    const char *name;
    enum gen_call call;
    int64_t a, b, c, result;
} calls_on_a_gpu[] = {
    {"abs of the smallest", GEN_ABS, INT32_MIN, 0, 0, INT32_MIN},
    {"llabs of the smallest", GEN_LLABS, INT64_MIN, 0, 0, INT64_MIN},
    {"clz of 0", GEN_CLZ, 0, 0, 0, 32},
    {"clzll of 0", GEN_CLZLL, 0, 0, 0, 64},
    {"ffs of 0", GEN_FFS, 0, 0, 0, 0},
    {"ffsll of the highest bit", GEN_FFSLL, INT64_MIN, 0, 0, 64},
    {"a left funnel by 33", GEN_FUNNEL_L, 3, 3, 33, 6},
    {"a clamped left funnel by 33", GEN_FUNNEL_LC, 3, 4, 33, 3},
    {"a right funnel by 33", GEN_FUNNEL_R, 3, 4, 33, 1},
    {"a clamped right funnel by 33", GEN_FUNNEL_RC, 3, 4, 33, 4},
    {"the upper half of a product", GEN_MULHI, INT32_MIN, 2, 0, -1},
};

START_TEST(the_interpretation_of_a_function_is_a_gpus)
{
    const uint64_t v[] = {(uint64_t)calls_on_a_gpu[_i].a, (uint64_t)calls_on_a_gpu[_i].b,
                          (uint64_t)calls_on_a_gpu[_i].c};
    const uint64_t got = gen_apply_call(calls_on_a_gpu[_i].call, v);
    ck_assert_msg(got == (uint64_t)calls_on_a_gpu[_i].result, "%s: %" PRId64,
                  calls_on_a_gpu[_i].name, (int64_t)got);
}
END_TEST

START_TEST(a_seed_always_gives_the_same_program)
{
    struct qn__arena arena = {0};
    struct qn__str texts[2] = {{0}};
    for (int i = 0; i < 2; i++)
        gen_print(&texts[i], gen_generate(&arena, 77, 3, &settings.choice));
    ck_assert_str_eq(texts[0].text, texts[1].text);
    qn__str_release(&texts[0]);
    qn__str_release(&texts[1]);
    qn__arena_release(&arena);
}
END_TEST

/* out[threadIdx.x] = v, where v is a variable that is or is not given a value first. */
static bool accepts_store_of(enum gen_storage storage, bool is_written, const char **why)
{
    static const struct gen_type *const u32 = &gen_scalars[GEN_U32];
    const struct gen_type pointer = {.kind = GEN_POINTER, .element = u32, .size_bytes = 8};
    struct gen_var out = {.name = "out", .type = &pointer}, *params[] = {&out};
    struct gen_var v = {.name = "v", .type = u32, .storage = storage, .offset_bytes = 16};
    struct gen_expr id = {.kind = GEN_THREAD, .type = u32};
    struct gen_expr base = {.kind = GEN_VAR, .type = &pointer, .var = &out};
    struct gen_expr at = {.kind = GEN_INDEX, .type = u32, .a = &base, .b = &id};
    struct gen_expr value = {.kind = GEN_VAR, .type = u32, .var = &v};
    struct gen_expr four = {.kind = GEN_CONST, .type = u32, .bits = 4};
    struct gen_stmt set = {.kind = GEN_ASSIGN, .op = GEN_EQ, .place = &value, .value = &four};
    struct gen_stmt put = {.kind = GEN_ASSIGN, .op = GEN_EQ, .place = &at, .value = &value};
    struct gen_stmt *list[] = {&set, &put};
    struct gen_stmt body = {.kind = GEN_BLOCK, .list = is_written ? list : list + 1, .n = 1};
    struct gen_function kernel = {
        .name = "k", .params = params, .n_params = 1, .body = &body, .frame_bytes = 32};
    unsigned char initial[4 * 8] = {0};
    struct gen_program p = {.grid = {1, 1, 1}, .block = {8, 1, 1}, .shared_bytes = 32};
    body.n += is_written;
    p.kernel = &kernel;
    p.n_buffers = 1;
    p.buffers[0] = (struct gen_buffer){
        .var = &out, .element = u32, .role = GEN_OUTPUT, .n = 8, .initial = initial};
    return gen_accepts(&p, why);
}

START_TEST(a_program_that_reads_what_nobody_has_written_is_not_accepted)
{
    static const enum gen_storage storages[] = {GEN_LOCAL, GEN_SHARED};
    const char *why = NULL;
    ck_assert_msg(accepts_store_of(storages[_i], true, &why), "%s", why);
    ck_assert(!accepts_store_of(storages[_i], false, &why));
    ck_assert_str_eq(why, "a result that depends on what nobody has written");
}
END_TEST

static size_t text_length(const struct gen_program *p, const char *word, bool *has_word)
{
    struct qn__str text = {0};
    gen_print(&text, p);
    ck_assert_ptr_nonnull(text.text);
    *has_word = strstr(text.text, word) != NULL;
    const size_t n = text.len;
    qn__str_release(&text);
    return n;
}

static bool mentions(const struct gen_program *p, void *word)
{
    const char *why;
    bool has_word;
    text_length(p, word, &has_word);
    return has_word && gen_accepts(p, &why);
}

static const struct {
    const char *name;
    char word[20];
} shrink_cases[] = {
    {"down to a shuffle", "__shfl"},
    {"down to an atomic", "atomic"},
    {"down to a switch", "switch"},
    {"down to a square root", "sqrtf"},
    {"down to a quotient", "_quotient"},
    {"down to a union", "union"},
    {"down to a struct of pointers", "_reach("},
};

/* A program that "fails" by holding a word becomes much smaller and still keeps all rules. */
START_TEST(shrinking_keeps_what_fails_and_little_else)
{
    const char *name = shrink_cases[_i].name;
    char word[sizeof shrink_cases[0].word];
    memcpy(word, shrink_cases[_i].word, sizeof word);
    size_t before = 0, after = 0;
    uint32_t n = 0;
    for (uint64_t seed = 1; seed < 200 && n < 10; seed++) {
        struct qn__arena arena = {0};
        struct gen_program *p = gen_generate(&arena, seed, 0, &settings.choice);
        const char *why;
        bool has_word;
        const size_t length = text_length(p, word, &has_word);
        if (has_word && gen_accepts(p, &why)) {
            n++;
            before += length;
            gen_shrink(p, &arena, 2000, mentions, word);
            after += text_length(p, word, &has_word);
            ck_assert_msg(has_word, "%s: seed %" PRIu64 ": the word is gone", name, seed);
            ck_assert_msg(gen_accepts(p, &why), "%s: seed %" PRIu64 ": %s", name, seed, why);
        }
        qn__arena_release(&arena);
    }
    ck_assert_msg(n == 10, "%s: only %u programs have the word", name, n);
    ck_assert_msg(after * 2 < before, "%s: %zu of %zu bytes are left", name, after, before);
}
END_TEST

/* ---- On the device ---- */

struct failure {
    enum gen_verdict verdict;
    bool is_built; /* it failed when it ran */
};

static bool is_built(const struct gen_outcome *outcome)
{
    return !strstr(outcome->message, "error:");
}

/* The same way of failing, alone in its source. */
static bool fails_alike(const struct gen_program *p, void *payload)
{
    const struct failure *f = payload;
    struct gen_program copy = *p, *one[] = {&copy};
    struct gen_outcome outcome;
    const char *why;
    if (!gen_accepts(p, &why))
        return false;
    gen_run_on_device(&outcome, one, 1, GEN_EACH, settings.device, true, LIMIT_ALONE_S);
    return outcome.verdict == f->verdict && is_built(&outcome) == f->is_built;
}

static void show_failure(struct gen_program *p, struct qn__arena *arena,
                         const struct gen_outcome *outcome)
{
    struct failure f = {outcome->verdict, is_built(outcome)};
    struct gen_program *one[] = {p};
    struct gen_outcome last = *outcome;
    const uint32_t n_steps = gen_shrink(p, arena, settings.tries, fails_alike, &f);
    if (n_steps)
        gen_run_on_device(&last, one, 1, GEN_EACH, settings.device, true, LIMIT_ALONE_S);
    struct qn__str text = {0};
    gen_print(&text, p);
    printf("---- seed %" PRIu64 ": %s, after %u steps of shrinking ----\n%s\n%s\n", p->seed,
           gen_verdict_text(last.verdict), n_steps, last.message, text.text ? text.text : "");
    fflush(stdout);
    qn__str_release(&text);
}

/* NVRTC may have used what C leaves undefined: without its optimiser there is nothing to use it. A
 * program that leaves nothing undefined was its mistake. `p` is one of the n programs that were one
 * source; it alone is launched, as a fault of another would be its own, too. */
static bool is_right_unoptimised(struct gen_program **programs, uint32_t n, struct gen_program *p,
                                 const struct gen_outcome *outcome)
{
    struct gen_outcome all[PROGRAMS_MAX];
    uint32_t i = 0;
    if (!outcome->device.is_cuda || !is_built(outcome))
        return false;
    while (programs[i] != p)
        i++;
    gen_run_on_device(all, programs, n, i, settings.device, false, LIMIT_S);
    if (all[i].verdict == GEN_REFUSED)
        printf("---- seed %" PRIu64 ": %s\n", p->seed, all[i].message);
    if (all[i].verdict != GEN_AGREES)
        return false;
    if (p->shapes & GEN_SHAPES_UNDEFINED) {
        tally.n_unoptimised++;
        return true;
    }
    printf("---- seed %" PRIu64 ": %s: the driver's mistake: right without its optimiser\n",
           p->seed, gen_verdict_text(outcome->verdict));
    tally.n_differ++;
    return true;
}

/* Is it the driver's? Only where the text is known. */
static bool is_the_drivers(const struct gen_program *p, const struct gen_outcome *outcome)
{
    const bool differs = outcome->verdict == GEN_DIFFERS;
    const char *by;
    if (differs && (p->shapes & GEN_SHAPES_UNDEFINED))
        return false;
    if ((!differs && outcome->verdict != GEN_CRASHED && outcome->verdict != GEN_HANGS) ||
        !outcome->device.profile[0])
        return false;
    const bool theirs = gen_judge(&by, p, &outcome->device) == GEN_THE_DRIVER;
    printf("---- seed %" PRIu64 ": %s: %s mistake: %s\n", p->seed,
           gen_verdict_text(outcome->verdict), theirs ? "the driver's" : "our", by);
    tally.n_differ += theirs && differs;
    tally.n_stop += theirs && !differs;
    return theirs;
}

/* Is program i right after all? Alone in its source; or alone in a process with the source it
 * failed in, so that no other one faults, hangs or writes elsewhere; or as the device's own
 * compiler has it without its optimiser. *outcome becomes what it comes to at last. */
static bool is_right_alone(struct gen_outcome *outcome, struct gen_program **programs, uint32_t n,
                           uint32_t i)
{
    struct gen_outcome there[PROGRAMS_MAX];
    const bool differed = outcome->verdict == GEN_DIFFERS;
    gen_run_on_device(outcome, &programs[i], 1, GEN_EACH, settings.device, true, LIMIT_ALONE_S);
    if (outcome->verdict != GEN_AGREES)
        return is_right_unoptimised(&programs[i], 1, programs[i], outcome);
    if (!differed)
        return true;
    gen_run_on_device(there, programs, n, i, settings.device, true, LIMIT_S);
    *outcome = there[i];
    outcome->device.profile[0] = 0; /* nobody can judge the text of all of them */
    return outcome->verdict == GEN_AGREES ||
           is_right_unoptimised(programs, n, programs[i], outcome);
}

/* Run these; what failed together is run again alone, so that one bad program hides no other.
 * Returns how many fail. */
static uint32_t run_batch(struct gen_program **programs, uint32_t n, struct qn__arena *arena)
{
    struct gen_outcome outcomes[PROGRAMS_MAX];
    uint32_t n_failed = 0;
    gen_run_on_device(outcomes, programs, n, GEN_EACH, settings.device, true, LIMIT_S);
    for (uint32_t i = 0; i < n; i++) {
        if (outcomes[i].verdict == GEN_AGREES || is_right_alone(&outcomes[i], programs, n, i))
            continue;
        if (is_the_drivers(programs[i], &outcomes[i])) {
            if (settings.show_drivers)
                show_failure(programs[i], arena, &outcomes[i]);
            continue;
        }
        if (n_failed++ < SHOWN)
            show_failure(programs[i], arena, &outcomes[i]);
        else
            printf("---- seed %" PRIu64 ": %s: %.*s\n", programs[i]->seed,
                   gen_verdict_text(outcomes[i].verdict), (int)strcspn(outcomes[i].message, "\n"),
                   outcomes[i].message);
    }
    tally.n += n;
    tally.n_failed += n_failed;
    return n_failed;
}

/* PoCL 3.1 is far below both; PoCL 5.0 stops with an assertion of its compiler in one of sixteen.
 */
static bool is_flood(void)
{
    return tally.n_differ > 1 + tally.n / 100 || tally.n_stop > 1 + tally.n / 10;
}

static void print_tally(void)
{
    const uint32_t n_right = tally.n - tally.n_failed - tally.n_differ - tally.n_stop;
    printf("%u random programs: %u right, %u fail; the driver's mistakes: %u wrong results, %u "
           "crashes or hangs%s\n",
           tally.n, n_right, tally.n_failed, tally.n_differ, tally.n_stop,
           is_flood() ? ": too many" : "");
    if (tally.n_unoptimised)
        printf("%u of the right ones only without the device's own optimiser\n",
               tally.n_unoptimised);
}

/* Seeds that failed once, before programs had shapes: a value that was never set, a shared struct,
 * a loop left early, a switch, a loop with two ends, a bool as a number, a path with a barrier, a
 * sum of a warp that wraps, small arrays of a work-item's own, decisions of the group beside a
 * work-item's. */
static const uint64_t regressions[] = {60,     67,     74,   96,     99,     1018,   1149,   1257,
                                       1563,   1793,   2041, 3028,   100062, 200086, 200128, 300105,
                                       400088, 500449, 903,  500405, 703,    1622};
enum { N_REGRESSIONS = sizeof regressions / sizeof *regressions };
_Static_assert((int)N_REGRESSIONS <= (int)PROGRAMS_MAX, "they are one run");

static uint32_t run_regressions(void)
{
    struct qn__arena arena = {0};
    struct gen_program *programs[N_REGRESSIONS];
    const struct gen_choice none = {.how = GEN_EXACTLY};
    for (uint32_t i = 0; i < N_REGRESSIONS; i++)
        programs[i] = gen_generate(&arena, regressions[i], i, &none);
    const uint32_t n_failed = run_batch(programs, N_REGRESSIONS, &arena);
    qn__arena_release(&arena);
    return n_failed;
}

static uint32_t run_seeds(uint64_t first, uint32_t count)
{
    uint32_t n_failed = 0;
    for (uint64_t seed = first; seed < first + count;) {
        struct qn__arena arena = {0};
        struct gen_program *programs[BATCH];
        uint32_t n = 0;
        for (; n < BATCH && seed < first + count; seed++) {
            const char *why;
            programs[n] = gen_generate(&arena, seed, n, &settings.choice);
            n += gen_accepts(programs[n], &why);
        }
        n_failed += run_batch(programs, n, &arena);
        qn__arena_release(&arena);
    }
    return n_failed;
}

START_TEST(the_device_computes_what_the_interpreter_computes)
{
    const uint64_t first = settings.seed + (uint64_t)_i * BATCH;
    const uint32_t n_failed = run_seeds(first, BATCH);
    ck_assert_msg(n_failed == 0, "seeds %" PRIu64 " to %" PRIu64 ": %u programs fail", first,
                  first + BATCH - 1, n_failed);
}
END_TEST

/* One of a source that holds several, so that what another does cannot be taken for its own. */
static bool has_device(struct gen_outcome *outcome)
{
    struct qn__arena arena = {0};
    struct gen_program *one[] = {gen_generate(&arena, 1, 0, &settings.choice)};
    gen_run_on_device(outcome, one, 1, GEN_EACH, settings.device, true, LIMIT_ALONE_S);
    qn__arena_release(&arena);
    return outcome->verdict != GEN_NO_DEVICE;
}

START_TEST(one_program_of_a_source_can_be_run_alone)
{
    enum { N = 3, ONE = 1 };
    struct qn__arena arena = {0};
    struct gen_program *programs[N];
    struct gen_outcome outcomes[N];
    for (uint32_t i = 0; i < N; i++)
        programs[i] = gen_generate(&arena, regressions[i], i, &settings.choice);
    gen_run_on_device(outcomes, programs, N, ONE, settings.device, true, LIMIT_S);
    for (uint32_t i = 0; i < N; i++)
        ck_assert_msg(outcomes[i].verdict == (i == ONE ? GEN_AGREES : GEN_NOT_RUN), "%u: %s", i,
                      gen_verdict_text(outcomes[i].verdict));
    qn__arena_release(&arena);
}
END_TEST

START_TEST(the_second_opinion_is_of_the_device_that_is_named)
{
    struct gen_outcome outcome;
    bool differs;
    ck_assert(has_device(&outcome));
    struct qn__arena arena = {0};
    const struct gen_program *p = gen_generate(&arena, 1, 0, &settings.choice);
    if (outcome.device.profile[0]) {
        ck_assert(gen_is_right_unoptimised(&differs, p, &outcome.device));
        strcpy(outcome.device.driver, "of nobody");
        ck_assert(!gen_is_right_unoptimised(&differs, p, &outcome.device) && !differs);
    }
    qn__arena_release(&arena);
}
END_TEST

START_TEST(seeds_that_failed_once_pass)
{
    const uint32_t n_failed = run_regressions();
    const uint32_t n_drivers = tally.n_differ + tally.n_stop; /* it is the first to run any */
    ck_assert_msg(n_failed + n_drivers == 0, "%u of %d programs fail again", n_failed + n_drivers,
                  N_REGRESSIONS);
}
END_TEST

START_TEST(the_driver_makes_few_mistakes)
{
    ck_assert_msg(!is_flood(), "of %u: %u wrong results, %u crashes or hangs", tally.n,
                  tally.n_differ, tally.n_stop);
}
END_TEST

/* ---- main ---- */

static int print_program(void)
{
    struct qn__arena arena = {0};
    struct qn__str text = {0};
    gen_print_head(&text);
    for (uint32_t i = 0; i < (settings.count ? settings.count : 1); i++)
        gen_print(&text, gen_generate(&arena, settings.seed + i, i, &settings.choice));
    fputs(text.text ? text.text : "", stdout);
    qn__str_release(&text);
    qn__arena_release(&arena);
    return 0;
}

static int judge_program(void)
{
    struct qn__arena arena = {0};
    const struct gen_program *p = gen_generate(&arena, settings.seed, 0, &settings.choice);
    const struct qn__plain_device *on = settings.on.name ? &settings.on : NULL;
    return gen_run_preloaded(p, settings.judge, on, settings.options); /* the arena goes with us */
}

/* The bits of the names in a list; a number, as one process gives it to the next, stands for
 * itself. */
static uint32_t parse_set(const char *list, const char *const *names, uint32_t n)
{
    uint32_t set = 0;
    if (*list >= '0' && *list <= '9')
        return (uint32_t)strtoul(list, NULL, 0);
    for (uint32_t i = 0; i < n; i++)
        set |= strstr(list, names[i]) ? 1u << i : 0;
    return set;
}

static uint32_t parse_without(const char *list)
{
    static const char *const names[] = {"warp", "vote", "return", "barrier", "atomic"};
    return parse_set(list, names, sizeof names / sizeof *names);
}

static void choose_shapes(const char *list)
{
    static const char *const names[] = {"gather",   "division", "wrap",    "shift",
                                        "cast",     "bits",     "narrow",  "below",
                                        "volatile", "spaces",   "overlay", "small"};
    const bool is_all = !strcmp(list, "all"), is_number = *list >= '0' && *list <= '9';
    settings.choice.how = is_number || !strcmp(list, "none") ? GEN_EXACTLY : GEN_SOME;
    settings.choice.shapes =
        is_all ? GEN_SHAPES : parse_set(list, names, sizeof names / sizeof *names);
}

static int only_seeds(void)
{
    struct gen_outcome outcome;
    if (!has_device(&outcome))
        return fprintf(stderr, "%s\n", outcome.message), 1;
    const uint32_t n_failed = run_seeds(settings.seed, settings.count);
    print_tally();
    return n_failed != 0 || is_flood();
}

static int by_hand(int argc, char **argv)
{
    bool print = false;
    settings.count = 1;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--print")) {
            print = true;
            continue;
        }
        if (!strcmp(argv[i], "--drivers")) {
            settings.show_drivers = true;
            continue;
        }
        if (!strcmp(argv[i], "--device"))
            settings.device = value;
        else if (!strcmp(argv[i], "--seed"))
            settings.seed = strtoull(value, NULL, 0);
        else if (!strcmp(argv[i], "--count"))
            settings.count = (uint32_t)strtoul(value, NULL, 0);
        else if (!strcmp(argv[i], "--tries"))
            settings.tries = (uint32_t)strtoul(value, NULL, 0);
        else if (!strcmp(argv[i], "--without"))
            settings.choice.without = parse_without(value);
        else if (!strcmp(argv[i], "--shapes"))
            choose_shapes(value);
        else if (!strcmp(argv[i], "--judge"))
            settings.judge = value;
        else if (!strcmp(argv[i], "--options"))
            settings.options = value;
        else if (!strcmp(argv[i], "--device-name"))
            settings.on.name = value;
        else if (!strcmp(argv[i], "--driver"))
            settings.on.driver = value;
        else
            return fprintf(stderr, "%s: not an option\n", argv[i]), 2;
        i++;
    }
    if (print)
        return print_program();
    return settings.judge ? judge_program() : only_seeds();
}

/* QN_SEEDS=FIRST-LAST */
static int by_environment(const char *seeds)
{
    char *end;
    settings.seed = strtoull(seeds, &end, 10);
    const uint64_t last = *end == '-' ? strtoull(end + 1, &end, 10) : settings.seed;
    if (*end || last < settings.seed || last - settings.seed >= UINT32_MAX)
        return fprintf(stderr, "QN_SEEDS=%s: not FIRST-LAST\n", seeds), 2;
    settings.count = (uint32_t)(last - settings.seed + 1);
    settings.tries = 0;
    if (getenv("QN_KERNEL_SHAPES"))
        choose_shapes(getenv("QN_KERNEL_SHAPES"));
    return only_seeds();
}

static int n_batches(void)
{
    const char *n_programs = getenv("QN_PROGRAMS");
    if (n_programs && *n_programs)
        return (atoi(n_programs) + BATCH - 1) / BATCH;
    return getenv("QN_LONG") ? LONG_BATCHES : SHORT_BATCHES;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return by_hand(argc, argv);
    if (getenv("QN_SEEDS"))
        return by_environment(getenv("QN_SEEDS"));
    const char *require = getenv("QN_REQUIRE");
    struct gen_outcome outcome;
    Suite *s = suite_create("differential");
    TCase *t = tcase_create("differential"), *own = tcase_create("generator");
    tcase_set_tags(own, "no_driver");
    tcase_add_test(own, every_random_program_keeps_the_rules_of_the_generator);
    tcase_add_loop_test(own, the_interpretation_of_an_operation_is_a_gpus, 0,
                        sizeof on_a_gpu / sizeof *on_a_gpu);
    tcase_add_loop_test(own, the_interpretation_of_a_cast_is_a_gpus, 0,
                        sizeof casts_on_a_gpu / sizeof *casts_on_a_gpu);
    tcase_add_loop_test(own, the_interpretation_of_a_function_is_a_gpus, 0,
                        sizeof calls_on_a_gpu / sizeof *calls_on_a_gpu);
    tcase_add_loop_test(own, a_program_that_reads_what_nobody_has_written_is_not_accepted, 0, 2);
    tcase_add_test(own, a_seed_always_gives_the_same_program);
    tcase_add_loop_test(own, shrinking_keeps_what_fails_and_little_else, 0,
                        sizeof shrink_cases / sizeof shrink_cases[0]);
    const bool found = has_device(&outcome);
    if (found) {
        tcase_add_test(t, one_program_of_a_source_can_be_run_alone);
        tcase_add_test(t, the_second_opinion_is_of_the_device_that_is_named);
        tcase_add_test(t, seeds_that_failed_once_pass);
        tcase_add_loop_test(t, the_device_computes_what_the_interpreter_computes, 0, n_batches());
        tcase_add_test(t, the_driver_makes_few_mistakes);
    } else {
        printf("skip: %s\n", outcome.message);
    }
    suite_add_tcase(s, own);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_set_fork_status(r, CK_NOFORK); /* the programs run in children of their own */
    srunner_run_all(r, CK_ENV);
    if (found)
        print_tally();
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0 || (!found && require != NULL);
}
