/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON with what it is about, and a row for each combination: see tune_state.h. */
#include "tools/tune_state.h"

#include "base/file.h"
#include "tools/json_text.h"
#include "tools/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *subject(qn_device *dev, const qn_source *source, const char *kernel, uint64_t items,
                       const struct qn__option_list *args)
{
    const qn_device_info *d = qn_device_get_info(dev);
    char digest[65];
    if (qn_tuned_digest(digest, source) != QN_OK) {
        qn__complain_status("tune");
        return NULL;
    }
    json_t *words = json_array();
    for (uint32_t i = 0; i < args->n; i++)
        json_array_append_new(words, qn__json_string(args->items[i]));
    return json_pack("{s:s, s:o, s:o, s:o, s:I, s:o}", "digest", digest, "kernel",
                     qn__json_string(kernel), "device", qn__json_string(d->name), "driver",
                     qn__json_string(d->driver), "items", (json_int_t)items, "args", words);
}

/* The file's document, or NULL; *good is false after a complaint. */
static json_t *load(bool *good, const char *path)
{
    json_error_t error;
    *good = true;
    if (!qn__file_exists(path))
        return NULL;
    char *text = qn__read_text(path);
    json_t *document = text ? json_loads(text, 0, &error) : NULL;
    free(text);
    *good = json_is_object(json_object_get(document, "subject")) &&
            json_is_array(json_object_get(document, "measured"));
    if (!*good && text)
        qn__complain(0, "tune: %s: not a file of `quern tune --state`; it is left as it is", path);
    if (!*good) {
        json_decref(document);
        return NULL;
    }
    return document;
}

bool qn__tune_state_open(struct qn__tune_state *out, const char *path, qn_device *dev,
                         const qn_source *source, const char *kernel, uint64_t items,
                         const struct qn__option_list *args)
{
    bool good;
    *out = (struct qn__tune_state){.path = path};
    if (!path)
        return true;
    json_t *about = subject(dev, source, kernel, items, args);
    json_t *before = about ? load(&good, path) : NULL;
    if (!about || !good) {
        json_decref(about);
        return false;
    }
    if (before && json_equal(about, json_object_get(before, "subject"))) {
        json_decref(about);
        out->document = before;
        return true;
    }
    if (before)
        qn__complain(0,
                     "tune: %s is about another text, device, driver, size or other arguments; it "
                     "is begun anew",
                     path);
    json_decref(before);
    out->document = json_pack("{s:i, s:o, s:[]}", "version", 1, "subject", about, "measured");
    return out->document != NULL;
}

void qn__tune_state_close(struct qn__tune_state *s)
{
    json_decref(s->document);
    *s = (struct qn__tune_state){0};
}

bool qn__tune_state_find(double *ms, const struct qn__tune_state *s, const char *values)
{
    const json_t *rows = json_object_get(s->document, "measured");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *has = json_string_value(json_object_get(row, "values"));
        if (!has || strcmp(has, values) != 0)
            continue;
        const json_t *time = json_object_get(row, "ms");
        *ms = json_is_real(time) && json_real_value(time) > 0 ? json_real_value(time) : INFINITY;
        return true;
    }
    return false;
}

bool qn__tune_state_add(struct qn__tune_state *s, const char *values, double ms, const char *error)
{
    double before;
    if (!s->path || qn__tune_state_find(&before, s, values))
        return true;
    json_array_append_new(json_object_get(s->document, "measured"),
                          json_pack("{s:s, s:o, s:o}", "values", values, "ms", qn__json_number(ms),
                                    "error", qn__json_string(error)));
    return qn__json_write(s->path, s->document);
}
