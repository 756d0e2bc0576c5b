/* SPDX-License-Identifier: Apache-2.0
 *
 * The places differ by version: INCLUDE/cccl from CUDA 13 on, INCLUDE before; a checkout of CCCL
 * has three folders. */
#define _XOPEN_SOURCE 700
#include "rtc/job/locate_toolkit.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/log.h"
#include "base/str.h"
#include "base/trust.h"
#include "rtc/job/locate.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const char naming_it[] = "name its folder with QUERN_CCCL or CUDA_PATH";

struct search {
    struct qn__toolkit *out;
    struct qn__arena *arena;
    bool is_named; /* by the user, whose choice it is */
};

static bool keep(struct search *s, const char *folder)
{
    char *const real = realpath(folder, NULL);
    const char *const absolute = real ? qn__arena_strdup(s->arena, real) : NULL;
    const char *const given = qn__arena_strdup(s->arena, folder);
    free(real);
    if (!absolute || !given)
        return false;
    s->out->given[s->out->n] = given;
    s->out->folders[s->out->n++] = absolute;
    return true;
}

/* A header of each library. */
static const char *const files[] = {"cub/cub.cuh", "thrust/version.h", "cuda/std/type_traits"};
enum { LIBRARIES = sizeof files / sizeof *files };

/* Take the folder if it has any of the headers. */
static bool add(struct search *s, const char *folder)
{
    for (size_t i = 0; i < LIBRARIES && s->out->n < QN__TOOLKIT_FOLDERS_MAX; i++) {
        const char *const file = qn__arena_printf(s->arena, "%s/%s", folder, files[i]);
        if (!file || !qn__file_exists(file))
            continue;
        if (!s->is_named && !qn__trust_found(file, naming_it))
            return false;
        return keep(s, folder);
    }
    return false;
}

static bool add_below(struct search *s, const char *root, const char *below)
{
    const char *const folder = qn__arena_printf(s->arena, "%s/%s", root, below);
    return folder && add(s, folder);
}

/* A toolkit's folder, or that of a checkout. */
static bool add_root(struct search *s, const char *root)
{
    static const char *const parts[] = {"cub", "thrust", "libcudacxx/include"};
    if (!root || root[0] != '/')
        return false;
    if (add_below(s, root, "include/cccl") || add_below(s, root, "include"))
        return true;
    bool any = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        any |= add_below(s, root, parts[i]);
    return any || add_below(s, root, "cccl") || add(s, root);
}

/* The folders above a file, `levels` of them. */
static bool add_above(struct search *s, const char *file, int levels)
{
    bool found = false;
    for (const char *p = file; p && !found && levels > 0; levels--) {
        char *const parent = qn__path_dir(p);
        p = parent ? qn__arena_strdup(s->arena, parent) : NULL;
        free(parent);
        found = p && strcmp(p, "/") != 0 && add_root(s, p);
    }
    return found;
}

/* As it is named, and where its links lead. */
static bool add_by_file(struct search *s, const char *file)
{
    enum { LEVELS = 3 };
    if (add_above(s, file, LEVELS))
        return true;
    char *const real = realpath(file, NULL);
    const bool found = real && add_above(s, real, LEVELS);
    free(real);
    return found;
}

/* site-packages of an active Python environment: pip's CUDA wheels. */
static bool add_wheels(struct search *s)
{
    static const char *const below[] = {"nvidia/cu13", "nvidia/cuda_cccl"};
    const char *const environment = qn__getenv("VIRTUAL_ENV");
    char *const lib =
        environment && environment[0] == '/' ? qn__path_join(environment, "lib") : NULL;
    DIR *const d = lib ? opendir(lib) : NULL;
    bool found = false;
    for (const struct dirent *e; d && !found && (e = readdir(d)) != NULL;)
        for (size_t i = 0; i < sizeof below / sizeof *below && !found; i++)
            if (qn__starts_with(e->d_name, "python3"))
                found = add_root(s, qn__arena_printf(s->arena, "%s/%s/site-packages/%s", lib,
                                                     e->d_name, below[i]));
    if (d)
        closedir(d);
    free(lib);
    return found;
}

static bool add_found(struct search *s)
{
    struct qn__located nvrtc;
    qn__locate(&nvrtc, s->arena, "nvrtc");
    if (nvrtc.found && add_by_file(s, nvrtc.files[0]))
        return true;
    char *const nvcc = qn__find_program("nvcc", naming_it);
    const bool found = nvcc && add_by_file(s, nvcc);
    free(nvcc);
    return found;
}

static bool is_none(const char *named)
{
    return named && strcmp(named, "none") == 0;
}

void qn__toolkit_among(struct qn__toolkit *out, struct qn__arena *arena,
                       const char *const *include_dirs, uint32_t n_include_dirs)
{
    struct search s = {out, arena, true};
    *out = (struct qn__toolkit){.n = 0};
    for (uint32_t i = 0; i < n_include_dirs && !is_none(qn__getenv("QUERN_CCCL")); i++)
        if (!add(&s, include_dirs[i]))
            add_below(&s, include_dirs[i], "cccl");
}

void qn__toolkit_locate(struct qn__toolkit *out, struct qn__arena *arena)
{
    static const char *const variables[] = {"CUDA_PATH", "CUDA_HOME"};
    struct search s = {out, arena, true};
    const char *const named = qn__getenv("QUERN_CCCL");
    *out = (struct qn__toolkit){.n = 0};
    if (is_none(named))
        return;
    if (named && *named) {
        if (!add_root(&s, named))
            QN__WARN_ONCE("QUERN_CCCL=%s: it has no cub/, thrust/ or cuda/std/", named);
        return;
    }
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (add_root(&s, qn__getenv(variables[i])))
            return;
    if (add_wheels(&s))
        return;
    s.is_named = false;
    add_found(&s);
}

/* Does one of the folders have the library's header? */
static bool has(const struct qn__toolkit *t, struct qn__arena *arena, size_t library)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const char *const file = qn__arena_printf(arena, "%s/%s", t->folders[i], files[library]);
        if (file && qn__file_exists(file))
            return true;
    }
    return false;
}

void qn__toolkit_complete(struct qn__toolkit *t, struct qn__arena *arena)
{
    struct qn__toolkit more;
    bool lacks = false;
    for (size_t i = 0; i < LIBRARIES; i++)
        lacks |= !has(t, arena, i);
    if (!lacks)
        return;
    qn__toolkit_locate(&more, arena);
    for (uint32_t i = 0; i < more.n && t->n < QN__TOOLKIT_FOLDERS_MAX; i++) {
        bool known = false;
        for (uint32_t k = 0; k < t->n; k++)
            known |= strcmp(t->folders[k], more.folders[i]) == 0;
        if (known)
            continue;
        t->folders[t->n] = more.folders[i];
        t->given[t->n++] = more.given[i];
    }
}

const char *qn__toolkit_below(const struct qn__toolkit *t, const char *path)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const size_t n = strlen(t->given[i]);
        if (strncmp(path, t->given[i], n) == 0 && path[n] == '/')
            return path + n + strspn(path + n, "/");
    }
    return NULL;
}
