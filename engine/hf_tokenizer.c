/* SPDX-License-Identifier: Apache-2.0
 *
 * tokenizer.json as facts of GGUF's kind ("tokenizer.ggml.tokens" and so on).
 *
 * The file describes a pipeline (normaliser, pre-tokeniser, model, decoder) in which nearly
 * anything can be said; what models of Quern's families say is one of three things: byte-level BPE
 * after one of a few known ways to cut a text, SentencePiece's BPE written as merges, and
 * unigram. Anything else is refused. Merges in order become SentencePiece's scores: the earlier a
 * token can be made, the better. A normaliser to NFC is passed over, as GGUF files do. */
#include "engine/hf_tokenizer.h"

#include "base/file.h"
#include "base/str.h"
#include "engine/hf_end_tokens.h"
#include "engine/hf_folder.h"
#include "engine/pretokenizer_rules.h"
#include "engine/vocabulary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS_MAX = 1 << 22 };

struct reader {
    struct qn__model_file *f;
    const json_t *tokenizer, *model;
    const json_t *settings, *config; /* tokenizer_config.json, config.json; or NULL */
    bool is_spm, is_unigram;
    uint32_t n;
    const char **texts; /* of each token; NULL: a hole */
    int32_t *types;
    float *scores;
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool is_type(const json_t *object, const char *type)
{
    return !strcmp(text_of(object, "type"), type);
}

/* -- the kind of tokenizer -- */

/* Steps of a pipeline part: the members of a Sequence, or the part alone. */
static size_t count_steps(const json_t *part, const char *members)
{
    if (!json_is_object(part))
        return 0;
    return is_type(part, "Sequence") ? json_array_size(json_object_get(part, members)) : 1;
}

static const json_t *get_step(const json_t *part, const char *members, size_t i)
{
    return is_type(part, "Sequence") ? json_array_get(json_object_get(part, members), i) : part;
}

static const json_t *find_step(const json_t *part, const char *members, const char *type)
{
    for (size_t i = 0; i < count_steps(part, members); i++)
        if (is_type(get_step(part, members, i), type))
            return get_step(part, members, i);
    return NULL;
}

/* What the normaliser does must be what Quern does: nothing, NFC, or marking spaces.
 * *prefix: where a space is put in front: "never", "always", "missing", "first". */
static qn_status check_normalizer(const char **prefix, bool *marks_spaces, const struct reader *r)
{
    const json_t *normalizer = json_object_get(r->tokenizer, "normalizer");
    const json_t *pre = json_object_get(r->tokenizer, "pre_tokenizer");
    const json_t *metaspace = find_step(pre, "pretokenizers", "Metaspace");
    const char *scheme = text_of(metaspace, "prepend_scheme");
    *prefix = !strcmp(scheme, "first") ? "first" : "missing"; /* "always" is never a second one */
    if (!metaspace || !strcmp(scheme, "never") ||
        json_is_false(json_object_get(metaspace, "add_prefix_space")))
        *prefix = "never";
    *marks_spaces = metaspace != NULL;
    for (size_t i = 0; i < count_steps(normalizer, "normalizers"); i++) {
        const json_t *step = get_step(normalizer, "normalizers", i);
        if (is_type(step, "NFC"))
            continue;
        if (is_type(step, "Prepend") && !strcmp(text_of(step, "prepend"), "\xe2\x96\x81"))
            *prefix = "always";
        else if (is_type(step, "Replace") && !strcmp(text_of(step, "content"), "\xe2\x96\x81"))
            *marks_spaces = true;
        else
            return qn__fail(QN_E_UNSUPPORTED,
                            "tokenizer.json: the normaliser '%.32s', which Quern does not have",
                            text_of(step, "type"));
    }
    return QN_OK;
}

/* What a step of the pre-tokeniser cuts out; NULL: what Quern has no such step for. */
static const char *expression_of(const json_t *step)
{
    const char *behavior = text_of(step, "behavior");
    const bool inverted = json_is_true(json_object_get(step, "invert"));
    if (is_type(step, "ByteLevel"))
        return qn__pretokenizer_rules_find("gpt-2")->expressions[0];
    if (is_type(step, "Digits"))
        return json_is_true(json_object_get(step, "individual_digits")) ? "\\p{N}" : "\\p{N}+";
    if (!is_type(step, "Split") ||
        (!strcmp(behavior, "Isolated") ? inverted : strcmp(behavior, "Removed") || !inverted))
        return NULL; /* Removed and inverted: what matches is kept, and everything does */
    return text_of(json_object_get(step, "pattern"), "Regex");
}

/* The name by which tokenizer.ggml.pre knows this way to cut a text; out is zero-ended, and empty
 * where there is none. */
static void name_of_pretokenizer(char out[64], const struct reader *r)
{
    const json_t *pre = json_object_get(r->tokenizer, "pre_tokenizer");
    const json_t *bytes = find_step(pre, "pretokenizers", "ByteLevel");
    const bool takes_words = json_is_true(json_object_get(r->model, "ignore_merges"));
    const size_t steps = count_steps(pre, "pretokenizers");
    const char *expressions[QN__EXPRESSIONS_MAX];
    uint32_t n = 0;
    *out = 0;
    if (!bytes || json_is_true(json_object_get(bytes, "add_prefix_space")))
        return;
    for (size_t i = 0; i < steps; i++) {
        const json_t *step = get_step(pre, "pretokenizers", i);
        if (step == bytes && json_is_false(json_object_get(bytes, "use_regex")))
            continue;
        if (is_type(step, "Punctuation") && steps == 4 && !takes_words) {
            snprintf(out, 64, "falcon"); /* it alone has one, and the steps that belong to it */
            return;
        }
        if (n == QN__EXPRESSIONS_MAX || !(expressions[n] = expression_of(step)))
            return;
        n++;
    }
    const struct qn__pretokenizer_rules *rules =
        qn__pretokenizer_rules_match(expressions, n, takes_words);
    if (rules)
        snprintf(out, 64, "%.*s", (int)strcspn(rules->names, " "), rules->names);
}

static qn_status add_kind(struct reader *r)
{
    const char *prefix;
    bool marks_spaces;
    QN_TRY(check_normalizer(&prefix, &marks_spaces, r));
    r->is_unigram = is_type(r->model, "Unigram");
    r->is_spm = r->is_unigram || marks_spaces;
    if (!r->is_unigram && !is_type(r->model, "BPE") && !json_object_get(r->model, "merges"))
        return qn__fail(QN_E_UNSUPPORTED,
                        "tokenizer.json: the model '%.32s'; Quern has BPE and "
                        "Unigram",
                        text_of(r->model, "type"));
    if (r->is_spm) {
        QN_TRY(
            qn__model_file_add_text(r->f, "tokenizer.ggml.model", r->is_unigram ? "t5" : "llama"));
        QN_TRY(qn__model_file_add_bool(r->f, "tokenizer.ggml.add_space_prefix",
                                       strcmp(prefix, "never") != 0));
        if (!strcmp(prefix, "missing") || !strcmp(prefix, "first"))
            return qn__model_file_add_text(r->f, "tokenizer.quern.space_prefix", prefix);
        return QN_OK;
    }
    char name[64];
    name_of_pretokenizer(name, r);
    if (!*name)
        return qn__fail(QN_E_UNSUPPORTED,
                        "tokenizer.json: its pre-tokeniser cuts texts in none of the ways that "
                        "Quern has (docs/model-files.md)");
    QN_TRY(qn__model_file_add_text(r->f, "tokenizer.ggml.model", "gpt2"));
    const char *pre = qn__arena_strdup(&r->f->arena, name);
    return pre ? qn__model_file_add_text(r->f, "tokenizer.ggml.pre", pre)
               : qn__fail(QN_E_MEMORY, "no memory for a name");
}

/* -- tokens -- */

static qn_status get_id(uint32_t *out, const json_t *number, const char *token)
{
    const json_int_t id = json_is_integer(number) ? json_integer_value(number) : -1;
    *out = 0;
    if (id < 0 || id >= TOKENS_MAX)
        return qn__fail(QN_E_CORRUPT, "tokenizer.json: token '%.64s' has no number from 0 to %d",
                        token, TOKENS_MAX - 1);
    *out = (uint32_t)id;
    return QN_OK;
}

/* A number far above all others would make that many tokens without a text. */
static qn_status check_count(const struct reader *r)
{
    const struct qn__model_file *f = r->f;
    for (uint32_t i = 0; i < f->n_tensors; i++) {
        const struct qn__tensor *t = &f->tensors[i];
        if (strcmp(t->name, "token_embd.weight") == 0 && r->n > t->shape[1])
            return qn__fail(QN_E_CORRUPT,
                            "tokenizer.json: %u tokens with config.json's vocab_size, and the "
                            "embedding has %llu rows",
                            r->n, (unsigned long long)t->shape[1]);
    }
    return QN_OK;
}

static qn_status allocate(struct reader *r)
{
    const json_t *vocabulary = json_object_get(r->model, "vocab"), *entry;
    const json_t *rows = json_object_get(r->config, "vocab_size");
    const char *token;
    uint32_t id;
    size_t i;
    r->n = json_is_integer(rows) && json_integer_value(rows) > 0 &&
                   json_integer_value(rows) < TOKENS_MAX
               ? (uint32_t)json_integer_value(rows)
               : 0;
    if (!(r->is_unigram ? json_is_array(vocabulary) : json_is_object(vocabulary)))
        return qn__fail(QN_E_CORRUPT, "tokenizer.json: the model has no vocab");
    if (r->is_unigram && json_array_size(vocabulary) < TOKENS_MAX &&
        r->n < json_array_size(vocabulary))
        r->n = (uint32_t)json_array_size(vocabulary);
    json_object_foreach((json_t *)(uintptr_t)vocabulary, token, entry)
    {
        QN_TRY(get_id(&id, entry, token));
        r->n = r->n > id ? r->n : id + 1;
    }
    json_array_foreach(json_object_get(r->tokenizer, "added_tokens"), i, entry)
    {
        QN_TRY(get_id(&id, json_object_get(entry, "id"), text_of(entry, "content")));
        r->n = r->n > id ? r->n : id + 1;
    }
    QN_TRY(check_count(r));
    r->texts = QN__ARENA_ARRAY(&r->f->arena, const char *, r->n);
    r->types = QN__ARENA_ARRAY(&r->f->arena, int32_t, r->n);
    r->scores = QN__ARENA_ARRAY(&r->f->arena, float, r->n);
    return r->texts && r->types && r->scores
               ? QN_OK
               : qn__fail(QN_E_MEMORY, "no memory for %u tokens", r->n);
}

static bool is_byte(const char *token)
{
    unsigned byte;
    return strlen(token) == 6 && sscanf(token, "<0x%2X>", &byte) == 1;
}

static void set_token(struct reader *r, uint32_t id, const char *text)
{
    const bool byte = is_byte(text) && json_is_true(json_object_get(r->model, "byte_fallback"));
    r->texts[id] = text;
    r->types[id] = byte ? QN__TOKEN_BYTE : QN__TOKEN_NORMAL;
    r->scores[id] = r->is_unigram ? 0 : -(float)TOKENS_MAX;
}

static qn_status read_unigram(struct reader *r, const json_t *vocabulary)
{
    const json_t *entry;
    size_t i;
    json_array_foreach((json_t *)(uintptr_t)vocabulary, i, entry)
    {
        const char *text = json_string_value(json_array_get(entry, 0));
        const json_t *score = json_array_get(entry, 1);
        if (!text || !json_is_number(score) || i >= r->n)
            return qn__fail(QN_E_CORRUPT, "tokenizer.json: vocab[%zu] is no token with a score", i);
        set_token(r, (uint32_t)i, text);
        r->scores[i] = (float)json_number_value(score);
    }
    return QN_OK;
}

static qn_status read_tokens(struct reader *r)
{
    const json_t *vocabulary = json_object_get(r->model, "vocab"), *entry;
    const char *token;
    uint32_t id;
    size_t i;
    json_object_foreach((json_t *)(uintptr_t)vocabulary, token, entry)
    {
        QN_TRY(get_id(&id, entry, token));
        set_token(r, id, token);
    }
    if (r->is_unigram)
        QN_TRY(read_unigram(r, vocabulary));
    json_array_foreach(json_object_get(r->tokenizer, "added_tokens"), i, entry)
    {
        QN_TRY(get_id(&id, json_object_get(entry, "id"), text_of(entry, "content")));
        r->texts[id] = text_of(entry, "content");
        r->types[id] =
            json_is_true(json_object_get(entry, "special")) ? QN__TOKEN_CONTROL : QN__TOKEN_USER;
    }
    for (id = 0; id < r->n; id++) {
        if (r->texts[id])
            continue;
        r->texts[id] = qn__arena_printf(&r->f->arena, "[PAD%" PRIu32 "]", id);
        r->types[id] = QN__TOKEN_UNUSED;
        if (!r->texts[id])
            return qn__fail(QN_E_MEMORY, "no memory for %u tokens", r->n);
    }
    return QN_OK;
}

/* -- arrays of facts -- */

struct text_list {
    struct qn__str texts;
    uint64_t *starts; /* in the arena */
    uint64_t n;
};

static void add_text(struct text_list *list, const char *text, size_t n_bytes)
{
    list->starts[list->n++] = list->texts.len;
    qn__str_add_bytes(&list->texts, text, n_bytes);
    qn__str_add_char(&list->texts, '\0');
}

/* The list becomes a fact; it is released in every case. */
static qn_status add_texts(struct reader *r, const char *key, struct text_list *list)
{
    qn_status s = qn__str_check(&list->texts);
    list->starts[list->n] = list->texts.len;
    const char *texts =
        s == QN_OK ? qn__arena_memdup(&r->f->arena, list->texts.text ? list->texts.text : "",
                                      list->texts.len)
                   : NULL;
    if (s == QN_OK && !texts)
        s = qn__fail(QN_E_MEMORY, "%s: no memory", key);
    if (s == QN_OK)
        s = qn__model_file_add_fact(
            r->f, key,
            (struct qn__stored_fact){
                .fact = {.kind = QN__FACT_ARRAY, .value.array = {QN__FACT_TEXT, list->n}},
                .texts = texts,
                .starts = list->starts});
    qn__str_release(&list->texts);
    return s;
}

static qn_status add_numbers(struct reader *r, const char *key, enum qn__number number,
                             const void *elements)
{
    return qn__model_file_add_fact(
        r->f, key,
        (struct qn__stored_fact){
            .fact = {.kind = QN__FACT_ARRAY,
                     .value.array = {number == QN__NUMBER_F32 ? QN__FACT_F64 : QN__FACT_I64, r->n}},
            .number = number,
            .elements = elements});
}

/* A merge is "a b", or ["a", "b"]; out is the former, with a space after the first byte. */
static qn_status get_merge(struct qn__str *out, const json_t *merge, size_t index)
{
    const char *left = json_string_value(json_array_get(merge, 0));
    const char *right = json_string_value(json_array_get(merge, 1));
    qn__str_clear(out);
    if (json_is_string(merge))
        qn__str_add(out, json_string_value(merge));
    else if (left && right && json_array_size(merge) == 2)
        qn__str_printf(out, "%s %s", left, right);
    QN_TRY(qn__str_check(out));
    if (out->len < 2 || !memchr(out->text + 1, ' ', out->len - 1))
        return qn__fail(QN_E_CORRUPT, "tokenizer.json: merges[%zu] is no pair", index);
    return QN_OK;
}

/* The token that a merge makes is as good as the merge is early. */
static void score_merge(struct reader *r, struct qn__str *joined, const char *merge, size_t index)
{
    const char *space = strchr(merge + 1, ' ');
    uint32_t id;
    qn__str_clear(joined);
    qn__str_add_bytes(joined, merge, (size_t)(space - merge));
    qn__str_add(joined, space + 1);
    const json_t *number =
        json_object_get(json_object_get(r->model, "vocab"), joined->text ? joined->text : "");
    if (get_id(&id, number, "") == QN_OK && r->scores[id] < -(float)index)
        r->scores[id] = -(float)index;
}

static qn_status add_merges(struct reader *r)
{
    const json_t *merges = json_object_get(r->model, "merges"), *merge;
    struct text_list list = {0};
    struct qn__str text = {0}, joined = {0};
    size_t i;
    if (!json_is_array(merges) || json_array_size(merges) > TOKENS_MAX)
        return qn__fail(QN_E_CORRUPT, "tokenizer.json: the model has no merges");
    list.starts = QN__ARENA_ARRAY(&r->f->arena, uint64_t, json_array_size(merges) + 1);
    if (!list.starts)
        return qn__fail(QN_E_MEMORY, "no memory for %zu merges", json_array_size(merges));
    qn_status s = QN_OK;
    json_array_foreach((json_t *)(uintptr_t)merges, i, merge)
    {
        if (s == QN_OK)
            s = get_merge(&text, merge, i);
        if (s == QN_OK && r->is_spm)
            score_merge(r, &joined, text.text, i);
        else if (s == QN_OK)
            add_text(&list, text.text, text.len);
    }
    qn__str_release(&text);
    qn__str_release(&joined);
    if (s == QN_OK && !r->is_spm)
        return add_texts(r, "tokenizer.ggml.merges", &list);
    qn__str_release(&list.texts);
    return s;
}

static qn_status add_tokens(struct reader *r)
{
    struct text_list list = {.starts = QN__ARENA_ARRAY(&r->f->arena, uint64_t, r->n + 1)};
    if (!list.starts)
        return qn__fail(QN_E_MEMORY, "no memory for %u tokens", r->n);
    for (uint32_t i = 0; i < r->n; i++)
        add_text(&list, r->texts[i], strlen(r->texts[i]));
    QN_TRY(add_texts(r, "tokenizer.ggml.tokens", &list));
    if (r->is_spm)
        QN_TRY(add_numbers(r, "tokenizer.ggml.scores", QN__NUMBER_F32, r->scores));
    return add_numbers(r, "tokenizer.ggml.token_type", QN__NUMBER_I32, r->types);
}

/* -- special tokens -- */

/* The number of the token that is written like this, or -1. */
static int64_t find_token(const struct reader *r, const char *text)
{
    for (uint32_t i = 0; text[0] && i < r->n; i++)
        if (!strcmp(r->texts[i], text))
            return i;
    return -1;
}

/* tokenizer_config.json names it by text (or an object with it), config.json by number (or several,
 * the first of which counts). */
static qn_status add_special(struct reader *r, const char *name, const char *ours)
{
    char key[32];
    snprintf(key, sizeof key, "%s_token", name);
    const json_t *token = json_object_get(r->settings, key);
    const char *text = json_is_object(token) ? text_of(token, "content") : json_string_value(token);
    int64_t id = find_token(r, text ? text : "");
    snprintf(key, sizeof key, "%s_token_id", name);
    const json_t *number = json_object_get(r->config, key);
    if (json_is_array(number))
        number = json_array_get(number, 0);
    if (id < 0 && json_is_integer(number) && json_integer_value(number) >= 0 &&
        json_integer_value(number) < r->n)
        id = json_integer_value(number);
    return id < 0 ? QN_OK : qn__model_file_add_u64(r->f, ours, (uint64_t)id);
}

/* Does the post-processor put a special token before (or after) a text? */
static bool template_adds(const struct reader *r, bool in_front)
{
    const json_t *post = json_object_get(r->tokenizer, "post_processor");
    const json_t *single =
        json_object_get(find_step(post, "processors", "TemplateProcessing"), "single");
    const size_t n = json_array_size(single);
    return n > 1 &&
           json_object_get(json_array_get(single, in_front ? 0 : n - 1), "SpecialToken") != NULL;
}

static qn_status add_flag(struct reader *r, const char *theirs, const char *ours, bool in_front)
{
    const json_t *flag = json_object_get(r->settings, theirs);
    const bool value = json_is_boolean(flag) ? json_is_true(flag) : template_adds(r, in_front);
    return qn__model_file_add_bool(r->f, ours, value);
}

static qn_status add_template(struct reader *r, const char *key, const char *text)
{
    if (!text)
        return QN_OK;
    text = qn__arena_strdup(&r->f->arena, text);
    return text ? qn__model_file_add_text(r->f, key, text)
                : qn__fail(QN_E_MEMORY, "no memory for the chat template");
}

/* One template, or a list of them with names: "default", and one for conversations with tools. */
static qn_status add_chat_template(struct reader *r)
{
    const json_t *template = json_object_get(r->settings, "chat_template"), *entry;
    const char *text = json_string_value(template), *with_tools = NULL;
    size_t i;
    json_array_foreach((json_t *)(uintptr_t)template, i, entry)
    {
        if (!strcmp(text_of(entry, "name"), "default"))
            text = json_string_value(json_object_get(entry, "template"));
        if (!strcmp(text_of(entry, "name"), "tool_use"))
            with_tools = json_string_value(json_object_get(entry, "template"));
    }
    QN_TRY(add_template(r, "tokenizer.chat_template", text));
    return add_template(r, "tokenizer.chat_template.tool_use", with_tools);
}

static qn_status add_unknown(struct reader *r)
{
    const json_t *number = json_object_get(r->model, "unk_id");
    int64_t id = find_token(r, text_of(r->model, "unk_token"));
    if (json_is_integer(number) && json_integer_value(number) >= 0 &&
        json_integer_value(number) < r->n)
        id = json_integer_value(number);
    if (id < 0)
        return QN_OK;
    r->types[id] = QN__TOKEN_UNKNOWN;
    return qn__model_file_add_u64(r->f, "tokenizer.ggml.unknown_token_id", (uint64_t)id);
}

qn_status qn__hf_tokenizer_convert(struct qn__model_file *f, const json_t *tokenizer,
                                   const json_t *tokenizer_config, const json_t *config,
                                   const json_t *generation_config)
{
    struct reader r = {.f = f,
                       .tokenizer = tokenizer,
                       .model = json_object_get(tokenizer, "model"),
                       .settings = tokenizer_config,
                       .config = config};
    QN_TRY(add_kind(&r));
    QN_TRY(allocate(&r));
    QN_TRY(read_tokens(&r));
    if (!r.is_unigram)
        QN_TRY(add_merges(&r));
    QN_TRY(add_unknown(&r));
    QN_TRY(add_tokens(&r));
    QN_TRY(add_special(&r, "bos", "tokenizer.ggml.bos_token_id"));
    QN_TRY(add_special(&r, "eos", "tokenizer.ggml.eos_token_id"));
    QN_TRY(qn__hf_end_tokens(f, config, generation_config, r.n));
    QN_TRY(add_special(&r, "pad", "tokenizer.ggml.padding_token_id"));
    QN_TRY(add_flag(&r, "add_bos_token", "tokenizer.ggml.add_bos_token", true));
    QN_TRY(add_flag(&r, "add_eos_token", "tokenizer.ggml.add_eos_token", false));
    return add_chat_template(&r);
}

qn_status qn__hf_tokenizer_read(struct qn__model_file *f, const json_t *config, const char *folder)
{
    json_t *tokenizer = NULL, *settings = NULL, *generation = NULL;
    qn_status s = qn__hf_load(&tokenizer, folder, "tokenizer.json", 0);
    if (s == QN_E_NOT_FOUND)
        return QN_OK; /* a model without a vocabulary: its numbers can still be used */
    if (s == QN_OK) {
        /* where there is no limit, model_max_length is 1000000000000000019884624838656 */
        s = qn__hf_load(&settings, folder, "tokenizer_config.json", JSON_DECODE_INT_AS_REAL);
        if (s == QN_E_NOT_FOUND)
            s = QN_OK;
    }
    if (s == QN_OK)
        s = qn__hf_load_template(&settings, folder);
    if (s == QN_OK) {
        s = qn__hf_load(&generation, folder, "generation_config.json", 0);
        if (s == QN_E_NOT_FOUND)
            s = QN_OK;
    }
    if (s == QN_OK)
        s = qn__hf_tokenizer_convert(f, tokenizer, settings, config, generation);
    json_decref(tokenizer);
    json_decref(settings);
    json_decref(generation);
    return s;
}
