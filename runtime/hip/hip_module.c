/* SPDX-License-Identifier: Apache-2.0
 *
 * HIP modules: AMD code objects (cubin and PTX where HIP runs over CUDA), kernels with their
 * attributes and arguments, variables.
 *
 * A code object describes its kernels itself (hip_metadata.h): names and sizes of arguments, limits
 * and what a kernel uses, without a call of HIP's; and the wave width a kernel was compiled for,
 * which HIP has no call for. */
#include "runtime/hip/hip_backend.h"
#include "runtime/hip/hip_driver.h"

#include <stdlib.h>

static bool device_is_nvidia(const qn_device *dev)
{
    return dev->target.backend == QN__TARGET_CUDA;
}

static qn_status check_kind(const qn_device *dev, const qn_image_info *info)
{
    const bool is_cuda = info->kind == QN_IMAGE_CUBIN || info->kind == QN_IMAGE_PTX;
    if (device_is_nvidia(dev) ? is_cuda : info->kind == QN_IMAGE_HSACO)
        return QN_OK;
    return qn__fail(QN_E_MISMATCH, "an image for %s is %s: %s (%s) cannot run it", info->target,
                    device_is_nvidia(dev) ? "neither cubin nor PTX" : "no AMD code object",
                    dev->info.id, dev->info.arch);
}

qn_status qn__hip_module_load(qn_module **out, qn_device *dev, qn_image *image, struct qn__str *log)
{
    const qn_image_info *info = &image->info;
    *out = NULL;
    (void)log; /* HIP loads finished code and says nothing about it */
    QN_TRY(check_kind(dev, info));
    QN_TRY(qn__hip_use(dev));
    struct qn__hip_module *m = qn__alloc(1, sizeof *m);
    if (!m)
        return qn__fail(QN_E_MEMORY, "loading an image of %zu bytes", info->size_bytes);
    if (info->kind == QN_IMAGE_HSACO) {
        const qn_status s =
            qn__hip_metadata_read(&m->metadata, &m->arena, info->bytes, info->size_bytes);
        if (s != QN_OK && s != QN_E_NOT_FOUND) { /* damaged: HIP itself checks less */
            qn__arena_release(&m->arena);
            free(m);
            return qn__fail_prefix(s, "%s", info->target);
        }
    }
    const hip_result r = qn__hip.hipModuleLoadData(&m->handle, info->bytes);
    if (r != HIP_OK) {
        qn__arena_release(&m->arena);
        free(m);
        return qn__hip_fail(r, "%s on %s (%s)", info->target, dev->info.id, dev->info.arch);
    }
    *out = &m->base;
    return QN_OK;
}

void qn__hip_module_close(qn_module *mod)
{
    struct qn__hip_module *m = (struct qn__hip_module *)mod;
    if (!m)
        return;
    if (qn__hip_use(mod->device) == QN_OK)
        qn__hip.hipModuleUnload(m->handle);
    qn__arena_release(&m->arena);
    free(m);
}

static qn_status function_attribute(int *value, const struct qn__hip_kernel *k,
                                    hip_function_attribute which)
{
    const hip_result r = qn__hip.hipFuncGetAttribute(value, which, k->handle);
    return r == HIP_OK ? QN_OK : qn__hip_fail(r, "attribute %d of a kernel", which);
}

/* The runtime's advice where it gives any; else four waves, a size that suits most kernels. */
static uint32_t preferred_block(const struct qn__hip_kernel *k, uint32_t wave, uint32_t limit)
{
    int grid = 0, block = 0;
    if (qn__hip.hipModuleOccupancyMaxPotentialBlockSize &&
        qn__hip.hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, k->handle, 0, 0) == HIP_OK &&
        block > 0)
        return (uint32_t)block;
    return 4 * wave < limit ? 4 * wave : limit;
}

/* What the code object says, and the driver's advice when it is asked for. */
static qn_status describe(qn_kernel *kernel)
{
    struct qn__hip_kernel *k = (struct qn__hip_kernel *)kernel;
    qn_kernel_attributes *a = &kernel->attributes;
    QN_TRY(qn__hip_use(kernel->module->device));
    a->block_threads_preferred = preferred_block(k, a->wave_width, a->block_threads_max);
    return QN_OK;
}

/* The code object is foreign: what it claims beyond the device does not hold. */
static void take_attributes(struct qn__hip_kernel *k, const qn_device *dev,
                            const struct qn__hip_kernel_metadata *metadata)
{
    const uint32_t claimed = metadata->block_threads_max, most = dev->info.block_threads_max;
    const uint32_t wave = metadata->wave_width;
    k->base.attributes = (qn_kernel_attributes){
        .registers = metadata->registers,
        .static_shared_bytes = metadata->static_shared_bytes,
        .local_bytes = metadata->local_bytes,
        .block_threads_max = claimed < most ? claimed : most,
        .wave_width = wave == 32 || wave == 64 ? wave : dev->info.wave_width,
    };
    k->base.has_limits = true;
    k->base.describe = describe;
}

/* All from the driver, for a code object that tells nothing. */
static qn_status read_attributes(struct qn__hip_kernel *k, const qn_device *dev)
{
    int registers = 0, shared = 0, local = 0, threads = 0;
    QN_TRY(function_attribute(&registers, k, HIP_FUNC_REGISTERS));
    QN_TRY(function_attribute(&shared, k, HIP_FUNC_SHARED_BYTES));
    QN_TRY(function_attribute(&local, k, HIP_FUNC_LOCAL_BYTES));
    QN_TRY(function_attribute(&threads, k, HIP_FUNC_BLOCK_THREADS));
    const uint32_t wave = dev->info.wave_width;
    k->base.attributes = (qn_kernel_attributes){
        .registers = (uint32_t)registers,
        .static_shared_bytes = (uint64_t)shared,
        .local_bytes = (uint64_t)local,
        .block_threads_max = (uint32_t)threads,
        .block_threads_preferred = preferred_block(k, wave, (uint32_t)threads),
        .wave_width = wave,
    };
    return QN_OK;
}

qn_status qn__hip_kernel_open(qn_kernel **out, qn_module *mod, const char *symbol,
                              const struct qn__kernel *signature)
{
    struct qn__hip_module *m = (struct qn__hip_module *)mod;
    const struct qn__hip_kernel_metadata *metadata = qn__hip_metadata_find(&m->metadata, symbol);
    *out = NULL;
    QN_TRY(qn__hip_use(mod->device));
    struct qn__hip_kernel *k = qn__alloc(1, sizeof *k);
    if (!k)
        return qn__fail(QN_E_MEMORY, "kernel %s", symbol);
    qn_kernel_info *info = &k->base.info;
    qn_status s = QN_OK;
    const hip_result r = qn__hip.hipModuleGetFunction(&k->handle, m->handle, symbol);
    if (r != HIP_OK) {
        s = qn__hip_fail(r, "hipModuleGetFunction");
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
    if (metadata && !info->args_known) {
        info->args_known = true;
        info->n_args = metadata->n_args;
        info->args = metadata->args;
    }
    if (metadata && metadata->block_threads_max)
        take_attributes(k, mod->device, metadata);
    else
        s = read_attributes(k, mod->device);
    info->static_shared_bytes = k->base.attributes.static_shared_bytes;
out:
    if (s != QN_OK) {
        qn__hip_kernel_close(&k->base);
        return qn__fail_prefix(s, "kernel %s", symbol);
    }
    *out = &k->base;
    return QN_OK;
}

void qn__hip_kernel_close(qn_kernel *kernel)
{
    struct qn__hip_kernel *k = (struct qn__hip_kernel *)kernel;
    if (!k)
        return;
    qn__arena_release(&k->arena);
    free(k);
}

qn_status qn__hip_global_find(qn_addr *addr, uint64_t *bytes, qn_module *mod, const char *symbol)
{
    hip_deviceptr address = NULL;
    size_t n = 0;
    QN_TRY(qn__hip_use(mod->device));
    const hip_result r =
        qn__hip.hipModuleGetGlobal(&address, &n, ((struct qn__hip_module *)mod)->handle, symbol);
    if (r != HIP_OK)
        return qn__hip_fail(r, "variable %s", symbol);
    *addr = (uintptr_t)address;
    *bytes = n;
    return QN_OK;
}
