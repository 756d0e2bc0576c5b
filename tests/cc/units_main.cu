// SPDX-License-Identifier: Apache-2.0
// A program of several files: templates, lambdas, kernels launched from another file, static
// variables and kernels of one name in two files, files without kernels in C++ and C.
#include "check.h"
#include "units.h"

#include <algorithm>
#include <vector>

static __device__ int hidden = 1;
static __global__ void local(int *p)
{
    *p += hidden;
}
template <class T, int N> __global__ void times(T *p, int n)
{
    const int i = threadIdx.x;
    if (i < n)
        p[i] *= N;
}
template <class F> __global__ void apply(int n, F f)
{
    if (threadIdx.x < n)
        f(threadIdx.x);
}

int units_in_main(int *p)
{
    local<<<1, 1>>>(p);
    return cudaGetLastError();
}

int main()
{
    const int n = 10;
    std::vector<int> h(n);
    int *p, by = 3;
    GOOD((cudaError_t)units_allocate((void **)&p, n * sizeof *p)); /* in C */
    units_start<<<1, n>>>(p, n);                                   /* of units_other.cu */
    times<int, 5><<<1, n>>>(p, n);
    times<int, 2><<<1, n>>>(p, n);
    apply<<<1, n>>>(n, [=] __device__(int i) { p[i] += by; });
    apply<<<1, n>>>(n, [=] __device__(int i) { p[i] += i * by; });
    GOOD(units_download(h.data(), p, n)); /* in C++ */
    for (int i = 0; i < n; i++)
        EXPECT(h[i] == (i + 100) * 10 + 3 + 3 * i);
    EXPECT(units_in_main(p) == 0 && units_in_other(p) == 0);
    GOOD(units_download(h.data(), p, 1));
    EXPECT(h[0] == 1000 + 3 + 1 + 20);
    GOOD(cudaFree(p));
    FINISH();
}
