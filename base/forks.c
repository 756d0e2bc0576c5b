/* SPDX-License-Identifier: Apache-2.0
 *
 * One set of handlers for all parts. No part takes another's lock while it holds its own, so the
 * order does not matter. */
#include "base/forks.h"

#include <stddef.h>

static struct qn__fork_part *parts; /* grows while the library is loaded, and then never */

static void before(void)
{
    for (struct qn__fork_part *p = parts; p; p = p->next)
        if (p->lock)
            pthread_mutex_lock(p->lock);
}

static void in_parent(void)
{
    for (struct qn__fork_part *p = parts; p; p = p->next)
        if (p->lock)
            pthread_mutex_unlock(p->lock);
}

static void in_child(void)
{
    in_parent();
    for (struct qn__fork_part *p = parts; p; p = p->next)
        if (p->in_child)
            p->in_child();
}

void qn__fork_add(struct qn__fork_part *part)
{
    if (!parts)
        pthread_atfork(before, in_parent, in_child);
    part->next = parts;
    parts = part;
}
