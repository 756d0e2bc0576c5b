/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that a compiler makes only when it is asked for them, or calls by a name of its own, in a
 * program whose host half only a host's compiler reads. */
#include "check.h"

#include <iostream>
#include <string>
#include <vector>

namespace app {
template <class T, int N> struct box {
    T v[N];
};
enum mode { first, second };
template <class T, mode M> __global__ void fill(T *p, box<T, 4> x, int n)
{
    if (threadIdx.x < n)
        p[threadIdx.x] = x.v[M];
}
} // namespace app
template <class F> __global__ void run(F f, int *p)
{
    f(p);
}
struct set {
    int v;
    __device__ void operator()(int *p) const
    {
        *p = v;
    }
};
static __global__ void quiet(int *p)
{
    *p = 2;
}
namespace {
__global__ void hidden(int *p)
{
    *p = 3;
}
} // namespace

struct report { /* which no compiler of kernels could read */
    std::vector<std::string> lines;
    void add(const std::string &line)
    {
        lines.push_back(line);
    }
};
static report all;

static int value_of(const int *p)
{
    int v = -1;
    cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
    return v;
}

int main()
{
    int *p;
    float *q, f[10];
    cudaMalloc(&p, sizeof *p);
    cudaMalloc(&q, sizeof f);
    app::fill<float, app::second><<<1, 10>>>(q, app::box<float, 4>{{1, 7, 3, 4}}, 10);
    cudaMemcpy(f, q, sizeof f, cudaMemcpyDeviceToHost);
    EXPECT(f[0] == 7 && f[9] == 7);
    run<<<1, 1>>>(set{5}, p);
    EXPECT(value_of(p) == 5);
    quiet<<<1, 1>>>(p);
    EXPECT(value_of(p) == 2);
    hidden<<<1, 1>>>(p);
    EXPECT(value_of(p) == 3);
    all.add("instances");
    std::cout << all.lines[0] << std::endl;
    FINISH();
}
