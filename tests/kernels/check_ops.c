/* SPDX-License-Identifier: Apache-2.0
 *
 * Every kernel of kernels.def on the device chosen by QUERN_BACKEND and QUERN_DEVICE (on a machine
 * without a GPU: PoCL on the CPU): against its reference over all shapes, with other block sizes,
 * in place where its contract allows it; and that a wrong kernel is found out. QN_SHAPES=all adds
 * the large shapes.
 *
 *     check_ops                   the tests
 *     check_ops --check FOLDER    the small shapes as words of quern check, for
 * check_kernel_threads.sh
 *
 * Nothing is stored: for the binary of a program PoCL compiles each of its kernels once more, which
 * would double the time. check_selftest.sh runs the same kernels as a user does, with a cache.
 *
 * covers: kernels/ops kernels/op_run kernels/op_timing kernels/op_choice kernels/op_rows
 * kernels/op_case kernels/op_case_build kernels/op_case_attention kernels/op_case_experts
 * kernels/op_case_sample kernels/op_case_weights kernels/op_case_tiles kernels/op_case_product
 * kernels/product kernels/op_case_token kernels/tiles kernels/op_case_dots kernels/op_case_phase
 * kernels/phase kernels/ref/row_sum */
#include "base/str.h"
#include "kernels/launch_sizes.h"
#include "kernels/op_run.h"
#include "kernels/ref/ref.h"
#include "tests/kernels/half_cases.h"
#include "tests/kernels/op_words.h"
#include "tests/runtime_fixture.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void assert_passed(const char *kernel, const char *how, qn_status s,
                          const qn_op_report *report)
{
    ck_assert_msg(s == QN_OK, "%s (%s%s)", qn_message(), kernel, how);
    ck_assert_msg(report->passed,
                  "%s %s%s: element %llu: got %.9g, want %.9g, %.3g times the tolerance", kernel,
                  report->shape, how, (unsigned long long)report->worst_element, report->got,
                  report->want, report->max_error);
}

/* Run shapes of a kernel, which is built once, with one set of options. */
static void run_shapes(const struct qn__op_row *row, const char *how, bool small_only,
                       const struct qn__op_run_options *options)
{
    uint32_t n, n_small;
    const struct qn__op_shape *shapes = qn__op_shapes(row->op, &n, &n_small);
    struct qn__op_run_options with = *options;
    must(qn__op_build(&with.module, device, row, NULL));
    for (uint32_t i = 0; i < (small_only ? n_small : n); i++) {
        qn_op_report report = {0};
        if (!qn__op_accepts(row, &shapes[i]))
            continue;
        const qn_status s = qn__op_run(&report, device, row, &shapes[i], &with);
        assert_passed(row->info.kernel, how, s, &report);
        qn_op_report_release(&report);
    }
    qn_module_close(with.module);
}

/* Rows of kernels.def a test runs on: only those are counted. */
enum { ROWS_MAX = 512 };
struct rows {
    uint32_t index[ROWS_MAX];
    int n;
};
static struct rows checked, typical, in_place, as_on_gpu;

static void add_row(struct rows *rows, uint32_t index)
{
    if (rows->n < ROWS_MAX)
        rows->index[rows->n++] = index;
    else
        abort(); /* ROWS_MAX is too small */
}

/* Formats of weights differ in what they load, not in how work is divided: two of them stand for
 * all where only that is tried. */
static bool is_typical(const struct qn__op_row *row)
{
    return !row->format || getenv("QN_LONG") || row->format->id == QN__FORMAT_f16 ||
           row->format->id == QN__FORMAT_q6_k;
}

/* Formats that a GPU's threads load in another way than a CPU's. */
static bool is_loaded_differently(const struct qn__op_row *row)
{
    return row->op == QN__OP_unpack &&
           (row->format->id == QN__FORMAT_iq4_xs || row->format->id == QN__FORMAT_mxfp4 ||
            row->format->id == QN__FORMAT_nvfp4 || row->format->id == QN__FORMAT_tq1_0 ||
            row->format->id == QN__FORMAT_iq2_xxs || row->format->id == QN__FORMAT_iq3_s);
}

/* Their outputs have the shape of an input. */
static bool may_work_in_place(const struct qn__op_row *row)
{
    switch (row->op) {
    case QN__OP_weighted_sum:
    case QN__OP_kv_store:
    case QN__OP_attention_decode_f16:
    case QN__OP_attention_decode_q8_0:
    case QN__OP_attention_combine:
    case QN__OP_attention_prompt_f16:
    case QN__OP_attention_prompt_q8_0:
    case QN__OP_attention_decode_sinks_f16:
    case QN__OP_attention_decode_sinks_q8_0:
    case QN__OP_attention_prompt_sinks_f16:
    case QN__OP_attention_prompt_sinks_q8_0:
    case QN__OP_moe_route:
    case QN__OP_head_part:
    case QN__OP_matvec:
    case QN__OP_matmul:
    case QN__OP_embed:
    case QN__OP_unpack:
    case QN__OP_repeat_penalty:
    case QN__OP_top_k_groups:
    case QN__OP_top_k_heads:
    case QN__OP_top_k:
    case QN__OP_attention_token_f16:
    case QN__OP_attention_token_q8_0:
    case QN__OP_fused:
    case QN__OP_phase:
    case QN__OP_phases:
    case QN__OP_prepare:
    case QN__OP_product:
    case QN__OP_inputs:
    case QN__OP_attention_tensor_f16:
    case QN__OP_attention_tensor_q8_0:
    case QN__OP_tile:
    case QN__OP_untile:
    case QN__OP_unpack_tiles:
    case QN__OP_quantise:
    case QN__OP_dots_u4:
    case QN__OP_dots_u4_min:
    case QN__OP_dots_u5:
    case QN__OP_dots_u5_min:
    case QN__OP_dots_u6:
    case QN__OP_dots_u8:
    case QN__OP_row_sum:
    case QN__OP_argmax:
    case QN__OP_choose: return false;
    default: return true;
    }
}

static void choose_rows(void)
{
    /* a sanitizer sees the host's code, which is the same for every format */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    const bool all_formats = false;
#else
    const bool all_formats = true;
#endif
    for (uint32_t i = 0; i < qn_op_count(); i++) {
        const struct qn__op_row *row = qn__op_row(i);
        if (all_formats || is_typical(row))
            add_row(&checked, i);
        if (is_typical(row))
            add_row(&typical, i);
        if (is_typical(row) || is_loaded_differently(row))
            add_row(&as_on_gpu, i);
        if (may_work_in_place(row))
            add_row(&in_place, i);
    }
}

START_TEST(every_kernel_matches_its_reference)
{
    const char *shapes = getenv("QN_SHAPES");
    run_shapes(qn__op_row(checked.index[_i]), "", !shapes || strcmp(shapes, "all") != 0,
               &(struct qn__op_run_options){0});
}
END_TEST

/* Block sizes that are no power of two; and, where a block reduces, more waves than the last step
 * of a reduction takes. Not one or two threads: PoCL 3.1 aborts on some kernels then
 * (launch_plan.c). */
START_TEST(every_block_size_gives_the_same_result)
{
    const struct qn__op_row *row = qn__op_row(typical.index[_i]);
    const qn_device_info *info = qn_device_get_info(device);
    const uint32_t waves[] = {5, row->launch == QN__LAUNCH_BLOCK_PER_ROW ? 12 : 5};
    for (size_t i = 0; i < COUNT(waves); i++) {
        const uint32_t block = waves[i] * info->wave_width;
        char how[32];
        snprintf(how, sizeof how, " block=%u", block);
        if (block <= info->block_threads_max && (i == 0 || waves[i] != waves[0]))
            run_shapes(row, how, true, &(struct qn__op_run_options){.block = block});
    }
}
END_TEST

/* On a CPU a kernel walks memory alone; here it shares every row as on a GPU without shuffles. */
START_TEST(a_gpus_division_of_work_gives_the_same_result)
{
    struct qn__op_row row = *qn__op_row(as_on_gpu.index[_i]);
    struct qn__str s = {0};
    if (qn__kernel_wave(qn_device_get_info(device)) > 1)
        return; /* every other test is this one */
    qn__str_add(&s, "#define QK_COALESCE 1\n");
    qn__str_add(&s, row.info.source);
    ck_assert_int_eq(qn__str_check(&s), QN_OK);
    row.info.source = s.text;
    run_shapes(&row, " as on a GPU", true, &(struct qn__op_run_options){.block = 8});
    qn__str_release(&s);
}
END_TEST

START_TEST(contracts_that_allow_it_work_in_place)
{
    run_shapes(qn__op_row(in_place.index[_i]), " in place", true,
               &(struct qn__op_run_options){.in_place = true});
}
END_TEST

START_TEST(timing_reports_milliseconds_and_bandwidth)
{
    qn_op_report report;
    must(qn_op_check(&report, device, 0, 0, 3));
    ck_assert(report.passed && report.ms > 0 && report.gb_per_s > 0);
    ck_assert_ptr_nonnull(report.build.text);
    qn_op_report_release(&report);
}
END_TEST

START_TEST(a_shape_index_past_the_last_is_refused)
{
    qn_op_report report;
    must_not(QN_E_INVALID, qn_op_check(&report, device, 0, 1000, 0));
    qn_op_report_release(&report);
}
END_TEST

/* Mistakes of the usual kinds, made in our own sources: the check must see each of them. */
static const struct mistake {
    const char *name, *kernel, *good, *bad;
    bool is_outside; /* the report points outside the output */
} mistakes[] = {
    {"wrong operator", "vector_add_f32", "return a + b", "return a - b", false},
    {"last element left out", "vector_add_f32", "(out, a, b, n)", "(out, a, b, n - 1)", false},
    {"one element too many", "vector_add_f32", "(out, a, b, n)", "(out, a, b, n + 1)", true},
    {"in front of the output", "silu_f16", "(out, x, n)", "(out - 1, x, n)", true},
    {"sum over n - 1", "rmsnorm_f32", "sum_of_squares<Team>(row, n)",
     "sum_of_squares<Team>(row, n - 1)", false},
    {"the other pairing", "rope_neox_f32", "rope<neox,", "rope<normal,", false},
    {"sine with the wrong sign", "rope_normal_f16", "qk_sincosf(angle", "qk_sincosf(-angle", false},
    {"last of equals", "argmax_f32", "~(qk_u32)index", "(qk_u32)index", false},
    {"the window ignored", "attention_decode_f16", "ctx, window,", "ctx, 0,", false},
    {"keys and values exchanged", "attention_prompt_f16", "q, k, v, pos", "q, v, k, pos", false},
    {"the soft-cap left out", "attention_decode_q8_0", "scale, softcap);", "scale, 0.0f);", false},
    {"scores not scaled", "attention_prompt_q8_0", "window, scale,", "window, 1.0f,", false},
    {"a piece forgotten", "attention_combine_f32", "qk_share(splits,", "qk_share(splits - 1,",
     false},
    {"the score besides of another head", "attention_decode_sinks_f16", "softcap, sinks",
     "softcap, sinks + 1", false},
    {"the score besides forgotten", "attention_prompt_sinks_q8_0", "softcap, sinks",
     "softcap, nullptr", false},
    {"another expert's bias", "clamped_swiglu_f32", "(qk_u32)pick[0]", "(qk_u32)(pick[0] - 1)",
     false},
    {"no limit", "clamped_swiglu_f32", ", -limit), limit)", ", -limit), 2 * limit)", false},
    {"weights forgotten", "expert_bias_f32", "weight[row * k + c] *", "", false},
    {"what follows is kept", "head_part_f32", "at < copied", "at <= copied", false},
    {"the first head's part for all", "head_part_f32", "(qk_u64)head * x_head", "x_head", false},
    {"not scaled", "moe_route_f32", "/ sum * scale", "/ sum", false},
    {"the row behind", "kv_store_f16", "ctx + (qk_u32)pos", "ctx + 1 + (qk_u32)pos", false},
    {"normalised when it should not be", "moe_route_f32", "if (!normalise)", "if (normalise)",
     false},
    {"the sign forgotten", "repeat_penalty_f32", "x[id] > 0.0f ? shrink : grow", "shrink", false},
    {"last of equals in a group", "top_k_groups_f32", "(qk_u32)~index", "index", false},
    {"one group too few", "top_k_f32", "n_heads = qk_min(k,", "n_heads = qk_min(k - 1,", false},
    {"NaN before everything", "top_k_f32", "order = 0; /* NaN */", "order = ~0u;", false},
    {"only the heads of the groups", "top_k_f32", "key >= least ?", "key > ~0ull - 1 ?", false},
    {"scale of the wrong place", "matvec_q8_0", "qk_half_at(block)", "qk_half_at(block + 2)",
     false},
    {"scale of another block", "embed_q4_0", "qk_half_at(block)", "qk_half_at(block + 18)", false},
    {"an offset left out", "dots_u4_min", "dots_u4_min, qk_codes_u4, true",
     "dots_u4_min, qk_codes_u4, false", false},
    {"sums of the other half", "quantise_f32", "sums[half] = sum[half]",
     "sums[half] = sum[1 - half]", false},
    {"cut off, not rounded", "quantise_f32", "x[at] * inverse + magic",
     "x[at] * inverse - 0.5f + magic", false},
    {"halves of a byte exchanged", "unpack_q4_0", "qk_bits(codes, 4, 4)", "qk_bits(codes, 0, 4)",
     false},
};

static char *replaced(const char *text, const char *good, const char *bad)
{
    struct qn__str s = {0};
    const size_t n = strlen(good);
    ck_assert_msg(strstr(text, good) != NULL, "'%s' is not in the source any more", good);
    for (const char *at; (at = strstr(text, good)); text = at + n) {
        qn__str_add_bytes(&s, text, (size_t)(at - text));
        qn__str_add(&s, bad);
    }
    qn__str_add(&s, text);
    ck_assert_int_eq(qn__str_check(&s), QN_OK);
    return qn__str_take(&s);
}

static uint64_t elements_of_output(const struct qn__op_row *row, const struct qn__op_shape *shape)
{
    struct qn__arena arena = {0};
    struct qn__op_case c;
    ck_assert_int_eq(qn__op_case_init(&c, &arena, row, shape), QN_OK);
    qn__arena_release(&arena);
    return c.arrays[0].n;
}

START_TEST(a_wrong_kernel_is_found_out)
{
    const struct mistake *m = &mistakes[_i];
    struct qn__op_row row = {0};
    for (uint32_t i = 0; i < qn_op_count(); i++)
        if (strcmp(qn__op_row(i)->info.kernel, m->kernel) == 0)
            row = *qn__op_row(i);
    char *source = replaced(row.info.source, m->good, m->bad);
    row.info.source = source;
    uint32_t n, n_small, found = 0;
    bool outside = false;
    char last[160] = "";
    const struct qn__op_shape *shapes = qn__op_shapes(row.op, &n, &n_small);
    struct qn__op_run_options options = {0};
    must(qn__op_build(&options.module, device, &row, NULL));
    for (uint32_t i = 0; i < n_small; i++) {
        qn_op_report report = {0};
        if (!qn__op_accepts(&row, &shapes[i]))
            continue;
        const qn_status s = qn__op_run(&report, device, &row, &shapes[i], &options);
        ck_assert_msg(s == QN_OK, "%s: %s", m->name, qn_message());
        found += !report.passed;
        outside |= report.worst_element >= elements_of_output(&row, &shapes[i]);
        if (!report.passed)
            snprintf(last, sizeof last, "%s: element %lld: got %.9g, want %.9g", report.shape,
                     (long long)report.worst_element, report.got, report.want);
        qn_op_report_release(&report);
    }
    qn_module_close(options.module);
    free(source);
    ck_assert_msg(found > 0, "%s: every shape passed", m->name);
    ck_assert_msg(outside == m->is_outside, "%s: reported %s the output (%s)", m->name,
                  outside ? "outside" : "inside", last);
}
END_TEST

/* -- 16-bit conversions on the device -- */

static const char convert_source[] =
    "#include \"quern_kernel.cuh\"\n"
    "extern \"C\" __global__ void widen(float *half, float *bf16, qk_u32 n)\n"
    "{\n"
    "    const qk_span s = qk_grid_share(n);\n"
    "    for (qk_u64 i = s.begin; i < s.end; i += s.step) {\n"
    "        qk_half h;\n"
    "        qk_bf16 b;\n"
    "        h.bits = b.bits = (qk_u16)i;\n"
    "        half[i] = qk_float(h);\n"
    "        bf16[i] = qk_float(b);\n"
    "    }\n"
    "}\n"
    "extern \"C\" __global__ void narrow(qk_half *half, qk_bf16 *bf16, const float *x, qk_u32 n)\n"
    "{\n"
    "    const qk_span s = qk_grid_share(n);\n"
    "    for (qk_u64 i = s.begin; i < s.end; i += s.step) {\n"
    "        half[i] = qk_half_of(x[i]);\n"
    "        bf16[i] = qk_bf16_of(x[i]);\n"
    "    }\n"
    "}\n";

static void launch_convert(const char *kernel, uint32_t n, void *const *args)
{
    qn_module *module = NULL;
    const qn_kernel *k = NULL;
    const qn_source source = {.text = convert_source, .path = "convert.cu"};
    const struct qn__work work = {.kind = QN__LAUNCH_ELEMENTS, .rows = 1, .n = n};
    const qn_dims dims = qn__launch_plan(&work, qn_device_get_info(device), 0);
    must(qn_module_build(&module, device, &source, NULL, NULL));
    must(qn_kernel_find(&k, module, kernel));
    must(qn_stream_launch(stream, k, &dims, args));
    must(qn_stream_sync(stream));
    qn_module_close(module);
}

START_TEST(all_65536_halves_and_bf16_widen_exactly)
{
    uint32_t n = 0x10000;
    float *half = calloc(n, sizeof *half), *bf16 = calloc(n, sizeof *bf16);
    qn_addr d_half = alloc(n * 4), d_bf16 = alloc(n * 4);
    launch_convert("widen", n, (void *[]){&d_half, &d_bf16, &n});
    must(qn_memory_download(device, half, d_half, n * 4, NULL));
    must(qn_memory_download(device, bf16, d_bf16, n * 4, NULL));
    for (uint32_t i = 0; i < n; i++) {
        const float want = qn__float_of_half((uint16_t)i);
        const uint32_t want_bf16 = i << 16;
        if (isnan(want))
            ck_assert_msg(isnan(half[i]), "half %04x: got %.9g, want NaN", i, (double)half[i]);
        else
            ck_assert_msg(memcmp(&half[i], &want, 4) == 0, "half %04x: got %.9g, want %.9g", i,
                          (double)half[i], (double)want);
        if (!isnan(bf16[i]))
            ck_assert_msg(memcmp(&bf16[i], &want_bf16, 4) == 0, "bf16 %04x: got %.9g", i,
                          (double)bf16[i]);
        else
            ck_assert((i & 0x7fff) > 0x7f80);
    }
    must(qn_memory_free(device, d_half));
    must(qn_memory_free(device, d_bf16));
    free(half);
    free(bf16);
}
END_TEST

/* Every boundary of half rounding, and floats of all exponents with mixed bits. */
START_TEST(floats_round_to_half_and_bf16_at_every_boundary)
{
    enum { SAMPLES = 1 << 18 };
    struct half_case *cases = calloc(HALF_CASES_MAX + SAMPLES, sizeof *cases);
    uint32_t n = half_cases(cases);
    for (uint32_t i = 0, bits = 0; i < SAMPLES; i++, bits += 0x4001u * 0x9e3779b1u) {
        memcpy(&cases[n].x, &bits, 4);
        cases[n].want = qn__half_of_float(cases[n].x);
        n++;
    }
    float *x = calloc(n, sizeof *x);
    uint16_t *half = calloc(n, 2), *bf16 = calloc(n, 2);
    for (uint32_t i = 0; i < n; i++)
        x[i] = cases[i].x;
    qn_addr d_x = alloc(n * 4), d_half = alloc(n * 2), d_bf16 = alloc(n * 2);
    must(qn_memory_upload(device, d_x, x, n * 4, NULL));
    launch_convert("narrow", n, (void *[]){&d_half, &d_bf16, &d_x, &n});
    must(qn_memory_download(device, half, d_half, n * 2, NULL));
    must(qn_memory_download(device, bf16, d_bf16, n * 2, NULL));
    for (uint32_t i = 0; i < n; i++) {
        const uint16_t want = qn__bf16_of_float(x[i]);
        ck_assert_msg(isnan(x[i]) ? half_is_nan(half[i]) : half[i] == cases[i].want,
                      "half of %.9g: got %04x, want %04x", (double)x[i], half[i], cases[i].want);
        ck_assert_msg(isnan(x[i]) ? (bf16[i] & 0x7fff) > 0x7f80 : bf16[i] == want,
                      "bf16 of %.9g: got %04x, want %04x", (double)x[i], bf16[i], want);
    }
    must(qn_memory_free(device, d_x));
    must(qn_memory_free(device, d_half));
    must(qn_memory_free(device, d_bf16));
    free(x);
    free(half);
    free(bf16);
    free(cases);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--check") == 0)
        return op_words_print(argv[2]);
    setenv("QUERN_CACHE_MODE", "read-only", 0);
    choose_rows();
    const struct fixture_case cases[] = {
        {every_kernel_matches_its_reference, checked.n},
        {every_block_size_gives_the_same_result, typical.n},
        {a_gpus_division_of_work_gives_the_same_result, as_on_gpu.n},
        {contracts_that_allow_it_work_in_place, in_place.n},
        {timing_reports_milliseconds_and_bandwidth, 1},
        {a_shape_index_past_the_last_is_refused, 1},
        {a_wrong_kernel_is_found_out, COUNT(mistakes)},
        {all_65536_halves_and_bf16_widen_exactly, 1},
        {floats_round_to_half_and_bf16_at_every_boundary, 1},
        {NULL, 0},
    };
    return fixture_run("ops", NULL, NULL, NULL, cases);
}
