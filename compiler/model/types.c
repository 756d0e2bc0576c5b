/* SPDX-License-Identifier: Apache-2.0
 *
 * Types: one of each, made here; their sizes and alignments. */
#include "compiler/model/types.h"

#include "compiler/core/debug_info.h"
#include "compiler/core/diagnose.h"
#include "compiler/core/legal_names.h"
#include "compiler/model/value_names.h"

#include <string.h>

const char *qn__space_word(enum qn__space s)
{
    static const char *const words[] = {"global", "private",  "global",
                                        "local",  "constant", "global"};
    return words[s];
}

const struct qn__type *qn__type_intern(struct qn__unit *u, struct qn__type t)
{
    for (uint32_t i = 0; i < u->n_types; i++) {
        const struct qn__type *const o = u->types[i];
        if (o->kind == t.kind && o->bits == t.bits && o->is_unsigned == t.is_unsigned &&
            o->is_const == t.is_const && o->is_volatile == t.is_volatile &&
            o->is_aliasing == t.is_aliasing && o->space == t.space && o->count == t.count &&
            o->of == t.of && o->record == t.record)
            return o;
    }
    struct qn__type *const copy = QN__NEED(u, struct qn__type);
    *copy = t;
    QN__PUSH(u, u->types, u->n_types, u->types_capacity, copy);
    return copy;
}

const struct qn__type *qn__type_void(struct qn__unit *u)
{
    return qn__type_intern(u, (struct qn__type){.kind = QN__VOID});
}

const struct qn__type *qn__type_bool(struct qn__unit *u)
{
    return qn__type_intern(u, (struct qn__type){.kind = QN__BOOL, .bits = 8});
}

const struct qn__type *qn__type_int(struct qn__unit *u, unsigned bits, bool is_unsigned)
{
    return qn__type_intern(
        u, (struct qn__type){.kind = QN__INT, .bits = (uint8_t)bits, .is_unsigned = is_unsigned});
}

const struct qn__type *qn__type_float(struct qn__unit *u, unsigned bits)
{
    return qn__type_intern(u, (struct qn__type){.kind = QN__FLOAT, .bits = (uint8_t)bits});
}

const struct qn__type *qn__type_vector(struct qn__unit *u, const struct qn__type *of,
                                       uint64_t count)
{
    return qn__type_intern(u, (struct qn__type){.kind = QN__VECTOR, .of = of, .count = count});
}

const struct qn__type *qn__type_array(struct qn__unit *u, const struct qn__type *of, uint64_t count)
{
    return qn__type_intern(u, (struct qn__type){.kind = QN__ARRAY, .of = of, .count = count});
}

const struct qn__type *qn__type_pointer(struct qn__unit *u, const struct qn__type *to,
                                        enum qn__space space, bool is_const, bool is_volatile)
{
    return qn__type_intern(u, (struct qn__type){.kind = QN__POINTER,
                                                .of = to,
                                                .space = space,
                                                .is_const = is_const,
                                                .is_volatile = is_volatile});
}

const struct qn__type *qn__type_element(const struct qn__type *t)
{
    while (t->kind == QN__ARRAY)
        t = t->of;
    return t;
}

const struct qn__type *qn__type_aliasing(struct qn__unit *u, const struct qn__type *t)
{
    const struct qn__type *const e = qn__type_element(t->of);
    if (e->kind != QN__STRUCT && e->kind != QN__FLOAT && (e->kind != QN__INT || e->bits == 8))
        return t;
    struct qn__type out = *t;
    out.is_aliasing = true;
    return qn__type_intern(u, out);
}

bool qn__width_is_c(unsigned bits)
{
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

uint64_t qn__type_size(const struct qn__type *t)
{
    switch (t->kind) {
    case QN__VOID: return 1;
    case QN__BOOL: return 1;
    case QN__INT:
    case QN__FLOAT: return t->bits / 8u;
    case QN__VECTOR: return qn__type_size(t->of) * (t->count == 3 ? 4 : t->count);
    case QN__POINTER: return 8;
    case QN__ARRAY: return qn__type_size(t->of) * t->count;
    case QN__STRUCT: return t->record->size;
    }
    return 0;
}

uint64_t qn__type_align(const struct qn__type *t)
{
    switch (t->kind) {
    case QN__ARRAY: return qn__type_align(t->of);
    case QN__STRUCT: return t->record->align;
    default: return qn__type_size(t);
    }
}

bool qn__type_same_but_sign(const struct qn__type *a, const struct qn__type *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || a->bits != b->bits || a->count != b->count || a->space != b->space ||
        a->record != b->record)
        return false;
    return !a->of || qn__type_same_but_sign(a->of, b->of);
}
