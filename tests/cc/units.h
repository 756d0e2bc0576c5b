/* SPDX-License-Identifier: Apache-2.0 */
#include <cuda_runtime.h>
#ifdef __cplusplus
extern "C"
#endif
    int
    units_allocate(void **p, size_t n);
#ifdef __cplusplus
cudaError_t units_download(int *to, const int *from, int n);
int units_in_other(int *p);
#ifdef __CUDACC__
extern __global__ void units_start(int *p, int n);
#endif
#endif
