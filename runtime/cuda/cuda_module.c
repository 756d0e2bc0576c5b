/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA modules: cubin and PTX images, kernels with their attributes and argument sizes, variables.
 *
 * PTX is compiled by the driver; its log becomes the message. PTX newer than the driver reads is
 * found out before the driver is asked, because the driver's own answer names neither version. */
#include "runtime/cuda/cuda_backend.h"
#include "runtime/cuda/cuda_driver.h"
#include "runtime/cuda/cuda_metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOG_BYTES = 8192,
    SHARED_BYTES_PLAIN = 48 << 10, /* static + dynamic of a launch that did not opt in */
};

/* ".version 8.7" of a PTX text, as 87; 0 where there is none in its head. */
static int ptx_version(const char *text, size_t n)
{
    static const char word[] = ".version";
    int major = 0, minor = 0;
    const size_t head = n < 4096 ? n : 4096;
    for (size_t i = 0; i + sizeof word < head; i++)
        if (memcmp(text + i, word, sizeof word - 1) == 0)
            return sscanf(text + i + sizeof word - 1, "%d.%d", &major, &minor) == 2
                       ? major * 10 + minor
                       : 0;
    return 0;
}

static qn_status check_ptx(const qn_image_info *info)
{
    int driver = 0;
    qn__cuda.cuDriverGetVersion(&driver);
    const int has = ptx_version(info->bytes, info->size_bytes);
    const int limit = qn__cuda_ptx_version(driver);
    if (limit == 0 || has <= limit)
        return QN_OK;
    return qn__fail(QN_E_MISMATCH,
                    "%s: PTX version %d.%d, the driver (CUDA %d.%d) reads up to %d.%d: update the "
                    "driver, or compile with an older toolkit or for an exact architecture",
                    info->target, has / 10, has % 10, driver / 1000, driver % 1000 / 10, limit / 10,
                    limit % 10);
}

/* What the JIT compiler says of a PTX text goes into *log; its first line also into `first`. */
static cu_result load_ptx(cu_module *out, const void *image, struct qn__str *log, char *first,
                          size_t capacity)
{
    char errors[LOG_BYTES] = "", notes[LOG_BYTES] = "";
    cu_jit_option options[] = {CU_JIT_ERRORS, CU_JIT_ERRORS_BYTES, CU_JIT_NOTES,
                               CU_JIT_NOTES_BYTES};
    void *values[] = {errors, (void *)(uintptr_t)LOG_BYTES, notes, (void *)(uintptr_t)LOG_BYTES};
    const cu_result r = qn__cuda.cuModuleLoadDataEx(out, image, 4, options, values);
    errors[LOG_BYTES - 1] = notes[LOG_BYTES - 1] = 0;
    qn__str_add(log, errors);
    qn__str_add(log, notes);
    snprintf(first, capacity, "%.*s", (int)strcspn(errors, "\n"), errors);
    return r;
}

qn_status qn__cuda_module_load(qn_module **out, qn_device *dev, qn_image *image,
                               struct qn__str *log)
{
    const qn_image_info *info = &image->info;
    char first[256] = "";
    *out = NULL;
    if (info->kind != QN_IMAGE_CUBIN && info->kind != QN_IMAGE_PTX)
        return qn__fail(QN_E_MISMATCH, "an image for %s is neither cubin nor PTX: %s cannot run it",
                        info->target, dev->info.id);
    QN_TRY(qn__cuda_use(dev));
    if (info->kind == QN_IMAGE_PTX)
        QN_TRY(check_ptx(info));
    struct qn__cuda_module *m = qn__alloc(1, sizeof *m);
    if (!m)
        return qn__fail(QN_E_MEMORY, "loading an image of %zu bytes", info->size_bytes);
    const cu_result r = info->kind == QN_IMAGE_PTX
                            ? load_ptx(&m->handle, info->bytes, log, first, sizeof first)
                            : qn__cuda.cuModuleLoadDataEx(&m->handle, info->bytes, 0, NULL, NULL);
    if (r != CU_OK) {
        free(m);
        return qn__cuda_fail(r, "%s on %s (%s)%s%s", info->target, dev->info.id, dev->info.arch,
                             first[0] ? ": " : "", first);
    }
    *out = &m->base;
    return QN_OK;
}

void qn__cuda_module_close(qn_module *mod)
{
    struct qn__cuda_module *m = (struct qn__cuda_module *)mod;
    if (!m)
        return;
    if (qn__cuda_use(mod->device) == QN_OK)
        qn__cuda.cuModuleUnload(m->handle);
    free(m);
}

static qn_status function_attribute(int *value, const struct qn__cuda_kernel *k,
                                    cu_function_attribute which)
{
    const cu_result r = qn__cuda.cuFuncGetAttribute(value, which, k->handle);
    return r == CU_OK ? QN_OK : qn__cuda_fail(r, "attribute %d of a kernel", which);
}

static qn_status read_attributes(struct qn__cuda_kernel *k, const qn_device *dev)
{
    int registers = 0, shared = 0, local = 0, threads = 0, dynamic = 0, grid = 0, preferred = 0;
    QN_TRY(function_attribute(&registers, k, CU_FUNC_REGISTERS));
    QN_TRY(function_attribute(&shared, k, CU_FUNC_SHARED_BYTES));
    QN_TRY(function_attribute(&local, k, CU_FUNC_LOCAL_BYTES));
    QN_TRY(function_attribute(&threads, k, CU_FUNC_BLOCK_THREADS));
    QN_TRY(function_attribute(&dynamic, k, CU_FUNC_DYNAMIC_SHARED_BYTES));
    const cu_result r =
        qn__cuda.cuOccupancyMaxPotentialBlockSize(&grid, &preferred, k->handle, NULL, 0, 0);
    if (r != CU_OK)
        return qn__cuda_fail(r, "occupancy of a kernel");
    k->base.attributes = (qn_kernel_attributes){
        .registers = (uint32_t)registers,
        .static_shared_bytes = (uint64_t)shared,
        .local_bytes = (uint64_t)local,
        .block_threads_max = (uint32_t)threads,
        .block_threads_preferred = (uint32_t)preferred,
        .wave_width = dev->info.wave_width,
    };
    const uint32_t all = ((const struct qn__cuda_device *)dev)->shared_bytes_max;
    k->shared_bytes_max = all > (uint32_t)shared ? all - (uint32_t)shared : 0;
    if (dynamic + shared > SHARED_BYTES_PLAIN)
        dynamic = shared < SHARED_BYTES_PLAIN ? SHARED_BYTES_PLAIN - shared : 0;
    atomic_store_explicit(&k->shared_bytes_ready, (uint32_t)dynamic, memory_order_release);
    return QN_OK;
}

/* Sizes of the arguments, from the image; where it cannot be read they stay unknown. */
static qn_status read_arguments(struct qn__cuda_kernel *k, const qn_image_info *image,
                                const char *symbol)
{
    qn_kernel_info *info = &k->base.info;
    const qn_status s = image->kind == QN_IMAGE_CUBIN
                            ? qn__cubin_arguments(&info->args, &info->n_args, &k->arena,
                                                  image->bytes, image->size_bytes, symbol)
                            : qn__ptx_arguments(&info->args, &info->n_args, &k->arena, image->bytes,
                                                image->size_bytes, symbol);
    info->args_known = s == QN_OK;
    return s == QN_E_MEMORY ? s : QN_OK;
}

static qn_status occupancy(uint32_t *threads, uint32_t *most, qn_kernel *kernel,
                           uint32_t block_threads, uint64_t shared_bytes)
{
    const struct qn__cuda_kernel *k = (struct qn__cuda_kernel *)kernel;
    const struct qn__cuda_device *dev = (struct qn__cuda_device *)kernel->module->device;
    int blocks = 0, all = 0;
    *threads = *most = 0;
    if (!qn__cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor)
        return QN_OK;
    QN_TRY(qn__cuda_use(&dev->base));
    cu_result r = qn__cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, k->handle, (int)block_threads, shared_bytes);
    if (r == CU_OK)
        r = qn__cuda.cuDeviceGetAttribute(&all, CU_ATTR_MULTIPROCESSOR_THREADS, dev->handle);
    if (r != CU_OK)
        return qn__cuda_fail(r, "occupancy of a kernel");
    *threads = (uint32_t)blocks * block_threads;
    *most = (uint32_t)all;
    return QN_OK;
}

static qn_status describe(qn_kernel *kernel)
{
    struct qn__cuda_kernel *k = (struct qn__cuda_kernel *)kernel;
    const qn_device *dev = kernel->module->device;
    qn_status s = qn__cuda_use(dev);
    if (s == QN_OK)
        s = read_attributes(k, dev);
    if (s != QN_OK)
        return qn__fail_prefix(s, "kernel %s", kernel->info.name);
    kernel->info.static_shared_bytes = kernel->attributes.static_shared_bytes;
    return QN_OK;
}

qn_status qn__cuda_kernel_open(qn_kernel **out, qn_module *mod, const char *symbol,
                               const struct qn__kernel *signature)
{
    *out = NULL;
    QN_TRY(qn__cuda_use(mod->device));
    struct qn__cuda_kernel *k = qn__alloc(1, sizeof *k);
    if (!k)
        return qn__fail(QN_E_MEMORY, "kernel %s", symbol);
    qn_kernel_info *info = &k->base.info;
    qn_status s = QN_OK;
    const cu_result r =
        qn__cuda.cuModuleGetFunction(&k->handle, ((struct qn__cuda_module *)mod)->handle, symbol);
    if (r != CU_OK) {
        s = qn__cuda_fail(r, "cuModuleGetFunction");
        goto out;
    }
    if (signature)
        *info = signature->info;
    else
        info->name = info->expression = qn__arena_strdup(&k->arena, symbol);
    if (!info->name) {
        s = qn__fail(QN_E_MEMORY, "its name");
        goto out;
    }
    if (!info->args_known)
        s = read_arguments(k, &mod->image->info, symbol);
    k->base.describe = describe;
    k->base.occupancy = occupancy;
out:
    if (s != QN_OK) {
        qn__cuda_kernel_close(&k->base);
        return qn__fail_prefix(s, "kernel %s", symbol);
    }
    *out = &k->base;
    return QN_OK;
}

void qn__cuda_kernel_close(qn_kernel *kernel)
{
    struct qn__cuda_kernel *k = (struct qn__cuda_kernel *)kernel;
    if (!k)
        return;
    qn__arena_release(&k->arena);
    free(k);
}

qn_status qn__cuda_global_find(qn_addr *addr, uint64_t *bytes, qn_module *mod, const char *symbol)
{
    cu_deviceptr address = 0;
    size_t n = 0;
    QN_TRY(qn__cuda_use(mod->device));
    const cu_result r =
        qn__cuda.cuModuleGetGlobal(&address, &n, ((struct qn__cuda_module *)mod)->handle, symbol);
    if (r != CU_OK)
        return qn__cuda_fail(r, "variable %s", symbol);
    *addr = address;
    *bytes = n;
    return QN_OK;
}
