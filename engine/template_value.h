/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of a chat template while it runs, and the memory they lie in.
 *
 * A text knows which of its bytes are foreign: they came from a message, not from the template. A
 * text made of texts keeps that, byte for byte, so that the tokenizer can tell a special token that
 * the template wrote from one that a user wrote.
 *
 * All memory of a run is one arena with a limit, given back at the end: nothing is freed before. */
#ifndef QN_ENGINE_TEMPLATE_VALUE_H
#define QN_ENGINE_TEMPLATE_VALUE_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum qn__value_kind {
    QN__VALUE_UNDEFINED,
    QN__VALUE_NONE,
    QN__VALUE_BOOL,
    QN__VALUE_INT,
    QN__VALUE_FLOAT,
    QN__VALUE_TEXT,
    QN__VALUE_LIST,
    QN__VALUE_DICT,
    QN__VALUE_NAMESPACE, /* a dict whose names may be set */
    QN__VALUE_CALLABLE,
    QN__VALUE_LOOP,
};

struct qn__template_text {
    const char *bytes;
    const unsigned char *foreign; /* 1 for each byte of a message; NULL: none is */
    size_t n;
};

struct qn__value_list;
struct qn__value_dict;
struct qn__callable;
struct qn__template_loop;

struct qn__value {
    enum qn__value_kind kind;
    bool is_markup; /* a text that the filter "safe" passed: what is added to it is escaped */
    union {
        bool boolean;
        int64_t integer;
        double real;
        struct qn__template_text text; /* UNDEFINED: its name */
        struct qn__value_list *list;
        struct qn__value_dict *dict; /* NAMESPACE, too */
        struct qn__callable *callable;
        struct qn__template_loop *loop;
    } as;
};

struct qn__value_list {
    struct qn__value *items;
    size_t n, capacity;
    bool is_tuple;
    bool is_generator; /* what map, select and kin give: read once, always true, without a length */
};

struct qn__value_pair {
    struct qn__value key, value;
};
struct qn__value_dict {
    struct qn__value_pair *pairs; /* in the order in which they were added */
    size_t n, capacity;
};

struct qn__template_scope {
    struct qn__template_scope *parent;
    struct qn__value_dict names;
};

struct qn__text_builder {
    char *bytes;
    unsigned char *foreign; /* NULL until a foreign byte is added */
    size_t n, capacity;
};

enum { QN__TEMPLATE_DEPTH_MAX = 300 }; /* of what is evaluated inside of what */

/* One run of one template. */
struct qn__template_run {
    struct qn__arena arena;
    size_t memory_left;
    uint64_t steps_left;
    uint32_t depth;
    uint32_t line; /* of the template, for messages */
    int64_t now;   /* seconds since 1970, for strftime_now() */
    struct qn__template_scope *scope;
    struct qn__text_builder *out;
};

/* 128 MiB, 20 million steps. */
void qn__template_run_init(struct qn__template_run *run);
void qn__template_run_release(struct qn__template_run *run);

/* The one way to an error while a template runs: "chat template, line 3: ...". */
qn_status qn__template_fail(const struct qn__template_run *run, qn_status status, const char *fmt,
                            ...) __attribute__((format(printf, 3, 4)));
/* "'x' is undefined" */
qn_status qn__template_fail_undefined(const struct qn__template_run *run,
                                      const struct qn__value *v);
/* Work that costs as much as n steps. QN_E_LIMIT */
qn_status qn__template_step(struct qn__template_run *run, uint64_t n);
/* Zeroed. QN_E_LIMIT, QN_E_MEMORY */
qn_status qn__template_alloc(void **out, struct qn__template_run *run, size_t count, size_t size);

/* -- making -- */

#define QN__UNDEFINED(p, length)                                                                   \
    ((struct qn__value){.kind = QN__VALUE_UNDEFINED, .as.text = {(p), NULL, (length)}})
#define QN__NONE    ((struct qn__value){.kind = QN__VALUE_NONE})
#define QN__BOOL(x) ((struct qn__value){.kind = QN__VALUE_BOOL, .as.boolean = (x)})
#define QN__INT(x)  ((struct qn__value){.kind = QN__VALUE_INT, .as.integer = (x)})
#define QN__REAL(x) ((struct qn__value){.kind = QN__VALUE_FLOAT, .as.real = (x)})
/* Bytes that outlive the run. */
#define QN__TEXT_OF(p, length)                                                                     \
    ((struct qn__value){.kind = QN__VALUE_TEXT, .as.text = {(p), NULL, (length)}})
#define QN__TEXT_LITERAL(s) QN__TEXT_OF(s, sizeof(s) - 1)

qn_status qn__value_copy_text(struct qn__value *out, struct qn__template_run *run,
                              const char *bytes, size_t n, bool foreign);
qn_status qn__value_new_list(struct qn__value *out, struct qn__template_run *run, size_t capacity);
qn_status qn__value_new_dict(struct qn__value *out, struct qn__template_run *run);

qn_status qn__list_add(struct qn__template_run *run, struct qn__value_list *l, struct qn__value v);
/* Where `key` is there already it gets the value. */
qn_status qn__dict_set(struct qn__template_run *run, struct qn__value_dict *d, struct qn__value key,
                       struct qn__value value);
/* Without looking: the caller knows that it is not there. */
qn_status qn__dict_add(struct qn__template_run *run, struct qn__value_dict *d, struct qn__value key,
                       struct qn__value value);
const struct qn__value *qn__dict_find(const struct qn__value_dict *d, const struct qn__value *key);
const struct qn__value *qn__dict_find_name(const struct qn__value_dict *d, const char *name,
                                           size_t n);

qn_status qn__builder_add(struct qn__template_run *run, struct qn__text_builder *b,
                          struct qn__template_text text);
qn_status qn__builder_add_bytes(struct qn__template_run *run, struct qn__text_builder *b,
                                const char *bytes, size_t n, bool foreign);
/* A text with &, <, >, ' and " as HTML writes them. */
qn_status qn__builder_add_escaped(struct qn__template_run *run, struct qn__text_builder *b,
                                  struct qn__template_text text);
struct qn__value qn__builder_value(const struct qn__text_builder *b);

/* -- asking -- */

const char *qn__value_kind_name(const struct qn__value *v); /* "a string", "a list" */
bool qn__value_is_true(const struct qn__value *v);
bool qn__value_is_number(const struct qn__value *v); /* bool, int, float */
double qn__value_number(const struct qn__value *v);
bool qn__value_is_text(const struct qn__value *v, const char *text);
bool qn__text_equal(struct qn__template_text a, const char *bytes, size_t n);
/* As Python's ==. Nested deeper than it goes counts as different. */
bool qn__value_equal(const struct qn__value *a, const struct qn__value *b);
/* -1, 0, 1.  QN_E_INVALID  there is no order between these */
qn_status qn__value_compare(int *out, struct qn__template_run *run, const struct qn__value *a,
                            const struct qn__value *b);
/* `item in container` */
qn_status qn__value_contains(bool *out, struct qn__template_run *run,
                             const struct qn__value *container, const struct qn__value *item);
/* Elements of what can be iterated over: a list, a dict's keys, a text's characters, nothing of
 * what is undefined. A generator is empty afterwards. */
qn_status qn__value_elements(struct qn__value_list *out, struct qn__template_run *run,
                             const struct qn__value *v);
/* QN_E_INVALID  it has none */
qn_status qn__value_length(int64_t *out, const struct qn__template_run *run,
                           const struct qn__value *v);

#endif
