/* SPDX-License-Identifier: Apache-2.0
 *
 * Notes about the machine's headers: made after a compile, kept as a record, checked before the
 * next one. Which file a name leads to is decided by what the folders before it do not have, and
 * which folders are searched by the versions of GCC that are installed; both are noted as well. */
#define _GNU_SOURCE
#include "rtc/key/header_notes.h"

#include "base/file.h"
#include "base/wire.h"
#include "rtc/cache/cache_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER_LIMIT_BYTES = 64 << 20 };

/* -- looking -- */

static qn_status digest_of(unsigned char out[QN__HASH_BYTES], const char *path)
{
    char *bytes;
    size_t n;
    QN_TRY(qn__file_read(&bytes, &n, path, HEADER_LIMIT_BYTES));
    qn__hash_of(out, bytes, n);
    free(bytes);
    return QN_OK;
}

/* Of the names in a folder; one that is not there is as an empty one. */
static void digest_names(unsigned char out[QN__HASH_BYTES], const char *path)
{
    struct dirent **names;
    struct qn__hash h;
    const int n = scandir(path, &names, NULL, alphasort);
    qn__hash_init(&h);
    for (int i = 0; i < n; i++) {
        if (names[i]->d_name[0] != '.')
            qn__hash_add(&h, names[i]->d_name, strlen(names[i]->d_name) + 1);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
    qn__hash_finish(&h, out);
}

/* The folders of the search, open: a name below one is found sooner than a path of twelve parts. */
struct opened {
    int folders[QN__HEADER_FOLDERS_MAX]; /* -1: not there */
    uint32_t n;
};

static void open_folders(struct opened *out, const struct qn__header_notes *m)
{
    for (out->n = 0; out->n < m->n_folders; out->n++)
        out->folders[out->n] = open(m->folders[out->n], O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void close_folders(struct opened *o)
{
    for (uint32_t i = 0; i < o->n; i++)
        if (o->folders[i] >= 0)
            close(o->folders[i]);
}

/* Which of the folders searched before the header's own have its name. */
static uint32_t others_of(const struct opened *o, const struct qn__noted_header *h)
{
    uint32_t others = 0;
    for (uint32_t i = 0; i < h->folder; i++)
        if (o->folders[i] >= 0 && faccessat(o->folders[i], h->name, F_OK, 0) == 0)
            others |= 1u << i;
    return others;
}

/* -- noting -- */

/* The folder of the search that the path leads through: the innermost one. */
static void place(const struct qn__header_notes *m, struct qn__noted_header *h)
{
    size_t longest = 0;
    h->folder = m->n_folders;
    h->name = h->path;
    for (uint32_t i = 0; i < m->n_folders; i++) {
        const size_t n = strlen(m->folders[i]);
        if (n > longest && strncmp(h->path, m->folders[i], n) == 0 && h->path[n] == '/') {
            longest = n;
            h->folder = i;
            h->name = h->path + n + strspn(h->path + n, "/");
        }
    }
}

static bool is_newer(const struct timespec *t, const struct timespec *start)
{
    return t->tv_sec > start->tv_sec || (t->tv_sec == start->tv_sec && t->tv_nsec > start->tv_nsec);
}

static qn_status note_header(struct qn__noted_header *h, const struct qn__header_notes *m,
                             const struct opened *o, const char *path, const struct timespec *start)
{
    struct stat st;
    h->path = path;
    place(m, h);
    if (!qn__file_state(h->state, path) || stat(path, &st) != 0)
        return qn__fail(QN_E_MISMATCH, "%s was read by the compiler and is gone", path);
    QN_TRY(digest_of(h->digest, path));
    if (is_newer(&st.st_mtim, start) || is_newer(&st.st_ctim, start))
        return qn__fail(QN_E_MISMATCH, "%s changed while the compiler read it", path);
    h->others = h->folder < m->n_folders ? others_of(o, h) : 0;
    return QN_OK;
}

static qn_status note_headers(struct qn__header_notes *m, const struct opened *o,
                              const struct qn__machine_files *files, const char *const *missing,
                              uint32_t n_missing, const struct timespec *start)
{
    for (uint32_t i = 0; i < files->n_headers; i++)
        QN_TRY(note_header(&m->headers[m->n_headers++], m, o, files->headers[i], start));
    for (uint32_t i = 0; i < n_missing; i++) {
        struct qn__noted_header *h = &m->headers[m->n_headers++];
        h->name = missing[i];
        h->folder = m->n_folders; /* all were searched before it was given up */
        h->others = others_of(o, h);
    }
    return QN_OK;
}

static bool make_room(struct qn__header_notes *m, struct qn__arena *arena, uint32_t n_folders,
                      uint32_t n_choices, uint32_t n_headers, uint32_t n_toolkit)
{
    m->toolkit = QN__ARENA_ARRAY(arena, const char *, n_toolkit);
    m->folders = QN__ARENA_ARRAY(arena, const char *, n_folders);
    m->choices = QN__ARENA_ARRAY(arena, struct qn__noted_choice, n_choices);
    m->headers = QN__ARENA_ARRAY(arena, struct qn__noted_header, n_headers);
    return m->folders && m->choices && m->headers && m->toolkit;
}

qn_status qn__header_notes_make(struct qn__header_notes *out, struct qn__arena *arena,
                                const struct qn__machine_files *files, const char *const *missing,
                                uint32_t n_missing, const struct timespec *start)
{
    *out = (struct qn__header_notes){0};
    if (files->n_folders > QN__HEADER_FOLDERS_MAX)
        return qn__fail(QN_E_LIMIT, "the compiler searches %u folders: at most %d are kept in mind",
                        files->n_folders, QN__HEADER_FOLDERS_MAX);
    if (!make_room(out, arena, files->n_folders, files->n_choices, files->n_headers + n_missing,
                   files->n_toolkit))
        return qn__fail(QN_E_MEMORY, "no memory for notes of %u headers", files->n_headers);
    for (uint32_t i = 0; i < files->n_folders; i++)
        out->folders[out->n_folders++] = files->folders[i];
    for (uint32_t i = 0; i < files->n_toolkit; i++)
        out->toolkit[out->n_toolkit++] = files->toolkit[i];
    out->asks_toolkit = files->asks_toolkit;
    for (uint32_t i = 0; i < files->n_choices; i++) {
        out->choices[i].path = files->choices[i];
        digest_names(out->choices[out->n_choices++].digest, files->choices[i]);
    }
    struct opened o;
    open_folders(&o, out);
    const qn_status s = note_headers(out, &o, files, missing, n_missing, start);
    close_folders(&o);
    return s;
}

/* -- checking -- */

bool qn__header_notes_of_toolkit(const struct qn__header_notes *m, const struct qn__noted_header *h)
{
    for (uint32_t i = 0; h->folder < m->n_folders && i < m->n_toolkit; i++)
        if (strcmp(m->folders[h->folder], m->toolkit[i]) == 0)
            return true;
    return false;
}

static bool check_header(const struct qn__header_notes *m, const struct opened *o,
                         struct qn__noted_header *h, bool *changed)
{
    unsigned char now[QN__FILE_STATE_BYTES];
    if (h->path) {
        if (!(h->folder < m->n_folders ? qn__file_state_at(now, o->folders[h->folder], h->name)
                                       : qn__file_state(now, h->path)))
            return false;
        if (memcmp(now, h->state, sizeof now) != 0) {
            *changed = true;
            memcpy(h->state, now, sizeof now);
            if (digest_of(h->digest, h->path) != QN_OK)
                return false;
        }
    }
    return (h->path && h->folder == m->n_folders) || others_of(o, h) == h->others;
}

bool qn__header_notes_check(struct qn__header_notes *m, bool *changed)
{
    unsigned char now[QN__HASH_BYTES];
    *changed = false;
    for (uint32_t i = 0; i < m->n_choices; i++) {
        digest_names(now, m->choices[i].path);
        if (memcmp(now, m->choices[i].digest, sizeof now) != 0)
            return false;
    }
    struct opened o;
    bool good = true;
    open_folders(&o, m);
    for (uint32_t i = 0; good && i < m->n_headers; i++)
        good = check_header(m, &o, &m->headers[i], changed);
    close_folders(&o);
    return good;
}

/* -- the record -- */

enum { M_VERSION = 1, M_FOLDER, M_CHOICE, M_HEADER, M_TOOLKIT, M_ASKS_TOOLKIT, M_TAGS };
enum { W_PATH = 1, W_NAME_AT, W_NAME, W_FOLDER, W_OTHERS, W_STATE, W_DIGEST }; /* in the last two */
enum { VERSION = 1 };

static void record_name(char out[QN__CACHE_NAME_BYTES], const char *key_hex)
{
    QN__TEXT_JOIN(out, QN__CACHE_NAME_BYTES, "headers/", key_hex);
}

void qn__header_notes_store(const struct qn__header_notes *m, const char *key_hex)
{
    char name[QN__CACHE_NAME_BYTES];
    struct qn__str w = {0};
    qn__wire_u32(&w, M_VERSION, VERSION);
    for (uint32_t i = 0; i < m->n_folders; i++)
        qn__wire_text(&w, M_FOLDER, m->folders[i]);
    for (uint32_t i = 0; i < m->n_toolkit; i++)
        qn__wire_text(&w, M_TOOLKIT, m->toolkit[i]);
    if (m->asks_toolkit)
        qn__wire_u32(&w, M_ASKS_TOOLKIT, true);
    for (uint32_t i = 0; i < m->n_choices; i++) {
        const size_t at = qn__wire_begin(&w, M_CHOICE);
        qn__wire_text(&w, W_PATH, m->choices[i].path);
        qn__wire_bytes(&w, W_DIGEST, m->choices[i].digest, QN__HASH_BYTES);
        qn__wire_end(&w, at);
    }
    for (uint32_t i = 0; i < m->n_headers; i++) {
        const struct qn__noted_header *h = &m->headers[i];
        const size_t at = qn__wire_begin(&w, M_HEADER);
        qn__wire_u32(&w, W_FOLDER, h->folder);
        qn__wire_u32(&w, W_OTHERS, h->others);
        qn__wire_text(&w, W_PATH, h->path); /* none: writes nothing */
        if (h->path)
            qn__wire_u32(&w, W_NAME_AT, (uint32_t)(h->name - h->path));
        else
            qn__wire_text(&w, W_NAME, h->name);
        qn__wire_bytes(&w, W_STATE, h->state, sizeof h->state);
        qn__wire_bytes(&w, W_DIGEST, h->digest, sizeof h->digest);
        qn__wire_end(&w, at);
    }
    record_name(name, key_hex);
    qn__folder_write_record(name, &w);
    qn__str_release(&w);
}

/* The bytes of a field that has as many as wanted. */
static bool bytes_of(void *out, size_t n, struct qn__wire_field f)
{
    if (f.n != n)
        return false;
    memcpy(out, f.bytes, n);
    return true;
}

static bool read_choice(struct qn__noted_choice *out, struct qn__arena *arena,
                        struct qn__wire_field field)
{
    struct qn__wire_reader r = qn__wire_record(field);
    struct qn__wire_field f;
    bool ok = true;
    while (ok && qn__wire_next(&r, &f)) {
        if (f.tag == W_PATH)
            ok = (out->path = qn__arena_strndup(arena, (const char *)f.bytes, f.n)) != NULL;
        else
            ok = f.tag == W_DIGEST && bytes_of(out->digest, sizeof out->digest, f);
    }
    return ok && !r.failed && out->path;
}

static bool read_header(struct qn__noted_header *out, struct qn__arena *arena,
                        const struct qn__header_notes *m, struct qn__wire_field field)
{
    struct qn__wire_reader r = qn__wire_record(field);
    struct qn__wire_field f;
    uint32_t name_at = 0;
    bool ok = true;
    while (ok && qn__wire_next(&r, &f)) {
        switch (f.tag) {
        case W_PATH: out->path = qn__arena_strndup(arena, (const char *)f.bytes, f.n); break;
        case W_NAME: out->name = qn__arena_strndup(arena, (const char *)f.bytes, f.n); break;
        case W_NAME_AT: ok = qn__wire_get_u32(f, &name_at); break;
        case W_FOLDER: ok = qn__wire_get_u32(f, &out->folder); break;
        case W_OTHERS: ok = qn__wire_get_u32(f, &out->others); break;
        case W_STATE: ok = bytes_of(out->state, sizeof out->state, f); break;
        case W_DIGEST: ok = bytes_of(out->digest, sizeof out->digest, f); break;
        default: ok = false;
        }
    }
    if (out->path && name_at <= strlen(out->path))
        out->name = out->path + name_at;
    return ok && !r.failed && out->name && out->folder <= m->n_folders;
}

static bool read_record(struct qn__header_notes *out, struct qn__arena *arena, const char *bytes,
                        size_t n)
{
    struct qn__wire_reader r = qn__wire_reader(bytes, n);
    struct qn__wire_field f;
    uint32_t counts[M_TAGS] = {0}, version = 0, asks = 0;
    while (qn__wire_next(&r, &f))
        if (f.tag < M_TAGS)
            counts[f.tag]++;
    *out = (struct qn__header_notes){0};
    if (r.failed || counts[M_FOLDER] > QN__HEADER_FOLDERS_MAX ||
        !make_room(out, arena, counts[M_FOLDER], counts[M_CHOICE], counts[M_HEADER],
                   counts[M_TOOLKIT]))
        return false;
    bool ok = true;
    r = qn__wire_reader(bytes, n);
    while (ok && qn__wire_next(&r, &f)) {
        switch (f.tag) {
        case M_VERSION: ok = qn__wire_get_u32(f, &version) && version == VERSION; break;
        case M_FOLDER:
            ok = (out->folders[out->n_folders++] =
                      qn__arena_strndup(arena, (const char *)f.bytes, f.n)) != NULL;
            break;
        case M_TOOLKIT:
            ok = (out->toolkit[out->n_toolkit++] =
                      qn__arena_strndup(arena, (const char *)f.bytes, f.n)) != NULL;
            break;
        case M_ASKS_TOOLKIT:
            ok = qn__wire_get_u32(f, &asks);
            out->asks_toolkit = asks != 0;
            break;
        case M_CHOICE: ok = read_choice(&out->choices[out->n_choices++], arena, f); break;
        case M_HEADER: ok = read_header(&out->headers[out->n_headers++], arena, out, f); break;
        default: ok = false;
        }
    }
    return ok && version;
}

bool qn__header_notes_load(struct qn__header_notes *out, struct qn__arena *arena,
                           const char *key_hex)
{
    char name[QN__CACHE_NAME_BYTES];
    size_t n;
    record_name(name, key_hex);
    char *bytes = qn__folder_read_record(&n, name);
    const bool good = bytes && read_record(out, arena, bytes, n);
    free(bytes);
    return good;
}
