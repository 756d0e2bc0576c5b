/* SPDX-License-Identifier: Apache-2.0
 *
 * Images to and from files: Quern's own format, and the bare files of other tools, known by their
 * first bytes (cubin, AMD code object, PTX) or by the target the caller names (OpenCL C). */
#include "base/file.h"
#include "rtc/cache/entry.h"
#include "rtc/job/code_object.h"
#include "rtc/job/job.h"
#include "runtime/target.h"

#include <quern/compile.h>
#include <stdlib.h>
#include <string.h>

qn_status qn_image_save(const qn_image *image, const char *path)
{
    QN_ARG_CHECK(image && path);
    struct qn__str bytes = {0};
    qn__entry_encode(&bytes, image, NULL, QN__ENTRY_FOR_AWAY);
    qn_status s = qn__str_check(&bytes);
    if (s == QN_OK)
        s = qn__file_write_atomic(path, bytes.text, bytes.len, 0644);
    qn__str_release(&bytes);
    return s;
}

/* A bare image for a device target: what it says of itself, unless the caller knows better (the
 * suffixes of sm_90a are not in a cubin). */
static qn_status load_code(qn_image **out, const void *bytes, size_t n, const char *target)
{
    struct qn__arena arena = {0};
    struct qn__str reflection = {0};
    struct qn__code_object code;
    struct qn__target named, own;
    char text[112];
    const struct qn__job no_names = {0};
    struct qn__job_result r = {.bytes = bytes, .n = n};
    qn_status s = qn__code_object_read(&code, &arena, bytes, n);
    if (s == QN_OK)
        s = qn__target_parse(&own, code.target);
    if (s == QN_OK && target) {
        s = qn__target_parse(&named, target);
        const bool fits = s == QN_OK && (named.number ? named.number == own.number
                                                      : strcmp(named.base, own.base) == 0);
        if (s == QN_OK && !fits)
            s = qn__fail(QN_E_INVALID, "the image is for %s, not for %s", code.target, target);
    }
    if (s == QN_OK)
        s = qn__job_reflect(&r, &arena, &no_names, NULL);
    if (s == QN_OK) {
        qn__target_print(text, sizeof text, target ? &named : &own);
        qn__reflection_encode(&reflection, &r.reflection);
        s = qn__str_check(&reflection);
    }
    if (s == QN_OK)
        s = qn__image_create(out, text, "unknown", code.kind, bytes, n, reflection.text,
                             reflection.len);
    qn__str_release(&reflection);
    qn__arena_release(&arena);
    return s;
}

static qn_status load_opencl_c(qn_image **out, const void *bytes, size_t n,
                               const struct qn__target *target)
{
    char text[112];
    if (target->is_binary)
        return qn__fail(QN_E_INVALID, "a driver's binary comes in Quern's own format only, where "
                                      "its checksum protects the driver");
    if (memchr(bytes, 0, n))
        return qn__fail(QN_E_INVALID, "OpenCL C text may not hold a 0 byte");
    qn__target_print(text, sizeof text, target);
    return qn__image_create(out, text, "by hand", QN_IMAGE_OPENCL_C, bytes, n, NULL, 0);
}

/* Nothing in it says which processor it needs, or what its kernels take. */
static qn_status load_object(qn_image **out, const void *bytes, size_t n,
                             const struct qn__target *target)
{
    char text[112];
    qn__target_print(text, sizeof text, target);
    return qn__image_create(out, text, "by hand", QN_IMAGE_SHARED_OBJECT, bytes, n, NULL, 0);
}

qn_status qn_image_load_bytes(qn_image **out, const void *bytes, size_t size_bytes,
                              const char *target)
{
    QN_ARG_CHECK(out && (bytes || !size_bytes));
    *out = NULL;
    struct qn__target t;
    if (qn__entry_is(bytes, size_bytes)) {
        QN_TRY(qn__entry_decode(out, NULL, NULL, bytes, size_bytes));
        (*out)->origin = (struct qn__image_origin){"", ""};
        if (!target)
            return QN_OK;
        qn_status s = qn__target_parse(&t, target);
        char text[112] = "";
        if (s == QN_OK)
            qn__target_print(text, sizeof text, &t);
        if (s == QN_OK && strcmp(text, (*out)->info.target) != 0)
            s = qn__fail(QN_E_INVALID, "the image is for %s, not for %s", (*out)->info.target,
                         target);
        if (s != QN_OK) {
            qn_image_release(*out);
            *out = NULL;
        }
        return s;
    }
    if (target) {
        QN_TRY(qn__target_parse(&t, target));
        if (t.backend == QN__TARGET_OPENCL)
            return load_opencl_c(out, bytes, size_bytes, &t);
        if (t.backend == QN__TARGET_CPU)
            return load_object(out, bytes, size_bytes, &t);
    }
    const qn_status s = load_code(out, bytes, size_bytes, target);
    if (s == QN_E_INVALID && !target)
        return qn__fail(QN_E_INVALID, "%s, and no target says what it is", qn_message());
    return s;
}

qn_status qn_image_load(qn_image **out, const char *path, const char *target)
{
    QN_ARG_CHECK(out && path);
    char *bytes;
    size_t n;
    *out = NULL;
    QN_TRY(qn__file_read(&bytes, &n, path, QN__ENTRY_LIMIT_BYTES));
    const qn_status s = qn_image_load_bytes(out, bytes, n, target);
    free(bytes);
    return s == QN_OK ? QN_OK : qn__fail_prefix(s, "%s", path);
}
