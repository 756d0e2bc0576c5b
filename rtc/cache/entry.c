/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing and reading entries; entry.h has the layout. Fields of unknown tags are skipped: a newer
 * writer of the same format version may add some. */
#include "rtc/cache/entry.h"

#include "base/hash.h"
#include "base/wire.h"
#include "rtc/cache/hidden_values.h"

#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'Q', 'U', 'E', 'R', 'N', 'I', 'M', 'G'};

enum { AT_FORMAT = 8, AT_FIELDS_N = 12, AT_PAYLOAD_N = 16, AT_CHECKSUM = 24 };

enum {
    E_KEY = 1,
    E_REQUEST,
    E_TARGET,
    E_KIND,
    E_COMPILER,
    E_REFLECTION,
    E_DIAGNOSTICS,
    E_RAW,
    E_FIELDS,
    E_SHAPES,
    E_SOURCE,
    E_FROM, /* older versions wrote none: then it is unknown */
    E_SIGNER
};

_Static_assert(AT_CHECKSUM - AT_FORMAT == QN__CHECKSUM_BYTES &&
                   AT_CHECKSUM + QN__CHECKSUM_BYTES == QN__ENTRY_HEAD_BYTES,
               "format and lengths are the checksum's key, and nothing of the head is left out");

static void checksum(unsigned char out[QN__CHECKSUM_BYTES], const unsigned char *bytes, size_t n)
{
    qn__checksum_of(out, bytes + AT_FORMAT, bytes + QN__ENTRY_HEAD_BYTES, n - QN__ENTRY_HEAD_BYTES);
}

static void add_notes(struct qn__str *out, const qn_image *image, enum qn__entry_for whom)
{
    struct qn__str hidden = {0};
    if (whom == QN__ENTRY_FOR_AWAY)
        qn__values_hide(&hidden, image->notes.fields);
    qn__wire_text(out, E_FIELDS, hidden.text ? hidden.text : image->notes.fields);
    qn__wire_text(out, E_SHAPES, image->notes.shapes);
    qn__wire_text(out, E_SOURCE, image->notes.source);
    if (whom == QN__ENTRY_FOR_HERE && image->origin.from[0])
        qn__wire_text(out, E_FROM, image->origin.from);
    if (whom == QN__ENTRY_FOR_HERE && image->origin.signer[0])
        qn__wire_text(out, E_SIGNER, image->origin.signer);
    out->failed |= hidden.failed;
    qn__str_release(&hidden);
}

void qn__entry_encode(struct qn__str *out, const qn_image *image, const struct qn__entry_log *log,
                      enum qn__entry_for whom)
{
    const struct qn__image_notes *notes = &image->notes;
    const size_t start = out->len;
    const qn_image_info *info = &image->info;
    qn__str_add_repeat(out, 0, QN__ENTRY_HEAD_BYTES);
    qn__wire_text(out, E_KEY, notes->key);
    qn__wire_text(out, E_REQUEST, notes->request);
    qn__wire_text(out, E_TARGET, info->target);
    qn__wire_u32(out, E_KIND, info->kind);
    qn__wire_text(out, E_COMPILER, info->compiler);
    qn__wire_bytes(out, E_REFLECTION, image->reflection_wire, image->reflection_wire_n);
    qn__wire_text(out, E_DIAGNOSTICS, log ? log->diagnostics : "");
    qn__wire_text(out, E_RAW, log ? log->raw : "");
    add_notes(out, image, whom);
    const size_t fields_n = out->len - start - QN__ENTRY_HEAD_BYTES;
    qn__str_add_bytes(out, info->bytes, info->size_bytes);
    if (out->failed || fields_n > UINT32_MAX) {
        out->failed = true;
        return;
    }
    unsigned char *head = (unsigned char *)out->text + start;
    memcpy(head, magic, sizeof magic);
    qn__put_u32(head + AT_FORMAT, QN__ENTRY_FORMAT);
    qn__put_u32(head + AT_FIELDS_N, (uint32_t)fields_n);
    qn__put_u64(head + AT_PAYLOAD_N, info->size_bytes);
    checksum(head + AT_CHECKSUM, head, out->len - start);
}

bool qn__entry_is(const void *bytes, size_t n)
{
    return n >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

struct fields {
    const char *target, *compiler;
    uint32_t kind;
    struct qn__wire_field reflection;
    struct qn__image_notes notes;
    struct qn__image_origin origin;
    struct qn__entry_log log;
};

static qn_status damaged_fields(size_t n)
{
    return qn__fail(QN_E_CORRUPT, "%zu bytes of damaged fields", n);
}

static qn_status text_of(const char **out, struct qn__arena *arena, struct qn__wire_field f)
{
    if (memchr(f.bytes, 0, f.n))
        return damaged_fields(f.n);
    *out = qn__arena_strndup(arena, (const char *)f.bytes, f.n);
    return *out ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for an image's fields");
}

static qn_status read_fields(struct fields *out, struct qn__arena *arena,
                             const unsigned char *bytes, size_t n)
{
    struct qn__wire_reader r = qn__wire_reader(bytes, n);
    struct qn__wire_field f;
    qn_status s = QN_OK;
    *out = (struct fields){.notes = {"", "", "", "", ""}, .origin = {"", ""}, .log = {"", ""}};
    while (s == QN_OK && qn__wire_next(&r, &f)) {
        switch (f.tag) {
        case E_TARGET: s = text_of(&out->target, arena, f); break;
        case E_COMPILER: s = text_of(&out->compiler, arena, f); break;
        case E_KIND: s = qn__wire_get_u32(f, &out->kind) ? QN_OK : damaged_fields(n); break;
        case E_REFLECTION: out->reflection = f; break;
        case E_KEY: s = text_of(&out->notes.key, arena, f); break;
        case E_REQUEST: s = text_of(&out->notes.request, arena, f); break;
        case E_SOURCE: s = text_of(&out->notes.source, arena, f); break;
        case E_FIELDS: s = text_of(&out->notes.fields, arena, f); break;
        case E_SHAPES: s = text_of(&out->notes.shapes, arena, f); break;
        case E_FROM: s = text_of(&out->origin.from, arena, f); break;
        case E_SIGNER: s = text_of(&out->origin.signer, arena, f); break;
        case E_DIAGNOSTICS: s = text_of(&out->log.diagnostics, arena, f); break;
        case E_RAW: s = text_of(&out->log.raw, arena, f); break;
        default: break;
        }
    }
    const bool is_whole = !r.failed && out->target && out->compiler &&
                          out->kind >= QN_IMAGE_CUBIN && out->kind <= QN_IMAGE_SHARED_OBJECT;
    return s != QN_OK || is_whole ? s : damaged_fields(n);
}

static qn_status check_frame(const unsigned char *bytes, size_t n, bool hash_it)
{
    unsigned char sum[QN__CHECKSUM_BYTES];
    if (!qn__entry_is(bytes, n) || n < QN__ENTRY_HEAD_BYTES)
        return qn__fail(QN_E_CORRUPT, "not an image of Quern's, or cut short at %zu bytes", n);
    const uint64_t fields_n = qn__get_u32(bytes + AT_FIELDS_N);
    const uint64_t payload_n = qn__get_u64(bytes + AT_PAYLOAD_N);
    const uint64_t rest = n - QN__ENTRY_HEAD_BYTES;
    const uint32_t format = qn__get_u32(bytes + AT_FORMAT);
    if (format && format < QN__ENTRY_FORMAT) /* its checksum is computed in another way */
        return qn__fail(QN_E_UNSUPPORTED,
                        "image of format %u, by an older version; this one reads format %d", format,
                        QN__ENTRY_FORMAT);
    if (fields_n > rest || payload_n != rest - fields_n)
        return qn__fail(QN_E_CORRUPT, "image of %zu bytes: %llu bytes were written", n,
                        (unsigned long long)(QN__ENTRY_HEAD_BYTES + fields_n + payload_n));
    if (hash_it) {
        checksum(sum, bytes, n);
        if (memcmp(sum, bytes + AT_CHECKSUM, sizeof sum) != 0)
            return qn__fail(QN_E_CORRUPT, "image of %zu bytes: the checksum does not match", n);
    }
    if (format != QN__ENTRY_FORMAT)
        return qn__fail(QN_E_UNSUPPORTED, "image of format %u; this version reads format %d",
                        format, QN__ENTRY_FORMAT);
    return QN_OK;
}

/* block: what the image is to own of the bytes; or NULL, then it has a copy. */
static qn_status decode(qn_image **image, struct qn__entry_log *log, struct qn__arena *arena,
                        const unsigned char *bytes, size_t n, void *block)
{
    const unsigned char *p = bytes + QN__ENTRY_HEAD_BYTES;
    const size_t fields_n = qn__get_u32(bytes + AT_FIELDS_N);
    struct qn__arena own = {0};
    struct fields f;
    qn_status s = read_fields(&f, arena ? arena : &own, p, fields_n);
    if (s == QN_OK) {
        s = qn__image_adopt(image, f.target, f.compiler, (qn_image_kind)f.kind, block, p + fields_n,
                            n - QN__ENTRY_HEAD_BYTES - fields_n, f.reflection.bytes,
                            f.reflection.n);
    } else {
        free(block);
        s = qn__fail_prefix(s, "image of %zu bytes", n);
    }
    if (s == QN_OK)
        s = qn__image_note(*image, &f.notes);
    if (s == QN_OK)
        s = qn__image_set_origin(*image, &f.origin);
    if (s == QN_OK && log)
        *log = f.log;
    if (s != QN_OK) {
        qn_image_release(*image);
        *image = NULL;
    }
    qn__arena_release(&own);
    return s;
}

qn_status qn__entry_decode(qn_image **image, struct qn__entry_log *log, struct qn__arena *arena,
                           const void *bytes, size_t n)
{
    *image = NULL;
    QN_TRY(check_frame(bytes, n, true));
    return decode(image, log, arena, bytes, n, NULL);
}

static qn_status adopt(qn_image **image, struct qn__entry_log *log, struct qn__arena *arena,
                       char *block, size_t n, bool hash_it)
{
    const unsigned char *bytes = (const unsigned char *)block;
    *image = NULL;
    const qn_status s = check_frame(bytes, n, hash_it);
    if (s == QN_OK)
        return decode(image, log, arena, bytes, n, block);
    free(block);
    return s;
}

qn_status qn__entry_adopt(qn_image **image, struct qn__entry_log *log, struct qn__arena *arena,
                          char *block, size_t n)
{
    return adopt(image, log, arena, block, n, true);
}

qn_status qn__entry_adopt_trusted(qn_image **image, struct qn__entry_log *log,
                                  struct qn__arena *arena, char *block, size_t n)
{
    return adopt(image, log, arena, block, n, false);
}

size_t qn__entry_fields_end(const void *head)
{
    const unsigned char *p = head;
    return qn__entry_is(head, sizeof magic) && qn__get_u32(p + AT_FORMAT) == QN__ENTRY_FORMAT
               ? QN__ENTRY_HEAD_BYTES + (size_t)qn__get_u32(p + AT_FIELDS_N)
               : 0;
}

qn_status qn__entry_summarize(struct qn__entry_summary *out, struct qn__arena *arena,
                              const void *bytes, size_t n, uint64_t file_bytes)
{
    struct fields f;
    *out = (struct qn__entry_summary){0};
    const size_t end = n >= QN__ENTRY_HEAD_BYTES ? qn__entry_fields_end(bytes) : 0;
    if (end == 0 || end > n || end > file_bytes ||
        qn__get_u64((const unsigned char *)bytes + AT_PAYLOAD_N) != file_bytes - end)
        return qn__fail(QN_E_CORRUPT, "not an image of Quern's, or damaged");
    QN_TRY(read_fields(&f, arena, (const unsigned char *)bytes + QN__ENTRY_HEAD_BYTES,
                       end - QN__ENTRY_HEAD_BYTES));
    *out = (struct qn__entry_summary){f.target,         f.compiler, (qn_image_kind)f.kind,
                                      file_bytes - end, f.notes,    f.origin};
    return QN_OK;
}
