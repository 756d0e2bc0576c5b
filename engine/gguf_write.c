/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing GGUF files (gguf_write.h). Threads take the next piece from a shared counter and write it
 * with pwrite; nothing else is shared. */
#include "engine/gguf_write.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/processors.h"
#include "base/threads.h"
#include "base/wire.h"
#include "engine/model_build.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 8, ARRAY = 9, ALIGNMENT = 32, HEAD_BYTES = 24, THREADS_MAX = 256 };

/* -- facts -- */

static void put(struct qn__str *s, uint64_t bits, uint32_t n_bytes)
{
    unsigned char bytes[8];
    qn__put_u64(bytes, bits);
    qn__str_add_bytes(s, bytes, n_bytes);
}

static void put_text(struct qn__str *s, const char *text, size_t n_bytes)
{
    put(s, n_bytes, 8);
    qn__str_add_bytes(s, text, n_bytes);
}

static void begin_fact(struct qn__gguf_writer *w, const char *key, uint32_t type)
{
    w->n_facts++;
    put_text(&w->facts, key, strlen(key));
    put(&w->facts, type, 4);
}

static uint64_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t wide_bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void qn__gguf_add_u32(struct qn__gguf_writer *w, const char *key, uint32_t value)
{
    begin_fact(w, key, QN__NUMBER_U32);
    put(&w->facts, value, 4);
}

void qn__gguf_add_f32(struct qn__gguf_writer *w, const char *key, float value)
{
    begin_fact(w, key, QN__NUMBER_F32);
    put(&w->facts, bits_of(value), 4);
}

void qn__gguf_add_bool(struct qn__gguf_writer *w, const char *key, bool value)
{
    begin_fact(w, key, QN__NUMBER_BOOL);
    put(&w->facts, value, 1);
}

void qn__gguf_add_text(struct qn__gguf_writer *w, const char *key, const char *value)
{
    begin_fact(w, key, TEXT);
    put_text(&w->facts, value, strlen(value));
}

void qn__gguf_begin_array(struct qn__gguf_writer *w, const char *key, uint32_t type, uint64_t n)
{
    begin_fact(w, key, ARRAY);
    put(&w->facts, type, 4);
    put(&w->facts, n, 8);
}

void qn__gguf_put_text(struct qn__gguf_writer *w, const char *text, size_t n_bytes)
{
    put_text(&w->facts, text, n_bytes);
}

void qn__gguf_put_number(struct qn__gguf_writer *w, uint64_t bits, uint32_t n_bytes)
{
    put(&w->facts, bits, n_bytes);
}

/* A number in the width it is stored in. */
static void put_value(struct qn__gguf_writer *w, enum qn__number number,
                      const struct qn__fact *value)
{
    uint64_t bits = 0;
    switch (value->kind) {
    case QN__FACT_U64: bits = value->value.u64; break;
    case QN__FACT_I64: bits = (uint64_t)value->value.i64; break;
    case QN__FACT_BOOL: bits = value->value.boolean; break;
    case QN__FACT_F64:
        bits = number == QN__NUMBER_F32 ? bits_of((float)value->value.f64)
                                        : wide_bits_of(value->value.f64);
        break;
    case QN__FACT_TEXT:
    case QN__FACT_ARRAY: break; /* are no numbers */
    }
    put(&w->facts, bits, qn__fact_bytes(number));
}

void qn__gguf_copy_fact(struct qn__gguf_writer *w, const struct qn__model_file *f,
                        const struct qn__fact *fact)
{
    const struct qn__stored_fact *stored = (const struct qn__stored_fact *)(const void *)fact;
    if (fact->kind == QN__FACT_TEXT) {
        begin_fact(w, fact->key, TEXT);
        put_text(&w->facts, fact->value.text.bytes, fact->value.text.n);
    } else if (fact->kind == QN__FACT_ARRAY) {
        const bool texts = fact->value.array.kind == QN__FACT_TEXT;
        qn__gguf_begin_array(w, fact->key, texts ? TEXT : stored->number, fact->value.array.n);
        for (uint64_t i = 0; i < fact->value.array.n; i++) {
            const struct qn__fact e = qn__fact_element(f, fact, i);
            if (texts)
                put_text(&w->facts, e.value.text.bytes, e.value.text.n);
            else
                put_value(w, stored->number, &e);
        }
    } else {
        begin_fact(w, fact->key, stored->number);
        put_value(w, stored->number, fact);
    }
}

/* -- tensors -- */

static uint64_t align(uint64_t n)
{
    return (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

qn_status qn__gguf_add_tensor(struct qn__gguf_writer *w, const char *name, uint32_t n_dims,
                              const uint64_t shape[4], const struct qn__format *format)
{
    struct qn__tensor t = {.name = name, .format = format, .n_dims = n_dims};
    memcpy(t.shape, shape, sizeof t.shape);
    QN_TRY(qn__tensor_measure(&t));
    if (w->n_tensors == w->tensors_capacity) {
        const uint32_t wanted = w->tensors_capacity ? w->tensors_capacity * 2 : 256;
        struct qn__gguf_output *more = realloc(w->outputs, wanted * sizeof *more);
        if (!more)
            return qn__fail(QN_E_MEMORY, "no memory for %u tensors", wanted);
        w->outputs = more;
        w->tensors_capacity = wanted;
    }
    put_text(&w->tensors, name, strlen(name));
    put(&w->tensors, n_dims, 4);
    for (uint32_t i = 0; i < n_dims; i++)
        put(&w->tensors, shape[i], 8);
    put(&w->tensors, format->gguf_type, 4);
    put(&w->tensors, w->data_bytes, 8);
    w->outputs[w->n_tensors++] = (struct qn__gguf_output){
        format, t.shape[0] * t.shape[1] * t.shape[2] * t.shape[3], w->data_bytes};
    w->data_bytes += align(t.bytes);
    return QN_OK;
}

void qn__gguf_writer_release(struct qn__gguf_writer *w)
{
    qn__str_release(&w->facts);
    qn__str_release(&w->tensors);
    free(w->outputs);
    *w = (struct qn__gguf_writer){0};
}

/* -- the file -- */

struct job {
    const struct qn__gguf_writer *w;
    qn__gguf_fill *fill;
    void *context;
    int fd;
    const char *path;
    uint64_t data_start;
    const uint64_t *first_pieces; /* of each tensor, and of the end */
    atomic_uint_fast64_t next_piece;
    atomic_bool failed;
    pthread_mutex_t lock;
    qn_status status; /* the first failure, and its message */
    struct qn__message message;
};

static qn_status write_at(int fd, const char *path, const void *bytes, size_t n, uint64_t at)
{
    for (size_t done = 0; done < n;) {
        const ssize_t wrote = pwrite(fd, (const char *)bytes + done, n - done, (off_t)(at + done));
        if (wrote < 0 && errno != EINTR)
            return qn__fail_errno("%s", path);
        if (wrote > 0)
            done += (size_t)wrote;
    }
    return QN_OK;
}

/* The tensor that a piece belongs to. */
static uint32_t tensor_of(const struct job *j, uint64_t piece)
{
    uint32_t low = 0, high = j->w->n_tensors;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (j->first_pieces[middle] <= piece)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static qn_status make_piece(struct job *j, uint64_t piece, void *blocks)
{
    const uint32_t tensor = tensor_of(j, piece);
    const struct qn__gguf_output *o = &j->w->outputs[tensor];
    const uint64_t first = (piece - j->first_pieces[tensor]) * QN__GGUF_PIECE_ELEMS;
    const uint64_t left = o->n_elems - first;
    const uint64_t n = left < QN__GGUF_PIECE_ELEMS ? left : QN__GGUF_PIECE_ELEMS;
    QN_TRY(j->fill(blocks, j->context, tensor, first, n));
    return write_at(j->fd, j->path, blocks, (size_t)qn__format_bytes(o->format, n),
                    j->data_start + o->offset + qn__format_bytes(o->format, first));
}

static void tell(const struct job *j, uint64_t piece)
{
    const uint32_t tensor = tensor_of(j, piece);
    const struct qn__gguf_output *o = &j->w->outputs[tensor];
    const uint64_t first = (piece - j->first_pieces[tensor]) * QN__GGUF_PIECE_ELEMS;
    j->w->progress(o->offset + qn__format_bytes(o->format, first), j->w->data_bytes, j->w->payload);
}

static void make_pieces(struct job *j, bool tells)
{
    void *blocks = malloc(QN__GGUF_PIECE_ELEMS * sizeof(float)); /* no format takes more */
    qn_status s = blocks ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for a piece of a tensor");
    const uint64_t end = j->first_pieces[j->w->n_tensors];
    while (s == QN_OK && !atomic_load(&j->failed)) {
        const uint64_t piece = atomic_fetch_add(&j->next_piece, 1);
        if (piece >= end)
            break;
        if (tells)
            tell(j, piece);
        s = make_piece(j, piece, blocks);
    }
    free(blocks);
    if (s != QN_OK && !atomic_exchange(&j->failed, true)) {
        pthread_mutex_lock(&j->lock);
        j->status = s;
        qn__message_save(&j->message);
        pthread_mutex_unlock(&j->lock);
    }
}

static void *work(void *argument)
{
    make_pieces(argument, false);
    return NULL;
}

static qn_status run_threads(struct job *j, uint32_t n_threads)
{
    pthread_t threads[THREADS_MAX];
    uint32_t n = 0;
    if (n_threads == 0)
        n_threads = qn__processors();
    if (n_threads > THREADS_MAX)
        n_threads = THREADS_MAX;
    while (n + 1 < n_threads && qn__thread_start(&threads[n], work, j))
        n++;
    /* this thread is one of them, so that there is always one */
    make_pieces(j, j->w->progress != NULL);
    while (n)
        pthread_join(threads[--n], NULL);
    if (atomic_load(&j->failed)) {
        qn__message_restore(&j->message);
        return j->status;
    }
    return QN_OK;
}

static qn_status write_head(struct job *j)
{
    const struct qn__gguf_writer *w = j->w;
    struct qn__str head = {0};
    qn__str_add(&head, "GGUF");
    put(&head, 3, 4);
    put(&head, w->n_tensors, 8);
    put(&head, w->n_facts, 8);
    qn__str_add_bytes(&head, w->facts.text, w->facts.len);
    qn__str_add_bytes(&head, w->tensors.text, w->tensors.len);
    j->data_start = align(head.len);
    qn_status s = qn__str_check(&head);
    if (s == QN_OK && ftruncate(j->fd, (off_t)(j->data_start + w->data_bytes)) != 0)
        s = qn__fail_errno("%s: %" PRIu64 " bytes", j->path, j->data_start + w->data_bytes);
    if (s == QN_OK)
        s = write_at(j->fd, j->path, head.text, head.len, 0);
    qn__str_release(&head);
    return s;
}

static qn_status write_file(struct job *j, const char *path, const char *private_path,
                            uint32_t n_threads)
{
    j->path = path;
    j->fd = open(private_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (j->fd < 0)
        return qn__fail_errno("%s", path);
    qn_status s = write_head(j);
    if (s == QN_OK)
        s = run_threads(j, n_threads);
    if (close(j->fd) != 0 && s == QN_OK)
        s = qn__fail_errno("%s", path);
    if (s == QN_OK && rename(private_path, path) != 0)
        s = qn__fail_errno("%s", path);
    if (s != QN_OK)
        unlink(private_path);
    return s;
}

qn_status qn__gguf_write(struct qn__gguf_writer *w, const char *path, qn__gguf_fill *fill,
                         void *context, uint32_t n_threads)
{
    QN_TRY(qn__str_check(&w->facts));
    QN_TRY(qn__str_check(&w->tensors));
    QN_TRY(qn__file_check_replaceable(path));
    struct job j = {.w = w, .fill = fill, .context = context, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct qn__str private_path = {0};
    uint64_t *first_pieces = qn__alloc(w->n_tensors + 1, sizeof *first_pieces);
    qn__str_printf(&private_path, "%s.%ld.part", path, (long)getpid());
    qn_status s = first_pieces ? qn__str_check(&private_path)
                               : qn__fail(QN_E_MEMORY, "no memory for %u tensors", w->n_tensors);
    for (uint32_t i = 0; i < w->n_tensors && s == QN_OK; i++)
        first_pieces[i + 1] = first_pieces[i] + (w->outputs[i].n_elems + QN__GGUF_PIECE_ELEMS - 1) /
                                                    QN__GGUF_PIECE_ELEMS;
    j.first_pieces = first_pieces;
    if (s == QN_OK)
        s = write_file(&j, path, private_path.text, n_threads);
    free(first_pieces);
    qn__str_release(&private_path);
    return s;
}
