/* SPDX-License-Identifier: Apache-2.0
 *
 * Making text (generation.h). */
#include "tools/generation.h"
#include "tools/driver_note.h"

#include "base/file.h"
#include "base/settings.h"
#include "tools/commands.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
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

/* MODEL or --model, and what excludes one another. */
static const char *check_options(const struct qn__generation_options *o)
{
    if (o->model && o->model_too)
        qn__complain(0, "either MODEL or --model, not both ('%s', '%s')", o->model, o->model_too);
    else if (!o->model && !o->model_too)
        qn__complain(0, "MODEL is missing: a GGUF file, a safetensors file, or a model's folder");
    else if (o->looks_up && o->draft_model)
        qn__complain(0, "either --lookup or --draft-model");
    else if (o->shifts && o->no_shift)
        qn__complain(0, "either --context-shift or --no-context-shift");
    else if (o->library && o->no_library)
        qn__complain(0, "either --library or --no-library");
    else
        return o->model ? o->model : o->model_too;
    return NULL;
}

static void show_quantising(uint64_t done, uint64_t total, void *payload)
{
    const struct qn__generation_options *const o = payload;
    qn__progress((uint32_t)(done >> 20), (uint32_t)(total >> 20) + 1, "MiB of weights as %s",
                 o->load_as);
}

static bool open_model(struct qn__generation *g, const char *path, qn_model_options *o)
{
    const struct qn__generation_options *const options = g->options;
    o->load_as = options->load_as;
    o->load_threads = (uint32_t)options->threads;
    o->load_progress = options->quiet ? NULL : show_quantising;
    o->payload = (void *)(uintptr_t)options;
    const qn_status s = qn_model_open_with(&g->model, path, o);
    qn__progress_clear();
    return s == QN_OK;
}

bool qn__generation_init(struct qn__generation *g, const struct qn__generation_options *options,
                         float default_temperature, int *status)
{
    memset(g, 0, sizeof *g);
    g->options = options;
    g->start_ms = qn__now_ms();
    *status = QN__EXIT_USAGE;
    const char *path = check_options(options);
    qn_model_options model;
    if (options->device_memory && qn__size_parse(&g->device_bytes, options->device_memory) != QN_OK)
        return qn__complain(false, "--vram: %s", qn_message());
    if (!path || !qn__sampling_init(&g->sampling, &options->p, default_temperature) ||
        !qn__rope_options_read(&model, &options->rope))
        return false;
    if (!open_model(g, path, &model)) {
        *status = qn__complain_status("model");
        return false;
    }
    for (uint32_t i = 0; !options->quiet && i < qn_model_count_warnings(g->model); i++)
        qn__complain(0, "%s: %s", options->model, qn_model_get_warning(g->model, i));
    if (!qn__adapters_open(&g->adapters, &options->adapters, g->model, options->quiet, status))
        return false;
    *status = QN__EXIT_USAGE;
    if (!qn__sampling_read_grammar(&g->sampling, &options->p, g->model, status))
        return false;
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

/* Are tokens guessed ahead? */
static bool guesses(const struct qn__generation *g)
{
    return g->options->looks_up || g->options->draft_model;
}

qn_session_options qn__generation_session_options(const struct qn__generation *g)
{
    const bool shows = !g->options->quiet;
    const uint32_t n_layers = qn_model_get_info(g->model)->n_layers;
    return (qn_session_options){
        .context = (uint32_t)g->options->context,
        .batch = (uint32_t)g->options->batch,
        .rows = guesses(g) ? (uint32_t)g->options->n_drafts + 1 : g->options->rows,
        .cache = g->options->cache,
        .device_bytes = g->device_bytes,
        .stream_from_file = g->options->from_file,
        .streamed_layers =
            n_layers > g->options->layers ? n_layers - (uint32_t)g->options->layers : 0,
        .no_graph = g->options->no_graph,
        .no_library = g->options->no_library,
        .library = g->options->library,
        .exact = g->options->exact,
        .no_fused = g->options->no_fused,
        .adapters = g->adapters.items,
        .n_adapters = g->adapters.n,
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

static bool make_sampler(struct qn__generation *g, int *status)
{
    const uint32_t context = qn_session_get_info(g->session)->plan.context;
    if (!qn__sampling_finish(&g->sampling, &g->options->p, g->model, context, status))
        return false;
    if (qn_sampler_create(&g->sampler, &g->sampling.options) != QN_OK) {
        *status = qn__complain_status("sampling");
        return false;
    }
    qn_sampler_set_grammar(g->sampler, g->sampling.grammar);
    return true;
}

/* What is slower than it might be is said. */
static void tell_of_streaming(const struct qn__generation *g)
{
    const qn_session_plan *p = &qn_session_get_info(g->session)->plan;
    char size[QN__SIZE_TEXT];
    if (p->streamed_layers && !g->options->quiet)
        qn__complain(
            0,
            "%u of %u layers do not stay on %s: they come from the %s, %s for each token or "
            "batch of a prompt",
            p->streamed_layers, qn_model_get_info(g->model)->n_layers,
            qn_device_get_info(g->dev)->id, p->streams_from_file ? "file" : "host's memory",
            qn__size_text(size, p->streamed_bytes));
}

bool qn__generation_load(struct qn__generation *g, int *status)
{
    qn_session_options options = qn__generation_session_options(g);
    *status = QN__EXIT_FAILED;
    if (!set_threads(g))
        return qn__complain(false, "--threads: no memory for the environment");
    if (qn_device_open(&g->dev, g->options->device) != QN_OK) {
        *status = qn__complain_status("device");
        return false;
    }
    qn__driver_note(qn_device_get_info(g->dev));
    if (!check_threads(g)) {
        *status = QN__EXIT_USAGE;
        return false;
    }
    const char *path = qn_model_get_info(g->model)->path;
    options.as_alone = guesses(g) && qn_device_get_info(g->dev)->device_class == QN_DEVICE_CPU;
    const qn_status made = qn_session_create(&g->session, g->model, g->dev, &options);
    qn__progress_clear();
    if (made != QN_OK) {
        *status = qn__complain_status("%s", path);
        return false;
    }
    if (!make_sampler(g, status))
        return false;
    if (g->options->draft_model &&
        qn__draft_model_open(&g->draft, g->options->draft_model, g->model, g->dev,
                             qn_session_get_info(g->session)->plan.context) != QN_OK) {
        *status = qn__complain_status("--draft-model");
        return false;
    }
    const qn_status warmed = warm(g);
    qn__progress_clear();
    if (warmed != QN_OK) {
        *status = qn__complain_status("%s", path);
        return false;
    }
    warn_of_long_context(g);
    tell_of_streaming(g);
    *status = QN__EXIT_GOOD;
    return true;
}

void qn__generation_close(struct qn__generation *g)
{
    qn__draft_model_close(&g->draft);
    qn_session_destroy(g->session);
    qn_device_close(g->dev);
    qn_sampler_destroy(g->sampler);
    qn__sampling_release(&g->sampling);
    qn__adapters_close(&g->adapters);
    qn_model_close(g->model);
    free(g->history);
}

/* -- the report -- */

const char *qn__finish_text(enum qn__finish finish)
{
    static const char *const texts[] = {"end", "length", "context", "stop", "cancel", "output"};
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
    if (info->plan.streamed_layers)
        fprintf(stderr, "  streamed %u layers, %s for each pass, from the %s\n",
                info->plan.streamed_layers, qn__size_text(rest, info->plan.streamed_bytes),
                info->plan.streams_from_file ? "file" : "host's memory");
    fprintf(stderr, "  loading  weights %.0f ms; first token %.0f ms after the start\n",
            info->load_ms, g->first_token_ms);
    fprintf(stderr, "  token    %u launches%s, %llu allocations in all\n", info->launches_per_token,
            info->uses_graph ? " in one graph" : "", (unsigned long long)info->n_allocations);
    fprintf(stderr, "  weights  %sstreamed by fused kernels%s%s%s\n",
            *info->not_fused ? "not all " : "", info->begins_early ? ", begun early" : "",
            *info->not_fused ? ": " : "", info->not_fused);
    fprintf(stderr, "  choice   from %s that come to the host per token\n",
            qn__size_text(choice, info->choice_bytes));
    fprintf(stderr, "  prompt   products by %s%s%s\n",
            info->on_tensor_cores ? "own kernels on tensor cores" : "",
            info->on_tensor_cores && (*info->library || *info->not_fused) ? ", else by " : "",
            *info->library                               ? info->library
            : !info->on_tensor_cores || *info->not_fused ? "own kernels"
                                                         : "");
    fprintf(stderr, "  seed     %llu\n", (unsigned long long)g->sampling.options.seed);
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
    fprintf(stderr, "; ended by %s", qn__finish_text(g->finish));
    if (g->n_guessed)
        fprintf(stderr, "; %u of %u guesses were right", g->n_guessed_right, g->n_guessed);
    if (g->n_shifts)
        fprintf(stderr, "; the context was shifted %u times", g->n_shifts);
    fputc('\n', stderr);
    if (g->options->stats)
        report_details(g);
}
