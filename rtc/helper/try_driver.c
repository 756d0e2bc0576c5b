/* SPDX-License-Identifier: Apache-2.0
 *
 * Load a driver and ask it for its devices, or to build an image, with the code that the library
 * itself has for that.
 *
 * Nothing is done about crashes: they are what is looked for, and the caller sees them. The process
 * ends without the driver's own destructors, some of which crash or wait, because programs that
 * use the driver do so as well. */
#define _GNU_SOURCE
#include "rtc/helper/try_driver.h"

#include "base/dl.h"
#include "base/file.h"
#include "base/wire.h"
#include "rtc/job/trial.h"
#include "runtime/device_open.h"

#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { IMAGE_BYTES_MAX = 1 << 30 };

static const char *only; /* libraries that may be loaded, separated by colons; NULL: any */

static void tell(enum qn__trial_tag tag, const char *text)
{
    struct qn__str field = {0};
    qn__wire_text(&field, tag, text);
    if (write(QN__TRIAL_FD, field.text, field.len) != (ssize_t)field.len)
        _exit(2);
    qn__str_release(&field);
}

static bool is_listed(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = list; *p; p += strcspn(p, ":"), p += *p == ':')
        if (strcspn(p, ":") == n && memcmp(p, name, n) == 0)
            return true;
    return strcmp(list, name) == 0;
}

static qn_status may_load(const char *backend, const char *libraries)
{
    if (!only || (libraries && is_listed(only, libraries)))
        return QN_OK;
    return qn__fail(QN_E_NO_DEVICE, "%s: not on trial", libraries ? libraries : backend);
}

/* The caller is gone: so is everything that the driver has started. */
static void *watch(void *unused)
{
    struct pollfd fd = {QN__TRIAL_PIPE_FD, 0, 0};
    (void)unused;
    while (poll(&fd, 1, -1) <= 0)
        ;
    if (getpgrp() == getpid())
        kill(0, SIGKILL);
    _exit(2);
}

/* Apart from what follows, so that a crash in its constructors can be told: those on trial, or the
 * first of the backend's names that is there. */
static void load(const struct qn__backend *b)
{
    struct qn__str names = {0};
    void *handle;
    bool is_there = false;
    if (only)
        qn__str_add_bytes(&names, only, strlen(only) + 1);
    else
        b->files(&names);
    for (size_t i = 0; only && i < names.len; i++)
        if (names.text[i] == ':')
            names.text[i] = 0;
    for (size_t at = 0; at < names.len && (only || !is_there); at += strlen(names.text + at) + 1) {
        const char *const name[] = {names.text + at, NULL};
        if (only || !strchr(name[0], '/'))
            is_there = qn__dl_open(&handle, NULL, name) == QN_OK;
    }
    qn__str_release(&names);
}

static int count(struct dl_phdr_info *info, size_t size, void *n)
{
    (void)info;
    (void)size;
    ++*(int *)n;
    return 0;
}

/* What came into this process after the first *n. */
static int tell_file(struct dl_phdr_info *info, size_t size, void *n)
{
    (void)size;
    if (--*(int *)n < 0 && info->dlpi_name && strchr(info->dlpi_name, '/'))
        tell(QN__TRIAL_FILE, info->dlpi_name);
    return 0;
}

/* False: this is no trial. */
static bool begin(int n, char **arguments)
{
    const struct rlimit none = {0, 0};
    pthread_t watcher;
    if (n < 1 || n > 2)
        return false;
    only = n == 2 ? arguments[1] : NULL;
    setrlimit(RLIMIT_CORE, &none);
    return pthread_create(&watcher, NULL, watch, NULL) == 0;
}

static int end(qn_status s)
{
    tell(s == QN_OK ? QN__TRIAL_END : QN__TRIAL_UNABLE, s == QN_OK ? "" : qn_message());
    _exit(0);
}

int qn__try_driver(int n, char **arguments)
{
    const struct qn__backend *b = n > 0 ? qn__backend_find(arguments[0]) : NULL;
    struct qn__arena arena = {0};
    struct qn__found found = {.arena = &arena, .may_load = may_load};
    if (!b || !begin(n, arguments))
        return 2;
    int n_own = 0;
    dl_iterate_phdr(count, &n_own);
    tell(QN__TRIAL_STEP, "while it was loaded");
    load(b);
    tell(QN__TRIAL_STEP, "while it was asked for its devices");
    const qn_status s = b->probe(&found);
    dl_iterate_phdr(tell_file, &n_own);
    if (found.broken)
        tell(QN__TRIAL_BROKEN, found.broken);
    return end(s);
}

/* -- a build -- */

/* A text of the image; NULL: no memory. */
static const char *text_of(struct qn__arena *arena, struct qn__wire_field f)
{
    return qn__arena_strndup(arena, (const char *)f.bytes, f.n);
}

static qn_status read_image(qn_image **out)
{
    char path[32], *bytes;
    size_t n;
    uint32_t kind = 0;
    struct qn__arena arena = {0};
    struct qn__wire_field f, image = {0}, reflection = {0};
    const char *target = "", *compiler = "";
    *out = NULL;
    snprintf(path, sizeof path, "/proc/self/fd/%d", QN__TRIAL_IMAGE_FD);
    QN_TRY(qn__file_read(&bytes, &n, path, IMAGE_BYTES_MAX));
    struct qn__wire_reader r = qn__wire_reader(bytes, n);
    while (qn__wire_next(&r, &f)) {
        switch ((enum qn__trial_image)f.tag) {
        case QN__TRIAL_IMAGE_TARGET: target = text_of(&arena, f); break;
        case QN__TRIAL_IMAGE_COMPILER: compiler = text_of(&arena, f); break;
        case QN__TRIAL_IMAGE_KIND: qn__wire_get_u32(f, &kind); break;
        case QN__TRIAL_IMAGE_REFLECTION: reflection = f; break;
        case QN__TRIAL_IMAGE_BYTES: image = f; break;
        }
    }
    const qn_status s = target && compiler
                            ? qn__image_create(out, target, compiler, (qn_image_kind)kind,
                                               image.bytes, image.n, reflection.bytes, reflection.n)
                            : qn__fail(QN_E_MEMORY, "no memory for an image");
    qn__arena_release(&arena);
    free(bytes);
    return s;
}

int qn__try_build(int n, char **arguments)
{
    qn_device *dev;
    qn_image *image;
    qn_module *module;
    struct qn__str log = {0};
    if (!begin(n, arguments))
        return 2;
    tell(QN__TRIAL_STEP, "while its device was opened");
    qn_status s = qn__device_open(&dev, arguments[0], may_load);
    if (s == QN_OK)
        s = read_image(&image);
    if (s != QN_OK)
        return end(s);
    tell(QN__TRIAL_STEP, "while it was built");
    (void)qn__module_load(&module, dev, image, &log); /* a refusal is an answer */
    return end(QN_OK);
}
