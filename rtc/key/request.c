/* SPDX-License-Identifier: Apache-2.0
 *
 * From source and target to compiler and key; lookup.c has the way from key to image. */
#define _GNU_SOURCE
#include "rtc/key/request.h"

#include "base/environment.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/toolkit_names.h"
#include "rtc/client/helper_find.h"
#include "rtc/job/locate.h"

#include <quern/tuned.h>
#include <stdlib.h>
#include <string.h>

/* -- which compiler -- */

bool qn__compiler_serves(enum qn__target_backend backend, const char *compiler)
{
    static const struct {
        const char *name;
        enum qn__target_backend backend;
    } rows[] = {
#define QN_COMPILER(name, BACKEND, backend) {#name, QN__TARGET_##BACKEND},
#include "base/compilers.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].backend == backend && strcmp(rows[i].name, compiler) == 0)
            return true;
    return false;
}

bool qn__compiler_suits(const struct qn__target *t, const char *compiler)
{
    /* only cuda, and HIP over an NVIDIA driver, have a number */
    return qn__compiler_serves(t->number ? QN__TARGET_CUDA : t->backend, compiler);
}

/* A short list is shown; one of more than 40 is left to qn_compile_targets(). */
static qn_status refuse_arch(const struct qn__request *r, const struct qn__compiler *c)
{
    enum { SHOWN_MAX = 40 };
    struct qn__str list = {0};
    uint32_t n = 0; /* those shown: PTX's compute_80 goes without saying beside sm_80 */
    for (uint32_t i = 0; i < c->n_targets; i++)
        if (!qn__starts_with(c->targets[i], "compute_") && n++ < SHOWN_MAX)
            qn__str_printf(&list, " %s", c->targets[i]);
    if (n > SHOWN_MAX) {
        qn__str_clear(&list);
        qn__str_printf(&list, " %u others, listed by qn_compile_targets()", c->n_targets);
    }
    const qn_status s =
        qn__fail(QN_E_UNSUPPORTED, "%s does not know %s%s%s", c->version, r->target.arch,
                 list.len ? "; it makes" : "", list.len ? list.text : "");
    qn__str_release(&list);
    return s;
}

/* Compilers list compute_90a as sm_90a, and gfx90a:xnack- by its base name. */
static bool makes(const struct qn__compiler *c, struct qn__request *r)
{
    if (r->target.backend == QN__TARGET_OPENCL || !r->target.number)
        return qn__compiler_makes(c, r->arch);
    const char *number = strpbrk(r->arch, "0123456789"); /* compute_90a as sm_90a */
    const char *cubin = number ? qn__arena_join(&r->arena, "sm_", number) : NULL;
    return cubin && qn__compiler_makes(c, cubin);
}

static qn_status find_present(struct qn__request *r, const char *name)
{
    if (r->compiler.identity && !r->compiler.absent && strcmp(r->compiler.name, name) == 0)
        return QN_OK;
    const qn_status s = qn__compiler_find(&r->compiler, &r->arena, name);
    if (s != QN_OK)
        r->compiler.identity = NULL;
    return s;
}

/* Does it begin with our translator, and its clang? */
static bool is_translator(const char *compiler)
{
    return strcmp(compiler, "translator") == 0 || strcmp(compiler, "cpu") == 0;
}

/* Did the user name the program to run? Then its absence is an error to report. */
static bool is_named_by_user(const char *compiler)
{
    const char *clang = qn__getenv("QUERN_CLANG");
    return qn__helper_is_misnamed(compiler) || (is_translator(compiler) && clang && clang[0]);
}

/* Take the one the cache remembers; the failure that led here becomes its reason to be absent. */
static bool remember(struct qn__request *r, const char *name)
{
    struct qn__message message;
    if (is_named_by_user(name))
        return false;
    qn__message_save(&message);
    const bool found = qn__compiler_remember(&r->compiler, name) == QN_OK &&
                       (r->compiler.absent = qn__arena_strdup(&r->arena, message.text));
    if (found)
        qn__log(QN_LOG_DEBUG, "%s is remembered from the cache: %s", name, message.text);
    else
        r->compiler.identity = NULL;
    qn__message_restore(&message);
    return found;
}

qn_status qn__request_find_compiler(struct qn__request *r, const char *name)
{
    const qn_status s = find_present(r, name);
    return s == QN_E_COMPILER && remember(r, name) ? QN_OK : s;
}

/* The first of hiprtc, hipcc and clang that knows the architecture; one name for other targets.
 * Where none is installed, what one made that used to be may still be in the cache. */
static qn_status choose_compiler(struct qn__request *r)
{
    const char *forced = r->options.compiler;
    if (forced && !qn__compiler_suits(&r->target, forced)) {
        struct qn__compiler c;
        for (int i = 0; qn__compiler_names[i]; i++)
            if (strcmp(forced, qn__compiler_names[i]) == 0)
                return qn__fail(QN_E_INVALID, "compiler '%s' makes nothing for %s", forced,
                                r->target_text);
        return qn__compiler_find(&c, &r->arena, forced); /* there is none of that name */
    }
    struct qn__str tried = {0};
    qn_status s = QN_OK; /* at least one suits each target */
    bool refused = false;
    for (int i = 0; qn__compiler_names[i]; i++) {
        const char *name = qn__compiler_names[i];
        if (!qn__compiler_suits(&r->target, name) || (forced && strcmp(forced, name) != 0))
            continue;
        s = find_present(r, name);
        if (s == QN_OK && makes(&r->compiler, r))
            break;
        if (s == QN_OK) {
            s = refuse_arch(r, &r->compiler);
            refused = true;
        }
        qn__str_printf(&tried, "%s%s", tried.len ? "; " : "", qn_message());
    }
    if (s != QN_OK)
        s = qn__fail(refused ? QN_E_UNSUPPORTED : s, "%s: %s", r->target_text,
                     tried.text ? tried.text : qn_message());
    qn__str_release(&tried);
    for (int i = 0; s != QN_OK && qn__compiler_names[i]; i++) {
        const char *name = qn__compiler_names[i];
        if (qn__compiler_suits(&r->target, name) && (!forced || strcmp(forced, name) == 0) &&
            remember(r, name) && makes(&r->compiler, r))
            return QN_OK;
    }
    return s;
}

static enum qn__shims shims_of(const char *compiler)
{
    if (strcmp(compiler, "nvrtc") == 0)
        return QN__SHIMS_NVRTC;
    if (strcmp(compiler, "hiprtc") == 0)
        return QN__SHIMS_HIPRTC;
    return is_translator(compiler) ? QN__SHIMS_NONE : QN__SHIMS_CLANG;
}

/* -- up to the key -- */

qn_status qn__request_retarget(struct qn__request *r, const char *target)
{
    QN_TRY(qn__target_parse(&r->target, target));
    qn__target_print(r->target_text, sizeof r->target_text, &r->target);
    if (r->target.is_binary)
        return qn__fail(QN_E_INVALID,
                        "target '%s': a driver's binary is made on its device (qn_module_build); "
                        "compile for a profile, as opencl:portable",
                        target);
    r->arch = r->target.backend == QN__TARGET_HIP && r->target.number
                  ? qn__arena_join(&r->arena, "compute_", r->target.base + strlen("sm_"))
                  : r->target.arch;
    if (!r->arch)
        return qn__fail(QN_E_MEMORY, "no memory for a target");
    if (r->fields.text) {
        r->fields.len = r->source_fields_n;
        QN_TRY(qn__key_target(&r->key, &r->fields, r->target_text));
    }
    return QN_OK;
}

/* With QUERN_DEBUG a CPU's code is made for a debugger. */
static qn_status read_options(struct qn__request *r, const qn_source *src)
{
    const char *const debug = qn__getenv("QUERN_DEBUG");
    if (r->target.backend != QN__TARGET_CPU || !debug || strcmp(debug, "0") == 0)
        return qn__compile_options_read(&r->compile_options, &r->arena, src);
    qn_source with = *src;
    const char **const options =
        QN__ARENA_ARRAY(&r->arena, const char *, (size_t)src->n_options + 2);
    if (!options)
        return qn__fail(QN_E_MEMORY, "no memory for options");
    for (uint32_t i = 0; i < src->n_options; i++)
        options[i] = src->options[i];
    options[with.n_options++] = "-g";
    options[with.n_options++] = "-O0";
    with.options = options;
    return qn__compile_options_read(&r->compile_options, &r->arena, &with);
}

/* The source with the defines of tuned values behind its own. */
static qn_status add_tuned(struct qn__request *r)
{
    const qn_tuned_info *t = qn_tuned_get_info(r->options.tuned);
    qn_source *with = QN__ARENA_ARRAY(&r->arena, qn_source, 1);
    const char **defines =
        QN__ARENA_ARRAY(&r->arena, const char *, (size_t)r->src->n_defines + t->n_defines);
    if (!with || !defines)
        return qn__fail(QN_E_MEMORY, "no memory for tuned values");
    *with = *r->src;
    for (uint32_t i = 0; i < r->src->n_defines; i++)
        defines[i] = r->src->defines[i];
    for (uint32_t i = 0; i < t->n_defines; i++) /* they may be gone before the request is */
        if (!(defines[with->n_defines++] = qn__arena_printf(&r->arena, "%s", t->defines[i])))
            return qn__fail(QN_E_MEMORY, "no memory for tuned values");
    with->defines = defines;
    r->src = with;
    return QN_OK;
}

qn_status qn__request_open(struct qn__request *out, const qn_source *src, const char *target,
                           const qn_compile_options *options)
{
    *out = (struct qn__request){.src = src};
    struct qn__request *r = out;
    qn__conf_warn();
    if (options)
        r->options = *options;
    if (r->options.tuned) {
        QN_TRY(add_tuned(r));
        src = r->src;
    }
    QN_TRY(qn__cache_mode(&r->mode));
    if (r->mode == QN__CACHE_OFF)
        r->options.bypass_cache = true;
    r->shown = src->path && src->path[0] ? src->path : "kernel.cu";
    QN_TRY(qn__request_retarget(r, target));
    QN_TRY(read_options(r, src));
    QN_TRY(qn__closure_build(&r->closure, src, r->compile_options.include_dirs,
                             r->compile_options.n_include_dirs));
    const struct qn__key_input in = {&r->closure, &r->compile_options, src->names, src->n_names};
    QN_TRY(qn__key_source(&r->key, &r->fields, &in));
    r->source_fields_n = r->fields.len;
    return qn__key_target(&r->key, &r->fields, r->target_text);
}

qn_status qn__request_compiler(struct qn__request *r)
{
    if (r->key.hex[0])
        return QN_OK;
    QN_TRY(choose_compiler(r));
    QN_TRY(qn__closure_add_shims(&r->closure, shims_of(r->compiler.name)));
    const struct qn__key_compiler in = {&r->closure, r->compiler.name, r->compiler.identity,
                                        r->compiler.cuda_include};
    QN_TRY(qn__key_finish(&r->key, &r->fields, &in));
    memcpy(r->first_hex, r->key.hex, sizeof r->first_hex);
    r->first_fields_n = r->fields.len;
    return QN_OK;
}

/* -- headers of a toolkit, and of the machine -- */

static bool includes_toolkit(const struct qn__closure *c)
{
    for (uint32_t i = 0; i < c->n_missing; i++)
        if (qn__is_of_toolkit(c->missing[i]))
            return true;
    return false;
}

void qn__request_find_toolkit(struct qn__request *r)
{
    struct qn__closure *const c = &r->closure;
    if (r->has_toolkit)
        return;
    r->has_toolkit = true;
    qn__toolkit_among(&r->toolkit, &r->arena, r->compile_options.include_dirs,
                      r->compile_options.n_include_dirs);
    r->below = QN__ARENA_ARRAY(&r->arena, const char *, c->n_files);
    for (uint32_t i = 1; r->below && i < c->n_own_files; i++)
        r->below[i] = qn__toolkit_below(&r->toolkit, c->shown[i]);
    if (includes_toolkit(c))
        qn__toolkit_complete(&r->toolkit, &r->arena);
}

/* Would a compile know the toolkit now that the noted one knew? */
static bool has_noted_toolkit(struct qn__request *r, const struct qn__header_notes *m)
{
    if (!m->asks_toolkit)
        return true;
    qn__request_find_toolkit(r);
    bool same = r->toolkit.n == m->n_toolkit;
    for (uint32_t i = 0; same && i < m->n_toolkit; i++)
        same = strcmp(r->toolkit.folders[i], m->toolkit[i]) == 0;
    return same;
}

static qn_status take_headers(struct qn__request *r, const struct qn__header_notes *m)
{
    memcpy(r->key.hex, r->first_hex, sizeof r->key.hex);
    r->fields.len = r->first_fields_n;
    r->has_headers = true;
    return qn__key_add_headers(&r->key, &r->fields, m);
}

/* Only these read any beside the source's own: the others need not be looked for. */
static bool may_have_headers(const struct qn__request *r)
{
    return is_translator(r->compiler.name) ||
           (strcmp(r->compiler.name, "nvrtc") == 0 && r->closure.n_missing > 0);
}

bool qn__request_follow(struct qn__request *r)
{
    struct qn__header_notes m;
    bool changed;
    if (r->has_headers || !may_have_headers(r) ||
        !qn__header_notes_load(&m, &r->arena, r->first_hex))
        return r->has_headers;
    if (r->compiler.absent) /* what it would read now is nobody's question */
        return take_headers(r, &m) == QN_OK;
    if (!has_noted_toolkit(r, &m) || !qn__header_notes_check(&m, &changed)) {
        qn__log(QN_LOG_DEBUG, "%s: the machine's headers are others than %.12s... was made with",
                r->shown, r->first_hex);
        return false;
    }
    if (changed)
        qn__header_notes_store(&m, r->first_hex);
    return take_headers(r, &m) == QN_OK;
}

/* Those of the toolkit that the source names itself are in the key already. */
static bool is_in_key(const struct qn__request *r, const char *header)
{
    const char *const folder = r->compiler.cuda_include;
    const size_t n = folder ? strlen(folder) : 0;
    if (!n || strncmp(header, folder, n) != 0 || header[n] != '/')
        return false;
    for (uint32_t i = 0; i < r->closure.n_missing; i++)
        if (strcmp(header + n + 1, r->closure.missing[i]) == 0)
            return true;
    return false;
}

static bool are_in_key(const struct qn__request *r, const struct qn__machine_files *files)
{
    bool all = strcmp(r->compiler.name, "nvrtc") == 0;
    for (uint32_t i = 0; all && i < files->n_headers; i++)
        all = is_in_key(r, files->headers[i]);
    return all;
}

qn_status qn__request_depend(struct qn__request *r, const struct qn__machine_files *files,
                             const struct timespec *start)
{
    struct qn__header_notes m;
    if (files->n_folders == 0 && !files->asks_toolkit)
        return QN_OK;
    const struct qn__machine_files noted = {
        .headers = files->headers,
        .n_headers = files->n_headers,
        .folders = files->folders,
        .n_folders = files->n_folders,
        .choices = files->choices,
        .n_choices = files->n_choices,
        .toolkit = r->toolkit.folders, /* also where its headers were of no use */
        .n_toolkit = r->toolkit.n,
        .asks_toolkit = files->asks_toolkit,
    };
    QN_TRY(qn__header_notes_make(&m, &r->arena, &noted, r->closure.missing, r->closure.n_missing,
                                 start));
    if (are_in_key(r, files))
        return QN_OK;
    qn__log(QN_LOG_DEBUG, "%s for %s: the image depends on %u headers of this machine", r->shown,
            r->target_text, files->n_headers);
    if (!r->options.bypass_cache)
        qn__header_notes_store(&m, r->first_hex);
    return take_headers(r, &m);
}

void qn__request_release(struct qn__request *r)
{
    qn__closure_release(&r->closure);
    qn__str_release(&r->fields);
    struct qn__arena arena = r->arena;
    *r = (struct qn__request){0};
    qn__arena_release(&arena);
}
