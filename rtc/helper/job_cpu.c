/* SPDX-License-Identifier: Apache-2.0
 *
 * Translation to C is the same for every processor; what a processor can do is clang's business. */
#include "rtc/helper/job_cpu.h"

#include "base/file.h"
#include "base/str.h"
#include "rtc/helper/cpu_compile.h"
#include "rtc/helper/job_translator.h"
#include "rtc/job/locate.h"

#include <string.h>

enum { CLANG, LINKER }; /* in qn__located */

/* The levels that the linker has a machine for. */
static qn_status list_targets(struct qn__job_result *out, struct qn__arena *arena,
                              const char *linker)
{
    const char **list = QN__ARENA_ARRAY(arena, const char *, QN__CPU_LEVELS);
    if (!list)
        return qn__fail(QN_E_MEMORY, "no memory for a list of targets");
    bool makes[QN__CPU_MACHINES] = {false};
    QN_TRY(qn__cpu_linker_ask(makes, arena, linker));
    out->n_targets = 0;
    for (int i = 0; i < QN__CPU_LEVELS; i++)
        if (makes[qn__cpu_level_machine((enum qn__cpu_level)i)])
            list[out->n_targets++] = qn__cpu_level_name((enum qn__cpu_level)i);
    out->targets = list;
    return out->n_targets ? QN_OK : qn__fail(QN_E_COMPILER, "%s does not link for Linux", linker);
}

static const char *with_linker(struct qn__arena *arena, const char *compiler, const char *linker)
{
    const char *text = qn__arena_printf(arena, "%s + %s", compiler, qn__path_base(linker));
    return text ? text : "";
}

/* The text says where its lines come from, for the message of a fault and for debuggers. */
static qn_status translate(struct qn__job_result *out, struct qn__arena *arena,
                           const struct qn__job *job, const char *clang)
{
    static const char lines[] = "-lines=directives";
    struct qn__job copy = *job;
    const char **const options = QN__ARENA_ARRAY(arena, const char *, (size_t)job->n_options + 1);
    if (!options)
        return qn__fail(QN_E_MEMORY, "no memory for options");
    for (uint32_t i = 0; i < job->n_options; i++)
        options[i] = qn__starts_with(job->options[i], "-lines=") ? lines : job->options[i];
    options[copy.n_options++] = lines;
    copy.options = options;
    return qn__job_translate(out, arena, &copy, clang, "cpu");
}

static qn_status compile(struct qn__job_result *out, struct qn__arena *arena,
                         const struct qn__job *job, const struct qn__located *at)
{
    struct qn__cpu_compile c = {.clang = at->files[CLANG],
                                .linker = at->files[LINKER],
                                .for_debugger = qn__job_has(job, "-g"),
                                .as_written = qn__job_has(job, "-O0")};
    const void *bytes;
    const char *said;
    size_t n;
    QN_TRY(qn__cpu_target_parse(&c.target, job->arch));
    QN_TRY(translate(out, arena, job, at->files[CLANG]));
    c.text = out->bytes;
    c.is_empty = out->reflection.n_kernels == 0;
    const double start = qn__now_ms();
    const qn_status s = qn__cpu_compile(&bytes, &n, &said, arena, &c);
    out->ms += qn__now_ms() - start;
    if (s != QN_OK) {
        out->raw = said;
        return s;
    }
    out->image_kind = QN_IMAGE_SHARED_OBJECT;
    out->bytes = bytes;
    out->n = n;
    return QN_OK;
}

void qn__job_run_cpu(struct qn__job_result *out, struct qn__arena *arena, const struct qn__job *job)
{
    *out = (struct qn__job_result){.compiler = "", .reflection = {.build_options = ""}};
    struct qn__located at;
    qn__locate(&at, arena, "cpu");
    qn_status s = at.found ? QN_OK : qn__fail(QN_E_COMPILER, "%s", at.reason);
    if (s == QN_OK && job->kind == QN__JOB_IDENTITY) {
        s = qn__job_identify_translator(out, arena, at.files[CLANG]);
        if (s == QN_OK)
            s = list_targets(out, arena, at.files[LINKER]);
    } else if (s == QN_OK) {
        s = compile(out, arena, job, &at);
    }
    if (at.found)
        out->compiler = with_linker(arena, out->compiler, at.files[LINKER]);
    qn__job_end(out, arena, s);
}
