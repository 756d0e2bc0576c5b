/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts. A thread has a stack of them, whose top is current and says which device the runtime
 * works on. Where it is empty and the thread has used the runtime, that device's primary context is
 * current, as in CUDA. */
#include "cudart/driver.h"

#include "cudart/programs.h"

#include <stdlib.h>

enum { DEPTH = 64 };

static struct CUctx_st primary[QN__RT_DEVICES_MAX];
static struct CUctx_st *contexts; /* those of cuCtxCreate() */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local struct CUctx_st *stack[DEPTH];
static _Thread_local unsigned n_stack;

struct CUctx_st *qn__driver_primary(int device)
{
    primary[device].device = device;
    primary[device].is_primary = true;
    return &primary[device];
}

bool qn__driver_is_context(const struct CUctx_st *c)
{
    if (!c || (c >= primary && c < primary + QN__RT_DEVICES_MAX))
        return c != NULL;
    pthread_mutex_lock(&lock);
    const struct CUctx_st *at = contexts;
    while (at && at != c)
        at = at->next;
    pthread_mutex_unlock(&lock);
    return at != NULL;
}

/* The runtime follows; a thread without a context has not used it. */
static void follow(void)
{
    qn__rt_device_choose(n_stack ? stack[n_stack - 1]->device : 0, n_stack > 0);
}

/* Current: the top of the stack, or the runtime's. */
static struct CUctx_st *current_context(void)
{
    int device;
    if (n_stack && qn__driver_is_context(stack[n_stack - 1])) {
        struct CUctx_st *const top = stack[n_stack - 1];
        if (qn__rt_device_chosen(&device) && device != top->device)
            return qn__driver_primary(device); /* cudaSetDevice() came after it */
        return top;
    }
    return n_stack == 0 && qn__rt_device_chosen(&device) ? qn__driver_primary(device) : NULL;
}

struct CUctx_st *qn__driver_context(CUresult *error)
{
    struct CUctx_st *const c = qn__driver_is_ready() ? current_context() : NULL;
    *error = c                        ? CUDA_SUCCESS
             : !qn__driver_is_ready() ? CUDA_ERROR_NOT_INITIALIZED
             : n_stack                ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                                      : CUDA_ERROR_INVALID_CONTEXT;
    return c;
}

/* A device that can be opened, after cuInit(). */
static CUresult open_device(CUdevice device)
{
    cudaError_t error;
    if (!qn__driver_is_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    return qn__rt_device_of(device, &error) ? CUDA_SUCCESS : qn__driver_result(error);
}

/* ---- primary contexts ---- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    const CUresult result = context ? open_device(device) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    *context = qn__driver_primary(device);
    (*context)->n_users++;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    CUresult result = open_device(device);
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    struct CUctx_st *const c = qn__driver_primary(device);
    if (c->n_users == 0)
        result = CUDA_ERROR_INVALID_CONTEXT;
    else
        c->n_users--;
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
    int before;
    const CUresult result = open_device(device);
    if (result != CUDA_SUCCESS)
        return result;
    const bool used = qn__rt_device_chosen(&before);
    qn__rt_device_choose(device, true);
    const cudaError_t error = cudaDeviceReset();
    qn__rt_device_choose(used ? before : 0, used);
    return qn__driver_result(error);
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
    const CUresult result = flags && active ? open_device(device) : CUDA_ERROR_INVALID_VALUE;
    int used;
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    const struct CUctx_st *const c = qn__driver_primary(device);
    *flags = c->flags;
    *active = c->n_users > 0 || (qn__rt_device_chosen(&used) && used == device);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags)
{
    const CUresult result = flags & ~0x1fu ? CUDA_ERROR_INVALID_VALUE : open_device(device);
    if (result == CUDA_SUCCESS)
        qn__driver_primary(device)->flags = flags;
    return result;
}

/* ---- contexts of the program's own ---- */

CUresult cuCtxPushCurrent(CUcontext context)
{
    if (!qn__driver_is_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!qn__driver_is_context(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (n_stack == DEPTH)
        return qn__driver_fail(CUDA_ERROR_INVALID_CONTEXT, "cuCtxPushCurrent: %d contexts", DEPTH);
    stack[n_stack++] = context;
    follow();
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
    CUresult result = !context || flags & ~0x1fu ? CUDA_ERROR_INVALID_VALUE : open_device(device);
    if (result != CUDA_SUCCESS)
        return result;
    struct CUctx_st *const c = calloc(1, sizeof *c);
    if (!c)
        return CUDA_ERROR_OUT_OF_MEMORY;
    c->device = device;
    c->flags = flags;
    pthread_mutex_lock(&lock);
    c->next = contexts;
    contexts = c;
    pthread_mutex_unlock(&lock);
    result = cuCtxPushCurrent(c);
    if (result == CUDA_SUCCESS)
        *context = c;
    else
        cuCtxDestroy(c);
    return result;
}

CUresult cuCtxDestroy(CUcontext context)
{
    cudaError_t error = cudaSuccess;
    if (!qn__driver_is_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!qn__driver_is_context(context) || context->is_primary)
        return CUDA_ERROR_INVALID_CONTEXT;
    struct qn__rt_device *const d = qn__rt_device_of(context->device, &error);
    if (d && d->sticky == cudaSuccess)
        error = qn__rt_streams_wait(d, "cuCtxDestroy");
    qn__driver_modules_unload(context, NULL);
    pthread_mutex_lock(&lock);
    struct CUctx_st **at = &contexts;
    while (*at && *at != context)
        at = &(*at)->next;
    if (*at)
        *at = context->next;
    pthread_mutex_unlock(&lock);
    if (n_stack && stack[n_stack - 1] == context) {
        n_stack--;
        follow();
    }
    free(context);
    return qn__driver_result(error);
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    if (!qn__driver_is_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (n_stack == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    n_stack--;
    if (context)
        *context = stack[n_stack];
    follow();
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    if (!qn__driver_is_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (context && !qn__driver_is_context(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (n_stack)
        n_stack--;
    if (context)
        return cuCtxPushCurrent(context);
    follow();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    if (!qn__driver_is_ready())
        return CUDA_ERROR_NOT_INITIALIZED;
    *context = current_context();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    QN__DRIVER_CONTEXT(c);
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    *device = c->device;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
    QN__DRIVER_CONTEXT(c);
    if (!flags)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = c->flags;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version)
{
    enum { VERSION = 3020 }; /* of the interface, since CUDA 3.2 */
    if (!version || (context && !qn__driver_is_context(context)))
        return version ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *version = VERSION;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
    QN__DRIVER_RETURN(cudaDeviceSynchronize());
}

/* ---- limits and hints ---- */

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    QN__DRIVER_RETURN(cudaDeviceSetLimit((cudaLimit)limit, value));
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    QN__DRIVER_RETURN(cudaDeviceGetLimit(value, (cudaLimit)limit));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    QN__DRIVER_RETURN(cudaDeviceSetCacheConfig((cudaFuncCache)config));
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    QN__DRIVER_RETURN(cudaDeviceSetSharedMemConfig((cudaSharedMemConfig)config));
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    QN__DRIVER_RETURN(cudaDeviceGetStreamPriorityRange(least, greatest));
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
    if (!qn__driver_is_context(peer))
        return CUDA_ERROR_INVALID_CONTEXT;
    QN__DRIVER_RETURN(cudaDeviceEnablePeerAccess(peer->device, flags));
}

CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    if (!qn__driver_is_context(peer))
        return CUDA_ERROR_INVALID_CONTEXT;
    QN__DRIVER_RETURN(cudaDeviceDisablePeerAccess(peer->device));
}

CUresult cuProfilerStart(void)
{
    QN__DRIVER_RETURN(cudaProfilerStart());
}

CUresult cuProfilerStop(void)
{
    QN__DRIVER_RETURN(cudaProfilerStop());
}
