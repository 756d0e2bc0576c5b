/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of devices, and opening one.
 *
 * Backends report what they found in their driver's order; here the ids are given out ("cuda:0" is
 * the first of that backend), and the list is arranged for the user (found.c). Opening asks only
 * the backend that the id names, so that a program that knows its device loads one driver. The
 * order within a backend is stable as long as the driver's is, which is what makes an id mean the
 * same device in both calls. */
#include "runtime/device_open.h"

#include "base/environment.h"
#include "base/hash.h"
#include "base/options.h"
#include "base/settings.h"
#include "runtime/open_devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct qn__backend *const backends[] = {
#define QN__BACKEND(name) &qn__backend_##name,
#include "runtime/backends.def"
#undef QN__BACKEND
};
enum { N_BACKENDS = sizeof backends / sizeof *backends };

/* Probe one backend; its devices get their ids. */
static qn_status probe(struct qn__found *f, const struct qn__backend *b)
{
    const uint32_t first = f->n_devices;
    QN_TRY(b->probe(f));
    for (uint32_t i = first; i < f->n_devices; i++) {
        qn_device_info *d = &f->devices[i];
        d->backend = b->name;
        d->id = qn__arena_printf(f->arena, "%s:%u", b->name, i - first);
        if (!d->id)
            return qn__fail(QN_E_MEMORY, "no memory for the list of devices");
    }
    return QN_OK;
}

/* -- which backends -- */

static int backend_index(const char *name, size_t n)
{
    for (int i = 0; i < N_BACKENDS; i++)
        if (strlen(backends[i]->name) == n && !memcmp(backends[i]->name, name, n))
            return i;
    return -1;
}

static void backend_names(char *out, size_t capacity)
{
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; i < N_BACKENDS && used < capacity; i++)
        used +=
            (size_t)snprintf(out + used, capacity - used, "%s%s", i ? ", " : "", backends[i]->name);
}

/* The end of a message about a word that is none of them. */
static const char *meant_backend(char out[QN__MEANT_BYTES], const char *word)
{
    struct qn__str choices = {0};
    for (int i = 0; i < N_BACKENDS; i++)
        qn__str_printf(&choices, "%s%s", i ? "|" : "", backends[i]->name);
    out[0] = 0;
    if (!choices.failed)
        qn__did_you_mean(out, choices.text, word);
    qn__str_release(&choices);
    return out;
}

/* QUERN_BACKEND: which ones may be looked at. Unset or empty: all. */
static qn_status allowed_backends(bool allowed[N_BACKENDS])
{
    const char *p = qn__getenv("QUERN_BACKEND");
    const bool all = !p || !*p;
    for (int i = 0; i < N_BACKENDS; i++)
        allowed[i] = all;
    while (!all && *p) {
        const size_t n = strcspn(p, ",");
        const int i = backend_index(p, n);
        if (i < 0) {
            char names[128], meant[QN__MEANT_BYTES], word[QN__CHOICE_BYTES];
            backend_names(names, sizeof names);
            snprintf(word, sizeof word, "%.*s", (int)n, p);
            return qn__fail(QN_E_INVALID, "QUERN_BACKEND: '%.*s' is no backend; there are %s%s",
                            (int)n, p, names, meant_backend(meant, word));
        }
        allowed[i] = true;
        p += n;
        p += *p == ',';
    }
    return QN_OK;
}

static qn_status find_all(struct qn__found *f)
{
    bool allowed[N_BACKENDS];
    QN_TRY(allowed_backends(allowed));
    for (int i = 0; i < N_BACKENDS; i++)
        if (allowed[i])
            QN_TRY(probe(f, backends[i]));
    qn__found_arrange(f);
    return QN_OK;
}

qn_status qn__device_list(qn_device_list *out, qn__may_load *may_load)
{
    *out = (qn_device_list){0};
    struct qn__arena *arena = qn__alloc(1, sizeof *arena);
    if (!arena)
        return qn__fail(QN_E_MEMORY, "no memory for the list of devices");
    struct qn__found f = {.arena = arena, .may_load = may_load};
    const qn_status s = find_all(&f);
    if (s != QN_OK) {
        qn__arena_release(arena);
        free(arena);
        return s;
    }
    *out = (qn_device_list){.n_devices = f.n_devices,
                            .devices = f.devices,
                            .n_refusals = f.n_refusals,
                            .refusals = f.refusals,
                            .owner = arena};
    return QN_OK;
}

void qn_device_list_release(qn_device_list *list)
{
    if (!list || !list->owner)
        return;
    qn__arena_release(list->owner);
    free(list->owner);
    *list = (qn_device_list){0};
}

const struct qn__backend *qn__backend_find(const char *name)
{
    const int i = backend_index(name, strlen(name));
    return i < 0 ? NULL : backends[i];
}

/* -- opening -- */

/* Take "cuda:1" or "cuda" apart. */
static qn_status parse_id(int *backend, uint32_t *index, const char *id)
{
    const size_t n = strcspn(id, ":");
    const size_t digits = id[n] ? strspn(id + n + 1, "0123456789") : 0;
    *backend = backend_index(id, n);
    *index = digits ? (uint32_t)strtoul(id + n + 1, NULL, 10) : 0;
    if (*backend >= 0 && (!id[n] || (digits && digits < 6 && !id[n + 1 + digits])))
        return QN_OK;
    char names[128], meant[QN__MEANT_BYTES] = "", word[QN__CHOICE_BYTES];
    backend_names(names, sizeof names);
    snprintf(word, sizeof word, "%.*s", (int)n, id);
    return qn__fail(QN_E_INVALID,
                    "device '%.60s': expected a backend (%s), alone or with a number as in "
                    "cuda:0%s",
                    id, names, *backend < 0 ? meant_backend(meant, word) : "");
}

/* Why nothing was found, from the refusals. */
static qn_status no_device(const struct qn__found *f, const char *what)
{
    char reasons[QN__MESSAGE_MAX - 128] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < f->n_refusals && used < sizeof reasons; i++)
        used +=
            (size_t)snprintf(reasons + used, sizeof reasons - used, "%s%s %s: %s", i ? "; " : "",
                             f->refusals[i].backend, f->refusals[i].what, f->refusals[i].reason);
    if (f->n_devices)
        return qn__fail(QN_E_NO_DEVICE, "%s: there %s %u of that backend%s%s", what,
                        f->n_devices == 1 ? "is" : "are", f->n_devices, used ? "; " : "", reasons);
    return qn__fail(QN_E_NO_DEVICE, "%s: no usable device%s%s", what, used ? ": " : "", reasons);
}

/* The device that an id names: its backend, its place there, what it is. */
static qn_status choose(struct qn__found *f, const struct qn__backend **b, uint32_t *index,
                        const qn_device_info **info, const char *id)
{
    int backend;
    if (!id && (id = qn__getenv("QUERN_DEVICE")) != NULL) { /* the first of a list */
        id = qn__arena_strndup(f->arena, id, strcspn(id, ","));
        if (!id)
            return qn__fail(QN_E_MEMORY, "no memory for a device's name");
    }
    if (id && *id) {
        bool allowed[N_BACKENDS];
        QN_TRY(parse_id(&backend, index, id));
        QN_TRY(allowed_backends(allowed));
        if (!allowed[backend])
            return qn__fail(QN_E_NO_DEVICE, "device %s: QUERN_BACKEND=%s leaves it out", id,
                            qn__getenv("QUERN_BACKEND"));
        QN_TRY(probe(f, backends[backend]));
        if (*index >= f->n_devices)
            return no_device(f, id);
        *info = &f->devices[*index];
    } else {
        QN_TRY(find_all(f));
        if (!f->n_devices)
            return no_device(f, "preferred device");
        *info = &f->devices[0];
        QN_TRY(parse_id(&backend, index, (*info)->id));
    }
    *b = backends[backend];
    return QN_OK;
}

qn_status qn__device_open(qn_device **out, const char *id, qn__may_load *may_load)
{
    *out = NULL;
    struct qn__arena arena = {0};
    struct qn__found f = {.arena = &arena, .may_load = may_load};
    const struct qn__backend *b = NULL;
    const qn_device_info *info = NULL;
    struct qn__target target;
    uint32_t index = 0;
    qn_device *dev;
    qn_status s = choose(&f, &b, &index, &info, id);
    if (s == QN_OK)
        s = qn__target_parse(&target, info->target);
    if (s == QN_OK)
        s = b->device_open(&dev, index);
    if (s != QN_OK) {
        qn__arena_release(&arena);
        return s;
    }
    qn__hash_expect_much(); /* its kernels' sources are to come */
    dev->backend = b;
    atomic_init(&dev->refs, 1);
    atomic_init(&dev->watchdog_ms, (uint32_t)qn__setting(QN__SETTING_WATCHDOG) * 1000);
    dev->heap_bytes = QN_HEAP_BYTES_DEFAULT;
    dev->arena = arena;
    dev->info = *info;
    dev->target = target;
    pthread_mutex_init(&dev->lock, NULL);
    pthread_mutex_init(&dev->streams_lock, NULL);
    qn__open_devices_add(dev);
    *out = dev;
    return QN_OK;
}
