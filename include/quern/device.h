/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/device.h: what computes here, and opening it.
 *
 * Quern looks for devices in this order: CUDA, ROCm (HIP), OpenCL GPUs, the processor by machine
 * code of our own ("cpu:0"), OpenCL CPUs. Drivers are opened with dlopen when the first list or
 * open asks for them; a missing driver is a reason in the list, never an error. So is a broken one:
 * before a driver is loaded for the first time, and after every change of its files, it is tried
 * out in a process of its own, which takes as long as its start does; one that crashes, hangs or
 * answers nonsense there is left alone. The result is kept (QUERN_TRUST_DRIVERS=1: no trial). One
 * physical card that two backends see is one usable entry per backend, the later ones with
 * `same_as` set and after the other cards of their class.
 *
 * A device is named by a string: "cuda:0", "hip:1", "opencl:0", "cpu:0", or a bare backend name
 * ("opencl") for the first one of that backend. NULL takes QUERN_DEVICE from the environment, else
 * the first of the list after sorting: discrete GPUs, integrated GPUs, CPUs; GPUs
 * of one class by free memory, CPUs in the order above. QUERN_BACKEND=cuda,opencl limits the search
 * to those backends.
 *
 * Threads: every function here may be called from any thread. A qn_device may be used by several
 * threads at once; see stream.h for what a stream allows.
 */
#ifndef QUERN_DEVICE_H
#define QUERN_DEVICE_H

#include <quern/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qn_device qn_device;

typedef enum qn_device_class {
    QN_DEVICE_DISCRETE = 0, /* GPU with memory of its own */
    QN_DEVICE_INTEGRATED,   /* GPU sharing the host's memory */
    QN_DEVICE_CPU,
} qn_device_class;

/* What one device is. Strings belong to the qn_device_list or qn_device they came from. */
typedef struct qn_device_info {
    const char *id;      /* "cuda:0": what qn_device_open() takes */
    const char *backend; /* "cuda", "hip", "opencl" or "cpu" */
    const char *kind;    /* for people: "cuda", "rocm", "opencl", "cpu" */
    const char *name;    /* the driver's name of the card */
    const char *arch;    /* "sm_90", "gfx90a:sramecc+:xnack-", or an OpenCL C version "CL3.0";
                            "sm_90" too for NVIDIA's cards through OpenCL */
    const char *target;  /* compile target, see compile.h: "cuda:sm_90", "cpu:x86-64-v3" */
    const char *driver;  /* driver name and version */
    const char *toolkit; /* run-time compiler used for it and its version, "" where unknown */
    const char *pci;     /* "0000:65:00.0" in lower case, "" where unknown */
    const char *same_as; /* id of the same card under an earlier backend, else "" */
    qn_device_class device_class;
    uint64_t memory_total_bytes;
    uint64_t memory_free_bytes; /* at the time of asking; total where the driver cannot say */
    uint32_t compute_units;     /* SMs, CUs, or CPU threads */
    uint32_t wave_width;        /* 32, 64; 1 on CPUs of OpenCL */
    uint32_t block_threads_max; /* product of a block's three sides */
    uint32_t block_max[3];      /* per axis */
    uint64_t grid_max[3];       /* blocks per axis */
    uint64_t shared_bytes_max;  /* static + dynamic shared memory a block may have by default */
    uint32_t clock_mhz;         /* 0 where unknown */
} qn_device_info;

/* A device or library that was seen and cannot be used. */
typedef struct qn_device_refusal {
    const char *backend; /* "cuda", "hip", "opencl", "cpu" */
    const char *what;    /* the library, platform or device */
    const char *reason;  /* why, and what would help */
} qn_device_refusal;

typedef struct qn_device_list {
    uint32_t n_devices;
    const qn_device_info *devices; /* in order of preference */
    uint32_t n_refusals;
    const qn_device_refusal *refusals;
    void *owner; /* private */
} qn_device_list;

/* List every device of every backend, and every refusal. An empty list is a success.
 * The caller owns *out and releases it with qn_device_list_release().
 * QN_E_INVALID  QUERN_BACKEND names no backend
 * QN_E_MEMORY */
QN_CHECKED qn_status qn_device_list_init(qn_device_list *out);
QN_API void qn_device_list_release(qn_device_list *list); /* NULL and zeroed lists are fine */

/* Open a device by id (see above; NULL: the preferred one). The caller owns *out:
 * qn_device_close(). Modules, streams, events and graphs keep their device alive; closing it only
 * gives up the caller's hold. Opening the same id twice gives two handles that share nothing but
 * the card.
 * QN_E_INVALID    the id is not of the form above
 * QN_E_NO_DEVICE  nothing of that name, or it was refused: the message carries the reason
 * QN_E_DRIVER     the driver refused to make a context */
QN_CHECKED qn_status qn_device_open(qn_device **out, const char *id);
QN_API void qn_device_close(qn_device *dev); /* NULL is fine */

/* What the device is; memory_free_bytes is as of qn_device_open(). Belongs to the device. */
QN_API const qn_device_info *qn_device_get_info(const qn_device *dev);

/* Free and total device memory in bytes, now. Either pointer may be NULL.
 * QN_E_DRIVER */
QN_CHECKED qn_status qn_device_memory(qn_device *dev, uint64_t *free_bytes, uint64_t *total_bytes);

/* Abilities found out by compiling and running a small kernel for each, not by tables.
 * The first call per device and driver costs some compiles; the images then come from the cache. */
typedef enum qn_ability {
    QN_ABILITY_NO = 0,   /* refused by the compiler or wrong when run: see `reason` */
    QN_ABILITY_EMULATED, /* right, through conversion or software */
    QN_ABILITY_NATIVE,   /* right, in the device's own arithmetic */
} qn_ability;

typedef struct qn_device_abilities {
    qn_ability fp16, bf16, fp64, int8_dot;
    const char
        *reasons[4]; /* same order; "" or why the answer is not NATIVE; belong to the device */
} qn_device_abilities;

/* QN_E_COMPILER, QN_E_DRIVER: the probe itself could not run (the message says why). */
QN_CHECKED qn_status qn_device_probe(qn_device_abilities *out, qn_device *dev);

#ifdef __cplusplus
}
#endif
#endif
