/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening a driver's or a compiler's library in a child (probe_process.h): of this machine as the
 * system's loader finds it, of another tree by its file. */
#ifndef QN_DOCTOR_PROBE_LIBRARY_H
#define QN_DOCTOR_PROBE_LIBRARY_H

#include "doctor/root.h"

#include <jansson.h>

struct qn__library_place { /* what a child is told */
    const struct qn__root *root;
    const char *file; /* inside the tree; NULL: search by name */
};

struct qn__library {
    void *handle;
};

/* Sets "file" (where links lead) and, when it cannot be loaded, "error" in out. The process ends
 * after its work, so nothing is closed.
 *   name  of the library where the place has no file */
bool qn__library_open(struct qn__library *lib, json_t *out, const struct qn__library_place *place,
                      const char *name);
void *qn__library_symbol(const struct qn__library *lib, const char *name); /* or NULL */

/* function pointer = symbol, or NULL */
#define QN__LIBRARY_CALL(pointer, lib, name)                                                       \
    do {                                                                                           \
        void *const qn_symbol = qn__library_symbol((lib), (name));                                 \
        memcpy(&(pointer), &qn_symbol, sizeof(pointer));                                           \
    } while (0)

#endif
