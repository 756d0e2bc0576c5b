/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading libamdhip64, and what its errors mean.
 *
 * The library is opened and started once a process; whether that worked, and if not why, is kept
 * for every later caller. Its soname carries the ROCm major, so several are tried. */
#include "runtime/hip/hip_driver.h"

#include "base/dl.h"
#include "base/environment.h"
#include "base/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct qn__hip_api qn__hip;

static const struct qn__dl_symbol symbols[] = {
#define QN_SYM(name, symbol, ret, args) {#symbol, offsetof(struct qn__hip_api, name), true},
#define QN_OPT(name, symbol, ret, args) {#symbol, offsetof(struct qn__hip_api, name), false},
#include "runtime/hip/hip.sym"
#undef QN_SYM
#undef QN_OPT
};

const char *const qn__hip_libraries[] = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
                                         "libamdhip64.so.5", NULL};
static struct qn__dl_once once = {.lock = PTHREAD_MUTEX_INITIALIZER};
static const char *library_name = "libamdhip64.so"; /* the one that was tried */

void qn__hip_environment(char *out, size_t capacity)
{
    static const char *const names[] = {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                                        "CUDA_VISIBLE_DEVICES", "HSA_OVERRIDE_GFX_VERSION"};
    size_t used = 0;
    out[0] = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && used < capacity; i++) {
        const char *value = qn__getenv(names[i]);
        if (value)
            used +=
                (size_t)snprintf(out + used, capacity - used, "; %s=%s is set", names[i], value);
    }
}

/* Why the runtime finds no device, as far as the system can tell. */
static const char *missing_device_advice(void)
{
    if (!qn__file_exists("/dev/kfd"))
        return "there is no /dev/kfd: no AMD GPU, the amdgpu kernel module is not loaded, or the "
               "container was started without --device=/dev/kfd --device=/dev/dri";
    if (access("/dev/kfd", R_OK | W_OK) != 0)
        return "/dev/kfd may not be opened by this user: join the group that owns it (render or "
               "video)";
    return "the runtime supports no GPU of this machine, or hides it";
}

static qn_status start(void)
{
    char environment[256];
    int count = 0;
    hip_result code = qn__hip.hipInit(0);
    if (code == HIP_OK)
        code = qn__hip.hipGetDeviceCount(&count);
    if (code == HIP_OK && count != 0)
        return QN_OK;
    qn__hip_environment(environment, sizeof environment);
    const char *name = code == HIP_OK ? "no device" : qn__hip.hipGetErrorName(code);
    return qn__fail_code(QN_E_NO_DEVICE, code, "%s (%d): %s%s", name ? name : "unknown error", code,
                         missing_device_advice(), environment);
}

static qn_status load(void)
{
    void *handle;
    if (qn__dl_open(&handle, &library_name, qn__hip_libraries) != QN_OK)
        return qn__fail_prefix(QN_E_NO_DEVICE,
                               "install ROCm's HIP runtime if this machine has an AMD GPU");
    if (qn__dl_load(&qn__hip, handle, symbols, sizeof symbols / sizeof *symbols) != QN_OK)
        return qn__fail_prefix(QN_E_NO_DEVICE, "a HIP runtime of ROCm 5 or later is needed");
    return start();
}

bool qn__hip_is_loaded(void)
{
    return qn__dl_is_done(&once);
}

qn_status qn__hip_load(const char **library)
{
    const qn_status s = qn__dl_load_once(&once, load);
    if (library)
        *library = library_name;
    return s;
}

static qn_status status_of(hip_result code)
{
    static const struct {
        hip_result code;
        qn_status status;
    } rows[] = {
        {HIP_E_INVALID_VALUE, QN_E_INVALID},       {HIP_E_OUT_OF_MEMORY, QN_E_DEVICE_MEMORY},
        {HIP_E_INVALID_CONFIGURATION, QN_E_LIMIT}, {HIP_E_NO_BINARY_FOR_GPU, QN_E_MISMATCH},
        {HIP_E_NOT_FOUND, QN_E_NOT_FOUND},         {HIP_E_NOT_READY, QN_E_NOT_READY},
        {HIP_E_ILLEGAL_ADDRESS, QN_E_FAULT},       {HIP_E_LAUNCH_OUT_OF_RESOURCES, QN_E_LIMIT},
        {HIP_E_LAUNCH_TIMEOUT, QN_E_FAULT},        {HIP_E_ASSERT, QN_E_FAULT},
        {HIP_E_LAUNCH_FAILURE, QN_E_FAULT},        {HIP_E_NOT_SUPPORTED, QN_E_UNSUPPORTED},
    };
    qn_status status = QN_E_DRIVER;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].code == code)
            status = rows[i].status;
    if (code >= HIP_E_CAPTURE_FIRST && code <= HIP_E_CAPTURE_LAST)
        status = QN_E_INVALID;
    return status;
}

qn_status qn__hip_fail(hip_result code, const char *fmt, ...)
{
    char what[QN__MESSAGE_MAX / 2];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    const char *name = qn__hip.hipGetErrorName(code), *text = qn__hip.hipGetErrorString(code);
    return qn__fail_code(status_of(code), code, "%s: %s (%d): %s", what,
                         name ? name : "unknown HIP error", code,
                         text ? text : "the runtime has no text for it");
}

qn_status qn__hip_use(const qn_device *dev)
{
    const hip_result r = qn__hip.hipSetDevice(((const struct qn__hip_device *)dev)->ordinal);
    return r == HIP_OK ? QN_OK : qn__hip_fail(r, "making %s the current device", dev->info.id);
}
