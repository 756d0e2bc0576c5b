/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments of `quern launch`: parsed, filled, and compared with what the kernel takes. */
#include "tools/launch_args.h"

#include "base/options.h"

#include <errno.h>
#include <quern/memory.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copy up to the next ':' (or the end) into `word`; the rest follows *p. False when too long. */
static bool next_word(char *word, size_t capacity, const char **p)
{
    const size_t n = strcspn(*p, ":");
    if (n >= capacity)
        return false;
    memcpy(word, *p, n);
    word[n] = 0;
    *p += n + ((*p)[n] == ':');
    return true;
}

qn_status qn__launch_axes_parse(uint32_t out[3], const char *name, const char *text)
{
    out[0] = out[1] = out[2] = 1;
    const char *p = text ? text : "1";
    for (int axis = 0; axis < 3; axis++) {
        char *end;
        const unsigned long n = strtoul(p, &end, 10);
        if (*p < '0' || *p > '9' || n == 0 || n > UINT32_MAX)
            break;
        out[axis] = (uint32_t)n;
        if (!*end)
            return QN_OK;
        if (*end != ',' && *end != 'x')
            break;
        p = end + 1;
    }
    return qn__fail(QN_E_INVALID, "--%s %s: one to three numbers above 0, as in 16,16,1", name,
                    text);
}

/* ---- buffers ---- */

/* The power of two that a small k, m or g stands for; 0 for any other letter. */
static unsigned unit_shift(char c)
{
    switch (c) {
    case 'k': return 10;
    case 'm': return 20;
    case 'g': return 30;
    default: return 0;
    }
}

/* "1024", "4k", "16x64" */
static qn_status parse_count(uint64_t *out, const char *text)
{
    uint64_t product = 1;
    for (const char *p = text;; p++) {
        char *end;
        errno = 0;
        uint64_t factor = strtoull(p, &end, 10);
        if (*p < '0' || *p > '9' || errno)
            return qn__fail(QN_E_INVALID, "count '%s': not of the form 1024, 4k or 16x64", text);
        const unsigned shift = unit_shift((char)(*end | 0x20));
        if (factor > UINT64_MAX >> shift)
            return qn__fail(QN_E_INVALID, "count '%s': too large", text);
        factor <<= shift;
        end += shift != 0;
        if (*end && *end != 'x')
            return qn__fail(QN_E_INVALID, "count '%s': not of the form 1024, 4k or 16x64", text);
        if (factor == 0 || product > (UINT64_C(1) << 48) / factor)
            return qn__fail(QN_E_INVALID, "count '%s': %s", text, factor ? "too large" : "zero");
        product *= factor;
        if (!*end)
            break;
        p = end; /* at the 'x' */
    }
    *out = product;
    return QN_OK;
}

static qn_status parse_ramp(struct qn__launch_arg *out, const char *rest)
{
    char start[64] = "0", step[64] = "1";
    if (*rest && !next_word(start, sizeof start, &rest))
        return qn__fail(QN_E_INVALID, "ramp: start is too long");
    if (*rest && !next_word(step, sizeof step, &rest))
        return qn__fail(QN_E_INVALID, "ramp: step is too long");
    if (*rest)
        return qn__fail(QN_E_INVALID, "ramp: '%s' is too much (ramp:START:STEP)", rest);
    QN_TRY(qn__number_parse(out->start, out->type, start));
    return qn__number_parse(out->step, out->type, step);
}

static qn_status parse_fill(struct qn__launch_arg *out, const char *text)
{
    const char *rest = text;
    char word[16] = "";
    const bool fits = next_word(word, sizeof word, &rest);
    if (fits && !strcmp(word, "ramp")) {
        out->fill = QN__FILL_RAMP;
        return parse_ramp(out, rest);
    }
    if (fits && !strcmp(word, "const")) {
        out->fill = QN__FILL_CONST;
        return qn__number_parse(out->start, out->type, rest);
    }
    if (fits && !strcmp(word, "rand")) {
        out->fill = QN__FILL_RAND;
        return *rest ? qn__number_parse(&out->seed, QN__NUMBER_U64, rest) : QN_OK;
    }
    if (fits && !strcmp(word, "file")) {
        out->fill = QN__FILL_FILE;
        out->path = rest;
        return *rest ? QN_OK : qn__fail(QN_E_INVALID, "file: no path (file:PATH)");
    }
    if (fits && (!strcmp(word, "zero") || !strcmp(word, "poison"))) {
        out->fill = word[0] == 'z' ? QN__FILL_ZERO : QN__FILL_POISON;
        return *rest ? qn__fail(QN_E_INVALID, "%s: '%s' is too much", word, rest) : QN_OK;
    }
    char meant[QN__MEANT_BYTES];
    return qn__fail(QN_E_INVALID,
                    "'%s' fills no buffer (zero, poison, const:VALUE, ramp[:START[:STEP]], "
                    "rand[:SEED], file:PATH)%s",
                    text,
                    fits ? qn__did_you_mean(meant, "zero|poison|const|ramp|rand|file", word) : "");
}

/* "f32 f64 " as "f32|f64" */
static void type_choices(struct qn__str *out, const char *before)
{
    qn__str_add(out, before);
    for (const char *p = qn__number_names(); *p; p++)
        qn__str_add_char(out, *p == ' ' ? '|' : *p);
}

static qn_status fail_type(const char *type)
{
    struct qn__str choices = {0};
    char meant[QN__MEANT_BYTES];
    type_choices(&choices, "");
    const qn_status s =
        qn__fail(QN_E_INVALID, "'%s' is not a type (%s)%s", type, qn__number_names(),
                 choices.failed ? "" : qn__did_you_mean(meant, choices.text, type));
    qn__str_release(&choices);
    return s;
}

/* `text` begins no argument. */
static qn_status fail_beginning(const char *text)
{
    struct qn__str choices = {0};
    char meant[QN__MEANT_BYTES], word[16] = "";
    const int n = (int)strcspn(text, ":");
    if ((size_t)n < sizeof word)
        memcpy(word, text, (size_t)n);
    type_choices(&choices, "inout|out|in|hex|null|");
    const qn_status s =
        qn__fail(QN_E_INVALID,
                 "'%.*s' is no beginning of an argument (TYPE:VALUE, in:TYPE:COUNT[:FILL], "
                 "out:, inout:, hex:, null; TYPE: %s)%s",
                 n, text, qn__number_names(),
                 choices.failed ? "" : qn__did_you_mean(meant, choices.text, word));
    qn__str_release(&choices);
    return s;
}

/* `rest` follows the direction. */
static qn_status parse_buffer(struct qn__launch_arg *out, const char *rest)
{
    char type[8] = "", count[64] = "";
    out->form = QN__ARG_BUFFER;
    if (!next_word(type, sizeof type, &rest) ||
        !qn__number_type_find(&out->type, type, strlen(type)))
        return fail_type(type);
    if (!next_word(count, sizeof count, &rest))
        return qn__fail(QN_E_INVALID, "count is too long");
    QN_TRY(parse_count(&out->n_elems, count));
    out->fill = out->is_input ? QN__FILL_ZERO : QN__FILL_POISON;
    return *rest ? parse_fill(out, rest) : QN_OK;
}

/* ---- values ---- */

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c | 0x20 : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static qn_status parse_bytes(struct qn__launch_arg *out, const char *text)
{
    const size_t n = strlen(text);
    out->form = QN__ARG_BYTES;
    if (n == 0 || n % 2 || n / 2 > QN__ARG_BYTES_MAX)
        return qn__fail(QN_E_INVALID, "hex: %zu digits; an even number from 2 to %d", n,
                        2 * QN__ARG_BYTES_MAX);
    for (size_t i = 0; i < n; i += 2) {
        const int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
        if (high < 0 || low < 0)
            return qn__fail(QN_E_INVALID, "hex: '%.2s' is not a byte", text + i);
        out->value[i / 2] = (unsigned char)(high << 4 | low);
    }
    out->value_bytes = n / 2;
    return QN_OK;
}

qn_status qn__launch_arg_parse(struct qn__launch_arg *out, const char *text)
{
    memset(out, 0, sizeof *out);
    if (!strcmp(text, "null")) {
        out->form = QN__ARG_NULL;
        return QN_OK;
    }
    if (qn__starts_with(text, "hex:"))
        return parse_bytes(out, text + 4);
    static const struct {
        const char *word;
        bool is_input, is_output;
    } directions[] = {{"in:", true, false}, {"out:", false, true}, {"inout:", true, true}};
    for (size_t i = 0; i < sizeof directions / sizeof directions[0]; i++)
        if (qn__starts_with(text, directions[i].word)) {
            out->is_input = directions[i].is_input;
            out->is_output = directions[i].is_output;
            return parse_buffer(out, text + strlen(directions[i].word));
        }
    const size_t n = strcspn(text, ":");
    if (!qn__number_type_find(&out->type, text, n) || text[n] != ':')
        return fail_beginning(text);
    out->form = QN__ARG_NUMBER;
    out->value_bytes = qn__number_bytes(out->type);
    return qn__number_parse(out->value, out->type, text + n + 1);
}

/* ---- contents ---- */

uint64_t qn__launch_arg_bytes(const struct qn__launch_arg *arg)
{
    return arg->n_elems * qn__number_bytes(arg->type);
}

/* A good hash of seed and index (the finaliser of SplitMix64: Steele, Lea, Flood 2014), so that an
 * element does not depend on how many there are. */
static uint64_t mix(uint64_t seed, uint64_t index)
{
    uint64_t z = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) + index * UINT64_C(0xd1342543de82ef95);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void fill_ramp(unsigned char *p, const struct qn__launch_arg *arg)
{
    const size_t bytes = qn__number_bytes(arg->type);
    if (qn__number_is_float(arg->type)) {
        const double start = qn__number_load(arg->start, arg->type);
        const double step = qn__number_load(arg->step, arg->type);
        for (uint64_t i = 0; i < arg->n_elems; i++)
            qn__number_store(p + i * bytes, arg->type, start + (double)i * step);
        return;
    }
    uint64_t value = 0, step = 0; /* modulo the type's width, as on the device */
    memcpy(&value, arg->start, bytes);
    memcpy(&step, arg->step, bytes);
    for (uint64_t i = 0; i < arg->n_elems; i++, value += step)
        memcpy(p + i * bytes, &value, bytes);
}

static void fill_rand(unsigned char *p, const struct qn__launch_arg *arg)
{
    const size_t bytes = qn__number_bytes(arg->type);
    for (uint64_t i = 0; i < arg->n_elems; i++) {
        const uint64_t r = mix(arg->seed, i);
        if (qn__number_is_float(arg->type))
            qn__number_store(p + i * bytes, arg->type, (double)(r >> 40) * 0x1p-23 - 1);
        else
            qn__number_store_integer(p + i * bytes, arg->type, (int64_t)(r % 100));
    }
}

static qn_status fill_file(void *bytes, const struct qn__launch_arg *arg)
{
    const uint64_t want = qn__launch_arg_bytes(arg);
    FILE *file = fopen(arg->path, "rb");
    if (!file)
        return qn__fail_errno("%s", arg->path);
    const size_t n = fread(bytes, 1, want, file);
    const bool is_longer = n == want && fgetc(file) != EOF;
    const bool failed = ferror(file);
    fclose(file);
    if (failed)
        return qn__fail(QN_E_IO, "%s: read error", arg->path);
    if (n != want || is_longer)
        return qn__fail(QN_E_INVALID, "%s: %s than the %llu bytes of %llu x %s", arg->path,
                        is_longer ? "more" : "less", (unsigned long long)want,
                        (unsigned long long)arg->n_elems, qn__number_name(arg->type));
    return QN_OK;
}

qn_status qn__launch_arg_fill(void *bytes, const struct qn__launch_arg *arg)
{
    const size_t elem = qn__number_bytes(arg->type);
    switch (arg->fill) {
    case QN__FILL_ZERO: memset(bytes, 0, qn__launch_arg_bytes(arg)); return QN_OK;
    case QN__FILL_POISON: memset(bytes, 0xff, qn__launch_arg_bytes(arg)); return QN_OK;
    case QN__FILL_RAMP: fill_ramp(bytes, arg); return QN_OK;
    case QN__FILL_RAND: fill_rand(bytes, arg); return QN_OK;
    case QN__FILL_FILE: return fill_file(bytes, arg);
    case QN__FILL_CONST:
        for (uint64_t i = 0; i < arg->n_elems; i++)
            memcpy((char *)bytes + i * elem, arg->start, elem);
        return QN_OK;
    }
    return qn__fail(QN_E_INVALID, "fill %d", (int)arg->fill);
}

/* ---- against the kernel ---- */

/* What a parameter's type, as the source spells it, says about its numbers. */
enum sort { SORT_UNKNOWN, SORT_FLOAT, SORT_INTEGER };

struct spelled {
    const char *word;
    enum sort sort;
    size_t bytes;
};

/* n bytes of a type without "const"; sort SORT_UNKNOWN: none of these. */
static struct spelled type_of(const char *type, size_t n)
{
    static const struct spelled words[] = {
        {"float", SORT_FLOAT, 4},
        {"double", SORT_FLOAT, 8},
        {"half", SORT_FLOAT, 2},
        {"__half", SORT_FLOAT, 2},
        {"int", SORT_INTEGER, 4},
        {"unsigned", SORT_INTEGER, 4},
        {"uint", SORT_INTEGER, 4},
        {"unsigned int", SORT_INTEGER, 4},
        {"long", SORT_INTEGER, 8},
        {"ulong", SORT_INTEGER, 8},
        {"unsigned long", SORT_INTEGER, 8},
        {"long long", SORT_INTEGER, 8},
        {"short", SORT_INTEGER, 2},
        {"ushort", SORT_INTEGER, 2},
        {"unsigned short", SORT_INTEGER, 2},
        {"char", SORT_INTEGER, 1},
        {"uchar", SORT_INTEGER, 1},
        {"unsigned char", SORT_INTEGER, 1},
        {"bool", SORT_INTEGER, 1},
        {"size_t", SORT_INTEGER, 8},
        {"unsigned long long", SORT_INTEGER, 8},
    };
    if (n > strlen("const ") && qn__starts_with(type, "const ")) {
        type += strlen("const ");
        n -= strlen("const ");
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].word) == n && !memcmp(type, words[i].word, n))
            return words[i];
    return (struct spelled){.sort = SORT_UNKNOWN};
}

/* May a kernel that takes a pointer to such elements be given these? Single bytes are for anything,
 * and halves are often passed as integers of 16 bits. */
static bool elements_fit(const struct spelled *wanted, enum qn__number_type given)
{
    const size_t bytes = qn__number_bytes(given);
    const bool is_float = qn__number_is_float(given);
    return wanted->sort == SORT_UNKNOWN || (bytes == 1 && !is_float) ||
           (wanted->bytes == bytes && (bytes == 2 || is_float == (wanted->sort == SORT_FLOAT)));
}

static qn_status check_pointer(const struct qn__launch_arg *arg, const qn_arg_info *parameter,
                               uint32_t index, const char *type)
{
    if (arg->form == QN__ARG_NULL)
        return QN_OK;
    if (arg->form != QN__ARG_BUFFER)
        return qn__fail(QN_E_INVALID,
                        "argument %u (%s %s) is a pointer: give a buffer (in:TYPE:COUNT, out:, "
                        "inout:) or null",
                        index, type, parameter->name);
    size_t n = strcspn(type, "*");
    const bool is_plain = type[n] == '*' && !strchr(type + n + 1, '*');
    while (n && type[n - 1] == ' ')
        n--;
    const struct spelled wanted = type_of(type, is_plain ? n : 0);
    if (elements_fit(&wanted, arg->type))
        return QN_OK;
    return qn__fail(QN_E_INVALID,
                    "argument %u (%s %s) has elements of %zu bytes, %s: %s is another type (u8 "
                    "gives bytes as they are)",
                    index, type, parameter->name, wanted.bytes,
                    wanted.sort == SORT_FLOAT ? "floating point" : "integers",
                    qn__number_name(arg->type));
}

qn_status qn__launch_arg_check(const struct qn__launch_arg *arg, const qn_arg_info *parameter,
                               uint32_t index)
{
    const char *type = parameter->type[0] ? parameter->type : "value";
    const bool is_address = arg->form == QN__ARG_BUFFER || arg->form == QN__ARG_NULL;
    if (parameter->kind == QN_ARG_POINTER)
        return check_pointer(arg, parameter, index, type);
    /* a driver that tells sizes alone (CUDA) calls every parameter a value of no type */
    if (is_address && !parameter->type[0] && parameter->size_bytes == sizeof(qn_addr))
        return QN_OK;
    if (is_address)
        return qn__fail(QN_E_INVALID, "argument %u (%s %s) is a value: give TYPE:VALUE%s", index,
                        type, parameter->name, parameter->size_bytes > 8 ? " or hex:BYTES" : "");
    if (arg->value_bytes != parameter->size_bytes)
        return qn__fail(QN_E_INVALID, "argument %u (%s %s) has %u bytes, the one given has %zu",
                        index, type, parameter->name, parameter->size_bytes, arg->value_bytes);
    const enum sort wanted = type_of(type, strlen(type)).sort;
    const enum sort given = qn__number_is_float(arg->type) ? SORT_FLOAT : SORT_INTEGER;
    if (arg->form == QN__ARG_NUMBER && wanted != SORT_UNKNOWN && wanted != given)
        return qn__fail(
            QN_E_INVALID, "argument %u (%s %s) is %s, %s is not: its bits would be another number",
            index, type, parameter->name, wanted == SORT_FLOAT ? "floating point" : "an integer",
            qn__number_name(arg->type));
    return QN_OK;
}
