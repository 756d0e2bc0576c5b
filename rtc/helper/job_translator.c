/* SPDX-License-Identifier: Apache-2.0
 *
 * The translator as a compiler: OpenCL C out. */
#include "rtc/helper/job_translator.h"

#include "base/file.h"
#include "compiler/translator.h"
#include "rtc/helper/diagnostics.h"
#include "rtc/helper/loaded_files.h"
#include "rtc/helper/real_program.h"
#include "rtc/job/locate.h"

#include <string.h>

qn_status qn__job_identify_translator(struct qn__job_result *out, struct qn__arena *arena,
                                      const char *clang)
{
    const char *const *profiles = qn__translate_profiles();
    QN_TRY(qn__translate_identity(&out->compiler, arena, clang));
    out->where = clang;
    out->targets = profiles;
    while (profiles[out->n_targets])
        out->n_targets++;
    QN_TRY(qn__loaded_files(&out->files, &out->n_files, arena));
    return qn__real_program(out, arena, clang);
}

qn_status qn__job_translate(struct qn__job_result *out, struct qn__arena *arena,
                            const struct qn__job *job, const char *clang, const char *profile)
{
    const struct qn__translate_request request = {
        .files = job->files,
        .n_files = job->n_files,
        .profile = profile,
        .options = job->options,
        .n_options = job->n_options,
        .names = job->names,
        .n_names = job->n_names,
        .clang = clang,
        .toolkit = job->toolkit,
        .n_toolkit = job->n_toolkit,
        .below = job->below,
    };
    struct qn__translate_result r = {0};
    const double start = qn__now_ms();
    const qn_status s = qn__translate(&r, arena, &request);
    out->ms = qn__now_ms() - start;
    struct qn__str text = {0}; /* in the one form all compilers' logs have here */
    qn__diagnostics_add(&text, job, r.diagnostics ? r.diagnostics : "", job->verbose, s != QN_OK);
    out->diagnostics = text.text ? qn__arena_strdup(arena, text.text) : "";
    qn__str_release(&text);
    out->compiler = r.compiler ? r.compiler : "";
    out->machine = r.machine;
    out->raw = r.raw;
    out->reflect_json = r.reflect_json;
    out->explain_json = r.explain_json;
    if (s != QN_OK)
        return s;
    out->image_kind = QN_IMAGE_OPENCL_C;
    out->bytes = r.text;
    out->n = strlen(r.text);
    out->reflection = r.reflection;
    return QN_OK;
}

void qn__job_run_translator(struct qn__job_result *out, struct qn__arena *arena,
                            const struct qn__job *job)
{
    *out = (struct qn__job_result){.compiler = "", .reflection = {.build_options = ""}};
    struct qn__located at;
    qn__locate(&at, arena, "translator");
    qn_status s;
    if (!at.found)
        s = qn__fail(QN_E_COMPILER, "%s", at.reason);
    else if (job->kind == QN__JOB_IDENTITY)
        s = qn__job_identify_translator(out, arena, at.files[0]);
    else
        s = qn__job_translate(out, arena, job, at.files[0], job->arch);
    qn__job_end(out, arena, s);
}
