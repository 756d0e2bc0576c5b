/* SPDX-License-Identifier: Apache-2.0
 *
 * A module for each file and its definitions, by device. They go through the kernel cache, so that
 * the next program that wants them compiles nothing. */
#include "cudart/library_kernels.h"

#include "base/embedded.h"
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct qn__embedded qn__cudart_kernels[];

enum { DEFINES_MAX = 8 };

struct qn__library_module {
    struct qn__library_module *next;
    char *key; /* file and definitions */
    qn_module *module;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static qn_status build(qn_module **out, struct qn__rt_device *d,
                       const struct qn__library_kernel *which)
{
    const struct qn__embedded *const file = qn__embedded_find(qn__cudart_kernels, which->file);
    const char *defines[DEFINES_MAX];
    uint32_t n = 0;
    qn_log log = {0};
    struct qn__str text = {0}, words = {0};
    if (!file)
        return qn__fail(QN_E_NOT_FOUND, "%s: no such kernels", which->file);
    qn__str_add_bytes(&text, file->text, (size_t)(file->end - file->text));
    qn__str_add(&words, which->defines);
    qn_status status = qn__str_check(&text);
    if (status == QN_OK)
        status = qn__str_check(&words);
    char *rest = NULL;
    for (char *p = words.text ? strtok_r(words.text, " ", &rest) : NULL; p && n < DEFINES_MAX;
         p = strtok_r(NULL, " ", &rest))
        defines[n++] = p;
    const qn_source source = {
        .text = text.text, .path = which->file, .defines = defines, .n_defines = n};
    if (status == QN_OK)
        status = qn_module_build(out, d->device, &source, NULL, &log);
    if (status != QN_OK && log.text && log.text[0])
        fputs(log.text, stderr);
    qn_log_release(&log);
    qn__str_release(&text);
    qn__str_release(&words);
    return status;
}

static const qn_kernel *find(struct qn__rt_device *d, const struct qn__library_kernel *which,
                             cudaError_t *error)
{
    struct qn__str key = {0};
    const qn_kernel *kernel = NULL;
    qn_status status = QN_OK;
    qn__str_printf(&key, "%s %s", which->file, which->defines);
    pthread_mutex_lock(&lock);
    struct qn__library_module *m = d->libraries;
    while (m && strcmp(m->key, key.text) != 0)
        m = m->next;
    if (!m && (m = calloc(1, sizeof *m)) != NULL) {
        status = build(&m->module, d, which);
        m->key = status == QN_OK ? qn__str_take(&key) : NULL;
        if (m->key) {
            m->next = d->libraries;
            d->libraries = m;
        } else {
            free(m);
            m = NULL;
        }
    }
    if (m)
        status = qn_kernel_find(&kernel, m->module, which->name);
    pthread_mutex_unlock(&lock);
    qn__str_release(&key);
    *error = cudaSuccess;
    if (!kernel)
        *error = status == QN_OK ? cudaErrorMemoryAllocation : qn__rt_status(status, which->name);
    return kernel;
}

cudaError_t qn__library_launch(const struct qn__library_kernel *which, cudaStream_t stream,
                               const qn_dims *dims, void **arguments)
{
    cudaError_t error;
    QN__RT_DEVICE(d);
    const qn_kernel *const kernel = find(d, which, &error);
    if (!kernel)
        return qn__rt_error(error);
    struct CUstream_st *const s = qn__rt_stream_enter(stream, &error);
    if (!s)
        return qn__rt_error(error);
    error = qn__rt_status(qn_stream_launch(s->stream, kernel, dims, arguments), which->name);
    qn__rt_stream_leave(s);
    return error;
}

void qn__library_close(struct qn__rt_device *d)
{
    while (d->libraries) {
        struct qn__library_module *const m = d->libraries;
        d->libraries = m->next;
        qn_module_close(m->module);
        free(m->key);
        free(m);
    }
}
