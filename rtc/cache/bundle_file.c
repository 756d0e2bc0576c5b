/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading bundles; bundle_file.h has the layout, bundle_write.c the other half.
 *
 * Opening costs one read of the index, one hash over it and one pass that checks each row: offsets
 * without gaps, targets inside the strings, strict order. After that a row is searched by bisection
 * and trusted in everything but its payload. */
#define _GNU_SOURCE
#include "rtc/cache/bundle_file.h"

#include "base/descriptors.h"
#include "base/file.h"
#include "base/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

const char qn__bundle_magic[8] = {'Q', 'U', 'E', 'R', 'N', 'B', 'D', 'L'};

struct qn_bundle {
    struct qn__fd file; /* none: bytes */
    const unsigned char *bytes;
    uint32_t n;
    unsigned char *index; /* rows, strings; malloc'd */
    const char *strings;
    uint32_t head_n;       /* of its format */
    pthread_mutex_t lock;  /* guards the unpacker and info */
    ZSTD_DCtx *unpacker;   /* one at a time; a second thread brings its own */
    struct qn__arena list; /* entries of info, made when asked for */
    qn_bundle_info info;
    char from[4096 + 7]; /* "bundle NAME": the origin of what is in it */
    const char *name;    /* inside */
    char signer[QN__HASH_HEX];
};

/* -- reading bytes -- */

static qn_status damaged(const qn_bundle *b, const char *what)
{
    return qn__fail(QN_E_CORRUPT, "bundle %s: %s", b->name, what);
}

static qn_status read_at(const qn_bundle *b, void *out, uint64_t offset, size_t n)
{
    if (offset > b->info.size_bytes || n > b->info.size_bytes - offset)
        return damaged(b, "cut short");
    if (b->bytes) {
        memcpy(out, b->bytes + offset, n);
        return QN_OK;
    }
    if (!qn__fd_is_ours(&b->file))
        return qn__fail(QN_E_IO, "bundle %s: the program has closed its descriptor", b->name);
    for (size_t got = 0; got < n;) {
        const ssize_t r = pread(b->file.fd, (char *)out + got, n - got, (off_t)(offset + got));
        if (r < 0 && errno == EINTR)
            continue;
        if (r < 0)
            return qn__fail_errno("bundle %s", b->name);
        if (r == 0)
            return damaged(b, "cut short since it was opened");
        got += (size_t)r;
    }
    return QN_OK;
}

/* -- opening -- */

void qn__bundle_signed_text(unsigned char *out, const unsigned char *head)
{
    memcpy(out, "Quern bundle 2\n", 16);
    memcpy(out + 16, head, QN__BUNDLE_AT_SIGNATURE);
}

static bool is_zero(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

bool qn__bundle_is_name(const char *name)
{
    for (const char *p = name; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            return false;
    return strlen(name) <= QN__BUNDLE_NAME_MAX_BYTES;
}

static qn_status check_signature(qn_bundle *b, const unsigned char *head)
{
    unsigned char text[QN__BUNDLE_SIGNED_BYTES];
    const unsigned char *signer = head + QN__BUNDLE_AT_SIGNER;
    const unsigned char *signature = head + QN__BUNDLE_AT_SIGNATURE;
    const uint64_t serial = qn__get_u64(head + QN__BUNDLE_AT_SERIAL);
    if (!qn__bundle_is_name(b->strings))
        return damaged(b, "its name is none");
    if (is_zero(signer, QN__BUNDLE_PUBLIC_BYTES))
        return is_zero(signature, QN__BUNDLE_SIGNATURE_BYTES) && !serial && !b->strings[0]
                   ? QN_OK
                   : damaged(b, "a signature without a signer");
    qn__bundle_signed_text(text, head);
    if (sodium_init() < 0 || crypto_sign_verify_detached(signature, text, sizeof text, signer) != 0)
        return damaged(b, "its signature is wrong");
    qn__hash_to_hex(b->signer, signer);
    b->info.serial = serial;
    b->info.title = b->strings;
    return QN_OK;
}

/* Every row: inside the file, without gaps, in strict order. */
static qn_status check_rows(const qn_bundle *b, uint64_t payloads, uint64_t strings_n)
{
    uint64_t offset = payloads;
    for (uint32_t i = 0; i < b->n; i++) {
        const unsigned char *row = qn__bundle_row(b, i),
                            *last = i ? row - QN__BUNDLE_ROW_BYTES : NULL;
        const uint32_t stored_n = qn__get_u32(row + QN__ROW_AT_STORED_N);
        const uint32_t entry_n = qn__get_u32(row + QN__ROW_AT_ENTRY_N);
        const uint32_t kind = qn__get_u32(row + QN__ROW_AT_KIND);
        const uint32_t target = qn__get_u32(row + QN__ROW_AT_TARGET);
        if (qn__get_u64(row + QN__ROW_AT_OFFSET) != offset || stored_n == 0 ||
            stored_n > b->info.size_bytes - offset || entry_n < QN__ENTRY_HEAD_BYTES ||
            entry_n > QN__ENTRY_LIMIT_BYTES || target >= strings_n || kind < QN_IMAGE_CUBIN ||
            kind > QN_IMAGE_SHARED_OBJECT)
            return damaged(b, "a row of its index makes no sense");
        offset += stored_n;
        const int order = last ? memcmp(last, row, QN__HASH_BYTES) : -1;
        if (order > 0 || (order == 0 && strcmp(b->strings + qn__get_u32(last + QN__ROW_AT_TARGET),
                                               b->strings + target) >= 0))
            return damaged(b, "its index is not in order");
    }
    return offset == b->info.size_bytes ? QN_OK : damaged(b, "bytes that belong to no entry");
}

/* Of both formats; what they have in common lies at the same offsets. */
static qn_status read_format(qn_bundle *b, const unsigned char *head)
{
    const uint32_t format = qn__get_u32(head + QN__BUNDLE_AT_FORMAT);
    if (memcmp(head, qn__bundle_magic, sizeof qn__bundle_magic) != 0)
        return damaged(b, "not a bundle of Quern's");
    if (format != QN__BUNDLE_FORMAT && format != QN__BUNDLE_OLD_FORMAT)
        return qn__fail(QN_E_UNSUPPORTED, "bundle %s: format %u; this version reads format %d",
                        b->name, format, QN__BUNDLE_FORMAT);
    b->info.is_old = format == QN__BUNDLE_OLD_FORMAT;
    b->head_n = b->info.is_old ? QN__BUNDLE_OLD_HEAD_BYTES : QN__BUNDLE_HEAD_BYTES;
    return b->info.size_bytes < b->head_n ? damaged(b, "too short for a bundle") : QN_OK;
}

static qn_status read_index(qn_bundle *b, const unsigned char *head)
{
    unsigned char sum[QN__HASH_BYTES];
    const uint64_t n = qn__get_u32(head + QN__BUNDLE_AT_N);
    const uint64_t strings_n = qn__get_u64(head + QN__BUNDLE_AT_STRINGS_N);
    QN_TRY(read_format(b, head));
    if (qn__get_u64(head + QN__BUNDLE_AT_LENGTH) != b->info.size_bytes)
        return damaged(b, "cut short or grown");
    const uint64_t index_n = n * QN__BUNDLE_ROW_BYTES + strings_n;
    if (n > QN__BUNDLE_ENTRIES_MAX || strings_n > QN__BUNDLE_STRINGS_MAX_BYTES ||
        index_n > b->info.size_bytes - b->head_n)
        return damaged(b, "its index is larger than the file");
    b->index = malloc((size_t)index_n + 1);
    if (!b->index)
        return qn__fail(QN_E_MEMORY, "no memory for the index of bundle %s", b->name);
    qn__hash_expect_much();
    QN_TRY(read_at(b, b->index, b->head_n, (size_t)index_n));
    qn__hash_of(sum, b->index, (size_t)index_n);
    if (memcmp(sum, head + QN__BUNDLE_AT_INDEX_HASH, sizeof sum) != 0)
        return damaged(b, "the checksum of its index does not match");
    if (strings_n ? b->index[index_n - 1] != 0 : !b->info.is_old)
        return damaged(b, "its strings do not end");
    b->n = (uint32_t)n;
    b->strings = (const char *)b->index + n * QN__BUNDLE_ROW_BYTES;
    QN_TRY(check_rows(b, b->head_n + index_n, strings_n));
    return b->info.is_old ? QN_OK : check_signature(b, head);
}

static qn_status finish_open(qn_bundle **out, qn_bundle *b)
{
    unsigned char head[QN__BUNDLE_HEAD_BYTES] = {0};
    const uint64_t n = b->info.size_bytes < sizeof head ? b->info.size_bytes : sizeof head;
    qn_status s = n < QN__BUNDLE_OLD_HEAD_BYTES ? damaged(b, "too short for a bundle")
                                                : read_at(b, head, 0, (size_t)n);
    if (s == QN_OK)
        s = read_index(b, head);
    if (s != QN_OK) {
        qn_bundle_close(b);
        return s;
    }
    *out = b;
    return QN_OK;
}

static qn_bundle *allocate(const char *name)
{
    static const char origin[] = "bundle ";
    qn_bundle *b = qn__alloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->file.fd = -1;
    b->info.title = "";
    pthread_mutex_init(&b->lock, NULL);
    QN__TEXT_JOIN(b->from, sizeof b->from, origin, name);
    b->name = b->from + sizeof origin - 1;
    return b;
}

qn_status qn__bundle_open_bytes(qn_bundle **out, const char *name, const void *bytes, size_t n)
{
    *out = NULL;
    qn_bundle *b = allocate(name);
    if (!b)
        return qn__fail(QN_E_MEMORY, "no memory for bundle %s", name);
    b->bytes = bytes ? bytes : "";
    b->info.size_bytes = n;
    return finish_open(out, b);
}

qn_status qn__bundle_open_file(qn_bundle **out, const char *name, int fd)
{
    struct stat st;
    *out = NULL;
    qn_bundle *b = allocate(name);
    if (!b) {
        close(fd);
        return qn__fail(QN_E_MEMORY, "no memory for bundle %s", name);
    }
    b->file = qn__fd_of(fd);
    qn_status s = QN_OK;
    if (b->file.fd < 0 || fstat(fd, &st) != 0)
        s = qn__fail_errno("bundle %s", name);
    else if (!S_ISREG(st.st_mode))
        s = qn__fail(QN_E_IO, "bundle %s: not a regular file", name);
    if (s != QN_OK) {
        qn_bundle_close(b);
        return s;
    }
    b->info.size_bytes = (uint64_t)st.st_size;
    return finish_open(out, b);
}

qn_status qn_bundle_open(qn_bundle **out, const char *path)
{
    QN_ARG_CHECK(out && path);
    *out = NULL;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    return fd >= 0 ? qn__bundle_open_file(out, path, fd) : qn__fail_errno("bundle %s", path);
}

void qn_bundle_close(qn_bundle *b)
{
    if (!b)
        return;
    qn__fd_close(&b->file);
    ZSTD_freeDCtx(b->unpacker);
    qn__arena_release(&b->list);
    pthread_mutex_destroy(&b->lock);
    free(b->index);
    free(b);
}

void qn__bundle_begin_child(qn_bundle *b)
{
    pthread_mutex_init(&b->lock, NULL);
    b->unpacker = NULL; /* it may be in the middle of something */
}

void qn__bundle_close_file(qn_bundle *b)
{
    qn__fd_close(&b->file);
}

/* -- looking -- */

const unsigned char *qn__bundle_row(const qn_bundle *b, uint32_t row)
{
    return b->index + (size_t)row * QN__BUNDLE_ROW_BYTES;
}

const char *qn__bundle_target(const qn_bundle *b, uint32_t row)
{
    return b->strings + qn__get_u32(qn__bundle_row(b, row) + QN__ROW_AT_TARGET);
}

uint32_t qn__bundle_find(uint32_t *first, const qn_bundle *b,
                         const unsigned char source[QN__HASH_BYTES])
{
    uint32_t low = 0, high = b->n;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (memcmp(qn__bundle_row(b, middle), source, QN__HASH_BYTES) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    uint32_t n = 0;
    while (low + n < b->n && memcmp(qn__bundle_row(b, low + n), source, QN__HASH_BYTES) == 0)
        n++;
    return n;
}

/* Under the lock. None without memory. */
static void make_list(qn_bundle *b)
{
    qn_bundle_entry *entries = QN__ARENA_ARRAY(&b->list, qn_bundle_entry, b->n);
    for (uint32_t i = 0; entries && i < b->n; i++) {
        const unsigned char *row = qn__bundle_row(b, i);
        char *hex = qn__arena_alloc(&b->list, 2, QN__HASH_HEX);
        if (!hex)
            return;
        qn__hash_to_hex(hex, row + QN__ROW_AT_SOURCE);
        qn__hash_to_hex(hex + QN__HASH_HEX, row + QN__ROW_AT_KEY);
        entries[i] = (qn_bundle_entry){
            .target = qn__bundle_target(b, i),
            .kind = (qn_image_kind)qn__get_u32(row + QN__ROW_AT_KIND),
            .source = hex,
            .key = hex + QN__HASH_HEX,
            .stored_bytes = qn__get_u32(row + QN__ROW_AT_STORED_N),
            .entry_bytes = qn__get_u32(row + QN__ROW_AT_ENTRY_N),
        };
    }
    b->info.entries = entries;
}

const qn_bundle_info *qn_bundle_get_info(qn_bundle *b)
{
    pthread_mutex_lock(&b->lock);
    if (!b->info.entries)
        make_list(b);
    b->info.n_entries = b->n;
    b->info.name = b->name;
    b->info.signer = b->signer;
    pthread_mutex_unlock(&b->lock);
    return &b->info;
}

/* -- entries -- */

qn_status qn__bundle_read_stored(unsigned char *out, const qn_bundle *b, uint32_t row)
{
    unsigned char sum[QN__HASH_BYTES];
    const unsigned char *r = qn__bundle_row(b, row);
    const uint32_t n = qn__get_u32(r + QN__ROW_AT_STORED_N);
    QN_TRY(read_at(b, out, qn__get_u64(r + QN__ROW_AT_OFFSET), n));
    qn__hash_of(sum, out, n);
    if (memcmp(sum, r + QN__ROW_AT_HASH, sizeof sum) != 0)
        return damaged(b, "the checksum of an entry does not match");
    return QN_OK;
}

static qn_status unpack(unsigned char *out, uint32_t n, qn_bundle *b, const unsigned char *stored,
                        uint32_t stored_n)
{
    const bool ours = pthread_mutex_trylock(&b->lock) == 0;
    ZSTD_DCtx *unpacker = ours ? b->unpacker : NULL;
    if (!unpacker)
        unpacker = ZSTD_createDCtx();
    const size_t got = unpacker ? ZSTD_decompressDCtx(unpacker, out, n, stored, stored_n) : 0;
    if (ours) {
        b->unpacker = unpacker;
        pthread_mutex_unlock(&b->lock);
    } else {
        ZSTD_freeDCtx(unpacker);
    }
    if (!unpacker)
        return qn__fail(QN_E_MEMORY, "bundle %s: no memory to unpack an entry", b->name);
    return got == n ? QN_OK : damaged(b, "an entry does not unpack");
}

static qn_status set_origin(qn_image **out, const qn_bundle *b)
{
    const qn_status s = qn__image_set_origin(*out, &(struct qn__image_origin){b->from, b->signer});
    if (s != QN_OK) {
        qn_image_release(*out);
        *out = NULL;
    }
    return s;
}

static qn_status read_entry(qn_image **out, struct qn__entry_log *log, struct qn__arena *arena,
                            const qn_bundle *bundle, uint32_t row, bool trusted)
{
    qn_bundle *b = (qn_bundle *)(uintptr_t)bundle; /* only the unpacker changes */
    const unsigned char *r = qn__bundle_row(b, row);
    const uint32_t n = qn__get_u32(r + QN__ROW_AT_ENTRY_N);
    const uint32_t stored_n = qn__get_u32(r + QN__ROW_AT_STORED_N);
    char hex[QN__HASH_HEX];
    unsigned char *stored = malloc(stored_n), *entry = malloc((size_t)n + 1);
    *out = NULL;
    qn_status s = stored && entry ? qn__bundle_read_stored(stored, b, row)
                                  : qn__fail(QN_E_MEMORY,
                                             "bundle %s: no memory for an entry of %u "
                                             "bytes",
                                             b->name, n);
    if (s == QN_OK && ZSTD_getFrameContentSize(stored, stored_n) != n)
        s = damaged(b, "an entry's length differs from its row's");
    if (s == QN_OK)
        s = unpack(entry, n, b, stored, stored_n);
    if (s == QN_OK) {
        entry[n] = 0;
        s = trusted ? qn__entry_adopt_trusted(out, log, arena, (char *)entry, n)
                    : qn__entry_adopt(out, log, arena, (char *)entry, n);
        entry = NULL;
    }
    if (s == QN_OK)
        s = set_origin(out, b);
    if (s == QN_OK) {
        qn__hash_to_hex(hex, r + QN__ROW_AT_KEY);
        const bool same = strcmp((*out)->notes.key, hex) == 0 &&
                          strcmp((*out)->info.target, qn__bundle_target(b, row)) == 0 &&
                          (uint32_t)(*out)->info.kind == qn__get_u32(r + QN__ROW_AT_KIND);
        qn__hash_to_hex(hex, r + QN__ROW_AT_SOURCE);
        if (!same || strcmp((*out)->notes.source, hex) != 0) {
            s = damaged(b, "an entry is not the one that its row names");
            qn_image_release(*out);
            *out = NULL;
        }
    }
    free(entry);
    free(stored);
    return s;
}

qn_status qn__bundle_read(qn_image **out, struct qn__entry_log *log, struct qn__arena *arena,
                          const qn_bundle *b, uint32_t row)
{
    return read_entry(out, log, arena, b, row, true);
}

qn_status qn_bundle_load(qn_image **out, const qn_bundle *b, uint32_t index)
{
    QN_ARG_CHECK(out && b);
    *out = NULL;
    if (index >= b->n)
        return qn__fail(QN_E_INVALID, "bundle %s: entry %u of %u", b->name, index, b->n);
    return read_entry(out, NULL, NULL, b, index, false);
}
