/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/cc_check.h"

#include "tools/cc_device.h"
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <stdlib.h>

static void say(const char *path, const char *target, const qn_image *image, const char *log)
{
    if (log[0])
        fputs(qn__plain(log), stdout);
    if (image)
        printf("%s: %u kernels for %s\n", path, (unsigned)qn_image_get_info(image)->n_kernels,
               qn_image_get_info(image)->target);
    else
        printf("%s: not for %s: %s\n", path, target, qn_message());
}

static json_t *row_of(const char *path, const char *target, const qn_image *image, const char *log)
{
    return json_pack("{s:o, s:s, s:b, s:o, s:o, s:o}", "source", qn__json_string(path), "target",
                     target, "ok", image != NULL, "message",
                     image ? json_null() : qn__json_string(qn_message()), "log",
                     qn__json_string(log), "kernels",
                     image ? qn__json_kernels(qn_image_get_info(image)) : json_array());
}

static bool check_kernels(struct qn__cc_session *s, const struct qn__cc_input *input,
                          const char *target, json_t *rows)
{
    qn_source src;
    qn_image *image = NULL;
    qn_log log = {0};
    qn__cc_source(&src, s, input);
    const qn_status status = qn_compile(&image, &src, target, NULL, &log);
    const char *const text = log.text ? log.text : "";
    if (rows)
        json_array_append_new(rows, row_of(input->path, target, image, text));
    else
        say(input->path, target, image, text);
    qn_image_release(image);
    qn_log_release(&log);
    qn__cc_source_release(&src);
    return status == QN_OK;
}

static bool print(const struct qn__cc_session *s, bool host_is_good, json_t *rows)
{
    json_t *const unserved = json_array();
    for (uint32_t i = 0; i < s->unserved.n; i++)
        json_array_append_new(unserved, qn__json_string(s->unserved.items[i]));
    return qn__json_print(json_pack("{s:b, s:o, s:o}", "host", host_is_good, "not_served", unserved,
                                    "kernels", rows)) == QN__EXIT_GOOD;
}

bool qn__cc_check_report(struct qn__cc_session *s, bool host_is_good)
{
    const struct qn__cc *const cc = s->cc;
    json_t *const rows = cc->json ? json_array() : NULL;
    bool good = host_is_good;
    if (!rows)
        printf(good ? "host: compiles and links\n" : "host: does not build, see above\n");
    for (uint32_t i = 0; i < cc->n_inputs; i++)
        if (cc->inputs[i].language == QN__CC_KERNELS)
            for (uint32_t t = 0; t < (cc->targets.n ? cc->targets.n : 1); t++)
                good &= check_kernels(s, &cc->inputs[i],
                                      cc->targets.n ? cc->targets.items[t] : "cpu:native", rows);
    if (rows)
        good &= print(s, host_is_good, rows);
    return good;
}
