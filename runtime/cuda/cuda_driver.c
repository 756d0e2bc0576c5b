/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading libcuda, and what its errors mean.
 *
 * The driver is opened and started once a process; whether that worked, and if not why, is kept for
 * every later caller. No message here is a bare error code: each start-up failure that people meet
 * has its row in `start_advice`. */
#include "runtime/cuda/cuda_driver.h"

#include "base/dl.h"
#include "base/environment.h"
#include "base/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct qn__cuda_api qn__cuda;

static const struct qn__dl_symbol symbols[] = {
#define QN_SYM(name, symbol, ret, args) {#symbol, offsetof(struct qn__cuda_api, name), true},
#define QN_OPT(name, symbol, ret, args) {#symbol, offsetof(struct qn__cuda_api, name), false},
#include "runtime/cuda/cuda.sym"
#undef QN_SYM
};

const char *const qn__cuda_libraries[] = {"libcuda.so.1", "libcuda.so", NULL};
static struct qn__dl_once once = {.lock = PTHREAD_MUTEX_INITIALIZER};
static const char *library_name = "libcuda.so.1"; /* the one that was tried */

/* What to do about a cuInit() that fails. */
static const struct {
    cu_result code;
    const char *advice;
} start_advice[] = {
    {CU_E_STUB_LIBRARY, "this is the toolkit's link-time stub, not a driver: take the stubs folder "
                        "out of LD_LIBRARY_PATH"},
    {CU_E_INSUFFICIENT_DRIVER, "the kernel driver is older than this library: update the driver"},
    {CU_E_NO_DEVICE, "the driver sees no NVIDIA GPU"},
    {CU_E_INVALID_DEVICE, "the driver found no device of the numbers asked for"},
    {CU_E_OPERATING_SYSTEM, "the device files are missing or not readable (/dev/nvidia*): load the "
                            "kernel module, or give the container the GPU"},
    {CU_E_SYSTEM_NOT_READY, "the NVSwitch fabric is not up: start nvidia-fabricmanager"},
    {CU_E_SYSTEM_DRIVER_MISMATCH, "the kernel module and this library are of different driver "
                                  "versions: reboot, or reload the module after the update"},
    {CU_E_COMPAT_NOT_SUPPORTED, "CUDA forward compatibility does not exist for this card: take the "
                                "compat folder out of LD_LIBRARY_PATH"},
    {CU_E_UNKNOWN, "reload the nvidia_uvm module (it is often lost over suspend) or reboot"},
};

static qn_status start(void)
{
    const cu_result code = qn__cuda.cuInit(0);
    if (code == CU_OK)
        return QN_OK;
    const char *advice = "see the driver's own tools (nvidia-smi)";
    for (size_t i = 0; i < sizeof start_advice / sizeof *start_advice; i++)
        if (start_advice[i].code == code)
            advice = start_advice[i].advice;
    const char *name = NULL, *visible = qn__getenv("CUDA_VISIBLE_DEVICES");
    qn__cuda.cuGetErrorName(code, &name);
    const bool hidden = visible && (code == CU_E_NO_DEVICE || code == CU_E_INVALID_DEVICE);
    return qn__fail_code(QN_E_NO_DEVICE, code, "cuInit returns %d%s%s%s: %s%s%s%s", code,
                         name ? " (" : "", name ? name : "", name ? ")" : "", advice,
                         hidden ? "; CUDA_VISIBLE_DEVICES=\"" : "", hidden ? visible : "",
                         hidden ? "\" may hide it" : "");
}

static qn_status load(void)
{
    void *handle;
    if (qn__dl_open(&handle, &library_name, qn__cuda_libraries) != QN_OK) {
        struct qn__message m;
        qn__message_save(&m);
        return qn__fail(QN_E_NO_DEVICE, "%s: %s", m.text,
                        qn__file_exists("/proc/driver/nvidia/version")
                            ? "the NVIDIA kernel driver is loaded, its library is not visible; a "
                              "container needs `--gpus all` with the compute capability"
                            : "install NVIDIA's driver if this machine has an NVIDIA GPU");
    }
    if (qn__dl_load(&qn__cuda, handle, symbols, sizeof symbols / sizeof *symbols) != QN_OK)
        return qn__fail_prefix(QN_E_NO_DEVICE, "a driver of CUDA 11.4 (R470) or later is needed");
    return start();
}

bool qn__cuda_is_loaded(void)
{
    return qn__dl_is_done(&once);
}

qn_status qn__cuda_load(const char **library)
{
    const qn_status s = qn__dl_load_once(&once, load);
    if (library)
        *library = library_name;
    return s;
}

static qn_status status_of(cu_result code)
{
    static const struct {
        cu_result code;
        qn_status status;
    } rows[] = {
        {CU_E_INVALID_VALUE, QN_E_INVALID},      {CU_E_OUT_OF_MEMORY, QN_E_DEVICE_MEMORY},
        {CU_E_NO_BINARY_FOR_GPU, QN_E_MISMATCH}, {CU_E_UNSUPPORTED_PTX_VERSION, QN_E_MISMATCH},
        {CU_E_NOT_FOUND, QN_E_NOT_FOUND},        {CU_E_NOT_READY, QN_E_NOT_READY},
        {CU_E_ILLEGAL_ADDRESS, QN_E_FAULT},      {CU_E_LAUNCH_OUT_OF_RESOURCES, QN_E_LIMIT},
        {CU_E_LAUNCH_TIMEOUT, QN_E_FAULT},       {CU_E_ASSERT, QN_E_FAULT},
        {CU_E_HARDWARE_STACK_ERROR, QN_E_FAULT}, {CU_E_ILLEGAL_INSTRUCTION, QN_E_FAULT},
        {CU_E_MISALIGNED_ADDRESS, QN_E_FAULT},   {CU_E_INVALID_ADDRESS_SPACE, QN_E_FAULT},
        {CU_E_INVALID_PC, QN_E_FAULT},           {CU_E_LAUNCH_FAILED, QN_E_FAULT},
        {CU_E_NOT_SUPPORTED, QN_E_UNSUPPORTED},
    };
    qn_status status = QN_E_DRIVER;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].code == code)
            status = rows[i].status;
    if (code >= CU_E_CAPTURE_FIRST && code <= CU_E_CAPTURE_LAST)
        status = QN_E_INVALID;
    return status;
}

qn_status qn__cuda_fail(cu_result code, const char *fmt, ...)
{
    char what[QN__MESSAGE_MAX / 2];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    const char *name = NULL, *text = NULL;
    if (qn__cuda.cuGetErrorName(code, &name) != CU_OK || !name)
        name = "unknown CUDA error";
    if (qn__cuda.cuGetErrorString(code, &text) != CU_OK || !text)
        text = "the driver has no text for it";
    return qn__fail_code(status_of(code), code, "%s: %s (%d): %s", what, name, code, text);
}

qn_status qn__cuda_use(const qn_device *dev)
{
    const struct qn__cuda_device *d = (const struct qn__cuda_device *)dev;
    const cu_result r = qn__cuda.cuCtxSetCurrent(d->context);
    return r == CU_OK ? QN_OK : qn__cuda_fail(r, "making the context of %s current", dev->info.id);
}

int qn__cuda_ptx_version(int driver_version)
{
    /* CUDA release, PTX version: PTX ISA reference, release history */
    static const int rows[][2] = {{11040, 74}, {11050, 75}, {11060, 76}, {11070, 77},
                                  {11080, 78}, {12000, 80}, {12010, 81}, {12020, 82},
                                  {12030, 83}, {12040, 84}, {12050, 85}, {12060, 85},
                                  {12070, 86}, {12080, 87}, {12090, 88}, {13000, 90}};
    const size_t n = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < n; i++)
        if (rows[i][0] == driver_version)
            return rows[i][1];
    return 0;
}
