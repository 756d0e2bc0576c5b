/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA backend's shared parts: the driver table, its objects, errors.
 *
 * A device is the card's primary context, the one the CUDA runtime uses too, so that memory and
 * streams of both can meet in one process. The driver keeps a current context per thread; the
 * application may change it behind our back, so every call sets it again (qn__cuda_use).
 */
#ifndef QN_RUNTIME_CUDA_DRIVER_H
#define QN_RUNTIME_CUDA_DRIVER_H

#include "runtime/backend.h"
#include "runtime/cuda/cuda_types.h"

/* The driver's functions, filled once by qn__cuda_load(). */
struct qn__cuda_api {
#define QN_SYM(name, symbol, ret, args) ret(*name) args;
#include "runtime/cuda/cuda.sym"
#undef QN_SYM
};
extern struct qn__cuda_api qn__cuda;

struct qn__cuda_device {
    qn_device base;
    cu_device handle;
    cu_context context;
    uint32_t shared_bytes_max; /* static + dynamic, after opting in */
    bool launches_early;
};

struct qn__cuda_module {
    qn_module base;
    cu_module handle;
};

struct qn__cuda_kernel {
    qn_kernel base;
    cu_function handle;
    struct qn__arena arena;         /* of names and arguments in base.info */
    uint32_t shared_bytes_max;      /* dynamic, after opting in; once described */
    atomic_uint shared_bytes_ready; /* dynamic, that a launch may use now; 0 until described */
};

struct qn__cuda_stream {
    qn_stream base;
    cu_stream handle;
};

/* An event that may be timed costs more to record, and which kind is wanted shows only when it is
 * recorded: both are made on first need. */
struct qn__cuda_event {
    qn_event base;
    cu_event plain, timed;
    cu_event last; /* the one recorded last */
};

struct qn__cuda_graph {
    qn_graph base;
    cu_graph_exec handle;
};

/* Names of the driver's library, NULL-terminated: the first that is there is loaded. */
extern const char *const qn__cuda_libraries[];

/* Is it decided? Then qn__cuda_load() loads nothing more. */
bool qn__cuda_is_loaded(void);

/* Load libcuda and start it; the first call decides for the process. *library is what was tried.
 * QN_E_NO_DEVICE  the message has the reason and what would help */
qn_status qn__cuda_load(const char **library);

/* What a failed driver call means: "<formatted>: CUDA_ERROR_X: text", with the driver's code. */
qn_status qn__cuda_fail(cu_result code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Make the device's context current on this thread. QN_E_DRIVER */
qn_status qn__cuda_use(const qn_device *dev);

/* Newest PTX version the driver reads, as 10 * major + minor, for what cuDriverGetVersion says;
 * 0 where it is newer than this table. */
int qn__cuda_ptx_version(int driver_version);

#endif
