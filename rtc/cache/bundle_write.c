/* SPDX-License-Identifier: Apache-2.0
 *
 * Making bundles; bundle_file.h has the layout.
 *
 * Entries are packed when they are added and sorted when the file is written. What a compiler
 * printed is left out: it may differ between two compiles that make the same image, and bundles are
 * reproducible. */
#include "rtc/cache/bundle_file.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/wire.h"
#include "rtc/cache/signed_entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

enum { LEVEL = 15 }; /* much smaller than the default; unpacking is as fast */

struct member {
    unsigned char row[QN__BUNDLE_ROW_BYTES]; /* without offset and target */
    char *target;
    struct qn__str stored;
};

struct qn_bundle_writer {
    struct member *members;
    uint32_t n, capacity;
    char title[QN__BUNDLE_NAME_MAX_BYTES + 1]; /* "": the file's name */
    uint64_t serial;                           /* 0: that of the moment */
};

qn_status qn_bundle_writer_create(qn_bundle_writer **out)
{
    QN_ARG_CHECK(out);
    *out = qn__alloc(1, sizeof **out);
    return *out ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for a bundle");
}

static void release_member(struct member *m)
{
    free(m->target);
    qn__str_release(&m->stored);
}

void qn_bundle_writer_destroy(qn_bundle_writer *w)
{
    if (!w)
        return;
    for (uint32_t i = 0; i < w->n; i++)
        release_member(&w->members[i]);
    free(w->members);
    free(w);
}

uint32_t qn_bundle_writer_count(const qn_bundle_writer *w)
{
    return w->n;
}

/* -- adding -- */

static bool is_there(const qn_bundle_writer *w, const unsigned char *source, const char *target)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (memcmp(w->members[i].row + QN__ROW_AT_SOURCE, source, QN__HASH_BYTES) == 0 &&
            strcmp(w->members[i].target, target) == 0)
            return true;
    return false;
}

/* Takes the member's memory, also when it fails. */
static qn_status append(qn_bundle_writer *w, struct member *m)
{
    qn_status s = qn__str_check(&m->stored);
    if (s == QN_OK && w->n == QN__BUNDLE_ENTRIES_MAX)
        s = qn__fail(QN_E_LIMIT, "a bundle holds at most %d entries", QN__BUNDLE_ENTRIES_MAX);
    if (s == QN_OK && w->n == w->capacity) {
        const uint32_t capacity = w->capacity ? w->capacity * 2 : 64;
        struct member *grown = realloc(w->members, capacity * sizeof *grown);
        if (grown) {
            w->members = grown;
            w->capacity = capacity;
        } else {
            s = qn__fail(QN_E_MEMORY, "no memory for %u entries of a bundle", capacity);
        }
    }
    if (s == QN_OK && !m->target)
        s = qn__fail(QN_E_MEMORY, "no memory for a bundle's entry");
    if (s != QN_OK) {
        release_member(m);
        return s;
    }
    w->members[w->n++] = *m;
    return QN_OK;
}

static bool from_hex(unsigned char out[QN__HASH_BYTES], const char *hex)
{
    size_t n;
    return strlen(hex) == QN__HASH_HEX - 1 &&
           sodium_hex2bin(out, QN__HASH_BYTES, hex, strlen(hex), NULL, &n, NULL) == 0 &&
           n == QN__HASH_BYTES;
}

static qn_status pack(struct qn__str *out, const struct qn__str *entry)
{
    const size_t bound = ZSTD_compressBound(entry->len);
    qn__str_add_repeat(out, 0, bound);
    QN_TRY(qn__str_check(out));
    const size_t n = ZSTD_compress(out->text, bound, entry->text, entry->len, LEVEL);
    if (ZSTD_isError(n))
        return qn__fail(QN_E_MEMORY, "zstd: %s", ZSTD_getErrorName(n));
    out->len = n;
    return QN_OK;
}

qn_status qn_bundle_writer_add_image(qn_bundle_writer *w, const qn_image *image)
{
    QN_ARG_CHECK(w && image);
    struct member m = {0};
    struct qn__str entry = {0};
    if (!from_hex(m.row + QN__ROW_AT_SOURCE, image->notes.source) ||
        !from_hex(m.row + QN__ROW_AT_KEY, image->notes.key))
        return qn__fail(QN_E_INVALID,
                        "an image for %s does not know its source: only images that "
                        "Quern compiled go into a bundle",
                        image->info.target);
    if (is_there(w, m.row + QN__ROW_AT_SOURCE, image->info.target))
        return QN_OK;
    qn__entry_encode(&entry, image, NULL, QN__ENTRY_FOR_AWAY);
    qn_status s = qn__str_check(&entry);
    if (s == QN_OK && entry.len > QN__ENTRY_LIMIT_BYTES)
        s = qn__fail(QN_E_LIMIT, "an image of %zu bytes is too large for a bundle", entry.len);
    if (s == QN_OK)
        s = pack(&m.stored, &entry);
    if (s == QN_OK) {
        qn__hash_of(m.row + QN__ROW_AT_HASH, m.stored.text, m.stored.len);
        qn__put_u32(m.row + QN__ROW_AT_STORED_N, (uint32_t)m.stored.len);
        qn__put_u32(m.row + QN__ROW_AT_ENTRY_N, (uint32_t)entry.len);
        qn__put_u32(m.row + QN__ROW_AT_KIND, image->info.kind);
        m.target = strdup(image->info.target);
        s = append(w, &m);
    } else {
        release_member(&m);
    }
    qn__str_release(&entry);
    return s;
}

qn_status qn_bundle_writer_add_entry(qn_bundle_writer *w, const qn_bundle *b, uint32_t index)
{
    QN_ARG_CHECK(w && b);
    struct member m = {0};
    qn_image *image; /* loaded only to check that it is whole */
    QN_TRY(qn_bundle_load(&image, b, index));
    if (qn_bundle_get_info((qn_bundle *)(uintptr_t)b)->is_old) { /* values of macros may be in it */
        const qn_status s = qn_bundle_writer_add_image(w, image);
        qn_image_release(image);
        return s;
    }
    qn_image_release(image);
    const char *target = qn__bundle_target(b, index);
    memcpy(m.row, qn__bundle_row(b, index), sizeof m.row);
    if (is_there(w, m.row + QN__ROW_AT_SOURCE, target))
        return QN_OK;
    qn__str_add_repeat(&m.stored, 0, qn__get_u32(m.row + QN__ROW_AT_STORED_N));
    qn_status s = qn__str_check(&m.stored);
    if (s == QN_OK)
        s = qn__bundle_read_stored((unsigned char *)m.stored.text, b, index);
    if (s != QN_OK) {
        release_member(&m);
        return s;
    }
    m.target = strdup(target);
    return append(w, &m);
}

/* -- writing -- */

static int by_source_and_target(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    const int order = memcmp(x->row, y->row, QN__HASH_BYTES);
    return order ? order : strcmp(x->target, y->target);
}

/* Rows and strings; equal targets share one string. Members are sorted. */
static void add_index(struct qn__str *out, qn_bundle_writer *w, const char *title)
{
    struct qn__str strings = {0};
    const char *const none = "";
    const size_t index = out->len;
    uint64_t offset = 0;
    qn__str_add_bytes(&strings, title, strlen(title) + 1);
    const size_t targets = strings.len;
    for (uint32_t i = 0; i < w->n; i++) {
        struct member *m = &w->members[i];
        size_t at = targets;
        while (at < strings.len && strcmp(strings.text + at, m->target) != 0)
            at += strlen(strings.text + at) + 1;
        if (at == strings.len)
            qn__str_add_bytes(&strings, m->target, strlen(m->target) + 1);
        qn__put_u32(m->row + QN__ROW_AT_TARGET, (uint32_t)at);
        qn__put_u64(m->row + QN__ROW_AT_OFFSET, offset);
        offset += m->stored.len;
    }
    const uint64_t payloads = index + (uint64_t)w->n * QN__BUNDLE_ROW_BYTES + strings.len;
    for (uint32_t i = 0; i < w->n; i++) {
        unsigned char *row = w->members[i].row;
        qn__put_u64(row + QN__ROW_AT_OFFSET, payloads + qn__get_u64(row + QN__ROW_AT_OFFSET));
        qn__str_add_bytes(out, row, QN__BUNDLE_ROW_BYTES);
    }
    qn__str_add_bytes(out, strings.text ? strings.text : none, strings.len);
    out->failed = out->failed || strings.failed;
    if (!out->failed) {
        unsigned char *head = (unsigned char *)out->text;
        qn__put_u64(head + QN__BUNDLE_AT_STRINGS_N, strings.len);
        qn__put_u64(head + QN__BUNDLE_AT_LENGTH, payloads + offset);
        qn__hash_of(head + QN__BUNDLE_AT_INDEX_HASH, head + index, out->len - index);
    }
    qn__str_release(&strings);
}

/* The public key is part of what is signed, so it is written first. */
static qn_status sign(unsigned char *head, const char *secret, uint64_t serial)
{
    struct qn__secret key;
    unsigned char text[QN__BUNDLE_SIGNED_BYTES];
    QN_TRY(qn__secret_parse(&key, secret));
    qn__put_u64(head + QN__BUNDLE_AT_SERIAL, serial);
    qn_status s = qn__secret_public(head + QN__BUNDLE_AT_SIGNER, &key);
    qn__bundle_signed_text(text, head);
    if (s == QN_OK)
        s = qn__secret_sign(head + QN__BUNDLE_AT_SIGNATURE, &key, text, sizeof text);
    qn__secret_forget(&key);
    return s;
}

/* Seconds since 1970: now, or when a reproducible build says that it is. */
static uint64_t serial_of_now(void)
{
    const char *fixed = qn__getenv("SOURCE_DATE_EPOCH");
    char *end;
    const unsigned long long v = fixed ? strtoull(fixed, &end, 10) : 0;
    const bool is_number = fixed && fixed[0] >= '0' && fixed[0] <= '9' && !*end;
    return is_number ? (uint64_t)v : (uint64_t)time(NULL);
}

qn_status qn_bundle_writer_set_version(qn_bundle_writer *w, const char *title, uint64_t serial)
{
    QN_ARG_CHECK(w);
    if (title && !qn__bundle_is_name(title))
        return qn__fail(QN_E_INVALID, "a bundle's name has at most %d bytes and is printable",
                        QN__BUNDLE_NAME_MAX_BYTES);
    QN__TEXT_JOIN(w->title, sizeof w->title, title ? title : "");
    w->serial = serial;
    return QN_OK;
}

qn_status qn_bundle_writer_write(qn_bundle_writer *w, const char *path, const char *secret)
{
    QN_ARG_CHECK(w && path);
    struct qn__str file = {0};
    const char *title = !secret ? "" : w->title[0] ? w->title : qn__path_base(path);
    if (!qn__bundle_is_name(title))
        return qn__fail(QN_E_INVALID,
                        "bundle %s: the file's name is too long for a name to sign, or "
                        "not printable; set another one",
                        path);
    if (w->n)
        qsort(w->members, w->n, sizeof *w->members, by_source_and_target);
    qn__str_add_repeat(&file, 0, QN__BUNDLE_HEAD_BYTES);
    if (!file.failed) {
        memcpy(file.text, qn__bundle_magic, sizeof qn__bundle_magic);
        qn__put_u32((unsigned char *)file.text + QN__BUNDLE_AT_FORMAT, QN__BUNDLE_FORMAT);
        qn__put_u32((unsigned char *)file.text + QN__BUNDLE_AT_N, w->n);
    }
    add_index(&file, w, title);
    for (uint32_t i = 0; i < w->n; i++)
        qn__str_add_bytes(&file, w->members[i].stored.text, w->members[i].stored.len);
    qn_status s = qn__str_check(&file);
    if (s == QN_OK && secret)
        s = sign((unsigned char *)file.text, secret, w->serial ? w->serial : serial_of_now());
    if (s == QN_OK)
        s = qn__file_write_atomic(path, file.text, file.len, 0644);
    qn__str_release(&file);
    return s;
}

qn_status qn_bundle_public_key(char public_[QN_BUNDLE_KEY_TEXT], const char *secret)
{
    QN_ARG_CHECK(public_ && secret);
    struct qn__secret key;
    unsigned char open_key[crypto_sign_PUBLICKEYBYTES];
    public_[0] = 0;
    QN_TRY(qn__secret_parse(&key, secret));
    const qn_status s = qn__secret_public(open_key, &key);
    qn__secret_forget(&key);
    if (s == QN_OK)
        qn__hash_to_hex(public_, open_key);
    return s;
}

void qn_bundle_make_keys(char secret[QN_BUNDLE_KEY_TEXT], char public_[QN_BUNDLE_KEY_TEXT])
{
    unsigned char seed[crypto_sign_SEEDBYTES], key[crypto_sign_SECRETKEYBYTES];
    unsigned char open_key[crypto_sign_PUBLICKEYBYTES];
    secret[0] = public_[0] = 0;
    if (sodium_init() < 0)
        return;
    randombytes_buf(seed, sizeof seed);
    crypto_sign_seed_keypair(open_key, key, seed);
    qn__hash_to_hex(secret, seed);
    qn__hash_to_hex(public_, open_key);
    sodium_memzero(seed, sizeof seed);
    sodium_memzero(key, sizeof key);
}
