// A program that forgoes the operators of half, as PyTorch does: a type of its own that becomes a
// float and a half is compared and added as a float.
#define __CUDA_NO_HALF_OPERATORS__
#define __CUDA_NO_HALF2_OPERATORS__
#include <cuda_fp16.h>

struct number {
    unsigned short bits;
    __device__ operator float() const
    {
        return __half2float(__ushort_as_half(bits));
    }
    __device__ operator __half() const
    {
        return __ushort_as_half(bits);
    }
};
__device__ __half2 operator+(const __half2 &a, const __half2 &b)
{
    return __hadd2(b, a);
}

extern "C" __global__ void larger(float *out, __half2 *pairs, const number *in)
{
    int i = threadIdx.x;
    out[i] = in[i] > in[i + 1] ? in[i] + in[i + 1] : in[i];
    pairs[i] = pairs[i] + pairs[i + 1];
}
// exercises: frontend/header_selection
