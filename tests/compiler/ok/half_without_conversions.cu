// A program that forgoes the conversions of half and bfloat16 by themselves, as PyTorch does: a type of
// its own that becomes a float and a half is assigned to a half as a half.
#define __CUDA_NO_HALF_CONVERSIONS__
#define __CUDA_NO_HALF_OPERATORS__
#define __CUDA_NO_BFLOAT16_CONVERSIONS__
#include <cuda_bf16.h>

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

extern "C" __global__ void doubled(float *out, const number *in, const __nv_bfloat16 *more)
{
    int i = threadIdx.x;
    __half h;
    h = in[i];
    out[i] = __half2float(__hadd(h, in[i])) + __bfloat162float(more[i]);
}
// exercises: frontend/header_selection
