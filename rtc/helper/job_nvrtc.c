/* SPDX-License-Identifier: Apache-2.0
 *
 * NVRTC, in whichever process runs this: the library's (it is quick and does not crash) or the
 * helper's (for many at once).
 *
 * Source and headers are handed over in memory. The toolkit's own include folder, where there is
 * one, is the only folder NVRTC may look into. The architecture is checked against the library's
 * own list first, because NVRTC's answer to an unknown one is a bare "invalid option".
 */
#include "base/dl.h"
#include "base/file.h"
#include "rtc/helper/diagnostics.h"
#include "rtc/helper/job.h"
#include "rtc/helper/locate.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

enum { NVRTC_OK = 0, NVRTC_OUT_OF_MEMORY = 1, NVRTC_COMPILATION = 6, ARCHS_MAX = 128 };

/* Loaded once a process; a failed attempt is repeated at the next job. */
static struct {
    pthread_mutex_t lock;
    bool loaded;
    struct nvrtc_api api;
    char path[1024];
    char include[1024]; /* "--include-path=..." or "" */
    int major, minor;
    int archs[ARCHS_MAX];
    int n_archs;
} nvrtc = {.lock = PTHREAD_MUTEX_INITIALIZER};

static qn_status load_locked(struct qn__arena *arena)
{
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
        return qn__fail(QN_E_COMPILER, "%s does not tell its version or architectures",
                        at.files[0]);
    nvrtc.n_archs = n;
    const char *include = qn__locate_cuda_include(arena, at.files[0]);
    snprintf(nvrtc.path, sizeof nvrtc.path, "%s", at.files[0]);
    snprintf(nvrtc.include, sizeof nvrtc.include, include ? "--include-path=%s" : "%s",
             include ? include : "");
    nvrtc.loaded = true;
    return QN_OK;
}

static qn_status load(struct qn__arena *arena)
{
    pthread_mutex_lock(&nvrtc.lock);
    const qn_status s = nvrtc.loaded ? QN_OK : load_locked(arena);
    pthread_mutex_unlock(&nvrtc.lock);
    return s;
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
    for (uint32_t i = 0; i < n; i++)
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

static qn_status fail_api(int code, const char *what)
{
    return qn__fail_code(QN_E_COMPILER, code, "NVRTC %d.%d: %s: %s", nvrtc.major, nvrtc.minor, what,
                         nvrtc.api.error_string(code));
}

/* The common spelling (quern/compile.h) in NVRTC's words. -O below 3 goes to its assembler. Where
 * there is a driver, NVRTC 13 keeps a cache of its own, and what it takes from there comes without
 * a log; ours is in front of it, so that one is switched off. */
static qn_status convert_options(const char ***out, int *n, struct qn__arena *arena,
                                 const struct qn__job *job)
{
    const char **list = QN__ARENA_ARRAY(arena, const char *, (size_t)job->n_options + 3);
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
        else if (!qn__starts_with(o, "-O") && strcmp(o, "-Wall") != 0)
            list[k++] = o;
    }
    if (list && nvrtc.include[0])
        list[k++] = nvrtc.include;
    for (int i = 0; i < k; i++)
        if (!list[i])
            list = NULL;
    if (!list)
        return qn__fail(QN_E_MEMORY, "no memory for compiler options");
    *out = list;
    *n = k;
    return QN_OK;
}

/* NVRTC wants the address of a variable; the address of a kernel is as good as its name. */
static const char *address_of(struct qn__arena *arena, const char *name)
{
    return name[0] == '&' ? name : qn__arena_printf(arena, "&%s", name);
}

static qn_status create(void **program, struct qn__arena *arena, const struct qn__job *job)
{
    const uint32_t n = job->n_files - 1;
    const char **texts = QN__ARENA_ARRAY(arena, const char *, n);
    const char **names = QN__ARENA_ARRAY(arena, const char *, n);
    if (!texts || !names)
        return qn__fail(QN_E_MEMORY, "no memory for %u headers", n);
    for (uint32_t i = 0; i < n; i++) {
        texts[i] = job->files[i + 1].text;
        names[i] = job->files[i + 1].name;
    }
    int code = nvrtc.api.create_program(program, job->files[0].text, job->files[0].name, (int)n,
                                        texts, names);
    if (code != NVRTC_OK)
        return fail_api(code, "nvrtcCreateProgram");
    for (uint32_t i = 0; i < job->n_names; i++) {
        const char *name = address_of(arena, job->names[i]);
        code = name ? nvrtc.api.add_name(*program, name) : NVRTC_OUT_OF_MEMORY;
        if (code != NVRTC_OK)
            return fail_api(code, job->names[i]);
    }
    return QN_OK;
}

static qn_status read_log(struct qn__job_result *out, struct qn__arena *arena, void *program)
{
    size_t n = 0;
    if (nvrtc.api.get_log_size(program, &n) != NVRTC_OK || n == 0)
        return QN_OK; /* no log */
    char *log = qn__arena_alloc(arena, n + 1, 1);
    if (!log)
        return qn__fail(QN_E_MEMORY, "no memory for a log of %zu bytes", n);
    if (nvrtc.api.get_log(program, log) == NVRTC_OK)
        out->raw = log;
    return QN_OK;
}

static qn_status read_image(struct qn__job_result *out, struct qn__arena *arena, void *program,
                            bool is_ptx)
{
    size_t n = 0;
    int code = is_ptx ? nvrtc.api.get_ptx_size(program, &n) : nvrtc.api.get_cubin_size(program, &n);
    if (code != NVRTC_OK || n == 0)
        return fail_api(code, "asking for the image");
    char *bytes = qn__arena_alloc(arena, n + 1, 1);
    if (!bytes)
        return qn__fail(QN_E_MEMORY, "no memory for an image of %zu bytes", n);
    code = is_ptx ? nvrtc.api.get_ptx(program, bytes) : nvrtc.api.get_cubin(program, bytes);
    if (code != NVRTC_OK)
        return fail_api(code, "reading the image");
    out->bytes = bytes;
    out->n = is_ptx ? strlen(bytes) : n; /* NVRTC counts the 0 behind PTX */
    return QN_OK;
}

static qn_status find_names(struct qn__job_result *out, struct qn__arena *arena, void *program,
                            const struct qn__job *job)
{
    const char **lowered = QN__ARENA_ARRAY(arena, const char *, job->n_names);
    if (!lowered)
        return qn__fail(QN_E_MEMORY, "no memory for %u names", job->n_names);
    for (uint32_t i = 0; i < job->n_names; i++) {
        const char *symbol = NULL; /* belongs to the program */
        const char *name = address_of(arena, job->names[i]);
        if (name && nvrtc.api.get_lowered_name(program, name, &symbol) == NVRTC_OK && symbol)
            lowered[i] = qn__arena_strdup(arena, symbol);
    }
    return qn__job_reflect(out, arena, job, lowered);
}

static qn_status compile(struct qn__job_result *out, struct qn__arena *arena,
                         const struct qn__job *job)
{
    if (!knows(job->arch))
        return refuse_arch(arena, job->arch);
    const char **options = NULL;
    int n_options = 0;
    void *program = NULL;
    struct qn__str text = {0};
    QN_TRY(convert_options(&options, &n_options, arena, job));
    qn_status s = create(&program, arena, job);
    if (s != QN_OK)
        goto out;
    const double start = qn__now_ms();
    const int code = nvrtc.api.compile_program(program, n_options, options);
    out->ms = qn__now_ms() - start;
    s = read_log(out, arena, program);
    if (s != QN_OK)
        goto out;
    qn__diagnostics_add(&text, job, out->raw ? out->raw : "", job->verbose, code != NVRTC_OK);
    out->diagnostics = text.text ? qn__arena_strdup(arena, text.text) : "";
    const char *first = qn__diagnostics_first(arena, out->diagnostics);
    if (code == NVRTC_COMPILATION && first[0])
        s = qn__fail(QN_E_COMPILE, "%s", first);
    else if (code != NVRTC_OK) /* without a word when it had no memory */
        s = fail_api(code, first[0] ? first : "nvrtcCompileProgram");
    if (s == QN_OK)
        s = read_image(out, arena, program, qn__starts_with(job->arch, "compute_"));
    if (s == QN_OK)
        s = find_names(out, arena, program, job);
out:
    qn__str_release(&text);
    if (program)
        nvrtc.api.destroy_program(&program);
    return s;
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
