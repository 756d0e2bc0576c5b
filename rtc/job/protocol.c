/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields of jobs and results. Repeated fields (files, options, names, targets) keep their order;
 * unknown tags are an error, because both sides are of one build. */
#include "rtc/job/protocol.h"

#include "base/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { /* job */
       J_KIND = 1,
       J_COMPILER,
       J_ARCH,
       J_FILE,
       J_OPTION,
       J_NAME,
       J_VERBOSE,
       J_MEMORY,
       J_NUMBER,
       J_TOOLKIT
};
enum { F_NAME = 1, F_TEXT, F_BELOW }; /* in J_FILE */
enum {                                /* result */
       R_STATUS = 1,
       R_MESSAGE,
       R_KIND,
       R_BYTES,
       R_COMPILER,
       R_WHERE,
       R_TARGET,
       R_FILE,
       R_REFLECTION,
       R_DIAGNOSTICS,
       R_RAW,
       R_REFLECT_JSON,
       R_EXPLAIN_JSON,
       R_MICROSECONDS,
       R_HEADER,
       R_FOLDER,
       R_CHOICE,
       R_NUMBER,
       R_DIGEST,
       R_RUNS,
       R_TOOLKIT,
       R_ASKS_TOOLKIT
};

/* -- encode -- */

static void add_texts(struct qn__str *w, uint32_t tag, const char *const *texts, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        qn__wire_text(w, tag, texts[i]);
}

void qn__job_encode(struct qn__str *w, const struct qn__job *job)
{
    qn__wire_u32(w, J_KIND, job->kind);
    qn__wire_text(w, J_COMPILER, job->compiler);
    qn__wire_text(w, J_ARCH, job->arch);
    qn__wire_u32(w, J_VERBOSE, job->verbose);
    qn__wire_u64(w, J_MEMORY, job->memory_bytes);
    qn__wire_u64(w, J_NUMBER, job->number);
    for (uint32_t i = 0; i < job->n_files; i++) {
        const size_t at = qn__wire_begin(w, J_FILE);
        qn__wire_text(w, F_NAME, job->files[i].name);
        qn__wire_bytes(w, F_TEXT, job->files[i].text, job->files[i].n);
        qn__wire_text(w, F_BELOW, job->below ? job->below[i] : NULL); /* none: nothing */
        qn__wire_end(w, at);
    }
    add_texts(w, J_OPTION, job->options, job->n_options);
    add_texts(w, J_NAME, job->names, job->n_names);
    add_texts(w, J_TOOLKIT, job->toolkit, job->n_toolkit);
}

void qn__job_result_encode(struct qn__str *w, const struct qn__job_result *r)
{
    qn__wire_u32(w, R_STATUS, (uint32_t)r->status);
    qn__wire_text(w, R_MESSAGE, r->message);
    if (r->bytes) {
        qn__wire_u32(w, R_KIND, r->image_kind);
        qn__wire_bytes(w, R_BYTES, r->bytes, r->n);
    }
    qn__wire_text(w, R_COMPILER, r->compiler);
    qn__wire_text(w, R_WHERE, r->where);
    add_texts(w, R_TARGET, r->targets, r->n_targets);
    add_texts(w, R_FILE, r->files, r->n_files);
    qn__wire_text(w, R_RUNS, r->runs);
    add_texts(w, R_HEADER, r->machine.headers, r->machine.n_headers);
    add_texts(w, R_FOLDER, r->machine.folders, r->machine.n_folders);
    add_texts(w, R_CHOICE, r->machine.choices, r->machine.n_choices);
    add_texts(w, R_TOOLKIT, r->machine.toolkit, r->machine.n_toolkit);
    qn__wire_u32(w, R_ASKS_TOOLKIT, r->machine.asks_toolkit);
    const size_t at = qn__wire_begin(w, R_REFLECTION);
    qn__reflection_encode(w, &r->reflection);
    qn__wire_end(w, at);
    qn__wire_text(w, R_DIAGNOSTICS, r->diagnostics);
    qn__wire_text(w, R_RAW, r->raw);
    qn__wire_text(w, R_REFLECT_JSON, r->reflect_json);
    qn__wire_text(w, R_EXPLAIN_JSON, r->explain_json);
    const bool is_time = r->ms > 0 && r->ms < 1e15; /* else it fits no integer */
    qn__wire_u64(w, R_MICROSECONDS, is_time ? (uint64_t)(r->ms * 1e3) : 0);
    qn__wire_u64(w, R_NUMBER, r->number);
    qn__wire_bytes(w, R_DIGEST, r->digest, sizeof r->digest);
}

/* -- decode -- */

static uint32_t count_tag(const void *bytes, size_t n, uint32_t tag)
{
    struct qn__wire_reader r = qn__wire_reader(bytes, n);
    struct qn__wire_field f;
    uint32_t count = 0;
    while (qn__wire_next(&r, &f))
        count += f.tag == tag;
    return count;
}

static qn_status damaged(const struct qn__arena *arena, const char *what, size_t n)
{
    return arena->failed ? qn__fail(QN_E_MEMORY, "no memory for a %s of %zu bytes", what, n)
                         : qn__fail(QN_E_CORRUPT, "damaged compile %s of %zu bytes", what, n);
}

/* For the texts of the fields with that tag. */
static const char **room_for(struct qn__arena *arena, const void *bytes, size_t n, uint32_t tag)
{
    return QN__ARENA_ARRAY(arena, const char *, count_tag(bytes, n, tag));
}

static bool text_of(const char **out, struct qn__arena *arena, struct qn__wire_field f)
{
    *out = memchr(f.bytes, 0, f.n) ? NULL : qn__arena_strndup(arena, (const char *)f.bytes, f.n);
    return *out != NULL;
}

static bool file_of(struct qn__source_file *out, const char **below, struct qn__arena *arena,
                    struct qn__wire_field field)
{
    struct qn__wire_reader r = qn__wire_record(field);
    struct qn__wire_field f;
    bool ok = true;
    *out = (struct qn__source_file){0};
    while (ok && qn__wire_next(&r, &f)) {
        switch (f.tag) {
        case F_NAME: ok = text_of(&out->name, arena, f); break;
        case F_TEXT: /* copied: texts are used as C strings */
            out->text = qn__arena_strndup(arena, (const char *)f.bytes, f.n);
            out->n = f.n;
            ok = out->text != NULL;
            break;
        case F_BELOW: ok = text_of(below, arena, f); break;
        default: ok = false;
        }
    }
    return ok && !r.failed && out->name && out->text;
}

qn_status qn__job_decode(struct qn__job *out, struct qn__arena *arena, const void *bytes, size_t n)
{
    *out = (struct qn__job){.compiler = "", .arch = ""};
    struct qn__source_file *files =
        QN__ARENA_ARRAY(arena, struct qn__source_file, count_tag(bytes, n, J_FILE));
    const char **below = room_for(arena, bytes, n, J_FILE);
    const char **options = room_for(arena, bytes, n, J_OPTION);
    const char **names = room_for(arena, bytes, n, J_NAME);
    const char **toolkit = room_for(arena, bytes, n, J_TOOLKIT);
    if (!files || !below || !options || !names || !toolkit)
        return damaged(arena, "job", n);
    struct qn__wire_reader r = qn__wire_reader(bytes, n);
    struct qn__wire_field f;
    bool ok = true;
    uint32_t v = 0;
    while (ok && qn__wire_next(&r, &f)) {
        switch (f.tag) {
        case J_KIND:
            ok = qn__wire_get_u32(f, &v) && (v == QN__JOB_COMPILE || v == QN__JOB_IDENTITY);
            out->kind = v == QN__JOB_IDENTITY ? QN__JOB_IDENTITY : QN__JOB_COMPILE;
            break;
        case J_COMPILER: ok = text_of(&out->compiler, arena, f); break;
        case J_ARCH: ok = text_of(&out->arch, arena, f); break;
        case J_VERBOSE:
            ok = qn__wire_get_u32(f, &v);
            out->verbose = v != 0;
            break;
        case J_MEMORY: ok = qn__wire_get_u64(f, &out->memory_bytes); break;
        case J_NUMBER: ok = qn__wire_get_u64(f, &out->number); break;
        case J_FILE:
            ok = file_of(&files[out->n_files], &below[out->n_files], arena, f);
            out->n_files++;
            break;
        case J_OPTION: ok = text_of(&options[out->n_options++], arena, f); break;
        case J_NAME: ok = text_of(&names[out->n_names++], arena, f); break;
        case J_TOOLKIT: ok = text_of(&toolkit[out->n_toolkit++], arena, f); break;
        default: ok = false;
        }
    }
    if (!ok || r.failed || !out->kind || (out->kind == QN__JOB_COMPILE && !out->n_files))
        return damaged(arena, "job", n);
    out->files = files;
    out->below = below;
    out->options = options;
    out->names = names;
    out->toolkit = toolkit;
    return QN_OK;
}

static bool status_of(qn_status *out, struct qn__wire_field f)
{
    uint32_t v;
    if (!qn__wire_get_u32(f, &v))
        return false;
#define CASE(name, value, text)                                                                    \
    if (v == (value)) {                                                                            \
        *out = name;                                                                               \
        return true;                                                                               \
    }
    QN_STATUS_LIST(CASE)
#undef CASE
    return false;
}

qn_status qn__job_result_decode(struct qn__job_result *out, struct qn__arena *arena,
                                const void *bytes, size_t n)
{
    *out = (struct qn__job_result){.compiler = "", .reflection = {.build_options = ""}};
    const char **targets = room_for(arena, bytes, n, R_TARGET);
    const char **files = room_for(arena, bytes, n, R_FILE);
    const char **headers = room_for(arena, bytes, n, R_HEADER);
    const char **folders = room_for(arena, bytes, n, R_FOLDER);
    const char **choices = room_for(arena, bytes, n, R_CHOICE);
    const char **toolkit = room_for(arena, bytes, n, R_TOOLKIT);
    struct qn__machine_files *const m = &out->machine;
    if (!targets || !files || !headers || !folders || !choices || !toolkit)
        return damaged(arena, "result", n);
    struct qn__wire_reader r = qn__wire_reader(bytes, n);
    struct qn__wire_field f;
    bool ok = true, have_status = false;
    uint32_t v = 0;
    uint64_t us = 0;
    while (ok && qn__wire_next(&r, &f)) {
        switch (f.tag) {
        case R_STATUS: ok = have_status = status_of(&out->status, f); break;
        case R_MESSAGE: ok = text_of(&out->message, arena, f); break;
        case R_KIND:
            ok = qn__wire_get_u32(f, &v) && v >= QN_IMAGE_CUBIN && v <= QN_IMAGE_SHARED_OBJECT;
            out->image_kind = (qn_image_kind)v;
            break;
        case R_BYTES:
            out->bytes = f.bytes;
            out->n = f.n;
            break;
        case R_COMPILER: ok = text_of(&out->compiler, arena, f); break;
        case R_WHERE: ok = text_of(&out->where, arena, f); break;
        case R_TARGET: ok = text_of(&targets[out->n_targets++], arena, f); break;
        case R_FILE: ok = text_of(&files[out->n_files++], arena, f); break;
        case R_RUNS: ok = text_of(&out->runs, arena, f); break;
        case R_HEADER: ok = text_of(&headers[m->n_headers++], arena, f); break;
        case R_FOLDER: ok = text_of(&folders[m->n_folders++], arena, f); break;
        case R_CHOICE: ok = text_of(&choices[m->n_choices++], arena, f); break;
        case R_TOOLKIT: ok = text_of(&toolkit[m->n_toolkit++], arena, f); break;
        case R_ASKS_TOOLKIT:
            ok = qn__wire_get_u32(f, &v);
            m->asks_toolkit = v != 0;
            break;
        case R_REFLECTION:
            QN_TRY(qn__reflection_decode(&out->reflection, arena, f.bytes, f.n));
            break;
        case R_DIAGNOSTICS: ok = text_of(&out->diagnostics, arena, f); break;
        case R_RAW: ok = text_of(&out->raw, arena, f); break;
        case R_REFLECT_JSON: ok = text_of(&out->reflect_json, arena, f); break;
        case R_EXPLAIN_JSON: ok = text_of(&out->explain_json, arena, f); break;
        case R_MICROSECONDS:
            ok = qn__wire_get_u64(f, &us);
            out->ms = (double)us * 1e-3;
            break;
        case R_NUMBER: ok = qn__wire_get_u64(f, &out->number); break;
        case R_DIGEST:
            ok = f.n == sizeof out->digest;
            if (ok)
                memcpy(out->digest, f.bytes, sizeof out->digest);
            break;
        default: ok = false;
        }
    }
    if (!ok || r.failed || !have_status || (out->bytes && !out->image_kind))
        return damaged(arena, "result", n);
    out->targets = targets;
    out->files = files;
    m->headers = headers;
    m->folders = folders;
    m->choices = choices;
    m->toolkit = toolkit;
    return QN_OK;
}

/* -- frames -- */

void qn__frame_begin(struct qn__str *w)
{
    unsigned char head[QN__FRAME_HEAD_BYTES] = {0};
    qn__put_u32(head, QN__FRAME_MAGIC);
    qn__str_clear(w);
    qn__str_add_bytes(w, head, sizeof head);
}

void qn__frame_end(struct qn__str *w)
{
    if (w->failed || w->len - QN__FRAME_HEAD_BYTES > QN__FRAME_LIMIT_BYTES) {
        w->failed = true;
        return;
    }
    unsigned char n[4];
    qn__put_u32(n, (uint32_t)(w->len - QN__FRAME_HEAD_BYTES));
    memcpy(w->text + 4, n, sizeof n);
}

qn_status qn__frame_length(size_t *n, const unsigned char head[QN__FRAME_HEAD_BYTES])
{
    *n = qn__get_u32(head + 4);
    if (qn__get_u32(head) != QN__FRAME_MAGIC || *n > QN__FRAME_LIMIT_BYTES)
        return qn__fail(QN_E_CORRUPT, "the other side does not speak this version's protocol");
    return QN_OK;
}

/* Fill `n` bytes; *got < n when the socket closed. */
static qn_status read_all(void *bytes, size_t n, size_t *got, int fd)
{
    *got = 0;
    while (*got < n) {
        const ssize_t r = read(fd, (char *)bytes + *got, n - *got);
        if (r < 0 && errno == EINTR)
            continue;
        if (r < 0)
            return qn__fail_errno("socket");
        if (r == 0)
            break;
        *got += (size_t)r;
    }
    return QN_OK;
}

qn_status qn__frame_read(char **bytes, size_t *n, int fd)
{
    unsigned char head[QN__FRAME_HEAD_BYTES];
    size_t got;
    *bytes = NULL;
    *n = 0;
    QN_TRY(read_all(head, sizeof head, &got, fd));
    if (got == 0)
        return qn__fail(QN_E_NOT_FOUND, "the socket was closed");
    size_t want;
    QN_TRY(qn__frame_length(&want, head));
    char *body = malloc(want + 1);
    if (!body)
        return qn__fail(QN_E_MEMORY, "no memory for a frame of %zu bytes", want);
    qn_status s = read_all(body, want, &got, fd);
    if (s == QN_OK && got < want)
        s = qn__fail(QN_E_CORRUPT, "the socket closed after %zu of %zu bytes", got, want);
    if (s != QN_OK) {
        free(body);
        return s;
    }
    body[want] = 0;
    *bytes = body;
    *n = want;
    return QN_OK;
}

qn_status qn__frame_write(int fd, const struct qn__str *frame)
{
    QN_TRY(qn__str_check(frame));
    size_t sent = 0;
    while (sent < frame->len) {
        const ssize_t w = send(fd, frame->text + sent, frame->len - sent, MSG_NOSIGNAL);
        if (w < 0 && errno == EINTR)
            continue;
        if (w < 0)
            return qn__fail_errno("socket");
        sent += (size_t)w;
    }
    return QN_OK;
}
