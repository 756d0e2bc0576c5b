/* SPDX-License-Identifier: Apache-2.0
 *
 * The HIP backend's shared parts: the runtime table, its objects, errors.
 *
 * HIP keeps a current device per thread; the application may change it behind our back, so every
 * call that depends on it sets it again (qn__hip_use).
 *
 * HIP also exists on NVIDIA GPUs, as a layer over CUDA. Such a device says "sm_90" where an AMD one
 * says "gfx90a"; its images are cubin and PTX, its target is "cuda:sm_90". */
#ifndef QN_RUNTIME_HIP_DRIVER_H
#define QN_RUNTIME_HIP_DRIVER_H

#include "runtime/backend.h"
#include "runtime/hip/hip_metadata.h"
#include "runtime/hip/hip_types.h"

/* The runtime's functions, filled once by qn__hip_load(). */
struct qn__hip_api {
#define QN_SYM(name, symbol, ret, args) ret(*name) args;
#define QN_OPT                          QN_SYM
#include "runtime/hip/hip.sym"
#undef QN_SYM
#undef QN_OPT
};
extern struct qn__hip_api qn__hip;

struct qn__hip_device {
    qn_device base;
    int ordinal; /* of hipSetDevice() */
};

struct qn__hip_module {
    qn_module base;
    hip_module handle;
    struct qn__arena arena;           /* of metadata */
    struct qn__hip_metadata metadata; /* empty where the image has none */
};

struct qn__hip_kernel {
    qn_kernel base;
    hip_function handle;
    struct qn__arena arena; /* of the name in base.info */
};

struct qn__hip_stream {
    qn_stream base;
    hip_stream handle;
    uint32_t n_captured; /* operations since the capture began */
};

/* An event that may be timed costs more to record, and which kind is wanted shows only when it is
 * recorded: both are made on first need. */
struct qn__hip_event {
    qn_event base;
    hip_event plain, timed;
    hip_event last; /* the one recorded last */
};

struct qn__hip_graph {
    qn_graph base;
    hip_graph_exec handle;
};

/* Load libamdhip64 and start it; the first call decides for the process. *library is what was
 * tried. QN_E_NO_DEVICE  the message has the reason and what would help */
qn_status qn__hip_load(const char **library);

/* Names of the runtime's library, NULL-terminated: the first that is there is loaded. */
extern const char *const qn__hip_libraries[];

/* Is it decided? Then qn__hip_load() loads nothing more. */
bool qn__hip_is_loaded(void);

/* What a failed call means: "<formatted>: hipErrorX: text", with HIP's code. */
qn_status qn__hip_fail(hip_result code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Make the device this thread's current one. QN_E_DRIVER */
qn_status qn__hip_use(const qn_device *dev);

/* The environment variables in effect that hide or disguise AMD devices, as
 * "; HIP_VISIBLE_DEVICES=1 is set"; "" where there are none. */
void qn__hip_environment(char *out, size_t capacity);

#endif
