/* SPDX-License-Identifier: Apache-2.0
 *
 * qn_compile_explain(): the key of a compile, laid open. */
#define _GNU_SOURCE
#include "base/threads.h"
#include "rtc/cache/cache_disk.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/cache/miss.h"
#include "rtc/lookup.h"

#include <stdlib.h>
#include <string.h>

void qn_explanation_release(qn_explanation *e)
{
    if (!e)
        return;
    free(e->target);
    free(e->source);
    free(e->key);
    free(e->compiler);
    free(e->fields);
    free(e->where);
    free(e->origin);
    free(e->signer);
    free(e->nearest);
    free(e->nearest_key);
    free(e->difference);
    *e = (qn_explanation){0};
}

static char *copy(const char *text)
{
    return strdup(text ? text : "");
}

static void take_origin(qn_explanation *out, qn_image *image)
{
    out->origin = copy(image->origin.from);
    out->signer = copy(image->origin.signer);
    qn_image_release(image);
}

/* The file that would serve this request, in the order of the lookup: bundles, then the disk. */
static char *find_where(qn_explanation *out, struct qn__request *r)
{
    struct qn__bundle_hit hits[QN__BUNDLE_HITS_MAX];
    struct qn__str path = {0};
    qn_image *image;
    const uint32_t n = qn__lookup_rows(hits, r, &r->target, true);
    for (uint32_t i = 0; i < n; i++)
        if (qn__bundle_read(&image, NULL, NULL, hits[i].bundle, hits[i].row) == QN_OK) {
            take_origin(out, image);
            return strdup(qn_bundle_get_info((qn_bundle *)(uintptr_t)hits[i].bundle)->name);
        }
    if (r->key.hex[0] && qn__disk_find(&image, NULL, NULL, r->key.hex, r->target_text) == QN_OK) {
        take_origin(out, image);
        qn__str_printf(&path, "%s/images/%.2s/%s", qn__folder_dir(NULL), r->key.hex, r->key.hex);
    }
    return qn__str_take(&path);
}

static char *describe_absent(const struct qn__compiler *c)
{
    struct qn__str text = {0};
    qn__str_printf(&text, "%s, which the cache remembers; it is not here now: %s", c->version,
                   c->absent);
    return qn__str_take(&text);
}

qn_status qn_compile_explain(qn_explanation *out, const qn_source *src, const char *target,
                             const qn_compile_options *options)
{
    QN_ARG_CHECK(out && src && target);
    QN__NOT_CANCELLED;
    struct qn__request r;
    struct qn__str fields = {0};
    *out = (qn_explanation){0};
    qn_status s = qn__request_open(&r, src, target, options);
    if (s == QN_OK) {
        s = qn__request_compiler(&r);
        const bool has_compiler = s == QN_OK;
        if (has_compiler)
            qn__request_follow(&r);
        if (s == QN_E_COMPILER || s == QN_E_UNSUPPORTED)
            s = QN_OK;
        out->compiler = !has_compiler        ? copy(qn_message())
                        : !r.compiler.absent ? copy(r.compiler.version)
                                             : describe_absent(&r.compiler);
    }
    if (s == QN_OK) {
        out->target = copy(r.target_text);
        out->source = copy(r.key.source_hex);
        out->key = copy(r.key.hex);
        qn__key_print(&fields, &r.fields);
        out->fields = copy(fields.text);
        out->where = find_where(out, &r);
        out->origin = out->origin ? out->origin : copy("");
        out->signer = out->signer ? out->signer : copy("");
        struct qn__nearest near = {0};
        if (out->where && !out->where[0])
            qn__find_nearest(&near, fields.text ? fields.text : "", r.key.source_hex);
        out->nearest = copy(near.where);
        out->nearest_key = copy(near.key);
        out->difference = qn__str_take(&near.diff);
        qn__nearest_release(&near);
        if (!out->target || !out->source || !out->key || !out->compiler || !out->fields ||
            !out->where || !out->origin || !out->signer || !out->nearest || !out->nearest_key ||
            !out->difference)
            s = qn__fail(QN_E_MEMORY, "no memory for an explanation");
    }
    qn__str_release(&fields);
    qn__request_release(&r);
    return s;
}

qn_status qn_fields_diff(char **out, const char *a, const char *b)
{
    QN_ARG_CHECK(out && a && b);
    struct qn__str diff = {0};
    qn__fields_diff(&diff, a, b);
    *out = qn__str_take(&diff);
    return *out ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for a comparison");
}
