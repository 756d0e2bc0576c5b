/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of functions of loaded modules, and what is known of them. */
#include "cudart/driver.h"

#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS_MAX = 1024 };

/* The arguments lie in one piece, each aligned as the kernel's: where each begins. */
static CUresult unpack(void *to[ARGUMENTS_MAX], const qn_kernel *kernel, void **extra)
{
    char *buffer = NULL;
    size_t n = 0, at = 0;
    for (void **p = extra; *p != CU_LAUNCH_PARAM_END; p += 2) {
        if (*p == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = p[1];
        else if (*p == CU_LAUNCH_PARAM_BUFFER_SIZE)
            n = *(const size_t *)p[1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    const qn_kernel_info *const info = qn_kernel_get_info(kernel);
    if (!info->args_known || info->n_args > ARGUMENTS_MAX)
        return qn__driver_fail(
            CUDA_ERROR_NOT_SUPPORTED,
            "%s: where its arguments lie in a buffer is not known; pass them one "
            "by one",
            info->name);
    for (uint32_t i = 0; i < info->n_args; i++) {
        const size_t align = info->args[i].align_bytes ? info->args[i].align_bytes : 1;
        at = (at + align - 1) / align * align;
        if (!buffer || at + info->args[i].size_bytes > n)
            return qn__driver_fail(CUDA_ERROR_INVALID_VALUE,
                                   "%s: argument %u ends behind the buffer of %zu bytes",
                                   info->name, i, n);
        to[i] = buffer + at;
        at += info->args[i].size_bytes;
    }
    return CUDA_SUCCESS;
}

static CUresult launch(CUfunction f, dim3 grid, dim3 block, unsigned int shared, CUstream stream,
                       void **arguments, void **extra, bool cooperative)
{
    void *unpacked[ARGUMENTS_MAX];
    cudaError_t error;
    QN__DRIVER_CONTEXT(c);
    (void)c;
    if (!f || (arguments && extra))
        return f ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    struct qn__rt_device *const d = qn__rt_device(&error);
    if (!d)
        return qn__driver_result(error);
    if (d != f->module->device)
        return qn__driver_fail(CUDA_ERROR_INVALID_CONTEXT, "%s: its module is of another device",
                               f->name);
    if (extra) {
        const CUresult result = unpack(unpacked, f->kernel, extra);
        if (result != CUDA_SUCCESS)
            return result;
        arguments = unpacked;
    }
    error =
        qn__rt_launch(d, f->kernel, f->name, grid, block, arguments, shared, stream, cooperative);
    return error == cudaErrorInvalidConfiguration ? CUDA_ERROR_INVALID_VALUE
                                                  : qn__driver_result(error);
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared, CUstream stream,
                        void **arguments, void **extra)
{
    return launch(function, (dim3){grid_x, grid_y, grid_z}, (dim3){block_x, block_y, block_z},
                  shared, stream, arguments, extra, false);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared, CUstream stream,
                                   void **arguments)
{
    return launch(function, (dim3){grid_x, grid_y, grid_z}, (dim3){block_x, block_y, block_z},
                  shared, stream, arguments, NULL, true);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments,
                          void **extra)
{
    bool cooperative = false;
    if (!config || (config->numAttrs && !config->attrs))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned int i = 0; i < config->numAttrs; i++) {
        const CUlaunchAttribute *const a = &config->attrs[i];
        switch (a->id) {
        case CU_LAUNCH_ATTRIBUTE_IGNORE:
        case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        case CU_LAUNCH_ATTRIBUTE_PRIORITY: break;
        case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: cooperative = a->value.cooperative != 0; break;
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
            if (a->value.clusterDim.x * a->value.clusterDim.y * a->value.clusterDim.z <= 1)
                break;
            return qn__driver_fail(CUDA_ERROR_NOT_SUPPORTED,
                                   "cuLaunchKernelEx: clusters of several blocks");
        default:
            return qn__driver_fail(CUDA_ERROR_NOT_SUPPORTED, "cuLaunchKernelEx: attribute %d",
                                   (int)a->id);
        }
    }
    return launch(function, (dim3){config->gridDimX, config->gridDimY, config->gridDimZ},
                  (dim3){config->blockDimX, config->blockDimY, config->blockDimZ},
                  config->sharedMemBytes, config->hStream, arguments, extra, cooperative);
}

/* ---- what is known of a function ---- */

static CUresult attributes_of(cudaFuncAttributes *out, CUfunction f)
{
    QN__DRIVER_CONTEXT(c);
    (void)c;
    return f ? qn__driver_result(
                   qn__rt_kernel_attributes(out, f->module->device, f->kernel, f->name))
             : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    cudaFuncAttributes a;
    const CUresult result = value ? attributes_of(&a, function) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = a.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)a.sharedSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)a.constSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)a.localSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = a.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = a.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = a.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = a.cacheModeCA; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = a.maxDynamicSharedSizeBytes;
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = a.preferredShmemCarveout;
        break;
    default:
        return qn__driver_fail(CUDA_ERROR_INVALID_VALUE,
                               "cuFuncGetAttribute: attribute %d is not served", (int)attribute);
    }
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    cudaFuncAttributes a;
    const CUresult result = attributes_of(&a, function);
    return result == CUDA_SUCCESS ? qn__driver_result(qn__rt_kernel_set_attribute(
                                        &a, (cudaFuncAttribute)attribute, value))
                                  : result;
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
    cudaFuncAttributes a;
    return config > CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_ERROR_INVALID_VALUE
                                               : attributes_of(&a, function);
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{
    cudaFuncAttributes a;
    return config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_ERROR_INVALID_VALUE
                                                              : attributes_of(&a, function);
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
    if (!module || !function)
        return CUDA_ERROR_INVALID_VALUE;
    *module = function->module;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
    if (!name || !function)
        return CUDA_ERROR_INVALID_VALUE;
    *name = function->name;
    return CUDA_SUCCESS;
}

/* ---- occupancy ---- */

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, CUfunction function, int block,
                                                     size_t shared)
{
    cudaFuncAttributes a;
    const CUresult result = attributes_of(&a, function);
    return result == CUDA_SUCCESS
               ? qn__driver_result(qn__rt_occupancy(n, function->module->device, &a, block, shared))
               : result;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, CUfunction function,
                                                              int block, size_t shared,
                                                              unsigned int flags)
{
    return flags > 1 ? CUDA_ERROR_INVALID_VALUE
                     : cuOccupancyMaxActiveBlocksPerMultiprocessor(n, function, block, shared);
}

/* Blocks as large as may be, and as many as run at once. */
CUresult cuOccupancyMaxPotentialBlockSize(int *min_grid, int *block, CUfunction function,
                                          CUoccupancyB2DSize shared_of, size_t shared, int limit)
{
    enum { WARP = 32 };
    cudaFuncAttributes a;
    int units, blocks = 0, best = 0;
    CUresult result = min_grid && block ? attributes_of(&a, function) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = qn__driver_result(cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount,
                                                          function->module->device->index));
    if (result != CUDA_SUCCESS)
        return result;
    const int most = limit > 0 && limit < a.maxThreadsPerBlock ? limit : a.maxThreadsPerBlock;
    for (int n = most; n > 0; n -= n % WARP ? n % WARP : WARP) {
        int active;
        result = cuOccupancyMaxActiveBlocksPerMultiprocessor(&active, function, n,
                                                             shared_of ? shared_of(n) : shared);
        if (result != CUDA_SUCCESS)
            return result;
        if (active * n > blocks * best) {
            best = n;
            blocks = active;
        }
    }
    *block = best;
    *min_grid = blocks * units;
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block, CUfunction function,
                                                   CUoccupancyB2DSize shared_of, size_t shared,
                                                   int limit, unsigned int flags)
{
    return flags > 1 ? CUDA_ERROR_INVALID_VALUE
                     : cuOccupancyMaxPotentialBlockSize(min_grid, block, function, shared_of,
                                                        shared, limit);
}
