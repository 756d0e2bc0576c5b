/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls on a stream that is being captured, written down: a list in one arena with the argument
 * values copied. The backend copies argument values at each launch, so one recording may be
 * replayed by several threads on streams of their own. */
#include "runtime/recording.h"

#include <stdlib.h>

enum node_kind { NODE_LAUNCH, NODE_COPY, NODE_FILL };

struct node {
    struct node *next;
    enum node_kind kind;
    const qn_kernel *kernel; /* launch */
    qn_dims dims;
    void **args;
    enum qn__copy copy_kind; /* copy */
    uint64_t dst, src, bytes;
    uint32_t value, elem_bytes; /* fill, with dst */
    uint64_t n_elems;
};

struct qn__recording {
    struct qn__arena arena; /* nodes, arguments */
    struct node *first, **end;
};

void qn__recording_destroy(struct qn__recording *r)
{
    if (!r)
        return;
    qn__arena_release(&r->arena);
    free(r);
}

static qn_status no_memory(void)
{
    return qn__fail(QN_E_MEMORY, "no memory to record a graph");
}

qn_status qn__recording_create(struct qn__recording **out)
{
    struct qn__recording *r = qn__alloc(1, sizeof *r);
    *out = r;
    if (!r)
        return no_memory();
    r->end = &r->first;
    return QN_OK;
}

static qn_status append(qn_stream *s, const struct node *node)
{
    struct qn__recording *r = s->recording;
    struct node *kept = qn__arena_memdup(&r->arena, node, sizeof *node);
    if (!kept)
        return no_memory();
    *r->end = kept;
    r->end = &kept->next;
    return QN_OK;
}

qn_status qn__record_launch(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                            void *const *args)
{
    const qn_kernel_info *info = &kernel->info;
    if (!info->args_known)
        return qn__fail(QN_E_UNSUPPORTED,
                        "%s: its argument sizes are unknown, so a launch of it "
                        "cannot be recorded",
                        info->expression);
    struct qn__arena *arena = &s->recording->arena;
    struct node node = {.kind = NODE_LAUNCH, .kernel = kernel, .dims = *dims};
    node.args = QN__ARENA_ARRAY(arena, void *, info->n_args);
    if (!node.args)
        return no_memory();
    for (uint32_t i = 0; i < info->n_args; i++) {
        node.args[i] = qn__arena_memdup(arena, args[i], info->args[i].size_bytes);
        if (!node.args[i])
            return no_memory();
    }
    return append(s, &node);
}

qn_status qn__record_copy(qn_stream *s, enum qn__copy kind, uint64_t dst, uint64_t src,
                          uint64_t bytes)
{
    return append(
        s, &(struct node){
               .kind = NODE_COPY, .copy_kind = kind, .dst = dst, .src = src, .bytes = bytes});
}

qn_status qn__record_fill(qn_stream *s, qn_addr dst, uint32_t value, uint32_t elem_bytes,
                          uint64_t n_elems)
{
    return append(s, &(struct node){.kind = NODE_FILL,
                                    .dst = dst,
                                    .value = value,
                                    .elem_bytes = elem_bytes,
                                    .n_elems = n_elems});
}

static qn_status queue_again(const struct node *node, qn_stream *s)
{
    const struct qn__backend *b = s->device->backend;
    switch (node->kind) {
    case NODE_LAUNCH: return b->launch(s, node->kernel, &node->dims, node->args);
    case NODE_COPY: return b->copy(s, node->copy_kind, node->dst, node->src, node->bytes);
    case NODE_FILL: return b->fill(s, node->dst, node->value, node->elem_bytes, node->n_elems);
    }
    return QN_OK;
}

qn_status qn__recording_replay(const struct qn__recording *r, qn_stream *s)
{
    for (const struct node *n = r->first; n; n = n->next)
        QN_TRY(queue_again(n, s));
    return QN_OK;
}
