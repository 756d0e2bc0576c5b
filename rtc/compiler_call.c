/* SPDX-License-Identifier: Apache-2.0
 *
 * From a request to what its compiler says: the job for the helper, and the message of a failure.
 */
#include "rtc/compiler_call.h"

#include "base/settings.h"
#include "rtc/cache/counters.h"
#include "rtc/client/helper_client.h"

#include <string.h>

/* "saxpy.cu for hip:gfx90a (hiprtc 5.2.3)" in front of what went wrong. A first diagnostic names
 * the file itself. */
static qn_status job_failure(const struct qn__request *r, const struct qn__job_result *result)
{
    struct qn__str shown = {0};
    const char *message = result->message ? result->message : "no reason given";
    qn__closure_show(&shown, &r->closure, message);
    const qn_status s = result->status == QN_E_COMPILE && shown.text
                            ? qn__fail(QN_E_COMPILE, "%s (for %s, %s)", shown.text, r->target_text,
                                       r->compiler.version)
                            : qn__fail(result->status, "%s for %s (%s): %s", r->shown,
                                       r->target_text, r->compiler.version, message);
    qn__str_release(&shown);
    return s;
}

qn_status qn__compiler_call(struct qn__job_result *out, struct qn__request *r)
{
    if (strcmp(r->compiler.name, "translator") == 0 || strcmp(r->compiler.name, "cpu") == 0)
        qn__request_find_toolkit(r);
    const struct qn__job job = {
        .kind = QN__JOB_COMPILE,
        .compiler = r->compiler.name,
        .arch = r->arch,
        .files = r->closure.files,
        .n_files = r->closure.n_files,
        .options = r->compile_options.shaping,
        .n_options = r->compile_options.n_shaping,
        .names = r->src->names,
        .n_names = r->src->n_names,
        .toolkit = r->toolkit.folders,
        .n_toolkit = r->toolkit.n,
        .below = r->below,
        .memory_bytes = r->options.memory_limit_bytes ? r->options.memory_limit_bytes
                                                      : qn__setting(QN__SETTING_COMPILE_MEMORY),
        .verbose = true, /* the caller's wish decides what is shown, not what is kept */
    };
    const char *what = qn__arena_printf(&r->arena, "%s for %s (%s)", r->shown, r->target_text,
                                        r->compiler.version);
    *out = (struct qn__job_result){0};
    if (r->compiler.absent)
        return qn__fail(QN_E_COMPILER, "%s", r->compiler.absent);
    if (!what)
        return qn__fail(QN_E_MEMORY, "no memory for a compile");
    QN_TRY(qn__helper_run(out, &r->arena, &job, what, r->options.time_limit_s));
    qn__count(&qn__counters.compiles, 1);
    qn__count(&qn__counters.compile_us, (uint64_t)(out->ms * 1e3));
    if (out->status != QN_OK)
        return job_failure(r, out);
    return out->bytes ? QN_OK : qn__fail(QN_E_COMPILER, "%s: no image and no error", what);
}
