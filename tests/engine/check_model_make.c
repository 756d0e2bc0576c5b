/* SPDX-License-Identifier: Apache-2.0
 *
 * Model files that Quern writes: random ones of every family and format, and converted ones.
 *
 * covers: engine/random_model engine/random_weights engine/weight_mix engine/convert_model
 * engine/gguf_write engine/model_data engine/model_shape */
#define _GNU_SOURCE
#include "engine/model_open.h"
#include "tests/rtc_fixture.h"

#include <math.h>
#include <quern/model.h>
#include <quern/model_data.h>

static const char *const types[] = {
    "f32",   "f16",   "bf16",  "q4_0",   "q4_1",   "q5_0",    "q5_1",   "q8_0",  "q2_k",
    "q3_k",  "q4_k",  "q5_k",  "q6_k",   "iq4_nl", "iq2_xxs", "iq2_xs", "iq2_s", "iq3_xxs",
    "iq3_s", "iq1_s", "iq1_m", "iq4_xs", "tq1_0",  "tq2_0",   "mxfp4",  "nvfp4"};
enum { TYPES = sizeof types / sizeof types[0] };

static struct qn__model_file *open_made(const char *path)
{
    struct qn__model_file *f;
    must(qn__model_file_open(&f, path));
    return f;
}

static float *unpacked(const struct qn__tensor *t)
{
    const uint64_t n = t->shape[0] * t->shape[1] * t->shape[2];
    float *values = malloc((size_t)n * sizeof *values);
    t->format->unpack(values, t->data, n);
    return values;
}

START_TEST(random_weights_of_every_format_have_their_deviation)
{
    const char *path = in_scratch("random.gguf");
    must(qn_model_random(path, &(qn_model_random_options){.type = types[_i]}));
    struct qn__model_file *f = open_made(path);
    const struct qn__tensor *t = qn__model_file_find(f, "blk.1.ffn_down.weight");
    ck_assert_str_eq(t->format->name, types[_i]);
    const uint64_t n = t->shape[0] * t->shape[1];
    float *values = unpacked(t);
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < n; i++) {
        sum += (double)values[i];
        squares += (double)values[i] * (double)values[i];
    }
    const double deviation = sqrt(squares / (double)n), want = 1 / sqrt((double)t->shape[0]);
    ck_assert_msg(fabs(deviation / want - 1) < 0.05, "%s: deviation %g, not %g", types[_i],
                  deviation, want);
    ck_assert_msg(fabs(sum / (double)n) < want * 0.1, "%s: mean %g", types[_i], sum / (double)n);
    free(values);
    const struct qn__tensor *norm = qn__model_file_find(f, "output_norm.weight");
    ck_assert_str_eq(norm->format->name, "f32");
    ck_assert(fabsf(((const float *)norm->data)[7] - 1.0f) < 0.25f);
    qn__model_file_close(f);
}
END_TEST

static struct qn__str made(const qn_model_random_options *o)
{
    const char *path = in_scratch("made.gguf");
    char *bytes;
    size_t n;
    struct qn__str s = {0};
    must(qn_model_random(path, o));
    must(qn__file_read(&bytes, &n, path, 1 << 28));
    qn__str_add_bytes(&s, bytes, n);
    free(bytes);
    return s;
}

START_TEST(the_same_options_make_the_same_file_on_any_number_of_threads)
{
    qn_model_random_options o = {.type = "q4_0", .seed = 5, .n_threads = 1, .n_vocab = 3000};
    struct qn__str one = made(&o);
    o.n_threads = 3;
    struct qn__str three = made(&o);
    o.seed = 6;
    struct qn__str other = made(&o);
    ck_assert_uint_eq(one.len, three.len);
    ck_assert_int_eq(memcmp(one.text, three.text, one.len), 0);
    ck_assert_uint_eq(one.len, other.len);
    ck_assert_int_ne(memcmp(one.text, other.text, one.len), 0);
    qn__str_release(&one);
    qn__str_release(&three);
    qn__str_release(&other);
}
END_TEST

static const struct {
    const char *family, *architecture;
    const char *present[3], *absent[2];
} families[] = {
    {"llama", "llama", {"output.weight", "blk.1.attn_q.weight"}, {"blk.0.attn_q.bias"}},
    {"mixtral",
     "llama",
     {"blk.0.ffn_gate_exps.weight", "blk.0.ffn_gate_inp.weight"},
     {"blk.0.ffn_gate.weight"}},
    {"qwen2", "qwen2", {"blk.0.attn_q.bias", "blk.1.attn_v.bias"}, {"blk.0.attn_q_norm.weight"}},
    {"qwen3",
     "qwen3",
     {"blk.0.attn_q_norm.weight", "blk.0.attn_k_norm.weight"},
     {"blk.0.attn_q.bias"}},
    {"gemma2",
     "gemma2",
     {"blk.0.post_ffw_norm.weight", "blk.0.post_attention_norm.weight"},
     {"output.weight", "blk.0.attn_q_norm.weight"}},
    {"gemma3",
     "gemma3",
     {"blk.0.post_ffw_norm.weight", "blk.0.attn_q_norm.weight"},
     {"output.weight"}},
    {"phi3",
     "phi3",
     {"blk.0.attn_qkv.weight", "blk.0.ffn_up.weight"},
     {"blk.0.attn_q.weight", "blk.0.ffn_gate.weight"}},
    {"gemma", "gemma", {"blk.0.ffn_norm.weight"}, {"output.weight", "blk.0.post_ffw_norm.weight"}},
    {"granite", "granite", {"blk.0.attn_q.weight"}, {"output.weight"}},
    {"olmo2",
     "olmo2",
     {"blk.0.post_ffw_norm.weight", "blk.0.attn_q_norm.weight"},
     {"blk.0.attn_norm.weight", "blk.0.ffn_norm.weight"}},
    {"smollm3", "smollm3", {"blk.0.attn_q.weight"}, {"output.weight"}},
    {"qwen2moe",
     "qwen2moe",
     {"blk.0.ffn_gate_exps.weight", "blk.0.ffn_gate_inp_shexp.weight", "blk.0.attn_q.bias"},
     {"blk.0.ffn_gate.weight"}},
    {"qwen3moe",
     "qwen3moe",
     {"blk.0.ffn_down_exps.weight", "blk.0.attn_q_norm.weight"},
     {"blk.0.ffn_gate_shexp.weight"}},
    {"deepseek2",
     "deepseek2",
     {"blk.0.attn_kv_a_mqa.weight", "blk.0.ffn_gate.weight", "blk.1.ffn_gate_shexp.weight"},
     {"blk.0.ffn_gate_exps.weight"}},
    {"gpt-oss",
     "gpt-oss",
     {"blk.0.attn_sinks.weight", "blk.0.ffn_gate_exps.bias", "blk.0.post_attention_norm.weight"},
     {"blk.0.ffn_norm.weight"}},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

START_TEST(each_family_has_its_tensors)
{
    const char *path = in_scratch("family.gguf"), *text;
    must(qn_model_random(path, &(qn_model_random_options){
                                   .family = families[_i].family, .dim = 64, .head_dim = 16}));
    struct qn__model_file *f = open_made(path);
    must(qn__fact_text(&text, f, "general.architecture"));
    ck_assert_str_eq(text, families[_i].architecture);
    for (int i = 0; i < 3 && families[_i].present[i]; i++)
        ck_assert_msg(qn__model_file_find(f, families[_i].present[i]) != NULL, "%s has no %s",
                      families[_i].family, families[_i].present[i]);
    for (int i = 0; i < 2 && families[_i].absent[i]; i++)
        ck_assert_msg(!qn__model_file_find(f, families[_i].absent[i]), "%s has %s",
                      families[_i].family, families[_i].absent[i]);
    qn__model_file_close(f);
}
END_TEST

START_TEST(a_preset_has_its_shape_and_an_option_wins)
{
    const char *path = in_scratch("preset.gguf");
    uint32_t n;
    must(
        qn_model_random(path, &(qn_model_random_options){
                                  .preset = "1.1b", .type = "q4_0", .n_layers = 1, .n_vocab = 64}));
    struct qn__model_file *f = open_made(path);
    must(qn__fact_u32(&n, f, "llama.attention.head_count_kv"));
    ck_assert_uint_eq(n, 4);
    must(qn__fact_u32(&n, f, "llama.block_count"));
    ck_assert_uint_eq(n, 1);
    const struct qn__tensor *k = qn__model_file_find(f, "blk.0.attn_k.weight");
    ck_assert(k->shape[0] == 2048 && k->shape[1] == 256);
    ck_assert_uint_eq(qn__model_file_find(f, "blk.0.ffn_up.weight")->shape[1], 5632);
    qn__model_file_close(f);
}
END_TEST

START_TEST(the_mixture_q4_k_m_is_finer_where_it_matters)
{
    /* 16 layers: the first and last two, and every third of those between */
    static const bool finer[16] = {1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 1};
    const char *path = in_scratch("mixture.gguf");
    must(qn_model_random(
        path, &(qn_model_random_options){.type = "q4_k_m", .n_layers = 16, .n_vocab = 300}));
    struct qn__model_file *f = open_made(path);
    for (uint32_t i = 0; i < 16; i++) {
        char name[64];
        const char *want = finer[i] ? "q6_k" : "q4_k";
        snprintf(name, sizeof name, "blk.%u.attn_v.weight", i);
        ck_assert_str_eq(qn__model_file_find(f, name)->format->name, want);
        snprintf(name, sizeof name, "blk.%u.ffn_down.weight", i);
        ck_assert_str_eq(qn__model_file_find(f, name)->format->name, want);
        snprintf(name, sizeof name, "blk.%u.attn_q.weight", i);
        ck_assert_str_eq(qn__model_file_find(f, name)->format->name, "q4_k");
    }
    ck_assert_str_eq(qn__model_file_find(f, "output.weight")->format->name, "q6_k");
    ck_assert_str_eq(qn__model_file_find(f, "token_embd.weight")->format->name, "q4_k");
    qn__model_file_close(f);
}
END_TEST

START_TEST(rows_that_are_no_whole_blocks_get_smaller_blocks)
{
    const char *path = in_scratch("narrow.gguf");
    must(qn_model_random(
        path, &(qn_model_random_options){.type = "q4_k", .dim = 64, .n_ffn = 40, .n_vocab = 64}));
    struct qn__model_file *f = open_made(path);
    ck_assert_str_eq(qn__model_file_find(f, "blk.0.attn_q.weight")->format->name, "q5_0");
    ck_assert_str_eq(qn__model_file_find(f, "blk.0.ffn_down.weight")->format->name, "f16");
    qn__model_file_close(f);
}
END_TEST

static const struct {
    const char *name;
    qn_model_random_options o;
    const char *says;
} refused[] = {
    {"an unknown family", {.family = "gpt5"}, "gpt5"},
    {"an unknown preset", {.preset = "70b"}, "1.1b"},
    {"an unknown format", {.type = "q9"}, "q8_0"},
    {"heads that do not divide", {.n_heads = 6, .n_kv_heads = 4}, "no multiple"},
    {"an odd head", {.head_dim = 7}, "even"},
    {"a huge size", {.dim = 1u << 30}, "1073741824"},
    {"experts of gemma", {.family = "gemma2", .n_experts = 4}, "experts"},
    {"more experts used than there are", {.n_experts = 2, .n_experts_used = 3}, "3 of 2"},
    {"a vocabulary that is not there", {.vocabulary = "/none.gguf"}, "/none.gguf"},
};

START_TEST(a_shape_that_cannot_be_is_refused)
{
    const char *path = in_scratch("refused.gguf");
    const qn_status s = qn_model_random(path, &refused[_i].o);
    ck_assert_msg(s == QN_E_INVALID || s == QN_E_IO, "%s: %s", refused[_i].name, qn_status_name(s));
    ck_assert_msg(strstr(qn_message(), refused[_i].says) != NULL, "%s: %s", refused[_i].name,
                  qn_message());
    ck_assert(!qn__file_exists(path));
}
END_TEST

/* -- converting -- */

START_TEST(a_converted_model_is_the_same_but_for_rounding)
{
    const char *in = in_scratch("in.gguf"), *out = in_scratch("out.gguf"), *name;
    must(qn_model_random(in, &(qn_model_random_options){.type = "f32", .family = "qwen2"}));
    must(qn_model_convert(out, in, "q8_0", 2));
    struct qn__model_file *a = open_made(in), *b = open_made(out);
    ck_assert_uint_eq(qn__model_file_n_tensors(a), qn__model_file_n_tensors(b));
    for (uint32_t i = 0; i < qn__model_file_n_tensors(a); i++) {
        const struct qn__tensor *x = qn__model_file_tensor(a, i), *y = qn__model_file_tensor(b, i);
        ck_assert_str_eq(x->name, y->name);
        ck_assert_str_eq(y->format->name, x->n_dims > 1 ? "q8_0" : "f32");
        float *p = unpacked(x), *q = unpacked(y);
        for (uint64_t k = 0; k < x->shape[0] * x->shape[1]; k++)
            ck_assert_msg(fabsf(p[k] - q[k]) <= (x->n_dims > 1 ? 0.005f : 0.0f), "%s[%llu]",
                          x->name, (unsigned long long)k);
        free(p);
        free(q);
    }
    must(qn__fact_text(&name, b, "general.name"));
    ck_assert_str_eq(name, "random weights, seed 0");
    const struct qn__fact *tokens = qn__fact_find(b, "tokenizer.ggml.tokens");
    ck_assert_uint_eq(tokens->value.array.n, 512);
    ck_assert_str_eq(qn__fact_element(b, tokens, 1).value.text.bytes, "<s>");
    uint32_t type;
    must(qn__fact_u32(&type, b, "general.file_type"));
    ck_assert_uint_eq(type, 7);
    qn__model_file_close(a);
    qn__model_file_close(b);
    must_not(QN_E_UNSUPPORTED, qn_model_convert(in_scratch("again.gguf"), out, "q4_0", 1));
    says(qn_message(), "q8_0 already");
    ck_assert(!qn__file_exists(in_scratch("again.gguf")));
    must_not(QN_E_UNSUPPORTED, qn_model_convert(in_scratch("again.gguf"), in, "q2_k", 1));
    says(qn_message(), "reads q2_k but does not write it");
    must_not(QN_E_IO, qn_model_convert(in_scratch("none/again.gguf"), in, "f16", 1));
}
END_TEST

/* In element 5 of the first row of blk.1.ffn_down.weight; the file's type. */
static const struct {
    const char *name, *from, *to;
    float value;
    qn_status status;
    const char *says;
} odd_values[] = {
    {"NaN", "f32", "q8_0", NAN, QN_E_CORRUPT, "element 5 is NaN"},
    {"NaN that stays in its format", "f32", "f32", NAN, QN_E_CORRUPT, "element 5 is NaN"},
    {"infinity", "f32", "bf16", INFINITY, QN_E_CORRUPT, "element 5 is infinite"},
    {"below all", "f32", "q4_k", -INFINITY, QN_E_CORRUPT, "element 5 is negative and infinite"},
    {"too much for f16", "f32", "f16", 65600.0f, QN_E_UNSUPPORTED,
     "element 5 is 65600, which f16 cannot hold; f32 and bf16 can"},
    {"the most of f16", "f32", "f16", 65504.0f, QN_OK, NULL},
    {"too much for a scale", "f32", "q8_0", 1e7f, QN_E_UNSUPPORTED, "which q8_0 cannot hold"},
    {"a large scale", "f32", "q8_0", 1e6f, QN_OK, NULL},
    {"large in bf16", "f32", "bf16", 1e30f, QN_OK, NULL},
};

START_TEST(a_number_that_cannot_be_converted_is_named)
{
    const char *name = "blk.1.ffn_down.weight";
    char *path = strdup(in_scratch("odd.gguf"));
    must(qn_model_random(path, &(qn_model_random_options){.type = odd_values[_i].from}));
    struct qn__model_file *f = open_made(path);
    char *bytes;
    size_t n;
    must(qn__file_read(&bytes, &n, path, 1 << 30));
    const struct qn__tensor *t = qn__model_file_find(f, name);
    const char *all = memmem(bytes, n, t->data, (size_t)t->bytes);
    ck_assert_ptr_nonnull(all);
    memcpy(bytes + (all - bytes) + 5 * sizeof(float), &odd_values[_i].value, sizeof(float));
    qn__model_file_close(f);
    must(qn__file_write_atomic(path, bytes, n, 0600));
    free(bytes);
    const qn_status s = qn_model_convert(in_scratch("new.gguf"), path, odd_values[_i].to, 1);
    ck_assert_msg(s == odd_values[_i].status, "%s: %s: %s", odd_values[_i].name, qn_status_name(s),
                  qn_message());
    if (s != QN_OK) {
        says(qn_message(), name);
        says(qn_message(), odd_values[_i].says);
    }
    free(path);
}
END_TEST

START_TEST(a_vocabulary_is_taken_over_whole)
{
    const char *in = in_scratch("in.gguf"), *out = in_scratch("out.gguf");
    must(qn_model_random(in, &(qn_model_random_options){.n_vocab = 777}));
    must(qn_model_random(out, &(qn_model_random_options){.vocabulary = in, .family = "gemma3"}));
    struct qn__model_file *f = open_made(out);
    ck_assert_uint_eq(qn__model_file_find(f, "token_embd.weight")->shape[1], 777);
    ck_assert_uint_eq(qn__fact_find(f, "tokenizer.ggml.scores")->value.array.n, 777);
    qn__model_file_close(f);
    must_not(QN_E_INVALID,
             qn_model_random(out, &(qn_model_random_options){.vocabulary = in, .n_vocab = 700}));
}
END_TEST

START_TEST(the_public_calls_show_facts_and_tensors)
{
    const char *path = in_scratch("shown.gguf");
    qn_model_file *f;
    must(qn_model_random(path, NULL));
    must(qn_model_file_open(&f, path));
    ck_assert_uint_gt(qn_model_file_get_bytes(f), 100000);
    const qn_model_tensor t = qn_model_file_get_tensor(f, 0);
    ck_assert_str_eq(t.name, "token_embd.weight");
    ck_assert_str_eq(t.format, "f16");
    ck_assert(t.n_dims == 2 && t.shape[0] == 256 && t.shape[1] == 512 && t.shape[2] == 1);
    ck_assert_uint_eq(t.size_bytes, 256 * 512 * 2);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < qn_model_file_count_facts(f); i++) {
        const qn_model_fact fact = qn_model_file_get_fact(f, i);
        if (!strcmp(fact.key, "llama.block_count"))
            seen += fact.kind == QN_MODEL_FACT_U64 && fact.u64 == 2;
        if (!strcmp(fact.key, "tokenizer.ggml.tokens"))
            seen += fact.n == 512 && !strcmp(qn_model_file_get_element(f, i, 2).text, "</s>");
        if (!strcmp(fact.key, "tokenizer.ggml.token_type"))
            seen += qn_model_file_get_element(f, i, 1).i64 == 3;
    }
    ck_assert_uint_eq(seen, 3);
    qn_model_file_close(f);
    must_not(QN_E_IO, qn_model_file_open(&f, in_scratch("none.gguf")));
    ck_assert_ptr_null(f);
}
END_TEST

/* One tensor of a whole model gets another name. */
static const struct {
    const char *name, *from, *to, *says;
} renamed[] = {
    {"one that has to be there", "blk.0.attn_v.weight", "blk.0.attn_x.weight",
     "tensor blk.0.attn_v.weight is missing"},
    {"one that need not be there", "blk.1.attn_q.bias", "blk.1.attn_x.bias",
     "tensor 'blk.1.attn_x.bias': Quern computes nothing with it in the family qwen2"},
    {"one of a layer that is none", "blk.1.attn_k.bias", "blk.2.attn_k.bias",
     "tensor 'blk.2.attn_k.bias'"},
};

START_TEST(a_tensor_too_many_or_too_few_is_refused)
{
    struct qn__str bytes = made(&(qn_model_random_options){.family = "qwen2"});
    const char *path = in_scratch("renamed.gguf");
    const size_t n = strlen(renamed[_i].from);
    qn_model *m;
    must(qn_model_open(&m, in_scratch("made.gguf")));
    qn_model_close(m);
    for (size_t i = 0; i + n < bytes.len; i++)
        if (memcmp(bytes.text + i, renamed[_i].from, n) == 0) {
            memcpy(bytes.text + i, renamed[_i].to, n);
            break;
        }
    must(qn__file_write_atomic(path, bytes.text, bytes.len, 0600));
    ck_assert_msg(qn_model_open(&m, path) != QN_OK, "%s: taken", renamed[_i].name);
    says(qn_message(), renamed[_i].says);
    qn__str_release(&bytes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("model_make");
    TCase *host = tcase_create("host");
    tcase_set_timeout(host, 60);
    tcase_add_checked_fixture(host, scratch_open, scratch_close);
    tcase_add_loop_test(host, random_weights_of_every_format_have_their_deviation, 0, TYPES);
    tcase_add_test(host, the_same_options_make_the_same_file_on_any_number_of_threads);
    tcase_add_loop_test(host, each_family_has_its_tensors, 0, FAMILIES);
    tcase_add_test(host, a_preset_has_its_shape_and_an_option_wins);
    tcase_add_test(host, the_mixture_q4_k_m_is_finer_where_it_matters);
    tcase_add_test(host, rows_that_are_no_whole_blocks_get_smaller_blocks);
    tcase_add_loop_test(host, a_shape_that_cannot_be_is_refused, 0,
                        (int)(sizeof refused / sizeof refused[0]));
    tcase_add_test(host, a_converted_model_is_the_same_but_for_rounding);
    tcase_add_loop_test(host, a_tensor_too_many_or_too_few_is_refused, 0,
                        (int)(sizeof renamed / sizeof renamed[0]));
    tcase_add_loop_test(host, a_number_that_cannot_be_converted_is_named, 0,
                        sizeof odd_values / sizeof odd_values[0]);
    tcase_add_test(host, a_vocabulary_is_taken_over_whole);
    tcase_add_test(host, the_public_calls_show_facts_and_tensors);
    suite_add_tcase(suite, host);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
