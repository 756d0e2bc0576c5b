// SPDX-License-Identifier: Apache-2.0
// NaN cast to an unsigned number.
// answer: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
//         0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
extern "C" __global__ void run(int *out, const int *in, int n)
{
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    out[g] = (unsigned)__int_as_float(0x7fc00000 | in[g]);
}
