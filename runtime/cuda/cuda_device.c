/* SPDX-License-Identifier: Apache-2.0
 *
 * What CUDA devices there are, and opening one.
 *
 * Listing makes no context on any card. Free memory therefore comes from NVML where that is
 * installed; the total stands in where it is not, and for a MIG slice, of which NVML reports the
 * whole card. */
#include "base/dl.h"
#include "base/environment.h"
#include "runtime/cuda/cuda_backend.h"
#include "runtime/cuda/cuda_driver.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct nvml_api {
#define QN_SYM(name, symbol, ret, args) ret(*name) args;
#include "runtime/cuda/nvml.sym"
#undef QN_SYM
};

static const struct qn__dl_symbol nvml_symbols[] = {
#define QN_SYM(name, symbol, ret, args) {#symbol, offsetof(struct nvml_api, name), true},
#include "runtime/cuda/nvml.sym"
#undef QN_SYM
};

/* NVML, started without attaching to any card; false where it is missing. */
static bool nvml_start(struct nvml_api *api)
{
    static const char *const names[] = {"libnvidia-ml.so.1", NULL};
    void *handle;
    return qn__dl_open(&handle, NULL, names) == QN_OK &&
           qn__dl_load(api, handle, nvml_symbols, sizeof nvml_symbols / sizeof *nvml_symbols) ==
               QN_OK &&
           api->nvmlInitWithFlags(NVML_NO_GPUS | NVML_NO_ATTACH) == 0;
}

static uint64_t free_bytes_of(const struct nvml_api *nvml, const char *pci, uint64_t total)
{
    nvml_device device;
    struct nvml_memory memory;
    if (nvml->nvmlDeviceGetHandleByPciBusId(pci, &device) != 0 ||
        nvml->nvmlDeviceGetMemoryInfo(device, &memory) != 0 ||
        memory.total_bytes > total + total / 8)
        return total;
    return memory.free_bytes < total ? memory.free_bytes : total;
}

/* "570.86.15", from the kernel module; "" where it does not say (WSL). */
static void kernel_driver_version(char *out, size_t capacity)
{
    out[0] = 0;
    FILE *f = fopen("/sys/module/nvidia/version", "re");
    if (f && !fgets(out, (int)capacity, f))
        out[0] = 0;
    if (f)
        fclose(f);
    out[strcspn(out, "\n")] = 0;
}

static int attribute(cu_device device, cu_device_attribute which)
{
    int value = 0;
    return qn__cuda.cuDeviceGetAttribute(&value, which, device) == CU_OK ? value : 0;
}

static uint32_t shared_bytes_max(cu_device device)
{
    const int plain = attribute(device, CU_ATTR_SHARED_BYTES);
    const int optin = attribute(device, CU_ATTR_SHARED_BYTES_OPTIN);
    return (uint32_t)(optin > plain ? optin : plain);
}

/* Numbers of the device; strings are describe()'s. */
static void measure(qn_device_info *info, cu_device device)
{
    size_t total = 0;
    qn__cuda.cuDeviceTotalMem(&total, device);
    info->memory_total_bytes = info->memory_free_bytes = total;
    info->device_class =
        attribute(device, CU_ATTR_INTEGRATED) ? QN_DEVICE_INTEGRATED : QN_DEVICE_DISCRETE;
    info->compute_units = (uint32_t)attribute(device, CU_ATTR_MULTIPROCESSORS);
    info->wave_width = (uint32_t)attribute(device, CU_ATTR_WARP_SIZE);
    info->block_threads_max = (uint32_t)attribute(device, CU_ATTR_BLOCK_THREADS);
    for (int i = 0; i < 3; i++) {
        info->block_max[i] = (uint32_t)attribute(device, CU_ATTR_BLOCK_X + i);
        info->grid_max[i] = (uint64_t)attribute(device, CU_ATTR_GRID_X + i);
    }
    info->shared_bytes_max = shared_bytes_max(device);
    info->clock_mhz = (uint32_t)attribute(device, CU_ATTR_CLOCK_KHZ) / 1000;
}

static qn_status describe(struct qn__found *found, cu_device device, const struct nvml_api *nvml)
{
    char name[256] = "", pci[32] = "", kernel[64], driver[128], arch[32], target[48];
    int version = 0;
    qn__cuda.cuDeviceGetName(name, sizeof name, device);
    if (qn__cuda.cuDeviceGetPCIBusId(pci, sizeof pci, device) != CU_OK)
        pci[0] = 0;
    if (!memchr(name, 0, sizeof name) || !memchr(pci, 0, sizeof pci))
        return qn__found_broken(found, "cuda", qn__cuda_libraries[0],
                                "the driver writes names of devices without their end");
    for (char *p = pci; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    qn__cuda.cuDriverGetVersion(&version);
    kernel_driver_version(kernel, sizeof kernel);
    snprintf(driver, sizeof driver, "CUDA %d.%d%s%s", version / 1000, version % 1000 / 10,
             kernel[0] ? ", driver " : "", kernel);
    snprintf(arch, sizeof arch, "sm_%d%d", attribute(device, CU_ATTR_MAJOR),
             attribute(device, CU_ATTR_MINOR));
    snprintf(target, sizeof target, "cuda:%s", arch);
    qn_device_info info = {
        .kind = "cuda", .name = name, .arch = arch, .target = target, .driver = driver, .pci = pci};
    measure(&info, device);
    if (nvml && pci[0])
        info.memory_free_bytes = free_bytes_of(nvml, pci, info.memory_total_bytes);
    return qn__found_device(found, &info);
}

/* May this ordinal of the driver be used? Probe and open count by the same answer. */
static qn_status usable(cu_device *device, int ordinal)
{
    const cu_result r = qn__cuda.cuDeviceGet(device, ordinal);
    if (r != CU_OK)
        return qn__cuda_fail(r, "cuDeviceGet");
    if (attribute(*device, CU_ATTR_COMPUTE_MODE) == CU_COMPUTE_MODE_PROHIBITED)
        return qn__fail(QN_E_NO_DEVICE,
                        "its compute mode is Prohibited; `nvidia-smi -c 0` allows it again");
    return QN_OK;
}

static qn_status describe_all(struct qn__found *found, int count, const struct nvml_api *nvml)
{
    for (int i = 0; i < count; i++) {
        cu_device device;
        char what[48];
        snprintf(what, sizeof what, "device %d of the driver", i);
        if (usable(&device, i) == QN_OK)
            QN_TRY(describe(found, device, nvml));
        else
            QN_TRY(qn__found_refusal(found, "cuda", what, "%s", qn_message()));
    }
    return QN_OK;
}

void qn__cuda_files(struct qn__str *names)
{
    for (int i = 0; qn__cuda_libraries[i]; i++)
        qn__str_add_bytes(names, qn__cuda_libraries[i], strlen(qn__cuda_libraries[i]) + 1);
}

qn_status qn__cuda_probe(struct qn__found *found)
{
    const char *library;
    int count = 0;
    if (!qn__cuda_is_loaded() && qn__found_ask(found, "cuda", NULL) != QN_OK)
        return qn__found_refusal(found, "cuda", qn__cuda_libraries[0], "%s", qn_message());
    if (qn__cuda_load(&library) != QN_OK)
        return qn__found_refusal(found, "cuda", library, "%s", qn_message());
    const cu_result r = qn__cuda.cuDeviceGetCount(&count);
    if (r != CU_OK || count == 0)
        return qn__found_refusal(
            found, "cuda", library, "the driver shows no device (%d)%s", r,
            qn__getenv("CUDA_VISIBLE_DEVICES") ? "; CUDA_VISIBLE_DEVICES is set" : "");
    if (count < 0 || count > QN__DRIVER_DEVICES_MAX)
        return qn__found_broken(found, "cuda", library, "the driver claims to have %d devices",
                                count);
    struct nvml_api nvml;
    const bool have_nvml = nvml_start(&nvml);
    const qn_status s = describe_all(found, count, have_nvml ? &nvml : NULL);
    if (have_nvml)
        nvml.nvmlShutdown();
    return s;
}

/* The driver's device for an index of the list. */
static qn_status find_device(cu_device *out, uint32_t index)
{
    int count = 0;
    uint32_t seen = 0;
    qn__cuda.cuDeviceGetCount(&count);
    for (int i = 0; i < count; i++)
        if (usable(out, i) == QN_OK && seen++ == index)
            return QN_OK;
    return qn__fail(QN_E_NO_DEVICE, "cuda:%u: the driver shows %u usable devices", index, seen);
}

qn_status qn__cuda_device_open(qn_device **out, uint32_t index)
{
    *out = NULL;
    cu_device handle;
    cu_context context;
    QN_TRY(qn__cuda_load(NULL));
    QN_TRY(find_device(&handle, index));
    const cu_result r = qn__cuda.cuDevicePrimaryCtxRetain(&context, handle);
    if (r == CU_E_DEVICE_UNAVAILABLE)
        return qn__fail_code(QN_E_DRIVER, r,
                             "cuda:%u: another process holds it (compute mode Exclusive_Process)",
                             index);
    if (r != CU_OK)
        return qn__cuda_fail(r, "cuda:%u: primary context", index);
    struct qn__cuda_device *d = qn__alloc(1, sizeof *d);
    if (!d) {
        qn__cuda.cuDevicePrimaryCtxRelease(handle);
        return qn__fail(QN_E_MEMORY, "opening cuda:%u", index);
    }
    d->handle = handle;
    d->context = context;
    d->shared_bytes_max = shared_bytes_max(handle);
    d->launches_early = attribute(handle, CU_ATTR_MAJOR) >= 9 && qn__cuda.cuLaunchKernelEx;
    *out = &d->base;
    return QN_OK;
}

void qn__cuda_device_close(qn_device *dev)
{
    struct qn__cuda_device *d = (struct qn__cuda_device *)dev;
    if (!d)
        return;
    qn__cuda.cuDevicePrimaryCtxRelease(d->handle);
    free(d);
}

qn_status qn__cuda_device_memory(qn_device *dev, uint64_t *free_bytes, uint64_t *total_bytes)
{
    size_t f = 0, t = 0;
    QN_TRY(qn__cuda_use(dev));
    const cu_result r = qn__cuda.cuMemGetInfo(&f, &t);
    if (r != CU_OK)
        return qn__cuda_fail(r, "cuMemGetInfo");
    *free_bytes = f;
    *total_bytes = t;
    return QN_OK;
}
