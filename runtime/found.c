/* SPDX-License-Identifier: Apache-2.0
 *
 * What probing has found, and its order. Cards that an earlier backend has reported are marked,
 * then the list is sorted by preference; the order within a backend stays its driver's. */
#include "runtime/found.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- what backends report -- */

enum { FOUND_STEP = 16 }; /* the arrays grow by this many, in the arena */

static void *grow(struct qn__arena *arena, void *old, uint32_t n, size_t size)
{
    if (n % FOUND_STEP)
        return old;
    void *grown = qn__arena_alloc(arena, n + FOUND_STEP, size);
    if (grown && n)
        memcpy(grown, old, n * size);
    return grown;
}

static const char *kept(struct qn__arena *arena, const char *s)
{
    return s && *s ? qn__arena_strdup(arena, s) : "";
}

qn_status qn__found_device(struct qn__found *f, const qn_device_info *info)
{
    qn_device_info *devices = grow(f->arena, f->devices, f->n_devices, sizeof *devices);
    if (!devices)
        return qn__fail(QN_E_MEMORY, "no memory for the list of devices");
    f->devices = devices;
    qn_device_info *d = &devices[f->n_devices++];
    *d = *info;
    const char **const strings[] = {&d->id,     &d->backend, &d->kind,    &d->name, &d->arch,
                                    &d->target, &d->driver,  &d->toolkit, &d->pci,  &d->same_as};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        *strings[i] = kept(f->arena, *strings[i]);
        if (!*strings[i])
            return qn__fail(QN_E_MEMORY, "no memory for the list of devices");
    }
    return QN_OK;
}

static qn_status refuse(struct qn__found *f, const char *backend, const char *what, const char *fmt,
                        va_list ap)
{
    char reason[QN__MESSAGE_MAX];
    vsnprintf(reason, sizeof reason, fmt, ap);
    qn_device_refusal *refusals = grow(f->arena, f->refusals, f->n_refusals, sizeof *refusals);
    if (!refusals)
        return qn__fail(QN_E_MEMORY, "no memory for the list of refusals");
    f->refusals = refusals;
    qn_device_refusal *r = &refusals[f->n_refusals];
    r->backend = kept(f->arena, backend);
    r->what = kept(f->arena, what);
    r->reason = kept(f->arena, reason);
    if (!r->backend || !r->what || !r->reason)
        return qn__fail(QN_E_MEMORY, "no memory for the list of refusals");
    f->n_refusals++;
    return QN_OK;
}

qn_status qn__found_refusal(struct qn__found *f, const char *backend, const char *what,
                            const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const qn_status s = refuse(f, backend, what, fmt, ap);
    va_end(ap);
    return s;
}

qn_status qn__found_broken(struct qn__found *f, const char *backend, const char *what,
                           const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const qn_status s = refuse(f, backend, what, fmt, ap);
    va_end(ap);
    QN_TRY(s);
    if (!f->broken)
        f->broken = f->refusals[f->n_refusals - 1].reason;
    return QN_OK;
}

qn_status qn__found_ask(const struct qn__found *f, const char *backend, const char *libraries)
{
    return f->may_load ? f->may_load(backend, libraries) : QN_OK;
}

/* -- one card under two backends -- */

/* Which of its backend's devices of that name this is: two equal cards without a PCI address are
 * told apart by their order. */
static uint32_t ordinal(const qn_device_info *devices, uint32_t at)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < at; i++)
        n +=
            devices[i].backend == devices[at].backend && !strcmp(devices[i].name, devices[at].name);
    return n;
}

static bool same_card(const qn_device_info *devices, uint32_t a, uint32_t b)
{
    const qn_device_info *x = &devices[a], *y = &devices[b];
    if (x->backend == y->backend || x->device_class == QN_DEVICE_CPU ||
        y->device_class == QN_DEVICE_CPU)
        return false;
    if (*x->pci && *y->pci)
        return !strcmp(x->pci, y->pci);
    return !strcmp(x->name, y->name) && ordinal(devices, a) == ordinal(devices, b);
}

static void mark_same(struct qn__found *f)
{
    for (uint32_t i = 0; i < f->n_devices; i++) {
        f->devices[i].same_as = "";
        for (uint32_t j = 0; j < i && !*f->devices[i].same_as; j++)
            if (!*f->devices[j].same_as && same_card(f->devices, i, j))
                f->devices[i].same_as = f->devices[j].id;
    }
}

/* -- preference -- */

/* Processors share the machine's memory, of which each backend counts another part. */
static bool is_preferred(const qn_device_info *a, const qn_device_info *b)
{
    if (a->device_class != b->device_class)
        return a->device_class < b->device_class;
    if (!*a->same_as != !*b->same_as)
        return !*a->same_as;
    return a->device_class != QN_DEVICE_CPU && a->memory_free_bytes > b->memory_free_bytes;
}

/* Insertion sort: stable, so equals stay in the order of backends.def and of the driver. */
static void sort(struct qn__found *f)
{
    for (uint32_t i = 1; i < f->n_devices; i++) {
        const qn_device_info d = f->devices[i];
        uint32_t at = i;
        for (; at > 0 && is_preferred(&d, &f->devices[at - 1]); at--)
            f->devices[at] = f->devices[at - 1];
        f->devices[at] = d;
    }
}

void qn__found_arrange(struct qn__found *f)
{
    mark_same(f);
    sort(f);
}
