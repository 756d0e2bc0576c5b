/* SPDX-License-Identifier: Apache-2.0
 *
 * The tokenizer: which algorithm, which tokens are special, and the cutting of a text at those.
 *
 * A text is searched for special tokens first, from the left and the longest first; what lies
 * between goes to the algorithm (bpe.c, spm.c, unigram.c), which knows nothing of them. Tokens that
 * the vocabulary's author defined are always found, control tokens only where the caller says that
 * the text may hold them. */
#include "engine/tokenizer.h"

#include "base/arena.h"
#include "base/log.h"
#include "engine/bpe.h"
#include "engine/end_tokens.h"
#include "engine/spm.h"
#include "engine/unigram.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES_MAX = 1 << 28, SPECIAL_LENGTHS_MAX = 64 };

enum algorithm { BPE, MARKED_BPE, SPM, UNIGRAM };

struct qn__tokenizer {
    struct qn__token_facts facts;
    struct qn__vocabulary vocabulary;
    enum algorithm algorithm;
    struct qn__bpe bpe; /* BPE, MARKED_BPE */
    struct qn__spm spm; /* all but BPE */
    struct qn__end_tokens ends;
    bool special_eats_space; /* white space after a special token belongs to it */
    /* To find special tokens fast: how they begin, and how long they are, longest first. */
    bool special_begins[256];
    uint16_t special_lengths[SPECIAL_LENGTHS_MAX];
    uint32_t n_special_lengths;
};

/* -- making -- */

/* A token named by a key, or where the file has no such key the one written like `fallback`. */
static qn_status read_id(int32_t *out, const struct qn__tokenizer *t,
                         const struct qn__model_file *f, const char *key, const char *fallback)
{
    if (qn__fact_find(f, key))
        return qn__token_id_read(out, &t->vocabulary, f, key);
    *out = fallback ? qn__tokenizer_find(t, fallback) : -1;
    return QN_OK;
}

static qn_status read_flag(bool *out, const struct qn__model_file *f, const char *key,
                           bool fallback)
{
    *out = fallback;
    return qn__fact_find(f, key) ? qn__fact_bool(out, f, key) : QN_OK;
}

static bool is_special(const struct qn__tokenizer *t, int32_t id)
{
    const enum qn__token_type type = t->vocabulary.tokens[id].type;
    return type == QN__TOKEN_CONTROL || type == QN__TOKEN_USER || type == QN__TOKEN_UNKNOWN;
}

static qn_status read_special_ids(struct qn__tokenizer *t, const struct qn__model_file *f)
{
    struct qn__token_facts *facts = &t->facts;
    const bool spm = t->algorithm == SPM ||
                     t->algorithm == UNIGRAM; /* where these are written the same everywhere */
    QN_TRY(read_id(&facts->bos, t, f, "tokenizer.ggml.bos_token_id", spm ? "<s>" : NULL));
    QN_TRY(read_id(&facts->eos, t, f, "tokenizer.ggml.eos_token_id", spm ? "</s>" : NULL));
    QN_TRY(read_id(&facts->unknown, t, f, "tokenizer.ggml.unknown_token_id", spm ? "<unk>" : NULL));
    QN_TRY(read_id(&facts->pad, t, f, "tokenizer.ggml.padding_token_id", NULL));
    /* A file without types has them all for normal; these must not come out of a text. */
    if (facts->bos >= 0 && t->vocabulary.tokens[facts->bos].type == QN__TOKEN_NORMAL)
        t->vocabulary.tokens[facts->bos].type = QN__TOKEN_CONTROL;
    QN_TRY(qn__end_tokens_init(&t->ends, &t->vocabulary, f, facts->eos));
    qn__end_tokens_mark_template(&t->vocabulary, f);
    facts->eot = t->ends.eot;
    const bool adds_bos =
        spm || (t->algorithm == BPE && qn__pretokenizer_adds_bos(t->bpe.pretokenizer));
    QN_TRY(read_flag(&facts->add_bos, f, "tokenizer.ggml.add_bos_token", adds_bos));
    return read_flag(&facts->add_eos, f, "tokenizer.ggml.add_eos_token", t->algorithm == UNIGRAM);
}

/* Note how special tokens begin and how long they are. */
static qn_status index_special(struct qn__tokenizer *t)
{
    bool lengths[QN__TOKEN_BYTES_MAX + 1] = {false};
    for (uint32_t i = 0; i < t->facts.n_vocab; i++) {
        const struct qn__vocabulary_token *token = &t->vocabulary.tokens[i];
        if (!is_special(t, (int32_t)i) || token->n_bytes == 0)
            continue;
        t->special_begins[(unsigned char)token->text[0]] = true;
        lengths[token->n_bytes] = true;
    }
    for (uint32_t n = t->vocabulary.longest_bytes; n > 0; n--) {
        if (!lengths[n])
            continue;
        if (t->n_special_lengths == SPECIAL_LENGTHS_MAX)
            return qn__fail(QN_E_UNSUPPORTED,
                            "the vocabulary's special tokens have more than %d different lengths",
                            SPECIAL_LENGTHS_MAX);
        t->special_lengths[t->n_special_lengths++] = (uint16_t)n;
    }
    return QN_OK;
}

/* GGUF's flag, and a fact of our own for what it cannot say (hf_tokenizer.c writes both). */
static qn_status read_space_prefix(enum qn__space_prefix *out, const struct qn__model_file *f)
{
    bool adds_space;
    const char *where = "";
    QN_TRY(read_flag(&adds_space, f, "tokenizer.ggml.add_space_prefix", true));
    *out = adds_space ? QN__SPACE_ALWAYS : QN__SPACE_NEVER;
    if (!qn__fact_find(f, "tokenizer.quern.space_prefix"))
        return QN_OK;
    QN_TRY(qn__fact_text(&where, f, "tokenizer.quern.space_prefix"));
    if (strcmp(where, "missing") != 0 && strcmp(where, "first") != 0)
        return qn__fail(QN_E_CORRUPT, "tokenizer.quern.space_prefix '%.32s': missing or first",
                        where);
    *out = strcmp(where, "first") == 0 ? QN__SPACE_FIRST : QN__SPACE_MISSING;
    return QN_OK;
}

/* Gemma 4's is a model of its own; one for embeddings calls it a way to cut a text. */
static qn_status is_marked_bpe(bool *out, const struct qn__model_file *f, const char *model)
{
    const char *pre = "";
    *out = !strcmp(model, "gemma4");
    if (strcmp(model, "gpt2") != 0 || !qn__fact_find(f, "tokenizer.ggml.pre"))
        return QN_OK;
    QN_TRY(qn__fact_text(&pre, f, "tokenizer.ggml.pre"));
    *out = !strcmp(pre, "gemma4") || !strcmp(pre, "granite-embed-multi-311m");
    return QN_OK;
}

static qn_status read_algorithm(struct qn__tokenizer *t, const struct qn__model_file *f)
{
    const char *model, *family = "";
    enum qn__space_prefix prefix;
    bool is_marked;
    QN_TRY(qn__fact_text(&model, f, "tokenizer.ggml.model"));
    if (qn__fact_find(f, "general.architecture"))
        QN_TRY(qn__fact_text(&family, f, "general.architecture"));
    t->facts.pre = "";
    QN_TRY(is_marked_bpe(&is_marked, f, model));
    if (is_marked) {
        t->algorithm = MARKED_BPE;
        t->facts.model = "bpe";
        t->facts.pre = "gemma4";
        qn__spm_init(&t->spm, &t->vocabulary, QN__SPACE_NEVER);
        return qn__bpe_init_marked(&t->bpe, &t->vocabulary, f);
    }
    if (!strcmp(model, "gpt2")) {
        t->algorithm = BPE;
        t->facts.model = "bpe";
        if (!qn__fact_find(f, "tokenizer.ggml.pre"))
            qn__log(QN_LOG_WARNING,
                    "%s: the file does not name its pre-tokeniser "
                    "(tokenizer.ggml.pre); the text may be cut differently than in "
                    "training",
                    qn__model_file_path(f));
        QN_TRY(qn__bpe_init(&t->bpe, &t->vocabulary, f));
        t->facts.pre = qn__pretokenizer_name(t->bpe.pretokenizer);
        return QN_OK;
    }
    if (strcmp(model, "llama") != 0 && strcmp(model, "t5") != 0)
        return qn__fail(QN_E_UNSUPPORTED,
                        "the tokenizer '%.64s' (tokenizer.ggml.model); Quern has gpt2 (byte-level "
                        "BPE), llama (SentencePiece BPE), gemma4 (BPE of characters) and t5 "
                        "(SentencePiece unigram)",
                        model);
    const struct qn__fact *map = qn__fact_find(f, "tokenizer.ggml.precompiled_charsmap");
    if (map && map->kind == QN__FACT_ARRAY && map->value.array.n)
        return qn__fail(QN_E_UNSUPPORTED,
                        "the tokenizer normalises characters "
                        "(tokenizer.ggml.precompiled_charsmap), which Quern does not");
    t->algorithm = !strcmp(model, "t5") ? UNIGRAM : SPM;
    t->facts.model = t->algorithm == SPM ? "spm" : "unigram";
    QN_TRY(read_space_prefix(&prefix, f));
    qn__spm_init(&t->spm, &t->vocabulary, prefix);
    t->special_eats_space = !strcmp(family, "phi3");
    return QN_OK;
}

static qn_status fill(struct qn__tokenizer *t, const struct qn__model_file *f)
{
    QN_TRY(qn__vocabulary_init(&t->vocabulary, f));
    t->facts.n_vocab = t->vocabulary.n;
    QN_TRY(read_algorithm(t, f));
    QN_TRY(read_special_ids(t, f));
    return index_special(t);
}

qn_status qn__tokenizer_create(struct qn__tokenizer **out, const struct qn__model_file *f)
{
    *out = NULL;
    struct qn__tokenizer *t = qn__alloc(1, sizeof *t);
    if (!t)
        return qn__fail(QN_E_MEMORY, "no memory for a tokenizer");
    const qn_status s = fill(t, f);
    if (s != QN_OK) {
        qn__tokenizer_destroy(t);
        return s;
    }
    *out = t;
    return QN_OK;
}

void qn__tokenizer_destroy(struct qn__tokenizer *t)
{
    if (!t)
        return;
    qn__bpe_release(&t->bpe);
    qn__vocabulary_release(&t->vocabulary);
    free(t);
}

/* -- questions -- */

const struct qn__token_facts *qn__tokenizer_facts(const struct qn__tokenizer *t)
{
    return &t->facts;
}

int32_t qn__tokenizer_find(const struct qn__tokenizer *t, const char *text)
{
    return qn__vocabulary_find(&t->vocabulary, text, strlen(text));
}

bool qn__tokenizer_is_end(const struct qn__tokenizer *t, int32_t id)
{
    return qn__end_tokens_have(&t->ends, id);
}

/* -- encoding -- */

/* A text, and which of its bytes are foreign (NULL: none): no control token is made of those. */
struct source {
    const char *bytes;
    const unsigned char *foreign;
    size_t n;
    unsigned flags;
};

/* The special token that begins here, or -1. */
static int32_t special_at(const struct qn__tokenizer *t, const struct source *s, size_t at)
{
    const char *text = s->bytes + at;
    if (!t->special_begins[(unsigned char)text[0]])
        return -1;
    for (uint32_t i = 0; i < t->n_special_lengths; i++) {
        const size_t n = t->special_lengths[i];
        if (n > s->n - at)
            continue;
        const int32_t id = qn__vocabulary_find(&t->vocabulary, text, n);
        if (id < 0 || !is_special(t, id))
            continue;
        const bool is_foreign = s->foreign && memchr(s->foreign + at, 1, n);
        if (t->vocabulary.tokens[id].type == QN__TOKEN_USER ||
            (s->flags & QN__ENCODE_SPECIAL && !is_foreign))
            return id;
    }
    return -1;
}

/* is_first: the text begins here. */
static qn_status encode_plain(struct qn__token_list *out, const struct qn__tokenizer *t,
                              const char *text, size_t n_bytes, bool is_first)
{
    if (n_bytes == 0)
        return QN_OK;
    if (t->algorithm == BPE)
        return qn__bpe_encode(out, &t->bpe, text, n_bytes, t->facts.unknown);
    struct qn__str marked = {0};
    qn_status s = qn__spm_mark_spaces(&marked, text, n_bytes,
                                      qn__spm_adds_space(&t->spm, text, n_bytes, is_first));
    if (s == QN_OK && t->algorithm == SPM)
        s = qn__spm_encode(out, &t->spm, marked.text, marked.len, t->facts.unknown);
    else if (s == QN_OK && t->algorithm == MARKED_BPE)
        s = qn__bpe_encode_marked(out, &t->bpe, &t->spm, marked.text, marked.len, t->facts.unknown);
    else if (s == QN_OK)
        s = qn__unigram_encode(out, &t->spm, marked.text, marked.len, t->facts.unknown);
    qn__str_release(&marked);
    return s;
}

static qn_status encode_text(struct qn__token_list *out, const struct qn__tokenizer *t,
                             const struct source *s)
{
    size_t plain = 0; /* where the text since the last special token begins */
    for (size_t at = 0; at < s->n;) {
        const int32_t id = special_at(t, s, at);
        if (id < 0) {
            at++;
            continue;
        }
        QN_TRY(encode_plain(out, t, s->bytes + plain, at - plain, plain == 0));
        QN_TRY(qn__token_list_add(out, id));
        at += t->vocabulary.tokens[id].n_bytes;
        while (t->special_eats_space && id != t->facts.bos && at < s->n &&
               memchr(" \t\r\n", s->bytes[at], 4))
            at++;
        plain = at;
    }
    return encode_plain(out, t, s->bytes + plain, s->n - plain, plain == 0);
}

qn_status qn__tokenizer_encode_marked(struct qn__tokens *out, const struct qn__tokenizer *t,
                                      const char *text, const unsigned char *foreign,
                                      size_t n_bytes, unsigned flags)
{
    const struct source source = {text, foreign, n_bytes, flags};
    struct qn__token_list list = {0};
    *out = (struct qn__tokens){0};
    if (n_bytes > TEXT_BYTES_MAX)
        return qn__fail(QN_E_LIMIT, "a text of %zu bytes; at most %d are encoded at once", n_bytes,
                        TEXT_BYTES_MAX);
    qn_status s = QN_OK;
    const bool has_bos = n_bytes && t->facts.bos >= 0 && special_at(t, &source, 0) == t->facts.bos;
    if (flags & QN__ENCODE_BOS && t->facts.add_bos && t->facts.bos >= 0 && !has_bos)
        s = qn__token_list_add(&list, t->facts.bos);
    if (s == QN_OK)
        s = encode_text(&list, t, &source);
    if (s == QN_OK && flags & QN__ENCODE_BOS && t->facts.add_eos && t->facts.eos >= 0)
        s = qn__token_list_add(&list, t->facts.eos);
    if (s != QN_OK) {
        free(list.ids);
        return s;
    }
    *out = (struct qn__tokens){list.ids, (uint32_t)list.n};
    return QN_OK;
}

qn_status qn__tokenizer_encode(struct qn__tokens *out, const struct qn__tokenizer *t,
                               const char *text, size_t n_bytes, unsigned flags)
{
    return qn__tokenizer_encode_marked(out, t, text, NULL, n_bytes, flags);
}

void qn__tokenizer_add_end(struct qn__tokenizer *t, const char *text, size_t n_bytes)
{
    const struct source source = {text, NULL, n_bytes, QN__ENCODE_SPECIAL};
    const int32_t id = n_bytes ? special_at(t, &source, 0) : -1;
    if (id != t->facts.bos)
        qn__end_tokens_add(&t->ends, id);
}

/* -- decoding -- */

qn_status qn__tokenizer_decode(struct qn__str *out, const struct qn__tokenizer *t, int32_t id,
                               bool is_first, bool special)
{
    if (id < 0 || (uint32_t)id >= t->facts.n_vocab)
        return qn__fail(QN_E_INVALID, "token %" PRId32 ": the vocabulary has %u", id,
                        t->facts.n_vocab);
    const struct qn__vocabulary_token *token = &t->vocabulary.tokens[id];
    switch (token->type) {
    case QN__TOKEN_CONTROL:
    case QN__TOKEN_UNKNOWN:
    case QN__TOKEN_UNUSED:
        if (special)
            qn__str_add_bytes(out, token->text, token->n_bytes);
        break;
    case QN__TOKEN_USER:
        if (t->algorithm == BPE) {
            qn__str_add_bytes(out, token->text, token->n_bytes);
            break;
        }
        /* fall through */
    case QN__TOKEN_NORMAL:
    case QN__TOKEN_BYTE:
        if (t->algorithm == BPE)
            qn__bpe_decode(out, &t->bpe, token);
        else
            qn__spm_decode(out, token, is_first && t->spm.prefix != QN__SPACE_NEVER);
        break;
    }
    return qn__str_check(out);
}
