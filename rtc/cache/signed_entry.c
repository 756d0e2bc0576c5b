/* SPDX-License-Identifier: Apache-2.0
 *
 * Signing entries and secret keys; signed_entry.h has the layout. */
#include "rtc/cache/signed_entry.h"

#include "base/file.h"
#include "base/wire.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_FILE_LIMIT_BYTES = 4096, PHRASE_BYTES = 16 };

static const char magic[8] = {'Q', 'U', 'E', 'R', 'N', 'S', 'I', 'G'};
static const char phrase[PHRASE_BYTES] = "Quern entry 1\n";

/* -- secret keys -- */

qn_status qn__secret_parse(struct qn__secret *out, const char *text)
{
    size_t n = 0;
    const size_t digits = strlen(text);
    if (digits == 2 * sizeof out->seed &&
        sodium_hex2bin(out->seed, sizeof out->seed, text, digits, NULL, &n, NULL) == 0 &&
        n == sizeof out->seed)
        return QN_OK;
    qn__secret_forget(out);
    return qn__fail(QN_E_INVALID, "the secret key is not one of 64 hex digits");
}

qn_status qn__secret_read(struct qn__secret *out, const char *path)
{
    char *text;
    size_t n;
    QN_TRY(qn__file_read(&text, &n, path, KEY_FILE_LIMIT_BYTES));
    const size_t blank = strspn(text, " \t\r\n");
    text[blank + strcspn(text + blank, " \t\r\n")] = 0;
    const qn_status s = qn__secret_parse(out, text + blank);
    sodium_memzero(text, n);
    free(text);
    return s == QN_OK ? s
                      : qn__fail(QN_E_INVALID,
                                 "%s: no secret key of 64 hex digits (quern bundle keygen makes "
                                 "one)",
                                 path);
}

void qn__secret_forget(struct qn__secret *s)
{
    sodium_memzero(s->seed, sizeof s->seed);
}

static qn_status open_pair(unsigned char public_[crypto_sign_PUBLICKEYBYTES],
                           unsigned char pair[crypto_sign_SECRETKEYBYTES],
                           const struct qn__secret *s)
{
    if (sodium_init() < 0)
        return qn__fail(QN_E_UNSUPPORTED, "libsodium does not start: nothing can be signed");
    crypto_sign_seed_keypair(public_, pair, s->seed);
    return QN_OK;
}

qn_status qn__secret_public(unsigned char public_[crypto_sign_PUBLICKEYBYTES],
                            const struct qn__secret *s)
{
    unsigned char pair[crypto_sign_SECRETKEYBYTES];
    QN_TRY(open_pair(public_, pair, s));
    sodium_memzero(pair, sizeof pair);
    return QN_OK;
}

qn_status qn__secret_sign(unsigned char signature[crypto_sign_BYTES], const struct qn__secret *s,
                          const void *text, size_t n)
{
    unsigned char public_[crypto_sign_PUBLICKEYBYTES], pair[crypto_sign_SECRETKEYBYTES];
    QN_TRY(open_pair(public_, pair, s));
    crypto_sign_detached(signature, NULL, text, n, pair);
    sodium_memzero(pair, sizeof pair);
    return QN_OK;
}

/* -- entries -- */

struct signed_text {
    unsigned char bytes[PHRASE_BYTES + QN__HASH_BYTES];
};

static struct signed_text text_of(const void *entry, size_t n)
{
    struct signed_text t;
    memcpy(t.bytes, phrase, PHRASE_BYTES);
    qn__hash_of(t.bytes + PHRASE_BYTES, entry, n);
    return t;
}

qn_status qn__signed_wrap(struct qn__str *out, const struct qn__str *entry,
                          const struct qn__secret *secret)
{
    unsigned char head[QN__SIGNED_HEAD_BYTES] = {0};
    QN_TRY(qn__str_check(entry));
    const struct signed_text text = text_of(entry->text, entry->len);
    memcpy(head, magic, sizeof magic);
    qn__put_u32(head + QN__SIGNED_AT_FORMAT, QN__SIGNED_FORMAT);
    QN_TRY(qn__secret_public(head + QN__SIGNED_AT_SIGNER, secret));
    QN_TRY(qn__secret_sign(head + QN__SIGNED_AT_SIGNATURE, secret, text.bytes, sizeof text.bytes));
    qn__str_add_bytes(out, head, sizeof head);
    qn__str_add_bytes(out, entry->text, entry->len);
    return qn__str_check(out);
}

qn_status qn__signed_open(size_t *entry_at, char signer[QN__HASH_HEX], const void *bytes, size_t n)
{
    const unsigned char *head = bytes;
    *entry_at = 0;
    signer[0] = 0;
    if (n < sizeof magic || memcmp(head, magic, sizeof magic) != 0)
        return QN_OK;
    if (n < QN__SIGNED_HEAD_BYTES)
        return qn__fail(QN_E_CORRUPT, "a signed image, cut short at %zu bytes", n);
    const uint32_t format = qn__get_u32(head + QN__SIGNED_AT_FORMAT);
    if (format != QN__SIGNED_FORMAT || qn__get_u32(head + QN__SIGNED_AT_FORMAT + 4) != 0)
        return qn__fail(QN_E_UNSUPPORTED,
                        "a signed image of format %u; this version reads format %d", format,
                        QN__SIGNED_FORMAT);
    const struct signed_text text =
        text_of(head + QN__SIGNED_HEAD_BYTES, n - QN__SIGNED_HEAD_BYTES);
    if (sodium_init() < 0 ||
        crypto_sign_verify_detached(head + QN__SIGNED_AT_SIGNATURE, text.bytes, sizeof text.bytes,
                                    head + QN__SIGNED_AT_SIGNER) != 0)
        return qn__fail(QN_E_CORRUPT, "a signed image of %zu bytes: its signature is wrong", n);
    qn__hash_to_hex(signer, head + QN__SIGNED_AT_SIGNER);
    *entry_at = QN__SIGNED_HEAD_BYTES;
    return QN_OK;
}
