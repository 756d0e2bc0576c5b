/* SPDX-License-Identifier: Apache-2.0
 *
 * HIP: its launch macro, its names of the runtime API, its vector operators. */
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <vector>

template <typename T> __global__ void axpy(T *y, const T *x, T a, int n)
{
    const int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
    if (i < n)
        y[i] += a * x[i];
}

__global__ void vectors(float4 *v, __half *h)
{
    HIP_DYNAMIC_SHARED(float, shared);
    shared[threadIdx.x] = v[threadIdx.x].x;
    __syncthreads();
    float4 a = v[0] + v[1] * 2.0f;
    a += make_float4(1, 2, 3, shared[0]);
    v[threadIdx.x] = a - v[2];
    h[0] = __float2half(__half2float(h[1]) + atomicMax(&v[3].x, 2.0f));
}

int main()
{
    std::vector<float> v(100);
    float *d;
    hipStream_t stream;
    if (hipMalloc(&d, 400) != hipSuccess || hipStreamCreate(&stream) != hipSuccess)
        return 1;
    hipMemcpy(d, v.data(), 400, hipMemcpyHostToDevice);
    hipLaunchKernelGGL(axpy<float>, dim3(1), dim3(100), 0, stream, d, d, 2.0f, 100);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(axpy<double>), dim3(1), dim3(1), 0, 0, nullptr, nullptr, 1.0, 0);
    axpy<<<1, 100>>>(d, d, 2.0f, 100);
    hipDeviceProp_t prop;
    (void)hipGetDeviceProperties(&prop, 0);
    return hipDeviceSynchronize() == hipSuccess ? 0 : (int)hipGetLastError();
}
