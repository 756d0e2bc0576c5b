/* SPDX-License-Identifier: Apache-2.0
 *
 * The OpenCL backend's inside: the loader's functions, and the structs its files share.
 *
 * Device addresses are shared virtual memory, so a device without it is refused. Every qn_device
 * has one context; streams are in-order queues of it.
 */
#ifndef QN_RUNTIME_OPENCL_DRIVER_H
#define QN_RUNTIME_OPENCL_DRIVER_H

#include "runtime/backend.h"
#include "runtime/opencl/opencl_types.h"

struct qn__opencl_driver {
#define QN_SYM(name, symbol, ret, args) ret(*name) args;
#define QN_OPT(name, symbol, ret, args) ret(*name) args;
#include "runtime/opencl/opencl.sym"
#undef QN_SYM
#undef QN_OPT
};

/* Filled by the first qn__opencl_load() that finds a loader library, or by qn__opencl_load_apart();
 * read-only afterwards. */
extern struct qn__opencl_driver qn__cl;

/* Names of the loader library, NULL-terminated: the first that is there is loaded. */
extern const char *const qn__opencl_libraries[];

bool qn__opencl_is_loaded(void);

/* QN_E_NO_DEVICE  no loader library, or one that lacks functions. */
qn_status qn__opencl_load(void);

/* The same with functions of ours in its place; nothing where something is loaded already. */
void qn__opencl_load_functions(const struct qn__opencl_driver *functions);

/* An OpenCL error as a status: "<formatted>: CL_INVALID_VALUE (-30)". */
qn_status qn__opencl_fail(cl_int code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Forward the failure of an OpenCL call; `what` is its name. */
#define QN__CL_TRY(call, ...)                                                                      \
    do {                                                                                           \
        const cl_int qn__code = (call);                                                            \
        if (qn__code != CL_SUCCESS)                                                                \
            return qn__opencl_fail(qn__code, __VA_ARGS__);                                         \
    } while (0)

/* A usable device, in probe order. */
struct qn__opencl_entry {
    cl_platform_id platform;
    cl_device_id device;
};

/* Live allocations by address: sorted, searched by halving. */
struct qn__opencl_range {
    uint64_t start, bytes;
    cl_mem mapped; /* host memory: the buffer it maps, or NULL */
};

struct qn__opencl_ranges {
    struct qn__opencl_range *items;
    uint32_t n, capacity;
};

struct qn__opencl_device {
    qn_device base;
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue; /* for variables and host memory; calls on it are blocking */
    uint64_t memory_bytes, alloc_bytes_max, allocated_bytes;
    size_t parameter_bytes_max;
    bool is_cpu;
    uint32_t nvidia_sm; /* 90 for sm_90; 0: not NVIDIA's */
    char *extensions;   /* and features, each followed by a blank */
    /* base.lock guards these */
    struct qn__opencl_ranges memory, host;
    atomic_uint generation; /* counts changes of `memory` */
    qn_addr fault;          /* struct qn__fault of kernels with assertions; 0 before the first */
    qn_addr heap;           /* struct qn__heap and what follows it; the same */
};

struct qn__opencl_module {
    qn_module base;
    struct qn__opencl_device *device;
    cl_program program;
    qn_addr *globals; /* of the reflection's variables */
    uint32_t n_globals;
};

/* A cl_kernel holds its argument values, so two threads must not use one at the same time. */
struct qn__opencl_clone {
    struct qn__opencl_clone *next;
    atomic_flag is_busy;
    cl_kernel handle;
    uint32_t shared_bytes; /* as last set */
    uint32_t generation;   /* of the allocations last shown to it */
    uint64_t nulls;        /* bit i: argument i is a null pointer (the first 64) */
    bool is_set;           /* arguments were set before, with `nulls` as it is */
    uint64_t *values;      /* (n_args) of those of up to 8 bytes, */
    bool has_values;       /* where all were set */
    uint32_t set_at;       /* generation of the allocations then */
    cl_mem *copies;        /* of the arguments in buffers, for the launch under way */
};

struct qn__opencl_clones {
    struct qn__opencl_clone *_Atomic first;
};

struct qn__opencl_kernel {
    qn_kernel base;
    struct qn__opencl_device *device;
    struct qn__opencl_module *module;
    struct qn__arena arena; /* arguments asked of the driver */
    char *symbol;
    const struct qn__hidden *hidden;
    uint32_t n_hidden;
    bool has_indirect_pointers, has_assertions;
    struct qn__opencl_clones *clones; /* apart, because launches see the kernel as const */
};

struct qn__opencl_stream {
    qn_stream base;
    struct qn__opencl_device *device;
    cl_command_queue queue;
    uint64_t n_queued;          /* calls that queued something */
    atomic_bool has_assertions; /* a kernel that may leave a fault was queued since the last sync */
    cl_event marker;            /* after the call number marked_at, for queries; NULL */
    uint64_t marked_at;
};

struct qn__opencl_event {
    qn_event base;
    cl_event handle; /* NULL before the first record */
};

#endif
