/* SPDX-License-Identifier: Apache-2.0
 *
 * quern run: a language model continues a prompt. The text goes to stdout as it comes, the time
 * and memory it took to stderr. */
#include "tools/chat_prompt.h"
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/terminal.h"
#include "tools/token_probs.h"
#include "tools/write_text.h"

#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct values {
    struct qn__generation_options g;
    struct qn__chat_prompt_options chat;
    const char *prompt, *prompt_file, *system, *prompt_cache;
    uint64_t n_probs;
    bool raw, plan, json, logits, escapes;
};

static const struct qn__option options[] = {
    QN__GENERATION_ROWS(struct values),
    QN__CHAT_PROMPT_ROWS(struct values),
    QN__TEXT(struct values, prompt, 'p', "prompt", "TEXT", "what the text begins with"),
    QN__TEXT(
        struct values, prompt_file, 'f', "file", "FILE",
        "read the prompt there; - is stdin, which is also read where there is neither a prompt "
        "nor a terminal"),
    QN__FLAG(
        struct values, escapes, 'e', "escape",
        "in --prompt, --system and --stop \\n, \\t, \\\", \\', \\\\ and \\x41 stand for what they "
        "do in C"),
    QN__TEXT(struct values, system, 0, "system", "TEXT",
             "what a chat model is told before the prompt"),
    QN__TEXT(struct values, prompt_cache, 0, "prompt-cache", "FILE",
             "begin with what FILE has of the prompt, and keep the prompt's cache there"),
    QN__FLAG(struct values, raw, 0, "raw",
             "continue the prompt as it is, even if the model has a chat template"),
    QN__FLAG(struct values, plan, 0, "plan",
             "say what would be allocated, and whether it fits; load nothing"),
    QN__FLAG(struct values, logits, 0, "logits",
             "print the logits after the prompt's last token, one a line, and no text"),
    QN__FLAG(struct values, json, 0, "json", "print JSON: text, tokens, plan, times"),
    QN__NUMBER(struct values, n_probs, 0, "probs", 0, QN__PROBS_MAX, 0,
               "with --json: of each token the probability, and so many of the likeliest with "
               "theirs, before any step of the sampler",
               .also = "n-probs"),
};

/* -- the plan -- */

static json_t *plan_json(const qn_session_plan *p)
{
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:I, s:I, s:I, s:I, s:b}",
        "context", (json_int_t)p->context, "batch", (json_int_t)p->batch, "weights_bytes",
        (json_int_t)p->weights_bytes, "cache_bytes", (json_int_t)p->cache_bytes,
        "activations_bytes", (json_int_t)p->activations_bytes, "adapters_bytes",
        (json_int_t)p->adapters_bytes, "peak_bytes", (json_int_t)p->peak_bytes, "reserve_bytes",
        (json_int_t)p->reserve_bytes, "free_bytes", (json_int_t)p->free_bytes, "context_max",
        (json_int_t)p->context_max, "fits", p->fits, "token_weights_bytes",
        (json_int_t)p->token_weights_bytes, "position_cache_bytes",
        (json_int_t)p->position_cache_bytes, "streamed_layers", (json_int_t)p->streamed_layers,
        "streamed_bytes", (json_int_t)p->streamed_bytes, "streams_from_file", p->streams_from_file);
}

static void print_size(const char *name, uint64_t bytes, const char *what)
{
    char size[QN__SIZE_TEXT];
    printf("  %-12s %10s  %s\n", name, qn__size_text(size, bytes), what);
}

static void print_largest(const struct qn__generation *g, const qn_session_plan *p)
{
    qn_session_options o = qn__generation_session_options(g);
    qn_session_plan largest;
    o.context = p->context_max;
    printf("It fits; the largest context that would is %u positions", p->context_max);
    if (qn_session_plan_get(&largest, g->model, g->dev, &o) == QN_OK &&
        largest.streamed_layers > p->streamed_layers)
        printf(", with %u layers streamed", largest.streamed_layers);
    puts(".");
}

/* What to do. A cache in q8_0 is no help where it is that already, or heads are no whole blocks. */
static void print_advice(const struct qn__generation *g, const qn_session_plan *p)
{
    qn_session_options o = qn__generation_session_options(g);
    qn_session_plan smaller;
    o.cache = "q8_0";
    const bool helps = qn_session_plan_get(&smaller, g->model, g->dev, &o) == QN_OK &&
                       smaller.context_max > p->context_max;
    if (p->fits)
        print_largest(g, p);
    else if (helps && smaller.fits)
        printf("It does not fit: take --cache q8_0, with which it does, or --ctx %u or less.\n",
               p->context_max);
    else if (helps)
        printf("It does not fit: take --ctx %u or less, with --cache q8_0 %u or less.\n",
               p->context_max, smaller.context_max);
    else if (p->context_max)
        printf("It does not fit: take --ctx %u or less.\n", p->context_max);
    else
        printf("The weights alone do not fit: take a smaller format of the model, or another "
               "device.\n");
}

static void print_plan(const qn_model_info *m, const qn_session_plan *p, const qn_device_info *d)
{
    char text[96];
    printf("%s: %s, %u layers of %u, %.1f M weights, mostly %s\n", m->path, m->family, m->n_layers,
           m->dim, (double)m->n_params * 1e-6, m->weights);
    print_size("weights", p->weights_bytes, "resident");
    snprintf(text, sizeof text, "%u layers, from the %s for each pass", p->streamed_layers,
             p->streams_from_file ? "file" : "host's memory");
    if (p->streamed_layers)
        print_size("streamed", p->streamed_bytes, text);
    snprintf(text, sizeof text, "%u positions; the model was trained for %u", p->context,
             m->context_trained);
    print_size("cache", p->cache_bytes, text);
    snprintf(text, sizeof text, "%u tokens at once", p->batch);
    print_size("activations", p->activations_bytes, text);
    if (p->adapters_bytes)
        print_size("adapters", p->adapters_bytes, "in f32, beside the weights");
    print_size("peak", p->peak_bytes, "one allocation each, none per token");
    print_size("reserve", p->reserve_bytes, "left for kernels and the driver");
    snprintf(text, sizeof text, "on %s, %s", d->id, d->name);
    print_size("free", p->free_bytes, text);
    print_size("per token", p->token_weights_bytes, "weights read");
    print_size("", p->position_cache_bytes, "cache read for each position before it");
}

static int show_plan(struct qn__generation *g, bool json)
{
    const qn_session_options o = qn__generation_session_options(g);
    qn_session_plan p;
    if (qn_device_open(&g->dev, g->options->device) != QN_OK)
        return qn__complain_status("device");
    if (qn_session_plan_get(&p, g->model, g->dev, &o) != QN_OK)
        return qn__complain_status("%s", qn_model_get_info(g->model)->path);
    if (json) {
        if (qn__json_print(plan_json(&p)) != QN__EXIT_GOOD)
            return QN__EXIT_FAILED;
    } else {
        print_plan(qn_model_get_info(g->model), &p, qn_device_get_info(g->dev));
        print_advice(g, &p);
    }
    return p.fits ? QN__EXIT_GOOD : QN__EXIT_FAILED;
}

/* -- the prompt -- */

/* Does the model answer the prompt, instead of continuing it? */
static bool answers(const struct values *v, const qn_model *m)
{
    return !v->raw &&
           (qn_model_get_info(m)->has_chat_template || qn__chat_prompt_has_template(&v->chat));
}

/* A question as the model's template has it. */
static bool encode_question(qn_tokens *out, const struct values *v, const qn_model *m,
                            const char *prompt)
{
    const qn_chat_message messages[] = {{"system", v->system ? v->system : "", NULL},
                                        {"user", prompt, NULL}};
    const uint32_t skip = v->system ? 0 : 1;
    struct qn__chat_prompt p;
    int status;
    if (!*prompt)
        return qn__complain(false,
                            "%s answers a prompt: give one with --prompt or --file, or talk with "
                            "'quern chat' (--raw begins from nothing)",
                            qn_model_get_info(m)->path);
    bool good = qn__chat_prompt_init(&p, &v->chat, &status);
    if (good && qn__chat_prompt_encode(out, &p, m, messages + skip, 2 - skip) != QN_OK) {
        qn__complain_status("prompt");
        good = qn__complain(false, "--chat-template chatml (or another) takes the place of the "
                                   "model's template, --raw leaves it out");
    }
    qn__chat_prompt_release(&p);
    return good;
}

/* The prompt's tokens; false after a complaint. */
static bool encode_prompt(qn_tokens *out, const struct values *v, const qn_model *m,
                          const char *prompt)
{
    const unsigned flags = QN_ENCODE_BOS | (v->raw ? 0u : QN_ENCODE_SPECIAL);
    if (answers(v, m))
        return encode_question(out, v, m, prompt);
    if (v->system)
        return qn__complain(false, "--system: %s has no chat template to put it into",
                            qn_model_get_info(m)->path);
    const qn_status s = qn_model_encode(out, m, prompt, strlen(prompt), flags);
    if (s != QN_OK)
        qn__complain_status("prompt");
    else if (out->n == 0)
        qn__complain(0, "the prompt is empty, and the model has no token to begin a text with");
    else if (v->chat.show)
        fprintf(stderr, "%s\n", qn__plain(prompt));
    return s == QN_OK && out->n > 0;
}

/* A prompt longer than the context is refused before anything is loaded or printed. */
static bool prompt_fits(const struct qn__generation *g, const qn_tokens *tokens)
{
    const qn_session_options o = qn__generation_session_options(g);
    qn_session_plan p;
    if (qn_session_plan_get(&p, g->model, NULL, &o) != QN_OK) {
        qn__complain_status("%s", g->options->model);
        return false;
    }
    if (tokens->n <= p.context)
        return true;
    qn__complain(0,
                 "the prompt has %u tokens and the context %u positions: --ctx %u or more holds it "
                 "(the model was trained for %u)",
                 tokens->n, p.context, tokens->n + 1, qn_model_get_info(g->model)->context_trained);
    return false;
}

/* -- running -- */

/* A text that continues its prompt begins with it. */
static void print_prompt(const char **prompt)
{
    fputs(*prompt, stdout);
    qn__flush_stdout();
    *prompt = "";
}

static bool print_text(const char *text, size_t n_bytes, void *payload)
{
    print_prompt(payload);
    fwrite(text, 1, n_bytes, stdout);
    return qn__flush_stdout();
}

static bool keep_text(const char *text, size_t n_bytes, void *payload)
{
    struct qn__str *kept = payload;
    qn__str_add_bytes(kept, text, n_bytes);
    return !kept->failed;
}

struct probs {
    json_t *list; /* NULL: not asked for */
    uint32_t n_top;
};

static qn_status keep_probs(struct qn__generation *g, int32_t id, const float *logits,
                            void *payload)
{
    const struct probs *p = payload;
    if (json_array_append_new(p->list, qn__token_probs(g->model, logits, id, p->n_top)) == 0)
        return QN_OK;
    return qn__fail(QN_E_MEMORY, "no memory for probabilities");
}

/* Takes the probabilities. */
static int print_json(const struct qn__generation *g, const struct qn__str *text, json_t *probs)
{
    const qn_session_info *info = qn_session_get_info(g->session);
    const qn_device_info *d = qn_device_get_info(g->dev);
    const struct qn__generation_speed v = qn__generation_speed(g);
    json_t *out = json_pack(
        "{s:o, s:s, s:o, s:I, s:I, s:I, s:s, s:o, s:o, s:o, s:{s:I, s:I, s:f, s:f}, s:{s:f, s:f, "
        "s:f, "
        "s:f}, "
        "s:{s:f, s:f, s:f, s:o, s:o}}",
        "text", json_stringn(text->len ? text->text : "", text->len), "finish",
        qn__finish_text(g->finish), "stop", g->stop ? qn__json_string(g->stop) : json_null(),
        "seed", (json_int_t)g->sampling.options.seed, "prompt_tokens", (json_int_t)g->n_prompt,
        "tokens", (json_int_t)g->n_generated, "device", d->id, "device_name",
        qn__json_string(d->name), "model", qn__json_string(qn_model_get_info(g->model)->path),
        "plan", plan_json(&info->plan), "kernels", "files", (json_int_t)info->n_kernel_files,
        "built", (json_int_t)info->n_kernels_built, "ms", info->build_ms, "first_launches_ms",
        info->warm_ms, "ms", "load", info->load_ms, "prompt", g->prompt_ms, "text", g->generated_ms,
        "first_token", g->first_token_ms, "speed", "prompt_tokens_per_s", v.prompt_tokens_per_s,
        "tokens_per_s", v.tokens_per_s, "gb_per_s", v.gb_per_s, "bandwidth_gb_per_s",
        qn__json_number(info->bandwidth_gb_per_s), "bandwidth_share", qn__json_number(v.share));
    if (probs && json_object_set_new(out, "probabilities", probs) != 0) {
        json_decref(out);
        out = NULL;
    }
    return qn__json_print(out);
}

static int print_logits(struct qn__generation *g, const qn_tokens *tokens, bool json)
{
    const uint32_t n = qn_model_get_info(g->model)->n_vocab;
    const float *logits;
    if (qn_session_feed(g->session, tokens->ids, tokens->n) != QN_OK ||
        qn_session_logits(g->session, &logits) != QN_OK)
        return qn__complain_status("%s", qn_model_get_info(g->model)->path);
    json_t *list = json ? json_array() : NULL;
    for (uint32_t i = 0; i < n; i++)
        if (json)
            json_array_append_new(list, qn__json_number(logits[i]));
        else
            printf("%.9g\n", (double)logits[i]);
    return json ? qn__json_print(json_pack("{s:o}", "logits", list)) : QN__EXIT_GOOD;
}

/* How much of the prompt is there already. A file of something else is said, and written anew. */
static uint32_t resume(struct qn__generation *g, const struct values *v, const qn_tokens *tokens)
{
    uint32_t n_common = 0;
    if (!v->prompt_cache || access(v->prompt_cache, F_OK) != 0)
        return 0;
    if (qn__generation_resume(&n_common, g, v->prompt_cache, tokens->ids, tokens->n) != QN_OK) {
        qn__complain_status("--prompt-cache");
        qn__complain(0, "the prompt is read from its beginning");
    } else if (!v->g.quiet) {
        qn__complain(0, "%s: %u of the prompt's %u tokens", v->prompt_cache, n_common, tokens->n);
    }
    return n_common;
}

/* Nothing to do where the file had all that can be kept. */
static bool keep_prompt(struct qn__generation *g, const struct values *v, const qn_tokens *tokens,
                        uint32_t n_common)
{
    if (!v->prompt_cache || n_common + 1 >= tokens->n)
        return true;
    if (g->n_shifts || g->n_prompt + n_common < tokens->n)
        return qn__complain(true, "%s: not written: the prompt is not whole in the cache any more",
                            v->prompt_cache);
    if (qn_session_save(g->session, v->prompt_cache, tokens->ids, tokens->n) == QN_OK)
        return true;
    qn__complain_status("--prompt-cache");
    return false;
}

static int write_text(struct qn__generation *g, const struct values *v, const qn_tokens *tokens,
                      const char *prompt)
{
    struct qn__str text = {0};
    struct probs probs = {.list = v->n_probs ? json_array() : NULL, .n_top = (uint32_t)v->n_probs};
    if (probs.list) {
        g->watch = keep_probs;
        g->watch_payload = &probs;
    }
    const uint32_t context = qn_session_get_info(g->session)->plan.context;
    qn__interrupt_watch();
    if (answers(v, g->model))
        prompt = "";
    if (!v->json && (v->g.quiet || !qn__progress_is_visible()))
        print_prompt(&prompt); /* else progress would wipe out its last line */
    const uint32_t n_common = resume(g, v, tokens), n_left = tokens->n - n_common;
    const int32_t *ids = tokens->ids + n_common;
    const qn_status s = v->json ? qn__generate(g, ids, n_left, keep_text, &text)
                                : qn__generate(g, ids, n_left, print_text, &prompt);
    if (!v->json) {
        print_prompt(&prompt);
        putchar('\n');
    }
    qn__flush_stdout();
    if (s != QN_OK) {
        qn__str_release(&text);
        json_decref(probs.list);
        return qn__complain_status("%s", qn_model_get_info(g->model)->path);
    }
    if (g->n_prompt < n_left)
        qn__complain(0, "stopped after %u of the prompt's %u tokens", n_common + g->n_prompt,
                     tokens->n);
    if (g->finish == QN__FINISH_CONTEXT && !v->g.quiet)
        qn__complain(0, "the context of %u positions is full; --ctx sets it", context);
    int status = keep_prompt(g, v, tokens, n_common) ? QN__EXIT_GOOD : QN__EXIT_FAILED;
    if (!v->g.quiet && qn_session_measure(g->session) != QN_OK)
        qn__complain_status("measuring the bandwidth");
    if (v->json && text.failed)
        status = qn__complain(QN__EXIT_FAILED, "no memory for the text");
    else if (v->json)
        status = print_json(g, &text, json_incref(probs.list)) == QN__EXIT_GOOD ? status
                                                                                : QN__EXIT_FAILED;
    else if (!v->g.quiet)
        qn__generation_report(g);
    qn__str_release(&text);
    json_decref(probs.list);
    return g->finish == QN__FINISH_CANCEL ? 130 : status;
}

static int run_with(struct qn__generation *g, const struct values *v, const char *prompt)
{
    int status = QN__EXIT_GOOD;
    qn_tokens tokens = {0};
    if (v->plan)
        return show_plan(g, v->json);
    if (!encode_prompt(&tokens, v, g->model, prompt) || !prompt_fits(g, &tokens))
        status = QN__EXIT_FAILED;
    else if (qn__generation_load(g, &status))
        status = v->logits ? print_logits(g, &tokens, v->json) : write_text(g, v, &tokens, prompt);
    free(tokens.ids);
    return status;
}

/* Is standard input a file, or the end of a pipe? Only then is it read unasked. */
static bool has_input(void)
{
    struct stat st;
    return fstat(STDIN_FILENO, &st) == 0 && (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode));
}

/* The prompt as it is meant, to free(); NULL after a complaint. */
static char *read_prompt(const struct values *v)
{
    char *prompt = NULL;
    if (v->prompt_file)
        return qn__read_text(v->prompt_file);
    if (!v->prompt && !v->plan && has_input())
        return qn__read_text("-");
    const char *given = v->prompt ? v->prompt : "";
    prompt = malloc(strlen(given) + 1);
    if (prompt)
        strcpy(prompt, given);
    else
        qn__complain(0, "no memory for the prompt");
    return prompt;
}

static int run_as_meant(const struct values *v)
{
    struct qn__generation g;
    int status = QN__EXIT_FAILED;
    char *prompt = read_prompt(v);
    if (!prompt)
        return QN__EXIT_FAILED;
    if (v->escapes && v->prompt && !qn__unescape(prompt, "--prompt")) {
        free(prompt);
        return QN__EXIT_USAGE;
    }
    if (qn__generation_init(&g, &v->g, 0.8f, &status))
        status = run_with(&g, v, prompt);
    qn__generation_close(&g);
    free(prompt);
    return status;
}

/* With escapes these words are others, of the same length or less. */
static int run_unescaped(const struct values *v)
{
    struct values meant = *v;
    struct qn__option_list *stops = &meant.g.p.stops;
    char **texts = calloc(stops->n + 1, sizeof *texts); /* system, then the stops */
    const char **items = calloc(stops->n + 1, sizeof *items);
    int status = QN__EXIT_GOOD;
    for (uint32_t i = 0; texts && items && i <= stops->n && status == QN__EXIT_GOOD; i++) {
        const char *text = i ? v->g.p.stops.items[i - 1] : v->system ? v->system : "";
        texts[i] = malloc(strlen(text) + 1);
        if (!texts[i])
            status = qn__complain(QN__EXIT_FAILED, "no memory for the words");
        else if (!qn__unescape(strcpy(texts[i], text), i ? "--stop" : "--system"))
            status = QN__EXIT_USAGE;
        else if (i)
            items[i - 1] = texts[i];
    }
    if (!texts || !items)
        status = qn__complain(QN__EXIT_FAILED, "no memory for the words");
    if (status == QN__EXIT_GOOD) {
        meant.system = v->system ? texts[0] : NULL;
        stops->items = items;
        status = run_as_meant(&meant);
    }
    for (uint32_t i = 0; texts && i <= stops->n; i++)
        free(texts[i]);
    free(texts);
    free(items);
    return status;
}

static int run(const void *values)
{
    const struct values *v = values;
    if (v->prompt && v->prompt_file)
        return qn__complain(QN__EXIT_USAGE, "run: either --prompt or --file");
    if (v->raw && (v->system || qn__chat_prompt_has_template(&v->chat)))
        return qn__complain(QN__EXIT_USAGE,
                            "run: --raw does without a chat template: no --system, no "
                            "--chat-template");
    if (v->n_probs && !v->json)
        return qn__complain(QN__EXIT_USAGE, "run: --probs is printed with --json");
    if (v->plan && v->logits)
        return qn__complain(QN__EXIT_USAGE, "run: either --plan or --logits");
    struct qn__chat_prompt
        trial; /* what is wrong with its options is said before a model is read */
    int status;
    const bool good = qn__chat_prompt_init(&trial, &v->chat, &status);
    qn__chat_prompt_release(&trial);
    if (!good)
        return status;
    return v->escapes ? run_unescaped(v) : run_as_meant(v);
}

const struct qn__command qn__cmd_run = {
    .name = "run",
    .brief = "let a language model continue a prompt",
    .about =
        "The model's kernels are built for the device, or found in the cache; its weights go to "
        "the device in their stored format; then it writes, token by token. A model with a chat "
        "template answers the prompt; any other one, or with --raw, it continues it.\n\n"
        "GGUF files and safetensors of the families llama (Mistral, Mixtral, SmolLM, Falcon 3), "
        "qwen2, "
        "qwen3, both with experts, gemma, gemma2, gemma3, phi3 (Phi-4), granite, olmo2, "
        "smollm3, deepseek2 (V2-Lite) and gpt-oss are read.\n\n"
        "Ctrl-C ends the text, or the reading of a long prompt, and still prints the summary; the "
        "exit status is then 130.",
    .sample = "run models/quern-stories-q8_0.gguf -p \"Once upon a time\" --seed 7\n"
              "run model.gguf -p \"Why is the sky blue?\" --temp 0 -n 200\n"
              "run model.gguf --plan --ctx 32768\n"
              "run model.gguf -f prompt.txt --json",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .values_bytes = sizeof(struct values),
    .run = run,
};
