/* SPDX-License-Identifier: Apache-2.0
 *
 * Reflection to bytes and back. Tags are private to this file; unknown tags are skipped, so an
 * older reader survives a newer writer. Counts are known by counting records first, never by a
 * number in the data. */
#include "base/signature.h"

#include "base/wire.h"

#include <string.h>

enum { /* top level */
       T_KERNEL = 1,
       T_GLOBAL,
       T_NEED,
       T_BUILD_OPTIONS
};
enum { /* in T_KERNEL and T_GLOBAL */
       K_NAME = 1,
       K_EXPRESSION,
       K_ARGS_KNOWN,
       K_ARG,
       K_STATIC_SHARED,
       K_BLOCK_MAX,
       K_HIDDEN,
       K_FLAGS,
       K_REQUIRED_X,
       K_REQUIRED_Y,
       K_REQUIRED_Z,
       K_SYMBOL,
       K_SIZE,
       K_ALIGN,
       K_CONSTANT,
       K_INIT,
       K_ADDRESS
};
enum { /* in K_ADDRESS */
       A_OFFSET = 1,
       A_GLOBAL,
       A_ADDEND
};
enum { A_NAME = 1, A_TYPE, A_KIND, A_SIZE, A_ALIGN, A_IN_BUFFER }; /* in K_ARG */
enum { FLAG_INDIRECT = 1, FLAG_BARRIER = 2 };

static void encode_kernel(struct qn__str *w, const struct qn__kernel *k)
{
    const size_t at = qn__wire_begin(w, T_KERNEL);
    qn__wire_text(w, K_NAME, k->info.name);
    qn__wire_text(w, K_EXPRESSION, k->info.expression);
    qn__wire_text(w, K_SYMBOL, k->info.symbol);
    qn__wire_u32(w, K_ARGS_KNOWN, k->info.args_known);
    for (uint32_t i = 0; i < k->info.n_args; i++) {
        const qn_arg_info *a = &k->info.args[i];
        const size_t arg = qn__wire_begin(w, K_ARG);
        qn__wire_text(w, A_NAME, a->name);
        qn__wire_text(w, A_TYPE, a->type);
        qn__wire_u32(w, A_KIND, a->kind);
        qn__wire_u32(w, A_SIZE, a->size_bytes);
        qn__wire_u32(w, A_ALIGN, a->align_bytes);
        if (a->in_buffer)
            qn__wire_u32(w, A_IN_BUFFER, 1);
        qn__wire_end(w, arg);
    }
    qn__wire_u64(w, K_STATIC_SHARED, k->info.static_shared_bytes);
    qn__wire_u32(w, K_BLOCK_MAX, k->info.block_threads_max);
    for (uint32_t i = 0; i < k->n_hidden; i++)
        qn__wire_u64(w, K_HIDDEN, (uint64_t)k->hidden[i].kind << 32 | k->hidden[i].index);
    qn__wire_u32(w, K_FLAGS,
                 (k->has_indirect_pointers ? FLAG_INDIRECT : 0u) |
                     (k->has_barrier ? FLAG_BARRIER : 0u));
    for (uint32_t i = 0; i < 3; i++)
        qn__wire_u32(w, K_REQUIRED_X + i, k->block_required[i]);
    qn__wire_end(w, at);
}

static void encode_address(struct qn__str *w, const struct qn__address *a)
{
    const size_t at = qn__wire_begin(w, K_ADDRESS);
    qn__wire_u64(w, A_OFFSET, a->offset);
    qn__wire_u64(w, A_GLOBAL, a->global);
    qn__wire_u64(w, A_ADDEND, a->addend);
    qn__wire_end(w, at);
}

void qn__reflection_encode(struct qn__str *w, const struct qn__reflection *r)
{
    for (uint32_t i = 0; i < r->n_kernels; i++)
        encode_kernel(w, &r->kernels[i]);
    for (uint32_t i = 0; i < r->n_globals; i++) {
        const struct qn__global *g = &r->globals[i];
        const size_t at = qn__wire_begin(w, T_GLOBAL);
        qn__wire_text(w, K_NAME, g->name);
        qn__wire_text(w, K_SYMBOL, g->symbol);
        qn__wire_u64(w, K_SIZE, g->size_bytes);
        qn__wire_u32(w, K_ALIGN, g->align_bytes);
        qn__wire_u32(w, K_CONSTANT, g->is_constant);
        if (g->init)
            qn__wire_bytes(w, K_INIT, g->init, (size_t)g->size_bytes);
        for (uint32_t k = 0; k < g->n_addresses; k++)
            encode_address(w, &g->addresses[k]);
        qn__wire_end(w, at);
    }
    for (uint32_t i = 0; i < r->n_needs; i++)
        qn__wire_text(w, T_NEED, r->needs[i]);
    qn__wire_text(w, T_BUILD_OPTIONS, r->build_options);
}

static uint32_t count_tag(struct qn__wire_reader r, uint32_t tag)
{
    uint32_t n = 0;
    struct qn__wire_field f;
    while (qn__wire_next(&r, &f))
        n += f.tag == tag;
    return n;
}

static const char *text_of(struct qn__arena *a, struct qn__wire_field f)
{
    return qn__arena_strndup(a, (const char *)f.bytes, f.n);
}

static qn_status damaged(const struct qn__arena *arena, const char *what)
{
    return arena->failed ? qn__fail(QN_E_MEMORY, "no memory for kernel signatures")
                         : qn__fail(QN_E_CORRUPT, "kernel signatures: damaged %s", what);
}

static qn_status decode_arg(qn_arg_info *arg, struct qn__arena *arena, struct qn__wire_reader r)
{
    struct qn__wire_field f;
    uint32_t kind = QN_ARG_VALUE, in_buffer = 0;
    bool ok = true;
    arg->name = arg->type = "";
    while (qn__wire_next(&r, &f)) {
        switch (f.tag) {
        case A_NAME: arg->name = text_of(arena, f); break;
        case A_TYPE: arg->type = text_of(arena, f); break;
        case A_KIND: ok &= qn__wire_get_u32(f, &kind) && kind <= QN_ARG_POINTER; break;
        case A_SIZE: ok &= qn__wire_get_u32(f, &arg->size_bytes); break;
        case A_ALIGN: ok &= qn__wire_get_u32(f, &arg->align_bytes); break;
        case A_IN_BUFFER: ok &= qn__wire_get_u32(f, &in_buffer); break;
        default: break;
        }
    }
    arg->kind = kind == QN_ARG_POINTER ? QN_ARG_POINTER : QN_ARG_VALUE;
    arg->in_buffer = in_buffer != 0;
    if (r.failed || !ok || !arg->name || !arg->type || arg->size_bytes == 0 ||
        arg->size_bytes > 1u << 20 ||
        (arg->kind == QN_ARG_POINTER && (arg->size_bytes != 8 || arg->in_buffer)))
        return damaged(arena, "argument");
    return QN_OK;
}

static qn_status decode_kernel(struct qn__kernel *k, struct qn__arena *arena,
                               struct qn__wire_reader r, uint32_t n_globals)
{
    struct qn__wire_field f;
    qn_arg_info *args = QN__ARENA_ARRAY(arena, qn_arg_info, count_tag(r, K_ARG));
    struct qn__hidden *hidden = QN__ARENA_ARRAY(arena, struct qn__hidden, count_tag(r, K_HIDDEN));
    if (!args || !hidden)
        return qn__fail(QN_E_MEMORY, "no memory for kernel signatures");
    bool ok = true;
    while (qn__wire_next(&r, &f)) {
        uint32_t v = 0;
        uint64_t w = 0;
        switch (f.tag) {
        case K_NAME: k->info.name = text_of(arena, f); break;
        case K_EXPRESSION: k->info.expression = text_of(arena, f); break;
        case K_SYMBOL: k->info.symbol = text_of(arena, f); break;
        case K_ARGS_KNOWN:
            ok &= qn__wire_get_u32(f, &v);
            k->info.args_known = v != 0;
            break;
        case K_ARG: QN_TRY(decode_arg(&args[k->info.n_args++], arena, qn__wire_record(f))); break;
        case K_STATIC_SHARED: ok &= qn__wire_get_u64(f, &k->info.static_shared_bytes); break;
        case K_BLOCK_MAX: ok &= qn__wire_get_u32(f, &k->info.block_threads_max); break;
        case K_HIDDEN:
            ok &= qn__wire_get_u64(f, &w);
            hidden[k->n_hidden].kind =
                (w >> 32) == QN__HIDDEN_SHARED ? QN__HIDDEN_SHARED : QN__HIDDEN_GLOBAL;
            hidden[k->n_hidden].index = (uint32_t)w;
            ok &= (w >> 32) == QN__HIDDEN_SHARED ||
                  ((w >> 32) == QN__HIDDEN_GLOBAL && (uint32_t)w < n_globals);
            k->n_hidden++;
            break;
        case K_FLAGS:
            ok &= qn__wire_get_u32(f, &v);
            k->has_indirect_pointers = v & FLAG_INDIRECT;
            k->has_barrier = v & FLAG_BARRIER;
            break;
        case K_REQUIRED_X:
        case K_REQUIRED_Y:
        case K_REQUIRED_Z:
            ok &= qn__wire_get_u32(f, &k->block_required[f.tag - K_REQUIRED_X]);
            break;
        default: break;
        }
    }
    k->info.args = args;
    k->hidden = hidden;
    if (r.failed || !ok || !k->info.name || !k->info.name[0])
        return damaged(arena, "kernel");
    if (!k->info.expression)
        k->info.expression = k->info.name;
    if (!k->info.symbol)
        k->info.symbol = "";
    return QN_OK;
}

static bool decode_address(struct qn__address *a, struct qn__wire_reader r)
{
    struct qn__wire_field f;
    bool ok = true;
    while (qn__wire_next(&r, &f))
        switch (f.tag) {
        case A_OFFSET: ok &= qn__wire_get_u64(f, &a->offset); break;
        case A_GLOBAL: ok &= qn__wire_get_u64(f, &a->global); break;
        case A_ADDEND: ok &= qn__wire_get_u64(f, &a->addend); break;
        default: break;
        }
    return ok && !r.failed;
}

static bool addresses_fit(const struct qn__global *g, uint32_t n_globals)
{
    for (uint32_t i = 0; i < g->n_addresses; i++)
        if (g->size_bytes < sizeof(uint64_t) ||
            g->addresses[i].offset > g->size_bytes - sizeof(uint64_t) ||
            g->addresses[i].global >= n_globals)
            return false;
    return true;
}

static qn_status decode_global(struct qn__global *g, struct qn__arena *arena,
                               struct qn__wire_reader r, uint32_t n_globals)
{
    struct qn__wire_field f, init = {0};
    struct qn__address *const addresses =
        QN__ARENA_ARRAY(arena, struct qn__address, count_tag(r, K_ADDRESS));
    bool ok = true;
    if (!addresses)
        return qn__fail(QN_E_MEMORY, "no memory for a variable's addresses");
    g->addresses = addresses;
    while (qn__wire_next(&r, &f)) {
        uint32_t v = 0;
        switch (f.tag) {
        case K_NAME: g->name = text_of(arena, f); break;
        case K_SYMBOL: g->symbol = text_of(arena, f); break;
        case K_SIZE: ok &= qn__wire_get_u64(f, &g->size_bytes); break;
        case K_ALIGN: ok &= qn__wire_get_u32(f, &g->align_bytes); break;
        case K_CONSTANT:
            ok &= qn__wire_get_u32(f, &v);
            g->is_constant = v != 0;
            break;
        case K_INIT: init = f; break;
        case K_ADDRESS:
            ok &= decode_address(&addresses[g->n_addresses++], qn__wire_record(f));
            break;
        default: break;
        }
    }
    if (r.failed || !ok || !g->name || !g->symbol || (init.bytes && init.n != g->size_bytes) ||
        !addresses_fit(g, n_globals))
        return damaged(arena, "variable");
    if (init.bytes) {
        g->init = qn__arena_memdup(arena, init.bytes, init.n);
        if (!g->init)
            return qn__fail(QN_E_MEMORY, "no memory for the value of %s", g->name);
    }
    return QN_OK;
}

qn_status qn__reflection_decode(struct qn__reflection *out, struct qn__arena *arena,
                                const void *bytes, size_t n)
{
    *out = (struct qn__reflection){.build_options = ""};
    struct qn__wire_reader r = qn__wire_reader(bytes, n);
    const uint32_t n_globals = count_tag(r, T_GLOBAL);
    struct qn__kernel *kernels = QN__ARENA_ARRAY(arena, struct qn__kernel, count_tag(r, T_KERNEL));
    struct qn__global *globals = QN__ARENA_ARRAY(arena, struct qn__global, n_globals);
    const char **needs = QN__ARENA_ARRAY(arena, const char *, count_tag(r, T_NEED));
    if (!kernels || !globals || !needs)
        return qn__fail(QN_E_MEMORY, "no memory for kernel signatures");
    struct qn__wire_field f;
    while (qn__wire_next(&r, &f)) {
        switch (f.tag) {
        case T_KERNEL:
            QN_TRY(decode_kernel(&kernels[out->n_kernels++], arena, qn__wire_record(f), n_globals));
            break;
        case T_GLOBAL:
            QN_TRY(decode_global(&globals[out->n_globals++], arena, qn__wire_record(f), n_globals));
            break;
        case T_NEED: needs[out->n_needs++] = text_of(arena, f); break;
        case T_BUILD_OPTIONS: out->build_options = text_of(arena, f); break;
        default: break;
        }
    }
    if (r.failed || !out->build_options || arena->failed)
        return damaged(arena, "list");
    out->kernels = kernels;
    out->globals = globals;
    out->needs = needs;
    return QN_OK;
}
