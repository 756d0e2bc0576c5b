/* SPDX-License-Identifier: Apache-2.0
 *
 * The record of one compiler: asked for once, kept on disk and in this process, checked against the
 * files' state each time. A record is fields (base/wire.h); one that is damaged, old or about other
 * files is simply made anew. */
#define _GNU_SOURCE
#include "rtc/compilers.h"

#include "base/wire.h"
#include "rtc/build_id.h"
#include "rtc/cache_disk.h"
#include "rtc/helper/job.h"
#include "rtc/helper/locate.h"
#include "rtc/helper_client.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    C_RECIPE = 1,
    C_LOCATED, /* path, as the search found it */
    C_FILE,    /* path and state, of located and further files */
    C_VERSION,
    C_IDENTITY,
    C_WHERE,
    C_CUDA_INCLUDE,
    C_TARGET
};
enum { W_PATH = 1, W_STATE }; /* in C_FILE */
enum { COMPILERS_MAX = 8 };

/* This process's records, by name. */
static struct {
    pthread_mutex_t lock;
    struct kept {
        const char *name; /* of qn__compiler_names */
        struct qn__str record;
    } kept[COMPILERS_MAX];
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool qn__compiler_in_helper(const char *name)
{
    return strcmp(name, "nvrtc") != 0;
}

bool qn__compiler_makes(const struct qn__compiler *c, const char *arch)
{
    const size_t n = strcspn(arch, ":");
    for (uint32_t i = 0; i < c->n_targets; i++)
        if (strlen(c->targets[i]) == n && memcmp(c->targets[i], arch, n) == 0)
            return true;
    return false;
}

/* -- files and their state -- */

/* Files that make up the compiler before it is asked: the search's, and the helper that runs it. */
static qn_status locate(struct qn__located *out, struct qn__arena *arena, const char *name)
{
    qn__locate(out, arena, name);
    if (!out->found)
        return qn__fail(QN_E_COMPILER, "%s: %s", name, out->reason);
    return qn__compiler_in_helper(name) ? qn__helper_find(&out->files[out->n_files++], arena)
                                        : QN_OK;
}

enum { STATE_BYTES = 6 * 8 };

static bool state_of(unsigned char out[STATE_BYTES], const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return false;
    const uint64_t state[] = {st.st_ino,
                              (uint64_t)st.st_size,
                              (uint64_t)st.st_mtim.tv_sec,
                              (uint64_t)st.st_mtim.tv_nsec,
                              (uint64_t)st.st_ctim.tv_sec,
                              (uint64_t)st.st_ctim.tv_nsec};
    for (int i = 0; i < STATE_BYTES / 8; i++)
        qn__put_u64(out + 8 * i, state[i]);
    return true;
}

static void add_file(struct qn__str *w, const char *path)
{
    unsigned char state[STATE_BYTES];
    if (!state_of(state, path))
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

static bool file_unchanged(struct qn__wire_field field, struct qn__arena *arena)
{
    struct qn__wire_reader r = qn__wire_record(field);
    struct qn__wire_field f;
    const char *path = NULL;
    const unsigned char *state = NULL;
    unsigned char now[STATE_BYTES];
    while (qn__wire_next(&r, &f)) {
        if (f.tag == W_PATH)
            path = text_of(arena, f);
        else if (f.tag == W_STATE && f.n == sizeof now)
            state = f.bytes;
    }
    return path && state && !r.failed && state_of(now, path) && memcmp(now, state, sizeof now) == 0;
}

/* -- the record -- */

/* Read a record and, unless it is to be remembered as it is, check that it still holds. at NULL:
 * the search was already compared. */
static bool read_record(struct qn__compiler *out, struct qn__arena *arena, const char *name,
                        const struct qn__str *record, const struct qn__located *at, bool remember)
{
    const void *bytes = record->text;
    const size_t n = record->len;
    struct qn__wire_reader r = qn__wire_reader(bytes, n);
    struct qn__wire_field f;
    uint32_t recipe = 0, n_located = 0, n_targets = 0;
    bool ok = true;
    *out = (struct qn__compiler){.name = name};
    while (qn__wire_next(&r, &f))
        n_targets += f.tag == C_TARGET;
    const char **targets = QN__ARENA_ARRAY(arena, const char *, n_targets);
    r = qn__wire_reader(bytes, n);
    while (ok && targets && qn__wire_next(&r, &f)) {
        const char *text;
        switch (f.tag) {
        case C_RECIPE: ok = qn__wire_get_u32(f, &recipe) && recipe == QN__RECIPE_VERSION; break;
        case C_LOCATED:
            text = text_of(arena, f);
            ok = text &&
                 (!at || (n_located < at->n_files && strcmp(text, at->files[n_located]) == 0));
            n_located++;
            break;
        case C_FILE: ok = remember || file_unchanged(f, arena); break;
        case C_VERSION: out->version = text_of(arena, f); break;
        case C_IDENTITY: out->identity = text_of(arena, f); break;
        case C_WHERE: out->where = text_of(arena, f); break;
        case C_CUDA_INCLUDE: out->cuda_include = text_of(arena, f); break;
        case C_TARGET: ok = (targets[out->n_targets++] = text_of(arena, f)) != NULL; break;
        default: ok = false;
        }
    }
    out->targets = targets;
    return ok && targets && !r.failed && recipe && (!at || n_located == at->n_files) &&
           out->version && out->identity && out->where;
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
    char *bytes = qn__disk_read_record(&n, file);
    if (bytes)
        qn__str_add_bytes(record, bytes, n);
    free(bytes);
    return bytes && !record->failed;
}

static void write_to_disk(const struct qn__str *record, const char *name)
{
    char file[64];
    record_name(file, name);
    qn__disk_write_record(file, record);
}

/* -- asking -- */

/* "hiprtc 5.2.3 (comgr 2.4); recipe 1; <build ids>": versions for people, ids for certainty. */
static qn_status make_identity(struct qn__str *out, const char *name, const char *version,
                               const struct qn__located *at, const struct qn__job_result *r)
{
    char id[QN__BUILD_ID_MAX];
    /* hipRTC's result does not depend on the helper that calls it, beyond the recipe */
    const uint32_t n = strcmp(name, "hiprtc") == 0 ? at->n_files - 1 : at->n_files;
    qn__str_printf(out, "%s; recipe %d", version, QN__RECIPE_VERSION);
    for (uint32_t i = 0; i < n; i++) {
        QN_TRY(qn__build_id(id, at->files[i]));
        qn__str_printf(out, "; %s", id);
    }
    for (uint32_t i = 0; i < r->n_files; i++) {
        QN_TRY(qn__build_id(id, r->files[i]));
        qn__str_printf(out, "; %s", id);
    }
    return qn__str_check(out);
}

static qn_status ask(struct qn__str *record, struct qn__arena *arena, const char *name,
                     const struct qn__located *at)
{
    const struct qn__job job = {.kind = QN__JOB_IDENTITY, .compiler = name, .arch = ""};
    struct qn__job_result r;
    struct qn__str identity = {0};
    if (qn__compiler_in_helper(name))
        QN_TRY(qn__helper_run(&r, arena, &job, name, 0));
    else
        qn__job_run_nvrtc(&r, arena, &job);
    if (r.status != QN_OK)
        return qn__fail(r.status == QN_E_MEMORY ? QN_E_MEMORY : QN_E_COMPILER, "%s: %s", name,
                        r.message ? r.message : "did not answer");
    qn_status s = make_identity(&identity, name, r.compiler, at, &r);
    qn__wire_u32(record, C_RECIPE, QN__RECIPE_VERSION);
    for (uint32_t i = 0; i < at->n_files; i++)
        qn__wire_text(record, C_LOCATED, at->files[i]);
    for (uint32_t i = 0; i < at->n_files; i++)
        add_file(record, at->files[i]);
    for (uint32_t i = 0; i < r.n_files; i++)
        add_file(record, r.files[i]);
    qn__wire_text(record, C_VERSION, r.compiler);
    qn__wire_text(record, C_IDENTITY, identity.text);
    qn__wire_text(record, C_WHERE, r.where ? r.where : at->files[0]);
    if (strcmp(name, "nvrtc") == 0)
        qn__wire_text(record, C_CUDA_INCLUDE, qn__locate_cuda_include(arena, at->files[0]));
    for (uint32_t i = 0; i < r.n_targets; i++)
        qn__wire_text(record, C_TARGET, r.targets[i]);
    qn__str_release(&identity);
    return s == QN_OK ? qn__str_check(record) : s;
}

static qn_status find_locked(struct qn__compiler *out, struct qn__arena *arena, struct kept *kept)
{
    if (kept->record.len && read_record(out, arena, kept->name, &kept->record, NULL, false))
        return QN_OK;
    struct qn__located at;
    struct qn__str *record = &kept->record;
    qn__str_clear(record);
    QN_TRY(locate(&at, arena, kept->name));
    if (read_from_disk(record, kept->name) &&
        read_record(out, arena, kept->name, record, &at, false))
        return QN_OK;
    qn__str_clear(record);
    QN_TRY(ask(record, arena, kept->name, &at));
    write_to_disk(record, kept->name);
    return read_record(out, arena, kept->name, record, &at, false)
               ? QN_OK
               : qn__fail(QN_E_COMPILER, "%s: its files change while it is being asked",
                          kept->name);
}

qn_status qn__compiler_find(struct qn__compiler *out, struct qn__arena *arena, const char *name)
{
    *out = (struct qn__compiler){.name = name};
    for (int i = 0; qn__compiler_names[i] && i < COMPILERS_MAX; i++) {
        if (strcmp(qn__compiler_names[i], name) != 0)
            continue;
        pthread_mutex_lock(&known.lock);
        known.kept[i].name = qn__compiler_names[i];
        const qn_status s = find_locked(out, arena, &known.kept[i]);
        if (s != QN_OK)
            qn__str_clear(&known.kept[i].record);
        pthread_mutex_unlock(&known.lock);
        return s;
    }
    return qn__fail(QN_E_INVALID,
                    "compiler '%s': there are nvrtc, hiprtc, hipcc, clang and translator", name);
}

qn_status qn__compiler_remember(struct qn__compiler *out, struct qn__arena *arena, const char *name)
{
    struct qn__str record = {0};
    const bool good =
        read_from_disk(&record, name) && read_record(out, arena, name, &record, NULL, true);
    qn__str_release(&record);
    return good ? QN_OK : qn__fail(QN_E_NOT_FOUND, "%s was not here before either", name);
}
