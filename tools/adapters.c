/* SPDX-License-Identifier: Apache-2.0
 *
 * Adapters of a command line (adapters.h). */
#include "tools/adapters.h"

#include "tools/commands.h"
#include "tools/number.h"
#include "tools/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One file, in a text that is the caller's to change. */
static bool open_one(struct qn__adapters_opened *out, char *text, bool is_scaled, const qn_model *m,
                     bool quiet, int *status)
{
    float scale = 1.0f;
    qn_adapter *a;
    if (is_scaled) {
        char *colon = strrchr(text, ':'), *end = NULL;
        if (colon)
            scale = strtof(colon + 1, &end);
        if (!colon || colon == text || end == colon + 1 || *end || !isfinite(scale))
            return qn__complain(false, "--lora-scaled '%s': FILE:SCALE, such as tone.gguf:0.5",
                                text);
        *colon = 0;
    }
    if (!*text)
        return qn__complain(false, "--lora: the name of a file is empty");
    *status = QN__EXIT_FAILED;
    if (out->n == out->capacity) {
        const uint32_t room = out->capacity ? 2 * out->capacity : 4;
        qn_session_adapter *grown = realloc(out->items, room * sizeof *grown);
        if (!grown)
            return qn__complain(false, "no memory for %u adapters", room);
        out->items = grown;
        out->capacity = room;
    }
    if (qn_adapter_open(&a, m, text) != QN_OK) {
        *status = qn__complain_status("%s", is_scaled ? "--lora-scaled" : "--lora");
        return false;
    }
    out->items[out->n++] = (qn_session_adapter){.adapter = a, .scale = scale};
    const qn_adapter_info *info = qn_adapter_get_info(a);
    for (uint32_t i = 0; !quiet && i < qn_adapter_count_warnings(a); i++)
        qn__complain(0, "%s: %s", text, qn_adapter_get_warning(a, i));
    if (!quiet)
        qn__complain(0,
                     "%s: adds to %u matrices in products of their own, up to rank %u, alpha %g, "
                     "scale %g; the weights stay as they are",
                     text, info->n_matrices, info->rank, (double)info->alpha, (double)scale);
    *status = QN__EXIT_USAGE;
    return true;
}

/* Names are cut at commas, unless there is a file of the whole name. */
static bool open_list(struct qn__adapters_opened *out, const struct qn__option_list *list,
                      bool is_scaled, const qn_model *m, bool quiet, int *status)
{
    for (uint32_t i = 0; i < list->n; i++) {
        char *text = strdup(list->items[i]), *rest = text;
        bool good = text || qn__complain(false, "no memory for a name");
        const bool is_whole = text && !is_scaled && access(text, F_OK) == 0;
        while (good && rest) {
            char *comma = is_whole ? NULL : strchr(rest, ','), *name = rest;
            rest = comma ? comma + 1 : NULL;
            if (comma)
                *comma = 0;
            good = open_one(out, name, is_scaled, m, quiet, status);
        }
        free(text);
        if (!good)
            return false;
    }
    return true;
}

bool qn__adapters_open(struct qn__adapters_opened *out, const struct qn__adapter_options *o,
                       const qn_model *m, bool quiet, int *status)
{
    *out = (struct qn__adapters_opened){0};
    *status = QN__EXIT_USAGE;
    if (!open_list(out, &o->plain, false, m, quiet, status) ||
        !open_list(out, &o->scaled, true, m, quiet, status))
        return false;
    *status = QN__EXIT_GOOD;
    return true;
}

void qn__adapters_close(struct qn__adapters_opened *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        qn_adapter_close((qn_adapter *)(uintptr_t)a->items[i].adapter);
    free(a->items);
    *a = (struct qn__adapters_opened){0};
}
