/* SPDX-License-Identifier: Apache-2.0
 *
 * Shapes that a module's kernels were launched with: the block, and whether the grid is wide.
 *
 * Some drivers (PoCL) compile a kernel anew for each block shape, and once more for grids of more
 * than 65,535 threads along an axis, at its first launch. Their binary of a program is complete
 * only for the shapes launched so far, so it is worth saving again when there is a new one: whoever
 * loaded the module attaches a saver, the launch path notes shapes, and the saver is called when
 * the work is done and when the module closes.
 */
#ifndef QN_RUNTIME_SHAPES_H
#define QN_RUNTIME_SHAPES_H

#include "base/str.h"

#include <quern/module.h>
#include <quern/stream.h>
#include <stdatomic.h>
#include <stdint.h>

/* shapes: one line "symbol x y z", with " wide" after it for wide grids, per shape; sorted, old
 * ones included. */
typedef void (*qn__shapes_saver)(qn_module *mod, const char *shapes, void *payload);

struct qn__shapes;

/* known: what the loaded binary has already, as above; "" when nothing. free_payload is called with
 * the payload when the module closes. NULL when out of memory: then nothing is saved. */
struct qn__shapes *qn__shapes_create(const char *known, qn__shapes_saver save, void *payload,
                                     void (*free_payload)(void *));

/* Before a launch. Costs a few loads when the shape is known. */
void qn__shapes_note(struct qn__shapes *s, const char *symbol, const qn_dims *dims);

/* The work noted so far is done: save if there is something new. */
void qn__shapes_settle(struct qn__shapes *s, qn_module *mod);

void qn__shapes_destroy(struct qn__shapes *s); /* NULL is fine */

#endif
