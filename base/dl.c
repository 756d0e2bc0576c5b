/* SPDX-License-Identifier: Apache-2.0
 *
 * dlopen tables. Pointers are stored with memcpy: ISO C has no cast from object to function
 * pointer. */
#define _GNU_SOURCE
#include "base/dl.h"

#include "base/forks.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

qn_status qn__dl_open(void **handle, const char **which, const char *const *names)
{
    char reason[QN__MESSAGE_MAX / 2] = "";
    *handle = NULL;
    for (size_t i = 0; names[i]; i++) {
        *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (*handle) {
            if (which)
                *which = names[i];
            return QN_OK;
        }
        const char *why = dlerror();
        if (!reason[0])
            snprintf(reason, sizeof reason, "%s", why ? why : names[i]);
    }
    return qn__fail(QN_E_NO_DEVICE, "%s", reason);
}

qn_status qn__dl_load(void *table, void *handle, const struct qn__dl_symbol *rows, size_t n_rows)
{
    for (size_t i = 0; i < n_rows; i++) {
        void *p = dlsym(handle, rows[i].symbol);
        if (!p && rows[i].required)
            return qn__fail(QN_E_NO_DEVICE,
                            "the library lacks %s: too old or not what its name says",
                            rows[i].symbol);
        memcpy((char *)table + rows[i].offset, &p, sizeof p);
    }
    return QN_OK;
}

static struct {
    pthread_mutex_t lock;
    struct qn__dl_once *first;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* In a forked child: a thread that was loading is not there. */
static void forget_loads(void)
{
    for (struct qn__dl_once *o = all.first; o; o = o->next)
        o->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
QN__FORK_PART(&all.lock, forget_loads)

static void list(struct qn__dl_once *once)
{
    pthread_mutex_lock(&all.lock);
    if (!once->is_listed) {
        once->is_listed = true;
        once->next = all.first;
        all.first = once;
    }
    pthread_mutex_unlock(&all.lock);
}

qn_status qn__dl_load_once(struct qn__dl_once *once, qn_status (*load)(void))
{
    list(once);
    pthread_mutex_lock(&once->lock);
    if (!once->is_done) {
        once->status = load();
        if (once->status != QN_OK)
            qn__message_save(&once->message);
        once->is_done = true;
    } else if (once->status != QN_OK) {
        qn__message_restore(&once->message);
    }
    const qn_status s = once->status;
    pthread_mutex_unlock(&once->lock);
    return s;
}

bool qn__dl_is_done(struct qn__dl_once *once)
{
    pthread_mutex_lock(&once->lock);
    const bool is_done = once->is_done;
    pthread_mutex_unlock(&once->lock);
    return is_done;
}

void qn__dl_path(char *out, size_t capacity, void *handle, const char *symbol)
{
    Dl_info info;
    void *p = dlsym(handle, symbol);
    out[0] = 0;
    if (p && dladdr(p, &info) && info.dli_fname)
        snprintf(out, capacity, "%s", info.dli_fname);
}
