/* SPDX-License-Identifier: Apache-2.0
 *
 * Making text (generation.h). */
#include "tools/generation.h"

#include "base/file.h"
#include "tools/commands.h"
#include "tools/terminal.h"

#include <errno.h>
#include <quern/quern.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* -- Ctrl-C -- */

static volatile sig_atomic_t interrupts;

static void on_interrupt(int number)
{
    (void)number;
    interrupts++;
    if (interrupts > 2) /* the loop does not come round: give up at once */
        _exit(130);
}

void qn__interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

bool qn__interrupted(void)
{
    return interrupts > 0;
}

void qn__interrupt_reset(void)
{
    interrupts = 0;
}

/* -- options -- */

static bool read_fraction(float *out, const char *name, const char *text, float fallback)
{
    char *end;
    *out = fallback;
    if (!text)
        return true;
    errno = 0;
    *out = strtof(text, &end);
    if (*text && !*end && !errno)
        return true;
    qn__complain(0, "--%s '%s': not a number", name, text);
    return false;
}

static bool read_sampling(struct qn__generation *g, float default_temperature)
{
    const struct qn__generation_options *o = g->options;
    qn_sampler_options *s = &g->sampling;
    s->top_k = (uint32_t)o->top_k;
    s->repeat_last = (uint32_t)o->repeat_last;
    s->seed = o->seed;
    if (!s->seed) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        s->seed = (uint64_t)t.tv_nsec << 20 ^ (uint64_t)t.tv_sec;
    }
    return read_fraction(&s->temperature, "temp", o->temperature, default_temperature) &&
           read_fraction(&s->top_p, "top-p", o->top_p, 0.95f) &&
           read_fraction(&s->min_p, "min-p", o->min_p, 0.05f) &&
           read_fraction(&s->repeat_penalty, "repeat-penalty", o->repeat_penalty, 1.0f);
}

bool qn__generation_init(struct qn__generation *g, const struct qn__generation_options *options,
                         float default_temperature, int *status)
{
    memset(g, 0, sizeof *g);
    g->options = options;
    g->start_ms = qn__now_ms();
    *status = QN__EXIT_USAGE;
    if (!read_sampling(g, default_temperature))
        return false;
    const qn_status made = qn_sampler_create(&g->sampler, &g->sampling);
    if (made != QN_OK) {
        *status = qn__complain_status("sampling");
        if (made == QN_E_INVALID)
            *status = QN__EXIT_USAGE;
        return false;
    }
    if (qn_model_open(&g->model, options->model) != QN_OK) {
        *status = qn__complain_status("model");
        return false;
    }
    for (uint32_t i = 0; !options->quiet && i < qn_model_count_warnings(g->model); i++)
        qn__complain(0, "%s: %s", options->model, qn_model_get_warning(g->model, i));
    *status = QN__EXIT_GOOD;
    return true;
}

/* The device cpu:0 and PoCL read their numbers of threads from the environment, when they begin. */
static bool set_threads(const struct qn__generation *g)
{
    char text[24];
    if (!g->options->threads)
        return true;
    snprintf(text, sizeof text, "%llu", (unsigned long long)g->options->threads);
    return setenv("QUERN_THREADS", text, 1) == 0 &&
           setenv("POCL_MAX_PTHREAD_COUNT", text, 1) == 0 &&
           setenv("POCL_CPU_MAX_CU_COUNT", text, 1) == 0;
}

/* Are there as many threads as were asked for? */
static bool check_threads(const struct qn__generation *g)
{
    const qn_device_info *d = qn_device_get_info(g->dev);
    if (!g->options->threads ||
        (d->device_class == QN_DEVICE_CPU && d->compute_units == g->options->threads))
        return true;
    if (d->device_class != QN_DEVICE_CPU)
        qn__complain(0, "--threads: %s (%s) is no CPU", d->id, d->name);
    else
        qn__complain(0, "--threads %llu: %s uses %u", (unsigned long long)g->options->threads,
                     d->id, d->compute_units);
    return false;
}

static bool show_kernels(uint32_t done, uint32_t total, const qn_module_item *last, void *payload)
{
    (void)payload;
    const char *how = last->log.origin == QN_ORIGIN_COMPILED ? "built" : "found";
    qn__progress(done, total, "kernels: %s %s", how, last->source ? last->source->path : "");
    return true;
}

static void show_weights(uint64_t done, uint64_t total, void *payload)
{
    (void)payload;
    qn__progress((uint32_t)(done >> 20), (uint32_t)(total >> 20), "MiB of weights");
}

static bool watch_prompt(uint32_t done, uint32_t total, void *payload)
{
    (void)done, (void)total, (void)payload;
    return !qn__interrupted();
}

static bool show_prompt(uint32_t done, uint32_t total, void *payload)
{
    qn__progress(done, total, "tokens of the prompt");
    return watch_prompt(done, total, payload);
}

qn_session_options qn__generation_session_options(const struct qn__generation *g)
{
    const bool shows = !g->options->quiet;
    return (qn_session_options){
        .context = (uint32_t)g->options->context,
        .batch = (uint32_t)g->options->batch,
        .cache = g->options->cache,
        .no_graph = g->options->no_graph,
        .no_library = g->options->no_library,
        .exact = g->options->exact,
        .no_fused = g->options->no_fused,
        .kernels_progress = shows ? show_kernels : NULL,
        .weights_progress = shows ? show_weights : NULL,
        .prompt_progress = shows ? show_prompt : watch_prompt,
    };
}

/* A CPU's driver finishes kernels at their first launch. That is no part of the prompt's time. */
static qn_status warm(struct qn__generation *g)
{
    if (qn_device_get_info(g->dev)->device_class != QN_DEVICE_CPU)
        return QN_OK;
    if (!g->options->quiet)
        qn__progress(0, 0, "kernels: first launches (some drivers finish a new kernel then, once)");
    return qn_session_warm(g->session, g->sampler);
}

static void warn_of_long_context(const struct qn__generation *g)
{
    const uint32_t trained = qn_model_get_info(g->model)->context_trained;
    const uint32_t context = qn_session_get_info(g->session)->plan.context;
    if (trained && context > trained && !g->options->quiet)
        qn__complain(0,
                     "the model was trained for %u positions, --ctx asks for %u: what it writes "
                     "beyond them may make no sense",
                     trained, context);
}

bool qn__generation_load(struct qn__generation *g, int *status)
{
    const qn_session_options options = qn__generation_session_options(g);
    *status = QN__EXIT_FAILED;
    if (!set_threads(g))
        return qn__complain(false, "--threads: no memory for the environment");
    if (qn_device_open(&g->dev, g->options->device) != QN_OK) {
        *status = qn__complain_status("device");
        return false;
    }
    if (!check_threads(g)) {
        *status = QN__EXIT_USAGE;
        return false;
    }
    qn_status made = qn_session_create(&g->session, g->model, g->dev, &options);
    if (made == QN_OK)
        made = warm(g);
    qn__progress_clear();
    if (made != QN_OK) {
        *status = qn__complain_status("%s", g->options->model);
        return false;
    }
    warn_of_long_context(g);
    *status = QN__EXIT_GOOD;
    return true;
}

void qn__generation_close(struct qn__generation *g)
{
    qn_session_destroy(g->session);
    qn_device_close(g->dev);
    qn_sampler_destroy(g->sampler);
    qn_model_close(g->model);
    free(g->kept);
}

/* -- text in whole characters -- */

/* Bytes held back because a character is not complete yet. */
struct pending {
    char bytes[4];
    uint32_t n;
    qn__text_sink write;
    void *payload;
    bool is_lost; /* a sink said false */
};

static const char replacement[] = "\xef\xbf\xbd";

/* Length of the character that begins with this byte; 0: none does. */
static uint32_t character_bytes(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return 2;
    if (first >= 0xe0 && first < 0xf0)
        return 3;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

static bool is_continuation(const struct pending *p, unsigned char c)
{
    const unsigned char first = (unsigned char)p->bytes[0];
    if ((c & 0xc0) != 0x80)
        return false;
    if (p->n > 1)
        return true;
    return !(first == 0xe0 && c < 0xa0) && !(first == 0xed && c >= 0xa0) &&
           !(first == 0xf0 && c < 0x90) && !(first == 0xf4 && c >= 0x90);
}

static void write_out(struct pending *p, const char *text, uint32_t n_bytes)
{
    if (!p->is_lost)
        p->is_lost = !p->write(text, n_bytes, p->payload);
}

static void flush_invalid(struct pending *p)
{
    if (p->n)
        write_out(p, replacement, 3);
    p->n = 0;
}

static void push(struct pending *p, char byte)
{
    const unsigned char c = (unsigned char)byte;
    if (p->n && !is_continuation(p, c))
        flush_invalid(p);
    if (!p->n && !character_bytes(c)) {
        write_out(p, replacement, 3);
        return;
    }
    p->bytes[p->n++] = byte;
    if (p->n == character_bytes((unsigned char)p->bytes[0])) {
        write_out(p, p->bytes, p->n);
        p->n = 0;
    }
}

static qn_status write_token(struct pending *p, const struct qn__generation *g, int32_t id,
                             bool is_first)
{
    char *text;
    size_t n_bytes;
    if (is_first)
        QN_TRY(qn_model_decode(&text, &n_bytes, g->model, &id, 1));
    else
        QN_TRY(qn_model_decode_next(&text, &n_bytes, g->model, id));
    for (size_t i = 0; i < n_bytes; i++)
        push(p, text[i]);
    free(text);
    return QN_OK;
}

/* -- the loop -- */

/* *goes_on: it was read to its end. */
static qn_status feed_prompt(bool *goes_on, struct qn__generation *g, const int32_t *ids,
                             uint32_t n)
{
    const double start = qn__now_ms();
    const qn_session_info *info = qn_session_get_info(g->session);
    const uint32_t n_before = info->n_past;
    const float *logits;
    if (!g->options->quiet)
        qn__progress(0, 0, "prompt: %u tokens", n);
    qn_status s = qn_session_feed(g->session, ids, n);
    *goes_on = s == QN_OK;
    if (*goes_on)
        s = qn_session_logits(g->session, &logits); /* waits, so that the times are right */
    qn__progress_clear();
    if (s != QN_OK && !(s == QN_E_NOT_READY && qn__interrupted()))
        return s;
    g->finish = QN__FINISH_CANCEL;
    g->n_prompt = info->n_past - n_before;
    qn_sampler_accept(g->sampler, ids, g->n_prompt);
    g->prompt_ms = qn__now_ms() - start;
    return QN_OK;
}

/* Into the cache, for the next one. */
static qn_status feed_token(struct qn__generation *g, int32_t id)
{
    const qn_session_info *info = qn_session_get_info(g->session);
    if (g->n_kept == g->kept_capacity) {
        const uint32_t more = g->kept_capacity ? 2 * g->kept_capacity : 256;
        int32_t *grown = realloc(g->kept, more * sizeof *grown);
        if (!grown)
            return qn__fail(QN_E_MEMORY, "no memory for %u tokens", more);
        g->kept = grown;
        g->kept_capacity = more;
    }
    QN_TRY(qn_session_feed(g->session, &id, 1));
    g->kept[g->n_kept++] = id;
    g->read_bytes +=
        info->plan.token_weights_bytes + info->plan.position_cache_bytes * info->n_past;
    return QN_OK;
}

/* One more token: false when the text is over, with g->finish set. */
static qn_status next_token(bool *goes_on, struct qn__generation *g, struct pending *p,
                            bool continues)
{
    const qn_session_info *info = qn_session_get_info(g->session);
    int32_t id;
    *goes_on = false;
    QN_TRY(qn_session_sample(&id, g->session, g->sampler));
    if (g->n_generated == 0)
        g->first_token_ms = qn__now_ms() - g->start_ms;
    if (qn_model_is_end(g->model, id)) {
        g->finish = QN__FINISH_END;
        return QN_OK;
    }
    QN_TRY(write_token(p, g, id, g->n_generated == 0 && !continues));
    g->n_generated++;
    g->finish = QN__FINISH_OUTPUT;
    if (p->is_lost)
        return QN_OK;
    g->finish = QN__FINISH_LENGTH;
    if (g->options->n_tokens && g->n_generated >= g->options->n_tokens)
        return QN_OK;
    g->finish = QN__FINISH_CONTEXT;
    if (info->n_past >= info->plan.context)
        return QN_OK;
    g->finish = QN__FINISH_CANCEL;
    if (qn__interrupted())
        return QN_OK;
    QN_TRY(feed_token(g, id));
    *goes_on = true;
    return QN_OK;
}

qn_status qn__generate(struct qn__generation *g, const int32_t *ids, uint32_t n,
                       qn__text_sink write, void *payload)
{
    struct pending p = {.write = write, .payload = payload};
    bool goes_on;
    g->n_generated = 0;
    g->read_bytes = 0;
    g->n_kept = 0;
    QN_TRY(feed_prompt(&goes_on, g, ids, n));
    const double start = qn__now_ms();
    qn_status s = QN_OK;
    while (s == QN_OK && goes_on)
        s = next_token(&goes_on, g, &p, n > 1);
    g->generated_ms = qn__now_ms() - start;
    flush_invalid(&p);
    return s;
}

/* -- the report -- */

const char *qn__finish_text(enum qn__finish finish)
{
    static const char *const texts[] = {"end", "length", "context", "cancel", "output"};
    return texts[finish];
}

struct qn__generation_speed qn__generation_speed(const struct qn__generation *g)
{
    const qn_session_info *info = qn_session_get_info(g->session);
    struct qn__generation_speed v = {0};
    if (g->prompt_ms > 0.0)
        v.prompt_tokens_per_s = g->n_prompt / g->prompt_ms * 1e3;
    if (g->generated_ms > 0.0 && g->n_generated > 1) {
        /* the first token is the prompt's work */
        v.tokens_per_s = (g->n_generated - 1) / g->generated_ms * 1e3;
        v.gb_per_s = (double)g->read_bytes / g->generated_ms * 1e-6;
    }
    if (info->bandwidth_gb_per_s > 0.0)
        v.share = v.gb_per_s / info->bandwidth_gb_per_s;
    return v;
}

static void report_details(const struct qn__generation *g)
{
    const qn_session_info *info = qn_session_get_info(g->session);
    char weights[QN__SIZE_TEXT], cache[QN__SIZE_TEXT], rest[QN__SIZE_TEXT], choice[QN__SIZE_TEXT];
    fprintf(stderr, "  memory   weights %s, cache %s for %u positions, activations %s\n",
            qn__size_text(weights, info->plan.weights_bytes),
            qn__size_text(cache, info->plan.cache_bytes), info->plan.context,
            qn__size_text(rest, info->plan.activations_bytes));
    fprintf(stderr, "  loading  weights %.0f ms; first token %.0f ms after the start\n",
            info->load_ms, g->first_token_ms);
    fprintf(stderr, "  token    %u launches%s, %llu allocations in all\n", info->launches_per_token,
            info->uses_graph ? " in one graph" : "", (unsigned long long)info->n_allocations);
    fprintf(stderr, "  weights  %s%s\n",
            *info->not_fused ? "not all streamed by fused kernels: " : "streamed by fused kernels",
            info->not_fused);
    fprintf(stderr, "  choice   from %s that come to the host per token\n",
            qn__size_text(choice, info->choice_bytes));
    fprintf(stderr, "  prompt   products by %s%s%s\n",
            info->on_tensor_cores ? "own kernels on tensor cores" : "",
            info->on_tensor_cores && (*info->library || *info->not_fused) ? ", else by " : "",
            *info->library                               ? info->library
            : !info->on_tensor_cores || *info->not_fused ? "own kernels"
                                                         : "");
    fprintf(stderr, "  seed     %llu\n", (unsigned long long)g->sampling.seed);
}

void qn__generation_report(const struct qn__generation *g)
{
    const qn_session_info *info = qn_session_get_info(g->session);
    const qn_device_info *d = qn_device_get_info(g->dev);
    const struct qn__generation_speed v = qn__generation_speed(g);
    fprintf(stderr, "%squern: %s on %s (%s)%s\n", qn__style_on(stderr, QN__STYLE_DIM),
            qn_model_get_info(g->model)->family, d->id, d->name, qn__style_off(stderr));
    fprintf(stderr, "  kernels  %u files, %u built now, %u found in the cache; %.0f ms",
            info->n_kernel_files, info->n_kernels_built,
            info->n_kernel_files - info->n_kernels_built, info->build_ms);
    if (info->warm_ms > 0.0)
        fprintf(stderr, ", first launches %.0f ms", info->warm_ms);
    fputc('\n', stderr);
    fprintf(stderr, "  prompt   %u tokens, %.1f tokens/s\n", g->n_prompt, v.prompt_tokens_per_s);
    fprintf(stderr, "  text     %u tokens, %.1f tokens/s, %.2f GB/s", g->n_generated,
            v.tokens_per_s, v.gb_per_s);
    if (info->bandwidth_gb_per_s > 0.0)
        fprintf(stderr, ", %.0f %% of the %.1f GB/s measured", v.share * 100.0,
                info->bandwidth_gb_per_s);
    fprintf(stderr, "; ended by %s\n", qn__finish_text(g->finish));
    if (g->options->stats)
        report_details(g);
}
