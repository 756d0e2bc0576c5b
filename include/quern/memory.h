/* SPDX-License-Identifier: Apache-2.0
 *
 * quern/memory.h: device memory and pinned host memory.
 *
 * A device address is a 64-bit number on every backend (CUdeviceptr, HIP pointer, OpenCL shared
 * virtual memory). Arithmetic on it works, it may point into the middle of an allocation, and it
 * may be stored in structs that kernels follow. On OpenCL the host must not dereference it.
 *
 * Calls with a stream are queued on it and return at once; a NULL stream means: do it now, after
 * everything queued before on any stream of the device, and return when done. (Streams that are
 * being captured into a graph are left out: nothing of theirs is queued yet. Work that another
 * thread queues meanwhile is before or after, as it happens.)
 * Host memory given to a queued copy is borrowed until that copy has finished; one that is recorded
 * in a graph reads or writes it at each replay.
 */
#ifndef QUERN_MEMORY_H
#define QUERN_MEMORY_H

#include <quern/device.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t qn_addr; /* 0 is never a valid address */
typedef struct qn_stream qn_stream;

/* Allocate `bytes` (> 0) of device memory, aligned to at least 128 bytes; contents undefined.
 * The caller owns *out: qn_memory_free() with the same device, before qn_device_close().
 * QN_E_DEVICE_MEMORY  the message says how much was asked for and how much is free
 * QN_E_LIMIT          more than the driver allows in one piece */
QN_CHECKED qn_status qn_memory_alloc(qn_addr *out, qn_device *dev, uint64_t bytes);

/* Give it back; 0 is fine. Waits for everything queued on the device's streams.
 * QN_E_INVALID  not the start of a live allocation of this device
 * QN_E_FAULT    an earlier kernel faulted; the memory is given back all the same
 * QN_E_TIMEOUT  the watchdog's time is up (stream.h); nothing is given back, ask again */
QN_API qn_status qn_memory_free(qn_device *dev, qn_addr addr);

/* Page-locked host memory for fast copies; plain memory where the driver has none (OpenCL CPU).
 * The caller owns *out: qn_memory_free_host(), which under a watchdog waits as qn_memory_free(). */
QN_CHECKED qn_status qn_memory_alloc_host(void **out, qn_device *dev, uint64_t bytes);
QN_API qn_status qn_memory_free_host(qn_device *dev, void *host); /* NULL is fine */

/* Copy `bytes` (0 is fine) host to device, device to host, device to device (same device).
 * Source and destination must not overlap.
 * QN_E_INVALID  an address range leaves its allocation (where the driver can tell)
 * QN_E_FAULT    an earlier kernel faulted; the message names the kernels queued since the last sync
 * QN_E_TIMEOUT  without a stream: the watchdog's time is up */
QN_CHECKED qn_status qn_memory_upload(qn_device *dev, qn_addr dst, const void *src, uint64_t bytes,
                                      qn_stream *stream);
QN_CHECKED qn_status qn_memory_download(qn_device *dev, void *dst, qn_addr src, uint64_t bytes,
                                        qn_stream *stream);
QN_CHECKED qn_status qn_memory_copy(qn_device *dev, qn_addr dst, qn_addr src, uint64_t bytes,
                                    qn_stream *stream);

/* Fill n_elems elements of elem_bytes (1, 2 or 4) at dst, aligned to elem_bytes, with the low bytes
 * of `value`. */
QN_CHECKED qn_status qn_memory_fill(qn_device *dev, qn_addr dst, uint32_t value,
                                    uint32_t elem_bytes, uint64_t n_elems, qn_stream *stream);

/* The heap of malloc() and new in kernels: so many bytes for all kernels of the device, with 16 of
 * each allocation's own. What a kernel takes lives until a kernel gives it back, or until the
 * device is closed; where nothing is left malloc() and new give NULL. It is made when the first
 * module whose kernels allocate is loaded (on cpu:0 when a kernel first does), and its size is
 * fixed then. The host cannot copy from or to it. On CUDA and HIP it is the driver's own, which all
 * devices opened on one card share, and the driver may give more. */
#define QN_HEAP_BYTES_DEFAULT ((uint64_t)8 << 20)
#define QN_HEAP_BYTES_MAX     ((uint64_t)32 << 30)

/* Say how large the heap is to be.
 * QN_E_INVALID  0 bytes; or the heap has been made
 * QN_E_LIMIT    more than QN_HEAP_BYTES_MAX
 * QN_E_DRIVER   the driver refuses it
 * QN_E_UNSUPPORTED  an old HIP runtime */
QN_CHECKED qn_status qn_device_set_heap(qn_device *dev, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
