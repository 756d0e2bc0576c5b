/* SPDX-License-Identifier: Apache-2.0
 *
 * The devices of the program. With QUERN_DEVICE, in the environment or else a configuration file,
 * it has those that are named there, in that order; else the GPUs of the preferred device's
 * backend, or the preferred device where that is no GPU. Each is opened by the first call that
 * needs it. */
#include "cudart/arrays.h"
#include "cudart/driver.h"
#include "cudart/library_kernels.h"

#include "base/environment.h"

#include <string.h>

enum { DEVICES_MAX = 64 };

pthread_mutex_t qn__rt_lock = PTHREAD_MUTEX_INITIALIZER;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static qn_device_list list;
static cudaError_t listed; /* why there is none */
static struct qn__rt_device devices[DEVICES_MAX];
static int n_devices;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int current;
static _Thread_local bool chosen; /* the thread has used a device, or a context is current */

static void add(const char *id)
{
    if (n_devices < DEVICES_MAX) {
        devices[n_devices].id = id;
        devices[n_devices].index = n_devices;
        n_devices++;
    }
}

static void look(void)
{
    const char *const named = qn__getenv("QUERN_DEVICE");
    if (named && named[0]) {
        char *rest = NULL, *const names = strdup(named); /* kept: the devices' names lie in it */
        for (char *p = names ? strtok_r(names, ",", &rest) : NULL; p;
             p = strtok_r(NULL, ",", &rest))
            add(p);
        if (n_devices == 0)
            listed = names
                         ? qn__rt_fail(cudaErrorNoDevice, "QUERN_DEVICE=%s names no device", named)
                         : cudaErrorMemoryAllocation;
        return;
    }
    const qn_status s = qn_device_list_init(&list);
    if (s != QN_OK) {
        listed = qn__rt_status(s, "devices");
        return;
    }
    for (uint32_t i = 0; i < list.n_devices; i++) {
        const qn_device_info *const d = &list.devices[i], *const first = &list.devices[0];
        if (i == 0 || (first->device_class != QN_DEVICE_CPU && d->device_class != QN_DEVICE_CPU &&
                       strcmp(d->backend, first->backend) == 0 && !d->same_as[0]))
            add(d->id);
    }
    if (n_devices == 0)
        listed = cudaErrorNoDevice;
}

struct qn__rt_device *qn__rt_open_device(int index)
{
    return index < n_devices ? &devices[index] : NULL;
}

static cudaError_t open_device(struct qn__rt_device *d)
{
    if (d->device || d->closed != cudaSuccess)
        return d->closed;
    const qn_status s = qn_device_open(&d->device, d->id);
    if (s != QN_OK)
        return d->closed = qn__rt_status(s, "opening a device");
    const cudaError_t error = qn__rt_streams_open(d);
    if (error != cudaSuccess) {
        d->closed = error;
        qn_device_close(d->device);
        d->device = NULL;
    }
    return error;
}

struct qn__rt_device *qn__rt_device_of(int index, cudaError_t *error)
{
    pthread_once(&once, look);
    *error = listed;
    if (n_devices == 0)
        return NULL;
    *error = cudaErrorInvalidDevice;
    if (index < 0 || index >= n_devices)
        return NULL;
    pthread_mutex_lock(&opening);
    *error = open_device(&devices[index]);
    pthread_mutex_unlock(&opening);
    return *error == cudaSuccess ? &devices[index] : NULL;
}

bool qn__rt_device_chosen(int *device)
{
    *device = current;
    return chosen;
}

void qn__rt_device_choose(int device, bool used)
{
    current = device;
    chosen = used;
}

struct qn__rt_device *qn__rt_device(cudaError_t *error)
{
    chosen = true;
    struct qn__rt_device *const d = qn__rt_device_of(current, error);
    if (d && d->sticky != cudaSuccess) {
        *error = d->sticky;
        return NULL;
    }
    return d;
}

bool qn__rt_shares_memory(const struct qn__rt_device *d)
{
    return qn_device_get_info(d->device)->device_class == QN_DEVICE_CPU;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    if (!count)
        return qn__rt_error(cudaErrorInvalidValue);
    pthread_once(&once, look);
    *count = n_devices;
    return n_devices ? cudaSuccess : qn__rt_error(listed);
}

cudaError_t cudaGetDevice(int *device)
{
    if (!device)
        return qn__rt_error(cudaErrorInvalidValue);
    *device = current;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    cudaError_t error;
    if (!qn__rt_device_of(device, &error))
        return qn__rt_error(error);
    qn__rt_device_choose(device, true);
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    return flags & ~0x1fu ? qn__rt_error(cudaErrorInvalidValue) : cudaSuccess;
}

cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *prop)
{
    if (!device || !prop)
        return qn__rt_error(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    QN__RT_DEVICE(d);
    return qn__rt_streams_wait(d, "cudaDeviceSynchronize");
}

cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceReset(void)
{
    cudaError_t error = cudaSuccess;
    pthread_once(&once, look);
    if (n_devices == 0)
        return qn__rt_error(listed);
    struct qn__rt_device *const d = &devices[current];
    pthread_mutex_lock(&opening);
    if (d->device) {
        if (d->sticky == cudaSuccess)
            error = qn__rt_streams_wait(d, "cudaDeviceReset");
        qn__rt_textures_close(d);
        qn__rt_arrays_close(d);
        qn__rt_memory_release(d);
        qn__rt_streams_close(d);
        qn__rt_modules_close(d);
        qn__driver_modules_unload(NULL, d);
        qn__library_close(d);
        qn_device_close(d->device);
        d->device = NULL;
        d->sticky = cudaSuccess;
        d->heap_bytes = 0;
    }
    pthread_mutex_unlock(&opening);
    return error;
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

/* ---- other devices' memory: nothing promises it ---- */

static bool is_device(int device)
{
    pthread_once(&once, look);
    return device >= 0 && device < n_devices;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (!can)
        return qn__rt_error(cudaErrorInvalidValue);
    if (!is_device(device) || !is_device(peer))
        return qn__rt_error(cudaErrorInvalidDevice);
    *can = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    if (flags)
        return qn__rt_error(cudaErrorInvalidValue);
    return qn__rt_error(is_device(peer) && peer != current ? cudaErrorPeerAccessUnsupported
                                                           : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    return qn__rt_error(is_device(peer) ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}
