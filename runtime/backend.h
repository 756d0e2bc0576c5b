/* SPDX-License-Identifier: Apache-2.0
 *
 * What a backend provides: one static const struct qn__backend, listed in backends.def.
 *
 * The generic layer (device.c, memory.c, module.c, stream.c, graph.c) does everything that is the
 * same everywhere: argument checks, names, the list of queued kernels for fault messages, reference
 * counts, capture and replay where the driver has no graphs. A backend only talks to its driver.
 * The generic structs come first in each backend's own (struct cuda_stream { qn_stream base; ...
 * }), so a backend casts its own type from them. Backends allocate their objects with qn__alloc and
 * free them in the matching close. The generic layer fills the generic part after a successful open
 * (device, module, image, signature, locks, counts); a backend fills there only what its callback's
 * comment says, and may read all of it in every later callback.
 *
 * Every callback is required unless it says optional. "Queued" means it may return before the work
 * is done. Callbacks may be called from any thread; at most one thread is inside calls for one
 * stream.
 */
#ifndef QN_RUNTIME_BACKEND_H
#define QN_RUNTIME_BACKEND_H

#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/str.h"
#include "runtime/found.h"
#include "runtime/image.h"
#include "runtime/shapes.h"
#include "runtime/target.h"

#include <pthread.h>
#include <quern/device.h>
#include <quern/memory.h>
#include <quern/module.h>
#include <quern/stream.h>
#include <quern/texture.h>
#include <stdatomic.h>

struct qn_device {
    const struct qn__backend *backend;
    atomic_uint refs; /* the caller's and one for each child */
    struct qn__arena arena;
    qn_device_info info;
    struct qn__target target;        /* of info.target */
    char driver_build[QN__HASH_HEX]; /* driver_build.h; "" where its version says all */
    const char *libraries;   /* of the drivers that were loaded alone (found.h); NULL: all */
    atomic_uint watchdog_ms; /* no call waits longer for its work; 0: for ever */
    pthread_mutex_t lock;    /* for the backend: guards what it says it guards, and heap_ */
    uint64_t heap_bytes;     /* for malloc() and new of kernels */
    bool heap_is_made;       /* and may not change */

    pthread_mutex_t streams_lock;     /* guards the rest; held during calls with stream NULL */
    qn_stream *streams;               /* every live stream made by qn_stream_create() */
    qn_stream *default_stream;        /* runs calls with stream NULL; made on first need */
    qn_device *next_open, *prev_open; /* of all devices: open_devices.c */
};

struct qn_module {
    qn_device *device;
    qn_image *image;
    struct qn_kernel *kernels; /* found so far, newest first; guarded by lock */
    pthread_mutex_t lock;
    struct qn__shapes *shapes; /* block shapes launched; NULL: not recorded */
};

struct qn_kernel {
    qn_module *module;
    struct qn_kernel *next;
    const struct qn__kernel *signature; /* of the image; NULL where it has none for this symbol */
    qn_kernel_info info;                /* what qn_kernel_get_info() shows */
    qn_kernel_attributes attributes;

    /* Drivers take some 10 us each to tell attributes, which most programs never ask for. So a
     * backend may leave them open and set this: fill them, under the module's lock, for the first
     * who asks. NULL: they are there. With has_limits, attributes.block_threads_max and
     * static_shared_bytes are there from the beginning and describe leaves them alone. What info
     * says of arguments is there from the beginning. */
    qn_status (*describe)(qn_kernel *k);
    /* Threads of such blocks that a compute unit holds at once, and that it holds at most. NULL:
     * the driver does not tell. */
    qn_status (*occupancy)(uint32_t *threads, uint32_t *most, qn_kernel *k, uint32_t block_threads,
                           uint64_t shared_bytes);
    bool has_limits;
    atomic_bool is_described; /* attributes may be read */
};

enum { QN__RECENT_MAX = 8 };

/* Other threads look at a stream's queue (calls with stream NULL wait for every stream), so what
 * they read is atomic or guarded by the device's streams_lock. */
struct qn_stream {
    qn_device *device;
    bool timing;
    qn_stream *next, *prev;          /* in device->streams; streams_lock */
    atomic_bool is_pending;          /* something was queued since the last sync */
    atomic_bool is_late;             /* the watchdog's time was up at the last wait for it */
    bool has_to_wait;                /* for an event: the next kernel cannot begin early */
    bool is_capturing;               /* being recorded; written under streams_lock */
    struct qn__recording *recording; /* what the generic layer records; NULL: the driver does */
    uint32_t n_captured;             /* operations since capture began */
    uint32_t capture_first;          /* n_recent when capture began */
    const char *capture_spoiled;     /* what was called that cannot be recorded; NULL */
    const qn_kernel
        *_Atomic recent[QN__RECENT_MAX]; /* kernels queued since the last sync, a ring */
    atomic_uint n_recent;                /* all of them, also those the ring has lost */
};

struct qn_event {
    qn_device *device;
    bool recorded, timing;
};

struct qn_graph {
    qn_device *device;
    uint32_t n_nodes;
    bool is_native;
    struct qn__recording *recording;         /* where not native */
    const qn_kernel *recent[QN__RECENT_MAX]; /* the last kernels in it, for fault messages */
    uint32_t n_recent;
};

struct qn_texture {
    qn_device *device;
    qn_texture_options options;
    uint64_t object, surface; /* what kernels get */
    uint64_t bytes, row_bytes, rows, slices;
    qn_addr texels; /* where the driver has no arrays */
    void *array;    /* the driver's */
};
/* Reads give integers, not floats. */
static inline bool qn__texture_reads_integers(const qn_texture_options *o)
{
    return o->texel <= QN_TEXEL_I32 && !o->normalized_read;
}

enum qn__copy { QN__COPY_UPLOAD, QN__COPY_DOWNLOAD, QN__COPY_DEVICE };

/* Hold a device for a child, and give it up. */
qn_device *qn__device_retain(qn_device *dev);
void qn__device_release(qn_device *dev);

/* A name for "this device with this driver": 64 hex digits over everything that a driver's binary
 * depends on. An image of kind QN_IMAGE_OPENCL_BINARY has the target "opencl:<fingerprint>". */
void qn__device_fingerprint(char out[QN__HASH_HEX], const qn_device *dev);

/* Have attributes and arguments filled; at once where they are. QN_E_DRIVER, QN_E_MEMORY */
qn_status qn__kernel_describe(const qn_kernel *kernel);

/* qn_module_load() that also hands over what the driver's compiler said, of which a refusal's
 * message has the line that tells most: the caller releases *log, on failure too. */
qn_status qn__module_load(qn_module **out, qn_device *dev, qn_image *image, struct qn__str *log);

struct qn__backend {
    const char *name; /* "cuda" */

    /* -- probe -- */
    /* Load the driver (once a process, and only where qn__found_ask() lets it) and list its devices
     * and refusals. A missing driver is a refusal and QN_OK. */
    qn_status (*probe)(struct qn__found *found);
    /* What a probe would load, for those who want to know whether it has changed: names of
     * libraries, the first of them the driver's own, and, with a '/', of files and folders. Each is
     * followed by a 0 byte. */
    void (*files)(struct qn__str *names);
    /* Make a context for device `index` of probe()'s order; *out is the backend's own struct with
     * the qn_device part left zero for the generic layer, but for `libraries`, and for driver_build
     * where the driver compiles and its version does not say which build it is. In device_close no
     * other call is under way, and neither `lock` nor the info strings are any more. */
    qn_status (*device_open)(qn_device **out, uint32_t index);
    void (*device_close)(qn_device *dev);
    qn_status (*device_memory)(qn_device *dev, uint64_t *free_bytes, uint64_t *total_bytes);

    /* -- memory -- */
    /* Optional (NULL: the backend makes a heap of heap_bytes when a kernel first needs it): tell
     * the driver how large the heap of kernels is to be. */
    qn_status (*heap_set)(qn_device *dev, uint64_t bytes);
    qn_status (*alloc)(qn_addr *out, qn_device *dev, uint64_t bytes);
    qn_status (*free)(qn_device *dev, qn_addr addr);
    qn_status (*alloc_host)(void **out, qn_device *dev, uint64_t bytes);
    qn_status (*free_host)(qn_device *dev, void *host);
    /* Queued on the stream. Addresses are host pointers or device addresses as `kind` says. */
    qn_status (*copy)(qn_stream *s, enum qn__copy kind, uint64_t dst, uint64_t src, uint64_t bytes);
    qn_status (*fill)(qn_stream *s, qn_addr dst, uint32_t value, uint32_t elem_bytes,
                      uint64_t n_elems);

    /* -- texture -- all three or none; none: described to kernels in device memory (texture.c) */
    const char *no_textures; /* why they are refused; NULL: they are not */
    /* Options are checked. Fills object and surface; after a failure texture_close() is called,
     * too.
     */
    qn_status (*texture_open)(qn_texture *t);
    void (*texture_close)(qn_texture *t);
    /* Of all texels from or to host memory, done on return. Nothing is queued on the device. */
    qn_status (*texture_copy)(qn_texture *t, enum qn__copy kind, void *host);

    /* -- module -- */
    /* What the driver's compiler says about the image, also on success, is added to *log (never
     * NULL), untouched. image is set in *out by the generic layer. */
    qn_status (*module_load)(qn_module **out, qn_device *dev, qn_image *image, struct qn__str *log);
    void (*module_close)(qn_module *mod);
    /* By symbol of the image. Fills info: the signature's where there is one, else name and
     * expression are the symbol; attributes, now or in `describe`; and arguments of the driver
     * where the image does not know them and the driver does. QN_E_NOT_FOUND. */
    qn_status (*kernel_open)(qn_kernel **out, qn_module *mod, const char *symbol,
                             const struct qn__kernel *signature);
    void (*kernel_close)(qn_kernel *kernel);
    qn_status (*global_find)(qn_addr *addr, uint64_t *bytes, qn_module *mod, const char *symbol);
    /* Optional (NULL: images cannot be improved): the driver's own binary of a loaded text image.
     */
    qn_status (*module_binary)(qn_image **out, qn_module *mod);

    /* -- launch -- */
    /* Queued. Dimensions are normalised (no zeros) and checked. */
    qn_status (*launch)(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                        void *const *args);

    /* Optional (NULL: blocks may run one after the other): the same with all blocks on the device
     * at once. QN_E_LIMIT: they do not fit. */
    qn_status (*launch_cooperative)(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                                    void *const *args);

    /* Optional (NULL: a plain launch does): it may begin before what was queued before it has
     * ended. */
    qn_status (*launch_early)(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                              void *const *args);

    /* -- sync -- */
    qn_status (*stream_open)(qn_stream **out, qn_device *dev, bool timing);
    void (*stream_close)(qn_stream *s);
    /* Wait so long (QN__FOREVER, or deadline.h's pauses), then QN_E_NOT_READY. 0 asks, on the
     * thread that uses the stream; waiting may happen on another one. QN_E_FAULT: the generic layer
     * adds the names of the kernels. */
    qn_status (*stream_wait)(qn_stream *s, uint64_t ns);
    qn_status (*stream_wait_event)(qn_stream *s, qn_event *e);
    /* Optional (NULL: no library of the vendor's can queue on our streams): the driver's own
     * handle, for calls past this table. Makes the stream's device this thread's current one. */
    qn_status (*stream_native)(void **handle, qn_stream *s);
    qn_status (*event_open)(qn_event **out, qn_device *dev);
    void (*event_close)(qn_event *e);
    qn_status (*event_record)(qn_event *e, qn_stream *s);
    qn_status (*event_wait)(qn_event *e, uint64_t ns); /* as stream_wait, on any thread */
    qn_status (*event_elapsed)(double *out_ms, qn_event *a, qn_event *b);

    /* -- graph -- all four or none; none: the generic layer records and queues again */
    qn_status (*capture_begin)(qn_stream *s);
    qn_status (*capture_end)(qn_graph **out, qn_stream *s); /* instantiated, ready to launch */
    qn_status (*graph_launch)(qn_graph *g, qn_stream *s);
    void (*graph_close)(qn_graph *g);
};

/* Every backend, in order of preference: backends.def. */
#define QN__BACKEND(name) extern const struct qn__backend qn__backend_##name;
#include "runtime/backends.def"
#undef QN__BACKEND

#endif
