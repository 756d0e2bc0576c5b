/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/stream.h: queues of work, launches, events, graphs.
 *
 * Work on one stream runs in order; different streams may overlap. One thread uses a stream at a
 * time; different streams of one device may be used by different threads at once.
 *
 * What a kernel that faults does depends on the device:
 *
 *   CUDA, NVIDIA's OpenCL   An address that no memory has, assert() or __trap() is QN_E_FAULT, with
 *                           the names of the kernels queued since the last sync, at the next sync
 * of the stream or any later call on the device, which cannot be used in this process any more.
 *   ROCm                    The driver ends the process.
 *   OpenCL on CPUs          A kernel is code of this process. A store out of bounds is what it is
 * in a C function: it changes memory of the program's, or ends it with SIGSEGV. `quern launch` runs
 * kernels in a process of their own. every OpenCL            assert() and __trap() are QN_E_FAULT
 * at the next sync of the stream, with file and line; the device goes on. Of other faults, what the
 * driver says.
 *
 * A kernel that never ends is waited for until it does, but for qn_stream_sync_for() and under a
 * watchdog, qn_device_set_watchdog().
 */
#ifndef QUERN_STREAM_H
#define QUERN_STREAM_H

#include <quern/device.h>
#include <quern/memory.h>
#include <quern/module.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qn_event qn_event;
typedef struct qn_graph qn_graph;

typedef struct qn_stream_options {
    bool timing; /* events recorded here can be timed; costs a little per launch on OpenCL */
} qn_stream_options;

/* The caller owns *out: qn_stream_destroy(). options NULL: defaults. */
QN_CHECKED qn_status qn_stream_create(qn_stream **out, qn_device *dev,
                                      const qn_stream_options *options);
QN_API void qn_stream_destroy(qn_stream *s); /* waits for its work; NULL is fine */

/* Wait until everything queued is done.
 * QN_E_FAULT, QN_E_DRIVER
 * QN_E_TIMEOUT  the watchdog's time is up */
QN_CHECKED qn_status qn_stream_sync(qn_stream *s);

/* The same, for ms milliseconds at most (0: ask), to some 2 ms or an eighth. A wait that takes
 * longer than 50 us sleeps between its questions. QN_E_TIMEOUT  still working: the message names
 * the kernel that runs, or those queued since the last sync. The work goes on, the stream can be
 * used and waited for as before. What the work uses must stay: qn_memory_free() and
 * qn_stream_destroy() wait for it. QN_E_FAULT, QN_E_DRIVER */
QN_CHECKED qn_status qn_stream_sync_for(qn_stream *s, uint32_t ms);

/* From now on no wait for work of this device takes longer than ms milliseconds; 0: for ever. At
 * first it is QUERN_WATCHDOG seconds, or 0. When the time is up:
 *
 *   qn_stream_sync(), qn_event_sync(), calls with stream NULL, qn_memory_free(), free_host()
 *       QN_E_TIMEOUT; the message names the kernels. Nothing is freed.
 *   qn_stream_destroy(), qn_module_close()
 *       a warning; the thing and its device are left as they are, for ever.
 *
 * No driver can stop a kernel: end the process to get the device back. Calls that queue are not
 * watched: a driver may wait in them for a place in its queue, or to copy memory that is not from
 * qn_memory_alloc_host(). May be called from any thread. */
QN_API void qn_device_set_watchdog(qn_device *dev, uint32_t ms);

/* QN_OK: all done. QN_E_NOT_READY: still working. QN_E_FAULT, QN_E_DRIVER */
QN_CHECKED qn_status qn_stream_query(qn_stream *s);

typedef struct qn_dims {
    uint32_t grid[3];      /* blocks per axis; 0 means 1 */
    uint32_t block[3];     /* threads per axis; 0 means 1 */
    uint32_t shared_bytes; /* dynamic shared memory */
} qn_dims;

/* Queue one kernel.
 *
 *   dims  grid and block per axis; product of block <= attributes.block_threads_max
 *   args  one pointer per kernel parameter, in order, to a value of the parameter's size (a qn_addr
 *         for pointers); read before return; NULL for a kernel without parameters
 *
 * Returns when queued. The kernel must outlive the sync.
 * QN_E_INVALID  args is NULL and the kernel has parameters; a size is impossible; an address in no
 *               allocation, where the driver looks (NVIDIA's OpenCL)
 * QN_E_LIMIT    grid, block or shared_bytes exceeds the device or the kernel
 * QN_E_DRIVER, QN_E_FAULT */
QN_CHECKED qn_status qn_stream_launch(qn_stream *s, const qn_kernel *kernel, const qn_dims *dims,
                                      void *const *args);

/* The same with all blocks of the grid on the device at once, so that they may wait for each other:
 * what cooperative_groups' grid.sync() needs. Not on a stream that is being captured. cpu:0 has a
 * thread for each block, at most 1,024; on it a wait that has no end is QN_E_FAULT.
 *
 * QN_E_LIMIT        the device cannot hold so many blocks of this kernel at once
 * QN_E_UNSUPPORTED  the backend does not promise it (OpenCL), or HIP is too old */
QN_CHECKED qn_status qn_stream_launch_cooperative(qn_stream *s, const qn_kernel *kernel,
                                                  const qn_dims *dims, void *const *args);

/* The same, and its blocks may begin before what was queued before it has ended, where they find
 * room: for a kernel that waits itself (griddepcontrol.wait) before it reads what others wrote, and
 * before it writes. Everywhere but on NVIDIA's GPUs from sm_90 on it is qn_stream_launch(), and so
 * it is for the first kernel after a qn_stream_wait(). */
QN_CHECKED qn_status qn_stream_launch_early(qn_stream *s, const qn_kernel *kernel,
                                            const qn_dims *dims, void *const *args);

/* A point in a stream. The caller owns *out: qn_event_destroy(). One thread uses an event at a
 * time, not always the stream's. */
QN_CHECKED qn_status qn_event_create(qn_event **out, qn_device *dev);
QN_API void qn_event_destroy(qn_event *e); /* NULL is fine */

/* Mark everything queued on s so far. Recording again moves the mark. */
QN_CHECKED qn_status qn_event_record(qn_event *e, qn_stream *s);
/* Wait for the mark; an unrecorded event is done. QN_E_TIMEOUT: the watchdog's time is up */
QN_CHECKED qn_status qn_event_sync(qn_event *e);
QN_CHECKED qn_status qn_event_query(qn_event *e); /* QN_OK or QN_E_NOT_READY */

/* Make later work of s wait for e (recorded on any stream of the same device). */
QN_CHECKED qn_status qn_stream_wait(qn_stream *s, qn_event *e);

/* Milliseconds from mark a to mark b, both done, both recorded on streams made with timing.
 * QN_E_INVALID    not recorded, or on a stream without timing
 * QN_E_NOT_READY  not done yet */
QN_CHECKED qn_status qn_event_elapsed(double *out_ms, qn_event *a, qn_event *b);

/* Graphs: record work once, replay it with one call. Between begin and end nothing runs; launches,
 * copies and fills on that stream are recorded with the argument values they have now. Where the
 * driver has graphs they are used; elsewhere the work is queued again, in order.
 * Syncs, queries, events and other graphs on a stream that is being captured are refused with
 * QN_E_INVALID. Calls with stream NULL, and other streams, go on as ever and are not recorded.
 * QN_E_INVALID at end: nothing was begun, or one of those calls or a failed one came between. */
QN_CHECKED qn_status qn_stream_capture_begin(qn_stream *s);
QN_CHECKED qn_status qn_stream_capture_end(qn_graph **out, qn_stream *s);

/* Queue the whole graph on a stream of the same device. Kernels used by it must still be there. */
QN_CHECKED qn_status qn_graph_launch(qn_graph *g, qn_stream *s);
QN_API uint32_t qn_graph_get_n_nodes(const qn_graph *g); /* recorded operations */
QN_API bool qn_graph_get_is_native(const qn_graph *g);   /* false: replayed by queueing again */
QN_API void qn_graph_destroy(qn_graph *g);               /* NULL is fine; sync first */

#ifdef __cplusplus
}
#endif
#endif
