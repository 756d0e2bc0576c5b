/* SPDX-License-Identifier: Apache-2.0
 *
 * A row for each image; see prewarm_plan.h. The key is worked out as a compile does it, and looked
 * for in the bundles and in the cache folder. A shared cache over HTTP is not asked: that would
 * bring its entries here. */
#include "tools/prewarm_plan.h"

#include "tools/json_text.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <stdio.h>

static void add_row(struct qn__prewarm_plan *p, const char *kernel, const char *target,
                    const char *action, const char *key, const char *why)
{
    fprintf(p->lines, "%-24s %-24s %-8s%s%s\n", kernel, target, action, *why ? "  " : "",
            qn__plain(why));
    json_array_append_new(p->rows, json_pack("{s:o, s:s, s:s, s:s, s:o}", "kernel",
                                             qn__json_string(kernel), "target", target, "action",
                                             action, "key", key, "why", qn__json_string(why)));
}

void qn__prewarm_plan_image(struct qn__prewarm_plan *p, const char *kernel, const qn_source *src,
                            const char *target)
{
    const qn_compile_options how = {0};
    qn_explanation e;
    if (qn_compile_explain(&e, src, target, &how) != QN_OK) {
        p->n_failed++;
        add_row(p, kernel, target, "fail", "", qn_message());
    } else if (e.where[0] && !p->refresh) {
        p->n_there++;
        add_row(p, kernel, target, "there", e.key, e.where);
    } else if (!e.key[0]) { /* no key without a compiler; its place has the reason */
        p->n_failed++;
        add_row(p, kernel, target, "fail", "", e.compiler);
    } else {
        p->n_compiled++;
        add_row(p, kernel, target, "compile", e.key, e.compiler);
    }
    qn_explanation_release(&e);
}

void qn__prewarm_plan_native(struct qn__prewarm_plan *p, const char *kernel, bool has_launches)
{
    p->n_launched += has_launches;
    add_row(p, kernel, "opencl:native", has_launches ? "launch" : "skip", "",
            has_launches ? "on each OpenCL device that is here"
                         : "it has no \"launch\" in the manifest");
}
