/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the stand-in CUDA runtime share: see cudart.c. */
#ifndef QN_CUDART_H
#define QN_CUDART_H

#include <cuda_runtime_api.h>
#include <quern/quern.h>

/* Parameters are those of the CUDA runtime, used or not; some functions are in none of its headers.
 */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* End the program with the reason; the second where status is not QN_OK. */
void cudart_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cudart_check(qn_status status);

/* Opened, and the images loaded, by the first call. */
qn_device *cudart_device(void);
qn_stream *cudart_stream(void);

/* Wait for all work, unless it is being captured into a graph. */
cudaError_t cudart_finish(void);
void cudart_set_capturing(bool capturing);

/* On a CPU device and host share their memory, and a kernel may be given either's. */
bool cudart_memory_is_shared(void);

/* Of a __device__ or __constant__ variable; 0 where no translated kernel uses it. */
qn_addr cudart_symbol_address(const void *host, uint64_t *n_bytes);

#endif
