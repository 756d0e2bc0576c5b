/* SPDX-License-Identifier: Apache-2.0
 *
 * The record of one compiler: asked for once, kept on disk and in this process, checked against the
 * files' state each time. A record is fields (base/wire.h); one that is damaged, old or about other
 * files is simply made anew. */
#define _GNU_SOURCE
#include "rtc/key/compilers.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/forks.h"
#include "base/wire.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/client/helper_client.h"
#include "rtc/client/helper_find.h"
#include "rtc/job/job.h"
#include "rtc/job/locate.h"
#include "rtc/key/build_id.h"
#include "rtc/key/file_state.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    C_RECIPE = 1,
    C_LOCATED, /* path, as the search found it */
    C_FILE,    /* path and state, of located and further files */
    C_VERSION,
    C_IDENTITY,
    C_WHERE,
    C_CUDA_INCLUDE,
    C_TARGET,
    C_ENVIRONMENT /* under which it was asked; only where that decides what runs */
};
enum { W_PATH = 1, W_STATE }; /* in C_FILE */
enum { COMPILERS_MAX = 8 };

/* A record that was read. What was handed out points into it, so it stays until the process ends.
 */
struct record {
    struct record *older;
    struct qn__arena arena; /* of all below */
    struct qn__compiler compiler;
    const char **targets; /* compiler.targets */
    const char **located;
    uint32_t n_located;
    struct file {
        const char *path;
        unsigned char state[QN__FILE_STATE_BYTES];
    } *files;
    uint32_t n_files;
    uint64_t environment; /* C_ENVIRONMENT, or 0 */
    uint64_t seen;        /* the environment for which the search has found these files */
};

/* This process's records: by compiler, in the order of qn__compiler_names. */
static struct {
    pthread_mutex_t lock;
    struct record *newest[COMPILERS_MAX];
    struct record *remembered[COMPILERS_MAX]; /* of absent ones: from disk, once */
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* In a forked child: whoever was asking a compiler is not there. The lists are whole all the time.
 */
static void forget_question(void)
{
    known.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
QN__FORK_PART(NULL, forget_question)

bool qn__compiler_makes(const struct qn__compiler *c, const char *arch)
{
    const size_t n = strcspn(arch, ":");
    for (uint32_t i = 0; i < c->n_targets; i++)
        if (strlen(c->targets[i]) == n && memcmp(c->targets[i], arch, n) == 0)
            return true;
    return false;
}

/* -- files and their state -- */

/* The files known before the compiler is asked: those the search found, and the helper. */
static qn_status locate(struct qn__located *out, struct qn__arena *arena, const char *name)
{
    qn__locate(out, arena, name);
    if (!out->found)
        return qn__fail(QN_E_COMPILER, "%s: %s", name, out->reason);
    return qn__helper_find(&out->files[out->n_files++], arena, name);
}

/* The same, whosever they are. */
static bool locate_any(struct qn__located *out, struct qn__arena *arena, const char *name)
{
    qn__locate_any(out, arena, name);
    return out->found && qn__helper_find_any(&out->files[out->n_files++], arena, name) == QN_OK;
}

static void add_file(struct qn__str *w, const char *path)
{
    unsigned char state[QN__FILE_STATE_BYTES];
    if (!qn__file_state(state, path))
        return;
    const size_t at = qn__wire_begin(w, C_FILE);
    qn__wire_text(w, W_PATH, path);
    qn__wire_bytes(w, W_STATE, state, sizeof state);
    qn__wire_end(w, at);
}

static char *text_of(struct qn__arena *arena, struct qn__wire_field f)
{
    return qn__arena_strndup(arena, (const char *)f.bytes, f.n);
}

static bool read_file(struct file *out, struct qn__arena *arena, struct qn__wire_field field)
{
    struct qn__wire_reader r = qn__wire_record(field);
    struct qn__wire_field f;
    bool has_state = false;
    while (qn__wire_next(&r, &f)) {
        if (f.tag == W_PATH) {
            out->path = text_of(arena, f);
        } else if (f.tag == W_STATE && f.n == QN__FILE_STATE_BYTES) {
            memcpy(out->state, f.bytes, QN__FILE_STATE_BYTES);
            has_state = true;
        }
    }
    return out->path && has_state && !r.failed;
}

/* -- the record -- */

/* Room for what a record of these bytes holds. */
static bool make_room(struct record *out, const void *bytes, size_t n)
{
    struct qn__wire_reader r = qn__wire_reader(bytes, n);
    struct qn__wire_field f;
    uint32_t n_targets = 0, n_files = 0, n_located = 0;
    while (qn__wire_next(&r, &f)) {
        n_targets += f.tag == C_TARGET;
        n_files += f.tag == C_FILE;
        n_located += f.tag == C_LOCATED;
    }
    out->targets = QN__ARENA_ARRAY(&out->arena, const char *, n_targets);
    out->compiler.targets = out->targets;
    out->located = QN__ARENA_ARRAY(&out->arena, const char *, n_located);
    out->files = QN__ARENA_ARRAY(&out->arena, struct file, n_files);
    return !r.failed && out->targets && out->located && out->files;
}

static bool read_fields(struct record *out, const void *bytes, size_t n)
{
    struct qn__compiler *c = &out->compiler;
    struct qn__arena *arena = &out->arena;
    struct qn__wire_reader r = qn__wire_reader(bytes, n);
    struct qn__wire_field f;
    uint32_t recipe = 0;
    bool ok = true;
    while (ok && qn__wire_next(&r, &f)) {
        switch (f.tag) {
        case C_RECIPE: ok = qn__wire_get_u32(f, &recipe) && recipe == QN__RECIPE_VERSION; break;
        case C_LOCATED: ok = (out->located[out->n_located++] = text_of(arena, f)) != NULL; break;
        case C_FILE: ok = read_file(&out->files[out->n_files++], arena, f); break;
        case C_VERSION: c->version = text_of(arena, f); break;
        case C_IDENTITY: c->identity = text_of(arena, f); break;
        case C_WHERE: c->where = text_of(arena, f); break;
        case C_CUDA_INCLUDE: c->cuda_include = text_of(arena, f); break;
        case C_TARGET: ok = (out->targets[c->n_targets++] = text_of(arena, f)) != NULL; break;
        case C_ENVIRONMENT: ok = qn__wire_get_u64(f, &out->environment); break;
        default: ok = false;
        }
    }
    return ok && !r.failed && recipe && c->version && c->identity && c->where;
}

static void release(struct record *record)
{
    if (!record)
        return;
    qn__arena_release(&record->arena);
    free(record);
}

/* NULL: damaged, of another recipe, or no memory. */
static struct record *read_record(const char *name, const struct qn__str *bytes)
{
    struct record *record = qn__alloc(1, sizeof *record);
    if (!record)
        return NULL;
    record->compiler.name = name;
    if (make_room(record, bytes->text, bytes->len) && read_fields(record, bytes->text, bytes->len))
        return record;
    release(record);
    return NULL;
}

/* Are the files unchanged? */
static bool holds(const struct record *record)
{
    unsigned char now[QN__FILE_STATE_BYTES];
    for (uint32_t i = 0; i < record->n_files; i++)
        if (!qn__file_state(now, record->files[i].path) ||
            memcmp(now, record->files[i].state, sizeof now) != 0)
            return false;
    return true;
}

static bool is_about(const struct record *record, const struct qn__located *at)
{
    bool same = record->n_located == at->n_files &&
                (!record->environment || record->environment == qn__environment_of_programs());
    for (uint32_t i = 0; same && i < at->n_files; i++)
        same = strcmp(record->located[i], at->files[i]) == 0;
    return same;
}

static void record_name(char out[64], const char *name)
{
    QN__TEXT_JOIN(out, 64, "compilers/", name);
}

static bool read_from_disk(struct qn__str *record, const char *name)
{
    char file[64];
    size_t n;
    record_name(file, name);
    char *bytes = qn__folder_read_record(&n, file);
    if (bytes)
        qn__str_add_bytes(record, bytes, n);
    free(bytes);
    return bytes && !record->failed;
}

static void write_to_disk(const struct qn__str *record, const char *name)
{
    char file[64];
    record_name(file, name);
    qn__folder_write_record(file, record);
}

/* -- asking -- */

/* "hiprtc 5.2.3 (comgr 2.4); recipe 1; <build ids>": versions for people, ids for certainty. A
 * program that runs another one is followed by how it does that. */
static qn_status make_identity(struct qn__str *out, const char *name, const char *version,
                               const struct qn__located *at, const struct qn__job_result *r)
{
    char id[QN__BUILD_ID_MAX];
    /* what NVRTC and hipRTC make does not depend on the helper that calls them, beyond the recipe;
     * the helper is the last file */
    const bool is_library = strcmp(name, "nvrtc") == 0 || strcmp(name, "hiprtc") == 0;
    const uint32_t n = is_library ? at->n_files - 1 : at->n_files;
    qn__str_printf(out, "%s; recipe %d", version, QN__RECIPE_VERSION);
    for (uint32_t i = 0; i < n; i++) {
        QN_TRY(qn__build_id(id, at->files[i]));
        qn__str_printf(out, "; %s", id);
    }
    for (uint32_t i = 0; i < r->n_files; i++) {
        QN_TRY(qn__build_id(id, r->files[i]));
        qn__str_printf(out, "; %s", id);
    }
    if (r->runs) {
        char hex[QN__HASH_HEX];
        unsigned char digest[QN__HASH_BYTES];
        qn__hash_of(digest, r->runs, strlen(r->runs));
        qn__hash_to_hex(hex, digest);
        qn__str_printf(out, "; runs %s", hex);
    }
    return qn__str_check(out);
}

/* Is the file a library of an LLVM that the state of another one of it stands for? They are built
 * and updated together, and every look costs each hit a microsecond. */
static bool is_covered(const struct qn__job_result *r, uint32_t i)
{
    const char *const path = r->files[i], *const name = qn__path_base(path);
    if (!qn__starts_with(name, "libclang"))
        return false;
    for (uint32_t k = 0; k < i; k++) {
        const char *const other = qn__path_base(r->files[k]);
        if (qn__starts_with(other, "libLLVM") && other - r->files[k] == name - path &&
            memcmp(r->files[k], path, (size_t)(name - path)) == 0)
            return true;
    }
    return false;
}

static qn_status ask(struct qn__str *record, struct qn__arena *arena, const char *name,
                     const struct qn__located *at)
{
    const struct qn__job job = {.kind = QN__JOB_IDENTITY, .compiler = name, .arch = ""};
    struct qn__job_result r;
    struct qn__str identity = {0};
    QN_TRY(qn__helper_run(&r, arena, &job, name, 0));
    if (r.status != QN_OK)
        return qn__fail(r.status == QN_E_MEMORY ? QN_E_MEMORY : QN_E_COMPILER, "%s: %s", name,
                        r.message ? r.message : "did not answer");
    const char *include = NULL;
    if (strcmp(name, "nvrtc") == 0)
        QN_TRY(qn__locate_cuda_include(&include, arena, at->files[0]));
    qn_status s = make_identity(&identity, name, r.compiler, at, &r);
    qn__wire_u32(record, C_RECIPE, QN__RECIPE_VERSION);
    for (uint32_t i = 0; i < at->n_files; i++)
        qn__wire_text(record, C_LOCATED, at->files[i]);
    for (uint32_t i = 0; i < at->n_files; i++)
        add_file(record, at->files[i]);
    for (uint32_t i = 0; i < r.n_files; i++)
        if (!is_covered(&r, i))
            add_file(record, r.files[i]);
    qn__wire_text(record, C_VERSION, r.compiler);
    qn__wire_text(record, C_IDENTITY, identity.text);
    qn__wire_text(record, C_WHERE, r.where ? r.where : at->files[0]);
    qn__wire_text(record, C_CUDA_INCLUDE, include);
    for (uint32_t i = 0; i < r.n_targets; i++)
        qn__wire_text(record, C_TARGET, r.targets[i]);
    if (r.runs)
        qn__wire_u64(record, C_ENVIRONMENT, qn__environment_of_programs());
    qn__str_release(&identity);
    return s == QN_OK ? qn__str_check(record) : s;
}

/* Is the record about what would be found now? What it is about was trusted when it was made; so it
 * is enough that the same files are there, unchanged. A file that somebody else put in the way of
 * them may come first in that search, but not in the second. */
static qn_status compare(bool *good, struct qn__located *at, struct qn__arena *arena,
                         const struct record *record, const char *name)
{
    *good = record && locate_any(at, arena, name) && is_about(record, at) && holds(record);
    if (*good)
        return QN_OK;
    QN_TRY(locate(at, arena, name));
    *good = record && is_about(record, at) && holds(record);
    return QN_OK;
}

/* From disk, else from the compiler itself. */
static qn_status make_record(struct record **out, struct qn__arena *arena, const char *name)
{
    struct qn__located at;
    struct qn__str bytes = {0};
    bool good;
    *out = read_from_disk(&bytes, name) ? read_record(name, &bytes) : NULL;
    qn_status s = compare(&good, &at, arena, *out, name);
    if (s != QN_OK || !good) {
        release(*out);
        *out = NULL;
        qn__str_clear(&bytes);
        if (s == QN_OK)
            s = ask(&bytes, arena, name, &at);
        if (s == QN_OK) {
            write_to_disk(&bytes, name);
            *out = read_record(name, &bytes);
        }
        if (s == QN_OK && (!*out || !holds(*out))) {
            release(*out);
            *out = NULL;
            s = qn__fail(QN_E_COMPILER, "%s: its files changed while it was asked for its version",
                         name);
        }
    }
    qn__str_release(&bytes);
    return s;
}

/* One of this process's records that is about what would be found now: the environment is back. It
 * becomes the newest. NULL: there is none. */
static struct record *find_older(struct record **newest, struct qn__arena *arena, const char *name)
{
    struct qn__located at;
    bool good = false;
    for (struct record **p = newest; *p; p = &(*p)->older) {
        struct record *const record = *p;
        if (compare(&good, &at, arena, record, name) != QN_OK)
            return NULL;
        if (good) {
            *p = record->older;
            record->older = *newest;
            *newest = record;
            return record;
        }
    }
    return NULL;
}

/* With the environment as it was, the search would find the same files. */
static qn_status find_locked(struct qn__compiler *out, struct qn__arena *arena,
                             struct record **newest, const char *name)
{
    struct record *record = *newest;
    const uint64_t now =
        record && record->environment ? qn__environment_now() : qn__environment_of_search();
    if (!record || record->seen != now || !holds(record)) {
        record = record && record->seen != now ? find_older(newest, arena, name) : NULL;
        if (!record) {
            if (*newest)
                qn__helpers_renew();
            QN_TRY(make_record(&record, arena, name));
            record->older = *newest;
            *newest = record;
        }
        record->seen = now;
    }
    *out = record->compiler;
    return QN_OK;
}

/* The place of a name among qn__compiler_names, or -1. */
static int index_of(const char *name)
{
    for (int i = 0; qn__compiler_names[i] && i < COMPILERS_MAX; i++)
        if (strcmp(qn__compiler_names[i], name) == 0)
            return i;
    return -1;
}

qn_status qn__compiler_find(struct qn__compiler *out, struct qn__arena *arena, const char *name)
{
    static const char names[] =
#define QN_COMPILER(compiler, BACKEND, backend) ", " #compiler
#include "base/compilers.def"
        ;
    const int i = index_of(name);
    *out = (struct qn__compiler){.name = name};
    if (i < 0)
        return qn__fail(QN_E_INVALID, "compiler '%s': known are %s", name, names + strlen(", "));
    pthread_mutex_lock(&known.lock);
    const qn_status s = find_locked(out, arena, &known.newest[i], qn__compiler_names[i]);
    pthread_mutex_unlock(&known.lock);
    return s;
}

qn_status qn__compiler_remember(struct qn__compiler *out, const char *name)
{
    const int i = index_of(name);
    struct qn__str bytes = {0};
    pthread_mutex_lock(&known.lock);
    if (i >= 0 && !known.remembered[i] && read_from_disk(&bytes, name))
        known.remembered[i] = read_record(qn__compiler_names[i], &bytes);
    const struct record *record = i >= 0 ? known.remembered[i] : NULL;
    pthread_mutex_unlock(&known.lock);
    qn__str_release(&bytes);
    if (!record)
        return qn__fail(QN_E_NOT_FOUND, "%s has no record in the cache either", name);
    *out = record->compiler;
    return QN_OK;
}
