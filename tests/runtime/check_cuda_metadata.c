/* SPDX-License-Identifier: Apache-2.0
 *
 * What cubin and PTX say about a kernel's arguments: of all that NVRTC makes, and of files that are
 * damaged. Needs no GPU.
 *
 * covers: runtime/cuda/cuda_metadata */
#include "runtime/cuda/cuda_metadata.h"

#include <check.h>
#include <quern/quern.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(array) ((int)(sizeof(array) / sizeof *(array)))

enum { ARGS_MAX = 8 };

struct wanted {
    const char *symbol;
    uint32_t sizes[ARGS_MAX]; /* ended by 0 */
};

static void check_sizes(const char *where, const struct wanted *w, const qn_arg_info *args,
                        uint32_t n)
{
    uint32_t want = 0;
    while (want < ARGS_MAX && w->sizes[want])
        want++;
    ck_assert_msg(n == want, "%s: %s has %u arguments, want %u", where, w->symbol, n, want);
    for (uint32_t i = 0; i < n; i++)
        ck_assert_msg(args[i].size_bytes == w->sizes[i],
                      "%s: argument %u of %s has %u bytes, not %u", where, i, w->symbol,
                      args[i].size_bytes, w->sizes[i]);
}

/* -- what NVRTC makes -- */

static const char source_text[] =
    "struct big { float x[1200]; };\n"
    "struct odd { char c[3]; };\n"
    "extern \"C\" __global__ void none() {}\n"
    "extern \"C\" __global__ void two(float *out, int n) { out[0] = n; }\n"
    "extern \"C\" __global__ void unused(float *out, double d, char c, short s, odd o, int n)\n"
    "{ out[0] = n; }\n"
    "extern \"C\" __global__ void large(float *out, big b, char c) { out[0] = b.x[c]; }\n"
    "template <typename T> __global__ void with(T *out, T v, float4 w) { out[0] = v + w.x; }\n";

static const struct wanted of_source[] = {
    {"none", {0}},
    {"two", {8, 4}},
    {"unused", {8, 8, 1, 2, 3, 4}},
    {"large", {8, 4800, 1}},
    {"_Z4withIiEvPT_S0_6float4", {8, 4, 16}},
};

/* of the oldest and newest kinds of cubin, those with large arguments, and PTX */
static const char *const targets[] = {"cuda:sm_75",  "cuda:sm_86",  "cuda:sm_90",
                                      "cuda:sm_100", "cuda:sm_120", "cuda:compute_80"};

static qn_status read_image(const qn_arg_info **args, uint32_t *n, struct qn__arena *arena,
                            const qn_image_info *info, const char *symbol)
{
    return info->kind == QN_IMAGE_CUBIN
               ? qn__cubin_arguments(args, n, arena, info->bytes, info->size_bytes, symbol)
               : qn__ptx_arguments(args, n, arena, info->bytes, info->size_bytes, symbol);
}

static qn_image *compile(const char *target)
{
    static const char *const names[] = {"with<int>"};
    const qn_source source = {
        .text = source_text, .path = "arguments.cu", .names = names, .n_names = 1};
    qn_image *image;
    const qn_status s = qn_compile(&image, &source, target, NULL, NULL);
    ck_assert_msg(s == QN_OK, "%s: %s", target, qn_message());
    return image;
}

START_TEST(arguments_are_those_of_the_source)
{
    qn_image *image = compile(targets[_i]);
    const qn_image_info *info = qn_image_get_info(image);
    struct qn__arena arena = {0};
    const qn_arg_info *args;
    uint32_t n;
    for (int i = 0; i < N(of_source); i++) {
        const qn_status s = read_image(&args, &n, &arena, info, of_source[i].symbol);
        ck_assert_msg(s == QN_OK, "%s: %s", targets[_i], qn_message());
        check_sizes(targets[_i], &of_source[i], args, n);
    }
    ck_assert_int_eq(read_image(&args, &n, &arena, info, "tw"), QN_E_NOT_FOUND);
    ck_assert_int_eq(read_image(&args, &n, &arena, info, "twoo"), QN_E_NOT_FOUND);
    qn__arena_release(&arena);
    qn_image_release(image);
}
END_TEST

/* In a block of that size exactly, for the sanitizers: what is cut off is an error or another
 * number, never a read beyond the end. */
static void read_part(const qn_image_info *info, size_t n, int64_t flip)
{
    struct qn__arena arena = {0};
    const qn_arg_info *args;
    uint32_t n_args;
    unsigned char *part = malloc(n + (n == 0));
    ck_assert_ptr_nonnull(part);
    memcpy(part, info->bytes, n);
    if (flip >= 0)
        part[flip] ^= 0xff;
    const qn_image_info cut = {.kind = info->kind, .bytes = part, .size_bytes = n};
    if (read_image(&args, &n_args, &arena, &cut, "unused") == QN_OK)
        for (uint32_t i = 0; i < n_args; i++)
            ck_assert_uint_gt(args[i].size_bytes, 0);
    qn__arena_release(&arena);
    free(part);
}

START_TEST(a_damaged_image_is_an_error_and_no_crash)
{
    qn_image *image = compile(targets[_i]);
    const qn_image_info *info = qn_image_get_info(image);
    for (size_t n = 0; n < info->size_bytes; n += n < 4096 ? 1 : 7)
        read_part(info, n, -1);
    for (size_t at = 0; at < info->size_bytes; at += at < 64 ? 1 : 3)
        read_part(info, info->size_bytes, (int64_t)at);
    qn_image_release(image);
}
END_TEST

/* -- PTX as others write it -- */

static const struct {
    const char *name, *text;
    struct wanted want;
    qn_status status;
} ptx_cases[] = {
    {"no list", ".entry k\n{ ret; }", {"k", {0}}, QN_OK},
    {"an empty list", ".visible .entry k ( )\n{ ret; }", {"k", {0}}, QN_OK},
    {"a pointer with what it points to",
     ".weak .entry k(.param .u64 .ptr .global .align 16 k_param_0, .param .f32 v) .maxntid 64 {}",
     {"k", {8, 4}},
     QN_OK},
    {"another kernel before it",
     ".entry kk(.param .u8 a){}\n.entry k(.param .align 8 .b8 s[24], .param .b16 h){}",
     {"k", {24, 2}},
     QN_OK},
    {"a name with a dollar", ".entry a$k(.param .s32 x){}", {"a$k", {4}}, QN_OK},
    {"a kernel that is only called",
     "call k, (x); .func k(.param .u32 a)",
     {"k", {0}},
     QN_E_NOT_FOUND},
    {"a texture", ".entry k(.param .texref t){}", {"k", {0}}, QN_E_NOT_FOUND},
    {"an end in the middle", ".entry k(.param .u64 a, .param", {"k", {0}}, QN_E_NOT_FOUND},
    {"a size of nonsense", ".entry k(.param .b8 a[99999999999]){}", {"k", {0}}, QN_E_NOT_FOUND},
};

START_TEST(ptx_lists_its_arguments)
{
    struct qn__arena arena = {0};
    const qn_arg_info *args;
    const char *text = ptx_cases[_i].text;
    uint32_t n;
    const qn_status s =
        qn__ptx_arguments(&args, &n, &arena, text, strlen(text), ptx_cases[_i].want.symbol);
    ck_assert_msg(s == ptx_cases[_i].status, "%s: %s", ptx_cases[_i].name, qn_status_name(s));
    check_sizes(ptx_cases[_i].name, &ptx_cases[_i].want, args, n);
    qn__arena_release(&arena);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cuda metadata");
    TCase *t = tcase_create("cuda metadata");
    const qn_source probe = {.text = "extern \"C\" __global__ void k() {}", .path = "probe.cu"};
    qn_image *image;
    tcase_add_loop_test(t, ptx_lists_its_arguments, 0, N(ptx_cases));
    if (qn_compile(&image, &probe, targets[0], NULL, NULL) == QN_OK) {
        tcase_add_loop_test(t, arguments_are_those_of_the_source, 0, N(targets));
        tcase_add_loop_test(t, a_damaged_image_is_an_error_and_no_crash, 0, N(targets));
        qn_image_release(image);
    } else {
        printf("skip: what NVRTC makes: %s\n", qn_message());
    }
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_set_fork_status(r, CK_NOFORK);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
