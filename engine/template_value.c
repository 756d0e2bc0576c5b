/* SPDX-License-Identifier: Apache-2.0
 *
 * Making, comparing and walking the values of chat templates. The rules are Python's. */
#include "engine/template_value.h"

#include "base/str.h"
#include "engine/template_text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { MEMORY_BYTES_MAX = 128 << 20, STEPS_MAX = 20000000, COMPARE_DEPTH_MAX = 32 };

/* -- the run -- */

void qn__template_run_init(struct qn__template_run *run)
{
    *run = (struct qn__template_run){.memory_left = MEMORY_BYTES_MAX, .steps_left = STEPS_MAX};
}

void qn__template_run_release(struct qn__template_run *run)
{
    qn__arena_release(&run->arena);
}

qn_status qn__template_fail(const struct qn__template_run *run, qn_status status, const char *fmt,
                            ...)
{
    struct qn__str message = {0};
    va_list ap;
    va_start(ap, fmt);
    qn__str_vprintf(&message, fmt, ap);
    va_end(ap);
    const qn_status s = qn__fail(status, "chat template, line %u: %s", run->line,
                                 message.text ? message.text : "out of memory");
    qn__str_release(&message);
    return s;
}

qn_status qn__template_fail_undefined(const struct qn__template_run *run, const struct qn__value *v)
{
    const size_t n = v->as.text.n;
    return qn__template_fail(run, QN_E_INVALID, "'%.*s' is undefined", n < 64 ? (int)n : 64,
                             n ? v->as.text.bytes : "");
}

qn_status qn__template_step(struct qn__template_run *run, uint64_t n)
{
    if (n > run->steps_left)
        return qn__template_fail(run, QN_E_LIMIT, "it takes more than %d million steps",
                                 STEPS_MAX / 1000000);
    run->steps_left -= n;
    return QN_OK;
}

qn_status qn__template_alloc(void **out, struct qn__template_run *run, size_t count, size_t size)
{
    *out = NULL;
    if (size && count > run->memory_left / size)
        return qn__template_fail(run, QN_E_LIMIT, "it takes more than %d MiB of memory",
                                 MEMORY_BYTES_MAX >> 20);
    const size_t bytes = count * size + 16; /* what a piece costs beside its bytes */
    run->memory_left -= bytes < run->memory_left ? bytes : run->memory_left;
    *out = qn__arena_alloc(&run->arena, count ? count : 1, size);
    return *out ? QN_OK : qn__template_fail(run, QN_E_MEMORY, "no memory for %zu bytes", bytes);
}

/* -- making -- */

qn_status qn__value_copy_text(struct qn__value *out, struct qn__template_run *run,
                              const char *bytes, size_t n, bool foreign)
{
    struct qn__text_builder b = {0};
    *out = QN__NONE;
    QN_TRY(qn__builder_add_bytes(run, &b, bytes, n, foreign));
    *out = qn__builder_value(&b);
    return QN_OK;
}

qn_status qn__value_new_list(struct qn__value *out, struct qn__template_run *run, size_t capacity)
{
    void *list, *items = NULL;
    *out = QN__NONE;
    QN_TRY(qn__template_alloc(&list, run, 1, sizeof(struct qn__value_list)));
    if (capacity)
        QN_TRY(qn__template_alloc(&items, run, capacity, sizeof(struct qn__value)));
    *out = (struct qn__value){.kind = QN__VALUE_LIST, .as.list = list};
    out->as.list->items = items;
    out->as.list->capacity = capacity;
    return QN_OK;
}

qn_status qn__value_new_dict(struct qn__value *out, struct qn__template_run *run)
{
    void *dict;
    *out = QN__NONE;
    QN_TRY(qn__template_alloc(&dict, run, 1, sizeof(struct qn__value_dict)));
    *out = (struct qn__value){.kind = QN__VALUE_DICT, .as.dict = dict};
    return QN_OK;
}

/* Room for one more element; `items` stay where they are when there is. */
static qn_status grow(struct qn__template_run *run, void **items, size_t n, size_t *capacity,
                      size_t size)
{
    void *more;
    if (n < *capacity)
        return QN_OK;
    const size_t wanted = *capacity ? *capacity * 2 : 8;
    QN_TRY(qn__template_alloc(&more, run, wanted, size));
    if (n)
        memcpy(more, *items, n * size);
    *items = more;
    *capacity = wanted;
    return QN_OK;
}

qn_status qn__list_add(struct qn__template_run *run, struct qn__value_list *l, struct qn__value v)
{
    void *items = l->items;
    QN_TRY(grow(run, &items, l->n, &l->capacity, sizeof v));
    l->items = items;
    l->items[l->n++] = v;
    return QN_OK;
}

qn_status qn__dict_add(struct qn__template_run *run, struct qn__value_dict *d, struct qn__value key,
                       struct qn__value value)
{
    void *pairs = d->pairs;
    QN_TRY(grow(run, &pairs, d->n, &d->capacity, sizeof *d->pairs));
    d->pairs = pairs;
    d->pairs[d->n++] = (struct qn__value_pair){key, value};
    return QN_OK;
}

qn_status qn__dict_set(struct qn__template_run *run, struct qn__value_dict *d, struct qn__value key,
                       struct qn__value value)
{
    if (key.kind == QN__VALUE_LIST && !key.as.list->is_tuple)
        return qn__template_fail(run, QN_E_INVALID, "a list as the key of a dict");
    if (key.kind == QN__VALUE_DICT)
        return qn__template_fail(run, QN_E_INVALID, "a dict as the key of a dict");
    QN_TRY(qn__template_step(run, 1 + d->n / 8));
    for (size_t i = 0; i < d->n; i++)
        if (qn__value_equal(&d->pairs[i].key, &key)) {
            d->pairs[i].value = value;
            return QN_OK;
        }
    return qn__dict_add(run, d, key, value);
}

const struct qn__value *qn__dict_find(const struct qn__value_dict *d, const struct qn__value *key)
{
    for (size_t i = 0; i < d->n; i++)
        if (qn__value_equal(&d->pairs[i].key, key))
            return &d->pairs[i].value;
    return NULL;
}

const struct qn__value *qn__dict_find_name(const struct qn__value_dict *d, const char *name,
                                           size_t n)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->pairs[i].key.kind == QN__VALUE_TEXT &&
            qn__text_equal(d->pairs[i].key.as.text, name, n))
            return &d->pairs[i].value;
    return NULL;
}

static qn_status make_room(struct qn__template_run *run, struct qn__text_builder *b, size_t n)
{
    void *bytes, *foreign = NULL;
    if (n <= b->capacity - b->n && b->capacity)
        return QN_OK;
    if (n > MEMORY_BYTES_MAX)
        return qn__template_fail(run, QN_E_LIMIT, "a text of %zu bytes", n);
    const size_t wanted = b->capacity ? 2 * (b->n + n) : n + 1;
    QN_TRY(qn__template_alloc(&bytes, run, wanted, 1));
    if (b->foreign)
        QN_TRY(qn__template_alloc(&foreign, run, wanted, 1));
    if (b->n)
        memcpy(bytes, b->bytes, b->n);
    if (b->n && foreign)
        memcpy(foreign, b->foreign, b->n);
    b->bytes = bytes;
    b->foreign = foreign;
    b->capacity = wanted;
    return QN_OK;
}

static qn_status have_marks(struct qn__template_run *run, struct qn__text_builder *b)
{
    void *foreign;
    if (b->foreign)
        return QN_OK;
    QN_TRY(qn__template_alloc(&foreign, run, b->capacity, 1));
    b->foreign = foreign;
    return QN_OK;
}

qn_status qn__builder_add(struct qn__template_run *run, struct qn__text_builder *b,
                          struct qn__template_text text)
{
    if (!text.n)
        return QN_OK;
    QN_TRY(qn__template_step(run, text.n / 256));
    QN_TRY(make_room(run, b, text.n));
    if (text.foreign)
        QN_TRY(have_marks(run, b));
    memcpy(b->bytes + b->n, text.bytes, text.n);
    if (text.foreign)
        memcpy(b->foreign + b->n, text.foreign, text.n);
    else if (b->foreign)
        memset(b->foreign + b->n, 0, text.n);
    b->n += text.n;
    return QN_OK;
}

qn_status qn__builder_add_bytes(struct qn__template_run *run, struct qn__text_builder *b,
                                const char *bytes, size_t n, bool foreign)
{
    QN_TRY(qn__builder_add(run, b, (struct qn__template_text){bytes, NULL, n}));
    if (foreign && n) {
        QN_TRY(have_marks(run, b));
        memset(b->foreign + b->n - n, 1, n);
    }
    return QN_OK;
}

qn_status qn__builder_add_escaped(struct qn__template_run *run, struct qn__text_builder *b,
                                  struct qn__template_text text)
{
    for (size_t i = 0; i < text.n; i++) {
        const char c = text.bytes[i];
        const char *escape = c == '&'    ? "&amp;"
                             : c == '<'  ? "&lt;"
                             : c == '>'  ? "&gt;"
                             : c == '\'' ? "&#39;"
                             : c == '"'  ? "&#34;"
                                         : NULL;
        const bool foreign = text.foreign && text.foreign[i];
        QN_TRY(qn__builder_add_bytes(run, b, escape ? escape : &c, escape ? strlen(escape) : 1,
                                     foreign));
    }
    return QN_OK;
}

struct qn__value qn__builder_value(const struct qn__text_builder *b)
{
    return (struct qn__value){.kind = QN__VALUE_TEXT,
                              .as.text = {b->bytes ? b->bytes : "", b->foreign, b->n}};
}

/* -- asking -- */

const char *qn__value_kind_name(const struct qn__value *v)
{
    static const char *const names[] = {"undefined",   "none",       "a boolean", "an integer",
                                        "a float",     "a string",   "a list",    "a dict",
                                        "a namespace", "a function", "the loop"};
    return names[v->kind];
}

bool qn__value_is_true(const struct qn__value *v)
{
    switch (v->kind) {
    case QN__VALUE_UNDEFINED:
    case QN__VALUE_NONE: return false;
    case QN__VALUE_BOOL: return v->as.boolean;
    case QN__VALUE_INT: return v->as.integer != 0;
    case QN__VALUE_FLOAT: return v->as.real != 0;
    case QN__VALUE_TEXT: return v->as.text.n != 0;
    case QN__VALUE_LIST: return v->as.list->is_generator || v->as.list->n != 0;
    case QN__VALUE_DICT: return v->as.dict->n != 0;
    case QN__VALUE_NAMESPACE:
    case QN__VALUE_CALLABLE:
    case QN__VALUE_LOOP: break;
    }
    return true;
}

bool qn__value_is_number(const struct qn__value *v)
{
    return v->kind == QN__VALUE_BOOL || v->kind == QN__VALUE_INT || v->kind == QN__VALUE_FLOAT;
}

double qn__value_number(const struct qn__value *v)
{
    return v->kind == QN__VALUE_FLOAT ? v->as.real
           : v->kind == QN__VALUE_INT ? (double)v->as.integer
                                      : (double)v->as.boolean;
}

bool qn__text_equal(struct qn__template_text a, const char *bytes, size_t n)
{
    return a.n == n && (n == 0 || !memcmp(a.bytes, bytes, n));
}

bool qn__value_is_text(const struct qn__value *v, const char *text)
{
    return v->kind == QN__VALUE_TEXT && qn__text_equal(v->as.text, text, strlen(text));
}

static int64_t as_integer(const struct qn__value *v)
{
    return v->kind == QN__VALUE_INT ? v->as.integer : v->as.boolean;
}

static int compare_numbers(const struct qn__value *a, const struct qn__value *b)
{
    if (a->kind != QN__VALUE_FLOAT && b->kind != QN__VALUE_FLOAT)
        return (as_integer(a) > as_integer(b)) - (as_integer(a) < as_integer(b));
    const double x = qn__value_number(a), y = qn__value_number(b);
    return (x > y) - (x < y);
}

static bool equal_within(const struct qn__value *a, const struct qn__value *b, uint32_t depth);

static bool equal_lists(const struct qn__value_list *a, const struct qn__value_list *b,
                        uint32_t depth)
{
    if (a == b)
        return true;
    if (a->n != b->n || a->is_tuple != b->is_tuple || a->is_generator || b->is_generator)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (!equal_within(&a->items[i], &b->items[i], depth))
            return false;
    return true;
}

static bool equal_dicts(const struct qn__value_dict *a, const struct qn__value_dict *b,
                        uint32_t depth)
{
    if (a == b)
        return true;
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const struct qn__value *other = qn__dict_find(b, &a->pairs[i].key);
        if (!other || !equal_within(&a->pairs[i].value, other, depth))
            return false;
    }
    return true;
}

static bool equal_within(const struct qn__value *a, const struct qn__value *b, uint32_t depth)
{
    if (depth == 0)
        return false;
    if (qn__value_is_number(a) && qn__value_is_number(b)) {
        const bool nan = (a->kind == QN__VALUE_FLOAT && isnan(a->as.real)) ||
                         (b->kind == QN__VALUE_FLOAT && isnan(b->as.real));
        return !nan && compare_numbers(a, b) == 0;
    }
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case QN__VALUE_TEXT: return qn__text_equal(a->as.text, b->as.text.bytes, b->as.text.n);
    case QN__VALUE_LIST: return equal_lists(a->as.list, b->as.list, depth - 1);
    case QN__VALUE_DICT: return equal_dicts(a->as.dict, b->as.dict, depth - 1);
    case QN__VALUE_NAMESPACE: return a->as.dict == b->as.dict;
    case QN__VALUE_CALLABLE: return a->as.callable == b->as.callable;
    case QN__VALUE_LOOP: return a->as.loop == b->as.loop;
    default: return true; /* none, undefined */
    }
}

bool qn__value_equal(const struct qn__value *a, const struct qn__value *b)
{
    return equal_within(a, b, COMPARE_DEPTH_MAX);
}

static int compare_texts(struct qn__template_text a, struct qn__template_text b)
{
    const size_t n = a.n < b.n ? a.n : b.n;
    const int order = n ? memcmp(a.bytes, b.bytes, n) : 0;
    return order ? (order > 0) - (order < 0) : (a.n > b.n) - (a.n < b.n);
}

static qn_status compare_within(int *out, struct qn__template_run *run, const struct qn__value *a,
                                const struct qn__value *b, uint32_t depth)
{
    QN_TRY(qn__template_step(run, 1));
    *out = 0;
    if (qn__value_is_number(a) && qn__value_is_number(b)) {
        *out = compare_numbers(a, b);
        return QN_OK;
    }
    if (a->kind == QN__VALUE_TEXT && b->kind == QN__VALUE_TEXT) {
        *out = compare_texts(a->as.text, b->as.text);
        return QN_OK;
    }
    if (a->kind == QN__VALUE_LIST && b->kind == QN__VALUE_LIST && depth) {
        const struct qn__value_list *x = a->as.list, *y = b->as.list;
        for (size_t i = 0; i < x->n && i < y->n; i++)
            if (!qn__value_equal(&x->items[i], &y->items[i]))
                return compare_within(out, run, &x->items[i], &y->items[i], depth - 1);
        *out = (x->n > y->n) - (x->n < y->n);
        return QN_OK;
    }
    if (a->kind == QN__VALUE_UNDEFINED || b->kind == QN__VALUE_UNDEFINED)
        return qn__template_fail_undefined(run, a->kind == QN__VALUE_UNDEFINED ? a : b);
    return qn__template_fail(run, QN_E_INVALID, "%s and %s have no order", qn__value_kind_name(a),
                             qn__value_kind_name(b));
}

qn_status qn__value_compare(int *out, struct qn__template_run *run, const struct qn__value *a,
                            const struct qn__value *b)
{
    return compare_within(out, run, a, b, COMPARE_DEPTH_MAX);
}

qn_status qn__value_contains(bool *out, struct qn__template_run *run,
                             const struct qn__value *container, const struct qn__value *item)
{
    struct qn__value_list elements;
    *out = false;
    if (container->kind == QN__VALUE_TEXT) {
        if (item->kind != QN__VALUE_TEXT)
            return qn__template_fail(run, QN_E_INVALID, "'in' of a string wants a string, not %s",
                                     qn__value_kind_name(item));
        QN_TRY(qn__template_step(run, container->as.text.n / 64));
        *out = qn__text_find(container->as.text, item->as.text, 0) != SIZE_MAX;
        return QN_OK;
    }
    if (container->kind == QN__VALUE_DICT) {
        QN_TRY(qn__template_step(run, container->as.dict->n / 8));
        *out = qn__dict_find(container->as.dict, item) != NULL;
        return QN_OK;
    }
    QN_TRY(qn__value_elements(&elements, run, container));
    for (size_t i = 0; i < elements.n && !*out; i++)
        *out = qn__value_equal(&elements.items[i], item);
    return QN_OK;
}

/* -- walking -- */

static qn_status characters(struct qn__value_list *out, struct qn__template_run *run,
                            struct qn__template_text t)
{
    for (size_t at = 0, n; at < t.n; at += n) {
        n = qn__text_character_bytes(t, at);
        const struct qn__value one = {.kind = QN__VALUE_TEXT, .as.text = qn__text_part(t, at, n)};
        QN_TRY(qn__list_add(run, out, one));
    }
    return QN_OK;
}

qn_status qn__value_elements(struct qn__value_list *out, struct qn__template_run *run,
                             const struct qn__value *v)
{
    *out = (struct qn__value_list){0};
    switch (v->kind) {
    case QN__VALUE_UNDEFINED: return QN_OK;
    case QN__VALUE_LIST:
        QN_TRY(qn__template_step(run, v->as.list->n));
        *out = *v->as.list;
        if (v->as.list->is_generator)
            v->as.list->n = 0;
        out->capacity = out->n; /* adding to it would write into the other's */
        return QN_OK;
    case QN__VALUE_DICT:
        QN_TRY(qn__template_step(run, v->as.dict->n));
        for (size_t i = 0; i < v->as.dict->n; i++)
            QN_TRY(qn__list_add(run, out, v->as.dict->pairs[i].key));
        return QN_OK;
    case QN__VALUE_TEXT:
        QN_TRY(qn__template_step(run, v->as.text.n));
        return characters(out, run, v->as.text);
    default:
        return qn__template_fail(run, QN_E_INVALID, "%s cannot be iterated over",
                                 qn__value_kind_name(v));
    }
}

qn_status qn__value_length(int64_t *out, const struct qn__template_run *run,
                           const struct qn__value *v)
{
    *out = 0;
    if (v->kind == QN__VALUE_TEXT)
        *out = (int64_t)qn__text_characters(v->as.text);
    else if (v->kind == QN__VALUE_LIST && !v->as.list->is_generator)
        *out = (int64_t)v->as.list->n;
    else if (v->kind == QN__VALUE_DICT)
        *out = (int64_t)v->as.dict->n;
    else if (v->kind != QN__VALUE_UNDEFINED)
        return qn__template_fail(run, QN_E_INVALID, "%s has no length",
                                 v->kind == QN__VALUE_LIST ? "what a filter generates"
                                                           : qn__value_kind_name(v));
    return QN_OK;
}
