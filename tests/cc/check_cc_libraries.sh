#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs built by quern cc that call Thrust, CUB, cuBLAS and cuRAND from host code, on cpu:0; a smaller one on an OpenCL
# device where there is one. What of them is not served is named.
source "$(dirname "$0")/../shell.sh"
if [ "${QN_CONFIG:-release}" != release ]; then
    echo "skip: programs are linked with config=release, this is $QN_CONFIG"
    exit 0
fi
here=tests/cc
cc() { run "$QUERN" cc -w -I "$here" "$@"; }
passes() { # NAME PROGRAM: its own checks
    run "$scratch/$2"
    exits "$1" 0
    says "$1" PASS
}
export QUERN_DEVICE=cpu:0
for program in thrust_algorithms cub_device blas rand; do
    cc "$here/$program.cu" -o "$scratch/$program" -lcublas -lcurand
    exits "$program.cu" 0
    silent "$program.cu"
    passes "$program" $program
done
QUERN_CACHE_MODE=must-hit passes 'a second start compiles nothing' blas

# ---- other compilers and names ----
cat >"$scratch/plain.cpp" <<'END'
#include <cstdio>
#include <cublas_v2.h>
int main()
{
    float a[4] = {1, 2, 3, 4}, x[2] = {1, 1}, y[2] = {}, one = 1, zero = 0, *p;
    cublasHandle_t h;
    if (cublasCreate(&h) != CUBLAS_STATUS_SUCCESS || cudaMalloc((void **)&p, sizeof(float) * 8) != cudaSuccess)
        return 1;
    cublasSetMatrix(2, 2, sizeof(float), a, 2, p, 2);
    cublasSetVector(2, sizeof(float), x, 1, p + 4, 1);
    cublasSgemv(h, CUBLAS_OP_N, 2, 2, &one, p, 2, p + 4, 1, &zero, p + 6, 1);
    cublasGetVector(2, sizeof(float), p + 6, 1, y, 1);
    cublasDestroy(h);
    printf(y[0] == 4 && y[1] == 6 ? "PASS\n" : "FAIL %g %g\n", y[0], y[1]);
}
END
cc "$scratch/plain.cpp" -o "$scratch/plain" -lcublas -lcudart
exits 'cuBLAS in a file without kernels' 0
passes 'cuBLAS in a file without kernels' plain
cat >"$scratch/blas.hip" <<'END'
#include <hip/hip_runtime.h>
#include <hipblas/hipblas.h>
#include <cstdio>
int main()
{
    float x[3] = {3, 0, 4}, norm = 0, *p;
    hipblasHandle_t h;
    if (hipblasCreate(&h) != HIPBLAS_STATUS_SUCCESS || hipMalloc(&p, sizeof x) != hipSuccess)
        return 1;
    hipMemcpy(p, x, sizeof x, hipMemcpyHostToDevice);
    hipblasSnrm2(h, 3, p, 1, &norm);
    printf(norm == 5 ? "PASS\n" : "FAIL %g\n", norm);
    hipblasDestroy(h);
}
END
cc --dialect hip "$scratch/blas.hip" -o "$scratch/hipblas" -lhipblas
exits "hipBLAS's names" 0
passes "hipBLAS's names" hipblas

# ---- on an OpenCL device ----
cat >"$scratch/small.cu" <<'END'
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <thrust/scan.h>
#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <cstdio>
int main()
{
    thrust::device_vector<float> v(5000);
    for (int i = 0; i < 5000; i += 499)
        v[i] = (float)i;
    thrust::sort(v.begin(), v.end(), thrust::greater<float>());
    float first = v[0], sum = 0;
    size_t bytes = 0;
    thrust::device_vector<float> total(1);
    const float *in = thrust::raw_pointer_cast(v.data());
    cub::DeviceReduce::Sum(nullptr, bytes, in, thrust::raw_pointer_cast(total.data()), 5000);
    thrust::device_vector<char> room(bytes);
    cub::DeviceReduce::Sum(thrust::raw_pointer_cast(room.data()), bytes, in,
                           thrust::raw_pointer_cast(total.data()), 5000);
    cublasHandle_t h;
    cublasCreate(&h);
    cublasSasum(h, 5000, in, 1, &sum);
    cublasDestroy(h);
    printf(first == 4990 && sum == 27445 && total[0] == sum ? "PASS\n" : "FAIL %g %g %g\n", first, sum,
           (float)total[0]);
}
END
cc "$scratch/small.cu" -o "$scratch/small" -lcublas
exits 'a small program' 0
passes 'a small program' small
if QUERN_DEVICE=opencl "$QUERN" selftest --list >/dev/null 2>&1 && "$QUERN" devices 2>/dev/null | grep -q '^ *opencl:0'; then
    QUERN_DEVICE=opencl:0 passes 'a small program on opencl:0' small
else
    echo "no OpenCL device: on cpu:0 alone"
fi

# ---- what is not served ----
cat >"$scratch/unserved.cu" <<'END'
#include <cub/cub.cuh>
#include <cublas_v2.h>
int main()
{
    cublasHandle_t h;
    float *p = nullptr, one = 1;
    size_t bytes = 0;
    cublasCreate(&h);
    cublasStrsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 1, 1, &one, p, 1, p, 1);
    return cub::DeviceSegmentedSort::SortKeys(nullptr, bytes, p, p, 1, 1, (int *)nullptr, (int *)nullptr);
}
END
cc "$scratch/unserved.cu" -o "$scratch/unserved" -lcublas
exits 'what is not served' 1
complains 'what is not served of cuBLAS' "cublasStrsm is not served by Quern's runtime"
complains 'what is not served of CUB' "DeviceSegmentedRadixSort::SortKeys is not served by Quern's runtime"
finish
