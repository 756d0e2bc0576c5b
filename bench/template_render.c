/* SPDX-License-Identifier: Apache-2.0
 *
 * template_render TEMPLATE NAMES.json: what a chat template writes, for
 * scripts/parity_templates.py, which compares it with Jinja. NAMES.json is a list of objects, each
 * the names of one run; prints a JSON list of {"text"} or {"error"}. "now", where it is among the
 * names, is the time in seconds. */
#include "base/file.h"
#include "engine/template.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static json_t *render(const struct qn__template *t, const json_t *names)
{
    struct qn__template_run run;
    struct qn__template_text text;
    struct qn__value dict;
    qn__template_run_init(&run);
    run.now = json_integer_value(json_object_get(names, "now"));
    qn_status s = qn__template_json(&dict, &run, names, false);
    if (s == QN_OK)
        s = qn__template_render(&text, &run, t, dict.as.dict);
    json_t *out = s == QN_OK ? json_pack("{s:o}", "text", json_stringn(text.bytes, text.n))
                             : json_pack("{s:s}", "error", qn_message());
    qn__template_run_release(&run);
    return out;
}

int main(int argc, char **argv)
{
    if (argc == 1) {
        printf("skip: template_render TEMPLATE NAMES.json\n");
        return 0;
    }
    char *text = NULL;
    size_t n, i;
    json_error_t error;
    json_t *runs = argc == 3 ? json_load_file(argv[2], 0, &error) : NULL, *names;
    json_t *results = json_array();
    struct qn__template *t = NULL;
    if (!runs || qn__file_read(&text, &n, argv[1], 64 << 20) != QN_OK) {
        fprintf(stderr, "usage: template_render TEMPLATE NAMES.json\n");
        return 2;
    }
    const qn_status s = qn__template_parse(&t, text, n);
    json_array_foreach(runs, i, names)
    {
        json_array_append_new(results, s == QN_OK ? render(t, names)
                                                  : json_pack("{s:s}", "error", qn_message()));
    }
    json_dumpf(results, stdout, 0);
    qn__template_destroy(t);
    json_decref(results);
    json_decref(runs);
    free(text);
    return 0;
}
