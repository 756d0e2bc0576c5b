/* SPDX-License-Identifier: Apache-2.0
 *
 * What HIP devices there are, and opening one.
 *
 * Integers come from hipDeviceGetAttribute, whose numbers never moved. The architecture exists only
 * as a string in hipDeviceProp_t, whose layout did: the call that is there says which. */
#include "runtime/hip/hip_backend.h"
#include "runtime/hip/hip_driver.h"

#include "base/environment.h"
#include "base/str.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int attribute(int ordinal, hip_device_attribute which)
{
    int value = 0;
    return qn__hip.hipDeviceGetAttribute(&value, which, ordinal) == HIP_OK ? value : 0;
}

/* Name and architecture as "gfx90a:sramecc+:xnack-", or "sm_90" for HIP over CUDA. */
struct strings {
    char name[HIP_PROPERTIES_STRING_BYTES];
    char arch[HIP_PROPERTIES_STRING_BYTES];
    bool is_nvidia;
    bool is_open; /* the runtime gave them no end */
};

/* May this ordinal of the runtime be used? Probe and open count by the same answer. */
static qn_status usable(struct strings *out, int ordinal)
{
    hip_properties p = {{0}};
    const bool is_new = qn__hip.hipGetDevicePropertiesR0600 != NULL;
    const hip_result r = is_new ? qn__hip.hipGetDevicePropertiesR0600(&p, ordinal)
                                : qn__hip.hipGetDeviceProperties(&p, ordinal);
    if (r != HIP_OK)
        return qn__hip_fail(r, "hipGetDeviceProperties");
    const char *arch = p.bytes + (is_new ? HIP_PROPERTIES_ARCH_R0600 : HIP_PROPERTIES_ARCH);
    out->is_open = !memchr(arch, 0, HIP_PROPERTIES_STRING_BYTES) ||
                   !memchr(p.bytes + HIP_PROPERTIES_NAME, 0, HIP_PROPERTIES_STRING_BYTES);
    if (out->is_open)
        return qn__fail(QN_E_DRIVER, "the runtime writes names of devices without their end");
    snprintf(out->arch, sizeof out->arch, "%.*s", HIP_PROPERTIES_STRING_BYTES - 1, arch);
    snprintf(out->name, sizeof out->name, "%.*s", HIP_PROPERTIES_STRING_BYTES - 1,
             p.bytes + HIP_PROPERTIES_NAME);
    out->is_nvidia = qn__starts_with(out->arch, "sm_");
    if (!out->is_nvidia && !qn__starts_with(out->arch, "gfx"))
        return qn__fail(QN_E_NO_DEVICE,
                        "%s: the runtime calls its architecture \"%.64s\", not gfx...", out->name,
                        out->arch);
    if (!out->name[0])
        snprintf(out->name, sizeof out->name, "%.*s", (int)sizeof out->name - 1, out->arch);
    return QN_OK;
}

/* "HIP 5.2.21153" and what disguises the device. HIP over CUDA has CUDA's version numbers. */
static void driver_name(char *out, size_t capacity, bool is_nvidia)
{
    int v = 0;
    const char *override = qn__getenv("HSA_OVERRIDE_GFX_VERSION");
    qn__hip.hipRuntimeGetVersion(&v);
    if (is_nvidia)
        snprintf(out, capacity, "HIP over CUDA %d.%d", v / 1000, v % 1000 / 10);
    else
        snprintf(out, capacity, "HIP %d.%d.%d%s%s", v / 10000000, v / 100000 % 100, v % 100000,
                 override ? ", HSA_OVERRIDE_GFX_VERSION=" : "", override ? override : "");
}

/* Numbers of the device; strings are describe()'s. */
static void measure(qn_device_info *info, int ordinal)
{
    size_t f = 0, t = 0;
    if (qn__hip.hipSetDevice(ordinal) == HIP_OK && qn__hip.hipMemGetInfo(&f, &t) == HIP_OK) {
        info->memory_total_bytes = t;
        info->memory_free_bytes = f;
    }
    info->device_class =
        attribute(ordinal, HIP_ATTR_INTEGRATED) ? QN_DEVICE_INTEGRATED : QN_DEVICE_DISCRETE;
    info->compute_units = (uint32_t)attribute(ordinal, HIP_ATTR_MULTIPROCESSORS);
    info->wave_width = (uint32_t)attribute(ordinal, HIP_ATTR_WARP_SIZE);
    info->block_threads_max = (uint32_t)attribute(ordinal, HIP_ATTR_BLOCK_THREADS);
    for (int i = 0; i < 3; i++) {
        info->block_max[i] = (uint32_t)attribute(ordinal, HIP_ATTR_BLOCK_X + i);
        info->grid_max[i] = (uint64_t)attribute(ordinal, HIP_ATTR_GRID_X + i);
    }
    info->shared_bytes_max = (uint64_t)attribute(ordinal, HIP_ATTR_SHARED_BYTES);
    info->clock_mhz = (uint32_t)attribute(ordinal, HIP_ATTR_CLOCK_KHZ) / 1000;
}

static qn_status describe(struct qn__found *found, int ordinal, const struct strings *s)
{
    char pci[32] = "", driver[128], target[HIP_PROPERTIES_STRING_BYTES + 8];
    if (qn__hip.hipDeviceGetPCIBusId(pci, sizeof pci, ordinal) != HIP_OK)
        pci[0] = 0;
    if (!memchr(pci, 0, sizeof pci))
        return qn__found_broken(found, "hip", qn__hip_libraries[0],
                                "the runtime writes addresses of devices without their end");
    for (char *p = pci; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    driver_name(driver, sizeof driver, s->is_nvidia);
    snprintf(target, sizeof target, "%s:%s", s->is_nvidia ? "cuda" : "hip", s->arch);
    qn_device_info info = {.kind = s->is_nvidia ? "hip-nvidia" : "rocm",
                           .name = s->name,
                           .arch = s->arch,
                           .target = target,
                           .driver = driver,
                           .pci = pci};
    measure(&info, ordinal);
    return qn__found_device(found, &info);
}

void qn__hip_files(struct qn__str *names)
{
    for (int i = 0; qn__hip_libraries[i]; i++)
        qn__str_add_bytes(names, qn__hip_libraries[i], strlen(qn__hip_libraries[i]) + 1);
}

qn_status qn__hip_probe(struct qn__found *found)
{
    const char *library;
    int count = 0;
    if (!qn__hip_is_loaded() && qn__found_ask(found, "hip", NULL) != QN_OK)
        return qn__found_refusal(found, "hip", qn__hip_libraries[0], "%s", qn_message());
    if (qn__hip_load(&library) != QN_OK)
        return qn__found_refusal(found, "hip", library, "%s", qn_message());
    qn__hip.hipGetDeviceCount(&count);
    if (count < 0 || count > QN__DRIVER_DEVICES_MAX)
        return qn__found_broken(found, "hip", library, "the runtime claims to have %d devices",
                                count);
    for (int i = 0; i < count; i++) {
        struct strings s = {0};
        char what[48], environment[256];
        snprintf(what, sizeof what, "device %d of the runtime", i);
        if (usable(&s, i) == QN_OK) {
            QN_TRY(describe(found, i, &s));
        } else if (s.is_open) {
            QN_TRY(qn__found_broken(found, "hip", library, "%s", qn_message()));
        } else {
            qn__hip_environment(environment, sizeof environment);
            QN_TRY(qn__found_refusal(found, "hip", what, "%s%s", qn_message(), environment));
        }
    }
    return QN_OK;
}

qn_status qn__hip_device_open(qn_device **out, uint32_t index)
{
    struct strings s;
    int count = 0;
    uint32_t seen = 0;
    *out = NULL;
    QN_TRY(qn__hip_load(NULL));
    qn__hip.hipGetDeviceCount(&count);
    for (int i = 0; i < count; i++) {
        if (usable(&s, i) != QN_OK || seen++ != index)
            continue;
        const hip_result r = qn__hip.hipSetDevice(i);
        if (r != HIP_OK)
            return qn__hip_fail(r, "hip:%u", index);
        struct qn__hip_device *d = qn__alloc(1, sizeof *d);
        if (!d)
            return qn__fail(QN_E_MEMORY, "opening hip:%u", index);
        d->ordinal = i;
        *out = &d->base;
        return QN_OK;
    }
    return qn__fail(QN_E_NO_DEVICE, "hip:%u: the runtime shows %u usable devices", index, seen);
}

void qn__hip_device_close(qn_device *dev)
{
    free(dev);
}

qn_status qn__hip_device_memory(qn_device *dev, uint64_t *free_bytes, uint64_t *total_bytes)
{
    size_t f = 0, t = 0;
    QN_TRY(qn__hip_use(dev));
    const hip_result r = qn__hip.hipMemGetInfo(&f, &t);
    if (r != HIP_OK)
        return qn__hip_fail(r, "hipMemGetInfo");
    *free_bytes = f;
    *total_bytes = t;
    return QN_OK;
}
