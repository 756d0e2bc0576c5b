/* SPDX-License-Identifier: Apache-2.0
 *
 * From words of the command line to what a sampler is made from (sampling.h). */
#include "tools/sampling.h"

#include "tools/commands.h"
#include "tools/terminal.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    return qn__complain(false, "--%s '%s': not a number", name, text);
}

static uint64_t new_seed(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_nsec << 20 ^ (uint64_t)t.tv_sec;
}

bool qn__sampling_init(struct qn__sampling *out, const struct qn__sampling_options *o,
                       float default_temperature)
{
    qn_sampler_options *s = &out->options;
    *out = (struct qn__sampling){0};
    s->top_k = (uint32_t)o->top_k;
    s->mirostat = (uint32_t)o->mirostat;
    s->dry_allowed_length = (uint32_t)o->dry_allowed_length;
    s->order = o->order;
    s->seed = o->seed == 0 || o->seed == UINT64_MAX ? new_seed() : o->seed;
    const struct {
        float *to;
        const char *name, *text;
        float fallback;
    } rows[] = {
        {&s->temperature, "temp", o->temperature, default_temperature},
        {&s->dynatemp_range, "dynatemp-range", o->dynatemp_range, 0.0f},
        {&s->dynatemp_exponent, "dynatemp-exp", o->dynatemp_exponent, 1.0f},
        {&s->top_p, "top-p", o->top_p, 0.95f},
        {&s->min_p, "min-p", o->min_p, 0.05f},
        {&s->typical_p, "typical", o->typical_p, 1.0f},
        {&s->top_n_sigma, "top-n-sigma", o->top_n_sigma, 0.0f},
        {&s->xtc_probability, "xtc-probability", o->xtc_probability, 0.0f},
        {&s->xtc_threshold, "xtc-threshold", o->xtc_threshold, 0.1f},
        {&s->repeat_penalty, "repeat-penalty", o->repeat_penalty, 1.0f},
        {&s->presence_penalty, "presence-penalty", o->presence_penalty, 0.0f},
        {&s->frequency_penalty, "frequency-penalty", o->frequency_penalty, 0.0f},
        {&s->dry_multiplier, "dry-multiplier", o->dry_multiplier, 0.0f},
        {&s->dry_base, "dry-base", o->dry_base, 1.75f},
        {&s->mirostat_tau, "mirostat-ent", o->mirostat_tau, 5.0f},
        {&s->mirostat_eta, "mirostat-lr", o->mirostat_eta, 0.1f},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!read_fraction(rows[i].to, rows[i].name, rows[i].text, rows[i].fallback))
            return false;
    /* 0 in the library is "not done"; written here it is what it says: the likeliest alone */
    if (s->top_p == 0.0f)
        s->top_p = FLT_MIN;
    if (s->typical_p == 0.0f)
        s->typical_p = FLT_MIN;
    if (s->top_n_sigma == -1.0f)
        s->top_n_sigma = 0.0f;
    qn_sampler *trial; /* what is out of range is said before a model is read */
    const qn_status made = qn_sampler_create(&trial, s);
    qn_sampler_destroy(trial);
    if (made != QN_OK)
        qn__complain_status("sampling");
    return made == QN_OK;
}

/* -- with a vocabulary -- */

static bool add_bias(struct qn__sampling *s, int32_t id, float bias)
{
    qn_sampler_options *o = &s->options;
    if (o->n_biases == s->n_biases_room) {
        const uint32_t room = o->n_biases ? 2 * o->n_biases : 16;
        qn_logit_bias *grown = realloc(s->biases, room * sizeof *grown);
        if (!grown)
            return qn__complain(false, "no memory for %u biases", room);
        o->biases = s->biases = grown;
        s->n_biases_room = room;
    }
    s->biases[o->n_biases++] = (qn_logit_bias){.id = id, .bias = bias};
    return true;
}

/* "15043+1", " Hello-2", "13-inf": where the last sign is. */
static const char *bias_sign(const char *text)
{
    const char *sign = NULL;
    for (const char *p = text; *p; p++)
        if ((*p == '+' || *p == '-') && p > text)
            sign = p;
    return sign;
}

static bool read_bias(struct qn__sampling *s, const qn_model *m, const char *text)
{
    const char *sign = bias_sign(text);
    const uint32_t n_vocab = qn_model_get_info(m)->n_vocab;
    char *end;
    qn_tokens tokens = {0};
    if (!sign || !sign[1])
        return qn__complain(false, "--logit-bias '%s': not a token and +X or -X", text);
    const float bias = strtof(sign, &end);
    if (*end || isnan(bias) || bias == INFINITY)
        return qn__complain(false, "--logit-bias '%s': '%s' is not a number below infinity", text,
                            sign);
    errno = 0;
    const unsigned long long id = strtoull(text, &end, 10);
    if (end == sign && *text >= '0' && *text <= '9') {
        if (id >= n_vocab || errno)
            return qn__complain(false, "--logit-bias '%s': the vocabulary has tokens 0 to %u", text,
                                n_vocab - 1);
        return add_bias(s, (int32_t)id, bias);
    }
    if (qn_model_encode(&tokens, m, text, (size_t)(sign - text), QN_ENCODE_SPECIAL) != QN_OK)
        return !qn__complain_status("--logit-bias");
    bool good = true;
    if (tokens.n != 1)
        good = qn__complain(false, "--logit-bias '%s': that text is %u tokens, not one", text,
                            tokens.n);
    good = good && add_bias(s, tokens.ids[0], bias);
    free(tokens.ids);
    return good;
}

static bool has_breaker(const char *text, const struct qn__option_list *given)
{
    static const char *const usual[] = {"\n", ":", "\"", "*"};
    const uint32_t n = given->n ? given->n : sizeof usual / sizeof *usual;
    for (uint32_t i = 0; i < n; i++)
        if (strstr(text, given->n ? given->items[i] : usual[i]))
            return true;
    return false;
}

/* Every token whose text has a breaker in it. */
static bool find_breakers(struct qn__sampling *s, const struct qn__option_list *given,
                          const qn_model *m)
{
    const uint32_t n_vocab = qn_model_get_info(m)->n_vocab;
    uint32_t n = 0;
    if (given->n == 1 && strcmp(given->items[0], "none") == 0)
        return true;
    s->breakers = malloc(n_vocab * sizeof *s->breakers);
    if (!s->breakers)
        return qn__complain(false, "no memory for %u tokens", n_vocab);
    for (uint32_t id = 0; id < n_vocab; id++) {
        char *text;
        size_t n_bytes;
        if (qn_model_decode_next(&text, &n_bytes, m, (int32_t)id) != QN_OK)
            continue; /* rows of the matrix without a token */
        if (has_breaker(text, given))
            s->breakers[n++] = (int32_t)id;
        free(text);
    }
    s->options.dry_breakers = s->breakers;
    s->options.n_dry_breakers = n;
    return true;
}

static uint32_t look_back(uint64_t n, uint32_t context)
{
    enum { MOST = 65536 };
    return n == UINT64_MAX ? (context < MOST ? context : MOST) : (uint32_t)n;
}

bool qn__sampling_finish(struct qn__sampling *s, const struct qn__sampling_options *o,
                         const qn_model *m, uint32_t context, int *status)
{
    qn_sampler_options *to = &s->options;
    *status = QN__EXIT_USAGE;
    to->repeat_last = look_back(o->repeat_last, context);
    if (!to->repeat_last)
        to->repeat_penalty = to->presence_penalty = to->frequency_penalty = 0.0f;
    to->dry_last = look_back(o->dry_last, context);
    if (!to->dry_last)
        to->dry_multiplier = 0.0f;
    for (uint32_t i = 0; i < o->biases.n; i++)
        if (!read_bias(s, m, o->biases.items[i]))
            return false;
    *status = QN__EXIT_FAILED;
    const uint32_t n_vocab = qn_model_get_info(m)->n_vocab;
    for (uint32_t id = 0; o->ignores_end && id < n_vocab; id++)
        if (qn_model_is_end(m, (int32_t)id) && !add_bias(s, (int32_t)id, -INFINITY))
            return false;
    if (to->dry_multiplier > 0.0f && !find_breakers(s, &o->dry_breakers, m))
        return false;
    *status = QN__EXIT_GOOD;
    return true;
}

bool qn__sampling_read_grammar(struct qn__sampling *s, const struct qn__sampling_options *o,
                               const qn_model *m, int *status)
{
    const char *const given[] = {o->grammar, o->grammar_file, o->schema, o->schema_file};
    const char *path = o->grammar_file ? o->grammar_file : o->schema_file;
    int n = 0;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        n += given[i] != NULL;
    *status = QN__EXIT_USAGE;
    if (n > 1)
        return qn__complain(
            false, "only one of --grammar, --grammar-file, --json-schema and --json-schema-file");
    if (!n)
        return true;
    *status = QN__EXIT_FAILED;
    char *read = path ? qn__read_text(path) : NULL;
    if (path && !read)
        return false;
    const char *text = read ? read : o->grammar ? o->grammar : o->schema;
    const qn_status made = o->grammar || o->grammar_file
                               ? qn_grammar_create(&s->grammar, m, text, strlen(text), NULL)
                               : qn_grammar_create_json(&s->grammar, m, text, strlen(text));
    free(read);
    if (made != QN_OK) {
        qn__complain_status("%s", path ? path : o->grammar ? "--grammar" : "--json-schema");
        *status = path ? QN__EXIT_FAILED : QN__EXIT_USAGE;
    }
    return made == QN_OK;
}

void qn__sampling_release(struct qn__sampling *s)
{
    qn_grammar_destroy(s->grammar);
    free(s->breakers);
    free(s->biases);
    *s = (struct qn__sampling){0};
}

/* -- escapes -- */

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* What stands after a backslash; 0: nothing known. *n: how many characters. */
static char escaped(const char *p, size_t *n)
{
    static const char names[] = "nrt\"'\\", bytes[] = "\n\r\t\"'\\";
    const char *at = *p ? strchr(names, *p) : NULL;
    *n = 1;
    if (at)
        return bytes[at - names];
    if (*p != 'x' || hex_digit(p[1]) < 0 || hex_digit(p[2]) < 0)
        return 0;
    *n = 3;
    return (char)(16 * hex_digit(p[1]) + hex_digit(p[2]));
}

bool qn__unescape(char *text, const char *option)
{
    char *to = text;
    for (const char *p = text; *p;) {
        size_t n = 0;
        *to = *p;
        if (*p == '\\' && !(*to = escaped(p + 1, &n)))
            return qn__complain(
                false, "%s: '%.4s' is no escape: \\n, \\r, \\t, \\\", \\', \\\\, \\x41", option, p);
        p += 1 + n;
        to++;
    }
    *to = 0;
    return true;
}
