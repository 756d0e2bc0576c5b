/* SPDX-License-Identifier: Apache-2.0
 *
 * hipRTC, in the helper only: version 5.2.3 aborts the process on an architecture it does not know.
 * comgr, the library below it, is asked first; it knows the same names and returns an error.
 *
 * A GPU that hipRTC would add on its own is never used: the architecture is always given. It would
 * look for headers in /usr/local/include and the C library's folders, too; it finds none there.
 */
#include "rtc/helper/job_hiprtc.h"

#include "base/dl.h"
#include "rtc/helper/file_view.h"
#include "rtc/helper/loaded_files.h"
#include "rtc/helper/rtc_program.h"
#include "rtc/job/locate.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct comgr_handle {
    uint64_t value;
};

#define QN_OPT                          QN_SYM
#define QN_SYM(name, symbol, ret, args) ret(*name) args;
struct hiprtc_api {
#include "rtc/helper/hiprtc.sym"
};
struct comgr_api {
#include "rtc/helper/comgr.sym"
};
#undef QN_SYM
#undef QN_OPT

static const struct qn__dl_symbol hiprtc_rows[] = {
#define QN_SYM(name, symbol, ret, args) {#symbol, offsetof(struct hiprtc_api, name), true},
#define QN_OPT(name, symbol, ret, args) {#symbol, offsetof(struct hiprtc_api, name), false},
#include "rtc/helper/hiprtc.sym"
#undef QN_SYM
#undef QN_OPT
};

static const struct qn__dl_symbol comgr_rows[] = {
#define QN_SYM(name, symbol, ret, args) {#symbol, offsetof(struct comgr_api, name), true},
#include "rtc/helper/comgr.sym"
#undef QN_SYM
};

#define ISA_PREFIX "amdgcn-amd-amdhsa--"
enum { HIPRTC_OK = 0, ISA_MAX = 1024 };

/* Loaded once a process; the helper runs one job at a time. */
static struct {
    bool loaded;
    struct hiprtc_api api;
    struct comgr_api comgr;
    char where[1024], version[96];
} hip;

static qn_status load(struct qn__arena *arena)
{
    if (hip.loaded)
        return QN_OK;
    struct qn__located at;
    const char *which;
    void *handle, *comgr;
    int major = 0, minor = 0, runtime = 0;
    size_t comgr_major = 0, comgr_minor = 0;
    qn__locate(&at, arena, "hiprtc");
    if (!at.found)
        return qn__fail(QN_E_COMPILER, "%s", at.reason);
    if (at.n_files < 2)
        return qn__fail(QN_E_COMPILER,
                        "%s is there but not AMD's libamd_comgr, which says which "
                        "targets hipRTC can make without crashing",
                        at.files[0]);
    if (qn__dl_open(&handle, &which, (const char *const[]){at.files[0], NULL}) != QN_OK ||
        qn__dl_load(&hip.api, handle, hiprtc_rows, sizeof hiprtc_rows / sizeof hiprtc_rows[0]) !=
            QN_OK ||
        qn__dl_open(&comgr, &which, (const char *const[]){at.files[1], NULL}) != QN_OK ||
        qn__dl_load(&hip.comgr, comgr, comgr_rows, sizeof comgr_rows / sizeof comgr_rows[0]) !=
            QN_OK)
        return qn__fail(QN_E_COMPILER, "hipRTC cannot be used: %s", qn_message());
    if (hip.api.version(&major, &minor) != HIPRTC_OK)
        return qn__fail(QN_E_COMPILER, "%s does not report its version", at.files[0]);
    hip.comgr.version(&comgr_major, &comgr_minor);
    /* hiprtcVersion is 9.0 in ROCm 5; HIP's own number (50221153 is 5.2.21153) says more */
    if (hip.api.hip_runtime_version && hip.api.hip_runtime_version(&runtime) == 0 && runtime > 0)
        snprintf(hip.version, sizeof hip.version, "hiprtc %d.%d.%d (comgr %zu.%zu)",
                 runtime / 10000000, runtime / 100000 % 100, runtime % 100000, comgr_major,
                 comgr_minor);
    else
        snprintf(hip.version, sizeof hip.version, "hiprtc %d.%d (comgr %zu.%zu)", major, minor,
                 comgr_major, comgr_minor);
    snprintf(hip.where, sizeof hip.where, "%s", at.files[0]);
    hip.loaded = true;
    return QN_OK;
}

/* -- architectures -- */

static qn_status list_targets(struct qn__job_result *out, struct qn__arena *arena)
{
    size_t n = 0;
    if (hip.comgr.isa_count(&n) != 0 || n == 0 || n > ISA_MAX)
        return qn__fail(QN_E_COMPILER, "comgr lists no targets");
    const char **list = QN__ARENA_ARRAY(arena, const char *, n);
    if (!list)
        return qn__fail(QN_E_MEMORY, "no memory for %zu targets", n);
    for (size_t i = 0; i < n; i++) {
        const char *name = NULL;
        if (hip.comgr.isa_name(i, &name) == 0 && name && qn__starts_with(name, ISA_PREFIX))
            list[out->n_targets++] = qn__arena_strdup(arena, name + strlen(ISA_PREFIX));
    }
    out->targets = list;
    return QN_OK;
}

/* The features are checked too. An info whose set_isa failed must not be destroyed (comgr 2.4 would
 * free wild pointers), so it is leaked. */
static bool knows(struct qn__arena *arena, const char *arch)
{
    struct comgr_handle action;
    const char *name = qn__arena_printf(arena, ISA_PREFIX "%s", arch);
    return name && arch[0] && hip.comgr.action_create(&action) == 0 &&
           hip.comgr.action_set_isa(action, name) == 0;
}

/* -- one compile -- */

static qn_status convert_options(const char ***out, int *n, struct qn__arena *arena,
                                 const struct qn__job *job)
{
    const char **list = QN__ARENA_ARRAY(arena, const char *, (size_t)job->n_options * 2 + 2);
    int k = 0;
    bool ok = list != NULL;
    if (ok)
        list[k++] = qn__arena_printf(arena, "--offload-arch=%s", job->arch);
    for (uint32_t i = 0; ok && i < job->n_options; i++) {
        const char *o = job->options[i];
        if (strcmp(o, "-use_fast_math") == 0)
            list[k++] = "-ffast-math";
        else if (strcmp(o, "-fmad=false") == 0)
            list[k++] = "-ffp-contract=off";
        else if (!qn__starts_with(o, "-maxrregcount=") && /* NVIDIA's registers, not AMD's */
                 strcmp(o, "-keep-going") != 0 &&
                 strcmp(o, "-device-int128") != 0) /* clang needs none */
            list[k++] = o;
    }
    for (int i = 0; i < k; i++)
        ok = ok && list[i];
    *out = list;
    *n = k;
    return ok ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for compiler options");
}

static qn_status compile(struct qn__job_result *out, struct qn__arena *arena,
                         const struct qn__job *job)
{
    if (!knows(arena, job->arch))
        return qn__fail(QN_E_UNSUPPORTED,
                        "%s: not among the targets comgr lists, or a feature that it lacks",
                        job->arch);
    const char **options = NULL;
    int n_options = 0;
    const struct hiprtc_api *api = &hip.api;
    const struct qn__rtc_calls calls = {
        .name = "hipRTC",
        .error_string = api->error_string,
        .create_program = api->create_program,
        .add_name = api->add_name,
        .compile_program = api->compile_program,
        .get_log_size = api->get_log_size,
        .get_log = api->get_log,
        .get_size = api->get_code_size,
        .get = api->get_code,
        .get_lowered_name = api->get_lowered_name,
        .destroy_program = api->destroy_program,
    };
    QN_TRY(convert_options(&options, &n_options, arena, job));
    QN_TRY(qn__file_view_begin(NULL));
    const qn_status s = qn__rtc_program_run(out, arena, job, &calls, options, n_options);
    const qn_status listed = qn__file_view_end(&out->machine, arena);
    return s == QN_OK ? listed : s;
}

static qn_status identify(struct qn__job_result *out, struct qn__arena *arena)
{
    QN_TRY(list_targets(out, arena));
    return qn__loaded_files(&out->files, &out->n_files, arena);
}

void qn__job_run_hiprtc(struct qn__job_result *out, struct qn__arena *arena,
                        const struct qn__job *job)
{
    *out = (struct qn__job_result){.compiler = "", .reflection = {.build_options = ""}};
    qn_status s = load(arena);
    if (s == QN_OK) {
        out->compiler = hip.version;
        out->where = hip.where;
        s = job->kind == QN__JOB_IDENTITY ? identify(out, arena) : compile(out, arena, job);
    }
    qn__job_end(out, arena, s);
}
