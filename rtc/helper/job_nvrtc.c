/* SPDX-License-Identifier: Apache-2.0
 *
 * NVRTC. In the helper, as every compiler: what it does to a process (memory it never gives back, a
 * crash, an abort) does not reach the caller, and many run side by side.
 *
 * Source and headers are handed over in memory. The toolkit's own include folder, where there is
 * one, is the only folder NVRTC can look into, and what it reads there is reported. The
 * architecture is checked against the library's own list first, because NVRTC's answer to an
 * unknown one is a bare "invalid option".
 */
#include "rtc/helper/job_nvrtc.h"

#include "base/dl.h"
#include "rtc/helper/file_view.h"
#include "rtc/helper/rtc_program.h"
#include "rtc/job/locate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define QN_OPT QN_SYM
struct nvrtc_api {
#define QN_SYM(name, symbol, ret, args) ret(*name) args;
#include "rtc/helper/nvrtc.sym"
#undef QN_SYM
};
#undef QN_OPT

static const struct qn__dl_symbol nvrtc_rows[] = {
#define QN_SYM(name, symbol, ret, args) {#symbol, offsetof(struct nvrtc_api, name), true},
#define QN_OPT(name, symbol, ret, args) {#symbol, offsetof(struct nvrtc_api, name), false},
#include "rtc/helper/nvrtc.sym"
#undef QN_SYM
#undef QN_OPT
};

enum { NVRTC_OK = 0, ARCHS_MAX = 128 };

/* Loaded once a process, which runs one job at a time; a failed attempt is repeated at the next. */
static struct {
    bool loaded;
    struct nvrtc_api api;
    char path[1024];
    char include[1024]; /* the toolkit's folder of headers, or "" */
    int major, minor;
    int archs[ARCHS_MAX];
    int n_archs;
} nvrtc;

static qn_status load(struct qn__arena *arena)
{
    if (nvrtc.loaded)
        return QN_OK;
    struct qn__located at;
    qn__locate(&at, arena, "nvrtc");
    if (!at.found)
        return qn__fail(QN_E_COMPILER, "NVRTC not found: %s", at.reason);
    const char *const names[] = {at.files[0], NULL};
    const char *which;
    void *handle;
    if (qn__dl_open(&handle, &which, names) != QN_OK ||
        qn__dl_load(&nvrtc.api, handle, nvrtc_rows, sizeof nvrtc_rows / sizeof nvrtc_rows[0]) !=
            QN_OK)
        return qn__fail(QN_E_COMPILER, "NVRTC cannot be used: %s", qn_message());
    const struct nvrtc_api *api = &nvrtc.api;
    int n = 0;
    if (api->version(&nvrtc.major, &nvrtc.minor) != NVRTC_OK || api->get_n_archs(&n) != NVRTC_OK ||
        n <= 0 || n > ARCHS_MAX || api->get_archs(nvrtc.archs) != NVRTC_OK)
        return qn__fail(QN_E_COMPILER, "%s does not report its version or architectures",
                        at.files[0]);
    nvrtc.n_archs = n;
    const char *include;
    QN_TRY(qn__locate_cuda_include(&include, arena, at.files[0]));
    snprintf(nvrtc.path, sizeof nvrtc.path, "%s", at.files[0]);
    snprintf(nvrtc.include, sizeof nvrtc.include, "%s", include ? include : "");
    nvrtc.loaded = true;
    return QN_OK;
}

/* -- architectures -- */

/* Suffixes came with the toolkits that knew the first such GPU: "a" with 12.0 for 9.0 and up, "f"
 * with 12.9 for 10.0 and up. The library's list has plain numbers only. */
static bool takes_suffix(int arch, char suffix)
{
    const int version = nvrtc.major * 10 + nvrtc.minor;
    if (suffix == 'a')
        return arch >= 90 && version >= 120;
    return suffix == 'f' && arch >= 100 && version >= 129;
}

static bool knows(const char *arch)
{
    const bool ptx = qn__starts_with(arch, "compute_");
    if (!ptx && !qn__starts_with(arch, "sm_"))
        return false;
    char *end;
    const long number = strtol(arch + (ptx ? 8 : 3), &end, 10);
    for (int i = 0; i < nvrtc.n_archs; i++)
        if (nvrtc.archs[i] == number)
            return !*end || (!end[1] && takes_suffix((int)number, *end));
    return false;
}

static qn_status list_targets(struct qn__job_result *out, struct qn__arena *arena)
{
    const char **list = QN__ARENA_ARRAY(arena, const char *, (size_t)nvrtc.n_archs * 4);
    static const char suffixes[] = {'a', 'f'};
    uint32_t n = 0;
    for (int i = 0; list && i < nvrtc.n_archs; i++) {
        list[n++] = qn__arena_printf(arena, "sm_%d", nvrtc.archs[i]);
        for (size_t k = 0; k < sizeof suffixes; k++)
            if (takes_suffix(nvrtc.archs[i], suffixes[k]))
                list[n++] = qn__arena_printf(arena, "sm_%d%c", nvrtc.archs[i], suffixes[k]);
    }
    for (int i = 0; list && i < nvrtc.n_archs; i++)
        list[n++] = qn__arena_printf(arena, "compute_%d", nvrtc.archs[i]);
    for (uint32_t i = 0; list && i < n; i++)
        if (!list[i])
            list = NULL;
    if (!list)
        return qn__fail(QN_E_MEMORY, "no memory for the list of architectures");
    out->targets = list;
    out->n_targets = n;
    return QN_OK;
}

static qn_status refuse_arch(struct qn__arena *arena, const char *arch)
{
    struct qn__job_result r;
    struct qn__str text = {0};
    QN_TRY(list_targets(&r, arena));
    for (uint32_t i = 0; i < r.n_targets; i++)
        qn__str_printf(&text, " %s", r.targets[i]);
    const qn_status s =
        qn__fail(QN_E_UNSUPPORTED, "%s: NVRTC %d.%d (%s) cannot make it; it makes%s", arch,
                 nvrtc.major, nvrtc.minor, nvrtc.path, text.failed ? "" : text.text);
    qn__str_release(&text);
    return s;
}

/* -- one compile -- */

/* The common spelling (quern/compile.h) in NVRTC's words. -O below 3 goes to its assembler. Where
 * there is a driver, NVRTC 13 keeps a cache of its own, and what it takes from there comes without
 * a log; ours comes first, so that one is switched off. From CUDA 13 on libcu++, which some headers
 * of the toolkit include, has a folder below them. */
static qn_status convert_options(const char ***out, int *n, struct qn__arena *arena,
                                 const struct qn__job *job)
{
    const char **list = QN__ARENA_ARRAY(arena, const char *, (size_t)job->n_options + 4);
    int k = 0;
    if (list)
        list[k++] = qn__arena_printf(arena, "-arch=%s", job->arch);
    if (list && nvrtc.major >= 13)
        list[k++] = "--no-cache";
    for (uint32_t i = 0; list && i < job->n_options; i++) {
        const char *o = job->options[i];
        if (strcmp(o, "-g") == 0)
            list[k++] = "-lineinfo";
        else if (qn__starts_with(o, "-O") && o[2] < '3')
            list[k++] = qn__arena_printf(arena, "--ptxas-options=%s", o);
        else if (!qn__starts_with(o, "-O") && strcmp(o, "-Wall") != 0 &&
                 strcmp(o, "-keep-going") != 0)
            list[k++] = o;
    }
    if (list && nvrtc.include[0])
        list[k++] = qn__arena_join(arena, "--include-path=", nvrtc.include);
    const char *const cccl =
        nvrtc.include[0] ? qn__arena_join(arena, nvrtc.include, "/cccl") : NULL;
    struct stat st;
    if (nvrtc.include[0] && !cccl)
        list = NULL;
    if (list && cccl && stat(cccl, &st) == 0 && S_ISDIR(st.st_mode))
        list[k++] = qn__arena_join(arena, "--include-path=", cccl);
    for (int i = 0; list && i < k; i++)
        if (!list[i])
            list = NULL;
    if (!list)
        return qn__fail(QN_E_MEMORY, "no memory for compiler options");
    *out = list;
    *n = k;
    return QN_OK;
}

/* NVRTC's size counts the 0 after PTX. */
static int get_text_size(void *program, size_t *n)
{
    const int code = nvrtc.api.get_ptx_size(program, n);
    *n -= code == NVRTC_OK && *n > 0;
    return code;
}

static qn_status compile(struct qn__job_result *out, struct qn__arena *arena,
                         const struct qn__job *job)
{
    if (!knows(job->arch))
        return refuse_arch(arena, job->arch);
    const char **options = NULL;
    int n_options = 0;
    const struct nvrtc_api *api = &nvrtc.api;
    const bool is_ptx = qn__starts_with(job->arch, "compute_");
    const struct qn__rtc_calls calls = {
        .name = qn__arena_printf(arena, "NVRTC %d.%d", nvrtc.major, nvrtc.minor),
        .finds_overloads = true,
        .include = nvrtc.include[0] ? nvrtc.include : NULL,
        .unmarked_is_device = "-default-device",
        .error_string = api->error_string,
        .create_program = api->create_program,
        .add_name = api->add_name,
        .compile_program = api->compile_program,
        .get_log_size = api->get_log_size,
        .get_log = api->get_log,
        .get_size = is_ptx ? get_text_size : api->get_cubin_size,
        .get = is_ptx ? api->get_ptx : api->get_cubin,
        .get_lowered_name = api->get_lowered_name,
        .destroy_program = api->destroy_program,
    };
    QN_TRY(convert_options(&options, &n_options, arena, job));
    if (!calls.name)
        return qn__fail(QN_E_MEMORY, "no memory for a compile");
    QN_TRY(qn__file_view_begin(nvrtc.include[0] ? nvrtc.include : NULL));
    const qn_status s = qn__rtc_program_run(out, arena, job, &calls, options, n_options);
    const qn_status listed = qn__file_view_end(&out->machine, arena);
    return s == QN_OK ? listed : s;
}

static qn_status identify(struct qn__job_result *out, struct qn__arena *arena)
{
    out->where = qn__arena_strdup(arena, nvrtc.path);
    return list_targets(out, arena);
}

void qn__job_run_nvrtc(struct qn__job_result *out, struct qn__arena *arena,
                       const struct qn__job *job)
{
    *out = (struct qn__job_result){.compiler = "", .reflection = {.build_options = ""}};
    qn_status s = load(arena);
    if (s == QN_OK) {
        out->compiler = qn__arena_printf(arena, "nvrtc %d.%d", nvrtc.major, nvrtc.minor);
        s = job->kind == QN__JOB_IDENTITY ? identify(out, arena) : compile(out, arena, job);
    }
    qn__job_end(out, arena, s);
}
