/* SPDX-License-Identifier: Apache-2.0
 *
 * A token by fused kernels against the same token by one launch for each formula: logits of random
 * models of several families and formats, the single tokens after a prompt of several. And which
 * matrices are fused.
 *
 * covers: engine/weight_tiles engine/forward engine/step_prompt */
#include "base/file.h"
#include "engine/kernels.h"
#include "engine/weight_tiles.h"
#include "kernels/phase.h"
#include "tests/runtime_fixture.h"

#include <math.h>
#include <quern/model.h>
#include <quern/model_data.h>

static const struct {
    const char *family, *type;
    uint32_t n_dim, n_ffn;
    bool all_fused;
} models[] = {
    {"llama", "q8_0", 256, 512, true},    {"llama", "q4_k_m", 256, 768, true},
    {"llama", "f16", 512, 512, true},     {"qwen2", "q8_0", 256, 512, true},
    {"qwen3", "q6_k", 256, 512, true},    {"gemma2", "q4_k", 256, 512, false},
    {"mixtral", "q8_0", 256, 256, false}, {"llama", "q5_k", 256, 256, false},
    {"llama", "q8_0", 288, 512, false},
};
enum { VOCAB = 512, FED = 24, ALONE = 6 };

static void logits_of(float *out, const qn_model *model, bool fused, bool *all_fused)
{
    static const int32_t ids[FED] = {1,  70, 33, 9,   200, 301, 5,  44, 78, 12, 99, 400,
                                     21, 3,  68, 111, 300, 17,  10, 2,  55, 60, 7,  8};
    const qn_session_options o = {
        .context = 64, .no_fused = !fused, .fused_anywhere = fused, .batch = 32, .exact = true};
    qn_session *s;
    const float *logits;
    must(qn_session_create(&s, model, device, &o));
    must(qn_session_feed(s, ids, FED - ALONE)); /* more than go through fused kernels at once */
    for (int i = FED - ALONE; i < FED; i++)
        must(qn_session_feed(s, ids + i, 1));
    must(qn_session_feed(s, ids, 3));
    must(qn_session_logits(s, &logits));
    memcpy(out, logits, VOCAB * sizeof *out);
    *all_fused = !*qn_session_get_info(s)->not_fused;
    if (*all_fused || !fused)
        ck_assert_int_eq(qn_session_get_info(s)->begins_early,
                         fused && qn__starts_early(qn_device_get_info(device)));
    qn_session_destroy(s);
}

START_TEST(fused_kernels_compute_the_same)
{
    static float plain[VOCAB], fused[VOCAB];
    char path[600], *folder;
    qn_model *model;
    bool all_plain, all_fused;
    must(qn__temp_dir_create(&folder));
    snprintf(path, sizeof path, "%s/random.gguf", folder);
    must(qn_model_random(path, &(qn_model_random_options){.family = models[_i].family,
                                                          .type = models[_i].type,
                                                          .dim = models[_i].n_dim,
                                                          .n_ffn = models[_i].n_ffn,
                                                          .n_layers = 2,
                                                          .n_vocab = VOCAB}));
    must(qn_model_open(&model, path));
    logits_of(plain, model, false, &all_plain);
    logits_of(fused, model, true, &all_fused);
    ck_assert(!all_plain);
    ck_assert_int_eq(all_fused, models[_i].all_fused);
    double squares = 0, off = 0;
    for (int i = 0; i < VOCAB; i++) {
        squares += (double)plain[i] * (double)plain[i];
        off = fmax(off, fabs((double)fused[i] - (double)plain[i]));
    }
    const double size = sqrt(squares / VOCAB);
    ck_assert(size > 0);
    /* Fused products hold 4e-6 S, but the cache rounds keys and values to f16, where that can
     * change the last place, 2^-10: two layers of two such roundings, 4e-3. A prompt's weights and
     * inputs are rounded to f16 as well (1.5e-3 S, quern_product.cuh): as much again. */
    ck_assert_msg(off < 8e-3 * size, "%s %s: off by %g, logits are of %g", models[_i].family,
                  models[_i].type, off, size);
    qn_model_close(model);
    qn__temp_dir_remove(folder);
    free(folder);
}
END_TEST

START_TEST(only_neighbours_of_one_format_are_joined)
{
    const struct qn__format *q8_0 = qn__format_get(QN__FORMAT_q8_0);
    struct qn__matrix m[3], joined;
    const struct qn__matrix *const all[] = {&m[0], &m[1], &m[2]};
    for (int i = 0; i < 3; i++)
        m[i] = (struct qn__matrix){.addr = 4096 + (qn_addr)i * 16 * 272,
                                   .format = q8_0,
                                   .rows = 16,
                                   .n = 256,
                                   .bytes = 16 * 272,
                                   .is_fused = true,
                                   .is_tiled = true};
    ck_assert_uint_eq(qn__weight_tiles_join(&joined, all, 3), 3);
    ck_assert_uint_eq(joined.rows, 48);
    ck_assert_uint_eq(joined.bytes, 3ull * 16 * 272);
    m[2].format = qn__format_get(QN__FORMAT_q6_k);
    ck_assert_uint_eq(qn__weight_tiles_join(&joined, all, 3), 2);
    m[1].addr += 256;
    ck_assert_uint_eq(qn__weight_tiles_join(&joined, all, 3), 1);
    ck_assert_uint_eq(joined.rows, 16);
}
END_TEST

START_TEST(only_q4_k_and_q6_k_are_a_pair)
{
    const struct qn__matrix q4_k = {
        .format = qn__format_get(QN__FORMAT_q4_k), .rows = 16, .n = 256, .has_phase = true};
    struct qn__matrix m = q4_k;
    ck_assert(!qn__kernels_pair(&q4_k, &m));
    m.format = qn__format_get(QN__FORMAT_q6_k);
    ck_assert(qn__kernels_pair(&q4_k, &m));
    ck_assert(!qn__kernels_pair(&m, &q4_k));
    m.n = 512;
    ck_assert(!qn__kernels_pair(&q4_k, &m));
    m.n = 256;
    m.has_phase = false;
    ck_assert(!qn__kernels_pair(&q4_k, &m));
}
END_TEST

START_TEST(only_gpus_with_fragments_suit)
{
    const char *const targets[] = {"cuda:sm_90", "cuda:sm_80", "cuda:sm_75", "hip:gfx1100",
                                   "opencl:pocl3"};
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(qn__weight_tiles_suit(&(qn_device_info){.target = targets[i]}), i < 2);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {fused_kernels_compute_the_same, sizeof models / sizeof models[0]},
        {only_neighbours_of_one_format_are_joined, 1},
        {only_q4_k_and_q6_k_are_a_pair, 1},
        {only_gpus_with_fragments_suit, 1},
        {NULL, 0},
    };
    return fixture_run("engine_fused", NULL, NULL, NULL, cases);
}
