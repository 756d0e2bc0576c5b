/* SPDX-License-Identifier: Apache-2.0
 *
 * Sessions: a model on the preferred device. With the bundled model; stories260K, where the
 * reference data lies beside the project (QN_DATA), must also write its known text, converted too.
 *
 * covers: engine/session engine/session_sample engine/opened_model engine/forward engine/step
 * engine/experts engine/kernels engine/buffers engine/model_weights engine/shortlist engine/blas */
#include "base/file.h"
#include "engine/opened_model.h"
#include "engine/weight_upload.h"
#include "tests/runtime_fixture.h"

#include <math.h>
#include <quern/model.h>
#include <quern/model_data.h>

static char bundled[512];
static qn_model *model;
static uint32_t n_vocab;

static const char prompt[] = "One day, a little fox";

static void open_model(void)
{
    const char *source = getenv("QN_SOURCE");
    snprintf(bundled, sizeof bundled, "%s/models/quern-stories-q8_0.gguf", source ? source : ".");
    must(qn_model_open(&model, bundled));
    n_vocab = qn_model_get_info(model)->n_vocab;
}

static void close_model(void)
{
    qn_model_close(model);
}

static qn_session *make(const qn_session_options *options)
{
    qn_session *s;
    must(qn_session_create(&s, model, device, options));
    return s;
}

static qn_tokens encode(const char *text)
{
    qn_tokens tokens;
    must(qn_model_encode(&tokens, model, text, strlen(text), QN_ENCODE_BOS));
    ck_assert_uint_gt(tokens.n, 1);
    return tokens;
}

/* The likeliest n tokens behind the prompt, one by one. */
static void write_greedily(int32_t *out, uint32_t n, qn_session *s)
{
    qn_sampler *sampler;
    qn_tokens tokens = encode(prompt);
    must(qn_sampler_create(&sampler, NULL));
    must(qn_session_feed(s, tokens.ids, tokens.n));
    for (uint32_t i = 0; i < n; i++) {
        must(qn_session_sample(&out[i], s, sampler));
        must(qn_session_feed(s, &out[i], 1));
    }
    qn_sampler_destroy(sampler);
    free(tokens.ids);
}

/* Largest difference of the logits now from `before`, relative to their spread. */
static double distance(qn_session *s, const float *before, uint32_t n)
{
    const float *now;
    double worst = 0.0, low = INFINITY, high = -INFINITY;
    must(qn_session_logits(s, &now));
    for (uint32_t i = 0; i < n; i++) {
        ck_assert_msg(isfinite(now[i]), "logit %u is %g", i, (double)now[i]);
        worst = fmax(worst, fabs((double)(now[i] - before[i])));
        low = fmin(low, (double)before[i]);
        high = fmax(high, (double)before[i]);
    }
    ck_assert(high > low);
    return worst / (high - low);
}

START_TEST(weights_lie_where_they_are_placed_with_zeros_between)
{
    struct qn__weights w;
    const uint64_t bytes = model->plan.n_bytes;
    const qn_addr memory = alloc(bytes);
    unsigned char *got = malloc(bytes);
    uint64_t n_between = 0, at = 0;
    ck_assert_ptr_nonnull(got);
    must(qn_memory_fill(device, memory, 0xff, 1, bytes, NULL));
    must(qn__weights_place(&w, &model->config, model->file, 64, false, NULL, memory));
    ck_assert_uint_eq(w.n_bytes, bytes);
    struct qn__upload u = {.dev = device, .stream = stream};
    must(qn__weights_upload(&w, QN__STAYS, &u));
    must(qn_memory_download(device, got, memory, bytes, NULL));
    for (uint32_t i = 0; i <= w.n_placements; i++) {
        const struct qn__placement *p = i < w.n_placements ? &w.placements[i] : NULL;
        const uint64_t begin = p ? p->addr - memory : bytes;
        for (; at < begin; at++, n_between++)
            ck_assert_msg(!got[at], "byte %llu, before tensor %u, is %d", (unsigned long long)at, i,
                          got[at]);
        ck_assert(!p || !memcmp(got + at, p->bytes, p->n_bytes));
        at += p ? p->n_bytes : 0;
    }
    ck_assert_uint_gt(n_between, 0);
    qn__weights_release(&w);
    free(got);
    must(qn_memory_free(device, memory));
}
END_TEST

static float *keep_logits(qn_session *s, uint32_t n)
{
    const float *now;
    float *copy = malloc(n * sizeof *copy);
    must(qn_session_logits(s, &now));
    memcpy(copy, now, n * sizeof *copy);
    return copy;
}

/* Activations become 8-bit integers there. */
static bool is_cpu(void)
{
    return strcmp(qn_device_get_info(device)->kind, "cpu") == 0;
}

/* Root mean square of the logits' difference from `before`, relative to that of their distance from
 * their mean. */
static double noise(qn_session *s, const float *before, uint32_t n)
{
    const float *now;
    double mean = 0.0, moved = 0.0, spread = 0.0;
    must(qn_session_logits(s, &now));
    for (uint32_t i = 0; i < n; i++)
        mean += (double)before[i] / n;
    for (uint32_t i = 0; i < n; i++) {
        moved += pow((double)now[i] - (double)before[i], 2.0);
        spread += pow((double)before[i] - mean, 2.0);
    }
    ck_assert(isfinite(moved) && spread > 0);
    return sqrt(moved / spread);
}

/* The most that 8-bit activations may add to it. A code is wrong by half at most, by 1 / sqrt(12)
 * in the mean square; 127 codes are the largest of 32 numbers, which is at most sqrt(32) times
 * their root mean square: sqrt(32 / 12) / 127 = 1.3 % of each product's result. Errors of products
 * that follow one another, four in a layer (q k v, o, gate and up, down) and the head's, are
 * independent: their squares add up. */
static double most_noise(const qn_model *m)
{
    return sqrt(32.0 / 12.0) / 127.0 * sqrt(4.0 * m->config.n_layers + 1.0);
}

/* Where activations become 8-bit integers the logits move a little, one token or many; elsewhere
 * the two are the same. */
START_TEST(exact_products_are_near_the_fast_ones)
{
    qn_tokens tokens = encode(prompt);
    qn_session *exact = make(&(qn_session_options){.exact = true}), *fast = make(NULL);
    must(qn_session_feed(exact, tokens.ids, tokens.n));
    must(qn_session_feed(fast, tokens.ids, tokens.n));
    for (int i = 0; i < 3; i++) {
        float *before = keep_logits(exact, n_vocab);
        const double moved = noise(fast, before, n_vocab), most = most_noise(model);
        ck_assert_msg(is_cpu() ? moved > 0 && moved < most : moved == 0, "moved by %g", moved);
        free(before);
        must(qn_session_feed(exact, &tokens.ids[i], 1));
        must(qn_session_feed(fast, &tokens.ids[i], 1));
    }
    qn_session_destroy(exact);
    qn_session_destroy(fast);
    free(tokens.ids);
}
END_TEST

enum { N_WRITTEN = 60 };

START_TEST(a_graph_and_single_launches_write_the_same_text)
{
    int32_t a[N_WRITTEN], b[N_WRITTEN];
    qn_session *graph = make(NULL);
    write_greedily(a, N_WRITTEN, graph);
    qn_session_destroy(graph);
    qn_session *plain = make(&(qn_session_options){.no_graph = true});
    write_greedily(b, N_WRITTEN, plain);
    ck_assert_mem_eq(a, b, sizeof a);
    ck_assert(!qn_session_get_info(plain)->uses_graph);
    ck_assert_uint_gt(qn_session_get_info(plain)->launches_per_token, 0);
    qn_session_destroy(plain);
}
END_TEST

/* Every way to divide the prompt against the whole of it in one. Pieces of one token go through
 * kernels of their own, whose sums have another order. That moves activations in their last bits,
 * and now and then an 8-bit code to its neighbour: from there on the codes' errors are others, and
 * as independent as those of two quantisations. */
static void check_pieces(const qn_model *m, bool exact)
{
    static const uint32_t batches[] = {1, 2, 3, 7};
    const uint32_t n_logits = qn_model_get_info(m)->n_vocab;
    const bool in_bytes = is_cpu() && !exact;
    const double limit = (double)logits_limit(2e-3f);
    int32_t ids[40];
    float *want = NULL;
    for (uint32_t i = 0; i < 40; i++)
        ids[i] = (int32_t)((i * 37 + 5) % n_logits);
    for (size_t i = 0; i <= sizeof batches / sizeof *batches; i++) {
        const uint32_t batch = i ? batches[i - 1] : 40;
        qn_session *s;
        must(qn_session_create(&s, m, device,
                               &(qn_session_options){.batch = batch, .exact = exact}));
        must(qn_session_feed(s, ids, 40));
        if (!want) {
            want = keep_logits(s, n_logits);
        } else if (batch == 1 && in_bytes) {
            const double d = noise(s, want, n_logits);
            ck_assert_msg(d < sqrt(2.0) * most_noise(m), "one by one: noise of %g", d);
        } else {
            const double d = distance(s, want, n_logits);
            ck_assert_msg(d < limit, "batch %u: %g of the logits' spread away", batch, d);
        }
        qn_session_destroy(s);
    }
    free(want);
}

START_TEST(a_prompt_in_pieces_of_any_size_ends_in_the_same_logits)
{
    check_pieces(model, true);
    check_pieces(model, false);
}
END_TEST

/* A batch of one goes through its experts by itself, as every token that is written does. */
START_TEST(tokens_grouped_by_expert_end_in_the_same_logits)
{
    static const struct {
        uint32_t n_experts, n_used;
    } shapes[] = {{8, 2}, {3, 3}, {60, 4}};
    char path[600], *folder;
    qn_model *m;
    must(qn__temp_dir_create(&folder));
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        snprintf(path, sizeof path, "%s/experts.gguf", folder);
        must(qn_model_random(path, &(qn_model_random_options){.type = "q8_0",
                                                              .family = "mixtral",
                                                              .dim = 128,
                                                              .n_layers = 3,
                                                              .n_heads = 4,
                                                              .n_ffn = 96,
                                                              .n_vocab = 300,
                                                              .n_experts = shapes[i].n_experts,
                                                              .n_experts_used = shapes[i].n_used}));
        must(qn_model_open(&m, path));
        check_pieces(m, true);
        check_pieces(m, false);
        qn_model_close(m);
    }
    qn__temp_dir_remove(folder);
    free(folder);
}
END_TEST

/* Told of n tokens done; asks for no more from payload's number on. */
static bool stop_at(uint32_t done, uint32_t total, void *payload)
{
    const uint32_t *limit = payload;
    ck_assert_uint_lt(done, total);
    return done < *limit;
}

START_TEST(a_prompt_that_was_stopped_can_be_fed_on)
{
    uint32_t limit = UINT32_MAX;
    qn_tokens tokens = encode(prompt);
    qn_session *s =
        make(&(qn_session_options){.batch = 2, .prompt_progress = stop_at, .payload = &limit});
    const float *none;
    ck_assert_uint_gt(tokens.n, 5);
    must(qn_session_feed(s, tokens.ids, tokens.n));
    float *want = keep_logits(s, n_vocab);
    must(qn_session_rewind(s, 0));
    limit = 4;
    must_not(QN_E_NOT_READY, qn_session_feed(s, tokens.ids, tokens.n));
    ck_assert_ptr_nonnull(strstr(qn_message(), "stopped after 4 of"));
    ck_assert_uint_eq(qn_session_get_info(s)->n_past, 4);
    must_not(QN_E_INVALID, qn_session_logits(s, &none));
    limit = UINT32_MAX;
    must(qn_session_feed(s, tokens.ids + 4, tokens.n - 4));
    ck_assert(distance(s, want, n_vocab) <= 0.0);
    free(want);
    free(tokens.ids);
    qn_session_destroy(s);
}
END_TEST

START_TEST(warming_up_leaves_no_trace_in_the_text)
{
    static const qn_sampler_options o = {.temperature = 1.0f, .top_k = 9, .repeat_penalty = 2.0f};
    int32_t cold[8], warm[8];
    qn_sampler *sampler;
    qn_session *s = make(NULL);
    must(qn_sampler_create(&sampler, &o));
    write_greedily(cold, 8, s);
    must_not(QN_E_INVALID, qn_session_warm(s, sampler));
    qn_session_destroy(s);
    s = make(&(qn_session_options){.shortlist_on_cpu = true});
    must(qn_session_warm(s, sampler));
    ck_assert_uint_eq(qn_session_get_info(s)->n_past, 0);
    ck_assert(qn_session_get_info(s)->warm_ms > 0);
    write_greedily(warm, 8, s);
    ck_assert_mem_eq(cold, warm, sizeof cold);
    qn_session_destroy(s);
    s = make(&(qn_session_options){.context = 1}); /* has no room for a prompt */
    must(qn_session_warm(s, sampler));
    qn_session_destroy(s);
    qn_sampler_destroy(sampler);
}
END_TEST

START_TEST(rewinding_and_feeding_again_gives_the_same_logits)
{
    qn_tokens tokens = encode(prompt);
    qn_session *s = make(NULL);
    int32_t written[8];
    const float *none;
    must(qn_session_feed(s, tokens.ids, tokens.n));
    float *want = keep_logits(s, n_vocab);
    must(qn_session_rewind(s, 0));
    must_not(QN_E_INVALID, qn_session_logits(s, &none));
    write_greedily(written, 8, s);
    must_not(QN_E_INVALID, qn_session_rewind(s, tokens.n + 9));
    must(qn_session_rewind(s, tokens.n - 1));
    must(qn_session_feed(s, &tokens.ids[tokens.n - 1], 1));
    const double d = distance(s, want, n_vocab);
    ck_assert_msg(d < 2e-3, "%g of the logits' spread away", d);
    free(want);
    free(tokens.ids);
    qn_session_destroy(s);
}
END_TEST

/* What is chosen from the device's shortlist, or from all logits on the host where it has no room.
 */
static const struct {
    const char *name;
    qn_sampler_options options;
    uint32_t n_pairs; /* of token and logit that come to the host; 0: all logits */
} samplings[] = {
    {"greedy", {.seed = 3}, 1},
    {"greedy with a penalty", {.repeat_penalty = 1.3f}, 1},
    {"top-k", {.temperature = 0.8f, .top_k = 40, .seed = 5}, 40},
    {"top-k of 1", {.temperature = 1.5f, .top_k = 1, .seed = 5}, 1},
    {"top-k of as many as a shortlist has", {.temperature = 3.0f, .top_k = 256, .seed = 6}, 256},
    {"top-k of more than a shortlist has", {.temperature = 3.0f, .top_k = 257, .seed = 6}, 0},
    {"top-k, top-p, min-p", {.temperature = 1.2f, .top_k = 50, .top_p = 0.9f, .min_p = 0.02f}, 50},
    {"top-k with a penalty", {.temperature = 1.0f, .top_k = 20, .repeat_penalty = 1.5f}, 20},
    {"a penalty for more than a shortlist has",
     {.temperature = 1.0f, .top_k = 20, .repeat_penalty = 1.5f, .repeat_last = 5000},
     0},
    {"from all", {.temperature = 1.0f, .top_p = 0.9f, .seed = 9}, 0},
};

START_TEST(a_session_chooses_what_the_sampler_would_choose_from_its_logits)
{
    const qn_sampler_options *o = &samplings[_i].options;
    const uint32_t n_pairs = samplings[_i].n_pairs;
    qn_session *s = make(&(qn_session_options){.shortlist_on_cpu = true});
    qn_sampler *a, *b;
    qn_tokens tokens = encode(prompt);
    must(qn_sampler_create(&a, o));
    must(qn_sampler_create(&b, o));
    must(qn_session_feed(s, tokens.ids, tokens.n));
    for (int i = 0; i < 1030; i++) { /* so many recent ones that a list of them is full */
        qn_sampler_accept(a, tokens.ids, tokens.n);
        qn_sampler_accept(b, tokens.ids, tokens.n);
    }
    for (int i = 0; i < N_WRITTEN; i++) {
        const float *logits;
        int32_t got, want;
        must(qn_session_sample(&got, s, a));
        must(qn_session_logits(s, &logits));
        must(qn_sampler_choose(&want, b, logits, n_vocab));
        ck_assert_msg(got == want, "%s, token %d: %d, not %d", samplings[_i].name, i, got, want);
        must(qn_session_feed(s, &got, 1));
    }
    ck_assert_uint_eq(qn_session_get_info(s)->n_allocations, 3);
    ck_assert_uint_eq(qn_session_get_info(s)->choice_bytes, n_pairs ? 8 * n_pairs : 4 * n_vocab);
    qn_sampler_destroy(a);
    qn_sampler_destroy(b);
    free(tokens.ids);
    qn_session_destroy(s);
}
END_TEST

START_TEST(writing_allocates_nothing_on_the_device)
{
    int32_t written[N_WRITTEN];
    qn_session *s = make(NULL);
    const uint64_t before = qn_session_get_info(s)->n_allocations;
    ck_assert_uint_eq(before, 3); /* weights, cache, activations */
    write_greedily(written, N_WRITTEN, s);
    ck_assert_uint_eq(qn_session_get_info(s)->n_allocations, before);
    qn_session_destroy(s);
}
END_TEST

START_TEST(a_full_context_is_an_error_that_loses_nothing)
{
    qn_tokens tokens = encode(prompt);
    qn_session *s = make(&(qn_session_options){.context = tokens.n + 1});
    int32_t id = tokens.ids[1];
    must(qn_session_feed(s, tokens.ids, tokens.n));
    must(qn_session_feed(s, &id, 1));
    float *want = keep_logits(s, n_vocab);
    must_not(QN_E_LIMIT, qn_session_feed(s, &id, 1));
    ck_assert_ptr_nonnull(strstr(qn_message(), "context"));
    ck_assert_uint_eq(qn_session_get_info(s)->n_past, tokens.n + 1);
    ck_assert(distance(s, want, n_vocab) <= 0.0);
    free(want);
    free(tokens.ids);
    qn_session_destroy(s);
}
END_TEST

START_TEST(tokens_outside_the_vocabulary_are_refused)
{
    const int32_t ids[] = {-1, (int32_t)qn_model_get_info(model)->n_vocab};
    qn_session *s = make(NULL);
    for (int i = 0; i < 2; i++)
        must_not(QN_E_INVALID, qn_session_feed(s, &ids[i], 1));
    must_not(QN_E_INVALID, qn_session_feed(s, ids, 0));
    ck_assert_uint_eq(qn_session_get_info(s)->n_past, 0);
    qn_session_destroy(s);
}
END_TEST

START_TEST(an_8_bit_cache_is_near_the_16_bit_one)
{
    qn_tokens tokens = encode(prompt);
    qn_session *s = make(NULL);
    must(qn_session_feed(s, tokens.ids, tokens.n));
    float *want = keep_logits(s, n_vocab);
    const uint64_t f16_bytes = qn_session_get_info(s)->plan.cache_bytes;
    qn_session_destroy(s);
    s = make(&(qn_session_options){.cache = "q8_0"});
    must(qn_session_feed(s, tokens.ids, tokens.n));
    const double d = distance(s, want, n_vocab);
    ck_assert_msg(d < 0.03, "%g of the logits' spread away", d);
    ck_assert_uint_lt(qn_session_get_info(s)->plan.cache_bytes, f16_bytes * 6 / 10);
    free(want);
    free(tokens.ids);
    qn_session_destroy(s);
}
END_TEST

START_TEST(an_unknown_cache_type_is_refused)
{
    qn_session *s;
    must_not(QN_E_INVALID,
             qn_session_create(&s, model, device, &(qn_session_options){.cache = "q3"}));
}
END_TEST

/* Path of a file of the reference data; false where it is not there. */
static bool find_data(char out[600], const char *name)
{
    const char *data = getenv("QN_DATA");
    snprintf(out, 600, "%s/stories260K/%s", data ? data : "../shared/data", name);
    FILE *file = fopen(out, "rb");
    if (!file)
        return false;
    fclose(file);
    return true;
}

static size_t read_text(char *out, size_t size, const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    size_t n = fread(out, 1, size - 1, file);
    fclose(file);
    while (n && out[n - 1] == '\n')
        n--;
    out[n] = '\0';
    return n;
}

/* Behind the first token, which begins a text. */
static void write_from_nothing(int32_t *ids, uint32_t n, const qn_model *m)
{
    qn_session *s;
    qn_sampler *sampler;
    qn_tokens tokens;
    must(qn_session_create(&s, m, device, &(qn_session_options){.context = 2 * n}));
    must(qn_sampler_create(&sampler, NULL));
    must(qn_model_encode(&tokens, m, "", 0, QN_ENCODE_BOS));
    ck_assert_uint_eq(tokens.n, 1);
    ids[0] = tokens.ids[0];
    for (uint32_t i = 0; i < n; i++) {
        must(qn_session_feed(s, &ids[i], 1));
        must(qn_session_sample(&ids[i + 1], s, sampler));
    }
    free(tokens.ids);
    qn_sampler_destroy(sampler);
    qn_session_destroy(s);
}

/* What becomes of the known text in other formats. Rounded to q8_0 the weights have another text,
 * of which so many bytes are the same: docs/parity.md. */
static const struct form {
    const char *type;  /* NULL: the file as it is */
    size_t same_bytes; /* 0: all */
} forms[] = {{NULL, 0}, {"f16", 0}, {"q8_0", 295}};

static void open_form(qn_model **out, const char *type)
{
    char path[600], converted[700], *folder;
    ck_assert(find_data(path, "stories260K.gguf"));
    if (!type) {
        must(qn_model_open(out, path));
        return;
    }
    must(qn__temp_dir_create(&folder));
    snprintf(converted, sizeof converted, "%s/%s.gguf", folder, type);
    must(qn_model_convert(converted, path, type, 1));
    must(qn_model_open(out, converted));
    qn__temp_dir_remove(folder); /* an open file stays */
    free(folder);
}

START_TEST(stories260k_writes_its_known_text)
{
    const struct form *form = &forms[_i];
    char path[600], want[1024], *text;
    int32_t ids[201];
    size_t n_bytes;
    qn_model *stories;
    ck_assert(find_data(path, "greedy-200.txt"));
    const size_t n_known = read_text(want, sizeof want, path);
    const size_t n_want = form->same_bytes ? form->same_bytes : n_known;
    ck_assert_uint_le(n_want, n_known);
    open_form(&stories, form->type);
    write_from_nothing(ids, 200, stories);
    must(qn_model_decode(&text, &n_bytes, stories, ids, 201));
    ck_assert_msg(n_bytes >= n_want && memcmp(text, want, n_want) == 0, "%s wrote:\n%s\nnot:\n%.*s",
                  form->type ? form->type : "f32", text, (int)n_want, want);
    free(text);
    qn_model_close(stories);
}
END_TEST

int main(void)
{
    char path[600];
    const struct fixture_case cases[] = {
        {weights_lie_where_they_are_placed_with_zeros_between, 1},
        {a_graph_and_single_launches_write_the_same_text, 1},
        {exact_products_are_near_the_fast_ones, 1},
        {a_prompt_in_pieces_of_any_size_ends_in_the_same_logits, 1},
        {tokens_grouped_by_expert_end_in_the_same_logits, 1},
        {a_prompt_that_was_stopped_can_be_fed_on, 1},
        {warming_up_leaves_no_trace_in_the_text, 1},
        {rewinding_and_feeding_again_gives_the_same_logits, 1},
        {a_session_chooses_what_the_sampler_would_choose_from_its_logits,
         sizeof samplings / sizeof *samplings},
        {writing_allocates_nothing_on_the_device, 1},
        {a_full_context_is_an_error_that_loses_nothing, 1},
        {tokens_outside_the_vocabulary_are_refused, 1},
        {an_8_bit_cache_is_near_the_16_bit_one, 1},
        {an_unknown_cache_type_is_refused, 1},
        {find_data(path, "stories260K.gguf") ? stories260k_writes_its_known_text : NULL,
         sizeof forms / sizeof *forms},
        {NULL, 0},
    };
    if (!cases[sizeof cases / sizeof *cases - 2].test)
        printf("skip: no reference data at %s (QN_DATA names its folder)\n", path);
    return fixture_run("engine", NULL, open_model, close_model, cases);
}
