/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API on the runtime API: the same devices, memory, streams and events, so that a
 * program may use both. A device has one state; contexts are names of it. What only the driver API
 * has are modules that a program loads and functions in them. */
#ifndef QN_CUDART_DRIVER_H
#define QN_CUDART_DRIVER_H

#include "cudart/runtime.h"

#include <quern_driver_types.h>

#define QN_DRIVER(group, name, parameters, note) QN_API CUresult name parameters;
#include <quern_driver.def>
#undef QN_DRIVER

struct CUctx_st {
    struct CUctx_st *next;
    int device;
    unsigned int flags, n_users; /* of the primary one: how often it is retained */
    bool is_primary;
};

struct CUfunc_st {
    struct CUfunc_st *next;
    struct CUmod_st *module;
    const qn_kernel *kernel;
    char *name;
};

struct CUmod_st {
    struct CUmod_st *next;
    struct CUctx_st *context;
    struct qn__rt_device *device;
    qn_module *module;
    struct CUfunc_st *functions;
};

/* What the driver API calls an error of the runtime's. */
CUresult qn__driver_result(cudaError_t error);
/* The error, with its reason on stderr. */
CUresult qn__driver_fail(CUresult error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The calling thread's context; NULL: *error. */
struct CUctx_st *qn__driver_context(CUresult *error);
struct CUctx_st *qn__driver_primary(int device);
bool qn__driver_is_context(const struct CUctx_st *context);
/* After cuInit()? */
bool qn__driver_is_ready(void);
/* Begin with the current context in a function that needs one. */
#define QN__DRIVER_CONTEXT(name)                                                                   \
    CUresult qn__driver_why;                                                                       \
    struct CUctx_st *const name = qn__driver_context(&qn__driver_why);                             \
    if (!name)                                                                                     \
    return qn__driver_why
/* What is returned of a call of the runtime's, in the current context. */
#define QN__DRIVER_RETURN(call)                                                                    \
    do {                                                                                           \
        QN__DRIVER_CONTEXT(qn__context);                                                           \
        (void)qn__context;                                                                         \
        return qn__driver_result(call);                                                            \
    } while (0)

/* A module of the device was closed, or all of a context's are to be. */
void qn__driver_modules_unload(const struct CUctx_st *context, const struct qn__rt_device *device);

#endif
