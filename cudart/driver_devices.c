/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API's beginning and its devices, which are the runtime's by number. */
#include "cudart/driver.h"

#include "base/hash.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_bool ready;

bool qn__driver_is_ready(void)
{
    return ready;
}

CUresult cuInit(unsigned int flags)
{
    int n;
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = qn__driver_result(cudaGetDeviceCount(&n));
    ready = ready || result == CUDA_SUCCESS;
    return result;
}

CUresult cuDriverGetVersion(int *version)
{
    return qn__driver_result(cudaDriverGetVersion(version));
}

/* CUDA's headers give a function of a later form another name: cuMemAlloc_v2. */
static bool is_name(const char *asked, const char *name)
{
    const size_t n = strlen(name);
    return strncmp(asked, name, n) == 0 &&
           (!asked[n] || strcmp(asked + n, "_v2") == 0 || strcmp(asked + n, "_v3") == 0);
}

CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags)
{
    typedef void (*any)(void);
    static const struct {
        const char *name;
        any function;
    } table[] = {
#define QN_DRIVER(group, name, parameters, note) {#name, (any)name},
#include <quern_driver.def>
#undef QN_DRIVER
    };
    (void)version, (void)flags;
    if (!name || !function)
        return CUDA_ERROR_INVALID_VALUE;
    *function = NULL;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (is_name(name, table[i].name)) {
            memcpy(function, &table[i].function, sizeof *function);
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_NOT_FOUND;
}

/* ---- devices ---- */

/* Is it one, after cuInit()? */
static CUresult look_for(CUdevice device)
{
    int n;
    if (!ready)
        return CUDA_ERROR_NOT_INITIALIZED;
    const CUresult result = qn__driver_result(cudaGetDeviceCount(&n));
    if (result != CUDA_SUCCESS)
        return result;
    return device >= 0 && device < n ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult properties_of(cudaDeviceProp *out, CUdevice device)
{
    const CUresult result = look_for(device);
    return result == CUDA_SUCCESS ? qn__driver_result(cudaGetDeviceProperties(out, device))
                                  : result;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = look_for(ordinal);
    if (result == CUDA_SUCCESS)
        *device = ordinal;
    return result;
}

CUresult cuDeviceGetCount(int *count)
{
    return ready ? qn__driver_result(cudaGetDeviceCount(count)) : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuDeviceGetName(char *name, int n, CUdevice device)
{
    cudaDeviceProp p;
    if (!name || n <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = properties_of(&p, device);
    if (result == CUDA_SUCCESS)
        snprintf(name, (size_t)n, "%s", p.name);
    return result;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    cudaError_t error;
    unsigned char hash[QN__HASH_BYTES];
    char text[512];
    if (!uuid)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = look_for(device);
    const struct qn__rt_device *const d =
        result == CUDA_SUCCESS ? qn__rt_device_of(device, &error) : NULL;
    if (!d)
        return result == CUDA_SUCCESS ? qn__driver_result(error) : result;
    const qn_device_info *const i = qn_device_get_info(d->device);
    const int n = snprintf(text, sizeof text, "%s %s %s", i->id, i->name, i->pci);
    qn__hash_of(hash, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
    memcpy(uuid->bytes, hash, sizeof uuid->bytes);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    const CUresult result = value ? look_for(device) : CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS
               ? qn__driver_result(cudaDeviceGetAttribute(value, (cudaDeviceAttr)attribute, device))
               : result;
}

CUresult cuDeviceTotalMem(size_t *n, CUdevice device)
{
    cudaDeviceProp p;
    const CUresult result = n ? properties_of(&p, device) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *n = p.totalGlobalMem;
    return result;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    cudaDeviceProp p;
    const CUresult result = major && minor ? properties_of(&p, device) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        *major = p.major;
        *minor = p.minor;
    }
    return result;
}

CUresult cuDeviceGetPCIBusId(char *id, int n, CUdevice device)
{
    const CUresult result = look_for(device);
    return result == CUDA_SUCCESS ? qn__driver_result(cudaDeviceGetPCIBusId(id, n, device))
                                  : result;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    return ready ? qn__driver_result(cudaDeviceCanAccessPeer(can, device, peer))
                 : CUDA_ERROR_NOT_INITIALIZED;
}
