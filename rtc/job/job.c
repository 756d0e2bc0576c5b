/* SPDX-License-Identifier: Apache-2.0
 *
 * What all compilers' jobs share: results, options, and the names of an image's kernels. */
#include "rtc/job/job.h"

#include "base/str.h"
#include "rtc/job/code_object.h"

#include <string.h>

void qn__job_end(struct qn__job_result *out, struct qn__arena *arena, qn_status s)
{
    out->status = s;
    if (s == QN_OK)
        return;
    out->message = qn__arena_strdup(arena, qn_message());
    out->bytes = NULL;
    out->n = 0;
}

bool qn__job_has(const struct qn__job *job, const char *option)
{
    for (uint32_t i = 0; i < job->n_options; i++)
        if (strcmp(job->options[i], option) == 0)
            return true;
    return false;
}

const char *qn__job_value(const struct qn__job *job, const char *prefix)
{
    for (uint32_t i = 0; i < job->n_options; i++)
        if (qn__starts_with(job->options[i], prefix))
            return job->options[i] + strlen(prefix);
    return NULL;
}

/* The user's expression for a symbol; the symbol itself where none was asked for. */
static const char *expression_of(const struct qn__job *job, const char *const *lowered,
                                 const char *symbol)
{
    for (uint32_t i = 0; i < job->n_names; i++)
        if (qn__equal(lowered[i], symbol))
            return job->names[i][0] == '&' ? job->names[i] + 1 : job->names[i];
    return symbol;
}

static bool has_symbol(const struct qn__code_object *code, const char *symbol)
{
    for (uint32_t i = 0; i < code->n_kernels; i++)
        if (strcmp(code->kernels[i], symbol) == 0)
            return true;
    for (uint32_t i = 0; i < code->n_variables; i++)
        if (strcmp(code->variables[i].name, symbol) == 0)
            return true;
    return false;
}

qn_status qn__job_reflect(struct qn__job_result *out, struct qn__arena *arena,
                          const struct qn__job *job, const char *const *lowered)
{
    struct qn__code_object code;
    QN_TRY(qn__code_object_read(&code, arena, out->bytes, out->n));
    struct qn__kernel *kernels = QN__ARENA_ARRAY(arena, struct qn__kernel, code.n_kernels);
    struct qn__global *globals =
        QN__ARENA_ARRAY(arena, struct qn__global, (size_t)code.n_variables + job->n_names);
    if (!kernels || !globals)
        return qn__fail(QN_E_MEMORY, "no memory for the names of %u kernels", code.n_kernels);
    for (uint32_t i = 0; i < code.n_kernels; i++) {
        kernels[i].info.name = code.kernels[i];
        kernels[i].info.expression = expression_of(job, lowered, code.kernels[i]);
        kernels[i].info.symbol = code.kernels[i];
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < code.n_variables; i++)
        globals[n++] = (struct qn__global){
            .name = expression_of(job, lowered, code.variables[i].name),
            .symbol = code.variables[i].name,
            .size_bytes = code.variables[i].size_bytes,
        };
    for (uint32_t i = 0; i < job->n_names; i++) {
        if (!lowered[i])
            return qn__fail(QN_E_COMPILE, "%s: names no kernel or variable of this source",
                            job->names[i]);
        if (!has_symbol(&code, lowered[i])) /* PTX: variables are not listed */
            globals[n++] = (struct qn__global){.name = expression_of(job, lowered, lowered[i]),
                                               .symbol = lowered[i]};
    }
    out->image_kind = code.kind;
    out->reflection = (struct qn__reflection){.n_kernels = code.n_kernels,
                                              .kernels = kernels,
                                              .n_globals = n,
                                              .globals = globals,
                                              .build_options = ""};
    return QN_OK;
}
