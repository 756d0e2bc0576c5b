/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules that a program loads: what `quern cc -fatbin` and our NVRTC make (carried_program.h),
 * which runs on every device; on CUDA devices PTX and cubins as well. Others' machine code and PTX
 * mean nothing to other devices: they are refused. */
#include "cudart/driver.h"

#include "base/file.h"
#include "base/str.h"
#include "cudart/loaded_image.h"
#include "cudart/programs.h"

#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUmod_st *modules;

static bool is_module(const struct CUmod_st *m)
{
    pthread_mutex_lock(&lock);
    const struct CUmod_st *at = modules;
    while (at && at != m)
        at = at->next;
    pthread_mutex_unlock(&lock);
    return at != NULL;
}

static void close_module(struct CUmod_st *m)
{
    while (m->functions) {
        struct CUfunc_st *const f = m->functions;
        m->functions = f->next;
        free(f->name);
        free(f);
    }
    qn_module_close(m->module);
    free(m);
}

void qn__driver_modules_unload(const struct CUctx_st *context, const struct qn__rt_device *device)
{
    struct CUmod_st *gone = NULL;
    pthread_mutex_lock(&lock);
    for (struct CUmod_st **at = &modules; *at;) {
        struct CUmod_st *const m = *at;
        if ((context && m->context == context) || (device && m->device == device)) {
            *at = m->next;
            m->next = gone;
            gone = m;
        } else {
            at = &m->next;
        }
    }
    pthread_mutex_unlock(&lock);
    while (gone) {
        struct CUmod_st *const m = gone;
        gone = m->next;
        close_module(m);
    }
}

/* ---- loading ---- */

/* A bare cubin or PTX, which the driver of an NVIDIA GPU takes. */
static cudaError_t load_bare(qn_module **out, struct qn__rt_device *d, const void *bytes, size_t n)
{
    qn_image *image = NULL;
    qn_status s = qn_image_load_bytes(&image, bytes, n, NULL);
    if (s == QN_OK)
        s = qn_module_load(out, d->device, image);
    qn_image_release(image);
    return qn__rt_status(s, "loading a module");
}

static CUresult load(CUmodule *module, struct CUctx_st *c, const void *bytes, size_t limit)
{
    cudaError_t error;
    struct qn__rt_device *const d = qn__rt_device(&error);
    struct qn__loaded_image image;
    if (!d)
        return qn__driver_result(error);
    const CUresult refused =
        qn__loaded_image_read(&image, bytes, limit, qn_device_get_info(d->device));
    if (refused != CUDA_SUCCESS)
        return refused;
    struct CUmod_st *const m = calloc(1, sizeof *m);
    if (!m) {
        qn__loaded_image_release(&image);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    m->context = c;
    m->device = d;
    error = image.fields ? qn__rt_module_of_fields(&m->module, d, image.name, image.fields, image.n)
                         : load_bare(&m->module, d, image.bytes, image.n);
    qn__loaded_image_release(&image);
    if (error != cudaSuccess) {
        free(m);
        return qn__driver_result(error);
    }
    pthread_mutex_lock(&lock);
    m->next = modules;
    modules = m;
    pthread_mutex_unlock(&lock);
    *module = m;
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    QN__DRIVER_CONTEXT(c);
    if (!module || !image)
        return CUDA_ERROR_INVALID_VALUE;
    *module = NULL;
    return load(module, c, image, 0);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    return cuModuleLoadData(module, image);
}

CUresult cuModuleLoad(CUmodule *module, const char *file)
{
    enum { FILE_MAX = 1 << 30 };
    QN__DRIVER_CONTEXT(c);
    char *bytes;
    size_t n;
    if (!module || !file)
        return CUDA_ERROR_INVALID_VALUE;
    *module = NULL;
    if (qn__file_read(&bytes, &n, file, FILE_MAX) != QN_OK)
        return qn__driver_fail(CUDA_ERROR_FILE_NOT_FOUND, "cuModuleLoad: %s", qn_message());
    const CUresult result = load(module, c, bytes, n);
    free(bytes);
    return result;
}

/* Where the caller wants logs, there are none: what a compiler says is on stderr. */
static void empty_logs(unsigned int n, const CUjit_option *options, void **values)
{
    for (unsigned int i = 0; i < n; i++) {
        if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
            options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
            for (unsigned int k = 0; k < n; k++)
                if ((int)options[k] == (int)options[i] - 1 && values[k] && values[i])
                    *(char *)values[k] = 0;
    }
    for (unsigned int i = 0; i < n; i++)
        if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
            options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
            values[i] = NULL; /* so many bytes were written */
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int n,
                            CUjit_option *options, void **values)
{
    if (n && (!options || !values))
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = cuModuleLoadData(module, image);
    empty_logs(n, options, values);
    return result;
}

CUresult cuModuleUnload(CUmodule module)
{
    cudaError_t error;
    QN__DRIVER_CONTEXT(c);
    (void)c;
    if (!module || !is_module(module))
        return CUDA_ERROR_INVALID_HANDLE;
    error = module->device->sticky == cudaSuccess
                ? qn__rt_streams_wait(module->device, "cuModuleUnload")
                : module->device->sticky;
    pthread_mutex_lock(&lock);
    struct CUmod_st **at = &modules;
    while (*at && *at != module)
        at = &(*at)->next;
    if (*at)
        *at = module->next;
    pthread_mutex_unlock(&lock);
    close_module(module);
    return qn__driver_result(error);
}

/* ---- what is in them ---- */

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    QN__DRIVER_CONTEXT(c);
    (void)c;
    if (!function || !name || !module)
        return CUDA_ERROR_INVALID_VALUE;
    *function = NULL;
    if (!is_module(module))
        return CUDA_ERROR_INVALID_HANDLE;
    pthread_mutex_lock(&lock);
    struct CUfunc_st *f = module->functions;
    while (f && strcmp(f->name, name) != 0)
        f = f->next;
    pthread_mutex_unlock(&lock);
    if (f) {
        *function = f;
        return CUDA_SUCCESS;
    }
    const qn_kernel *kernel = qn__rt_find_kernel(module->module, name);
    if (!kernel && qn_kernel_find(&kernel, module->module, name) != QN_OK)
        return qn__driver_fail(CUDA_ERROR_NOT_FOUND, "cuModuleGetFunction: %s", qn_message());
    f = calloc(1, sizeof *f);
    if (f)
        f->name = strdup(name);
    if (!f || !f->name) {
        free(f);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    f->module = module;
    f->kernel = kernel;
    pthread_mutex_lock(&lock);
    f->next = module->functions;
    module->functions = f;
    pthread_mutex_unlock(&lock);
    *function = f;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr *p, size_t *n, CUmodule module, const char *name)
{
    QN__DRIVER_CONTEXT(c);
    qn_addr a;
    uint64_t size;
    (void)c;
    if (!name || !module || (!p && !n))
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_module(module))
        return CUDA_ERROR_INVALID_HANDLE;
    if (qn__rt_find_variable(&a, &size, module->module, name) != QN_OK)
        return qn__driver_fail(CUDA_ERROR_NOT_FOUND, "cuModuleGetGlobal: %s", qn_message());
    if (p)
        *p = a;
    if (n)
        *n = size;
    return CUDA_SUCCESS;
}

/* ---- linking, which is refused ---- */

static CUresult refuse_linking(const char *name)
{
    return qn__driver_fail(CUDA_ERROR_NOT_SUPPORTED,
                           "%s: images are not linked while a program runs; build the files as one "
                           "program (quern cc -rdc=true), or give NVRTC one source that includes "
                           "them",
                           name);
}

CUresult cuLinkCreate(unsigned int n, CUjit_option *options, void **values, CUlinkState *state)
{
    (void)n, (void)options, (void)values;
    if (state)
        *state = NULL;
    return refuse_linking("cuLinkCreate");
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
                       const char *name, unsigned int n, CUjit_option *options, void **values)
{
    (void)state, (void)type, (void)data, (void)size, (void)name, (void)n, (void)options;
    (void)values;
    return refuse_linking("cuLinkAddData");
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *file, unsigned int n,
                       CUjit_option *options, void **values)
{
    (void)state, (void)type, (void)file, (void)n, (void)options, (void)values;
    return refuse_linking("cuLinkAddFile");
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *n)
{
    (void)state, (void)image, (void)n;
    return refuse_linking("cuLinkComplete");
}

CUresult cuLinkDestroy(CUlinkState state)
{
    (void)state;
    return refuse_linking("cuLinkDestroy");
}
