/* SPDX-License-Identifier: Apache-2.0
 *
 * kernels/ on the host: references against long double formulas, 16-bit conversions, launch plans,
 * the choice of a variant, and the inputs' power to show mistakes. No device is needed.
 *
 * covers: kernels/launch_plan kernels/op_case kernels/ref/argmax kernels/ref/attention
 * kernels/ref/gated_add kernels/ref/clamped_swiglu kernels/ref/expert_bias kernels/ref/head_part
 * kernels/ref/gelu kernels/ref/half_bits kernels/ref/moe_route kernels/ref/rmsnorm kernels/ref/rope
 * kernels/ref/sample kernels/ref/silu kernels/ref/softcap kernels/ref/softmax
 * kernels/ref/vector_add kernels/ref/weighted_sum kernels/ref/weights_ref */
#include "kernels/op_case.h"
#include "kernels/ref/ref.h"
#include "tests/kernels/half_cases.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void assert_near(const char *what, double got, long double want, double relative)
{
    const double error = (double)fabsl((long double)got - want);
    ck_assert_msg(error <= relative * (double)fabsl(want) + 1e-300, "%s: got %.17g, want %.17Lg",
                  what, got, want);
}

static const float some[] = {0.0f, -0.5f, 1.0f, -3.25f, 7.0f, 0.001f, -20.0f, 30.0f};
enum { N = COUNT(some) };

START_TEST(halves_round_to_the_nearest_even_at_every_boundary)
{
    struct half_case *cases = calloc(HALF_CASES_MAX, sizeof *cases);
    ck_assert_ptr_nonnull(cases);
    const uint32_t n = half_cases(cases);
    for (uint32_t i = 0; i < n; i++) {
        const uint16_t got = qn__half_of_float(cases[i].x);
        if (isnan(cases[i].x))
            ck_assert(half_is_nan(got));
        else
            ck_assert_msg(got == cases[i].want, "%.9g: got %04x, want %04x", (double)cases[i].x,
                          got, cases[i].want);
    }
    free(cases);
}
END_TEST

START_TEST(halves_widen_to_their_value)
{
    for (unsigned bits = 0; bits < HALF_INFINITY; bits++) {
        ck_assert((double)qn__float_of_half((uint16_t)bits) == half_value(bits));
        ck_assert((double)qn__float_of_half((uint16_t)(bits | 0x8000u)) == -half_value(bits));
    }
    ck_assert(qn__float_of_half(0x7c00) == INFINITY && qn__float_of_half(0xfc00) == -INFINITY);
    ck_assert(isnan(qn__float_of_half(0x7c01)) && isnan(qn__float_of_half(0xfe00)));
    ck_assert(signbit(qn__float_of_half(0x8000)) && qn__float_of_half(0x8000) == 0.0f);
}
END_TEST

START_TEST(bf16_rounds_to_the_nearest_even)
{
    static const struct {
        float x;
        uint16_t want;
    } rows[] = {
        {1.0f, 0x3f80},        {1.00390625f, 0x3f80}, /* midpoint, even below */
        {1.01171875f, 0x3f82},                        /* midpoint, even above */
        {1.0040f, 0x3f81},     {-1.0f, 0xbf80},       {3.4e38f, 0x7f80}, {INFINITY, 0x7f80},
        {-INFINITY, 0xff80},   {1e-45f, 0x0000},      {0.0f, 0x0000},    {-0.0f, 0x8000},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_msg(qn__bf16_of_float(rows[i].x) == rows[i].want, "%.9g: got %04x, want %04x",
                      (double)rows[i].x, qn__bf16_of_float(rows[i].x), rows[i].want);
    ck_assert(isnan(qn__float_of_bf16(qn__bf16_of_float(NAN))));
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        const float x = qn__float_of_bf16((uint16_t)bits);
        if (!isnan(x))
            ck_assert_uint_eq(qn__bf16_of_float(x), bits);
    }
}
END_TEST

START_TEST(element_references_follow_their_formulas)
{
    double add[N], silu[N], gated[N], gelu[N], gelu_gated[N], capped[N];
    qn__ref_vector_add(add, some, some + 1, N - 1);
    qn__ref_silu(silu, some, N);
    qn__ref_silu_mul(gated, some, some + 1, N - 1);
    qn__ref_gelu(gelu, some, N);
    qn__ref_gelu_mul(gelu_gated, some, some + 1, N - 1);
    qn__ref_softcap(capped, some, N, 4.0f);
    for (int i = 0; i < N; i++) {
        const long double x = (long double)some[i], sigmoid = 1 / (1 + expl(-x));
        const long double u = 2 * sqrtl(2 / acosl(-1.0L)) * (x + 0.044715L * x * x * x);
        assert_near("silu", silu[i], x * sigmoid, 1e-15);
        if (x > -5) /* below, 1 + tanh cancels in double as well; the tolerance has a floor */
            assert_near("gelu", gelu[i], x / (1 + expl(-u)), 1e-9);
        assert_near("softcap", capped[i], 4 * tanhl(x / 4), 1e-14);
        if (i + 1 < N) {
            if (x > -5)
                assert_near("gelu_mul", gelu_gated[i],
                            x / (1 + expl(-u)) * (long double)some[i + 1], 1e-9);
            assert_near("add", add[i], x + (long double)some[i + 1], 1e-15);
            assert_near("silu_mul", gated[i], x * sigmoid * (long double)some[i + 1], 1e-15);
        }
    }
}
END_TEST

START_TEST(row_references_follow_their_formulas)
{
    double norm[N], soft[N], y[2], scale[2];
    static const float x[] = {0.5f, -2.0f, 3.0f, 0.25f}, weight[] = {1.0f, 2.0f, -1.0f, 4.0f};
    float sizes[N];
    for (int i = 0; i < N; i++)
        sizes[i] = fabsf(some[i]);
    qn__ref_rmsnorm(norm, some, weight, 2, 4, 1e-5f);
    qn__ref_softmax(soft, some, 2, 4);
    qn__ref_matmul(y, scale,
                   &(struct qn__matmul){.w = some,
                                        .size = sizes,
                                        .x = x,
                                        .bias = weight,
                                        .before = x,
                                        .rows = 2,
                                        .n = 4,
                                        .tokens = 1});
    for (int r = 0; r < 2; r++) {
        const float *row = some + 4 * r;
        const long double bias = (long double)weight[r], before = (long double)x[r];
        long double squares = 0, exps = 0, sum = bias + before;
        long double terms = fabsl(bias) + fabsl(before);
        for (int i = 0; i < 4; i++) {
            squares += (long double)row[i] * (long double)row[i];
            exps += expl((long double)row[i]);
            sum += (long double)row[i] * (long double)x[i];
            terms += fabsl((long double)row[i] * (long double)x[i]);
        }
        assert_near("matvec", y[r], sum, 1e-14);
        assert_near("matvec scale", scale[r], terms, 1e-14);
        for (int i = 0; i < 4; i++) {
            const long double v = (long double)row[i];
            assert_near("rmsnorm", norm[4 * r + i],
                        v * (long double)weight[i] / sqrtl(squares / 4 + (long double)1e-5f),
                        1e-14);
            assert_near("softmax", soft[4 * r + i], expl(v) / exps, 1e-14);
        }
    }
}
END_TEST

START_TEST(softmax_gives_masked_elements_nothing_and_hides_no_nan)
{
    double out[3];
    qn__ref_softmax(out, (const float[]){1.0f, -INFINITY, 1.0f}, 1, 3);
    ck_assert(out[0] == 0.5 && out[1] == 0 && out[2] == 0.5);
    qn__ref_softmax(out, (const float[]){1.0f, NAN, 1.0f}, 1, 3);
    ck_assert(isnan(out[0]) && isnan(out[1]) && isnan(out[2]));
    qn__ref_softmax(out, (const float[]){-INFINITY, -INFINITY, -INFINITY}, 1, 3);
    ck_assert(isnan(out[0]));
}
END_TEST

START_TEST(rope_turns_pairs_and_copies_the_rest)
{
    static const float x[] = {1, 2, 3, 4, 5, 6}, inv_freq[] = {1.0f, 0.25f};
    static const int32_t pos[] = {3};
    static const struct {
        const char *name;
        enum qn__rope_pairs pairs;
        int first[2], second[2];
    } rows[] = {{"neox", QN__ROPE_NEOX, {0, 1}, {2, 3}},
                {"normal", QN__ROPE_NORMAL, {0, 2}, {1, 3}}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        double out[6], scale[6];
        qn__ref_rope(out, scale, x, pos, inv_freq,
                     &(struct qn__rope_shape){1, 1, 6, 4, rows[i].pairs, 0.5f});
        for (int k = 0; k < 2; k++) {
            const int a = rows[i].first[k], b = rows[i].second[k];
            const long double p = (long double)x[a], q = (long double)x[b];
            const long double angle = 3.0L * (long double)inv_freq[k];
            assert_near(rows[i].name, out[a], 0.5L * (p * cosl(angle) - q * sinl(angle)), 1e-14);
            assert_near(rows[i].name, out[b], 0.5L * (p * sinl(angle) + q * cosl(angle)), 1e-14);
            assert_near("scale", scale[a], 0.5L * (p + q), 1e-14);
        }
        ck_assert(out[4] == 5 && out[5] == 6 && scale[4] == 0);
    }
}
END_TEST

START_TEST(embed_marks_ids_outside_the_table)
{
    static const float table[] = {1, 2, 3, 4};
    static const int32_t ids[] = {1, -1, 2, 0};
    double out[8];
    qn__ref_embed(out, table, ids, 2.0f, 4, 2, 2);
    ck_assert(out[0] == 6 && out[1] == 8 && out[6] == 2 && out[7] == 4);
    ck_assert(isnan(out[2]) && isnan(out[3]) && isnan(out[4]) && isnan(out[5]));
}
END_TEST

START_TEST(matmul_takes_every_token)
{
    static const float w[] = {1, 2, 3, 4}, x[] = {1, 1, 10, 0}, before[] = {0, 100, 0, 0};
    double y[4], scale[4];
    qn__ref_matmul(
        y, scale,
        &(struct qn__matmul){
            .w = w, .size = w, .x = x, .before = before, .rows = 2, .n = 2, .tokens = 2});
    ck_assert(y[0] == 3 && y[1] == 107 && y[2] == 10 && y[3] == 30);
}
END_TEST

START_TEST(weighted_sum_joins_experts)
{
    static const float x[] = {1, 2, 10, 20}, weight[] = {0.5f, -2.0f};
    double out[2], scale[2];
    qn__ref_weighted_sum(out, scale, x, weight, 1, 2, 2);
    ck_assert(out[0] == -19.5 && out[1] == -39 && scale[0] == 20.5 && scale[1] == 41);
    qn__ref_weighted_sum(out, scale, x, weight, 1, 0, 2);
    ck_assert(out[0] == 0 && out[1] == 0);
}
END_TEST

START_TEST(gated_add_adds_a_share)
{
    static const float a[] = {1, 2, 3, 4}, b[] = {10, 20, 30, 40}, gate[] = {0.0f, -1e4f};
    double out[4], scale[4];
    qn__ref_gated_add(out, scale, a, b, gate, 2, 2);
    ck_assert(out[0] == 6 && out[1] == 12 && out[2] == 3 && out[3] == 4);
    ck_assert(scale[0] == 6 && scale[3] == 4);
}
END_TEST

START_TEST(clamped_swiglu_keeps_its_limits)
{
    static const float gate[] = {1, 9, -2}, up[] = {0.5f, -9, 7}, bias[] = {1, 0, 0};
    const struct qn__clamped_swiglu s = {gate, up, bias, NULL, 2, 3};
    const double want[] = {1.5 * 2 / (1 + exp(-4.0)), -2 * 3 / (1 + exp(-6.0)),
                           4 * -2 / (1 + exp(4.0))};
    double out[3], scale[3];
    qn__ref_clamped_swiglu(out, scale, &s, 1, 3);
    for (int i = 0; i < 3; i++)
        ck_assert(fabs(out[i] - want[i]) < 1e-15);
    ck_assert(scale[0] == (2 + 1 + 1) * (0.5 + 0.5 + 1));
}
END_TEST

START_TEST(expert_bias_adds_the_chosen_ones)
{
    static const float x[] = {1, 2}, bias[] = {10, 20, 100, 200, 1000, 2000}, weight[] = {0.5f, -1};
    static const int32_t ids[] = {2, 0};
    double out[2], scale[2];
    qn__ref_expert_bias(out, scale, x, bias, ids, weight, 1, 2, 2);
    ck_assert(out[0] == 491 && out[1] == 982 && scale[0] == 511 && scale[1] == 1022);
}
END_TEST

START_TEST(head_part_copies_and_clears)
{
    static const float x[] = {1, 2, 3, 4, 5, 6, 7};
    const struct qn__head_part p = {1, 2, 3, 2, 4, 1, 7, 3, 1};
    double out[8];
    qn__ref_head_part(out, x, &p);
    ck_assert(isnan(out[0]) && out[1] == 2 && out[2] == 3 && out[3] == 0);
    ck_assert(isnan(out[4]) && out[5] == 5 && out[6] == 6 && out[7] == 0);
}
END_TEST

/* A score of log 3 beside one position's 0: three quarters of the weight are gone. */
START_TEST(a_sink_takes_its_share)
{
    static const float q[] = {0, 0}, k[] = {1, 2}, v[] = {8, -4}, sinks[] = {1.0986123f};
    static const int32_t pos[] = {0};
    const struct qn__attention a = {.q = q,
                                    .k = k,
                                    .v = v,
                                    .pos = pos,
                                    .tokens = 1,
                                    .heads = 1,
                                    .kv_heads = 1,
                                    .head_dim = 2,
                                    .ctx = 1,
                                    .scale = 1,
                                    .sinks = sinks};
    double out[2], scale[2], part[4], part_scale[4], ms[4], ms_scale[4];
    qn__ref_attention(out, scale, &a);
    ck_assert(fabs(out[0] - 2) < 1e-6 && fabs(out[1] + 1) < 1e-6);
    qn__ref_attention_parts(part, part_scale, ms, ms_scale, &a, 2);
    ck_assert(fabs(ms[1] - 4.0 / 3) < 1e-6 && ms[3] == 0);
}
END_TEST

/* Two query heads on one key-value head of two elements, four positions, worked out here again. */
START_TEST(attention_sees_its_window_and_its_pieces)
{
    static const float q[] = {1.0f, 0.5f, -2.0f, 0.25f}, k[] = {1, 2, -1, 3, 0.5f, -2, 9, 9};
    static const float v[] = {1, -1, 2, 5, -3, 4, 100, 100};
    static const int32_t pos[] = {2};
    const struct qn__attention a = {.q = q,
                                    .k = k,
                                    .v = v,
                                    .pos = pos,
                                    .tokens = 1,
                                    .heads = 2,
                                    .kv_heads = 1,
                                    .head_dim = 2,
                                    .ctx = 4,
                                    .window = 2,
                                    .scale = 0.5f,
                                    .softcap = 3.0f};
    double out[4], scale[4], part[8], part_scale[8], ms[8], ms_scale[8], joined[4];
    float part_f32[8], ms_f32[8];
    qn__ref_attention(out, scale, &a);
    qn__ref_attention_parts(part, part_scale, ms, ms_scale, &a, 2);
    for (int i = 0; i < 8; i++) {
        part_f32[i] = (float)part[i];
        ms_f32[i] = (float)ms[i];
    }
    qn__ref_attention_combine(joined, scale, part_f32, ms_f32, 2, 2, 2);
    for (int h = 0; h < 2; h++) {
        long double e[2];
        for (int p = 0; p < 2; p++) { /* positions 1 and 2 */
            const long double dot = (long double)q[2 * h] * (long double)k[2 + 2 * p] +
                                    (long double)q[2 * h + 1] * (long double)k[3 + 2 * p];
            e[p] = expl(3 * tanhl(dot / 2 / 3));
            assert_near("m", ms[4 * h + 2 * p], 3 * tanhl(dot / 2 / 3), 1e-14);
            assert_near("sum", ms[4 * h + 2 * p + 1], 1, 1e-14);
        }
        for (int d = 0; d < 2; d++) {
            const long double want =
                (e[0] * (long double)v[2 + d] + e[1] * (long double)v[4 + d]) / (e[0] + e[1]);
            assert_near("attention", out[2 * h + d], want, 1e-14);
            assert_near("joined", joined[2 * h + d], want, 1e-6);
        }
    }
}
END_TEST

START_TEST(routing_takes_the_largest_and_the_first_of_equals)
{
    static const float logits[] = {1, 3, 3, 0, -2, -2, 5, -2};
    double ids[4], weight[4];
    qn__ref_moe_route(ids, weight, logits, 2, 4, 2, true, 1);
    ck_assert(ids[0] == 1 && ids[1] == 2 && ids[2] == 2 && ids[3] == 0);
    assert_near("equal", weight[0], 0.5L, 1e-15);
    assert_near("first", weight[2], 1 / (1 + expl(-7)), 1e-14);
    qn__ref_moe_route(ids, weight, logits, 2, 4, 2, false, 16);
    assert_near("of all", weight[2], 16 / (1 + 3 * expl(-7)), 1e-13);
}
END_TEST

START_TEST(argmax_takes_the_first_of_equals_and_the_first_nan)
{
    static const struct {
        const char *name;
        float x[4];
        double want;
    } rows[] = {
        {"plain", {1, 3, 2, -9}, 1},
        {"ties", {1, 3, 3, 3}, 1},
        {"zeros of both signs", {-0.0f, 0.0f, -1, -2}, 0},
        {"nan wins", {5, NAN, INFINITY, NAN}, 1},
        {"all -inf", {-INFINITY, -INFINITY, -INFINITY, -INFINITY}, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        double out;
        qn__ref_argmax(&out, rows[i].x, 1, 4);
        ck_assert_msg(out == rows[i].want, "%s: got %g", rows[i].name, out);
    }
    double none;
    qn__ref_argmax(&none, NULL, 1, 0);
    ck_assert(none == 4294967295.0);
}
END_TEST

START_TEST(penalties_make_logits_smaller_whatever_their_sign)
{
    static const float x[] = {3, -1, 0, 2};
    static const int32_t ids[] = {1, 3, 3, -1, 4};
    double out[4];
    qn__ref_repeat_penalty(out, x, ids, 5, 4, 0.5f, 2.0f);
    ck_assert(isnan(out[0]) && isnan(out[2]));
    ck_assert(out[1] == -2 && out[3] == 1);
}
END_TEST

START_TEST(top_k_is_in_order_with_the_first_of_equals_and_nan_last)
{
    static const float x[] = {1, NAN, 3, -INFINITY, 3, NAN, -0.0f, 0.0f};
    static const double order[] = {2, 4, 0, 6, 7, 3, 1, 5};
    double ids[8], value[8], best[3];
    for (size_t k = 1; k <= 8; k++) {
        qn__ref_top_k(ids, value, x, 8, k);
        for (size_t i = 0; i < k; i++)
            ck_assert_msg(ids[i] == order[i], "k %zu: place %zu has %g", k, i, ids[i]);
    }
    ck_assert(value[0] == 3 && value[5] == -INFINITY && isnan(value[7]));
    qn__ref_top_k_groups(best, x, 8, 3);
    ck_assert(best[0] == 2 && best[1] == 4 && best[2] == 6);
}
END_TEST

static const qn_device_info gpu = {.wave_width = 32,
                                   .compute_units = 132,
                                   .block_threads_max = 1024,
                                   .grid_max = {2147483647, 65535, 65535}};
static const qn_device_info amd = {
    .wave_width = 64, .compute_units = 104, .block_threads_max = 1024};
static const qn_device_info cpu = {
    .device_class = QN_DEVICE_CPU, .wave_width = 1, .compute_units = 8, .block_threads_max = 4096};

#define WORK(how, rows_, n_) {.kind = QN__LAUNCH_##how, .rows = rows_, .n = n_}

START_TEST(launch_plans_fit_the_work_and_the_device)
{
    static const struct {
        const char *name;
        const qn_device_info *dev;
        struct qn__work work;
        uint32_t block, want_grid, want_block;
    } rows[] = {
        {"gpu, one element", &gpu, WORK(ELEMENTS, 1, 1), 0, 1, 256},
        {"gpu, a big array is bounded", &gpu, WORK(ELEMENTS, 1, 1 << 30), 0, 132 * 8, 256},
        {"gpu, short rows by block", &gpu, WORK(BLOCK_PER_ROW, 3, 5), 0, 3, 32},
        {"gpu, long rows by block", &gpu, WORK(BLOCK_PER_ROW, 3, 128256), 0, 3, 1024},
        {"gpu, rows by wave", &gpu, WORK(WAVE_PER_ROW, 100, 4096), 0, 13, 256},
        {"wave 64, rows by wave", &amd, WORK(WAVE_PER_ROW, 100, 4096), 0, 25, 256},
        {"gpu, weights: four rows a block", &gpu, WORK(WEIGHT_ROWS, 4098, 64), 0, 1025, 128},
        {"gpu, block asked for", &gpu, WORK(ELEMENTS, 1, 4096), 64, 16, 64},
        {"cpu, small work is one block", &cpu, WORK(ELEMENTS, 1, 4096), 0, 1, 1},
        {"cpu, a few blocks per core", &cpu, WORK(ELEMENTS, 1, 1 << 24), 0, 32, 1},
        {"cpu, no more blocks than rows", &cpu, WORK(BLOCK_PER_ROW, 3, 1 << 20), 0, 3, 4},
        {"nothing to do is still a launch", &gpu, WORK(ELEMENTS, 0, 0), 0, 1, 256},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const qn_dims d = qn__launch_plan(&rows[i].work, rows[i].dev, rows[i].block);
        ck_assert_msg(d.grid[0] == rows[i].want_grid && d.block[0] == rows[i].want_block,
                      "%s: got %u x %u, want %u x %u", rows[i].name, d.grid[0], d.block[0],
                      rows[i].want_grid, rows[i].want_block);
    }
}
END_TEST

START_TEST(a_tuned_choice_says_block_and_grid)
{
    static const struct {
        const char *name;
        const qn_device_info *dev;
        struct qn__work work;
        struct qn__launch_choice choice;
        uint32_t want_grid, want_block;
    } rows[] = {
        {"0 is the plan's own", &gpu, WORK(ELEMENTS, 1, 1 << 30), {0, 0}, 132 * 8, 256},
        {"elements of a thread", &gpu, WORK(ELEMENTS, 1, 1 << 20), {128, 8}, 1024, 128},
        {"elements of a thread on a cpu", &cpu, WORK(ELEMENTS, 1, 1 << 20), {0, 1000}, 1049, 1},
        {"rows of a block", &gpu, WORK(BLOCK_PER_ROW, 99, 4096), {512, 2}, 50, 512},
        {"rows of a wave", &gpu, WORK(WAVE_PER_ROW, 99, 4096), {64, 3}, 17, 64},
        {"rows of a wave of 64", &amd, WORK(WAVE_PER_ROW, 99, 4096), {64, 3}, 33, 64},
        {"rows of weights of a block", &gpu, WORK(WEIGHT_ROWS, 4096, 64), {0, 16}, 256, 128},
        {"nothing to do is still a launch", &gpu, WORK(ELEMENTS, 0, 0), {0, 8}, 1, 256},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const qn_dims d = qn__launch_chosen(&rows[i].work, rows[i].dev, rows[i].choice);
        ck_assert_msg(d.grid[0] == rows[i].want_grid && d.block[0] == rows[i].want_block,
                      "%s: got %u x %u, want %u x %u", rows[i].name, d.grid[0], d.block[0],
                      rows[i].want_grid, rows[i].want_block);
    }
}
END_TEST

START_TEST(the_first_variant_that_accepts_is_taken)
{
    static const struct {
        const char *op;
        enum qn__dtype dtype;
        uint64_t n;
        const char *want;
    } rows[] = {
        {"rmsnorm", QN__F32, 128, "rmsnorm_f32_short"},  {"rmsnorm", QN__F32, 1025, "rmsnorm_f32"},
        {"softmax", QN__F16, 1024, "softmax_f16_short"}, {"softmax", QN__F16, 4096, "softmax_f16"},
        {"argmax", QN__F16, 64, "argmax_f16"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct qn__op_row *row = qn__op_select(rows[i].op, rows[i].dtype, rows[i].n);
        ck_assert_ptr_nonnull(row);
        ck_assert_str_eq(row->info.kernel, rows[i].want);
    }
    ck_assert_ptr_null(qn__op_select("no such op", QN__F32, 1));
}
END_TEST

/* A case is only a test when a small mistake breaks it: neighbouring outputs differ by more than
 * the tolerance nearly everywhere, and an output that is zero does not hide an unwritten one. */
START_TEST(inputs_make_a_shifted_result_fail)
{
    const uint32_t index = (uint32_t)_i;
    const struct qn__op_row *row = qn__op_row(index);
    uint32_t n, n_small;
    const struct qn__op_shape *shapes = qn__op_shapes(row->op, &n, &n_small);
    for (uint32_t i = 0; i < n_small; i++) {
        struct qn__arena arena = {0};
        struct qn__op_case c;
        if (!qn__op_accepts(row, &shapes[i]))
            continue;
        ck_assert_int_eq(qn__op_case_init(&c, &arena, row, &shapes[i]), QN_OK);
        ck_assert_msg(c.shape[0] && c.n_arrays >= 2 && c.bytes > 0, "%s", row->info.kernel);
        uint64_t hidden = 0;
        const uint64_t n_out = c.arrays[0].n;
        for (uint64_t e = 0; e + 1 < n_out; e++)
            hidden +=
                fabs(c.arrays[0].want[e] - c.arrays[0].want[e + 1]) <= c.arrays[0].tolerance[e];
        /* with no experts all is zero, NaN rows compare unequal, and indices may repeat */
        if (shapes[i].k != 0 || row->op != QN__OP_weighted_sum)
            ck_assert_msg(hidden * 2 <= n_out, "%s %s: %llu of %llu neighbours are alike",
                          row->info.kernel, c.shape, (unsigned long long)hidden,
                          (unsigned long long)n_out);
        qn__arena_release(&arena);
    }
}
END_TEST

START_TEST(every_kernel_has_its_source_embedded)
{
    const qn_op_info *info = qn_op_get((uint32_t)_i);
    const struct qn__format *f =
        qn__op_row((uint32_t)_i)->format; /* then a macro names the kernels */
    static const char *const macros[] = {"QK_WEIGHT_KERNELS", "QK_TILE_KERNELS", "QK_FUSED_KERNEL",
                                         "QK_PRODUCT_KERNEL"};
    bool found = !f && strstr(info->source, info->kernel);
    for (size_t i = 0; f && i < COUNT(macros); i++) {
        char entries[64];
        snprintf(entries, sizeof entries, "%s(%s,", macros[i], f->name);
        found |= strstr(info->source, entries) != NULL;
    }
    ck_assert(found);
    ck_assert(info->brief[0] && info->file[0]);
    ck_assert_uint_gt(qn_op_count_shapes((uint32_t)_i, true), 0);
    ck_assert_uint_ge(qn_op_count_shapes((uint32_t)_i, false),
                      qn_op_count_shapes((uint32_t)_i, true));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ref");
    TCase *host = tcase_create("host");
    tcase_add_test(host, halves_round_to_the_nearest_even_at_every_boundary);
    tcase_add_test(host, halves_widen_to_their_value);
    tcase_add_test(host, bf16_rounds_to_the_nearest_even);
    tcase_add_test(host, element_references_follow_their_formulas);
    tcase_add_test(host, row_references_follow_their_formulas);
    tcase_add_test(host, softmax_gives_masked_elements_nothing_and_hides_no_nan);
    tcase_add_test(host, rope_turns_pairs_and_copies_the_rest);
    tcase_add_test(host, embed_marks_ids_outside_the_table);
    tcase_add_test(host, matmul_takes_every_token);
    tcase_add_test(host, weighted_sum_joins_experts);
    tcase_add_test(host, gated_add_adds_a_share);
    tcase_add_test(host, clamped_swiglu_keeps_its_limits);
    tcase_add_test(host, expert_bias_adds_the_chosen_ones);
    tcase_add_test(host, head_part_copies_and_clears);
    tcase_add_test(host, a_sink_takes_its_share);
    tcase_add_test(host, attention_sees_its_window_and_its_pieces);
    tcase_add_test(host, routing_takes_the_largest_and_the_first_of_equals);
    tcase_add_test(host, argmax_takes_the_first_of_equals_and_the_first_nan);
    tcase_add_test(host, penalties_make_logits_smaller_whatever_their_sign);
    tcase_add_test(host, top_k_is_in_order_with_the_first_of_equals_and_nan_last);
    tcase_add_test(host, launch_plans_fit_the_work_and_the_device);
    tcase_add_test(host, a_tuned_choice_says_block_and_grid);
    tcase_add_test(host, the_first_variant_that_accepts_is_taken);
    tcase_add_loop_test(host, inputs_make_a_shifted_result_fail, 0, (int)qn_op_count());
    tcase_add_loop_test(host, every_kernel_has_its_source_embedded, 0, (int)qn_op_count());
    suite_add_tcase(suite, host);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
